"""Games of the library's own players, stored for the boards of the book: making them takes longer
than a reader should wait for a question.

Run as ``python -m gameai_book.btmm.measure.games``; writes ``games.npz`` into
``book/gameai_book/btmm/data``.
"""

import numpy as np

from gameai_book.btmm import selfplay
from gameai_book.btmm.results.games import STORED
from gameai_lib.base.files import write_whole

N_GAMES = 60


def played(game, n_games=N_GAMES):
    """Return the `Records` of ``"reversi"`` or ``"connect6"``: colder than the players usually
    are, so that there is a reason for most moves."""
    rng = np.random.default_rng(7)
    if game == "reversi":
        return selfplay.play_reversi(n_games, rng, temperature=2.0)
    return selfplay.play_connect6(n_games, rng, temperature=0.2)


def main():
    """Play the games and write the file."""
    stored = {}
    for game in ("reversi", "connect6"):
        games = played(game)
        stored[f"{game} moves"], stored[f"{game} offsets"] = games.moves, games.offsets
    write_whole(STORED, lambda file: np.savez_compressed(file, **stored))


if __name__ == "__main__":
    main()
