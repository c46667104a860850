"""Fixed widths: Speedy's rules, written, read and broken."""

from __future__ import annotations

from bytewalk.formats import bincode, speedy
from bytewalk.formats.speedy import Speedy
from bytewalk.quiz import misconceptions as m
from bytewalk.quiz.bank.common import (
    ACCENTED,
    FIELDS,
    counted_characters,
    item_of,
    shown,
    spelled,
    write_item,
)
from bytewalk.quiz.draws import Draws
from bytewalk.quiz.kinds import Slip, Task, Verdict, number, verdict, write
from bytewalk.quiz.question import Chapter
from bytewalk.quiz.working import Solution, plain, reasoned, total
from bytewalk.records import DocumentItem, DocumentMeta, Strings
from bytewalk.types import Enum, Variant, i32, u16, u32

chapter = Chapter("02")
ask = chapter.ask
_ARTICLE = "*Rust: why Speedy outruns Bincode on Document*, its first question"
_BINCODE = (
    "Those are bincode's bytes. Speedy writes a length and a number at the width of its type."
)


@ask(
    "02-article",
    "The article's first question",
    "02-write",
    see=("chapter 02, *Write it by hand*", _ARTICLE, "speedy-derive 0.8.7 `src/lib.rs`"),
)
def article(draws: Draws) -> Task:
    item = (
        DocumentItem("A", 1, 2)
        if draws.first
        else DocumentItem(draws.word(1, 3).upper(), draws.within(1, 99), draws.within(1, 250))
    )
    return write(
        write_item(item, "Speedy"),
        item,
        speedy,
        [
            m.NoLengths,
            m.OneByteLengths,
            m.LongLengths,
            m.OtherOrder,
            m.LengthOfAll,
            m.Terminated,
            m.Aligned,
            m.NamesWritten,
            m.FieldsCounted,
        ],
        slips=[(bincode.encode(item), _BINCODE)],
        why=f"{len(speedy.encode(item))} bytes: four of length, the text, four and eight. A text "
        "is its length and its letters, a number has the width of its type, and nothing stands "
        "between the fields.",
        hints=[
            "A text begins with its length, a `u32`.",
            "`qty` takes four bytes and `price_minor` eight, with the lowest byte first.",
            f"The message has 4 + {len(item.sku)} + 4 + 8 bytes.",
        ],
    )


@ask("02-size", "A size before any byte", "02-rules", see=("chapter 02, *Three rules*",))
def size(draws: Draws) -> Task:
    item = (
        DocumentItem("na\u00efve", 7, 129)
        if draws.first
        else DocumentItem(
            draws.pick(ACCENTED) + draws.word(1, 5), draws.within(1, 99), draws.within(1, 99_999)
        )
    )
    data, text = speedy.encode(item), item.sku.encode()
    characters = len(data) - len(text) + len(item.sku)
    return number(
        f"{FIELDS} How many bytes does Speedy write for {shown(item)}?",
        len(data),
        [
            (
                characters,
                f"You counted characters. `{item.sku}` has {len(item.sku)} of them and "
                f"{len(text)} bytes.",
            ),
            (len(m.written(m.Terminated, item, None, speedy)), m.Terminated.says),
            (len(m.written(m.Aligned, item, None, speedy)), m.Aligned.says),
            (len(m.written(m.LongLengths, item, None, speedy)), m.LongLengths.says),
            (
                len(data) - 4,
                "Four bytes are missing. The price is an `i64`, which takes eight "
                "bytes however small it is; and the text has a length.",
            ),
        ],
        unit="bytes",
        why="The size follows from the type and the bytes of the text. The numbers' values do not "
        "matter.",
        solution=total(
            [
                ("The length of `sku`", 4),
                ("Its text, in UTF-8", sum(1 + (ord(letter) > 127) for letter in item.sku)),
                ("`qty`, an `i32`", 4),
                ("`price_minor`, an `i64`", 8),
            ]
        ),
        hints=[
            "Add up four parts: the text's length, the text, and the two numbers.",
            "Only the text's own bytes depend on the value.",
            f"Which letter of `{item.sku}` takes more than one byte?",
        ],
    )


