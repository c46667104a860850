"""What several chapters draw from."""

from __future__ import annotations

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
