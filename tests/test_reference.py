"""The yardstick of the benchmark is fair: it accepts and refuses what the codec does, and keeps
nothing that depends on a value."""

import importlib.util
import random
import struct
from enum import IntEnum
from pathlib import Path

import pytest
from bytewalk import CodecError, derive, fixtures, speedy
from bytewalk.records import Document, DocumentItem, DocumentMeta

from .roads import picture

TOOLS = Path(__file__).resolve().parent.parent / "tools"
_spec = importlib.util.spec_from_file_location("reference", TOOLS / "reference.py")
reference = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(reference)
CODEC = derive.codec(Document, speedy)


def document(id="a", status=1, region="eu", version=2, items=(("é", -126, 2**31), ("", 0, 0))):
    items = [DocumentItem(*item) if type(item) is tuple else item for item in items]
    return Document(id, status, DocumentMeta(region, version), items)


DOCUMENTS = [
    fixtures.make("document", seed=42, index=0),
    document(),
    document(items=()),
    document(items=[("one", 1, 1)]),
    *(
        document("x" * n, region="y" * n, items=[("z" * n, 1, 2), ("z" * (n - 1), 3, 4)])
        for n in (255, 256, 257, 70_000)
    ),
    document("\U0001f980", -(2**31), "ß", 2**31 - 1, [("é" * 128, 2**31 - 1, -(2**63))]),
]


def verdict(action, argument, refusals):
    try:
        return picture(action(argument))
    except refusals as error:
        assert not isinstance(error, MemoryError | RecursionError | SystemError)
        return "refused"


def check_decode(data):
    """Returns whether the bytes are accepted, by both."""
    said = verdict(CODEC.decode, data, CodecError)
    assert verdict(reference.decode, data, Exception) == said, bytes(data).hex()
    return said != "refused"


def check_encode(value):
    said = verdict(CODEC.encode, value, CodecError)
    assert verdict(reference.encode, value, Exception) == said, value
    return said != "refused"


@pytest.mark.parametrize("value", DOCUMENTS)
def test_documents(value):
    data = CODEC.encode(value)
    assert reference.encode(value) == data
    assert reference.decode(data) == value
    for given in (data + b"behind", bytearray(data), memoryview(data)):
        assert check_decode(given)


@pytest.mark.parametrize("value", DOCUMENTS[:5])
def test_every_truncation_and_every_flipped_bit(value):
    data = CODEC.encode(value)
    assert not any(check_decode(data[:end]) for end in range(len(data)))
    flipped = [
        check_decode(data[:i] + bytes([data[i] ^ 1 << bit]) + data[i + 1 :])
        for i in range(len(data))
        for bit in range(8)
    ]
    assert {True, False} == set(flipped)


def test_random_damage():
    draw = random.Random(1)
    accepted = 0
    for _ in range(3_000):
        data = bytearray(CODEC.encode(draw.choice(DOCUMENTS[:5])))
        for _ in range(draw.randint(1, 4)):
            at = draw.randrange(len(data) + 1)
            match draw.randrange(4):
                case 0:
                    data[at : at + 1] = draw.randbytes(1)
                case 1:
                    del data[at : at + draw.randint(1, 4)]
                case 2:
                    data[at:at] = draw.randbytes(draw.randint(1, 4))
                case _:
                    data[at : at + 4] = struct.pack(
                        "<I", draw.choice([0, 1, 2, 255, 256, 2**32 - 1])
                    )
            if not data:
                data = bytearray(1)
        accepted += check_decode(bytes(data))
    assert 100 < accepted < 2_900  # the damage is neither harmless nor fatal


@pytest.mark.parametrize("data", [None, 5, "text", [1, 2], object()])
def test_not_bytes(data):
    assert not check_decode(data)


class Text(str):
    pass


class Number(int):
    pass


class Level(IntEnum):
    ONE = 1


class Index:
    def __index__(self):
        return 1


class Encodes:
    def encode(self):
        return b"abc"


class Other:
    """Has every field of every record, and is none."""

    id = sku = region = "a"
    status = version = qty = price_minor = 1
    items = []


Other.meta = Other()

TEXTS = ["", "é", "\ud800", "a\udfff", Text("sub"), b"abc", None, 1, Encodes(), Other()]
NUMBERS = [0, -1, 2**31, -(2**31) - 1, 2**63, -(2**63) - 1, 2**200, True, False]
NUMBERS += [1.0, "1", None, Number(1), Level.ONE, Index(), Other()]


def test_every_field_with_every_wrong_value():
    seen = set()
    for name, choices in {
        "id": TEXTS,
        "region": TEXTS,
        "status": NUMBERS,
        "version": NUMBERS,
    }.items():
        seen |= {(name, check_encode(document(**{name: one}))) for one in choices}
    for place in range(2):
        for field, choices in enumerate((TEXTS, NUMBERS, NUMBERS)):
            for one in choices:
                items = [["a", 1, 2], ["b", 3, 4]]
                items[place][field] = one
                seen.add((field, check_encode(document(items=[tuple(item) for item in items]))))
    assert len(seen) == 14  # every field has values that are taken, and values that are not


@pytest.mark.parametrize(
    "value",
    [
        None,
        Other(),
        Document,
        document(items=[Other()]),
        document(items=[("a", 1, 2), None]),
        Document("a", 1, Other(), []),
        Document("a", 1, DocumentMeta("a", 1), Other()),
        Document("a", 1, DocumentMeta("a", 1), ()),
        Document("a", 1, None, []),
    ],
)
def test_wrong_records(value):
    assert not check_encode(value)


def test_a_field_without_a_value():
    for owner, name in (("document", "id"), ("meta", "version"), ("item", "qty")):
        value = document()
        delattr({"document": value, "meta": value.meta, "item": value.items[0]}[owner], name)
        assert not check_encode(value)


def test_nothing_is_kept_from_call_to_call():
    def kept():
        return {
            name: (id(thing), len(thing) if isinstance(thing, list) else None)
            for name, thing in vars(reference).items()
        }

    before = kept()
    assert {size for _, size in before.values()} == {256, None}
    for value in DOCUMENTS:
        reference.decode(reference.encode(value))
    assert kept() == before
