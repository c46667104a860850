"""A Sphinx extension: one style sheet and one script a page for the book's outputs.

Each output of bytewalk.show carries its style and its script, so that it works wherever it is put:
in JupyterLab, or alone in an empty page. On a page of the book they would be there dozens of times.
Here they are taken out of the outputs, and the pages that need them load _static/bytewalk.css and
_static/bytewalk.js, which hold those of every element.
"""

import re
from importlib.resources import files
from pathlib import Path

from bytewalk.show.html import asset
from docutils import nodes

CARRIED = re.compile(r"<(style|script) data-bytewalk>.*?</\1>", re.DOTALL)
FIRST = {".css": "base.css", ".js": "core.js"}


def together(suffix: str) -> str:
    """The text of all elements' files of a kind (".css", ".js"), the common one first."""
    names = [path.name for path in files("bytewalk.show").joinpath("elements").iterdir()]
    names = [name for name in names if name.endswith(suffix)]
    return "\n".join(map(asset, sorted(names, key=lambda name: (name != FIRST[suffix], name))))


def write_files(app):
    # Before any page is written: Sphinx puts a checksum of each file into its address.
    static = Path(app.outdir) / "_static"
    static.mkdir(parents=True, exist_ok=True)
    for suffix in FIRST:
        (static / f"bytewalk{suffix}").write_text(together(suffix) + "\n", encoding="utf-8")


def take_out(app, doctree, docname):
    for raw in doctree.findall(nodes.raw):
        if "html" not in raw.get("format", "").split():
            continue
        text, number = CARRIED.subn("", raw.astext())
        if number:
            raw.children = []
            raw += nodes.Text(text)
            doctree["bytewalk"] = True


def load(app, pagename, templatename, context, doctree):
    if doctree is not None and doctree.get("bytewalk"):
        app.add_css_file("bytewalk.css", priority=900)  # the last one, as it was in the outputs
        app.add_js_file(
            "bytewalk.js", loading_method="async"
        )  # an element comes alive as it arrives


def setup(app):
    app.connect("builder-inited", write_files)
    app.connect("doctree-resolved", take_out)
    app.connect("html-page-context", load)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
