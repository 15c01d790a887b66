"""How strong a prior the data themselves ask for: empirical Bayes.

With v virtual wins and losses the chance p = gamma / (1 + gamma) of a feature against a strength of
1 has the density Beta(v, v) beforehand, and the data are the likelier under a v the better that
foretells how far the strengths spread. EM (Dempster, Laird and Rubin 1977) climbs that evidence:
the next v has the same mean of ln p + ln(1 - p) as the features have on average after the data,

    2 psi(v) - 2 psi(2 v) = mean_f [psi(a_f) + psi(b_f) - 2 psi(a_f + b_f)].

What is known of each feature is taken as the Beta(a, b) with the mode and the curvature h in
ln gamma of the fit: a = h (1 + gamma), b = h (1 + gamma) / gamma. For duels against a fixed
strength that is exact. Elsewhere it takes the features one by one, as if the others stood still.
"""

from math import exp, log

import numpy as np

LEAST, MOST = 1e-2, 1e4  # virtual games: the data hardly tell v from those beyond
N_FITS = 20
LONGEST, CLOSE = 2.0, 0.05  # steps of ln v: other competitions are predicted as well within that


def learn_variance(fit_at, start):
    """Return the v at which the evidence is greatest, to five per cent, and strengths near its own.

    ``fit_at(v, start)`` returns the `Fit` with prior `v`, from strengths `start` on. A
    `RuntimeError` if twenty fits do not find it.
    """
    place, before = 0.0, None
    for _ in range(N_FITS):
        got = fit_at(exp(place), start)
        rise = log(next_prior(got)) - place
        # EM's step is a part of the way that is left; two of them tell which.
        part = 0.5
        if before is not None and place != before[0]:
            part = min(max((before[1] - rise) / (place - before[0]), 1e-3), 1.0)
        before = place, rise
        step = min(max(rise / part, -LONGEST), LONGEST)
        place = min(max(place + step, log(LEAST)), log(MOST))
        if abs(place - before[0]) < CLOSE:
            return exp(place), start
        start = got.gamma
    raise RuntimeError(f"no prior found in {N_FITS} fits; the last was {exp(place):.3g}")


def next_prior(got):
    """Return the v that the strengths of `got`, a `Fit`, ask for: one step of EM."""
    competed = got.expected > 0
    gamma, curvature = got.gamma[competed], got.information[competed]
    a, b = curvature * (1 + gamma), curvature * (1 + gamma) / gamma
    mean = float(np.mean(digamma(a) + digamma(b) - 2 * digamma(a + b)))
    low, high = log(LEAST), log(MOST)
    while high - low > 1e-4:
        middle = (low + high) / 2
        v = exp(middle)
        if 2 * digamma(v) - 2 * digamma(2 * v) < mean:
            low = middle
        else:
            high = middle
    return exp(low)


def digamma(x):
    """Return psi(x), the slope of ln Gamma, for positive numbers, to twelve digits."""
    x = np.asarray(x, float)
    shift = sum(1 / (x + k) for k in range(10))
    inverse = 1 / (x + 10) ** 2
    series = inverse * (1 / 12 - inverse * (1 / 120 - inverse * (1 / 252 - inverse / 240)))
    return np.log(x + 10) - 0.5 / (x + 10) - series - shift
