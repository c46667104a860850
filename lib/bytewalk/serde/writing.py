"""The walk that writes, and its readers that work on values."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from bytewalk.errors import InvalidUtf8, OutOfRange, WrongType
from bytewalk.integers import Rule, describe
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
    article,
)


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


class LocatingWriter(Path, Writer):
    """A Writer that knows the path. An exception leaves the path where it happened."""

    def fields(self, node: StructType, value: Any) -> Iterator[tuple[Field, Any]]:
        return self.inside(names(node), super().fields(node, value))

    def parts_of(self, node: TupleType, value: Any) -> Iterator[tuple[Node, Any]]:
        return self.inside(itertools.count(), super().parts_of(node, value))

    def each(self, items: Any) -> Iterator[Any]:
        return self.inside(itertools.count(), super().each(items))

    def entries(self, value: dict) -> Iterator[tuple[Any, Any]]:
        return self.inside(keys(), super().entries(value))

    def run(self, rule: Rule, items: Any, node: Node) -> None:
        for item in self.each(items):
            self.put(rule, item, "value")


class TracingWriter(Noting, LocatingWriter):
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
            self.record(role, node.label, value, payload(data, role))

    def record(self, role: Role, wire: str, value: Any, rule: str) -> None:
        start, self.at = self.at, self.at + len(self.parts[-1])
        self.spans.append(Span(start, self.at, self.path, role, wire, value, rule))


class CountingWriter(Writer):
    """A Writer that counts.

    visits: calls of the walk, one per node of the value. writes: pieces handed on; a varint makes
    as many as its rule's steps say, a list that is copied makes one. done: how often each kind of
    step was taken.
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
        copied = self.layout.copies_lists and isinstance(node, ListType)
        self.writes += 1 if copied else len(items)
