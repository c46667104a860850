//! The decoders under other allocators, with the same arguments as `clock`. Every subject is there three times, once for each allocator.

use measure::interventions::Intervention;
use measure::subject::Subject;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering::Relaxed};

/// The C library's allocator.
const SYSTEM: u8 = 0;
/// The same, but memory full of zeros is asked for as it comes and then overwritten.
const MEMSET: u8 = 1;
/// A ring: memory is the next piece of an array, and giving it back does nothing.
const RING: u8 = 2;

/// Far more than the one document that lives at a time, and little enough for the nearest cache.
const RING_BYTES: usize = 16 << 10;

/// The allocator of this program; which one it is can be set while it runs.
struct Switched {
    which: AtomicU8,
    place: AtomicUsize,
    ring: UnsafeCell<Ring>,
}

/// The ring's memory, reached through its address alone.
#[repr(align(64))]
struct Ring(#[allow(dead_code)] [u8; RING_BYTES]);

// Safety: the program has one thread.
unsafe impl Sync for Switched {}

#[global_allocator]
static ALLOCATOR: Switched = Switched {
    which: AtomicU8::new(SYSTEM),
    place: AtomicUsize::new(0),
    ring: UnsafeCell::new(Ring([0; RING_BYTES])),
};

impl Switched {
    fn piece(&self, layout: Layout) -> *mut u8 {
        let mut start = self.place.load(Relaxed).next_multiple_of(layout.align());
        if start + layout.size() > RING_BYTES {
            start = 0;
        }
        self.place.store(start + layout.size(), Relaxed);
        // Safety: start is inside the ring; large pieces do not come here.
        unsafe { self.ring.get().cast::<u8>().add(start) }
    }

    fn rings(&self, layout: Layout) -> bool {
        self.which.load(Relaxed) == RING && layout.size() <= RING_BYTES / 4
    }
}

// Safety: pieces do not overlap unless the ring has gone round, which takes many documents.
unsafe impl GlobalAlloc for Switched {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if self.rings(layout) { self.piece(layout) } else { unsafe { System.alloc(layout) } }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if self.which.load(Relaxed) == SYSTEM {
            return unsafe { System.alloc_zeroed(layout) };
        }
        let memory = unsafe { self.alloc(layout) };
        if !memory.is_null() {
            unsafe { memory.write_bytes(0, layout.size()) };
        }
        memory
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        let ring = self.ring.get() as usize;
        if !(ring..ring + RING_BYTES).contains(&(memory as usize)) {
            unsafe { System.dealloc(memory, layout) }
        }
    }
}

const NAMES: [&str; 3] = ["system", "memset", "ring"];

fn main() {
    measure::command::run(|| (SYSTEM..=RING).flat_map(under).collect(), &interventions());
}

/// The subjects under one allocator.
fn under(which: u8) -> Vec<Subject> {
    let mut all = measure::owned_decodes();
    for subject in &mut all {
        subject.about.id.push('@');
        subject.about.id.push_str(NAMES[which as usize]);
        subject.about.allocator = NAMES[which as usize];
        let mut run = std::mem::replace(&mut subject.run, Box::new(|_| ()));
        subject.run = Box::new(move |times| {
            ALLOCATOR.which.store(which, Relaxed);
            run(times);
            ALLOCATOR.which.store(SYSTEM, Relaxed);
        });
    }
    all
}

fn interventions() -> Vec<Intervention> {
    let pair = |suspect, change, id: &str, which: u8| Intervention {
        suspect,
        change,
        before: format!("{id}@system"),
        after: format!("{id}@{}", NAMES[which as usize]),
    };
    let ids = measure::owned_decodes().into_iter().map(|subject| subject.about.id);
    ids.flat_map(|id| {
        [
            pair("calloc", "zeroed memory made by malloc and memset", &id, MEMSET),
            pair("allocator", "allocating is adding, freeing is nothing", &id, RING),
        ]
    })
    .collect()
}
