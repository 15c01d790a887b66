"""Pictures of landscape models, searches and their games; they draw and compute nothing new."""

import matplotlib as mpl
import numpy as np
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.markers import TICKLEFT
from matplotlib.patches import Circle
from matplotlib.ticker import MaxNLocator

from gameai_lib._parts import name_ticks
from gameai_lib.ntbea.game.space_battle import WIDTH
from gameai_lib.ntbea.show.parts import (
    draw_bars,
    draw_errors,
    draw_key,
    points_below,
    points_from,
    points_left,
)

# Okabe and Ito's colours; each is told apart by place or shape as well.
BLUE, ORANGE, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#9A9A9A"
PALE = "#A9CCE3"  # of what is added on top of something blue


def draw_results(ax, results, names=("far-sighted wins", "draw", "near-sighted wins")):
    """One square for every game, in a row in the order played; results are 1, 0 or -1."""
    looks = {1: (BLUE, "W"), 0: (GREY, "D"), -1: (ORANGE, "L")}
    colours, letters = zip(*(looks[int(result)] for result in results), strict=True)
    ax.scatter(range(len(results)), np.zeros(len(results)), s=900, marker="s", color=colours)
    for i, letter in enumerate(letters):
        ax.text(i, -0.02, letter, ha="center", va="center", color="white", fontweight="bold")
    ax.set(xlim=(-0.6, len(results) - 0.4), ylim=(-1.6, 0.8))
    ax.set_axis_off()
    entries = [(name, "s", c) for c, name in zip((BLUE, GREY, ORANGE), names, strict=True)]
    draw_key(ax, entries, (0.5, 0), at=(-58, 46), size=11)
    ax.set_title(f"{len(results)} other games: mean {np.mean(results):+.1f}")
    return ax


def draw_first_games(ax, games, n):
    """Mean of the first `n` games of every setting beside the mean of all, sorted by the latter.

    Parameters
    ----------
    ax : matplotlib Axes
    games : (n_settings, n_games) int array
        Results of single games, 1, 0 or -1.
    n : int
        Games seen of each setting; the one with the best mean of those gets a star.
    """
    truth, seen = games.mean(axis=1), games[:, :n].mean(axis=1)
    place = np.argsort(np.argsort(truth))
    pick = int(seen.argmax())
    ax.plot(np.sort(truth), color=GREY, lw=3)
    ax.plot(place, seen, "o", color=BLUE)
    ax.plot(place[pick], seen[pick], "*", color=ORANGE, ms=22, mec="black")
    ax.axhline(0, color="black", lw=0.8)
    ax.set(xlabel="settings, worst to best", ylabel="mean result", ylim=(-1.1, 1.1))
    draw_key(
        ax,
        [
            (f"mean of {games.shape[1]} games", "line", GREY),
            (f"mean of the first {n}", "o", BLUE),
            ("you would pick this", "*", ORANGE),
        ],
    )
    return ax


def draw_bandit(ax, pull, truth, names):
    """Bars of mean and bonus for every arm before a pull, with the true means as marks."""
    x = np.arange(len(names))
    draw_bars(ax, x, pull.mean, 0.6, BLUE)
    draw_bars(ax, x, pull.bonus, 0.6, PALE, bottom=pull.mean)
    ax.plot(x, truth, "D", color=ORANGE, ms=7, zorder=3)
    top = pull.mean + pull.bonus
    for i, n in enumerate(pull.n):
        ax.text(i, top[i] + 0.03, f"n = {n}", ha="center", va="bottom")
    name_ticks(ax.xaxis, x, [f"▸ {n} ◂" if i == pull.arm else n for i, n in enumerate(names)])
    ax.set(xlim=(-0.43, len(names) - 0.57), ylim=(0, 2.3), ylabel="mean + bonus")
    draw_key(
        ax,
        [
            ("true win rate (hidden)", "D", ORANGE),
            ("mean so far", "bar", BLUE),
            ("exploration bonus", "bar", PALE),
        ],
        (1, 1),
        at=(-140, -9),
    )
    return ax


