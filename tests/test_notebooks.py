"""What every chapter has: objectives with questions, executed cells, a way on."""

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CHAPTERS = sorted((ROOT / "notebooks").glob("*.ipynb"))


@pytest.fixture(params=CHAPTERS, ids=lambda path: path.stem)
def chapter(request):
    return json.loads(request.param.read_text(encoding="utf-8"))


def source(cell) -> str:
    return "".join(cell["source"])


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
    assert f"{about['minutes']} minutes" in opening
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
    assert {question["objective"] for question in questions} == objectives


def test_cells_are_executed_in_order_and_say_nothing_on_stderr(chapter):
    cells = [cell for cell in chapter["cells"] if cell["cell_type"] == "code"]
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
    for heading in ("## Self-check", "## Takeaways", "## References"):
        assert heading in text, heading


def test_pictures_have_alternative_text(chapter):
    for cell in chapter["cells"]:
        if any("image/" in kind for out in cell.get("outputs", []) for kind in out.get("data", {})):
            assert cell["metadata"]["mystnb"]["image"]["alt"]
