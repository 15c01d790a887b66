"""Ratings of an arena's models beside other packages, in one run: the same numbers, how fast?

    python -m benchmarks.btmm_ratings [--votes 57477] [--models 60]

Needs ``pip install arena-rank choix openskill whole-history-rating statsmodels scikit-learn``; what
is missing is left out. All read the same invented votes. Where a package has our model, the table
says how far its strengths, and their errors, are from ours at most, in Elo around the mean.
Seconds are of the processor, all threads together, from lists of names on (choix, statsmodels and
scikit-learn: from arrays of numbers): the first call, and a second one with everything compiled;
ratios are of the second ones. openskill has another model and
takes one vote after the other, so the table says how many pairs of models it orders otherwise.
"""

import argparse
import time
from typing import NamedTuple

import numpy as np

from benchmarks.btmm import peer
from gameai_lib.btmm import rate
from gameai_lib.btmm.model.elo import ELO_PER_NAT

STYLE = ("length", "lists", "bold")


class Votes(NamedTuple):
    """Who was voted better, and how much more of each style the first answer has."""

    pairs: np.ndarray  #: (n, 2) int
    won: np.ndarray  #: (n,) int: 1 if the first
    style: np.ndarray  #: (n, 3) float

    @property
    def games(self):
        """Triples of two names and a result."""
        return [(f"m{i:03d}", f"m{j:03d}", k) for (i, j), k in zip(self.pairs, self.won)]  # noqa: B905


def votes(n_models, n_votes, rng):
    """Votes on pairs, of models that are asked for more or less often."""
    share = 1 / np.arange(1, n_models + 1)
    pairs = rng.choice(n_models, (2 * n_votes, 2), p=share / share.sum())
    pairs = pairs[pairs[:, 0] != pairs[:, 1]][:n_votes]
    style = rng.normal(size=(len(pairs), len(STYLE)))
    theta = rng.normal(0, 0.7, n_models)
    d = theta[pairs[:, 0]] - theta[pairs[:, 1]] + style @ [0.3, 0.1, 0.0]
    return Votes(pairs, (rng.random(len(pairs)) < 1 / (1 + np.exp(-d))).astype(int), style)


def ours(v, prior=0.0, style=False):
    """Elo and sandwich errors in the order of names, then the style's, per nat."""
    features = dict(zip(STYLE, v.style.T, strict=True)) if style else None
    rating = rate(v.games, features=features, prior=prior).robust()
    order = np.argsort(rating.names)
    told = np.array([*rating.features.values()]).reshape(-1, 2)
    return np.append(rating.elo[order], told[:, 0]), np.append(
        rating.standard_error[order], told[:, 1]
    )


def frame(v):
    """The votes as a data frame of arena-rank."""
    pandas, games = peer("pandas"), v.games
    columns = {"model_a": [a for a, *_ in games], "model_b": [b for _, b, _ in games]}
    columns["winner"] = [("model_b", "model_a")[k] for *_, k in games]
    return pandas.DataFrame(columns | dict(zip(STYLE, v.style.T, strict=True)))


def arena_rank(v):
    """Their model of the leaderboard."""
    from arena_rank.models.bradley_terry import BradleyTerry
    from arena_rank.utils.data_utils import PairDataset

    data = PairDataset.from_pandas(frame(v))
    model = BradleyTerry(len(data.competitors), hessian_reg=1e-9, ftol=1e-14, gtol=1e-9)
    found = model.compute_ratings_and_cis(data)
    return np.array(found["ratings"]), np.sqrt(np.array(found["variances"]))


def arena_rank_style(v):
    """Their model with style control, without its pull to 0."""
    from arena_rank.models.contextual_bradley_terry import ContextualBradleyTerry
    from arena_rank.utils.data_utils import ContextualPairDataset

    options = {"reweighted": False, "normalize_features": False}
    data = ContextualPairDataset.from_pandas(frame(v), [*STYLE], **options)
    options = {"reg": 0.0, "hessian_reg": 1e-9, "ftol": 1e-14, "gtol": 1e-9}
    model = ContextualBradleyTerry(len(data.competitors), len(STYLE), **options)
    found = model.compute_ratings_and_cis(data)
    elo = np.append(found["ratings"], ELO_PER_NAT * np.array(found["coeffs"]))
    error = np.sqrt(np.array(found["variances"]))  # of models, none of features
    return elo, np.append(error, np.full(len(STYLE), np.nan))


def choix_pairs(v):
    """I-LSR, without errors."""
    choix = peer("choix")
    data = np.where(v.won[:, None] == 1, v.pairs, v.pairs[:, ::-1])
    n = data.max() + 1
    wins = np.bincount(data[:, 0] * n + data[:, 1], minlength=n * n).reshape(n, n)
    return ELO_PER_NAT * choix.ilsr_pairwise_dense(wins.astype(float)), None


