//! Types that reach the wire rules the suite's records do not: padding, enums of every shape,
//! explicit discriminants, many variants, recursion, and a speedy attribute.

use crate::exact::{Definitions, Exact, Read, choice, record};
use crate::records::DocumentItem;
use bincode::{Decode, Encode};
use rkyv::{Archive, Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

record! {
    /// A struct without fields.
    Marker;
}

record! {
    /// Scalars of different widths around a nested struct.
    Mix { flag: bool, big: i64, small: u16, inner: Inner }
}

record! {
    /// The struct inside [`Mix`].
    Inner { a: u8, b: u32 }
}

record! {
    /// Every fixed-width type once, wide after narrow: padding before most fields in rkyv.
    Scalars {
        a: u8,
        b: u16,
        c: i8,
        d: u32,
        e: bool,
        f: u64,
        g: i16,
        h: f64,
        i: u8,
        j: u128,
        k: f32,
        l: char,
        m: i32,
        n: i64,
        o: i128,
    }
}

record! {
    /// One byte, then two: one byte of padding.
    PadTwo { a: u8, b: u16 }
}

record! {
    /// One byte, then four: three bytes of padding.
    PadFour { a: u8, b: u32 }
}

record! {
    /// One byte, then eight: seven bytes of padding.
    PadEight { a: u8, b: i64 }
}

record! {
    /// One byte, then sixteen: fifteen bytes of padding.
    PadSixteen { a: u8, b: u128 }
}

record! {
    /// Eight bytes, then one: padding at the end only.
    PadTail { a: u64, b: u8 }
}

record! {
    /// No padding at all.
    PadNone { a: u32, b: u16, c: u8, d: u8 }
}

record! {
    /// Structs with padding at the end, around a byte.
    PadNested { a: u8, b: PadTail, c: u8, d: PadTwo }
}

record! {
    /// An array is aligned like its items.
    PadArray { a: u8, b: [u16; 3], c: u8, d: [u32; 2] }
}

record! {
    /// Slots of text and lists are aligned to four.
    PadText { a: u8, b: String, c: u8, d: Vec<u16>, e: u8 }
}

record! {
    /// An option is a tag and room for its value.
    PadOption { a: u8, b: Option<u64>, c: Option<u8>, d: Option<String>, e: Option<u16> }
}

record! {
    /// The document's item with a narrow price.
    NarrowItem { sku: String, qty: i32, price_minor: i32 }
}

record! {
    /// The document's item with its fields in another order.
    SwappedItem { price_minor: i64, sku: String, qty: i32 }
}

choice! {
    /// An enum with one variant of each shape.
    #[derive(Encode, Decode, Archive, Serialize, Deserialize)]
    Shape {
        Unit,
        New(_0: u32),
        Tup(_0: u8, _1: i16),
        Named { a: bool, b: String },
    }
}

choice! {
    /// An enum without data.
    #[derive(Encode, Decode, Archive, Serialize, Deserialize)]
    Colour { Red, Green, Blue }
}

choice! {
    /// An enum with one variant.
    #[derive(Encode, Decode, Archive, Serialize, Deserialize)]
    Lone { Only }
}

choice! {
    /// Explicit discriminants; the variant after one counts on.
    #[derive(Encode, Decode, Archive, Serialize, Deserialize)]
    Tagged { Five = 5, Six, Two = 2, Last = 255 }
}

choice! {
    /// Explicit discriminants on variants of every shape.
    #[derive(Encode, Decode, Archive, Serialize, Deserialize)]
    #[repr(u8)]
    TaggedShape {
        Unit = 9,
        New(_0: u32),
        Tup(_0: u8, _1: i16) = 128,
        Named { a: bool, b: String } = 1,
    }
}

choice! {
    /// Discriminants that need more than a byte, which rkyv cannot have.
    #[derive(Encode, Decode)]
    #[repr(u32)]
    WideTagged { Low = 3, Next, Mid = 300, High = 70_000, Top = 4_294_967_295 }
}

choice! {
    /// Variants whose payloads have different sizes and alignments.
    #[derive(Encode, Decode, Archive, Serialize, Deserialize)]
    Uneven {
        Byte(_0: u8),
        Word(_0: u64),
        Pair(_0: u16, _1: u32),
        Text(_0: String),
        Wide { a: u8, b: u128 },
        Item(_0: DocumentItem),
        List { items: Vec<u16>, last: Option<i32> },
        Nothing,
    }
}

record! {
    /// A tree: a recursive record.
    #[rkyv(serialize_bounds(
        __S: rkyv::ser::Writer + rkyv::ser::Allocator,
        __S::Error: rkyv::rancor::Source,
    ))]
    #[rkyv(deserialize_bounds(__D::Error: rkyv::rancor::Source))]
    #[rkyv(bytecheck(bounds(
        __C: rkyv::validation::ArchiveContext,
        __C::Error: rkyv::rancor::Source,
    )))]
    Tree {
        label: String,
        #[rkyv(omit_bounds)]
        children: Vec<Tree>,
    }
}

