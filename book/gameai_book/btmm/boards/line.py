"""One line of cells to lay stones on, and the strength that was learned of it."""

from functools import lru_cache

import numpy as np

from gameai_book.btmm.boards import grid as drawing
from gameai_book.btmm.boards.bench import Chooser, format_strength, with_minus
from gameai_book.btmm.boards.grid import SIDES
from gameai_book.btmm.results.models import load_model
from gameai_lib.btmm.game import patterns
from gameai_lib.btmm.game.patterns import OFF_BOARD, OPPONENT, OWN
from gameai_lib.btmm.model.elo import elo_from_gamma
from touchbook.board import svg
from touchbook.boards import WrongTouch

FREE = 0
MOVERS = {"black": 1, "white": 2}
NAMES = "abcdefgh"  # of the cells from the left
BEFORE = 3  # cells of the seven that lie before the move
WORDS = ("empty", "own stone", "other side's stone", "off the board")
MARKS = ".●○#"  # of what is empty, black, white and off the board
KNOWN = 20  # times that a pattern must have been chosen to be ranked
STOP = "the strongest line without an own stone"


class Kind:
    """All patterns of one direction and one mover; the edge is a state of its own."""

    def __init__(self, direction, mover):
        model = load_model("connect6 own state")
        k = list(patterns.DIRECTIONS).index(direction)
        self.shape = model.features.groups[k]
        first = model.features.starts[k] + self.shape.number([FREE] * 7, mover)
        n = self.shape.n_states**7
        self.gamma = model.gamma[first : first + n]
        self.error = model.error[first : first + n]
        self.wins = model.wins[first : first + n]
        self.known = np.flatnonzero(self.wins >= KNOWN)
        self.states = np.arange(n)[:, None] // self.shape.n_states ** np.arange(7)
        self.states %= self.shape.n_states

    def code(self, states):
        """The number of a pattern in this kind."""
        return self.shape.number(states)

    def rank(self, code):
        """Return how many of the known patterns are at least as strong, itself included."""
        return int((self.gamma[self.known] >= self.gamma[code]).sum())

    def fits(self, codes):
        """Whether patterns are known, and have no own stone."""
        return (self.states[codes] != OWN).all(axis=-1) & (self.wins[codes] >= KNOWN)

    def answer(self):
        """The states of the strongest pattern that `fits`."""
        codes = self.known[self.fits(self.known)]
        return tuple(self.states[codes[np.argmax(self.gamma[codes])]].tolist())


def in_print(line, mover):
    """A line as the library writes it, such as ``..X*OO..``, with the stones that it means."""
    signs = {"*": "×", "X": MARKS[mover], "O": MARKS[3 - mover]}
    return line.translate(str.maketrans(signs))


@lru_cache(maxsize=8)
def kind(direction, mover):
    """The `Kind`, made once."""
    return Kind(direction, mover)


