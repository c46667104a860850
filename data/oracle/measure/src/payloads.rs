//! Larger documents: longer texts, larger prices, more items.

use crate::fixtures;
use crate::records::{Document, DocumentItem, Fixture};
use crate::subject::Subject;
use crate::suite::{bincode_serde, speedy};

/// Prices at or above this need nine bytes as a marker varint.
const LARGE: i64 = 1 << 40;

/// Speedy and bincode on documents that differ from the suite's in one thing.
pub fn subjects() -> Vec<Subject> {
    let suite = crate::document();
    let mut all = Vec::new();
    for letters in [16, 64, 256, 1024] {
        measure(&format!("letters-{letters}"), &with_letters(&suite, letters), &mut all);
    }
    measure("prices-40-bits", &with_large_prices(&suite), &mut all);
    for items in [64, 512] {
        measure(&format!("items-{items}"), &with_items(&suite, items), &mut all);
    }
    all
}

fn measure(payload: &str, document: &Document, all: &mut Vec<Subject>) {
    let standard = bincode::config::standard();
    let fixed = standard.with_fixed_int_encoding();
    // A sink for everyone: `slice` is the suite's business.
    all.extend(speedy(payload, document).into_iter().filter(|one| one.about.how != "slice"));
    all.extend(bincode_serde(payload, "standard", standard, document));
    all.extend(bincode_serde(payload, "fixed", fixed, document));
}

/// The document with every sku and its id replaced by texts of so many letters.
fn with_letters(document: &Document, letters: usize) -> Document {
    let mut index = 0;
    let mut text = || {
        let mut text = String::new();
        while text.len() < letters {
            let Some(Fixture::Strings(words)) = fixtures::make("strings", 42, index) else {
                unreachable!("the generator makes what it is asked for")
            };
            text.push_str(&words.items.concat());
            index += 1;
        }
        text.truncate(letters);
        text
    };
    let mut document = document.clone();
    document.id = text();
    for item in &mut document.items {
        item.sku = text();
    }
    document
}

/// The document with every price raised by 2^40.
fn with_large_prices(document: &Document) -> Document {
    let mut document = document.clone();
    for item in &mut document.items {
        item.price_minor += LARGE;
    }
    document
}

/// The document with so many items: its own and those of the documents after it.
fn with_items(document: &Document, count: usize) -> Document {
    let items: Vec<DocumentItem> =
        (0..).flat_map(|index| crate::document_at(index).items).take(count).collect();
    Document { items, ..document.clone() }
}
