"""Ratings by name: by hand, against a general optimiser, against a numerical Hessian."""

import os
import signal
from pathlib import Path

import numpy as np
import pytest

from gameai_book.btmm.league import invented_season
from gameai_lib.base.interrupts import Interrupted
from gameai_lib.btmm import (
    CompetitionError,
    NoMaximumError,
    Rating,
    fit,
    from_pairs,
    predict_proba,
    rate,
    read_football,
    read_wthor,
    standard_errors,
)
from gameai_lib.btmm.model.elo import ELO_PER_NAT
from gameai_lib.btmm.model.players import newton
from gameai_lib.btmm.model.players.ties import TIES
from gameai_lib.btmm.records.football import Match
from gameai_lib.btmm.records.games import Game

FOLDER = Path(os.environ.get("GAMEAI_DATA", "unset"))
needs_data = pytest.mark.skipif(
    "GAMEAI_DATA" not in os.environ, reason="GAMEAI_DATA names no folder of game records"
)


@pytest.fixture(scope="module")
def season():
    matches, _ = invented_season(np.random.default_rng(7))
    return [(m.home, m.away, m.result) for m in matches]


def chances(ties, first, second, tie):
    """P(win), P(draw), P(loss) as the papers print them."""
    if ties == "davidson":
        total = first + second + tie * np.sqrt(first * second)
        return first / total, tie * np.sqrt(first * second) / total, second / total
    win, loss = first / (first + tie * second), second / (second + tie * first)
    return win, (tie**2 - 1) * win * loss, loss


def minus_objective(x, games, names, ties, home, prior, log_likelihood=False):
    """Minus ln L, plus the virtual games; parameters ln gamma, ln home (if any), ln tie."""
    n = len(names)
    gamma, advantage = np.exp(x[:n]), np.exp(x[n]) if home else 1.0
    if ties == "rao-kupper" and x[-1] <= 0:
        return np.inf
    total = 0.0
    for first, second, result in games:
        i, j = names.index(first), names.index(second)
        p = chances(ties, advantage * gamma[i], gamma[j], np.exp(x[-1]))
        total += np.log(p[{1: 0, 0.5: 1, 0: 2}[result]])
    if not log_likelihood:
        for y in x[: n + home]:
            total += prior * np.log(np.exp(y) / (1 + np.exp(y)) ** 2)
    return -total


def best(got, games, home):
    """The maximum by a general optimiser, from where nothing is known."""
    from scipy.optimize import minimize

    x = np.zeros(len(got.names) + home + 1)
    x[-1] = 0.3
    options = {"maxiter": 100_000, "maxfun": 10**6, "ftol": 1e-15, "gtol": 1e-9}
    limits = [(-9, 9)] * (x.size - 1) + [(1e-3 if got.ties == "rao-kupper" else -9, 9)]
    arguments = games, list(got.names), got.ties, home, got.prior
    return minimize(
        minus_objective, x, arguments, method="L-BFGS-B", bounds=limits, options=options
    ).x, arguments


def hessian(f, x, h=1e-4):
    """Second differences."""
    n = x.size
    step = h * np.eye(n)
    return np.array(
        [
            [
                f(x + step[i] + step[j])
                - f(x + step[i] - step[j])
                - f(x - step[i] + step[j])
                + f(x - step[i] - step[j])
                for j in range(n)
            ]
            for i in range(n)
        ]
    ) / (4 * h * h)


def centred(x, n):
    return np.append(x[:n] - x[:n].mean(), x[n:])


