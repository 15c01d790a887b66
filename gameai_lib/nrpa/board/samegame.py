"""SameGame to play: a touch chooses a group of blocks, a second one removes it."""

import json
import re

import numpy as np

from gameai_lib import _checks as checks
from gameai_lib import _svg as svg
from gameai_lib.boards import Board, WrongTouch
from gameai_lib.nrpa.board.advice import COMPILED, advise
from gameai_lib.nrpa.board.yardstick import in_words, strip_chart, yardstick
from gameai_lib.nrpa.game.continued import continued
from gameai_lib.nrpa.game.instances import DATA, bundled_board, random_board
from gameai_lib.nrpa.game.samegame import RULES, SIZE, board_of, cells_of, groups_of
from gameai_lib.nrpa.game.samegame import samegame as problem_of
from gameai_lib.nrpa.search.walk import replay

CELL = 28  # side of a block, in units of the picture
LEAST_CELL = 24  # in pixels
N_ITERATIONS, EVERY = (100, 500) if COMPILED else (20, 4)  # of a search, and of its steps
COLUMNS = "abcdefghijklmno"
PLACE = re.compile(r"(take-)?([a-o])(1[0-5]|[1-9])")
# Told apart by their shapes, not by colour alone.
KINDS = ("blue circle", "orange triangle", "green square", "pink diamond", "yellow plus")


