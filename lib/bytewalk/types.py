"""Wire types, written as annotated Python types, and the schema that a codec reads from them.

A record says once what it holds, and everything else follows from that::

    class DocumentItem(Record):
        sku: str
        qty: i32
        price_minor: i64

`str`, `bool`, `bytes` (a `Vec<u8>`), `list`, `dict`, `tuple`, `T | None` and `None` (the unit) are
Python's own. This module adds the integers and floats by width, `char`, `Array`, `Record`, `Enum`.

`schema(T)` turns such a type into a small tree of nodes. It reads the type through
`msgspec.inspect`; ranges stand in our own nodes, because msgspec refuses bounds beyond 64 bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
import msgspec.inspect as mi

from bytewalk.errors import NoWireForm


def _wire(python: Any, name: str) -> Any:
    return Annotated[python, msgspec.Meta(extra={"wire": name})]


u8 = _wire(int, "u8")
u16 = _wire(int, "u16")
u32 = _wire(int, "u32")
u64 = _wire(int, "u64")
u128 = _wire(int, "u128")
i8 = _wire(int, "i8")
i16 = _wire(int, "i16")
i32 = _wire(int, "i32")
i64 = _wire(int, "i64")
i128 = _wire(int, "i128")
f32 = _wire(float, "f32")
f64 = _wire(float, "f64")
char = _wire(str, "char")


class Array:
    """`Array[T, n]`: exactly n values of T and no count on the wire. A Python list (or tuple)."""

    def __class_getitem__(cls, parameters: tuple[Any, int]) -> Any:
        try:
            item, length = parameters
        except (TypeError, ValueError):
            raise NoWireForm("write Array[type, length], for instance Array[u16, 3]") from None
        if type(length) is not int or not 0 <= length < 2**32:
            raise NoWireForm(f"the length of an Array is an int from 0 to 2^32 - 1, not {length!r}")
        return Annotated[list[item], msgspec.Meta(extra={"wire": "array", "length": length})]


class _RecordMeta(msgspec.StructMeta):
    """Lets a record name itself in its own annotations wherever it is defined.

    msgspec looks a quoted name up in the class and in its module; a record defined inside a
    function stands in neither.
    """

    def __new__(mcls, name: str, bases: tuple, namespace: dict, **config: Any):
        cls = super().__new__(mcls, name, bases, namespace, **config)
        if not hasattr(cls, name):
            setattr(cls, name, cls)
        return cls


class Record(msgspec.Struct, metaclass=_RecordMeta):
    """A struct: its fields stand on the wire in the order in which they are declared."""


class _VariantMeta(msgspec.StructMeta):
    """Takes `tag=` for us: msgspec has a keyword of that name with another meaning."""

    def __new__(mcls, name: str, bases: tuple, namespace: dict, tag: Any = None, **config: Any):
        cls = super().__new__(mcls, name, bases, namespace, **config)
        cls._explicit_tag = tag
        cls._enum = None
        return cls


class Variant(msgspec.Struct, metaclass=_VariantMeta, frozen=True):
    """One variant of an `Enum`. Fields named `_0`, `_1`, ... make a newtype or tuple variant, other
    names a struct variant, no field a unit variant. `tag=` sets an explicit discriminant; the
    variants after it count on from there."""


class Enum:
    """An enum with data: a class whose nested `Variant` classes are its variants, in order::

    class Shape(Enum):
        class Empty(Variant): pass
        class Circle(Variant): _0: f64
        class Rect(Variant, tag=9): width: u32; height: u32

    Its values are instances of the variants: `Shape.Circle(2.0)`.
    """

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for member in vars(cls).values():
            if isinstance(member, type) and issubclass(member, Variant):
                member._enum = cls
                if not hasattr(member, cls.__name__):
                    setattr(member, cls.__name__, cls)  # as for Record: it may name its enum


# --- The schema: one node per wire type ---------------------------------------------------------


class Node:
    """A wire type. `label` is how it is written in Python; `children` are the types inside it."""

    label: str
    children: tuple[Node, ...] = ()
    recursive = False

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.label}>"


class ScalarType(Node):
    """A value of its own, without a count: bool, integer, float or char."""

    def __init__(self, label: str) -> None:
        self.label = label


class BoolType(ScalarType):
    pass


class CharType(ScalarType):
    pass


class IntType(ScalarType):
    """bits: 8 to 128. signed: two's complement."""

    def __init__(self, bits: int, signed: bool) -> None:
        super().__init__(f"{'i' if signed else 'u'}{bits}")
        self.bits = bits
        self.signed = signed


