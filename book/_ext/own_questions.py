"""A Sphinx extension: the directive `questions` puts the list of all questions on a page."""

from bytewalk import quiz
from docutils import nodes
from docutils.parsers.rst import Directive


class Questions(Directive):
    def run(self):
        return [nodes.raw("", quiz.overview()._repr_html_(), format="html")]


def setup(app):
    app.add_directive("questions", Questions)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
