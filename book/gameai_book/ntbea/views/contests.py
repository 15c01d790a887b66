"""Pictures of the contest, of its parts and of settings."""

import numpy as np

from gameai_book.ntbea.views.parts import (
    BLUE,
    GREEN,
    GREY,
    LETTERS,
    ORANGE,
    draw_errors,
    draw_key,
    points_left,
)
from touchbook.figure.markup import typeset
from touchbook.figure.parts import name_ticks


def draw_contest(ax, cells, reached, highlight="tune"):
    """How much more or less than one entrant the others reach, ± standard errors, best on top.

    `cells` are the differences of the entrants by name, `Cell` objects, of `highlight` zeros; that
    one goes `reached` of the way to the best point.
    """
    ranked = sorted(cells.items(), key=lambda item: item[1].mean)
    y, mean = np.arange(len(ranked)), [cell.mean for _, cell in ranked]
    colours = [ORANGE if entrant == highlight else BLUE for entrant, _ in ranked]
    errors = [cell.standard_error for _, cell in ranked]
    _draw_rows(ax, y)
    draw_errors(ax, mean, y, errors, across=True, colors=colours, lw=2.5)
    ax.scatter(mean, y, s=49, c=colours, lw=1, zorder=2)
    others = [i for i in y if ranked[i][0] != highlight]
    name_ticks(ax.yaxis, others, [ranked[i][0] for i in others])
    for i in set(y) - set(others):
        place = ax.get_yaxis_transform() + points_left(ax, 7)
        ax.text(
            0, i, highlight, transform=place,
            ha="right", va="center", fontsize=LETTERS, fontweight="bold",
        )  # fmt: skip
    ax.set_xlabel(f"more than {highlight}, at {reached:.2f}")
    return ax


def _draw_rows(ax, y):
    """A pale line for each row, and a line at no difference."""
    ax.hlines(y, 0, 1, transform=ax.get_yaxis_transform(), color="#EEEEEE", lw=0.8, zorder=0)
    ax.axvline(0, color=GREY, ls="--", lw=1)
    ax.tick_params(axis="y", labelsize=LETTERS)


def draw_differences(ax, cells, *, xlabel=""):
    """Differences ± standard errors, a line for each row and a mark for each series, in hundredths.

    `cells` maps (row, series) to shares of the way, `Cell` objects; the first row is on top.
    """
    rows, series = (list(dict.fromkeys(names)) for names in zip(*cells, strict=True))
    place = np.arange(len(rows))[::-1]
    _draw_rows(ax, place)
    entries = list(zip(series, "osD", (BLUE, ORANGE, GREEN), strict=True))
    for i, (name, mark, colour) in enumerate(entries):
        some = [cells[row, name] for row in rows]
        y, means = place + 0.25 * (1 - i), [100 * cell.mean for cell in some]
        errors = [100 * cell.standard_error for cell in some]
        draw_errors(ax, means, y, errors, across=True, colors=colour, lw=1.5)
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
    means = np.array([cell.mean for cell in cells])
    errors = np.array([cell.standard_error for cell in cells])
    ax.plot(x, means, "o-", color=BLUE)
    ax.axhline(best, color=GREEN, ls="--")
    draw_errors(ax, x, means, errors, colors=BLUE, lw=1.5)
    ax.plot([*x, *x], [*(means - errors), *(means + errors)], "_", color=BLUE, ms=6)
    name_ticks(ax.xaxis, x, [str(value) for value in values])
    ax.set(xlabel=xlabel, ylabel="true value recommended")
    return ax
