"""The explorables of the NRPA chapter: for each a view, and words for what it shows.

Every function takes what it shows and returns the arguments ``draw``, ``alt`` and ``name``
of `touchbook.widgets.explore`; the chapter adds the controls.
"""

import numpy as np
from matplotlib.path import Path

from gameai_book.nrpa import views
from gameai_lib.nrpa.game import tsptw
from gameai_lib.nrpa.problem.walk import Playout
from gameai_lib.nrpa.search.kernels import choose
from gameai_lib.nrpa.search.policy import adapt, move_probabilities
from touchbook.figure.markup import typeset
from touchbook.figure.parts import EBONY, IVORY, draw_boxes, name_ticks

MOVES = ("move a", "move b", "move c")
ARROW_HEAD = Path([(-0.6, 1.2), (0, 0), (0.6, 1.2)], [Path.MOVETO, Path.LINETO, Path.LINETO])


def morpion_game(variant: str, game: Playout) -> dict:
    """Step through a Morpion game; argument `moves`."""
    codes = game.codes

    def draw(fig, moves):
        views.draw_morpion(fig.subplots(), variant, [(codes, moves, f"{moves} lines")])

    def alt(moves):
        stuck = ", and no other can be drawn" if moves == len(codes) else ""
        return f"Morpion {variant} after move {moves}: {moves} lines{stuck}."

    return {"draw": draw, "alt": alt, "name": "record-game"}


def gallery(games: dict[str, Playout], records: dict[str, np.ndarray]) -> dict:
    """One game for each Morpion variant, a record beside it where `records` has its codes.

    Arguments `variant` and `part` of the games, in percent.
    """
    sides = {v: {"ours": game.codes} for v, game in games.items()}
    for variant, codes in records.items():
        sides[variant]["the record"] = codes

    def shown(variant, part):
        return [
            (whose, codes, round(part * len(codes) / 100))
            for whose, codes in sides[variant].items()
        ]

    def draw(fig, variant, part):
        pair = [(c, n, f"{variant}, {whose}: {n} lines") for whose, c, n in shown(variant, part)]
        views.draw_morpion(fig.subplots(), variant, pair)

    def alt(variant, part):
        return "; ".join(
            f"{variant}, {whose}: {n} of {len(codes)} lines"
            for whose, codes, n in shown(variant, part)
        )

    return {"draw": draw, "alt": alt, "name": "gallery"}


def roulette(weights) -> dict:
    """A softmax choice among three moves, probabilities end to end on [0, 1); argument `u`."""
    p = move_probabilities(weights)
    left = np.concatenate([[0.0], np.cumsum(p)[:-1]])

    def pick(u):
        return int(choose(np.exp(np.asarray(weights)), np.arange(3), u))

    def draw(fig, u):
        ax, picked = fig.subplots(), pick(u)
        colours = [views.CHOSEN if i == picked else views.PLAIN for i in range(3)]
        draw_boxes(ax, left, -0.25, p, 0.5, facecolors=colours, edgecolors="white")
        for i, middle in enumerate(left + p / 2):
            words = {"ha": "center", "va": "center", "color": EBONY if i == picked else IVORY}
            ax.text(middle, 0.085, MOVES[i], **words)
            ax.text(middle, -0.095, f"{p[i]:.2f}", **words)
        look = {"marker": ARROW_HEAD, "markevery": [0], "markersize": 13, "fillstyle": "none"}
        ax.plot([u, u], [0.26, 0.58], color="black", linewidth=1, clip_on=False, **look)
        ha = "center" if 0.1 < u < 0.9 else ("left" if u <= 0.1 else "right")
        ax.text(u, 0.62, f"u = {u:.2f}", ha=ha)
        ax.set(xlim=(0, 1), ylim=(-0.3, 0.85), yticks=[], xlabel="cumulative probability")
        ax.spines["left"].set_visible(False)
        ax.set_title(f"the playout plays {MOVES[picked]}")

    def alt(u):
        return f"u = {u:g} picks {MOVES[pick(u)]}."

    return {"draw": draw, "alt": alt, "name": "roulette"}


