"""Two roads to the same bytes: derive, traits, dispatch, counts."""

from __future__ import annotations

from bytewalk import measure
from bytewalk.formats import bincode, speedy
from bytewalk.quiz import misconceptions as m
from bytewalk.quiz.bank.common import shown
from bytewalk.quiz.draws import Draws
from bytewalk.quiz.kinds import Task, argue, choose, number, sort, write
from bytewalk.quiz.question import Chapter
from bytewalk.quiz.working import plain, total
from bytewalk.records import DocumentItem
from bytewalk.types import Record, i32, i64

chapter = Chapter("05")
ask = chapter.ask


class PriceFirst(Record):
    """An item whose two numbers have changed places."""

    sku: str
    price_minor: i64
    qty: i32


class SkuLast(Record):
    qty: i32
    price_minor: i64
    sku: str


class QuantityFirst(Record):
    qty: i32
    sku: str
    price_minor: i64


@ask("05-reorder", "Another declaration", "05-derive", see=("chapter 05, *The derived road*",))
def reorder(draws: Draws) -> Task:
    kind = PriceFirst if draws.first else draws.pick([PriceFirst, SkuLast, QuantityFirst])
    values = {
        "sku": draws.word(1, 2),
        "qty": draws.within(1, 99),
        "price_minor": draws.within(1, 250),
    }
    value, old = kind(**values), DocumentItem(**values)
    fields = kind.__match_args__
    declared = ", ".join(
        f"`{name}: {'str' if name == 'sku' else 'i32' if name == 'qty' else 'i64'}`"
        for name in fields
    )
    return write(
        f"You declare an item's fields in this order: {declared}. You derive the code anew and "
        f'encode the item with `sku` "{value.sku}", `qty` {value.qty} and `price_minor` '
        f"{value.price_minor}. Write its bytes in Speedy. In UTF-8 the text is "
        f"`{value.sku.encode().hex(' ')}`.",
        value,
        speedy,
        [m.NamesWritten, m.Aligned, m.OtherOrder, m.NoLengths],
        slips=[
            (
                speedy.encode(old),
                "Those are the bytes of the old declaration. A derive reads the "
                "fields from top to bottom and writes its lines in that order.",
            ),
        ],
        why="The derive read this declaration, so the bytes follow it. A reader with the old code "
        "would misread them.",
        hints=[
            "The order of the bytes is the order of the declaration.",
            f"So the first field is `{fields[0]}`, and the last one `{fields[-1]}`.",
            "Each field is written as before: the text with its length, the numbers at the width "
            "of their types.",
        ],
    )


@ask("05-rename", "A new name", "05-derive", see=("chapter 05, *The derived road*",), varied=False)
def rename(draws: Draws) -> Task:
    class Renamed(Record):
        sku: str
        amount: i32
        price_minor: i64

    assert speedy.encode(Renamed("A", 1, 2)) == speedy.encode(DocumentItem("A", 1, 2))
    return choose(
        "You rename the field `qty` to `amount`, change nothing else, and compile again. Which "
        "bytes of an item change, in Speedy and in bincode?",
        "none",
        [
            (
                "the bytes of the name",
                "No name is in the message. It is in the program that reads.",
            ),
            (
                "the bytes of the field's number, because the fields are sorted by name",
                "The order is that of the declaration, and it did not change.",
            ),
            ("all bytes behind the first field", "Nothing moved. Types and order are as before."),
        ],
        draws,
        why="Types and order make the bytes. The name was used while the code was written, and is "
        "gone after that.",
        steps=[
            "A message holds values in the order of declaration",
            "Neither the types nor the order changed",
        ],
        hints=[
            "Look for a name in a dump of Speedy.",
            "What do the bytes of an item depend on? The names are not among it.",
        ],
    )


@ask(
    "05-lookups",
    "How often is a type looked up?",
    "05-derive",
    see=("chapter 05, *The derived road*",),
)
def lookups(draws: Draws) -> Task:
    fields, values = (3, 1_000) if draws.first else (draws.within(4, 12), draws.within(20, 900))
    return number(
        f"A record has {fields} fields. You derive an encoder for it and encode {values:,} "
        "records. How often, in all, is the wire type of a field looked up?",
        fields,
        [
            (
                fields * values,
                "That is the walk, which consults a description for every value. The "
                "derived code was written before the first one.",
            ),
            (values, "Not once per record either. The derived code holds no type to look up."),
            (0, "Somebody has to read the declaration: the derive, once for each field."),
            (
                fields * (values + 1),
                "The values do not count. After the code is written, nothing is looked up.",
            ),
        ],
        unit="times",
        why="Once for each field, when the code was written.",
        solution=total(
            [("While the code is written", fields), ("While the records are encoded", 0)], "times"
        ),
        hints=[
            "When does a derive read the declaration, and how often?",
            "What does the derived code look up when it encodes a record?",
        ],
    )


