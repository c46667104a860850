"""What a reader may believe instead, each as a format with one rule changed.

A belief about a rule is a `Layout` with one method changed, a belief about what is written at all
is a `Writer`, a reader of the walk, with one method changed. Both are put in front of the format's
own class, and `written` computes what somebody who believes it would write. A belief that has
nothing to say about a format leaves its bytes as they are. `says` is the explanation for its
reader; a question may give a better one for its own value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from bytewalk.formats import rkyv
from bytewalk.formats.rkyv import Rkyv
from bytewalk.formats.rkyv.shapes import INLINE, Shape, Text
from bytewalk.formats.rkyv.writing import ArchiveWriter, TracingArchiveWriter
from bytewalk.integers import Fixed, Leb128, Marker, Rule, Varint
from bytewalk.layout import Layout, layout_of
from bytewalk.serde import Writer, node_of
from bytewalk.trace import Span
from bytewalk.types import INTEGERS, Field, IntType, Node, StructType, VariantType


class RuleBelief(Layout):
    """A layout with one method changed, to put in front of a format's."""

    says: str


class ArchiveRule(Rkyv):
    """rkyv with one rule of the archive changed."""

    says: str


class ArchiveBelief(ArchiveWriter):
    """A writer of archives with one method changed."""

    says: str


class WritingBelief(Writer):
    """A reader of the walk with one method changed."""

    says: str


Belief = type[RuleBelief] | type[WritingBelief] | type[ArchiveRule] | type[ArchiveBelief]


def written(belief: Belief, value: Any, type: Any, format: Any) -> bytes:
    """The bytes that somebody with this belief would write for a value."""
    return b"".join(pieces(belief, value, type, format))


def pieces(belief: Belief, value: Any, type: Any, format: Any) -> list[bytes]:
    """The same, as the writer put it: a length, a text, a number is a piece of its own. An archive
    is cut where the right one is, or is one piece if it has other fields."""
    if issubclass(belief, ArchiveRule):
        trace = belief().trace(value, type)
        return _cut(trace.data, trace.spans, rkyv.trace(value, type).spans)
    if issubclass(belief, ArchiveBelief):
        archive = _tracing(belief)(Rkyv())
        archive.object(archive.rules.shape(node_of(value, type)), value)
        data = bytes(archive.out)
        return _cut(data, archive.filled(len(data)), rkyv.trace(value, type).spans)
    if issubclass(belief, WritingBelief):
        writer = belief(layout_of(format))
    else:
        writer = Writer(changed(belief, format))
    writer.write(node_of(value, type), value)
    if isinstance(writer, Aligned):
        writer.pad(8)
    return writer.parts


def _tracing(belief: type[ArchiveBelief]) -> Any:
    """The same belief, of a writer that records spans."""
    return type(belief.__name__, (belief, TracingArchiveWriter), {})


def _cut(data: bytes, spans: list[Span], fields: list[Span]) -> list[bytes]:
    """An archive by the fields of the right one, of which only padding may be missing."""
    parts, left = [], list(spans)
    for field in fields:
        if left and (left[0].path, left[0].role) == (field.path, field.role):
            span = left.pop(0)
            parts.append(data[span.start : span.end])
        elif field.role == "padding":
            parts.append(b"")
        else:
            return [data]
    return [data] if left else parts


def changed(belief: type[RuleBelief], format: Any) -> Layout:
    """The same format, the fields of a Config included, with the belief's method in front."""
    base = layout_of(format)
    kind = type(belief.__name__, (belief, type(base)), {})
    made = object.__new__(kind)
    fields = getattr(base, "__dataclass_fields__", ())
    vars(made).update((name, getattr(base, name)) for name in fields)
    return made


class Instead(Rule):
    """A rule of the format, with another way to encode: a function of that rule and a value."""

    def __init__(self, rule: Rule, encode: Callable[[Any, Any], bytes]) -> None:
        self.wire, self.text, self.least = rule.wire, rule.text, rule.least
        self.encode = lambda value: encode(rule, value)


