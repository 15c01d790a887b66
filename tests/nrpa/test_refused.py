"""What the doors of the room refuse: one table, with the value that each error names."""

from functools import partial

import numpy as np
import pytest

from gameai_book.nrpa.boards.race import RaceBoard
from gameai_book.nrpa.toy_games import points_game
from gameai_lib.nrpa import (
    NMCS,
    NRPA,
    FlatMonteCarlo,
    Instance,
    Playout,
    Problem,
    RulesError,
    best_games,
    best_tour,
    bundled_board,
    bundled_tsptw,
    choices_of,
    flat_monte_carlo,
    judge,
    leftmove,
    morpion,
    playout_of,
    restarts,
    samegame,
)
from gameai_lib.nrpa.game.continued import continued
from gameai_lib.nrpa.game.morpion import judge_morpion
from gameai_lib.nrpa.game.samegame_referee import judge_samegame
from gameai_lib.nrpa.game.tsptw import evaluate
from gameai_lib.nrpa.search.policy import adapt, move_probabilities
from tests.nrpa.games import one_move

SMALL, RULES = leftmove(4), one_move().rules
ENDLESS = FlatMonteCarlo(SMALL, 0)
OPEN = Instance("square", np.ones((4, 4)), [[0, 99]] * 4)
search = partial(NRPA, SMALL, 0)
tour = partial(best_tour, bundled_tsptw("small"), 1)
instance = partial(Instance, name="bad", distance=np.zeros((2, 2)), windows=np.zeros((2, 2)))


def weights(**change):
    return adapt(**{"policy": np.zeros(3), "legal": [[0, 1]], "choices": [0]} | change)


def make(**change):
    good = {"name": "bad", "rules": RULES, "ints": [0], "floats": [0.0] * 3}
    return Problem(**good | {"n_codes": 3, "max_plies": 1, "max_legal": 3} | change)


def runs(**change):
    return restarts(**{"problem": SMALL, "rng": 0, "n_runs": 2} | change)


def judge_codes(codes):
    return judge(SMALL, Playout(4.0, np.zeros(4, int), codes))


def board_with(value):
    board = bundled_board().astype(type(value))
    board[3, 7] = value
    return board


