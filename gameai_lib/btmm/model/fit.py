"""Fitting a Bradley-Terry model: a method run to its end, and what came of it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Literal

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.interrupts import Interrupted, held
from gameai_lib.base.progress import Bar
from gameai_lib.base.types import ArrayLike, Floats
from gameai_lib.btmm.model import accelerate, empirical, existence, mm
from gameai_lib.btmm.model.build import from_teams
from gameai_lib.btmm.model.competitions import Competitions, passable, strengths
from gameai_lib.btmm.model.elo import ELO_PER_NAT

if TYPE_CHECKING:  # work on one machine needs no shards
    from gameai_lib.btmm.model.shards import Shards

METHODS: dict[str, Callable[..., Iterator[mm.Step]]] = {
    "accelerated": accelerate.accelerated,
    "cyclic": partial(mm.cyclic, rescale=True),
    "batch": partial(mm.batch, rescale=True),
    "damped": partial(mm.damped, rescale=True),
}
ROUGH = 1e-6  # nats a competition: near enough to the optimum for a choice of the prior
Method = Literal["accelerated", "cyclic", "batch", "damped"]


@dataclass(frozen=True, eq=False, repr=False)
class Fit:
    """Strengths and how they were reached; ``pickle.dumps(got)`` keeps them."""

    gamma: Floats  #: (n_features,) float
    wins: Floats  #: (n_features,) float: wins in the data
    expected: Floats  #: (n_features,) float: the model's; at the optimum without a prior, the same
    information: Floats  #: (n_features,) float: curvature of the objective in each ln gamma
    mean_log_evidence: Floats  #: (n_passes,) float: equation (9) of the source, nats
    objective: Floats  #: (n_passes,) float: the same with the prior
    total_weight: float  #: number of competitions, N
    prior: float  #: virtual victories and losses of every feature
    method: str
    converged: bool  #: whether the last updates promised less than the tolerance

    def __repr__(self) -> str:
        return (
            f"Fit({self.gamma.size} features, {self.total_weight:g} competitions; mean "
            f"log-evidence {self.mean_log_evidence[-1]:.4f} after {self.n_passes} passes"
            f"{'' if self.converged else ', not converged'})"
        )

    @property
    def n_passes(self) -> int:
        """Number of passes over the data."""
        return self.objective.size

    @property
    def standard_error(self) -> Floats:
        """(n_features,) float: that of ln gamma, the others held still; see `standard_errors`."""
        with np.errstate(divide="ignore"):
            return 1 / np.sqrt(self.information)

    @property
    def elo(self) -> Floats:
        """(n_features,) float: 400 log10 gamma."""
        return ELO_PER_NAT * np.log(self.gamma)

    def table(
        self,
        names: Sequence[str] | None = None,
        top: int | None = None,
        errors: ArrayLike | None = None,
    ) -> str:
        """Return the features as lines of text, the strongest first; only `top` if given.

        `names` stand for their numbers; `errors` are of ln gamma, as `standard_errors` finds them,
        and shown as Elo.
        """
        order = np.argsort(-self.gamma, kind="stable")[:top]
        names = [str(f) if names is None else names[f] for f in order]
        width = max([len(name) for name in names] + [7])
        shown = np.full(self.gamma.size, np.nan)
        if errors is not None:
            shown = np.minimum(ELO_PER_NAT * arrays.floats("errors", errors, 1), 9999)
        lines = [f"{'feature':<{width}}  {'gamma':>9}  {'Elo':>7}  {'s.e.':>5}  {'wins':>9}"]
        for name, f in zip(names, order, strict=True):
            lines.append(
                f"{name:<{width}}  {self.gamma[f]:9.4g}  {self.elo[f]:7.1f}  "
                f"{'' if errors is None else format(shown[f], '.0f'):>5}  {self.wins[f]:9.10g}"
            )
        return "\n".join(lines)


def predict_proba(
    strengths: Fit | ArrayLike, competitions: Competitions | Iterable[Iterable[Iterable[int]]]
) -> list[Floats]:
    """Return the chance of each team of each competition, the source's equation (3).

    `strengths` are a fit or gamma, (n_features,) float. Competitions may be lists as `from_teams`
    takes them, which nobody need have won yet. Each has its (n_teams,) float array, which adds up
    to 1.

    Examples
    --------
    A duel, and three teams:

    >>> predict_proba([2.0, 1.0, 1.0], [[[0], [1]], [[0, 1], [2], [1, 2]]])
    [array([0.66666667, 0.33333333]), array([0.5 , 0.25, 0.25])]
    """
    gamma = strengths.gamma if isinstance(strengths, Fit) else strengths
    gamma = arrays.array("strengths", gamma, ndim=1)
    if not isinstance(competitions, Competitions):
        rows = arrays.as_list("competitions", competitions)
        competitions = from_teams(rows, [0] * len(rows))
        if competitions.n_features > gamma.size:
            odd = competitions.n_features - 1
            raise ValueError(f"there are {gamma.size} strengths, no number {odd}")
        gamma = gamma[: competitions.n_features]
    return np.split(competitions.probabilities(gamma), competitions.offsets[1:-1])


def fit(
    data: "Competitions | Shards",
    method: Method = "accelerated",
    *,
    prior: float | Literal["learned"] = 1.0,
    max_passes: int = 1000,
    tol: float = 1e-9,
    start: Fit | ArrayLike | None = None,
) -> Fit:
    """Fit strengths to competitions.

    The `~gameai_lib.base.interrupts.Interrupted` of Ctrl-C has the `Fit` so far as its `result`, to
    be handed on as `start`. Without a prior a `NoMaximumError` says if no strengths are likeliest.

    Parameters
    ----------
    data : Competitions or Shards
    method : {"accelerated", "cyclic", "batch", "damped"}
        `gameai_lib.btmm.model.accelerate`, and the rules of `gameai_lib.btmm.model.mm`.
    prior : float or "learned"
        Virtual wins and losses of every feature against a gamma of 1; 0 for none: the results
        alone must then bound the strengths, and a feature that was never compared gets 1.
        "learned" takes the number under which the data are likeliest, in some fits more.
    max_passes : int
        Passes over the data, of each fit; the last one only measures.
    tol : float
        Stop when the updates of one round promise less, in nats per competition; 0 goes on to
        `max_passes`.
    start : Fit or (n_features,) float array, optional
        Strengths to go on from; all 1 without.

    Examples
    --------
    Player 0 beat player 1 twice, and lost once:

    >>> got = fit(from_pairs([0, 0, 1], [1, 1, 0]), prior=0.0)
    >>> round(float(got.gamma[0] / got.gamma[1]), 3)
    2.0
    """
    passable(data)
    checks.one_of("method", method, METHODS)
    is_learned = isinstance(prior, str) and prior == "learned"
    if not is_learned:
        prior = checks.number("prior", prior, 0, 1e12)
    tol = checks.number("tol", tol, 0)
    max_passes = checks.whole("max_passes", max_passes)
    gamma = np.ones(data.n_features) if start is None else strengths(data, start)
    with Bar("fit", unit="passes") as bar:  # how many it will take is not known
        n_passes = count(1)

        def show(step):
            bar(next(n_passes), f"{step.gain / data.total_weight:.1e} nats to gain")

        fit_at = partial(_fit_by, data, method, max_passes, show)
        if is_learned:
            prior, gamma = empirical.learn_variance(partial(fit_at, max(tol, ROUGH)), gamma)
        return fit_at(tol, prior, gamma)


def _fit_by(data, method, max_passes, show, tol, prior, gamma):
    """Return the `Fit` of one method, from gamma on."""
    wins = existence.check_maximum(data) if prior == 0 else None
    trace, converged = [], False
    n_round = data.n_groups if method == "cyclic" else 1

    def found():
        # The data leave the scale open without a prior; fix it whatever the method.
        gamma = last.gamma.copy() if wins is None else existence.centre(last.gamma, wins)
        likelihood, objective, _ = np.array(trace).T / data.total_weight
        return Fit(
            gamma=gamma,
            wins=data.wins(),
            expected=data.tally(gamma).expected,
            information=data.information(gamma) + mm.Prior(prior).information(gamma),
            mean_log_evidence=likelihood,
            objective=objective,
            total_weight=data.total_weight,
            prior=float(prior),
            method=method,
            converged=converged,
        )

    try:
        for step in METHODS[method](data, mm.Prior(prior), gamma):
            with held():
                trace.append((step.log_likelihood, step.objective, step.gain))
                last = step
            show(step)
            gains = [gain for _, _, gain in trace[-n_round:]]
            converged = len(gains) == n_round and sum(gains) < tol * data.total_weight
            if converged or len(trace) == max_passes:
                break
    except KeyboardInterrupt as stop:
        if not trace:
            raise
        raise Interrupted(
            f"stopped after {len(trace)} passes; go on with start=", found()
        ) from stop
    return found()
