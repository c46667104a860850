"""The pages on the sources and on reproducing: every number on them is computed here, every file
and chapter that they name exists, and the worked example gets its answer from the real crates."""

import inspect
import json
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from bytewalk import CodecError, bincode, fixtures, postcard, quoted, rkyv, show, speedy
from bytewalk.integers import Marker
from bytewalk.records import Document, DocumentItem, DocumentMeta, Fixture
from bytewalk.types import Record, i8, i32, i64, schema, u32, u64, u128

from . import oracle, test_oracle, test_oracle_rkyv
from .test_golden import REJECTS, VECTORS

BOOK = oracle.ROOT / "book"
RAW = {path.name: path.read_text(encoding="utf-8") for path in BOOK.glob("*.md")}
SOURCES, REPRODUCE = (" ".join(RAW[name].split()) for name in ("sources.md", "reproduce.md"))
CHAPTERS = {path.stem[:2]: path for path in (oracle.ROOT / "notebooks").glob("*.ipynb")}

DOCUMENT = fixtures.make("document", seed=42, index=0)
FIXTURE = fixtures.as_fixture(DOCUMENT)
ITEM = DocumentItem("A", 1, 2)
TYPES = {"u32": u32, "u64": u64, "i32": i32, "i64": i64}
# As the golden files spell them.
AS_DOCUMENT = oracle.to_json(schema(Document), DOCUMENT)
AS_FIXTURE = oracle.to_json(schema(Fixture), FIXTURE)
AS_ITEM = oracle.to_json(schema(DocumentItem), ITEM)


def golden(format, type="document", value=AS_DOCUMENT):
    """The bytes that a crate wrote for a value."""
    (hexes,) = {
        row["hex"]
        for row in VECTORS
        if (row["type"], row["format"], row["value"]) == (type, format, value)
    }
    return bytes.fromhex(hexes)


def verdict(type, format, hexes):
    """What a crate said to some bytes, without a limit and at a round address."""
    (said,) = [
        row["verdict"]
        for row in REJECTS
        if (row["type"], row["format"], row["hex"]) == (type, format, hexes)
        and "limit" not in row
        and "offset" not in row
    ]
    return said


def printed(table, codec, metric, operation="encode"):
    """A figure of a source."""
    (figure,) = [
        f
        for f in quoted.load(table)
        if (f.codec, f.metric, f.operation) == (codec, metric, operation)
    ]
    return figure


def rate(table, codec):
    return printed(table, codec, "rate", "encode + decode")


def numbers(format, value=DOCUMENT):
    """The spans of a value's numbers: all but its texts."""
    return [span for span in format.trace(value).spans if span.role != "text"]


def tally(format, kind, value=DOCUMENT):
    """How many steps of a kind the numbers of a value take."""
    return sum(
        show.steps(span.value, TYPES[span.type], format).tally(kind)
        for span in numbers(format, value)
    )


def writes(format):
    """The pieces of the document that are handed to the output: numbers, markers and texts."""
    texts = len(format.trace(DOCUMENT).spans) - len(numbers(format))
    return tally(format, "write") + texts


def minus(number):
    """A number with the sign that the prose uses."""
    return str(number).replace("-", "−")


MEASURED = oracle.ROOT / "data" / "measured"
RUNS = {
    name: json.loads((MEASURED / f"{name}.json").read_text())
    for name in ("document", "interventions")
}
SUBJECTS = {
    subject["id"]: subject["profiles"] for run in RUNS.values() for subject in run["subjects"]
}
BUILDS = ("release", "fat")
INLINED = tuple(f"{build}-inlined" for build in BUILDS)
ENCODE = {
    "speedy": "encode/speedy/own/fixed/document/write/suite",
    "postcard": "encode/postcard/serde/leb128/document/extend/suite",
    "rkyv, as timed": "encode/rkyv/to_bytes/archive/document/copied/suite",
    "rkyv, buffer kept": "encode/rkyv/to_bytes_in/archive/document/reused/suite",
}
DECODE = {
    "speedy": "decode/speedy/own/fixed/document/plain/suite",
    "postcard": "decode/postcard/serde/leb128/document/plain/suite",
    "rkyv": "decode/rkyv/from_bytes/archive/document/plain/suite",
}


def through_bincode(way, road="serde", widths="standard", record="document", sink="write"):
    how = sink if way == "encode" else "plain"
    return f"{way}/bincode/{road}/{widths}/{record}/{how}/suite"


def times(subject, builds=BUILDS):
    """Nanoseconds in each build, and in each with the code moved."""
    found = [SUBJECTS[subject][build] for build in builds]
    return [one["ns"]["median"] for one in found] + [one["moved_ns"] for one in found]


def counts(subject, what="instructions"):
    return [SUBJECTS[subject][build]["counts"][what] for build in BUILDS]


def over(one, other, read=times, **how):
    """How many times as much the one takes as the other, in each build."""
    return [a / b for a, b in zip(read(one, **how), read(other, **how), strict=True)]


def more(one, other, read=counts):
    return [a - b for a, b in zip(read(one), read(other), strict=True)]


def within(low, high, values):
    """The range in words, if all values are in it and it is no wider than it has to be."""
    assert low <= min(values) <= max(values) <= high, values
    assert low > min(values) / 2 and high < 2 * max(values), values
    return f"{low:,} to {high:,}"


