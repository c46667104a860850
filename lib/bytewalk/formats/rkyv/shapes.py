"""How an archived value stands in its slot: sizes, alignments, offsets, pointers.

An archive is not a stream. Every value has a slot of fixed size; what does not fit there (a longer
text, the items of a list) stands elsewhere, and the slot says how far away. A `Shape` says where in
the slot what stands; `Rules` holds the few rules that shapes, writer and checker share.

Source: rkyv 0.8.17, default features (32-bit offsets, little endian, aligned), and rkyv_derive.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import msgspec

from bytewalk.errors import NoWireForm, OutOfRange
from bytewalk.integers import Fixed, Rule, Store, count
from bytewalk.layout import Layout
from bytewalk.scalars import ScalarValue
from bytewalk.types import (
    INTEGERS,
    ArrayType,
    BytesType,
    EnumType,
    IntType,
    ListType,
    MapType,
    Node,
    OptionType,
    ScalarType,
    StrType,
    StructType,
    TupleType,
    VariantType,
    reachable,
)

_LONGEST_TUPLE = 13  # `src/tuple.rs`
INLINE = 8  # bytes of a str's slot, and the longest text that stands in it


class Shape:
    """A slot of `size` bytes whose offset is a multiple of `align`.

    points: whether anything of the value may stand outside. any_bytes: whether every pattern is a
    value, so that a check has nothing to look at. recursive: whether it counts as a level of what
    may hold itself.
    """

    points = False
    any_bytes = False

    def __init__(self, node: Node, size: int, align: int) -> None:
        self.node = node
        self.recursive = node.recursive and isinstance(self, Struct | Choice)
        self.size = size
        self.align = align


class Scalar(Shape):
    """A number, bool or char: its own width, aligned to it. (`rend`'s little-endian types; a u128
    is aligned to 16.)"""

    def __init__(self, node: Node, rule: Rule) -> None:
        super().__init__(node, rule.size, rule.size)
        self.rule = rule
        self.any_bytes = rule.any_bytes


class Text(Shape):
    """A str: up to 8 bytes of text, filled up with ff; or a packed length and an offset.

    Source: `src/string/repr.rs`.
    """

    points = True

    def __init__(self, node: Node) -> None:
        super().__init__(node, INLINE, 4)


class Vector(Shape):
    """A list: the offset of its first item, and how many there are. A `bytes` is one of u8.

    Source: `src/vec.rs`.
    """

    points = True

    def __init__(self, node: ListType | BytesType, rules: Rules) -> None:
        super().__init__(node, 8, 4)
        self._rules = rules

    @cached_property
    def item(self) -> Shape:  # when asked for: the record around it may not be laid out yet
        of = INTEGERS["u8"] if isinstance(self.node, BytesType) else self.node.item
        return self._rules.shape(of)


class Box(Shape):
    """The offset of a value that stands elsewhere: how a record can hold itself.

    Source: `src/boxed.rs`.
    """

    points = True

    def __init__(self, node: Node, rules: Rules) -> None:
        super().__init__(node, 4, 4)
        self._rules = rules

    @cached_property
    def item(self) -> Shape:
        return self._rules.shape(self.node)


class Array(Shape):
    """An Array: its items, back to back, in the slot itself."""

    def __init__(self, node: ArrayType, item: Shape) -> None:
        super().__init__(node, item.size * node.length, item.align)
        self.item = item
        self.points = item.points
        self.any_bytes = item.any_bytes and item.size > 0  # empty items are counted


class Part(msgspec.Struct, frozen=True):
    """A field of a struct: its name (an index in a tuple), its offset, its shape."""

    name: str | int
    offset: int
    shape: Shape


class Struct(Shape):
    """A record, a tuple, the unit, or the body of a variant, whose tag takes the first byte.

    `#[repr(C)]`: the fields in declaration order, each at the next multiple of its alignment, the
    whole a multiple of the largest one.
    """

    def __init__(self, node: Node, fields: list[tuple[str | int, Shape]], rules: Rules) -> None:
        at = self.head = 1 if isinstance(node, VariantType | OptionType) else 0
        align = 1
        self.parts: list[Part] = []
        self.gaps: list[tuple[int, int, str]] = []  # (start, end, why) in the slot
        for name, shape in fields:
            start, at = at, at + rules.padding(at, shape.align)
            self.gaps.append((start, at, f"padding: {label(name)} is aligned to {shape.align}"))
            self.parts.append(Part(name, at, shape))
            at += shape.size
            align = max(align, shape.align)
        self.end = at  # of the last field
        super().__init__(node, at + rules.padding(at, align), align)
        if not self.head:  # behind the body of a variant the whole enum's room ends
            self.gaps.append((at, self.size, f"padding: the size is a multiple of {align}"))
        self.gaps = [gap for gap in self.gaps if gap[0] < gap[1]]
        self.points = any(part.shape.points for part in self.parts)
        self.any_bytes = all(part.shape.any_bytes for part in self.parts)


class Choice(Shape):
    """An enum or an option: a tag in one byte, and room for the widest variant.

    bodies: the body by tag. Source: rkyv_derive 0.8.17 `src/archive/enum.rs`, `src/option.rs`.
    """

    def __init__(
        self, node: EnumType | OptionType, bodies: dict[int, Struct], rules: Rules
    ) -> None:
        align = max(body.align for body in bodies.values())
        size = max(body.size for body in bodies.values())
        super().__init__(node, size + rules.padding(size, align), align)
        self.bodies = bodies
        self.unused = (
            "room for a value" if isinstance(node, OptionType) else "room for a wider variant"
        )
        self.points = any(body.points for body in bodies.values())


def label(name: str | int) -> str:
    """A part's name for a sentence."""
    if isinstance(name, int):
        return f"[{name}]"
    return name.removeprefix(".") or "the value"


