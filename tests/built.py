"""The built book, for the tests that read or open its pages. `make test` builds it first."""

from pathlib import Path

from .browser import missing

ROOT = Path(__file__).resolve().parent.parent
HTML = ROOT / "_build" / "html"
# All but index.html at the top, which only leads on to the title page.
FOUND = sorted(
    path.relative_to(HTML).as_posix()
    for path in HTML.rglob("*.html")
    if "_static" not in path.parts and "_sources" not in path.parts and path != HTML / "index.html"
)
# A name in place of no pages, so that their tests are reported.
PAGES = FOUND or ["(none built)"]
TITLE_PAGE = "book/index.html"
# Made by the builder, from the others: no reader walks into them.
MADE = {"genindex.html", "search.html"}
CHAPTERS = [page for page in PAGES if page.startswith("notebooks/")]


def needed():
    """Skip the test, or under CI fail it, when there is no book to look at."""
    if not FOUND:
        missing("the book is not built: run `make book` first")
