"""Integer rules by themselves: zigzag, the varints, the fixed widths, and their steps."""

import pytest
from bytewalk import bincode, fixtures, postcard
from bytewalk.errors import InvalidVarint, OutOfRange, UnexpectedEnd, WrongType
from bytewalk.integers import Fixed, Leb128, Marker, Prefix, unzigzag, zigzag
from bytewalk.types import INTEGERS
from hypothesis import example, given
from hypothesis import strategies as st

from .strategies import INTEGERS as RANGES

WIDE = [label for label in RANGES if label not in ("u8", "i8")]


def rules(label):
    """Every rule that there is for an integer type: its name -> the rule."""
    node = INTEGERS[label]
    found = {"fixed": Fixed(node), "fixed big": Fixed(node, "big")}
    if label in WIDE:
        found |= {"marker": Marker(node), "marker big": Marker(node, "big"), "leb": Leb128(node)}
    if label == "u64":
        found["prefix"] = Prefix()
    return found


EVERY_RULE = [
    pytest.param(label, name, id=f"{name}-{label}") for label in RANGES for name in rules(label)
]
each_rule = pytest.mark.parametrize(("label", "name"), EVERY_RULE)


def interesting(label):
    """Numbers at and beside every edge of every encoding, as far as the type reaches."""
    _, low, high = RANGES[label]
    edges = {0, 125, 126, 127, 128, 250, 251, 252, 253, 254, 255, 256, 300}
    edges |= {2**bits + more for bits in range(5, 128) for more in (-1, 0, 1)}
    edges |= {-edge for edge in edges} | {low, low + 1, high, high - 1}
    return sorted(edge for edge in edges if low <= edge <= high)


# --- Zigzag -------------------------------------------------------------------------------------


def test_zigzag_by_hand():
    pairs = {0: 0, -1: 1, 1: 2, -2: 3, 2: 4, 125: 250, -125: 249, 126: 252, -126: 251}
    pairs |= {2**31 - 1: 2**32 - 2, -(2**31): 2**32 - 1, -(2**63): 2**64 - 1}
    pairs |= {-(2**127): 2**128 - 1, 2**127 - 1: 2**128 - 2}
    for value, folded in pairs.items():
        assert zigzag(value) == folded
        assert unzigzag(folded) == value


@given(st.integers(-(2**127), 2**127 - 1))
@example(0)
def test_zigzag_and_back(value):
    folded = zigzag(value)
    assert folded >= 0
    assert unzigzag(folded) == value
    # The shifts that the crates write, here in 128 bits.
    assert folded == ((value << 1) ^ (value >> 127))
    assert zigzag(-value) == (folded - 1 if value > 0 else folded + 1 if value < 0 else 0)


@given(st.integers(0, 2**128 - 1))
def test_unzigzag_and_back(folded):
    assert zigzag(unzigzag(folded)) == folded
    assert abs(unzigzag(folded)) == (folded + 1) // 2


# --- All rules ----------------------------------------------------------------------------------


@each_rule
def test_every_integer_survives(label, name):
    rule = rules(label)[name]
    assert rule.wire == label
    for value in interesting(label):
        raw = rule.encode(value)
        assert rule.least <= len(raw)
        assert rule.size in (None, len(raw))
        for before, behind in ((b"", b""), (b"ab", b"\xff\xff")):
            assert rule.decode(before + raw + behind, len(before)) == (
                value,
                len(before) + len(raw),
            )


@each_rule
def test_every_integer_is_refused_when_cut(label, name):
    rule = rules(label)[name]
    for value in interesting(label):
        raw = rule.encode(value)
        for size in range(len(raw)):
            with pytest.raises(UnexpectedEnd) as caught:
                rule.decode(b"ab" + raw[:size], 2)
            assert caught.value.offset == 2 + size


@each_rule
def test_what_no_integer_rule_writes(label, name):
    rule = rules(label)[name]
    _, low, high = RANGES[label]
    for value in (low - 1, high + 1, 2**200, -(2**200)):
        for action in (rule.encode, rule.check, rule.steps):
            with pytest.raises(OutOfRange):
                action(value)
    for value in (True, 1.0, "1", None, b"1"):
        for action in (rule.encode, rule.check, rule.steps):
            with pytest.raises(WrongType):
                action(value)


