"""Views draw what they are given: bars, numbers and marks are read back from the axes."""

from itertools import combinations, islice

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgba_array
from matplotlib.figure import Figure

from gameai_lib.ntbea.contest.results import Cell
from gameai_lib.ntbea.game import planet_wars, space_battle
from gameai_lib.ntbea.game.problems import grid
from gameai_lib.ntbea.search.bandits import pull_arms
from gameai_lib.ntbea.search.landscape import LandscapeModel
from gameai_lib.ntbea.search.space import SearchSpace
from gameai_lib.ntbea.search.steps import search_steps
from gameai_lib.ntbea.show import views


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


def segments(ax):
    """Ends of all lines of the collections of lines."""
    lines = [c for c in ax.collections if isinstance(c, LineCollection)]
    return [np.asarray(segment).tolist() for c in lines for segment in c.get_segments()]


@pytest.fixture(scope="module")
def model():
    model = LandscapeModel(grid(2, 3), (1, 2))
    for point, fitness in (((0, 0), 1.0), ((0, 0), 0.0), ((2, 1), 1.0)):
        model.add(point, fitness)
    return model


def test_results_have_one_square_each(ax):
    views.draw_results(ax, [1, 0, -1, 1])
    squares, key = ax.collections
    assert squares.get_offsets().tolist() == [[0, 0], [1, 0], [2, 0], [3, 0]]
    assert len(key.get_offsets()) == 3
    assert texts(ax) == ["W", "D", "L", "W", "far-sighted wins", "draw", "near-sighted wins"]


def test_bandit_bars_are_mean_and_bonus(ax):
    pulls = pull_arms(lambda arm, rng: float(arm), 3, 1.0, np.random.default_rng(1))
    pull = list(islice(pulls, 9))[-1]
    views.draw_bandit(ax, pull, (0.1, 0.2, 0.3), "abc")
    mean, bonus = map(boxes, ax.collections[:2])
    np.testing.assert_allclose([low for _, low, _, _ in mean], 0)
    np.testing.assert_allclose([top for *_, top in mean], pull.mean)
    np.testing.assert_allclose([low for _, low, _, _ in bonus], pull.mean)
    np.testing.assert_allclose([top for *_, top in bonus], pull.mean + pull.bonus)
    assert labels(ax.xaxis)[pull.arm] == f"▸ {'abc'[pull.arm]} ◂"


def test_grid_writes_numbers_and_leaves_unknown_cells_empty(ax):
    views.draw_grid(ax, np.array([[0.5, np.nan], [1.0, 0.0]]), "t", mark=(1, 0))
    assert texts(ax) == ["t", "0.5", "1.0", "0.0"]
    unknown, known = map(boxes, ax.collections)
    assert unknown == [(0.5, -0.5, 1.5, 0.5)]
    assert known == [(-0.5, -0.5, 0.5, 0.5), (-0.5, 0.5, 0.5, 1.5), (0.5, 0.5, 1.5, 1.5)]
    assert ax.lines[0].get_xydata().tolist() == [[0, 1]]


def test_grids_stand_side_by_side(ax):
    views.draw_grid(ax, np.array([[0.5, 1.0]]), "one", words=("r", "cd"))
    views.draw_grid(ax, np.array([[0.5], [1.0]]), "two", left=4, mark=(1, 0))
    assert texts(ax) == ["one", "0.5", "1.0", "r", "c", "d", "two", "0.5", "1.0"]
    assert boxes(ax.collections[1]) == [(3.5, -0.5, 4.5, 0.5), (3.5, 0.5, 4.5, 1.5)]
    assert ax.lines[0].get_xydata().tolist() == [[4, 1]]
    assert ax.get_xlim() == (-0.5, 4.5)
    assert ax.get_ylim() == (1.5, -1)


