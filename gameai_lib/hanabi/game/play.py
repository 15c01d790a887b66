"""Whole games of Hanabi, frame by frame, and what agents score in self-play."""

from typing import NamedTuple

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.hanabi.game.rules import Move, State


class Frame(NamedTuple):
    """One turn of a game."""

    state: State  # before the move; state.player is the one who moves
    move: Move
    next_state: State


class SelfPlay(NamedTuple):
    """What an agent scored in games with copies of itself."""

    scores: np.ndarray  # (n_games,) int, 0 where all lives were lost
    points: np.ndarray  # (n_games,) int, sum of the fireworks even where they were
    mean: float  # of the scores
    standard_error: float  # of that mean


def play_game(agents, rng):
    """Yield the `Frame` of each turn of a new game, to its end.

    Parameters
    ----------
    agents : sequence of two to five callables
        ``agent(state, rng)`` gives the move of that player; an agent may sit in several seats.
    rng : numpy.random.Generator
        Shuffles the deck, then is passed to the agents: one seed, one game.

    Raises
    ------
    ValueError
        If there are not two to five agents.
    IllegalMove
        If an agent breaks the rules.
    """
    agents, rng = _check_agents(agents), checks.generator(rng)
    state = State.new(len(agents), rng)
    while not state.is_over:
        move = agents[state.player](state, rng)
        next_state = state.apply(move)
        yield Frame(state, move, next_state)
        state = next_state


def self_play(agent, n_players, rngs):
    """Let copies of `agent` play one game for each generator in `rngs`.

    Parameters
    ----------
    agent : callable
        As in `play_game`.
    n_players : int
        Two to five.
    rngs : iterable of numpy.random.Generator
        One for each game, so that any game can be played again on its own.

    Returns
    -------
    SelfPlay

    Raises
    ------
    ValueError
        If `rngs` yields fewer than two generators: one game has no standard error.
    """
    _check_agents([agent] * checks.whole("n_players", n_players, 2, 5))
    if not hasattr(rngs, "__iter__"):
        raise TypeError(f"rngs must be generators, one for each game, got {short(rngs)}")
    last_states = []
    for rng in rngs:
        for frame in play_game([agent] * n_players, rng):
            last_state = frame.next_state
        last_states.append(last_state)
    if len(last_states) < 2:
        raise ValueError(f"a standard error needs at least two games, got {len(last_states)}")
    scores = np.array([state.score for state in last_states])
    points = np.array([int(state.fireworks.sum()) for state in last_states])
    standard_error = float(scores.std(ddof=1) / np.sqrt(len(scores)))
    return SelfPlay(scores, points, float(scores.mean()), standard_error)


def _check_agents(agents):
    if not isinstance(agents, list | tuple):
        raise TypeError(f"agents must be a list or tuple, got {short(agents)}")
    if not 2 <= len(agents) <= 5:
        raise ValueError(f"Hanabi has 2 to 5 players, got {len(agents)}")
    for agent in agents:
        check_agent(agent)
    return agents


def check_agent(agent):
    """Raise TypeError if `agent` cannot be called."""
    if not callable(agent):
        raise TypeError(f"an agent is called as agent(state, rng), got {short(agent)}")
