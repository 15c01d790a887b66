"""Which point to recommend when the evaluations are spent, by the published rules.

`best_sampled` is what the authors' Java code does, `best_by_model` what the text of Lucas, Liu and
Perez-Liebana (2018) says. Of a model that has learned nothing both raise a ValueError.
"""

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.types import Ints
from gameai_lib.ntbea.game.space import distinct
from gameai_lib.ntbea.search.landscape import LandscapeModel


def best_sampled(model: LandscapeModel) -> Ints:
    """Return the evaluated point (n_dims,) with the largest model mean."""
    points = distinct(points_of(model))
    return points[np.argmax(model.mean(points))].copy()


def best_by_model(model: LandscapeModel) -> Ints:
    """Return the end of a climb on the model mean, one value at a time, from the best sampled.

    The point may never have been evaluated: the model extrapolates.
    """
    return climb(best_sampled(model), model.space.n_values, model.mean)


def points_of(model):
    """Return the points of a model that has learned something."""
    checks.kind("model", model, LandscapeModel)
    if not model.n_evaluations:
        raise ValueError("the model has learned nothing yet")
    return model.points


def climb(point, n_values, score, is_allowed=lambda point: True):
    """Return the end of a climb of `score` from `point`, one value at a time, by allowed points."""
    current = score(point[None])[0]
    while True:
        moves = [(i, v) for i in range(point.size) for v in range(n_values[i]) if v != point[i]]
        around = np.repeat(point[None], len(moves), axis=0)
        for row, (i, v) in zip(around, moves, strict=True):
            row[i] = v
        values = score(around)
        top = highest_allowed(values, current, lambda row, around=around: is_allowed(around[row]))
        if values[top] <= current + 1e-12 * abs(values[top]):  # rounding of equal numbers
            return point
        point, current = around[top].copy(), values[top]


def highest_allowed(heights, height, is_allowed):
    """Return where `heights` are largest, but above `height` only where ``is_allowed(index)``.

    What is not allowed becomes -inf.
    """
    top = int(np.argmax(heights))
    while heights[top] > height and not is_allowed(top):
        heights[top] = -np.inf
        top = int(np.argmax(heights))
    return top
