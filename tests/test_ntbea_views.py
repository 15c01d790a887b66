"""Views draw what they are given: bars, numbers and marks are read back from the axes."""

from itertools import islice

import numpy as np
import pytest
from matplotlib.figure import Figure

from gameai_lib.ntbea.contest.results import Cell
from gameai_lib.ntbea.game import planet_wars, space_battle
from gameai_lib.ntbea.game.problems import grid
from gameai_lib.ntbea.search.bandits import pull_arms
from gameai_lib.ntbea.search.landscape import LandscapeModel
from gameai_lib.ntbea.search.steps import search_steps
from gameai_lib.ntbea.show import views


@pytest.fixture
def ax():
    return Figure().subplots()


def texts(ax):
    return [t.get_text() for t in ax.texts]


@pytest.fixture(scope="module")
def model():
    model = LandscapeModel(grid(2, 3), (1, 2))
    for point, fitness in (((0, 0), 1.0), ((0, 0), 0.0), ((2, 1), 1.0)):
        model.add(point, fitness)
    return model


def test_results_have_one_square_each(ax):
    views.draw_results(ax, [1, 0, -1, 1])
    assert sum(len(c.get_offsets()) for c in ax.collections) == 4
    assert texts(ax) == ["W", "D", "L", "W"]


def test_bandit_bars_are_mean_and_bonus(ax):
    pulls = pull_arms(lambda arm, rng: float(arm), 3, 1.0, np.random.default_rng(1))
    pull = list(islice(pulls, 9))[-1]
    views.draw_bandit(ax, pull, (0.1, 0.2, 0.3), "abc")
    heights = [p.get_height() for p in ax.patches]
    np.testing.assert_allclose(heights, [*pull.mean, *pull.bonus])
    assert ax.get_xticklabels()[pull.arm].get_text() == f"▸ {'abc'[pull.arm]} ◂"


def test_grid_writes_numbers_and_leaves_unknown_cells_empty(ax):
    views.draw_grid(ax, np.array([[0.5, np.nan], [1.0, 0.0]]), "t", mark=(1, 0))
    assert texts(ax) == ["0.5", "1.0", "0.0"]
    assert ax.lines[0].get_xydata().tolist() == [[0, 1]]


def test_margins_hold_the_one_tuples(ax, model):
    views.draw_margins(ax, [model.arms(d) for d in ((0,), (1,), (0, 1))], "t")
    # Two pairs with data, two rows and two columns.
    assert texts(ax)[:6] == ["0.5", "0.5", "1.0", "1.0", "0.5", "1.0"]
    assert texts(ax)[6:15] == ["2", "0", "0", "0", "0", "0", "0", "1", "0"]
    assert texts(ax)[15:] == ["2", "0", "1", "2", "1", "0"]


def test_marginals_have_a_bar_for_every_value_seen(model):
    fig = Figure()
    views.draw_marginals(fig, model, np.zeros((3, 3)), "title")
    assert [len(a.patches) for a in fig.axes] == [2, 2]
    assert texts(fig.axes[0]) == ["2", "1"]


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


def test_landscape_places_points_by_value(ax):
    mean = np.array([0.3, -0.2, 0.1])
    views.draw_landscape(ax, mean, np.full(3, 0.05), evaluated=np.array([2, 0, 1]), recommended=0)
    star = next(line for line in ax.lines if line.get_marker() == "*")
    assert star.get_xydata().tolist() == [[2, 0.3]]


def test_contest_ranks_the_best_on_top(ax):
    cells = {"tune": Cell(2, 0, 1.0, 0.5), "other": Cell(2, 0, 1.4, 1.0)}
    views.draw_contest(ax, cells, best=1.0)
    assert [t.get_text() for t in ax.get_yticklabels()] == ["tune", "other"]


def test_an_entrant_that_crashed_is_hollow_and_says_so(ax):
    views.draw_contest(ax, {"tune": Cell(2, 0, 1.0, 0.5), "peer": Cell(9, 7, 1.4, 1.0)})
    labels = [t.get_text() for t in ax.get_yticklabels()]
    assert labels == ["tune", "peer (7 of 9 crashed)"]
    insides = [line.get_markerfacecolor() for line in ax.lines if line.get_marker() == "o"]
    assert insides == [views.ORANGE, "white"]


def test_dial_shows_every_value_and_the_best(ax):
    cells = [Cell(2, 0, 1.0, 0.5), Cell(2, 0, 1.4, 1.0)]
    views.draw_dial(ax, (0.3, "1 2"), cells, 0.9, xlabel="k")
    assert [t.get_text() for t in ax.get_xticklabels()] == ["0.3", "1 2"]
    assert list(ax.lines[0].get_ydata()) == [0.5, 0.7]
    assert list(ax.lines[-1].get_ydata()) == [0.9, 0.9]


def test_clips_show_points_and_ships(ax):
    rules = space_battle.Rules(6, 2, 10, 5, 4, 20)
    pilots = space_battle.FAR_SIGHTED, space_battle.NEAR_SIGHTED
    game = space_battle.play(rules, *pilots, np.random.default_rng(1))
    views.draw_battle(ax, game, 30, rules.ship_radius)
    assert len(ax.patches) == 2
    war = planet_wars.play(planet_wars.OPPONENT, planet_wars.OPPONENT, np.random.default_rng(1))
    bars = Figure().subplots()
    views.draw_planets(bars, war, 10)
    np.testing.assert_allclose([p.get_height() for p in bars.patches], war.ships[10])
