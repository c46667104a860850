//! Keeps a worker alive and gives every request an answer.
//!
//! Requests go to the worker as they come, and answers are passed on in the same order. When the
//! worker dies or is too slow, the first request without an answer is to blame: it gets an error,
//! and a new worker gets the rest.
//!
//! Every pipe has a thread of its own and the queues between them have no bound, so nobody has to
//! read answers while writing requests. Only a few requests are with the worker at a time: they are
//! what a new one has to be told again.

use crate::formats::Failure;
use crate::requests::refuse;
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How many requests a worker is sent ahead of its answers.
const AHEAD: usize = 256;

/// What a worker may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Address space in MiB.
    pub memory: u64,
    /// Time for one request.
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory: 1024, time: Duration::from_secs(2) }
    }
}

/// Something happened.
enum Event {
    /// A request came in.
    Request(String),
    /// No more requests will come.
    End,
    /// The worker with this number answered.
    Answer(u64, String),
    /// The worker with this number closed its output.
    Closed(u64),
}

/// Answers requests in order; `output` is flushed whenever there is nothing to do.
pub fn supervise(
    limits: Limits,
    requests: impl Iterator<Item = io::Result<String>> + Send + 'static,
    output: &mut impl Write,
) -> io::Result<()> {
    let (sender, events) = channel();
    let listener = sender.clone();
    thread::spawn(move || {
        for line in requests.map_while(Result::ok) {
            if listener.send(Event::Request(line)).is_err() {
                return;
            }
        }
        // The receiver is only gone when supervise has returned.
        let _ = listener.send(Event::End);
    });
    Supervisor::start(limits, sender)?.run(&events, output)
}

struct Supervisor {
    limits: Limits,
    sender: Sender<Event>,
    worker: Worker,
    number: u64,
    /// The requests without an answer.
    pending: VecDeque<String>,
    /// How many of them, from the front, the worker has.
    sent: usize,
}

impl Supervisor {
    fn start(limits: Limits, sender: Sender<Event>) -> io::Result<Self> {
        let worker = Worker::start(limits, 0, sender.clone())?;
        Ok(Self { limits, sender, worker, number: 0, pending: VecDeque::new(), sent: 0 })
    }

    fn run(mut self, events: &Receiver<Event>, output: &mut impl Write) -> io::Result<()> {
        let mut ended = false;
        let mut since = Instant::now();
        while !(ended && self.pending.is_empty()) {
            match self.next(events, since, output)? {
                Some(Event::Request(line)) => {
                    if self.pending.is_empty() {
                        since = Instant::now();
                    }
                    self.pending.push_back(line);
                    self.send();
                }
                Some(Event::End) => ended = true,
                Some(Event::Answer(number, answer)) if number == self.number => {
                    self.pending.pop_front();
                    self.sent -= 1;
                    self.send();
                    output.write_all(answer.as_bytes())?;
                    since = Instant::now();
                }
                Some(Event::Closed(number)) if number == self.number => {
                    let failure = self.worker.end()?;
                    self.replace(&failure, output)?;
                    since = Instant::now();
                }
                // A worker that was replaced.
                Some(Event::Answer(..) | Event::Closed(_)) => {}
                None => {
                    self.worker.kill()?;
                    let text = format!("no answer within {:?}", self.limits.time);
                    self.replace(&Failure::new("Timeout", text), output)?;
                    since = Instant::now();
                }
            }
        }
        output.flush()
    }

