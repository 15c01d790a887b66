"""Pictures of landscape models, searches and their games; they draw and compute nothing new."""

import numpy as np
from matplotlib.patches import Circle

from gameai_lib.ntbea.game.space_battle import WIDTH

# Okabe and Ito's colours; each is told apart by place or shape as well.
BLUE, ORANGE, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#9A9A9A"


def draw_results(ax, results, names=("far-sighted wins", "draw", "near-sighted wins")):
    """One square for every game, in a row in the order played; results are 1, 0 or -1."""
    for i, result in enumerate(results):
        colour, letter = {1: (BLUE, "W"), 0: (GREY, "D"), -1: (ORANGE, "L")}[int(result)]
        ax.scatter(i, 0, s=900, marker="s", color=colour)
        ax.text(i, -0.02, letter, ha="center", va="center", color="white", fontweight="bold")
    for colour, name in zip((BLUE, GREY, ORANGE), names, strict=True):
        ax.scatter([], [], s=120, marker="s", color=colour, label=name)
    ax.set(xlim=(-0.6, len(results) - 0.4), ylim=(-1.6, 0.8))
    ax.axis("off")
    ax.legend(loc="lower center", fontsize=11, handletextpad=0.2)
    ax.set_title(f"{len(results)} other games: mean {np.mean(results):+.1f}")
    return ax


def draw_first_games(ax, games, n):
    """Mean of the first `n` games of every setting beside the mean of all, sorted by the latter.

    Parameters
    ----------
    ax : matplotlib Axes
    games : (n_settings, n_games) int array
        Results of single games, 1, 0 or -1.
    n : int
        Games seen of each setting; the one with the best mean of those gets a star.
    """
    truth, seen = games.mean(axis=1), games[:, :n].mean(axis=1)
    place = np.argsort(np.argsort(truth))
    pick = int(seen.argmax())
    ax.plot(np.sort(truth), color=GREY, lw=3, label=f"mean of {games.shape[1]} games")
    ax.plot(place, seen, "o", color=BLUE, label=f"mean of the first {n}")
    ax.plot(
        place[pick], seen[pick], "*", color=ORANGE, ms=22, mec="black", label="you would pick this"
    )
    ax.axhline(0, color="black", lw=0.8)
    ax.set(xlabel="settings, worst to best", ylabel="mean result", ylim=(-1.1, 1.1))
    ax.legend(fontsize=10, loc="upper left")
    return ax


def draw_bandit(ax, pull, truth, names):
    """Bars of mean and bonus for every arm before a pull, with the true means as marks."""
    x = np.arange(len(names))
    ax.bar(x, pull.mean, color=BLUE, width=0.6, label="mean so far")
    ax.bar(x, pull.bonus, bottom=pull.mean, color="#A9CCE3", width=0.6, label="exploration bonus")
    ax.scatter(x, truth, marker="D", color=ORANGE, zorder=3, label="true win rate (hidden)")
    top = pull.mean + pull.bonus
    for i, n in enumerate(pull.n):
        ax.text(i, top[i] + 0.03, f"n = {n}", ha="center", va="bottom")
    ax.set_xticks(x, [f"▸ {n} ◂" if i == pull.arm else n for i, n in enumerate(names)])
    ax.set(ylim=(0, 2.3), ylabel="mean + bonus")
    ax.legend(loc="upper right", fontsize=10)
    return ax


def draw_grid(ax, values, title, *, mark=None, limits=None, fmt="{:.1f}", cmap="cividis"):
    """Numbers of a two-dimensional landscape; nan stays grey, `mark` is outlined.

    Parameters
    ----------
    ax : matplotlib Axes
    values : (n_first, n_second) float array
    title : str
    mark : pair of int, optional
        The cell to outline.
    limits : pair of float, optional
        Values of the darkest and lightest colour.
    fmt : str
        How a number is written.
    cmap : str
        Name of the colour map.

    Returns
    -------
    matplotlib Axes
    """
    shown = np.ma.masked_invalid(values)
    low, high = limits or (float(shown.min()), float(shown.max()))
    ax.patch.set(facecolor="#F2F2F2", edgecolor="#BBBBBB", hatch="///")
    ax.imshow(shown, cmap=cmap, vmin=low, vmax=high)
    for (row, column), value in np.ndenumerate(values):
        if np.isfinite(value):
            light = (value - low) / max(high - low, 1e-9) > 0.55
            colour = "black" if light else "white"
            ax.text(
                column, row, fmt.format(value), ha="center", va="center", color=colour, fontsize=10
            )
    if mark is not None:
        ax.plot(mark[1], mark[0], "s", markersize=24, mfc="none", mec=ORANGE, mew=3)
    ax.set_title(title, loc="left", fontsize=12)
    ax.set_xticks([])
    ax.set_yticks([])
    return ax


