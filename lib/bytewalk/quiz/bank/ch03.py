"""Marker varints: written, read, folded, counted and refused."""

from __future__ import annotations

from bytewalk import fixtures, show
from bytewalk.formats import bincode, postcard, speedy
from bytewalk.quiz import misconceptions as m
from bytewalk.quiz.bank.common import (
    FIELDS,
    counted_characters,
    fixed_lengths,
    item_of,
    shown,
    speedys,
    spelled,
    write_item,
)
from bytewalk.quiz.draws import Draws
from bytewalk.quiz.kinds import Slip, Task, Verdict, argue, number, verdict, write
from bytewalk.quiz.question import Chapter
from bytewalk.quiz.working import Solution, plain, reasoned, total
from bytewalk.records import DocumentItem, DocumentMeta
from bytewalk.types import i32, i64, u16, u32, u64

chapter = Chapter("03")
ask = chapter.ask
_UNSIGNED = {"u16": u16, "u32": u32, "u64": u64}
_CRATE = "bincode 2.0.1 `src/varint/encode_unsigned.rs`"


@ask(
    "03-edge",
    "Just above one byte",
    "03-write",
    see=("chapter 03, *One byte, up to a point*", _CRATE),
)
def edge(draws: Draws) -> Task:
    value, wire = draws.turn([(value, wire) for wire in _UNSIGNED for value in range(251, 256)])
    return write(
        f"Write the `{wire}` {value} in bincode, in hexadecimal. In one byte {value} would be "
        f"`{value:02x}`.",
        value,
        bincode,
        [
            m.OneByteTo255,
            m.Unmarked,
            m.OtherOrder,
            m.GroupsForMarkers,
            m.FixedWidths,
            m.WholeWidth,
            m.JustEnoughBytes,
        ],
        type=_UNSIGNED[wire],
        why="One byte reaches to 250. From 251 on a marker comes first, and `fb` announces two "
        "bytes.",
        hints=[
            "What does a first byte of 251 to 255 mean?",
            "The number needs a marker, that of the first width which holds it.",
            "`fb` announces two bytes, little endian.",
        ],
    )


@ask(
    "03-marker",
    "The width follows the value",
    "03-write",
    see=("chapter 03, *A small number in a wide type*", _CRATE),
)
def marker(draws: Draws) -> Task:
    value, wire = (
        (70_000, "u64")
        if draws.first
        else draws.pick(
            [
                (draws.within(256, 65_000), "u64"),
                (draws.within(256, 65_000), "u32"),
                (draws.within(65_536, 99_999), "u64"),
                (draws.within(100_000, 16_000_000), "u64"),
            ]
        )
    )
    return write(
        f"Write the `{wire}` {value:,} in bincode, in hexadecimal. As a `{wire}` in big endian it "
        f"is {spelled(value.to_bytes(int(wire[1:]) // 8, 'big'))}.",
        value,
        bincode,
        [
            m.WholeWidth,
            m.Unmarked,
            m.OtherOrder,
            m.FixedWidths,
            m.JustEnoughBytes,
            m.GroupsForMarkers,
            m.EverythingFolded,
        ],
        slips=[
            (
                value.to_bytes(3, "little").rstrip(b"\0"),
                "The marker is missing, and so is a zero: behind a marker there are 2, 4 or 8 "
                "bytes.",
            ),
            *(
                [
                    (
                        b"\xfb" + (value % 2**16).to_bytes(2, "little"),
                        "`fb` announces two bytes, and two bytes hold at most 65,535.",
                    )
                ]
                if value >= 2**16
                else []
            ),
        ],
        type=_UNSIGNED[wire],
        why="The marker is that of the first width which holds the value, and the payload is "
        "little endian.",
        hints=[
            "How many bytes does the number itself need: 2, 4 or 8?",
            "`fb` announces two bytes, `fc` four, `fd` eight.",
            "The payload is little endian, filled up with zeros to its width.",
        ],
    )


