"""Figures say what they draw; their words are counted again here."""

import inspect
import math
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
from gameai_lib.ntbea.game import planet_wars, space_battle
from gameai_lib.ntbea.game.problems import Problem, grid
from gameai_lib.ntbea.game.space_battle import Rules
from gameai_lib.ntbea.search.bandits import chance_to_pick_better
from gameai_lib.ntbea.search.landscape import LandscapeModel
from gameai_lib.ntbea.search.recommend import best_sampled
from gameai_lib.ntbea.search.steps import Settings, search_steps
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


def marked(ax, markers):
    """Places of all lines drawn with these markers."""
    return [line.get_xydata().tolist() for line in ax.lines if line.get_marker() in [*markers]]


@pytest.fixture
def hills():
    """A problem of two dimensions."""
    truth = np.array([[0.2, 0.3, 0.1], [0.1, 0.6, 0.2], [0.3, 0.2, 0.9]])
    return Problem("hills", grid(2, 3), lambda x: truth[tuple(x.T)], outcomes=(0.0, 1.0)), truth


def test_every_figure_is_addressed_by_the_name_of_its_function():
    made = [
        source
        for name, function in inspect.getmembers(figures, inspect.isfunction)
        if function.__module__ == figures.__name__
        and '"draw": draw' in (source := inspect.getsource(function))
        and f'"name": "{name.replace("_", "-")}"' in source
    ]
    assert len(made) == inspect.getsource(figures).count('"draw": draw') == 13


def test_by_hand_shows_the_first_five_games_of_the_rules():
    games = np.random.default_rng(1).integers(0, 3, (32, 7)) / 2
    figure = figures.by_hand(games)
    for at in (0, 19, 31):
        values = space_battle.FEW_RULES.values_of(space_battle.FEW_RULES.all_points()[at])
        (field, row), said = frame(figure, **values)
        five = games[at, :5].tolist()
        assert texts(row)[:5] == ["LDW"[round(2 * r)] for r in five]
        assert len(field.patches) == 2
        assert field.patches[0].radius == values["ship_radius"]
        assert f"wins {five.count(1)} of five games and loses {five.count(0)}" in said
        assert said.endswith(f"a mean result of {sum(five) / 5:.1f}.")
        assert f"ship max speed {values['ship_max_speed']}, " in said


def test_fooled_says_what_the_star_is_worth():
    games = np.array([[1, 1, 0, 0, 0, 0], [1, 0, 1, 1, 1, 1], [0, 0, 1, 1, 1, 1]])
    figure = figures.fooled(games)
    (ax,), said = frame(figure, n=2)
    assert marked(ax, "*") == [[[0, 1.0]]]  # the worst looks best
    np.testing.assert_allclose(ax.lines[0].get_ydata(), [2 / 6, 4 / 6, 5 / 6])
    assert "looks like 1.00 and is worth 0.33. Sets that are better: 2." in said
    assert figure["alt"](n=6).endswith("Sets that are better: 0.")


def test_noise_stars_the_chance_that_it_says():
    n_games, known = (1, 10, 100), {0.1: [0.55, 0.68, 0.92], 0.2: [0.6, 0.82, 1.0]}
    figure = figures.noise(n_games, known)
    for gap, games in ((0.1, 10), (0.3, 7)):
        (ax,), said = frame(figure, gap=gap, games=games)
        chances = [chance_to_pick_better(0.5 + gap, 0.5, n) for n in (games, *n_games)]
        assert said.startswith(f"Win rates 0.50 and {0.5 + gap:.2f}: after {games} games each")
        assert said.endswith(f"kept with chance {chances[0]:.3f}.")
        np.testing.assert_allclose(marked(ax, "*"), [[[math.log10(games), chances[0]]]])
        (bold,) = (line for line in ax.lines if line.get_linewidth() == 3)
        np.testing.assert_allclose(bold.get_ydata(), chances[1:])


def test_bandit_says_the_pulls_that_it_draws():
    figure = figures.bandit(lambda arm, rng: float(arm == 1), (0.0, 1.0, 0.0), "abc")
    for k, pulls in ((0.0, 40), (1.0, 40), (1.0, 0)):
        (ax,), said = frame(figure, k=k, pulls=pulls)
        n = [int(text.removeprefix("n = ")) for text in texts(ax) if text.startswith("n = ")]
        assert sum(n) == pulls
        assert said.startswith(f"k = {k}, after {pulls} pulls: arms were pulled {n[0]}, {n[1]}, ")
        (is_next,) = (label[2] for label in labels(ax.xaxis) if label.startswith("▸"))
        assert said.endswith(f"next is {is_next}.")
    assert "next is b" in figure["alt"](k=0.0, pulls=299)


