"""Seven bits at a time: LEB128, its limits, and three images side by side."""

from __future__ import annotations

from typing import Any

from bytewalk import fixtures, measure
from bytewalk.formats import bincode, postcard, speedy
from bytewalk.quiz import misconceptions as m
from bytewalk.quiz.bank.common import (
    FIELDS,
    counted_characters,
    fixed_lengths,
    item_of,
    speedys,
    spelled,
    write_item,
)
from bytewalk.quiz.draws import Draws
from bytewalk.quiz.kinds import (
    Slip,
    Task,
    Verdict,
    argue,
    choose,
    number,
    sort,
    verdict,
    write,
)
from bytewalk.quiz.question import Chapter
from bytewalk.quiz.working import Solution, plain, reasoned
from bytewalk.records import DocumentItem
from bytewalk.types import Record, i8, i16, u8, u16, u32, u64

chapter = Chapter("04")
ask = chapter.ask
_TURNED = (
    "You turned the bytes round. The low group comes first, and the flag is on every byte but the "
    "last: a reader would stop after your first."
)
_CRATE = "postcard 1.1.3 `src/varint.rs`"


@ask("04-groups", "Groups of seven", "04-write", see=("chapter 04, *Write it and read it*", _CRATE))
def groups(draws: Draws) -> Task:
    value = (
        1_000
        if draws.first
        else draws.pick(
            [
                draws.within(129, 16_383),
                draws.within(129, 16_383),
                draws.within(16_385, 99_999),
            ]
        )
    )
    return write(
        f"Write the `u32` {value:,} in postcard, in hexadecimal. In base 128 its digits, the "
        f"highest first, are {', '.join(map(str, _digits(value)[::-1]))}.",
        value,
        postcard,
        [
            m.HighGroupFirst,
            m.FlagsForgotten,
            m.FlagsTurned,
            m.EightBitGroups,
            m.MarkersForGroups,
            m.EverythingFolded,
            m.FixedWidths,
        ],
        slips=[(postcard.encode(value, u32)[::-1], _TURNED)],
        type=u32,
        why="The lowest digit comes first, and every byte but the last carries the flag.",
        hints=[
            "Which digit comes first?",
            "The flag is worth 128: add it to each digit but the last.",
            f"The first byte is {_digits(value)[0]} + 128 = {_digits(value)[0] + 128}.",
        ],
    )


def _digits(value: int) -> list[int]:
    """In base 128, the lowest first."""
    digits = [value % 128]
    while value := value // 128:
        digits.append(value % 128)
    return digits


@ask("04-edge", "128 and its like", "04-write", see=("chapter 04, *One bit in eight*", _CRATE))
def edge(draws: Draws) -> Task:
    value = 128 if draws.first else draws.within(128, 255)
    return write(
        f"Write the `u16` {value} in postcard, in hexadecimal.",
        value,
        postcard,
        [
            m.EightBitGroups,
            m.HighGroupFirst,
            m.FlagsForgotten,
            m.FlagsTurned,
            m.EverythingFolded,
            m.MarkersForGroups,
            m.FixedWidths,
        ],
        slips=[(postcard.encode(value, u16)[::-1], _TURNED)],
        type=u16,
        why=f"{value} is {value // 128} \u00d7 128 + {value % 128}, so it takes two groups.",
        hints=[
            "What is the largest number of seven bits?",
            "Split it: how many 128s, and what remains?",
            "What remains is the first group, and it carries the flag, worth 128.",
        ],
    )


