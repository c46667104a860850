"""A Sphinx extension: the directive `chapters` lists the chapters.

Each stands with its minutes and the first of its objectives, as its metadata give them.
"""

import json
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList

ROOT = Path(__file__).resolve().parents[2]


class Chapters(Directive):
    def run(self):
        lines = []
        for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
            about = json.loads(path.read_text(encoding="utf-8"))["metadata"]["bytewalk"]
            promise = f"You learn to {about['objectives'][0]['text']}. {about['minutes']} minutes."
            lines += [f"[](../notebooks/{path.name})", f": {promise}", ""]
        box = nodes.container(classes=["chapters"])
        self.state.nested_parse(StringList(lines), self.content_offset, box)
        return [box]


def setup(app):
    app.add_directive("chapters", Chapters)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
