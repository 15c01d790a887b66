"""Readers of the public file formats, and games saved as JSON.

Morpion records in the MSR 0.1 JSON of morpion-solitaire.io, SameGame boards and move lists as
plain text, TSPTW instances as collected at lopez-ibanez.eu/tsptw-instances. A damaged file
is refused with its name and line.
"""

import json
from itertools import zip_longest
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
    rows = []
    for number, text in enumerate(_read_text(path).splitlines(), 1):
        text = text.split("#")[0]
        words = [word.strip() for word in text.split(",")] if "," in text else text.split()
        if "" in words[:-1]:
            raise DamagedFileError(path, number, "a comma has nothing before it")
        if words := [word for word in words if word]:
            rows.append((number, words))
    if not rows:
        raise DamagedFileError(path, 0, "the file is empty")
    return rows


def _read_numbers(path):
    """Each line's number, its words and the numbers that they are."""
    return [(number, words, _numbers(path, number, words)) for number, words in _read_rows(path)]


def _numbers(path, line, words):
    for word in words:
        try:
            # Python also reads 3_5 and digits of other scripts.
            value = float(word if word.isascii() and "_" not in word else "-")
        except ValueError:
            raise DamagedFileError(path, line, f"{short(word)} is not a number") from None
        if not np.isfinite(value):
            raise DamagedFileError(path, line, f"{short(word)} is not a finite number")
    return [float(word) for word in words]


def _table(path, rows, n_columns):
    for line, words, _ in rows:
        if len(words) != n_columns:
            raise DamagedFileError(path, line, f"{len(words)} numbers, expected {n_columns}")
    return np.array([values for _, _, values in rows])


def _whole_table(path, rows, n_columns, most):
    table = _table(path, rows, n_columns)
    for line, words, values in rows:
        for word, value in zip(words, values, strict=True):
            if value != int(value) or not 0 <= value <= most:
                raise DamagedFileError(path, line, f"{_quote(word)} is not in 0 .. {most}")
    return table.astype(np.int64)


def _quote(word):
    return short(word).strip("'")


def read_tsptw(path: FilePath) -> Instance:
    """Read n, an n x n matrix and n windows "open close" (Potvin and Bengio, AFG, Dumas).

    Raises
    ------
    DamagedFileError
        If numbers are missing, too many or out of range, or a window closes before it opens.
    """
    (line, words, size), *rows = _read_numbers(path)
    n = int(size[0])
    if len(size) != 1 or n != size[0] or not 2 <= n <= MOST_CITIES:
        fault = f"the number of cities cannot be {short(' '.join(words))}"
        raise DamagedFileError(path, line, fault)
    if len(rows) != 2 * n:
        fault = f"{len(rows)} rows after the size, expected {2 * n} for {n} cities"
        raise DamagedFileError(path, rows[-1][0] if rows else line, fault)
    distance, windows = _table(path, rows[:n], n), _table(path, rows[n:], 2)
    for line, words, values in rows[:n]:
        if min(values) < 0:
            fault = f"negative distance {_quote(words[values.index(min(values))])}"
            raise DamagedFileError(path, line, fault)
    for line, (opening, closing), values in rows[n:]:
        if values[0] < 0:
            fault = f"window opens at {_quote(opening)}, before time 0"
            raise DamagedFileError(path, line, fault)
        if values[1] < values[0]:
            fault = f"window closes at {_quote(closing)} before it opens at {_quote(opening)}"
            raise DamagedFileError(path, line, fault)
    try:
        return Instance(Path(path).stem, distance, windows)
    except ValueError as error:
        raise DamagedFileError(path, 0, str(error)) from error


def read_board(path: FilePath) -> Ints:
    """Read a SameGame board: a line for each row, top row first.

    Colours are numbers from 0 to 6 or letters, with spaces or commas between, or digits or
    letters without. Letters are numbered from 0 in the order of the alphabet, capitals first.

    Raises
    ------
    DamagedFileError
        If lines differ in length, or a colour is none.
    """
    rows = _read_rows(path)
    lines = [words[0] for _, words in rows]
    if all(len(words) == 1 for _, words in rows) and (
        all(map(_is_letter, lines[0])) or all(line.isdecimal() for line in lines)
    ):
        rows = [(number, list(word)) for number, (word,) in rows]  # each sign is a cell
    n_columns = len(rows[0][1])
    if _is_letter(rows[0][1][0]):
        return _letters(path, rows, n_columns)
    numbers = [(line, words, _numbers(path, line, words)) for line, words in rows]
    return _whole_table(path, numbers, n_columns, MOST_COLOURS - 1)


def _is_letter(word):
    return len(word) == 1 and word.isascii() and word.isalpha()


def _letters(path, rows, n_columns):
    """The numbers of letters, in the order of the alphabet."""
    for line, words in rows:
        for word in words:
            if not _is_letter(word):
                raise DamagedFileError(path, line, f"{short(word)} is not a letter")
        if len(words) != n_columns:
            raise DamagedFileError(path, line, f"{len(words)} letters, expected {n_columns}")
    _, numbers = np.unique([words for _, words in rows], return_inverse=True)
    return numbers.reshape(-1, n_columns).astype(np.int64)


def read_cells(path: FilePath) -> Ints:
    """Read a SameGame game: one "column row" a line, from 0, row 0 at the bottom."""
    return _whole_table(path, _read_numbers(path), 2, SIZE - 1)