@pytest.mark.parametrize("prior", [0.0, 0.7])
@pytest.mark.parametrize("home", [False, True])
@pytest.mark.parametrize("ties", TIES)
def test_against_a_general_optimiser_and_a_numerical_hessian(season, ties, home, prior):
    got = rate(season, ties=ties, home_advantage=home, prior=prior)
    n = len(got.names)
    x, arguments = best(got, season, home)
    found = np.append(got.log_gamma, [got.log_home] * home + [np.log(got.tie)])
    np.testing.assert_allclose(found, centred(x, n), atol=2e-4)
    # What is found is better than what the general optimiser finds, but for rounding: the
    # prior knows where 0 is, so let it choose the mean.
    shifts = [
        minus_objective(np.append(found[:n] + shift, found[n:]), *arguments)
        for shift in ((x[:n].mean(),) if prior else (0.0,))
    ]
    assert min(shifts) <= minus_objective(x, *arguments) + 1e-8
    value = -minus_objective(found, *arguments, log_likelihood=True)
    assert got.log_likelihood == pytest.approx(value, abs=1e-9)
    matrix = hessian(lambda y: minus_objective(y, *arguments), x)
    centre = np.eye(x.size)
    centre[:n, :n] -= 1 / n
    inverse = centre @ np.linalg.pinv(matrix, rcond=1e-6, hermitian=True) @ centre
    kept = [*range(n)] + [n] * home + [n + 1]
    np.testing.assert_allclose(got.covariance[np.ix_(kept, kept)], inverse, atol=2e-5)
    left_out = np.delete(np.delete(got.covariance, kept, 0), kept, 1)
    assert not left_out.any()


def test_two_players_by_hand():
    # 5 wins, 4 draws, 1 loss: the models fit the three shares exactly.
    games = [("A", "B", 1)] * 5 + [("B", "A", 0.5)] * 4 + [("A", "B", 0)]
    got = rate(games)
    # Davidson: gamma_A / gamma_B = 5, nu = 4 / sqrt(5).
    assert got.difference("A", "B").elo == pytest.approx(400 * np.log10(5))
    assert got.tie == pytest.approx(4 / np.sqrt(5))
    assert got.probabilities("A", "B") == pytest.approx((0.5, 0.4, 0.1))
    assert got.probabilities("B", "A") == pytest.approx((0.1, 0.4, 0.5))
    # ln(5 / 1) of a multinomial: variance 1 / 5 + 1.
    assert got.difference("A", "B").error == pytest.approx(ELO_PER_NAT * np.sqrt(1.2))
    assert got.standard_error == pytest.approx(ELO_PER_NAT * np.sqrt(1.2) / 2)
    # Rao and Kupper: odds of a win 1 = r / kappa, of a loss 1 / 9 = 1 / (r kappa).
    other = rate(games, ties="rao-kupper")
    assert other.difference("A", "B").elo == pytest.approx(400 * np.log10(3))
    assert other.tie == pytest.approx(3)
    assert other.probabilities("A", "B") == pytest.approx((0.5, 0.4, 0.1))
    assert got.scores.tolist() == other.scores.tolist() == [[5, 4, 1], [1, 4, 5]]
    assert got.table().splitlines() == [
        "player      Elo   s.e.  games",
        "A         139.8     95     10",
        "B        -139.8     95     10",
    ]
    # 1.96 standard errors.
    assert got.table(level=0.95).splitlines()[0] == "player      Elo  +-95%  games"
    assert got.table(1, level=0.95).splitlines()[1] == "A         139.8    186     10"
    assert got.difference("A", "B").ratio == pytest.approx(5)
    assert got.players[1] == pytest.approx(("B", -139.794, 95.149, 10), abs=1e-3)


def test_home_advantage_by_hand():
    # Equal players, who win at home 3 times of 4.
    games = [("A", "B", r) for r in (1, 1, 1, 0)] + [("B", "A", r) for r in (1, 1, 1, 0)]
    for ties in TIES:
        got = rate(games, ties=ties, home_advantage=True)
        assert got.home_advantage.elo == pytest.approx(400 * np.log10(3))
        # Binomial of 8: 1 / (8 * 3/4 * 1/4).
        assert got.home_advantage.error == pytest.approx(ELO_PER_NAT * np.sqrt(8 / 12))
        assert got.probabilities("A", "B") == pytest.approx((0.75, 0, 0.25))
        assert got.probabilities("A", "B", neutral=True) == pytest.approx((0.5, 0, 0.5))
        assert got.difference("A", "B").elo == pytest.approx(0, abs=1e-9)
    assert rate(games).home_advantage == (0, 0)


