"""Policies: the probabilities that weights stand for, and Adapt.

Rosin, "Nested Rollout Policy Adaptation for Monte Carlo Tree Search", IJCAI 2011.
"""

from collections.abc import Sequence

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import short
from gameai_lib.base.types import ArrayLike, Floats
from gameai_lib.nrpa.problem.rules import CODE
from gameai_lib.nrpa.search import kernels
from gameai_lib.nrpa.search.arrays import Game, new_gradient

LARGEST_ALPHA = 1e100
WEIGHT_LIMIT = 300.0  # e^300 is far from the largest float, and so is the sum of many


def move_probabilities(policy: ArrayLike, codes: ArrayLike | None = None) -> Floats:
    """Probabilities of the legal moves `codes` under a policy (all codes if left out).

    Examples
    --------
    >>> move_probabilities(np.log([1, 2, 3, 4]), [0, 2])
    array([0.25, 0.75])
    """
    weights = arrays.finite("policy", policy)
    if codes is not None:
        weights = weights[arrays.whole("codes", codes, 0, weights.size - 1)]
    if not weights.size:
        raise ValueError(f"there must be a move, got codes {short(codes)}")
    with np.errstate(over="ignore", under="ignore"):  # the farther from the largest, the nearer 0
        weights = np.exp(weights - weights.max())
    return weights / weights.sum()


def adapt(
    policy: ArrayLike,
    legal: Sequence[ArrayLike],
    choices: ArrayLike,
    *,
    alpha: float = 1.0,
    clip: float = 300.0,
) -> Floats:
    """Return a copy of `policy` moved towards a game (Rosin 2011, Adapt).

    The `policy` is (n_codes,) float, within ±300; `legal` has the codes of the legal moves at each
    ply, and `choices`, (n_plies,) int, the index of the move played among them. `alpha` and `clip`
    are as for `NRPA`.

    Examples
    --------
    Of the moves 0, 1 and 2 the second was played:

    >>> adapt(np.zeros(3), [[0, 1, 2]], [1]).round(3)
    array([-0.333,  0.667, -0.333])
    """
    alpha = checks.number("alpha", alpha, 0, LARGEST_ALPHA, above=True)
    clip = checks.number("clip", clip, 0, WEIGHT_LIMIT, above=True)
    W = arrays.finite("policy", policy, limit=WEIGHT_LIMIT)
    legal = arrays.as_list("legal", legal)
    played = arrays.whole("choices", choices).copy()  # one that the kernel knows: writeable
    if len(played) != len(legal):
        raise ValueError(f"{len(played)} choices for {len(legal)} plies")
    rows = [arrays.whole(f"legal[{ply}]", row, 0, W.size - 1) for ply, row in enumerate(legal)]
    for row, choice in zip(rows, played, strict=True):
        if not 0 <= choice < len(row):
            raise ValueError(f"choice {choice} of {len(row)} legal moves")
    E, scratch = np.exp(W), new_gradient(W.size)
    offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    codes = np.concatenate([np.zeros(0, CODE), *(row.astype(CODE) for row in rows)])
    n_touched = kernels.gradient(E, Game(codes, offsets, played), len(played), alpha, scratch)
    kernels.apply_gradient(W, E, scratch, n_touched, clip)
    return W
