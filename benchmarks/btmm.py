"""CPU seconds of the Bradley-Terry room beside its peers, in one run.

Run as ``python -m benchmarks.btmm [pairs] [top1] [build] [teams] [passes] [shards] [history]``;
all without a name. Peers (choix, scipy, whole-history-rating) are optional; the real problems of
``passes`` need GAMEAI_DATA. Set OMP_NUM_THREADS=1 and OPENBLAS_NUM_THREADS=1 so that CPU time is
that of one core for everyone.
"""

import importlib
import os
import resource
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice, pairwise
from multiprocessing import get_context

import numpy as np

from gameai_book.btmm.measure.shared import read_folder
from gameai_lib.btmm.game import connect6, patterns, reversi
from gameai_lib.btmm.model import mm
from gameai_lib.btmm.model.build import from_choices, from_pairs, from_positions, from_teams
from gameai_lib.btmm.model.competitions import Competitions
from gameai_lib.btmm.model.elo import ELO_PER_NAT
from gameai_lib.btmm.model.fit import fit
from gameai_lib.btmm.model.players.history import rate_history
from gameai_lib.btmm.model.shards import Shards, write_shards


def peer(name):
    """Return the module `name`, or None after saying that it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"  {name} is not installed: left out")
        return None


def timed(function, *arguments, **options):
    """Return (result, CPU seconds)."""
    start = time.process_time()
    result = function(*arguments, **options)
    return result, time.process_time() - start


def report(rows):
    """Print (name, seconds, log-likelihood per competition) with ratios to the first row."""
    for name, seconds, value in rows:
        ratio = seconds / rows[0][1]
        print(f"  {name:<42} {seconds:9.3f} s  x{ratio:7.1f}  {value:.9f}")


def pairs(n_players=1000, n_games=1_000_000):
    """Duels between players against choix, at the same final likelihood."""
    print(f"pairs: {n_players} players, {n_games} games, from the list of games on")
    rng = np.random.default_rng(0)
    theta = rng.normal(size=n_players)
    met = np.stack([rng.integers(n_players, size=n_games)] * 2, axis=1)
    met[:, 1] = (met[:, 1] + rng.integers(1, n_players, size=n_games)) % n_players
    first = rng.random(n_games) < 1 / (1 + np.exp(theta[met[:, 1]] - theta[met[:, 0]]))
    games = np.where(first[:, None], met, met[:, ::-1])

    def value(log_gamma):
        return float(-np.logaddexp(0, log_gamma[games[:, 1]] - log_gamma[games[:, 0]]).mean())

    def counted():
        cells = np.bincount(games[:, 0] * n_players + games[:, 1], minlength=n_players**2)
        return cells.reshape(n_players, n_players).astype(float)

    def ours():
        wins = counted()
        winners, losers = np.nonzero(wins)
        data = from_pairs(winners, losers, weight=wins[winners, losers])
        return np.log(fit(data, prior=0.0, tol=1e-9).gamma)

    ours()
    log_gamma, seconds = timed(ours)
    rows = [("btmm, accelerated", seconds, value(log_gamma))]
    choix = peer("choix")
    if choix is not None:

        def dense():
            return choix.ilsr_pairwise_dense(counted())

        for name, run in (
            ("choix.ilsr_pairwise_dense", dense),
            ("choix.mm_pairwise", lambda: choix.mm_pairwise(n_players, games, tol=1e-8)),
        ):
            log_gamma, seconds = timed(run)
            rows.append((name, seconds, value(log_gamma)))
    report(rows)


def top1(n_items=1000, n_competitions=200_000, n=10):
    """One winner of ten against choix."""
    print(f"top-1 of {n}: {n_items} items, {n_competitions} competitions")
    rng = np.random.default_rng(1)
    theta = rng.normal(size=n_items)
    items = rng.integers(n_items, size=(n_competitions, n))
    fresh = [len(set(row)) == n for row in items.tolist()]
    items = items[fresh]
    winner = np.argmax(theta[items] + rng.gumbel(size=items.shape), axis=1)
    data = from_choices(items, winner)
    fit(data, prior=0.0, max_passes=2)
    ours, seconds = timed(lambda: fit(from_choices(items, winner), prior=0.0, tol=1e-10))
    rows = [("btmm, accelerated", seconds, ours.mean_log_evidence[-1])]
    choix = peer("choix")
    if choix is not None:
        listed = [
            (row[w], row[:w] + row[w + 1 :])
            for row, w in zip(items.tolist(), winner.tolist(), strict=True)
        ]
        log_gamma, seconds = timed(choix.mm_top1, n_items, listed)
        step = mm.measure(data, data.wins(), np.exp(log_gamma), mm.Prior(0.0)).step
        rows.append(("choix.mm_top1", seconds, step.log_likelihood / data.total_weight))
    report(rows)


def synthetic(rng, n_competitions, n_moves=(20, 61), sizes=(1500,) * 4):
    """Return positions with features of Zipf-like frequency and winners of known strengths."""
    lengths = rng.integers(*n_moves, size=n_competitions)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    starts = np.concatenate([[0], np.cumsum(sizes)])
    features = np.empty((offsets[-1], len(sizes)), np.int32)
    strength = rng.gumbel(size=offsets[-1])
    for k, size in enumerate(sizes):
        frequency = np.arange(1, size + 1) ** -0.8
        edges = np.cumsum(frequency / frequency.sum())
        features[:, k] = np.minimum(np.searchsorted(edges, rng.random(offsets[-1])), size - 1)
        strength += np.random.default_rng(k).normal(size=size)[features[:, k]]
        features[:, k] += starts[k]
    best = np.maximum.reduceat(strength, offsets[:-1])
    rows = np.flatnonzero(strength == np.repeat(best, lengths))
    group = np.repeat(np.arange(len(sizes)), sizes)
    return Competitions(offsets, features, rows - offsets[:-1], np.ones(n_competitions), group)


def build():
    """Competitions out of flat arrays, of 64 bits as numpy makes them, and out of lists."""
    print("build: 2,000 choices among 20 to 60 moves of four features each")
    data = synthetic(np.random.default_rng(1), 2000)
    ends, features = data.offsets.tolist(), data.features.tolist()
    teams = [features[first:end] for first, end in pairwise(ends)]
    choices = list(zip(teams, data.winner.tolist(), strict=True))
    wide = data.features.astype(np.int64), data.winner, data.weight, data.group.astype(np.int64)
    seconds = {
        "Competitions of flat arrays": best_of(lambda: Competitions(data.offsets, *wide)),
        "from_choices of lists": best_of(lambda: from_choices(choices), 3),
        "from_teams of lists": best_of(lambda: from_teams(teams, data.winner), 3),
    }
    for name, value in seconds.items():
        ratio = value / seconds["Competitions of flat arrays"]
        print(f"  {name:<42} {1000 * value:9.2f} ms  x{ratio:6.0f}")


def best_of(function, n=9):
    """Return the least CPU seconds of `n` calls."""
    return min(timed(function)[1] for _ in range(n))


def teams():
    """One pass over positions of moves, four features each, against plain numpy."""
    problems = {"synthetic": synthetic(np.random.default_rng(1), 20_000)} | real_problems()
    for name, data in problems.items():
        rates(name, data)


def rates(name, data):
    """Print the CPU time of passes over `data`."""
    gamma = fit(data, max_passes=10).gamma
    n_million = data.features.shape[0] / 1e6
    print(f"teams: {name}, {n_million:.2f} million moves of {data.n_groups} features")
    rows = [
        ("full pass", best_of(lambda: data.tally(gamma))),
        ("pass of one group", best_of(lambda: data.tally(gamma, 0))),
        ("full pass, plain numpy", best_of(lambda: numpy_pass(data, gamma), 3)),
    ]
    for label, seconds in rows:
        print(f"  {label:<42} {1000 * seconds / n_million:9.2f} ms a million moves")


def numpy_pass(data, gamma):
    """Return expected wins as one would write them in numpy."""
    strength = gamma[data.features].prod(axis=1)
    total = np.add.reduceat(strength, data.offsets[:-1])
    share = strength * np.repeat(data.weight / total, np.diff(data.offsets))
    columns = [np.bincount(c, share, data.n_features) for c in data.features.T]
    return np.sum(columns, axis=0)


def real_problems():
    """Return the two real problems of the table of passes, if there are records."""
    folder = os.environ.get("GAMEAI_DATA")
    if folder is None:
        print("  GAMEAI_DATA is not set: real problems left out")
        return {}
    stones = read_folder(folder, "connect6").take(slice(0, 100))
    games = read_folder(folder, "othello")
    games = games.take(np.arange(3000) * games.n_games // 3000)
    lines = patterns.lines(7, edge="own state", by_player=False)
    overlapping = (patterns.Square(), patterns.Flips(), *lines)
    return {
        "Connect-6, 100 games, 4x8": from_positions(
            connect6.replay(stones), patterns.FeatureSet("4x8", tuple(patterns.lines(8)))
        ),
        "Othello, 3,000 games, lines of 7": from_positions(
            reversi.replay(games).unforced(), patterns.FeatureSet("7", overlapping)
        ),
    }


class Objective:
    """Penalised log-likelihood per competition as scipy wants it, and its best values so far."""

    def __init__(self, data):
        self.data, self.wins, self.best = data, data.wins(), [-np.inf]

    def __call__(self, theta):
        """Return minus the value and minus the gradient at ln gamma."""
        measured = mm.measure(self.data, self.wins, np.exp(theta), mm.Prior(1.0))
        n = self.data.total_weight
        self.best.append(max(self.best[-1], measured.step.objective / n))
        return -measured.step.objective / n, (measured.expected - measured.wins) / n


def passes(max_cyclic=8000):
    """Passes and CPU seconds until within 1e-4 and 1e-6 nats of the optimum."""
    problems = {"synthetic": synthetic(np.random.default_rng(1), 20_000)} | real_problems()
    optimize = peer("scipy.optimize")
    for name, data in problems.items():
        print(f"passes: {name}: {data.n_competitions} positions, {data.n_features} features")
        optimum = fit(data, tol=1e-13, max_passes=4000).objective[-1]
        until("accelerated", data, accelerated, optimum, max_cyclic)
        until("cyclic MM", data, plain_cyclic, optimum, max_cyclic)
        for memory in (10, 30) if optimize is not None else ():
            run = partial(lbfgs, minimize=optimize.minimize, memory=memory)
            until(f"scipy L-BFGS, memory {memory}", data, run, optimum, max_cyclic)


def accelerated(data, n):
    """Return the objective per competition of `n` passes."""
    return fit(data, tol=0, max_passes=n).objective


def lbfgs(data, n, minimize, memory):
    """Return the best objective per competition of up to `n` passes of scipy's L-BFGS."""
    objective = Objective(data)
    options = {"maxcor": memory, "maxfun": n, "maxiter": n, "ftol": 0, "gtol": 0}
    start = np.zeros(data.n_features)
    minimize(objective, start, jac=True, method="L-BFGS-B", options=options)
    return np.array(objective.best[1:])


