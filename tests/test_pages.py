"""Every built page, opened in a headless Chromium that reaches nothing but the page server."""

import functools
import gzip
import re
import threading
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import expect

from .built import CHAPTERS, FOUND, HTML, PAGES, ROOT, TITLE_PAGE, needed

AXE = ROOT / "tests" / "vendor" / "axe-core" / "axe.min.js"
WIDTHS = {"desktop": 1280, "phone": 390}
TITLE_PAGE_LIMIT, PAGE_LIMIT = 250_000, 1_200_000  # bytes after gzip -9, all that a view asks for

# The names of the book's elements that no script has brought to life.
LIFELESS = """[...document.querySelectorAll("main *")]
    .filter(x => x.matches(":not(:defined)") || (window.bytewalk?.Element
        && x instanceof window.bytewalk.Element && !x.built)).map(x => x.localName)"""


@pytest.fixture(scope="module", autouse=True)
def built():
    needed()


def serve(folder):
    """A server for a folder, on a free port of this machine."""

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, *args):
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
    threading.Thread(target=http.serve_forever, daemon=True).start()
    return http


@pytest.fixture(scope="module")
def server():
    """Serve the built pages; return the address."""
    with serve(HTML) as http:
        yield f"http://127.0.0.1:{http.server_port}/"
        http.shutdown()


def watched(browser, base, **options):
    """Open an empty tab that reaches nothing outside `base`; return (tab, what went wrong, the
    addresses it asked for)."""
    wrong, asked = [], set()
    settings = {"viewport": {"width": 1280, "height": 900}, "service_workers": "block"}
    context = browser.new_context(**settings | options, reduced_motion="reduce")

    def only_the_base(route):
        if route.request.url.startswith(base):
            route.continue_()
        else:
            wrong.append(f"asked another host: {route.request.url}")
            route.abort()

    context.route(re.compile("^(?!data:|blob:)"), only_the_base)
    tab = context.new_page()
    tab.on("console", lambda x: x.type == "error" and wrong.append(f"console: {x.text}"))
    tab.on("pageerror", lambda x: wrong.append(f"page error: {x}"))
    tab.on("requestfailed", lambda x: wrong.append(f"failed: {x.url}: {x.failure}"))
    tab.on("response", lambda x: x.status >= 400 and wrong.append(f"{x.status}: {x.url}"))
    # What a worker asks for is not seen here, so there shall be none.
    tab.on("worker", lambda x: wrong.append(f"started a worker: {x.url}"))
    tab.on("request", lambda x: asked.add(x.url))
    return tab, wrong, asked


@dataclass
class Visit:
    wrong: list[str]  # errors, failed requests, requests to other hosts
    content: int  # the width of the content, in pixels
    weight: int  # all files asked for, in bytes after gzip -9
    barriers: list[str]  # what axe calls serious or critical
    dark_ground: str  # the page's colour in dark mode


def visit(browser, server, page, width):
    """Open a page and check it; on a desktop wait until it is quiet, and look at dark mode too."""
    desktop = width == WIDTHS["desktop"]
    tab, wrong, asked = watched(browser, server, viewport={"width": width, "height": 900})
    tab.goto(server + page, wait_until="networkidle" if desktop else "load")
    content = tab.evaluate("document.documentElement.scrollWidth")
    wrong += [f"is not alive: <{name}>" for name in tab.evaluate(LIFELESS)]
    weight = sum(map(weigh, {served_file(url, server) for url in asked if url.startswith(server)}))
    tab.evaluate(AXE.read_text(encoding="utf-8"))
    barriers = [f"light: {barrier}" for barrier in ask_axe(tab)]
    dark_ground = ""
    if desktop:
        tab.emulate_media(color_scheme="dark")
        tab.wait_for_function("document.documentElement.dataset.theme !== 'light'")
        dark_ground = tab.evaluate("getComputedStyle(document.body).backgroundColor")
        barriers += [f"dark: {barrier}" for barrier in ask_axe(tab, rules=["color-contrast"])]
    tab.context.close()
    return Visit(wrong, content, weight, barriers, dark_ground)


def served_file(url, server):
    path = HTML / unquote(urlsplit(url).path.removeprefix("/"))
    return path / "index.html" if path.is_dir() else path


