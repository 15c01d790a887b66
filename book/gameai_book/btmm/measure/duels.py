"""Passes and seconds to the same strengths: MM, Newman's iteration, acceleration, Newton's method.

Run as ``python -m gameai_book.btmm.measure.duels``, a minute; ``--only ring`` (or another case)
writes its rows anew into ``book/gameai_book/btmm/data/duels.csv``. A method has arrived when no
strength is more than `NEAR` Elo from its place at the maximum; where there is no prior, all
strengths are taken around their mean. A pass looks at all games once; of Newton's method it is a
step. Milliseconds are of the processor, the least of `N_RUNS` runs with kernels compiled, once the
games are counted.
"""

import csv
import time
from functools import partial, update_wrapper
from itertools import islice

import numpy as np

from gameai_book.btmm import duels
from gameai_book.btmm.measure import shared
from gameai_lib.btmm.model import accelerate, mm
from gameai_lib.btmm.model.build import from_pairs
from gameai_lib.btmm.model.elo import ELO_PER_NAT
from gameai_lib.btmm.model.players.games import collect
from gameai_lib.btmm.model.players.newton import climb, slopes_at, start_of

NEAR = 0.1
N_RUNS = 3
MOST = 200_000  # passes
SEED = 238
FIELDS = ("case", "players", "pairs", "games", "prior", "seed", "method", "passes", "ms")


def ring(rng, n=500, n_chords=25, n_games=100):
    """Neighbours in a ring, and a few chords."""
    chords = [rng.choice(n, 2, replace=False) for _ in range(n_chords)]
    around = np.stack([np.arange(n), (np.arange(n) + 1) % n], axis=1)
    return np.repeat(np.concatenate([around, chords]), n_games, axis=0), n


def league(rng, n=20):
    """Everybody meets everybody twice."""
    del rng
    return np.argwhere(~np.eye(n, dtype=bool)), n


def opens(rng, n=2000, n_rounds=9):
    """Nine rounds of a large field, drawn by lot."""
    return np.concatenate([rng.permutation(n).reshape(-1, 2) for _ in range(n_rounds)]), n


def arena(rng, n=60, n_games=57_477):
    """Votes on pairs of models, of which some are asked for much more often than others."""
    share = 1 / np.arange(1, n + 1)
    pairs = rng.choice(n, (n_games * 2, 2), p=share / share.sum())
    return pairs[pairs[:, 0] != pairs[:, 1]][:n_games], n


def dense(rng, n=300):
    """Everybody meets everybody eight times."""
    del rng
    return np.repeat(np.argwhere(~np.eye(n, dtype=bool)), 4, axis=0), n


CASES = (ring, league, opens, arena, dense)
PRIOR = {opens: 1.0}  # without one some have only won


def play(case):
    """Return winners, losers and the number of players of a case, strengths of deviation 1."""
    rng = np.random.default_rng(SEED)
    pairs, n = case(rng)
    theta = rng.normal(size=n)
    won = rng.random(len(pairs)) < 1 / (1 + np.exp(theta[pairs[:, 1]] - theta[pairs[:, 0]]))
    pairs = np.where(won[:, None], pairs, pairs[:, ::-1])
    return *pairs.T, n


def methods(winners, losers, n, prior):
    """Return by name a function that begins a run: an iterator of (n,) ln gamma, a pass each."""
    found = duels.duels_of(winners, losers, n)
    met = np.unique(np.stack([winners, losers], axis=1), axis=0, return_counts=True)
    data = from_pairs(*met[0].T, weight=met[1])
    names, games = collect(zip(winners.tolist(), losers.tolist(), [1] * len(winners), strict=True))
    order, slopes = np.argsort(names), partial(slopes_at, games, "davidson", prior)

    def log(steps):
        return (np.log(step.gamma) for step in steps)

    ones, virtual = np.ones(n), mm.Prior(prior)
    return {
        "MM, all at once": lambda: log(mm.batch(data, virtual, ones)),
        "MM, one by one": lambda: map(np.log, duels.passes(duels.zermelo, found, prior)),
        "Newman": lambda: map(np.log, duels.passes(duels.newman, found, prior)),
        "accelerated MM": lambda: log(accelerate.accelerated(data, virtual, ones)),
        "Newton": lambda: (beta[order] for beta, _ in climb(slopes, start_of(games, "davidson"))),
    }


def passes_to(begin, goal, prior):
    """Return the number of passes until all strengths are within `NEAR` Elo, or `MOST`."""
    for n_passes, theta in enumerate(begin()):
        off = theta - goal
        if prior == 0:
            off = off - off.mean()
        if np.abs(off).max() * ELO_PER_NAT < NEAR:
            return n_passes
        if n_passes == MOST:
            return n_passes
    raise RuntimeError("it ended before")


def seconds_of(begin, n_passes):
    """Return the least processor seconds of so many passes."""
    best = np.inf
    for _ in range(N_RUNS):
        start = time.process_time()
        for _ in islice(begin(), n_passes + 1):
            pass
        best = min(best, time.process_time() - start)
    return best


def measure(case):
    """Write the rows of a case."""
    (winners, losers, n), prior = play(case), PRIOR.get(case, 0.0)
    run = methods(winners, losers, n, prior)
    *_, goal = run["Newton"]()
    low, high = np.sort([winners, losers], axis=0)
    about = (case.__name__, n, np.unique(low * n + high).size, winners.size, prior, SEED)
    rows = []
    for name, begin in run.items():
        n_passes = passes_to(begin, goal, prior)
        rows.append([*about, name, n_passes, f"{1000 * seconds_of(begin, n_passes):.4g}"])
        print(*rows[-1], flush=True)
    path = shared.OUT / "duels.csv"
    if path.exists():
        with path.open(newline="", encoding="utf-8") as file:
            rows += [row for row in list(csv.reader(file))[1:] if row[0] != case.__name__]
    names = [case.__name__ for case in CASES]
    shared.write_table("duels", FIELDS, sorted(rows, key=lambda row: names.index(row[0])))


if __name__ == "__main__":
    shared.run(*(update_wrapper(partial(measure, case), case) for case in CASES))