@ask(
    "03-read",
    "Read a varint",
    "03-write",
    see=("chapter 03, *Read one by hand*", "bincode 2.0.1 `src/varint/decode_unsigned.rs`"),
)
def read(draws: Draws) -> Task:
    value = (
        300
        if draws.first
        else draws.pick(
            [
                draws.within(251, 65_000),
                draws.within(65_536, 200_000),
            ]
        )
    )
    data = bincode.encode(value, u64)
    rest = bytes([draws.within(1, 9), draws.within(1, 9)])
    payload = data[1:]
    return number(
        f"In a message of bincode a `u64` begins at {spelled(data + rest)}. Which number is it? "
        "The last bytes may belong to the next field.",
        bincode.decode(data + rest, u64),
        [
            (
                int.from_bytes(payload, "big"),
                "You read the payload with the highest byte first. It is little endian.",
            ),
            (data[0], "`fb`, `fc` and `fd` are markers and no numbers: one byte reaches to 250."),
            (
                int.from_bytes(data, "little"),
                "You read the marker as a part of the number. It only says how many bytes follow.",
            ),
            (
                int.from_bytes(data[1:] + rest, "little"),
                "You read on too far. The marker says how many bytes belong to the number.",
            ),
            (payload[0], "You read one byte behind the marker. `fb` announces two, `fc` four."),
            (
                int.from_bytes(payload[:2], "little"),
                "You read two bytes behind the marker. `fc` announces four.",
            ),
        ],
        why="The marker says how many bytes follow, and the next field begins behind them.",
        solution=_read(data + rest),
        hints=[
            "What does the first byte announce?",
            "`fb` announces two bytes, `fc` four. The rest belongs to the next field.",
            "The number behind the marker is little endian: its second byte counts 256 times.",
        ],
    )


def _read(data: bytes) -> Solution:
    size = {0xFB: 2, 0xFC: 4, 0xFD: 8}[data[0]]
    places = [f"{byte} \u00d7 256^{n}" for n, byte in enumerate(data[1 : 1 + size]) if byte]
    result = sum(byte * 256**n for n, byte in enumerate(data[1 : 1 + size]))
    return reasoned(
        f"`{data[0]:02x}` announces {size} bytes: {spelled(data[1 : 1 + size])}",
        f"{' + '.join(places)} = {plain(result)}",
        answer=result,
    )


@ask(
    "03-zigzag",
    "Fold a sign away",
    "03-zigzag",
    see=("chapter 03, *The problem of \u22121*", "bincode 2.0.1 `src/varint/encode_signed.rs`"),
)
def zigzag(draws: Draws) -> Task:
    value = (
        -5
        if draws.first
        else draws.pick(
            [
                -draws.within(2, 125),
                -draws.within(126, 3_000),
                draws.within(126, 3_000),
                draws.within(2, 125),
            ]
        )
    )
    return write(
        f"Write the `i32` {plain(value)} in bincode, in hexadecimal.",
        value,
        bincode,
        [
            m.NoZigzag,
            (
                m.TwosComplement,
                "You wrote two's complement in as few bytes as it takes. bincode folds a signed "
                "number first; and a first byte above 250 is no number.",
            )
            if -5 <= value < 0
            else m.TwosComplement,
            m.SignLost,
            m.FoldedOneTooHigh,
            m.FixedWidths,
            m.Unmarked,
            m.GroupsForMarkers,
            m.OneByteTo255,
            m.OtherOrder,
        ],
        slips=[
            (
                bincode.encode(-value, i32),
                f"That is {plain(-value)}. Even places belong to numbers "
                "from 0 up, odd ones to negative numbers.",
            ),
        ],
        type=i32,
        why="Its place in the line 0, \u22121, 1, \u22122, 2 is written, and the place has no "
        "sign.",
        hints=[
            "A signed number is folded first. Which place has it in the line 0, \u22121, 1, "
            "\u22122, 2?",
            "Twice the number from zero up; twice the number without its sign, minus 1, below.",
            "The place is a varint like any other: up to 250 it is one byte.",
        ],
    )


