"""Formats side by side: the same value, field by field, and what each field costs."""

from __future__ import annotations

from typing import Any

from bytewalk import serde
from bytewalk.integers import count
from bytewalk.layout import layout_of
from bytewalk.show.html import escape, styled
from bytewalk.show.table import Table
from bytewalk.trace import Span


class Alignment:
    """One value in several formats. See `align`.

    formats: their names. rows: (path, role, value, a span or None per format), in wire order.
    """

    def __init__(self, value: Any, formats: tuple, type: Any) -> None:
        if not formats:
            raise TypeError("align takes the value and at least one format")
        self.traces = [serde.trace(value, format, type) for format in formats]
        self.formats = [layout_of(format).name for format in formats]
        self.type = serde.node_of(value, type).label
        self.rows: list[tuple[str, str, Any, list[Span | None]]] = []
        places: dict[tuple[str, str], int] = {}
        for column, trace in enumerate(self.traces):
            for span in trace.spans:
                key = span.path, span.role
                if key not in places:
                    places[key] = len(self.rows)
                    self.rows.append((*key, span.value, [None] * len(formats)))
                self.rows[places[key]][3][column] = span

    def costs(self) -> dict[str, list[int]]:
        """Bytes per format for each kind of thing: counts, texts, each type of value; and `total`.

        The columns of a kind add up to the size of the message.
        """
        costs: dict[str, list[int]] = {}
        for column, trace in enumerate(self.traces):
            for span in trace.spans:
                kind = span.type if span.role == "value" else span.role
                costs.setdefault(kind, [0] * len(self.traces))[column] += span.end - span.start
        costs["total"] = [len(trace.data) for trace in self.traces]
        return costs

    def cost_table(self) -> Table:
        """`costs` as a table, with how many of each there are."""
        counts: dict[str, int] = {}
        for span in self.traces[0].spans:
            kind = span.type if span.role == "value" else span.role
            counts[kind] = counts.get(kind, 0) + 1
        rows = [(kind, counts.get(kind), *sizes) for kind, sizes in self.costs().items()]
        caption = f"{self.type}: bytes spent, by what they say"
        return Table(rows, ["what", "how many", *self.formats], caption)

    def _cells(self) -> list[tuple[str, str, str, list[str]]]:
        return [
            (
                path,
                role,
                f"{value:,}" if type(value) is int else repr(value),
                [cell_of(trace.data, span) for trace, span in zip(self.traces, spans, strict=True)],
            )
            for (path, role, value, spans) in self.rows
        ]

    def _totals(self) -> list[str]:
        return [f"{len(trace.data):,} bytes" for trace in self.traces]

    def __repr__(self) -> str:
        lines = [("field", "role", "value", *self.formats)]
        lines += [(path, role, value, *cells) for path, role, value, cells in self._cells()]
        lines.append(("total", "", "", *self._totals()))
        widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
        text = [
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
            for line in lines
        ]
        return "\n".join([self._caption(), *text])

    def _caption(self) -> str:
        return f"{self.type} in {', '.join(self.formats)}"

    def _repr_html_(self) -> str:
        head = "".join(f'<th scope="col">{escape(name)}</th>' for name in self.formats)
        body = "".join(
            f'<tr><td class="bw-path"><code>{escape(path)}</code> <small>{role}</small></td>'
            f"<td><code>{escape(value)}</code></td>"
            + "".join(
                f'<td><span class="bw-run bw-{role}"><code>{cell}</code></span></td>'
                if cell
                else "<td></td>"
                for cell in cells
            )
            + "</tr>"
            for path, role, value, cells in self._cells()
        )
        totals = "".join(f"<td><strong>{total}</strong></td>" for total in self._totals())
        caption = escape(self._caption())
        return styled(
            f'<figure class="bw bw-align" data-bytewalk="align"><figcaption>{caption}</figcaption>'
            f'<div class="bw-scroll" tabindex="0" role="region" aria-label="{caption}"><table>'
            '<thead><tr><th scope="col">field <small>role</small></th>'
            f'<th scope="col">value</th>{head}</tr></thead><tbody>{body}</tbody>'
            f'<tfoot><tr><th scope="row" colspan="2">total</th>{totals}</tr></tfoot></table></div>'
            "</figure>"
        )


def cell_of(data: bytes, span: Span | None) -> str:
    """The bytes of a span; of a longer text or payload the first three, and how many there are."""
    if span is None:
        return ""
    size = span.end - span.start
    if size > 4 and (span.role == "text" or span.type == "bytes"):
        return f"{data[span.start : span.start + 3].hex(' ')} ... ({count(size)})"
    return data[span.start : span.end].hex(" ")


def align(value: Any, *formats: Any, type: Any = None) -> Alignment:
    """The same value in two or more formats, field by field.

    formats: format modules or bincode Configs. type: the wire type, where the value's own Python
    type does not tell. Raises `CodecError` for a value that cannot be written.
    """
    return Alignment(value, formats, type)
