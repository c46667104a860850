"""What all HTML outputs share: the style, the script, escaping."""

from __future__ import annotations

import html
import re
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def asset(name: str) -> str:
    """A style sheet or script that stands beside this module, without comments and indentation:
    every output carries it."""
    text = files("bytewalk.show").joinpath(name).read_text(encoding="utf-8")
    text = re.sub(r"/\*.*?\*/|^\s*//.*?$", "", text, flags=re.DOTALL | re.MULTILINE)
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())


def styled(body: str, *, script: bool = False) -> str:
    """An output of its own: it carries the style, and the one script if it needs it."""
    tail = f"<script>{asset('bytewalk.js')}</script>" if script else ""
    return f"<style>{asset('bytewalk.css')}</style>{body}{tail}"


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
