"""Agents compared: what each scores in games with copies of itself, as a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.interrupts import Interrupted
from gameai_lib.base.progress import Bar
from gameai_lib.hanabi.game.play import Agent
from gameai_lib.hanabi.players.self_play import SelfPlay, play_games, seat
from gameai_lib.tables import Column, Table, table

MOST_GAMES = 1_000_000  # of a cell; a game takes some milliseconds


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
    TypeError, ValueError
        If an argument is not what it must be: said before the first game.
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
    sizes = [
        checks.whole("n_players", n, 2, 5) for n in checks.kind("n_players", n_players, list, tuple)
    ]
    cells = [(name, n) for n in dict.fromkeys(sizes) for name in agents]
    for name, n in cells:
        seat(agents[name], n)
    if not cells:
        raise ValueError("a table needs an agent and a number of players, got none")
    n_games = checks.whole("n_games", n_games, 2, MOST_GAMES)
    seed = checks.whole("seed", seed, 0)
    results: dict[tuple[str, int], SelfPlay] = {}
    with Bar("self-play", len(cells) * n_games, "games") as bar:

        def decks():
            for game in range(n_games):
                bar(len(results) * n_games + game)
                yield np.random.default_rng([seed, game])

        try:
            for name, n in cells:
                results[name, n] = play_games(seat(agents[name], n), decks())
        except KeyboardInterrupt as stop:
            if isinstance(stop, Interrupted):
                results[name, n] = stop.result
            if not results:
                raise
            n_done = sum(len(cell.scores) for cell in results.values())
            done = f"stopped after {n_done:,} of {len(cells) * n_games:,} games; they are kept"
            raise Interrupted(done, ScoreTable(results, n_games, seed)) from stop
    return ScoreTable(results, n_games, seed)