class FloatType(ScalarType):
    def __init__(self, bits: int) -> None:
        super().__init__(f"f{bits}")
        self.bits = bits


class StrType(Node):
    label = "str"


class BytesType(Node):
    label = "bytes"


class UnitType(Node):
    label = "None"


class OptionType(Node):
    def __init__(self, item: Node) -> None:
        self.item = item
        self.children = (item,)
        self.label = f"{item.label} | None"


class ListType(Node):
    def __init__(self, item: Node) -> None:
        self.item = item
        self.children = (item,)
        self.label = f"list[{item.label}]"


class ArrayType(Node):
    def __init__(self, item: Node, length: int) -> None:
        self.item = item
        self.length = length
        self.children = (item,)
        self.label = f"Array[{item.label}, {length}]"


class TupleType(Node):
    def __init__(self, items: tuple[Node, ...]) -> None:
        self.items = items
        self.children = items
        self.label = f"tuple[{', '.join(item.label for item in items) or '()'}]"


class MapType(Node):
    def __init__(self, key: Node, value: Node) -> None:
        self.key = key
        self.value = value
        self.children = (key, value)
        self.label = f"dict[{key.label}, {value.label}]"


class Field(msgspec.Struct, frozen=True):
    name: str
    type: Node


class StructType(Node):
    """A record or the body of a variant. `cls` builds the value from the fields in order."""

    def __init__(self, cls: type[msgspec.Struct], label: str) -> None:
        self.cls = cls
        self.label = label
        self.fields: tuple[Field, ...] = ()

    def complete(self, fields: tuple[Field, ...]) -> None:
        self.fields = fields
        self.children = tuple(field.type for field in fields)


class VariantType(StructType):
    """index: the place in the declaration, from 0. discriminant: the explicit tag, or one more
    than the variant before it, as in Rust."""

    def __init__(self, owner: type[Enum], name: str, index: int, discriminant: int) -> None:
        super().__init__(getattr(owner, name), f"{owner.__name__}.{name}")
        self.name = name
        self.index = index
        self.discriminant = discriminant


class EnumType(Node):
    def __init__(self, cls: type[Enum]) -> None:
        self.cls = cls
        self.label = cls.__name__
        self.variants: tuple[VariantType, ...] = ()
        self.by_class: dict[type, VariantType] = {}

    def complete(self, variants: tuple[VariantType, ...]) -> None:
        self.variants = variants
        self.by_class = {variant.cls: variant for variant in variants}
        self.children = tuple(child for variant in variants for child in variant.children)


BOOL, CHAR, STR, BYTES, UNIT = (
    BoolType("bool"),
    CharType("char"),
    StrType(),
    BytesType(),
    UnitType(),
)
INTEGERS = {
    node.label: node
    for node in (IntType(bits, signed) for signed in (False, True) for bits in (8, 16, 32, 64, 128))
}
FLOATS = {"f32": FloatType(32), "f64": FloatType(64)}
_NAMED: dict[str, Node] = {**INTEGERS, **FLOATS, "char": CHAR}

# A list of items that take no byte costs its sender nothing, so its length is bounded.
MOST_EMPTY_ITEMS = 65_536
# A record may hold itself this many times over.
MOST_LEVELS = 128


