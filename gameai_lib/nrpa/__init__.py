"""Nested rollout policy adaptation: search on Morpion Solitaire, SameGame, TSPTW and your own.

Rosin, "Nested Rollout Policy Adaptation for Monte Carlo Tree Search", IJCAI 2011.

The problems are modules of their own: `morpion`, `samegame`, `tsptw` and `leftmove`.
"""

from gameai_lib.nrpa.game.instances import bundled_board, bundled_places, bundled_tsptw
from gameai_lib.nrpa.game.referee import judge
from gameai_lib.nrpa.search.flat import FlatMonteCarlo, flat_monte_carlo
from gameai_lib.nrpa.search.nmcs import NMCS, repeat_nmcs
from gameai_lib.nrpa.search.nrpa import NRPA
from gameai_lib.nrpa.search.policy import Faults, adapt, move_probabilities
from gameai_lib.nrpa.search.problem import Problem
from gameai_lib.nrpa.search.restarts import Run, RunsFailed, restarts
from gameai_lib.nrpa.search.rules import Rules, RulesError
from gameai_lib.nrpa.search.tryout import try_out
from gameai_lib.nrpa.search.walk import Playout, game, replay

__all__ = [
    "NMCS",
    "NRPA",
    "Faults",
    "FlatMonteCarlo",
    "Playout",
    "Problem",
    "Rules",
    "RulesError",
    "Run",
    "RunsFailed",
    "adapt",
    "bundled_board",
    "bundled_places",
    "bundled_tsptw",
    "flat_monte_carlo",
    "game",
    "judge",
    "move_probabilities",
    "repeat_nmcs",
    "replay",
    "restarts",
    "try_out",
]
