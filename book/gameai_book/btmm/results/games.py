"""Games of the library's own players, for questions that a reader need not wait for.

Written by ``book/gameai_book/btmm/measure/games.py``.
"""

from pathlib import Path

import numpy as np

from gameai_lib.base import checks
from gameai_lib.btmm.game.positions import Records, checked

STORED = Path(__file__).parents[1] / "data" / "games.npz"


def load_games(game):
    """Return `Records` of sixty games of ``"reversi"`` or ``"connect6"``.

    They are by the players of `gameai_book.btmm.selfplay`.
    """
    checks.one_of("game", game, ("reversi", "connect6"))
    with np.load(STORED, allow_pickle=False) as stored:
        return checked(Records(stored[f"{game} moves"], stored[f"{game} offsets"]))
