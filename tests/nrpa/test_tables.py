"""The committed result files: tours refereed, and first runs of every experiment run again."""

import os
from pathlib import Path

import numpy as np
import pytest

from benchmarks import nrpa_limits as limits
from benchmarks import nrpa_tables as tables
from gameai_lib.nrpa.game.files import read_tsptw
from gameai_lib.nrpa.game.instances import bundled_board
from gameai_lib.nrpa.game.morpion import morpion
from gameai_lib.nrpa.game.samegame import samegame
from gameai_lib.nrpa.game.transform import state_keyed
from gameai_lib.nrpa.game.tsptw import LATE_COST, evaluate, tour_of, tsptw
from gameai_lib.nrpa.search.nrpa import NRPA
from gameai_lib.nrpa.show import results

DATA = os.environ.get("GAMEAI_DATA")
needs_data = pytest.mark.skipif(not DATA, reason="GAMEAI_DATA names no folder of instances")
SETTINGS = {"tsptw": tables.PLAIN_AND_BIASED, "tsptw_portfolio": tables.THREE_BIASES}


def instance(name):
    return read_tsptw(Path(DATA, "tsptw", "SolomonPotvinBengio", f"{name}.txt"))


def best_score(problem, seed=1, **parameters):
    return NRPA(problem, np.random.default_rng(seed), **parameters).run().score


@needs_data
@pytest.mark.parametrize("file", SETTINGS)
def test_stored_tours_cost_what_is_stored(file):
    table = results.table(file)
    assert table["columns"] == ["best known", *SETTINGS[file]]
    assert len(table["tour"]) == 22
    for name, (known, *costs) in table["cost"].items():
        for tour, cost in zip(table["tour"][name], costs, strict=True):
            found = evaluate(instance(name), tour)
            assert LATE_COST * found.violations + found.cost == pytest.approx(cost, abs=5e-5)
            assert cost >= known - 0.006  # the best known costs are printed with two digits


@needs_data
@pytest.mark.parametrize("file", SETTINGS)
def test_stored_tours_come_back_after_as_many_playouts(file):
    table, n_checked = results.table(file), 0
    for name, stored in table["tour"].items():
        rows = zip(SETTINGS[file].values(), stored, table["found_after"][name], strict=True)
        for (biases, n), tour, found_after in rows:
            if found_after > 20_000:
                continue
            rng = np.random.default_rng(table["seed"])
            found = tables.turns(instance(name), biases, n, rng)
            game = next(game for used, game in found if used >= found_after)
            assert tour_of(game.codes, len(tour) + 1).tolist() == tour
            n_checked += 1
    assert n_checked >= 5


def test_three_biases_meet_all_windows_near_the_best_known_cost():
    known, cost = np.array(list(results.table("tsptw_portfolio")["cost"].values())).T
    assert (cost < LATE_COST).sum() == cost.size == 22
    gap = cost / known - 1
    assert gap.mean() < 0.03
    assert np.median(gap) < 0.01


@pytest.mark.slow
@pytest.mark.parametrize("problem", ["Morpion 5D", pytest.param("rc_201.1", marks=needs_data)])
def test_methods_come_back_up_to_10_000_playouts(problem):
    table = results.table("methods")
    game = morpion("5D") if problem == "Morpion 5D" else tsptw(instance(problem))
    for method, runs in table["best"][problem].items():
        kind, level = (*method.split(), "0")[:2]
        curve = tables.curve(game, (kind, int(level)), 1, 10_000)
        assert curve == runs["long"][0][:10], method
        assert [len(run) for run in runs["long"] + runs["short"]] == 3 * [16] + 7 * [10]


@pytest.mark.parametrize("name", tables.FAMILY)
def test_relatives_come_back(name):
    stored = results.table("family")["runs"][name]
    search = NRPA(morpion("5D"), np.random.default_rng(1), level=2, **tables.FAMILY[name])
    assert search.run().score == stored["scores"][0]
    assert search.n_playouts == stored["n_playouts"][0]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["1, 2, 4 and 6 together", "8 state-keyed codes"])
