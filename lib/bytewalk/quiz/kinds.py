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
from bytewalk.quiz.working import Solution, label, named, solve
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
    except Exception:  # whatever its own __str__ raises
        raise Unreadable(say("object")) from None


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
        if len(given) > len(right) and given.endswith(right):
            return say("front", at=len(given) - len(right), label=self.label_at(0))
        believed = self.believed(answer)
        if believed:
            return believed
        for at, (mine, theirs) in enumerate(zip(given, right, strict=False)):
            if mine == theirs:
                continue
            byte, letter = f"{mine:02x}", chr(theirs)
            if byte == f"{theirs:02}":
                return say("tens", at=at, byte=byte, code=f"{theirs:02x}")
            if byte == "0" + letter.lower():
                return say("letter", at=at, letter=letter, code=f"{theirs:02x}")
            return say("differs", at=at, byte=byte, label=self.label_at(at))
        if len(given) < len(right):
            return say("short", bytes=count(len(given)), label=self.label_at(len(given)))
        return say("long", at=len(right), more=count(len(given) - len(right)))

    def label_at(self, at: int) -> str:
        return next(name for end, name in self.named() if at < end)

    def named(self) -> list[tuple[int, str]]:
        """Where each piece that has a name of its own ends, and the name."""
        return [piece for span in self.spans for piece in named(span)]

    def fields(self) -> list[str]:
        return [self.right[2 * span.start : 2 * span.end] for span in self.spans]

    def believed(self, answer: str) -> str | None:
        """The explanation, if misconceptions struck in some of the fields: the whole answer is
        then the right fields, some of them replaced by what one misconception writes there, or
        else by what several do. None if that does not settle which was the first."""
        slips = [slip for slip in self.slips if slip.parts]
        told = {says for slip in slips for says in _struck(answer, self.fields(), [slip])}
        if not told:
            told = _struck(answer, self.fields(), slips)
        return told.pop() if len(told) == 1 else None

    def extra(self) -> list:
        ends, names = zip(*self.named(), strict=True)
        return [[span.end for span in self.spans], list(ends), list(names)]


def _struck(answer: str, fields: list[str], slips: list[Slip]) -> set[str]:
    """The explanations of the first field that is wrong, for each way to read the answer as fields
    that are right or what one of these slips writes there."""
    told: set[str] = set()

    def walk(at: int, field: int, first: str) -> None:
        if field == len(fields):
            if at == len(answer):
                told.add(first)
            return
        if answer.startswith(fields[field], at):
            walk(at + len(fields[field]), field + 1, first)
        for slip in slips:
            part = slip.parts[field]
            if part != fields[field] and answer.startswith(part, at):
                walk(at + len(part), field + 1, first or slip.says)

    walk(0, 0, "")
    return told


def write(
    prompt: str,
    value: Any,
    format: Any,
    beliefs: Sequence[Any],
    *,
    why: str,
    type: Any = None,
    slips: Sequence[tuple[bytes | Sequence[bytes], str]] = (),
    hints: Sequence[str] = (),
    note: str = "",
    solution: Solution | None = None,
) -> Bytes:
    """A question for the bytes of a value.

    beliefs: misconceptions, the one that the question is there for first; a pair (belief, says)
    replaces its explanation. slips: wrong bytes from elsewhere, another value or another format;
    in pieces, one per field, where each piece is wrong for itself. note: what the worked solution
    begins with. solution: another one than span by span.
    """
    told = []
    for belief in beliefs:
        belief, says = belief if isinstance(belief, tuple) else (belief, belief.says)
        told.append((misconceptions.pieces(belief, value, type, format), says))
    trace: Trace = format.trace(value, type)
    return spell(
        prompt,
        trace,
        [*told, *slips],
        why=why,
        hints=hints,
        solution=solution or solve(trace, note),
    )


