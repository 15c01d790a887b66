"""The lesson's questions, asked with its own numbers and with others."""

import inspect
import re

import numpy as np
import pytest

from gameai_book.nrpa import questions
from gameai_lib.base import jit
from gameai_lib.nrpa import NRPA, adapt, leftmove
from touchbook.ask.prediction import Prediction
from touchbook.widgets import ask

ASKED = {
    name: function
    for name, function in vars(questions).items()
    if inspect.isfunction(function) and not name.startswith("_")
}
SEEDS = (None, *range(32))  # of which a page shows eight
POINTERS = ("above", "below", "this board", "the picture", "our board", "the cell")
MEASURED = {"codes": 3, "bias": 2}  # of facts: as many right answers as were measured

pytestmark = pytest.mark.skipif(not jit.COMPILED, reason="measures a hundred searches")


def asked(name, seed):
    return ASKED[name](None if seed is None else np.random.default_rng(seed))


@pytest.mark.parametrize("name", ASKED)
def test_each_is_well_formed_stands_alone_and_has_different_answers(name):
    drawn = [asked(name, seed) for seed in SEEDS]
    for question in drawn:
        prediction = Prediction(**question)
        assert question["name"] == name
        assert len(question["question"].split()) > 15
        assert not [pointer for pointer in POINTERS if pointer in question["question"]]
        for text in (question["question"], question["because"]):
            assert text.endswith((".", "?"))
            assert not {"nan", "None", "e-"} & set(text.split())
        if "choices" not in question:
            assert np.isfinite(question["answer"])
        assert prediction.key
    shown = ask(ASKED[name]).variants()
    assert len({one.kind.truth for one in shown}) >= MEASURED.get(name, 4)
    assert asked(name, 3) == asked(name, 3)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_step_is_that_of_adapt(seed):
    step = asked("step", seed)
    p, alpha = (float(n) for n in re.findall(r"[\d.]*\d", step["question"]))
    gain = adapt([np.log(p), np.log(1 - p)], [[0, 1]], [0], alpha=alpha)[0] - np.log(p)
    assert step["answer"] == pytest.approx(gain)


def test_a_search_begins_with_as_many_steps_as_have_ended():
    for seed in SEEDS:
        question = asked("copies", seed)
        n = int(question["question"].split("N = ")[1].split(",")[0])
        search = NRPA(leftmove(5), np.random.default_rng(0), level=2, n_iterations=n)
        search.advance(n * int(question["answer"]))
        # Those of level 1 are counted, too: N for each search that has ended.
        ended = search.n_playouts // n
        assert search.n_adapts - n * ended == question["answer"]
