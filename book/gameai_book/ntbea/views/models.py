"""Pictures of landscape models: arms and grids."""

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.ticker import MaxNLocator

from gameai_book.ntbea.views.parts import BLUE, LETTERS, ORANGE, PALE, draw_bars, draw_key
from touchbook.figure.markup import typeset
from touchbook.figure.parts import draw_boxes, ink_on, name_ticks, shades


def draw_bandit(ax, pull, truth, names):
    """Bars of mean and bonus for every arm before a pull, with the true means as marks."""
    x = np.arange(len(names))
    draw_bars(ax, x, pull.mean, 0.6, BLUE)
    draw_bars(ax, x, pull.bonus, 0.6, PALE, bottom=pull.mean)
    ax.plot(x, truth, "D", color=ORANGE, ms=7, zorder=3)
    top = np.maximum(pull.mean + pull.bonus, np.add(truth, 0.05))  # clear of both
    high = 1.5 * 2 ** max(0, int(np.ceil(np.log2(top.max() / 1.3))))  # few scales: 1.5, 3, 6, …
    for i, n in enumerate(pull.n):
        ax.text(i, top[i] + 0.02 * high, f"n = {n}", ha="center", va="bottom")
    name_ticks(ax.xaxis, x, [f"▸ {n} ◂" if i == pull.arm else n for i, n in enumerate(names)])
    ax.set(xlim=(-0.43, len(names) - 0.57), ylim=(0, high), ylabel="mean + bonus")
    ax.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    entries = [("hidden win rate", "D", ORANGE), ("mean so far", "bar", BLUE)]
    draw_key(ax, [*entries, ("its bonus", "bar", PALE)], at=(0, 12), across=134)
    ax.set_title(" ")  # room for the key
    return ax


def draw_grid(
    ax, values, title, *,
    left=0, top=0, mark=None, limits=None, fmt="{:.1f}", hue=BLUE, words=None, counts=None,
    blank=None,
):  # fmt: skip
    """Numbers of a two-dimensional landscape; nan is hatched, `mark` is outlined.

    A cell is a square of one unit. Several grids may stand on one axes: the middle of the first
    cell is at (`left`, `top`). Colours run from white to `hue` between the `limits`. The pair
    `words` is written beside the rows and below the columns; `counts`, of the shape of `values`,
    below the numbers unless they are 0. Where `blank` is true there is no cell, not even hatched.
    """
    known = np.isfinite(values)
    low, high = limits or (float(values[known].min()), float(values[known].max()))
    share = (values - low) / max(high - low, 1e-9)
    y, x = np.indices(values.shape) + np.array([top, left])[:, None, None] - 0.5
    hatched = ~known if blank is None else ~known & ~np.asarray(blank)
    if hatched.any():
        look = {"facecolors": "#F2F2F2", "edgecolors": "#BBBBBB", "hatch": "///", "lw": 0}
        draw_boxes(ax, x[hatched], y[hatched], 1, 1, **look)
    # Edges of their own colour close the seams between cells.
    look = {"facecolors": shades(hue)(share[known]), "edgecolors": "face", "lw": 0.4}
    draw_boxes(ax, x[known], y[known], 1, 1, **look)
    ax.text(left - 0.5, top - 0.65, title, fontsize=LETTERS)
    lift = 0.0 if counts is None else 0.2
    inks = ink_on(share)
    middle = {"ha": "center", "va": "center", "fontsize": LETTERS}
    for (row, column), value in np.ndenumerate(values):
        if known[row, column]:
            place, ink = (column + left, row + top - lift), inks[row, column]
            ax.text(*place, typeset(fmt.format(value)), color=ink, **middle)
    for (row, column), n in np.ndenumerate(() if counts is None else counts):
        if n:
            place = left + column + 0.42, top + row + 0.43
            ax.text(*place, n, ha="right", va="bottom", color=inks[row, column], fontsize=LETTERS)
    if mark is not None:
        x, y = mark[1] + left + 0.46 * np.array([-1, 1, 1, -1, -1]), mark[0] + top
        ax.plot(x, y + 0.46 * np.array([-1, -1, 1, 1, -1]), color=ORANGE, lw=3)
    for row, word in enumerate(words[0] if words else ()):
        ax.text(left - 0.62, top + row, str(word), ha="right", va="center", fontsize=LETTERS)
    for column, word in enumerate(words[1] if words else ()):
        y = top + len(values) - 0.38
        ax.text(left + column, y, str(word), ha="center", va="top", fontsize=LETTERS)
    right, lower = left + values.shape[1] - 0.5, top + len(values) - 0.5
    if not ax.axison:  # another grid stands there
        right, lower = max(right, ax.get_xlim()[1]), max(lower, ax.get_ylim()[0])
    ax.set(xlim=(-0.5, right), ylim=(lower, -1), aspect="equal")
    ax.set_axis_off()
    return ax


def draw_margins(ax, arms, title, *, left=0, mark=None):
    """Means and counts of a model of two dimensions, its 1-tuples along the edges.

    `arms` are those of dimension 0, of dimension 1 and of the pair; the rest is as for `draw_grid`.
    """
    first, second, pair = arms
    rows, columns = pair.n.shape
    mean = np.full((rows + 1, columns + 1), np.nan)
    mean[:rows, :columns] = pair.mean
    mean[:rows, columns] = first.mean
    mean[rows, :columns] = second.mean
    blank = np.zeros(mean.shape, bool)
    blank[rows, columns] = True  # the corner between the 1-tuples is not an arm
    counts = np.block([[pair.n, first.n[:, None]], [second.n[None], np.zeros((1, 1), int)]])
    look = {"limits": (0, 1), "counts": counts, "blank": blank}
    draw_grid(ax, mean, title, left=left, mark=mark, **look)
    edge, end = (left + columns - 0.5, rows - 0.5), (left + columns + 0.5, rows + 0.5)
    across = (left - 0.5, edge[1]), (end[0], edge[1])
    lines = [across, [(edge[0], -0.5), (edge[0], end[1])]]
    ax.add_collection(LineCollection(lines, colors="white", lw=4, zorder=2))
    return ax
