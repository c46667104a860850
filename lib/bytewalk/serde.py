"""The Serde-style road: one walk over a type, the same for every format.

The walk is written once per direction, in `Writing.write` and `Reading.read`. It asks the layout
which rule applies and tells a *reader of the walk* what to do with it. Here the readers are

    Writer, Reader                  pack and unpack values: the visitor road itself
    LocatingWriter, LocatingReader  also know the path, to say where an error is
    TracingWriter, TracingReader    also record a span for every byte
    CountingWriter, CountingReader  also count what is done

and in `derive` a further one is handed expressions in place of values and collects source lines.
That is why every branch and loop of the walk is a generator of the reader's: for values it runs
the one case that applies, for source it writes all of them down.
"""

from __future__ import annotations

import itertools
import sys
import threading
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from bytewalk.errors import (
    CodecError,
    InvalidUtf8,
    LimitExceeded,
    OutOfRange,
    TooDeep,
    UnexpectedEnd,
    UnknownVariant,
    WrongType,
)
from bytewalk.integers import Rule, article, count, describe, take
from bytewalk.layout import Layout, layout_of
from bytewalk.trace import Role, Span, Trace
from bytewalk.types import (
    MOST_EMPTY_ITEMS,
    MOST_LEVELS,
    ArrayType,
    BytesType,
    EnumType,
    Field,
    ListType,
    MapType,
    Node,
    OptionType,
    ScalarType,
    StrType,
    StructType,
    TupleType,
    UnitType,
    VariantType,
    reachable,
    schema,
    type_of,
)

# --- Writing ------------------------------------------------------------------------------------


class Writing:
    """The walk that writes. A value here is whatever the reader of the walk takes for one."""

    layout: Layout

    def write(self, node: Node, value: Any) -> None:
        layout = self.layout
        match node:
            case ScalarType():
                self.put(layout.rules[node], value, "value")
            case StructType():
                for field, inner in self.fields(node, value):
                    self.write(field.type, inner)
            case StrType():
                text = self.utf8(value)
                self.put(layout.length_rule, self.size(text), "length")
                self.raw(text, node, "text")
            case ListType():
                items = self.items(node, value)
                self.put(layout.length_rule, self.size(items), "length")
                self.write_each(node, items)
            case OptionType():
                for present, inner in self.option(value):
                    self.put(layout.presence_rule, present, "present")
                    if present:
                        self.write(node.item, inner)
            case EnumType():
                for variant, inner in self.match(node, value):
                    self.put(layout.tag_rule, layout.discriminant(variant), "tag")
                    self.note(variant.label)
                    for field, part in self.fields(variant, inner):
                        self.write(field.type, part)
            case BytesType():
                data = self.blob(value)
                self.put(layout.length_rule, self.size(data), "length")
                self.raw(data, node, "value")
            case MapType():
                entries = self.map(node, value)
                self.put(layout.length_rule, self.size(entries), "length")
                if layout.least(node.key) + layout.least(node.value) == 0:
                    self.spend(self.size(entries))
                for key, inner in self.entries(entries):
                    self.write(node.key, key)
                    self.at_key(key)
                    self.write(node.value, inner)
            case ArrayType():
                self.write_each(node, self.array(node, value))
            case TupleType():
                for part, inner in self.parts_of(node, value):
                    self.write(part, inner)
            case UnitType():
                self.unit(value)

    def write_each(self, node: ListType | ArrayType, items: Any) -> None:
        rule = self.layout.store(node.item)
        if rule:
            self.run(rule, items, node)
            return
        if self.layout.least(node.item) == 0:
            self.spend(self.size(items))
        for inner in self.each(items):
            self.write(node.item, inner)


class Budget:
    """Bounds what costs the other side little: levels of recursion, zero-byte items, and with a
    limit (in bytes, on decode) what the message claims."""

    def __init__(self, limit: int | None = None) -> None:
        self.levels = 0
        self.empty_items = 0
        self.limit = limit
        self.claimed = 0

    def deeper(self, node: Node, offset: int | None = None) -> None:
        self.levels += 1
        if self.levels > MOST_LEVELS:
            raise TooDeep(
                f"more than {MOST_LEVELS} levels of {node.label} inside itself", offset=offset
            )

    def spend(self, items: int, offset: int | None = None) -> None:
        self.empty_items += items
        if self.empty_items > MOST_EMPTY_ITEMS:
            raise OutOfRange(
                f"{self.empty_items:,} items that take no byte; more than {MOST_EMPTY_ITEMS:,} "
                "are refused",
                offset=offset,
            )

    def claim(self, size: int, offset: int | None = None) -> None:
        self.claimed += size
        if self.limit is not None and self.claimed > self.limit:
            raise LimitExceeded(
                f"{count(self.claimed)} claimed, more than the limit of {self.limit:,}",
                offset=offset,
            )


