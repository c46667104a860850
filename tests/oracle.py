"""The real crates, as the tests talk to them: the oracle's process, its types, its exact values.

The oracle is the Rust program in data/oracle; its README.md describes the requests.
"""

import json
import os
import shutil
import struct
import subprocess
import sys
import threading
import types as python_types
from pathlib import Path

from bytewalk import bincode, postcard, records, speedy
from bytewalk.records import Fixture
from bytewalk.types import (
    MOST_EMPTY_ITEMS,
    Array,
    ArrayType,
    BoolType,
    BytesType,
    CharType,
    EnumType,
    FloatType,
    IntType,
    ListType,
    MapType,
    OptionType,
    StrType,
    StructType,
    TupleType,
    UnitType,
    schema,
)

ROOT = Path(__file__).resolve().parent.parent
PROJECT = ROOT / "data" / "oracle"
GOLDEN = ROOT / "data" / "golden"

# The oracle's names for the formats that exist on our side.
FORMATS = {
    "speedy": speedy,
    "bincode-standard": bincode.standard(),
    "bincode-legacy": bincode.legacy(),
    "bincode-variable-big": bincode.standard().with_big_endian(),
    "bincode-fixed-big": bincode.legacy().with_big_endian(),
    "postcard": postcard,
}
# Formats whose bytes are those of another: bincode 1's free functions write what legacy() writes,
# its options() what standard() writes.
SAME_BYTES = {"bincode1": "bincode-legacy", "bincode1-options": "bincode-standard"}


def unavailable() -> str:
    """Why the oracle cannot be had here, or an empty string."""
    return "" if shutil.which("cargo") else "cargo is not installed, so the real crates cannot run"


def build() -> Path:
    """Builds the oracle from its lock file; returns the program."""
    command = ["cargo", "build", "--release", "--locked", "--quiet"]
    subprocess.run(command, cwd=PROJECT, check=True)
    return PROJECT / "target" / "release" / ("oracle.exe" if os.name == "nt" else "oracle")


def write_golden(directory: Path) -> None:
    """What `make oracle` writes into data/golden, written somewhere else."""
    subprocess.run([build(), "vectors", directory], check=True)


class Oracle:
    """A running oracle."""

    def __init__(self, program: Path) -> None:
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )

    def ask(self, requests: list[dict]) -> list[dict]:
        """One answer per request, in order. They are written while answers are read, so that
        neither side waits for the other."""

        def write() -> None:
            for number, request in enumerate(requests):
                self.process.stdin.write(json.dumps({"id": number, **request}) + "\n")
            self.process.stdin.flush()

        writer = threading.Thread(target=write)
        writer.start()
        answers = [json.loads(self.process.stdout.readline()) for _ in requests]
        writer.join()
        assert [answer.pop("id") for answer in answers] == list(range(len(requests)))
        return answers

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait(timeout=30)


class Catalogue:
    """The oracle's types as wire types of ours. `types` maps a name to a wire type."""

    def __init__(self, description: dict) -> None:
        self.module = python_types.ModuleType("oracle_types")
        sys.modules[self.module.__name__] = self.module
        lines = ["from bytewalk.types import *", "from bytewalk.types import Enum, Record, Variant"]
        for name, definition in description["definitions"].items():
            if not hasattr(records, name):
                lines += _class_lines(name, definition)
        for name, known in vars(records).items():
            self.module.__dict__.setdefault(name, known)
        exec("\n".join(lines), self.module.__dict__)
        self.types = {}
        self.formats = {}
        self.archived = {}
        self.limits = {}
        for described in description["types"]:
            if _expressible(described["type"]):
                name = described["name"]
                self.types[name] = eval(_annotation(described["type"]), self.module.__dict__)
                self.formats[name] = [f for f in described["formats"] if f in FORMATS]
                self.archived[name] = [f for f in described["formats"] if f.startswith("rkyv")]
                self.limits[name] = described["limits"]


def _expressible(described: dict) -> bool:
    """Whether Python's notation has the type: not Option of Option or of unit, and the prefix
    varint is an attribute of a field."""
    if described["kind"] == "option":
        return described["item"]["kind"] not in ("option", "unit")
    return described["kind"] != "prefix_varint"


