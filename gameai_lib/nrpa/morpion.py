"""Morpion Solitaire: draw lines through a growing cross of points; rules compiled.

A move adds one point that completes a line of 5 (or 4) points in a row. Lines in the same
direction may touch at an end point (T) or must be disjoint (D). Rules and start crosses after
morpionsolitaire.com; the code of a move is its line, as in Rosin (2011).
"""

from itertools import pairwise

import numpy as np

from gameai_lib._jit import njit
from gameai_lib.nrpa.problem import Problem, Rules

SIDE = 40  # points a side; lines stay 4 points away from the edge, so no index leaves the grid
MARGIN = 4
ORIGIN = 15  # grid index of coordinate 0
AREA = SIDE * SIDE
VARIANTS = {"5D": (5, 0), "5T": (5, 1), "4D": (4, 0), "4T": (4, 1)}
STEPS = (1, SIDE, SIDE + 1, 1 - SIDE)  # from one point of a line to the next
DIRECTIONS = {"H": (1, 0), "V": (0, 1), "DN": (1, 1), "DP": (1, -1)}  # y grows downwards
MAX_LEGAL = 200
MAX_PLIES = 500  # 5T has an upper bound of 485 (Michalewski, Nagórko, Pawlewicz)

# Layout of `ints`. A line is numbered direction * AREA + its first point; its status holds the
# occupied points in bits 0 to 2, BLOCKED, and from bit 4 on its place in the list of moves.
LENGTH, REACH, N_MOVES, N_LEGAL, N_START = range(5)
BLOCKED = 8
STATUS = 8
START_STATUS = STATUS + 4 * AREA
OCCUPIED = START_STATUS + 4 * AREA
LEGAL = OCCUPIED + AREA
START_LEGAL = LEGAL + MAX_LEGAL
LINES = START_LEGAL + MAX_LEGAL
POINTS = LINES + MAX_PLIES
N_INTS = POINTS + MAX_PLIES


@njit(cache=True)
def append_move(ints, line):
    """Put a line at the end of the list of legal moves."""
    n = ints[N_LEGAL]
    ints[LEGAL + n] = line
    ints[STATUS + line] = (ints[STATUS + line] & 15) | (n << 4)
    ints[N_LEGAL] = n + 1


@njit(cache=True)
def remove_move(ints, line):
    """Take a line out of the list; the last one takes its place."""
    place = ints[STATUS + line] >> 4
    n = ints[N_LEGAL] - 1
    last = ints[LEGAL + n]
    ints[LEGAL + place] = last
    ints[STATUS + last] = (ints[STATUS + last] & 15) | (place << 4)
    ints[N_LEGAL] = n


@njit(cache=True)
def add_point(ints, point):
    """Count a new point in every line through it; a line one point short becomes a move."""
    length = ints[LENGTH]
    ints[OCCUPIED + point] = 1
    for direction in range(4):
        line = direction * AREA + point
        for _ in range(length):
            status = ints[STATUS + line] + 1
            ints[STATUS + line] = status
            if status & 15 == length - 1:
                append_move(ints, line)
            elif status & 15 == length:
                remove_move(ints, line)
            line -= STEPS[direction]


