"""What a way is a team of, by hand; and what a bias learned from ways is worth, as stored."""

import numpy as np
import pytest

from gameai_book.together import ways
from gameai_book.together.measure import ways as measured
from gameai_book.together.results import ways as stored
from gameai_book.together.results.stored import read
from gameai_lib.nrpa import Instance, tsptw
from tests.nrpa.games import needs_data


def test_features_by_hand():
    distance = np.abs(np.subtract.outer([0, 1, 3, 6], [0, 1, 3, 6]))
    instance = Instance("line", distance, [[0, 99], [30, 40], [0, 10], [10, 20]])
    features = ways.way_features(tsptw(instance)).reshape(4, 4, 2)
    names = np.array(ways.NAMES)[features]
    assert names[1, 2].tolist() == ["nearest", "2 back"]  # windows in the order 2, 3, 1, 0
    assert names[1, 3].tolist() == ["2nd nearest", "1 back"]
    assert names[2, 3].tolist() == ["2nd nearest", "next window"]
    assert names[2, 1].tolist() == ["nearest", "2 places on"]


@needs_data
def test_the_first_tours_come_back():
    table = read("ways")
    assert [len(found) for found in stored.scores().values()] == [22] * 3
    got, n_choices = measured.learn()
    assert n_choices == table["n_choices"]
    np.testing.assert_allclose(np.log(got.gamma), [*table["strengths"].values()], atol=1e-3)
    for instance in measured.instances("SolomonPotvinBengio/rc_206.[12].txt"):
        for bias, problem in measured.problems(instance, got).items():
            for method, found in measured.scores(problem).items():
                assert found == pytest.approx(table["scores"][instance.name][bias][method])
