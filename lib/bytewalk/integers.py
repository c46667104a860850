"""How an integer stands in the bytes: fixed width, zigzag and the varints, each a small table.

A *rule* says how one value is written. Every rule has the same face: `encode`, `decode`, a sentence
for the dump (`text`) and, when the value always takes the same bytes, the `struct` character that
stores it (`code`), from which the derived road builds its fused stores.
"""

from __future__ import annotations

import struct
from typing import Any

import msgspec

from bytewalk.errors import CodecError, OutOfRange, UnexpectedEnd, WrongType
from bytewalk.types import IntType

ORDERS = {"little": "<", "big": ">"}
_CODES = {8: "b", 16: "h", 32: "i", 64: "q"}


class Step(msgspec.Struct, frozen=True):
    """One test that an encoder makes, its outcome, and the bytes written once it is made."""

    test: str
    outcome: bool
    written: bytes


class Rule:
    """How one value is written.

    wire: the name of what is stored, `u32` for instance.
    size: its bytes when there are always as many, else None. least: the fewest it can take.
    code: its `struct` character, if any.
    accepts: the Python types that the encoder takes, and no others, so True is not an integer.
    any_bytes: whether every pattern of `size` bytes is a value, so that nothing can be refused.
    pack / unpack: a function between the value and what `struct` stores; None when they are equal.
    """

    wire: str
    text: str
    size: int | None = None
    least: int = 1
    code: str | None = None
    any_bytes: bool = False
    accepts: tuple[type, ...] = ()
    pack: Any = None
    unpack: Any = None

    def check(self, value: Any) -> None:
        """Raises `WrongType` or `OutOfRange` unless the rule can write the value."""
        if type(value) not in self.accepts:
            raise WrongType(f"expected {describe(self.accepts[0])} for {self.wire}, got {describe(value)}")

    def encode(self, value: Any) -> bytes:
        """The bytes of the value. Raises what `check` raises."""
        raise NotImplementedError

    def decode(self, data: bytes, at: int) -> tuple[Any, int]:
        """The value that starts at `at`, and the offset behind it.

        Raises a `CodecError` with the offset of the first byte that is not accepted.
        """
        raise NotImplementedError


def article(noun: str) -> str:
    """`a u32`, `an i32`, `an f32`: by the sound of the first letter."""
    vowel = noun[:1].lower() in "aeio" or noun in ("f32", "f64")
    return f"{'an' if vowel else 'a'} {noun}"


def describe(value: Any) -> str:
    """`an int`, `a str`: for a type or for a value of it; an int or a bool shows itself."""
    if isinstance(value, type):
        return article(value.__name__)
    if isinstance(value, bool):
        return f"the bool {value}"
    return "None" if value is None else describe(type(value))


def take(data: bytes, at: int, size: int, what: str) -> int:
    """The offset behind `size` bytes at `at`. Raises `UnexpectedEnd` when they are not there.

    what: who wants them, with its verb: "a u32 takes".
    """
    end = at + size
    if end > len(data):
        left = max(len(data) - at, 0)
        raise UnexpectedEnd(f"{what} {count(size)}, {left:,} left", offset=len(data))
    return end


