"""Words you need: hexadecimal, byte order, two's complement, UTF-8, alignment, the heap, Rust's
words."""

from __future__ import annotations

import ctypes

from bytewalk.formats import speedy
from bytewalk.integers import count
from bytewalk.quiz import misconceptions as m
from bytewalk.quiz.bank.common import spelled
from bytewalk.quiz.draws import Draws
from bytewalk.quiz.kinds import Task, choose, number, write
from bytewalk.quiz.question import Chapter
from bytewalk.quiz.working import plain, reasoned, total
from bytewalk.types import i32, u32

chapter = Chapter("00")
ask = chapter.ask


@ask("00-hex", "Two digits", "00-hex", see=("chapter 00, *Hexadecimal*",))
def hexadecimal(draws: Draws) -> Task:
    high, low = (11, 7) if draws.first else (draws.within(1, 15), draws.within(1, 15))
    byte = 16 * high + low
    tens = "You read it as decimal. The first digit counts sixteens, not tens."
    return number(
        f"A byte is written `{byte:02x}` in hexadecimal. Which number is that in decimal?",
        byte,
        [
            (10 * high + low, tens),
            (
                16 * low + high,
                "You took the digits the other way round. The first one counts "
                "sixteens, as the first digit of 42 counts tens.",
            ),
            (high + low, "You added the digits. The first one counts sixteens."),
            (
                high * low,
                "You multiplied the digits. The first one counts sixteens, and the "
                "second is added.",
            ),
        ],
        why=f"{high} sixteens and {low}.",
        solution=reasoned(
            f"The first digit, `{high:x}`, stands for {high}, and the second, `{low:x}`, for {low}",
            f"{high} \u00d7 16 + {low} = {int(f'{high:x}{low:x}', 16)}",
            answer=int(f"{high:x}{low:x}", 16),
        ),
        hexadecimal=False,
        hints=[
            "After `9` come the digits `a` to `f`, for 10 to 15.",
            "The first digit counts sixteens.",
            f"`{high:x}` is {high}, so it counts {16 * high}.",
        ],
    )


@ask("00-order", "Little end first", "00-numbers", see=("chapter 00, *Little endian*",))
def order(draws: Draws) -> Task:
    value = 1000 if draws.first else draws.within(256, 70_000)
    return write(
        f"In hexadecimal the number {value:,} is `{value:08x}`. Write it as a `u32` in little "
        "endian order: four bytes, in hexadecimal.",
        value,
        speedy,
        [
            (
                m.OtherOrder,
                "That is big endian, the byte that counts most first. Little endian "
                "starts with the byte that counts least.",
            ),
            m.DigitsTurned,
            m.AsShortAsPossible,
        ],
        slips=[
            (
                value.to_bytes(4, "big").lstrip(b"\0").ljust(4, b"\0"),
                "You put the zeros behind, but left the other bytes as one reads them. All four "
                "bytes change places.",
            ),
        ],
        type=u32,
        why="The byte that counts least comes first, and the two digits inside a byte stay as "
        "they are.",
        hints=[
            "Split the eight digits into four bytes first.",
            "Begin with the last of them.",
            f"The first byte is `{value % 256:02x}`.",
        ],
    )


@ask("00-negative", "Below zero", "00-numbers", see=("chapter 00, *Negative numbers*",))
def negative(draws: Draws) -> Task:
    value = -5 if draws.first else -draws.within(2, 120)
    return write(
        f"Write {plain(value)} as an `i32`: four bytes in two's complement, little endian, in "
        "hexadecimal.",
        value,
        speedy,
        [m.SignBit, m.ZeroFilled, m.OtherOrder, m.BitsTurned],
        type=i32,
        why="A negative number is itself plus 2\u00b3\u00b2. Its wider forms fill up with `ff`.",
        hints=[
            "Begin with one byte: which number is it plus 256?",
            f"256 \u2212 {-value} is {256 + value}. Write that in hexadecimal.",
            "A wider type fills a negative number up with `ff`, where it counts most.",
        ],
    )


