"""Random wire types and random values of them.

A `Shape` describes a wire type independently of `bytewalk.types.schema`, so that a test can hold
the library against code that shares nothing with it (`plain_speedy`).
"""

import struct
import types
from dataclasses import dataclass
from typing import Any

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
    u8,
    u16,
    u32,
    u64,
    u128,
)
from hypothesis import strategies as st

INTEGERS = {
    "u8": (u8, 0, 2**8 - 1),
    "u16": (u16, 0, 2**16 - 1),
    "u32": (u32, 0, 2**32 - 1),
    "u64": (u64, 0, 2**64 - 1),
    "u128": (u128, 0, 2**128 - 1),
    "i8": (i8, -(2**7), 2**7 - 1),
    "i16": (i16, -(2**15), 2**15 - 1),
    "i32": (i32, -(2**31), 2**31 - 1),
    "i64": (i64, -(2**63), 2**63 - 1),
    "i128": (i128, -(2**127), 2**127 - 1),
}
SCALARS = {
    "bool": bool,
    **{name: wire for name, (wire, _, _) in INTEGERS.items()},
    "f32": f32,
    "f64": f64,
    "char": char,
    "str": str,
    "bytes": bytes,
    "unit": None,
}

# Names that a generator of Python source could trip over, beside plain ones.
RECORD_NAMES = ["Point", "Item", "len", "list", "int", "Struct", "Budget", "encode", "out", "put"]
RECORD_NAMES += ["pack_I", "data", "depth", "R", "type", "utf8", "EOFError", "value", "É", "_"]
FIELD_NAMES = ["a", "b", "items", "qty", "len", "type", "put", "out", "data", "at", "end", "stop"]
FIELD_NAMES += ["depth", "spend", "utf8", "pack_I", "unpack_I", "i", "kind", "value", "from", "_0"]
FIELD_NAMES += ["class", "match", "None", "encode", "decode", "map", "range", "Point", "only_int"]
FIELD_NAMES += [
    "a_2",
    "flag",
    "flag_2",
    "flag_3",
    "ONE_2",
    "fixed_u128_2",
    "value_2",
    "_",
    "_x",
    "self",
    "f32_bits",
    "write_u8",
    "fixed_u128",
    "é",
]


@dataclass(eq=False, repr=False)
class Shape:
    """A wire type. kind: a key of SCALARS, or option, list, array, tuple, map, record, enum, or
    again (the record or enum `target` once more). wire: the type as the library is told."""

    kind: str
    wire: Any
    parts: tuple["Shape", ...] = ()
    length: int = 0
    cls: type | None = None
    variants: tuple["VariantShape", ...] = ()
    target: "Shape | None" = None

    def __repr__(self):
        inside = [repr(part) for part in self.parts]
        match self.kind:
            case "again":
                return f"{self.target.cls.__name__}..."
            case "record":
                return _described(self.cls, self.parts)
            case "enum":
                cases = ", ".join(
                    f"{variant.discriminant}: {_described(variant.cls, variant.parts)}"
                    for variant in self.variants
                )
                return f"enum {self.cls.__name__}({cases})"
            case "array":
                inside.append(str(self.length))
        return f"{self.kind}[{', '.join(inside)}]" if inside else self.kind


@dataclass(eq=False)
class VariantShape:
    cls: type
    discriminant: int
    parts: tuple[Shape, ...]


def _described(cls, parts):
    pairs = zip(cls.__struct_fields__, parts, strict=True)
    return f"{cls.__name__}({', '.join(f'{name}: {part}' for name, part in pairs)})"


def new_class(name, bases, annotations=None, /, **config):
    """A class made at run time; unlike the class statement, any name will do for a field."""
    body = {"__module__": __name__}
    if annotations is not None:
        body["__annotations__"] = dict(annotations)
    return types.new_class(name, bases, config, lambda namespace: namespace.update(body))


def new_record(name, annotations, **config):
    return new_class(name, (Record,), annotations, **config)


def new_enum(name, variants):
    """variants: (name, annotations, explicit tag or None), or (name, annotations, tag, config)."""
    members = {}
    for label, annotations, tag, *config in variants:
        options = {**(config[0] if config else {}), **({} if tag is None else {"tag": tag})}
        members[label] = new_class(label, (Variant,), annotations, **options)
    return types.new_class(name, (Enum,), {}, lambda namespace: namespace.update(members))


# --- Types --------------------------------------------------------------------------------------


def scalar_shapes(hashable=False):
    # A NaN as a key is another question; Rust has no floats as keys.
    names = [name for name in SCALARS if not (hashable and name in ("f32", "f64"))]
    return st.sampled_from(names).map(lambda name: Shape(name, SCALARS[name]))


