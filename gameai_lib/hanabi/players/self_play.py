"""What agents score in games with copies of themselves or as a team.

Agents with the library's rules and V0 play in a kernel, a hundred times as fast as frame by frame;
the games are the same.
"""

from collections.abc import Iterable, Sequence
from operator import length_hint
from typing import NamedTuple

import numpy as np

from gameai_lib.base import arrays, checks, jit
from gameai_lib.base.checks import short
from gameai_lib.base.interrupts import Interrupted
from gameai_lib.base.progress import Bar
from gameai_lib.base.types import Ints, Seed
from gameai_lib.hanabi.game.box import ALL_CARDS, DECK_SIZE, HAND_SIZE, N_CARDS
from gameai_lib.hanabi.game.play import Agent, check_agents, play_game
from gameai_lib.hanabi.game.table import LIVES, PLAYER, SIZE, deal, points
from gameai_lib.hanabi.players.agents import RuleAgent, no_proposal
from gameai_lib.hanabi.players.playout import MOST_MOVES, play_decks, play_out, seat_rows

FEW_GAMES = 10  # which need not wait for a compiler


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

    The agent is as in `play_game`; several, in a list or tuple, take the two to five seats in turn.
    There are two generators or seeds or more, so that any game can be played again on its own. If
    Ctrl-C ends the call, the `result` of the KeyboardInterrupt is of the games played before.

    Examples
    --------
    >>> result = self_play(RuleAgent("IGGI"), 2, range(5))
    >>> print(result.scores, f"{result.mean:.2f} ± {result.standard_error:.2f}")
    [17 15 13 16 16] 15.40 ± 0.68
    """
    team = seat(agent, checks.whole("n_players", n_players, 2, 5))
    ends: list[tuple[int, int]] = []
    if not hasattr(rngs, "__iter__"):
        raise TypeError(f"rngs must be generators, one for each game, got {short(rngs)}")
    with Bar("self-play", length_hint(rngs) or None, "games") as bar:
        try:
            for rng in rngs:
                bar(len(ends))
                ends.append(_play(team, rng))
        except KeyboardInterrupt as stop:
            if not (n := len(ends)):
                raise
            done = f"stopped after {n} game{'s' * (n > 1)}; what they scored is kept"
            raise Interrupted(done, _score(ends)) from stop
    if len(ends) < 2:
        raise ValueError(f"a standard error needs at least two games, got {len(ends)}")
    return _score(ends)


def seat(agent, n_players):
    """The agent of each seat; raises what `play_game` does, and if one is left without a seat."""
    agents = agent if isinstance(agent, list | tuple) else [agent]
    if not 1 <= len(agents) <= n_players:
        raise ValueError(f"{n_players} seats are for 1 to {n_players} agents, got {len(agents)}")
    return check_agents([agents[seat % len(agents)] for seat in range(n_players)])


def _play(team, rng):
    """Points and lives at the end of a game."""
    if all(type(agent) is RuleAgent and agent.row is not None for agent in team):
        return play_out_game(team, rng)[1:]
    for frame in play_game(team, rng):
        state = frame.next_state
    return int(state.fireworks.sum()), state.n_lives


def _score(ends):
    """The `SelfPlay` of games with these points and lives; one has no standard error."""
    points, lives = np.array(ends).T
    scores, n = np.where(lives > 0, points, 0), len(ends)
    standard_error = float(scores.std(ddof=1) / np.sqrt(n)) if n > 1 else np.nan
    n_lost, n_perfect = int((lives == 0).sum()), int((scores == N_CARDS).sum())
    return SelfPlay(scores, points, float(scores.mean()), standard_error, n_lost, n_perfect)


def play_out_game(team, rng):
    """Moves (numbers, as of a table), points and lives of a game that the kernel plays."""
    rng, n_players = checks.generator(rng), len(team)
    table, moves = deal(n_players, rng.permutation(ALL_CARDS)), np.empty(MOST_MOVES, np.int64)
    rows = seat_rows(*(agent.row for agent in team))
    with jit.plain_at_first():
        n_moves = play_out(rows, table, moves, np.empty((2, HAND_SIZE[n_players])), rng)
        scored = int(points(table))
    if n_moves < 0:
        raise no_proposal(team[table[PLAYER]].rules)
    return moves[:n_moves], scored, int(table[LIVES])


def score_decks(agent: RuleAgent, n_players: int, decks: Ints, rng: Seed) -> Ints:
    """Scores of copies of `agent` with each deck, one kernel for all games.

    The agent has the library's rules and V0; `decks` is an (n_games, 50) int array, each deck a
    permutation of `ALL_CARDS`; `rng` is for rules that choose at random. Gives (n_games,) scores, 0
    where all lives were lost.
    """
    if checks.kind("agent", agent, RuleAgent).row is None:
        raise ValueError(f"a kernel plays the library's rules with V0, not {short(agent.name)}")
    hand_size = HAND_SIZE[checks.whole("n_players", n_players, 2, 5)]
    decks, rng = arrays.whole("decks", decks, 0, N_CARDS - 1, ndim=2), checks.generator(rng)
    if decks.shape[1] != DECK_SIZE or (np.sort(decks, axis=1) != ALL_CARDS).any():
        raise ValueError(f"each deck must be a permutation of the {DECK_SIZE} cards of the box")
    scores, rows = np.empty(len(decks), np.int64), seat_rows(*[agent.row] * n_players)
    work = np.empty(SIZE, np.int64), np.empty(MOST_MOVES, np.int64), np.empty((2, hand_size))
    with jit.plain_at_first(len(decks) <= FEW_GAMES):
        start = deal(n_players, ALL_CARDS)
        if play_decks(rows, start, decks, *work, scores, rng) < len(decks):
            raise no_proposal(agent.rules)
    return scores
