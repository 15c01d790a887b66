"""Questions that come back: their other numbers, the page that asks them, and what is kept."""

import json

import numpy as np
import pytest

from tests.frame.test_ask import give, new_kernel, parsed, shown_in_kernel  # noqa: F401
from tests.support.js_fixtures import NIM, coin, doubled
from touchbook import BOOK_BUILD, cover
from touchbook.ask import answers
from touchbook.ask.prediction import N_VARIANTS
from touchbook.page.lessons import lessons_of
from touchbook.widgets import ask, keep_answers, progress, review


def test_variants_are_different_questions_and_the_same_in_every_build():
    asked = ask(doubled, covers="line")
    variants = asked.variants()
    assert len({one.key for one in (asked, *variants)}) == N_VARIANTS + 1
    assert [one.key for one in variants] == [one.key for one in ask(doubled).variants()]
    for one in variants:
        number = float(one.question.split()[-1].rstrip("?"))
        assert one.kind.answer == number + number
        assert one.covers == ["line"]
    assert len(ask(coin).variants()) == 1
    assert ask("Twice 4?", answer=8, tolerance=0, because="So.").variants() == []


def test_a_page_carries_them_and_a_question_without_such_carries_nothing(monkeypatch):
    monkeypatch.setenv(BOOK_BUILD, "here")
    soup = parsed(ask(doubled)._repr_mimebundle_()["text/html"])
    variants = json.loads(soup.select_one("script.ask-variants").text)
    assert len(variants) == N_VARIANTS
    for one in variants:
        assert parsed(one["fieldset"]).legend.text.startswith("Twice")
        answer = parsed(one["answer"]).select_one("p.ask-truth strong").text
        assert float(answer) == one["data"]["answer"]
    plain = ask("Twice 4?", answer=8, tolerance=0, because="So.", name="plain")
    assert "<script" not in plain._repr_mimebundle_()["text/html"]


def test_a_kernel_asks_again_with_other_numbers():
    asked = shown_in_kernel(ask(doubled))
    first = asked.question
    assert asked.widget.setup["hasVariants"]
    give(asked, "wrong", "7")
    asked.widget._handle_custom_msg({"do": "again"}, [])
    assert (asked.status, asked.question == first) == ("open", False)
    assert asked.question in parsed(asked.widget.setup["html"]).legend.text
    second = asked.key
    asked.ask_anew()
    assert asked.key != second


def test_the_page_and_the_kernel_of_all_questions(monkeypatch):
    monkeypatch.setattr(NIM, "mean", np.mean, raising=False)  # what a chapter's module imports
    page = review({"nim": ("Nim & co", NIM)})
    assert repr(page) == "2 questions that come back"
    drawn, again = (page.draw(np.random.default_rng(1)) for _ in range(2))
    assert {one.name for one in drawn} == {"doubled", "coin"}
    assert [one.key for one in drawn] == [one.key for one in again]
    shown_in_kernel(page)
    monkeypatch.setenv(BOOK_BUILD, "here")
    soup = parsed(page._repr_mimebundle_()["text/html"])
    assert soup.select_one(".review-lesson").text == "Nim & co"
    assert [form["id"] for form in soup.select("form.ask")] == ["ask-nim-doubled", "ask-nim-coin"]
    assert [a["href"] for a in soup.select("a")] == ["nim.html#ask-doubled", "nim.html#ask-coin"]
    assert all(fold.text for fold in soup.select("details.ask-answer"))  # without a script


def test_the_box_on_the_first_page_is_empty_and_hidden(monkeypatch):
    assert progress("back")._repr_mimebundle_() == {"text/plain": "Where you were"}
    monkeypatch.setenv(BOOK_BUILD, "here")
    box = parsed(progress("back")._repr_mimebundle_()["text/html"]).div
    assert (box["data-review"], box.has_attr("hidden"), box.text) == ("back", True, "")


def test_what_the_first_page_knows_of_a_lesson():
    ask_, board = '<form class="ask" id="ask-{}"', '<figure class="board" id="board-{}"'
    body = (
        f"<h1>Nim</h1>{ask_.format('a')}{board.format('sticks')}"
        f'<section id="half-way"><span id="nim-half-way"></span><h2>Half-way</h2>{ask_.format("b")}'
        f"</section><h2>On</h2>{ask_.format('c')}"
    )
    exercise = '<div class="try" id="try-ex-1" data-exercise="ex-1"><div class="try" id="try-x" '
    pages = {"book/nim": ("Nim", body), "book/nim_workshop": ("W", exercise), "book/x": ("X", "")}
    assert [*lessons_of(pages)] == [{
        "page": "nim", "title": "Nim",
        "halves": [{"asked": ["a", "b"], "touched": ["sticks"]}, {"asked": ["c"], "touched": []}],
        "exercises": {"page": "nim_workshop", "names": ["ex-1"]},
    }]  # fmt: skip


def test_answers_are_kept_in_a_file_and_come_back(tmp_path, monkeypatch):
    path = keep_answers(tmp_path / "mine.json")
    give(shown_in_kernel(ask(doubled)), "right", "8")
    give(shown_in_kernel(ask(coin)), "wrong", 1)
    monkeypatch.setattr(cover, "announced", {})  # another kernel
    monkeypatch.setattr(answers, "_keepers", {})
    keep_answers(path)
    again = shown_in_kernel(ask(doubled))
    assert (again.status, again.said) == ("right", "8")
    again.forget()
    assert again.status == "open"
    assert set(json.loads(path.read_text())) == {"coin"}
    assert [*tmp_path.iterdir()] == [path]


def test_a_file_of_something_else_is_left_alone(tmp_path):
    for text in "not JSON", "[1]", '{"doubled": 3}':
        (tmp_path / "mine.json").write_text(text)
        with pytest.raises(ValueError, match="left alone"):
            keep_answers(tmp_path / "mine.json")
        assert (tmp_path / "mine.json").read_text() == text


def test_beside_which_notebook(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    with pytest.raises(ValueError, match="no notebook has told its name"):
        keep_answers()
    monkeypatch.setenv("JPY_SESSION_NAME", "/some/where/nrpa.ipynb")
    assert keep_answers() == tmp_path / "nrpa.answers.json"
