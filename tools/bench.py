"""How fast the library is: as ratios, all of one direction interleaved in one run.

`make bench` runs it. What it prints belongs to this machine and this moment; the noise bar says how
much of it to believe. `--save DIR` keeps the runs as JSON.
"""

import argparse
import tracemalloc
from pathlib import Path
from typing import NamedTuple

import peers
import reference
from bytewalk import bincode, derive, fixtures, measure, postcard, serde, show, speedy
from bytewalk.records import Document, DocumentItem, DocumentMeta

BY_HAND = "by hand, Speedy"
FORMATS = {"Speedy": speedy, "bincode": bincode, "postcard": postcard}
WAYS = {"encode": measure.encoding, "decode": measure.decoding}


class Bar(NamedTuple):
    """How many times the time of `to` the time of `name` is to be: at most, or else at least."""

    name: str
    to: str
    ways: tuple[str, ...]
    most: float | None = None
    least: float | None = None


BARS = [
    Bar("derived, Speedy", BY_HAND, ("encode",), most=1.15),
    Bar("derived, Speedy", BY_HAND, ("decode",), most=1.20),
    Bar("derived, bincode", "derived, Speedy", tuple(WAYS), most=2.0),
    Bar("derived, postcard", "derived, Speedy", tuple(WAYS), most=2.5),
    *(Bar(f"walk, {name}", f"derived, {name}", tuple(WAYS), least=3.0) for name in FORMATS),
]
SIZES = [1_000, 10_000, 100_000]
MOST_MEMORY = 3.0  # times the output


def own(document: Document) -> dict[str, tuple]:
    """What this project brings: name -> (encode, decode, value)."""
    found = {BY_HAND: (reference.encode, reference.decode, document)}
    for name, format in FORMATS.items():
        codec = derive.codec(Document, format)
        found[f"derived, {name}"] = (codec.encode, codec.decode, document)
    for name, format in FORMATS.items():
        found[f"walk, {name}"] = (*walk(format), document)
    return found


def walk(format) -> tuple:
    return (
        lambda value: serde.serialize(value, format, Document),
        lambda data: serde.deserialize(data, Document, format),
    )


def timed(subjects: dict[str, tuple], way: str, rounds: int, seconds: float):
    tasks = {name: WAYS[way](*subject[:3]) for name, subject in subjects.items()}
    return measure.compare(tasks, title=f"{way} the document", rounds=rounds, seconds=seconds)


def held(runs: dict[str, measure.Comparison], others: dict[str, peers.Peer]) -> show.Table:
    """The bars, and where the runs stand."""
    rows = []
    for bar in BARS:
        for way in bar.ways:
            ratio = runs[way].ratio(bar.name, bar.to)
            good = ratio <= bar.most if bar.most else ratio >= bar.least
            text = f"at most {bar.most:.2f}" if bar.most else f"at least {bar.least:.2f}"
            rows.append([way, bar.name, bar.to, f"{ratio:.2f}", text, said(good)])
    for name, peer in others.items():
        for way, run in runs.items():
            ratio = run.ratio(name, "derived, Speedy")
            text = f"none: {peer.no_bar}" if peer.no_bar else "at least 1.00"
            verdict = "" if peer.no_bar else said(ratio >= 1)
            rows.append([way, name, "derived, Speedy", f"{ratio:.2f}", text, verdict])
    head = ["", "the time of", "compared with", "times", "bar", ""]
    return show.table(rows, head, "Ratios of medians")


def said(good: bool) -> str:
    return "held" if good else "NOT HELD"


def long_document(items: int) -> Document:
    """A document of so many items, each an object of its own."""
    known = [item for i in range(125) for item in fixtures.make("document", index=i).items]
    copies = (known[i % len(known)] for i in range(items))
    copies = [DocumentItem(one.sku, one.qty, one.price_minor) for one in copies]
    return Document("long", 0, DocumentMeta("eu", 1), copies)


def peak(function, argument) -> tuple[int, int]:
    """(most bytes held at once by a call, bytes that its result keeps), by tracemalloc."""
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        result = function(argument)
        after, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    del result
    return most - before, after - before


def growth(rounds: int, seconds: float) -> show.Table:
    """Time per item and memory as the document grows, for the derived code."""
    documents = {items: long_document(items) for items in SIZES}
    rows = []
    for name, format in FORMATS.items():
        codec = derive.codec(Document, format)
        for way, make in WAYS.items():
            run = measure.compare(
                {str(n): make(codec.encode, codec.decode, one) for n, one in documents.items()},
                rounds=rounds,
                seconds=seconds,
                control=False,
            )
            shortest = run[str(SIZES[0])].median / SIZES[0]
            for items, document in documents.items():
                if way == "encode":
                    most, kept = peak(codec.encode, document)
                else:
                    most, kept = peak(codec.decode, codec.encode(document))
                each = run[str(items)].median / items
                memory = said(most <= MOST_MEMORY * kept)
                time = [measure.duration(each), f"{each / shortest:.2f}"]
                rows.append([f"{way}, {name}", items, *time, f"{most / kept:.2f}", memory])
    head = ["", "items", "one takes", "compared", "peak / result", f"at most {MOST_MEMORY:.0f}"]
    return show.table(rows, head, f"As the document grows, compared with {SIZES[0]:,} items")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=40, help="samples of each subject")
    options.add_argument("--seconds", type=float, default=0.02, help="how long a sample takes")
    options.add_argument("--save", type=Path, help="a folder for the runs as JSON")
    chosen = options.parse_args()
    document = fixtures.make("document", seed=42, index=0)
    others = peers.peers(document)
    runs = {}
    for way in WAYS:
        run = timed(own(document) | others, way, chosen.rounds, chosen.seconds)
        runs[way] = run
        print(run, end="\n\n", flush=True)
        if chosen.save:
            chosen.save.mkdir(parents=True, exist_ok=True)
            run.save(chosen.save / f"bench-{way}.json")
    print(held(runs, others), end="\n\n", flush=True)
    print(growth(min(chosen.rounds, 9), chosen.seconds))


if __name__ == "__main__":
    main()
