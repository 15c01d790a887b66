"""MM accelerated: a quasi-Newton method whose first metric is the minorizer's.

An MM step is a gradient step in ln gamma, scaled feature by feature with the expected wins. Keeping
that scale and learning the rest of the curvature from the last steps is the acceleration of Lange
(1995) and of Jamshidian and Jennrich (1997) in limited memory (Nocedal and Wright 2006, algorithm
7.4).
"""

from collections import deque
from typing import NamedTuple

import numpy as np

from gameai_lib.btmm.model.mm import Pass, dot, measure, start
from gameai_lib.btmm.model.tally import Tally

MEMORY = 30
LONGEST_MOVE = 3.0  # nats of ln gamma in one step of one feature: 520 Elo


class Curve(NamedTuple):
    """A remembered move: change of ln gamma and the gradient's fall along it."""

    move: np.ndarray
    fall: np.ndarray
    product: float


class Shown:
    """The data as a function of the strengths of the features that they show, `known`.

    The others rest at 1: most of a rich set of patterns, and most of the time of a pass over
    few games.
    """

    def __init__(self, data, known, gamma, prior):
        self.data, self.known, self.rest = data, known, gamma
        self.density = prior.log_density(np.delete(gamma, known))

    def tally(self, gamma, _column=None):
        """Return the `Tally` of the known features."""
        tally = self.data.tally(self.whole(gamma))
        return Tally(tally.expected[self.known], tally.log_total)

    def whole(self, gamma):
        """Return all strengths."""
        whole = self.rest.copy()
        whole[self.known] = gamma
        whole.flags.writeable = False  # who watches changes nothing
        return whole

    def whole_step(self, step):
        """Return the `Step` of all features."""
        return step._replace(gamma=self.whole(step.gamma), objective=step.objective + self.density)


def accelerated(data, prior, gamma):
    """Yield one `Step` a pass; the objective of the steps never falls.

    A trial that does not rise enough is shortened. Its pass was made all the same, so the step then
    repeats the best place so far.
    """
    gamma, wins, limit = start(data, prior, gamma)
    first = measure(data, wins, gamma, prior)
    known = np.flatnonzero((wins > 0) | (first.wins != first.expected))
    if known.size == 0:  # nothing moves, and somebody may want to see that
        known = np.arange(gamma.size)
    shown = Shown(data, known, gamma, prior)
    step = first.step._replace(gamma=gamma[known], objective=first.step.objective - shown.density)
    first = Pass(first.wins[known], first.expected[known], step)
    for step in _climb(shown, prior, wins[known], first, np.log(limit)):
        yield shown.whole_step(step)


def _climb(data, prior, wins, best, bound):
    theta, memory = np.log(best.step.gamma), deque(maxlen=MEMORY)
    while True:
        yield best.step
        gradient = best.wins - best.expected
        # No push out of the box that keeps every strength a finite number.
        free = ((theta < bound) | (gradient < 0)) & ((theta > -bound) | (gradient > 0))
        gradient = np.where(free, gradient, 0.0)
        direction = _direction(gradient, best.expected, memory, free)
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
            # Top of the parabola through the two values and the slope.
            top = 0.5 * length * slope / (length * slope - rise)
            length *= float(np.clip(top, 0.1, 0.5))
        _remember(memory, trial_theta - theta, trial.expected - best.expected, free)
        theta, best = trial_theta, trial


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


def _remember(memory, move, fall, free):
    fall = np.where(free, fall, 0.0)
    product = dot(move, fall)
    if product > 1e-12 * np.sqrt(dot(move, move) * dot(fall, fall)):
        memory.append(Curve(move, fall, product))
