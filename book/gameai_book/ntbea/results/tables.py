"""Result tables of games too slow to play while a page is built, and Planet Wars from its table.

A table holds wins, draws and losses of every point of a space, in the order of
`SearchSpace.all_points`; the script `book/gameai_book/ntbea/measure/tables.py` plays the games.
"""

import csv
import io
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import short
from gameai_lib.base.files import write_whole
from gameai_lib.ntbea.game import planet_wars, space_battle
from gameai_lib.ntbea.game.problems import Problem
from gameai_lib.ntbea.game.space import SearchSpace

DATA = Path(__file__).parents[1] / "data"
_COUNTS = ("wins", "draws", "losses")
_RESULTS = {"W": 1, "D": 0, "L": -1}
GROWTH = ("evaluations", "threads", "run", "seconds", "megabytes", "loss")  # of growth.csv


class ResultTable(NamedTuple):
    """Game results of every point of a space."""

    wins: np.ndarray  #: (size,) int
    draws: np.ndarray  #: (size,) int
    losses: np.ndarray  #: (size,) int

    @property
    def n_games(self):
        """Games played at each point, (size,) int."""
        return self.wins + self.draws + self.losses

    @property
    def mean(self):
        """Mean result of each point between -1 and 1, (size,) float, nan without games."""
        return _ratio(self.wins - self.losses, self.n_games)

    @property
    def standard_error(self):
        """Standard error of each mean, (size,) float, nan below two games."""
        second = _ratio(self.wins + self.losses, self.n_games)
        return np.sqrt(_ratio(np.maximum(second - self.mean**2, 0.0), self.n_games - 1))


def empty_table(space):
    """Return a table of `space` without games."""
    checks.kind("space", space, SearchSpace)
    return ResultTable(*np.zeros((3, space.size), np.int64))


def load_table(path, space):
    """Read a table of `space`, a CSV file with one row a point.

    Raises
    ------
    ValueError
        If the file does not list the points of `space` in their order, or a count is not a number.
    """
    cells = _read_points(path, space, _COUNTS)
    for row, counts in enumerate(cells, 1):
        for text in counts:
            # Up to a billion games; others would overflow when they are added up.
            if not (text.isascii() and text.isdigit() and len(text) < 10):
                raise ValueError(f"{path}, point {row}: a count of games is not {short(text)}")
    return ResultTable(*np.array(cells, dtype=np.int64).T)


def save_table(path, space, table):
    """Write `table` of `space` as CSV, whole or not at all.

    Raises
    ------
    ValueError, TypeError
        If the table does not hold three counts below a billion for each point.
    """
    checks.kind("space", space, SearchSpace)
    counts = arrays.whole("a table", table, 0, 10**9 - 1, ndim=2)
    _check_shape("a table", counts, (3, space.size))
    _write_points(path, space, _COUNTS, counts.T.tolist())


def load_games(path, space):
    """Read the results of single games of every point, (size, n_games) int of 1, 0 and -1.

    Raises
    ------
    ValueError
        If the file does not list the points of `space` in their order, a result is not W, D
        or L, or the points have unequal numbers of games.
    """
    texts = [text for (text,) in _read_points(path, space, ("results",))]
    for row, text in enumerate(texts, 1):
        if set(text) - set(_RESULTS) or len(text) != len(texts[0]):
            what = f"{len(texts[0])} letters W, D or L"
            raise ValueError(f"{path}, point {row}: results are {what}, got {short(text)}")
    return np.array([[_RESULTS[letter] for letter in text] for text in texts], dtype=np.int64)


def save_games(path, space, games):
    """Write the results of single games, (size, n_games), as a letter W, D or L each.

    Raises
    ------
    ValueError, TypeError
        If a result is not 1, 0 or -1, or there is no row for each point.
    """
    checks.kind("space", space, SearchSpace)
    games = arrays.whole("games", games, -1, 1, ndim=2)
    _check_shape("games", games, (space.size, games.shape[1]))
    letters = {result: letter for letter, result in _RESULTS.items()}
    texts = [["".join(letters[result] for result in row)] for row in games.tolist()]
    _write_points(path, space, ("results",), texts)


