"""The source of one codec: constants, helpers and functions, and how the lines of one are kept."""

from __future__ import annotations

import keyword
import linecache
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from bytewalk.derive.names import identifier, taken
from bytewalk.integers import Rule
from bytewalk.layout import Layout
from bytewalk.serde import Budget
from bytewalk.types import (
    MOST_LEVELS,
    ArrayType,
    EnumType,
    ListType,
    MapType,
    Node,
    StructType,
    VariantType,
    reachable,
)

# Python refuses more than 20 nested loops, so deep types continue in a function of their own.
_MOST_BLOCKS = 8
WIDTH = 80  # what a page shows without scrolling


class Module:
    """The source of one codec: constants, then the functions, each written by the walk."""

    def __init__(self, root: Node, layout: Layout, kinds: list[type[Function]]) -> None:
        self.title = f"{root.label} in {layout.name}"
        self.layout = layout
        self.header: dict[str, str] = {}  # name -> the expression it is bound to
        self.locals: set[str] = {"pack_", "unpack_"}  # of all functions
        self.long_names: dict[tuple[str, str], str] = {}
        self.names: dict[str, Any] = {"Struct": struct.Struct}
        self.helpers: dict[tuple[type, Node], str] = {}
        self.waiting: list[Callable[[], list[str]]] = []
        for node in reachable(root):  # before any local name is chosen, so that none hides a class
            if isinstance(node, StructType | EnumType):
                self.use(node.cls, node.label)
        self.limited = layout.limit is not None
        self.budget = self.limited or any(self._spends(node) for node in reachable(root))
        if self.budget:
            self.names["Budget"] = Budget
        bodies = [kind.root(self, root) for kind in kinds]
        while self.waiting:
            bodies.append(self.waiting.pop(0)())
        constants = [f"{name} = {value}" for name, value in self.header.items()]
        blocks = [[f"# {self.title}", *constants], *bodies]
        self.source = "\n\n\n".join("\n".join(block) for block in blocks) + "\n"

    def _spends(self, node: Node) -> bool:
        if isinstance(node, ListType | ArrayType):
            return self.layout.least(node.item) == 0
        return isinstance(node, MapType) and not self.layout.least(node.key) + self.layout.least(
            node.value
        )

    def compile(self) -> tuple[Callable, Callable]:
        filename = f"<bytewalk: {self.title}>"
        number = 1
        while filename in linecache.cache:  # another type of the same name
            number += 1
            filename = f"<bytewalk: {self.title} ({number})>"
        exec(compile(self.source, filename, "exec"), self.names)
        lines = self.source.splitlines(keepends=True)
        linecache.cache[filename] = (len(self.source), None, lines, filename)
        return self.names["encode"], self.names["decode"]

    def constant(self, name: str, value: str) -> str:
        self.header[name] = value
        return name

    def use(self, thing: Any, name: str) -> str:
        """A global name for a class or a helper function, the thing's own if that is free."""
        name = identifier(name)
        number = 1
        unique = f"{name}_" if isinstance(thing, type) and taken(name) else name
        # Bound methods are made anew each time: equal, not identical.
        while unique in self.locals or self.names.setdefault(unique, thing) != thing:
            number += 1
            unique = f"{name}_{number}"
        return unique

    def helper(self, kind: type[Function], node: Node) -> str:
        """The function that writes or reads this node alone, made when first asked for."""
        key = kind, node
        if key not in self.helpers:
            name = f"{kind.verb}_{identifier(node.label)}"
            while name in self.helpers.values():
                name += "_"
            self.helpers[key] = name
            self.waiting.append(lambda: kind.helper(self, node, name))
        return self.helpers[key]


