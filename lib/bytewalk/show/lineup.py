"""The line-up: recorded runs that differ in a few switches, one shown at a time."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from bytewalk.show.html import escape, plain, prose, styled
from bytewalk.show.table import Table


class Lineup:
    """Runs, their switches and what was measured. See `lineup`."""

    def __init__(
        self,
        runs: Sequence[Mapping[str, Any]],
        switches: Sequence[str],
        measures: Mapping[str, str],
        reference: Mapping[str, float],
        noise: Mapping[str, float],
        caption: str,
    ) -> None:
        self.runs = list(runs)
        self.switches = list(switches)
        self.measures = dict(measures)
        self.reference = dict(reference)
        self.noise = dict(noise)
        self.caption = caption
        keys = [tuple(run[switch] for switch in switches) for run in runs]
        if len(set(keys)) != len(keys):
            raise ValueError("two runs have all their switches alike")

    def table(self) -> Table:
        """All runs, one a row."""
        head = [*self.switches, *(f"{name}, {unit}" for name, unit in self.measures.items())]
        rows = [[run[key] for key in (*self.switches, *self.measures)] for run in self.runs]
        return Table(rows, head, self.caption)

    def _notes(self) -> list[str]:
        notes = []
        if self.reference:
            units = self.measures
            said = ", ".join(f"{number:,} {units[name]}" for name, number in self.reference.items())
            notes.append(f"For comparison: {said}.")
        notes += [
            f"Noise in {name}: {100 * share:.1f} %. A smaller difference counts as not seen."
            for name, share in self.noise.items()
        ]
        return notes

    def __repr__(self) -> str:
        return "\n".join([repr(self.table()), *self._notes()])

    def _repr_html_(self) -> str:
        data = {
            "switches": self.switches,
            "measures": self.measures,
            "reference": self.reference,
            "noise": self.noise,
        }
        head = "".join(
            f'<th scope="col">{escape(switch)}</th>' for switch in self.switches
        ) + "".join(
            f'<th scope="col" class="bw-number">{escape(name)}, {escape(unit)}</th>'
            for name, unit in self.measures.items()
        )
        rows = "".join(
            f"<tr data-run='{escape(json.dumps(run))}'>"
            + "".join(f"<td>{escape(run[switch])}</td>" for switch in self.switches)
            + "".join(f'<td class="bw-number">{run[name]:,}</td>' for name in self.measures)
            + "</tr>"
            for run in (
                {key: run[key] for key in (*self.switches, *self.measures)} for run in self.runs
            )
        )
        caption = escape(plain(self.caption))
        notes = "".join(f'<p class="bw-note">{escape(note)}</p>' for note in self._notes())
        return styled(
            f'<bw-lineup class="bw bw-lineup" style="display:block" data-bytewalk="lineup" '
            f"data-lineup='{escape(json.dumps(data))}'><p><strong>{prose(self.caption)}</strong></p>"
            f'<details open><summary>All {len(self.runs)} runs</summary><div class="bw-scroll" '
            f'tabindex="0" role="region" aria-label="{caption}"><table>'
            f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div></details>"
            f"{notes}</bw-lineup>",
            "lineup",
        )


def lineup(
    runs: Sequence[Mapping[str, Any]],
    switches: Sequence[str],
    measures: Mapping[str, str],
    *,
    reference: Mapping[str, float] = {},
    noise: Mapping[str, float] = {},
    caption: str = "",
) -> Lineup:
    """Recorded runs with switches to turn, one at a time, and what each turn changes.

    runs: mappings with a value (text) for each of the `switches` and a number for each of the
    `measures`, a mapping from name to unit. reference: a number per measure to compare with, drawn
    as a line. noise: the share of a measure below which a difference is none, 0.02 for 2 %, drawn
    around the end of the bar. Works
    without a kernel; without scripts it is the table of all runs. Raises ValueError when two runs
    have all their switches alike.
    """
    return Lineup(runs, switches, measures, reference, noise, caption)
