"""Write the small instances that `gameai_lib.nrpa.game.instances` bundles.

Run ``python -m gameai_book.nrpa.measure.instances``; a test holds that the files are what this
writes.
"""

from pathlib import Path

import numpy as np

from gameai_lib.base.files import write_whole
from gameai_lib.nrpa.game.instances import DATA, random_board
from gameai_lib.nrpa.game.tsptw import Instance

TSPTW = {"small": (9, 120, 3), "medium": (21, 100, 5)}  # cities, window width, seed
BOARD_SEED = 7


def random_tsptw(rng, n_cities, width, name="random"):
    """Cities on a 50 x 50 square with windows that a hidden tour meets (Dumas et al. 1995).

    Each window opens and closes up to half of `width` around the hidden arrival. Distances are
    rounded up to whole numbers, so that the triangle inequality holds. Returns the instance, the
    (n_cities - 1,) hidden tour, and the (n_cities, 2) places of the cities, the depot first.
    """
    places = rng.random((n_cities, 2)) * 50
    distance = np.ceil(np.linalg.norm(places[:, None] - places[None], axis=2))
    order = np.argsort(rng.random(n_cities - 1)) + 1
    now, here = 0.0, 0
    windows = np.zeros((n_cities, 2))
    for city in order:
        now += distance[here, city]
        before, after = np.floor(rng.random(2) * width / 2)
        windows[city] = max(0.0, now - before), now + after
        here = city
    windows[0] = 0, now + distance[here, 0] + width
    return Instance(name, distance, windows), order, places


def _rows(table, pattern):
    return "".join(" ".join(pattern % value for value in row) + "\n" for row in table)


def main(folder=DATA):
    """Write every bundled instance into `folder`."""
    for name, (n_cities, width, seed) in TSPTW.items():
        rng = np.random.default_rng(seed)
        instance, _, places = random_tsptw(rng, n_cities, width, name)
        text = f"{n_cities}\n{_rows(instance.distance, '%g')}{_rows(instance.windows, '%g')}"
        write_whole(Path(folder, f"tsptw_{name}.txt"), text)
        write_whole(Path(folder, f"places_{name}.txt"), _rows(places, "%.2f"))
    board = random_board(np.random.default_rng(BOARD_SEED))
    write_whole(Path(folder, "samegame_board.txt"), _rows(board, "%d"))


if __name__ == "__main__":
    main()
