//! Subjects that differ from another in one thing, and the list of these pairs.
//!
//! A profile can accuse a part of a program; only a run without that part can convict it. Nothing in
//! the crates is changed here: what differs is the type that is decoded, the reader, the context or
//! the allocator that they are given.

use crate::hand;
use crate::records::{Document, Fixture};
use crate::subject::{Kind, Subject, decode, encode, other};
use crate::suite::{SPEEDY, bincode_kind};
use bincode::Decode;
use bincode::config::{Config, Configuration, Fixint, LittleEndian};
use bincode::de::{Decoder, read::Reader};
use bincode::error::DecodeError;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use speedy::{Context, Endianness, IsEof, Readable, Writable};
use std::cell::Cell;
use std::fmt;
use std::hint::black_box;
use std::str::Utf8Error;

/// A cause under suspicion, and the pair of subjects that shows what it costs.
#[derive(Serialize)]
pub struct Intervention {
    /// The suspect: `zeroing`, `utf8`, `error-type`, ...
    pub suspect: &'static str,
    /// What is done to the subject `before` to get the subject `after`, in words.
    pub change: &'static str,
    pub before: String,
    pub after: String,
}

const FIXED: Configuration<LittleEndian, Fixint> =
    bincode::config::standard().with_fixed_int_encoding();

// ---- Documents of other texts

/// The suite's document with the type of its texts left open.
#[derive(Decode, Deserialize, Readable)]
pub struct DocumentOf<T> {
    pub id: T,
    pub status: i32,
    pub meta: MetaOf<T>,
    pub items: Vec<ItemOf<T>>,
}

#[derive(Decode, Deserialize, Readable)]
pub struct MetaOf<T> {
    pub region: T,
    pub version: i32,
}

#[derive(Decode, Deserialize, Readable)]
pub struct ItemOf<T> {
    pub sku: T,
    pub qty: i32,
    pub price_minor: i64,
}

/// A text that is copied, not zeroed first, and then checked for UTF-8 (Speedy does so by itself;
/// bincode zeroes first).
pub struct Copied(pub String);

/// A text that is checked in the input and then copied.
pub struct CheckedFirst(pub String);

/// The same, but the memory for the copy is asked for full of zeros.
pub struct CheckedFirstZeroed(pub String);

/// A text whose memory is asked for full of zeros, filled, and then checked (bincode does so by
/// itself).
pub struct Zeroed(pub String);

/// A text that is not checked for UTF-8 and otherwise read as the crate reads texts.
pub struct Unchecked(pub String);

/// A text in memory that was full of zeros.
fn zeroed(text: &str) -> String {
    let mut copy = vec![0; text.len()];
    hide(&mut copy);
    copy.copy_from_slice(text.as_bytes());
    // Safety: these are the bytes of a text.
    unsafe { String::from_utf8_unchecked(copy) }
}

/// Keeps the zeros: the compiler would see that each is overwritten, and ask for other memory.
#[inline(always)]
pub fn hide(memory: &mut Vec<u8>) {
    black_box(memory.as_mut_ptr());
}

/// Reads a text with bincode; `own` makes it of the bytes in the input.
#[inline(always)]
fn text<D: Decoder>(
    decoder: &mut D,
    own: impl Fn(&[u8]) -> Result<String, Utf8Error>,
) -> Result<String, DecodeError> {
    let length = u64::decode(decoder)? as usize;
    decoder.claim_container_read::<u8>(length)?;
    let bytes = decoder.reader().peek_read(length);
    let text = own(bytes.ok_or(DecodeError::UnexpectedEnd { additional: length })?)
        .map_err(|inner| DecodeError::Utf8 { inner })?;
    decoder.reader().consume(length);
    Ok(text)
}

impl<C> Decode<C> for Copied {
    fn decode<D: Decoder<Context = C>>(decoder: &mut D) -> Result<Self, DecodeError> {
        let own = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).map_err(|e| e.utf8_error());
        text(decoder, own).map(Self)
    }
}

impl<C> Decode<C> for CheckedFirst {
    fn decode<D: Decoder<Context = C>>(decoder: &mut D) -> Result<Self, DecodeError> {
        text(decoder, |bytes| str::from_utf8(bytes).map(str::to_owned)).map(Self)
    }
}

