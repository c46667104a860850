"""Read in place: rkyv's slots, pointers and texts, and what its calls do."""

from __future__ import annotations

from bytewalk import fixtures
from bytewalk.formats import rkyv, speedy
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
    verdict,
    write,
)
from bytewalk.quiz.question import Chapter
from bytewalk.quiz.working import label, plain, reasoned, subject, total
from bytewalk.records import DocumentItem, DocumentMeta, Event
from bytewalk.types import i32, i64, u16

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
                item.sku.encode() + rkyv.to_bytes(item)[8:],
                "The slot of the text has eight bytes. The rest of it is filled up with `ff`.",
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
    return write(
        f"Write the archive of {_spelled_meta(meta)}, which has `region: str` and `version: i32`. "
        f"The text has {len(text)} bytes, {spelled(text)}. The slot of such a text is its length, "
        "a `u32` with the bits 10 at the top of its first byte, and then an `i32`: the distance "
        "from the slot to the text, which is negative, because the text stands in front.",
        meta,
        rkyv,
        [m.FromTheDistance, m.FromTheFront, m.PlainLength, m.NoPadding],
        slips=[
            (
                rkyv.to_bytes(meta)[len(text) + -len(text) % 4 :] + text,
                "What is pointed to is written first, and the root last.",
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
        f"then, at byte {pointer.start}, the distance. Which number is the distance?",
        pointer.value,
        [
            (
                text.start - pointer.start,
                "You counted from where the distance is written. It counts from the beginning of "
                "the slot.",
            ),
            (begins - text.start, "The sign is wrong: the text stands before the slot."),
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
def inline(draws: Draws) -> Task:
    if draws.first:
        words = [
            "pear",
            "elderberry",
            "cr\u00e8mes",
            "m\u00f6venpic",
            "plums",
            "grapefruit",
            "raspberry",
        ]
    else:
        words = [draws.word(3, 8) for _ in range(3)] + [
            draws.word(9, 12) for _ in range(draws.within(1, 3))
        ]
        words += [draws.word(7, 7) + "\u00e9", draws.word(8, 8)]
        words = draws.shuffled(words)
    elsewhere = sum(_points(word) for word in words)
    return number(
        f"A record holds the texts {', '.join(f'`{word}`' for word in words)}. How many of them "
        "does rkyv put elsewhere and point to?",
        elsewhere,
        [
            (
                sum(len(word) > 8 for word in words),
                "You counted characters. A letter with an accent takes two bytes.",
            ),
            (len(words), "Not all of them: a text of up to eight bytes stands in its slot."),
            (
                sum(len(word.encode()) >= 8 for word in words),
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
    (("label", "str"), ("fresh", "bool"), ("price_minor", "i64"), ("weight", "i32")),
    (("sent", "i64"), ("source", "str"), ("urgent", "bool")),
    (("height", "u16"), ("measured", "i64"), ("station", "str")),
    (("active", "bool"), ("price_minor", "i32"), ("sku", "str")),
    (("first", "u16"), ("title", "str"), ("last", "u16")),
)
_TYPES = {"str": str, "i32": i32, "i64": i64, "u16": u16, "bool": bool}
_ROOM = {"str": (8, 4), "i32": (4, 4), "i64": (8, 8), "u16": (2, 2), "bool": (1, 1)}


@ask(
    "08-order",
    "Does another order help?",
    "08-slot",
    see=("chapter 08, *One item*", "rkyv 0.8.17 `rkyv_derive/src/archive/struct.rs`"),
)
def another_order(draws: Draws) -> Task:
    fields = _RECORDS[0] if draws.first else draws.shuffled(draws.pick(_RECORDS))
    same = tuple[tuple(_TYPES[wire] for _, wire in fields)]  # a tuple has the slot of a record
    value = tuple({"str": "A", "bool": True}.get(wire, 1) for _, wire in fields)
    at, steps = 0, []
    for name, wire in fields:
        size, align = _ROOM[wire]
        at += -at % align
        steps.append(f"`{name}` takes {size}, from offset {at}")
        at += size
    align = max(_ROOM[wire][1] for _, wire in fields)
    end = at + -at % align
    steps.append(f"They end at {at}. The size is a multiple of {align}: {end}")
    declared = ", ".join(f"`{name}: {wire}`" for name, wire in fields)
    return number(
        f"A record has the fields {declared}, in this order. {_SLOTS} How many bytes does the slot "
        "of this record have in rkyv?",
        len(rkyv.to_bytes(value, same)),
        [
            (
                sum(_ROOM[wire][0] for _, wire in fields),
                "The padding is missing. A field stands where its alignment divides the offset, "
                "and the whole is a multiple of the largest alignment.",
            ),
            (
                at,
                "The whole is a multiple of the largest alignment, so that the next item of a list "
                "is aligned as well.",
            ),
            (
                len(speedy.encode(value, same)),
                "That is the size in Speedy. In rkyv a short text takes its slot of eight bytes.",
            ),
            (8 * len(fields), "Not every field takes eight bytes."),
            (
                end + align,
                "That is too much: padding brings a field to the next multiple and no further.",
            ),
        ],
        unit="bytes",
        why="The size of a record is a multiple of its largest alignment, whatever the order.",
        solution=reasoned(*steps, answer=end),
        hints=[
            "Place the fields one after another, each at a multiple of its alignment.",
            f"The fields end at byte {at}.",
            f"The whole is a multiple of {align}, the largest alignment in it.",
        ],
    )


_CALLS = {
    "`access`": "checks what can be wrong in the archive, copies nothing, and returns a view",
    "`access_unchecked`": "returns a view at once, without a check, and so it is `unsafe`",
    "`from_bytes`": "checks the archive and builds an owned value from it",
    "`to_bytes`": "builds an archive from a value",
}


@ask(
    "08-calls",
    "Which call does it?",
    "08-calls",
    see=("chapter 08, *Three calls*", "rkyv 0.8.17 `src/api/high/checked.rs`"),
)
def calls(draws: Draws) -> Task:
    name = draws.turn(list(_CALLS))
    return choose(
        f"Which of rkyv's calls {_CALLS[name]}?",
        name,
        [(other, f"{other} {does}.") for other, does in _CALLS.items() if other != name],
        draws,
        why=f"{name} {_CALLS[name]}.",
        steps=[f"{other} {does}" for other, does in _CALLS.items()],
        hints=[
            "Does it check? Does it copy?",
            "Two of the four return a view, one an owned value, and one an archive.",
        ],
    )


@ask("08-fate", "What does the check find?", "08-proof", see=("chapter 08, *Break some bytes*",))
def fate(draws: Draws) -> Task:
    meta = _long_meta(draws, "marketplace")
    data = bytearray(rkyv.to_bytes(meta))
    size = len(data)
    case = 0 if draws.first else draws.within(0, 3)
    letter = draws.within(1, len(meta.region) - 1)
    at, byte, words = [
        (size - 4, draws.within(1, 250), "the lowest byte of the version"),
        (letter, 0xFF, "a letter of the text"),
        (size - 8, draws.within(1, 100), "the lowest byte of the distance"),
        (size - 3, draws.within(1, 9), "the second byte of the version"),
    ][case]
    if data[at] == byte:
        byte += 1
    data[at] = byte
    found = rkyv.trace_decode(bytes(data), DocumentMeta)
    told = [
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
        "`access` accept the archive? If so, what is its `version`? If not, which byte does it "
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
            f"The alignment of the root is the largest in it: {align}, for the `{widest}`",
            *(f"{front} / {align} leaves {front % align}" for front in sorted([good, *bad])),
        ],
        hints=[
            "Which alignment has the root? It is the largest of its fields'.",
            "16 is a multiple of it. So the bytes in front have to be one as well.",
        ],
    )


@ask("08-find", "Find the pointer", "08-root", see=("chapter 08, *From the root backwards*",))
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
            "It is all one byte too early. Mind the padding in front of the slot.",
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
