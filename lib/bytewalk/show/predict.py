"""Predict, then reveal: a question whose answer is locked until a guess is committed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bytewalk.show.html import both, escape, plain, prose, styled


class Prediction:
    """A question and its answer. See `predict`."""

    def __init__(
        self, question: str, answer: Any, choices: Sequence[str], unit: str, why: str
    ) -> None:
        self.question = question
        self.answer = answer
        self.choices = list(choices)
        self.unit = unit
        self.why = why

    def _said(self) -> tuple[str, str]:
        if self.unit:
            number = f"{self.answer:,}" if isinstance(self.answer, int) else str(self.answer)
            return both(f"{number} {self.unit}")
        return both(self.answer)

    def __repr__(self) -> str:
        lines = [f"Predict: {plain(self.question)}"]
        lines += [f"  ( ) {plain(choice)}" for choice in self.choices]
        lines.append(f"Answer: {self._said()[1]}")
        if self.why:
            lines.append(plain(self.why))
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        choices = "".join(f"<li>{prose(choice)}</li>" for choice in self.choices)
        choices = f'<ul class="bw-choices">{choices}</ul>' if choices else ""
        why = f"<p>{prose(self.why)}</p>" if self.why else ""
        return styled(
            f'<bw-predict class="bw bw-predict" style="display:block" data-bytewalk="predict" '
            f'data-unit="{escape(self.unit)}"><p><strong>Predict.</strong> {prose(self.question)}'
            f"</p>{choices}<details><summary>The answer</summary>"
            f'<div class="bw-answer">{self._said()[0]}</div>{why}</details></bw-predict>',
            "predict",
        )


def predict(
    question: str, answer: Any, *, choices: Sequence[str] = (), unit: str = "", why: str = ""
) -> Prediction:
    """A question to commit a guess to before its answer is shown.

    answer: what a codec computed: a number, bytes in hex, a Trace, a Table, or prose. choices: the
    answers to choose from; without them the reader types. unit: of a number, `bytes` for instance.
    why: prose that explains the answer. Without scripts the answer folds out of a `<details>`.
    """
    return Prediction(question, answer, choices, unit, why)
