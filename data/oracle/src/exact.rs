//! Values as JSON, without loss.
//!
//! JSON numbers are only safe up to 53 bits and know no NaN, and JSON has neither bytes nor enums.
//! [`Exact`] fixes one spelling for every type of the catalogue; `README.md` lists the rules.

use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The outcome of reading a value from JSON; the error is a sentence for the one who asked.
pub type Read<T> = Result<T, String>;

/// Descriptions of the structs and enums met so far, by name.
pub type Definitions = BTreeMap<&'static str, Value>;

/// A type whose values can be written as JSON and read back without loss.
///
/// The three `*_list` methods say how a `Vec` of the type is spelled. Only `u8` (hexadecimal text)
/// and `()` (a count) replace them: Rust has no specialization, so the item decides for the list.
pub trait Exact: Sized {
    /// Appends the value to `out`.
    fn write(&self, out: &mut String);

    /// Reads a value.
    fn read(json: &Value) -> Read<Self>;

    /// Describes the type; structs and enums are described once, in `definitions`.
    fn describe(definitions: &mut Definitions) -> Value;

    /// Appends a list of such values.
    fn write_list(items: &[Self], out: &mut String) {
        write_items(items, out);
    }

    /// Reads a list of such values.
    fn read_list(json: &Value) -> Read<Vec<Self>> {
        array(json)?.iter().map(Self::read).collect()
    }

    /// Describes a list of such values.
    fn describe_list(definitions: &mut Definitions) -> Value {
        json!({"kind": "list", "item": Self::describe(definitions)})
    }
}

/// Reads JSON of any depth: the recursive types go deeper than `serde_json` does by itself.
pub fn parse<'a, T: Deserialize<'a>>(text: &'a str) -> serde_json::Result<T> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    deserializer.disable_recursion_limit();
    let value = T::deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// A value as JSON.
pub fn written(value: &impl Exact) -> String {
    let mut json = String::new();
    value.write(&mut json);
    json
}

/// Appends `text` as a JSON string.
pub fn write_text(text: &str, out: &mut String) {
    out.push_str(&serde_json::to_string(text).expect("text is always JSON"));
}

/// Appends bytes as lower-case hexadecimal digits.
pub fn write_hex(bytes: &[u8], out: &mut String) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    for byte in bytes {
        out.push(char::from(DIGITS[usize::from(byte >> 4)]));
        out.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
}

/// Bytes as lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(2 * bytes.len());
    write_hex(bytes, &mut out);
    out
}

/// The bytes that hexadecimal digits stand for.
pub fn unhex(text: &str) -> Read<Vec<u8>> {
    let digit = |c: u8| char::from(c).to_digit(16).and_then(|d| u8::try_from(d).ok());
    text.as_bytes()
        .chunks(2)
        .map(|pair| match pair {
            [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
            _ => None,
        })
        .collect::<Option<_>>()
        .ok_or_else(|| "expected an even number of hexadecimal digits".into())
}

/// Puts commas between things.
#[derive(Default)]
pub struct Commas(bool);

impl Commas {
    /// Appends a comma unless this is the first call.
    pub fn next(&mut self, out: &mut String) {
        if std::mem::replace(&mut self.0, true) {
            out.push(',');
        }
    }
}

/// The items of a JSON array.
pub fn array(json: &Value) -> Read<&Vec<Value>> {
    json.as_array().ok_or_else(|| format!("expected an array, got {json}"))
}

/// The items of a JSON array that must have `N` of them.
pub fn array_of<const N: usize>(json: &Value) -> Read<&[Value; N]> {
    let items = array(json)?;
    items.as_slice().try_into().map_err(|_| format!("expected {N} items, got {}", items.len()))
}

/// The member `name` of a JSON object.
pub fn member<'a>(json: &'a Value, name: &str) -> Read<&'a Value> {
    json.get(name).ok_or_else(|| format!("expected an object with \"{name}\", got {json}"))
}

/// The member `name` of a JSON object, read; an error says where it happened.
pub fn read_member<T: Exact>(json: &Value, name: &str) -> Read<T> {
    T::read(member(json, name)?).map_err(|error| format!("{name}: {error}"))
}

fn text(json: &Value) -> Read<&str> {
    json.as_str().ok_or_else(|| format!("expected a string, got {json}"))
}

fn write_items<T: Exact>(items: &[T], out: &mut String) {
    let mut commas = Commas::default();
    out.push('[');
    for item in items {
        commas.next(out);
        item.write(out);
    }
    out.push(']');
}