@ask("00-signed", "One byte, with a sign", "00-numbers", see=("chapter 00, *Negative numbers*",))
def signed(draws: Draws) -> Task:
    byte = 0xFE if draws.first else draws.within(0x81, 0xFE)
    value = int.from_bytes([byte], signed=True)
    return number(
        f"Which number is the byte `{byte:02x}` as an `i8`, that is, as a signed integer of one "
        "byte?",
        value,
        [
            (
                byte,
                "That is the byte as a `u8`, without a sign. In an `i8` the top bit counts "
                "\u2212128.",
            ),
            (
                -(byte - 128),
                "You took the top bit for a minus sign and the rest for the number. It "
                "counts \u2212128, and the rest is added.",
            ),
            (byte - 255, "You turned the bits over and forgot to add 1. `ff` is \u22121, not 0."),
            (
                -value,
                "The size is right, and the sign is missing: the top bit of this byte is set.",
            ),
        ],
        why="The top bit counts \u2212128 and the other seven as always.",
        solution=total(
            [("The top bit", -128), (f"The other seven bits, `{byte % 128:02x}`", byte % 128)],
            unit="",
        ),
        hints=[
            "The top bit is set. What does it count in an `i8`?",
            "Read the byte without a sign first.",
            f"Without a sign it is {byte}. The top bit counts \u2212128 instead of 128, so "
            "subtract 256.",
        ],
    )


_TEXTS = (
    *(
        "caf\u00e9",
        "na\u00efve",
        "Z\u00fcrich",
        "a\u00f1o nuevo",
        "5 \u20ac",
        "\u20ac 20",
        "gar\u00e7on",
    ),
    *(
        "sm\u00f8rrebr\u00f8d",
        "cr\u00e8me br\u00fbl\u00e9e",
        "\u03c0 \u2248 3",
        "\u00bfqu\u00e9?",
        "Dvo\u0159\u00e1k",
        "1 \u00b5s",
    ),
    *("\N{MUSICAL SYMBOL G CLEF} and \u00e9", "\u20ac and \u00a3", "na\u00efvet\u00e9"),
)


@ask("00-utf8", "Characters and bytes", "00-text", see=("chapter 00, *Text in UTF-8*",))
def utf8(draws: Draws) -> Task:
    text = "cr\u00e8me br\u00fbl\u00e9e" if draws.first else draws.turn(_TEXTS)
    named = dict.fromkeys(letter for letter in text if ord(letter) > 127)
    widths = [1 + (ord(c) > 0x7F) + (ord(c) > 0x7FF) + (ord(c) > 0xFFFF) for c in text]
    names = {
        1: "in ASCII, one byte each",
        2: "up to U+07FF, two bytes each",
        3: "up to U+FFFF, three bytes each",
        4: "beyond U+FFFF, four bytes each",
    }
    return number(
        f"How many bytes does the text `{text}` take in UTF-8?",
        len(text.encode()),
        [
            (len(text), "You counted characters. In UTF-8 only an ASCII character is one byte."),
            (
                2 * len(text),
                "You gave every character two bytes. The ASCII characters keep their one.",
            ),
            (
                4 * len(text),
                "You gave every character four bytes, as a Rust `char` has in memory. "
                "UTF-8 takes one to four.",
            ),
            (
                len(text.encode()) + 4,
                "A length in front is a matter of a format. The text itself is only "
                "its characters.",
            ),
        ],
        unit="bytes",
        why="One byte for each ASCII character, two or more for each other one.",
        solution=total(
            [
                (f"{count(widths.count(w), 'character')}, {names[w]}", w * widths.count(w))
                for w in sorted(set(widths))
            ]
        ),
        hints=[
            "An ASCII character takes one byte. That is every letter without an accent, every "
            "digit, and the space.",
            "Up to U+07FF a character takes two bytes, up to U+FFFF three, and above that four.",
            "Here "
            + ", ".join(f"`{letter}` is U+{ord(letter):04X}" for letter in named)
            + ". Each of the others takes one byte.",
        ],
    )


