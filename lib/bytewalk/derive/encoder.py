"""The walk that writes, as source lines."""

from __future__ import annotations

import keyword
import struct
from collections.abc import Iterator
from typing import Any

import msgspec

from bytewalk.derive.names import chain, last_name, singular, variable
from bytewalk.derive.source import MANY, Function, Module, lengthy
from bytewalk.integers import Rule
from bytewalk.serde import Writing
from bytewalk.trace import Role
from bytewalk.types import (
    ArrayType,
    EnumType,
    Field,
    ListType,
    MapType,
    Node,
    StructType,
    TupleType,
    VariantType,
)


class Store(msgspec.Struct):
    """A store that waits to be fused with its neighbours.

    code: its `struct` character. argument: what is stored, as source; `constant` instead where it
    is known already. checked: the name of a value that the caller gave, and `accepts`, the types it
    may have. size: for a text, the name of its size.
    """

    code: str
    argument: str
    constant: bytes | None = None
    checked: str | None = None
    accepts: tuple[type, ...] = ()
    size: str | None = None


class Encoder(Function, Writing):
    """Collects the lines of an encoder. A value of the walk is a Python expression."""

    verb = "encode"
    fusing = ("pack", "pack")

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.own_output = False  # whether the list of parts is this function's own
        self.sizes: dict[str, str] = {}  # the variables that hold text or bytes -> their sizes

    @classmethod
    def root(cls, module: Module, node: Node) -> list[str]:
        self = cls(module, None)
        value = self.fresh(variable(node))
        self.lines = [f"def encode({value}):"]
        self.own_output = True
        self.line("out = []")
        self.line("put = out.append")
        if module.budget:
            self.line("budget = Budget()")
        self.write(node, value)
        self.emit('return b"".join(out)')
        return self.done()

    @classmethod
    def helper(cls, module: Module, node: Node, name: str) -> list[str]:
        self = cls(module, node, ("depth",))
        value = self.fresh(variable(node))
        tail = ", budget" if module.budget else ""
        self.lines = [f"def {name}({value}, put, depth{tail}):"]
        self.level_check(node)
        self.write(node, value)
        return self.done()

    def write(self, node: Node, value: str) -> None:
        if self.outlined(node):
            name = self.module.helper(Encoder, node)
            self.emit(f"{name}({value}, put{self.arguments(node)})")
        else:
            super().write(node, value)

    def put(self, rule: Rule, value: Any, role: Role) -> None:
        if not isinstance(value, str):  # a tag or a presence byte that is known already
            if rule.code is None:
                self.emit(f"put({rule.encode(value)!r})")
            else:
                shown = repr(rule.pack(value) if rule.pack else value)
                self.pending.append(Store(rule.code, shown, rule.encode(value)))
            return
        given = role == "value"
        name = self.bind(value) if given else value
        if rule.code is not None:
            argument = f"{self.function(rule.pack, rule)}({name})" if rule.pack else name
            checked = name if given and rule.accepts != (str,) else None  # scalar_value checks
            self.pending.append(Store(rule.code, argument, None, checked, rule.accepts))
            return
        if not name.isidentifier():
            name = self.count_of(name[4:-1])
        self.flush()
        if given and rule.accepts != (str,):
            self.check_scalars(rule.accepts, [name])
        for line in rule.source_write(name, self):
            self.line(line)

    def raw(self, data: str, node: Node, role: Role) -> None:
        if any(store.size for store in self.pending):  # one text to a store
            self.flush()
        self.pending.append(Store("s", data, size=self.sizes[data]))

    def flush(self) -> None:
        pending, self.pending = self.pending, []
        if not pending:
            return
        constants = [store.constant for store in pending]
        if None not in constants:
            self.line(f"put({b''.join(constants)!r})")
            return
        names: dict[tuple[type, ...], list[str]] = {}
        for store in pending:
            if store.checked:
                names.setdefault(store.accepts, []).append(store.checked)
        for accepts, group in names.items():
            self.check_scalars(accepts, group)
        if [store.code for store in pending] == ["s"]:
            self.line(f"put({pending[0].argument})")
            return
        text_size = next((store.size for store in pending if store.size), None)
        pack = self.fused([store.code for store in pending], text_size)
        self.call(f"put({pack}", [store.argument for store in pending], ")")

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

    def refuse(self, condition: str) -> None:
        self.line(f"if {condition}:")
        self.line("    raise TypeError")

    def bind(self, expression: str) -> str:
        if expression.isidentifier():
            return expression
        name = self.fresh(last_name(expression))
        self.line(f"{name} = {expression}")
        return name

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

    def size(self, value: str) -> str:
        return self.count_of(value) if value in self.sizes else f"len({value})"

    def count_of(self, value: str) -> str:
        """A variable for the length of what a variable holds."""
        name = self.fresh(f"{value.rstrip('_')}_count")
        self.line(f"{name} = len({value})")
        self.sizes[value] = name
        return name

    def utf8(self, value: str) -> str:
        name = self.fresh(last_name(value) if not value.isidentifier() else f"{value}_utf8")
        self.line(f"{name} = {self.module.constant('utf8', 'str.encode')}({value})")
        self.sizes[name] = ""  # measured when the walk asks for its size
        return name

    def exactly(self, kind: str, value: str) -> str:
        name = self.bind(value)
        self.refuse(f"type({name}) is not {kind}")
        return name

    def blob(self, value: str) -> str:
        name = self.exactly("bytes", value)
        self.sizes[name] = ""
        return name

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
        self.many(items)
        name = self.fresh(singular(items))
        with self.block(f"for {name} in {items}:"):
            yield name

    def entries(self, entries: str) -> Iterator[tuple[str, str]]:
        self.many(entries)
        key, value = self.fresh(f"{singular(entries)}_key"), self.fresh(singular(entries))
        with self.block(f"for {key}, {value} in {entries}.items():"):
            yield key, value

    def many(self, items: str) -> None:
        """In front of a loop: no list of parts for a long output."""
        self.module.names["lengthy"] = lengthy
        out = "out" if self.own_output else "put.__self__"
        self.emit(f"if len({items}) + len({out}) > {MANY}:")
        self.line("    put = lengthy(put)")

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
        for word, variant in zip(chain(), node.variants, strict=False):
            with self.block(f"{word} {kind} is {self.variant_name(variant)}:"):
                yield variant, name
        with self.block("else:"):
            self.line("raise TypeError")
