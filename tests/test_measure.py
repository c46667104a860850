"""Counts, which are exact; and how times are taken, by a clock that stands still unless told to
move. No test here depends on how fast anything is."""

import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import msgspec
import pytest
from bytewalk import bincode, derive, fixtures, measure, postcard, serde, speedy
from bytewalk.errors import CodecError, OutOfRange, TooDeep
from bytewalk.measure import clock as clocks
from bytewalk.measure import plot, results
from bytewalk.measure.machine import cpu_model
from bytewalk.records import Document, DocumentItem
from bytewalk.types import Record, f64, i32, u8, u64

from .roads import FORMATS, each_format

DOCUMENT = fixtures.make("document", seed=42, index=0)
FIXTURE = fixtures.as_fixture(DOCUMENT)
STANDARD, LEGACY = bincode.standard(), bincode.legacy()


# --- counts ---


@pytest.mark.parametrize(
    ("value", "format", "writes", "comparisons", "signs", "size"),
    [
        (DOCUMENT, speedy, 39, 0, 0, 214),
        (DOCUMENT, STANDARD, 47, 42, 18, 121),
        (FIXTURE, STANDARD, 48, 43, 18, 122),
        (DOCUMENT, LEGACY, 39, 0, 0, 258),
        (DOCUMENT, postcard, 39, 47, 0, 113),
        (FIXTURE, postcard, 40, 48, 0, 114),
    ],
)
def test_the_document_counted(value, format, writes, comparisons, signs, size):
    counts = measure.count(value, format)
    assert (counts.writes, counts.comparisons, counts.sign_tests) == (writes, comparisons, signs)
    assert counts.bytes == size == len(format.encode(value))
    # 8 items of 4 nodes; the document, its 2 scalars, the meta of 3 nodes and the list of items
    assert counts.visits == 8 * 4 + 7 + (value is FIXTURE)


@each_format
@pytest.mark.parametrize("kind", fixtures.KINDS)
def test_counts_agree_with_the_bytes_and_the_spans(name, kind):
    value, format = fixtures.make(kind, seed=7, index=1), FORMATS[name]
    counts = measure.count(value, format)
    data = format.encode(value)
    assert counts.bytes == len(data)
    read = measure.count_decode(data + b"behind", type(value), format)
    assert read.bytes == len(data)
    assert read.visits == counts.visits


@pytest.mark.parametrize(
    ("value", "format", "writes", "comparisons", "signs"),
    [
        # zigzag 250 and 252: the second takes a marker and two bytes
        (125, STANDARD, 1, 1, 1),
        (126, STANDARD, 2, 2, 1),
        (-(2**31), STANDARD, 2, 2, 1),  # the widest form that an i32 has needs no test of its own
        (63, postcard, 1, 1, 0),
        (64, postcard, 1, 2, 0),
        (-(2**31), postcard, 1, 5, 0),
        (-1, speedy, 1, 0, 0),
    ],
)
def test_one_integer(value, format, writes, comparisons, signs):
    counts = measure.count(value, format, i32)
    assert (counts.writes, counts.comparisons, counts.sign_tests) == (writes, comparisons, signs)
    assert counts.visits == 1


def test_counts_of_lists_options_and_maps():
    assert measure.count([1.0, 2.0, 3.0], speedy, list[f64]).writes == 2  # the count, and a copy
    assert measure.count([1.0, 2.0, 3.0], LEGACY, list[f64]).writes == 4  # one after another
    assert measure.count([1, 2, 300], STANDARD, list[u64]).writes == 1 + 1 + 1 + 2
    assert measure.count(None, speedy, i32 | None).writes == 1
    assert measure.count({1: "a"}, speedy, dict[u8, str]).writes == 4
    read = measure.count_decode(speedy.encode([1.0] * 3, list[f64]), list[f64], speedy)
    assert (read.reads, read.lists, read.texts) == (2, 1, 0)
    read = measure.count_decode(LEGACY.encode([True] * 3, list[bool]), list[bool], LEGACY)
    assert read.reads == 2