@njit(cache=True)
def block_overlapping(ints, line):
    """Forbid every line that would share too much with the line just drawn, and itself."""
    step = STEPS[line // AREA]
    reach = ints[REACH]
    for i in range(-reach, reach + 1):
        other = line + i * step
        status = ints[STATUS + other]
        if status & BLOCKED == 0:
            if status & 15 == ints[LENGTH] - 1:
                remove_move(ints, other)
            ints[STATUS + other] = status | BLOCKED


@njit(cache=True)
def new_point_of(ints, line):
    """The one point of a legal line that is still empty."""
    step = STEPS[line // AREA]
    point = line % AREA
    while ints[OCCUPIED + point] == 1:
        point += step
    return point


@njit(cache=True)
def reset(ints, floats):
    """Put the first position into the arrays."""
    # Only what the last game touched is put back; the grid is too large to copy each time.
    for i in range(ints[N_MOVES]):
        point, line = ints[POINTS + i], ints[LINES + i]
        ints[OCCUPIED + point] = 0
        for direction in range(4):
            other = direction * AREA + point
            for _ in range(ints[LENGTH]):
                ints[STATUS + other] = ints[START_STATUS + other]
                other -= STEPS[direction]
        step = STEPS[line // AREA]
        for j in range(-ints[REACH], ints[REACH] + 1):
            ints[STATUS + line + j * step] = ints[START_STATUS + line + j * step]
    for i in range(ints[N_START]):
        line = ints[START_LEGAL + i]
        ints[LEGAL + i] = line
        ints[STATUS + line] = ints[START_STATUS + line]
    ints[N_LEGAL] = ints[N_START]
    ints[N_MOVES] = 0


@njit(cache=True)
def legal(ints, floats, codes, start):
    """Write the codes of the legal moves from ``codes[start]`` on; return how many there are."""
    n = ints[N_LEGAL]
    for i in range(n):
        codes[start + i] = ints[LEGAL + i]
    return n


@njit(cache=True)
def play(ints, floats, k, code):
    """Play the legal move with index `k` and this code."""
    point = new_point_of(ints, code)
    n = ints[N_MOVES]
    ints[LINES + n] = code
    ints[POINTS + n] = point
    ints[N_MOVES] = n + 1
    add_point(ints, point)
    block_overlapping(ints, code)


@njit(cache=True)
def score(ints, floats):
    """The score of the finished game."""
    return float(ints[N_MOVES])


RULES = Rules(reset, legal, play, score)


def start_points(variant: str) -> list[tuple[int, int]]:
    """Points (x, y) of the starting Greek cross: 36 for lines of 5, 24 for lines of 4.

    Raises
    ------
    ValueError
        If the variant is unknown.
    """
    arm = _length_and_touching(variant)[0] - 2
    a, b, c = arm, 2 * arm, 3 * arm
    corners = [(a, 0), (b, 0), (b, a), (c, a), (c, b), (b, b), (b, c), (a, c), (a, b), (0, b)]
    corners += [(0, a), (a, a), (a, 0)]
    points = set()
    for (x0, y0), (x1, y1) in pairwise(corners):
        points |= {
            (x, y)
            for x in range(min(x0, x1), max(x0, x1) + 1)
            for y in range(min(y0, y1), max(y0, y1) + 1)
        }
    return sorted(points)


def morpion(variant: str = "5D") -> Problem:
    """Morpion Solitaire "5D", "5T", "4D" or "4T"; the score is the number of moves.

    Raises
    ------
    ValueError
        If the variant is unknown.
    """
    length, touching = _length_and_touching(variant)
    ints = np.zeros(N_INTS, np.int64)
    ints[LENGTH] = length
    ints[REACH] = length - 1 - touching
    inside = range(MARGIN, SIDE - MARGIN)
    for direction, (dx, dy) in enumerate(DIRECTIONS.values()):
        for first in range(AREA):
            x, y = first % SIDE + (length - 1) * dx, first // SIDE + (length - 1) * dy
            if not all(z in inside for z in (x, y, first % SIDE, first // SIDE)):
                ints[STATUS + direction * AREA + first] = BLOCKED
    for x, y in start_points(variant):
        add_point(ints, _grid_index(x, y))
    ints[N_START] = ints[N_LEGAL]
    ints[START_STATUS:OCCUPIED] = ints[STATUS:START_STATUS]
    ints[START_LEGAL:LINES] = ints[LEGAL:START_LEGAL]
    return Problem(f"Morpion {variant}", RULES, ints, [], 4 * AREA, MAX_PLIES, MAX_LEGAL)


def line_of(code: int, variant: str) -> list[tuple[int, int]]:
    """Points (x, y) of the line that a move code draws, in order."""
    length = _length_and_touching(variant)[0]
    dx, dy = list(DIRECTIONS.values())[code // AREA]
    first = code % AREA
    x, y = first % SIDE - ORIGIN, first // SIDE - ORIGIN
    return [(x + i * dx, y + i * dy) for i in range(length)]


def code_of(x: int, y: int, direction: str) -> int:
    """Move code of the line that begins at (x, y); direction is H, V, DN or DP."""
    return list(DIRECTIONS).index(direction) * AREA + _grid_index(x, y)


def _grid_index(x, y):
    return (y + ORIGIN) * SIDE + x + ORIGIN


def _length_and_touching(variant):
    if variant not in VARIANTS:
        raise ValueError(f"variant must be one of {', '.join(VARIANTS)}, got {variant!r}")
    return VARIANTS[variant]