def adapt_steps() -> dict:
    """Steps of Adapt towards move b in one position; arguments `step` and `alpha`."""

    def policy(step, alpha):
        weights = np.zeros(3)
        for _ in range(step):
            weights = adapt(weights, [[0, 1, 2]], [1], alpha=alpha)
        return weights

    def draw(fig, **values):
        weights = policy(**values)
        left, right = fig.subplots(1, 2)
        limits = min(-4, 1.2 * weights.min()), max(6, 1.2 * weights.max())
        views.draw_bars(left, "abc", weights, ylabel="weight", ylim=limits, chosen=1)
        p = move_probabilities(weights)
        views.draw_bars(right, "abc", p, ylabel="probability", ylim=(0, 1.1), chosen=1)
        fig.suptitle(typeset(f"sum of the weights: {_sum(weights)}"))

    def alt(step, alpha):
        weights = policy(step, alpha)
        p = move_probabilities(weights)[1]
        return (
            f"Step {step}, alpha {alpha:g}: move b has weight {weights[1]:.3f} and probability "
            f"{p:.3f}; the sum of weights is {_sum(weights)}."
        )

    return {"draw": draw, "alt": alt, "name": "adapt-steps"}


def _sum(weights):
    return f"{round(weights.sum(), 2) + 0.0:.2f}"


def root(traces: dict, name: str) -> dict:
    """Entropy and root probabilities of recorded searches; argument `policy`."""

    def draw(fig, policy):
        trace = traces[policy]
        top, bottom = fig.subplots(2, 1, sharex=True)
        views.draw_entropy(top, trace)
        views.draw_stack(bottom, trace, trace.entropy.shape[1])
        top.set(xlabel="")

    def alt(policy):
        trace = traces[policy]
        low, name = np.mean(trace.entropy[:, 0] < 1), policy[0].upper() + policy[1:]
        return (
            f"{name}: level 1 starts at {trace.entropy[0, 0]:.2f} bits and ends at "
            f"{trace.entropy[-1, 0]:.2f}; it is below 1 bit {low:.0%} of the time. "
            f"Best score {trace.best[-1]:g}."
        )

    return {"draw": draw, "alt": alt, "name": name}


def playout_counts() -> dict:
    """What nesting costs; arguments `level` and `n`."""

    def draw(fig, level, n):
        ax, rows = fig.subplots(), np.arange(level)
        levels = rows + 1
        calls = n ** (level - levels)
        names = [f"level {i}: {_short(c)} × {n}" for i, c in zip(levels, calls, strict=True)]
        colours = views.LEVEL_COLOURS[:level]
        draw_boxes(ax, 1, rows - 0.4, calls * n - 1, 0.8, facecolors=colours)
        name_ticks(ax.yaxis, rows, names)
        aside = 0.4 + 0.05 * (level - 0.2)
        ax.set(xscale="log", xlim=(1, 1e11), ylim=(-aside, level - 1 + aside))
        ax.set_xlabel("adapts at each level: searches × N")
        views.name_decades(ax, 0, 10, step=2)
        fig.suptitle(f"{n**level:,} playouts,\n{sum(n**i for i in levels):,} adapts")

    def alt(level, n):
        return f"Level {level} with N = {n}: {n**level:,} playouts."

    return {"draw": draw, "alt": alt, "name": "playout-counts"}


def _short(count):
    return f"{count:,}" if count < 1_000_000 else f"{count / 1e6:,.6g} M"


def medians(runs: dict) -> np.ndarray:
    """Median best score at each checkpoint, over the short runs, too, as far as they go."""
    long, short = np.array(runs["long"]), np.array(runs["short"])
    n_short = short.shape[1]
    both = np.vstack([long[:, :n_short], short])
    return np.concatenate([np.median(both, axis=0), np.median(long[:, n_short:], axis=0)])