@each_rule
def test_the_steps_add_up_to_the_bytes(label, name):
    rule = rules(label)[name]
    for value in interesting(label):
        steps = rule.steps(value)
        assert b"".join(step.written for step in steps) == rule.encode(value)
        for step in steps:
            assert step.text and "\n" not in step.text
            assert (step.outcome is not None) == (step.kind in ("sign", "compare"))
            assert bool(step.written) == (step.kind in ("write", "group"))


@each_rule
def test_the_text_of_a_rule_names_its_type(label, name):
    assert label in rules(label)[name].text


# --- Fixed widths -------------------------------------------------------------------------------


@pytest.mark.parametrize("label", RANGES)
def test_fixed_is_twos_complement(label):
    size = INTEGERS[label].bits // 8
    for order in ("little", "big"):
        rule = Fixed(INTEGERS[label], order)
        assert rule.size == size
        for value in interesting(label):
            assert rule.encode(value) == value.to_bytes(size, order, signed=label[0] == "i")


# --- bincode ------------------------------------------------------------------------------------


def test_marker_varints_by_hand():
    """Up to 250 in one byte, then fb + 2, fc + 4, fd + 8, fe + 16."""
    rule = Marker(INTEGERS["u128"])
    for value, data in [
        (0, "00"),
        (250, "fa"),
        (251, "fbfb00"),
        (255, "fbff00"),
        (2**16 - 1, "fbffff"),
        (2**16, "fc00000100"),
        (2**32 - 1, "fcffffffff"),
        (2**32, "fd0000000001000000"),
        (2**64 - 1, "fd" + "ff" * 8),
        (2**64, "fe" + "00" * 8 + "01" + "00" * 7),
        (2**128 - 1, "fe" + "ff" * 16),
    ]:
        assert rule.encode(value).hex() == data
    big = Marker(INTEGERS["u64"], "big")
    assert big.encode(251).hex() == "fb00fb"
    assert big.encode(2**32).hex() == "fd0000000100000000"


def test_where_signed_marker_varints_grow():
    rule = Marker(INTEGERS["i64"])
    sizes = {-125: 1, 125: 1, -126: 3, 126: 3, -32768: 3, 32767: 3, -32769: 5, 32768: 5}
    sizes |= {2**31 - 1: 5, -(2**31): 5, 2**31: 9, -(2**31) - 1: 9, 2**63 - 1: 9}
    assert {value: len(rule.encode(value)) for value in sizes} == sizes


@pytest.mark.parametrize("label", WIDE)
def test_markers_wider_than_the_type(label):
    rule = Marker(INTEGERS[label])
    size = INTEGERS[label].bits // 8
    for marker, payload in ((251, 2), (252, 4), (253, 8), (254, 16)):
        data = bytes([marker]) + (6).to_bytes(payload, "little")
        if payload <= size:
            assert rule.decode(data, 0) == (3 if label[0] == "i" else 6, len(data))
        else:
            with pytest.raises(InvalidVarint) as caught:
                rule.decode(b"\0" + data, 1)
            assert caught.value.offset == 1
    with pytest.raises(InvalidVarint):
        rule.decode(b"\xff" + bytes(16), 0)


# --- postcard -----------------------------------------------------------------------------------


def test_leb128_by_hand():
    rule = Leb128(INTEGERS["u64"])
    for value, data in [
        (0, "00"),
        (127, "7f"),
        (128, "8001"),
        (300, "ac02"),
        (16383, "ff7f"),
        (16384, "808001"),
        (2**64 - 1, "ff" * 9 + "01"),
    ]:
        assert rule.encode(value).hex() == data
    signed = Leb128(INTEGERS["i32"])
    assert {value: len(signed.encode(value)) for value in (-65, -64, 63, 64)} == {
        -65: 2,
        -64: 1,
        63: 1,
        64: 2,
    }


