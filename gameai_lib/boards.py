"""Boards: games that a reader plays, in a kernel or in a page, knowing neither.

A `Board` knows its game through the library's rules. It draws itself as SVG, answers touches,
says where the game stands, and may think in steps. A `Session` is a board that is being played:
undo, new game, text to keep and load, and everything as JSON, so that one front end serves all
(`gameai_lib.widgets.play`).
"""

from gameai_lib.touch.board.board import SEEDS, Board, WrongTouch
from gameai_lib.touch.board.session import Session, answer, board_class

__all__ = ["SEEDS", "Board", "Session", "WrongTouch", "answer", "board_class"]
