"""A game of SameGame that NRPA has found, move by move, beside the same codes in other games."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from gameai_book.nrpa.boards.advice import percent
from gameai_book.nrpa.boards.blocks import Grid, blocks_of, in_words, lesson_problem
from gameai_book.nrpa.boards.tries import count
from gameai_lib.nrpa.game.samegame import RULES
from gameai_lib.nrpa.problem.walk import replay
from gameai_lib.nrpa.search.flat import FlatMonteCarlo
from gameai_lib.nrpa.search.nrpa import NRPA
from gameai_lib.nrpa.search.policy import move_probabilities
from touchbook.board import svg
from touchbook.board.pace import pause
from touchbook.boards import Board

N_ITERATIONS = 30  # of the search, of level 2
N_OTHERS = 25  # random games in which the codes are looked for
SIDE, CELL = 9, 22
_GAP = 10
_NAMES = 17  # of rows, beside the left board, and of columns
_WIDTH = _NAMES + 2 * SIDE * CELL + _GAP
_TOP = 24
_FOOT = _TOP + SIDE * CELL + _NAMES


class Position(NamedTuple):
    """A position and the codes that are legal in it."""

    n_moves: int  #: before it
    score: int
    kinds: dict  #: colour of each block, by (column, row) from 0 at the lower left
    groups: tuple  #: cells of each legal group
    codes: tuple


class Found(NamedTuple):
    """A game that a search has found, and where else its codes were legal."""

    score: int
    positions: tuple  #: the last is the end
    choices: tuple
    weights: np.ndarray  #: of each code, in the policy of level 2 at the end of the search
    others: tuple  #: for each move a position of a random game where its code was legal, or None

    def chance(self, position, code):
        """How likely the policy makes a code in a position."""
        p = move_probabilities(self.weights, np.array(position.codes))
        return float(p[position.codes.index(code)])


@lru_cache(maxsize=4)
def found_game(seed: int) -> Found:
    """Search the lesson's board at level 2, and look for the codes of its game in random ones."""
    problem = lesson_problem()
    search = NRPA(problem, np.random.default_rng(seed), level=2, n_iterations=N_ITERATIONS)
    game = search.run()
    positions = _positions(problem, game.choices)
    codes = [p.codes[k] for p, k in zip(positions[:-1], game.choices, strict=True)]
    others, rng = dict.fromkeys(codes), np.random.default_rng([seed, 1])
    for _ in range(N_OTHERS):
        choices = FlatMonteCarlo(problem, rng).run(1).choices
        for position in _positions(problem, choices)[1:-1]:
            for code in {*position.codes} & {*codes}:
                if others[code] is None or others[code].n_moves < position.n_moves:
                    others[code] = position  # late ones look most different
    return Found(
        int(game.score), positions, tuple(game.choices.tolist()), search.policy[1],
        tuple(others[code] for code in codes),
    )  # fmt: skip


def _positions(problem, choices):
    found = []
    for ply in replay(problem, choices):
        score = int(RULES.score(ply.ints, ply.floats))
        found.append(Position(len(found), score, *blocks_of(ply.ints), tuple(ply.legal.tolist())))
    return tuple(found)