def design(v):
    """Dense columns of a logistic regression, the first model at 0."""
    g, n = np.arange(len(v.won)), v.pairs.max() + 1
    x = np.zeros((len(g), n))
    x[g, v.pairs[:, 0]], x[g, v.pairs[:, 1]] = 1, -1
    return np.column_stack([x[:, 1:], v.style])


def statsmodels_style(v):
    """Logit with errors of Huber and White; those of models are of other contrasts."""
    fit = peer("statsmodels.api").Logit(v.won, design(v)).fit(disp=0, cov_type="HC0")
    error = np.append(np.full(v.pairs.max() + 1, np.nan), ELO_PER_NAT * fit.bse[-len(STYLE) :])
    return ELO_PER_NAT * np.append(0.0, fit.params), error


def sklearn_style(v):
    """Logistic regression, without errors."""
    model = peer("sklearn.linear_model").LogisticRegression(
        C=np.inf, fit_intercept=False, solver="newton-cholesky", tol=1e-10
    )
    return ELO_PER_NAT * np.append(0.0, model.fit(design(v), v.won).coef_[0]), None


def whole_history(v):
    """All votes on one day: strengths with one virtual win and loss."""
    base = peer("whr").WHR({"initial_prior_wins": 1.0})
    for first, second, won in v.games:
        base.create_game(first, second, "BW"[1 - won], 0, 0)
    base.auto_iterate(precision=1e-4, batch_size=10)
    names = sorted({name for *both, _ in v.games for name in both})
    return np.array([base.player_by_name(name).days[0].elo for name in names]), None


def openskill_online(v):
    """One vote after the other."""
    model = peer("openskill.models").BradleyTerryFull()
    ratings = [model.rating() for _ in range(v.pairs.max() + 1)]
    for (i, j), won in zip(v.pairs.tolist(), v.won.tolist(), strict=True):
        sides, ranks = [[ratings[i]], [ratings[j]]], [2 - won, 1 + won]
        [[ratings[i]], [ratings[j]]] = model.rate(sides, ranks=ranks)
    return np.array([rating.mu for rating in ratings]), None


def timed_twice(run, v):
    """Return what came of it, and the processor seconds of a first and a second call."""
    seconds = []
    for _ in range(2):
        start = time.process_time()
        found = run(v)
        seconds.append(time.process_time() - start)
    return found, seconds


def off(elo, wanted, n):
    """The largest difference of strengths around their mean, and of what is behind them."""
    elo, wanted = (np.append(x[:n] - x[:n].mean(), x[n:]) for x in (elo, wanted))
    return np.abs(elo - wanted).max()


def compare(title, v, own, peers):
    """Print a table of ours and the peers that can be imported."""
    n = v.pairs.max() + 1
    (elo, error), seconds = timed_twice(own, v)
    print(f"{title}\n{'':34}{'first':>9}{'again':>9}{'ratio':>8}{'off':>10}{'errors off':>12}  Elo")
    print(f"  {'rate(…).robust()':32}{seconds[0]:8.3f}s{seconds[1]:8.3f}s{1:8.2f}")
    for name, module, run in peers:
        if peer(module) is None:
            continue
        (found, errors), (first, again) = timed_twice(run, v)
        text = f"  {name:32}{first:8.3f}s{again:8.3f}s{again / seconds[1]:8.2f}"
        if run is openskill_online:
            order, other = np.argsort(np.argsort(elo[:n])), np.argsort(np.argsort(found))
            otherwise = (order[:, None] < order) & (other[:, None] > other)
            print(f"{text}   {otherwise.sum()} of {n * (n - 1) // 2} pairs the other way")
            continue
        text += f"{off(found, elo, n):10.5f}"
        print(text + ("" if errors is None else f"{np.nanmax(np.abs(errors - error)):12.5f}"))


def main():
    """Print the three tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--votes", type=int, default=57_477)
    parser.add_argument("--models", type=int, default=60)
    options = parser.parse_args()
    v = votes(options.models, options.votes, np.random.default_rng(51))
    print(f"{len(v.won):,} votes on {options.models} models")
    compare(
        "strengths alone",
        v,
        ours,
        [
            ("arena-rank BradleyTerry", "arena_rank", arena_rank),
            ("choix.ilsr_pairwise_dense", "choix", choix_pairs),
            ("openskill BradleyTerryFull", "openskill", openskill_online),
        ],
    )
    compare(
        "with three features of style",
        v,
        lambda v: ours(v, style=True),
        [
            ("arena-rank ContextualBradleyTerry", "arena_rank", arena_rank_style),
            ("statsmodels Logit, HC0", "statsmodels", statsmodels_style),
            ("scikit-learn LogisticRegression", "sklearn", sklearn_style),
        ],
    )
    few = Votes(*(column[:2000] for column in v))
    compare(
        "the first 2,000 votes, with a virtual win and loss of each model",
        few,
        lambda v: ours(v, prior=1.0),
        [("whole-history-rating, one day", "whr", whole_history)],
    )


if __name__ == "__main__":
    main()
