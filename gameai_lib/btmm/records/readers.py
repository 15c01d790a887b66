"""Readers for public game archives: WTHOR ``.wtb``, a Connect-6 CSV, football JSON.

WTHOR is the format of the archive of the French Othello Federation; the other
two are those of the sets named in the book's chapter. A damaged file raises a
`RecordError` that names file, line or byte, game and move; games, moves and lines count
from 1, bytes from 0. A damaged game can be skipped and counted instead.
"""

import csv
import json
from typing import NamedTuple

import numpy as np

from gameai_lib.btmm._checks import file_path, flag, shown
from gameai_lib.btmm.game import connect6, reversi
from gameai_lib.btmm.game.positions import RecordError, Records, records

WTHOR_HEADER = np.dtype(
    [
        ("century", "u1"),
        ("year", "u1"),
        ("month", "u1"),
        ("day", "u1"),
        ("n_games", "<i4"),
        ("n_players", "<i2"),
        ("games_year", "<i2"),
        ("side", "u1"),
        ("kind", "u1"),
        ("depth", "u1"),
        ("reserved", "u1"),
    ]
)
WTHOR_GAME = np.dtype(
    [
        ("tournament", "<u2"),
        ("black", "<u2"),
        ("white", "<u2"),
        ("score", "u1"),
        ("theoretical", "u1"),
        ("moves", "u1", (60,)),
    ]
)


class Archive(NamedTuple):
    """The games of a file and how many damaged ones were left out."""

    records: Records
    n_skipped: int


class Match(NamedTuple):
    """One football match: names of the home and the away side, and their goals."""

    home: str
    away: str
    home_goals: int
    away_goals: int


def read_wthor(path, skip_damaged=False):
    """Read one ``.wtb`` file of Othello games.

    Where a game is over on the board, black's discs must be those of the record (empty
    squares go to the winner); a game that was given up or cut short cannot be checked so.

    Raises
    ------
    RecordError
        For a wrong header, a cut file or surplus bytes, always; for an unknown square, an
        illegal move or a wrong number of discs unless `skip_damaged`.
    """
    path, skip_damaged = file_path(path), flag("skip_damaged", skip_damaged)
    data = path.read_bytes()
    n_games = _wthor_header(data, path.name)
    games = np.frombuffer(data, WTHOR_GAME, count=n_games, offset=WTHOR_HEADER.itemsize)
    played = _wthor_records(games["moves"])
    status = reversi.first_illegal(played)
    legal = np.flatnonzero(status < 0)
    found = np.full(n_games, -1)
    found[legal] = reversi.final_discs(played.take(legal))
    damaged = (status >= 0) | ((found >= 0) & (found != games["score"]))
    if damaged.any() and not skip_damaged:
        g = int(np.argmax(damaged))
        at = WTHOR_HEADER.itemsize + g * WTHOR_GAME.itemsize
        if status[g] < 0:
            raise RecordError(
                f"{path.name}: game {g + 1}, byte {at + 6}: black's discs are "
                f"{games['score'][g]}, the board says {found[g]}"
            )
        cell = int(played.game(g)[status[g]])
        square = reversi.square_of(cell) if 0 <= cell < reversi.N_CELLS else "an unknown square"
        raise RecordError(
            f"{path.name}: game {g + 1}, move {status[g] + 1}, byte {at + 8 + status[g]}: "
            f"{square} is illegal"
        )
    return Archive(played.take(~damaged), int(damaged.sum()))


def _wthor_header(data, name):
    """Return the number of games, after a look at the header and the size of the file."""
    if len(data) < WTHOR_HEADER.itemsize:
        raise RecordError(f"{name}: {len(data)} bytes are too few for a WTHOR header")
    header = np.frombuffer(data, WTHOR_HEADER, count=1)[0]
    n_games = int(header["n_games"])
    # A side of 0 means 8 in files older than the field.
    if n_games < 0 or header["side"] not in (0, 8):
        raise RecordError(f"{name}: wrong header, {n_games} games on a side of {header['side']}")
    if header["kind"] != 0:
        what = "solitaires, not games" if header["kind"] == 1 else "unknown"
        raise RecordError(f"{name}: byte 13: records of kind {header['kind']} are {what}")
    wanted = WTHOR_HEADER.itemsize + n_games * WTHOR_GAME.itemsize
    found = f"{name}: {n_games} games need {wanted} bytes, found {len(data)}"
    if len(data) > wanted:
        raise RecordError(f"{found}: surplus from byte {wanted} on")
    if len(data) < wanted:
        cut = (len(data) - WTHOR_HEADER.itemsize) // WTHOR_GAME.itemsize
        raise RecordError(f"{found}: game {cut + 1} is cut short")
    return n_games


def _wthor_records(bytes_):
    row, column = bytes_ // 10, bytes_ % 10
    known = (row >= 1) & (row <= 8) & (column >= 1) & (column <= 8)
    cells = np.where(known, (row.astype(np.int16) - 1) * 8 + column - 1, -1).astype(np.int16)
    # Zeros fill the end; a zero before a move is an unknown square.
    lengths = 60 - np.argmax(bytes_[:, ::-1] != 0, axis=1)
    lengths = np.where((bytes_ != 0).any(axis=1), lengths, 0)
    inside = np.arange(60) < lengths[:, None]
    return Records(cells[inside], np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64))