choice! {
    /// A chain of links: a recursive enum, boxed.
    #[derive(Encode, Decode, Archive, Serialize, Deserialize)]
    #[rkyv(serialize_bounds(
        __S: rkyv::ser::Writer,
        __S::Error: rkyv::rancor::Source,
    ))]
    #[rkyv(deserialize_bounds(__D::Error: rkyv::rancor::Source))]
    #[rkyv(bytecheck(bounds(
        __C: rkyv::validation::ArchiveContext,
        __C::Error: rkyv::rancor::Source,
    )))]
    Chain { End, Link(_0: i32, #[rkyv(omit_bounds)] _1: BoxedChain) }
}

/// The rest of a [`Chain`].
type BoxedChain = Box<Chain>;

record! {
    /// A linked list: a recursive record through an option, boxed.
    #[rkyv(serialize_bounds(
        __S: rkyv::ser::Writer,
        __S::Error: rkyv::rancor::Source,
    ))]
    #[rkyv(deserialize_bounds(__D::Error: rkyv::rancor::Source))]
    #[rkyv(bytecheck(bounds(
        __C: rkyv::validation::ArchiveContext,
        __C::Error: rkyv::rancor::Source,
    )))]
    Node {
        value: u16,
        #[rkyv(omit_bounds)]
        next: Option<Box<Node>>,
    }
}

record! {
    /// A bit of everything, for corrupted input.
    Rich {
        flag: bool,
        letter: char,
        small: i8,
        number: i32,
        large: u64,
        huge: i128,
        ratio: f32,
        name: Option<String>,
        raw: Vec<u8>,
        shape: Shape,
        shapes: Vec<Shape>,
        point: (u16, f64),
        triple: [i16; 3],
        words: Vec<Vec<String>>,
        items: Vec<DocumentItem>,
    }
}

record! {
    /// [`Rich`] with maps in place of lists.
    RichMap {
        names: BTreeMap<u32, String>,
        groups: BTreeMap<String, Vec<i64>>,
        shapes: BTreeMap<i8, Shape>,
        tag: Tagged,
    }
}

/// A `u64` under speedy's `varint` attribute: the prefix varint. On the wire and as JSON it is just
/// the number.
#[derive(speedy::Readable, speedy::Writable)]
pub struct PrefixVarint {
    #[speedy(varint)]
    value: u64,
}

impl Exact for PrefixVarint {
    fn write(&self, out: &mut String) {
        self.value.write(out);
    }

    fn read(json: &Value) -> Read<Self> {
        u64::read(json).map(|value| Self { value })
    }

    fn describe(_: &mut Definitions) -> Value {
        json!({"kind": "prefix_varint"})
    }
}

