"""Tables: what is written, marked and refused, and that HTML and text say the same."""

import html.parser
import math
import re

import numpy as np
import pytest

from gameai_lib.tables import Column, table

AGENTS = ["IGGI", "Piers", "Outer"]


class Cells(html.parser.HTMLParser):
    """Rows of a table with the kinds of their cells, and which are bold."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.kinds, self.bold, self.caption, self._into = [], [], [], "", None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.kinds.append((tag, dict(attributes).get("scope")))
        if tag == "strong":
            self.bold.append((len(self.rows) - 2, len(self.rows[-1]) - 1))
        self._into = tag

    def handle_data(self, data):
        if self._into == "caption":
            self.caption += data
        else:
            self.rows[-1][-1] += data


def scores():
    means = Column(
        [17.7, 17.75, 14.0], ".2f", unit="points", errors=[0.03, None, 0.04], best="high"
    )
    return table(
        {"agent": AGENTS, "games": [10, 20_000, 3], "mean": means}, caption="Ten <decks> & more"
    )


def test_text_stands_in_columns_marks_the_best_and_says_what_the_html_says():
    made = scores()
    cells = Cells(made._repr_html_())
    lines = str(made).split("\n")
    assert lines == [
        "agent   games  mean (points)",
        "IGGI       10   17.70 ± 0.03",
        "Piers  20,000          17.75*",
        "Outer       3   14.00 ± 0.04",
        "Ten <decks> & more. * best.",
    ]
    for row, line in zip(cells.rows, lines[:-1], strict=True):
        assert re.split(r"\s{2,}", line.strip()) == row
    assert cells.caption == lines[-1]
    assert cells.bold == [(1, 2)]
    assert cells.kinds[:4] == [("th", "col")] * 3 + [("th", "row")]
    assert cells.kinds[4:6] == [("td", None)] * 2
    assert str(made) == repr(made)
    assert made._repr_html_() == scores()._repr_html_()  # text does not change it


@pytest.mark.parametrize(
    ("values", "form", "texts"),
    [
        ([1, 1_000_000], "", ["1", "1,000,000"]),
        (np.array([0.12345, 123.0]), "", ["0.123", "123"]),
        ([-0.5, 2], "+.1f", ["-0.5", "+2.0"]),
        ([None, math.nan, 3], "", ["", "", "3"]),
        ([True, np.False_], "", ["yes", "no"]),
        (np.array([True, False]), "", ["yes", "no"]),
        (["a", "b"], "", ["a", "b"]),
        (np.array(["a", "b"]), "", ["a", "b"]),
    ],
)
def test_values_are_written(values, form, texts):
    column = Column(values, form)
    assert [column.text(k) for k in range(len(texts))] == texts


def test_signs_errors_and_the_best_of_columns_and_rows():
    made = table({"a-b": ["x-y"], "gain": Column([-1.5], "+.1f")})
    assert all(text in made._repr_html_() for text in ("−1.5", "x-y"))
    assert "-1.5" in str(made)
    made = table({"a": AGENTS, "x": Column([1, 3, 2], ".1f", errors=[0.1, 0.2, 0.3], best="high")})
    assert "<strong>3.0</strong> <span>± 0.2*</span></td>" in made._repr_html_()
    assert "3.0 ± 0.2*" in str(made)
    low = table({"a": AGENTS, "error": Column([3, 1, 1], best="low")})
    assert low.best == {(1, 1), (2, 1)}
    rows = table({"a": AGENTS, "x": [1, 2, None], "y": [3, 1, 5.0]}, best_in_rows="high")
    assert rows.best == {(0, 2), (1, 1)}  # one number alone is not the best of anything
    assert not table({"a": AGENTS, "x": [1, 2, 3]}).best


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: table({}), ValueError, "needs a column"),
        (lambda: table([1]), TypeError, "columns must be of type dict"),
        (lambda: table({1: [1]}), TypeError, "column's name must be of type str, got 1"),
        (lambda: table({"a": "xyz"}), TypeError, "column 'a' must be a sequence, got 'xyz'"),
        (lambda: table({"a": 3}), TypeError, "column 'a' must be a sequence, got 3"),
        (lambda: table({"a": [1], "b": [1, 2]}), ValueError, "got {'a': 1, 'b': 2}"),
        (lambda: table({"a": [1]}, best_in_rows="most"), ValueError, "got 'most'"),
        (lambda: table({"a": [object]}), TypeError, "a value must be True or False"),
        (lambda: Column([1], best="top"), ValueError, "best must be one of"),
        (lambda: Column([1], errors=[1, 2]), ValueError, "1 values have 2 standard errors"),
        (lambda: Column([1], errors=[-1.0]), ValueError, "standard error must be at least 0"),
        (lambda: table({"a": Column([1.5], "d")}), ValueError, "1.5 cannot be written"),
        (lambda: Column([1], "99999999f"), ValueError, "format must be like"),
        (lambda: table({"a": range(10**12)}), ValueError, "at most 10,000 rows"),
    ],
)
def test_bad_input_is_named(make, error, words):
    with pytest.raises(error, match=re.escape(words)):
        make()
