"""The suite's generator: its check values, its bounds, and that it stays what it is.

That it is the suite's own is proved elsewhere, against the real crates.
"""

import hashlib
import json
from pathlib import Path

import msgspec
import pytest
from bytewalk import bincode, fixtures, postcard, speedy
from bytewalk.records import (
    Document,
    DocumentItem,
    DocumentMeta,
    Event,
    EventAttr,
    Fixture,
    Message,
    Strings,
    Telemetry,
)

from .roads import check, each_format

REGRESSION = Path(__file__).parent / "vectors" / "fixtures-regression.json"
RECORDS = {
    "message": Message,
    "document": Document,
    "telemetry": Telemetry,
    "strings": Strings,
    "event": Event,
}
each_kind = pytest.mark.parametrize("kind", RECORDS)

EPOCH = 1_704_067_200_000
DAY = 86_400_000


def test_the_check_values_of_the_document():
    document = fixtures.make("document", seed=42, index=0)
    assert document.id == "ffgcfoeukap"
    assert document.items[0] == DocumentItem("amyixx", 5, 7028)
    assert document.status == 3
    assert document.meta == DocumentMeta("uf", 2)
    prices = [7028, 92330, 30711, 37943, 88675, 42999, 66251, 27412]
    assert [item.price_minor for item in document.items] == prices
    assert fixtures.make("document") == document


@pytest.mark.parametrize(
    ("kind", "sizes"),
    [  # Speedy, bincode standard, postcard, bincode legacy
        ("document", (214, 121, 113, 258)),
        ("message", (60, 53, 47, 68)),
        ("event", (133, 98, 95, 181)),
    ],
)
def test_the_sizes_of_the_suite(kind, sizes):
    record = fixtures.make(kind, seed=42, index=0)
    formats = (speedy, bincode.standard(), postcard, bincode.legacy())
    assert tuple(len(format.encode(record)) for format in formats) == sizes
    wrapped = fixtures.as_fixture(record)
    more = (4, 1, 1, 4)  # the tag
    assert tuple(len(format.encode(wrapped)) for format in formats) == tuple(
        map(sum, zip(sizes, more, strict=True))
    )


def test_the_document_as_json():
    """447 bytes, 256 of them names with their quotes and colons."""
    text = msgspec.json.encode(fixtures.make("document", seed=42, index=0))
    assert len(text) == 447
    names = [name for cls in (Document, DocumentMeta) for name in cls.__struct_fields__]
    names += 8 * list(DocumentItem.__struct_fields__)
    assert sum(len(f'"{name}":') for name in names) == 256


def test_the_other_check_values():
    assert fixtures.make("message", seed=42, index=0).f_int32 == 433424
    assert fixtures.make("event", seed=42, index=0).event_id == "oddyucnm"


def words_of(text, shortest, longest):
    assert shortest <= len(text) <= longest, text
    assert text.isascii() and text.isalpha() and text.islower(), text


@pytest.mark.parametrize("seed", [0, 1, 2, 42, 2**32, 2**63, 2**64 - 1])
@pytest.mark.parametrize("index", [0, 1, 7, 2**64 - 1])
def test_every_value_keeps_its_bounds(seed, index):
    document = fixtures.make("document", seed, index)
    words_of(document.id, 8, 12)
    assert 0 <= document.status <= 5
    words_of(document.meta.region, 2, 4)
    assert 1 <= document.meta.version <= 10
    assert len(document.items) == 8
    for item in document.items:
        words_of(item.sku, 3, 12)
        assert 1 <= item.qty <= 100
        assert 0 <= item.price_minor <= 100_000

    message = fixtures.make("message", seed, index)
    assert type(message.f_bool) is type(message.f_bool_2) is bool
    for number in (message.f_int32, message.f_int64, message.f_int32_2):
        assert 0 <= number <= 1_000_000
    assert 0 <= message.f_float64 < 1000
    words_of(message.f_string, 3, 16)
    words_of(message.f_string_2, 3, 16)

    telemetry = fixtures.make("telemetry", seed, index)
    words_of(telemetry.source, 3, 10)
    assert EPOCH <= telemetry.ts <= EPOCH + DAY
    assert len(telemetry.tags) == 2 and len(telemetry.values) == 32
    for tag in telemetry.tags:
        words_of(tag, 3, 10)
    assert all(0 <= value < 100 for value in telemetry.values)

    strings = fixtures.make("strings", seed, index)
    assert len(strings.items) == 32
    for word in strings.items:
        words_of(word, 3, 16)

    event = fixtures.make("event", seed, index)
    words_of(event.event_id, 8, 12)
    words_of(event.event_type, 3, 12)
    assert EPOCH <= event.occurred_at <= EPOCH + DAY
    words_of(event.producer, 3, 12)
    assert len(event.attrs) == 4
    for attr in event.attrs:
        words_of(attr.key, 3, 12)
        words_of(attr.value, 3, 12)


