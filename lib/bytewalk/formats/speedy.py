"""Speedy 0.8.7: fixed widths, little endian on every host, u32 counts and tags.

Sources in the crate: `src/context.rs` (the default context is little endian), `src/writer.rs` and
`src/reader.rs`, `src/writable_impl.rs`, `src/readable_impl.rs`, `src/private.rs` (counts); and
speedy-derive 0.8.7 `src/lib.rs` (DEFAULT_LENGTH_TYPE, DEFAULT_ENUM_TAG_TYPE).

    speedy.encode(document), speedy.encode(5, u32)
    speedy.decode(data, Document), decode_prefix, trace, trace_decode
"""

from __future__ import annotations

from bytewalk.formats.base import Format
from bytewalk.integers import Fixed, Rule
from bytewalk.scalars import Flag, ScalarValue
from bytewalk.types import INTEGERS, IntType, VariantType


class Speedy(Format):
    name = "speedy"
    copies_lists = True  # `Writer::write_slice`
    counts_ahead = True  # `Reader::read_vec` and `read_from_buffer` ask minimum_bytes_needed

    def integer(self, t: IntType) -> Rule:
        return Fixed(t, self.order)

    def bool(self) -> Rule:
        return Flag(strict=False)  # every byte but 0 reads as true

    def presence(self) -> Rule:
        return Flag(strict=False, wire="presence byte")  # and as Some

    def char(self) -> Rule:
        return ScalarValue(self.order)

    def count(self) -> Rule:
        return Fixed(INTEGERS["u32"], self.order)

    def variant(self) -> Rule:
        return Fixed(INTEGERS["u32"], self.order)

    def discriminant(self, variant: VariantType) -> int:
        return variant.discriminant


layout = Speedy()
encode = layout.encode
decode = layout.decode
decode_prefix = layout.decode_prefix
trace = layout.trace
trace_decode = layout.trace_decode