    /// Waits for an event; `None` when the first pending request has had its time.
    fn next(
        &self,
        events: &Receiver<Event>,
        since: Instant,
        output: &mut impl Write,
    ) -> io::Result<Option<Event>> {
        match events.try_recv() {
            Ok(event) => return Ok(Some(event)),
            Err(TryRecvError::Empty) => output.flush()?,
            Err(TryRecvError::Disconnected) => unreachable!("the supervisor holds a sender"),
        }
        if self.pending.is_empty() {
            return Ok(Some(events.recv().expect("the supervisor holds a sender")));
        }
        match events.recv_timeout(self.limits.time.saturating_sub(since.elapsed())) {
            Ok(event) => Ok(Some(event)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => unreachable!("the supervisor holds a sender"),
        }
    }

    /// Answers the first pending request with a failure and gives the others to a new worker.
    fn replace(&mut self, failure: &Failure, output: &mut impl Write) -> io::Result<()> {
        let Some(line) = self.pending.pop_front() else {
            return Err(io::Error::other(format!("the worker died idle: {}", failure.text)));
        };
        writeln!(output, "{}", refuse(&line, failure))?;
        self.number += 1;
        self.worker = Worker::start(self.limits, self.number, self.sender.clone())?;
        self.sent = 0;
        self.send();
        Ok(())
    }

    /// Sends the worker what it may have.
    fn send(&mut self) {
        let ahead = self.pending.len().min(AHEAD);
        for line in self.pending.range(self.sent..ahead) {
            self.worker.send(line.clone());
        }
        self.sent = ahead;
    }
}

/// A worker process and the threads on its pipes.
struct Worker {
    process: Child,
    lines: Sender<String>,
    complaints: JoinHandle<String>,
}

impl Worker {
    fn start(limits: Limits, number: u64, events: Sender<Event>) -> io::Result<Self> {
        let mut process = Command::new(std::env::current_exe()?)
            .arg("worker")
            .arg(limits.memory.to_string())
            // Looking up the names of a dying worker's functions takes longer than starting one.
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let stdin = process.stdin.take().expect("stdin is piped");
        let stdout = process.stdout.take().expect("stdout is piped");
        let stderr = process.stderr.take().expect("stderr is piped");
        let (lines, queue) = channel();
        thread::spawn(move || feed(stdin, &queue));
        thread::spawn(move || listen(stdout, number, &events));
        Ok(Self { process, lines, complaints: thread::spawn(move || read_all(stderr)) })
    }

    /// Sends a request; a dead worker is noticed by its closed output, not here.
    fn send(&self, line: String) {
        let _ = self.lines.send(line);
    }

    fn kill(&mut self) -> io::Result<()> {
        self.process.kill()?;
        self.process.wait().map(drop)
    }

    /// Says how a worker ended that closed its output by itself.
    fn end(&mut self) -> io::Result<Failure> {
        let status = self.process.wait()?;
        let complaints = std::mem::replace(&mut self.complaints, thread::spawn(String::new));
        let complaints = complaints.join().unwrap_or_default();
        let reason = if complaints.contains("has overflowed its stack") {
            "stack overflow"
        } else {
            complaints.lines().find(|line| !line.is_empty()).unwrap_or("no message")
        };
        Ok(Failure::new(
            "Abort",
            match status.signal() {
                Some(signal) => format!("{reason} (signal {signal})"),
                None => format!("{reason} ({status})"),
            },
        ))
    }
}

/// Writes requests to a worker, as many at once as are waiting.
fn feed(mut stdin: ChildStdin, queue: &Receiver<String>) {
    let mut batch = String::new();
    while let Ok(line) = queue.recv() {
        batch.clear();
        for line in std::iter::once(line).chain(queue.try_iter()) {
            batch.push_str(&line);
            batch.push('\n');
            if batch.len() > 1 << 16 {
                break;
            }
        }
        if stdin.write_all(batch.as_bytes()).is_err() {
            return;
        }
    }
}

/// Passes on a worker's answers.
fn listen(stdout: ChildStdout, number: u64, events: &Sender<Event>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let mut line = String::new();
        let event = match stdout.read_line(&mut line) {
            Ok(_) if line.ends_with('\n') => Event::Answer(number, line),
            _ => Event::Closed(number),
        };
        let closed = matches!(event, Event::Closed(_));
        if events.send(event).is_err() || closed {
            return;
        }
    }
}

/// Reads to the end; text that is not UTF-8 counts as none.
fn read_all(mut stderr: ChildStderr) -> String {
    let mut text = String::new();
    let _ = stderr.read_to_string(&mut text);
    text
}