def _annotation(described: dict) -> str:
    match described["kind"]:
        case "string":
            return "str"
        case "unit":
            return "None"
        case "ref":
            return described["name"]
        case "list":
            return f"list[{_annotation(described['item'])}]"
        case "option":
            return f"{_annotation(described['item'])} | None"
        case "array":
            return f"Array[{_annotation(described['item'])}, {described['length']}]"
        case "tuple":
            return f"tuple[{', '.join(map(_annotation, described['items']))}]"
        case "map":
            return f"dict[{_annotation(described['key'])}, {_annotation(described['value'])}]"
        case scalar:
            return scalar


def _class_lines(name: str, definition: dict):
    if definition["kind"] == "struct":
        yield f"class {name}(Record):"
        yield from _field_lines(definition["fields"], "    ")
        return
    yield f"class {name}(Enum):"
    for variant in definition["variants"]:
        tag = f", tag={variant['discriminant']}" if variant["explicit"] else ""
        yield f"    class {variant['name']}(Variant{tag}):"
        yield from _field_lines(variant["fields"], "        ")


def _field_lines(fields: list[dict], indent: str):
    for number, field in enumerate(fields):
        yield f"{indent}{field.get('name', f'_{number}')}: {_annotation(field['type'])!r}"
    if not fields:
        yield f"{indent}pass"


# --- Exact values -------------------------------------------------------------------------------


def to_json(node, value):
    """A value as the oracle writes it: every bit of it, in JSON."""
    match node:
        case IntType():
            return str(value) if node.bits > 32 else value
        case FloatType():
            return float_bits(node, value)
        case BytesType():
            return value.hex()
        case ListType(item=UnitType()):  # a million units are a number
            return {"units": str(len(value))}
        case ListType() | ArrayType():
            return [to_json(node.item, inner) for inner in value]
        case TupleType():
            return [to_json(part, inner) for part, inner in zip(node.items, value, strict=True)]
        case OptionType():
            return None if value is None else {"some": to_json(node.item, value)}
        case MapType():
            return [[to_json(node.key, k), to_json(node.value, v)] for k, v in value.items()]
        case StructType():
            return {f.name: to_json(f.type, getattr(value, f.name)) for f in node.fields}
        case EnumType():
            variant = node.by_class[type(value)]
            fields = {f.name: to_json(f.type, getattr(value, f.name)) for f in variant.fields}
            written = {"variant": variant.cls.__name__}
            if fields:
                named = not variant.fields[0].name.startswith("_")
                written["fields"] = fields if named else list(fields.values())
            return written
        case BoolType() | CharType() | StrType() | UnitType():
            return value
    raise AssertionError(node)


def float_bits(node, value) -> str:
    code = {32: "<I", 64: "<Q"}[node.bits]
    (bits,) = struct.unpack(code, speedy.encode(value, node))
    return f"0x{bits:0{node.bits // 4}x}"


