"""What a reader of the walk keeps besides its values: the budget, and the path."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import msgspec

from bytewalk.errors import LimitExceeded, OutOfRange, TooDeep
from bytewalk.integers import count
from bytewalk.trace import Role, Span
from bytewalk.types import MOST_EMPTY_ITEMS, MOST_LEVELS, Node, StructType


class Budget:
    """Bounds what costs the other side little: levels of recursion, zero-byte items, and with a
    limit (in bytes, on decode) what the message claims."""

    def __init__(self, limit: int | None = None) -> None:
        self.levels = 0
        self.empty_items = 0
        self.limit = limit
        self.claimed = 0

    def deeper(self, node: Node, offset: int | None = None) -> None:
        self.levels += 1
        if self.levels > MOST_LEVELS:
            raise TooDeep(
                f"more than {MOST_LEVELS} levels of {node.label} inside itself", offset=offset
            )

    def spend(self, items: int, offset: int | None = None) -> None:
        self.empty_items += items
        if self.empty_items > MOST_EMPTY_ITEMS:
            raise OutOfRange(
                f"{self.empty_items:,} items that take no byte; more than {MOST_EMPTY_ITEMS:,} "
                "are refused",
                offset=offset,
            )

    def claim(self, size: int, offset: int | None = None) -> None:
        self.claimed += size
        if self.limit is not None and self.claimed > self.limit:
            raise LimitExceeded(
                f"{count(self.claimed)} claimed, more than the limit of {self.limit:,}",
                offset=offset,
            )


_END = object()


class Path:
    """Where in the value the walk stands, as a list of pieces."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.pieces: list[str | int] = []  # a number is an index

    @property
    def path(self) -> str:
        pieces = (f"[{piece}]" if isinstance(piece, int) else piece for piece in self.pieces)
        return "".join(pieces).removeprefix(".")

    def inside(self, pieces: Iterator[str | int], steps: Iterator[Any]) -> Iterator[Any]:
        """The same steps, each with its piece of the path in place while it is walked."""
        self.pieces.append("")
        # The piece stands before its step is made, and the steps run to their own end.
        for piece in itertools.chain(pieces, [""]):
            self.pieces[-1] = piece
            step = next(steps, _END)
            if step is _END:
                break
            yield step
        self.pieces.pop()

    def at_key(self, key: Any) -> None:
        shown = repr(key)
        self.pieces[-1] = f"[{shown if len(shown) <= 40 else shown[:37] + '...'}]"


def names(node: StructType) -> Iterator[str]:
    return (f".{field.name}" for field in node.fields)


def keys() -> Iterator[str]:
    return (f"[key {index}]" for index in itertools.count())


def payload(data: bytes, role: Role) -> str:
    return f"UTF-8, {count(len(data))}" if role == "text" else f"{count(len(data))} as they are"


class Noting:
    """For readers of the walk that record spans: a word about the last one."""

    spans: list[Span]

    def note(self, what: str) -> None:
        self.spans[-1] = msgspec.structs.replace(
            self.spans[-1], rule=f"{self.spans[-1].rule}: {what}"
        )
