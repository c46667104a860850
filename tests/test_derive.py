"""The derived code: it can be read, it is compiled once, it fuses, and no name trips it up."""

import inspect
import linecache
import re
import struct
import traceback

import msgspec
import pytest
from bytewalk import bincode, derive, postcard, speedy
from bytewalk.errors import CodecError, NoWireForm
from bytewalk.records import Document, DocumentItem, Event, Message, Strings, Telemetry
from bytewalk.types import (
    Array,
    Enum,
    Record,
    char,
    f32,
    f64,
    i32,
    i64,
    u8,
    u16,
    u32,
    u64,
    u128,
)

from .roads import FORMATS, check, check_decode_error, check_encode_error, each_format, no_replay
from .strategies import FIELD_NAMES, RECORD_NAMES, new_enum, new_record

ITEM = DocumentItem("A", 1, 2)

# One that fuses what it writes, and one that does not.
two_formats = pytest.mark.parametrize("name", ["speedy", "bincode_standard"])


class Fixed(Record):
    a: u8
    b: u16
    c: u32
    d: u64
    e: i32
    f: i64
    g: f64
    h: bool


class Chain(Record):
    next: "Chain | None"


def functions(source):
    """The functions of a codec's source: name -> body."""
    return dict(re.findall(r"^def (\w+)\(.*?\n((?:(?: {4}.*)?\n)*)", source, re.M))


def struct_calls(body):
    """Where bytes are packed or unpacked."""
    return re.findall(r"\b(?:un)?pack\w*(?<!_long)\(", body)


# --- Reading it ---------------------------------------------------------------------------------


@each_format
@pytest.mark.parametrize("wire", [Document, Message, Telemetry, Strings, Event, Fixed, Chain])
def test_the_source_is_what_inspect_shows(name, wire):
    codec = derive.codec(wire, FORMATS[name])
    assert inspect.getsource(codec.encode) in codec.source
    assert inspect.getsource(codec.encode).startswith("def encode(")
    for decode in (codec.decode, codec.decode_prefix):
        assert inspect.getsource(decode).startswith("def decode(")
        assert inspect.getsource(decode) in codec.source
    assert {"encode", "decode"} <= set(functions(codec.source))


@each_format
@pytest.mark.parametrize("wire", [Document, Message, Telemetry, Strings, Event, Fixed, Chain])
def test_the_source_reads_well(name, wire):
    source = derive.codec(wire, FORMATS[name]).source
    compile(source, "<source>", "exec")
    assert source.isascii()
    assert source.endswith("\n") and not source.endswith("\n\n")
    for line in source.splitlines():
        assert len(line) <= 100, line
        assert line == line.rstrip()
    assert "\t" not in source
    first = source.splitlines()[0]
    assert first.startswith("# ") and wire.__name__ in first


def test_a_field_keeps_its_name():
    source = derive.codec(Document, speedy).source
    for name in ("status", "region", "version", "sku", "qty", "price_minor"):
        assert re.search(rf"\b{name}\b", functions(source)["encode"])
        assert re.search(rf"\b{name}\b", functions(source)["decode"])


@each_format
def test_a_failing_encode_shows_the_derived_code(name):
    codec = derive.codec(Document, FORMATS[name])
    document = Document("d", "no number", None, [])
    with pytest.raises(CodecError) as caught:
        codec.encode(document)
    text = "".join(traceback.format_exception(caught.value))
    assert "<bytewalk: Document in " in text
    lines = [line.strip() for line in text.splitlines()]
    assert "raise TypeError" in lines, text  # the derived source line itself
    assert caught.value.path == "status"


def test_a_failing_decode_shows_the_derived_code():
    with pytest.raises(CodecError) as caught:
        speedy.decode(b"\xff" * 30, Document)
    text = "".join(traceback.format_exception(caught.value))
    assert "<bytewalk: Document in speedy" in text
    assert any(
        line.strip() and line.strip() in derive.codec(Document, speedy).source
        for line in text.split("<bytewalk: Document in speedy", 1)[1].splitlines()[1:3]
    )


def test_tracebacks_survive_a_check_of_the_line_cache():
    codec = derive.codec(DocumentItem, speedy)
    linecache.checkcache()
    assert inspect.getsource(codec.encode).startswith("def encode(")


