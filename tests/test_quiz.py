"""Questions that answer back: every right answer is told so, every misconception gets its own
explanation, and nothing else is ever called correct."""

import ast
import hashlib
import inspect
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from bytewalk import quiz
from bytewalk.formats import speedy
from bytewalk.quiz import answers, misconceptions, page
from bytewalk.quiz.answers import Unreadable
from bytewalk.quiz.bank import CHAPTERS
from bytewalk.quiz.draws import Draws
from bytewalk.quiz.kinds import Slip, choose, number, write
from bytewalk.quiz.question import Question, Unfit
from bytewalk.quiz.sentences import SENTENCES
from bytewalk.quiz.working import reasoned
from bytewalk.types import u32
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parent.parent
BANK = quiz.bank()
KINDS = {"bytes", "number", "choice", "order", "range", "verdict", "argument"}
every_question = pytest.mark.parametrize("question", BANK.values(), ids=BANK)


def tasks(question):
    return [question.draw(seed) for seed in question.seeds]


# --- The bank -----------------------------------------------------------------------------------


def test_each_chapter_asks_enough_and_mixes_its_kinds():
    for chapter in CHAPTERS:
        own = [question for question in quiz.questions(chapter) if "article" not in question.id]
        assert len(own) >= 5, chapter
        assert len({question.draw().kind for question in own}) >= 3, chapter
        assert len({question.title for question in own}) == len(own), chapter
    assert {question.draw().kind for question in BANK.values()} == KINDS
    assert sum(question.draw().kind == "bytes" for question in BANK.values()) >= 15


def test_the_seven_questions_of_the_articles_are_asked():
    asked = [question for question in BANK.values() if "article" in question.id]
    assert len(asked) == 7
    for question in asked:
        assert any("*Rust: why" in reference for reference in question.references), question.id


@every_question
def test_a_question_stands_in_its_chapter(question):
    assert question.id.startswith(f"{question.chapter}-")
    assert question.references and question.objectives
    assert all(objective.startswith(f"{question.chapter}-") for objective in question.objectives)
    assert question.draw().hints


def notebook(chapter):
    name, title = CHAPTERS[chapter]
    path = ROOT / "notebooks" / f"{name}.ipynb"
    if not path.exists():
        pytest.skip(f"chapter {chapter} is not written yet")
    return json.loads(path.read_text(encoding="utf-8")), title


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_objective_has_a_question_and_every_question_an_objective(chapter):
    contents, title = notebook(chapter)
    assert "".join(contents["cells"][0]["source"]).startswith(f"# {chapter} {title}\n")
    objectives = {one["id"] for one in contents["metadata"]["bytewalk"]["objectives"]}
    served = {one for question in quiz.questions(chapter) for one in question.objectives}
    assert served == objectives


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_reference_to_a_section_leads_to_one(chapter):
    contents, _ = notebook(chapter)
    headings = {
        line.lstrip("# ").strip()
        for cell in contents["cells"]
        if cell["cell_type"] == "markdown"
        for line in "".join(cell["source"]).splitlines()
        if line.startswith("#")
    }
    for question in quiz.questions(chapter):
        for reference in question.references:
            if reference.startswith("chapter "):
                named = reference.split("*")[1::2]
                assert set(named) <= headings, question.id