class _Integers(RuleBelief):
    """A belief about the integers that a format writes by a rule of this kind."""

    kind: type[Rule]

    def integer(self, t: IntType) -> Rule:
        rule = super().integer(t)
        return Instead(rule, self.change) if isinstance(rule, self.kind) else rule

    @staticmethod
    def change(rule: Any, value: int) -> bytes:
        raise NotImplementedError


def _varint(rule: Varint, folded: int) -> bytes:
    return bytes([folded]) if folded < rule.one_byte else rule.long_form(folded)


# --- Byte order and fixed widths ----------------------------------------------------------------


class OtherOrder(RuleBelief):
    says = (
        "You wrote the numbers in big endian. Little endian starts with the byte that counts least."
    )

    @property
    def order(self) -> str:
        return "little" if super().order == "big" else "big"


class DigitsTurned(_Integers):
    says = (
        "You turned round the digits inside each byte as well. Only whole bytes change places: "
        "`02` stays `02`."
    )
    kind = Fixed

    @staticmethod
    def change(rule: Any, value: int) -> bytes:
        return bytes(byte << 4 & 0xF0 | byte >> 4 for byte in rule.encode(value))


class SignBit(_Integers):
    says = (
        "You wrote the number and a bit for its sign. In two's complement the top bit counts "
        "negatively: a negative number is stored as itself plus 2 to the power of its width in "
        "bits."
    )
    kind = Fixed

    @staticmethod
    def change(rule: Any, value: int) -> bytes:
        sign = 1 << 8 * rule.size - 1 if value < 0 else 0
        return (abs(value) | sign).to_bytes(rule.size, "little")


class ZeroFilled(_Integers):
    says = (
        "You filled a negative number up with zeros. A wider type fills up with one bits, `ff`: "
        "with zeros the same bytes are a positive number."
    )
    kind = Fixed

    @staticmethod
    def change(rule: Any, value: int) -> bytes:
        least = next(n for n in (1, 2, 4, 8) if -(1 << 8 * n - 1) <= value < 1 << 8 * n - 1)
        return value.to_bytes(min(least, rule.size), "little", signed=True).ljust(rule.size, b"\0")


class BitsTurned(_Integers):
    says = (
        "You turned all the bits over, and that is one too low. Two's complement adds 1 after "
        "turning them: minus one is all one bits."
    )
    kind = Fixed

    @staticmethod
    def change(rule: Any, value: int) -> bytes:
        return (value if value >= 0 else value - 1).to_bytes(rule.size, "little", signed=True)


class AsShortAsPossible(_Integers):
    says = (
        "You left out zeros. At a fixed width a number takes all the bytes of its type, however "
        "small it is."
    )
    kind = Fixed

    @staticmethod
    def change(rule: Any, value: int) -> bytes:
        return rule.encode(value).rstrip(b"\0") or b"\0"


class Aligned(WritingBelief):
    says = (
        "You put padding in front of numbers, as a compiler does in memory. This format aligns "
        "nothing: each field begins where the one before it ends."
    )

    def put(self, rule: Rule, value: Any, role: Any) -> None:
        self.pad(rule.size or 1)
        super().put(rule, value, role)

    def pad(self, size: int) -> None:
        self.parts.append(bytes(-sum(map(len, self.parts)) % size))


# --- Lengths ------------------------------------------------------------------------------------


class LongLengths(RuleBelief):
    says = (
        "You wrote the length as a `u64`. That is bincode with fixed widths; Speedy counts in a "
        "`u32`, four bytes."
    )

    def count(self) -> Rule:
        return Fixed(INTEGERS["u64"], self.order)


class ShortLengths(RuleBelief):
    says = (
        "You wrote the length in four bytes, as Speedy does. bincode counts in a `u64`, which "
        "takes eight at fixed width."
    )

    def count(self) -> Rule:
        return Fixed(INTEGERS["u32"], self.order)


