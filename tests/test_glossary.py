"""The glossary: in order, complete, and every link leads to a page that uses the word."""

import re
from pathlib import Path

import pytest

BOOK = Path(__file__).resolve().parent.parent / "book"
PAGE = (BOOK / "glossary.md").read_text(encoding="utf-8")
(ENTRIES,) = re.findall(r"^```\{glossary\}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]+\]\(([^)]+)\)")
ROLE = re.compile(r"\{term\}`(?:[^`<]*<)?([^`<>]+)>?`")


def entries():
    """{term: its explanation}; a term stands at the margin, its explanation is indented."""
    found = {}
    for line in ENTRIES.splitlines():
        if line and not line.startswith(" "):
            assert line not in found, f"{line!r} is explained twice"
            term = line
            found[term] = ""
        else:
            found[term] += f" {line.strip()}"
    return {term: " ".join(text.split()) for term, text in found.items()}


GLOSSARY = entries()


def words(text):
    """The text for comparing words: hyphens, dashes and line ends are spaces."""
    return " ".join(re.sub(r"[-–]|\\n", " ", text).casefold().split())


def test_terms_are_in_alphabetical_order():
    assert list(GLOSSARY) == sorted(GLOSSARY, key=str.casefold)


@pytest.mark.parametrize(
    "term",
    [
        *("alignment", "allocation", "archive", "claim", "derive", "discriminant", "dispatch"),
        *("dump", "fixture", "golden bytes", "heap", "LEB128", "limit", "little endian", "marker"),
        *("control", "instruction count", "interaction", "interleaved", "intervention", "median"),
        *("noise bar", "profile", "sink", "warm-up"),
        *("monomorphization", "oracle", "padding", "scalar value", "Serializer", "span", "trace"),
        *("trait", "two's complement", "varint", "Visitor", "zigzag"),
        *("access", "access_unchecked", "inline string", "owned value", "relative pointer"),
        *("resolver", "root", "slot", "validation", "view", "zero-copy"),
    ],
)
def test_the_book_s_own_words_are_explained(term):
    assert term in GLOSSARY


@pytest.mark.parametrize("term", GLOSSARY)
def test_an_entry_is_short_and_ends_with_the_place(term):
    text = GLOSSARY[term]
    place = re.search(r"(?:\[[^\]]+\]\([^)]+\)|Chapter \d\d)$", text)
    assert place, f"{term}: no chapter at the end"
    explanation = text[: place.start()].strip()
    assert explanation.endswith(".")
    assert 1 <= len(re.findall(r"[.?!](?= |$)", explanation)) <= 2, f"{term}: {explanation}"


@pytest.mark.parametrize("term", GLOSSARY)
def test_linked_pages_exist_and_use_the_word(term):
    for target in LINK.findall(GLOSSARY[term]):
        page = BOOK / target
        assert page.is_file(), f"{term}: there is no {target}"
        used = words(term) in words(page.read_text(encoding="utf-8"))
        assert used, f"{target} has no {term!r}"


@pytest.mark.parametrize("page", sorted(BOOK.glob("*.md")), ids=lambda page: page.name)
def test_references_to_terms_lead_somewhere(page):
    assert set(ROLE.findall(page.read_text(encoding="utf-8"))) <= set(GLOSSARY)
