"""The model against the worked cases of the specification, and plain-Python counting."""

import json
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


def test_a_table_keeps_parameters_named_like_its_columns():
    model = LandscapeModel(SearchSpace({"n": (7, 8), "mean": ("a", "b"), "std": (False, True)}))
    model.add((1, 0, 1), 3.0)
    (row,) = model.table((0, 1, 2))
    assert row.values == {"n": 8, "mean": "a", "std": True}
    assert (row.n, row.mean) == (1, 3.0)


def test_unseen_point_wins_by_ucb_and_seen_point_by_mean():
    model = model_of(*W2[0], W2[2])
    points = model.space.all_points()
    assert points[np.argmax(model.ucb(points, 1.0))].tolist() == [1, 1]
    assert points[np.argmax(model.ucb(points, 0.0))].tolist() == [0, 1]


def test_without_data_everything_is_zero():
    model = LandscapeModel(grid(3, 4))
    points = model.space.all_points()
    assert not model.mean(points).any()
    assert not model.ucb(points, 7.0).any()
    assert model.n_evaluations == model.fitness_range == 0


def slow_scores(data, point, tuples, epsilon):
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
    mean, explore = slow_scores(data, point, model.tuples, epsilon)
    assert model.mean(point) == pytest.approx(mean, abs=1e-9)
    assert model.explore(point) == pytest.approx(explore, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(runs(), st.floats(0.1, 5), st.floats(-5, 5), st.randoms())
def test_scale_shift_and_order_of_the_data(run, factor, shift, shuffler):
    n_values, sizes, data, epsilon, point = run
    model = filled(run)
    shuffled = [(p, factor * f + shift) for p, f in data]
    shuffler.shuffle(shuffled)
    moved = filled((n_values, sizes, shuffled, epsilon, point))
    if any(seen_counts(model, point)):
        expected = factor * model.ucb(point, 0.7) + shift
        assert moved.ucb(point, 0.7 * factor) == pytest.approx(expected, abs=1e-9)


def seen_counts(model, point):
    return [model.arms(dims).n[tuple(point[d] for d in dims)] for dims in model.tuples]


@settings(max_examples=40, deadline=None)
@given(runs(), st.randoms())
def test_relabelling_values_relabels_the_model(run, shuffler):
    n_values, sizes, data, epsilon, point = run
    labels = [shuffler.sample(range(n), n) for n in n_values]

    def renamed(p):
        return tuple(names[v] for names, v in zip(labels, p, strict=True))

    other = filled((n_values, sizes, [(renamed(p), f) for p, f in data], epsilon, point))
    assert filled(run).ucb(point, 1.3) == pytest.approx(other.ucb(renamed(point), 1.3), abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(runs())
def test_every_tuple_counts_every_evaluation(run):
    model = filled(run)
    for dims in model.tuples:
        arms = model.arms(dims)
        assert arms.n.sum() == model.n_evaluations
        seen = arms.n > 0
        assert (arms.mean[seen] * arms.n[seen]).sum() == pytest.approx(sum(model.fitness), abs=1e-8)


def test_spread_of_an_arm_is_the_sample_standard_deviation():
    model = model_of(2, 2, (1, 2), 0.5, [((0, 1), f) for f in (1.0, 4.0, 2.5)] + [((1, 1), 3.0)])
    assert model.arms((0, 1)).std[0, 1] == pytest.approx(np.std([1, 4, 2.5], ddof=1))
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
        mean, explore = slow_scores(data, query, model.tuples, 0.5)
        assert model.mean(query) == pytest.approx(mean, abs=1e-9)
        assert model.explore(query) == pytest.approx(explore, abs=1e-9)
    assert sum(row.n for row in model.table(model.tuples[-1])) == 700
    with pytest.raises(ValueError, match="too many arms"):
        model.arms(model.tuples[-1])


def test_a_spread_far_from_zero_is_exact():
    """Sums of squares lose all digits here."""
    model = model_of(1, 2, (1,), 0.5, [((0,), 1e9 + f) for f in (0.001, 0.004, 0.0025)])
    expected = np.std([1e9 + f for f in (0.001, 0.004, 0.0025)], ddof=1)
    assert model.arms((0,)).std[0] == pytest.approx(expected, rel=1e-6)
    assert model.table((0,))[0].std == pytest.approx(expected, rel=1e-6)


def test_slots_of_all_small_tuples_together_have_a_limit(monkeypatch):
    data = [(p, float(i)) for i, p in enumerate(grid(4, 3).all_points()[::5])]
    dense = model_of(4, 3, (1, 2), 0.5, data)
    monkeypatch.setattr("gameai_lib.ntbea.search.tuples._MAX_DENSE_SLOTS", 30)
    model = model_of(4, 3, (1, 2), 0.5, data)
    assert (model._layout.offset < 0).sum() > (dense._layout.offset < 0).sum() == 0
    points = model.space.all_points()
    np.testing.assert_array_equal(model.ucb(points, 1.0), dense.ucb(points, 1.0))
    assert str(model.table((2, 3))) == str(dense.table((2, 3)))


def test_packed_arrays_are_refused(tmp_path):
    """A megabyte of them could unpack to a thousand."""
    path = tmp_path / "model.npz"
    np.savez_compressed(path, **WHOLE)
    with pytest.raises(ValueError, match="does not hold a landscape model"):
        LandscapeModel.load(path)


@pytest.mark.parametrize("path", [0, True, None, b"x", ["a"]])
def test_a_file_is_named_by_its_path(path):
    """A number would be an open file, 0 the keyboard."""
    with pytest.raises(TypeError, match="path must be the path of a file"):
        LandscapeModel.load(path)
    with pytest.raises(TypeError, match="path must be the path of a file"):
        LandscapeModel(grid(2, 2)).save(path)


def test_tuples_beyond_64_bits():
    space = grid(40, 10)
    model = LandscapeModel(space, ("d",))
    model.add(np.zeros(40, int), 2.0)
    assert model.mean(np.zeros((1, 40), int)) == 2.0
    assert model.mean(np.ones(40, int)) == 0.0


def test_sizes_may_be_numpy_integers(tmp_path):
    model = LandscapeModel(grid(3, 3), (*np.arange(1, 3), "d"))
    assert model.sizes == (1, 2, "d")
    model.save(tmp_path / "model.npz")
    assert LandscapeModel.load(tmp_path / "model.npz").tuples == model.tuples


def test_a_size_named_twice_counts_once():
    assert LandscapeModel(grid(2, 3), (1, 2, "d")).tuples == ((0,), (1,), (0, 1))


def test_saved_model_goes_on_as_if_never_stopped(tmp_path):
    model = model_of(*W5[0], W5[2])
    model.save(tmp_path / "model.npz")
    loaded = LandscapeModel.load(tmp_path / "model.npz")
    assert [p.name for p in tmp_path.iterdir()] == ["model.npz"]
    assert loaded.space == model.space
    for m in (model, loaded):
        m.add((2, 0, 1), 0.25)
    points = model.space.all_points()
    np.testing.assert_array_equal(model.ucb(points, 2.0), loaded.ucb(points, 2.0))


def test_a_failed_save_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "model.npz"
    model = model_of(*W2[0], W2[2])
    model.save(path)
    before = path.read_bytes()

    def fail(file, **arrays):
        file.write(b"half")
        raise OSError("disk full")

    monkeypatch.setattr(np, "savez", fail)
    with pytest.raises(OSError, match="disk full"):
        model.save(path)
    assert path.read_bytes() == before


def test_a_file_that_is_no_model_is_refused(tmp_path):
    path = tmp_path / "other.npz"
    np.savez(path, points=np.zeros(3))
    with pytest.raises(ValueError, match="does not hold a landscape model"):
        LandscapeModel.load(path)
    path.write_bytes(b"no zip")
    with pytest.raises(ValueError, match="does not hold a landscape model"):
        LandscapeModel.load(path)


ABOUT = json.dumps({"parameters": [("a", (1, 2))], "sizes": (1,), "epsilon": 0.5})
WHOLE = {"about": ABOUT, "points": np.array([[0], [1]]), "fitness": np.array([1.0, 2.0])}


@pytest.mark.parametrize(
    "damage",
    [
        {"points": np.array([[0], [2]])},
        {"points": np.array([[0], [-1]])},
        {"points": np.array([[0.0], [1.0]])},
        {"points": np.array([0, 1])},
        {"points": np.array(0)},
        {"points": np.array([[0], [1]], dtype=object)},
        {"fitness": np.array([1.0, math.nan])},
        {"fitness": np.array([1.0])},
        {"fitness": np.array([[1.0], [2.0]])},
        {"fitness": np.array(1.0)},
        {"fitness": np.array(["x", "y"])},
        {"points": np.array(0), "fitness": np.array(1.0)},
        {"about": "no JSON"},
        {"about": "[]"},
        {"about": ABOUT.replace("0.5", "null")},
        {"about": ABOUT.replace("[1, 2]", "3")},
        {"about": ABOUT.replace('"sizes": [1]', '"sizes": [4]')},
    ],
    ids=lambda damage: " ".join(f"{k}={v!r}"[:60] for k, v in damage.items()),
)
def test_a_model_file_with_wrong_content_is_refused(tmp_path, damage):
    path = tmp_path / "model.npz"
    np.savez(path, **WHOLE)
    assert LandscapeModel.load(path).fitness.tolist() == [1.0, 2.0]
    np.savez(path, **(WHOLE | damage))
    with pytest.raises(ValueError, match=r"model\.npz does not hold a landscape model"):
        LandscapeModel.load(path)


def test_a_flipped_byte_is_noticed_or_harmless(tmp_path):
    path = tmp_path / "model.npz"
    np.savez(path, **WHOLE)
    content = path.read_bytes()
    refused = []
    for i in range(0, len(content), 3):  # all of them take four seconds
        path.write_bytes(content[:i] + bytes([content[i] ^ 0xFF]) + content[i + 1 :])
        try:
            model = LandscapeModel.load(path)
        except ValueError as error:
            refused.append(str(error))
        else:  # a date, say
            assert model.points.tolist() == [[0], [1]]
            assert model.fitness.tolist() == [1.0, 2.0]
    assert len(refused) > 100
    assert set(refused) == {f"{path} does not hold a landscape model"}


def test_a_single_array_and_half_a_file_are_refused(tmp_path):
    path = tmp_path / "model.npz"
    with open(path, "wb") as file:
        np.save(file, np.zeros(3))
    with pytest.raises(ValueError, match="does not hold a landscape model"):
        LandscapeModel.load(path)
    np.savez(path, **WHOLE)
    content = path.read_bytes()
    for n_bytes in range(0, len(content), 50):
        path.write_bytes(content[:n_bytes])
        with pytest.raises(ValueError, match="does not hold a landscape model"):
            LandscapeModel.load(path)


def test_a_missing_file_is_reported_as_missing(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"none\.npz"):
        LandscapeModel.load(tmp_path / "none.npz")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: LandscapeModel(grid(2, 2), (3,)), "size 3 do not exist in 2"),
        (lambda: LandscapeModel(grid(2, 2), (0,)), "size 0"),
        (lambda: LandscapeModel(grid(2, 2), ()), "at least one size"),
        (
            lambda: LandscapeModel(grid(2, 2), epsilon=0),
            "epsilon must be at least 1e-100 .*, got 0",
        ),
        (lambda: LandscapeModel(grid(2, 2)).add((0, 2), 1.0), "lies outside"),
        (lambda: LandscapeModel(grid(2, 2)).add((0, 0), math.nan), "fitness nan"),
        (lambda: LandscapeModel(grid(2, 2)).add([(0, 0)], 1.0), r"one point.*\(1, 2\)"),
        (lambda: LandscapeModel(grid(2, 2), (1.5,)), "integers or 'd', got 1.5"),
        (lambda: LandscapeModel(grid(3, 2), (1,)).arms((0, 1)), "no 2-tuple"),
        (lambda: LandscapeModel(grid(3, 2), (1,)).table((0, 1)), "no 2-tuple"),
        (
            lambda: LandscapeModel(grid(3, 2)).arms((1.7,)),
            "parameters are given by name or number, got .1.7",
        ),
        (
            lambda: LandscapeModel(grid(3, 2)).arms(2),
            "parameters are given by name or number, got 2",
        ),
        (lambda: LandscapeModel(grid(2, 2), 2), "a tuple such as .* got 2"),
        (lambda: LandscapeModel(grid(2, 2), (True,)), "integers or 'd', got True"),
        (lambda: LandscapeModel(grid(30, 2), (15,)), "155117520 n-tuples of 30 dim.*20000 at most"),
        (lambda: LandscapeModel(grid(2, 2), epsilon=1e300), "at most 1e.09, got 1e.300"),
        (lambda: LandscapeModel(grid(2, 2)).add((0, 0), 1e300), "which is beyond 1e.250"),
        (lambda: LandscapeModel(grid(2, 2)).add((0, 0), "1"), "'1', which is not a number"),
        (lambda: LandscapeModel(grid(2, 2)).ucb((0, 0), None), "k must be a number, got None"),
    ],
)
def test_errors_name_the_offending_value(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()
