"""Pictures of the chapter's workshop; they draw and compute nothing new."""

import numpy as np
from matplotlib.ticker import NullLocator

from gameai_book.btmm.views import draw_key
from touchbook.figure.parts import name_ticks

# Okabe and Ito's colours, and a mark of its own for each series.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")
MARKS = "osD^"
GREY, SEEN = "#9A9A9A", "#0072B2"
LARGEST = 900  # square points, the area of the disc of the most frequent pair


def draw_joint(ax, first, other, names):
    """Draw how often two moves score what on a deal, as discs; both, (n_deals,) whole numbers."""
    pairs, counts = np.unique(np.stack([first, other]), axis=1, return_counts=True)
    ends = pairs.min() - 0.8, 25.8
    ax.plot(ends, ends, color=GREY, linewidth=1)
    sizes = LARGEST * counts / counts.max()
    ax.scatter(*pairs, s=sizes, color=SEEN, alpha=0.7, linewidths=0)
    ax.set(xlim=ends, ylim=ends, aspect="equal")
    ax.set(xlabel=f"points if it {names[0]}", ylabel=f"points if it {names[1]}")
    return ax


def draw_shares(ax, predicted, seen, errors, *, xlabel, ylabel, sizes=30.0):
    """Draw shares seen against shares predicted, with errors; the diagonal is "as predicted"."""
    ax.plot([0, 1], [0, 1], color=GREY, linewidth=1)
    ax.vlines(predicted, seen - errors, seen + errors, color=SEEN, linewidth=1.2)
    ax.scatter(predicted, seen, s=sizes, color=SEEN, linewidths=0, alpha=0.8)
    ax.set(xlim=(-0.03, 1.03), ylim=(-0.03, 1.03), aspect="equal", xlabel=xlabel, ylabel=ylabel)
    return ax


def draw_gains(ax, n_deals, series):
    """Draw a line of gains, with standard errors, over a logarithmic number of deals.

    `series` maps names to pairs of (n,) floats: means and errors.
    """
    lines = []
    for (name, (means, errors)), colour, mark in zip(series.items(), COLOURS, MARKS, strict=False):
        ax.vlines(n_deals, means - errors, means + errors, color=colour, linewidth=1)
        lines += ax.plot(n_deals, means, mark, linestyle="-", color=colour, label=name)
    ax.axhline(0, color="black", linewidth=0.8)
    ax.set_xscale("log")
    name_ticks(ax.xaxis, n_deals, n_deals)
    ax.xaxis.set_minor_locator(NullLocator())
    ax.set(xlabel="deals that the decision looks at", ylabel="points gained a move")
    draw_key(ax, lines, (0.55, 0.52))
    return ax


def draw_accepted(ax, n_deck, accepted, means):
    """Draw the share of drawn hands that agree, of single turns and the mean, as the deck shrinks.

    `n_deck` and `accepted` are of the turns, (n_turns,) each; `means` maps a deck to its mean.
    """
    ax.scatter(n_deck, accepted, s=12, color=GREY, alpha=0.5, linewidths=0)
    ax.plot(list(means), list(means.values()), color=SEEN, linewidth=2)
    ax.set_yscale("log")
    shares = 0.001, 0.01, 0.1, 1
    name_ticks(ax.yaxis, shares, ("0.1 %", "1 %", "10 %", "100 %"))
    ax.yaxis.set_minor_locator(NullLocator())
    ax.set(xlim=(41, -1), ylim=(0.0004, 1.4))
    ax.set(xlabel="cards in the deck", ylabel="hands that agree")
    return ax
