"""Result tables of games too slow to play while a page is built.

A table holds wins, draws and losses of every point of a space, in the order of
`SearchSpace.all_points`; the script `benchmarks/ntbea_tables.py` plays the games.
"""

import csv
import io
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gameai_lib._files import write_whole

DATA = Path(__file__).with_name("data")
_COUNTS = ("wins", "draws", "losses")
_RESULTS = {"W": 1, "D": 0, "L": -1}


class ResultTable(NamedTuple):
    """Game results of every point of a space."""

    wins: np.ndarray  # (size,) int
    draws: np.ndarray  # (size,) int
    losses: np.ndarray  # (size,) int

    @property
    def n_games(self):
        """Games played at each point, (size,) int."""
        return self.wins + self.draws + self.losses

    @property
    def mean(self):
        """Mean result of each point between -1 and 1, (size,) float."""
        return (self.wins - self.losses) / self.n_games

    @property
    def standard_error(self):
        """Standard error of each mean, (size,) float."""
        second = (self.wins + self.losses) / self.n_games
        return np.sqrt(np.maximum(second - self.mean**2, 0.0) / (self.n_games - 1))


def empty_table(space):
    """Return a table of `space` without games."""
    return ResultTable(*np.zeros((3, space.size), np.int64))


def load_table(path, space):
    """Read a table of `space`, a CSV file with one row a point.

    Raises
    ------
    ValueError
        If the file does not list the points of `space` in their order.
    """
    rows = _read_points(path, space, _COUNTS)
    counts = np.array([row[space.n_dims :] for row in rows], dtype=np.int64)
    return ResultTable(*counts.T)


def save_table(path, space, table):
    """Write `table` of `space` as CSV, whole or not at all."""
    _write_points(path, space, _COUNTS, np.array(table).T.tolist())


def load_games(path, space):
    """Read the results of single games of every point, (size, n_games) int of 1, 0 and -1.

    Raises
    ------
    ValueError
        If the file does not list the points of `space` in their order.
    """
    rows = _read_points(path, space, ("results",))
    return np.array([[_RESULTS[letter] for letter in row[-1]] for row in rows])


def save_games(path, space, games):
    """Write the results of single games, (size, n_games), as a letter W, D or L each."""
    letters = {result: letter for letter, result in _RESULTS.items()}
    texts = [["".join(letters[int(result)] for result in row)] for row in games]
    _write_points(path, space, ("results",), texts)


def _read_points(path, space, columns):
    """Rows of a CSV file that lists the points of `space` and then has `columns`."""
    with open(path, newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    if tuple(header) != space.names + columns:
        raise ValueError(f"{path} has columns {header}, not those of {space}")
    expected = [[str(v) for v in space.values_of(p).values()] for p in space.all_points()]
    if [row[: space.n_dims] for row in rows] != expected:
        raise ValueError(f"{path} does not list the points of {space}")
    return rows


def _write_points(path, space, columns, cells):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(space.names + columns)
    for point, row in zip(space.all_points(), cells, strict=True):
        writer.writerow([*space.values_of(point).values(), *row])
    write_whole(path, text.getvalue())
