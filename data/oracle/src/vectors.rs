//! The values of the golden vectors: what to encode, and what each value is there for.

/// Values by type: JSON, and what the value exercises.
pub const VALUES: &[(&str, &[(&str, &str)])] = &[
    ("bool", &[("true", "one byte, 1"), ("false", "one byte, 0")]),
    (
        "u8",
        &[
            ("0", "raw byte"),
            ("127", "raw byte, the largest one-byte LEB128 would be 127 too"),
            ("128", "raw byte, no LEB128"),
            ("250", "raw byte"),
            ("251", "raw byte, no marker"),
            ("255", "raw byte"),
        ],
    ),
    (
        "i8",
        &[
            ("0", "raw byte"),
            ("2", "raw byte, not zigzagged"),
            ("-1", "raw byte, two's complement"),
            ("127", "largest"),
            ("-128", "smallest"),
        ],
    ),
    (
        "u16",
        &[
            ("0", "one byte in both varints"),
            ("127", "largest in one byte of LEB128"),
            ("128", "smallest in two bytes of LEB128"),
            ("250", "largest in one byte of the marker varint"),
            ("251", "smallest with marker fb"),
            ("256", "bytes 00 01: little endian"),
            ("16383", "largest in two bytes of LEB128"),
            ("16384", "smallest in three bytes of LEB128"),
            ("65535", "largest"),
        ],
    ),
    (
        "u32",
        &[
            ("5", "one byte in both varints"),
            ("65535", "largest with marker fb"),
            ("65536", "smallest with marker fc"),
            ("2097151", "largest in three bytes of LEB128"),
            ("2097152", "smallest in four bytes of LEB128"),
            ("268435456", "smallest in five bytes of LEB128"),
            ("305419896", "0x12345678: the order of four bytes"),
            ("4294967295", "largest"),
        ],
    ),
    (
        "u64",
        &[
            (r#""0""#, "one byte in both varints"),
            (r#""250""#, "largest in one byte of the marker varint"),
            (r#""251""#, "smallest with marker fb"),
            (r#""4294967295""#, "largest with marker fc"),
            (r#""4294967296""#, "smallest with marker fd"),
            (r#""72623859790382856""#, "0x0102030405060708: the order of eight bytes"),
            (r#""9223372036854775808""#, "2^63: the tenth byte of LEB128"),
            (r#""18446744073709551615""#, "largest: the last byte of LEB128 is 01"),
        ],
    ),
    (
        "u128",
        &[
            (r#""251""#, "smallest with marker fb"),
            (r#""18446744073709551615""#, "largest with marker fd"),
            (r#""18446744073709551616""#, "2^64: smallest with marker fe"),
            (r#""340282366920938463463374607431768211455""#, "largest: 19 bytes of LEB128"),
        ],
    ),
    (
        "i16",
        &[
            ("-1", "zigzag 1"),
            ("63", "largest in one byte of zigzag LEB128"),
            ("64", "smallest positive in two bytes of zigzag LEB128"),
            ("-64", "smallest in one byte of zigzag LEB128"),
            ("-65", "largest negative in two bytes of zigzag LEB128"),
            ("125", "largest in one byte of the zigzag marker varint"),
            ("126", "smallest positive with marker fb"),
            ("-32768", "smallest"),
            ("32767", "largest"),
        ],
    ),
    (
        "i32",
        &[
            ("0", "zigzag 0"),
            ("1", "zigzag 2"),
            ("2", "zigzag 4"),
            ("-1", "zigzag 1"),
            ("-2", "zigzag 3"),
            ("125", "largest in one byte of the zigzag marker varint"),
            ("-125", "smallest in one byte of the zigzag marker varint"),
            ("-126", "largest negative with marker fb"),
            ("32767", "largest with marker fb"),
            ("-32768", "smallest with marker fb"),
            ("32768", "smallest positive with marker fc"),
            ("2147483647", "largest"),
            ("-2147483648", "smallest"),
        ],
    ),
    (
        "i64",
        &[
            (r#""92330""#, "a price of the running document"),
            (r#""-126""#, "largest negative with marker fb"),
            (r#""2147483647""#, "largest with marker fc"),
            (r#""2147483648""#, "smallest positive with marker fd: zigzag beyond 32 bits"),
            (r#""-2147483648""#, "smallest with marker fc"),
            (r#""-2147483649""#, "largest negative with marker fd"),
            (r#""9223372036854775807""#, "largest"),
            (r#""-9223372036854775808""#, "smallest: zigzag is the largest u64"),
        ],
    ),
    (
        "i128",
        &[
            (r#""-1""#, "zigzag 1"),
            (r#""9223372036854775808""#, "2^63: smallest positive with marker fe"),
            (r#""-9223372036854775809""#, "largest negative with marker fe"),
            (r#""170141183460469231731687303715884105727""#, "largest"),
            (r#""-170141183460469231731687303715884105728""#, "smallest"),
        ],
    ),
    (
        "f32",
        &[
            (r#""0x3f800000""#, "1.0: IEEE 754 bits, never a varint"),
            (r#""0x80000000""#, "negative zero keeps its sign"),
            (r#""0x7f800000""#, "infinity"),
            (r#""0x7fc00001""#, "a quiet NaN keeps its payload"),
            (r#""0x7f800001""#, "a signalling NaN stays one"),
            (r#""0x00000001""#, "the smallest subnormal"),
        ],
    ),
    (
        "f64",
        &[
            (r#""0x3ff0000000000000""#, "1.0: IEEE 754 bits, never a varint"),
            (r#""0x8000000000000000""#, "negative zero keeps its sign"),
            (r#""0xfff0000000000000""#, "minus infinity"),
            (r#""0x7ff8000000000001""#, "a quiet NaN keeps its payload"),
            (r#""0x7ff0000000000001""#, "a signalling NaN stays one"),
        ],
    ),
    (
        "char",
        &[
            (r#""a""#, "one byte of UTF-8"),
            (r#""\u0000""#, "the scalar value 0"),
            (r#""é""#, "two bytes of UTF-8"),
            (r#""€""#, "three bytes of UTF-8"),
            (r#""\ud7ff""#, "the last scalar value before the surrogates"),
            (r#""\ue000""#, "the first scalar value after the surrogates"),
            (r#""😀""#, "four bytes of UTF-8"),
            (r#""\udbff\udfff""#, "U+10FFFF, the largest scalar value"),
        ],
    ),
    (
        "string",
        &[
            (r#""""#, "no bytes: the length alone; rkyv fills an inline slot with ff"),
            (r#""a""#, "one byte"),
            (r#""1234567""#, "seven bytes: inline in rkyv"),
            (r#""12345678""#, "eight bytes: the longest inline text of rkyv"),
            (r#""123456789""#, "nine bytes: the shortest text rkyv points to"),
            (r#""héllo""#, "the length counts bytes, not characters"),
            (r#""a\u0000b""#, "a zero byte inside"),
            (r#""😀😀""#, "eight bytes in two characters"),
            (
                r#""123456789012345678901234567890123456789012345678901234567890123""#,
                "63 bytes: the last length in the low six bits of rkyv's first byte",
            ),
            (
                r#""1234567890123456789012345678901234567890123456789012345678901234""#,
                "64 bytes: rkyv's length leaves its first byte",
            ),
        ],
    ),
    ("unit", &[("null", "nothing")]),
    ("marker", &[("{}", "a struct without fields: nothing")]),
    (
        "vec_u8",
        &[
            (r#""""#, "an empty list"),
            (r#""0102fb""#, "bytes are raw, also above 250"),
            (r#""ff""#, "one byte"),
        ],
    ),
    (
        "vec_u16",
        &[
            ("[]", "an empty list: rkyv points to where the writer stood"),
            ("[1,250,251,65535]", "each item with its own width"),
        ],
    ),
    ("vec_u64", &[(r#"["1","4294967296"]"#, "one item short and one long as varints")]),
    ("vec_i32", &[("[0,-1,64,-65,126,-32769]", "zigzag in a list")]),
    ("vec_u128", &[(r#"["1"]"#, "alignment 16 before the items in rkyv")]),
    ("vec_f32", &[(r#"["0x3f800000","0x7f800001"]"#, "floats in a list, a signalling NaN too")]),
    ("vec_f64", &[(r#"["0x4009000000000000"]"#, "a list of one float")]),
    ("vec_bool", &[("[true,false,true]", "one byte each, not packed")]),
    ("vec_char", &[(r#"["a","é","😀"]"#, "characters of different length")]),
    (
        "vec_string",
        &[
            (r#"["a","123456789",""]"#, "rkyv: text before the slots, and padding to four"),
            (r#"["123456789","1234567890"]"#, "rkyv: all texts first, then all slots"),
        ],
    ),
    ("vec_unit", &[(r#"{"units":"3"}"#, "items without bytes: the count alone")]),
    ("vec_vec_u8", &[(r#"["01","","020304"]"#, "lists of bytes in a list")]),
    ("vec_vec_u16", &[("[[1],[],[2,3]]", "rkyv: what the items point to comes first")]),
    ("vec_vec_string", &[(r#"[["123456789"],[],["a"]]"#, "three levels of pointers in rkyv")]),
    ("vec_opt_u16", &[(r#"[null,{"some":251}]"#, "options in a list")]),
    ("vec_tuple_u8_u32", &[("[[1,2],[3,4]]", "tuples in a list: padding in each in rkyv")]),
    (
        "vec_shape",
        &[(
            r#"[{"variant":"Unit"},{"variant":"Named","fields":{"a":true,"b":"123456789"}}]"#,
            "enums in a list",
        )],
    ),
    (
        "vec_pad_tail",
        &[(r#"[{"a":"1","b":2},{"a":"3","b":4}]"#, "padding after each item in rkyv")],
    ),
    ("opt_bool", &[("null", "None"), (r#"{"some":false}"#, "Some of a zero byte")]),
    ("opt_u8", &[(r#"{"some":0}"#, "a tag and a byte"), ("null", "rkyv keeps the room")]),
    (
        "opt_i32",
        &[
            ("null", "the tag alone; rkyv keeps the room"),
            (r#"{"some":-3}"#, "the tag is a byte in every configuration"),
        ],
    ),
    ("opt_u64", &[(r#"{"some":"1"}"#, "seven bytes of padding in rkyv"), ("null", "None")]),
    ("opt_u128", &[(r#"{"some":"1"}"#, "fifteen bytes of padding in rkyv")]),
    (
        "opt_string",
        &[("null", "None"), (r#"{"some":"123456789"}"#, "an option with a pointer in rkyv")],
    ),
    ("opt_vec_u16", &[(r#"{"some":[]}"#, "Some of an empty list")]),
    (
        "opt_opt_u8",
        &[
            (r#"{"some":null}"#, "an option in an option"),
            (r#"{"some":{"some":7}}"#, "both present"),
        ],
    ),
    ("opt_unit", &[(r#"{"some":null}"#, "Some of nothing: the tag alone"), ("null", "None")]),
    (
        "opt_shape",
        &[(r#"{"some":{"variant":"New","fields":[251]}}"#, "the option's tag, then the enum's")],
    ),
    ("tuple_u16", &[("[251]", "a tuple of one")]),
    ("tuple_u8_u32", &[("[1,2]", "three bytes of padding in rkyv")]),
    ("tuple_u8_i64", &[(r#"[1,"-2"]"#, "seven bytes of padding in rkyv")]),
    ("tuple_string_bool_f32", &[(r#"["é",true,"0xbf800000"]"#, "items in order, no count")]),
    ("tuple_nested", &[(r#"[[1,2],[3,"123456789"]]"#, "nesting leaves no trace but padding")]),
    (
        "tuple_11",
        &[(
            r#"[1,-1,251,-126,65536,-32769,"4294967296","-2147483649","0x3f800000","0x3ff0000000000000","x"]"#,
            "eleven items, the most speedy has",
        )],
    ),
    ("array_u8_4", &[("[1,2,253,254]", "no count")]),
    ("array_u16_3", &[("[1,250,251]", "no count; each item as a varint")]),
    ("array_u32_0", &[("[]", "nothing")]),
    ("array_char_2", &[(r#"["a","é"]"#, "characters")]),
    ("array_string_2", &[(r#"["a","123456789"]"#, "two texts, no count")]),
    ("array_opt_u16_2", &[(r#"[null,{"some":1}]"#, "options")]),
    ("array_array_u16", &[("[[1,2],[3,4],[5,6]]", "arrays in an array")]),
    (
        "map_u8_string",
        &[
            ("[]", "an empty map"),
            (r#"[[1,"a"],[2,"bb"]]"#, "a count, then key, value, key, value"),
        ],
    ),
    ("map_string_u32", &[(r#"[["a",251],["b",65536]]"#, "text as keys")]),
    ("map_u64_unit", &[(r#"[["1",null],["300",null]]"#, "keys alone")]),
    ("map_string_map", &[(r#"[["x",[[1,2]]],["y",[]]]"#, "a map in a map")]),
    (
        "mix",
        &[(
            r#"{"flag":true,"big":"-2147483649","small":251,"inner":{"a":1,"b":65536}}"#,
            "padding before big and b in rkyv",
        )],
    ),
    (
        "scalars",
        &[(
            r#"{"a":1,"b":2,"c":-3,"d":4,"e":true,"f":"6","g":-7,"h":"0x4020000000000000","i":9,"j":"10","k":"0x41300000","l":"l","m":-13,"n":"-14","o":"-15"}"#,
            "every fixed width and every gap",
        )],
    ),
    ("pad_two", &[(r#"{"a":1,"b":2}"#, "one byte of padding in rkyv")]),
    ("pad_four", &[(r#"{"a":1,"b":2}"#, "three bytes of padding in rkyv")]),
    ("pad_eight", &[(r#"{"a":1,"b":"-2"}"#, "seven bytes of padding in rkyv")]),
    ("pad_sixteen", &[(r#"{"a":1,"b":"2"}"#, "fifteen bytes of padding in rkyv")]),
    ("pad_tail", &[(r#"{"a":"1","b":2}"#, "padding at the end in rkyv")]),
    ("pad_none", &[(r#"{"a":1,"b":2,"c":3,"d":4}"#, "no padding in rkyv")]),
    (
        "pad_nested",
        &[(
            r#"{"a":1,"b":{"a":"2","b":3},"c":4,"d":{"a":5,"b":6}}"#,
            "a nested struct keeps its own padding in rkyv",
        )],
    ),
    (
        "pad_array",
        &[(r#"{"a":1,"b":[2,3,4],"c":5,"d":[6,7]}"#, "an array is aligned like its items")],
    ),
    (
        "pad_text",
        &[(
            r#"{"a":1,"b":"123456789","c":2,"d":[3,4,5],"e":6}"#,
            "slots are aligned to four in rkyv, items to two",
        )],
    ),
    (
        "pad_option",
        &[
            (
                r#"{"a":1,"b":{"some":"2"},"c":{"some":3},"d":{"some":"123456789"},"e":{"some":4}}"#,
                "every option present",
            ),
            (r#"{"a":1,"b":null,"c":null,"d":null,"e":null}"#, "no option present: zeros in rkyv"),
        ],
    ),
    (
        "narrow_item",
        &[(r#"{"sku":"A","qty":1,"price_minor":2}"#, "a narrow price: 16 bytes in rkyv")],
    ),
    (
        "swapped_item",
        &[(
            r#"{"sku":"A","qty":1,"price_minor":"2"}"#,
            "another order moves rkyv's padding to the end and keeps its size",
        )],
    ),
    (
        "shape",
        &[
            (r#"{"variant":"Unit"}"#, "the tag alone; rkyv pads to the largest variant"),
            (r#"{"variant":"New","fields":[251]}"#, "a newtype variant: a tag and its field"),
            (r#"{"variant":"Tup","fields":[1,-2]}"#, "a tuple variant"),
            (r#"{"variant":"Named","fields":{"a":true,"b":"ok"}}"#, "a struct variant"),
            (
                r#"{"variant":"Named","fields":{"a":false,"b":"123456789"}}"#,
                "a struct variant with a pointer in rkyv",
            ),
        ],
    ),
    ("colour", &[(r#"{"variant":"Red"}"#, "tag 0"), (r#"{"variant":"Blue"}"#, "tag 2")]),
    ("lone", &[(r#"{"variant":"Only"}"#, "one variant has a tag too")]),
    (
        "tagged",
        &[
            (r#"{"variant":"Five"}"#, "an explicit discriminant: the tag in speedy and rkyv only"),
            (r#"{"variant":"Six"}"#, "the variant after an explicit discriminant counts on"),
            (r#"{"variant":"Two"}"#, "discriminants need no order"),
            (r#"{"variant":"Last"}"#, "the largest discriminant rkyv can have"),
        ],
    ),
    (
        "tagged_shape",
        &[
            (r#"{"variant":"Unit"}"#, "a discriminant on a unit variant"),
            (r#"{"variant":"New","fields":[1]}"#, "counted on from the variant before"),
            (r#"{"variant":"Tup","fields":[1,2]}"#, "a discriminant on a tuple variant"),
            (
                r#"{"variant":"Named","fields":{"a":true,"b":""}}"#,
                "a discriminant on a struct variant",
            ),
        ],
    ),
    (
        "wide_tagged",
        &[
            (r#"{"variant":"Next"}"#, "counted on from 3"),
            (r#"{"variant":"Mid"}"#, "a discriminant of two bytes"),
            (r#"{"variant":"Top"}"#, "the largest discriminant"),
        ],
    ),
    (
        "uneven",
        &[
            (
                r#"{"variant":"Byte","fields":[1]}"#,
                "the smallest variant in the room of the largest",
            ),
            (r#"{"variant":"Word","fields":["1"]}"#, "payload aligned to eight in rkyv"),
            (r#"{"variant":"Pair","fields":[1,2]}"#, "padding inside the payload in rkyv"),
            (
                r#"{"variant":"Wide","fields":{"a":1,"b":"2"}}"#,
                "payload aligned to sixteen in rkyv",
            ),
            (
                r#"{"variant":"Item","fields":[{"sku":"123456789","qty":1,"price_minor":"2"}]}"#,
                "a struct as payload",
            ),
            (
                r#"{"variant":"List","fields":{"items":[1,2,3],"last":{"some":-1}}}"#,
                "a list and an option as payload",
            ),
            (r#"{"variant":"Nothing"}"#, "the last tag and zeros in rkyv"),
        ],
    ),
    (
        "byteful",
        &[
            (r#"{"variant":"B250"}"#, "the last tag in one byte of the marker varint"),
            (r#"{"variant":"B251"}"#, "the first tag with marker fb"),
            (r#"{"variant":"B255"}"#, "the last tag rkyv can have"),
        ],
    ),
    (
        "many",
        &[
            (r#"{"variant":"V127"}"#, "the last tag in one byte of LEB128"),
            (r#"{"variant":"V128"}"#, "the first tag in two bytes of LEB128"),
            (r#"{"variant":"V251"}"#, "the first tag with marker fb"),
            (r#"{"variant":"V299"}"#, "a tag beyond one byte"),
        ],
    ),
    (
        "tree",
        &[
            (r#"{"label":"a","children":[]}"#, "a leaf"),
            (
                r#"{"label":"root of all","children":[{"label":"b","children":[{"label":"c","children":[]}]},{"label":"123456789","children":[]}]}"#,
                "a recursive record: depth first in rkyv",
            ),
        ],
    ),
    (
        "node",
        &[(
            r#"{"value":1,"next":{"some":{"value":2,"next":null}}}"#,
            "recursion through an option: a box leaves no trace but in rkyv",
        )],
    ),
    (
        "chain",
        &[(
            r#"{"variant":"Link","fields":[1,{"variant":"Link","fields":[-1,{"variant":"End"}]}]}"#,
            "a recursive enum: boxed in rkyv",
        )],
    ),
    (
        "rich",
        &[(
            r#"{"flag":true,"letter":"é","small":-1,"number":-126,"large":"18446744073709551615","huge":"-1","ratio":"0x7f800001","name":{"some":"123456789"},"raw":"00fbff","shape":{"variant":"Tup","fields":[9,-9]},"shapes":[{"variant":"Unit"},{"variant":"Named","fields":{"a":false,"b":"long enough to point"}}],"point":[251,"0x3ff8000000000000"],"triple":[1,-1,300],"words":[["a","b"],[],["123456789"]],"items":[{"sku":"é","qty":-126,"price_minor":"2147483648"}]}"#,
            "a bit of everything",
        )],
    ),
    (
        "rich_map",
        &[(
            r#"{"names":[[1,"a"],[70000,"b"]],"groups":[["x",["-1","4294967296"]],["y",[]]],"shapes":[[-1,{"variant":"Unit"}],[2,{"variant":"New","fields":[3]}]],"tag":{"variant":"Last"}}"#,
            "maps of different kinds",
        )],
    ),
    (
        "item",
        &[
            (r#"{"sku":"A","qty":1,"price_minor":"2"}"#, "the self-check's item"),
            (
                r#"{"sku":"é","qty":-126,"price_minor":"2147483648"}"#,
                "a negative number, nine bytes of varint and a character of two bytes",
            ),
        ],
    ),
    (
        "message",
        &[(
            r#"{"f_bool":true,"f_int32":-1,"f_int64":"-9223372036854775808","f_float64":"0xbff0000000000000","f_string":"","f_bool_2":false,"f_int32_2":2147483647,"f_string_2":"12345678"}"#,
            "the ends of the ranges",
        )],
    ),
    (
        "prefix_varint",
        &[
            (r#""0""#, "one byte"),
            (r#""127""#, "largest in one byte"),
            (r#""128""#, "smallest in two bytes"),
            (r#""300""#, "the first byte holds the most significant bits"),
            (r#""16383""#, "largest in two bytes"),
            (r#""16384""#, "smallest in three bytes"),
            (r#""72057594037927935""#, "2^56 - 1: the largest in eight bytes"),
            (r#""72057594037927936""#, "2^56: the smallest in nine bytes"),
            (r#""18446744073709551615""#, "largest"),
        ],
    ),
];

/// Kind, seed and index of the suite's records that become vectors, alone and as a `Fixture`.
pub const RECORDS: [(&str, u64, u64); 9] = [
    ("document", 42, 0),
    ("message", 42, 0),
    ("telemetry", 42, 0),
    ("strings", 42, 0),
    ("event", 42, 0),
    ("document", 42, 1),
    ("message", 7, 3),
    ("event", u64::MAX, 1_000_000),
    ("document", 0, 2),
];
