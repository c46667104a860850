//! The suite's generator of records, drawn from `rand` and `rand_pcg` themselves.

use crate::records::*;
use rand::Rng;
use rand_pcg::Pcg32;

/// The names of the five kinds of record.
pub const KINDS: [&str; 5] = ["message", "document", "telemetry", "strings", "event"];

/// Makes the record number `index` of the kind with this name; `None` when there is no such kind.
///
/// Every kind, seed and index has its own random numbers, so any record can be made alone.
pub fn make(kind: &str, seed: u64, index: u64) -> Option<Fixture> {
    let mut words = Words(generator(kind, seed, index));
    Some(match kind {
        "message" => Fixture::Message(words.message()),
        "document" => Fixture::Document(words.document()),
        "telemetry" => Fixture::Telemetry(words.telemetry()),
        "strings" => Fixture::Strings(words.strings()),
        "event" => Fixture::Event(words.event()),
        _ => return None,
    })
}

/// A PCG XSH-RR 64/32 seeded by an FNV-style hash of the kind's name and by the index.
fn generator(kind: &str, seed: u64, index: u64) -> Pcg32 {
    let hash = kind
        .bytes()
        .fold(seed, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3));
    let state = (hash ^ index.wrapping_mul(0x9E37_79B9_7F4A_7C15)).max(1);
    Pcg32::new(state ^ 3_141_592_653, 5_897_932_384)
}

/// Draws the parts of records, in the suite's order.
struct Words(Pcg32);

impl Words {
    /// A number from `low` to `high`. Numbers are drawn as `i32`, whatever they are stored as.
    fn number(&mut self, low: i32, high: i32) -> i32 {
        self.0.gen_range(low..=high)
    }

    /// Letters a to z, `low` to `high` of them. Letters are drawn as 64-bit numbers.
    fn word(&mut self, low: i32, high: i32) -> String {
        const LETTERS: &[u8; 26] = b"abcdefghijklmnopqrstuvwxyz";
        let length = self.number(low, high);
        (0..length).map(|_| char::from(LETTERS[self.0.gen_range(0..LETTERS.len())])).collect()
    }

    /// `count` words.
    fn words(&mut self, count: usize, low: i32, high: i32) -> Vec<String> {
        (0..count).map(|_| self.word(low, high)).collect()
    }

    /// A fair coin.
    fn coin(&mut self) -> bool {
        self.0.gen_bool(0.5)
    }

    /// A number from 0 up to, not including, `scale`.
    fn float(&mut self, scale: f64) -> f64 {
        self.0.r#gen::<f64>() * scale
    }

    /// A moment on 2024-01-01 or at the midnight after it, in milliseconds since 1970.
    fn moment(&mut self) -> i64 {
        1_704_067_200_000 + i64::from(self.number(0, 86_400_000))
    }

    fn message(&mut self) -> Message {
        Message {
            f_bool: self.coin(),
            f_int32: self.number(0, 1_000_000),
            f_int64: i64::from(self.number(0, 1_000_000)),
            f_float64: self.float(1000.0),
            f_string: self.word(3, 16),
            f_bool_2: self.coin(),
            f_int32_2: self.number(0, 1_000_000),
            f_string_2: self.word(3, 16),
        }
    }

    fn document(&mut self) -> Document {
        let items = (0..8)
            .map(|_| DocumentItem {
                sku: self.word(3, 12),
                qty: self.number(1, 100),
                price_minor: i64::from(self.number(0, 100_000)),
            })
            .collect();
        Document {
            id: self.word(8, 12),
            status: self.number(0, 5),
            meta: DocumentMeta { region: self.word(2, 4), version: self.number(1, 10) },
            items,
        }
    }

    fn telemetry(&mut self) -> Telemetry {
        let tags = self.words(2, 3, 10);
        let values = (0..32).map(|_| self.float(100.0)).collect();
        Telemetry { source: self.word(3, 10), ts: self.moment(), tags, values }
    }

    fn strings(&mut self) -> Strings {
        Strings { items: self.words(32, 3, 16) }
    }

    fn event(&mut self) -> Event {
        let attrs =
            (0..4).map(|_| EventAttr { key: self.word(3, 12), value: self.word(3, 12) }).collect();
        Event {
            event_id: self.word(8, 12),
            event_type: self.word(3, 12),
            occurred_at: self.moment(),
            producer: self.word(3, 12),
            attrs,
        }
    }
}