@ask("03-unfold", "Whose place is it?", "03-zigzag", see=("chapter 03, *The problem of \u22121*",))
def unfold(draws: Draws) -> Task:
    byte = 0x0D if draws.first else draws.within(3, 249)
    half = byte // 2
    return number(
        f"A message of bincode holds the byte `{byte:02x}` where an `i32` belongs. Which number is "
        "it?",
        bincode.decode(bytes([byte]), i32),
        [
            (
                byte,
                "You read the byte as it stands. An `i32` was folded before it was written: 0, "
                "\u22121, 1, \u22122, 2 have the places 0, 1, 2, 3, 4.",
            ),
            (
                half if byte % 2 else -half,
                "The sign is wrong. Odd places belong to negative numbers, even "
                "ones to the others.",
            ),
            (
                -half if byte % 2 else half + 1,
                "That is one place away. Place 1 is \u22121, and place 2 is 1.",
            ),
            (
                half + 1 if byte % 2 else -half - 1,
                "That is the wrong side of zero. Odd places belong to negative numbers.",
            ),
            (
                byte - 256,
                "You read the byte in two's complement. Here the sign is in the lowest bit.",
            ),
        ],
        why="An odd place belongs to a negative number."
        if byte % 2
        else "An even place belongs to a number from zero up: its half.",
        solution=reasoned(
            f"`{byte:02x}` is {byte}, and below 251, so it is a place by itself",
            f"{byte} is odd, so the number is \u2212({byte} + 1) / 2 = {plain(-(byte + 1) // 2)}"
            if byte % 2
            else f"{byte} is even, so the number is {byte} / 2 = {byte // 2}",
            answer=-(byte + 1) // 2 if byte % 2 else byte // 2,
        ),
        hints=[
            f"In decimal `{byte:02x}` is {byte}. Is that odd or even?",
            "The line of places is 0, \u22121, 1, \u22122, 2, \u22123: odd places are negative.",
            "An even place is twice the number. An odd one is twice the number without its sign, "
            "minus 1.",
        ],
    )


@ask(
    "03-item", "A record by hand", "03-write", "03-zigzag", see=("chapter 03, *A record by hand*",)
)
def item(draws: Draws) -> Task:
    value = DocumentItem("\u00e9", -126, 300) if draws.first else item_of(draws)
    return write(
        write_item(value, "bincode"),
        value,
        bincode,
        [
            m.NoZigzag,
            counted_characters(value, "bincode"),
            m.FoldedOneTooHigh,
            m.SignLost,
            m.TwosComplement,
            m.Unmarked,
            m.FixedWidths,
            m.EverythingFolded,
            m.OneByteTo255,
            m.GroupsForMarkers,
            m.OtherOrder,
            m.NoLengths,
            *fixed_lengths("Only with fixed widths are they eight bytes."),
            m.Terminated,
            m.TextTurned,
        ],
        slips=[speedys(value)],
        why="The length is a varint without zigzag, the two numbers are folded first.",
        hints=[
            "The length has no sign, so it is not folded.",
            "Fold the quantity and the price, then ask for each whether it is above 250.",
            f"The places of the two numbers are {plain(-2 * value.qty - 1)} and "
            f"{plain(2 * value.price_minor)}.",
        ],
    )


