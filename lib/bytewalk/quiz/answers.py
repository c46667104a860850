"""What a reader types, brought into one plain form per kind of answer.

Each function takes the text as it was typed and returns its plain form, a str, by which answers are
compared: hexadecimal digits for bytes, decimal digits for a number, `4-7` for a range of bytes,
`refused 3` for a verdict. It raises `Unreadable`, with a friendly sentence, for anything else.
`show/elements/quiz.js` reads in the same way; the tests hold the two together.
"""

from __future__ import annotations

import re

from bytewalk.quiz.sentences import say

_MOST = 5_000  # characters; the longest right answer has a few hundred
# Spelled out: what `\s` means differs between Python and JavaScript.
_SPACE = "[ \t\n\r\f\v\u00a0\u2000-\u200b\u202f\u3000\ufeff]+"
_PLAIN = str.maketrans("\u2212\u2018\u2019\u201c\u201d", "-''\"\"")


class Unreadable(ValueError):
    """The text is no answer of this kind; the message says what to write."""


def tidy(text: str) -> str:
    """Without space and backquotes around it, every run of space as one blank, a plain minus."""
    if len(text) > _MOST:
        raise Unreadable(say("huge"))
    text = re.sub(_SPACE, " ", text).strip(" `")
    if not text:
        raise Unreadable(say("empty"))
    return text.translate(_PLAIN)


def read_bytes(text: str) -> str:
    """Two lower-case hexadecimal digits per byte, from any of

    `0b 00`, `0b00`, `0B,00`, `0x0b 0x00`, `[0x0b, 0]`, `bytes([11, 0])`, `b"\\x0b\\x00"`,
    `bytes.fromhex("0b 00")`, `"0b 00"`

    A list in brackets, with commas or of one number, holds decimal numbers, as in Python and Rust,
    unless they say `0x` or cannot be decimal. A single digit between separators is a byte.
    """
    text = tidy(text)
    wrapped = re.fullmatch(r"""bytes\.fromhex\( ?["'](.*)["'] ?\)""", text)
    if wrapped:
        text = wrapped[1]
    wrapped = re.fullmatch(r"(?:bytes|bytearray)\( ?([\[(].*[\])]) ?\)", text)
    if wrapped:
        text = wrapped[1]
    text = re.sub(r"""^(?:b(?=.[0-9a-fA-F]{2} ))?(["'])([0-9a-fA-Fx ,]+)\1$""", r"\2", text)
    quoted = re.fullmatch(r"""b?(["'])(.*)\1""", text)
    if quoted:
        return _literal(quoted[2])
    if text.startswith("-"):
        raise Unreadable(say("digit", sign="-"))
    text = text.replace("\\x", " ")
    listed = re.fullmatch(r"(?:&|vec!)?[\[({](.*)[\])}]", text)
    parts = [part for part in re.split(r"[ ,;:_|.-]+", listed[1] if listed else text) if part]
    decimal = listed and ("," in text or len(parts) == 1)
    decimal = decimal and all(_IN_A_LIST.fullmatch(part) for part in parts)
    digits = "".join(map(_number if decimal else _pairs, parts))
    if not digits:
        raise Unreadable(say("empty"))
    return digits


_IN_A_LIST = re.compile(r"0x[0-9a-f]{1,2}|0|[1-9][0-9]{0,5}", re.I | re.ASCII)


def _number(part: str) -> str:
    number = int(part, 16 if part[:2].lower() == "0x" else 10)
    if number > 255:
        raise Unreadable(say("byte", part=part))
    return f"{number:02x}"


def _pairs(part: str) -> str:
    digits = re.sub(r"^0x", "", part, flags=re.I)
    stranger = re.search(r"[^0-9a-f]", digits, re.I | re.ASCII)
    if stranger or not digits:
        sign = stranger[0] if stranger else part
        raise Unreadable(say("digit", sign=sign.replace("`", "'")))
    if len(digits) == 1:
        return f"0{digits}".lower()
    if len(digits) % 2:
        shown = part if len(part) <= 12 else f"{part[:12]}..."
        raise Unreadable(say("odd", part=shown))
    return digits.lower()


_ESCAPES = {"n": "0a", "r": "0d", "t": "09", "0": "00", "\\": "5c", "'": "27", '"': "22"}


