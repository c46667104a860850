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
    assert len(question.draw().hints) >= 2


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
    for module in (ROOT / "lib/bytewalk/quiz/bank").glob("*.py"):
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


DRAWS = ROOT / "tests" / "vectors" / "quiz-draws.json"


def rights(question):
    """The right answers of a few draws, hashed, so that they do not stand there to be read."""
    seeds = (0, 1, 29, 2**64 - 1) if question.varied else (0,)
    answers = (question.draw(seed).right.encode() for seed in seeds)
    return [hashlib.sha256(answer).hexdigest()[:16] for answer in answers]


def test_the_stream_of_draws_is_the_recorded_one():
    recorded = json.loads(DRAWS.read_text(encoding="utf-8"))
    assert list(recorded) == list(BANK), "for a new question run python -m tests.test_quiz"
    for id, hashes in recorded.items():
        assert rights(BANK[id]) == hashes, (
            f"{id}: other draws than recorded; a class that notes seeds would notice. If that is "
            "meant, run python -m tests.test_quiz"
        )


@every_question
def test_every_seed_has_a_draw(question):
    for seed in (*range(301), 584, 10**18, 2**53 + 1, 2**63, 2**64 - 1):
        task = quiz.ask(question.id, seed=seed).task
        assert task.right or task.kind == "argument"


@every_question
def test_another_draw_looks_like_another_one(question):
    prompts = [task.prompt for task in tasks(question)]
    for this, following in zip(prompts, prompts[1:] + prompts[:1], strict=True):
        assert this != following or not question.varied


def test_seed_and_index_that_are_equal_cannot_be_told_apart():
    for seed in (52, 199, 303, 584):
        calls = quiz.ask("01-same", seed=seed).task.choices
        assert len(set(calls)) == len(calls)


@pytest.mark.parametrize("id", ["02-fate", "03-fate", "04-fate", "08-fate"])
def test_a_decoder_accepts_in_some_draws_and_refuses_in_others(id):
    assert {task.right.split()[0] for task in tasks(BANK[id])} == {"accepted", "refused"}


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
        ('"0b 00 00 00"', "0b000000"),
        ("b'0b 00 00 00'", "0b000000"),
        ("\u201c0b, 00\u201d", "0b00"),
        ("bytes.fromhex('0b00')", "0b00"),
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
        ("17 ns", "17"),
        ("17ns", "17"),
        ("17 NS.", "17"),
        ("007", "7"),
        ("-6", "-6"),
        ("\u22126", "-6"),
        ("+6", "6"),
        ("-0", "0"),
        ("2.20", "2.2"),
        ("2,20", "2.2"),
        ("1,000.50 ns", "1000.5"),
        ("18446744073709551615", "18446744073709551615"),
    ],
)
def test_numbers_in_every_notation(text, plain):
    assert answers.read_number(text, 2, "ns") == plain


HOSTILE = [
    "5 \N{GREEK CAPITAL LETTER MU}",
    "byte\N{LATIN SMALL LETTER LONG S} 4-7",
    "\x1c5\x85",
    "\ufeff5\ufeff",
    "\N{GRINNING FACE}" * 2_600,
    "0b `00` `x`",
    "\u201c0b 00\u201d",
    '"0b 00 00 00"',
    "b'0b 00 00 00'",
    "22 kB",
    "accepted? no: refused 5",
    "refused -3",
    "fa8b",
    "12c",
    "refused 1a",
    "accepted 5 apples",
    "accepted 2.5",
    "2.25",
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
                spellings = [*spellings[:3], int(right), f"{int(right):,}"]
                spellings += [f"{int(right):#x}"] if task.hexadecimal else []
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
            spellings = [right, right.replace(" ", ", "), right.replace(" ", ""), f"[{right}]"]
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
        for more in (b"\0", b"\xff\xff"):
            told = task.check(right + more)
            assert not told.correct
            assert told.text.startswith("Too long.") or told.text in known.values()
        for front in (b"\0", b"\1\2", right):
            told = task.check(front + right)
            assert not told.correct
            assert "stands in front" in told.text or (front + right).hex() in known


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("00-hex", "0xb7"),  # the question, repeated
        ("00-hex", "b7"),
        ("02-size", "22 kB"),
        ("02-size", "22 million"),
        ("02-size", "22 is wrong"),
        ("02-size", "22.00000000000000000000001"),
        ("02-fate", "refused? no: refused 19"),
        ("02-fate", "accepted or refused, 19"),
        ("04-order", "{} or perhaps not"),
        ("01-find", "19-12"),
        ("03-zigzag", "-9"),
        ("03-zigzag", -9),
        ("03-zigzag", "bytes(9)"),
        ("06-order", "0x"),
    ],
)
def test_junk_around_a_right_answer_is_not_correct(id, answer):
    task = BANK[id].draw()
    for one in tasks(BANK[id]) if id == "06-order" else [task]:
        told = one.check(answer.format(one.right) if isinstance(answer, str) else answer)
        assert told.correct is False, one.prompt
    assert task.check(task.right).correct


