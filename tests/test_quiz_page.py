"""The questions in a headless Chromium: the script of the page says what Python says, and every
kind of question can be answered by keyboard."""

import re

import pytest
from bytewalk import quiz
from bytewalk.quiz.bank import CHAPTERS
from bytewalk.quiz.page import _drawn
from playwright.sync_api import expect

from .test_quiz import BANK, HOSTILE, notations

ADDRESS = "http://127.0.0.1:9/quiz.html"  # nobody is there: the test itself answers


def opened(browser, *asked, scripts=True):
    """A page that holds these outputs, at an address, so that it may keep progress."""
    context = browser.new_context(java_script_enabled=scripts)
    body = "".join(one._repr_html_() for one in asked)
    page = f"<!doctype html><meta charset=utf-8><title>t</title><body>{body}"
    context.route("**/*", lambda route: route.fulfill(body=page, content_type="text/html"))
    tab = context.new_page()
    tab.wrong = []
    tab.on("pageerror", lambda error: tab.wrong.append(str(error)))
    tab.goto(ADDRESS)
    return tab


def status(tab):
    return tab.locator("bw-quiz").get_by_role("status")


# --- The same in both ---------------------------------------------------------------------------


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_page_carries_the_draws_and_says_what_python_says(browser, chapter):
    questions = quiz.questions(chapter)
    tab = opened(browser, *(quiz.ask(question.id) for question in questions))
    for question in questions:
        carried = tab.evaluate(
            """(id) => {
              const quiz = document.getElementById("question-" + id);
              return quiz.data.seeds.map((_, i) => {
                quiz.show(i);
                return [quiz.prompt, quiz.steps, quiz.right, quiz.why, quiz.slips, quiz.tips,
                        quiz.extra];
              });
            }""",
            question.id,
        )
        assert carried == [_drawn(question.draw(seed)) for seed in question.seeds], question.id
        for seed in question.seeds[:: 13 if question.varied else 1]:
            task = question.draw(seed)
            answers = list(table(task))
            said = tab.evaluate(
                """([id, i, answers]) => {
                  const quiz = document.getElementById("question-" + id);
                  quiz.show(i);
                  return answers.map((text) => [quiz.answer(text), quiz.status.textContent]);
                }""",
                [question.id, seed, answers],
            )
            for text, (sentence, shown) in zip(answers, said, strict=True):
                assert sentence == task.check(text).text, (question.id, seed, text)
                assert shown == sentence.replace("`", "") or "`" in text
    assert not tab.wrong


def table(task):
    """Answers of every sort to one task, as text."""
    yield task.solution.answer
    yield from task.known()
    yield from HOSTILE
    if task.kind == "bytes":
        right = bytes.fromhex(task.right)
        yield from notations(right)
        yield from (right[:size].hex() for size in range(1, len(right)))
        yield from ((right + more).hex() for more in (b"\0", b"\1" * 7))
        yield from ((front + right).hex() for front in (b"\0", b"\1" * 7, right))
        beliefs = [slip.parts for slip in task.slips if slip.parts]
        for n, parts in enumerate(beliefs):  # one that struck once, and two that struck in turn
            other = beliefs[n - 1]
            for at, part in enumerate(parts):
                yield "".join([*task.fields()[:at], part, *task.fields()[at + 1 :]])
                yield "".join([*other[:at], part, *task.fields()[at + 1 :]])
        for at in range(len(right)):
            yield (right[:at] + bytes([right[at] ^ 0x5A]) + right[at + 1 :]).hex(" ")
    elif task.kind == "number":
        yield from (f"{task.right} {task.unit}", f"{task.right}.0", "-3", "1e3", "123,456.789")
        yield from (str(n) for n in range(-5, 40))
    elif task.kind == "range":
        size = len(task.data)
        yield from (f"{first}-{last}" for first in range(0, size, 3) for last in range(1, size, 2))
    elif task.kind == "verdict":
        for n in range(-2, 30):
            yield from (f"accepted {n}", f"refused {n}", f"Accepts: {n}", f"It is refused at {n}")
    elif task.kind == "order":
        most = len(task.steps)
        for turn in range(most):
            numbers = [(n + turn) % most + 1 for n in range(most)]
            yield from (" ".join(map(str, numbers)), ",".join(map(str, numbers[::-1])))
    elif task.kind == "choice":
        yield from ("1", "2", "3.", "4", "5", "6", "17")
    else:
        yield from ("Because it is.", "two words", "It asks every number how large it is.")


