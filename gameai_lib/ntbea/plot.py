"""What tuning has learned, for any fitness and any space: marginals, slices, effects, the trace.

Fitness is drawn in the sign that it was told, also where smaller is better.

>>> from matplotlib.figure import Figure
>>> from gameai_lib.ntbea import SearchSpace, TupleRegression, importance, tune
>>> space = SearchSpace({"speed": (1, 2, 4), "shield": (False, True)})
>>> def score(values, rng):
...     return values["speed"] - 3 * values["shield"] + rng.normal()
>>> tuned = tune(score, space, 60, 1, named=True)
>>> regression = TupleRegression(tuned.model)
>>> fig = Figure(figsize=(6, 3), layout="constrained")
>>> ax = draw_effects(fig.subplots(), importance(regression))
>>> fig.savefig("effects.png")  # doctest: +SKIP
>>> draw_slices(Figure(figsize=(6, 3)), regression, tuned.point)
"""

from collections.abc import Mapping, Sequence

import numpy as np

from gameai_lib.base import checks
from gameai_lib.ntbea._drawing import (
    BLUE,
    GREY,
    LETTERS,
    ORANGE,
    PALE,
    draw_bars,
    draw_boxes,
    draw_errors,
    draw_key,
    in_words,
    name_ticks,
)
from gameai_lib.ntbea.search.effects import marginal
from gameai_lib.ntbea.search.landscape import LandscapeModel
from gameai_lib.ntbea.search.recommend import TupleRegression

STUB = 0.06  # of a bar of the least result, so that it is seen
PITCH, STEP, PAD = 4.0, 22, 11  # units from line to line; points for a value and at the ends
DIGIT = 7.3  # points, the width of a letter
LINE, ROOMY = 1.15, 1.4  # inches, the least that a line needs with three ticks and with more


def draw_marginals(fig, learned, truth=None, title="", *, limits=None):
    """One panel a parameter: what its values bring, and the true marginals if given.

    All panels are one axes of one scale, in lines below each other; the figure grows if there
    are more lines than it can hold. The error bars are one standard error.

    Parameters
    ----------
    fig : matplotlib Figure
    learned : LandscapeModel or TupleRegression
        Of a model, with 1-tuples: the mean of what was played with a value, and above it how
        often. What a search preferred to play with it is in there, too. Of a regression: its
        `marginal`, the mean over all values of the others, as if each had been played alike.
    truth : (n_values of each dimension) float array, optional
        True fitness of every point, one axis a dimension.
    title : str
    limits : pair of float, optional
        The least and the largest result there is: the scale, and bars rise from the former. By
        default the scale is what the means need, and they are points: a bar would seem to
        say how large they are.
    """
    _check_figure(fig)
    checks.kind("learned", learned, LandscapeModel, TupleRegression)
    space = learned.space
    if truth is not None and np.shape(truth) != (*space.n_values,):
        raise ValueError(f"truth needs shape {(*space.n_values.tolist(),)}, got {np.shape(truth)}")
    if limits is not None and not limits[0] < limits[1]:
        raise ValueError(f"limits must be a lower and a higher result, got {limits}")
    rows = []
    for dim in range(space.n_dims):
        others = tuple(d for d in range(space.n_dims) if d != dim)
        true = None if truth is None else truth.mean(axis=others)
        rows.append((*_marginal(learned, dim), true))
    ax = _draw_panels(fig, space, rows, limits)
    if truth is not None:
        entries = [("learned", "bar" if limits else "o", BLUE), ("true mean", "D", ORANGE)]
        draw_key(ax, entries, (0, 1), at=(14, 8), across=90)
    ax.set_title(title or " ", fontsize=LETTERS, pad=24 if truth is not None and title else 6)


def _marginal(learned, dim):
    """Means of a parameter's values, their standard errors, and how often each was played."""
    if isinstance(learned, TupleRegression):
        known = marginal(learned, [dim])
        return known.mean, known.std, None
    _, n, mean, std = learned.arms([dim])
    return _told(learned, mean), np.nan_to_num(std / np.sqrt(np.maximum(n, 1))), n


