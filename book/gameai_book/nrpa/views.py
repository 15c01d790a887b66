"""Pictures of games, policies and searches; they draw and compute nothing new."""

from functools import lru_cache

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_rgba
from matplotlib.markers import TICKDOWN, TICKRIGHT
from matplotlib.ticker import MaxNLocator, NullLocator

from gameai_lib.nrpa.game import morpion
from touchbook.figure.markup import typeset
from touchbook.figure.parts import draw_boxes, name_ticks

# One colour for one thing: a level of a search, the direction of a line; what a reader has
# chosen, and all that is beside it.
LEVEL_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9")
LINE_COLOURS = LEVEL_COLOURS[:4]
PLAIN, CHOSEN = "#5B7C99", "#E69F00"
STACK_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00")
GREY, LATE = "#8A8A8A", "#D00000"
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def draw_morpion(ax, variant, games):
    """Morpion games one below the other, as numbered grids; the line drawn last is thick.

    A game is its codes, which say how large the frame is, how many moves to show, and a title.
    From 100 on the last two digits of a number are written, in italics. One `ax` is for all games:
    each more would take as long as a game.
    """
    width, height = ax.figure.get_size_inches() / (1, len(games))
    letters = 2.22 * width  # on a phone 11 pixels
    dots, ends, added, colours, widths = [], [], [], [], []
    for i, (codes, n, title) in enumerate(games):
        lines, new = _lines(variant, tuple(map(int, codes)))
        start = np.array(morpion.start_points(variant))
        corners = np.concatenate([start, lines.reshape(-1, 2)])
        # Room for the title inside: that of axes without a frame can be cut off.
        low, high = corners.min(axis=0) - (0.7, 2.0), corners.max(axis=0) + 0.7
        scale = ((width, height) / (high - low)).min()
        shift = (0.5 * width, (i + 0.5) * height) - scale * (low + high) / 2
        dots.append(shift + scale * start)
        ends.append(shift + scale * lines[:n, [0, -1]])
        added.append(shift + scale * new[:n])
        colours += [LINE_COLOURS[int(code) // morpion.AREA] for code in codes[:n]]
        widths += [1.6] * (n - 1) + [4.0] * (n > 0)
        for number, point in enumerate(added[-1].tolist(), 1):
            # Three digits would be wider than a circle.
            style = "normal" if number < 100 else "italic"
            words = {"s": number if number < 100 else f"{number % 100:02}", "style": style}
            middle = {"ha": "center", "va": "center_baseline", "zorder": 4}
            ax.text(*point, fontsize=letters, **words, **middle)
        ax.text(0.5 * width, shift[1] + scale * low[1], title, ha="center", va="top")
    segments = LineCollection(np.concatenate(ends), colors=colours, linewidths=widths, zorder=1)
    ax.add_collection(segments, autolim=False)
    ax.scatter(*np.concatenate(dots).T, s=30, color="black", zorder=2)
    ring = {"color": "white", "edgecolors": GREY, "linewidths": 0.6}
    ax.scatter(*np.concatenate(added).T, s=(1.45 * letters) ** 2, zorder=3, **ring)
    ax.set(xlim=(0, width), ylim=(height * len(games), 0), aspect="equal")
    ax.axis("off")
    return ax


@lru_cache(maxsize=32)
def _lines(variant, codes):
    """The points of each line of a Morpion game, and the point that it added."""
    lines = [morpion.line_of(code, variant) for code in codes]
    points, added = set(morpion.start_points(variant)), []
    for line in lines:
        added += set(line) - points
        points.update(line)
    return np.array(lines).reshape(len(lines), -1, 2), np.array(added).reshape(-1, 2)


def draw_bars(ax, labels, values, *, ylabel, ylim, chosen=None):
    """Bars with their values; `chosen` is drawn in its own colour."""
    colours = [CHOSEN if i == chosen else PLAIN for i in range(len(values))]
    draw_boxes(ax, np.arange(len(values)) - 0.3, 0, 0.6, values, facecolors=colours)
    aside = 0.015 * (ylim[1] - ylim[0])
    for i, value in enumerate(values):
        place = {"y": value + aside, "va": "bottom"}
        if value < 0:
            place = {"y": value - aside, "va": "top"}
        words = min(f"{value:.3g}", f"{value:.2f}", key=len)
        ax.text(i, s=typeset(words), ha="center", **place)
    ax.axhline(0, color="black", linewidth=0.8)
    name_ticks(ax.xaxis, range(len(labels)), labels)
    ax.set(xlim=(-0.43, len(values) - 0.57), ylim=ylim, ylabel=ylabel)
    return ax


def draw_runs(ax, labels, runs, *, ylabel="lines drawn", ylim=(50, 84), chosen=0):
    """Runs as dots, their mean as a line; `chosen` is drawn in its own colour."""
    colours = np.full(len(runs), PLAIN)
    colours[chosen] = CHOSEN
    means, x = [np.mean(scores) for scores in runs], np.arange(len(runs))
    sizes = [len(scores) for scores in runs]
    aside = np.concatenate([np.linspace(-0.2, 0.2, n) for n in sizes])  # equal scores are seen
    places = np.repeat(x, sizes) + aside
    ax.scatter(places, np.concatenate(runs), s=14, color=np.repeat(colours, sizes), alpha=0.5)
    ax.hlines(means, x - 0.32, x + 0.32, colors=colours, linewidth=3)
    for i, scores in enumerate(runs):
        above = max(scores) + 0.03 * (ylim[1] - ylim[0])
        ax.text(i, above, f"{means[i]:.1f}", ha="center")
    name_ticks(ax.xaxis, x, labels)
    ax.set(xlim=(-0.6, len(labels) - 0.4), ylim=ylim, ylabel=ylabel)
    return ax


def draw_histogram(ax, values, *, xlabel):
    """How often each whole number came up."""
    counts = np.bincount(np.asarray(values, np.int64))
    ax.bar(np.arange(counts.size), counts, width=1.0, color=PLAIN)
    ax.set(xlabel=xlabel, ylabel="games")
    return ax


def name_decades(ax, first, last, step=1):
    """Ticks at powers of ten along a logarithmic x axis, as one collection each."""
    powers = range(first, last + 1, step)
    names = [f"10{str(i).translate(SUPERSCRIPTS)}" for i in powers]
    name_ticks(ax.xaxis, [10.0**i for i in powers], names)
    ax.xaxis.set_minor_locator(NullLocator())
    if step == 1:
        between = np.outer(10.0 ** np.arange(first, last), np.arange(2, 10)).ravel()
        style = {"marker": TICKDOWN, "markersize": 2, "markeredgewidth": 0.6, "color": "black"}
        foot = ax.get_xaxis_transform()
        ax.plot(between, 0 * between, transform=foot, linestyle="", clip_on=False, **style)


def draw_entropy(ax, trace):
    """Root entropy of each level against playouts, and the best score, in grey, on the right."""
    for level in range(trace.entropy.shape[1], 0, -1):
        colour = LEVEL_COLOURS[level - 1]
        values, width = trace.entropy[:, level - 1], 1.6 * level  # seen where one hides another
        ax.plot(trace.n_playouts, values, color=colour, linewidth=width, label=f"level {level}")
    name_ticks(ax.yaxis, (0, 2, 4), "024")
    ax.set(xlabel="playouts", ylabel="entropy (bits)", ylim=(0, 5))
    place = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0), "ncols": 3, "frameon": False}
    ax.legend(**place)
    begun = np.isfinite(trace.best)
    best = trace.best[begun]
    room = 0.5 + 0.04 * (best.max() - best.min())  # so that the curve is seen beside the frame
    low, high = best.min() - room, best.max() + room

    def up(score):  # a second pair of axes would cost as much as all else
        return 5 * (score - low) / (high - low)

    ax.step(trace.n_playouts[begun], up(best), color=GREY, where="post")
    ticks = MaxNLocator(4, integer=True).tick_values(low, high)
    ticks = [t for t in ticks if low <= t <= high and t % 1 == 0]
    side = ax.get_yaxis_transform()
    ax.plot(
        np.ones(len(ticks)), up(np.array(ticks)), transform=side, clip_on=False,
        linestyle="", marker=TICKRIGHT, markersize=3.5, markeredgewidth=0.8, color="black",
    )  # fmt: skip
    for tick in ticks:
        ax.text(1.02, up(tick), f"{tick:g}", transform=side, va="center")
    beside = 1.02 + 0.03 * max(len(f"{tick:g}") for tick in ticks)
    ax.text(beside, 2.5, "best score", transform=side, rotation=90, va="center", color="#5F5F5F")
    ax.spines["right"].set_visible(True)
    return ax