def test_whatever_an_object_raises_stays_inside():
    class Loud:
        def __str__(self):
            raise KeyError("no text")

    deep = []
    for _ in range(100_000):
        deep = [deep]
    for answer in (Loud(), deep):
        assert quiz.ask("02-size").check(answer).text.startswith("This cannot be read")


ITEM_03 = "02 c3 a9 fb fb 00 fb 58 02"
PLUM = "07000000 00000000 2800000000000000"  # behind the slot of the text
NORTH_WEST = b"north-west".hex() + "0000"


@pytest.mark.parametrize(
    ("id", "answer", "says"),
    [
        # An index or a byte in front is no count of characters.
        ("03-item", f"01 {ITEM_03}", "From byte 1 on these are the right bytes"),
        # The longest part that leaves a right rest, not the first that fits.
        ("03-item", "02 c3 a9 fb 00 fb fb 58 02", misconceptions.OtherOrder.says),
        # A length has no sign.
        ("03-item", "04 c3 a9 fb fb 00 fb 2c 01", misconceptions.EverythingFolded.says),
        # What cannot be settled is named by its first byte.
        ("01-extra", "02 67 63 0a 02 79 66 02", "Byte 0, counted from 0"),
        ("01-extra", "02 67 63 0a 02 79 66 02 00 01", "The index stands in front"),
        ("02-list", "02 61 62 01 63", "Byte 1, counted from 0"),
        # Beliefs that readers have.
        ("02-article", "01 41 02 04", "Those are bincode's bytes"),
        ("02-item", "c3 a9 fe ff ff ff 2c 01 00 00 00 00 00 00", misconceptions.NoLengths.says),
        (
            "02-item",
            "02 00 00 00 00 00 00 00 c3 a9 fe ff ff ff 2c 01 00 00 00 00 00 00",
            misconceptions.LongLengths.says,
        ),
        ("02-list", "02 00 00 00 61 62 63", misconceptions.NoLengths.says),
        (
            "02-list",
            "02 00 00 00 02 00 00 00 61 62 01 63",
            misconceptions.OneByteLengths.says,
        ),
        ("03-zigzag", "05", misconceptions.SignLost.says),
        ("03-zigzag", "fb", "You wrote two's complement in as few bytes"),
        ("03-item", "02 c3 a9 7e fb 58 02", misconceptions.SignLost.says),
        ("03-item", f"02 00 00 00 {ITEM_03[3:]}", "You wrote the text's length at a fixed width"),
        ("03-item", f"{ITEM_03[:8]} 00 {ITEM_03[9:]}", misconceptions.Terminated.says),
        ("03-item", f"02 a9 c3 {ITEM_03[9:]}", misconceptions.TextTurned.says),
        ("03-marker", "fb 70 11", "`fb` announces two bytes"),
        ("03-marker", "70 11 01", "The marker is missing, and so is a zero"),
        ("04-edge", "01 80", "You turned the bytes round"),
        ("04-item", "02 c3 a9 8b 01 58 84", misconceptions.FlagsTurned.says),
        ("00-order", "03 e8 00 00", "You put the zeros behind"),
        # Archives.
        ("08-slot", f"706c756d00000000 {PLUM}", misconceptions.ZeroFilledText.says),
        ("08-slot", "706c756d00000000 07000000 2800000000000000", "You filled the slot"),
        ("08-slot", "706c756dffffffff 0e000000 00000000 2800000000000000", "with zigzag"),
        ("08-slot", "706c756dffffffff 00000007 00000000 2800000000000000", "in big endian"),
        ("08-slot", "706c756dffffffff 00000000 07000000 2800000000000000", "the wrong field"),
        ("08-elsewhere", f"{NORTH_WEST} 8a000000 0c000000 03000000", "The sign of the distance"),
        ("08-elsewhere", f"{NORTH_WEST} 8a000000 fffffff4 03000000", "in big endian"),
        ("08-elsewhere", f"{NORTH_WEST} 8a000000 f6ffffff 03000000", "the text alone"),
        ("08-elsewhere", f"{NORTH_WEST} 0a000000 f0ffffff 03000000", "The mark is missing"),
        ("08-elsewhere", f"{NORTH_WEST} f4ffffff 8a000000 03000000", "have changed places"),
        ("08-elsewhere", f"8a000000 0c000000 03000000 {NORTH_WEST[:20]}", "the root last"),
        ("08-elsewhere", f"{NORTH_WEST} 8a000000 11223344 03000000", "Byte 16, counted from 0"),
        ("08-length", "64000000 91ffffff", misconceptions.PlainLength.says),
        ("08-length", "64000000 8dffffff", misconceptions.PlainLength.says),
        ("08-length", "e4000000 91ffffff", "only six bits of the length"),
        ("08-distance", "-18", "The padding stands between"),
        ("08-distance", "18", "That is the length of the text"),
        ("08-distance", "0xffffffec", "read as a number without a sign"),
        ("08-inline", "4", "Eight bytes still fit the slot"),
        ("08-order", "24", "what the best order would need"),
        ("08-order", "40", "That is too much"),
        ("08-back", "32-39", "That is the slot of `value`"),
        ("08-back", "14-24", "Byte 24 does not belong to it"),
        # Decimal for hexadecimal, a letter for its code.
        ("02-article", "01 00 00 00 65 01 00 00 00", "Byte 4, counted from 0, is the first"),
        ("02-article", "01000000 65 01000000 0200000000000000", "In hexadecimal 65 is `41`"),
        ("02-article", "01 00 00 00 A 01 00 00 00", "`A` is read as a digit there"),
        # Numbers.
        ("02-size", "18", "Four bytes are missing. The price is an `i64`"),
        ("00-utf8", "19", "A length in front"),
        ("01-rate", "2.8", "Round it to 2 digits"),
        ("01-rate", "352", "That is the time of one cycle"),
        ("03-read", "12c", "That looks hexadecimal"),
    ],
)
def test_no_other_belief_is_blamed(id, answer, says):
    told = quiz.ask(id).check(answer)
    assert told.correct is False and says in told.text