def expect(kind: type, value: Any, what: str) -> None:
    """Raises `WrongType` unless the value is exactly of this Python type."""
    if type(value) is not kind:
        hint = ""
        if isinstance(value, type) and issubclass(value, msgspec.Struct):
            value, hint = type, f"; write {value.__name__}(...) for a value"
        raise WrongType(f"expected {article(what)}, got {describe(value)}{hint}")


class Writer(Writing):
    """Packs values: what a Serde `Serializer` does."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.parts: list[bytes] = []
        self.budget = Budget()

    def put(self, rule: Rule, value: Any, role: Role) -> None:
        self.parts.append(rule.encode(value))

    def raw(self, data: bytes, node: Node, role: Role) -> None:
        self.parts.append(data)

    def run(self, rule: Rule, items: Any, node: Node) -> None:
        """A run of scalars that are one store each: one store in all."""
        self.parts.append(b"".join(map(rule.encode, items)))

    def note(self, what: str) -> None:
        """A word about what was just put, for readers of the walk that keep it."""

    def at_key(self, key: Any) -> None:
        """From here on the walk is at the value of this key."""

    def spend(self, items: int) -> None:
        self.budget.spend(items)

    size = staticmethod(len)

    def utf8(self, value: Any) -> bytes:
        if not isinstance(value, str):
            expect(str, value, "str")
        try:
            return str.encode(value)
        except UnicodeEncodeError as error:
            raise InvalidUtf8(
                f"the str holds a surrogate, U+{ord(value[error.start]):04X} at index "
                f"{error.start}, which UTF-8 cannot write"
            ) from None

    def blob(self, value: Any) -> bytes:
        expect(bytes, value, "bytes object")
        return value

    def unit(self, value: Any) -> None:
        if value is not None:
            raise WrongType(f"expected None for the unit, got {describe(value)}")

    def items(self, node: ListType, value: Any) -> list:
        expect(list, value, node.label)
        return value

    def array(self, node: ArrayType, value: Any) -> list | tuple:
        if type(value) not in (list, tuple):
            raise WrongType(f"expected a list for {node.label}, got {describe(value)}")
        if len(value) != node.length:
            raise OutOfRange(
                f"{node.label} holds exactly {node.length:,} items, not {len(value):,}"
            )
        return value

    def map(self, node: MapType, value: Any) -> dict:
        expect(dict, value, node.label)
        return value

    def fields(self, node: StructType, value: Any) -> Iterator[tuple[Field, Any]]:
        expect(node.cls, value, node.label)
        if node.recursive:
            self.budget.deeper(node)
        return self.attributes(node, value)

    def attributes(self, node: StructType, value: Any) -> Iterator[tuple[Field, Any]]:
        for field in node.fields:
            yield field, self.attribute(value, field.name)
        if node.recursive:
            self.budget.levels -= 1

    @staticmethod
    def attribute(value: Any, name: str) -> Any:
        try:
            return getattr(value, name)
        except AttributeError:  # msgspec lets a field be deleted
            raise WrongType(f"the field {name} has no value") from None

    def parts_of(self, node: TupleType, value: Any) -> Iterator[tuple[Node, Any]]:
        expect(tuple, value, node.label)
        if len(value) != len(node.items):
            raise OutOfRange(
                f"{node.label} holds exactly {len(node.items)} values, not {len(value):,}"
            )
        return zip(node.items, value, strict=True)

    def each(self, items: Any) -> Iterator[Any]:
        return iter(items)

    def entries(self, value: dict) -> Iterator[tuple[Any, Any]]:
        return iter(value.items())

    def option(self, value: Any) -> Iterator[tuple[bool, Any]]:
        yield value is not None, value

    def match(self, node: EnumType, value: Any) -> Iterator[tuple[VariantType, Any]]:
        variant = node.by_class.get(type(value))
        if variant is None:
            if isinstance(value, type) and value in node.by_class:
                raise WrongType(
                    f"{node.label}.{value.__name__} is the variant's class; "
                    f"write {node.label}.{value.__name__}(...) for a value"
                )
            raise WrongType(f"expected a variant of {node.label}, got {describe(value)}")
        if node.recursive:
            self.budget.deeper(node)
        yield variant, value
        if node.recursive:
            self.budget.levels -= 1


_END = object()
_WORTH_A_WARNING = 1 << 30  # bytes announced that a program may die of


class _Path:
    """Where in the value the walk stands, as a list of pieces."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.pieces: list[str | int] = []  # a number is an index

    @property
    def path(self) -> str:
        pieces = (f"[{piece}]" if isinstance(piece, int) else piece for piece in self.pieces)
        return "".join(pieces).removeprefix(".")

    def inside(self, pieces: Iterator[str | int], steps: Iterator[Any]) -> Iterator[Any]:
        """The same steps, each with its piece of the path in place while it is walked."""
        self.pieces.append("")
        # The piece stands before its step is made, and the steps run to their own end.
        for piece in itertools.chain(pieces, [""]):
            self.pieces[-1] = piece
            step = next(steps, _END)
            if step is _END:
                break
            yield step
        self.pieces.pop()

    def at_key(self, key: Any) -> None:
        shown = repr(key)
        self.pieces[-1] = f"[{shown if len(shown) <= 40 else shown[:37] + '...'}]"


