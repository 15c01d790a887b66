"""Competitions in files, and passes over them by any number of workers.

A pass is a sum over competitions. Each task sums over some files, one after the other, opened with
`numpy.memmap` and closed again, and the sums are added in the order of the files: the result does
not depend on who computed what, and memory stays at one file a worker.
`gameai_book.btmm.measure.scale` measures from which size on a second worker pays.
"""

import os
import zlib
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import pairwise, starmap
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import short
from gameai_lib.base.executors import run_in_order
from gameai_lib.base.files import write_whole
from gameai_lib.base.progress import Bar
from gameai_lib.btmm.model.build import from_positions
from gameai_lib.btmm.model.competitions import FIELDS, CompetitionError, Competitions, strengths
from gameai_lib.btmm.model.tally import Tally, tally

# Tasks of a pass: more balance the work of more workers, and send more. To send a task costs
# as much as to pass over some million members of teams.
MOST_TASKS = 16
LEAST_MEMBERS = 8_000_000

# Files


def write_shard(path, competitions):
    """Write `competitions` as one file of numpy arrays in a row, whole or not at all."""
    checks.kind("competitions", competitions, Competitions)

    def write(file):
        for name in FIELDS:
            np.lib.format.write_array(file, getattr(competitions, name), allow_pickle=False)

    write_whole(path, write)


