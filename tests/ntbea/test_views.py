"""Pictures of what was learned: numbers and words are read back from the axes."""

from itertools import combinations

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from gameai_lib.ntbea import (
    LandscapeModel,
    SearchSpace,
    TupleRegression,
    importance,
    marginal,
    plot,
)


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
        points = np.repeat(regression.best()[None], 5, axis=0)
        points[:, 1] = range(5)
        expected = regression.mean(points)
    else:
        plot.draw_marginals(figure, model)
        expected = marginal(regression, [1]).mean
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    for ax in figure.axes:
        words = [*ax.get_xticklabels(), *ax.texts]
        extents = [t.get_window_extent(canvas.get_renderer()) for t in words]
        for (a, first), (b, second) in combinations(zip(extents, words, strict=True), 2):
            assert not a.overlaps(b), f"{first.get_text()!r} touches {second.get_text()!r}"
        assert max(box.x1 for box in extents) < figure.bbox.x1
    assert [ax.get_xlabel() for ax in figure.axes[:2]] == ["temperature", "depth"]
    assert figure.axes[2].get_xticklabels()[1].get_text() == "0.2333"
    assert [t.get_text() for t in figure.axes[3].get_xticklabels()] == ["no", "yes"]
    assert figure.axes[1].lines[0].get_ydata() == pytest.approx(expected)


def test_effects_and_the_rest_are_drawn(wide):
    ax, effects = Figure().subplots(), importance(wide[1])
    plot.draw_effects(ax, effects, 4)
    names = ax.yaxis.get_major_formatter().format_ticks(ax.yaxis.get_majorticklocs())
    shares = [effect.share for effect in effects[:4]]
    assert (names[0], names[-1]) == ("depth", "17 others")
    assert [bar.get_width() for bar in ax.patches] == pytest.approx([*shares, 1 - sum(shares)])


def test_the_trace_has_every_evaluation(wide):
    ax, (model, regression) = Figure().subplots(), wide
    plot.draw_trace(ax, model)
    dots, expected = ax.lines
    assert dots.get_ydata().tolist() == model.fitness.tolist()
    assert expected.get_ydata() == pytest.approx(regression.mean(model.points))
