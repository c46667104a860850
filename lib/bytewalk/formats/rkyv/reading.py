"""Reading an archive where it stands: what a slot says, and whether it may be believed."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from bytewalk.errors import (
    InvalidStringRepr,
    InvalidSubtreePointer,
    InvalidUtf8,
    UnalignedPointer,
    UnexpectedEnd,
)
from bytewalk.formats.rkyv.archive import Archive
from bytewalk.formats.rkyv.shapes import (
    INLINE,
    Array,
    Box,
    Choice,
    Part,
    Rules,
    Scalar,
    Shape,
    Struct,
    Text,
    Vector,
)
from bytewalk.formats.rkyv.spans import Spans
from bytewalk.integers import Fixed, Rule, count
from bytewalk.serde import Budget, Path, build, payload, unknown_variant
from bytewalk.trace import Role
from bytewalk.types import INTEGERS, BytesType, OptionType, StructType, TupleType, article

_BYTES = Scalar(INTEGERS["u8"], Fixed(INTEGERS["u8"]))  # what a text consists of


class ArchiveReader:
    """Reads single slots. Everything is checked against the ends of the buffer, nothing else."""

    def __init__(self, rules: Rules, archive: Archive) -> None:
        self.rules = rules
        self.archive = archive
        self.budget = Budget()

    def parts(self, shape: Struct) -> Iterator[Part]:
        return iter(shape.parts)

    def each(self, length: int) -> Iterator[int]:
        return iter(range(length))

    def get(self, rule: Rule, at: int, role: Role) -> Any:
        return self.archive.scalar(rule, at)

    def follow(self, slot: int, word: int) -> int:
        """Where the offset at `word` leads."""
        return self.lead(slot, word, self.archive.scalar(self.rules.offset, word))

    def lead(self, slot: int, word: int, offset: int) -> int:
        return self.rules.base(slot, word) + offset

    def text_at(self, at: int) -> tuple[bytes | None, int, int]:
        """What a str's slot says: (its text if that is in the slot, else None; where the text
        starts; its length in bytes)."""
        raw = self.archive.bytes(at, at + INLINE).tobytes()
        if raw[0] & 0xC0 != 0x80:
            text = raw.partition(b"\xff")[0]
            return text, at, len(text)
        length = self.said(self.rules.packed_length, at, "length", raw)
        if length <= INLINE:
            raise InvalidStringRepr(
                f"a text of {count(length)} stands in its slot, not elsewhere", offset=at
            )
        return None, self.lead(at, at + 4, self.rules.offset.decode(raw, 4)[0]), length

    def said(self, rule: Rule, at: int, role: Role, raw: bytes) -> Any:
        """The value at the front of bytes that were read at `at`."""
        return rule.decode(raw, 0)[0]

    def text(self, start: int, length: int) -> bytes:
        return self.archive.bytes(start, start + length).tobytes()

    def utf8(self, raw: bytes, start: int) -> str:
        try:
            return raw.decode()
        except UnicodeDecodeError as error:
            raise InvalidUtf8(
                f"the text is not UTF-8: {error.reason}, {raw[error.start]:#04x}",
                offset=start + error.start,
            ) from None

    def items_at(self, at: int) -> tuple[int, int]:
        """What the slot of a list says: (where its items start, how many there are)."""
        return self.follow(at, at), self.get(self.rules.scalars.length_rule, at + 4, "length")

    def body_at(self, shape: Choice, at: int) -> Struct:
        """The body that the tag at `at` announces."""
        if isinstance(shape.node, OptionType):
            return shape.bodies[int(self.get(self.rules.scalars.presence_rule, at, "present"))]
        tag = self.get(self.rules.scalars.tag_rule, at, "tag")
        if tag not in shape.bodies:
            raise unknown_variant(shape.node, tag, list(shape.bodies), at)
        return shape.bodies[tag]

    def spend(self, shape: Vector | Array, length: int, word: int) -> None:
        """Bounds how many items without a byte there are."""
        if shape.item.size == 0:
            self.budget.spend(length, word)

    def within(self, at: int, size: int, word: int) -> None:
        """Refuses what the offset at `word` leads to unless it lies in the buffer."""
        if at < 0 or at + size > self.archive.size:
            raise InvalidSubtreePointer(
                f"points to {count(size)} at {at:,}, outside the {count(self.archive.size)} "
                "of the archive",
                offset=word,
            )


class Checker(ArchiveReader):
    """`access`: goes through an archive once, by the rules of the crate, and keeps nothing.

    An object may point only to what stands before it and behind what was pointed to before, so
    nothing is shared, nothing overlaps and nothing goes round in circles. Bytes that mean nothing
    (padding, what follows the ff of a short text, the room of None) are not looked at.
    Source: rkyv 0.8.17 `src/validation/archive/validator.rs`, `src/api/checked.rs`; bytecheck 0.8.
    """

    skips = True  # what may hold any bytes

    def __init__(self, rules: Rules, archive: Archive) -> None:
        super().__init__(rules, archive)
        self.start, self.end = 0, archive.size  # where something may be pointed to

    def check_root(self, shape: Shape) -> None:
        at = self.archive.root(shape.size)
        if at + shape.size > self.archive.size:
            raise UnexpectedEnd(
                f"{article(shape.node.label)} takes the last {count(shape.size)} of its archive, "
                f"which has {self.archive.size:,}",
                offset=self.archive.size,
            )
        for _ in self.pointee(shape, at, 1, at, "the root stands at"):
            self.check(shape, at)

    def pointee(
        self, shape: Shape, at: int, items: int, word: int, what: str = "points to"
    ) -> Iterator[None]:
        """Gives leave to look at the `items` slots at `at`, which `word` points to, or refuses."""
        size = shape.size * items
        if at < self.start or at + size > self.end:
            raise InvalidSubtreePointer(
                f"points to {count(size)} at {at:,}; from here only {self.start:,} to "
                f"{self.end:,} may be pointed to",
                offset=word,
            )
        address = self.archive.address + at
        if address % shape.align:
            raise UnalignedPointer(
                f"{what} the address {address:,}, not a multiple of {shape.align}", offset=word
            )
        self.record_slot(at, shape)
        end, self.end = self.end, at
        yield
        self.start, self.end = at + size, end

    def check(self, shape: Shape, at: int) -> None:
        if shape.any_bytes and self.skips:
            return
        if shape.recursive:
            self.budget.deeper(shape.node, at)
        match shape:
            case Scalar():
                self.get(shape.rule, at, "value")
            case Text():
                inline, start, length = self.text_at(at)
                if inline is not None:
                    self.utf8(inline, at)
                    self.record_text(at, at + INLINE, inline)
                else:
                    for _ in self.pointee(_BYTES, start, length, at + 4):
                        text = self.text(start, length)
                        self.utf8(text, start)
                        self.record_text(start, start + length, text)
            case Struct():
                self.record_gaps(shape, at)
                for part in self.parts(shape):
                    self.check(part.shape, at + part.offset)
            case Vector():
                first, length = self.items_at(at)
                for _ in self.pointee(shape.item, first, length, at):
                    self.spend(shape, length, at + 4)
                    self.check_items(shape, first, length)
            case Choice():
                body = self.body_at(shape, at)
                self.check(body, at)
                self.record_room(shape, body, at)
            case Box():
                first = self.follow(at, at)
                for _ in self.pointee(shape.item, first, 1, at):
                    self.check(shape.item, first)
            case Array():
                self.spend(shape, shape.node.length, at)
                self.check_items(shape, at, shape.node.length)
        if shape.recursive:
            self.budget.levels -= 1

    def check_items(self, shape: Vector | Array, first: int, length: int) -> None:
        if shape.item.any_bytes and self.skips:
            return
        for index in self.each(length):
            self.check(shape.item, first + index * shape.item.size)

    # --- For the checker that keeps spans ---

    def record_text(self, start: int, end: int, raw: bytes) -> None: ...
    def record_gaps(self, shape: Struct, at: int) -> None: ...
    def record_room(self, shape: Choice, body: Struct, at: int) -> None: ...
    def record_slot(self, at: int, shape: Shape) -> None: ...


class LocatingReads(Path):
    """For readers of an archive: knows the path. An exception leaves the path where it happened."""

    def parts(self, shape: Struct) -> Iterator[Part]:
        return self.inside((part.name for part in shape.parts), super().parts(shape))

    def each(self, length: int) -> Iterator[int]:
        return self.inside(itertools.count(), super().each(length))


class LocatingChecker(LocatingReads, Checker):
    """A Checker that knows the path."""


class TracingChecker(Spans, LocatingChecker):
    """A LocatingChecker that looks at everything and records a span for it."""

    skips = False

    def get(self, rule: Rule, at: int, role: Role) -> Any:
        value = super().get(rule, at, role)
        self.record(at, at + rule.size, role, rule.wire, value, rule.text)
        return value

    def said(self, rule: Rule, at: int, role: Role, raw: bytes) -> Any:
        value = super().said(rule, at, role, raw)
        self.record(at, at + rule.size, role, rule.wire, value, rule.text)
        return value

    def lead(self, slot: int, word: int, offset: int) -> int:
        target = super().lead(slot, word, offset)
        self.record_offset(self.rules.offset, slot, word, offset, target)
        return target

    def body_at(self, shape: Choice, at: int) -> Struct:
        body = super().body_at(shape, at)
        if not isinstance(shape.node, OptionType):
            self.note(body.node.label)
        return body

    def check_items(self, shape: Vector | Array, first: int, length: int) -> None:
        if isinstance(shape.node, BytesType):
            data = self.archive.bytes(first, first + length).tobytes()
            self.record(first, first + length, "value", "bytes", data, payload(data, "value"))
        else:
            super().check_items(shape, first, length)


class Owner(ArchiveReader):
    """`deserialize`: builds Python's own values of what stands in the archive.

    Whether the archive was checked or not, no more is built than its bytes can hold once: nothing
    in an archive is shared.
    """

    def __init__(self, rules: Rules, archive: Archive) -> None:
        super().__init__(rules, archive)
        self.left = archive.size  # bytes that have not been pointed to

    def value(self, shape: Shape, at: int) -> Any:
        if shape.recursive:
            self.budget.deeper(shape.node, at)
        value = None
        match shape:
            case Scalar():
                value = self.get(shape.rule, at, "value")
            case Text():
                text, start, length = self.text_at(at)
                if text is None:
                    self.pointee(start, length, at + 4)
                    text = self.text(start, length)
                value = self.utf8(text, start)
            case Struct():
                values = [self.value(part.shape, at + part.offset) for part in self.parts(shape)]
                value = self.build(shape, values, at)
            case Vector():
                first, length = self.items_at(at)
                self.pointee(first, shape.item.size * length, at)
                value = self.items(shape, first, length, at + 4)
            case Choice():
                value = self.value(self.body_at(shape, at), at)
            case Box():
                first = self.follow(at, at)
                self.pointee(first, shape.item.size, at)
                value = self.value(shape.item, first)
            case Array():
                value = self.items(shape, at, shape.node.length, at)
        if shape.recursive:
            self.budget.levels -= 1
        return value

    def pointee(self, at: int, size: int, word: int) -> None:
        self.within(at, size, word)
        self.left -= size
        if self.left < 0:
            raise InvalidSubtreePointer(
                "points to what something else points to as well", offset=word
            )

    def items(self, shape: Vector | Array, first: int, length: int, word: int) -> Any:
        item = shape.item
        if isinstance(shape.node, BytesType):
            return self.archive.bytes(first, first + length).tobytes()
        self.spend(shape, length, word)
        return [self.value(item, first + index * item.size) for index in self.each(length)]

    def build(self, shape: Struct, values: list, at: int) -> Any:
        match shape.node:
            case StructType():
                return build(shape.node, values, at)
            case TupleType():
                return tuple(values)
            case OptionType():
                return values[0] if values else None
            case _:  # unit
                return None


class LocatingOwner(LocatingReads, Owner):
    """An Owner that knows the path."""
