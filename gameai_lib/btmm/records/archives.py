"""The folder of real game records, where there is one: archives by the game's name."""

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import short
from gameai_lib.btmm.game.positions import RecordError, Records, checked
from gameai_lib.btmm.records.connect6 import read_connect6
from gameai_lib.btmm.records.football import read_football
from gameai_lib.btmm.records.wthor import read_wthor


def read_folder(folder, game):
    """Return the `Records` of ``"othello"`` or ``"connect6"`` under `folder`.

    Raises
    ------
    RecordError
        If there is no such folder, or a file in it is damaged.
    """
    folder = checks.file_path(folder)
    if not isinstance(game, str) or game not in ("othello", "connect6"):
        raise RecordError(f"no records are known of {short(game)}; choose othello or connect6")
    if game == "connect6":
        return read_connect6(_one(folder, "connect6", "*.csv")[0]).records()
    return joined([read_wthor(path).records() for path in _one(folder, "othello", "*.wtb")])


def read_seasons(folder):
    """Return the football seasons under `folder`: file stem to list of `Match`."""
    folder = checks.file_path(folder)
    return {path.stem: list(read_football(path)) for path in _one(folder, "football", "*.json")}


def joined(parts):
    """Return one `Records` of several."""
    parts = [checked(part) for part in arrays.listed("parts", parts)]
    shift = np.cumsum([0] + [part.moves.size for part in parts])
    offsets = [part.offsets[:-1] + s for part, s in zip(parts, shift, strict=False)]
    return Records(
        np.concatenate([np.empty(0, np.int16), *(part.moves for part in parts)]),
        np.concatenate([*offsets, shift[-1:]]),
    )


def _one(folder, name, pattern):
    paths = sorted((folder / name).glob(pattern))
    if not paths:
        raise RecordError(f"no {pattern} in the folder {name!r} of game records")
    return paths