fn write_display(value: impl std::fmt::Display, out: &mut String) {
    write!(out, "{value}").expect("a String takes everything");
}

/// Integers of at most 32 bits are JSON numbers.
macro_rules! number {
    ($($ty:ident),*) => {$(
        impl Exact for $ty {
            fn write(&self, out: &mut String) {
                write_display(self, out);
            }

            fn read(json: &Value) -> Read<Self> {
                let number = json.as_i64().and_then(|number| Self::try_from(number).ok());
                number.ok_or_else(|| format!("expected a {}, got {json}", stringify!($ty)))
            }

            fn describe(_: &mut Definitions) -> Value {
                json!({"kind": stringify!($ty)})
            }
        }
    )*};
}

number!(u16, u32, i8, i16, i32);

impl Exact for u8 {
    fn write(&self, out: &mut String) {
        write_display(self, out);
    }

    fn read(json: &Value) -> Read<Self> {
        let number = json.as_u64().and_then(|number| Self::try_from(number).ok());
        number.ok_or_else(|| format!("expected a u8, got {json}"))
    }

    fn describe(_: &mut Definitions) -> Value {
        json!({"kind": "u8"})
    }

    fn write_list(items: &[Self], out: &mut String) {
        out.push('"');
        write_hex(items, out);
        out.push('"');
    }

    fn read_list(json: &Value) -> Read<Vec<Self>> {
        unhex(text(json)?)
    }

    fn describe_list(_: &mut Definitions) -> Value {
        json!({"kind": "bytes"})
    }
}

/// Integers of 64 and 128 bits are strings of decimal digits.
macro_rules! digits {
    ($($ty:ident),*) => {$(
        impl Exact for $ty {
            fn write(&self, out: &mut String) {
                out.push('"');
                write_display(self, out);
                out.push('"');
            }

            fn read(json: &Value) -> Read<Self> {
                let number = json.as_str().and_then(|digits| digits.parse().ok());
                number.ok_or_else(|| {
                    format!("expected the digits of a {} as a string, got {json}", stringify!($ty))
                })
            }

            fn describe(_: &mut Definitions) -> Value {
                json!({"kind": stringify!($ty)})
            }
        }
    )*};
}

digits!(u64, u128, i64, i128);

/// Floats are their bits, as a string of hexadecimal digits: NaNs and the sign of zero survive.
macro_rules! float {
    ($($ty:ident $bits:ident $width:literal),*) => {$(
        impl Exact for $ty {
            fn write(&self, out: &mut String) {
                write!(out, concat!("\"0x{:0", $width, "x}\""), self.to_bits())
                    .expect("a String takes everything");
            }

            fn read(json: &Value) -> Read<Self> {
                let digits = json.as_str().and_then(|text| text.strip_prefix("0x"));
                let bits = digits
                    .filter(|digits| digits.len() == $width && !digits.starts_with('+'))
                    .and_then(|digits| $bits::from_str_radix(digits, 16).ok());
                bits.map(Self::from_bits).ok_or_else(|| {
                    format!("expected 0x and {} hexadecimal digits, got {json}", $width)
                })
            }

            fn describe(_: &mut Definitions) -> Value {
                json!({"kind": stringify!($ty)})
            }
        }
    )*};
}

float!(f32 u32 8, f64 u64 16);

impl Exact for bool {
    fn write(&self, out: &mut String) {
        write_display(self, out);
    }

    fn read(json: &Value) -> Read<Self> {
        json.as_bool().ok_or_else(|| format!("expected true or false, got {json}"))
    }

    fn describe(_: &mut Definitions) -> Value {
        json!({"kind": "bool"})
    }
}

impl Exact for char {
    fn write(&self, out: &mut String) {
        write_text(self.encode_utf8(&mut [0; 4]), out);
    }

    fn read(json: &Value) -> Read<Self> {
        let mut chars = text(json)?.chars();
        match (chars.next(), chars.next()) {
            (Some(only), None) => Ok(only),
            _ => Err(format!("expected one scalar value, got {json}")),
        }
    }

    fn describe(_: &mut Definitions) -> Value {
        json!({"kind": "char"})
    }
}

impl Exact for String {
    fn write(&self, out: &mut String) {
        write_text(self, out);
    }

    fn read(json: &Value) -> Read<Self> {
        text(json).map(Into::into)
    }

