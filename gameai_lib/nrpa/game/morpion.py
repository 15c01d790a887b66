"""Morpion Solitaire: draw lines through a growing cross of points; rules compiled.

A move adds one point that completes a line of 5 (or 4) points in a row. Lines in the same
direction may touch at an end point (T) or must be disjoint (D). Rules and start crosses after
morpionsolitaire.com; the code of a move is its line, as in Rosin (2011).
"""

from collections.abc import Sequence
from itertools import product

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.jit import njit
from gameai_lib.base.types import ArrayLike
from gameai_lib.nrpa.problem.problem import Problem, seal
from gameai_lib.nrpa.problem.registry import Verdict, register
from gameai_lib.nrpa.problem.rules import Rules

SIDE = 40  # points a side; lines stay 4 points away from the edge, so no index leaves the grid
MARGIN = 4
ORIGIN = 15  # grid index of coordinate 0
COORDINATES = range(MARGIN - ORIGIN, SIDE - MARGIN - ORIGIN)  # of the points of legal lines
AREA = SIDE * SIDE
VARIANTS = {"5D": (5, 0), "5T": (5, 1), "4D": (4, 0), "4T": (4, 1)}
STEPS = (1, SIDE, SIDE + 1, 1 - SIDE)  # from one point of a line to the next
DIRECTIONS = {"H": (1, 0), "V": (0, 1), "DN": (1, 1), "DP": (1, -1)}  # y grows downwards
MAX_LEGAL = 200
MAX_PLIES = 500  # 5T has an upper bound of 485 (Michalewski, Nagórko, Pawlewicz)

# A lane is a row, a column or a diagonal of the grid. Its points are the bits of one number, the
# first of them the highest, so that one look-up tells of all lines through a point.
LAST = SIDE - 1
H_LANES, V_LANES, DN_LANES, DP_LANES, N_LANES = 0, SIDE, 3 * SIDE, 4 * SIDE, 6 * SIDE

# Layout of `ints`. A line is numbered direction * AREA + its first point; in its lane, the bit of
# its first point stands for it. What a game changes comes first, a copy of its start follows.
N_MOVES, N_LEGAL = range(2)
POINTS = 2  # occupied points, for each lane
BLOCKED = POINTS + N_LANES  # lines that may not be drawn any more
LISTED = BLOCKED + N_LANES  # lines in the list of legal moves
LEGAL = LISTED + N_LANES
START = LEGAL + MAX_LEGAL
REACH = 2 * START
WINDOWS = REACH + 1  # for the nine points around a new one: lines now full or one point short
N_WINDOWS = 1 << 9
PLACE = WINDOWS + N_WINDOWS  # of a legal line, in the list
N_INTS = PLACE + 4 * AREA

# Compiled code asks of an index that could be negative whether it counts from the end. A number cut
# down to these bits cannot be: they hold every point, every line, every lane and number of moves.
POINT_BITS, LINE_BITS, COUNT_BITS = 0x7FF, 0x1FFF, 0xFF

# What to add to a point to get the line that begins i points before it: the entry of bit
# 8 * direction + i. Powers of two leave different remainders when divided by 37.
LINE_OF = np.zeros(37, np.int64)
for _direction in range(4):
    for _i in range(5):
        LINE_OF[(1 << (8 * _direction + _i)) % 37] = _direction * AREA - _i * STEPS[_direction]


@njit(cache=True)
def append_move(ints, line):
    """Put a line at the end of the list of legal moves."""
    n = ints[N_LEGAL] & COUNT_BITS
    ints[LEGAL + n] = line
    ints[PLACE + line] = n
    ints[N_LEGAL] = n + 1


@njit(cache=True)
def remove_move(ints, line):
    """Take a line out of the list; the last one takes its place."""
    place = ints[PLACE + line] & COUNT_BITS
    n = (ints[N_LEGAL] - 1) & COUNT_BITS
    last = ints[LEGAL + n] & LINE_BITS
    ints[LEGAL + place] = last
    ints[PLACE + last] = place
    ints[N_LEGAL] = n


@njit(cache=True)
def set_point(ints, lane, bit):
    """Set a point of a lane; returns the lines that become moves or cease to be.

    Bit i of the result: the line that begins i points before the new one has become a move;
    bit 32 + i: it was a move and is full.
    """
    lane &= COUNT_BITS
    points = ints[POINTS + lane] | (1 << bit)
    ints[POINTS + lane] = points
    window = ints[WINDOWS + ((points >> (bit - 4)) & 0x1FF)]
    short = window & ~(ints[BLOCKED + lane] >> bit) & 0xFF
    full = (window >> 8) & (ints[LISTED + lane] >> bit)
    ints[LISTED + lane] ^= (short | full) << bit
    return short | (full << 32)


