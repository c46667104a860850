"""The dump, the stepper and the alignment in a browser: by mouse, finger, keyboard, and without
scripts."""

import json
import re
import time
from pathlib import Path

import pytest
from bytewalk import CodecError, bincode, fixtures, postcard, rkyv, show, speedy, types
from bytewalk.integers import Marker, unzigzag
from bytewalk.records import Document, DocumentItem
from bytewalk.show.html import asset
from bytewalk.trace import Span, Trace
from bytewalk.types import INTEGERS, i16, i32, u32, u64
from playwright.sync_api import expect

DOCUMENT = fixtures.make("document")
ITEM = DocumentItem("é", -126, 2**31)
DUMP = show.dump(speedy.trace(DOCUMENT))
ALIGNED = show.align(DOCUMENT, speedy, bincode, postcard)


def by_hand():
    """A trace with a pointer forward and one back, and the spans of `items` in two places."""
    number = "i32, 4 bytes, little endian"
    spans = [
        Span(0, 4, "", "pointer", "i32", 8, number, 8),
        Span(4, 8, "items[0].qty", "value", "i32", 5, number),
        Span(8, 10, "id", "text", "str", "ab", "UTF-8, 2 bytes"),
        Span(10, 12, "", "padding", "padding", None, "padding before a pointer"),
        Span(12, 16, "items", "pointer", "i32", -8, number, 4),
        Span(16, 18, "m['a.b'].x", "value", "u16", 7, "u16, 2 bytes, little endian"),
    ]
    data = bytes.fromhex("08000000 05000000 6162 0000 f8ffffff 0700")
    return Trace(data, spans, None, title="By hand")


@pytest.fixture
def page(browser):
    """Opens outputs on a page of their own; any error on it fails the test."""
    contexts, wrong = [], []

    def open_page(*shown, scripts=True, style="", **options):
        context = browser.new_context(java_script_enabled=scripts, **options)
        contexts.append(context)
        tab = context.new_page()
        tab.on("pageerror", lambda error: wrong.append(str(error)))
        tab.on("console", lambda line: line.type == "error" and wrong.append(line.text))
        tab.set_content(
            '<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title>'
            f'<meta name="viewport" content="width=device-width"><style>{style}</style>'
            f"<body><button>before</button>{markup(*shown)}<button>after</button>"
        )
        return tab

    yield open_page
    for context in contexts:
        context.close()
    assert not wrong


def markup(*shown):
    return "".join(one._repr_html_() for one in shown)


def byte(tab, at):
    return tab.locator(".bw-grid .bw-b").nth(at)


def lit(tab, level):
    """The offsets that are lit: the field itself (3), what it stands in (2), or further out (1)."""
    return tab.evaluate(
        """(level) => [...document.querySelectorAll("bw-dump .bw-grid .bw-b")]
             .flatMap((cell, at) => (cell.dataset.lit || "")[0] === level ? [at] : [])""",
        str(level),
    )


# --- The dump ------------------------------------------------------------------------------------


def test_a_byte_lights_its_field_and_what_that_stands_in(page):
    tab = page(DUMP)
    byte(tab, 49).hover()
    assert lit(tab, 3) == list(range(47, 55))  # items[0].price_minor
    assert lit(tab, 2) == list(range(33, 47))  # the rest of items[0]
    assert lit(tab, 1) == [*range(29, 33), *range(55, 214)]  # the rest of items
    row = tab.locator("tr[data-lit='3']")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("items[0].price_minor")
    details = tab.get_by_role("group", name="Details")
    for said in (
        "items[0].price_minor value, i64",
        "8 bytes at 47–54: 7,028 (i64, 8 bytes, little endian)",
        "inside items[0] (33–54), items (29–213)",
        "from byte 49",
    ):
        expect(details).to_contain_text(said)
    tab.mouse.move(0, 0)
    assert lit(tab, 3) == []
    expect(details).to_contain_text("Point at a byte")


