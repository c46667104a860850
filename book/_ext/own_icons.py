"""A Sphinx extension: the theme's icons without the theme's icon script.

The theme's buttons name their icons by class (`fa-download`), and its script of 1.5 MB turns each
into a picture. A page uses a dozen icons. Here they come from book/_static/vendor/icons, one SVG
each, as one style sheet: the picture is a mask over the colour of the text. It works without
scripts too. book/_templates/static/webpack-macros.html leaves the theme's script out.
"""

import re
from pathlib import Path
from urllib.parse import quote

ICONS = Path(__file__).resolve().parent.parent / "_static" / "vendor" / "icons"
# The theme's style sheet asks for this one by its place, not by a class.
NAMES = {"angle-down": ".bd-sidebar-secondary .onthispage, "}
STYLE = """\
/* Font Awesome Free's pictures, CC BY 4.0: see vendor/icons/LICENSE.txt.
   An element that names the icon font makes the browser fetch it, be there a letter or not. */
:is(i, span):is(.fa-solid, .fas), .bd-sidebar-secondary .onthispage::after {
  font-family: inherit !important; }
:is(i, span):is(.fa-solid, .fas)::before,
.bd-sidebar-secondary.hide:not(:hover) .onthispage::after {
  content: "" !important; display: inline-block; width: 1em; height: 1em; vertical-align: -.125em;
  background: currentColor; mask: var(--icon) center / contain no-repeat; }
.bd-header-article .btn :is(i, span):is(.fa-solid, .fas) { font-size: 1.3rem; line-height: 1; }
.bd-search .fa-solid.fa-magnifying-glass { position: static; }
@media (forced-colors: active) {
  :is(i, span):is(.fa-solid, .fas)::before { background: ButtonText; } }
"""


def style() -> str:
    """The style sheet: the rule for all icons, and each icon's picture."""
    pictures = []
    for path in sorted(ICONS.glob("*.svg")):
        svg = re.sub(r"<!--.*?-->", "", path.read_text(encoding="utf-8"))
        address = f'url("data:image/svg+xml,{quote(svg, safe=" /:=<>")}")'.replace("%22", "'")
        pictures.append(f"{NAMES.get(path.stem, '')}.fa-{path.stem} {{ --icon: {address}; }}")
    return STYLE + "\n".join(pictures) + "\n"


def write(app):
    static = Path(app.outdir) / "_static"
    static.mkdir(parents=True, exist_ok=True)
    (static / "icons.css").write_text(style(), encoding="utf-8")


def setup(app):
    app.connect("builder-inited", write)
    app.add_css_file("icons.css")
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
