"""Seeded generators of small instances, and the bundled ones that they made.

TSPTW instances are built like those of Dumas et al. (1995): windows around the arrival times
of a random tour, so that at least one tour meets them all.
"""

from pathlib import Path

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.types import Floats, Ints, Seed
from gameai_lib.nrpa.game.files import read_board, read_tsptw
from gameai_lib.nrpa.game.samegame import N_COLOURS, SIZE
from gameai_lib.nrpa.game.tsptw import MOST_CITIES, Instance

DATA = Path(__file__).parents[1] / "data"
BUNDLED_TSPTW = ("small", "medium")


def random_tsptw(
    rng: Seed, n_cities: int, width: float, name: str = "random"
) -> tuple[Instance, Ints, Floats]:
    """Cities on a 50 x 50 square with windows that a hidden tour meets.

    Each window opens and closes up to half of `width` around the hidden arrival.

    Returns
    -------
    instance : Instance
        Whole-number distances, rounded up, so that the triangle inequality holds.
    tour : (n_cities - 1,) int array
        The hidden tour.
    places : (n_cities, 2) float array
        Where the cities lie, the depot first.
    """
    draw = checks.generator(rng).random
    n_cities = checks.whole("n_cities", n_cities, 2, MOST_CITIES)
    width = checks.number("width", width, 0, 1e9)
    places = draw((n_cities, 2)) * 50
    distance = np.ceil(np.linalg.norm(places[:, None] - places[None], axis=2))
    order = np.argsort(draw(n_cities - 1)) + 1
    now, here = 0.0, 0
    windows = np.zeros((n_cities, 2))
    for city in order:
        now += distance[here, city]
        before, after = np.floor(draw(2) * width / 2)
        windows[city] = max(0.0, now - before), now + after
        here = city
    windows[0] = 0, now + distance[here, 0] + width
    return Instance(name, distance, windows), order, places


def random_board(rng: Seed, side: int = SIZE, n_colours: int = N_COLOURS) -> Ints:
    """A square SameGame board of uniform colours, 0 to 4 on 15 x 15 cells if nothing is said."""
    side = checks.whole("side", side, 1, SIZE)
    n_colours = checks.whole("n_colours", n_colours, 1, N_COLOURS)
    return checks.generator(rng).integers(0, n_colours, (side, side))


def bundled_tsptw(name: str) -> Instance:
    """The bundled instance "small" (9 cities) or "medium" (21 cities)."""
    return read_tsptw(DATA / f"tsptw_{checks.one_of('name', name, BUNDLED_TSPTW)}.txt")


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
