"""The Serde-style road: one walk over a type, the same for every format.

The walk is written once per direction, in `Writing.write` and `Reading.read`. It asks the layout
which rule applies and tells a *reader of the walk* what to do with it. Here the readers are

    Writer, Reader                  pack and unpack values: the visitor road itself
    LocatingWriter, LocatingReader  also know the path, to say where an error is
    TracingWriter, TracingReader    also record a span for every byte
    CountingWriter, CountingReader  also count what is done

and in `derive` a further one is handed expressions in place of values and collects source lines.
That is why every branch and loop of the walk is a generator of the reader's: for values it runs
the one case that applies, for source it writes all of them down.
"""

from bytewalk.serde.reading import CountingReader, Reader, Reading, build, unknown_variant
from bytewalk.serde.road import (
    as_bytes,
    deep_stack,
    deserialize,
    deserialize_prefix,
    locate_read,
    locate_write,
    node_of,
    placed,
    recover,
    serialize,
    start,
    trace,
    trace_decode,
    with_place,
)
from bytewalk.serde.state import Budget, Noting, Path, payload
from bytewalk.serde.writing import CountingWriter, LocatingWriter, Writer, Writing

__all__ = [
    "Budget",
    "CountingReader",
    "CountingWriter",
    "LocatingWriter",
    "Noting",
    "Path",
    "Reader",
    "Reading",
    "Writer",
    "Writing",
    "as_bytes",
    "build",
    "deep_stack",
    "deserialize",
    "deserialize_prefix",
    "locate_read",
    "locate_write",
    "node_of",
    "payload",
    "placed",
    "recover",
    "serialize",
    "start",
    "trace",
    "trace_decode",
    "unknown_variant",
    "with_place",
]
