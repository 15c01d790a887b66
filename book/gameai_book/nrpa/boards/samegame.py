"""SameGame to play: a touch chooses a group of blocks, a second one removes it."""

import re

import numpy as np

from gameai_book.nrpa.boards.advice import chance_box, percent
from gameai_book.nrpa.boards.blocks import COLUMNS, KINDS, Grid, blocks_of, in_words
from gameai_book.nrpa.boards.tries import TriedBoard, count
from gameai_book.nrpa.boards.yardstick import standing
from gameai_lib.base import checks
from gameai_lib.base.jit import FAST
from gameai_lib.nrpa.game.instances import random_board
from gameai_lib.nrpa.game.samegame import RULES
from gameai_lib.nrpa.game.samegame import samegame as problem_of
from gameai_lib.nrpa.problem.walk import replay
from touchbook.board import svg
from touchbook.boards import WrongTouch

N_COLOURS, MARGIN, NUMBERS = 4, 3, 16  # the last for the numbers of rows
SIDE, CELL = {"lesson": 9, "small": 8}, {"lesson": 46, "small": 50}
# Of a search. The lesson's is recorded for the page: the same wherever it runs.
N_ITERATIONS = {"lesson": 30, "small": 100 if FAST else 30}
EVERY = {"lesson": 15, "small": 500 if FAST else 10}
PLACE = re.compile("(take-)?([a-i])([1-9])")
MOVES_RECORDED = 20  # of the game that the recorded search finds


