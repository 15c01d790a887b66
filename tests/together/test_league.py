"""Leagues of partners, against a general optimiser, by hand, and on leagues made for it."""

from functools import partial
from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import minimize

from gameai_book.together.mirror import MIRROR
from gameai_lib.hanabi import RuleAgent, State, self_play
from gameai_lib.hanabi.game.play import play_game
from gameai_lib.hanabi.players.searcher import Searcher
from gameai_lib.together.league import NOT_PLAYED, play_pair, play_pairs, rate_partners

FAST = [RuleAgent(name) for name in ("Convention", "IGGI", "Outer", "Listener")]


def made_league(strength, n_decks, rng, bonus=0.0):
    """Ranks of pairs on decks: the chances of any two are exactly those of their strengths.

    Strengths, ln gamma, with Gumbel noise; `bonus`, (n, n), is what pairs have besides.
    """
    n = len(strength)
    noise = rng.gumbel(size=(n, n, n_decks))
    level = (strength[:, None] + strength + bonus)[:, :, None] + noise
    cuts = np.quantile(level, np.linspace(0, 1, 27)[1:-1])
    return np.searchsorted(cuts, level)


def likeliest(scores):
    """ln gamma by a general optimiser, comparison by comparison."""
    n, found = len(scores), []
    for a, b in combinations(list(combinations(range(n), 2)), 2):
        for one, other in zip(scores[a], scores[b], strict=True):
            if NOT_PLAYED not in (one, other):
                found.append((*a, *b, (one > other) + (one == other) / 2))
    i, j, k, m, won = np.array(found).T
    i, j, k, m = (index.astype(int) for index in (i, j, k, m))

    def loss(x):
        lead = x[i] + x[j] - x[k] - x[m]
        return np.logaddexp(0, -lead) @ won + np.logaddexp(0, lead) @ (1 - won) + x.sum() ** 2

    return minimize(loss, np.zeros(n), tol=1e-10).x


def test_strengths_are_those_of_a_general_optimiser():
    scores = play_pairs(FAST, [30, 40, 40, 20], seed=3)
    partners = rate_partners(scores, 1, n_refits=2)
    np.testing.assert_allclose(partners.strength, likeliest(scores), atol=1e-4)


def test_each_agent_wins_as_often_as_its_strength_says_but_not_each_pair():
    residual = rate_partners(play_pairs(FAST, 40, seed=5), 1, n_refits=2).residual
    np.testing.assert_allclose(residual.sum(axis=1) - residual.diagonal(), 0, atol=1e-5)
    assert np.abs(residual).max() > 0.2


def test_three_agents_by_hand():
    """Each pair beats another as one duel: AB against AC is B against C."""
    orders = {(3, 2, 1): 6, (3, 1, 2): 3, (2, 3, 1): 3, (1, 3, 2): 1, (2, 1, 3): 1, (1, 2, 3): 1}
    decks = np.repeat(list(orders), list(orders.values()), axis=0)
    scores = np.zeros((3, 3, 15), int)
    scores[0, 1], scores[0, 2], scores[1, 2] = decks.T
    # AB beats AC 10 : 5, AC beats BC 10 : 5, AB beats BC 12 : 3, and so 4 : 2 : 1.
    partners = rate_partners(scores, 1, n_refits=20)
    gamma = np.exp(partners.strength)
    np.testing.assert_allclose(gamma / gamma[2], [4, 2, 1], rtol=1e-4)
    np.testing.assert_allclose(np.triu(partners.residual, 1), 0, atol=1e-4)
    assert partners.share[0, 1] == pytest.approx(22 / 30)
    assert partners.share[0, 0] == 0  # with a copy of itself A scored less than any of them


def test_where_strengths_multiply_no_pair_is_surprising_and_where_conventions_differ_many_are():
    rng = np.random.default_rng(4)
    strength = np.array([0.9, 0.5, 0.1, -0.2, -0.5, -0.8])
    partners = rate_partners(made_league(strength, 1000, rng), rng, n_refits=50)
    assert (np.abs(partners.strength - strength) < 4 * partners.error).all()
    assert (np.abs(partners.residual) < 4 * partners.residual_error).all()
    is_same = np.equal.outer(np.arange(6) < 3, np.arange(6) < 3)
    partners = rate_partners(made_league(np.zeros(6), 1000, rng, 2.0 * is_same), rng, n_refits=50)
    assert (np.abs(partners.strength) < 0.1).all()
    assert (partners.residual[is_same] > 0.1).all()
    assert (partners.residual[~is_same] < -0.1).all()


