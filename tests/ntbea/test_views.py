"""Views draw what they are given: bars, numbers and marks are read back from the axes."""

from itertools import combinations, islice

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from gameai_book.ntbea.views import models
from gameai_lib.ntbea import plot
from gameai_lib.ntbea.game.problems import grid
from gameai_lib.ntbea.game.space import SearchSpace
from gameai_lib.ntbea.search.bandits import pull_arms
from gameai_lib.ntbea.search.effects import importance, marginal
from gameai_lib.ntbea.search.landscape import LandscapeModel
from gameai_lib.ntbea.search.regression import TupleRegression


@pytest.fixture
def ax():
    return Figure().subplots()


def texts(ax):
    return [t.get_text() for t in ax.texts]


def boxes(bars):
    """Left, lower, right and upper edge of each bar of a collection."""
    return [tuple(path.get_extents().extents) for path in bars.get_paths()]


def labels(axis):
    return axis.get_major_formatter().format_ticks(axis.get_majorticklocs())


@pytest.fixture(scope="module")
def model():
    model = LandscapeModel(grid(2, 3), (1, 2))
    for point, fitness in (((0, 0), 1.0), ((0, 0), 0.0), ((2, 1), 1.0)):
        model.add(point, fitness)
    return model


@pytest.mark.parametrize("k", [0.0, 1.0, 3.0])
def test_bandit_bars_are_mean_and_bonus_and_stay_in_their_axes(k):
    pulls = pull_arms(lambda arm, rng: float(arm == 2), 3, k, np.random.default_rng(1))
    for pull in islice(pulls, 9):
        ax = Figure().subplots()
        models.draw_bandit(ax, pull, (0.3, 0.5, 0.6), "abc")
        (_, low, _, top), (_, above, _, end) = (np.transpose(boxes(c)) for c in ax.collections[:2])
        bound = pull.mean + pull.bonus
        expected = np.zeros(3), pull.mean, pull.mean, bound
        np.testing.assert_allclose((low, top, above, end), expected, atol=1e-9)
        assert labels(ax.xaxis)[pull.arm] == f"▸ {'abc'[pull.arm]} ◂"
        counts = [text for text in ax.texts if text.get_text().startswith("n = ")]
        high = ax.get_ylim()[1]
        assert [text.get_position()[1] < 0.93 * high for text in counts] == [True] * 3
        assert bound.max() < 0.9 * high


def test_grid_writes_numbers_and_leaves_unknown_cells_empty(ax):
    models.draw_grid(ax, np.array([[0.5, np.nan], [1.0, 0.0]]), "t", mark=(1, 0))
    assert texts(ax) == ["t", "0.5", "1.0", "0.0"]
    unknown, known = map(boxes, ax.collections)
    assert unknown == [(0.5, -0.5, 1.5, 0.5)]
    assert known == [(-0.5, -0.5, 0.5, 0.5), (-0.5, 0.5, 0.5, 1.5), (0.5, 0.5, 1.5, 1.5)]
    models.draw_grid(ax, np.array([[0.5], [1.0]]), "two", left=4, mark=(1, 0), words=("rs", "c"))
    assert texts(ax)[4:] == ["two", "0.5", "1.0", "r", "s", "c"]
    assert boxes(ax.collections[2]) == [(3.5, -0.5, 4.5, 0.5), (3.5, 0.5, 4.5, 1.5)]
    middles = [line.get_xydata()[:-1].mean(axis=0) for line in ax.lines]  # of the marked cells
    np.testing.assert_allclose(middles, [[0, 1], [4, 1]], atol=1e-9)
    assert (ax.get_xlim(), ax.get_ylim()) == ((-0.5, 4.5), (1.5, -1))


def test_margins_hold_the_one_tuples(ax, model):
    models.draw_margins(ax, [model.arms(d) for d in ((0,), (1,), (0, 1))], "t")
    # Two pairs with data, two rows and two columns.
    assert texts(ax)[:7] == ["t", "0.5", "0.5", "1.0", "1.0", "0.5", "1.0"]
    # Counts of pairs and of each row, in rows, and of the columns; none where nothing was seen.
    assert texts(ax)[7:] == ["2", "2", "1", "1", "2", "1"]
    # Hatched are pairs, a row and a column never seen, not the corner between the edges.
    hatched = boxes(ax.collections[0])
    assert (2.5, 2.5, 3.5, 3.5) not in hatched
    assert len(hatched) == 7 + 1 + 1


@pytest.fixture(scope="module")
def wide():
    """A model of scores about 500: many values, long floats, flags, and a parameter of one."""
    space = SearchSpace(
        {
            "temperature": np.linspace(0.1, 2.0, 40),
            "depth": range(1, 6),
            "small_steps": np.linspace(0, 0.7, 4),
            "shield": (False, True),
            "map": ("only",),
            "strategy_of_the_opponent": (None, "aggressive", ("mcts", 50)),
        }
    )
    model, rng = LandscapeModel(space, (1, 2)), np.random.default_rng(1)
    for point in space.random_points(150, rng):
        model.add(point, 500 + 10 * point[1] + rng.normal(scale=5))
    return model, TupleRegression(model)


@pytest.mark.parametrize("what", ["marginals", "slices"])
def test_panels_hold_any_space_and_any_fitness(what, wide):
    (model, regression), figure = wide, Figure((5.6, 2.0))
    if what == "slices":
        plot.draw_slices(figure, regression)
        points = np.repeat(regression.best()[None], 40, axis=0)
        points[:, 0] = range(40)
        expected = regression.mean(points)
    else:
        plot.draw_marginals(figure, model)
        expected = marginal(regression, [0]).mean
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    assert len(figure.axes) == 6
    for ax in figure.axes:
        words = [*ax.get_xticklabels(), *ax.texts]
        extents = [t.get_window_extent(canvas.get_renderer()) for t in words]
        for (a, first), (b, second) in combinations(zip(extents, words, strict=True), 2):
            assert not a.overlaps(b), f"{first.get_text()!r} touches {second.get_text()!r}"
        assert max(box.x1 for box in extents) < figure.bbox.x1
    assert [ax.get_xlabel() for ax in figure.axes[:2]] == ["temperature", "depth"]
    assert [t.get_text() for t in figure.axes[2].get_xticklabels()][1] == "0.2333"
    assert [t.get_text() for t in figure.axes[3].get_xticklabels()] == ["no", "yes"]
    assert figure.axes[0].lines[0].get_ydata() == pytest.approx(expected, nan_ok=True)


def test_effects_and_the_rest_are_drawn(ax, wide):
    effects = importance(wide[1])
    plot.draw_effects(ax, effects, 4)
    names, shares = labels(ax.yaxis), [e.share for e in effects[:4]]
    assert (names[0], names[-1]) == ("depth", "17 others")
    assert [bar.get_width() for bar in ax.patches] == pytest.approx([*shares, 1 - sum(shares)])


def test_the_trace_has_every_evaluation(ax, wide):
    model, regression = wide
    plot.draw_trace(ax, model)
    dots, expected = ax.lines
    assert dots.get_ydata().tolist() == model.fitness.tolist()
    assert expected.get_ydata() == pytest.approx(regression.mean(model.points))
    plot.draw_trace(ax, LandscapeModel(model.space))  # nothing yet
