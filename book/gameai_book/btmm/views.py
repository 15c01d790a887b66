"""Pictures of boards, patterns, strengths and fits, each drawn on matplotlib Axes and returned.

What there are many of is one collection: an artist each would make a reader wait.
"""

from typing import NamedTuple

import matplotlib as mpl
import numpy as np
from matplotlib.collections import EllipseCollection, LineCollection
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator, NullLocator
from matplotlib.transforms import ScaledTranslation

from gameai_lib.btmm.game.positions import BLACK
from touchbook.figure.parts import EBONY, IVORY, draw_boxes, ink_on, name_ticks, shades

BOARD, GRID, STONES = "#F3E3C3", "#A08A60", np.array([EBONY, IVORY])
# One colour for one thing through the chapter; Okabe and Ito's, which the colour-blind tell apart.
PLAYED = "#D55E00"  # the move played, or to be played
STRENGTH, HOME = "#7A8CA3", "#333333"  # bars of players and features; of playing at home
FUNCTION = "#000000"
TRAINING, TEST = "#0072B2", "#D55E00"
RULES = {"one group at a time": "#009E73", "all at once": "#CC79A7", "damped": "#E69F00"}
# What the key copies of a line.
SAMPLED = ("color", "linewidth", "linestyle", "marker", "markersize", "markerfacecolor")
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
HEAT = shades("#0072B2", BOARD)
LOSS_TO_GAIN = mpl.colors.LinearSegmentedColormap.from_list(
    "loss to gain", ["#882255", "#FFFFFF", "#0072B2"]
)


