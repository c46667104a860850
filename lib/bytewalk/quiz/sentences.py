"""What the quiz says to an answer, stated once: Python and the script of the page fill in the same
sentences. Code is in backquotes; a word in braces is filled in."""

from __future__ import annotations

SENTENCES = {
    # Any answer.
    "empty": "Write an answer first. A wrong one teaches as well as a right one.",
    "huge": "That is far more than any answer here takes. Try once more, with a short one.",
    "right": "Correct. {why}",
    "object": "This cannot be read as an answer. Give it as text, as a reader would type it.",
    # Bytes.
    "digit": "`{sign}` is no hexadecimal digit. Write two digits for each byte, as in `0b 00`, "
    "and a letter of a text by its code.",
    "odd": "`{part}` has an odd number of digits. Each byte has two, in hexadecimal: 11 is `0b`.",
    "byte": "{part} does not fit a byte, which holds 0 to 255, or `00` to `ff`.",
    "quote": "This text in quotes cannot be read. Write two digits for each byte, as in `0b 00`.",
    "differs": "Byte {at}, counted from 0, is the first that differs: you wrote `{byte}`. "
    "There stands {label}.",
    "tens": "Byte {at}, counted from 0, is the first that differs: you wrote it in decimal. In "
    "hexadecimal {byte} is `{code}`.",
    "letter": "Byte {at}, counted from 0, is the first that differs: `{letter}` is read as a digit "
    "there. A letter of a text is written by its code, here `{code}`.",
    "short": "Too short. The message begins with your {bytes} and goes on: the next byte belongs "
    "to {label}.",
    "long": "Too long. The message begins with your bytes, but it ends before byte {at}: {more} "
    "too many.",
    "front": "From byte {at} on these are the right bytes, but nothing stands in front of them. "
    "The message begins with {label}.",
    # Numbers.
    "number": "No number can be read from this. Write digits, as in `1234`.",
    "decimal": "That looks hexadecimal. Write the number in decimal.",
    "unit": "Give the number alone, or in the unit that the question asks for.",
    "places": "Round it to {places} digits behind the point.",
    "whole": "The answer is a whole number.",
    "large": "{number} is too large.",
    "small": "{number} is too small.",
    # Choices and orders.
    "choice": "Choose one of the answers, by its number from 1 to {most}.",
    "order": "Name each of the {most} steps once, by its number, in your order.",
    "later": "Place {place} is the first that differs: \u201c{step}\u201d comes later. {reason}",
    # Bytes of a dump.
    "range": "Name the first and the last byte, as in `4-7`.",
    "outside": "The last byte here is byte {last}.",
    "stranger": "Byte {at} does not belong to it. There stands {label}.",
    "part": "Each of these bytes belongs to it, but some are missing.",
    # Verdicts.
    "verdict": "Say whether these bytes are accepted or refused, and give the number as well.",
    "which": "And which value does it get? Give the number as well.",
    "where": "And at which byte? Give its number as well.",
    "accepts": "No, the decoder accepts these bytes. Work out what it reads.",
    "refuses": "No, the decoder refuses these bytes. Work out where.",
    "otherwise": "It is accepted, but the value is not {number}.",
    "further": "It is refused, but the decoder gets further than byte {number}.",
    "earlier": "It is refused, but the decoder does not get as far as byte {number}.",
    # Arguments, which the reader grades.
    "brief": "Write a sentence or two first. Nobody else reads it.",
    "compare": "Compare your answer with these points, and tick those that it makes.",
}


def say(name: str, **words: object) -> str:
    return SENTENCES[name].format(**words)