def test_the_other_readings_are_those_of_the_bytes_from_here_on(page):
    tab = page(DUMP)
    byte(tab, 47).hover()
    data = speedy.encode(DOCUMENT)[47:55]
    lines = tab.locator(".bw-facts tr")

    def numbers(order):
        return [f"{int.from_bytes(data[:size], order):,}" for size in (2, 4, 8)]

    little, big = (lines.nth(n).locator("td").all_inner_texts() for n in (1, 2))
    assert little == ["little endian", "116", "116", "–", *numbers("little")]
    assert big == ["big endian", "", "", "01110100", *numbers("big")]
    byte(tab, 4).hover()
    assert lines.nth(1).locator("td").nth(3).inner_text() == '"ffgcfoeukap"'
    byte(tab, 213).hover()
    assert lines.nth(1).locator("td").all_inner_texts()[4:] == ["–"] * 3


def test_a_signed_byte_has_two_readings(page):
    tab = page(show.dump(bincode.trace(ITEM)))
    byte(tab, 1).hover()
    assert tab.locator(".bw-facts tr").nth(1).locator("td").all_inner_texts()[1:4] == [
        "195",
        "-61",
        '"é"',
    ]


def test_a_row_lights_its_bytes(page):
    tab = page(DUMP)
    tab.get_by_role("row", name="meta.version").hover()
    assert lit(tab, 3) == list(range(25, 29))
    assert lit(tab, 2) == list(range(19, 25))


def test_every_byte_points_at_its_own_span_in_every_format(page):
    for module in (speedy, bincode, postcard, rkyv):
        trace = module.trace(DOCUMENT)
        tab = page(show.dump(trace))
        owners = tab.evaluate(
            "document.querySelector('bw-dump').owner.map((field) => [field.start, field.end])"
        )
        expected = [
            [span.start, span.end] for span in trace.spans for _ in range(span.start, span.end)
        ]
        assert owners == expected


def test_keys_walk_bytes_and_fields(page):
    tab = page(DUMP)
    tab.get_by_role("button", name="before").focus()
    tab.keyboard.press("Tab")
    expect(byte(tab, 0)).to_be_focused()
    assert lit(tab, 3) == [0, 1, 2, 3]
    for key, at in [
        ("ArrowRight", 1),
        ("ArrowDown", 17),
        ("ArrowLeft", 16),
        ("End", 31),
        ("Home", 16),
        ("ArrowUp", 0),
        ("ArrowLeft", 0),
        ("Control+End", 213),
        ("ArrowRight", 213),
        ("Control+Home", 0),
        ("Tab", 4),
        ("Tab", 15),
        ("ArrowRight", 16),
        ("Tab", 19),
        ("Shift+Tab", 15),
    ]:
        tab.keyboard.press(key)
        expect(byte(tab, at)).to_be_focused()
    expect(byte(tab, 15)).to_have_accessible_name("byte 15, 03, value of status, 3")
    expect(tab.get_by_role("gridcell")).to_have_count(214)
    expect(tab.locator("bw-dump .bw-grid [tabindex='0']")).to_have_count(1)


def test_tab_leaves_after_the_last_field_and_before_the_first(page):
    tab = page(DUMP)
    byte(tab, 213).click()
    tab.keyboard.press("Tab")
    expect(tab.get_by_role("button", name="Copy 214 bytes")).to_be_focused()
    tab.keyboard.press("Shift+Tab")
    expect(byte(tab, 213)).to_be_focused()
    byte(tab, 2).click()
    tab.keyboard.press("Shift+Tab")
    expect(tab.get_by_role("button", name="before")).to_be_focused()
    assert tab.evaluate("document.querySelector('bw-dump').focused") == -1


def test_escape_lets_go_and_lets_tab_leave(page):
    tab = page(DUMP)
    byte(tab, 0).click()
    assert lit(tab, 3) == [0, 1, 2, 3]
    tab.keyboard.press("Escape")
    assert lit(tab, 3) == []
    tab.keyboard.press("Tab")
    expect(tab.get_by_role("button", name="Copy 214 bytes")).to_be_focused()
    tab.keyboard.press("Shift+Tab")
    tab.keyboard.press("Tab")
    expect(byte(tab, 4)).to_be_focused()


def test_a_pin_holds_until_it_is_let_go(page):
    tab = page(DUMP)
    byte(tab, 15).focus()
    status = tab.get_by_role("status")
    for key in ("Enter", " "):
        byte(tab, 0).focus() if key == "Enter" else None
        tab.keyboard.press(key)
        expect(status).to_contain_text("Pinned: id. Escape")
        byte(tab, 100).hover()
        assert lit(tab, 3) == [0, 1, 2, 3]
        tab.keyboard.press("Escape")
        expect(status).to_be_empty()
    byte(tab, 100).click()
    byte(tab, 0).hover()
    assert 100 in lit(tab, 3)
    byte(tab, 100).click()
    tab.mouse.move(0, 0)
    assert lit(tab, 3) == []


