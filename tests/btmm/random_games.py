"""Reversi games of two players who draw every move at random."""

from gameai_lib.btmm.game import reversi
from gameai_lib.btmm.game.positions import BLACK, records


def reversi_games(n_games, rng):
    """Return `Records` of whole games."""
    return records([_game(rng) for _ in range(n_games)])


def _game(rng):
    board, colour, cells = reversi.start_board(), BLACK, []
    while colour:
        cells.append(int(rng.choice(reversi.legal_moves(board, colour))))
        board = reversi.played(board, colour, cells[-1])
        colour = reversi.next_to_move(board, colour)
    return cells
