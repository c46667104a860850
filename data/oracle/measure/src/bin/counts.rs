//! Counts what a call allocates and how often it writes: a line of JSON for each subject.
//!
//! An allocator that counts is in everybody's way, so this is a program of its own.

use bincode::enc::write::Writer;
use bincode::error::EncodeError;
use measure::records::{Document, Fixture};
use measure::subject::{About, Subject};
use rkyv::ser::Positional;
use serde_json::json;
use speedy::Writable;
use std::alloc::{GlobalAlloc, Layout, System};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The C library's allocator, counting.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static ZEROED: AtomicU64 = AtomicU64::new(0);
static REALLOCATIONS: AtomicU64 = AtomicU64::new(0);
/// Bytes asked for by new pieces, and by the growth of old ones.
static BYTES: AtomicU64 = AtomicU64::new(0);

// Safety: everything is left to the C library.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Relaxed);
        BYTES.fetch_add(layout.size() as u64, Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Relaxed);
        ZEROED.fetch_add(1, Relaxed);
        BYTES.fetch_add(layout.size() as u64, Relaxed);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        REALLOCATIONS.fetch_add(1, Relaxed);
        BYTES.fetch_add(size.saturating_sub(layout.size()) as u64, Relaxed);
        unsafe { System.realloc(memory, layout, size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        unsafe { System.dealloc(memory, layout) }
    }
}

/// A sink that counts what it is handed: any crate's kind of sink.
#[derive(Default)]
struct Sink {
    writes: u64,
    bytes: usize,
}

impl Sink {
    fn take(&mut self, bytes: usize) {
        self.writes += 1;
        self.bytes += bytes;
    }
}

impl io::Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.take(bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Writer for Sink {
    fn write(&mut self, bytes: &[u8]) -> Result<(), EncodeError> {
        self.take(bytes.len());
        Ok(())
    }
}

impl postcard::ser_flavors::Flavor for Sink {
    type Output = Self;

    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        self.take(bytes.len());
        Ok(())
    }

    fn try_push(&mut self, _: u8) -> postcard::Result<()> {
        self.take(1);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<Self> {
        Ok(self)
    }
}

impl Positional for Sink {
    fn pos(&self) -> usize {
        self.bytes
    }
}

impl rkyv::ser::Writer<rkyv::rancor::Error> for Sink {
    fn write(&mut self, bytes: &[u8]) -> Result<(), rkyv::rancor::Error> {
        self.take(bytes.len());
        Ok(())
    }
}

/// What a crate hands its sink for the suite's document; `None` for other subjects.
fn sink(about: &About, document: &Document, fixture: &Fixture) -> Option<Sink> {
    if about.direction != "encode" || about.payload != "suite" {
        return None;
    }
    let mut sink = Sink::default();
    let standard = bincode::config::standard();
    let fixed = standard.with_fixed_int_encoding();
    match (about.library, about.road, about.widths, about.record) {
        ("speedy", ..) => document.write_to_stream(&mut sink).expect("a sink takes everything"),
        ("bincode", "own", "standard", "document") => native(document, &mut sink, standard),
        ("bincode", "own", "standard", _) => native(fixture, &mut sink, standard),
        ("bincode", "own", _, "document") => native(document, &mut sink, fixed),
        ("bincode", "own", ..) => native(fixture, &mut sink, fixed),
        ("bincode", _, "standard", "document") => through_serde(document, &mut sink, standard),
        ("bincode", _, "standard", _) => through_serde(fixture, &mut sink, standard),
        ("bincode", _, _, "document") => through_serde(document, &mut sink, fixed),
        ("bincode", ..) => through_serde(fixture, &mut sink, fixed),
        ("postcard", _, _, "document") => sink = postcard(document),
        ("postcard", ..) => sink = postcard(fixture),
        ("rkyv", ..) => {
            sink = rkyv::api::high::to_bytes_in(document, sink).expect("a sink takes everything");
        }
        _ => return None,
    }
    Some(sink)
}

fn native<C: bincode::config::Config>(value: impl bincode::Encode, sink: &mut Sink, config: C) {
    bincode::encode_into_writer(value, sink, config).expect("a sink takes everything");
}

fn through_serde<C: bincode::config::Config>(
    value: impl serde::Serialize,
    sink: &mut Sink,
    config: C,
) {
    bincode::serde::encode_into_writer(value, sink, config).expect("a sink takes everything");
}

fn postcard(value: &impl serde::Serialize) -> Sink {
    postcard::serialize_with_flavor(value, Sink::default()).expect("a sink takes everything")
}

/// Allocations, those of zeroed memory, reallocations and bytes asked for, so far.
fn counts() -> [u64; 4] {
    [&ALLOCATIONS, &ZEROED, &REALLOCATIONS, &BYTES].map(|count| count.load(Relaxed))
}

fn main() {
    let document = measure::document();
    let fixture = Fixture::Document(document.clone());
    for Subject { about, mut run } in measure::subjects() {
        // Once around, so that buffers that are kept have their size.
        run(about.inputs);
        let before = counts();
        run(about.inputs);
        let after = counts();
        let [allocations, zeroed, reallocations, bytes] = std::array::from_fn(|index| {
            (after[index] - before[index]) as f64 / about.inputs as f64
        });
        let sink = sink(&about, &document, &fixture);
        if let Some(sink) = &sink {
            assert_eq!(sink.bytes, about.bytes, "{}", about.id);
        }
        let line = json!({
            "id": about.id,
            "allocations": allocations,
            "zeroed_allocations": zeroed,
            "reallocations": reallocations,
            "allocated_bytes": bytes,
            "writes": sink.map(|sink| sink.writes),
        });
        println!("{line}");
    }
}