def test_rows_are_walked_by_keys_too(page):
    tab = page(DUMP)
    tab.get_by_role("row", name="meta.version").click()
    tab.keyboard.press("Escape")
    rows = tab.locator("tr[data-end]")
    rows.first.focus()
    tab.keyboard.press("ArrowDown")
    expect(rows.nth(1)).to_be_focused()
    assert lit(tab, 3) == list(range(4, 15))
    tab.keyboard.press("End")
    expect(rows.last).to_be_focused()
    tab.keyboard.press("Enter")
    expect(tab.get_by_role("status")).to_contain_text("Pinned")
    tab.keyboard.press("Escape")
    tab.keyboard.press("Tab")
    expect(tab.get_by_role("button", name="after")).to_be_focused()


def test_a_tap_shows_and_a_second_tap_lets_go(page):
    tab = page(DUMP, has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844})
    byte(tab, 49).tap()
    assert lit(tab, 3) == list(range(47, 55))
    expect(tab.get_by_role("group", name="Details")).to_contain_text("pinned")
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
    assert byte(tab, 49).bounding_box()["width"] >= 24
    cells = tab.locator(".bw-facts td").evaluate_all(
        "all => all.map((cell) => cell.getBoundingClientRect().right)"
    )
    assert max(cells) <= 390
    tab.keyboard.press("ArrowDown")  # eight bytes in a line here
    expect(byte(tab, 57)).to_be_focused()
    byte(tab, 8).tap()
    assert lit(tab, 3) == list(range(4, 15))
    byte(tab, 8).tap()
    assert lit(tab, 3) == []


def test_a_pointer_leads_to_its_target_and_back(page):
    tab = page(show.dump(by_hand()))
    byte(tab, 13).hover()
    assert lit(tab, 3) == [12, 13, 14, 15]
    assert lit(tab, 2) == [4, 5, 6, 7]  # items[0].qty stands in items
    assert tab.locator(".bw-grid [data-lit~='to']").all_inner_texts() == ["05", "00", "00", "00"]
    byte(tab, 14).focus()
    tab.keyboard.press("Enter")
    expect(byte(tab, 4)).to_be_focused()
    expect(tab.get_by_role("status")).to_contain_text("Followed from byte 12")
    tab.keyboard.press("Backspace")
    expect(byte(tab, 12)).to_be_focused()
    tab.get_by_role("cell", name="8 → 8 id").get_by_role("button").click()
    expect(byte(tab, 8)).to_be_focused()
    tab.get_by_role("button", name="Back").click()
    expect(byte(tab, 0)).to_be_focused()
    tab.locator(".bw-actions").get_by_role("button", name="→ 8 id").click()
    expect(byte(tab, 8)).to_be_focused()


def test_a_pointer_is_drawn_in_text():
    lines = repr(show.dump(by_hand())).splitlines()
    assert any(re.search(r"pointer +8 → 8 id ", line) for line in lines)
    assert any(re.search(r"items +pointer +-8 → 4 items\[0\] ", line) for line in lines)
    assert any(re.search(r"padding +padding before", line) for line in lines)
    assert "→ 48 items[0]" in repr(rkyv.trace(DOCUMENT))
    assert "→ 4" not in repr(show.dump(by_hand(), limit=1))


def test_fields_in_several_places_are_added_up(page):
    tab = page(show.dump(by_hand()))
    details = tab.get_by_role("group", name="Details")
    byte(tab, 4).hover()
    expect(details).to_contain_text("inside items[0] (4–7), items (8 bytes in 2 places)")
    byte(tab, 16).hover()
    expect(details).to_contain_text("inside m['a.b'] (16–17), m (16–17)")