@ask("00-broken", "Impossible rows", "00-text", see=("chapter 00, *Text in UTF-8*",))
def broken(draws: Draws) -> Task:
    letter = draws.turn("\u00e9\u00e0\u00ef\u00f4\u00fc\u00f1\u00e7\u00f8")
    ascii_letter = "A" if draws.first else draws.word(1, 1)
    lead, tail = letter.encode()
    plain_byte = ascii_letter.encode()[0]
    rows = {
        bytes([plain_byte, lead, tail]): "",
        bytes([lead, plain_byte, tail]): f"`{lead:02x}` promises a second byte that starts with "
        f"the bits `10`, and `{plain_byte:02x}` starts with `01`.",
        bytes([tail, lead, plain_byte]): f"`{tail:02x}` starts with the bits `10`: it continues a "
        "character, and none has begun.",
        bytes(
            [plain_byte, tail, lead]
        ): f"`{tail:02x}` continues a character, and `{plain_byte:02x}` is complete by itself.",
    }
    (right,) = [row for row in rows if _is_text(row)]
    return choose(
        f"Each of these rows holds the bytes `{plain_byte:02x}`, `{lead:02x}` and `{tail:02x}`. "
        "Only one of them is a text in UTF-8. Which one?",
        spelled(right),
        [(spelled(row), says) for row, says in rows.items() if row != right],
        draws,
        why=f"`{plain_byte:02x}` is ASCII, and `{lead:02x} {tail:02x}` is a first byte with the "
        "one that it promises.",
        steps=[
            f"In bits, `{plain_byte:02x}` is `{plain_byte:08b}`: ASCII, complete by itself",
            f"`{lead:02x}` is `{lead:08b}`: the first of two",
            f"`{tail:02x}` is `{tail:08b}`: a second byte, which must follow a first",
        ],
        hints=[
            "Write each byte in bits.",
            "A byte that starts with `10` only continues.",
            f"`{lead:02x}` starts with `110`: exactly one byte that continues has to follow it.",
        ],
    )


def _is_text(data: bytes) -> bool:
    try:
        return bool(data.decode())
    except UnicodeDecodeError:
        return False


_FIELDS = {
    "u8": (1, ctypes.c_uint8),
    "i16": (2, ctypes.c_int16),
    "i32": (4, ctypes.c_int32),
    "i64": (8, ctypes.c_int64),
}


@ask("00-alignment", "Gaps in memory", "00-memory", see=("chapter 00, *Alignment*",))
def alignment(draws: Draws) -> Task:
    kinds = (
        ["u8", "i32", "i16", "u8"]
        if draws.first
        else [draws.pick(list(_FIELDS)) for _ in range(draws.within(2, 4))]
    )
    widths = [_FIELDS[kind][0] for kind in kinds]
    in_memory = type(
        "InMemory",
        (ctypes.Structure,),
        {"_fields_": [(name, _FIELDS[kind][1]) for name, kind in zip("abcd", kinds, strict=False)]},
    )
    at, steps = 0, []
    for name, width in zip("abcd", widths, strict=False):
        gap = -at % width
        gap_words = f" behind {gap} of padding" if gap else ""
        steps.append(f"`{name}` takes {width}, from offset {at + gap}{gap_words}")
        at += gap + width
    end = -at % max(widths)
    steps.append(f"They end at {at}. The whole is a multiple of {max(widths)}: {at + end}")
    listed = ", ".join(f"`{name}: {kind}`" for name, kind in zip("abcd", kinds, strict=False))
    return number(
        f"A record has the fields {listed}, in this order. A C compiler for a 64-bit machine lays "
        "it out in memory: each field at an offset that its width divides, the whole a multiple "
        "of the widest field. How many bytes does it take?",
        ctypes.sizeof(in_memory),
        [
            (
                at,
                "The last gap is missing. The whole is a multiple of the widest field, so that "
                "the next record in a list is aligned as well.",
            ),
            (
                sum(widths),
                "Those are the fields without the gaps. A field of n bytes stands at an "
                "offset that n divides.",
            ),
            (
                max(widths) * len(widths),
                "You gave every field the room of the widest. Only as much "
                "padding goes in front of a field as it needs.",
            ),
        ],
        unit="bytes",
        why="Padding goes in front of a field that needs it, and behind the last one.",
        solution=reasoned(*steps, answer=at + end),
        hints=[
            "Place the fields one after another and note the offset of each.",
            "In front of which field does something have to be left empty?",
            f"The last field ends at {at}. Is that a multiple of the widest field?",
        ],
    )