TEXTS = [
    text.encode()
    for text in (DOCUMENT.id, DOCUMENT.meta.region, *(item.sku for item in DOCUMENT.items))
]


# --- What the page on the sources says ----------------------------------------------------------


def the_sources():
    """Phrases with the figures that the texts print."""
    ratio = printed("document-prose", "speedy / bincode", "ratio", "encode + decode")
    yield f"the ratio of {ratio.value} times"
    size = printed("document-prose", "postcard", "size")
    yield f"{rate('document-prose', 'postcard').quoted} and {size.quoted}."
    rkyv = [printed("speedy-rkyv", "rkyv", "time", op).quoted for op in ("encode", "decode")]
    size = printed("speedy-rkyv", "rkyv", "size").quoted
    yield f"{rkyv[0]} to encode, {rkyv[1]} to decode, {size}."
    for table, number, figures in (
        ("lab-", "Five", "for the lab of chapter 09"),
        ("derive-", "Three", "for chapter 12"),
    ):
        names = [name for name in quoted.tables() if name.startswith(table)]
        assert len(names) == {"Five": 5, "Three": 3}[number]
        total = sum(quoted.source(name).figures for name in names)
        yield f"{number} tables with {total} figures, {figures}"
    lab = quoted.source("lab-borrowed")
    (processor,) = re.findall(r"PLATINUM (\w+),", lab.machine)
    (compiler,) = re.findall(r"rustc [\d.]+", lab.toolchain)
    yield f"a machine (Intel Xeon Platinum {processor}), a compiler ({compiler})"
    yield f"up to {max(f.count for f in quoted.load('derive-1'))} structs"

    rates = []
    for table, codec in (
        ("speedy-bincode", "speedy"),
        ("speedy-bincode", "bincode"),
        ("speedy-rkyv", "rkyv"),
    ):
        both = [printed(table, codec, "time", op).base_value for op in ("encode", "decode")]
        rates.append(round(1e-6 / sum(both), 2))
        assert rates[-1] == rate(table, codec).value
    yield "give its rate: {}, {} and {} million cycles per second".format(*rates)

    sizes = [
        printed("speedy-bincode", "speedy", "size").value,
        printed("speedy-bincode", "bincode", "size").value,
        printed("document-prose", "postcard", "size").value,
        printed("speedy-rkyv", "rkyv", "size").value,
    ]
    assert sizes == the_four_sizes()
    yield "{} bytes in Speedy, {} in bincode, {} in postcard and {} in rkyv.".format(*sizes)

    table = [f for f in quoted.load("i32-field") if (f.codec, f.metric) == ("bincode", "size")]
    costs = sorted({len(bincode.encode(n, i32)) for n in (0, 126, 2**31 - 1)})
    assert costs == [f.value for f in table]
    yield "bincode writes an `i32` in {}, {} or {} bytes".format(*costs)


def the_four_sizes():
    """The document's sizes, by the crates and by the book's codecs."""
    sizes = [
        len(golden("speedy")),
        len(golden("bincode-standard", "fixture", AS_FIXTURE)),
        len(golden("postcard", "fixture", AS_FIXTURE)),
        len(golden("rkyv")),
    ]
    ours = (
        speedy.encode(DOCUMENT),
        bincode.encode(FIXTURE),
        postcard.encode(FIXTURE),
        rkyv.to_bytes(DOCUMENT),
    )
    assert [len(data) for data in ours] == sizes
    return sizes


def integers_in_bincode():
    """Zigzag, the limits of a marker varint, the tests, the prices."""
    raw = DOCUMENT.status.to_bytes(1, "little")
    yield (
        f"The status {DOCUMENT.status} is written `{bincode.encode(DOCUMENT.status, i32).hex()}`, "
        f"and the byte `{raw.hex()}` would be read as {minus(bincode.decode(raw, i32))}."
    )
    small = [n for n in range(-500, 500) if len(bincode.encode(n, i32)) == 1]
    yield f"One byte reaches from {minus(small[0])} to {small[-1]}"
    yield f"and {small[-1] + 1} is `{bincode.encode(small[-1] + 1, i32).hex(' ')}`"
    unsigned = {"u64": u64, "i32": u32, "i64": u64}
    unfolded = sum(
        len(bincode.encode(span.value, unsigned[span.type])) for span in numbers(bincode)
    )
    texts = sum(len(text) for text in TEXTS)
    size = len(bincode.encode(DOCUMENT))
    yield f"the document would take {unfolded + texts} bytes, and it takes {size}."

    limits = [Marker.one_byte - 1, *(largest for largest, _ in Marker.table.values())]
    for limit in limits[:-1]:
        assert len(bincode.encode(limit, u128)) < len(bincode.encode(limit + 1, u128))
    costs = [len(bincode.encode(limit, u128)) for limit in limits]
    yield f"The limits are {limits[0]}, {limits[1]:,} and {limits[2]:,}."
    yield "the sizes are {}, {}, {} and {} bytes, and {} for a `u128`".format(*costs)

    steps = show.steps(DOCUMENT.status, i32, bincode)
    assert (steps.tally("sign"), steps.tally("compare")) == (1, 1)
    assert show.steps(251, u32, bincode).tally("compare") == 2
    assert show.steps(250, u32, bincode).tally("compare") == 1
    yield f"A second comparison comes only above {limits[0]}."
    yield "What is written is {}, {} or {} bytes, marker included".format(*costs)
    integers = len(numbers(bincode))
    yield (
        f"The {integers} integers of the document take {tally(bincode, 'compare')} comparisons and "
        f"{tally(bincode, 'sign')} sign tests together."
    )
    yield f"counts all {integers}."

    prices = [len(bincode.encode(item.price_minor, i64)) for item in DOCUMENT.items]
    assert len(prices) == 8
    assert golden("bincode-standard") == bincode.encode(DOCUMENT)
    listed = ", ".join(map(str, prices[:-1]))
    first = 2**31
    assert [len(bincode.encode(n, i64)) for n in (first - 1, first)] == [5, 9]
    prices = {i.price_minor for s in range(500) for i in fixtures.make("document", seed=s).items}
    assert 99_000 < max(prices) <= 100_000
    yield f"take {listed} and 3 bytes. Nine bytes begin at a price of {first:,}"
    yield "the generator stops at 100,000."


