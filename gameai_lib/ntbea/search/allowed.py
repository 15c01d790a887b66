"""Which points a tuning may ask for and recommend: those that are valid and have not failed."""

from copy import copy, deepcopy

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.ntbea.game.space import distinct
from gameai_lib.ntbea.search.mutation import draw_neighbours, most_drawn

_MOST_DRAWN = 10_000  # random points, among which one is looked for that may be asked
_AT_ONCE = 100
_FEW = 1000  # points of a space that are all listed


def with_failures(model, n):
    """Return the first n points, their fitness and std, behind them what failed, for a choice.

    A failure counts as a poor result, so that a search leaves regions that fail.
    """
    points, fitness, std = model.points[:n], model.fitness[:n], model.std[:n]
    failed = np.array([*model._failed], np.int64).reshape(-1, model.space.n_dims)
    low, unknown = np.full(len(failed), np.quantile(fitness, 0.25)), np.full(len(failed), np.nan)
    parts = (points, failed), (fitness, low), (std, unknown)
    return tuple(np.concatenate(part) for part in parts)


def judging(model):
    """Return the model whose bounds choose, a copy that counts failures where there are any."""
    if not model._failed or not model.n_evaluations:
        return model
    # What the copy learns lies in the arrays of both, but behind all that the model has learned.
    other, n = copy(model), model.n_evaluations
    other._counts = deepcopy(model._counts)
    points, fitness, _ = with_failures(model, n)
    for point, value in zip(points[n:], fitness[n:], strict=True):
        other.add(point, value)
    return other


class Allowed:
    """Says of points whether they may be asked and recommended, and finds some that may."""

    def __init__(self, model, valid):
        self.model, self.space = model, model.space
        self.valid = None if valid is None else checks.function("valid", valid)

    def __call__(self, point):
        """Whether one point, (n_dims,) ints in any sequence, is allowed."""
        if tuple(point) in self.model._failed:
            return False
        if self.valid is None:
            return True
        values = self.space.values_of(point)
        try:
            answer = self.valid(values)
        except Exception as error:
            raise ValueError(f"valid raised {short(error)} for {short(values, 200)}") from error
        return checks.flag("what valid returns", answer)

    def among(self, points, playing=()):
        """Whether each point, (n_points, n_dims), is allowed and not one of those `playing`."""
        if self.valid is None and not self.model._failed and not playing:
            return np.ones(len(points), bool)
        playing = set(playing)
        rows = map(tuple, points.tolist())
        return np.array([row not in playing and self(row) for row in rows], bool)

    def others(self, playing, rng):
        """Find points, (n, n_dims), that may be asked, where none of those drawn may.

        They are not among those `playing`, unless nothing else is left; else a ValueError.
        """
        tried = np.array([*playing, *self.model.points.tolist()], np.int64)
        tried = tried.reshape(-1, self.space.n_dims)
        tried = tried[self.among(tried)]
        looked = f"{_MOST_DRAWN:,} combinations drawn at random"
        drawn = self._draw(tried, rng)
        if self.space.size <= max(_FEW, 2 * (len(playing) + len(self.model._failed))):
            looked = f"{self.space.size:,} combinations"
            drawn = [self.space.all_points()]
        for points in drawn:
            if (free := self.among(points, playing)).any():
                return points[free]
        if not len(tried):
            raise ValueError(f"none of {looked} may be asked{self._failures()}")
        return tried

    def _draw(self, tried, rng):
        """Yield random points of a large space, and then points beside some that were tried."""
        for _ in range(_MOST_DRAWN // _AT_ONCE):
            yield self.space.random_points(_AT_ONCE, rng)
        n_beside = most_drawn(self.space, 0.0, _AT_ONCE)
        for point in rng.permutation(tried)[:_AT_ONCE]:
            yield draw_neighbours(self.space, point, n_beside, rng, 0.0, True)

    def to_recommend(self):
        """Return the points that were told and are allowed, and whether another may be recommended.

        Once something has failed nothing else may: others might fail, too.
        """
        told = distinct(self.model.points)
        told = told[self.among(told)]
        if not len(told):
            n = self.model.n_evaluations
            said = f"none of {n:,} results is of a valid combination" if n else ""
            raise ValueError((said or "the model has learned nothing yet") + self._failures())
        if not self.model._failed:
            return told, self
        known = set(map(tuple, told.tolist()))
        return told, lambda point: tuple(point) in known

    def _failures(self):
        """How many combinations have failed, and why the first has."""
        if not self.model._failed:
            return ""
        why = next(iter(self.model._failed.values()))
        n = len(self.model._failed)
        return f"; {n:,} failed, the first with {why or 'no reason given'}"
