"""Toys against their rules in a few lines of Python; the searches know their best scores."""

import itertools

import numpy as np
import pytest

from gameai_book.nrpa.toy_games import (
    KINDS,
    NINE,
    exception,
    nine_games,
    noisy_leftmove,
    points_game,
    points_of,
    zigzag,
)
from gameai_lib.nrpa import playout_of, replay


@pytest.mark.parametrize("codes", KINDS)
def test_the_nine_games_score_as_in_their_table(codes):
    problem = nine_games(codes)
    for pair in itertools.product(range(3), repeat=2):
        assert playout_of(problem, list(pair)).score == NINE[pair] == points_of(problem, pair)


@pytest.mark.parametrize("codes", KINDS)
def test_codes_are_the_same_where_they_should_be(codes):
    problem = points_game(np.zeros((3, 2, 2)), codes)
    seen = {}
    for game in itertools.product(range(2), repeat=3):
        for ply, at in enumerate(replay(problem, game)):
            assert len({*at.legal.tolist()}) == at.legal.size
            before = game[:ply]
            for move, code in enumerate(at.legal.tolist()):
                assert 0 <= code < problem.n_codes
                seen.setdefault(code, set()).add((ply, before, move))
    known = {
        "move": lambda ply, before, move: move,
        "ply": lambda ply, before, move: (ply, move),
        "last": lambda ply, before, move: (before[-1] if before else 0, move),
        "path": lambda ply, before, move: (before, move),
    }[codes]
    groups = {}
    for place in set().union(*seen.values()):
        groups.setdefault(known(*place), set()).add(place)
    assert sorted(map(sorted, groups.values())) == sorted(map(sorted, seen.values()))


def test_zigzag_wants_changes_and_the_exception_one_right():
    assert playout_of(zigzag(5), [0, 1, 0, 1, 0]).score == 4
    assert playout_of(zigzag(5), [0, 0, 0, 1, 1]).score == 1
    problem = exception(4, ply=2, prize=5)
    assert playout_of(problem, [0, 0, 1, 0]).score == 8
    assert playout_of(problem, [0, 0, 0, 0]).score == 3


def test_noise_has_the_deviation_asked_for_and_hides_nothing_from_points_of():
    problem = noisy_leftmove(10, noise=3.0, seed=5)
    ints, floats = problem.ints.copy(), problem.floats.copy()
    problem.rules.reset(ints, floats)
    drawn = np.array([problem.rules.score(ints, floats) for _ in range(4000)])
    assert abs(drawn.mean()) < 0.2
    assert drawn.std() == pytest.approx(3.0, rel=0.05)
    assert abs(np.corrcoef(drawn[1:], drawn[:-1])[0, 1]) < 0.05
    assert points_of(problem, [0] * 7 + [1] * 3) == 7
    assert noisy_leftmove(10).floats[0] == 0
