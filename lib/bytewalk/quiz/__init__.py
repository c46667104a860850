"""Self-checks that answer back: a bank of questions whose answers the codecs compute.

    quiz.ask("02-item")                        seed 0, the first draw on the page
    quiz.ask("02-item", seed=7)                another draw, the same everywhere
    quiz.ask("02-item").check("01 00 00 00")   what an answer is told: .correct and .text

`questions("02")` lists those of a chapter, `bank()` all of them, and `overview()` shows them with
the reader's progress.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from bytewalk.quiz.bank import CHAPTERS, load
from bytewalk.quiz.kinds import Feedback
from bytewalk.quiz.page import Asked, Overview
from bytewalk.quiz.question import Question

__all__ = ["Asked", "Feedback", "Overview", "Question", "ask", "bank", "overview", "questions"]


@cache
def bank() -> Mapping[str, Question]:
    """All questions by their id, in the order of the chapters."""
    found = [question for chapter in load() for question in chapter.questions]
    return MappingProxyType({question.id: question for question in found})


def questions(chapter: str) -> list[Question]:
    """The questions of a chapter, "03" for instance. Raises ValueError for an unknown one."""
    if not isinstance(chapter, str) or chapter not in CHAPTERS:
        raise ValueError(f"no chapter {chapter!r}; the chapters are {', '.join(CHAPTERS)}")
    return [question for question in bank().values() if question.chapter == chapter]


def ask(id: str, seed: int = 0) -> Asked:
    """A question of the bank, put to the reader: evaluating it shows it.

    seed: which draw of it, 0 to 2^64 - 1. The page carries the seeds 0 to 29 as draws 1 to 30.
    Raises ValueError for an unknown id or a seed outside that range.
    """
    if not isinstance(id, str) or id not in bank():
        raise ValueError(f"no question {id!r}; quiz.bank() lists them")
    return Asked(bank()[id], seed)


def overview(link: str = "../notebooks/{page}.html") -> Overview:
    """All questions by chapter, each with a link to its place, and with the reader's progress.

    link: the address of a chapter's page, seen from the page that shows this; `{page}` stands for
    the page's name, `03-marker-varints` for instance.
    """
    chapters = [
        (page, f"{number} {title}", questions(number)) for number, (page, title) in CHAPTERS.items()
    ]
    return Overview(chapters, link)