def test_planets_stop_where_the_game_is_over(monkeypatch):
    agent = planet_wars.OPPONENT
    figure = figures.planets({"best": agent, "worst": agent})
    game = planet_wars.play(agent, agent, np.random.default_rng(5))
    for tick in (0, 30, 200):
        (ax,), said = frame(figure, agent="best", tick=tick)
        ships = game.ships[min(tick, len(game.ships) - 1)].tolist()
        mine, theirs = (sum(sign * n > 0 for n in ships) for sign in (1, -1))
        assert f"holds {mine} planets, the opponent {theirs}; lead" in said
        assert said.endswith(f"{sum(ships):+.1f}.")
        bars = [path.get_extents().extents for path in ax.collections[0].get_paths()]
        np.testing.assert_allclose([low + top for _, low, _, top in bars], ships)
        assert ax.get_title().endswith(typeset(f"lead on planets {sum(ships):+.0f}"))
        assert (" (the game is over)" in said) == (tick >= len(game.ships))
    short = planet_wars.Game(*(part[:3] for part in game))
    monkeypatch.setattr(planet_wars, "play", lambda *_: short)
    figure = figures.planets({"best": agent})
    assert "tick 3 (the game is over): it" in figure["alt"](agent="best", tick=3)
    assert "over" not in figure["alt"](agent="best", tick=2)


def test_two_tuples_write_what_they_say():
    shown = {"truth": np.array([[0.1, -0.2], [0.3, 0.25]]), "singles": np.array([[0.4, 0], [0, 0]])}
    figure = figures.two_tuples(shown, ("no shift", "shift"), (5, 10))
    (ax,), said = frame(figure, view="truth")
    assert said.startswith("truth: largest with shift and length 5. By length: no shift +0.10, ")
    assert texts(ax)[:5] == ["truth", "+0.10", "-0.20", "+0.30", "+0.25"]
    assert texts(ax)[-1] == "length of a plan"
    assert figure["alt"](view="singles").startswith("singles: largest with no shift and length 5.")


def test_grid_steps_count_the_points_seen(hills):
    problem, truth = hills
    model, frames = LandscapeModel(problem.space, (1, 2)), []
    settings = Settings(n_neighbours=4)
    steps = search_steps(problem.evaluate, model, np.random.default_rng(5), settings)
    for step in islice(steps, 9):
        arms = [model.arms(dims) for dims in ((0,), (1,), (0, 1))]
        bound = model.ucb(problem.space.all_points(), step.k).reshape(3, 3)
        frames.append((step, arms, bound, best_sampled(model).tolist()))
    figure = figures.grid_steps(truth, frames)
    for n in (1, 9):
        (ax,), said = frame(figure, n=n)
        step, _, _, best = frames[n - 1]
        seen = {tuple(point) for point in model.points[:n].tolist()}
        result = model.fitness[n - 1]
        assert said.startswith(f"Evaluation {n} at {step.point.tolist()} gave {result:.0f}; ")
        assert f"; {len(seen)} of 9 points have been seen; recommended is {best}." in said
        assert {"truth", f"mean after {n}", f"UCB, k = {step.k:.1f}"} <= set(texts(ax))


def test_settings_say_the_means_of_the_stored_runs():
    cells, problems = load_settings(), problems_of_settings()
    figure = figures.settings(cells, problems)
    for problem in problems:
        for setting in SETTINGS:
            (ax,), said = frame(figure, problem=problem.name, setting=setting)
            shown = cells[problem.name][setting]
            assert said.startswith(f"{problem.name}, {setting}: ")
            for i, (value, cell) in enumerate(zip(SETTINGS[setting], shown, strict=True)):
                assert f"{value} gives {cell.total / 200:.2f}" in said
                (error,) = ax.collections[0].get_segments()[i : i + 1]
                ends = [cell.mean - cell.standard_error, cell.mean + cell.standard_error]
                np.testing.assert_allclose(error[:, 1], ends)
            assert ax.lines[0].get_ydata().tolist() == [cell.mean for cell in shown]
            assert set(ax.lines[1].get_ydata()) == {problem.best}


