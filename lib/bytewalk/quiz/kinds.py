"""The kinds of questions, and how each judges an answer.

A `Task` is one draw of a question, complete: what is asked, the right answer and the wrong ones
that a misconception leads to, all in the plain form of `answers`. Every kind judges alike: an
answer is right, or a known slip with its own explanation, or `near` says what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import msgspec

from bytewalk.integers import count
from bytewalk.quiz import answers, misconceptions
from bytewalk.quiz.answers import Unreadable
from bytewalk.quiz.sentences import say
from bytewalk.quiz.working import Solution, label, solve
from bytewalk.show.html import prose
from bytewalk.trace import Span, Trace


class Feedback(msgspec.Struct, frozen=True):
    """What an answer is told. correct: None where the reader grades. points: what to compare with
    then, the model answer last."""

    correct: bool | None
    text: str
    points: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return "\n".join((self.text, *(f"- {point}" for point in self.points)))

    def _repr_html_(self) -> str:
        points = "".join(f"<li>{prose(point)}</li>" for point in self.points)
        return f"<p>{prose(self.text)}</p>" + (f"<ul>{points}</ul>" if points else "")


class Slip(msgspec.Struct, frozen=True):
    """A wrong answer in its plain form, and the explanation for those who give it.

    parts: for bytes, the same field by field, where the fields are those of the right answer.
    """

    answer: str
    says: str
    parts: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Task:
    """One draw of a question. why: the reason that a right answer is told."""

    prompt: str
    right: str
    why: str
    solution: Solution
    slips: tuple[Slip, ...] = ()
    hints: tuple[str, ...] = ()

    kind: ClassVar[str]
    least: ClassVar[int] = 3  # different slips that make a draw fit
    instruction: ClassVar[str]  # how to answer in a kernel

    def known(self) -> dict[str, str]:
        """The slips that are no right answer, each wrong answer with its first explanation."""
        found: dict[str, str] = {}
        for slip in self.slips:
            if slip.answer != self.right:
                found.setdefault(slip.answer, slip.says)
        return found

    def fit(self) -> bool:
        """Whether the misconceptions can be told from the right answer and from one another, first
        of all the one that the question is there for."""
        known = self.known()
        return len(known) >= self.least and self.slips[0].answer in known

    def read(self, text: str) -> str:
        """The plain form of an answer. Raises `Unreadable`."""
        raise NotImplementedError

    def near(self, answer: str) -> str:
        """What to say to an answer that is neither right nor known."""
        raise NotImplementedError

    def check(self, answer: Any) -> Feedback:
        """What an answer is told. It may be text as typed in the page, or a Python value."""
        try:
            given = self.read(_as_text(answer))
        except Unreadable as unreadable:
            return Feedback(False, str(unreadable))
        if given == self.right:
            return Feedback(True, say("right", why=self.why))
        return Feedback(False, self.known().get(given) or self.near(given))

    def extra(self) -> list:
        """What the page needs besides, for this kind."""
        return []


def _as_text(answer: Any) -> str:
    if isinstance(answer, bytes | bytearray):
        return answer.hex(" ")
    try:
        return "" if answer is None else str(answer)
    except ValueError:  # Python writes no int of more than some thousand digits
        raise Unreadable(say("huge")) from None


def _told(slips: Sequence[tuple[Any, str]]) -> tuple[Slip, ...]:
    return tuple(Slip(str(answer), says) for answer, says in slips)


@dataclass(frozen=True, kw_only=True)
class Bytes(Task):
    """The reader writes bytes. spans: the fields of the right answer."""

    spans: tuple[Span, ...]

    kind = "bytes"
    instruction = 'Answer with .check("0b 00 ..."): hexadecimal in any notation, or bytes.'

    def read(self, text: str) -> str:
        return answers.read_bytes(text)

    def near(self, answer: str) -> str:
        given, right = bytes.fromhex(answer), bytes.fromhex(self.right)
        for at, (mine, theirs) in enumerate(zip(given, right, strict=False)):
            if mine != theirs:
                return self.believed(answer, at) or say(
                    "differs", at=at, byte=f"{mine:02x}", label=self.label_at(at)
                )
        if len(given) < len(right):
            return say("short", bytes=count(len(given)), label=self.label_at(len(given)))
        return say("long", at=len(right), more=count(len(given) - len(right)))

    def field_at(self, at: int) -> int:
        return next(n for n, span in enumerate(self.spans) if at < span.end)

    def label_at(self, at: int) -> str:
        return label(self.spans[self.field_at(at)])

    def believed(self, answer: str, at: int) -> str | None:
        """The explanation, if the field of the first byte that differs is what a misconception
        would write there: it need not have struck everywhere."""
        field = self.field_at(at)
        start = 2 * self.spans[field].start
        for slip in self.slips:
            part = slip.parts[field] if slip.parts else ""
            if start + len(part) > 2 * at and answer.startswith(part, start):
                return slip.says
        return None

    def extra(self) -> list:
        return [[span.end for span in self.spans], [label(span) for span in self.spans]]


def write(
    prompt: str,
    value: Any,
    format: Any,
    beliefs: Sequence[Any],
    *,
    why: str,
    type: Any = None,
    slips: Sequence[tuple[bytes, str]] = (),
    hints: Sequence[str] = (),
    note: str = "",
    solution: Solution | None = None,
) -> Bytes:
    """A question for the bytes of a value.

    beliefs: misconceptions, the one that the question is there for first; a pair (belief, says)
    replaces its explanation. slips: wrong bytes from elsewhere, another value or another format.
    note: what the worked solution begins with. solution: another one than span by span.
    """
    trace: Trace = format.trace(value, type)
    wrong = []
    for belief in beliefs:
        belief, says = belief if isinstance(belief, tuple) else (belief, belief.says)
        parts = misconceptions.pieces(belief, value, type, format)
        fields = tuple(part.hex() for part in parts) if len(parts) == len(trace.spans) else ()
        wrong.append(Slip(b"".join(parts).hex(), says, fields))
    alone = len(trace.spans) == 1
    wrong += [Slip(data.hex(), says, (data.hex(),) if alone else ()) for data, says in slips]
    return Bytes(
        prompt=prompt,
        right=trace.hex(),
        why=why,
        solution=solution or solve(trace, note),
        slips=tuple(wrong),
        hints=tuple(hints),
        spans=tuple(trace.spans),
    )


@dataclass(frozen=True, kw_only=True)
class Number(Task):
    """The reader gives a number. unit: `bytes` for instance. places: digits behind the point."""

    unit: str = ""
    places: int = 0

    kind = "number"
    instruction = 'Answer with .check(17) or .check("1,000 bytes").'

    def read(self, text: str) -> str:
        return answers.read_number(text, self.places)

    def near(self, answer: str) -> str:
        large = float(answer) > float(self.right)
        return say("large" if large else "small", number=answer.replace("-", "\u2212"))

    def extra(self) -> list:
        return [self.unit, self.places]


def number(
    prompt: str,
    right: float | int,
    slips: Sequence[tuple[float | int, str]],
    *,
    why: str,
    solution: Solution,
    unit: str = "",
    places: int = 0,
    hints: Sequence[str] = (),
) -> Number:
    """A question for a number. slips: wrong numbers and their explanations."""

    def text(n: float | int) -> str:
        return answers.read_number(f"{n:.{places}f}" if places else str(n), places)

    return Number(
        prompt=prompt,
        right=text(right),
        why=why,
        solution=solution,
        slips=_told([(text(n), says) for n, says in slips]),
        hints=tuple(hints),
        unit=unit,
        places=places,
    )


@dataclass(frozen=True, kw_only=True)
class Choice(Task):
    """The reader chooses. choices: the answers as shown, from number 1 on."""

    choices: tuple[str, ...]

    kind = "choice"
    least = 2
    instruction = "Answer with .check(2), the number of your choice."

    def read(self, text: str) -> str:
        return answers.read_choice(text, len(self.choices))

    def extra(self) -> list:
        return [list(self.choices)]


def choose(
    prompt: str,
    right: str,
    wrong: Sequence[tuple[str, str]],
    draws: Any,
    *,
    why: str,
    steps: Sequence[str] = (),
    hints: Sequence[str] = (),
) -> Choice:
    """A question with answers to choose from. wrong: answers and their explanations. steps: of
    the worked solution, which ends in the right answer."""
    choices = draws.shuffled([right, *(answer for answer, _ in wrong)])
    place = choices.index(right) + 1
    return Choice(
        prompt=prompt,
        right=str(place),
        why=why,
        solution=Solution(
            (*(steps or [why]), f"So it is answer {place}, \u201c{right}\u201d."), str(place)
        ),
        slips=_told([(choices.index(answer) + 1, says) for answer, says in wrong]),
        hints=tuple(hints),
        choices=tuple(choices),
    )


@dataclass(frozen=True, kw_only=True)
class Order(Task):
    """The reader brings steps into order. steps: as shown, from number 1 on. reasons: why each
    comes no earlier."""

    steps: tuple[str, ...]
    reasons: tuple[str, ...]

    kind = "order"
    least = 0
    instruction = 'Answer with .check("3 1 2"), the numbers of the steps in your order.'

    def fit(self) -> bool:
        shown = " ".join(map(str, range(1, len(self.steps) + 1)))
        return self.right != shown and len(set(self.steps)) == len(self.steps)

    def read(self, text: str) -> str:
        return answers.read_order(text, len(self.steps))

    def near(self, answer: str) -> str:
        pairs = zip(answer.split(), self.right.split(), strict=True)
        place = next(n for n, (mine, theirs) in enumerate(pairs) if mine != theirs)
        step = int(answer.split()[place]) - 1
        return say("later", place=place + 1, step=self.steps[step], reason=self.reasons[step])

    def extra(self) -> list:
        return [list(self.steps), list(self.reasons)]


def sort(
    prompt: str,
    steps: Sequence[tuple[str, str]],
    draws: Any,
    *,
    why: str,
    hints: Sequence[str] = (),
) -> Order:
    """A question for an order. steps: in the right order, each with the reason why it comes no
    earlier."""
    shown = draws.shuffled(steps)
    right = " ".join(str(shown.index(step) + 1) for step in steps)
    told = tuple(f"{step}{'' if step[-1] == '.' else ':'} {reason}" for step, reason in steps)
    return Order(
        prompt=prompt,
        right=right,
        why=why,
        solution=Solution((*told, f"By their numbers: {right}."), right),
        hints=tuple(hints),
        steps=tuple(step for step, _ in shown),
        reasons=tuple(reason for _, reason in shown),
    )


@dataclass(frozen=True, kw_only=True)
class Range(Task):
    """The reader finds a field in the bytes of a message."""

    data: bytes
    spans: tuple[Span, ...]

    kind = "range"
    instruction = 'Answer with .check("4-7"), the first and the last byte, counted from 0.'

    def read(self, text: str) -> str:
        given = answers.read_range(text)
        if int(given.split("-")[1]) >= len(self.data):
            raise Unreadable(say("outside", last=len(self.data) - 1))
        return given

    def near(self, answer: str) -> str:
        first, last = map(int, answer.split("-"))
        start, end = map(int, self.right.split("-"))
        for at in range(first, last + 1):
            if not start <= at <= end:
                span = next(span for span in self.spans if at < span.end)
                return say("stranger", at=at, label=label(span))
        return say("part")

    def extra(self) -> list:
        ends, labels = [span.end for span in self.spans], [label(span) for span in self.spans]
        return [self.data.hex(), ends, labels]


def find(
    prompt: str,
    trace: Trace,
    wanted: Sequence[Span],
    slips: Sequence[tuple[tuple[int, int], str]],
    *,
    why: str,
    solution: Solution,
    hints: Sequence[str] = (),
) -> Range:
    """A question for the place of some spans that stand side by side. slips: wrong pairs of first
    byte and end, the end not included."""
    return Range(
        prompt=prompt,
        right=f"{wanted[0].start}-{wanted[-1].end - 1}",
        why=why,
        solution=solution,
        slips=_told([(f"{start}-{end - 1}", says) for (start, end), says in slips]),
        hints=tuple(hints),
        data=trace.data,
        spans=tuple(trace.spans),
    )


@dataclass(frozen=True, kw_only=True)
class Verdict(Task):
    """The reader predicts what a decoder does. asks: which value counts when it accepts."""

    asks: str

    kind = "verdict"
    least = 2
    instruction = 'Answer with .check("accepted 5") or .check("refused 3"), the byte.'

    def read(self, text: str) -> str:
        return answers.read_verdict(text)

    def near(self, answer: str) -> str:
        mine, theirs = answer.split()[0], self.right.split()[0]
        if mine != theirs:
            return say("accepts" if theirs == "accepted" else "refuses")
        number = answer.split()[1].replace("-", "\u2212")
        return say("otherwise" if mine == "accepted" else "elsewhere", number=number)

    def extra(self) -> list:
        return [self.asks]


def verdict(trace: Trace, value: Any = None) -> str:
    """The plain form of what a decoder did. value: a function from what was decoded to the number
    that was asked for."""
    if trace.error:
        return f"refused {trace.error.offset}"
    return f"accepted {value(trace.value) if value else trace.value}"


@dataclass(frozen=True, kw_only=True)
class Argument(Task):
    """The reader writes, and grades it by the points."""

    points: tuple[str, ...]
    model: str

    kind = "argument"
    instruction = 'Answer with .check("Because ..."), and compare with what it says.'

    def fit(self) -> bool:
        return len(self.points) >= 2

    def read(self, text: str) -> str:
        given = answers.tidy(text)
        if len(given.split()) < 3:
            raise Unreadable(say("brief"))
        return given

    def check(self, answer: Any) -> Feedback:
        try:
            self.read(_as_text(answer))
        except Unreadable as unreadable:
            return Feedback(False, str(unreadable))
        return Feedback(None, say("compare"), (*self.points, f"In full: {self.model}"))

    def extra(self) -> list:
        return [list(self.points), self.model]


def argue(prompt: str, points: Sequence[str], model: str, *, hints: Sequence[str] = ()) -> Argument:
    """A question for a short argument. points: what a good one says. model: one that says it."""
    return Argument(
        prompt=prompt,
        right="",
        why="",
        solution=Solution((*points, f"In full: {model}"), model),
        hints=tuple(hints),
        points=tuple(points),
        model=model,
    )