@ask("04-read", "Read the groups", "04-write", see=("chapter 04, *Write it and read it*", _CRATE))
def read(draws: Draws) -> Task:
    value = (
        411
        if draws.first
        else draws.pick(
            [
                draws.within(129, 16_383),
                draws.within(16_400, 99_999),
            ]
        )
    )
    data = postcard.encode(value, u32)
    rest = bytes([draws.within(1, 90)])
    digits = [byte % 128 for byte in data]
    return number(
        f"In a message of postcard a `u32` begins at {spelled(data + rest)}. Which number is it? "
        "The last byte may belong to the next field.",
        postcard.decode(data + rest, u32),
        [
            (
                sum(d * 128**n for n, d in enumerate(reversed(digits))),
                "You took the first group for the highest. The low group comes first.",
            ),
            (
                int.from_bytes(data, "little"),
                "You read whole bytes. The top bit of a byte is the "
                "flag, and only seven bits belong to the number.",
            ),
            (
                sum(d * 256**n for n, d in enumerate(digits)),
                "A further group is worth 128 times as much as the one before it, not 256 times.",
            ),
            (digits[0], "That is the first group alone. Its flag says that more follow."),
            (
                sum(d * 128**n for n, d in enumerate([*digits, rest[0]])),
                "You read one byte too many. The first byte without a flag is the last.",
            ),
            (
                data[0] + 128 * digits[1],
                "The flag of the first byte is not a part of the number: subtract 128.",
            ),
        ],
        why="Each further group is worth 128 times as much, up to the first byte without a flag.",
        solution=_read(data + rest),
        hints=[
            "Which bytes have their top bit set? The first without it is the last of the number.",
            "Take 128 from each byte that has the flag.",
            "The first group counts once, the second 128 times, a third 16,384 times.",
        ],
    )


def _read(data: bytes) -> Solution:
    size = next(n for n, byte in enumerate(data, 1) if byte < 128)
    digits = [byte % 128 for byte in data[:size]]
    result = sum(digit * 128**n for n, digit in enumerate(digits))
    return reasoned(
        f"`{data[size - 1]:02x}` is the first byte without a flag, so {size} bytes belong to it",
        f"Without their flags they are {', '.join(map(str, digits))}",
        " + ".join(f"{digit} \u00d7 128^{n}" if n else str(digit) for n, digit in enumerate(digits))
        + f" = {plain(result)}",
        answer=result,
    )


class Reading(Record):
    """A record of small and wider integers."""

    offset: i8
    level: u8
    change: i16
    count: u16


@ask(
    "04-mixed",
    "Folded, grouped, or raw",
    "04-types",
    see=(
        "chapter 04, *Signed numbers, and what stays raw*",
        "postcard 1.1.3 `src/ser/serializer.rs`",
    ),
)
def mixed(draws: Draws) -> Task:
    value = (
        Reading(-1, 200, -3, 300)
        if draws.first
        else Reading(
            -draws.within(1, 60),
            draws.within(128, 255),
            -draws.within(1, 60),
            draws.within(128, 999),
        )
    )
    return write(
        "A record has the fields `offset: i8`, `level: u8`, `change: i16` and `count: u16`. They "
        f"hold {plain(value.offset)}, {value.level}, {plain(value.change)} and {value.count}. "
        "Write its bytes in postcard.",
        value,
        postcard,
        [
            m.AlwaysVarint,
            m.NoZigzag,
            m.EverythingFolded,
            m.EightBitGroups,
            m.HighGroupFirst,
            m.FoldedOneTooHigh,
            m.SignLost,
            m.FixedWidths,
            m.FieldsTurned,
            m.FieldsCounted,
        ],
        why="The two of 8 bits are copied, the `i16` is folded and grouped, the `u16` is grouped.",
        hints=[
            "Which of the four fields take exactly one byte, whatever they hold?",
            "Only signed numbers wider than a byte are folded.",
            f"`change` has the place {-2 * value.change - 1}.",
        ],
    )