def draw_grid(
    ax, values, title, *, left=0, mark=None, limits=None, fmt="{:.1f}", cmap="cividis", words=None
):
    """Numbers of a two-dimensional landscape; nan stays grey, `mark` is outlined.

    A cell is a square of one unit. Several grids may stand on one axes, side by side.

    Parameters
    ----------
    ax : matplotlib Axes
    values : (n_first, n_second) float array
    title : str
    left : float
        Where the middle of the first column stands.
    mark : pair of int, optional
        The cell to outline.
    limits : pair of float, optional
        Values of the darkest and lightest colour.
    fmt : str
        How a number is written.
    cmap : str
        Name of the colour map.
    words : pair of sequences, optional
        What is written beside the rows and below the columns.

    Returns
    -------
    matplotlib Axes
    """
    known = np.isfinite(values)
    low, high = limits or (float(values[known].min()), float(values[known].max()))
    share = (values - low) / max(high - low, 1e-9)
    rows, columns = np.indices(values.shape) - 0.5
    corners = [[columns, rows], [columns + 1, rows], [columns + 1, rows + 1], [columns, rows + 1]]
    cells = np.array(corners).transpose(2, 3, 0, 1) + np.array([left, 0])
    if not known.all():
        ax.add_collection(
            PolyCollection(
                cells[~known], facecolors="#F2F2F2", edgecolors="#BBBBBB", hatch="///", lw=0
            )
        )
    # Edges of their own colour close the seams between cells.
    colours = mpl.colormaps[cmap](share[known])
    ax.add_collection(PolyCollection(cells[known], facecolors=colours, edgecolors="face", lw=0.4))
    ax.text(left - 0.5, -0.65, title, fontsize=12)
    for (row, column), value in np.ndenumerate(values):
        if known[row, column]:
            colour = "black" if share[row, column] > 0.55 else "white"
            ax.text(
                column + left, row, fmt.format(value),
                ha="center", va="center", color=colour, fontsize=10,
            )  # fmt: skip
    if mark is not None:
        ax.plot(mark[1] + left, mark[0], "s", markersize=24, mfc="none", mec=ORANGE, mew=3)
    for row, word in enumerate(words[0] if words else ()):
        ax.text(left - 0.62, row, str(word), ha="right", va="center")
    for column, word in enumerate(words[1] if words else ()):
        ax.text(left + column, len(values) - 0.38, str(word), ha="center", va="top")
    right, lower = left + values.shape[1] - 0.5, len(values) - 0.5
    if ax.axison:  # the first grid of this axes
        ax.set(xlim=(-0.5, right), ylim=(lower, -1), aspect="equal")
        ax.set_axis_off()
    else:
        ax.set(xlim=(-0.5, right), ylim=(max(lower, ax.get_ylim()[0]), -1))
    return ax


def draw_margins(ax, arms, title, *, left=0, mark=None):
    """Means and counts of a model of two dimensions, its 1-tuples along the edges.

    Parameters
    ----------
    ax : matplotlib Axes
    arms : three Arms
        Of dimension 0, of dimension 1, and of the pair.
    title : str
    left : float
        Where the middle of the first column stands.
    mark : pair of int, optional
        The cell to outline.
    """
    first, second, pair = arms
    rows, columns = pair.n.shape
    mean = np.full((rows + 1, columns + 1), np.nan)
    mean[:rows, :columns] = pair.mean
    mean[:rows, columns] = first.mean
    mean[rows, :columns] = second.mean
    draw_grid(ax, mean, title, left=left, mark=mark, limits=(0, 1))
    counts = [((r, columns), n) for r, n in enumerate(first.n)]
    counts += [((rows, c), n) for c, n in enumerate(second.n)]
    for (row, column), n in [*np.ndenumerate(pair.n), *counts]:
        colour = "white" if mean[row, column] < 0.55 else "black"
        place = left + column + 0.45, row + 0.45
        ax.text(*place, n, ha="right", va="bottom", fontsize=8, color=colour if n else GREY)
    edge, end = (left + columns - 0.5, rows - 0.5), (left + columns + 0.5, rows + 0.5)
    lines = [[(left - 0.5, edge[1]), (end[0], edge[1])], [(edge[0], -0.5), (edge[0], end[1])]]
    ax.add_collection(LineCollection(lines, colors="white", lw=4, zorder=2))
    return ax


