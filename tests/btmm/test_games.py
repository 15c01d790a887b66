"""The stored games are those of the library's players."""

import numpy as np
import pytest

from gameai_book.btmm.measure import games as btmm_games
from gameai_book.btmm.results.games import load_games
from gameai_lib.btmm.game import connect6, reversi


def test_own_games_are_the_players_own():
    for game, rules in ("reversi", reversi), ("connect6", connect6):
        stored = load_games(game)
        assert stored.n_games == 60
        assert (rules.first_illegal(stored) == -1).all()
        made = btmm_games.played(game, 2)
        assert np.array_equal(made.moves, stored.take([0, 1]).moves)
    with pytest.raises(ValueError, match="game must be one of"):
        load_games("chess")
