"""Ratings of teams, with weights, of many players: against a direct likelihood and the matrix."""

import numpy as np
import pytest

from gameai_lib.btmm import NoMaximumError, Rating, rate
from gameai_lib.btmm.model.elo import ELO_PER_NAT
from gameai_lib.btmm.model.players import newton
from gameai_lib.btmm.model.players.ties import TIES
from tests.btmm.test_rating import chances, hessian

PLAYERS = ("ann", "bob", "cy", "dee", "eve")


def games_of(sizes, n=80, seed=0):
    """Games of random teams: one size for both sides, or one for each."""
    rng, games = np.random.default_rng(seed), []
    for _ in range(n):
        size = sizes[rng.integers(len(sizes))]
        first, second = size if isinstance(size, tuple) else (size, size)
        drawn = rng.permutation(len(PLAYERS))[: first + second]
        d = 0.3 * (drawn[:first].sum() - drawn[first:].sum()) + 0.4
        p = np.exp([d / 2, -0.3, -d / 2])
        result = (1, 0.5, 0)[rng.choice(3, p=p / p.sum())]
        names = [PLAYERS[i] for i in drawn]
        games.append((tuple(names[:first]), tuple(names[first:]), result))
    return games


def minus_objective(x, games, weight, ties, home, prior):
    """Minus the weighted ln L, plus the virtual games, term by term as the papers print them."""
    n = len(PLAYERS)
    gamma, advantage = dict(zip(PLAYERS, np.exp(x[:n]), strict=True)), np.exp(x[n] * home)
    total = 0.0
    for (first, second, result), w in zip(games, weight, strict=True):
        one, other = (np.prod([gamma[name] for name in side]) for side in (first, second))
        p = chances(ties, advantage * one, other, np.exp(x[-1]))
        total += w * np.log(p[{1: 0, 0.5: 1, 0: 2}[result]])
    for y in x[: n + home]:
        total += prior * np.log(np.exp(y) / (1 + np.exp(y)) ** 2)
    return -total


CASES = [
    ((2,), "davidson", True, 0.0),
    ((2,), "rao-kupper", True, 0.7),
    ((1, (1, 2), (3, 1)), "davidson", True, 0.0),
    ((1, (1, 2), (3, 1)), "rao-kupper", False, 0.0),
    (((2, 1), 2), "davidson", False, 0.7),
]


@pytest.mark.parametrize(("sizes", "ties", "home", "prior"), CASES)
def test_teams_and_weights_against_a_general_optimiser(sizes, ties, home, prior):
    from scipy.optimize import minimize

    games = games_of(sizes)
    weight = np.random.default_rng(1).choice([0.0, 0.5, 1.0, 2.25], len(games))
    got = rate(games, weight=weight, ties=ties, home_advantage=home, prior=prior)
    arguments = games, weight, ties, home, prior
    n, even = len(PLAYERS), sizes == (2,)
    limits = [(-9, 9)] * (n + home) + [(1e-3 if ties == "rao-kupper" else -9, 9)]
    x = np.append(np.zeros(n + home), 0.3)
    options = {"ftol": 1e-15, "gtol": 1e-9}
    x = minimize(minus_objective, x, arguments, "L-BFGS-B", bounds=limits, options=options).x
    order = [got.names.index(name) for name in PLAYERS]
    centre = np.eye(x.size)
    centre[:n, :n] -= even / n
    found = np.concatenate([got.log_gamma[order], [got.log_home] * home, [np.log(got.tie)]])
    np.testing.assert_allclose(found, centre @ x, atol=2e-4)
    matrix = hessian(lambda y: minus_objective(y, *arguments), x)
    inverse = centre @ np.linalg.pinv(matrix, rcond=1e-6, hermitian=True) @ centre
    kept = [*order] + [n] * home + [n + 1]
    np.testing.assert_allclose(got.covariance[np.ix_(kept, kept)], inverse, atol=3e-5)
    # A contrast of two teams: the variance of the sum of its members.
    pair, other = ("ann", "dee"), ("cy", "eve")
    contrast = np.zeros(x.size)
    contrast[[0, 3]], contrast[[2, 4]] = 1, -1
    told = got.difference(pair, other)
    assert told.elo == pytest.approx(ELO_PER_NAT * contrast @ x, abs=0.1)
    assert told.error == pytest.approx(ELO_PER_NAT * np.sqrt(contrast @ inverse @ contrast), 1e-4)
    gamma = np.exp(x[:n])
    expected = chances(
        ties, np.exp(x[n] * home) * gamma[0] * gamma[3], gamma[2] * gamma[4], np.exp(x[-1])
    )
    assert got.probabilities(pair, other) == pytest.approx(expected, abs=1e-4)