REFUSED = [
    (search, {"level": 65}, "level must be from 1 to 64, got 65"),
    (search, {"n_iterations": 0}, "n_iterations must be at least 1"),
    (search, {"alpha": 0.0}, "alpha must be more than 0"),
    (search, {"max_repeats": -1}, "max_repeats must be at least 0, got -1"),
    (search, {"n_playouts_per_adapt": 0}, "n_playouts_per_adapt must be at least 1"),
    (search, {"clip": 301.0}, "clip must be more than 0 and at most 300"),
    *((kind, {"problem": SMALL, "rng": "5"}, "rng must be a numpy.*Generator, .* got '5'")
      for kind in (NRPA, NMCS, FlatMonteCarlo)),
    (NMCS, {"problem": None, "rng": 0}, "problem must be of type Problem, got None"),
    (NMCS, {"problem": SMALL, "rng": 0, "level": 0}, "level must be from 1 to 64, got 0"),
    (FlatMonteCarlo, {"problem": SMALL, "rng": 0, "policy": np.zeros(3)}, "8 weights, got 3"),
    (FlatMonteCarlo, {"problem": SMALL, "rng": 0, "policy": [np.nan] * 8}, "finite, got nan"),
    (flat_monte_carlo, {"problem": SMALL, "rng": 0, "n_playouts": 0}, "from 1 to .*, got 0"),
    (ENDLESS.run, {}, "FlatMonteCarlo never ends: give n_playouts"),
    (ENDLESS.run, {"seconds": -1}, "seconds must be at least 0, got -1"),
    (ENDLESS.run, {"target": np.inf}, "target must be .*, got inf"),
    (ENDLESS.run, {"n_playouts": 1.5}, "n_playouts must be a whole number, got 1.5"),
    (ENDLESS.advance, {"n_playouts": -1}, "n_playouts must be at least 0, got -1"),
    (lambda every: next(ENDLESS.frames(every)), {"every": 0}, "every must be at least 1, got 0"),
    (best_games, {"search": ENDLESS, "every": 5}, "FlatMonteCarlo never ends: watch its `frames`"),
    (tour, {}, "never ends"),
    (tour, {"seconds": -1}, "seconds must be at least 0, got -1"),
    (weights, {"alpha": -1.0}, "alpha must be more than 0 and at most 1e\\+100, got -1.0"),
    (weights, {"clip": 301}, "clip must be more than 0 and at most 300, got 301"),
    (weights, {"choices": [2]}, "choice 2 of 2"),
    (weights, {"choices": [-1]}, "choice -1 of 2"),
    (weights, {"choices": [0, 0]}, "2 choices for 1 plies"),
    (weights, {"legal": [[0, 3]]}, r"legal\[0\] must be from 0 to 2, got 3"),
    (weights, {"legal": [[]]}, "choice 0 of 0"),
    (weights, {"policy": [0.0, 1e4, 0.0]}, "policy must be within ±300, got 10000"),
    (move_probabilities, {"policy": [0, 1], "codes": [-1]}, "codes must be from 0 to 1, got -1"),
    (move_probabilities, {"policy": [0, 1], "codes": []}, "there must be a move"),
    (move_probabilities, {"policy": [0, np.inf]}, "policy must be finite, got inf"),
    (make, {"rules": RULES._replace(legal=lambda ints, floats, codes: 0)}, "legal must take"),
    (make, {"rules": RULES._replace(play=None)}, "bad: play must be a function, got None"),
    (make, {"rules": (1, 2)}, r"rules must be Rules\(reset, legal, play, score\), got"),
    (make, {"name": 5}, "name must be of type str, got 5"),
    (make, {"ints": [1.7]}, "ints must be whole numbers, got 1.7"),
    (make, {"n_codes": 10**9}, "n_codes must be from 1 to 16777216, got 1000000000"),
    (make, {"max_legal": 0}, "max_legal must be from 1 to 16777216, got 0"),
    (make, {"max_plies": 10**6, "max_legal": 10**6}, "max_plies 1000000 times max_legal"),
    (make, {"bias": np.zeros(5)}, "bias must be 3 numbers, got 5"),
    (runs, {"n_runs": 0}, "n_runs must be from 1 to 1000000, got 0"),
    (runs, {"levels": 3}, "unexpected keyword argument 'levels'"),
    (runs, {"executor": 5}, "executor must be of type Executor, got 5"),
    (runs, {"problem": [SMALL]}, r"problem must be of type Problem, got \["),
    (runs, {"search": "NRPA"}, "search must be NRPA, NMCS or FlatMonteCarlo, got 'NRPA'"),
    (runs, {"search": FlatMonteCarlo}, "FlatMonteCarlo never ends: give n_playouts"),
    (playout_of, {"problem": SMALL, "choices": [0, 2]}, "ply 1: choice 2 of 2 legal moves"),
    (playout_of, {"problem": SMALL, "choices": [-1]}, "ply 0: choice -1 of 2"),
    (playout_of, {"problem": SMALL, "choices": [0]}, "2 legal moves are left after 1 plies"),
    (playout_of, {"problem": SMALL, "choices": [0] * 5}, "ply 4: choice 0 of 0 legal moves"),
    (choices_of, {"problem": SMALL, "moves": [5]}, "ply 0: move 5 is not legal"),
    (continued, {"problem": SMALL, "choices": [0]}, "neither Morpion Solitaire nor SameGame"),
    (judge_codes, {"codes": [0, 3, 4]}, "3 codes, but the game has 4 plies"),
    (judge_codes, {"codes": [0, 0, 4, 6]}, "ply 1: code 0 is neither 2 nor 3"),
    (judge_codes, {"codes": [0, 3, 4, 6]}, "the game claims 4.0, the referee counts 3.0"),
    (morpion, {"variant": "6T"}, "variant must be one of .*, got '6T'"),
    # Three new points; too short; not in a row; no direction of the game runs backwards.
    *((judge_morpion, {"variant": "5D", "lines": [[(x, 0) for x in xs]]}, "move 1")
      for xs in ([0, 1, 2, 3, 4], [3, 4, 5, 6], [3, 4, 5, 6, 8], [7, 6, 5, 4, 3])),
    *((samegame, {"board": board_with(value)}, f"SameGame: board must be .* got {value}")
      for value in (1.5, np.nan, -1, 7)),
    *((samegame, {"board": np.zeros(shape, int)}, r"board must be 1 x 1 to 15 x 15, got \(")
      for shape in ((16, 15), (1, 16), (0, 5))),
    (judge_samegame, {"board": np.eye(2, dtype=int), "cells": [(1, 1)]}, r"move 1: \(1, 1\)"),
    (RaceBoard, {"problem": "chess"}, "got 'chess'"),
    (RaceBoard, {"n_iterations": 101}, "got 101"),
    (points_game, {"points": np.zeros((2, 2))}, "3 dimensions"),
    (points_game, {"points": np.zeros((2, 2, 3))}, r"n_plies, n_moves, n_moves\), got \(2, 2, 3"),
    (points_game, {"points": np.zeros((30, 2, 2)), "codes": "path"}, "n_codes must be from 1 to"),
    (bundled_tsptw, {"name": "x"}, r"name must be one of \['small', 'medium'\], got 'x'"),
    (instance, {"distance": np.zeros((2, 3))}, "do not describe the same cities"),
    (instance, {"distance": np.full((2, 2), -1.0)}, "negative distance -1.0"),
    (instance, {"windows": [[0, 9], [5, 4]]}, "city 1 closes before it opens"),
    *((evaluate, {"instance": OPEN, "tour": cities}, "must visit cities 1 to 3 once each")
      for cities in ([1, 2], [1, 1, 2], [1, 2, 4])),
]  # fmt: skip


@pytest.mark.parametrize(("door", "given", "message"), REFUSED)
def test_it_is_refused(door, given, message):
    with pytest.raises((ValueError, TypeError), match=message) as caught:
        door(**given)
    assert isinstance(caught.value, RulesError) == ("legal must take" in message)
