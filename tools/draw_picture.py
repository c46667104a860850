"""Draw book/_static/one-record.svg: one small record as two formats write it, field by field.

Run by hand after a change to the drawing; a test compares the file with what this draws. The
picture has a light ground of its own, for wherever it is shown as an image; the title page holds it
inline and gives it the page's colours (book/_static/custom.css).
"""

import sys
from html import escape
from pathlib import Path

from bytewalk import bincode, speedy
from bytewalk.integers import count
from bytewalk.records import DocumentItem

TARGET = Path(__file__).resolve().parent.parent / "book" / "_static" / "one-record.svg"
RECORD = DocumentItem("A", 1, 2)
FORMATS = {"Speedy": speedy, "bincode": bincode}
BYTE, ROW, HIGH, LEFT, LABELS, GAP = 29, 40, 28, 12, 112, 20  # the picture's own units
# The tints and marks of the dump: a fill, the colour of the lines under the bytes, and the lines.
ROLES = {
    "length": ("#fbe8c4", "#be7800", [(1, 1.6), (5, 1.6)]),
    "text": ("#d8f0e7", None, []),
    "value": ("#cce3f0", "#0072b2", [(2, 3)]),
}


def draw() -> str:
    """Return the SVG: a row per field, a column per format; read downwards, a column is the
    message."""
    traces = {name: format.trace(RECORD) for name, format in FORMATS.items()}
    fields = [label(span) for span in next(iter(traces.values())).spans]
    parts = [text(LEFT, 30, repr(RECORD), size=16, mono=True, bold=True)]
    parts += [text(LEFT, 109 + ROW * row, field) for row, field in enumerate(fields)]
    x = LEFT + LABELS
    for name, trace in traces.items():
        assert [label(span) for span in trace.spans] == fields
        parts += draw_column(x, f"{name}: {count(len(trace.data))}", trace)
        x += BYTE * max(span.end - span.start for span in trace.spans) + GAP
    width, height = x + 4 * BYTE, 92 + ROW * len(fields)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
            "aria-labelledby='title desc' class='one-record'>",
            f"<title id='title'>{escape(repr(RECORD))} in {' and in '.join(FORMATS)}</title>",
            f"<desc id='desc'>{escape(describe(traces))}</desc>",
            f'<rect class="ground" width="{width}" height="{height}" rx="8" fill="#ffffff"/>',
            *parts,
            "</svg>",
            "",
        ]
    )


def describe(traces) -> str:
    sentences = []
    for name, trace in traces.items():
        fields = ", ".join(
            f"{trace.data[span.start : span.end].hex(' ')} for {label(span)}"
            for span in trace.spans
        )
        sentences.append(f"{name} writes {count(len(trace.data))}: {fields}.")
    return " ".join(sentences)


def label(span) -> str:
    if span.role == "length":
        return f"length {span.value}"
    return f"{span.path} {span.value!r}"


def draw_column(left, heading, trace):
    yield text(left, 70, heading, size=15, bold=True)
    for row, span in enumerate(trace.spans):
        fill, colour, lines = ROLES[span.role]
        top = 90 + ROW * row
        right = left + (span.end - span.start) * BYTE
        for at in range(span.start, span.end):
            x = left + (at - span.start) * BYTE
            yield (
                f'<rect x="{x + 0.5}" y="{top}" width="{BYTE - 1}" height="{HIGH}" fill="{fill}"/>'
            )
            yield text(x + BYTE / 2, top + 20, f"{trace.data[at]:02x}", mono=True, middle=True)
        for below, thick in lines:
            yield (
                f'<path d="M{left + 0.5} {top + HIGH + below}H{right - 0.5}" stroke="{colour}" '
                f'stroke-width="{thick}"/>'
            )


def text(x, y, content, *, size=15, mono=False, bold=False, middle=False):
    family = "ui-monospace, Menlo, Consolas, monospace" if mono else "system-ui, sans-serif"
    weight = ' font-weight="600"' if bold else ""
    anchor = ' text-anchor="middle"' if middle else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-family="{family}" font-size="{size}" fill="#222222"'
        f"{weight}{anchor}>{escape(content)}</text>"
    )


if __name__ == "__main__":
    TARGET.write_text(draw(), encoding="utf-8")
    print(f"wrote {TARGET.name}", file=sys.stderr)