def test_two_teams_by_hand():
    # One member of each side changes: the pair is 3 : 1, alone each is known by the prior only.
    games = [(("ann", "bob"), ("cy", "dee"), 1)] * 3 + [(("dee", "cy"), ("bob", "ann"), 1)]
    got = rate(games, prior=1e-6)
    assert got.difference(("ann", "bob"), ("dee", "cy")).elo == pytest.approx(400 * np.log10(3))
    assert got.difference("ann", "bob").elo == pytest.approx(0, abs=1e-6)
    assert got.difference("ann", "cy").elo == pytest.approx(200 * np.log10(3))
    assert got.scores.tolist() == [[3, 0, 1], [3, 0, 1], [1, 0, 3], [1, 0, 3]]
    assert got.n_games == 4
    with pytest.raises(ValueError, match="sides of equal size, which say nothing of 'ann' against"):
        got.probabilities("ann", ("cy", "dee"))
    with pytest.raises(NoMaximumError, match="leave open what each of them adds"):
        rate(games)


def test_somebody_unknown_is_of_zero_elo():
    games = [(("ann", "bob"), ("cy", "dee"), 1)] * 3 + [(("dee", "cy"), ("bob", "ann"), 0.5)]
    got = rate(games, prior=1.0)
    chances = got.predict_proba([(("ann", None), ("cy", "dee")), (None, "ann"), ("ann", "bob")])
    theta = dict(zip(got.names, got.log_gamma, strict=True))
    apart = theta["ann"] - 2 * theta["cy"], -theta["ann"], 0.0
    for (win, _, loss), d in zip(chances, apart, strict=True):
        assert win / loss == pytest.approx(np.exp(d))  # Davidson: wins for each loss
    assert got.difference("ann", None).elo == pytest.approx(400 / np.log(10) * theta["ann"])


def test_who_meets_himself_or_is_no_match_is_refused_in_predictions():
    got = rate([("Ann", "Bob", 1), ("Bob", "Ann", 1), ("Ann", "Bob", 0.5)])
    for match, message in {
        ("Ann", "Ann"): "meets himself in",
        (("Ann", "Ann"), ("Bob", "Bob")): "twice in",
        "AB": "a match is",
        ("Ann", "Bob", "junk", 3): "a match is",
    }.items():
        with pytest.raises(ValueError, match=message):
            got.predict_proba([match])
    with pytest.raises(ValueError, match="game 1 must be"):
        rate(["AB1"])
    with pytest.raises(ValueError, match="unknown is 0, but names are such as 'Ann'"):
        rate([("Ann", "Bob", 1)], unknown=0)
    with pytest.raises(ValueError, match="gives its games once"):
        rate(iter([]))


def test_the_table_leaves_out_who_played_too_little():
    games = [("Ann", "Bob", 1), ("Bob", "Ann", 1), ("Cy", "Ann", 1), ("Ann", "Cy", 0.5)]
    got = rate([*games, *games[:2]], prior=1.0)
    lines = got.table(min_games=3).splitlines()
    assert {line.split()[0] for line in lines[1:]} == {"Ann", "Bob"}
    assert got.table(1, min_games=3).splitlines() == lines[:2]
    low, high = got.difference("Ann", "Bob").interval(0.5)
    d = got.difference("Ann", "Bob")
    assert (high - low) / 2 == pytest.approx(0.67449 * d.error, rel=1e-4)
    assert (high + low) / 2 == pytest.approx(d.elo)


def test_a_weight_is_so_many_copies():
    games, weight = games_of((1,), 40), np.random.default_rng(2).integers(0, 4, 40)
    weight[:3] = 1  # so that the names come in one order
    copies = [game for game, w in zip(games, weight, strict=True) for _ in range(w)]
    one, other = rate(games, weight=weight, prior=0.5), rate(copies, prior=0.5)
    assert one.names == other.names
    np.testing.assert_allclose(one.log_gamma, other.log_gamma, atol=1e-12)
    np.testing.assert_allclose(one.covariance, other.covariance, atol=1e-12)
    np.testing.assert_array_equal(one.scores, other.scores)
    assert one.n_games == other.n_games == weight.sum()
    assert one.table() == other.table()


def test_games_of_a_name_for_nobody_are_left_out():
    games = [(0, 0, 1), (3, 0, 1), (3, 5, 1), (5, 3, 0.5), (5, 3, 1)]
    got, wanted = rate(games, unknown=0), rate(games[2:])
    assert got.names == (3, 5)
    np.testing.assert_array_equal(got.log_gamma, wanted.log_gamma)


