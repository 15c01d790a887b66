"""SameGame to play: a touch chooses a group of blocks, a second one removes it."""

import re

import numpy as np

from gameai_book.nrpa.boards.advice import chance_box, percent
from gameai_book.nrpa.boards.blocks import COLUMNS, KINDS, Grid, blocks_of, in_words
from gameai_book.nrpa.boards.tries import TriedBoard, count
from gameai_book.nrpa.boards.yardstick import standing
from gameai_book.nrpa.results.tables import best_known
from gameai_lib.base import checks
from gameai_lib.base.jit import FAST
from gameai_lib.nrpa.game.instances import bundled_board, random_board
from gameai_lib.nrpa.game.samegame import RULES
from gameai_lib.nrpa.game.samegame import samegame as problem_of
from gameai_lib.nrpa.problem.walk import replay
from touchbook.board import svg
from touchbook.boards import WrongTouch

LEAST_CELL = 24  # side of a block, in pixels
# Side and colours of the board, units a block, and of a search N and the games a step.
SMALL, LESSON, LARGE = 8, 9, 15
N_COLOURS = {SMALL: 4, LESSON: 4, LARGE: 5}
CELL, MARGIN = {SMALL: 50, LESSON: 46, LARGE: 28}, 3
# The lesson's search is recorded for the page: the same wherever it runs.
N_ITERATIONS = {SMALL: 100 if FAST else 30, LESSON: 30, LARGE: 100 if FAST else 20}
EVERY = {SMALL: 500 if FAST else 10, LESSON: 15, LARGE: 500 if FAST else 4}
PLACE = re.compile(r"(take-)?([a-o])(1[0-5]|[1-9])")
MOVES_RECORDED = 20  # of the game that the recorded search finds


