"""A comparison as a picture: every sample a point."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

from bytewalk.measure.results import duration, percent
from bytewalk.show.html import escape

if TYPE_CHECKING:
    from bytewalk.measure.results import Comparison

MARKS = "osD^vP*X"  # each subject has a mark of its own, so that colour says nothing alone
STYLE = "max-width:100%;height:auto;stroke-linejoin:round;stroke-linecap:butt"
WIDE = 8  # times the shortest, from which on the longest sample needs a logarithmic axis


def alt(comparison: Comparison) -> str:
    """The picture in words."""
    sentences = [f"{comparison.title}. " if comparison.title else "", "Time per call, all samples."]
    for one in comparison.series:
        sentences.append(
            f" {one.name}: {len(one.samples)} points from {duration(min(one.samples))} to "
            f"{duration(max(one.samples))}, median {duration(one.median)}."
        )
    if comparison.noise is not None:
        sentences.append(f" Noise bar {percent(comparison.noise)}.")
    return "".join(sentences)


def svg(comparison: Comparison) -> str:
    """The picture: a row for each subject, its samples from the first (above) to the last, a line
    for the median, a box for the quartiles; the noise bar around the first median, hatched.

    The same comparison gives the same text.
    """
    import matplotlib
    from matplotlib.figure import Figure
    from matplotlib.ticker import FormatStrFormatter, LogLocator, NullLocator

    rows = [*comparison.series, *([comparison.control] if comparison.control else [])]
    unit, name = next(
        (unit, name)
        for unit, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
        if max(one.median for one in rows) >= unit or unit == 1e-9
    )
    settings = {"svg.hashsalt": "bytewalk", "svg.fonttype": "none", "text.parse_math": False}
    with matplotlib.rc_context(settings):
        # In inches; so narrow that the letters stay readable on a phone.
        picture = Figure(figsize=(5.4, 0.7 + 0.62 * len(rows)), layout="constrained")
        axes = picture.subplots()
        for row, one in enumerate(rows):
            count = len(one.samples)
            heights = [row - 0.3 + 0.6 * (i + 0.5) / count for i in range(count)]
            times = [seconds / unit for seconds in one.samples]
            low, high = (seconds / unit for seconds in one.quartiles)
            middle = one.median / unit
            axes.fill_betweenx([row - 0.34, row + 0.34], low, high, color="0.88", zorder=1)
            axes.plot([middle, middle], [row - 0.38, row + 0.38], color="black", lw=2, zorder=3)
            mark = MARKS[row % len(MARKS)]
            axes.plot(times, heights, mark, ms=4, mfc="none", mec="#0072b2", zorder=2)
        if comparison.noise is not None:
            first = rows[0].median / unit
            axes.axvspan(
                first / comparison.noise,
                first * comparison.noise,
                facecolor="none",
                edgecolor="0.55",
                hatch="////",
                lw=0,
                zorder=0,
            )
        axes.set_yticks(range(len(rows)), [one.name for one in rows])
        axes.set_ylim(len(rows) - 0.5, -0.5)
        samples = [seconds for one in rows for seconds in one.samples]
        wide = max(samples) > WIDE * min(samples)
        if wide:
            axes.set_xscale("log")
            axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axes.xaxis.set_major_formatter(FormatStrFormatter("%g"))
            axes.xaxis.set_minor_locator(NullLocator())
        else:
            axes.set_xlim(left=0)
        axes.set_xlabel(f"{name} per call" + (", logarithmic" if wide else ""))
        axes.spines[["top", "right"]].set_visible(False)
        out = io.StringIO()
        picture.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    return _inline(out.getvalue())


def _inline(text: str) -> str:
    """An SVG file as a part of a page: without a head, with its one style on itself instead of on
    the whole page, and without the ids that each such file has and nothing refers to."""
    text = re.sub(r"^.*?(?=<svg)|<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    text = re.sub(r"<defs>\s*<style[^>]*>.*?</style>\s*</defs>\s*", "", text, flags=re.DOTALL)
    wanted = set(re.findall(r"#([\w-]+)", text))
    text = re.sub(r' id="([^"]+)"', lambda found: found[0] if found[1] in wanted else "", text)
    return text.replace("<svg", f'<svg style="{STYLE}"', 1)


def figure(comparison: Comparison) -> str:
    """The picture as HTML, with its text for those who do not see it."""
    return (
        f'<figure class="bw bw-plot" role="img" aria-label="{escape(alt(comparison))}">'
        f"{svg(comparison)}</figure>"
    )
