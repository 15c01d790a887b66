"""Games as people have them: names, weights, data frames, results in words."""

import numpy as np
import pytest

from gameai_lib.btmm import CompetitionError, NoMaximumError, rate
from gameai_lib.btmm.model.elo import ELO_PER_NAT

ROUND = [("A", "B", 1), ("C", "D", 1), ("B", "A", 1), ("D", "C", 1), ("A", "C", 1), ("C", "A", 1)]


@pytest.mark.parametrize("home", [False, True])
def test_a_game_of_weight_0_names_its_players_and_says_nothing(home):
    options = {"prior": 1.0, "home_advantage": home}
    got = rate(ROUND, weight=[0, 1, 1, 2, 1, 1], **options)
    assert got.names == rate(ROUND, **options).names == ("A", "B", "C", "D")
    wanted = rate([*ROUND[1:], ROUND[3]], **options)
    order = [wanted.names.index(name) for name in got.names]
    np.testing.assert_allclose(got.log_gamma, wanted.log_gamma[order], atol=1e-12)
    np.testing.assert_allclose(got.standard_error, wanted.standard_error[order], rtol=1e-9)
    assert got.scores[0].tolist() == [1, 0, 2]


def test_a_player_whose_games_do_not_count_stands_where_the_prior_puts_him():
    games, weight = [*ROUND, ("E", "A", 0.5)], [1] * 6 + [0]
    got, others = rate(games, weight=weight, prior=1.5), rate(ROUND, prior=1.5)
    assert got.names == ("A", "B", "C", "D", "E")
    assert got.scores[4].tolist() == [0, 0, 0]
    assert got.tie == 0  # the draw does not count
    # The others' mean is where it pleases the prior, who is at 0 there; so is E.
    theta = others.log_gamma
    for _ in range(100):  # until the slope of the prior is 0
        theta = theta - np.tanh(theta / 2).sum() / 2
    theta = np.append(theta, 0.0)
    np.testing.assert_allclose(got.log_gamma, theta - theta.mean(), atol=1e-9)
    own = ELO_PER_NAT * np.sqrt(1 / (2 * 1.5 / 4))
    assert got.difference("E", "A").error > own > got.standard_error[4]
    with pytest.raises(NoMaximumError, match=r"no game of \['E'\] counts: .*; give a prior"):
        rate(games, weight=weight)


def test_a_game_of_weight_0_is_looked_at_all_the_same():
    with pytest.raises(CompetitionError, match="game 7: 'A' stands twice"):
        rate([*ROUND, ("A", "A", 1)], weight=[1] * 6 + [0])
    # Sides of different size fix where 0 is; here no such game counts.
    uneven = [*ROUND, (("A", "B"), "C", 1)]
    assert rate(uneven, weight=[1] * 6 + [0], prior=1.0).log_gamma.sum() == pytest.approx(0)


class Frame:
    """As much of a data frame as is asked for: pandas need not be there."""

    def __init__(self, columns, rows):
        self.columns, self._rows = columns, rows

    def itertuples(self, index=True, name="Pandas"):
        assert (index, name) == (False, None)
        return map(tuple, self._rows)

    def __iter__(self):
        return iter(self.columns)  # as that of pandas


def test_data_frames_are_rated():
    wanted = rate(ROUND, prior=1.0)
    reordered = [(k, result, second, first) for k, (first, second, result) in enumerate(ROUND)]
    for got in (
        Frame(["model_a", "model_b", "won"], ROUND),
        Frame(["round", "result", "second", "first"], reordered),
        Frame(["result", "away", "home"], [row[1:] for row in reordered]),
    ):
        rating = rate(got, prior=1.0)
        assert rating.names == wanted.names
        np.testing.assert_array_equal(rating.elo, wanted.elo)
        np.testing.assert_array_equal(wanted.predict_proba(got), wanted.predict_proba(ROUND))
    two = Frame(["one", "other"], [game[:2] for game in ROUND])
    np.testing.assert_array_equal(wanted.predict_proba(two), wanted.predict_proba(ROUND))
    with pytest.raises(ValueError, match=r"results must have .*got \['winner', 'loser'\]"):
        rate(Frame(["winner", "loser"], [range(2)]))


@pytest.mark.parametrize(
    ("win", "draw", "loss"),
    [
        (True, 0.5, False),
        (" 1-0", "1/2-1/2", "0-1\n"),
        ("1", "½-½", "0.0"),
        (np.float32(1), np.float16(0.5), np.uint8(0)),
    ],
)
def test_results_are_numbers_truths_or_texts(win, draw, loss):
    got = rate([("A", "B", win), ("B", "C", loss), ("C", "A", draw), ("B", "A", win)], prior=1.0)
    assert got.scores.tolist() == [[1, 1, 1], [1, 0, 2], [1, 1, 0]]
