"""One record, many images: the generator, the claim, what the bytes are for."""

from __future__ import annotations

import re
from dataclasses import replace

import msgspec

from bytewalk import fixtures
from bytewalk.formats import bincode, speedy
from bytewalk.quiz import misconceptions as m
from bytewalk.quiz.bank.common import bytes_at, shown, spelled
from bytewalk.quiz.draws import Draws
from bytewalk.quiz.kinds import Slip, Task, choose, find, number, write
from bytewalk.quiz.question import Chapter
from bytewalk.quiz.working import label, reasoned, subject, total
from bytewalk.records import Document, DocumentItem, DocumentMeta, Event, Fixture, Strings
from bytewalk.trace import Span

chapter = Chapter("01")
ask = chapter.ask
_ARTICLE = "*Rust: why Speedy outruns Bincode on Document*"


@ask(
    "01-same",
    "The same record elsewhere",
    "01-build",
    see=("chapter 01, *The same one everywhere*",),
)
def same(draws: Draws) -> Task | None:
    kind = "document" if draws.first else draws.pick(list(fixtures.KINDS))
    other = draws.pick([name for name in fixtures.KINDS if name != kind])
    seed, index = (42, 1) if draws.first else (draws.within(3, 90), draws.within(1, 9))

    def call(kind: str, seed: int, index: int) -> str:
        return f'`fixtures.make("{kind}", seed={seed}, index={index})`'

    mine = fixtures.make(kind, seed, index)
    calls = {
        (kind, index, seed): "Seed and index have changed places. They are two different numbers "
        "of the recipe.",
        (kind, seed + index, 0): "Seed and index are not added. Each goes into the recipe by "
        "itself.",
        (other, seed, index): "The kind belongs to the recipe too. It decides which fields are "
        "drawn.",
    }
    if any(fixtures.make(*arguments) == mine for arguments in calls):
        return None  # seed and index are the same number
    return choose(
        f"You show somebody the record of kind `{kind}`, seed {seed}, index {index}. They have "
        "another machine and another version of Python. Which call gives them your record?",
        call(kind, seed, index),
        [(call(*arguments), says) for arguments, says in calls.items()],
        draws,
        why="Kind, seed and index settle every step of the generator, on any machine.",
        steps=[
            "The generator is arithmetic on kind, seed and index, and asks nothing of the machine",
            "Each other call changes at least one of the three",
        ],
        hints=[
            "Three things go into the generator.",
            "All three have to be the same, and each in its own place.",
        ],
    )


@ask("01-rate", "From times to a rate", "01-claim", see=("chapter 01, *The claim*", _ARTICLE))
def rate(draws: Draws) -> Task:
    encode, decode = (88, 264) if draws.first else (draws.within(40, 300), draws.within(60, 600))

    def per_second(ns: float) -> float:
        return 1000 / ns

    whole = per_second(encode + decode)
    return number(
        f"A library encodes a record in {encode} ns and decodes it in {decode} ns. A cycle is one "
        "encoding and one decoding. How many million cycles a second is that? Give two digits "
        "behind the point.",
        whole,
        [
            (
                per_second(encode) + per_second(decode),
                "You added two rates. Times can be added, "
                "rates cannot: first the time of one cycle, then its inverse.",
            ),
            (
                (per_second(encode) + per_second(decode)) / 2,
                "You took the mean of two rates. First add the two times.",
            ),
            (
                encode + decode,
                "That is the time of one cycle in ns. How many fit into a second?",
            ),
            (
                round(10**9 / (encode + decode)),
                "That is the number in a second. The question asks for millions.",
            ),
            (per_second(encode), "You counted encodings only. A cycle decodes as well."),
            (per_second(decode), "You counted decodings only. A cycle encodes as well."),
        ],
        unit="million / s",
        places=2,
        why="The times of a cycle are added, and a second has a billion nanoseconds.",
        solution=reasoned(
            f"One cycle takes {encode} + {decode} = {encode + decode} ns",
            f"1,000,000,000 / {encode + decode} is {round(10**9 / (encode + decode)):,} a second",
            f"In millions, to two digits: {whole:.2f}",
            answer=f"{10**9 / (encode + decode) / 10**6:.2f}",
        ),
        hints=[
            "How many nanoseconds does one cycle take?",
            "A second has 10\u2079 of them.",
            f"One cycle takes {encode + decode} ns. Divide, and count in millions.",
        ],
    )


