"""The writer of archives: first what is pointed to, then what points there, the root last."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bytewalk.formats.rkyv.shapes import (
    INLINE,
    Array,
    Box,
    Choice,
    Rules,
    Scalar,
    Shape,
    Struct,
    Text,
    Vector,
)
from bytewalk.formats.rkyv.spans import Spans
from bytewalk.integers import Rule
from bytewalk.serde import LocatingWriter, Writer, payload
from bytewalk.trace import Role
from bytewalk.types import BytesType, OptionType, StructType, TupleType


class ArchiveWriter(Writer):
    """Writes in two passes over each object, as rkyv does: `serialize` writes what the object
    points to and returns where that went (rkyv's *resolver*), `resolve` fills the object's slot.

    What a value may be, the walk's own `Writer` checks. Source: rkyv 0.8.17
    `src/impls/core/mod.rs`, `src/ser/writer/mod.rs` (`align`, `resolve_aligned`).
    """

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules.scalars)
        self.rules = rules
        self.out = bytearray()

    def object(self, shape: Shape, value: Any) -> int:
        """Writes a whole value behind what is there; returns the offset of its slot."""
        resolver = self.serialize(shape, value)
        at = self.room(shape, shape.size)
        self.resolve(shape, at, value, resolver)
        return at

    def room(self, shape: Shape, size: int) -> int:
        """Makes zeroed room, behind the padding that aligns it; returns its offset."""
        self.out += bytes(self.rules.padding(len(self.out), shape.align))
        at = len(self.out)
        self.out += bytes(size)
        self.record_slot(at, shape)
        return at

    # --- First pass: what the value points to ---

    def serialize(self, shape: Shape, value: Any) -> Any:
        """Writes what the value points to. Its resolver: an offset, or a list of resolvers."""
        if not shape.points:
            return None
        resolver = None
        match shape:
            case Text():
                text = self.utf8(value)
                if len(text) > INLINE:
                    resolver = len(self.out)
                    self.rules.packed_length.check(len(text))
                    self.out += text
                    self.record_text(resolver, len(self.out), text)
            case Struct():
                resolver = [
                    self.serialize(part, inner) for part, _, inner in self.inside_of(shape, value)
                ]
            case Vector():
                resolver = self.vector(shape, value)
            case Choice():
                for _, body, inner in self.choose(shape, value):
                    resolver = self.serialize(body, inner)
            case Box():
                resolver = self.object(shape.item, value)
            case Array():
                items = self.each(self.array(shape.node, value))
                resolver = [self.serialize(shape.item, inner) for inner in items]
        return resolver

    def vector(self, shape: Vector, value: Any) -> int:
        item = shape.item
        if isinstance(shape.node, BytesType):
            data = self.blob(value)
            first = self.room(item, 0)
            self.out += data
            self.record(first, len(self.out), "value", "bytes", data, payload(data, "value"))
            return first
        items = self.items(shape.node, value)
        if item.size == 0:
            self.spend(len(items))
        resolvers = [None] * len(items)
        if item.points:
            resolvers = [self.serialize(item, inner) for inner in self.each(items)]
        first = self.room(item, item.size * len(items))
        for index, inner in enumerate(self.each(items)):
            self.resolve(item, first + index * item.size, inner, resolvers[index])
        return first

    # --- Second pass: the slot itself ---

    def resolve(self, shape: Shape, at: int, value: Any, resolver: Any) -> None:
        """Fills the zeroed slot at `at`."""
        match shape:
            case Scalar():
                self.store(at, shape.rule, value, "value")
            case Text() if resolver is None:
                text = self.utf8(value)
                self.out[at : at + INLINE] = text.ljust(INLINE, b"\xff")
                self.record_text(at, at + INLINE, text)
            case Text():
                self.store(at, self.rules.packed_length, len(self.utf8(value)), "length")
                self.point(at, at + 4, resolver)
            case Struct():
                self.record_gaps(shape, at)
                resolvers = iter(resolver or ())
                for part, offset, inner in self.inside_of(shape, value):
                    self.resolve(part, at + offset, inner, next(resolvers, None))
            case Vector():
                self.point(at, at, resolver)
                self.store(at + 4, self.layout.length_rule, len(value), "length")
            case Choice():
                for tag, body, inner in self.choose(shape, value):
                    if isinstance(shape.node, OptionType):
                        self.store(at, self.layout.presence_rule, bool(tag), "present")
                    else:
                        self.store(at, self.layout.tag_rule, tag, "tag")
                        self.note(body.node.label)
                    self.resolve(body, at, inner, resolver)
                    self.record_room(shape, body, at)
            case Box():
                self.point(at, at, resolver)
            case Array():
                items = self.array(shape.node, value)
                if shape.item.size == 0:
                    self.spend(len(items))
                resolvers = iter(resolver or ())
                for index, inner in enumerate(self.each(items)):
                    place = at + index * shape.item.size
                    self.resolve(shape.item, place, inner, next(resolvers, None))

    def store(self, at: int, rule: Rule, value: Any, role: Role) -> None:
        self.out[at : at + rule.size] = rule.encode(value)

    def point(self, slot: int, word: int, target: int) -> None:
        """Writes the offset at `word` that leads from the slot to the target."""
        offset, rule = target - self.rules.base(slot, word), self.rules.offset
        self.out[word : word + rule.size] = rule.encode(offset)
        self.record_offset(rule, slot, word, offset, target)

    # --- What is inside a value ---

    def inside_of(self, shape: Struct, value: Any) -> Iterator[tuple[Shape, int, Any]]:
        """The parts of a value, each as (shape, offset in the slot, the value in it)."""
        match shape.node:
            case StructType():
                values = (inner for _, inner in self.fields(shape.node, value))
            case TupleType():
                values = (inner for _, inner in self.parts_of(shape.node, value))
            case OptionType():
                values = iter([value] if shape.parts else [])
            case _:
                self.unit(value)
                values = iter(())
        # The values come first, so that they run to their own end.
        for inner, part in zip(values, shape.parts, strict=True):
            yield part.shape, part.offset, inner

    def choose(self, shape: Choice, value: Any) -> Iterator[tuple[int, Struct, Any]]:
        """The variant that a value is: (tag, body, value)."""
        if isinstance(shape.node, OptionType):
            for present, inner in self.option(value):
                yield int(present), shape.bodies[int(present)], inner
        else:
            for variant, inner in self.match(shape.node, value):
                yield variant.discriminant, shape.bodies[variant.discriminant], inner

    # --- For the writer that keeps spans ---

    def record(self, *span: Any) -> None: ...
    def record_text(self, start: int, end: int, raw: bytes) -> None: ...
    def record_offset(self, rule: Rule, slot: int, word: int, offset: int, target: int) -> None: ...
    def record_gaps(self, shape: Struct, at: int) -> None: ...
    def record_room(self, shape: Choice, body: Struct, at: int) -> None: ...
    def record_slot(self, at: int, shape: Shape) -> None: ...


class TracingArchiveWriter(Spans, LocatingWriter, ArchiveWriter):
    """An ArchiveWriter that knows the path and records a span for every byte."""

    def store(self, at: int, rule: Rule, value: Any, role: Role) -> None:
        super().store(at, rule, value, role)
        said, end = rule.decode(self.out, at)  # 0.1 as an f32 says 0.10000000149...
        self.record(at, end, role, rule.wire, said, rule.text)