def test_without_draws_it_is_the_fit_of_pairs():
    rng = np.random.default_rng(1)
    pairs = rng.permuted(np.tile(np.arange(6), (300, 1)), axis=1)[:, :2]
    results = rng.integers(2, size=300)
    for prior in (0.0, 2.0):
        got = rate(np.column_stack([pairs, results]), prior=prior)
        assert got.tie == 0
        winners = np.where(results == 1, pairs[:, 0], pairs[:, 1])
        data = from_pairs(winners, pairs.sum(axis=1) - winners)
        fitted = fit(data, prior=prior, tol=1e-16)
        theta = np.log(fitted.gamma) - np.log(fitted.gamma).mean()
        np.testing.assert_allclose(got.log_gamma, theta[list(got.names)], atol=1e-6)
        if prior == 0:
            errors = ELO_PER_NAT * standard_errors(data, fitted)
            np.testing.assert_allclose(got.standard_error, errors[list(got.names)], rtol=1e-5)
    assert rate(np.column_stack([pairs, results]), ties="rao-kupper").tie == 1


@pytest.mark.parametrize("ties", TIES)
def test_recovery(ties):
    rng = np.random.default_rng(3)
    theta = np.array([0.9, 0.3, 0.0, -0.4, -0.8])
    home, tie = 0.35, 1.6
    games = []
    for _ in range(20_000):
        i, j = rng.permutation(5)[:2]
        p = chances(ties, np.exp(theta[i] + home), np.exp(theta[j]), tie)
        games.append((f"P{i}", f"P{j}", [1, 0.5, 0][rng.choice(3, p=p)]))
    got = rate(games, ties=ties, home_advantage=True)
    order = [int(name[1]) for name in got.names]
    z = (got.log_gamma - theta[order]) * ELO_PER_NAT / got.standard_error
    assert np.abs(z).max() < 3.5
    assert abs(got.log_home - home) * ELO_PER_NAT < 3.5 * got.home_advantage.error
    assert np.log(got.tie / tie) ** 2 < 12 * got.covariance[-1, -1]


def test_differences_and_chances_agree_with_each_other(season):
    got = rate(season, home_advantage=True)
    elo, error = got.differences()
    for i, first in enumerate(got.names[:3]):
        for j, second in enumerate(got.names[:3]):
            assert got.difference(first, second) == pytest.approx((elo[i, j], error[i, j]))
    for neutral in (True, False):
        outcome = got.probabilities("Ashford", "Hollow", neutral=neutral)
        assert sum(outcome) == pytest.approx(1)
    assert got.players[0].name == "Ashford"
    assert len(got.table(top=2).splitlines()) == 3
    with pytest.raises(ValueError, match="read-only"):
        got.log_gamma[0] = 1


def direction_exists(games, home):
    """Does any direction favour all results, or none of them know it? By linear programming."""
    from scipy.optimize import linprog

    names = sorted({side for game in games for side in game[:2]})
    tied = any(result == 0.5 for _, _, result in games)
    n = len(names) + home + tied
    rows = []
    for first, second, result in games:
        d, t = np.zeros(n), np.zeros(n)
        d[names.index(first)] += 0.5
        d[names.index(second)] -= 0.5
        if home:
            d[len(names)] += 0.5
        if tied:
            t[-1] = 1
        kinds = {1: d, 0: -d} | ({0.5: t} if tied else {})
        rows += [kinds[result] - kinds[other] for other in kinds if other != result]
    rows = np.array(rows)
    if np.linalg.matrix_rank(rows) < n - 1:
        return True
    found = linprog(-rows.sum(axis=0), A_ub=-rows, b_ub=np.zeros(len(rows)), bounds=[(-1, 1)] * n)
    return -found.fun > 1e-7


