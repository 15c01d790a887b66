"""Formulas of the pages: MathML that says what the TeX says."""

import re
from xml.etree import ElementTree

import pytest

from book.tools.formulas import mathml


def parsed(tex, display=False):
    return ElementTree.fromstring(mathml(tex, display))


def said(element):
    """Its letters and signs, without what only groups or spaces."""
    return re.sub(r"[\s\u2061]", "", "".join(element.itertext()))


def test_what_stands_where():
    fraction = parsed(r"\frac{\gamma_i}{\gamma_i + \gamma_j}").find(".//mfrac")
    assert [said(part) for part in fraction] == ["γi", "γi+γj"]
    assert [said(part) for part in fraction[0]] == ["γ", "i"]
    assert fraction[0].tag == "msub"
    below, above = parsed(r"\sum_{j=1}^{n} x_j", display=True).find(".//munderover")[1:]
    assert (said(below), said(above)) == ("j=1", "n")
    rows = parsed(r"\begin{aligned} a &= b \\ &\ge c \end{aligned}", display=True).iter("mtr")
    assert [[said(cell) for cell in row] for row in rows] == [["a", "=b"], ["", "≥c"]]
    index = parsed(r"s^{\text{old}}").find("msup")[1]
    assert (index.tag, said(index)) == ("mrow", "old")
    assert said(parsed(r"\operatorname{mean}(x) \ne \mathbf 4")) == "mean(x)≠𝟒"


def test_what_is_no_formula_is_named_with_its_place():
    with pytest.raises(ValueError, match=r"'a \\\\frac\{1' is no formula.*end of input"):
        mathml(r"a \frac{1")
    with pytest.raises(ValueError, match=r"'\\\\nosuch x' is no formula.*\\nosuch"):
        mathml(r"\nosuch x")
