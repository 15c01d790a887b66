"""The first moves of a search over its playouts, and its best games."""

import numpy as np
import pytest

from gameai_lib.nrpa.game.instances import bundled_tsptw
from gameai_lib.nrpa.game.morpion import morpion
from gameai_lib.nrpa.game.tsptw import tsptw
from gameai_lib.nrpa.search import trace
from gameai_lib.nrpa.search.nrpa import NRPA
from gameai_lib.nrpa.search.trace import best_games, root_codes, root_trace
from tests.nrpa.games import bars_of


def test_root_trace():
    search = NRPA(morpion("5D"), np.random.default_rng(0), level=2, n_iterations=10)
    trace = root_trace(search, 5)
    assert trace.n_playouts.tolist() == list(range(0, 101, 5))
    assert trace.probabilities.shape == (21, 2, 28)
    np.testing.assert_allclose(trace.probabilities.sum(axis=2), 1.0)
    assert (np.diff(trace.best) >= 0).all()
    # Nothing is known at the start; five playouts later level 1 has adapted, level 2 has not.
    np.testing.assert_allclose(trace.entropy[0], np.log2(28))
    assert trace.entropy[1, 1] == pytest.approx(np.log2(28))
    assert trace.entropy[1, 0] < np.log2(28)
    assert root_codes(morpion("5D")).size == 28


def test_best_games_only_get_better(monkeypatch):
    shown = bars_of(monkeypatch, trace)
    search = NRPA(tsptw(bundled_tsptw("small")), np.random.default_rng(0), level=1)
    scores = [game.score for _, game in best_games(search, 1)]
    assert scores == sorted(set(scores))
    assert shown[0] == ("NRPA", 100, "playouts")
    assert [n for n, _ in shown[1:]] == [*range(1, 101)]