@ask("02-item", "A harder item", "02-write", see=("chapter 02, *A harder item*",))
def item(draws: Draws) -> Task:
    value = DocumentItem("\u00e9", -2, 300) if draws.first else item_of(draws)
    negative = plain(value.qty)
    return write(
        write_item(value, "Speedy"),
        value,
        speedy,
        [
            counted_characters(value, "Speedy"),
            (
                m.SignBit,
                f"You wrote {negative} as a number and a sign bit. Speedy writes two's "
                f"complement: {negative} + 2\u00b3\u00b2.",
            ),
            (
                m.ZeroFilled,
                f"You filled {negative} up with zeros. A negative number fills up with "
                "`ff`; with zeros it is a positive one.",
            ),
            (m.BitsTurned, "You turned the bits of the quantity over and forgot to add 1."),
            m.OtherOrder,
            m.NoLengths,
            m.LongLengths,
            m.OneByteLengths,
            m.Terminated,
            m.TextTurned,
            m.OneBytePerCharacter,
        ],
        slips=[(bincode.encode(value), _BINCODE)],
        why="The length counts bytes, and the quantity is in two's complement.",
        hints=[
            "How many bytes has the text? The length counts those.",
            f"{negative} is stored as {negative} + 2\u00b3\u00b2.",
            "A small negative `i32` ends in `ff ff ff`.",
        ],
    )


@ask("02-list", "A list of texts", "02-write", "02-rules", see=("chapter 02, *A whole document*",))
def texts(draws: Draws) -> Task:
    words = ["ab", "c"] if draws.first else [draws.word(1, 3) for _ in range(draws.within(2, 3))]
    value = Strings(words)
    listed = ", ".join(f'"{word}"' for word in words)
    letters = ", ".join(
        f"`{letter}` is `{ord(letter):02x}`" for letter in sorted(set("".join(words)))
    )
    return write(
        f"`Strings` has one field, `items: list[str]`. Write the bytes of `Strings([{listed}])` "
        f"in Speedy. The letter {letters}.",
        value,
        speedy,
        [m.NoLengths, m.OneByteLengths, m.LongLengths, m.OtherOrder, m.Terminated, m.FieldsCounted],
        slips=[
            (
                b"".join(speedy.encode(word) for word in words),
                "The list's own length is missing: it says how many items follow.",
            ),
            (
                len("".join(words)).to_bytes(4, "little") + speedy.encode(value)[4:],
                "The list's length counts its items, not their letters.",
            ),
        ],
        why="A list is its count and its items, and each text is again a length and its letters.",
        hints=[
            "Begin with the number of items.",
            "Each text has a length of its own.",
            f"There are {len(words) + 1} lengths, and each takes four bytes.",
        ],
    )


class Payment(Enum):
    """How an order is paid."""

    class Cash(Variant):
        pass

    class Card(Variant):
        digits: u16

    class Transfer(Variant):
        days: i32
        fee: u16


@ask(
    "02-variant",
    "One of several",
    "02-write",
    "02-rules",
    see=("chapter 02, *One of several*", "speedy-derive 0.8.7 `src/lib.rs`"),
)
def variant(draws: Draws) -> Task:
    card = Payment.Card(draws.within(1, 250))
    transfer = Payment.Transfer(-draws.within(1, 60), draws.within(1, 250))
    value = card if draws.first else draws.pick([card, transfer])
    fields = {Payment.Card: ["digits"], Payment.Transfer: ["days", "fee"]}[type(value)]
    called = ", ".join(f"{name}={getattr(value, name)}" for name in fields)
    return write(
        "The enum `Payment` has three variants, in this order: `Cash` without a field, `Card` with "
        "`digits: u16`, and `Transfer` with `days: i32` and `fee: u16`. Write the bytes of "
        f"`Payment.{type(value).__name__}({called})` in Speedy.",
        value,
        speedy,
        [m.OneByteTags, m.NoTag, m.CountedFromOne, m.OtherOrder, m.Aligned],
        why="The index of the variant comes first, a `u32`, and then the fields of that variant.",
        hints=[
            "A reader has to know which variant follows.",
            "The first variant has the index 0, and the index takes four bytes.",
            "Behind the index stand the fields of that variant alone, at the width of their types.",
        ],
    )


