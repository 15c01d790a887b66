"""How well importances tell what is true, beside those of Optuna's fANOVA and PED-ANOVA.

    python -m benchmarks.ntbea_effects [--runs 20]

All read the same evaluations: drawn at random, or those of `tune`. The truth is the analysis of
variance over all points of the problem. Optuna (``pip install 'gameai_lib[benchmarks]'
scikit-learn``; fANOVA is left out without scikit-learn) shares among single parameters only, so
that ours are shared among them, too. An error is the mean over the parameters of the absolute
difference of shares, in points of a hundred. The last column says of how many parameters, in a
hundred, the true variance lies within two of our errors.
"""

import argparse
import importlib.util
import time
import warnings

import numpy as np

from gameai_lib.ntbea import LandscapeModel, SearchSpace, TupleRegression, importance, tune
from gameai_lib.ntbea.game.problems import Problem, grid, hartmann

BUDGETS = 50, 200
SLOPES = np.array([4.0, 2.0, 1.0, 0.5, 0.0, 0.0])


def problems():
    """Problems whose parameters matter differently, with noise or as games won and lost."""
    space = SearchSpace({f"x{i}": range(4) for i in range(6)})

    def pair(points):
        return points @ SLOPES / 2 + 4.0 * (points[:, 4] == points[:, 5])

    def trap(points):
        """Goldberg's (1987): all ones win, and without them the fewer the better."""
        ones = points.sum(axis=1)
        return np.where(ones == 5, 1.0, (4 - ones) / 5)

    return [
        Problem("Six dials", space, lambda points: points @ SLOPES, sigma=6.0),
        Problem("Four and a pair", space, pair, sigma=3.0),
        hartmann(4),
        Problem("Five-bit trap", grid(5, 2), trap, outcomes=(0.0, 1.0)),
    ]


def evaluations(problem, how, n, rng):
    """A model of n evaluations."""
    if how == "tune":
        return tune(problem.evaluate, problem.space, n, rng, progress=lambda *_: None).model
    model = LandscapeModel(problem.space)
    for point in problem.space.random_points(n, rng):
        model.add(point, problem.evaluate(point, rng))
    return model


def truth(problem):
    """The variance that each parameter alone explains."""
    shape = problem.space.n_values
    values = problem.true_values(problem.space.all_points()).reshape(shape)
    dims = range(len(shape))
    return np.array([values.mean(axis=tuple(set(dims) - {d})).var() for d in dims])


def by_us(model):
    effects = _effects(model)
    return _shares([effects[name].variance for name in model.space.names])


def known(model, true):
    """Percentage of the parameters whose true variance is within two errors."""
    effects = _effects(model)
    pairs = zip(model.space.names, true, strict=True)
    return 100 * np.mean([abs(effects[n].variance - v) <= 2 * effects[n].error for n, v in pairs])


def _effects(model):
    return {e.names[0]: e for e in importance(TupleRegression(model), pairs=False)}


def evaluators(seed):
    """Optuna's, by name."""
    import optuna.importance as judges

    found = {"PED-ANOVA": judges.PedAnovaImportanceEvaluator()}
    if importlib.util.find_spec("sklearn"):
        found["fANOVA"] = judges.FanovaImportanceEvaluator(seed=seed)
    return found


def study_of(model):
    """The same evaluations as Optuna keeps them."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    names, sizes = model.space.names, model.space.n_values
    kinds = {
        name: optuna.distributions.IntDistribution(0, int(n) - 1)
        for name, n in zip(names, sizes, strict=True)
    }
    study = optuna.create_study(direction="maximize")
    for point, value in zip(model.points.tolist(), model.fitness, strict=True):
        params = dict(zip(names, point, strict=True))
        trial = optuna.trial.create_trial(params=params, distributions=kinds, value=float(value))
        study.add_trial(trial)
    return study


def by_optuna(model, evaluator):
    import optuna

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            told = optuna.importance.get_param_importances(study_of(model), evaluator=evaluator)
        except RuntimeError:  # fANOVA, where its forest sees no difference between points
            told = dict.fromkeys(model.space.names, 1.0)
    return _shares([told.get(name, 0.0) for name in model.space.names])


def _shares(parts):
    return np.array(parts) / (np.sum(parts) or 1.0)


def compare(problem, how, n, runs):
    """Error and seconds of each judge in each run, two dicts of lists; and what is `known`."""
    errors, seconds, within = {}, {}, []
    true = truth(problem)
    for seed in range(runs):
        model = evaluations(problem, how, n, np.random.default_rng(seed))
        judges = {"ours": by_us}
        if importlib.util.find_spec("optuna"):
            for name, judge in evaluators(seed).items():
                judges[name] = lambda model, judge=judge: by_optuna(model, judge)
        for name, judge in judges.items():
            begun = time.perf_counter()
            shares = judge(model)
            seconds.setdefault(name, []).append(time.perf_counter() - begun)
            errors.setdefault(name, []).append(100 * np.abs(shares - _shares(true)).mean())
        within.append(known(model, true))
    return errors, seconds, within


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--runs", type=int, default=20)
    options = parser.parse_args()
    for how in ("random", "tune"):
        for problem in problems():
            for n in BUDGETS:
                errors, seconds, within = compare(problem, how, n, options.runs)
                told = [
                    f"{name} {np.mean(e):5.1f} ± {np.std(e) / len(e) ** 0.5:3.1f}"
                    f" ({1000 * np.median(seconds[name]):5.0f} ms)"
                    for name, e in errors.items()
                ]
                told.append(f"known {np.mean(within):3.0f} %")
                print(f"{problem.name:16} {how:6} {n:3}:  " + "  ".join(told), flush=True)


if __name__ == "__main__":
    main()
