"""What several agents score on the same decks, among two to five players, as a table."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.interrupts import Interrupted
from gameai_lib.hanabi.game.play import Agent
from gameai_lib.hanabi.players.self_play import SelfPlay, seat, self_play
from gameai_lib.tables import Column, Table, table


class ScoreTable(NamedTuple):
    """What agents score; it is shown as a table, of text or in a notebook."""

    results: dict[tuple[str, int], SelfPlay]  #: by the agent's name and the number of players
    seed: int  #: game ``i`` of each is dealt by ``numpy.random.default_rng([seed, i])``

    @property
    def table(self) -> Table:
        """The results as a `gameai_lib.tables.Table`."""
        found = self.results.values()
        columns: dict[str, Column | list[Any]] = {
            "agent": [name for name, _ in self.results],
            "players": [n_players for _, n_players in self.results],
            "games": [len(one.scores) for one in found],
            "mean score": Column(
                [one.mean for one in found], ".2f", errors=[one.standard_error for one in found]
            ),
            "lost": [one.n_lost for one in found],
            "perfect": [one.n_perfect for one in found],
        }
        lost = "lost: with the last life, score 0; perfect: all 25."
        return table(columns, caption=f"Points of 25, seed {self.seed}; {lost}")

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
    """Let copies of each agent play by `self_play`, all on the same decks; return a `ScoreTable`.

    The agents, or teams, have names; each plays `n_games` with each number of players, from 2 to 5.
    If Ctrl-C ends the call, the `result` of the KeyboardInterrupt is the table so far.

    Examples
    --------
    >>> agents = {"IGGI": RuleAgent("IGGI"), "Convention": RuleAgent("Convention")}
    >>> score_table(agents, (2, 3), n_games=10, seed=1)
    agent       players  games    mean score  lost  perfect
    IGGI              2     10  17.20 ± 0.44     0        0
    Convention        2     10  20.80 ± 0.44     0        0
    IGGI              3     10  16.60 ± 0.31     0        0
    Convention        3     10  19.70 ± 0.33     0        0
    Points of 25, seed 1; lost: with the last life, score 0; perfect: all 25.
    """
    checks.kind("agents", agents, Mapping)
    checks.kind("n_players", n_players, list, tuple)
    sizes = [checks.whole("n_players", n, 2, 5) for n in n_players]
    n_games, seed = checks.whole("n_games", n_games, 2), checks.whole("seed", seed, 0)
    teams = {(name, n): seat(agents[name], n) for n, name in product(sizes, agents)}
    if not teams:
        raise ValueError("a table needs an agent and a number of players, got none")
    scored = ScoreTable({}, seed)
    try:
        for (name, n), team in teams.items():
            rngs = [np.random.default_rng([seed, game]) for game in range(n_games)]
            scored.results[name, n] = self_play(team, n, rngs)
    except KeyboardInterrupt as stop:
        if hasattr(stop, "result"):
            scored.results[name, n] = stop.result
        raise Interrupted("stopped; what was played is kept", scored) from stop
    return scored
