"""A Sphinx extension: MathJax (1.2 MB) on the pages that have mathematics, and on no other.

Sphinx also loads it on a page whose table of contents leads to mathematics, so on the front page.
"""


def keep_off(app, pagename, templatename, context, doctree):
    if app.env.get_domain("math").data["has_equations"].get(pagename):
        return
    context["script_files"] = [
        script for script in context["script_files"] if not is_mathjax(app, script)
    ]


def is_mathjax(app, script):
    # Either the file itself or the inline script that sets it up.
    return script.filename == f"_static/{app.config.mathjax_path}" or script.attributes.get(
        "body", ""
    ).startswith("window.MathJax")


def setup(app):
    app.connect("html-page-context", keep_off, priority=900)  # after sphinx.ext.mathjax
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
