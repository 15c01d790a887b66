"""Figures say what they draw; their words are counted again here."""

from itertools import islice, pairwise

import numpy as np
import pytest
from matplotlib.figure import Figure

from gameai_book.ntbea import figures, printed
from gameai_book.ntbea.contest.settings import SETTINGS
from gameai_book.ntbea.contest.whys import Cell
from gameai_book.ntbea.results.contest import (
    CASES,
    FAMILIES,
    load_contest,
    load_settings,
    problems_of_settings,
)
from gameai_book.ntbea.views import models
from gameai_lib.ntbea import LandscapeModel, Problem, Settings, best_sampled, search_steps
from gameai_lib.ntbea.game import planet_wars, space_battle
from gameai_lib.ntbea.game.problems import grid
from gameai_lib.ntbea.game.space_battle import Rules
from touchbook.figure.markup import typeset


def frame(figure, **setting):
    """The axes that a figure draws at a setting, and its words."""
    fig = Figure((5.6, 4.0), layout="constrained")
    figure["draw"](fig, **setting)
    return fig.axes, figure["alt"](**setting) if callable(figure["alt"]) else figure["alt"]


def texts(ax):
    return [text.get_text().replace("−", "-") for text in ax.texts]


def labels(axis):
    return axis.get_major_formatter().format_ticks(axis.get_majorticklocs())


def boxes(bars):
    """Left, lower, right and upper edge of each bar of a collection."""
    return [tuple(path.get_extents().extents) for path in bars.get_paths()]


def marked(ax, markers):
    """Places of all lines drawn with these markers."""
    return [line.get_xydata().tolist() for line in ax.lines if line.get_marker() in [*markers]]


@pytest.fixture
def hills():
    """A problem of two dimensions."""
    truth = np.array([[0.2, 0.3, 0.1], [0.1, 0.6, 0.2], [0.3, 0.2, 0.9]])
    return Problem("hills", grid(2, 3), lambda x: truth[tuple(x.T)], outcomes=(0.0, 1.0)), truth


FAR = {"far": Rules(6, 2, 10, 5, 4, 20)}
RESULTS = np.tile([1.0, 0.5, 1.0, 0.0, 1.0, 1.0], (32, 1))


@pytest.mark.parametrize(
    ("figure", "setting", "words"),
    [
        (
            figures.by_hand(RESULTS),
            space_battle.FEW_RULES.values_of([1, 0, 0, 0, 0]),
            "With ship max speed 10, missile cost 0, missile speed 2, cooldown 2, ship radius 10, "
            "the far-sighted pilot wins 3 of five games and loses 1: a mean result of 0.7.",
        ),
        (
            figures.noise((1, 10), {0.1: [0.55, 0.68]}),
            {"gap": 0.5, "games": 1},  # a sure win against a coin
            "Win rates 0.50 and 1.00: after 1 games each the better one is kept with chance 0.750.",
        ),
        (
            figures.clip(FAR),
            {"rules": "far", "tick": 0},
            "Rules made for the far-sighted pilot, tick 0: far 0, near 0.",
        ),
    ],
)
def test_what_is_shown_is_said(figure, setting, words):
    assert frame(figure, **setting)[1] == words


def test_fooled_says_what_the_star_is_worth():
    games = np.array([[0, 0, 1, 1, 1, 1], [1, 0, 1, 1, 1, 1], [1, 1, 0, 0, 0, 0]])
    (ax,), said = frame(figures.fooled(games), n=2)
    assert marked(ax, "*") == [[[0, 1.0]]]  # the worst looks best
    assert marked(ax, "o") == [[[1, 0.0], [2, 0.5], [0, 1.0]]]
    np.testing.assert_allclose(ax.lines[0].get_ydata(), [2 / 6, 4 / 6, 5 / 6])
    assert "looks like 1.00 and is worth 0.33. Sets that are better: 2." in said


def test_bandit_says_the_pulls_that_it_draws_and_stays_in_its_axes():
    figure = figures.bandit(lambda arm, rng: float(arm == 1), (0.0, 1.0, 0.0), "abc")
    for k, pulls in ((1.0, 40), (3.0, 2)):
        (ax,), said = frame(figure, k=k, pulls=pulls)
        n = [int(text.removeprefix("n = ")) for text in texts(ax) if text.startswith("n = ")]
        assert sum(n) == pulls
        assert said.startswith(f"k = {k}, after {pulls} pulls: arms were pulled {n[0]}, {n[1]}, ")
        (is_next,) = (label[2] for label in labels(ax.xaxis) if label.startswith("▸"))
        assert said.endswith(f"next is {is_next}.")
        bound = np.array(boxes(ax.collections[1]))[:, 3]
        bonus = k * np.sqrt(np.log(1 + pulls) / (np.array(n) + 0.5))
        np.testing.assert_allclose(bound - bonus, [0, n[1] > 0, 0], atol=1e-9)
        places = np.array([t.get_position()[1] for t in ax.texts if t.get_text()[:1] == "n"])
        assert all(places >= bound)
        assert max(places) < 0.93 * ax.get_ylim()[1]


