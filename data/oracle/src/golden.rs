//! Writes the golden files: what the crates write, and what they say to other bytes.

use crate::exact::{hex, parse, unhex, written};
use crate::formats::{Bincode, FORMATS, Format, Settings};
use crate::rejects::{Change, Source, rejects};
use crate::supervisor::{Limits, supervise};
use crate::vectors::{RECORDS, VALUES};
use crate::{catalogue, fixtures};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::fs;
use std::io;
use std::path::Path;

/// The formats of the golden vectors. The others write the same bytes as one of these.
const VECTOR_FORMATS: [&str; 9] = [
    "speedy",
    "bincode-standard",
    "bincode-legacy",
    "bincode-variable-big",
    "bincode-fixed-big",
    "bincode1",
    "bincode1-options",
    "postcard",
    "rkyv",
];

/// A line of `vectors.jsonl`.
#[derive(Serialize)]
struct Vector<'a> {
    #[serde(rename = "type")]
    ty: &'a str,
    value: &'a RawValue,
    format: &'a str,
    hex: String,
    #[serde(rename = "crate")]
    package: &'a str,
    version: &'a str,
    exercises: &'a str,
}

/// A line of `rejects.jsonl`.
#[derive(Serialize)]
struct Verdict<'a> {
    #[serde(rename = "type")]
    ty: &'a str,
    format: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<usize>,
    #[serde(skip_serializing_if = "is_zero")]
    offset: usize,
    hex: String,
    #[serde(rename = "crate")]
    package: &'a str,
    version: &'a str,
    verdict: Box<RawValue>,
    exercises: &'a str,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// Writes `vectors.jsonl`, `rejects.jsonl`, the catalogue of their types and a `README.md` about
/// them into a directory.
pub fn write(directory: &Path) -> io::Result<()> {
    let (vectors, rejects) = (vectors()?, verdicts()?);
    fs::create_dir_all(directory)?;
    fs::write(directory.join("README.md"), readme(&vectors, &rejects))?;
    fs::write(directory.join("types.json"), format!("{:#}\n", catalogue::describe()))?;
    fs::write(directory.join("vectors.jsonl"), vectors)?;
    fs::write(directory.join("rejects.jsonl"), rejects)
}

/// How many lines are about a format.
fn count(lines: &str, format: &str) -> usize {
    let member = format!("\"format\":\"{format}\"");
    lines.lines().filter(|line| line.contains(&member)).count()
}

/// The provenance of the golden files, with counts by format.
fn readme(vectors: &str, rejects: &str) -> String {
    let row = |(name, format): (&str, Format)| match (count(vectors, name), count(rejects, name)) {
        (0, 0) => String::new(),
        (vectors, rejects) => {
            let (package, version) = (format.package(), format.version());
            format!("| `{name}` | {package} {version} | {vectors} | {rejects} |\n")
        }
    };
    let accepted = rejects.lines().filter(|line| line.contains("\"verdict\":{\"value\":")).count();
    format!(
        include_str!("golden.md"),
        vectors = vectors.lines().count(),
        rejects = rejects.lines().count(),
        accepted = accepted,
        rows = FORMATS.map(row).concat(),
    )
}

fn vectors() -> io::Result<String> {
    let mut lines = String::new();
    for (ty, values) in VALUES {
        for (value, exercises) in *values {
            add_vectors(ty, value, exercises, &mut lines)?;
        }
    }
    for (kind, seed, index) in RECORDS {
        let fixture = fixtures::make(kind, seed, index).expect("the kind is known");
        let exercises = format!("the suite's {kind}, seed {seed}, index {index}");
        let (record, wrapped) = (fixture.record(), written(&fixture));
        add_vectors(kind, &record, &exercises, &mut lines)?;
        add_vectors("fixture", &wrapped, &format!("{exercises}, as a Fixture"), &mut lines)?;
    }
    Ok(lines)
}