def speedy_itself():
    """Byte order, lengths, writes, blocks on the heap."""
    start = speedy.encode(DOCUMENT)[:4]
    assert start == golden("speedy")[:4]
    yield f"begins with `{start.hex(' ')}`."
    yield f"In big endian it would begin with `{start[::-1].hex(' ')}`."
    spans = speedy.trace(DOCUMENT).spans
    lengths = [span for span in spans if span.role == "length"]
    texts = sum(span.role == "text" for span in spans)
    yield f"has {len(lengths)} lengths, so that makes {len(lengths)} comparisons"
    branches = "conditional_branches"
    low = within(100, 120, counts(ENCODE["speedy"], branches))
    yield f"executes {low} conditional branches for the document"
    high = within(170, 200, counts(through_bincode("encode"), branches))
    yield f"in its standard configuration {high}."
    yield f"{len(spans)} writes for this document: {len(spans) - texts} numbers and {texts} texts"
    (calls,) = set(counts(ENCODE["speedy"], "calls"))
    assert (calls, texts) == (texts + 1, 10)
    yield f"In the compiled program {calls} calls are left, one more than there are texts."
    assert all(span.value > 0 for span in lengths)
    assert len(lengths) == texts + 1
    yield f"owns {texts} texts and one list, so whoever rebuilds it asks for {texts + 1} blocks"


def decoding():
    """What a decoder spends its time on, measured."""
    rebuilding = [
        change
        for change in RUNS["interventions"]["interventions"]
        if change["suspect"] == "allocator"
        and re.match("decode/(speedy|bincode|postcard|rkyv)/", change["before"])
    ]
    assert len({change["before"].split("/")[1] for change in rebuilding}) == 4
    saved = [-change["profiles"][b][ns] for change in rebuilding for b in BUILDS for ns in EFFECTS]
    taken = [ns for change in rebuilding for ns in times(change["before"])]
    saved, taken = within(40, 90, saved), within(120, 320, taken)
    yield f"{saved} ns faster, on a machine where it takes {taken} ns."

    encode, decode = (
        printed("speedy-bincode", "bincode", "time", way).value
        - printed("speedy-bincode", "speedy", "time", way).value
        for way in ("encode", "decode")
    )
    yield f"{decode:g} of the {encode + decode:g} ns between the two calls are on decoding"
    gaps = [
        more(through_bincode(way, record="fixture"), there["speedy"], times)
        for way, there in (("encode", ENCODE), ("decode", DECODE))
    ]
    shares = [100 * there / (here + there) for here, there in zip(*gaps, strict=True)]
    yield f"in our runs of those calls it is {within(60, 85, shares)} % of the gap."
    slower = over(through_bincode("decode", widths="fixed"), DECODE["speedy"])
    yield f"still takes {within(1.5, 2.2, slower)} times as long as Speedy to decode."

    tried = RUNS["interventions"]["interventions"]
    zeroed = [one for one in tried if one["suspect"] == "zeroing" and "zeroed" in one["after"]]
    variant = [one for one in zeroed if "outlined" in one["after"]]
    zeroed = [one for one in zeroed if one not in variant]
    assert len({tuple(one["before"].split("/")[1:3]) for one in zeroed}) == 4
    cost = [one["profiles"][b][ns] for one in zeroed for b in BUILDS for ns in EFFECTS]
    yield f"that costs {within(10, 50, cost)} ns in each of four decoders"
    larger = "an error larger", "bincode's error", "lengths of eight"
    others = [one for one in tried if one["change"].startswith(larger)]
    assert len(variant) == 1 and len(others) == 4
    assert not any(all(costs_time(one, build) for build in BUILDS) for one in variant + others)


def costs_time(change, build):
    """Chapter 07's rule: every process and the moved build agree, and the noise bar is exceeded."""
    effect = change["profiles"][build]
    bar = RUNS["interventions"]["about"]["noise"][build]["bar"]
    beyond = effect["ns"] > bar * SUBJECTS[change["before"]][build]["ns"]["median"]
    return beyond and min(effect["moved_ns"], *effect["process_ns"]) > 0


EFFECTS = ("ns", "moved_ns")


