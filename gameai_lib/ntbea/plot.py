"""What tuning has learned, for any fitness and any space: marginals, slices, effects, the trace.

>>> from matplotlib.figure import Figure
>>> from gameai_lib.ntbea import TupleRegression, importance, tune
>>> def score(values, rng):
...     return values["speed"] - 3 * values["shield"] + rng.normal()
>>> space = {"speed": (1, 2, 4), "shield": (False, True)}
>>> regression = TupleRegression(tune(score, space, 60, 1, named=True).model)
>>> fig = Figure(figsize=(6, 3), layout="constrained")
>>> ax = draw_effects(fig.subplots(), importance(regression))
>>> fig.savefig("effects.png")  # doctest: +SKIP
"""

import math

import numpy as np

from gameai_lib.ntbea.search.effects import marginal, regression_of
from gameai_lib.ntbea.search.regression import TupleRegression

# Okabe and Ito's: what is known, what is marked or true, a pair of parameters, all others.
BLUE, ORANGE, PALE, GREY = "#0072B2", "#D55E00", "#A9CCE3", "#9A9A9A"
LETTERS = 10  # points
MOST_COLUMNS, ROW = 3, 1.9  # panels in a line; inches


def draw_marginals(fig, learned):
    """One panel a parameter: the `marginal` of its values, with error bars of one standard error.

    The figure grows if it is too low for all lines of panels.
    """
    regression = regression_of(learned)
    for dim, ax in enumerate(_panels(fig, regression.space)):
        known = marginal(regression, [dim])
        _draw_means(ax, known.mean, known.std)


def _draw_means(ax, mean, error):
    ax.errorbar(range(len(mean)), mean, error, fmt="o", color=BLUE, ms=4, lw=1.5)


def draw_slices(fig, learned, point=None):
    """One panel a parameter: what is expected where it alone changes, all others as in `point`.

    Error bars are one standard deviation; a diamond marks the values of the `point`, (n_dims,) int,
    by default the one that the regression recommends.
    """
    regression = regression_of(learned)
    space = regression.space
    point = regression.best() if point is None else space.check_point(point)
    for dim, ax in enumerate(_panels(fig, space)):
        points = np.repeat(point[None], space.n_values[dim], axis=0)
        points[:, dim] = np.arange(len(points))
        mean = regression.mean(points)
        _draw_means(ax, mean, regression.std(points))
        ax.plot(point[dim], mean[point[dim]], "D", color=ORANGE, ms=5, zorder=3)


def _panels(fig, space):
    """Return an axes for each parameter, with its name and the names of its values."""
    n_columns = min(space.n_dims, MOST_COLUMNS)
    n_rows = math.ceil(space.n_dims / n_columns)
    fig.set_figheight(max(fig.get_figheight(), ROW * n_rows))
    if fig.get_layout_engine() is None:
        fig.set_layout_engine("constrained")
    axes = fig.subplots(n_rows, n_columns, sharey=True, squeeze=False).ravel()
    for ax in axes[space.n_dims :]:
        ax.remove()
    width = 72 * fig.get_figwidth() / n_columns - 24  # points
    for ax, name, values in zip(axes, space.names, space.values, strict=False):
        _name_values(ax, name, values, width)
    return axes[: space.n_dims]


def _name_values(ax, name, values, width):
    """Write the values of a parameter below its panel, or every other, or every third."""
    words = [_in_words(value) for value in values]
    is_upright = max(map(len, words)) * LETTERS > 1.5 * width / len(words)
    every = math.ceil(1.6 * LETTERS * len(words) / width)
    rotation = 90 if is_upright else 0
    ax.set_xticks(range(0, len(words), every), words[::every], rotation=rotation)
    ax.set(xlim=(-0.7, len(words) - 0.3))
    ax.set_xlabel(name.replace("_", " "), fontsize=LETTERS)
    _plain(ax)


def _in_words(value):
    """A value of a parameter: yes and no for booleans, floats rounded, the names of functions."""
    if isinstance(value, bool):
        return ("no", "yes")[value]
    words = getattr(value, "name", None) or getattr(value, "__name__", None) or str(value)
    return min(words, f"{value:.4g}", key=len) if isinstance(value, float) else words


def _plain(ax):
    ax.tick_params(labelsize=LETTERS)
    ax.spines[["top", "right"]].set_visible(False)


def draw_effects(ax, effects, n_shown=12):
    """How much of what moves the fitness each parameter does alone, and each pair beyond that.

    `effects` are those of `importance`; beyond the first `n_shown` they are summed up.
    """
    shown, rest = effects[:n_shown], effects[n_shown:]
    whole = sum(effect.variance for effect in effects) or 1.0
    names = [" × ".join(effect.names).replace("_", " ") for effect in shown]
    shares, errors = [e.share for e in shown], [e.error / whole for e in shown]
    colours = [BLUE if len(effect.names) == 1 else PALE for effect in shown]
    ax.barh(range(len(shown)), shares, 0.72, xerr=errors, color=colours)
    if rest:
        names.append(f"{len(rest)} others")
        ax.barh(len(shown), sum(effect.share for effect in rest), 0.72, color=GREY)
    ax.set_yticks(range(len(names)), names)
    _plain(ax)
    ax.set(xlim=(0, None), ylim=(len(names) - 0.4, -0.6))
    ax.set_xlabel("share of what moves the fitness", fontsize=LETTERS)
    return ax


def draw_trace(ax, model):
    """Every evaluation in its order, and what the regression now expects of the points played."""
    at = np.arange(1, model.n_evaluations + 1)
    ax.plot(at, model.fitness, "o", color=PALE, ms=4, label="fitness")
    if len(at):
        expected = TupleRegression(model).mean(model.points)
        ax.plot(at, expected, "o", color=BLUE, ms=2, label="expected of that point")
        ax.legend(fontsize=LETTERS, frameon=False, ncols=2, loc="lower left", bbox_to_anchor=(0, 1))
    ax.set_xlabel("evaluation", fontsize=LETTERS)
    ax.set_ylabel("fitness", fontsize=LETTERS)
    _plain(ax)
    return ax