def test_a_codec_shows_what_it_is():
    codec = derive.codec(DocumentItem, speedy)
    assert "DocumentItem" in repr(codec) and "speedy" in repr(codec)
    assert codec.encode(ITEM) == speedy.encode(ITEM)
    assert codec.decode_prefix(codec.encode(ITEM) + b"x") == (ITEM, 17)
    assert codec.decode(codec.encode(ITEM) + b"x") == ITEM


# --- Once ---------------------------------------------------------------------------------------


def test_compiled_once():
    assert derive.codec(Document, speedy) is derive.codec(Document, speedy)
    assert derive.codec(list[u16], speedy) is derive.codec(list[u16], speedy)
    assert derive.codec(Document, speedy) is derive.codec(Document, speedy.layout)
    assert derive.codec(Document, bincode) is derive.codec(Document, bincode.standard())
    built = bincode.standard().with_big_endian().with_little_endian()
    assert derive.codec(Document, built) is derive.codec(Document, bincode.standard())
    different = {derive.codec(Document, format) for format in FORMATS.values()}
    assert len(different) == len(FORMATS)
    assert len({derive.codec(wire, speedy) for wire in (u16, u32, list[u16], list[u32])}) == 4


def test_using_a_codec_compiles_nothing_more():
    speedy.encode(ITEM)
    files = [name for name in linecache.cache if name.startswith("<bytewalk:")]
    for _ in range(3):
        speedy.decode(speedy.encode(ITEM), DocumentItem)
        check_encode_error("speedy", DocumentItem(1, 2, 3))
    assert files == [name for name in linecache.cache if name.startswith("<bytewalk:")]


def test_what_has_no_codec():
    with pytest.raises(NoWireForm):
        derive.codec(int, speedy)
    for format in (None, "speedy", object(), derive, struct):
        with pytest.raises(TypeError):
            derive.codec(Document, format)


# --- Fusing -------------------------------------------------------------------------------------


def test_neighbours_of_fixed_width_are_one_store():
    source = derive.codec(Fixed, speedy).source
    for body in (functions(source)["encode"], functions(source)["decode"]):
        assert len(struct_calls(body)) == 1, body
    assert 'Struct("<BHIQiqd' in source
    assert struct.calcsize("<BHIQiqd?") == len(check("speedy", Fixed(1, 2, 3, 4, 5, 6, 7.0, True)))


def test_an_item_is_two_stores():
    """Text has no fixed width: what stands before it and what stands behind."""
    bodies = functions(derive.codec(DocumentItem, speedy).source)
    assert len(struct_calls(bodies["encode"])) <= 2
    assert len(struct_calls(bodies["decode"])) <= 2


def test_fusing_goes_through_records_tuples_and_arrays_of_records():
    inner = new_record("Inner", [("x", u8), ("pair", tuple[u16, u32])])
    outer = new_record("Outer", [("a", u8), ("inner", inner), ("b", u8)])
    bodies = functions(derive.codec(outer, speedy).source)
    assert len(struct_calls(bodies["encode"])) == 1
    assert len(struct_calls(bodies["decode"])) == 1
    check("speedy", outer(1, inner(2, (3, 4)), 5))


def test_200_fields_are_one_store():
    wide = new_record("Wide", [(f"f{index}", u32) for index in range(200)])
    bodies = functions(derive.codec(wide, speedy).source)
    assert len(struct_calls(bodies["encode"])) == 1
    assert len(struct_calls(bodies["decode"])) == 1
    check("speedy", wide(*range(200)))
    check_encode_error("speedy", wide(*range(199), "x"), None, path="f199")


def test_a_list_of_scalars_is_one_store():
    for wire in (list[f64], list[u16], Array[i64, 5], list[bool]):
        bodies = functions(derive.codec(wire, speedy).source)
        assert not re.search(r"^\s*for ", bodies["encode"], re.M), bodies["encode"]
        assert not re.search(r"^\s*for ", bodies["decode"], re.M), bodies["decode"]


def test_a_constant_tag_is_written_without_packing():
    units = new_enum("Units", [("A", [], None), ("B", [], 700)])
    assert struct_calls(functions(derive.codec(units, speedy).source)["encode"]) == []
    check("speedy", units.B(), expected=b"\xbc\2\0\0")


