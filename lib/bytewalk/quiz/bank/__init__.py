"""The questions, chapter by chapter. No answer is written down here: each is computed from a value,
its type and a format, or from the facts that the question states."""

from __future__ import annotations

from importlib import import_module

from bytewalk.quiz.question import Chapter

# number: (name of the page, title)
CHAPTERS = {
    "00": ("00-words", "Words you need"),
    "01": ("01-one-record", "One record, many images"),
    "02": ("02-fixed-widths", "Fixed widths"),
    "03": ("03-marker-varints", "Marker varints"),
    "04": ("04-seven-bits", "Seven bits at a time"),
    "05": ("05-two-roads", "Two roads to the same bytes"),
    "06": ("06-honest-clocks", "Honest clocks"),
    "07": ("07-line-up", "Taking the gap apart: the line-up"),
    "08": ("08-read-in-place", "Read in place"),
}


def load() -> list[Chapter]:
    return [import_module(f"bytewalk.quiz.bank.ch{number}").chapter for number in CHAPTERS]
