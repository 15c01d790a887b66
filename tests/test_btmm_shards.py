"""Fits on files: equal to the fit in memory, on any executor, with a worker lost."""

import os
import signal
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import distributed
import numpy as np
import pytest

from gameai_lib.btmm.competitions import CompetitionError, from_pairs, from_teams, joined
from gameai_lib.btmm.fit import fit
from gameai_lib.btmm.shards import Shards, read_shard, write_shard, write_shards


def random_teams(seed=0, n=300):
    rng = np.random.default_rng(seed)
    rows = [
        [rng.permutation(12)[: rng.integers(0, 4)].tolist() for _ in range(4)] for _ in range(n)
    ]
    return from_teams([*rows, [[11], [0]]], [*rng.integers(4, size=n).tolist(), 0])


def complete_teams(n=300):
    rng = np.random.default_rng(1)
    rows = [[[int(rng.integers(4)), 4 + int(rng.integers(4))] for _ in range(5)] for _ in range(n)]
    return from_teams(rows, rng.integers(5, size=n).tolist())


def parts(data, n):
    return [data.take(rows) for rows in np.array_split(np.arange(data.n_competitions), n)]


@pytest.mark.parametrize("make", [random_teams, complete_teams])
@pytest.mark.parametrize("method", ["accelerated", "cyclic", "damped"])
def test_equal_to_the_fit_in_memory(tmp_path, make, method):
    data = make()
    whole = fit(data, method, max_passes=30)
    with ThreadPoolExecutor(3) as pool:
        shards = Shards(write_shards(tmp_path / "s", parts(data, 7)), pool)
        assert shards.n_competitions == data.n_competitions
        assert shards.total_weight == data.total_weight
        got = fit(shards, method, max_passes=30)
    for name in ("gamma", "objective", "expected", "information"):
        np.testing.assert_allclose(getattr(got, name), getattr(whole, name), rtol=1e-10)


def test_a_process_pool_gives_the_same_to_the_last_bit_whatever_its_size(tmp_path):
    data = complete_teams()
    paths = write_shards(tmp_path / "s", parts(data, 5))
    gammas = []
    for n_workers in (1, 2):
        with ProcessPoolExecutor(n_workers, mp_context=get_context("spawn")) as pool:
            gammas.append(fit(Shards(paths, pool), max_passes=12).gamma)
    np.testing.assert_array_equal(*gammas)
    np.testing.assert_allclose(gammas[0], fit(data, max_passes=12).gamma, rtol=1e-10)


def test_written_and_read(tmp_path):
    data = random_teams()
    write_shard(tmp_path / "a.btmm", data)
    again = read_shard(tmp_path / "a.btmm")
    for name in ("offsets", "features", "winner", "weight", "group"):
        np.testing.assert_array_equal(getattr(again, name), getattr(data, name))
    assert joined([again, data]).n_competitions == 2 * data.n_competitions
    assert [p.name for p in tmp_path.iterdir()] == ["a.btmm"]


def test_damaged_shards_are_named(tmp_path):
    write_shard(tmp_path / "a.btmm", random_teams())
    whole = (tmp_path / "a.btmm").read_bytes()
    for damaged in (b"", b"no shard at all", whole[:200], whole[:-60], whole[:-1]):
        (tmp_path / "b.btmm").write_bytes(damaged)
        with pytest.raises(CompetitionError, match=r"b.btmm is no shard"):
            read_shard(tmp_path / "b.btmm")
    with ThreadPoolExecutor(1) as pool:
        with pytest.raises(CompetitionError, match="no shards"):
            Shards([], pool)
        write_shard(tmp_path / "c.btmm", from_pairs([0], [1]))
        with pytest.raises(CompetitionError, match=r"c.btmm has other features"):
            Shards([tmp_path / "a.btmm", tmp_path / "c.btmm"], pool)


# Dask's own farewell to a killed worker closes its sockets late.
@pytest.mark.filterwarnings(
    "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)
def test_a_dask_cluster_that_loses_a_worker_ends_right(tmp_path):
    data = complete_teams(600)
    paths = write_shards(tmp_path / "s", parts(data, 6))
    killed = []
    with (
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            dashboard_address=None,
            local_directory=str(tmp_path),
            silence_logs=50,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        workers = client.run(os.getpid)
        assert len(workers) == 2

        def kill_one(step):
            if not killed:
                killed.append(next(iter(workers.values())))
                os.kill(killed[0], signal.SIGKILL)

        got = fit(Shards(paths, client.get_executor()), max_passes=12, tol=0, watch=kill_one)
        after = client.run(os.getpid)
        assert killed[0] not in after.values()
    assert got.n_passes == 12
    np.testing.assert_allclose(got.gamma, fit(data, max_passes=12, tol=0).gamma, rtol=1e-10)
