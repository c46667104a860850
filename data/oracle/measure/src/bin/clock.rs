//! Times every subject, or repeats it for callgrind: see `measure::command::run`.

fn main() {
    measure::command::run(measure::subjects, &measure::interventions::list());
}
