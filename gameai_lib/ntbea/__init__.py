"""NTBEA: tuning with few noisy evaluations, and the games it tunes.

Lucas, Liu and Perez-Liebana (2018), The N-Tuple Bandit Evolutionary Algorithm for
Automatic Game Improvement.
"""

from gameai_lib.ntbea.landscape import Arm, Arms, LandscapeModel
from gameai_lib.ntbea.problems import Problem
from gameai_lib.ntbea.recommend import TupleRegression, best_by_model, best_sampled
from gameai_lib.ntbea.search import (
    EvaluationError,
    Settings,
    Step,
    neighbours,
    search_batches,
)
from gameai_lib.ntbea.space import SearchSpace
from gameai_lib.ntbea.tuning import Interrupted, Tuned, tune

__all__ = [
    "Arm",
    "Arms",
    "EvaluationError",
    "Interrupted",
    "LandscapeModel",
    "Problem",
    "SearchSpace",
    "Settings",
    "Step",
    "Tuned",
    "TupleRegression",
    "best_by_model",
    "best_sampled",
    "neighbours",
    "search_batches",
    "tune",
]
