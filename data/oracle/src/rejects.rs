//! The inputs of the golden rejects: bytes that no encoder wrote, to see what each crate says.
//!
//! Most are refused. Those that are accepted are here because a reader may not expect it.

use crate::formats::Settings;
use Change::*;

/// What is done to the encoding of a value.
#[derive(Clone, Copy)]
pub enum Change {
    /// Only this many bytes are kept.
    Keep(usize),
    /// The byte at this place is combined with this mask by exclusive or.
    Flip(usize, u8),
    /// These bytes, as hexadecimal digits, are appended.
    Append(&'static str),
    /// Nothing.
    Same,
}

/// Where the bytes come from.
#[derive(Clone, Copy)]
pub enum Source {
    /// Hexadecimal digits.
    Hex(&'static str),
    /// The encoding of this value, given as JSON, changed.
    Value(&'static str, Change),
    /// The encoding of a chain of this many links.
    Chain(usize),
    /// The encoding of the running document (kind `document`, seed 42, index 0), changed.
    Document(Change),
}

/// An input and the formats to try it with.
#[derive(Clone, Copy)]
pub struct Reject {
    pub ty: &'static str,
    pub formats: &'static [&'static str],
    pub source: Source,
    pub settings: Settings,
    pub exercises: &'static str,
}

const SPEEDY: &[&str] = &["speedy"];
const STANDARD: &[&str] = &["bincode-standard", "bincode-standard-native"];
const LEGACY: &[&str] = &["bincode-legacy", "bincode-legacy-native"];
const MARKER: &[&str] = &["bincode-standard", "bincode-standard-native", "bincode1-options"];
const BIG: &[&str] = &["bincode-variable-big", "bincode-variable-big-native"];
const FIXED: &[&str] = &["bincode-legacy", "bincode-legacy-native", "bincode1"];
const BINCODE1: &[&str] = &["bincode1"];
const POSTCARD: &[&str] = &["postcard"];
const VARINT: &[&str] =
    &["bincode-standard", "bincode-standard-native", "bincode1-options", "postcard"];
const RKYV: &[&str] = &["rkyv", "rkyv-access"];
/// One format of each crate, and both roads of bincode 2.
const EVERY: &[&str] = &[
    "speedy",
    "bincode-standard",
    "bincode-standard-native",
    "bincode-legacy",
    "bincode1",
    "bincode1-options",
    "postcard",
    "rkyv",
];
/// The formats that take a chain from its front.
const BOXED: &[&str] = &["speedy", "bincode-standard", "bincode-legacy", "bincode1", "postcard"];
/// The formats in which a `bool`, a tag of an `Option` and the like are one byte: all but rkyv's.
const BYTES: &[&str] = &[
    "speedy",
    "bincode-standard",
    "bincode-standard-native",
    "bincode-legacy",
    "bincode1",
    "postcard",
];

/// Inputs that do not depend on the encoding of a value.
const GIVEN: &[(&str, &[&str], &str, &str)] = &[
    // Scalars.
    ("bool", EVERY, "02", "a bool that is neither 0 nor 1"),
    ("bool", EVERY, "ff", "a bool that is neither 0 nor 1"),
    ("bool", EVERY, "", "a bool without its byte"),
    ("u8", EVERY, "", "a byte that is missing"),
    ("u32", SPEEDY, "010203", "four bytes wanted, three there"),
    ("u32", FIXED, "010203", "four bytes wanted, three there"),
    ("u32", RKYV, "010203", "four bytes wanted, three there"),
    ("u16", EVERY, "0500ff", "a byte more than a u16 needs"),
    // The marker varint.
    ("u16", MARKER, "fb0500", "longer than needed, within the type's width"),
    ("u32", MARKER, "fb0500", "longer than needed, within the type's width"),
    ("u32", MARKER, "fc05000000", "longer than needed, within the type's width"),
    ("u64", MARKER, "fd0500000000000000", "longer than needed, within the type's width"),
    ("u64", MARKER, "fc05000000", "longer than needed, within the type's width"),
    ("u128", MARKER, "fe05000000000000000000000000000000", "longer than needed, within the width"),
    ("u16", MARKER, "fc05000000", "a marker wider than the type, a value that fits"),
    ("u16", MARKER, "fc00000100", "a marker wider than the type, a value that does not fit"),
    ("u16", MARKER, "fd0500000000000000", "a marker wider than the type, a value that fits"),
    ("u32", MARKER, "fd0500000000000000", "a marker wider than the type, a value that fits"),
    (
        "u32",
        MARKER,
        "fd0000000001000000",
        "a marker wider than the type, a value that does not fit",
    ),
    ("u64", MARKER, "fe05000000000000000000000000000000", "a marker wider than the type"),
    ("u64", MARKER, "fe0500000000000000", "the same with nine bytes: another path in bincode 2"),
    ("u64", MARKER, "fe05000000", "the same with fewer than nine bytes"),
    ("u16", MARKER, "ff", "the reserved marker"),
    ("u32", MARKER, "ff", "the reserved marker"),
    ("u64", MARKER, "ff", "the reserved marker"),
    ("u64", MARKER, "ff0000000000000000", "the reserved marker with nine bytes"),
    ("u128", MARKER, "ff", "the reserved marker"),
    ("u128", MARKER, "ff00000000000000000000000000000000", "the reserved marker with 17 bytes"),
    ("i16", MARKER, "fc01000000", "a marker wider than the type, signed"),
    ("i32", MARKER, "fd0100000000000000", "a marker wider than the type, signed"),
    ("i32", MARKER, "fb0100", "longer than needed, signed: zigzag 1 is -1"),
    ("i64", MARKER, "fe01000000000000000000000000000000", "a marker wider than the type, signed"),
    ("i128", MARKER, "ff", "the reserved marker, signed"),
    ("u16", MARKER, "fb", "a marker without its bytes"),
    ("u16", MARKER, "fb05", "a marker with too few bytes"),
    ("u32", MARKER, "fc050000", "a marker with too few bytes"),
    ("u64", MARKER, "fd05", "a marker with too few bytes"),
    ("u128", MARKER, "fe05", "a marker with too few bytes"),
    ("u16", BIG, "fb0005", "longer than needed, big endian"),
    ("u32", BIG, "fd0000000000000005", "a marker wider than the type, big endian"),
    ("u64", BIG, "ff", "the reserved marker, big endian"),
    // LEB128.
    ("u16", POSTCARD, "858000", "longer than needed, at most three bytes: accepted"),
    ("u16", POSTCARD, "8500", "longer than needed: accepted"),
    ("u16", POSTCARD, "ffff03", "the largest u16"),
    ("u16", POSTCARD, "ffff04", "a third byte above 03"),
    ("u16", POSTCARD, "80808000", "four bytes for a u16"),
    ("u16", POSTCARD, "808080", "three bytes that all promise more"),
    ("u16", POSTCARD, "80", "a byte that promises more"),
    ("u16", POSTCARD, "", "no byte at all"),
    ("u32", POSTCARD, "8080808000", "longer than needed, five bytes: accepted"),
    ("u32", POSTCARD, "ffffffff0f", "the largest u32"),
    ("u32", POSTCARD, "ffffffff10", "a fifth byte above 0f"),
    ("u32", POSTCARD, "808080808000", "six bytes for a u32"),
    ("u64", POSTCARD, "ffffffffffffffffff01", "the largest u64"),
    ("u64", POSTCARD, "ffffffffffffffffff02", "a tenth byte above 01"),
    ("u64", POSTCARD, "80808080808080808000", "longer than needed, ten bytes: accepted"),
    ("u64", POSTCARD, "8080808080808080808000", "eleven bytes for a u64"),
    ("u128", POSTCARD, "ffffffffffffffffffffffffffffffffffff03", "the largest u128"),
    ("u128", POSTCARD, "ffffffffffffffffffffffffffffffffffff04", "a nineteenth byte above 03"),
    ("u128", POSTCARD, "8080808080808080808080808080808080808000", "twenty bytes for a u128"),
    ("i32", POSTCARD, "02", "zigzag 2 is 1"),
    ("i32", POSTCARD, "8100", "zigzag 1 in two bytes is -1: accepted"),
    ("i16", POSTCARD, "ffff04", "a third byte above 03, signed"),
    ("i64", POSTCARD, "ffffffffffffffffff02", "a tenth byte above 01, signed"),
    ("i128", POSTCARD, "ffffffffffffffffffffffffffffffffffff04", "a nineteenth byte above 03"),
    // The prefix varint.
    ("prefix_varint", SPEEDY, "8005", "longer than needed: 5"),
    ("prefix_varint", SPEEDY, "ff0500000000000000", "longer than needed, nine bytes: 5"),
    ("prefix_varint", SPEEDY, "80", "a byte is missing"),
    ("prefix_varint", SPEEDY, "ff0500", "six bytes are missing"),
    ("prefix_varint", SPEEDY, "", "no byte at all"),
    // Characters.
    ("char", SPEEDY, "00d80000", "a surrogate"),
    ("char", SPEEDY, "00001100", "beyond U+10FFFF"),
    ("char", SPEEDY, "e900", "four bytes wanted, two there"),
    ("char", RKYV, "00d80000", "a surrogate"),
    ("char", RKYV, "00001100", "beyond U+10FFFF"),
    ("char", VARINT, "80", "a continuation byte"),
    ("char", MARKER, "eda080", "a surrogate in UTF-8"),
    ("char", MARKER, "f4908080", "beyond U+10FFFF in UTF-8"),
    ("char", MARKER, "c3", "half a character"),
    ("char", MARKER, "c341", "a character that breaks off"),
    ("char", MARKER, "c080", "an overlong zero"),
    ("char", MARKER, "ff", "a byte UTF-8 never has"),
    ("char", MARKER, "", "no byte at all"),
    ("char", BINCODE1, "c3", "half a character"),
    ("char", POSTCARD, "026162", "two characters: the first is taken"),
    ("char", POSTCARD, "0461626364", "four characters: the first is taken"),
    ("char", POSTCARD, "056162636465", "a length above four"),
    ("char", POSTCARD, "00", "a length of zero"),
    ("char", POSTCARD, "02c3", "half a character, and the end"),
    ("char", POSTCARD, "01c3", "half a character"),
    ("char", POSTCARD, "03eda080", "a surrogate in UTF-8"),
    ("char", POSTCARD, "8100", "a length longer than needed, of one: the byte zero is missing"),
    ("char", POSTCARD, "810061", "a length longer than needed: accepted"),
    // Floats: every pattern of bits is one.
    ("f32", EVERY, "0000a07f", "a signalling NaN is a float like any other"),
    ("f64", FIXED, "000000000000f8", "eight bytes wanted, seven there"),
    // Text.
    ("string", SPEEDY, "01000000ff", "a byte UTF-8 never has"),
    ("string", SPEEDY, "02000000c341", "a character that breaks off"),
    ("string", SPEEDY, "03000000eda080", "a surrogate in UTF-8"),
    ("string", SPEEDY, "0500000061", "a length beyond the end"),
    ("string", SPEEDY, "ffffffff61", "a length far beyond the end"),
    ("string", SPEEDY, "010000", "half a length"),
    ("string", VARINT, "01ff", "a byte UTF-8 never has"),
    ("string", VARINT, "02c341", "a character that breaks off"),
    ("string", VARINT, "03eda080", "a surrogate in UTF-8"),
    ("string", VARINT, "02c080", "an overlong zero"),
    ("string", VARINT, "0561", "a length beyond the end"),
    ("string", VARINT, "", "no length"),
    ("string", MARKER, "fb010061", "a length longer than needed: accepted"),
    ("string", MARKER, "fe0100000000000000000000000000000061", "a length of sixteen bytes"),
    ("string", MARKER, "ff61", "a length with the reserved marker"),
    ("string", MARKER, "fd0000000000400000", "a length of 2^46"),
    ("string", MARKER, "fdffffffffffffffff", "a length of 2^64 - 1"),
    ("string", MARKER, "fdffffffffffffff7f", "a length of 2^63 - 1"),
    ("string", MARKER, "fc00000010", "a length of 2^28, which can be had"),
    ("string", FIXED, "0100000000000000ff", "a byte UTF-8 never has"),
    ("string", FIXED, "050000000000000061", "a length beyond the end"),
    ("string", FIXED, "0000000000400000", "a length of 2^46"),
    ("string", FIXED, "ffffffffffffffff", "a length of 2^64 - 1"),
    ("string", FIXED, "01000000", "half a length"),
    ("string", POSTCARD, "810061", "a length longer than needed: accepted"),
    ("string", POSTCARD, "ffffffff0f61", "a length far beyond the end"),
    ("string", POSTCARD, "ffffffffffffffffff0161", "a length of 2^64 - 1"),
    ("string", POSTCARD, "ffffffffffffffffff02", "a length that overflows"),
    ("string", RKYV, "ffffffffffffffff", "an empty inline text"),
    ("string", RKYV, "c3ffffffffffffff", "half a character, inline"),
    (
        "string",
        RKYV,
        "61ff62ffffffffff",
        "text ends at the first ff; what follows is not looked at",
    ),
    ("string", RKYV, "6100ffffffffffff", "a zero byte inside"),
    ("string", RKYV, "313233343536373880000000", "four bytes more: the root moves, and is no text"),
    ("string", RKYV, "31323334353637383900000089000000f3ffffff", "a pointer before the buffer"),
    (
        "string",
        RKYV,
        "31323334353637383900000089000000f5ffffff",
        "a pointer one too far: other text",
    ),
    ("string", RKYV, "313233343536373839000000890000000c000000", "a pointer behind the buffer"),
    ("string", RKYV, "313233343536373839000000bf000000f4ffffff", "a length that overruns the slot"),
    ("string", RKYV, "31323334353637c33900000089000000f4ffffff", "text that is not UTF-8"),
    ("string", RKYV, "3132333485000000fcffffff", "five bytes out of line, which could be inline"),
    ("string", RKYV, "3132333480000000fcffffff", "no bytes out of line"),
    ("string", RKYV, "3132333484000000fdffffff", "text and slot overlap"),
    (
        "array_string_2",
        RKYV,
        "31323334353637383900000089000000f4ffffff89000000ecffffff",
        "two texts that share their bytes",
    ),
    (
        "array_string_2",
        RKYV,
        "313233343536373839313233343536373839000089000000f5ffffff89000000e4ffffff",
        "two texts in the wrong order",
    ),
    (
        "array_string_2",
        RKYV,
        "313233343536373839313233343536373839000089000000ecffffff89000000edffffff",
        "two texts in the right order",
    ),
    // Lists.
    ("vec_u8", SPEEDY, "050000000102", "a length beyond the end"),
    ("vec_u8", SPEEDY, "ffffffff", "a length far beyond the end"),
    ("vec_u16", SPEEDY, "0200000001000200", "a list that ends at the end"),
    ("vec_u16", SPEEDY, "02000000010002", "half an item"),
    ("vec_u8", VARINT, "050102", "a length beyond the end"),
    ("vec_u8", MARKER, "fdffffffffffffffff", "a length of 2^64 - 1"),
    ("vec_u8", MARKER, "fd0000000000400000", "a length of 2^46"),
    ("vec_u16", MARKER, "fdffffffffffffffff", "a length of 2^64 - 1"),
    ("vec_u16", MARKER, "fd0000000000400000", "a length of 2^46"),
    ("vec_u16", MARKER, "02fb0100", "an item is missing"),
    ("vec_u16", POSTCARD, "ffffffff0f01", "a length far beyond the end"),
    ("vec_u16", POSTCARD, "028100", "an item is missing"),
    ("vec_string", POSTCARD, "ffffffffffffffffff01", "a length of 2^64 - 1"),
    ("vec_string", MARKER, "fdffffffffffffffff", "a length of 2^64 - 1"),
    ("vec_unit", POSTCARD, "ffff7f", "2,097,151 items without bytes"),
    ("vec_unit", SPEEDY, "00000200", "131,072 items without bytes"),
    ("vec_unit", MARKER, "fc00000200", "131,072 items without bytes"),
    ("vec_unit", FIXED, "0000020000000000", "131,072 items without bytes"),
    ("vec_u16", RKYV, "0100020003000000f8ffffff02000000", "a list of two"),
    ("vec_u16", RKYV, "0100020003000000f8ffffff03000000", "one item more, and there is one"),
    ("vec_u16", RKYV, "0100020003000000f8ffffff05000000", "more items than fit before the slot"),
    ("vec_u16", RKYV, "0100020003000000f8ffffffffffffff", "a length far beyond the end"),
    ("vec_u16", RKYV, "0100020003000000f9ffffff01000000", "an odd pointer: not aligned"),
    ("vec_u16", RKYV, "0100020003000000f6ffffff01000000", "a pointer before the buffer"),
    ("vec_u16", RKYV, "0100020003000000ffffff7f00000000", "an empty list with a wild pointer"),
    ("vec_u16", RKYV, "01000200030000000000000000000000", "an empty list that points to itself"),
    // Options.
    ("opt_u8", BYTES, "0205", "a tag that is neither 0 nor 1"),
    ("opt_u8", BYTES, "ff05", "a tag that is neither 0 nor 1"),
    ("opt_u8", RKYV, "0205", "a tag that is neither 0 nor 1"),
    ("opt_u8", BYTES, "01", "Some without its value"),
    ("opt_u8", BYTES, "", "no tag"),
    ("opt_u8", RKYV, "0005", "None does not look at the room for the value"),
    ("opt_i32", RKYV, "01ffffff05000000", "padding is not looked at"),
    ("opt_bool", RKYV, "0002", "None does not look at the room for the value"),
    ("opt_bool", RKYV, "0102", "Some of a bool that is neither 0 nor 1"),
    ("opt_bool", SPEEDY, "0202", "both taken as true"),
    ("opt_opt_u8", BYTES, "010205", "the inner tag is neither 0 nor 1"),
    // Enums.
    ("shape", SPEEDY, "04000000", "a tag beyond the last"),
    ("shape", SPEEDY, "00010000", "256 is no tag"),
    ("shape", SPEEDY, "000000", "three bytes of a tag"),
    ("shape", SPEEDY, "0100000005", "a variant cut short"),
    ("shape", VARINT, "04", "a tag beyond the last"),
    ("shape", VARINT, "09", "a tag beyond the last"),
    ("shape", MARKER, "fb0100fb0500", "a tag and a value longer than needed: accepted"),
    ("shape", MARKER, "fd0100000000000000fb0500", "a tag wider than a u32"),
    ("shape", POSTCARD, "810005", "a tag longer than needed: accepted"),
    ("shape", POSTCARD, "ffffffff0f", "the largest tag"),
    ("shape", POSTCARD, "ffffffff10", "a tag that overflows"),
    ("shape", FIXED, "04000000", "a tag beyond the last"),
    ("shape", VARINT, "01", "a variant without its field"),
    ("shape", VARINT, "0302", "a bool in a variant that is neither 0 nor 1"),
    ("shape", RKYV, "040000000000000000000000", "a tag beyond the last"),
    ("shape", RKYV, "00ffffffffffffffffffffff", "a unit variant does not look at the rest"),
    ("shape", RKYV, "03020000ffffffffffffffff", "a bool in a variant that is neither 0 nor 1"),
    ("colour", EVERY, "03000000", "a tag beyond the last"),
    ("tagged", SPEEDY, "00000000", "an index where the tag is a discriminant"),
    ("tagged", SPEEDY, "05000000", "a discriminant"),
    ("tagged", VARINT, "05", "a discriminant where the tag is an index"),
    ("tagged", RKYV, "05", "a discriminant"),
    ("tagged", RKYV, "00", "an index where the tag is a discriminant"),
    ("lone", SPEEDY, "01000000", "a tag beyond the only one"),
    ("lone", VARINT, "01", "a tag beyond the only one"),
    ("many", SPEEDY, "2c010000", "a tag beyond the last"),
    ("many", MARKER, "fb2c01", "a tag beyond the last"),
    ("many", POSTCARD, "ac02", "a tag beyond the last"),
    // Maps.
    (
        "map_u8_string",
        SPEEDY,
        "02000000010100000061010100000062",
        "a key twice: the last one counts",
    ),
    ("map_u8_string", VARINT, "02010161010162", "a key twice: the last one counts"),
    (
        "map_u8_string",
        BINCODE1,
        "0200000000000000010100000000000000610101000000000000006200",
        "a key twice: the last one counts",
    ),
    ("map_u8_string", VARINT, "02020161010162", "keys out of order: accepted"),
    ("map_u8_string", VARINT, "020101", "a map cut short"),
    ("map_u8_string", SPEEDY, "ffffffff", "a count far beyond the end"),
    ("map_u8_string", MARKER, "fdffffffffffffffff", "a count of 2^64 - 1"),
    ("map_u8_string", POSTCARD, "ffffffffffffffffff01", "a count of 2^64 - 1"),
    // Tuples, arrays, structs.
    ("tuple_u8_u32", SPEEDY, "0102", "a tuple cut short"),
    ("tuple_u8_u32", VARINT, "01", "a tuple cut short"),
    ("array_u16_3", VARINT, "0102", "an array cut short"),
    ("array_u16_3", SPEEDY, "010002000300", "an array"),
    ("array_bool_4", BYTES, "01000201", "a bool inside that is neither 0 nor 1"),
    ("array_bool_4", RKYV, "01000201", "a bool inside that is neither 0 nor 1"),
    ("unit", EVERY, "ff", "nothing is read"),
    ("unit", EVERY, "", "nothing is read"),
    ("marker", EVERY, "", "nothing is read"),
    ("pad_four", RKYV, "01ffffff02000000", "padding is not looked at"),
    ("pad_four", RKYV, "01000000020000", "a byte is missing"),
    ("inner", SPEEDY, "0101000000", "a struct"),
    ("inner", SPEEDY, "01010000", "a struct cut short: less than its least size"),
    // Documents that claim too much.
    ("document", MARKER, "fd0000000000400000000000", "twelve bytes that claim 2^46"),
    ("document", MARKER, "fd0000000000000400000000", "twelve bytes that claim 2^50"),
    ("document", MARKER, "00000000fdffffffffffffffff", "2^64 - 1 items"),
    ("document", STANDARD, "00000000fd0000000000400000", "2^46 items"),
    ("document", SPEEDY, "00000000000000000000000000000000ffffffff", "2^32 - 1 items"),
    ("document", POSTCARD, "00000000ffffffffffffffffff01", "2^64 - 1 items"),
    (
        "document",
        LEGACY,
        "0000000000000000000000000000000000000000000000000000000000000040",
        "2^62 items",
    ),
    (
        "document",
        BINCODE1,
        "0000000000000000000000000000000000000000000000000000000000000040",
        "2^62 items",
    ),
];

/// Inputs made from the encoding of a value.
const CHANGED: &[(&str, &[&str], Source, &str)] = &[
    ("item", EVERY, Source::Value(ITEM, Append("00")), "one byte more"),
    ("item", EVERY, Source::Value(ITEM, Append("0000000000000000")), "eight bytes more"),
    (
        "item",
        RKYV,
        Source::Value(ITEM, Append("000000000000000000000000000000000000000000000000")),
        "a whole root of zeros more: another value",
    ),
    ("item", RKYV, Source::Value(ITEM, Flip(13, 0xff)), "padding is not looked at"),
    ("document", EVERY, Source::Document(Append("ff")), "one byte more"),
    ("document", BIG, Source::Document(Same), "big endian"),
    ("chain", BOXED, Source::Value(CHAIN, Append("00")), "a chain and one byte more"),
    ("chain", BOXED, Source::Chain(100), "a hundred links"),
    (
        "chain",
        BOXED,
        Source::Chain(200),
        "two hundred links: the crates have no limit but the stack",
    ),
    ("tree", RKYV, Source::Value(TREE, Flip(8, 0x40)), "a pointer of a child moved"),
    ("tree", RKYV, Source::Value(TREE, Flip(28, 0x10)), "a pointer of the root moved"),
    (
        "uneven",
        RKYV,
        Source::Value(r#"{"variant":"Word","fields":["1"]}"#, Flip(0, 0x08)),
        "a tag beyond the last",
    ),
    (
        "uneven",
        RKYV,
        Source::Value(r#"{"variant":"Word","fields":["1"]}"#, Flip(0, 0x02)),
        "another tag: the payload is read as text",
    ),
];

const ITEM: &str = r#"{"sku":"A","qty":1,"price_minor":"2"}"#;
const CHAIN: &str = r#"{"variant":"Link","fields":[1,{"variant":"End"}]}"#;
const TREE: &str =
    r#"{"label":"a","children":[{"label":"b","children":[]},{"label":"c","children":[]}]}"#;

/// Type, format, digits and limit: a limit counts what is claimed, not what is read.
const LIMITED: &[(&str, &[&str], Source, usize, &str)] = &[
    ("u32", &["bincode-standard"], Source::Hex("05"), 3, "one byte read, four claimed: over"),
    ("u32", &["bincode-standard"], Source::Hex("05"), 4, "one byte read, four claimed: within"),
    ("u32", &["bincode-legacy"], Source::Hex("05000000"), 3, "four bytes claimed: over"),
    ("u32", &["bincode-legacy"], Source::Hex("05000000"), 4, "four bytes claimed: within"),
    ("u64", &["bincode-standard"], Source::Hex("05"), 7, "eight bytes claimed: over"),
    ("u64", &["bincode-standard"], Source::Hex("05"), 8, "eight bytes claimed: within"),
    ("i64", &["bincode-standard"], Source::Hex("05"), 7, "eight bytes claimed: over"),
    ("u128", &["bincode-standard"], Source::Hex("05"), 15, "sixteen bytes claimed: over"),
    ("u128", &["bincode-standard"], Source::Hex("05"), 16, "sixteen bytes claimed: within"),
    ("bool", &["bincode-standard"], Source::Hex("01"), 0, "one byte claimed: over"),
    ("bool", &["bincode-standard"], Source::Hex("01"), 1, "one byte claimed: within"),
    ("f64", &["bincode-standard"], Source::Hex("0000000000000000"), 7, "eight bytes claimed: over"),
    ("char", &["bincode-standard"], Source::Hex("61"), 0, "a character claims its own bytes: over"),
    (
        "char",
        &["bincode-standard"],
        Source::Hex("61"),
        1,
        "a character claims its own bytes: within",
    ),
    (
        "char",
        &["bincode-standard"],
        Source::Hex("c3a9"),
        1,
        "a character claims its own bytes: over",
    ),
    (
        "char",
        &["bincode-standard"],
        Source::Hex("c3a9"),
        2,
        "a character claims its own bytes: within",
    ),
    ("string", &["bincode-standard"], Source::Hex("0161"), 8, "a length and a byte: over"),
    ("string", &["bincode-standard"], Source::Hex("0161"), 9, "a length and a byte: within"),
    (
        "string",
        &["bincode-standard"],
        Source::Hex("fd0000000000400000"),
        1024,
        "2^46 claimed under a limit: no allocation",
    ),
    (
        "string",
        &["bincode-standard"],
        Source::Hex("fdffffffffffffffff"),
        1024,
        "2^64 - 1 claimed under a limit: no allocation",
    ),
    ("vec_u8", &["bincode-standard"], Source::Hex("020102"), 9, "a length and two bytes: over"),
    ("vec_u8", &["bincode-standard"], Source::Hex("020102"), 10, "a length and two bytes: within"),
    ("vec_u16", &["bincode-standard"], Source::Hex("020102"), 10, "a length and two items: over"),
    ("vec_u16", &["bincode-standard"], Source::Hex("020102"), 12, "a length and two items: within"),
    ("opt_i32", &["bincode-standard"], Source::Hex("0102"), 4, "a tag and four bytes: over"),
    ("opt_i32", &["bincode-standard"], Source::Hex("0102"), 5, "a tag and four bytes: within"),
    ("shape", &["bincode-standard"], Source::Hex("0105"), 7, "a tag and four bytes: over"),
    ("shape", &["bincode-standard"], Source::Hex("0105"), 8, "a tag and four bytes: within"),
    ("array_u16_3", &["bincode-standard"], Source::Hex("010203"), 5, "three items: over"),
    ("map_u8_string", &["bincode-standard"], Source::Hex("01010161"), 17, "a map of one: over"),
    ("map_u8_string", &["bincode-standard"], Source::Hex("01010161"), 20, "a map of one: within"),
    ("document", &["bincode-standard"], Source::Document(Same), 257, "121 bytes claim 258: over"),
    ("document", &["bincode-standard"], Source::Document(Same), 258, "121 bytes claim 258: within"),
    ("document", &["bincode-legacy"], Source::Document(Same), 257, "258 bytes claim 258: over"),
    ("document", &["bincode-legacy"], Source::Document(Same), 258, "258 bytes claim 258: within"),
    (
        "document",
        &["bincode-standard-native"],
        Source::Document(Same),
        364,
        "native decoding claims the memory of a list first: over",
    ),
    (
        "document",
        &["bincode-standard-native"],
        Source::Document(Same),
        365,
        "native decoding claims the memory of a list first: within",
    ),
];

/// Every input, in a fixed order.
pub fn rejects() -> Vec<Reject> {
    let settings = Settings::default();
    let given = GIVEN.iter().map(|&(ty, formats, digits, exercises)| Reject {
        ty,
        formats,
        source: Source::Hex(digits),
        settings,
        exercises,
    });
    let changed = CHANGED.iter().map(|&(ty, formats, source, exercises)| Reject {
        ty,
        formats,
        source,
        settings,
        exercises,
    });
    let limited = LIMITED.iter().map(|&(ty, formats, source, limit, exercises)| Reject {
        ty,
        formats,
        source,
        settings: Settings { limit: Some(limit), ..settings },
        exercises,
    });
    given.chain(changed).chain(limited).chain(cuts()).chain(flips()).chain(addresses()).collect()
}

/// Formats with the sizes of the self-check's item and of the running document.
const SIZES: [(&[&str], usize, usize); 4] =
    [(SPEEDY, 17, 214), (&["bincode-standard"], 4, 121), (POSTCARD, 4, 113), (&["rkyv"], 24, 272)];

/// The item cut at every byte, and the document at some.
fn cuts() -> impl Iterator<Item = Reject> {
    SIZES.iter().flat_map(|&(formats, item, document)| {
        let items = (0..item).map(move |keep| Reject {
            ty: "item",
            formats,
            source: Source::Value(ITEM, Keep(keep)),
            settings: Settings::default(),
            exercises: "an item cut short",
        });
        let places = [0, 1, 4, 19, 20, 32, 100, document - 24, document - 1];
        let documents = places.into_iter().map(move |keep| Reject {
            ty: "document",
            formats,
            source: Source::Document(Keep(keep)),
            settings: Settings::default(),
            exercises: "the running document cut short",
        });
        items.chain(documents)
    })
}

/// One bit of every ninth byte of the running document, each time another one.
fn flips() -> impl Iterator<Item = Reject> {
    SIZES.iter().flat_map(|&(formats, _, document)| {
        (0..document).step_by(9).map(move |at| Reject {
            ty: "document",
            formats,
            source: Source::Document(Flip(at, 1 << (at % 8))),
            settings: Settings::default(),
            exercises: "the running document with one bit flipped",
        })
    })
}

/// Archives that do not start at a multiple of sixteen.
fn addresses() -> impl Iterator<Item = Reject> {
    const VALUES: [(&str, &str); 5] = [
        ("u8", "5"),
        ("u16", "5"),
        ("item", ITEM),
        ("pad_sixteen", r#"{"a":1,"b":"2"}"#),
        ("string", r#""123456789""#),
    ];
    VALUES.into_iter().flat_map(|(ty, value)| {
        [1, 2, 4, 8].map(|offset| Reject {
            ty,
            formats: RKYV,
            source: Source::Value(value, Same),
            settings: Settings { offset, ..Settings::default() },
            exercises: "an archive whose address is this far from a multiple of sixteen",
        })
    })
}
