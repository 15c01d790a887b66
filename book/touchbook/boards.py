"""Boards: games that a reader plays, in a kernel or in a page, knowing neither.

A `Board` knows its game through the library's rules. It draws itself as SVG, answers touches,
says where the game stands, and may think in steps. A `Session` is a board that is being played:
undo, new game, text to keep and load, and everything as JSON, so that one front end serves all
(`touchbook.widgets.play`).
"""

from touchbook.board.board import SEEDS, Board, WrongTouch
from touchbook.board.session import Session, answer, board_class

__all__ = ["SEEDS", "Board", "Session", "WrongTouch", "answer", "board_class"]
