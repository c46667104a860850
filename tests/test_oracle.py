"""The real crates judge: the same bytes, the same verdict, value and length on both roads.

Seeded by BYTEWALK_SEED (printed); BYTEWALK_LONG=n multiplies the number of values and inputs.
"""

import json
import os
import random

import pytest
from bytewalk import fixtures, serde
from bytewalk.errors import CodecError, OutOfRange, TooDeep
from bytewalk.types import MOST_EMPTY_ITEMS, schema

from . import oracle
from .roads import picture

SEED = int(os.environ.get("BYTEWALK_SEED", random.SystemRandom().randrange(10**9)))
LONG = int(os.environ.get("BYTEWALK_LONG", 1))
VALUES, INPUTS = 20_000 * LONG, 50_000 * LONG

# Our error classes for the crates' kinds of error: the table of the format reference.
KINDS = json.loads((oracle.ROOT / "tests" / "vectors" / "error_kinds.json").read_text())["kinds"]


def jobs(catalogue, rng, number):
    """(type's name, format's name, node, value), spread over all types and formats."""
    names = sorted(catalogue.types)
    for i in range(number):
        name = names[i % len(names)]
        node = schema(catalogue.types[name])
        yield name, rng.choice(catalogue.formats[name]), node, oracle.random_value(node, rng)


def both_roads(node, data, format):
    """What the two roads say of the bytes; they must say the same."""
    verdicts = []
    for decode in (format.decode_prefix, lambda d, t: serde.deserialize_prefix(d, t, format)):
        try:
            verdicts.append(decode(data, node))
        except CodecError as error:
            verdicts.append(error)
    assert picture(verdicts[0]) == picture(verdicts[1])
    return verdicts[0]


def test_the_catalogue_is_rich(catalogue):
    assert len(catalogue.types) > 100
    assert all(catalogue.formats.values())


def test_encode(crates, catalogue, capsys):
    with capsys.disabled():
        print(f" [seed {SEED}]", end="")
    rng = random.Random(SEED)
    work = list(jobs(catalogue, rng, VALUES))
    answers = crates.ask(
        [
            {"op": "encode", "type": name, "format": format, "value": oracle.to_json(node, value)}
            for name, format, node, value in work
        ]
    )
    for (name, format, node, value), answer in zip(work, answers, strict=True):
        codec = oracle.FORMATS[format]
        assert codec.encode(value, node).hex() == answer.get("hex"), (name, format, value, answer)
        assert serde.serialize(value, codec, node).hex() == answer["hex"], (name, format, value)


def test_decode(crates, catalogue):
    rng = random.Random(SEED + 1)
    work = []
    for name, format, node, value in jobs(catalogue, rng, INPUTS):
        data = oracle.FORMATS[format].encode(value, node)
        choice = rng.random()
        if name == "vec_unit":
            pass  # a crate takes its time over 2^40 units; the golden files have the cases
        elif choice < 0.85:
            data = oracle.mutated(data, rng)
        elif choice < 0.9:
            data = rng.randbytes(rng.randrange(40))
        request = {"op": "decode", "type": name, "format": format, "hex": data.hex()}
        codec = oracle.FORMATS[format]
        limited = format in ("bincode-standard", "bincode-legacy") and catalogue.limits[name]
        if limited and rng.random() < 0.4:
            request["limit"] = rng.choice(catalogue.limits[name])
            codec = codec.with_limit(request["limit"])
        work.append((request, codec, node, data))
    answers = crates.ask([request for request, *_ in work])
    seen = set()
    for (request, codec, node, data), answer in zip(work, answers, strict=True):
        judge(request, codec, node, data, answer)
        seen.add((request["format"], answer.get("error", {}).get("kind")))
    assert len(seen) > 30, "the inputs reach too few of the crates' verdicts"


def judge(request, codec, node, data, answer):
    """Holds our verdict on some bytes against the crate's."""
    ours = both_roads(node, data, codec)
    said = f"{request}: the crate says {answer}, we say {ours!r}"
    if "error" in answer:
        kind = answer["error"]["kind"]
        assert kind != "BadRequest", said
        if kind in ("Abort", "Panic", "Timeout"):
            assert isinstance(ours, CodecError), said
            return
        assert isinstance(ours, CodecError), said
        crate = request["format"].partition("-")[0]
        assert type(ours).__name__ == KINDS[crate].get(kind), said
        return
    if isinstance(ours, TooDeep) or (
        isinstance(ours, OutOfRange) and f"more than {MOST_EMPTY_ITEMS:,} are" in ours.reason
    ):
        return  # the differences that we state
    assert not isinstance(ours, CodecError), said
    value, used = ours
    assert used == answer["used"], said
    theirs = oracle.from_json(node, answer["value"])
    assert unordered(value) == unordered(theirs), said


def unordered(value):
    """As `picture`, with the entries of maps sorted: a BTreeMap has no order of its own."""
    return _sort(picture(value))


def _sort(shown):
    if isinstance(shown, tuple) and len(shown) == 2 and shown[0] is dict:
        return dict, tuple(sorted(map(_sort, shown[1]), key=repr))
    return tuple(map(_sort, shown)) if isinstance(shown, tuple | list) else shown


@pytest.mark.parametrize("kind", fixtures.KINDS)
def test_fixtures(crates, kind):
    rng = random.Random(SEED + 2)
    seeds = [42, 0, 1, 2**64 - 1, *(rng.randrange(2**64) for _ in range(196))]
    indexes = [rng.choice((0, 0, 1, rng.randrange(2**64))) for _ in seeds]
    requests = [
        {"op": "fixtures", "kind": kind, "seed": str(seed), "index": index}
        for seed, index in zip(seeds, indexes, strict=True)
    ]
    node = oracle.fixture_node(kind)
    for request, answer in zip(requests, crates.ask(requests), strict=True):
        ours = fixtures.make(kind, seed=int(request["seed"]), index=request["index"])
        assert oracle.to_json(node, ours) == answer["value"], request
