"""What a type checker says of calls of the front doors; mypy reads this file, nothing runs it.

A call marked ``type: ignore`` is an error in an editor: were it none, mypy would say that
the comment is not needed.
"""

import numpy as np

from gameai_lib.btmm import Rating, fit, from_choices, rate
from gameai_lib.hanabi import State, exact_belief
from gameai_lib.nrpa import NRPA, samegame
from gameai_lib.ntbea import SearchSpace, Tuned, Tuner, TupleRegression, importance, tune

space = SearchSpace({"speed": (1, 2, 4), "shield": (False, True)})


def evaluate(point: np.ndarray, rng: np.random.Generator) -> float:
    return float(point.sum() + rng.normal())


tuned: Tuned = tune(evaluate, space, 100, rng=1)
best: float = tuned.expected
values: dict[str, object] = Tuner(space, 1).ask()
share: float = importance(TupleRegression(tuned.model))[0].share
tune("oops", 3, 4, 5)  # type: ignore[arg-type]
tune(evaluate, space, "many", rng=1)  # type: ignore[arg-type]
tune(evaluate, space, 100, rng="seed")  # type: ignore[arg-type]
tune(evaluate, space, 100, rng=1, rule="best")  # type: ignore[arg-type]
Tuner(space, 1).tell(3.0)  # type: ignore[call-arg, arg-type]

rating: Rating = rate([("a", "b", 1), ("b", "a", 0.5)])
elo: np.ndarray = rating.elo
fit(5)  # type: ignore[arg-type]
from_choices(5, n_items="many")  # type: ignore[arg-type]

state = State.new(2, 1)
belief: np.ndarray = exact_belief(*state.public())
State.new("two", 1)  # type: ignore[arg-type]

run = NRPA(samegame(np.ones((3, 3), int)), np.random.default_rng(1), level=2)
NRPA("samegame", np.random.default_rng(1))  # type: ignore[arg-type]
