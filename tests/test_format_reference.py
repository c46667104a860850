"""The format reference, read back: every row of its tables and every figure in its text.

A table follows a line `% table: name`, and each name has a test here. Bytes and verdicts are
recomputed on both roads (rkyv has one); what a crate says is looked up in data/golden.
"""

import builtins
import json
import re
import sys

import pytest
from bytewalk import bincode, errors, fixtures, postcard, records, rkyv, speedy, types
from bytewalk.errors import CodecError, LimitExceeded, OutOfRange, TooDeep
from bytewalk.integers import Marker, Prefix, zigzag
from bytewalk.layout import layout_of
from bytewalk.scalars import Flag
from bytewalk.types import (
    INTEGERS,
    MOST_EMPTY_ITEMS,
    MOST_LEVELS,
    EnumType,
    MapType,
    Node,
    OptionType,
    schema,
)

from . import oracle
from .roads import (
    ROADS,
    check,
    check_decode_error,
    check_encode_error,
    check_tiles,
    picture,
    verdict,
)
from .test_golden import REJECTS, VECTORS
from .test_oracle import KINDS, judge
from .test_oracle_rkyv import judge as judge_archive

PAGE = (oracle.ROOT / "book" / "format-reference.md").read_text(encoding="utf-8")
DOCUMENT = fixtures.make("document", seed=42, index=0)

# The columns of formats: the name in `roads.FORMATS`, the name in data/golden, the format.
COLUMNS = {
    "Speedy": ("speedy", "speedy", speedy),
    "bincode standard": ("bincode_standard", "bincode-standard", bincode.standard()),
    "bincode legacy": ("bincode_legacy", "bincode-legacy", bincode.legacy()),
    "postcard": ("postcard", "postcard", postcard),
}
LAYOUTS = {name: layout_of(format) for name, (_, _, format) in COLUMNS.items()}

# The page's types are those of the oracle's catalogue, so that data/golden speaks of them too.
CATALOGUE = oracle.Catalogue(json.loads((oracle.GOLDEN / "types.json").read_text("utf-8")))
NAMES = {schema(wire).label: name for name, wire in CATALOGUE.types.items()}
NAMESPACE = dict(vars(CATALOGUE.module))


# --- Reading the page ---------------------------------------------------------------------------


def cells(line):
    """The cells of a table's line; `\\|` is a bar within a cell."""
    parts = re.split(r"(?<!\\)\|", line.strip())[1:-1]
    return [part.strip().replace("\\|", "|") for part in parts]


def read_tables():
    """name -> rows, each a dict from heading to cell; tables of one name are one."""
    tables = {}
    lines = iter(PAGE.splitlines())
    for line in lines:
        if line.startswith("% table: "):
            rows = tables.setdefault(line.removeprefix("% table: "), [])
            assert next(lines) == ""
            head = cells(next(lines))
            assert set(next(lines)) <= set("|-")
            while (line := next(lines)).startswith("|"):
                rows.append(dict(zip(head, cells(line), strict=True)))
    return tables


TABLES = read_tables()


CHECKED = set()


def rows_of(table):
    """The rows of a table, for a test of it."""
    CHECKED.add(table)
    return TABLES[table]


def each_row(table):
    """Runs a test for every row of a table."""
    rows = [
        pytest.param(row, id="-".join(list(row.values())[:2]).replace("`", ""))
        for row in rows_of(table)
    ]
    return pytest.mark.parametrize("row", rows)


def code(cell):
    """The text of a cell that is one piece of code."""
    (inside,) = re.fullmatch(r"`([^`]+)`", cell).groups()
    return inside


def codes(cell):
    """All pieces of code in a cell."""
    return re.findall(r"`([^`]+)`", cell)


def value(text):
    """What an expression of the page says."""
    return eval(text, NAMESPACE)


def raw(cell):
    """The bytes in a cell, which are pairs of digits with a space between them."""
    data = b"" if cell == "no bytes" else bytes.fromhex(code(cell))
    assert cell in ("no bytes", f"`{data.hex(' ')}`"), cell
    return data


def golden(wire, format, data, limit=None, offset=None):
    """What the crate said to these bytes; offset: at which address modulo 16."""
    row = {"type": NAMES[schema(wire).label], "format": format, "hex": data.hex()}
    (found,) = (
        reject
        for reject in REJECTS
        if row.items() <= reject.items()
        and (reject.get("limit"), reject.get("offset")) == (limit, offset)
    )
    return found["verdict"]


def test_every_table_is_checked():
    assert len(re.findall(r"^\|[-|]+\|$", PAGE, re.M)) == PAGE.count("\n% table: ")
    assert set(TABLES) == CHECKED


def test_the_page_s_types_are_those_of_the_catalogue():
    own = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.S):
        exec(block, own)
    names = {name for name in own if re.search(rf"^class {name}\(", PAGE, re.M)}
    assert names == {"Inner", "Shape", "Tagged", "Node", "PadTail", "PadSixteen"}
    for name in names:
        assert picture_of(schema(own[name])) == picture_of(schema(NAMESPACE[name]))
    many = schema(NAMESPACE["Many"])
    assert all(not variant.fields for variant in many.variants)
    assert [variant.cls.__name__ for variant in many.variants] == [f"V{i}" for i in range(300)]


def picture_of(node):
    """All that the wire knows of a record or an enum."""
    parts = getattr(node, "variants", [node])
    return [
        (
            part.cls.__name__,
            getattr(part, "discriminant", None),
            [(field.name, field.type.label) for field in part.fields],
        )
        for part in parts
    ]


# --- Types and values ---------------------------------------------------------------------------


def words(rule):
    """What the table says of a rule: the library's own words, without the name of the type. For a
    byte of 0 or 1 also what becomes of a 2."""
    text = rule.text.removeprefix(f"{rule.wire}, ")
    if not isinstance(rule, Flag):
        return text
    try:
        read = int(rule.decode(b"\2", 0)[0])
    except CodecError:
        return f"{text}: 0 or 1, others are refused"
    return f"{text}: 0 or 1, any other reads as {read}"


