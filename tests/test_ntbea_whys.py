"""The numbers behind "why": few runs agree with what the chapter says, and with hand counts."""

import numpy as np
import pytest

from gameai_lib.ntbea.contest import published
from gameai_lib.ntbea.contest.results import best_other, load_contest
from gameai_lib.ntbea.contest.whys import (
    Means,
    mean_of,
    n_looked_at,
    searched,
    with_fault,
    worth_with_bonus,
)
from gameai_lib.ntbea.game.problems import Problem, grid, planet_wars_table
from gameai_lib.ntbea.search.landscape import LandscapeModel


def test_a_mean_has_its_standard_error():
    mean = mean_of([1, 2, 4])
    assert mean.mean == pytest.approx(7 / 3)
    assert mean.error == pytest.approx(np.std([1, 2, 4], ddof=1) / 3**0.5)


def test_without_epsilon_the_d_tuple_makes_the_search_exhaustive():
    agents = planet_wars_table()
    n = {
        (epsilon, sizes): n_looked_at(searched(agents, 60, 3, epsilon=epsilon, sizes=sizes)).mean
        for epsilon in (1e-6, 0.5)
        for sizes in ((1, 2), (1, 2, "d"))
    }
    assert n[1e-6, (1, 2, "d")] >= 59
    assert n[0.5, (1, 2, "d")] < 45
    assert n[1e-6, (1, 2)] < 45


def test_a_bonus_at_the_end_recommends_what_is_hardly_known():
    problem = Problem("line", grid(1, 3), lambda x: x[:, 0].astype(float), sigma=0.0)
    model = LandscapeModel(problem.space, (1,))
    for point in ((2,), (2,), (2,), (2,), (1,)):
        model.add(point, problem.true_value(np.array(point)))
    # Means 2 and 1, range 1; widths sqrt(ln 6 / 4.5) = 0.631 and sqrt(ln 6 / 1.5) = 1.093.
    assert worth_with_bonus([model, model], problem, 0).mean == 2
    assert worth_with_bonus([model, model], problem, 2.0).mean == 2
    assert worth_with_bonus([model, model], problem, 2.3).mean == 1


def test_searches_are_those_of_their_seeds():
    agents = planet_wars_table()
    first, again = (searched(agents, 12, 2) for _ in range(2))
    for a, b in zip(first, again, strict=True):
        assert (a.points == b.points).all()
    assert not (first[0].points == first[1].points).all()


def test_runs_with_a_fault_are_runs_of_the_small_search():
    problem = Problem("sum", grid(2, 3), lambda x: x.sum(axis=1).astype(float), sigma=1.0)
    runs = with_fault(problem, 9, 2, "loop inside the if", flip_once=False)
    assert [run.n_points for run in runs] == [1, 1]


def test_the_published_table_is_whole_and_in_its_order():
    """Lucas et al. (2019, table 2); the order of its methods is that of ours where both ran."""
    means = [m.mean for m in published.PLANET_WARS.values()]
    assert means == sorted(means)
    assert len(means) == 16
    assert all(
        isinstance(m, Means) and m.mean <= published.BEST for m in published.PLANET_WARS.values()
    )
    cells = load_contest("planet_wars")
    ours = {e: cell.mean for (_, _, e), cell in cells.items()}
    hill_climbers, others = ("RMHC(1)", "RMHC(5)"), ("NTBEA(1)", "NTBEA(1 2)", "NTBEA(1 2 5)")
    assert set(hill_climbers + others) <= set(published.PLANET_WARS) & set(ours)
    for table in (ours, {e: m.mean for e, m in published.PLANET_WARS.items()}):
        assert table["RMHC(1)"] < table["RMHC(5)"] < min(table[e] for e in others)


def test_the_best_other_method_is_no_reading_of_ours_and_did_not_crash():
    cells = load_contest("ours", "peers")
    name = best_other(cells, "Five-bit traps", 100, {"random, marginals", "tune"})
    means = {
        e: c.mean
        for (p, b, e), c in cells.items()
        if (p, b) == ("Five-bit traps", 100) and not c.crashes
    }
    assert cells["Five-bit traps", 100, "PyPI ntbea"].crashes
    assert not name.startswith("NTBEA")
    assert means[name] == max(
        m
        for e, m in means.items()
        if not e.startswith("NTBEA") and e not in {"random, marginals", "tune"}
    )
    with pytest.raises(ValueError, match="Golf"):
        best_other(cells, "Golf", 100, set())
