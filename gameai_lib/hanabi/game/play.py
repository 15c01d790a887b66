"""Whole games of Hanabi, frame by frame, and what agents score in self-play."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import length_hint
from typing import NamedTuple

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.base.interrupts import Interrupted
from gameai_lib.base.progress import Bar
from gameai_lib.base.types import Ints, Seed
from gameai_lib.hanabi.game.cards import N_CARDS, Move
from gameai_lib.hanabi.game.rules import State

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
        if state is not None and before is not state and not _are_same(before, state):
            raise ValueError("frames must be the turns of one game, one after another")
        yield frame
        state = after


def _are_same(one, other):
    """Whether two states agree in what everybody knows, and in who holds what."""
    public = zip(one.public(), other.public(), strict=True)
    return (one.player, one.hands) == (other.player, other.hands) and all(
        np.array_equal(a, b) for a, b in public
    )


class SelfPlay(NamedTuple):
    """What an agent scored in games with copies of itself."""

    scores: Ints  #: (n_games,), 0 where all lives were lost
    points: Ints  #: (n_games,), sum of the fireworks even where they were
    mean: float  #: of the scores
    standard_error: float  #: of that mean
    n_lost: int  #: games that ended with the last life
    n_perfect: int  #: games with all 25 points


def play_game(agents: Sequence[Agent], rng: Seed) -> Iterator[Frame]:
    """Yield the `Frame` of each turn of a new game, to its end.

    Parameters
    ----------
    agents : sequence of two to five callables
        ``agent(state, rng)`` gives the move of that player, who is shown
        ``state.hide_hand(player)``; an agent may sit in several seats.
    rng : numpy.random.Generator
        Shuffles the deck, then is passed to the agents: one seed, one game.

    Raises
    ------
    ValueError
        If there are not two to five agents.
    IllegalMove
        If an agent breaks the rules.

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
    agents, rng = _check_agents(agents), checks.generator(rng)
    state = State.new(len(agents), rng)
    while not state.is_over:
        move = agents[state.player](state.hide_hand(state.player), rng)
        next_state = state.apply(move)
        yield Frame(state, move, next_state)
        state = next_state


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


def _check_agents(agents):
    if not isinstance(agents, list | tuple):
        raise TypeError(f"agents must be a list or tuple, got {short(agents)}")
    if not 2 <= len(agents) <= 5:
        raise ValueError(f"Hanabi has 2 to 5 players, got {len(agents)}")
    for agent in agents:
        check_agent(agent)
    return agents


def seat(agent, n_players):
    """The agent of each seat; raises what `play_game` does, and if one is left without a seat."""
    agents = agent if isinstance(agent, list | tuple) else [agent]
    if not 1 <= len(agents) <= n_players:
        raise ValueError(f"{n_players} seats are for 1 to {n_players} agents, got {len(agents)}")
    return _check_agents([agents[seat % len(agents)] for seat in range(n_players)])


def check_agent(agent):
    """Raise TypeError if `agent` cannot be called."""
    if not callable(agent):
        raise TypeError(f"an agent is called as agent(state, rng), got {short(agent)}")
