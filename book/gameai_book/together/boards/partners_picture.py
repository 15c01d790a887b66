"""The picture of two partners: points of three pairs, and shares of decks."""

import numpy as np

from gameai_book.hanabi.boards.marks import left, right
from gameai_book.hanabi.boards.words import count, percent
from gameai_book.together.boards.points import N_ERRORS, mean_and_error, say
from gameai_lib.hanabi.game.box import N_CARDS
from touchbook.board import svg
from touchbook.board.chart import LOOKS, Chart

LEFT, RIGHT = 14, 388
ROW, HIGH = 58, 22  # of a pair, and of its columns
BAR = 46  # height of a share with its words


def pairs_of(names):
    """What the three pairs are called."""
    one, other = names
    return f"{one} with itself", f"{other} with itself", f"{one} with {other}"


def draw(board):
    """The whole picture."""
    found, top = board.meeting, 26
    foot = top + 3 * ROW + 34
    heads = [left(8, 14, "points of each pair", "muted")]
    heads.append(right(392, 14, count(len(board.scores), "deck"), "muted"))
    points, shares = _points(found, pairs_of(board.names), top), _shares(found, board.names, foot)
    height = foot + 34 + 2 * BAR
    return svg.picture(400, height, *heads, *points, *shares, label=board.title)


def _points(found, pairs, top):
    """A row for each pair: its mean, how many games ended with how many points, the error."""
    chart = Chart(LEFT, RIGHT, 0, 1, N_CARDS, 0, 1)
    wide = chart.x(1) - chart.x(0)
    for k, (pair, look) in enumerate(zip(pairs, LOOKS, strict=True)):
        y, foot = top + ROW * k + 10, top + ROW * k + 20 + HIGH
        yield look.mark(LEFT - 4, y)
        yield left(LEFT + 4, y, pair)
        yield svg.line(LEFT - 7, foot, RIGHT + 7, foot, "line")
        if found is None:
            continue
        counts = np.bincount(found.scores[:, k], minlength=N_CARDS + 1)
        for points in np.flatnonzero(counts).tolist():
            high, x = max(1.5, HIGH * counts[points] / counts.max()), chart.x(points)
            yield svg.rect(x - wide / 2 + 1, foot - high, wide - 2, high, look.fill)
        mean, error = mean_and_error(found.scores[:, k])
        yield right(RIGHT + 4, y, say(mean, error, 1), "ink bold")
        yield from _whisker(chart, mean, error, foot + 6)
    for value in range(0, 26, 5):
        yield svg.text(chart.x(value), top + 3 * ROW + 8, value, 13)


def _whisker(chart, mean, error, y):
    """A dot at a mean, and a line as far as its error reaches, if there is one."""
    reach = N_ERRORS * np.nan_to_num(error)
    low, high = (min(max(mean + side * reach, 0), chart.last) for side in (-1, 1))
    yield svg.line(chart.x(low), y, chart.x(high), y, "stroke", stroke_width=2)
    yield svg.circle(chart.x(mean), y, 3, "ink")


def _shares(found, names, top):
    """How often the mixed pair beats each other pair: seen as a bar, expected as a triangle."""
    chart = Chart(LEFT, RIGHT, 0, 1, 1, 0, 1)
    yield left(8, top, "decks on which the mixed pair beats", "muted")
    for k, name in enumerate(names):
        y, bar = top + 20 + BAR * k, top + 33 + BAR * k
        yield LOOKS[k].mark(LEFT - 4, y)
        yield left(LEFT + 4, y, f"{name} with itself")
        yield svg.rect(LEFT, bar, RIGHT - LEFT, 14, "soft edge")
        if found is None:
            continue
        seen, error = mean_and_error(found.outcomes[:, k])
        said = float(found.expected[k])
        yield svg.rect(LEFT, bar, max(1, chart.x(seen) - LEFT), 14, LOOKS[2].fill)
        yield from _whisker(chart, seen, error, bar + 7)
        x = chart.x(said)
        yield svg.path([(x - 5, bar - 3), (x + 5, bar - 3), (x, bar + 6)], "ink", closed=True)
        yield right(RIGHT + 4, y, f"seen {percent(seen)}, expected {percent(said)}")
    if found is not None:
        total = percent(found.outcomes.sum(axis=1).mean())
        words = f"seen, the two add up to {total}; expected, to {percent(1)}"
        yield right(RIGHT + 4, top + 22 + 2 * BAR, words, "ink bold")