@each_row("rules")
def test_rules(row):
    labels = codes(row["type"])
    for name, layout in LAYOUTS.items():
        rules = {node.label: rule for node, rule in layout.rules.items()}
        for label in labels:
            text = words(rules[label])
            if len(labels) > 1 and int(label[1:]) > 8:
                text = text.replace(f"{int(label[1:]) // 8} bytes", "own width")
            assert row[name] == text, (label, name)


def test_rules_of_all_single_values():
    labels = [label for row in rows_of("rules") for label in codes(row["type"])]
    assert sorted(labels) == sorted(node.label for node in LAYOUTS["Speedy"].rules)


@each_row("parts")
def test_parts(row):
    for name, layout in LAYOUTS.items():
        match row["part"]:
            case "count":
                text = layout.length_rule.text
            case "tag":
                text = layout.tag_rule.text
            case "presence byte":
                text = words(layout.presence_rule)
        assert row[name] == text


# A value of each larger type, and how the table's words begin for what its first bytes are.
COMPOSITES = {
    "str": (str, "x"),
    "bytes": (bytes, b"x"),
    "list[T]": (list[types.u8], [1]),
    "dict[K, V]": (dict[types.u8, types.u8], {1: 2}),
    "Array[T, 3]": (types.Array[types.u8, 3], [1, 2, 3]),
    "tuple[A, B]": (tuple[types.u8, types.u8], (1, 2)),
    "T | None": (types.u8 | None, 1),
    "None": (None, None),
    "Record": (NAMESPACE["Inner"], NAMESPACE["Inner"](1, 2)),
    "Enum": (NAMESPACE["Shape"], NAMESPACE["Shape"].New(1)),
}
BEGINNINGS = {
    "length": ("the count", "a count"),
    "present": ("a presence byte",),
    "tag": ("a tag",),
    "value": ("the items", "the values", "the fields"),
    None: ("nothing",),
}


@each_row("composites")
def test_composites(row):
    wire, example = COMPOSITES[code(row["type"])]
    for _, _, format in COLUMNS.values():
        spans = format.trace(example, wire).spans
        assert row["bytes"].startswith(BEGINNINGS[spans[0].role if spans else None])
        rest = {span.role for span in spans[1:]} or {"value"}
        assert rest == ({"text"} if "UTF-8" in row["bytes"] else {"value"})


def test_composites_are_all_types_that_are_no_single_value():
    assert [code(row["type"]) for row in rows_of("composites")] == list(COMPOSITES)
    found = {type(schema(wire)) for wire, _ in COMPOSITES.values()}
    assert found == node_classes() - set(types.ScalarType.__subclasses__())


def node_classes():
    """The classes of schema nodes that a wire type can be."""
    found, waiting = set(), [Node]
    while waiting:
        subclasses = waiting.pop().__subclasses__()
        found.update(subclasses)
        waiting += subclasses
    return found - {types.ScalarType, types.VariantType}


def formats_of(heading):
    """The names in COLUMNS that a table's heading stands for."""
    names = heading.split(", ")
    return [name for name in COLUMNS if name in names or name.split()[0] in names]


@each_row("examples")
def test_examples(row):
    wire, example = value(code(row["type"])), value(code(row["value"]))
    for heading, cell in row.items():
        for name in formats_of(heading):
            check(COLUMNS[name][0], example, wire, expected=raw(cell))


def test_there_is_an_example_of_every_type():
    nodes = [schema(value(code(row["type"]))) for row in rows_of("examples")]
    assert {type(node) for node in nodes} == node_classes()
    labels = {node.label for node in nodes}
    assert labels > {node.label for node in LAYOUTS["Speedy"].rules}
    shown = [name for heading in rows_of("examples")[0] for name in formats_of(heading)]
    assert sorted(shown) == sorted(COLUMNS)


@each_row("configurations")
def test_configurations(row):
    wire, example = value(code(row["type"])), value(code(row["value"]))
    for heading in list(row)[2:]:
        config = eval(f"bincode.{code(heading)}")
        data = raw(row[heading])
        for encode, decode in ROADS.values():
            assert encode(example, wire, config) == data
            assert decode(data, wire, config) == (example, len(data))


def test_what_is_said_of_configurations():
    assert "`standard().with_fixed_int_encoding()` equals `legacy()`" in PAGE
    assert bincode.standard().with_fixed_int_encoding() == bincode.legacy()
    standard, legacy = LAYOUTS["bincode standard"], LAYOUTS["bincode legacy"]
    assert "bincode legacy has the same bools, presence bytes and chars as standard." in PAGE
    for rule in ("bool", "presence", "char"):
        ours, theirs = getattr(legacy, rule)(), getattr(standard, rule)()
        assert (type(ours), words(ours)) == (type(theirs), words(theirs))
    assert all(legacy.rules[node].any_bytes for node in INTEGERS.values())


# --- Integers -----------------------------------------------------------------------------------


@each_row("zigzag")
def test_zigzag(row):
    assert zigzag(value(code(row["number"]))) == value(code(row["zigzag"]))


WIDEST = INTEGERS["u128"]
VARINTS = {"marker varint": bincode.standard(), "LEB128": LAYOUTS["postcard"]}


def span(cell):
    """The two ends of a cell like `0` to `127`."""
    assert re.fullmatch(r"`[^`]+` to `[^`]+`", cell)
    return tuple(map(value, codes(cell)))


@each_row("sizes")
def test_sizes(row):
    low, high = span(row["unsigned"])
    for name, format in VARINTS.items():
        for number in (low, high):
            assert len(format.encode(number, WIDEST)) == int(row[name])
    lowest, highest = span(row["signed"])
    assert max(zigzag(lowest), zigzag(highest)) == high
    assert min(zigzag(lowest - 1), zigzag(highest + 1)) == high + 1