class Function:
    """Source lines of one function, with fresh names and pending stores that wait to be fused.

    verb: what the function does, for its name. fusing: the verb for fused stores, and the method of
    `struct.Struct` that does it.
    """

    verb: str
    fusing: tuple[str, str]

    def __init__(self, module: Module, own: Node | None, reserved: tuple[str, ...] = ()) -> None:
        self.module = module
        self.layout = module.layout
        self.own = own
        self.lines: list[str] = []
        self.blocks = 1
        self.used: set[str] = {"pack_", "unpack_", *reserved}
        self.scratches: dict[str, str] = {}
        self.pending: list[Any] = []

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        self.emit(head)
        self.blocks += 1
        before = len(self.lines)
        yield
        self.flush()
        if len(self.lines) == before:
            self.line("pass")
        self.blocks -= 1

    def line(self, text: str) -> None:
        self.lines.append("    " * self.blocks + text)

    def call(self, head: str, arguments: list[str], tail: str = "") -> None:
        """`head(arguments)tail` on one line, or one argument a line where that is too long."""
        line = f"{head}({', '.join(arguments)}){tail}"
        if len(line) + 4 * self.blocks <= WIDTH or len(arguments) < 2:
            self.line(line)
            return
        self.line(f"{head}(")
        for argument in arguments:
            self.line(f"    {argument},")
        self.line(f"){tail}")

    def fresh(self, base: str) -> str:
        """A local name like `base` that nothing else has, here or among the module's names."""
        if taken(base):
            base += "_"
        name, number = base, 1
        while name in self.used or name in self.module.names:
            number += 1
            name = f"{base}{'' if base.endswith('_') else '_'}{number}"
        self.used.add(name)
        self.module.locals.add(name)
        return name

    def scratch(self, base: str) -> str:
        """A local name for a value that is used up at once: the same each time it is asked for."""
        if base not in self.scratches:
            self.scratches[base] = self.fresh(base)
        return self.scratches[base]

    def use(self, thing: Any, name: str) -> str:
        return self.module.use(thing, name)

    def emit(self, text: str) -> None:
        self.flush()
        self.line(text)

    def flush(self) -> None:
        raise NotImplementedError

    def outlined(self, node: Node) -> bool:
        if node is self.own:
            self.own = None  # only the first time: it may stand inside itself
            return False
        return node.recursive or (bool(node.children) and self.blocks > _MOST_BLOCKS)

    def arguments(self, node: Node) -> str:
        """What every helper is passed besides its value: the level, and the budget if any."""
        level = "depth + 1" if "depth" in self.used and node.recursive else "depth"
        if "depth" not in self.used:
            level = "1" if node.recursive else "0"
        return f", {level}, budget" if self.module.budget else f", {level}"

    def variant_name(self, variant: VariantType) -> str:
        """An expression for the class of a variant: `Shape.Circle`."""
        owner, name = variant.cls._enum, variant.name
        if keyword.iskeyword(name):
            return self.use(variant.cls, f"{owner.__name__}_{name}")
        return f"{self.use(owner, owner.__name__)}.{name}"

    def level_check(self, node: Node) -> None:
        if node.recursive:
            self.line(f"if depth > {MOST_LEVELS}:")
            self.line("    raise RecursionError")

    def done(self) -> list[str]:
        """The lines, without `stop` where nothing asked how far the input goes."""
        self.flush()
        stop = "    stop = len(data)"
        if stop in self.lines and not any("stop" in line for line in self.lines if line != stop):
            self.lines.remove(stop)
        return self.lines

    def function(self, function: Callable, rule: Rule) -> str:
        name = function.__name__
        return self.use(function, f"fixed_{rule.wire}" if name == "<lambda>" else name)

    def fused(self, codes: list[str], text_size: str | None) -> str:
        """An expression for the struct call that stores (or loads) these codes at once.

        With a text among them (code "s", its size in the variable `text_size`) the call is looked
        up by that size.
        """
        verb, method = self.fusing
        order = "<" if self.layout.order == "little" else ">"
        format = order + "".join("{}s" if code == "s" else code for code in codes)
        name = f"{verb}_{''.join(codes).replace('?', 't')}"
        if len(name) > 24:
            numbered = f"{verb}_{len(self.module.header)}"
            name = self.module.long_names.setdefault((verb, format), numbered)
        if text_size is None:
            return self.module.constant(name, f'Struct("{format}").{method}')
        self.module.constant(f"{name}, {name}_long", f'by_length("{format}", "{method}")')
        self.module.names["by_length"] = by_length
        self.line(f"if {text_size} < {LONG}:")
        self.line(f"    {verb}_ = {name}[{text_size}]")
        self.line("else:")
        self.line(f"    {verb}_ = {name}_long({text_size})")
        return f"{verb}_"


MANY = 1000  # the number of parts from which they are not kept apart until the end


def lengthy(put: Callable[[bytes], None]) -> Callable[[bytes], None]:
    """The same `put` for an output of many parts: it collects them in one bytearray.

    A list of small parts takes many times the bytes in them. `put` is the `append` of the list of
    parts, or what this function made of it.
    """
    out = put.__self__
    if isinstance(out, bytearray):
        return put
    if not (out and isinstance(out[0], bytearray)):
        out.insert(0, bytearray())
    whole = out[0]
    whole += b"".join(out[1:])
    del out[1:]
    return whole.extend


LONG = 256  # the size from which a text has no struct of its own in store


def by_length(format: str, method: str) -> tuple[list[Callable], Callable[[int], Callable]]:
    """The struct calls for a format with a text in it: a list of them by the size of the text, and
    a function that makes one for a text that is longer than those."""

    def make(size: int) -> Callable:
        return getattr(struct.Struct(format.format(size)), method)

    return [make(size) for size in range(LONG)], make
