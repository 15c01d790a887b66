"""The sheets before and after each lesson, and their keys, are what its questions make."""

import re
from importlib import import_module

import pytest

from book.tools import sheets
from book.tools.assignments import cells_of, source_of
from gameai_lib.base import jit
from touchbook.ask.prediction import Prediction

SLOW = pytest.mark.slow, pytest.mark.skipif(not jit.COMPILED, reason="measures a hundred searches")
CHAPTERS = [pytest.param(name, marks=SLOW if name == "nrpa" else ()) for name in sheets.LESSONS]
NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")  # and not the rank of a card


def text_of(name):
    """A file that a teacher downloads."""
    return (sheets.TEACHING / name).read_text(encoding="utf-8")


def items_of(text):
    """The numbered items of a sheet, or of both parts of a key."""
    parts = re.split(r"^\d\. |^## .*$", text, flags=re.MULTILINE)[1:]
    return [part.strip() for part in parts if part.strip()]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_files_are_those_that_the_questions_make(chapter):
    for name, text in sheets.files(chapter).items():
        assert text_of(name) == text, f"{name} is old: run `make sheets`"
        assert f"<teaching/{name}>" in (sheets.BOOK / "teaching.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_each_number_of_a_key_comes_from_its_question(chapter):
    made = sheets.sheet(chapter, sheets.A) + sheets.sheet(chapter, sheets.B)
    answers = items_of(text_of(f"key_sheets_{chapter}.md"))
    for one, answer in zip(made, answers, strict=True):
        kind = Prediction(**one).kind
        assert answer.endswith(one["because"])
        assert f"{kind.truth}**{kind.allowed}" in answer
        known = f"{kind.truth} {kind.allowed} {one['because']}"
        assert {*NUMBER.findall(answer)} <= {*NUMBER.findall(known)}


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_who_knows_the_answers_to_one_sheet_does_not_know_those_to_the_other(chapter):
    before, after = (sheets.sheet(chapter, seed) for seed in (sheets.A, sheets.B))
    assert [one["name"] for one in before] == [one["name"] for one in after]
    assert len(before) == 6
    assert sum(map(sheets.differ, before, after)) >= 5
    names = sheets.LESSONS[chapter]["first"] + sheets.LESSONS[chapter]["second"]
    module = import_module(f"gameai_book.{chapter}.questions")
    own = {getattr(module, name)()["question"] for name in names}
    assert own.isdisjoint(one["question"] for one in before + after)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_no_sheet_has_its_answers(chapter):
    for name, seed in (("before", sheets.A), ("after", sheets.B)):
        text = text_of(f"{name}_{chapter}.md")
        assert "**" not in text
        for one, item in zip(sheets.sheet(chapter, seed), items_of(text), strict=True):
            assert one["because"] not in text
            if "choices" in one:
                assert re.findall(r"- [a-z]\) (.*)", item) == [*one["choices"]]
            else:  # where it fails by chance, A and B of sheets.py must be others
                assert Prediction(**one).kind.truth.split()[0] not in NUMBER.findall(item)


@pytest.mark.parametrize("chapter", sheets.LESSONS)
def test_the_halves_are_those_of_the_lesson(chapter):
    text = "\n".join(source_of(cell) for cell in cells_of(chapter))
    halves = re.fullmatch(r"(.*^## Half-way.*?)(^## .*)", text, re.DOTALL | re.MULTILINE).groups()
    for half, text in zip(("first", "second"), halves, strict=True):
        assert {*sheets.LESSONS[chapter][half]} <= {*re.findall(r"\bquestions\.(\w+)", text)}, half
    title = text_of(f"questions_{chapter}.md").splitlines()[0].removeprefix("# Questions: ")
    assert sheets.LESSONS[chapter]["title"].lower() == title.lower()