@pytest.mark.parametrize(("label", "most"), [("u16", 3), ("u32", 5), ("u64", 10), ("u128", 19)])
def test_leb128_has_a_longest_form(label, most):
    rule = Leb128(INTEGERS[label])
    _, _, high = RANGES[label]
    assert len(rule.encode(high)) == most
    for size in range(1, most + 1):  # longer than needed, as long as it is not too long
        data = b"\x85" + b"\x80" * (size - 2) + b"\0" if size > 1 else b"\5"
        assert rule.decode(data, 0) == (5, size)
    with pytest.raises(InvalidVarint) as caught:
        rule.decode(b"\x85" + b"\x80" * (most - 1) + b"\0", 0)
    assert caught.value.offset == most - 1
    last = rule.encode(high)[-1]
    for byte in range(256):
        data = b"\xff" * (most - 1) + bytes([byte])
        if byte <= last:
            assert rule.decode(data, 0)[1] == most
        else:
            with pytest.raises(InvalidVarint):
                rule.decode(data, 0)


# --- Speedy's prefix varint ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "data"),
    [
        (0, "00"),
        (127, "7f"),
        (128, "8080"),
        (300, "812c"),
        (16383, "bfff"),
        (16384, "c00040"),
        (2**21 - 1, "dfffff"),
        (2**21, "e0000020"),
        (2**56 - 1, "fe" + "ff" * 7),
        (2**56, "ff" + "00" * 7 + "01"),
        (2**64 - 1, "ff" * 9),
    ],
)
def test_prefix_varints_by_hand(value, data):
    raw = bytes.fromhex(data)
    assert Prefix().encode(value) == raw
    assert Prefix().decode(raw, 0) == (value, len(raw))


def test_a_prefix_varint_takes_a_byte_for_seven_bits():
    for bits in range(65):
        for value in {max(2**bits - 1, 0), 2 ** max(bits - 1, 0)}:
            expected = min(max(-(-value.bit_length() // 7), 1), 9)
            assert len(Prefix().encode(value)) == expected


@pytest.mark.parametrize("more", range(1, 9))
def test_the_leading_ones_count_what_follows(more):
    first = 0xFF00 >> more & 0xFF
    for size in range(more):
        with pytest.raises(UnexpectedEnd) as caught:
            Prefix().decode(bytes([first]) + bytes(size), 0)
        assert caught.value.offset == 1 + size
    data = bytes([first, 5]) + bytes(more - 1)
    assert Prefix().decode(data, 0) == (5, 1 + more)  # longer than needed


@given(st.binary(min_size=9, max_size=9))
def test_every_nine_bytes_are_a_prefix_varint(raw):
    value, end = Prefix().decode(raw, 0)
    assert 0 <= value < 2**64
    assert len(Prefix().encode(value)) <= end <= 9


# --- Counting -----------------------------------------------------------------------------------


def counts_and_numbers(document):
    """What the document makes of integers, in order: (how it is counted, value)."""
    yield "u64", len(document.id)
    yield "i32", document.status
    yield "u64", len(document.meta.region)
    yield "i32", document.meta.version
    yield "u64", len(document.items)
    for item in document.items:
        yield "u64", len(item.sku)
        yield "i32", item.qty
        yield "i64", item.price_minor


def all_steps(format):
    document = fixtures.make("document", seed=42, index=0)
    for label, value in counts_and_numbers(document):
        rule = format.layout.length_rule if label == "u64" else format.layout.rules[INTEGERS[label]]
        yield label, rule.steps(value)


def test_bincode_makes_42_comparisons_and_18_sign_tests_for_the_document():
    compared = dict.fromkeys(("u64", "i32", "i64"), 0)
    signs = 0
    for label, steps in all_steps(bincode):
        compared[label] += sum(step.kind == "compare" for step in steps)
        signs += sum(step.kind == "sign" for step in steps)
    assert compared == {"u64": 11, "i32": 10, "i64": 21}
    assert signs == 18


def test_postcard_goes_round_47_times_for_the_document():
    rounds = sum(step.kind == "group" for _, steps in all_steps(postcard) for step in steps)
    assert rounds == 47
