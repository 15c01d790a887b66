"""All of Othello: what it takes, what workers, a learned prior and a network make of it.

Run as ``python -m gameai_book.btmm.measure.scale [--only memory|workers|prior|network]`` with
GAMEAI_DATA set; each part replaces its rows of ``scale.csv`` in ``book/gameai_book/btmm/data``.
Peak memory is that of the process: run ``memory`` in one of its own. ``network`` needs PyTorch
(``pip install torch``), which the library does not.

The features are the richest of ``results`` ("rich") and its lines of nine. The games are split
with another seed than there: nothing was chosen by these test games. Errors are standard errors
over games, on the same 5,580 test games for all rows.
"""

import csv
import importlib
import os
import resource
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count
from multiprocessing import get_context

import numpy as np

from gameai_book.btmm.measure import shared
from gameai_book.btmm.measure.results import othello_set
from gameai_book.btmm.measure.shared import OUT, evenly
from gameai_lib.btmm.game import reversi
from gameai_lib.btmm.model.fit import fit
from gameai_lib.btmm.model.shards import Shards, write_games

SPLIT = 1
ALL = 106_032
GRID = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0)
ORDER = ("memory", "workers", "prior", "network")
FIELDS = ("part", "features", "n_games", "case", "quantity", "value", "error")


def feature_set(name):
    """Return the set of `othello_set` with that name."""
    return othello_set(name)[-1]


def game_records():
    """Return (training, test) `Records`."""
    return shared.split_records("othello", SPLIT)


choices = partial(shared.choices, "othello")


def add_grades(sums, data, game, chance):
    """Add ln P(played), first choices hit and 1 to (3, n_games) sums, for each position.

    Positions are of `game`, (n,), and each team had a `chance`, (n_teams,).
    """
    first = data.offsets[:-1]
    played = chance[first + data.winner]
    best = np.maximum.reduceat(chance, first)
    level = np.add.reduceat(chance == np.repeat(best, np.diff(data.offsets)), first)
    for row, values in zip(sums, (np.log(played), (played == best) / level, 1), strict=True):
        row += np.bincount(game, np.broadcast_to(values, game.size), row.size)


def grades(sums, other=None):
    """Return what `sums` of test games say: (mean, its standard error) by quantity.

    With those of `other` strengths on the same games, also how much better this is.
    """
    found = {"test": ratio(sums[0], sums[2]), "top-1": ratio(sums[1], sums[2])}
    return found if other is None else found | {"above": ratio(sums[0] - other[0], sums[2])}


def ratio(values, numbers):
    """Return the ratio of two sums over games, and its standard error."""
    found = values.sum() / numbers.sum()
    left = values - found * numbers
    return found, np.sqrt((left**2).sum()) / numbers.sum()


def grade(test, features, chances):
    """Return the sums of `add_grades` on test games; ``chances(data)`` is of each team."""
    sums, n_before = np.zeros((3, test.n_games)), 0
    for part in test.chunks(500):
        data, game = choices(part, features)
        add_grades(sums, data, game + n_before, chances(data))
        n_before += part.n_games
    return sums


def grade_fit(test, features, got):
    """Return `grade` of a `Fit`."""
    return grade(test, features, lambda data: data.probabilities(got.gamma))


def replace_rows(part, rows):
    """Write the rows of a part, each (features, n_games, case, {quantity: value or pair})."""
    path, kept = OUT / "scale.csv", []
    if path.exists():
        with path.open(newline="", encoding="utf-8") as file:
            kept = [row for row in list(csv.reader(file))[1:] if row[0] != part]
    for features, n_games, case, found in rows:
        for quantity, value in found.items():
            value, *error = value if isinstance(value, tuple) else (value,)
            cells = [f"{x:.5f}" if isinstance(x, float) else str(x) for x in (value, *error)]
            kept.append([part, features, str(n_games), case, quantity, *cells, *[""][len(error) :]])
            print(*kept[-1], flush=True)
    shared.write_table("scale", FIELDS, sorted(kept, key=lambda row: ORDER.index(row[0])))


