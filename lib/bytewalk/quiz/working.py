"""Worked solutions, worked for themselves: from the values of a trace by plain arithmetic, without
the codec's own rules. So a solution that arrives at the right answer is a check of it."""

from __future__ import annotations

import struct
from typing import Any

import msgspec

from bytewalk.integers import count
from bytewalk.trace import Span, Trace


class Solution(msgspec.Struct, frozen=True):
    """steps: sentences in order. answer: what they arrive at, as a reader would type it."""

    steps: tuple[str, ...]
    answer: str

    def __repr__(self) -> str:
        return "\n".join(f"{n}. {step}" for n, step in enumerate(self.steps, 1))


def plain(number: int) -> str:
    """A number as prose writes it: with separators and a real minus sign."""
    return f"{number:,}".replace("-", "\u2212")


def hexed(data: bytes) -> str:
    return f"`{data.hex(' ')}`"


def subject(span: Span) -> str:
    """What a span is, in words that can begin a sentence or stand behind "there stands"."""
    words = {
        "value": "the value",
        "length": "the length",
        "text": "the text",
        "tag": "the tag",
        "present": "the presence byte",
        "padding": "padding",
        "pointer": "the pointer",
    }[span.role]
    return f"{words} of `{span.path}`" if span.path else words


def label(span: Span) -> str:
    """A span's field, role and rule, as feedback names them."""
    return span.rule if span.rule.startswith("padding") else f"{subject(span)}: {span.rule}"


def named(span: Span) -> list[tuple[int, str]]:
    """The pieces of a span that feedback tells apart: where each ends, and its name."""
    size = span.end - span.start
    if size > 1 and "marker varint" in span.rule:
        name = label(span)
        return [(span.start + 1, f"the marker of {name}"), (span.end, f"the payload of {name}")]
    if size > 1 and "LEB128" in span.rule:
        return [
            (span.start + n, f"group {n} of {size} of {label(span)}") for n in range(1, size + 1)
        ]
    return [(span.end, label(span))]


def solve(trace: Trace, note: str = "") -> Solution:
    """The bytes of an encoding, span by span."""
    steps, data = [], b""
    texts = {span.path for span in trace.spans if span.role == "text"}
    for span in trace.spans:
        how, piece = _piece(span, "byte" if span.path in texts else "item")
        name = subject(span)
        steps.append(f"{name[0].upper()}{name[1:]}: {how}")
        data += piece
    if len(steps) > 1:
        steps.append(f"Together {count(len(data))}: {hexed(data)}")
    return Solution((*([note] if note else []), *steps), data.hex(" "))


def _piece(span: Span, counted: str) -> tuple[str, bytes]:
    """How a value becomes bytes, and the bytes. counted: what a length counts."""
    value, size = span.value, span.end - span.start
    if span.role == "padding":
        return f"{count(size)} of zero, {hexed(bytes(size))}", bytes(size)
    if span.role == "pointer":
        slot = int(span.rule.rpartition(" ")[2])
        value = span.target - slot
        how = f"byte {span.target} less byte {slot}, where the slot begins, is {plain(value)}"
        more, data = _fixed(span, value)
        return f"{how}{more}, {hexed(data)}", data
    if span.role == "text":
        data = value.encode("utf-8")
        if "filled up" in span.rule:
            data = data + b"\xff" * (size - len(data))
            return f"`{value}` in UTF-8, filled up with `ff`, {hexed(data)}", data
        return f"`{value}` in UTF-8, {hexed(data)}", data
    if isinstance(value, bytes):
        return f"as they are, {hexed(value)}", value
    if isinstance(value, bool):
        data = bytes([value])
        return f"{'there' if span.role == 'present' and value else value}, {hexed(data)}", data
    if isinstance(value, float):
        data = struct.pack("<f" if span.type == "f32" else "<d", value)
        return f"the bits of {value}, {hexed(data)}", data
    if isinstance(value, str):
        raise NotImplementedError("no question writes a char by hand")
    return _integer(span, value, counted)


def _integer(span: Span, value: int, counted: str) -> tuple[str, bytes]:
    how = count(value, counted) if span.role == "length" else plain(value)
    if "zigzag" in span.rule:
        folded = 2 * value if value >= 0 else -2 * value - 1
        how += f" has place {plain(folded)} in the line 0, \u22121, 1, \u22122, 2"
        value = folded
    if "10 in the top bits" in span.rule:  # a text's, which may stand far away
        how = count(value)
        more, data = _packed(value)
    elif "marker varint" in span.rule:
        more, data = _marker(value)
    elif "LEB128" in span.rule:
        more, data = _groups(value)
    else:
        more, data = _fixed(span, value)
    return f"{how}{more}, {hexed(data)}", data


def _fixed(span: Span, value: int) -> tuple[str, bytes]:
    size = span.end - span.start
    how = f", written in {count(size)}"
    if value < 0:
        value += 256**size
        how = f" + 2^{8 * size} = {plain(value)}, written in {count(size)}"
    places = [value // 256**place % 256 for place in range(size)]
    if size == 1:
        return how, bytes(places)
    if "big endian" in span.rule:
        return f"{how}, the highest first", bytes(places[::-1])
    return f"{how}, the lowest first", bytes(places)


def _packed(number: int) -> tuple[str, bytes]:
    low, high = number % 64, number // 64
    data = bytes([128 + low, *(high // 256**place % 256 for place in range(3))])
    split = f" = {high} \u00d7 64 + {low}" if high else ""
    return f"{split}: the low six bits, {low}, plus 128 for the mark, then the others", data


def _marker(number: int) -> tuple[str, bytes]:
    if number <= 250:
        return ", at most 250: one byte", bytes([number])
    size = next(size for size in (2, 4, 8, 16) if number < 256**size)
    marker = {2: 0xFB, 4: 0xFC, 8: 0xFD, 16: 0xFE}[size]
    payload = bytes(number // 256**place % 256 for place in range(size))
    return f", above 250: the marker `{marker:02x}` and {count(size)}", bytes([marker]) + payload


def _groups(number: int) -> tuple[str, bytes]:
    digits = []
    while True:
        number, digit = divmod(number, 128)
        digits.append(digit)
        if not number:
            break
    data = bytes([*(digit + 128 for digit in digits[:-1]), digits[-1]])
    if len(digits) == 1:
        return ", at most 127: one group", data
    shown = ", ".join(map(str, digits))
    flags = ", ".join(f"{digit} + 128 = {digit + 128}" for digit in digits[:-1])
    return f", in base 128 with the low digit first {shown}; with the flags, {flags}", data


def total(parts: list[tuple[str, int]], unit: str = "bytes", note: str = "") -> Solution:
    """A number as a sum of named parts."""
    steps = [f"{what}: {plain(number)}" for what, number in parts]
    result = sum(number for _, number in parts)
    sums = " + ".join(plain(number) for _, number in parts).replace("+ \u2212", "\u2212 ")
    tail = f"{sums} = {plain(result)} {unit}".rstrip()
    return Solution((*([note] if note else []), *steps, tail), str(result))


def reasoned(*steps: str, answer: Any) -> Solution:
    """A solution whose answer its steps have computed."""
    return Solution(steps, str(answer))
