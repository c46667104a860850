"""Wire types: what has a wire form, what is refused and why, and what the schema says."""

import collections
import dataclasses
import datetime
import decimal
import enum
import pickle
import typing
import uuid
from typing import Annotated, Any, Generic, Optional, TypeVar, Union

import msgspec
import pytest
from bytewalk import serde, speedy
from bytewalk.errors import CodecError, NoWireForm
from bytewalk.records import Document, DocumentItem, DocumentMeta, Fixture
from bytewalk.types import (
    BOOL,
    BYTES,
    CHAR,
    STR,
    UNIT,
    Array,
    ArrayType,
    Enum,
    EnumType,
    ListType,
    MapType,
    OptionType,
    Record,
    StructType,
    TupleType,
    Variant,
    char,
    f32,
    f64,
    reachable,
    schema,
    type_of,
    u8,
    u16,
    u32,
)

from .roads import check, one_clear_sentence
from .strategies import INTEGERS, new_enum, new_record

T = TypeVar("T")


class Colour(enum.Enum):
    RED = 1


@dataclasses.dataclass
class Data:
    a: u8


class Typed(typing.TypedDict):
    a: u8


class Named(typing.NamedTuple):
    a: u8


class Generic_(Record, Generic[T]):
    a: T


class KeywordOnly(Record, kw_only=True):
    a: u8
    b: u8


class HalfKeywordOnly(Record):
    a: u8
    b: u8 = msgspec.field(default=0)


class NoVariant(Enum):
    pass


class Some(Enum):
    class A(Variant):
        pass

    class B(Variant):
        _0: u8


class Loose(Variant):
    a: u8


class Unwritable(Record):
    a: int


class Missing(Record):
    a: "NoSuchName"  # noqa: F821


class Plain:
    pass


REFUSED = [
    (int, "width"),
    (float, "width"),
    (complex, ""),
    (list, "list"),
    (dict, ""),
    (tuple, ""),
    (set, ""),
    (set[u8], ""),
    (frozenset[u8], ""),
    (bytearray, ""),
    (memoryview, ""),
    (object, ""),
    (Any, ""),
    (type, ""),
    (T, ""),
    (list[T], ""),
    (list[int], "width"),
    (dict[str, int], "width"),
    (tuple[u8, ...], ""),
    (tuple[u8, int], "width"),
    (int | None, "width"),
    (u8 | str, "T | None"),
    (u8 | str | None, "T | None"),
    (Union[u8, bytes], "T | None"),  # noqa: UP007
    (Some.A, "enum Some"),
    (Some.B, "enum Some"),
    (Loose, "Enum"),
    (Variant, ""),
    (Enum, "Variant"),
    (NoVariant, "Variant"),
    (KeywordOnly, "keyword"),
    (Unwritable, "width"),
    (list[Unwritable], "width"),
    (Missing, ""),
    (Data, "Record"),
    (Typed, "Record"),
    (Named, "Record"),
    (collections.namedtuple("Old", "a b"), "Record"),
    (Colour, ""),
    (datetime.datetime, ""),
    (datetime.date, ""),
    (decimal.Decimal, ""),
    (uuid.UUID, ""),
    (Plain, "Plain"),
    (typing.Literal["a"], ""),
    (typing.Literal[1], ""),
    (typing.Callable[[], None], ""),
    (msgspec.Raw, ""),
    (dict[list[u8], u8], "key"),
    (dict[dict[u8, u8], u8], "key"),
    (dict[tuple[u8, list[u8]], u8], "key"),
    (dict[Array[u8, 2], u8], "key"),
    (dict[list[u8] | None, u8], "key"),
    (dict[DocumentItem, u8], "key"),
    ("u8", ""),
    (5, ""),
    (u8.__class__, ""),
    ([u8], ""),
    ({"a": u8}, ""),
    ((u8, u8), ""),
    (DocumentItem("a", 1, 2), ""),
    (lambda: None, ""),
    (..., ""),
]


@pytest.mark.parametrize(("wire", "word"), REFUSED, ids=lambda part: str(part)[:40])
def test_what_has_no_wire_form(wire, word):
    for action in (
        lambda: schema(wire),
        lambda: schema(list[wire]) if isinstance(wire, type) else schema(wire),
        lambda: speedy.decode(b"\1" * 40, wire),
        lambda: speedy.encode(None, wire),
        lambda: serde.serialize(None, speedy, wire),
    ):
        with pytest.raises(NoWireForm) as caught:
            action()
        one_clear_sentence(caught.value.reason)
        assert isinstance(caught.value, TypeError)
    with pytest.raises(NoWireForm, match=word or "."):
        schema(wire)