def test_a_maximum_is_found_if_and_only_if_there_is_one():
    rng = np.random.default_rng(5)
    n_without = 0
    for _ in range(120):
        n, home = int(rng.integers(2, 5)), bool(rng.integers(2))
        games = []
        for _ in range(rng.integers(n, 4 * n)):
            i, j = (f"P{k}" for k in rng.permutation(n)[:2])
            games.append((i, j, [1, 0.5, 0][rng.integers(3)]))
        if direction_exists(games, home):
            n_without += 1
            for ties in TIES:
                with pytest.raises(NoMaximumError):
                    rate(games, ties=ties, home_advantage=home)
        else:
            for ties in TIES:
                got = rate(games, ties=ties, home_advantage=home)
                assert np.isfinite(got.elo).all()
                assert np.isfinite(got.standard_error).all()
        if any(result != 0.5 for _, _, result in games):
            for ties in TIES:
                assert np.isfinite(rate(games, ties=ties, home_advantage=home, prior=0.5).elo).all()
    assert 24 < n_without < 96


@pytest.mark.parametrize(
    ("games", "options", "message"),
    [
        ([("A", "B", 1), ("B", "C", 1), ("C", "B", 1)], {}, r"\['A'\] never lost a point to"),
        ([("A", "B", 1), ("A", "C", 1), ("C", "A", 0.5)], {}, r"\['B'\] never won a point from"),
        (
            [("A", "B", 0.5), ("C", "D", 1), ("D", "C", 1)],
            {},
            r"never compare \['A', 'B'\] with \['C', 'D'\]",
        ),
        ([("A", "B", 0.5)], {"prior": 1.0}, "every game was drawn"),
        ([("A", "B", 1), ("A", "B", 0)], {"home_advantage": True}, "all that a home advantage"),
        ([("A", "B", 1), ("B", "A", 1)], {"home_advantage": True}, "strengths and home advantage"),
        ([("A", "B", 1), ("A", "B", 0.5)], {}, "strengths and draws can grow together"),
    ],
)
def test_who_keeps_a_maximum_from_existing_is_named(games, options, message):
    for ties in TIES:
        with pytest.raises(NoMaximumError, match=message):
            rate(games, ties=ties, **options)


@pytest.mark.parametrize(
    ("games", "options", "error", "message"),
    [
        ([], {}, CompetitionError, "no games"),
        ("AB1", {}, TypeError, "results must be a list, got 'AB1'"),
        (None, {}, TypeError, "results must be a list, got None"),
        ([("A", "B")], {}, ValueError, r"game 1 must be \(name, name, result\), got \('A', 'B'\)"),
        ([("A", "B", 1), 7], {}, ValueError, r"game 2 must be \(name, name, result\), got 7"),
        ([("A", "B", 2)], {}, ValueError, "game 1: a result is 1, 0.5 or 0, .*, got 2"),
        ([("A", "B", None)], {}, ValueError, "a result is 1, 0.5 or 0, .*, got None"),
        ([("A", "B", float("nan"))], {}, ValueError, "a result is 1, 0.5 or 0, .*, got nan"),
        ([("A", 1.5, 1)], {}, TypeError, "game 1: a name is a text or a whole number, got 1.5"),
        (
            [({"A": 1}, "B", 1)],
            {},
            TypeError,
            "got {'A': 1}; a side of several is a tuple of names",
        ),
        ([("A", None, 1)], {}, TypeError, "a name is a text or a whole number, got None"),
        ([("A", " ", 1)], {}, TypeError, "a name is a text or a whole number, got ' '"),
        ([("A", "A", 1)], {}, CompetitionError, "game 1: 'A' meets himself"),
        ([("A", "B", 1)], {"ties": "half"}, ValueError, "ties must be one of.*'half'"),
        ([("A", "B", 1)], {"prior": -1}, ValueError, "prior must be at least 0 .*, got -1"),
        ([("A", "B", 1)], {"prior": 1e-17}, ValueError, "prior must be 0 or at least 1e-06"),
        ([("A", "B", 1)], {"home_advantage": 1}, TypeError, "home_advantage must be True or"),
        ([(i, i + 1, 1) for i in range(2001)], {}, CompetitionError, r"\[0\] never lost a point"),
        (
            [("A", "A", 1)],
            {},
            CompetitionError,
            "this game out, or all of that name with unknown='A'",
        ),
        ([("A", "B", 1)], {"unknown": "A"}, CompetitionError, "no games"),
        ([("A", "B", 1)], {"unknown": 0.5}, TypeError, "unknown: a name is .*, got 0.5"),
        ([("A", "B", 1)], {"weight": [1, 2]}, ValueError, "1 games need as many weights, got 2"),
        ([("A", "B", 1)], {"weight": [-1]}, ValueError, "from 0 to 1e.12, got -1.0 of game 1"),
        ([("A", "B", 1)], {"weight": [np.nan]}, ValueError, "weight must be .*, got nan of game 1"),
        ([("A", "B", 1)], {"weight": [0]}, CompetitionError, "no games"),
        ([(("A", "A"), "B", 1)], {}, CompetitionError, "game 1: 'A' stands twice in a side"),
        ([(("A", "B"), ("C", "B"), 1)], {}, CompetitionError, "game 1: 'B' meets himself"),
        ([((), "B", 1)], {}, TypeError, r"a name is a text or a whole number, got \(\)"),
    ],
)
def test_bad_results_are_named(games, options, error, message):
    with pytest.raises(error, match=message):
        rate(games, **options)


