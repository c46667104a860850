//! The suite's document through every call the book speaks of.

use crate::records::{Document, Fixture};
use crate::subject::{Kind, Subject, decode, encode, encode_to_slice, other};
use bincode::config::Config;
use rkyv::rancor::Error;
use rkyv::util::AlignedVec;
use serde::de::DeserializeOwned;
use speedy::{Readable, Writable};
use std::cell::RefCell;

pub const SPEEDY: Kind =
    Kind { library: "speedy", road: "own", widths: "fixed", record: "document" };
const RKYV: Kind = Kind { library: "rkyv", road: "own", widths: "archive", record: "document" };

/// What every record here can do.
pub trait Record:
    bincode::Encode + bincode::Decode<()> + serde::Serialize + DeserializeOwned + Clone + 'static
{
    const NAME: &'static str;
}

impl Record for Document {
    const NAME: &'static str = "document";
}

impl Record for Fixture {
    const NAME: &'static str = "fixture";
}

/// The name of a bincode configuration, and its kind with this road.
pub fn bincode_kind<T: Record>(road: &'static str, widths: &'static str) -> Kind {
    Kind { library: "bincode", road, widths, record: T::NAME }
}

/// Every subject of the suite's document.
pub fn subjects(document: &Document) -> Vec<Subject> {
    let fixture = Fixture::Document(document.clone());
    let standard = bincode::config::standard();
    // The same type as `legacy()`.
    let fixed = standard.with_fixed_int_encoding();
    let mut all = speedy("suite", document);
    bincode("standard", standard, document, &mut all);
    bincode("standard", standard, &fixture, &mut all);
    bincode("fixed", fixed, document, &mut all);
    bincode("fixed", fixed, &fixture, &mut all);
    postcard(document, &mut all);
    postcard(&fixture, &mut all);
    rkyv(document, &mut all);
    all
}

/// Speedy's calls in the source, on a document.
pub fn speedy(payload: &str, document: &Document) -> Vec<Subject> {
    let data = document.write_to_vec().expect("a document can be written");
    vec![
        encode(SPEEDY, "write", payload, document.clone(), |value, out| {
            value.write_to_stream(out).expect("a Vec takes everything");
        }),
        encode_to_slice(SPEEDY, payload, document.clone(), data.len(), |value, out| {
            value.write_to_buffer(out).expect("there is room");
            out.len()
        }),
        decode(SPEEDY, "plain", payload, data, |data| Document::read_from_buffer(data)),
    ]
}

/// bincode through Serde: the source's calls, on a document.
pub fn bincode_serde<T: Record, C: Config + 'static>(
    payload: &str,
    widths: &'static str,
    config: C,
    value: &T,
) -> [Subject; 2] {
    let kind = bincode_kind::<T>("serde", widths);
    let data = bincode::encode_to_vec(value, config).expect("a record can be encoded");
    [
        encode(kind, "write", payload, value.clone(), move |value, out| {
            bincode::serde::encode_into_std_write(value, out, config).expect("a Vec takes all");
        }),
        decode(kind, "plain", payload, data, move |data| {
            bincode::serde::decode_from_slice::<T, _>(data, config)
        }),
    ]
}

fn bincode<T: Record, C: Config + 'static>(
    widths: &'static str,
    config: C,
    value: &T,
    all: &mut Vec<Subject>,
) {
    let data = bincode::encode_to_vec(value, config).expect("a record can be encoded");
    let (serde, native) = (bincode_kind::<T>("serde", widths), bincode_kind::<T>("own", widths));
    all.extend(bincode_serde("suite", widths, config, value));
    all.push(encode_to_slice(serde, "suite", value.clone(), data.len(), move |value, out| {
        bincode::serde::encode_into_slice(value, out, config).expect("there is room")
    }));
    all.push(encode(native, "write", "suite", value.clone(), move |value, out| {
        bincode::encode_into_std_write(value, out, config).expect("a Vec takes all");
    }));
    all.push(encode_to_slice(native, "suite", value.clone(), data.len(), move |value, out| {
        bincode::encode_into_slice(value, out, config).expect("there is room")
    }));
    all.push(decode(native, "plain", "suite", data, move |data| {
        bincode::decode_from_slice::<T, _>(data, config)
    }));
}

fn postcard<T: Record>(value: &T, all: &mut Vec<Subject>) {
    let kind = Kind { library: "postcard", road: "serde", widths: "leb128", record: T::NAME };
    let data = postcard::to_stdvec(value).expect("a record can be encoded");
    all.push(encode(kind, "extend", "suite", value.clone(), |value, out| {
        *out = postcard::to_extend(value, std::mem::take(out)).expect("a Vec takes everything");
    }));
    all.push(encode_to_slice(kind, "suite", value.clone(), data.len(), |value, out| {
        postcard::to_slice(value, out).expect("there is room").len()
    }));
    all.push(decode(kind, "plain", "suite", data, |data| postcard::from_bytes::<T>(data)));
}

fn rkyv(document: &Document, all: &mut Vec<Subject>) {
    let archive: AlignedVec =
        rkyv::to_bytes::<Error>(document).expect("a document can be archived");
    let bytes = archive.len();
    rkyv::from_bytes::<Document, Error>(&archive).expect("rkyv reads what it wrote");
    let road = |road| Kind { road, ..RKYV };
    all.push(encode(road("to_bytes"), "copied", "suite", document.clone(), |value, out| {
        let archive: AlignedVec = rkyv::to_bytes::<Error>(value).expect("it can be archived");
        out.extend_from_slice(&archive);
    }));
    let reused = RefCell::new(AlignedVec::<16>::new());
    let mut subject = other(
        "encode",
        road("to_bytes_in"),
        "reused",
        bytes,
        (document.clone(), reused),
        |(value, reused)| {
            let mut out = reused.borrow_mut();
            out.clear();
            rkyv::api::high::to_bytes_in::<_, Error>(value, &mut *out).expect("it can be archived");
            out.len()
        },
    );
    (subject.run)(1);
    all.push(subject);
    all.push(other("decode", road("from_bytes"), "plain", bytes, archive.clone(), |archive| {
        rkyv::from_bytes::<Document, Error>(archive)
    }));
    all.push(other("read", road("access"), "status", bytes, archive.clone(), |archive| {
        rkyv::access::<rkyv::Archived<Document>, Error>(archive)
            .map(|document| document.status.to_native())
    }));
    all.push(other("read", road("access_unchecked"), "status", bytes, archive, |archive| {
        // Safety: these bytes were archived above and nobody has written to them.
        unsafe { rkyv::access_unchecked::<rkyv::Archived<Document>>(archive) }.status.to_native()
    }));
}