def test_every_misconception_is_asked_about():
    beliefs = {
        name
        for name, thing in vars(misconceptions).items()
        if inspect.isclass(thing) and isinstance(getattr(thing, "says", None), str)
    }
    used = set()
    for module in (ROOT / "lib/bytewalk/quiz/bank").glob("ch*.py"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "m":
                used.add(node.attr)
    assert beliefs == used - {"written"}
    assert len(beliefs) > 30


# --- Draws --------------------------------------------------------------------------------------


@every_question
def test_all_draws_are_fit_and_the_question_is_solved_by_its_own_solution(question):
    drawn = tasks(question)
    assert len(drawn) == (30 if question.varied else 1)
    for task in drawn:
        assert task.fit()
        told = task.check(task.solution.answer)
        assert told.correct is (None if task.kind == "argument" else True), task.prompt
    if question.varied:
        assert len({task.prompt + str(task.extra()) for task in drawn}) >= 5


@every_question
def test_a_misconception_gets_its_own_explanation(question):
    for task in tasks(question):
        known = task.known()
        for wrong, says in known.items():
            told = task.check(wrong)
            assert (told.correct, told.text) == (False, says)
            assert len(says) > 20 and says[-1] in ".:?"
        if task.kind in ("bytes", "number", "range"):
            assert len(known) >= 3


def test_the_same_seed_is_the_same_question_everywhere():
    """Also where sets and dicts hash their texts otherwise."""
    code = (
        "from bytewalk import quiz\n"
        "from bytewalk.quiz.page import _drawn\n"
        "import hashlib\n"
        "said = [_drawn(q.draw(s)) for q in quiz.bank().values() for s in (0, 5, 2**64 - 1)]\n"
        "print(hashlib.sha256(repr(said).encode()).hexdigest())"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(seen) == 1


def test_the_stream_of_draws_is_the_recorded_one():
    recorded = json.loads((ROOT / "tests/vectors/quiz-draws.json").read_text(encoding="utf-8"))
    assert list(recorded) == list(BANK)
    for id, rights in recorded.items():
        seeds = (0, 1, 29, 2**64 - 1) if BANK[id].varied else (0,)
        now = [
            hashlib.sha256(BANK[id].draw(seed).right.encode()).hexdigest()[:16] for seed in seeds
        ]
        assert now == rights, f"{id}: other draws than before; see the note in this test's file"


def test_a_seed_is_an_int_of_64_bits():
    for seed in (-1, 2**64, 1.0, True, "1", None):
        with pytest.raises(ValueError, match="the seed is an int"):
            quiz.ask("02-article", seed=seed)


def test_a_question_without_a_fit_draw_says_so():
    def make(draws):
        return write("?", 0, speedy, [misconceptions.OtherOrder], type=u32, why="")

    with pytest.raises(Unfit, match="no draw of seed 3"):
        Question("x", "00", "X", (), make, ()).draw(3)


def test_draws_in_which_answers_coincide_are_left_out():
    def make(draws):
        n = draws.within(0, 3)
        slips = [(0, "zero"), (1, "one"), (2, "two"), (n, "n")]
        return number("?", n, slips, why="", solution=reasoned("n", answer=n))

    rights = {Question("x", "00", "X", (), make, ()).draw(seed).right for seed in range(40)}
    assert rights == {"3"}  # with any other, only two misconceptions can be told apart


# --- Reading answers ----------------------------------------------------------------------------


def notations(data):
    pairs = data.hex(" ").split()
    yield from (data.hex(), data.hex(" "), data.hex(" ").upper(), ", ".join(pairs))
    yield from ("\n".join(pairs), "  " + "\t".join(pairs) + "\n", ":".join(pairs), "-".join(pairs))
    yield from (" ".join(f"0x{pair}" for pair in pairs), "0x" + data.hex())
    yield "[" + ", ".join(f"0x{pair}" for pair in pairs) + "]"
    yield from (str(list(data)), f"bytes({list(data)})", repr(data), f"`{data.hex(' ')}`")
    yield "b'" + "".join(f"\\x{pair}" for pair in pairs) + "'"
    yield from ("".join(f"\\x{pair}" for pair in pairs), f"bytes.fromhex('{data.hex(' ')}')")
    yield from ("\N{NO-BREAK SPACE}".join(pairs), " | ".join(pairs), f"{data.hex(' ')}.")
    yield from (f"vec!{list(data)}", "&[" + ", ".join(f"0x{pair}" for pair in pairs) + "]")


@pytest.mark.parametrize("data", [b"\x0b\0", b"A", bytes(range(256)), b"'\"\\\n", b"\x01\x10\x20"])
def test_bytes_in_every_notation(data):
    for text in notations(data):
        assert answers.read_bytes(text) == data.hex(), text


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("0b 0", "0b00"),
        ("[0x0b, 0]", "0b00"),
        ("[10, 20]", "0a14"),
        ("[01, 00]", "0100"),
        ("[0b, 00]", "0b00"),
        ("[10 20]", "1020"),
        ("1 0 0 0", "01000000"),
        ('b"\\x00A\\n"', "00410a"),
    ],
)
def test_bytes_in_a_mixed_notation(text, plain):
    assert answers.read_bytes(text) == plain


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("1000", "1000"),
        ("1,000", "1000"),
        ("1 000", "1000"),
        ("1'000", "1000"),
        ("1_000_000", "1000000"),
        ("0x3e8", "1000"),
        ("0X3E8", "1000"),
        ("17 bytes", "17"),
        ("17bytes", "17"),
        ("17 B.", "17"),
        ("007", "7"),
        ("-6", "-6"),
        ("\u22126", "-6"),
        ("+6", "6"),
        ("-0", "0"),
        ("12 µs", "12"),
        ("2.20", "2.2"),
        ("2,20", "2.2"),
        ("1,000.50 ns", "1000.5"),
        ("18446744073709551615", "18446744073709551615"),
    ],
)
def test_numbers_in_every_notation(text, plain):
    assert answers.read_number(text, 2) == plain


