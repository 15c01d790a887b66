"""Tables: what is written, marked and refused, and that HTML and text say the same."""

import math
import re

import numpy as np
import pytest
from bs4 import BeautifulSoup

from gameai_lib.tables import Column, table

AGENTS = ["IGGI", "Piers", "Outer"]


def scores():
    means = Column(
        [17.7, 17.75, 14.0], ".2f", unit="points", errors=[0.03, None, 0.04], best="high"
    )
    return table(
        {"agent": AGENTS, "games": [10, 20_000, 3], "mean": means}, caption="Ten <decks> & more"
    )


def test_text_stands_in_columns_marks_the_best_and_says_what_the_html_says():
    made = scores()
    soup = BeautifulSoup(made._repr_html_(), "html.parser")
    lines = str(made).split("\n")
    assert lines == [
        "agent   games  mean (points)",
        "IGGI       10   17.70 ± 0.03",
        "Piers  20,000          17.75*",
        "Outer       3   14.00 ± 0.04",
        "Ten <decks> & more. * best.",
    ]
    rows = [row.find_all(["th", "td"]) for row in soup.find_all("tr")]
    for row, line in zip(rows, lines[:-1], strict=True):
        assert re.split(r"\s{2,}", line.strip()) == [cell.text for cell in row]
    assert soup.caption.text == lines[-1]
    assert [cell.find("strong") is not None for cell in rows[2]] == [False, False, True]
    assert len(soup.find_all("strong")) == 1
    kinds = [[(cell.name, cell.get("scope")) for cell in row] for row in rows]
    assert kinds[:2] == [[("th", "col")] * 3, [("th", "row"), ("td", None), ("td", None)]]
    assert made._repr_html_() == scores()._repr_html_()  # text does not change it


@pytest.mark.parametrize(
    ("values", "form", "texts"),
    [
        ([1, 1_000_000], "", ["1", "1,000,000"]),
        (np.array([0.12345, 123.0]), "", ["0.123", "123"]),
        ([-0.5, 2], "+.1f", ["-0.5", "+2.0"]),
        ([None, math.nan, 3], "", ["", "", "3"]),
        ([True, np.False_], "", ["yes", "no"]),
        (np.array(["a", "b"]), "", ["a", "b"]),
    ],
)
def test_values_are_written(values, form, texts):
    column = Column(values, form)
    assert [column.text(k) for k in range(len(texts))] == texts


def test_signs_errors_and_the_best_of_columns():
    made = table({"a-b": ["x-y"], "gain": Column([-1.5], "+.1f")})
    assert all(text in made._repr_html_() for text in ("−1.5", "x-y"))
    assert "-1.5" in str(made)
    made = table({"a": AGENTS, "x": Column([1, 3, 2], ".1f", errors=[0.1, 0.2, 0.3], best="high")})
    assert "<strong>3.0</strong> <span>± 0.2*</span></td>" in made._repr_html_()
    low = table({"a": AGENTS, "error": Column([3, 1, 1], best="low")})
    assert low.best == {(1, 1), (2, 1)}
    alone = table({"a": AGENTS, "x": Column([None, 2, None], best="high")})
    assert not alone.best  # one number is not the best of anything
    assert not table({"a": AGENTS, "x": [1, 2, 3]}).best


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: table({}), ValueError, "needs a column"),
        (lambda: table([1]), TypeError, "columns must be of type dict"),
        (lambda: table({1: [1]}), TypeError, "column's name must be of type str, got 1"),
        (lambda: table({"a": "xyz"}), TypeError, "column 'a' must be a sequence, got 'xyz'"),
        (lambda: table({"a": [1], "b": [1, 2]}), ValueError, "got {'a': 1, 'b': 2}"),
        (lambda: table({"a": [object]}), TypeError, "a value must be True or False"),
        (lambda: Column([1], best="top"), ValueError, "best must be one of"),
        (lambda: Column([1], errors=[1, 2]), ValueError, "1 values have 2 standard errors"),
        (lambda: Column([1], errors=[-1.0]), ValueError, "standard error must be at least 0"),
        (lambda: table({"a": Column([1.5], "d")}), ValueError, "1.5 cannot be written"),
        (lambda: table({"a": range(10**12)}), ValueError, "at most 10,000 rows"),
    ],
)
def test_bad_input_is_named(make, error, words):
    with pytest.raises(error, match=re.escape(words)):
        make()