/// Adds a value in every format, after checking that it comes back.
fn add_vectors(name: &str, value: &str, exercises: &str, lines: &mut String) -> io::Result<()> {
    let ty = catalogue::named(name).ok_or_else(|| io::Error::other(format!("no type {name}")))?;
    let json: Value = parse(value)?;
    for (format_name, format) in FORMATS {
        if !ty.supports(format) {
            continue;
        }
        let fail = |what: &str| io::Error::other(format!("{name} {value} {format_name}: {what}"));
        let bytes = ty.encode(&json, format).map_err(|failure| fail(&failure.text))?;
        let back = ty
            .decode(&bytes, format, Settings::default())
            .map_err(|failure| fail(&failure.text))?;
        if parse::<Value>(&back.value)? != json || back.used != bytes.len() {
            return Err(fail("it does not come back"));
        }
        if let Format::Bincode(bincode) = format {
            let serde = Format::Bincode(Bincode { native: false, ..bincode });
            if ty.encode(&json, serde).as_ref() != Ok(&bytes) {
                return Err(fail("bincode's own traits write other bytes than Serde's"));
            }
        }
        if VECTOR_FORMATS.contains(&format_name) {
            push(
                &Vector {
                    ty: name,
                    value: serde_json::from_str(value)?,
                    format: format_name,
                    hex: hex(&bytes),
                    package: format.package(),
                    version: format.version(),
                    exercises,
                },
                lines,
            )?;
        }
    }
    Ok(())
}

/// Adds a line.
fn push(line: &impl Serialize, lines: &mut String) -> io::Result<()> {
    lines.push_str(&serde_json::to_string(line)?);
    lines.push('\n');
    Ok(())
}

/// Asks a supervised worker about every input: some of them end it.
fn verdicts() -> io::Result<String> {
    let mut cases = Vec::new();
    for reject in rejects() {
        for name in reject.formats {
            let format =
                Format::named(name).ok_or_else(|| io::Error::other(format!("no format {name}")))?;
            if catalogue::named(reject.ty).is_some_and(|ty| ty.supports(format)) {
                cases.push((reject, *name, format, bytes(reject.ty, reject.source, format)?));
            }
        }
    }

    #[derive(Serialize)]
    struct Request<'a> {
        op: &'a str,
        #[serde(rename = "type")]
        ty: &'a str,
        format: &'a str,
        hex: String,
        limit: Option<usize>,
        offset: usize,
    }
    let requests: Vec<_> = cases
        .iter()
        .map(|(reject, name, _, bytes)| {
            Ok(serde_json::to_string(&Request {
                op: "decode",
                ty: reject.ty,
                format: name,
                hex: hex(bytes),
                limit: reject.settings.limit,
                offset: reject.settings.offset,
            })?)
        })
        .collect();
    let mut answers = Vec::new();
    supervise(Limits::default(), requests.into_iter(), &mut answers)?;
    let answers = String::from_utf8(answers).map_err(io::Error::other)?;

    assert_eq!(answers.lines().count(), cases.len(), "every request has an answer");

    let mut lines = String::new();
    for ((reject, name, format, bytes), answer) in cases.iter().zip(answers.lines()) {
        let verdict = answer.replacen("{\"id\":null,", "{", 1);
        if verdict.contains("\"BadRequest\"") || verdict.contains("\"Timeout\"") {
            return Err(io::Error::other(format!(
                "{} {name} {}: {verdict}",
                reject.ty,
                hex(bytes)
            )));
        }
        push(
            &Verdict {
                ty: reject.ty,
                format: name,
                limit: reject.settings.limit,
                offset: reject.settings.offset,
                hex: hex(bytes),
                package: format.package(),
                version: format.version(),
                verdict: RawValue::from_string(verdict)?,
                exercises: reject.exercises,
            },
            &mut lines,
        )?;
    }
    Ok(lines)
}

/// The bytes of an input in a format.
fn bytes(ty: &str, source: Source, format: Format) -> io::Result<Vec<u8>> {
    let (value, change) = match source {
        Source::Hex(digits) => return unhex(digits).map_err(io::Error::other),
        Source::Value(value, change) => (value.to_owned(), change),
        Source::Chain(links) => {
            let link = |rest, _| format!(r#"{{"variant":"Link","fields":[1,{rest}]}}"#);
            ((0..links).fold(r#"{"variant":"End"}"#.to_owned(), link), Change::Same)
        }
        Source::Document(change) => {
            let document = fixtures::make("document", 42, 0).expect("the kind is known");
            (document.record(), change)
        }
    };
    let mut bytes = catalogue::named(ty)
        .expect("the type was looked up")
        .encode(&parse(&value)?, format)
        .map_err(|failure| io::Error::other(failure.text))?;
    match change {
        Change::Same => {}
        Change::Keep(length) => bytes.truncate(length),
        Change::Flip(at, mask) => bytes[at] ^= mask,
        Change::Append(digits) => bytes.extend(unhex(digits).map_err(io::Error::other)?),
    }
    Ok(bytes)
}