@ask(
    "01-open",
    "What a table can show",
    "01-claim",
    see=("chapter 01, *What the table leaves open*", _ARTICLE),
    varied=False,
)
def open_points(draws: Draws) -> Task:
    return choose(
        "A benchmark's table gives, for two libraries, one time for encoding, one for decoding, "
        "and a rate. It names no machine and no spread. Which of these can you check from the "
        "table alone?",
        "whether its rates follow from its times",
        [
            (
                "whether the gap is larger than the noise",
                "For that you need the spread of several "
                "runs, and the table gives one number per cell.",
            ),
            (
                "whether your machine would show the same gap",
                "A time belongs to a machine. Nobody "
                "can repeat one on a machine that is not named.",
            ),
            (
                "which part of the code makes the gap",
                "A time says how long, and not where. That takes counts and experiments.",
            ),
        ],
        draws,
        why="The time of a cycle is the sum of the two, and the rate its inverse. That is "
        "arithmetic.",
        hints=[
            "What would you need for each of the four that is not in the table?",
            "One of them is arithmetic on the numbers that are there.",
        ],
    )


@ask("01-find", "Where is it?", "01-map", "01-bytes", see=("chapter 01, *Where is the name?*",))
def where(draws: Draws) -> Task:
    item = (
        DocumentItem("pear", 250, 1_000)
        if draws.first
        else DocumentItem(draws.word(2, 6), draws.within(1, 90), draws.within(256, 90_000))
    )
    trace = speedy.trace(item)
    wanted = trace.spans[3] if draws.first else draws.pick(trace.spans[1:])
    slips = [
        (
            (wanted.start - 1, wanted.end - 1),
            "It is all one byte too early. The byte before it "
            "still belongs to its neighbour: where does that end?",
        ),
        (
            (wanted.start + 1, wanted.end + 1),
            "You counted from 1. The first byte of a message is byte 0.",
        ),
    ]
    slips += [
        ((span.start, span.end), f"There stands {label(span)}. Walk through the fields in order.")
        for span in trace.spans
        if span != wanted
    ]
    slips += (
        [
            (
                (wanted.start, wanted.start + 4),
                "It is wider. An `i64` takes eight bytes, even if most of them are zero.",
            )
        ]
        if wanted.end - wanted.start == 8
        else []
    )
    first, *rest = [slip for slip in slips if slip[0][1] <= len(trace.data)]
    return find(
        f"These are the bytes of {shown(item)} in Speedy. It has `sku: str`, `qty: i32` and "
        f"`price_minor: i64`. Which bytes are {subject(wanted)}?",
        trace,
        [wanted],
        [first, *rest],
        why="Nothing in the message says so. The type is the map.",
        solution=reasoned(
            *(f"{bytes_at(span.start, span.end)}: {subject(span)}" for span in trace.spans),
            answer=f"{wanted.start}-{wanted.end - 1}",
        ),
        hints=[
            "A text is its length in four bytes, then its letters.",
            "`i32` takes four bytes and `i64` eight, whatever they hold.",
            f"The text has {len(item.sku)} letters, so it ends before byte {4 + len(item.sku)}.",
        ],
    )


@ask("01-lengths", "Bytes that count", "01-bytes", see=("chapter 01, *Where 214 bytes go*",))
def lengths(draws: Draws) -> Task:
    items = 8 if draws.first else draws.within(2, 40)
    document = Document("a", 1, DocumentMeta("b", 2), [DocumentItem("c", 3, 4)] * items)
    counted = sum(
        span.end - span.start for span in speedy.trace(document).spans if span.role == "length"
    )
    return number(
        f"A document has an id, a region and {items} items, each with a `sku`: those are its "
        "texts. In Speedy a text and a list begin with a length of four bytes. How many bytes of "
        "the document are lengths?",
        counted,
        [
            (counted - 4, "You left out the list. It begins with the number of its items."),
            (
                4 * items,
                "You counted the items' texts only. The id and the region are texts as "
                "well, and the list has a count.",
            ),
            (items + 3, "That is the number of lengths. Each takes four bytes."),
            (
                2 * counted,
                "You gave each length eight bytes. Speedy counts in a `u32`, four bytes.",
            ),
        ],
        unit="bytes",
        why=f"{items + 2} texts and one list, four bytes each.",
        solution=total(
            [("The id", 4), ("The region", 4), ("The list", 4), (f"{items} items", 4 * items)]
        ),
        hints=[
            "How many texts are there?",
            "The list has a length too.",
            f"There are {items + 3} lengths, of four bytes each.",
        ],
    )