def draw_slices(fig, regression, point=None, title=""):
    """One panel a parameter: what is expected where it alone changes, all others as in `point`.

    Error bars are one standard deviation of that expectation. A diamond marks the point's own
    values.

    Parameters
    ----------
    fig : matplotlib Figure
    regression : TupleRegression
    point : (n_dims,) int array or mapping of str to value, optional
        By default the point that the regression recommends.
    title : str
    """
    _check_figure(fig)
    checks.kind("regression", regression, TupleRegression)
    space = regression.space
    if isinstance(point, Mapping):
        point = space.point_of(point)
    point = regression.best() if point is None else space.check_point(point)
    rows = []
    for dim, n_values in enumerate(space.n_values):
        points = np.repeat(point[None], n_values, axis=0)
        points[:, dim] = np.arange(n_values)
        mean = _told(regression, regression.mean(points))
        marked = np.where(points[:, dim] == point[dim], mean, np.nan)
        rows.append((mean, regression.std(points), None, marked))
    _draw_panels(fig, space, rows, None).set_title(title, fontsize=LETTERS)


def _check_figure(fig):
    from matplotlib.figure import Figure

    checks.kind("fig", fig, Figure)


def _told(learned, fitness):
    """Fitness in the sign that it was told."""
    return -fitness if learned.minimize else fitness


def _draw_panels(fig, space, rows, limits):
    """Panels of all parameters on one axes.

    `rows` has, for each parameter, an array over its values of each: what to draw and its error,
    counts to write above and what to mark, both None for none.
    """
    ax, width = fig.subplots(), 72 * fig.get_figwidth() - 62
    words = [[in_words(v) for v in values] for values in space.values]
    lines, starts, steps = _panels(space.n_values.tolist(), _written(words, rows), width)
    least = 0.4 + (LINE if limits else ROOMY) * (lines[-1] + 1)
    fig.set_figheight(max(fig.get_figheight(), least))
    low, high, ticks = _scale_of(rows, limits)
    middle, half = (low + high) / 2, (high - low) / 2
    levels = [(tick - middle) / half for tick in ticks]
    for dim, (line, start, step) in enumerate(zip(lines, starts, steps, strict=True)):
        values, error, counts, marks = rows[dim]
        base, seen = -PITCH * line, np.flatnonzero(np.isfinite(values))
        at = start + PAD + step * (np.arange(len(values)) + 0.5)
        level, error = (values[seen] - middle) / half, error[seen] / half
        if limits:
            draw_bars(ax, at[seen], np.maximum(level + 1, STUB), 0.72 * step, BLUE, bottom=base - 1)
        else:
            ax.plot(at[seen], base + level, "o", color=BLUE, ms=5)
        colour = "black" if limits else BLUE
        draw_errors(ax, at[seen], base + level, error, colors=colour, lw=1.5, zorder=2)
        if marks is not None:
            ax.plot(at, base + (marks - middle) / half, "D", color=ORANGE, ms=5)
        if counts is not None:
            shown = seen[:: _every([str(n) for n in counts[seen]], step)]
            look = {"ha": "center", "va": "baseline", "fontsize": LETTERS, "color": BLUE}
            for x, n in zip(at[shown], counts[shown], strict=True):
                ax.text(x, base + 1.1, n, **look)
        every = _every(words[dim], step)
        for x, word in zip(at[::every], words[dim][::every], strict=True):
            ax.text(x, base - 1.12, word, ha="center", va="top", fontsize=LETTERS)
        name = space.names[dim].replace("_", " ")
        _frame(ax, base, start, at[-1] + 0.5 * step, name, levels, -middle / half)
    every_tick = [
        (-PITCH * line + level, in_words(float(tick)).replace("-", "\u2212"))
        for line in range(lines[-1] + 1)
        for level, tick in zip(levels, ticks, strict=True)
    ]
    name_ticks(ax.yaxis, [y for y, _ in every_tick], [word for _, word in every_tick])
    ax.tick_params(axis="y", labelsize=LETTERS, length=0)
    ax.set(xlim=(0, width), ylim=(-PITCH * lines[-1] - 2.4, 1.75), xticks=[])
    ax.spines[:].set_visible(False)
    return ax


def _scale_of(rows, limits):
    """The lower and upper end of a scale that holds all values and errors, and its ticks."""
    from matplotlib.ticker import MaxNLocator

    if limits:
        return *limits, (limits[0], sum(limits) / 2, limits[1])
    values = np.concatenate([[v - e, v + e] for v, e, _, _ in rows], axis=1)
    marks = [m for _, _, _, m in rows if m is not None]
    everything = np.concatenate([values.ravel(), *marks])
    everything = everything[np.isfinite(everything)]
    if not len(everything):
        return -1.0, 1.0, (-1, 0, 1)
    ticks = MaxNLocator(3, min_n_ticks=2).tick_values(everything.min(), everything.max())
    return ticks[0], ticks[-1], ticks


def _written(words, rows):
    """The words and the counts that stand at a parameter's values, which must not touch."""
    counts = [[] if counts is None else map(str, counts) for _, _, counts, _ in rows]
    return [[*some, *numbers] for some, numbers in zip(words, counts, strict=True)]