@ask(
    "04-item",
    "The harder item",
    "04-write",
    "04-types",
    see=("chapter 04, *One item, then a harder one*",),
)
def item(draws: Draws) -> Task:
    value = DocumentItem("\u00e9", -70, 300) if draws.first else item_of(draws)
    return write(
        write_item(value, "postcard"),
        value,
        postcard,
        [
            m.NoZigzag,
            counted_characters(value, "postcard"),
            m.MarkersForGroups,
            m.HighGroupFirst,
            m.FlagsForgotten,
            m.FlagsTurned,
            m.EightBitGroups,
            m.FoldedOneTooHigh,
            m.SignLost,
            m.TwosComplement,
            m.EverythingFolded,
            m.FixedWidths,
            m.NoLengths,
            *fixed_lengths("bincode's are eight bytes with `legacy()`."),
            m.Terminated,
            m.TextTurned,
        ],
        slips=[speedys(value)],
        why="The length is grouped, the two numbers are folded and then grouped.",
        hints=[
            "Fold the two signed numbers first. The length has no sign.",
            f"Their places are {plain(-2 * value.qty - 1)} and {plain(2 * value.price_minor)}.",
            "127 is the largest number in one byte; a larger one takes groups of seven bits.",
        ],
    )


_LAST = {"u16": (u16, 3, 0x03), "u32": (u32, 5, 0x0F), "u64": (u64, 10, 0x01)}


@ask(
    "04-fate",
    "How long may it get?",
    "04-limits",
    see=("chapter 04, *How long may a number get?*", "postcard 1.1.3 `src/de/deserializer.rs`"),
)
def fate(draws: Draws) -> Task:
    wire = "u16" if draws.first else draws.pick(["u16", "u16", "u32"])
    t, most, top = _LAST[wire]
    small = 5 if draws.first else draws.within(1, 90)
    case = draws.turn([3, 4, 2, 1, 0])
    data = [
        bytes([small | 128] + [128] * (most - 2) + [0]),  # as long as it may be
        bytes([255] * (most - 1) + [top + draws.within(1, 9)]),  # more than the last may hold
        bytes(
            [
                small | 128,
                *[128] * (draws.within(1, most - 2)),
            ]
        ),  # cut short
        bytes([small | 128] + [128] * (most - 1) + [0]),  # one byte too long
        bytes([small | 128, 0]),  # longer than needed
    ][case]
    found = postcard.trace_decode(data, t)
    working = _judged(data, wire, most, top)
    return Verdict(
        prompt=f"postcard reads {spelled(data)} as a `{wire}`. Does it accept these bytes? If so, "
        "as which number? If not, at which byte does it stop, counted from 0? (Where bytes run "
        f"out, it stops at the end, byte {len(data)}.)",
        right=verdict(found),
        why=f"In the decoder's words: {found.error.reason}."
        if found.error
        else "Longer than needed is accepted, within the most bytes of the type.",
        slips=tuple(Slip(*pair) for pair in _fates(data, wire, most, top, small)[case]),
        solution=working,
        hints=(
            "Which byte is the first without a flag? There the number ends, if it gets so far.",
            f"How many groups of seven bits may a `{wire}` have?",
            f"Byte {most - 1} is the last that a `{wire}` may have. It holds at most `{top:02x}`.",
        ),
        asks="The number",
    )


