"""The walk that reads, the mirror of `writing`, and its readers that work on bytes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from bytewalk.errors import CodecError, InvalidUtf8, UnexpectedEnd, UnknownVariant
from bytewalk.integers import Rule, count, take
from bytewalk.layout import Layout
from bytewalk.serde.state import Budget, Noting, Path, keys, names, payload
from bytewalk.trace import Role, Span
from bytewalk.types import (
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
)

_WORTH_A_WARNING = 1 << 30  # bytes announced that a program may die of


def build(node: StructType, values: list, offset: int) -> Any:
    """The record with these values. offset: where it is, for the error."""
    try:
        return node.cls(*values)
    except Exception as error:  # a record may check itself in __post_init__
        raise CodecError(f"{node.label} refuses these values: {error}", offset=offset) from None


def unknown_variant(node: EnumType, tag: int, known: list[int], offset: int) -> UnknownVariant:
    """The error for a tag that is not among the known ones."""
    more = ", ..." if len(known) > 8 else ""
    return UnknownVariant(
        f"{node.label} has no variant {tag}; it has {', '.join(map(str, known[:8]))}{more}",
        offset=offset,
    )


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
        return build(node, values, self.at)

    def match(self, node: EnumType, tag: int) -> Iterator[VariantType]:
        for variant in node.variants:
            if self.layout.discriminant(variant) == tag:
                break
        else:
            known = [self.layout.discriminant(variant) for variant in node.variants]
            raise unknown_variant(node, tag, known, self.start)
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


class LocatingReader(Path, Reader):
    """A Reader that knows the path. An exception leaves the path where it happened."""

    def fields(self, node: StructType) -> Iterator[Field]:
        return self.inside(names(node), super().fields(node))

    def parts_of(self, node: TupleType) -> Iterator[Node]:
        return self.inside(itertools.count(), super().parts_of(node))

    def each(self, length: int) -> Iterator[int]:
        return self.inside(itertools.count(), super().each(length))

    def entries(self, length: int) -> Iterator[int]:
        return self.inside(keys(), super().entries(length))


class Finder(LocatingReader):
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


class TracingReader(Noting, LocatingReader):
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
        self.record("text", node.label, value, payload(value.encode(), "text"))
        return value

    def blob(self, size: int, node: Node) -> bytes:
        value = super().blob(size, node)
        self.record("value", node.label, value, payload(value, "value"))
        return value

    def record(self, role: Role, wire: str, value: Any, rule: str) -> None:
        if self.at > self.start:
            self.spans.append(Span(self.start, self.at, self.path, role, wire, value, rule))

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