def from_json(node, written):
    """The inverse of `to_json`."""
    match node:
        case IntType():
            return int(written)
        case FloatType():
            return speedy.decode(int(written, 16).to_bytes(node.bits // 8, "little"), node)
        case BytesType():
            return bytes.fromhex(written)
        case ListType(item=UnitType()):
            return [None] * min(int(written["units"]), MOST_EMPTY_ITEMS + 1)
        case ListType() | ArrayType():
            return [from_json(node.item, inner) for inner in written]
        case TupleType():
            return tuple(from_json(p, inner) for p, inner in zip(node.items, written, strict=True))
        case OptionType():
            return None if written is None else from_json(node.item, written["some"])
        case MapType():
            return {from_json(node.key, k): from_json(node.value, v) for k, v in written}
        case StructType():
            return node.cls(*(from_json(f.type, written[f.name]) for f in node.fields))
        case EnumType():
            (variant,) = (v for v in node.variants if v.cls.__name__ == written["variant"])
            fields = written.get("fields", [])
            if isinstance(fields, dict):
                fields = [fields[field.name] for field in variant.fields]
            parts = zip(variant.fields, fields, strict=True)
            return variant.cls(*(from_json(field.type, inner) for field, inner in parts))
        case _:
            return written


# --- Random values and mutated bytes, from a seeded generator -----------------------------------

_TEXT = "aAzZ09 _-éß€\u07ff\u0800\uffff\U00010000\U0010ffff\x00\x7f"
_BOUNDS = (0, 1, 2, 63, 64, 125, 126, 127, 128, 250, 251, 252, 255, 256, 16383, 16384, 65535, 65536)


def random_value(node, rng, depth: int = 0):
    """A value of this type, with a liking for the numbers at which a format changes its mind."""
    match node:
        case BoolType():
            return rng.random() < 0.5
        case IntType():
            return _random_int(node, rng)
        case FloatType():
            return speedy.decode(rng.randbytes(node.bits // 8), node)
        case CharType():
            return rng.choice(_TEXT)
        case StrType():
            length = rng.choice((0, 1, 3, 7, 8, 9, 12, rng.randrange(20), rng.randrange(300)))
            return "".join(rng.choice(_TEXT) for _ in range(length))
        case BytesType():
            return rng.randbytes(rng.choice((0, 1, 5, rng.randrange(300))))
        case ListType():
            length = rng.choice((0, 1, 2, rng.randrange(8)))
            if depth > 3:
                length = 0
            return [random_value(node.item, rng, depth + 1) for _ in range(length)]
        case ArrayType():
            return [random_value(node.item, rng, depth + 1) for _ in range(node.length)]
        case TupleType():
            return tuple(random_value(part, rng, depth + 1) for part in node.items)
        case OptionType():
            some = rng.random() < (0.7 if depth < 6 else 0)
            return random_value(node.item, rng, depth + 1) if some else None
        case MapType():
            keys = sorted({random_value(node.key, rng, depth + 1) for _ in range(rng.randrange(4))})
            return {key: random_value(node.value, rng, depth + 1) for key in keys}
        case StructType():
            return node.cls(*(random_value(f.type, rng, depth + 1) for f in node.fields))
        case EnumType():
            plain = [variant for variant in node.variants if not variant.fields]
            variant = rng.choice(plain if plain and depth > 6 else node.variants)
            return variant.cls(*(random_value(f.type, rng, depth + 1) for f in variant.fields))
        case UnitType():
            return None
    raise AssertionError(node)


def _random_int(node: IntType, rng) -> int:
    low = -(1 << node.bits - 1) if node.signed else 0
    high = low + (1 << node.bits) - 1
    match rng.randrange(4):
        case 0:
            number = rng.choice(_BOUNDS)
        case 1:
            number = (1 << rng.randrange(node.bits + 1)) + rng.randrange(-2, 3)
        case 2:
            number = rng.randrange(low, high + 1)
        case _:
            number = rng.randrange(1000)
    if node.signed and rng.random() < 0.5:
        number = -number
    return min(max(number, low), high)


_BYTES = (0, 1, 2, 3, 0x7F, 0x80, 0xC3, 0xD8, 0xF4, 0xFA, 0xFB, 0xFC, 0xFD, 0xFE, 0xFF)


def mutated(data: bytes, rng) -> bytes:
    """The bytes with one to three accidents: a flip, another byte, a cut, an insertion, a deletion,
    a changed length, something behind."""
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        at = rng.randrange(len(out) + 1)
        match rng.randrange(8):
            case 0 if out:
                out[at % len(out)] ^= 1 << rng.randrange(8)
            case 1 if out:
                out[at % len(out)] = rng.choice(_BYTES)
            case 2:
                del out[at:]
            case 3:
                out[at:at] = rng.randbytes(rng.randrange(1, 5))
            case 4:
                del out[at : at + rng.randrange(1, 5)]
            case 5:
                width = rng.choice((2, 4, 8))
                number = rng.choice((rng.randrange(40), rng.randrange(1 << 16), (1 << 64) - 1))
                out[at : at + width] = (number & (1 << 8 * width) - 1).to_bytes(width, "little")
            case 6:
                out += rng.randbytes(rng.randrange(1, 9))
            case _ if out:
                out[at % len(out)] = out[at % len(out)] + rng.choice((-1, 1)) & 0xFF
    return bytes(out)


def fixture_node(kind: str):
    """The schema of a fixture's record, by the name of its kind."""
    (variant,) = (v for v in schema(Fixture).variants if v.cls.__name__.lower() == kind)
    return variant.fields[0].type


__all__ = ["Array"]  # the catalogue's source uses it
