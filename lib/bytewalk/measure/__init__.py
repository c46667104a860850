"""Exact counts, which can be asserted, and times, which cannot.

    measure.count(document, bincode)                    what the walk does, counted
    measure.compare({"derived": ..., "walk": ...})      how long it takes, beside a noise bar

A time belongs to one run on one machine. So a comparison records where it was made, keeps every
sample, times one of its subjects against itself to learn how far two equal things drift apart, and
sees no difference in a ratio within that.
"""

from bytewalk.measure.clock import Task, Unfaithful, compare, decoding, encoding, schedule
from bytewalk.measure.counts import (
    Calls,
    Counts,
    ReadCounts,
    calls,
    count,
    count_decode,
    side_by_side,
)
from bytewalk.measure.machine import Environment, environment
from bytewalk.measure.results import Comparison, Series, claim, duration, load

__all__ = [
    "Calls",
    "Comparison",
    "Counts",
    "Environment",
    "ReadCounts",
    "Series",
    "Task",
    "Unfaithful",
    "calls",
    "claim",
    "compare",
    "count",
    "count_decode",
    "decoding",
    "duration",
    "encoding",
    "environment",
    "load",
    "schedule",
    "side_by_side",
]
