"""The hidden landscape as SVG: games, parameters, agents that were bought, and what is true."""

import numpy as np

from gameai_book.ntbea.boards.parts import (
    best_agent,
    game_mark,
    left_text,
    right_text,
    table,
    true_chances,
)
from touchbook.board import svg

_SHORT_LIST = 8  # settings shown unless all are asked for
_WIDE, _ROW = 46, 32  # boxes of the values
_BOXES = 116  # where they begin
_TILE = 30  # settings that were bought


def picture(board):
    """Draw a `LandscapeBoard`."""
    parts, top = [], 0
    for part in (_games, _parameters, _truth, _table, _list):
        shapes, height = part(board, top)
        parts += shapes
        top += height
    return svg.picture(400, top, *parts, label="Parameters and games")


def _games(board, top):
    """Every game of the budget as a mark."""
    n, won = len(board.bought), board.latest_won()
    last = f"last {board.latest}: {won} won"
    if board.latest == 1:
        last = f"last game {'won' if won else 'lost'}"
    left, foot = board.n_games - n, top + 42 + 14 * -(-board.n_games // 25)
    shapes = [
        left_text(8, top + 16, f"games left: {left} of {board.n_games}", 15, "ink bold"),
        right_text(392, top + 16, last if n else "", 15, "ink bold"),
    ]
    for i, result in enumerate([*(fitness for _, fitness in board.bought), *(None,) * left]):
        shapes.append(game_mark(14 + 15.5 * (i % 25), top + 38 + 14 * (i // 25), result))
    words = "a mark for each game; filled: won, hollow: lost"
    return [*shapes, left_text(8, foot, words, 13, "muted")], foot + 18 - top


def _bars(board):
    """What stands below each value: words, a share and its class, a dict by (row, column)."""
    bars = {}
    for row, (dim, values) in enumerate(zip(board.rows, board.columns, strict=True)):
        for column, value in enumerate(values):
            below = bars[row, column] = []
            if "marginals" in board.shown:
                won = [fitness > 0 for point, fitness in board.bought if point[dim] == value]
                words = f"{sum(won)}/{len(won)}" if won else "–"
                below.append((words, sum(won) / max(1, len(won)), "mark"))
            if board.named is not None:
                true = float(true_chances().take(value, axis=dim).mean())
                below.append((f"{true:.0%}", true, "good"))
    return bars


def _parameters(board, top):
    """A row of boxes for each parameter, one for each of its values; at the end, what is true."""
    shapes, bars = [], _bars(board)
    longest = max((bar[1] for below in bars.values() for bar in below), default=0) or 1
    high = _foot(board) + 22 * len(bars[0, 0])
    for (row, column), below in bars.items():
        y, name = top + (high + 5) * row, board.parameter(row)
        if column == 0:
            words = name if board.named is None else f"{board.letters[row]} {name}"
            shapes.append(left_text(8, y + _ROW / 2, words, 14))
        shares = [(words, share / longest, look) for words, share, look in below]
        shapes.append(_value(board, row, column, y, shares))
    height = (high + 5) * len(board.rows) + 6
    if board.named is None:
        return shapes, height
    return shapes + _truth_of_choice(board, top + height + 6), height + 44


def _foot(board):
    """Where the bars of a box begin, from its top: at the end its number stands there, too."""
    return _ROW + 10 * (board.named is not None)


def _value(board, row, column, y, bars):
    """The box of one value, a target, with its bars below."""
    letter, words = board.letters[row], board.value(row, column)
    ended = board.named is not None
    x, foot, chosen = _BOXES + _WIDE * column, y + _foot(board), board.choice[row] == column
    size, middle = (_WIDE - 3, foot - y + 22 * len(bars)), x + (_WIDE - 3) / 2
    box = [svg.rect(x, y, *size, "soft" if chosen else "paper edge", rx=4)]
    if chosen:
        box.append(svg.rect(x, y, *size, "ring", rx=4))
    look, label = "ink bold" if chosen else "ink", f"{board.parameter(row)} {words}"
    box.append(svg.text(middle, foot - _ROW / 2, words, 15, look))
    if ended:
        box.append(svg.text(middle + 3, y + 10, f"{column + 1} =", 13))
        label += f", in disguise {letter} {column + 1}"
    if ended and board.choice_of(best_agent())[row] == column:
        box.append(svg.circle(x + 6, y + 6, 3.5, "good"))
    for i, (said, share, look) in enumerate(bars):
        box.append(svg.text(middle, foot + 22 * i + 4, said, 13))
        box.append(svg.rect(x + 4, foot + 22 * i + 13, (_WIDE - 11) * share, 5, look))
        label += f", {said}"
    return svg.target(f"{letter}{column + 1}", label, *box, pressed=chosen)


def _truth_of_choice(board, y):
    """What the chosen values are worth, and what the marks mean."""
    here = board.point_of(board.choice)
    words = f"{board.chance(here):.0%}, number {board.rank(here)} of {true_chances().size}"
    key = "the best agent; %: true mean of all with a value"
    return [
        left_text(8, y, f"the values above: {words}", 14, "ink bold"),
        svg.circle(12, y + 20, 4, "good"),
        left_text(22, y + 20, key, 13),
    ]


def _truth(board, top):
    """All settings and all recommendations by their true chance; empty before the end."""
    if board.named is None:
        return [], 0
    yours, end = board.chance(board.named), np.ceil(10 * true_chances().max()) / 10
    rows = [(f"the {true_chances().size} agents, by their true chance", true_chances().ravel())]
    for name, words in (("NTBEA", "NTBEA"), ("random", "random games, best means")):
        if board.runs[name]:
            runs = board.chances_of(name)
            some = f"{len(runs)} of " if len(runs) < board.n_runs else ""
            words = f"{words}, {some}{board.n_runs} runs: mean {runs.mean():.0%}"
            rows.append((words, runs))

    def x(chance):
        return 20 + 360 * chance / end

    shapes = [svg.text(x(yours), top + 8, f"you {yours:.0%}", 14, "ink bold")]
    for i, (words, chances) in enumerate(rows):
        foot = top + 72 + 62 * i
        shapes.append(right_text(380, foot - 46, words, 13))
        shapes.append(svg.line(20, foot, 380, foot, "line"))
        if i == 0:
            shapes += [svg.line(x(c), foot, x(c), foot - 20, "thin") for c in chances]
        else:
            shapes += _stacks(x, foot, chances, f"c{i} edge")
        shapes.append(svg.line(x(yours), foot, x(yours), foot - 37, "stroke", stroke_width=2))
    shapes += [
        svg.text(x(c), foot + 12, f"{c:.0%}", 13, "muted") for c in np.arange(0, end + 0.01, 0.1)
    ]
    return shapes, foot + 30 - top


def _table(board, top):
    """How the reader and the rivals spent their games; empty before they have."""
    if not board.runs["NTBEA"]:
        return [], 0
    here = {point: n for point, _, n in board.settings()}
    yours = len(board.bought), len(here), here.get(board.named, 0)
    rows = [
        ("", "games", "agents", "on the one named", "true"),
        ("you", *yours, f"{board.chance(board.named):.0%}"),
    ]
    for name, runs in board.runs.items():
        means = [f"{mean:.1f}" for mean in np.mean([run[1:] for run in runs], axis=0)]
        true = board.chances_of(name).mean()
        rows.append((f"{name}, mean", board.n_games, *means, f"{true:.0%}"))
    shapes, height = table(top, rows, (146, 214, 346, 392), 13)
    return shapes, height + 14


def _list(board, top):
    """Settings that were bought, the best mean first, and the one that is chosen in any case."""
    settings = board.settings()
    if not settings:
        return [], 0
    listed = settings if "all" in board.shown else settings[:_SHORT_LIST]
    ended = board.named is not None
    high = _TILE + 36 * ended
    words = "bought so far, best mean first" if board.named is None else "bought, best mean first"
    if len(listed) < len(settings):
        words = f"best {len(listed)} means of {len(settings)} agents"
        here = [s for s in settings[_SHORT_LIST:] if s[0] == board.point_of(board.choice)]
        words += "; last: the values above" if here else ""
        listed = listed + here
    shapes = [left_text(8, top + 12, words, 13, "muted")]
    for i, (point, won, n) in enumerate(listed):
        x, y = 8 + 193 * (i % 2), top + 24 + (high + 4) * (i // 2)
        choice, said = board.choice_of(point), f"{won}/{n}"
        before = board.before(choice)
        label = f"go back to {board.spell(choice)}, won {won} of {n}"
        tile = [
            svg.rect(x, y, 190, high, "soft", rx=4),
            left_text(x + 8, y + 15, before or board.spell(choice), 13),
            right_text(x + 182, y + 15, said, 13, "ink bold"),
        ]
        if ended:
            said = f"{won / n:.0%} seen, {board.chance(point):.0%} true"
            tile.append(right_text(x + 182, y + high - 15, said, 13, "good bold"))
            tile.append(left_text(x + 8, y + 33, f"= {board.spell(choice)}", 13))
            label += f", in disguise {before}, {said}"
        if choice == board.choice:
            tile.append(svg.rect(x, y, 190, high, "ring", rx=4))
        shapes.append(svg.target("set-" + board.digits(choice), label, *tile))
    return shapes, 28 + (high + 4) * -(-len(listed) // 2)


def _stacks(x, foot, values, class_):
    """A disc for every value, equal ones upon each other."""
    return [
        svg.circle(x(value), foot - 5 - min(8, 30 / n) * j, 4, class_)
        for value, n in zip(*np.unique(values, return_counts=True), strict=True)
        for j in range(n)
    ]