@st.composite
def shapes(draw, depth=3, hashable=False):
    """A wire type up to `depth` levels of nesting; hashable: one that can be the key of a dict."""
    kinds = ["scalar"]
    if depth:
        kinds += ["option", "tuple", "record", "enum"]
        if not hashable:
            kinds += ["list", "list", "array", "map", "recursive record", "recursive enum"]
    kind = draw(st.sampled_from(kinds))
    inner = shapes(max(depth - 1, 0), hashable)
    match kind:
        case "scalar":
            return draw(scalar_shapes(hashable))
        case "option":
            item = draw(inner.filter(lambda s: s.kind not in ("unit", "option")))
            return Shape("option", item.wire | None, (item,))
        case "list":
            item = draw(inner)
            return Shape("list", list[item.wire], (item,))
        case "array":
            item, length = draw(inner), draw(st.integers(0, 3))
            return Shape("array", Array[item.wire, length], (item,), length)
        case "tuple":
            items = tuple(draw(st.lists(inner, max_size=4)))
            wire = tuple[tuple(item.wire for item in items)] if items else tuple[()]
            return Shape("tuple", wire, items)
        case "map":
            key, value = draw(shapes(depth - 1, hashable=True)), draw(inner)
            return Shape("map", dict[key.wire, value.wire], (key, value))
        case "record":
            return draw(records(inner, frozen=hashable))
        case "enum":
            return draw(enums(inner, frozen=hashable))
        case "recursive record":
            return draw(recursive_records(inner))
        case _:
            return draw(recursive_enums(inner))


@st.composite
def fields(draw, inner, positional=False, max_size=5):
    parts = tuple(draw(st.lists(inner, max_size=max_size)))
    if positional:
        names = [f"_{index}" for index in range(len(parts))]
    else:
        size = len(parts)
        names = draw(
            st.lists(st.sampled_from(FIELD_NAMES), min_size=size, max_size=size, unique=True)
        )
    return list(zip(names, parts, strict=True))


def annotations_of(named):
    return [(name, part.wire) for name, part in named]


@st.composite
def records(draw, inner, frozen=False):
    named = draw(fields(inner))
    name = draw(st.sampled_from(RECORD_NAMES))
    cls = new_record(name, annotations_of(named), frozen=frozen)
    return Shape("record", cls, tuple(part for _, part in named), cls=cls)


@st.composite
def enums(draw, inner, frozen=False):
    described, parts, tags, following = [], [], [], 0
    for index in range(draw(st.integers(1, 4))):
        named = draw(fields(inner, positional=draw(st.booleans()), max_size=3))
        last = 2**32 - 4 + index  # what the remaining variants need
        tag = draw(st.none() | st.integers(following, min(following + 300, last)) | st.just(last))
        following = following if tag is None else tag
        label = ["Unit", "New", "len", "Tup", "match"][(index + len(named)) % 5]
        config = {"frozen": True} if frozen else {}
        described.append((f"{label}{index}", annotations_of(named), tag, config))
        parts.append(tuple(part for _, part in named))
        tags.append(following)
        following += 1
    cls = new_enum(draw(st.sampled_from(["Shape", "E", "kind", "type"])), described)
    variants = tuple(
        VariantShape(getattr(cls, label), tag, part)
        for (label, *_), tag, part in zip(described, tags, parts, strict=True)
    )
    return Shape("enum", cls, cls=cls, variants=variants)


def _again(form, name):
    """A field that holds the type itself: the field's shape and its annotation, a text because the
    class does not exist yet."""
    again = Shape("again", None)
    option = Shape("option", None, (again,))
    match form:
        case "option":
            return again, option, f"{name} | None"
        case "list":
            return again, Shape("list", None, (again,)), f"list[{name}]"
        case "map":
            pair = (Shape("u8", u8), again)
            return again, Shape("map", None, pair), f"dict[u8, {name}]"
        case "tuple":
            pair = (Shape("u16", u16), option)
            return again, Shape("tuple", None, pair), f"tuple[u16, {name} | None]"
        case "array":
            return again, Shape("array", None, (option,), 2), f"Array[{name} | None, 2]"
        case _:
            inner = Shape("list", None, (Shape("list", None, (again,)),))
            return again, inner, f"list[list[{name}]]"


_FORMS = ["option", "list", "map", "tuple", "array", "lists"]


@st.composite
def recursive_records(draw, inner):
    named = draw(fields(inner, max_size=2).filter(lambda pairs: "more" not in dict(pairs)))
    again, part, annotation = _again(draw(st.sampled_from(_FORMS)), "Tree")
    entries = [(name, shape, shape.wire) for name, shape in named]
    entries.insert(draw(st.integers(0, len(entries))), ("more", part, annotation))
    cls = new_record("Tree", [(name, wire) for name, _, wire in entries])
    again.target = Shape("record", cls, tuple(shape for _, shape, _ in entries), cls=cls)
    return again.target