def test_the_other_faults_come_back(name):
    problem, faults = morpion("5D"), tables.FAULTS.get(name, tables.Faults())
    problem = state_keyed(problem) if name.startswith("8") else problem
    stored = results.table("faults")["scores"][name][0]
    assert best_score(problem, level=2, faults=faults) == stored[0]


@pytest.mark.slow
def test_a_long_run_with_a_shared_policy_comes_back():
    table, name = results.table("faults"), "1 shared policy"
    level, n, _ = table["settings"][1]
    score = best_score(morpion("5D"), level=level, n_iterations=n, faults=tables.FAULTS[name])
    assert score == table["scores"][name][1][0]


@needs_data
def test_faults_on_a_tour_come_back():
    table = results.table("faults_tour")
    size = {key: table[key] for key in ("level", "n_iterations")}
    problem = tsptw(instance(table["instance"]))
    for name, faults in tables.FAULTS.items():
        assert best_score(problem, faults=faults, **size) == table["scores"][name][0], name


def test_faults_on_a_tour_cost_what_another_program_measured():
    scores = results.table("faults_tour")["scores"]
    met = {name: tables.feasible(runs) for name, runs in scores.items()}
    assert {len(runs) for runs in scores.values()} == {30}
    assert met["Rosin's algorithm"] == 29
    assert met["1 shared policy"] == 8
    assert met["4 last move never played"] == 0


@pytest.mark.parametrize("alpha", ["0.25", "0.5", "1.0", "2.0"])
def test_the_other_step_sizes_come_back(alpha):
    stored = results.table("alpha")["scores"][alpha]
    assert best_score(morpion("5D"), level=2, alpha=float(alpha)) == stored[0]


def test_small_searches_of_the_grid_come_back():
    table, n_checked = results.table("grid"), 0
    for level, row in table["runs"].items():
        for n, run in row.items():
            assert run["n_playouts"] == int(n) ** int(level)
            assert len(run["scores"]) == 10
            if run["n_playouts"] <= 2500:
                score = best_score(morpion("5D"), level=int(level), n_iterations=int(n))
                assert score == run["scores"][0]
                n_checked += 1
    assert n_checked == 10
    for budget, pairs in table["equal"].items():
        assert [level for level, _ in pairs] == [1, 2, 3, 4]
        for level, n in pairs:
            assert n**level == pytest.approx(int(budget), rel=0.3)
            assert str(n) in table["runs"][str(level)]


@needs_data
def test_limited_repetitions_come_back():
    for row in results.table("repeats")["runs"]["rc_201.1"]["30"].values():
        parameters = {k: row[k] for k in ("n_iterations", "max_repeats") if k in row}
        problem = tsptw(instance("rc_201.1"))
        searches = list(tables.again_and_again(problem, 1, 27_000, level=3, **parameters))
        assert searches[0] == (row["scores"][0], row["n_playouts"][0])
        assert max(searches)[0] == row["best"][0]
        assert len(searches) == row["n_searches"][0]


@pytest.mark.slow
def test_a_game_of_the_gallery_comes_back_from_its_seed():
    stored, about = results.best_morpion_game("4D")
    parameters = {key: about[key] for key in ("level", "n_iterations", "alpha")}
    found = NRPA(morpion("4D"), np.random.default_rng(about["seed"]), **parameters).run()
    np.testing.assert_array_equal(found.codes, stored.codes)


@pytest.mark.slow
def test_a_score_on_the_bundled_board_comes_back():
    table = results.table("samegame")
    size = {key: table[key] for key in ("level", "n_iterations")}
    problem = samegame(bundled_board(), tabu=True)
    assert best_score(problem, **size) == table["bundled"]["NRPA, tabu colour"]


@needs_data
def test_methods_on_tours_come_back():
    table = results.table("tour_methods")
    assert table["n_playouts"] == limits.BUDGET
    assert list(table["scores"]) == list(limits.TOURS)
    problem = tsptw(instance("rc_205.1"))
    assert limits.n_legal(problem) == table["n_legal"]["205.1"]
    for method, scores in table["scores"]["205.1"].items():
        assert len(scores) == limits.N_SEEDS
        assert limits.score(problem, method, 1) == scores[0], method
