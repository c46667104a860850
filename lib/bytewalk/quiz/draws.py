"""The random choices of a question: the same for the same question and seed, everywhere.

The stream is that of the suite's generator, so it depends on no version of Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from bytewalk.fixtures import Draw

T = TypeVar("T")


class Draws(Draw):
    """Draws for one question. seed: which practice draw, 0 up. attempt: counts on from 0 while
    what was drawn is not fit."""

    def __init__(self, question: str, seed: int, attempt: int = 0) -> None:
        if type(seed) is not int or not 0 <= seed < 2**64:
            raise ValueError(f"the seed is an int from 0 to 2^64 - 1, not {seed!r}")
        super().__init__(question, seed, attempt)
        self.seed = seed
        self.first = seed == 0 and attempt == 0  # where the question's own example belongs

    def pick(self, things: Sequence[T]) -> T:
        return things[self.within(0, len(things) - 1)]

    def turn(self, things: Sequence[T]) -> T:
        """One after the other, by the seed: draws that are neighbours get different ones."""
        return things[self.seed % len(things)]

    def shuffled(self, things: Sequence[T]) -> list[T]:
        left, result = list(things), []
        while left:
            result.append(left.pop(self.within(0, len(left) - 1)))
        return result

    def some(self, things: Sequence[Any], count: int) -> list[Any]:
        """`count` different ones, in the order of the draw."""
        return self.shuffled(things)[:count]