def test_race_names_the_first():
    cells = {
        ("P", 50, "tune"): Cell(4, 2.0, 1.2),  # mean 0.5 ± 0.129
        ("P", 50, "behind"): Cell(4, -0.4, 0.1),
        ("P", 100, "tune"): Cell(4, 2.0, 1.2),
        ("P", 100, "other"): Cell(4, 0.0, 0.2),
        ("Q", 50, "tune"): Cell(4, 4.0, 4.0),
        ("Q", 50, "ahead"): Cell(4, 0.4, 0.1),
    }
    figure = figures.race(cells)
    (ax,), said = frame(figure, problem="P", budget=50)
    assert said == "P, 50 games: tune is first with +0.000; tune goes 0.500 ± 0.129 of the way."
    assert (labels(ax.yaxis), ax.yaxis.get_majorticklocs().tolist()) == (["behind"], [0])
    (bold,) = ax.texts  # in place of its tick's label, and above: the best is on top
    assert (bold.get_text(), bold.get_position(), bold.get_fontweight()) == ("tune", (0, 1), "bold")
    assert ax.collections[-1].get_offsets().tolist() == [[-0.1, 0], [0.0, 1]]
    behind = cells["P", 50, "behind"].standard_error
    errors = ax.collections[1].get_segments()  # behind them is a line for each row
    np.testing.assert_allclose(errors[0], [[-0.1 - behind, 0], [-0.1 + behind, 0]])
    assert "2 are first, tied, with +0.000" in figure["alt"](problem="P", budget=100)
    assert "ahead is first with +0.100" in figure["alt"](problem="Q", budget=50)


def test_what_is_added_is_drawn_as_stored():
    cells, families = load_contest("parts"), ("Chain", "Triples")
    (ax,), said = frame(figures.added(cells, families))
    for places, part in zip(marked(ax, "osD"), ("1 2", "1 2 d", "5 looks"), strict=True):
        stored = [100 * cells[family, 100, part].mean for family in families]
        np.testing.assert_allclose(np.array(places)[:, 0], stored)
        assert f" {round(stored[0]):+d}" in said
    assert labels(ax.yaxis) == [*families]
    assert ax.yaxis.get_majorticklocs().tolist() == [1, 0]


def test_the_duel_counts_the_cases_that_it_draws():
    cells = load_contest("families")
    (ax,), said = frame(figures.duel(cells))
    drawn = np.concatenate(marked(ax, "osD"))[:, 0]
    stored = {case: cells[*case, "NTBEA, model mean"] for case in CASES}
    np.testing.assert_allclose(sorted(drawn), sorted(100 * c.mean for c in stored.values()))
    z = np.array([c.mean / c.standard_error for c in stored.values()])
    assert f"further than tune in {(z > 0).sum()}, and tune gets further in " in said
    assert f"further in {(z < 0).sum()}. By more" in said
    assert f"in {(z > 2).sum()} cases, and tune in {(z < -2).sum()}." in said
    best = max(FAMILIES, key=lambda f: sum(c.mean for (g, _), c in stored.items() if g == f))
    assert labels(ax.yaxis)[0] == best


def test_clip_says_the_points_on_its_title():
    rules = {"far": Rules(6, 2, 10, 5, 4, 20), "near": Rules(4, 1, 0, 2, 2, 40)}
    pilots = space_battle.FAR_SIGHTED, space_battle.NEAR_SIGHTED
    for name, tick in (("far", 0), ("near", 100)):
        (ax,), said = frame(figures.clip(rules), rules=name, tick=tick)
        battle = space_battle.play(rules[name], *pilots, np.random.default_rng(21))
        far, near = (f"{points:.0f}" for points in battle.points[tick])
        assert said.endswith(f"{name}-sighted pilot, tick {tick}: far {far}, near {near}.")
        titles = ax.get_title("left"), ax.get_title("right")
        assert titles == (f"far: {far}", f"near: {near}")


@pytest.mark.parametrize("error", [*printed.FAULTS])
def test_source_errors_count_the_games_that_they_draw(hills, error):
    problem, truth = hills
    figure = figures.source_error(problem)
    for version in ("printed", "right"):
        (ax,), said = frame(figure, error=error, version=version)
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
