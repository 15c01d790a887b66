"""The problems of this package: by their rules, `judge` knows who judges a game."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.nrpa.problem.problem import Problem
from gameai_lib.nrpa.problem.rules import Rules
from gameai_lib.nrpa.problem.walk import Playout, playout_of


class Verdict(NamedTuple):
    """What a referee found; an illegal game raises instead."""

    score: float
    n_moves_left: int


class BuiltIn(NamedTuple):
    """The record of a problem of this package."""

    judge: Callable[..., Verdict]  #: its referee, called with problem and playout
    words: Callable[..., str] | None = None  #: what their score stands for, if it needs words


_RECORDS: dict[Rules, BuiltIn] = {}


def register(rules: Rules, *record: Any) -> Rules:
    """Enter a problem of this package by its rules, which stand in one module; returns them.

    The rest is a `BuiltIn`, whose referee knows nothing of these rules and refuses illegal games.
    """
    _RECORDS[rules] = BuiltIn(*record)
    return rules


def record_of(problem: Problem) -> BuiltIn | None:
    """The record of a problem of this package; None for any other, or with changed rules."""
    return None if problem.checked else _RECORDS.get(problem.rules)


def judge_by_rules(problem: Problem, playout: Playout) -> Verdict:
    """Judge a game by the problem's own rules, for want of another referee."""
    return Verdict(playout_of(problem, playout.choices).score, 0)


def in_words(problem: Problem, playout: Playout) -> str:
    """What a game came to: its score, and of a tour how many windows it missed.

    Examples
    --------
    >>> problem = tsptw(bundled_tsptw("medium"))
    >>> for n_playouts in (1, 5000):
    ...     print(in_words(problem, NRPA(problem, 2).run(n_playouts)))
    score -2.00007e+07 (20 windows missed, cost 713)
    score -573 (all windows met, cost 573)
    """
    record = record_of(checks.kind("problem", problem, Problem))
    if checks.kind("playout", playout, Playout).score == -np.inf:
        return "no game yet"
    words = record.words(problem, playout) if record and record.words else ""
    return f"score {playout.score:g}" + (f" ({words})" if words else "")


def judge(problem: Problem, playout: Playout) -> Verdict:
    """Let the referee of the problem's kind replay a game.

    A problem of the reader's own, or one with a function replaced, is replayed by its own rules. A
    ValueError says if the game is illegal, unfinished, or its score is not what the referee counts.
    """
    record = record_of(checks.kind("problem", problem, Problem))
    score, choices, codes = checks.kind("playout", playout, Playout)
    score = checks.number("score", score, -np.inf, np.inf)
    playout = Playout(score, choices, arrays.whole("codes", codes))
    verdict = (record.judge if record else judge_by_rules)(problem, playout)
    if verdict.n_moves_left:
        raise ValueError(f"{problem.name}: {verdict.n_moves_left} moves are left")
    if not np.isclose(verdict.score, playout.score, rtol=0, atol=1e-6):
        raise ValueError(
            f"{problem.name}: the game claims {playout.score}, the referee counts {verdict.score}"
        )
    return verdict