@ask("02-read", "Read a quantity", "02-read", see=("chapter 02, *Read it by hand*",))
def read(draws: Draws) -> Task:
    value = (
        DocumentItem("ok", -3, 12)
        if draws.first
        else DocumentItem(draws.word(1, 5), -draws.within(2, 120), draws.within(1, 250))
    )
    data = speedy.encode(value)
    at = 4 + len(value.sku)
    four = data[at : at + 4]
    return number(
        f"{FIELDS} Somebody sends you {spelled(data)}, an item in Speedy. What is its `qty`?",
        int(speedy.decode(data, DocumentItem).qty),
        [
            (
                int.from_bytes(four, "little"),
                "You read it without a sign. `qty` is an `i32`: the "
                "top bit counts \u22122\u00b3\u00b9.",
            ),
            (
                int.from_bytes(four, "big", signed=True),
                "You read the four bytes with the highest first. Speedy writes the lowest first.",
            ),
            (four[0], "You read its first byte alone. An `i32` has four."),
            (
                four[0] - 255,
                "You turned the bits over and forgot to add 1: `ff ff ff ff` is \u22121.",
            ),
            (
                int.from_bytes(data[at - 1 : at + 3], "little", signed=True),
                "You began one byte too early. The text ends a byte later.",
            ),
            (
                len(value.sku),
                "That is the length of the text, the first four bytes. `qty` stands "
                "behind the text.",
            ),
            (value.price_minor, "That is the price. `qty` stands before it."),
        ],
        why="Behind the length and the text stand its four bytes, in two's complement.",
        solution=reasoned(
            f"The length says {data[0]}, so the text ends before byte {4 + data[0]}",
            f"Bytes {at} to {at + 3}, {spelled(four)}, are {plain(_unsigned(four))} without a sign",
            f"That is at least 2^31, so subtract 2^32: {plain(_unsigned(four) - 2**32)}",
            answer=_unsigned(four) - 2**32,
        ),
        hints=[
            "The first four bytes are the length of the text. Where does the text end?",
            f"`qty` is {spelled(four)}, with the lowest byte first.",
            "An `i32` that ends in `ff` is negative: `ff ff ff ff` is \u22121.",
        ],
    )


def _unsigned(data: bytes) -> int:
    return sum(byte * 256**place for place, byte in enumerate(data))


class BigEndianSpeedy(Speedy):
    """Speedy with the `BigEndian` context of the crate."""

    name = "speedy with a BigEndian context"
    order = "big"


@ask(
    "02-big",
    "The other end first",
    "02-order",
    see=("chapter 02, *Whose byte order?*", "speedy 0.8.7 `src/context.rs`"),
)
def big(draws: Draws) -> Task:
    value = (
        DocumentMeta("uf", 300)
        if draws.first
        else DocumentMeta(draws.word(2, 4), draws.within(256, 70_000))
    )
    return write(
        f"A program asks Speedy for its `BigEndian` context. Write the bytes of "
        f'`DocumentMeta("{value.region}", {value.version})`, which has `region: str` and '
        f"`version: i32`. In hexadecimal {value.version} is `{value.version:04x}`, and the text is "
        f"{spelled(value.region.encode())}.",
        value,
        BigEndianSpeedy(),
        [
            (
                m.OtherOrder,
                "That is the default, little endian. In this context the byte that "
                "counts most comes first.",
            ),
            (
                m.TextTurned,
                "You turned the text round. A byte order is about the bytes of one "
                "number; a text keeps its order in either.",
            ),
        ],
        slips=[
            (
                len(value.region).to_bytes(4, "big")
                + value.region.encode()
                + value.version.to_bytes(4, "big").lstrip(b"\0"),
                "The version is an `i32`, four bytes. In big endian its zeros come first.",
            ),
            (
                len(value.region).to_bytes(4, "little")
                + value.region.encode()
                + value.version.to_bytes(4, "big"),
                "The length is a number as well: its order changes too.",
            ),
            (
                len(value.region).to_bytes(4, "big")
                + value.region.encode()
                + value.version.to_bytes(4, "little"),
                "You changed the length only. The version is a number too.",
            ),
            (
                speedy.encode(value)[::-1],
                "You turned the whole message round. The fields keep "
                "their order, and so does the text; only the bytes of each number change places.",
            ),
        ],
        why="Both numbers, the length and the version, begin with the byte that counts most. The "
        "text stays.",
        hints=[
            "Which parts of this message are numbers? There are two.",
            "The order concerns the bytes inside one number. The fields stay where they are.",
            f"The length is {spelled(len(value.region).to_bytes(4, 'big'))}.",
        ],
    )


