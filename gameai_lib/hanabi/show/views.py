"""Pictures of Hanabi hands, beliefs and belief errors; they draw and compute nothing new."""

from textwrap import fill

import matplotlib as mpl
import numpy as np
from matplotlib.patches import FancyBboxPatch, Rectangle

from gameai_lib.hanabi.game.rules import COLOURS, MAX_HINTS, N_CARDS, N_RANKS, NO_CARD, card_name

# Told apart by colour-blind readers; the letter is written on every card all the same.
CARD_COLOURS = ("#E8743B", "#F0E442", "#3FB68B", "#FFFFFF", "#6DB9EC")
# One colour for each belief, whatever the picture.
BELIEF_COLOURS = {
    "V0": "#E69F00",
    "plain V1": "#56B4E9",
    "V1": "#0072B2",
    "exact": "#444444",
    "BB": "#D55E00",
    "V2": "#CC79A7",
    "exact with L": "#009E73",
}
TRUTH = "#D55E00"
IMPOSSIBLE = "#D4D4D4"


def draw_belief(ax, belief, *, row_names=None, truth=None, card_names=None, title=""):
    """Heat map of a belief, one row per slot; grey cells are impossible.

    Parameters
    ----------
    ax : matplotlib Axes
    belief : (n_rows, n_cards) float array
        Up to 26 columns; a 26th, "no card", is left out.
    row_names : sequence of str, optional
        ``slot 0``, ``slot 1``, ... if left out.
    truth : sequence of int, optional
        True card of each row, outlined; `NO_CARD` outlines nothing.
    card_names : sequence of str, optional
        Names of the columns; Hanabi's 25 cards if left out. With up to eight columns the
        probabilities are written into the cells.
    title : str

    Returns
    -------
    matplotlib Axes
    """
    rows = np.asarray(belief)[:, :N_CARDS]
    shown = np.ma.masked_where(np.abs(rows) < 1e-9, rows)
    cmap = mpl.colormaps["Blues"].with_extremes(bad=IMPOSSIBLE)
    image = ax.imshow(shown, cmap=cmap, vmin=0, vmax=1, aspect="auto")
    ax.set_yticks(range(len(rows)), row_names or [f"slot {i}" for i in range(len(rows))])
    # The names of the colours stand above the picture, too.
    ax.set_title(title, loc="left", pad=6 if card_names else 24)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    _name_columns(ax, rows.shape[1], card_names)
    _draw_cell_lines(ax, *rows.shape)
    if rows.shape[1] <= 8:
        _write_values(ax, rows)
    else:
        # Ten steps, not a run of shades: the pictures of the built book have few colours.
        steps = {"boundaries": np.linspace(0, 1, 11), "values": np.linspace(0.05, 0.95, 10)}
        key = ax.figure.colorbar(
            image, ax=ax, ticks=[0, 0.5, 1], fraction=0.025, pad=0.015, **steps
        )
        key.set_label("probability", fontsize=10)
        key.ax.tick_params(labelsize=10)
        key.outline.set_visible(False)
    for row, card in enumerate(truth if truth is not None else ()):
        if card != NO_CARD:
            ax.add_patch(
                Rectangle(
                    (card - 0.5, row - 0.5),
                    1,
                    1,
                    fill=False,
                    edgecolor=TRUTH,
                    linewidth=2.5,
                    clip_on=False,
                    zorder=5,
                )
            )
    return ax


def _name_columns(ax, n_cards, card_names):
    if card_names is not None:
        ax.set_xticks(range(n_cards), card_names)
        return
    ax.set_xticks(range(n_cards), [str(f % N_RANKS + 1) for f in range(n_cards)], fontsize=10)
    for colour, letter in enumerate(COLOURS):
        middle = colour * N_RANKS + (N_RANKS - 1) / 2
        ax.text(middle, -0.62, letter, ha="center", va="bottom", fontweight="bold", clip_on=False)
        ax.axvline(colour * N_RANKS - 0.5, color="white", linewidth=4)


def _draw_cell_lines(ax, n_rows, n_columns):
    ax.hlines(np.arange(1, n_rows) - 0.5, -0.5, n_columns - 0.5, color="white", linewidth=1)
    ax.vlines(np.arange(1, n_columns) - 0.5, -0.5, n_rows - 0.5, color="white", linewidth=0.5)
    ax.set(xlim=(-0.5, n_columns - 0.5), ylim=(n_rows - 0.5, -0.5))


def _write_values(ax, rows):
    for (row, card), value in np.ndenumerate(rows):
        colour = "white" if value > 0.6 else "black"
        text = "0" if abs(value) < 1e-9 else f"{value:.3f}"
        ax.text(card, row, text, ha="center", va="center", color=colour, fontsize=11)


