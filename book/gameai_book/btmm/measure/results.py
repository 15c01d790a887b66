"""Fit the source's feature sets to real games and write two small tables of results.

Run as ``python -m gameai_book.btmm.measure.results`` with GAMEAI_DATA set; adds what is missing
to ``results.csv`` (one line a fit) and ``curves.csv`` (one line a sweep) in
``book/gameai_book/btmm/data``. A random twentieth of the games is for the test, 20 sweeps of
the cyclic update as in the source. Column ``split`` is the seed of the split: other seeds
show how far the choice of the test games moves a result. No game record goes into either
file.
"""

import csv

import numpy as np

from gameai_book.btmm.measure.shared import OUT, choices, evenly, split_records, write_table
from gameai_lib.btmm.game import patterns
from gameai_lib.btmm.model import mm
from gameai_lib.btmm.model.scores import score

N_SWEEPS = 20
KEY = ("game", "features", "edge", "n_games", "split", "prior")
RESULTS = (*KEY, "n_features", "n_seen", "train", "test", "train_top1", "test_top1")
CURVES = (*KEY, "sweep", "train", "test")
ALL = 10**9  # games


def connect6_sets():
    """Yield (name, edge, feature set) of the source, its best first, and of neighbouring choices.

    The source tells black's moves from white's; the sets of "either player" do not.
    """
    for name, lengths, edge in (
        ("8-8-7-7", (8, 8, 7, 7), "empty"),
        ("4x8", 8, "empty"),
        ("4x7", 7, "empty"),
        ("4x6", 6, "empty"),
        ("4x8", 8, "own state"),
        ("4x8", 8, "opponent"),
        ("4x8 either player", 8, "own state"),
        ("4x9 either player", 9, "own state"),
        ("4x9", 9, "own state"),
    ):
        shapes = patterns.lines(lengths, edge=edge, by_player="either" not in name)
        yield name, edge, patterns.FeatureSet(name, tuple(shapes))


def othello_set(name):
    """Return (name, edge, feature set) of Othello: "+ lines 9", or "rich" with all there is."""
    groups = patterns.Square(), patterns.Flips()
    if name == "rich":
        groups = patterns.Square(60), groups[1], patterns.neighbourhood(edge="own state")
    lines = patterns.lines(9, edge="own state", by_player=name == "rich")
    return name, "own state", patterns.FeatureSet("+ lines 9", (*groups, *lines))


def run(game, sets, n_games, priors, split=0):
    """Fit every set with every prior; the tables grow by what they have not got."""
    training, test = split_records(game, split)
    training = evenly(training, n_games)
    results, curves = _read("results"), _read("curves")
    done = [row[: len(KEY)] for row in results]
    for name, edge, features in sets:
        key = [game, name, edge, str(training.n_games), str(split)]
        for prior in priors:
            if [*key, str(prior)] in done:
                continue
            both = [choices(game, games, features)[0] for games in (training, test)]
            row, sweeps = fit_and_grade(*both, prior)
            results.append([*key, str(prior), *row])
            curves += [[*key, str(prior), *sweep] for sweep in sweeps]
            # After every fit: a long run may be cut and gone on with.
            write_table("results", RESULTS, results)
            write_table("curves", CURVES, curves)
            print(*results[-1], flush=True)


def _read(name):
    with (OUT / f"{name}.csv").open(newline="") as file:
        return list(csv.reader(file))[1:]


def fit_and_grade(train, test, prior):
    """Return the row of a fit behind its key, and one a sweep."""
    sweeps = []
    steps = mm.cyclic(train, mm.Prior(prior), np.ones(train.n_features))
    for i, step in enumerate(steps):
        sweep, group = divmod(i, train.n_groups)
        if group == 0:
            nats = step.log_likelihood / train.total_weight, score(test, step.gamma)[0]
            sweeps.append([sweep, *(f"{value:.6f}" for value in nats)])
        if sweep == N_SWEEPS:
            break
    scores = score(train, step.gamma), score(test, step.gamma)
    n_seen = int(np.count_nonzero(train.tally(step.gamma).expected))
    cells = [*(s.mean_log_evidence for s in scores), *(s.top[0] for s in scores)]
    return [train.n_features, n_seen, *(f"{value:.6f}" for value in cells)], sweeps


def main():
    """Run all fits, smallest first."""
    for n_games in (300, 1000, ALL):
        run("connect6", connect6_sets(), n_games, (1.0, 0.0))
    run("othello", [othello_set("+ lines 9")], 500, (0.0, 0.1, 1.0, 5.0, 10.0, 50.0))
    for split in range(1, 6):
        run("connect6", [next(connect6_sets())], ALL, (1.0,), split)


if __name__ == "__main__":
    main()
