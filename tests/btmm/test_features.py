"""Features, anchors and errors that trust no model: against statsmodels, by hand, in two ways."""

import numpy as np
import pytest

from gameai_lib.btmm import CompetitionError, NoMaximumError, rate
from gameai_lib.btmm.model.elo import ELO_PER_NAT
from gameai_lib.btmm.model.players import newton
from tests.btmm.direct import games_of


def votes(n=400):
    """Pairs of six models, how much longer and more coloured the first answer is, who won."""
    rng = np.random.default_rng(51)
    pairs = np.array([rng.permutation(6)[:2] for _ in range(n)])
    length = rng.normal(0, 300, n).round()
    colour = rng.integers(-1, 2, n)
    d = 0.4 * (pairs[:, 0] - pairs[:, 1]) + 0.002 * length + 0.5 * colour + 0.2
    won = (rng.random(n) < 1 / (1 + np.exp(-d))).astype(int)
    return [(*pair, result) for pair, result in zip(pairs, won, strict=True)], length, colour


# statsmodels 0.15.0 and scikit-learn 1.9.1 say so; g = numpy.arange(400):
#   x = numpy.zeros((400, 6)); x[g, pairs[:, 0]] = 1; x[g, pairs[:, 1]] = -1
#   x = numpy.column_stack([x[:, 1:], length, colour, numpy.ones(400)])  # model 0 is at 0
#   fit = statsmodels.api.Logit(won, x).fit(cov_type="nonrobust" or "HC0", tol=1e-14)
#   173.717793 * fit.params, 173.717793 * fit.bse
#   LogisticRegression(C=numpy.inf, fit_intercept=False, tol=1e-12).fit(x, won).coef_
ELO = [61.1404, 105.0299, 201.7089, 206.7471, 286.4875, 0.2101, 101.7421, 49.8495]
HESSIAN = [41.9859, 44.2407, 44.3574, 45.1899, 44.3829, 0.0679, 25.119, 19.6727]
SANDWICH = [42.1059, 43.8746, 44.4042, 44.6821, 44.8976, 0.068, 25.0129, 20.1097]


@pytest.fixture(scope="module")
def arena():
    games, length, colour = votes()
    return rate(games, features={"length": length, "colour": colour, "home advantage": [1] * 400})


def test_a_conditional_logit_is_that_of_statsmodels(arena):
    for rating, errors in ((arena, HESSIAN), (arena.robust(), SANDWICH)):
        found = [rating.difference(i, 0) for i in range(1, 6)] + [*rating.features.values()]
        np.testing.assert_allclose(found, np.stack([ELO, errors], axis=1), atol=1e-4)
    games, length, colour = votes()
    same = rate(games, features={"length": length, "colour": colour}, home_advantage=True)
    assert same.home_advantage == pytest.approx(arena.features["home advantage"])


def test_a_bootstrap_is_as_wide_as_the_errors(arena):
    found = arena.bootstrap(200, 0).std(axis=0)
    errors = [*arena.standard_error, *(told.error for told in arena.features.values())]
    np.testing.assert_allclose(found, errors, rtol=0.2)


def test_the_unit_of_a_feature_changes_nothing_else():
    games, length, _ = votes()
    metres, inches = (rate(games, features={"size": k * length}, prior=2.0) for k in (1, 39.37))
    np.testing.assert_allclose(inches.elo, metres.elo, atol=1e-6)
    wanted = np.array(metres.features["size"]) / 39.37
    np.testing.assert_allclose(inches.features["size"], wanted, rtol=1e-8)


class Columns(dict):
    """Columns by name that are neither true nor false, as those of a data frame."""

    def __bool__(self):
        raise ValueError("ambiguous")


def test_chances_of_what_has_features(arena):
    strength = arena.difference(3, 0).elo + 100 * ELO[5] - ELO[6]
    asked = Columns(length=[100], colour=[-1])
    for neutral, home in ((True, 0), (False, ELO[7])):
        [(win, draw, _)] = arena.predict_proba([(3, 0)], features=asked, neutral=neutral)
        assert win == pytest.approx(1 / (1 + 10 ** (-(strength + home) / 400)), abs=1e-4)
        assert draw == 0
        loss = arena.log_loss([(3, 0, 1)], features=asked, neutral=neutral)
        assert loss == pytest.approx(-np.log(win))
    assert arena.log_loss([(3, 0, 1)], features={"home advantage": [0]}) == pytest.approx(
        arena.log_loss([(3, 0, 1)], neutral=True)
    )
    with pytest.raises(ValueError, match=r"feature 'words' was not rated, only \['length'"):
        arena.predict_proba([(3, 0)], features={"words": [1]})