def count(n: int, noun: str = "byte") -> str:
    """`1 byte`, `17 bytes`."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


class Store(Rule):
    """A value of fixed width, copied as it is: one `struct` store."""

    any_bytes = True

    def __init__(self, wire: str, size: int, code: str, order: str, text: str) -> None:
        self.wire = wire
        self.size = self.least = size
        self.code = code
        self.text = text
        self.struct = struct.Struct(ORDERS[order] + code)

    def encode(self, value: Any) -> bytes:
        self.check(value)
        return self.struct.pack(self.pack(value) if self.pack else value)

    def decode(self, data: bytes, at: int) -> tuple[Any, int]:
        end = take(data, at, self.size, f"{article(self.wire)} takes")
        (value,) = self.struct.unpack_from(data, at)
        if self.unpack:
            try:
                value = self.unpack(value)
            except CodecError as error:
                error.offset = at
                raise
        return value, end


class _Integer(Rule):
    """What all integer rules share: the type, its range and who may be written."""

    accepts = (int,)

    def range_of(self, t: IntType) -> None:
        self.low = -(1 << t.bits - 1) if t.signed else 0
        self.high = (1 << (t.bits - 1 if t.signed else t.bits)) - 1

    def check(self, value: Any) -> None:
        super().check(value)
        if not self.low <= value <= self.high:
            raise OutOfRange(
                f"{value} does not fit {self.wire}, which holds {self.low} to {self.high}"
                if abs(value) < 1 << 160
                else f"an int of {value.bit_length():,} bits does not fit {self.wire}"
            )


class Fixed(_Integer, Store):
    """Two's complement of the type's own width.

    Source: speedy 0.8.7 `src/writer.rs`, bincode 2.0.1 `src/enc/impls.rs` (`IntEncoding::Fixed`).
    """

    def __init__(self, t: IntType, order: str = "little") -> None:
        size = t.bits // 8
        code = _CODES.get(t.bits, "16s")  # struct has no 16-byte integer: raw bytes instead
        if not t.signed and t.bits < 128:
            code = code.upper()
        text = f"{t.label}, {count(size)}"
        if size > 1:
            text += f", {order} endian"
        super().__init__(t.label, size, code, order, text)
        self.range_of(t)
        if t.bits == 128:
            self.pack = lambda value: int.to_bytes(value, 16, order, signed=t.signed)
            self.unpack = lambda raw: int.from_bytes(raw, order, signed=t.signed)


def zigzag(value: int) -> int:
    """Folds the sign into the lowest bit: 0, -1, 1, -2 become 0, 1, 2, 3.

    Source: bincode 2.0.1 `src/varint/encode_signed.rs`, postcard 1.1.3 `src/ser/serializer.rs`.
    """
    return 2 * value if value >= 0 else -2 * value - 1


def unzigzag(folded: int) -> int:
    """The inverse of `zigzag`, for 0 and up."""
    return folded >> 1 if folded % 2 == 0 else -(folded >> 1) - 1


class Prefix(_Integer):
    """Speedy's `u64_varint`: the leading 1 bits of byte 0 count the bytes that follow.

    The rest of byte 0 holds the most significant bits; the bytes that follow are little endian,
    also in a big-endian context. 1 to 9 bytes: n bytes for values below 2^(7n), 9 for the rest.
    A longer form than needed is accepted.

    Source: speedy 0.8.7 `src/varint.rs`. A field opts in by `#[speedy(varint)]`.
    """

    wire = "u64"
    text = "u64, prefix varint: 1 to 9 bytes"
    low, high = 0, 2**64 - 1
    # (values below this, bytes that follow, the bits that say so)
    table = tuple((1 << 7 * (more + 1), more, 0xFF00 >> more & 0xFF) for more in range(8)) + (
        (1 << 64, 8, 0xFF),
    )

    def encode(self, value: int) -> bytes:
        self.check(value)
        _, more, marker = next(row for row in self.table if value < row[0])
        top = value >> 8 * more
        return bytes([marker | top]) + (value & (1 << 8 * more) - 1).to_bytes(more, "little")

    def decode(self, data: bytes, at: int) -> tuple[int, int]:
        body = take(data, at, 1, "a prefix varint takes at least")
        more = 8 - (data[at] ^ 0xFF).bit_length()
        end = take(data, body, more, "the rest of this prefix varint takes")
        top = data[at] & 0x7F >> more
        return top << 8 * more | int.from_bytes(data[body:end], "little"), end

    def steps(self, value: int) -> list[Step]:
        """Each comparison with its outcome; the last one holds."""
        written = self.encode(value)
        steps = []
        for limit, _, _ in self.table:
            fits = value < limit
            test = f"{value} < 2^{limit.bit_length() - 1}"
            steps.append(Step(test, fits, written if fits else b""))
            if fits:
                break
        return steps
