"""Pictures of what joins the rooms; they draw and compute nothing new."""

import numpy as np

from touchbook.figure.parts import draw_boxes, ink_on, name_ticks, shades

POINTS = shades("#0072B2")
MOST_POINTS = 25
# Okabe and Ito's: what a chart tells apart by colour and shape at once.
MARKS = (
    {"color": "#0072B2", "marker": "o"},
    {"color": "#D55E00", "marker": "s"},
    {"color": "#009E73", "marker": "^"},
)
# Pairs that win more, or less, than their members' strengths say.
MORE, LESS = {"marker": "^", "color": "#E69F00"}, {"marker": "v", "color": "#CC79A7"}


def draw_pairs(ax, points, more, less, names):
    """Draw mean points of all pairs, (n, n) floats, as numbers and shades.

    Cells of `more` and `less`, (n, n) bools, have a triangle that points up, or down. The columns
    have the numbers of the rows, which `names` name.
    """
    n = len(names)
    column, row = map(np.ravel, np.meshgrid(np.arange(n), np.arange(n)))
    share = np.ravel(points) / MOST_POINTS
    style = {"facecolors": POINTS(share), "edgecolors": "white", "linewidths": 1}
    draw_boxes(ax, column - 0.5, row - 0.5, 1, 1, **style)
    for x, y, value in zip(column, row, share, strict=True):
        look = {"ha": "center", "va": "center", "fontsize": 10.3, "color": str(ink_on(value))}
        ax.text(x, y - 0.16, f"{value * MOST_POINTS:.0f}", **look)
    for which, style in ((more, MORE), (less, LESS)):
        y, x = np.nonzero(which)
        ax.plot(x, y + 0.31, linestyle="none", markersize=6, markeredgecolor="black", **style)
    name_ticks(ax.yaxis, range(n), [f"{name}  {k + 1}" for k, name in enumerate(names)])
    name_ticks(ax.xaxis, range(n), range(1, n + 1))
    ax.xaxis.tick_top()
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set(xlim=(-0.5, n - 0.5), ylim=(n - 0.5, -0.5), aspect="equal")
    return ax


def draw_points(ax, names, series, label):
    """Draw means with two standard errors to either side, a row a name, the first on top.

    `series` maps what the key says to means and errors, (n,) floats each, NaN where nothing was
    measured; `label` is that of the axis.
    """
    rows = np.arange(len(names))
    for k, ((says, (means, errors)), mark) in enumerate(zip(series.items(), MARKS, strict=False)):
        y = rows + 0.16 * (k - (len(series) - 1) / 2)
        half = 2 * np.asarray(errors)
        ax.hlines(y, means - half, means + half, color=mark["color"], linewidth=2)
        ax.plot(means, y, linestyle="none", markersize=7, label=says, **mark)
    name_ticks(ax.yaxis, rows, names)
    ax.set(ylim=(len(names) - 0.5, -0.5), xlabel=label)
    ax.grid(axis="x", alpha=0.3)
    return ax


def draw_calibration(ax, found):
    """Draw the share of cards that fitted against the chance that a belief gave them.

    `found`, by the name of each belief, are rows (predicted, seen, n); the more cards, the larger
    the mark.
    """
    ax.plot([0, 1], [0, 1], color="grey", linewidth=1, label="as believed")
    for (belief, rows), mark in zip(found.items(), MARKS, strict=False):
        predicted, seen, n = map(np.array, zip(*rows, strict=True))
        ax.plot(predicted, seen, color=mark["color"], linewidth=1)
        sizes = 20 + 250 * n / n.sum()
        ax.scatter(predicted, seen, s=sizes, label=belief, alpha=0.8, **mark)
    ax.set(xlabel="chance to fit that is believed", ylabel="share of such cards that fit")
    ax.set_aspect("equal")
    ax.grid(alpha=0.3)
    return ax
