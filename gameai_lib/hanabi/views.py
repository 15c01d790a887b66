"""Pictures of Hanabi hands, beliefs and belief errors; they draw and compute nothing new."""

import matplotlib as mpl
import numpy as np
from matplotlib.patches import FancyBboxPatch, Rectangle

from gameai_lib.hanabi.rules import COLOURS, MAX_HINTS, N_CARDS, N_RANKS, NO_CARD, card_name

# Told apart by colour-blind readers; the letter is written on every card all the same.
CARD_COLOURS = ("#E8743B", "#F0E442", "#3FB68B", "#FFFFFF", "#6DB9EC")
TRUTH = "#D55E00"
IMPOSSIBLE = "#E4E4E4"


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
    ax.imshow(shown, cmap=cmap, vmin=0, vmax=1, aspect="auto")
    ax.set_yticks(range(len(rows)), row_names or [f"slot {i}" for i in range(len(rows))])
    ax.set_title(title, loc="left")
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    _name_columns(ax, rows.shape[1], card_names)
    if rows.shape[1] <= 8:
        _write_values(ax, rows)
    for row, card in enumerate(truth if truth is not None else ()):
        if card != NO_CARD:
            ax.add_patch(
                Rectangle((card - 0.5, row - 0.5), 1, 1, fill=False, edgecolor=TRUTH, linewidth=2.5)
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


def _write_values(ax, rows):
    for (row, card), value in np.ndenumerate(rows):
        colour = "white" if value > 0.6 else "black"
        text = "0" if abs(value) < 1e-9 else f"{value:.3f}"
        ax.text(card, row, text, ha="center", va="center", color=colour, fontsize=11)


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
    ax.set(xlim=(-1.9, state.hand_size + 3.2), ylim=(-state.n_players * 1.9 + 0.4, 0.75))
    ax.axis("off")
    for player, hand in enumerate(state.hands):
        y = -1.9 * player
        to_move = " ▸" if player == state.player and not state.is_over else ""
        ax.text(-1.85, y, f"player {player}{to_move}", va="center", fontsize=12)
        for slot, card in enumerate(hand):
            face_up = hide not in (player, -1)
            changed = previous is not None and _changed(previous, state, player, slot)
            _draw_card(ax, slot, y, card if face_up else None, changed)
            known = _known(state.hint_mask[player, slot])
            ax.text(slot, y - 0.93, known, ha="center", va="center", fontsize=9, family="monospace")
    _draw_table(ax, state, x=state.hand_size - 0.2)
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


def _draw_table(ax, state, x):
    built = " ".join(f"{c}{h}" for c, h in zip(COLOURS, state.fireworks, strict=True))
    gone = [f"{card_name(f)}" for f in range(N_CARDS) for _ in range(state.discards[f])]
    lines = [gone[i : i + 5] for i in range(0, min(len(gone), 25), 5)]
    text = (
        f"fireworks {built}\nscore {state.score}   deck {state.n_deck}\n"
        f"hints {state.n_hints}/{MAX_HINTS}   lives {state.n_lives}\n"
        f"discarded {len(gone) or 'none'}\n" + "\n".join(" ".join(line) for line in lines)
    )
    ax.text(x, 0.5, text, va="top", ha="left", fontsize=10.5, family="monospace", linespacing=1.5)


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
    ax.bar(
        places, counts, width=0.9, facecolor="none", edgecolor="black", label="copies that exist"
    )
    ax.bar(places, within, width=0.6, color="#0072B2", label="copies the belief expects")
    ax.bar(
        places, expected - within, width=0.6, bottom=within, color=TRUTH, hatch="//",
        edgecolor="white", label="more than exist",
    )  # fmt: skip
    ax.set(ylabel="copies in the hands", xlim=(-0.6, len(places) - 0.4), ylim=(0, 3.6))
    ax.set_xticks(places, [card_name(f) for f in places], rotation=90, fontsize=10)
    ax.legend(loc="upper right", fontsize=10, ncols=3)
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
        ax.plot(x, values, marker=marker, markersize=5, label=name)
    if at is not None:
        ax.axvline(at, color="#666666", linestyle=":")
    ax.set(xlabel=xlabel, ylabel=ylabel)
    ax.legend(fontsize=11)
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
        ax.bar(places, values, width=0.92 * width, yerr=errors, label=label, capsize=2)
    ax.set_xticks(range(len(names)), names)
    ax.set_ylabel(ylabel)
    if len(series) > 1:
        ax.legend(fontsize=11, ncols=len(series), loc="upper center", bbox_to_anchor=(0.5, 1.18))
    return ax
