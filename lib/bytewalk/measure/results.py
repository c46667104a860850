"""What was measured, as frozen records: samples, ratios, and what may be said of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from statistics import median, quantiles
from typing import Literal

import msgspec

from bytewalk.measure.machine import Environment
from bytewalk.show import Table, table
from bytewalk.show.html import escape

Order = Literal["mirrored", "blocks"]

REDRAWS = 1_000
SHARE = 0.95  # of the redraws that the noise bar takes in
FEWEST = 5  # rounds below which nothing is claimed


class Series(msgspec.Struct, frozen=True):
    """The samples of one subject.

    samples: seconds per call, each the mean of a loop of `loops` calls, in the order in which they
    were taken; none is dropped.
    """

    name: str
    loops: int
    samples: tuple[float, ...]

    @property
    def median(self) -> float:
        return median(self.samples)

    @property
    def quartiles(self) -> tuple[float, float]:
        """Half of the samples lie between these two."""
        if len(self.samples) < 2:
            return self.samples[0], self.samples[0]
        low, _, high = quantiles(self.samples, n=4, method="inclusive")
        return low, high


class Comparison(msgspec.Struct, frozen=True, dict=True):
    """One run: what `compare` measured.

    series: the subjects; the others are compared with the first. control: the first one timed a
    second time, None where that was not asked for. rounds: as planned; `cancelled` when an
    interrupt ended it earlier. recorded: it was read from a file, not measured just now.
    """

    title: str
    series: tuple[Series, ...]
    control: Series | None
    environment: Environment
    rounds: int
    order: Order
    cancelled: bool = False
    recorded: bool = False

    def __getitem__(self, name: str) -> Series:
        for one in self.series:
            if one.name == name:
                return one
        raise KeyError(name)

    def ratio(self, name: str, to: str | None = None) -> float:
        """How many times the median of `to` (the first, unless named) the median of `name` is."""
        return self[name].median / (self[to] if to is not None else self.series[0]).median

    @cached_property
    def noise(self) -> float | None:
        """The noise bar, a factor from 1 up: how far apart two equal things were in this run.

        The first subject against its own control: the rounds are drawn anew a thousand times, with
        repetition (a bootstrap), and the ratio of the two medians is taken each time. In 95 of 100
        it lies within 1 / noise and noise. None without a control or with fewer than five rounds.
        The draws start from a fixed seed, so the same samples give the same bar.
        """
        if self.control is None:
            return None
        pairs = list(zip(self.series[0].samples, self.control.samples, strict=False))
        if len(pairs) < FEWEST:
            return None
        draw = random.Random(1)
        apart = []
        for _ in range(REDRAWS):
            first, copy = zip(*draw.choices(pairs, k=len(pairs)), strict=True)
            ratio = median(copy) / median(first)
            apart.append(max(ratio, 1 / ratio))
        return sorted(apart)[round(SHARE * REDRAWS) - 1]

    def differs(self, name: str, to: str | None = None) -> bool | None:
        """Whether the ratio lies outside the noise bar; None where there is no bar."""
        if self.noise is None:
            return None
        ratio = self.ratio(name, to)
        return max(ratio, 1 / ratio) > self.noise

    def verdict(self, name: str, to: str | None = None) -> str:
        """`3.2 times`, or `no difference seen`, or that nothing can be said."""
        differs = self.differs(name, to)
        if differs is None:
            return "no noise bar, no verdict"
        return times(self.ratio(name, to)) if differs else "no difference seen"

    @property
    def provenance(self) -> str:
        """When, where and how, in one line."""
        taken = min(len(one.samples) for one in self.series)
        parts = [
            f"{'Recorded' if self.recorded else 'Measured'} on {self.environment.date}",
            str(self.environment),
            f"{taken} samples each" + (f" of {self.rounds}, cancelled" if self.cancelled else ""),
            {"mirrored": "interleaved A B B A", "blocks": "one after the other"}[self.order],
        ]
        return "; ".join(parts)

    @property
    def noise_text(self) -> str:
        """The noise bar in a sentence."""
        if self.noise is None:
            return "Without a control of five rounds or more there is no noise bar."
        return (
            f"Noise bar: {self.series[0].name} and its copy differ by up to "
            f"{percent(self.noise)}; a ratio within that reads: no difference seen."
        )

    def table(self) -> Table:
        """Medians, quartiles and ratios."""
        head = ["", "median", "half of the samples", "compared with " + self.series[0].name]
        rows = []
        for one in (*self.series, *([self.control] if self.control else [])):
            low, high = (duration(seconds) for seconds in one.quartiles)
            said = "—" if one is self.series[0] else ""
            if one is self.control:
                said = f"{one.median / self.series[0].median:.3f} times: the noise"
            rows.append(
                [one.name, duration(one.median), f"{low} to {high}", said or self.verdict(one.name)]
            )
        return table(rows, head, self.title)

    def __repr__(self) -> str:
        return "\n".join([repr(self.table()), self.noise_text, self.provenance])

    def _repr_html_(self) -> str:
        from bytewalk.measure.plot import figure

        notes = "".join(
            f'<p class="bw-note">{escape(text)}</p>' for text in (self.noise_text, self.provenance)
        )
        return f"{figure(self)}{self.table()._repr_html_()}{notes}"

    def to_json(self) -> bytes:
        """Everything, as JSON to keep; `from_json` and `load` read it."""
        return msgspec.json.format(msgspec.json.encode(self), indent=1)

    @classmethod
    def from_json(cls, text: str | bytes) -> Comparison:
        """A kept comparison, marked as recorded. Raises `msgspec.ValidationError`."""
        kept = msgspec.json.decode(text, type=cls)
        return msgspec.structs.replace(kept, recorded=True)

    def save(self, path: str | Path) -> None:
        Path(path).write_bytes(self.to_json() + b"\n")


def load(path: str | Path) -> Comparison:
    """A comparison that `Comparison.save` has kept, marked as recorded."""
    return Comparison.from_json(Path(path).read_bytes())


def claim(runs: Comparison | Sequence[Comparison], name: str, to: str | None = None) -> str:
    """What these runs allow to say about the time of `name` against that of `to` (the first
    subject, unless named), at the level that they reach: one run, several, several machines.

    A machine is what `Environment.machine` says. Raises KeyError for a subject that a run lacks.
    """
    runs = [runs] if isinstance(runs, Comparison) else list(runs)
    to = runs[0].series[0].name if to is None else to
    machines = list(dict.fromkeys(run.environment.machine for run in runs))
    if len(runs) == 1:
        level = f"In one run on one machine ({machines[0]})"
    elif len(machines) == 1:
        level = f"In {len(runs)} runs on one machine ({machines[0]})"
    else:
        level = f"In {len(runs)} runs on {len(machines)} machines ({'; '.join(machines)})"
    seen = [run.differs(name, to) for run in runs]
    if None in seen:
        return f"{level}: nothing to claim, for there is no noise bar."
    bar = f"noise bar {percent(max(run.noise for run in runs))}"
    ratios = [run.ratio(name, to) for run in runs]
    if not any(seen):
        return (
            f"{level}: no difference seen between {name} and {to} ({bar}); not that there is none."
        )
    low, high = min(ratios), max(ratios)
    if not all(seen) or low < 1 < high:
        return (
            f"{level} the runs disagree about {name} and {to}: from {low:.2f} to {high:.2f} times "
            f"({bar}), {sum(seen)} of {len(seen)} outside it."
        )
    span = times(low) if f"{low:.2f}" == f"{high:.2f}" else f"{low:.2f} to {high:.2f} times"
    return f"{level}, {name} took {span} the time of {to} ({bar})."


def duration(seconds: float) -> str:
    """`1.93 µs`: three figures and a unit that suits."""
    for unit, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= unit:
            return f"{_figures(seconds / unit)} {name}"
    return f"{_figures(seconds / 1e-9)} ns"


def _figures(number: float) -> str:
    return f"{number:.{2 if number < 10 else 1 if number < 100 else 0}f}"


def times(ratio: float) -> str:
    return f"{ratio:.2f} times"


def percent(factor: float) -> str:
    """A factor from 1 up as what it adds: `3.1 %` for 1.031."""
    return f"{100 * (factor - 1):.1f} %"