def draw_stack(ax, trace, level):
    """Root probabilities of one level, stacked, against playouts; the six largest in colour."""
    p = trace.probabilities[:, level - 1].T
    order = np.argsort(-p.mean(axis=1))
    colours = [*STACK_COLOURS, *np.resize(("#C4C4C4", "#B4B4B4"), len(p))][: len(p)]
    tops = np.vstack([np.zeros(p.shape[1]), np.cumsum(p[order], axis=0)])
    x = np.concatenate([trace.n_playouts, trace.n_playouts[::-1]])
    y = np.hstack([tops[:-1], tops[1:, ::-1]])
    bands = np.stack([np.broadcast_to(x, y.shape), y], axis=-1)
    ax.add_collection(PolyCollection(bands, facecolors=colours, linewidths=0), autolim=False)
    name_ticks(ax.yaxis, (0, 0.5, 1), ("0.0", "0.5", "1.0"))
    ax.set(xlabel="playouts", ylabel=f"first moves, level {level}", ylim=(0, 1))
    ax.set_xlim(trace.n_playouts[0], trace.n_playouts[-1])
    return ax


def draw_tour(ax, places, tour, late):
    """A tour on the map; cities reached late are red. City 0 is a square.

    Cities that would hide each other are drawn a little apart.
    """
    places = apart(places, 0.1 * np.ptp(places, axis=0).max())
    stops = np.array([0, *tour, 0])
    ax.plot(*places[stops].T, color=GREY, linewidth=1.2, zorder=1)
    colours = [LATE if city in late else PLAIN for city in tour]
    ax.scatter(*places[np.array(tour)].T, s=270, c=colours, zorder=2)
    ax.scatter(*places[0], s=270, marker="s", color="black", zorder=2)
    for city, (x, y) in enumerate(places):
        ax.text(x, y, city, ha="center", va="center_baseline", color="white", fontsize=12, zorder=3)
    ax.set_aspect("equal")
    ax.axis("off")
    return ax


