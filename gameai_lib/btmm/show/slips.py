"""The source's errors at work: each on a small case, as it is printed and put right.

The source is Nguyen Quoc Huy and Dang Cong Quoc (2019); the cases are in its equations (4) and
(6), its figure 4 and its section V.
"""

from functools import lru_cache
from itertools import islice

import numpy as np

from gameai_lib.btmm.game import patterns
from gameai_lib.btmm.model import mm, surrogate
from gameai_lib.btmm.model.build import from_pairs
from gameai_lib.btmm.model.fit import fit
from gameai_lib.btmm.show import views

PRINTED, RIGHT = VERSIONS = ("as printed", "put right")
WHO_BEAT = np.array([[0, 4, 4], [2, 0, 2], [1, 1, 0]])  # [i, j]: i beat j
ERRORS = ("no prior", "who met whom", "all at once", "what is counted", "which set")
LENGTHS = {"4x6": (6,) * 4, "4x7": (7,) * 4, "8-8-7-7": (8, 8, 7, 7), "4x8": (8,) * 4}


def strengths(version):
    """Three players' strengths over their sum: games between i and j counted as wins, or wins."""
    counts = WHO_BEAT + WHO_BEAT.T if version == PRINTED else WHO_BEAT
    winners, losers = np.nonzero(counts)
    data = from_pairs(winners, losers, weight=counts[winners, losers])
    gamma = fit(data, prior=0.0, tol=1e-14).gamma
    return dict(zip("ABC", gamma / gamma.sum(), strict=True))


def climb(version, n=16):
    """Log-likelihoods of a team of three that won one game of ten, all moved at once or not."""
    rule = mm.batch if version == PRINTED else mm.cyclic
    steps = rule(surrogate.one_team(3), mm.Prior(0.0), np.ones(3))
    return [step.log_likelihood for step in islice(steps, n)]


def counts(version):
    """Patterns of the four sets, in thousands: with the cell of the move, or without."""
    more = 3 if version == PRINTED else 1
    sets = {
        name: patterns.FeatureSet(name, tuple(patterns.lines(lengths)))
        for name, lengths in LENGTHS.items()
    }
    return {name: more * chosen.starts[-1] / 1000 for name, chosen in sets.items()}


def on_test(rows, prior=1.0, n_games=7082):
    """Mean log-evidence of the four sets on test games, out of the table "results" (`rows`)."""
    setting = {"game": "connect6", "edge": "empty", "n_games": n_games, "prior": prior}
    found = {row["features"]: row["test"] for row in rows if setting.items() <= row.items()}
    return {name: found[name] for name in LENGTHS}


def slips(rows):
    """Every error on its worked case; controls ``error``, one of `ERRORS`, and ``version``."""
    nats = "mean log-evidence, other games (nats)"
    bars = {
        "who met whom": (strengths, "share of all strength"),
        "no prior": (lambda version: on_test(rows, float(version == RIGHT), 1000), nats),
        "what is counted": (counts, "patterns, in thousands"),
        "which set": (lambda version: on_test(rows), nats),
    }
    found = lru_cache(lambda error, version: bars[error][0](version))
    passes = lru_cache(climb)

    def form(error):
        return ".2f" if bars[error][1] == nats else ".3g"

    def chosen(version):
        values = on_test(rows)
        return "8-8-7-7" if version == PRINTED else max(values, key=values.get)

    def draw(fig, error, version):
        ax = fig.subplots()
        ax.set_title(f"{error}: {version}", loc="left")
        if error == "all at once":
            rule = "all at once" if version == PRINTED else "one group at a time"
            style = {"xlabel": "update", "ylabel": "ln L", "colours": views.RULES}
            views.draw_traces(ax, {rule: passes(version)}, **style)
            ax.set_ylim(min(passes(PRINTED)) - 1, -2)
            return
        names, values = (list(part) for part in zip(*found(error, version).items(), strict=True))
        pick = names.index(chosen(version)) if error == "which set" else None
        none = np.zeros(len(values))
        views.draw_bars(ax, names, np.array(values), none, label=bars[error][1], other=pick)
        both = np.array([list(found(error, one).values()) for one in VERSIONS])
        ax.set_xlim(min(both.min() * 1.25, 0), max(both.max() * 1.25, 0))
        for row, value in enumerate(values):
            side = "left" if value >= 0 else "right"
            ax.text(value, row, f" {value:{form(error)}} ", ha=side, va="center")

    def say(error, version):
        if error == "all at once":
            values = passes(version)
            falls = int((np.diff(values) < -1e-9).sum())
            return f"{error}, {version}: ln L falls {falls} times, ends at {values[-1]:.3f}."
        parts = ", ".join(
            f"{name} {value:{form(error)}}" for name, value in found(error, version).items()
        )
        taken = f"; taken: {chosen(version)}" if error == "which set" else ""
        return f"{error}, {version}: {bars[error][1]}: {parts}{taken}."

    return {"draw": draw, "alt": say, "name": "slips"}
