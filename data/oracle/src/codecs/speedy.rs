//! speedy: `write_to_vec` and `read_with_length_from_buffer`, in the default context.

use super::{Codec, decoded, value};
use crate::exact::Exact;
use crate::formats::{Decoded, Failure, Format, Outcome, Settings, leading_name};
use serde_json::Value;
use speedy::{LittleEndian, Readable, Writable};

/// speedy's functions for a type.
pub const fn codec<T>() -> Codec
where
    T: Exact + Writable<LittleEndian> + for<'a> Readable<'a, LittleEndian>,
{
    Codec { encode: encode::<T>, decode: decode::<T> }
}

fn encode<T: Exact + Writable<LittleEndian>>(json: &Value, _: Format) -> Outcome<Vec<u8>> {
    value::<T>(json)?.write_to_vec().map_err(|error| failure(&error))
}

fn decode<T>(bytes: &[u8], _: Format, _: Settings) -> Outcome<Decoded>
where
    T: Exact + for<'a> Readable<'a, LittleEndian>,
{
    match T::read_with_length_from_buffer(bytes) {
        (Ok(value), used) => Ok(decoded(&value, used)),
        (Err(error), _) => Err(failure(&error)),
    }
}

/// The error's kind is private, but its `Debug` text, `Error { kind: InvalidChar }`, names it.
fn failure(error: &speedy::Error) -> Failure {
    let debug = format!("{error:?}");
    let kind = debug.strip_prefix("Error { kind: ").unwrap_or(&debug);
    Failure::new(leading_name(kind), error.to_string())
}