def draw_margins(ax, arms, title, *, mark=None):
    """Means and counts of a model of two dimensions, its 1-tuples along the edges.

    Parameters
    ----------
    ax : matplotlib Axes
    arms : three Arms
        Of dimension 0, of dimension 1, and of the pair.
    title : str
    mark : pair of int, optional
        The cell to outline.
    """
    first, second, pair = arms
    rows, columns = pair.n.shape
    mean = np.full((rows + 1, columns + 1), np.nan)
    mean[:rows, :columns] = pair.mean
    mean[:rows, columns] = first.mean
    mean[rows, :columns] = second.mean
    draw_grid(ax, mean, title, mark=mark, limits=(0, 1))
    counts = [((r, columns), n) for r, n in enumerate(first.n)]
    counts += [((rows, c), n) for c, n in enumerate(second.n)]
    for (row, column), n in [*np.ndenumerate(pair.n), *counts]:
        colour = "white" if mean[row, column] < 0.55 else "black"
        place = column + 0.45, row + 0.45
        ax.text(*place, n, ha="right", va="bottom", fontsize=8, color=colour if n else GREY)
    for edge in (ax.axhline, ax.axvline):
        edge(rows - 0.5, color="white", lw=4)
    return ax


def draw_marginals(fig, model, truth=None, title=""):
    """One panel a parameter: what its 1-tuple has learned, and the true marginals if given.

    Parameters
    ----------
    fig : matplotlib Figure
    model : LandscapeModel
        With 1-tuples.
    truth : (n_values of each dimension) float array, optional
        True fitness of every point, one axis a dimension.
    title : str
    """
    space = model.space
    widths = [len(v) + 1 for v in space.values]
    axes = fig.subplots(1, space.n_dims, sharey=True, width_ratios=widths)
    for dim, ax in enumerate(axes):
        arms = model.arms((dim,))
        seen = np.flatnonzero(arms.n)
        mean, n = arms.mean[seen], arms.n[seen]
        error = np.nan_to_num(arms.std[seen] / np.sqrt(n))
        ax.bar(seen, mean + 1, bottom=-1, color=BLUE, width=0.7, label="learned")
        ax.errorbar(seen, mean, error, fmt="_", color="black", lw=1.5, ms=9)
        if truth is not None:
            others = tuple(d for d in range(space.n_dims) if d != dim)
            ax.plot(truth.mean(axis=others), "D", color=ORANGE, label="true mean")
        for i, games in zip(seen, n, strict=True):
            ax.text(i, 1.1, games, ha="center", va="top", fontsize=9)
        words = [str(v)[0] if isinstance(v, bool) else str(v) for v in space.values[dim]]
        narrow = len(words) > 6 and max(map(len, words)) > 1
        ax.set_xticks(range(len(words)), words, fontsize=10, rotation=90 if narrow else 0)
        ax.set_xlabel(space.names[dim].replace("_", "\n"), fontsize=11)
        ax.set_ylim(-1.06, 1.12)  # a value that always lost still shows its mark
    axes[0].set_ylabel("mean result")
    if truth is not None:
        fig.legend(*axes[0].get_legend_handles_labels(), loc="outside lower right", ncols=2)
    fig.suptitle(title, fontsize=13)


def draw_choice(ax, step, n_shown=12):
    """The best neighbours of one step: mean and exploration stacked, the chosen one marked."""
    bound = step.mean + step.k * step.explore
    order = np.argsort(-bound)[:n_shown]
    x = np.arange(len(order))
    ax.bar(x, step.mean[order], color=BLUE, width=0.75, label="mean")
    bonus = step.k * step.explore[order]
    bottom = np.where(step.mean[order] < 0, 0, step.mean[order])
    ax.bar(x, bonus, bottom=bottom, color="#A9CCE3", width=0.75, label="k × explore")
    ax.plot(x, bound[order], "_", color="black", markersize=18, mew=2.5, label="UCB, their sum")
    chosen = (step.neighbours[order] == step.point).all(axis=1)
    labels = ["".join(str(v) for v in step.neighbours[i]) for i in order]
    ax.set_xticks(x, labels, rotation=60, ha="right", fontsize=10, family="monospace")
    for i in np.flatnonzero(chosen):
        ax.get_xticklabels()[i].set(color=ORANGE, fontweight="bold")
        ax.plot(i, bound[order[i]], "v", color=ORANGE, markersize=12, label="chosen")
    ax.axhline(0, color="black", lw=0.8)
    ax.margins(y=0.12)
    ax.legend(fontsize=10, ncols=4, loc="lower center", bbox_to_anchor=(0.5, 1.08), frameon=False)
    return ax


def draw_landscape(ax, mean, error, *, evaluated=None, recommended=None):
    """All points sorted by true value with error bars, and how often each was evaluated.

    Parameters
    ----------
    ax : matplotlib Axes
    mean, error : (n_points,) float arrays
        True value and its standard error.
    evaluated : (n_points,) int array, optional
        Evaluations of each point; shown as the area of a circle.
    recommended : int, optional
        The point recommended.
    """
    order = np.argsort(mean)
    place = np.argsort(order)
    ax.errorbar(place, mean, 2 * error, fmt=".", color=GREY, ms=3, lw=0.6, label="true ± 2 se")
    if evaluated is not None:
        seen = evaluated > 0
        ax.scatter(
            place[seen],
            mean[seen],
            s=14 * evaluated[seen],
            color=BLUE,
            alpha=0.6,
            zorder=3,
            label="evaluated (area: how often)",
        )
    if recommended is not None:
        ax.plot(
            place[recommended],
            mean[recommended],
            "*",
            color=ORANGE,
            ms=20,
            mec="black",
            zorder=4,
            label="recommended",
        )
    ax.set(xlabel="all points, worst to best", ylabel="mean result")
    ax.legend(fontsize=10, loc="upper left")
    return ax


