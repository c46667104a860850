//! One request, one answer: a line of JSON each.

use crate::catalogue;
use crate::exact::{parse, unhex, write_hex};
use crate::fixtures::{self, KINDS};
use crate::formats::{FORMATS, Failure, Format, LIMITS, Outcome, Settings};
use serde::Deserialize;
use serde_json::{Value, json};
use std::borrow::Cow;

/// A request as it comes in. `README.md` says which operation reads which members.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request<'a> {
    #[serde(default)]
    id: Value,
    #[serde(borrow)]
    op: Cow<'a, str>,
    #[serde(borrow, rename = "type")]
    ty: Option<Cow<'a, str>>,
    #[serde(borrow)]
    format: Option<Cow<'a, str>>,
    #[serde(default)]
    value: Value,
    #[serde(borrow)]
    hex: Option<Cow<'a, str>>,
    limit: Option<usize>,
    offset: Option<usize>,
    #[serde(borrow)]
    kind: Option<Cow<'a, str>>,
    seed: Option<Value>,
    index: Option<u64>,
}

/// Answers a line; the answer has no line break.
pub fn answer(line: &str) -> String {
    match parse::<Request>(line) {
        Ok(request) => finish(&request.id, request.run()),
        Err(error) => refuse(line, &Failure::bad_request(error.to_string())),
    }
}

/// The answer to a line that could not be answered in the ordinary way.
pub fn refuse(line: &str, failure: &Failure) -> String {
    /// The rest is skipped, however deep it is.
    #[derive(Default, Deserialize)]
    struct Id {
        #[serde(default)]
        id: Value,
    }
    let Id { id } = serde_json::from_str(line).unwrap_or_default();
    finish(&id, Err(failure.clone()))
}

/// Puts the id before an outcome: the members of the answer, or a failure.
fn finish(id: &Value, outcome: Outcome<String>) -> String {
    match outcome {
        Ok(members) => format!("{{\"id\":{id},{members}}}"),
        Err(Failure { kind, text }) => {
            format!("{{\"id\":{id},\"error\":{}}}", json!({"kind": kind, "text": text}))
        }
    }
}

impl Request<'_> {
    /// Carries the request out; gives the members of the answer.
    fn run(&self) -> Outcome<String> {
        match &*self.op {
            "encode" => self.encode(),
            "decode" => self.decode(),
            "fixtures" => self.fixtures(),
            "types" => {
                let Value::Object(members) = catalogue::describe() else { unreachable!() };
                Ok(members
                    .iter()
                    .map(|(k, v)| format!("\"{k}\":{v}"))
                    .collect::<Vec<_>>()
                    .join(","))
            }
            "formats" => Ok(format!("\"formats\":{},\"limits\":{}", formats(), json!(LIMITS))),
            other => Err(Failure::bad_request(format!("there is no operation {other:?}"))),
        }
    }

    fn encode(&self) -> Outcome<String> {
        let bytes = self.ty()?.encode(&self.value, self.format()?)?;
        let mut members = String::with_capacity(2 * bytes.len() + 8);
        members.push_str("\"hex\":\"");
        write_hex(&bytes, &mut members);
        members.push('"');
        Ok(members)
    }

    fn decode(&self) -> Outcome<String> {
        let settings = Settings { limit: self.limit, offset: self.offset.unwrap_or(0) };
        if settings.offset > 15 {
            return Err(Failure::bad_request("offset is 0 to 15"));
        }
        let bytes = unhex(given(self.hex.as_ref(), "hex")?).map_err(Failure::bad_request)?;
        let decoded = self.ty()?.decode(&bytes, self.format()?, settings)?;
        Ok(format!("\"value\":{},\"used\":{}", decoded.value, decoded.used))
    }

    fn fixtures(&self) -> Outcome<String> {
        let kind = given(self.kind.as_ref(), "kind")?;
        let seed = match given(self.seed.as_ref(), "seed")? {
            Value::String(digits) => digits.parse().ok(),
            other => other.as_u64(),
        }
        .ok_or_else(|| Failure::bad_request("seed is an integer of 64 bits or its digits"))?;
        let fixture = fixtures::make(kind, seed, self.index.unwrap_or(0))
            .ok_or_else(|| Failure::bad_request(format!("the kinds are {KINDS:?}")))?;
        Ok(format!("\"type\":\"{kind}\",\"value\":{}", fixture.record()))
    }

    fn ty(&self) -> Outcome<&'static catalogue::Type> {
        let name = given(self.ty.as_ref(), "type")?;
        catalogue::named(name)
            .ok_or_else(|| Failure::bad_request(format!("there is no type {name:?}")))
    }

    fn format(&self) -> Outcome<Format> {
        let name = given(self.format.as_ref(), "format")?;
        Format::named(name)
            .ok_or_else(|| Failure::bad_request(format!("there is no format {name:?}")))
    }
}

/// A member the operation needs.
fn given<'a, T>(member: Option<&'a T>, name: &str) -> Outcome<&'a T> {
    member.ok_or_else(|| Failure::bad_request(format!("\"{name}\" is missing")))
}

/// Names the formats with their crates and versions.
fn formats() -> Value {
    let describe = |(name, format): &(&str, Format)| json!({"name": name, "crate": format.package(), "version": format.version()});
    FORMATS.iter().map(describe).collect()
}
