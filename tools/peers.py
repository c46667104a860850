"""Other libraries on the suite's document.

Each is handed what suits it and gives that back, so none is charged for a conversion: construct its
containers, fastavro dicts, msgspec the record. cbor2 comes three times: with dicts; with lists
without names, which are less than a record; and with the record by way of such lists.
"""

from importlib.metadata import version
from io import BytesIO
from typing import Any, NamedTuple

import cbor2
import construct
import fastavro
import msgspec
from bytewalk import speedy
from bytewalk.records import Document, DocumentItem, DocumentMeta

AVRO = {
    "type": "record",
    "name": "Document",
    "fields": [
        {"name": "id", "type": "string"},
        {"name": "status", "type": "int"},
        {
            "name": "meta",
            "type": {
                "type": "record",
                "name": "DocumentMeta",
                "fields": [
                    {"name": "region", "type": "string"},
                    {"name": "version", "type": "int"},
                ],
            },
        },
        {
            "name": "items",
            "type": {
                "type": "array",
                "items": {
                    "type": "record",
                    "name": "DocumentItem",
                    "fields": [
                        {"name": "sku", "type": "string"},
                        {"name": "qty", "type": "int"},
                        {"name": "price_minor", "type": "long"},
                    ],
                },
            },
        },
    ],
}


class Peer(NamedTuple):
    """A codec, and a value that it gives back. no_bar: why it is not one to be ahead of, if so."""

    encode: Any
    decode: Any
    value: Any
    no_bar: str = ""


def peers(document: Document) -> dict[str, Peer]:
    """By name and version."""
    named = msgspec.to_builtins(document)
    text = construct.PascalString(construct.Int32ul, "utf8")
    layout = construct.Struct(
        "id" / text,
        "status" / construct.Int32sl,
        "meta" / construct.Struct("region" / text, "version" / construct.Int32sl),
        "items"
        / construct.PrefixedArray(
            construct.Int32ul,
            construct.Struct(
                "sku" / text, "qty" / construct.Int32sl, "price_minor" / construct.Int64sl
            ),
        ),
    ).compile()
    contained = layout.parse(speedy.encode(document))
    if contained != named or layout.build(named) != speedy.encode(document):
        raise AssertionError("construct's layout is not Speedy's")
    schema = fastavro.parse_schema(AVRO)

    def avro_encode(value):
        out = BytesIO()
        fastavro.schemaless_writer(out, schema, value)
        return out.getvalue()

    def avro_decode(data):
        return fastavro.schemaless_reader(BytesIO(data), schema, None)

    def cbor_encode(record):
        return cbor2.dumps(lists(record))

    def cbor_decode(data):
        id_, status, meta, items = cbor2.loads(data)
        return Document(id_, status, DocumentMeta(*meta), [DocumentItem(*item) for item in items])

    pack, unpack = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(Document)
    construct_, avro, cbor, own = (
        f"{name} {version(name)}" for name in ("construct", "fastavro", "cbor2", "msgspec")
    )
    return {
        f"{construct_}, compiled": Peer(layout.build, layout.parse, contained),
        f"{avro}, dicts": Peer(avro_encode, avro_decode, named),
        f"{cbor}, dicts": Peer(cbor2.dumps, cbor2.loads, named),
        f"{cbor}, the record": Peer(cbor_encode, cbor_decode, document),
        f"{cbor}, bare lists": Peer(cbor2.dumps, cbor2.loads, lists(document), "no record"),
        f"{own}, MessagePack": Peer(pack.encode, unpack.decode, document, "written in C"),
    }


def lists(record: Document) -> list:
    """The record without its names."""
    items = [[item.sku, item.qty, item.price_minor] for item in record.items]
    return [record.id, record.status, [record.meta.region, record.meta.version], items]
