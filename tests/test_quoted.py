"""The quoted figures: complete, read right, converted right, and consistent with one another."""

import hashlib
import re
from decimal import Decimal

import msgspec
import pytest
from bytewalk import quoted

NOT_STATED = "not stated"
ERROR = "error (see notes)"
ROWS = {  # rows x columns of figures in the printed table
    "speedy-bincode": 4 * 2,
    "document-prose": 3,
    "i32-field": 8,
    "speedy-rkyv": 4 * 2,
    "lab-homogeneous": 16 * 2,
    "lab-heterogeneous": 14 * 2,
    "lab-borrowed": 10 * 2,
    "lab-adversarial": 14 * 2,
    "lab-schema-evolution": 10 * 2,
    "derive-1": 12 * 3,
    "derive-2": 12 * 4,
    "derive-3": 12 * 5,
}
LAB = [name for name in ROWS if name.startswith("lab-")]
COUNTS = [10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 400, 600]
FACTORS = {
    "ns": ("1e-9", "s"),
    "µs": ("1e-6", "s"),
    "ms": ("1e-3", "s"),
    "million / s": ("1e6", "1/s"),
    "B": ("1", "B"),
    "bytes": ("1", "B"),
    "times": ("1", "1"),
    "tests": ("1", "1"),
}
WORDS = {"one": "1", "two": "2", "four": "4"}


def one(table, codec, metric, operation="encode", count=None):
    """The only figure of `table` that matches; `count` only where it tells figures apart."""
    found = [
        f
        for f in quoted.load(table)
        if (f.codec, f.metric, f.operation) == (codec, metric, operation)
        and count in (None, f.count)
    ]
    assert len(found) == 1, found
    return found[0]


def derive(table):
    """{(codec, count): value} of a table on derive macros."""
    return {(f.codec, f.count): f.value for f in quoted.load(table)}


def number_in(text):
    """The number in a quoted figure, read independently of the `value` column."""
    number = re.match(r"[\d.,+]+|[a-z]+", text).group()
    parts = WORDS.get(number, number).replace(",", ".").split("+")
    return sum(map(Decimal, parts))


def test_tables_are_the_expected_ones():
    assert quoted.tables() == tuple(ROWS)


def test_every_csv_file_has_a_source_and_the_other_way_round():
    listed = [quoted.source(name).file for name in quoted.tables()]
    assert sorted(listed) == sorted(path.name for path in quoted.DATA.glob("*.csv"))


@pytest.mark.parametrize("name", ROWS)
def test_figures_are_complete_and_untouched(name):
    figures, source = quoted.load(name), quoted.source(name)
    assert len(figures) == source.figures == ROWS[name]
    text = "\n".join(f.quoted for f in figures)
    assert hashlib.sha256(text.encode()).hexdigest() == source.sha256


@pytest.mark.parametrize("name", ROWS)
def test_every_figure_has_its_units_and_its_place(name):
    source = quoted.source(name)
    for f in quoted.load(name):
        assert f.table == name
        assert all((f.codec, f.version, f.operation, f.payload, f.metric, f.unit, f.base_unit))
        assert f.unit == NOT_STATED or f.unit in FACTORS
        assert f.unit in source.units
    assert set(source.units) == {f.unit for f in quoted.load(name)}


@pytest.mark.parametrize("name", ROWS)
def test_values_and_conversions_follow_from_the_quoted_text(name):
    for f in quoted.load(name):
        if f.quoted == ERROR:
            assert f.value is None and f.base_value is None
            continue
        number = number_in(f.quoted)
        assert f.value == float(number), f
        if f.unit == NOT_STATED:
            assert f.base_value is None and f.base_unit == NOT_STATED
        else:
            factor, base_unit = FACTORS[f.unit]
            assert (f.base_value, f.base_unit) == (float(number * Decimal(factor)), base_unit), f


@pytest.mark.parametrize("name", ROWS)
def test_a_unit_printed_beside_a_figure_is_the_unit_of_the_row(name):
    for f in quoted.load(name):
        printed = re.sub(r"^([\d.,+]+|[a-z]+) ?", "", f.quoted)
        assert printed in ("", f.unit) or f.quoted == ERROR, f


