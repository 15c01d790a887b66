"""Newman's iteration and MM, player by player: by hand, against `rate`, and what is stored."""

from itertools import islice

import numpy as np
import pytest

from gameai_book.btmm import duels
from gameai_book.btmm.measure import duels as measure
from gameai_book.btmm.results import tables
from gameai_book.btmm.surrogate import pairs_log_likelihood
from gameai_lib.btmm import rate
from tests.btmm.test_lesson import cells_of

GAMES = np.random.default_rng(4).integers(6, size=(90, 2))
GAMES = GAMES[GAMES[:, 0] != GAMES[:, 1]]


def test_two_players_by_hand():
    # Three wins and one: the first moves to 3 / 1, and from there the second stays where it is.
    found = duels.duels_of(np.array([0, 0, 0, 1]), np.array([1, 1, 1, 0]), 2)
    start, once, twice = islice(duels.passes(duels.newman, found, 0.0), 3)
    assert (start.tolist(), once.tolist(), twice.tolist()) == ([1, 1], [3, 1], [3, 1])
    # MM: 3 / (4 / 2) for the first, then 1 / (4 / 2.5) for the second.
    _, once = islice(duels.passes(duels.zermelo, found, 0.0), 2)
    assert once.tolist() == [1.5, 0.625]
    # A prior's win and loss against 1: (1/2 + 3/2) / (1/2 + 1/2), then with the new 2.
    _, once = islice(duels.passes(duels.newman, found, 1.0), 2)
    assert once == pytest.approx([2, (1 / 2 + 2 / 3) / (1 / 2 + 3 / 3)])


@pytest.mark.parametrize("prior", [0.0, 0.6])
@pytest.mark.parametrize("one_pass", [duels.newman, duels.zermelo])
def test_both_end_at_the_maximum_and_never_fall(one_pass, prior):
    found = duels.duels_of(*GAMES.T, 6)
    steps = list(islice(duels.passes(one_pass, found, prior), 900))
    rating = rate([(*game, 1) for game in GAMES.tolist()], prior=prior)
    theta = np.log(steps[-1])[list(rating.names)]
    np.testing.assert_allclose(theta - theta.mean(), rating.log_gamma, atol=1e-9)
    wins = np.zeros((7, 7))  # the last has strength 1, and the virtual games
    np.add.at(wins, tuple(GAMES.T), 1)
    wins[6, :6] = wins[:6, 6] = prior
    value = [float(pairs_log_likelihood(wins, np.append(gamma, 1.0))) for gamma in steps]
    assert (np.diff(value) > -1e-9).all()
    plain = getattr(one_pass, "py_func", one_pass)
    np.testing.assert_allclose(next(islice(duels.passes(plain, found, prior), 9, None)), steps[9])


def test_the_small_field_is_measured_as_it_is_stored():
    run = measure.methods(*measure.play(measure.league), 0.0)
    *_, goal = run["Newton"]()
    found = {name: measure.passes_to(begin, goal, 0.0) for name, begin in run.items()}
    stored = [row for row in tables.read_table("duels") if row["case"] == "league"]
    assert found == {row["method"]: row["passes"] for row in stored}


def test_what_the_chapter_says_of_them():
    passes, ms = tables.duels("passes"), tables.duels("ms")
    assert passes["field"][-1] == "ring of 500"
    most, least = max(passes["Newman"][:-1]), min(passes["MM"][:-1])
    words = f"of five fields of players it needed {most} passes or fewer, and MM needed {least} or"
    assert words in cells_of("btmm")["8d05cc26"]
    assert passes["Newton"][-1] == 7
    assert all(np.array(ms["Newman"]) < np.min([ms["MM"], ms["accelerated"], ms["Newton"]], axis=0))
