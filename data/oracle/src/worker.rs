//! The process in which the crates run.
//!
//! Some inputs make a crate panic, and some end the process: a claimed length is allocated, or the
//! stack runs out. A panic is caught here. Everything else is left to the supervisor, which sees the
//! process end; so each answer is written at once.

use crate::formats::Failure;
use crate::requests::{answer, refuse};
use rlimit::Resource;
use std::cell::RefCell;
use std::io::{self, BufRead, Write};
use std::panic;
use std::thread;

/// The stack that decoding has to itself, in bytes: eight times the usual.
const STACK: usize = 64 << 20;

thread_local! {
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Answers the lines of standard input, one by one, until it ends.
///
/// `memory` is the most address space the process may have, in bytes.
pub fn work(memory: u64) -> io::Result<()> {
    rlimit::setrlimit(Resource::AS, memory, memory)?;
    rlimit::setrlimit(Resource::CORE, 0, 0)?;
    panic::set_hook(Box::new(|info| PANIC.set(panic_message(info))));
    let worker = thread::Builder::new().name("worker".into()).stack_size(STACK).spawn(serve)?;
    worker.join().expect("panics are caught")
}

fn serve() -> io::Result<()> {
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let mut reply = panic::catch_unwind(|| answer(&line))
            .unwrap_or_else(|_| refuse(&line, &Failure::new("Panic", PANIC.take())));
        reply.push('\n');
        output.write_all(reply.as_bytes())?;
        output.flush()?;
    }
    Ok(())
}

/// What was said; where is left out, because it names a place in a registry's copy of the sources.
fn panic_message(info: &panic::PanicHookInfo) -> String {
    info.payload_as_str().unwrap_or("no message").into()
}
