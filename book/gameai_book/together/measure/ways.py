"""A bias learned from tours, beside none and one made by hand, on tours that nobody has shown it.

The strengths are fitted from tours of Dumas et al. with 20 and 40 cities, as `best_tour` finds
them, and told to those of Solomon, Potvin and Bengio.
``python -m gameai_book.together.measure.ways`` takes a minute; it reads the instances from the
folder named by GAMEAI_DATA.
"""

import json
import os
from pathlib import Path

import numpy as np

from gameai_book.together.results.stored import path_of
from gameai_book.together.ways import NAMES, way_features
from gameai_lib.base.files import write_whole
from gameai_lib.btmm import Fit, fit
from gameai_lib.nrpa import NRPA, best_tour, choices_of, flat_monte_carlo, playout_of, tsptw
from gameai_lib.nrpa.game.files import read_tsptw
from gameai_lib.nrpa.tours.best_tour import tour_problem
from gameai_lib.together.learned_bias import biased, choices_in

SHOWN, UNSEEN = "Dumas/n[24]0w*.txt", "SolomonPotvinBengio/rc_*.txt"
LEVEL, N_ITERATIONS = 2, 30
SEEDS = range(1, 6)


def instances(names):
    """The instances whose files have such names, in order."""
    folder = Path(os.environ["GAMEAI_DATA"], "tsptw")
    return [read_tsptw(path) for path in sorted(folder.glob(names))]


def learn() -> tuple[Fit, int]:
    """Strengths of the features of ways, and of how many choices they are fitted."""
    games = []
    for instance in instances(SHOWN):
        problem = tsptw(instance, look_ahead=True)
        best = best_tour(instance, 1, n_playouts=3000)
        games.append((problem, playout_of(problem, choices_of(problem, best.codes))))
    choices = choices_in(games, way_features)
    return fit(choices), choices.n_competitions


def problems(instance, got):
    """The same tour without a bias, with that of `best_tour`, and with the learned one."""
    plain = tsptw(instance, look_ahead=True)
    return {
        "none": plain,
        "by hand": tour_problem(instance),
        "learned": biased(plain, got, way_features),
    }


def scores(problem):
    """Best scores of the searches, and of as many playouts by the bias alone."""
    n = N_ITERATIONS**LEVEL
    searches = (NRPA(problem, seed, level=LEVEL, n_iterations=N_ITERATIONS) for seed in SEEDS)
    return {
        "NRPA": [round(search.run().score, 4) for search in searches],
        "playouts": [
            round(flat_monte_carlo(problem, seed, n, problem.bias)[0].score, 4) for seed in SEEDS
        ],
    }


def main():
    """Write the strengths, and by instance and bias the best scores of each seed."""
    got, n_choices = learn()
    rows = {
        instance.name: {name: scores(one) for name, one in problems(instance, got).items()}
        for instance in instances(UNSEEN)
    }
    table = {
        "n_choices": n_choices,
        "n_playouts": N_ITERATIONS**LEVEL,
        "strengths": dict(zip(NAMES, np.log(got.gamma).round(3).tolist(), strict=True)),
        "scores": rows,
    }
    write_whole(path_of("ways"), json.dumps(table, indent=1) + "\n")


if __name__ == "__main__":
    main()
