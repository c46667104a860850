"""Traces: what each span says, of good bytes and of bad ones."""

import msgspec
import pytest
from bytewalk import bincode, fixtures, postcard, speedy
from bytewalk.errors import CodecError, InvalidUtf8, UnexpectedEnd, UnknownVariant
from bytewalk.records import Document, DocumentItem, Fixture
from bytewalk.trace import ROLES, Span, Trace
from bytewalk.types import Array, Enum, Record, Variant, char, f32, f64, i32, u8, u16, u32, u64

from .roads import FORMATS, check, check_decode_error, check_tiles, each_format

DOCUMENT = fixtures.make("document", seed=42, index=0)


class Case(Enum):
    class Unit(Variant):
        pass

    class Pair(Variant, tag=9):
        _0: u8
        name: str


class Everything(Record):
    flag: bool
    number: u16
    ratio: f32
    letter: char
    text: str
    blob: bytes
    maybe: u8 | None
    nothing: None
    items: list[u16]
    names: list[str]
    fixed: Array[u8, 2]
    pair: tuple[u8, str]
    table: dict[str, u8]
    case: Case


EVERYTHING = Everything(
    flag=True,
    number=500,
    ratio=0.1,
    letter="é",
    text="hi",
    blob=b"\0\1",
    maybe=7,
    nothing=None,
    items=[1, 2],
    names=["a", ""],
    fixed=[3, 4],
    pair=(5, "p"),
    table={"k": 6},
    case=Case.Pair(8, "n"),
)

TENTH = 0.10000000149011612  # the f32 nearest to 0.1


def rows(trace):
    return [(span.path, span.role, span.type, span.value) for span in trace.spans]


def test_every_role_and_path():
    assert rows(speedy.trace(EVERYTHING)) == [
        ("flag", "value", "bool", True),
        ("number", "value", "u16", 500),
        ("ratio", "value", "f32", TENTH),  # what the bytes say, not what was asked for
        ("letter", "value", "char", "é"),
        ("text", "length", "u32", 2),
        ("text", "text", "str", "hi"),
        ("blob", "length", "u32", 2),
        ("blob", "value", "bytes", b"\0\1"),
        ("maybe", "present", "presence byte", True),
        ("maybe", "value", "u8", 7),
        ("items", "length", "u32", 2),
        ("items[0]", "value", "u16", 1),
        ("items[1]", "value", "u16", 2),
        ("names", "length", "u32", 2),
        ("names[0]", "length", "u32", 1),
        ("names[0]", "text", "str", "a"),
        ("names[1]", "length", "u32", 0),
        ("fixed[0]", "value", "u8", 3),
        ("fixed[1]", "value", "u8", 4),
        ("pair[0]", "value", "u8", 5),
        ("pair[1]", "length", "u32", 1),
        ("pair[1]", "text", "str", "p"),
        ("table", "length", "u32", 1),
        ("table[key 0]", "length", "u32", 1),
        ("table[key 0]", "text", "str", "k"),
        ("table['k']", "value", "u8", 6),
        ("case", "tag", "u32", 9),
        ("case._0", "value", "u8", 8),
        ("case.name", "length", "u32", 1),
        ("case.name", "text", "str", "n"),
    ]


@each_format
def test_paths_roles_and_values_do_not_depend_on_the_format(name):
    """Only the types of counts and tags, the places and the rules do."""
    opened = FORMATS[name].trace(EVERYTHING)
    other = speedy.trace(EVERYTHING)
    for span, like in zip(opened.spans, other.spans, strict=True):
        assert (span.path, span.role) == (like.path, like.role)
        if span.role == "tag":
            assert span.value == (9 if name == "speedy" else 1)  # the discriminant, or the index
        else:
            assert span.value == like.value
        assert span.target is None
        assert span.role in ROLES
        assert span.rule and "\n" not in span.rule
    check(name, EVERYTHING, decoded=msgspec.structs.replace(EVERYTHING, ratio=TENTH))


def test_the_trace_of_the_document():
    opened = speedy.trace(DOCUMENT)
    assert isinstance(opened, Trace)
    assert len(opened.data) == opened.used == 214
    assert opened.hex() == opened.data.hex()
    assert opened.value == DOCUMENT
    assert opened.error is None
    assert "Document" in opened.title and "speedy" in opened.title
    # 11 counts, 10 texts, 10 integers of 4 bytes, 8 of 8
    by_role = [span.role for span in opened.spans]
    assert (by_role.count("length"), by_role.count("text"), by_role.count("value")) == (11, 10, 18)
    assert sum(span.end - span.start for span in opened.spans if span.role == "text") == 66
    assert opened.spans[0] == Span(0, 4, "id", "length", "u32", 11, "u32, 4 bytes, little endian")
    assert opened.spans[1].value == "ffgcfoeukap"
    assert opened.spans[-1].path == "items[7].price_minor"
    assert (opened.spans[-1].start, opened.spans[-1].end) == (206, 214)


def test_a_rule_says_how():
    for format, wire, value, words in [
        (speedy, u8, 1, ["u8", "1 byte"]),
        (speedy, u32, 1, ["u32", "4 bytes", "little endian"]),
        (speedy, f64, 1.0, ["f64", "IEEE 754", "8 bytes"]),
        (speedy, bool, True, ["1 byte"]),
        (speedy, char, "a", ["scalar value", "4 bytes"]),
        (bincode, u32, 1, ["u32", "marker varint"]),
        (bincode.legacy(), u32, 1, ["u32", "4 bytes", "little endian"]),
        (bincode.legacy().with_big_endian(), u32, 1, ["big endian"]),
        (postcard, u64, 1, ["u64", "LEB128"]),
        (bincode, char, "é", ["UTF-8"]),
        (postcard, char, "é", ["UTF-8", "count"]),
    ]:
        (span,) = format.trace(value, wire).spans
        for word in words:
            assert word in span.rule, span
    (span,) = speedy.trace(Case.Unit()).spans
    assert "Case.Unit" in span.rule
    (_, span) = speedy.trace("hé").spans
    assert "UTF-8" in span.rule and "3 bytes" in span.rule
    (span,) = postcard.trace(-1, i32).spans
    assert "zigzag" in span.rule