choice! {
    /// As many variants as rkyv allows.
    #[derive(Encode, Decode, Archive, Serialize, Deserialize)]
    Byteful {
        B0, B1, B2, B3, B4, B5, B6, B7, B8, B9, B10, B11, B12, B13, B14, B15, B16, B17, B18, B19,
        B20, B21, B22, B23, B24, B25, B26, B27, B28, B29, B30, B31, B32, B33, B34, B35, B36, B37,
        B38, B39, B40, B41, B42, B43, B44, B45, B46, B47, B48, B49, B50, B51, B52, B53, B54, B55,
        B56, B57, B58, B59, B60, B61, B62, B63, B64, B65, B66, B67, B68, B69, B70, B71, B72, B73,
        B74, B75, B76, B77, B78, B79, B80, B81, B82, B83, B84, B85, B86, B87, B88, B89, B90, B91,
        B92, B93, B94, B95, B96, B97, B98, B99, B100, B101, B102, B103, B104, B105, B106, B107,
        B108, B109, B110, B111, B112, B113, B114, B115, B116, B117, B118, B119, B120, B121, B122,
        B123, B124, B125, B126, B127, B128, B129, B130, B131, B132, B133, B134, B135, B136, B137,
        B138, B139, B140, B141, B142, B143, B144, B145, B146, B147, B148, B149, B150, B151, B152,
        B153, B154, B155, B156, B157, B158, B159, B160, B161, B162, B163, B164, B165, B166, B167,
        B168, B169, B170, B171, B172, B173, B174, B175, B176, B177, B178, B179, B180, B181, B182,
        B183, B184, B185, B186, B187, B188, B189, B190, B191, B192, B193, B194, B195, B196, B197,
        B198, B199, B200, B201, B202, B203, B204, B205, B206, B207, B208, B209, B210, B211, B212,
        B213, B214, B215, B216, B217, B218, B219, B220, B221, B222, B223, B224, B225, B226, B227,
        B228, B229, B230, B231, B232, B233, B234, B235, B236, B237, B238, B239, B240, B241, B242,
        B243, B244, B245, B246, B247, B248, B249, B250, B251, B252, B253, B254, B255,
    }
}

choice! {
    /// More variants than one byte can tell apart, and more than rkyv allows.
    #[derive(Encode, Decode)]
    Many {
        V0, V1, V2, V3, V4, V5, V6, V7, V8, V9, V10, V11, V12, V13, V14, V15, V16, V17, V18, V19,
        V20, V21, V22, V23, V24, V25, V26, V27, V28, V29, V30, V31, V32, V33, V34, V35, V36, V37,
        V38, V39, V40, V41, V42, V43, V44, V45, V46, V47, V48, V49, V50, V51, V52, V53, V54, V55,
        V56, V57, V58, V59, V60, V61, V62, V63, V64, V65, V66, V67, V68, V69, V70, V71, V72, V73,
        V74, V75, V76, V77, V78, V79, V80, V81, V82, V83, V84, V85, V86, V87, V88, V89, V90, V91,
        V92, V93, V94, V95, V96, V97, V98, V99, V100, V101, V102, V103, V104, V105, V106, V107,
        V108, V109, V110, V111, V112, V113, V114, V115, V116, V117, V118, V119, V120, V121, V122,
        V123, V124, V125, V126, V127, V128, V129, V130, V131, V132, V133, V134, V135, V136, V137,
        V138, V139, V140, V141, V142, V143, V144, V145, V146, V147, V148, V149, V150, V151, V152,
        V153, V154, V155, V156, V157, V158, V159, V160, V161, V162, V163, V164, V165, V166, V167,
        V168, V169, V170, V171, V172, V173, V174, V175, V176, V177, V178, V179, V180, V181, V182,
        V183, V184, V185, V186, V187, V188, V189, V190, V191, V192, V193, V194, V195, V196, V197,
        V198, V199, V200, V201, V202, V203, V204, V205, V206, V207, V208, V209, V210, V211, V212,
        V213, V214, V215, V216, V217, V218, V219, V220, V221, V222, V223, V224, V225, V226, V227,
        V228, V229, V230, V231, V232, V233, V234, V235, V236, V237, V238, V239, V240, V241, V242,
        V243, V244, V245, V246, V247, V248, V249, V250, V251, V252, V253, V254, V255, V256, V257,
        V258, V259, V260, V261, V262, V263, V264, V265, V266, V267, V268, V269, V270, V271, V272,
        V273, V274, V275, V276, V277, V278, V279, V280, V281, V282, V283, V284, V285, V286, V287,
        V288, V289, V290, V291, V292, V293, V294, V295, V296, V297, V298, V299,
    }
}
