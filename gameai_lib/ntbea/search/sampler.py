"""`tune` as a sampler of Optuna, for studies that have their loop, storage and pruning already."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import optuna  # which nothing else here imports
from optuna.distributions import BaseDistribution, CategoricalDistribution, IntDistribution
from optuna.samplers import BaseSampler
from optuna.study import Study, StudyDirection
from optuna.trial import FrozenTrial, TrialState

from gameai_lib.base import checks
from gameai_lib.ntbea.game.ranges import between
from gameai_lib.ntbea.search.tuner import Rule, Tuner


class TuneSampler(BaseSampler):
    """Thompson sampling of `Tuner` for a study with one objective, minimised or maximised.

    Categories and stepped parameters take their own values, and ranges without a step the steps of
    `between`. Each call makes a `Tuner` of the study's finished trials, so that a study from a
    storage goes on. Parameters that not every trial has are drawn at random, and pruned trials
    count with their last value. ``study.best_params`` are those of the luckiest trial: read
    ``sampler.tuner(study).best()``.

    The `rule` is as for `Tuner`. A range without a step has `n_steps`, and one with steps as many
    values at most.

    Examples
    --------
    >>> study = optuna.create_study(direction="maximize", sampler=TuneSampler(seed=1))
    >>> def play(trial):
    ...     speed = trial.suggest_int("speed", 1, 4)
    ...     return speed - 3 * (trial.suggest_categorical("shield", ["yes", "no"]) == "yes")
    >>> study.optimize(play, 30)
    >>> study.sampler.tuner(study).best().values
    {'shield': 'no', 'speed': 4}
    """

    def __init__(
        self, seed: int | None = None, *, rule: Rule = "thompson", n_steps: int = 9
    ) -> None:
        self.rule: Rule = checks.one_of("rule", rule, ("thompson", "ntbea"))
        self.n_steps = checks.whole("n_steps", n_steps, 2, 1000)
        self._rng = np.random.default_rng(seed)

    def reseed_rng(self) -> None:
        """Draw other numbers than before, in a process of its own."""
        self._rng = np.random.default_rng()

    def infer_relative_search_space(
        self, study: Study, trial: FrozenTrial
    ) -> dict[str, BaseDistribution]:
        """The parameters that all finished trials have, by name."""
        return optuna.search_space.intersection_search_space(study.get_trials(deepcopy=False))

    def sample_relative(
        self, study: Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution]
    ) -> dict[str, Any]:
        """Return what to try next, a value for each parameter of the search space."""
        return self.tuner(study, search_space).ask() if search_space else {}

    def sample_independent(
        self, study: Study, trial: FrozenTrial, param_name: str, param_distribution: Any
    ) -> Any:
        """Draw one of a parameter's values: of the first trial, or where not all trials have it."""
        values = _values_of(param_distribution, self.n_steps)
        return values[self._rng.integers(len(values))]

    def tuner(self, study: Study, space: dict[str, BaseDistribution] | None = None) -> Tuner:
        """Return a `Tuner` that has learned the study's trials, and asked what is being played."""
        if len(study.directions) > 1:
            raise ValueError(f"one objective can be tuned, got {len(study.directions)}")
        trials = study.get_trials(deepcopy=False)
        space = optuna.search_space.intersection_search_space(trials) if space is None else space
        values = {name: _values_of(dist, self.n_steps) for name, dist in space.items()}
        tuner = Tuner(values, self._rng, rule=self.rule)
        sign = 1.0 if study.direction == StudyDirection.MAXIMIZE else -1.0
        for trial in trials:
            point = _nearest(trial.params, values)
            if point is None:
                continue
            if trial.state == TrialState.RUNNING:
                tuner._asked.append(tuple(point))
            elif trial.value is not None and math.isfinite(trial.value):
                tuner.tell_point(point, sign * trial.value)
        return tuner


def _values_of(distribution, n_steps):
    """Values of one parameter of Optuna's."""
    if isinstance(distribution, CategoricalDistribution):
        return tuple(distribution.choices)
    low, high, step = distribution.low, distribution.high, distribution.step
    if low == high:
        return (low,)
    if step is None or distribution.log:
        return between(low, high, n_steps, log=distribution.log)
    n_values = round((high - low) / step) + 1
    which = range(n_values)
    if n_values > n_steps:
        which = between(0, n_values - 1, n_steps)
    values = (low + step * i for i in which)
    return tuple(map(int if isinstance(distribution, IntDistribution) else float, values))


def _nearest(params: dict[str, Any], values: dict[str, Sequence[Any]]) -> list[int] | None:
    """The point whose values are nearest to those of a trial, None where one is missing."""
    point = []
    for name, steps in values.items():
        given = params.get(name, None if name in params else _nearest)
        if given in steps:
            point.append(steps.index(given))
        elif isinstance(given, int | float):
            point.append(int(np.argmin([abs(step - given) for step in steps])))
        else:
            return None
    return point
