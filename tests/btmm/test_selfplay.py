"""The player of the workshop's own games."""

import numpy as np

from gameai_book.btmm import selfplay
from gameai_lib.btmm.game import connect6


def test_a_seed_brings_the_same_games():
    """On them stands what the workshop has stored of games that the library plays."""
    games = selfplay.play_connect6(4, np.random.default_rng(7))
    assert np.diff(games.offsets).tolist() == [27, 101, 75, 160]
    assert connect6.winner_of(games).tolist() == [2, 1, 2, 0]
    squares = [connect6.square_of(int(cell)) for cell in games.game(0)[-6:]]
    assert squares == ["i7", "i9", "g9", "i6", "i12", "i11"]
