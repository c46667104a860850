//! What is measured: something that can be done any number of times, and words about it.

use serde::Serialize;
use std::hint::black_box;

/// What a subject is.
#[derive(Clone, Debug, Serialize)]
pub struct About {
    /// All of the below, joined: the name of the subject in the results.
    pub id: String,
    /// `encode`, `decode`, `read` (a value inside an archive) or `floor` (no codec at all).
    pub direction: &'static str,
    /// The crate, or `hand` for this program's own decoder.
    pub library: &'static str,
    /// The way through the crate: `own` (its own derive), `serde`, or rkyv's function.
    pub road: &'static str,
    /// How integers are written: `fixed`, `standard` (marker varints), `leb128`, `archive`.
    pub widths: &'static str,
    /// `document`, or `fixture` for the document inside the suite's enum.
    pub record: &'static str,
    /// Encoding: where the bytes go. Decoding: what differs from the plain call.
    pub how: &'static str,
    /// Which document: `suite`, or one of the larger ones.
    pub payload: String,
    /// The length of the encoded document in bytes.
    pub bytes: usize,
    /// How many different documents are gone through in turn.
    pub inputs: u64,
    /// The allocator, where there is a choice.
    pub allocator: &'static str,
    /// The subject that this one is a copy of, if it is one.
    pub copy_of: Option<String>,
}

/// The part of an [`About`] that is known before the bytes are.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    pub library: &'static str,
    pub road: &'static str,
    pub widths: &'static str,
    pub record: &'static str,
}

impl Kind {
    fn about(
        self,
        direction: &'static str,
        how: &'static str,
        payload: &str,
        bytes: usize,
    ) -> About {
        let Self { library, road, widths, record } = self;
        let id = [direction, library, road, widths, record, how, payload].join("/");
        About {
            id,
            direction,
            library,
            road,
            widths,
            record,
            how,
            payload: payload.into(),
            bytes,
            inputs: 1,
            allocator: "system",
            copy_of: None,
        }
    }
}

/// One thing to measure.
pub struct Subject {
    pub about: About,
    /// Does it so many times.
    pub run: Box<dyn FnMut(u64)>,
}

/// Leaves the heap in the same state whatever was done before.
///
/// What the C library's allocator does for a small piece depends on how many pieces of its size lie
/// ready: seven per size are fastest to reach, and a document has ten of one size. So it is first made
/// to join the pieces that lie ready (a large request does that, in glibc), and then sixteen of every
/// small size are given back to it.
pub fn settle_heap() {
    const SIZES: usize = 8;
    const PIECES: usize = 16;
    drop(black_box(Vec::<u8>::with_capacity(4096)));
    let pieces: [[Vec<u8>; PIECES]; SIZES] =
        std::array::from_fn(|size| std::array::from_fn(|_| Vec::with_capacity(16 * size + 8)));
    drop(black_box(pieces));
}

/// Encodes into a `Vec` that is emptied, not freed, between two calls.
pub fn encode<T: 'static>(
    kind: Kind,
    how: &'static str,
    payload: &str,
    value: T,
    encode: impl Fn(&T, &mut Vec<u8>) + 'static,
) -> Subject {
    let mut out = Vec::new();
    encode(&value, &mut out);
    let about = kind.about("encode", how, payload, out.len());
    let run = Box::new(move |times| {
        for _ in 0..times {
            out.clear();
            encode(black_box(&value), &mut out);
            black_box(&mut out);
        }
    });
    Subject { about, run }
}

/// Encodes into a slice that is large enough; the function returns the number of bytes.
pub fn encode_to_slice<T: 'static>(
    kind: Kind,
    payload: &str,
    value: T,
    room: usize,
    encode: impl Fn(&T, &mut [u8]) -> usize + 'static,
) -> Subject {
    let mut out = vec![0; room];
    let bytes = encode(&value, &mut out);
    let about = kind.about("encode", "slice", payload, bytes);
    let run = Box::new(move |times| {
        for _ in 0..times {
            black_box(encode(black_box(&value), black_box(&mut out)));
        }
    });
    Subject { about, run }
}

/// Decodes and drops what was decoded: the next call finds the heap as this one did.
///
/// # Panics
///
/// When the data is refused: a refusal takes no time worth measuring.
pub fn decode<O, E>(
    kind: Kind,
    how: &'static str,
    payload: &str,
    data: Vec<u8>,
    decode: impl for<'a> Fn(&'a [u8]) -> Result<O, E> + 'static,
) -> Subject {
    let about = kind.about("decode", how, payload, data.len());
    assert!(decode(&data).is_ok(), "{} refuses its own bytes", about.id);
    let run = Box::new(move |times| {
        for _ in 0..times {
            drop(black_box(decode(black_box(&data))));
        }
    });
    Subject { about, run }
}

/// Does something else: `f` is called so many times with the same input.
pub fn other<T: 'static, O>(
    direction: &'static str,
    kind: Kind,
    how: &'static str,
    bytes: usize,
    input: T,
    f: impl Fn(&T) -> O + 'static,
) -> Subject {
    let about = kind.about(direction, how, "suite", bytes);
    let run = Box::new(move |times| {
        for _ in 0..times {
            black_box(f(black_box(&input)));
        }
    });
    Subject { about, run }
}