impl<C> Decode<C> for CheckedFirstZeroed {
    fn decode<D: Decoder<Context = C>>(decoder: &mut D) -> Result<Self, DecodeError> {
        text(decoder, |bytes| str::from_utf8(bytes).map(zeroed)).map(Self)
    }
}

impl<C> Decode<C> for Unchecked {
    fn decode<D: Decoder<Context = C>>(decoder: &mut D) -> Result<Self, DecodeError> {
        let bytes = Vec::<u8>::decode(decoder)?;
        // Safety: only what was encoded from a String is decoded here.
        Ok(Self(unsafe { String::from_utf8_unchecked(bytes) }))
    }
}

bincode::impl_borrow_decode!(Copied);
bincode::impl_borrow_decode!(CheckedFirst);
bincode::impl_borrow_decode!(CheckedFirstZeroed);
bincode::impl_borrow_decode!(Unchecked);

/// Through Serde a type cannot reach bincode's reader, but it can ask for a borrowed text.
impl<'de> Deserialize<'de> for CheckedFirst {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&str>::deserialize(deserializer).map(|text| Self(text.to_owned()))
    }
}

impl<'de> Deserialize<'de> for CheckedFirstZeroed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&str>::deserialize(deserializer).map(|text| Self(zeroed(text)))
    }
}

/// Through Serde, bincode reads a `Vec<u8>` as its texts, without the check.
impl<'de> Deserialize<'de> for Unchecked {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;

        impl serde::de::Visitor<'_> for Bytes {
            type Value = Unchecked;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("bytes")
            }

            fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Unchecked, E> {
                // Safety: only what was encoded from a String is decoded here.
                Ok(Unchecked(unsafe { String::from_utf8_unchecked(bytes) }))
            }
        }

        deserializer.deserialize_byte_buf(Bytes)
    }
}

/// How Speedy reads one of these texts; all of them start with a length of four bytes.
macro_rules! read_with_speedy {
    ($name:ident, $reader:ident, $read:expr) => {
        impl<'a, C: Context> Readable<'a, C> for $name {
            #[inline]
            fn read_from<R: speedy::Reader<'a, C>>($reader: &mut R) -> Result<Self, C::Error> {
                $read.map(Self)
            }

            #[inline]
            fn minimum_bytes_needed() -> usize {
                4
            }
        }
    };
}

read_with_speedy!(CheckedFirst, reader, <&'a str>::read_from(reader).map(str::to_owned));
read_with_speedy!(CheckedFirstZeroed, reader, <&'a str>::read_from(reader).map(zeroed));
read_with_speedy!(Zeroed, reader, {
    let mut bytes = vec![0; reader.read_u32()? as usize];
    hide(&mut bytes);
    reader.read_bytes(&mut bytes)?;
    String::from_utf8(bytes).map_err(|_| speedy::Error::custom("invalid UTF-8").into())
});
read_with_speedy!(Unchecked, reader, {
    // Safety: only what was written from a String is read here.
    Vec::<u8>::read_from(reader).map(|bytes| unsafe { String::from_utf8_unchecked(bytes) })
});

// ---- Readers for bincode

/// bincode's own slice reader, word for word what it does, but ours.
struct Checked<'a>(&'a [u8]);

impl Reader for Checked<'_> {
    #[inline(always)]
    fn read(&mut self, bytes: &mut [u8]) -> Result<(), DecodeError> {
        let Some((head, tail)) = self.0.split_at_checked(bytes.len()) else {
            return Err(DecodeError::UnexpectedEnd { additional: bytes.len() - self.0.len() });
        };
        bytes.copy_from_slice(head);
        self.0 = tail;
        Ok(())
    }

    #[inline]
    fn peek_read(&mut self, count: usize) -> Option<&[u8]> {
        self.0.get(..count)
    }

    #[inline]
    fn consume(&mut self, count: usize) {
        self.0 = self.0.get(count..).unwrap_or_default();
    }
}

/// The same without any test of what is left. Sound only for input that is known to be complete.
struct Trusting<'a>(&'a [u8]);

impl Reader for Trusting<'_> {
    #[inline(always)]
    fn read(&mut self, bytes: &mut [u8]) -> Result<(), DecodeError> {
        // Safety: the input is complete.
        let (head, tail) = unsafe { self.0.split_at_unchecked(bytes.len()) };
        bytes.copy_from_slice(head);
        self.0 = tail;
        Ok(())
    }

    #[inline]
    fn peek_read(&mut self, count: usize) -> Option<&[u8]> {
        // Safety: integers of fixed widths never peek ahead, so what is asked for is there.
        Some(unsafe { self.0.get_unchecked(..count) })
    }

    #[inline]
    fn consume(&mut self, count: usize) {
        // Safety: as above.
        self.0 = unsafe { self.0.get_unchecked(count..) };
    }
}