def apart(places, least):
    """The places, moved where two are closer than `least`."""
    places = np.array(places, float)
    for _ in range(100):
        for i, j in zip(*np.triu_indices(len(places), 1), strict=True):
            between = places[j] - places[i]
            distance = np.hypot(*between)
            if distance < least:
                way = between / distance if distance else np.array([1.0, 0.0])
                places[i] -= way * (least - distance) / 2
                places[j] += way * (least - distance) / 2
    return places


def draw_windows(ax, instance, tour, arrival):
    """Time windows in the order of the tour, with the time of each visit; late is red."""
    stops, rows = np.array([*tour, 0]), np.arange(len(arrival))
    opening, closing = instance.windows[stops].T
    draw_boxes(ax, opening, rows - 0.35, closing - opening, 0.7, facecolors="#CFE3F3")
    late = arrival > closing
    for which, marker, colour in ((~late, "o", PLAIN), (late, "X", LATE)):
        ax.plot(arrival[which], rows[which], marker, color=colour)
    name_ticks(ax.yaxis, rows, [*map(str, tour), "home"])
    ax.tick_params(axis="y", labelsize=12)
    end = 1.05 * max(closing.max(), arrival.max())
    ax.set(xlabel="time", ylabel="city", xlim=(0, end), ylim=(len(rows) + 0.4, -1.4))
    return ax


def draw_games(ax, scores, moves, *, colour, rows=None, columns=None, played=(), framed=(),
               ringed=None):  # fmt: skip
    """All games of two plies as a grid: a row for each first move, a column for each second.

    `scores` is (n_moves, n_moves). A cell has more of the `colour` where its game is likelier by
    the probabilities of `rows` and `columns`, or where it goes on from the moves `played`. Games
    are pairs: those `framed`, and the one whose score is `ringed`.
    """
    n = len(moves)
    first, second = (np.zeros(n) if p is None else np.asarray(p) for p in (rows, columns))
    depth = np.outer(first, second).ravel()
    x, y = np.tile(np.arange(n), n), np.repeat(n - 1 - np.arange(n), n)
    if len(played):
        depth = (y == n - 1 - played[0]) * (1.0 if len(played) == 1 else x == played[1]) * 0.4
    faces = [to_rgba(colour, 0.9 * p) for p in depth]
    draw_boxes(ax, x, y, 1, 1, facecolors=faces, edgecolors=GREY, linewidths=0.8)
    for i, j in framed:
        draw_boxes(ax, j + 0.05, n - 0.95 - i, 0.9, 0.9, facecolors="none", edgecolors="black",
                   linewidths=2.5, zorder=3)  # fmt: skip
    if ringed is not None:
        ring = {"facecolor": "white", "edgecolor": CHOSEN, "linewidth": 2.5}
        ax.scatter(ringed[1] + 0.5, n - 0.5 - ringed[0], s=420, zorder=4, **ring)
    for (i, j), value in np.ndenumerate(scores):
        middle = {"ha": "center", "va": "center", "zorder": 5}
        ax.text(j + 0.5, n - 0.5 - i, f"{value:g}", **middle)
    for i, move in enumerate(moves):
        row = move if rows is None else f"{move} {rows[i]:.2f}"
        column = move if columns is None else f"{move}\n{columns[i]:.2f}"
        ax.text(-0.12, n - 0.5 - i, row, ha="right", va="center")
        ax.text(i + 0.5, n + 0.1, column, ha="center", va="bottom")
    ax.set(xlim=(-1.1, n + 0.05), ylim=(-0.1, n + 0.75), aspect="equal")
    ax.axis("off")
    return ax
