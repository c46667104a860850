"""Bytes that someone else wrote: every refusal is one `CodecError` with its place, soon and cheap.

The promise is a second and 50 MB for a megabyte. What is asserted is looser where a shared machine
could be slow, and the memory of the values themselves is counted apart.
"""

import array
import inspect
import sys
import tracemalloc

import msgspec
import pytest
from bytewalk import fixtures, serde, speedy
from bytewalk.errors import (
    CodecError,
    InvalidChar,
    InvalidUtf8,
    NoWireForm,
    OutOfRange,
    TooDeep,
    UnexpectedEnd,
    UnknownVariant,
    WrongType,
)
from bytewalk.records import Document, DocumentItem, EventAttr, Message, Telemetry
from bytewalk.types import Array, Enum, Record, Variant, char, f64, schema, u8, u16, u32, u64

from .roads import (
    FORMATS,
    check,
    check_decode_error,
    check_encode_error,
    each_format,
    picture,
    within,
)

SECONDS = 5  # of a shared machine
MEGABYTE = 2**20
DOCUMENT = fixtures.make("document", seed=42, index=0)


class Chain(Record):
    """Itself behind an option: a presence byte a level."""

    next: "Chain | None"


class Tree(Record):
    children: "list[Tree]"


class Nested(Record):
    """Four lists between a level and the next."""

    inner: "list[list[list[list[Nested]]]]"


class Formula(Enum):
    class Number(Variant):
        _0: u8

    class Minus(Variant):
        _0: "Formula"

    class Sum(Variant):
        terms: "list[Formula]"


class Ping(Record):
    pong: "Pong | None"


class Pong(Record):
    ping: "Ping | None"


class Atlas(Record):
    """Behind a map, a tuple and an array."""

    maps: "dict[u8, tuple[u8, Array[Atlas | None, 1]]]"


class Empty(Record):
    pass


# --- The plain cases -----------------------------------------------------------------------------


def test_ff_ff_ff_ff_is_no_document():
    with within(1):
        error = check_decode_error("speedy", b"\xff\xff\xff\xff", Document, UnexpectedEnd, 4, "")
    assert isinstance(error, EOFError)


@each_format
def test_every_truncation_of_the_document(name):
    raw = FORMATS[name].encode(DOCUMENT)
    with within(SECONDS):
        for size in range(len(raw)):
            check_decode_error(name, raw[:size], Document, UnexpectedEnd, size)


def test_where_a_truncated_document_ends():
    raw = speedy.encode(DOCUMENT)
    places = {20: "meta.region", 24: "meta.region", 27: "meta.version", 31: "items", 160: "items"}
    for size, path in places.items():
        assert check_decode_error("speedy", raw[:size], Document).path == path
    # A count of items is held against the bytes that are left; from 8 × 16 on it could be true.
    assert check_decode_error("speedy", raw[:165], Document).path == "items[5].price_minor"
    assert check_decode_error("speedy", raw[:-1], Document).path == "items[7].price_minor"


def test_an_unknown_variant():
    data = b"\7\0\0\0" + bytes(20)
    error = check_decode_error("speedy", data, Formula, UnknownVariant, 0, "")
    assert "7" in error.reason and "Formula" in error.reason
    data = b"\2\0\0\0\2\0\0\0" + b"\0\0\0\0\1" + b"\3\0\0\0"
    check_decode_error("speedy", data, Formula, UnknownVariant, 13, "terms[1]")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (b"\xff", 0),
        (b"ab\xfe", 2),
        (b"\xc3", 0),  # cut short within the text
        (b"ab\xc3", 2),
        (b"\xc0\x80", 0),  # longer than needed
        (b"\xed\xa0\x80", 0),  # a surrogate
        (b"\xf4\x90\x80\x80", 0),  # beyond U+10FFFF
        (b"\x80", 0),
    ],
)
def test_invalid_utf8(text, place):
    data = len(text).to_bytes(4, "little") + text
    check_decode_error("speedy", data, str, InvalidUtf8, 4 + place, "")
    item = data + bytes(12)
    error = check_decode_error("speedy", item, DocumentItem, InvalidUtf8, 4 + place, "sku")
    assert f"{text[place]:#04x}" in error.reason


