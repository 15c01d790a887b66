"""Ratings by name: by hand, against a general optimiser, against a numerical Hessian."""

import pickle

import numpy as np
import pytest

from gameai_lib.btmm import CompetitionError, NoMaximumError, rate
from gameai_lib.btmm.model.elo import ELO_PER_NAT
from gameai_lib.btmm.model.players.games import HOME
from gameai_lib.btmm.model.players.ties import TIES
from gameai_lib.btmm.records.football import Match
from gameai_lib.btmm.records.games import Game
from tests.btmm import direct
from tests.btmm.direct import PLAYERS, games_of

SCORES = ("A", "B", 2, 0), ("B", "C", 1, 1), ("C", "A", 3, 1), ("A", "C", 1, 0)
SEASON = [Match(*score) for score in SCORES]


CASES = [
    ((1,), "davidson", [HOME, "words"], 0.7),
    ((1,), "rao-kupper", [], 0.0),
    ((2,), "davidson", [HOME], 0.0),
    ((2,), "rao-kupper", ["words", HOME], 0.7),
    ((1, (1, 2), (3, 1)), "davidson", ["words", HOME], 0.0),
    (((2, 1), 2), "davidson", [], 0.7),
]


def columns_of(names, n):
    """Features of n games: 1 at home, some numbers of words."""
    words = 50 * np.random.default_rng(3).integers(-2, 3, n) + 10
    return {name: np.ones(n) if name == HOME else words for name in names}


@pytest.mark.parametrize(("sizes", "ties", "features", "prior"), CASES)
def test_against_a_general_optimiser_and_numerical_derivatives(sizes, ties, features, prior):
    games = games_of(sizes, 40)
    features = columns_of(features, 40)
    weight = np.random.default_rng(1).choice([0.0, 0.5, 1.0, 2.25], len(games))
    got = rate(games, weight=weight, ties=ties, features=features, prior=prior)
    # The optimiser sees tens of words.
    columns = np.array(
        [column / (50 if name == "words" else 1) for name, column in features.items()]
    )
    arguments = PLAYERS, games, weight, ties, columns.reshape(-1, 40).T, prior
    n, even, x = len(PLAYERS), sizes in ((1,), (2,)), direct.best(*arguments)
    order = [got.names.index(name) for name in PLAYERS]
    centre = np.eye(x.size)
    centre[:n, :n] -= even / n
    unit = np.array([1] * n + [50 if name == "words" else 1 for name in features] + [1])
    slopes = [told.elo / ELO_PER_NAT for told in got.features.values()]
    found = np.concatenate([got.log_gamma[order], slopes, [np.log(got.tie)]]) * unit
    np.testing.assert_allclose(found, centre @ x, atol=2e-4)
    # What is found is better than what the optimiser finds; the prior knows where 0 is.
    shift = even * x[:n].mean() * (np.arange(x.size) < n)
    least = direct.minus_objective(x, *arguments)
    assert direct.minus_objective(found + shift, *arguments) <= least + 1e-8
    matrix = direct.hessian(lambda y: direct.minus_objective(y, *arguments), x)
    inverse = centre @ np.linalg.pinv(matrix, rcond=1e-6, hermitian=True) @ centre
    kept = [*order, *range(n, x.size)]
    covariance = got.covariance[np.ix_(kept, kept)] * np.outer(unit, unit)
    np.testing.assert_allclose(covariance, inverse, atol=3e-5)
    # Huber and White's errors: the slopes of single games.
    spread = np.zeros(inverse.shape)
    for g, w in enumerate(weight):
        one = PLAYERS, games[g : g + 1], [1.0], ties, arguments[4][g : g + 1], 0.0
        slope = direct.slopes(lambda y, one=one: direct.minus_objective(y, *one), x)
        spread += w * np.outer(slope, slope)
    robust = got.robust().covariance[np.ix_(kept, kept)] * np.outer(unit, unit)
    np.testing.assert_allclose(robust, inverse @ spread @ inverse, atol=1e-4)
    # A contrast of two sides: the variance of the sum of its members.
    sides = (("ann", "dee"), ("cy", "eve")) if sizes != (1,) else (("ann",), ("cy",))
    contrast = np.zeros(x.size)
    for side, sign in zip(sides, (1, -1), strict=True):
        contrast[[PLAYERS.index(name) for name in side]] = sign
    told = got.difference(*sides)
    assert told.elo == pytest.approx(ELO_PER_NAT * contrast @ x, abs=0.1)
    assert told.error == pytest.approx(ELO_PER_NAT * np.sqrt(contrast @ inverse @ contrast), 1e-4)
    one, other = (np.exp(x[contrast == sign].sum()) for sign in (1, -1))
    factor = np.exp(columns[:, :1].T @ x[n:-1]) if features else [1.0]
    expected = direct.chances(ties, factor[0] * one, other, np.exp(x[-1]))
    first = {name: column[:1] for name, column in features.items()}
    assert got.predict_proba([sides], features=first)[0] == pytest.approx(expected, abs=1e-4)