def test_planets_stop_where_the_game_is_over(monkeypatch):
    agent = planet_wars.OPPONENT
    game = planet_wars.play(agent, agent, np.random.default_rng(5))
    short = planet_wars.Game(*(part[:3] for part in game))
    monkeypatch.setattr(planet_wars, "play", lambda *_: short)
    figure = figures.planets({"best": agent})
    for tick, over in ((2, ""), (3, " (the game is over)")):
        (ax,), said = frame(figure, agent="best", tick=tick)
        ships = game.ships[min(tick, 2)].tolist()
        mine, theirs = (sum(sign * n > 0 for n in ships) for sign in (1, -1))
        held = f"it holds {mine} planets, the opponent {theirs}; "
        assert said.endswith(f"tick {tick}{over}: {held}lead on planets {sum(ships):+.1f}.")
        np.testing.assert_allclose([b[1] + b[3] for b in boxes(ax.collections[0])], ships)
        assert ax.get_title().endswith(typeset(f"lead on planets {sum(ships):+.0f}"))


def test_two_tuples_write_what_they_say():
    shown = {"truth": np.array([[0.1, -0.2], [0.3, 0.25]]), "singles": np.array([[0.4, 0], [0, 0]])}
    figure = figures.two_tuples(shown, ("no shift", "shift"), (5, 10))
    (ax,), said = frame(figure, view="truth")
    assert said.startswith("truth: largest with shift and length 5. By length: no shift +0.10, ")
    assert texts(ax)[:5] == ["truth", "+0.10", "-0.20", "+0.30", "+0.25"]
    assert texts(ax)[-1] == "length of a plan"


def test_grid_steps_count_the_points_seen(hills):
    problem, truth = hills
    model, frames = LandscapeModel(problem.space, (1, 2)), []
    settings = Settings(n_neighbours=4)
    steps = search_steps(problem.evaluate, model, np.random.default_rng(5), settings)
    for step in islice(steps, 9):
        arms = [model.arms(dims) for dims in ((0,), (1,), (0, 1))]
        bound = model.ucb(problem.space.all_points(), step.k).reshape(3, 3)
        frames.append((step, arms, bound, best_sampled(model).tolist()))
    (ax,), said = frame(figures.grid_steps(truth, frames), n=7)
    step, _, _, best = frames[6]
    seen = {tuple(point) for point in model.points[:7].tolist()}
    assert said.startswith(f"Evaluation 7 at {step.point.tolist()} gave {model.fitness[6]:.0f}; ")
    assert f"; {len(seen)} of 9 points have been seen; recommended is {best}." in said
    assert {"truth", "mean after 7", f"UCB, k = {step.k:.1f}"} <= set(texts(ax))


def test_grids_leave_unknown_cells_empty_and_margins_hold_the_one_tuples():
    ax = Figure().subplots()
    models.draw_grid(ax, np.array([[0.5, np.nan], [1.0, 0.0]]), "t", mark=(1, 0))
    models.draw_grid(ax, np.array([[0.5], [1.0]]), "two", left=4, mark=(1, 0), words=("rs", "c"))
    assert texts(ax) == ["t", "0.5", "1.0", "0.0", "two", "0.5", "1.0", "r", "s", "c"]
    assert boxes(ax.collections[0]) == [(0.5, -0.5, 1.5, 0.5)]  # unknown
    assert boxes(ax.collections[2]) == [(3.5, -0.5, 4.5, 0.5), (3.5, 0.5, 4.5, 1.5)]
    middles = [line.get_xydata()[:-1].mean(axis=0) for line in ax.lines]  # of the marked cells
    np.testing.assert_allclose(middles, [[0, 1], [4, 1]], atol=1e-9)
    model, ax = LandscapeModel(grid(2, 3), (1, 2)), Figure().subplots()
    for point, fitness in (((0, 0), 1.0), ((0, 0), 0.0), ((2, 1), 1.0)):
        model.add(point, fitness)
    models.draw_margins(ax, [model.arms(d) for d in ((0,), (1,), (0, 1))], "t")
    # Two pairs with data, two rows and two columns; then counts, in rows, and of the columns.
    assert texts(ax) == ["t", "0.5", "0.5", "1.0", "1.0", "0.5", "1.0", *"221121"]
    # Hatched are pairs, a row and a column never seen, not the corner between the edges.
    assert len(boxes(ax.collections[0])) == 7 + 1 + 1


