"""The model against the worked cases of the specification, and plain-Python counting."""

import math

import numpy as np
import pytest

from gameai_lib.ntbea.game.problems import grid
from gameai_lib.ntbea.game.space import SearchSpace
from gameai_lib.ntbea.search.landscape import LandscapeModel


def model_of(n_dims, n_values, sizes, epsilon, data):
    model = LandscapeModel(grid(n_dims, n_values), sizes, epsilon)
    for point, fitness in data:
        model.add(point, fitness)
    return model


# Worked example of Lucas, Liu and Perez-Liebana (2018, section II-C): its stated means
# give back the points.
W1 = (
    (5, 5, (1, "d"), 0.5),
    1.0,
    [((1, 2, 3, 4, 0), 1), ((1, 2, 3, 4, 0), 0), ((1, 1, 1, 1, 1), 1), ((0, 0, 1, 1, 0), 1)],
    [
        ((1, 2, 3, 4, 0), 0.555556, 0.760942, 1.316498),
        ((1, 1, 1, 1, 1), 0.944444, 0.898390, 1.842834),
        ((0, 2, 1, 4, 1), 0.800000, 1.045477, 1.845477),
    ],
)
W2 = (
    (2, 2, (1, 2), 0.5),
    1.0,
    [((0, 0), 1), ((0, 1), 3), ((1, 0), 2)],
    [
        ((0, 0), 1.5, 0.816890, 2.316890),
        ((0, 1), 8 / 3, 0.889121, 3.555787),
        ((1, 0), 11 / 6, 0.889121, 2.722454),
        ((1, 1), 2.5, 1.195937, 3.695937),
    ],
)
W4 = (
    (1, 3, (1,), 1.0),
    2.0,
    [((0,), 0)] * 3 + [((1,), 1)],
    [((0,), 0, 0.634318, 1.268636), ((1,), 1, 0.897061, 2.794123), ((2,), 0, 1.268636, 2.537272)],
)
W5 = (
    (3, 3, (1, 2, "d"), 0.1),
    0.5,
    [((0, 0, 0), -4), ((0, 1, 1), -2), ((1, 1, 0), -1), ((1, 1, 0), -3)],
    [
        ((1, 1, 0), -2.095238, 0.831184, -1.679646),
        ((0, 1, 0), -2.611111, 1.374705, -1.923759),
        ((1, 0, 1), -2.666667, 2.763108, -1.285113),
        ((2, 2, 2), 0.0, 4.011780, 2.005890),
    ],
)


@pytest.mark.parametrize(("shape", "k", "data", "expected"), [W1, W2, W4, W5])
def test_worked_cases(shape, k, data, expected):
    model = model_of(*shape, data)
    for point, *numbers in expected:
        found = model.mean(point), model.explore(point), model.ucb(point, k)
        assert found == pytest.approx(numbers, abs=1e-6)


def test_tables_and_arms_of_worked_cases():
    model = model_of(*W1[0], W1[2])
    first = model.arms((0,))
    assert first.n.tolist() == [1, 3, 0, 0, 0]
    assert first.mean == pytest.approx([1, 2 / 3, *[math.nan] * 3], nan_ok=True)
    values = {"x0": 1, "x1": 2, "x2": 3, "x3": 4, "x4": 0}
    assert model.table(range(5))[-1] == (values, 2, 0.5, pytest.approx(math.sqrt(0.5)))
    # The best mean is first, and what has no data has no row.
    model = model_of(1, 5, (1,), 0.5, [((0,), 2), ((1,), 5), ((2,), -1), ((4,), 3), ((4,), 5)])
    rows = [(row.values["x0"], row.n, row.mean) for row in model.table([0])]
    assert rows == [(1, 1, 5.0), (4, 2, 4.0), (0, 1, 2.0), (2, 1, -1.0)]
    model = LandscapeModel(SearchSpace({"n": (7, 8), "mean": ("a", "b")}))  # as its columns
    model.add((1, 0), 3.0)
    (row,) = model.table((0, 1))
    assert (row.values, row.n, row.mean) == ({"n": 8, "mean": "a"}, 1, 3.0)


def counted(data, point, tuples, epsilon):
    """The contract by plain counting."""
    means, widths = [], []
    for dims in tuples:
        fitness = [f for p, f in data if all(p[d] == point[d] for d in dims)]
        if fitness:
            means.append(sum(fitness) / len(fitness))
        widths.append(math.sqrt(math.log(1 + len(data)) / (len(fitness) + epsilon)))
    return sum(means) / len(means) if means else 0.0, sum(widths) / len(widths)