def test_what_takes_no_byte_has_no_span():
    assert speedy.trace(None).spans == []
    assert speedy.trace((), tuple[()]).spans == []
    assert speedy.trace([], Array[u64, 0]).spans == []
    empty = speedy.trace("")
    assert [span.role for span in empty.spans] == ["length"]
    assert speedy.trace_decode(b"", None) == speedy.trace(None)
    assert speedy.trace_decode(b"xyz", None).used == 0


def test_spans_are_values():
    span = speedy.trace(1, u8).spans[0]
    assert span == Span(0, 1, "", "value", "u8", 1, span.rule)
    with pytest.raises(AttributeError):
        span.start = 5
    with pytest.raises(AttributeError):
        speedy.trace(1, u8).data = b""
    assert msgspec.structs.replace(span, path="x").path == "x"


def test_the_trace_of_a_fixture_starts_with_its_tag():
    for name, format in FORMATS.items():
        opened = format.trace(fixtures.as_fixture(DOCUMENT))
        assert opened.spans[0].role == "tag"
        assert opened.spans[0].value == 1
        assert "Fixture.Document" in opened.spans[0].rule, name
        assert opened.spans[1].path == "_0.id"


def test_tracing_refuses_what_encoding_refuses():
    for value, wire in ((300, u8), (DocumentItem("a", None, 1), None), ("\ud800", str)):
        with pytest.raises(CodecError) as traced:
            speedy.trace(value, wire)
        with pytest.raises(CodecError) as encoded:
            speedy.encode(value, wire)
        assert str(traced.value) == str(encoded.value)


# --- Bad input ----------------------------------------------------------------------------------


def refused(format, data, wire):
    opened = format.trace_decode(data, wire)
    assert isinstance(opened.error, CodecError)
    assert opened.value is None
    assert opened.data == data
    check_tiles(opened.spans, 0, opened.error.offset)
    return opened


@each_format
def test_the_spans_of_a_truncated_document_end_where_the_bytes_do(name):
    format = FORMATS[name]
    whole = format.trace(DOCUMENT)
    for size in range(len(whole.data)):
        opened = refused(format, whole.data[:size], Document)
        assert opened.error.offset == size
        assert isinstance(opened.error, UnexpectedEnd)
        # What was read whole is the same as in the whole trace.
        kept = [span for span in opened.spans if span.type != "?"]
        assert kept == whole.spans[: len(kept)]
        assert len(opened.spans) - len(kept) <= 1


def test_what_is_cut_short_is_shown_as_such():
    data = speedy.encode(DOCUMENT)[:100]
    opened = refused(speedy, data, Document)
    last = opened.spans[-1]
    assert (last.type, last.value, last.end) == ("?", None, 100)
    assert last.rule == opened.error.reason
    assert last.path == opened.error.path


def test_the_spans_end_in_front_of_a_refused_byte():
    data = b"\1\0\0\0" + b"\2\0\0\0a\xff" + bytes(12)
    opened = refused(speedy, data, list[DocumentItem])
    assert type(opened.error) is InvalidUtf8
    assert opened.error.offset == 9
    assert [(span.start, span.end) for span in opened.spans] == [(0, 4), (4, 8), (8, 9)]


def test_the_spans_end_in_front_of_an_unknown_tag():
    opened = refused(speedy, b"\1\0\0\0\5\0\0\0" + bytes(9), list[Case])
    assert type(opened.error) is UnknownVariant
    assert opened.error.offset == 4
    assert [(span.start, span.end) for span in opened.spans] == [(0, 4)]


def test_an_error_in_a_trace_can_be_raised():
    opened = speedy.trace_decode(b"\1", u16)
    with pytest.raises(UnexpectedEnd) as caught:
        raise opened.error
    assert caught.value.offset == 1
    assert opened.error.__traceback__ is None or opened.error is caught.value


def test_bytes_behind_the_value_belong_to_no_span():
    opened = speedy.trace_decode(b"\1\0\0\0trailing", u32)
    assert (opened.error, opened.value, opened.used) == (None, 1, 4)
    assert opened.data.endswith(b"trailing")


def test_keys_in_paths():
    for key, wire, shown in [
        (7, u8, "[7]"),
        ("k", str, "['k']"),
        (b"\0", bytes, "[b'\\x00']"),
        ((1, "a"), tuple[u8, str], "[(1, 'a')]"),
        (None, u8 | None, "[None]"),
        (True, bool, "[True]"),
    ]:
        opened = speedy.trace({key: 5}, dict[wire, u8])
        assert opened.spans[-1].path == shown
        assert all(span.path.startswith("[key 0]") for span in opened.spans[1:-1])
        raw = opened.data[:-1]
        error = check_decode_error("speedy", raw, dict[wire, u8], UnexpectedEnd, len(raw), shown)
        assert error.path == shown


def test_paths_of_fixtures_are_python():
    """A path leads to the value when it is written behind the value's name."""
    document = fixtures.as_fixture(DOCUMENT)
    for span in speedy.trace(document).spans:
        if span.role in ("value", "text"):
            assert eval(f"v.{span.path}", {"v": document}) == span.value
    assert isinstance(document, Fixture.Document)
