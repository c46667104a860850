"""What a codec says when it refuses: one class, `CodecError`, in a few kinds.

Nothing else escapes an encoder or a decoder. A kind that has a matching builtin inherits it too,
so `except EOFError` works for a caller who does not know this library.
"""

from __future__ import annotations


class CodecError(ValueError):
    """A value that cannot be written, or bytes that cannot be read.

    reason: one clear sentence, without the place.
    offset: on decode the index of the first byte that was not accepted, or `len(data)` when bytes
        are missing; None on encode.
    path: where in the value, as you would write it in Python: `items[3].sku`, `m[7]`; "" at the
        root.
    """

    def __init__(self, reason: str, *, offset: int | None = None, path: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.offset = offset
        self.path = path

    def __str__(self) -> str:
        where = []
        if self.path:
            where.append(f"in {self.path}")
        if self.offset is not None:
            where.append(f"at byte {self.offset}")
        return f"{self.reason} ({', '.join(where)})" if where else self.reason

    def __reduce__(self):
        return _rebuild, (type(self), self.reason, self.offset, self.path)


def _rebuild(kind: type[CodecError], reason: str, offset: int | None, path: str) -> CodecError:
    return kind(reason, offset=offset, path=path)


class NoWireForm(CodecError, TypeError):
    """A type that has no wire form, or a value whose type does not tell its wire type."""


class WrongType(CodecError, TypeError):
    """A value of another Python type than the wire type takes."""


class OutOfRange(CodecError, OverflowError):
    """A number or a length that the wire type cannot hold."""


class TooDeep(CodecError):
    """More than 128 levels of a record inside itself."""


class UnexpectedEnd(CodecError, EOFError):
    """The input stops before the value does."""


class InvalidUtf8(CodecError):
    """Text that is not UTF-8; on encode, a str with a surrogate in it."""


class InvalidChar(CodecError):
    """A char that is not exactly one Unicode scalar value."""


class InvalidBool(CodecError):
    """A bool other than 0 and 1, in a format that checks it."""


class InvalidOption(CodecError):
    """The byte in front of an optional value is neither 0 nor 1, in a format that checks it."""


class InvalidVarint(CodecError):
    """A varint that is wider than its type, or a marker that has no meaning."""


class LimitExceeded(CodecError):
    """The bytes that a message claims are more than the limit of the Config."""


class UnknownVariant(CodecError):
    """An enum tag that belongs to no variant."""


class InvalidSubtreePointer(CodecError):
    """rkyv: an offset that leads to where nothing may be pointed to from there."""


class UnalignedPointer(CodecError):
    """rkyv: a place in memory that is not a multiple of what its type asks for."""


class InvalidStringRepr(CodecError):
    """rkyv: a text that is said to stand elsewhere, though its slot has room for it."""
