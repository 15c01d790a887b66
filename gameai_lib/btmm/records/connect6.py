"""A CSV of Connect-6 games: columns ``game_id, moves, winner``, a game a line.

It is the format of the set named in the book's chapter.
"""

import csv

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.base.types import FilePath
from gameai_lib.btmm.game import connect6
from gameai_lib.btmm.game.positions import COLOURS, RecordError
from gameai_lib.btmm.records.games import Game, Games, legal_records


def read_connect6(path: FilePath, skip_damaged: bool = False) -> Games[Game]:
    """Return the `Games` of a CSV, one at a time.

    A `RecordError` when a game is asked for: for missing columns, always; for a damaged line, an
    unknown point, an illegal stone, or a winner the board denies unless `skip_damaged`.
    """
    return Games(_find_games(checks.file_path(path)), skip_damaged)


def _find_games(path):
    with path.open("rb") as file:
        columns = _columns(file.readline(), path.name)
        n_games = 0
        for number, raw in enumerate(file, start=2):
            if not raw.strip():
                continue
            n_games += 1
            line = f"{path.name}: line {number}"
            try:
                fields = _fields(raw, line)
                if len(fields) != len(columns):
                    raise RecordError(f"{line}: {len(columns)} columns, but {len(fields)} fields")
                row = dict(zip(columns, fields, strict=True))
                yield _game(row, n_games, f"{line}, game {n_games}")
            except RecordError as error:
                yield error


def _columns(raw, name):
    columns = _fields(raw.removeprefix(b"\xef\xbb\xbf"), f"{name}: line 1")
    if columns.count("moves") != 1 or columns.count("winner") != 1:
        raise RecordError(f"{name}: needs columns moves and winner, has {short(columns)}")
    return columns


def _fields(raw, name):
    """Return the list of fields of a line."""
    try:
        # Line by line: a stray quote then damages no more than its own line.
        rows = list(csv.reader([raw.decode("utf-8").rstrip("\r\n")], strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        raise RecordError(f"{name}: {error}") from error
    return rows[0] if rows else []


def _game(row, number, name):
    cells = []
    for i, square in enumerate(row["moves"].split(",")):
        try:
            cells.append(connect6.cell_of(square.strip()))
        except ValueError as error:
            raise RecordError(f"{name}, stone {i + 1}: {error}") from error
    game = legal_records(cells, connect6, name)
    winner = COLOURS.get(int(connect6.winner_of(game)[0]), "")
    if row["winner"] != winner:
        raise RecordError(f"{name}: winner is {short(row['winner'])}, the board says {winner!r}")
    result = {"": None, "black": 1.0, "white": 0.0}[winner]
    return Game(number, game.moves, result=result)