def test_margins_hold_the_one_tuples(ax, model):
    views.draw_margins(ax, [model.arms(d) for d in ((0,), (1,), (0, 1))], "t")
    # Two pairs with data, two rows and two columns.
    assert texts(ax)[:7] == ["t", "0.5", "0.5", "1.0", "1.0", "0.5", "1.0"]
    assert texts(ax)[7:16] == ["2", "0", "0", "0", "0", "0", "0", "1", "0"]
    assert texts(ax)[16:] == ["2", "0", "1", "2", "1", "0"]


def test_marginals_have_a_bar_for_every_value_seen(model):
    fig = Figure()
    views.draw_marginals(fig, model, np.zeros((3, 3)), "title")
    (ax,) = fig.axes
    places = ax.xaxis.get_majorticklocs()
    assert labels(ax.xaxis) == ["0", "1", "2", "0", "1", "2"]
    bars = boxes(ax.collections[0])
    middles = [(left + right) / 2 for left, _, right, _ in bars]
    np.testing.assert_allclose(middles, places[[0, 2, 3, 4]])  # the values seen of each
    np.testing.assert_allclose([(low, top) for _, low, _, top in bars], [(-1, 0.5), (-1, 1)] * 2)
    counts = [t for t in ax.texts if t.get_text().isdigit()]
    assert [t.get_text() for t in counts] == ["2", "1", "2", "1"]
    np.testing.assert_allclose([t.get_position()[0] for t in counts], middles)
    true = next(line for line in ax.lines if line.get_marker() == "D")
    np.testing.assert_allclose(true.get_xydata(), np.stack([places, np.zeros(6)], axis=1))


def test_counts_above_marginals_do_not_touch():
    space = SearchSpace({"cost": (0, 1, 5, 10, 20, 50, 75, 100), "speed": range(1, 25)})
    model, rng = LandscapeModel(space), np.random.default_rng(1)
    for speed in range(24):
        for cost in (6, 7):
            for _ in range(12):
                model.add((cost, speed), rng.random())
    figure = Figure((9.0, 4.0), layout="constrained")
    views.draw_marginals(figure, model)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    counts = [t for t in figure.axes[0].texts if t.get_text().isdigit()]
    assert [t.get_text() for t in counts] == ["288"] * 2 + ["24"] * 24
    extents = [t.get_window_extent(canvas.get_renderer()) for t in counts]
    assert not any(a.overlaps(b) for a, b in combinations(extents, 2))


def test_first_games_star_the_setting_that_looks_best(ax):
    games = np.array([[1, 1, -1, -1, -1], [1, -1, 1, 1, 1], [-1, -1, -1, -1, -1]])
    views.draw_first_games(ax, games, 2)
    true, _, star, _ = ax.lines
    np.testing.assert_allclose(true.get_ydata(), [-1, -0.2, 0.6])
    assert (star.get_xdata()[0], star.get_ydata()[0]) == (1, 1.0)  # truly the middle one


def test_choice_marks_the_point_that_was_chosen(ax, model):
    steps = search_steps(
        lambda p, r: float(p.sum()), LandscapeModel(grid(4, 3)), np.random.default_rng(1)
    )
    step = list(islice(steps, 8))[-1]
    views.draw_choice(ax, step)
    marked = [line for line in ax.lines if line.get_marker() == "v"]
    assert len(marked) == 1
    bound = step.mean + step.k * step.explore
    assert marked[0].get_ydata()[0] == pytest.approx(bound.max(), abs=1e-5)
    best = "".join(map(str, step.point))
    (word,) = (t for t in ax.texts if t.get_text() == best)  # in place of its tick's label
    assert word.get_position()[0] == marked[0].get_xdata()[0]
    assert word.get_fontweight() == "bold"
    assert best not in labels(ax.xaxis)
    assert len(labels(ax.xaxis)) == 11


def test_landscape_places_points_by_value(ax):
    mean = np.array([0.3, -0.2, 0.1])
    views.draw_landscape(ax, mean, np.full(3, 0.05), evaluated=np.array([2, 0, 1]), recommended=0)
    star = next(line for line in ax.lines if line.get_marker() == "*")
    assert star.get_xydata().tolist() == [[2, 0.3]]
    np.testing.assert_allclose(
        segments(ax), [[[2, 0.2], [2, 0.4]], [[0, -0.3], [0, -0.1]], [[1, 0], [1, 0.2]]], atol=1e-9
    )
    circles = ax.collections[1]
    assert circles.get_offsets().tolist() == [[2, 0.3], [1, 0.1]]
    assert circles.get_sizes().tolist() == [28, 14]


