"""The rules for bool, float and char: how a Python value becomes a pattern of fixed width.

(A room of its own between `integers` and `layout`: every format shares these.)
"""

from __future__ import annotations

import struct
from typing import Any

from bytewalk.errors import CodecError, InvalidBool, InvalidChar, OutOfRange, WrongType
from bytewalk.integers import Rule, Store, describe, take

_F32, _U32 = struct.Struct("<f"), struct.Struct("<I")
_F64, _U64 = struct.Struct("<d"), struct.Struct("<Q")


def f32_bits(value: float) -> int:
    """The 32-bit pattern of a float, rounded to the nearest f32 as the hardware rounds.

    A NaN keeps its sign and the upper 23 bits of its payload, signalling or not; `struct` alone
    would make every NaN quiet. Raises `OutOfRange` for a finite value beyond the f32 range, and
    for a NaN with nothing in those 23 bits, which would turn into an infinity.
    """
    value = float(value)
    if value == value:
        try:
            return _U32.unpack(_F32.pack(value))[0]
        except OverflowError:
            raise OutOfRange(f"{value!r} does not fit f32, which ends at 3.4028235e+38") from None
    (bits,) = _U64.unpack(_F64.pack(value))
    payload = bits >> 29 & 0x7FFFFF
    if not payload:
        raise OutOfRange("this NaN's payload does not fit f32")
    return bits >> 32 & 0x80000000 | 0x7F800000 | payload


def f32_value(bits: int) -> float:
    """The float with this 32-bit pattern; exact, also for a signalling NaN."""
    if bits & 0x7F800000 == 0x7F800000 and bits & 0x7FFFFF:
        wide = (bits & 0x80000000) << 32 | 0x7FF << 52 | (bits & 0x7FFFFF) << 29
        return _F64.unpack(_U64.pack(wide))[0]
    return _F32.unpack(_U32.pack(bits))[0]