def _names(node: StructType) -> Iterator[str]:
    return (f".{field.name}" for field in node.fields)


def _keys() -> Iterator[str]:
    return (f"[key {index}]" for index in itertools.count())


class LocatingWriter(_Path, Writer):
    """A Writer that knows the path. An exception leaves the path where it happened."""

    def fields(self, node: StructType, value: Any) -> Iterator[tuple[Field, Any]]:
        return self.inside(_names(node), super().fields(node, value))

    def parts_of(self, node: TupleType, value: Any) -> Iterator[tuple[Node, Any]]:
        return self.inside(itertools.count(), super().parts_of(node, value))

    def each(self, items: Any) -> Iterator[Any]:
        return self.inside(itertools.count(), super().each(items))

    def entries(self, value: dict) -> Iterator[tuple[Any, Any]]:
        return self.inside(_keys(), super().entries(value))

    def run(self, rule: Rule, items: Any, node: Node) -> None:
        for item in self.each(items):
            self.put(rule, item, "value")


class TracingWriter(LocatingWriter):
    """A LocatingWriter that records a span for everything it puts."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self.spans: list[Span] = []
        self.at = 0

    def put(self, rule: Rule, value: Any, role: Role) -> None:
        super().put(rule, value, role)
        said, _ = rule.decode(self.parts[-1], 0)  # 0.1 as an f32 says 0.10000000149...
        self.record(role, rule.wire, said, rule.text)

    def raw(self, data: bytes, node: Node, role: Role) -> None:
        super().raw(data, node, role)
        if data:
            value = data.decode() if role == "text" else data
            self.record(role, node.label, value, _payload(data, role))

    def record(self, role: Role, wire: str, value: Any, rule: str) -> None:
        start, self.at = self.at, self.at + len(self.parts[-1])
        self.spans.append(Span(start, self.at, self.path, role, wire, value, rule))

    def note(self, what: str) -> None:
        self.spans[-1] = msgspec.structs.replace(
            self.spans[-1], rule=f"{self.spans[-1].rule}: {what}"
        )


class CountingWriter(Writer):
    """A Writer that counts.

    visits: calls of the walk, one per node of the value. writes: pieces that are handed on, of
    which a varint makes as many as its rule's steps say, and a run of stores one. done: how often
    each kind of step was taken.
    """

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self.visits = 0
        self.writes = 0
        self.done: Counter[str] = Counter()

    def write(self, node: Node, value: Any) -> None:
        self.visits += 1
        super().write(node, value)

    def put(self, rule: Rule, value: Any, role: Role) -> None:
        super().put(rule, value, role)
        kinds = Counter(step.kind for step in rule.steps(value))
        self.done += kinds
        self.writes += kinds["write"] or 1  # groups are collected first, then written at once

    def raw(self, data: bytes, node: Node, role: Role) -> None:
        super().raw(data, node, role)
        self.writes += 1

    def run(self, rule: Rule, items: Any, node: Node) -> None:
        super().run(rule, items, node)
        self.writes += 1


def _payload(data: bytes, role: Role) -> str:
    return f"UTF-8, {count(len(data))}" if role == "text" else f"{count(len(data))} as they are"


# --- Reading ------------------------------------------------------------------------------------


class Reading:
    """The walk that reads, the mirror of `Writing`."""

    layout: Layout

    def read(self, node: Node) -> Any:
        layout = self.layout
        match node:
            case ScalarType():
                return self.get(layout.rules[node], "value")
            case StructType():
                return self.read_fields(node)
            case StrType():
                return self.text(self.get(layout.length_rule, "length"), node)
            case ListType():
                return self.read_each(node, self.get(layout.length_rule, "length"))
            case OptionType():
                present = self.get(layout.presence_rule, "present")
                result = self.nothing()
                for _ in self.when(present):
                    result = self.set(result, self.read(node.item))
                return result
            case EnumType():
                tag = self.get(layout.tag_rule, "tag")
                result = self.nothing()
                for variant in self.match(node, tag):
                    self.note(variant.label)
                    result = self.set(result, self.read_fields(variant))
                return result
            case BytesType():
                return self.blob(self.get(layout.length_rule, "length"), node)
            case MapType():
                entries = self.get(layout.length_rule, "length")
                if layout.least(node.key) + layout.least(node.value) == 0:
                    self.spend(entries)
                result = self.new_dict()
                for _ in self.entries(entries):
                    key = self.key(self.read(node.key))
                    self.at_key(key)
                    self.insert(result, key, self.read(node.value))
                return result
            case ArrayType():
                return self.read_each(node, node.length)
            case TupleType():
                values = []
                for part in self.parts_of(node):
                    values.append(self.read(part))
                return self.tuple(values)
            case UnitType():
                return self.unit()

    def read_fields(self, node: StructType) -> Any:
        values = []
        for field in self.fields(node):
            values.append(self.read(field.type))
        return self.build(node, values)

    def read_each(self, node: ListType | ArrayType, length: Any) -> Any:
        rule = self.layout.store(node.item)
        if rule:
            return self.run(rule, length, node)
        least = self.layout.least(node.item)
        if least == 0:
            self.spend(length)
        elif self.layout.counts_ahead and isinstance(node, ListType):
            self.claim(length, least)
        result = self.new_list()
        for _ in self.each(length):
            self.append(result, self.read(node.item))
        return result


class Reader(Reading):
    """Unpacks values: what a Serde `Deserializer` and its `Visitor` do together."""

    def __init__(self, layout: Layout, data: bytes) -> None:
        self.layout = layout
        self.data = data
        self.at = 0
        self.start = 0  # of what was read last
        self.role: Role = "value"  # of what is being read
        self.budget = Budget(layout.limit)

    def get(self, rule: Rule, role: Role) -> Any:
        self.start, self.role = self.at, role
        if self.layout.limit is not None:
            self.budget.claim(rule.claimed(self.data, self.at), self.at)
        value, self.at = rule.decode(self.data, self.at)
        return value

    def take(self, size: int, node: Node, role: Role) -> bytes:
        self.start, self.role = self.at, role
        # A text claims all that it announces, a Vec<u8> each byte before it looks for it.
        announced = size if role == "text" else min(size, len(self.data) - self.at + 1)
        self.budget.claim(announced, self.at)
        try:
            self.at = take(self.data, self.at, size, f"the {node.label} is announced with")
        except UnexpectedEnd as error:
            if role == "text" and self.layout.allocates_first and size >= _WORTH_A_WARNING:
                error.reason += "; the crate would allocate them first, and may abort"
            raise
        return self.data[self.start : self.at]

    def text(self, size: int, node: Node) -> str:
        raw = self.take(size, node, "text")
        try:
            return raw.decode()
        except UnicodeDecodeError as error:
            at = self.start + error.start
            raise InvalidUtf8(
                f"the text is not UTF-8: {error.reason}, {self.data[at]:#04x}", offset=at
            ) from None

    def blob(self, size: int, node: Node) -> bytes:
        return self.take(size, node, "value")

    def run(self, rule: Rule, length: int, node: Node) -> list:
        self.reach_run(rule, length, node)
        return [self.get(rule, "value") for _ in self.each(length)]

    def reach_run(self, rule: Rule, length: int, node: Node) -> None:
        """Refuses a run that is cut short before its first item, unless an item could be refused
        before that: the format would read as far as it gets."""
        self.role = "value"
        ahead = self.layout.counts_ahead and isinstance(node, ListType)
        if ahead or (rule.any_bytes and self.layout.limit is None):
            take(self.data, self.at, length * rule.size, f"{length:,} × {rule.wire} take")

    def spend(self, items: int) -> None:
        self.budget.spend(items, self.start)

    def claim(self, length: int, least: int) -> None:
        """Refuses a count that the bytes left cannot hold, before anything is made for it."""
        self.role = "value"
        items = f"{count(length, 'item')} of at least {count(least)}"
        take(self.data, self.at, length * least, f"{items} take")

    def note(self, what: str) -> None:
        """A word about what was just read, for readers of the walk that keep it."""

    def at_key(self, key: Any) -> None:
        """From here on the walk is at the value of this key."""

    def fields(self, node: StructType) -> Iterator[Field]:
        if node.recursive:
            self.budget.deeper(node, self.at)
        return self.one_after_another(node)

    def one_after_another(self, node: StructType) -> Iterator[Field]:
        yield from node.fields
        if node.recursive:
            self.budget.levels -= 1

    def build(self, node: StructType, values: list) -> Any:
        try:
            return node.cls(*values)
        except Exception as error:  # a record may check itself in __post_init__
            raise CodecError(
                f"{node.label} refuses these values: {error}", offset=self.at
            ) from None

    def match(self, node: EnumType, tag: int) -> Iterator[VariantType]:
        for variant in node.variants:
            if self.layout.discriminant(variant) == tag:
                break
        else:
            known = ", ".join(str(self.layout.discriminant(v)) for v in node.variants[:8])
            more = ", ..." if len(node.variants) > 8 else ""
            raise UnknownVariant(
                f"{node.label} has no variant {tag}; it has {known}{more}", offset=self.start
            )
        if node.recursive:
            self.budget.deeper(node, self.start)
        yield variant
        if node.recursive:
            self.budget.levels -= 1

    def parts_of(self, node: TupleType) -> Iterator[Node]:
        return iter(node.items)

    def each(self, length: int) -> Iterator[int]:
        return iter(range(length))

    def entries(self, length: int) -> Iterator[int]:
        return iter(range(length))

    def when(self, present: bool) -> Iterator[None]:
        if present:
            yield

    def nothing(self) -> None:
        return None

    def set(self, result: Any, value: Any) -> Any:
        return value

    def key(self, key: Any) -> Any:
        return key

    def unit(self) -> None:
        return None

    tuple = staticmethod(tuple)
    new_list = staticmethod(list)
    new_dict = staticmethod(dict)
    append = staticmethod(list.append)
    insert = staticmethod(dict.__setitem__)


class LocatingReader(_Path, Reader):
    """A Reader that knows the path. An exception leaves the path where it happened."""

    def fields(self, node: StructType) -> Iterator[Field]:
        return self.inside(_names(node), super().fields(node))

    def parts_of(self, node: TupleType) -> Iterator[Node]:
        return self.inside(itertools.count(), super().parts_of(node))

    def each(self, length: int) -> Iterator[int]:
        return self.inside(itertools.count(), super().each(length))

    def entries(self, length: int) -> Iterator[int]:
        return self.inside(_keys(), super().entries(length))


class _Finder(LocatingReader):
    """Finds the error in bytes that are known to hold one: keeps nothing, skips what cannot fail.

    A megabyte of small records is read twice when its last byte is bad, so this pass is lean.
    """

    def read_each(self, node: ListType | ArrayType, length: int) -> None:
        size = self.layout.any_bytes(node.item)
        there = size and self.at + size * length <= len(self.data)
        if there and self.layout.limit is None:
            self.at += size * length
        else:
            super().read_each(node, length)

    def run(self, rule: Rule, length: int, node: Node) -> None:
        self.reach_run(rule, length, node)
        if rule.any_bytes and self.layout.limit is None:
            self.at += rule.size * length
        else:
            for _ in self.each(length):
                self.get(rule, "value")

    def append(self, result: list, value: Any) -> None:
        """Nothing is kept."""

    def insert(self, result: dict, key: Any, value: Any) -> None:
        """Nothing is kept."""


class TracingReader(LocatingReader):
    """A LocatingReader that records a span for everything it gets."""

    def __init__(self, layout: Layout, data: bytes) -> None:
        super().__init__(layout, data)
        self.spans: list[Span] = []

    def get(self, rule: Rule, role: Role) -> Any:
        value = super().get(rule, role)
        self.record(role, rule.wire, value, rule.text)
        return value

    def text(self, size: int, node: Node) -> str:
        value = super().text(size, node)
        self.record("text", node.label, value, _payload(value.encode(), "text"))
        return value

    def blob(self, size: int, node: Node) -> bytes:
        value = super().blob(size, node)
        self.record("value", node.label, value, _payload(value, "value"))
        return value

    def record(self, role: Role, wire: str, value: Any, rule: str) -> None:
        if self.at > self.start:
            self.spans.append(Span(self.start, self.at, self.path, role, wire, value, rule))

    note = TracingWriter.note

    def end_at(self, error: CodecError) -> None:
        """Lets the spans end where the error is: a tag that was read but not accepted goes, bytes
        of which no value was made are accounted for."""
        if error.offset is None:
            return
        while self.spans and self.spans[-1].end > error.offset:
            self.spans.pop()
        done = self.spans[-1].end if self.spans else 0
        if error.offset > done:
            self.spans.append(
                Span(done, error.offset, error.path, self.role, "?", None, error.reason)
            )


class CountingReader(Reader):
    """A Reader that counts.

    visits: calls of the walk, one per node of the type as it is met. reads: numbers, texts and runs
    that were asked for. texts, lists, records: what was made, empty ones included (bytes are among
    the texts, dicts among the lists).
    """

    def __init__(self, layout: Layout, data: bytes) -> None:
        super().__init__(layout, data)
        self.visits = self.reads = self.texts = self.lists = self.records = 0

    def read(self, node: Node) -> Any:
        self.visits += 1
        return super().read(node)

    def get(self, rule: Rule, role: Role) -> Any:
        self.reads += 1
        return super().get(rule, role)

    def take(self, size: int, node: Node, role: Role) -> bytes:
        self.reads += 1
        self.texts += 1
        return super().take(size, node, role)

    def run(self, rule: Rule, length: int, node: Node) -> list:
        before = self.reads
        items = super().run(rule, length, node)
        self.reads = before + 1
        self.lists += 1
        return items

    def build(self, node: StructType, values: list) -> Any:
        self.records += 1
        return super().build(node, values)

    def new_list(self) -> list:
        self.lists += 1
        return []

    def new_dict(self) -> dict:
        self.lists += 1
        return {}


# --- The road's own entry points ----------------------------------------------------------------


def serialize(value: Any, format: Any, type: Any = None) -> bytes:
    """The bytes of a value, by the walk.

    format: a format module or a bincode Config. type: its wire type, where the value's own Python
    type does not tell. Raises `CodecError` with the path, before anything is returned.
    """
    layout, node = layout_of(format), node_of(value, type)
    writer = Writer(layout)
    with deep_stack(node):
        with_place(
            lambda: writer.write(node, value), lambda: locate_write(layout, node, value), node
        )
    return b"".join(writer.parts)


def deserialize(data: Any, type: Any, format: Any) -> Any:
    """The value at the front of `data`, by the walk; trailing bytes are ignored.

    Raises `CodecError` with offset and path.
    """
    return deserialize_prefix(data, type, format)[0]


def deserialize_prefix(data: Any, type: Any, format: Any) -> tuple[Any, int]:
    """Like `deserialize`, with the number of bytes used."""
    layout, node, data = layout_of(format), schema(type), as_bytes(data)
    reader = Reader(layout, data)
    with deep_stack(node):
        value = with_place(
            lambda: start(reader, node), lambda: locate_read(layout, node, data), node
        )
    return value, reader.at


def trace(value: Any, format: Any, type: Any = None) -> Trace:
    """The encoding of a value, opened up. Raises what `serialize` raises."""
    layout, node = layout_of(format), node_of(value, type)
    writer = TracingWriter(layout)
    with deep_stack(node):
        _placed(writer, lambda: writer.write(node, value))
    return Trace(
        b"".join(writer.parts), writer.spans, value, None, f"{node.label} in {layout.name}"
    )


def trace_decode(data: Any, type: Any, format: Any) -> Trace:
    """The decoding of `data`, opened up. Bad input gives the spans so far, and `.error`."""
    layout, node, data = layout_of(format), schema(type), as_bytes(data)
    reader = TracingReader(layout, data)
    title = f"{node.label} in {layout.name}"
    try:
        with deep_stack(node):
            value = _placed(reader, lambda: start(reader, node))
    except CodecError as error:
        reader.end_at(error)
        return Trace(data, reader.spans, None, error.with_traceback(None), title)
    return Trace(data, reader.spans, value, None, title)


def node_of(value: Any, type: Any) -> Node:
    """The schema for a value: that of `type`, or of the value's own type when that is None."""
    return schema(type_of(value) if type is None else type)


