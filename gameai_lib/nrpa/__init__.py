"""Nested rollout policy adaptation: search on Morpion Solitaire, SameGame, TSPTW and your own.

Rosin, "Nested Rollout Policy Adaptation for Monte Carlo Tree Search", IJCAI 2011.

The problems are modules of their own: `morpion`, `samegame`, `tsptw` and `leftmove`.
"""

from gameai_lib.nrpa.instances import bundled_board, bundled_places, bundled_tsptw
from gameai_lib.nrpa.nmcs import NMCS, repeat_nmcs
from gameai_lib.nrpa.problem import Playout, Problem, game, replay, try_out
from gameai_lib.nrpa.referee import judge
from gameai_lib.nrpa.rules import Rules, RulesError
from gameai_lib.nrpa.runs import Run, RunsFailed, restarts
from gameai_lib.nrpa.search import (
    NRPA,
    Faults,
    FlatMonteCarlo,
    adapt,
    flat_monte_carlo,
    move_probabilities,
)

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
