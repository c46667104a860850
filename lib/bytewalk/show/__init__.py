"""What the reader sees: dumps, tables, bars and predictions, as HTML and the same in text.

Everything here has `_repr_html_` and a `repr` that says the same. Importing this room lets a
`Trace` show its dump.
"""

from bytewalk.show.align import Alignment, align
from bytewalk.show.dump import Dump, dump
from bytewalk.show.lineup import Lineup, lineup
from bytewalk.show.predict import Prediction, predict
from bytewalk.show.steps import Stepper, Steps, stepper, steps
from bytewalk.show.table import Bars, Table, bars, table

__all__ = [
    "Alignment",
    "Bars",
    "Dump",
    "Lineup",
    "Prediction",
    "Stepper",
    "Steps",
    "Table",
    "align",
    "bars",
    "dump",
    "lineup",
    "predict",
    "stepper",
    "steps",
    "table",
]