# --- By hand ------------------------------------------------------------------------------------


def test_bytes_are_typed_and_checked(browser):
    tab = opened(browser, quiz.ask("02-article"))
    tab.get_by_role("textbox").press_sequentially("01 00 00 00 41")
    tab.keyboard.press("Enter")
    expect(status(tab)).to_contain_text("Too short. The message begins with your 5 bytes")
    expect(status(tab).locator("code")).to_have_text("qty")
    tab.get_by_role("textbox").fill("[1,0,0,0, 65, 1,0,0,0, 2,0,0,0,0,0,0,0]")
    tab.get_by_role("button", name="Check").click()
    expect(status(tab)).to_contain_text("Correct. 17 bytes")
    expect(tab.get_by_text("answered")).to_be_visible()


def test_hints_come_one_by_one_and_the_solution_folds_out(browser):
    tab = opened(browser, quiz.ask("02-article"))
    hints = tab.locator(".bw-hints li")
    expect(hints).to_have_count(0)
    tab.get_by_role("button", name="Hint").click()
    expect(hints).to_have_count(1)
    tab.get_by_role("button", name="Hint").click()
    expect(hints).to_have_count(2)
    tab.get_by_role("button", name="Hint").focus()
    tab.keyboard.press("Enter")
    expect(hints).to_have_count(3)
    expect(hints.last).to_be_focused()  # where the button was, nothing is left to hold the focus
    expect(tab.get_by_role("button", name="Hint")).to_be_hidden()
    expect(tab.get_by_text("Together 17 bytes")).to_be_hidden()
    tab.get_by_text("Worked solution").click()
    expect(tab.get_by_text("Together 17 bytes")).to_be_visible()


def test_another_draw_is_another_question(browser):
    tab = opened(browser, quiz.ask("02-article"))
    another = tab.get_by_role("button", name="Another draw")
    expect(tab.get_by_text("02-article, seed 0", exact=True)).to_be_visible()
    tab.get_by_role("textbox").fill("00")
    tab.keyboard.press("Enter")
    another.click()
    said = tab.get_by_text("02-article, seed 1", exact=True)
    expect(said).to_be_visible()
    expect(said).to_have_attribute("aria-live", "polite")
    expect(status(tab)).to_be_empty()
    expect(tab.get_by_role("textbox")).to_have_value("")
    task = BANK["02-article"].draw(1)
    expect(tab.locator(".bw-ask")).to_have_text(task.prompt.replace("`", ""))
    tab.get_by_role("textbox").fill(task.solution.answer)
    tab.keyboard.press("Enter")
    expect(status(tab)).to_contain_text("Correct.")
    expect(tab.locator(".bw-done")).to_have_text("\u2713 answered, seed 1")
    for _ in range(29):
        another.click()
    expect(tab.get_by_text("02-article, seed 0", exact=True)).to_be_visible()


@pytest.mark.parametrize(("asked", "seed"), [("7", 7), ("29", 29), ("30", 0), ("x", 0), ("", 0)])
def test_a_link_can_ask_for_a_draw(browser, asked, seed):
    tab = opened(browser, quiz.ask("02-article"), quiz.ask("02-item"))
    tab.goto(f"{ADDRESS}?seed={asked}#question-02-item")
    expect(tab.get_by_text(f"02-item, seed {seed}", exact=True)).to_be_visible()
    expect(tab.get_by_text("02-article, seed 0", exact=True)).to_be_visible()


