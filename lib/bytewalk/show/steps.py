"""The steps of one integer: every test that the encoder makes, and the bytes so far.

The HTML holds the steps as tables. The script of `elements/steps.js` walks through them one by one,
and follows a value that the reader types: it reads the rule's table, which `_table_of` hands on.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from bytewalk.errors import NoWireForm
from bytewalk.integers import Fixed, Leb128, Marker, Rule, Step, count
from bytewalk.layout import Layout, layout_of
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
        node, layout = _integer(type), layout_of(format)
        self.value = value
        self.title = f"{value:,} as {node.label} in {layout.name}"
        self.steps: list[Step] = layout.rules[node].steps(value)
        self.bytes = b"".join(step.written for step in self.steps)
        self.fixed = node.bits // 8

    def tally(self, kind: str) -> int:
        """How many steps of a kind there are."""
        return sum(step.kind == kind for step in self.steps)

    def summary(self) -> str:
        tests = [count(self.tally("compare"), "comparison"), count(self.tally("sign"), "sign test")]
        spent = count(len(self.bytes))
        return f"{', '.join(tests)}, {spent}; the fixed width would be {count(self.fixed)}"

    def rows(self) -> list[tuple[str, str, str]]:
        """Each step as shown: its kind, what is done, and the bytes so far when it adds some."""
        rows, written = [], b""
        for step in self.steps:
            written += step.written
            shown = written.hex(" ") if step.written else ""
            rows.append((_NAMES[step.kind], f"{step.text}{_OUTCOMES[step.outcome]}", shown))
        return rows

    def __repr__(self) -> str:
        rows = [_HEAD, *self.rows()]
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in rows
        ]
        return "\n".join([self.title, *lines, self.summary()])

    def _repr_html_(self) -> str:
        return styled(
            '<bw-steps><figure class="bw bw-steps" data-bytewalk="steps">'
            f"<figcaption>{escape(self.title)}</figcaption>{self.html()}</figure></bw-steps>",
            "steps",
        )

    def html(self) -> str:
        """The table of the steps and the line below it."""
        body = "".join(
            f"<tr><td>{kind}</td><td><code>{escape(text)}</code></td>"
            f"<td><code>{written}</code></td></tr>"
            for kind, text, written in self.rows()
        )
        head = "".join(f'<th scope="col">{name}</th>' for name in _HEAD)
        return (
            f'<div class="bw-scroll" tabindex="0" role="region" '
            f'aria-label="Steps: {escape(self.title)}"><table><thead><tr>{head}</tr></thead>'
            f'<tbody>{body}</tbody></table></div><p class="bw-note">{escape(self.summary())}</p>'
        )


class Stepper:
    """Several integers of one type in one format, to step through. See `stepper`."""

    def __init__(self, type: Any, format: Any, values: Sequence[int]) -> None:
        if not values:
            raise TypeError("stepper takes at least one value")
        node, layout = _integer(type), layout_of(format)
        self.title = f"{node.label} in {layout.name}, step by step"
        self.runs = [Steps(value, type, format) for value in values]
        self.table = _table_of(node, layout)

    def __repr__(self) -> str:
        return "\n\n".join([self.title, *map(repr, self.runs)])

    def _repr_html_(self) -> str:
        runs = "".join(
            f'<details data-value="{run.value:,}"><summary>{escape(run.title)}</summary>'
            f"{run.html()}</details>"
            for run in self.runs
        )
        table = f' data-table="{escape(json.dumps(self.table))}"' if self.table else ""
        return styled(
            f'<bw-steps{table}><figure class="bw bw-steps" data-bytewalk="stepper">'
            f"<figcaption>{escape(self.title)}</figcaption>{runs}</figure></bw-steps>",
            "steps",
        )


def _integer(type: Any) -> IntType:
    node = schema(type)
    if not isinstance(node, IntType):
        raise NoWireForm(f"steps are those of an integer, not of {node.label}")
    return node


def _table_of(node: IntType, layout: Layout) -> dict[str, Any] | None:
    """The rule of an integer as data for the script, numbers beyond 2^53 as text. None for a rule
    of the reader's own: only the library can follow that one."""
    rule: Rule = layout.rules[node]
    if type(rule) not in (Fixed, Marker, Leb128):
        return None
    table = {"type": node.label, "format": layout.name, "bits": node.bits, "order": layout.order}
    table |= {"low": str(rule.low), "high": str(rule.high), "text": rule.text}
    match rule:
        case Marker():
            rows = [[marker, str(largest), size] for marker, (largest, size) in rule.rows.items()]
            table |= {"below": rule.one_byte, "markers": rows, "zigzag": rule.signed and "tested"}
        case Leb128():
            table |= {"below": rule.one_byte, "zigzag": rule.signed and "shifted"}
    return table


def steps(value: int, type: Any, format: Any) -> Steps:
    """Every sign test, zigzag, comparison and write for an integer of this type in this format.

    Raises `CodecError` for a value outside the type. The steps come from the tables that the codec
    itself reads.
    """
    return Steps(value, type, format)


def stepper(type: Any, format: Any, values: Sequence[int]) -> Stepper:
    """`steps` for several values, one after the other; in a page the reader types further ones.

    values: those to begin with, at least one. Raises `CodecError` for a value outside the type.
    """
    return Stepper(type, format, values)