@pytest.mark.parametrize("host", ["http://127.0.0.1", "http://book.invalid"], ids=["new", "old"])
def test_bytes_are_copied_as_hex(browser, host):
    """With the clipboard of a secure page, and without one."""
    context = browser.new_context()
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    body = f"<!doctype html><title>t</title>{markup(DUMP)}<textarea></textarea>"
    context.route("**/*", lambda route: route.fulfill(body=body, content_type="text/html"))
    tab = context.new_page()
    tab.goto(host + "/")
    assert tab.evaluate("!!navigator.clipboard") == (host == "http://127.0.0.1")
    data = speedy.encode(DOCUMENT)

    def pasted():
        tab.locator("textarea").fill("")
        tab.locator("textarea").focus()
        tab.keyboard.press("Control+V")
        return tab.locator("textarea").input_value()

    tab.get_by_role("button", name="Copy 214 bytes").click()
    expect(tab.get_by_role("status")).to_have_text("214 bytes copied as hex.")
    assert bytes.fromhex(pasted()) == data
    byte(tab, 6).click()
    button = tab.get_by_role("button", name="Copy field")
    button.click()
    expect(tab.get_by_role("status")).to_have_text("11 bytes copied as hex.")
    expect(button).to_be_focused()
    assert bytes.fromhex(pasted()) == data[4:15]
    context.close()


def test_where_copying_is_forbidden_it_says_so(page):
    tab = page(DUMP)
    tab.evaluate("document.execCommand = () => false")
    tab.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    tab.get_by_role("button", name="Copy 214 bytes").click()
    expect(tab.get_by_role("status")).to_have_text("Copying is not allowed here.")


def test_without_scripts_the_table_says_it_all(page):
    tab = page(show.dump(by_hand()), show.stepper(u64, postcard, [300, 5]), scripts=False)
    expect(tab.get_by_role("grid")).to_have_count(0)  # for the eye only
    expect(byte(tab, 17)).to_be_visible()
    expect(tab.get_by_role("cell", name="-8 → 4 items[0]")).to_be_visible()
    expect(tab.get_by_text("Point at a byte")).to_have_count(0)
    expect(tab.get_by_text("group 0101100")).to_be_hidden()
    tab.get_by_text("300 as u64 in postcard").click()
    expect(tab.get_by_text("group 0101100")).to_be_visible()


def test_dumps_on_one_page_leave_each_other_alone(page):
    tab = page(DUMP, show.dump(postcard.trace(ITEM)), DUMP)
    ids = tab.evaluate("[...document.querySelectorAll('[id]')].map((element) => element.id)")
    assert len(ids) == len(set(ids)) == 3
    byte(tab, 214).click()
    assert lit(tab, 3) == [214]
    byte(tab, 0).click()
    assert lit(tab, 3) == [0, 1, 2, 3, 214]  # the pin of the other dump stays


def test_outputs_added_later_work_as_in_a_notebook(page):
    """JupyterLab puts the HTML into the page first and then runs its scripts, for each output."""
    tab = page()
    for one in (DUMP, show.stepper(i32, bincode, [5]), show.align(ITEM, speedy, postcard), DUMP):
        tab.evaluate(
            """(html) => {
              const output = document.createElement("div");
              output.innerHTML = html;
              document.body.append(output);
              for (const old of output.querySelectorAll("script")) {
                const script = document.createElement("script");
                script.textContent = old.textContent;
                old.replaceWith(script);
              } }""",
            markup(one),
        )
    expect(tab.locator("bw-dump .bw-details")).to_have_count(2)
    expect(tab.locator("bw-steps").get_by_role("button", name="Forward")).to_have_count(1)
    expect(tab.locator("bw-align .bw-strip")).to_have_count(2)


def test_a_dump_in_an_answer_works_once_it_is_revealed(page):
    tab = page(show.predict("What?", speedy.trace(ITEM)))
    tab.get_by_role("button", name="I do not know, show me").click()
    byte(tab, 6).click()
    assert lit(tab, 3) == [6, 7, 8, 9]


@pytest.mark.parametrize(
    ("trace", "unread"),
    [
        (speedy.trace_decode(speedy.encode(ITEM) + b"more", DocumentItem), 4),
        (bincode.trace_decode(b"\xff\x01", u32), 2),
    ],
    ids=["left over", "refused"],
)
def test_bytes_that_were_not_read_say_so(page, trace, unread):
    tab = page(show.dump(trace))
    expect(tab.locator(".bw-grid .bw-unread")).to_have_count(unread)
    byte(tab, len(trace.data) - 1).click()
    expect(tab.get_by_role("group", name="Details")).to_contain_text("not read")
    expect(byte(tab, len(trace.data) - 1)).to_have_accessible_name(re.compile(", not read$"))