def test_a_refusal_names_the_type_in_the_readers_words():
    """Not in the words of the library that reads the annotations."""
    for wire, told in [(tuple, "tuple"), (dict, "dict"), (tuple[u8, ...], "tuple"), (Any, "Any")]:
        with pytest.raises(NoWireForm) as caught:
            schema(wire)
        assert told.lower() in caught.value.reason.lower()
        for foreign in ("vartuple", "msgspec", "Meta(", "mi."):
            assert foreign not in caught.value.reason


@pytest.mark.parametrize(
    "parameters", [(), (u8,), (u8, -1), (u8, 1.0), (u8, True), (u8, "3"), (u8, None), (u8, 2**32)]
)
def test_an_array_says_of_what_and_how_many(parameters):
    with pytest.raises(NoWireForm, match="Array"):
        Array[parameters]
    with pytest.raises(NoWireForm, match="Array"):
        Array[u8]


def test_the_limits_of_an_array():
    assert schema(Array[u8, 0]).length == 0
    assert schema(Array[u8, 2**32 - 1]).length == 2**32 - 1
    with pytest.raises(EOFError):
        speedy.decode(b"", Array[u8, 2**32 - 1])


def test_a_map_needs_to_say_of_what():
    for wire in (dict, dict[u8, Any], dict[Any, u8]):
        with pytest.raises(NoWireForm):
            schema(wire)


# --- What the schema says -----------------------------------------------------------------------


def test_scalars_are_one_node_each():
    assert (schema(bool), schema(char), schema(str)) == (BOOL, CHAR, STR)
    assert (schema(bytes), schema(None)) == (BYTES, UNIT)
    assert schema(type(None)) is UNIT
    nodes = [schema(wire) for wire, _, _ in INTEGERS.values()] + [schema(f32), schema(f64)]
    assert [node.label for node in nodes] == [*INTEGERS, "f32", "f64"]
    assert len({id(node) for node in nodes}) == 12
    for label, (wire, low, high) in INTEGERS.items():
        node = schema(wire)
        assert node.label == label
        assert node.bits == (high - low).bit_length()
        assert node.signed == (low < 0)


def test_the_same_type_is_the_same_node():
    for make in (
        lambda: u8,
        lambda: list[u16],
        lambda: dict[u8, list[str]],
        lambda: tuple[u8, u16],
        lambda: Array[u32, 3],
        lambda: u8 | None,
        lambda: Document,
        lambda: Fixture,
    ):
        assert schema(make()) is schema(make())
        assert schema(schema(make())) is schema(make())
    assert schema(Optional[u8]) is schema(u8 | None)  # noqa: UP045
    assert schema(typing.List[u8]).label == schema(list[u8]).label  # noqa: UP006


def test_different_types_are_different_nodes():
    wires = [wire for wire, _, _ in INTEGERS.values()] + [f32, f64, bool, char, str, bytes]
    wires += [list[u8], list[u16], list[u32], Array[u8, 1], Array[u8, 2], Array[u16, 1]]
    wires += [tuple[u8], tuple[u8, u8], tuple[u16], u8 | None, u16 | None, dict[u8, u8]]
    wires += [dict[u8, u16], list[Array[u8, 1]], list[Array[u8, 2]], tuple[()], None]
    wires += [list[u8 | None], list[u8] | None, list[char], list[str]]
    nodes = [schema(wire) for wire in wires]
    assert len({id(node) for node in nodes}) == len(wires)
    assert len({node.label for node in nodes}) == len(wires)


def test_labels_read_like_the_types():
    for wire, label in [
        (list[u16], "list[u16]"),
        (u16 | None, "u16 | None"),
        (Array[u16, 3], "Array[u16, 3]"),
        (tuple[u8, str], "tuple[u8, str]"),
        (tuple[()], "tuple[()]"),
        (dict[u8, list[char]], "dict[u8, list[char]]"),
        (Document, "Document"),
        (list[DocumentItem], "list[DocumentItem]"),
        (Fixture, "Fixture"),
        (None, "None"),
    ]:
        assert schema(wire).label == label
        assert label in repr(schema(wire))