def draw_board(ax, board):
    """Draw stones, 1 black and 2 white, on the crossings of a square board, (n_cells,) int."""
    side = round(len(board) ** 0.5)
    ax.set_facecolor(BOARD)
    lines = [[(0, i), (side - 1, i)] for i in range(side)]
    lines += [[(i, 0), (i, side - 1)] for i in range(side)]
    ax.add_collection(LineCollection(lines, colors=GRID, linewidths=0.6, zorder=1), autolim=False)
    stones = np.flatnonzero(board)
    _stones(ax, stones % side, stones // side, board[stones], radius=0.43)
    ax.set_xlim(-0.6, side - 0.4)
    ax.set_ylim(-0.6, side - 0.4)
    ax.set_aspect("equal")
    _name_squares(ax, side)
    ax.spines[:].set_visible(False)
    return ax


def _name_squares(ax, side):
    """Letters for columns, numbers for rows."""
    name_ticks(ax.xaxis, range(side), "abcdefghijklmnopqrs"[:side])
    name_ticks(ax.yaxis, range(side), [str(r + 1) for r in range(side)])
    ax.tick_params(length=0)


def _stones(ax, x, y, colours, *, radius):
    """Stones of `radius` at (x, y), arrays all, but for the radius."""
    size, turned = np.full(len(x), 2 * radius), np.zeros(len(x))
    places = {"units": "xy", "offsets": np.column_stack([x, y]), "offset_transform": ax.transData}
    faces = STONES[(np.asarray(colours) != BLACK).astype(int)]
    style = {"facecolors": faces, "edgecolors": STONES[0], "linewidths": 1, "zorder": 3}
    stones = EllipseCollection(size, size, turned, **places, **style)
    ax.add_collection(stones, autolim=False)


def draw_heat(ax, board, cells, probability, *, played):
    """Draw a board with the chance of every move as a shade, the cell `played` ringed.

    `cells` and `probability` are (n_moves,); the likeliest three have their percentage written.
    """
    draw_board(ax, board)
    side = round(len(board) ** 0.5)
    rows, columns = np.divmod(cells, side)
    likely = probability > 0.002
    shades = HEAT(probability[likely] ** 0.4)  # the same for every position: pictures compare
    corners = columns[likely] - 0.5, rows[likely] - 0.5
    draw_boxes(ax, *corners, 1, 1, facecolors=shades, linewidths=0, zorder=2)
    for i in np.argsort(-probability)[:3]:
        text = f"{100 * probability[i]:.0f}"
        at = columns[i], rows[i]
        ink = str(ink_on(probability[i] ** 0.4))
        ax.text(*at, text, color=ink, ha="center", va="center", zorder=5)
    ring = mpl.patches.Circle((played % side, played // side), 0.6, fill=False, linewidth=2.5)
    ring.set(edgecolor=PLAYED, zorder=6)
    ax.add_patch(ring)
    return ax


class Pattern(NamedTuple):
    """What `draw_patterns` shows of one feature."""

    states: list  #: the state of each cell, 0 empty, 1 own, 2 opponent, 3 off the board
    mover: int  #: colour of the own stones
    title: str  #: two lines


def draw_patterns(ax, cells, patterns):
    """Draw each `Pattern` of the same cells, (row, column) steps from the move, as a small board.

    Two stand in a row, a title over each. The axes should fill its figure: what is in it is placed
    in inches of the figure.
    """
    line = 0.24  # inches from one line of a title to the next
    full = ax.get_figure().get_size_inches()
    width, height = full / (2, -(-len(patterns) // 2))
    steps = np.array([(0, 0), *cells])  # the move comes first
    n_rows, n_columns = np.ptp(steps, axis=0) + 1.4
    cell = min(width / n_columns, (height - 2 * line) / n_rows)  # inches
    row, column = np.divmod(np.arange(len(patterns)), 2)
    middle = np.stack([(row + 0.5) * -height - line, (column + 0.5) * width], axis=1)
    places = middle[:, None] + cell * (steps - (steps.min(axis=0) + steps.max(axis=0)) / 2)
    for pattern, (_, x), tops in zip(patterns, middle, places.max(axis=1), strict=True):
        for i, text in enumerate(reversed(pattern.title.split("\n"))):
            ax.text(x, tops[0] + 0.65 * cell + line * i + 0.04, text, ha="center")
    y, x = places.reshape(-1, 2).T
    states = np.ravel([[0, *pattern.states] for pattern in patterns])
    movers = np.repeat([pattern.mover for pattern in patterns], len(steps))
    faces = np.where(states == 3, "#777777", BOARD)
    corners = x - cell / 2, y - cell / 2
    draw_boxes(ax, *corners, cell, cell, facecolors=faces, edgecolors=GRID, linewidths=0.8)
    stones = (states == 1) | (states == 2)
    colours = np.where(states == 1, movers, 3 - movers)
    _stones(ax, x[stones], y[stones], colours[stones], radius=0.36 * cell)
    ax.plot(*places[:, 0].T[::-1], "x", color=PLAYED, markersize=7, markeredgewidth=2.2)
    ax.set_xlim(0, full[0])
    ax.set_ylim(-full[1], 0)
    ax.set_aspect("equal")
    ax.set_axis_off()
    return ax


def draw_squares(ax, values):
    """Shade the squares of a Reversi board by `values`, (64,) float, and write all but nan."""
    grid = np.reshape(values, (8, 8))
    top = np.nanmax(np.abs(grid))
    ax.imshow(grid, cmap=LOSS_TO_GAIN, vmin=-top, vmax=top)  # row 1 on top, as on the board
    for (row, column), value in np.ndenumerate(grid):
        if np.isfinite(value):
            colour = str(ink_on(abs(value) / top))
            text = f"{value:+.0f}".replace("-", "−")
            ax.text(column, row, text, ha="center", va="center", fontsize=11, color=colour)
    _name_squares(ax, 8)
    return ax


def draw_bars(ax, names, values, errors, *, label="Elo", other=None, truth=None):
    """Draw strengths, (n,) float, as bars from 0, the first on top, with error bars.

    `other` is a row in a colour of its own; known values, `truth`, are circles.
    """
    rows = np.arange(len(names))
    colours = [HOME if row == other else STRENGTH for row in rows]
    left, wide = np.minimum(values, 0), np.abs(values)
    draw_boxes(ax, left, rows - 0.35, wide, 0.7, facecolors=colours, linewidths=0)
    ax.hlines(rows, values - errors, values + errors, color="black", linewidth=1.2)
    if truth is not None:
        ax.plot(truth, rows, "o", markersize=8, color="white", markeredgecolor=PLAYED, mew=2)
    ax.set_ylim(len(names) - 0.4, -0.6)
    name_ticks(ax.yaxis, rows, names)
    ax.axvline(0, color="black", linewidth=0.8)
    ax.set_xlabel(label)
    return ax


def draw_key_below(ax, lines, left):
    """Name the lines of an axes below it, from `left` on (0 to 1), in two columns."""
    for k, line in enumerate(lines):
        draw_key(ax, [line], (left + 0.55 * (k % 2), -0.2 - 0.09 * (k // 2)))
    return ax


def draw_key(ax, lines, corner):
    """Name the lines of an axes by their labels; a legend would be most of a frame's time.

    The names stand below and to the right of `corner`, (x, y) in the axes, 0 to 1.
    """
    figure = ax.get_figure()
    inches = figure.dpi_scale_trans + ScaledTranslation(*corner, ax.transAxes)
    for k, line in enumerate(list(lines)):
        style = {name: getattr(line, f"get_{name}")() for name in SAMPLED}
        x, y = 0.15, -0.2 + k * -0.24
        sample = Line2D([x, x + 0.15, x + 0.3], [y] * 3, markevery=[1], transform=inches, **style)
        ax.add_line(sample).set(clip_on=False, in_layout=False)
        name = ax.text(x + 0.4, y, line.get_label(), transform=inches, va="center")
        name.set_in_layout(False)
    return ax


def draw_traces(
    ax, traces, *, xlabel="pass", ylabel="mean log-evidence (nats)", key=None, colours=None
):
    """Draw one line per name over 0, 1, 2, ...; marks where there are few points.

    Later lines lie on earlier ones, which are broader, so that none is hidden. `traces` and
    `colours` are by name; the names stand at `key`, as `draw_key` has it, or nowhere.
    """
    lines = []
    for k, (name, values) in enumerate(traces.items()):
        few = len(values) <= 30
        style = {"marker": "osD^"[k % 4] if few else None, "color": (colours or {}).get(name)}
        size = {"markersize": 8 - 2 * k, "linewidth": max(4.5 - 1.5 * k, 1.2)}
        lines += ax.plot(np.arange(len(values)), values, label=name, **style, **size)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_xlabel(xlabel)
    ax.set_ylabel(ylabel)
    if key is not None:
        draw_key(ax, lines, key)
    return ax


def draw_calibration(ax, calibration, *, colour):
    """Draw how often predictions came true against what they said, on log scales."""
    predicted, observed = calibration.predicted, calibration.observed
    ends = [min(predicted.min(), 1e-3), 1]
    lines = ax.plot(ends, ends, color="grey", linewidth=1, label="as predicted")
    seen = observed > 0
    error = np.sqrt(predicted * (1 - predicted) / calibration.n_teams)
    low, high = (observed - error)[seen], (observed + error)[seen]
    ax.vlines(predicted[seen], low, high, color=colour)
    lines += ax.plot(predicted[seen], observed[seen], "o", color=colour, label="were played")
    ax.set_xscale("log")
    ax.set_yscale("log")
    draw_log_ticks(ax.xaxis)
    draw_log_ticks(ax.yaxis)
    ax.set_xlabel("predicted chance of a move")
    ax.set_ylabel("share of such moves played")
    draw_key(ax, lines, (0, 1))
    return ax


def draw_log_ticks(axis):
    """Name powers of ten on a logarithmic matplotlib Axis, which then keeps its limits."""
    low, high = ends = axis.get_view_interval()
    powers = np.arange(np.ceil(np.log10(low)), np.floor(np.log10(high)) + 1).astype(int)
    powers = powers[powers % (1 + len(powers) // 7) == 0]
    name_ticks(axis, 10.0**powers, [f"10{str(k).translate(RAISED)}" for k in powers])
    axis.set_minor_locator(NullLocator())
    axis.axes.set(**{f"{axis.axis_name}lim": ends})
