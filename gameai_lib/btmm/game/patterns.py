"""Features of a move: the cells around it, its square, the stones it turns over.

Line regions follow the source's figures 2 to 4: a run of cells through the move in each of four
directions, every cell empty, black or white, told apart by whose move it is. Where a line leaves
the board the source does not say what it reads; `Shape` offers the three choices.
"""

from dataclasses import dataclass
from functools import cached_property
from math import isqrt
from operator import itemgetter

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import short
from gameai_lib.base.jit import njit
from gameai_lib.base.types import NDArray
from gameai_lib.btmm._runs import repeat_runs
from gameai_lib.btmm.game.positions import (
    BLACK,
    COLOURS,
    MOST_CELLS,
    WHITE,
    Positions,
    checked_colour,
    checked_positions,
)

MOST_CODES = 2**24
OWN, OPPONENT, OFF_BOARD = 1, 2, 3
EDGES = {"empty": 0, "opponent": OPPONENT, "own state": OFF_BOARD}
DIRECTIONS = {"row": (0, 1), "column": (1, 0), "rising": (1, 1), "falling": (1, -1)}


@dataclass(frozen=True)
class Shape:
    """The contents of some cells around the move, seen by the side to move, on any square board.

    A `ValueError` for an unknown edge, or no cells.
    """

    name: str
    cells: tuple  #: (row, column) steps from the move, which itself is left out
    edge: str = "empty"  #: what a cell off the board reads as, one of ``EDGES``
    by_player: bool = True  #: whether black's moves are told from white's, as the source does

    def __post_init__(self):
        checks.one_of("edge", self.edge, EDGES)
        if not isinstance(self.name, str):
            raise TypeError(f"name must be a text, got {short(self.name)}")
        checks.flag("by_player", self.by_player)
        cells = arrays.pairs("cells", arrays.as_list("cells", self.cells))
        object.__setattr__(self, "cells", tuple((int(r), int(c)) for r, c in cells))
        if not self.cells or (0, 0) in self.cells or len(set(self.cells)) < len(self.cells):
            raise ValueError(f"a shape needs cells beside the move, got {short(self.cells)}")
        if max(abs(step) for cell in self.cells for step in cell) >= isqrt(MOST_CELLS):
            raise ValueError(f"a cell of {short(self.cells)} is further away than any board's edge")
        if self.n_codes > MOST_CODES:
            raise ValueError(
                f"{len(self.cells)} cells of {self.n_states} states make more than {MOST_CODES} "
                "features"
            )

    @property
    def n_states(self):
        """States a cell can be in, 3, or 4 with off-board a state of its own."""
        return 4 if self.edge == "own state" else 3

    @property
    def n_codes(self):
        """Ways to fill the cells."""
        return self.n_states ** len(self.cells)

    @property
    def size(self):
        """Number of features."""
        return self.n_codes * (2 if self.by_player else 1)

    def encode(self, positions):
        """Return (n_moves,) int32: the feature of each legal move of `positions`."""
        side = isqrt(positions.boards.shape[1])
        cells = np.array(self.cells, np.int64)
        reach = int(np.abs(cells).max())
        steps = cells[:, 0] * (side + 2 * reach) + cells[:, 1]
        powers = self.n_states ** np.arange(len(cells), dtype=np.int64)
        feature = np.empty(positions.moves.size, np.int32)
        data = positions.boards, positions.to_move, positions.offsets, positions.moves
        frame = side, reach, EDGES[self.edge]
        _encode(data, frame, steps, powers, self.n_codes if self.by_player else 0, feature)
        return feature

    def decode(self, feature):
        """Return (states, player): the state of each cell of `feature` and who moves.

        States are 0 empty, 1 own, 2 opponent, 3 off the board; `player` is 1, 2,
        or 0 where the shape does not tell them apart.
        """
        feature = checks.whole("feature", feature, 0, self.size - 1)
        player, code = divmod(int(feature), self.n_codes)
        states = [code // self.n_states**k % self.n_states for k in range(len(self.cells))]
        return states, player + 1 if self.by_player else 0

    def number(self, states, player=BLACK):
        """Return the feature of some states, the inverse of `decode`."""
        states = arrays.whole("states", states)
        if states.size != len(self.cells) or not 0 <= states.min() <= states.max() < self.n_states:
            raise ValueError(
                f"{self.name} has {len(self.cells)} states from 0 to {self.n_states - 1}, "
                f"got {short(states)}"
            )
        shift = self.n_codes if self.by_player and checked_colour(player) == WHITE else 0
        return int(states @ self.n_states ** np.arange(states.size)) + shift

    def describe(self, feature):
        """Return the feature in characters: X own, O opponent, # off the board, * the move."""
        states, player = self.decode(feature)
        drawn = dict(zip(self.cells, states, strict=True)) | {(0, 0): -1}
        rows = sorted({r for r, _ in drawn}) if _is_block(self.cells) else [None]
        cells = sorted(drawn, key=itemgetter(1, 0))
        in_rows = [[c for c in cells if r in (None, c[0])] for r in rows]
        text = "/".join("".join(".XO#*"[drawn[c]] for c in row) for row in in_rows)
        return f"{text} {COLOURS[player]}" if player else text


def _is_block(cells):
    sides = {r for r, _ in cells} | {0}, {c for _, c in cells} | {0}
    return len(cells) + 1 > max(len(side) for side in sides)


def line(direction, length, **options):
    """Return the `Shape` of `length` cells through the move, in one of `DIRECTIONS`.

    The move stands at the source's place: third of 6, fourth of 7 and of 8 (figure
    2(A): F4 in C4..J4), the middle of 9.
    """
    checks.one_of("direction", direction, DIRECTIONS)
    length = checks.whole("length of a line", length, 2, 19)
    d_row, d_column = DIRECTIONS[direction]
    before = (length - 1) // 2
    steps = [k for k in range(-before, length - before) if k != 0]
    cells = tuple((k * d_row, k * d_column) for k in steps)
    return Shape(f"{direction} {length}", cells, **options)


def lines(lengths, **options):
    """Return the four line shapes of the given lengths (one number for all four)."""
    lengths = (lengths,) * 4 if np.isscalar(lengths) else arrays.as_list("lengths", lengths)
    if len(lengths) != len(DIRECTIONS):
        raise ValueError(f"lengths must be one number or four, got {short(lengths)}")
    return [line(d, n, **options) for d, n in zip(DIRECTIONS, lengths, strict=True)]


def neighbourhood(**options):
    """Return the `Shape` of the eight cells around the move."""
    cells = tuple((r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0))
    return Shape("neighbourhood", cells, **options)


# The ten classes of squares of the 8x8 board under its eight symmetries.
SQUARE_CLASSES = ("a1", "b1", "c1", "d1", "b2", "c2", "d2", "c3", "d3", "d4")


def square_classes():
    """Return (64,) int: the symmetry class of each Reversi cell, as in `SQUARE_CLASSES`."""
    row, column = np.divmod(np.arange(64), 8)
    row, column = np.minimum(row, 7 - row), np.minimum(column, 7 - column)
    low, high = np.minimum(row, column), np.maximum(row, column)
    return (4 * low - low * (low - 1) // 2 + high - low).astype(np.int32)


@dataclass(frozen=True)
class Square:
    """The symmetry class of the move's square, told apart by stage of the game.

    `n_stages` splits the sixty moves of a game into equal stretches; with 1 they stay together.
    """

    n_stages: int = 1
    name: str = "square"

    def __post_init__(self):
        checks.whole("n_stages", self.n_stages, 1, 60)

    @property
    def size(self):
        """Number of features."""
        return 10 * self.n_stages

    def encode(self, positions):
        """Return (n_moves,) int32: the feature of each legal move of `positions`."""
        if (n_cells := positions.boards.shape[1]) != 64:
            raise ValueError(f"boards must be of 64 cells, got {n_cells}")
        stage = positions.ply.astype(np.int64) * self.n_stages // 60
        stage = repeat_runs(stage, positions.offsets)
        return (square_classes()[positions.moves] + 10 * stage).astype(np.int32)

    def describe(self, feature):
        """Return the class by its square nearest a1, and the stage."""
        stage, square = divmod(checks.whole("feature", feature, 0, self.size - 1), 10)
        return SQUARE_CLASSES[square] + (f" stage {stage}" if self.n_stages > 1 else "")


@dataclass(frozen=True)
class Flips:
    """How many stones the move turns over: 1 to 9, and ten or more."""

    name: str = "flips"
    size: int = 10

    def encode(self, positions):
        """Return (n_moves,) int32: the feature of each legal move of `positions`."""
        return (np.clip(positions.flips, 1, self.size) - 1).astype(np.int32)

    def describe(self, feature):
        """Return the number of stones in words."""
        feature = checks.whole("feature", feature, 0, self.size - 1)
        return f"turns {feature + 1}" + ("+" if feature + 1 == self.size else "")


@dataclass(frozen=True)
class FeatureSet:
    """Several features of a move at once, one group of competitors each.

    A group has `size` and `encode`. Numbers run through the groups in order: group k owns
    ``starts[k]`` to ``starts[k + 1]``.
    """

    name: str
    groups: tuple

    def __post_init__(self):
        if not isinstance(self.groups, (tuple, list)) or not self.groups:
            raise TypeError(f"groups must be a tuple of features, got {short(self.groups)}")
        for group in self.groups:
            if not callable(getattr(group, "encode", None)) or not hasattr(group, "size"):
                raise TypeError(f"a group needs size and encode, got {short(group)}")

    @cached_property
    def starts(self):
        """First feature of each group, and the number of all; not to be written to."""
        starts = np.concatenate([[0], np.cumsum([group.size for group in self.groups])])
        starts.flags.writeable = False
        return starts

    @property
    def n_features(self) -> int:
        """Number of features of all groups."""
        return int(self.starts[-1])

    def teams(self, positions: Positions) -> NDArray[np.int32]:
        """Return (n_moves, n_groups) int32: the features of each legal move of `positions`."""
        positions = checked_positions(positions)
        features = np.empty((positions.moves.size, len(self.groups)), np.int32)
        for k, group in enumerate(self.groups):
            features[:, k] = group.encode(positions) + self.starts[k]
        return features

    def locate(self, feature):
        """Return (group, number within the group) of a feature."""
        feature = checks.whole("feature", feature, 0, self.n_features - 1)
        k = int(np.searchsorted(self.starts, feature, side="right")) - 1
        return self.groups[k], int(feature - self.starts[k])

    def describe(self, feature):
        """Return the group's name and the feature in characters."""
        group, number = self.locate(feature)
        return f"{group.name}: {group.describe(number)}"


@njit(cache=True, allocates=True)
def _encode(positions, frame, steps, powers, by_player, feature):
    boards, to_move, offsets, moves = positions
    side, reach, off_board = frame
    width = side + 2 * reach
    padded = np.full(width * width, off_board, np.int64)
    for i in range(boards.shape[0]):
        for cell in range(side * side):
            stone = boards[i, cell]
            if stone != 0:
                stone = OWN if stone == to_move[i] else OPPONENT
            padded[(cell // side + reach) * width + cell % side + reach] = stone
        shift = by_player if to_move[i] == 2 else 0
        for m in range(offsets[i], offsets[i + 1]):
            move = int(moves[m])  # plain Python would stay within 16 bits
            centre = (move // side + reach) * width + move % side + reach
            code = 0
            for k in range(steps.size):
                code += padded[centre + steps[k]] * powers[k]
            feature[m] = code + shift
