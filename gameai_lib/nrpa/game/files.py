"""Readers of the public file formats, and games saved as JSON.

Morpion records in the MSR 0.1 JSON of morpion-solitaire.io, SameGame boards and move lists as
plain text, TSPTW instances as collected at lopez-ibanez.eu/tsptw-instances. A damaged file
is refused with its name and line.
"""

import json
import math
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import short
from gameai_lib.base.files import write_whole
from gameai_lib.base.types import FilePath, Ints
from gameai_lib.nrpa.game import morpion
from gameai_lib.nrpa.game.samegame import MOST_COLOURS, SIZE
from gameai_lib.nrpa.game.tsptw import MOST_CITIES, Instance
from gameai_lib.nrpa.problem.problem import Problem
from gameai_lib.nrpa.problem.registry import judge
from gameai_lib.nrpa.problem.rules import first_line
from gameai_lib.nrpa.problem.walk import Playout, playout_of


class DamagedFileError(ValueError):
    """A file does not hold what its format promises."""

    def __init__(self, path, line, fault):
        super().__init__(path, line, fault)  # a pickled error is made again from these

    def __str__(self):
        path, line, fault = self.args
        where = f"{path}, line {line}" if line else f"{path}"
        return f"{where}: {fault}"


def _read_text(path):
    content = checks.file_path(path).read_bytes()
    try:
        return content.decode("utf-8-sig")  # some editors begin a file with a mark
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        fault = f"byte 0x{content[error.start]:02x} is not text in UTF-8"
        raise DamagedFileError(path, line, fault) from error


def _read_rows(path):
    """Each line's number and its words, with spaces or commas between; '#' begins a comment."""
    lines = enumerate(_read_text(path).splitlines(), 1)
    rows = [(number, text.split("#")[0].replace(",", " ").split()) for number, text in lines]
    rows = [(number, words) for number, words in rows if words]
    if not rows:
        raise DamagedFileError(path, 0, "the file is empty")
    return rows


def _number(path, line, word):
    try:
        value = float(word)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise DamagedFileError(path, line, f"{short(word)} is not a finite number")
    return value


def _table(path, rows, n_columns):
    """Rows of so many numbers as a float array."""
    for line, words in rows:
        if len(words) != n_columns:
            raise DamagedFileError(path, line, f"{len(words)} entries, expected {n_columns}")
    return np.array([[_number(path, line, word) for word in words] for line, words in rows])


def _whole_table(path, rows, n_columns, most):
    """Rows of so many whole numbers from 0 to `most` as an int array."""
    table = _table(path, rows, n_columns)
    odd = np.argwhere((table % 1 != 0) | (table < 0) | (table > most))
    if odd.size:
        row, column = odd[0]
        line, words = rows[row]
        raise DamagedFileError(path, line, f"{short(words[column])} is not in 0 .. {most}")
    return table.astype(np.int64)


def read_tsptw(path: FilePath) -> Instance:
    """Read n, an n x n matrix and n windows "open close" (Potvin and Bengio, AFG, Dumas).

    A `DamagedFileError` says if they are no `Instance`.
    """
    head, *rows = _read_rows(path)
    n = _whole_table(path, [head], 1, MOST_CITIES).item()
    if len(rows) != 2 * n:
        last, _ = (head, *rows)[-1]
        fault = f"{len(rows)} rows after the size, expected {2 * n} for {n} cities"
        raise DamagedFileError(path, last, fault)
    distance, windows = _table(path, rows[:n], n), _table(path, rows[n:], 2)
    with _blaming(path):
        return Instance(Path(path).stem, distance, windows)


def read_board(path: FilePath) -> Ints:
    """Read a SameGame board: a line for each row, top row first.

    Colours are numbers from 0 to 6 with spaces or commas between, digits without, or letters, which
    count from 0 in the order of the alphabet, capitals first. A `DamagedFileError` says if lines
    differ in length, or a colour is none.
    """
    rows = _read_rows(path)
    if all(len(words) == 1 for _, words in rows):
        rows = [(line, list(word)) for line, (word,) in rows]  # each sign is a cell
    cells = [word for _, words in rows for word in words]
    if all(len(word) == 1 and word.isascii() and word.isalpha() for word in cells):
        letters = sorted({*cells})
        rows = [(line, [str(letters.index(word)) for word in words]) for line, words in rows]
    return _whole_table(path, rows, len(rows[0][1]), MOST_COLOURS - 1)


