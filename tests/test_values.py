"""Which Python values a wire type takes, which it refuses, and what becomes of the edges."""

import math
import struct

import pytest
from bytewalk import serde, speedy
from bytewalk.errors import InvalidChar, InvalidUtf8, NoWireForm, OutOfRange, WrongType
from bytewalk.records import Document, DocumentItem, DocumentMeta, Fixture
from bytewalk.types import (
    Array,
    Enum,
    Record,
    Variant,
    char,
    f32,
    f64,
    i8,
    i16,
    i32,
    i64,
    i128,
    schema,
    u8,
    u16,
    u32,
    u64,
    u128,
)

from .roads import FORMATS, check, check_encode_error, each_format, picture
from .strategies import F32_BITS, F64_BITS, INTEGERS, f32_of_bits, f64_of_bits, new_record


class Index:
    """What an integer of numpy looks like to Python."""

    def __index__(self):
        return 1

    __int__ = __index__

    def __float__(self):
        return 1.0


class Text(str):
    """A str all the same."""

    def encode(self, *arguments):
        raise AssertionError("the library asks str itself")


class Number(int):
    pass


class Real(float):
    pass


class Blob(bytes):
    pass


class Items(list):
    pass


class Pair(tuple):
    pass


class Names(dict):
    pass


class Point(Record):
    x: u8
    y: u8


class Point3(Point):
    z: u8


class Twin(Record):
    x: u8
    y: u8


class Shape(Enum):
    class Unit(Variant):
        pass

    class New(Variant):
        _0: u8

    class Named(Variant):
        x: u8
        y: str


class Other(Enum):
    class Unit(Variant):
        pass

    class New(Variant):
        _0: u8


EVERY_INTEGER = [wire for wire, _, _ in INTEGERS.values()]


# --- Refused by type ----------------------------------------------------------------------------

WRONG = {
    "integer": (
        EVERY_INTEGER,
        [True, False, 1.0, "1", b"1", None, [1], Index(), Number(1), 1j, (1,), int],
    ),
    "float": ([f32, f64], [True, "1", None, Index(), Real(1), 1j, b"", float]),
    "bool": ([bool], [1, 0, 1.0, "", None, Index(), "True", bool]),
    "char": ([char], [97, b"a", None, ["a"], ("a",), str]),
    "str": ([str], [b"text", bytearray(b"a"), None, 5, ["a"], str]),
    "bytes": (
        [bytes],
        [bytearray(b"a"), memoryview(b"a"), "a", [1, 2], None, 5, Blob(b"a"), bytes],
    ),
    "unit": ([None], [0, False, "", (), [], {}, type(None)]),
    "list": (
        [list[u8], list[str], list[None], list[Point]],
        [(1,), None, b"\1", {}, {1}, "a", range(3), iter([]), Items([1]), list],
    ),
    "array": ([Array[u8, 1], Array[str, 1]], [b"\1", "a", {1: 1}, {1}, None, range(1), Items([1])]),
    "tuple": ([tuple[u8, u8], tuple[()]], [[1, 2], None, Pair((1, 2)), "ab", {1, 2}, tuple]),
    "map": ([dict[u8, str]], [[(1, "a")], ((1, "a"),), None, Names(), {1}, dict]),
    "record": (
        [Point],
        [
            None,
            {"x": 1, "y": 2},
            (1, 2),
            Twin(1, 2),
            Point3(1, 2, 3),
            Shape.Unit(),
            Point,
            object(),
        ],
    ),
    "enum": (
        [Shape],
        [None, Other.Unit(), Other.New(1), Shape.New, Shape, Point(1, 2), "Unit", 0],
    ),
    "option": ([u8 | None], [True, "", (), Number(1), 0.0]),
    "option of an enum": ([Shape | None], [Other.Unit(), Shape.New]),
}


@each_format
@pytest.mark.parametrize("case", WRONG)
def test_a_value_of_another_type_is_refused(name, case):
    wires, wrong = WRONG[case]
    for wire in wires:
        for value in wrong:
            check_encode_error(name, value, schema(wire), WrongType, "")
            # And the same inside everything that holds values.
            for holder, inside, path in [
                (list[wire], [value], "[0]"),
                (Array[wire, 1], [value], "[0]"),
                (tuple[u8, wire], (1, value), "[1]"),
                (dict[u8, wire], {7: value}, "[7]"),
            ]:
                check_encode_error(name, inside, holder, WrongType, path)


