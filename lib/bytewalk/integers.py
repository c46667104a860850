"""How an integer stands in the bytes: fixed width, zigzag and the varints, each a small table.

A *rule* says how one value is written. Every rule has the same face: `encode`, `decode`, a sentence
for the dump (`text`) and, when the value always takes the same bytes, the `struct` character that
stores it (`code`), from which the derived road builds its fused stores.
"""

from __future__ import annotations

import struct
from typing import Any, Literal, Protocol

import msgspec

from bytewalk.errors import CodecError, InvalidVarint, OutOfRange, UnexpectedEnd, WrongType
from bytewalk.types import IntType, article

ORDERS = {"little": "<", "big": ">"}
_CODES = {8: "b", 16: "h", 32: "i", 64: "q"}


class Step(msgspec.Struct, frozen=True):
    """One thing that an encoder does on the way to the bytes.

    kind: `sign` and `compare` are tests, with their `outcome`; `zigzag` folds the sign away;
    `measure` counts bits; `group` adds seven bits as a byte, `write` the bytes `written`.
    text: the step in one line.
    """

    kind: Literal["sign", "zigzag", "measure", "compare", "group", "write"]
    text: str
    outcome: bool | None = None
    written: bytes = b""


class Rule:
    """How one value is written.

    wire: the name of what is stored, `u32` for instance.
    size: its bytes when there are always as many, else None. least: the fewest it can take.
    code: its `struct` character, if any.
    accepts: the Python types that the encoder takes, and no others, so True is not an integer.
    claims: the bytes that bincode's limit counts for it, whatever it takes in truth.
    any_bytes: whether every pattern of `size` bytes is a value, so that nothing can be refused.
    pack / unpack: a function between the value and what `struct` stores; None when they are equal.
    """

    wire: str
    text: str
    size: int | None = None
    least: int = 1
    code: str | None = None
    claims: int = 0
    any_bytes: bool = False
    accepts: tuple[type, ...] = ()
    pack: Any = None
    unpack: Any = None

    def check(self, value: Any) -> None:
        """Raises `WrongType` or `OutOfRange` unless the rule can write the value."""
        if type(value) not in self.accepts:
            raise WrongType(
                f"expected {describe(self.accepts[0])} for {self.wire}, got {describe(value)}"
            )

    def encode(self, value: Any) -> bytes:
        """The bytes of the value. Raises what `check` raises."""
        raise NotImplementedError

    def decode(self, data: bytes, at: int) -> tuple[Any, int]:
        """The value that starts at `at`, and the offset behind it.

        Raises a `CodecError` with the offset of the first byte that is not accepted.
        """
        raise NotImplementedError

    def claimed(self, data: bytes, at: int) -> int:
        """What the value at `at` claims of a limit, in bytes."""
        return self.claims

    def steps(self, value: Any) -> list[Step]:
        """What the encoder does for this value. Raises what `check` raises."""
        return [Step("write", self.text, None, self.encode(value))]

    def source_write(self, name: str, function: Source) -> list[str]:
        """Derived code that puts the value `name`, for a rule without a `code`."""
        return [f"put({function.use(self.encode, f'write_{self.wire}')}({name}))"]

    def source_read(self, name: str, function: Source) -> list[str]:
        """Derived code that binds `name` to the value at `at` and moves `at` behind it."""
        return [f"{name}, at = {function.use(self.decode, f'read_{self.wire}')}(data, at)"]


class Source(Protocol):
    """What a rule may ask of the function that its derived code stands in."""

    def use(self, thing: Any, name: str) -> str:
        """Makes a thing known to the code; returns the name it goes by there."""

    def fresh(self, base: str) -> str:
        """A local name that nothing else has, like `base`."""

    def scratch(self, base: str) -> str:
        """A local name for a value that is used up at once: the same each time."""

    def fused(self, codes: list[str], text_size: str | None) -> str:
        """The name of the `struct` call that stores or loads these codes at once."""


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
        self.size = self.least = self.claims = size
        self.code = code
        self.text = text
        self.takes = f"{article(wire)} takes"
        self.struct = struct.Struct(ORDERS[order] + code)

    def encode(self, value: Any) -> bytes:
        self.check(value)
        return self.struct.pack(self.pack(value) if self.pack else value)

    def decode(self, data: bytes, at: int) -> tuple[Any, int]:
        end = at + self.size
        if end > len(data):
            take(data, at, self.size, self.takes)
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