def test_a_field_that_was_cut_short_says_why(page):
    tab = page(show.dump(speedy.trace_decode(speedy.encode(DOCUMENT)[:60], Document)))
    byte(tab, 59).click()
    details = tab.get_by_role("group", name="Details")
    expect(details).to_contain_text("27 bytes at 33–59 (8 items of at least 16 bytes")
    assert lit(tab, 2) == [29, 30, 31, 32]


def test_a_dump_without_bytes_stays_what_it_is(page):
    tab = page(show.dump(speedy.trace_decode(b"", u32)), show.dump(speedy.trace(DOCUMENT), limit=0))
    expect(tab.get_by_text("UnexpectedEnd: a u32 takes")).to_be_visible()
    expect(tab.locator(".bw-details")).to_have_count(0)


def test_a_long_dump_costs_no_more_than_what_changes(page, capsys):
    """Listeners do not grow with the bytes, and a step to the next field touches two fields."""
    count = """() => { const one = EventTarget.prototype.addEventListener; window.listeners = 0;
        EventTarget.prototype.addEventListener = function (...all) {
          window.listeners++; return one.apply(this, all); }; }"""
    listeners, report = [], []
    long = show.dump(speedy.trace(list(range(2500)), list[u32]), None)
    for shown, at in ((DUMP, 47), (long, 4 * 1200)):
        tab = page()
        tab.evaluate(count)
        start = time.perf_counter()
        tab.evaluate(
            "(html) => { document.open(); document.write(html); document.close() }", markup(shown)
        )
        byte(tab, at).focus()
        opened = time.perf_counter() - start
        listeners.append(tab.evaluate("listeners"))
        changes, spent = tab.evaluate(
            """(at) => {
              const dump = document.querySelector("bw-dump");
              let changes = 0;
              const seen = new MutationObserver((list) => (changes += list.length));
              seen.observe(dump.grid, { subtree: true, attributes: true });
              const start = performance.now();
              dump.cells[at].focus();
              getComputedStyle(dump.cells[at]).boxShadow;
              dump.offsetHeight;
              const spent = performance.now() - start;
              changes += seen.takeRecords().length;
              return [changes, spent]; }""",
            tab.evaluate("document.querySelector('bw-dump').at") + 4,
        )
        assert 0 < changes < 40
        report.append(f"{len(shown.data):,} bytes: open {opened:.2f} s, one step {spent:.1f} ms")
    assert listeners[0] == listeners[1]
    with capsys.disabled():
        print("", *report, sep="\n")


def test_what_each_dump_carries_is_light():
    assert len(asset("dump.js").encode()) <= 10_600
    body = re.sub(r"<(style|script)\b[^>]*>.*?</\1>", "", markup(DUMP), flags=re.DOTALL)
    assert len(body) / len(DUMP.data) < 112  # bytes of HTML for a byte of the message


AXE = Path(__file__).parent / "vendor" / "axe-core" / "axe.min.js"


def test_axe_finds_nothing_while_things_are_lit(page):
    tab = page(
        show.dump(by_hand()),
        show.dump(speedy.trace_decode(b"", u32)),
        show.dump(bincode.trace_decode(b"\xff\x01", u32)),
        show.stepper(u64, postcard, [300]),
        show.steps(300, u64, bincode),
        ALIGNED,
    )
    byte(tab, 13).click()
    tab.locator("bw-align td[data-at]").first.focus()
    tab.evaluate(AXE.read_text(encoding="utf-8"))
    # Landmarks and a heading are the page's.
    found = tab.evaluate(
        """axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] }).then((said) =>
             said.violations.map(({ id, nodes }) => [id, nodes[0].html]))"""
    )
    assert found == []


CONTRAST = """(element) => {
  // Every colour below the text, from the page up; an inset shadow is a tint over the background.
  const read = (text) => [...text.matchAll(/rgba?\\(([^)]+)\\)/g)].map(([, inside]) => {
    const [r, g, b, a = 1] = inside.split(/[ ,/]+/).map(Number);
    return [r, g, b, a]; });
  const over = ([r, g, b, a], below) => [r, g, b].map((part, i) => part * a + below[i] * (1 - a));
  const chain = [];
  for (let one = element; one; one = one.parentElement) chain.unshift(one);
  let ground = [255, 255, 255], opacity = 1;
  for (const one of chain) {
    const style = getComputedStyle(one);
    opacity *= style.opacity;
    const tints = [style.backgroundColor, style.backgroundImage];
    if (/ 0px 0px 0px [1-9].*inset/.test(style.boxShadow)) tints.push(style.boxShadow);
    for (const tint of tints) if (read(tint).length) ground = over(read(tint)[0], ground);
  }
  const [r, g, b, a] = read(getComputedStyle(element).color)[0];
  const light = (rgb) => rgb.map((part) => part / 255)
    .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
  const [one, two] = [light(over([r, g, b, a * opacity], ground)), light(ground)].sort();
  return (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
}"""


