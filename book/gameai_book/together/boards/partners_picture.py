"""The picture of two partners: points of three pairs, and shares of decks."""

import numpy as np

from gameai_book.hanabi.boards.words import count, percent
from gameai_book.together.boards.points import mean_and_error, say
from gameai_lib.hanabi.game.cards import N_CARDS
from touchbook.board import svg
from touchbook.board.chart import LOOKS, Chart

LEFT, RIGHT = 14, 388
ROW, HIGH = 58, 22  # of a pair, and of its columns
BAR = 46  # height of a share with its words
N_ERRORS = 2


def pairs_of(names):
    """What the three pairs are called."""
    one, other = names
    return f"{one} with itself", f"{other} with itself", f"{one} with {other}"


def draw(board):
    """The whole picture."""
    found = board.meeting
    shapes = [svg.text(8, 14, "points of each pair", 13, "muted", anchor="start")]
    shapes.append(svg.text(392, 14, count(len(board.scores), "deck"), 13, "muted", anchor="end"))
    shapes += _points(found, pairs_of(board.names), 26)
    y = 26 + 3 * ROW + 34
    shapes += _shares(found, board.names, y)
    y += 20 + 2 * BAR + 14
    return svg.picture(400, y, *shapes, label=board.title)


def _points(found, pairs, top):
    """A row for each pair: its mean, how many games ended with how many points, the error."""
    chart = Chart(LEFT, RIGHT, 0, 1, N_CARDS, 0, 1)
    wide = chart.x(1) - chart.x(0)
    shapes = []
    for k, (pair, look) in enumerate(zip(pairs, LOOKS, strict=True)):
        y, foot = top + ROW * k + 10, top + ROW * k + 20 + HIGH
        shapes += [look.mark(LEFT - 4, y), svg.text(LEFT + 4, y, pair, 13, anchor="start")]
        shapes.append(svg.line(LEFT - 7, foot, RIGHT + 7, foot, "line"))
        if found is None:
            continue
        counts = np.bincount(found.scores[:, k], minlength=N_CARDS + 1)
        for points in np.flatnonzero(counts).tolist():
            high = max(1.5, HIGH * counts[points] / counts.max())
            shapes.append(
                svg.rect(chart.x(points) - wide / 2 + 1, foot - high, wide - 2, high, look.fill)
            )
        mean, error = mean_and_error(found.scores[:, k])
        words = say(mean, error, 1)
        shapes.append(svg.text(RIGHT + 4, y, words, 13, "ink bold", anchor="end"))
        shapes += _whisker(chart, mean, N_ERRORS * error, foot + 6)
    y = top + 3 * ROW + 8
    return shapes + [svg.text(chart.x(value), y, value, 13) for value in range(0, 26, 5)]


def _whisker(chart, mean, reach, y):
    """A dot at a mean, and a line as far as its error reaches, if there is one."""
    reach = np.nan_to_num(reach)
    low, high = (min(max(mean + side * reach, 0), chart.last) for side in (-1, 1))
    ends = svg.line(chart.x(low), y, chart.x(high), y, "stroke", stroke_width=2)
    return [ends, svg.circle(chart.x(mean), y, 3, "ink")]


def _shares(found, names, top):
    """How often the mixed pair beats each other pair: seen as a bar, expected as a triangle."""
    chart = Chart(LEFT, RIGHT, 0, 1, 1, 0, 1)
    words = "decks on which the mixed pair beats"
    shapes = [svg.text(8, top, words, 13, "muted", anchor="start")]
    for k, name in enumerate(names):
        y, bar = top + 20 + BAR * k, top + 33 + BAR * k
        shapes += [LOOKS[k].mark(LEFT - 4, y),
                   svg.text(LEFT + 4, y, f"{name} with itself", 13, anchor="start"),
                   svg.rect(LEFT, bar, RIGHT - LEFT, 14, "soft edge")]  # fmt: skip
        if found is None:
            continue
        seen, error = mean_and_error(found.outcomes[:, k])
        said = float(found.expected[k])
        shapes.append(svg.rect(LEFT, bar, max(1, chart.x(seen) - LEFT), 14, LOOKS[2].fill))
        shapes += _whisker(chart, seen, N_ERRORS * error, bar + 7)
        x = chart.x(said)
        shapes.append(svg.path([(x - 5, bar - 3), (x + 5, bar - 3), (x, bar + 6)], "ink",
                               closed=True))  # fmt: skip
        words = f"seen {percent(seen)}, expected {percent(said)}"
        shapes.append(svg.text(RIGHT + 4, y, words, 13, anchor="end"))
    y = top + 22 + 2 * BAR
    if found is None:
        return shapes
    total = percent(found.outcomes.sum(axis=1).mean())
    words = f"seen, the two add up to {total}; expected, to {percent(1)}"
    return [*shapes, svg.text(RIGHT + 4, y, words, 13, "ink bold", anchor="end")]
