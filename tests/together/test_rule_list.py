"""The rules that saving adds, said again on states; and the list of rules as a search space."""

import numpy as np
import pytest

from gameai_lib.hanabi import RuleAgent, State, play_game, v0_belief
from gameai_lib.hanabi.game.box import ALL_CARDS, N_CARDS
from gameai_lib.hanabi.game.moves import HintColour, HintRank, Play, touched_slots
from gameai_lib.hanabi.players.agents import asked_slot
from gameai_lib.hanabi.players.rules import (
    gamble_if_possible,
    hint_any_critical,
    hint_asking,
    hint_asking_with_two,
    hint_critical,
    hint_critical_or_two,
)
from gameai_lib.hanabi.players.self_play import score_decks
from gameai_lib.together.rule_list import CONVENTION, SPACE, TUNED, agent_of, mean_score

SAVING = hint_critical, hint_critical_or_two, hint_any_critical


def states_of(n_players, n_games):
    """The states of some games in which cards are saved and gambled with."""
    for seed in range(n_games):
        for frame in play_game([RuleAgent("Tuned")] * n_players, np.random.default_rng(seed)):
            yield frame.state


def propose(rule, state):
    """What a rule of the library proposes, a list of one move or none."""
    try:
        # A list with a rule of one's own is asked rule by rule.
        move, _ = RuleAgent([rule, lambda *_: ()]).decide(state, 0)
    except ValueError:
        return []
    return [move]


def is_honest(state, hint):
    """Whether a hint asks for nothing, or for a card that can be played."""
    slot = asked_slot(state.apply(hint))
    return slot is None or state.playable()[state.hands[hint.player][slot]]


def find_saving_hint(rule, state):
    """The hint by which a rule saves, from its words: a list of one or none."""
    player = (state.player + 1) % state.n_players
    masks = state.hint_mask[player, :, :N_CARDS].reshape(-1, 5, 5)
    unmarked = [
        slot
        for slot in range(len(state.hands[player]))
        if masks[slot].any(axis=1).sum() > 1 and masks[slot].any(axis=0).sum() > 1
    ]
    for slot in unmarked if rule is hint_any_critical else unmarked[:1]:
        card = state.hands[player][slot]
        is_last = state.candidates()[card] == 1 or (rule is hint_critical_or_two and card % 5 == 1)
        for hint in (HintRank(player, card % 5 + 1), HintColour(player, card // 5)):
            can_save = is_last and not state.useless()[card] and state.n_hints > 0
            if can_save and is_honest(state, hint):
                return [hint]
    return []


@pytest.mark.parametrize("n_players", [2, 3, 5])
def test_saving_hints_are_those_of_their_words_and_never_ask_for_what_cannot_be_played(n_players):
    n_saved = dict.fromkeys(SAVING, 0)
    for state in states_of(n_players, 4):
        for rule in SAVING:
            hints = propose(rule, state)
            assert hints == find_saving_hint(rule, state), (rule.__name__, state)
            n_saved[rule] += len(hints)
            assert all(is_honest(state, hint) for hint in hints)
            assert all(touched_slots(hint, state.hands[hint.player]) for hint in hints)
    assert min(n_saved.values()) > 0


def test_two_tokens_ask_and_a_gamble_is_on_what_can_be():
    n_held_back = n_gambles = n_refused = 0
    for state in states_of(3, 20):
        asking = propose(hint_asking, state)
        assert propose(hint_asking_with_two, state) == (asking if state.n_hints > 1 else [])
        n_held_back += state.n_hints == 1 and asking != []
        if len(state.deck) == 0 and state.n_lives > 1:
            held = v0_belief(*state.view(state.player))[: len(state.hands[state.player])]
            p = (held @ state.playable()).round(9)
            may = p.max() > 0
            assert propose(gamble_if_possible, state) == ([Play(int(p.argmax()))] if may else [])
            n_gambles, n_refused = n_gambles + may, n_refused + (not may)
        else:
            assert propose(gamble_if_possible, state) == []
    assert min(n_held_back, n_gambles, n_refused) > 0


def test_the_named_agents_are_points_of_the_space_and_each_dial_makes_another_that_plays():
    assert agent_of(CONVENTION).rules == RuleAgent("Convention").rules
    assert agent_of(TUNED).rules == RuleAgent("Tuned").rules
    lists = [agent_of(TUNED).rules]
    for dial, values in zip(SPACE.names, SPACE.values, strict=True):
        for value in values:
            if value != TUNED[dial]:
                lists.append(agent_of(TUNED | {dial: value}).rules)
                mean_score(TUNED | {dial: value}, rng=1)
    assert len({*lists}) == len(lists)


def test_scores_are_those_of_games_played_frame_by_frame():
    rng = np.random.default_rng(3)
    decks = rng.permuted(np.tile(ALL_CARDS, (3, 1)), axis=1)
    for n_players in (2, 4):
        scores = score_decks(RuleAgent("Tuned"), n_players, decks, rng)
        for deck, score in zip(decks, scores, strict=True):
            state = State.from_deck(n_players, deck)
            while not state.is_over:
                state = state.apply(RuleAgent("Tuned")(state, rng))
            assert state.score == score


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: agent_of(CONVENTION | {"asking": "aloud"}), "asking='aloud' is not one of"),
        (lambda: agent_of({"asking": "hint_asking"}), "no value for 'last token asks'"),
        (lambda: mean_score(TUNED, 1, n_games=0), "n_games must be at least 1, got 0"),
        (lambda: mean_score(TUNED, 1, n_players=6), "n_players must be .*, got 6"),
        (lambda: score_decks(RuleAgent("Tuned"), 2, [[0] * 50], 1), "must be a permutation"),
        (lambda: score_decks(RuleAgent([print]), 2, [ALL_CARDS], 1), "the library's rules with V0"),
    ],
)
def test_errors_name_what_is_wrong(call, message):
    with pytest.raises(ValueError, match=message):
        call()