@pytest.mark.parametrize(
    "style",
    ["body { background: #fff; color: #222832 }", "body { background: #14181e; color: #ced6dd }"],
    ids=["light", "dark"],
)
def test_text_stands_out_in_light_and_dark(page, style):
    """WCAG 2.1 AA: 4.5 to 1, also for what is lit."""
    tab = page(
        show.dump(by_hand()),
        show.dump(speedy.trace(DOCUMENT)),
        show.stepper(u64, postcard, [300]),
        show.align(ITEM, speedy, bincode),
        style=style,
    )
    tab.get_by_role("button", name="Forward").click()
    worst = {}
    for at in (0, 12, 10, 16, 18 + 4, 18 + 33, 18 + 47):
        byte(tab, at).click()
        for selector in (
            ".bw-b[data-lit]",
            "tr[data-lit] td",
            ".bw-details:not(.bw-idle) :is(code, span, td, th)",
            ".bw-hint",
            ".bw-actions :is(button, span)",
            ".bw-groups span",
            "tr[aria-current] td",
            ".bw-step",
            ".bw-to button",
        ):
            found = tab.locator(selector).evaluate_all(f"all => all.map({CONTRAST})")
            assert found, selector
            worst[selector] = min(worst.get(selector, 21), *found)
    tab.locator("bw-align td[data-at]").first.focus()
    for selector in ("bw-align .bw-lit :is(code, small)", ".bw-where"):
        worst[selector] = min(tab.locator(selector).evaluate_all(f"all => all.map({CONTRAST})"))
    assert min(worst.values()) >= 4.5, worst


# --- The stepper ---------------------------------------------------------------------------------

VECTORS = Path(__file__).parent / "vectors" / "steps.jsonl"
FORMATS = {
    "speedy": speedy,
    "bincode": bincode,
    "bincode, big endian": bincode.standard().with_big_endian(),
    "postcard": postcard,
}
LIMITS = [1, 128, 251, *(1 << bits for bits in (14, 16, 21, 28, 32, 49, 63, 64, 70, 126, 127))]


def edges(node, name):
    """Values on both sides of every limit of every varint; of a fixed width, its ends."""
    low = -(1 << node.bits - 1) if node.signed else 0
    high = low + (1 << node.bits) - 1
    if name == "speedy" or node.bits == 8:
        return sorted({low, max(low, -1), 0, high})
    folded = [n for limit in LIMITS for n in (limit - 1, limit) if n < 1 << node.bits]
    return sorted({low, high, *(unzigzag(n) if node.signed else n for n in folded)})


def lines():
    """The lines of steps.jsonl: what the library says of each value."""
    for name, format in FORMATS.items():
        for node in INTEGERS.values():
            for value in edges(node, name):
                steps = show.steps(value, getattr(types, node.label), format)
                row = [name, node.label, str(value), steps.rows(), steps.summary()]
                yield json.dumps(row, ensure_ascii=False)


def test_the_recorded_steps_are_the_librarys():
    """To record them anew: python -m tests.test_show_page"""
    assert VECTORS.read_text(encoding="utf-8").splitlines() == list(lines())


def test_the_script_follows_a_value_as_the_library_does(page):
    rows = [json.loads(line) for line in VECTORS.read_text(encoding="utf-8").splitlines()]
    assert len(rows) > 300
    tables = {
        f"{name}/{label}": show.stepper(getattr(types, label), format, [0]).table
        for name, format in FORMATS.items()
        for label in INTEGERS
    }
    tab = page(show.stepper(i32, bincode, [0]))
    said = tab.evaluate(
        """([tables, rows]) => {
          const { parse, follow, summary } = customElements.get("bw-steps");
          return rows.map(([format, type, value]) => {
            const table = tables[format + "/" + type];
            const steps = follow(table, parse(value));
            return [format, type, value, steps, summary(table, steps)]; }); }""",
        [tables, rows],
    )
    for row, line in zip(rows, said, strict=True):
        assert line == row


