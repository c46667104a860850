"""What was measured in the real crates: complete, consistent, and honest about its noise.

Nothing here asserts a time: seconds differ from machine to machine, counts and structure do not.
"""

import json
import re
import statistics
import tomllib
from datetime import datetime

import pytest
from bytewalk import bincode, fixtures
from bytewalk.types import i64

from .oracle import ROOT

FOLDER = ROOT / "data" / "measured"
PROGRAM = ROOT / "data" / "oracle" / "measure"
FILES = ("document", "payloads", "interventions")
PROFILES = ("release", "fat", "release-inlined", "fat-inlined")
MOVED = ("release", "fat")  # built once more with the code at other addresses


@pytest.fixture(scope="module")
def files():
    return {name: json.loads((FOLDER / f"{name}.json").read_text()) for name in FILES}


@pytest.fixture(scope="module")
def subjects(files):
    """All subjects by id."""
    found = [subject for file in files.values() for subject in file["subjects"]]
    by_id = {subject["id"]: subject for subject in found}
    assert len(by_id) == len(found)
    return by_id


def counts(subject):
    """The counts in all profiles."""
    return [subject["profiles"][profile]["counts"] for profile in PROFILES]


def test_a_run_says_where_and_when(files):
    about = files["document"]["about"]
    assert all(file["about"] == about for file in files.values())
    assert datetime.fromisoformat(about["date"]).tzinfo is not None
    assert re.fullmatch(r"rustc 1\.\d+\.\d+ .*", about["rustc"])
    assert about["cpu"]["model"] and about["kernel"] and about["libc"] and about["valgrind"]
    assert set(about["profiles"]) == set(PROFILES)
    assert all("opt-level=3" in flags for flags in about["profiles"].values())
    assert about["samples"] >= 100
    assert about["other_programs"]["before"] >= 0


def test_the_crates_are_the_pinned_ones(files):
    """The recorded versions are those of the program, and the program's are the oracle's."""
    manifests = [
        tomllib.loads((folder / "Cargo.toml").read_text()) for folder in (PROGRAM, PROGRAM.parent)
    ]
    pins, oracle = (
        {
            name: (value if isinstance(value, str) else value["version"])
            for name, value in manifest["dependencies"].items()
        }
        for manifest in manifests
    )
    assert {name: f"={v}" for name, v in files["document"]["about"]["crates"].items()} == pins
    assert pins == {name: oracle[name] for name in pins}


def test_every_subject_is_there_in_every_profile(files, subjects):
    about = files["document"]["about"]
    for subject in subjects.values():
        assert set(subject["profiles"]) == set(PROFILES)
        for profile, found in subject["profiles"].items():
            assert len(found["samples"]) == about["processes"]
            every = [ns for process in found["samples"] for ns in process]
            assert len(every) == about["samples"] and min(every) > 0
            ns = found["ns"]
            assert ns["q1"] <= ns["median"] <= ns["q3"]
            assert ns["median"] == pytest.approx(statistics.median(every), abs=0.01)
            assert ("moved_ns" in found) == (profile in MOVED)
            one = found["counts"]
            assert one["instructions"] == pytest.approx(sum(one["instructions_in"].values()), abs=1)
            assert 0 < one["conditional_branches"] < one["instructions"]


def test_every_corner_of_the_line_up_was_measured(subjects):
    wanted = {"encode/speedy/own/fixed/document/write/suite"}
    for record in ("document", "fixture"):
        for road in ("own", "serde"):
            for widths in ("standard", "fixed"):
                corner = f"bincode/{road}/{widths}/{record}"
                wanted |= {f"encode/{corner}/{sink}/suite" for sink in ("write", "slice")}
                wanted |= {f"decode/{corner}/plain/suite"}
        wanted |= {
            f"encode/postcard/serde/leb128/{record}/{sink}/suite" for sink in ("extend", "slice")
        }
    wanted |= {
        f"{direction}/rkyv/{road}/archive/document/{how}/suite"
        for direction, road, how in (
            ("encode", "to_bytes", "copied"),
            ("encode", "to_bytes_in", "reused"),
            ("decode", "from_bytes", "plain"),
            ("read", "access", "status"),
            ("read", "access_unchecked", "status"),
        )
    }
    assert wanted <= set(subjects)


SIZES = {
    ("speedy", "fixed", "document"): 214,
    ("bincode", "standard", "document"): 121,
    ("bincode", "standard", "fixture"): 122,
    ("bincode", "fixed", "document"): 258,
    ("bincode", "fixed", "fixture"): 262,
    ("postcard", "leb128", "document"): 113,
    ("postcard", "leb128", "fixture"): 114,
    ("rkyv", "archive", "document"): 272,
}
WRITES = {
    ("speedy", "fixed", "document"): 39,
    ("bincode", "standard", "document"): 47,
    ("bincode", "standard", "fixture"): 48,
    ("bincode", "fixed", "document"): 39,
    ("bincode", "fixed", "fixture"): 40,
    ("postcard", "leb128", "document"): 39,
    ("postcard", "leb128", "fixture"): 40,
}


