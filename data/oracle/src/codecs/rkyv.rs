//! rkyv: `to_bytes`, `from_bytes` and `access`, with the default features.

use super::{Codec, decoded, value};
use crate::exact::Exact;
use crate::formats::{Decoded, Failure, Format, Outcome, Settings};
use rkyv::api::high::{HighDeserializer, HighSerializer, HighValidator};
use rkyv::bytecheck::CheckBytes;
use rkyv::rancor::{Source, Trace};
use rkyv::ser::allocator::ArenaHandle;
use rkyv::util::AlignedVec;
use rkyv::{Archive, Deserialize, Portable, Serialize};
use serde_json::Value;
use std::fmt;

/// rkyv's functions for a type.
pub const fn codec<T>() -> Codec
where
    T: Exact + Archive + for<'a> Serialize<HighSerializer<AlignedVec, ArenaHandle<'a>, Error>>,
    T::Archived: Portable
        + Deserialize<T, HighDeserializer<Error>>
        + for<'a> CheckBytes<HighValidator<'a, Error>>,
{
    Codec { encode: encode::<T>, decode: decode::<T> }
}

fn encode<T>(json: &Value, _: Format) -> Outcome<Vec<u8>>
where
    T: Exact + for<'a> Serialize<HighSerializer<AlignedVec, ArenaHandle<'a>, Error>>,
{
    match rkyv::to_bytes::<Error>(&value::<T>(json)?) {
        Ok(bytes) => Ok(bytes.into_vec()),
        Err(error) => Err(error.failure(&[])),
    }
}

fn decode<T>(bytes: &[u8], format: Format, settings: Settings) -> Outcome<Decoded>
where
    T: Exact + Archive,
    T::Archived: Portable
        + Deserialize<T, HighDeserializer<Error>>
        + for<'a> CheckBytes<HighValidator<'a, Error>>,
{
    // The verdict depends on the address: start at a multiple of 16, or off it as asked.
    // (An AlignedVec without capacity is not aligned: there must be room even for no bytes.)
    let mut buffer: AlignedVec<16> = AlignedVec::with_capacity(settings.offset + bytes.len() + 1);
    buffer.resize(settings.offset, 0);
    buffer.extend_from_slice(bytes);
    let placed = &buffer[settings.offset..];

    let value = match format {
        Format::Rkyv { access: true } => {
            rkyv::access::<T::Archived, Error>(placed).and_then(rkyv::deserialize::<T, Error>)
        }
        _ => rkyv::from_bytes::<T, Error>(placed),
    };
    // The root is found from the end of the buffer, so all of it counts as used.
    value.map(|value| decoded(&value, bytes.len())).map_err(|error| error.failure(placed))
}

/// An error that remembers the name of the type it was made from: rkyv's own keeps the text only,
/// and in release builds not even that.
#[derive(Debug)]
pub struct Error {
    kind: &'static str,
    text: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Error {}

impl Source for Error {
    fn new<T: std::error::Error + Send + Sync + 'static>(source: T) -> Self {
        Self { kind: std::any::type_name::<T>(), text: source.to_string() }
    }
}

impl Trace for Error {
    fn trace<R>(mut self, trace: R) -> Self
    where
        R: fmt::Debug + fmt::Display + Send + Sync + 'static,
    {
        self.text.push_str("; ");
        self.text.push_str(&trace.to_string());
        self
    }
}

impl Error {
    /// The kind is the type's last name; addresses in the text become offsets into `buffer`, so
    /// that the text is the same in every run.
    fn failure(self, buffer: &[u8]) -> Failure {
        let kind = last_name(self.kind);
        let start = buffer.as_ptr().addr().cast_signed();
        let mut parts = self.text.split("0x");
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let end = part.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(part.len());
            let (digits, rest) = part.split_at(end);
            match usize::from_str_radix(digits, 16) {
                Ok(address) => {
                    let offset = address.cast_signed().wrapping_sub(start);
                    text.push_str(&format!("buffer{offset:+}"));
                }
                Err(_) => text.push_str("0x"),
            }
            text.push_str(rest);
        }
        Failure::new(kind, text)
    }
}

/// The last name in a type's path, without parameters: `Error` for `a::b::Error<u8>`.
fn last_name(path: &str) -> &str {
    let path = match path.strip_suffix('>').and_then(|path| path.rfind('<')) {
        Some(parameters) => &path[..parameters],
        None => path,
    };
    path.rsplit("::").next().unwrap_or(path)
}