def shown_steps(tab):
    return [row.split("\t") for row in tab.locator("bw-steps tbody tr:visible").all_inner_texts()]


def test_steps_go_forward_and_back_by_button_and_key(page):
    tab = page(show.stepper(i32, bincode, [-70_000, 5]))
    status = tab.locator(".bw-step")
    rows = show.steps(-70_000, i32, bincode).rows()

    def at(n):
        expect(status).to_contain_text(
            f"Step {n} of {len(rows)}, {rows[n - 1][0]}: {rows[n - 1][1]}"
        )
        expect(tab.locator("tr[aria-current='step']")).to_have_count(1)
        assert shown_steps(tab) == [list(row) for row in rows[:n]]

    at(1)
    expect(status).to_contain_text("So next: zigzag.")
    tab.get_by_role("button", name="Forward").click()
    at(2)
    for key, n in [
        ("ArrowRight", 3),
        ("ArrowRight", 4),
        ("ArrowLeft", 3),
        ("End", 6),
        ("ArrowRight", 6),
        ("Home", 1),
        ("ArrowLeft", 1),
    ]:
        tab.keyboard.press(key)
        at(n)
    tab.get_by_role("button", name="Last").click()
    at(6)
    expect(status).to_contain_text("Bytes so far: fc df 22 02 00. Done.")
    expect(tab.get_by_text("2 comparisons, 1 sign test").locator("visible=true")).to_have_count(1)
    tab.get_by_role("button", name="Back").click()
    at(5)
    tab.get_by_role("button", name="5", exact=True).click()
    expect(tab.locator(".bw-title")).to_have_text("5 as i32 in bincode")
    expect(tab.get_by_role("button", name="5", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )


def test_one_value_shows_all_its_steps_and_can_go_back(page):
    tab = page(show.steps(300, u64, postcard))
    assert len(shown_steps(tab)) == 4
    tab.get_by_role("button", name="First").click()
    assert len(shown_steps(tab)) == 1
    expect(tab.locator(".bw-groups")).to_have_text("In groups: 0000010 0101100 ")
    tab.get_by_role("button", name="Forward").click()
    expect(tab.locator(".bw-groups .bw-now")).to_have_text("0101100")


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("300", 300),
        (" 1_000,000 ", 1_000_000),
        ("0xFF", 255),
        ("2^31 - 1", 2**31 - 1),
        ("2**31+1", 2**31 + 1),
        ("18446744073709551615", 2**64 - 1),
        ("-0", 0),
    ],
)
def test_a_typed_value_is_followed(page, typed, value):
    tab = page(show.stepper(u64, postcard, [1]))
    tab.get_by_role("textbox", name="Another value").fill(typed)
    tab.keyboard.press("Enter")
    expect(tab.get_by_role("button", name="Forward")).to_be_focused()
    tab.keyboard.press("End")
    expected = show.steps(value, u64, postcard)
    expect(tab.locator(".bw-title")).to_have_text(expected.title)
    assert shown_steps(tab) == [list(row) for row in expected.rows()]
    expect(tab.locator(".bw-player .bw-note")).to_have_text(expected.summary())
    expect(tab.get_by_role("button", name="1", exact=True)).to_have_attribute(
        "aria-pressed", "false"
    )


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "No number yet."),
        ("seven", "“seven” is not a whole number."),
        ("1.5", "“1.5” is not a whole number."),
        ("<b>", "“<b>” is not a whole number."),
        ("2-1", "“2-1” is not a whole number."),
        ("32768", "32,768 does not fit i16, which holds -32,768 to 32,767."),
        ("−32,769", "-32,769 does not fit i16, which holds -32,768 to 32,767."),
        ("9^999", "does not fit i16"),
    ],
)
def test_what_cannot_be_followed_is_said_kindly(page, typed, said):
    tab = page(show.stepper(i16, bincode, [7]))
    box = tab.get_by_role("textbox")
    box.fill(typed)
    tab.get_by_role("button", name="Step through it").click()
    expect(tab.get_by_role("alert")).to_contain_text(said)
    expect(box).to_have_attribute("aria-invalid", "true")
    expect(tab.locator(".bw-title")).to_have_text("7 as i16 in bincode")
    box.fill("-1")
    box.press("ArrowLeft")  # moves the caret, not the steps
    box.press("Enter")
    expect(tab.get_by_role("alert")).to_have_count(0)
    expect(tab.locator(".bw-title")).to_have_text("-1 as i16 in bincode")


