"""Tables of results on real games, as the chapter shows them.

Written by ``book/gameai_book/btmm/measure/results.py``, ``errors.py``, ``learned.py``,
``scale.py``, ``duels.py`` and ``seasons.py``.
"""

import csv
from pathlib import Path

import numpy as np

from gameai_lib.base.checks import short
from gameai_lib.btmm.model.scores import Calibration
from gameai_lib.tables import Column

DATA = Path(__file__).parents[1] / "data"


def read_table(name, split=0):
    """Return the rows of a table of results as dicts, numbers as numbers.

    "results" are of fits, "curves" of their sweeps, "squares" errors of Reversi's squares,
    "calibration" predicted chances of Connect-6 beside how often they came true, "nine" lines of
    nine cells in one position, "scale" all of Othello, "duels" passes and times of methods for
    players one against one, "seasons_simulated", "seasons_premier" and "seasons_leagues" predicted
    games. `split` is the seed of the test games.
    """
    with (DATA / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        rows = [{key: _number(text) for key, text in row.items()} for row in csv.DictReader(file)]
    return [row for row in rows if row.get("split", split) == split]


def _number(text):
    try:
        return float(text) if "." in text else int(text)
    except ValueError:
        return text


def rows_of(part):
    """Return the rows of a part of the table "scale", a dict for each case.

    It has `features`, `n_games`, `case`, and what was measured; the standard error of a quantity,
    in nats or shares, stands under its name and " error".
    """
    found = {}
    for row in read_table("scale"):
        if row["part"] == part:
            which = {key: row[key] for key in ("features", "n_games", "case")}
            case = found.setdefault(tuple(which.values()), which)
            case[row["quantity"]] = row["value"]
            if row["error"] != "":
                case[row["quantity"] + " error"] = row["error"]
    if not found:
        raise ValueError(f"the table has no part {short(part)}")
    return list(found.values())


FIELDS = {
    "league": "league of {}",
    "arena": "arena of {}",
    "dense": "all against all, {}",
    "opens": "open of {}",
    "ring": "ring of {}",
}
METHODS = {
    "MM, one by one": "MM",
    "accelerated MM": "accelerated",
    "Newman": "Newman",
    "Newton": "Newton",
}


def duels(quantity):
    """Return "passes" or "ms" of the table "duels": columns by name, a row for each field."""
    rows = {(row["case"], row["method"]): row for row in read_table("duels")}
    size = {case: f"{rows[case, 'Newman']['players']:,}" for case in FIELDS}
    columns = {"field": [words.format(size[case]) for case, words in FIELDS.items()]}
    for method, name in METHODS.items():
        columns[name] = [rows[case, method][quantity] for case in FIELDS]
    return columns


def seasons():
    """Return nats above the truth in "seasons_simulated", by method, a row for each walk."""
    rows = {(row["case"], row["method"]): row for row in read_table("seasons_simulated")}
    walks = list(dict.fromkeys(case for case, _ in rows))
    columns = {"walk": Column(walks, ".0f", "Elo a round")}
    for method in ("all games alike", "Elo", "history"):
        cells = [rows[walk, method] for walk in walks]
        errors = [row["above_error"] for row in cells]
        columns[method] = Column([row["above"] for row in cells], ".3f", "nats", errors)
    return columns


def n_games(rows):
    """Return the number of games of all `rows`, for a caption; rows that differ need a column."""
    (number,) = {row["n_games"] for row in rows}
    return number


def calibrations(rows):
    """Return the `Calibration` of each kind of games in the table "calibration" (`rows`)."""
    found = {}
    for name in dict.fromkeys(row["games"] for row in rows):
        some = [row for row in rows if row["games"] == name]
        columns = (np.array([row[field] for row in some]) for field in Calibration._fields)
        found[name] = Calibration(*columns)
    return found