    fn describe(_: &mut Definitions) -> Value {
        json!({"kind": "string"})
    }
}

impl Exact for () {
    fn write(&self, out: &mut String) {
        out.push_str("null");
    }

    fn read(json: &Value) -> Read<Self> {
        json.as_null().ok_or_else(|| format!("expected null, got {json}"))
    }

    fn describe(_: &mut Definitions) -> Value {
        json!({"kind": "unit"})
    }

    /// A few bytes can claim billions of units, so a list of them is written as its length.
    fn write_list(items: &[Self], out: &mut String) {
        out.push_str("{\"units\":");
        (items.len() as u64).write(out);
        out.push('}');
    }

    fn read_list(json: &Value) -> Read<Vec<Self>> {
        let length: u64 = read_member(json, "units")?;
        let length = usize::try_from(length).map_err(|error| error.to_string())?;
        Ok(vec![(); length])
    }
}

impl<T: Exact> Exact for Vec<T> {
    fn write(&self, out: &mut String) {
        T::write_list(self, out);
    }

    fn read(json: &Value) -> Read<Self> {
        T::read_list(json)
    }

    fn describe(definitions: &mut Definitions) -> Value {
        T::describe_list(definitions)
    }
}

/// `None` is `null` and `Some(x)` is `{"some": x}`, so that an `Option` of `Option` stays apart.
impl<T: Exact> Exact for Option<T> {
    fn write(&self, out: &mut String) {
        match self {
            None => out.push_str("null"),
            Some(value) => {
                out.push_str("{\"some\":");
                value.write(out);
                out.push('}');
            }
        }
    }

    fn read(json: &Value) -> Read<Self> {
        match json {
            Value::Null => Ok(None),
            _ => T::read(member(json, "some")?).map(Some),
        }
    }

    fn describe(definitions: &mut Definitions) -> Value {
        json!({"kind": "option", "item": T::describe(definitions)})
    }
}

/// A box is invisible, as it is to the formats.
impl<T: Exact> Exact for Box<T> {
    fn write(&self, out: &mut String) {
        T::write(self, out);
    }

    fn read(json: &Value) -> Read<Self> {
        T::read(json).map(Self::new)
    }

    fn describe(definitions: &mut Definitions) -> Value {
        T::describe(definitions)
    }
}

impl<T: Exact, const N: usize> Exact for [T; N] {
    fn write(&self, out: &mut String) {
        write_items(self, out);
    }

    fn read(json: &Value) -> Read<Self> {
        let items: Vec<T> = array_of::<N>(json)?.iter().map(T::read).collect::<Read<_>>()?;
        items.try_into().map_err(|_| unreachable!("the count was checked"))
    }

    fn describe(definitions: &mut Definitions) -> Value {
        json!({"kind": "array", "item": T::describe(definitions), "length": N})
    }
}

/// A map is a list of pairs, in the map's own order.
impl<K: Exact + Ord, V: Exact> Exact for BTreeMap<K, V> {
    fn write(&self, out: &mut String) {
        let mut commas = Commas::default();
        out.push('[');
        for (key, value) in self {
            commas.next(out);
            out.push('[');
            key.write(out);
            out.push(',');
            value.write(out);
            out.push(']');
        }
        out.push(']');
    }

    fn read(json: &Value) -> Read<Self> {
        let mut map = Self::new();
        for pair in array(json)? {
            let [key, value] = array_of(pair)?;
            map.insert(K::read(key)?, V::read(value)?);
        }
        Ok(map)
    }

    fn describe(definitions: &mut Definitions) -> Value {
        let key = K::describe(definitions);
        json!({"kind": "map", "key": key, "value": V::describe(definitions)})
    }
}

macro_rules! tuple {
    ($($ty:ident $index:tt),*) => {
        impl<$($ty: Exact),*> Exact for ($($ty,)*) {
            fn write(&self, out: &mut String) {
                let mut commas = Commas::default();
                out.push('[');
                $(commas.next(out); self.$index.write(out);)*
                out.push(']');
            }

            fn read(json: &Value) -> Read<Self> {
                let items = array_of::<{ [$($index),*].len() }>(json)?;
                Ok(($($ty::read(&items[$index])?,)*))
            }

            fn describe(definitions: &mut Definitions) -> Value {
                json!({"kind": "tuple", "items": [$($ty::describe(definitions)),*]})
            }
        }
    };
}