def methods(table: dict, known: dict[str, float]) -> dict:
    """Median best score against playouts for each method; arguments `problem` and `shown`.

    Costs of tours are shown in percent above the best one `known`.
    """
    points = np.array(table["checkpoints"])

    def curves(problem, shown):
        """Medians of the methods shown: lines drawn, or costs."""
        sign = -1 if problem in known else 1
        return {
            method: sign * medians(runs)
            for method, runs in table["best"][problem].items()
            if shown in ("all", method.split()[0])
        }

    def draw(fig, problem, shown):
        ax, best = fig.subplots(), known.get(problem)
        for method, y in curves(problem, shown).items():
            ax.plot(points, 100 * (y / best - 1) if best else y, label=method, **_style(method))
        label = "% above the best known cost" if best else "best lines"
        ax.set(xlabel="playouts", ylabel=label, xscale="log")
        views.name_decades(ax, *np.log10(points[[0, -1]]).round().astype(int))
        ax.legend()
        if best:
            # Tours with late cities cost a million more; they are above the picture.
            ax.set_yscale("symlog", linthresh=0.1)
            name_ticks(ax.yaxis, [0, 0.1, 1, 10], ["0", "0.1", "1", "10"])
            ax.set(ylim=(-0.02, 60))

    def alt(problem, shown):
        ends = ", ".join(f"{k} {y[-1]:.1f}" for k, y in curves(problem, shown).items())
        return f"{problem}, {shown}: median best after a million playouts: {ends}."

    return {"draw": draw, "alt": alt, "name": "methods"}


def _style(method):
    """Line of a method in all pictures: its family by dashes, its level by colour.

    Level 2 of NRPA is broad: up to N^2 playouts level 3 is the same search, drawn upon it.
    """
    family, *level = method.split()
    dashes = {"flat": ":", "NMCS": "--", "NRPA": "-"}[family]
    colour = views.LEVEL_COLOURS[int(level[0]) - 1] if level else views.PLAIN
    broad = {"linewidth": 6, "zorder": 1} if method == "NRPA 2" else {"linewidth": 1.8}
    return {"linestyle": dashes, "color": colour} | broad


def faults(table: dict) -> dict:
    """Scores with one fault beside those without; arguments `fault` and `level`."""
    levels = [str(setting[0]) for setting in table["settings"]]

    def scores(name, level):
        return np.array(table["scores"][name][levels.index(str(level))])

    def draw(fig, fault, level):
        both = [scores("none", level), scores(fault, level)]
        views.draw_runs(fig.subplots(), ["without", fault], both, chosen=1)

    def alt(fault, level):
        with_fault, without = scores(fault, level).mean(), scores("none", level).mean()
        return f"Level {level}, fault {fault}: mean {with_fault:.1f} instead of {without:.1f}."

    return {"draw": draw, "alt": alt, "name": "faults"}


def tours(instance: tsptw.Instance, places: np.ndarray, found: dict) -> dict:
    """Tour and time windows of named tours; argument `tour`."""

    def judged(tour):
        cities = found[tour]
        value = tsptw.evaluate(instance, cities)
        ends = instance.windows[[*cities, 0], 1]
        late = [c for c, t, end in zip(cities, value.arrival, ends, strict=False) if t > end]
        return cities, value, late

    def draw(fig, tour):
        cities, value, late = judged(tour)
        left, right = fig.subplots(2, 1, height_ratios=(1, 1.3))
        views.draw_tour(left, places, cities, late)
        views.draw_windows(right, instance, cities, value.arrival)
        fig.suptitle(f"cost {value.cost:g}, late {value.violations}")

    def alt(tour):
        cities, value, late = judged(tour)
        names = f"cities {', '.join(map(str, late))}" if late else "no city"
        return (
            f"Best from playout {tour} on, {len(cities)} cities: cost {value.cost:g}, {names} "
            f"late, home at {value.makespan:g}; {value.violations} late in all."
        )

    return {"draw": draw, "alt": alt, "name": "tours"}


