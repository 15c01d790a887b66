"""The questions of the chapter: well-formed, self-contained, and new each time they are asked."""

import inspect

import numpy as np
import pytest

from gameai_book.hanabi import questions
from gameai_lib.hanabi.belief.v1 import V1Settings, v1_belief
from gameai_lib.hanabi.game import cases
from touchbook.ask.prediction import Prediction

ASKED = {
    name: function
    for name, function in vars(questions).items()
    if inspect.isfunction(function)
    and function.__module__ == questions.__name__
    and not name.startswith("_")
}
SEEDS = range(32)  # of which a page shows the first eight that differ


def variants(name):
    """The question as the lesson asks it, and eight others."""
    return [ASKED[name](), *(ASKED[name](np.random.default_rng(seed)) for seed in SEEDS)]


@pytest.mark.parametrize("name", ASKED)
def test_each_variant_is_a_question_that_stands_alone(name):
    for asked in variants(name):
        Prediction(**asked)
        assert asked["question"].count("?") >= 1
        assert asked["name"] == name.replace("_", "-")
        for words in ("above", "below", "the lesson", "this board", "section"):
            assert words not in asked["question"] + asked["because"]


@pytest.mark.parametrize("name", ASKED)
def test_the_answer_differs_from_seed_to_seed(name):
    answers = {asked["answer"] for asked in variants(name)[1:]}
    least = 3 if len(ASKED[name]().get("choices", "four")) == 3 else 4
    assert len(answers) >= least, answers


@pytest.mark.parametrize("name", ASKED)
def test_a_question_is_the_same_whenever_it_is_asked_with_the_same_seed(name):
    assert variants(name) == variants(name)


def test_the_lessons_own_answers():
    own = {name: ask()["answer"] for name, ask in ASKED.items()}
    assert own == {
        "seat": "slot 4, for certain",
        "promised": "the Y4 and the B4",
        "one_step": "1",
        "seen": "2/3",
        "direction": "less likely",
        "count": 1 / 3,
        "swings": "it swings for ever",
        "silence": "the two newest",
        "echo": "more than 0.99",
        "listener": "more than 6",
    }


def test_reasons_have_the_librarys_numbers():
    assert "1.33 Y4 of 1, 0.33 G4 of 1 and 1.33 B4 of 1" in questions.promised()["because"]
    assert "from 13.1 to 20.8" in questions.listener()["because"]
    found = [asked for asked in variants("swings") if "at another value" in asked["answer"]]
    for asked in found:
        (n_slots,) = [
            n for n in range(4, 8) if f"of {questions.NUMBERS[n]} slots" in asked["question"]
        ]
        star = cases.star(n_slots)
        rests = v1_belief(star.candidates, star.hint_mask, settings=V1Settings())[0, 0]
        assert f"rests at {rests:.3g}." in asked["because"]
    assert found