def test_a_draw_that_the_page_does_not_carry_comes_first_in_a_notebook(browser):
    tab = opened(browser, quiz.ask("02-article", seed=123))
    prompt = BANK["02-article"].draw(123).prompt.replace("`", "")
    expect(tab.locator(".bw-ask")).to_have_text(prompt)
    expect(tab.get_by_text("02-article, seed 123", exact=True)).to_be_visible()


def test_a_seed_beyond_what_a_script_counts_exactly_is_shown_exactly(browser):
    tab = opened(browser, quiz.ask("02-article", seed=2**64 - 1))
    expect(tab.get_by_text(f"02-article, seed {2**64 - 1}", exact=True)).to_be_visible()


def test_a_number_has_its_unit(browser):
    tab = opened(browser, quiz.ask("02-size"))
    tab.get_by_label("Your answer: bytes").fill("1,000 bytes")
    tab.keyboard.press("Enter")
    expect(status(tab)).to_have_text("1000 is too large.")
    tab.get_by_label("Your answer: bytes").fill(BANK["02-size"].draw().right)
    tab.keyboard.press("Enter")
    expect(status(tab)).to_contain_text("Correct.")


def test_a_choice_by_keyboard(browser):
    tab = opened(browser, quiz.ask("05-rename"))
    task = BANK["05-rename"].draw()
    tab.get_by_role("button", name="Check").click()
    expect(status(tab)).to_contain_text("Write an answer first")
    tab.get_by_role("radio").first.focus()
    tab.keyboard.press("Space")
    for _ in range(int(task.right) - 1):
        tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Enter")
    expect(status(tab)).to_contain_text("Correct.")


def test_an_order_by_keyboard(browser):
    tab = opened(browser, quiz.ask("07-trial"))
    task = BANK["07-trial"].draw()
    steps = tab.locator("form li")
    for place, step in enumerate(task.right.split()):
        while True:
            shown = steps.evaluate_all("items => items.map((item) => item.dataset.step)")
            at = shown.index(step)
            if at == place:
                break
            steps.nth(at).get_by_role("button", name=re.compile("^Move up")).focus()
            tab.keyboard.press("Enter")
            expect(status(tab)).to_have_text(f"Now in place {at}.")
            button = steps.nth(at - 1).get_by_role("button", name=re.compile("^Move up"))
            expect(button).to_be_focused()
    tab.get_by_role("button", name="Check").click()
    expect(status(tab)).to_contain_text("Correct.")
    steps.first.get_by_role("button", name=re.compile("^Move down")).click()
    tab.get_by_role("button", name="Check").click()
    expect(status(tab)).to_contain_text("Place 1 is the first that differs")


def test_a_range_by_keyboard_and_by_mouse(browser):
    tab = opened(browser, quiz.ask("01-find"))
    task = BANK["01-find"].draw()
    first, last = map(int, task.right.split("-"))
    field = tab.get_by_role("textbox")

    tab.get_by_role("button", name="byte 0,").focus()
    for _ in range(first):
        tab.keyboard.press("ArrowRight")
    tab.keyboard.press("Space")
    for _ in range(last - first):
        tab.keyboard.press("Shift+ArrowRight")
    expect(field).to_have_value(task.right)
    expect(tab.locator("button[aria-pressed=true]")).to_have_count(last - first + 1)
    tab.get_by_role("button", name="Check").click()
    expect(status(tab)).to_contain_text("Correct.")

    field.fill("0-3")
    expect(tab.locator("button[aria-pressed=true]")).to_have_count(4)
    tab.get_by_role("button", name=f"byte {last},").click()
    tab.get_by_role("button", name=f"byte {first},").click()
    expect(field).to_have_value(task.right)
    tab.get_by_role("button", name=f"byte {first},").click()
    expect(field).to_have_value(f"{first}-{first}")

    tab.get_by_role("button", name="byte 0,").hover()
    tab.mouse.down()
    tab.get_by_role("button", name="byte 2,").hover()
    tab.mouse.up()
    expect(field).to_have_value("0-2")


