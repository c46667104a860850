"""The Speedy-style road: straight-line Python for one type and one format, written by the walk.

The same walk as in `serde` drives the two classes here. They are handed expressions (`item.qty`)
in place of values and collect source lines: what a Rust derive macro and monomorphization do.
Neighbouring values of fixed width are fused into one `struct` call.

The code keeps no books. Whatever goes wrong in it, the value or the bytes are walked once more,
which finds the exact error with its offset and path. So both roads give the same errors.
"""

from __future__ import annotations

import builtins
import functools
import keyword
import linecache
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from bytewalk.integers import Rule
from bytewalk.layout import Layout, layout_of
from bytewalk.serde import (
    Budget,
    Reading,
    Writing,
    as_bytes,
    locate_read,
    locate_write,
    with_place,
)
from bytewalk.trace import Role
from bytewalk.types import (
    MOST_LEVELS,
    ArrayType,
    EnumType,
    Field,
    ListType,
    MapType,
    Node,
    StructType,
    TupleType,
    VariantType,
    reachable,
    schema,
)

# Python refuses more than 20 nested loops, so deep types continue in a function of their own.
_MOST_BLOCKS = 8
_WIDTH = 96
_TAKEN = {*keyword.kwlist, *keyword.softkwlist, *dir(builtins)}
_TAKEN |= {"put", "out", "data", "at", "end", "stop", "depth", "budget", "utf8", "Struct", "Budget"}
_TAKEN |= {"f32_bits", "f32_value", "scalar_value", "char_of", "flag", "ONE"}
_PREFIXES = ("pack", "unpack", "encode", "decode", "only", "fixed", "write", "read", "long")


class Codec:
    """The derived code for one type and one format, compiled once.

    encode(value) -> bytes; decode(data) -> value; decode_prefix(data) -> (value, bytes used): all
    raise `CodecError` only. source: the Python source of the three, as `inspect.getsource` and
    tracebacks show it too. Decoding ignores trailing bytes.
    """

    __slots__ = ("decode", "decode_prefix", "encode", "source", "type")

    def __init__(self, node: Node, layout: Layout) -> None:
        self.type = node.label
        module = _Module(node, layout)
        self.source = module.source
        encode_, decode_ = module.compile()

        @functools.wraps(encode_)
        def encode(value: Any) -> bytes:
            try:
                return encode_(value)
            except Exception as problem:
                return _again(problem, lambda: locate_write(layout, node, value))

        @functools.wraps(decode_)
        def decode_prefix(data: Any) -> tuple[Any, int]:
            try:
                return decode_(data if type(data) is bytes else as_bytes(data))
            except Exception as problem:
                return _again(problem, lambda: locate_read(layout, node, as_bytes(data)))

        @functools.wraps(decode_)
        def decode(data: Any) -> Any:
            return decode_prefix(data)[0]

        self.encode, self.decode, self.decode_prefix = encode, decode, decode_prefix

    def __repr__(self) -> str:
        return f"<Codec {self.source.splitlines()[0].removeprefix('# ')}>"


def _again(problem: Exception, locate: Callable[[], None]) -> Any:
    def fail() -> None:
        raise problem

    return with_place(fail, locate)


_codecs: dict[tuple[Node, Layout], Codec] = {}


def codec(type: Any, format: Any) -> Codec:
    """The derived code for a wire type and a format (a format module or a bincode Config).

    The same object each time. Raises `NoWireForm` for a type that has no wire form.
    """
    key = schema(type), layout_of(format)
    known = _codecs.get(key)
    if known is None:
        known = _codecs[key] = Codec(*key)
    return known


class _Module:
    """The source of one codec: constants, then the functions, each written by the walk."""

    def __init__(self, root: Node, layout: Layout) -> None:
        self.title = f"{root.label} in {layout.name}"
        self.layout = layout
        self.header: dict[str, str] = {}  # name -> the expression it is bound to
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
        bodies = [_Encoder.root(self, root), _Decoder.root(self, root)]
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
        name = _identifier(name)
        number = 1
        unique = f"{name}_" if isinstance(thing, type) and _taken(name) else name
        while self.names.setdefault(unique, thing) != thing:  # bound methods are made anew
            number += 1
            unique = f"{name}_{number}"
        return unique

    def helper(self, kind: type[_Function], node: Node) -> str:
        """The function that writes or reads this node alone, made when first asked for."""
        key = kind, node
        if key not in self.helpers:
            verb = "encode" if kind is _Encoder else "decode"
            name = f"{verb}_{_identifier(node.label)}"
            while name in self.helpers.values():
                name += "_"
            self.helpers[key] = name
            self.waiting.append(lambda: kind.helper(self, node, name))
        return self.helpers[key]


