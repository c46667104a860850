"""Names for the derived code: for variables, for what they come from, for what is taken."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Iterator

from bytewalk.types import EnumType, Node, StructType

_TAKEN = {*keyword.kwlist, *keyword.softkwlist, *dir(builtins)}
_TAKEN |= {"put", "out", "data", "at", "end", "stop", "depth", "budget", "utf8", "Struct", "Budget"}
_TAKEN |= {
    "f32_bits",
    "f32_value",
    "scalar_value",
    "char_of",
    "flag",
    "ONE",
    "by_length",
    "lengthy",
}
_PREFIXES = ("pack", "unpack", "encode", "decode", "only", "fixed", "write", "read", "long")


def taken(name: str) -> bool:
    """Whether the derived code itself may use the name, now or later."""
    return name in _TAKEN or name.split("_")[0] in _PREFIXES


def identifier(label: str) -> str:
    name = "".join(c if c.isalnum() else "_" for c in label.replace(".", "_")).strip("_")
    while "__" in name:
        name = name.replace("__", "_")
    return name if name.isidentifier() else f"type_{name}"


def chain() -> Iterator[str]:
    yield "if"
    while True:
        yield "elif"


def variable(node: Node) -> str:
    """A variable name for a value of this type: `document_item` for a DocumentItem."""
    if not isinstance(node, StructType | EnumType):
        return "value"
    snake = "".join(f"_{c.lower()}" if c.isupper() else c for c in node.label)
    return identifier(snake)


def last_name(expression: str) -> str:
    """The last name in an expression: `qty` for `item.qty`, `pair_0` for `pair[0]` or `pair._0`."""
    if expression.startswith("getattr"):
        return identifier(expression.split('"')[1]) + "_"
    owner, _, name = expression.rpartition(".")
    return identifier(owner + name if name.startswith("_") else name)


def singular(name: str) -> str:
    """`item` for `items`, `values_item` where English would not do."""
    return name[:-1] if len(name) > 2 and name.endswith("s") and name[-2] != "s" else f"{name}_item"
