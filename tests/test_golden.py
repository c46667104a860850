"""The bytes and verdicts that the real crates gave, kept in data/golden: they need no cargo."""

import json
from collections import Counter

import pytest
from bytewalk import bincode, rkyv, serde
from bytewalk.errors import CodecError
from bytewalk.integers import Prefix
from bytewalk.types import schema

from . import oracle
from .roads import picture
from .test_oracle import KINDS, judge
from .test_oracle_rkyv import archivable
from .test_oracle_rkyv import judge as judge_archive


def lines(name):
    text = (oracle.GOLDEN / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


VECTORS = lines("vectors.jsonl")
REJECTS = lines("rejects.jsonl")


@pytest.fixture(scope="module")
def catalogue():
    description = json.loads((oracle.GOLDEN / "types.json").read_text(encoding="utf-8"))
    return oracle.Catalogue(description)


def ours(rows, catalogue):
    """The rows whose type and format exist on our side, with the format as it is called there."""
    for row in rows:
        format = oracle.SAME_BYTES.get(row["format"], row["format"])
        format = format.removesuffix("-native")
        if row["type"] in catalogue.types and format in oracle.FORMATS:
            yield row, oracle.FORMATS[format], schema(catalogue.types[row["type"]])


def test_there_are_enough():
    assert len(VECTORS) >= 400
    assert len(REJECTS) >= 200
    for row in VECTORS + REJECTS:
        assert row["crate"], row["version"]
        assert row["exercises"]


def test_the_catalogue_on_file_is_the_one_of_the_vectors(catalogue):
    assert {row["type"] for row in VECTORS} - set(catalogue.types) <= {
        "opt_opt_u8",
        "opt_unit",
        "prefix_varint",
    }


def test_vectors(catalogue):
    seen = Counter()
    for row, format, node in ours(VECTORS, catalogue):
        value = oracle.from_json(node, row["value"])
        assert format.encode(value, node).hex() == row["hex"], row
        assert serde.serialize(value, format, node).hex() == row["hex"], row
        decoded, used = format.decode_prefix(bytes.fromhex(row["hex"]), node)
        assert picture(decoded) == picture(value), row
        assert used == len(row["hex"]) // 2
        seen[row["format"]] += 1
    assert min(seen.values()) > 150, seen


def test_prefix_varints():
    rule = Prefix()
    rows = [row for row in VECTORS if row["type"] == "prefix_varint"]
    assert len(rows) > 8
    for row in rows:
        data = bytes.fromhex(row["hex"])
        assert rule.encode(int(row["value"])) == data
        assert rule.decode(data, 0) == (int(row["value"]), len(data))
        assert b"".join(step.written for step in rule.steps(int(row["value"]))) == data
    for row in (row for row in REJECTS if row["type"] == "prefix_varint"):
        data = bytes.fromhex(row["hex"])
        try:
            verdict = rule.decode(data, 0)
        except CodecError as error:
            verdict = type(error).__name__
        said = row["verdict"]
        if "error" in said:
            assert verdict == KINDS["speedy"][said["error"]["kind"]], row
        else:
            assert verdict == (int(said["value"]), said["used"]), row


def test_rejects(catalogue):
    seen = 0
    for row, format, node in ours(REJECTS, catalogue):
        if row["format"] not in oracle.FORMATS:
            continue  # bincode 1 and the native derive refuse in their own way
        if "limit" in row:
            assert isinstance(format, bincode.Config)
            format = format.with_limit(row["limit"])
        judge(row, format, node, bytes.fromhex(row["hex"]), row["verdict"])
        seen += 1
    assert seen >= 200


def archives(rows, catalogue):
    """The rows for types that we archive, with their node."""
    for row in rows:
        if row["format"].startswith("rkyv") and row["type"] in catalogue.types:
            node = schema(catalogue.types[row["type"]])
            if archivable(node):
                yield row, node


def test_archives(catalogue):
    seen = 0
    for row, node in archives(VECTORS, catalogue):
        value = oracle.from_json(node, row["value"])
        assert rkyv.to_bytes(value, node).hex() == row["hex"], row
        assert rkyv.trace(value, node).hex() == row["hex"]
        assert picture(rkyv.from_bytes(bytes.fromhex(row["hex"]), node)) == picture(value), row
        seen += 1
    assert seen > 200


def test_rejected_archives(catalogue):
    seen = 0
    for row, node in archives(REJECTS, catalogue):
        request = {"format": row["format"], "offset": row.get("offset", 0)}
        judge_archive(request, node, bytes.fromhex(row["hex"]), row["verdict"])
        seen += 1
    assert seen > 200


def test_the_files_are_what_the_crates_write_today(crates, tmp_path):
    oracle.write_golden(tmp_path)
    for path in sorted(oracle.GOLDEN.iterdir()):
        new = (tmp_path / path.name).read_text(encoding="utf-8")
        assert new == path.read_text(encoding="utf-8"), f"{path.name}: run make oracle"