@ask(
    "03-tests",
    "Count the questions",
    "03-cost",
    see=("chapter 03, *Counting the questions*", _CRATE),
)
def tests(draws: Draws) -> Task:
    value = (
        -40_000
        if draws.first
        else draws.pick(
            [
                draws.within(1, 120),
                -draws.within(1, 120),
                draws.within(126, 30_000),
                -draws.within(40_000, 90_000),
                draws.within(40_000, 900_000),
                2**33 + draws.within(1, 9),
            ]
        )
    )
    wire, t = (
        ("i64", i64)
        if draws.first or abs(value) >= 2**31
        else draws.pick([("i32", i32), ("i64", i64)])
    )
    steps = show.steps(value, t, bincode)
    compared = steps.tally("compare")
    place = 2 * value if value >= 0 else -2 * value - 1
    most = {"i32": 2, "i64": 3}[wire]
    limits = (250, 2**16 - 1, 2**32 - 1)[:most]
    asked = [f"At most {plain(limit)}?" for limit in limits]
    answered = next((n for n, limit in enumerate(limits, 1) if place <= limit), most)
    told = [
        f"{question} {'Yes' if place <= limit else 'No'}"
        for question, limit in zip(asked[:answered], limits, strict=False)
    ]
    return number(
        f"bincode writes the `{wire}` {plain(value)}. How many comparisons of magnitude does its "
        "encoder make? Do not count the test of the sign.",
        compared,
        [
            (
                compared + 1,
                "One too many. The sign test does not count here, and when only the "
                "widest form is left, nobody asks.",
            ),
            (
                len(steps.bytes),
                "That is the number of bytes. A comparison chooses among widths, "
                "and not byte by byte.",
            ),
            (
                most + 1,
                f"The encoder stops at the first width that fits, and of an `{wire}` it asks "
                f"at most {most} questions.",
            ),
            (0, "It has to ask. The width follows the value."),
            (
                compared - 1,
                "One too few. Fold the number first: the comparisons are about its "
                "place, which is about twice as large.",
            ),
        ],
        unit="comparisons",
        why=f"Its place is {plain(place)}.",
        solution=reasoned(f"Its place is {plain(place)}", *told, answer=len(told)),
        hints=[
            "Fold it first.",
            "One byte? Two? Four? It stops at the first yes.",
            f"Its place is {plain(place)}. Compare that with 250, 65,535 and 4,294,967,295.",
        ],
    )


@ask(
    "03-list",
    "When the fee does not pay",
    "03-cost",
    see=("chapter 03, *When it costs more than it saves*",),
)
def fee(draws: Draws) -> Task:
    count = 40 if draws.first else draws.within(10, 200)
    wire, low, high = (
        ("u16", 1_000, 60_000)
        if draws.first
        else draws.pick(
            [
                ("u16", 1_000, 60_000),
                ("u32", 100_000, 4_000_000_000),
                ("u16", 0, 250),
                ("u32", 300, 60_000),
            ]
        )
    )
    values, t = [high] * count, list[_UNSIGNED[wire]]
    width, size = int(wire[1:]) // 8, len(bincode.encode(high, _UNSIGNED[wire]))
    return number(
        f"A list of {count} numbers is a `list[{wire}]`. Each of them is between {low:,} and "
        f"{high:,}. How many bytes does it take in bincode, its count included?",
        len(bincode.encode(values, t)),
        [
            (
                count * width + 1,
                "You gave each number the width of its type. They are varints, one "
                "byte up to 250 and a marker with 2, 4 or 8 bytes above.",
            ),
            (
                len(bincode.legacy().encode(values, t)),
                "That is the size with fixed widths, "
                "`legacy()`. In the standard configuration numbers and counts are varints.",
            ),
            (count * size, "The list's count is missing. It is a varint as well."),
            (
                count * (size - 1 or 2) + 1,
                "The markers are part of the message: a number above 250 "
                "takes one byte more than its payload.",
            ),
            (count + 1, "Only numbers up to 250 fit one byte."),
        ],
        unit="bytes",
        why="Above 250 each number pays one byte for its marker."
        if high > 250
        else "Up to 250 a number is one byte, whatever its type.",
        solution=total(
            [
                ("The count, at most 250", 1),
                (
                    f"{count} numbers of {1 if high <= 250 else 3 if high < 2**16 else 5}",
                    count * (1 if high <= 250 else 3 if high < 2**16 else 5),
                ),
            ]
        ),
        hints=[
            "How many bytes does one number take, up to 250 and above?",
            "A number above 250 has a marker in front of its 2, 4 or 8 bytes.",
            "The count takes one byte.",
        ],
    )


