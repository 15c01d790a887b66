"""What a search's policy thought of the first move, playout by playout.

The root probabilities tell whether a level still explores (Rosin 2011 describes the lower
levels as converging again and again from the policy above them).
"""

import itertools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.progress import Bar
from gameai_lib.base.types import Floats, Ints
from gameai_lib.nrpa.problem.problem import Problem
from gameai_lib.nrpa.problem.walk import Playout, replay
from gameai_lib.nrpa.search.anytime import Search, Snapshot
from gameai_lib.nrpa.search.nrpa import NRPA
from gameai_lib.nrpa.search.policy import move_probabilities


class RootTrace(NamedTuple):
    """A search seen at regular moments."""

    n_playouts: Ints  #: (n_frames,) int
    best: Floats  #: (n_frames,) best score so far
    probabilities: Floats  #: (n_frames, level, n_root_moves); row 0 is level 1
    entropy: Floats  #: (n_frames, level) bits


def root_trace(search: NRPA, every: int) -> RootTrace:
    """Run `search` to its end; root probabilities before it and every `every` playouts.

    Examples
    --------
    >>> trace = root_trace(NRPA(leftmove(30), 1, level=1, n_iterations=40), 10)
    >>> trace.n_playouts, trace.entropy[:, 0].round(2)
    (array([ 0, 10, 20, 30, 40]), array([1.  , 0.27, 0.16, 0.12, 0.1 ]))
    """
    codes = root_codes(checks.kind("search", search, NRPA).problem)
    first = Snapshot(search.n_playouts, search.best, search.policy)
    frames = [
        (frame.n_playouts, frame.best.score, [move_probabilities(w, codes) for w in search.policy])
        for frame in itertools.chain([first], _watch(search, every))
    ]
    n_playouts, best, p = map(np.array, zip(*frames, strict=True))
    return RootTrace(n_playouts, best, p, -np.sum(p * np.log2(np.maximum(p, 1e-300)), axis=2))


def _watch(search: Search, every: int) -> Iterator[Snapshot]:
    """The frames of a search that ends, with a progress bar."""
    if not checks.kind("search", search, Search)._ends:
        raise ValueError(f"{type(search).__name__} never ends: watch its `frames`")
    with Bar(type(search).__name__, search.n_playouts_planned, "playouts") as bar:
        for frame in search.frames(every):
            bar(frame.n_playouts, f"best {frame.best.score:g}")
            yield frame


def root_codes(problem: Problem) -> Ints:
    """Codes of the legal moves in the first position."""
    return next(iter(replay(problem, []))).legal


def best_games(search: Search, every: int) -> list[tuple[int, Playout]]:
    """Run `search`, which must have an end; (playouts, game) where the best score has risen.

    Examples
    --------
    >>> search = NRPA(leftmove(30), 1, level=2, n_iterations=20)
    >>> [(n, game.score) for n, game in best_games(search, 50)]
    [(50, 22.0), (100, 28.0), (150, 29.0), (200, 30.0)]
    """
    found: list[tuple[int, Playout]] = []
    for frame in _watch(search, every):
        if not found or frame.best.score > found[-1][1].score:
            found.append((frame.n_playouts, frame.best))
    return found
