"""What the reader sees: the HTML and the text say the same, and a question keeps its answer until
a guess is committed."""

import html
import re

import pytest
from bytewalk import CodecError, bincode, fixtures, postcard, rkyv, show, speedy
from bytewalk.records import Document, DocumentItem
from bytewalk.trace import ROLES
from bytewalk.types import Enum, Record, Variant, i32, u8, u64
from playwright.sync_api import expect

DOCUMENT = fixtures.make("document")
ITEM = DocumentItem("é", -126, 2**31)


class Shape(Enum):
    class Dot(Variant):
        pass

    class Disc(Variant, tag=9):
        radius: u8


class Roles(Record):
    shape: Shape
    size: i32 | None
    name: str


SHOWN = {
    "dump": show.dump(speedy.trace(ITEM)),
    "every role": show.dump(speedy.trace(Roles(Shape.Disc(3), 5, "<a & b>"))),
    "cut short": show.dump(speedy.trace_decode(speedy.encode(DOCUMENT)[:60], Document)),
    "left over": show.dump(speedy.trace_decode(speedy.encode(ITEM) + b"more", DocumentItem)),
    "limited": show.dump(speedy.trace(DOCUMENT), limit=3),
    "steps": show.steps(-70_000, i32, bincode),
    "groups": show.steps(300, u64, postcard),
    "stepper": show.stepper(i32, bincode, [250, -70_000]),
    "pointers": show.dump(rkyv.trace(DOCUMENT)),
    "align": show.align(ITEM, speedy, bincode, postcard),
    "costs": show.align(DOCUMENT, speedy, bincode, postcard).cost_table(),
    "table": show.table([["`a`", 1234, None], ["<b>", -5, None]], ["*what*", "n", "-"], "A table"),
    "bars": show.bars([("JSON", 447, "with names"), ("none", 0)], "bytes", "Sizes"),
    "lineup": show.lineup(
        [
            {"widths": "fixed", "road": "Serde", "time": 27.0, "work": 581},
            {"widths": "variable", "road": "Serde", "time": 111.0, "work": 1539},
            {"widths": "variable", "road": "native", "time": 110.0, "work": 1499},
        ],
        ["widths", "road"],
        {"time": "ns", "work": "instructions"},
        reference={"time": 26.5, "work": 613},
        noise={"time": 0.02},
        caption="Encoding",
    ),
    "typed": show.predict("How many?", 17, unit="bytes", why="`4` and more"),
    "chosen": show.predict("Which?", "The *first*.", choices=["the first", "the `second`"]),
    "shows a dump": show.predict("What?", show.dump(speedy.trace(ITEM))),
}


def words(text):
    return {word.strip(".'-") for word in re.findall(r"[\w.'-]+", text)} - {""}


def visible(markup):
    """The words of some HTML, without style, script and what only decorates."""
    markup = re.sub(r"<(style|script)\b[^>]*>.*?</\1>", "", markup, flags=re.DOTALL)
    markup = re.sub(r'<div class="bw-scroll" aria-hidden="true">.*?</div></div></div>', "", markup)
    markup = re.sub(r'<ul class="bw-legend">.*?</ul>', "", markup)
    return words(html.unescape(re.sub(r"<[^>]+>", " ", markup)))


@pytest.mark.parametrize("shown", SHOWN.values(), ids=SHOWN)
def test_the_text_says_what_the_html_says(shown):
    text = repr(shown).replace("`", "").replace("( )", "")
    seen = visible(shown._repr_html_())
    assert words(text) - seen <= {"Answer"}
    assert seen - words(text) <= {"The", "answer", "All", "runs", "3"}


@pytest.mark.parametrize("shown", SHOWN.values(), ids=SHOWN)
def test_outputs_are_the_same_each_time_and_well_formed(shown):
    markup = shown._repr_html_()
    assert markup == shown._repr_html_()
    body = re.sub(r"<(style|script)\b[^>]*>.*?</\1>", "", markup, flags=re.DOTALL)
    for tag in ("table", "tr", "td", "th", "div", "span", "details", "figure", "ul", "li", "p"):
        assert len(re.findall(rf"<{tag}[ >]", body)) == body.count(f"</{tag}>"), tag


