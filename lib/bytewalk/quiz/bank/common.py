"""What several chapters draw from."""

from __future__ import annotations

from bytewalk.formats import speedy
from bytewalk.quiz import misconceptions as m
from bytewalk.quiz.draws import Draws
from bytewalk.records import DocumentItem

# Each has a letter of two bytes in UTF-8 that is one byte in Latin-1.
ACCENTED = (
    "\u00e9",
    "n\u00e9",
    "\u00fcb",
    "d\u00eda",
    "a\u00f1o",
    "f\u00eate",
    "caf\u00e9",
    "m\u00f6we",
)


FIELDS = "An item has the fields `sku: str`, `qty: i32` and `price_minor: i64`."


def item_of(draws: Draws) -> DocumentItem:
    """An item that is less kind than those of the document: an accent, a negative quantity."""
    sku = draws.pick(ACCENTED)
    return DocumentItem(sku, -draws.within(1, 120), draws.within(1, 90_000))


def shown(item: DocumentItem) -> str:
    """An item as a reader would write it."""
    return f'`DocumentItem("{item.sku}", {item.qty}, {item.price_minor:_})`'


def bytes_at(start: int, end: int) -> str:
    """data[start:end] in words that begin a sentence."""
    return f"Byte {start}" if end - start == 1 else f"Bytes {start} to {end - 1}"


def spelled(data: bytes) -> str:
    return f"`{data.hex(' ')}`"


def write_item(item: DocumentItem, format: str) -> str:
    """What is asked about an item: all of its bytes, with those of its text given."""
    return (
        f"{FIELDS} Write the bytes of {shown(item)} in {format}. In UTF-8 the text is "
        f"{spelled(item.sku.encode())}."
    )


def counted_characters(item: DocumentItem, format: str) -> tuple:
    """The belief that a length counts characters, with this item's own numbers."""
    return (
        m.CharactersCounted,
        f"You counted characters; {format} counts bytes. `{item.sku}` "
        f"has {len(item.sku.encode())}.",
    )


def fixed_lengths(wide: str) -> list[tuple]:
    """The beliefs that a varint format writes the text's length at a fixed width. wide: who does
    that in eight bytes."""
    said = "You wrote the text's length at a fixed width. Here a length is a varint as well."
    return [
        (m.ShortLengths, f"{said} Speedy's are four bytes."),
        (m.LongLengths, f"{said} {wide}"),
    ]


def speedys(item: DocumentItem) -> tuple[bytes, str]:
    """Speedy's bytes, where those of a varint format are asked for."""
    return (
        speedy.encode(item),
        "Those are Speedy's bytes, with fixed widths. Here the width of a number follows its "
        "value.",
    )