def test_two_players_by_hand():
    # 5 wins, 4 draws, 1 loss: the models fit the three shares exactly.
    games = [("A", "B", 1)] * 5 + [("B", "A", 0.5)] * 4 + [("A", "B", 0)]
    # Davidson: gamma_A / gamma_B = 5, nu = 4 / sqrt(5). Rao and Kupper: odds of a win
    # 1 = r / kappa, of a loss 1 / 9 = 1 / (r kappa).
    for ties, ratio, tie in (("rao-kupper", 3, 3), ("davidson", 5, 4 / np.sqrt(5))):
        got = rate(games, ties=ties)
        assert got.difference("A", "B").elo == pytest.approx(400 * np.log10(ratio))
        assert got.tie == pytest.approx(tie)
        assert got.probabilities("A", "B") == pytest.approx((0.5, 0.4, 0.1))
        assert got.probabilities("B", "A") == pytest.approx((0.1, 0.4, 0.5))
        assert got.scores.tolist() == [[5, 4, 1], [1, 4, 5]]
    # ln(5 / 1) of a multinomial: variance 1 / 5 + 1; each player has half of it.
    elo, error = 400 * np.log10(5), ELO_PER_NAT * np.sqrt(1.2)
    assert got.difference("A", "B") == pytest.approx((elo, error))
    assert got.players[1] == pytest.approx(("B", -elo / 2, error / 2, 10))


def test_home_advantage_by_hand():
    # Equal players, who win at home 3 times of 4.
    games = [("A", "B", r) for r in (1, 1, 1, 0)] + [("B", "A", r) for r in (1, 1, 1, 0)]
    for ties in TIES:
        got = rate(games, ties=ties, home_advantage=True)
        # Binomial of 8: 1 / (8 * 3/4 * 1/4).
        expected = 400 * np.log10(3), ELO_PER_NAT * np.sqrt(8 / 12)
        assert got.home_advantage == pytest.approx(expected)
        assert got.probabilities("A", "B") == pytest.approx((0.75, 0, 0.25))
        assert got.probabilities("A", "B", neutral=True) == pytest.approx((0.5, 0, 0.5))
        assert got.difference("A", "B").elo == pytest.approx(0, abs=1e-9)
        assert got.tie == (ties == "rao-kupper")  # of no draw


def test_a_maximum_is_found_if_and_only_if_there_is_one():
    rng, n_without = np.random.default_rng(5), 0
    for seed in range(60):
        sizes = [(1,), (2,), (1, 2), (1, (1, 2)), ((2, 2), (2, 3))][seed % 5]
        games = games_of(sizes, int(rng.integers(6, 24)), seed)
        features = columns_of(([], [HOME], ["words"])[rng.integers(3)], len(games))
        options = {"ties": [*TIES][seed % 2], "features": features}
        columns = np.array([*features.values()]).reshape(-1, len(games)).T
        if direct.direction_exists(games, columns):
            n_without += 1
            with pytest.raises(NoMaximumError):
                rate(games, **options)
        else:
            assert np.isfinite(rate(games, **options).standard_error).all()
        if any(result != 0.5 for _, _, result in games):
            assert np.isfinite(rate(games, features=features, prior=0.5).elo).all()
    assert 12 < n_without < 48


