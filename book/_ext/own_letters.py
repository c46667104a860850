"""A Sphinx extension: above a glossary stand its letters, each a link to its first term."""

from docutils import nodes
from sphinx import addnodes


def add_letters(app, doctree):
    for glossary in list(doctree.findall(addnodes.glossary)):
        first = {}
        for term in glossary.findall(nodes.term):
            first.setdefault(term.astext()[0].upper(), term["ids"][0])
        line = nodes.paragraph(classes=["letters"])
        for letter, place in sorted(first.items()):
            line += [nodes.reference("", letter, internal=True, refid=place), nodes.Text(" ")]
        glossary.parent.insert(glossary.parent.index(glossary), line)


def setup(app):
    app.connect("doctree-read", add_letters)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