// ---- Contexts for Speedy

/// Speedy's default context with another type of error.
struct With<E>(std::marker::PhantomData<E>);

impl<E: From<speedy::Error> + IsEof> Context for With<E> {
    type Error = E;

    #[inline]
    fn endianness(&self) -> Endianness {
        Endianness::LittleEndian
    }
}

/// An error of one byte.
struct Small(#[allow(dead_code)] u8);

/// An error as large as bincode's, with the same need to be dropped as Speedy's.
struct Large(#[allow(dead_code)] [u64; size_of::<DecodeError>() / 8], Option<speedy::Error>);

impl From<speedy::Error> for Small {
    fn from(_: speedy::Error) -> Self {
        Self(1)
    }
}

impl From<speedy::Error> for Large {
    fn from(error: speedy::Error) -> Self {
        Self([1; _], Some(error))
    }
}

impl IsEof for Small {
    fn is_eof(&self) -> bool {
        false
    }
}

impl IsEof for Large {
    fn is_eof(&self) -> bool {
        self.1.as_ref().is_some_and(IsEof::is_eof)
    }
}

fn speedy_with<E: From<speedy::Error> + IsEof + 'static>(
    how: &'static str,
    data: &[u8],
) -> Subject {
    decode(SPEEDY, how, "suite", data.to_vec(), |data| {
        Document::read_from_buffer_with_ctx(With::<E>(std::marker::PhantomData), data)
    })
}

// ---- Everything together

/// Speedy on a document with texts of type `T`.
fn speedy_text<T>(how: &'static str, data: &[u8]) -> Subject
where
    T: for<'a> Readable<'a, speedy::LittleEndian> + 'static,
{
    decode(SPEEDY, how, "suite", data.to_vec(), |data| DocumentOf::<T>::read_from_buffer(data))
}

/// bincode's own traits on a document with texts of type `T`.
fn own_text<T: Decode<()> + 'static>(how: &'static str, data: &[u8]) -> Subject {
    decode(bincode_kind::<Document>("own", "fixed"), how, "suite", data.to_vec(), |data| {
        bincode::decode_from_slice::<DocumentOf<T>, _>(data, FIXED)
    })
}

/// bincode through Serde on a document with texts of type `T`.
fn serde_text<T: DeserializeOwned + 'static>(how: &'static str, data: &[u8]) -> Subject {
    decode(bincode_kind::<Document>("serde", "fixed"), how, "suite", data.to_vec(), |data| {
        bincode::serde::decode_from_slice::<DocumentOf<T>, _>(data, FIXED)
    })
}