HOSTILE = [
    "",
    "   \n\t ",
    "?",
    "é",
    "\N{MUSICAL SYMBOL G CLEF}",
    "٣",
    "0b 0g",
    "abc",
    "[256, 1]",
    "[,]",
    ",,,",
    'b"',
    'b""',
    'b"é"',
    'b"\\q"',
    "0x",
    "--5",
    "1e9",
    "NaN",
    "None",
    "<script>alert(1)</script>",
    "{at} {0} %s",
    "0" * 4_999,
    "f" * 5_001,
    "9" * 1_000_000,
    "[" * 3_000,
    "-" * 3_000,
    "1" + "a" * 3_000 + "!",
    "\0",
    "5-",
    "7-4",
    "999-1000",
    "0-999999",
    "accepted",
    "refused",
    "refused at",
    "accepted x",
    "refused 99999999999999999999",
    "9 9 9",
    "1 2",
    "0",
    "-1",
    "1",
]


@every_question
def test_hostile_answers_get_a_friendly_sentence(question):
    task = question.draw()
    for text in [*HOSTILE, b"", bytes(10_000), None, 10**5_000, 1.5, True, [1, 2], object(), {}]:
        if isinstance(text, str) and text == task.right:
            continue
        told = task.check(text)
        assert told.correct is not True or task.read(str(text)) == task.right
        assert 10 < len(told.text) < 400 and not re.search(r"\{(?!at)\w+\}", told.text)


@every_question
def test_every_notation_of_the_right_answer_is_accepted(question):
    for task in tasks(question)[:5]:
        right = task.right
        if task.kind == "bytes":
            spellings = [*notations(bytes.fromhex(right)), bytes.fromhex(right)]
        elif task.kind == "number":
            spellings = [right, f"{right} {task.unit}", right.replace("-", "\u2212"), float(right)]
            if not task.places:
                spellings = [*spellings[:3], int(right), f"{int(right):,}", f"{int(right):#x}"]
        elif task.kind == "range":
            spellings = [
                right,
                right.replace("-", " to "),
                right.replace("-", ".."),
                f"bytes {right}",
            ]
        elif task.kind == "verdict":
            word, rest = right.split()
            spellings = [right, right.upper(), f"{word}: {rest}", f"{word[:6]} at byte {rest}"]
        elif task.kind == "order":
            spellings = [right, right.replace(" ", ", "), right.replace(" ", "")]
        elif task.kind == "choice":
            spellings = [right, int(right), f" {right}. "]
        else:
            spellings = []
        for spelling in spellings:
            assert task.check(spelling).correct, spelling


@every_question
def test_a_part_of_a_right_answer_is_not_correct(question):
    for task in tasks(question)[:5]:
        if task.kind != "bytes":
            continue
        right = bytes.fromhex(task.right)
        known = task.known()
        for size in range(1, len(right)):
            told = task.check(right[:size])
            assert not told.correct and "orrect" not in told.text
            assert told.text.startswith("Too short.") or right[:size].hex() in known
        for more in (b"\0", b"\xff\xff", right):
            told = task.check(right + more)
            assert not told.correct
            assert told.text.startswith("Too long.") or (right + more).hex() in known


def test_the_first_byte_that_differs_is_named_with_its_field():
    for question in BANK.values():
        task = question.draw(3) if question.varied else question.draw()
        if task.kind != "bytes":
            continue
        right = bytes.fromhex(task.right)
        for at in range(len(right)):
            wrong = bytearray(right)
            wrong[at] ^= 0x55
            told = task.check(bytes(wrong))
            if told.text in task.known().values():
                continue  # it is what somebody believes
            (span,) = [span for span in task.spans if span.start <= at < span.end]
            assert told.text.startswith(f"Byte {at}, counted from 0")
            assert f"`{wrong[at]:02x}`" in told.text and span.rule in told.text


