"""rkyv 0.8.17, default features: an archive is read where it stands.

    data = rkyv.to_bytes(document)
    view = rkyv.access(data, Document)          # checks all that can be wrong, copies nothing
    view.items[3].price_minor                   # reads these 8 bytes and the way to them
    view.deserialize()                          # the owned document, as from_bytes gives it

There is no Serde road and no stream: what a value points to is written first, the root last, and a
reader starts at the end. Sources in the crate: `src/string/repr.rs`, `src/vec.rs`, `src/boxed.rs`,
`src/option.rs`, `src/rel_ptr.rs`, `src/impls/core/mod.rs` (what is written when), and
`src/validation/archive/validator.rs` (what is refused).

Not here: maps; records that hold each other without a list between; and what the crate does not
have either, enums with a discriminant above 255 and tuples of more than 13. As elsewhere,
more than 128 levels and more than 65,536 items that take no byte are refused.
"""

from __future__ import annotations

from typing import Any

from bytewalk.errors import CodecError, WrongType
from bytewalk.formats.rkyv.archive import Archive, Reads
from bytewalk.formats.rkyv.reading import ArchiveReader, Checker, LocatingChecker, TracingChecker
from bytewalk.formats.rkyv.shapes import Rules, Shape
from bytewalk.formats.rkyv.view import ArchivedRecord, ArchivedTuple, ArchivedVec, View, owned, view
from bytewalk.formats.rkyv.writing import ArchiveWriter, TracingArchiveWriter
from bytewalk.serde import deep_stack, node_of, placed, with_place
from bytewalk.trace import Trace
from bytewalk.types import schema


class Rkyv(Rules):
    """The rules with the six functions. `type` is a wire type; see `bytewalk.types`."""

    def to_bytes(self, value: Any, type: Any = None) -> bytes:
        """The archive of a value; its first byte belongs at an address that is a multiple of 16.

        type: the wire type, where the value's own Python type does not tell. Raises `CodecError`
        with the path of what cannot be written. Source: `src/api/high/mod.rs`.
        """
        if isinstance(value, View):
            raise WrongType("a view stands in an archive already; write view.deserialize()")
        node = node_of(value, type)
        shape = self.shape(node)

        def write() -> bytes:
            writer = ArchiveWriter(self)
            writer.object(shape, value)
            return bytes(writer.out)

        def locate() -> None:
            finder = TracingArchiveWriter(self)
            placed(finder, lambda: finder.object(shape, value))

        with deep_stack(node):
            return with_place(write, locate, node)

    def from_bytes(
        self, data: Any, type: Any, *, address: int = 0, reads: Reads | None = None
    ) -> Any:
        """The owned value: what `access` checks, and then a copy of everything.

        data: bytes-like. address: where its first byte stands in memory, for what the type's
        alignment asks; 0 stands for any multiple of 16. reads: counts what is read. Raises
        `CodecError` with offset and path. Source: `src/api/high/checked.rs`.
        """
        shape, archive = self._checked(data, type, address, reads)
        return owned(ArchiveReader(self, archive), shape, archive.root(shape.size))

    def access(self, data: Any, type: Any, *, address: int = 0, reads: Reads | None = None) -> Any:
        """A view of the value where it stands, after a check of all that can be wrong.

        A record, an enum, a list or a tuple becomes a `View`, which keeps `data` alive, uncopied,
        and reads a field when it is asked for; other values are read at once. The parameters, what
        is raised and the source are those of `from_bytes`.
        """
        shape, archive = self._checked(data, type, address, reads)
        return view(ArchiveReader(self, archive), shape, archive.root(shape.size))

    def access_unchecked(self, data: Any, type: Any, *, reads: Reads | None = None) -> Any:
        """A view without the check: nothing is read before a field is asked for.

        In Rust this is `unsafe`: on bytes that are no valid archive of this type it is undefined
        behaviour, so it is for bytes that you wrote yourself or have checked before. Here a read
        stays within the buffer and raises `CodecError` where the bytes make no sense; but bytes
        may make sense and be wrong, overlap, or be shared, and nobody says so.
        Source: `src/api/mod.rs`.
        """
        shape, archive = self.shape(schema(type)), Archive(data, 0, reads)
        return view(ArchiveReader(self, archive), shape, archive.root(shape.size))

    def trace(self, value: Any, type: Any = None) -> Trace:
        """The archive of a value, opened up: every byte with its meaning, pointers with their
        `target`. Raises what `to_bytes` raises."""
        node = node_of(value, type)
        writer, shape = TracingArchiveWriter(self), self.shape(node)
        with deep_stack(node):
            placed(writer, lambda: writer.object(shape, value))
        data = bytes(writer.out)
        return Trace(data, writer.filled(len(data)), value, None, f"{node.label} in {self.name}")

    def trace_decode(self, data: Any, type: Any, *, address: int = 0) -> Trace:
        """The check of an archive, opened up, from the root on; the spans stand in the order of
        their bytes. Bad input gives the spans so far, and `.error`."""
        node = schema(type)
        shape, archive = self.shape(node), Archive(data, address)
        checker, title = TracingChecker(self, archive), f"{node.label} in {self.name}"
        raw = archive.data.tobytes()
        try:
            with deep_stack(node):
                placed(checker, lambda: checker.check_root(shape))
            value = owned(checker, shape, archive.root(shape.size))
        except CodecError as error:
            return Trace(raw, checker.before(error), None, error.with_traceback(None), title)
        return Trace(raw, checker.filled(len(raw)), value, None, title)

    def _checked(
        self, data: Any, type: Any, address: int, reads: Reads | None
    ) -> tuple[Shape, Archive]:
        node = schema(type)
        shape, archive = self.shape(node), Archive(data, address, reads)

        def locate() -> None:
            finder = LocatingChecker(self, Archive(archive.data, address))
            placed(finder, lambda: finder.check_root(shape))

        with deep_stack(node):
            with_place(lambda: Checker(self, archive).check_root(shape), locate, node)
        return shape, archive


layout = Rkyv()
to_bytes = layout.to_bytes
from_bytes = layout.from_bytes
access = layout.access
access_unchecked = layout.access_unchecked
trace = layout.trace
trace_decode = layout.trace_decode

__all__ = [
    "ArchivedRecord",
    "ArchivedTuple",
    "ArchivedVec",
    "Reads",
    "Rkyv",
    "View",
    "access",
    "access_unchecked",
    "from_bytes",
    "layout",
    "to_bytes",
    "trace",
    "trace_decode",
]