@pytest.mark.parametrize("name", ROWS)
def test_every_source_states_its_provenance(name):
    source = quoted.source(name)
    assert source.name == name
    for field in ("title", "author", "site", "url", "date", "machine", "toolchain", "statistic"):
        assert getattr(source, field), field
    assert source.place and source.versions and source.not_stated and source.remarks


@pytest.mark.parametrize("bad", ["", "speedy", "../quoted/derive-1", "derive-1.csv", None, 3, [1]])
def test_an_unknown_name_is_refused_with_the_names_there_are(bad):
    for function in (quoted.load, quoted.source):
        with pytest.raises(ValueError, match="no quoted table is called") as caught:
            function(bad)
        assert repr(bad) in str(caught.value)
        assert all(name in str(caught.value) for name in quoted.tables())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (",88,ns", ",eighty-eight,ns"),  # not a number
        ("88 ns,\n", "88 ns,,surplus\n"),  # a cell too many
        ("s,88 ns,\n", "s\n"),  # cells missing
        ("codec,", "library,"),  # a column that does not exist
        ("88 ns", '"88 ns'),  # a quotation mark that never closes
    ],
)
def test_a_damaged_file_is_refused_with_its_name_and_line(tmp_path, monkeypatch, old, new):
    text = (quoted.DATA / "speedy-bincode.csv").read_text(encoding="utf-8")
    assert text.count(old) == 1
    (tmp_path / "speedy-bincode.csv").write_text(text.replace(old, new), encoding="utf-8")
    monkeypatch.setattr(quoted, "DATA", tmp_path)
    with pytest.raises(ValueError, match=r"^speedy-bincode\.csv, line \d+: "):
        quoted.load("speedy-bincode")


def test_records_are_frozen_and_each_load_is_a_fresh_list():
    first = quoted.load("speedy-bincode")
    with pytest.raises(AttributeError):
        first[0].value = 3
    first.clear()
    assert len(quoted.load("speedy-bincode")) == 8
    assert msgspec.structs.replace(quoted.load("speedy-bincode")[0], value=3).value == 3


# What the two texts on the document say, checked against itself.


@pytest.mark.parametrize(
    ("table", "codec"),
    [("speedy-bincode", "speedy"), ("speedy-bincode", "bincode"), ("speedy-rkyv", "rkyv")],
)
def test_the_rate_is_the_reciprocal_of_both_times(table, codec):
    encode = one(table, codec, "time").base_value
    decode = one(table, codec, "time", "decode").base_value
    rate = one(table, codec, "rate", "encode + decode")
    assert round(1 / (encode + decode) / 1e6, 2) == rate.value


def test_both_texts_print_the_same_figures_for_speedy():
    bare = [
        {msgspec.structs.replace(f, table="") for f in quoted.load(table) if f.codec == "speedy"}
        for table in ("speedy-bincode", "speedy-rkyv")
    ]
    assert bare[0] == bare[1] and len(bare[0]) == 4


def test_the_ratio_in_the_prose_is_that_of_the_table():
    speedy, bincode = (
        one("speedy-bincode", codec, "rate", "encode + decode").base_value
        for codec in ("speedy", "bincode")
    )
    ratio = one("document-prose", "speedy / bincode", "ratio", "encode + decode")
    assert round(speedy / bincode, 1) == ratio.value == 2.2


def test_the_sizes_and_rates_that_the_book_opens_with():
    sizes = {
        "speedy": one("speedy-bincode", "speedy", "size").base_value,
        "bincode": one("speedy-bincode", "bincode", "size").base_value,
        "postcard": one("document-prose", "postcard", "size").base_value,
        "rkyv": one("speedy-rkyv", "rkyv", "size").base_value,
    }
    assert sizes == {"speedy": 214, "bincode": 122, "postcard": 114, "rkyv": 272}
    assert round(100 * (1 - sizes["bincode"] / sizes["speedy"])) == 43
    postcard = one("document-prose", "postcard", "rate", "encode + decode")
    assert (postcard.value, postcard.base_value) == (1.73, 1_730_000)