def test_contest_ranks_the_best_on_top(ax):
    cells = {"tune": Cell(2, 0, 1.0, 0.5), "other": Cell(2, 0, 1.4, 1.0)}
    views.draw_contest(ax, cells, best=1.0)
    assert labels(ax.yaxis) == ["other"]
    assert ax.yaxis.get_majorticklocs().tolist() == [1]
    (bold,) = ax.texts  # in place of its tick's label
    assert (bold.get_text(), bold.get_position(), bold.get_fontweight()) == ("tune", (0, 0), "bold")
    assert ax.collections[-1].get_offsets().tolist() == [[0.5, 0], [0.7, 1]]
    # Behind them a line for each row, then the errors.
    np.testing.assert_allclose(segments(ax)[2:], [[[0.5, 0]] * 2, [[0.6, 1], [0.8, 1]]])


def test_an_entrant_that_crashed_is_hollow_and_says_so(ax):
    views.draw_contest(ax, {"tune": Cell(2, 0, 1.0, 0.5), "peer": Cell(9, 7, 1.4, 1.0)})
    assert texts(ax) == ["tune"]
    assert labels(ax.yaxis) == ["peer (7 of 9 crashed)"]
    points = ax.collections[-1]
    np.testing.assert_allclose(points.get_facecolors(), to_rgba_array([views.ORANGE, "white"]))
    np.testing.assert_allclose(points.get_edgecolors(), to_rgba_array([views.ORANGE, views.BLUE]))


def test_dial_shows_every_value_and_the_best(ax):
    cells = [Cell(2, 0, 1.0, 0.5), Cell(2, 0, 1.4, 1.0)]
    views.draw_dial(ax, (0.3, "1 2"), cells, 0.9, xlabel="k")
    assert labels(ax.xaxis) == ["0.3", "1 2"]
    assert list(ax.lines[0].get_ydata()) == [0.5, 0.7]
    assert list(ax.lines[1].get_ydata()) == [0.9, 0.9]
    np.testing.assert_allclose(segments(ax), [[[0, 0.5]] * 2, [[1, 0.6], [1, 0.8]]], atol=1e-9)


def test_clips_show_points_and_ships(ax):
    rules = space_battle.Rules(6, 2, 10, 5, 4, 20)
    pilots = space_battle.FAR_SIGHTED, space_battle.NEAR_SIGHTED
    game = space_battle.play(rules, *pilots, np.random.default_rng(1))
    views.draw_battle(ax, game, 30, rules.ship_radius)
    assert len(ax.patches) == 2
    war = planet_wars.play(planet_wars.OPPONENT, planet_wars.OPPONENT, np.random.default_rng(1))
    bars = Figure().subplots()
    views.draw_planets(bars, war, 10)
    ends = [(low, top) for _, low, _, top in boxes(bars.collections[0])]
    ships = war.ships[10]
    np.testing.assert_allclose(ends, np.stack([np.minimum(ships, 0), np.maximum(ships, 0)], 1))


def test_chances_have_a_bold_curve_and_a_star(ax):
    views.draw_chances(ax, (1, 10), {0.1: [0.6, 0.7], 0.2: [0.7, 0.9]}, 0.2, (100, 0.8))
    thin, bold, star = ax.lines
    assert (thin.get_linewidth(), bold.get_linewidth()) == (1, 3)
    np.testing.assert_allclose(bold.get_xydata(), [[0, 0.7], [1, 0.9]])
    assert star.get_xydata().tolist() == [[2, 0.8]]
    assert labels(ax.xaxis) == ["1", "10"]
    assert texts(ax) == ["gap in win rate", "0.10", "0.20"]