def draw_marginals(fig, model, truth=None, title=""):
    """One panel a parameter: what its 1-tuple has learned, and the true marginals if given.

    All panels are one axes, in which each parameter has its stretch of the x axis.

    Parameters
    ----------
    fig : matplotlib Figure
    model : LandscapeModel
        With 1-tuples.
    truth : (n_values of each dimension) float array, optional
        True fitness of every point, one axis a dimension.
    title : str
    """
    ax, space = fig.subplots(), model.space
    words = [[str(v)[0] if isinstance(v, bool) else str(v) for v in vs] for vs in space.values]
    ends, places = _stretches(words)
    points = (72 * fig.get_figwidth() - 70) / ends[-1][1]  # of one unit of x, about
    seen = [np.flatnonzero(model.arms((dim,)).n) for dim in range(space.n_dims)]
    x = np.concatenate([at[some] for at, some in zip(places, seen, strict=True)])
    learned = [model.arms((dim,)) for dim in range(space.n_dims)]
    mean, std, n = (
        np.concatenate(
            [getattr(arms, name)[some] for arms, some in zip(learned, seen, strict=True)]
        )
        for name in ("mean", "std", "n")
    )
    draw_bars(ax, x, mean + 1, 0.75, BLUE, bottom=-1)
    draw_errors(ax, x, mean, np.nan_to_num(std / np.sqrt(n)), colors="black", lw=1.5, zorder=2)
    ax.plot(x, mean, "_", color="black", ms=9)
    if truth is not None:
        dims = range(space.n_dims)
        true = [truth.mean(axis=tuple(d for d in dims if d != dim)) for dim in dims]
        ax.plot(np.concatenate(places), np.concatenate(true), "D", color=ORANGE)
        draw_key(
            ax, [("true mean", "D", ORANGE), ("learned", "bar", BLUE)], (1, 0),
            at=(-190, -68), size=12, across=105,
        )  # fmt: skip
    last = -np.inf
    for at, games in zip(x, n, strict=True):
        # Counts that would touch stand on two lines.
        half = 0.5 * 0.64 * 8.5 * len(str(games)) / points
        is_free = at - half > last + 1.5 / points
        last = at + half if is_free else last
        ax.text(at, 1.06 if is_free else 1.17, games, ha="center", va="baseline", fontsize=8.5)
    _panels(ax, ends)
    name_ticks(ax.xaxis, np.concatenate(places), [word for some in words for word in some])
    ax.tick_params(axis="x", labelsize=10)
    below = points_below(ax)
    for (start, end), name in zip(ends, space.names, strict=True):
        for line, word in enumerate(name.split("_")):
            ax.text((start + end) / 2, -29 - 13 * line, word, ha="center", transform=below, size=11)
    ax.set(xlim=(0, ends[-1][1]), ylim=(-1.06, 1.26), ylabel="mean result")
    ax.set_title(title, fontsize=13)


def _stretches(words):
    """Where the panels of parameters begin and end on one axis, and where their values stand.

    Values stand the further apart the longer their words are.
    """
    ends, places, start = [], [], 0.0
    for some in words:
        lengths = np.array([len(word) for word in some])
        step = 0.75 + 0.125 * max(lengths[1:] + lengths[:-1])
        ends.append((start, start + step * (len(some) - 1) + 1.3))
        places.append(start + 0.65 + step * np.arange(len(some)))
        start = ends[-1][1] + 0.7
    return ends, places


def _panels(ax, ends):
    """The left and lower edge of each panel, with ticks at the left one."""
    ticks = (-1.0, -0.5, 0.0, 0.5, 1.0)
    lines = [[(start, 1.26), (start, -1.06), (end, -1.06)] for start, end in ends]
    ax.add_collection(LineCollection(lines, colors="black", lw=0.8, clip_on=False))
    x, y = np.meshgrid([start for start, _ in ends[1:]], ticks)
    ax.plot(x.ravel(), y.ravel(), ls="", marker=TICKLEFT, ms=3.5, color="black", mew=0.8)
    name_ticks(ax.yaxis, ticks, [f"{tick:.1f}".replace("-", "\u2212") for tick in ticks])
    ax.spines[["left", "bottom"]].set_visible(False)


