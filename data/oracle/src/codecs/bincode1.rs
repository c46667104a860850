//! bincode 1.3: the free functions `serialize` and `deserialize`, and `options()` as it comes.

use super::{Codec, decoded, value};
use crate::exact::Exact;
use crate::formats::{Decoded, Failure, Format, Outcome, Settings};
use bincode1::Options;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

/// bincode 1.3's functions for a type.
pub const fn codec<T: Exact + Serialize + DeserializeOwned>() -> Codec {
    Codec { encode: encode::<T>, decode: decode::<T> }
}

fn encode<T: Exact + Serialize>(json: &Value, format: Format) -> Outcome<Vec<u8>> {
    let value: T = value(json)?;
    match format {
        Format::Bincode1 { options: true } => bincode1::options().serialize(&value),
        _ => bincode1::serialize(&value),
    }
    .map_err(|error| Failure::from_debug(&error))
}

fn decode<T: Exact + DeserializeOwned>(
    bytes: &[u8],
    format: Format,
    _: Settings,
) -> Outcome<Decoded> {
    if format == (Format::Bincode1 { options: true }) {
        // Trailing bytes are refused, so an accepted input was used whole.
        return bincode1::options()
            .deserialize(bytes)
            .map(|value: T| decoded(&value, bytes.len()))
            .map_err(|error| Failure::from_debug(&error));
    }
    let value: T = bincode1::deserialize(bytes).map_err(|error| Failure::from_debug(&error))?;
    Ok(decoded(&value, used::<T>(bytes)))
}

/// `deserialize` does not tell how much it used, so an accepted input is read once more as a stream.
fn used<T: DeserializeOwned>(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    bincode1::deserialize_from::<_, T>(&mut rest).expect("the slice was accepted");
    bytes.len() - rest.len()
}