def through_serde():
    """Writes and comparisons, and what they cost."""
    for widths in ("fixed", "standard"):
        own, serde = (through_bincode("encode", road, widths) for road in ("own", "serde"))
        assert max(map(abs, more(serde, own))) <= 50
        if widths == "fixed":
            assert 0 <= max(more(serde, own, lambda one: counts(one, "calls"))) <= 2
            yield "Serde makes at most 2 calls more per document than"
    yield "the road adds at most 50 instructions"
    varints = [
        cost
        for road in ("own", "serde")
        for cost in more(
            through_bincode("encode", road, "standard"), through_bincode("encode", road, "fixed")
        )
    ]
    yield f"varints add {within(700, 900, varints)}."
    in_time = {
        sink: [
            a - b
            for a, b in zip(
                times(through_bincode("encode", sink=sink), ["fat"]),
                times(through_bincode("encode", widths="fixed", sink=sink), ["fat"]),
                strict=True,
            )
        ]
        for sink in ("slice", "write")
    }
    assert 0 < max(in_time["slice"]) < min(in_time["write"]) / 2
    roads = [through_bincode("decode", road, "fixed") for road in ("serde", "own")]
    one_piece = within(1.2, 1.6, over(*roads, builds=["fat"]))
    yield f"Serde takes {one_piece} times as long as the derive"
    assert max(over(*roads, builds=["release"])) < 1.15
    yield "in the usual build it takes less than 1.15 times."
    for way in ("encode", "decode"):
        both = through_bincode(way, record="fixture"), through_bincode(way)
        assert max(over(*both, read=counts)) < 1 + 1 / 20
        assert max(over(*both)) < 1 + 1 / 8
    markers = sum(span.end - span.start > 1 for span in numbers(bincode))
    assert writes(speedy) == writes(bincode.legacy())
    assert writes(bincode) == writes(speedy) + markers
    yield f"bincode makes {writes(bincode.legacy())} writes through Serde, as many as"
    yield f"it makes {writes(bincode)}, one more for each of {markers} markers."
    rates = [
        printed(table, codec, "rate", "encode + decode").value
        for table, codec in (("document-prose", "postcard"), ("speedy-bincode", "bincode"))
    ]
    yield f"runs {rates[0] / rates[1]:.2f} times as many cycles as bincode"
    bare, wrapped = bincode.encode(DOCUMENT), bincode.encode(FIXTURE)
    assert wrapped[1:] == bare
    yield f"the single byte `{wrapped[:1].hex()}`: {len(wrapped)} bytes in place of {len(bare)}."
    compared = [tally(bincode, "compare", value) for value in (FIXTURE, DOCUMENT)]
    yield f"one comparison, {compared[0]} in place of {compared[1]}."


def configurations_and_history():
    legacy = golden("bincode-legacy")
    assert legacy == bincode.legacy().encode(DOCUMENT)
    lengths = sum(span.role == "length" for span in numbers(bincode))
    more = len(legacy) - len(speedy.encode(DOCUMENT))
    assert more == lengths * (8 - 4)
    yield f"The document takes {len(legacy)} bytes, {more} more than in Speedy"
    yield f"each of its {lengths} lengths takes eight bytes and not four"
    yield f"As a `Fixture` it takes {len(bincode.legacy().encode(FIXTURE))}."
    near = over(through_bincode("encode", widths="fixed"), ENCODE["speedy"])
    near, far = within(1.1, 2.1, near), over(through_bincode("encode"), ENCODE["speedy"])
    far = within(2.5, 4, far)
    yield f"it takes {near} times as long as Speedy's, in place of {far} times."
    saving = over(through_bincode("decode", widths="fixed"), through_bincode("decode"))
    assert min(saving) > 1 - 1 / 6
    assert golden("bincode1") == legacy
    assert golden("bincode1-options") == golden("bincode-standard")
    yield f"they write the document in {len(legacy)} bytes."
    yield f"as version 2, and writes {len(golden('bincode1-options'))} bytes."
    longer = bincode.encode(ITEM).hex() + "00"
    assert verdict("item", "bincode1-options", longer)["error"]
    assert verdict("item", "bincode-standard", longer)["used"] == 4
    # Dates: those of the first commits; none is in this project's files.
    yield "Serde from 2015 onward, Speedy and bincode from the middle of the 2010s."
    yield "Serde dates from May 2014, bincode from September 2014 and Speedy from December 2017."
    yield "(`2014`)"
    yield "bears the date 2017-12-06."
    yield "(RFC 1014, 1987)"


def from_strangers():
    """Booleans, hostile lengths, new fields."""
    refused = {
        f for f in ("bincode-standard", "postcard", "rkyv") if "error" in verdict("bool", f, "02")
    }
    assert len(refused) == 3
    assert verdict("bool", "speedy", "02")["value"] is True
    yield "takes a bool of `02` for true, where the other crates refuse it."
    (twelve,) = [
        r
        for r in REJECTS
        if r["format"] == "bincode-standard" and r["exercises"] == "twelve bytes that claim 2^46"
    ]
    error = twelve["verdict"]["error"]
    assert error["kind"] == "Abort"
    (claimed,) = re.findall(r"allocation of (\d+) bytes", error["text"])
    yield f"A message of {len(twelve['hex']) // 2} bytes that announces {int(claimed):,} ends"