def spell(
    prompt: str,
    trace: Trace,
    slips: Sequence[tuple[bytes | Sequence[bytes], str]],
    *,
    why: str,
    solution: Solution,
    hints: Sequence[str] = (),
) -> Bytes:
    """A question for the bytes of a trace. slips: as in `write`, the one that the question is there
    for first."""
    wrong = []
    for data, says in slips:
        parts = [data] if isinstance(data, bytes) else data
        fields = tuple(part.hex() for part in parts) if len(parts) == len(trace.spans) else ()
        wrong.append(Slip(b"".join(parts).hex(), says, fields))
    return Bytes(
        prompt=prompt,
        right=trace.hex(),
        why=why,
        solution=solution,
        slips=tuple(wrong),
        hints=tuple(hints),
        spans=tuple(trace.spans),
    )


@dataclass(frozen=True, kw_only=True)
class Number(Task):
    """The reader gives a number. unit: `bytes` for instance. places: digits behind the point."""

    unit: str = ""
    places: int = 0
    hexadecimal: bool = True  # may be answered so

    kind = "number"
    instruction = 'Answer with .check(17) or .check("1,000 bytes").'

    def read(self, text: str) -> str:
        return answers.read_number(text, self.places, self.unit, self.hexadecimal)

    def near(self, answer: str) -> str:
        large = float(answer) > float(self.right)
        return say("large" if large else "small", number=answer.replace("-", "\u2212"))

    def extra(self) -> list:
        return [self.unit, self.places, self.hexadecimal]


def number(
    prompt: str,
    right: float | int,
    slips: Sequence[tuple[float | int, str]],
    *,
    why: str,
    solution: Solution,
    unit: str = "",
    places: int = 0,
    hexadecimal: bool = True,
    hints: Sequence[str] = (),
) -> Number:
    """A question for a number. slips: wrong numbers and their explanations."""

    def text(n: float | int, places: int = places) -> str:
        return answers.read_number(f"{n:.{places}f}" if places else str(round(n)), places)

    coarse = [(text(right, less), say("places", places=places)) for less in range(places)]

    return Number(
        prompt=prompt,
        right=text(right),
        why=why,
        solution=solution,
        slips=_told([*((text(n), says) for n, says in slips), *coarse]),
        hints=tuple(hints),
        unit=unit,
        places=places,
        hexadecimal=hexadecimal,
    )


@dataclass(frozen=True, kw_only=True)
class Choice(Task):
    """The reader chooses. choices: the answers as shown, from number 1 on."""

    choices: tuple[str, ...]

    kind = "choice"
    instruction = "Answer with .check(2), the number of your choice."

    def read(self, text: str) -> str:
        return answers.read_choice(text, len(self.choices))

    def by_words(self, answer: Any) -> Any:
        """The number of the choice that has these words, or else the answer as it is."""
        if not isinstance(answer, str):
            return answer
        words, known = _bare(answer), [_bare(choice) for choice in self.choices]
        given = known.count(words) == 1 and not words.isdigit()
        return known.index(words) + 1 if given else answer

    def extra(self) -> list:
        return [list(self.choices)]


def _bare(text: str) -> str:
    """A choice as somebody types it, without markup."""
    return text.strip().replace("`", "").rstrip(".()").lower()


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
        solution=Solution((*(steps or [why]), f"So the answer is: {right}"), str(place)),
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
    worked: Sequence[str] = (),
    hints: Sequence[str] = (),
) -> Order:
    """A question for an order. steps: in the right order, each with the reason why it comes no
    earlier. worked: the solution, if it is more than those."""
    shown = draws.shuffled(steps)
    right = " ".join(str(shown.index(step) + 1) for step in steps)
    told = tuple(f"{step}{'' if step[-1] == '.' else ':'} {reason}" for step, reason in steps)
    return Order(
        prompt=prompt,
        right=right,
        why=why,
        solution=Solution(tuple(worked) or told, right),
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
    instruction = 'Answer with .check("accepted 5") or .check("refused 3"), the byte.'

    def fit(self) -> bool:
        return len(self.known()) >= self.least

    def read(self, text: str) -> str:
        return answers.read_verdict(text)

    def near(self, answer: str) -> str:
        (mine, given), (theirs, right) = answer.split(), self.right.split()
        if mine != theirs:
            return say("accepts" if theirs == "accepted" else "refuses")
        number = given.replace("-", "\u2212")
        if mine == "accepted":
            return say("otherwise", number=number)
        return say("further" if int(given) < int(right) else "earlier", number=number)

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
        if given.count(" ") < 4:
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
