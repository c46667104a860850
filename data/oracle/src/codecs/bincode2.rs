//! bincode 2, through Serde's traits and through its own.

use super::{Codec, decoded, value};
use crate::exact::Exact;
use crate::formats::{Bincode, Decoded, Failure, Format, LIMITS, Outcome, Settings};
use bincode::config::{Config, legacy, standard};
use bincode::error::{DecodeError, EncodeError};
use bincode::{Decode, Encode};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

/// bincode's functions for a type through Serde's traits.
pub const fn serde_codec<T: Exact + Serialize + DeserializeOwned>() -> Codec {
    Codec { encode: encode::<Serde, T>, decode: decode::<Serde, T> }
}

/// bincode's functions for a type through its own traits.
pub const fn native_codec<T: Exact + Encode + Decode<()>>() -> Codec {
    Codec { encode: encode::<Native, T>, decode: decode::<Native, T> }
}

/// Decodes under a limit.
pub type Limited = fn(&[u8], Bincode, usize) -> Outcome<Decoded>;

/// bincode's decoder under a limit through Serde's traits.
pub const fn serde_limited<T: Exact + DeserializeOwned>() -> Limited {
    decode_limited::<Serde, T>
}

/// bincode's decoder under a limit through its own traits.
pub const fn native_limited<T: Exact + Decode<()>>() -> Limited {
    decode_limited::<Native, T>
}

/// The traits a type is encoded with.
trait EncodeRoad<T> {
    fn encode<C: Config>(value: &T, config: C) -> Result<Vec<u8>, EncodeError>;
}

/// The traits a type is decoded with.
trait DecodeRoad<T> {
    fn decode<C: Config>(bytes: &[u8], config: C) -> Result<(T, usize), DecodeError>;
}

struct Serde;
struct Native;

impl<T: Serialize> EncodeRoad<T> for Serde {
    fn encode<C: Config>(value: &T, config: C) -> Result<Vec<u8>, EncodeError> {
        bincode::serde::encode_to_vec(value, config)
    }
}

impl<T: Encode> EncodeRoad<T> for Native {
    fn encode<C: Config>(value: &T, config: C) -> Result<Vec<u8>, EncodeError> {
        bincode::encode_to_vec(value, config)
    }
}

impl<T: DeserializeOwned> DecodeRoad<T> for Serde {
    fn decode<C: Config>(bytes: &[u8], config: C) -> Result<(T, usize), DecodeError> {
        bincode::serde::decode_from_slice(bytes, config)
    }
}

impl<T: Decode<()>> DecodeRoad<T> for Native {
    fn decode<C: Config>(bytes: &[u8], config: C) -> Result<(T, usize), DecodeError> {
        bincode::decode_from_slice(bytes, config)
    }
}

fn configuration(format: Format) -> Bincode {
    match format {
        Format::Bincode(bincode) => bincode,
        other => unreachable!("{other:?} is no format of bincode 2"),
    }
}

fn encode<R: EncodeRoad<T>, T: Exact>(json: &Value, format: Format) -> Outcome<Vec<u8>> {
    let value: T = value(json)?;
    let Bincode { variable, big, .. } = configuration(format);
    match (variable, big) {
        (true, false) => R::encode(&value, standard()),
        (true, true) => R::encode(&value, standard().with_big_endian()),
        (false, false) => R::encode(&value, legacy()),
        (false, true) => R::encode(&value, legacy().with_big_endian()),
    }
    .map_err(|error| Failure::from_debug(&error))
}

fn decode<R, T>(bytes: &[u8], format: Format, settings: Settings) -> Outcome<Decoded>
where
    R: DecodeRoad<T>,
    T: Exact,
{
    debug_assert!(settings.limit.is_none());
    let Bincode { variable, big, .. } = configuration(format);
    match (variable, big) {
        (true, false) => answer(R::decode(bytes, standard())),
        (true, true) => answer(R::decode(bytes, standard().with_big_endian())),
        (false, false) => answer(R::decode(bytes, legacy())),
        (false, true) => answer(R::decode(bytes, legacy().with_big_endian())),
    }
}

/// A limit is a constant in the type of the configuration: one call is compiled for each.
fn decode_limited<R, T>(bytes: &[u8], bincode: Bincode, limit: usize) -> Outcome<Decoded>
where
    R: DecodeRoad<T>,
    T: Exact,
{
    macro_rules! try_each {
        ($($index:literal)*) => {
            match limit {
                $(limit if limit == LIMITS[$index] => {
                    if bincode.variable {
                        answer(R::decode(bytes, standard().with_limit::<{ LIMITS[$index] }>()))
                    } else {
                        answer(R::decode(bytes, legacy().with_limit::<{ LIMITS[$index] }>()))
                    }
                })*
                _ => Err(Failure::bad_request(format!("the limits are {LIMITS:?}"))),
            }
        };
    }
    const { assert!(LIMITS.len() == 32) };
    if bincode.big {
        return Err(Failure::bad_request("limits are compiled for little endian only"));
    }
    try_each!(
        0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
    )
}

fn answer<T: Exact>(result: Result<(T, usize), DecodeError>) -> Outcome<Decoded> {
    match result {
        Ok((value, used)) => Ok(decoded(&value, used)),
        Err(error) => Err(Failure::from_debug(&error)),
    }
}