def as_bytes(data: Any) -> bytes:
    """`data` as bytes; raises `WrongType` unless it is bytes-like."""
    if type(data) is bytes:
        return data
    try:
        return memoryview(data).tobytes()
    except (TypeError, ValueError):  # a ValueError from a memoryview that has been released
        raise WrongType(f"expected bytes to decode, got {describe(data)}") from None


def start(reader: Reader, node: Node) -> Any:
    """Reads the root. Where counts are checked ahead, so is the root's own least size."""
    if reader.layout.counts_ahead:
        take(reader.data, 0, reader.layout.least(node), f"{article(node.label)} takes at least")
    return reader.read(node)


def locate_write(layout: Layout, node: Node, value: Any) -> None:
    """Writes once more, to raise the error that there is with its path."""
    writer = LocatingWriter(layout)
    _placed(writer, lambda: writer.write(node, value))


def locate_read(layout: Layout, node: Node, data: bytes) -> None:
    """Reads once more, to raise the error that there is with its path and offset."""
    finder = _Finder(layout, data)
    _placed(finder, lambda: start(finder, node))


def with_place(action: Callable[[], Any], locate: Callable[[], None], node: Node) -> Any:
    """What `action` returns. If it fails, `locate` is to raise the exact error in its place."""
    try:
        return action()
    except Exception as problem:
        traceback.clear_frames(problem.__traceback__)  # what was built so far is not needed
        with deep_stack(node):
            try:
                locate()
            except CodecError as exact:
                # The derived code's own traceback is worth seeing; the walk's says nothing new.
                raise exact from (None if isinstance(problem, CodecError) else problem)
            if isinstance(problem, RecursionError):  # only the caller's stack was nearly full
                return action()
        raise  # nothing is wrong with the value or the bytes


def _placed(walk: LocatingWriter | LocatingReader, action: Callable[[], Any]) -> Any:
    try:
        return action()
    except CodecError as error:
        error.path = walk.path
        raise
    except RecursionError:
        raise TooDeep("Python's own stack ran out", path=walk.path) from None


class _DeepStack:
    """Room on Python's stack for every level that a type may have, while somebody needs it.

    The interpreter's limit is one for all threads: it goes back when the last of them is done.
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.users = 0
        self.before = 0

    @contextmanager
    def __call__(self, node: Node) -> Iterator[None]:
        nodes = list(reachable(node))
        if not any(inner.recursive for inner in nodes):
            yield
            return
        with self.lock:
            self.users += 1
            if self.users == 1:
                self.before = sys.getrecursionlimit()
            # A level passes each node of the type once at the most, in two frames.
            more = 2 * (len(nodes) + 2) * MOST_LEVELS
            sys.setrecursionlimit(max(sys.getrecursionlimit(), self.before + more))
        try:
            yield
        finally:
            with self.lock:
                self.users -= 1
                if self.users == 0:
                    sys.setrecursionlimit(self.before)


deep_stack = _DeepStack()


__all__ = ["UnexpectedEnd", "deserialize", "serialize", "trace", "trace_decode"]