def test_a_misconception_is_blamed_only_if_it_explains_the_whole_answer():
    """Two fields that differ at random: whatever is said is either of the first byte that differs
    or a belief that writes one of the two fields so."""
    dice = random.Random(1)
    for id in ("02-item", "03-item", "04-item", "04-mixed", "02-list"):
        for task in tasks(BANK[id])[:6]:
            fields = task.fields()
            for _ in range(40):
                wrong = list(fields)
                for at in dice.sample(range(len(fields)), 2):
                    wrong[at] = dice.randbytes(len(wrong[at]) // 2).hex()
                answer = "".join(wrong)
                if answer == task.right:
                    continue
                told = task.check(answer).text
                if told not in task.known().values():
                    assert told.startswith("Byte "), told
                    continue
                (*_, slip) = [slip for slip in task.slips if slip.says == told]
                at = next(n for n, (a, b) in enumerate(zip(wrong, fields, strict=True)) if a != b)
                assert slip.answer == answer or slip.parts[at] == wrong[at], (id, answer)


@pytest.mark.parametrize(
    ("id", "answer", "case", "says"),
    [
        ("04-fate", "accepted {small}", "cut", "Every byte here has a flag"),
        ("04-fate", "refused 1", "cut", "Its flag says that one more follows"),
        ("03-fate", "refused 1", "cut", "the decoder stops where it runs out"),
        ("03-fate", "accepted {small}", "cut", "all of them have to be there"),
    ],
)
def test_a_verdict_is_explained_by_what_decides_it(id, answer, case, says):
    seen = 0
    for task in tasks(BANK[id]):
        data = bytes.fromhex(re.search("reads `([0-9a-f ]+)`", task.prompt)[1])
        if task.right != f"refused {len(data)}":
            continue  # not cut short
        small = data[0] - 128 if id == "04-fate" else data[1]
        told = task.check(answer.format(small=small))
        assert told.correct is False and says in told.text
        seen += 1
    assert seen


def test_a_verdict_that_is_near():
    task = BANK["02-fate"].draw()
    assert task.right == "refused 19"
    assert "gets further than byte 9" in task.check("refused 9").text
    assert "does not get as far as byte 25" in task.check("refused 25").text


def test_a_choice_may_be_given_by_its_words():
    for seed in range(7):
        task, check = BANK["08-calls"].draw(seed), quiz.ask("08-calls", seed).check
        right = task.choices[int(task.right) - 1]
        for words in (right, right.strip("`"), right.strip("`").upper(), f"{right}()"):
            assert check(words).correct, words
        others = {choice for choice in task.choices if choice != right}
        assert not any(check(words).correct for words in (*others, "acces", "a", right * 2))


def test_a_distance_has_a_unit():
    assert quiz.ask("08-distance").check("\u221220 bytes").correct


def test_an_alignment_inside_a_list_counts():
    asked = [task for task in tasks(BANK["08-address"]) if "a document" in task.prompt]
    assert asked
    for task in asked:
        fronts = [int(choice.split()[0]) for choice in task.choices]
        right = fronts[int(task.right) - 1]
        assert right % 8 == 0 and any(front % 4 == 0 for front in fronts if front != right)


def test_what_is_moved_in_an_archive_is_accepted_or_refused_by_where_it_leads():
    said = [task.choices[int(task.right) - 1] for task in tasks(BANK["08-moved"])]
    assert said.count("refused") == 15
    assert any(one.endswith('\\0"`') for one in said) and any("[" in one for one in said)
    for task in tasks(BANK["08-moved"]):
        assert "refused" in task.choices


def test_what_is_said_of_a_claim_fits_its_runs():
    for task in tasks(BANK["06-claim"]):
        says = {task.choices[int(slip.answer) - 1]: slip.says for slip in task.slips}
        average = says["B takes longer, on average over all runs"]
        assert ("An average over machines" in average) == ("On two machines" in task.prompt)
        run = says.get("in this run, on this machine, B took longer", "")
        assert "That is true" not in run
    for task in tasks(BANK["06-order"]):
        told = [slip.says for slip in task.slips if "block apart" in slip.says]
        assert bool(told) == ("ten times, then B" in task.prompt)


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
            if re.fullmatch("[0-9a-f= ]*", text):
                continue  # an answer
            assert text.count("`") % 2 == 0
            assert not re.search(r"[*<>]|  ", re.sub(r"`[^`]*`", "code", text)), text


def test_what_chapter_07_says_of_the_recorded_runs():
    """The questions 07-claims and 07-article lean on these."""
    recorded = json.loads((ROOT / "data/measured/document.json").read_text(encoding="utf-8"))
    profiles = {subject["id"]: subject["profiles"] for subject in recorded["subjects"]}
    builds = []
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
        assert 0 < writing[""] - writing["record"] < gap / 10  # the wrapper is a small part

        base = ns("decode/speedy/own/fixed/document/plain/suite")
        reading = {
            how: ns(call.format("decode", *how.split(), "plain")) - base
            for how in ("serde standard fixture", "serde fixed fixture", "own fixed document")
        }
        gap = reading["serde standard fixture"]
        assert reading["serde fixed fixture"] > gap / 2  # fixed widths leave most of it
        assert reading["own fixed document"] > gap / 10  # and something is left at the end
        bare = ns(call.format("decode", "serde", "standard", "document", "plain")) - base
        assert 0 < gap - bare < gap / 10

        postcard = "{}/postcard/serde/leb128/fixture/{}/suite"
        assert ns(postcard.format("decode", "plain")) < gap + base
        builds.append(ns(postcard.format("encode", "extend")) < writing[""])
    assert set(builds) == {True, False}  # on encoding the builds disagree


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
    """A chapter holds up to fifteen of them, each with its own copy of style and script."""
    sizes = {id: len(quiz.ask(id)._data().encode()) for id in BANK}
    assert max(sizes.values()) < 32_000, max(sizes, key=sizes.get)
    for chapter in CHAPTERS:
        assert sum(sizes[question.id] for question in quiz.questions(chapter)) < 185_000


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


if __name__ == "__main__":  # records the draws of today
    lines = (f"  {json.dumps(id)}: {json.dumps(rights(question))}" for id, question in BANK.items())
    DRAWS.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