@each_format
def test_what_a_decoder_makes(name):
    format = FORMATS[name]
    read = measure.count_decode(format.encode(DOCUMENT), Document, format)
    assert (read.reads, read.texts, read.lists, read.records) == (39, 10, 1, 10)


class Nested(Record):
    inner: list["Nested"]


def test_counts_refuse_as_the_walk_does():
    with pytest.raises(OutOfRange) as caught:
        measure.count(DocumentItem("a", 1 << 31, 0), speedy)
    assert caught.value.path == "qty"
    with pytest.raises(CodecError) as caught:
        measure.count_decode(speedy.encode(DOCUMENT)[:-1], Document, speedy)
    assert caught.value.path == "items[7].price_minor"
    value = Nested([])
    for _ in range(127):
        value = Nested([value])
    assert measure.count(value, speedy).visits == 2 * 128
    with pytest.raises(TooDeep):
        measure.count(Nested([value]), speedy)


def test_calls():
    def leaf():
        return len("")

    def root():
        leaf()
        leaf()

    counted = measure.calls(root)
    assert (counted.python, counted.c) == (3, 2)
    with pytest.raises(ZeroDivisionError):
        measure.calls(lambda: 1 // 0)
    assert measure.calls(int).python == 0
    codec = derive.codec(Document, speedy)
    straight, walked = (
        measure.calls(codec.encode, DOCUMENT),
        measure.calls(serde.serialize, DOCUMENT, speedy),
    )
    assert straight.python == 2
    assert walked.python > 10 * straight.python


def test_counts_show_themselves():
    counts = measure.count(DOCUMENT, STANDARD)
    text, html = repr(counts), counts._repr_html_()
    for shown in ("writing Document in bincode", "sign tests", "47", "42", "18", "121", "39"):
        assert shown in text
        assert shown in html
    both = measure.side_by_side(counts, measure.count(DOCUMENT, speedy), caption="Two")
    assert len(both.rows) == 2
    with pytest.raises(ValueError):
        measure.side_by_side(counts, measure.calls(int))
    with pytest.raises(AttributeError):
        counts.writes = 0


# --- times ---


class Clock:
    """A clock that moves only when a task moves it, and remembers who was timed."""

    def __init__(self):
        self.now = 0.0
        self.reads = 0
        self.log = []  # [task, its calls between two looks at the clock, looks before them]

    def __call__(self):
        self.reads += 1
        return self.now

    def task(self, name, seconds):
        """A task that takes so many seconds."""

        def run():
            self.now += seconds
            if self.log and self.log[-1][0] == name and self.log[-1][2] == self.reads:
                self.log[-1][1] += 1
            else:
                self.log.append([name, 1, self.reads])

        return run


def test_schedule():
    assert "".join(measure.schedule(["A", "B"], 4)) == "ABBAABBA"
    assert "".join(measure.schedule(["A", "B", "C"], 2)) == "ABCCBA"
    assert "".join(measure.schedule(["A", "B"], 3, "blocks")) == "AAABBB"
    assert measure.schedule(["A"], 0) == []


def test_loops_are_calibrated_and_kept_the_same():
    clock = Clock()
    tasks = {"A": clock.task("A", 1e-6), "B": clock.task("B", 4e-6)}
    run = measure.compare(tasks, clock=clock, rounds=3, seconds=1e-3, warmup=1, progress=None)
    assert run["A"].loops == run.control.loops == pytest.approx(1_000, rel=0.01)
    assert run["B"].loops == pytest.approx(250, rel=0.01)
    a, b = run["A"].loops, run["B"].loops
    plan = [("A", a), ("B", b), ("A", a)]
    taken = [(name, calls) for name, calls, _ in clock.log]
    assert taken[-12:] == [*plan, *plan, *plan[::-1], *plan]  # the first of them warms up
    assert run["A"].samples == pytest.approx([1e-6] * 3)
    assert run["B"].samples == pytest.approx([4e-6] * 3)
    assert run.ratio("B") == pytest.approx(4)
    assert run.ratio("A", "B") == pytest.approx(0.25)


def test_a_task_shorter_than_the_clock_s_tick_ends():
    with pytest.raises(ValueError, match="does this clock run"):
        measure.compare({"A": int}, clock=lambda: 0.0, progress=None)


def test_nothing_to_time():
    with pytest.raises(ValueError):
        measure.compare({})
    with pytest.raises(ValueError):
        measure.compare({"A": int}, rounds=0)


def test_the_gate_comes_before_the_clock():
    clock = Clock()
    cached = speedy.encode(fixtures.make("document", seed=1, index=0))
    tasks = {
        "honest": measure.encoding(speedy.encode, lambda data: DOCUMENT, DOCUMENT),
        "cached": measure.encoding(
            lambda value: cached, lambda data: speedy.decode(data, Document), DOCUMENT
        ),
    }
    with pytest.raises(measure.Unfaithful, match="cached is not timed: decoding gives Document"):
        measure.compare(tasks, clock=clock, progress=None)
    assert clock.reads == 0


@pytest.mark.parametrize(
    ("encode", "decode", "value"),
    [
        (str, int, True),  # 1 is not True
        (str, str, 1),
        (str, lambda data: 1 // 0, 1),
    ],
)
def test_unfaithful_round_trips(encode, decode, value):
    for task in (measure.encoding, measure.decoding):
        with pytest.raises(measure.Unfaithful, match="pair is not timed: "):
            measure.compare({"pair": task(encode, decode, value)}, progress=None)


def test_prepare_is_not_timed():
    clock = Clock()
    work = clock.task("work", 1e-3)

    def prepare():
        clock.now += 100.0
        return "prepared"

    seen = []

    def run(argument):
        seen.append(argument)
        work()

    run = measure.compare(
        {"A": measure.Task(run, prepare)}, clock=clock, rounds=2, control=False, progress=None
    )
    assert run["A"].samples == pytest.approx([1e-3] * 2)
    assert set(seen) == {"prepared"}
    assert clock.now < 101.0  # once
    assert run.control is None


def stop_after(clock, calls):
    """A task of 1 ms that is interrupted at its n-th call."""
    left = [calls]
    work = clock.task("stopped", 1e-3)

    def run():
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        work()

    return run


def test_cancel_keeps_what_was_measured():
    clock, told = Clock(), []
    tasks = {"A": clock.task("A", 1e-3), "B": stop_after(clock, 8)}
    run = measure.compare(
        tasks, clock=clock, rounds=50, seconds=1e-3, progress=lambda *say: told.append(say)
    )
    assert run.cancelled
    assert run.rounds == 50
    assert len(run["B"].samples) in (6, 7)  # without the calibration and the warm-up
    assert len(run["A"].samples) >= len(run["B"].samples)
    assert f"of {run.rounds}, cancelled" in run.provenance
    assert told[0] == (1, 150)
    assert told[-1][0] == told[-1][1] == sum(len(one.samples) for one in (*run.series, run.control))


def test_cancel_before_the_first_round_passes_through():
    for calls in (0, 1, 2):
        clock = Clock()
        with pytest.raises(KeyboardInterrupt):
            measure.compare(
                {"A": clock.task("A", 1e-3), "B": stop_after(clock, calls)},
                clock=clock,
                seconds=1e-3,
                progress=None,
            )


def test_progress_shows_only_where_one_waits(monkeypatch):
    told = []
    monkeypatch.setattr(clocks, "sign_of_life", lambda: lambda *say: told.append(say))
    for wait, said in ((0.01, 0), (0.2, 15)):  # seconds in a sample
        clock = Clock()
        measure.compare({"A": clock.task("A", wait)}, clock=clock, rounds=15, control=False)
        assert len(told) == said


def test_progress_in_a_terminal(monkeypatch, capsys):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setitem(sys.modules, "IPython", type("Shell", (), {"get_ipython": lambda: None}))
    show = clocks.sign_of_life()
    show(3, 40)
    show(40, 40)
    out = capsys.readouterr().out
    assert "3 of 40 samples" in out
    assert out.endswith("\x1b[K")


def series(name, *microseconds):
    return measure.Series(name, 10, tuple(1e-6 * m for m in microseconds))


HERE = measure.environment(machine="a machine", date="2026-01-02")
THERE = msgspec.structs.replace(HERE, machine="another machine")
STEADY = (10.0, 10.1, 9.9, 10.0, 10.2, 9.8, 10.0, 10.1)


def run_of(factor, *, noise=1.0, where=HERE, samples=STEADY):
    control = series("copy of A", *(noise * t for t in samples))
    others = series("B", *(factor * t for t in samples))
    return measure.Comparison("", (series("A", *samples), others), control, where, 8, "mirrored")


def test_median_and_quartiles():
    one = series("A", 4, 1, 3, 2, 100)
    assert one.median == pytest.approx(3e-6)
    assert one.quartiles == pytest.approx((2e-6, 4e-6))
    assert series("A", 7).quartiles == pytest.approx((7e-6, 7e-6))


def test_the_noise_bar_is_what_the_control_shows():
    quiet, noisy = run_of(1.1), run_of(1.1, noise=1.25)
    assert quiet.noise == 1.0  # the copy took the same times in the same rounds
    assert noisy.noise == pytest.approx(1.25, rel=0.001)
    assert quiet.differs("B")
    assert not noisy.differs("B")
    assert quiet.verdict("B") == "1.10 times"
    assert noisy.verdict("B") == "no difference seen"
    assert run_of(1 / 1.3, noise=1.25).differs("B")
    assert run_of(1.25, noise=1 / 1.25).noise == pytest.approx(1.25)
    assert run_of(1.1, noise=1.25).noise == noisy.noise  # the same samples, the same bar


def test_scattered_controls_widen_the_bar():
    samples = (10, 14, 9, 13, 10, 15, 9, 12)
    control = series("copy of A", *samples[1:], samples[0])
    run = measure.Comparison("", (series("A", *samples),), control, HERE, len(samples), "mirrored")
    assert run.control.median == run["A"].median
    assert run.noise > 1.05


def test_no_bar_no_verdict():
    run = run_of(3, samples=STEADY[:4])
    assert run.noise is None
    assert run.differs("B") is None
    assert run.verdict("B") == "no noise bar, no verdict"
    assert "nothing to claim" in measure.claim(run, "B")
    run = msgspec.structs.replace(run_of(3), control=None)
    assert run.noise is None
    assert "copy" not in repr(run)


def test_claims_are_worded_at_their_level():
    say = measure.claim
    assert say(run_of(3), "B") == (
        "In one run on one machine (a machine), B took 3.00 times the time of A (noise bar 0.0 %)."
    )
    assert say(run_of(3), "A", "B").startswith(
        "In one run on one machine (a machine), A took 0.33 times the time of B"
    )
    runs = [run_of(3), run_of(3.2, noise=1.05)]
    assert say(runs, "B") == (
        "In 2 runs on one machine (a machine), B took 3.00 to 3.20 times the time of A "
        "(noise bar 5.0 %)."
    )
    assert say([*runs, run_of(2.8, where=THERE)], "B").startswith(
        "In 3 runs on 2 machines (a machine; another machine), B took 2.80 to 3.20 times"
    )
    within = [run_of(1.02, noise=1.1), run_of(0.99, noise=1.04)]
    assert "no difference seen between B and A (noise bar 10.0 %)" in say(within, "B")
    assert "disagree" in say([run_of(1.3), run_of(0.8)], "B")
    assert "1 of 2 outside" in say([run_of(1.3), run_of(1.01, noise=1.1)], "B")
    with pytest.raises(KeyError):
        say(run_of(1), "C")


def test_json_keeps_everything_and_marks_it_as_recorded(tmp_path):
    run = run_of(1.5, noise=1.01)
    assert "Measured on 2026-01-02; a machine" in run.provenance
    again = measure.Comparison.from_json(run.to_json())
    assert again.recorded
    assert msgspec.structs.replace(again, recorded=False) == run
    assert again.noise == run.noise
    assert "Recorded on 2026-01-02; a machine" in repr(again)
    assert "Recorded on 2026-01-02; a machine" in again._repr_html_()
    run.save(tmp_path / "run.json")
    assert measure.load(tmp_path / "run.json") == again
    with pytest.raises(msgspec.ValidationError):
        measure.Comparison.from_json(b'{"title": 1}')
    with pytest.raises(AttributeError):
        run.title = "another"


def test_the_environment(tmp_path):
    here = measure.environment()
    assert here.python == ".".join(map(str, sys.version_info[:3]))
    assert re.match(r"\d{4}-\d\d-\d\dT", here.date)
    assert here.cpu in here.machine
    assert str(HERE).startswith("a machine, ")
    assert str(here).count(here.cpu) == 1
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text("processor\t: 0\nmodel name\t: A  Fast   CPU\n", encoding="utf-8")
    assert cpu_model(cpuinfo) == "A Fast CPU"
    assert cpu_model(Path(tmp_path / "none"))


def test_the_table_says_what_the_picture_shows():
    run = msgspec.structs.replace(run_of(2, noise=1.01), title="Two <ways>")
    text, html = repr(run), run._repr_html_()
    for shown in ("Two", "10.0 µs", "20.0 µs", "2.00 times", "copy of A", "1.010 times: the noise"):
        assert shown in text
        assert shown in html
    assert "Two &lt;ways&gt;" in html
    assert "Two <ways>" not in html
    for words in ("8 points from 9.80 µs to 10.2 µs, median 10.0 µs", "Noise bar 1.0 %"):
        assert words in plot.alt(run)
    assert 'role="img"' in html


@pytest.mark.parametrize("slowest", [1, 100])
def test_every_sample_is_a_point_with_a_mark_of_its_own(slowest):
    samples = (*STEADY, slowest * 10)
    run = run_of(2, noise=1.01, samples=samples)
    drawn = plot.svg(run)
    assert drawn == plot.svg(run)
    root = ElementTree.fromstring(drawn)
    link = "{http://www.w3.org/1999/xlink}href"
    used = [use.get(link) for use in root.iter("{http://www.w3.org/2000/svg}use")]
    # the ticks of an axis are drawn by the same element, all of one axis with one mark
    marks = [mark for mark in dict.fromkeys(used) if used.count(mark) == len(samples)]
    assert len(marks) >= 3
    assert "<style" not in drawn  # it would be that of the whole page
    ids = re.findall(r' id="([^"]+)"', drawn)
    assert set(ids) <= set(re.findall(r"#([\w-]+)", drawn))
    texts = "".join(root.itertext())
    assert "µs per call" in texts
    assert ("logarithmic" in texts) == (slowest > 1)


def test_durations():
    said = {2.5: "2.50 s", 0.0123: "12.3 ms", 1.926e-6: "1.93 µs", 88e-9: "88.0 ns", 4e-7: "400 ns"}
    assert {seconds: results.duration(seconds) for seconds in said} == said


def test_a_real_clock_runs_through():
    codec = derive.codec(Document, speedy)
    run = measure.compare(
        {
            "encode": measure.encoding(codec.encode, codec.decode, DOCUMENT),
            "decode": measure.decoding(codec.encode, codec.decode, DOCUMENT),
        },
        rounds=5,
        seconds=1e-4,
        progress=None,
    )
    assert all(len(one.samples) == 5 and min(one.samples) > 0 for one in run.series)
    assert run.noise >= 1
