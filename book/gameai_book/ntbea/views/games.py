"""Pictures of games, of their results, and of what a few of them tell."""

import numpy as np
from matplotlib.patches import Circle

from gameai_book.ntbea.views.parts import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    draw_bars,
    draw_key,
    points_from,
)
from gameai_lib.ntbea.game.space_battle import WIDTH
from touchbook.figure.markup import typeset
from touchbook.figure.parts import name_ticks


def draw_results(ax, results):
    """One square for every game, in a row in the order played; results are 1, ½ or 0."""
    looks = {1: (BLUE, "W"), 0.5: (GREY, "D"), 0: (ORANGE, "L")}
    colours, letters = zip(*(looks[float(result)] for result in results), strict=True)
    ax.scatter(range(len(results)), np.zeros(len(results)), s=900, marker="s", color=colours)
    for i, letter in enumerate(letters):
        ax.text(i, -0.02, letter, ha="center", va="center", color="white", fontweight="bold")
    ax.set(xlim=(-0.6, len(results) - 0.4), ylim=(-1.6, 0.8))
    ax.set_axis_off()
    names = "far-sighted wins", "draw", "near-sighted wins"
    entries = [(name, "s", look[0]) for name, look in zip(names, looks.values(), strict=True)]
    draw_key(ax, entries, (0.5, 0), at=(-66, 46))
    ax.set_title(typeset(f"{len(results)} other games: mean {np.mean(results):.1f}"))
    return ax


def draw_first_games(ax, games, n):
    """Mean of the first `n` games of every set of rules beside that of all, sorted by the latter.

    `games`, (n_sets, n_games) float, are results of 1, ½ or 0; the best mean gets a star.
    """
    truth, seen = games.mean(axis=1), games[:, :n].mean(axis=1)
    place = np.argsort(np.argsort(truth))
    pick = int(seen.argmax())
    ax.plot(np.sort(truth), color=GREY, lw=3)
    ax.plot(place, seen, "o", color=BLUE)
    ax.plot(place[pick], seen[pick], "*", color=ORANGE, ms=22, mec="black")
    ax.axhline(0.5, color="black", lw=0.8)
    ax.set(xlabel="sets of rules, worst to best", ylabel="mean result", ylim=(-0.05, 1.05))
    seen_as = f"mean of the first {n}", "o", BLUE
    entries = [(f"mean of {games.shape[1]} games", "line", GREY), seen_as]
    draw_key(ax, [*entries, ("you would pick this", "*", ORANGE)])
    return ax


def draw_chances(ax, games, curves, gap, star):
    """Chance of the right choice by the number of games, a curve for each gap in win rate.

    `curves` maps gaps to the chances after each of `games`; that of `gap` is bold, and the pair
    `star`, games and chance, is marked.
    """
    colours = [BLUE, ORANGE, GREEN, "#CC79A7", "#E69F00"]
    entries = []
    for (g, chances), colour in zip(curves.items(), colours, strict=False):
        look = {"marker": "o", "lw": 3} if g == gap else {"lw": 1}
        ax.plot(np.log10(games), chances, color=colour, **look)
        entries.append((f"{g:.2f}", "line" if g == gap else "thin", colour))
    ax.plot(np.log10(star[0]), star[1], "*", ms=22, color="black")
    decades = range(int(np.log10(max(games))) + 1)
    name_ticks(ax.xaxis, decades, [f"{10**decade}" for decade in decades])
    ax.set(ylim=(0.48, 1.02), xlabel="games with each", ylabel="right choice")
    ax.text(8, 0, "gap in win rate", transform=points_from(ax, (0, 1)), va="top")
    draw_key(ax, entries, at=(22, -30))
    return ax


def draw_battle(ax, battle, frame, radius, *, follow=False):
    """One frame of a `Battle`: ships with headings, missiles below them, and points.

    With `follow` the first ship stays in the middle of the square, whose edges join.
    """
    moved = 0.5 * WIDTH - battle.ships[frame, 0, :2] if follow else np.zeros(2)
    for player, (colour, name) in enumerate(((BLUE, "far"), (ORANGE, "near"))):
        x, y = (battle.ships[frame, player, :2] + moved) % WIDTH
        heading = battle.ships[frame, player, 4]
        look = {"facecolor": colour, "edgecolor": colour, "alpha": 0.5, "zorder": 2}
        ax.add_patch(Circle((x, y), radius, **look))
        nose = [x, x + 1.5 * radius * np.cos(heading)], [y, y + 1.5 * radius * np.sin(heading)]
        ax.plot(*nose, color=colour, lw=3, zorder=2.5)
        live = battle.missiles[frame, player, :, 4] > 0
        missiles = (battle.missiles[frame, player, live, :2] + moved) % WIDTH
        ax.plot(*missiles.T, "os"[player], color=colour, ms=4, zorder=1.5)
        points = battle.points[frame, player]
        side = ("left", "right")[player]
        ax.set_title(typeset(f"{name}: {points:.0f}"), loc=side, color=colour, fontweight="bold")
    ax.set(xlim=(0, WIDTH), ylim=(0, WIDTH), aspect="equal", xticks=[], yticks=[])
    ax.spines[:].set_visible(True)
    return ax


def draw_planets(ax, game, frame):
    """One frame of a Planet Wars `Game`: ships on ten planets, buffers and focus."""
    ships = game.ships[frame]
    colours = np.where(ships > 0, BLUE, np.where(ships < 0, ORANGE, GREY))
    draw_bars(ax, np.arange(len(ships)), ships, 0.8, colours)
    for player, (mark, y) in enumerate((("▲", -0.06), ("▼", 1.02))):
        x, look = (game.focus[frame, player] + 0.5) / 10, {"ha": "center", "fontsize": 15}
        ax.text(x, y, mark, transform=ax.transAxes, color=(BLUE, ORANGE)[player], **look)
    top = max(10.0, float(np.abs(game.ships).max()))
    ax.axhline(0, color="black", lw=0.8)
    ax.set(xlim=(-0.5, 9.5), ylim=(-top, top), xticks=[], ylabel="ships")
    a, b = game.buffers[frame]
    words = f"in flight {a:.0f} : {b:.0f}     lead on planets {ships.sum():+.0f}"
    ax.set_title(typeset(words), pad=20)
    return ax