def test_sizes_leave_no_gap_and_no_row_could_be_joined_with_the_next():
    rows = rows_of("sizes")
    assert span(rows[0]["unsigned"])[0] == 0
    assert span(rows[-1]["unsigned"])[1] == 2**64 - 1
    for one, other in zip(rows, rows[1:], strict=False):
        assert span(one["unsigned"])[1] + 1 == span(other["unsigned"])[0]
        assert [one[name] for name in VARINTS] != [other[name] for name in VARINTS]


@each_row("markers")
def test_markers(row):
    first = [int(text, 16) for text in codes(row["first byte"])]
    match first:
        case [low, high]:
            assert (low, high) == (0, Marker.one_byte - 1)
            assert int(row["bytes in all"]) == 1
        case [0xFF]:
            assert "bytes in all" in row and not row["bytes in all"]
            for node in INTEGERS.values():
                if node.bits > 8:
                    check_decode_error("bincode_standard", b"\xff" * 17, node, offset=0)
        case [marker]:
            size = Marker.table[marker][1]
            assert row["then"] == f"the number in {size} bytes"
            assert int(row["bytes in all"]) == size + 1


def test_markers_are_all_first_bytes():
    known = [int(text, 16) for row in rows_of("markers") for text in codes(row["first byte"])]
    assert known == [0, Marker.one_byte - 1, *Marker.table, 0xFF]


@each_row("widest")
def test_widest(row):
    for label in codes(row["types"]):
        node = INTEGERS[label]
        extremes = (-(1 << node.bits - 1), (1 << node.bits - 1) - 1)
        numbers = extremes if node.signed else ((1 << node.bits) - 1,)
        for heading, format in {
            "fixed": speedy,
            "marker varint, at most": bincode.standard(),
            "LEB128, at most": postcard,
        }.items():
            assert max(len(format.encode(n, node)) for n in numbers) == int(row[heading])
        last = raw(row["last byte of LEB128, at most"])
        assert max(postcard.encode(n, node)[-1:] for n in numbers) == last
        too_much = b"\xff" * (int(row["LEB128, at most"]) - 1) + bytes([last[0] + 1])
        check_decode_error("postcard", too_much, node, errors.InvalidVarint)


@each_row("prefix")
def test_prefix(row):
    number, data = value(code(row["number"])), raw(row["bytes"])
    assert Prefix().encode(number) == data
    assert Prefix().decode(data, 0) == (number, len(data))
    (crate,) = (
        vector["hex"]
        for vector in VECTORS
        if vector["type"] == "prefix_varint" and int(vector["value"]) == number
    )
    assert crate == data.hex()


# --- Decoding -----------------------------------------------------------------------------------


def verdicts():
    """(format's column, type, bytes, what is said) for every cell that has a verdict."""
    for row in rows_of("verdicts"):
        for name in ("Speedy", "bincode standard", "postcard"):
            if row[name]:
                data, said = row[name].split(" → ")
                parts = name, code(row["type"]), raw(data), said
                yield pytest.param(*parts, id=f"{name}-{row['type']}-{row['input']}")


@pytest.mark.parametrize(("name", "wire", "data", "said"), list(verdicts()))
def test_verdicts(name, wire, data, said):
    road, crate, format = COLUMNS[name]
    wire = value(wire)
    judge({"format": crate}, format, schema(wire), data, golden(wire, crate, data))
    if said.startswith("refused, "):
        check_decode_error(road, data, wire, getattr(errors, code(said.removeprefix("refused, "))))
    else:
        for _, decode in ROADS.values():
            read, used = decode(data, wire, format)
            assert picture(read) == picture(value(code(said)))
            assert used <= len(data)


@each_row("older-bincode")
def test_older_bincode(row):
    data, wire = raw(row["bytes"]), value(code(row["type"]))
    for heading, format in {"2.0.1": "bincode-standard", "1.3.3": "bincode1-options"}.items():
        (version,) = {reject["version"] for reject in REJECTS if reject["format"] == format}
        assert heading == version
        said = golden(wire, format, data)
        if "error" in said:
            assert row[heading] == f"refused, `{said['error']['kind']}`"
        else:
            assert value(code(row[heading])) == said["value"]


def test_the_free_functions_of_older_bincode():
    assert "free functions, which write what legacy writes, ignore bytes behind the value" in PAGE
    assert golden(types.u16, "bincode1", b"\5\0\xff") == {"value": 5, "used": 2}
    written = {
        format: [row["hex"] for row in VECTORS if row["format"] == format]
        for format in ("bincode1", "bincode-legacy")
    }
    assert written["bincode1"] == written["bincode-legacy"]


CLASSES = [kind for kind in vars(errors).values() if isinstance(kind, type)]


@each_row("classes")
def test_classes(row):
    kind = getattr(errors, code(row["class"]))
    assert issubclass(kind, CodecError)
    bases = [base.__name__ for base in kind.__bases__ if base.__module__ == builtins.__name__]
    assert codes(row["also a"]) == [name for name in bases if name != "ValueError"]


def test_classes_are_all_there_are():
    listed = [code(row["class"]) for row in rows_of("classes")]
    assert sorted(listed) == sorted(kind.__name__ for kind in CLASSES)
    assert issubclass(CodecError, ValueError)


@each_row("errors")
def test_errors(row):
    for name in ("Speedy", "bincode", "postcard", "rkyv"):
        kinds = KINDS[name.lower()].items()
        theirs = [kind for kind, ours in kinds if code(row["class"]) in ours.split(" or ")]
        assert sorted(codes(row[name])) == sorted(theirs)


def test_errors_are_all_that_the_crates_have():
    listed = [code(row["class"]) for row in rows_of("errors")]
    ours = " or ".join(ours for kinds in KINDS.values() for ours in kinds.values())
    assert sorted(listed) == sorted(set(ours.split(" or ")))


