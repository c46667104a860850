"""One check for every road and every format.

A new format is one line in `FORMATS`, a new road one line in `ROADS`; every test that uses `check`,
`check_encode_error` or `check_decode_error` then covers it.
"""

import contextlib
import struct
import time
from unittest import mock

import msgspec
import pytest
from bytewalk import bincode, derive, postcard, serde, speedy
from bytewalk.errors import CodecError

# The names are the columns of tests/vectors/encode.json, where it has the format.
FORMATS = {
    "speedy": speedy,
    "bincode_standard": bincode.standard(),
    "bincode_legacy": bincode.legacy(),
    "bincode_big": bincode.standard().with_big_endian(),
    "bincode_big_fixed": bincode.legacy().with_big_endian(),
    "postcard": postcard,
}

# name -> (encode(value, type, format) -> bytes, decode(data, type, format) -> (value, used))
ROADS = {
    "derived": (
        lambda value, wire, format: format.encode(value, wire),
        lambda data, wire, format: format.decode_prefix(data, wire),
    ),
    "walk": (
        lambda value, wire, format: serde.serialize(value, format, wire),
        lambda data, wire, format: serde.deserialize_prefix(data, wire, format),
    ),
}


def format_of(name):
    """The format of this name, or the format that was given itself."""
    return FORMATS[name] if isinstance(name, str) else name


each_format = pytest.mark.parametrize("name", FORMATS)

TRAILING = b"\xffbehind"


def picture(value):
    """A value that compares equal only for the same Python types and the same float bits: True is
    not 1, -0.0 is not 0.0, every NaN is itself, and a dict keeps its order."""
    if isinstance(value, float):
        return float, struct.pack("<d", value)
    if isinstance(value, msgspec.Struct):
        fields = (picture(getattr(value, name)) for name in value.__struct_fields__)
        return type(value), tuple(fields)
    if isinstance(value, dict):
        return dict, tuple((picture(key), picture(inner)) for key, inner in value.items())
    if isinstance(value, list | tuple):
        return type(value), tuple(map(picture, value))
    if isinstance(value, CodecError):
        return verdict_of(value)
    return type(value), value


def verdict_of(error):
    return "refused", type(error), error.reason, error.offset, error.path


def verdict(action, *arguments):
    """What an action says: its result, or the `CodecError` it raises with reason and place.
    Any other exception is a bug and passes through."""
    try:
        return "accepted", picture(action(*arguments))
    except CodecError as error:
        return verdict_of(error)


@contextlib.contextmanager
def no_replay():
    """Within, nothing is walked a second time to find an error: what is accepted was accepted by
    the road itself, the derived code for instance, and not by what it falls back to."""

    def replayed(*arguments):
        raise AssertionError("a valid value or valid bytes were walked a second time")

    with contextlib.ExitStack() as stack:
        for room in (derive, serde.road):
            for name in ("locate_write", "locate_read"):
                stack.enter_context(mock.patch.object(room, name, replayed))
        yield


@contextlib.contextmanager
def within(seconds):
    """Fails when the block takes longer. The promises of the library are tighter than what is
    asserted: a machine that is shared may be slow."""
    start = time.perf_counter()
    yield
    took = time.perf_counter() - start
    assert took < seconds, f"took {took:.2f} s, more than {seconds} s"


def check_tiles(spans, start, end):
    """The spans cover start to end: no gap, no overlap, none empty."""
    at = start
    for span in spans:
        assert span.start == at, f"gap or overlap at byte {at}: {span}"
        assert span.end > span.start, f"empty span: {span}"
        at = span.end
    assert at == end, f"the spans end at byte {at}, not {end}"