@ask(
    "03-legacy",
    "The same crate, set otherwise",
    "03-document",
    see=("chapter 03, *Fixed widths*", "bincode 2.0.1 `src/config.rs`"),
)
def legacy(draws: Draws) -> Task:
    value = (
        DocumentMeta("uf", 2)
        if draws.first
        else DocumentMeta(draws.word(1, 4), draws.within(1, 250))
    )
    return write(
        f'Write the bytes of `DocumentMeta("{value.region}", {value.version})` in bincode with '
        "`legacy()`. It has the fields `region: str` and `version: i32`, and in UTF-8 the text is "
        f"{spelled(value.region.encode())}.",
        value,
        bincode.legacy(),
        [m.ShortLengths, m.NoLengths, m.OtherOrder, m.Terminated],
        slips=[
            (
                bincode.encode(value),
                "That is the standard configuration. `legacy()` writes every integer at the width "
                "of its type.",
            ),
        ],
        why="Fixed widths: a length is a `u64`, eight bytes, and an `i32` has four.",
        hints=[
            "With fixed widths nothing is folded, and there are no markers.",
            "How wide is a length in bincode?",
            f"A length is a `u64`: this one is {spelled(len(value.region).to_bytes(8, 'little'))}.",
        ],
    )


@ask(
    "03-growth", "A status that grows", "03-document", see=("chapter 03, *Where the 121 bytes go*",)
)
def growth(draws: Draws) -> Task:
    document = fixtures.make("document", seed=42, index=0)
    before = len(bincode.encode(document))
    new = (
        126
        if draws.first
        else draws.pick(
            [
                draws.within(126, 250),
                draws.within(251, 32_767),
                draws.within(32_768, 65_535),
                draws.within(70_000, 900_000),
            ]
        )
    )
    unfolded = m.written(m.NoZigzag, new, i32, bincode)
    was, document.status = document.status, new
    size = 1 if 2 * new <= 250 else 3 if 2 * new < 2**16 else 5
    return number(
        f"The document of seed 42 takes {before} bytes in bincode. Its status, an `i32`, becomes "
        f"{new:,} instead of {was}. By how many bytes does the message grow?",
        len(bincode.encode(document)) - before,
        [
            (size, "You counted the new bytes. One of them was there before."),
            (
                len(unfolded) - 1,
                f"Fold it first: {new:,} has place {2 * new:,}, and that is the "
                "number which is written.",
            ),
            (0, "With fixed widths it would not grow. Here the width follows the value."),
            (3, "Only at fixed width would it take four bytes; and then it would not grow at all."),
            (1, "Behind a marker there are at least two bytes."),
        ],
        unit="bytes",
        why=f"Its place is {2 * new:,}: {size} bytes where one was before.",
        solution=reasoned(
            f"The status {was} has place {2 * was} and takes one byte",
            f"{new:,} has place {2 * new:,}, above {250 if size == 3 else 65_535:,}: {size} bytes",
            f"{size} \u2212 1 = {size - 1}",
            answer=size - 1,
        ),
        hints=[
            "A status is signed, so it is folded first.",
            f"The place of {new:,} is {2 * new:,}.",
            "Above 250 a number takes three bytes, above 65,535 five. One byte was there before.",
        ],
    )


