//! The crates on a clock: subjects to measure, and the ways to measure them.

#[allow(dead_code)]
#[path = "../../src/exact.rs"]
mod exact;
#[allow(dead_code)]
#[path = "../../src/fixtures.rs"]
mod fixtures;
#[allow(dead_code)]
#[path = "../../src/records.rs"]
pub mod records;

pub mod clock;
pub mod command;
pub mod hand;
pub mod interventions;
pub mod payloads;
pub mod subject;
pub mod suite;

use records::{Document, Fixture};
use subject::Subject;

/// The suite's document: seed 42, index 0.
pub fn document() -> Document {
    document_at(0)
}

/// The suite's document of this index, seed 42.
fn document_at(index: u64) -> Document {
    match fixtures::make("document", 42, index) {
        Some(Fixture::Document(document)) => document,
        _ => unreachable!("the generator makes what it is asked for"),
    }
}

/// Every subject, in the order of the results.
pub fn subjects() -> Vec<Subject> {
    let document = document();
    let mut all = suite::subjects(&document);
    all.extend(copies(&document));
    all.extend(payloads::subjects());
    all.extend(interventions::subjects(&document));
    all
}

/// What the noise bar is made of: some subjects a second time, the same code in other memory.
fn copies(document: &Document) -> Vec<Subject> {
    let standard = bincode::config::standard();
    let fixed = standard.with_fixed_int_encoding();
    let mut all = suite::speedy("suite", document);
    all.extend(suite::bincode_serde("suite", "standard", standard, document));
    all.extend(suite::bincode_serde("suite", "fixed", fixed, document));
    for subject in &mut all {
        subject.about.copy_of = Some(subject.about.id.clone());
        subject.about.id.push_str("#copy");
    }
    all
}

/// The decoders that make an owned document, and the copying of one: what allocates.
pub fn owned_decodes() -> Vec<Subject> {
    let document = document();
    let mut all = suite::subjects(&document);
    all.extend(interventions::subjects(&document));
    all.retain(|subject| {
        let about = &subject.about;
        let from_slice = about.direction == "decode" && about.how == "plain";
        about.direction == "floor" || from_slice && about.record == "document"
    });
    all
}
