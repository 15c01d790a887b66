"""The folder of real game records, where there is one: archives by the game's name."""

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.btmm.game.positions import RecordError, join_games
from gameai_lib.btmm.records.connect6 import read_connect6
from gameai_lib.btmm.records.wthor import read_wthor

READERS = {"othello": ("*.wtb", read_wthor), "connect6": ("*.csv", read_connect6)}


def read_folder(folder, game):
    """Return the `Records` of ``"othello"`` or ``"connect6"`` under `folder`.

    Raises
    ------
    RecordError
        If there is no such folder, or a file in it is damaged.
    """
    folder = checks.file_path(folder)
    if not isinstance(game, str) or game not in READERS:
        raise RecordError(f"no records are known of {short(game)}; choose othello or connect6")
    pattern, read = READERS[game]
    paths = sorted((folder / game).glob(pattern))
    if not paths:
        raise RecordError(f"no {pattern} in the folder {game!r} of game records")
    return join_games(one.moves for path in paths for one in read(path))
