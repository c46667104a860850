"""Formats side by side: the same value, field by field, and what each field costs.

The script of `elements/align.js` draws each message as a strip, lights a field in all formats at
once, and says where it stands in each.
"""

from __future__ import annotations

from typing import Any

from bytewalk import serde
from bytewalk.integers import count
from bytewalk.show.dump import legend
from bytewalk.show.html import escape, styled
from bytewalk.show.table import Table
from bytewalk.trace import ROLES, Span, Trace


class Alignment:
    """One value in several formats. See `align`.

    formats: their names. rows: (path, role, value, a span or None per format), in wire order.
    """

    def __init__(self, value: Any, formats: tuple, type: Any) -> None:
        if not formats:
            raise TypeError("align takes the value and at least one format")
        layouts = [getattr(format, "layout", format) for format in formats]
        for layout, format in zip(layouts, formats, strict=True):
            if not hasattr(layout, "trace"):
                raise TypeError(f"{format!r} is not a format; pass bytewalk.speedy, for instance")
        self.traces = [layout.trace(value, type) for layout in layouts]
        self.formats = [layout.name for layout in layouts]
        self.type = serde.node_of(value, type).label
        self.rows: list[tuple[str, str, Any, list[Span | None]]] = []
        for column, trace in enumerate(self.traces):
            self._add(column, trace)

    def _add(self, column: int, trace: Trace) -> None:
        """Puts each span into its row: that of the same field and role, or a new one behind the
        field's others, or else behind the span before it."""
        last = -1
        for span in trace.spans:
            at, behind = None, last + 1
            for index, (path, role, _, spans) in enumerate(self.rows):
                if path == span.path:
                    behind = index + 1
                    if role == span.role and spans[column] is None:
                        at = index
                        break
            if at is None:
                at = behind
                self.rows.insert(at, (span.path, span.role, span.value, [None] * len(self.traces)))
            self.rows[at][3][column] = span
            last = at

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

    def _cells(self) -> list[tuple[str, str, str, list[tuple[Span | None, str]]]]:
        return [
            (
                path,
                role,
                "" if role == "padding" else f"{value:,}" if type(value) is int else repr(value),
                [
                    (span, cell_of(trace.data, span))
                    for trace, span in zip(self.traces, spans, strict=True)
                ],
            )
            for (path, role, value, spans) in self.rows
        ]

    def _totals(self) -> list[str]:
        return [f"{len(trace.data):,} bytes" for trace in self.traces]

    def __repr__(self) -> str:
        lines = [("field", "role", "value", *self.formats)]
        for path, role, value, cells in self._cells():
            lines.append((path, role, value, *(cell for _, cell in cells)))
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
        # The spaces between cells are for what reads the text alone, as a search does.
        head = " ".join(f'<th scope="col">{escape(name)}</th>' for name in self.formats)
        body = " ".join(
            f'<tr><td class="bw-path"><code>{escape(path)}</code> <small>{role}</small></td> '
            f"<td><code>{escape(value)}</code></td> "
            + " ".join(
                f'<td data-at="{span.start}"><span class="bw-run bw-{role}"><code>{cell}</code>'
                "</span></td>"
                if span
                else "<td></td>"
                for span, cell in cells
            )
            + "</tr>"
            for path, role, value, cells in self._cells()
        )
        used = {role for _, role, _, _ in self.rows}
        roles = [role for role in ROLES if role in used]
        totals = "".join(f"<td><strong>{total}</strong></td>" for total in self._totals())
        caption = escape(self._caption())
        return styled(
            '<bw-align><figure class="bw bw-align" data-bytewalk="align">'
            f"<figcaption>{caption}</figcaption>{legend(roles)}"
            f'<div class="bw-scroll" tabindex="0" role="region" aria-label="{caption}"><table>'
            '<thead><tr><th scope="col">field <small>role</small></th> '
            f'<th scope="col">value</th> {head}</tr></thead> <tbody>{body}</tbody>'
            f'<tfoot><tr><th scope="row" colspan="2">total</th>{totals}</tr></tfoot></table></div>'
            "</figure></bw-align>",
            "align",
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