class WatchBoard(Board):
    """NRPA's game, to be watched: the code of each move in two positions, with all weights."""

    name, title = "watch", "NRPA plays"
    rules = (
        "On the left NRPA plays the best game that it found in 900 games on this board.",
        "Each group that can be removed is a move. Its code names its places and its colour, and "
        "the number on it is the weight of this code.",
        "The group that NRPA removes next is framed. On the right the same code is framed in a "
        "position of a game that was played at random.",
        "The weight of a code is the same everywhere. How likely its move is depends on the "
        "weights of the other moves, too.",
    )
    begins = "Another search"
    can_undo = False

    def __init__(self, *, seed: int = 0):
        super().__init__(seed=seed)
        self.stage = 0  # moves that have been made

    @property
    def found(self):
        return found_game(self.seed)

    @property
    def thinks(self):
        return "Watch again" if self._is_over else "Watch"

    @property
    def _is_over(self):
        return self.stage == len(self.found.choices)

    def runs_to_record(self):
        return [("think-1",) * len(self.found.choices)]

    def buttons(self):
        return [] if self._is_over else [("think", "One step")]

    def move(self, name):
        if name != "think":
            return super().move(name)
        self.stage = 0 if self._is_over else self.stage + 1
        return False

    def think(self) -> Iterator[float]:
        n = len(self.found.choices)
        while True:
            self.move("think")
            if self._is_over:
                return
            yield self.stage / n
            pause()

    @property
    def _now(self):
        """The position, the code that is played next, and the other position."""
        found, k = self.found, self.stage
        position = found.positions[k]
        if self._is_over:
            return position, None, None
        return position, position.codes[found.choices[k]], found.others[k]

    def say(self):
        found, n = self.found, len(self.found.choices)
        position, code, other = self._now
        so_far = f"{count(position.score, 'point')} so far"
        if self._is_over:
            left = f"{count(len(position.kinds), 'block')} left"
            if not position.kinds:
                left = "The last move cleared the board, which brought 1,000 of them"
            return f"The game is over after {n} moves, with {found.score:,} points. {left}."
        which = f"Move {position.n_moves + 1} of {n}, {so_far}."
        group = position.groups[position.codes.index(code)]
        said = (
            f"{which} NRPA removes {in_words(group, position.kinds[group[0]])}. The weight of this "
            f"code is {_number(found.weights[code])}, which makes the move "
            f"{percent(found.chance(position, code))} likely here."
        )
        if other is None:
            return f"{said} In {N_OTHERS} random games this code was never legal."
        chance = percent(found.chance(other, code))
        after = count(other.n_moves, "move")
        return (
            f"{said} On the right, in one of {N_OTHERS} random games after {after}, the same "
            f"weight makes it {chance} likely."
        )

    def svg(self):
        found = self.found
        position, code, other = self._now
        left = Grid(SIDE, CELL, _NAMES, _TOP)
        right = left._replace(left=_WIDTH - left.width)
        shapes = [svg.text(left.left, 12, "NRPA's game", 14, "ink bold", anchor="start")]
        shapes += left.blocks(position.kinds) + left.letters(13.5) + left.numbers(13.5)
        if code is not None:
            words = "a game at random" if other else "in no random game"
            shapes.append(svg.text(right.left, 12, words, 14, "ink bold", anchor="start"))
            shapes += right.blocks(other.kinds if other else {}) + right.letters(13.5)
            shapes += self._lit(position, left, code)
            if other:
                shapes += self._lit(other, right, code)
                shapes += _bracket(left, right)
            words = f"one code, one weight: {_number(found.weights[code])}"
            shapes.append(svg.text(_WIDTH / 2, _FOOT + 44, words, 15, "ink bold"))
        label = f"{self.title}: move {min(position.n_moves + 1, len(found.choices))}"
        return svg.picture(_WIDTH, _FOOT + 60, *shapes, label=label, least=0)  # nothing to touch

    def _lit(self, position, grid, code):
        """A code in a position: its group framed, its chance below, and the weights of all."""
        chance = percent(self.found.chance(position, code))
        middle = grid.left + SIDE * CELL / 2
        shapes = [svg.text(middle, _FOOT + 14, f"chance here: {chance}", 14)]
        boxes, numbers = [], []
        places = _places(position.groups)
        for group, legal, place in zip(position.groups, position.codes, places, strict=True):
            x, y = grid.at(place)
            middle = min(max(x + CELL / 2, grid.left + 15), grid.left + SIDE * CELL - 15)
            boxes.append(f"M{middle - 15} {y + 3}h30v16h-30z")
            look = "ink bold" if legal == code else "ink"
            words = _number(self.found.weights[legal])
            numbers.append(svg.text(middle, y + CELL / 2, words, 13.2, look))
            if legal == code:
                shapes.append(grid.outline(group))
        return [*shapes, svg.element("path", d="".join(boxes), class_="paper edge"), *numbers]


def _places(groups):
    """A cell of each group for its weight, not beside another weight where that can be helped."""
    found, taken = {}, set()
    for group in sorted(groups, key=len):
        middle_first = sorted(group, key=lambda cell: abs(group.index(cell) - len(group) // 2))
        free = [(x, y) for x, y in middle_first if not {(x - 1, y), (x + 1, y)} & taken]
        found[group] = (free or middle_first)[0]
        taken.add(found[group])
    return [found[group] for group in groups]


def _bracket(left, right):
    """A bracket below both boards: what stands under it is one thing."""
    ends = [grid.left + SIDE * CELL / 2 for grid in (left, right)]
    y = _FOOT + 24
    return [svg.path([(ends[0], y), (ends[0], y + 8), (ends[1], y + 8), (ends[1], y)], "stroke")]


def _number(weight):
    return f"{round(float(weight), 1) + 0.0:.1f}".replace("-", "−")
