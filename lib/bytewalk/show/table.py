"""Tables and bars."""

from __future__ import annotations

import re
from collections.abc import Sequence
from numbers import Number
from typing import Any

from bytewalk.show.html import escape, plain, prose, styled

_SIGNED = re.compile(r"\(?[+−-][\d.,]+\)?")


def _is_number(value: Any) -> bool:
    """Whether a cell is a number: one of Python's, or a figure written with its sign."""
    return isinstance(value, Number) or bool(isinstance(value, str) and _SIGNED.fullmatch(value))


def _cell(value: Any) -> str:
    """Numbers with thousands separators and a minus that is as wide as a plus; text as it is."""
    if isinstance(value, bool) or not _is_number(value):
        return "" if value is None else str(value)
    return re.sub(r"^(\(?)-", r"\1−", value if isinstance(value, str) else f"{value:,}")


class Table:
    """Rows under a head, with a caption. See `table`."""

    def __init__(self, rows: Sequence[Sequence[Any]], head: Sequence[str], caption: str) -> None:
        self.rows = [list(row) for row in rows]
        self.head = list(head)
        self.caption = caption

    def __repr__(self) -> str:
        lines = [self.head, *([plain(_cell(value)) for value in row] for row in self.rows)]
        widths = [max(len(line[i]) for line in lines) for i in range(len(self.head))]
        numeric = self._numeric()
        text = [
            "  ".join(
                cell.rjust(width) if right else cell.ljust(width)
                for cell, width, right in zip(line, widths, numeric, strict=True)
            ).rstrip()
            for line in lines
        ]
        text.insert(1, "  ".join("-" * width for width in widths))
        return "\n".join([plain(self.caption), *text] if self.caption else text)

    def _numeric(self) -> list[bool]:
        return [
            all(row[i] is None or _is_number(row[i]) for row in self.rows)
            for i in range(len(self.head))
        ]

    def _repr_html_(self) -> str:
        numeric = self._numeric()
        marks = [' class="bw-number"' if right else "" for right in numeric]
        # The spaces between cells are for what reads the text alone, as a search does.
        head = " ".join(
            f'<th scope="col"{mark}>{prose(name)}</th>' if name else f"<td{mark}></td>"
            for name, mark in zip(self.head, marks, strict=True)
        )
        body = " ".join(
            "<tr>"
            + " ".join(
                f"<td{mark}>{prose(_cell(value))}</td>"
                for value, mark in zip(row, marks, strict=True)
            )
            + "</tr>"
            for row in self.rows
        )
        caption = f"<caption>{prose(self.caption)}</caption>" if self.caption else ""
        return styled(
            f'<div class="bw bw-table"><div class="bw-scroll" tabindex="0"{_region(self.caption)}>'
            f"<table>{caption} "
            f"<thead><tr>{head}</tr></thead> <tbody>{body}</tbody></table></div></div>"
        )


def _region(caption: str) -> str:
    """The attributes by which a screen reader announces what can be scrolled."""
    if caption:
        return f' role="region" aria-label="{escape(plain(caption))}"'
    return ' role="group" aria-label="Table"'


def table(rows: Sequence[Sequence[Any]], head: Sequence[str], caption: str = "") -> Table:
    """A table. Numbers are set right and with thousands separators; `code` and *emphasis* work."""
    return Table(rows, head, caption)


class Bars:
    """Numbers with a bar each. See `bars`."""

    def __init__(self, rows: Sequence[tuple], unit: str, caption: str) -> None:
        self.rows = [(*row, "")[:3] for row in rows]
        self.unit = unit
        self.caption = caption

    def __repr__(self) -> str:
        most = max(number for _, number, _ in self.rows) or 1
        names = max(len(plain(name)) for name, _, _ in self.rows)
        digits = max(len(_cell(number)) for _, number, _ in self.rows)
        lines = [plain(self.caption)] if self.caption else []
        for name, number, note in self.rows:
            bar = "#" * max(1, round(40 * number / most)) if number else ""
            lines.append(
                f"{plain(name).ljust(names)}  {_cell(number).rjust(digits)} {self.unit}  "
                f"{bar.ljust(40)}  {plain(note)}".rstrip()
            )
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        most = max(number for _, number, _ in self.rows) or 1
        body = " ".join(
            f'<tr><th scope="row">{prose(name)}</th> '
            f'<td class="bw-number">{_cell(number)} {escape(self.unit)}</td> '
            f'<td class="bw-barcell"><span class="bw-bar" style="width:{100 * number / most:.1f}%">'
            f"</span></td> <td>{prose(note)}</td></tr>"
            for name, number, note in self.rows
        )
        caption = f"<caption>{prose(self.caption)}</caption>" if self.caption else ""
        return styled(
            f'<div class="bw bw-bars"><div class="bw-scroll" tabindex="0"{_region(self.caption)}>'
            f"<table>{caption} "
            f"<tbody>{body}</tbody></table></div></div>"
        )


def bars(rows: Sequence[tuple], unit: str = "", caption: str = "") -> Bars:
    """A bar per row. rows: (name, number) or (name, number, note); all in one unit."""
    return Bars(rows, unit, caption)
