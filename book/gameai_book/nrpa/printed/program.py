"""The source's program: NRPA with the faults that change its results, each to be put right.

With no fault `FaultyNRPA` plays the games of `NRPA`, and `faulty_adapt` does what `adapt` does.
"""

from typing import Any, NamedTuple

import numpy as np

from gameai_book.nrpa.printed.kernels import FaultySettings, printed_nrpa
from gameai_lib.base import checks
from gameai_lib.base.types import Floats, Seed
from gameai_lib.nrpa.problem.problem import Problem
from gameai_lib.nrpa.search.nrpa import NRPA
from gameai_lib.nrpa.search.policy import adapt


class Faults(NamedTuple):
    """The faults of the source's program that change its results, each off by default."""

    shared_policy: bool = False  #: all levels learn in one policy: nothing is nested any more
    last_normaliser: bool = False  #: Adapt divides by the weight of the last move, not by the sum
    strict: bool = False  #: a game as good as the best does not replace it
    drop_last: bool = False  #: the last legal move is never played, unless it is the only one


NO_FAULTS = Faults()


class FaultyNRPA(NRPA):
    """`NRPA` as the source's program does it, with its `faults`."""

    _kernel = printed_nrpa

    def __init__(
        self, problem: Problem, rng: Seed, *, faults: Faults = NO_FAULTS, **settings: Any
    ) -> None:
        super().__init__(problem, rng, **settings)
        faults = checks.kind("faults", faults, Faults)
        flags = (checks.flag(name, flag) for name, flag in faults._asdict().items())
        settings = FaultySettings(*self._arrays.settings, *flags)
        self._arrays = self._arrays._replace(settings=settings)

    def _parameters(self):
        settings = self._arrays.settings._asdict()
        faults = {name: settings.pop(name) for name in Faults._fields}
        return {"level": self.level, "faults": faults} | settings

    @classmethod
    def _again(cls, problem, rng, parameters):
        return cls(problem, rng, **parameters | {"faults": Faults(**parameters["faults"])})

    @property
    def policy(self) -> Floats:
        """Copy of the weights, (level, n_codes); row 0 is level 1."""
        if self._arrays.settings.shared_policy:
            return np.tile(self._arrays.W[1], (self.level, 1))
        return super().policy


def faulty_adapt(policy, legal, choices, *, alpha=1.0, faults=NO_FAULTS) -> Floats:
    """`adapt` as the source's program does it; of the faults only the normaliser matters here."""
    adapted = adapt(policy, legal, choices, alpha=alpha)
    if not checks.kind("faults", faults, Faults).last_normaliser:
        return adapted
    policy = np.asarray(policy, float)
    weights, step = np.exp(policy), np.zeros(policy.size)
    for codes, choice in zip(legal, choices, strict=True):
        scale = alpha / weights[codes[-1]]
        for code in codes:
            step[code] -= scale * weights[code]
        step[codes[choice]] += alpha
    return np.clip(policy + step, -300, 300)