/// The subjects that appear in interventions only.
pub fn subjects(document: &Document) -> Vec<Subject> {
    let speedy = document.write_to_vec().expect("a document can be written");
    let fixed = bincode::encode_to_vec(document, FIXED).expect("it can be encoded");
    let own = bincode_kind::<Document>("own", "fixed");
    let serde = bincode_kind::<Document>("serde", "fixed");
    let mut all = vec![
        speedy_text::<Zeroed>("zeroed", &speedy),
        speedy_text::<CheckedFirst>("checked-first", &speedy),
        speedy_text::<CheckedFirstZeroed>("checked-first-zeroed", &speedy),
        speedy_text::<Unchecked>("no-utf8-check", &speedy),
        decode(SPEEDY, "borrowed", "suite", speedy.clone(), |data| {
            DocumentOf::<&str>::read_from_buffer(data).map(|document| document.items.len())
        }),
        speedy_with::<Small>("small-error", &speedy),
        speedy_with::<speedy::Error>("own-error", &speedy),
        speedy_with::<Large>("large-error", &speedy),
        own_text::<String>("generic", &fixed),
        own_text::<Copied>("copied", &fixed),
        own_text::<CheckedFirst>("checked-first", &fixed),
        own_text::<CheckedFirstZeroed>("checked-first-zeroed", &fixed),
        own_text::<Unchecked>("no-utf8-check", &fixed),
        decode(own, "borrowed", "suite", fixed.clone(), |data| {
            bincode::borrow_decode_from_slice::<DocumentOf<&str>, _>(data, FIXED)
                .map(|(document, _)| document.items.len())
        }),
        decode(own, "checked-reader", "suite", fixed.clone(), |data| {
            bincode::decode_from_reader::<Document, _, _>(Checked(data), FIXED)
        }),
        decode(own, "trusting-reader", "suite", fixed.clone(), |data| {
            bincode::decode_from_reader::<Document, _, _>(Trusting(data), FIXED)
        }),
        serde_text::<String>("generic", &fixed),
        serde_text::<CheckedFirst>("checked-first", &fixed),
        serde_text::<CheckedFirstZeroed>("checked-first-zeroed", &fixed),
        serde_text::<Unchecked>("no-utf8-check", &fixed),
        decode(serde, "borrowed", "suite", fixed.clone(), |data| {
            bincode::serde::borrow_decode_from_slice::<DocumentOf<&str>, _>(data, FIXED)
                .map(|(document, _)| document.items.len())
        }),
        decode(serde, "checked-reader", "suite", fixed.clone(), |data| {
            bincode::serde::decode_from_reader::<Document, _, _>(Checked(data), FIXED)
        }),
        decode(serde, "trusting-reader", "suite", fixed.clone(), |data| {
            bincode::serde::decode_from_reader::<Document, _, _>(Trusting(data), FIXED)
        }),
        other(
            "floor",
            Kind { library: "none", road: "clone", ..SPEEDY },
            "plain",
            0,
            document.clone(),
            Document::clone,
        ),
    ];
    all.extend(hand::subjects(&speedy, &fixed));
    all.extend(rotations());
    all
}

/// How many different documents a rotation goes through.
const MANY: u64 = 1024;

/// The calls of the source on many documents in turn: no branch repeats itself so soon.
fn rotations() -> Vec<Subject> {
    let documents: Vec<Document> = (0..MANY).map(crate::document_at).collect();
    let fixtures: Vec<Fixture> = documents.iter().cloned().map(Fixture::Document).collect();
    let standard = bincode::config::standard();
    let bincode = |widths| bincode_kind::<Document>("serde", widths);
    let postcard = Kind { library: "postcard", road: "serde", widths: "leb128", ..SPEEDY };
    let mut all = vec![
        write_in_turn(SPEEDY, documents.clone(), |value, out| {
            value.write_to_stream(out).expect("a Vec takes everything");
        }),
        read_in_turn(
            SPEEDY,
            &documents,
            |one| one.write_to_vec().expect("it can"),
            |data| Document::read_from_buffer(data),
        ),
    ];
    all.extend(bincode_in_turn(bincode("standard"), standard, &documents));
    all.extend(bincode_in_turn(bincode("fixed"), FIXED, &documents));
    all.extend(bincode_in_turn(
        Kind { record: "fixture", ..bincode("standard") },
        standard,
        &fixtures,
    ));
    all.push(write_in_turn(postcard, documents.clone(), |value, out| {
        *out = postcard::to_extend(value, std::mem::take(out)).expect("a Vec takes everything");
    }));
    all.push(read_in_turn(
        postcard,
        &documents,
        |one| postcard::to_stdvec(one).expect("it can"),
        |data| postcard::from_bytes::<Document>(data),
    ));
    all
}

fn bincode_in_turn<T: crate::suite::Record, C: Config + 'static>(
    kind: Kind,
    config: C,
    values: &[T],
) -> [Subject; 2] {
    [
        write_in_turn(kind, values.to_vec(), move |value, out| {
            bincode::serde::encode_into_std_write(value, out, config).expect("a Vec takes all");
        }),
        read_in_turn(
            kind,
            values,
            move |one| bincode::encode_to_vec(one, config).expect("it can"),
            move |data| bincode::serde::decode_from_slice::<T, _>(data, config),
        ),
    ]
}

fn write_in_turn<T: 'static>(
    kind: Kind,
    values: Vec<T>,
    write: impl Fn(&T, &mut Vec<u8>) + 'static,
) -> Subject {
    let next = turn();
    let mut subject = encode(kind, "in-turn", "many", values, move |values, out| {
        write(&values[next()], out);
    });
    subject.about.inputs = MANY;
    subject
}