def type_of(value: Any) -> Any:
    """The wire type that a value's own Python type tells.

    Raises `NoWireForm` where it does not: an int has no width, a list does not say what it holds.
    """
    if value is None:
        return None
    kind = type(value)
    if kind in (bool, str, bytes):
        return kind
    if isinstance(value, Variant):
        return kind._enum or kind
    if isinstance(value, msgspec.Struct):
        return kind
    if isinstance(value, type) and issubclass(value, msgspec.Struct):
        raise NoWireForm(f"{value.__name__} is a class; write {value.__name__}(...) for a value")
    raise NoWireForm(
        f"{article(kind.__name__)} does not tell its wire type; name it, "
        f"for instance encode(value, {_EXAMPLES.get(kind, 'list[u16]')})"
    )


_EXAMPLES = {int: "u32", float: "f64", dict: "dict[u8, str]", tuple: "tuple[u8, str]"}


def article(noun: str) -> str:
    """`a u32`, `an i32`, `an f32`: by the sound of the first letter."""
    vowel = noun[:1].lower() in "aeio" or noun in ("f32", "f64")
    return f"{'an' if vowel else 'a'} {noun}"


_cache: dict[Any, Node] = {}


def schema(wire_type: Any) -> Node:
    """The tree of nodes for a wire type; the same object each time it is asked for.

    Raises `NoWireForm` for anything that has no wire form.
    """
    if isinstance(wire_type, Node):
        return wire_type
    try:
        known = _cache.get(wire_type)
    except TypeError:
        raise NoWireForm(f"{wire_type!r} is not a type") from None
    if known is None:
        known = _cache[wire_type] = _Reader().read(wire_type)
    return known