class SameGameBoard(TriedBoard):
    """SameGame: remove groups of equal blocks, the larger the better.

    Parameters
    ----------
    blocks : str
        "bundled", 15 x 15 blocks in five colours; "lesson", 9 x 9 in four, which are the
        lesson's own where the seed is 0; "random", 15 x 15 drawn from the seed; or "small",
        8 x 8 blocks in four colours, drawn from the seed.
    seed : int
        Of the colours and the searches.

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
    views = {"groups": "Sizes of groups"}  # noqa: RUF012
    unit, step = "points", "move"

    def __init__(self, *, blocks: str = "bundled", seed: int = 0):
        super().__init__(seed=seed)
        self.blocks = checks.one_of("blocks", blocks, ("bundled", "lesson", "random", "small"))
        self.side = {"small": SMALL, "lesson": LESSON}.get(blocks, LARGE)
        self.grid = Grid(self.side, CELL[self.side], MARGIN, MARGIN)
        self._begin()

    def _begin(self):
        if self.blocks == "bundled":
            cells = bundled_board()
        else:
            # The lesson's own, `small_board`, is drawn from 1.
            rng = np.random.default_rng(self.seed + (self.blocks == "lesson"))
            cells = random_board(rng, self.side, N_COLOURS[self.side])
        self.chosen = None  # index of the group that the next touch removes
        self._stand_at(problem_of(cells, f"SameGame{self._number}"))

    @property
    def _is_measured(self):
        """Whether it is a board on which searches were measured."""
        return self.blocks == "bundled" or (self.blocks == "lesson" and self.seed == 0)

    @property
    def _number(self):
        """Which board it is, where the seed says it."""
        return "" if self._is_measured else f" board {self.seed}"

    def options(self):
        return super().options() | {"blocks": self.blocks}

    def recorded(self):
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
        return N_ITERATIONS[self.side], EVERY[self.side]

    # What is shown.

    def _now(self):
        left = f"{count(len(self.kinds), 'block')} left" if self.kinds else "the board cleared"
        which = f"{self._number.strip().capitalize()}. " if self._number else ""
        if self.over:
            end = f"{which}No group is left: {count(self.score, 'point')}, {left}."
            return [end, *self._beside()]
        said = (
            f"{which}{count(self.score, 'point')}, {left}, "
            f"{count(len(self.groups), 'group')} to remove."
        )
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
        if self._is_measured:
            best = "The best game that we know"
            return standing(self.blocks, self.score, "points", best, best_known(self.blocks))
        return ["What is possible on this board? Begin again, and ask NRPA at the start."]

    def _liked(self):
        k = int(np.argmax(self._likes))
        other = ", though the best game goes on otherwise" if k != self._left[0] else ""
        chance = percent(self._likes[k])
        return f"Its policy likes best {self._in_words(self.groups[k])}: {chance}{other}."

    def _in_words(self, group):
        return in_words(group, self.kinds[group[0]])

    def svg(self):
        cell = CELL[self.side]
        width = self.side * cell + 2 * MARGIN
        shapes = [svg.rect(0, 0, width, width, "soft"), *self.grid.blocks(self.kinds)]
        if self._left:
            group = self.groups[self._left[0]]
            shapes.append(self.grid.outline(group, stroke_dasharray="5 3"))
        if self.chosen is not None:
            shapes.append(self.grid.outline(self.groups[self.chosen], stroke_linecap="square"))
        shapes += self._tags()
        shapes += self._targets()
        for column, letter in enumerate(COLUMNS[: self.side]):
            shapes.append(svg.text(MARGIN + (column + 0.5) * cell, width + 10, letter, 14, "muted"))
        status = count(self.score, "point")
        if self.chosen is not None:
            n = len(self.groups[self.chosen])
            status += f"; marked: {n} blocks, worth {points_of(n)}"
        elif self._number:
            status = f"{self._number.strip()}: {status}"
        shapes.append(svg.text(4, width + 30, status, 15, "ink bold", anchor="start"))
        below, extra = self._below(width + 42, width)
        label = f"{self.title}{self._number}: {count(self.score, 'point')}, "
        label += f"{count(len(self.kinds), 'block')} left"
        least = width * LEAST_CELL / CELL[LARGE] if self.side == LARGE else 0
        return svg.picture(width, width + 42 + extra, *shapes, *below, label=label, least=least)

    def _tags(self):
        """Sizes of groups, and the policy's chances, on blocks of their own."""
        shapes, half, chances = [], CELL[self.side] / 2, self._likes
        for k, group in enumerate(self.groups):
            size_at = len(group) // 2
            if "groups" in self.shown or k == self.chosen:
                x, y = self.grid.at(group[size_at])
                shapes.append(svg.circle(x + half, y + half, 10, "paper edge"))
                shapes.append(svg.text(x + half, y + half, len(group), 14, "ink bold"))
            if chances and chances[k] >= 0.005:
                x, y = self.grid.at(group[size_at - 1])
                shapes += _chance(x + half, y + half, chances[k])
        return shapes

    def _targets(self):
        group_of = {place: k for k, group in enumerate(self.groups) for place in group}
        shapes, cell = [], CELL[self.side]
        for place, kind in self.kinds.items():
            k, name = group_of.get(place), cell_name(place)
            take = "take-" if k is not None and k == self.chosen else ""
            about = "alone" if k is None else f"group of {len(self.groups[k])}"
            if take:
                about += ", marked: touch again to remove"
            shapes.append(
                svg.target(
                    take + name, f"{name}, {KINDS[kind]}, {about}",
                    svg.rect(*self.grid.at(place), cell, cell, "blank"),
                    pressed=None if k is None else k == self.chosen,
                )
            )  # fmt: skip
        return shapes

    def _below(self, y, width):
        """Legend, and at the end a chart; and how high they are."""
        if self.over:
            if not self._is_measured:  # nothing was measured on this board
                return [], 0
            return self._chart(self.blocks, y, width, best_known(self.blocks))
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


def _chance(x, y, chance):
    return chance_box(x, y, chance, percent(chance), 28, 13)
