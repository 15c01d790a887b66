"""A player who searches on hands that it draws: the right hands, the right gains, and no look."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from gameai_lib.hanabi import (
    HintColour,
    HintRank,
    Play,
    RuleAgent,
    Searcher,
    exact_belief,
    parse_state,
    play_game,
)
from gameai_lib.hanabi.belief.hands import enumerate_hands
from gameai_lib.hanabi.game.table import number_of
from gameai_lib.hanabi.players.agents import asked_slot
from gameai_lib.hanabi.players.policy import convention_would_act
from gameai_lib.hanabi.players.reading import FORGIVENESS, fill_deck
from gameai_lib.hanabi.players.searcher import Thought, _is_clearly_worse, _thought
from tests.hanabi.brute import changed, deal

CONVENTION = RuleAgent("Convention")


def last_thought(state, seed=0, **options):
    *_, thought = Searcher(CONVENTION, **options).think(state, np.random.default_rng(seed))
    return thought


def past_game(n_players, seed):
    """Frames of a game whose next player can hold few hands, and after some moves."""
    game = list(play_game([CONVENTION] * n_players, np.random.default_rng(seed)))
    for n, frame in enumerate(game):
        counts, mask = frame.state.view(frame.state.player)
        n_hands = (mask & (counts > 0)).sum(axis=1).astype(float).prod()
        if n > 25 and n_hands < 10_000 and frame.state.n_deck > 3:
            return game[:n], frame.state
    raise AssertionError("no such position")


def own_cards(frames, player, size):
    """The cards that a player holds, by when they were drawn: before each turn, and at the end."""
    held, n_drawn = [*range(size)], size
    for frame in frames:
        yield [*held]
        if frame.state.player == player and hasattr(frame.move, "slot"):
            held.pop(frame.move.slot)
            held.append(n_drawn)
            n_drawn += 1
    yield held


def deviations(frames, state, hands):
    """How many moves of the others the Convention would not have made, had each hand been held."""
    me = state.player
    *drawn, held = own_cards(frames, me, state.hand_size)
    n_off = np.zeros(len(hands), int)
    for frame, then in zip(frames, drawn, strict=True):
        if frame.state.player == me:
            continue
        others = [(frame.state.player + k) % state.n_players for k in range(1, state.n_players)]
        columns = []
        for other in others:
            cards = np.tile(frame.state.hands[other], (len(hands), 1))
            if other == me:
                for slot, card in enumerate(then):
                    if card in held:
                        cards[:, slot] = hands[:, held.index(card)]
            columns.append(cards)
        n_off += ~convention_would_act(frame.state, frame.move, np.hstack(columns))
    return n_off


def keeps_promises(frames, state, hands):
    """Whether each card that a hint asked for could be played then, had each hand been held."""
    _, *drawn = own_cards(frames, state.player, state.hand_size)
    held, is_kept = drawn[-1], np.ones(len(hands), bool)
    for (_, _, after), now in zip(frames, drawn, strict=True):
        slot = asked_slot(after) if after.player == state.player else None
        if slot is not None and now[slot] in held:
            is_kept &= after.playable()[hands[:, held.index(now[slot])]]
    return is_kept


@pytest.mark.parametrize(("n_players", "seed"), [(2, 3), (2, 5), (3, 4)])
def test_hands_are_those_of_an_enumeration(n_players, seed):
    frames, state = past_game(n_players, seed)
    listed = enumerate_hands(*state.view(state.player))
    n_off = deviations(frames, state, listed.cards)
    assert n_off.max() > 0 == n_off.min()
    strict = listed.probability * (n_off == 0)
    kept = listed.probability * keeps_promises(frames, state, listed.cards)
    soft = kept * FORGIVENESS**n_off
    for belief, weight in {
        "exact": listed.probability, "promised": kept, "exact with L": strict, "soft L": soft,
    }.items():  # fmt: skip
        hands = last_thought(state, belief=belief, n_deals=2000).hands
        expected = np.zeros((listed.cards.shape[1], 25))
        for slot, cards in enumerate(listed.cards.T):
            np.add.at(expected[slot], cards, weight / weight.sum())
        drawn = (hands[:, :, None] == np.arange(25)).mean(axis=0)
        assert drawn == pytest.approx(expected, abs=0.05)
        allowed = {*map(tuple, listed.cards[weight > 0])}
        assert {*map(tuple, hands)} <= allowed


@pytest.mark.parametrize("belief", ["exact", "V0", "V1", "BP"])
def test_hands_are_those_of_a_belief(belief):
    _, state = past_game(2, 3)
    drawn = last_thought(state, belief=belief, n_deals=1000).belief
    assert drawn == pytest.approx(exact_belief(*state.view(state.player))[:, :25], abs=0.1)


def test_gains_are_those_of_all_deals_played_by_hand():
    frames = list(play_game([CONVENTION] * 2, np.random.default_rng(2)))
    state = next(frame.state for frame in frames if frame.state.n_deck == 0)
    listed = enumerate_hands(*state.view(state.player))
    thought = last_thought(state, belief="exact", n_deals=1000)
    gains = []
    for move in thought.moves:
        ends = []
        for hand in listed.cards.tolist():
            hands = [*state.hands]
            hands[state.player] = tuple(card for card in hand if card < 25)
            now = changed(state, hands=tuple(hands)).apply(move)
            while not now.is_over:
                now = now.apply(CONVENTION(now, None))
            ends.append(now.score)
        gains.append(np.array(ends) @ listed.probability)
    played = thought.n_deals == 1000
    assert played.sum() > 1
    expected = np.array(gains) - gains[0]
    assert thought.gains[played] == pytest.approx(expected[played], abs=0.1)
    assert (expected[~played] < expected.max()).all()


@pytest.mark.parametrize("n_players", [2, 3, 5])
def test_its_hints_keep_what_they_promise(n_players):
    searcher = Searcher(CONVENTION, "soft L", n_deals=20)
    n_asked = 0
    for frame in play_game([searcher] * n_players, np.random.default_rng(n_players)):
        after = frame.next_state
        slot = None if isinstance(frame.move, Play) else asked_slot(after)
        if slot is not None:
            n_asked += 1
            assert after.playable()[after.hands[after.player][slot]]
    assert n_asked > 3
    assert after.score > 12


def test_a_hint_for_a_card_that_cannot_be_played_breaks_a_promise():
    state = deal("R2 R3 R4 Y3 Y4", "B5 G4 W1 G1 Y5", "R1 B1 B2 W4 W5")
    moves = HintColour(1, 1), HintColour(1, 2), HintRank(1, 5), Play(0), HintColour(2, 0)
    kept = [Searcher()._keeps_promise(state.table, number_of(move, 0, 3)) for move in moves]
    assert kept == [False, True, True, True, True]


def test_errors_are_those_of_the_mean_of_differences():
    scores = np.random.default_rng(1).integers(0, 25, (9, 2)).astype(float)
    thought = _thought((Play(0), Play(1)), scores, np.full(2, 9), np.zeros((9, 5), int))
    gains = scores[:, 1] - scores[:, 0]
    assert thought.gains[1] == pytest.approx(gains.mean())
    assert thought.errors[1] == pytest.approx(gains.std(ddof=1) / 3)


def test_a_move_is_clearly_worse_by_two_errors_of_the_mean_loss():
    scores = np.array([[10, 9, 9], [10, 8, 12], [10, 9, 6], [10, 8, 9]])
    # Of the second the loss is 1.5 ± 0.29, of the third 1 ± 1.22.
    assert _is_clearly_worse(scores, np.ones(3, bool)).tolist() == [False, True, False]


def test_the_rest_of_the_deck_lies_in_any_order():
    copies, deck, rng = np.zeros(25, np.int64), np.zeros(3, np.int64), np.random.default_rng(5)
    copies[[2, 7, 11, 24]] = 1
    orders = Counter()
    for _ in range(6000):
        fill_deck(copies, np.array([7]), deck, rng)
        orders[tuple(deck.tolist())] += 1
    assert sorted(orders) == sorted(permutations((2, 11, 24)))
    assert [*orders.values()] == pytest.approx([1000] * 6, abs=4 * 1000**0.5)


def test_another_move_needs_a_margin_and_must_be_beyond_chance():
    moves = tuple(Play(slot) for slot in range(4))
    gains, errors = np.array([0, 0.05, 0.4, 0.3]), np.array([0, 0.01, 0.3, 0.1])
    thought = Thought(moves, gains, errors, np.full(4, 9), np.zeros((9, 5), int))
    assert thought.choose(0.1) == Play(3)
    assert thought.choose(0.35) == Play(0)
    assert thought.choose(0.0) == Play(3)
    given_up = thought._replace(n_deals=np.array([9, 9, 9, 5]))
    assert given_up.choose(0.0) == Play(1)


def test_where_no_past_is_known_nothing_is_read():
    _, state = past_game(2, 3)
    position = parse_state(str(state))
    assert position.past is None
    read, counted = (
        last_thought(position, belief=belief, n_deals=20) for belief in ("exact with L", "exact")
    )
    assert (read.gains == counted.gains).all()
