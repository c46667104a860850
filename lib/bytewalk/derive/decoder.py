"""The walk that reads, as source lines."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

import msgspec

from bytewalk.derive.names import chain, singular, variable
from bytewalk.derive.source import WIDTH, Function, Module
from bytewalk.integers import Rule
from bytewalk.serde import Reading
from bytewalk.trace import Role
from bytewalk.types import (
    ArrayType,
    EnumType,
    Field,
    ListType,
    Node,
    StructType,
    TupleType,
    VariantType,
)


class Load(msgspec.Struct):
    """A value of fixed width that waits to be loaded together with its neighbours."""

    name: str
    rule: Rule

    @property
    def code(self) -> str:
        return self.rule.code


class Payload(msgspec.Struct):
    """Text (to decode) or bytes that wait for what follows; size: the variable that counts them."""

    name: str
    size: str
    decode: bool

    @property
    def code(self) -> str:
        return "s"


class Decoder(Function, Reading):
    """Collects the lines of a decoder. A value of the walk is a name or an expression of names
    that are bound already or wait in `pending`."""

    verb = "decode"
    fusing = ("unpack", "unpack_from")
    hint = "value"

    @classmethod
    def root(cls, module: Module, node: Node) -> list[str]:
        self = cls(module, None)
        self.hint = variable(node)
        self.lines = ["def decode(data, at=0):"]
        self.line("stop = len(data)")
        if module.budget:
            self.line(f"budget = Budget({module.layout.limit if module.limited else ''})")
        self.emit(f"return {self.read(node)}, at")
        return self.done()

    @classmethod
    def helper(cls, module: Module, node: Node, name: str) -> list[str]:
        self = cls(module, node, ("depth",))
        self.hint = variable(node)
        tail = ", budget" if module.budget else ""
        self.lines = [f"def {name}(data, at, depth{tail}):"]
        self.level_check(node)
        self.line("stop = len(data)")
        self.emit(f"return {self.read(node)}, at")
        return self.done()

    def read(self, node: Node) -> str:
        if not self.outlined(node):
            return super().read(node)
        helper = self.module.helper(Decoder, node)
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
            self.pending.append(Load(name, rule))
        return name

    def flush(self) -> None:
        pending, self.pending = self.pending, []
        if not pending:
            return
        if len(pending) == 1 and isinstance(pending[0], Payload):
            self.slice(pending[0])
            return
        payload = next((load for load in pending if isinstance(load, Payload)), None)
        codes = [load.code for load in pending]
        unpack = self.fused(codes, payload.size if payload else None)
        names = [load.name for load in pending]
        tail = f" = {unpack}(data, at)"
        if len(names) == 1:
            self.line(f"({names[0]},){tail}")
        elif len(line := ", ".join(names) + tail) + 4 * self.blocks <= WIDTH:
            self.line(line)
        else:
            self.call("", names, tail)
        size = str(sum(load.rule.size for load in pending if isinstance(load, Load)))
        if payload:
            size = f"{payload.size} + {size}"
        self.line(f"at += {size}")
        if self.module.limited:
            self.line(f"budget.claim({size})")
        for load in pending:
            if isinstance(load, Payload):
                if load.decode:
                    self.line(f"{load.name} = {load.name}.decode()")
            elif load.rule.unpack:
                unpack = self.function(load.rule.unpack, load.rule)
                self.line(f"{load.name} = {unpack}({load.name})")

    def slice(self, payload: Payload) -> None:
        self.reach(payload.size)
        decode = ".decode()" if payload.decode else ""
        self.line(f"{payload.name} = data[at:end]{decode}")
        self.line("at = end")

    def reach(self, size: str) -> None:
        self.emit(f"end = at + {size}")
        self.line("if end > stop:")
        self.line("    raise EOFError")
        if self.module.limited:
            self.line("budget.claim(end - at)")

    def text(self, size: str, node: Node) -> str:
        return self.payload(size, decode=True)

    def blob(self, size: str, node: Node) -> str:
        return self.payload(size, decode=False)

    def payload(self, size: str, *, decode: bool) -> str:
        self.flush()  # the size must be known
        name = self.fresh(self.hint)
        self.pending.append(Payload(name, size, decode))
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

    def spend(self, items: Any) -> None:
        self.emit(f"budget.spend({items})")

    def claim(self, length: Any, least: int) -> None:
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
        if isinstance(node, VariantType):
            name = self.variant_name(node)
        else:
            name = self.use(node.cls, node.label)
        built = f"{name}({', '.join(values)})"
        if len(built) + 4 * self.blocks + len("return , at") <= WIDTH:
            return built
        self.flush()
        whole = self.fresh(variable(node))
        self.call(f"{whole} = {name}", values)
        return whole

    def match(self, node: EnumType, tag: str) -> Iterator[VariantType]:
        for word, variant in zip(chain(), node.variants, strict=False):
            with self.block(f"{word} {tag} == {self.layout.discriminant(variant)}:"):
                yield variant
        with self.block("else:"):
            self.line("raise ValueError")

    def each(self, length: Any) -> Iterator[None]:
        outer, self.hint = self.hint, singular(self.hint)
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