def test_an_unknown_tag_by_bincode_s_own_traits():
    assert "an unknown tag is `UnexpectedVariant` too" in PAGE
    said = golden(NAMESPACE["Shape"], "bincode-standard-native", b"\4")
    assert said["error"]["kind"] == "UnexpectedVariant"


@each_row("claims")
def test_claims(row):
    wire, example, claims = value(code(row["type"])), value(code(row["value"])), int(row["claims"])
    data = raw(row["bincode standard"])
    check("bincode_standard", example, wire, expected=data)
    holds_limit(data, wire, example, claims)
    assert len(bincode.legacy().encode(example, wire)) == claims, "as in legacy"


def holds_limit(data, wire, example, claims):
    """The bytes need a limit of exactly so much."""
    for _, decode in ROADS.values():
        enough = bincode.standard().with_limit(claims)
        assert decode(data, wire, enough) == (example, len(data))
        said = verdict(decode, data, wire, bincode.standard().with_limit(claims - 1))
        assert said[:2] == ("refused", LimitExceeded)


HOSTILE = {
    "Speedy": "speedy",
    "bincode standard": "bincode-standard",
    "bincode standard, own traits": "bincode-standard-native",
    "bincode legacy": "bincode-legacy",
    "bincode 1.3.3, options": "bincode1-options",
    "postcard": "postcard",
}


@each_row("hostile")
def test_hostile(row):
    decoder, wire = re.fullmatch(r"(.+), `(.+)`", row["decoder"]).groups()
    decoder, _, limit = decoder.partition(", limit ")
    limit = int(limit) if limit else None
    data, claim = codes(row["bytes, and what they claim"])
    crate, wire, data, claim = HOSTILE[decoder], value(wire), raw(f"`{data}`"), value(claim)

    said = golden(wire, crate, data, limit)
    if row["the crate"] == "accepted":
        assert said["value"] == {"units": str(claim)}
    else:
        assert code(row["the crate"]) == said["error"]["kind"]

    if crate == "bincode1-options":
        assert not row["this library"]
        return
    format = oracle.FORMATS[crate.removesuffix("-native")]
    assert layout_of(format).length_rule.encode(claim) in data
    for _, decode in ROADS.values():
        ours = verdict(decode, data, wire, format.with_limit(limit) if limit else format)
        assert ours[:2] == ("refused", getattr(errors, code(row["this library"])))


@each_row("unsayable")
def test_unsayable(row):
    name = {"Option<Option<u8>>": "opt_opt_u8", "Option<()>": "opt_unit"}[code(row["Rust type"])]
    spelled = {
        "Some(None)": {"some": None},
        "Some(Some(7))": {"some": {"some": 7}},
        "Some(())": {"some": None},
        "None": None,
    }[code(row["value"])]
    vectors = {
        vector["format"]: vector["hex"]
        for vector in VECTORS
        if vector["type"] == name and vector["value"] == spelled
    }
    for _, crate, _ in COLUMNS.values():
        assert vectors[crate] == raw(row["the three"]).hex()
    assert vectors["rkyv"] == raw(row["rkyv"]).hex()
    assert name not in CATALOGUE.types


def test_what_python_s_notation_makes_of_them():
    assert schema(types.u8 | None | None).label == "u8 | None"
    with pytest.raises(TypeError):
        value("None | None")
    keys = list[types.u8], types.Array[types.u8, 2], dict[types.u8, types.u8], NAMESPACE["Inner"]
    for wire in keys:
        with pytest.raises(errors.NoWireForm):
            schema(dict[wire, types.u8])


# --- rkyv ---------------------------------------------------------------------------------------


def slot(wire):
    return rkyv.layout.shape(schema(wire))


# A value of each type that is no single value, and the wire type.
SLOTS = {
    "str, up to 8 bytes": (str, "12345678"),
    "str, longer": (str, "123456789"),
    "bytes": (bytes, b"x"),
    "list[T]": (list[str], ["123456789"]),
    "None": (None, None),
}


@each_row("slots")
def test_slots(row):
    cell = row["type"].replace("`", "")
    scalars = {node.label: rule for node, rule in rkyv.layout.scalars.rules.items()}
    for label in [cell] if cell in SLOTS else cell.split(", "):
        if label in SLOTS:
            wire, example = SLOTS[label]
            trace = rkyv.trace(example, wire)
            at = len(trace.data) - int(row["size"])
            roles = [span.role for span in trace.spans if span.start >= at]
            assert ", ".join(roles) == row["in the slot"].replace("nothing", "")
        else:
            wire = value(label)
            text = words(scalars[label])
            if label[1:].isdigit() and label[1:] != "8":
                text = text.replace(f"{int(label[1:]) // 8} bytes", "own width")
            assert row["in the slot"] == text
        assert (slot(wire).size, slot(wire).align) == (int(row["size"]), int(row["alignment"]))


def test_slots_are_all_that_is_not_made_of_others():
    listed = [label for row in rows_of("slots") for label in codes(row["type"])]
    scalars = [node.label for node in LAYOUTS["Speedy"].rules]
    assert sorted(set(listed)) == sorted([*scalars, "str", "bytes", "list[T]", "None"])
    offset, count = rkyv.layout.offset.text, rkyv.layout.scalars.length_rule.text
    said = f"holds a distance, which the crate calls an *offset*: an {offset}, in two's complement."
    assert said in " ".join(PAGE.split())
    assert f"The length of a list or of `bytes` is a {count};" in " ".join(PAGE.split())


def at_offsets(parts):
    """What the tables say of the parts of a slot."""
    names = {
        part: "value"
        if part.name == ""
        else f"`[{part.name}]`"
        if isinstance(part.name, int)
        else f"`{part.name.removeprefix('.')}`"
        for part in parts
    }
    return ", ".join(f"{names[part]} at {part.offset}" for part in parts) or "none"


