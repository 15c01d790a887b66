"""A game against a player that draws its moves from learned strengths: what both have."""

import numpy as np

from gameai_book.btmm.boards import grid as drawing
from gameai_book.btmm.boards.bench import Chooser, format_strength
from gameai_book.btmm.boards.grid import SIDES
from gameai_book.btmm.results.models import load_model
from gameai_lib.base import checks
from gameai_lib.btmm.game.positions import BLACK, COLOURS, WHITE
from touchbook.board import svg
from touchbook.boards import WrongTouch

READERS = {"black": BLACK, "white": WHITE}
TEMPERATURES = (
    "At a low temperature it nearly always takes the strongest {}, and at a high temperature it "
    "plays freely. Under Chances you see what it would do in your place."
)


class Versus(Chooser):
    """What both games share: a reader of a colour, a player of weights, chances and lines.

    The player's chances are shares of strength ** (1 / temperature).
    """

    grid = None
    lines = False  # whether the lines of a move are in view from the start
    views = {"chances": "Chances", "lines": "Lines of a move"}
    choices = {
        "temperature": (
            "Temperature",
            "temperature",
            {0.25: "¼, mostly its best", 0.5: "½", 1.0: "1, as learned", 2.0: "2, freely"},
        )
    }

    def __init__(self, *, colour="black", temperature=1.0, seed=0):
        super().__init__(seed=seed)
        self.reader = READERS[checks.one_of("colour", colour, READERS)]
        self.start_temperature = self.temperature = checks.number(
            "temperature", temperature, 0.01, 100
        )

    def _lay(self, stones):
        """Begin with these stones, which nobody has played."""
        self.stones, self.moves = stones, ()  # moves are cells, from the first
        self.turn = BLACK  # 0 at the end
        self.aimed = ""  # the square whose lines are shown
        self.told = ()  # what happened since the reader's last touch
        self.fresh = ()  # stones of the last move
        self.replies = {}  # what the program looked at: cell: (stones, colour, temperature)
        self.ranks = ()  # of the reader's moves, among the program's

    def options(self):
        colour = COLOURS[self.reader]
        return super().options() | {"colour": colour, "temperature": self.start_temperature}

    def move(self, name):
        if name.startswith("temperature-"):
            return super().move(name)
        aims, square = name.startswith("aim-"), name.removeprefix("aim-")
        cell = self.grid.named(square)
        if not (aims and cell in self.replies):
            if self.turn == 0:
                raise WrongTouch("The game is over. Begin a new one.")
            self._refuse(cell)
        if aims:
            self.aimed = square
            return False
        self.told, self.aimed, self.replies = (), "", {}
        self.ranks = (*self.ranks, self.look().rank(cell))
        self.fresh = ()
        self._put(cell)
        if self.turn != self.reader:
            self._answer()
        return True

    def look(self):
        """Return the `Look` at the moves of the side to move."""
        return drawing.look(self.model_name, self.stones.tobytes(), self.turn, self.temperature)

    def _shown_move(self):
        """Return (team, colour, its chance, that in words) of the square whose lines are shown.

        A stone of the program's last move is seen in the position in which it was drawn.
        """
        cell = self.grid.cell_of(self.aimed)
        here = self.stones.tobytes(), self.turn, self.temperature
        stones, colour, at = self.replies.get(cell, here)
        seen = drawing.look(self.model_name, stones, colour)
        words = f"{seen.percent(cell)} %"
        if at != 1:
            then = drawing.look(self.model_name, stones, colour, at)
            words = f"{words}, at {_write(at)}: {then.percent(cell)} %"
        return seen.teams[seen.cells == cell][0], colour, seen.of(cell), words

    def _answer(self):
        """The program moves until it is the reader's turn, or the end."""
        self.fresh = ()
        while self.turn == 3 - self.reader:
            seen = self.look()
            # Every stone draws from a stream of its own.
            cell = int(self.rng(len(self.moves)).choice(seen.cells, p=seen.chance))
            choice = self._choice_said(cell, seen)
            words = f"{SIDES[self.turn]} plays {self.grid.square_of(cell)}: {choice}."
            self.told = (*self.told, words)
            here = self.stones.tobytes(), self.turn, self.temperature
            self.replies = self.replies | {cell: here}
            self.fresh = (*self.fresh, cell)
            self._put(cell)

    def _choice_said(self, cell, seen):
        """How the program came to a move."""
        if seen.cells.size == 1:
            return "its only move"
        rank = seen.rank(cell)
        choice = "its first choice" if rank == 1 else f"its choice number {rank}"
        p = seen.percent(cell).replace("<1", "less than 1")
        return f"{choice}, with a chance of {p} %{self._at()}"

    def _at(self):
        """At which temperature chances are, unless they are as learned."""
        return "" if self.temperature == 1 else f" at temperature {_write(self.temperature)}"

    def _shows_heat(self):
        return "chances" in self.shown and self.turn

    def svg(self):
        grid, features = self.grid, load_model(self.model_name).features
        chooses = bool(self.turn or self.replies) and "lines" in self.shown
        aimed = grid.cell_of(self.aimed) if self.aimed else -1
        heard, chips, words = {}, "", self._legal()
        if self._shows_heat():
            chips, words = drawing.heat(grid, self.look())
            heard = drawing.say_chances(grid, self.look())
        lines = ring = panel = ""
        foot = grid.bottom + 6
        if chooses and self.aimed:
            lines, ring = drawing.lines_of(grid, aimed, features), drawing.ring(grid, aimed)
            heard[aimed] = "chosen" + ("" if aimed in self.replies else ", touch again to play")
        if chooses:
            panel = self._panel(foot)
        aim = {"aim": chooses, "aimed": aimed, "also": self.replies}
        places = drawing.places(grid, self.stones, fresh=self.fresh, more=heard, **aim)
        shapes = drawing.ground(grid), chips, lines, words, places, self._six(), ring, panel
        label = f"{self.title}: the board"
        # The panel's room is there before it is filled, so that the board keeps its size.
        keeps_room = self.lines or "lines" in self.shown
        height = foot + keeps_room * drawing.panel_height(grid, features)
        return svg.picture(drawing.WIDTH, height, *shapes, label=label, least=grid.least)

    def _legal(self):
        return ""

    def _six(self):
        return ""

    def _panel(self, top):
        if not self.aimed:
            words = f"Touch a {self.grid.place} to see its lines."
            return svg.text(10, top + 14, words, 14, anchor="start")
        team, colour, chance, said = self._shown_move()
        drawn = drawing.team_panel(self.grid, top, team, colour, self.model_name)
        product = load_model(self.model_name).gamma[team].prod()
        y = top + drawing.ROW * team.size + 14
        words = f"{self.aimed}: strength {format_strength(product)}"
        low = svg.text(10, y, words, 14, "ink bold", anchor="start")
        words = f"of {format_strength(product / chance)} in all: {said}"
        # What is wider than a phone is cut there.
        x, y, anchor = (10, y + 22, "start") if self.grid.crossings else (390, y, "end")
        return drawn + low + svg.text(x, y, words, 13, anchor=anchor)

    def say(self):
        parts = [" ".join(self.told), self._standing(), self._what_now()]
        return "\n".join(part for part in parts if part)

    def _what_now(self):
        if self.turn == 0:
            n, first = len(self.ranks), sum(rank == 1 for rank in self.ranks)
            lines = f" {self._lines_said()}" if self.aimed and "lines" in self.shown else ""
            return (
                f"{first} of your {n} moves would have been the program's first choice. The "
                f"program has no plan: it looks up a strength for each line and multiplies.{lines}"
            )
        said = []
        if self._shows_heat():
            seen = self.look()
            best = ", ".join(
                f"{self.grid.square_of(cell)} {seen.percent(cell)} %"
                for cell in seen.cells[np.argsort(-seen.chance, kind="stable")[:3]].tolist()
            )
            said.append(f"In your place the program plays{self._at()}: {best}.")
        if "lines" in self.shown:
            said.append(self._lines_said())
        return " ".join(said)

    def _lines_said(self):
        if not self.aimed:
            mine = f"Touch a {self.grid.place} to see its lines, and again to play there"
            return f"{mine}; or a stone just played." if self.replies else f"{mine}."
        team, colour, _, said = self._shown_move()
        gamma = load_model(self.model_name).gamma[team]
        product = " × ".join(format_strength(g) for g in gamma)
        drawn = self.grid.cell_of(self.aimed) in self.replies
        when = f", when {SIDES[colour]} chose it" if drawn else ""
        again = "" if drawn else " Touch it again to play there."
        strength = f"{product} = {format_strength(gamma.prod())}"
        return f"{self.aimed}{when}: {strength}, a chance of {said}.{again}"


def _write(temperature):
    return {0.25: "¼", 0.5: "½"}.get(temperature, f"{temperature:g}")
