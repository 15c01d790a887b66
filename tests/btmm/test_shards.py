"""Fits on files: equal to the fit in memory, on any executor."""

import os
import tracemalloc
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

from gameai_book.btmm.results.models import FEATURES
from gameai_lib.btmm.game import reversi
from gameai_lib.btmm.model.build import from_choices, from_pairs, from_positions, from_teams
from gameai_lib.btmm.model.competitions import CompetitionError
from gameai_lib.btmm.model.fit import fit
from gameai_lib.btmm.model.shards import (
    Shards,
    read_shard,
    write_games,
    write_shard,
    write_shards,
)
from tests.btmm.direct import teams_of
from tests.btmm.random_games import reversi_games


def random_teams():
    return from_teams(*teams_of(300, 12))


def complete_teams(n=300):
    rng = np.random.default_rng(1)
    rows = [[[int(rng.integers(4)), 4 + int(rng.integers(4))] for _ in range(5)] for _ in range(n)]
    return from_teams(rows, rng.integers(5, size=n).tolist())


def parts(data, n):
    return [data.take(rows) for rows in np.array_split(np.arange(data.n_competitions), n)]


@pytest.mark.parametrize("make", [random_teams, complete_teams])
@pytest.mark.parametrize("method", ["accelerated", "damped"])
def test_equal_to_the_fit_in_memory(tmp_path, make, method):
    data = make()
    whole = fit(data, method, max_passes=30)
    with ThreadPoolExecutor(3) as pool:
        shards = Shards(write_shards(tmp_path / "s", parts(data, 20)), pool)
        assert shards.total_weight == data.total_weight
        got = fit(shards, method, max_passes=30)
    for name in ("gamma", "objective", "expected", "information"):
        np.testing.assert_allclose(getattr(got, name), getattr(whole, name), rtol=1e-10)


@pytest.mark.slow
def test_a_process_pool_gives_the_same_to_the_last_bit_whatever_its_size(tmp_path):
    data = complete_teams()
    wished = fit(data, max_passes=12).gamma  # first: it compiles for all workers
    paths = write_shards(tmp_path / "s", parts(data, 5))
    gammas = []
    for n_workers in (1, 2):
        with ProcessPoolExecutor(n_workers, mp_context=get_context("spawn")) as pool:
            gammas.append(fit(Shards(paths, pool), max_passes=12).gamma)
    np.testing.assert_array_equal(*gammas)
    np.testing.assert_allclose(gammas[0], wished, rtol=1e-10)


def test_games_are_replayed_into_shards(tmp_path):
    games, features = reversi_games(60, np.random.default_rng(7)), FEATURES["reversi"]
    paths = write_games(tmp_path / "s", games, reversi, features, n_games=25)
    assert len(paths) == 3
    wished = from_positions(reversi.replay(games).unforced(), features)
    found = [read_shard(path) for path in paths]
    for name in ("features", "winner", "weight"):
        together = np.concatenate([getattr(part, name) for part in found])
        np.testing.assert_array_equal(together, getattr(wished, name))
    got, whole = fit(Shards(paths), max_passes=20), fit(wished, max_passes=20)
    np.testing.assert_allclose(got.gamma, whole.gamma, rtol=1e-10)


def test_memory_does_not_grow_with_features_that_no_competition_has(tmp_path):
    n_features, rng = 100_000, np.random.default_rng(0)
    items = rng.integers(0, 2000, size=(400, 5))
    items.sort(axis=1)
    kept = items[(np.diff(items) > 0).all(axis=1)]
    data = from_choices(kept, np.zeros(len(kept), int), n_items=n_features)
    shards = Shards(write_shards(tmp_path, parts(data, 4)))
    tracemalloc.start()
    got = fit(shards, max_passes=40, tol=0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert got.n_passes == 40
    assert peak < 30 * 8 * n_features  # sixty remembered moves alone would take twice that


def test_written_and_read(tmp_path):
    data, path = random_teams(), tmp_path / "a.btmm"
    write_shard(path, data)
    again = read_shard(path)
    for name in ("offsets", "features", "winner", "weight", "group"):
        np.testing.assert_array_equal(getattr(again, name), getattr(data, name))
    assert [p.name for p in tmp_path.iterdir()] == ["a.btmm"]
    other = tmp_path / "b.btmm"
    other.write_bytes(path.read_bytes()[:-60])
    with pytest.raises(CompetitionError, match=r"b.btmm is not a shard"):
        read_shard(other)
    write_shard(other, from_pairs([0], [1]))
    for paths, executor, message in (
        ([], None, "no shards"),
        ([path, other], None, r"b.btmm has other features"),
        ("a.btmm", None, "paths must be"),
    ):
        with pytest.raises((CompetitionError, TypeError), match=message):
            Shards(paths, executor)


def test_a_shard_that_changes_after_its_check_is_refused(tmp_path):
    data = complete_teams()
    paths = write_shards(tmp_path / "s", parts(data, 3))
    shards, gamma = Shards(paths), np.ones(data.n_features)
    for path in paths[1:]:
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 0x40
        path.write_bytes(bytes(content))
        os.utime(path, (0, 0))
        for use in (shards.tally, shards.information):
            with pytest.raises(CompetitionError, match=r"shard-00001.btmm has changed since"):
                use(gamma)