def test_a_range_by_touch(browser):
    context = browser.new_context(has_touch=True, viewport={"width": 390, "height": 800})
    tab = context.new_page()
    tab.set_content(quiz.ask("01-find")._repr_html_())
    first, last = map(int, BANK["01-find"].draw().right.split("-"))
    for _ in range(2):
        tab.get_by_role("button", name=f"byte {first},").tap()
        tab.get_by_role("button", name=f"byte {last},").tap()
        expect(tab.get_by_role("textbox")).to_have_value(f"{first}-{last}")
    context.close()


@pytest.mark.parametrize("width", [1280, 390])
def test_the_bytes_of_a_dump_stand_in_columns_beside_their_offsets(browser, width):
    tab = opened(browser, quiz.ask("01-find"), quiz.ask("08-find"))
    tab.set_viewport_size({"width": width, "height": 900})
    for grid in tab.locator(".bw-bytes").all():
        boxes = grid.evaluate(
            """(grid) => [...grid.children].map((node) => {
              const box = node.getBoundingClientRect();
              return [node.tagName, box.left, box.right, box.bottom];
            })"""
        )
        rows = [boxes[at : at + 9] for at in range(0, len(boxes), 9)]
        assert all([box[0] for box in row][:2] == ["SPAN", "BUTTON"] for row in rows)
        for row in rows:
            assert row[0][2] == rows[0][0][2]  # offsets end at one line
            assert [box[1] for box in row[1:]] == [box[1] for box in rows[0][1 : len(row)]]
            assert row[0][3] <= row[1][3] + 1  # and stand in the row of their bytes


def test_a_verdict_is_gone_when_the_answer_is_edited(browser):
    tab = opened(browser, quiz.ask("02-size"))
    tab.get_by_role("textbox").fill(BANK["02-size"].draw().right)
    tab.keyboard.press("Enter")
    expect(status(tab)).to_contain_text("Correct.")
    tab.get_by_role("textbox").press("5")
    expect(status(tab)).to_be_empty()


def test_a_verdict(browser):
    tab = opened(browser, quiz.ask("02-fate"))
    task = BANK["02-fate"].draw()
    word, number = task.right.split()
    tab.get_by_role("button", name="Check").click()
    expect(status(tab)).to_contain_text("Write an answer first")
    tab.get_by_label("refuses them" if word == "refused" else "accepts them").check()
    tab.keyboard.press("Enter")
    expect(status(tab)).to_contain_text("And at which byte?")
    tab.get_by_label("At byte, counted from 0").fill(number)
    tab.keyboard.press("Enter")
    expect(status(tab)).to_contain_text("Correct.")


def test_an_argument_is_graded_by_its_reader(browser):
    tab = opened(browser, quiz.ask("03-article"))
    points = BANK["03-article"].draw().points
    tab.get_by_role("textbox").fill("Because small numbers\ntake one byte each.")
    expect(tab.get_by_role("checkbox")).to_have_count(0)
    tab.get_by_role("button", name="Check").click()
    expect(status(tab)).to_contain_text("Compare your answer with these points")
    expect(tab.get_by_role("checkbox")).to_have_count(len(points))
    tab.get_by_role("checkbox").first.check()
    expect(status(tab)).to_have_text(f"1 of {len(points)} points.")
    expect(tab.get_by_text("answered")).to_have_count(0)
    tab.get_by_role("button", name="Check").click()
    expect(tab.get_by_role("checkbox").first).to_be_checked()  # and not asked anew
    for box in tab.get_by_role("checkbox").all():
        box.check()
    expect(tab.get_by_text("\u2713 answered", exact=True)).to_be_visible()