def test_a_dump_names_every_byte_and_its_roles():
    text = repr(SHOWN["every role"])
    for role in ("tag", "value", "present", "length", "text"):
        assert role in ROLES
        assert f" {role} " in text
    grid = re.findall(r'class="bw-b bw-\w+[^>]*>([0-9a-f]{2})<', SHOWN["dump"]._repr_html_())
    assert "".join(grid) == speedy.encode(ITEM).hex()


def test_a_dump_says_what_is_missing_or_left():
    assert "UnexpectedEnd: 8 items of at least 16 bytes" in repr(SHOWN["cut short"])
    assert "4 bytes from byte 18 on not read" in repr(SHOWN["left over"])
    assert "36 more fields not shown" in repr(SHOWN["limited"])


def test_evaluating_a_trace_shows_its_dump():
    trace = speedy.trace(ITEM)
    assert repr(trace) == repr(show.dump(trace))
    assert trace._repr_html_() == show.dump(trace)._repr_html_()


def test_steps_count():
    steps = SHOWN["steps"]
    assert (steps.tally("compare"), steps.tally("sign"), steps.bytes.hex()) == (2, 1, "fcdf220200")
    with pytest.raises(CodecError, match="steps are those of an integer"):
        show.steps(1, str, bincode)
    with pytest.raises(CodecError, match="does not fit"):
        show.steps(300, u8, bincode)


def test_an_archive_aligns_too():
    """Its spans stand in another order, and some only it has: all are there, once."""
    alignment = show.align(DOCUMENT, speedy, rkyv)
    for column, trace in enumerate(alignment.traces):
        kept = [spans[column] for *_, spans in alignment.rows if spans[column]]
        assert sorted(kept, key=lambda span: span.start) == trace.spans
    assert alignment.costs()["padding"] == [0, 38]
    with pytest.raises(TypeError, match="is not a format"):
        show.align(DOCUMENT, speedy, "rkyv")


def test_costs_add_up():
    costs = show.align(DOCUMENT, speedy, bincode, postcard).costs()
    total = costs.pop("total")
    assert [sum(column) for column in zip(*costs.values(), strict=True)] == total
    saved = {kind: row[0] - row[2] for kind, row in costs.items()}
    assert saved == {"length": 33, "text": 0, "i32": 27, "i64": 41}


# --- In a browser -------------------------------------------------------------------------------


def opened(browser, *shown, scripts=True):
    context = browser.new_context(java_script_enabled=scripts)
    tab = context.new_page()
    body = "".join(one._repr_html_() for one in shown)
    tab.set_content(f"<!doctype html><meta charset=utf-8><title>t</title><body>{body}")
    return tab


def test_the_answer_waits_for_a_guess(browser):
    tab = opened(browser, SHOWN["typed"])
    answer = tab.get_by_text("17 bytes")
    expect(answer).to_be_hidden()
    tab.get_by_role("button", name="Commit my guess").click()
    expect(answer).to_be_hidden()
    expect(tab.get_by_role("status")).to_contain_text("Commit to something first")
    tab.get_by_role("textbox").fill("24")
    tab.keyboard.press("Enter")
    expect(answer).to_be_visible()
    expect(tab.get_by_role("status")).to_contain_text("You said: 24 bytes")
    tab.get_by_role("button", name="Hide it and guess again").click()
    expect(answer).to_be_hidden()
    expect(tab.get_by_role("textbox")).to_be_focused()
    tab.get_by_role("button", name="I do not know, show me").click()
    expect(answer).to_be_visible()


def test_a_choice_by_keyboard_stays_in_sight(browser):
    tab = opened(browser, SHOWN["chosen"])
    tab.get_by_role("radio").first.focus()
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Enter")
    expect(tab.get_by_text("The first.")).to_be_visible()
    expect(tab.get_by_role("status")).to_contain_text("You said: the second")
    expect(tab.locator("li.bw-mine")).to_have_text("the second")
    expect(tab.get_by_role("listitem")).to_have_count(2)


def test_a_choice_with_a_unit_is_marked_too(browser):
    tab = opened(browser, show.predict("How many?", 17, choices=["17", "18"], unit="bytes"))
    tab.get_by_role("radio").last.check()
    tab.get_by_role("button", name="Commit my guess").click()
    expect(tab.locator("li.bw-mine")).to_have_text("18")


