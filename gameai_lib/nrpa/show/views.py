"""Pictures of games, policies and searches; they draw and compute nothing new."""

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.patches import Rectangle

from gameai_lib.nrpa.game import morpion
from gameai_lib.nrpa.game.samegame import SIZE

LEVEL_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")
GROUP_COLOURS = ("#0072B2", "#F0E442", "#009E73", "#D55E00", "#CC79A7")
STACK_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00")
GREY, LATE = "#8A8A8A", "#D00000"


def draw_morpion(ax, variant, codes, n_shown=None, title=""):
    """A Morpion game as a numbered grid; the last line drawn is thick.

    Parameters
    ----------
    ax : matplotlib Axes
    variant : str
    codes : (n_moves,) int array
    n_shown : int, optional
        Moves to show; all if left out. The frame is that of the whole game.
    title : str

    Returns
    -------
    matplotlib Axes
    """
    start = morpion.start_points(variant)
    lines = [morpion.line_of(int(code), variant) for code in codes]
    shown = lines[: len(lines) if n_shown is None else n_shown]
    directions = [int(code) // morpion.AREA for code in codes[: len(shown)]]
    widths = np.full(len(shown), 1.6)
    widths[-1:] = 4.0
    segments = [(line[0], line[-1]) for line in shown]
    colours = [LEVEL_COLOURS[d] for d in directions]
    ax.add_collection(LineCollection(segments, colors=colours, linewidths=widths, zorder=1))
    ax.scatter(*np.array(start).T, s=30, color="black", zorder=2)
    points = set(start)
    for number, line in enumerate(shown, 1):
        (new,) = set(line) - points
        points.add(new)
        ax.scatter(*new, s=105, color="white", edgecolors=GREY, linewidths=0.6, zorder=3)
        size = 7.5 if number < 100 else 5.8
        ax.text(*new, number, ha="center", va="center_baseline", fontsize=size, zorder=4)
    corners = np.array([point for line in [start, *lines] for point in line])
    # Room for the title inside: that of axes without a frame can be cut off.
    (left, top), (right, bottom) = corners.min(axis=0) - (0.7, 2.0), corners.max(axis=0) + 0.7
    ax.set(xlim=(left, right), ylim=(bottom, top), aspect="equal")
    ax.text(0.5, 1.0, title, transform=ax.transAxes, ha="center", va="top", fontsize=13)
    ax.axis("off")
    return ax


def draw_bars(ax, labels, values, *, ylabel="", ylim=None, chosen=None):
    """Bars with their values; `chosen` is drawn in the second colour."""
    colours = [LEVEL_COLOURS[1] if i == chosen else LEVEL_COLOURS[0] for i in range(len(values))]
    bars = ax.bar(labels, values, color=colours, width=0.6)
    ax.bar_label(bars, [f"{value:.3g}" for value in values], padding=2)
    ax.axhline(0, color="black", linewidth=0.8)
    ax.set(ylabel=ylabel)
    if ylim is not None:
        ax.set_ylim(ylim)
    return ax


def draw_runs(ax, labels, runs, *, ylabel, ylim, chosen):
    """Runs as dots, their mean as a line; `chosen` is drawn in the second colour."""
    for i, scores in enumerate(runs):
        colour = LEVEL_COLOURS[1] if i == chosen else LEVEL_COLOURS[0]
        aside = np.linspace(-0.2, 0.2, len(scores))  # so that equal scores are seen
        ax.scatter(i + aside, scores, s=14, color=colour, alpha=0.5)
        ax.hlines(np.mean(scores), i - 0.32, i + 0.32, color=colour, linewidth=3)
        ax.text(i, max(scores) + 0.7, f"{np.mean(scores):.1f}", ha="center")
    ax.set_xticks(range(len(labels)), labels)
    ax.set(xlim=(-0.6, len(labels) - 0.4), ylim=ylim, ylabel=ylabel)
    return ax


def draw_histogram(ax, values, *, xlabel):
    """How often each whole number came up."""
    counts = np.bincount(np.asarray(values, np.int64))
    ax.bar(np.arange(counts.size), counts, width=1.0, color=LEVEL_COLOURS[0])
    ax.set(xlabel=xlabel, ylabel="games")
    return ax


def draw_roulette(ax, probabilities, u, labels):
    """Probabilities end to end on [0, 1), with the random number `u` that picks one."""
    left = 0.0
    for i, (p, label) in enumerate(zip(probabilities, labels, strict=True)):
        ax.barh(0, p, left=left, color=LEVEL_COLOURS[i], height=0.5)
        ax.text(left + p / 2, 0, label, ha="center", va="center", color="white")
        left += p
    ax.annotate(
        f"u = {u:.2f}",
        (u, 0.25),
        (u, 0.62),
        ha="center" if 0.1 < u < 0.9 else ("left" if u <= 0.1 else "right"),
        arrowprops={"arrowstyle": "->"},
    )
    ax.set(xlim=(0, 1), ylim=(-0.3, 0.85), yticks=[], xlabel="cumulative probability")
    return ax


def draw_curves(ax, x, curves, *, xlabel, ylabel, styles):
    """Lines by name over a logarithmic axis; `styles` has keywords for each."""
    for name, y in curves.items():
        ax.plot(x, y, label=name, linewidth=1.8, **styles[name])
    ax.set(xlabel=xlabel, ylabel=ylabel, xscale="log")
    ax.legend(fontsize=10)
    return ax


def draw_entropy(ax, trace):
    """Root entropy of each level against playouts, and the best score, in grey, on the right."""
    for level in range(trace.entropy.shape[1], 0, -1):
        colour = LEVEL_COLOURS[level - 1]
        values, width = trace.entropy[:, level - 1], 1.6 * level  # seen where one hides another
        ax.plot(trace.n_playouts, values, color=colour, linewidth=width, label=f"level {level}")
    ax.set(xlabel="playouts", ylabel="entropy (bits)", ylim=(0, 5))
    place = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0), "ncols": 3, "frameon": False}
    ax.legend(fontsize=10, **place)
    right = ax.twinx()
    begun = np.isfinite(trace.best)
    right.step(trace.n_playouts[begun], trace.best[begun], color=GREY, where="post")
    right.set_ylabel("best score", color="#5F5F5F")
    right.spines["right"].set_visible(True)
    return ax


