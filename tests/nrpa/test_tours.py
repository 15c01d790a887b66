"""Tours by one setting: local search against its definition, the whole against all tours."""

import itertools

import numpy as np
import pytest

import gameai_lib.nrpa.tours.best_tour as best_tour_module
from gameai_book.nrpa.measure.instances import random_tsptw
from gameai_lib.base import jit
from gameai_lib.nrpa import NRPA, best_tour, bundled_tsptw, in_words, judge, tsptw
from gameai_lib.nrpa.game.tsptw import Instance, evaluate
from gameai_lib.nrpa.tours import local_search
from gameai_lib.nrpa.tours.best_tour import elite_bias, tour_problem, tours
from tests.nrpa.games import press_at


def neighbours(tour):
    """Every tour one move away: a part is turned round, or one of up to three cities moved."""
    for start, stop in itertools.combinations(range(len(tour) + 1), 2):
        part, rest = tour[start:stop], tour[:start] + tour[stop:]
        yield tour[:start] + part[::-1] + tour[stop:]
        if len(part) <= 3:
            for to in range(len(rest) + 1):
                yield rest[:to] + part + rest[to:]


@pytest.mark.parametrize("seed", range(4))
def test_no_neighbour_of_an_improved_tour_is_shorter_or_less_late(seed):
    instance, hidden, _ = random_tsptw(np.random.default_rng(seed), 10, 200)
    better = local_search.improved(instance, hidden)
    found = evaluate(instance, better)
    assert found.violations == 0
    assert found.cost < evaluate(instance, hidden).cost
    for other in neighbours(better.tolist()):
        tour = evaluate(instance, other)
        assert tour.violations or tour.cost >= found.cost - 1e-6
    instance, _, _ = random_tsptw(np.random.default_rng(seed), 10, 60)

    def lateness(tour):
        arrival = evaluate(instance, tour).arrival
        return np.maximum(arrival - instance.windows[[*tour, 0], 1], 0).sum()

    tour = np.random.default_rng(seed).permutation(9) + 1
    better = local_search.improved(instance, tour)
    late = lateness(better)
    assert late < lateness(tour) - 1
    for other in neighbours(better.tolist()):
        assert lateness(other) >= late - 1e-6


def test_a_moved_part_gains_what_the_costs_say():
    rng = np.random.default_rng(0)
    distance = rng.random((7, 7))
    instance = Instance("open", distance, [[0, 99]] * 7)
    tour, moved = rng.permutation(6) + 1, np.zeros(6, np.int64)
    before, seen = evaluate(instance, tour).cost, set()
    for length in (1, 2, 3):
        for start, to in itertools.product(range(7 - length), repeat=2):
            if start != to:
                local_search.move_part(tour, start, length, to, moved)
                seen.add(tuple(moved.tolist()))
                gain = local_search.gain_of_move(distance, tour, start, length, to)
                assert gain == pytest.approx(before - evaluate(instance, moved).cost)
    by_lists = {tuple(t) for t in neighbours(tour.tolist())}
    assert seen < by_lists  # the others are turned round


@pytest.mark.parametrize("seed", range(3))
def test_the_best_of_all_tours_is_found(seed):
    instance, _, _ = random_tsptw(np.random.default_rng(seed), 8, 60)
    all_tours = [evaluate(instance, tour) for tour in itertools.permutations(range(1, 8))]
    best = max(-(1e6 * t.violations + t.cost) for t in all_tours)
    found = best_tour(instance, seed, target=best)
    assert judge(tsptw(instance), found).score == found.score == best


def test_the_fewest_cities_are_late_and_equal_distances_have_no_spread():
    shut = Instance("three", np.ones((4, 4)) - np.eye(4), [[0, 99], [0, 1], [0, 1], [0, 1]])
    best = best_tour(shut, 0, n_playouts=1000)
    assert in_words(tsptw(shut), best) == "score -2e+06 (2 windows missed, cost 4)"
    for n in (2, 4):
        same = Instance("same", np.ones((n, n)), [[0, 99]] * n)
        assert tour_problem(same).bias is None
        assert best_tour(same, 0, n_playouts=900).score == -n


def test_the_bias_is_two_for_each_standard_deviation_and_shared_by_elite_tours():
    distance = np.array([[0, 1, 3], [9, 0, 11], [2, 4, 0]])  # each row spreads by 1
    problem = tour_problem(Instance("three", distance, [[0, 99]] * 3))
    np.testing.assert_allclose(problem.bias.reshape(3, 3), -2.0 * distance)
    bias = elite_bias([(5.0, (1, 2, 3)), (6.0, (1, 3, 2))], 4).reshape(4, 4)
    assert bias[0, 1] == 2.0  # both begin so
    assert bias[1, 2] == bias[2, 3] == bias[1, 3] == bias[3, 2] == 1.0
    assert bias.sum() == 6.0


@pytest.mark.skipif(not jit.COMPILED, reason="takes long without compiled kernels")
def test_a_search_depends_on_its_seed_alone_and_only_improves():
    instance = random_tsptw(np.random.default_rng(1), 40, 400)[0]
    first, again = (list(itertools.islice(tours(instance, 3), 12)) for _ in range(2))
    assert str(first) == str(again)
    assert [n for n, _ in first] == list(range(900, 10_801, 900))
    scores = [judge(tour_problem(instance), game).score for _, game in first]
    assert scores == [game.score for _, game in first] == sorted(scores)
    assert scores[-1] > scores[0]


@pytest.mark.parametrize("where", ["search", "local search"])
def test_an_interrupt_keeps_the_best_tour(monkeypatch, where):
    instance = bundled_tsptw("medium")
    (_, first), *_ = itertools.islice(tours(instance, 1), 2)
    if where == "search":
        press_at(monkeypatch, NRPA, "_play_at_once", 9)
    else:
        press_at(monkeypatch, best_tour_module, "improved", 3)
    with pytest.raises(KeyboardInterrupt, match=r"stopped after [\d,]+ playouts;") as caught:
        best_tour(instance, 1, seconds=1000)
    monkeypatch.undo()
    kept = caught.value.result
    assert judge(tsptw(instance), kept).score == kept.score >= first.score
