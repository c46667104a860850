//! What the programs that time and repeat have in common.

use crate::clock;
use crate::interventions::Intervention;
use crate::subject::{Subject, settle_heap};
use serde_json::json;
use std::hint::black_box;

/// Does what the arguments of this program ask for.
///
/// `list` describes the subjects and `interventions` the pairs of them; `time ROUNDS PLACE` times them
/// with everything on the heap PLACE times 16 bytes further on, for addresses matter too;
/// `repeat LOW HIGH` runs each of them LOW and then HIGH times between two marks, for callgrind.
/// Every answer is a line of JSON.
pub fn run(subjects: impl Fn() -> Vec<Subject>, interventions: &[Intervention]) {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["list"] => {
            for subject in subjects() {
                println!("{}", serde_json::to_string(&subject.about).expect("plain data"));
            }
        }
        ["interventions"] => {
            for intervention in interventions {
                println!("{}", serde_json::to_string(&intervention).expect("plain data"));
            }
        }
        ["time", rounds, place] => {
            std::mem::forget(black_box(Vec::<u8>::with_capacity(16 * number::<usize>(place))));
            for samples in clock::time(&mut subjects(), number(rounds)) {
                let clock::Samples { id, calls_per_batch, nanoseconds } = samples;
                println!("{}", json!({"id": id, "calls": calls_per_batch, "ns": nanoseconds}));
            }
        }
        ["repeat", low, high] => repeat(&mut subjects(), number(low), number(high)),
        _ => {
            eprintln!("usage: list | interventions | time ROUNDS PLACE | repeat LOW HIGH");
            std::process::exit(2);
        }
    }
}

fn number<T: std::str::FromStr>(text: &str) -> T {
    text.parse().unwrap_or_else(|_| panic!("{text} is not a number"))
}

fn repeat(subjects: &mut [Subject], low: u64, high: u64) {
    // The first subject twice: until its second dump callgrind counts a call too many.
    for index in std::iter::once(0).chain(0..subjects.len()) {
        settle_heap();
        // Hidden, so that the steps between the marks are the same three times.
        for calls in black_box(&[low, low, high][..]) {
            measured(&mut subjects[index], *calls);
        }
    }
}

#[inline(never)]
fn measured(subject: &mut Subject, calls: u64) {
    (subject.run)(calls * subject.about.inputs);
    measure_mark();
}

/// Callgrind writes its counts down and starts anew whenever this function is called.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn measure_mark() {
    std::hint::black_box(());
}
