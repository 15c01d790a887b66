"""The figures of what joins the rooms: what each draws, and says in words.

Every function takes what it shows and returns the arguments ``draw``, ``alt`` and ``name`` of
`touchbook.widgets.picture`.
"""

import numpy as np

from gameai_book.btmm.views import draw_bars
from gameai_book.together import views
from gameai_lib.btmm.model.elo import ELO_PER_NAT

SURPRISE = 0.15  # of the comparisons, won more or less than expected: what is marked
N_ERRORS = 3
N_NAMED = 3  # pairs of each kind that the text names
# Who is shown, by language: a phone has no room for thirteen columns of numbers.
GROUPS = ("Searcher", "Tuned", "Convention", "IGGI", "Piers", "Van den Bergh", "Outer", "Mirror")


def league(found, partners):
    """Mean points of pairs, who understands whom, and strengths among all; no control.

    `found` is a `League` of `gameai_book.together.results.league`, and `partners` its `rate()`.
    """
    order = [found.names.index(name) for name in GROUPS]
    square = np.ix_(order, order)
    points, residual = found.means[square], partners.residual[square]
    is_sure = np.abs(residual) > N_ERRORS * partners.residual_error[square]
    more, less = is_sure & (residual > SURPRISE), is_sure & (residual < -SURPRISE)
    elo, error = (ELO_PER_NAT * values[order] for values in (partners.strength, partners.error))
    best = np.argsort(-elo)
    rated = [GROUPS[k] for k in best]

    def draw(fig):
        pairs, bars = fig.subplots(2, 1, height_ratios=(3, 2))
        views.draw_pairs(pairs, points, more, less, GROUPS)
        draw_bars(bars, rated, elo[best], error[best], label="strength as a partner (Elo)")

    def alt():
        strengths = ", ".join(
            f"{name} {value:+.0f} ± {e:.0f}".replace("-", "−")
            for name, value, e in zip(rated, elo[best], error[best], strict=True)
        )
        return (
            f"Strengths in Elo: {strengths}. {_say(more, residual, GROUPS)} win more often than "
            f"their strengths say. {_say(less, -residual, GROUPS)} win less often."
        )

    return {"draw": draw, "alt": alt, "name": "league"}


def ladder(rungs):
    """Mean points if one of two Convention players searches, by what it believes; no control.

    `rungs` are the rows of the part "beliefs" of `stored_rungs()`.
    """
    names = list(dict.fromkeys(rung.belief for rung in rungs))
    alone = np.mean([rung.mean - rung.gain for rung in rungs])
    series = {}
    for n_deals in sorted({rung.n_deals for rung in rungs}):
        of = {rung.belief: rung for rung in rungs if rung.n_deals == n_deals}
        found = [(of[b].mean, of[b].standard_error) if b in of else (np.nan,) * 2 for b in names]
        series[f"{n_deals} deals a move"] = np.transpose(found)

    def draw(fig):
        ax = fig.subplots()
        views.draw_points(ax, names, series, "mean points of 25")
        ax.axvline(alone, color="black", linestyle="--", linewidth=1.2, label="nobody searches")
        ax.legend(loc="lower left")

    def alt():
        return f"Without search {alone:.2f} points. " + _tell(names, series)

    return {"draw": draw, "alt": alt, "name": "ladder"}


def calibration(found):
    """What beliefs say of own cards, and what fits; no control.

    `found` is that of `gameai_book.together.results.calibration.calibration`.
    """
    shown = {belief: found[belief].pairs for belief in ("exact", "exact with L")}

    def draw(fig):
        ax = fig.subplots()
        views.draw_calibration(ax, shown)
        ax.legend(loc="upper left", markerscale=0.7)

    def alt():
        said = []
        for belief, rows in shown.items():
            told = [f"{100 * p:.0f} %, {100 * q:.0f} % fit" for p, q, _ in rows if 0.2 < p < 0.5]
            said.append(f"Of cards to which {belief} gives {'; to which it gives '.join(told)}.")
        return " ".join(said)

    return {"draw": draw, "alt": alt, "name": "calibration"}


def tables(rungs, deals, scores):
    """Mean points by the number of players: rules, search, and open cards; no control.

    `rungs` are all parts of `stored_rungs()`, `deals` and `scores` those of `stored_open_deals()`.
    """
    sizes = sorted(deals)
    all_search = {
        rung.n_players: (rung.mean, rung.standard_error)
        for rung in [rungs["both"][0], *rungs["tables"]]
    }
    rules = {s.n_players: (s.mean, s.standard_error) for s in scores if s.agent == "Convention"}
    best = {
        n: (np.mean(d.points), np.std(d.points) / len(d.points) ** 0.5) for n, d in deals.items()
    }
    columns = {"no search": rules, "all search": all_search, "open cards": best}
    series = {says: np.transpose([of[n] for n in sizes]) for says, of in columns.items()}
    names = [f"{n} players" for n in sizes]

    def draw(fig):
        ax = fig.subplots()
        views.draw_points(ax, names, series, "mean points of 25")
        fig.legend(loc="outside lower center", ncols=3, frameon=False, columnspacing=1)

    return {"draw": draw, "alt": lambda: _tell(names, series), "name": "tables"}


def _tell(names, series):
    """All means of a chart of points."""
    said = []
    for says, (means, errors) in series.items():
        rows = zip(names, means, errors, strict=True)
        told = [f"{name} {m:.2f} ± {e:.2f}" for name, m, e in rows if np.isfinite(m)]
        said.append(f"{says[0].upper()}{says[1:]}: {', '.join(told)}.")
    return " ".join(said)


def _say(which, surprise, names):
    """The most surprising pairs of those in question, the first one first."""
    i, j = np.nonzero(np.triu(which))
    first = np.argsort(-surprise[i, j])[:N_NAMED]
    pairs = [f"{names[i[k]]} with {names[j[k]] if i[k] != j[k] else 'itself'}" for k in first]
    return f"{len(i)} pairs (most of all {', '.join(pairs)})"