def _identifier(label: str) -> str:
    name = "".join(c if c.isalnum() else "_" for c in label.replace(".", "_")).strip("_")
    while "__" in name:
        name = name.replace("__", "_")
    return name if name.isidentifier() else f"type_{name}"


def _taken(name: str) -> bool:
    return name in _TAKEN or name.split("_")[0] in _PREFIXES


class _Function:
    """Source lines of one function, with fresh names and pending stores that wait to be fused."""

    def __init__(self, module: _Module, own: Node | None, reserved: tuple[str, ...] = ()) -> None:
        self.module = module
        self.layout = module.layout
        self.own = own
        self.lines: list[str] = []
        self.blocks = 1
        self.used: set[str] = set(reserved)
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
        if len(line) + 4 * self.blocks <= _WIDTH or len(arguments) < 2:
            self.line(line)
            return
        self.line(f"{head}(")
        for argument in arguments:
            self.line(f"    {argument},")
        self.line(f"){tail}")

    def fresh(self, base: str) -> str:
        name = base
        if _taken(name) or name in self.module.names:
            name = base = base + "_"
        number = 1
        while name in self.used:
            number += 1
            name = f"{base}{'' if base.endswith('_') else '_'}{number}"
        self.used.add(name)
        return name

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

    def level_check(self, node: Node) -> None:
        if node.recursive:
            self.line(f"if depth > {MOST_LEVELS}:")
            self.line("    raise RecursionError")

    def function(self, function: Callable, rule: Rule) -> str:
        name = function.__name__
        return self.use(function, f"fixed_{rule.wire}" if name == "<lambda>" else name)

    def fused(self, verb: str, codes: str) -> str:
        """The name of the struct call for these codes: `pack_iq`."""
        order = "<" if self.layout.order == "little" else ">"
        value = f'Struct("{order}{codes}").{_METHODS[verb]}'
        name = f"{verb}_{codes.replace('?', 't')}"
        if len(name) > 24:
            name = next((known for known, v in self.module.header.items() if v == value), None)
            name = name or f"{verb}_{len(self.module.header)}"
        return self.module.constant(name, value)


_METHODS = {"pack": "pack", "unpack": "unpack_from"}


class Expression(str):
    """An expression that the generator made itself, so that it needs no check."""


