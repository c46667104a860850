//! postcard: `to_stdvec` and `take_from_bytes` (`from_bytes` is the same and drops the rest).

use super::{Codec, decoded, value};
use crate::exact::Exact;
use crate::formats::{Decoded, Failure, Format, Outcome, Settings};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

/// postcard's functions for a type.
pub const fn codec<T: Exact + Serialize + DeserializeOwned>() -> Codec {
    Codec { encode: encode::<T>, decode: decode::<T> }
}

fn encode<T: Exact + Serialize>(json: &Value, _: Format) -> Outcome<Vec<u8>> {
    postcard::to_stdvec(&value::<T>(json)?).map_err(failure)
}

fn decode<T: Exact + DeserializeOwned>(bytes: &[u8], _: Format, _: Settings) -> Outcome<Decoded> {
    let (value, rest): (T, _) = postcard::take_from_bytes(bytes).map_err(failure)?;
    Ok(decoded(&value, bytes.len() - rest.len()))
}

fn failure(error: postcard::Error) -> Failure {
    Failure::new(format!("{error:?}"), error.to_string())
}