def _literal(body: str) -> str:
    """The inside of a bytes literal, in hexadecimal."""
    pieces = re.findall(r"\\x[0-9a-fA-F]{2}|\\.|.", body)
    digits = []
    for piece in pieces:
        if piece[:2] == "\\x" and len(piece) == 4:
            digits.append(piece[2:].lower())
        elif piece[0] == "\\" and piece[1:] in _ESCAPES:
            digits.append(_ESCAPES[piece[1:]])
        elif piece[0] != "\\" and " " <= piece <= "~":
            digits.append(f"{ord(piece):02x}")
        else:
            raise Unreadable(say("quote"))
    if not digits:
        raise Unreadable(say("empty"))
    return "".join(digits)


_NUMBER = re.compile(
    r"([+-]?) ?(?:0x([0-9a-f]{1,40})|([0-9]{1,3}(?:[,'_ ][0-9]{3}){1,13}|[0-9]{1,40})"
    r"(?:[.,]([0-9]{1,40}))?) ?([a-z][a-z /]*)?\.?",
    re.I | re.ASCII,
)


def read_number(text: str, places: int = 0, unit: str = "", hexadecimal: bool = True) -> str:
    """A decimal number without separators and idle zeros: `1000`, `-6`, `2.2`.

    Taken are thousands separators, `0x` for hexadecimal unless the question forbids it, and the
    unit behind it, also shortened: `17 bytes`, `17 B`. places: the most digits behind the point.
    """
    text = tidy(text)
    found = _NUMBER.fullmatch(text)
    sign, digits, whole, fraction, tail = found.groups("") if found else ("", "", "", "", "?")
    if not unit.replace(" ", "").startswith(tail.lower().replace(" ", "")):
        if re.fullmatch("[0-9a-fA-F]+", text):
            raise Unreadable(say("decimal"))
        raise Unreadable(say("unit" if found else "number"))
    if digits and not hexadecimal:
        raise Unreadable(say("decimal"))
    whole = str(int(digits, 16)) if digits else re.sub("[^0-9]", "", whole).lstrip("0")
    fraction = fraction.rstrip("0")
    if len(fraction) > places:
        raise Unreadable(say("places" if places else "whole", places=places))
    plain = (whole or "0") + (f".{fraction}" if fraction else "")
    return f"-{plain}" if sign == "-" and plain != "0" else plain


def read_choice(text: str, most: int) -> str:
    """The number of a choice, `1` to `most`."""
    found = re.fullmatch(r"0*([1-9][0-9]?)[.)]?", tidy(text))
    if not found or int(found[1]) > most:
        raise Unreadable(say("choice", most=most))
    return found[1]


def read_order(text: str, most: int) -> str:
    """Each number from 1 to `most` once, with a blank between: `3 1 2`."""
    text = tidy(text)
    numbers = re.findall("[0-9]", text)
    whole = re.fullmatch(r"[0-9 ,;.>()\[\]-]+", text)
    if not whole or sorted(numbers) != [str(n) for n in range(1, most + 1)]:
        raise Unreadable(say("order", most=most))
    return " ".join(numbers)


def read_range(text: str) -> str:
    """The first and the last byte, `4-7`; a single `4` is `4-4`."""
    found = re.fullmatch(
        r"(?:bytes? )?([0-9]{1,6})(?: ?(?:-|\u2013|\.\.|to) ?([0-9]{1,6}))?",
        tidy(text),
        re.I | re.ASCII,
    )
    first, last = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
    if first > last:
        raise Unreadable(say("range"))
    return f"{first}-{last}"


_VERDICT = re.compile(
    r"(accept|refuse|reject)(?:ed|d|s)?"
    r"((?: |,|:|at|byte|offset|with|as|the|value)*)([+-]?[0-9].*)?",
    re.I | re.ASCII,
)


def read_verdict(text: str) -> str:
    """`accepted 5` (the value) or `refused 3` (the offset)."""
    found = _VERDICT.fullmatch(tidy(text))
    if not found:
        raise Unreadable(say("verdict"))
    accepted = found[1].lower() == "accept"
    if not found[3]:
        raise Unreadable(say("which" if accepted else "where"))
    return f"{'accepted' if accepted else 'refused'} {read_number(found[3])}"
