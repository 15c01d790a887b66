"""Conjectures and sums: rules beside numpy, scipy, exact fractions and enumeration."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from gameai_book.nrpa.measure.counts import SUMS, refute
from gameai_book.nrpa.printed import sum_free
from gameai_book.nrpa.printed.conjectures import ENOUGH, SCORES
from gameai_book.nrpa.results import counts
from gameai_book.nrpa.results.tables import read_table
from gameai_lib.base import jit
from gameai_lib.nrpa import NRPA, try_out


def score_otherwise(name, parents):
    """The score of a tree by numpy's eigenvalues and scipy's matching."""
    n, below = len(parents) + 1, np.arange(1, len(parents) + 1)
    near = np.zeros((n, n))
    near[below, parents] = near[parents, below] = 1
    values, degree = np.linalg.eigvals(near).real, near.sum(axis=1)
    ends = degree[below], degree[list(parents)]
    # Each edge stands there and back, so what is matched is twice the tree's matching.
    matching = (maximum_bipartite_matching(csr_array(near)) >= 0).sum() // 2
    return {
        "matching": np.sqrt(n - 1) + 1 - values.max() - matching,
        "second": np.sort(values)[-2] - (2 / (ends[0] + ends[1])).sum(),
        "randic": (1 / np.sqrt(ends[0] * ends[1])).sum() + (n - matching) - n + 1 - np.sqrt(n - 1),
    }[name]


def n_above(parents, x):
    """How many eigenvalues of a tree exceed x, in exact fractions (Jacobs and Trevisan 2011)."""
    left = [-x] * (len(parents) + 1)
    is_cut = [False] * len(left)
    for v in range(len(parents), -1, -1):
        below = [w for w, parent in enumerate(parents, 1) if parent == v and not is_cut[w]]
        if any(left[w] == 0 for w in below):
            zero = next(w for w in below if left[w] == 0)
            left[zero], left[v], is_cut[v] = Fraction(2), Fraction(-1, 2), True
        else:
            left[v] -= sum((1 / left[w] for w in below), Fraction(0))
    return sum(value > 0 for value in left)


def score_of(name, parents):
    n = len(parents) + 1
    return float(SCORES[name](np.array([n, n, 0, *parents]), np.zeros(0)))


@pytest.mark.parametrize("name", SCORES)
def test_small_trees_score_as_counted_otherwise_and_refute_nothing(name):
    for n in (3, 5, 7):
        for parents in itertools.product(*[range(v) for v in range(1, n)]):
            assert score_of(name, parents) == pytest.approx(
                score_otherwise(name, parents), abs=2e-4
            )
            assert score_of(name, parents) < ENOUGH


@pytest.mark.parametrize("name", SCORES)
def test_every_stored_tree_refutes_its_conjecture(name):
    row = read_table("conjectures")[name]
    assert len(row["playouts"]) == len(row["seconds"]) == len(row["parents"]) == 100
    for parents in row["parents"]:
        assert len(parents) + 1 == row["n"]
        assert score_otherwise(name, parents) > ENOUGH


def test_no_rounding_refutes_the_conjecture_on_the_second_eigenvalue():
    assert [n_above((0, 1), Fraction(k, 2)) for k in (-3, -1, 1, 3)] == [3, 2, 1, 0]
    for parents in read_table("conjectures")["second"]["parents"][:20]:
        degree = np.bincount([*range(1, len(parents) + 1), *parents])
        index = sum(Fraction(2, int(degree[v] + degree[w])) for v, w in enumerate(parents, 1))
        assert n_above(parents, index) == 2


@pytest.mark.skipif(not jit.COMPILED, reason="takes long without compiled kernels")
def test_stored_searches_come_back():
    for name, row in read_table("conjectures").items():
        seed = int(np.argmin(row["playouts"])) + 1
        n_playouts, _, parents = refute(name, seed)
        assert (n_playouts, list(parents)) == (row["playouts"][seed - 1], row["parents"][seed - 1])
    problem = sum_free.weak_schur(3, SUMS[3][0])
    assert NRPA(problem, np.random.default_rng(1), level=2, n_iterations=100).run().score == 23


def test_as_far_as_enumeration_says():
    assert [sum_free.furthest(k) for k in (1, 2, 3)] == [2, 8, 23]
    for k, furthest in ((1, 2), (2, 8)):
        problem = sum_free.weak_schur(k, 30)
        assert np.isfinite(try_out(problem, np.random.default_rng(0), 3))
        assert NRPA(problem, 1, level=2, n_iterations=10).run().score == furthest


def test_every_stored_partition_is_weakly_sum_free():
    for k, row in read_table("sums").items():
        parts = [
            [v for v, part in enumerate(row["parts"], 1) if int(part) == j] for j in range(int(k))
        ]
        assert all(map(sum_free.is_weakly_sum_free, parts))
        assert len(row["parts"]) == max(row["scores"])


def test_parts_are_told_from_a_game_and_a_part_with_a_sum_is_seen():
    problem = sum_free.weak_schur(2, 30)
    game = NRPA(problem, 1, level=2, n_iterations=10).run()
    assert sum_free.parts_of(problem, game.codes.tolist()) == [[1, 2, 4, 8], [3, 5, 6, 7]]
    assert sum_free.is_weakly_sum_free([1, 2, 4])
    assert not sum_free.is_weakly_sum_free([1, 3, 4])


def test_what_the_workshop_says_of_its_tables():
    assert counts.time_to_refute()[1] == "less than a second"
    best = {k: (max(row["scores"]), row["scores"]) for k, row in read_table("sums").items()}
    for k, furthest in (("3", 23), ("4", 66)):
        assert best[k][0] == furthest
        assert best[k][1].count(furthest) > len(best[k][1]) / 2
    assert (best["5"][0] < 196, best["6"][0] < 582) == (True, True)
    gaps = np.concatenate([*counts.gaps().values()])
    assert (gaps > -1e-9).all()
    assert 0 < (gaps < 1e-9).sum() < gaps.size / 5
    assert gaps.max() < 2.2
