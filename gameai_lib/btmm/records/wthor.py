"""WTHOR ``.wtb`` files, the archive of the French Othello Federation."""

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.types import FilePath
from gameai_lib.btmm.game import reversi
from gameai_lib.btmm.game.positions import RecordError, Records
from gameai_lib.btmm.records.games import Game, Games


def _layout(names, formats):
    return np.dtype([*zip(names.split(), formats.split(), strict=True)])


WTHOR_HEADER = _layout(
    "century year month day n_games n_players games_year side kind depth reserved",
    "u1 u1 u1 u1 <i4 <i2 <i2 u1 u1 u1 u1",
)
WTHOR_GAME = _layout("tournament black white score theoretical moves", "<u2 <u2 <u2 u1 u1 60u1")


def read_wthor(path: FilePath, skip_damaged: bool = False) -> Games[Game]:
    """Return the `Games` of one ``.wtb`` file of Othello games, one at a time.

    Players are numbers, as in the archive. Where a game is over on the board, black's discs
    must be those of the record (empty squares go to the winner); a game that was given up or
    cut short cannot be checked so.

    A `RecordError` when a game is asked for: for a wrong header, a cut file or surplus bytes,
    always; for an unknown square, an illegal move or a wrong number of discs unless `skip_damaged`.
    """
    return Games(_find_games(checks.file_path(path)), skip_damaged)


def _find_games(path):
    data, name = path.read_bytes(), path.name
    rows = np.frombuffer(data, WTHOR_GAME, _n_games(data, name), WTHOR_HEADER.itemsize)
    played = _records(rows["moves"])
    status, found = reversi.verdicts(played)
    wrong = (status >= 0) | ((found >= 0) & (found != rows["score"]))
    # Plain numbers once, not one by one: most of the time would go there.
    columns = (rows[field].tolist() for field in ("black", "white", "score"))
    for g, (black, white, discs, damaged) in enumerate(zip(*columns, wrong.tolist(), strict=True)):
        if damaged:
            yield _damage(name, g, played.game(g), int(status[g]), discs, found[g])
        else:
            result = 1.0 if discs > 32 else 0.0 if discs < 32 else 0.5
            yield Game(g + 1, played.game(g).copy(), black, white, result)


def _damage(name, g, cells, illegal, discs, found):
    """Return the error that names what is wrong with game `g`, from 0."""
    name, at = f"{name}: game {g + 1}", WTHOR_HEADER.itemsize + g * WTHOR_GAME.itemsize
    if illegal < 0:
        fault = f"black's discs are {discs}, the board says {found}"
        return RecordError(f"{name}, byte {at + 6}: {fault}")
    cell = int(cells[illegal])
    square = reversi.square_of(cell) if 0 <= cell < reversi.N_CELLS else "an unknown square"
    where = f"{name}, move {illegal + 1}, byte {at + 8 + illegal}"
    return RecordError(f"{where}: {square} is illegal")


def _n_games(data, name):
    """Return the number of games, after a look at the header and the size of the file."""
    first, size = WTHOR_HEADER.itemsize, len(data)
    if size < first:
        raise RecordError(f"{name}: {size} bytes are too few for a WTHOR header")
    header = np.frombuffer(data, WTHOR_HEADER, count=1)[0]
    n_games = int(header["n_games"])
    # A side of 0 means 8 in files older than the field.
    if n_games < 0 or header["side"] not in (0, 8):
        raise RecordError(f"{name}: wrong header, {n_games} games on a side of {header['side']}")
    if header["kind"] != 0:
        raise RecordError(f"{name}: byte 13: records of kind {header['kind']} are not games")
    wanted = first + n_games * WTHOR_GAME.itemsize
    found = f"{name}: {n_games} games need {wanted} bytes, found {size}"
    if size > wanted:
        raise RecordError(f"{found}: surplus from byte {wanted} on")
    if size < wanted:
        cut = (size - first) // WTHOR_GAME.itemsize + 1
        raise RecordError(f"{found}: game {cut} is cut short")
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