class Float(Store):
    """The IEEE 754 bits. An int is taken too, as Python does, but not a bool.

    Source: speedy 0.8.7 `src/writer.rs`, bincode 2.0.1 `src/enc/impls.rs`, postcard 1.1.3
    `src/ser/serializer.rs`: always the plain bits, never a varint.
    """

    accepts = (float, int)

    def __init__(self, bits: int, order: str = "little") -> None:
        text = f"f{bits}, IEEE 754 bits, {bits // 8} bytes, {order} endian"
        super().__init__(f"f{bits}", bits // 8, "I" if bits == 32 else "d", order, text)
        if bits == 32:
            self.pack, self.unpack = f32_bits, f32_value

    def check(self, value: Any) -> None:
        super().check(value)
        if type(value) is int:
            try:
                float(value)
            except OverflowError:
                raise OutOfRange(f"this int is too large for {self.wire}") from None
        if self.pack:
            self.pack(value)


class Flag(Store):
    """One byte, 0 or 1. `strict` refuses any other; Speedy takes every other byte for true.

    Source: speedy 0.8.7 `src/readable_impl.rs`; facts per format in the format reference.
    """

    accepts = (bool,)

    def __init__(
        self, strict: bool, wire: str = "bool", refusal: type[CodecError] = InvalidBool
    ) -> None:
        # struct's "?" reads every byte but 0 as True, which is Speedy's own rule.
        super().__init__(wire, 1, "B" if strict else "?", "little", f"{wire}, 1 byte")
        if strict:
            self.unpack, self.any_bytes = self.flag, False
            self.refusal = refusal

    def flag(self, byte: int) -> bool:
        """0 is False, 1 is True; any other byte is refused."""
        if byte > 1:
            raise self.refusal(f"a {self.wire} is 0 or 1, not {byte}")
        return byte == 1


def scalar_value(value: str) -> int:
    """The Unicode scalar value of a one-character str: 0 to 10ffff without the surrogates.

    Raises `WrongType` or `InvalidChar`.
    """
    if not isinstance(value, str):
        raise WrongType(f"expected a str of one character for char, got {describe(value)}")
    if len(value) != 1:
        raise InvalidChar(f"a char is exactly one scalar value; this str has {len(value):,}")
    if "\ud800" <= value <= "\udfff":
        raise InvalidChar(f"a surrogate, U+{ord(value):04X}, is not a Unicode scalar value")
    return ord(value)


def char_of(scalar: int) -> str:
    """The inverse of `scalar_value`; raises `InvalidChar`."""
    if scalar > 0x10FFFF or 0xD800 <= scalar <= 0xDFFF:
        raise InvalidChar(f"{scalar:#x} is not a Unicode scalar value")
    return chr(scalar)


class ScalarValue(Store):
    """A char as its scalar value in a u32, 4 bytes.

    Source: speedy 0.8.7 `src/writable_impl.rs` and `src/readable_impl.rs` (InvalidChar).
    """

    accepts = (str,)
    any_bytes = False

    def __init__(self, order: str = "little") -> None:
        text = f"char, its scalar value as u32, 4 bytes, {order} endian"
        super().__init__("char", 4, "I", order, text)
        self.pack, self.unpack = scalar_value, char_of

    def check(self, value: Any) -> None:
        scalar_value(value)  # also looks at the type


class Utf8Char(Rule):
    """A char as its UTF-8 bytes, 1 to 4, without a count: the first byte tells how many.

    Source: bincode 2.0.1 `src/enc/impls.rs` (`encode_utf8`), `src/de/impls.rs`. (Its own
    `docs/spec.md` says 32-bit integer; the code does not.)
    """

    wire = "char"
    text = "char, UTF-8, 1 to 4 bytes"
    accepts = (str,)

    def check(self, value: Any) -> None:
        scalar_value(value)

    def encode(self, value: str) -> bytes:
        scalar_value(value)
        return str.encode(value)

    def decode(self, data: bytes, at: int) -> tuple[str, int]:
        take(data, at, 1, "a char takes at least")
        width = _utf8_width(data[at])
        if width == 0:
            raise InvalidChar(f"no UTF-8 character starts with {data[at]:#04x}", offset=at)
        end = take(data, at, width, "this char takes")
        try:
            return data[at:end].decode(), end
        except UnicodeDecodeError:
            raise InvalidChar(
                f"{data[at:end].hex(' ')} is not a UTF-8 character", offset=at
            ) from None

    def claimed(self, data: bytes, at: int) -> int:
        return _utf8_width(data[at]) if at < len(data) else 0


def _utf8_width(first: int) -> int:
    """How many bytes a UTF-8 character that starts with this byte has; 0 if none does."""
    if first < 0x80:
        return 1
    if 0xC2 <= first <= 0xF4:
        return 2 if first < 0xE0 else 3 if first < 0xF0 else 4
    return 0


class CountedChar(Rule):
    """A char as a text of its own: a count of 1 to 4, then its UTF-8 bytes.

    Decoding takes the first character of up to four bytes of text, as the crate does.
    Source: postcard 1.1.3 `src/ser/serializer.rs`, `src/de/deserializer.rs` (`deserialize_char`).
    """

    wire = "char"
    text = "char, a count and UTF-8"
    least = 2
    accepts = (str,)

    def __init__(self, count: Rule) -> None:
        self.count = count

    def check(self, value: Any) -> None:
        scalar_value(value)

    def encode(self, value: str) -> bytes:
        scalar_value(value)
        return self.count.encode(len(str.encode(value))) + str.encode(value)

    def decode(self, data: bytes, at: int) -> tuple[str, int]:
        size, start = self.count.decode(data, at)
        if size > 4:
            raise InvalidChar(f"a char has at most 4 bytes, not {size:,}", offset=at)
        end = take(data, start, size, "this char takes")
        try:
            return data[start:end].decode()[0], end
        except UnicodeDecodeError as error:
            at = start + error.start
            raise InvalidChar(f"the char is not UTF-8: {error.reason}", offset=at) from None
        except IndexError:
            raise InvalidChar("a char has at least one byte", offset=at) from None