def draw_contest(ax, cells, highlight="tune", best=None):
    """Means ± standard errors of all entrants, best on top.

    An entrant some of whose runs crashed is drawn hollow, with their number: its mean leaves
    them out.

    Parameters
    ----------
    ax : matplotlib Axes
    cells : dict of str to Cell
        The entrants at one problem and budget.
    highlight : str
        The entrant in another colour.
    best : float, optional
        Largest value possible, drawn as a line.
    """
    ranked = sorted(cells.items(), key=lambda item: item[1].mean)
    for y, (entrant, cell) in enumerate(ranked):
        colour = ORANGE if entrant == highlight else BLUE
        inside = "white" if cell.crashes else colour
        ax.errorbar(
            cell.mean, y, xerr=cell.standard_error, fmt="o", color=colour, mfc=inside, ms=7, lw=2.5
        )
    names = [
        f"{entrant} ({cell.crashes} of {cell.runs} crashed)" if cell.crashes else entrant
        for entrant, cell in ranked
    ]
    ax.set_yticks(range(len(ranked)), names, fontsize=11)
    for label, (entrant, _) in zip(ax.get_yticklabels(), ranked, strict=True):
        label.set_fontweight("bold" if entrant == highlight else "normal")
    if best is not None:
        ax.axvline(best, color=GREEN, ls="--", lw=1.5)
    ax.set_xlabel("true value of the recommendation (mean ± se)")
    ax.grid(axis="y", color="#EEEEEE")
    return ax


def draw_dial(ax, values, cells, best, *, xlabel):
    """What searches recommend for each value of a dial: means ± standard errors.

    Parameters
    ----------
    ax : matplotlib Axes
    values : sequence
        Values of the dial.
    cells : sequence of Cell
        The searches at each value.
    best : float
        Largest value possible, drawn as a line.
    xlabel : str
    """
    x = range(len(cells))
    errors = [cell.standard_error for cell in cells]
    ax.errorbar(x, [cell.mean for cell in cells], errors, fmt="o-", capsize=3)
    ax.axhline(best, color=GREEN, ls="--")
    ax.set_xticks(x, [str(value) for value in values])
    ax.set(xlabel=xlabel, ylabel="true value recommended")
    return ax


def draw_battle(ax, battle, frame, radius, *, follow=False):
    """One frame of a `Battle`: ships with headings, missiles and points.

    With `follow` the first ship stays in the middle of the square, whose edges join.
    """
    moved = 0.5 * WIDTH - battle.ships[frame, 0, :2] if follow else np.zeros(2)
    for player, (colour, name) in enumerate(((BLUE, "far"), (ORANGE, "near"))):
        x, y = (battle.ships[frame, player, :2] + moved) % WIDTH
        heading = battle.ships[frame, player, 4]
        ax.add_patch(Circle((x, y), radius, facecolor=colour, alpha=0.35, edgecolor=colour))
        ax.plot(
            [x, x + 1.5 * radius * np.cos(heading)],
            [y, y + 1.5 * radius * np.sin(heading)],
            color=colour,
            lw=3,
        )
        live = battle.missiles[frame, player, :, 4] > 0
        missiles = (battle.missiles[frame, player, live, :2] + moved) % WIDTH
        ax.plot(*missiles.T, "os"[player], color=colour, ms=6)
        points = battle.points[frame, player]
        side = ("left", "right")[player]
        ax.set_title(f"{name}: {points:.0f}", loc=side, color=colour, fontweight="bold")
    ax.set(xlim=(0, WIDTH), ylim=(0, WIDTH), aspect="equal", xticks=[], yticks=[])
    ax.spines[:].set_visible(True)
    return ax


def draw_planets(ax, game, frame):
    """One frame of a Planet Wars `Game`: ships on ten planets, buffers and focus."""
    ships = game.ships[frame]
    colours = np.where(ships > 0, BLUE, np.where(ships < 0, ORANGE, GREY))
    ax.bar(range(len(ships)), ships, color=colours)
    for player, (mark, y) in enumerate((("▲", -0.06), ("▼", 1.02))):
        ax.text(
            (game.focus[frame, player] + 0.5) / 10,
            y,
            mark,
            transform=ax.transAxes,
            ha="center",
            color=(BLUE, ORANGE)[player],
            fontsize=15,
        )
    top = max(10.0, float(np.abs(game.ships).max()))
    ax.axhline(0, color="black", lw=0.8)
    ax.set(xlim=(-0.5, 9.5), ylim=(-top, top), xticks=[], ylabel="ships")
    a, b = game.buffers[frame]
    ax.set_title(f"in flight {a:.0f} : {b:.0f}     planets {ships.sum():+.0f}", fontsize=12, pad=20)
    return ax