def test_a_misconception_is_seen_where_it_struck_once():
    """The quantity without zigzag, the price with it."""
    task = quiz.ask("03-item").task
    fields = [bytes.fromhex(task.right)[span.start : span.end] for span in task.spans]
    (slip,) = [slip for slip in task.slips if slip.says == misconceptions.NoZigzag.says]
    assert slip.parts[-2] != fields[-2].hex() and slip.parts[-1] != fields[-1].hex()
    once = b"".join([*fields[:-2], bytes.fromhex(slip.parts[-2]), fields[-1]])
    assert once.hex() not in task.known()
    assert task.check(once).text == misconceptions.NoZigzag.says


def test_feedback_in_words():
    asked = quiz.ask("02-article")
    assert asked.check("01 00 00 00 41 01 00 00 00 02 00 00 00 00 00 00 00").correct
    told = asked.check("01 00 00 00 41 01 00 7c 00 02 00 00 00 00 00 00 00")
    assert told.text == (
        "Byte 7, counted from 0, is the first that differs: you wrote `7c`. There stands the value "
        "of `qty`: i32, 4 bytes, little endian."
    )
    assert asked.check("41 01000000 0200000000000000").text == misconceptions.NoLengths.says
    told = quiz.ask("02-item").check("01000000 c3a9 feffffff 2c01000000000000")
    assert told.text == "You counted characters; Speedy counts bytes. `é` has 2."


def test_a_sentence_has_no_word_that_nobody_fills_in():
    said = {
        node.args[0].value
        for path in (ROOT / "lib/bytewalk/quiz").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") == "say"
        and isinstance(node.args[0], ast.Constant)
    }
    assert said <= set(SENTENCES)


# --- What is shown ------------------------------------------------------------------------------


def test_asking():
    asked = quiz.ask("03-edge")
    assert "Write the `u16` 251 in bincode" in repr(asked)
    assert "fb fb 00" not in repr(asked) and "fb fb 00" in repr(asked.solution)
    assert asked.hint(1) != asked.hint(2)
    assert "No further hint" in asked.hint(9) and "No further hint" in asked.hint(None)
    for id in ("nothing", None, []):
        with pytest.raises(ValueError, match="no question"):
            quiz.ask(id)
    with pytest.raises(ValueError, match="no chapter"):
        quiz.questions("99")
    assert repr(quiz.ask("01-find")).count("\n") >= 3  # with the bytes


@every_question
def test_a_text_that_the_page_sets_has_code_and_no_other_markup(question):
    def texts(value):
        if isinstance(value, str):
            yield value
        elif isinstance(value, list | tuple):
            for one in value:
                yield from texts(one)

    for task in tasks(question)[:8]:
        for text in texts(page._drawn(task)):
            if re.fullmatch("[0-9a-f ]*", text):
                continue  # an answer
            assert text.count("`") % 2 == 0
            assert not re.search(r"[*<>]|  ", re.sub(r"`[^`]*`", "code", text)), text


def test_what_chapter_07_says_of_the_recorded_runs():
    """The questions 07-claims and 07-article lean on these."""
    recorded = json.loads((ROOT / "data/measured/document.json").read_text(encoding="utf-8"))
    profiles = {subject["id"]: subject["profiles"] for subject in recorded["subjects"]}
    for build in ("release", "fat"):

        def ns(name, build=build):
            return profiles[name][build]["ns"]["median"]

        call = "{}/bincode/{}/{}/{}/{}/suite"
        writing = {
            turned: ns(call.format("encode", *how))
            for turned, how in {
                "": ("serde", "standard", "fixture", "write"),
                "widths": ("serde", "fixed", "fixture", "write"),
                "road": ("own", "standard", "fixture", "write"),
                "record": ("serde", "standard", "document", "write"),
                "sink": ("serde", "standard", "fixture", "slice"),
                "all": ("own", "fixed", "document", "slice"),
            }.items()
        }
        gap = writing[""] - ns("encode/speedy/own/fixed/document/write/suite")
        assert gap > 0 and writing[""] - writing["widths"] > gap / 2
        assert abs(writing["all"] - writing[""] + gap) < gap / 4
        assert writing["widths"] < writing["sink"] < min(writing["road"], writing["record"])

        base = ns("decode/speedy/own/fixed/document/plain/suite")
        reading = {
            how: ns(call.format("decode", *how.split(), "plain")) - base
            for how in ("serde standard fixture", "serde fixed fixture", "own fixed document")
        }
        gap = reading["serde standard fixture"]
        assert reading["serde fixed fixture"] > gap / 2  # fixed widths leave most of it
        assert reading["own fixed document"] > gap / 10  # and something is left at the end