def _panels(n_values, words, width):
    """In which line each parameter's panel stands, where it begins, and its values' distance.

    A line takes as many panels as are not wider than `width` points together; a panel that is
    wider alone has its values closer.
    """
    steps = [max(STEP, DIGIT * max(map(len, some)) + 4) for some in words]
    lines, starts, line, start = [], [], 0, 0.0
    for i, n in enumerate(n_values):
        steps[i] = min(steps[i], (width - 2 * PAD) / n)
        wide = steps[i] * n + 2 * PAD
        if start and start + wide > width:
            line, start = line + 1, 0.0
        lines.append(line)
        starts.append(start)
        start += wide
    return lines, starts, steps


def _every(words, step):
    """Of how many words one can be written where they are `step` points apart."""
    return max(1, int(np.ceil((DIGIT * max(map(len, words), default=0) + 2) / step - 1e-9)))


def _frame(ax, base, start, end, name, levels, zero):
    """The axes of one panel, a line at the level of 0 where the scale has it, the name below."""
    from matplotlib.collections import LineCollection
    from matplotlib.markers import TICKLEFT

    lines = [[(start + 4, base + 1), (start + 4, base - 1), (end + 4, base - 1)]]
    ax.add_collection(LineCollection(lines, colors="black", lw=0.8))
    if abs(zero) < 1:
        ax.hlines(base + zero, start + 4, end + 4, color=GREY, lw=0.6, zorder=0)
    ticks = [start + 4] * len(levels), [base + level for level in levels]
    ax.plot(*ticks, ls="", marker=TICKLEFT, ms=3, color="black")
    ax.text((start + PAD + end) / 2, base - 1.78, name, ha="center", va="top", fontsize=LETTERS)


def draw_effects(ax, effects, n_shown=12, title=""):
    """How much of what moves the fitness each parameter does alone, and each pair beyond that.

    Parameters
    ----------
    ax : matplotlib Axes
    effects : sequence of Effect
        As `importance` returns them.
    n_shown : int
        The first effects, which are drawn; the rest is summed up in one line.
    title : str
    """
    checks.kind("effects", effects, Sequence)
    shown, rest = effects[:n_shown], effects[n_shown:]
    whole = sum(effect.variance for effect in effects) or 1.0
    names = [" × ".join(effect.names).replace("_", " ") for effect in shown]
    shares = [effect.share for effect in shown]
    y = np.arange(len(shown))
    colours = [BLUE if len(effect.names) == 1 else PALE for effect in shown]
    draw_boxes(ax, 0, y - 0.36, shares, 0.72, facecolors=colours, linewidths=0)
    errors = np.array([effect.error / whole for effect in shown])
    draw_errors(ax, shares, y, errors, across=True, colors="black", lw=1.5)
    if rest:
        y = np.append(y, len(shown))
        names.append(f"{len(rest)} others")
        share = sum(effect.share for effect in rest)
        draw_boxes(ax, 0, [len(shown) - 0.36], [share], 0.72, facecolors=GREY, linewidths=0)
        shares.append(share)
    name_ticks(ax.yaxis, y, names)
    ax.tick_params(labelsize=LETTERS)
    ax.spines[["top", "right"]].set_visible(False)
    right = max([*np.add(shares[: len(errors)], errors), shares[-1], 0.01])
    ax.set(xlim=(0, 1.04 * right), ylim=(len(y) - 0.4, -0.6), title=title)
    ax.set_xlabel("share of what moves the fitness", fontsize=LETTERS)
    return ax


def draw_trace(ax, model, title=""):
    """Every evaluation in its order, and what the regression now expects of the points played.

    One noisy result says little; the small dots show whether the search has come to better points.

    Parameters
    ----------
    ax : matplotlib Axes
    model : LandscapeModel
        At most 8000 distinct points.
    title : str
    """
    checks.kind("model", model, LandscapeModel)
    at = np.arange(1, model.n_evaluations + 1)
    ax.plot(at, _told(model, model.fitness), "o", color=PALE, ms=4, label="fitness")
    if len(at):
        expected = _told(model, TupleRegression(model).mean(model.points))
        ax.plot(at, expected, "o", color=BLUE, ms=2, label="expected of that point")
        ax.legend(fontsize=LETTERS, frameon=False, ncols=2, loc="lower left", bbox_to_anchor=(0, 1))
    ax.set_xlabel("evaluation", fontsize=LETTERS)
    ax.set_ylabel("fitness", fontsize=LETTERS)
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(labelsize=LETTERS)
    ax.set_title(title, pad=24 if title else 6)
    return ax
