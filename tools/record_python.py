"""Record the Python comparisons that chapter 06 shows.

    python tools/record_python.py --machine NAME [recording ...]      # default: all, half a minute

Each recording is made in a process of its own and becomes data/measured/python/06-NAME.json, which
`bytewalk.measure.load` reads: every sample, the machine, its load, the date. The machine's name is
what you call it; without one it is its CPU and system. `--output FOLDER` leaves the book's files
alone. The chapter's cells check that what its text says of the recordings still holds.
"""

import argparse
import os
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import msgspec
from bytewalk import bincode, derive, fixtures, measure, postcard, serde, speedy
from bytewalk.records import Document, Fixture

TARGET = Path(__file__).resolve().parent.parent / "data" / "measured" / "python"
RUNS = 5  # of the comparison that is made more than once
FORMATS = {"Speedy": speedy, "bincode": bincode, "postcard": postcard}


def document():
    return fixtures.make("document", seed=42, index=0)


def tasks(way):
    """Three formats by their derived code, and Speedy by the walk. way: a function of `measure`."""
    codecs = {name: derive.codec(Document, format) for name, format in FORMATS.items()}
    found = {
        f"{name}, derived": way(codec.encode, codec.decode, document())
        for name, codec in codecs.items()
    }
    found["Speedy, walk"] = way(
        lambda value: serde.serialize(value, speedy, Document),
        lambda data: serde.deserialize(data, Document, speedy),
        document(),
    )
    return found


def copy(where):
    """One encoder and its copy, nothing else."""
    codec = derive.codec(Document, speedy)
    task = measure.encoding(codec.encode, codec.decode, document())
    return measure.compare(
        {"encode": task}, title="Encoding the document against itself", rounds=40, **where
    )


def same(where):
    """Two equal things, and the noise bar beside them."""
    codec = derive.codec(Document, speedy)
    task = measure.encoding(codec.encode, codec.decode, document())
    tasks = {"A": task, "B, the same": task}
    return measure.compare(tasks, title="Two equal things", rounds=40, **where)


def first(where):
    """Each of the first 40 calls in a fresh process by itself: a loop of one, no warm-up."""
    value, samples = document(), []
    for _ in range(40):
        start = time.perf_counter()
        speedy.encode(value)
        samples.append(time.perf_counter() - start)
    series = measure.Series("speedy.encode", 1, tuple(samples))
    title = "The first 40 calls in a fresh process, each timed by itself"
    return measure.Comparison(
        title, (series,), None, measure.environment(**where), len(samples), "blocks"
    )


@contextmanager
def neighbours():
    """Gives a `start` function that keeps every core busy, twice over, until the context ends."""
    busy = []

    def start():
        for _ in range(2 * (os.cpu_count() or 1)):
            busy.append(subprocess.Popen([sys.executable, "-c", "while True: pass"]))
        time.sleep(0.1)  # until they run

    try:
        yield start
    finally:
        for process in busy:
            process.kill()
            process.wait()


def busy(order, where):
    """Two equal things; halfway, other programs begin to use all cores."""
    codec = derive.codec(Document, speedy)
    task = measure.encoding(codec.encode, codec.decode, document())
    with neighbours() as start:
        return measure.compare(
            {"A": task, "B, the same": task},
            title="Two equal things, other programs from halfway on",
            rounds=40,
            order=order,
            control=False,
            progress=lambda done, total: start() if done == total // 2 else None,
            **where,
        )


class Remembering:
    """An encoder with a planted fault: it keeps what it wrote, by the identity of the value."""

    def __init__(self, encode):
        self.encode = encode
        self.written = {}

    def __call__(self, value):
        if id(value) not in self.written:
            self.written[id(value)] = self.encode(value)
        return self.written[id(value)]


def repair(stage, where):
    """The benchmark with planted faults after so many repairs: memory, wrapper, order."""
    bare, plain = document(), derive.codec(Document, speedy)
    value = bare if stage >= 2 else fixtures.as_fixture(bare)
    codec = derive.codec(Document if stage >= 2 else Fixture, bincode)
    encode = codec.encode if stage >= 1 else Remembering(codec.encode)
    fair = {} if stage >= 3 else {"order": "blocks", "warmup": 0}
    return measure.compare(
        {
            "Speedy": measure.encoding(plain.encode, plain.decode, bare),
            "bincode": measure.encoding(encode, codec.decode, value),
        },
        title=["As found", "Without the memory", "Bare against bare", "A B B A, warmed up"][stage],
        rounds=30,
        **fair,
        **where,
    )


def recordings():
    """Name -> a function of where, the keywords of `compare` that name the machine."""
    found = {"copy": copy, "same": same, "first": first}
    for order in ("blocks", "mirrored"):
        found[f"busy-{order}"] = lambda where, order=order: busy(order, where)
    for way in (measure.encoding, measure.decoding):
        for run in range(1, RUNS + 1):
            found[f"{way.__name__}-{run}"] = lambda where, way=way: measure.compare(
                tasks(way), title=f"{way.__name__.title()} the document", rounds=20, **where
            )
    for stage in range(4):
        found[f"repair-{stage}"] = lambda where, stage=stage: repair(stage, where)
    return found


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--machine", help="what to call this machine")
    parser.add_argument("--output", type=Path, default=TARGET, help="folder for the files")
    parser.add_argument("--here", action="store_true", help="in this process, one recording alone")
    parser.add_argument("recordings", nargs="*", help=f"of {', '.join(recordings())}")
    options = parser.parse_args(arguments)
    chosen = options.recordings or list(recordings())
    if unknown := [name for name in chosen if name not in recordings()]:
        parser.error(f"no recording is called {unknown[0]}; there are {', '.join(recordings())}")
    options.output.mkdir(parents=True, exist_ok=True)
    for name in chosen:
        if options.here:
            record(name, options.machine, options.output)
        else:
            print(f"==> Recording {name}", flush=True)
            command = [sys.executable, __file__, "--here", "--output", options.output, name]
            command += ["--machine", options.machine] if options.machine else []
            subprocess.run(command, check=True)


def record(name, machine, folder):
    before = measure.environment(machine)  # the load then; a recording adds to it
    made = recordings()[name]({"machine": machine})
    kept = msgspec.structs.replace(made, environment=before)
    kept.save(folder / f"06-{name}.json")


if __name__ == "__main__":
    main(sys.argv[1:])