def free(size, parts, head=0):
    """The bytes of a slot in which no part stands, as the tables say it."""
    used = set(range(head))
    for part in parts:
        used |= set(range(part.offset, part.offset + part.shape.size))
    rest = sorted(set(range(size)) - used)
    assert rest == list(range(rest[0], rest[-1] + 1)) if rest else True
    return f"{rest[0]} to {rest[-1]}" if rest else "none"


@each_row("layouts")
def test_layouts(row):
    shape = slot(value(code(row["type"])))
    assert (shape.size, shape.align) == (int(row["size"]), int(row["alignment"]))
    assert row["parts"] == at_offsets(shape.parts)
    assert row["padding at"] == free(shape.size, shape.parts)
    assert shape.align == max(part.shape.align for part in shape.parts)


@each_row("variants")
def test_variants(row):
    shape = slot(value(code(row["type"])))
    assert (shape.size, shape.align) == (int(row["size"]), int(row["alignment"]))
    match shape.node:
        case OptionType():
            body = shape.bodies[{"without": 0, "with a value": 1}[row["variant"]]]
        case EnumType():
            (body,) = (
                shape.bodies[variant.discriminant]
                for variant in shape.node.variants
                if variant.cls.__name__ == code(row["variant"])
            )
    assert row["parts"] == at_offsets(body.parts)
    end = max([1, *(part.offset + part.shape.size for part in body.parts)])
    assert row["left over at"] == (f"{end} to {shape.size - 1}" if end < shape.size else "none")


def test_a_tag_is_one_byte_and_a_box_an_offset():
    """Said in the text around the tables."""

    class Wide(types.Enum):
        class Last(types.Variant, tag=255):
            pass

        class Beyond(types.Variant):
            pass

    for wire in (Wide, NAMESPACE["Many"]):
        with pytest.raises(errors.NoWireForm, match="in one byte"):
            slot(wire)
    boxed = slot(NAMESPACE["Node"]).parts[1].shape.bodies[1].parts[0].shape
    assert (type(boxed).__name__, boxed.size, boxed.align) == ("Box", 4, 4)
    assert slot(NAMESPACE["Tree"]).parts[1].shape.item is slot(NAMESPACE["Tree"])


@each_row("packed")
def test_packed(row):
    length, data = value(code(row["length"])), raw(row["in the slot"])
    assert rkyv.layout.packed_length.encode(length) == data
    (formula,) = re.findall(r"`(n & .*?)`", PAGE)
    assert eval(formula, {"n": length}).to_bytes(4, "little") == data
    if length < 1000:
        archive = rkyv.to_bytes("x" * length)
        assert archive[-8:-4] == data
        assert rkyv.from_bytes(archive, str) == "x" * length


def test_packed_ends_where_it_is_said_to_end():
    longest = value(code(rows_of("packed")[-1]["length"]))
    with pytest.raises(errors.OutOfRange):
        rkyv.layout.packed_length.encode(longest + 1)


def check_archive(value, wire, data, address=0):
    """Everything that must hold for an archive."""
    assert rkyv.to_bytes(value, wire) == data
    seen = rkyv.access(data, wire, address=address)
    unchecked = rkyv.access_unchecked(data, wire)
    for view in (seen, unchecked):
        owned = view.deserialize() if isinstance(view, rkyv.View) else view
        assert picture(owned) == picture(value)
    assert picture(rkyv.from_bytes(data, wire, address=address)) == picture(value)
    for trace in (rkyv.trace(value, wire), rkyv.trace_decode(data, wire)):
        assert trace.data == data and trace.error is None
        check_tiles(trace.spans, 0, len(data))
    for span in rkyv.trace(value, wire).spans:
        if span.role == "pointer":
            assert span.value <= 0, "what is pointed to was written before"
        if span.role == "padding":
            assert not any(data[span.start : span.end])


@each_row("archives")
def test_archive_examples(row):
    wire, example, data = value(code(row["type"])), value(code(row["value"])), raw(row["archive"])
    check_archive(example, wire, data)
    node = schema(wire)
    written = [
        vector["hex"]
        for vector in VECTORS
        if (vector["format"], vector["type"]) == ("rkyv", NAMES[node.label])
        and vector["value"] == oracle.to_json(node, example)
    ]
    assert set(written) == {data.hex()}, "the crate's own bytes"


def test_there_is_an_archive_of_every_type_but_maps():
    nodes = [schema(value(code(row["type"]))) for row in rows_of("archives")]
    scalars = set(types.ScalarType.__subclasses__())
    assert {type(node) for node in nodes} - scalars == node_classes() - scalars - {MapType}
    with pytest.raises(errors.NoWireForm):
        rkyv.to_bytes({1: "a"}, dict[types.u8, str])


ARCHIVE_MAP = rows_of("document")


def test_the_document_as_an_archive():
    trace = rkyv.trace(DOCUMENT)
    shape = slot(records.Document)
    item = slot(records.DocumentItem).size
    root = len(trace.data) - shape.size
    (first,) = (
        span.target for span in trace.spans if (span.path, span.role) == ("items", "pointer")
    )
    expected = [
        (span.start, span.end - span.start, f"the text of `{span.path}`")
        if span.role == "text"
        else (span.start, span.end - span.start, "padding")
        for span in trace.spans
        if span.start < first
    ]
    items = len(DOCUMENT.items)
    expected.append((first, items * item, f"`items`, {items} slots of {item} bytes"))
    expected.append((root, shape.size, "the root"))
    assert first + items * item == root
    rows = [tuple(row.values()) for row in ARCHIVE_MAP]
    assert [(int(at), int(size), what) for at, size, what in rows] == expected


