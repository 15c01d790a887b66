"""A square board with stones on it, chances and lines, as the boards of this room draw them."""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from gameai_book.btmm.boards.bench import cross, format_strength
from gameai_book.btmm.results.models import load_model
from gameai_lib.btmm.game import connect6, patterns, reversi
from gameai_lib.btmm.game.positions import BLACK, COLOURS, WHITE
from gameai_lib.btmm.game.positions import EMPTY as FREE
from touchbook.board import svg
from touchbook.boards import WrongTouch

SIDES = {BLACK: "Black", WHITE: "White"}  # as a sentence begins with them
STONES = {FREE: "empty"} | COLOURS  # words, and classes of the picture
WIDTH = 400
SEEN = 284  # of it, at least, in a picture that scrolls on a phone
ROW = 27  # of a panel that lists the members of a move


class Grid(NamedTuple):
    """Where the cells of a board lie in the picture; `left` and `top` are for the names."""

    side: int
    cell: float
    left: float
    top: float
    square_of: Callable
    cell_of: Callable
    crossings: bool  #: stones stand on the lines, and row 1 is below
    place: str  #: what a cell is called
    least: float  #: pixels below which the picture scrolls

    @property
    def bottom(self):
        """Where the board ends."""
        return self.top + self.side * self.cell

    def at(self, cell):
        """Return (x, y), the middle of a cell."""
        row, column = divmod(int(cell), self.side)
        row = self.side - 1 - row if self.crossings else row
        return self.left + (column + 0.5) * self.cell, self.top + (row + 0.5) * self.cell

    def named(self, square):
        """Return the cell of a name that was touched, or refuse it."""
        try:
            return self.cell_of(square)
        except ValueError as error:
            raise WrongTouch(str(error)) from None


REVERSI = Grid(8, 46, 24, 22, reversi.square_of, reversi.cell_of, False, "square", 0)
# Targets of 24 pixels on a phone: 20 of 400 units are that where the picture has 480.
CONNECT6 = Grid(19, 20, 19, 18, connect6.square_of, connect6.cell_of, True, "point", 484)


class Look(NamedTuple):
    """What a model sees in a position; one entry a legal move."""

    cells: np.ndarray  #: (n_moves,) int
    chance: np.ndarray  #: (n_moves,) float
    teams: np.ndarray  #: (n_moves, n_members) int: features

    def of(self, cell):
        """The chance of a move."""
        return self.chance[self.cells == cell][0]

    def percent(self, cell):
        """The chance of a move, as it is written."""
        return percent(self.of(cell))

    def rank(self, cell):
        """The rank of a move by its chance, from 1."""
        return 1 + int((self.chance > self.of(cell)).sum())


@lru_cache(maxsize=32)
def look(name, position, colour, temperature=1.0):
    """Return the `Look` of a model at a position; stones come as bytes.

    A chance is the move's share of gamma ** (1 / temperature), gamma the product of its team.
    """
    stones = np.frombuffer(position, np.int8)
    is_reversi = stones.size == reversi.N_CELLS
    one = reversi.position(stones, colour) if is_reversi else connect6.position(stones)
    model = load_model(name)
    teams = model.features.teams(one)
    weight = np.log(model.gamma)[teams].sum(axis=1) / temperature
    chance = np.exp(weight - weight.max())
    return Look(one.moves, chance / chance.sum(), teams)


@lru_cache(maxsize=4)
def ground(grid):
    """The empty board with its names, as SVG."""
    first, n = (grid.cell / 2, grid.side) if grid.crossings else (0, grid.side + 1)
    size, x, y = grid.side * grid.cell, grid.left + first, grid.top + first
    long, steps = size - 2 * first, [first + k * grid.cell for k in range(n)]
    left, top = grid.left, grid.top
    d = [f"M{left + at:g} {y:g}v{long:g}M{x:g} {top + at:g}h{long:g}" for at in steps]
    lines = {"class_": "stroke", "stroke_width": 0.6, "opacity": 0.7}
    shapes = [
        svg.rect(left, top, size, size, "wood"),
        svg.element("path", d="".join(d), **lines),
    ]
    for k in range(grid.side):
        column, row = grid.square_of(k)[0], grid.square_of(k * grid.side)[1:]
        shapes.append(svg.text(grid.at(k)[0], grid.top / 2, column, 13, "muted"))
        shapes.append(svg.text(grid.left / 2, grid.at(k * grid.side)[1], row, 13, "muted"))
    return "".join(shapes)


def stone(x, y, r, colour):
    """A stone of black, 1, or white, 2."""
    return svg.circle(x, y, r, STONES[colour])


@lru_cache(maxsize=4096)
def _place(grid, cell, colour, name, words):
    x, y = grid.at(cell)
    half = grid.cell / 2
    shapes = [svg.rect(x - half, y - half, grid.cell, grid.cell, "blank")]
    if colour != FREE:
        shapes.append(stone(x, y, 0.44 * grid.cell, colour))
    return svg.target(name, f"{grid.square_of(cell)}, {words}", *shapes)


def places(grid, stones, *, fresh=(), aim=False, aimed=-1, also=(), more):
    """Every cell as a target: a stone, `fresh` ones of the last move marked, or a place for one.

    With `aim` a touch chooses an empty cell, unless it is `aimed` at, or a stone of `also`. A
    screen reader says `more` of a cell.
    """
    drawn = []
    for cell, colour in enumerate(stones.tolist()):
        square = grid.square_of(cell)
        words = STONES[colour] + ", just played" * (cell in fresh)
        words += f", {more[cell]}" if cell in more else ""
        chooses = aim and (cell in also or (colour == FREE and cell != aimed))
        name = f"aim-{square}" if chooses else square
        drawn.append(_place(grid, cell, colour, name, words))
    drawn += [svg.circle(*grid.at(cell), 0.16 * grid.cell, "c1") for cell in fresh]
    return "".join(drawn)