def plain_cyclic(data, n):
    """Return the objective per competition of `n` passes, one group each."""
    steps = islice(mm.cyclic(data, mm.Prior(1.0), np.ones(data.n_features)), n)
    return np.array([step.objective for step in steps]) / data.total_weight


def until(label, data, run, optimum, n_most):
    """Print the passes and the CPU seconds that `run` takes to both distances."""
    cells, n = [], 100
    trace, seconds = timed(run, data, n)
    while (optimum - trace >= 1e-6).all() and n < n_most:
        n = min(4 * n, n_most)
        trace, seconds = timed(run, data, n)
    for distance in (1e-4, 1e-6):
        reached = optimum - trace < distance
        count = int(np.argmax(reached)) + 1 if reached.any() else None
        cells.append(f"> {trace.size}" if count is None else f"{count}")
    cells.append(f"{timed(run, data, count)[1] if count else seconds:.2f} s")
    print(f"  {label:<30} {cells[0]:>8} {cells[1]:>8} passes {cells[2]:>10}")


def shards(n_shards=100, n_positions=100_000, n_workers=2, n_passes=12):
    """Fit ten million positions from files with worker processes; show the memory."""
    print(f"shards: {n_shards} files of {n_positions} positions, {n_workers} processes")
    with tempfile.TemporaryDirectory() as folder:
        parts = (synthetic(np.random.default_rng(i), n_positions, (4, 13)) for i in range(n_shards))
        paths = write_shards(folder, parts)
        size = sum(os.path.getsize(path) for path in paths)
        start = time.perf_counter()
        with ProcessPoolExecutor(n_workers, mp_context=get_context("spawn")) as pool:
            got = fit(Shards(paths, pool), max_passes=n_passes)
        wall = time.perf_counter() - start
    print(f"  {got.total_weight:.0f} positions, {size / 2**30:.2f} GiB of files")
    print(f"  {got.n_passes} passes, {wall:.1f} s of wall time, {got.mean_log_evidence[-1]:.6f}")
    for who, label in ((resource.RUSAGE_SELF, "parent"), (resource.RUSAGE_CHILDREN, "worker")):
        peak = resource.getrusage(who).ru_maxrss / 2**10
        print(f"  peak memory of the {label}: {peak:.0f} MiB")