def test_decoding_is_most_of_the_gap_between_speedy_and_bincode():
    gaps = {
        operation: one("speedy-bincode", "bincode", "time", operation).value
        - one("speedy-bincode", "speedy", "time", operation).value
        for operation in ("encode", "decode")
    }
    assert gaps == {"encode": 115, "decode": 309}


def test_the_i32_field_takes_one_three_or_five_bytes():
    sizes = [(f.codec, f.value) for f in quoted.load("i32-field") if f.metric == "size"]
    assert sizes == [("speedy", 4), ("bincode", 1), ("bincode", 3), ("bincode", 5)]


# The benchmark report of rustbinary.


@pytest.mark.parametrize("name", LAB)
def test_each_size_is_printed_twice_and_alike(name):
    sizes = {}
    for f in quoted.load(name):
        if f.metric == "size":
            sizes.setdefault(f.codec, []).append(f.value)
    for values in sizes.values():
        assert len(values) == 2 and values[0] == values[1]


@pytest.mark.parametrize(
    ("table", "codec", "operation", "text", "seconds"),
    [
        ("lab-homogeneous", "rkyv", "decode", "304.2 ns", 304.2e-9),
        ("lab-homogeneous", "rustbinary", "decode", "151.2 µs", 151.2e-6),
        ("lab-adversarial", "rustbinary", "decode", "1.5 ms", 1.5e-3),
    ],
)
def test_nano_micro_and_milliseconds_become_seconds(table, codec, operation, text, seconds):
    f = one(table, codec, "time", operation)
    assert f.quoted == text
    assert f.base_value == pytest.approx(seconds, rel=1e-12)


def test_refused_reads_are_kept_without_a_value_and_with_a_reason():
    refused = [f for name in ROWS for f in quoted.load(name) if f.value is None]
    assert {(f.table, f.codec, f.operation) for f in refused} == {
        ("lab-schema-evolution", codec, "decode-v1-as-v2")
        for codec in ("bincode1", "bincode2", "postcard")
    }
    for f in refused:
        assert f.quoted == ERROR and f.base_unit == "s" and "refused" in f.note


def test_rkyv_decodes_in_a_quarter_of_the_next_shortest_time_and_in_one_table_only():
    times = sorted(
        (f.base_value, f.codec)
        for f in quoted.load("lab-homogeneous")
        if (f.metric, f.operation) == ("time", "decode")
    )
    assert times[0][1] == "rkyv"
    assert times[0][0] / times[1][0] == pytest.approx(1 / 4, abs=0.01)
    assert [n for n in LAB if any(f.codec == "rkyv" for f in quoted.load(n))] == ["lab-homogeneous"]


def test_the_date_keeps_its_offset_and_the_contradiction_is_noted():
    source = quoted.source("lab-borrowed")
    assert source.date == "2026-08-30T18:19:09+08:00"
    assert any("UTC" in remark and "+08:00" in remark for remark in source.remarks)


# The post on derive macros.


@pytest.mark.parametrize("name", ["derive-1", "derive-2", "derive-3"])
def test_derive_tables_are_full_grids_without_a_unit(name):
    figures = quoted.load(name)
    codecs = list(dict.fromkeys(f.codec for f in figures))
    assert [(f.count, f.codec) for f in figures] == [(n, c) for n in COUNTS for c in codecs]
    headings = [h.lower().removeprefix("my ") for h in quoted.source(name).headings[1:]]
    assert codecs == headings
    assert {(f.unit, f.metric) for f in figures} == {(NOT_STATED, NOT_STATED)}


def test_decimal_commas_are_read_as_decimal_commas():
    for name in ROWS:
        commas = ["," in f.quoted for f in quoted.load(name)]
        assert all(commas) if name == "derive-2" else not any(commas)
    table = derive("derive-2")
    assert (table["bincode", 10], table["rkyv", 600], table["serde", 200]) == (0.07, 9.73, 2.10)


def test_what_the_remarks_say_about_the_derive_tables():
    first, second, third = (derive(f"derive-{k}") for k in (1, 2, 3))
    assert all(first[codec, 20] < first[codec, 15] for codec in ("bincode", "serde", "traits"))
    assert all(third[cell] > value for cell, value in second.items())