@each_format
def test_what_cannot_be_written(name):
    with within(SECONDS):
        check_encode_error(name, "\ud800", str, InvalidUtf8, "")
        check_encode_error(name, DocumentItem("a\udfffb", 1, 2), None, InvalidUtf8, "sku")
        check_encode_error(name, 300, u8, OutOfRange, "")
        check_encode_error(name, [1, 2, 300], list[u8], OutOfRange, "[2]")
        check_encode_error(name, True, u8, WrongType, "")
        check_encode_error(name, DocumentItem("a", True, 2), None, WrongType, "qty")
        error = check_encode_error(name, {1}, None, NoWireForm, "")
        assert isinstance(error, TypeError)
        for kind, builtin in ((OutOfRange, OverflowError), (WrongType, TypeError)):
            assert issubclass(kind, builtin)


def test_a_type_with_no_wire_form():
    for action in (
        lambda: speedy.encode({1, 2}, set),
        lambda: speedy.decode(b"", set),
        lambda: speedy.decode_prefix(b"", int),
        lambda: speedy.trace(1, int),
        lambda: speedy.trace_decode(b"", object),
        lambda: serde.serialize({1, 2}, speedy, set),
        lambda: serde.deserialize(b"", set, speedy),
    ):
        with within(1), pytest.raises(NoWireForm) as caught:
            action()
        assert caught.value.offset is None
        assert "wire form" in str(caught.value)


@pytest.mark.parametrize("data", [None, 5, "text", ["a"], object(), 1.5])
def test_input_that_is_no_bytes(data):
    for action in (speedy.decode, speedy.decode_prefix, speedy.trace_decode):
        with pytest.raises(WrongType):
            action(data, u8)
    with pytest.raises(WrongType):
        serde.deserialize(data, u8, speedy)


def test_a_released_memoryview_is_no_bytes():
    view = memoryview(b"\1")
    view.release()
    for action in (speedy.decode, speedy.decode_prefix, speedy.trace_decode):
        with pytest.raises(CodecError):
            action(view, u8)


def test_any_buffer_is_input():
    backwards = memoryview(b"\0\0\0\1")[::-1]
    for data in (bytearray(b"\1\0\0\0"), backwards, array.array("I", [1])):
        assert speedy.decode_prefix(data, u32) == (1, 4)
        assert serde.deserialize(data, u32, speedy) == 1
        assert speedy.trace_decode(data, u32).data == b"\1\0\0\0"


# --- Depth --------------------------------------------------------------------------------------


def chain(levels):
    value = Chain(None)
    for _ in range(levels - 1):
        value = Chain(value)
    return value


def nested(levels):
    value = Nested([])
    for _ in range(levels - 1):
        value = Nested([[[[value]]]])
    return value


def tree(levels):
    value = Tree([])
    for _ in range(levels - 1):
        value = Tree([value])
    return value


def minus(levels):
    value = Formula.Number(7)
    for _ in range(levels - 1):
        value = Formula.Minus(value)
    return value


def sums(levels):
    value = Formula.Sum([])
    for _ in range(levels - 1):
        value = Formula.Sum([value])
    return value


def ping_pong(levels):
    value = None
    for level in range(levels):
        value = Pong(value) if (levels - level) % 2 == 0 else Ping(value)
    return value


def atlas(levels):
    value = Atlas({})
    for _ in range(levels - 1):
        value = Atlas({1: (2, [value])})
    return value


DEEP = {
    "option": (Chain, chain),
    "list": (Tree, tree),
    "four lists": (Nested, nested),
    "variant": (Formula, minus),
    "list in a variant": (Formula, sums),
    "two records": (Ping, ping_pong),
    "map, tuple, array": (Atlas, atlas),
}
each_depth = pytest.mark.parametrize("way", DEEP)


