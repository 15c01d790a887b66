"""What agents score in games with copies of themselves or as a team, and as a table.

Agents with the library's rules and V0 play in a kernel, a hundred times as fast as frame by frame;
the games are the same.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import length_hint
from typing import Any, NamedTuple

import numpy as np

from gameai_lib.base import arrays, checks, jit
from gameai_lib.base.checks import short
from gameai_lib.base.interrupts import Interrupted
from gameai_lib.base.progress import Bar
from gameai_lib.base.types import Ints, Seed
from gameai_lib.hanabi.game.cards import BOX, DECK_SIZE, HAND_SIZE, N_CARDS
from gameai_lib.hanabi.game.play import Agent, check_agents, play_game
from gameai_lib.hanabi.game.table import LIVES, PLAYER, SIZE, deal, points
from gameai_lib.hanabi.players.agents import RuleAgent, no_proposal
from gameai_lib.hanabi.players.playout import MOST_MOVES, play_decks, play_out, seat_rows
from gameai_lib.tables import Column, Table, table

FEW_GAMES = 10  # which need not wait for a compiler
MOST_GAMES = 1_000_000  # of a cell; a game takes some milliseconds


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
        Two or more, one for each game, so that any game can be played again on its own.

    Raises
    ------
    KeyboardInterrupt
        If Ctrl-C ends the call; the `result` of this error is of the games played before.

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
    table, moves = deal(n_players, rng.permutation(BOX)), np.empty(MOST_MOVES, np.int64)
    rows = seat_rows(*(agent.row for agent in team))
    with jit.plain_at_first():
        n_moves = play_out(rows, table, moves, np.empty((2, HAND_SIZE[n_players])), rng)
        scored = int(points(table))
    if n_moves < 0:
        raise no_proposal(team[table[PLAYER]].rules)
    return moves[:n_moves], scored, int(table[LIVES])


def score_decks(agent: RuleAgent, n_players: int, decks: Ints, rng: Seed) -> Ints:
    """Scores of copies of `agent` with each deck, one kernel for all games.

    Parameters
    ----------
    agent : RuleAgent
        With the library's rules and V0.
    n_players : int
        Two to five.
    decks : (n_games, 50) int array
        Each a permutation of `BOX`.
    rng : numpy.random.Generator
        For rules that choose at random.

    Returns
    -------
    (n_games,) int array, 0 where all lives were lost

    Examples
    --------
    >>> decks = np.random.default_rng(1).permuted(np.tile(BOX, (4, 1)), axis=1)
    >>> score_decks(RuleAgent("Convention"), 2, decks, rng=2)
    array([19, 22, 21, 18])
    """
    if checks.kind("agent", agent, RuleAgent).row is None:
        raise ValueError(f"a kernel plays the library's rules with V0, not {short(agent.name)}")
    hand_size = HAND_SIZE[checks.whole("n_players", n_players, 2, 5)]
    decks, rng = arrays.whole("decks", decks, 0, N_CARDS - 1, ndim=2), checks.generator(rng)
    if decks.shape[1] != DECK_SIZE or (np.sort(decks, axis=1) != BOX).any():
        raise ValueError(f"each deck must be a permutation of the {DECK_SIZE} cards of the box")
    scores, rows = np.empty(len(decks), np.int64), seat_rows(*[agent.row] * n_players)
    work = np.empty(SIZE, np.int64), np.empty(MOST_MOVES, np.int64), np.empty((2, hand_size))
    with jit.plain_at_first(len(decks) <= FEW_GAMES):
        start = deal(n_players, BOX)
        if play_decks(rows, start, decks, *work, scores, rng) < len(decks):
            raise no_proposal(agent.rules)
    return scores


@dataclass(frozen=True, repr=False)
class ScoreTable:
    """What agents score; it is shown as a table, of text or in a notebook.

    Attributes
    ----------
    results : dict of (str, int) to SelfPlay
        By the agent's name and the number of players.
    n_games : int
        Of each cell; fewer in the last one if an interrupt ended it.
    seed : int
        Game ``i`` of every cell is dealt by ``numpy.random.default_rng([seed, i])``, so that
        agents meet the same decks.
    """

    results: dict[tuple[str, int], SelfPlay]
    n_games: int
    seed: int

    @property
    def table(self) -> Table:
        """The results as a `gameai_lib.tables.Table`."""
        cells = self.results.values()
        n_games = [len(cell.scores) for cell in cells]
        each = f" in {self.n_games:,} games each" if {*n_games} == {self.n_games} else ""
        columns: dict[str, Column | list[Any]] = {
            "agent": [name for name, _ in self.results],
            "players": [n_players for _, n_players in self.results],
            **({} if each else {"games": n_games}),
            "mean score": Column(
                [cell.mean for cell in cells], ".2f",
                errors=[cell.standard_error for cell in cells],
            ),
            "lost": [cell.n_lost for cell in cells],
            "perfect": [cell.n_perfect for cell in cells],
        }  # fmt: skip
        caption = (
            f"Points of 25{each}, seed {self.seed}; "
            "lost: with the last life, score 0; perfect: all 25."
        )
        return table(columns, caption=caption)

    def __repr__(self) -> str:
        return str(self.table)

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


def score_table(
    agents: Mapping[str, Agent | Sequence[Agent]],
    n_players: Sequence[int] = (2, 3, 4, 5),
    *,
    n_games: int = 200,
    seed: int = 0,
) -> ScoreTable:
    """Let copies of each agent play, among two to five players, and compare what they score.

    Parameters
    ----------
    agents : dict of str to callable, or to a list or tuple of them
        ``agent(state, rng)`` as in `play_game`, by name. Several are a team: they take the seats
        in turn.
    n_players : sequence of int
        Numbers of players, each from 2 to 5.
    n_games : int
        Of each agent with each number of players; two or more, for a standard error.
    seed : int
        The same seed deals the same decks, and gives the same table.

    Returns
    -------
    ScoreTable
        Its `results` are the numbers.

    Raises
    ------
    KeyboardInterrupt
        If Ctrl-C ends the call; the `result` of this error is the table so far.

    Examples
    --------
    >>> agents = {"IGGI": RuleAgent("IGGI"), "Convention": RuleAgent("Convention")}
    >>> scores = score_table(agents, (2, 3), n_games=10, seed=1)
    >>> scores
    agent       players    mean score  lost  perfect
    IGGI              2  17.20 ± 0.44     0        0
    Convention        2  20.80 ± 0.44     0        0
    IGGI              3  16.60 ± 0.31     0        0
    Convention        3  19.70 ± 0.33     0        0
    Points of 25 in 10 games each, seed 1; lost: with the last life, score 0; perfect: all 25.
    >>> print(scores.results["IGGI", 2].scores)
    [15 16 17 19 16 16 18 19 18 18]
    """
    agents = dict(checks.kind("agents", agents, Mapping))
    for name in agents:
        checks.kind("an agent's name", name, str)
    sizes = checks.kind("n_players", n_players, list, tuple)
    sizes = dict.fromkeys(checks.whole("n_players", n, 2, 5) for n in sizes)
    teams = {(name, n): seat(agents[name], n) for n in sizes for name in agents}
    if not teams:
        raise ValueError("a table needs an agent and a number of players, got none")
    n_games = checks.whole("n_games", n_games, 2, MOST_GAMES)
    seed, n_all = checks.whole("seed", seed, 0), len(teams) * n_games
    ends: dict[tuple[str, int], list[tuple[int, int]]] = {cell: [] for cell in teams}
    with Bar("self-play", n_all, "games") as bar:
        try:
            for k, (cell, team) in enumerate(teams.items()):
                for game in range(n_games):
                    bar(k * n_games + game)
                    ends[cell].append(_play(team, np.random.default_rng([seed, game])))
        except KeyboardInterrupt as stop:
            n_done = sum(map(len, ends.values()))
            if not n_done:
                raise
            done = f"stopped after {n_done:,} of {n_all:,} games; they are kept"
            raise Interrupted(done, _tabulate(ends, n_games, seed)) from stop
    return _tabulate(ends, n_games, seed)


def _tabulate(ends, n_games, seed):
    return ScoreTable({cell: _score(e) for cell, e in ends.items() if e}, n_games, seed)