def test_settings_say_the_means_of_the_stored_runs():
    cells, problems = load_settings(), problems_of_settings()
    figure = figures.settings(cells, problems)
    for problem, setting in zip(problems, SETTINGS, strict=False):
        (ax,), said = frame(figure, problem=problem.name, setting=setting)
        shown = cells[problem.name][setting]
        pairs = zip(SETTINGS[setting], shown, strict=True)
        means = "; ".join(f"{value} gives {cell.total / 200:.2f}" for value, cell in pairs)
        assert said == f"{problem.name}, {setting}: {means}."
        ends = [segment[:, 1] for segment in ax.collections[0].get_segments()]
        np.testing.assert_allclose(np.ptp(ends, axis=1), [2 * c.standard_error for c in shown])
        assert set(ax.lines[1].get_ydata()) == {problem.best}


def test_race_names_the_first():
    cells = {
        ("P", 50, "tune"): Cell(4, 2.0, 1.2),  # mean 0.5 ± 0.129
        ("P", 50, "behind"): Cell(4, -0.4, 0.1),
        ("Q", 50, "tune"): Cell(4, 4.0, 4.0),
        ("Q", 50, "ahead"): Cell(4, 0.4, 0.1),
        ("Q", 50, "equal"): Cell(4, 0.4, 0.2),
    }
    figure = figures.race(cells)
    (ax,), said = frame(figure, problem="P", budget=50)
    assert said == "P, 50 games: tune is first with +0.000; tune goes 0.500 ± 0.129 of the way."
    assert labels(ax.yaxis) == ["behind"]
    (bold,) = ax.texts  # in place of its tick's label, and above: the best is on top
    assert (bold.get_text(), bold.get_position()) == ("tune", (0, 1))
    assert ax.collections[-1].get_offsets().tolist() == [[-0.1, 0], [0.0, 1]]
    error = np.ptp(ax.collections[1].get_segments()[0][:, 0])  # behind it is a line for each row
    assert error == pytest.approx(2 * cells["P", 50, "behind"].standard_error)
    assert "2 are first, tied, with +0.100" in figure["alt"](problem="Q", budget=50)


def test_what_is_added_is_drawn_as_stored():
    cells, families = load_contest("parts"), ("Chain", "Triples")
    (ax,), said = frame(figures.added(cells, families))
    for i, part in enumerate(("1 2", "1 2 d", "5 looks")):
        stored = [100 * cells[family, 100, part].mean for family in families]
        places = [[stored[0], 1.25 - i / 4], [stored[1], 0.25 - i / 4]]
        np.testing.assert_allclose(marked(ax, "osD"[i]), [places])
        assert f" {round(stored[0]):+d}" in said
    assert labels(ax.yaxis) == [*families]


def test_the_duel_counts_the_cases_that_it_draws():
    cells = load_contest("families")
    (ax,), said = frame(figures.duel(cells))
    stored = {case: cells[*case, "NTBEA, model mean"] for case in CASES}
    z = np.array([c.mean / c.standard_error for c in stored.values()])
    assert f"further than tune in {(z > 0).sum()}, and tune gets further in " in said
    assert f"further in {(z < 0).sum()}. By more" in said
    assert f"in {(z > 2).sum()} cases, and tune in {(z < -2).sum()}." in said
    best = max(FAMILIES, key=lambda f: sum(c.mean for (g, _), c in stored.items() if g == f))
    assert labels(ax.yaxis)[0] == best


@pytest.mark.parametrize("error", ["no copy", "any value"])
@pytest.mark.parametrize("version", ["printed", "right"])
def test_source_errors_count_the_games_that_they_draw(hills, error, version):
    problem, truth = hills
    (ax,), said = frame(figures.source_error(problem), error=error, version=version)
    run = printed.fault_runs(problem, error, version)[1]
    games = [tuple(point) for point in run.points.tolist()]
    again = sum(a == b for a, b in pairwise(games))
    best = tuple(run.recommended)
    assert said.startswith(f"{error}, {version}: different points in 25 games: ")
    times = {0: "never", 1: "once"}.get(again, f"{again} times")
    assert f": {len(set(games))}, {times} the same twice in a row; " in said
    assert said.endswith(f"is {list(map(int, best))}, worth {truth[best]}.")
    counts = [games.count(at) for at in np.ndindex(3, 3)]
    assert [int(text) for text in texts(ax)[1:]] == counts