def test_the_bounds_are_reached():
    """Both ends of the short ranges turn up among 300 documents."""
    documents = [fixtures.make("document", seed) for seed in range(300)]
    assert {document.status for document in documents} == set(range(6))
    assert {document.meta.version for document in documents} == set(range(1, 11))
    assert {len(document.meta.region) for document in documents} == {2, 3, 4}
    assert {len(item.sku) for d in documents for item in d.items} == set(range(3, 13))
    assert {item.qty for d in documents for item in d.items} == set(range(1, 101))
    letters = {letter for d in documents for letter in d.id}
    assert letters == set("abcdefghijklmnopqrstuvwxyz")
    messages = [fixtures.make("message", seed) for seed in range(60)]
    assert {message.f_bool for message in messages} == {True, False}


@each_kind
def test_one_record_for_each_kind_seed_and_index(kind):
    record = fixtures.make(kind, seed=7, index=3)
    assert type(record) is RECORDS[kind]
    assert record == fixtures.make(kind, 7, 3)
    assert record is not fixtures.make(kind, 7, 3)
    others = [fixtures.make(kind, seed, index) for seed in range(8) for index in range(8)]
    assert len({repr(other) for other in others}) == 64


@each_kind
def test_a_seed_whose_state_would_be_zero(kind):
    """h = 0 becomes 1: the seed that the kind's name turns into 0 still gives a record."""
    seed = 0
    inverse = pow(0x100000001B3, -1, 2**64)
    for byte in reversed(kind.encode()):
        seed = (seed * inverse % 2**64) ^ byte
    h = seed
    for byte in kind.encode():
        h = (h ^ byte) * 0x100000001B3 % 2**64
    assert h == 0
    assert type(fixtures.make(kind, seed)) is RECORDS[kind]


@each_format
@each_kind
def test_fixtures_are_written_and_read(name, kind):
    for seed in (1, 42):
        record = fixtures.make(kind, seed, 0)
        check(name, record)
        wrapped = fixtures.as_fixture(record)
        assert wrapped == getattr(Fixture, RECORDS[kind].__name__)(record)
        check(name, wrapped)


@pytest.mark.parametrize(
    "kind", ["no-such-kind", "", "Document", "documents", None, 5, b"document", []]
)
def test_an_unknown_kind(kind):
    with pytest.raises(ValueError) as caught:
        fixtures.make(kind)
    assert "document" in str(caught.value), "the message lists the kinds there are"
    assert repr(kind) in str(caught.value)


@pytest.mark.parametrize("bad", [-1, 2**64, 1.0, "1", None, True, [1]])
def test_a_seed_or_an_index_that_is_no_u64(bad):
    with pytest.raises(ValueError, match="seed"):
        fixtures.make("document", seed=bad)
    with pytest.raises(ValueError, match="index"):
        fixtures.make("document", seed=1, index=bad)


@pytest.mark.parametrize(
    "value", [None, 5, "document", DocumentItem("a", 1, 2), Document, EventAttr]
)
def test_what_is_no_fixture(value):
    with pytest.raises(ValueError):
        fixtures.as_fixture(value)
    with pytest.raises(ValueError):
        fixtures.as_fixture(fixtures.as_fixture(fixtures.make("event")))


def fingerprint(kind, seed, index):
    return hashlib.sha256(speedy.encode(fixtures.make(kind, seed, index))).hexdigest()[:16]


def test_nothing_has_changed():
    """A regression test: the fingerprints were taken from this generator, so they prove nothing
    but that it still draws what it drew."""
    recorded = json.loads(REGRESSION.read_text(encoding="utf-8"))["fingerprints"]
    assert set(recorded) == set(RECORDS)
    for kind, rows in recorded.items():
        assert len(rows) == 20
        for row in rows:
            assert fingerprint(kind, row["seed"], row["index"]) == row["sha256"], (kind, row)
