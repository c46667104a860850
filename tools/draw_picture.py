"""Draw book/_static/one-record.svg: one small record as two formats write it.

Run by hand after a change to the drawing; a test compares the file with what this draws.
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
BYTE, ROW, LEFT, WIDTH = 35, 112, 24, 700
# The tints and marks of the dump: a fill, a line under the byte, and how it is dashed.
ROLES = {
    "length": ("#fbe8c4", "#be7800", "4 2"),
    "text": ("#d8f0e7", "none", ""),
    "value": ("#cce3f0", "#0072b2", ""),
}


def draw() -> str:
    """Return the SVG: a row of bytes per format, each field under a bracket with its value."""
    height = 44 + ROW * len(FORMATS) + 8
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-labelledby="title desc">',
        f"<title id='title'>{escape(repr(RECORD))} in {' and in '.join(FORMATS)}</title>",
        f"<desc id='desc'>{escape(describe())}</desc>",
        f'<rect width="{WIDTH}" height="{height}" rx="8" fill="#ffffff"/>',
        text(LEFT, 30, repr(RECORD), size=17, mono=True, bold=True),
    ]
    for number, (name, format) in enumerate(FORMATS.items()):
        parts += draw_row(44 + ROW * number, name, format.trace(RECORD))
    return "\n".join([*parts, "</svg>", ""])


def describe() -> str:
    sentences = []
    for name, format in FORMATS.items():
        trace = format.trace(RECORD)
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


def draw_row(top, name, trace):
    yield text(LEFT, top + 20, f"{name}: {count(len(trace.data))}", size=15, bold=True)
    x = LEFT
    for span in trace.spans:
        size = span.end - span.start
        group = max(size * BYTE, 7 * len(label(span)) + 12)
        fill, line, dash = ROLES[span.role]
        for i in range(size):
            left = x + i * BYTE
            yield (
                f'<rect x="{left}" y="{top + 30}" width="{BYTE}" height="28" fill="{fill}" '
                f'stroke="#ffffff"/>'
            )
            hexes = f"{trace.data[span.start + i]:02x}"
            yield text(left + BYTE / 2, top + 49, hexes, mono=True, middle=True)
        end = x + size * BYTE
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        yield (
            f'<path d="M{x + 1} {top + 60}H{end - 1}" stroke="{line}" stroke-width="3"{dashes}/>'
        )
        bracket = f"M{x + 2} {top + 64}v5H{end - 2}v-5"
        yield f'<path d="{bracket}" fill="none" stroke="#555555"/>'
        yield text(x + 2, top + 84, label(span), size=13)
        x += group


def text(x, y, content, *, size=14, mono=False, bold=False, middle=False):
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