class OneByteLengths(RuleBelief):
    says = "You wrote the length in one byte. Speedy writes a `u32`, four bytes, for any length."

    def count(self) -> Rule:
        return self.integer(INTEGERS["u8"])


class NoLengths(RuleBelief):
    says = (
        "The length is missing. Nothing in a text or a list says where it ends, so a number in "
        "front of it has to."
    )

    def count(self) -> Rule:
        return Instead(super().count(), lambda rule, value: b"")


class CharactersCounted(WritingBelief):
    says = "You counted characters. The length counts bytes, and an accented letter has two."

    @staticmethod
    def size(things: Any) -> int:
        return len(things.decode() if isinstance(things, bytes) else things)


class LengthOfAll(WritingBelief):
    says = (
        "You counted the length's own bytes too. It counts only what follows it: the bytes of the "
        "text."
    )

    def size(self, things: Any) -> int:
        own = self.layout.length_rule.size or 1
        return len(things) + (own if isinstance(things, bytes) else 0)


# --- Texts and records --------------------------------------------------------------------------


class Terminated(WritingBelief):
    says = (
        "You put a zero byte behind the text, as C does. Here the length in front says where it "
        "ends, and nothing stands behind it."
    )

    def raw(self, data: bytes, node: Node, role: Any) -> None:
        super().raw(data + b"\0", node, role)


class TextTurned(WritingBelief):
    says = (
        "You turned the text round. Little endian is the order of the bytes inside one number; a "
        "text is a row of separate bytes and keeps its order."
    )

    def raw(self, data: bytes, node: Node, role: Any) -> None:
        super().raw(data[::-1], node, role)


class OneBytePerCharacter(WritingBelief):
    says = (
        "You wrote one byte for each character, the code point itself. In UTF-8 only the ASCII "
        "characters take one byte."
    )

    def utf8(self, value: str) -> bytes:
        return value.encode("latin-1", "replace")


class NamesWritten(WritingBelief):
    says = (
        "You wrote the names of the fields. They are in the program that reads, not in the message."
    )

    def attributes(self, node: StructType, value: Any) -> Iterator[tuple[Field, Any]]:
        for field, inner in super().attributes(node, value):
            self.parts.append(field.name.encode())
            yield field, inner


class FieldsCounted(WritingBelief):
    says = (
        "You wrote the number of fields in front. A record leaves no mark of its own: it is its "
        "fields in order and nothing else."
    )

    def attributes(self, node: StructType, value: Any) -> Iterator[tuple[Field, Any]]:
        self.put(self.layout.length_rule, len(node.fields), "length")
        return super().attributes(node, value)


class FieldsTurned(WritingBelief):
    says = "You wrote the fields in another order than that of their declaration."

    def attributes(self, node: StructType, value: Any) -> Iterator[tuple[Field, Any]]:
        return reversed(list(super().attributes(node, value)))


class CountedFromOne(RuleBelief):
    says = "You counted the variants from 1. The first one has the index 0."

    def discriminant(self, variant: VariantType) -> int:
        return super().discriminant(variant) + 1


class NoTag(RuleBelief):
    says = (
        "The index of the variant is missing. Without it a reader could not tell which of the "
        "variants follows."
    )

    def variant(self) -> Rule:
        return Instead(super().variant(), lambda rule, value: b"")


class OneByteTags(RuleBelief):
    says = "You wrote the index of the variant in one byte. Speedy writes it as a `u32`."

    def variant(self) -> Rule:
        return self.integer(INTEGERS["u8"])


class WideTags(RuleBelief):
    says = (
        "You wrote the index of the variant in four bytes, as Speedy does. Here it is a varint, "
        "and a small one takes one byte."
    )

    def variant(self) -> Rule:
        return Fixed(INTEGERS["u32"])


# --- Varints ------------------------------------------------------------------------------------


class NoZigzag(_Integers):
    says = (
        "You left out zigzag. A signed number is folded first: 0, -1, 1, -2, 2 become 0, 1, 2, 3, "
        "4, so the byte `02` reads as 1."
    )
    kind = Varint

    @staticmethod
    def change(rule: Any, value: int) -> bytes:
        return _varint(rule, value % (1 << rule.bits))


