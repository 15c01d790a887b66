"""Connect-6 against a player that draws its moves from learned strengths."""

import numpy as np

from gameai_book.btmm.boards import grid as drawing
from gameai_book.btmm.boards.grid import SIDES
from gameai_book.btmm.boards.versus import TEMPERATURES, Versus
from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.btmm.game import connect6
from gameai_lib.btmm.game.positions import EMPTY, WHITE, records
from gameai_lib.btmm.records import sgf
from touchbook.board import svg
from touchbook.boards import WrongTouch

# The chapter's boards: a position of the source's game, with White to move, first to look at.
LESSON = {"seed": 0, "colour": "white", "temperature": 1.0, "opening": 21, "lines": True}
LOOKED_AT = ("l12", "n9", "k10")  # moves of it whose lines a page without Python shows
END = LESSON | {"seed": 3}  # and at the end to win, against these draws
TRAP = ("l12", "l13", "k13", "j14")  # White makes two fours at once, and then six


class Connect6Board(Versus):
    """Connect-6 against the learned weights, a `Versus`; `lines` are in view from the start.

    The `opening` lies on the board already: so many stones of the source's game, at most 40, or
    points in the order of play, such as ``"j10 i9 k9"``.
    """

    name, title = "connect6", "Connect-6 against learned weights"
    rules = (
        "Black begins with one stone; after that each side places two stones a turn, on any "
        "free points.",
        "The side that first has six or more stones in an unbroken row wins. The row may run "
        "across, down or aslant.",
        "So four in a row with room for six are a threat, because the next turn can complete them.",
        "The program knows a number for each line of eight points. It multiplies the numbers of "
        "the four lines through a point. The chance of a point is its share of the sum of all "
        "these products. The program does not look ahead.",
        TEMPERATURES.format("point"),
    )
    grid = drawing.CONNECT6
    model_name = "connect6 own state"

    def __init__(self, *, colour="black", temperature=1.0, opening=0, lines=False, seed=0):
        super().__init__(colour=colour, temperature=temperature, seed=seed)
        self.opening, self.lines = opening, checks.flag("lines", lines)
        self.shown = frozenset({"lines"} if lines else ())
        self._begin(_opening(opening))

    def runs_to_record(self):
        """Of the chapter's boards: the chances and the lines of some moves, or a trap."""
        if self.options() == LESSON:
            return [("show-chances",) * 2, *((f"aim-{point}",) for point in LOOKED_AT)]
        if self.options() == END:
            return [tuple(name for point in TRAP for name in (f"aim-{point}", point))]
        return []

    def _begin(self, cells):
        """Lay the stones of an opening on an empty board, and let the program move."""
        self._lay(np.zeros(connect6.N_CELLS, np.int8))
        for cell in cells:
            self._put(cell)
        self.fresh = self.moves[-2:]
        if self.reader == WHITE and not self.moves:
            # Every game of the records opens there, so that nothing was learned about it.
            centre = connect6.N_CELLS // 2
            self._put(centre)
            self.fresh = (centre,)
            self.told = ("Black opens in the middle, as every game of the records does.",)
        if self.turn != self.reader:
            self._answer()

    def options(self):
        return super().options() | {"opening": self.opening, "lines": self.lines}

    def move(self, name):
        if name == "empty" and self.opening:
            self._begin(())
            return True
        return super().move(name)

    def buttons(self):
        return [("empty", "Empty board")] if self.opening else []

    def _refuse(self, cell):
        if self.stones[cell] != EMPTY:
            raise WrongTouch(f"There is a stone on {self.grid.square_of(cell)} already.")

    def _put(self, cell):
        stones = self.stones.copy()
        stones[cell] = self.turn
        self.stones, self.moves = stones, (*self.moves, cell)
        over = self.six or len(self.moves) == connect6.N_CELLS
        self.turn = 0 if over else connect6.mover(len(self.moves))

    @property
    def six(self):
        """The cells of the row that has won, or none."""
        return connect6.six_at(self.stones, self.moves[-1]) if self.moves else []

    def _six(self):
        if not self.six:
            return ""
        ends = *self.grid.at(self.six[0]), *self.grid.at(self.six[-1])
        return svg.line(*ends, "s1", stroke_width=5, stroke_linecap="round", opacity=0.8)

    def _shows_heat(self):
        return super()._shows_heat() and len(self.moves) > 0

    def _standing(self):
        if self.turn == 0:
            if not self.six:
                return "The game is over: the board is full, a draw."
            winner = int(self.stones[self.moves[-1]])
            end = "you win" if winner == self.reader else "the program wins"
            return f"The game is over: {SIDES[winner]} has six in a row, {end}."
        n = len(self.moves)
        which = "your one first stone" if n == 0 else f"the {'first' if n % 2 else 'second'} of two"
        return f"You are {SIDES[self.reader]}: stone {n + 1} is yours, {which}."


def _opening(opening):
    """Cells of the stones that lie on the board at the start."""
    record = sgf.parse_sgf(sgf.SOURCE_GAME, "connect6").records().moves.tolist()
    if not isinstance(opening, str):
        return record[: checks.whole("opening", opening, 0, len(record) - 1)]
    cells = [connect6.cell_of(point) for point in opening.split()]
    game = records([cells])
    if connect6.first_illegal(game)[0] >= 0 or connect6.winner_of(game)[0]:
        raise ValueError(f"opening must be legal and leave a game to play, got {short(opening)}")
    return cells