@pytest.mark.parametrize("case", WRONG)
def test_the_reason_names_both_types(case):
    wires, wrong = WRONG[case]
    for value in wrong:
        error = check_encode_error("speedy", value, schema(wires[0]), WrongType)
        assert "expected" in error.reason or "class" in error.reason, error
        assert "got" in error.reason or "class" in error.reason, error


def test_a_path_leads_to_the_value():
    document = Document(
        id="d",
        status=1,
        meta=DocumentMeta("eu", 1),
        items=[DocumentItem("a", 1, 2), DocumentItem("b", "3", 4)],
    )
    check_encode_error("speedy", document, None, WrongType, "items[1].qty")
    document.items[1].qty = 2**31
    check_encode_error("speedy", document, None, OutOfRange, "items[1].qty")
    document.items[1] = "b"
    check_encode_error("speedy", document, None, WrongType, "items[1]")
    document.meta.region = None
    check_encode_error("speedy", document, None, WrongType, "meta.region")
    check_encode_error("speedy", Fixture.Document(document), None, WrongType, "_0.meta.region")
    check_encode_error(
        "speedy", {"k": {1: [300]}}, dict[str, dict[u8, list[u8]]], path="['k'][1][0]"
    )
    check_encode_error("speedy", {300: "a"}, dict[u8, str], OutOfRange, "[key 0]")
    check_encode_error("speedy", {1: "a", "2": "b"}, dict[u8, str], WrongType, "[key 1]")
    check_encode_error(
        "speedy", ((1, (2, 256)),), tuple[tuple[u8, tuple[u8, u8]]], path="[0][1][1]"
    )


def test_the_first_thing_wrong_is_told():
    check_encode_error("speedy", DocumentItem(None, None, None), None, WrongType, "sku")
    check_encode_error("speedy", DocumentItem("a", None, 2**63), None, WrongType, "qty")
    check_encode_error("speedy", [300, "x"], list[u8], OutOfRange, "[0]")
    check_encode_error("speedy", (300, "\ud800"), tuple[u8, str], OutOfRange, "[0]")


def test_a_field_without_a_value():
    item = DocumentItem("a", 1, 2)
    del item.qty
    check_encode_error("speedy", item, None, WrongType, "qty")


def test_nothing_is_left_behind_by_a_refusal():
    good = DocumentItem("a", 1, 2)
    data = speedy.encode(good)
    for _ in range(3):
        check_encode_error("speedy", DocumentItem("a", 1, "2"))
        assert check("speedy", good) == data


def test_values_whose_type_does_not_tell():
    for value in (1, 1.0, [1], (1,), {1: 2}, {1}, object(), 1j, bytearray(b"a"), len, Point):
        for encode in (speedy.encode, speedy.trace, lambda v: serde.serialize(v, speedy)):
            with pytest.raises(NoWireForm) as caught:
                encode(value)
            assert len(str(caught.value)) > 10
    for value in (True, "text", b"bytes", None, Point(1, 2), Shape.New(1)):
        assert serde.serialize(value, speedy) == speedy.encode(value)


# --- Refused by size ----------------------------------------------------------------------------


@each_format
@pytest.mark.parametrize("label", INTEGERS)
def test_integers_at_their_edges(name, label):
    wire, low, high = INTEGERS[label]
    for value in {low, low + 1, -1, 0, 1, 127, 128, 250, 251, high - 1, high}:
        if low <= value <= high:
            check(name, value, wire)
            check(name, [value, value], list[wire])
    for value in (low - 1, high + 1, -(10**40), 10**40, -(10**5000), 10**5000):
        error = check_encode_error(name, value, wire, OutOfRange, "")
        assert label in error.reason
        check_encode_error(name, [low, value], list[wire], OutOfRange, "[1]")


