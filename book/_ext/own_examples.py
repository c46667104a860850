"""A Sphinx extension: the directive `example` puts an output of the library on a page without code.

Its content is an expression over what `from bytewalk import *` and the records give.
"""

import bytewalk
from bytewalk import records
from docutils import nodes
from docutils.parsers.rst import Directive


class Example(Directive):
    has_content = True

    def run(self):
        shown = eval("\n".join(self.content), {**vars(bytewalk), **vars(records)})
        return [nodes.raw("", shown._repr_html_(), format="html")]


def setup(app):
    app.add_directive("example", Example)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
