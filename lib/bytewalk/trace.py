"""What a codec did, byte by byte: spans that tile the bytes, and the trace that holds them."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from bytewalk.errors import CodecError

Role = Literal["value", "length", "tag", "present", "padding", "text", "pointer"]

ROLES: dict[Role, str] = {
    "value": "a value of its own",
    "length": "how many bytes or items follow",
    "tag": "which variant of an enum follows",
    "present": "whether an optional value follows",
    "padding": "bytes without meaning, for alignment",
    "text": "UTF-8 text",
    "pointer": "where the value stands",
}


class Span(msgspec.Struct, frozen=True):
    """A run of bytes with one meaning: data[start:end], never empty.

    path: where in the value, as in `CodecError.path`. type: the wire type of what stands here
    (`u32` for a length). value: what the bytes say; None where they were cut short. rule: how they
    say it. target: for a pointer, the offset that it points to.
    """

    start: int
    end: int
    path: str
    role: Role
    type: str
    value: Any
    rule: str
    target: int | None = None


class Trace(msgspec.Struct, frozen=True):
    """One encoding or decoding, opened up.

    Every byte that was written or read belongs to exactly one span. When bad input was decoded,
    `error` is the `CodecError`, `value` is None and the spans end at `error.offset`. Bytes behind
    the last span were not read.
    """

    data: bytes
    spans: list[Span]
    value: Any
    error: CodecError | None = None
    title: str = ""

    @property
    def used(self) -> int:
        """How many bytes the spans cover."""
        return self.spans[-1].end if self.spans else 0

    def hex(self) -> str:
        """The bytes in hexadecimal, without spaces."""
        return self.data.hex()