@pytest.mark.parametrize("length", [0, 1, 3])
def test_arrays_and_tuples_have_one_length(length):
    for value in ([0] * length, (0,) * length):
        for wrong in (length - 1, length + 1, 1_000):
            if wrong >= 0 and wrong != length:
                for wire in (Array[u16, wrong], Array[None, wrong], Array[Point | None, wrong]):
                    check_encode_error("speedy", value, wire, OutOfRange, "")
    zeros = (0,) * length
    for wrong in {0, 1, 2, 4} - {length}:
        check_encode_error("speedy", zeros, tuple[(u8,) * wrong or ()], OutOfRange, "")


# --- Taken --------------------------------------------------------------------------------------


@each_format
def test_what_is_taken_beside_the_plain_type(name):
    check(name, (1, 2), Array[u16, 2], decoded=[1, 2])  # a tuple for an Array
    check(name, ("a",), Array[str, 1], decoded=["a"])
    check(name, 3, f64, decoded=3.0)  # an int for a float, as Python does
    check(name, -3, f32, decoded=-3.0)
    check(name, [1, 2.5], list[f64], decoded=[1.0, 2.5])
    check(name, [1, 2.5], list[f32], decoded=[1.0, 2.5])
    check(name, Text("text"), str, decoded="text")
    check(name, Text("c"), char, decoded="c")
    check(name, [Text("a"), "b"], list[str], decoded=["a", "b"])


@each_format
def test_ints_too_large_for_a_float(name):
    assert check(name, 2**53 + 1, f64, decoded=float(2**53)) == struct.pack(
        "<d" if "big" not in name else ">d", 2**53
    )
    check(name, 2**1023, f64, decoded=2.0**1023)
    for wire, value in ((f64, 2**1024), (f64, -(10**400)), (f32, 2**128), (f32, 10**5000)):
        check_encode_error(name, value, wire, OutOfRange, "")
        check_encode_error(name, [0, value], list[wire], OutOfRange, "[1]")


# --- Floats -------------------------------------------------------------------------------------


@each_format
def test_f64_keeps_its_bits(name):
    order = "big" if "big" in name else "little"
    for bits in [*F64_BITS, 0xFFF8000000000000, 0xFFF0000000000001, 0x7FFFFFFFFFFFFFFF]:
        check(name, f64_of_bits(bits), f64, expected=bits.to_bytes(8, order))
    values = [f64_of_bits(bits) for bits in F64_BITS]
    check(name, values, list[f64])
    check(name, values, Array[f64, len(values)])


@each_format
def test_f32_keeps_its_bits(name):
    """Signalling NaNs too: `struct` alone would turn 0x7f800001 into 0x7fc00001."""
    order = "big" if "big" in name else "little"
    for bits in [*F32_BITS, 0xFF800001, 0x7FBFFFFF, 0xFFFFFFFF, 0x7FC00001, 0x80000001]:
        raw = bits.to_bytes(4, order)
        check(name, f32_of_bits(bits), f32, expected=raw)
        value, _ = FORMATS[name].decode_prefix(raw, f32)
        assert picture(value) == picture(f32_of_bits(bits))
    values = [f32_of_bits(bits) for bits in F32_BITS]
    for wire in (list[f32], Array[f32, len(values)], tuple[(f32,) * len(values)]):
        check(name, tuple(values) if "tuple" in str(wire) else values, wire)


def test_f32_rounds_to_the_nearest_even():
    for value, bits in [
        (0.1, 0x3DCCCCCD),
        (1 + 2**-24, 0x3F800000),  # halfway, to even
        (1 + 3 * 2**-24, 0x3F800002),
        (1 + 2**-23, 0x3F800001),
        (2.0**-149, 1),
        (2.0**-150, 0),  # halfway to the smallest
        (3 * 2.0**-150, 2),
        (-(2.0**-150), 1 << 31),
        (3.4028234663852886e38, 0x7F7FFFFF),
        (3.4028235677973362e38, 0x7F7FFFFF),  # the last double that rounds down
    ]:
        check("speedy", value, f32, bits.to_bytes(4, "little"), decoded=f32_of_bits(bits))