class FoldedOneTooHigh(_Integers):
    says = (
        "You doubled the number and stopped there. The place of a negative number is odd: twice "
        "the number without its sign, minus 1."
    )
    kind = Varint

    @staticmethod
    def change(rule: Any, value: int) -> bytes:
        return _varint(rule, 2 * abs(value)) if rule.signed else rule.encode(value)


class SignLost(_Integers):
    says = (
        "You left the minus sign out. These bytes are another number: the sign is folded into the "
        "place, and the places of negative numbers are odd."
    )
    kind = Varint

    @staticmethod
    def change(rule: Any, value: int) -> bytes:
        return _varint(rule, -value) if value < 0 else rule.encode(value)


class TwosComplement(_Integers):
    says = (
        "You wrote the negative number in two's complement. That is for fixed widths; a varint "
        "holds its place in the line 0, -1, 1, -2, 2, which has no sign."
    )
    kind = Varint

    @staticmethod
    def change(rule: Any, value: int) -> bytes:
        size = next(n for n in (1, 2, 4, 8) if value >= -(1 << 8 * n - 1))
        if value >= 0:
            return rule.encode(value)
        return value.to_bytes(size, "little", signed=True)


class EverythingFolded(_Integers):
    says = (
        "You folded a number that has no sign. Zigzag is for signed types only; an unsigned "
        "number is written as it is."
    )
    kind = Varint

    @staticmethod
    def change(rule: Any, value: int) -> bytes:
        return _varint(rule, rule.fold(value) if rule.signed else 2 * value)


class AlwaysVarint(RuleBelief):
    says = (
        "You treated an integer of 8 bits like the wider ones. `u8` and `i8` take one byte as "
        "they are, so they stay raw: no folding, no varint."
    )

    def integer(self, t: IntType) -> Rule:
        kind = type(super().integer(INTEGERS["i16" if t.signed else "u16"]))
        return kind(INTEGERS["i16" if t.signed else "u16"]) if t.bits == 8 else super().integer(t)


class FixedWidths(RuleBelief):
    says = (
        "You wrote the numbers at the width of their types, as Speedy does. Here they are varints: "
        "the width follows the value."
    )

    def integer(self, t: IntType) -> Rule:
        return Fixed(t)


class Unmarked(_Integers):
    says = (
        "The marker is missing. A reader could not know that more than one byte belongs to the "
        "number: `fb` announces two bytes, `fc` four, `fd` eight."
    )
    kind = Marker

    @staticmethod
    def change(rule: Any, value: int) -> bytes:
        data = rule.encode(value)
        return data[1:] or data


class OneByteTo255(_Integers):
    says = (
        "You took 255 for the largest number in one byte. It is 250: the first bytes 251 to 254 "
        "are markers, and 255 is reserved."
    )
    kind = Marker

    @staticmethod
    def change(rule: Any, value: int) -> bytes:
        folded = rule.fold(value)
        return bytes([folded]) if folded < 256 else rule.long_form(folded)


class WholeWidth(_Integers):
    says = (
        "You used the marker for the whole width of the type. The marker follows the value: the "
        "first width that holds it."
    )
    kind = Marker

    @staticmethod
    def change(rule: Any, value: int) -> bytes:
        folded = rule.fold(value)
        if folded < rule.one_byte:
            return bytes([folded])
        marker, (_, size) = max(rule.rows.items())
        return bytes([marker]) + folded.to_bytes(size, rule.order)


class JustEnoughBytes(_Integers):
    says = (
        "You gave the number as few bytes as it needs. Behind a marker there are 2, 4, 8 or 16 "
        "bytes and nothing in between."
    )
    kind = Marker

    @staticmethod
    def change(rule: Any, value: int) -> bytes:
        data = rule.encode(value)
        return data[:1] + (data[1:].rstrip(b"\0") if len(data) > 1 else b"")