def test_the_fast_road_keeps_no_books():
    """No path, no span and no offset but `at` in what runs for valid input."""
    source = derive.codec(Document, speedy).source
    for word in ("path", "Span", "offset", "CodecError", "schema"):
        assert word not in source


# --- Names --------------------------------------------------------------------------------------


@two_formats
@pytest.mark.parametrize("label", RECORD_NAMES)
def test_records_of_any_name(name, label):
    for fields in (
        [],
        [("a", u8)],
        [(label if label != "_" else "x", str)],
        [("value", u8), ("value_2", str), ("value_3", u8 | None)],
    ):
        cls = new_record(label, fields)
        samples = {u8: 1, str: "s", u8 | None: 2}
        value = cls(*(samples[wire] for _, wire in fields))
        check(name, value)
        check(name, [value, value], list[cls])
        check(name, {1: (value, None)}, dict[u8, tuple[cls, cls | None]])


@two_formats
@pytest.mark.parametrize("label", FIELD_NAMES)
def test_fields_of_any_name(name, label):
    samples = [(u8, 1), (u128, 2), (f32, 0.5), (bool, True), (char, "c"), (str, "s"), (u64, 9)]
    samples += [(list[u16], [1]), (dict[u8, str], {1: "a"}), (u8 | None, None), (bytes, b"b")]
    samples += [(list[str], ["a"]), (tuple[u8, str], (1, "t")), (Array[f64, 1], [1.0])]
    for wire, sample in samples:
        one = new_record("One", [(label, wire)])
        check(name, one(sample))
        # The same name twice in one function, and neighbours that are called like copies of it.
        mark = "" if label == "_" else "_"  # Python would mangle a name that starts with two
        second, third = f"{label}{mark}2", f"{label}{mark}" if mark else "a"
        two = new_record("Two", [(second, wire), ("inner", one), (third, wire)])
        check(name, two(sample, one(sample), sample))
        check_encode_error(name, one(object()), None, path=label)


@each_format
def test_all_these_names_at_once(name):
    wide = new_record("Wide", [(label, bool) for label in FIELD_NAMES])
    check(name, wide(*[True] * len(FIELD_NAMES)))
    mixed = [
        (label, [u8, str, u128, bool, char, u64][i % 6]) for i, label in enumerate(FIELD_NAMES)
    ]
    samples = {u8: 1, str: "s", u128: 2, bool: True, char: "c", u64: 2**40}
    cls = new_record("Mixed", mixed)
    check(name, cls(*(samples[wire] for _, wire in mixed)))


@each_format
def test_names_of_the_code_itself(name):
    """A record with every name that the derived code of that very record uses."""
    fields = [("a", bool), ("b", u8 | None), ("c", u128), ("d", char), ("e", f32), ("g", str)]
    fields += [("h", list[str]), ("i", i64), ("j", dict[u8, None]), ("k", list[None])]
    samples = [True, 1, 2, "c", 0.5, "s", ["t"], -1, {1: None}, [None]]
    source = derive.codec(new_record("Probe", fields), FORMATS[name]).source
    names = sorted(set(re.findall(r"[A-Za-z_]\w*", source)))
    for start in range(0, len(names), len(fields)):
        chosen = names[start : start + len(fields)]
        wires = [wire for _, wire in fields][: len(chosen)]
        cls = new_record("Probe", list(zip(chosen, wires, strict=True)))
        check(name, cls(*samples[: len(chosen)]))
        cls = new_record(chosen[0], list(zip(chosen, wires, strict=True)))
        check(name, cls(*samples[: len(chosen)]))


@each_format
def test_two_classes_of_one_name(name):
    first = new_record("Point", [("x", u8)])
    second = new_record("Point", [("x", str)])
    both = new_record("Both", [("a", first), ("b", second), ("c", list[first])])
    check(name, both(first(1), second("s"), [first(2)]))
    check_encode_error(name, both(second("s"), second("s"), []), None, path="a")
    for cls, sample in ((first, 1), (second, "s")):
        assert inspect.getsource(derive.codec(cls, FORMATS[name]).encode)
        check(name, cls(sample))


@each_format
def test_an_enum_and_a_variant_called_like_a_record(name):
    inner = new_record("Message", [("x", u8)])
    outer = new_enum("Message", [("Message", [("_0", inner)], None), ("Other", [], None)])
    check(name, outer.Message(inner(1)))
    check(name, [outer.Other(), outer.Message(inner(2))], list[outer])


