"""The Speedy-style road: straight-line Python for one type and one format, written by the walk.

The same walk as in `serde` drives the two classes here. They are handed expressions (`item.qty`)
in place of values and collect source lines: what a Rust derive macro and monomorphization do.
Neighbouring values of fixed width are fused into one `struct` call.

The code keeps no books. Whatever goes wrong in it, the value or the bytes are walked once more,
which finds the exact error with its offset and path. So both roads give the same errors.
"""

from __future__ import annotations

import functools
from typing import Any

from bytewalk.derive.decoder import Decoder
from bytewalk.derive.encoder import Encoder
from bytewalk.derive.source import Module
from bytewalk.layout import Layout, layout_of
from bytewalk.serde import as_bytes, locate_read, locate_write, recover
from bytewalk.types import Node, schema


class Codec:
    """The derived code for one type and one format, compiled once.

    encode(value) -> bytes; decode(data) -> value; decode_prefix(data) -> (value, bytes used): all
    raise `CodecError` only. source: the Python source of the three, as `inspect.getsource` and
    tracebacks show it too. Decoding ignores trailing bytes.
    """

    __slots__ = ("decode", "decode_prefix", "encode", "source", "type")

    def __init__(self, node: Node, layout: Layout) -> None:
        self.type = node.label
        module = Module(node, layout, [Encoder, Decoder])
        self.source = module.source
        encode_, decode_ = module.compile()

        def read_again(problem: Exception, data: Any) -> tuple[Any, int]:
            data = as_bytes(data)
            return recover(
                problem, lambda: decode_(data), lambda: locate_read(layout, node, data), node
            )

        @functools.wraps(encode_)
        def encode(value: Any) -> bytes:
            try:
                return encode_(value)
            except Exception as problem:
                return recover(
                    problem,
                    lambda: encode_(value),
                    lambda: locate_write(layout, node, value),
                    node,
                )

        @functools.wraps(decode_)
        def decode_prefix(data: Any) -> tuple[Any, int]:
            try:
                return decode_(data if type(data) is bytes else as_bytes(data))
            except Exception as problem:
                return read_again(problem, data)

        @functools.wraps(decode_)
        def decode(data: Any) -> Any:
            try:
                return decode_(data if type(data) is bytes else as_bytes(data))[0]
            except Exception as problem:
                return read_again(problem, data)[0]

        self.encode, self.decode, self.decode_prefix = encode, decode, decode_prefix

    def __repr__(self) -> str:
        return f"<Codec {self.source.splitlines()[0].removeprefix('# ')}>"


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