_ON_THE_HEAP = (
    ("a shop's order", "the name of the buyer"),
    ("a weather station's report", "a list of readings, with their count in front"),
    ("a picture's header", "a row of bytes whose length stands in front"),
    ("a letter", "the text of the letter"),
    ("a game's move", "the list of all moves so far"),
)
_IN_PLACE = (
    ("an `i64`", "It is eight bytes, and the compiler knew that."),
    ("an `f64`", "It is eight bytes, and the compiler knew that."),
    (
        "a pair of an `i32` and an `f64`",
        "Its size is known before the program runs: the two widths and the padding.",
    ),
    ("an array of exactly three `u16`", "Three times two bytes: the count is part of the type."),
    ("a `bool`", "It is one byte, and the compiler knew that."),
    ("a record of two integers", "Its size follows from its declaration."),
)


@ask("00-heap", "Who needs the heap?", "00-memory", see=("chapter 00, *The heap*",))
def heap(draws: Draws) -> Task:
    message, right = draws.turn(_ON_THE_HEAP)
    return choose(
        f"A program in Rust reads {message} and keeps what it reads. For which of these fields "
        "must it ask for a block on the heap?",
        right,
        draws.some(_IN_PLACE, 3),
        draws,
        why="Its size is known only when the message is there.",
        steps=[
            "Ask of each how many bytes it takes before any message is there",
            "For one of them the message says how many",
        ],
        hints=[
            "The compiler sets room aside for what has a known size.",
            "Ask of each field: could two messages differ in how many bytes it takes?",
        ],
    )


_RUST = {
    "struct": "a class that has typed fields in a fixed order",
    "enum with data": "a few classes, each with fields of its own; a value is an instance of one",
    "trait": "a list of methods that a type promises, like a `Protocol`",
    "derive": "a program that reads a class and writes further methods for it",
    "monomorphization": "one copy of a function for each type that it is used with",
}
_RUST_HINTS = {
    "struct": "A struct has fields, all of them in every value.",
    "enum with data": "A value of an enum is one of several variants.",
    "trait": "A trait says what can be called.",
    "derive": "A derive works before the program runs, and what it makes is code.",
    "monomorphization": "The word is made of mono, one, and morph, form.",
}


@ask("00-rust", "In Python's words", "00-rust", see=("chapter 00, *Rust words*",))
def rust(draws: Draws) -> Task:
    word = draws.turn(list(_RUST))
    return choose(
        f"Which of these says what `{word}` means in Rust?",
        _RUST[word],
        [(text, f"That says what `{name}` means.") for name, text in _RUST.items() if name != word],
        draws,
        why=f"In Python's words: {_RUST[word]}.",
        steps=[f"`{name}` is {text}" for name, text in _RUST.items()],
        hints=[
            "Two of the five words name things that hold fields, one names methods, and two are "
            "about what the compiler does.",
            _RUST_HINTS[word],
        ],
    )