class Varint(_Integer):
    """A varint of a type wider than a byte: zigzag first if the type is signed, then small numbers
    in one byte and others in more.

    one_byte: the first number that takes more than one. Subclasses say how: `long_form` writes a
    folded number from there on, `read_long` reads one whose first byte is not below `one_byte`.
    """

    one_byte: int

    def __init__(self, t: IntType, text: str) -> None:
        self.wire = t.label
        self.claims = t.bits // 8
        self.signed = t.signed
        self.bits = t.bits
        self.text = f"{t.label}, {'zigzag, then ' if t.signed else ''}{text}"
        self.range_of(t)

    def long_form(self, folded: int) -> bytes:
        raise NotImplementedError

    def read_long(self, data: bytes, at: int) -> tuple[int, int]:
        raise NotImplementedError

    def fold(self, value: int) -> int:
        """The number without a sign that is written for the value."""
        return zigzag(value) if self.signed else value

    def unfold(self, folded: int) -> int:
        return unzigzag(folded) if self.signed else folded

    def encode(self, value: int) -> bytes:
        self.check(value)
        folded = self.fold(value)
        return _ONES[self.one_byte][folded] if folded < self.one_byte else self.long_form(folded)

    def decode(self, data: bytes, at: int) -> tuple[int, int]:
        if at >= len(data):
            take(data, at, 1, f"{article(self.wire)} varint takes at least")
        end = at + 1
        folded = data[at]
        if folded >= self.one_byte:
            folded, end = self.read_long(data, at)
        return self.unfold(folded), end

    def steps(self, value: int) -> list[Step]:
        self.check(value)
        folded = self.fold(value)
        steps = self.zigzag_steps(value, folded) if self.signed else []
        return steps + self.unsigned_steps(folded)

    def zigzag_steps(self, value: int, folded: int) -> list[Step]:
        raise NotImplementedError

    def unsigned_steps(self, folded: int) -> list[Step]:
        raise NotImplementedError

    def source_write(self, name: str, function: Source) -> list[str]:
        n, one = function.scratch("n"), function.use(_ONES[self.one_byte], "ONE")
        if self.signed:
            lines = [f"{n} = 2 * {name} if {name} >= 0 else -2 * {name} - 1"]
            lines.append(f"if {n} < {self.one_byte}:")
        else:  # a negative number would index from the end
            lines = [f"{n} = {name}", f"if 0 <= {n} < {self.one_byte}:"]
        return [*lines, f"    put({one}[{n}])", *self.source_long(n, function)]

    def source_read(self, name: str, function: Source) -> list[str]:
        lines = [f"{name} = data[at]", "at += 1", f"if {name} > {self.one_byte - 1}:"]
        lines += [f"    {line}" for line in self.source_more(name, function)]
        if self.signed:
            lines.append(f"{name} = {name} >> 1 ^ -({name} & 1)  # zigzag undone")
        return lines

    def source_long(self, number: str, function: Source) -> list[str]:
        """The further branches of `source_write`: a number of more than one byte, or too large."""
        raise NotImplementedError

    def source_more(self, name: str, function: Source) -> list[str]:
        """The branch of `source_read` where the first byte, in `name`, is not the number yet."""
        raise NotImplementedError

    def derived_long(self, folded: int) -> bytes:
        """`long_form`, for code that has not looked at the range."""
        if not 0 <= folded < 1 << self.bits:
            raise OverflowError
        return self.long_form(folded)