def memory(n_games=ALL, max_passes=60):
    """Replay, encode and fit all training games from shards, and score the strengths."""
    rows, features = [], feature_set("rich")

    def note(case, **more):
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
        cells = {"MiB": peak, "CPU s": time.process_time(), **more}
        rows.append(("rich", n_games, case, cells))
        replace_rows("memory", rows)

    training, test = game_records()
    fit(choices(training.take(slice(0, 2)), features)[0], max_passes=2)
    note("library, records and kernels")
    with tempfile.TemporaryDirectory() as there:
        paths = write_games(there, evenly(training, n_games), reversi, features)
        size = sum(os.path.getsize(path) for path in paths)
        note("replayed and encoded", files=size / 2**20)
        got = fit(Shards(paths), max_passes=max_passes)
        note("fitted", passes=got.n_passes)
    rows[-1][-1].update(grades(grade_fit(test, features, got)))
    replace_rows("memory", rows)


def prior(problems=(("+ lines 9", 500), ("rich", 500), ("rich", 5000))):
    """Learned prior strengths beside a grid of them."""
    (training, test), rows = game_records(), []
    for name, n_games in problems:
        features = feature_set(name)
        data = choices(evenly(training, n_games), features)[0]
        found, start = {}, None
        for v in (*GRID, "learned"):
            started = time.process_time()
            got = fit(data, prior=v, tol=1e-8, start=None if v == "learned" else start)
            seconds, start = time.process_time() - started, got
            found[v] = got, grade_fit(test, features, got), seconds
        of = {v: sums for v, (_, sums, _) in found.items()}
        best = max(GRID, key=lambda v: grades(of[v])["test"][0])
        for v, (got, sums, seconds) in found.items():
            cells = {"v": got.prior} | grades(sums, of[1.0])
            cells["above v = 1"] = cells.pop("above")
            cells["CPU s"] = seconds
            if v == "learned":
                above = grades(sums, of[best])["above"]
                cells |= {"best of grid": best, "above best of grid": above}
            rows.append((name, n_games, "learned" if v == "learned" else f"v = {v:g}", cells))
        replace_rows("prior", rows)