def second_article():
    """What an archive looks like."""
    item = golden("rkyv", "item", AS_ITEM)
    assert item == rkyv.to_bytes(ITEM)
    inline = max(n for n in range(20) if len(rkyv.to_bytes("x" * n)) == 8)
    yield f"Up to {inline} bytes of text stand in the place of the pointer: an"
    short = sum(len(text) <= inline for text in TEXTS)
    yield f"Of the document's {len(TEXTS)} texts that holds for {short}."
    yield f'The item ("A", 1, 2) in `data/golden/vectors.jsonl` begins with `{item[:8].hex(" ")}`.'

    archive = golden("rkyv")
    assert archive == rkyv.to_bytes(DOCUMENT)
    assert archive.startswith(DOCUMENT.id.encode())
    spans = rkyv.trace(DOCUMENT).spans
    root = len(archive) - rkyv.layout.shape(schema(Document)).size
    assert {span.path for span in spans if span.start >= root} == {
        *("id", "status", "meta.region", "meta.version", "items")
    }
    assert all(span.target < span.start for span in spans if span.role == "pointer")

    speedy_spans = speedy.trace(DOCUMENT).spans
    more = len(archive) - len(speedy.encode(DOCUMENT))
    padding = [span for span in spans if span.role == "padding"]
    in_items = [s.end - s.start for s in padding if s.path.startswith("items[")]
    (before,) = (s.end - s.start for s in padding if s.path == "items")
    assert len(in_items) == len(DOCUMENT.items) == 8
    (each,) = set(in_items)
    total = 8 * each + before
    yield f"The archive has {more} bytes more than Speedy's message, and {total} of them are"
    yield f"{each} in each of the eight items, and {before} before the list."
    texts, header = (
        taken(spans, *names) - taken(speedy_spans, *names)
        for names in (("sku", "id", "region"), ("items",))
    )
    assert more == total + texts + header
    pointers = [span for span in spans if span.role == "pointer"]
    (width,) = {span.end - span.start for span in pointers}
    long_texts = [text for text in TEXTS if len(text) > inline]
    assert sum(8 - len(speedy.encode(text.decode())) for text in TEXTS if len(text) <= inline) == 0
    assert (texts, header) == (width * len(long_texts), width) and len(pointers) == 5
    assert len(pointers) == len(long_texts) + 1
    yield (
        f"The other {texts + header} are five {{term}}`relative pointers <relative pointer>` of "
        f"{width} bytes, one for each of the {len(long_texts)} long texts and one for the list."
    )
    assert len(golden("rkyv", "swapped_item", AS_ITEM)) == len(item)
    narrow = golden("rkyv", "narrow_item", {**AS_ITEM, "price_minor": 2})
    align = rkyv.layout.shape(schema(DocumentItem)).align
    yield f"it takes {len(item)} bytes either way, because {align} must divide its size."
    document = NarrowDocument(DOCUMENT.id, DOCUMENT.status, DOCUMENT.meta, [])
    document.items = [Narrow(item.sku, item.qty, item.price_minor) for item in DOCUMENT.items]
    yield f"with {len(narrow)} bytes for an item and {len(rkyv.to_bytes(document))} for the"

    off = {
        row["offset"]: row["verdict"]
        for row in REJECTS
        if (row["format"], row["hex"]) == ("rkyv", item.hex()) and "offset" in row
    }
    assert off[4]["error"]["kind"] == "UnalignedPointer"
    assert off[8]["value"] == AS_ITEM
    yield "At an address 4 bytes off, the item is refused as unaligned; 8 bytes off, it is read."
    assert any("error" in row["verdict"] for row in REJECTS if row["format"] == "rkyv-access")


class Narrow(Record):
    sku: str
    qty: i32
    price_minor: i32


class NarrowDocument(Record):
    id: str
    status: i32
    meta: DocumentMeta
    items: list[Narrow]


def second_article_measured():
    """What rkyv's calls take."""
    checked, unchecked = (
        f"read/rkyv/{call}/archive/document/status/suite" for call in ("access", "access_unchecked")
    )
    yield f"that takes {within(740, 840, counts(checked))} instructions for the document, and"
    yield f"{within(20, 40, times(checked))} ns. Compiled as one piece and with generous inlining"
    inlined = SUBJECTS[checked]["fat-inlined"]
    assert 15 < inlined["ns"]["median"] < 20
    yield f"it takes {inlined['counts']['instructions']} instructions and less than 20 ns."
    for call in (checked, unchecked):
        assert counts(call, "allocations") == counts(call, "reallocations") == [0, 0]
    (instructions,) = set(counts(unchecked))
    assert 0 < max(times(unchecked)) < 1
    yield f"{instructions} instructions, the measuring loop included, and less than 1 ns."

    slower = within(1.1, 1.3, over(DECODE["rkyv"], DECODE["speedy"]))
    for build in INLINED:
        one, other = (SUBJECTS[DECODE[way]][build]["ns"]["median"] for way in ("rkyv", "speedy"))
        assert abs(one / other - 1) < RUNS["document"]["about"]["noise"][build]["bar"]
    allocations = {
        SUBJECTS[DECODE[way]][build]["counts"]["allocations"]
        for way in ("rkyv", "speedy")
        for build in BUILDS + INLINED
    }
    (blocks,) = allocations
    yield f"`from_bytes` takes {slower} times as long as Speedy's decoder"
    yield f"both ask for {blocks} blocks"

    timed, kept = ENCODE["rkyv, as timed"], ENCODE["rkyv, buffer kept"]
    assert counts(timed, "reallocations") == [5, 5] and counts(timed, "allocations") == [1, 1]
    assert counts(kept, "reallocations") == counts(kept, "allocations") == [0, 0]
    allocator = [one["allocator"] for one in counts(timed, "instructions_in")]
    yield f"That takes {within(3200, 3500, counts(timed))} instructions, of"
    yield f"which {within(1900, 2100, allocator)} are the allocator's."
    yield f"rkyv takes {within(800, 1000, counts(kept))} instructions and less than half the time."
    assert max(over(kept, timed)) < 1 / 2
    gaps = zip(more(timed, kept, times), more(timed, ENCODE["speedy"], times), strict=True)
    assert all(gone > gap / 2 for gone, gap in gaps)
    slower = within(2.4, 3, over(kept, ENCODE["speedy"]))
    yield f"Even so it takes {slower} times as long as Speedy into a kept buffer."
    assert counts(ENCODE["speedy"], "allocations") == [0, 0]