def test_an_argument_is_graded_by_its_reader():
    told = quiz.ask("03-article").check("Because every number is asked how large it is.")
    assert told.correct is None and len(told.points) >= 3
    assert all(point in repr(told) for point in told.points)
    assert "<li>" in told._repr_html_()


@every_question
def test_the_element_holds_the_question_and_folded_its_solution(question):
    markup = quiz.ask(question.id)._repr_html_()
    assert markup == quiz.ask(question.id)._repr_html_()
    assert f'id="question-{question.id}"' in markup
    static = markup[markup.index("<p><strong>") :]
    inside = static[: static.index("<details>")]
    assert question.title.replace("'", "&#x27;") in inside
    task = question.draw()
    if task.kind == "bytes" and len(task.right) > 8:
        assert task.right not in markup  # not in clear sight


def test_elements_are_compact():
    """A chapter holds about ten of them, each with its own copy of style and script."""
    sizes = {id: len(quiz.ask(id)._data().encode()) for id in BANK}
    assert max(sizes.values()) < 32_000, max(sizes, key=sizes.get)
    for chapter in CHAPTERS:
        assert sum(sizes[question.id] for question in quiz.questions(chapter)) < 160_000


@pytest.mark.parametrize(
    "column",
    [
        ["a"] * 3,
        ["one 1", "one 2", "one 3"],
        ["`a b` x", "`c` x", "`d` y"],
        [["a", 1], ["a", 2], ["b", 2]],
        [[1], [1, 2], [1, 3], [2], [3], [4]],
        ["", "a", "a b", ""],
        [[], [1], []],
        [1, None, "a"],
    ],
)
def test_packing_loses_nothing(column):
    assert [unpacked(page.packed(column), i) for i in range(len(column))] == column


def unpacked(packed, i):
    how, *rest = packed
    if how == 0:
        return rest[0]
    if how == 1:
        return [unpacked(column, i) for column in rest]
    if how == 2:
        return "".join(unpacked(column, i) for column in rest)
    if how == 4:
        return rest[i]
    groups, *columns = rest
    return unpacked(columns[groups[i]], groups[:i].count(groups[i]))


def test_packing_loses_nothing_of_random_values():
    dice = random.Random(7)

    def some(depth):
        if depth and dice.random() < 0.5:
            return [some(depth - 1) for _ in range(dice.randrange(3))]
        return " ".join(dice.choice(["a", "`b c`", "d.", "5"]) for _ in range(dice.randrange(4)))

    for _ in range(300):
        column = [some(2) for _ in range(dice.randrange(1, 8))]
        assert [unpacked(page.packed(column), i) for i in range(len(column))] == column


def test_the_overview_lists_every_question():
    overview = quiz.overview("x/{page}.html")
    for question in BANK.values():
        name = CHAPTERS[question.chapter][0]
        assert f'href="x/{name}.html#question-{question.id}"' in overview._repr_html_()
        assert question.id in repr(overview) and question.title in repr(overview)


def test_choices_have_numbers():
    task = choose(
        "?", "yes", [("no", "No it is."), ("maybe", "It is not.")], Draws("x", 0), why="."
    )
    assert sorted(task.choices) == ["maybe", "no", "yes"]
    assert task.check(task.choices.index("yes") + 1).correct
    assert task.check(task.choices.index("no") + 1).text == "No it is."
    assert {slip.says for slip in task.slips} == {"No it is.", "It is not."}
    assert isinstance(task.slips[0], Slip)
    with pytest.raises(Unreadable, match="from 1 to 3"):
        task.read("4")


def test_in_a_kernel():
    cells = [
        "from bytewalk import quiz",
        "asked = quiz.ask('02-article')\nasked",
        "asked.check('01 00 00 00 41')",
        "quiz.ask('02-article', seed=123).check(quiz.ask('02-article', seed=123).solution.answer)",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    shown, short, right = (cell.outputs[0].data for cell in notebook.cells[1:])
    assert "<bw-quiz" in shown["text/html"] and "Answer with .check" in shown["text/plain"]
    assert "Too short." in short["text/html"]
    assert short["text/plain"].startswith("Too short. The message begins with your 5 bytes")
    assert right["text/plain"].startswith("Correct.")
