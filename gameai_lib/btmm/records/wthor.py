"""WTHOR ``.wtb`` files, the archive of the French Othello Federation.

A damaged file raises a `RecordError` that names file, byte, game and move; games and moves
count from 1, bytes from 0.
"""

import os

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.types import FilePath
from gameai_lib.btmm.game import reversi
from gameai_lib.btmm.game.positions import RecordError, Records
from gameai_lib.btmm.records.games import Game, Games

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


BATCH = 64  # games read and replayed together: a call of a kernel for each would take longer


def read_wthor(path: FilePath, skip_damaged: bool = False) -> Games[Game]:
    """Return the `Games` of one ``.wtb`` file of Othello games, one at a time.

    Players are numbers, as in the archive. Where a game is over on the board, black's discs
    must be those of the record (empty squares go to the winner); a game that was given up or
    cut short cannot be checked so.

    Raises
    ------
    RecordError
        When a game is asked for. For a wrong header, a cut file or surplus bytes, always; for
        an unknown square, an illegal move or a wrong number of discs unless `skip_damaged`.
    """
    path, skip_damaged = checks.file_path(path), checks.flag("skip_damaged", skip_damaged)
    return Games(_find_games(path), skip_damaged)


def _find_games(path):
    with path.open("rb") as file:
        n_games = _header(file, path.name)
        for first in range(0, n_games, BATCH):
            wanted = min(BATCH, n_games - first)
            data = file.read(wanted * WTHOR_GAME.itemsize)
            rows = np.frombuffer(data, WTHOR_GAME, count=len(data) // WTHOR_GAME.itemsize)
            yield from _batch(rows, first, path.name)
            if rows.size < wanted:
                raise RecordError(f"{path.name}: game {first + rows.size + 1} is cut short")


def _batch(rows, first, name):
    played = _records(rows["moves"])
    status, found = reversi.verdicts(played)
    wrong = (status >= 0) | ((found >= 0) & (found != rows["score"]))
    # Plain numbers once, not one by one: most of the time would go there.
    columns = (rows[field].tolist() for field in ("black", "white", "score"))
    ends = played.offsets.tolist()
    for g, (black, white, discs, damaged) in enumerate(zip(*columns, wrong.tolist(), strict=True)):
        if damaged:
            yield _damage(name, first + g, played.game(g), int(status[g]), discs, found[g])
        else:
            result = 1.0 if discs > 32 else 0.0 if discs < 32 else 0.5
            moves = played.moves[ends[g] : ends[g + 1]].copy()
            yield Game(first + g + 1, moves, black, white, result)


def _damage(name, g, cells, illegal, discs, found):
    """Return the error that names what is wrong with game `g`, from 0."""
    at = WTHOR_HEADER.itemsize + g * WTHOR_GAME.itemsize
    if illegal < 0:
        return RecordError(
            f"{name}: game {g + 1}, byte {at + 6}: black's discs are {discs}, "
            f"the board says {found}"
        )
    cell = int(cells[illegal])
    square = reversi.square_of(cell) if 0 <= cell < reversi.N_CELLS else "an unknown square"
    return RecordError(
        f"{name}: game {g + 1}, move {illegal + 1}, byte {at + 8 + illegal}: {square} is illegal"
    )


def _header(file, name):
    """Return the number of games, after a look at the header and the size of the file."""
    data = file.read(WTHOR_HEADER.itemsize)
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
    size = os.fstat(file.fileno()).st_size
    found = f"{name}: {n_games} games need {wanted} bytes, found {size}"
    if size > wanted:
        raise RecordError(f"{found}: surplus from byte {wanted} on")
    if size < wanted:
        cut = (size - WTHOR_HEADER.itemsize) // WTHOR_GAME.itemsize
        raise RecordError(f"{found}: game {cut + 1} is cut short")
    return n_games


def _records(bytes_):
    row, column = bytes_ // 10, bytes_ % 10
    known = (row >= 1) & (row <= 8) & (column >= 1) & (column <= 8)
    cells = np.where(known, (row.astype(np.int16) - 1) * 8 + column - 1, -1).astype(np.int16)
    # Zeros fill the end; a zero before a move is an unknown square.
    lengths = 60 - np.argmax(bytes_[:, ::-1] != 0, axis=1)
    lengths = np.where((bytes_ != 0).any(axis=1), lengths, 0)
    inside = np.arange(60) < lengths[:, None]
    return Records(cells[inside], np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64))
