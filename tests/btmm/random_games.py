"""Reversi games of two players who draw every move at random, and files of games."""

import numpy as np

from gameai_lib.btmm.game import reversi
from gameai_lib.btmm.game.positions import BLACK, records
from gameai_lib.btmm.records import sgf, wthor


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


def discs_by_hand(cells):
    """Black's discs after the moves, played one by one; empty squares are the winner's."""
    board, colour = reversi.start_board(), BLACK
    for cell in cells:
        if cell not in reversi.legal_moves(board, colour):
            colour = 3 - colour
        board = reversi.played(board, colour, int(cell))
        colour = 3 - colour
    n = [int((board == k).sum()) for k in range(3)]
    return n[1] + (n[0] if n[1] > n[2] else n[0] // 2 if n[1] == n[2] else 0)


def wthor_bytes(games):
    """Return `Records` as the bytes of an archive."""
    header = np.zeros(1, wthor.WTHOR_HEADER)
    header["n_games"], header["side"] = games.n_games, 8
    rows = np.zeros(games.n_games, wthor.WTHOR_GAME)
    for g in range(games.n_games):
        cells = games.game(g)
        rows["moves"][g, : cells.size] = 10 * (cells // 8 + 1) + cells % 8 + 1
        rows["score"][g] = discs_by_hand(cells)
    return header.tobytes() + rows.tobytes()


def sgf_text(games, game):
    """Return `Records` as SGF, one node a stone and one game a line."""
    square_of, texts = sgf.RULES[game].square_of, []
    for cells in map(games.game, range(games.n_games)):
        colours = ["?BW"[colour] for colour in sgf._colours(cells, game)]
        nodes = [f";{c}[{square_of(cell)}]" for c, cell in zip(colours, cells, strict=True)]
        texts.append(f"(;GM[{sgf.KINDS[game][0]}]{''.join(nodes)})")
    return "\n".join(texts)