def taken(spans, *names):
    """The bytes of the fields of these names, without padding."""
    return sum(
        span.end - span.start
        for span in spans
        if span.path.split(".")[-1] in names and span.role != "padding"
    )


def report_and_post():
    lab = quoted.source("lab-borrowed")
    yield f'The date is headed "UTC" and reads {lab.date}.'
    times = sorted(
        (f.base_value, f.codec, f.quoted)
        for f in quoted.load("lab-homogeneous")
        if (f.metric, f.operation) == ("time", "decode")
    )
    assert times[0][1] == "rkyv"
    assert 0.2 < times[0][0] / times[1][0] < 0.3
    yield f"rkyv decodes the homogeneous payload in {times[0][2]}."
    yield f"The next codec takes {times[1][2]}."
    assert not any(f.codec == "bincode2" for f in quoted.load("lab-borrowed"))
    first, second, third = (
        {(f.codec, f.count): f.value for f in quoted.load(f"derive-{k}")} for k in (1, 2, 3)
    )
    assert all(third[cell] > value for cell, value in second.items())
    assert all(first[codec, 20] < first[codec, 15] for codec in ("bincode", "serde", "traits"))
    yield "every column falls from 15 structs to 20"


def open_questions():
    written = speedy.encode(ITEM)
    yield f'is the item ("A", 1, 2) in Speedy?** {len(written)} bytes: `{written.hex(" ")}`.'
    yield f"It takes {len(bincode.encode(ITEM))} bytes: one each"
    saved = {kind: a - b for kind, (a, b) in show.align(DOCUMENT, speedy, postcard).costs().items()}
    assert saved["text"] == 0
    total, bare = len(speedy.encode(DOCUMENT)), len(postcard.encode(DOCUMENT))
    assert total - saved["total"] == bare == len(postcard.encode(FIXTURE)) - 1
    yield f"It saves {saved['length']} bytes on lengths, {saved['i32']} on integers of type `i32`"
    yield f"and {saved['i64']} on prices: {saved['total']} of {total}, which leaves {bare}."
    slower = within(2.5, 7, over(ENCODE["postcard"], ENCODE["speedy"]))
    yield f"in our runs too: {slower} times as long as Speedy to encode"
    yield f"and {within(1.3, 1.8, over(DECODE['postcard'], DECODE['speedy']))} times to decode."
    branches = within(250, 350, counts(ENCODE["postcard"], "conditional_branches"))
    yield f"executes {branches} conditional branches and not 100 to 120."
    two = postcard.encode(2, i32).hex()
    yield f"**Is an `i32` of 2 in postcard `02` or `04`?** It is `{two}`"
    yield f"The byte `02` is read as {postcard.decode(bytes([2]), i32)}."
    yield f"2 is `{postcard.encode(2, i8).hex()}` and −1 is `{postcard.encode(-1, i8).hex()}`."
    yield f'"AB" is `{bincode.encode("AB").hex(" ")}`, its length and its letters.'
    fields = bincode.encode("A") + bincode.encode(1, i32) + bincode.encode(2, i64)
    assert bincode.encode(ITEM) == fields

    few, many = 10, 10_000
    looked = set()
    for number in (few, many):
        items = [DOCUMENT.items[i % 8] for i in range(number)]
        data = rkyv.to_bytes(Document(DOCUMENT.id, DOCUMENT.status, DOCUMENT.meta, items))
        reads = rkyv.Reads()
        view = rkyv.access(data, Document, reads=reads)
        before = len(reads), reads.bytes
        assert view.items[3].price_minor == items[3].price_minor
        looked.add((len(reads) - before[0], reads.bytes - before[1]))
    ((reads, size),) = looked
    assert reads == 3
    yield f"one price takes three reads, {size} bytes in all,"
    yield f"among {few} items as among {many:,}, and makes"


CLAIMS = [
    the_sources,
    integers_in_bincode,
    speedy_itself,
    decoding,
    through_serde,
    configurations_and_history,
    from_strangers,
    second_article,
    second_article_measured,
    report_and_post,
    open_questions,
]


@pytest.mark.parametrize("claims", CLAIMS, ids=lambda claims: claims.__name__)
def test_the_numbers_are_the_computed_ones(claims):
    wrong = [phrase for phrase in claims() if phrase not in SOURCES]
    assert wrong == []