def read_morpion(path: FilePath) -> tuple[str, Ints]:
    """Read a Morpion record (MSR 0.1 JSON): its variant and its move codes."""
    record = _read_json(path)
    variant = _one_of(path, record, "variant", morpion.VARIANTS)
    points, lines, codes = set(morpion.start_points(variant)), [], []
    for ply, move in enumerate(_entry(path, record, "moves", "array")):
        point, direction, line = _read_move(path, f"moves[{ply}]", move, variant)
        if point in points:
            fault = f"moves[{ply}] does not add a point: {short(move)}"
            raise DamagedFileError(path, 0, fault)
        points.add(point)
        lines.append(line)
        x, y = line[0]
        codes.append(morpion.code_of(x, y, direction))
    try:
        morpion.judge_morpion(variant, lines)
    except ValueError as error:
        raise DamagedFileError(path, 0, f"moves: {error}") from error
    return variant, np.array(codes, np.int64)


def _read_move(path, where, move, variant):
    """The new point of a move, its direction and all points of its line."""
    if not isinstance(move, dict):
        raise DamagedFileError(path, 0, f"{where} is {short(move)}, not a JSON object")
    direction = _one_of(path, move, "dir", morpion.DIRECTIONS, f"{where}.")
    length, (dx, dy) = morpion.VARIANTS[variant][0], morpion.DIRECTIONS[direction]
    allowed = {"x": morpion.COORDINATES, "y": morpion.COORDINATES, "pos": range(length)}
    x, y, place = (
        _whole(path, f"{where}.{key}", _entry(path, move, key, "number", f"{where}."), numbers)
        for key, numbers in allowed.items()
    )
    line = [(x + i * dx, y + i * dy) for i in range(-place, length - place)]
    return (x, y), direction, line


def save_game(path: FilePath, problem: Problem, playout: Playout, **about: Any) -> None:
    """Save a game that the referee accepts; the file is written whole or not at all.

    It holds the problem's name, the score, and choice and code of each move; and `about`, such as
    seed and parameters of the search: JSON values, numpy scalars or arrays.

    Raises
    ------
    ValueError
        If the referee disagrees with the game, or its codes are not those of its choices.
    TypeError
        If JSON has nothing for a value of `about`.

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
    codes = arrays.whole("codes", codes).tolist()
    score = checks.number("score", score, -np.inf, np.inf)
    for ply, (played, code) in enumerate(zip_longest(playout.codes, codes)):
        if played != code:
            raise ValueError(
                f"choices and codes tell different games: ply {ply} plays {played}, not {code}"
            )
    playout = playout._replace(score=score)
    judge(problem, playout)
    return playout


def load_game(path: FilePath, problem: Problem) -> tuple[Playout, dict[str, Any]]:
    """Load a saved game and what was said about it, after the referee has replayed it.

    Raises
    ------
    DamagedFileError
        If the file is not a game of this problem, or the referee disagrees.
    """
    checks.kind("problem", problem, Problem)
    record = _read_json(path)
    name, about = _entry(path, record, "problem", "string"), _entry(path, record, "about", "object")
    if name != problem.name:
        fault = f"a game of {short(name)}, not {short(problem.name)}"
        raise DamagedFileError(path, 0, fault)
    choices, codes = (
        [
            _whole(path, f"{key}[{ply}]", value, range(n))
            for ply, value in enumerate(_entry(path, record, key, "array"))
        ]
        for key, n in (("choices", problem.max_legal), ("codes", problem.n_codes))
    )
    score = _entry(path, record, "score", "number")
    try:
        return _checked_game(problem, score, choices, codes), about
    except ValueError as error:
        raise DamagedFileError(path, 0, str(error)) from error


def _read_json(path):
    text = _read_text(path)
    try:
        record = json.loads(text)
    except json.JSONDecodeError as error:
        raise DamagedFileError(path, error.lineno, error.msg) from error
    except (ValueError, RecursionError) as error:  # thousands of digits, or of brackets
        raise DamagedFileError(path, 0, first_line(error)) from error
    if not isinstance(record, dict):
        raise DamagedFileError(path, 1, "not a JSON object")
    return record


# `True` is an int in Python but not a number in JSON, hence exact types.
JSON_TYPES = {"object": [dict], "array": [list], "string": [str], "number": [int, float]}


def _entry(path, record, key, kind, where=""):
    """The value of a key of a JSON object, which must be there and of this JSON type."""
    if key not in record:
        raise DamagedFileError(path, 0, f"there is no {where}{key}")
    if type(record[key]) not in JSON_TYPES[kind]:
        value = short(record[key])
        raise DamagedFileError(path, 0, f"{where}{key} is {value}, not a JSON {kind}")
    return record[key]


def _one_of(path, record, key, allowed, where=""):
    """The value of a key, which must be one of some words."""
    word = _entry(path, record, key, "string", where)
    if word not in allowed:
        raise DamagedFileError(path, 0, f"{where}{key} is {short(word)}, not {', '.join(allowed)}")
    return word


def _whole(path, what, value, allowed):
    """A JSON number as an int, which must lie in a range."""
    if type(value) not in JSON_TYPES["number"] or value not in allowed:
        low, high = allowed[0], allowed[-1]
        fault = f"{what} is {short(value)}, not a whole number in {low} .. {high}"
        raise DamagedFileError(path, 0, fault)
    return int(value)
