"""What the lesson says of many searches, measured when it is asked for: it takes seconds."""

from dataclasses import replace
from functools import cache

import numpy as np

from gameai_book.nrpa.boards.blocks import lesson_problem
from gameai_book.nrpa.toy_games import noisy_leftmove, points_game, points_of, zigzag
from gameai_lib.nrpa.search.flat import flat_monte_carlo
from gameai_lib.nrpa.search.nrpa import NRPA

N_GAMES = 900  # of each search on the lesson's board
N_SETS = 20  # of thirty separate searches


def best_of(problem, seed, level, n_iterations) -> float:
    """Best score of one search."""
    rng = np.random.default_rng(seed)
    return NRPA(problem, rng, level=level, n_iterations=n_iterations).run().score


@cache
def hundred_searches() -> dict[str, np.ndarray]:
    """Best scores of a hundred searches of 900 games, by player."""
    problem, seeds = lesson_problem(), range(100)
    scores = {
        "random games": [
            flat_monte_carlo(problem, np.random.default_rng(s), N_GAMES)[0].score for s in seeds
        ],
        "level 1": [best_of(problem, s, 1, N_GAMES) for s in seeds],
        "level 2": [best_of(problem, s, 2, 30) for s in seeds],
    }
    return {name: np.array(found) for name, found in scores.items()}


@cache
def thirty_separate() -> np.ndarray:
    """Best scores of sets of thirty searches of level 1, with thirty games each."""
    problem = lesson_problem()
    return np.array(
        [max(best_of(problem, 100 * s + k, 1, 30) for k in range(30)) for s in range(N_SETS)]
    )


@cache
def noisy_searches(noise: float, n_runs: int = 30) -> tuple[list[float], list[float]]:
    """What searches of 1,600 games report of LeftMove with noise, and what their games have."""
    problems = [noisy_leftmove(30, float(noise), seed=s) for s in range(n_runs)]
    games = [
        NRPA(p, np.random.default_rng(s), level=2, n_iterations=40).run()
        for s, p in enumerate(problems)
    ]
    truths = [points_of(p, g.choices) for p, g in zip(problems, games, strict=True)]
    return [game.score for game in games], truths


# Sixteen times left or right: which code NRPA needs depends on what brings the points.
CODES = {
    "move": "left or right, and nothing else",
    "ply": "left or right, and which move of the game it is",
    "last": "left or right, and the move before",
    "path": "left or right, and all moves before",
}


@cache
def sixteen_moves(rule: str) -> dict[str, float]:
    """Mean best score of twenty searches of 400 games with each code, and of random games.

    Parameters
    ----------
    rule : str
        "zigzag": a point for each move that is not the one before. "plies": a point for left in
        some moves of the game, for right in others.
    """
    sides = np.random.default_rng(2).integers(2, size=16)
    points = np.tile(np.eye(2)[sides][:, None], (1, 2, 1))
    games = {
        code: zigzag(16, code) if rule == "zigzag" else points_game(points, code) for code in CODES
    }
    means = {
        words: float(np.mean([best_of(games[code], s, 2, 20) for s in range(20)]))
        for code, words in CODES.items()
    }
    game = games["ply"]
    flat = [flat_monte_carlo(game, np.random.default_rng(s), 400)[0].score for s in range(20)]
    return {**means, "random games": float(np.mean(flat))}


BIASES = {
    "none": 0.0,
    "a mild one, so that left begins with 88 %": 2.0,
    "one of 20, which in practice is a ban on right": 20.0,
}


@cache
def with_biases(n_exceptions: int) -> dict[str, float]:
    """Mean points of forty searches of 100 games with each bias for left, over forty moves.

    Left brings a point at each move but `n_exceptions`, at which right brings 5.
    """
    points = np.tile([1.0, 0.0], (40, 2, 1))
    points[np.arange(n_exceptions) * 40 // max(n_exceptions, 1)] = 0.0, 5.0
    game = points_game(points)
    biased = {words: replace(game, bias=np.tile([b, 0.0], 40)) for words, b in BIASES.items()}
    return {
        words: float(np.mean([best_of(one, seed, 2, 10) for seed in range(40)]))
        for words, one in biased.items()
    }