@ask(
    "02-order",
    "On another machine",
    "02-order",
    see=("chapter 02, *Whose byte order?*", "speedy 0.8.7 `src/context.rs`"),
)
def machine(draws: Draws) -> Task:
    value = 11 if draws.first else draws.within(2, 999)
    return write(
        f"The number {value:,} is `{value:08x}` in hexadecimal. A program on a big-endian machine "
        "encodes it as a `u32` with Speedy and chooses no context. Which four bytes does it "
        "write?",
        value,
        speedy,
        [
            (
                m.OtherOrder,
                "That would be the machine's own order. Speedy's default context is "
                "little endian on every machine, and turns the bytes there.",
            ),
            m.DigitsTurned,
            m.AsShortAsPossible,
        ],
        type=u32,
        why="Unless asked, Speedy is little endian on every host. The article calls it "
        "native-endian; on the usual machine both give the same bytes.",
        note="Where a program chooses no context, Speedy's is little endian, on every machine.",
        hints=[
            "Who chooses the order: the machine, or the crate?",
            "Speedy's default context is the same on every machine.",
            "It is the order that the messages in this chapter have.",
        ],
    )


@ask("02-fate", "One byte, changed", "02-break", see=("chapter 02, *Break one byte*",))
def fate(draws: Draws) -> Task | None:
    value = DocumentItem(draws.word(2, 4), draws.within(3, 60), draws.within(1, 250))
    data = bytearray(speedy.encode(value))
    letters, qty = len(value.sku), 4 + len(value.sku)
    case = 0 if draws.first else draws.within(0, 4)
    at, byte, words = [
        (0, letters + 1, "the length says one more"),
        (4 + letters - 1, 0xFF, "the last letter becomes `ff`"),
        (qty, draws.within(1, 250), "the lowest byte of the quantity changes"),
        (3, 1, "the highest byte of the length becomes 1"),
        (qty + 1, draws.within(1, 9), "the second byte of the quantity changes"),
    ][case]
    if data[at] == byte:
        return None  # nothing changes
    data[at] = byte
    found = speedy.trace_decode(bytes(data), DocumentItem)
    return Verdict(
        prompt=f"{FIELDS} In Speedy {shown(value)} is {spelled(speedy.encode(value))}. Now "
        f"{words}: {spelled(bytes(data))}. Does the decoder accept these bytes? If so, what is "
        "`qty`? If not, at which byte does it stop, counted from 0? (Where bytes run out, it stops "
        f"at the end, byte {len(data)}.)",
        right=verdict(found, lambda decoded: decoded.qty),
        why=f"In the decoder's words: {found.error.reason}."
        if found.error
        else "Any four bytes are a quantity, so the decoder cannot notice.",
        slips=tuple(Slip(*pair) for pair in _fates(value, bytes(data))[case]),
        solution=_walked(data),
        hints=(
            "Decode it as the decoder does: length, text, quantity, price.",
            "Any four bytes are an `i32`. A text has to be UTF-8, and all of it has to be there.",
            f"The length says {plain(_unsigned(data[:4]))}. How far does the text reach then?",
        ),
        asks="The value of `qty`",
    )