@pytest.mark.parametrize("value", [3.4028235677973366e38, 1e39, -1e300, 1.7976931348623157e308])
def test_a_float_beyond_f32(value):
    check_encode_error("speedy", value, f32, OutOfRange, "")
    check_encode_error("speedy", [0.0, value], list[f32], OutOfRange, "[1]")


def test_a_nan_that_only_f64_can_hold():
    """Its payload lies in the 29 bits that an f32 does not have: it would become infinite."""
    for bits in (0x7FF0000000000001, 0xFFF000001FFFFFFF):
        check("speedy", f64_of_bits(bits), f64)
        check_encode_error("speedy", f64_of_bits(bits), f32, OutOfRange, "")
    assert math.isnan(speedy.decode(speedy.encode(f64_of_bits(0x7FF8000000000001), f32), f32))


# --- 128 bits -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "wire", "data"),
    [
        (0, u128, "00" * 16),
        (2**127, u128, "00" * 15 + "80"),
        (2**128 - 1, u128, "ff" * 16),
        (2**64, u128, "00" * 8 + "01" + "00" * 7),
        (-1, i128, "ff" * 16),
        (-(2**127), i128, "00" * 15 + "80"),
        (2**127 - 1, i128, "ff" * 15 + "7f"),
        (0x0102030405060708090A0B0C0D0E0F10, u128, "100f0e0d0c0b0a090807060504030201"),
    ],
)
def test_128_bits(value, wire, data):
    raw = bytes.fromhex(data)
    check("speedy", value, wire, raw)
    check("speedy", [value] * 3, list[wire], b"\3\0\0\0" + 3 * raw)
    check("speedy", [value] * 2, Array[wire, 2], 2 * raw)
    check("speedy", (1, value, 2), tuple[u8, wire, u8], b"\1" + raw + b"\2")
    check("bincode_big_fixed", value, wire, raw[::-1])


# --- Text ---------------------------------------------------------------------------------------


@each_format
@pytest.mark.parametrize(
    "text",
    [
        "",
        "a",
        "\0",
        "é",
        "\x7f\x80",
        "߿ࠀ",
        "\ud7ff\ue000",
        "\uffff\U00010000",
        "\U0010ffff",
        "🦀" * 9,
    ],
)
def test_texts(name, text):
    check(name, text)
    for length in (126, 127, 128, 250, 251, 255, 256, 257, 65_536):
        check(name, "x" * length + text)
    check(name, [text] * 3, list[str])
    if len(text) == 1:
        check(name, text, char)
        check(name, [text] * 2, list[char])


@each_format
@pytest.mark.parametrize("text", ["\ud800", "\udfff", "a\udc80b", "\ud83e\udd80"])
def test_surrogates(name, text):
    error = check_encode_error(name, text, str, InvalidUtf8, "")
    assert "U+D" in error.reason
    check_encode_error(name, DocumentItem(text, 1, 2), None, InvalidUtf8, "sku")
    check_encode_error(name, ["", text], list[str], InvalidUtf8, "[1]")
    check_encode_error(name, {text: 1}, dict[str, u8], InvalidUtf8, "[key 0]")
    check_encode_error(name, text[0] if len(text) == 1 else text, char, InvalidChar, "")


@each_format
@pytest.mark.parametrize("value", ["", "ab", "e\u0301", "\U0001f3f3\ufe0f", "a" * 1_000_000])
def test_a_char_is_one_scalar_value(name, value):
    """e and a combining accent look like one character."""
    check_encode_error(name, value, char, InvalidChar, "")
    check_encode_error(name, ["a", value], list[char], InvalidChar, "[1]")
    check_encode_error(name, {value: 1}, dict[char, u8], InvalidChar, "[key 0]")


# --- Maps, options, enums -----------------------------------------------------------------------


def test_a_map_is_written_in_the_order_of_the_dict():
    forward = check("speedy", {1: "a", 2: "b"}, dict[u8, str])
    backward = check("speedy", {2: "b", 1: "a"}, dict[u8, str])
    assert forward != backward
    assert list(speedy.decode(backward, dict[u8, str])) == [2, 1]


