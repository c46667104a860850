"""Recorded bytes of the real crates, in both directions and on every road."""

import json
import struct
from pathlib import Path

import pytest
from bytewalk import errors, fixtures, serde, speedy
from bytewalk.integers import Prefix
from bytewalk.records import Document, DocumentItem
from bytewalk.types import (
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
    u8,
    u16,
    u32,
    u64,
    u128,
)

from .roads import FORMATS, check, check_decode_error, picture
from .strategies import new_enum

VECTORS = Path(__file__).parent / "vectors"
ENCODE = json.loads((VECTORS / "encode.json").read_text(encoding="utf-8"))["vectors"]
DECODE = json.loads((VECTORS / "decode.json").read_text(encoding="utf-8"))["vectors"]


class E(Enum):
    class Unit(Variant):
        pass

    class New(Variant):
        _0: u32

    class Tup(Variant):
        _0: u8
        _1: i16

    class Struct(Variant):
        a: bool
        b: str


class Inner(Record):
    a: u8
    b: u32


class Mix(Record):
    flag: bool
    big: i64
    small: u16
    inner: Inner


Many = new_enum("Many", [(f"V{index}", [], None) for index in range(300)])

DOCUMENT = fixtures.make("document", seed=42, index=0)
(NAN,) = struct.unpack("<d", bytes.fromhex("010000000000f87f"))

# What the rows of encode.json say in words: (value, wire type where the value does not tell).
VALUES = {
    "v01": (True, None),
    "v02": (255, u8),
    "v03": (-1, i8),
    "v04": (127, u16),
    "v05": (128, u16),
    "v06": (250, u16),
    "v07": (251, u16),
    "v08": (65535, u32),
    "v10": (2, i32),
    "v11": (-1, i32),
    "v12": (125, i32),
    "v14": (-(2**31), i32),
    "v15": (92330, i64),
    "v17": (2**64 - 1, u64),
    "v18": (2**64, u128),
    "v20": (-0.0, f32),
    "v21": (NAN, f64),
    "v22": ("é", char),
    "v24": ("", None),
    "v25": ("12345678", None),
    "v26": ("123456789", None),
    "v28": ("héllo", None),
    "v29": (b"\x01\x02\xfb", None),
    "v31": ([], list[u16]),
    "v32": (None, i32 | None),
    "v33": (-3, i32 | None),
    "v34": (0, u8 | None),
    "v37": (None, None),
    "v39": (E.Unit(), None),
    "v40": (E.New(251), None),
    "v42": (E.Struct(True, "ok"), None),
    "v43": (Many.V251(), None),
    "v44": ({1: "a", 2: "bb"}, dict[u8, str]),
    "v47": (DocumentItem("A", 1, 2), None),
    "v50": (DOCUMENT, None),
    "v50f": (fixtures.as_fixture(DOCUMENT), None),
}
TYPES = {
    "bool": bool,
    "u8 | None": u8 | None,
    "E": E,
    "str": str,
    "char": char,
    "list[u8]": list[u8],
    "list[u16]": list[u16],
    "u16": u16,
    "u32": u32,
    "u64": u64,
    "u128": u128,
    "i8": i8,
    "i32": i32,
    "Document": Document,
}


def test_every_vector_has_its_value():
    assert [row["id"] for row in ENCODE] == list(VALUES)


@pytest.mark.parametrize(
    ("name", "row"),
    [
        pytest.param(name, row, id=f"{name}-{row['id']}")
        for name in FORMATS
        for row in ENCODE
        if row.get(name) is not None
    ],
)
def test_recorded_encoding(name, row):
    value, wire = VALUES[row["id"]]
    check(name, value, wire, expected=bytes.fromhex(row[name]))


@pytest.mark.parametrize(
    "row", DECODE, ids=lambda row: f"{row['format']}-{row['type']}-{row['data'][:20]}"
)
def test_recorded_decoding(row):
    name, data, wire = row["format"], bytes.fromhex(row["data"]), TYPES[row["type"]]
    if "error" in row:
        kind = getattr(errors, row["error"])
        check_decode_error(name, data, wire, kind, row["offset"])
        return
    used = row.get("used", len(data))
    format = FORMATS[name]
    for decode_prefix in (format.decode_prefix, lambda *a: serde.deserialize_prefix(*a, format)):
        value, end = decode_prefix(data, wire)
        assert (picture(value), end) == (picture(row["value"]), used)
    check(name, row["value"], wire)


@pytest.mark.parametrize("data", ["8005", "c00500", "ff0500000000000000"])
def test_a_prefix_varint_may_be_longer_than_needed(data):
    raw = bytes.fromhex(data)
    assert Prefix().decode(raw, 0) == (5, len(raw))


def test_the_fields_of_mix_stand_one_after_the_other():
    mix = Mix(flag=True, big=-2, small=500, inner=Inner(a=7, b=2**31))
    expected = "01" + "feffffffffffffff" + "f401" + "07" + "00000080"
    check("speedy", mix, expected=bytes.fromhex(expected))


@pytest.mark.parametrize("tag", [9, 250, 2**32 - 2])
def test_an_explicit_tag_is_written_by_speedy_alone(tag):
    """Speedy writes the discriminant, the others the place in the declaration."""
    tagged = new_enum("Tagged", [("A", [], None), ("B", [("x", u8)], tag), ("C", [], None)])
    check("speedy", tagged.B(1), expected=tag.to_bytes(4, "little") + b"\1")
    check("speedy", tagged.C(), expected=(tag + 1).to_bytes(4, "little"))
    check("bincode_standard", tagged.B(1), expected=b"\1\1")
    check("bincode_legacy", tagged.C(), expected=b"\2\0\0\0")
    check("postcard", tagged.C(), expected=b"\2")


def test_the_running_examples_in_bytes():
    item = DocumentItem("A", 1, 2)
    assert len(speedy.encode(item)) == 17
    second = DocumentItem("é", -126, 2**31)
    check("speedy", second, expected=bytes.fromhex("02000000c3a982ffffff0000008000000000"))
    check("bincode_standard", second, expected=bytes.fromhex("02c3a9fbfb00fd0000000001000000"))
    check("postcard", second, expected=bytes.fromhex("02c3a9fb018080808010"))