def _fates(value: DocumentItem, data: bytes) -> list[list[tuple[str, str]]]:
    """For each case of the question what readers may say, and what to say to them."""
    end, qty = len(data), 4 + len(value.sku)
    before = f"accepted {value.qty}"
    enough = (f"refused {end}", "No byte is missing. Each field finds as many as it takes.")
    moved = int.from_bytes(data[qty + 1 : qty + 5], "little", signed=True)
    return [
        [
            (
                before,
                "That was the quantity before the change. The text now takes its first byte, and "
                "all that follows begins one byte later.",
            ),
            ("refused 0", "A length of one more can be read. What does it do to what follows?"),
            (f"refused {qty}", "The text takes that byte, and below `80` any byte is ASCII."),
            (
                f"accepted {moved}",
                "That is what stands in the quantity's place now. But the price follows, and the "
                "decoder reads all fields before it returns an item.",
            ),
            (
                f"refused {qty + 5}",
                "There the price begins. Some of its bytes are there; the decoder stops where they "
                "run out.",
            ),
        ],
        [
            (
                before,
                "The quantity is as it was. But the decoder comes to the text first, and a text "
                "has to be UTF-8.",
            ),
            ("refused 4", "There the text begins. Up to which byte is it UTF-8?"),
            (f"refused {end}", "The decoder stops before it gets to the end."),
            ("refused 0", "The length is as it was. The decoder goes on from there."),
        ],
        [
            (before, "That was the quantity before the change. Its lowest byte is another now."),
            (f"refused {qty}", "Nothing is wrong with that byte: any four bytes are an `i32`."),
            enough,
            (
                f"accepted {int.from_bytes(data[qty : qty + 4], 'big', signed=True)}",
                "You read the four bytes with the highest first. The lowest comes first.",
            ),
        ],
        [
            (
                before,
                "That was the quantity before the change. The text now claims more than 16 million "
                "bytes, and the decoder does not get beyond it.",
            ),
            ("refused 3", "Any four bytes are a length. What does this one ask for?"),
            (
                "refused 4",
                "There the text begins. Some of its bytes are there; the decoder stops where they "
                "run out.",
            ),
            ("refused 0", "The length can be read. What it asks for is not there."),
        ],
        [
            (before, "That was the quantity before the change. Its second byte is another now."),
            (f"refused {qty + 1}", "Nothing is wrong with that byte: any four bytes are an `i32`."),
            enough,
            (
                f"accepted {data[qty] + data[qty + 1]}",
                "You added the two bytes. The second one counts 256 times as much as the first.",
            ),
        ],
    ]


def _walked(data: bytearray) -> Solution:
    """What a decoder meets, by plain arithmetic."""
    length = _unsigned(data[:4])
    steps, end = [f"The length says {plain(length)}"], 4 + length
    if end > len(data):
        steps.append(f"Only {len(data) - 4} bytes are left, so the text is cut short")
        return reasoned(*steps, answer=f"refused {len(data)}")
    bad = [at for at in range(4, end) if data[at] == 0xFF]
    if bad:
        steps.append(f"Byte {bad[0]} is `ff`, which occurs in no UTF-8 text")
        return reasoned(*steps, answer=f"refused {bad[0]}")
    steps.append(f"The text is bytes 4 to {end - 1}")
    four = data[end : end + 4]
    read = _unsigned(four) - (2**32 if four[3] > 127 else 0)
    steps.append(f"The quantity is {spelled(bytes(four))}, {plain(read)}")
    left = len(data) - end - 4
    if left < 8:
        steps.append(f"The price takes 8 bytes, and {left} are left")
        return reasoned(*steps, answer=f"refused {len(data)}")
    steps.append("The price takes the last eight bytes")
    return reasoned(*steps, answer=f"accepted {read}")
