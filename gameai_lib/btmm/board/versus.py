"""Reversi and Connect-6 against a player that draws its moves from learned strengths."""

import numpy as np

from gameai_lib import _checks as checks
from gameai_lib import _svg as svg
from gameai_lib._checks import short
from gameai_lib.boards import Board, WrongTouch
from gameai_lib.btmm.board import grid as drawing
from gameai_lib.btmm.board.grid import COLOURS
from gameai_lib.btmm.game import connect6, patterns, reversi
from gameai_lib.btmm.game.positions import BLACK, EMPTY, WHITE
from gameai_lib.btmm.records import sgf

TEMPERATURES = {0.25: "¼", 0.5: "½", 1.0: "1", 2.0: "2"}
READERS = {"black": BLACK, "white": WHITE}


class _Versus(Board):
    """What both games share: a reader, a player of weights, chances and lines to look at."""

    grid = None
    views = {"chances": "Chances", "lines": "Lines of a move"}  # noqa: RUF012

    def __init__(self, *, colour="black", temperature=1.0, seed=0):
        super().__init__(seed=seed)
        self.reader = READERS[checks.one_of("colour", colour, READERS)]
        self.start_temperature = self.temperature = checks.number(
            "temperature", temperature, 0.01, 100
        )
        self.moves = ()  # cells, from the first
        self.turn = BLACK  # 0 at the end
        self.aimed = ""  # the square whose lines are shown
        self.told = ()  # what happened since the reader's last touch
        self.fresh = ()  # stones of the last move
        self.ranks = ()  # of the reader's moves, among the model's

    def options(self):
        colour = COLOURS[self.reader].lower()
        return super().options() | {"colour": colour, "temperature": self.start_temperature}

    def touch(self, name):
        # A second touch on a chosen square plays there, and is kept under the square's name.
        super().touch(self.aimed if self.aimed and name == f"aim-{self.aimed}" else name)

    def move(self, name):
        if name.startswith("temperature-"):
            return self._set_temperature(name)
        aims = name.startswith("aim-")
        cell = self.grid.named(name.removeprefix("aim-"))
        if self.turn == 0:
            raise WrongTouch("The game is over. Begin a new one.")
        self._refuse(cell)
        if aims:
            self.aimed = name.removeprefix("aim-")
            return False
        self.told, self.aimed = (), ""
        cells, chance, _ = self.looked()
        k = int(np.flatnonzero(cells == cell)[0])
        self.ranks = (*self.ranks, 1 + int((chance > chance[k]).sum()))
        self.fresh = ()
        self._put(cell)
        if self.turn != self.reader:
            self._answer()
        return True

    def _set_temperature(self, name):
        known = {f"temperature-{t:g}": t for t in TEMPERATURES}
        if name not in known:
            raise WrongTouch(f"{short(name)} is not a temperature here: {', '.join(known)}")
        if known[name] == self.temperature:
            raise WrongTouch(f"The temperature is {TEMPERATURES[self.temperature]} already.")
        self.temperature = known[name]
        return True

    def looked(self, temperature=None):
        """Return (cells, chance, teams) of the moves of the side to move."""
        at = self.temperature if temperature is None else temperature
        return drawing.looked(self.model_name, self.stones.tobytes(), self.turn, at)

    def _answer(self):
        """The program moves until it is the reader's turn, or the end."""
        self.fresh = ()
        while self.turn == 3 - self.reader:
            cells, chance, _ = self.looked()
            # Every stone draws from a stream of its own.
            k = int(self.rng(len(self.moves)).choice(cells.size, p=chance))
            rank = 1 + int((chance > chance[k]).sum())
            square, mover = self.grid.square_of(int(cells[k])), COLOURS[self.turn]
            choice = "its first choice" if rank == 1 else f"its choice number {rank}"
            p = f"{drawing.percent(chance[k])} %".replace("<1", "less than 1")
            self.told = (*self.told, f"{mover} plays {square}: {choice}, with a chance of {p}.")
            self.fresh = (*self.fresh, int(cells[k]))
            self._put(int(cells[k]))

    def selects(self):
        words = {0.25: "¼, mostly its best", 0.5: "½", 1.0: "1, as learned", 2.0: "2, freely"}
        choices = [(f"temperature-{t:g}", said) for t, said in words.items()]
        return [("Temperature", choices, f"temperature-{self.temperature:g}")]

    def _shows_heat(self):
        return "chances" in self.shown and self.turn

    def svg(self):
        grid, shapes, more = self.grid, [drawing.ground(self.grid)], {}
        chosen = self.turn and "lines" in self.shown
        chips, words = "", self._legal()
        if self._shows_heat():
            cells, chance, _ = self.looked()
            chips, words = drawing.heat(grid, cells, chance)
            if chance.size <= reversi.N_CELLS:
                for cell, p in zip(cells.tolist(), chance, strict=True):
                    more[cell] = f"chance {drawing.percent(p)} %"
        shapes.append(chips)
        if chosen and self.aimed:
            cell = grid.cell_of(self.aimed)
            shapes.append(drawing.lines_of(grid, cell, drawing.model(self.model_name).features))
            more[cell] = "chosen, touch again to play"
        shapes.append(words)
        shapes.append(drawing.places(grid, self.stones, fresh=self.fresh, aim=chosen, more=more))
        height = grid.bottom + 6
        if chosen and self.aimed:
            shapes.append(drawing.ring(grid, grid.cell_of(self.aimed)))
        if chosen:
            panel, height = self._panel(height)
            shapes.append(panel)
        return svg.picture(
            drawing.WIDTH, height, *shapes, label=f"{self.title}: the board", least=grid.least
        )

    def _legal(self):
        return ""

    def _panel(self, top):
        if not self.aimed:
            words = f"Touch a {self.grid.place} to see its lines."
            return svg.text(200, top + 14, words, 14), top + 30
        cell = self.grid.cell_of(self.aimed)
        cells, chance, teams = self.looked(1.0)
        k = int(np.flatnonzero(cells == cell)[0])
        gamma = drawing.model(self.model_name).gamma
        drawn, high = drawing.team_panel(self.grid, top, cell, teams[k], self.turn, self.model_name)
        product = gamma[teams[k]].prod()
        words = f"{self.aimed}: strength {drawing.figure(product)}"
        low = svg.text(10, top + high + 14, words, 14, "ink bold", anchor="start")
        words = f"of {drawing.figure(product / chance[k])} in all: {self._chance_words(k)}"
        right = svg.text(390, top + high + 14, words, 13, anchor="end")
        return drawn + low + right, top + high + 32

    def _chance_words(self, k):
        plain = f"{drawing.percent(self.looked(1.0)[1][k])} %"
        if self.temperature == 1:
            return plain
        now = drawing.percent(self.looked()[1][k])
        return f"{plain}, now {now} %"

    def say(self):
        parts = [" ".join(self.told), self._standing(), self._what_now()]
        return "\n".join(part for part in parts if part)

    def _what_now(self):
        if self.turn == 0:
            n, first = len(self.ranks), sum(rank == 1 for rank in self.ranks)
            return (
                f"Of your {n} moves {first} were the model's first choice as well. It has no plan: "
                "it looks up a strength for each line and multiplies."
            )
        said = []
        if self._shows_heat():
            cells, chance, _ = self.looked()
            best = ", ".join(
                f"{self.grid.square_of(int(cells[k]))} {drawing.percent(chance[k])} %"
                for k in np.argsort(-chance, kind="stable")[:3]
            )
            said.append(f"In your place the model plays {best}.")
        if "lines" in self.shown:
            said.append(self._lines_said())
        return " ".join(said)

    def _lines_said(self):
        if not self.aimed:
            return f"Touch a {self.grid.place} to see its lines, and again to play there."
        cells, _, teams = self.looked(1.0)
        k = int(np.flatnonzero(cells == self.grid.cell_of(self.aimed))[0])
        gamma = drawing.model(self.model_name).gamma[teams[k]]
        product = " × ".join(drawing.figure(g) for g in gamma)
        return (
            f"{self.aimed}: {product} = {drawing.figure(gamma.prod())}, a chance of "
            f"{self._chance_words(k)}. Touch it again to play there."
        )