class _Encoder(_Function, Writing):
    """Collects the lines of an encoder. A value of the walk is a Python expression."""

    @classmethod
    def root(cls, module: _Module, node: Node) -> list[str]:
        self = cls(module, None)
        value = self.fresh(_variable(node))
        self.lines = [f"def encode({value}):"]
        self.line("out = []")
        self.line("put = out.append")
        if module.budget:
            self.line("budget = Budget()")
        self.write(node, value)
        self.emit('return b"".join(out)')
        return self.lines

    @classmethod
    def helper(cls, module: _Module, node: Node, name: str) -> list[str]:
        self = cls(module, node, ("depth",))
        value = self.fresh(_variable(node))
        tail = ", budget" if module.budget else ""
        self.lines = [f"def {name}({value}, put, depth{tail}):"]
        self.level_check(node)
        self.write(node, value)
        self.flush()
        return self.lines

    def write(self, node: Node, value: str) -> None:
        if self.outlined(node):
            name = self.module.helper(_Encoder, node)
            self.emit(f"{name}({value}, put{self.arguments(node)})")
        else:
            super().write(node, value)

    # pending: (struct code, argument, the value's name, the Python types it may have)
    def put(self, rule: Rule, value: Any, role: Role) -> None:
        if not isinstance(value, str):  # a tag or a presence byte that is known already
            if rule.code is None:
                self.emit(f"put({rule.encode(value)!r})")
            else:
                self.pending.append((rule, value, None))
            return
        given = role == "value"
        name = self.bind(value) if given else value
        if rule.code is None:
            if not given and not name.isidentifier():
                name = self.measure(name)
            self.flush()
            if given and rule.accepts != (str,):
                self.check_scalars(rule.accepts, [name])
            for line in rule.source_write(name, self):
                self.line(line)
        else:
            self.pending.append((rule, Expression(name), name if given else None))

    def measure(self, size: str) -> str:
        """A name for `len(x)`."""
        name = self.fresh(f"{size[4:-1]}_count")
        self.line(f"{name} = {size}")
        return name

    def flush(self) -> None:
        pending, self.pending = self.pending, []
        if not pending:
            return
        if not any(isinstance(value, Expression) for _, value, _ in pending):
            self.line(f"put({b''.join(rule.encode(value) for rule, value, _ in pending)!r})")
            return
        names: dict[tuple[type, ...], list[str]] = {}
        for rule, _, name in pending:
            if name and rule.accepts != (str,):  # scalar_value checks a char
                names.setdefault(rule.accepts, []).append(name)
        for accepts, group in names.items():
            self.check_scalars(accepts, group)
        arguments = [self.packed(rule, value) for rule, value, _ in pending]
        pack = self.fused("pack", "".join(rule.code for rule, _, _ in pending))
        self.call(f"put({pack}", arguments, ")")

    def check_scalars(self, accepts: tuple[type, ...], names: list[str]) -> None:
        if len(accepts) > 1:
            for name in names:
                self.refuse(f"type({name}) not in ({', '.join(t.__name__ for t in accepts)})")
        elif len(names) == 1:
            self.refuse(f"type({names[0]}) is not {accepts[0].__name__}")
        else:
            for few in (names[i : i + 4] for i in range(0, len(names), 4)):
                kinds = " is ".join(f"type({name})" for name in few)
                self.refuse(f"not ({kinds} is {accepts[0].__name__})")

    def packed(self, rule: Rule, value: Any) -> str:
        if not isinstance(value, Expression):
            return repr(rule.pack(value) if rule.pack else value)
        return f"{self.function(rule.pack, rule)}({value})" if rule.pack else value

    def refuse(self, condition: str) -> None:
        self.line(f"if {condition}:")
        self.line("    raise TypeError")

    def bind(self, expression: str) -> str:
        if expression.isidentifier():
            return expression
        name = self.fresh(_last(expression))
        self.line(f"{name} = {expression}")
        return name

    def raw(self, data: str, node: Node, role: Role) -> None:
        self.emit(f"put({data})")

    def run_arguments(self, rule: Rule, items: str) -> str:
        if rule.accepts != (str,):
            kinds = ", ".join(kind.__name__ for kind in rule.accepts)
            name = f"only_{'_or_'.join(kind.__name__ for kind in rule.accepts)}"
            only = self.module.constant(name, f"{{{kinds}}}.issuperset")
            self.refuse(f"not {only}(map(type, {items}))")
        return f"*map({self.function(rule.pack, rule)}, {items})" if rule.pack else f"*{items}"

    def run(self, rule: Rule, items: str, node: ListType | ArrayType) -> None:
        arguments = self.run_arguments(rule, items)
        order = "<" if self.layout.order == "little" else ">"
        self.flush()
        self.module.names["pack"] = struct.pack
        codes = f"{{len({items})}}{rule.code}"
        if rule.code[-1] == "s":  # a count in front of s is a size, not a repetition
            self.line(f"put(b''.join({arguments.removeprefix('*')}))")
        else:
            self.line(f'put(pack(f"{order}{codes}", {arguments}))')

    def note(self, what: str) -> None:
        """Nothing: the branch itself names the variant."""

    def at_key(self, key: str) -> None:
        """Nothing: the derived code keeps no books."""

    def spend(self, items: str) -> None:
        self.emit(f"budget.spend({items})")

    def size(self, value: str) -> Expression:
        return Expression(f"len({value})")

    def utf8(self, value: str) -> str:
        name = self.fresh(_last(value) if not value.isidentifier() else f"{value}_utf8")
        self.line(f"{name} = {self.module.constant('utf8', 'str.encode')}({value})")
        return name

    def exactly(self, kind: str, value: str) -> str:
        name = self.bind(value)
        self.refuse(f"type({name}) is not {kind}")
        return name

    def blob(self, value: str) -> str:
        return self.exactly("bytes", value)

    def unit(self, value: str) -> None:
        self.refuse(f"{value} is not None")

    def items(self, node: ListType, value: str) -> str:
        return self.exactly("list", value)

    def array(self, node: ArrayType, value: str) -> str:
        name = self.bind(value)
        self.refuse(f"type({name}) not in (list, tuple) or len({name}) != {node.length}")
        return name

    def map(self, node: MapType, value: str) -> str:
        return self.exactly("dict", value)

    def fields(self, node: StructType, value: str) -> Iterator[tuple[Field, str]]:
        if isinstance(node, VariantType):  # `match` has looked at the class
            name = value
        else:
            name = self.exactly(self.use(node.cls, node.label), value)
        for field in node.fields:
            plain = not keyword.iskeyword(field.name)
            yield field, f"{name}.{field.name}" if plain else f'getattr({name}, "{field.name}")'

    def parts_of(self, node: TupleType, value: str) -> Iterator[tuple[Node, str]]:
        name = self.bind(value)
        self.refuse(f"type({name}) is not tuple or len({name}) != {len(node.items)}")
        for index, part in enumerate(node.items):
            yield part, f"{name}[{index}]"

    def each(self, items: str) -> Iterator[str]:
        name = self.fresh(_singular(items))
        with self.block(f"for {name} in {items}:"):
            yield name

    def entries(self, entries: str) -> Iterator[tuple[str, str]]:
        key, value = self.fresh(f"{_singular(entries)}_key"), self.fresh(_singular(entries))
        with self.block(f"for {key}, {value} in {entries}.items():"):
            yield key, value

    def option(self, value: str) -> Iterator[tuple[bool, str]]:
        name = self.bind(value)
        with self.block(f"if {name} is None:"):
            yield False, name
        with self.block("else:"):
            yield True, name

    def match(self, node: EnumType, value: str) -> Iterator[tuple[VariantType, str]]:
        name = self.bind(value)
        kind = self.fresh("kind")
        self.emit(f"{kind} = type({name})")
        owner = self.use(node.cls, node.label)
        for word, variant in zip(_chain(), node.variants, strict=False):
            with self.block(f"{word} {kind} is {owner}.{variant.cls.__name__}:"):
                yield variant, name
        with self.block("else:"):
            self.line("raise TypeError")


