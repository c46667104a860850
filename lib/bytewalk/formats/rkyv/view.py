"""Views: values that stay in the archive until they are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from bytewalk.errors import CodecError
from bytewalk.formats.rkyv.archive import Archive
from bytewalk.formats.rkyv.reading import ArchiveReader, LocatingOwner, Owner
from bytewalk.formats.rkyv.shapes import (
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
from bytewalk.serde import deep_stack, with_place
from bytewalk.types import BytesType, OptionType, StructType, TupleType


class View:
    """A value in an archive. It holds a place, and reads when it is asked.

    It compares and prints like the owned value; `deserialize()` gives that value. The views of
    records are named after the crate's archived types, `ArchivedDocument` for a `Document`.
    Reading raises `CodecError` if the bytes do not hold what the type says.
    """

    __slots__ = ("__reader", "__shape", "__at", "__path")

    def __init__(self, reader: ArchiveReader, shape: Shape, at: int, path: str) -> None:
        self.__reader = reader
        self.__shape = shape
        self.__at = at
        self.__path = path

    def deserialize(self) -> Any:
        """The value as Python's own, all of it. Raises `CodecError`."""
        return owned(self.__reader, self.__shape, self.__at, self.__path)

    __hash__ = None  # what stands in the buffer may change

    def _part(self, part: Part) -> Any:
        piece = f"[{part.name}]" if isinstance(part.name, int) else part.name
        return view(self.__reader, part.shape, self.__at + part.offset, self.__path + piece)

    def _item(self, item: Shape, first: int, index: int) -> Any:
        return view(self.__reader, item, first + index * item.size, f"{self.__path}[{index}]")

    def __eq__(self, other: Any) -> bool:
        if isinstance(other, View):
            other = View.deserialize(other)
        return View.deserialize(self) == other

    def __repr__(self) -> str:
        try:
            return repr(View.deserialize(self))
        except CodecError as error:
            return f"<{type(self).__name__} at byte {self.__at}: {error}>"


class ArchivedRecord(View):
    """A record, or the variant of an enum: a property for each field."""

    __slots__ = ()
    _parts: list[Part] = []


class _Sequence(View, Sequence):
    __slots__ = ("__length",)

    def __init__(self, reader: ArchiveReader, shape: Shape, at: int, path: str, length: int):
        super().__init__(reader, shape, at, path)
        self.__length = length

    def __len__(self) -> int:
        return self.__length

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self.__length))]
        try:
            place = range(self.__length)[index]
        except IndexError:
            raise IndexError(f"index {index} of {self.__length:,} items") from None
        return self._at_index(place)

    def _at_index(self, index: int) -> Any:
        raise NotImplementedError


class ArchivedVec(_Sequence):
    """A list or an Array: items are read one by one, when asked for."""

    __slots__ = ("__item", "__first")

    def __init__(
        self,
        reader: ArchiveReader,
        shape: Vector | Array,
        at: int,
        path: str,
        first: int,
        length: int,
    ) -> None:
        super().__init__(reader, shape, at, path, length)
        self.__item = shape.item
        self.__first = first

    def _at_index(self, index: int) -> Any:
        return self._item(self.__item, self.__first, index)


class ArchivedTuple(_Sequence):
    """A tuple."""

    __slots__ = ("__parts",)

    def __init__(self, reader: ArchiveReader, shape: Struct, at: int, path: str) -> None:
        super().__init__(reader, shape, at, path, len(shape.parts))
        self.__parts = shape.parts

    def _at_index(self, index: int) -> Any:
        return self._part(self.__parts[index])


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
                    return _record(shape)(reader, shape, at, path)
                case TupleType():
                    return ArchivedTuple(reader, shape, at, path)
                case _:
                    return None
        case Vector():
            first, length = reader.items_at(at)
            reader.within(first, length * shape.item.size, at)
            if isinstance(shape.node, BytesType):
                return reader.archive.bytes(first, first + length).tobytes()
            return ArchivedVec(reader, shape, at, path, first, length)
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
            return ArchivedVec(reader, shape, at, path, at, shape.node.length)


@cache
def _record(shape: Struct) -> type[ArchivedRecord]:
    """The class of views for a record: a property for each field."""
    label = shape.node.label
    names: dict[str, Any] = {
        part.name.removeprefix("."): property(
            lambda self, part=part: self._part(part),
            doc=f"{part.shape.node.label}, {part.shape.size} bytes at {part.offset} of the slot",
        )
        for part in shape.parts
    }
    return type(
        f"Archived{label}",
        (ArchivedRecord,),
        {
            "__slots__": (),
            "__doc__": f"A {label} in an archive: {shape.size} bytes, aligned to {shape.align}.",
            "_parts": shape.parts,
            **names,
        },
    )


def owned(reader: ArchiveReader, shape: Shape, at: int, path: str = "") -> Any:
    """The value in the slot at `at` as Python's own. Raises `CodecError` with its path."""
    rules, archive = reader.rules, reader.archive

    def locate() -> None:
        finder = LocatingOwner(rules, Archive(archive.data))
        finder.pieces.append(path)
        try:
            finder.value(shape, at)
        except CodecError as error:
            error.path = finder.path
            raise

    with deep_stack(shape.node):
        return with_place(lambda: Owner(rules, archive).value(shape, at), locate, shape.node)


__all__ = ["ArchivedRecord", "ArchivedTuple", "ArchivedVec", "Rules", "View", "owned", "view"]