@njit(cache=True)
def add_point(ints, point):
    """Occupy a point and bring the list of moves up to date."""
    point &= POINT_BITS
    x, y = point % SIDE, point // SIDE
    across, down = LAST - x, LAST - y
    both = set_point(ints, H_LANES + y, across)
    both |= set_point(ints, V_LANES + x, down) << 8
    both |= set_point(ints, DN_LANES + x - y, across) << 16
    both |= set_point(ints, DP_LANES + x + y, across) << 24
    changed = (both | (both >> 32)) & 0xFFFFFFFF
    while changed:
        lowest = changed & -changed
        line = (point + LINE_OF[lowest % 37]) & LINE_BITS
        if both & lowest:
            append_move(ints, line)
        else:
            remove_move(ints, line)
        changed ^= lowest


@njit(cache=True)
def lane_of(line):
    """Lane of a line and bit of its first point there."""
    line &= LINE_BITS
    x, y = line % SIDE, line % AREA // SIDE
    if line < AREA:
        return H_LANES + y, LAST - x
    if line < 2 * AREA:
        return V_LANES + x, LAST - y
    if line < 3 * AREA:
        return DN_LANES + x - y, LAST - x
    return DP_LANES + x + y, LAST - x


@njit(cache=True)
def block_overlapping(ints, line, lane, bit):
    """Forbid every line that would share too much with the line just drawn, and itself."""
    step = STEPS[line // AREA]
    reach = ints[REACH]
    overlapping = ((1 << (2 * reach + 1)) - 1) << (bit - reach)
    listed = ints[LISTED + lane] & overlapping
    if listed:
        for i in range(-reach, reach + 1):
            if (listed >> (bit - i)) & 1:
                remove_move(ints, (line + i * step) & LINE_BITS)
        ints[LISTED + lane] ^= listed
    ints[BLOCKED + lane] |= overlapping


@njit(cache=True)
def new_point_of(ints, line, lane, bit):
    """The one point of a legal line that is still empty."""
    step = STEPS[line // AREA]
    points = ints[POINTS + lane]
    point = line % AREA
    while (points >> bit) & 1:
        bit -= 1
        point += step
    return point


@njit(cache=True)
def reset(ints, floats):
    for i in range(START):
        ints[i] = ints[START + i]
    for i in range(ints[N_LEGAL]):
        ints[PLACE + ints[LEGAL + i]] = i


# Written into the playout, as `play` is: two calls a move are 4 % of a search.
@njit(cache=True, inline="always")
def legal(ints, floats, codes, start):
    n = ints[N_LEGAL] & COUNT_BITS
    moves, lines = codes[start : start + n], ints[LEGAL : LEGAL + n]
    for i in range(n):
        moves[i] = lines[i]
    return n


@njit(cache=True, inline="always")
def play(ints, floats, k, code):
    lane, bit = lane_of(code)
    ints[N_MOVES] += 1
    add_point(ints, new_point_of(ints, code, lane, bit))
    block_overlapping(ints, code, lane, bit)


@njit(cache=True)
def score(ints, floats):
    return float(ints[N_MOVES])


def start_points(variant: str) -> list[tuple[int, int]]:
    """Points (x, y) of the starting Greek cross: 36 for lines of 5, 24 for lines of 4."""
    arm = _length_and_touching(variant)[0] - 2
    side, middle = range(3 * arm + 1), range(arm, 2 * arm + 1)
    cross = {(x, y) for x, y in product(side, side) if x in middle or y in middle}
    around = [*product((-1, 0, 1), repeat=2)]
    return sorted(
        (x, y) for x, y in cross if any((x + dx, y + dy) not in cross for dx, dy in around)
    )


def morpion(variant: str = "5D") -> Problem:
    """Morpion Solitaire "5D", "5T", "4D" or "4T"; the score is the number of moves.

    Examples
    --------
    >>> problem = morpion("4T")
    >>> best, lengths = flat_monte_carlo(problem, 1, 100)
    >>> best.score, judge(problem, best)
    (49.0, Verdict(score=49.0, n_moves_left=0))
    """
    length, touching = _length_and_touching(variant)
    ints = np.zeros(N_INTS, np.int64)
    ints[REACH] = length - 1 - touching
    ints[WINDOWS:PLACE] = _windows(length)
    inside = range(MARGIN, SIDE - MARGIN)
    for direction, (dx, dy) in enumerate(DIRECTIONS.values()):
        for first in range(AREA):
            x, y = first % SIDE + (length - 1) * dx, first // SIDE + (length - 1) * dy
            if not all(z in inside for z in (x, y, first % SIDE, first // SIDE)):
                lane, bit = lane_of(direction * AREA + first)
                ints[BLOCKED + lane] |= 1 << bit
    for x, y in start_points(variant):
        add_point(ints, _grid_index(x, y))
    ints[START : 2 * START] = ints[:START]
    return seal(f"Morpion {variant}", RULES, ints, [], 4 * AREA, MAX_PLIES, MAX_LEGAL)


def variant_of(problem: Problem) -> str:
    """The variant that `morpion` made a problem from, read from its arrays."""
    # Where all nine points are set, the full lines through the middle one are as many as a line
    # has points.
    length = int(problem.ints[WINDOWS + N_WINDOWS - 1]).bit_count()
    properties = length, length - 1 - int(problem.ints[REACH])
    return next(variant for variant, own in VARIANTS.items() if own == properties)


def _windows(length):
    # The point just set is bit 4. Bit i of an entry: the line that begins i points before it
    # lacks one point; bit 8 + i: it is full.
    table = np.zeros(N_WINDOWS, np.int64)
    for window in range(N_WINDOWS):
        for i in range(length):
            line = (1 << length) - 1 << 5 + i - length
            n_points = (window & line).bit_count()
            table[window] |= (n_points == length - 1) << i | (n_points == length) << (8 + i)
    return table


def line_of(code: int, variant: str) -> list[tuple[int, int]]:
    """Points (x, y) of the line that a move code draws, in order."""
    length = _length_and_touching(variant)[0]
    code = checks.whole("code", code, 0, 4 * AREA - 1)
    dx, dy = list(DIRECTIONS.values())[code // AREA]
    first = code % AREA
    return _line(first % SIDE - ORIGIN, first // SIDE - ORIGIN, dx, dy, length)


def _line(x, y, dx, dy, length):
    return [(x + i * dx, y + i * dy) for i in range(length)]


def code_of(x: int, y: int, direction: str) -> int:
    """Move code of the line that begins at (x, y); direction is H, V, DN or DP."""
    checks.one_of("direction", direction, DIRECTIONS)
    x = checks.whole("x", x, -ORIGIN, SIDE - ORIGIN - 1)
    y = checks.whole("y", y, -ORIGIN, SIDE - ORIGIN - 1)
    return list(DIRECTIONS).index(direction) * AREA + _grid_index(x, y)


def _grid_index(x, y):
    return (y + ORIGIN) * SIDE + x + ORIGIN


def _length_and_touching(variant):
    return VARIANTS[checks.one_of("variant", variant, VARIANTS)]


# The referee: the same game on sets of points, slowly and in plain sight.


def judge_morpion(variant: str, lines: Sequence[ArrayLike]) -> Verdict:
    """Replay a Morpion game of lines, lists of points (x, y); a ValueError names an illegal one."""
    points, drawn = set(start_points(variant)), list[list[tuple[int, int]]]()
    length, touching = VARIANTS[variant]
    given = [
        [*map(tuple, arrays.pairs(f"line {number}", line).tolist())]
        for number, line in enumerate(arrays.as_list("lines", lines), 1)
    ]
    for number, line in enumerate(given, 1):
        if not _is_legal_line(line, points, drawn, length, touching):
            raise ValueError(f"move {number}: the line {line} is not legal in {variant}")
        points |= set(line)
        drawn.append(line)
    n_left = sum(
        _is_legal_line(_line(x, y, *step, length), points, drawn, length, touching)
        for x in range(min(x for x, _ in points) - 1, max(x for x, _ in points) + 2)
        for y in range(min(y for _, y in points) - 1, max(y for _, y in points) + 2)
        for step in DIRECTIONS.values()
    )
    return Verdict(float(len(drawn)), n_left)


def _is_legal_line(line, points, drawn, length, touching):
    if len(line) != length or len(set(line) - points) != 1:
        return False
    step = _step(line)
    if step not in DIRECTIONS.values() or line != _line(*line[0], *step, length):
        return False
    return all(len(set(line) & set(other)) <= touching for other in drawn if _step(other) == step)


def _step(line):
    (x, y), (next_x, next_y) = line[:2]
    return next_x - x, next_y - y


def _judge(problem, playout):
    variant = variant_of(problem)
    return judge_morpion(variant, [line_of(int(code), variant) for code in playout.codes])


RULES = register(Rules(reset, legal, play, score), _judge)
