"""The rkyv crate judges archives: the same bytes, and the same verdict on damaged ones.

Its own file beside test_oracle.py, because an archive has no second road and no bytes left over,
but an address. Seeds and sizes are those of test_oracle.py.
"""

import random
from collections import Counter

from bytewalk import rkyv
from bytewalk.errors import CodecError, OutOfRange, TooDeep
from bytewalk.types import MOST_EMPTY_ITEMS, MapType, reachable, schema

from . import oracle
from .roads import picture
from .test_oracle import KINDS, SEED, VALUES


def archivable(node):
    """Of the crate's types, ours are all but maps."""
    return not any(isinstance(inner, MapType) for inner in reachable(node))


def archived(catalogue):
    """The names of the types that are archived on both sides."""
    names = (name for name, formats in catalogue.archived.items() if "rkyv" in formats)
    return sorted(name for name in names if archivable(schema(catalogue.types[name])))


def jobs(catalogue, rng, number):
    """(type's name, node, value), spread over all types that rkyv archives."""
    names = archived(catalogue)
    for i in range(number):
        name = names[i % len(names)]
        node = schema(catalogue.types[name])
        yield name, node, oracle.random_value(node, rng)


def damaged(data, rng):
    """An archive with an accident: one to any bytes, or one that is aimed at offsets and counts."""
    if rng.random() < 0.5 or len(data) < 4:
        return oracle.mutated(data, rng)
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 2))):
        at = rng.randrange(len(out) // 4) * 4
        word = int.from_bytes(out[at : at + 4], "little", signed=True)
        near = word + rng.choice((-9, -8, -4, -1, 1, 4, 8, 16))
        other = rng.randrange(len(out) // 4) * 4
        copied = int.from_bytes(out[other : other + 4], "little", signed=True) + other - at
        length = 0x80 + rng.randrange(16)  # of a text elsewhere
        word = rng.choice((near, copied, length, 0, -at, rng.randrange(-300, 300)))
        out[at : at + 4] = (word & 0xFFFFFFFF).to_bytes(4, "little")
    if rng.random() < 0.2:
        out[0:0] = bytes(rng.choice((1, 2, 4, 8, 16)))
    return bytes(out)


def test_the_catalogue_has_archives(catalogue):
    assert len(archived(catalogue)) > 80


def test_archives(crates, catalogue):
    work = list(jobs(catalogue, random.Random(SEED + 3), VALUES // 2))
    answers = crates.ask(
        [
            {"op": "encode", "type": name, "format": "rkyv", "value": oracle.to_json(node, value)}
            for name, node, value in work
        ]
    )
    for (name, node, value), answer in zip(work, answers, strict=True):
        data = rkyv.to_bytes(value, node)
        assert data.hex() == answer.get("hex"), (name, value, answer)
        assert rkyv.trace(value, node).data == data


def test_damaged_archives(crates, catalogue):
    """At least 20,000, at every address modulo 16."""
    rng = random.Random(SEED + 4)
    work = []
    for name, node, value in jobs(catalogue, rng, 3 * VALUES // 2):
        data = rkyv.to_bytes(value, node)
        choice = rng.random()
        if name == "vec_unit":
            pass  # the crate takes its time over 2^32 units
        elif choice < 0.85:
            data = damaged(data, rng)
        elif choice < 0.88:
            data = rng.randbytes(rng.randrange(60))
        address = rng.choice((0, 0, 0, 8, rng.randrange(16)))
        format = rng.choice(("rkyv", "rkyv-access"))
        request = {
            "op": "decode",
            "type": name,
            "format": format,
            "hex": data.hex(),
            "offset": address,
        }
        work.append((request, node, data))
    answers = crates.ask([request for request, *_ in work])
    seen = Counter()
    for (request, node, data), answer in zip(work, answers, strict=True):
        judge(request, node, data, answer)
        seen[request["offset"], answer.get("error", {}).get("kind")] += 1
    kinds = Counter(kind for (_, kind), n in seen.items() for _ in range(n))
    assert len(work) >= 20_000 and kinds[None] > 2_000
    assert {kind for kind, n in kinds.items() if n > 5} >= set(KINDS["rkyv"]) - {"LayoutError"}
    assert {address for address, _ in seen} == set(range(16))


def judge(request, node, data, answer):
    """Holds our verdict on an archive against the crate's: from_bytes, access and the trace."""
    address = request["offset"]
    trace = rkyv.trace_decode(data, node, address=address)
    try:
        if request["format"] == "rkyv":
            ours = rkyv.from_bytes(data, node, address=address)
        else:
            view = rkyv.access(data, node, address=address)
            ours = view.deserialize() if isinstance(view, rkyv.View) else view
    except CodecError as error:
        ours = error
        assert picture(trace.error) == picture(error)
    said = f"{request}: the crate says {answer}, we say {ours!r}"
    if "error" in answer:
        kind = answer["error"]["kind"]
        assert kind != "BadRequest", said
        assert isinstance(ours, CodecError), said
        if kind not in ("Abort", "Panic", "Timeout"):
            assert type(ours).__name__ in KINDS["rkyv"].get(kind, "").split(" or "), said
        assert ours.offset is not None and 0 <= ours.offset <= len(data), said
    elif isinstance(ours, TooDeep) or (
        isinstance(ours, OutOfRange) and f"more than {MOST_EMPTY_ITEMS:,} are" in ours.reason
    ):
        return  # the differences that we state
    else:
        assert not isinstance(ours, CodecError), said
        assert picture(ours) == picture(oracle.from_json(node, answer["value"])), said
        assert trace.error is None and picture(trace.value) == picture(ours)
        ends = [0, *(span.end for span in trace.spans)]
        assert [span.start for span in trace.spans] + [len(data)] == ends
