"""Published packages as samplers of the NTBEA contest: Optuna, SMAC3, PyPI's `ntbea`, Nevergrad.

None is a dependency of this project; where one is not installed, it does not enter. A sampler
returns points and results, as in `gameai_book.ntbea.measure.ours`; those that have one also their
own recommendation, or one after each of some budgets.
"""

import importlib.util
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

PACKAGES = {
    "TPE": ("optuna",),
    "PyPI ntbea": ("ntbea",),
    "Nevergrad": ("nevergrad",),
    "GPSampler": ("optuna", "torch"),
    "SMAC3": ("smac",),
}


def installed_peers():
    """Names of the peers that can enter here."""
    found = importlib.util.find_spec
    return [name for name, packages in PACKAGES.items() if all(map(found, packages))]


def tpe(problem, n, rng):
    """Optuna's multivariate TPE, at its defaults otherwise."""
    import optuna

    seed = int(rng.integers(2**31))
    return _optuna(problem, n, rng, optuna.samplers.TPESampler(seed=seed, multivariate=True))


def gp_sampler(problem, n, rng):
    """Optuna's Gaussian process at its defaults, on one thread."""
    import optuna
    import torch

    torch.set_num_threads(1)
    return _optuna(problem, n, rng, optuna.samplers.GPSampler(seed=int(rng.integers(2**31))))


def _optuna(problem, n, rng, sampler):
    """Play what a sampler of Optuna asks; every dial is a whole number."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(direction="maximize", sampler=sampler)
    points, fitness = [], []
    for _ in range(n):
        trial = study.ask()
        sizes = enumerate(problem.space.n_values.tolist())
        points.append(np.array([trial.suggest_int(f"x{i}", 0, size - 1) for i, size in sizes]))
        fitness.append(problem.evaluate(points[-1], rng))
        study.tell(trial, fitness[-1])
    return np.array(points), np.array(fitness)


def smac3(problem, n, rng):
    """SMAC3 with its random forest for noisy costs: what it plays, and its own incumbent."""
    from ConfigSpace import ConfigurationSpace, Integer
    from smac import HyperparameterOptimizationFacade, Scenario
    from smac.runhistory.dataclasses import TrialValue

    space, seed = ConfigurationSpace(), int(rng.integers(2**31))
    sizes = problem.space.n_values.tolist()
    space.add([Integer(f"x{i}", (0, size - 1)) for i, size in enumerate(sizes)])
    points, fitness = [], []
    with TemporaryDirectory() as folder:
        scenario = Scenario(
            space, output_directory=Path(folder), deterministic=False, n_trials=n, seed=seed
        )
        search = HyperparameterOptimizationFacade(
            scenario, lambda config, seed=0: 0.0, logging_level=False, overwrite=True
        )
        for _ in range(n):
            asked = search.ask()
            points.append(_point_of(asked.config))
            fitness.append(problem.evaluate(points[-1], rng))
            search.tell(asked, TrialValue(cost=-fitness[-1]))
        own = _point_of(search.intensifier.get_incumbents()[0])
    return np.array(points), np.array(fitness), own


def _point_of(config):
    return np.array([config[f"x{i}"] for i in range(len(config))])


def nevergrad(problem, budgets, rng):
    """Nevergrad's (1+1) for noisy discrete problems, optimistic: what it plays and recommends.

    Of the package's ways to choose values it has the one that keeps their order, and it starts
    at a random point: the default start is the first value of every dial.
    """
    import nevergrad as ng

    sizes = problem.space.n_values.tolist()
    dials = ng.p.Tuple(*(ng.p.TransitionChoice(range(size)) for size in sizes))
    dials.value = tuple(problem.space.random_points(1, rng)[0].tolist())
    dials.random_state = np.random.RandomState(int(rng.integers(2**31)))
    search = ng.optimizers.registry["OptimisticNoisyOnePlusOne"](dials, budget=max(budgets))
    points, fitness, recommended = [], [], {}
    for n in range(1, max(budgets) + 1):
        asked = search.ask()
        points.append(np.array(asked.value))
        fitness.append(problem.evaluate(points[-1], rng))
        search.tell(asked, -fitness[-1])
        if n in budgets:
            recommended[n] = np.array(search.provide_recommendation().value)
    return np.array(points), np.array(fitness), recommended


def pypi_ntbea(problem, budgets, rng):
    """What PyPI's `ntbea` recommends; 1-, 2- and d-tuples, p = 2 / d, k = the results' range.

    Its evaluator is called once more at every tenth iteration; the calls are charged. The
    package breaks ties with numpy's global generator, which is left unseeded. It crashes where
    no mean is above 0, so that all results are raised by one number, which changes nothing else.
    """
    from ntbea import ntbea as peer

    recommended = {}

    def watch(n_played):
        if n_played in budgets:
            recommended[n_played] = np.array(model.get_best_sampled())

    sizes = 1, 2, problem.space.n_dims
    search, model = pypi_search(peer, problem, rng, sizes, shift=10.0, watch=watch)
    search.run(10 * max(budgets) // 11)
    recommended[max(budgets)] = np.array(model.get_best_sampled())
    return recommended


def pypi_search(peer, problem, rng, sizes, shift=0.0, watch=lambda n_played: None):
    """Return the package's search and its model, set up for a problem of this library.

    `watch` is told before each call of the evaluator how many there were.
    """
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
        n_played = 0

        def evaluate(self, x):
            watch(self.n_played)
            self.n_played += 1
            return problem.evaluate(np.asarray(x), rng) + shift

    model = peer.NTupleLandscape(Space("space", space.n_dims), list(sizes))
    k = problem.best if problem.outcomes is None else problem.outcomes[1] - problem.outcomes[0]
    n_neighbours = min(50, (space.size - 1) // 4)  # it draws until it has as many different ones
    search = peer.NTupleEvolutionaryAlgorithm(
        model, Evaluator("problem"), Space("space", space.n_dims), Mutator("flip"),
        k_explore=k, eval_neighbours=n_neighbours,
    )  # fmt: skip
    return search, model