def test_anchors_by_hand():
    # Three wins of four: 400 log10 3 above; binomial, 1 / (4 * 3/4 * 1/4).
    games = [("A", "B", 1)] * 3 + [("B", "A", 1)] + [("B", "C", 1), ("C", "B", 1)]
    got = rate(games, anchors={"B": 1500})
    assert got.elo == pytest.approx([1500 + 400 * np.log10(3), 1500, 1500])
    assert got.standard_error == pytest.approx(ELO_PER_NAT * np.array([np.sqrt(4 / 3), 0, 2**0.5]))
    assert got.difference("A", "C").error == pytest.approx(ELO_PER_NAT * np.sqrt(4 / 3 + 2))
    # A prior's virtual games are against one of the anchors' mean Elo: 4 wins of 6.
    got = rate(games[:4], prior=1.0, anchors={"B": 1500})
    assert got.elo == pytest.approx([1500 + 400 * np.log10(2), 1500])
    # Anchors connect those who never met; of two that only lost, nothing is asked.
    got = rate([("A", "B", 1), ("A", "C", 0), ("A", "D", 1)], anchors=dict.fromkeys("BCD", 0.0))
    assert got.elo == pytest.approx([400 * np.log10(2), 0, 0, 0])


@pytest.mark.parametrize("home", [False, True])
@pytest.mark.parametrize("prior", [0.0, 0.7])
@pytest.mark.parametrize("sizes", [(1,), (2,), (1, (1, 2))])
def test_of_many_players_conjugate_gradients_give_what_the_matrix_gives(
    sizes, prior, home, monkeypatch
):
    games = games_of(sizes)
    free = rate(games, home_advantage=home)
    anchors = dict(zip(free.names[:2], free.elo[:2].tolist(), strict=True))

    def found(anchors):
        got, values = rate(games, home_advantage=home, anchors=anchors, prior=prior), []
        for one in (got, got.robust()):
            values += [*one.elo, *one.standard_error, *one.home_advantage, one.tie]
            values += one.difference(*one.names[2:4])
        return got, values

    (_, wanted), (got, with_anchors) = found({}), found(anchors)
    if prior == 0:  # who is held where the maximum is changes nothing
        np.testing.assert_allclose(got.elo, free.elo, atol=1e-6)
        assert got.home_advantage.elo == pytest.approx(free.home_advantage.elo)
    assert not got.robust().standard_error[:2].any()
    assert got.bootstrap(2, 0)[:, :2].tolist() == [[*anchors.values()]] * 2
    monkeypatch.setattr(newton, "DENSE", 3)
    got, values = found({})
    np.testing.assert_allclose(values, wanted, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(found(anchors)[1], with_anchors, rtol=1e-5, atol=1e-5)
    with pytest.raises(ValueError, match=r"5 players, more than .*, have no matrix"):
        got.covariance  # noqa: B018


BOTH = [("A", "B", 1), ("B", "A", 1)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"features": [1, 2]}, r"features must have a column for each name, got \[1, 2\]"),
        ({"features": {3: [1, 2]}}, "the name of a feature is a text, got 3"),
        ({"features": {"x": [1, np.nan]}}, "feature 'x' must be finite, got nan"),
        ({"features": {"x": [1]}}, "2 games need as many numbers of feature 'x', got 1"),
        ({"features": {"x": [0, 0]}}, "feature 'x' is 0 in all games: leave it out"),
        ({"anchors": {"C": 0}}, "anchor 'C' plays in no game"),
        ({"anchors": {"A": "1500"}}, "anchor 'A' must be a number, got '1500'"),
        ({"anchors": ["A"]}, r"anchors must be of type Mapping, got \['A'\]"),
    ],
)
def test_bad_features_and_anchors_are_named(options, message):
    with pytest.raises((ValueError, TypeError, CompetitionError), match=message):
        rate(BOTH, **options)


def test_a_feature_that_others_explain_is_named():
    games, length, colour = votes()
    strong = [first - second for first, second, _ in games]
    for features, named in (
        ({"length": length, "strong": strong}, r"\['strong'\]"),
        ({"length": length, "in feet": 3 * length, "colour": colour}, r"\['length', 'in feet'\]"),
    ):
        with pytest.raises(NoMaximumError, match=f"explain all that {named} would"):
            rate(games, features=features)
        assert np.isfinite(rate(games, features=features, prior=1.0).elo).all()
    sure = np.array([2 * result - 1 for *_, result in games])
    with pytest.raises(NoMaximumError, match="strengths and sure can grow together"):
        rate(games, features={"sure": sure})
