"""The dump: every byte of a trace, by offset and by field.

The HTML is a grid of bytes and a table of fields; the script of `elements/dump.js` makes them point
at each other and reads all it says off the table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from bytewalk.integers import count
from bytewalk.show.html import escape, styled
from bytewalk.trace import ROLES, Span, Trace

_PER_ROW = 16
_PER_CELL = 8  # bytes a line in the table of fields
_MOST_BYTES = 64  # of one field in the table of fields; the grid shows them all
_MOST_VALUE = 48  # characters


class Dump:
    """A trace as a grid of bytes and a table of fields. See `dump`."""

    def __init__(self, trace: Trace, limit: int | None) -> None:
        self.trace = trace
        self.spans = trace.spans if limit is None else trace.spans[:limit]
        self.hidden = len(trace.spans) - len(self.spans)
        shown = max((span.end for span in self.spans), default=0)
        self.data = trace.data if not self.hidden else trace.data[:shown]
        self.paths: dict[int, str] = {}
        for span in trace.spans:
            self.paths.setdefault(span.start, span.path)
        self.roles = [role for role in ROLES if any(s.role == role for s in self.spans)]

    # --- what both outputs say ---

    def _caption(self) -> str:
        return f"{self.trace.title}: {count(len(self.trace.data))}"

    def _notes(self) -> list[str]:
        notes = []
        if self.hidden:
            notes.append(f"{count(self.hidden, 'more field')} not shown")
        unread = len(self.trace.data) - self.trace.used
        if unread:
            notes.append(f"{count(unread)} from byte {self.trace.used} on not read")
        return notes

    def _target(self, span: Span) -> str:
        """`→ 48 items[0]`: where a pointer leads, and the outermost field there that is not the
        pointer's own. "" for other spans."""
        if span.target is None:
            return ""
        path = self.paths.get(span.target, "")
        if path.startswith(span.path):
            below = re.match(r"\.?[^.[]*(\[.*?\])?", path[len(span.path) :])
            path = span.path + below[0]
        return f"→ {span.target} {path}".rstrip()

    def _error(self) -> str:
        error = self.trace.error
        return f"{type(error).__name__}: {error}" if error else ""

    # --- text ---

    def __repr__(self) -> str:
        lines = [self._caption()]
        head = ("at", "bytes", "field", "role", "value", "how it is written")
        rows = [self._row(span) for span in self.spans]
        widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
        widths[1] = 3 * _PER_CELL - 1
        if rows:
            lines.append(_line(head, widths))
        for row in rows:
            cells = list(row)
            pieces = _wrapped(cells[1])
            for number, piece in enumerate(pieces):
                cells[1] = piece
                lines.append(_line(cells if number == 0 else ["", piece], widths))
        lines += self._notes()
        if self.trace.error:
            lines.append(self._error())
        return "\n".join(lines)

    def _row(self, span: Span) -> tuple[str, ...]:
        return (
            str(span.start),
            _hex(self.trace.data[span.start : span.end]),
            span.path,
            span.role,
            " ".join(filter(None, (_value(span), self._target(span)))),
            span.rule,
        )

    # --- HTML ---

    def _repr_html_(self) -> str:
        notes = "".join(f'<p class="bw-note">{escape(note)}</p>' for note in self._notes())
        if self.trace.error:
            notes += f'<p class="bw-error">{escape(self._error())}</p>'
        caption = escape(self._caption())
        return styled(
            '<bw-dump><figure class="bw bw-dump" data-bytewalk="dump">'
            f"<figcaption>{caption}</figcaption>"
            f"{legend(self.roles)}"
            f'<div class="bw-scroll" aria-hidden="true">{self._grid()}</div>'
            f'<div class="bw-scroll" tabindex="0" role="region" aria-label="Fields of {caption}">'
            f"{self._table()}</div>{notes}</figure></bw-dump>",
            "dump",
        )

    def _grid(self) -> str:
        kinds = ["bw-unread"] * len(self.data)
        for span in self.spans:
            kind = f"bw-{span.role}" + (" bw-short" if span.type == "?" else "")
            kinds[span.start : span.end] = [kind] * (span.end - span.start)
            kinds[span.start] = f"{kind} bw-first"
        rows = []
        for start in range(0, len(self.data), _PER_ROW):
            row = range(start, min(start + _PER_ROW, len(self.data)))
            cells = [f'<span class="bw-b {kinds[at]}">{self.data[at]:02x}</span>' for at in row]
            # Two halves, so that a narrow screen can put one below the other; the spaces are for
            # readers without the style.
            halves = (cells[: _PER_ROW // 2], cells[_PER_ROW // 2 :])
            chars = "".join(_char(self.data[at]) for at in row)
            rows.append(
                f'<div role="row"><span class="bw-at" role="rowheader">{start}</span> '
                + " ".join(f'<span class="bw-half">{" ".join(half)}</span>' for half in halves)
                + f' <span class="bw-chars" aria-hidden="true">{escape(chars)}</span></div>'
            )
        return (
            f'<div class="bw-grid bw-mono" role="grid" aria-readonly="true" '
            f'aria-label="Bytes of {escape(self._caption())}">{"".join(rows)}</div>'
        )

    def _table(self) -> str:
        # The spaces between cells are for what reads the text alone, as a search does.
        rows = []
        for span in self.spans:
            at, hexes, path, role, _, rule = map(escape, self._row(span))
            hexes = "\n".join(_wrapped(hexes))
            value, link = escape(_value(span)), escape(self._target(span))
            said = f"<code>{value}</code>" if value else ""
            said += f' <span class="bw-to">{link}</span>' if link else ""
            # What the rule does not begin with, the script has to be told.
            kind = "" if span.rule.startswith(span.type) else f' data-type="{escape(span.type)}"'
            rows.append(
                f'<tr data-end="{span.end}"{kind}><td class="bw-number">{at}</td> '
                f'<td class="bw-hex"><code>{hexes}</code></td> '
                f'<td class="bw-path"><code>{path}</code></td> '
                f"<td>{role}</td> <td>{said}</td> <td>{rule}</td></tr> "
            )
        head = " ".join(
            f'<th scope="col"{extra}>{name}</th>'
            for name, extra in (
                ("at", ' class="bw-number"'),
                ("bytes", ""),
                ("field", ""),
                ("role", ""),
                ("value", ""),
                ("how it is written", ""),
            )
        )
        return f"<table><thead><tr>{head}</tr></thead> <tbody>{''.join(rows)}</tbody></table>"


def legend(roles: Iterable[str]) -> str:
    """The tint and the line of each role, and what it means, as HTML."""
    items = "".join(
        f'<li><span class="bw-b bw-first bw-{role}" aria-hidden="true">&nbsp;</span> '
        f"<strong>{role}</strong>: {ROLES[role]}</li>"
        for role in roles
    )
    return f'<ul class="bw-legend">{items}</ul>'


def _line(cells: Any, widths: list[int]) -> str:
    text = (
        cell.rjust(width) if i == 0 else cell.ljust(width)
        for i, (cell, width) in enumerate(zip(cells, widths, strict=False))
    )
    return "  ".join(text).rstrip()


def _hex(data: bytes) -> str:
    shown = data[:_MOST_BYTES].hex(" ")
    more = len(data) - _MOST_BYTES
    return f"{shown} and {more:,} more" if more > 0 else shown


def _wrapped(hexes: str) -> list[str]:
    hexes, _, more = hexes.partition(" and ")
    width = 3 * _PER_CELL
    pieces = [hexes[i : i + width].rstrip() for i in range(0, len(hexes), width)]
    return pieces + ([f"and {more}"] if more else [])


def _value(span: Span) -> str:
    if span.type == "?" or span.role == "padding":
        return ""
    if span.role == "text" or isinstance(span.value, str | bytes | bool | float):
        text = repr(span.value)
    else:
        text = f"{span.value:,}" if isinstance(span.value, int) else str(span.value)
    return text if len(text) <= _MOST_VALUE else f"{text[: _MOST_VALUE - 3]}..."


def _char(byte: int) -> str:
    return chr(byte) if 0x20 <= byte < 0x7F else "·"


def dump(trace: Trace, limit: int | None = 2000) -> Dump:
    """The dump of a trace: evaluating it shows it. limit: the most fields to show; None for all."""
    return Dump(trace, limit)


Trace._repr_html_ = lambda self: dump(self)._repr_html_()
Trace.__repr__ = lambda self: repr(dump(self))
