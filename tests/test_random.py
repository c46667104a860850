"""Random types, random values, random damage: the two roads, the traces and a plain second
implementation say the same, in every format."""

import pytest
from bytewalk import bincode, derive
from bytewalk.errors import LimitExceeded
from hypothesis import given, note, settings
from hypothesis import strategies as st

from . import plain_speedy
from .roads import FORMATS, check, check_decode_error, no_replay, picture, verdict
from .strategies import damaged, scalar_shapes, shapes, typed_values, values

# A second implementation, where there is one. The others are held against recorded bytes.
PLAIN = {"speedy": plain_speedy}

# Every type's derived code has a file name of its own, which hypothesis takes for another bug.
one_bug = settings(report_multiple_bugs=False)


@one_bug
@given(typed_values())
def test_a_value_survives(pair):
    survives(*pair)


@one_bug
@given(scalar_shapes().flatmap(lambda shape: st.tuples(st.just(shape), values(shape))))
def test_a_scalar_survives(pair):
    survives(*pair)


def survives(shape, value):
    note(f"{shape}")
    for name in FORMATS:
        expected = PLAIN[name].encode(shape, value) if name in PLAIN else None
        check(name, value, shape.wire, expected)


@one_bug
@given(st.data())
def test_damaged_bytes_give_a_value_or_one_error(data):
    shape, value = data.draw(typed_values())
    for name, format in FORMATS.items():
        read_anything(name, shape, data.draw(damaged(format.encode(value, shape.wire)), name))


@one_bug
@given(shapes(), st.binary(max_size=40) | st.lists(st.sampled_from(b"\0\1\2\xff")).map(bytes))
def test_random_bytes_give_a_value_or_one_error(shape, raw):
    for name in FORMATS:
        read_anything(name, shape, raw)


def read_anything(name, shape, raw):
    """Decoding gives a value that can be written again, or an error, the same on every road; and
    just what the plain implementation says."""
    format = FORMATS[name]
    note(f"{shape} in {name}: {raw.hex()}")
    if verdict(format.decode, raw, shape.wire)[0] == "refused":
        error = check_decode_error(name, raw, shape.wire)
        if name in PLAIN:
            with pytest.raises(PLAIN[name].Refused) as plain:
                PLAIN[name].decode(shape, raw)
            assert (type(error).__name__, error.offset) == (plain.value.kind, plain.value.offset)
        return
    value, used = format.decode_prefix(raw, shape.wire)
    assert used <= len(raw)
    with no_replay():  # the derived code accepts on its own, and reads no byte behind the value
        again, used_again = format.decode_prefix(raw[:used], shape.wire)
    assert (picture(again), used_again) == (picture(value), used)
    if name in PLAIN:
        plain_value, plain_used = PLAIN[name].decode(shape, raw)
        assert (picture(value), used) == (picture(plain_value), plain_used)
    check(name, value, shape.wire)


@one_bug
@given(typed_values())
def test_every_truncation_is_refused(pair):
    shape, value = pair
    for name, format in FORMATS.items():
        raw = format.encode(value, shape.wire)
        note(f"{shape} in {name}: {raw.hex()}")
        for size in {*range(min(len(raw), 4)), *range(max(len(raw) - 4, 0), len(raw))}:
            error = check_decode_error(name, raw[:size], shape.wire)
            # Nothing is wrong with the bytes that are there.
            assert isinstance(error, EOFError)
            assert error.offset == size


@one_bug
@given(typed_values())
def test_a_limit_counts_what_fixed_widths_would_take(pair):
    """bincode's limit counts what a message claims, whatever its varints take in truth."""
    shape, value = pair
    needed = len(FORMATS["bincode_legacy"].encode(value, shape.wire))
    note(f"{shape} needs {needed}")
    for config in (bincode.standard(), bincode.legacy()):
        check(config.with_limit(needed), value, shape.wire)
        if needed:
            data = config.encode(value, shape.wire)
            check_decode_error(config.with_limit(needed - 1), data, shape.wire, LimitExceeded)


@one_bug
@given(shapes())
def test_the_derived_source_is_compiled_once(shape):
    for format in (FORMATS["speedy"], FORMATS["postcard"]):
        codec = derive.codec(shape.wire, format)
        assert derive.codec(shape.wire, format) is codec
        compile(codec.source, "<source>", "exec")