def check(name, value, wire=None, expected=None, decoded=None):
    """Everything that must hold for a value that can be written; returns its bytes.

    wire: its wire type, None where the value tells. expected: its bytes, if known. decoded: what
    decoding gives, where that is not the value itself (a tuple for an Array, an int for a float).
    """
    format = format_of(name)
    known = serde.node_of(value, wire)
    back = picture(value if decoded is None else decoded)
    with no_replay():
        written = {road: encode(value, wire, format) for road, (encode, _) in ROADS.items()}
        data = written["derived"]
        for road, other in written.items():
            assert type(other) is bytes
            assert other == data, f"{road} wrote {other.hex()}, derived wrote {data.hex()}"
        if expected is not None:
            assert data == expected, f"{data.hex()} written, {expected.hex()} expected"

        opened = format.trace(value, wire)
        assert opened.data == data
        assert opened.error is None
        assert opened.used == len(data)
        check_tiles(opened.spans, 0, len(data))

        for road, (_, decode) in ROADS.items():
            for given in (data, data + TRAILING, bytearray(data), memoryview(data + TRAILING)):
                result, used = decode(given, known, format)
                assert picture(result) == back, f"{road} read another value: {result!r}"
                assert used == len(data), f"{road} used {used} of {len(data)} bytes"
        assert picture(format.decode(data, known)) == back
        assert picture(serde.deserialize(data, known, format)) == back
        for road, (encode, _) in ROADS.items():
            again = encode(result, known, format)
            assert again == data, f"{road} wrote {again.hex()} after reading {data.hex()}"

        reopened = format.trace_decode(data + TRAILING, known)
        assert reopened.error is None
        assert reopened.data == data + TRAILING
        assert reopened.used == len(data)
        assert picture(reopened.value) == back
        assert [picture(s) for s in reopened.spans] == [picture(s) for s in opened.spans]
    return data


def check_encode_error(name, value, wire=None, kind=None, path=None):
    """The value is refused, equally on every road and by `trace`; returns the error."""
    format = format_of(name)
    verdicts = {road: verdict(encode, value, wire, format) for road, (encode, _) in ROADS.items()}
    verdicts["trace"] = verdict(format.trace, value, wire)
    return _one_refusal(verdicts, kind, None, path)


def check_decode_error(name, data, wire, kind=None, offset=None, path=None):
    """The bytes are refused, equally on every road and in the trace, whose spans tile what comes
    before the error; returns the error."""
    format = format_of(name)
    verdicts = {road: verdict(decode, data, wire, format) for road, (_, decode) in ROADS.items()}
    verdicts["decode"] = verdict(format.decode, data, wire)
    opened = format.trace_decode(data, wire)
    assert opened.error is not None, "the trace reports no error"
    assert opened.value is None
    verdicts["trace"] = verdict_of(opened.error)
    error = _one_refusal(verdicts, kind, offset, path)
    assert error.offset is not None, "no offset"
    assert 0 <= error.offset <= len(data)
    check_tiles(opened.spans, 0, error.offset)
    return error


def _one_refusal(verdicts, kind, offset, path):
    first = verdicts["derived"]
    for road, other in verdicts.items():
        assert other[0] == "refused", f"{road} accepts: {_short(other)}"
        assert other == first, f"{road} says {_short(other)}, derived says {_short(first)}"
    _, found, reason, at, where = first
    if kind is not None:
        assert found is kind, f"{found.__name__} ({reason}), not {kind.__name__}"
    if offset is not None:
        assert at == offset, f"offset {at}, not {offset} ({reason})"
    if path is not None:
        assert where == path, f"path {where[:80]!r}, not {path[:80]!r} ({reason})"
    one_clear_sentence(reason)
    return found(reason, offset=at, path=where)


def _short(said):
    return ", ".join(
        text if len(text := str(part)) < 100 else f"{text[:97]}..." for part in said[1:]
    )


def one_clear_sentence(reason):
    """What a reader sees is one line, with no placeholder and of a length that can be read."""
    assert reason.strip() == reason
    assert 5 < len(reason) < 400, reason
    assert "\n" not in reason
    assert "object at 0x" not in reason