def test_names_that_were_not_rated(season):
    got = rate(season)
    for name in ("Nowhere", 0, True):
        with pytest.raises(ValueError, match=f"{name!r} was not rated"):
            got.difference("Ashford", name)
    with pytest.raises(TypeError, match="neutral must be True or False"):
        got.probabilities("Ashford", "Hollow", neutral=1)
    numbers = rate(np.array([[3, 7, 1], [7, 3, 0.5], [7, 3, 1]]))
    assert numbers.names == (3, 7)
    assert numbers.difference(np.int64(7), 3).elo == -numbers.difference(3, 7).elo


def test_extremes():
    # A win of A, a win of B, a draw: how often each.
    for counts, of in (
        ((50_000, 50_000, 1), "draw"),
        ((1, 1, 10_000), "draw"),
        ((100_000, 1, 3), "loss"),
    ):
        games = [("A", "B", 1), ("B", "A", 1), ("A", "B", 0.5)]
        shown = counts[2 if of == "draw" else 1] / sum(counts)
        for ties in TIES:
            got = rate(games, ties=ties, weight=counts).probabilities("A", "B")
            assert getattr(got, of) == pytest.approx(shown, rel=1e-6)


def test_predict_proba_by_hand():
    data = from_pairs([0, 1], [1, 2])
    pairs = predict_proba([1.0, 2.0, 3.0], data)
    np.testing.assert_allclose(pairs, [[1 / 3, 2 / 3], [2 / 5, 3 / 5]])
    # The source's equation (3), and a race of three.
    teams = [[[0, 1, 2], [3, 1], [0, 4, 5, 6]], [[0], [1]]]
    got = predict_proba(np.arange(1.0, 8.0), teams)
    np.testing.assert_allclose(got[0], np.array([6, 8, 210]) / 224)
    np.testing.assert_allclose(got[1], [1 / 3, 2 / 3])
    fitted = fit(data)
    np.testing.assert_allclose(predict_proba(fitted, data), predict_proba(fitted.gamma, data))
    with pytest.raises(ValueError, match="there are 3 strengths, no number 3"):
        predict_proba([1.0, 2.0, 3.0], [[[0], [3]]])
    with pytest.raises(ValueError, match="3 features need as many strengths, got 2"):
        predict_proba([1.0, 2.0], data)
    for odd in (np.zeros(3, np.float32), [1.0, -1.0, 1.0], [1.0, np.nan, 1.0]):
        with pytest.raises(ValueError, match="strengths must be from"):
            predict_proba(odd, data)
    with pytest.raises(TypeError, match="competitions must be a list, got None"):
        predict_proba([1.0], None)


@needs_data
@pytest.mark.parametrize("ties", TIES)
def test_premier_league(ties):
    path = FOLDER / "football" / "premier_league_2018-19.json"
    games = [(m.home, m.away, m.result) for m in read_football(path)]
    got = rate(games, ties=ties, home_advantage=True)
    x, arguments = best(got, games, home=True)
    found = np.append(got.log_gamma, [got.log_home, np.log(got.tie)])
    np.testing.assert_allclose(found, centred(x, 20), atol=5e-4)
    assert minus_objective(found, *arguments) <= minus_objective(x, *arguments) + 1e-8
    # City were champions by a point; Liverpool lost fewer and drew more.
    assert {p.name for p in got.players[:2]} == {"Manchester City", "Liverpool FC"}
    assert got.players[-1].name == "Huddersfield Town"
    assert got.scores.sum() == 2 * 380
    assert sum(got.scores[:, 1]) == 2 * sum(result == 0.5 for _, _, result in games)