@st.composite
def recursive_enums(draw, inner):
    leaf = draw(fields(inner, positional=True, max_size=2))
    again, part, annotation = _again(draw(st.sampled_from(_FORMS)), "Expr")
    direct, _, _ = _again("option", "Expr")
    cls = new_enum(
        "Expr",
        [
            ("Leaf", annotations_of(leaf), None),
            ("Node", [("_0", annotation), ("_1", "Expr")], None),
        ],
    )
    target = Shape(
        "enum",
        cls,
        cls=cls,
        variants=(
            VariantShape(cls.Leaf, 0, tuple(shape for _, shape in leaf)),
            VariantShape(cls.Node, 1, (part, direct)),
        ),
    )
    again.target = direct.target = target
    return target


# --- Values -------------------------------------------------------------------------------------


def f32_of_bits(bits):
    """The float with these 32 bits; a NaN keeps its payload, which `struct` would make quiet."""
    if bits & 0x7F800000 == 0x7F800000 and bits & 0x7FFFFF:
        wide = (bits >> 31) << 63 | 0x7FF << 52 | (bits & 0x7FFFFF) << 29
        return struct.unpack("<d", struct.pack("<Q", wide))[0]
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def f64_of_bits(bits):
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


CHARACTERS = st.characters(exclude_categories=["Cs"])  # all but the surrogates
F32_BITS = [0, 1 << 31, 1, 0x7FFFFF, 0x7F7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800001]
F64_BITS = [0, 1 << 63, 1, 2**52 - 1, 0x7FEFFFFFFFFFFFFF, 0x7FF << 52, 0xFFF << 52]
F64_BITS += [0x7FF8000000000001, 0x7FF0000000000001]


def values(shape, levels=2):
    """Values of a shape; a recursive one holds itself up to `levels` times more."""
    match shape.kind:
        case "bool":
            return st.booleans()
        case "f32":
            return (st.integers(0, 2**32 - 1) | st.sampled_from(F32_BITS)).map(f32_of_bits)
        case "f64":
            return (st.integers(0, 2**64 - 1) | st.sampled_from(F64_BITS)).map(f64_of_bits)
        case "char":
            return CHARACTERS
        case "str":
            return st.text(CHARACTERS, max_size=12)
        case "bytes":
            return st.binary(max_size=12)
        case "unit":
            return st.none()
        case "again":
            return values(shape.target, levels - 1) if levels else st.nothing()
        case "enum":
            return st.one_of(
                _built(variant.cls, variant.parts, levels) for variant in shape.variants
            )
        case "record":
            return _built(shape.cls, shape.parts, levels)
        case kind if kind in INTEGERS:
            _, low, high = INTEGERS[kind]
            return st.integers(low, high)
    inner = [values(part, levels) for part in shape.parts]
    match shape.kind:
        case "option":
            return st.none() | inner[0]
        case "tuple":
            return st.tuples(*inner)
        case "array" if shape.length == 0:
            return st.builds(list)
        case "array":
            return st.lists(inner[0], min_size=shape.length, max_size=shape.length)
        case "list":
            return st.builds(list) if inner[0].is_empty else st.lists(inner[0], max_size=4)
        case "map":
            empty = inner[0].is_empty or inner[1].is_empty
            return st.builds(dict) if empty else st.dictionaries(*inner, max_size=3)
    raise AssertionError(shape.kind)


def _built(cls, parts, levels):
    return st.tuples(*(values(part, levels) for part in parts)).map(lambda given: cls(*given))


def typed_values(depth=3):
    """Pairs (shape, value of that shape)."""
    return shapes(depth).flatmap(lambda shape: st.tuples(st.just(shape), values(shape)))


# --- Damage -------------------------------------------------------------------------------------


@st.composite
def damaged(draw, data):
    """The bytes with one to three things wrong: a byte or four changed, cut, put in or repeated."""
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(data)))
        match draw(st.sampled_from(["byte", "word", "cut", "drop", "insert", "repeat"])):
            case "byte" if at < len(data):
                data = data[:at] + bytes([draw(st.integers(0, 255))]) + data[at + 1 :]
            case "word":
                word = draw(st.sampled_from([0, 1, 2, 255, 65537, 0xD800, 2**31, 2**32 - 1]))
                data = data[:at] + word.to_bytes(4, "little") + data[at + 4 :]
            case "cut":
                data = data[:at]
            case "drop":
                data = data[:at] + data[at + draw(st.integers(1, 4)) :]
            case "insert":
                data = data[:at] + draw(st.binary(min_size=1, max_size=4)) + data[at:]
            case "repeat":
                data = data[:at] + data[max(0, at - 8) : at] + data[at:]
    return data
