"""What a format says, and all that it says: which rule writes an integer, a length, a tag, ...

(A room of its own below `serde`: both roads read it, and neither knows a format by name.)
A format is a `Layout` with a few methods; the two roads do everything else. A misconception is a
layout with one method changed.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from bytewalk.errors import InvalidOption
from bytewalk.integers import Rule
from bytewalk.scalars import Flag, Float
from bytewalk.types import (
    BOOL,
    CHAR,
    FLOATS,
    INTEGERS,
    ArrayType,
    BytesType,
    EnumType,
    FloatType,
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
)


class Layout:
    """The rules of one format. Structs and tuples are their fields in order, text and lists are a
    count and what it counts, an option is a presence byte, an enum a tag: that much all share.

    name: as the dump shows it. order: "little" or "big". counts_ahead: whether a count is checked
    against the bytes that are left before the first item is read. limit: the most bytes that a
    message may claim on decode, or None. allocates_first: whether the crate makes room for a text
    before it looks whether the text is there. copies_lists: whether the crate hands on a list of
    fixed-width scalars in one piece.
    """

    name: str
    order = "little"
    counts_ahead = False
    limit: int | None = None
    allocates_first = False
    copies_lists = False

    def integer(self, t: IntType) -> Rule:
        """The rule for an integer of this type."""
        raise NotImplementedError

    def float(self, t: FloatType) -> Rule:
        return Float(t.bits, self.order)

    def bool(self) -> Rule:
        return Flag(strict=True)

    def presence(self) -> Rule:
        """The rule for the byte in front of an optional value."""
        return Flag(strict=True, wire="presence byte", refusal=InvalidOption)

    def char(self) -> Rule:
        raise NotImplementedError

    def count(self) -> Rule:
        """The rule for the number of bytes in a text, of items in a list, of entries in a map."""
        raise NotImplementedError

    def variant(self) -> Rule:
        """The rule for the tag of an enum."""
        raise NotImplementedError

    def discriminant(self, variant: VariantType) -> int:
        """The number that stands for a variant: its index, unless the format says otherwise."""
        return variant.index

    @cached_property
    def rules(self) -> dict[Node, Rule]:
        """The rule of every scalar type."""
        scalars: list[tuple[Node, Rule]] = [(BOOL, self.bool()), (CHAR, self.char())]
        scalars += [(t, self.integer(t)) for t in INTEGERS.values()]
        scalars += [(t, self.float(t)) for t in FLOATS.values()]
        return dict(scalars)

    @cached_property
    def length_rule(self) -> Rule:
        return self.count()

    @cached_property
    def tag_rule(self) -> Rule:
        return self.variant()

    @cached_property
    def presence_rule(self) -> Rule:
        return self.presence()

    @cached_property
    def _least(self) -> dict[Node, int]:
        return {}

    def store(self, node: Node) -> Rule | None:
        """The rule of an item that is always one store, so that a run of them is one store too."""
        rule = self.rules.get(node)
        return rule if rule is not None and rule.code is not None else None

    def any_bytes(self, node: Node) -> int | None:
        """The size of a value of fixed width for which any bytes will do, else None."""
        match node:
            case ScalarType():
                rule = self.rules[node]
                return rule.size if rule.any_bytes else None
            case ArrayType():
                size = self.any_bytes(node.item)
                return size * node.length if size is not None else None
            case TupleType() | StructType() if not node.recursive:
                if hasattr(getattr(node, "cls", None), "__post_init__"):
                    return None  # the record may refuse
                sizes = [self.any_bytes(child) for child in node.children]
                return None if None in sizes else sum(sizes)
            case _:
                return None

    def least(self, node: Node) -> int:
        """The fewest bytes a value can take, as speedy's `minimum_bytes_needed` counts them:
        nothing behind a count or a presence byte, and the tag alone for an enum."""
        known = self._least.get(node)
        if known is None:
            self._least[node] = 0  # a record that holds itself directly has no end to add up
            known = self._least[node] = self._add_up(node)
        return known

    def _add_up(self, node: Node) -> int:
        match node:
            case ScalarType():
                return self.rules[node].least
            case StrType() | BytesType() | ListType() | MapType():
                return self.length_rule.least
            case OptionType():
                return self.presence_rule.least
            case ArrayType():
                return self.least(node.item) * node.length
            case TupleType() | StructType():
                return sum(self.least(child) for child in node.children)
            case EnumType():
                return self.tag_rule.least
            case _:  # unit
                return 0


def layout_of(format: Any) -> Layout:
    """The layout behind what a caller names as a format: a format module or a Config."""
    layout = getattr(format, "layout", format)
    if not isinstance(layout, Layout):
        if hasattr(format, "to_bytes"):
            raise TypeError(
                f"{layout.name} has no such road: an archive has its own writer, to_bytes"
            )
        raise TypeError(f"{format!r} is not a format; pass bytewalk.speedy, for instance")
    return layout