def test_a_rule_of_the_readers_own_has_no_field_to_type_in(page):
    """The script knows the library's own rules; another one it must not guess at."""

    class Plain(Marker):
        def fold(self, value):
            return value if value >= 0 else value + (1 << self.bits)

    class NoZigzag(bincode.Config):
        def integer(self, t):
            return Plain(t, self.order) if t.bits > 8 else super().integer(t)

    stepper = show.stepper(i32, NoZigzag(), [-1, 300])
    assert stepper.table is None
    tab = page(stepper)
    expect(tab.get_by_role("textbox")).to_have_count(0)
    tab.get_by_role("button", name="Last").click()
    assert shown_steps(tab) == [list(row) for row in stepper.runs[0].rows()]


def test_steppers_refuse_what_steps_refuse():
    with pytest.raises(CodecError, match="steps are those of an integer"):
        show.stepper(str, bincode, ["a"])
    with pytest.raises(CodecError, match="does not fit"):
        show.stepper(i16, bincode, [1, 2**15])
    with pytest.raises(TypeError, match="at least one value"):
        show.stepper(i16, bincode, [])


# --- Formats side by side ------------------------------------------------------------------------


def lit_rows(tab):
    return tab.locator("bw-align tbody tr.bw-lit td:first-child").all_inner_texts()


def test_a_field_lights_up_in_all_formats(page):
    tab = page(ALIGNED)
    cell = tab.get_by_role("row", name="items[0].price_minor").get_by_role("cell").nth(3)
    cell.hover()
    assert lit_rows(tab) == ["items[0].price_minor value"]
    expect(tab.locator(".bw-strip .bw-lit")).to_have_count(3)
    said = "items[0].price_minor, value 7,028: speedy 8 bytes at 47; bincode 3 bytes at 26; "
    expect(tab.locator(".bw-where")).to_contain_text(said + "postcard 2 bytes at 26.")
    tab.locator(".bw-strip").nth(2).locator("span").nth(0).hover()
    assert lit_rows(tab) == ["id length"]
    tab.mouse.move(0, 0)
    assert lit_rows(tab) == []


def test_the_strips_are_the_messages_to_scale(page):
    tab = page(ALIGNED)
    for column, trace in enumerate(ALIGNED.traces):
        parts = tab.locator(".bw-strip").nth(column).locator("span")
        sizes = parts.evaluate_all("all => all.map((part) => parseFloat(part.style.flexGrow))")
        assert sizes == [span.end - span.start for span in trace.spans]
    widths = tab.locator(".bw-strip").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().width)"
    )
    assert widths[1] / widths[0] == pytest.approx(121 / 214, rel=0.01)


def test_the_alignment_by_keyboard_and_finger(page):
    tab = page(ALIGNED, has_touch=True, viewport={"width": 390, "height": 844})
    cells = tab.locator("bw-align td[data-at]")
    tab.get_by_role("button", name="before").focus()
    tab.keyboard.press("Tab")
    expect(cells.nth(0)).to_be_focused()
    for key, n in [
        ("ArrowRight", 1),
        ("ArrowDown", 4),
        ("ArrowLeft", 3),
        ("ArrowLeft", 3),
        ("ArrowUp", 0),
        ("End", cells.count() - 3),
        ("ArrowDown", cells.count() - 3),
        ("Home", 0),
    ]:
        tab.keyboard.press(key)
        expect(cells.nth(n)).to_be_focused()
    assert lit_rows(tab) == ["id length"]
    expect(cells.nth(0)).to_have_accessible_description(
        re.compile("^id, length 11: speedy 4 bytes")
    )
    tab.keyboard.press("Escape")
    assert lit_rows(tab) == []
    tab.keyboard.press("Tab")
    expect(tab.get_by_role("button", name="after")).to_be_focused()
    cells.nth(10).tap()
    assert lit_rows(tab) == ["meta.region length"]
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390


if __name__ == "__main__":
    VECTORS.write_text("".join(f"{line}\n" for line in lines()), encoding="utf-8")