def weigh(path):
    return len(gzip.compress(path.read_bytes(), 9)) if path.is_file() else 0


def ask_axe(tab, rules=None):
    """What axe finds serious or critical, a line each."""
    options = {"resultTypes": ["violations"]} | ({"runOnly": rules} if rules else {})
    found = tab.evaluate("options => axe.run(document, options)", options)
    return [
        f"{violation['id']} ({violation['impact']}): {node['target']}: {node['html'][:120]}"
        for violation in found["violations"]
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]
    ]


@pytest.fixture(scope="module")
def visited(browser, server):
    """visit(), once for each page and width."""
    return functools.cache(functools.partial(visit, browser, server))


each_width = pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS)
each_page = pytest.mark.parametrize("page", PAGES)


@each_width
@each_page
def test_page_opens_cleanly(visited, page, width):
    seen = visited(page, width)
    assert not seen.wrong, "\n".join(seen.wrong)
    assert seen.content <= width, f"the page is {seen.content} pixels wide and scrolls sideways"


@each_width
@each_page
def test_page_has_no_barrier(visited, page, width):
    """axe-core finds nothing serious or critical: light, dark, and on a phone."""
    barriers = visited(page, width).barriers
    assert not barriers, "\n".join(barriers)


@each_page
def test_dark_mode_is_dark(visited, page):
    ground = visited(page, WIDTHS["desktop"]).dark_ground
    assert max(map(int, re.findall(r"\d+", ground)[:3])) < 64, ground


def test_pages_are_light(visited):
    """The sum of what a first view asks for, with nothing in the browser's cache."""
    weights = {page: visited(page, WIDTHS["desktop"]).weight for page in FOUND}
    for page, weight in weights.items():
        print(f"{weight:>9,} bytes  {page}")
    assert min(weights.values()) > 50_000, "the theme's style sheet alone weighs more"
    too_heavy = {
        page: weight
        for page, weight in weights.items()
        if weight > (TITLE_PAGE_LIMIT if page == TITLE_PAGE else PAGE_LIMIT)
    }
    assert not too_heavy


@pytest.mark.parametrize("page", [TITLE_PAGE, *CHAPTERS[:2]])
@pytest.mark.parametrize("place", ["file", "subfolder"])
def test_page_works_elsewhere(browser, place, page):
    """Opened as a file, and served from a folder that is not the top one."""
    with serve(HTML.parent) as http:
        addresses = {
            "file": f"{HTML.as_uri()}/",
            "subfolder": f"http://127.0.0.1:{http.server_port}/{HTML.name}/",
        }
        tab, wrong, asked = watched(browser, addresses[place])
        tab.goto(addresses[place] + page)
        expect(tab.locator("article h1")).to_be_visible()
        tab.context.close()
        http.shutdown()
    assert not wrong, "\n".join(wrong)
    assert len(asked) > 10


def test_without_scripts_a_chapter_reads_well(browser, server):
    tab, wrong, _ = watched(browser, server, java_script_enabled=False)
    tab.goto(server + CHAPTERS[1])
    assert not wrong, "\n".join(wrong)
    answer = tab.locator(".bw-predict details").first
    expect(answer.locator(":scope > :not(summary)").first).to_be_hidden()
    answer.locator("summary").click()
    expect(answer.locator(":scope > :not(summary)").first).to_be_visible()
    expect(tab.get_by_role("link", name="Glossary", exact=True).first).to_be_visible()
    for dead in (".primary-toggle", ".dropdown-download-buttons", ".search-button-field"):
        expect(tab.locator(dead).first).to_be_hidden()
    tab.context.close()


def test_on_paper_nothing_is_hidden_or_cut(browser, server):
    tab, _, _ = watched(browser, server, viewport={"width": 700, "height": 900})
    tab.goto(server + CHAPTERS[1])
    tab.emulate_media(media="print")
    expect(tab.locator(".bd-sidebar-primary")).to_be_hidden()
    expect(tab.locator(".bd-header-article")).to_be_hidden()
    # The source of a question holds its answer: it stays folded, and everything else opens.
    for fold in tab.locator("details.above-input").all():
        question = fold.locator("xpath=..").locator("bw-predict").count()
        expect(fold.locator(".cell_input")).to_be_visible(visible=not question)
    for question in tab.locator("bw-predict").all():
        expect(question.locator(".bw-answer")).to_be_visible()
    cut = tab.evaluate(
        "[...document.querySelectorAll('.bd-article *')].filter(x => x.clientWidth"
        " && x.scrollWidth > x.clientWidth + 1"
        " && getComputedStyle(x).overflowX !== 'visible').map(x => x.outerHTML.slice(0, 200))"
    )
    assert cut == []
    tab.context.close()