class LineBoard(Chooser):
    """Seven cells around a move of Connect-6; a touch lays the next thing on one.

    It asks for the strongest line without an own stone. There is no chance: a seed changes nothing.
    """

    name, title = "line", "A line and its strength"
    rules = (
        "The cross is a move of Connect-6, and the seven cells are what lies on one line through "
        "it: three cells on one side and four on the other.",
        "Each touch on a cell changes it: first to a stone of the side that moves, then to a stone "
        "of the other side, then back to empty. The buttons with # let the board end on that side, "
        "and a touch on # takes this back.",
        "The number γ is the strength of this line, learned from 7,082 games. A move is as strong "
        "as the product of its four lines.",
        "Six in a row win, and a side places two stones a turn.",
    )
    choices = {
        "way": ("Line", "direction", {d: d for d in patterns.DIRECTIONS}),
        "mover": ("Moves", "mover", {m: m for m in MOVERS}),
    }

    def __init__(self, *, seed=0):
        super().__init__(seed=seed)
        self.direction, self.mover = "row", "black"
        self.states = (FREE,) * 7
        self.best = 0.0  # strength of the reader's best answer
        self.revealed = False

    def runs_to_record(self):
        """A four of the other side laid and taken away again, any one cell, and the answer."""
        runs = [tuple("eeffgghhhgf"), *((name,) for name in NAMES if name not in "ade")]
        return [*runs, ("reveal",)]

    @property
    def kind(self):
        """All patterns like this one."""
        return kind(self.direction, MOVERS[self.mover])

    @property
    def places(self):
        """Which of the seven states each cell from the left holds, None for the move.

        A falling line runs upwards in the records, and so from right to left.
        """
        places = [*range(BEFORE), None, *range(BEFORE, 7)]
        return places[::-1] if self.direction == "falling" else places

    @property
    def code(self):
        """The number of the pattern among its kind."""
        return self.kind.code(self.states)

    def move(self, name):
        if name == "clear":
            self._lay((FREE,) * 7)
        elif name in ("edge-left", "edge-right"):
            self._lay(self._with_edge(name))
        elif name == "reveal":
            self.states, self.revealed = self.kind.answer(), True
        elif len(name) == 1 and name in NAMES:
            i = self.places[NAMES.index(name)]
            if i is None:
                raise WrongTouch(f"{name} is the move itself: before it the cell is empty.")
            self._lay(after_touch(self.states, i))
        else:
            super().move(name)
            self.best, self.revealed = 0.0, False
        return True

    def _with_edge(self, name):
        """States with one cell more off the board, on the left or on the right."""
        k = self.places.index(None)
        left, right = self.places[:k], self.places[:k:-1]
        for i in left if name == "edge-left" else right:
            if self.states[i] != OFF_BOARD:
                return (*self.states[:i], OFF_BOARD, *self.states[i + 1 :])
        raise WrongTouch("The board ends beside the move already. A touch on # takes it back.")

    def _lay(self, states):
        self.states = states
        if not self.revealed and self.kind.fits(self.code):
            self.best = max(self.best, self.kind.gamma[self.code])

    def buttons(self):
        more = [] if self.revealed else [("reveal", "Show the answer")]
        edges = [("edge-left", "# on the left"), ("edge-right", "# on the right")]
        return [*edges, ("clear", "Clear"), *more]

    def svg(self):
        top = 30
        shapes = self._cells(16, top, 46), self._strength(top + 74)
        return svg.picture(drawing.WIDTH, top + 96, *shapes, label="A line of seven cells")

    def _cells(self, left, top, size):
        """The move and the seven cells to touch, their names above."""
        drawn = []
        for k, (name, i) in enumerate(zip(NAMES, self.places, strict=True)):
            state = None if i is None else self.states[i]
            x = left + k * size
            words = "the move" if state is None else WORDS[state]
            shape = drawing.cell_of_line(x, top, size, state, MOVERS[self.mover])
            drawn.append(svg.target(name, f"{name}, {words}", shape))
            drawn.append(svg.text(x + size / 2, top - 12, name, 13, "muted"))
        return "".join(drawn)

    def _strength(self, y):
        """Strength and Elo of this line, in words around `y`."""
        gamma = self.kind.gamma[self.code]
        elo = with_minus(f"{float(elo_from_gamma(gamma)):+.0f} Elo")
        strength = svg.text(16, y, f"γ = {format_strength(gamma)}", 24, "ink bold", anchor="start")
        return strength + svg.text(384, y, elo, 14, anchor="end")

    def say(self):
        kind, code = self.kind, self.code
        gamma, wins = kind.gamma[code], int(kind.wins[code])
        beside = f", {format_strength(gamma / kind.gamma[0])} times an empty line" if code else ""
        mover = SIDES[MOVERS[self.mover]]
        said = [f"{self._line_said()}, {mover} moves at ×: γ {format_strength(gamma)}{beside}."]
        if wins >= KNOWN:
            said.append(
                f"Players chose it {wins:,} times. It is number {kind.rank(code):,} of the "
                f"{kind.known.size:,} {self.direction} lines that were chosen {KNOWN} times or "
                f"more. Its γ is known up to a factor of about {np.exp(kind.error[code]):.3g}."
            )
        elif wins == 0 and abs(gamma - 1) < 1e-6:
            said.append(
                "In no game was it on offer, so it stands at 1, where the prior puts what is "
                "unknown."
            )
        else:
            times = "never" if wins == 0 else f"only {wins} time{'s' * (wins > 1)}"
            said.append(f"Players chose it {times}. Little is known of it, so it is not ranked.")
        return "\n".join([*said, self._question_said()])

    def _line_said(self):
        """The line from left to right, as the picture shows it."""
        line = "".join("*" if i is None else ".XO#"[self.states[i]] for i in self.places)
        return in_print(line, MOVERS[self.mover])

    def _question_said(self):
        best = f"γ {format_strength(self.best)}" if self.best else ""
        if not self.revealed:
            so_far = f" So far: {best}." if best else ""
            return f"Find {STOP}, among the lines chosen {KNOWN} times or more.{so_far}"
        top = self.kind.gamma[self.kind.code(self.kind.answer())]
        if self.best == top:
            return f"You had found {STOP}: {best}."
        yours = f"; yours had {best.removeprefix('γ ')}" if best else ""
        return f"This is {STOP}: γ {format_strength(top)}{yours}."


def after_touch(states, i):
    """States after a touch on cell `i` of the seven: the next in turn, and no hole in an edge.

    A touch on a cell off the board brings it back, and with it those between it and the move.
    """
    after = list(states)
    if states[i] == OFF_BOARD:
        inner = range(i, BEFORE) if i < BEFORE else range(BEFORE, i + 1)
        for k in inner:
            after[k] = FREE if states[k] == OFF_BOARD else states[k]
    else:
        after[i] = {FREE: OWN, OWN: OPPONENT, OPPONENT: FREE}[states[i]]
    return tuple(after)
