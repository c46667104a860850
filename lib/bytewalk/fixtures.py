"""The suite's generator: the same record for the same kind, seed and index, on every machine.

`make("document", seed=42, index=0)` is the Document that the whole book is about.

Source: the suite's Rust generator, which draws from rand 0.8 over rand_pcg 0.3 (`Lcg64Xsh32`, that
is PCG XSH-RR 64/32). The real crates prove it: see the oracle's `fixtures`.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from bytewalk.records import (
    Document,
    DocumentItem,
    DocumentMeta,
    Event,
    EventAttr,
    Fixture,
    Message,
    Strings,
    Telemetry,
)

_MASK = 2**64 - 1
_MULTIPLIER = 6364136223846793005  # of the 64-bit LCG under PCG
_STREAM = 5897932384
_SALT = 3141592653
_EPOCH_MS = 1_704_067_200_000  # 2024-01-01T00:00:00Z
_DAY_MS = 86_400_000


class Draw:
    """A stream of draws: `u32` from the generator, everything else from that."""

    def __init__(self, kind: str, seed: int, index: int) -> None:
        h = seed
        for byte in kind.encode():
            h = (h ^ byte) * 0x100000001B3 & _MASK
        h ^= index * 0x9E3779B97F4A7C15 & _MASK
        h = h or 1
        self._increment = 2 * _STREAM + 1
        self._state = (h ^ _SALT) + self._increment & _MASK
        self._step()

    def _step(self) -> None:
        self._state = self._state * _MULTIPLIER + self._increment & _MASK

    def u32(self) -> int:
        state = self._state
        self._step()
        mixed = ((state >> 18) ^ state) >> 27 & 0xFFFFFFFF
        turn = state >> 59
        return (mixed >> turn | mixed << (32 - turn)) & 0xFFFFFFFF

    def u64(self) -> int:
        low = self.u32()
        return self.u32() << 32 | low

    def within(self, low: int, high: int) -> int:
        """low <= result <= high, from one u32 unless it is refused as uneven."""
        return low + _even(self.u32, 32, high - low + 1)

    def boolean(self) -> bool:
        return self.u64() < 2**63

    def unit_float(self) -> float:
        """0 <= result < 1, in steps of 2^-53."""
        return (self.u64() >> 11) / 2**53

    def word(self, shortest: int, longest: int) -> str:
        length = self.within(shortest, longest)
        return "".join(chr(ord("a") + _even(self.u64, 64, 26)) for _ in range(length))


def _even(draw: Callable[[], int], bits: int, n: int) -> int:
    """One of 0 .. n-1, all equally likely: rand 0.8's `sample_single_inclusive`."""
    zone = (n << (bits - n.bit_length())) - 1
    mask = 2**bits - 1
    while True:
        product = draw() * n
        if product & mask <= zone:
            return product >> bits


# Keyword arguments are drawn in the order in which they are written; a record's own field order
# may be another.


def _document(draw: Draw) -> Document:
    items = [
        DocumentItem(
            sku=draw.word(3, 12), qty=draw.within(1, 100), price_minor=draw.within(0, 100_000)
        )
        for _ in range(8)
    ]
    return Document(
        items=items,
        id=draw.word(8, 12),
        status=draw.within(0, 5),
        meta=DocumentMeta(region=draw.word(2, 4), version=draw.within(1, 10)),
    )


def _message(draw: Draw) -> Message:
    return Message(
        f_bool=draw.boolean(),
        f_int32=draw.within(0, 1_000_000),
        f_int64=draw.within(0, 1_000_000),
        f_float64=draw.unit_float() * 1000,
        f_string=draw.word(3, 16),
        f_bool_2=draw.boolean(),
        f_int32_2=draw.within(0, 1_000_000),
        f_string_2=draw.word(3, 16),
    )


def _telemetry(draw: Draw) -> Telemetry:
    return Telemetry(
        tags=[draw.word(3, 10) for _ in range(2)],
        values=[draw.unit_float() * 100 for _ in range(32)],
        source=draw.word(3, 10),
        ts=_EPOCH_MS + draw.within(0, _DAY_MS),
    )


def _strings(draw: Draw) -> Strings:
    return Strings(items=[draw.word(3, 16) for _ in range(32)])


def _event(draw: Draw) -> Event:
    return Event(
        attrs=[EventAttr(key=draw.word(3, 12), value=draw.word(3, 12)) for _ in range(4)],
        event_id=draw.word(8, 12),
        event_type=draw.word(3, 12),
        occurred_at=_EPOCH_MS + draw.within(0, _DAY_MS),
        producer=draw.word(3, 12),
    )


KINDS: dict[str, Callable[[Draw], msgspec.Struct]] = {
    "message": _message,
    "document": _document,
    "telemetry": _telemetry,
    "strings": _strings,
    "event": _event,
}


def make(kind: str, seed: int = 42, index: int = 0) -> msgspec.Struct:
    """The record of this kind for this seed and index (each 0 to 2^64 - 1).

    Raises ValueError for an unknown kind, and for a seed or index outside a u64.
    """
    if not isinstance(kind, str) or kind not in KINDS:
        raise ValueError(f"no fixture of the kind {kind!r}; the kinds are {', '.join(KINDS)}")
    for name, number in (("seed", seed), ("index", index)):
        if type(number) is not int or not 0 <= number <= _MASK:
            raise ValueError(f"the {name} is an int from 0 to 2^64 - 1, not {number!r}")
    return KINDS[kind](Draw(kind, seed, index))


_WRAPPERS = {
    Message: Fixture.Message,
    Document: Fixture.Document,
    Telemetry: Fixture.Telemetry,
    Strings: Fixture.Strings,
    Event: Fixture.Event,
}


def as_fixture(record: msgspec.Struct):
    """The record inside the suite's wrapper enum: `Fixture.Document(document)`.

    Raises ValueError for anything but one of the five records.
    """
    wrapper = _WRAPPERS.get(type(record))
    if wrapper is None:
        raise ValueError(f"{type(record).__name__} is not one of the suite's five records")
    return wrapper(record)