@ask(
    "03-limit",
    "What a limit counts",
    "03-refuse",
    see=("chapter 03, *What a limit counts*", "bincode 2.0.1 `src/config.rs`"),
)
def limit(draws: Draws) -> Task:
    value = (
        DocumentItem("pear", 5, 70)
        if draws.first
        else DocumentItem(draws.word(2, 9), draws.within(1, 120), draws.within(1, 90_000))
    )
    data = bincode.encode(value)
    smallest = next(
        n
        for n in range(1000)
        if not bincode.standard().with_limit(n).trace_decode(data, DocumentItem).error
    )
    return number(
        f"{FIELDS} In bincode {shown(value)} takes {len(data)} bytes. What is the smallest limit "
        "of a configuration that lets this message pass on decoding?",
        smallest,
        [
            (
                len(data),
                "That is the size of the message. A limit counts what the message claims: "
                "the whole width of each integer.",
            ),
            (
                len(speedy.encode(value)),
                "That is the size in Speedy, with lengths of four bytes. "
                "bincode's lengths are `u64` and claim eight.",
            ),
            (smallest - 8, "The length is a number as well. It claims eight bytes."),
            (smallest - len(value.sku), "The text claims its bytes too."),
            (
                len(data) + 1,
                "The index of a `Fixture` is not in this message. A limit counts the "
                "whole width of each integer.",
            ),
        ],
        unit="bytes",
        why="Each integer claims its whole width, and a length eight bytes, whatever the varint "
        "took.",
        solution=total(
            [
                ("The length, a `u64`", 8),
                (f"The text `{value.sku}`", len(value.sku)),
                ("`qty`, an `i32`", 4),
                ("`price_minor`, an `i64`", 8),
            ]
        ),
        hints=[
            "Not what the varints took, but what their types could take.",
            "A length is a `u64`, a `qty` an `i32`, a `price_minor` an `i64`.",
            "The text claims its bytes as they are.",
        ],
    )


@ask(
    "03-fate",
    "Longer than needed",
    "03-refuse",
    see=("chapter 03, *Longer than needed*", "bincode 2.0.1 `src/varint/decode_unsigned.rs`"),
)
def fate(draws: Draws) -> Task:
    small = 5 if draws.first else draws.within(1, 200)
    wire = "u32" if draws.first else draws.pick(["u16", "u32"])
    width = int(wire[1:]) // 8
    case = draws.turn(range(5))
    first, size = [(0xFD, 8), (0xFB, 2), (0xFC, 4), (0xFF, 1), (0xFC, 3)][case]
    data = bytes([first]) + small.to_bytes(size, "little")
    found = bincode.trace_decode(data, _UNSIGNED[wire])
    announced = {0xFB: 2, 0xFC: 4, 0xFD: 8}.get(first, 0)
    kind, *steps = _first_byte(announced, width, size)
    verdict_of = {"short": f"refused {len(data)}", "fine": f"accepted {small}"}
    working = [step.format(first=first, wire=wire, small=small, data=len(data)) for step in steps]
    return Verdict(
        prompt=f"bincode 2 reads {spelled(data)} as a `{wire}`. Does it accept these bytes? If so, "
        "as which number? If not, at which byte does it stop, counted from 0? (Where bytes run "
        f"out, it stops at the end, byte {len(data)}.)",
        right=verdict(found),
        why=f"In the decoder's words: {found.error.reason}."
        if found.error
        else "Longer than needed is accepted, within the width of the type.",
        slips=tuple(
            Slip(answer, says.format(first=first, wire=wire, size=size, announced=announced))
            for answer, says in [
                *_FATES[kind],
                (f"accepted {small}", _SMALL[kind]),
                (f"refused {len(data)}", _AT_END[kind]),
                (
                    f"accepted {first}",
                    "A first byte above 250 is a marker or reserved, and no number.",
                ),
                (
                    f"accepted {int.from_bytes(data[1:], 'big')}",
                    "You read the payload with the highest byte first. "
                    + ("It is little endian." if kind == "fine" else _SMALL[kind]),
                ),
            ]
        ),
        solution=reasoned(*working, answer=verdict_of.get(kind, "refused 0")),
        hints=(
            "What does the first byte announce?",
            f"How many bytes does a `{wire}` have? More must not be announced.",
            "Count the bytes behind the first one.",
        ),
        asks="The number",
    )


