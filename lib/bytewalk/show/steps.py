"""The steps of one integer: every test that the encoder makes, and the bytes so far."""

from __future__ import annotations

from typing import Any

from bytewalk.errors import NoWireForm
from bytewalk.integers import Step, count
from bytewalk.layout import layout_of
from bytewalk.show.html import escape, styled
from bytewalk.types import IntType, schema

_NAMES = {
    "sign": "sign test",
    "zigzag": "zigzag",
    "measure": "measure",
    "compare": "comparison",
    "group": "group",
    "write": "write",
}
_OUTCOMES = {True: " yes", False: " no", None: ""}


_HEAD = ("step", "what is done", "bytes so far")


class Steps:
    """What an encoder does for one integer. See `steps`."""

    def __init__(self, value: int, type: Any, format: Any) -> None:
        node, layout = schema(type), layout_of(format)
        if not isinstance(node, IntType):
            raise NoWireForm(f"steps are those of an integer, not of {node.label}")
        self.title = f"{value:,} as {node.label} in {layout.name}"
        rule = layout.rules[node]
        self.steps: list[Step] = rule.steps(value)
        self.bytes = b"".join(step.written for step in self.steps)
        self.fixed = node.bits // 8

    def tally(self, kind: str) -> int:
        """How many steps of a kind there are."""
        return sum(step.kind == kind for step in self.steps)

    def summary(self) -> str:
        tests = [count(self.tally("compare"), "comparison"), count(self.tally("sign"), "sign test")]
        spent = count(len(self.bytes))
        return f"{', '.join(tests)}, {spent}; the fixed width would be {count(self.fixed)}"

    def _rows(self) -> list[tuple[str, ...]]:
        rows, written = [], b""
        for step in self.steps:
            written += step.written
            shown = written.hex(" ") if step.written else ""
            rows.append((_NAMES[step.kind], f"{step.text}{_OUTCOMES[step.outcome]}", shown))
        return rows

    def __repr__(self) -> str:
        rows = [_HEAD, *self._rows()]
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in rows
        ]
        return "\n".join([self.title, *lines, self.summary()])

    def _repr_html_(self) -> str:
        body = "".join(
            f'<tr data-step="{number}"><td>{kind}</td><td><code>{escape(text)}</code></td>'
            f"<td><code>{written}</code></td></tr>"
            for number, (kind, text, written) in enumerate(self._rows())
        )
        head = "".join(f'<th scope="col">{name}</th>' for name in _HEAD)
        title = escape(self.title)
        return styled(
            f'<figure class="bw bw-steps" data-bytewalk="steps"><figcaption>{title}</figcaption>'
            f'<div class="bw-scroll" tabindex="0" role="region" aria-label="Steps: {title}"><table>'
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
            f'<p class="bw-note">{escape(self.summary())}</p></figure>'
        )


def steps(value: int, type: Any, format: Any) -> Steps:
    """Every sign test, zigzag, comparison and write for an integer of this type in this format.

    Raises `CodecError` for a value outside the type. The steps come from the tables that the codec
    itself reads.
    """
    return Steps(value, type, format)
