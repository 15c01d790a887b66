"""Assignments made of the exercises: without the solution, and their tests can tell (no otter)."""

import contextlib
import json
import re
import sys
from functools import cache
from types import SimpleNamespace

import nbformat
import pytest

from book.tools.assignments import assignments, cells_of, write
from book.tools.chapters import CHAPTERS
from tests.support.built_pages import ROOT
from tests.support.packages import PACKAGES
from touchbook.cell.needs import tries

# one a chapter
QUICK = ["hanabi-ex-1", "ntbea-exercise-scale", "btmm-ex-2", "nrpa-ex-1", "together-ex-choose"]


@cache
def of(chapter):
    """Its assignments by their labels."""
    return {one.label: one for one in assignments(chapter)}


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_what_students_get_has_no_line_of_the_solution(chapter):
    exercises = [one for one in tries(cells_of(f"{chapter}_workshop")) if one.is_exercise]
    assert [one.name for one in exercises] == [*of(chapter)]
    for one in exercises:
        made = of(chapter)[one.name]
        given = {line.strip() for part in (one.preparation, one.code, one.check)
                 for line in part.splitlines()}  # fmt: skip
        own = {line.strip() for line in one.solution.splitlines()} - given - {""}
        assert own, one.name
        lines = {line.strip() for cell in made.student["cells"] for line in cell.source.split("\n")}
        lines |= {line.strip() for line in made.test.splitlines()}
        assert own & lines == set(), one.name
        nbformat.validate(made.student)
        text = made.student["cells"][0].source
        assert not re.search(r"\{\w+\}`|<a |\]\(", text), text  # what only the book resolves


def verdict(notebook, test):
    """What otter's test says after a notebook was run; nothing if it passes."""
    env, found = {"__name__": "__main__"}, {}
    for cell in notebook["cells"]:
        if cell.cell_type == "code":
            exec(cell.source, env)
    exec(test, found)
    try:
        found["test_exercise"](env)
    except AssertionError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", QUICK)
def test_its_test_fails_the_starter_and_passes_the_solution(name, monkeypatch):
    plain = SimpleNamespace(test_case=lambda: lambda function: function)
    monkeypatch.setitem(sys.modules, "otter", SimpleNamespace(test_files=plain))
    monkeypatch.setitem(sys.modules, "otter.test_files", plain)
    one = of(name.partition("-")[0])[name]
    with contextlib.redirect_stdout(None):
        assert len(verdict(one.student, one.test)) > 15
        assert verdict(one.solution, one.test) == ""


def test_who_grades_is_told_to_install_what_an_assignment_imports():
    made = [one for chapter in CHAPTERS for one in of(chapter).values()]
    text = "\n".join(part for one in made for part in (one.test, json.dumps(one.student)))
    teaching = (ROOT / "book" / "teaching.md").read_text(encoding="utf-8")
    (line,) = (line for line in teaching.splitlines() if "pip install otter-grader" in line)
    for name, (project, _) in PACKAGES.items():
        folder = "." if project == ROOT else f"./{project.relative_to(ROOT).as_posix()}"
        assert (f" {folder} " in f"{line} ") == (f"from {name}" in text), name


def test_all_of_them_are_written_with_the_formulas_that_they_refer_to(tmp_path):
    n = write(tmp_path)
    assert n == sum(len(of(chapter)) for chapter in CHAPTERS)
    for kind in ("students/*.ipynb", "solutions/*.ipynb", "tests/*/*.py"):
        assert len([*tmp_path.glob(kind)]) == n
    one = nbformat.read(tmp_path / "students" / "btmm-ex-1.ipynb", as_version=4)
    assert "\\tag{1}" in one.cells[0].source
