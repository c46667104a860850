"""What every chapter has: objectives with questions, executed cells, a way on."""

import ast
import builtins
import json
from pathlib import Path

import pytest
from bytewalk import quiz

ROOT = Path(__file__).resolve().parent.parent
CHAPTERS = sorted((ROOT / "notebooks").glob("*.ipynb"))


@pytest.fixture(params=CHAPTERS, ids=lambda path: path.stem)
def chapter(request):
    return json.loads(request.param.read_text(encoding="utf-8"))


def source(cell) -> str:
    return "".join(cell["source"])


def code_cells(chapter):
    return [cell for cell in chapter["cells"] if cell["cell_type"] == "code"]


def is_folded(cell) -> bool:
    """On the page by the tag, in JupyterLab by the other."""
    hidden = cell["metadata"].get("jupyter", {}).get("source_hidden", False)
    assert ("hide-input" in cell["metadata"].get("tags", [])) == hidden, cell["id"]
    return hidden


def test_there_are_chapters():
    assert [path.stem[:2] for path in CHAPTERS] == [f"{i:02}" for i in range(len(CHAPTERS))]
    assert len(CHAPTERS) >= 3


def test_every_chapter_is_in_the_table_of_contents():
    contents = (ROOT / "_toc.yml").read_text(encoding="utf-8")
    assert [path.stem for path in CHAPTERS if f"notebooks/{path.stem}\n" not in contents] == []


def test_objectives_stand_on_the_page(chapter):
    about = chapter["metadata"]["bytewalk"]
    assert about["minutes"] > 0
    assert isinstance(about["prerequisites"], list)
    opening = " ".join(" ".join(map(source, chapter["cells"][:3])).split())
    assert f"About {about['minutes']} minutes" in opening
    for objective in about["objectives"]:
        assert objective["text"] in opening, objective["id"]


def test_every_objective_has_a_question_and_every_question_an_objective(chapter):
    objectives = {objective["id"] for objective in chapter["metadata"]["bytewalk"]["objectives"]}
    questions = [
        cell["metadata"]["bytewalk"]
        for cell in chapter["cells"]
        if "question" in cell["metadata"].get("bytewalk", {})
    ]
    names = [question["question"] for question in questions]
    assert len(names) == len(set(names)) >= 5
    served = {objective for question in questions for objective in question["objectives"]}
    assert served == objectives


def test_the_self_check_asks_every_question_of_the_bank(chapter):
    """In the bank's order, with its objectives, its code taken off the page: Lab shows it."""
    number = chapter["metadata"]["bytewalk"]["chapter"]
    asked = [cell for cell in code_cells(chapter) if "quiz.ask(" in source(cell)]
    lines = [source(cell).splitlines()[-1] for cell in asked]
    assert lines == [f'quiz.ask("{question.id}")' for question in quiz.questions(number)]
    for cell, question in zip(asked, quiz.questions(number), strict=True):
        about = {"question": question.id, "objectives": list(question.objectives)}
        assert cell["metadata"]["bytewalk"] == about
        assert cell["metadata"]["tags"] == ["remove-input"]


def test_the_code_of_a_question_is_folded_and_its_first_line_tells_nothing(chapter):
    """JupyterLab shows the first line of a folded cell."""
    questions = [cell for cell in code_cells(chapter) if "show.predict(" in source(cell)]
    assert questions
    for cell in questions:
        assert is_folded(cell), cell["id"]
        assert source(cell).splitlines()[0] == "# Guess first.", cell["id"]


def test_visible_code_does_not_need_the_folded_code(chapter):
    """A reader who leaves the folds closed has seen every name where it was made."""
    seen = set(dir(builtins))
    for cell in code_cells(chapter):
        if is_folded(cell):
            continue
        made, used = names(source(cell))
        assert used <= seen | made, f"{cell['id']}: {sorted(used - seen - made)}"
        seen |= made


def names(code):
    """(the names that this code makes, the names that it uses)"""
    made, used = set(), set()
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                used.add(name)
            case ast.Name(id=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                made.add(name)
            case ast.alias(name=name, asname=other):
                made.add(other or name.split(".")[0])
            case ast.arg(arg=name) | ast.ExceptHandler(name=name) | ast.MatchAs(name=name):
                made.add(name)
    return made, used


def test_cells_are_executed_in_order_and_say_nothing_on_stderr(chapter):
    cells = code_cells(chapter)
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    for cell in cells:
        for output in cell["outputs"]:
            assert output["output_type"] != "error"
            assert output.get("name") != "stderr"


def test_headings_go_down_one_level_at_a_time(chapter):
    levels = [
        len(line) - len(line.lstrip("#"))
        for cell in chapter["cells"]
        if cell["cell_type"] == "markdown"
        for line in source(cell).splitlines()
        if line.startswith("#")
    ]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in zip(levels, levels[1:], strict=False))


def test_a_chapter_ends_with_takeaways_and_references(chapter):
    text = "\n".join(source(cell) for cell in chapter["cells"] if cell["cell_type"] == "markdown")
    for heading in ("## Self-check", "## Takeaways", "## Next", "## References"):
        assert f"\n{heading}\n" in text, heading


def test_pictures_have_alternative_text(chapter):
    for cell in chapter["cells"]:
        if any("image/" in kind for out in cell.get("outputs", []) for kind in out.get("data", {})):
            assert cell["metadata"]["mystnb"]["image"]["alt"]