def test_keys_typed_in_a_question_reach_nobody_else(browser):
    tab = opened(browser, SHOWN["typed"])
    tab.evaluate("heard = 0; document.addEventListener('keydown', () => heard++)")
    tab.get_by_role("textbox").press("b")
    tab.get_by_role("button", name="I do not know, show me").click()
    tab.locator("summary").press("x")
    tab.get_by_role("button", name="Hide it and guess again").press("d")
    assert tab.evaluate("heard") == 0
    tab.evaluate("document.activeElement.blur()")
    tab.keyboard.press("b")
    assert tab.evaluate("heard") == 1


def test_jupyterlab_gets_the_keys_that_an_element_has_no_use_for(browser):
    tab = opened(browser, SHOWN["typed"])
    tab.evaluate(
        """() => {
          heard = [];
          document.addEventListener("keydown", ({ key }) => heard.push(key));
          const cell = document.createElement("div");
          Object.assign(cell, { className: "jp-Cell", tabIndex: -1 });
          cell.append(...document.body.childNodes);
          document.body.append(cell);
        }"""
    )
    box = tab.get_by_role("textbox")
    for keys in ("Control+a", "Control+z", "Shift+Enter"):  # the last commits the guess
        box.press(keys)
    assert tab.evaluate("heard.filter((key) => key.length === 1 || key === 'Enter')") == []
    for keys in ("Control+s", "Control+Enter"):
        box.press(keys)
    tab.get_by_role("button", name="Commit my guess").press("Shift+Enter")
    heard = tab.evaluate("heard.filter((key) => key !== 'Control' && key !== 'Shift')")
    assert heard == ["s", "Enter", "Enter"]
    box.press("Escape")
    assert tab.evaluate("document.activeElement.className") == "jp-Cell"


def test_without_scripts_the_answer_folds_out(browser):
    tab = opened(browser, SHOWN["chosen"], scripts=False)
    expect(tab.get_by_text("the first", exact=True)).to_be_visible()
    expect(tab.get_by_text("The first.")).to_be_hidden()
    tab.get_by_text("The answer").click()
    expect(tab.get_by_text("The first.")).to_be_visible()


def test_the_line_up_says_what_a_turn_changes(browser):
    tab = opened(browser, SHOWN["lineup"])
    expect(tab.get_by_text("27 ns")).to_be_visible()
    tab.get_by_label("variable").check()
    expect(tab.get_by_role("status")).to_contain_text("+84 ns (+311 %), +958 instructions")
    tab.get_by_label("native").check()
    expect(tab.get_by_role("status")).to_contain_text("no difference seen in time")
    tab.get_by_label("fixed").check()
    expect(tab.get_by_role("status")).to_contain_text("was not recorded")
    tab.get_by_text("All 3 runs").click()
    expect(tab.get_by_role("cell", name="1,539")).to_be_visible()


def test_two_questions_do_not_share_their_choices(browser):
    tab = opened(browser, SHOWN["chosen"], SHOWN["chosen"])
    radios = tab.get_by_role("radio")
    radios.nth(0).check()
    radios.nth(3).check()
    expect(radios.nth(0)).to_be_checked()


@pytest.mark.parametrize("name", ["lineup", "typed", "chosen"])
def test_an_element_that_arrives_in_pieces_is_built_once_and_whole(browser, name):
    """The script is there already, and the parser stops in the middle of a later element."""
    first, second = SHOWN[name]._repr_html_(), SHOWN[name]._repr_html_()
    # In a line-up before its first run, else inside the fold-out.
    cut = second.index("</tr>" if name == "lineup" else "</summary>", second.index("<bw-"))
    tab = browser.new_page()
    wrong = []
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    tab.set_content("<!doctype html><title>t</title><iframe></iframe>")
    tab.evaluate(
        """([before, after]) => {
          const page = document.querySelector("iframe").contentDocument;
          page.open();
          page.write(before);
          return new Promise((done) => setTimeout(() => {
            page.write(after); page.close(); setTimeout(done, 200); }, 100));
        }""",
        [f"<!doctype html><title>t</title>{first}{second[:cut]}", second[cut:]],
    )
    inside = tab.frame_locator("iframe")
    assert not wrong
    tag = "bw-lineup" if name == "lineup" else "bw-predict"
    controls = [inside.locator(tag).nth(i).locator("input").count() for i in (0, 1)]
    assert controls[0] == controls[1] > 0
    if name == "lineup":
        inside.locator(tag).nth(1).get_by_label("native").check()
        expect(inside.locator(tag).nth(1).get_by_role("status")).to_contain_text("not recorded")
    tab.close()