def planet_wars_table():
    """Planet Wars' 288 agents with win rates from the table: instant games, -1 or 1.

    A draw of the table counts as half a win and half a loss.
    """
    space = planet_wars.AGENT_SPACE
    values = partial(_looked_up, load_table(DATA / "planet_wars.csv", space).mean, space.n_values)
    return Problem("Planet Wars", space, values, outcomes=(-1.0, 1.0))


def ships_table():
    """The 32 sets of rules of the ships, `FEW_RULES`, from their stored games: -1 or 1.

    A draw counts as half a win and half a loss.
    """
    space = space_battle.FEW_RULES
    means = load_games(DATA / "space_battle.csv", space).mean(axis=1)
    values = partial(_looked_up, means, space.n_values)
    return Problem("Ships", space, values, outcomes=(-1.0, 1.0))


def growth_table():
    """Columns of a table: what `tune` takes on twenty dials of five values.

    Processor seconds of all threads as means with their standard errors, by the number of BLAS's
    threads, how many runs they are of, and of all runs the most memory that one added.
    """
    cells = np.array(read_csv(DATA / "growth.csv", GROWTH), float)
    budgets, threads = np.unique(cells[:, 0]), np.unique(cells[:, 1])
    columns = {"evaluations": [f"{budget:,.0f}" for budget in budgets]}
    counts = [set() for _ in budgets]
    for n_threads in threads:
        runs = [cells[(cells[:, :2] == (b, n_threads)).all(axis=1), 3] for b in budgets]
        name = f"CPU s, {n_threads:.0f} thread{'s' if n_threads > 1 else ''}"
        columns[name] = [f"{x.mean():.1f} ± {x.std(ddof=1) / x.size**0.5:.1f}" for x in runs]
        for seen, x in zip(counts, runs, strict=True):
            seen.add(x.size)
    columns["runs"] = [" or ".join(map(str, sorted(seen))) for seen in counts]
    most = [cells[cells[:, 0] == budget, 4].max() for budget in budgets]
    return columns | {"MB at most": [f"{megabytes:.0f}" for megabytes in most]}


def _looked_up(table, shape, points):
    """True values of points; a function of this module, so that a process pool can be sent it."""
    return table[np.ravel_multi_index(points.T, shape)]


def _ratio(above, below):
    """Quotients of arrays, nan where nothing can be divided by."""
    quotient = np.full(np.shape(above), np.nan)
    return np.divide(above, below, out=quotient, where=np.asarray(below) > 0)


def _check_shape(name, values, shape):
    if values.shape != shape:
        raise ValueError(f"{name} must have shape {shape}, got {values.shape}")


def read_csv(path, header):
    """Return the rows of a CSV file below its `header`, lists of as many texts.

    Raises
    ------
    ValueError
        If the file is not CSV in UTF-8, has another header, or a row of another length.
    """
    with open(checks.file_path(path), newline="", encoding="utf-8") as file:
        try:
            rows = list(csv.reader(file, strict=True))
        except (ValueError, csv.Error) as error:
            raise ValueError(f"{path} is not a CSV file in UTF-8: {short(str(error))}") from error
    if not rows or tuple(rows[0]) != tuple(header):
        got = short(rows[0]) if rows else "none"
        raise ValueError(f"{path} has columns {got}, not those of {short(list(header))}")
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(header):
            raise ValueError(f"{path}, row {number}: {len(header)} cells, got {short(row)}")
    return rows[1:]


def _read_points(path, space, columns):
    """Cells of the `columns` in a CSV file that lists the points of `space` before them."""
    checks.kind("space", space, SearchSpace)
    rows = read_csv(path, space.names + columns)
    if len(rows) != space.size or any(
        row[: space.n_dims] != [str(v) for v in space.values_of(point).values()]
        for row, point in zip(rows, space.all_points(), strict=True)
    ):
        raise ValueError(f"{path} does not list the points of {short(space)}")
    return [row[space.n_dims :] for row in rows]


def _write_points(path, space, columns, cells):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(space.names + columns)
    for point, row in zip(space.all_points(), cells, strict=True):
        writer.writerow([*space.values_of(point).values(), *row])
    write_whole(checks.file_path(path), text.getvalue())