@ask("01-names", "The price of names", "01-map", see=("chapter 01, *With names: JSON*",))
def names(draws: Draws) -> Task:
    count = 2 if draws.first else draws.within(2, 12)
    items = [
        DocumentItem(draws.word(3, 5), draws.within(1, 99), draws.within(1, 9999))
        for _ in range(count)
    ]
    text = msgspec.json.encode(items)
    found = [len(name) for name in re.findall(rb'"\w+":', text)]
    fields = DocumentItem.__match_args__
    return number(
        f"As compact JSON one item is `{msgspec.json.encode(items[0]).decode()}`. A list holds "
        f"{count} such items. How many of its bytes are field names, "
        "each with its quotes and its colon?",
        sum(found),
        [
            (
                sum(found) - 3 * len(found),
                "Those are the letters of the names. Two quotes and a colon belong to each.",
            ),
            (
                sum(found) // count,
                "That is one item. JSON spells the names again in every item.",
            ),
            (len(text), "That is the whole list. Leave out the values."),
            (
                sum(found) + len(found),
                "You counted four signs for each name. There are two quotes "
                "and one colon; the comma belongs to the list.",
            ),
        ],
        unit="bytes",
        why="Every item spells its names again. The binary formats leave them in the program.",
        solution=total(
            [
                (
                    f"`{name}`, {count} times: {count} \u00d7 ({len(name)} + 3)",
                    count * (len(name) + 3),
                )
                for name in fields
            ]
        ),
        hints=[
            "Count one item first: three names.",
            "Each name costs its letters and three more.",
            "Every item of the list spells its names again.",
        ],
    )


@ask(
    "01-extra",
    "One byte more",
    "01-extra",
    see=("chapter 01, *121 or 122?*", "bincode 2.0.1 `src/features/serde/ser.rs`"),
)
def extra(draws: Draws) -> Task:
    records = [
        Strings([draws.word(1, 3) for _ in range(draws.within(1, 2))]),
        Document(draws.word(1, 2), draws.within(0, 5), DocumentMeta(draws.word(2, 2), 1), []),
        Event(draws.word(1, 2), draws.word(1, 2), draws.within(0, 90), draws.word(1, 2), []),
    ]
    record = records[1] if draws.first else draws.pick(records)
    kind = type(record).__name__
    variants = [name for name in vars(Fixture) if not name.startswith("_")]
    bare = bincode.encode(record)
    wrapped = fixtures.as_fixture(record)
    index = variants.index(kind)
    task = write(
        f"In bincode a small `{kind}` is {spelled(bare)}. The enum `Fixture` has the variants "
        f"{', '.join(variants)}, in this order. Write the bytes of the same record as a "
        "`Fixture`.",
        wrapped,
        bincode,
        [m.CountedFromOne, m.WideTags],
        slips=[
            (
                bare,
                "Those are the bytes of the bare record. An enum begins with the index of its "
                "variant.",
            ),
            (
                bare + bytes([index]),
                "The index stands in front of the record. A reader has to know the variant before "
                "it can read the rest.",
            ),
            (
                bytes([len(kind)]) + kind.encode() + bare,
                "You wrote the name of the variant. Its index is enough: the reader has the list.",
            ),
        ],
        why=f"{kind} is variant {index}, counted from 0, and one byte says so.",
        solution=reasoned(
            f"Counted from 0, {kind} has the index {index}",
            "A small number is one byte: " + spelled(bytes([index])),
            f"Behind it stands the bare record, {spelled(bare)}",
            answer=f"{index:02x} {bare.hex(' ')}",
        ),
        hints=[
            "What must a reader know before it can read the record?",
            "The first variant has the index 0.",
            "The bytes of the record stay as they are.",
        ],
    )
    # This chapter has no rules for the fields yet: feedback names the index and the rest.
    spans = (
        Span(0, 1, "", "tag", "", index, "the index of the variant, one byte"),
        Span(1, len(bare) + 1, "", "value", "", None, "the bare record, byte for byte"),
    )
    slips = (
        Slip(slip.answer, slip.says, (slip.parts[0], "".join(slip.parts[1:])) if slip.parts else ())
        for slip in task.slips
    )
    return replace(task, spans=spans, slips=tuple(slips))
