"""bincode 2.0.1 through Serde: marker varints for integers wider than a byte, or fixed widths.

`standard()` and `legacy()` are the crate's two configurations; a `Config` is built on from there
with the crate's own builder names. `legacy()` writes what bincode 1.3.3's free functions write.

Sources in the crate: `src/config.rs`, `src/enc/impls.rs`, `src/de/impls.rs`, `src/varint/`,
`src/features/serde/ser.rs`, `src/features/serde/de_owned.rs`.

    bincode.encode(document)                        # that of standard()
    bincode.legacy().encode(document)
    bincode.decode(data, Document), decode_prefix, trace, trace_decode
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bytewalk.errors import CodecError
from bytewalk.formats.base import Format
from bytewalk.integers import ORDERS, Fixed, Marker, Rule
from bytewalk.scalars import Utf8Char
from bytewalk.types import INTEGERS, IntType


@dataclass(frozen=True)
class Config(Format):
    """A configuration, a frozen value with the five functions of a format.

    order: "little" or "big". limit: the most bytes that a message may claim on decode: the fixed
    width of each integer and 8 for each count, whatever its varint really takes.
    """

    variable: bool = True
    order: str = "little"
    limit: int | None = None

    def __post_init__(self) -> None:
        if self.order not in ORDERS:
            raise CodecError(f"the byte order is little or big, not {self.order!r}")
        if self.limit is not None and (type(self.limit) is not int or self.limit < 0):
            raise CodecError(f"a limit is a number of bytes from 0 up, not {self.limit!r}")

    @property
    def name(self) -> str:
        parts = ["bincode"]
        if not self.variable:
            parts.append("fixed widths")
        if self.order == "big":
            parts.append("big endian")
        if self.limit is not None:
            parts.append(f"limit {self.limit:,}")
        return ", ".join(parts)

    def with_fixed_int_encoding(self) -> Config:
        """Every integer in its type's own width, counts in 8 bytes and enum tags in 4."""
        return replace(self, variable=False)

    def with_variable_int_encoding(self) -> Config:
        """Every integer wider than a byte as a marker varint, signed ones zigzagged first."""
        return replace(self, variable=True)

    def with_little_endian(self) -> Config:
        return replace(self, order="little")

    def with_big_endian(self) -> Config:
        """Integers, floats and the payloads of varints with the most significant byte first."""
        return replace(self, order="big")

    def with_limit(self, limit: int) -> Config:
        """Refuses, on decode, a message that claims more than `limit` bytes."""
        return replace(self, limit=limit)

    def with_no_limit(self) -> Config:
        return replace(self, limit=None)

    # --- the rules ---

    @property
    def allocates_first(self) -> bool:  # `src/features/impl_alloc.rs`, unless a limit says no
        return self.limit is None

    def integer(self, t: IntType) -> Rule:
        if self.variable and t.bits > 8:
            return Marker(t, self.order)
        return Fixed(t, self.order)

    def char(self) -> Rule:
        return Utf8Char()

    def count(self) -> Rule:
        return self.integer(INTEGERS["u64"])

    def variant(self) -> Rule:
        return self.integer(INTEGERS["u32"])


_STANDARD = Config()
_LEGACY = Config(variable=False)


def standard() -> Config:
    """bincode's default: little endian, variable integers, no limit."""
    return _STANDARD


def legacy() -> Config:
    """The configuration of bincode 1's free functions: little endian, fixed widths, no limit."""
    return _LEGACY


layout = _STANDARD
encode = layout.encode
decode = layout.decode
decode_prefix = layout.decode_prefix
trace = layout.trace
trace_decode = layout.trace_decode