@each_format
def test_a_key_that_comes_twice_keeps_its_last_value(name):
    pairs = [(7, "a"), (8, "b"), (7, "c")]
    data = FORMATS[name].encode(pairs, list[tuple[u8, str]])
    for value, used in (
        FORMATS[name].decode_prefix(data, dict[u8, str]),
        serde.deserialize_prefix(data, dict[u8, str], FORMATS[name]),
    ):
        assert value == {7: "c", 8: "b"}
        assert used == len(data)
    assert FORMATS[name].trace_decode(data, dict[u8, str]).used == len(data)


@each_format
def test_options(name):
    for item, value in [(u8, 0), (bool, False), (str, ""), (list[u8], []), (f64, -0.0)]:
        present = check(name, value, item | None)
        assert present[0] == 1
        assert check(name, None, item | None) == b"\0"
        assert present[1:] == FORMATS[name].encode(value, item)
    check(name, [None, 1, None], list[u8 | None])
    check(name, (None, (None, 1)), tuple[u8 | None, tuple[None, u8] | None])


@each_format
def test_the_four_kinds_of_variants_differ_by_their_fields_alone(name):
    class Kinds(Enum):
        class Unit(Variant):
            pass

        class Newtype(Variant):
            _0: u16

        class Tuple(Variant):
            _0: u16
            _1: u16

        class Struct(Variant):
            left: u16
            right: u16

    format = FORMATS[name]
    unit = check(name, Kinds.Unit())
    newtype = check(name, Kinds.Newtype(1))
    pair = check(name, Kinds.Tuple(1, 2))
    struct_ = check(name, Kinds.Struct(1, 2))
    size = len(unit)
    assert newtype[size:] == format.encode(1, u16)
    assert pair[size:] == struct_[size:] == format.encode((1, 2), tuple[u16, u16])
    assert len({unit, newtype[:size], pair[:size], struct_[:size]}) == 4
    check(name, [Kinds.Unit(), Kinds.Struct(3, 4)], list[Kinds])


@each_format
def test_structs_and_tuples_add_nothing(name):
    class Wrap(Record):
        inner: Point

    class Nothing(Record):
        pass

    bare = check(name, Point(1, 2))
    assert check(name, Wrap(Point(1, 2))) == bare
    assert check(name, (1, 2), tuple[u8, u8]) == bare
    assert check(name, [1, 2], Array[u8, 2]) == bare
    assert check(name, ((1,), (), (2,)), tuple[tuple[u8], tuple[()], tuple[u8]]) == bare
    assert (
        check(name, (Nothing(), None, [], ()), tuple[Nothing, None, Array[u64, 0], tuple[()]])
        == b""
    )


@each_format
def test_bytes_are_a_list_of_u8(name):
    for raw in (b"", b"\0", bytes(range(256)), b"x" * 300):
        assert check(name, raw) == check(name, list(raw), list[u8])


@each_format
def test_runs_of_scalars(name):
    """A list of scalars is one store: of every scalar type, empty, short and long."""
    samples = {bool: [True, False], char: ["a", "é"], f32: [0.5, -0.0], f64: [math.pi, math.inf]}
    samples |= {wire: [low, high] for wire, low, high in INTEGERS.values()}
    for wire, pair in samples.items():
        for values in ([], pair[:1], pair * 50):
            check(name, values, list[wire])
            check(name, values, Array[wire, len(values)])
            check(name, (values, values), tuple[list[wire], list[wire]])


@each_format
def test_wide_records(name):
    """200 fields of all kinds of width, neighbours of the same kind and of other kinds."""
    kinds = [(u8, 1), (u16, 2), (i64, -3), (f32, 0.5), (bool, True), (u128, 5), (char, "c")]
    kinds += [(str, "text"), (i8, -1), (i16, -2), (i32, -3), (u32, 7), (u64, 8), (i128, -9)]
    chosen = [kinds[index * index % len(kinds)] for index in range(200)]
    wide = new_record("Wide", [(f"f{index}", wire) for index, (wire, _) in enumerate(chosen)])
    value = wide(*(sample for _, sample in chosen))
    check(name, value)
    for index in (0, 57, 199):
        broken = wide(*(sample for _, sample in chosen))
        setattr(broken, f"f{index}", object())
        check_encode_error(name, broken, None, None, f"f{index}")