def test_errors_are_those_of_other_decks_and_not_those_of_the_hessian():
    rng = np.random.default_rng(6)
    strength = np.array([0.6, 0.2, 0.0, -0.3, -0.5])
    leagues = [made_league(strength, 150, rng) for _ in range(40)]
    # Some agents have played fewer decks than others.
    for scores in leagues:
        scores[0, :, 60:] = scores[:, 0, 60:] = NOT_PLAYED
    rated = [rate_partners(scores, rng, n_refits=8) for scores in leagues]

    def told(error, of):
        """The mean of an error, as a multiple of what it stands for."""
        spread = np.std([getattr(partners, of) for partners in rated], axis=0, ddof=1)
        return np.mean([getattr(partners, error) for partners in rated], axis=0) / spread

    assert (np.abs(told("error", "strength") - 1) < 0.35).all()
    assert (told("hessian_error", "strength") < 0.8).all()
    assert (np.abs(told("residual_error", "residual") - 1) < 0.35).all()


def test_pairs_play_the_same_decks_from_both_seats():
    agents = [RuleAgent("Convention"), RuleAgent("IGGI")]
    scores = play_pairs(agents, [4, 6], seed=2)
    assert scores.shape == (2, 2, 6)
    np.testing.assert_array_equal(scores, scores.swapaxes(0, 1))
    assert (scores[0, 1, 4:] == scores[0, 0, 4:]).all()
    assert (scores[0, 0, 4:] == NOT_PLAYED).all()
    np.testing.assert_array_equal(
        scores[1, 1], self_play(agents[1], 2, [np.random.default_rng([2, i]) for i in range(6)])[0]
    )
    for i in range(4):
        frames = list(play_game(agents[:: 1 if i % 2 == 0 else -1], np.random.default_rng([2, i])))
        assert frames[-1].next_state.score == scores[0, 1, i]


@pytest.mark.parametrize(
    ("call", "wrong", "match"),
    [
        (rate_partners, [np.zeros((2, 3, 4), int), 1], r"got shape \(2, 3, 4\)"),
        (rate_partners, [np.full((3, 3, 4), 26), 1], "26"),
        (rate_partners, [np.full((3, 3, 4), NOT_PLAYED), 1], "nothing to learn from"),
        (rate_partners, [np.zeros((2, 2, 4), int), 1], "nothing to learn from"),
        (play_pair, [*FAST[:2], 3, 1], "n_games"),
        (partial(rate_partners, n_refits=1), [np.zeros((3, 3, 4), int), 1], "n_refits"),
    ],
)
def test_errors_name_what_is_wrong(call, wrong, match):
    with pytest.raises(ValueError, match=match):
        call(*wrong)


def test_the_mirror_understands_itself_and_not_the_convention():
    convention = RuleAgent("Convention")
    assert play_pair(MIRROR, MIRROR, 20, 1).mean() > 17
    assert play_pair(MIRROR, convention, 20, 1).mean() < 2
    # Player 1 holds Y1 W4 R1 G4 R3, the oldest first: red means R1 to the one, R3 to the other.
    rng, state = np.random.default_rng(1), State.new(2, 7)
    hint = MIRROR(state.hide_hand(0), rng)
    asked = state.apply(hint)
    assert (str(hint), str(MIRROR(asked.hide_hand(1), rng))) == ("hints 1 red", "plays 2")
    assert str(convention(asked.hide_hand(1), rng)) == "plays 4"


def test_a_searcher_goes_on_where_its_partner_keeps_no_promise():
    """Two promises may need the one copy of a card: then it counts what the hints allow."""
    team = [RuleAgent("Convention"), RuleAgent("IGGI")]
    state = list(play_game(team, np.random.default_rng(9)))[54].state
    move = Searcher(n_deals=2)(state.hide_hand(0), np.random.default_rng(1))
    assert move in state.legal_moves()