fn read_in_turn<T, O, E>(
    kind: Kind,
    values: &[T],
    write: impl Fn(&T) -> Vec<u8>,
    read: impl for<'a> Fn(&'a [u8]) -> Result<O, E> + 'static,
) -> Subject {
    let mut data = Vec::new();
    let mut ends = vec![0];
    for value in values {
        data.extend(write(value));
        ends.push(data.len());
    }
    let bytes = data.len() / values.len();
    let next = turn();
    let mut subject = decode(kind, "in-turn", "many", data, move |data| {
        let index = next();
        read(&data[ends[index]..ends[index + 1]])
    });
    subject.about.bytes = bytes;
    subject.about.inputs = MANY;
    subject
}

/// Counts 0, 1, ... and begins anew after the last document.
fn turn() -> impl Fn() -> usize {
    let place = Cell::new(0);
    move || {
        let now = place.get();
        place.set((now + 1) % MANY as usize);
        now
    }
}

const COPIED: &str = "texts copied from the input, not read into zeroed memory";
const ZEROED_FIRST: &str = "memory for texts zeroed first";
const CHECKED_FIRST: &str = "UTF-8 checked in the input before the copy, not in the copy";
const BOTH: &str = "UTF-8 checked in the input, then copied into memory that was not zeroed";
const NO_CHECK: &str = "no UTF-8 check";
const BORROWED: &str = "texts borrowed from the input, neither allocated nor copied";

/// The pairs.
pub fn list() -> Vec<Intervention> {
    let pair = |suspect, change, before: &str, after: &str| Intervention {
        suspect,
        change,
        before: before.to_owned(),
        after: after.to_owned(),
    };
    let own = "decode/bincode/own/fixed/document";
    let serde = "decode/bincode/serde/fixed/document";
    let speedy = "decode/speedy/own/fixed/document";
    let on = |suspect, change, road: &str, before: &str, after: &str| {
        pair(suspect, change, &format!("{road}/{before}/suite"), &format!("{road}/{after}/suite"))
    };
    let mut all = vec![
        on("zeroing", COPIED, own, "generic", "copied"),
        on("zeroing", ZEROED_FIRST, own, "checked-first", "checked-first-zeroed"),
        on("zeroing", ZEROED_FIRST, serde, "checked-first", "checked-first-zeroed"),
        on("zeroing", ZEROED_FIRST, speedy, "checked-first", "checked-first-zeroed"),
        on("zeroing", ZEROED_FIRST, speedy, "plain", "zeroed"),
        on("check-order", CHECKED_FIRST, own, "copied", "checked-first"),
        on("check-order", CHECKED_FIRST, speedy, "plain", "checked-first"),
        on("zeroing+check-order", BOTH, own, "generic", "checked-first"),
        on("zeroing+check-order", BOTH, serde, "generic", "checked-first"),
        on("utf8", NO_CHECK, own, "generic", "no-utf8-check"),
        on("utf8", NO_CHECK, serde, "generic", "no-utf8-check"),
        on("utf8", NO_CHECK, speedy, "plain", "no-utf8-check"),
        on("texts", BORROWED, own, "generic", "borrowed"),
        on("texts", BORROWED, serde, "generic", "borrowed"),
        on("texts", BORROWED, speedy, "plain", "borrowed"),
        on("error-type", "an error of one byte", speedy, "own-error", "small-error"),
        on("error-type", "an error larger than bincode's", speedy, "own-error", "large-error"),
        on("bounds", "no test of what is left", own, "checked-reader", "trusting-reader"),
        on("bounds", "no test of what is left", serde, "checked-reader", "trusting-reader"),
        on("generic", "the same document, its type generic", own, "plain", "generic"),
        on("generic", "the same document, its type generic", serde, "plain", "generic"),
    ];
    for (road, how) in [
        ("speedy/own/fixed/document", "write"),
        ("bincode/serde/standard/document", "write"),
        ("bincode/serde/standard/fixture", "write"),
        ("bincode/serde/fixed/document", "write"),
        ("postcard/serde/leb128/document", "extend"),
    ] {
        let change = "1024 documents in turn instead of one";
        for (direction, how) in [("encode", how), ("decode", "plain")] {
            all.push(pair(
                "one-document",
                change,
                &format!("{direction}/{road}/{how}/suite"),
                &format!("{direction}/{road}/in-turn/many"),
            ));
        }
    }
    all.extend(hand::interventions());
    all
}
