"""Models of draws: the chances of win, draw and loss of one game, and their slopes.

With d the difference of two players' ln gamma, the first one's home advantage added to it:

- Davidson (1970): win, draw and loss are as likely as e^(d/2) : nu : e^(-d/2), that is
  gamma_i : nu sqrt(gamma_i gamma_j) : gamma_j.
- Rao and Kupper (1967): P(win) = gamma_i / (gamma_i + kappa gamma_j), P(loss) the same the
  other way round, a draw is the rest; kappa > 1.
"""

import numpy as np

TIES = ("davidson", "rao-kupper")
WIN, DRAW, LOSS = 0, 1, 2


def davidson(d, log_tie):
    """Return (3, n) float: ln P of win, draw and loss."""
    chance = np.stack([d / 2, np.full_like(d, log_tie), -d / 2])
    return chance - np.logaddexp.reduce(chance, axis=0)


def rao_kupper(d, log_tie):
    """Return (3, n) float: ln P of win, draw and loss; NaN for a kappa below 1."""
    win, loss = -np.logaddexp(0, log_tie - d), -np.logaddexp(0, log_tie + d)
    with np.errstate(divide="ignore"):
        return np.stack([win, np.log(np.expm1(2 * log_tie)) + win + loss, loss])


def davidson_slopes(d, log_tie, outcome):
    """Return ln P of the outcomes, their slopes in d and ln tie, and minus the second ones."""
    log_p = davidson(d, log_tie)
    win, draw, loss = np.exp(log_p)
    # Sums of products, no differences: they stay right where a chance is nearly 1.
    slopes = np.stack([draw / 2 + loss, (loss - win) / 2, -draw / 2 - win])
    by_tie = np.where(outcome == DRAW, win + loss, -draw)
    curvature = win * loss + draw * (win + loss) / 4, draw * (loss - win) / 2, draw * (win + loss)
    at = outcome, np.arange(d.size)
    return log_p[at], slopes[at], by_tie, *curvature


def rao_kupper_slopes(d, log_tie, outcome):
    """As `davidson_slopes`; a draw is ln(kappa^2 - 1) + ln P(win) + ln P(loss)."""
    log_p = rao_kupper(d, log_tie)
    # The logistic function's slopes, where the outcome holds its factor.
    a = (outcome != LOSS) * np.exp(-np.logaddexp(0, d - log_tie))
    b = (outcome != WIN) * np.exp(-np.logaddexp(0, -d - log_tie))
    a2, b2 = a * np.exp(log_p[WIN]), b * np.exp(log_p[LOSS])
    drawn = outcome == DRAW
    extra = drawn * 2 / -np.expm1(-2 * log_tie), drawn / np.sinh(log_tie) ** 2
    slopes = a - b, extra[0] - a - b
    curvature = a2 + b2, b2 - a2, a2 + b2 + extra[1]
    return log_p[outcome, np.arange(d.size)], *slopes, *curvature


def chances(ties, d, tie):
    """Return (3, n) float: the chances of win, draw and loss, with nu or kappa."""
    with np.errstate(divide="ignore"):
        return np.exp(LOG_CHANCES[ties](d, np.log(tie)))


LOG_CHANCES = {"davidson": davidson, "rao-kupper": rao_kupper}
SLOPES = {"davidson": davidson_slopes, "rao-kupper": rao_kupper_slopes}
