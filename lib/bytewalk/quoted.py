"""The figures that the sources print, as records.

`tables()` lists the tables, `load(name)` reads one, `source(name)` says where it comes from. The
files, and what each column means, are described at the top of data/quoted/sources.toml. Nothing
here was measured by this project.
"""

import csv
import functools
import tomllib
from pathlib import Path

import msgspec

# data/ stands beside lib/: the package is installed from its project folder (pip install -e .).
DATA = Path(__file__).resolve().parents[2] / "data" / "quoted"


class Figure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One printed figure.

    `value` is in `unit`, as printed; `base_value` is the same in `base_unit`: "s", "1/s", "B"
    (bytes) or "1" (a pure number). Both are None where the source prints an error instead of a
    figure; `base_value` is None also where the unit is "not stated". `quoted` is the source's own
    text. `count` is the number of payloads, None where that is not stated.
    """

    table: str
    codec: str
    version: str
    operation: str
    payload: str
    metric: str
    unit: str
    base_unit: str
    quoted: str
    count: int | None = None
    value: int | float | None = None
    base_value: int | float | None = None
    note: str = ""


class Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a table comes from. A str that the text does not settle begins with "not stated".

    `figures` is the number of rows and `sha256` the digest of their `quoted` texts, joined by
    newlines, in UTF-8.
    """

    name: str
    file: str
    text: str
    title: str
    author: str
    site: str
    url: str
    date: str
    machine: str
    toolchain: str
    statistic: str
    place: str
    headings: tuple[str, ...]
    versions: tuple[str, ...]
    units: tuple[str, ...]
    not_stated: tuple[str, ...]
    remarks: tuple[str, ...]
    figures: int
    sha256: str


@functools.cache
def _sources() -> dict[str, Source]:
    with open(DATA / "sources.toml", "rb") as file:
        described = tomllib.load(file)
    sources = {}
    for name, entry in described["tables"].items():
        text = described["texts"][entry["text"]]
        lists = {key: text[key] + entry.get(key, []) for key in ("not_stated", "remarks")}
        sources[name] = msgspec.convert({"name": name, **text, **entry, **lists}, Source)
    return sources


def tables() -> tuple[str, ...]:
    """The names of all tables, in the order of data/quoted/sources.toml."""
    return tuple(_sources())


def source(name: str) -> Source:
    """Where the table `name` comes from. Raises ValueError for a name not in `tables()`."""
    if name not in tables():
        raise ValueError(f"no quoted table is called {name!r}; there are {', '.join(tables())}")
    return _sources()[name]


def load(name: str) -> list[Figure]:
    """The figures of the table `name`, in the order in which the source prints them.

    Raises ValueError for a name not in `tables()`, and for a row that is not a `Figure`.
    """
    path = DATA / source(name).file
    figures = []
    with open(path, encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file, strict=True)
        try:
            for row in reader:
                filled = {column: cell for column, cell in row.items() if cell}
                # strict=False: every cell of a CSV file is text, numbers too
                figures.append(msgspec.convert({"table": name, **filled}, Figure, strict=False))
        except (csv.Error, msgspec.ValidationError) as error:
            raise ValueError(f"{path.name}, line {reader.line_num}: {error}") from error
    return figures
