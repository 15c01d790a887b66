"""Pictures of the contest, of its parts and of settings."""

import numpy as np
from matplotlib.transforms import ScaledTranslation

from gameai_book.ntbea.views.parts import BLUE, GREEN, GREY, LETTERS, ORANGE, draw_key
from touchbook.figure.markup import typeset
from touchbook.figure.parts import name_ticks


def draw_contest(ax, cells, reached):
    """How much more or less than `tune` the others reach, ± standard errors, best on top.

    `cells` are the differences of the entrants by name, `Cell` objects, of `tune` zeros; that one
    goes `reached` of the way to the best point.
    """
    ranked = sorted(cells, key=lambda entrant: cells[entrant].mean)
    y, tuned = np.arange(len(ranked)), ranked.index("tune")
    mean, error = np.transpose([(cells[e].mean, cells[e].standard_error) for e in ranked])
    colours = [ORANGE if i == tuned else BLUE for i in y]
    _draw_rows(ax, y)
    ax.hlines(y, mean - error, mean + error, colors=colours, lw=2.5)
    ax.scatter(mean, y, s=49, c=colours, lw=1, zorder=2)
    others = np.delete(y, tuned)
    name_ticks(ax.yaxis, others, [ranked[i] for i in others])
    left = ScaledTranslation(-7 / 72, 0, ax.get_figure(root=True).dpi_scale_trans)
    look = {"ha": "right", "va": "center", "fontsize": LETTERS, "fontweight": "bold"}
    ax.text(0, tuned, "tune", transform=ax.get_yaxis_transform() + left, **look)
    ax.set_xlabel(f"more than tune, at {reached:.2f}")
    return ax


def _draw_rows(ax, y):
    """A pale line for each row, and a line at no difference."""
    ax.hlines(y, 0, 1, transform=ax.get_yaxis_transform(), color="#EEEEEE", lw=0.8, zorder=0)
    ax.axvline(0, color=GREY, ls="--", lw=1)
    ax.tick_params(axis="y", labelsize=LETTERS)


def draw_differences(ax, cells, *, xlabel):
    """Differences ± standard errors, a line for each row and a mark for each series, in hundredths.

    `cells` maps (row, series) to shares of the way, `Cell` objects; the first row is on top.
    """
    rows, series = (list(dict.fromkeys(names)) for names in zip(*cells, strict=True))
    place = np.arange(len(rows))[::-1]
    _draw_rows(ax, place)
    entries = list(zip(series, "osD", (BLUE, ORANGE, GREEN), strict=True))
    for i, (name, mark, colour) in enumerate(entries):
        some, y = [cells[row, name] for row in rows], place + 0.25 * (1 - i)
        means, errors = 100 * np.transpose([(cell.mean, cell.standard_error) for cell in some])
        ax.hlines(y, means - errors, means + errors, colors=colour, lw=1.5)
        ax.plot(means, y, mark, color=colour, ms=6)
    name_ticks(ax.yaxis, place, rows)
    ax.set(xlabel=typeset(xlabel), ylim=(-0.6, len(rows) - 0.4))
    ax.set_title(" ")  # room for the key
    draw_key(ax, entries, at=(-46, 12), across=100)
    return ax


def draw_turned(ax, values, cells, best, *, xlabel):
    """What searches recommend for each of a setting's `values`: means ± standard errors.

    `cells` has a `Cell` for each value; the `best` value possible is a line.
    """
    x = range(len(cells))
    means, errors = np.transpose([(cell.mean, cell.standard_error) for cell in cells])
    ax.plot(x, means, "o-", color=BLUE)
    ax.axhline(best, color=GREEN, ls="--")
    ax.vlines(x, means - errors, means + errors, colors=BLUE, lw=1.5)
    ax.plot([*x, *x], [*(means - errors), *(means + errors)], "_", color=BLUE, ms=6)
    name_ticks(ax.xaxis, x, [str(value) for value in values])
    ax.set(xlabel=xlabel, ylabel="true value recommended")
    return ax
