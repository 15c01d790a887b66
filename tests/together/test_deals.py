"""What a searcher looks at, deal by deal: as games of agents, and as hands that are dealt again."""

import numpy as np
import pytest

from gameai_book.together.deals import count_surprises, finish, odd_moves, play_all
from gameai_book.together.measure.calibration import surprises_of_truth
from gameai_lib.base import jit
from gameai_lib.hanabi import Play, RuleAgent, Searcher, parse_card, play_game
from gameai_lib.hanabi.belief.hands import enumerate_hands

AGENT = RuleAgent("Convention")
GAME = list(play_game([AGENT, AGENT], np.random.default_rng(18)))
END = list(play_game([AGENT, AGENT], np.random.default_rng([1, 323])))[67].state


def test_a_game_is_finished_as_it_was_played():
    assert finish(AGENT, GAME[20].state) == GAME[-1].next_state.score


def test_points_of_a_position_on_paper():
    deals = play_all(Searcher(AGENT, "exact", 400), END, np.random.default_rng(1))
    first, second = (deals.moves.index(Play(slot)) for slot in (0, 1))
    # One of the two slots has the red 3: 17 points if it is played, 15 if the other is.
    assert {*deals.points[:, first].tolist()} == {15, 17}
    assert (deals.points[:, first] + deals.points[:, second] == 32).all()
    assert (deals.points[:, 0] == 15).all()
    assert deals.gains[:, first] == pytest.approx(deals.points[:, first] - 15)


def test_means_are_those_of_a_thought():
    searcher = Searcher(AGENT, n_deals=400)
    state = GAME[30].state
    *_, thought = searcher.think(state.hide_hand(0), np.random.default_rng(2))
    deals = play_all(searcher, state, np.random.default_rng(3))
    assert deals.moves == thought.moves
    played = thought.n_deals == 400
    assert deals.gains.mean(axis=0)[played] == pytest.approx(thought.gains[played], abs=0.25)


def test_moves_that_speak_against_a_hand():
    now, hand = GAME[:31], list(GAME[30].state.hands[0])
    assert not list(odd_moves(AGENT, now, hand))
    hand[3] = parse_card("Y2")  # playable, so the partner would have asked for it
    assert [(turn, str(move)) for turn, _, move in odd_moves(AGENT, now, hand)] == [
        (27, "hints 0 yellow")
    ]
    with pytest.raises(ValueError, match=r"'Y1'.* cannot be the hand"):
        list(odd_moves(AGENT, now, [parse_card("Y1")] * 5))


@pytest.mark.skipif(not jit.COMPILED, reason="takes long without compiled kernels")
def test_as_many_drawn_hands_agree_as_of_all_that_are_listed():
    now, state = GAME[:31], GAME[30].state
    hands = enumerate_hands(*state.view(0))
    agrees = [not list(odd_moves(AGENT, now, hand)) for hand in hands.cards.tolist()]
    drawn = count_surprises(AGENT, state, np.random.default_rng(1), 20_000)
    share = hands.probability @ agrees
    assert (drawn == 0).mean() == pytest.approx(share, abs=4 * (share / 20_000) ** 0.5)
    assert surprises_of_truth(AGENT, state, np.random.default_rng(1)) == 0
