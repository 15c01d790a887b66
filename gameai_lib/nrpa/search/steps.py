"""NRPA and NMCS step by step, for toys: every copy, playout and adapt can be looked at.

Rosin, "Nested Rollout Policy Adaptation for Monte Carlo Tree Search", IJCAI 2011; Cazenave,
"Nested Monte-Carlo Search", IJCAI 2009. The searches of `NRPA` and `NMCS` do the same, much
faster: with the same random numbers they find the same games.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from gameai_lib.base import checks
from gameai_lib.nrpa.problem.problem import Problem
from gameai_lib.nrpa.problem.walk import Playout, playout_of, replay
from gameai_lib.nrpa.search.flat import flat_monte_carlo
from gameai_lib.nrpa.search.kernels import choose
from gameai_lib.nrpa.search.policy import adapt


class NRPAStep(NamedTuple):
    """What one step of NRPA did, and how the levels stand after it."""

    kind: str  #: "copy", "playout" or "adapt"
    level: int  #: whose copy or adapt it is; 1 for a playout
    policies: np.ndarray  #: (level, n_codes) weights; row 0 is level 1
    game: Playout | None  #: the one that was played, or came from below
    bests: tuple[Any, ...]  #: of Playout or None, by level


def nrpa_steps(
    problem: Problem, rng: np.random.Generator, *, level: int = 2, n_iterations: int = 3
) -> Iterator[NRPAStep]:
    """Yield every step of one NRPA search; parameters as for `NRPA`."""
    checks.kind("problem", problem, Problem)
    level = checks.whole("level", level, 1, 8)
    n_iterations = checks.whole("n_iterations", n_iterations)
    policies = np.zeros((level, problem.n_codes))
    bests = [None] * level

    def step(kind, at, game=None):
        return NRPAStep(kind, at, policies.copy(), game, tuple(bests))

    def search(at):
        bests[at - 1] = None
        for _ in range(n_iterations):
            if at == 1:
                game, _ = flat_monte_carlo(problem, rng, 1, policies[0])
            else:
                policies[at - 2] = policies[at - 1]  # its own copy
                bests[at - 2] = None
                yield step("copy", at - 1)
                game = yield from search(at - 1)
            best = bests[at - 1]
            if best is None or game.score >= best.score:
                bests[at - 1] = game
            if at == 1:
                yield step("playout", 1, game)
            policies[at - 1] = _adapt(problem, policies[at - 1], bests[at - 1])
            yield step("adapt", at, game)
        return bests[at - 1]

    yield from search(level)


def _adapt(problem, policy, game):
    legal = [ply.legal for ply in replay(problem, game.choices) if ply.choice >= 0]
    return adapt(policy, legal, game.choices)


class NMCSStep(NamedTuple):
    """What one step of NMCS did."""

    kind: str  #: "try" of a game of the level below, or "play" of one move of the best
    level: int  #: who tries or plays
    played: tuple[int, ...]  #: choices that this level has played, after the step
    tried: int  #: the move tried, -1 where one was played
    game: Playout | None  #: what the try brought
    best: Playout  #: the best game of this level so far


def nmcs_steps(problem: Problem, rng: np.random.Generator, *, level: int = 1) -> Iterator[NMCSStep]:
    """Yield every try and every move of one NMCS search."""
    checks.kind("problem", problem, Problem)

    def search(at, played):
        if at == 0 or not (n_legal := _n_legal(problem, played)):
            return _random_rest(problem, played, rng)
        best = None
        while n_legal:
            for k in range(n_legal):
                game = yield from search(at - 1, (*played, k))
                if best is None or game.score > best.score:
                    best = game
                yield NMCSStep("try", at, played, k, game, best)
            played = (*played, int(best.choices[len(played)]))
            yield NMCSStep("play", at, played, -1, None, best)
            n_legal = _n_legal(problem, played)
        return best

    yield from search(checks.whole("level", level, 1, 8), ())


def _n_legal(problem, played):
    *_, end = replay(problem, played)
    return end.legal.size


def _random_rest(problem, played, rng):
    choices = list(played)
    while n_legal := _n_legal(problem, choices):
        choices.append(int(choose(np.ones(n_legal), np.arange(n_legal), rng.random())))
    return playout_of(problem, choices)