def test_sizes_and_writes(files):
    for subject in files["document"]["subjects"]:
        key = subject["library"], subject["widths"], subject["record"]
        assert subject["bytes"] == SIZES[key], subject["id"]
        if subject["direction"] == "encode" and key in WRITES:
            assert [one["writes"] for one in counts(subject)] == [WRITES[key]] * len(PROFILES)


def test_allocations(files):
    """An owned document is ten texts and a list; bincode alone asks for its texts zeroed."""
    for subject in files["document"]["subjects"]:
        for one in counts(subject):
            if subject["direction"] == "decode":
                assert (one["allocations"], one["allocated_bytes"]) == (11, 386), subject["id"]
                zeroed = 10 if subject["library"] == "bincode" else 0
                assert one["zeroed_allocations"] == zeroed
            elif subject["road"] == "to_bytes":
                assert (one["allocations"], one["reallocations"]) == (1, 5)
            else:
                assert (one["allocations"], one["reallocations"]) == (0, 0), subject["id"]


def test_counts_are_whole_and_copies_have_the_same(files, subjects):
    copies = [subject for subject in files["document"]["subjects"] if subject["copy_of"]]
    assert len(copies) == 7
    for subject in subjects.values():
        if subject["inputs"] == 1:
            for one in counts(subject):
                assert one["instructions"] == int(one["instructions"]), subject["id"]
    for copy in copies:
        assert counts(copy) == counts(subjects[copy["copy_of"]])


def test_the_noise_is_what_the_copies_show(files, subjects):
    for profile, noise in files["document"]["about"]["noise"].items():
        ratios = []
        for pair in noise["pairs"]:
            copy, original = (
                subjects[id]["profiles"][profile]["ns"] for id in (f"{pair['of']}#copy", pair["of"])
            )
            assert pair["ratio"] == pytest.approx(copy["median"] / original["median"], abs=1e-4)
            ratios.append(pair["ratio"])
        assert noise["bar"] == pytest.approx(max(abs(ratio - 1) for ratio in ratios), abs=1e-4)
        assert noise["bar_of_one_process"] >= 0
        if profile in MOVED:
            moved = noise["moved"]
            assert moved["median"] <= moved["ninth_decile"] <= moved["largest"]


def test_payloads_have_the_sizes_their_names_promise(files):
    """With fixed widths a size can be reckoned; a large price takes nine bytes as a varint."""
    document = fixtures.make("document", seed=42, index=0)
    letters = len(document.id) + sum(len(item.sku) for item in document.items)
    payloads = {subject["payload"] for subject in files["payloads"]["subjects"]}
    assert payloads == {f"letters-{n}" for n in (16, 64, 256, 1024)} | {
        "prices-40-bits",
        "items-64",
        "items-512",
    }
    for subject in files["payloads"]["subjects"]:
        kind, _, number = subject["payload"].partition("-")
        key = subject["library"], subject["widths"], subject["record"]
        if kind == "letters" and subject["widths"] == "fixed":
            assert subject["bytes"] == SIZES[key] + 9 * int(number) - letters, subject["id"]
        elif kind == "prices":
            prices = [item.price_minor for item in document.items]
            now = sum(len(bincode.encode(price, i64)) for price in prices)
            longer = 0 if subject["widths"] == "fixed" else 9 * len(prices) - now
            assert subject["bytes"] == SIZES[key] + longer


def test_interventions_are_differences_between_subjects(files, subjects):
    interventions = files["interventions"]["interventions"]
    suspects = {one["suspect"] for one in interventions}
    wanted = {"zeroing", "utf8", "error-type", "bounds", "inlining", "allocator", "calloc", "texts"}
    assert wanted <= suspects
    for one in interventions:
        before, after = subjects[one["before"]], subjects[one["after"]]
        assert one["before"] != one["after"] and one["change"]
        for profile in PROFILES:
            old, new = before["profiles"][profile], after["profiles"][profile]
            effect = one["profiles"][profile]
            assert effect["ns"] == pytest.approx(
                new["ns"]["median"] - old["ns"]["median"], abs=0.011
            )
            if profile in MOVED:
                longer = new["moved_ns"] - old["moved_ns"]
                assert effect["moved_ns"] == pytest.approx(longer, abs=0.011)
            assert len(effect["process_ns"]) == files["interventions"]["about"]["processes"]
            difference = new["counts"]["instructions"] - old["counts"]["instructions"]
            assert effect["instructions"] == pytest.approx(difference, abs=0.011)


def test_interventions_change_what_they_say(subjects):
    """Texts that are borrowed are not allocated; zeroed memory is asked for where it should be."""
    for subject in subjects.values():
        how = subject["how"]
        if subject["allocator"] != "system" or subject["direction"] != "decode":
            continue
        if subject["id"].endswith("@system"):
            continue  # a program with an allocator of its own, where nobody counts
        for one in counts(subject):
            if how == "borrowed":
                assert one["allocations"] == 1, subject["id"]
            if how in ("zeroed", "checked-first-zeroed", "outlined-large-error-zeroed"):
                assert one["zeroed_allocations"] == 10, subject["id"]
            if how in ("copied", "checked-first"):
                assert one["zeroed_allocations"] == 0, subject["id"]
