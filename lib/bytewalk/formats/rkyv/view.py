"""Views: values that stay in the archive until they are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec

from bytewalk.errors import CodecError
from bytewalk.formats.rkyv.archive import Archive
from bytewalk.formats.rkyv.reading import ArchiveReader, LocatingOwner, Owner
from bytewalk.formats.rkyv.shapes import (
    Array,
    Box,
    Choice,
    Part,
    Scalar,
    Shape,
    Struct,
    Text,
    Vector,
)
from bytewalk.serde import Budget, deep_stack, placed, with_place
from bytewalk.types import BytesType, OptionType, StructType, TupleType


class View:
    """A value in an archive. It holds a place, and reads when it is asked.

    It compares and prints like the owned value; `deserialize()` gives that value. The views of
    records are named after the crate's archived types, `ArchivedDocument` for a `Document`.
    Reading raises `CodecError` if the bytes do not hold what the type says.
    """

    # A field may have any name, so a view has no other attribute; what is inside finds the place
    # by `_place`, whatever a record calls its fields.
    __slots__ = ("place",)
    __hash__ = None  # what stands in the buffer may change

    def __init__(self, place: Place) -> None:
        _set_place(self, place)

    def deserialize(self) -> Any:
        """The value as Python's own, all of it. Raises `CodecError`."""
        place = _place(self)
        return owned(place.reader, place.shape, place.at, place.path)

    def __eq__(self, other: Any) -> bool:
        if isinstance(other, View):
            other = View.deserialize(other)
        if not isinstance(other, _owned_class(_place(self).shape)):
            return NotImplemented
        return View.deserialize(self) == other

    def __repr__(self) -> str:
        try:
            return repr(View.deserialize(self))
        except CodecError as error:
            return f"<{type(self).__name__} at byte {_place(self).at}: {error}>"

    def __copy__(self) -> View:
        return self

    def __reduce__(self) -> Any:
        raise TypeError("a view stands in its archive; write view.deserialize() for a value")


class Place(msgspec.Struct, frozen=True):
    """Where a view stands: its slot, and for a sequence where its items are."""

    reader: ArchiveReader
    shape: Shape
    at: int
    path: str
    first: int = 0
    length: int = 0


_set_place = View.place.__set__
_place = View.place.__get__


def _owned_class(shape: Shape) -> type:
    match shape.node:
        case StructType():
            return shape.node.cls
        case TupleType():
            return tuple
        case _:
            return list


class ArchivedRecord(View):
    """A record, or the variant of an enum: a property for each field."""

    __slots__ = ()


class _Sequence(View, Sequence):
    __slots__ = ()

    def __len__(self) -> int:
        return self.place.length

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self._item(i) for i in range(*index.indices(len(self)))]
        try:
            return self._item(range(len(self))[index])
        except IndexError:
            raise IndexError(f"index {index} of {len(self):,} items") from None


class ArchivedVec(_Sequence):
    """A list or an Array: items are read one by one, when asked for."""

    __slots__ = ()

    def _item(self, index: int) -> Any:
        place, item = self.place, self.place.shape.item
        at = place.first + index * item.size
        return view(place.reader, item, at, f"{place.path}[{index}]")


class ArchivedTuple(_Sequence):
    """A tuple: its values are read one by one, when asked for."""

    __slots__ = ()

    def _item(self, index: int) -> Any:
        place, part = self.place, self.place.shape.parts[index]
        return view(place.reader, part.shape, place.at + part.offset, f"{place.path}[{index}]")


def view(reader: ArchiveReader, shape: Shape, at: int, path: str = "") -> Any:
    """What stands in the slot at `at`, without reading more than the slot and, for a text or
    bytes, what it points to: records, enums, lists and tuples as views, the rest as it is."""
    try:
        return _view(reader, shape, at, path)
    except CodecError as error:
        error.path = error.path or path.removeprefix(".")
        raise


def _view(reader: ArchiveReader, shape: Shape, at: int, path: str) -> Any:
    match shape:
        case Scalar():
            return reader.get(shape.rule, at, "value")
        case Text():
            text, start, length = reader.text_at(at)
            if text is None:
                reader.within(start, length, at + 4)
                text = reader.text(start, length)
            return reader.utf8(text, start)
        case Struct():
            match shape.node:
                case StructType():
                    return _record(shape)(Place(reader, shape, at, path))
                case TupleType():
                    return ArchivedTuple(Place(reader, shape, at, path, at, len(shape.parts)))
                case _:
                    return None
        case Vector():
            first, length = reader.items_at(at)
            reader.within(first, length * shape.item.size, at)
            if isinstance(shape.node, BytesType):
                return reader.archive.bytes(first, first + length).tobytes()
            return _vec(reader, shape, at, path, first, length)
        case Choice():
            body = reader.body_at(shape, at)
            if isinstance(shape.node, OptionType):
                (part,) = body.parts or [None]
                return part and _view(reader, part.shape, at + part.offset, path)
            return _view(reader, body, at, path)
        case Box():
            first = reader.follow(at, at)
            reader.within(first, shape.item.size, at)
            return _view(reader, shape.item, first, path)
        case Array():
            return _vec(reader, shape, at, path, at, shape.node.length)


def _vec(
    reader: ArchiveReader, shape: Vector | Array, at: int, path: str, first: int, length: int
) -> ArchivedVec:
    if shape.item.size == 0:
        Budget().spend(length, at)  # of its own: a view may be asked again and again
    return ArchivedVec(Place(reader, shape, at, path, first, length))


@cache
def _record(shape: Struct) -> type[ArchivedRecord]:
    """The class of views for a record: a property for each field.

    A field that is named like one of Python's own methods has none; `deserialize` has it.
    """
    label = shape.node.label
    properties = {
        part.name.removeprefix("."): property(
            lambda self, part=part: _field(_place(self), part),
            doc=f"{part.shape.node.label}, {part.shape.size} bytes at {part.offset} of the slot",
        )
        for part in shape.parts
        if not part.name.startswith(".__")
    }
    doc = f"A {label} in an archive: {shape.size} bytes, aligned to {shape.align}."
    return type(
        f"Archived{label}", (ArchivedRecord,), {"__slots__": (), "__doc__": doc, **properties}
    )


def _field(place: Place, part: Part) -> Any:
    return view(place.reader, part.shape, place.at + part.offset, place.path + part.name)


def owned(reader: ArchiveReader, shape: Shape, at: int, path: str = "") -> Any:
    """The value in the slot at `at` as Python's own. Raises `CodecError` with its path."""
    rules, archive = reader.rules, reader.archive

    def locate() -> None:
        finder = LocatingOwner(rules, Archive(archive.data))
        finder.pieces.append(path)
        placed(finder, lambda: finder.value(shape, at))

    with deep_stack(shape.node):
        return with_place(lambda: Owner(rules, archive).value(shape, at), locate, shape.node)