class MarkersForGroups(RuleBelief):
    says = (
        "You wrote bincode's varint, with a marker. postcard has no markers: seven bits of the "
        "number in each byte, and the top bit says that more follow."
    )

    def integer(self, t: IntType) -> Rule:
        return Marker(t) if t.bits > 8 else super().integer(t)


class GroupsForMarkers(RuleBelief):
    says = (
        "You wrote groups of seven bits, as postcard does. bincode writes up to 250 in one byte "
        "and puts a marker in front of larger numbers."
    )

    def integer(self, t: IntType) -> Rule:
        return Leb128(t) if t.bits > 8 else super().integer(t)


class HighGroupFirst(_Integers):
    says = (
        "You wrote the high group first. That is a format too, in music files for instance; "
        "LEB128 starts with the low group."
    )
    kind = Leb128

    @staticmethod
    def change(rule: Any, value: int) -> bytes:
        groups = [byte & 127 for byte in rule.encode(value)][::-1]
        return bytes([*(group | 128 for group in groups[:-1]), groups[-1]])


class FlagsForgotten(_Integers):
    says = (
        "The flags are missing. Each byte but the last needs its top bit, worth 128, or a reader "
        "would stop after the first."
    )
    kind = Leb128

    @staticmethod
    def change(rule: Any, value: int) -> bytes:
        return bytes(byte & 127 for byte in rule.encode(value))


class FlagsTurned(_Integers):
    says = (
        "You set the flag on the last byte. It means \u201cmore follow\u201d, so only the last has "
        "none."
    )
    kind = Leb128

    @staticmethod
    def change(rule: Any, value: int) -> bytes:
        return bytes(byte ^ 128 for byte in rule.encode(value))


class EightBitGroups(_Integers):
    says = (
        "You put eight bits of the number into each byte. One bit in eight is the flag, so a byte "
        "holds seven: 127 is the largest number in one."
    )
    kind = Leb128

    @staticmethod
    def change(rule: Any, value: int) -> bytes:
        folded = rule.fold(value)
        return folded.to_bytes(-(-folded.bit_length() // 8) or 1, "little")


# --- Archives -----------------------------------------------------------------------------------


class NoPadding(ArchiveRule):
    says = (
        "The padding is missing. In an archive a number stands at an offset that its width "
        "divides, so that it can be read where it is."
    )

    def padding(self, at: int, align: int) -> int:
        return 0


class FromTheDistance(ArchiveRule):
    says = (
        "You counted from where the distance is written. It counts from the beginning of the slot "
        "that it belongs to."
    )

    def base(self, slot: int, word: int) -> int:
        return word


class FromTheFront(ArchiveRule):
    says = (
        "You wrote where the text stands in the archive. A relative pointer is a distance, from "
        "the slot to the text."
    )

    def base(self, slot: int, word: int) -> int:
        return 0


class PlainLength(ArchiveRule):
    says = (
        "The mark is missing: the first byte of this length begins with the bits 10. By that a "
        "reader knows that the text is elsewhere."
    )

    def __init__(self) -> None:
        super().__init__()
        self.packed_length = Fixed(INTEGERS["u32"])


class ZeroFilledText(ArchiveBelief):
    says = (
        "You filled the slot of the text up with zeros. rkyv fills it up with `ff`, which occurs "
        "in no UTF-8 text."
    )

    def resolve(self, shape: Shape, at: int, value: Any, resolver: Any) -> None:
        super().resolve(shape, at, value, resolver)
        if isinstance(shape, Text) and resolver is None:
            self.out[at : at + INLINE] = value.encode().ljust(INLINE, b"\0")


class EveryTextElsewhere(ArchiveBelief):
    says = "You put the text elsewhere. A text of up to eight bytes stands in its slot itself."

    def serialize(self, shape: Shape, value: Any) -> Any:
        if not isinstance(shape, Text):
            return super().serialize(shape, value)
        self.out += value.encode()
        return len(self.out) - len(value.encode())
