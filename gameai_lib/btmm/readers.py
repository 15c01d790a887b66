"""Readers for public game archives: WTHOR ``.wtb``, a Connect-6 CSV, football JSON.

WTHOR is the format of the archive of the French Othello Federation; the other
two are those of the sets named in the book's chapter. A damaged file raises a
`RecordError` that names file, game and move; a damaged game can be skipped and
counted instead.
"""

import csv
import json
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gameai_lib.btmm import connect6, reversi
from gameai_lib.btmm.positions import RecordError, Records, records

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

    Raises
    ------
    RecordError
        For a wrong header or a cut file, always; for an unknown square or an
        illegal move unless `skip_damaged`.
    """
    path = Path(path)
    data = path.read_bytes()
    if len(data) < WTHOR_HEADER.itemsize:
        raise RecordError(f"{path.name}: {len(data)} bytes are too few for a WTHOR header")
    header = np.frombuffer(data, WTHOR_HEADER, count=1)[0]
    n_games = int(header["n_games"])
    wanted = WTHOR_HEADER.itemsize + n_games * WTHOR_GAME.itemsize
    # A side of 0 means 8 in files older than the field.
    if n_games < 0 or header["side"] not in (0, 8):
        raise RecordError(
            f"{path.name}: wrong header, {n_games} games on a side of {header['side']}"
        )
    if len(data) != wanted:
        raise RecordError(
            f"{path.name}: {n_games} games need {wanted} bytes, found {len(data)}: "
            f"game {max(0, (len(data) - 16) // 68)} is cut short"
        )
    games = np.frombuffer(data, WTHOR_GAME, count=n_games, offset=WTHOR_HEADER.itemsize)
    return _checked(_wthor_records(games["moves"]), reversi, path.name, skip_damaged)


def _wthor_records(bytes_):
    row, column = bytes_ // 10, bytes_ % 10
    known = (row >= 1) & (row <= 8) & (column >= 1) & (column <= 8)
    cells = np.where(known, (row.astype(np.int16) - 1) * 8 + column - 1, -1).astype(np.int16)
    # Zeros fill the end; a zero before a move is an unknown square.
    lengths = 60 - np.argmax(bytes_[:, ::-1] != 0, axis=1)
    lengths = np.where((bytes_ != 0).any(axis=1), lengths, 0)
    inside = np.arange(60) < lengths[:, None]
    return Records(cells[inside], np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64))


def _checked(games, rules, name, skip_damaged):
    status = rules.first_illegal(games)
    if (status >= 0).any() and not skip_damaged:
        g = int(np.argmax(status >= 0))
        cell = int(games.game(g)[status[g]])
        square = rules.square_of(cell) if 0 <= cell < rules.N_CELLS else "an unknown square"
        raise RecordError(f"{name}: game {g}, move {status[g] + 1}: {square} is illegal")
    if (status >= 0).any():
        games = games.take(status < 0)
    return Archive(games, int((status >= 0).sum()))


def read_connect6(path, skip_damaged=False):
    """Read a CSV of Connect-6 games: columns ``game_id, moves, winner``.

    Raises
    ------
    RecordError
        For missing columns, always; for an unknown point, an illegal stone, or
        a winner the board denies unless `skip_damaged`.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise RecordError(f"{path.name}: not a text file: {error.reason}") from error
    rows = csv.DictReader(text.splitlines())
    if rows.fieldnames is None or not {"moves", "winner"} <= set(rows.fieldnames):
        raise RecordError(f"{path.name}: needs columns moves and winner, has {rows.fieldnames}")
    games, n_skipped = [], 0
    for g, row in enumerate(rows):
        try:
            games.append(_connect6_game(row, f"{path.name}: game {g}"))
        except RecordError:
            if not skip_damaged:
                raise
            n_skipped += 1
    return Archive(records(games), n_skipped)


def _connect6_game(row, name):
    cells = []
    for i, square in enumerate((row["moves"] or "").split(",")):
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
        raise RecordError(f"{name}: winner is {row['winner']!r}, the board says {winner!r}")
    return cells


def read_football(path):
    """Read a season in openfootball's JSON; matches without a score are left out.

    Raises
    ------
    RecordError
        If the file is not JSON or a match lacks a side or has a wrong score.
    """
    path = Path(path)
    try:
        matches = json.loads(path.read_text(encoding="utf-8"))["matches"]
    except (ValueError, KeyError, TypeError) as error:
        raise RecordError(f"{path.name}: not a season of matches: {error!r}") from error
    season = []
    for i, match in enumerate(matches):
        try:
            score = match.get("score", {}).get("ft")
            if score is not None:
                home, away = (int(goals) for goals in score)
                season.append(Match(str(match["team1"]), str(match["team2"]), home, away))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise RecordError(f"{path.name}: match {i + 1} is damaged: {error!r}") from error
    return season
