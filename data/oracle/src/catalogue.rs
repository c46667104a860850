//! The catalogue: every type the oracle knows, by name.

use crate::codecs::{Codec, bincode1, bincode2, postcard, rkyv, speedy};
use crate::exact::{Definitions, Exact};
use crate::formats::{Decoded, FORMATS, Failure, Format, LIMITS, Outcome, Settings};
use crate::records::*;
use crate::samples::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A type with its name and the codecs that support it.
pub struct Type {
    /// The name used in requests.
    pub name: &'static str,
    describe: fn(&mut Definitions) -> Value,
    speedy: Option<Codec>,
    bincode_serde: Option<Codec>,
    bincode_native: Option<Codec>,
    bincode1: Option<Codec>,
    postcard: Option<Codec>,
    rkyv: Option<Codec>,
    serde_limited: Option<bincode2::Limited>,
    native_limited: Option<bincode2::Limited>,
}

impl Type {
    const fn new<T: Exact>(name: &'static str) -> Self {
        Self {
            name,
            describe: T::describe,
            speedy: None,
            bincode_serde: None,
            bincode_native: None,
            bincode1: None,
            postcard: None,
            rkyv: None,
            serde_limited: None,
            native_limited: None,
        }
    }

    /// The codec for a format, when the type supports it.
    fn codec(&self, format: Format) -> Option<Codec> {
        match format {
            Format::Speedy => self.speedy,
            Format::Bincode(bincode) if bincode.native => self.bincode_native,
            Format::Bincode(_) => self.bincode_serde,
            Format::Bincode1 { .. } => self.bincode1,
            Format::Postcard => self.postcard,
            Format::Rkyv { .. } => self.rkyv,
        }
    }

    fn supported(&self, format: Format) -> Outcome<Codec> {
        self.codec(format).ok_or_else(|| {
            Failure::bad_request(format!("{} does not support this format", self.name))
        })
    }

    /// Whether the type supports a format.
    pub fn supports(&self, format: Format) -> bool {
        self.codec(format).is_some()
    }

    /// Encodes a value given as JSON.
    pub fn encode(&self, value: &Value, format: Format) -> Outcome<Vec<u8>> {
        (self.supported(format)?.encode)(value, format)
    }

    /// Decodes bytes.
    pub fn decode(&self, bytes: &[u8], format: Format, settings: Settings) -> Outcome<Decoded> {
        let codec = self.supported(format)?;
        let (limited, limit, bincode) = match (settings.limit, format) {
            (None, _) => return (codec.decode)(bytes, format, settings),
            (Some(limit), Format::Bincode(b)) if b.native => (self.native_limited, limit, b),
            (Some(limit), Format::Bincode(b)) => (self.serde_limited, limit, b),
            (Some(_), _) => return Err(Failure::bad_request("only bincode 2 has limits")),
        };
        match limited {
            Some(decode) => decode(bytes, bincode, limit),
            None => Err(Failure::bad_request("no limit is compiled for this type and format")),
        }
    }

    /// Describes the type, the formats it supports and the limits it can be decoded under.
    fn describe(&self, definitions: &mut Definitions) -> Value {
        let formats = FORMATS.iter().filter(|(_, format)| self.supports(*format));
        json!({
            "name": self.name,
            "type": (self.describe)(definitions),
            "formats": formats.map(|(name, _)| *name).collect::<Vec<_>>(),
            "limits": if self.serde_limited.is_some() { &LIMITS[..] } else { &[] },
        })
    }
}

/// Describes all types: `{"types": [...], "definitions": {...}}`.
pub fn describe() -> Value {
    let mut definitions = Definitions::new();
    let types: Vec<_> = TYPES.iter().map(|ty| ty.describe(&mut definitions)).collect();
    json!({"types": types, "definitions": definitions})
}

/// The type with this name.
pub fn named(name: &str) -> Option<&'static Type> {
    TYPES.iter().find(|ty| ty.name == name)
}

/// A type that every crate but rkyv supports.
macro_rules! without_rkyv {
    ($name:literal, $ty:ty) => {
        Type {
            speedy: Some(speedy::codec::<$ty>()),
            bincode_serde: Some(bincode2::serde_codec::<$ty>()),
            bincode_native: Some(bincode2::native_codec::<$ty>()),
            bincode1: Some(bincode1::codec::<$ty>()),
            postcard: Some(postcard::codec::<$ty>()),
            ..Type::new::<$ty>($name)
        }
    };
}

