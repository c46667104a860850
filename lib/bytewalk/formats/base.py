"""The public face of a format: the same five functions for all of them.

A format's module defines a `Format`, and hands its methods on as the module's own functions.
"""

from __future__ import annotations

from typing import Any

from bytewalk import derive, serde
from bytewalk.layout import Layout
from bytewalk.trace import Trace


class Format(Layout):
    """A layout with the five functions. `type` is a wire type; see `bytewalk.types`."""

    def encode(self, value: Any, type: Any = None) -> bytes:
        """The bytes of a value, by the derived road.

        type: the wire type, where the value's own Python type does not tell (an int, a list).
        Raises `CodecError` with the path of what cannot be written.
        """
        return derive.codec(serde.node_of(value, type), self).encode(value)

    def decode(self, data: Any, type: Any) -> Any:
        """The value at the front of `data` (bytes-like). Trailing bytes are ignored, as the crate
        ignores them. Raises `CodecError` with offset and path."""
        return derive.codec(type, self).decode(data)

    def decode_prefix(self, data: Any, type: Any) -> tuple[Any, int]:
        """Like `decode`, with the number of bytes used: `(value, used)`."""
        return derive.codec(type, self).decode_prefix(data)

    def trace(self, value: Any, type: Any = None) -> Trace:
        """The encoding of a value, opened up: every byte with its meaning. Raises what `encode`
        raises."""
        return serde.trace(value, self, type)

    def trace_decode(self, data: Any, type: Any) -> Trace:
        """The decoding of `data`, opened up. Bad input gives the spans so far, and `.error`."""
        return serde.trace_decode(data, type, self)
