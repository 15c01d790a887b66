"""Pictures of boards, patterns, strengths and fits; they draw and compute nothing new."""

import matplotlib as mpl
import numpy as np
from matplotlib.patches import Circle, Rectangle
from matplotlib.ticker import MaxNLocator

from gameai_lib.btmm.game.positions import BLACK

BOARD, GRID = "#F3E3C3", "#A08A60"
PLAYED, BLUE, ORANGE, GREEN = "#D55E00", "#0072B2", "#D55E00", "#009E73"
HEAT = mpl.colors.LinearSegmentedColormap.from_list("heat", [BOARD, "#56B4E9", "#08306B"])


def draw_board(ax, board, *, window=None, last=()):
    """Draw stones on the crossings of a square board.

    Parameters
    ----------
    ax : matplotlib Axes
    board : (n_cells,) int array
        0 empty, 1 black, 2 white.
    window : (first row, last row, first column, last column), optional
        The part shown; all of the board without.
    last : sequence of int
        Cells of stones to mark.

    Returns
    -------
    matplotlib Axes
    """
    side = round(len(board) ** 0.5)
    top, bottom, left, right = 0, side - 1, 0, side - 1
    if window is not None:
        top, bottom, left, right = window
    ax.set_facecolor(BOARD)
    for i in range(side):
        ax.plot([0, side - 1], [i, i], color=GRID, linewidth=0.6, zorder=1)
        ax.plot([i, i], [0, side - 1], color=GRID, linewidth=0.6, zorder=1)
    for cell in np.flatnonzero(board):
        _stone(ax, cell % side, cell // side, board[cell], marked=cell in last)
    ax.set_xlim(left - 0.6, right + 0.6)
    ax.set_ylim(top - 0.6, bottom + 0.6)
    ax.set_aspect("equal")
    columns, rows = range(left, right + 1), range(top, bottom + 1)
    ax.set_xticks(columns, ["abcdefghijklmnopqrs"[c] for c in columns], fontsize=9)
    ax.set_yticks(rows, [str(r + 1) for r in rows], fontsize=9)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    return ax


def _stone(ax, x, y, colour, *, marked=False, radius=0.43):
    face = "#111111" if colour == BLACK else "#FFFFFF"
    ax.add_patch(Circle((x, y), radius, facecolor=face, edgecolor="#111111", zorder=3))
    if marked:
        ax.plot(x, y, ".", color=PLAYED, markersize=7, zorder=4)


def draw_heat(ax, board, cells, probability, *, played=None, window=None, n_named=3):
    """Draw a board with the chance of every move as a shade, the move played ringed.

    Parameters
    ----------
    cells, probability : (n_moves,) arrays
    played : int, optional
        Cell of the move that was played.
    n_named : int
        How many of the likeliest moves get their percentage written.

    Returns
    -------
    matplotlib Axes
    """
    draw_board(ax, board, window=window)
    side = round(len(board) ** 0.5)
    for cell, p in zip(cells, probability, strict=True):
        if p > 0.002:
            corner = cell % side - 0.5, cell // side - 0.5
            shade = HEAT(p**0.4)  # the same for every position, so that pictures compare
            ax.add_patch(Rectangle(corner, 1, 1, facecolor=shade, linewidth=0, zorder=2))
    for i in np.argsort(-probability)[:n_named]:
        colour = "white" if probability[i] > 0.3 else "black"
        x, y = cells[i] % side, cells[i] // side
        text = f"{100 * probability[i]:.0f}"
        ax.text(x, y, text, color=colour, ha="center", va="center", fontsize=10, zorder=5)
    if played is not None:
        ring = Circle((played % side, played // side), 0.6, fill=False, linewidth=2.5)
        ring.set(edgecolor=PLAYED, zorder=6)
        ax.add_patch(ring)
    return ax


def draw_pattern(ax, cells, states, *, mover=BLACK, title=""):
    """Draw a feature as a small board, with the stones of the colours they have.

    Parameters
    ----------
    cells : sequence of (row, column) steps from the move
    states : sequence of int
        0 empty, 1 own, 2 opponent, 3 off the board.
    mover : int
        Colour of the own stones.

    Returns
    -------
    matplotlib Axes
    """
    for (row, column), state in zip([(0, 0), *cells], [0, *states], strict=True):
        face = "#777777" if state == 3 else BOARD
        corner = column - 0.5, row - 0.5
        ax.add_patch(Rectangle(corner, 1, 1, facecolor=face, edgecolor=GRID, linewidth=0.8))
        if state in (1, 2):
            _stone(ax, column, row, mover if state == 1 else 3 - mover, radius=0.36)
    ax.plot(0, 0, "x", color=PLAYED, markersize=7, markeredgewidth=2.2)
    steps = np.array([(0, 0), *cells])
    ax.set_xlim(steps[:, 1].min() - 0.6, steps[:, 1].max() + 0.6)
    ax.set_ylim(steps[:, 0].min() - 0.6, steps[:, 0].max() + 0.6)
    ax.set_aspect("equal")
    ax.axis("off")
    ax.set_title(title, fontsize=11)
    return ax


def draw_squares(ax, values):
    """Shade the squares of a Reversi board by `values`, (64,) float, and write them; nan is left.

    Returns
    -------
    matplotlib Axes
    """
    grid = np.reshape(values, (8, 8))
    top = np.nanmax(np.abs(grid))
    ax.imshow(grid, cmap="PuOr_r", vmin=-top, vmax=top, origin="lower")
    for (row, column), value in np.ndenumerate(grid):
        if np.isfinite(value):
            colour = "white" if abs(value) > 0.6 * top else "black"
            text = f"{value:+.0f}"
            ax.text(column, row, text, ha="center", va="center", fontsize=8, color=colour)
    ax.set_xticks(range(8), list("abcdefgh"))
    ax.set_yticks(range(8), [str(r + 1) for r in range(8)])
    ax.tick_params(length=0)
    return ax


def draw_bars(ax, names, values, errors=None, *, label="Elo"):
    """Draw strengths as bars from 0, the first on top, with error bars.

    Returns
    -------
    matplotlib Axes
    """
    rows = np.arange(len(names))
    colours = [BLUE if value >= 0 else ORANGE for value in values]
    ax.barh(rows, values, xerr=errors, color=colours, height=0.7, error_kw={"elinewidth": 1.2})
    ax.set_yticks(rows, names)
    ax.invert_yaxis()
    ax.axvline(0, color="black", linewidth=0.8)
    ax.set_xlabel(label)
    return ax


def draw_touch(ax, axis, value, surrogate, touch, *, label, better, value_name="function"):
    """Draw a function, a surrogate that touches it, and the surrogate's best point.

    Parameters
    ----------
    axis, value, surrogate : (n,) float arrays
    touch : Touch
    label : str
        Name of the horizontal axis.
    better : str
        What the surrogate is at its best, "lowest" or "highest".

    Returns
    -------
    matplotlib Axes
    """
    ax.plot(axis, value, color="black", linewidth=2, label=value_name)
    ax.plot(axis, surrogate, color=BLUE, linewidth=2, linestyle="--", label="surrogate")
    ax.plot(touch.at, touch.value, "o", color=BLUE, markersize=9, label="touches here")
    best = float(np.ravel(touch.surrogate(touch.best))[0])
    name = f"surrogate {better}"
    ax.plot(touch.best, best, "v", color=ORANGE, markersize=10, label=name)
    ax.set_xlabel(label)
    ax.legend(fontsize=11)
    return ax


def draw_traces(ax, traces, *, xlabel="pass", ylabel="mean log-evidence (nats)", log=False):
    """Draw one line per name over 0, 1, 2, ...; marks where there are few points.

    Returns
    -------
    matplotlib Axes
    """
    for name, values in traces.items():
        marker = "o" if len(values) <= 30 else None
        ax.plot(np.arange(len(values)), values, marker=marker, markersize=4, label=name)
    if log:
        ax.set_yscale("log")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_xlabel(xlabel)
    ax.set_ylabel(ylabel)
    if len(traces) > 1:
        ax.legend(fontsize=11)
    return ax


def draw_calibration(ax, calibration):
    """Draw how often predictions came true against what they said, on log scales.

    Returns
    -------
    matplotlib Axes
    """
    predicted, observed = calibration.predicted, calibration.observed
    ends = [min(predicted.min(), 1e-3), 1]
    ax.plot(ends, ends, color="grey", linewidth=1, label="as predicted")
    seen = observed > 0
    error = np.sqrt(predicted * (1 - predicted) / calibration.n_teams)
    ax.errorbar(
        predicted[seen], observed[seen], yerr=error[seen], fmt="o", color=BLUE, label="came true"
    )
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xlabel("predicted chance of a move")
    ax.set_ylabel("share of such moves played")
    ax.legend(fontsize=11)
    return ax
