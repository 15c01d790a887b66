"""Nested rollout policy adaptation: search on Morpion Solitaire, SameGame, TSPTW and your own.

Rosin, "Nested Rollout Policy Adaptation for Monte Carlo Tree Search", IJCAI 2011.

A `Problem` comes from `morpion`, `samegame`, `tsptw` or `leftmove`, or from four functions of
your own (`Rules`), which `try_out` tests. `NRPA`, `NMCS` and `FlatMonteCarlo` search it: `run`
goes on to the end or to a limit of playouts, seconds or score, `advance` for some playouts,
`frames` from picture to picture; what they have found so far is in `best`, a `Playout`. `save` and
`load` keep a search, `restarts` makes independent runs, in parallel if wished, and `best_tour` has
one setting for all tours. A game is played again by `replay`, judged by `judge`, told by
`in_words`, and kept by `save_game`; `root_trace` and `best_games` watch a search.

An argument out of its range raises a ValueError, one of another type a TypeError, each with the
value; docstrings name the other errors.

The way through the room: `problem` (what rules must promise), `game` (rules, referees, files),
`search` (loops and searches), `tours`.

Examples
--------
A tour of twenty cities, each to be visited within its time window, by the one setting for tours;
the score is minus the cost, and a million less for each city that is reached late:

>>> import numpy as np
>>> from gameai_lib.nrpa import best_tour, bundled_tsptw, in_words, judge, tsptw
>>> instance = bundled_tsptw("medium")
>>> problem = tsptw(instance)
>>> best = best_tour(instance, 1, n_playouts=2000)
>>> in_words(problem, best)
'score -573 (all windows met, cost 573)'
>>> judge(problem, best).score  # by a referee that knows nothing of the search
-573.0

A search with limits, that is kept in a file and goes on in another process:

>>> import tempfile
>>> from gameai_lib.nrpa import NRPA
>>> search = NRPA(problem, 1, level=3)
>>> search.run(2000, seconds=60).score
-573.0
>>> with tempfile.TemporaryDirectory() as folder:
...     search.save(f"{folder}/search.npz")
...     loaded = NRPA.load(f"{folder}/search.npz", problem)
>>> loaded
NRPA(tsptw_medium: 2000 playouts, best score -573 (all windows met, cost 573))
"""

from gameai_lib.nrpa.game.files import load_game, read_board, read_tsptw, save_game
from gameai_lib.nrpa.game.instances import bundled_board, bundled_places, bundled_tsptw, small_board
from gameai_lib.nrpa.game.leftmove import leftmove
from gameai_lib.nrpa.game.morpion import morpion
from gameai_lib.nrpa.game.samegame import samegame
from gameai_lib.nrpa.game.tsptw import Instance, tour_of, tsptw
from gameai_lib.nrpa.problem.problem import Problem
from gameai_lib.nrpa.problem.registry import in_words, judge
from gameai_lib.nrpa.problem.rules import Rules, RulesError
from gameai_lib.nrpa.problem.tryout import try_out
from gameai_lib.nrpa.problem.walk import Playout, choices_of, playout_of, replay
from gameai_lib.nrpa.search.flat import FlatMonteCarlo, flat_monte_carlo
from gameai_lib.nrpa.search.nmcs import NMCS
from gameai_lib.nrpa.search.nrpa import NRPA
from gameai_lib.nrpa.search.policy import adapt, move_probabilities
from gameai_lib.nrpa.search.restarts import Run, restarts
from gameai_lib.nrpa.search.trace import best_games, root_trace
from gameai_lib.nrpa.tours.best_tour import best_tour

__all__ = [
    "NMCS",
    "NRPA",
    "FlatMonteCarlo",
    "Instance",
    "Playout",
    "Problem",
    "Rules",
    "RulesError",
    "Run",
    "adapt",
    "best_games",
    "best_tour",
    "bundled_board",
    "bundled_places",
    "bundled_tsptw",
    "choices_of",
    "flat_monte_carlo",
    "in_words",
    "judge",
    "leftmove",
    "load_game",
    "morpion",
    "move_probabilities",
    "playout_of",
    "read_board",
    "read_tsptw",
    "replay",
    "restarts",
    "root_trace",
    "samegame",
    "save_game",
    "small_board",
    "tour_of",
    "try_out",
    "tsptw",
]