class ReversiBoard(_Versus):
    """Reversi against the learned weights.

    Parameters
    ----------
    colour : {"black", "white"}
        The reader's; black begins.
    temperature : float
        How freely the program draws: its chances are shares of strength ** (1 / temperature).
    seed : int
    """

    name, title = "reversi", "Reversi against learned weights"
    rules = (
        "Black begins, and the two sides take turns to place one disc.",
        "A disc must close in a straight run of the other side's discs, in any of eight "
        "directions, between itself and a disc of its own colour; all these are turned over.",
        "Who has no such move passes. When neither side can move, more discs win.",
        "The program knows 6 numbers of each move: of its square, of the discs it turns, and of "
        "the four lines through it. It multiplies them and draws a move by its share.",
        "At a low temperature it nearly always takes the strongest, at a high one it plays "
        "freely. Under Chances you see what it would do in your place.",
    )
    views = _Versus.views | {"legal": "Legal squares"}
    grid = drawing.REVERSI
    model_name = "reversi"

    def __init__(self, *, colour="black", temperature=1.0, seed=0):
        super().__init__(colour=colour, temperature=temperature, seed=seed)
        self.stones = reversi.start_board()
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
            who = "You have" if 3 - mover == self.reader else f"{COLOURS[3 - mover]} has"
            passes = "pass" if 3 - mover == self.reader else "passes"
            self.told = (*self.told, f"{who} no legal square and {passes}.")

    def _legal(self):
        if "legal" not in self.shown or not self.turn:
            return ""
        cells = reversi.legal_moves(self.stones, self.turn).tolist()
        return "".join(svg.circle(*self.grid.at(cell), 7, "mark") for cell in cells)

    def _standing(self):
        black, white = (int((self.stones == c).sum()) for c in (BLACK, WHITE))
        count = f"Black has {black} discs, White {white}"
        if self.turn == 0:
            winner = reversi.winner_of(self.stones)
            end = "you win" if winner == self.reader else "the weights win" if winner else "a draw"
            return f"The game is over. {count}: {end}."
        n = reversi.legal_moves(self.stones, self.turn).size
        squares = "one legal square" if n == 1 else f"{n} legal squares"
        return f"{count}. You are {drawing.mover_words(self.reader)}, and have {squares}."