def ring(grid, cell, class_="ring"):
    """A frame around a cell."""
    x, y = grid.at(cell)
    half = grid.cell / 2 - 1
    return svg.rect(x - half, y - half, 2 * half, 2 * half, class_, rx=3, stroke_width=2.5)


def percent(chance):
    """A chance as the boards write it, without the sign."""
    rounded = min(round(100 * chance), 99 if chance < 1 else 100)
    return f"{rounded}" if rounded else "<1"


def heat(grid, seen, also=()):
    """Return chips for the chances of moves, and the per cents to write on them.

    The likeliest has a frame. On the large board only half a per cent and more is shown,
    and the cells `also`.
    """
    chips, words, size = [], [], grid.cell
    best = int(np.argmax(seen.chance))
    for k, (cell, p) in enumerate(zip(seen.cells.tolist(), seen.chance.tolist(), strict=True)):
        if grid.crossings and p < 0.005 and cell not in also:
            continue
        x, y = grid.at(cell)
        box = (x - size / 2 + 1, y - size / 2 + 1, size - 2, size - 2)
        chips.append(svg.rect(*box, "paper", rx=3))
        # Dark enough at small chances, and never too dark for the number on it.
        chips.append(svg.rect(*box, "mark", rx=3, fill_opacity=0.45 * p**0.4))
        if k == best:
            chips.append(svg.rect(*box, "ring", rx=3))
        number = percent(p) + ("" if grid.crossings else " %")
        points = 12 if grid.crossings else 13
        words.append(svg.text(x, y, number, points, "ink bold" if k == best else "ink"))
    return "".join(chips), "".join(words)


def say_chances(grid, seen):
    """What a screen reader says of the cells of `heat`; the large board has too many for that."""
    cells = [] if grid.crossings else seen.cells.tolist()
    return {cell: f"chance {seen.percent(cell)} %" for cell in cells}


def lines_of(grid, cell, features):
    """Strokes through a cell, one for each line of the features, as far as the board goes."""
    row, column = divmod(cell, grid.side)
    shapes = [group for group in features.groups if isinstance(group, patterns.Shape)]
    style = {"stroke_width": grid.cell / 5, "stroke_linecap": "round", "opacity": 0.7}
    drawn = []
    for k, shape in enumerate(shapes):
        ends = [
            (row + r) * grid.side + column + c
            for r, c in (*shape.cells, (0, 0))
            if 0 <= row + r < grid.side and 0 <= column + c < grid.side
        ]
        drawn.append(svg.line(*grid.at(min(ends)), *grid.at(max(ends)), f"s{k}", **style))
    return "".join(drawn)


def states(x, y, size, shape, code, mover):
    """The cells of a line in a row from (x, y): stones, a cross for the move, # off the board."""
    found = dict(zip(shape.cells, shape.decode(code)[0], strict=True)) | {(0, 0): None}
    # From left to right, or upwards: the order of the steps.
    order = sorted(found, key=lambda cell: (cell[1] or cell[0], cell[0]))
    return "".join(
        cell_of_line(x + k * size, y, size, found[cell], mover) for k, cell in enumerate(order)
    )


def cell_of_line(x, y, size, state, mover):
    """One cell of a line with its upper left corner at (x, y); None is the move itself."""
    middle, half = (x + size / 2, y + size / 2), size / 2
    drawn = [
        svg.rect(x, y, size, size, "soft" if state == patterns.OFF_BOARD else "wood"),
        svg.rect(x, y, size, size, "line"),
    ]
    if state is None:
        drawn += cross(*middle, half / 2, stroke_width=size / 10)
    elif state == patterns.OFF_BOARD:
        drawn.append(svg.text(*middle, "#", max(13, 0.5 * size), "muted"))
    elif state:
        colour = mover if state == patterns.OWN else 3 - mover
        drawn.append(stone(*middle, 0.38 * size, colour))
    return "".join(drawn)


def panel_height(grid, features):
    """Height of a panel with the members of a move, and their product below."""
    return ROW * len(features.groups) + (54 if grid.crossings else 32)


def team_panel(grid, top, team, mover, name):
    """The members of a move, with their strengths, from `top` on."""
    # What is wider than a phone is cut there.
    left, size, right = (88, 15, SEEN) if grid.crossings else (112, 22, 390)
    features, gamma, *_ = load_model(name)
    drawn, n_lines = [], 0
    for k, feature in enumerate(team.tolist()):
        group, code = features.locate(feature)
        y, words = top + ROW * k + 12, {"flips": "discs"}.get(group.name, group.name)
        if isinstance(group, patterns.Shape):
            words = way(grid, group)
            drawn.append(svg.line(10, y, 26, y, f"s{n_lines}", stroke_width=5))
            drawn.append(states(left, y - size / 2, size, group, code, mover))
            n_lines += 1
        else:
            said = "like " * (group.name == "square") + group.describe(code)
            drawn.append(svg.text(112, y, said, 13, anchor="start"))
        drawn.append(svg.text(32, y, words, 13, anchor="start"))
        drawn.append(svg.text(right, y, f"γ = {format_strength(gamma[feature])}", 14, anchor="end"))
    return "".join(drawn)


def way(grid, shape):
    """The direction of a line as it runs in the picture."""
    word = shape.name.split()[0]
    if not grid.crossings:  # row 1 is above: what rises in the records falls in the picture
        word = {"rising": "falling", "falling": "rising"}.get(word, word)
    return word
