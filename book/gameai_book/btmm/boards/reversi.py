"""Reversi against a player that draws its moves from learned strengths."""

from gameai_book.btmm.boards import grid as drawing
from gameai_book.btmm.boards.grid import SIDES
from gameai_book.btmm.boards.versus import TEMPERATURES, Versus
from gameai_lib.btmm.game import reversi
from gameai_lib.btmm.game.positions import BLACK, EMPTY, WHITE
from touchbook.board import svg
from touchbook.boards import WrongTouch

CORNERS = [0, 7, 56, 63]


class ReversiBoard(Versus):
    """Reversi against the learned weights; the options are those of `Versus`."""

    name, title = "reversi", "Reversi against learned weights"
    rules = (
        "Black begins, and the two sides take turns to place one disc.",
        "A disc must enclose a straight run of the other side's discs between itself and a disc "
        "of its own colour, in any of eight directions. The enclosed discs are turned over.",
        "A side without such a move passes. When neither side can move, the side with more discs "
        "wins.",
        "The program knows six numbers for each move: one for its square, one for how many discs "
        "it turns, and four for the lines through it. It multiplies them. The chance of a move is "
        "its share of the sum of all these products.",
        TEMPERATURES.format("move"),
    )
    views = Versus.views | {"bare": "Hide legal squares"}  # every game begins with all views off
    grid = drawing.REVERSI
    model_name = "reversi"

    def __init__(self, *, colour="black", temperature=1.0, seed=0):
        super().__init__(colour=colour, temperature=temperature, seed=seed)
        self._lay(reversi.start_board())
        if self.reader == WHITE:
            self._answer()

    def _refuse(self, cell):
        square = self.grid.square_of(cell)
        if self.stones[cell] != EMPTY:
            raise WrongTouch(f"There is a disc on {square} already.")
        if cell not in reversi.legal_moves(self.stones, self.turn):
            raise WrongTouch(f"{square} turns no disc, and every move must turn one.")

    def _put(self, cell):
        mover = self.turn
        self.stones = reversi.played(self.stones, mover, cell)
        self.moves = (*self.moves, cell)
        self.turn = reversi.next_to_move(self.stones, mover)
        if self.turn == mover:
            who = "You have" if 3 - mover == self.reader else f"{SIDES[3 - mover]} has"
            passes = "pass" if 3 - mover == self.reader else "passes"
            self.told = (*self.told, f"{who} no legal square and {passes}.")

    def _legal(self):
        if "bare" in self.shown or not self.turn:
            return ""
        cells = reversi.legal_moves(self.stones, self.turn).tolist()
        return "".join(svg.circle(*self.grid.at(cell), 7, "mark") for cell in cells)

    def _standing(self):
        black, white = (int((self.stones == c).sum()) for c in (BLACK, WHITE))
        count = f"Black has {black} discs, White {white}"
        if self.turn == 0:
            winner = reversi.winner_of(self.stones)
            end = "you win" if winner == self.reader else "the program wins" if winner else "a draw"
            mine, other = (
                int((self.stones[CORNERS] == c).sum()) for c in (self.reader, 3 - self.reader)
            )
            corners = f"{mine or 'no'} corner{'s' * (mine != 1)}"
            return (
                f"The game is over. {count}: {end}. You have {corners}, "
                f"{SIDES[3 - self.reader]} {other or 'none'}."
            )
        n = reversi.legal_moves(self.stones, self.turn).size
        squares = "one legal square" if n == 1 else f"{n} legal squares"
        return f"{count}. You are {SIDES[self.reader]}, and have {squares}."