def _fates(data: bytes, wire: str, most: int, top: int, small: int) -> list[list[tuple[str, str]]]:
    """For each case of the question what readers may say, and what to say to them."""
    last = len(data) - 1
    begins = ("refused 0", "The first byte is a fine beginning: seven bits and a flag.")
    ends = (f"refused {len(data)}", "No byte is missing: the last one has no flag.")
    flag = (f"accepted {data[0]}", "The flag is no part of the number. Subtract its 128.")
    fits = f"Byte {most - 1} is the last that a `{wire}` may have, and it holds at most `{top:02x}`"
    return [
        [  # as long as it may be
            ("refused 1", "Groups of zero do no harm: longer than needed is accepted."),
            begins,
            ends,
            flag,
            (f"refused {last}", f"That byte may stand there. {fits}."),
        ],
        [  # more than the last byte may hold
            (
                f"accepted {sum(byte % 128 * 128**n for n, byte in enumerate(data))}",
                f"That is what the groups say, and more than a `{wire}` can hold.",
            ),
            (
                f"accepted {2 ** int(wire[1:]) - 1}",
                "A decoder does not cut a number down to its type. It refuses.",
            ),
            begins,
            ends,
            ("refused 1", f"That byte may stand there: it is not yet the last. {fits}."),
        ],
        [  # cut short
            (
                f"accepted {small}",
                "Every byte here has a flag, so one more has to follow, and none does.",
            ),
            flag,
            *(
                (
                    f"refused {at}",
                    "That byte may stand there. Its flag says that one more follows. The decoder "
                    "stops where that one is missing.",
                )
                for at in range(len(data))
            ),
        ],
        [  # one byte too long
            (
                f"accepted {small}",
                "The number would fit. But the type limits how many bytes there may be.",
            ),
            (f"refused {last}", f"The decoder stops before it. {fits}, without a flag."),
            (f"refused {len(data)}", f"The decoder stops before the end. {fits}, without a flag."),
            begins,
            ("refused 1", f"Groups of zero do no harm by themselves. {fits}, without a flag."),
        ],
        [  # longer than needed
            ("refused 1", "A last group of zero does no harm: longer than needed is accepted."),
            begins,
            ends,
            flag,
        ],
    ]


def _judged(data: bytes, wire: str, most: int, top: int) -> Solution:
    limits = f"A `{wire}` has at most {most} bytes, and the last holds at most `{top:02x}`"
    for at, byte in enumerate(data):
        if at == most - 1 and byte > top:
            return reasoned(
                limits,
                f"Byte {at} is the last that may be, and `{byte:02x}` is more",
                answer=f"refused {at}",
            )
        if byte < 128:
            number = sum(byte % 128 * 128**n for n, byte in enumerate(data[: at + 1]))
            return reasoned(
                limits,
                f"Byte {at} has no flag and ends the number: {plain(number)}",
                answer=f"accepted {number}",
            )
    return reasoned(
        limits,
        f"Each of the {len(data)} bytes has a flag, and the next one is missing",
        answer=f"refused {len(data)}",
    )