def history(n_players=20, n_days=30, drift=20.0):
    """Strengths in time against whole-history-rating, until that is near: hundredths of Elo."""
    print(f"history: {n_players} players, {n_days} days, each player meets one other a day")
    rng = np.random.default_rng(2)
    theta, games, days = rng.normal(size=n_players), [], []
    for day in range(n_days):
        for i, j in rng.permutation(n_players).reshape(-1, 2).tolist():
            p = np.exp([(theta[i] - theta[j]) / 2, -1, (theta[j] - theta[i]) / 2])
            games.append((f"p{i}", f"p{j}", (1, 0.5, 0)[rng.choice(3, p=p / p.sum())]))
            days.append(day)
        theta += rng.normal(0, drift / ELO_PER_NAT, n_players)
    found, seconds = timed(rate_history, games, days, drift=drift, prior=0.5)
    rows, whr = [("btmm", seconds, 0.0)], peer("whr")
    if whr:
        base = whr.WHR({"w2": drift**2})

        def iterate():
            for (first, second, result), day in zip(games, days, strict=True):
                base.create_game(first, second, {1: "B", 0.5: "D", 0: "W"}[result], day, 0)
            return base.auto_iterate(time_limit=600, precision=1e-6)

        _, seconds = timed(iterate)
        elo = [[day.elo for day in base.player_by_name(name).days] for name in found.names]
        strengths = ELO_PER_NAT * found.beta[:-1]  # all days of a player, then those of the next
        far = float(np.abs(np.concatenate(elo) - strengths).max())
        rows.append(("whole-history-rating, and how far in Elo", seconds, far))
    report(rows)


def main():
    """Run the parts named on the command line, or all."""
    parts = {f.__name__: f for f in (pairs, top1, build, teams, passes, shards, history)}
    for name in sys.argv[1:] or parts:
        parts[name]()


if __name__ == "__main__":
    main()
