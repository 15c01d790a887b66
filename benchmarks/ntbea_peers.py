"""Published packages as entrants of the NTBEA contest: Optuna's TPE and PyPI's `ntbea`.

Neither is a dependency of this project; where one is not installed, it does not enter.
An entrant takes a problem, budgets and a seed, and returns the points it recommends by
budget and label, with None for a run that crashed.
"""

import importlib.util

import numpy as np

from gameai_lib.ntbea.contest.rivals import best_marginals
from gameai_lib.ntbea.search.landscape import LandscapeModel
from gameai_lib.ntbea.search.recommend import TupleRegression


def best_trial(space, points, fitness, rng):
    """The evaluated point of the largest single result."""
    return points[np.argmax(fitness)]


def by_regression(space, points, fitness, rng):
    """What this library's regression on n-tuples makes of a study."""
    model = LandscapeModel(space)
    for point, value in zip(points, fitness, strict=True):
        model.add(point, value)
    return TupleRegression(model).best()


AS_USUAL = {"best trial": best_trial, "marginals": best_marginals}
BY_US = {"regression": by_regression}


def installed():
    """Return the peers that can enter here, by name."""
    entrants = {}
    if importlib.util.find_spec("optuna"):
        entrants["TPE"] = lambda *a: tpe(*a, multivariate=False)
        entrants["TPE multivariate"] = lambda *a: tpe(*a, multivariate=True)
    if importlib.util.find_spec("ntbea"):
        entrants["PyPI ntbea"] = pypi_ntbea
    return entrants


def helped():
    """Return the same peers with a hand from us: TPE's studies (of the same seeds) are read by
    the regression, and PyPI's package gets results plus one, with which it does not crash.
    """
    entrants = {}
    if importlib.util.find_spec("optuna"):
        entrants["TPE"] = lambda *a: tpe(*a, multivariate=False, readings=BY_US)
        entrants["TPE multivariate"] = lambda *a: tpe(*a, multivariate=True, readings=BY_US)
    if importlib.util.find_spec("ntbea"):
        entrants["PyPI ntbea + 1"] = lambda *a: pypi_ntbea(*a, shift=1.0)
    return entrants


def tpe(problem, budgets, seed, multivariate, readings=AS_USUAL):
    """Optuna's TPE at its defaults, and what each of the readings makes of its study.

    One run serves all budgets: what it has after 50 trials is what it recommends at 50.
    """
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    rng = np.random.default_rng(seed)
    sampler = optuna.samplers.TPESampler(seed=int(rng.integers(2**31)), multivariate=multivariate)
    study = optuna.create_study(direction="maximize", sampler=sampler)
    points, fitness, recommended = [], [], {}
    name = "TPE multivariate" if multivariate else "TPE"
    for evaluation in range(1, max(budgets) + 1):
        trial = study.ask()
        point = np.array(
            [trial.suggest_int(f"x{i}", 0, n - 1) for i, n in enumerate(problem.space.n_values)]
        )
        points.append(point)
        fitness.append(problem.evaluate(point, rng))
        study.tell(trial, fitness[-1])
        if evaluation in budgets:
            data = np.array(points), np.array(fitness)
            for reading, read in readings.items():
                ties = np.random.default_rng([*seed, evaluation])
                recommended[evaluation, f"{name}, {reading}"] = read(problem.space, *data, ties)
    return recommended


def pypi_ntbea(problem, budgets, seed, shift=0.0):
    """PyPI's `ntbea` with 1-, 2- and d-tuples, p = 2 / d and k = the range of true values.

    Its evaluator is called once more at every tenth iteration; the calls are charged.
    The package breaks ties with numpy's global generator, which is left unseeded. `shift` is
    added to all results.
    """
    recommended, label = {}, f"PyPI ntbea + {shift:g}" if shift else "PyPI ntbea"
    for budget in budgets:
        rng = np.random.default_rng([*seed, budget])
        recommended[budget, label] = _pypi_run(problem, budget, rng, shift)
    return recommended


def _pypi_run(problem, budget, rng, shift):
    from ntbea import ntbea as peer

    search, model = pypi_search(peer, problem, rng, (1, 2, problem.space.n_dims), shift)
    try:
        search.run(10 * budget // 11)
        best = model.get_best_sampled()
    except TypeError:
        return None
    return None if best is None else np.array(best)


def pypi_search(peer, problem, rng, sizes, shift=0.0):
    """Return the package's search and its model, set up for a problem of this library."""
    space = problem.space

    class Space(peer.SearchSpace):
        def get_random_point(self):
            return space.random_points(1, rng)[0]

        def get_size(self):
            return space.size

        def get_dim_size(self, j):
            return int(space.n_values[j])

    class Mutator(peer.Mutator):
        def mutate(self, x):
            child = x.copy()
            flipped = rng.integers(space.n_dims)
            for i, n in enumerate(space.n_values):
                if i == flipped or rng.random() < 2 / space.n_dims:
                    other = rng.integers(n - 1)
                    child[i] = other + (other >= x[i])
            return child

    class Evaluator(peer.Evaluator):
        def evaluate(self, x):
            if x is None:  # the package found no point with a model mean above 0
                raise TypeError("no solution to evaluate")
            return problem.evaluate(np.asarray(x), rng) + shift

    model = peer.NTupleLandscape(Space("space", space.n_dims), list(sizes))
    k = problem.best if problem.outcomes is None else problem.outcomes[1] - problem.outcomes[0]
    search = peer.NTupleEvolutionaryAlgorithm(
        model, Evaluator("problem"), Space("space", space.n_dims), Mutator("flip"), k_explore=k
    )
    return search, model
