"""MM accelerated: a quasi-Newton method whose first metric is the minorizer's.

An MM step is a gradient step in ln gamma, scaled feature by feature with the
expected wins. Keeping that scale and learning the rest of the curvature from
the last steps is the quasi-Newton acceleration of Lange (1995) and of Jamshidian
and Jennrich (1997) in limited memory (Nocedal and Wright 2006, algorithm 7.4).
"""

from collections import deque
from typing import NamedTuple

import numpy as np

from gameai_lib.btmm.model.mm import dot, measure, started

MEMORY = 30
LONGEST_MOVE = 3.0  # nats of ln gamma in one step of one feature: 520 Elo


class Curve(NamedTuple):
    """A remembered move: change of ln gamma and the gradient's fall along it."""

    move: np.ndarray
    fall: np.ndarray
    product: float


def accelerated(data, prior, gamma):
    """Yield one `Step` a pass; the objective of the steps never falls.

    A trial that does not rise enough is shortened. Its pass was made all the
    same, so the step then repeats the best place so far.
    """
    gamma, wins, limit = started(data, prior, gamma)
    bound = np.log(limit)
    # Without wins and without a prior a feature has no finite strength.
    movable = wins + prior.victories > 0
    theta = np.where(movable, np.log(gamma), -bound)
    best = measure(data, wins, np.exp(theta), prior)
    # Patterns that no game shows rest at 1: most of a rich set, of which no memory is needed.
    known = np.flatnonzero((wins > 0) | (best.wins != best.expected))
    memory = deque(maxlen=MEMORY)
    while True:
        yield best.step
        gradient = best.wins - best.expected
        free = movable & _inside(gradient, theta, bound)
        gradient = np.where(free, gradient, 0.0)
        direction = gradient / np.maximum(best.expected, 1e-12)
        direction[known] = _direction(gradient[known], best.expected[known], memory, free[known])
        slope = dot(direction, gradient)
        length = min(1.0, LONGEST_MOVE / max(float(np.abs(direction).max()), 1e-300))
        while True:
            trial_theta = np.clip(theta + length * direction, -bound, bound)
            trial = measure(data, wins, np.exp(trial_theta), prior)
            rise = trial.step.objective - best.step.objective
            if rise >= 1e-4 * length * slope:
                break
            yield best.step
            if length * slope < 1e-12 * abs(best.step.objective):
                # What is left to gain is below the rounding of the objective.
                trial, trial_theta = best, theta
                memory.clear()
                break
            length *= _shorter(rise, length * slope)
        _remember(
            memory,
            (trial_theta - theta)[known],
            (trial.expected - best.expected)[known],
            free[known],
        )
        theta, best = trial_theta, trial


def _inside(gradient, theta, bound):
    # No push out of the box that keeps every strength a finite number.
    return ((theta < bound) | (gradient < 0)) & ((theta > -bound) | (gradient > 0))


def _direction(gradient, expected, memory, free):
    """Return the quasi-Newton direction: two loops round the minorizer's diagonal."""
    direction, steps = gradient.copy(), []
    for curve in reversed(memory):
        step = dot(curve.move, direction) / curve.product
        direction -= step * curve.fall
        steps.append(step)
    direction = direction / np.maximum(expected, 1e-12)
    for curve, step in zip(memory, reversed(steps), strict=True):
        direction += (step - dot(curve.fall, direction) / curve.product) * curve.move
    direction[~free] = 0.0
    if not dot(direction, gradient) > 0:
        # The projection can spoil the memory's promise; the plain step never does.
        memory.clear()
        direction = gradient / np.maximum(expected, 1e-12)
    return direction


def _shorter(rise, promised):
    # Top of the parabola through the two values and the slope.
    return float(np.clip(0.5 * promised / (promised - rise), 0.1, 0.5))


def _remember(memory, move, fall, free):
    fall = np.where(free, fall, 0.0)
    product = dot(move, fall)
    if product > 1e-12 * np.sqrt(dot(move, move) * dot(fall, fall)):
        memory.append(Curve(move, fall, product))