EVEN = [("A", "B", 1), ("B", "A", 1)]
PAIRS = [(("A", "B"), ("C", "D"), 1)] * 3 + [(("D", "C"), ("B", "A"), 1)]


@pytest.mark.parametrize(
    ("games", "options", "message"),
    [
        ([("A", "B", 1), ("B", "C", 1), ("C", "B", 1)], {}, r"\['A'\] never lost a point to"),
        ([("A", "B", 1), ("A", "C", 1), ("C", "A", 0.5)], {}, r"\['B'\] never won a point from"),
        ([*EVEN, ("C", "D", 0.5)], {}, r"never compare \['A', 'B'\] with \['C', 'D'\]"),
        ([("A", "B", 0.5)], {"prior": 1.0}, "every game was drawn"),
        ([("A", "B", 1), ("A", "B", 0)], {"home_advantage": True}, r"all that \['home adv.*would"),
        (EVEN, {"home_advantage": True}, "strengths and home advantage"),
        (PAIRS, {}, "leave open what each of them adds"),
        ([("A", "B", 1), ("A", "B", 0.5)], {}, "strengths and draws can grow together"),
        ([*[("A", "B", 1)] * 2, ("B", "A", 0.5)], {}, "strengths and draws can grow together"),
        ([(i, i + 1, 1) for i in range(2001)], {}, r"\[0\] never lost a point"),
    ],
)
def test_who_keeps_a_maximum_from_existing_is_named(games, options, message):
    for ties in TIES:
        with pytest.raises(NoMaximumError, match=message):
            rate(games, ties=ties, **options)


@pytest.mark.parametrize(
    ("results", "options", "message"),
    [
        ([], {}, "no games"),
        (iter([]), {}, "gives its games once"),
        (["AB1"], {}, r"game 1 must be \(name, name, result\), got 'AB1'"),
        ([("A", "B", 1), 7], {}, r"game 2 must be \(name, name, result\), got 7"),
        ([({"A": 1}, "B", 1)], {}, "got {'A': 1}; a side of several is a tuple of names"),
        ([("A", "A", 1)], {}, "game 1: 'A' stands twice in .*; leave it out"),
        ([((), "B", 1)], {}, r"a name is a text or a whole number, got \(\)"),
        ([("A", "B", 1)], {"prior": 1e-17}, "prior must be 0 or at least 1e-06"),
        ([("A", "B", 1)], {"weight": [1, 2]}, "1 games need as many weights, got 2"),
        ([("A", "B", 1)], {"weight": [-1]}, "from 0 to 1e.12, got -1.0 of game 1"),
        ([("A", "B", 1)], {"weight": [0]}, "no games"),
        ([("A", "B", "*")], {}, r"game 1: '\*' is a game without an end; leave it out"),
        ([("A", "B", "2-0")], {}, r"game 1: a result is .* '½-½' and '0-1', got '2-0'"),
    ],
)
def test_bad_results_are_named(results, options, message):
    with pytest.raises((ValueError, TypeError, CompetitionError), match=message):
        rate(results, **options)


def test_numbers_are_names():
    numbers = rate(np.array([[3, 7, 1], [7, 3, 0.5], [7, 3, 1]]))
    assert numbers.names == (3, 7)
    assert numbers.difference(np.int64(7), 3).elo == -numbers.difference(3, 7).elo
    assert numbers.predict_proba([]).shape == (0, 3)


