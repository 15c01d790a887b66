"""Fit the source's feature sets to real games and write two small tables of results.

Run as ``python -m gameai_book.btmm.measure.results`` with GAMEAI_DATA set; writes
``results.csv`` (one line a fit) and ``curves.csv`` (one line a sweep) into
``book/gameai_book/btmm/data``. A random twentieth of the games is for the test, 20 sweeps of
the cyclic update as in the source. Column ``split`` is the seed of the split: other seeds
show how far the choice of the test games moves a result. No game record goes into either
file.
"""

import csv

import numpy as np

from gameai_book.btmm.measure.shared import OUT, RULES, evenly, split_records, write_table
from gameai_lib.btmm.game import patterns
from gameai_lib.btmm.model import mm
from gameai_lib.btmm.model.build import from_positions
from gameai_lib.btmm.model.scores import score

N_SWEEPS = 20
KEY = ("game", "features", "edge", "n_games", "split", "prior")
RESULTS = (*KEY, "n_features", "n_seen", "train", "test", "train_top1", "test_top1")
CURVES = (*KEY, "sweep", "train", "test")


def connect6_sets():
    """Yield (name, edge, feature set) of the source and of the neighbouring choices.

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


def reversi_sets():
    """Yield (name, edge, feature set) from one feature of a move to many."""
    square, flips = (patterns.Square(),), (patterns.Flips(),)
    yield "square", "", patterns.FeatureSet("square", square)
    yield "+ flips", "", patterns.FeatureSet("+ flips", square + flips)
    for length in (3, 5, 7, 9):
        yield f"+ lines {length}", "own state", _with_lines(square + flips, length, False)
    rich = (patterns.Square(60), *flips, patterns.neighbourhood(edge="own state"))
    yield "rich", "own state", _with_lines(rich, 9, True)


def source_set():
    """Yield the first of the `connect6_sets` alone: the source's best."""
    yield next(connect6_sets())


def rich_set():
    """Yield the last of the `reversi_sets` alone."""
    yield list(reversi_sets())[-1]


def _with_lines(groups, length, by_player):
    lines = patterns.lines(length, edge="own state", by_player=by_player)
    return patterns.FeatureSet(f"+ lines {length}", (*groups, *lines))


def curve_of(train, test, prior, n_sweeps=N_SWEEPS):
    """Return (gamma, rows): the strengths after the sweeps, and the scores on the way."""
    rows = []
    steps = mm.cyclic(train, mm.Prior(prior), np.ones(train.n_features))
    for i, step in enumerate(steps):
        sweep, group = divmod(i, train.n_groups)
        if group == 0:
            on_test = score(test, step.gamma).mean_log_evidence
            rows.append((sweep, step.log_likelihood / train.total_weight, on_test))
        if sweep == n_sweeps:
            return step.gamma, rows


class Tables:
    """Both result files, written anew after every fit: a long run may be cut and gone on with."""

    def __init__(self, folder=OUT):
        self.folder = folder
        self.results, self.curves = (_read(folder / n) for n in ("results.csv", "curves.csv"))

    def lacks(self, key, prior):
        """Is this fit still to be done?"""
        done = [row[: len(KEY)] for row in self.results]
        return [str(part) for part in (*key, prior)] not in done

    def add(self, key, train, test, prior):
        """Fit once, append the rows and write the files."""
        gamma, rows = curve_of(train, test, prior)
        on_train, on_test = score(train, gamma), score(test, gamma)
        key = [str(part) for part in key]
        self.results.append(
            [*key, str(prior), train.n_features, int(np.count_nonzero(train.tally(gamma).expected))]
            + [f"{s.mean_log_evidence:.6f}" for s in (on_train, on_test)]
            + [f"{s.top[0]:.6f}" for s in (on_train, on_test)]
        )
        self.curves += [[*key, str(prior), n, f"{a:.6f}", f"{b:.6f}"] for n, a, b in rows]
        write_table("results", RESULTS, self.results, self.folder)
        write_table("curves", CURVES, self.curves, self.folder)
        print(*self.results[-1], flush=True)


def _read(path):
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.reader(file))[1:]


def run(tables, game, sets, sizes, priors, split=0):
    """Fit every feature set to every number of training games, with every prior."""
    training, test = split_records(game, split)
    tests = RULES[game].replay(test).unforced()
    for n_games in sizes:
        chosen = evenly(training, n_games)
        positions = RULES[game].replay(chosen).unforced()
        for name, edge, features in sets():
            key = game, name, edge, chosen.n_games, split
            wanted = [p for p in priors(name, n_games) if tables.lacks(key, p)]
            if wanted:
                train, test = (from_positions(p, features) for p in (positions, tests))
            for prior in wanted:
                tables.add(key, train, test, prior)


def main():
    """Run all fits, smallest first."""
    tables, everything = Tables(), (10**9,)
    run(tables, "connect6", connect6_sets, (300, 1000), lambda *_: (1.0, 0.0))
    run(tables, "othello", reversi_sets, (500, 5000), _reversi_priors)
    run(tables, "connect6", connect6_sets, everything, lambda *_: (1.0,))
    run(tables, "othello", rich_set, everything, lambda *_: (1.0,))
    run(tables, "othello", reversi_sets, (40_000,), lambda *_: (1.0,))
    run(tables, "connect6", connect6_sets, everything, lambda *_: (0.0,))
    for split in range(1, 6):
        run(tables, "connect6", source_set, everything, lambda *_: (1.0,), split)


def _reversi_priors(name, n_games):
    if name == "+ lines 9" and n_games == 500:
        return (0.0, 0.1, 1.0, 5.0, 10.0, 50.0)
    return (1.0, 0.0)


if __name__ == "__main__":
    main()
