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


def league(found, partners):
    """Mean points of all pairs, who understands whom, and strengths; no control.

    `found` is a `League` of `gameai_book.together.results.league`, and `partners` its `rate()`.
    """
    order = np.argsort(-partners.strength)
    names = [found.names[k] for k in order]
    square = np.ix_(order, order)
    points, residual = found.means[square], partners.residual[square]
    is_sure = np.abs(residual) > N_ERRORS * partners.residual_error[square]
    more, less = is_sure & (residual > SURPRISE), is_sure & (residual < -SURPRISE)
    elo, error = (ELO_PER_NAT * values[order] for values in (partners.strength, partners.error))

    def draw(fig):
        pairs, bars = fig.subplots(2, 1, height_ratios=(3, 2))
        views.draw_pairs(pairs, points, more, less, names)
        draw_bars(bars, names, elo, error, label="strength as a partner (Elo)")

    def alt():
        strengths = ", ".join(
            f"{name} {value:+.0f} ± {e:.0f}".replace("-", "−")
            for name, value, e in zip(names, elo, error, strict=True)
        )
        return (
            f"Strengths in Elo: {strengths}. More than these say win "
            f"{_say(more, residual, names)}; less win {_say(less, -residual, names)}."
        )

    return {"draw": draw, "alt": alt, "name": "league"}


def _say(which, surprise, names):
    """The most surprising pairs of those in question, the first one first."""
    i, j = np.nonzero(np.triu(which))
    first = np.argsort(-surprise[i, j])[:N_NAMED]
    pairs = [f"{names[i[k]]} with {names[j[k]] if i[k] != j[k] else 'itself'}" for k in first]
    return f"{len(i)} pairs, first of all " + ", ".join(pairs)