def draw_knowledge(ax, candidates, hint_mask, *, previous=None, row_names=None):
    """What everybody knows: the counts C above the hint mask HM, one row per slot.

    Parameters
    ----------
    ax : matplotlib Axes
    candidates : (n_cards,) int array
        Written above the columns.
    hint_mask : (n_slots, n_cards) bool array
        Blue where the hints still allow the card, grey where they do not.
    previous : pair of candidates and hint_mask, optional
        What has changed since is orange.
    row_names : sequence of str, optional

    Returns
    -------
    matplotlib Axes
    """
    counts, mask = np.asarray(candidates)[:N_CARDS], np.asarray(hint_mask)[:, :N_CARDS]
    old_counts, old_mask = previous or (candidates, hint_mask)
    colours = np.where(mask, 1, 0)
    colours[mask != np.asarray(old_mask)[:, :N_CARDS]] += 2
    # Orange twice: light where a card was ruled out, dark where one has become possible.
    cmap = mpl.colors.ListedColormap([IMPOSSIBLE, "#9ECAE1", "#F4C28F", TRUTH])
    ax.imshow(colours, cmap=cmap, vmin=-0.5, vmax=3.5, aspect="auto")
    ax.set_yticks(range(len(mask)), row_names or [f"slot {i}" for i in range(len(mask))])
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    _name_columns(ax, mask.shape[1], None)
    _draw_cell_lines(ax, *mask.shape)
    for card, count in enumerate(counts):
        changed = count != np.asarray(old_counts)[card]
        ax.text(
            card, len(mask) + 0.75, count, ha="center", fontsize=11, clip_on=False,
            color=TRUTH if changed else "black", fontweight="bold" if changed else "normal",
        )  # fmt: skip
    ax.text(-0.8, len(mask) + 0.75, "copies C", ha="right", fontsize=11, clip_on=False)
    return ax


def draw_state(ax, state, *, previous=None, hide=None):
    """The table: every hand with what its hints allow, fireworks, tokens, deck and discards.

    Parameters
    ----------
    ax : matplotlib Axes
    state : State
    previous : State, optional
        What the last move changed since is outlined.
    hide : int, optional
        A player whose cards are shown face down, or -1 for all players.

    Returns
    -------
    matplotlib Axes
    """
    bottom = -1.9 * state.n_players
    ax.set(xlim=(-1.5, state.hand_size - 0.4), ylim=(bottom - 1.1, 0.6))
    ax.axis("off")
    for player, hand in enumerate(state.hands):
        y = -1.9 * player
        to_move = " ▸" if player == state.player and not state.is_over else ""
        ax.text(-1.5, y, f"player {player}{to_move}", va="center", fontsize=12)
        for slot, card in enumerate(hand):
            face_up = hide not in (player, -1)
            changed = previous is not None and _changed(previous, state, player, slot)
            _draw_card(ax, slot, y, card if face_up else None, changed)
            known = _known(state.hint_mask[player, slot])
            ax.text(
                slot, y - 0.93, known, ha="center", va="center", fontsize=10, family="monospace"
            )
    _draw_table(ax, state, y=bottom + 0.35)
    return ax


def _changed(before, now, player, slot):
    if before.hands[player] != now.hands[player]:
        # A card was taken out: only the newly drawn one, at the end, is outlined.
        return len(before.deck) != len(now.deck) and slot == len(now.hands[player]) - 1
    return not np.array_equal(before.hint_mask[player, slot], now.hint_mask[player, slot])


def _known(mask):
    allowed = mask[:N_CARDS].reshape(len(COLOURS), N_RANKS)
    colours = "".join(c if ok else "·" for c, ok in zip(COLOURS, allowed.any(1), strict=True))
    ranks = "".join(str(r + 1) if ok else "·" for r, ok in enumerate(allowed.any(0)))
    return f"{colours}\n{ranks}"


