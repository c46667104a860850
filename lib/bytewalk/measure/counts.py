"""Exact counts: the same on every machine, so a test can assert them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import msgspec

from bytewalk.layout import layout_of
from bytewalk.serde import (
    CountingReader,
    CountingWriter,
    as_bytes,
    deep_stack,
    locate_read,
    locate_write,
    node_of,
    start,
    with_place,
)
from bytewalk.show import Table, table
from bytewalk.types import schema


class _Counted(msgspec.Struct, frozen=True):
    """Shows itself as a table of one row."""

    title: str

    def __repr__(self) -> str:
        return repr(side_by_side(self))

    def _repr_html_(self) -> str:
        return side_by_side(self)._repr_html_()


class Counts(_Counted, frozen=True):
    """What an encoder does for one value.

    writes: pieces that go to the output: a fixed width, a text, a marker, a number behind it. A
    LEB128 is collected first and then is one piece; so is a list of fixed-width scalars in Speedy,
    which the crates that go through Serde hand on item by item. comparisons: tests of a number's
    magnitude; for LEB128 one in each round. sign_tests: questions whether a number is negative.
    bytes: of the output. visits: calls of the walk, one per node of the value.
    """

    writes: int
    comparisons: int
    sign_tests: int
    bytes: int
    visits: int


class ReadCounts(_Counted, frozen=True):
    """What a decoder does for one message.

    reads: numbers, texts and runs of scalars that it asks for. bytes: those used, trailing ones not
    among them. visits: calls of the walk. texts, lists, records: what it makes, empty ones too
    (bytes count as texts, dicts as lists). Tests are not counted: those of a decoder depend on how
    it is written, while those of an encoder are the format's own.
    """

    reads: int
    bytes: int
    visits: int
    texts: int
    lists: int
    records: int


class Calls(_Counted, frozen=True):
    """Calls that Python makes: to functions written in Python, and to functions written in C.

    Each resumption of a generator counts as a call, that of a class only if its `__init__` is
    written in Python. Exact, yet a matter of the Python version.
    """

    python: int
    c: int


def count(value: Any, format: Any, type: Any = None) -> Counts:
    """What it takes to write a value, counted by the walk.

    format: a format module or a bincode Config. type: the wire type, where the value's own Python
    type does not tell. Raises what `serde.serialize` raises. The counts come from the rules that
    write the bytes, `Rule.steps`.
    """
    layout, node = layout_of(format), node_of(value, type)

    def walk() -> CountingWriter:
        writer = CountingWriter(layout)
        writer.write(node, value)
        return writer

    with deep_stack(node):
        done = with_place(walk, lambda: locate_write(layout, node, value), node)
    return Counts(
        f"writing {node.label} in {layout.name}",
        done.writes,
        done.done["compare"],
        done.done["sign"],
        sum(map(len, done.parts)),
        done.visits,
    )


def count_decode(data: Any, type: Any, format: Any) -> ReadCounts:
    """What it takes to read the value at the front of `data`, counted by the walk.

    Raises what `serde.deserialize` raises.
    """
    layout, node, data = layout_of(format), schema(type), as_bytes(data)

    def walk() -> CountingReader:
        reader = CountingReader(layout, data)
        start(reader, node)
        return reader

    with deep_stack(node):
        done = with_place(walk, lambda: locate_read(layout, node, data), node)
    return ReadCounts(
        f"reading {node.label} in {layout.name}",
        done.reads,
        done.at,
        done.visits,
        done.texts,
        done.lists,
        done.records,
    )


def calls(function: Callable, *arguments: Any) -> Calls:
    """The calls that `function(*arguments)` makes, its own among them, by `sys.setprofile`.

    A codec compiles its code when a type is met for the first time, which counts too: call the
    function once before. Raises what the function raises.
    """
    seen = {"call": 0, "c_call": 0}

    def profile(frame: FrameType, event: str, argument: Any) -> None:
        if event in seen and argument is not sys.setprofile:  # which ends the count
            seen[event] += 1

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        function(*arguments)
    finally:
        sys.setprofile(before)
    name = getattr(function, "__qualname__", repr(function))
    return Calls(f"calls of {name}", seen["call"], seen["c_call"])


def side_by_side(*counted: _Counted, caption: str = "") -> Table:
    """A table of counts of one kind, a row for each."""
    (kind,) = {type(one) for one in counted}
    names = kind.__struct_fields__[1:]
    rows = [[one.title, *(getattr(one, name) for name in names)] for one in counted]
    return table(rows, ["", *(name.replace("_", " ") for name in names)], caption)
