"""On a Dask cluster that loses a worker, what runs there ends as it does in this process."""

import os
import signal
from concurrent.futures import Executor, ThreadPoolExecutor

import distributed
import numpy as np
import pytest

from gameai_lib.btmm.model.fit import fit
from gameai_lib.btmm.model.shards import Shards, write_shards
from gameai_lib.nrpa import leftmove, restarts
from gameai_lib.ntbea import tune
from gameai_lib.ntbea.game.problems import max_m
from tests.btmm.test_shards import complete_teams, parts

# Dask's own farewell to a killed worker closes its sockets late.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings(
        "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
    ),
]


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """The client of a cluster of two processes."""
    options = {"dashboard_address": ":0", "local_directory": str(tmp_path_factory.mktemp("dask"))}
    options |= {"n_workers": 2, "threads_per_worker": 1, "silence_logs": 50}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        yield client


class Fatal(Executor):
    """The executor of a cluster, one of whose workers is killed when some tasks have come."""

    def __init__(self, client, n_before):
        self.executor = client.get_executor()
        self.victim = next(iter(client.run(os.getpid).values()))
        self.n_before = n_before

    def submit(self, function, /, *arguments, **named):
        self.n_before -= 1
        if self.n_before == 0:
            os.kill(self.victim, signal.SIGKILL)
        return self.executor.submit(function, *arguments, **named)


def fitted(executor, folder):
    """Strengths, fitted on six shards."""
    paths = write_shards(folder, parts(complete_teams(600), 6))
    return fit(Shards(paths, executor), max_passes=12, tol=0).gamma


def restarted(executor, _folder):
    """Scores and games of twelve searches."""
    runs = restarts(leftmove(12), 3, 12, executor=executor, level=2, n_iterations=20)
    return np.array([[run.best.score, *run.best.choices] for run in runs])


def tuned(executor, _folder):
    """The choice and all that was learned in sixty games, four at a time."""
    problem = max_m()
    found = tune(
        problem.evaluate, problem.space, 60, np.random.default_rng(5), executor=executor,
        n_at_a_time=4,
    )  # fmt: skip
    return np.concatenate([found.point, found.model.points.ravel(), found.model.fitness])


@pytest.mark.parametrize("job", [fitted, restarted, tuned])
def test_a_cluster_that_loses_a_worker_ends_right(job, client, tmp_path):
    fatal = Fatal(client, 9)
    found = job(fatal, tmp_path / "there")
    assert fatal.n_before < 0  # there were more
    client.wait_for_workers(2, timeout=60)
    assert fatal.victim not in client.run(os.getpid).values()
    with ThreadPoolExecutor(2) as threads:
        np.testing.assert_array_equal(found, job(threads, tmp_path / "here"))