NAMES = [  # what has digits and is no figure
    r"\]\([^)]+\)(?:, \"[^\"]+\")?",  # where a link leads, and the heading of a section there
    r"\b[a-z_-]+ \d+\.\d+\.\d+\b",  # a crate and its version
    r"\b[Vv]ersion [12]\b|\bbincode 2\b|\bissue 18\b",
    r"\b[Cc]hapters? \d\d(?:–\d\d|, \d\d and \d\d)?",
]
CODE = re.compile("`([^`]*)`")


def code_that_is_no_bytes(match):
    return " " if re.search("[g-zG-Z_/]", match[1]) else match[0]


def test_there_is_no_other_number():
    left = SOURCES
    for phrase in sorted((p for claims in CLAIMS for p in claims()), key=len, reverse=True):
        assert phrase.count("`") % 2 == 0, phrase
        left = left.replace(phrase, " ")
    left = CODE.sub(code_that_is_no_bytes, left)
    for name in NAMES:
        left = re.sub(name, " ", left)
    assert re.findall(r".{0,40}\d.{0,20}", left) == []


@pytest.mark.parametrize(
    "format", [speedy, bincode, postcard], ids=["speedy", "bincode", "postcard"]
)
def test_where_a_new_field_hurts(format):
    """At the very end only new readers refuse old messages; inside an item both go wrong."""

    class Longer(Record):
        id: str
        status: i32
        meta: DocumentMeta
        items: list[DocumentItem]
        note: str

    class LongerItem(Record):
        sku: str
        qty: i32
        price_minor: i64
        discount: i32

    class LongerItems(Record):
        id: str
        status: i32
        meta: DocumentMeta
        items: list[LongerItem]

    def read(data, type):
        try:
            return format.decode(data, type)
        except CodecError:
            return None

    head = (DOCUMENT.id, DOCUMENT.status, DOCUMENT.meta)
    longer = Longer(*head, DOCUMENT.items, "new")
    assert read(format.encode(longer), Document) == DOCUMENT
    assert read(format.encode(DOCUMENT), Longer) is None
    items = [LongerItem(item.sku, item.qty, item.price_minor, 5) for item in DOCUMENT.items]
    assert read(format.encode(LongerItems(*head, items)), Document) != DOCUMENT
    assert read(format.encode(DOCUMENT), LongerItems) is None


# --- What the pages refer to --------------------------------------------------------------------


def test_every_text_is_credited():
    for name in quoted.tables():
        title = quoted.source(name).title
        assert title.startswith("not stated") or f"*{title}*" in SOURCES


@pytest.mark.parametrize("name", ["sources.md", "reproduce.md"])
def test_links_and_files_exist(name):
    for target in re.findall(r"\]\((?!https://)([^)]+)\)", RAW[name]):
        assert (BOOK / target).is_file(), target
    for said, linked in re.findall(r"[Cc]hapter (\d\d)\]\(\.\./notebooks/(\d\d)", RAW[name]):
        assert said == linked
    for path in re.findall(r"`((?:data|tests|tools|lib)/[\w./-]+)`", RAW[name]):
        assert (oracle.ROOT / path).exists() or path == "data/oracle/target/", path


def test_named_sections_are_in_the_chapter():
    """Behind a link to a chapter stand the headings of its sections, in quotation marks."""
    found = re.findall(r"\]\(\.\./(notebooks/[^)]+)\), \"([^\"]+)\"", SOURCES)
    assert len(found) > 15
    for path, section in found:
        cells = json.loads((oracle.ROOT / path).read_text(encoding="utf-8"))["cells"]
        lines = "".join("".join(cell["source"]) + "\n" for cell in cells).splitlines()
        headings = [line.lstrip("# ") for line in lines if line.startswith("#")]
        assert section.rstrip(",") in headings, path


@pytest.mark.parametrize("name", ["sources.md", "reproduce.md", "glossary.md"])
def test_later_chapters_are_still_later(name):
    """What is put off to a chapter has to be said when the chapter is there, or linked to."""
    text = re.sub(r"\[[^\]]*\]\([^)]*\)", "", RAW[name])
    spoken = re.findall(r"[Cc]hapters?\s+(\d\d(?:(?:–|,\s|\sand\s)\d\d)*)", text)
    numbers = {number for one in spoken for number in re.findall(r"\d\d", one)}
    assert numbers & set(CHAPTERS) == set()


def evidence():
    """(crate, version, file, [what is in it]) for each `crate version: file (what, ...), ...`."""
    file = r"`([^`]+)`(?: \(([^)]*)\))?"
    files = rf"\b([a-z_-]+) (\d+\.\d+\.\d+): ((?:{file},? ?)+)"
    for crate, version, listed, *_ in re.findall(files, SOURCES):
        for name, contents in re.findall(file, listed):
            yield crate, version, name, re.findall(r"`([^`]+)`", contents)


def test_the_versions_are_those_of_the_oracle():
    lock = tomllib.loads((oracle.PROJECT / "Cargo.lock").read_text(encoding="utf-8"))
    locked = {(package["name"], package["version"]) for package in lock["package"]}
    named = set(re.findall(r"\b([a-z_-]+) (\d+\.\d+\.\d+)\b", SOURCES))
    named = {(crate, version) for crate, version in named if crate not in ("rustbinary", "rustc")}
    assert len(named) >= 5
    assert named <= locked


