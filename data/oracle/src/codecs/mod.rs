//! One module per crate. Each offers a [`Codec`]: the crate's functions for one type, with the type
//! erased.

pub mod bincode1;
pub mod bincode2;
pub mod postcard;
pub mod rkyv;
pub mod speedy;

use crate::exact::{Exact, written};
use crate::formats::{Decoded, Failure, Format, Outcome, Settings};
use serde_json::Value;

/// How one crate encodes and decodes one type.
#[derive(Clone, Copy)]
pub struct Codec {
    /// Encodes a value given as JSON.
    pub encode: fn(&Value, Format) -> Outcome<Vec<u8>>,
    /// Decodes bytes.
    pub decode: fn(&[u8], Format, Settings) -> Outcome<Decoded>,
}

/// Reads the value to encode.
fn value<T: Exact>(json: &Value) -> Outcome<T> {
    T::read(json).map_err(Failure::bad_request)
}

/// Writes the value that was decoded.
fn decoded<T: Exact>(value: &T, used: usize) -> Decoded {
    Decoded { value: written(value), used }
}
