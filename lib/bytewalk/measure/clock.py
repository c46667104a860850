"""Taking times: first a gate, then loops, subject after subject and back again."""

from __future__ import annotations

import sys
import time
import timeit
from collections.abc import Callable, Mapping
from typing import Any, Literal

import msgspec

from bytewalk.measure.machine import environment
from bytewalk.measure.results import Comparison, Order, Series

CONTROL = "copy of "
LONG = 2.0  # seconds from which on a wait needs a sign of life
MOST_LOOPS = 10_000_000


class Unfaithful(AssertionError):
    """A codec that does not give back what it was given. Its times would mean nothing."""


class Task(msgspec.Struct, frozen=True):
    """Something to time: `run(argument)`, or `run()` without a `prepare`.

    prepare: makes the argument, once, before any clock starts. check: called once with the
    argument and what `run` makes of it, also before; it raises if that is not right.
    """

    run: Callable
    prepare: Callable[[], Any] | None = None
    check: Callable[[Any, Any], None] | None = None


def encoding(encode: Callable, decode: Callable, value: Any) -> Task:
    """Times `encode(value)`. The gate: `decode` must give the value back."""
    return Task(encode, lambda: value, lambda _, data: _faithful(value, decode(data)))


def decoding(encode: Callable, decode: Callable, value: Any) -> Task:
    """Times `decode(data)`; `data` is `encode(value)`, made untimed. The gate is the same."""
    return Task(decode, lambda: encode(value), lambda _, result: _faithful(value, result))


def _faithful(value: Any, result: Any) -> None:
    if type(result) is not type(value) or result != value:
        raise Unfaithful(
            f"decoding gives {_short(result)}, not the value that was encoded, {_short(value)}"
        )


def _short(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 120 else f"{shown[:117]}..."


def schedule(names: list[str], rounds: int, order: Order = "mirrored") -> list[str]:
    """Who is timed when. `mirrored`: A B B A A B B A ..., so that whatever drifts meets all alike;
    `blocks`: all of A, then all of B, which is the fault that the other avoids."""
    if order == "blocks":
        return [name for name in names for _ in range(rounds)]
    return [name for i in range(rounds) for name in (names if i % 2 == 0 else names[::-1])]


Progress = Callable[[int, int], None]  # samples taken, samples in all


def compare(
    tasks: Mapping[str, Task | Callable[[], Any]],
    *,
    title: str = "",
    rounds: int = 20,
    seconds: float = 0.01,
    warmup: int = 1,
    order: Order = "mirrored",
    control: bool = True,
    progress: Progress | None | Literal["auto"] = "auto",
    clock: Callable[[], float] = time.perf_counter,
    machine: str | None = None,
    date: str | None = None,
) -> Comparison:
    """Times tasks against each other; the first is the one that the others are compared with.

    tasks: names and what to time; a bare callable is called without arguments and has no gate.
    rounds: samples of each. seconds: how long a sample is to take; its loop is calibrated to that.
    warmup: rounds before the first that is kept. order: see `schedule`. control: times the first
    task a second time, as if it were another one: how far the two drift apart is the noise bar.
    progress: called as `progress(done, all)`; "auto" shows it for anything over two seconds.
    clock: seconds, like `time.perf_counter`. machine, date: see `environment`.

    Raises `Unfaithful` where a round trip fails, before any clock starts. Python's garbage
    collector rests while a sample is taken. An interrupt (Ctrl-C, the stop button) ends it early
    and keeps what was measured; before the first whole round it passes through.
    """
    if not tasks or rounds < 1:
        raise ValueError("compare needs a task and a round at least")
    ready = {name: _ready(name, task) for name, task in tasks.items()}
    timers = {name: _timer(*run, clock) for name, run in ready.items()}
    first = next(iter(ready))
    copy = CONTROL + first if control else None
    if copy:
        timers[copy] = _timer(*ready[first], clock)
    where = environment(machine, date)
    samples: dict[str, list[float]] = {name: [] for name in timers}
    plan = schedule(list(timers), rounds, order)
    loops, wait = {}, 0.0
    for name, timer in timers.items():
        loops[name], once = calibrate(timer, seconds)
        wait += once * loops[name] * rounds
    if copy:
        loops[copy] = loops[first]  # or a difference in the loops would be one of the two
    if progress == "auto":
        progress = sign_of_life() if wait > LONG else None
    tell = progress or (lambda done, total: None)
    cancelled = False
    try:
        for name in schedule(list(timers), warmup):
            timers[name].timeit(loops[name])
        for done, name in enumerate(plan, 1):
            samples[name].append(timers[name].timeit(loops[name]) / loops[name])
            tell(done, len(plan))
    except KeyboardInterrupt:
        done = sum(map(len, samples.values()))
        tell(done, done)  # there will be no more
        if not all(samples.values()):
            raise
        cancelled = True
    series = {name: Series(name, loops[name], tuple(samples[name])) for name in timers}
    own = series.pop(copy) if copy else None
    return Comparison(title, tuple(series.values()), own, where, rounds, order, cancelled)


def _ready(name: str, task: Task | Callable[[], Any]) -> tuple[Callable, tuple]:
    """What to run and on what, once the task has passed its gate."""
    if not isinstance(task, Task):
        task = Task(task)
    arguments = (task.prepare(),) if task.prepare else ()
    if task.check:
        try:
            task.check(*(arguments or [None]), task.run(*arguments))
        except Exception as error:
            raise Unfaithful(f"{name} is not timed: {error}") from error
    return task.run, arguments


def _timer(run: Callable, arguments: tuple, clock: Callable[[], float]) -> timeit.Timer:
    names = {"run": run, **dict(zip(["argument"], arguments, strict=False))}
    return timeit.Timer("run(argument)" if arguments else "run()", timer=clock, globals=names)


def calibrate(timer: timeit.Timer, seconds: float) -> tuple[int, float]:
    """How many calls take about so many seconds, and how many seconds one of them takes.
    (`Timer.autorange` aims at 0.2 s and no other.)

    Raises ValueError if the clock stands still.
    """
    loops = 1
    while (taken := timer.timeit(loops)) < seconds / 2:
        if loops > MOST_LOOPS:
            raise ValueError(f"{loops:,} calls take {taken:g} s: does this clock run?")
        wanted = loops * seconds / taken if taken > 0 else 10 * loops
        loops = max(2 * loops, int(min(wanted, 10 * loops)))  # a short loop says little: in steps
    return max(1, round(loops * seconds / taken)), taken / loops


def sign_of_life() -> Progress:
    """A progress that counts in one line, in a notebook or a terminal; elsewhere it is silent."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is not None and hasattr(shell, "kernel"):
        return _in_notebook()
    return _in_terminal if sys.stdout.isatty() else lambda done, total: None


def _line(done: int, total: int) -> str:
    return f"{done:,} of {total:,} samples; interrupt to stop and keep them"


def _in_notebook() -> Progress:
    from IPython.display import HTML, display

    handle = display(HTML(""), display_id=True)
    last = 0.0

    def show(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if done == total:
            handle.update(HTML(""))
        elif now - last > 0.2:  # a display costs time, though outside the samples
            last = now
            bar = f'<progress value="{done}" max="{total}" aria-label="samples"></progress>'
            handle.update(HTML(f"<p>{bar} {_line(done, total)}</p>"))

    return show


def _in_terminal(done: int, total: int) -> None:
    text = "" if done == total else _line(done, total)
    print(f"\r\x1b[K{text}", end="", flush=True)