def test_the_evidence_is_in_the_crates(crates):
    """Every file that is named exists in that version and contains what is said to be in it."""

    def cargo(*arguments):
        command = ["cargo", *arguments]
        return subprocess.run(command, cwd=oracle.PROJECT, capture_output=True, check=True).stdout

    (host,) = re.findall("host: (.*)", cargo("-vV").decode())
    answer = cargo("metadata", "--locked", "--format-version=1", f"--filter-platform={host}")
    folders = {
        (package["name"], package["version"]): Path(package["manifest_path"]).parent
        for package in json.loads(answer)["packages"]
    }
    found = list(evidence())
    assert len(found) > 20
    for crate, version, file, names in found:
        text = (folders[crate, version] / file).read_text(encoding="utf-8")
        assert [name for name in names if name not in text] == [], (crate, file)
    writing = folders["bincode", "2.0.1"] / "src/features/serde/ser.rs"
    assert "isitor" not in writing.read_text(encoding="utf-8")


# --- Reproduce the numbers ----------------------------------------------------------------------


def test_the_oracle_is_described_as_it_describes_itself():
    readme = " ".join((oracle.PROJECT / "README.md").read_text(encoding="utf-8").split())
    manifest = tomllib.loads((oracle.PROJECT / "Cargo.toml").read_text(encoding="utf-8"))
    rust = manifest["package"]["rust-version"]
    assert f"Rust {rust} or newer" in REPRODUCE
    for phrase in (
        f"Rust {rust} or newer",
        "about two minutes of processor time",
        "140 MB",
        "1024 MiB",
        "2 seconds",
    ):
        assert phrase in readme and phrase in REPRODUCE, phrase


def test_the_tests_are_described_as_they_are():
    assert f"- {test_oracle.VALUES // test_oracle.LONG:,} random values" in REPRODUCE
    assert f"- {test_oracle.INPUTS // test_oracle.LONG:,} inputs to decode" in REPRODUCE
    archives, damaged = (
        f"{n // test_oracle.LONG:,}"
        for n in (test_oracle_rkyv.VALUES // 2, 3 * test_oracle_rkyv.VALUES // 2)
    )
    source = inspect.getsource(test_oracle_rkyv)
    assert "VALUES // 2)" in source and "3 * VALUES // 2)" in source
    assert f"does the same with {archives} values and {damaged} archives" in REPRODUCE
    source = inspect.getsource(test_oracle.test_fixtures)
    assert "seeds = [42, 0, 1, 2**64 - 1, *(rng.randrange(2**64) for _ in range(196))]" in source
    seeds = 4 + 196
    kinds = len(fixtures.KINDS)
    assert f"of the {kinds} kinds, a test compares the two on {seeds} seeds" in REPRODUCE
    source = inspect.getsource(test_oracle)
    for variable in ("BYTEWALK_SEED", "BYTEWALK_LONG"):
        assert variable in source and f"{variable}=" in REPRODUCE
    sizes = "{} bytes in Speedy, {} in bincode and {} in postcard as a `Fixture`, and {} in rkyv"
    assert " ".join(sizes.format(*the_four_sizes()).split()) in REPRODUCE


def test_the_measurement_is_described_as_it_describes_itself():
    readme = " ".join((MEASURED / "README.md").read_text(encoding="utf-8").split())
    for phrase in ("Rust 1.91 or newer", "Linux", "valgrind", "about six minutes", "1.2 GB"):
        assert phrase in readme and phrase in REPRODUCE, phrase
    makefile = (oracle.ROOT / "Makefile").read_text(encoding="utf-8")
    named = set(re.findall(r"(?:^|`)make ([a-z]+)", RAW["reproduce.md"], re.MULTILINE))
    assert {"oracle", "test", "measure", "bench"} <= named
    for target in named:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    recorder = (oracle.ROOT / "tools" / "record_python.py").read_text(encoding="utf-8")
    assert '"--machine"' in recorder and '"--output"' in recorder and "half a minute" in recorder
    runner = (oracle.PROJECT / "measure" / "run.py").read_text(encoding="utf-8")
    assert '"--processes"' in runner and '"--rounds"' in runner
    files = {path.stem for path in MEASURED.glob("*.json")}
    assert files == {"document", "payloads", "interventions"}
    assert {path.stem[:2] for path in (MEASURED / "python").glob("*.json")} == {"05", "06"}


def examples():
    """The requests on the page, each with its answer."""
    requests = re.findall(r"^echo '(.*)' \\$", RAW["reproduce.md"], re.MULTILINE)
    answers = re.findall(r"^```json\n(.*)\n```$", RAW["reproduce.md"], re.MULTILINE)
    assert len(requests) == len(answers) == 3
    return list(zip(requests, answers, strict=True))


def test_the_examples_are_in_the_golden_files():
    for request, answer in (map(json.loads, example) for example in examples()):
        assert request["id"] == answer.pop("id")
        if request["op"] == "encode":
            written = golden(request["format"], request["type"], request["value"])
            assert answer == {"hex": written.hex()}
        else:
            assert answer == verdict(request["type"], request["format"], request["hex"])


def test_the_oracle_answers_the_examples_letter_for_letter(crates):
    requests, answers = zip(*examples(), strict=True)
    program = oracle.build()
    text = "".join(f"{request}\n" for request in requests)
    run = subprocess.run([program], input=text, capture_output=True, text=True, check=True)
    assert tuple(run.stdout.splitlines()) == answers