def read_cells(path: FilePath) -> Ints:
    """Read a SameGame game: one "column row" a line, from 0, row 0 at the bottom."""
    return _whole_table(path, _read_rows(path), 2, SIZE - 1)


@contextmanager
def _blaming(path):
    """Say of what is wrong with the content of a file that it is the file."""
    try:
        yield
    except KeyError as error:
        raise DamagedFileError(path, 0, f"there is no {error}") from error
    except (TypeError, ValueError, RecursionError) as error:
        raise DamagedFileError(path, 0, first_line(error)) from error


def _read_json(path):
    text = _read_text(path)
    with _blaming(path):
        return checks.kind("the JSON", json.loads(text), dict)


def read_morpion(path: FilePath) -> tuple[str, Ints]:
    """Read a Morpion record (MSR 0.1 JSON): its variant and its move codes."""
    record = _read_json(path)
    with _blaming(path):
        variant = checks.one_of("variant", record["variant"], morpion.VARIANTS)
        lines, codes = [], []
        for ply, move in enumerate(checks.kind("moves", record["moves"], list)):
            direction, line = _read_move(f"moves[{ply}]", move, variant)
            lines.append(line)
            x, y = line[0]
            codes.append(morpion.code_of(x, y, direction))
        morpion.judge_morpion(variant, lines)
    return variant, np.array(codes, np.int64)


def _read_move(where, move, variant):
    """The direction of a move, and all points of its line."""
    checks.kind(where, move, dict)
    direction = checks.one_of(f"{where}.dir", move["dir"], morpion.DIRECTIONS)
    length, (dx, dy) = morpion.VARIANTS[variant][0], morpion.DIRECTIONS[direction]
    low, high = morpion.COORDINATES[0], morpion.COORDINATES[-1]
    x, y = (checks.whole(f"{where}.{axis}", move[axis], low, high) for axis in "xy")
    place = checks.whole(f"{where}.pos", move["pos"], 0, length - 1)
    return direction, [(x + i * dx, y + i * dy) for i in range(-place, length - place)]


def save_game(path: FilePath, problem: Problem, playout: Playout, **about: Any) -> None:
    """Save a game that the referee accepts; the file is written whole or not at all.

    It holds the problem's name, the score, and choice and code of each move; and `about`, such as
    seed and parameters of the search: JSON values, numpy scalars or arrays. A ValueError says if
    the referee disagrees with the game, or its codes are not those of its choices.

    Examples
    --------
    >>> import tempfile
    >>> problem = morpion("4D")
    >>> best = NRPA(problem, 1, level=2, n_iterations=20).run()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_game(f"{folder}/game.json", problem, best, seed=1, level=2)
    ...     game, about = load_game(f"{folder}/game.json", problem)
    >>> game.score, about
    (31.0, {'seed': 1, 'level': 2})
    """
    playout = _checked_game(problem, *checks.kind("playout", playout, Playout))
    record = {
        "problem": problem.name,
        "score": playout.score,
        "about": about,
        "choices": playout.choices.tolist(),
        "codes": playout.codes.tolist(),
    }
    try:
        text = json.dumps(record, default=_plain)
    except (TypeError, ValueError, RecursionError) as error:
        raise TypeError(f"`about` cannot be saved as JSON: {first_line(error)}") from error
    write_whole(path, text + "\n")


def _plain(value):
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    raise TypeError(f"JSON has nothing for {short(value)}")


def _checked_game(problem, score, choices, codes):
    """The game of these choices, if its codes are `codes` and the referee agrees."""
    playout = playout_of(problem, choices)
    if not np.array_equal(playout.codes, arrays.whole("codes", codes)):
        raise ValueError("choices and codes tell different games")
    playout = playout._replace(score=checks.number("score", score, -np.inf, np.inf))
    judge(problem, playout)
    return playout


def load_game(path: FilePath, problem: Problem) -> tuple[Playout, dict[str, Any]]:
    """Load a saved game and what was said about it, after the referee has replayed it.

    A `DamagedFileError` says if the file is not a game of this problem, or the referee disagrees.
    """
    checks.kind("problem", problem, Problem)
    record = _read_json(path)
    with _blaming(path):
        if record["problem"] != problem.name:
            raise ValueError(f"a game of {short(record['problem'])}, not {short(problem.name)}")
        about = checks.kind("about", record["about"], dict)
        game = _checked_game(problem, record["score"], record["choices"], record["codes"])
    return game, about
