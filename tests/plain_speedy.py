"""Speedy 0.8.7 once more, as plainly as it goes, to hold the library against.

Shares no code with the library: it reads a `Shape`, not a schema, and knows no layouts, rules or
readers. Written from speedy 0.8.7 `src/readable_impl.rs`, `src/reader.rs`, `src/writable_impl.rs`.
"""

import struct

_CODES = {"u8": "B", "u16": "H", "u32": "I", "u64": "Q", "i8": "b", "i16": "h", "i32": "i"}
_CODES |= {"i64": "q", "f64": "d"}
_SIZES = {"bool": 1, "f32": 4, "char": 4, "u128": 16, "i128": 16, "unit": 0}
_SIZES |= {kind: struct.calcsize(code) for kind, code in _CODES.items()}

MOST_EMPTY_ITEMS = 65_536


class Refused(Exception):
    """kind: the name of the library's error class for it."""

    def __init__(self, kind, offset):
        super().__init__(f"{kind} at byte {offset}")
        self.kind = kind
        self.offset = offset


def u32(number):
    return number.to_bytes(4, "little")


def encode(shape, value):
    match shape.kind:
        case "again":
            return encode(shape.target, value)
        case "unit":
            return b""
        case "bool":
            return bytes([value])
        case "f32":
            (bits,) = struct.unpack("<Q", struct.pack("<d", value))
            if value != value:
                return u32(bits >> 63 << 31 | 0xFF << 23 | bits >> 29 & 0x7FFFFF)
            return struct.pack("<f", value)
        case "u128" | "i128":
            return value.to_bytes(16, "little", signed=shape.kind == "i128")
        case "char":
            return u32(ord(value))
        case "str":
            return u32(len(value.encode())) + value.encode()
        case "bytes":
            return u32(len(value)) + value
        case "option":
            return b"\0" if value is None else b"\1" + encode(shape.parts[0], value)
        case "list":
            return u32(len(value)) + b"".join(encode(shape.parts[0], item) for item in value)
        case "array":
            return b"".join(encode(shape.parts[0], item) for item in value)
        case "tuple":
            return b"".join(map(encode, shape.parts, value))
        case "map":
            key, item = shape.parts
            pairs = (encode(key, k) + encode(item, v) for k, v in value.items())
            return u32(len(value)) + b"".join(pairs)
        case "record":
            return encode_fields(shape.parts, value)
        case "enum":
            (variant,) = (v for v in shape.variants if v.cls is type(value))
            return u32(variant.discriminant) + encode_fields(variant.parts, value)
    return struct.pack("<" + _CODES[shape.kind], value)


def encode_fields(parts, value):
    names = value.__struct_fields__
    return b"".join(encode(p, getattr(value, n)) for p, n in zip(parts, names, strict=True))


def minimum(shape):
    """`minimum_bytes_needed`."""
    match shape.kind:
        case "str" | "bytes" | "list" | "map" | "enum":
            return 4
        case "option":
            return 1
        case "array":
            return shape.length * minimum(shape.parts[0])
        case "tuple" | "record":
            return sum(map(minimum, shape.parts))
        case "again":  # the shapes hold themselves only behind a count, a presence byte or a tag
            return minimum(shape.target)
    return _SIZES[shape.kind]


def decode(shape, data):
    """(value, bytes used); raises `Refused`."""
    reader = _Reader(data)
    if len(data) < minimum(shape):
        raise Refused("UnexpectedEnd", len(data))
    return reader.read(shape), reader.at


class _Reader:
    def __init__(self, data):
        self.data = data
        self.at = 0
        self.empty_items = 0

    def take(self, size):
        if self.at + size > len(self.data):
            raise Refused("UnexpectedEnd", len(self.data))
        self.at += size
        return self.data[self.at - size : self.at]

    def u32(self):
        return int.from_bytes(self.take(4), "little")

    def vector(self, item):
        """The items of a list, for which speedy asks ahead; not so for arrays and maps."""
        start = self.at
        count = self.u32()
        if minimum(item) * count > len(self.data) - self.at:
            raise Refused("UnexpectedEnd", len(self.data))
        self.nothing(count * (minimum(item) == 0), start)
        return [self.read(item) for _ in range(count)]

    def nothing(self, items, offset):
        """The library's own rule: items that take no byte are bounded."""
        self.empty_items += items
        if self.empty_items > MOST_EMPTY_ITEMS:
            raise Refused("OutOfRange", offset)

    def read(self, shape):
        start = self.at
        match shape.kind:
            case "again":
                return self.read(shape.target)
            case "unit":
                return None
            case "bool":
                return self.take(1) != b"\0"
            case "f32":
                bits = self.u32()
                if bits >> 23 & 0xFF == 0xFF and bits & 0x7FFFFF:
                    wide = bits >> 31 << 63 | 0x7FF << 52 | (bits & 0x7FFFFF) << 29
                    return struct.unpack("<d", wide.to_bytes(8, "little"))[0]
                return struct.unpack("<f", u32(bits))[0]
            case "u128" | "i128":
                raw = self.take(16)
                return int.from_bytes(raw, "little", signed=shape.kind == "i128")
            case "char":
                scalar = self.u32()
                if scalar > 0x10FFFF or 0xD800 <= scalar < 0xE000:
                    raise Refused("InvalidChar", start)
                return chr(scalar)
            case "str":
                raw = self.take(self.u32())
                try:
                    return raw.decode()
                except UnicodeDecodeError as error:
                    raise Refused("InvalidUtf8", start + 4 + error.start) from None
            case "bytes":
                return self.take(self.u32())
            case "option":
                return self.read(shape.parts[0]) if self.take(1) != b"\0" else None
            case "list":
                return self.vector(shape.parts[0])
            case "array":
                return [self.read(shape.parts[0]) for _ in range(shape.length)]
            case "tuple":
                return tuple(map(self.read, shape.parts))
            case "map":
                key, item = shape.parts
                count = self.u32()
                self.nothing(count * (minimum(key) + minimum(item) == 0), start)
                result = {}
                for _ in range(count):
                    k = self.read(key)
                    result[k] = self.read(item)
                return result
            case "record":
                return shape.cls(*map(self.read, shape.parts))
            case "enum":
                tag = self.u32()
                for variant in shape.variants:
                    if variant.discriminant == tag:
                        return variant.cls(*map(self.read, variant.parts))
                raise Refused("UnknownVariant", start)
        return struct.unpack("<" + _CODES[shape.kind], self.take(_SIZES[shape.kind]))[0]
