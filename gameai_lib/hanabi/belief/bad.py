"""BB, the belief of the Bayesian Action Decoder (BAD), and its mixture with V1, V2.

Source: Foerster et al. 2019, section on Hanabi beliefs.
"""

from gameai_lib.base import checks
from gameai_lib.base.types import ArrayLike, Floats
from gameai_lib.hanabi.belief.v1 import V1Settings, belief_of, v1_belief, v1_result

FIFTY_STEPS = V1Settings(damping=0.2, n_iterations=50, tolerance=0)


def bad_belief(
    candidates: ArrayLike,
    hint_mask: ArrayLike,
    likelihood: ArrayLike,
    *,
    settings: V1Settings = FIFTY_STEPS,
) -> Floats:
    """Bayesian belief BB: V1 with the likelihood of the observed actions (eqs. 14 and 15).

    ``HM_i(f) L_i(f)`` takes the place of ``HM_i(f)`` in `v1_belief`, whose errors these are;
    arguments and result are those of `v0_belief`. The iteration echoes: a slot's news comes back
    to it from the others as if it were new, and the longer it runs, the surer BB becomes of what
    the likelihood only suggests. So the default makes fifty steps with w = 0.2, and seeks no rest.

    Examples
    --------
    An action has shown that slot 0 is an a, of which there are two:

    >>> L = [[1, 0, 0], [1, 1, 1]]
    >>> print(bad_belief([2, 1, 1], np.ones((2, 3), dtype=bool), L).round(3))
    [[1.    0.    0.   ]
     [0.333 0.333 0.333]]
    """
    return belief_of(v1_result(candidates, hint_mask, likelihood, settings=settings), settings)


def v2_belief(
    candidates: ArrayLike,
    hint_mask: ArrayLike,
    likelihood: ArrayLike,
    *,
    alpha: float = 0.01,
    settings: V1Settings = FIFTY_STEPS,
) -> Floats:
    """Mixture ``(1 - alpha) BB + alpha V1``, which never rules out a card that V1 allows.

    Arguments, result and errors are those of `bad_belief`, and `settings` are for BB alone; alpha,
    the share of V1, is from 0 to 1.
    """
    checks.number("alpha", alpha, 0, 1)
    bad = bad_belief(candidates, hint_mask, likelihood, settings=settings)
    return (1 - alpha) * bad + alpha * v1_belief(candidates, hint_mask)