@needs_data
def test_othello_players_of_a_year():
    path = FOLDER / "othello" / "WTH_2016.wtb"
    got = rate(((g.black, g.white, g.result) for g in read_wthor(path)), prior=1.0)
    assert got.scores.sum() == 2 * 2013
    assert np.isfinite(got.standard_error).all()


SEASON = [
    Match("A", "B", 2, 0),
    Match("B", "C", 1, 1),
    Match("C", "A", 3, 1),
    Match("A", "C", 1, 0),
]


def test_games_of_the_readers_and_arrays_of_texts_are_rated_as_they_are():
    triples = [(m.home, m.away, m.result) for m in SEASON]
    games = [Game(i, None, m.home, m.away, m.result) for i, m in enumerate(SEASON)]
    wanted = rate(triples, prior=0.5, home_advantage=True)
    for results in (SEASON, games, np.array(triples), iter(SEASON)):
        got = rate(results, prior=0.5, home_advantage=True)
        assert got.names == wanted.names
        np.testing.assert_array_equal(got.log_gamma, wanted.log_gamma)
    assert repr(got).startswith("Rating(3 players, 4 games; first ")


def test_many_matches_are_predicted_at_once():
    got = rate(SEASON, prior=0.5, home_advantage=True)
    chances = got.predict_proba([("A", "B"), ("B", "A")])
    assert chances[1].tolist() == list(got.probabilities("B", "A"))
    np.testing.assert_allclose(chances.sum(axis=1), 1)
    neutral = got.predict_proba([("A", "B"), ("B", "A")], neutral=True)
    np.testing.assert_allclose(neutral[0], neutral[1][::-1])
    expected = -np.mean([np.log(chances[0, 0]), np.log(chances[1, 2])])
    assert got.log_loss([("A", "B", 1), ("B", "A", 0)]) == pytest.approx(expected)
    assert got.predict_proba([]).shape == (0, 3)
    with pytest.raises(ValueError, match="'D' was not rated"):
        got.predict_proba([("A", "D")])
    with pytest.raises(CompetitionError, match="no games to predict"):
        got.log_loss([])


def test_intervals_are_wider_by_their_level():
    got = rate(SEASON, prior=0.5)
    half = np.diff(got.interval(), axis=1)[:, 0] / 2
    np.testing.assert_allclose(half, 1.959964 * got.standard_error, rtol=1e-6)
    np.testing.assert_allclose(got.interval(0.5).mean(axis=1), got.elo)
    with pytest.raises(ValueError, match=r"level must be between 0 and 1, such as 0.95, got 1"):
        got.interval(1.0)


@pytest.mark.parametrize("n_steps", [0, 2])
def test_an_interrupt_keeps_the_last_step(season, n_steps, monkeypatch, tmp_path):
    slopes_at, n = newton.slopes_at, 0

    def interrupted(*arguments):
        nonlocal n
        n += 1
        if n == n_steps + 2:  # the first is the start
            signal.raise_signal(signal.SIGINT)
        return slopes_at(*arguments)

    monkeypatch.setattr(newton, "slopes_at", interrupted)
    with pytest.raises(KeyboardInterrupt) as stop:
        rate(season, prior=1.0)
    assert isinstance(stop.value, Interrupted) == (n_steps > 0)
    if n_steps:
        got = stop.value.result
        assert "stopped after 2 steps of Newton's method" in str(stop.value)
        assert repr(got).endswith(", not converged)")
        wanted = rate(season, prior=1.0)
        assert wanted.converged
        assert 0 < np.abs(got.elo - wanted.elo).max() < 20
        got.save(tmp_path / "r.npz")
        assert not Rating.load(tmp_path / "r.npz").converged