def draw_choice(ax, step, n_shown=12):
    """The best neighbours of one step: mean and exploration stacked, the chosen one marked."""
    bound = step.mean + step.k * step.explore
    order = np.argsort(-bound)[:n_shown]
    x = np.arange(len(order))
    draw_bars(ax, x, step.mean[order], 0.75, BLUE)
    bonus = step.k * step.explore[order]
    bottom = np.where(step.mean[order] < 0, 0, step.mean[order])
    draw_bars(ax, x, bonus, 0.75, PALE, bottom=bottom)
    ax.plot(x, bound[order], "_", color="black", markersize=18, mew=2.5)
    chosen = np.flatnonzero((step.neighbours[order] == step.point).all(axis=1))
    labels = ["".join(str(v) for v in step.neighbours[i]) for i in order]
    size = min(10, 60 / len(labels[0]))
    others = [i for i in x if i not in chosen]
    name_ticks(ax.xaxis, others, [labels[i] for i in others])
    ax.tick_params(axis="x", labelsize=size)
    ax.plot(chosen, bound[order[chosen]], "v", color=ORANGE, markersize=12)
    below = points_below(ax)
    for i in chosen:
        ax.text(
            i, -7, labels[i], ha="center", va="top", transform=below,
            color=ORANGE, fontweight="bold", fontsize=size,
        )  # fmt: skip
    ax.axhline(0, color="black", lw=0.8)
    ax.margins(y=0.12)
    draw_key(
        ax,
        [
            ("UCB, their sum", "_", "black"),
            ("chosen", "v", ORANGE),
            ("mean", "bar", BLUE),
            ("k × explore", "bar", PALE),
        ],
        (0.5, 1),
        at=(-210, 28),
        across=112,
    )
    return ax


def draw_landscape(ax, mean, error, *, evaluated=None, recommended=None):
    """All points sorted by true value with error bars, and how often each was evaluated.

    Parameters
    ----------
    ax : matplotlib Axes
    mean, error : (n_points,) float arrays
        True value and its standard error.
    evaluated : (n_points,) int array, optional
        Evaluations of each point; shown as the area of a circle.
    recommended : int, optional
        The point recommended.
    """
    order = np.argsort(mean)
    place = np.argsort(order)
    draw_errors(ax, place, mean, 2 * error, colors=GREY, lw=0.6)
    ax.plot(place, mean, ".", color=GREY, ms=3)
    entries = [("true ± 2 se", "error", GREY)]
    if evaluated is not None:
        seen = evaluated > 0
        ax.scatter(
            place[seen],
            mean[seen],
            s=14 * evaluated[seen],
            color=BLUE,
            alpha=0.6,
            zorder=3,
        )
        entries.append(("evaluated (area: how often)", "o", BLUE))
    if recommended is not None:
        ax.plot(
            place[recommended],
            mean[recommended],
            "*",
            color=ORANGE,
            ms=20,
            mec="black",
            zorder=4,
        )
        entries.append(("recommended", "*", ORANGE))
    ax.set(xlabel="all points, worst to best", ylabel="mean result")
    ax.yaxis.set_major_locator(MaxNLocator(8, steps=[1, 2, 5, 10]))  # whatever the axes' size
    draw_key(ax, entries)
    return ax


def draw_contest(ax, cells, highlight="tune", best=None):
    """Means ± standard errors of all entrants, best on top.

    An entrant some of whose runs crashed is drawn hollow, with their number: its mean leaves
    them out.

    Parameters
    ----------
    ax : matplotlib Axes
    cells : dict of str to Cell
        The entrants at one problem and budget.
    highlight : str
        The entrant in another colour.
    best : float, optional
        Largest value possible, drawn as a line.
    """
    ranked = sorted(cells.items(), key=lambda item: item[1].mean)
    y, mean = np.arange(len(ranked)), [cell.mean for _, cell in ranked]
    colours = [ORANGE if entrant == highlight else BLUE for entrant, _ in ranked]
    insides = ["white" if cell.crashes else c for (_, cell), c in zip(ranked, colours, strict=True)]
    ax.hlines(y, 0, 1, transform=ax.get_yaxis_transform(), color="#EEEEEE", lw=0.8, zorder=0)
    errors = [cell.standard_error for _, cell in ranked]
    draw_errors(ax, mean, y, errors, across=True, colors=colours, lw=2.5)
    ax.scatter(mean, y, s=49, c=insides, edgecolors=colours, lw=1, zorder=2)
    names = [
        f"{entrant} ({cell.crashes} of {cell.runs} crashed)" if cell.crashes else entrant
        for entrant, cell in ranked
    ]
    ax.tick_params(axis="y", labelsize=11)
    others = [i for i in y if ranked[i][0] != highlight]
    name_ticks(ax.yaxis, others, [names[i] for i in others])
    for i in set(y) - set(others):
        place = ax.get_yaxis_transform() + points_left(ax, 7)
        ax.text(
            0, i, names[i], transform=place,
            ha="right", va="center", fontsize=11, fontweight="bold",
        )  # fmt: skip
    if best is not None:
        ax.axvline(best, color=GREEN, ls="--", lw=1.5)
    ax.set_xlabel("true value of the recommendation (mean ± se)")
    return ax


