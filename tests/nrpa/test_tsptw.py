"""TSPTW: tours worked out in the literature, enumeration, and optima proven by another method."""

import itertools
from pathlib import Path

import numpy as np
import pytest

from gameai_book.nrpa.measure.instances import random_tsptw
from gameai_lib.nrpa import NRPA, best_tour, flat_monte_carlo, in_words, judge, read_tsptw
from gameai_lib.nrpa.game import tsptw as rules
from gameai_lib.nrpa.problem.walk import choices_of, playout_of, replay
from tests.nrpa.games import DATA, needs_data


def square(windows):
    """Four corners of a square with sides of 10, visited around it 0 1 2 3."""
    ring = np.abs(np.arange(4)[:, None] - np.arange(4))
    return rules.Instance("square", 10.0 * np.minimum(ring, 4 - ring), np.array(windows, float))


# City 2 opens at 25: waiting 5; city 3 closes at 30 and is reached at 35.
LATE_AT_3 = [(0, 100), (0, 100), (25, 100), (0, 30)]


def test_a_tour_by_hand():
    tour = rules.evaluate(square(LATE_AT_3), [1, 2, 3])
    assert (tour.cost, tour.violations, tour.makespan) == (40.0, 1, 45.0)
    np.testing.assert_array_equal(tour.arrival, [10, 25, 35, 45])


@pytest.mark.parametrize(
    ("windows", "tour", "legal"),
    [
        # A late city comes first, but one that is reached when it closes is not late.
        ([(0, 99), (0, 99), (0, 15), (0, 99)], [], [2]),
        ([(0, 99), (0, 99), (0, 20), (0, 99)], [], [1, 2, 3]),
        # Going to 2 first (arrival 20) would miss city 1, which closes at 12.
        ([(0, 99), (0, 12), (0, 99), (0, 99)], [], [1, 3]),
        # A late opening counts as arrival: waiting for 3 until 50 would miss city 1.
        ([(0, 99), (0, 12), (0, 99), (50, 99)], [], [1]),
        # City 1 is left at 30: 2 is reached at 40, 3 at 50. All late cities are legal.
        ([(0, 99), (30, 30), (31, 31), (30, 30)], [1], [2, 3]),
    ],
)
def test_legal_moves_by_hand(windows, tour, legal):
    problem = rules.tsptw(square(windows))
    (first,) = replay(problem, [])
    choices = [[*first.legal % 4].index(city) for city in tour]
    *_, here = replay(problem, choices)
    assert sorted(here.legal % 4) == legal


def legal_by_definition(instance, here, now, unvisited):
    """Legal cities as Cazenave and Teytaud describe them, each pair of cities looked at."""

    def arrival(city):
        return max(now + instance.distance[here, city], instance.windows[city, 0])

    closing = instance.windows[:, 1]
    late = [city for city in unvisited if arrival(city) > closing[city]]
    harmless = [
        city
        for city in unvisited
        if all(arrival(city) <= closing[other] for other in unvisited if other != city)
    ]
    return late or harmless or unvisited


def ahead_by_definition(instance, here, now, unvisited):
    """Cities after which no other is out of reach, by the shortest way there."""
    ways, kept = rules.shortest_ways(instance.distance), []
    for city in unvisited:
        arrival = max(now + instance.distance[here, city], instance.windows[city, 0])
        others = {*unvisited, 0} - {city}
        if arrival <= instance.windows[city, 1] and all(
            arrival + ways[city, k] <= instance.windows[k, 1] for k in others
        ):
            kept.append(city)
    return kept


@pytest.mark.parametrize("look_ahead", [False, True])
def test_legal_moves_are_those_of_the_definition(look_ahead):
    rng, n_doomed = np.random.default_rng(0), 0
    for _ in range(20):
        instance, _, _ = random_tsptw(rng, 12, 80)
        problem = rules.tsptw(instance, look_ahead=look_ahead)
        game = flat_monte_carlo(problem, rng, 1)[0]
        here, now, unvisited = 0, instance.windows[0, 0], list(range(1, 12))
        for ply in list(replay(problem, game.choices))[:-1]:
            at = instance, here, now, unvisited
            expected = ahead_by_definition(*at) if look_ahead else []
            n_doomed += not expected
            expected = expected or legal_by_definition(*at)
            assert sorted(ply.legal.tolist()) == [here * 12 + city for city in expected]
            city = int(ply.legal[ply.choice]) % 12
            now = max(now + instance.distance[here, city], instance.windows[city, 0])
            here = city
            unvisited.remove(city)
    assert n_doomed > 0  # the other rule was asked, too