class PackedLength(Store):
    """The length of a text that stands elsewhere: a u32 whose first byte begins with the bits 10,
    as no UTF-8 text does. The low six bits of the length are in that byte, the others above it.

    Source: rkyv 0.8.17 `src/string/repr.rs` (`try_emplace_out_of_line`, `len`).
    """

    accepts = (int,)
    most = 2**30 - 1

    def __init__(self) -> None:
        text = "u32, 4 bytes, little endian, with 10 in the top bits of its first byte"
        super().__init__("u32", 4, "I", "little", text)
        self.pack = lambda n: n & 0x3F | 0x80 | (n & ~0x3F) << 2
        self.unpack = lambda word: word & 0x3F | (word & ~0xFF) >> 2

    def check(self, value: Any) -> None:
        super().check(value)
        if value > self.most:
            raise OutOfRange(f"a text of {count(value)} is longer than {self.most:,}")


class _Scalars(Layout):
    """The rules of single values: fixed widths, little endian, and tags of one byte."""

    name = "rkyv"

    def integer(self, t: IntType) -> Rule:
        return Fixed(t)

    def char(self) -> Rule:
        return ScalarValue()

    def count(self) -> Rule:
        return Fixed(INTEGERS["u32"])

    def variant(self) -> Rule:
        return Fixed(INTEGERS["u8"])


class Rules:
    """The rules of the archive. A misconception is this class with one method changed."""

    name = "rkyv"

    def __init__(self) -> None:
        self.scalars = _Scalars()
        self.offset = Fixed(INTEGERS["i32"])
        self.packed_length = PackedLength()
        self._shapes: dict[Node, Shape] = {}
        self._whole: set[Node] = set()  # those of which every part has its shape

    def padding(self, at: int, align: int) -> int:
        """How many zero bytes follow offset `at` up to a multiple of `align`."""
        return -at % align

    def base(self, slot: int, word: int) -> int:
        """What an offset counts from: the start of the slot of the str, list or box that it
        belongs to, not the place `word` of the offset itself.

        Source: rkyv 0.8.17 `src/rel_ptr.rs`, `src/string/repr.rs` (`as_ptr`).
        """
        return slot

    def shape(self, node: Node) -> Shape:
        """The shape of a type; the same object each time. Raises `NoWireForm`, also for what
        stands in lists far inside."""
        if node not in self._whole:
            for inner in reachable(node):
                self._shape(inner, ())
            self._whole.add(node)
        return self._shapes[node]

    def _shape(self, node: Node, around: tuple[Node, ...]) -> Shape:
        """around: the records and enums in whose slot this one stands, the outermost first."""
        known = self._shapes.get(node)
        if known is None:
            if node in around:
                return self._box(node, around)
            known = self._shapes.setdefault(node, self._lay_out(node, around))
        return known

    def _box(self, node: Node, around: tuple[Node, ...]) -> Shape:
        """A value inside itself. Where Rust has its `Box` the types do not say: there is one place
        only if no other record or enum stands between."""
        if around[-1] is not node:
            raise NoWireForm(
                f"{node.label} holds itself through {around[-1].label}; which of them rkyv would "
                "box, the types do not say"
            )
        return Box(node, self)

    def _lay_out(self, node: Node, around: tuple[Node, ...]) -> Shape:
        match node:
            case ScalarType():
                return Scalar(node, self.scalars.rules[node])
            case StrType():
                return Text(node)
            case ListType() | BytesType():
                return Vector(node, self)
            case StructType():
                return self._struct(node, (*around, node))
            case TupleType():
                if len(node.items) > _LONGEST_TUPLE:
                    raise NoWireForm(
                        f"rkyv archives tuples of up to {_LONGEST_TUPLE}, not {len(node.items)}"
                    )
                parts = [self._shape(item, around) for item in node.items]
                return Struct(node, list(enumerate(parts)), self)
            case OptionType():
                some = Struct(node, [("", self._shape(node.item, around))], self)
                return Choice(node, {0: Struct(node, [], self), 1: some}, self)
            case EnumType():
                return Choice(node, dict(self._bodies(node, (*around, node))), self)
            case ArrayType():
                return Array(node, self._shape(node.item, around))
            case MapType():
                raise NoWireForm("a dict is not among the types that rkyv archives here")
            case _:  # unit
                return Struct(node, [], self)

    def _struct(self, node: StructType, around: tuple[Node, ...]) -> Struct:
        fields = [(f".{field.name}", self._shape(field.type, around)) for field in node.fields]
        return Struct(node, fields, self)

    def _bodies(self, node: EnumType, around: tuple[Node, ...]) -> Iterator[tuple[int, Struct]]:
        for variant in node.variants:
            if variant.discriminant > 0xFF:
                raise NoWireForm(
                    f"rkyv writes the tag of an enum in one byte; {variant.label} has "
                    f"{variant.discriminant}"
                )
            yield variant.discriminant, self._struct(variant, around)