@ask(
    "05-reading",
    "Who calls whom?",
    "05-traits",
    see=("chapter 05, *Who visits on the way back?*", "serde_core 1.0.228 `src/de/mod.rs`"),
    varied=False,
)
def reading(draws: Draws) -> Task:
    return sort(
        "A program reads an item from JSON, through Serde. Bring the steps into order.",
        [
            (
                "The derived `Deserialize` makes a visitor and hands it to the format.",
                "It begins, because only the type knows what it wants.",
            ),
            (
                "The format looks at the data and finds an object with names.",
                "The format needs a visitor before it can report what it finds.",
            ),
            (
                "The format calls the visitor's method for that, `visit_map`.",
                "It can call the right method only after it has looked.",
            ),
            (
                "The visitor takes the entries, one after another.",
                "It takes what the format offers, and so the format has called it.",
            ),
            ("The visitor builds the item and returns it.", "An item needs all its values first."),
        ],
        draws,
        why="The type hands over a visitor, the format calls it with what it has found.",
        hints=[
            "Who knows what comes next in JSON, the type or the data?",
            "The type begins, because only it knows what it wants. The format has the data.",
        ],
    )


_SITUATIONS = (
    ("A program encodes a record with bincode, through Serde. It comes to an `i32`.", 0),
    ("A program writes a record as JSON, through Serde. It comes to a text.", 0),
    ("A JSON reader of Serde has found a number and hands it on.", 1),
    ("bincode reads a record through Serde. It has decoded an `i32` and hands it on.", 1),
    ("A record is written to postcard, through Serde, and one of its fields is a list.", 0),
    ("A reader of MessagePack has found a list of five and hands it on, through Serde.", 1),
)


@ask(
    "05-trait",
    "Serializer or Visitor?",
    "05-traits",
    see=("chapter 05, *Who visits on the way back?*",),
)
def trait(draws: Draws) -> Task:
    situation, which = draws.turn(_SITUATIONS)
    answers = ["a method of the Serializer", "a method of the Visitor"]
    wrong = [
        (
            answers[1 - which],
            "A Visitor is handed what a reader has found. Here a value is "
            "written, and knows what it is."
            if which == 0
            else "A Serializer is called to write. Here something was read.",
        ),
        (
            "both, the Serializer first",
            "Only one direction is at work. Writing has no visitor, and reading no serializer.",
        ),
        (
            "neither: the record itself is",
            "The record only says what it consists of, or what it "
            "wants. The trait stands between it and the format.",
        ),
    ]
    return choose(
        f"{situation} What is called?",
        answers[which],
        wrong,
        draws,
        why="The Serializer writes." if which == 0 else "A Visitor is handed what was found.",
        steps=[
            f"This is {'writing' if which == 0 else 'reading'}",
            "Serializer is the trait for writing, Visitor one for reading",
        ],
        hints=[
            "Is this writing or reading?",
            "A Serializer has a method for each kind of value to write, a Visitor one for each "
            "kind that a reader may find.",
        ],
    )


@ask("05-copies", "How many copies?", "05-dispatch", see=("chapter 05, *Settled before it runs*",))
def copies(draws: Draws) -> Task:
    records, formats = (5, 4) if draws.first else (draws.within(3, 20), draws.within(3, 9))
    return number(
        f"A program has {records} records and {formats} formats, and writes each record in each "
        "format through Serde. How many copies of the encoding code does the Rust compiler make?",
        records * formats,
        [
            (
                records + formats,
                "That is how many parts are written: one for each record, one for "
                "each format. The compiler makes a copy for each pair.",
            ),
            (
                1,
                "That would be dynamic dispatch: one code that looks its calls up. Serde's traits "
                "are generic.",
            ),
            (records, "One for each record would have to look up the format while it runs."),
            (formats, "One for each format would have to look up the record while it runs."),
        ],
        unit="copies",
        why="One for each pair that is used. That is monomorphization.",
        solution=total([(f"In format {n}", records) for n in range(1, formats + 1)], "copies"),
        hints=[
            "What does the compiler make of a generic function?",
            "Each copy is made for one record and one format.",
        ],
    )


@ask(
    "05-dispatch",
    "Settled when?",
    "05-dispatch",
    see=("chapter 05, *Settled before it runs*",),
    varied=False,
)
def dispatch(draws: Draws) -> Task:
    return choose(
        "In Rust a function is generic over the trait `Serializer`. When is it settled which "
        "`serialize_i32` a call in it means?",
        "when the compiler makes the copy for one serializer",
        [
            (
                "at each call, by the object's type",
                "That is Python's way, and in Rust that of "
                "`dyn`. Serde's `Serializer` cannot be used as `dyn`.",
            ),
            (
                "at the first call, and kept from then on",
                "Some interpreters do that. Here nothing is left to find when the program runs.",
            ),
            (
                "when the serializer is created",
                "Then the program would have to keep a table of "
                "methods in it. It does not need one: the type is known.",
            ),
        ],
        draws,
        why="The copy was made for one type, so its calls have one target each.",
        hints=[
            "What does monomorphization make, and when?",
            "In such a copy the serializer's type is known.",
        ],
    )