def chain_bytes(name, wire, build, levels):
    """The bytes of a value that is too deep to be encoded: what stands between one level and the
    next is the same for all levels."""
    one, two, three = (FORMATS[name].encode(build(n), wire) for n in (2, 4, 6))
    grown = len(two) - len(one)
    assert len(three) - len(two) == grown
    start = next(i for i in range(len(one) + 1) if two == one[:i] + two[i : i + grown] + one[i:])
    step = two[start : start + grown]
    assert three == one[:start] + 2 * step + one[start:]
    return one[:start] + (levels - 2) // 2 * step + one[start:]


@each_format
@each_depth
def test_128_levels_are_accepted(name, way):
    wire, build = DEEP[way]
    value = build(128)
    # A picture of 128 levels is itself too deep for a comparison, so: bytes, and back.
    data = check_deep(name, value, wire)
    assert data == chain_bytes(name, wire, build, 128)


def check_deep(name, value, wire):
    format = FORMATS[name]
    data = format.encode(value, wire)
    assert serde.serialize(value, format, wire) == data
    back, used = format.decode_prefix(data + b"\1", wire)
    assert used == len(data)
    assert format.encode(back, wire) == data
    back, used = serde.deserialize_prefix(data, wire, format)
    assert used == len(data)
    assert format.encode(back, wire) == data
    opened = format.trace(value, wire)
    assert opened.data == data
    reopened = format.trace_decode(data, wire)
    assert reopened.error is None
    assert [picture(s) for s in reopened.spans] == [picture(s) for s in opened.spans]
    return data


@each_format
@each_depth
def test_129_levels_are_refused(name, way):
    wire, build = DEEP[way]
    error = check_encode_error(name, build(129), wire, TooDeep)
    assert "128" in error.reason
    data = chain_bytes(name, wire, build, 130)
    error = check_decode_error(name, data, wire, TooDeep)
    assert "128" in error.reason
    assert error.offset < len(data)


def test_where_the_129th_level_stands():
    error = check_encode_error("speedy", chain(129), None, TooDeep, ".".join(["next"] * 128))
    assert "Chain" in error.reason
    check_decode_error("speedy", b"\1" * 300, Chain, TooDeep, 128, ".".join(["next"] * 128))
    # The tag of the 129th is the first thing that is not accepted.
    data = b"\1\0\0\0" * 128 + b"\0\0\0\0\7"
    check_decode_error("speedy", data, Formula, TooDeep, 512, ".".join(["_0"] * 128))


@each_format
@each_depth
def test_ten_thousand_levels(name, way):
    """No RecursionError, whatever stands in between."""
    wire, build = DEEP[way]
    value = build(10_000)
    with within(SECONDS):
        check_encode_error(name, value, wire, TooDeep)
    data = chain_bytes(name, wire, build, 10_000)
    with within(SECONDS):
        check_decode_error(name, data, wire, TooDeep)
    unwind(value)