@each_format
@pytest.mark.parametrize(
    "label", ["len", "out", "put", "None", "True", "match", "type", "é", "kind"]
)
def test_variants_of_any_name(name, label):
    enum = new_enum("E", [(label, [("_0", u8)], None), ("Last", [("a", str)], None)])
    check(name, getattr(enum, label)(1))
    check(name, [enum.Last("s"), getattr(enum, label)(2)], list[enum])


def test_a_variant_under_another_name():
    """The attribute is what the enum calls it, whatever the class was called where it was made."""
    made = new_enum("Made", [("Inside", [("_0", u8)], None)]).Inside
    enum = type("Renamed", (Enum,), {"Outside": made})
    check("speedy", enum.Outside(1), enum)


def test_plain_structs_of_msgspec():
    plain = msgspec.defstruct("Plain", [("from", u8), ("a", str)])
    check("speedy", plain(1, "s"))


def test_nested_classes_and_local_ones():
    class Outer(Record):
        class Inner(Record):
            x: u8

        inner: Inner

    check("speedy", Outer(Outer.Inner(1)))


# --- Sizes --------------------------------------------------------------------------------------


def nested_list(depth, item=u8):
    wire = item
    for _ in range(depth):
        wire = list[wire]
    return wire


def nested_value(depth, inner):
    for _ in range(depth):
        inner = [inner]
    return inner


@each_format
@pytest.mark.parametrize("depth", [19, 20, 21, 30])
def test_nested_lists(name, depth):
    """Python itself refuses more than 20 loops in one another."""
    check(name, nested_value(depth, 7), nested_list(depth))
    check(name, nested_value(depth, "s"), nested_list(depth, str))


@pytest.mark.parametrize("depth", [100, 200])
def test_very_deeply_nested_lists(depth):
    wire, value = nested_list(depth, str), nested_value(depth, "deep")
    with no_replay():
        data = speedy.encode(value, wire)
        assert data == b"\1\0\0\0" * depth + b"\4\0\0\0deep"
        assert speedy.encode(speedy.decode(data, wire), wire) == data
    check_decode_error("speedy", data[:-1], wire, path="[0]" * depth)
    check_encode_error("speedy", nested_value(depth, 5), wire, path="[0]" * depth)


@pytest.mark.parametrize("depth", [30, 60])
def test_other_deep_nesting(depth):
    wire, value = u8, 7
    for level in range(depth):
        match level % 4:
            case 0:
                wire, value = wire | None, value
            case 1:
                wire, value = tuple[u8, wire], (1, value)
            case 2:
                wire, value = dict[u8, wire], {1: value}
            case 3:
                cls = new_record(f"R{level}", [("a", wire)])
                wire, value = cls, cls(value)
    check("speedy", value, wire)
    check("postcard", value, wire)


@pytest.mark.parametrize("depth", [300, 400, 500, 1_000, 5_000])
def test_a_type_too_deep_to_handle_is_refused_cleanly(depth):
    wire = nested_list(depth)
    try:
        data = speedy.encode(nested_value(depth, 7), wire)
    except CodecError:
        return
    assert len(data) == 4 * depth + 1


@each_format
def test_an_enum_with_300_variants(name):
    variants = [(f"V{index}", [("_0", [u8, str][index % 2])], None) for index in range(300)]
    enum = new_enum("Many", variants)
    for index in (0, 127, 128, 250, 251, 255, 256, 299):
        check(name, getattr(enum, f"V{index}")("s" if index % 2 else 1))
    count = u32
    unknown = FORMATS[name].encode(300, count) + bytes(8)
    error = check_decode_error(name, unknown, enum, offset=0)
    assert "300" in error.reason


@each_format
def test_a_record_with_200_fields_of_text(name):
    wide = new_record("Wide", [(f"f{index}", str) for index in range(200)])
    check(name, wide(*(str(index) for index in range(200))))


def test_texts_around_the_sizes_with_a_struct_of_their_own():
    for length in (0, 1, 254, 255, 256, 257, 1_000, 70_000):
        for format in (speedy, postcard, bincode):
            item = DocumentItem("x" * length, 1, 2)
            assert format.decode(format.encode(item), DocumentItem) == item
        check("speedy", DocumentItem("é" * length, -1, -2))
