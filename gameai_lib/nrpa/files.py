"""Readers of the public file formats, and games saved as JSON.

Morpion records in the MSR 0.1 JSON of morpion-solitaire.io, SameGame boards and move lists as
plain numbers, TSPTW instances as collected at lopez-ibanez.eu/tsptw-instances. A damaged file
is refused with its name and line.
"""

import json
from pathlib import Path

import numpy as np

from gameai_lib._files import write_whole
from gameai_lib.nrpa import morpion, samegame
from gameai_lib.nrpa.problem import CODE, Playout, Problem, game
from gameai_lib.nrpa.referee import judge
from gameai_lib.nrpa.tsptw import Instance


class DamagedFileError(ValueError):
    """A file does not hold what its format promises."""

    def __init__(self, path, line, fault):
        where = f"{path}, line {line}" if line else f"{path}"
        super().__init__(f"{where}: {fault}")


def _numbers(path):
    """Rows of numbers with their line numbers; '#' begins a comment."""
    rows = []
    for number, text in enumerate(Path(path).read_text().splitlines(), 1):
        values = []
        for word in text.split("#")[0].split():
            try:
                values.append(float(word))
            except ValueError:
                raise DamagedFileError(path, number, f"{word!r} is not a number") from None
            if not np.isfinite(values[-1]):
                raise DamagedFileError(path, number, f"{word!r} is not a finite number")
        if values:
            rows.append((number, values))
    if not rows:
        raise DamagedFileError(path, 0, "the file is empty")
    return rows


def _expect_columns(path, rows, n_columns):
    for number, values in rows:
        if len(values) != n_columns:
            raise DamagedFileError(path, number, f"{len(values)} numbers, expected {n_columns}")
    return np.array([values for _, values in rows])


def _integers(path, rows, n_columns, low, high):
    table = _expect_columns(path, rows, n_columns)
    for (number, _), values in zip(rows, table, strict=True):
        for value in values:
            if value != int(value) or not low <= value <= high:
                raise DamagedFileError(path, number, f"{value:g} is not in {low} .. {high}")
    return table.astype(np.int64)


def read_tsptw(path) -> Instance:
    """Read n, an n x n matrix and n windows "open close" (Potvin and Bengio, AFG, Dumas).

    Raises
    ------
    DamagedFileError
        If numbers are missing, too many, negative, not finite or not numeric, or a window
        closes before it opens.
    """
    (first, size), *rows = _numbers(path)
    n = int(size[0])
    if len(size) != 1 or n != size[0] or n < 2:
        raise DamagedFileError(path, first, f"the number of cities cannot be {size}")
    if len(rows) != 2 * n:
        last = rows[-1][0] if rows else first
        raise DamagedFileError(
            path, last, f"{len(rows)} rows after the size, expected {2 * n} for {n} cities"
        )
    distance = _expect_columns(path, rows[:n], n)
    windows = _expect_columns(path, rows[n:], 2)
    for (number, _), distances in zip(rows[:n], distance, strict=True):
        if distances.min() < 0:
            raise DamagedFileError(path, number, f"negative distance {distances.min():g}")
    for (number, _), (opening, closing) in zip(rows[n:], windows, strict=True):
        if closing < opening:
            raise DamagedFileError(
                path, number, f"window closes at {closing:g} before it opens at {opening:g}"
            )
    return Instance(Path(path).stem, distance, windows)


def read_board(path) -> np.ndarray:
    """Read a SameGame board: 15 lines of 15 colours 0 to 4, first line on top.

    Raises
    ------
    DamagedFileError
        If the shape or a colour is wrong.
    """
    rows = _numbers(path)
    board = _integers(path, rows, samegame.SIZE, 0, samegame.N_COLOURS - 1)
    if len(board) != samegame.SIZE:
        raise DamagedFileError(path, rows[-1][0], f"{len(board)} rows, expected {samegame.SIZE}")
    return board


def read_cells(path) -> np.ndarray:
    """Read a SameGame game: one "column row" a line, from 0, row 0 at the bottom.

    Raises
    ------
    DamagedFileError
        If a line is not two such numbers.
    """
    return _integers(path, _numbers(path), 2, 0, samegame.SIZE - 1)


def samegame_choices(problem: Problem, cells) -> np.ndarray:
    """Translate cells (column, row) into choices among the legal groups.

    Raises
    ------
    ValueError
        If a cell is in no legal group.
    """
    ints, floats = problem.ints.copy(), problem.floats.copy()
    codes = np.empty(problem.max_legal, CODE)
    problem.rules.reset(ints, floats)
    choices = []
    for column, row in cells:
        problem.rules.legal(ints, floats, codes, 0)
        choices.append(samegame.group_at(ints, int(column), int(row)))
        problem.rules.play(ints, floats, choices[-1], int(codes[choices[-1]]))
    return np.array(choices, np.int64)


def read_morpion(path) -> tuple[str, np.ndarray]:
    """Read a Morpion record (MSR 0.1 JSON): its variant and its move codes.

    Raises
    ------
    DamagedFileError
        If the file is not such a record, or a move does not add the point it names.
    """
    record = _read_json(path)
    try:
        variant, moves = record["variant"], record["moves"]
        length = morpion.VARIANTS[variant][0]
        points = set(morpion.start_points(variant))
        codes = np.empty(len(moves), np.int64)
        for i, move in enumerate(moves):
            dx, dy = morpion.DIRECTIONS[move["dir"]]
            x, y, place = move["x"], move["y"], move["pos"]
            if not 0 <= place < length or (x, y) in points:
                raise DamagedFileError(path, 0, f"move {i + 1} does not add a point: {move}")
            points.add((x, y))
            codes[i] = morpion.code_of(x - place * dx, y - place * dy, move["dir"])
    except (KeyError, TypeError) as error:
        raise DamagedFileError(path, 0, f"not a Morpion record: {error!r}") from error
    return variant, codes


def save_game(path, problem: Problem, playout: Playout, **about) -> None:
    """Save a game that the referee accepts; the file is written whole or not at all.

    Parameters
    ----------
    path : path-like
    problem : Problem
    playout : Playout
    **about
        Seed and parameters of the search, as JSON values.

    Raises
    ------
    ValueError
        If the referee disagrees with the game.
    """
    judge(problem, playout)
    record = {
        "problem": problem.name,
        "score": playout.score,
        "about": about,
        "choices": [int(choice) for choice in playout.choices],
        "codes": [int(code) for code in playout.codes],
    }
    write_whole(path, json.dumps(record) + "\n")


def load_game(path, problem: Problem) -> tuple[Playout, dict]:
    """Load a saved game and what was said about it, after the referee has replayed it.

    Raises
    ------
    DamagedFileError
        If the file is not a game of this problem, or the referee disagrees.
    """
    record = _read_json(path)
    try:
        if record["problem"] != problem.name:
            raise DamagedFileError(path, 0, f"a game of {record['problem']}, not {problem.name}")
        playout = game(problem, np.array(record["choices"], np.int64))
        if list(playout.codes) != record["codes"]:
            raise DamagedFileError(path, 0, "choices and codes tell different games")
        playout = playout._replace(score=float(record["score"]))
        judge(problem, playout)
        return playout, record["about"]
    except DamagedFileError:
        raise
    except (KeyError, TypeError, ValueError) as error:
        raise DamagedFileError(path, 0, str(error)) from error


def _read_json(path):
    try:
        record = json.loads(Path(path).read_text())
    except json.JSONDecodeError as error:
        raise DamagedFileError(path, error.lineno, error.msg) from error
    if not isinstance(record, dict):
        raise DamagedFileError(path, 1, "not a JSON object")
    return record
