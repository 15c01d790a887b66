"""What doors are given: junk and damage is refused by name; what is accepted comes out right."""

from collections.abc import Iterator
from inspect import Parameter, isfunction, signature

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gameai_lib import hanabi
from gameai_lib.hanabi import HintRank, RuleAgent, State, V1Settings, exact_belief, play_game
from gameai_lib.hanabi.belief.exact import n_deals
from gameai_lib.hanabi.belief.hands import draw_hands, enumerate_hands
from gameai_lib.hanabi.belief.likelihood import sampled_likelihood
from gameai_lib.hanabi.players.agents import RULES, asked_slot
from tests.support.doors import damaged_text, door, junk, spoiled

# What a function of another kind answers is not the library's affair.
INERT = junk().filter(lambda thing: not callable(thing))
AGENTS = st.sampled_from(list(RULES)).map(RuleAgent)
SEEDS = st.integers(0, 999)


@st.composite
def small(draw, has_likelihood=False):
    shape = draw(st.integers(1, 4)), draw(st.integers(1, 5))
    state = {
        "candidates": draw(arrays(int, shape[1], elements=st.integers(0, 3))),
        "hint_mask": draw(arrays(bool, shape, elements=st.sampled_from((True, True, False)))),
    }
    if has_likelihood:
        state["likelihood"] = draw(arrays(float, shape, elements=st.floats(1e-3, 1e3)))
    return state


@st.composite
def huge(draw):
    """Far too many copies of some cards."""
    state = draw(small())
    large = 2**31, 2**62, 2**63, 2**64, 10**30, 1_000_000, 999_983, 5000, 1e308, 2.0**53
    counts = state["candidates"].tolist()
    for card in draw(st.lists(st.integers(0, len(counts) - 1), min_size=1, max_size=3)):
        counts[card] = draw(st.sampled_from(large))
    return state | {"candidates": counts}


STATES = (small() | small(has_likelihood=True)).flatmap(spoiled)


def check_belief(belief, hint_mask):
    """Rows are probabilities of cards that the hints allow."""
    assert (belief >= 0).all()
    assert np.allclose(belief.sum(axis=-1), 1)
    assert not belief[~np.asarray(hint_mask).astype(bool)].any()


@door(STATES | huge(), share=8)
def test_beliefs(state):
    ten = V1Settings(damping=0.3, n_iterations=10, tolerance=0)
    beliefs = [hanabi.v0_belief(**state), hanabi.v1_result(**state, settings=ten).belief]
    if state.get("likelihood") is not None:
        beliefs.append(hanabi.v2_belief(**state, alpha=0.1))
    for belief in beliefs:
        check_belief(belief, state["hint_mask"])
    exact, bp = exact_belief(**state), hanabi.bp_belief(**state)
    for belief in (exact, bp):
        check_belief(belief, state["hint_mask"])
    assert (exact.sum(axis=-2) <= np.asarray(state["candidates"], dtype=float) + 1e-6).all()
    if "likelihood" not in state:
        assert np.all(n_deals(**state) >= 1)
        assert np.array_equal(bp > 0, exact > 0)


@st.composite
def positions(draw):
    """A state after up to a dozen legal moves."""
    state = State.new(draw(st.integers(2, 5)), draw(SEEDS))
    for choice in draw(st.lists(st.integers(0, 99), max_size=12)):
        if moves := state.legal_moves():
            state = state.apply(moves[choice % len(moves)])
    return state


@door((positions() | positions().map(lambda s: s.hide_hand(0))).map(str).flatmap(damaged_text), 2)
def test_a_position(text):
    state = hanabi.parse_state(text)
    assert str(hanabi.parse_state(str(state))) == str(state)


FRAMES = [list(play_game([RuleAgent("random")] * 2, 3))[:4]]
LOGS = hanabi.log_text(FRAMES[0]), hanabi.log_text(play_game([RuleAgent("IGGI")] * 4, 3))


@door(st.sampled_from(LOGS).flatmap(damaged_text), share=2)
def test_a_log(text):
    if isinstance(text, str) and "\n" in text:  # else it names a file
        game = hanabi.read_log(text)
        states = [str(frame.next_state) for frame in game]
        again = hanabi.read_log(hanabi.log_text(game))
        assert [str(frame.next_state) for frame in again] == states


GAMES = [hanabi.game_json(play_game([RuleAgent("IGGI")] * n, n)) for n in (2, 4)]


@door(st.sampled_from(GAMES).flatmap(damaged_text), share=2)
def test_a_game_of_others(text):
    if isinstance(text, str) and text.lstrip()[:1] in ("{", "("):  # else it names a file
        game = hanabi.read_game(text)
        states = [str(frame.next_state) for frame in game]
        if game:
            again = hanabi.read_game(hanabi.game_json(game))
            assert [str(frame.next_state) for frame in again] == states


FUNCTIONS = [*filter(isfunction, map(vars(hanabi).get, hanabi.__all__)), asked_slot, n_deals]
FUNCTIONS += [RuleAgent, V1Settings, State.new, State.from_deck, enumerate_hands]
FUNCTIONS += [sampled_likelihood, draw_hands]
FUNCTIONS = [f for f in FUNCTIONS if f not in (hanabi.read_log, hanabi.read_game)]  # files
FIT = [[1, 2, 1], np.ones((2, 3), dtype=bool), np.full((2, 3), 0.5), 2, exact_belief]
FIT += ["IGGI", "hints 1 red", State.new(2, 4), HintRank(1, 1), np.zeros((3, 5), dtype=int)]
FIT += [FRAMES, FRAMES[0]]


@st.composite
def calls(draw):
    """A function, and as many arguments as it needs, of which some would fit somewhere."""
    function = draw(st.sampled_from(FUNCTIONS))
    needed = [p for p in signature(function).parameters.values() if p.default is Parameter.empty]
    return function, [draw(st.sampled_from(FIT) | st.sampled_from(FIT) | INERT) for _ in needed]


@door(calls(), share=8)
def test_any_arguments(call):
    function, arguments = call
    found = function(*arguments)
    if function is hanabi.convention_would_act:
        assert (found.dtype, found.shape) == (bool, (len(arguments[-1]),))
    elif isinstance(found, Iterator):
        next(found, None)