def read_connect6(path, skip_damaged=False):
    """Read a CSV of Connect-6 games: columns ``game_id, moves, winner``, a game a line.

    Raises
    ------
    RecordError
        For missing columns, always; for a damaged line, an unknown point, an illegal stone,
        or a winner the board denies unless `skip_damaged`.
    """
    path, skip_damaged = file_path(path), flag("skip_damaged", skip_damaged)
    games, n_skipped = [], 0
    with path.open("rb") as file:
        columns = _columns(file, path.name)
        n_games = 0
        for number, raw in enumerate(file, start=2):
            if not raw.strip():
                continue
            n_games += 1
            try:
                row = _fields(raw, columns, f"{path.name}: line {number}")
                games.append(_connect6_game(row, f"{path.name}: line {number}, game {n_games}"))
            except RecordError:
                if not skip_damaged:
                    raise
                n_skipped += 1
    return Archive(records(games), n_skipped)


def _columns(file, name):
    columns = _fields(file.readline().removeprefix(b"\xef\xbb\xbf"), None, f"{name}: line 1")
    if columns.count("moves") != 1 or columns.count("winner") != 1:
        raise RecordError(f"{name}: needs columns moves and winner, has {shown(columns)}")
    return columns


def _fields(raw, columns, name):
    """Return the fields of a line: a list, or a dict by `columns`."""
    try:
        # Line by line: a stray quote then damages no more than its own line.
        rows = list(csv.reader([raw.decode("utf-8").rstrip("\r\n")], strict=True))
    except UnicodeDecodeError as error:
        raise RecordError(f"{name}: not a text file: {error.reason}") from error
    except csv.Error as error:
        raise RecordError(f"{name}: {error}") from error
    fields = rows[0] if rows else []
    if columns is None:
        return fields
    if len(fields) != len(columns):
        raise RecordError(f"{name}: {len(columns)} columns, but {len(fields)} fields")
    return dict(zip(columns, fields, strict=True))


def _connect6_game(row, name):
    cells = []
    for i, square in enumerate(row["moves"].split(",")):
        if i == connect6.N_CELLS:
            raise RecordError(f"{name}: more stones than points")
        try:
            cells.append(connect6.cell_of(square.strip()))
        except ValueError as error:
            raise RecordError(f"{name}, stone {i + 1}: {error}") from error
    game = records([cells])
    illegal = int(connect6.first_illegal(game)[0])
    if illegal >= 0:
        square = connect6.square_of(cells[illegal])
        raise RecordError(f"{name}, stone {illegal + 1}: {square} is illegal")
    winner = ("", "black", "white")[connect6.winner_of(game)[0]]
    if row["winner"] != winner:
        raise RecordError(f"{name}: winner is {shown(row['winner'])}, the board says {winner!r}")
    return game.moves


def read_football(path):
    """Read a season in openfootball's JSON; matches without a score are left out.

    Raises
    ------
    RecordError
        If the file is not JSON or a match lacks a side or has a wrong score.
    """
    path = file_path(path)
    try:
        season = json.loads(path.read_bytes().decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise RecordError(f"{path.name}: byte {error.start}: {error.reason}") from error
    except RecursionError as error:
        raise RecordError(f"{path.name}: not a season of matches: nested too deeply") from error
    except ValueError as error:
        text = shown(str(error))
        raise RecordError(f"{path.name}: not a season of matches: {text}") from error
    matches = season.get("matches") if isinstance(season, dict) else None
    if not isinstance(matches, list):
        raise RecordError(f"{path.name}: not a season of matches: matches is {shown(matches)}")
    read = (_match(match, f"{path.name}: match {i}") for i, match in enumerate(matches, start=1))
    return [match for match in read if match is not None]


def _match(match, name):
    """Return the `Match`, or None for one without a score."""
    if not isinstance(match, dict):
        raise RecordError(f"{name} is damaged: {shown(match)}")
    score = match.get("score")
    if not isinstance(score, (dict, type(None))):
        raise RecordError(f"{name} is damaged: score {shown(score)}")
    goals = None if score is None else score.get("ft")
    if goals is None:
        return None
    sides = [match.get("team1"), match.get("team2")]
    for side in sides:
        if not isinstance(side, str) or not side.strip():
            raise RecordError(f"{name} is damaged: a side called {shown(side)}")
    if sides[0] == sides[1]:
        raise RecordError(f"{name} is damaged: {shown(sides[0])} meets itself")
    if not isinstance(goals, list) or len(goals) != 2 or not all(map(_is_goals, goals)):
        raise RecordError(f"{name} is damaged: full time {shown(goals)}")
    return Match(*sides, *goals)


def _is_goals(value):
    return type(value) is int and 0 <= value <= 999
