"""What tuning has learned, for any fitness and any space: marginals, slices, effects, the trace.

Fitness is drawn in the sign that it was told, also where smaller is better.

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
from collections.abc import Mapping, Sequence

import numpy as np

from gameai_lib.base import checks
from gameai_lib.ntbea.search.effects import marginal
from gameai_lib.ntbea.search.landscape import LandscapeModel
from gameai_lib.ntbea.search.regression import TupleRegression

# Okabe and Ito's: what is known, what is marked or true, a pair of parameters, all others.
BLUE, ORANGE, PALE, GREY = "#0072B2", "#D55E00", "#A9CCE3", "#9A9A9A"
LETTERS = 10  # points
MOST_COLUMNS, ROW = 3, 1.9  # panels in a line; inches


def draw_marginals(fig, learned, title=""):
    """One panel a parameter: what its values bring, with error bars of one standard error.

    Of a `LandscapeModel` with 1-tuples: the mean of what was played with a value, and above it
    how often. What a search preferred to play with it is in there, too. Of a `TupleRegression`:
    its `marginal`, as if all values of the others had been played alike. The figure grows if it
    is too low for all lines of panels.
    """
    checks.kind("learned", learned, LandscapeModel, TupleRegression)
    for dim, (ax, every) in enumerate(_panels(fig, learned.space, title)):
        mean, error, n = _marginal(learned, dim)
        _draw_means(ax, mean, error)
        for value in range(0, len(mean), every) if n is not None else ():
            above = {"xycoords": ("data", "axes fraction"), "ha": "center", "va": "bottom"}
            ax.annotate(str(n[value]), (value, 1), color=BLUE, fontsize=LETTERS - 2, **above)


def _draw_means(ax, mean, error):
    ax.errorbar(range(len(mean)), mean, error, fmt="o", color=BLUE, ms=4, lw=1.5)


def _marginal(learned, dim):
    """Means of a parameter's values, their standard errors, and how often each was played."""
    if isinstance(learned, TupleRegression):
        known = marginal(learned, [dim])
        return known.mean, known.std, None
    _, n, mean, std = learned.arms([dim])
    return _as_told(learned, mean), np.nan_to_num(std / np.sqrt(np.maximum(n, 1))), n


def draw_slices(fig, regression, point=None, title=""):
    """One panel a parameter: what is expected where it alone changes, all others as in `point`.

    Error bars are one standard deviation; a diamond marks the values of the `point`, (n_dims,) int
    or a mapping by name, by default the one that the `TupleRegression` recommends.
    """
    checks.kind("regression", regression, TupleRegression)
    space = regression.space
    if isinstance(point, Mapping):
        point = space.point_of(point)
    point = regression.best() if point is None else space.check_point(point)
    for dim, (ax, _) in enumerate(_panels(fig, space, title)):
        points = np.repeat(point[None], space.n_values[dim], axis=0)
        points[:, dim] = np.arange(len(points))
        mean = _as_told(regression, regression.mean(points))
        _draw_means(ax, mean, regression.std(points))
        ax.plot(point[dim], mean[point[dim]], "D", color=ORANGE, ms=5, zorder=3)


def _as_told(learned, fitness):
    """Fitness in the sign that it was told."""
    return -fitness if learned.minimize else fitness


def _panels(fig, space, title):
    """Return an axes for each parameter, and of how many of its values one is named."""
    from matplotlib.figure import Figure

    checks.kind("fig", fig, Figure)
    n_columns = min(space.n_dims, MOST_COLUMNS)
    n_rows = math.ceil(space.n_dims / n_columns)
    fig.set_figheight(max(fig.get_figheight(), ROW * n_rows))
    if fig.get_layout_engine() is None:
        fig.set_layout_engine("constrained")
    fig.suptitle(title, fontsize=LETTERS + 2)
    axes = fig.subplots(n_rows, n_columns, sharey=True, squeeze=False).ravel()
    for ax in axes[space.n_dims :]:
        ax.remove()
    width = 72 * fig.get_figwidth() / n_columns - 24  # points
    named = zip(axes, space.names, space.values, strict=False)
    return [(ax, _name_values(ax, name, values, width)) for ax, name, values in named]


def _name_values(ax, name, values, width):
    """Write the values of a parameter below its panel; return of how many one is written."""
    words = [_in_words(value) for value in values]
    is_upright = max(map(len, words)) * LETTERS > 1.5 * width / len(words)
    every = math.ceil(1.6 * LETTERS * len(words) / width)
    rotation = 90 if is_upright else 0
    ax.set_xticks(range(0, len(words), every), words[::every], rotation=rotation)
    ax.set(xlim=(-0.7, len(words) - 0.3))
    ax.set_xlabel(name.replace("_", " "), fontsize=LETTERS)
    _plain(ax)
    return every


def _in_words(value):
    """A value of a parameter: yes and no for booleans, floats rounded, the names of functions."""
    if isinstance(value, bool):
        return ("no", "yes")[value]
    words = getattr(value, "name", None) or getattr(value, "__name__", None) or str(value)
    return min(words, f"{value:.4g}", key=len) if isinstance(value, float) else words


def _plain(ax):
    ax.tick_params(labelsize=LETTERS)
    ax.spines[["top", "right"]].set_visible(False)


def draw_effects(ax, effects, n_shown=12, title=""):
    """How much of what moves the fitness each parameter does alone, and each pair beyond that.

    `effects` are those of `importance`; beyond the first `n_shown` they are summed up.
    """
    checks.kind("effects", effects, Sequence)
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
    ax.set(xlim=(0, None), ylim=(len(names) - 0.4, -0.6), title=title)
    ax.set_xlabel("share of what moves the fitness", fontsize=LETTERS)
    return ax


def draw_trace(ax, model, title=""):
    """Every evaluation in its order, and what the regression now expects of the points played."""
    checks.kind("model", model, LandscapeModel)
    at = np.arange(1, model.n_evaluations + 1)
    ax.plot(at, _as_told(model, model.fitness), "o", color=PALE, ms=4, label="fitness")
    if len(at):
        expected = _as_told(model, TupleRegression(model).mean(model.points))
        ax.plot(at, expected, "o", color=BLUE, ms=2, label="expected of that point")
        ax.legend(fontsize=LETTERS, frameon=False, ncols=2, loc="lower left", bbox_to_anchor=(0, 1))
    ax.set_xlabel("evaluation", fontsize=LETTERS)
    ax.set_ylabel("fitness", fontsize=LETTERS)
    _plain(ax)
    ax.set_title(title, pad=24 if title else 6)
    return ax
