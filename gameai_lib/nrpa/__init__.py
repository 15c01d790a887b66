"""Nested rollout policy adaptation: search on Morpion Solitaire, SameGame, TSPTW and your own.

Rosin, "Nested Rollout Policy Adaptation for Monte Carlo Tree Search", IJCAI 2011.

A `Problem` comes from `morpion`, `samegame`, `tsptw` or `leftmove`, or from four functions of
your own (`Rules`), which `try_out` tests. `NRPA`, `NMCS` and `FlatMonteCarlo` search it: `run`
goes on to the end or to a limit of playouts, seconds or score, `advance` for some playouts,
`frames` from picture to picture; what they have found so far is in `best`, a `Playout`. `save` and
`load` keep a search, `restarts` makes independent runs, in parallel if wished. A game is played
again by `replay`, judged by `judge`, told by `in_words`, and kept by `save_game`; `root_trace` and
`best_games` watch a search.

The way through the room: `problem` says what the rules of a problem must promise; `game` has the
problems with their referees, files and instances; `search` the compiled loops and the searches;
`errors` what the source does wrong, and tests that find it; `results` the stored results of long
runs; `board` the boards to play; `show` the pictures, which alone need matplotlib
(`show.views.draw_morpion` and `draw_tour` draw a game).

Examples
--------
A tour of twenty cities, each to be visited within its time window. Short searches under two
biases in turn, until a tour is late nowhere; a million is the price of being late:

>>> import numpy as np
>>> from gameai_lib.nrpa import bundled_tsptw, in_words, judge, restarts, tour_of, tsptw
>>> instance = bundled_tsptw("medium")
>>> problems = [tsptw(instance), tsptw(instance, distance_bias=10)]
>>> runs = [*restarts(problems, 1, 20, level=2, n_iterations=12, target=-1e6)]
>>> [run.best.score for run in runs]
[-2000502.0, -4000491.0, -2000591.0, -5000533.0, -574.0]
>>> best = runs[-1].best
>>> in_words(problems[0], best)
'score -574 (all windows met, cost 574)'
>>> judge(problems[0], best).score  # by a referee that knows nothing of the search
-574.0
>>> tour_of(best.codes, 21)
array([ 7,  9,  1,  6,  2, 16, 11, 13, 20,  5,  4, 15, 18, 17, 19,  8, 10,
        3, 14, 12])

A search with limits, that is kept in a file and goes on in another process:

>>> import tempfile
>>> from gameai_lib.nrpa import NRPA
>>> search = NRPA(problems[0], 1, level=3)
>>> search.run(2000, seconds=60).score
-573.0
>>> with tempfile.TemporaryDirectory() as folder:
...     search.save(f"{folder}/search.npz")
...     loaded = NRPA.load(f"{folder}/search.npz", problems[0])
>>> loaded
NRPA(tsptw_medium: 2000 playouts, best score -573 (all windows met, cost 573))
"""

from gameai_lib.nrpa.game.files import load_game, read_board, read_tsptw, save_game
from gameai_lib.nrpa.game.instances import (
    bundled_board,
    bundled_places,
    bundled_tsptw,
    small_board,
)
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
from gameai_lib.nrpa.search.nmcs import NMCS, repeat_nmcs
from gameai_lib.nrpa.search.nrpa import NRPA
from gameai_lib.nrpa.search.policy import Faults, adapt, move_probabilities
from gameai_lib.nrpa.search.restarts import Run, RunsFailed, restarts
from gameai_lib.nrpa.search.trace import best_games, root_trace

__all__ = [
    "NMCS",
    "NRPA",
    "Faults",
    "FlatMonteCarlo",
    "Instance",
    "Playout",
    "Problem",
    "Rules",
    "RulesError",
    "Run",
    "RunsFailed",
    "adapt",
    "best_games",
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
    "repeat_nmcs",
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
