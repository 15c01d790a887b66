"""A reader's own result beside random games, NRPA and the best game known."""

import bisect

import numpy as np

from gameai_book.nrpa.results.tables import yardstick
from touchbook.board import svg
from touchbook.board.chart import ticks

# Lines of the best games known, after morpionsolitaire.com; 35 is proven to be the most.
RECORDS = {"5D": 82, "5T": 178, "4D": 35, "4T": 62}
ROW, LABELS = 20, 86  # height of a row, width of the words before it
LEVELS = ("level 1", "level 2", "level 3")


def best_known(game: str) -> float:
    """Lines of the best game known; on the lesson's board points of the best that we found."""
    return RECORDS.get(game) or max(yardstick(game)["level 3"])


def levels_of(game: str) -> tuple:
    """NRPA's levels beside a result; none on the lesson's board, where no level is explained."""
    return () if game == "lesson" else LEVELS


def standing(game: str, score: float, unit: str, best: str) -> list[str]:
    """Sentences that compare a result; `best` says what the best game known is."""
    table = yardstick(game)
    random = table["random"]
    below = bisect.bisect_left(random, score)
    N = table["n_iterations"]
    places = [
        f"{bisect.bisect_left(table[level], score)} of {len(table[level])} of {level} with "
        f"{N**k:,} playouts"
        for k, level in enumerate(levels_of(game), 1)
    ]
    searches = "Among searches of NRPA, it beats {}, {}, and {}."
    return [
        f"This beats {below:,} of {len(random):,} random games, of which the best has "
        f"{random[-1]:,.0f} {unit}.",
        *([searches.format(*places)] if places else []),
        f"{best}: {best_known(game):,.0f}.",
    ]


def strip_chart(game, score, y, width, whose):
    """Shapes of a strip chart from `y` on, and its height: one row a player, you as a line."""
    table = yardstick(game)
    rows = {name: table[name] for name in ("random", *levels_of(game))}
    rows["best known"] = [best_known(game)]
    low = min(score, table["random"][0])
    high = max(score, *(scores[-1] for scores in rows.values()))
    left, right = LABELS + 8, width - 16

    def x(value):
        return left + (right - left) * (value - low) / (high - low)

    shapes = []
    top = y + 26
    for i, (name, scores) in enumerate(rows.items()):
        middle = top + (i + 0.5) * ROW
        shapes.append(svg.text(LABELS, middle, name, 14, anchor="end"))
        shapes.append(svg.line(left, middle + ROW / 2, right, middle + ROW / 2, "thin"))
        if name == "random":
            shapes += _bars(scores, low, high, x, middle + ROW / 2)
        else:
            shapes += [svg.circle(x(s), middle, 3.5, f"c{i - 1}", opacity=0.6) for s in scores]
        if name == "best known":
            shapes.append(svg.text(x(scores[0]) - 8, middle, f"{scores[0]:,.0f}", 14, anchor="end"))
    bottom = top + len(rows) * ROW
    shapes.append(svg.line(x(score), y + 22, x(score), bottom, "stroke", stroke_width=2))
    for tick in ticks(low, high):
        shapes.append(svg.text(x(tick), bottom + 12, f"{tick:,.0f}", 14, "muted"))
    words = f"{whose}: {score:,.0f}"
    half = 4.5 * len(words)  # about half as wide as it is written
    shapes.append(svg.text(min(max(x(score), half), width - half), y + 12, words, 15, "ink bold"))
    return shapes, bottom + 24 - y


def _bars(scores, low, high, x, foot):
    n_bins = min(int(high - low) + 1, 60)
    counts, edges = np.histogram(scores, n_bins, (low, high))
    unit = (ROW - 2) / counts.max()
    return [
        svg.rect(x(a), foot - n * unit, max(x(b) - x(a) - 0.5, 0.5), n * unit, "muted")
        for n, a, b in zip(counts.tolist(), edges[:-1], edges[1:], strict=True)
        if n
    ]
