"""Bytewalk: where do the nanoseconds and the bytes go?

A reference library of binary formats, true to the byte to the Rust crates that define them, which
shows every byte it writes and reads.

    from bytewalk import fixtures, speedy
    document = fixtures.make("document", seed=42, index=0)
    speedy.trace(document)
"""

from bytewalk import derive, fixtures, quiz, serde, show
from bytewalk.errors import CodecError
from bytewalk.formats import bincode, postcard, rkyv, speedy

__all__ = [
    "CodecError",
    "bincode",
    "derive",
    "fixtures",
    "postcard",
    "quiz",
    "rkyv",
    "serde",
    "show",
    "speedy",
]
