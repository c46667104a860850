//! The records of the benchmark suite that the book's sources quote. Field order is wire order.

use crate::exact::{choice, record, written};
use bincode::{Decode, Encode};
use rkyv::{Archive, Deserialize, Serialize};

record! {
    /// A flat record of mixed scalars.
    Message {
        f_bool: bool,
        f_int32: i32,
        f_int64: i64,
        f_float64: f64,
        f_string: String,
        f_bool_2: bool,
        f_int32_2: i32,
        f_string_2: String,
    }
}

record! {
    /// Where a document belongs and its version.
    DocumentMeta { region: String, version: i32 }
}

record! {
    /// One line of a document.
    DocumentItem { sku: String, qty: i32, price_minor: i64 }
}

record! {
    /// The record the book is about.
    Document { id: String, status: i32, meta: DocumentMeta, items: Vec<DocumentItem> }
}

record! {
    /// A batch of measurements.
    Telemetry { source: String, ts: i64, tags: Vec<String>, values: Vec<f64> }
}

record! {
    /// A list of words.
    Strings { items: Vec<String> }
}

record! {
    /// One attribute of an event.
    EventAttr { key: String, value: String }
}

record! {
    /// A log entry with free attributes.
    Event {
        event_id: String,
        event_type: String,
        occurred_at: i64,
        producer: String,
        attrs: Vec<EventAttr>,
    }
}

choice! {
    /// The wrapper the suite serializes: one newtype variant per record.
    #[derive(Encode, Decode, Archive, Serialize, Deserialize)]
    Fixture {
        Message(_0: Message),
        Document(_0: Document),
        Telemetry(_0: Telemetry),
        Strings(_0: Strings),
        Event(_0: Event),
    }
}

impl Fixture {
    /// The record without its wrapper, as JSON.
    pub fn record(&self) -> String {
        match self {
            Self::Message(record) => written(record),
            Self::Document(record) => written(record),
            Self::Telemetry(record) => written(record),
            Self::Strings(record) => written(record),
            Self::Event(record) => written(record),
        }
    }
}
