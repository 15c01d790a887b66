"""Write the small instances that `gameai_lib.nrpa.game.instances` bundles.

Run ``python -m gameai_book.nrpa.measure.instances``; a test holds that the files are what this
writes.
"""

from pathlib import Path

import numpy as np

from gameai_lib.base.files import write_whole
from gameai_lib.nrpa.game.instances import DATA, random_board, random_tsptw

TSPTW = {"small": (9, 120, 3), "medium": (21, 100, 5)}  # cities, window width, seed
BOARD_SEED = 7


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