class SameGameBoard(Board):
    """SameGame: remove groups of equal blocks, the larger the better.

    Parameters
    ----------
    blocks : str
        "bundled", or "random" for colours drawn from the seed.
    seed : int
        Of the colours and the searches.

    Attributes
    ----------
    score : int
        Points so far.
    kinds : dict
        Colour of each block, by (column, row) from 0 at the lower left.
    groups : tuple of tuple
        Cells of each group that can be removed, in the order of the legal moves.
    chosen : int or None
        Index of the group that the next touch removes.
    advice : Advice or None
        What NRPA has found from here.
    """

    name = "samegame"
    title = "SameGame"
    rules = (
        "Blocks of one colour that touch, side by side or one on the other, are a group.",
        "Touch a group of two or more: it is marked, and you see what it is worth. Touch it "
        "again, and it is gone.",
        "Blocks above fall down; an empty column closes, and what is to its right moves left.",
        "A group of n blocks brings (n - 2)² points: 2 blocks 0, 5 blocks 9, 20 blocks 324. "
        "So let groups grow.",
        "Clearing the board brings 1,000 more. The game ends when only single blocks are left.",
    )
    views = {"groups": "Sizes of groups"}  # noqa: RUF012
    thinks = "What would NRPA do from here?"

    def __init__(self, *, blocks: str = "bundled", seed: int = 0):
        super().__init__(seed=seed)
        self.blocks = checks.one_of("blocks", blocks, ("bundled", "random"))
        bundled = blocks == "bundled"
        self.title = "SameGame" if bundled else f"SameGame, board {self.seed}"
        cells = bundled_board() if bundled else random_board(np.random.default_rng(self.seed))
        self.chosen, self.advice = None, None
        self._stand_at(problem_of(cells, self.title))

    def options(self):
        """Seed, and where the colours come from."""
        return super().options() | {"blocks": self.blocks}

    def _stand_at(self, problem):
        self.here = problem
        (ply,) = replay(problem, [])
        self.score = int(RULES.score(ply.ints, ply.floats))
        rows = board_of(ply.ints)[::-1].tolist()
        self.kinds = {
            (x, y): kind for y, row in enumerate(rows) for x, kind in enumerate(row) if kind >= 0
        }
        self.groups = tuple(
            tuple(cells_of(ply.ints, column, row)) for column, row, *_ in groups_of(ply.ints)
        )

    @property
    def over(self) -> bool:
        """Whether no group can be removed."""
        return not self.groups

    def touch(self, name):
        """As `Board.touch`; the log has the group that a second touch or "follow" removed."""
        super().touch(self._group_meant(name))

    def _group_meant(self, name):
        if name == "follow" and self.advice is not None and self.advice.choices:
            return f"take-{cell_name(self.groups[self.advice.choices[0]][0])}"
        cell = _cell(name)
        if cell is None or self.chosen is None or cell not in self.groups[self.chosen]:
            return name
        return f"take-{cell_name(self.groups[self.chosen][0])}"

    def move(self, name):
        """Remove a group; a block alone chooses its group."""
        if name == "follow":
            raise WrongTouch("There is no game to follow: let NRPA think first.")
        cell = _cell(name)
        if cell is None:
            return super().move(name)
        if cell not in self.kinds:
            raise WrongTouch(f"There is no block at {cell_name(cell)}.")
        k = next((k for k, group in enumerate(self.groups) if cell in group), None)
        if k is None:
            kind = KINDS[self.kinds[cell]]
            raise WrongTouch(f"The {kind} at {cell_name(cell)} is alone: a group has two or more.")
        if not name.startswith("take-"):
            self.chosen = k
            return False
        self.chosen = None
        self.advice = self.advice and self.advice.after(k)
        self._stand_at(continued(self.here, [k]))
        if self.over:
            self.thinks = ""
        return True

    def buttons(self):
        """To play the next move of the game that NRPA has found."""
        if self.advice is None or not self.advice.choices:
            return []
        size = len(self.groups[self.advice.choices[0]])
        return [("follow", f"Follow NRPA: remove {size} blocks")]

    def think(self):
        """Search from here at level 2, and play as many random games."""
        if self.over:
            return
        for part, advice in advise(self.here, self.rng(1), self.rng(2), N_ITERATIONS, EVERY):
            self.advice = advice
            yield part

    # What is shown.

    def say(self):
        """Points and blocks left; at the end, beside whom you stand."""
        left = f"{len(self.kinds)} blocks left" if self.kinds else "the board cleared"
        if self.over:
            return "\n".join([f"No group is left: {self.score:,} points, {left}.", *self._beside()])
        said = f"{self.score:,} points, {left}, {len(self.groups)} groups to remove."
        if self.chosen is not None:
            group = self.groups[self.chosen]
            kind = KINDS[self.kinds[group[0]]]
            said += (
                f" Marked: a group of {len(group)}, {kind}, {_columns(group)}, worth "
                f"{points_of(len(group))}. Touch it again to remove it."
            )
        elif not self.log:
            said += " Touch a group to see what it is worth."
        return "\n".join([said, *self._advised()])

    def _beside(self):
        if self.blocks == "random":
            said = in_words("random", self.score, "points", None)
            return [*said, "(Searches and random games were on forty such boards, 0 to 39.)"]
        return in_words("bundled", self.score, "points", ("The best we know", best_known()))

    def _advised(self):
        if self.advice is None:
            return []
        said = [self.advice.in_words(self.score, "points")]
        if self.advice.probabilities:
            chances = self.advice.probabilities
            k = int(np.argmax(chances))
            group = self.groups[k]
            said.append(
                f"Its policy likes best the {len(group)} blocks {KINDS[self.kinds[group[0]]]} "
                f"{_columns(group)}: {chances[k]:.0%}."
            )
        return [" ".join(said)]

    def svg(self):
        """The board, and what else is asked for."""
        side = SIZE * CELL
        shapes = [svg.rect(0, 0, side, side, "soft")]
        for kind in range(len(KINDS)):
            cells = [cell for cell, k in self.kinds.items() if k == kind]
            if cells:
                shapes += _blocks(cells, kind)
        if self.advice and self.advice.choices:
            shapes += _outline(self.groups[self.advice.choices[0]], "stroke", "5 3")
        if self.chosen is not None:
            group = self.groups[self.chosen]
            shapes += [*_outline(group, "stroke")]
            shapes += _tag(group[len(group) // 2], len(group), "paper edge")
        shapes += self._tags()
        shapes += self._targets()
        for column, letter in enumerate(COLUMNS):
            shapes.append(svg.text((column + 0.5) * CELL, side + 10, letter, 13, "muted"))
        status = f"{self.score:,} points"
        if self.chosen is not None:
            n = len(self.groups[self.chosen])
            status += f"; marked: {n} blocks, worth {points_of(n)}"
        shapes.append(svg.text(4, side + 30, status, 15, "ink bold", anchor="start"))
        below, extra = self._below(side + 42, side)
        label = f"{self.title}: {self.score:,} points, {len(self.kinds)} blocks left"
        return svg.picture(
            side, side + 42 + extra, *shapes, *below, label=label, least=SIZE * LEAST_CELL
        )

    def _tags(self):
        """Sizes of groups, and the policy's chances, on blocks of their own."""
        shapes = []
        chances = self.advice.probabilities if self.advice else ()
        for k, group in enumerate(self.groups):
            if "groups" in self.shown and k != self.chosen:
                shapes += _tag(group[len(group) // 2], len(group), "paper edge")
            if chances and chances[k] >= 0.005:
                x, y = at(group[0] if len(group) == 2 else group[len(group) // 2 - 1])
                box = x + 1, y + 5, CELL - 2, CELL - 10
                shapes.append(svg.rect(*box, "paper", rx=3))
                shapes.append(svg.rect(*box, "mark", rx=3, opacity=0.1 + 0.5 * chances[k]))
                shapes.append(
                    svg.text(x + CELL / 2, y + CELL / 2, f"{100 * chances[k]:.0f}%", 12, "ink")
                )
        return shapes

    def _targets(self):
        group_of = {cell: k for k, group in enumerate(self.groups) for cell in group}
        shapes = []
        for cell, kind in self.kinds.items():
            x, y = at(cell)
            k = group_of.get(cell)
            about = "alone" if k is None else f"group of {len(self.groups[k])}"
            shapes.append(
                svg.target(
                    cell_name(cell), f"{cell_name(cell)}, {KINDS[kind]}, {about}",
                    svg.rect(x, y, CELL, CELL, "hidden"),
                    pressed=None if k is None else k == self.chosen,
                )
            )  # fmt: skip
        return shapes

    def _below(self, y, width):
        """Legend, and at the end a chart; and how high they are."""
        if self.over:
            record = None if self.blocks == "random" else ("record", best_known())
            return strip_chart(self.blocks, self.score, y, width, record)
        shapes = []
        if self.advice and self.advice.probabilities:
            shapes += [
                svg.rect(4, y + 4, 30, 18, "mark", rx=3, opacity=0.4),
                svg.text(19, y + 13, "37%", 12),
                svg.text(40, y + 13, "chance, by the policy", 13, anchor="start"),
            ]
        if self.advice and self.advice.choices:
            box = svg.rect(
                width - 196, y + 6, 26, 14, "stroke", stroke_width=3, stroke_dasharray="5 3"
            )  # fmt: skip
            words = "next in the best game"
            shapes += [box, svg.text(width - 162, y + 13, words, 13, anchor="start")]
        return shapes, 28 if shapes else 0


def best_known() -> float:
    """Points of the best game that our searches found on the bundled board."""
    stored = json.loads((DATA / "samegame.json").read_text())["bundled"]
    return max(*stored.values(), yardstick("bundled")["level 3"][-1])


def points_of(size: int) -> str:
    """What a group is worth, in words."""
    points = (size - 2) ** 2
    return f"{points:,} point{'s' * (points != 1)}"


def at(cell):
    """Upper left corner of a cell in the picture."""
    return cell[0] * CELL, (SIZE - 1 - cell[1]) * CELL


def cell_name(cell) -> str:
    """Column as a letter, row from 1 at the bottom: "c7"."""
    return f"{COLUMNS[cell[0]]}{cell[1] + 1}"


def _cell(name):
    match = PLACE.fullmatch(name) if isinstance(name, str) else None
    return match and (COLUMNS.index(match[2]), int(match[3]) - 1)


def _columns(group):
    first, last = COLUMNS[min(x for x, _ in group)], COLUMNS[max(x for x, _ in group)]
    return f"in column {first}" if first == last else f"in columns {first} to {last}"


def _blocks(cells, kind):
    """Blocks of one colour with their shapes, as two paths: many elements would be slow.

    Neighbours are joined, so that a group is seen as one.
    """
    there, a, squares, marks = set(cells), CELL - 2, [], []
    for cell in cells:
        x, y = at(cell)
        squares.append(f"M{x + 1} {y + 1}h{a}v{a}h-{a}z")
        marks.append(_mark(kind, x + CELL // 2, y + CELL // 2))
        if (cell[0] + 1, cell[1]) in there:
            squares.append(f"M{x + a} {y + 1}h4v{a}h-4z")
        if (cell[0], cell[1] + 1) in there:
            squares.append(f"M{x + 1} {y - 2}h{a}v4h-{a}z")
    return [
        svg.element("path", d="".join(squares), class_=f"c{kind}"),
        svg.element("path", d="".join(marks), class_="black"),
    ]


def _mark(kind, x, y):
    return (
        f"M{x - 5} {y}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z",
        f"M{x} {y - 6}l6 11h-12z",
        f"M{x - 5} {y - 5}h10v10h-10z",
        f"M{x} {y - 7}l7 7l-7 7l-7 -7z",
        f"M{x - 2} {y - 6}h4v4h4v4h-4v4h-4v-4h-4v-4h4z",
    )[kind]


def _outline(group, class_, dashes=None):
    """The border of a group."""
    cells, sides = set(group), []
    for x, y in group:
        left, top = at((x, y))
        right, low = left + CELL, top + CELL
        for dx, dy, side in (
            (-1, 0, f"M{left} {top}V{low}"),
            (1, 0, f"M{right} {top}V{low}"),
            (0, 1, f"M{left} {top}H{right}"),
            (0, -1, f"M{left} {low}H{right}"),
        ):
            if (x + dx, y + dy) not in cells:
                sides.append(side)
    d = "".join(sides)
    wide = {"stroke_linecap": "square"} if dashes is None else {"stroke_dasharray": dashes}
    return [svg.element("path", d=d, class_=class_, stroke_width=4, **wide)]


def _tag(cell, number, class_):
    x, y = at(cell)
    middle = x + CELL / 2, y + CELL / 2
    return [svg.circle(*middle, 10, class_), svg.text(*middle, number, 13, "ink bold")]
