"""rkyv without the crate: layout by an independent rule, views, what is read, hostile archives.

The crate itself judges in test_oracle_rkyv.py and, as recorded, in test_golden.py.
"""

import copy
import gc
import pickle
import random
import sys
import threading
import time
import tracemalloc

import pytest
from bytewalk import fixtures, rkyv, speedy
from bytewalk.errors import (
    CodecError,
    InvalidBool,
    InvalidStringRepr,
    InvalidSubtreePointer,
    InvalidUtf8,
    NoWireForm,
    OutOfRange,
    TooDeep,
    UnalignedPointer,
    UnexpectedEnd,
    UnknownVariant,
    WrongType,
)
from bytewalk.records import Document, DocumentItem, DocumentMeta, Fixture
from bytewalk.types import (
    Array,
    Enum,
    Record,
    Variant,
    char,
    f32,
    i8,
    i32,
    i64,
    schema,
    u8,
    u16,
    u32,
    u64,
    u128,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .oracle import mutated
from .roads import picture
from .strategies import shapes, values

DOCUMENT = fixtures.make("document", seed=42, index=0)
ARCHIVE = rkyv.to_bytes(DOCUMENT)
ITEM = DocumentItem("é", -126, 2**31)


class Shape(Enum):
    class Empty(Variant):
        pass

    class Circle(Variant):
        _0: u64

    class Named(Variant, tag=9):
        name: str
        sides: list[u16]


class Node(Record):
    value: u16
    next: "Node | None" = None


class Tree(Record):
    label: str
    children: list["Tree"]


class Left(Record):
    right: "Right | None"


class Right(Record):
    left: "Left | None"


class Everything(Record):
    flag: bool
    letter: char
    small: i8
    wide: u128
    ratio: f32
    raw: bytes
    numbers: list[i64]
    words: list[str]
    pair: tuple[u8, str]
    three: Array[u16, 3]
    maybe: str | None
    shape: Shape
    nothing: None
    tree: Tree


EVERYTHING = Everything(
    True,
    "é",
    -1,
    2**100,
    0.5,
    b"\x00\xffraw",
    [1, -2],
    ["", "12345678", "123456789"],
    (7, "seven"),
    [1, 2, 3],
    "perhaps",
    Shape.Named("a longer name", [4, 5]),
    None,
    Tree("root", [Tree("a leaf with a long name", [])]),
)


# --- Bytes ----------------------------------------------------------------------------------------


def test_sizes():
    assert len(ARCHIVE) == 272
    assert len(rkyv.to_bytes(fixtures.as_fixture(DOCUMENT))) == 296
    assert len(rkyv.to_bytes(ITEM)) == 24
    assert len(rkyv.to_bytes(DOCUMENT)) - len(speedy.encode(DOCUMENT)) == 58


@pytest.mark.parametrize(
    ("length", "word"),
    # facts B.2, which the golden vectors confirm
    [
        (9, "89000000"),
        (11, "8b000000"),
        (63, "bf000000"),
        (64, "80010000"),
        (255, "bf030000"),
        (256, "80040000"),
    ],
)
def test_the_packed_length(length, word):
    data = rkyv.to_bytes("x" * length)
    slot = data[-8:]
    assert slot[:4].hex() == word
    assert int.from_bytes(slot[4:], "little", signed=True) == -(len(data) - 8)


def test_too_long_a_text_is_refused_by_its_rule():
    rule = rkyv.layout.packed_length
    rule.encode(2**30 - 1)
    with pytest.raises(OutOfRange, match="longer than 1,073,741,823"):
        rule.encode(2**30)


@pytest.mark.parametrize("names", ["sku qty price", "price sku qty", "qty price sku"])
def test_reordering_saves_nothing_and_a_narrower_price_does(names):
    types = {"sku": str, "qty": i32, "price": i64}
    swapped = type("Item", (Record,), {"__annotations__": {n: types[n] for n in names.split()}})
    values = {"sku": "amyixx", "qty": 5, "price": 7028}
    assert len(rkyv.to_bytes(swapped(**values))) == 24
    types["price"] = i32
    narrow = type("Item", (Record,), {"__annotations__": {n: types[n] for n in names.split()}})
    assert len(rkyv.to_bytes(narrow(**values))) == 16


def test_a_record_that_holds_itself_is_boxed():
    data = rkyv.to_bytes(Node(1, Node(2)))
    trace = rkyv.trace(Node(1, Node(2)))
    (pointer,) = [span for span in trace.spans if span.role == "pointer"]
    assert (pointer.path, pointer.target) == ("next", 0)
    view = rkyv.access(data, Node)
    assert view.next.value == 2 and view.next.next is None
    assert view == Node(1, Node(2))


@pytest.mark.parametrize(
    ("value", "wire", "message"),
    [
        ({1: "a"}, dict[u8, str], "a dict is not among the types"),
        (Left(None), None, "Left holds itself through Right"),
        (None, int, "without a width"),
    ],
)
def test_what_has_no_archive(value, wire, message):
    for action in (rkyv.to_bytes, rkyv.trace):
        with pytest.raises(NoWireForm, match=message):
            action(value, wire)


def test_a_tag_is_one_byte():
    class Wide(Enum):
        class A(Variant, tag=255):
            pass

        class B(Variant):
            pass

    with pytest.raises(NoWireForm, match="Wide.B has 256"):
        rkyv.to_bytes(Wide.A())


def test_there_is_no_serde_road():
    from bytewalk import derive, serde

    for action in (lambda: serde.serialize(ITEM, rkyv), lambda: derive.codec(DocumentItem, rkyv)):
        with pytest.raises(TypeError, match="an archive has its own writer, to_bytes"):
            action()


@pytest.mark.parametrize(
    ("value", "wire", "kind", "path"),
    [
        (DocumentItem("a", 2**31, 0), None, OutOfRange, "qty"),
        (Document("a", 0, DocumentMeta("b", 1), [ITEM, DocumentItem(5, 1, 1)]), None, WrongType,
         "items[1].sku"),
        ([[1], [2, "3"]], list[list[u8]], WrongType, "[1][1]"),
        ((1, "\ud800"), tuple[u8, str], CodecError, "[1]"),
        ([1, 2], Array[u8, 3], OutOfRange, ""),
        (Shape.Named("n", [70_000]), None, OutOfRange, "sides[0]"),
    ],
)  # fmt: skip
def test_what_cannot_be_written_says_where(value, wire, kind, path):
    with pytest.raises(kind) as refused:
        rkyv.to_bytes(value, wire)
    assert (refused.value.path, refused.value.offset) == (path, None)


# --- Round trips ----------------------------------------------------------------------------------


def has_archive(shape):
    try:
        return rkyv.layout.shape(schema(shape.wire))
    except NoWireForm:
        return False


@settings(suppress_health_check=[HealthCheck.filter_too_much])
@given(shapes().filter(has_archive).flatmap(lambda s: st.tuples(st.just(s.wire), values(s))))
def test_round_trip(typed):
    wire, value = typed
    data = rkyv.to_bytes(value, wire)
    assert picture(rkyv.from_bytes(data, wire)) == picture(value)
    written, read = rkyv.trace(value, wire), rkyv.trace_decode(data, wire)
    assert written.data == read.data == data
    assert picture(written.spans) == picture(read.spans)
    assert [0, *(s.end for s in read.spans)] == [*(s.start for s in read.spans), len(data)]
    seen = rkyv.access(data, wire)
    owned = seen.deserialize() if isinstance(seen, rkyv.View) else seen
    assert picture(owned) == picture(value)
    assert repr(seen) == repr(owned)


def test_traces_point():
    trace = rkyv.trace(DOCUMENT)
    starts = {span.start for span in trace.spans}
    pointers = [span for span in trace.spans if span.role == "pointer"]
    assert len(pointers) == 5 and all(span.target in starts for span in pointers)
    assert all(span.target is None for span in trace.spans if span.role != "pointer")
    for span in pointers:
        slot = span.start if span.path == "items" else span.start - 4
        assert slot + span.value == span.target
    padding = [span for span in trace.spans if span.role == "padding"]
    assert sum(span.end - span.start for span in padding) == 38
    assert "→ 48" in repr(trace)


# --- Views ----------------------------------------------------------------------------------------


def everything():
    return rkyv.access(rkyv.to_bytes(EVERYTHING), Everything)


def test_a_view_is_like_the_record():
    view = everything()
    for other in (EVERYTHING, everything()):
        assert view == other and other == view
    assert repr(view) == repr(EVERYTHING)
    assert view.deserialize() == EVERYTHING
    assert type(view).__name__ == "ArchivedEverything"
    for field in Everything.__struct_fields__:
        if field != "ratio":
            assert getattr(view, field) == getattr(EVERYTHING, field), field
    assert view.tree.children[0].label == "a leaf with a long name"
    assert view.shape.sides[-1] == 5 and view.shape.name == "a longer name"
    assert view.words[1:] == ["12345678", "123456789"] and list(view.words) == EVERYTHING.words
    assert "12345678" in view.words and view.words.index("") == 0
    assert len(view.pair) == 2 and view.pair[1] == "seven"
    assert view.numbers == [1, -2] and view.numbers != [1] and view.numbers != (1, -2)
    assert view != DOCUMENT and view.tree != view.shape


def test_a_view_has_no_other_fields_and_is_not_written_to():
    view = rkyv.access(ARCHIVE, Document)
    with pytest.raises(AttributeError):
        _ = view.price
    with pytest.raises(AttributeError):
        view.status = 4
    with pytest.raises(IndexError, match="index 8 of 8 items"):
        view.items[8]
    with pytest.raises(TypeError):
        hash(view)


def test_a_view_keeps_the_buffer_and_copies_nothing():
    buffer = bytearray(ARCHIVE)
    view = rkyv.access(buffer, Document)
    at = 240 + 8
    buffer[at : at + 4] = (9).to_bytes(4, "little")
    assert view.status == 9
    with pytest.raises(BufferError):
        buffer.append(0)  # somebody is looking at it
    item = view.items[3]
    del view, buffer
    gc.collect()
    assert item == DOCUMENT.items[3]


@pytest.mark.parametrize("make", [bytes, bytearray, memoryview, lambda b: memoryview(b + b)[::1]])
def test_any_buffer_will_do(make):
    data = make(ARCHIVE)
    if len(data) > len(ARCHIVE):
        data = data[: len(ARCHIVE)]
    assert rkyv.from_bytes(data, Document) == DOCUMENT


def test_a_buffer_in_pieces_is_put_together():
    apart = bytes(byte for pair in zip(ARCHIVE, ARCHIVE, strict=True) for byte in pair)
    assert rkyv.access(memoryview(apart)[::2], Document) == DOCUMENT


@pytest.mark.parametrize("data", ["text", 7, None, [1]])
def test_what_is_no_buffer(data):
    for action in (rkyv.access, rkyv.access_unchecked, rkyv.from_bytes, rkyv.trace_decode):
        with pytest.raises(WrongType, match="expected the bytes of an archive"):
            action(data, Document)


def test_fields_may_have_any_name():
    class Odd(Record):
        deserialize: u8
        _at: u8
        reader: str

    view = rkyv.access(rkyv.to_bytes(Odd(1, 2, "three")), Odd)
    assert (view.deserialize, view._at, view.reader) == (1, 2, "three")
    assert view == Odd(1, 2, "three") and repr(view) == repr(Odd(1, 2, "three"))


@pytest.mark.parametrize("name", ["_part", "place", "_place", "_item", "__eq__", "__init__", "_of"])
def test_a_field_may_be_called_like_a_part_of_the_view(name):
    odd = type("Odd", (Record,), {"__annotations__": {name: u8, "x": str}})
    value = odd(1, "a")
    view = rkyv.access(rkyv.to_bytes(value), odd)
    assert view.x == "a" and view.deserialize().x == "a"
    if not name.startswith("__"):
        assert getattr(view, name) == 1 and view == value


def test_a_view_is_not_written_copied_or_pickled():
    view = rkyv.access(ARCHIVE, Document)
    assert copy.copy(view) is view
    for action in (lambda: pickle.dumps(view), lambda: copy.deepcopy(view)):
        with pytest.raises(TypeError, match="deserialize"):
            action()
    with pytest.raises(WrongType, match="deserialize"):
        rkyv.to_bytes(view)
    with pytest.raises(WrongType, match="counted by a Reads"):
        rkyv.access(ARCHIVE, Document, reads=5)


def test_a_broken_view_differs_from_what_it_cannot_be_without_reading():
    view = rkyv.access_unchecked(patched(196, b"\0\0\0\x70"), Document)
    assert view != None and view != 5 and view.items != (1, 2)  # noqa: E711
    with pytest.raises(CodecError):
        assert view == DOCUMENT


def test_values_that_are_no_views():
    for value, wire in ((5, u32), ("text", str), (b"raw", bytes), (None, None), (None, u8 | None)):
        assert rkyv.access(rkyv.to_bytes(value, wire), wire) == value


# --- What is read ---------------------------------------------------------------------------------


def catalogue(items):
    rows = [DocumentItem(f"article {i:06}", i, i) for i in range(items)]
    return rkyv.to_bytes(Document("a long identity", 1, DocumentMeta("eu", 1), rows))


@pytest.mark.parametrize("call", ["access", "access_unchecked"])
def test_a_field_costs_the_same_in_any_archive(call):
    costs = []
    for items in (8, 10_000):
        reads = rkyv.Reads()
        view = getattr(rkyv, call)(catalogue(items), Document, reads=reads)
        if call == "access_unchecked":
            assert len(reads) == 0
        reads.ranges.clear()
        assert view.items[7].price_minor == 7
        costs.append((len(reads), reads.bytes))
    assert costs == [(3, 16), (3, 16)]  # the list's offset and count, and the price


def test_access_looks_at_every_item_once():
    counts = {}
    for items in (10, 20, 40):
        reads = rkyv.Reads()
        rkyv.access(catalogue(items), Document, reads=reads)
        counts[items] = len(reads)
    assert counts[40] - counts[20] == 2 * (counts[20] - counts[10]) > 0
    assert "reads" in repr(reads)


def test_a_check_does_not_look_at_what_may_be_anything():
    reads = rkyv.Reads()
    rkyv.access(ARCHIVE, Document, reads=reads)
    looked = {at for start, end in reads.ranges for at in range(start, end)}
    spans = rkyv.trace(DOCUMENT).spans
    for span in spans:
        if span.role == "value" or span.role == "padding":
            assert not looked & set(range(span.start, span.end)), span
        else:
            assert looked & set(range(span.start, span.end)), span


# --- What is refused ------------------------------------------------------------------------------


def patched(at, new, data=ARCHIVE):
    return data[:at] + new + data[at + len(new) :]


REFUSED = {
    "nothing": (b"", UnexpectedEnd, 0, ""),
    "31 bytes": (ARCHIVE[-31:], UnexpectedEnd, 31, ""),
    "the last byte cut": (ARCHIVE[:-1], None, None, None),
    "a byte behind": (ARCHIVE + b"\0", UnalignedPointer, 241, ""),
    "four bytes behind": (ARCHIVE + bytes(4), CodecError, None, None),
    "an offset out of the buffer": (
        patched(264, b"\0\0\0\x80"),
        InvalidSubtreePointer,
        264,
        "items",
    ),
    "an offset to itself": (patched(264, bytes(4)), InvalidSubtreePointer, 264, "items"),
    "an offset by one": (patched(264, b"\x27"), UnalignedPointer, 264, "items"),
    "too many items": (patched(268, b"\x09"), InvalidSubtreePointer, 264, "items"),
    "a text twice": (
        patched(172, (11 - 168 & 0xFFFFFFFF).to_bytes(4, "little")),
        InvalidSubtreePointer,
        172,
        "items[5].sku",
    ),
    "a short text elsewhere": (patched(240, b"\x88"), InvalidStringRepr, 240, "id"),
    "no UTF-8 in the slot": (patched(49, b"\x80\x80"), None, None, None),
    "no UTF-8 elsewhere": (patched(13, b"\xfe"), InvalidUtf8, 13, "items[2].sku"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    data, kind, offset, path = REFUSED[name]
    for action in (rkyv.access, rkyv.from_bytes):
        with pytest.raises(kind or CodecError) as refused:
            action(data, Document)
        if offset is not None:
            assert (refused.value.offset, refused.value.path) == (offset, path)
    trace = rkyv.trace_decode(data, Document)
    assert picture(trace.error) == picture(refused.value) and trace.value is None
    starts = [span.start for span in trace.spans]
    assert starts == sorted(starts)
    assert not any(span.start <= trace.error.offset < span.end for span in trace.spans)


@pytest.mark.parametrize(
    ("at", "new", "change"),
    [
        (248, b"\x09", {"status": 9}),
        (268, b"\x07", {"items": DOCUMENT.items[:7]}),
        (268, b"\x00", {"items": []}),
        (240, b"\x89", {"id": "ffgcfoeuk"}),
        (60, b"\xee\xee\xee\xee", {}),
        (55, b"\x00", {}),
    ],
)
def test_accepted_though_changed(at, new, change):
    """A check proves that reading is safe, not that nothing was changed."""
    expected = Document(**{name: getattr(DOCUMENT, name) for name in Document.__struct_fields__})
    for name, value in change.items():
        setattr(expected, name, value)
    assert rkyv.access(patched(at, new), Document) == expected


@pytest.mark.parametrize("address", range(17))
def test_alignment(address):
    if address % 8 == 0:
        assert rkyv.access(ARCHIVE, Document, address=address) == DOCUMENT
        return
    for action in (rkyv.access, rkyv.from_bytes):
        with pytest.raises(UnalignedPointer, match="not a multiple of"):
            action(ARCHIVE, Document, address=address)
    assert isinstance(rkyv.trace_decode(ARCHIVE, Document, address=address).error, UnalignedPointer)
    assert rkyv.access_unchecked(ARCHIVE, Document) == DOCUMENT


def test_leading_bytes_that_keep_the_alignment_are_not_seen():
    trace = rkyv.trace_decode(bytes(8) + ARCHIVE, Document)
    assert trace.value == DOCUMENT
    assert (trace.spans[0].rule, trace.spans[0].end) == ("nothing points here", 8)


@pytest.mark.parametrize(
    ("wire", "data", "kind", "path"),
    [
        (list[bool], b"\x01\x02" + bytes(2) + b"\xfc\xff\xff\xff\x02\0\0\0", InvalidBool, "[1]"),
        (Shape, b"\x05" + rkyv.to_bytes(Shape.Empty())[1:], UnknownVariant, ""),
    ],
)
def test_refused_values(wire, data, kind, path):
    with pytest.raises(kind) as refused:
        rkyv.access(data, wire)
    assert refused.value.path == path


def test_a_record_may_refuse_its_values():
    class Small(Record):
        n: u32

        def __post_init__(self):
            if self.n > 9:
                raise ValueError("too large")

    data = rkyv.to_bytes([Small(1)], list[Small])
    large = patched(0, b"\x0a", data)
    assert rkyv.access(large, list[Small])[0].n == 10  # nothing is built
    for action in (
        lambda: rkyv.from_bytes(large, list[Small]),
        rkyv.access(large, list[Small]).deserialize,
    ):
        with pytest.raises(CodecError, match="Small refuses these values: too large") as refused:
            action()
        assert (refused.value.offset, refused.value.path) == (0, "[0]")


def test_an_address_is_a_number():
    for address in (-8, "0", 0.0, True):
        with pytest.raises(WrongType, match="an address is an int"):
            rkyv.access(ARCHIVE, Document, address=address)


def deep(levels):
    tree = Tree("leaf", [])
    for _ in range(levels - 1):
        tree = Tree("t", [tree])
    return tree


def linked(levels):
    node = Node(0)
    for i in range(levels - 1):
        node = Node(i, node)
    return node


@pytest.mark.parametrize("build", [deep, linked])
def test_levels(build):
    value = build(128)
    data = rkyv.to_bytes(value)
    assert rkyv.from_bytes(data, type(value)) == value
    assert rkyv.access(data, type(value)) == value
    assert rkyv.access_unchecked(data, type(value)).deserialize() == value
    with pytest.raises(TooDeep) as refused:
        rkyv.to_bytes(build(129))
    assert refused.value.path.count("next") + refused.value.path.count("children") == 128


def test_a_circle_ends():
    """Unchecked, an archive may point to itself: views go round, `deserialize` does not."""
    data = patched(0, b"", rkyv.to_bytes(Tree("t", [Tree("u", [])])))
    at = len(data) - 8
    round_ = patched(at, (-8 & 0xFFFFFFFF).to_bytes(4, "little"), data)
    with pytest.raises(InvalidSubtreePointer):
        rkyv.access(round_, Tree)
    view = rkyv.access_unchecked(round_, Tree)
    for _ in range(1000):
        view = view.children[0]
    with pytest.raises(CodecError):
        view.deserialize()
    assert repr(view).startswith("<ArchivedTree at byte ")


def test_nothing_grows_by_pointing_twice():
    """Lists of lists of lists, each pointing to the same one: 2^30 items in a few bytes."""
    data = bytearray(8)
    for _ in range(30):
        first = len(data)
        for slot in (first, first + 8):
            data += (first - 8 - slot & 0xFFFFFFFF).to_bytes(4, "little") + (2).to_bytes(
                4, "little"
            )
    wire = u8
    for _ in range(31):
        wire = list[wire]
    tracemalloc.start()
    with pytest.raises(CodecError):
        rkyv.access(bytes(data), wire)
    with pytest.raises(CodecError):
        rkyv.access_unchecked(bytes(data), wire).deserialize()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5_000_000


def look_at_everything(view, levels=10):
    """Reads whatever a view offers, ten levels deep."""
    if levels == 0:
        return
    if isinstance(view, rkyv.ArchivedRecord):
        for name, member in vars(type(view)).items():
            if isinstance(member, property):
                look_at_everything(getattr(view, name), levels - 1)
    elif isinstance(view, rkyv.View):
        for item in view[:3]:
            look_at_everything(item, levels - 1)


@pytest.mark.parametrize("wire", [Document, Everything, Shape, Fixture, list[list[str]]])
def test_unchecked_raises_codec_errors_only(wire):
    values = {
        Document: DOCUMENT,
        Everything: EVERYTHING,
        Shape: EVERYTHING.shape,
        Fixture: fixtures.as_fixture(DOCUMENT),
    }
    archive = rkyv.to_bytes(values.get(wire, [["a"], [], ["123456789", "b"]]), wire)
    rng = random.Random(7)
    refused = 0
    for _ in range(1500):
        data = mutated(archive, rng)
        try:
            view = rkyv.access_unchecked(data, wire)
            repr(view)
            look_at_everything(view)
            view.deserialize()
        except CodecError as error:
            refused += 1
            assert error.offset is None or 0 <= error.offset <= len(data)
    assert refused > 100


def test_an_unchecked_field_says_where_it_is():
    view = rkyv.access_unchecked(patched(196, b"\0\0\0\x70"), Document)
    for action in (lambda: view.items[6].sku, view.deserialize):
        with pytest.raises(InvalidSubtreePointer) as refused:
            action()
        assert (refused.value.path, refused.value.offset) == ("items[6].sku", 196)
    assert view.items[5] == DOCUMENT.items[5]


HOSTILE = {
    "texts": (list[str], ["ab"] * 131_000),
    "flags": (list[bool], [True] * 1_040_000),
    "options": (list[u8 | None], [None] * 520_000),
    "empty lists": (list[list[u8]], [[]] * 131_000),
    "letters": (list[char], ["é"] * 260_000),
    "items": (list[DocumentItem], [ITEM] * 43_000),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_megabyte_is_answered(name):
    """Time is not asserted (see tools/bench.py); memory is."""
    wire, value = HOSTILE[name]
    data = rkyv.to_bytes(value, wire)
    bad = patched(len(data) - 8 + 4, b"\xff\xff\xff\x7f", data)
    reads = rkyv.Reads()
    began = time.perf_counter()
    tracemalloc.start()
    with pytest.raises(CodecError):
        rkyv.access(bad, wire)
    rkyv.access(data, wire)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    print(f"{name}: {time.perf_counter() - began:.2f} s with tracing, peak {peak:,} bytes")
    assert peak < 2_000_000  # a check keeps nothing
    rkyv.access(data, wire, reads=reads)
    assert len(reads) <= 3 * len(value) + 3


def test_zero_byte_items_are_bounded():
    assert rkyv.from_bytes(rkyv.to_bytes([None] * 9, list[None]), list[None]) == [None] * 9
    many = bytes(4) + (65_537).to_bytes(4, "little")
    for action in (rkyv.access, rkyv.from_bytes):
        with pytest.raises(OutOfRange, match="more than 65,536 are refused"):
            action(many, list[None])
    with pytest.raises(OutOfRange):
        rkyv.access_unchecked(many, list[None]).deserialize()


@pytest.mark.parametrize(
    ("wire", "data"),
    [
        (list[Array[None, 1000]], bytes(4) + (65_536).to_bytes(4, "little")),
        (Array[None, 2**32 - 1], b""),
        (list[None], bytes(4) + b"\xff\xff\xff\xff"),
    ],
)
def test_empty_items_have_one_verdict(wire, data):
    for action in (rkyv.access, rkyv.from_bytes):
        with pytest.raises(OutOfRange, match="more than 65,536 are refused"):
            action(data, wire)
    assert isinstance(rkyv.trace_decode(data, wire).error, OutOfRange)
    with pytest.raises(OutOfRange):
        list(rkyv.access_unchecked(data, wire)[0:70_000:1000])
        rkyv.access_unchecked(data, wire).deserialize()


def test_a_pointer_is_looked_at_before_its_empty_items():
    data = b"\0\0\0\x40" + (65_537).to_bytes(4, "little")
    with pytest.raises(InvalidSubtreePointer):
        rkyv.access(data, list[None])


def test_a_tuple_has_up_to_thirteen():
    rkyv.to_bytes((1,) * 13, tuple[(u8,) * 13])
    with pytest.raises(NoWireForm, match="up to 13, not 14"):
        rkyv.to_bytes((1,) * 14, tuple[(u8,) * 14])


def nested(wire, build, levels):
    for _ in range(levels):
        wire = build(wire)
    return wire


class Wide(Record):
    x: nested("Wide", lambda t: list[t], 14)


def test_levels_with_much_between_them():
    value = Wide(nested([], lambda v: [v], 13))
    for _ in range(127):
        value = Wide(nested(value, lambda v: [v], 14))
    data = rkyv.to_bytes(value)
    assert rkyv.trace(value).data == data
    assert rkyv.to_bytes(rkyv.from_bytes(data, Wide)) == data


@pytest.mark.parametrize("levels", [100, 400])
def test_nothing_but_codec_errors_from_deep_types(levels):
    array = nested(u8, lambda t: Array[t, 1], levels)
    for action in (
        lambda: rkyv.from_bytes(b"\7", array),
        lambda: rkyv.access(b"\7", array).deserialize(),
        lambda: repr(rkyv.access(b"\7", array)),
        lambda: rkyv.trace_decode(b"\7", array).value,
    ):
        try:
            action()
        except CodecError as error:
            assert isinstance(error, TooDeep)


def test_threads_share_the_stack_limit():
    """A deep walk in one thread, deep types in another: right bytes, or TooDeep, never worse."""
    before = sys.getrecursionlimit()
    wire, value = nested(u8, lambda t: list[t], 300), nested(7, lambda v: [v], 300)
    expected, tree = rkyv.to_bytes(value, wire), deep(60)
    wrong, done = [], threading.Event()

    def trees():
        while not done.is_set():
            rkyv.to_bytes(tree)

    workers = [threading.Thread(target=trees) for _ in range(3)]
    for worker in workers:
        worker.start()
    for _ in range(60):
        if rkyv.to_bytes(value, wire) != expected:
            wrong.append("bytes")
    done.set()
    for worker in workers:
        worker.join()
    assert not wrong and sys.getrecursionlimit() == before


@given(st.binary(max_size=80), st.sampled_from([Document, Everything, Shape, list[str], Node]))
def test_any_bytes(data, wire):
    for action in (rkyv.from_bytes, rkyv.access):
        try:
            action(data, wire)
        except CodecError as error:
            assert 0 <= error.offset <= len(data)