tuple!(A 0);
tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10);

/// Refers to a named type's description, making it on the first call.
///
/// The entry is reserved before `make` runs: a recursive type meets its own name.
pub fn describe_named(
    definitions: &mut Definitions,
    name: &'static str,
    make: impl FnOnce(&mut Definitions) -> Value,
) -> Value {
    if !definitions.contains_key(name) {
        definitions.insert(name, Value::Null);
        let description = make(definitions);
        definitions.insert(name, description);
    }
    json!({"kind": "ref", "name": name})
}

/// Writes the variants of an enum: `{"variant": name}` and, when it has any, `"fields"`.
pub fn write_variant(name: &str, out: &mut String) {
    out.push_str("{\"variant\":");
    write_text(name, out);
}

/// Appends a named field.
pub fn write_field(name: &str, value: &impl Exact, commas: &mut Commas, out: &mut String) {
    commas.next(out);
    write_text(name, out);
    out.push(':');
    value.write(out);
}

/// Defines structs that implement every trait of every codec, and [`Exact`].
macro_rules! record {
    ($(#[$meta:meta])* $name:ident;) => {
        #[derive(Clone, Debug)]
        #[derive(serde::Serialize, serde::Deserialize, bincode::Encode, bincode::Decode)]
        #[derive(speedy::Readable, speedy::Writable)]
        #[derive(rkyv::Archive, rkyv::Serialize, rkyv::Deserialize)]
        $(#[$meta])*
        pub struct $name;

        $crate::exact::exact_struct!($name {});
    };
    (
        $(#[$meta:meta])*
        $name:ident { $($(#[$field_meta:meta])* $field:ident: $ty:ty),* $(,)? }
    ) => {
        #[derive(Clone, Debug)]
        #[derive(serde::Serialize, serde::Deserialize, bincode::Encode, bincode::Decode)]
        #[derive(speedy::Readable, speedy::Writable)]
        #[derive(rkyv::Archive, rkyv::Serialize, rkyv::Deserialize)]
        $(#[$meta])*
        pub struct $name { $($(#[$field_meta])* pub $field: $ty),* }

        $crate::exact::exact_struct!($name { $($field: $ty),* });
    };
}

/// Implements [`Exact`] for a struct.
macro_rules! exact_struct {
    ($name:ident { $($field:ident: $ty:ty),* }) => {
        impl $crate::exact::Exact for $name {
            fn write(&self, out: &mut String) {
                #[allow(unused_mut, unused_variables)]
                let mut commas = $crate::exact::Commas::default();
                out.push('{');
                $($crate::exact::write_field(stringify!($field), &self.$field, &mut commas, out);)*
                out.push('}');
            }

            fn read(json: &serde_json::Value) -> $crate::exact::Read<Self> {
                if !json.is_object() {
                    return Err(format!("expected an object, got {json}"));
                }
                Ok(Self { $($field: $crate::exact::read_member(json, stringify!($field))?),* })
            }

            fn describe(definitions: &mut $crate::exact::Definitions) -> serde_json::Value {
                $crate::exact::describe_named(definitions, stringify!($name), |_definitions| {
                    serde_json::json!({
                        "kind": "struct",
                        "name": stringify!($name),
                        "fields": [$({
                            "name": stringify!($field),
                            "type": <$ty as $crate::exact::Exact>::describe(_definitions),
                        }),*],
                    })
                })
            }
        }
    };
}

/// Defines an enum that implements the traits of speedy and Serde, those derived before it, and
/// [`Exact`].
///
/// bincode's derive makes up names that only resolve where it was written, and rkyv does not support
/// every enum, so both are derived at the enum itself. The fields of a tuple variant are given names,
/// `New(_0: u32)`, because a macro cannot make them up, and their types are single words, because a
/// type matched as such loses the place it was written at, which bincode's derive needs.
macro_rules! choice {
    (
        $(#[$meta:meta])*
        $name:ident {
            $(
                $(#[$variant_meta:meta])*
                $variant:ident
                $(( $($(#[$item_meta:meta])* $item:ident: $item_ty:ident),* ))?
                $({ $($field:ident: $field_ty:ty),* })?
                $(= $tag:tt)?
            ),* $(,)?
        }
    ) => {
        #[derive(Clone, Debug)]
        #[derive(serde::Serialize, serde::Deserialize)]
        #[derive(speedy::Readable, speedy::Writable)]
        $(#[$meta])*
        pub enum $name {
            $(
                $(#[$variant_meta])*
                $variant $(( $($(#[$item_meta])* $item_ty),* ))? $({ $($field: $field_ty),* })? $(= $tag)?
            ),*
        }

        impl $crate::exact::Exact for $name {
            fn write(&self, out: &mut String) {
                match self {
                    $(Self::$variant $(( $($item),* ))? $({ $($field),* })? => {
                        $crate::exact::write_variant(stringify!($variant), out);
                        $(
                            let mut commas = $crate::exact::Commas::default();
                            out.push_str(",\"fields\":[");
                            $(commas.next(out); $crate::exact::Exact::write($item, out);)*
                            out.push(']');
                        )?
                        $(
                            let mut commas = $crate::exact::Commas::default();
                            out.push_str(",\"fields\":{");
                            $($crate::exact::write_field(
                                stringify!($field), $field, &mut commas, out
                            );)*
                            out.push('}');
                        )?
                    })*
                }
                out.push('}');
            }

            fn read(json: &serde_json::Value) -> $crate::exact::Read<Self> {
                let variant = $crate::exact::member(json, "variant")?;
                match variant.as_str() {
                    $(Some(stringify!($variant)) => {
                        $(
                            let [$($item),*] = $crate::exact::array_of(
                                $crate::exact::member(json, "fields")?
                            )?;
                            $(let $item = <$item_ty as $crate::exact::Exact>::read($item)?;)*
                        )?
                        $(
                            let fields = $crate::exact::member(json, "fields")?;
                            $(let $field = $crate::exact::read_member(fields, stringify!($field))?;)*
                        )?
                        Ok(Self::$variant $(( $($item),* ))? $({ $($field),* })?)
                    })*
                    _ => Err(format!("{} has no variant {variant}", stringify!($name))),
                }
            }

            fn describe(definitions: &mut $crate::exact::Definitions) -> serde_json::Value {
                $crate::exact::describe_named(definitions, stringify!($name), |_definitions| {
                    #[allow(unused_mut)]
                    let mut variants = $crate::exact::Variants::default();
                    $(
                        #[allow(unused_mut, unused_assignments)]
                        let mut shape = $crate::exact::Shape::Unit;
                        $(shape = $crate::exact::Shape::Tuple(
                            vec![$(<$item_ty as $crate::exact::Exact>::describe(_definitions)),*]
                        );)?
                        $(shape = $crate::exact::Shape::Struct(
                            vec![$((
                                stringify!($field),
                                <$field_ty as $crate::exact::Exact>::describe(_definitions),
                            )),*]
                        );)?
                        #[allow(unused_mut, unused_assignments)]
                        let mut tag: Option<u32> = None;
                        $(tag = Some($tag);)?
                        variants.push(stringify!($variant), shape, tag);
                    )*
                    variants.describe(stringify!($name))
                })
            }
        }
    };
}

pub(crate) use {choice, exact_struct, record};

/// What a variant holds.
pub enum Shape {
    /// Nothing.
    Unit,
    /// Fields without names.
    Tuple(Vec<Value>),
    /// Fields with names.
    Struct(Vec<(&'static str, Value)>),
}

/// Collects the descriptions of an enum's variants.
#[derive(Default)]
pub struct Variants {
    variants: Vec<Value>,
    next: u32,
}

impl Variants {
    /// Adds a variant; without a tag of its own it has the number after the one before it.
    pub fn push(&mut self, name: &str, shape: Shape, tag: Option<u32>) {
        let number = tag.unwrap_or(self.next);
        self.next = number.wrapping_add(1);
        let (shape, fields) = match shape {
            Shape::Unit => ("unit", Vec::new()),
            Shape::Tuple(types) => (
                if types.len() == 1 { "newtype" } else { "tuple" },
                types.into_iter().map(|ty| json!({"type": ty})).collect(),
            ),
            Shape::Struct(fields) => (
                "struct",
                fields.into_iter().map(|(n, ty)| json!({"name": n, "type": ty})).collect(),
            ),
        };
        self.variants.push(json!({
            "name": name,
            "shape": shape,
            "fields": fields,
            "index": self.variants.len(),
            "discriminant": number,
            "explicit": tag.is_some(),
        }));
    }

    /// The description of the enum.
    pub fn describe(self, name: &str) -> Value {
        json!({"kind": "enum", "name": name, "variants": self.variants})
    }
}
