"""How well strengths predict competitions: log-evidence, top-n hits, calibration."""

from typing import NamedTuple

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.types import ArrayLike, Floats
from gameai_lib.btmm._runs import repeat_runs
from gameai_lib.btmm.model import tally
from gameai_lib.btmm.model.competitions import Competitions, strengths
from gameai_lib.btmm.model.fit import Fit


class Scores(NamedTuple):
    """Predictions set against what happened, averaged with the weights."""

    mean_log_evidence: float  #: the source's equation (9), in nats
    top: Floats  #: (n_ranks,) float: share of winners among the model's first n; a tie in part


class Calibration(NamedTuple):
    """Predicted chances in bins and how often they came true; without empty bins."""

    predicted: Floats  #: (n_bins,) float: mean prediction of the bin
    observed: Floats  #: (n_bins,) float: share that won
    n_teams: Floats  #: (n_bins,) float: weight in the bin


def score(data: Competitions, gamma: Fit | ArrayLike, n_ranks: int = 5) -> Scores:
    """Return the `Scores` of strengths, a fit or (n_features,) floats, on competitions.

    `n_ranks` is the last place up to which a winner is counted.

    Examples
    --------
    Winners of strength 2 against 1, and of strength 1 against 2:

    >>> found = score(from_pairs([0, 1], [1, 0]), [2.0, 1.0], n_ranks=1)
    >>> round(found.mean_log_evidence, 3), found.top
    (-0.752, array([0.5]))
    """
    wide = tally.pad(strengths(checks.kind("data", data, Competitions), gamma))
    n_ranks = checks.whole("n_ranks", n_ranks, most=1000)
    room, log_p = tally.longest(data.offsets), np.empty(data.n_competitions)
    stronger, level = np.empty((2, log_p.size), np.int64)
    tally.rank_winners(data.offsets, data.indices, data.winner, wide, room, log_p, stronger, level)
    share = data.weight / data.total_weight
    ranks = np.arange(1, n_ranks + 1)[:, None]
    hits = np.clip(ranks - stronger, 0, level) / level
    return Scores(float(share @ log_p), hits @ share)


def on_offer(data: Competitions) -> Floats:
    """Return (n_features,) float: in how many competitions each feature could have been chosen.

    The weights of competitions count; a feature that several teams of one hold counts once. One
    with no wins there goes to 0 without a prior, one that always won grows without end.
    """
    row = repeat_runs(np.arange(data.n_competitions), data.offsets)
    wide = data.n_features + 1  # the last stands for no member
    seen = np.unique(row[:, None] * wide + data.indices)
    row, feature = np.divmod(seen, wide)
    offered = np.bincount(feature.astype(np.intp), data.weight[row], wide)
    return offered[:-1].astype(np.float64)


def calibration(data: Competitions, gamma: Fit | ArrayLike) -> Calibration:
    """Return the `Calibration` of `gamma`, in ten bins of equal width of ln P from 1/1000 to 1."""
    probability = data.probabilities(strengths(data, gamma))
    weight = repeat_runs(data.weight, data.offsets)
    won = np.zeros(probability.size)
    won[data.offsets[:-1] + data.winner] = 1.0
    edges = np.logspace(-3, 0, 11)
    which = np.clip(np.searchsorted(edges, probability) - 1, 0, 9)
    total = np.bincount(which, weight, 10).astype(np.float64)
    kept = total > 0
    predicted = np.bincount(which, weight * probability, 10)[kept] / total[kept]
    observed = np.bincount(which, weight * won, 10)[kept] / total[kept]
    return Calibration(predicted, observed, total[kept])