def test_looking_ahead_forbids_no_tour_that_meets_all_windows():
    rng = np.random.default_rng(5)
    # The triangle inequality does not hold here: a way round can be shorter than the direct one.
    distance = rng.integers(5, 60, (7, 7)).astype(float)
    windows = np.zeros((7, 2))
    windows[0, 1], now, here = 400, 0.0, 0
    for city in range(1, 7):
        now += distance[here, city]
        windows[city], here = (max(0.0, now - 60), now + 60), city
    instance = rules.Instance("askew", distance, windows)
    problem, n_met = rules.tsptw(instance, look_ahead=True), 0
    for tour in itertools.permutations(range(1, 7)):
        if rules.evaluate(instance, tour).violations == 0:
            n_met += 1
            codes = np.array([0, *tour[:-1]]) * 7 + tour
            assert judge(problem, playout_of(problem, choices_of(problem, codes)))
    assert n_met > 10


def test_ways_round_are_found():
    distance = [[0.0, 9.0, 2.0], [1.0, 0.0, 7.0], [4.0, 3.0, 0.0]]
    expected = [[0.0, 5.0, 2.0], [1.0, 0.0, 3.0], [4.0, 3.0, 0.0]]
    assert rules.shortest_ways(np.array(distance)).tolist() == expected


def test_bias_prefers_near_cities_and_similar_windows():
    instance = square([(0, 99), (0, 10), (40, 50), (0, 10)])
    bias = rules.tsptw(instance, distance_bias=2.0, window_bias=3.0).bias.reshape(4, 4)
    np.testing.assert_allclose(bias[1, 2], -2 * 10 / 20 - 3 * 40 / 40)
    np.testing.assert_allclose(bias[1, 3], -2 * 20 / 20)
    assert rules.tsptw(instance).bias is None


@needs_data
@pytest.mark.parametrize("objective", ["travel", "makespan"])
def test_best_known_tours_of_the_literature(objective):
    folder = DATA / "tsptw" / "SolomonPotvinBengio"
    n_checked = 0
    for line in Path(folder, f"best_known_{objective}.txt").read_text().splitlines():
        name, *numbers = line.split() if not line.startswith("#") else [""]
        if not name or not Path(folder, name).exists():
            continue
        tour = rules.evaluate(read_tsptw(Path(folder, name)), [int(n) for n in numbers[2:]])
        value = tour.cost if objective == "travel" else tour.makespan
        assert value == pytest.approx(float(numbers[0]), abs=0.006)
        assert tour.violations == int(numbers[1])
        n_checked += 1
    assert n_checked == 22


def proven_optima(largest):
    for file in sorted(DATA.glob("tsptw/*/optima.tsv")):
        for line in file.read_text().splitlines():
            name, size, optimum = line.split("\t") if not line.startswith("#") else ("", "", "-")
            if optimum != "-" and int(size) <= largest:
                yield pytest.param(file.parent / name, float(optimum), id=Path(name).stem)


@pytest.mark.slow
@needs_data
@pytest.mark.parametrize(("path", "optimum"), list(proven_optima(21)) or [(None, 0.0)])
def test_proven_optima_up_to_20_cities_are_found(path, optimum):
    best = best_tour(read_tsptw(path), 3, n_playouts=10**7, target=-optimum - 1e-3)
    assert -best.score == pytest.approx(optimum, abs=1e-3)


def test_a_search_says_how_many_windows_it_misses():
    words = {2: "2 windows missed", 1: "1 window missed", 0: "all windows met"}
    for n_missed, said_of_windows in words.items():
        # One of the cities that close at 1 can be met.
        windows = [(0, 99)] * (3 - n_missed) + [(0, 1)] * (1 + n_missed)
        problem = rules.tsptw(rules.Instance("three", np.ones((4, 4)) - np.eye(4), windows))
        search = NRPA(problem, 0, level=2, n_iterations=9)
        assert repr(search) == "NRPA(three: 0 playouts, not begun)"
        assert in_words(problem, search.best) == "no game yet"
        best = search.run()
        said = f"score {-1e6 * n_missed - 4:g} ({said_of_windows}, cost 4)"
        assert repr(search) == f"NRPA(three: 81 playouts, best {said}, finished)"
    with pytest.raises(ValueError, match="three: the tour must visit cities 1 to 3 once each"):
        in_words(problem, best._replace(codes=best.codes[:2]))
