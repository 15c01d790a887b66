"""Whole games of Hanabi, frame by frame."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.base.types import Seed
from gameai_lib.hanabi.game.moves import Move
from gameai_lib.hanabi.game.rules import State
from gameai_lib.hanabi.game.table import DECK

# ``agent(state, rng)`` gives the move of the player to move, whose own hand lies face down there.
Agent = Callable[[State, np.random.Generator], Move]


class Frame(NamedTuple):
    """One turn of a game."""

    state: State  #: before the move; state.player is the one who moves
    move: Move
    next_state: State


def turns(frames: Iterable[Frame]) -> Iterator[Frame]:
    """Yield the frames of a game as they are; it is an error if one begins elsewhere."""
    state = None
    try:
        each = iter(frames)
    except TypeError:  # of an array without axes, too
        raise TypeError(f"a game is a sequence of frames, got {short(frames)}") from None
    for frame in each:
        before, _, after = checks.kind("each turn of a game", frame, Frame)
        if state is not None and (before.table != state.table)[:DECK].any():
            raise ValueError("frames must be the turns of one game, one after another")
        yield frame
        state = after


def play_game(agents: Sequence[Agent], rng: Seed) -> Iterator[Frame]:
    """Yield the `Frame` of each turn of a new game, to its end.

    Of two to five agents each gives its player's move by ``agent(state, rng)``, and is shown
    ``state.hide_hand(player)``; one may sit in several seats. `rng`, a generator or a seed,
    shuffles the deck and is passed to the agents. A move against the rules is an `IllegalMove`.

    Examples
    --------
    An agent of one's own, beside one of the library's:

    >>> def cautious(state, rng):
    ...     return state.legal_moves()[-1]  # a hint, or a discard where there is no token
    >>> frames = list(play_game([RuleAgent("IGGI"), cautious], 1))
    >>> print(frames[0].move, "/", frames[1].move)
    hints 1 5s / hints 0 4s
    >>> len(frames), frames[-1].next_state.score
    (83, 2)
    """
    agents, rng = check_agents(agents), checks.generator(rng)
    state = State.new(len(agents), rng)
    while not state.is_over:
        move = agents[state.player](state.hide_hand(state.player), rng)
        next_state = state.apply(move)
        yield Frame(state, move, next_state)
        state = next_state


def check_agents(agents):
    """Return the agents of a game, two to five in a list or tuple."""
    checks.kind("agents", agents, list, tuple)
    if not 2 <= len(agents) <= 5:
        raise ValueError(f"Hanabi has 2 to 5 players, got {len(agents)}")
    for agent in agents:
        checks.function("an agent", agent)
    return agents