def test_markup_that_is_typed_stays_text(browser):
    tab = opened(browser, quiz.ask("02-article"))
    tab.get_by_role("textbox").fill("<img src=x onerror=alert(1)>")
    tab.keyboard.press("Enter")
    expect(status(tab)).to_contain_text("< is no hexadecimal digit")
    expect(tab.locator("img")).to_have_count(0)


def test_keys_typed_in_a_question_reach_nobody_else(browser):
    tab = opened(browser, quiz.ask("02-article"))
    tab.evaluate("heard = 0; document.addEventListener('keydown', () => heard++)")
    tab.get_by_role("textbox").press("b")
    tab.get_by_role("button", name="Hint").press("Enter")
    assert tab.evaluate("heard") == 0


def test_progress_is_kept_shown_and_cleared(browser):
    tab = opened(browser, quiz.ask("02-article"), quiz.ask("02-size"), quiz.overview())
    progress = tab.locator("bw-progress")
    total = len(BANK)
    expect(progress.get_by_role("status")).to_contain_text(f"0 of {total} questions")
    tab.locator("#question-02-size").get_by_role("textbox").fill(BANK["02-size"].draw().right)
    tab.keyboard.press("Enter")
    expect(progress.get_by_role("status")).to_contain_text(f"1 of {total} questions")
    line = progress.locator("[data-question='02-size']")
    expect(line).to_contain_text("answered")
    tab.reload()
    expect(tab.locator("#question-02-size .bw-done")).to_contain_text("answered")
    expect(tab.locator("#question-02-article .bw-done")).to_be_empty()
    progress.get_by_role("button", name="Clear my progress").click()
    expect(progress.get_by_role("status")).to_contain_text(f"0 of {total} questions")
    expect(tab.locator("#question-02-size .bw-done")).to_be_empty()
    assert not tab.wrong


def test_where_nothing_can_be_kept_it_still_answers(browser):
    """A page without an address of its own has no storage."""
    tab = browser.new_page()
    wrong = []
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    tab.set_content(quiz.ask("02-size")._repr_html_())
    tab.get_by_role("textbox").fill(BANK["02-size"].draw().right)
    tab.keyboard.press("Enter")
    expect(tab.get_by_role("status")).to_contain_text("Correct.")
    expect(tab.locator(".bw-done")).to_contain_text("answered")
    assert not wrong
    tab.close()


@pytest.mark.parametrize("id", ["02-article", "05-rename", "07-trial", "01-find", "03-article"])
def test_without_scripts_question_and_solution_can_be_read(browser, id):
    tab = opened(browser, quiz.ask(id), scripts=False)
    task = BANK[id].draw()
    expect(tab.locator(".bw-ask")).to_have_text(task.prompt.replace("`", ""))
    for line in (*getattr(task, "choices", ()), *getattr(task, "steps", ())):
        expect(tab.get_by_text(line.replace("`", ""), exact=True).first).to_be_visible()
    if task.kind == "range":
        expect(tab.locator("pre")).to_contain_text(task.data[:8].hex(" "))
    last = tab.locator("details li").last
    expect(last).to_be_hidden()
    tab.get_by_text("Worked solution").click()
    expect(last).to_have_text(task.solution.steps[-1].replace("`", ""))


def test_without_scripts_the_list_of_questions_can_be_read(browser):
    tab = opened(browser, quiz.overview(), scripts=False)
    expect(tab.get_by_role("link")).to_have_count(len(BANK))
    expect(tab.get_by_role("heading", level=3)).to_have_count(len(CHAPTERS))


@pytest.mark.parametrize("width", [1280, 390])
def test_no_question_is_wider_than_the_page(browser, width):
    tab = opened(browser, *(quiz.ask(id) for id in BANK), quiz.overview())
    tab.set_viewport_size({"width": width, "height": 900})
    wide = tab.evaluate(
        "() => [...document.querySelectorAll('bw-quiz, bw-progress')].filter((quiz) => "
        "quiz.scrollWidth > quiz.clientWidth + 1).map((quiz) => quiz.id)"
    )
    assert wide == []
