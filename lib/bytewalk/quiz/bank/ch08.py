"""Read in place: rkyv's slots, pointers and texts, and what its calls do."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import permutations
from typing import Any

from msgspec.structs import replace

from bytewalk import fixtures
from bytewalk.formats import bincode, rkyv, speedy
from bytewalk.quiz import misconceptions as m
from bytewalk.quiz.bank.common import bytes_at, shown, spelled
from bytewalk.quiz.draws import Draws
from bytewalk.quiz.kinds import (
    Slip,
    Task,
    Verdict,
    argue,
    choose,
    find,
    number,
    spell,
    verdict,
    write,
)
from bytewalk.quiz.question import Chapter
from bytewalk.quiz.working import label, plain, reasoned, solve, subject, total
from bytewalk.records import Document, DocumentItem, DocumentMeta, Event, EventAttr
from bytewalk.trace import Span, Trace
from bytewalk.types import i16, i32, i64, u16

chapter = Chapter("08")
ask = chapter.ask
_ARTICLE = "*Rust: why rkyv does not beat Speedy when you rebuild a `Document`*"
_SLOTS = "A text has a slot of 8 bytes, aligned to 4."


def _long_meta(draws: Draws, first: str, longest: int = 14) -> DocumentMeta:
    """A region that does not fit its slot. Each question begins with one of its own, so that none
    shows the answer of another."""
    if draws.first:
        return DocumentMeta(first, 3)
    return DocumentMeta(draws.word(9, longest), draws.within(1, 250))


def _spelled_meta(meta: DocumentMeta) -> str:
    return f'`DocumentMeta("{meta.region}", {meta.version})`'


@ask(
    "08-slot",
    "An item in its slot",
    "08-slot",
    see=("chapter 08, *One item*", "rkyv 0.8.17 `src/string/repr.rs`"),
)
def slot(draws: Draws) -> Task:
    item = (
        DocumentItem("plum", 7, 40)
        if draws.first
        else DocumentItem(draws.word(1, 6), draws.within(1, 99), draws.within(1, 250))
    )
    right = rkyv.to_bytes(item)
    text, gap = right[:8], right[12:16]
    return write(
        "An item has the fields `sku: str`, `qty: i32` and `price_minor: i64`. Write the bytes of "
        f"{shown(item)} in rkyv. In UTF-8 the text is {spelled(item.sku.encode())}.",
        item,
        rkyv,
        [m.NoPadding, m.ZeroFilledText, m.EveryTextElsewhere],
        slips=[
            (
                speedy.encode(item),
                "Those are Speedy's bytes. In rkyv a short text stands in a slot "
                "of eight bytes, without a length in front.",
            ),
            (
                item.sku.encode() + right[8:],
                "The slot of the text has eight bytes. The rest of it is filled up with `ff`.",
            ),
            (bincode.encode(item), "Those are bincode's bytes. rkyv writes no varints."),
            (
                [text, item.qty.to_bytes(4, "big"), gap, item.price_minor.to_bytes(8, "big")],
                m.OtherOrder.says,
            ),
            (
                [
                    text,
                    (2 * item.qty).to_bytes(4, "little"),
                    gap,
                    (2 * item.price_minor).to_bytes(8, "little"),
                ],
                "You folded the numbers with zigzag, as bincode does. rkyv writes a signed "
                "number at the width of its type, in two's complement.",
            ),
            (
                [text, bytes(4) + right[8:12], b"", right[16:]],
                "The padding stands in front of the wrong field. `qty` is aligned to 4 and can "
                "begin at byte 8. It is `price_minor` that has to wait for a multiple of 8.",
            ),
        ],
        why="The text fills its slot up with `ff`, and the `i64` stands at an offset that 8 "
        "divides.",
        hints=[
            "The slot of a text has 8 bytes. A short text stands in it, and `ff` fills the rest.",
            "At which offset may an `i64` begin?",
            "`qty` ends at byte 12, and 8 does not divide 12.",
        ],
    )


@ask(
    "08-elsewhere",
    "A text elsewhere",
    "08-root",
    "08-text",
    see=("chapter 08, *A long text stands elsewhere*", "rkyv 0.8.17 `src/string/repr.rs`"),
)
def elsewhere(draws: Draws) -> Task:
    meta = _long_meta(draws, "north-west")
    text = meta.region.encode()
    trace = rkyv.trace(meta)
    right = trace.data
    slot = len(right) - 12
    length, version = right[slot : slot + 4], right[-4:]

    def with_(pointer: bytes, version: bytes = version) -> list[bytes]:
        """The right fields but for these."""
        here = {"pointer": pointer, "value": version}
        return [here.get(span.role, right[span.start : span.end]) for span in trace.spans]

    return write(
        f"Write the archive of {_spelled_meta(meta)}, which has `region: str` and `version: i32`. "
        f"The text has {len(text)} bytes, {spelled(text)}. The slot of such a text is its length, "
        "a `u32` with the bits 10 at the top of its first byte, and then an `i32`: the distance "
        "from the slot to the text, which is negative, because the text stands in front.",
        meta,
        rkyv,
        [m.FromTheDistance, m.FromTheFront, m.PlainLength, m.NoPadding],
        slips=[
            *(
                (root + text, "What is pointed to is written first, and the root last.")
                for root in (right[slot:], length + _i32(12) + version)
            ),
            (
                with_(_i32(slot)),
                "The sign of the distance is wrong: the text stands in front of its slot.",
            ),
            (
                with_(_i32(-len(text))),
                "You counted the bytes of the text alone. The padding stands between the text and "
                "its slot as well.",
            ),
            (
                with_((-slot).to_bytes(4, "big", signed=True), meta.version.to_bytes(4, "big")),
                m.OtherOrder.says,
            ),
            (
                right[:slot] + right[slot + 4 : slot + 8] + length + version,
                "Length and distance have changed places. In the slot of a text the length comes "
                "first, in that of a list the distance.",
            ),
        ],
        why="First the text, then padding to 4, then the root, whose pointer leads back from the "
        "start of the slot.",
        hints=[
            "What stands first in an archive?",
            "Where does the slot begin, if it is aligned to 4?",
            f"The slot begins at byte {len(text) + -len(text) % 4}, and the text at byte 0.",
        ],
    )


def _i32(number: int) -> bytes:
    return number.to_bytes(4, "little", signed=True)


@ask(
    "08-length",
    "The slot of a long text",
    "08-text",
    see=("chapter 08, *A long text stands elsewhere*", "rkyv 0.8.17 `src/string/repr.rs`"),
)
def long_length(draws: Draws) -> Task | None:
    front, size = (9, 100) if draws.first else (draws.within(9, 40), draws.within(64, 420))
    whole = rkyv.trace(EventAttr("a" * front, "b" * size))
    (text,) = [span for span in whole.spans if (span.role, span.path) == ("text", "value")]
    at = len(whole.data) - 8
    spans = [
        replace(span, start=span.start - at, end=span.end - at, path="")
        for span in whole.spans
        if span.start >= at
    ]
    trace = Trace(whole.data[at:], spans, whole.value)
    length, pointer = trace.data[:4], trace.data[4:]
    low, high, distance = size % 64, size // 64, text.start - at

    def u32(number: int) -> bytes:
        return number.to_bytes(4, "little")

    slips = [
        (u32(size), m.PlainLength.says),
        (
            u32(size | 128),
            "You set the mark on the first byte of the plain number. The mark takes the two top "
            "bits of that byte, so only six bits of the length are in it. All the others follow "
            "behind it.",
        ),
        (
            u32(128 + low),
            "The first byte is right: the mark and the low six bits. The length has more bits, "
            "and they follow in the next bytes.",
        ),
        (
            bytes([128 + low]) + high.to_bytes(3, "big"),
            "The three bytes behind the first one are little endian as well.",
        ),
        (u32(size + 2**31), "The mark is at the top of the first byte, and not of the last."),
    ]
    if size >= 256:  # below, it is the same as to leave the other bits out
        slips.append(
            (
                u32(size & ~192 | 128),
                "You put the mark in place of two bits of the length. They are not lost: the first "
                "byte holds the low six bits, and all the others move on to the next bytes.",
            )
        )
    pointers = [
        (
            _i32(distance - 4),
            m.FromTheDistance.says,
        ),
        (_i32(-distance), "The sign of the distance is wrong: the text stands before its slot."),
        (
            _i32(-size),
            "You counted the bytes of the text alone. The distance leads over all that stands "
            "between the text and the slot.",
        ),
        (_i32(text.start), m.FromTheFront.says),
        (
            _i32(text.end - at),
            "You counted to the end of the text. The distance leads to its first byte.",
        ),
        (
            distance.to_bytes(4, "big", signed=True),
            "You wrote the distance in big endian. Its lowest byte comes first.",
        ),
    ]
    if len({length, *(wrong for wrong, _ in slips)}) <= len(slips):
        return None  # some of these beliefs write the same
    return spell(
        f"In an archive a text of {size} bytes stands at bytes {text.start} to {text.end - 1}, and "
        f"its slot begins at byte {at}. Write the eight bytes of the slot: the length, which "
        "shares its first byte with the mark, and then the distance.",
        trace,
        [
            *(([wrong, pointer], says) for wrong, says in slips),
            *(([length, wrong], says) for wrong, says in pointers),
            (
                pointer + length,
                "Length and distance have changed places. In the slot of a text the length comes "
                "first, in that of a list the distance.",
            ),
        ],
        why="Six bits of the length stand beside the mark, and the others behind it.",
        solution=solve(trace),
        hints=[
            "The first byte has the bits 10 at its top, worth 128, and then the low six bits of "
            "the length.",
            f"{size} = {high} \u00d7 64 + {low}. What is left over is in the first byte.",
            f"Behind the first byte stand three bytes for the {high}, little endian. The distance "
            f"leads from byte {at} back to byte {text.start}.",
        ],
    )


@ask(
    "08-distance",
    "How far back?",
    "08-root",
    "08-text",
    see=("chapter 08, *A long text stands elsewhere*", "rkyv 0.8.17 `src/rel_ptr.rs`"),
)
def distance(draws: Draws) -> Task:
    meta = _long_meta(draws, "old-harbour-street", 40)
    spans = rkyv.trace(meta).spans
    (pointer,) = [span for span in spans if span.role == "pointer"]
    (text,) = [span for span in spans if span.role == "text"]
    begins = pointer.start - 4
    return number(
        f"In the archive of {_spelled_meta(meta)} the text stands at bytes {text.start} to "
        f"{text.end - 1}. The slot of `region` begins at byte {begins}: four bytes of length, and "
        f"then, at byte {pointer.start}, the distance. Which number is the distance, in bytes?",
        pointer.value,
        [
            (
                text.start - pointer.start,
                "You counted from where the distance is written. It counts from the beginning of "
                "the slot.",
            ),
            (begins - text.start, "The sign is wrong: the text stands before the slot."),
            (
                text.start - text.end,
                "You counted the bytes of the text alone. The padding stands between the text and "
                "its slot as well.",
            ),
            (
                text.end - text.start,
                "That is the length of the text. The distance leads back from the slot, over "
                "padding if there is any.",
            ),
            (
                2**32 + pointer.value,
                "Those are the right bits, read as a number without a sign. A distance is an "
                "`i32`, and negative here.",
            ),
            (
                text.start,
                "That is where the text stands in the archive. A distance says how far it "
                "is from the slot.",
            ),
            (
                text.end - begins,
                "You counted to the end of the text. The distance leads to its first byte.",
            ),
            (
                text.start - len(rkyv.to_bytes(meta)),
                "You counted from the end of the archive. A "
                "reader finds the root from there; a distance counts from its slot.",
            ),
        ],
        unit="bytes",
        why="From the start of the slot back to the first byte of the text.",
        solution=reasoned(
            f"The slot begins at byte {begins}, the text at byte {text.start}",
            f"{text.start} \u2212 {begins} = {plain(text.start - begins)}",
            answer=text.start - begins,
        ),
        hints=[
            "The distance is what has to be added to the beginning of the slot.",
            "The text stands in front of the slot, so the distance is negative.",
            f"From byte {begins} back to byte {text.start}.",
        ],
    )


@ask(
    "08-inline",
    "Which texts are pointed to?",
    "08-text",
    see=("chapter 08, *A short text stands in its slot*", "rkyv 0.8.17 `src/string/repr.rs`"),
)
def inline(draws: Draws) -> Task | None:
    if draws.first:
        words = [
            "pear",
            "elderberry",
            "cr\u00e8mes",
            "m\u00f6venpic",
            "cherries",
            "fig",
            "grapefruit",
            "plum",
        ]
    else:
        words = [draws.word(3, 8) for _ in range(draws.within(3, 6))] + [
            draws.word(9, 12) for _ in range(draws.within(1, 3))
        ]
        words += [draws.word(7, 7) + "\u00e9", draws.word(8, 8)]
        words = draws.shuffled(words)
    elsewhere = sum(_points(word) for word in words)
    in_characters = sum(len(word) > 8 for word in words)
    from_eight = sum(len(word.encode()) >= 8 for word in words)
    counts = [elsewhere, in_characters, from_eight, len(words) - elsewhere, len(words), 0]
    if len(set(counts)) < len(counts):
        return None  # a wrong rule would lead to the right number, or two to the same
    return number(
        f"A record holds the texts {', '.join(f'`{word}`' for word in words)}. How many of them "
        "does rkyv put elsewhere and point to?",
        elsewhere,
        [
            (
                in_characters,
                "You counted characters. A letter with an accent takes two bytes.",
            ),
            (len(words), "Not all of them: a text of up to eight bytes stands in its slot."),
            (
                from_eight,
                "Eight bytes still fit the slot: it needs no room for an end.",
            ),
            (len(words) - elsewhere, "Those are the ones that stand in their slots."),
            (0, "Some of them have more than eight bytes."),
        ],
        unit="texts",
        why="Up to eight bytes of UTF-8 fit the slot.",
        solution=total(
            [
                (
                    f"`{word}`, {len(word) + sum(ord(letter) > 127 for letter in word)} bytes",
                    int(len(word) + sum(ord(letter) > 127 for letter in word) > 8),
                )
                for word in words
            ],
            "texts",
        ),
        hints=[
            "Count bytes: a letter with an accent has two.",
            "How many bytes has a slot? A text that fills it fits.",
        ],
    )


def _points(text: str) -> bool:
    return any(span.role == "pointer" for span in rkyv.trace(text).spans)


_RECORDS = (
    (
        ("urgent", "bool"),
        ("weight", "i32"),
        ("price_minor", "i64"),
        ("label", "str"),
        ("fresh", "bool"),
    ),
    (("qty", "i32"), ("sku", "str"), ("price_minor", "i64"), ("stock", "u16")),
    (("sent", "i64"), ("source", "str"), ("urgent", "bool")),
    (("height", "u16"), ("measured", "i64"), ("station", "str")),
    (("active", "bool"), ("price_minor", "i64"), ("sku", "str"), ("tax", "i32"), ("qty", "u16")),
    (("first", "u16"), ("total", "i64"), ("title", "str"), ("last", "u16")),
)
_TYPES = {"str": str, "i16": i16, "i32": i32, "i64": i64, "u16": u16, "bool": bool}
_ROOM = {"str": (8, 4), "i16": (2, 2), "i32": (4, 4), "i64": (8, 8), "u16": (2, 2), "bool": (1, 1)}
_Fields = Sequence[tuple[str, str]]  # names and types


def _size(fields: _Fields) -> int:
    """The slot of a record with these fields, as the codec lays it out."""
    same = tuple[tuple(_TYPES[wire] for _, wire in fields)]  # a tuple has the slot of a record
    value = tuple({"str": "A", "bool": True}.get(wire, 1) for _, wire in fields)
    return len(rkyv.to_bytes(value, same))


def _placed(fields: _Fields) -> tuple[int, int, int, list[str]]:
    """The same by hand: (where the last field begins, where it ends, the size, the steps)."""
    at = begin = 0
    steps = []
    for name, wire in fields:
        size, align = _ROOM[wire]
        begin = at + -at % align
        steps.append(f"`{name}` takes {size}, from offset {begin}")
        at = begin + size
    align = max(_ROOM[wire][1] for _, wire in fields)
    size = at + -at % align
    steps.append(f"They end at {at}. The size is a multiple of {align}: {size}")
    return begin, at, size, steps


@ask(
    "08-order",
    "The size of a slot",
    "08-slot",
    see=("chapter 08, *One item*", "rkyv 0.8.17 `rkyv_derive/src/archive/struct.rs`"),
)
def size_of_a_slot(draws: Draws) -> Task | None:
    fields = list(_RECORDS[0] if draws.first else draws.shuffled(draws.pick(_RECORDS)))
    declared = ", ".join(f"`{name}: {wire}`" for name, wire in fields)
    sort = draws.turn(["as declared", "another order", "a narrower type"])
    says = f"A record has the fields {declared}, in this order. {_SLOTS} "
    if sort == "another order":
        return _saved(says, fields)
    before = _size(fields)
    if sort == "a narrower type":
        says += f"As declared, the slot of this record has {before} bytes in rkyv. "
        place = next(n for n, (_, wire) in enumerate(fields) if wire == "i64")
        fields[place] = (fields[place][0], "i32")
        says += f"Now `{fields[place][0]}` becomes an `i32`. How many bytes does the slot have?"
    else:
        says += "How many bytes does the slot of this record have in rkyv?"
    begin, end, size, steps = _placed(fields)
    align = max(_ROOM[wire][1] for _, wire in fields)
    right = _size(fields)
    slips = [
        (
            sum(_ROOM[wire][0] for _, wire in fields),
            "The padding is missing. A field stands where its alignment divides the offset, "
            "and the whole is a multiple of the largest alignment.",
        ),
        (
            end,
            "The whole is a multiple of the largest alignment, so that the next item of a list "
            "is aligned as well.",
        ),
        (
            min(map(_size, permutations(fields))),
            "That is what the best order would need. The fields stand in the order of their "
            "declaration, and nothing sorts them.",
        ),
        *(
            [(8 * len(fields), "Not every field takes eight bytes.")]
            if 8 * len(fields) != size + align
            else []
        ),
        (
            size + align,
            "That is too much: padding brings a field to the next multiple and no further.",
        ),
    ]
    if sort == "a narrower type":
        slips += [
            (
                before - 4,
                "The field itself takes four bytes less, but the padding changes as well. Lay out "
                "the record anew.",
            ),
            (
                before,
                "Lay out the record anew. The largest alignment is another one now.",
            ),
        ]
    wrong = [n for n, _ in slips if n != right]
    if right == 8 * len(fields) or len(set(wrong)) < len(wrong):
        return None  # a wrong rule would lead to the right number, or two to the same
    return number(
        says,
        right,
        slips,
        unit="bytes",
        why="Each field begins at a multiple of its alignment, and the whole is a multiple of the "
        "largest one.",
        solution=reasoned(*steps, answer=size),
        hints=[
            "Place the fields one after another, each at a multiple of its alignment.",
            f"The last field, `{fields[-1][0]}`, begins at byte {begin}.",
            f"The whole is a multiple of {align}, the largest alignment in it.",
        ],
    )


def _saved(says: str, fields: _Fields) -> Task:
    """How much another order saves."""
    before = _size(fields)
    best = min(map(_size, permutations(fields)))
    least = sum(_ROOM[wire][0] for _, wire in fields)
    align = max(_ROOM[wire][1] for _, wire in fields)
    # By hand: the widest alignment first leaves no gap between fields, since all sizes are
    # multiples of their alignments.
    by_width = sorted(fields, key=lambda field: -_ROOM[field[1]][1])
    _, _, size, steps = _placed(by_width)
    return number(
        f"{says}The slot has {before} bytes in rkyv. How many bytes can another order save, at "
        "most?",
        before - best,
        [
            (
                before - least,
                "That would be all of the padding. The size has to stay a multiple of the largest "
                "alignment, whatever the order.",
            ),
            (best, "That is the size in the best order. How much less is it than before?"),
            (
                0,
                "Here another order does save something. Try the fields with the widest alignment "
                "first.",
            ),
            (
                align,
                "No order of these fields is smaller by so much."
                if align > before - best
                else "Another order saves more than that.",
            ),
            (
                2 * align,
                "No order of these fields is smaller by so much."
                if 2 * align > before - best
                else "Another order saves more than that.",
            ),
            (before, "Some bytes have to stay."),
        ],
        unit="bytes",
        why="An order can close the gaps between fields. The size stays a multiple of the largest "
        "alignment.",
        solution=reasoned(
            "With the widest alignment first no gap is left between the fields",
            *steps,
            f"{before} \u2212 {size} = {before - size}",
            answer=before - size,
        ),
        hints=[
            "Which order leaves no gap between two fields?",
            f"Without any padding the fields take {least} bytes.",
            f"The whole is a multiple of {align}, the largest alignment in it, in any order.",
        ],
    )


@ask(
    "08-back",
    "From a slot to its text",
    "08-text",
    "08-root",
    see=("chapter 08, *A long text stands elsewhere*", "rkyv 0.8.17 `src/string/repr.rs`"),
)
def back(draws: Draws) -> Task:
    if draws.first:
        attr, asked = EventAttr("harbour-street", "lighthouse"), "value"
    else:
        texts = draws.shuffled([draws.word(9, 14), draws.word(3, 14)])
        attr, asked = EventAttr(*texts), draws.turn(["value", "key"])
    whole = rkyv.trace(attr)
    trace = replace(whole, spans=[part for span in whole.spans for part in _unfilled(span)])
    texts = {span.path: span for span in trace.spans if span.role == "text"}
    wanted = texts.pop(asked)
    ((other, stranger),) = texts.items()
    slots = {"key": len(trace.data) - 16, "value": len(trace.data) - 8}
    at, size = slots[asked], len(getattr(attr, asked).encode())
    begin = at if size <= 8 else wanted.start
    first = trace.data[at]
    if size > 8:
        distance = wanted.start - at
        slips = [
            (
                (wanted.start + 4, wanted.end + 4),
                "You counted from where the distance is written. It counts from the beginning of "
                "the slot.",
            ),
            ((at, at + 8), f"That is the slot of `{asked}`. It says where the text stands."),
            (
                (wanted.start, wanted.end + -wanted.end % 4),
                "What follows the text is padding. The length says where the text ends.",
            ),
        ]
        steps = [
            f"The slot of `{asked}` begins at byte {at}: {spelled(trace.data[at : at + 8])}",
            f"Its first byte has the bits 10 at the top, so the text stands elsewhere. Its length "
            f"is {first} \u2212 128 = {first - 128}",
            f"The distance is {plain(distance)}: {at} \u2212 {-distance} = {at + distance}",
        ]
        begin, size = at + distance, first - 128
    else:
        slips = [
            (
                (at, at + 8),
                "The `ff` belong to the slot and not to the text: the first `ff` ends it.",
            ),
            ((slots[other], slots[other] + 8), f"That is the slot of `{other}`."),
        ]
        steps = [
            f"The slot of `{asked}` begins at byte {at}: {spelled(trace.data[at : at + 8])}",
            "Its first byte has no 10 at the top, so the text stands in the slot, up to the first "
            "`ff` or to the end",
        ]
    slips += [
        ((stranger.start, stranger.end), f"That is the text of `{other}`."),
        ((wanted.start + 1, wanted.end + 1), "You counted from 1. The first byte is byte 0."),
        ((slots[other], slots[other] + 8), f"That is the slot of `{other}`."),
    ]
    return find(
        "These are the bytes of an `EventAttr` in rkyv, which has `key: str` and `value: str`. "
        f"Begin at the root, and read the slot of `{asked}`. Which bytes are its text?",
        trace,
        [wanted],
        [slip for slip in slips if slip[0][1] <= len(trace.data)],
        why="The slot says how long the text is and where it stands, or holds it.",
        solution=reasoned(
            *steps, f"The text takes {size} bytes from byte {begin}", answer=_range(begin, size)
        ),
        hints=[
            "The root stands at the end: the slot of `key`, 8 bytes, and then that of `value`.",
            f"The slot of `{asked}` begins at byte {at}. Are the top bits of that byte 10?",
            f"Bits 10: the other six are the length, and the distance stands at byte {at + 4}, "
            f"counted from byte {at}. Other bits: the text stands here.",
        ],
    )


def _range(begin: int, size: int) -> str:
    return f"{begin}-{begin + size - 1}"


def _unfilled(span: Span) -> list[Span]:
    """A text in its slot without the bytes that fill the slot up, and those."""
    if span.role != "text" or "filled up" not in span.rule:
        return [span]
    end = span.start + len(span.value.encode())
    rule = "padding: `ff` fills the slot up"
    return [
        replace(span, end=end, rule=span.rule.partition(",")[0] + ", in the slot"),
        replace(span, start=end, role="padding", rule=rule),
    ]


# What a call does, and what those are told who take another one for it.
_CALLS = {
    "checks what can be wrong in the archive, copies nothing, and returns a view": {
        "`access`": "",
        "`access_unchecked`": "It returns a view and copies nothing, but it does not check.",
        "`from_bytes`": "It checks as well, but then it copies everything into an owned value.",
        "`to_bytes`": "It goes the other way, from a value to an archive, and checks no archive.",
    },
    "returns a view at once, without a check, and so is `unsafe`": {
        "`access_unchecked`": "",
        "`access`": "It returns a view as well, but checks first, and so it is not `unsafe`.",
        "`from_bytes`": "It checks first, and what it returns is an owned value and no view.",
        "`to_bytes`": "It returns an archive and no view.",
    },
    "checks the archive and builds an owned value from it": {
        "`from_bytes`": "",
        "`access`": "It checks as well, but it builds nothing: what it returns is a view.",
        "`access_unchecked`": "It does neither: no check, and no owned value, but a view.",
        "`to_bytes`": "It goes the other way, from a value to an archive.",
    },
    "builds an archive from a value": {
        "`to_bytes`": "",
        "`access`": "It starts from an archive that is there, and returns a view of it.",
        "`access_unchecked`": "It starts from an archive that is there, and returns a view of it.",
        "`from_bytes`": "It goes the other way, from an archive to an owned value.",
    },
    "reads nothing of an archive that it is given before a field is asked for": {
        "`access_unchecked`": "",
        "`access`": "It checks first. For that it reads all texts and all that points somewhere.",
        "`from_bytes`": "It reads what a check needs, and then all the rest to copy it.",
        "`to_bytes`": "It is given a value and no archive.",
    },
    "reads all texts in the archive of a document, but none of its prices": {
        "`access`": "",
        "`access_unchecked`": "It reads nothing before a field is asked for: it does not check.",
        "`from_bytes`": "It reads the prices too, since its owned value holds a copy of them.",
        "`to_bytes`": "It is given a value and no archive, and writes all the prices.",
    },
    "reads everything in an archive but the padding": {
        "`from_bytes`": "",
        "`access`": "It leaves out the numbers too: any bytes are some number, so a check has "
        "nothing to look for.",
        "`access_unchecked`": "It reads nothing before a field is asked for: it does not check.",
        "`to_bytes`": "It is given a value and no archive.",
    },
}


@ask(
    "08-calls",
    "Which call does it?",
    "08-calls",
    see=("chapter 08, *Three calls*", "rkyv 0.8.17 `src/api/high/checked.rs`"),
)
def calls(draws: Draws) -> Task:
    does = draws.turn(list(_CALLS))
    told = _CALLS[does]
    (name,) = [name for name, says in told.items() if not says]
    return choose(
        f"Which of rkyv's calls {does}?",
        name,
        [(other, says) for other, says in told.items() if says],
        draws,
        why=f"{name} {does}.",
        steps=[f"{other}: {says}" for other, says in told.items() if says],
        hints=[
            "Does it check? Does it copy?",
            "Two of the four return a view, one an owned value, and one an archive.",
        ],
    )


@ask("08-fate", "What does the check find?", "08-proof", see=("chapter 08, *Break some bytes*",))
def fate(draws: Draws) -> Task | None:
    meta = _long_meta(draws, "marketplace")
    data = bytearray(rkyv.to_bytes(meta))
    size = len(data)
    case = 2 if draws.first else draws.within(0, 3)
    letter = draws.within(1, len(meta.region) - 1)
    at, byte, words = [
        (size - 4, draws.within(1, 250), "the lowest byte of the version"),
        (letter, 0xFF, "a letter of the text"),
        (size - 8, draws.within(1, 100), "the lowest byte of the distance"),
        (size - 3, draws.within(1, 9), "the second byte of the version"),
    ][case]
    if data[at] == byte:
        byte += 1
    if byte == meta.version:
        return None  # alone it would be the version before the change
    data[at] = byte
    found = rkyv.trace_decode(bytes(data), DocumentMeta)
    alone = []
    if case == 3:
        alone = [
            (
                f"accepted {byte}",
                "That is the changed byte alone. The version is an `i32`, and this is the second "
                "of its bytes: it counts 256 times.",
            ),
            (
                f"accepted {byte * 256}",
                "The byte before it still counts as well: the version has four bytes.",
            ),
        ]
    if case in (0, 3):
        backwards = int.from_bytes(data[size - 4 :], "big", signed=True)
        alone.append(
            (
                f"accepted {backwards}",
                "You read the version in big endian. Its lowest byte is first.",
            )
        )
    told = [
        *alone,
        (
            f"accepted {meta.version}",
            "That was the version before the change."
            if case in (0, 3)
            else "`access` checks also the fields that you do not ask for.",
        ),
        (
            f"refused {at}",
            "Any four bytes are an `i32`. The check is about safe reading and not "
            "about the right value.",
        ),
        (
            f"refused {size - 12}",
            {
                1: "There the slot begins. It is as it was, and leads to the text.",
                2: "There the slot begins, with its length. Which of its two numbers does not fit?",
            }.get(case, "There the slot of the text begins, and nothing is wrong with it."),
        ),
        (
            "refused 0",
            {
                1: "There the text begins. Up to which byte is it UTF-8?",
                2: "The text is as it was. But does the distance still lead to it?",
            }.get(case, "There the text begins, and it is as it was."),
        ),
    ]
    if case in (0, 3):
        four = sum(b * 256**n for n, b in enumerate(data[size - 4 :]))
        working = reasoned(
            "Any four bytes are an `i32`", f"Here they say {plain(four)}", answer=f"accepted {four}"
        )
    elif case == 1:
        working = reasoned(
            "The whole text is checked, and `ff` occurs in no UTF-8 text", answer=f"refused {at}"
        )
    else:
        moved = byte - 256
        working = reasoned(
            f"The distance is now {plain(moved)}, counted from byte {size - 12}",
            f"{size - 12} \u2212 {-moved} is before the archive, so the distance, at byte {at}, is "
            "refused",
            answer=f"refused {at}",
        )
    return Verdict(
        prompt=f"The archive of {_spelled_meta(meta)} is {spelled(rkyv.to_bytes(meta))}: the text, "
        f"padding, length, distance, version. In it {words}, byte {at}, becomes `{byte:02x}`. Does "
        "our `access` accept the archive? If so, what is its `version`? If not, which byte does it "
        "refuse, counted from 0?",
        right=verdict(found, lambda decoded: decoded.version),
        why=f"In the words of the check: {found.error.reason}."
        if found.error
        else "The check finds nothing unsafe. It proves that the archive can be read, not that it "
        "is the right one.",
        slips=tuple(Slip(answer, says) for answer, says in told),
        solution=working,
        hints=(
            "What is checked in a text, and what in an `i32`?",
            "Where does the distance lead, counted from its slot?",
            f"The slot of the text begins at byte {size - 12}, the distance is at byte "
            f"{size - 8}, and the version at byte {size - 4}.",
        ),
        asks="The value of `version`",
    )


def _changed(draws: Draws) -> tuple[Any, Any, dict[str, int], str, list[tuple[Any, str]]]:
    """(value, type, the new number by role, what is done, the values that some expect, with what
    they are told)."""
    sort = draws.turn(["count less", "text on", "count more", "both", "text over", "items on"])
    if sort in ("text on", "text over"):
        size = 4 * draws.within(2, 4) + (draws.within(1, 3) if sort == "text on" else 4)
        text = draws.word(size, size)
        says = (
            "The text begins one letter later, and as it keeps its length, it ends one byte later"
        )
        return (
            text,
            str,
            {"pointer": 1 - size - -size % 4},
            f"the distance is changed from {plain(-size - -size % 4)} to "
            f"{plain(1 - size - -size % 4)}",
            [
                (text, "The text begins where the distance leads, and that is one byte on."),
                (text[1:], f"{says}."),
                (text[1:] + "\0", f"{says}, in the slot. No pointer may lead into that."),
                (text[1:] + text[:1], f"{says}. Nothing wraps round to the front."),
            ],
        )
    values = [draws.within(1, 99) for _ in range(draws.within(3, 5))]
    n = len(values)
    count, on = {"length": n - 1}, {"pointer": 4 - 4 * n}
    fewer = f"the count is changed from {n} to {n - 1}"
    further = f"the distance is changed from {plain(-4 * n)} to {plain(4 - 4 * n)}"
    if sort == "count less":
        return (
            values,
            list[i32],
            count,
            fewer,
            [
                (values, "The count says how many items there are, and nothing else does."),
                (values[1:], "The distance leads to item 0, as before. The last item is lost."),
                (values[:-1] + [0], "Nothing is overwritten. There is one item less."),
            ],
        )
    if sort == "count more":
        into = "The item behind the last one would be the first four bytes of the slot itself. "
        return (
            values,
            list[i32],
            {"length": n + 1},
            f"the count is changed from {n} to {n + 1}",
            [
                (values, "The count says how many items there are, and nothing else does."),
                ([*values, 0], f"{into}They are not 0, and no pointer may lead into its own slot."),
                ([*values, -4 * n], f"{into}That is what a pointer may not lead to."),
            ],
        )
    if sort == "both":
        return (
            values,
            list[i32],
            count | on,
            f"{further}, and {fewer}",
            [
                (values, "The distance and the count are all that leads to the items."),
                (
                    values[:-1],
                    "That is what the count alone would do. The distance leads to item 1.",
                ),
                (values[2:], "The items begin four bytes on, and an `i32` has four bytes."),
            ],
        )
    return (
        values,
        list[i32],
        on,
        further,
        [
            (values, "The distance is all that leads to the items."),
            (
                values[1:],
                f"The count still says {n}. The last item would be the first four bytes of the "
                "slot, which no pointer may lead to.",
            ),
            (
                [*values[1:], 4 - 4 * n],
                "The last of them would be the first four bytes of the slot itself, which no "
                "pointer may lead to.",
            ),
        ],
    )


@ask(
    "08-moved",
    "A pointer moved, a count changed",
    "08-proof",
    "08-root",
    see=("chapter 08, *Break some bytes*", "rkyv 0.8.17 `src/validation/archive/validator.rs`"),
)
def moved(draws: Draws) -> Task | None:
    value, type, new, what, expected = _changed(draws)
    trace = rkyv.trace(value, type)
    data = bytearray(trace.data)
    for span in trace.spans:
        if span.role in new:
            data[span.start : span.end] = _i32(new[span.role])
    found = rkyv.trace_decode(bytes(data), type)

    def told(value: Any) -> str:
        return "accepted: `" + json.dumps(value).replace("\\u0000", "\\0") + "`"

    right = "refused" if found.error else told(found.value)
    refused = (
        "refused",
        "What is read then stands in front of the slot, is aligned, and nobody else points to it. "
        "The check has nothing against it, though it is not what was written.",
    )
    wrong = [(told(value), says) for value, says in expected]
    answers = [right, *(answer for answer, _ in wrong)]
    if len({*answers, "refused"}) < 4 or len(set(answers[1:])) < len(wrong):
        return None
    kind = "text" if type is str else "list"
    of = "" if type is str else ", whose items are `i32`s,"
    slot = len(data) - 8
    parts = "padding, length, distance" if len(trace.spans) == 4 else "length, distance"
    parts = f"the text, {parts}" if type is str else "the items, distance, count"
    begin = slot + next(s.value for s in trace.spans if s.role == "pointer")
    leads = slot + new.get("pointer", begin - slot)
    size = len(value.encode()) if type is str else 4 * new.get("length", len(value))
    return choose(
        f"The archive of the {kind} `{json.dumps(value)}`{of} is {spelled(trace.data)}: {parts}. "
        f"In it {what}. What does `access` say?",
        right,
        [(answer, says) for answer, says in [refused, *wrong] if answer != right],
        draws,
        why=f"In the words of our check: {found.error.reason}."
        if found.error
        else "The check finds nothing unsafe. That these are other bytes than those that were "
        "written, it cannot know.",
        steps=[
            f"The slot begins at byte {slot}, and the distance leads to byte {leads}",
            f"From there on {size} bytes are wanted, up to byte {leads + size - 1}",
            f"Only what stands in front of byte {slot} may be pointed to, and that goes beyond it"
            if found.error
            else f"All of that stands in front of byte {slot}, where the slot begins",
        ],
        hints=[
            f"The slot begins at byte {slot}. Where does the distance lead then?",
            "How many bytes are read from there, and what stands in the last of them?",
            "A pointer may lead to anything in front of its slot that nobody else points to.",
        ],
    )


@ask(
    "08-address",
    "Where an archive may begin",
    "08-proof",
    see=(
        "chapter 08, *Alignment is part of the promise*",
        "rkyv 0.8.17 `src/validation/archive/validator.rs`",
    ),
)
def address(draws: Draws) -> Task | None:
    number = draws.within(1, 9_999)
    value, what, align = draws.turn(
        [
            (DocumentItem("pear", 3, number), "an item, whose `price_minor` is an `i64`", 8),
            (
                Document("d", 1, DocumentMeta("eu", 1), [DocumentItem("fig", 1, number)]),
                "a document. Its root is aligned to 4, and its list holds an item, whose "
                "`price_minor` is an `i64`",
                8,
            ),
            (DocumentMeta("eu", number), "a `DocumentMeta`, a text and an `i32`", 4),
            (
                Event("e", "sold", number, "shop", []),
                "an event, whose `occurred_at` is an `i64`",
                8,
            ),
        ]
    )
    widest = {8: "i64", 4: "i32"}[align]
    data = rkyv.to_bytes(value)
    good = 16 if draws.first else align * draws.within(1, 6)
    bad = [align // 2 * (2 * draws.within(0, 6) + 1) for _ in range(2)]
    bad.append(2 * draws.within(0, 20) + 1)
    if len({good, *bad}) < 4:
        return None

    def refused(front: int) -> bool:
        return rkyv.trace_decode(data, type(value), address=front).error is not None

    (accepted,) = [front for front in (good, *bad) if not refused(front)]
    return choose(
        "A program reads a message into a buffer that begins at a multiple of 16. In front of the "
        f"archive stand some bytes of its own. The archive is {what}. With how many bytes in front "
        "does `access` accept it?",
        f"{accepted} bytes",
        [
            (
                f"{front} byte{'' if front == 1 else 's'}",
                f"Then the archive begins at a multiple of 16 and {front} more, which {align} does "
                f"not divide. An `{widest}` that is read in place stands at a multiple of {align}.",
            )
            for front in bad
        ],
        draws,
        why=f"Behind them the archive begins at a multiple of {align}, as its `{widest}` demands.",
        steps=[
            f"The largest alignment anywhere in the archive is {align}, for the `{widest}`",
            *(f"{front} / {align} leaves {front % align}" for front in sorted([good, *bad])),
        ],
        hints=[
            "What is the largest alignment anywhere in the archive? Look into lists as well: the "
            "root does not tell.",
            "16 is a multiple of it. So the bytes in front have to be one as well.",
        ],
    )


@ask("08-find", "Find it in the root", "08-root", see=("chapter 08, *From the root backwards*",))
def find_it(draws: Draws) -> Task:
    meta = _long_meta(draws, "riverside-quay")
    trace = rkyv.trace(meta)
    spans = [span for span in trace.spans if span.role != "padding"]
    wanted = (
        next(span for span in spans if span.role == "pointer")
        if draws.first
        else draws.pick([span for span in spans if span.role != "text"])
    )
    names = {
        "pointer": "the distance that leads to the text",
        "length": "the length of the text",
        "value": "the version",
    }
    slips = [
        ((wanted.start + 1, wanted.end + 1), "You counted from 1. The first byte is byte 0."),
        (
            (wanted.start - 1, wanted.end - 1),
            "It is all one byte too early. Count back from the end: each of the three numbers has "
            "four bytes.",
        ),
    ]
    slips += [
        ((span.start, span.end), f"There stands {label(span)}.")
        for span in trace.spans
        if span != wanted
    ]
    slips.append(
        (
            (len(trace.data) - 12, len(trace.data) - 4),
            "That is the whole slot of the text: length and distance.",
        )
    )
    return find(
        f"These are the bytes of {_spelled_meta(meta)} in rkyv, with `region: str` and `version: "
        f"i32`. Which bytes are {names[wanted.role]}?",
        trace,
        [wanted],
        [slip for slip in slips if slip[0][1] <= len(trace.data)],
        why="The root stands at the end: the slot of the text, then the version.",
        solution=reasoned(
            *(f"{bytes_at(span.start, span.end)}: {subject(span)}" for span in trace.spans),
            answer=f"{wanted.start}-{wanted.end - 1}",
        ),
        hints=[
            "Begin at the end. What is the last field of the record?",
            "In front of it stands the slot of the text, 8 bytes.",
            "The slot holds the length first, and then the distance, four bytes each.",
        ],
    )


@ask(
    "08-article-1",
    "The second article's first question",
    "08-calls",
    see=(
        "chapter 08, *Three calls*",
        f"{_ARTICLE}, its first question",
        "rkyv 0.8.17 `src/api/high/checked.rs`",
    ),
    varied=False,
)
def first_question(draws: Draws) -> Task:
    return choose(
        "The article's program calls `rkyv::to_bytes` to encode and `rkyv::from_bytes` to decode. "
        "Which of the two reads an archive in place?",
        "neither: that would be `access` or `access_unchecked`",
        [
            (
                "`from_bytes`",
                "It checks the archive and then builds an owned value: a copy of everything in it.",
            ),
            ("`to_bytes`", "It writes an archive. Nothing is read."),
            (
                "both, because rkyv is a zero-copy library",
                "In place is what a call does, and not what a library is. `from_bytes` copies.",
            ),
        ],
        draws,
        why="`access` checks and returns a view, `access_unchecked` leaves the check out. The "
        "program calls neither, since it compares owned values.",
        steps=[
            "`to_bytes` builds an archive",
            "`from_bytes` checks it and builds an owned value",
            "A view of the bytes is what `access` and `access_unchecked` return",
        ],
        hints=[
            "Which of them returns an owned value?",
            "To read in place is to get a view of the bytes, and nothing that is built from them.",
        ],
    )


@ask(
    "08-article-2",
    "The second article's second question",
    "08-choice",
    "08-slot",
    see=("chapter 08, *When it pays* and *The 58 bytes*", f"{_ARTICLE}, its second question"),
    varied=False,
)
def second_question(draws: Draws) -> Task:
    document = fixtures.make("document", seed=42, index=0)
    sizes = [len(rkyv.to_bytes(document)), len(speedy.encode(document))]
    padding = sum(
        span.end - span.start for span in rkyv.trace(document).spans if span.role == "padding"
    )
    more = sizes[0] - sizes[1]
    return argue(
        f"rkyv's image of the document is {more} bytes larger than Speedy's, and encoding and "
        "rebuilding it takes longer. Why can rkyv still be the right library for a catalogue that "
        "is read field by field?",
        [
            f"Larger: of the {more} bytes {padding} are padding and {more - padding} are wider "
            "slots of texts and list",
            "Slower as timed: building the archive, a copy, a check, and then an owned value like "
            "everyone's",
            "Read in place, nothing is rebuilt and nothing allocated: a field is a load at an "
            "offset",
            "The check is made once for many reads, or left out for bytes that you trust",
            "What a program gains depends on how much of the data it reads",
        ],
        f"The archive has {more} bytes more, {padding} of padding and {more - padding} of slots, "
        "and the timed calls build it and then rebuild the document, so rkyv pays twice. A "
        "catalogue is not rebuilt. It is checked once, and then each field is read where it "
        "stands, however large the catalogue is, without a copy and without memory. That is what "
        "the slots and the padding are for.",
        hints=[
            "What does the timed decoding build?",
            "Who needs an owned value of a whole catalogue?",
        ],
    )


@ask(
    "08-article-3",
    "The second article's third question",
    "08-choice",
    see=("chapter 08, *What a benchmark can see*", f"{_ARTICLE}, its third question"),
    varied=False,
)
def third_question(draws: Draws) -> Task:
    return argue(
        "A benchmark of another library for reading in place times a call that makes an owned copy "
        "of the data. How is that the lesson of the rkyv article once more?",
        [
            "The format was made to be read in place, and the call that was timed does not do that",
            "The copy is charged to the format, and its benefit is never seen",
            "Such a time describes the call, and not the format",
            "It is still a fair answer for a program that needs an owned value",
        ],
        "Whoever times the copy measures the path of that call. A format for reading in place pays "
        "for its layout when it is written, and gets it back only where nobody makes a copy. Timed "
        "through a copy, it has the costs of both. For a program that wants the copy, the time is "
        "the right one; it just says nothing about reading in place.",
        hints=[
            "What was the format made for, and what did the timed call do?",
            "Who pays for the copy, and who would have gained from doing without one?",
        ],
    )