@each_row("addresses")
def test_addresses(row):
    wire, example = value(code(row["type"])), value(code(row["value"]))
    data = rkyv.to_bytes(example, wire)
    for heading in ("at 1", "at 2", "at 4", "at 8"):
        address = int(heading.removeprefix("at "))
        for format in ("rkyv", "rkyv-access"):
            said = golden(wire, format, data, offset=address)
            request = {"format": format, "offset": address}
            judge_archive(request, schema(wire), data, said)
            kind = said.get("error", {}).get("kind")
            assert kind == {"read": None, "refused": "UnalignedPointer"}[row[heading]]
    for address in (0, 16, 160):
        check_archive(example, wire, data, address)


@each_row("functions")
def test_functions(row):
    """What is read by whom, of a document that nobody has looked at yet."""
    data, reads = rkyv.to_bytes(DOCUMENT), rkyv.Reads()
    checking = rkyv.Reads()
    rkyv.access(data, records.Document, reads=checking)
    result = getattr(rkyv, code(row["function"]))(data, records.Document, reads=reads)
    assert row["gives"] == ("a view" if isinstance(result, rkyv.View) else "the value")
    assert row["checks"] == ("all that can be wrong" if reads.ranges else "nothing")
    assert reads.ranges[: len(checking)] == (checking.ranges if reads.ranges else [])
    copied = reads.ranges[len(checking) :]
    assert row["copies"] == ("everything" if copied else "nothing")
    if copied:
        meaning = [s for s in rkyv.trace(DOCUMENT).spans if s.role != "padding"]
        read = {at for start, end in copied for at in range(start, end)}
        assert all(set(range(span.start, span.end)) <= read for span in meaning)


def test_functions_are_all_that_read():
    readers = {"access", "access_unchecked", "from_bytes"}
    assert {code(row["function"]) for row in rows_of("functions")} == readers < set(rkyv.__all__)


@each_row("archive-verdicts")
def test_archive_verdicts(row):
    wire, data, said = value(code(row["type"])), raw(row["bytes"]), row["verdict"]
    crate = golden(wire, "rkyv", data)
    for format in ("rkyv", "rkyv-access"):
        judge_archive({"format": format, "offset": 0}, schema(wire), data, crate)
    if said.startswith("refused, "):
        kind = getattr(errors, code(said.removeprefix("refused, ")))
        for read in (rkyv.access, rkyv.from_bytes):
            with pytest.raises(CodecError) as refused:
                read(data, wire)
            assert type(refused.value) is kind
            assert kind.__name__ in KINDS["rkyv"][crate["error"]["kind"]].split(" or ")
    else:
        assert picture(rkyv.from_bytes(data, wire)) == picture(value(code(said)))
        assert "error" not in crate


def test_archive_verdicts_show_every_kind_of_refusal():
    shown = {row["verdict"] for row in rows_of("archive-verdicts")}
    ours = {kind for kinds in KINDS["rkyv"].values() for kind in kinds.split(" or ")}
    assert {f"refused, `{kind}`" for kind in ours} <= shown
    for name in ("UnalignedPointer", "CheckStringReprError", "InvalidSubtreePointer"):
        assert name in KINDS["rkyv"]


class One(types.Record):
    other: "Other | None"


class Other(types.Record):
    one: One | None


def test_what_the_page_says_of_its_differences_in_rkyv():
    with pytest.raises(errors.NoWireForm, match="the types do not say"):
        rkyv.to_bytes(One(None))
    # A tree whose only child is itself.
    tree = NAMESPACE["Tree"]
    data = bytearray(rkyv.to_bytes(tree("t", [tree("u", [])])))
    data[-8:-4] = (-8).to_bytes(4, "little", signed=True)
    with pytest.raises(errors.InvalidSubtreePointer):
        rkyv.access(data, tree)
    view = rkyv.access_unchecked(data, tree)
    assert view.children[0].children[0].label == "t"
    with pytest.raises(CodecError):
        view.deserialize()
    data[-8:-4] = b"\xff\xff\xff\x7f"
    with pytest.raises(errors.InvalidSubtreePointer):
        _ = rkyv.access_unchecked(data, tree).children


# --- The differences ----------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "format"), [(road, c) for road, _, c in COLUMNS.values()])
def test_depth(name, format):
    chain = NAMESPACE["Chain"]

    def links(number):
        rest = chain.End()
        for _ in range(number):
            rest = chain.Link(1, rest)
        return rest

    most = check(name, links(MOST_LEVELS - 1), chain)  # the end is a level as well
    check_encode_error(name, links(MOST_LEVELS), chain, TooDeep)
    end = format.encode(chain.End())
    one_link = format.encode(links(1)).removesuffix(end)
    assert most == one_link * (MOST_LEVELS - 1) + end
    check_decode_error(name, one_link + most, chain, TooDeep)


def test_depth_in_rkyv():
    tree = NAMESPACE["Tree"]

    def grown(levels):
        value = tree("leaf", [])
        for _ in range(levels - 1):
            value = tree("", [value])
        return value

    data = rkyv.to_bytes(grown(MOST_LEVELS))
    assert rkyv.access(data, tree) == grown(MOST_LEVELS)
    with pytest.raises(TooDeep):
        rkyv.to_bytes(grown(MOST_LEVELS + 1))
    # One level more: the old root becomes the item of a new one, written behind it.
    root = b"\xff" * 8 + (-16 - 8).to_bytes(4, "little", signed=True) + b"\1\0\0\0"
    for read in (rkyv.access, rkyv.from_bytes):
        with pytest.raises(TooDeep):
            read(data + root, tree)


def test_items_without_bytes_in_rkyv():
    items = [None] * (MOST_EMPTY_ITEMS + 1)
    data = rkyv.to_bytes(items[1:], list[None])
    assert len(rkyv.from_bytes(data, list[None])) == MOST_EMPTY_ITEMS
    with pytest.raises(OutOfRange):
        rkyv.to_bytes(items, list[None])
    for read in (rkyv.access, rkyv.from_bytes):
        with pytest.raises(OutOfRange):
            read(data[:4] + len(items).to_bytes(4, "little"), list[None])


