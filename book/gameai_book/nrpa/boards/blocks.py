"""Blocks of SameGame, drawn with neighbours joined, and the border of a group."""

from typing import NamedTuple

from gameai_lib.nrpa.game.instances import small_board
from gameai_lib.nrpa.game.samegame import board_of, groups_of, samegame
from touchbook.board import svg

# Told apart by their shapes, not by colour alone.
KINDS = ("blue circle", "orange triangle", "green square", "pink diamond", "yellow cross")
COLUMNS = "abcdefghi"


def lesson_problem():
    """The problem of the lesson's board."""
    return samegame(small_board(), "SameGame 9 × 9")


def blocks_of(ints):
    """Colour of each block of a position by (column, row), and the cells of each legal group."""
    rows = board_of(ints)[::-1].tolist()
    kinds = {(x, y): kind for y, row in enumerate(rows) for x, kind in enumerate(row) if kind >= 0}
    return kinds, tuple(map(tuple, groups_of(ints)))


class Grid(NamedTuple):
    """Where blocks lie in a picture."""

    side: int  #: blocks in a row
    cell: int  #: side of a block
    left: float
    top: float

    def at(self, place):
        """Upper left corner of a cell, (column, row) from 0 at the lower left."""
        return self.left + place[0] * self.cell, self.top + (self.side - 1 - place[1]) * self.cell

    def middle(self, place):
        """Middle of a cell."""
        x, y = self.at(place)
        return x + self.cell / 2, y + self.cell / 2

    @property
    def width(self):
        """Of all blocks, and their height."""
        return self.side * self.cell

    def blocks(self, kinds):
        """Shapes of all blocks; `kinds` has the colour of each by (column, row).

        Two paths a colour: many elements would be slow. Neighbours are joined, so that a group
        is seen as one.
        """
        shapes = [svg.rect(self.left, self.top, self.width, self.width, "soft")]
        for kind in range(len(KINDS)):
            there = {place for place, other in kinds.items() if other == kind}
            paths = {f"c{kind}": self._squares(there), "black": self._marks(there, kind)}
            shapes += [
                svg.element("path", d="".join(d), class_=class_) for class_, d in paths.items() if d
            ]
        return shapes

    def _squares(self, there):
        a, squares = self.cell - 2, []
        for column, row in sorted(there):
            x, y = self.at((column, row))
            beside, above = (column + 1, row) in there, (column, row + 1) in there
            squares.append(f"M{x + 1} {y + 1}h{a}v{a}h-{a}z")
            if beside:
                squares.append(f"M{x + a} {y + 1}h4v{a}h-4z")
            if above:
                squares.append(f"M{x + 1} {y - 2}h{a}v4h-{a}z")
            if beside and above and (column + 1, row + 1) in there:
                squares.append(f"M{x + a} {y - 2}h4v4h-4z")
        return squares

    def _marks(self, there, kind):
        return [_mark(kind, *self.middle(place), self.cell / 14) for place in sorted(there)]

    def letters(self, size):
        """Names of the columns, below them."""
        y = self.top + self.width + size
        return [
            svg.text(self.middle((x, 0))[0], y, name, size, "muted")
            for x, name in enumerate(COLUMNS[: self.side])
        ]

    def numbers(self, size):
        """Names of the rows, beside them."""
        x = self.left - size / 2 - 2
        return [svg.text(x, self.middle((0, y))[1], y + 1, size, "muted") for y in range(self.side)]

    def outline(self, group, **dashes):
        """The border of a group."""
        sides = []
        for x, y in group:
            left, top = self.at((x, y))
            right, low = left + self.cell, top + self.cell
            for beside, side in (
                ((x - 1, y), f"M{left} {top}V{low}"),
                ((x + 1, y), f"M{right} {top}V{low}"),
                ((x, y + 1), f"M{left} {top}H{right}"),
                ((x, y - 1), f"M{left} {low}H{right}"),
            ):
                if beside not in group:
                    sides.append(side)
        return svg.element("path", d="".join(sides), class_="stroke", stroke_width=4, **dashes)


def in_words(group, kind: int) -> str:
    """A group in words: "4 blue circles in columns a to c"."""
    name, columns = KINDS[kind], [x for x, _ in group]
    first, last = COLUMNS[min(columns)], COLUMNS[max(columns)]
    where = f"in column {first}" if first == last else f"in columns {first} to {last}"
    return f"{len(group)} {name}{'es' if name.endswith('s') else 's'} {where}"


def _mark(kind, x, y, a):
    """The shape of a colour around a point, as a path; `a` is a sixth of its side, about."""
    return (
        f"M{x - 2.6 * a:g} {y:g}a{2.6 * a:g} {2.6 * a:g} 0 1 0 {5.2 * a:g} 0"
        f"a{2.6 * a:g} {2.6 * a:g} 0 1 0 {-5.2 * a:g} 0z",
        f"M{x:g} {y - 3 * a:g}l{3 * a:g} {5.5 * a:g}h{-6 * a:g}z",
        f"M{x - 2.5 * a:g} {y - 2.5 * a:g}h{5 * a:g}v{5 * a:g}h{-5 * a:g}z",
        f"M{x:g} {y - 3.4 * a:g}l{3.4 * a:g} {3.4 * a:g}l{-3.4 * a:g} {3.4 * a:g}"
        f"l{-3.4 * a:g} {-3.4 * a:g}z",
        f"M{x - a:g} {y - 3 * a:g}h{2 * a:g}v{2 * a:g}h{2 * a:g}v{2 * a:g}h{-2 * a:g}v{2 * a:g}"
        f"h{-2 * a:g}v{-2 * a:g}h{-2 * a:g}v{-2 * a:g}h{2 * a:g}z",
    )[kind]