def test_the_tree_of_the_document():
    node = schema(Document)
    assert isinstance(node, StructType)
    assert node.cls is Document
    assert [field.name for field in node.fields] == ["id", "status", "meta", "items"]
    assert [field.type.label for field in node.fields] == [
        "str",
        "i32",
        "DocumentMeta",
        "list[DocumentItem]",
    ]
    assert node.fields[2].type.cls is DocumentMeta
    assert node.fields[3].type.item.cls is DocumentItem
    assert not any(inner.recursive for inner in reachable(node))
    assert len({id(inner) for inner in reachable(node)}) == len(list(reachable(node)))


def test_the_kinds_of_nodes():
    for wire, kind in [
        (list[u8], ListType),
        (Array[u8, 1], ArrayType),
        (tuple[u8], TupleType),
        (dict[u8, u8], MapType),
        (u8 | None, OptionType),
        (Document, StructType),
        (Fixture, EnumType),
    ]:
        assert type(schema(wire)) is kind


def test_fields_stand_in_the_order_of_declaration_with_those_inherited_first():
    class Base(Record):
        z: u8
        a: u16

    class Derived(Base):
        m: str

    assert [field.name for field in schema(Derived).fields] == ["z", "a", "m"]
    check("speedy", Derived(1, 2, "s"), expected=b"\1\2\0\1\0\0\0s")


def test_what_msgspec_itself_allows_in_a_record():
    class Configured(Record, frozen=True, rename="camel", omit_defaults=True, tag=True):
        first_name: str
        second_name: str = "b"

    assert [field.name for field in schema(Configured).fields] == ["first_name", "second_name"]
    check("speedy", Configured("a"))
    check("speedy", HalfKeywordOnly(1))
    bounded = Annotated[u8, msgspec.Meta(ge=3)]
    check("speedy", 1, bounded)


def test_a_generic_record_is_written_or_refused():
    try:
        schema(Generic_[u8])
    except NoWireForm as error:
        one_clear_sentence(error.reason)
    else:
        check("speedy", Generic_(1), Generic_[u8], expected=b"\1")


def test_the_optional_of_an_optional_collapses_as_in_python():
    assert schema((u8 | None) | None) is schema(u8 | None)
    assert schema(Optional[None]) is UNIT  # noqa: UP045


# --- Enums --------------------------------------------------------------------------------------


def tags(*given):
    made = new_enum("Tags", [(f"V{index}", [], tag) for index, tag in enumerate(given)])
    return [(variant.index, variant.discriminant) for variant in schema(made).variants]


def test_discriminants_count_on_from_an_explicit_tag():
    assert tags(None, None, None) == [(0, 0), (1, 1), (2, 2)]
    assert tags(None, 9, None) == [(0, 0), (1, 9), (2, 10)]
    assert tags(5, None, 2, None) == [(0, 5), (1, 6), (2, 2), (3, 3)]
    assert tags(0) == [(0, 0)]
    assert tags(2**32 - 1) == [(0, 2**32 - 1)]


@pytest.mark.parametrize("given", [(-1,), (2**32,), (1.0,), ("1",), (True,), (2**32 - 1, None)])
def test_tags_that_no_u32_holds(given):
    with pytest.raises(NoWireForm, match="tag"):
        tags(*given)


@pytest.mark.parametrize("given", [(1, 1), (None, 0), (1, None, 2), (5, 4, None)])
def test_tags_that_are_taken(given):
    with pytest.raises(NoWireForm, match="taken"):
        tags(*given)


def test_variants_of_an_enum():
    node = schema(Fixture)
    assert [variant.cls.__name__ for variant in node.variants] == [
        "Message",
        "Document",
        "Telemetry",
        "Strings",
        "Event",
    ]
    assert [variant.index for variant in node.variants] == list(range(5))
    assert node.variants[1].label == "Fixture.Document"
    assert node.by_class[Fixture.Document] is node.variants[1]
    assert node.variants[1].fields[0].type is not None
    assert node.variants[1].fields[0].type.cls is Document


def test_an_enum_holds_other_things_too():
    class Helpful(Enum):
        LIMIT = 5

        class A(Variant):
            _0: u8

        @classmethod
        def small(cls):
            return cls.A(1)

    assert len(schema(Helpful).variants) == 1
    check("speedy", Helpful.small())


