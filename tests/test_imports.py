"""The rooms of the library import downward only."""

import ast
from pathlib import Path

import pytest

LIBRARY = Path(__file__).resolve().parent.parent / "lib" / "bytewalk"

# Lowest floor first. A room imports from floors below its own (and, if it is a folder, within).
FLOORS = [
    {"errors"},
    {"types"},
    {"records", "quoted"},
    {"fixtures"},
    {"integers"},
    {"scalars"},
    {"layout"},
    {"trace"},
    {"serde"},
    {"derive"},
    {"formats"},
    {"show"},
    {"measure"},
    {"quiz"},
    {"widgets"},
    {"__init__"},  # the front door may name everything
]
FLOOR = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}
MODULES = sorted(path.relative_to(LIBRARY).as_posix() for path in LIBRARY.rglob("*.py"))


def room_of(module):
    """The room of a module's path below the package: "formats" for "formats/speedy.py"."""
    return Path(module).parts[0].removesuffix(".py")


def imported_rooms(source, module):
    """Yield (line, room) for each import from the package in a module's source, also those inside
    functions. A name that is no room comes from the front door, "__init__"."""
    package = ["bytewalk", *Path(module).parent.parts]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name.split(".") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            base = base + (node.module.split(".") if node.module else [])
            names = [[*base, alias.name] for alias in node.names]
        else:
            continue
        for name in names:
            if name[0] == "bytewalk":
                room = name[1] if len(name) > 1 else "__init__"
                yield node.lineno, room if room in FLOOR else "__init__"


@pytest.mark.parametrize("module", MODULES)
def test_imports_run_downward(module):
    room = room_of(module)
    assert room in FLOOR, f"{room} has no floor yet: give it one in FLOORS"
    upward = [
        f"line {line} imports {other}"
        for line, other in imported_rooms((LIBRARY / module).read_text(encoding="utf-8"), module)
        if FLOOR[other] >= FLOOR[room] and other != room
    ]
    assert not upward, f"bytewalk/{module}: {'; '.join(upward)}"


@pytest.mark.parametrize(
    ("source", "module", "rooms"),
    [
        ("import bytewalk.trace", "serde.py", ["trace"]),
        ("import bytewalk", "serde.py", ["__init__"]),
        ("from bytewalk import types, errors", "serde.py", ["types", "errors"]),
        ("from bytewalk import CodecError", "serde.py", ["__init__"]),
        ("from bytewalk.formats import speedy", "serde.py", ["formats"]),
        ("from . import trace", "serde.py", ["trace"]),
        ("from .trace import Span", "serde.py", ["trace"]),
        ("from ..trace import Span", "formats/speedy.py", ["trace"]),
        ("from .bincode import decode", "formats/speedy.py", ["formats"]),
        ("def f():\n    from bytewalk.show import dump", "serde.py", ["show"]),
        ("import struct\nfrom typing import Any", "serde.py", []),
    ],
)
def test_every_form_of_import_is_seen(source, module, rooms):
    assert [room for _, room in imported_rooms(source, module)] == rooms
