"""Pictures of Hanabi hands, beliefs and belief errors; they draw and compute nothing new."""

from textwrap import fill

import matplotlib as mpl
import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.transforms import ScaledTranslation, blended_transform_factory

from gameai_book.hanabi.boards.words import possible
from gameai_lib.hanabi.game.box import COLOURS, N_CARDS, N_COLOURS, N_RANKS, card_name
from touchbook.figure.parts import draw_boxes, name_ticks, shades

# One colour for each belief, whatever the picture.
BELIEF_COLOURS = {
    "V0": "#E69F00",
    "plain V1": "#56B4E9",
    "V1": "#0072B2",
    "exact": "#444444",
    "BB": "#882255",
    "V2": "#CC79A7",
    "exact with L": "#009E73",
}
TRUTH = "#D55E00"
IMPOSSIBLE = "#D4D4D4"
TOO_MUCH = "#F4C28F"  # more copies than there are, and what is not a probability
# By the root of the probability, so that small ones can be told apart.
_SHADE = mpl.colors.PowerNorm(0.5, vmin=0, vmax=1)


def draw_belief(ax, belief, *, row_names=None, truth=None, title=""):
    """Heat map of a belief about Hanabi's cards, one row per slot; grey cells are impossible.

    The `belief` is an (n_rows, 25 or 26) float array. Its rows are slots, unless `row_names` call
    them otherwise. `truth`, the true card of each row, is outlined.
    """
    rows = np.asarray(belief)[:, :N_CARDS]
    shown = np.ma.masked_where(rows < 1e-9, rows)
    cmap = shades("#0072B2").with_extremes(bad=IMPOSSIBLE)
    _draw_cells(ax, shown, cmap=cmap, norm=_SHADE)
    name_ticks(ax.yaxis, range(len(rows)), row_names or [f"slot {i}" for i in range(len(rows))])
    # The names of the colours stand above the picture, too.
    ax.set_title(title, loc="left", pad=24)
    _draw_key(ax, cmap)
    if truth:
        look = {"linewidths": 2.5, "joinstyle": "miter", "clip_on": False, "zorder": 5}
        left, top = np.array(truth) - 0.5, np.arange(len(truth)) - 0.5
        draw_boxes(ax, left, top, 1, 1, facecolors="none", edgecolors=TRUTH, **look)
    return ax


def _draw_cells(ax, values, **colours):
    """Coloured cells, the lines between them and the names of their columns."""
    n_rows = len(values)
    # A mesh, not an image: an image is resampled for every picture, which takes longer.
    ax.pcolormesh(np.arange(N_CARDS + 1) - 0.5, np.arange(n_rows + 1) - 0.5, values, **colours)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    _name_columns(ax)
    rows = [[(-0.5, y - 0.5), (N_CARDS - 0.5, y - 0.5)] for y in range(1, n_rows)]
    columns = [[(x - 0.5, -0.5), (x - 0.5, n_rows - 0.5)] for x in range(1, N_CARDS)]
    widths = [1.0] * len(rows) + [0.5 if x % N_RANKS else 4.0 for x in range(1, N_CARDS)]
    lines = LineCollection(rows + columns, colors="white", linewidths=widths)
    ax.add_collection(lines, autolim=False)
    ax.set(xlim=(-0.5, N_CARDS - 0.5), ylim=(n_rows - 0.5, -0.5))


def _name_columns(ax, *, below=False):
    """Ranks 2 and 4 below the 25 cards, and colours above, or below the ranks."""
    # On a phone all five run together, and so does a 5 with the 1 of the next colour.
    named = [f for f in range(N_CARDS) if f % N_RANKS % 2 == 1]
    name_ticks(ax.xaxis, named, [f % N_RANKS + 1 for f in named])
    up, va = (-21 / 72, "top") if below else (3 / 72, "bottom")
    points = ax.get_figure(root=True).dpi_scale_trans
    place = ax.get_xaxis_transform() + ScaledTranslation(0, up, points)
    for colour, letter in enumerate(COLOURS):
        middle = colour * N_RANKS + (N_RANKS - 1) / 2
        look = {"ha": "center", "va": va, "fontweight": "bold"}
        ax.text(middle, 0 if below else 1, letter, transform=place, **look)


