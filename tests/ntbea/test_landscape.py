"""The model against the worked cases of the specification, and plain-Python counting."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
    for point, mean, explore, ucb in expected:
        assert model.mean(point) == pytest.approx(mean, abs=1e-6)
        assert model.explore(point) == pytest.approx(explore, abs=1e-6)
        assert model.ucb(point, k) == pytest.approx(ucb, abs=1e-6)


def test_worked_case_look_up_entries():
    model = model_of(*W1[0], W1[2])
    first = model.arms((0,))
    assert first.mean[0] == 1
    assert first.mean[1] == pytest.approx(2 / 3)
    assert first.n.tolist() == [1, 3, 0, 0, 0]
    assert np.isnan(first.mean[2:]).all()
    rows = model.table(range(5))
    values = {"x0": 1, "x1": 2, "x2": 3, "x3": 4, "x4": 0}
    assert rows[-1] == (values, 2, 0.5, pytest.approx(math.sqrt(0.5)))


def test_a_table_has_the_best_mean_first_and_no_rows_without_data():
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


@st.composite
def runs(draw):
    n_values = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    sizes = draw(st.lists(st.integers(1, len(n_values)), min_size=1, max_size=3))
    point = st.tuples(*(st.integers(0, n - 1) for n in n_values))
    data = draw(st.lists(st.tuples(point, st.floats(-10, 10)), max_size=20))
    return n_values, tuple(sizes), data, draw(st.floats(0.01, 2)), draw(point)


def filled(run):
    n_values, sizes, data, epsilon, _ = run
    space = SearchSpace({f"x{i}": range(n) for i, n in enumerate(n_values)})
    model = LandscapeModel(space, sizes, epsilon)
    for point, fitness in data:
        model.add(point, fitness)
    return model


@settings(max_examples=60, deadline=None)
@given(runs())
def test_scores_are_those_of_plain_counting(run):
    *_, data, epsilon, point = run
    model = filled(run)
    mean, explore = counted(data, point, model.tuples, epsilon)
    assert model.mean(point) == pytest.approx(mean, abs=1e-9)
    assert model.explore(point) == pytest.approx(explore, abs=1e-9)


@pytest.mark.parametrize("far", [0.0, 1e9])
def test_spread_of_an_arm_is_the_sample_standard_deviation(far):
    """Sums of squares lose all digits far from zero."""
    seen = [far + f for f in (0.001, 0.004, 0.0025)]
    model = model_of(2, 2, (1, 2), 0.5, [((0, 1), f) for f in seen] + [((1, 1), far)])
    expected = pytest.approx(np.std(seen, ddof=1), rel=1e-6)
    assert (model.arms((0, 1)).std[0, 1], model.table((0, 1))[0].std) == (expected, expected)
    assert math.isnan(model.arms((0,)).std[1])


@pytest.mark.parametrize("sizes", [("d",), (1, "d"), (4, 6)])
def test_large_tuples_are_hashed_and_count_exactly(sizes):
    space = grid(6, 12)  # 4-tuples have 20 736 arms, the 6-tuple three million
    model = LandscapeModel(space, sizes)
    rng = np.random.default_rng(3)
    pool = space.random_points(150, rng)
    data = [(pool[rng.integers(0, 150)], float(rng.normal())) for _ in range(700)]
    for point, fitness in data:
        model.add(point, fitness)
    for query in (*pool[::10], *space.random_points(10, rng)):
        mean, explore = counted(data, query, model.tuples, 0.5)
        assert model.mean(query) == pytest.approx(mean, abs=1e-9)
        assert model.explore(query) == pytest.approx(explore, abs=1e-9)
    assert sum(row.n for row in model.table(model.tuples[-1])) == 700
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


def test_tuples_beyond_64_bits():
    model = LandscapeModel(grid(40, 10), ("d",))
    model.add(np.zeros(40, int), 2.0)
    assert model.mean(np.zeros((1, 40), int)) == 2.0
    assert model.mean(np.ones(40, int)) == 0.0


def test_a_failed_save_leaves_the_old_file(tmp_path, monkeypatch):
    path, model = tmp_path / "model.npz", model_of(*W2[0], W2[2])
    model.save(path)
    before = path.read_bytes()

    def fail(file, **arrays):
        file.write(b"half")
        raise OSError("disk full")

    monkeypatch.setattr(np, "savez", fail)
    with pytest.raises(OSError, match="disk full"):
        model.save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(FileNotFoundError, match="missing"):
        model.save(tmp_path / "missing" / "model.npz")


def test_what_is_no_file_of_a_model_is_refused(tmp_path):
    path = tmp_path / "model.npz"
    model_of(*W2[0], W2[2]).save(path)
    with np.load(path) as file:
        np.savez_compressed(path, **file)  # a megabyte of it could unpack to a thousand
    with pytest.raises(ValueError, match=r"model\.npz does not hold a landscape model"):
        LandscapeModel.load(path)
    with pytest.raises(FileNotFoundError, match=r"none\.npz"):
        LandscapeModel.load(tmp_path / "none.npz")
    for path in (0, None):  # a number would be an open file, 0 the keyboard
        for open_file in (LandscapeModel.load, LandscapeModel(grid(2, 2)).save):
            with pytest.raises(TypeError, match="path must be the path of a file"):
                open_file(path)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: LandscapeModel(grid(2, 2), (3,)), "size 3 do not exist in 2"),
        (lambda: LandscapeModel(grid(2, 2), ()), "at least one size"),
        (lambda: LandscapeModel(grid(2, 2), (True,)), "integers or 'd', got True"),
        (lambda: LandscapeModel(grid(30, 2), (15,)), "155117520 n-tuples of 30 dim.*20000 at most"),
        (
            lambda: LandscapeModel(grid(2, 2), epsilon=0),
            "epsilon must be at least .*, got 0",
        ),
        (lambda: LandscapeModel(grid(2, 2)).add((0, 2), 1.0), "lies outside"),
        (lambda: LandscapeModel(grid(2, 2)).add((0, 0), 1e300), "which is beyond 1e.250"),
        (lambda: LandscapeModel(grid(2, 2)).add((0, 0), "1"), "'1', which is not a number"),
        (lambda: LandscapeModel(grid(3, 2), (1,)).table((0, 1)), "no 2-tuple"),
        (lambda: LandscapeModel(grid(3, 2)).arms(2), "parameters are given by name or number"),
    ],
)
def test_errors_name_the_offending_value(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()