class Connect6Board(_Versus):
    """Connect-6 against the learned weights.

    Parameters
    ----------
    colour : {"black", "white"}
        The reader's; black begins.
    temperature : float
        How freely the program draws: its chances are shares of strength ** (1 / temperature).
    edge : {"own state", "empty", "opponent"}
        How the weights read what lies off the board.
    opening : int
        Stones of the source's game that lie on the board already, at most 40.
    seed : int
    """

    name, title = "connect6", "Connect-6 against learned weights"
    rules = (
        "Black begins with one stone; after that each side places two stones a turn, on any "
        "free points.",
        "Who first has six or more of his stones in an unbroken row, across, down or aslant, wins.",
        "So four in a row with room for six are a threat: the next turn completes them.",
        "The program knows one number for each line of eight points. It multiplies those of the "
        "four lines through a point, and draws a point by its share; it looks no move ahead.",
        "At a low temperature it nearly always takes the strongest, at a high one it plays "
        "freely. Under Chances you see what it would do in your place.",
    )
    grid = drawing.CONNECT6

    def __init__(self, *, colour="black", temperature=1.0, edge="own state", opening=0, seed=0):
        super().__init__(colour=colour, temperature=temperature, seed=seed)
        self.edge = checks.one_of("edge", edge, patterns.EDGES)
        self.model_name = f"connect6 {self.edge}"
        record = sgf.parse_sgf(sgf.SOURCE_GAME, "connect6").records().moves
        self.opening = checks.whole("opening", opening, 0, record.size - 1)
        self.stones = np.zeros(connect6.N_CELLS, np.int8)
        for cell in record[: self.opening].tolist():
            self._put(cell)
        self.fresh = self.moves[-2:] if self.opening else ()
        if self.reader == WHITE and not self.moves:
            # Every game of the records opens there, so that nothing was learned about it.
            centre = connect6.N_CELLS // 2
            self._put(centre)
            self.fresh = (centre,)
            self.told = ("Black opens in the middle, as every game of the records does.",)
        if self.turn != self.reader:
            self._answer()

    def options(self):
        return super().options() | {"edge": self.edge, "opening": self.opening}

    def _refuse(self, cell):
        if self.stones[cell] != EMPTY:
            raise WrongTouch(f"There is a stone on {self.grid.square_of(cell)} already.")

    def _put(self, cell):
        stones = self.stones.copy()
        stones[cell] = self.turn
        self.stones, self.moves = stones, (*self.moves, cell)
        over = connect6.wins_at(stones, cell) or len(self.moves) == connect6.N_CELLS
        self.turn = 0 if over else connect6.mover(len(self.moves))

    def _shows_heat(self):
        return super()._shows_heat() and len(self.moves) > 0

    def _standing(self):
        if self.turn == 0:
            last = self.moves[-1]
            winner = int(self.stones[last]) if connect6.wins_at(self.stones, last) else 0
            end = "you win" if winner == self.reader else "the weights win"
            if not winner:
                return "The game is over: the board is full, a draw."
            return f"The game is over: {COLOURS[winner]} has six in a row, {end}."
        n = len(self.moves)
        which = "your one first stone" if n == 0 else f"the {'first' if n % 2 else 'second'} of two"
        return f"You are {drawing.mover_words(self.reader)}: stone {n + 1} is yours, {which}."