def write_shards(folder, parts, stem="shard"):
    """Write each `Competitions` of the iterable `parts` as a shard; return the paths."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for i, part in enumerate(parts):
        paths.append(folder / f"{stem}-{i:05d}.btmm")
        write_shard(paths[-1], part)
    return paths


def write_games(folder, games, rules, features, n_games=1000):
    """Replay games and write their choices of moves, unless forced, as shards; return the paths.

    `rules` is `gameai_lib.btmm.game.reversi` or its like, `features` the `FeatureSet` of a move;
    `n_games` of the `Records` go into a shard, of which one is in memory. A `RecordError` if a game
    holds an illegal move.
    """
    with Bar("replay", total=games.n_games, unit="games") as bar:

        def parts():
            for i, part in enumerate(games.chunks(n_games)):
                bar(i * n_games)
                yield from_positions(rules.replay(part).unforced(), features)

        return write_shards(folder, parts())


def _map_arrays(path):
    """Return the arrays of a shard as memory maps."""
    maps = []
    try:
        with open(path, "rb") as file:
            for name in FIELDS:
                if (version := np.lib.format.read_magic(file)) != (1, 0):
                    raise ValueError(f"array format {version}")
                shape, fortran, dtype = np.lib.format.read_array_header_1_0(file)
                wished = FIELDS[name], 2 if name == "features" else 1
                if (dtype, len(shape)) != wished or fortran or min(shape) < 1:
                    raise ValueError(f"{name} of shape {shape} and type {dtype}")
                maps.append(np.memmap(path, dtype, "r", file.tell(), shape))
                file.seek(maps[-1].nbytes, 1)
            if file.read(1):
                raise ValueError(f"surplus bytes from byte {file.tell() - 1} on")
    except OSError:
        raise
    except Exception as error:  # numpy's reader of headers knows many
        raise CompetitionError(f"{Path(path).name} is not a shard: {short(str(error))}") from error
    return dict(zip(FIELDS, maps, strict=True))


def read_shard(path):
    """Return the `Competitions` of a shard; a `CompetitionError` names the file."""
    maps = _map_arrays(path)
    try:
        return Competitions(**maps)
    except CompetitionError as error:
        raise CompetitionError(f"{Path(path).name}: {error}") from error


# What a worker does


class Packed(NamedTuple):
    """A vector on its way: its commonest value, and what differs from it.

    Of the 656,000 patterns of a rich set a hundred thousand games show 45,000; the others have
    a gamma of 1 and no expected wins, and half the time of a pass went into sending them.
    """

    size: int
    fill: float
    where: np.ndarray
    values: np.ndarray

    def unpack(self):
        """Return the vector."""
        vector = np.full(self.size, self.fill)
        vector[self.where] = self.values
        return vector


def pack(vector, fill=0.0):
    """Return a (n,) float array as `Packed`."""
    where = np.flatnonzero(vector != fill).astype(np.int32)
    return Packed(vector.size, fill, where, vector[where])


class Summary(NamedTuple):
    """What the fit needs to know of a shard once."""

    wins: Packed
    complete: np.ndarray
    team_size: int
    total_weight: float
    n_teams: int
    group: int  #: a checksum
    stamp: tuple[int, ...]  #: what the file looked like when it was checked


def _stamp(path):
    stat = os.stat(path)
    return stat.st_size, stat.st_mtime_ns, stat.st_ino


def _summarise(path):
    stamp, part = _stamp(path), read_shard(path)
    return Summary(
        pack(part.wins()),
        part.complete_groups(),
        part.team_size(),
        part.total_weight,
        part.features.shape[0],
        zlib.crc32(part.group),
        stamp,
    )


def _group_of(path):
    return np.array(_map_arrays(path)["group"])


def _map_unchanged(shards):
    """Yield the `Competitions` of each shard, mapped from its file, or raise if that changed."""
    for path, stamp in shards:
        if _stamp(path) != stamp:
            raise CompetitionError(f"{Path(path).name} has changed since it was checked")
        part = object.__new__(Competitions)  # not to be checked again
        vars(part).update(_map_arrays(path))
        yield part


def _tally_shards(shards, gamma, column):
    """Return the expected wins, packed, and the log of totals, summed over some shards."""
    passed = (part._passed for part in _map_unchanged(shards))
    expected, log_total = tally(passed, gamma.unpack(), column)
    return pack(expected), log_total


def _fold_shards(shards, method, fold, *arguments):
    """Return what a method of `Competitions` gives for some shards, folded into one."""
    return reduce(fold, (getattr(part, method)(*arguments) for part in _map_unchanged(shards)))


def _union(some, more):
    return np.unique(np.concatenate([some, more]), axis=0)


@dataclass(frozen=True, eq=False)
class Shards:
    """Competitions spread over files; `fit` takes them as it takes `Competitions`.

    `paths` are files of `write_shard`, over the same features, which workers must see. The
    executor is anything with the ``submit`` of `concurrent.futures.Executor`: a process pool, or
    Dask's ``client.get_executor()``; this process without one. What a killed process had not
    finished is done again. A `CompetitionError` if there is no shard, two have different features,
    or one changes after the check.
    """

    paths: tuple[str, ...]
    executor: object = None

    def __post_init__(self):
        paths = map(os.fspath, arrays.as_list("paths", self.paths))
        object.__setattr__(self, "paths", tuple(paths))
        if not self.paths:
            raise CompetitionError("nothing to learn from: no shards")
        first = self._summaries[0]
        for path, summary in zip(self.paths, self._summaries, strict=True):
            if (summary.group, summary.wins.size) != (first.group, first.wins.size):
                raise CompetitionError(f"{Path(path).name} has other features than the first shard")

    @cached_property
    def _summaries(self):
        found = []
        with Bar("check", total=len(self.paths), unit="shards") as bar:
            for summary in self._run(_summarise, [(path,) for path in self.paths]):
                found.append(summary)
                bar(len(found))
        return found

    @cached_property
    def _bundles(self):
        """Runs of shards, each the task of one worker; the same whoever works."""
        stamps = (summary.stamp for summary in self._summaries)
        shards = [*zip(self.paths, stamps, strict=True)]
        n_members = sum(summary.n_teams for summary in self._summaries) * self.n_groups
        n = min(len(shards), MOST_TASKS, max(2, n_members // LEAST_MEMBERS))
        ends = [k * len(shards) // n for k in range(n + 1)]
        return [shards[first:last] for first, last in pairwise(ends)]

    def _fold(self, method, fold, *arguments):
        tasks = [(bundle, method, fold, *arguments) for bundle in self._bundles]
        return reduce(fold, self._run(_fold_shards, tasks))

    @cached_property
    def group(self):
        """(n_features,) int: the column of each feature."""
        return next(self._run(_group_of, [self.paths[:1]]))

    @property
    def n_features(self):
        """Number of features, seen or not."""
        return self._summaries[0].wins.size

    @property
    def n_groups(self):
        """Number of groups of mutually exclusive features."""
        return self._summaries[0].complete.size

    @property
    def total_weight(self):
        """Sum of the weights of all shards."""
        return sum(summary.total_weight for summary in self._summaries)

    def complete_groups(self):
        """Return (n_groups,) bool: does every team of every shard hold a member?"""
        return np.all([summary.complete for summary in self._summaries], axis=0)

    def team_size(self):
        """Return the largest number of members in a team."""
        return max(summary.team_size for summary in self._summaries)

    def wins(self):
        """Return (n_features,) float: the weight each feature won."""
        wins = np.zeros(self.n_features)
        for summary in self._summaries:
            wins[summary.wins.where] += summary.wins.values
        return wins

    def tally(self, gamma, column=None):
        """Return the `Tally` at `gamma`, summed over the shards in their order."""
        gamma = pack(strengths(self, gamma), 1.0)
        expected, log_total = np.zeros(self.n_features), 0.0
        tasks = [(bundle, gamma, column) for bundle in self._bundles]
        for part, part_total in self._run(_tally_shards, tasks):
            expected[part.where] += part.values
            log_total += part_total
        return Tally(expected, log_total)

    def information(self, gamma):
        """As in `Competitions`, over all shards, and so are the next four."""
        return self._fold("information", np.add, strengths(self, gamma))

    def information_matrix(self, gamma):
        return self._fold("information_matrix", np.add, strengths(self, gamma))

    def information_product(self, gamma, vector):
        return self._fold("information_product", np.add, strengths(self, gamma), vector)

    def smallest_share(self, gamma, move):
        return self._fold("smallest_share", min, strengths(self, gamma), move)

    def edges(self):
        return self._fold("edges", _union)

    def _run(self, function, tasks):
        """Return an iterator of ``function(*task)`` of every task, in their order."""
        if self.executor is None:
            return starmap(function, tasks)
        return run_in_order(self.executor, function, tasks)