def draw_stack(ax, trace, level):
    """Root probabilities of one level, stacked, against playouts; the six largest in colour."""
    p = trace.probabilities[:, level - 1].T
    order = np.argsort(-p.mean(axis=1))
    colours = [*STACK_COLOURS, *np.resize(("#C4C4C4", "#B4B4B4"), len(p))][: len(p)]
    ax.stackplot(trace.n_playouts, p[order], colors=colours, linewidth=0)
    ax.set(xlabel="playouts", ylabel=f"first moves, level {level}", ylim=(0, 1))
    ax.set_xlim(trace.n_playouts[0], trace.n_playouts[-1])
    return ax


def draw_tour(ax, places, tour, late, title=""):
    """A tour on the map; cities reached late are red. City 0 is a square."""
    stops = np.array([0, *tour, 0])
    ax.plot(*places[stops].T, color=GREY, linewidth=1.2, zorder=1)
    colours = [LATE if city in late else LEVEL_COLOURS[0] for city in tour]
    ax.scatter(*places[np.array(tour)].T, s=150, c=colours, zorder=2)
    ax.scatter(*places[0], s=150, marker="s", color="black", zorder=2)
    for city, (x, y) in enumerate(places):
        ax.text(x, y, city, ha="center", va="center_baseline", color="white", fontsize=8, zorder=3)
    ax.set(aspect="equal", title=title, xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    return ax


def draw_windows(ax, instance, tour, arrival):
    """Time windows in the order of the tour, with the time of each visit; late is red."""
    for row, (city, time) in enumerate(zip([*tour, 0], arrival, strict=True)):
        opening, closing = instance.windows[city]
        ax.barh(row, closing - opening, left=opening, color="#CFE3F3", height=0.7)
        late = time > closing
        ax.plot(time, row, "X" if late else "o", color=LATE if late else LEVEL_COLOURS[0])
    ax.set_yticks(range(len(arrival)), [*map(str, tour), "home"], fontsize=8)
    ax.set(xlabel="time", ylabel="city")
    ax.invert_yaxis()
    return ax


def draw_board(ax, board, chosen=(), probabilities=(), title=""):
    """A SameGame board; the cells `chosen` are framed, group probabilities written."""
    for (row, column), colour in np.ndenumerate(board):
        if colour >= 0:
            xy = (column, SIZE - 1 - row)
            ax.add_patch(Rectangle(xy, 1, 1, facecolor=GROUP_COLOURS[colour], edgecolor="white"))
    for column, row in chosen:
        ax.add_patch(
            Rectangle((column, row), 1, 1, fill=False, edgecolor="black", linewidth=2.5, zorder=3)
        )
    ax.spines[:].set_visible(False)
    for column, row, p in probabilities:
        ax.text(column + 0.5, row + 0.5, f"{100 * p:.0f}", ha="center", va="center", fontsize=9)
    ax.set(xlim=(0, SIZE), ylim=(0, SIZE), aspect="equal", xticks=[], yticks=[], title=title)
    return ax


def draw_pairs(ax, labels, one, two, names, *, xlabel, ylabel):
    """Two values for each label, joined; a dot for the first, a ring for the second."""
    x = np.arange(len(labels))
    ax.vlines(x, one, two, color=GREY, linewidth=1.2, zorder=1)
    ax.scatter(x, one, s=50, color=LEVEL_COLOURS[0], label=names[0], zorder=3)
    ring = {"facecolor": "white", "edgecolor": LEVEL_COLOURS[1], "linewidth": 2}
    ax.scatter(x, two, s=80, label=names[1], zorder=2, **ring)
    ax.set_xticks(x, labels)
    ax.set(xlabel=xlabel, ylabel=ylabel)
    ax.legend(fontsize=10, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, frameon=False)
    return ax


def draw_policy(ax, variant, weights, title=""):
    """The heaviest lines of a Morpion policy on the start cross, thicker with weight."""
    order = np.argsort(weights)[-80:]
    order = order[weights[order] > 0.5]
    for code, strength in zip(order, np.clip(weights[order] / 6, 0.15, 1), strict=True):
        ends = np.array(morpion.line_of(int(code), variant))[[0, -1]]
        width = 1 + 4 * strength
        ax.plot(*ends.T, color=LEVEL_COLOURS[0], linewidth=width, alpha=strength)
    ax.scatter(*np.array(morpion.start_points(variant)).T, s=18, color="black", zorder=3)
    ax.set(xlim=(-4, 13), ylim=(13, -4), aspect="equal")
    ax.text(0.5, 1.0, title, transform=ax.transAxes, ha="center", va="top")
    ax.axis("off")
    return ax