def workers(sizes=(20_000, 100_000), n_passes=20):
    """Processor seconds of passes by one process, two, and two of a Dask cluster.

    A clock says little on a machine that has other things to do. So the seconds of this process
    and those of all workers are counted, and "times one" is what a clock would show on two free
    cores: all that is done here, and the share of the busier of two workers that take the tasks
    in order, each when it is free.
    """
    distributed, psutil = map(importlib.import_module, ("distributed", "psutil"))
    (training, _), rows = game_records(), []
    features, spawn = feature_set("rich"), get_context("spawn")
    options = {"dashboard_address": ":0", "silence_logs": 50, "threads_per_worker": 1}
    with (
        ProcessPoolExecutor(1, mp_context=spawn) as one,
        ProcessPoolExecutor(2, mp_context=spawn) as two,
        distributed.LocalCluster(n_workers=2, **options) as cluster,
        distributed.Client(cluster) as client,
        tempfile.TemporaryDirectory() as there,
    ):

        def busy():
            pids = [*one._processes, *two._processes, *client.run(os.getpid).values()]
            times = [psutil.Process(pid).cpu_times() for pid in pids]
            return np.array([time.process_time(), sum(t.user + t.system for t in times)])

        cases = {"one process": one, "two processes": two, "Dask": client.get_executor()}
        for n_games in sizes:
            games, folder = evenly(training, n_games), f"{there}/{n_games}"
            paths = write_games(folder, games, reversi, features, min(1000, n_games // 16))
            alone = None
            for case, executor in cases.items():
                data = Shards(paths, executor)
                fit(data, max_passes=2)  # all workers load their kernels
                before = busy()
                gamma = fit(data, max_passes=n_passes, tol=0).gamma
                here, away = (busy() - before) / n_passes
                path = here + away * (1 if case == "one process" else busier(data._bundles))
                alone = alone or (gamma, path)
                found = {"here": here, "in workers": away, "times one": alone[1] / path}
                found["off"] = float(np.abs(np.log(gamma / alone[0])).max())  # nats
                rows.append(("rich", n_games, case, found))
            replace_rows("workers", rows)


def busier(bundles):
    """Return the share of the busier of two workers that take bundles of shards in order."""
    done = [0, 0]
    for bundle in bundles:
        done[done.index(min(done))] += len(bundle)
    return max(done) / sum(done)


def network(sizes=(500, 5000)):
    """A small network on the same patterns, moves and games, beside this model."""
    try:
        torch = importlib.import_module("torch")
    except ImportError:
        print("network: PyTorch is not installed (pip install torch); its rows stay as they are")
        return
    torch.set_num_threads(1)
    (training, test), rows, features = game_records(), [], feature_set("rich")
    for n_games in sizes:
        games = evenly(training, n_games)
        started = time.process_time()
        got = fit(choices(games, features)[0], prior="learned", tol=1e-7)
        seconds, usual = time.process_time() - started, grade_fit(test, features, got)
        cells = {"parameters": int(np.count_nonzero(got.expected))} | grades(usual)
        rows.append(("rich", n_games, "this model", cells | {"CPU s": seconds}))
        started = time.process_time()
        net = Network(torch, games, features)
        seconds = time.process_time() - started
        cells = {"parameters": net.n_parameters}
        cells |= grades(grade(test, features, net.chances), usual)
        cells["above this model"] = cells.pop("above")
        rows.append(
            ("rich", n_games, "network", cells | {"epochs": net.n_epochs, "CPU s": seconds})
        )
        replace_rows("network", rows)


class Network:
    """A strength of a move and 32 hidden units, summed over its patterns (`EmbeddingBag`).

    It learns from nine games of ten, until twice running the tenth was predicted no better; the
    step (Adam, .002 for batches of 256 positions) was chosen by such games, too.
    """

    HIDDEN = 32

    def __init__(self, torch, games, features):
        self.torch = torch
        torch.manual_seed(0)
        rng = np.random.default_rng(0)
        is_train, is_check = shared.split_games(games.n_games, rng, every=10)
        train, check = (choices(games.take(kept), features)[0] for kept in (is_train, is_check))
        self.seen = np.unique(train.features)
        self.bag = torch.nn.EmbeddingBag(
            self.seen.size + 1, 1 + self.HIDDEN, mode="sum", padding_idx=self.seen.size
        )
        with torch.no_grad():
            self.bag.weight.mul_(0.1)
            self.bag.weight[:, 0] = 0
            self.bag.weight[-1] = 0  # of patterns that were never seen
        self.bias = torch.nn.Parameter(torch.zeros(self.HIDDEN))
        self.out = torch.nn.Linear(self.HIDDEN, 1, bias=False)
        parts = self.bag.weight, self.bias, self.out.weight
        self.n_parameters = sum(part.numel() for part in parts)
        optimizer, best, kept = torch.optim.Adam(parts, lr=2e-3), -np.inf, None
        for epoch in count(1):
            for rows in np.array_split(
                rng.permutation(train.n_competitions), train.n_competitions // 256 + 1
            ):
                optimizer.zero_grad()
                self._loss(train.take(rows)).backward()
                optimizer.step()
            chance = self.chances(check)[check.offsets[:-1] + check.winner]
            value = np.log(chance).mean()
            print(f"  epoch {epoch}: {value:.4f} on games held out", flush=True)
            if value > best:
                best, kept, self.n_epochs = value, [part.detach().clone() for part in parts], epoch
            elif epoch == self.n_epochs + 2:
                break
        with torch.no_grad():
            for part, values in zip(parts, kept, strict=True):
                part.copy_(values)

    def _scores(self, features):
        at = np.searchsorted(self.seen, features)
        at[self.seen[np.minimum(at, self.seen.size - 1)] != features] = self.seen.size
        sums = self.bag(self.torch.from_numpy(at))
        return sums[:, 0] + self.out(self.torch.relu(sums[:, 1:] + self.bias))[:, 0]

    def _loss(self, data):
        scores = self._scores(data.features)
        game = self.torch.from_numpy(
            np.repeat(np.arange(data.n_competitions), np.diff(data.offsets))
        )
        shift = scores.detach().max()
        total = self.torch.zeros(data.n_competitions).index_add_(0, game, (scores - shift).exp())
        return (total.log() + shift - scores[data.offsets[:-1] + data.winner]).mean()

    def chances(self, data):
        """Return (n_teams,) float: the chance of each team of `data`."""
        with self.torch.no_grad():
            parts = np.array_split(data.features, len(data.features) // 200_000 + 1)
            scores = np.concatenate([self._scores(part).numpy() for part in parts]).astype(float)
        first, lengths = data.offsets[:-1], np.diff(data.offsets)
        shares = np.exp(scores - np.repeat(np.maximum.reduceat(scores, first), lengths))
        return shares / np.repeat(np.add.reduceat(shares, first), lengths)


if __name__ == "__main__":
    shared.run(memory, workers, prior, network)
