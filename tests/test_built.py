"""The built pages as files: links, heads, what each loads, and the vendored files behind it."""

import functools
import hashlib
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from importlib.resources import files
from urllib.parse import unquote, urlsplit

import pytest
from bytewalk.show.html import asset

from .built import CHAPTERS, FOUND, HTML, MADE, PAGES, ROOT, TITLE_PAGE, needed

each_page = pytest.mark.parametrize("page", PAGES)


@pytest.fixture(scope="module", autouse=True)
def built():
    needed()


# What makes the browser fetch something: these attributes, and the href of these links.
FETCHING = {"stylesheet", "icon", "preload", "prefetch", "preconnect", "modulepreload", "manifest"}


@dataclass
class Page(HTMLParser):
    """What a page names: addresses that it loads, all links, ids, classes of icons, its head."""

    loads: list = field(default_factory=list)
    links: list = field(default_factory=list)
    ids: set = field(default_factory=set)
    classes: set = field(default_factory=set)
    icons: set = field(default_factory=set)
    descriptions: list = field(default_factory=list)
    onward: str = ""  # the link to the next page

    def __post_init__(self):
        super().__init__()

    def handle_starttag(self, tag, attributes):
        attributes = {key: value or "" for key, value in attributes}
        loads = [attributes[x] for x in ("src", "srcset", "poster", "data") if x in attributes]
        if tag == "link" and FETCHING & set(attributes.get("rel", "").lower().split()):
            loads.append(attributes.get("href", ""))
        self.loads += loads
        self.links += loads if tag == "link" else [*loads, attributes.get("href", "")]
        self.ids |= {attributes.get("id"), attributes.get("name")} - {None, ""}
        classes = set(attributes.get("class", "").split())
        self.classes |= classes
        if classes & {"fa-solid", "fas"}:
            self.icons |= {x for x in classes if x.startswith("fa-")} - {"fa-solid", "fa-lg"}
        if "right-next" in classes:
            self.onward = attributes["href"]
        if tag == "meta" and attributes.get("name") == "description":
            self.descriptions.append(attributes["content"])


@functools.cache
def read(page) -> Page:
    found = Page()
    found.feed((HTML / page).read_text(encoding="utf-8"))
    return found


def other_hosts(page):
    """What a page would load from a named host; a data: address names none."""
    return [
        source
        for source in page.loads
        if re.search(r"(^|[\s,])(https?:)?//", source) and not source.startswith("data:")
    ]


@each_page
def test_page_names_no_other_host(page):
    assert other_hosts(read(page)) == []


def test_other_hosts_are_seen():
    page = Page()
    page.feed("""
        <a href="https://example.org/read">no load</a> <img src="data:image/png;base64,//8=">
        <script src="local.js"></script> <link rel="canonical" href="https://example.org/canonical">
        <script src="https://example.org/a.js"></script> <img src="//example.org/b.png">
        <img srcset="local.png 1x, https://example.org/c.png 2x">
        <link rel="stylesheet" href="http://example.org/d.css">
    """)
    assert [re.findall(r"/(\w)\.", source)[-1] for source in other_hosts(page)] == list("abcd")


@each_page
def test_internal_links_lead_somewhere(page):
    broken = []
    for link in filter(None, read(page).links):
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = HTML / page
        if parts.path:
            target = (target.parent / unquote(parts.path)).resolve()
        if not target.is_file():
            broken.append(f"{link}: no such file")
        elif parts.fragment and target.suffix == ".html":
            ids = read(target.relative_to(HTML.resolve()).as_posix()).ids
            if unquote(parts.fragment) not in ids:
                broken.append(f"{link}: no such place")
    assert broken == []


def test_a_reader_can_walk_through_the_book():
    """By the link at the foot of each page, from the title page to the last one."""
    walked = [TITLE_PAGE]
    while onward := read(walked[-1]).onward:
        target = (HTML / walked[-1]).parent / onward
        walked.append(target.resolve().relative_to(HTML.resolve()).as_posix())
    assert sorted(walked) == sorted(set(FOUND) - MADE)


def test_each_page_has_its_own_title_and_description():
    titles, descriptions = {}, {}
    for page in FOUND:
        (title,) = re.findall(r"<title>(.*?)</title>", (HTML / page).read_text(encoding="utf-8"))
        (description,) = read(page).descriptions
        assert "Bytewalk" in title
        assert 20 <= len(description) <= 160, page
        assert title not in titles, (page, titles[title])
        assert description not in descriptions, (page, descriptions[description])
        titles[title] = descriptions[description] = page


@each_page
def test_outputs_bring_one_style_and_one_script_a_page(page):
    """They carry their own in the notebooks; here the page has them once, and only if it needs
    them."""
    found = read(page)
    text = (HTML / page).read_text(encoding="utf-8")
    assert not re.search("<(style|script) data-bytewalk", text)
    loaded = [load for load in found.loads if "_static/bytewalk." in load]
    assert len(loaded) == (2 if "bw" in found.classes else 0), loaded


def test_the_style_and_the_script_are_those_of_all_elements():
    names = [path.name for path in files("bytewalk.show").joinpath("elements").iterdir()]
    for suffix, first in (".css", "base.css"), (".js", "core.js"):
        text = (HTML / "_static" / f"bytewalk{suffix}").read_text(encoding="utf-8")
        assert text.startswith(asset(first))
        for name in names:
            assert not name.endswith(suffix) or asset(name) in text, name


@pytest.mark.parametrize("page", CHAPTERS)
def test_a_chapter_offers_its_notebook(page):
    name = page.removeprefix("notebooks/").replace(".html", ".ipynb")
    assert f"../_sources/notebooks/{name}" in read(page).links
    offered = (HTML / "_sources" / "notebooks" / name).read_bytes()
    assert offered == (ROOT / "notebooks" / name).read_bytes()


@each_page
def test_every_icon_has_its_picture(page):
    pictures = {path.stem for path in (ROOT / "book/_static/vendor/icons").glob("*.svg")}
    assert {icon.removeprefix("fa-") for icon in read(page).icons} <= pictures
    assert not any("fontawesome.js" in load for load in read(page).loads)


@pytest.mark.parametrize(
    ("list_of_files", "folder", "own"),
    [
        ("book/_static/README.md", "book/_static/vendor", "widgets/mathjax-queue.js"),
        ("tests/vendor/axe-core/README.md", "tests/vendor/axe-core", "README.md"),
    ],
)
def test_vendored_files_are_the_ones_listed(list_of_files, folder, own):
    """Each vendored file is named with its SHA-256, and no other is there."""
    listed = dict(
        reversed(line.split())
        for line in (ROOT / list_of_files).read_text(encoding="utf-8").splitlines()
        if re.match(r" {4}[0-9a-f]{64}  (?!.*\.tgz)", line)
    )
    present = {
        path.relative_to(ROOT / folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and path != ROOT / folder / own
    }
    assert listed == present
