//! The oracle: the real crates behind one program that reads and writes JSON lines.
//!
//! `oracle` answers requests, `oracle vectors DIR` writes the golden files; `README.md` describes
//! both. `oracle worker`, which the other two start, is where the crates run.

mod catalogue;
mod codecs;
mod exact;
mod fixtures;
mod formats;
mod golden;
mod records;
mod rejects;
mod requests;
mod samples;
mod supervisor;
#[cfg(test)]
mod tests;
mod vectors;
mod worker;

use std::io::{self, BufRead, BufReader, BufWriter};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;
use supervisor::{Limits, supervise};

const USAGE: &str = "usage: oracle [MEMORY_MIB [SECONDS]]
       oracle vectors DIRECTORY";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments[..] {
        ["worker", memory] => number(memory).map(|mib| worker::work(mib << 20)),
        ["vectors", directory] => Some(golden::write(Path::new(directory))),
        [] => Some(serve(Limits::default())),
        [memory] => number(memory).map(|memory| serve(Limits { memory, ..Limits::default() })),
        [memory, seconds] => number(memory)
            .zip(number(seconds))
            .map(|(memory, seconds)| serve(Limits { memory, time: Duration::from_secs(seconds) })),
        _ => None,
    };
    match outcome {
        Some(Ok(())) => ExitCode::SUCCESS,
        Some(Err(error)) => {
            eprintln!("oracle: {error}");
            ExitCode::FAILURE
        }
        None => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn number(text: &str) -> Option<u64> {
    text.parse().ok().filter(|number| *number < 1 << 40)
}

fn serve(limits: Limits) -> io::Result<()> {
    // A line that is not UTF-8 gets an answer too, if only that it is no request.
    let text = |line: Vec<u8>| String::from_utf8_lossy(&line).into_owned();
    let requests = BufReader::new(io::stdin()).split(b'\n').map(move |line| line.map(text));
    supervise(limits, requests, &mut BufWriter::new(io::stdout().lock()))
}
