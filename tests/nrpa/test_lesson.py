"""Numbers that the lesson's text says, and its questions with these and with others."""

import re

import numpy as np
import pytest

from book.tools.assignments import cells_of, source_of
from gameai_book.nrpa import questions, searches
from gameai_book.nrpa.results import tables
from gameai_lib.base import jit
from gameai_lib.nrpa import NRPA, adapt, leftmove
from tests.support.asked import variants

CELLS = {cell["id"]: source_of(cell) for cell in cells_of("nrpa")}
pytestmark = pytest.mark.skipif(not jit.COMPILED, reason="measures a hundred searches")


def test_a_step_is_that_of_adapt():
    for step in variants(questions.step):
        p, alpha = (float(n) for n in re.findall(r"[\d.]*\d", step["question"]))
        gain = adapt([np.log(p), np.log(1 - p)], [[0, 1]], [0], alpha=alpha)[0] - np.log(p)
        assert step["answer"] == pytest.approx(gain)


def test_a_search_begins_with_as_many_steps_as_have_ended():
    for question in variants(questions.copies):
        n = int(question["question"].split("N = ")[1].split(",")[0])
        search = NRPA(leftmove(5), np.random.default_rng(0), level=2, n_iterations=n)
        search.advance(n * int(question["answer"]))
        # Those of level 1 are counted, too: N for each search that has ended.
        ended = search.n_playouts // n
        assert search.n_adapts - n * ended == question["answer"]


@pytest.mark.slow
def test_what_it_says_of_a_hundred_searches():
    scores = searches.hundred_searches()
    level_1, summary = CELLS["nrpa-level1-what"], CELLS["d53b1432"]
    for name, found in scores.items():
        assert f" {found.mean():,.0f}" in summary
        assert f" {found.mean():,.0f}" in level_1 or name == "level 2"
    assert f"In {(scores['level 1'] < 1000).sum()} of the hundred" in level_1
    separate = searches.thirty_separate()
    ahead = scores["level 2"].mean() - separate.mean()
    error = np.hypot(separate.std() / separate.size**0.5, scores["level 2"].std() / 10)
    rivals = CELLS["nrpa-rivals-read"]
    assert f"ahead by {ahead:.0f} points, with a standard error of {error:.0f}" in rivals


def test_what_it_says_of_morpion():
    long_runs = np.array(tables.read_table("morpion_5D_level3")["scores"])
    assert ((long_runs == 82).sum(), np.median(long_runs), long_runs.size) == (1, 78, 100)
    runs = tables.read_table("grid")["runs"]
    for level, size in ((1, 10_000), (1, 100_000), (2, 100), (2, 316)):
        mean = np.mean(runs[str(level)][str(size)]["scores"])
        assert f"{mean:.1f}" in CELLS["scale-read"]
