"""The road's own entry points, and how an error finds its place."""

from __future__ import annotations

import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from bytewalk.errors import CodecError, TooDeep, WrongType
from bytewalk.integers import describe, take
from bytewalk.layout import Layout, layout_of
from bytewalk.serde.reading import Finder, Reader, TracingReader
from bytewalk.serde.state import Path
from bytewalk.serde.writing import LocatingWriter, TracingWriter, Writer
from bytewalk.trace import Trace
from bytewalk.types import MOST_LEVELS, Node, article, reachable, schema, type_of


def serialize(value: Any, format: Any, type: Any = None) -> bytes:
    """The bytes of a value, by the walk.

    format: a format module or a bincode Config. type: its wire type, where the value's own Python
    type does not tell. Raises `CodecError` with the path, before anything is returned.
    """
    layout, node = layout_of(format), node_of(value, type)

    def write() -> bytes:
        writer = Writer(layout)
        writer.write(node, value)
        return b"".join(writer.parts)

    with deep_stack(node):
        return with_place(write, lambda: locate_write(layout, node, value), node)


def deserialize(data: Any, type: Any, format: Any) -> Any:
    """The value at the front of `data`, by the walk; trailing bytes are ignored.

    Raises `CodecError` with offset and path.
    """
    return deserialize_prefix(data, type, format)[0]


def deserialize_prefix(data: Any, type: Any, format: Any) -> tuple[Any, int]:
    """Like `deserialize`, with the number of bytes used."""
    layout, node, data = layout_of(format), schema(type), as_bytes(data)

    def read() -> tuple[Any, int]:
        reader = Reader(layout, data)
        return start(reader, node), reader.at

    with deep_stack(node):
        return with_place(read, lambda: locate_read(layout, node, data), node)


def trace(value: Any, format: Any, type: Any = None) -> Trace:
    """The encoding of a value, opened up. Raises what `serialize` raises."""
    layout, node = layout_of(format), node_of(value, type)
    writer = TracingWriter(layout)
    with deep_stack(node):
        placed(writer, lambda: writer.write(node, value))
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
            value = placed(reader, lambda: start(reader, node))
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
    placed(writer, lambda: writer.write(node, value))


def locate_read(layout: Layout, node: Node, data: bytes) -> None:
    """Reads once more, to raise the error that there is with its path and offset."""
    finder = Finder(layout, data)
    placed(finder, lambda: start(finder, node))


def with_place(action: Callable[[], Any], locate: Callable[[], None], node: Node) -> Any:
    """What `action` returns. If it fails, `locate` is to raise the exact error in its place.

    `action` may be called twice: it begins anew each time.
    """
    try:
        return action()
    except Exception as problem:
        return recover(problem, action, locate, node)


def recover(
    problem: Exception, action: Callable[[], Any], locate: Callable[[], None], node: Node
) -> Any:
    """Raises the exact error behind a problem that `action` had, or repeats what only lacked room
    on the stack."""
    traceback.clear_frames(problem.__traceback__)  # what was built so far is not needed
    with deep_stack(node):
        try:
            locate()
        except CodecError as exact:
            # The derived code's own traceback is worth seeing; the walk's says nothing new.
            raise exact from (None if isinstance(problem, CodecError) else problem)
        if isinstance(problem, RecursionError):  # only the caller's stack was nearly full
            return action()
    raise problem  # nothing is wrong with the value or the bytes


def placed(walk: Path, action: Callable[[], Any]) -> Any:
    """What `action` returns; an error in it gets the path at which the walk was then."""
    try:
        return action()
    except CodecError as error:
        error.path = walk.path
        raise
    except RecursionError:
        raise TooDeep("Python's own stack ran out", path=walk.path) from None


class _DeepStack:
    """Room on Python's stack for every level that a type may have, while somebody needs it.

    The interpreter's limit is one for all threads. It goes back when the last walk is done, not
    before: another thread may stand deeper than the limit that it would go back to, and Python
    does not survive that.
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.users = 0
        self.before = 0

    @contextmanager
    def __call__(self, node: Node) -> Iterator[None]:
        more = _frames(node)
        with self.lock:
            self.users += 1
            if self.users == 1:
                self.before = sys.getrecursionlimit()
            if more > _PLENTY:
                sys.setrecursionlimit(max(sys.getrecursionlimit(), self.before + more))
        try:
            yield
        finally:
            with self.lock:
                self.users -= 1
                if self.users == 0 and sys.getrecursionlimit() != self.before:
                    sys.setrecursionlimit(self.before)


_PLENTY = 200  # frames that a caller is expected to have left


@lru_cache(maxsize=4096)
def _frames(node: Node) -> int:
    """The frames that a walk over a type may take: a level passes each node once at the most, in
    four frames (of `formats.rkyv`; two here)."""
    nodes = list(reachable(node))
    return 4 * (len(nodes) + 2) * (MOST_LEVELS if any(n.recursive for n in nodes) else 1)


deep_stack = _DeepStack()
