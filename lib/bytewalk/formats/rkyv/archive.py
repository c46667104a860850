"""The bytes of an archive, and what was read of them."""

from __future__ import annotations

from typing import Any

from bytewalk.errors import UnexpectedEnd, WrongType
from bytewalk.integers import Rule, count, describe


class Reads:
    """Counts what is read of an archive: hand one to `access`, `access_unchecked` or `from_bytes`.

    ranges: every read as (start, end), in order.
    """

    def __init__(self) -> None:
        self.ranges: list[tuple[int, int]] = []

    def __len__(self) -> int:
        return len(self.ranges)

    @property
    def bytes(self) -> int:
        """How many bytes were read, those read twice counted twice."""
        return sum(end - start for start, end in self.ranges)

    def __repr__(self) -> str:
        return f"{count(len(self), 'read')}, {count(self.bytes)}"


class Archive:
    """A buffer that stays where it is. All reads of checks and views pass through here.

    data: bytes-like; it is kept alive, and copied only if it does not lie in one piece. address:
    where its first byte stands in memory, as far as alignment is concerned.
    """

    def __init__(self, data: Any, address: int = 0, reads: Reads | None = None) -> None:
        try:
            view = memoryview(data)
            self.data = view.cast("B") if view.c_contiguous else memoryview(view.tobytes())
        except (TypeError, ValueError):  # a ValueError from a memoryview that has been released
            raise WrongType(f"expected the bytes of an archive, got {describe(data)}") from None
        if type(address) is not int or address < 0:
            raise WrongType(f"an address is an int from 0 up, not {address!r}")
        if reads is not None and not isinstance(reads, Reads):
            raise WrongType(f"reads are counted by a Reads, not by {describe(reads)}")
        self.size = len(self.data)
        self.address = address
        self.reads = reads

    def root(self, size: int) -> int:
        """Where a root of this many bytes stands: at the end (`src/api/mod.rs`)."""
        return max(self.size - size, 0)

    def scalar(self, rule: Rule, at: int) -> Any:
        """The value at `at`, read by its rule."""
        value, end = rule.decode(self.data, at)
        if self.reads is not None:
            self.reads.ranges.append((at, end))
        return value

    def bytes(self, start: int, end: int) -> memoryview:
        if end > self.size:
            raise UnexpectedEnd(f"{count(end - self.size)} more than there are", offset=self.size)
        if self.reads is not None:
            self.reads.ranges.append((start, end))
        return self.data[start:end]