class _Decoder(_Function, Reading):
    """Collects the lines of a decoder. A value of the walk is a name or an expression of names
    that are bound already or wait in `pending`: (rule, name)."""

    hint = "value"

    @classmethod
    def root(cls, module: _Module, node: Node) -> list[str]:
        self = cls(module, None)
        self.hint = _variable(node)
        self.lines = ["def decode(data, at=0):"]
        self.line("stop = len(data)")
        if module.budget:
            self.line(f"budget = Budget({module.layout.limit if module.limited else ''})")
        self.emit(f"return {self.read(node)}, at")
        return self.lines

    @classmethod
    def helper(cls, module: _Module, node: Node, name: str) -> list[str]:
        self = cls(module, node, ("depth",))
        self.hint = _variable(node)
        tail = ", budget" if module.budget else ""
        self.lines = [f"def {name}(data, at, depth{tail}):"]
        self.level_check(node)
        self.line("stop = len(data)")
        self.emit(f"return {self.read(node)}, at")
        return self.lines

    def read(self, node: Node) -> str:
        if not self.outlined(node):
            return super().read(node)
        helper = self.module.helper(_Decoder, node)
        name = self.fresh(self.hint)
        self.emit(f"{name}, at = {helper}(data, at{self.arguments(node)})")
        return name

    def get(self, rule: Rule, role: Role) -> str:
        suffix = {"length": "_count", "tag": "_tag", "present": "_present"}.get(role, "")
        name = self.fresh(self.hint + suffix)
        if rule.code is None:
            self.flush()
            if self.module.limited:
                claims = rule.claims
                if not claims:  # a char claims what it takes
                    claims = f"{self.use(rule.claimed, f'read_{rule.wire}_claim')}(data, at)"
                self.line(f"budget.claim({claims})")
            for line in rule.source_read(name, self):
                self.line(line)
        else:
            self.pending.append((rule, name))
        return name

    def flush(self) -> None:
        pending, self.pending = self.pending, []
        if not pending:
            return
        unpack = self.fused("unpack", "".join(rule.code for rule, _ in pending))
        names = [name for _, name in pending]
        tail = f" = {unpack}(data, at)"
        if len(names) == 1:
            self.line(f"({names[0]},){tail}")
        elif len(line := ", ".join(names) + tail) + 4 * self.blocks <= _WIDTH:
            self.line(line)
        else:
            self.call("", names, tail)
        size = sum(rule.size for rule, _ in pending)
        self.line(f"at += {size}")
        if self.module.limited:
            self.line(f"budget.claim({size})")
        for rule, name in pending:
            if rule.unpack:
                self.line(f"{name} = {self.function(rule.unpack, rule)}({name})")

    def reach(self, size: str) -> None:
        self.emit(f"end = at + {size}")
        self.line("if end > stop:")
        self.line("    raise EOFError")
        if self.module.limited:
            self.line("budget.claim(end - at)")

    def text(self, size: str, node: Node) -> str:
        return self.payload(size, ".decode()")

    def blob(self, size: str, node: Node) -> str:
        return self.payload(size, "")

    def payload(self, size: str, decode: str) -> str:
        self.reach(size)
        name = self.fresh(self.hint)
        self.line(f"{name} = data[at:end]{decode}")
        self.line("at = end")
        return name

    def run(self, rule: Rule, length: Any, node: ListType | ArrayType) -> str:
        self.reach(f"{rule.size} * {length}")
        name = self.fresh(self.hint)
        order = "<" if self.layout.order == "little" else ">"
        if rule.code[-1] == "s":  # a count in front of s is a size, not a repetition
            values = f"(data[i : i + {rule.size}] for i in range(at, end, {rule.size}))"
        else:
            self.module.names["unpack_from"] = struct.unpack_from
            format = f'f"{order}{{{length}}}{rule.code}"'
            if isinstance(length, int):
                format = f'"{order}{length}{rule.code}"'
            values = f"unpack_from({format}, data, at)"
        if rule.unpack:
            values = f"map({self.function(rule.unpack, rule)}, {values})"
        self.line(f"{name} = list({values})")
        self.line("at = end")
        return name

    def claim(self, length: Any, least: int) -> None:
        if least == 0:
            self.emit(f"budget.spend({length})")
        elif self.layout.counts_ahead:
            self.emit(f"if {least} * {length} > stop - at:")
            self.line("    raise EOFError")

    def note(self, what: str) -> None:
        """Nothing: the branch itself names the variant."""

    def at_key(self, key: str) -> None:
        """Nothing: the derived code keeps no books."""

    def fields(self, node: StructType) -> Iterator[Field]:
        outer = self.hint
        for field in node.fields:
            self.hint = field.name if not field.name.startswith("_") else outer + field.name
            yield field
        self.hint = outer

    def parts_of(self, node: TupleType) -> Iterator[Node]:
        outer = self.hint
        for index, part in enumerate(node.items):
            self.hint = f"{outer}_{index}"
            yield part
        self.hint = outer

    def build(self, node: StructType, values: list[str]) -> str:
        name = self.use(node.cls, node.label)
        if isinstance(node, VariantType):
            owner = node.cls._enum
            name = f"{self.use(owner, owner.__name__)}.{node.cls.__name__}"
        return f"{name}({', '.join(values)})"

    def match(self, node: EnumType, tag: str) -> Iterator[VariantType]:
        for word, variant in zip(_chain(), node.variants, strict=False):
            with self.block(f"{word} {tag} == {self.layout.discriminant(variant)}:"):
                yield variant
        with self.block("else:"):
            self.line("raise ValueError")

    def each(self, length: Any) -> Iterator[None]:
        outer, self.hint = self.hint, _singular(self.hint)
        with self.block(f"for _ in range({length}):"):
            yield
        self.hint = outer

    def entries(self, length: str) -> Iterator[None]:
        return self.each(length)

    def when(self, present: str) -> Iterator[None]:
        with self.block(f"if {present}:"):
            yield

    def nothing(self) -> str:
        return self.named("None")

    def new_list(self) -> str:
        return self.named("[]")

    def new_dict(self) -> str:
        return self.named("{}")

    def named(self, expression: str) -> str:
        name = self.fresh(self.hint)
        self.emit(f"{name} = {expression}")
        return name

    def set(self, result: str, value: str) -> str:
        self.emit(f"{result} = {value}")
        return result

    def append(self, result: str, value: str) -> None:
        self.emit(f"{result}.append({value})")

    def insert(self, result: str, key: str, value: str) -> None:
        self.emit(f"{result}[{key}] = {value}")

    def key(self, key: str) -> str:
        return key

    def tuple(self, values: list[str]) -> str:
        return f"({', '.join(values)}{',' if len(values) == 1 else ''})"

    def unit(self) -> str:
        return "None"


def _chain() -> Iterator[str]:
    yield "if"
    while True:
        yield "elif"


def _variable(node: Node) -> str:
    """A variable name for a value of this type: `document_item` for a DocumentItem."""
    if not isinstance(node, StructType | EnumType):
        return "value"
    snake = "".join(f"_{c.lower()}" if c.isupper() else c for c in node.label)
    return _identifier(snake)


def _last(expression: str) -> str:
    """The last name in an expression: `qty` for `item.qty`, `pair_0` for `pair[0]` or `pair._0`."""
    if expression.startswith("getattr"):
        return _identifier(expression.split('"')[1]) + "_"
    owner, _, name = expression.rpartition(".")
    return _identifier(owner + name if name.startswith("_") else name)


def _singular(name: str) -> str:
    """`item` for `items`, `values_item` where English would not do."""
    return name[:-1] if len(name) > 2 and name.endswith("s") and name[-2] != "s" else f"{name}_item"