def draw_dial(ax, values, cells, best, *, xlabel):
    """What searches recommend for each value of a dial: means ± standard errors.

    Parameters
    ----------
    ax : matplotlib Axes
    values : sequence
        Values of the dial.
    cells : sequence of Cell
        The searches at each value.
    best : float
        Largest value possible, drawn as a line.
    xlabel : str
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


def draw_battle(ax, battle, frame, radius, *, follow=False):
    """One frame of a `Battle`: ships with headings, missiles and points.

    With `follow` the first ship stays in the middle of the square, whose edges join.
    """
    moved = 0.5 * WIDTH - battle.ships[frame, 0, :2] if follow else np.zeros(2)
    for player, (colour, name) in enumerate(((BLUE, "far"), (ORANGE, "near"))):
        x, y = (battle.ships[frame, player, :2] + moved) % WIDTH
        heading = battle.ships[frame, player, 4]
        ax.add_patch(Circle((x, y), radius, facecolor=colour, alpha=0.35, edgecolor=colour))
        ax.plot(
            [x, x + 1.5 * radius * np.cos(heading)],
            [y, y + 1.5 * radius * np.sin(heading)],
            color=colour,
            lw=3,
        )
        live = battle.missiles[frame, player, :, 4] > 0
        missiles = (battle.missiles[frame, player, live, :2] + moved) % WIDTH
        ax.plot(*missiles.T, "os"[player], color=colour, ms=6)
        points = battle.points[frame, player]
        side = ("left", "right")[player]
        ax.set_title(f"{name}: {points:.0f}", loc=side, color=colour, fontweight="bold")
    ax.set(xlim=(0, WIDTH), ylim=(0, WIDTH), aspect="equal", xticks=[], yticks=[])
    ax.spines[:].set_visible(True)
    return ax


def draw_planets(ax, game, frame):
    """One frame of a Planet Wars `Game`: ships on ten planets, buffers and focus."""
    ships = game.ships[frame]
    colours = np.where(ships > 0, BLUE, np.where(ships < 0, ORANGE, GREY))
    draw_bars(ax, np.arange(len(ships)), ships, 0.8, colours)
    for player, (mark, y) in enumerate((("▲", -0.06), ("▼", 1.02))):
        ax.text(
            (game.focus[frame, player] + 0.5) / 10,
            y,
            mark,
            transform=ax.transAxes,
            ha="center",
            color=(BLUE, ORANGE)[player],
            fontsize=15,
        )
    top = max(10.0, float(np.abs(game.ships).max()))
    ax.axhline(0, color="black", lw=0.8)
    ax.set(xlim=(-0.5, 9.5), ylim=(-top, top), xticks=[], ylabel="ships")
    a, b = game.buffers[frame]
    ax.set_title(f"in flight {a:.0f} : {b:.0f}     planets {ships.sum():+.0f}", fontsize=12, pad=20)
    return ax


def draw_chances(ax, games, curves, gap, star):
    """Chance of the right choice by the number of games, a curve for each gap in win rate.

    Parameters
    ----------
    ax : matplotlib Axes
    games : (n,) sequence of int
    curves : dict of float to (n,) sequence of float
        The chances at each gap.
    gap : float
        The gap whose curve is drawn bold.
    star : pair
        Games and chance, marked by a star.
    """
    colours = [BLUE, ORANGE, GREEN, "#CC79A7", "#E69F00"]
    entries = []
    for (g, chances), colour in zip(curves.items(), colours, strict=False):
        look = {"marker": "o", "lw": 3} if g == gap else {"lw": 1}
        ax.plot(np.log10(games), chances, color=colour, **look)
        entries.append((f"{g:.2f}", "line" if g == gap else "thin", colour))
    ax.plot(np.log10(star[0]), star[1], "*", ms=22, color="black")
    decades = range(int(np.log10(max(games))) + 1)
    name_ticks(ax.xaxis, decades, [f"{10**decade}" for decade in decades])
    ax.set(ylim=(0.48, 1.02), xlabel="games with each", ylabel="right choice")
    ax.text(8, 0, "gap in win rate", transform=points_from(ax, (0, 1)), va="top")
    draw_key(ax, entries, at=(22, -30))
    return ax
