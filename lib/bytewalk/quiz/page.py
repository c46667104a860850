"""A question as an element of the page, and the list of all questions.

The element carries the draws of its question as data, so it needs no kernel and no network. The
data is compact, because draws of one question are alike, and its letters and digits are turned by
13 and 5 (ROT13, as spoilers were once hidden): not in clear sight in the source, and no secret.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Sequence
from typing import Any

from bytewalk.quiz.kinds import Bytes, Choice, Feedback, Range, Task
from bytewalk.quiz.question import Question
from bytewalk.quiz.sentences import SENTENCES
from bytewalk.show.html import escape, plain, prose, styled

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_TURN = str.maketrans(
    _LETTERS + _LETTERS.upper() + "0123456789",
    _LETTERS[13:] + _LETTERS[:13] + (_LETTERS[13:] + _LETTERS[:13]).upper() + "5678901234",
)
_SAID = {  # by every kind, and by each
    "": ("empty", "huge", "right"),
    "bytes": (
        *("digit", "odd", "byte", "quote"),
        *("front", "differs", "tens", "letter", "short", "long"),
    ),
    "number": ("number", "decimal", "unit", "places", "whole", "large", "small"),
    "choice": ("choice",),
    "order": ("order", "later"),
    "range": ("range", "outside", "stranger", "part"),
    "verdict": (
        *("verdict", "number", "decimal", "unit", "whole", "which", "where"),
        *("accepts", "refuses", "otherwise", "further", "earlier"),
    ),
    "argument": ("brief", "compare"),
}
_PER_ROW = 8


class Asked:
    """A question put to the reader: one draw of it. See `bytewalk.quiz.ask`."""

    def __init__(self, question: Question, seed: int) -> None:
        self.question = question
        self.seed = seed
        self.task = question.draw(seed)

    def check(self, answer: Any) -> Feedback:
        """What an answer is told; text in the notations of the page, or a Python value. A choice,
        which the page has only to be ticked, may be given by its words as well."""
        if isinstance(self.task, Choice):
            answer = self.task.by_words(answer)
        return self.task.check(answer)

    def hint(self, number: int = 1) -> str:
        """Hint 1, 2, ... of the question; behind the last one, what else there is."""
        hints = self.task.hints
        if type(number) is int and 1 <= number <= len(hints):
            return hints[number - 1]
        return "No further hint. .solution shows the worked solution."

    @property
    def solution(self) -> Any:
        """The worked solution."""
        return self.task.solution

    def __repr__(self) -> str:
        task = self.task
        lines = [f"{_heading(self.question)} {plain(task.prompt)}"]
        lines += [f"  {n}. {plain(line)}" for n, line in enumerate(_listed(task), 1)]
        if isinstance(task, Range):
            lines += _rows(task.data)
        lines.append(f"{task.instruction} .hint(1) and .solution help.")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        task, question = self.task, self.question
        listed = "".join(f"<li>{prose(line)}</li>" for line in _listed(task))
        shown = f'<ol class="bw-listed">{listed}</ol>' if listed else ""
        if isinstance(task, Range):
            shown = f'<pre class="bw-mono">{escape(chr(10).join(_rows(task.data)))}</pre>'
        steps = "".join(f"<li>{prose(step)}</li>" for step in task.solution.steps)
        sources = "; ".join(map(prose, question.references))
        return styled(
            f'<bw-quiz class="bw bw-quiz" style="display:block" id="question-{question.id}" '
            f"data-bytewalk=\"quiz\" data-quiz='{_attribute(self._data())}'>"
            f"<p><strong>{escape(_heading(question))}</strong> "
            f'<span class="bw-ask">{prose(task.prompt)}</span></p>{shown}'
            f"<details><summary>Worked solution</summary><ol>{steps}</ol>"
            f'<p class="bw-note">Read on: {sources}.</p></details></bw-quiz>',
            "quiz",
        )

    def _data(self) -> str:
        seeds = list(dict.fromkeys([self.seed, *self.question.seeds]))
        if not self.question.varied:
            seeds = [self.seed]
        tasks = [self.question.draw(seed) for seed in seeds]
        said = {name: SENTENCES[name] for name in (*_SAID[""], *_SAID[self.task.kind])}
        data = {
            "id": self.question.id,
            "kind": self.task.kind,
            "seeds": [seed if seed < 2**53 else str(seed) for seed in seeds],  # exact in a script
            "say": said,
            "draws": packed([_drawn(task) for task in tasks]),
        }
        return json.dumps(data, ensure_ascii=False, separators=(",", ":")).translate(_TURN)


def _heading(question: Question) -> str:
    return question.title + ("" if question.title.endswith("?") else ".")


def _attribute(text: str) -> str:
    """Text for an attribute in single quotes."""
    return html.escape(text, quote=False).replace("'", "&#39;")


def _listed(task: Task) -> Sequence[str]:
    return task.choices if isinstance(task, Choice) else getattr(task, "steps", ())


def _rows(data: bytes) -> list[str]:
    return [f"{at:4}  {data[at : at + _PER_ROW].hex(' ')}" for at in range(0, len(data), _PER_ROW)]


def _drawn(task: Task) -> list:
    """What the page needs of one draw. A wrong answer in bytes is given field by field, "=" for a
    field that is right."""
    slips = [[slip.answer, slip.says] for slip in task.slips]
    if isinstance(task, Bytes):
        for shown, slip in zip(slips, task.slips, strict=True):
            if slip.parts:
                pairs = zip(slip.parts, task.fields(), strict=True)
                shown[0] = " ".join("=" if mine == right else mine for mine, right in pairs)
    steps, hints = list(task.solution.steps), list(task.hints)
    return [task.prompt, steps, task.right, task.why, slips, hints, task.extra()]


# --- Draws that are alike -----------------------------------------------------------------------


def packed(column: list) -> list:
    """A list of alike values, one for each draw, with what they share written once:

    [0, value]: all the same. [1, column, ...]: lists of one length, place by place. [2, column,
    ...]: strings of as many pieces, piece by piece. [3, [group of each], column, ...]: groups of
    one shape. [4, value, ...]: each for itself. `unpack` in quiz.js is the inverse.
    """
    first = column[0]
    if all(value == first for value in column):
        return [0, first]
    if isinstance(first, list | str) and len(set(map(type, column))) == 1:
        shapes = [_shape(value) for value in column]
        groups = sorted(set(shapes))
        if len(groups) == 1:
            parts = [_pieces(value) if isinstance(value, str) else value for value in column]
            if len(parts[0]) > 1 or isinstance(first, list):
                places = [packed(list(place)) for place in zip(*parts, strict=True)]
                return [2, *_joined(places)] if isinstance(first, str) else [1, *places]
        elif len(groups) < len(column) / 2:
            members = [
                [value for value, shape in zip(column, shapes, strict=True) if shape == group]
                for group in groups
            ]
            return [3, [groups.index(shape) for shape in shapes], *map(packed, members)]
    return [4, *column]


def _shape(value: Any) -> int:
    return len(_pieces(value)) if isinstance(value, str) else len(value)


def _pieces(text: str) -> list[str]:
    """Words, what stands between them, and code in backquotes as one piece."""
    return re.findall(r"`[^`]*`|\w+|[^\w`]+|`", text)


def _joined(places: list[list]) -> list[list]:
    """Neighbouring pieces that are the same in each draw become one."""
    joined: list[list] = []
    for place in places:
        if joined and place[0] == joined[-1][0] == 0:
            joined[-1] = [0, joined[-1][1] + place[1]]
        else:
            joined.append(place)
    return joined


# --- All questions ------------------------------------------------------------------------------


class Overview:
    """All questions by chapter, with the reader's progress. See `bytewalk.quiz.overview`."""

    def __init__(self, chapters: Sequence[tuple[str, str, Sequence[Question]]], link: str) -> None:
        self.chapters = chapters
        self.link = link

    def __repr__(self) -> str:
        lines = []
        for _, title, questions in self.chapters:
            lines.append(title)
            lines += [f"  {question.id}  {question.title}" for question in questions]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        body = ""
        for page, title, questions in self.chapters:
            rows = "".join(
                f'<li data-question="{question.id}"><a href="'
                f'{escape(self.link.format(page=page))}#question-{question.id}">'
                f"{escape(question.title)}</a> <code>{question.id}</code></li>"
                for question in questions
            )
            body += f"<h3>{escape(title)}</h3><ul>{rows}</ul>"
        return styled(
            '<bw-progress class="bw bw-progress" style="display:block" data-bytewalk="progress">'
            f"{body}</bw-progress>",
            "quiz",
        )
