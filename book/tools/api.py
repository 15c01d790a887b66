"""Sphinx extension for the page of docstrings."""


def setup(app):
    """Register with Sphinx."""
    app.connect("autodoc-process-docstring", leave_out_aliases)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def leave_out_aliases(_app, _what, _name, _obj, _options, lines):
    """Let a field without a comment stand alone: "Alias for field number 3" says nothing."""
    if lines and lines[0].startswith("Alias for field number"):
        lines.clear()
