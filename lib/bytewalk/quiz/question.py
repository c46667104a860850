"""A question of the bank, and its draws."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import msgspec

from bytewalk.quiz.draws import Draws
from bytewalk.quiz.kinds import Task

Make = Callable[[Draws], Task | None]
DRAWS = 30  # that a page carries
_ATTEMPTS = 200


class Unfit(RuntimeError):
    """A question of which no draw is fit: a fault of the bank."""


class Question(msgspec.Struct, frozen=True):
    """A question of the bank.

    objectives: those of the chapter that it serves. title: a few words for lists. make: builds the
    task of a draw, or None where it drew what cannot be asked. references: where to read on.
    varied: whether its draws differ in more than the order of the choices.
    """

    id: str
    chapter: str
    title: str
    objectives: tuple[str, ...]
    make: Make
    references: tuple[str, ...]
    varied: bool = True

    @property
    def seeds(self) -> range:
        """The draws that a page carries."""
        return range(DRAWS if self.varied else 1)

    def draw(self, seed: int = 0) -> Task:
        """The task for a seed, the same everywhere: the first attempt that is fit.

        Raises ValueError for a seed outside a u64, `Unfit` if no attempt is fit.
        """
        Draws(self.id, seed)  # True and 1.0 would find the draw of 1 in the cache
        return _draw(self, seed)


@lru_cache(maxsize=4096)
def _draw(question: Question, seed: int) -> Task:
    for attempt in range(_ATTEMPTS):
        task = question.make(Draws(question.id, seed, attempt))
        if task is not None and task.fit():
            return task
    raise Unfit(
        f"{question.id}: in {_ATTEMPTS} attempts no draw of seed {seed} has a right answer and "
        "misconceptions that all differ"
    )


class Chapter:
    """Collects the questions of one chapter as their functions are defined."""

    def __init__(self, chapter: str) -> None:
        self.chapter = chapter
        self.questions: list[Question] = []

    def ask(
        self, id: str, title: str, *objectives: str, see: tuple[str, ...], varied: bool = True
    ) -> Callable[[Make], Make]:
        """A decorator: the function below it builds the tasks of this question."""

        def add(make: Make) -> Make:
            self.questions.append(Question(id, self.chapter, title, objectives, make, see, varied))
            return make

        return add
