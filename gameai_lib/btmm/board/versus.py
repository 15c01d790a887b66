"""A game against a player that draws its moves from learned strengths: what both have."""

import numpy as np

from gameai_lib import _checks as checks
from gameai_lib import _svg as svg
from gameai_lib._checks import short
from gameai_lib.boards import Board, WrongTouch
from gameai_lib.btmm.board import grid as drawing
from gameai_lib.btmm.board.grid import COLOURS
from gameai_lib.btmm.game.positions import BLACK, WHITE

TEMPERATURES = {0.25: "¼", 0.5: "½", 1.0: "1", 2.0: "2"}
READERS = {"black": BLACK, "white": WHITE}


class Versus(Board):
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
            if not grid.crossings:
                for cell, p in zip(cells.tolist(), chance, strict=True):
                    more[cell] = f"chance {drawing.percent(p)} %"
        shapes.append(chips)
        if chosen and self.aimed:
            cell = grid.cell_of(self.aimed)
            shapes.append(drawing.lines_of(grid, cell, drawing.model(self.model_name).features))
            more[cell] = "chosen, touch again to play"
        shapes.append(words)
        aimed = grid.cell_of(self.aimed) if self.aimed else -1
        aim = {"aim": chosen, "aimed": aimed}
        shapes.append(drawing.places(grid, self.stones, fresh=self.fresh, more=more, **aim))
        shapes.append(self._six())
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

    def _six(self):
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
                f"Moves of yours that were the model's first choice as well: {first} of {n}. The "
                "model has no plan: it looks up a strength for each line and multiplies."
            )
        said = []
        if self._shows_heat():
            cells, chance, _ = self.looked()
            best = ", ".join(
                f"{self.grid.square_of(int(cells[k]))} {drawing.percent(chance[k])} %"
                for k in np.argsort(-chance, kind="stable")[:3]
            )
            now = "" if self.temperature == 1 else f" (at temperature {self.temperature:g})"
            said.append(f"In your place the model plays {best}{now}.")
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
