"""Sphinx extension for the page of docstrings."""

from sphinx import addnodes


def setup(app):
    """Register with Sphinx."""
    app.connect("autodoc-process-docstring", leave_out_aliases)
    app.connect("doctree-read", name_no_sizes)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def leave_out_aliases(_app, _what, _name, _obj, _options, lines):
    """Let a field without a comment stand alone: "Alias for field number 3" says nothing."""
    if lines and lines[0].startswith("Alias for field number"):
        lines.clear()


def name_no_sizes(_app, doctree):
    """Let a size in the shape of an array, such as ``(n, 26)``, be a word and name no attribute."""
    for reference in list(doctree.findall(addnodes.pending_xref)):
        if reference["reftype"] == "class" and reference["reftarget"].islower():
            reference.replace_self(reference.children)
