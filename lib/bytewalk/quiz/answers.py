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


class Unreadable(ValueError):
    """The text is no answer of this kind; the message says what to write."""


def tidy(text: str) -> str:
    """Without space and backquotes around it, every run of space as one blank, a plain minus."""
    if len(text) > _MOST:
        raise Unreadable(say("huge"))
    text = re.sub(r"\s+", " ", text).strip(" `")
    if not text:
        raise Unreadable(say("empty"))
    return text.replace("\u2212", "-").replace("\u2019", "'")


def read_bytes(text: str) -> str:
    """Two lower-case hexadecimal digits per byte, from any of

    `0b 00`, `0b00`, `0B,00`, `0x0b 0x00`, `[0x0b, 0]`, `bytes([11, 0])`, `b"\\x0b\\x00"`,
    `bytes.fromhex("0b 00")`

    A list in brackets, with commas or of one number, holds decimal numbers, as in Python and Rust,
    unless they say `0x` or cannot be decimal. A single digit between separators is a byte.
    """
    text = tidy(text)
    wrapped = re.fullmatch(r"""bytes\.fromhex\( ?["'](.*)["'] ?\)""", text)
    if wrapped:
        text = wrapped[1]
    wrapped = re.fullmatch(r"(?:bytes|bytearray)\( ?(.*?) ?\)", text)
    if wrapped:
        text = wrapped[1]
    quoted = re.fullmatch(r"""b?(["'])(.*)\1""", text)
    if quoted:
        return _literal(quoted[2])
    text = text.replace("\\x", " ")
    listed = re.fullmatch(r"(?:&|vec!)?[\[({](.*)[\])}]", text)
    parts = [part for part in re.split(r"[ ,;:_|.-]+", listed[1] if listed else text) if part]
    decimal = listed and ("," in text or len(parts) == 1)
    decimal = decimal and all(_IN_A_LIST.fullmatch(part) for part in parts)
    digits = "".join(map(_number if decimal else _pairs, parts))
    if not digits:
        raise Unreadable(say("empty"))
    return digits


_IN_A_LIST = re.compile(r"0x[0-9a-f]{1,2}|0|[1-9][0-9]{0,5}", re.I)


def _number(part: str) -> str:
    number = int(part, 16 if part[:2].lower() == "0x" else 10)
    if number > 255:
        raise Unreadable(say("byte", part=part))
    return f"{number:02x}"


def _pairs(part: str) -> str:
    digits = re.sub(r"^0x", "", part, flags=re.I)
    stranger = re.search(r"[^0-9a-f]", digits, re.I | re.ASCII)
    if stranger or not digits:
        raise Unreadable(say("digit", sign=stranger[0] if stranger else part))
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
    r"(?:[.,]([0-9]{1,40}))?)(?: ?[a-z%\u00b5\u03bc][a-z% ./]*)?\.?",
    re.I | re.ASCII,
)


def read_number(text: str, places: int = 0) -> str:
    """A decimal number without separators and idle zeros: `1000`, `-6`, `2.2`.

    Taken are thousands separators, `0x` for hexadecimal, and words behind it, such as `bytes`.
    places: the most digits behind the point.
    """
    found = _NUMBER.fullmatch(tidy(text))
    if not found:
        raise Unreadable(say("number"))
    sign, hexadecimal, whole, fraction = found.groups()
    digits = str(int(hexadecimal, 16)) if hexadecimal else re.sub("[^0-9]", "", whole).lstrip("0")
    fraction = (fraction or "").rstrip("0")
    if places and len(fraction) > places:
        raise Unreadable(say("places", places=f"{places} digits behind the point"))
    plain = (digits or "0") + (f".{fraction}" if fraction else "")
    return f"-{plain}" if sign == "-" and plain != "0" else plain


def read_choice(text: str, most: int) -> str:
    """The number of a choice, `1` to `most`."""
    found = re.fullmatch(r"0*([1-9][0-9]?)[.)]?", tidy(text))
    if not found or int(found[1]) > most:
        raise Unreadable(say("choice", most=most))
    return found[1]


def read_order(text: str, most: int) -> str:
    """Each number from 1 to `most` once, with a blank between: `3 1 2`."""
    numbers = re.findall(r"[0-9]", tidy(text))
    if sorted(numbers) != [str(n) for n in range(1, most + 1)]:
        raise Unreadable(say("order", most=most))
    return " ".join(numbers)


def read_range(text: str) -> str:
    """The first and the last byte, `4-7`; a single `4` is `4-4`."""
    found = re.fullmatch(
        r"(?:bytes? )?([0-9]{1,6})(?: ?(?:-|\u2013|\.\.|to) ?([0-9]{1,6}))?", tidy(text), re.I
    )
    if not found:
        raise Unreadable(say("range"))
    first, last = int(found[1]), int(found[2] or found[1])
    return f"{min(first, last)}-{max(first, last)}"


def read_verdict(text: str) -> str:
    """`accepted 5` (the value) or `refused 3` (the offset)."""
    found = re.fullmatch(r"(accept|refuse|reject)[a-z]*([^0-9-]*)(.*)", tidy(text), re.I)
    if not found:
        raise Unreadable(say("verdict"))
    accepted = found[1].lower() == "accept"
    if not found[3]:
        raise Unreadable(say("which" if accepted else "where"))
    return f"{'accepted' if accepted else 'refused'} {read_number(found[3])}"
