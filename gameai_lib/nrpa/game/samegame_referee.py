"""The referee of SameGame: the game on lists of columns, slowly and in plain sight."""

from gameai_lib.base import arrays
from gameai_lib.base.types import ArrayLike, Ints
from gameai_lib.nrpa.problem.registry import Verdict


def judge_samegame(board: ArrayLike, cells: ArrayLike) -> Verdict:
    """Replay a SameGame game of cells (column, row), row 0 at the bottom.

    Cells of `board` below 0 are empty. A ValueError names the first move that takes no group.
    """
    columns = arrays.whole("board", board, ndim=2)[::-1].T.tolist()
    columns = [[colour for colour in stack if colour >= 0] for stack in columns]
    columns = [stack for stack in columns if stack]
    points = 0
    for number, (column, row) in enumerate(arrays.pairs("cells", cells).tolist(), 1):
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


def group_in(board: Ints, column: int, row: int) -> list[tuple[int, int]]:
    """Cells (column, row) of the group that holds a cell of a board, row 0 at the bottom."""
    return sorted(_group(board[::-1].T.tolist(), column, row))
