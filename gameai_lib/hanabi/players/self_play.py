"""What agents score in games with copies of themselves."""

from collections.abc import Iterable, Sequence
from operator import length_hint
from typing import NamedTuple

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.base.interrupts import Interrupted
from gameai_lib.base.progress import Bar
from gameai_lib.base.types import Ints, Seed
from gameai_lib.hanabi.game.cards import N_CARDS
from gameai_lib.hanabi.game.play import Agent, check_agents, play_game


class SelfPlay(NamedTuple):
    """What an agent scored in games with copies of itself."""

    scores: Ints  #: (n_games,), 0 where all lives were lost
    points: Ints  #: (n_games,), sum of the fireworks even where they were
    mean: float  #: of the scores
    standard_error: float  #: of that mean
    n_lost: int  #: games that ended with the last life
    n_perfect: int  #: games with all 25 points


def self_play(agent: Agent | Sequence[Agent], n_players: int, rngs: Iterable[Seed]) -> SelfPlay:
    """`SelfPlay` of copies of `agent` in one game for each generator in `rngs`.

    Parameters
    ----------
    agent : callable, or list or tuple of them
        As in `play_game`; several take the seats in turn.
    n_players : int
        Two to five.
    rngs : iterable of numpy.random.Generator
        One for each game, so that any game can be played again on its own.

    Raises
    ------
    ValueError
        If `rngs` yields fewer than two generators: one game has no standard error.
    KeyboardInterrupt
        If Ctrl-C ends the call; the `result` of this error is of the games played before.

    Examples
    --------
    >>> result = self_play(RuleAgent("IGGI"), 2, range(5))
    >>> print(result.scores, f"{result.mean:.2f} ± {result.standard_error:.2f}")
    [17 15 13 16 16] 15.40 ± 0.68
    """
    team = seat(agent, checks.whole("n_players", n_players, 2, 5))
    if not hasattr(rngs, "__iter__"):
        raise TypeError(f"rngs must be generators, one for each game, got {short(rngs)}")
    with Bar("self-play", length_hint(rngs) or None, "games") as bar:
        return play_games(team, _count(rngs, bar))


def _count(rngs, bar):
    for n_done, rng in enumerate(rngs):
        bar(n_done)
        yield rng


def play_games(team, rngs):
    """What `self_play` returns, of agents who have a seat each."""
    last_states = []
    try:
        for rng in rngs:
            for frame in play_game(team, rng):
                last_state = frame.next_state
            last_states.append(last_state)
    except KeyboardInterrupt as stop:
        if not (n := len(last_states)):
            raise
        done = f"stopped after {n} game{'s' * (n > 1)}; what they scored is kept"
        raise Interrupted(done, _score(last_states)) from stop
    if len(last_states) < 2:
        raise ValueError(f"a standard error needs at least two games, got {len(last_states)}")
    return _score(last_states)


def _score(last_states):
    """The `SelfPlay` of games that ended so; one alone has no standard error."""
    scores = np.array([state.score for state in last_states])
    points = np.array([int(state.fireworks.sum()) for state in last_states])
    n = len(scores)
    standard_error = float(scores.std(ddof=1) / np.sqrt(n)) if n > 1 else np.nan
    n_lost = sum(state.n_lives == 0 for state in last_states)
    n_perfect = int((scores == N_CARDS).sum())
    return SelfPlay(scores, points, float(scores.mean()), standard_error, n_lost, n_perfect)


def seat(agent, n_players):
    """The agent of each seat; raises what `play_game` does, and if one is left without a seat."""
    agents = agent if isinstance(agent, list | tuple) else [agent]
    if not 1 <= len(agents) <= n_players:
        raise ValueError(f"{n_players} seats are for 1 to {n_players} agents, got {len(agents)}")
    return check_agents([agents[seat % len(agents)] for seat in range(n_players)])
