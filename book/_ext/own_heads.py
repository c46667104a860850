"""A Sphinx extension: what a page says of itself, in its head and at the folder's top.

Each page has a description of its own: the one in its front matter (`myst: html_meta:`) if there is
one, or else the first sentences of its first paragraph. And the redirect at the top of the built
folder is a whole page, with a link for whoever is not taken along.
"""

import re
from html import escape
from pathlib import Path

from docutils import nodes

# The pages that Sphinx makes of the others.
MADE = {
    "genindex": "Every word that the glossary of Bytewalk explains, from A to Z.",
    "search": "Search the pages of Bytewalk.",
}
LONGEST = 160  # characters: about what a search engine shows
REDIRECT = """\
<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<meta name="description" content="{description}">
<link rel="icon" href="_static/favicon.svg">
<meta http-equiv="refresh" content="0; url={root}.html">
</head>
<body><main><h1>{title}</h1><p><a href="{root}.html">Open the book</a></p></main></body>
</html>
"""


def shorten(text: str) -> str:
    """The first sentences of a text that fit into a description, or as many words of the first."""
    text = " ".join(text.split())
    ends = [match.start() for match in re.finditer(r"(?<=[.?!])(?= [A-Z]|$)", text)]
    fitting = [end for end in ends if end <= LONGEST]
    if fitting:
        return text[: fitting[-1]]
    return text[: LONGEST - 1].rpartition(" ")[0].rstrip(",;:") + "…"


def describe(doctree) -> str:
    return shorten(next(doctree.findall(nodes.paragraph)).astext())


def add_head(app, pagename, templatename, context, doctree):
    if pagename == app.config.root_doc:
        context["title"] = context["tagline"]  # or its <title> would be "Bytewalk — Bytewalk"
    if 'name="description"' not in context.get("metatags", ""):
        text = escape(MADE[pagename] if doctree is None else describe(doctree))
        context["metatags"] = (
            context.get("metatags", "") + f'\n    <meta name="description" content="{text}" />'
        )


def write_redirect(app, exception):
    if exception is not None:
        return
    root = app.config.root_doc
    page = REDIRECT.format(
        language=app.config.language,
        title=escape(app.config.html_title or app.config.project),
        description=escape(describe(app.env.get_doctree(root))),
        root=root,
    )
    (Path(app.outdir) / "index.html").write_text(page, encoding="utf-8")


def setup(app):
    app.connect("html-page-context", add_head)
    app.connect("build-finished", write_redirect, priority=400)  # before sphinx_external_toc's
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
