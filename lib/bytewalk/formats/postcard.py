"""postcard 1.1.3: LEB128 for every integer wider than a byte, signed ones zigzagged first.

Sources in the crate: `src/ser/serializer.rs`, `src/de/deserializer.rs`, `src/varint.rs`.

    postcard.encode(document), postcard.encode(5, u32)
    postcard.decode(data, Document), decode_prefix, trace, trace_decode
"""

from __future__ import annotations

from bytewalk.formats.base import Format
from bytewalk.integers import Fixed, Leb128, Rule
from bytewalk.scalars import CountedChar
from bytewalk.types import INTEGERS, IntType


class Postcard(Format):
    name = "postcard"

    def integer(self, t: IntType) -> Rule:
        return Leb128(t) if t.bits > 8 else Fixed(t)

    def char(self) -> Rule:
        return CountedChar(self.length_rule)

    def count(self) -> Rule:
        return self.integer(INTEGERS["u64"])

    def variant(self) -> Rule:
        return self.integer(INTEGERS["u32"])


layout = Postcard()
encode = layout.encode
decode = layout.decode
decode_prefix = layout.decode_prefix
trace = layout.trace
trace_decode = layout.trace_decode
