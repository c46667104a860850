//! What the book says about the crates and requests cannot show, and the oracle's own promises.

use crate::catalogue::{TYPES, describe, named};
use crate::exact::hex;
use crate::fixtures::{KINDS, make};
use crate::formats::{FORMATS, Format, Settings};
use crate::records::Fixture;
use crate::requests::answer;
use bincode1::Options;
use serde_json::{Value, json};
use speedy::{BigEndian, IsEof, LittleEndian, Readable, Writable};

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("the oracle writes JSON")
}

/// The size of a value in a format, in bytes.
fn size(ty: &str, value: &str, format: &str) -> usize {
    let format = Format::named(format).unwrap();
    named(ty).unwrap().encode(&json(value), format).unwrap().len()
}

#[test]
fn the_running_document_has_the_sizes_of_the_sources() {
    let Some(fixture @ Fixture::Document(document)) = &make("document", 42, 0) else { panic!() };
    assert_eq!(document.id, "ffgcfoeukap");
    let first = &document.items[0];
    assert_eq!((&*first.sku, first.qty, first.price_minor), ("amyixx", 5, 7028));
    let alone = fixture.record();
    let wrapped = format!("{{\"variant\":\"Document\",\"fields\":[{alone}]}}");
    for (format, size_alone, size_wrapped) in [
        ("speedy", 214, 218),
        ("bincode-standard", 121, 122),
        ("bincode-legacy", 258, 262),
        ("bincode1", 258, 262),
        ("postcard", 113, 114),
        ("rkyv", 272, 296),
    ] {
        assert_eq!(size("document", &alone, format), size_alone, "{format}");
        assert_eq!(size("fixture", &wrapped, format), size_wrapped, "{format}");
    }
    assert_eq!(serde_json::to_string(document).unwrap().len(), 447);
}

#[test]
fn the_other_records_have_their_sizes() {
    let formats = ["speedy", "bincode-standard", "postcard", "bincode-legacy"];
    let Some(Fixture::Message(message)) = make("message", 42, 0) else { panic!() };
    assert_eq!(message.f_int32, 433_424);
    let Some(Fixture::Event(event)) = make("event", 42, 0) else { panic!() };
    assert_eq!(event.event_id, "oddyucnm");
    for (kind, sizes) in [("message", [60, 53, 47, 68]), ("event", [133, 98, 95, 181])] {
        let record = make(kind, 42, 0).unwrap().record();
        assert_eq!(formats.map(|format| size(kind, &record, format)), sizes, "{kind}");
    }
}

#[test]
fn every_kind_is_a_type() {
    for kind in KINDS {
        assert!(named(kind).is_some() && make(kind, 0, 0).is_some());
    }
    assert!(make("letter", 0, 0).is_none());
}

#[test]
fn names_are_unique_and_formats_have_versions() {
    for (place, ty) in TYPES.iter().enumerate() {
        assert!(TYPES[..place].iter().all(|other| other.name != ty.name), "{}", ty.name);
    }
    let versions = FORMATS.map(|(_, format)| (format.package(), format.version()));
    for pinned in [
        ("speedy", "0.8.7"),
        ("bincode", "2.0.1"),
        ("bincode", "1.3.3"),
        ("postcard", "1.1.3"),
        ("rkyv", "0.8.17"),
    ] {
        assert!(versions.contains(&pinned), "{pinned:?}");
    }
}

#[test]
fn described_discriminants_are_those_speedy_writes() {
    let definitions = &describe()["definitions"];
    for (name, ty) in [("Tagged", "tagged"), ("WideTagged", "wide_tagged"), ("Many", "many")] {
        for variant in definitions[name]["variants"].as_array().unwrap() {
            let value = json!({"variant": variant["name"]});
            let bytes = named(ty).unwrap().encode(&value, Format::Speedy).unwrap();
            let tag = u32::from_le_bytes(bytes.try_into().unwrap());
            assert_eq!(variant["discriminant"], tag, "{name}");
        }
    }
}

