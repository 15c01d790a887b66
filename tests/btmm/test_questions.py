"""The questions of the chapter: well-formed for every seed, answered by another way of counting."""

import inspect
import re

import numpy as np
import pytest

from gameai_book.btmm import questions
from gameai_lib.btmm import fit, from_pairs
from touchbook.ask.prediction import Prediction

ASKED = {
    name: make
    for name, make in inspect.getmembers(questions, inspect.isfunction)
    if make.__module__ == questions.__name__ and not name.startswith("_")
}
SEEDS = range(32)  # of which a page shows the first eight that differ
# How many right answers there are over the seeds; of a measured fact, all that the results have.
ANSWERS = {"expected": 4, "which_step": 2, "length": 2}


def variants(make):
    """The question of the lesson, and one for each seed."""
    return [make(), *(make(np.random.default_rng(seed)) for seed in SEEDS)]


@pytest.mark.parametrize("name", ASKED)
def test_a_question_is_well_formed_and_comes_with_fresh_numbers(name):
    asked = variants(ASKED[name])
    for one in asked:
        prediction = Prediction(**one)
        assert prediction.name == asked[0]["name"]
        words = one["question"] + one["because"]
        assert not re.search(r"\b(?:above|below|this lesson|the picture|here)\b", one["question"])
        assert "nan" not in words
        assert one["question"].endswith("?")
    assert len({one["answer"] for one in asked}) >= ANSWERS.get(name, 3)
    assert len({one["question"] for one in asked}) >= 4


def numbers(text):
    """Whole numbers of a text, in order."""
    return [int(n.replace(",", "")) for n in re.findall(r"\d[\d,]*", text)]


def test_expected_wins_are_counted_move_by_move():
    for one in variants(questions.expected):
        a, n, first, c, m, second, _ = numbers(one["question"])
        games = [(n, a)] * first + [(m, c)] * second
        assert one["answer"] == pytest.approx(sum(with_it / legal for legal, with_it in games))


def test_an_update_is_towards_the_likeliest_strength():
    """One step of MM never passes the top, which is wins over losses."""
    for one in variants(questions.update):
        old, won, games, _ = numbers(one["question"])
        best = won / (games - won) if won < games else np.inf
        k = 2 if best == pytest.approx(old) else int(best < old)
        assert one["answer"] == one["choices"][k]


def test_virtual_games_are_those_of_the_fit():
    for one in variants(questions.virtual):
        a, b_won, b, *_ = numbers(one["question"])
        gamma = []
        for won, played in ((a, a), (b_won, b)):
            # A rival that is held at 1 by very many even games.
            games = from_pairs(
                [0, 1, 1, 2], [1, 0, 2, 1], weight=[won + 1, played - won + 1, 1e9, 1e9]
            )
            strength = fit(games, prior=0.0, tol=1e-14).gamma
            gamma.append(strength[0] / strength[1])
        k = 2 if gamma[0] == pytest.approx(gamma[1], rel=0.02) else int(gamma[1] > gamma[0])
        assert one["answer"] == one["choices"][k]


def test_a_program_has_a_mistake_where_it_falls():
    for one in variants(questions.chain):
        printed = re.search(r"ln L: ([−\d., ]+)\. What", one["question"])[1]
        values = [float(v.replace("−", "-")) for v in printed.split(", ")]
        k = 0 if values[2] < values[1] else 1 if values[2] > values[1] else 2
        assert one["answer"] == one["choices"][k]
        assert values[1] > values[0]


def test_teams_are_multiplied_by_hand():
    for one in variants(questions.shared):
        *_, player, times = numbers(one["question"])
        strength = dict(zip(range(1, 8), range(1, 8), strict=True))
        chances = []
        for factor in (1, times):
            new = strength | {player: player * factor}
            a, b, c = new[1] * new[2] * new[3], new[2] * new[4], new[1] * new[5] * new[6] * new[7]
            chances.append(a / (a + b + c))
        assert f"from {100 * chances[0]:.2f} to {100 * chances[1]:.2f} %" in one["because"]


def test_the_lessons_own_numbers():
    """What the text beside a question says of it."""
    assert questions.shared()["answer"] == "It rises by less than a tenth."
    assert questions.which_step()["answer"] == "from three to four"
    assert "0.31, 0.77, 5.1, 32, 450" in questions.which_step()["because"]
    assert questions.all_at_once()["answer"].startswith("It goes up and down")
    assert questions.edge()["answer"] == "opponent"
    assert questions.length()["answer"] == "Those of six cells"