@pytest.mark.parametrize("far", [0.0, 1e9])
def test_spread_of_an_arm_is_the_sample_standard_deviation(far):
    """Sums of squares lose all digits far from zero."""
    seen = [far + f for f in (0.001, 0.004, 0.0025)]
    model = model_of(2, 2, (1, 2), 0.5, [((0, 1), f) for f in seen] + [((1, 1), far)])
    expected = pytest.approx(np.std(seen, ddof=1), rel=1e-6)
    assert (model.arms((0, 1)).std[0, 1], model.table((0, 1))[0].std) == (expected, expected)
    assert math.isnan(model.arms((0,)).std[1])


@pytest.mark.parametrize(
    ("space", "sizes"),
    [
        (SearchSpace({"a": range(4), "b": (0,), "c": range(3), "d": range(2)}), (1, 2, 3)),
        (grid(6, 12), ("d",)),  # 4-tuples have 20 736 arms, the 6-tuple three million
        (grid(6, 12), (1, "d")),
        (grid(6, 12), (4, 6)),
        (grid(40, 10), ("d",)),  # beyond 64 bits
    ],
)
def test_scores_are_those_of_plain_counting_also_of_large_tuples(space, sizes):
    model, rng = LandscapeModel(space, sizes, epsilon=0.3), np.random.default_rng(3)
    pool = space.random_points(100, rng)
    data = [(pool[rng.integers(0, 100)], float(rng.normal())) for _ in range(400)]
    for point, fitness in data:
        model.add(point, fitness)
    queries = np.concatenate([pool[::20], space.random_points(4, rng)])
    expected = [counted(data, query, model.tuples, 0.3) for query in queries]
    np.testing.assert_allclose(np.transpose(model.mean_and_explore(queries)), expected, atol=1e-9)
    assert sum(row.n for row in model.table(model.tuples[-1])) == 400
    if space.n_dims > 4:
        with pytest.raises(ValueError, match="too many arms"):
            model.arms(model.tuples[-1])


def test_slots_of_all_small_tuples_together_have_a_limit(monkeypatch):
    data = [(p, float(i)) for i, p in enumerate(grid(4, 3).all_points()[::5])]
    dense = model_of(4, 3, (1, 2), 0.5, data)
    monkeypatch.setattr("gameai_lib.ntbea.search.tuples._MAX_DENSE_SLOTS", 30)
    model = model_of(4, 3, (1, 2), 0.5, data)
    assert (model._layout.offset < 0).sum() > (dense._layout.offset < 0).sum() == 0
    points = model.space.all_points()
    np.testing.assert_array_equal(model.ucb(points, 1.0), dense.ucb(points, 1.0))
    assert str(model.table((2, 3))) == str(dense.table((2, 3)))


def test_a_failed_save_leaves_the_old_file(tmp_path, monkeypatch):
    path, model = tmp_path / "model.npz", model_of(*W2[0], W2[2])
    model.save(path)
    before = path.read_bytes()

    def fail(file, **arrays):
        file.write(b"half")
        raise OSError("disk full")

    with monkeypatch.context() as patched:
        patched.setattr(np, "savez", fail)
        with pytest.raises(OSError, match="disk full"):
            model.save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_no_file_of_a_model_is_refused(tmp_path):
    path, model = tmp_path / "model.npz", model_of(*W2[0], W2[2])
    model.save(path)
    with np.load(path) as file:
        np.savez_compressed(path, **file)  # a megabyte of it could unpack to a thousand
    with pytest.raises(ValueError, match=r"model\.npz does not hold a landscape model"):
        LandscapeModel.load(path)
    for open_file in (LandscapeModel.load, model.save):
        with pytest.raises(FileNotFoundError, match="missing"):
            open_file(tmp_path / "missing" / "model.npz")
        for path in (0, None):  # a number would be an open file, 0 the keyboard
            with pytest.raises(TypeError, match="path must be the path of a file"):
                open_file(path)


SMALL = LandscapeModel(grid(3, 2), (1,))


@pytest.mark.parametrize(
    ("call", "given", "message"),
    [
        (LandscapeModel, (grid(2, 2), (3,)), "size 3 do not exist in 2"),
        (LandscapeModel, (grid(2, 2), ()), "at least one size"),
        (LandscapeModel, (grid(2, 2), (True,)), "integers or 'd', got True"),
        (LandscapeModel, (grid(30, 2), (15,)), "155117520 n-tuples of 30 dim.*20000 at most"),
        (LandscapeModel, (grid(2, 2), (1,), 0), "epsilon must be at least .*, got 0"),
        (SMALL.add, ((0, 2, 0), 1.0), "lies outside"),
        (SMALL.add, ((0, 0, 0), 1e300), "which is beyond 1e.250"),
        (SMALL.add, ((0, 0, 0), "1"), "'1', which is not a number"),
        (SMALL.table, ((0, 1),), "no 2-tuple"),
        (SMALL.arms, (2,), "parameters are given by name or number"),
    ],
)
def test_errors_name_the_offending_value(call, given, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call(*given)