/// A type that every crate supports.
macro_rules! everywhere {
    ($name:literal, $ty:ty) => {
        Type { rkyv: Some(rkyv::codec::<$ty>()), ..without_rkyv!($name, $ty) }
    };
}

/// A type that every crate supports and that bincode can be asked to decode under a limit.
macro_rules! limited {
    ($name:literal, $ty:ty) => {
        Type { serde_limited: Some(bincode2::serde_limited::<$ty>()), ..everywhere!($name, $ty) }
    };
}

/// A type that shows an attribute of speedy.
macro_rules! speedy_only {
    ($name:literal, $ty:ty) => {
        Type { speedy: Some(speedy::codec::<$ty>()), ..Type::new::<$ty>($name) }
    };
}

/// Every type.
pub static TYPES: &[Type] = &[
    // Scalars.
    limited!("bool", bool),
    everywhere!("u8", u8),
    limited!("u16", u16),
    limited!("u32", u32),
    limited!("u64", u64),
    limited!("u128", u128),
    everywhere!("i8", i8),
    everywhere!("i16", i16),
    limited!("i32", i32),
    limited!("i64", i64),
    everywhere!("i128", i128),
    everywhere!("f32", f32),
    limited!("f64", f64),
    limited!("char", char),
    limited!("string", String),
    everywhere!("unit", ()),
    everywhere!("marker", Marker),
    // Lists.
    limited!("vec_u8", Vec<u8>),
    limited!("vec_u16", Vec<u16>),
    everywhere!("vec_u32", Vec<u32>),
    everywhere!("vec_u64", Vec<u64>),
    everywhere!("vec_u128", Vec<u128>),
    everywhere!("vec_i8", Vec<i8>),
    everywhere!("vec_i16", Vec<i16>),
    everywhere!("vec_i32", Vec<i32>),
    everywhere!("vec_i64", Vec<i64>),
    everywhere!("vec_i128", Vec<i128>),
    everywhere!("vec_f32", Vec<f32>),
    everywhere!("vec_f64", Vec<f64>),
    everywhere!("vec_bool", Vec<bool>),
    everywhere!("vec_char", Vec<char>),
    limited!("vec_string", Vec<String>),
    everywhere!("vec_unit", Vec<()>),
    everywhere!("vec_vec_u8", Vec<Vec<u8>>),
    everywhere!("vec_vec_u16", Vec<Vec<u16>>),
    everywhere!("vec_vec_string", Vec<Vec<String>>),
    everywhere!("vec_vec_vec_i32", Vec<Vec<Vec<i32>>>),
    everywhere!("vec_opt_u16", Vec<Option<u16>>),
    everywhere!("vec_opt_string", Vec<Option<String>>),
    everywhere!("vec_tuple_u8_u32", Vec<(u8, u32)>),
    everywhere!("vec_array_u16_3", Vec<[u16; 3]>),
    everywhere!("vec_item", Vec<DocumentItem>),
    everywhere!("vec_shape", Vec<Shape>),
    everywhere!("vec_colour", Vec<Colour>),
    everywhere!("vec_pad_tail", Vec<PadTail>),
    // Options.
    everywhere!("opt_bool", Option<bool>),
    everywhere!("opt_u8", Option<u8>),
    everywhere!("opt_u16", Option<u16>),
    everywhere!("opt_u32", Option<u32>),
    limited!("opt_i32", Option<i32>),
    everywhere!("opt_u64", Option<u64>),
    everywhere!("opt_i64", Option<i64>),
    everywhere!("opt_u128", Option<u128>),
    everywhere!("opt_f32", Option<f32>),
    everywhere!("opt_f64", Option<f64>),
    everywhere!("opt_char", Option<char>),
    everywhere!("opt_string", Option<String>),
    everywhere!("opt_vec_u8", Option<Vec<u8>>),
    everywhere!("opt_vec_u16", Option<Vec<u16>>),
    everywhere!("opt_tuple_u8_u32", Option<(u8, u32)>),
    everywhere!("opt_array_u16_3", Option<[u16; 3]>),
    everywhere!("opt_item", Option<DocumentItem>),
    everywhere!("opt_shape", Option<Shape>),
    everywhere!("opt_colour", Option<Colour>),
    everywhere!("opt_unit", Option<()>),
    everywhere!("opt_opt_u8", Option<Option<u8>>),
    // Tuples.
    everywhere!("tuple_u16", (u16,)),
    everywhere!("tuple_u8_u32", (u8, u32)),
    everywhere!("tuple_u8_i64", (u8, i64)),
    everywhere!("tuple_string_bool_f32", (String, bool, f32)),
    everywhere!("tuple_nested", ((u8, u16), (u32, String))),
    everywhere!("tuple_opt", (Option<u8>, Option<u32>, Vec<u8>, char)),
    everywhere!("tuple_11", (u8, i8, u16, i16, u32, i32, u64, i64, f32, f64, String)),
    // Arrays.
    everywhere!("array_u8_4", [u8; 4]),
    everywhere!("array_u8_32", [u8; 32]),
    limited!("array_u16_3", [u16; 3]),
    everywhere!("array_u32_0", [u32; 0]),
    everywhere!("array_i64_2", [i64; 2]),
    everywhere!("array_u128_2", [u128; 2]),
    everywhere!("array_f32_3", [f32; 3]),
    everywhere!("array_bool_4", [bool; 4]),
    everywhere!("array_char_2", [char; 2]),
    everywhere!("array_string_2", [String; 2]),
    everywhere!("array_opt_u16_2", [Option<u16>; 2]),
    everywhere!("array_array_u16", [[u16; 2]; 3]),
    everywhere!("array_vec_u8_2", [Vec<u8>; 2]),
    everywhere!("array_item_2", [DocumentItem; 2]),
    everywhere!("array_shape_2", [Shape; 2]),
    // Maps.
    limited!("map_u8_string", BTreeMap<u8, String>),
    everywhere!("map_string_u32", BTreeMap<String, u32>),
    everywhere!("map_i16_vec_u16", BTreeMap<i16, Vec<u16>>),
    everywhere!("map_u32_item", BTreeMap<u32, DocumentItem>),
    everywhere!("map_char_bool", BTreeMap<char, bool>),
    everywhere!("map_i64_opt_f64", BTreeMap<i64, Option<f64>>),
    everywhere!("map_u64_unit", BTreeMap<u64, ()>),
    everywhere!("map_string_map", BTreeMap<String, BTreeMap<u8, u8>>),
    // Structs.
    everywhere!("mix", Mix),
    everywhere!("inner", Inner),
    everywhere!("scalars", Scalars),
    everywhere!("pad_two", PadTwo),
    everywhere!("pad_four", PadFour),
    everywhere!("pad_eight", PadEight),
    everywhere!("pad_sixteen", PadSixteen),
    everywhere!("pad_tail", PadTail),
    everywhere!("pad_none", PadNone),
    everywhere!("pad_nested", PadNested),
    everywhere!("pad_array", PadArray),
    everywhere!("pad_text", PadText),
    everywhere!("pad_option", PadOption),
    everywhere!("narrow_item", NarrowItem),
    everywhere!("swapped_item", SwappedItem),
    everywhere!("rich", Rich),
    everywhere!("rich_map", RichMap),
    everywhere!("tree", Tree),
    everywhere!("node", Node),
    // Enums.
    limited!("shape", Shape),
    everywhere!("colour", Colour),
    everywhere!("lone", Lone),
    everywhere!("tagged", Tagged),
    everywhere!("tagged_shape", TaggedShape),
    everywhere!("uneven", Uneven),
    everywhere!("byteful", Byteful),
    without_rkyv!("wide_tagged", WideTagged),
    without_rkyv!("many", Many),
    everywhere!("chain", Chain),
    // The suite's records.
    everywhere!("message", Message),
    Type {
        native_limited: Some(bincode2::native_limited::<Document>()),
        ..limited!("document", Document)
    },
    everywhere!("meta", DocumentMeta),
    limited!("item", DocumentItem),
    everywhere!("telemetry", Telemetry),
    everywhere!("strings", Strings),
    everywhere!("event", Event),
    everywhere!("attr", EventAttr),
    limited!("fixture", Fixture),
    // An attribute of speedy.
    speedy_only!("prefix_varint", PrefixVarint),
];
