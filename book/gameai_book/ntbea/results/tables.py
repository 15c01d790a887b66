"""Result tables of games too slow to play while a page is built, and Planet Wars from its table.

A table holds wins, draws and losses of every point of a space, in the order of
`SearchSpace.all_points`; `gameai_book.ntbea.measure.tables` plays the games and writes the files.
"""

import csv
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gameai_lib.ntbea import Problem
from gameai_lib.ntbea.game import planet_wars, space_battle

DATA = Path(__file__).parents[1] / "data"
COUNTS = ("wins", "draws", "losses")
RESULTS = {"W": 1, "D": 0, "L": -1}


class ResultTable(NamedTuple):
    """Game results of every point of a space."""

    wins: np.ndarray  #: (size,) int
    draws: np.ndarray  #: (size,) int
    losses: np.ndarray  #: (size,) int

    @property
    def mean(self):
        """Mean result of each point between -1 and 1, (size,) float."""
        return (self.wins - self.losses) / (self.wins + self.draws + self.losses)


def load_table(path, space):
    """Read a `ResultTable` of `space`, a CSV file with one row a point."""
    return ResultTable(*np.array(_read_points(path, space, COUNTS), np.int64).T)


def load_games(path, space):
    """Read the results of single games of every point, (size, n_games) int of 1, 0 and -1."""
    rows = _read_points(path, space, ("results",))
    return np.array([[RESULTS[letter] for letter in letters] for (letters,) in rows], np.int64)


@cache
def ship_games():
    """Results of 400 games under each of the 32 `FEW_RULES` of the ships: 1, ½ or 0."""
    return (load_games(DATA / "space_battle.csv", space_battle.FEW_RULES) + 1) / 2


@cache
def planet_wars_table():
    """Planet Wars' 288 agents with win rates from the table: instant games, -1 or 1.

    A draw of the table counts as half a win and half a loss.
    """
    space = planet_wars.AGENT_SPACE
    return problem_of("Planet Wars", space, load_table(DATA / "planet_wars.csv", space).mean)


def problem_of(name, space, means):
    """Return the problem of games, -1 or 1, of which `space` has the means."""
    values = partial(_look_up, means, space.n_values)
    return Problem(name, space, values, outcomes=(-1.0, 1.0))


def _look_up(means, shape, points):
    """True values of points; a function of this module, so that a process pool can be sent it."""
    return means[np.ravel_multi_index(points.T, shape)]


def read_csv(path, header):
    """Return the rows of a CSV file, lists of texts; a ValueError if it has another header."""
    with open(path, newline="", encoding="utf-8") as file:
        first, *rows = csv.reader(file)
    if tuple(first) != tuple(header):
        raise ValueError(f"{path} has columns {first}, not those of {list(header)}")
    return rows


def _read_points(path, space, columns):
    """Cells of the `columns` in a CSV file that lists the points of `space` before them."""
    rows = read_csv(path, space.names + columns)
    named = [[*map(str, space.values_of(point).values())] for point in space.all_points()]
    if [row[: space.n_dims] for row in rows] != named:
        raise ValueError(f"{path} does not list the points of {space}")
    return [row[space.n_dims :] for row in rows]
