"""What the tracing writer and the tracing checker share: spans, and the gaps between them."""

from __future__ import annotations

from typing import Any

from bytewalk.errors import CodecError
from bytewalk.formats.rkyv.shapes import Choice, Shape, Struct
from bytewalk.integers import Rule
from bytewalk.serde import Noting, Path, payload
from bytewalk.trace import Role, Span


class Spans(Noting, Path):
    """Records a span for everything that is put or got, wherever in the archive it stands."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.spans: list[Span] = []
        self.slots: dict[int, tuple[int, str]] = {}  # where slots begin: (alignment, path)

    def record(
        self, start: int, end: int, role: Role, wire: str, value: Any, rule: str, target: Any = None
    ) -> None:
        if end > start:
            self.spans.append(Span(start, end, self.path, role, wire, value, rule, target))

    def record_text(self, start: int, end: int, raw: bytes) -> None:
        """Text in its slot, which ff fills up, or elsewhere."""
        inline = (
            f", in the slot, filled up with ff to {end - start}" if end - start > len(raw) else ""
        )
        self.record(start, end, "text", "str", raw.decode(), payload(raw, "text") + inline)

    def record_offset(self, rule: Rule, slot: int, word: int, offset: int, target: int) -> None:
        text = f"{rule.text}, from byte {slot}"
        self.record(word, word + rule.size, "pointer", rule.wire, offset, text, target)

    def record_gaps(self, shape: Struct, at: int) -> None:
        for start, end, why in shape.gaps:
            self.record(at + start, at + end, "padding", "padding", None, why)

    def record_room(self, shape: Choice, body: Struct, at: int) -> None:
        """What the widest variant would take and this one does not."""
        self.record(at + body.end, at + shape.size, "padding", "padding", None, shape.unused)

    def record_slot(self, at: int, shape: Shape) -> None:
        """A slot that something points to, or the root's. Where the place of an empty list is that
        of another slot too, the padding before it is there for the wider alignment."""
        known = self.slots.get(at, (0, ""))
        self.slots[at] = max(known, (shape.align, self.path), key=lambda s: (s[0], -len(s[1]), s))

    def before(self, error: CodecError) -> list[Span]:
        """The spans in the order of their bytes, without the one that was not accepted."""
        at = -1 if error.offset is None else error.offset
        kept = [span for span in self.spans if not span.start <= at < span.end]
        return sorted(kept, key=lambda span: span.start)

    def filled(self, size: int) -> list[Span]:
        """The spans in the order of their bytes, with those between them that no slot holds."""
        found, at = [], 0
        ends = Span(size, size, "", "padding", "padding", None, "")
        for span in [*sorted(self.spans, key=lambda span: span.start), ends]:
            if span.start > at:
                align, path = self.slots.get(span.start, (1, ""))
                needed = self.rules.padding(at, align) == span.start - at
                why = (
                    f"padding: the slot is aligned to {align}" if needed else "nothing points here"
                )
                role = "padding"
                found.append(Span(at, span.start, path if needed else "", role, role, None, why))
            found.append(span)
            at = span.end
        return found[:-1]