def _first_byte(announced: int, width: int, size: int) -> tuple[str, ...]:
    """What kind of case it is, and the steps to the verdict."""
    if not announced:
        return "reserved", "`{first:02x}` is reserved: it announces nothing and is no number"
    says = "`{first:02x}` announces " + str(announced) + " bytes"
    if announced > width:
        return "wide", f"{says}, and a `{{wire}}` has {width}: the first byte is refused"
    if announced > size:
        return "short", f"{says}, and {size} follow", "They run out at the end, byte {data}"
    enough = f"{says}, as many as follow, and no more than a `{{wire}}` has"
    return "fine", enough, "They say {small}, in more bytes than needed"


_NOT_SO_FAR = "The decoder does not get that far: it refuses the first byte."
_SMALL = {
    "reserved": "`{first:02x}` is reserved. It announces no number, so none is read behind it.",
    "wide": "The number would fit a `{wire}`. But the marker is judged before the number is read, "
    "and it announces more bytes than the type has.",
    "short": "The {size} bytes that are there would say so. But {announced} are announced, and all "
    "of them have to be there.",
    "fine": "",  # it is right
}
_AT_END = {
    "reserved": _NOT_SO_FAR,
    "wide": _NOT_SO_FAR,
    "short": "",  # it is right
    "fine": "No byte is missing: as many follow as the marker announces.",
}
_FATES = {
    "reserved": [("refused 1", _NOT_SO_FAR)],
    "wide": [("refused 1", _NOT_SO_FAR)],
    "short": [
        (
            "refused 0",
            "The first byte is fine: a `{wire}` may have {announced} bytes behind a marker.",
        ),
        (
            "refused 1",
            "There the payload begins. Some of it is there; the decoder stops where it runs out.",
        ),
    ],
    "fine": [
        (
            "refused 0",
            "The first byte is fine: a `{wire}` may have {announced} bytes behind a marker. Longer "
            "than needed is accepted.",
        ),
        ("refused 1", "The payload is fine: {announced} bytes were announced, and they are there."),
    ],
}


@ask(
    "03-article",
    "The article's second question",
    "03-cost",
    see=(
        "chapter 03, *Counting the questions*",
        "*Rust: why Speedy outruns Bincode on Document*, its second question",
        _CRATE,
    ),
    varied=False,
)
def article(draws: Draws) -> Task:
    value = DocumentItem("A", 1, 2)
    sizes = [len(format.encode(value)) for format in (speedy, bincode, postcard)]
    by = bincode.trace(value)
    comparisons = signs = 0
    for span, t in zip(
        [span for span in by.spans if span.role != "text"], (u64, i32, i64), strict=True
    ):
        steps = show.steps(span.value, t, bincode)
        comparisons += steps.tally("compare")
        signs += steps.tally("sign")
    return argue(
        f"{shown(value)} takes {sizes[0]} bytes in Speedy and {sizes[1]} in bincode. Argue from "
        "the rule of the marker varint: why is it shorter, and what more has to be done to encode "
        "it?",
        [
            f"Three numbers are small and take one byte each instead of 4, 4 and 8: {sizes[0]} "
            f"\u2212 {sizes[1]} = 3 + 3 + 7",
            "`qty` and `price_minor` are signed, so they are folded first, to 2 and 4; the length "
            "is not",
            f"Every number is asked whether it is at most 250: {comparisons} comparisons, and "
            f"{signs} sign tests",
            "Here both write four pieces. Only above 250 does a number take two, marker and "
            "payload",
            "A count of tests is not yet a time",
        ],
        "The text costs one byte in both. Its length, `qty` and `price_minor` take 4, 4 and 8 "
        "bytes in Speedy and one each in bincode, because 1, 2 and 4 are at most 250. The last two "
        "are the places of 1 and 2. For that the encoder makes "
        f"{comparisons} comparisons and {signs} sign tests, where Speedy makes no test of a "
        "number's size. How much time that takes, the listing does not say.",
        hints=[
            "Compare field by field.",
            "What is asked of each number, and what of a signed one?",
        ],
    )