def _draw_card(ax, x, y, card, outlined):
    face = "#B8B8B8" if card is None else CARD_COLOURS[card // N_RANKS]
    edge, width = (TRUTH, 3) if outlined else ("#444444", 1)
    box = FancyBboxPatch(
        (x - 0.33, y - 0.5), 0.66, 1.0, boxstyle="round,pad=0,rounding_size=0.1",
        facecolor=face, edgecolor=edge, linewidth=width,
    )  # fmt: skip
    ax.add_patch(box)
    name = "?" if card is None else card_name(card)
    ax.text(x, y, name, ha="center", va="center", fontsize=13, fontweight="bold", color="black")


def _draw_table(ax, state, y):
    built = " ".join(f"{c}{h}" for c, h in zip(COLOURS, state.fireworks, strict=True))
    gone = [card_name(f) for f in range(N_CARDS) for _ in range(state.discards[f])]
    text = (
        f"fireworks {built}   score {state.score}   deck {state.n_deck}\n"
        f"hints {state.n_hints} of {MAX_HINTS}   lives {state.n_lives}\n"
        f"discarded {' '.join(gone[:11]) or 'nothing'}\n{' '.join(gone[11:24])}"
    )
    ax.text(-1.5, y, text, va="top", ha="left", fontsize=11, linespacing=1.45)


def draw_overbooking(ax, belief, candidates):
    """Expected copies of each card over all slots against the copies that exist.

    Parameters
    ----------
    ax : matplotlib Axes
    belief : (n_slots, n_cards) float array
    candidates : (n_cards,) int array

    Returns
    -------
    matplotlib Axes
    """
    expected = np.asarray(belief).sum(axis=0)[:N_CARDS]
    counts = np.asarray(candidates)[:N_CARDS]
    places = np.arange(len(expected))
    within = np.minimum(expected, counts)
    ax.bar(places, counts, width=0.9, facecolor="none", edgecolor="black", label="exist")
    ax.bar(places, within, width=0.6, color="#0072B2", label="expected")
    ax.bar(
        places, expected - within, width=0.6, bottom=within, color=TRUTH, hatch="//",
        edgecolor="white", label="too many",
    )  # fmt: skip
    ax.set(ylabel="copies in the hands", xlim=(-0.6, len(places) - 0.4), ylim=(0, 3.6))
    ax.set_xticks(places, [card_name(f) for f in places], rotation=90, fontsize=10)
    ax.legend(loc="upper right", fontsize=10, ncols=1)
    return ax


def draw_series(ax, x, series, *, xlabel, ylabel, at=None):
    """Lines named in a legend, each with its own marker; a vertical line at `at`.

    Parameters
    ----------
    ax : matplotlib Axes
    x : (n,) sequence of float
    series : dict of str to (n,) sequence of float
    xlabel, ylabel : str
    at : float, optional

    Returns
    -------
    matplotlib Axes
    """
    for (name, values), marker in zip(series.items(), "osD^vPX", strict=False):
        colour = BELIEF_COLOURS.get(name)
        ax.plot(x, values, marker=marker, markersize=5, label=name, color=colour)
    ax.xaxis.get_major_locator().set_params(integer=all(v == int(v) for v in x))
    if at is not None:
        ax.axvline(at, color="#666666", linestyle=":")
    ax.set(xlabel=xlabel, ylabel=ylabel)
    ax.legend(fontsize=11)
    return ax


def draw_cell(ax, values, exact):
    """One cell of an iterated belief; what is no probability is shaded.

    Parameters
    ----------
    ax : matplotlib Axes
    values : sequence of float
        The cell after 0, 1, ... iterations.
    exact : float
        Drawn as a dashed line.

    Returns
    -------
    matplotlib Axes
    """
    draw_series(ax, range(len(values)), {"V1": values}, xlabel="iteration", ylabel="probability")
    ax.axhline(exact, color="black", linestyle="--", label="exact")
    low, high = min(-0.05, *ax.get_ylim()), max(1.05, *ax.get_ylim())
    ax.axhspan(low, 0, color="#F4C28F", alpha=0.5, label="not a probability")
    ax.axhspan(1, high, color="#F4C28F", alpha=0.5)
    ax.set_ylim(low, high)
    # Above the picture: the curve may run anywhere inside.
    ax.legend(fontsize=11, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3, frameon=False)
    return ax


def draw_bars(ax, names, series, *, ylabel):
    """Groups of bars: for each name one bar of every series.

    Parameters
    ----------
    ax : matplotlib Axes
    names : sequence of str
    series : dict of str to (values, errors) or values
        Errors, where given, are drawn as standard errors.
    ylabel : str

    Returns
    -------
    matplotlib Axes
    """
    width = 0.8 / len(series)
    for k, (label, values) in enumerate(series.items()):
        values, errors = values if isinstance(values, tuple) else (values, None)
        places = np.arange(len(names)) + (k - (len(series) - 1) / 2) * width
        look = {"width": 0.92 * width, "color": BELIEF_COLOURS.get(label), "capsize": 2}
        ax.bar(places, values, yerr=errors, label=label, **look)
    ax.set_xticks(range(len(names)), [fill(name, 10) for name in names])
    ax.set_ylabel(ylabel)
    if len(series) > 1:
        ax.legend(fontsize=11, ncols=len(series), loc="upper center", bbox_to_anchor=(0.5, 1.18))
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