@each_width
def test_the_menu_button_works(browser, server, width):
    """On a phone the menu comes when asked for, on a desktop it goes."""
    tab = browser.new_page(viewport={"width": width, "height": 900})
    tab.goto(server + TITLE_PAGE)
    entry = tab.locator(".bd-sidebar-primary .bd-links").get_by_role("link").last
    wide = width == WIDTHS["desktop"]
    expect(entry).to_be_visible(visible=wide)
    tab.locator(".bd-header-article .primary-toggle").click()
    expect(entry).to_be_visible(visible=not wide)
    tab.close()


def test_the_colour_button_goes_round(browser, server):
    """From the system's colours to dark, to light and back; the choice holds on the next page."""
    tab, wrong, _ = watched(browser, server, color_scheme="light")
    tab.goto(server + TITLE_PAGE)
    page = tab.locator("html")
    expect(page).to_have_attribute("data-mode", "auto")
    expect(page).to_have_attribute("data-theme", "light")
    tab.get_by_role("button", name="Color mode").click()
    expect(page).to_have_attribute("data-theme", "dark")
    tab.goto(server + CHAPTERS[0])
    expect(page).to_have_attribute("data-theme", "dark")
    for mode in ("light", "auto"):
        tab.get_by_role("button", name="Color mode").click()
        expect(page).to_have_attribute("data-mode", mode)
    tab.context.close()
    assert not wrong, "\n".join(wrong)


def test_a_dark_page_is_dark_from_the_first_paint(browser, server):
    """Not only once the theme's scripts have run: here they do not come at all."""
    tab, _, _ = watched(browser, server, color_scheme="dark")
    tab.route("**/_static/scripts/*", lambda route: route.abort())
    tab.goto(server + TITLE_PAGE)
    assert tab.evaluate("document.documentElement.dataset.theme") == "dark"
    tab.context.close()


def test_search_finds_a_word(browser, server):
    tab, wrong, _ = watched(browser, server)
    tab.goto(server + TITLE_PAGE)
    tab.get_by_role("button", name="Search").click()
    tab.locator("#pst-search-dialog input").fill("zigzag")
    tab.keyboard.press("Enter")
    results = tab.locator("#search-results ul.search li")
    expect(results.filter(has_text="Marker varints").first).to_be_visible()
    tab.context.close()
    assert not wrong, "\n".join(wrong)


def test_the_top_of_the_folder_leads_to_the_title_page(browser, server):
    tab, _, _ = watched(browser, server)
    tab.goto(server)
    tab.wait_for_url(server + TITLE_PAGE)
    expect(tab).to_have_title(re.compile("Bytewalk$"))
    tab.context.close()


def test_the_browser_test_sees_what_is_wrong(browser, server):
    """A page made of faults: each kind is reported, so a clean page is really clean."""
    faults = HTML / "faults-of-the-browser-test.html"
    faults.write_text(
        "<!doctype html><title>faults</title><img src='https://example.org/picture.png'>"
        "<script src='missing.js'></script><script>throw new Error('thrown')</script>"
        "<script>console.error('logged')</script><div style='width: 1000px'>wide</div>"
        "<script>new Worker(URL.createObjectURL(new Blob([''])))</script>"
        "<main><p style='color: #ccc; background: #fff'>hard to read</p><bw-none></bw-none></main>"
    )
    try:
        seen = visit(browser, server, faults.name, WIDTHS["phone"])
    finally:
        faults.unlink()
    report = "\n".join(seen.wrong + seen.barriers)
    for sign in (
        "asked another host: https://example.org/picture.png",
        "failed: https://example.org/picture.png",
        "404: ",
        "page error: thrown",
        "console: logged",
        "started a worker: blob:",
        "is not alive: <bw-none>",
        "image-alt (critical)",
        "color-contrast (serious)",
    ):
        assert sign in report, report
    assert seen.content >= 1000
