"""Cells to change and exercises: found with what they need.

What they say in a page, `tests/browser/test_python_in_page.py` tries.
"""

import pytest

from book.tools.assignments import cells_of
from tests.support.built_pages import ROOT
from touchbook.cell.needs import EXERCISE, CellError, names_of, preparation, tries

NOTEBOOKS = sorted(path.stem for path in (ROOT / "book").glob("*.ipynb"))
CHAPTERS = [name for name in NOTEBOOKS if name not in ("index", "review")]


def text(source):
    """A cell of text."""
    return {"cell_type": "markdown", "id": "t", "source": source, "metadata": {}}


def code(source, *tags):
    """A cell of code."""
    return {"cell_type": "code", "id": "c", "source": source, "metadata": {"tags": list(tags)}}


def needs(source, *before):
    """What `source` needs of cells before it."""
    return preparation([code(one) for one in before], len(before), source)


@pytest.mark.parametrize(
    ("source", "before", "needed"),
    [
        ("print(a)", ["a = 1\nb = 2"], "a = 1"),
        ("print(a)", ["a = 1", "a = 2"], "a = 2"),
        ("print(c)", ["a = 1\nb = a", "c = b + a"], "a = 1\nb = a\nc = b + a"),
        ("a = 2\nprint(a)", ["a = 1"], ""),
        ("a += 2", ["a = 1"], "a = 1"),
        ("print(a)", ["a = 1\na += 1\nb = 3"], "a = 1\na += 1"),
        ("print(a)", ["a = []\na.append(1)\nlen(a)"], "a = []\na.append(1)"),
        ("print(a)", ["a = {}\na['b'] = 1"], "a = {}\na['b'] = 1"),
        ("np.ones(2)", ["import numpy as np, os"], "import numpy as np"),
        ("f()", ["from m import f, g"], "from m import f, g"),
        ("cell.f()", ["from touchbook import page, cell"], "from touchbook import cell"),
        ("f()", ["def f():\n    return g\ng = 3\nh = 4"], "def f():\n    return g\ng = 3"),
        ("f()", ["import m\n@m.d\ndef f(): pass"], "import m\n@m.d\ndef f(): pass"),
        ("[i for i in a]", ["i = 1\na = 2"], "a = 2"),
        ("def f(x):\n    y = x\n    return y", ["x = 1\ny = 2"], ""),
        ("lambda x: x + y", ["x = 1\ny = 2"], "y = 2"),
        ("for i in a:\n    print(i)", ["i = 1\na = 2"], "a = 2"),
        ("print(i)", ["for i in range(3):\n    j = i"], "for i in range(3):\n    j = i"),
        ("with a as b:\n    print(b)", ["a = 1\nb = 2"], "a = 1"),
        ("x, (y, *z) = a\nprint(x, y, z)", ["a = 1\nz = 2"], "a = 1"),
        ("print(z)", ["z = 0\nx, (y, *z) = 1, (2, 3)"], "x, (y, *z) = 1, (2, 3)"),
        ("print(len(a))", ["len = 3\na = 4"], "a = 4"),
        ("class A:\n    b = c", ["b = 1\nc = 2"], "c = 2"),
        ("if a:\n    b = 1\nprint(b)", ["a = 1\nb = 2"], "a = 1"),
        ("def f(n):\n    return f(n - 1)", ["f = 1"], ""),
        ("print(ask)", ["def ask(): pass", "ask(1)"], "def ask(): pass"),
        ("{x: y for x in a if (z := x)}", ["x, z, y = 1, 2, 3"], "x, z, y = 1, 2, 3"),
        ("sum(x for x in range(3) for y in b)", ["x = y = 1", "b = 2"], "b = 2"),
        ("try:\n    a\nexcept E:\n    b = 1", ["b = 1", "a = E = 2"], "a = E = 2"),
        ("f'{a:{b}}'", ["a, b, c = 1, 2, 3"], "a, b, c = 1, 2, 3"),
    ],
)
def test_what_a_cell_needs(source, before, needed):
    assert needs(source, *before) == needed


def test_cells_of_exercises_bind_nothing_for_others():
    cells = [code("a = 1"), code("a = 2", "starter"), code("a = 3", "solution")]
    assert preparation(cells, 3, "print(a)") == "a = 1"


ADD = "```{exercise} Add\n:label: add\nHow?\n```"


def test_an_exercise_has_its_parts():
    cells = [text(ADD), code("a = 1", "starter"), code("b = a", "check"),
             code("a = 2", "solution"), code("c = a", "try")]  # fmt: skip
    exercise, cell = tries(cells)
    assert (exercise.name, exercise.code, exercise.check, exercise.solution) == (
        "add", "a = 1", "b = a", "a = 2",
    )  # fmt: skip
    assert exercise.title == "exercise, Add"
    assert not cell.is_exercise


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ([code("a", "starter")], "no exercise"),
        ([text(ADD), code("a", "starter"), code("a", "starter")], "add has one already"),
        ([text(ADD), code("a", "starter"), code("a", "check")], "add needs"),
        ([text(ADD), code("a", "check"), code("a", "starter"), code("a", "solution")],
         "in this order"),
    ],
)  # fmt: skip
def test_parts_that_do_not_belong_together_are_named(cells, words):
    with pytest.raises(CellError, match=words):
        tries(cells)


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_has_cells_to_change_and_every_exercise_checks_itself(name):
    found = tries(cells_of(name))
    assert any(not one.is_exercise for one in found)
    words = ("".join(cell["source"]) for cell in cells_of(name) if cell["cell_type"] == "markdown")
    labels = [label for text in words for _, label in EXERCISE.findall(text)]
    assert [one.name for one in found if one.is_exercise] == labels


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_cell_can_be_run_again_after_the_whole_notebook(name):
    names, source = [names_of(cell) for cell in cells_of(name)], str(cells_of(name))
    for one in tries(cells_of(name)):
        earlier = set().union(*(binds for _, binds in names[: one.at]))
        later = set().union(*(binds - reads for reads, binds in names[one.at + 1 :]))
        imported = {n for n in later if f"import {n}" in source}
        assert not names[one.at][0] & earlier & later - imported, one.name