@pytest.mark.parametrize(
    ("match", "message"),
    [
        (("A", "D"), "'D' was not rated"),
        (("A", True), "True was not rated"),
        (("A", "A"), "meets himself in"),
        ((("A", "A"), ("B", "B")), "twice in"),
        (("A", ("B", "C")), "sides of equal size, which say nothing of 'A' against"),
        (("A", "B", "junk", 3), "a match is"),
    ],
)
def test_bad_matches_are_named(match, message):
    with pytest.raises(ValueError, match=message):
        rate(SEASON, prior=0.5).predict_proba([match])


def test_somebody_unknown_is_of_zero_elo():
    games = [(("ann", "bob"), ("cy", "dee"), 1)] * 3 + [(("dee", "cy"), ("bob", "ann"), 0.5)]
    got = rate(games, prior=1.0)
    chances = got.predict_proba([(("ann", None), ("cy", "dee")), (None, "ann"), ("ann", "bob")])
    theta = dict(zip(got.names, got.log_gamma, strict=True))
    apart = theta["ann"] - 2 * theta["cy"], -theta["ann"], 0.0
    for (win, _, loss), d in zip(chances, apart, strict=True):
        assert win / loss == pytest.approx(np.exp(d))  # Davidson: wins for each loss
    assert got.difference("ann", None).elo == pytest.approx(400 / np.log(10) * theta["ann"])


def test_games_of_the_readers_and_arrays_of_texts_are_rated_as_they_are():
    triples = [(m.home, m.away, m.result) for m in SEASON]
    games = [Game(i, None, m.home, m.away, m.result) for i, m in enumerate(SEASON)]
    wanted = rate(triples, prior=0.5, home_advantage=True)
    for results in (SEASON, games, np.array(triples), iter(SEASON)):
        got = rate(results, prior=0.5, home_advantage=True)
        assert got.names == wanted.names
        np.testing.assert_array_equal(got.log_gamma, wanted.log_gamma)
    assert repr(got) == "Rating(3 players, 4 games; first C, 82 Elo, s.e. 173)"
    assert got._repr_html_() == f"<pre>{got.table()}</pre>"


def test_a_table_leaves_out_who_has_few_games():
    got = rate(SEASON, prior=0.5)
    named = [line.split()[0] for line in got.table(min_games=3).splitlines()[1:]]
    assert named == [player.name for player in got.players if player.n_games >= 3] == ["A", "C"]
    assert len(got.table(1, min_games=3).splitlines()) == 2


def test_intervals_are_as_wide_as_their_level():
    got = rate(SEASON, prior=0.5)
    np.testing.assert_allclose(np.diff(got.interval())[:, 0], 3.919928 * got.standard_error)
    np.testing.assert_allclose(got.interval(0.5).mean(axis=1), got.elo)
    with pytest.raises(ValueError, match=r"level must be between 0 and 1, such as 0.95, got 1"):
        got.interval(1.0)


def test_the_log_loss_is_minus_the_mean_of_what_is_maximised():
    games = [(m.home, m.away, m.result) for m in SEASON]
    rating = rate(games, prior=0.5)
    found = [*rating.log_gamma, np.log(rating.tie)]
    weight = np.full(len(games), 1 / len(games))
    none = np.empty((len(games), 0))
    mean = direct.minus_objective(found, rating.names, games, weight, "davidson", none, 0.0)
    assert rating.log_loss(games) == pytest.approx(mean)
    with pytest.raises(CompetitionError, match="no games to predict"):
        rating.log_loss([])


def test_a_pickled_rating_is_the_same_and_cannot_be_changed():
    got = rate(games_of((2,)), weight=np.full(80, 0.5), home_advantage=True)
    table = got.table()
    again = pickle.loads(pickle.dumps(got))
    assert again.table() == table
    np.testing.assert_array_equal(again.bootstrap(2, 9), got.bootstrap(2, 9))
    for values in (again.beta, again.games.members, again.curvature.dd, again.log_gamma):
        with pytest.raises(ValueError, match="read-only"):
            values[0] = 1
