"""A Sphinx extension: a folded cell is announced by the words on it.

MyST-NB gives the fold a name for screen readers that hides the words everybody else sees.
"""

from myst_nb.sphinx_ import HideCodeCellNode, depart_HideCellInput, visit_HideCellInput


def visit(self, node):
    start = len(self.body)
    visit_HideCellInput(self, node)
    self.body[start:] = [
        part.replace(' aria-label="Toggle hidden content"', "") for part in self.body[start:]
    ]


def setup(app):
    app.add_node(HideCodeCellNode, override=True, html=(visit, depart_HideCellInput))
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
