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
BYTE, LINE, LEFT, WIDTH = 35, 19, 24, 644
# The tints and marks of the dump: a fill, the colour of the line under the bytes, its thickness.
ROLES = {
    "length": ("#fbe8c4", "#be7800", "double"),
    "text": ("#d8f0e7", None, None),
    "value": ("#cce3f0", "#0072b2", "single"),
}


def draw() -> str:
    """Return the SVG: a row of bytes per format, and for each field what it says, on a line of
    its own."""
    parts, top = [], 44
    for name, format in FORMATS.items():
        trace = format.trace(RECORD)
        parts += draw_row(top, name, trace)
        top += 78 + LINE * len(trace.spans)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top}" role="img" '
            "aria-labelledby='title desc'>",
            f"<title id='title'>{escape(repr(RECORD))} in {' and in '.join(FORMATS)}</title>",
            f"<desc id='desc'>{escape(describe())}</desc>",
            f'<rect width="{WIDTH}" height="{top}" rx="8" fill="#ffffff"/>',
            text(LEFT, 30, repr(RECORD), size=17, mono=True, bold=True),
            *parts,
            "</svg>",
            "",
        ]
    )


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
    lines = len(trace.spans)
    for number, span in enumerate(trace.spans):
        fill, colour, kind = ROLES[span.role]
        left, right = LEFT + span.start * BYTE, LEFT + span.end * BYTE
        for at in range(span.start, span.end):
            x = LEFT + at * BYTE
            yield (
                f'<rect x="{x}" y="{top + 30}" width="{BYTE}" height="28" fill="{fill}" '
                f'stroke="#ffffff"/>'
            )
            yield text(x + BYTE / 2, top + 49, f"{trace.data[at]:02x}", mono=True, middle=True)
        if colour:
            under = [60] if kind == "single" else [59, 63]
            thick = 3 if kind == "single" else 1.6
            for y in under:
                yield (
                    f'<path d="M{left + 1} {top + y}H{right - 1}" stroke="{colour}" '
                    f'stroke-width="{thick}"/>'
                )
        # The last field's label stands highest, so that no leader crosses another.
        y = top + 66 + LINE * (lines - number) - 6
        yield (f'<path d="M{left + 8} {top + 66}V{y - 4}h10" fill="none" stroke="#555555"/>')
        yield text(left + 22, y, label(span), size=13)


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
