"""Every built page, opened in a headless Chromium that reaches nothing but the page server.

`make test` builds the book first.
"""

import functools
import hashlib
import re
import threading
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import expect

from .browser import missing

ROOT = Path(__file__).resolve().parent.parent
HTML = ROOT / "_build" / "html"
STATIC = ROOT / "book" / "_static"
PAGES = sorted(
    path.relative_to(HTML).as_posix()
    for path in HTML.rglob("*.html")
    if "_static" not in path.parts and "_sources" not in path.parts
)
WIDTHS = {"desktop": 1280, "phone": 390}


@pytest.fixture(scope="module")
def built():
    if not PAGES:
        missing("the book is not built: run `make book` first")


@pytest.fixture(scope="module")
def server():
    """Serve the built pages on a free port of this machine; return the address."""

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, *args):
            pass

    handler = functools.partial(Handler, directory=HTML)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as http:
        threading.Thread(target=http.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{http.server_port}/"
        http.shutdown()


def visit(browser, server, page, width):
    """Open a page and wait until it is quiet; return (what went wrong, width of the content)."""
    wrong = []
    context = browser.new_context(
        viewport={"width": width, "height": 900}, service_workers="block", reduced_motion="reduce"
    )

    def only_the_server(route):
        if route.request.url.startswith(server):
            route.continue_()
        else:
            wrong.append(f"asked another host: {route.request.url}")
            route.abort()

    context.route(re.compile("^(?!data:|blob:)"), only_the_server)
    tab = context.new_page()
    tab.on("console", lambda x: x.type == "error" and wrong.append(f"console: {x.text}"))
    tab.on("pageerror", lambda x: wrong.append(f"page error: {x}"))
    tab.on("requestfailed", lambda x: wrong.append(f"failed: {x.url}: {x.failure}"))
    tab.on("response", lambda x: x.status >= 400 and wrong.append(f"{x.status}: {x.url}"))
    tab.goto(server + page, wait_until="networkidle")
    content = tab.evaluate("document.documentElement.scrollWidth")
    context.close()
    return wrong, content


@pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS)
@pytest.mark.parametrize("page", PAGES or ["(none built)"])
def test_page_opens_cleanly(built, browser, server, page, width):
    wrong, content = visit(browser, server, page, width)
    assert not wrong, "\n".join(wrong)
    assert content <= width, f"the page is {content} pixels wide and scrolls sideways"


@pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS)
def test_the_menu_button_works(built, browser, server, width):
    """On a phone the menu comes when asked for, on a desktop it goes."""
    tab = browser.new_page(viewport={"width": width, "height": 900})
    tab.goto(server + "book/index.html", wait_until="networkidle")
    entry = tab.locator(".bd-sidebar-primary .bd-links").get_by_role("link").last
    wide = width == WIDTHS["desktop"]
    expect(entry).to_be_visible(visible=wide)
    tab.locator(".bd-header-article .primary-toggle").click()
    expect(entry).to_be_visible(visible=not wide)
    tab.close()


def test_the_browser_test_sees_what_is_wrong(browser, server, built):
    """A page made of faults: each kind is reported, so a clean page is really clean."""
    faults = HTML / "faults-of-the-browser-test.html"
    faults.write_text(
        "<!doctype html><title>faults</title><img src='https://example.org/picture.png'>"
        "<script src='missing.js'></script><script>throw new Error('thrown')</script>"
        "<script>console.error('logged')</script><div style='width: 1000px'>wide</div>"
    )
    try:
        wrong, content = visit(browser, server, faults.name, WIDTHS["phone"])
    finally:
        faults.unlink()
    report = "\n".join(wrong)
    for sign in (
        "asked another host: https://example.org/picture.png",
        "failed: https://example.org/picture.png",
        "404: ",
        "page error: thrown",
        "console: logged",
    ):
        assert sign in report, report
    assert content >= 1000


class Sources(HTMLParser):
    """Collect what a page loads: every src, srcset, poster and data, and the href of every link
    that makes the browser fetch something."""

    FETCHING = {
        "stylesheet",
        "icon",
        "preload",
        "prefetch",
        "preconnect",
        "modulepreload",
        "manifest",
    }

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        attributes = {key: value or "" for key, value in attributes}
        for key in ("src", "srcset", "poster", "data"):
            if key in attributes:
                self.found.append(attributes[key])
        if tag == "link" and self.FETCHING & set(attributes.get("rel", "").lower().split()):
            self.found.append(attributes.get("href", ""))


def other_hosts(html):
    """Return what a page would load from a named host; a data: address names none."""
    sources = Sources()
    sources.feed(html)
    return [
        source
        for source in sources.found
        if re.search(r"(^|[\s,])(https?:)?//", source) and not source.startswith("data:")
    ]


@pytest.mark.parametrize("page", PAGES or ["(none built)"])
def test_page_names_no_other_host(built, page):
    assert other_hosts((HTML / page).read_text(encoding="utf-8")) == []


def test_other_hosts_are_seen():
    html = """
        <a href="https://example.org/read">no load</a> <img src="data:image/png;base64,//8=">
        <script src="local.js"></script> <link rel="canonical" href="https://example.org/canonical">
        <script src="https://example.org/a.js"></script> <img src="//example.org/b.png">
        <img srcset="local.png 1x, https://example.org/c.png 2x">
        <link rel="stylesheet" href="http://example.org/d.css">
    """
    assert [re.findall(r"/(\w)\.", source)[-1] for source in other_hosts(html)] == list("abcd")


def test_vendored_files_are_the_ones_listed():
    """book/_static/README.md names each vendored file with its SHA-256, and no other is there."""
    own = "widgets/mathjax-queue.js"
    listed = dict(
        reversed(line.split())
        for line in (STATIC / "README.md").read_text().splitlines()
        if re.match(r" {4}[0-9a-f]{64}  (?!.*\.tgz)", line)
    )
    vendor = STATIC / "vendor"
    present = {
        path.relative_to(vendor).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in vendor.rglob("*")
        if path.is_file() and path != vendor / own
    }
    assert listed == present
