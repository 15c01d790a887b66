"""Tuning with few noisy evaluations: NTBEA, Thompson sampling, and the games that they tune.

`tune` and `Tuner` do not run NTBEA by default. They play what is best in a draw from a Gaussian
process on n-tuples, which is Thompson sampling. With ``rule="ntbea"`` they run NTBEA: Lucas, Liu
and Perez-Liebana (2018), The N-Tuple Bandit Evolutionary Algorithm for Automatic Game
Improvement. The way through the room:

- `SearchSpace` names the parameters and the values that each may take; a dict will do.
  `between` makes steps of a range: ``{"rate": between(1e-3, 1, log=True)}``.
- `tune` plays a whole budget of games and returns a `Tuned`: the recommended values, what they
  are expected to bring, and the model.
- `Tuner` is the same by ask and tell, for games that are played elsewhere: several at a time,
  over days, saved and loaded. `Settings` say how NTBEA chooses.
- `search_steps` is NTBEA itself, a `Step` an evaluation; `search_batches` runs it on an
  executor. They fill a `LandscapeModel`, which `best_sampled`, `best_by_model` and
  `TupleRegression` read.
- `importance` and `marginal` say what was learned of parameters and pairs; the functions of the
  module ``gameai_lib.ntbea.plot`` draw it for any space and fitness.

>>> from gameai_lib.ntbea import importance, tune
>>> space = {"depth": range(1, 6), "book": (None, "small", "large")}
>>> def score(values, rng):  # larger is better: minus the seconds that a game takes
...     return -(3 + abs(values["depth"] - 4) - (values["book"] == "small") + rng.normal())
>>> tuned = tune(score, space, 200, rng=1, named=True)
>>> tuned.values, round(tuned.expected, 1)
({'depth': 4, 'book': 'small'}, -2.1)
>>> for effect in importance(tuned):
...     print(*effect.names, f"{effect.share:.0%}")
depth 79%
book 14%
depth book 7%

``game`` holds what is tuned, ``search`` the algorithm; ``plot``, which needs matplotlib, draws what
was learned; ``search.sampler``, which needs Optuna, is `tune` for its studies.
"""

from gameai_lib.ntbea.game.problems import Problem
from gameai_lib.ntbea.game.ranges import between
from gameai_lib.ntbea.game.space import SearchSpace
from gameai_lib.ntbea.search.batches import search_batches
from gameai_lib.ntbea.search.effects import Effect, Marginal, importance, marginal
from gameai_lib.ntbea.search.landscape import Arms, LandscapeModel
from gameai_lib.ntbea.search.mutation import neighbours
from gameai_lib.ntbea.search.recommend import best_by_model, best_sampled
from gameai_lib.ntbea.search.regression import TupleRegression
from gameai_lib.ntbea.search.steps import EvaluationError, Settings, Step, search_steps
from gameai_lib.ntbea.search.tuner import Tuned, Tuner
from gameai_lib.ntbea.search.tuning import Interrupted, tune

__all__ = [
    "Arms",
    "Effect",
    "EvaluationError",
    "Interrupted",
    "LandscapeModel",
    "Marginal",
    "Problem",
    "SearchSpace",
    "Settings",
    "Step",
    "Tuned",
    "Tuner",
    "TupleRegression",
    "best_by_model",
    "best_sampled",
    "between",
    "importance",
    "marginal",
    "neighbours",
    "search_batches",
    "search_steps",
    "tune",
]