@ask("05-writes", "Pieces that are handed on", "05-count", see=("chapter 05, *Two by two*",))
def writes(draws: Draws) -> Task:
    value = (
        DocumentItem("pear", 250, 70_000)
        if draws.first
        else DocumentItem(
            draws.word(2, 6),
            draws.pick([draws.within(1, 125), draws.within(126, 9_000)]),
            draws.within(126, 90_000),
        )
    )
    counted = measure.count(value, bincode)
    markers = sum(2 * n > 250 for n in (value.qty, value.price_minor))
    return number(
        f"A write is a piece that goes to the output: a text, a number of one byte, a marker, the "
        f"number behind a marker. How many writes does bincode make for {shown(value)}, with "
        "`sku: str`, `qty: i32` and `price_minor: i64`?",
        counted.writes,
        [
            (
                measure.count(value, speedy).writes,
                "That would do at fixed width. A number above "
                "one byte is two pieces here, its marker and what follows.",
            ),
            (
                3,
                "A text is two pieces, its length and its letters, and a marker is one of its own.",
            ),
            (
                counted.bytes,
                "Those are the bytes. A text or a number goes out in one piece, or two "
                "with a marker.",
            ),
            (
                counted.comparisons,
                "Those are the comparisons. They choose the width and write nothing.",
            ),
            (
                4 + 2 - (markers == 2) if markers else 5,
                "Fold the two numbers first, and look which of them is above 250.",
            ),
        ],
        unit="writes",
        why=f"Four pieces, and one more for each marker: {plain(2 * value.qty)} and "
        f"{plain(2 * value.price_minor)} are the places.",
        solution=total(
            [
                ("The length and the text", 2),
                (f"`qty`, place {plain(2 * value.qty)}", 2 if 2 * value.qty > 250 else 1),
                (
                    f"`price_minor`, place {plain(2 * value.price_minor)}",
                    2 if 2 * value.price_minor > 250 else 1,
                ),
            ],
            "writes",
        ),
        hints=[
            "At fixed width there would be four.",
            "Which of the two numbers has a marker? Fold them first.",
            f"The places are {plain(2 * value.qty)} and {plain(2 * value.price_minor)}. Above 250 "
            "there is a marker.",
        ],
    )


@ask("05-belongs", "Format or road?", "05-count", see=("chapter 05, *Two by two*",))
def belongs(draws: Draws) -> Task:
    by_format = {
        "comparisons of a number's size": "Whoever writes these bytes has to choose their number.",
        "tests of a sign": "Whoever folds a number has to look at its sign.",
        "bytes of the message": "Both roads write the same bytes.",
    }
    by_road = {
        "calls of Python functions": "The walk makes hundreds for a document, the derived code a "
        "few.",
        "look-ups of a field's type": "The derived code was written by somebody who had looked.",
        "look-ups of a method by its name": "The derived code names what it needs once, if at all.",
    }
    road, library = draws.turn(
        [(road, library) for library in ("bincode", "postcard") for road in (True, False)]
    )
    mine, others = (by_road, by_format) if road else (by_format, by_road)
    right = draws.pick(list(mine))
    prompt = (
        f"You encode a document in {library}, once by the walk and once by the derived code, and "
        "count. Which of these counts belongs to the "
    ) + (
        "road, so that it changes from the one to the other?"
        if road
        else "format, so that it is the same for both?"
    )
    return choose(
        prompt,
        right,
        [
            (
                other,
                f"That belongs to the {'format' if road else 'road'}. {others[other]}",
            )
            for other in draws.shuffled(list(others))
        ],
        draws,
        why="It is about how one gets from field to field."
        if road
        else "The bytes need it, whichever road leads to them.",
        steps=[
            "The format settles what is written and which tests that takes",
            "The road settles how one gets from field to field",
        ],
        hints=[
            "Would another way through the same code change it?",
            "The two roads write the same bytes.",
        ],
    )


@ask(
    "05-factor",
    "A factor from Python",
    "05-factor",
    see=("chapter 05, *The same table in Rust*",),
    varied=False,
)
def factor(draws: Draws) -> Task:
    return argue(
        "In Python the walk takes more than ten times as long as the derived code. A colleague "
        "concludes that Serde makes encoding ten times slower in Rust. What do you answer?",
        [
            "The walk in Python looks up fields, types and methods while it runs",
            "Serde's code is derived too: in Rust the compiler makes a copy for each record and "
            "format, and nothing is left to look up",
            "What both roads share, the bytes and their tests, belongs to the format",
            "For Rust one has to measure Rust; the recorded runs show little or no cost on "
            "encoding",
        ],
        "Our walk consults a description of the type for every value, and Python looks up every "
        "method by its name. Rust does neither: Serde's implementations are derived, and the "
        "compiler makes one copy for each record and format. So most of what makes the factor in "
        "Python does not exist there. The recorded runs of bincode by its own derive and through "
        "Serde differ little on encoding. The factor says something about this walk, in Python.",
        hints=[
            "What does the walk do at run time that Rust settles before?",
            "What was measured, and what was not?",
        ],
    )