def _draw_key(ax, cmap):
    """What the colours of `draw_belief` mean, to the right of it; a colorbar is an axes more."""
    inches = ax.get_figure(root=True).dpi_scale_trans
    beside = blended_transform_factory(inches + ScaledTranslation(1, 0, ax.transAxes), ax.transAxes)
    # Ten steps, not a run of shades: the pictures of the built book have few colours.
    beyond = {"transform": beside, "clip_on": False}
    shades = cmap(np.arange(0.05, 1, 0.1))
    draw_boxes(ax, 0.07, np.arange(10) / 10, 0.09, 0.1, facecolors=shades, **beyond)
    marks = (0.0, 0.2, 0.5, 1.0)
    places = _SHADE(marks)
    lines = [[(0.16, y), (0.21, y)] for y in places]
    ticks = LineCollection(lines, colors="black", linewidths=0.8, **beyond)
    ax.add_collection(ticks, autolim=False)
    look = {"va": "center", "transform": beside}
    for p, y in zip(marks, places, strict=True):
        ax.text(0.25, y, f"{p:g}", **look)
    ax.text(0.62, 0.5, "probability", rotation=90, **look)


def draw_overbooking(ax, belief, candidates, *, name="V0"):
    """Copies of each card that a belief, (n_slots, n_cards), expects against those that exist."""
    expected = np.asarray(belief).sum(axis=0)[:N_CARDS]
    counts = np.asarray(candidates)[:N_CARDS]
    within = np.minimum(expected, counts)
    _bars(ax, 0.9, 0 * counts, counts, "exist", facecolors="none", edgecolors="black")
    _bars(ax, 0.6, 0 * counts, within, "expected", facecolors=BELIEF_COLOURS[name])
    excess = {"facecolors": TOO_MUCH, "edgecolors": "black", "hatch": "//"}
    _bars(ax, 0.6, within, expected - within, "too many", **excess)
    ax.set(ylabel="copies in the hands", xlim=(-0.6, len(counts) - 0.4), ylim=(0, 3.2))
    name_ticks(ax.yaxis, range(4), range(4))
    _name_columns(ax, below=True)
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3)
    return ax


def _bars(ax, width, bottom, height, label, **look):
    """One bar a column, all in one collection."""
    bottom, height = np.array(bottom), np.array(height)
    (x,) = np.nonzero(height > 1e-9)
    look |= {"label": label, "joinstyle": "miter"}
    draw_boxes(ax, x - width / 2, bottom[x], width, height[x], **look)


def draw_cell(ax, values, exact):
    """One cell of a belief after 0, 1, ... iterations, beside the exact one."""
    look = {"marker": "o", "markersize": 5, "color": BELIEF_COLOURS["V1"]}
    ax.plot(range(len(values)), values, label="V1", **look)
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.set(xlabel="iteration", ylabel="probability")
    ax.axhline(exact, color="black", linestyle="--", label="exact")
    low, high = min(-0.05, *ax.get_ylim()), max(1.05, *ax.get_ylim())
    ax.axhspan(low, 0, color=TOO_MUCH, alpha=0.5, label="not a probability")
    ax.axhspan(1, high, color=TOO_MUCH, alpha=0.5)
    ax.set_ylim(low, high)
    # Above the picture: the curve may run anywhere inside.
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3)
    return ax


def draw_bars(ax, names, series, *, ylabel):
    """Groups of bars: for each name one bar of every series, which maps beliefs to values."""
    width = 0.8 / len(series)
    for k, (label, values) in enumerate(series.items()):
        places = np.arange(len(names)) + (k - (len(series) - 1) / 2) * width
        ax.bar(places, values, label=label, width=0.92 * width, color=BELIEF_COLOURS[label])
    name_ticks(ax.xaxis, range(len(names)), [fill(name, 10) for name in names])
    ax.set_ylabel(ylabel)
    look = {"columnspacing": 1, "handlelength": 1, "handletextpad": 0.4}
    ax.legend(ncols=len(series), loc="lower center", bbox_to_anchor=(0.5, 1.0), **look)
    return ax


def say_row(row):
    """The three likeliest cards of a belief's row, such as ``"G2 0.500, W1 0.250"``."""
    best = np.argsort(-row, kind="stable")[:3]
    return ", ".join(f"{card_name(card)} {row[card]:.3f}" for card in best if row[card] > 0.0005)


def say_hints(mask):
    """What the hints allow in a slot, in words, such as ``"R or W, rank 1 or 5"``."""
    colours, ranks = possible(mask)
    some_colours = " or ".join(COLOURS[c] for c in colours)
    some_ranks = " or ".join(str(r + 1) for r in ranks)
    colour = "any colour" if len(colours) == N_COLOURS else some_colours
    return f"{colour}, {'any rank' if len(ranks) == N_RANKS else f'rank {some_ranks}'}"
