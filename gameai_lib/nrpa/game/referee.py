"""Judges of finished games that know nothing of the incremental rules.

They work on sets of points, lists of columns and tours, slowly and in plain sight; every game
that is saved, loaded or shown as a result has passed one of them.
"""

from typing import NamedTuple

import numpy as np

from gameai_lib.base import checks
from gameai_lib.nrpa._checks import finite, items, numbers, pairs
from gameai_lib.nrpa.game import leftmove, morpion, samegame, tsptw
from gameai_lib.nrpa.problem.problem import Problem
from gameai_lib.nrpa.problem.walk import Playout, playout_of, replay


class Verdict(NamedTuple):
    """What a referee found; an illegal game raises instead."""

    score: float
    n_moves_left: int


def judge_morpion(variant: str, lines) -> Verdict:
    """Replay a Morpion game given as lines, each a list of points (x, y).

    Raises
    ------
    ValueError
        At the first illegal line, with its number.
    """
    points, drawn = set(morpion.start_points(variant)), []
    length, touching = morpion.VARIANTS[variant]
    lines = [
        [*map(tuple, pairs(f"line {number}", line).tolist())]
        for number, line in enumerate(items("lines", lines), 1)
    ]
    for number, line in enumerate(lines, 1):
        if not _is_legal_line(line, points, drawn, length, touching):
            raise ValueError(f"move {number}: the line {line} is not legal in {variant}")
        points |= set(line)
        drawn.append(line)
    left = [
        line
        for x in range(min(x for x, _ in points) - 1, max(x for x, _ in points) + 2)
        for y in range(min(y for _, y in points) - 1, max(y for _, y in points) + 2)
        for dx, dy in morpion.DIRECTIONS.values()
        for line in [[(x + i * dx, y + i * dy) for i in range(length)]]
        if _is_legal_line(line, points, drawn, length, touching)
    ]
    return Verdict(float(len(drawn)), len(left))


def _is_legal_line(line, points, drawn, length, touching):
    if len(line) != length or len(set(line) - points) != 1:
        return False
    step = (line[1][0] - line[0][0], line[1][1] - line[0][1])
    if step not in morpion.DIRECTIONS.values() or any(
        point != (line[0][0] + i * step[0], line[0][1] + i * step[1])
        for i, point in enumerate(line)
    ):
        return False
    return all(
        len(set(line) & set(other)) <= touching
        for other in drawn
        if (other[1][0] - other[0][0], other[1][1] - other[0][1]) == step
    )


def judge_samegame(board: np.ndarray, cells) -> Verdict:
    """Replay a SameGame game given as cells (column, row), row 0 at the bottom.

    Cells of `board` below 0 are empty.

    Raises
    ------
    ValueError
        At the first cell that is no group of two or more.
    """
    columns = numbers("board", board, np.int64, 2)[::-1].T.tolist()
    columns = [[colour for colour in stack if colour >= 0] for stack in columns]
    columns = [stack for stack in columns if stack]
    points = 0
    for number, (column, row) in enumerate(pairs("cells", cells).tolist(), 1):
        group = _group(columns, column, row)
        if len(group) < 2:
            raise ValueError(f"move {number}: ({column}, {row}) is not in a group of two or more")
        points += (len(group) - 2) ** 2
        columns = [
            [colour for y, colour in enumerate(stack) if (x, y) not in group]
            for x, stack in enumerate(columns)
        ]
        columns = [stack for stack in columns if stack]
    groups = {
        frozenset(_group(columns, x, y))
        for x, stack in enumerate(columns)
        for y in range(len(stack))
    }
    bonus = 0 if columns else 1000
    return Verdict(float(points + bonus), sum(len(group) > 1 for group in groups))


def _group(columns, x, y):
    def colour(x, y):
        return columns[x][y] if 0 <= x < len(columns) and 0 <= y < len(columns[x]) else None

    if colour(x, y) is None:
        return set()
    group, frontier = {(x, y)}, [(x, y)]
    while frontier:
        a, b = frontier.pop()
        for cell in ((a + 1, b), (a - 1, b), (a, b + 1), (a, b - 1)):
            if cell not in group and colour(*cell) == colour(x, y):
                group.add(cell)
                frontier.append(cell)
    return group


def judge_leftmove(n_plies: int, codes) -> Verdict:
    """Replay a LeftMove game given as codes: 2 * ply is left, 2 * ply + 1 is right.

    Raises
    ------
    ValueError
        At the first ply without a code of its own: another code, none, or one too many.
    """
    n_plies = checks.whole("n_plies", n_plies)
    codes = finite("codes", codes).tolist()
    for ply in range(max(n_plies, len(codes))):
        left, right = 2 * ply, 2 * ply + 1
        if ply >= n_plies:
            raise ValueError(f"ply {ply}: code {codes[ply]:g} after the last of {n_plies} plies")
        if ply >= len(codes):
            raise ValueError(f"ply {ply}: no code, the game has {n_plies} plies")
        if codes[ply] not in (left, right):
            raise ValueError(f"ply {ply}: code {codes[ply]:g} is neither {left} nor {right}")
    return Verdict(float(sum(code % 2 == 0 for code in codes)), 0)


def samegame_cells(problem: Problem, choices) -> list[tuple[int, int]]:
    """A cell (column, row) of each group a game removes."""
    plies = list(replay(problem, choices))[:-1]
    return [samegame.groups_of(ply.ints)[ply.choice][:2] for ply in plies]


def judge(problem: Problem, playout: Playout) -> Verdict:
    """Let the referee of the problem's kind replay a game.

    A problem of the reader's own, or one with a function replaced, is replayed by its own
    rules, for want of another judge.

    Raises
    ------
    ValueError
        If the game is illegal, unfinished, or its score is not what the referee counts.
    """
    checks.kind("problem", problem, Problem)
    score, choices, codes = checks.kind("playout", playout, Playout)
    score = checks.number("score", score, -np.inf, np.inf)
    codes = numbers("codes", codes, np.int64)
    playout = Playout(score, choices, codes)
    if problem.rules == morpion.RULES:
        variant = morpion.variant_of(problem)
        lines = [morpion.line_of(int(code), variant) for code in playout.codes]
        verdict = judge_morpion(variant, lines)
    elif problem.rules == samegame.RULES:
        first = next(iter(replay(problem, playout.choices)))
        cells = samegame_cells(problem, playout.choices)
        verdict = judge_samegame(samegame.board_of(first.ints), cells)
    elif problem.rules == tsptw.RULES:
        instance = tsptw.instance_of(problem)
        tour = tsptw.evaluate(instance, tsptw.tour_of(playout.codes, len(instance.windows)))
        verdict = Verdict(-(tsptw.LATE_COST * tour.violations + tour.cost), 0)
    elif problem.rules == leftmove.RULES:
        verdict = judge_leftmove(int(problem.ints[leftmove.N_PLIES]), playout.codes)
    else:
        verdict = Verdict(playout_of(problem, playout.choices).score, 0)
    if verdict.n_moves_left:
        raise ValueError(f"{problem.name}: {verdict.n_moves_left} moves are left")
    if not np.isclose(verdict.score, playout.score, rtol=0, atol=1e-6):
        raise ValueError(
            f"{problem.name}: the game claims {playout.score}, the referee counts {verdict.score}"
        )
    return verdict
