"""The library's own entrants of the NTBEA contest.

An entrant takes a problem, budgets and a seed, and returns the points it recommends by
budget and label; here every budget is a run of its own.
"""

from itertools import islice

import numpy as np

from gameai_lib.ntbea.contest import rivals
from gameai_lib.ntbea.search.landscape import LandscapeModel
from gameai_lib.ntbea.search.recommend import TupleRegression, best_by_model, best_sampled
from gameai_lib.ntbea.search.steps import Settings, search_steps
from gameai_lib.ntbea.search.tuning import tune


def each_budget(recommend):
    """Make an entrant of ``recommend(problem, budget, rng)``, which returns {label: point}."""

    def entrant(problem, budgets, seed):
        return {
            (budget, label): point
            for budget in budgets
            for label, point in recommend(
                problem, budget, np.random.default_rng([*seed, budget])
            ).items()
        }

    return entrant


def quiet(n_done, n_total):
    """Show no progress of a single run."""


def tuned(problem, budget, rng):
    """`tune` at its defaults: one setting for every problem and budget."""
    return {"tune": tune(problem.evaluate, problem.space, budget, rng, progress=quiet).point}


def canonical(k_scale):
    """NTBEA as published with k at `k_scale` of the range, by both published rules."""

    def recommend(problem, budget, rng):
        model = LandscapeModel(problem.space)
        steps = search_steps(problem.evaluate, model, rng, Settings(k_scale=k_scale))
        for _ in islice(steps, budget):
            pass
        return {
            f"NTBEA {k_scale}, best sampled": best_sampled(model),
            f"NTBEA {k_scale}, best by model": best_by_model(model),
            f"NTBEA {k_scale}, regression": TupleRegression(model).best(),
        }

    return recommend


def simple(problem, budget, rng):
    """Random search by best trial and by marginals, and RMHC(5): a run each."""
    return {
        name: play(problem.space, problem.evaluate, budget, rng)
        for name, play in (
            ("random, best trial", rivals.random_search),
            ("random, marginals", rivals.random_marginals),
            ("RMHC(5)", rivals.hill_climb),
        )
    }


def one_look(problem, budget, rng):
    """RMHC without resampling."""
    point = rivals.hill_climb(problem.space, problem.evaluate, budget, rng, n_resamples=1)
    return {"RMHC(1)": point}


def published(sizes):
    """NTBEA as in Lucas et al. (2019): k = 1, epsilon = 0.5, best sampled."""

    def recommend(problem, budget, rng):
        model = LandscapeModel(problem.space, sizes, epsilon=0.5)
        for _ in islice(search_steps(problem.evaluate, model, rng, Settings(k=1.0)), budget):
            pass
        label = " ".join(str(size) for size in sizes)
        return {f"NTBEA({label})": best_sampled(model)}

    return recommend


# The methods of Lucas et al. (2019, table 2) that are ours to run, and what we add.
PUBLISHED = {
    "RMHC(1)": each_budget(one_look),
    "NTBEA(1)": each_budget(published((1,))),
    "NTBEA(1 2)": each_budget(published((1, 2))),
    "NTBEA(1 2 5)": each_budget(published((1, 2, 5))),
    "tune": each_budget(tuned),
    "random": each_budget(simple),
}

ENTRANTS = {
    "tune": each_budget(tuned),
    "NTBEA 0.3": each_budget(canonical(0.3)),
    "NTBEA 1.0": each_budget(canonical(1.0)),
    "random": each_budget(simple),
}
