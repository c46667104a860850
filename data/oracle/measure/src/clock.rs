//! The clock: calibrated batches of every subject in turn, there and back.

use crate::subject::{Subject, settle_heap};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// How long one batch of calls lasts, about. Far above the clock's own cost (some 25 ns), and short
/// enough that most batches are not interrupted.
const BATCH: Duration = Duration::from_micros(500);

/// The samples of one subject: nanoseconds per call, one number per batch.
pub struct Samples {
    pub id: String,
    pub calls_per_batch: u64,
    pub nanoseconds: Vec<f64>,
}

/// Times every subject `2 × rounds` times: each round goes through all of them in order and then
/// back, so that a machine that slows down during a round slows everybody down equally.
pub fn time(subjects: &mut [Subject], rounds: usize) -> Vec<Samples> {
    let mut all: Vec<Samples> = subjects
        .iter_mut()
        .map(|subject| Samples {
            id: subject.about.id.clone(),
            calls_per_batch: calibrate(subject),
            nanoseconds: Vec::with_capacity(2 * rounds),
        })
        .collect();
    let forward = 0..subjects.len();
    let order: Vec<usize> = forward.clone().chain(forward.rev()).collect();
    for _ in 0..rounds {
        for &index in &order {
            let samples = &mut all[index];
            let took = batch(&mut subjects[index], samples.calls_per_batch);
            samples.nanoseconds.push(took.as_nanos() as f64 / samples.calls_per_batch as f64);
        }
    }
    all
}

/// Warms a subject up and finds how many calls fill a batch.
fn calibrate(subject: &mut Subject) -> u64 {
    let mut calls = 1;
    loop {
        let took = batch(subject, calls);
        if took >= BATCH {
            let wanted = calls as f64 * BATCH.as_secs_f64() / took.as_secs_f64();
            return (wanted as u64).max(1);
        }
        calls *= 2;
    }
}

fn batch(subject: &mut Subject, calls: u64) -> Duration {
    settle_heap();
    // A short run first: the subject before has left its own branches and lines in the caches.
    (subject.run)(black_box(calls / 8 + 1));
    let start = Instant::now();
    (subject.run)(black_box(calls));
    start.elapsed()
}
