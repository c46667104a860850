"""What all HTML outputs share: the style, the script, escaping."""

from __future__ import annotations

import html
import re
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def asset(name: str) -> str:
    """A style sheet or script from `elements`, without comments and indentation: every output
    carries what it needs. "" if there is none of this name."""
    file = files("bytewalk.show").joinpath("elements", name)
    if not file.is_file():
        return ""
    text = file.read_text(encoding="utf-8")
    text = re.sub(r"/\*.*?\*/|^\s*//.*?$", "", text, flags=re.DOTALL | re.MULTILINE)
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())


def styled(body: str, *elements: str) -> str:
    """An output of its own: it carries the common style, and the style and script of each of the
    named elements ("predict", "lineup")."""
    style = "\n".join(filter(None, (asset(f"{name}.css") for name in ("base", *elements))))
    scripts = [asset(f"{name}.js") for name in ("core", *elements)] if elements else []
    tail = "".join(f"<script data-bytewalk>{script}</script>" for script in scripts if script)
    return f"<style data-bytewalk>{style}</style>{body}{tail}"


def escape(value: Any) -> str:
    return html.escape(str(value))


def prose(text: str) -> str:
    """Plain text as HTML; `code` in backquotes and *emphasis* in stars are set as such."""
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))
    return re.sub(r"(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])", r"<em>\1</em>", text)


def plain(text: str) -> str:
    """The same text without the stars of emphasis."""
    return re.sub(r"(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])", r"\1", text)


def both(value: Any) -> tuple[str, str]:
    """A value as (HTML, text): by its own `_repr_html_` if it has one; a str is prose."""
    if isinstance(value, str):
        return f"<p>{prose(value)}</p>", plain(value)
    if hasattr(value, "_repr_html_"):
        return value._repr_html_(), repr(value)
    return f"<p><code>{escape(repr(value))}</code></p>", repr(value)