@pytest.mark.parametrize("home", [False, True])
@pytest.mark.parametrize(
    ("sizes", "prior"), [((1,), 0.0), ((1,), 0.7), ((2,), 0.0), ((1, (1, 2)), 0)]
)
def test_of_many_players_conjugate_gradients_give_what_the_matrix_gives(
    sizes, home, prior, monkeypatch
):
    games, options = games_of(sizes), {"home_advantage": home, "prior": prior}
    wanted = rate(games, **options)
    first, second = wanted.names[:2]
    differences = wanted.difference(first, second), wanted.home_advantage
    errors = wanted.standard_error
    monkeypatch.setattr(newton, "DENSE", 3)
    got = rate(games, **options)
    np.testing.assert_allclose(got.log_gamma, wanted.log_gamma, atol=1e-8)
    assert got.tie == pytest.approx(wanted.tie)
    np.testing.assert_allclose(got.standard_error, errors, rtol=1e-6)
    found = got.difference(first, second), got.home_advantage
    np.testing.assert_allclose(found, differences, rtol=1e-6, atol=1e-6)
    assert got.table(top=2) == wanted.table(top=2)
    with pytest.raises(ValueError, match=r"5 players, more than .*, have no matrix"):
        got.differences()


def test_rating_comes_back_from_its_file(tmp_path):
    games = games_of((2,))
    got = rate(games, weight=np.full(80, 0.5), home_advantage=True)
    got.save(tmp_path / "r.npz")
    again = Rating.load(tmp_path / "r.npz")
    assert [p.name for p in tmp_path.iterdir()] == ["r.npz"]
    assert again.names == got.names
    assert again.table() == got.table()
    assert again.home_advantage == got.home_advantage
    np.testing.assert_array_equal(again.covariance, got.covariance)
    assert again.log_loss(games) == got.log_loss(games) == pytest.approx(-got.log_likelihood / 40)
    numbers = rate([(3, 7, 1), (7, 3, 0.5), (7, 3, 1)])
    numbers.save(tmp_path / "r.npz")
    assert Rating.load(tmp_path / "r.npz").names == (3, 7)
    (tmp_path / "other.npz").write_bytes(b"no rating")
    with pytest.raises(ValueError, match=r"other.npz does not hold a rating, or is damaged"):
        Rating.load(tmp_path / "other.npz")
    with pytest.raises(FileNotFoundError):
        Rating.load(tmp_path / "none.npz")
    with np.load(tmp_path / "r.npz") as stored:
        values = dict(stored)
    for name, odd in {"names": '["A"]', "members": [[9, 9]], "n": "2", "beta": [0.0]}.items():
        np.savez(tmp_path / "odd.npz", **values | {name: np.array(odd)})
        with pytest.raises(ValueError, match=r"odd.npz does not hold a rating, or is damaged"):
            Rating.load(tmp_path / "odd.npz")


def test_a_notebook_shows_a_table():
    got = rate(games_of((1,)), prior=1)
    shown = got._repr_html_()
    assert shown.count("<tr>") == 1 + len(got.names)
    assert "5 players, 80 games" in shown
    assert repr(got).startswith("Rating(5 players, 80 games; first eve, ")


def direction_exists(games, home):
    """Does any direction favour all results, or none of them know it? By linear programming."""
    from scipy.optimize import linprog

    names = sorted({name for game in games for side in game[:2] for name in side})
    tied = any(result == 0.5 for _, _, result in games)
    n = len(names) + home + tied
    rows, even = [], all(len(first) == len(second) for first, second, _ in games)
    for first, second, result in games:
        d, t = np.zeros(n), np.zeros(n)
        d[[names.index(name) for name in first]] = 0.5
        d[[names.index(name) for name in second]] = -0.5
        d[len(names) : len(names) + home] = 0.5
        t[n - tied :] = 1
        kinds = {1: d, 0: -d} | ({0.5: t} if tied else {})
        rows += [kinds[result] - kinds[other] for other in kinds if other != result]
    rows = np.array(rows)
    if np.linalg.matrix_rank(rows) < n - even:
        return True
    found = linprog(-rows.sum(axis=0), A_ub=-rows, b_ub=np.zeros(len(rows)), bounds=[(-1, 1)] * n)
    return -found.fun > 1e-7


def test_a_maximum_of_teams_is_found_if_and_only_if_there_is_one():
    rng, n_without = np.random.default_rng(5), 0
    for seed in range(80):
        sizes = [(2,), (1, 2), (1, (1, 2)), ((2, 2), (2, 3))][seed % 4]
        games, home = games_of(sizes, int(rng.integers(6, 24)), seed), bool(rng.integers(2))
        if direction_exists(games, home):
            n_without += 1
            with pytest.raises(NoMaximumError):
                rate(games, home_advantage=home)
        else:
            for ties in TIES:
                assert np.isfinite(rate(games, ties=ties, home_advantage=home).standard_error).all()
    assert 15 < n_without < 65
