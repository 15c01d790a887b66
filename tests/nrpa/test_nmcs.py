"""NMCS against a plain recursion with the same random numbers, and on LeftMove."""

import numpy as np
import pytest

from gameai_lib.nrpa import NMCS, bundled_tsptw, leftmove, tsptw
from tests.nrpa.games import Walk


def plain_nmcs(problem, level, moves, rng):
    """Cazenave (2009) as a recursion over move lists; returns (score, whole game)."""

    def at(moves):
        walk = Walk(problem)
        for code in moves:
            walk.play(code)
        return walk

    walk = at(moves)
    if level == 0 or not walk.legal():
        moves = list(moves)
        while codes := walk.legal():
            k = int(rng.random() * len(codes))
            moves.append(codes[k])
            walk.play(codes[k])
        return walk.score(), moves
    best_score, best = -np.inf, None
    moves = list(moves)
    while codes := at(moves).legal():
        for code in codes:
            score, found = plain_nmcs(problem, level - 1, [*moves, code], rng)
            if score > best_score:
                best_score, best = score, found
        moves.append(best[len(moves)])
    return best_score, best


@pytest.mark.parametrize(
    ("problem", "level"),
    [
        (leftmove(6), 1),
        (leftmove(4), 2),
        (leftmove(3), 3),
        (tsptw(bundled_tsptw("small")), 1),
        (tsptw(bundled_tsptw("small")), 2),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_same_game_as_the_plain_recursion(problem, level):
    score, moves = plain_nmcs(problem, level, [], np.random.default_rng(6))
    search = NMCS(problem, np.random.default_rng(6), level=level)
    while not search.advance(3):
        pass
    assert search.best.score == score
    assert list(search.best.codes) == moves
