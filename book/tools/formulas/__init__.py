"""Sphinx extension: formulas are MathML when a page is built, so that it asks for no script.

A browser draws them with the rest of the text, and screen readers know them. Temml
(``temml.min.js``, version 0.13.5, MIT licence, temml.org) turns TeX into MathML;
``book/style/formulas.css`` is how they look, in Latin Modern Math (GUST Font License), of which
``latin-modern-math.woff`` has the signs of ``signs.txt`` (`make font`).
"""

import re
import threading
from functools import cache
from pathlib import Path

from docutils import nodes
from py_mini_racer import JSEvalException, MiniRacer
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

TEMML = Path(__file__).with_name("temml.min.js")

_WORDS = re.compile(r"<mtext.*?</mtext>")

_logger = logging.getLogger(__name__)
_one_at_a_time = threading.Lock()


def setup(app):
    """Register with Sphinx, where `html_math_renderer` may be "temml"."""
    app.add_html_math_renderer("temml", (_inline, None), (_display, None))
    app.add_css_file("formulas.css")
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


@cache
def mathml(tex, display=False):
    r"""A formula as MathML.

    Parameters
    ----------
    tex : str
        Such as ``\frac12``.
    display : bool
        Whether it stands on lines of its own.

    Returns
    -------
    str
        A ``<math>`` element.

    Raises
    ------
    ValueError
        If it is no formula; names it, and where it goes wrong.
    """
    options = {"displayMode": display, "throwOnError": True}
    with _one_at_a_time:
        try:
            written = _temml().call("temml.renderToString", tex, options)
        except JSEvalException as error:
            raise ValueError(f"{tex!r} is no formula: {error}") from error
    # Firefox leaves words large that alone are an index; the font's overline is four times as
    # thick as its macron.
    return _WORDS.sub(r"<mrow>\g<0></mrow>", written).replace("\u203e", "\u00af")


@cache
def _temml():
    engine = MiniRacer()
    engine.eval(TEMML.read_text(encoding="utf-8"))
    return engine


def _write(node, display):
    try:
        return mathml(node.astext(), display)
    except ValueError as error:
        _logger.warning("%s", error, location=node)
        return ""


def _inline(writer, node):
    """Write a formula of the text."""
    writer.body.append(writer.starttag(node, "span", "", CLASS="math notranslate nohighlight"))
    writer.body.append(f"{_write(node, False)}</span>")
    raise nodes.SkipNode


def _display(writer, node):
    """Write a formula on lines of its own, and its number."""
    writer.body.append(writer.starttag(node, "div", CLASS="math notranslate nohighlight"))
    if node["number"]:
        number = get_node_equation_number(writer, node)
        writer.body.append(f'<span class="eqno">({number})')
        writer.add_permalink_ref(node, "Link to this equation")
        writer.body.append("</span>")
    writer.body.append(f"{_write(node, True)}</div>\n")
    raise nodes.SkipNode