class _Reader:
    """Reads one type; remembers the classes it is in the middle of, for recursive records."""

    def __init__(self) -> None:
        self.classes: dict[type, Node] = {}

    def read(self, wire_type: Any) -> Node:
        try:
            node = self.convert(mi.type_info(wire_type))
        except NoWireForm:
            raise
        except RecursionError:
            raise NoWireForm("the type is nested too deeply to be read") from None
        except Exception as error:  # whatever msgspec says about a type it does not know
            raise NoWireForm(f"{_name(wire_type)} has no wire form: {error}") from None
        for found in reachable(node):
            if isinstance(found, StructType | EnumType):
                found.recursive = any(found is inner for inner in reachable(*found.children))
        return node

    def convert(self, info: mi.Type) -> Node:
        extra: dict[str, Any] = {}
        while isinstance(info, mi.Metadata):
            extra = {**(info.extra or {}), **extra}
            info = info.type
        wire = extra.get("wire")
        if wire in _NAMED:
            return _NAMED[wire]
        match info:
            case mi.BoolType():
                return BOOL
            case mi.StrType():
                return STR
            case mi.BytesType():
                return BYTES
            case mi.NoneType():
                return UNIT
            case mi.ListType(item_type=mi.AnyType()):
                raise NoWireForm("a list has a wire form only when it says of what: list[u16]")
            case mi.ListType() if wire == "array":
                return ArrayType(self.convert(info.item_type), extra["length"])
            case mi.ListType():
                return ListType(self.convert(info.item_type))
            case mi.TupleType():
                return TupleType(tuple(self.convert(item) for item in info.item_types))
            case mi.DictType(key_type=mi.AnyType()) | mi.DictType(value_type=mi.AnyType()):
                raise NoWireForm("a dict has a wire form only when it says of what: dict[u8, str]")
            case mi.DictType():
                return MapType(self.key(info.key_type), self.convert(info.value_type))
            case mi.UnionType(types=(mi.NoneType(), inner) | (inner, mi.NoneType())):
                return OptionType(self.convert(inner))
            case mi.UnionType():
                raise NoWireForm(
                    "a union has a wire form only as T | None; use an Enum for alternatives"
                )
            case mi.StructType() if not isinstance(info.cls, type):
                raise NoWireForm(f"{info.cls!r} has no wire form: a record takes no parameters")
            case mi.StructType():
                return self.struct(info.cls)
            case mi.CustomType(cls=cls) if isinstance(cls, type) and issubclass(cls, Enum):
                return self.enum(cls)
            case mi.IntType():
                raise NoWireForm("an int has no wire form without a width: write u8, i32, i64, ...")
            case mi.FloatType():
                raise NoWireForm("a float has no wire form without a width: write f32 or f64")
            case mi.VarTupleType():
                raise NoWireForm("a tuple of any length has no wire form: write a list")
            case mi.EnumType():
                raise NoWireForm(f"{info.cls.__name__} is Python's own enum: write an Enum")
            case mi.DataclassType() | mi.TypedDictType() | mi.NamedTupleType():
                raise NoWireForm(f"{info.cls.__name__} has no wire form: write a Record")
            case mi.CustomType():
                raise NoWireForm(f"{_name(info.cls)} has no wire form")
            case _:
                kind = type(info).__name__.removesuffix("Type").lower()
                raise NoWireForm(f"{article(kind)} has no wire form")

    def key(self, info: mi.Type) -> Node:
        node = self.convert(info)
        for part in reachable(node):
            unhashable = isinstance(part, ListType | ArrayType | MapType)
            if isinstance(part, StructType):
                unhashable = not part.cls.__struct_config__.frozen
            if unhashable:
                raise NoWireForm(f"{part.label} cannot be the key of a dict: it is not hashable")
        return node

    def struct(self, cls: type[msgspec.Struct]) -> Node:
        if issubclass(cls, Variant):
            owner = cls._enum
            hint = f"; its enum {owner.__name__} does" if owner else "; put it in an Enum"
            raise NoWireForm(f"a single variant, {cls.__name__}, has no wire form{hint}")
        if cls not in self.classes:
            node = self.classes[cls] = StructType(cls, cls.__name__)
            node.complete(self.fields(cls))
        return self.classes[cls]

    def fields(self, cls: type[msgspec.Struct]) -> tuple[Field, ...]:
        info = mi.type_info(cls)
        if tuple(field.name for field in info.fields) != cls.__match_args__:
            raise NoWireForm(f"{cls.__name__} has keyword-only fields, so its order is not clear")
        return tuple(Field(field.name, self.field(cls, field)) for field in info.fields)

    def field(self, cls: type[msgspec.Struct], field: mi.Field) -> Node:
        try:
            return self.convert(field.type)
        except NoWireForm as error:
            raise NoWireForm(f"{cls.__name__}.{field.name}: {error.reason}") from None

    def enum(self, cls: type[Enum]) -> Node:
        if cls not in self.classes:
            node = self.classes[cls] = EnumType(cls)
            node.complete(self.variants(cls))
        return self.classes[cls]

    def variants(self, cls: type[Enum]) -> tuple[VariantType, ...]:
        members = {
            name: member
            for name, member in vars(cls).items()
            if isinstance(member, type) and issubclass(member, Variant)
        }
        if not members:
            raise NoWireForm(f"{cls.__name__} has no wire form: an Enum needs a Variant")
        variants: list[VariantType] = []
        discriminant = 0
        for index, (name, member) in enumerate(members.items()):
            tag = member._explicit_tag
            label = f"{cls.__name__}.{name}"
            if tag is not None:
                if type(tag) is not int:
                    raise NoWireForm(f"the tag of {label} is an int, not {tag!r}")
                discriminant = tag
            if not 0 <= discriminant < 2**32:
                raise NoWireForm(f"the tag of {label} is {discriminant}, not from 0 to 2^32 - 1")
            if any(discriminant == earlier.discriminant for earlier in variants):
                raise NoWireForm(f"{label} has the tag {discriminant}, which is taken already")
            variant = VariantType(cls, name, index, discriminant)
            variant.complete(self.fields(member))
            variants.append(variant)
            discriminant += 1
        return tuple(variants)


def _name(wire_type: Any) -> str:
    return wire_type.__name__ if isinstance(wire_type, type) else repr(wire_type)


def reachable(*nodes: Node) -> Iterator[Node]:
    """The given nodes and every node inside them, each once."""
    seen: set[int] = set()
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if id(node) not in seen:
            seen.add(id(node))
            yield node
            waiting.extend(node.children)
