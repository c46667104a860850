"""The figures in the pages without code, which no cell computes."""

import re
import sys
from pathlib import Path

import pytest
from bytewalk import bincode, quoted, speedy
from bytewalk.records import DocumentItem

ROOT = Path(__file__).resolve().parent.parent
ITEM = DocumentItem("A", 1, 2)


@pytest.mark.parametrize("page", ["README.md", "book/index.md"])
def test_the_claim_is_the_quoted_one(page):
    text = " ".join((ROOT / page).read_text(encoding="utf-8").split())
    (times,) = re.findall(r"([\d.]+) times as fast", text)
    (smaller,) = re.findall(r"(\d+) % smaller", text)
    rows = quoted.load("speedy-bincode")
    rate = {row.codec: row.value for row in rows if row.metric == "rate"}
    size = {row.codec: row.value for row in rows if row.unit == "B"}
    assert f"{rate['speedy'] / rate['bincode']:.1f}" == times
    assert round(100 * (1 - size["bincode"] / size["speedy"])) == int(smaller)


@pytest.mark.parametrize("page", ["README.md", "book/index.md"])
def test_the_picture_s_sizes(page):
    text = " ".join((ROOT / page).read_text(encoding="utf-8").split())
    assert f"Speedy writes {len(speedy.encode(ITEM))} bytes" in text
    assert len(bincode.encode(ITEM)) == 4
    assert "bincode writes four bytes" in text


def test_the_picture_is_what_the_tool_draws():
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        import draw_picture
    finally:
        sys.path.pop(0)
    assert draw_picture.TARGET.read_text(encoding="utf-8") == draw_picture.draw()


def test_the_small_dump_in_how_to_read():
    page = (ROOT / "book" / "how-to-read.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"```text\n(.*?)```", page, flags=re.DOTALL)
    rows = [line.split(maxsplit=1) for line in shown.splitlines()[1:]]
    spans = speedy.trace(ITEM).spans[:2]
    for (at, rest), span in zip(rows, spans, strict=True):
        assert int(at) == span.start
        data = speedy.encode(ITEM)[span.start : span.end]
        pieces = [data.hex(" "), span.path, span.role, repr(span.value), span.rule]
        assert re.split(r"\s{2,}", rest) == pieces