#[test]
fn answers_echo_the_id_and_say_what_is_wrong() {
    let reply =
        json(&answer(r#"{"id":[7],"op":"decode","type":"u16","format":"speedy","hex":"0500"}"#));
    assert_eq!(reply, json!({"id": [7], "value": 5, "used": 2}));
    let reply =
        json(&answer(r#"{"id":"a","op":"decode","type":"u61","format":"speedy","hex":""}"#));
    assert_eq!(reply["id"], "a");
    assert_eq!(reply["error"]["kind"], "BadRequest");
    assert_eq!(json(&answer("{"))["error"]["kind"], "BadRequest");
}

#[test]
fn rkyv_errors_have_the_name_of_their_type() {
    for (ty, digits, kind) in [
        ("bool", "02", "BoolCheckError"),
        ("colour", "09", "InvalidEnumDiscriminantError"),
        ("string", "c3ffffffffffffff", "Utf8Error"),
    ] {
        let bytes = crate::exact::unhex(digits).unwrap();
        let format = Format::Rkyv { access: true };
        let verdict = named(ty).unwrap().decode(&bytes, format, Settings::default());
        assert_eq!(verdict.err().unwrap().kind, kind);
    }
}

/// Attributes of speedy's derive that change the bytes.
#[derive(Debug, Default, PartialEq, Readable, Writable)]
struct Attributes {
    #[speedy(length_type = u8)]
    text: String,
    count: u8,
    #[speedy(length = count)]
    numbers: Vec<u16>,
    #[speedy(skip)]
    skipped: u32,
    #[speedy(constant_prefix = "MAGIC")]
    after: u8,
    #[speedy(varint)]
    number: u64,
    #[speedy(default_on_eof)]
    last: u32,
}

#[test]
fn speedy_attributes_change_the_bytes() {
    let value = Attributes {
        text: "hi".into(),
        count: 2,
        numbers: vec![1, 2],
        skipped: 9,
        after: 7,
        number: 300,
        last: 4,
    };
    let bytes = value.write_to_vec().unwrap();
    assert_eq!(hex(&bytes), "02686902010002004d4147494307812c04000000");
    let back = Attributes::read_from_buffer(&bytes).unwrap();
    assert_eq!(back, Attributes { skipped: 0, ..value });
    let shorter = Attributes::read_from_buffer(&bytes[..bytes.len() - 4]).unwrap();
    assert_eq!(shorter, Attributes { last: 0, ..back });
}

#[test]
fn speedy_is_little_endian_unless_told_otherwise() {
    let number = 11_u32;
    assert_eq!(number.write_to_vec().unwrap(), [11, 0, 0, 0]);
    let little = LittleEndian::default();
    assert_eq!(number.write_to_vec_with_ctx(little).unwrap(), [11, 0, 0, 0]);
    let big = BigEndian::default();
    assert_eq!(number.write_to_vec_with_ctx(big).unwrap(), [0, 0, 0, 11]);
}

#[test]
fn a_result_is_tagged_the_other_way_round_in_speedy() {
    let good: Result<u8, u8> = Ok(7);
    assert_eq!(good.write_to_vec().unwrap(), [1, 7]);
    assert_eq!(postcard::to_stdvec(&good).unwrap(), [0, 7]);
    assert_eq!(bincode::encode_to_vec(good, bincode::config::standard()).unwrap(), [0, 7]);
    assert_eq!(bincode1::serialize(&good).unwrap(), [0, 0, 0, 0, 7]);
}

#[test]
fn speedy_tells_two_ends_of_input_apart() {
    let too_small = u32::read_from_buffer(&[1]).unwrap_err();
    assert!(!too_small.is_eof());
    let cut_short = String::read_from_buffer(&[5, 0, 0, 0, 97]).unwrap_err();
    assert!(cut_short.is_eof());
}

#[test]
fn bincode1_heeds_a_limit_when_it_reads_a_stream_only() {
    let options = bincode1::options().with_fixint_encoding().with_limit(1);
    let bytes = [5, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(options.deserialize::<u64>(&bytes).unwrap(), 5);
    let error = options.deserialize_from::<_, u64>(&bytes[..]).unwrap_err();
    assert!(matches!(*error, bincode1::ErrorKind::SizeLimit));
}

#[test]
fn a_signalling_nan_survives_every_format() {
    let nan = json!("0x7f800001");
    for (name, format) in FORMATS {
        let ty = named("f32").unwrap();
        let bytes = ty.encode(&nan, format).unwrap();
        let back = ty.decode(&bytes, format, Settings::default()).ok().unwrap();
        assert_eq!(json(&back.value), nan, "{name}");
    }
}
