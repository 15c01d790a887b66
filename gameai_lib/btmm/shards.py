"""Competitions in files, and passes over them by any number of workers.

A pass is a sum over competitions. Each worker sums over one file, opened with
`numpy.memmap` and closed again, and the sums are added in the order of the
files: the result does not depend on who computed what, and memory stays at one
file a worker.
"""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gameai_lib._files import write_whole
from gameai_lib.btmm.competitions import CompetitionError, Competitions, Tally, tallied

FIELDS = ("offsets", "features", "winner", "weight", "group")


class Summary(NamedTuple):
    """What the fit needs to know of a shard once."""

    wins: np.ndarray
    complete: np.ndarray
    team_size: int
    total_weight: float
    n_competitions: int
    group: np.ndarray


def write_shard(path, competitions):
    """Write `competitions` as one file of numpy arrays in a row, whole or not at all."""

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


def _mapped(path):
    """Return the arrays of a shard as memory maps."""
    arrays = []
    try:
        with open(path, "rb") as file:
            for name in FIELDS:
                version = np.lib.format.read_magic(file)
                if version != (1, 0):
                    raise ValueError(f"array format {version}")
                shape, _, dtype = np.lib.format.read_array_header_1_0(file)
                if 0 in shape:
                    raise ValueError(f"{name} is empty")
                arrays.append(np.memmap(path, dtype, "r", file.tell(), shape))
                file.seek(arrays[-1].nbytes, 1)
    except ValueError as error:
        raise CompetitionError(f"{Path(path).name} is no shard: {error}") from error
    return dict(zip(FIELDS, arrays, strict=True))


def read_shard(path):
    """Return the `Competitions` of a shard, checked.

    Raises
    ------
    CompetitionError
        If the file is not a shard or what it holds fails the checks.
    """
    return Competitions(**{name: np.array(array) for name, array in _mapped(path).items()})


def _summarise(path):
    part = read_shard(path)
    return Summary(
        part.wins(),
        part.complete_groups(),
        part.team_size(),
        part.total_weight,
        part.n_competitions,
        part.group,
    )


def _tally_shard(path, gamma, column, complete):
    arrays = _mapped(path)
    features = arrays["features"].view(np.uint32)
    if not complete:
        # -1, read as unsigned, is greater than any feature.
        features = np.minimum(features, np.uint32(gamma.size))
    return tallied(arrays["offsets"], features, arrays["weight"], gamma, column)


def _information_of_shard(path, gamma):
    return read_shard(path).information(gamma)


@dataclass(frozen=True, eq=False)
class Shards:
    """Competitions spread over files; `fit` takes them as it takes `Competitions`.

    Parameters
    ----------
    paths : sequence of path
        Files of `write_shard`, over the same features. Workers must see them.
    executor : concurrent.futures.Executor
        Anything with its ``map``: a process pool, or Dask's ``client.get_executor()``.

    Raises
    ------
    CompetitionError
        If there is no shard, or two have different features.
    """

    paths: tuple
    executor: object

    def __post_init__(self):
        object.__setattr__(self, "paths", tuple(str(path) for path in self.paths))
        if not self.paths:
            raise CompetitionError("nothing to learn from: no shards")
        for path, summary in zip(self.paths, self._summaries, strict=True):
            if not np.array_equal(summary.group, self.group):
                raise CompetitionError(f"{Path(path).name} has other features than the first shard")

    @cached_property
    def _summaries(self):
        return list(self.executor.map(_summarise, self.paths))

    @property
    def group(self):
        """(n_features,) int: the column of each feature."""
        return self._summaries[0].group

    @property
    def n_features(self):
        """Number of features, seen or not."""
        return self.group.size

    @property
    def n_groups(self):
        """Number of groups of mutually exclusive features."""
        return self._summaries[0].complete.size

    @property
    def n_competitions(self):
        """Number of competitions in all shards."""
        return sum(summary.n_competitions for summary in self._summaries)

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
        return sum(summary.wins for summary in self._summaries)

    def tally(self, gamma, column=None):
        """Return the `Tally` at `gamma`, summed over the shards in their order."""
        n = len(self.paths)
        complete = [bool(summary.complete.all()) for summary in self._summaries]
        tallies = self.executor.map(_tally_shard, self.paths, [gamma] * n, [column] * n, complete)
        expected, log_total = np.zeros(self.n_features), 0.0
        for part in tallies:
            expected += part.expected
            log_total += part.log_total
        return Tally(expected, log_total)

    def information(self, gamma):
        """Return (n_features,) float: as `Competitions.information`, over all shards."""
        n = len(self.paths)
        return sum(self.executor.map(_information_of_shard, self.paths, [gamma] * n))
