"""The benchmark suite's records. Field order is wire order.

Source: the suite's `rust/src/data.rs`, as the article "Rust: why Speedy outruns Bincode on
Document" shows it, and the bytes of the real crates, which confirm it.
"""

from __future__ import annotations

from bytewalk.types import Enum, Record, Variant, f64, i32, i64


class Message(Record):
    f_bool: bool
    f_int32: i32
    f_int64: i64
    f_float64: f64
    f_string: str
    f_bool_2: bool
    f_int32_2: i32
    f_string_2: str


class DocumentMeta(Record):
    region: str
    version: i32


class DocumentItem(Record):
    """One line of an order. `price_minor` is a price in minor units: cents, not euros."""

    sku: str
    qty: i32
    price_minor: i64


class Document(Record):
    id: str
    status: i32
    meta: DocumentMeta
    items: list[DocumentItem]


class Telemetry(Record):
    """`ts` is in milliseconds since 1970-01-01 UTC."""

    source: str
    ts: i64
    tags: list[str]
    values: list[f64]


class Strings(Record):
    items: list[str]


class EventAttr(Record):
    key: str
    value: str


class Event(Record):
    event_id: str
    event_type: str
    occurred_at: i64
    producer: str
    attrs: list[EventAttr]


class Fixture(Enum):
    """The wrapper through which the suite hands a record to Serde: an index, then the record."""

    class Message(Variant):
        _0: Message

    class Document(Variant):
        _0: Document

    class Telemetry(Variant):
        _0: Telemetry

    class Strings(Variant):
        _0: Strings

    class Event(Variant):
        _0: Event