def boards(table: dict) -> dict:
    """Scores of two players on each SameGame board; arguments `one` and `two`."""
    names, rows = list(table["scores"]), list(table["scores"].values())

    def of(player):
        return np.array([row[player] for row in rows])

    def draw(fig, one, two):
        ax, x = fig.subplots(), np.arange(len(rows))
        ax.vlines(x, of(one), of(two), color=views.GREY, linewidth=1.2, zorder=1)
        ax.scatter(x, of(one), s=50, color=views.PLAIN, label=one, zorder=3)
        ring = {"facecolor": "white", "edgecolor": views.CHOSEN, "linewidth": 2}
        ax.scatter(x, of(two), s=80, label=two, zorder=2, **ring)
        name_ticks(ax.xaxis, x, names)
        top = 1.05 * max(max(row.values()) for row in rows)
        ax.set(xlabel="board", ylabel="points", ylim=(0, top))
        ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, frameon=False)

    def alt(one, two):
        ahead = int((of(one) > of(two)).sum())
        return (
            f"{one}: {of(one).mean():,.0f} points on average; {two}: {of(two).mean():,.0f}. "
            f"The first is ahead on {ahead} of {len(rows)} boards."
        )

    return {"draw": draw, "alt": alt, "name": "samegame-boards"}


def step_sizes(table: dict) -> dict:
    """Scores for each alpha, and their runs; argument `alpha`."""
    names, runs = list(table["scores"]), list(table["scores"].values())

    def draw(fig, alpha):
        ax, chosen = fig.subplots(), names.index(str(alpha))
        views.draw_runs(ax, names, runs, ylim=(55, 80), chosen=chosen)
        ax.set_xlabel("alpha")

    def alt(alpha):
        scores = table["scores"][str(alpha)]
        mean, spread = np.mean(scores), np.std(scores, ddof=1)
        return f"alpha = {alpha:g}: mean {mean:.1f}, standard deviation {spread:.1f}."

    return {"draw": draw, "alt": alt, "name": "step-sizes"}


def comparisons(table: dict) -> dict[str, list]:
    """What `levels` can compare, by name: pairs of level and N of equal playouts, or of equal N."""
    grid = table["plain"]
    equal = {f"{int(n):,} playouts": pairs for n, pairs in table["equal"].items()}
    return equal | {f"N = {n}": [(k, n) for k in grid["levels"]] for n in grid["n_iterations"]}


def levels(table: dict) -> dict:
    """Scores of each level, at equal playouts or equal N; argument `compare`, of `comparisons`."""
    compared = comparisons(table)

    def rows(compare):
        return [(level, n, table["runs"][str(level)][str(n)]) for level, n in compared[compare]]

    def draw(fig, compare):
        scores = [run["scores"] for *_, run in rows(compare)]
        labels = [f"level {level}\nN = {n:,}" for level, n in compared[compare]]
        best = int(np.argmax(np.mean(scores, axis=1)))
        views.draw_runs(fig.subplots(), labels, scores, chosen=best)

    def alt(compare):
        each = "; ".join(
            f"level {level} {np.mean(run['scores']):.1f} (N = {n:,}, {run['n_playouts']:,} "
            "playouts)"
            for level, n, run in rows(compare)
        )
        return f"Mean lines of {table['seeds'][1]} runs: {each}."

    return {"draw": draw, "alt": alt, "name": "levels"}


def reported(runs: dict[float, list]) -> dict:
    """What searches report beside what their games are worth; argument `noise`.

    `runs` has the reported and the true scores for each noise.
    """

    def draw(fig, noise):
        ax, labels = fig.subplots(), ["reported", "in truth"]
        views.draw_runs(ax, labels, runs[noise], ylabel="lefts", ylim=(10, 58))
        ax.axhline(30, color="black", linestyle=":", linewidth=1)

    def alt(noise):
        said, truth = np.mean(runs[noise], axis=1)
        return (
            f"Noise {noise:g}: the searches report {said:.1f} lefts on average, "
            f"and their games have {truth:.1f} in truth."
        )

    return {"draw": draw, "alt": alt, "name": "reported"}