def unwind(value):
    """Takes a deep value apart, so that nothing recurses through it when it is collected."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list | tuple):
            waiting.extend(value)
        elif isinstance(value, dict):
            waiting.extend(value.values())
            value.clear()
        elif isinstance(value, Record | Variant):
            for name in value.__struct_fields__:
                waiting.append(getattr(value, name))
                msgspec.structs.force_setattr(value, name, None)


def test_breadth_is_not_depth():
    wide = Tree([Tree([]) for _ in range(1_000)])
    check("speedy", wide)
    # Brothers and sisters at the deepest level there may be.
    value = Tree([Tree([]), Tree([]), Tree([])])
    for _ in range(126):
        value = Tree([value, Tree([])])
    check_deep("speedy", value, Tree)
    check_encode_error("speedy", Tree([value]), None, TooDeep)


@each_depth
def test_on_a_stack_that_is_nearly_full(way):
    """A caller deep in its own recursion gets the bytes or a `CodecError`, nothing else."""
    wire, build = DEEP[way]
    value = build(100)
    data = speedy.encode(value, wire)
    actions = [
        lambda: speedy.encode(value, wire) == data,
        lambda: serde.serialize(value, speedy, wire) == data,
        lambda: speedy.decode_prefix(data, wire)[1] == len(data),
        lambda: serde.deserialize_prefix(data, wire, speedy)[1] == len(data),
    ]

    def at_depth(frames, action):
        if frames:
            return at_depth(frames - 1, action)
        try:
            return action()
        except CodecError:
            return True

    left = sys.getrecursionlimit() - len(inspect.stack())
    for frames in range(0, left - 120, 60):
        for action in actions:
            assert at_depth(frames, action)


# --- Items that take no byte --------------------------------------------------------------------

NOTHING = {
    "unit": (None, lambda: None),
    "empty tuple": (tuple[()], lambda: ()),
    "empty record": (Empty, Empty),
    "tuple of units": (tuple[None, None], lambda: (None, None)),
    "array of units": (Array[None, 3], lambda: [None] * 3),
    "array of nothing": (Array[u64, 0], list),
}
each_nothing = pytest.mark.parametrize("what", NOTHING)


@each_nothing
def test_65536_items_that_take_no_byte(what):
    most = 65_536 // (4 if what == "array of units" else 1)  # there an item spends three more
    nothing_limit("speedy", *NOTHING[what], most)


@each_format
def test_65536_units(name):
    nothing_limit(name, None, lambda: None, 65_536)


def nothing_limit(name, item, make, most):
    wire, format = list[item], FORMATS[name]
    value = [make() for _ in range(most)]
    with within(SECONDS):
        data = format.encode(value, wire)
        assert serde.serialize(value, format, wire) == data
        assert format.decode_prefix(data, wire) == (value, len(data))
        assert serde.deserialize_prefix(data, wire, format) == (value, len(data))
        value.append(make())
        check_encode_error(name, value, wire, OutOfRange)
        one_more = format.encode(most + 1, u32 if name == "speedy" else u64)
        error = check_decode_error(name, one_more, wire, OutOfRange)
        assert "65,536" in error.reason


@each_nothing
def test_four_billion_items_that_take_no_byte(what):
    wire = list[NOTHING[what][0]]
    with within(1):
        error = check_decode_error("speedy", b"\xff\xff\xff\xff", wire, OutOfRange, 0, "")
    assert "65,536" in error.reason


@pytest.mark.parametrize("name", ["speedy", "postcard"])
def test_lists_that_take_no_byte_share_one_allowance(name):
    format = FORMATS[name]
    half, wire = [None] * 32_768, list[list[None]]
    raw = format.encode([half, half], wire)
    assert format.decode(raw, wire) == serde.deserialize(raw, wire, format) == [half, half]
    check_encode_error(name, [half, half, [None]], wire, OutOfRange)
    three = format.encode(3, u32 if name == "speedy" else u64) + 3 * format.encode(half, list[None])
    with within(SECONDS):
        check_decode_error(name, three, wire, OutOfRange, path="[2]")


@each_format
def test_arrays_that_take_no_byte_share_it_too(name):
    big = Array[Array[None, 60_000], 60_000]
    with within(SECONDS):
        check_decode_error(name, b"", big, OutOfRange)
    check(name, [[None] * 300] * 200, Array[Array[None, 300], 200])


@each_format
def test_a_map_of_units_holds_one_entry(name):
    check(name, {None: None}, dict[None, None])
    count = u32 if name == "speedy" else u64
    many = FORMATS[name].encode(65_536, count)
    value, used = FORMATS[name].decode_prefix(many, dict[None, None])
    assert (value, used) == ({None: None}, len(many))
    more = FORMATS[name].encode(65_537, count)
    check_decode_error(name, more, dict[None, None], OutOfRange)


# --- A megabyte ---------------------------------------------------------------------------------


class Small(Record):
    a: u8
    b: bool


class Long(Enum):
    class A(Variant):
        pass

    class B(Variant):
        _0: u8


def size_of(value):
    """The bytes that a value and all it holds take, each object counted once."""
    seen, total, waiting = set(), 0, [value]
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        total += sys.getsizeof(value)
        if isinstance(value, list | tuple):
            waiting.extend(value)
        elif isinstance(value, dict):
            waiting.extend(value.keys())
            waiting.extend(value.values())
        elif isinstance(value, Record | Variant):
            waiting.extend(getattr(value, name) for name in value.__struct_fields__)
    return total


def u32_bytes(number):
    return number.to_bytes(4, "little")


def fill(unit, size, last=b""):
    """A count and as many units as make `size` bytes; the last one is another if given."""
    count = size // len(unit)
    return u32_bytes(count) + unit * (count - bool(last)) + last


BROKEN_TEXT = u32_bytes(1) + b"\xff"

# What is decoded, the bytes for a given size, and what an item costs that is made before the error.
HOSTILE = {
    "a claim of four billion": (list[Document], lambda n: b"\xff" * 4 + bytes(n), 0),
    "a claim that just fits": (list[str], lambda n: u32_bytes(n // 4 + 1) + bytes(n), 8),
    "texts, the last cut": (list[str], lambda n: fill(u32_bytes(0), n, u32_bytes(9)), 8),
    "texts, the last broken": (list[str], lambda n: fill(u32_bytes(0), n, BROKEN_TEXT), 8),
    "chars, the last too large": (list[char], lambda n: fill(u32_bytes(97), n, b"\xff" * 4), 8),
    "items, the last cut": (
        list[DocumentItem],
        lambda n: fill(bytes(16), n, u32_bytes(2**31) + bytes(12)),
        64,
    ),
    "small records, then a text": (
        tuple[list[Small], str],
        lambda n: fill(b"\1\1", n) + BROKEN_TEXT,
        64,
    ),
    "options, then a text": (
        tuple[list[u8 | None], str],
        lambda n: fill(b"\0", n) + BROKEN_TEXT,
        8,
    ),
    "variants, the last unknown": (list[Long], lambda n: fill(u32_bytes(0), n, u32_bytes(2)), 64),
    "empty lists in a list": (list[list[u8]], lambda n: fill(u32_bytes(0), n, b"\xff" * 4), 72),
    "lists of nothing": (list[list[None]], lambda n: fill(u32_bytes(1), n, b"\xff" * 4), 96),
    "a map, its last value cut": (
        dict[u32, str],
        lambda n: (
            u32_bytes(n // 8)
            + b"".join(u32_bytes(key) + u32_bytes(0) for key in range(n // 8 - 1))
            + u32_bytes(7)
            + u32_bytes(50)
        ),
        200,
    ),
    "a map of one key": (
        tuple[dict[u8, u8], str],
        lambda n: fill(b"\1\1", n) + BROKEN_TEXT,
        0,
    ),
    "numbers, then a text": (
        tuple[list[u16], list[f64], str],
        lambda n: fill(b"\1\1", n // 2) + fill(b"8 bytes!", n // 2) + BROKEN_TEXT,
        40,
    ),
    "one text, broken at its end": (
        str,
        lambda n: u32_bytes(n) + b"a" * (n - 1) + b"\xff",
        1,
    ),
    "one level in another": (Chain, lambda n: b"\1" * n, 0),
    "a tree": (Tree, lambda n: u32_bytes(1) * (n // 4), 0),
    "a broad tree": (Tree, lambda n: fill(u32_bytes(0), n, b"\xff" * 4), 128),
}


def decoders(wire):
    """Both roads, with the derived code made before a clock starts."""
    schema(wire)
    for decode in (speedy.decode, lambda data, wire: serde.deserialize(data, wire, speedy)):
        with pytest.raises(CodecError):
            decode(b"", wire)
        yield decode


def answered_within(seconds, wire, data):
    for decode in decoders(wire):
        with within(seconds), pytest.raises(CodecError) as caught:
            decode(data, wire)
        assert 0 <= caught.value.offset <= len(data)
        assert len(caught.value.path) < 2_000


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_input_is_answered_soon(case):
    wire, make, _ = HOSTILE[case]
    answered_within(SECONDS / 2, wire, make(MEGABYTE // 8))


@pytest.mark.parametrize(
    "case", ["a claim that just fits", "small records, then a text", "one level in another"]
)
def test_a_hostile_megabyte_is_answered_soon(case):
    wire, make, _ = HOSTILE[case]
    answered_within(SECONDS, wire, make(MEGABYTE))


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_input_takes_little_memory(case):
    """Beyond the values that are made until the error: less than 50 times the input."""
    wire, make, cost = HOSTILE[case]
    size = MEGABYTE // 64
    data = make(size)
    for decode in decoders(wire):
        tracemalloc.start()
        try:
            with pytest.raises(CodecError):
                decode(data, wire)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert peak < 50 * size + cost * size, f"{peak / size:.0f} bytes for each of the input"


@pytest.mark.parametrize(
    ("wire", "data"),
    [
        (list[Small], fill(b"\1\1", MEGABYTE // 16)),
        (list[str], fill(u32_bytes(0), MEGABYTE // 4)),
        (list[u16], fill(b"\1\2", MEGABYTE)),
        (bytes, fill(b"b", MEGABYTE)),
        (str, fill(b"t", MEGABYTE)),
        (list[EventAttr], fill(u32_bytes(1) + b"k" + u32_bytes(1) + b"v", MEGABYTE // 8)),
    ],
    ids=["records", "texts", "numbers", "bytes", "text", "attributes"],
)
def test_valid_input_costs_its_values_and_little_else(wire, data):
    speedy.decode(speedy.encode(speedy.decode(data, wire), wire), wire)
    tracemalloc.start()
    try:
        with within(2 * SECONDS):
            value = speedy.decode(data, wire)
        kept, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak - kept < 20 * 2**20, f"{(peak - kept) / 2**20:.0f} MB"
    assert kept < 2 * size_of(value) + 2**20


def test_a_claim_allocates_nothing():
    """Twelve bytes that speak of gigabytes."""
    for wire in (bytes, str, list[u64], list[Telemetry], dict[u64, str], list[list[str]]):
        for name, data in (
            ("speedy", b"\xff\xff\xff\x7f" + bytes(8)),
            ("bincode_standard", b"\xfd" + b"\xff" * 7 + b"\x7f" + bytes(3)),
            ("bincode_legacy", b"\xff" * 7 + b"\x7f" + bytes(4)),
            ("postcard", b"\xff" * 8 + b"\x7f" + bytes(3)),
        ):
            decode = FORMATS[name].decode
            with pytest.raises(CodecError):
                decode(data, wire)
            tracemalloc.start()
            try:
                with within(1), pytest.raises(CodecError):
                    decode(data, wire)
                _, peak = tracemalloc.get_traced_memory()
            finally:
                tracemalloc.stop()
            assert peak < 2**20, (name, wire, peak)
            check_decode_error(name, data, wire, UnexpectedEnd, len(data))


# --- Offsets and paths --------------------------------------------------------------------------


def shown(part):
    """A parameter, for the name of a test."""
    if isinstance(part, type) and issubclass(part, CodecError):
        return part.__name__
    return part or "root" if isinstance(part, str | int) else schema(part).label


@pytest.mark.parametrize(
    ("wire", "data", "kind", "offset", "path"),
    [
        (u16, "01", UnexpectedEnd, 1, ""),
        (bool, "", UnexpectedEnd, 0, ""),
        (Message, "01", UnexpectedEnd, 1, ""),  # shorter than any Message
        (list[u16], "02000000 0100 02", UnexpectedEnd, 7, ""),
        (list[str], "02000000 01000000 61 02000000 61", UnexpectedEnd, 14, "[1]"),
        (list[char], "02000000 61000000 00d80000", InvalidChar, 8, "[1]"),
        (Array[char, 2], "61000000 00d80000", InvalidChar, 4, "[1]"),
        (tuple[u8, char], "01 00d80000", InvalidChar, 1, "[1]"),
        (tuple[u8, tuple[u8, char]], "01 02 ffffffff", InvalidChar, 2, "[1][1]"),
        (dict[u8, char], "01000000 07 ffffffff", InvalidChar, 5, "[7]"),
        (dict[char, u8], "01000000 ffffffff 07", InvalidChar, 4, "[key 0]"),
        (dict[str, char], "01000000 01000000 6b ffffffff", InvalidChar, 9, "['k']"),
        (dict[u8, char], "02000000 07 61000000 08 ffffffff", InvalidChar, 10, "[8]"),
        (char | None, "01 ffffffff", InvalidChar, 1, ""),
        (list[list[char]], "02000000 00000000 01000000 ffffffff", InvalidChar, 12, "[1][0]"),
        (bytes, "05000000 01", UnexpectedEnd, 5, ""),
        (Ping, "01 01 01", UnexpectedEnd, 3, "pong.ping.pong.ping"),
        (Formula, "02000000 01000000 05000000", UnknownVariant, 8, "terms[0]"),
        (Formula, "01000000 01000000", UnexpectedEnd, 8, "_0._0"),
        (list[Empty], "ffffffff", OutOfRange, 0, ""),
        (tuple[u8, list[None]], "01 ffffffff", OutOfRange, 1, "[1]"),
    ],
    ids=shown,
)
def test_offset_and_path(wire, data, kind, offset, path):
    check_decode_error("speedy", bytes.fromhex(data), wire, kind, offset, path)


def test_arrays_and_maps_are_read_item_by_item():
    """Speedy asks ahead for the items of a Vec only (`Reader::read_vec`), and at the root: an item
    that is refused comes before bytes that are missing."""
    bad = "ffffffff"
    behind_text = "04000000 61626364 "  # so that the root is long enough
    for wire, data, offset, path in [
        (tuple[str, Array[char, 2]], behind_text + bad, 8, "[1][0]"),
        (tuple[str, dict[u8, char]], behind_text + "02000000 01" + bad, 13, "[1][1]"),
        (
            tuple[str, Array[tuple[char, u8], 2]],
            "08000000" + "61" * 8 + bad + "01",
            12,
            "[1][0][0]",
        ),
    ]:
        check_decode_error("speedy", bytes.fromhex(data), wire, InvalidChar, offset, path)
    for wire in (list[char], list[tuple[char, u8]]):
        check_decode_error("speedy", bytes.fromhex("02000000" + bad + "01"), wire, UnexpectedEnd, 9)


def test_a_long_key_does_not_make_a_long_path():
    key = "k" * 10_000
    error = check_encode_error("speedy", {key: "\ud800"}, dict[str, str], InvalidUtf8)
    assert len(error.path) < 60
    raw = speedy.encode({key: "a"}, dict[str, char])[:-1] + b"\xff"
    error = check_decode_error("speedy", raw, dict[str, char], InvalidChar)
    assert len(error.path) < 60


def test_a_record_that_refuses_its_values():
    class Positive(Record):
        n: u8
        label: str

        def __post_init__(self):
            if self.n == 0:
                raise ValueError("n must be positive")

    check("speedy", [Positive(1, "a")], list[Positive])
    raw = speedy.encode([Positive(1, "a"), Positive(2, "b")], list[Positive])
    broken = raw.replace(b"\2\1\0\0\0b", b"\0\1\0\0\0b")
    error = check_decode_error("speedy", broken, list[Positive], CodecError, path="[1]")
    assert "n must be positive" in error.reason


def test_which_records_and_enums_are_keys():
    """A record when it is frozen, a variant always; but nothing that holds a list."""

    class Loose(Record):
        a: u8

    class Frozen(Record, frozen=True):
        a: u8

    class Case(Enum):
        class A(Variant):
            _0: u8

        class B(Variant):
            pass

    class Listed(Enum):
        class A(Variant):
            _0: list[u8]

    class LooseInside(Enum):
        class A(Variant):
            _0: Loose

    check("speedy", {Frozen(1): 2}, dict[Frozen, u8])
    check("speedy", {Case.A(1): 2, Case.B(): 3}, dict[Case, u8])
    check("speedy", {(1, Case.B()): 2}, dict[tuple[u8, Case], u8])
    for key in (Loose, Listed, LooseInside):
        for wire in (dict[key, u8], dict[tuple[u8, key], u8], dict[key | None, u8]):
            with pytest.raises(NoWireForm):
                schema(wire)
            with pytest.raises(CodecError):
                speedy.decode(b"\1" + bytes(20), wire)
