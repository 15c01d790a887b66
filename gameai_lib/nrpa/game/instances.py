"""Small instances: boards of random colours, and what is bundled."""

from pathlib import Path

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.types import Floats, Ints, Seed
from gameai_lib.nrpa.game.files import read_board, read_tsptw
from gameai_lib.nrpa.game.samegame import N_COLOURS, SIZE
from gameai_lib.nrpa.game.tsptw import Instance

DATA = Path(__file__).parents[1] / "data"


def random_board(rng: Seed, side: int = SIZE, n_colours: int = N_COLOURS) -> Ints:
    """A square SameGame board of uniform colours, 0 to 4 on 15 x 15 cells if nothing is said."""
    side = checks.whole("side", side, 1, SIZE)
    n_colours = checks.whole("n_colours", n_colours, 1, N_COLOURS)
    return checks.generator(rng).integers(0, n_colours, (side, side))


def bundled_tsptw(name: str) -> Instance:
    """The bundled instance "small" (9 cities) or "medium" (21 cities)."""
    return read_tsptw(DATA / f"tsptw_{checks.one_of('name', name, ('small', 'medium'))}.txt")


def bundled_places(name: str) -> Floats:
    """(n, 2) map positions of the cities of a bundled instance."""
    bundled_tsptw(name)
    return np.loadtxt(DATA / f"places_{name}.txt")


def small_board() -> Ints:
    """SameGame's board of 9 x 9 blocks in four colours, on which a thousand games teach much."""
    return random_board(np.random.default_rng(1), 9, 4)


def bundled_board() -> Ints:
    """The bundled SameGame board."""
    return read_board(DATA / "samegame_board.txt")