# --- Recursion ----------------------------------------------------------------------------------


class Tree(Record):
    label: str
    children: "list[Tree]"


class Left(Record):
    right: "Right | None"


class Right(Record):
    left: "Left | None"
    plain: DocumentItem


class Formula(Enum):
    class Number(Variant):
        _0: u8

    class Sum(Variant):
        _0: "Formula"
        _1: "Formula"


class Holder(Record):
    tree: Tree
    formula: Formula


def recursive_labels(wire):
    return {node.label for node in reachable(schema(wire)) if node.recursive}


def test_recursive_types_are_marked_and_no_others():
    assert recursive_labels(Tree) == {"Tree"}
    assert recursive_labels(Left) == recursive_labels(Right) == {"Left", "Right"}
    assert recursive_labels(Formula) == {"Formula"}
    assert recursive_labels(Holder) == {"Tree", "Formula"}
    assert recursive_labels(list[Tree]) == {"Tree"}
    assert recursive_labels(Document) == set()


def test_recursive_values():
    check("speedy", Tree("a", [Tree("b", []), Tree("c", [Tree("d", [])])]))
    item = DocumentItem("a", 1, 2)
    check("speedy", Left(Right(Left(None), item)))
    deep = Formula.Sum(Formula.Number(1), Formula.Sum(Formula.Number(2), Formula.Number(3)))
    check("speedy", deep)
    check("speedy", Holder(Tree("t", []), deep))


def test_recursive_records_inside_a_function():
    class Local(Record):
        more: "Local | None"
        items: "list[Local]"

    class LocalEnum(Enum):
        class Leaf(Variant):
            pass

        class Node(Variant):
            left: "LocalEnum"
            right: "list[LocalEnum]"

    check("speedy", Local(Local(None, []), [Local(None, []), Local(None, [])]))
    check("speedy", LocalEnum.Node(LocalEnum.Leaf(), [LocalEnum.Node(LocalEnum.Leaf(), [])]))
    assert recursive_labels(Local) == {"Local"}
    assert recursive_labels(LocalEnum) == {"LocalEnum"}

    def again():
        class Local(Record):
            more: "Local | None"
            number: u8

        return Local

    other = again()
    assert other is not Local
    check("speedy", other(other(None, 2), 1))
    check("speedy", Local(None, []))


def test_a_type_without_a_finite_value():
    class Endless(Record):
        again: "Endless"

    for action in (
        lambda: speedy.decode(b"", Endless),
        lambda: speedy.decode(bytes(10_000), Endless),
        lambda: serde.deserialize(bytes(10_000), Endless, speedy),
    ):
        with pytest.raises(CodecError):
            action()


# --- What a value tells -------------------------------------------------------------------------


def test_the_type_that_a_value_tells():
    assert type_of(None) is None
    assert (type_of(True), type_of("a"), type_of(b"a")) == (bool, str, bytes)
    item = DocumentItem("a", 1, 2)
    assert type_of(item) is DocumentItem
    assert type_of(Fixture.Document(None)) is Fixture
    assert type_of(Some.A()) is Some


@pytest.mark.parametrize(
    "value", [1, 1.5, [], {}, (), set(), object(), bytearray(), 1j, DocumentItem]
)
def test_a_value_that_does_not_tell(value):
    with pytest.raises(NoWireForm) as caught:
        type_of(value)
    one_clear_sentence(caught.value.reason)


def test_a_variant_outside_an_enum_tells_nothing_that_can_be_written():
    with pytest.raises(NoWireForm, match="Enum"):
        speedy.encode(Loose(1))


# --- Records as Python values -------------------------------------------------------------------


def test_records_compare_print_and_copy():
    item = DocumentItem(sku="a", qty=1, price_minor=2)
    assert item == DocumentItem("a", 1, 2)
    assert item != DocumentItem("a", 1, 3)
    assert repr(item) == "DocumentItem(sku='a', qty=1, price_minor=2)"
    assert msgspec.structs.replace(item, qty=5).qty == 5
    assert pickle.loads(pickle.dumps(item)) == item
    assert Fixture.Document(item) == Fixture.Document(item)
    with pytest.raises(TypeError):
        DocumentItem("a", 1)


def test_a_record_made_at_run_time():
    made = new_record("Made", [("a", u8), ("b", list[str])])
    check("speedy", made(1, ["x"]))
    assert schema(made).label == "Made"
