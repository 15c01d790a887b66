"""Players who listen and players who forget; the stored tables played again."""

from functools import partial

import numpy as np
import pytest

from benchmarks import hanabi_players
from gameai_lib.hanabi.belief.exact import exact_belief
from gameai_lib.hanabi.belief.public import v0_belief
from gameai_lib.hanabi.game.memory import forgetful_game, remembered
from gameai_lib.hanabi.game.play import play_game, stored_player_scores
from gameai_lib.hanabi.game.rules import HintRank, Play, State
from gameai_lib.hanabi.players.agents import RuleAgent
from gameai_lib.hanabi.players.convention import asked_slot
from gameai_lib.hanabi.players.listener import LISTENER, listening_game

SEED, TABLES = stored_player_scores()
CELLS = {part: list(cells()) for part, cells in hanabi_players.PARTS.items()}


@pytest.mark.parametrize("part", CELLS)
def test_stored_tables_are_whole(part):
    assert SEED == hanabi_players.SEED
    names = [names for names, _ in CELLS[part]]
    stored = [
        {key: value for key, value in cell._asdict().items() if key in names[0]}
        for cell in TABLES[part]
    ]
    assert stored == names
    assert all(cell.n_games >= 300 and len(cell.first_scores) == 20 for cell in TABLES[part])


@pytest.mark.parametrize("part", CELLS)
def test_stored_games_are_played_again(part):
    for (names, playing), cell in zip(CELLS[part], TABLES[part], strict=True):
        scores, _ = hanabi_players.final_scores(playing, 2)
        assert tuple(scores) == cell.first_scores[:2], names
        first = np.array(cell.first_scores)
        spread = cell.standard_error * (cell.n_games / len(first)) ** 0.5
        assert abs(first.mean() - cell.mean) <= 4 * spread + 1e-9


def test_a_listener_finds_out_what_a_hint_asks_for():
    # Its rules know no convention, its partner's moves do.
    asked = heard = 0
    for seed in range(4):
        for state, move, _ in listening_game(exact_belief, np.random.default_rng(seed)):
            slot = asked_slot(state)
            if state.player == LISTENER and slot is not None and state.n_deck:
                asked += 1
                heard += isinstance(move, Play)
    assert heard > 0.9 * asked > 10


def test_a_deaf_listener_gets_no_likelihood():
    seen = []

    def belief(candidates, hint_mask, likelihood):
        seen.append(likelihood)
        return v0_belief(candidates, hint_mask)

    list(listening_game(belief, np.random.default_rng(1), max_hands=0, n_samples=0))
    assert set(seen) == {None}
    with pytest.raises(TypeError, match="belief is called as"):
        next(listening_game("V0", np.random.default_rng(1)))
    for wrong in ({"max_hands": []}, {"n_samples": -1}):
        with pytest.raises((TypeError, ValueError), match=next(iter(wrong))):
            next(listening_game(belief, np.random.default_rng(1), **wrong))


def test_who_listens_is_dealt_the_same_cards():
    first = next(listening_game(v0_belief, np.random.default_rng([1, 3])))
    same = next(play_game([RuleAgent("IGGI")] * 2, np.random.default_rng([1, 3])))
    assert first.state.hands == same.state.hands
    assert first.state.deck == same.state.deck


@pytest.mark.parametrize("n_players", [2, 3, 5])
def test_a_long_memory_forgets_nothing(n_players):
    agent = RuleAgent("Van den Bergh")
    games = (
        forgetful_game(agent, n_players, 200, np.random.default_rng(5)),
        play_game([agent] * n_players, np.random.default_rng(5)),
    )
    forgetful, perfect = ([frame.move for frame in game] for game in games)
    assert forgetful == perfect


def test_what_is_remembered_allows_what_all_hints_allow():
    masks = []

    def agent(state, rng):
        masks.append(state.hint_mask)
        return RuleAgent("IGGI")(state, rng)

    frames = list(forgetful_game(agent, 2, 3, np.random.default_rng(2)))
    more = 0
    for frame, mask in zip(frames, masks, strict=True):
        assert (mask >= frame.state.hint_mask).all()
        more += (mask > frame.state.hint_mask).any()
    assert more > len(frames) / 2


def test_a_hint_is_remembered_for_its_span():
    masks = []

    def agent(state, rng):
        masks.append(state.hint_mask.copy())
        if len(masks) == 1:
            return HintRank(1, state.hands[1][0] % 5 + 1)
        return Play(len(state.hands[state.player]) - 1)  # the newest card: no other moves

    list(forgetful_game(agent, 2, 2, np.random.default_rng(0)))
    told = [bool((mask[1, 0] != mask[0, 0]).any()) for mask in masks[:4]]
    assert told == [False, True, True, False]


def test_an_empty_slot_stays_empty():
    state = State.new(2, np.random.default_rng(0))
    mask = state.hint_mask.copy()
    mask[0, 4] = np.arange(26) == 25
    short = State(2, state.deck, state.hands, mask, state.fireworks, state.discards)
    heard = np.ones((1, *mask.shape), dtype=bool)
    assert np.array_equal(remembered(short, heard), mask)


@pytest.mark.parametrize("span", [0, -1, 1.5])
def test_a_span_is_a_number_of_moves(span):
    with pytest.raises((ValueError, TypeError), match="span"):
        next(forgetful_game(RuleAgent("IGGI"), 2, span, np.random.default_rng(0)))
    with pytest.raises(TypeError, match="an agent is called as"):
        next(forgetful_game("IGGI", 2, 3, np.random.default_rng(0)))


def test_partials_keep_their_beliefs():
    names = [names["belief"] for names, _ in CELLS["listeners"]]
    assert len(set(names)) == len(names)
    assert all(isinstance(playing, partial) for _, playing in CELLS["listeners"])
