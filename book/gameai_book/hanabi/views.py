"""Pictures of Hanabi hands, beliefs and belief errors; they draw and compute nothing new."""

from textwrap import fill

import matplotlib as mpl
import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.transforms import ScaledTranslation, blended_transform_factory

from gameai_lib.hanabi.game.cards import (
    COLOURS,
    N_CARDS,
    N_RANKS,
    NO_CARD,
    card_name,
)
from touchbook.figure.parts import draw_boxes, ink_on, name_ticks, shades

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


def belief_colour(name):
    """Colour of a belief, also of "V1, step 3"; None, matplotlib's next one, for other names."""
    return BELIEF_COLOURS.get(name.partition(",")[0])


def draw_belief(ax, belief, *, row_names=None, truth=None, card_names=None, title=""):
    """Heat map of a belief, one row per slot; grey cells are impossible.

    Parameters
    ----------
    belief : (n_rows, n_cards) float array
        Up to 26 columns; a 26th, "no card", is left out. With up to eight the probabilities are
        written into the cells.
    row_names, card_names : sequence of str, optional
        ``slot 0``, ``slot 1``, ... and Hanabi's 25 cards if left out.
    truth : sequence of int, optional
        True card of each row, outlined; `NO_CARD` outlines nothing.
    """
    rows = np.asarray(belief)[:, :N_CARDS]
    shown = np.ma.masked_where(np.abs(rows) < 1e-9, rows)
    cmap = shades("#0072B2").with_extremes(bad=IMPOSSIBLE)
    _draw_cells(ax, shown, row_names, card_names, cmap=cmap, norm=_SHADE)
    # The names of the colours stand above the picture, too.
    ax.set_title(title, loc="left", pad=6 if card_names else 24)
    if rows.shape[1] <= 8:
        _write_values(ax, rows)
    else:
        _draw_key(ax, cmap)
    cards = np.array([] if truth is None else truth)
    (known,) = np.nonzero(cards != NO_CARD)
    if len(known):
        draw_boxes(
            ax, cards[known] - 0.5, known - 0.5, 1, 1, facecolors="none", edgecolors=TRUTH,
            linewidths=2.5, joinstyle="miter", clip_on=False, zorder=5,
        )  # fmt: skip
    return ax


def _draw_cells(ax, values, row_names, card_names, **colours):
    """Coloured cells and the names of their rows and columns."""
    n_rows, n_columns = values.shape
    # A mesh, not an image: an image is resampled for every picture, which takes longer.
    ax.pcolormesh(np.arange(n_columns + 1) - 0.5, np.arange(n_rows + 1) - 0.5, values, **colours)
    name_ticks(ax.yaxis, range(n_rows), row_names or [f"slot {i}" for i in range(n_rows)])
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    if card_names is None:
        _name_columns(ax)
    else:
        name_ticks(ax.xaxis, range(n_columns), card_names)
    lines = [[(-0.5, y - 0.5), (n_columns - 0.5, y - 0.5)] for y in range(1, n_rows)]
    widths = [1.0] * len(lines)
    for x in range(1, n_columns):
        lines.append([(x - 0.5, -0.5), (x - 0.5, n_rows - 0.5)])
        widths.append(4.0 if card_names is None and x % N_RANKS == 0 else 0.5)
    ax.add_collection(LineCollection(lines, colors="white", linewidths=widths), autolim=False)
    ax.set(xlim=(-0.5, n_columns - 0.5), ylim=(n_rows - 0.5, -0.5))


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
    ticks = [[(0.16, y), (0.21, y)] for y in places]
    ax.add_collection(
        LineCollection(ticks, colors="black", linewidths=0.8, **beyond), autolim=False
    )
    look = {"va": "center", "transform": beside}
    for p, y in zip(marks, places, strict=True):
        ax.text(0.25, y, f"{p:g}", **look)
    ax.text(0.62, 0.5, "probability", rotation=90, **look)


def _write_values(ax, rows):
    for (row, card), value in np.ndenumerate(rows):
        text = "0" if abs(value) < 1e-9 else f"{value:.3f}".replace("-", "−")
        ax.text(card, row, text, ha="center", va="center", color=str(ink_on(_SHADE(value))))


def draw_overbooking(ax, belief, candidates, *, name="V0"):
    """Copies of each card that a belief, (n_slots, n_cards), expects against those that exist.

    The bars have the `belief_colour` of the belief's name.
    """
    expected = np.asarray(belief).sum(axis=0)[:N_CARDS]
    counts = np.asarray(candidates)[:N_CARDS]
    within = np.minimum(expected, counts)
    _bars(ax, 0.9, 0 * counts, counts, "exist", facecolors="none", edgecolors="black")
    _bars(ax, 0.6, 0 * counts, within, "expected", facecolors=belief_colour(name))
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
    """One cell of a belief after 0, 1, ... iterations, beside the exact one.

    What is not a probability is shaded.
    """
    look = {"marker": "o", "markersize": 5, "color": belief_colour("V1")}
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
    """Groups of bars: for each name one bar of every series.

    A series is values, or a pair of values and standard errors.
    """
    width = 0.8 / len(series)
    for k, (label, values) in enumerate(series.items()):
        values, errors = values if isinstance(values, tuple) else (values, None)
        places = np.arange(len(names)) + (k - (len(series) - 1) / 2) * width
        look = {"width": 0.92 * width, "color": belief_colour(label), "capsize": 2}
        ax.bar(places, values, yerr=errors, label=label, **look)
    name_ticks(ax.xaxis, range(len(names)), [fill(name, 10) for name in names])
    ax.set_ylabel(ylabel)
    if len(series) > 1:
        look = {"columnspacing": 1, "handlelength": 1, "handletextpad": 0.4}
        ax.legend(ncols=len(series), loc="lower center", bbox_to_anchor=(0.5, 1.0), **look)
    return ax


def say_row(row, n_named=3, *, card_names=None):
    """The likeliest cards of a belief's row in words, such as ``"G2 0.50, W1 0.25"``."""
    row = np.asarray(row)
    best = [card for card in np.argsort(-row, kind="stable")[:n_named] if row[card] > 0.0005]
    names = card_names or [card_name(card) for card in range(N_CARDS + 1)]
    return ", ".join(f"{names[card]} {row[card]:.3f}" for card in best)


def say_hints(mask):
    """What the hints allow in a slot, in words, such as ``"R or W, rank 1 or 5"``."""
    allowed = np.asarray(mask)[:N_CARDS].reshape(len(COLOURS), N_RANKS)
    colours = [letter for letter, ok in zip(COLOURS, allowed.any(axis=1), strict=True) if ok]
    ranks = [str(rank) for rank in range(1, N_RANKS + 1) if allowed[:, rank - 1].any()]
    some_colour = "any colour" if len(colours) == len(COLOURS) else " or ".join(colours)
    some_rank = "any rank" if len(ranks) == N_RANKS else "rank " + " or ".join(ranks)
    return f"{some_colour}, {some_rank}"