class SameGameBoard(TriedBoard):
    """SameGame: remove groups of equal blocks, the larger the better.

    The `blocks` are those of the "lesson", 9 x 9 in four colours, which are the lesson's own where
    the seed is 0; or "small", 8 x 8.
    """

    name = "samegame"
    title = "SameGame"
    rules = (
        "Blocks of one colour that touch, side by side or one on the other, are a group.",
        "Touch a group of two or more: it is marked, and you see what it is worth. Touch it "
        "again, and it is gone.",
        "Blocks above fall down; an empty column closes, and what is to its right moves left.",
        "A group of n blocks brings (n - 2)² points. So 2 blocks bring 0 points, 5 blocks bring 9, "
        "and 20 blocks bring 324. Let groups grow.",
        "Clearing the board brings 1,000 more. The game ends when only single blocks are left.",
    )
    views = {"groups": "Sizes of groups"}
    unit, step = "points", "move"

    def __init__(self, *, blocks: str = "lesson", seed: int = 0):
        super().__init__(seed=seed)
        self.blocks = checks.one_of("blocks", blocks, SIDE)
        self.grid = Grid(SIDE[blocks], CELL[blocks], MARGIN + NUMBERS, MARGIN)
        # The lesson's own blocks, `small_board`, are drawn from 1.
        self.is_lessons = blocks == "lesson" and self.seed == 0
        self.number = "" if self.is_lessons else f"board {self.seed}"
        self._begin()

    def _begin(self):
        rng = np.random.default_rng(self.seed + (self.blocks == "lesson"))
        cells = random_board(rng, self.grid.side, N_COLOURS)
        self.chosen = None  # index of the group that the next touch removes
        self._stand_at(problem_of(cells, f"SameGame {self.number}".strip()))

    def options(self):
        return super().options() | {"blocks": self.blocks}

    def runs_to_record(self):
        """A search from the start, and the game that it finds."""
        if self.blocks != "lesson":
            return []
        thought = "think-21", "think-21", "think-20"
        return [(*thought, "follow"), (*thought, *["think-1"] * MOVES_RECORDED)]

    def _stand_at(self, problem):
        self.here = problem
        (ply,) = replay(problem, [])
        self.score = int(RULES.score(ply.ints, ply.floats))
        # Colour of each block by (column, row), and cells of each legal group, in its order.
        self.kinds, self.groups = blocks_of(ply.ints)

    @property
    def over(self):
        return not self.groups

    @property
    def result(self):
        return self.score

    def _next_touch(self):
        return f"take-{cell_name(self.groups[self._left[0]][0])}"

    def move(self, name):
        """Remove a group, "take-c7"; without "take-" it is marked."""
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
        self._go_on(k)
        return True

    def _next(self):
        return f"remove {self._in_words(self.groups[self._left[0]])}"

    def _search_size(self):
        return N_ITERATIONS[self.blocks], EVERY[self.blocks]

    # What is shown.

    def _now(self):
        left = f"{count(len(self.kinds), 'block')} left" if self.kinds else "the board cleared"
        which = f"{self.number.capitalize()}. " if self.number else ""
        points = count(self.score, "point")
        if self.over:
            return [f"{which}No group is left: {points}, {left}.", *self._beside()]
        said = f"{which}{points}, {left}, {count(len(self.groups), 'group')} to remove."
        if self.chosen is not None:
            group = self.groups[self.chosen]
            said += (
                f" Marked: {self._in_words(group)}, worth {points_of(len(group))}. "
                f"Touch the group again to remove it."
            )
        elif not self.n_moves:
            said += " Touch a group to see what it is worth."
        return [said]

    def _beside(self):
        if self.is_lessons:
            return standing("lesson", self.score, "points", "The best game that we know")
        return ["What is possible on this board? Begin again, and ask NRPA at the start."]

    def _liked(self):
        k = int(np.argmax(self._likes))
        other = ", though the best game goes on otherwise" if k != self._left[0] else ""
        chance = percent(self._likes[k])
        return f"NRPA's policy likes best {self._in_words(self.groups[k])}: {chance}{other}."

    def _in_words(self, group):
        return in_words(group, self.kinds[group[0]])

    def svg(self):
        height, points = self.grid.width + 2 * MARGIN, count(self.score, "point")
        width = height + NUMBERS
        shapes = [svg.rect(NUMBERS, 0, height, height, "soft"), *self.grid.blocks(self.kinds)]
        if self._left:
            group = self.groups[self._left[0]]
            shapes.append(self.grid.outline(group, stroke_dasharray="5 3"))
        status = f"{self.number}: {points}" if self.number else points
        if self.chosen is not None:
            group = self.groups[self.chosen]
            shapes.append(self.grid.outline(group, stroke_linecap="square"))
            status = f"{points}; marked: {len(group)} blocks, worth {points_of(len(group))}"
        shapes += [*self._tags(), *self._targets()]
        shapes += self.grid.letters(14) + self.grid.numbers(14)
        shapes.append(svg.text(4, height + 30, status, 15, "ink bold", anchor="start"))
        below, extra = self._below(height + 42, width)
        title = f"{self.title} {self.number}".strip()
        label = f"{title}: {points}, {count(len(self.kinds), 'block')} left"
        return svg.picture(width, height + 42 + extra, *shapes, *below, label=label)

    def _tags(self):
        """Sizes of groups, and the policy's chances, on blocks of their own."""
        shapes, chances = [], self._likes
        for k, group in enumerate(self.groups):
            size_at = len(group) // 2
            if "groups" in self.shown or k == self.chosen:
                at = self.grid.middle(group[size_at])
                shapes.append(svg.circle(*at, 10, "paper edge"))
                shapes.append(svg.text(*at, len(group), 14, "ink bold"))
            if chances and chances[k] >= 0.005:
                at = self.grid.middle(group[size_at - 1])
                shapes += chance_box(*at, chances[k], percent(chances[k]), 28, 13)
        return shapes

    def _targets(self):
        group_of = {place: k for k, group in enumerate(self.groups) for place in group}
        return [
            self._target(place, kind, group_of.get(place)) for place, kind in self.kinds.items()
        ]

    def _target(self, place, kind, k):
        """A block to touch; `k` says of which group it is, if of any."""
        touch = name = cell_name(place)
        label = f"{name}, {KINDS[kind]}, " + (
            "alone" if k is None else f"group of {len(self.groups[k])}"
        )
        if k is not None and k == self.chosen:
            touch, label = f"take-{name}", f"{label}, marked: touch again to remove"
        blank = svg.rect(*self.grid.at(place), *[self.grid.cell] * 2, "blank")
        return svg.target(touch, label, blank, pressed=None if k is None else k == self.chosen)

    def _below(self, y, width):
        """Legend, and at the end a chart; and how high they are."""
        if self.over:
            # Nothing was measured on the other boards.
            return self._chart("lesson", y, width) if self.is_lessons else ([], 0)
        shapes = []
        if self._likes:
            shapes += chance_box(17, y + 13, 0.5, "%", 28, 13)
            shapes.append(svg.text(36, y + 13, "chance, by the policy", 14, anchor="start"))
        if self._left:
            look, words = {"stroke_width": 3, "stroke_dasharray": "5 3"}, "next in the best game"
            shapes.append(svg.rect(width - 196, y + 6, 26, 14, "stroke", **look))
            shapes.append(svg.text(width - 162, y + 13, words, 14, anchor="start"))
        return shapes, 28 if shapes else 0


def points_of(size: int) -> str:
    """What a group is worth, in words."""
    return count((size - 2) ** 2, "point")


def cell_name(cell) -> str:
    """Column as a letter, row from 1 at the bottom: "c7"."""
    return f"{COLUMNS[cell[0]]}{cell[1] + 1}"


def _cell(name):
    match = PLACE.fullmatch(name) if isinstance(name, str) else None
    return match and (COLUMNS.index(match[2]), int(match[3]) - 1)