_PAYLOADS = {2: "H", 4: "I", 8: "Q"}  # bytes -> struct character
_ONES = {limit: tuple(bytes([n]) for n in range(limit)) for limit in (128, 251)}


class Marker(Varint):
    """bincode's varint: 0 to 250 in one byte, else a marker and the number in 2, 4, 8 or 16 bytes.

    251 announces 2 bytes, 252 four, 253 eight, 254 sixteen; 255 is reserved. The payload has the
    configured byte order. Decoding takes a longer form than needed, within the type's own width.

    Source: bincode 2.0.1 `src/varint/encode_unsigned.rs`, `decode_unsigned.rs`.
    """

    one_byte = 251
    # marker -> (largest number, payload bytes)
    table = {251: (2**16 - 1, 2), 252: (2**32 - 1, 4), 253: (2**64 - 1, 8), 254: (2**128 - 1, 16)}

    def __init__(self, t: IntType, order: str = "little") -> None:
        super().__init__(t, "marker varint")
        self.order = order
        self.rows = {m: row for m, row in self.table.items() if row[1] <= t.bits // 8}

    def long_form(self, folded: int) -> bytes:
        for marker, (largest, size) in self.rows.items():
            if folded <= largest:
                return bytes([marker]) + folded.to_bytes(size, self.order)
        raise AssertionError("the range was checked")

    def read_long(self, data: bytes, at: int) -> tuple[int, int]:
        marker = data[at]
        if marker not in self.rows:
            what = "is reserved"
            if marker in self.table:
                size = self.table[marker][1]
                what = f"announces {size} bytes, which {article(self.wire)} does not have"
            raise InvalidVarint(f"the marker {marker:#04x} {what}", offset=at)
        size = self.rows[marker][1]
        end = take(data, at + 1, size, f"the marker {marker:#04x} announces")
        return int.from_bytes(data[at + 1 : end], self.order), end

    def source_long(self, number: str, function: Source) -> list[str]:
        lines = []
        for marker, (largest, size) in self.rows.items():
            head = "else:" if marker == max(self.rows) else f"elif {number} <= {largest}:"
            if size in _PAYLOADS:  # struct refuses what is beyond the last row
                pack = function.fused(["B", _PAYLOADS[size]], None)
                put = f"put({pack}({marker}, {number}))"
            else:
                put = f"put({function.use(self.derived_long, f'long_{self.wire}')}({number}))"
            lines += [head, f"    {put}"]
        return lines

    def source_more(self, name: str, function: Source) -> list[str]:
        lines, word = [], "if"
        for marker, (_, size) in self.rows.items():
            lines.append(f"{word} {name} == {marker}:")
            if size in _PAYLOADS:
                unpack = function.fused([_PAYLOADS[size]], None)
                lines += [f"    ({name},) = {unpack}(data, at)", f"    at += {size}"]
            else:
                read = function.use(self.read_long, f"read_{self.wire}")
                lines.append(f"    {name}, at = {read}(data, at - 1)")
            word = "elif"
        return [*lines, "else:", "    raise ValueError"]

    def zigzag_steps(self, value: int, folded: int) -> list[Step]:
        """bincode asks for the sign: `src/varint/encode_signed.rs`."""
        formula = f"2 × {value:,}" if value >= 0 else f"-2 × {value:,} - 1"
        sign = Step("sign", f"{value:,} < 0?", value < 0)
        return [sign, Step("zigzag", f"{formula} = {folded:,}")]

    def unsigned_steps(self, folded: int) -> list[Step]:
        steps = [Step("compare", f"{folded:,} <= 250?", folded <= 250)]
        if folded <= 250:
            return [*steps, Step("write", "the number itself", None, bytes([folded]))]
        widest = max(self.rows)
        for marker, (largest, size) in self.rows.items():
            if marker < widest:  # the last row needs no test
                bits = largest.bit_length()
                steps.append(Step("compare", f"{folded:,} <= 2^{bits} - 1?", folded <= largest))
                if folded > largest:
                    continue
            payload = folded.to_bytes(size, self.order)
            steps.append(Step("write", f"the marker for {size} bytes", None, bytes([marker])))
            steps.append(Step("write", f"the number in {size} bytes", None, payload))
            break
        return steps


class Leb128(Varint):
    """postcard's varint: seven bits a byte, the low group first; the high bit says "more follow".

    At most ceil(bits / 7) bytes, and the last of them holds only the bits that the type still has.
    Decoding takes a longer form than needed within that.

    Source: postcard 1.1.3 `src/varint.rs`, `src/de/deserializer.rs` (`try_take_varint_*`).
    """

    one_byte = 128

    def __init__(self, t: IntType) -> None:
        super().__init__(t, "LEB128")
        self.most = -(-t.bits // 7)
        self.most_of_last = (1 << t.bits - 7 * (self.most - 1)) - 1

    def long_form(self, folded: int) -> bytes:
        groups = bytearray()
        while folded > 127:
            groups.append(folded & 127 | 128)
            folded >>= 7
        groups.append(folded)
        return bytes(groups)

    def read_long(self, data: bytes, at: int) -> tuple[int, int]:
        number = 0
        for i in range(self.most):
            end = take(data, at + i, 1, "the next group of a varint takes")
            number |= (data[at + i] & 127) << 7 * i
            if i == self.most - 1 and data[at + i] > self.most_of_last:
                raise InvalidVarint(
                    f"byte {self.most} of {article(self.wire)} varint is at most "
                    f"{self.most_of_last:#04x}, not {data[at + i]:#04x}",
                    offset=at + i,
                )
            if data[at + i] < 128:
                break
        return number, end

    def source_long(self, number: str, function: Source) -> list[str]:
        two, three = function.fused(["B"] * 2, None), function.fused(["B"] * 3, None)
        low, middle = f"{number} & 127 | 128", f"{number} >> 7 & 127 | 128"
        return [
            f"elif {number} < {1 << 14}:",
            f"    put({two}({low}, {number} >> 7))",
            f"elif {number} < {min(1 << 21, 1 << self.bits)}:",
            f"    put({three}({low}, {middle}, {number} >> 14))",
            "else:",
            f"    put({function.use(self.derived_long, f'long_{self.wire}')}({number}))",
        ]

    def source_more(self, name: str, function: Source) -> list[str]:
        second, third = function.scratch("second"), function.scratch("third")
        read = function.use(self.read_long, f"read_{self.wire}")
        most = 127 if self.most > 3 else self.most_of_last
        return [
            f"{second} = data[at]",
            f"if {second} < 128:",
            f"    {name} = {name} & 127 | {second} << 7",
            "    at += 1",
            f"elif ({third} := data[at + 1]) <= {most}:",
            f"    {name} = {name} & 127 | ({second} & 127) << 7 | {third} << 14",
            "    at += 2",
            "else:",
            f"    {name}, at = {read}(data, at - 1)",
        ]

    def zigzag_steps(self, value: int, folded: int) -> list[Step]:
        """postcard folds without a test, by shifts: `src/ser/serializer.rs`."""
        return [Step("zigzag", f"({value:,} << 1) ^ ({value:,} >> {self.bits - 1}) = {folded:,}")]

    def unsigned_steps(self, folded: int) -> list[Step]:
        steps = []
        while True:
            group, rest = folded & 127, folded >> 7
            steps.append(Step("compare", f"{folded:,} > 127?", rest > 0))
            text = f"group {group:07b}, {'more follow' if rest else 'the last'}"
            steps.append(Step("group", text, None, bytes([group | (128 if rest else 0)])))
            if not rest:
                return steps
            folded = rest


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
        written = self.encode(value)
        more = count(len(written) - 1, "more byte")
        return [
            Step("measure", f"{value:,} has {count(value.bit_length(), 'bit')}: {more}"),
            Step("write", "the prefix byte and what it announces", None, written),
        ]