@pytest.mark.parametrize(("name", "format"), [(road, c) for road, _, c in COLUMNS.values()])
def test_items_without_bytes(name, format):
    half = [None] * (MOST_EMPTY_ITEMS // 2)
    pair = tuple[list[None], list[None]]
    check(name, (half, half), pair)
    check_encode_error(name, (half, [*half, None]), pair, OutOfRange)
    first, second = (format.encode(items, list[None]) for items in (half, [*half, None]))
    check_decode_error(name, first + second, pair, OutOfRange)

    array = types.Array[None, MOST_EMPTY_ITEMS + 1]
    check_encode_error(name, [None] * (MOST_EMPTY_ITEMS + 1), array, OutOfRange)
    check_decode_error(name, b"", array, OutOfRange)
    count = layout_of(format).length_rule.encode(MOST_EMPTY_ITEMS + 1)
    check_decode_error(name, count, dict[None, None], OutOfRange)


# --- Figures in the text ------------------------------------------------------------------------


def versions(crate):
    """The version that data/golden names for a crate; of bincode the newer one first."""
    return sorted({row["version"] for row in VECTORS if row["crate"] == crate}, reverse=True)


@each_row("sources")
def test_sources(row):
    text = (oracle.PROJECT / "Cargo.lock").read_text(encoding="utf-8")
    package = f'name = "{row["crate"]}"\nversion = "{row["version"]}"\n'
    assert package in text
    assert all(name.startswith("src/") for name in codes(row["files"]))


def sentences():
    """Every sentence with a figure, with the figure computed."""
    (speedy_version,) = versions("speedy")
    bincode_version, bincode_1 = versions("bincode")
    (postcard_version,) = versions("postcard")
    (rkyv_version,) = versions("rkyv")
    yield (
        f"Speedy {speedy_version}, bincode {bincode_version} and postcard {postcard_version} "
        f"stand side by side; rkyv {rkyv_version},"
    )
    yield f"the free functions of bincode {bincode_1} write"
    yield f"bincode {bincode_1} writes the same bytes and judges"
    yield f"bincode {bincode_1} does not apply a limit"
    yield f"bincode {bincode_1} and postcard compare the length"
    yield f"bincode {bincode_1} as a decoder. It writes the bytes of bincode {bincode_version[0]},"
    yield f"Two texts that come with bincode {bincode_version} are mistaken"
    yield f"bincode {bincode_version[0]} without a limit makes room"

    variants = schema(NAMESPACE["Many"]).variants
    yield (
        f"`Many` is an enum with {len(variants)} variants, "
        f"`{variants[0].cls.__name__}` to `{variants[-1].cls.__name__}`"
    )
    assert all(zigzag(n) == (2 * n if n >= 0 else -2 * n - 1) for n in range(-300, 300))
    yield "*n* becomes 2 × *n* if it is not negative, and −2 × *n* − 1 if it is."

    counts = {name: layout.length_rule.size for name, layout in LAYOUTS.items()}
    yield f"counts of {counts['bincode legacy']} bytes in place of {counts['Speedy']},"

    standard, leb = bincode.standard(), LAYOUTS["postcard"]
    largest = 2**WIDEST.bits - 1
    (marker,) = {len(standard.encode(n, WIDEST)) for n in (2**64, largest)}
    least, most = (len(leb.encode(n, WIDEST)) for n in (2**64, largest))
    yield f"only the types of {WIDEST.bits} bits go. They take {marker} bytes as a marker varint,"
    yield f"and as LEB128 {least} to {most}."
    powers = {power: len(Prefix().encode(2**power - 1)) for power in (7, 14, 56)}
    assert all(len(Prefix().encode(2**power)) == size + 1 for power, size in powers.items())
    yield "The leading 1 bits of the first byte count the bytes that follow."
    yield (
        f"Numbers below 2⁷ take {powers[7]} byte, those below 2¹⁴ take {powers[14]}, and so on up "
        f"to {powers[56]} bytes; from 2⁵⁶ on they take {len(Prefix().encode(2**64 - 1))}."
    )
    first = schema(NAMESPACE["Tagged"]).variants[0]
    yield f"the place in the declaration, counted from {first.index},"

    least = LAYOUTS["Speedy"].least
    document, item = least(schema(records.Document)), least(schema(records.DocumentItem))
    yield f"{document} bytes for a `Document`, {item} for an item."

    claims = {part: getattr(standard, f"{part}_rule").claims for part in ("length", "tag")}
    presence = standard.presence_rule.claims
    yield (
        f"a count claims {claims['length']} bytes, a tag {claims['tag']}, "
        f"and a presence byte {presence}."
    )
    data, claimed = standard.encode(DOCUMENT), len(bincode.legacy().encode(DOCUMENT))
    holds_limit(data, records.Document, DOCUMENT, claimed)
    yield f"The running document takes {len(data)} bytes and claims {claimed}."
    native = {
        row["limit"]: "error" not in row["verdict"]
        for row in REJECTS
        if row["format"] == "bincode-standard-native" and row.get("limit")
    }
    (enough,) = (limit for limit, accepted in native.items() if accepted)
    assert native[enough - 1] is False
    yield f"own traits it needs a limit of {enough},"

    about = " ".join((oracle.GOLDEN / "README.md").read_text(encoding="utf-8").split())
    (memory,) = re.findall(r"gives the crates (\d+ GiB) of address space", about)
    yield f"each in a process that may have {memory},"

    yield f"may be inside itself up to {MOST_LEVELS} levels"
    (links,) = {
        oracle_links(row)
        for row in REJECTS
        if row["type"] == "chain"
        and "two hundred" in row["exercises"]
        and "value" in row["verdict"]
    }
    accepted = {
        row["format"].rstrip("1").split("-")[0]
        for row in REJECTS
        if row["type"] == "chain" and "two hundred" in row["exercises"]
    }
    assert accepted == {"speedy", "bincode", "postcard"}
    yield f"Speedy, bincode and postcard accept a chain of {links} links."
    yield f"At most {MOST_EMPTY_ITEMS:,} items that take no byte"
    units = {
        row["verdict"]["value"]["units"]
        for row in REJECTS
        if row["type"] == "vec_unit" and row["format"] in ("speedy", "bincode-standard")
    }
    (units,) = units
    yield f"The crates accept {int(units):,}, and more."
    assert int(units) > MOST_EMPTY_ITEMS

    e_acute = standard.encode("é", types.char)
    assert bincode.legacy().with_big_endian().encode("é", types.char) == e_acute
    yield f'`"é"` is `{e_acute.hex(" ")}` in every configuration.'
    wrong = ~-2 * 2 - 1
    yield f"`!n * 2 - 1` for a negative number, so that −2 would become {wrong}, the number of −1."
    assert zigzag(-1) == wrong
    yield f"have `+ 1`, and −2 becomes {zigzag(-2)}."
    assert zigzag(-2) == ~-2 * 2 + 1

    yield from sentences_on_rkyv(rkyv_version)

    # Read in the sources, where no run of ours reaches:
    yield "with `Ok` as 0 and `Err` as 1."  # serde's and bincode's order of variants
    yield "Speedy writes one byte, 1 for `Ok` and 0 for `Err`."  # src/writable_impl.rs
    yield "tuples of up to 11 values, rkyv of up to 13,"  # src/writable_impl.rs; src/tuple.rs
    yield "Serde of up to 16 and arrays of up to 32 items."  # serde_core src/ser/impls.rs
    yield "at most 1 MiB ahead."  # serde_core src/private/size_hint.rs
    yield "unsigned integer of 32 bits."  # bincode docs/spec.md
    yield "`AlignedVec`, begins at a multiple of 16;"  # rkyv src/util/alloc/aligned_vec.rs
    yield "takes up to 128 bits,"  # rkyv's repository, book_src/format.md
    yield "an enum with more than 256 variants."  # rkyv_derive src/archive/enum.rs


def sentences_on_rkyv(version):
    """Those of the part on rkyv."""
    rules = rkyv.layout
    offset, count = rules.offset, rules.scalars.length_rule
    yield f"rkyv {version} as it comes: pointers of {8 * offset.size} bits,"
    yield f"an {offset.text}, in two's complement."
    assert rkyv.to_bytes([], list[types.u16]) == bytes(offset.size + count.size)
    yield "or zero where nothing is pointed to, as in a list without items."
    yield f"a {count.text}; that of a text is"
    yield "The tag of an option is 0 for `None` and 1 otherwise."
    for option, tag in ((None, 0), (7, 1)):
        assert rkyv.to_bytes(option, types.u8 | None)[0] == tag
    largest = 2 ** (8 * rules.scalars.tag_rule.size) - 1
    yield f"and at most {largest}. A wider discriminant or a {largest + 2}th variant"
    box = slot(NAMESPACE["Node"]).parts[1].shape.bodies[1].parts[0].shape
    yield f"The slot of a box has {box.size} bytes, aligned to {box.align}:"
    inline = [n for n in range(20) if len(rkyv.to_bytes("x" * n)) == slot(str).size]
    yield f"Up to {inline[-1]} bytes of UTF-8 stand in the slot itself,"
    yield f"a text of up to {inline[-1]} bytes that stands elsewhere."  # archive-verdicts
    firsts = [rkyv.to_bytes("x" * n)[-8] >> 6 for n in range(9, 300)]
    assert set(firsts) == {0b10}
    letters = (chr(i) for i in range(sys.maxunicode + 1) if not 0xD800 <= i < 0xE000)
    assert all(letter.encode()[0] >> 6 != 0b10 for letter in letters)
    yield f"Its first byte begins with the bits {firsts[0]:b},"
    yield "`n & 0x3f | 0x80 | (n & ~0x3f) << 2`"  # test_packed evaluates it
    size, kinds = len(rkyv.to_bytes(DOCUMENT)), slot(records.Fixture)
    yield f"The running document takes {size} bytes:"
    wrapped = fixtures.as_fixture(DOCUMENT)
    yield f"As a `Fixture` it takes {len(rkyv.to_bytes(wrapped))} bytes."
    widest = max(kinds.bodies.values(), key=lambda body: body.end)
    assert widest.node.label == "Fixture.Message" and len(kinds.bodies) == 5
    yield f"which makes {kinds.size} bytes in place of {slot(records.Document).size}."
    yield "and 0 stands for any multiple of 16."  # test_addresses


def oracle_links(row):
    """How many links the crate's chain has."""
    rest, links = row["verdict"]["value"], 0
    while rest["variant"] == "Link":
        rest, links = rest["fields"][1], links + 1
    return links


def test_every_figure_in_the_text_is_computed():
    text = re.sub(r"```.*?```", "", PAGE, flags=re.S)
    text = re.sub(r"^\|.*$|^\d\. ", "", text, flags=re.M)
    text = " ".join(text.split())
    for sentence in sentences():
        assert text.count(sentence) == 1, sentence
        text = text.replace(sentence, "")
    names = (
        r"\b[iu](?:8|16|32|64|128)\b|\bf(?:32|64)\b|UTF-8|LEB128|encode_utf8"
        r"|\[(?:Chapter )?(\d\d)\]\(\.\./notebooks/\1-[\w-]+\.ipynb\)|items\[3\]\.sku"
    )
    left = [f"...{m.group()}..." for m in re.finditer(r".{0,40}\d.{0,40}", re.sub(names, "", text))]
    assert not left


def test_the_page_names_no_host():
    assert not re.search(r"https?:|\bwww\.", PAGE)