@ask("04-shortest", "Who takes the fewest?", "04-win", see=("chapter 04, *bincode or postcard?*",))
def shortest(draws: Draws) -> Task:
    more = draws.within(1, 99)
    value = (
        200
        if draws.first
        else draws.pick(
            [
                draws.within(1, 127),
                draws.within(128, 250),
                draws.within(251, 16_383),
                draws.within(16_384, 65_535),
                draws.within(65_536, 2_000_000),
                2**64 - more,
                2**35 + more,
            ]
        )
    )
    written = {
        2**64 - more: f"2\u2076\u2074 \u2212 {more}",
        2**35 + more: f"2\u00b3\u2075 + {more}",
    }
    sizes = {
        name: len(format.encode(value, u64))
        for name, format in (("Speedy", speedy), ("bincode", bincode), ("postcard", postcard))
    }
    least = min(sizes.values())
    groups = -(-value.bit_length() // 7)
    marked = 1 if value <= 250 else 1 + next(n for n in (2, 4, 8) if value < 256**n)
    how = {
        "Speedy": "8 bytes, the width of the type",
        "bincode": "one byte, up to 250" if marked == 1 else f"a marker and {marked - 1} bytes",
        "postcard": f"{groups} byte{'s' if groups > 1 else ''}, for {value.bit_length()} bits in "
        "groups of seven",
    }
    told = {
        (name,): f"{name} takes {how[name]}. Another one takes "
        f"{'fewer' if sizes[name] > least else 'as many'}."
        for name in sizes
    }
    told["bincode", "postcard"] = (
        "They do take equally many, but Speedy takes fewer."
        if sizes["bincode"] == sizes["postcard"]
        else "They do not take equally many. A marker costs a byte at once, flags cost a bit in "
        "every byte."
    )
    words = {
        ("Speedy",): "Speedy alone",
        ("bincode",): "bincode alone",
        ("postcard",): "postcard alone",
        ("bincode", "postcard"): "bincode and postcard, with equally many",
    }
    right = tuple(name for name, size in sizes.items() if size == least)
    return choose(
        f"A field is a `u64` and holds {written.get(value, f'{value:,}')}. Which library writes it "
        "in the fewest bytes?",
        words[right],
        [(text, told[who]) for who, text in words.items() if who != right],
        draws,
        why="In bytes: " + ", ".join(f"{name} {size}" for name, size in sizes.items()) + ".",
        steps=[f"{name}: {text}" for name, text in how.items()],
        hints=[
            f"How many bits does the number have? This one has {value.bit_length()}.",
            "bincode: one byte up to 250, and above that a marker and 2, 4 or 8 bytes.",
            "postcard: one byte for every seven bits.",
        ],
    )


@ask(
    "04-order",
    "Four images of one item",
    "04-align",
    see=("chapter 04, *Three images of one document*",),
)
def images(draws: Draws) -> Task | None:
    letters = 4 if draws.first else draws.pick([draws.within(2, 9), draws.within(251, 400)])
    qty = draws.pick(
        [draws.within(65, 125), draws.within(126, 5_000), draws.within(40_000, 90_000)]
    )
    price = draws.pick([draws.within(130, 9_000), draws.within(40_000, 90_000), 2**31 + qty])
    value = DocumentItem("x" * letters, qty, price)
    formats = {
        "Speedy": speedy,
        "bincode": bincode,
        "bincode with `legacy()`": bincode.legacy(),
        "postcard": postcard,
    }
    sizes = {name: len(format.encode(value)) for name, format in formats.items()}
    if len(set(sizes.values())) < len(sizes):
        return None  # equal sizes have no order
    ranked = sorted(sizes, key=sizes.__getitem__)
    return sort(
        f"{FIELDS} One has a `sku` of {letters} ASCII letters, a `qty` of {qty:,} and a "
        f"`price_minor` of {price:,}. Sort its four images by their size, fewest bytes first.",
        [(name, _WIDTHS[name]) for name in ranked],
        draws,
        why="In bytes: " + ", ".join(f"{name} {sizes[name]}" for name in ranked) + ".",
        worked=[
            "Length, text, `qty` and `price_minor`, in bytes:",
            *(f"{name}: {_summed(formats[name], value)}" for name in ranked),
        ],
        hints=[
            "The text costs the same in all four, so compare the lengths and the two numbers.",
            "How wide is a length in Speedy, and how wide in `legacy()`?",
            f"Folded, the two numbers are {2 * qty:,} and {2 * price:,}.",
        ],
    )


_WIDTHS = {
    "Speedy": "Its length takes 4 bytes and its numbers 4 and 8, whatever they hold.",
    "bincode": "Above 250 a number takes a marker and 2, 4 or 8 bytes; the two signed ones are "
    "folded first.",
    "bincode with `legacy()`": "Its length takes 8 bytes and its numbers 4 and 8, whatever they "
    "hold.",
    "postcard": "A number takes a byte for every seven bits; the two signed ones are folded first.",
}


def _summed(format: Any, value: DocumentItem) -> str:
    """The sizes of the fields and their sum."""
    sizes = [span.end - span.start for span in format.trace(value).spans]
    return f"{' + '.join(map(str, sizes))} = {sum(sizes)}"


@ask(
    "04-difference",
    "One value, three prices",
    "04-align",
    see=("chapter 04, *Three images of one document*",),
)
def difference(draws: Draws) -> Task:
    document = fixtures.make("document", seed=42, index=0)
    before = {format: len(format.encode(document)) for format in (bincode, postcard)}
    new = (
        64
        if draws.first
        else draws.pick(
            [
                draws.within(64, 125),
                draws.within(126, 8_191),
                draws.within(8_192, 32_767),
                draws.within(32_768, 900_000),
            ]
        )
    )
    document.items[0].qty, was = new, document.items[0].qty
    grown = {format: len(format.encode(document)) - size for format, size in before.items()}
    groups = -(-(2 * new).bit_length() // 7)
    plain_groups = -(-new.bit_length() // 7)
    return number(
        f"The first quantity of the document of seed 42 is {was}, an `i32`. It becomes {new:,}. By "
        "how many bytes does the document grow in postcard?",
        grown[postcard],
        [
            (groups, "You counted the new bytes. One of them was there before."),
            (
                plain_groups - 1,
                f"Fold it first. {new:,} has place {2 * new:,}, and that is the "
                "number which is written.",
            ),
            (
                grown[bincode],
                "That is bincode's growth. postcard has no markers: it takes a byte "
                "for every seven bits.",
            ),
            (0, "A place above 127 does not fit one group of seven bits."),
            (3, "Only at fixed width would it take four bytes; and then it would not grow at all."),
            (groups + 1, "Count the groups again: seven bits each."),
        ],
        unit="bytes",
        why=f"Its place {2 * new:,} takes {groups} groups where one was before.",
        solution=reasoned(
            f"{was} has place {2 * was}, at most 127: one byte",
            f"{new:,} has place {2 * new:,}, a number of {(2 * new).bit_length()} bits",
            f"In groups of seven that is {len(_digits(2 * new))} bytes, "
            f"{len(_digits(2 * new)) - 1} more than before",
            answer=len(_digits(2 * new)) - 1,
        ),
        hints=[
            "A quantity is signed, so it is folded first.",
            "How many groups of seven bits does its place need?",
            f"Its place is {2 * new:,}, a number of {(2 * new).bit_length()} bits. One byte was "
            "there before.",
        ],
    )


@ask(
    "04-article",
    "The article's fourth question",
    "04-align",
    see=(
        "chapter 04, *Smaller, and still slower?*",
        "*Rust: why Speedy outruns Bincode on Document*, its fourth question",
        _CRATE,
    ),
    varied=False,
)
def article(draws: Draws) -> Task:
    document = fixtures.make("document", seed=42, index=0)
    spans = [formats.trace(document).spans for formats in (speedy, postcard)]
    saved = {"length": 0, "i32": 0, "i64": 0}
    for wide, narrow in zip(*spans, strict=True):
        kind = wide.type if wide.role == "value" else wide.role
        if kind in saved:
            saved[kind] += (wide.end - wide.start) - (narrow.end - narrow.start)
    sizes = [len(format.encode(document)) for format in (speedy, postcard)]
    rounds = measure.count(document, postcard).comparisons
    numbers = sum(span.role != "text" for span in spans[0])
    assert sum(saved.values()) == sizes[0] - sizes[1]
    return argue(
        f"postcard writes the document in {sizes[1]} bytes, Speedy in {sizes[0]}. Both leave out "
        "the field names. Why is postcard smaller, and what more does it have to do? What is not "
        "the reason?",
        [
            f"Lengths save {saved['length']} bytes, the `i32` {saved['i32']} and the `i64` "
            f"{saved['i64']}; the texts cost the same",
            f"LEB128 works a byte at a time: {rounds} rounds for {numbers} numbers, where Speedy "
            f"makes {numbers} stores of fixed width",
            "How often the loop goes round depends on the data, and on reading as well",
            "It is not the field names, which neither writes",
        ],
        f"Small numbers lose their zeros: {saved['length']} bytes on lengths, {saved['i32']} on "
        f"the `i32`, {saved['i64']} on the `i64`, together {sizes[0] - sizes[1]}. In return every "
        f"number is cut into groups of seven bits, {rounds} rounds in all, each with a test "
        "whether anything is left. Names are no part of it, and neither are calls that are "
        "looked up at run time, as chapter 05 will show. What the rounds cost in nanoseconds, a "
        "count cannot say; postcard is also faster than bincode, which makes fewer comparisons.",
        hints=[
            "Go through the kinds of fields: lengths, texts, `i32`, `i64`.",
            "What does LEB128 ask again and again?",
        ],
    )
