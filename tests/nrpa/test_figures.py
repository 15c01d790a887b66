"""What the pictures show, and what they say."""

import itertools
import os

import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy.spatial.distance import pdist

from gameai_book.nrpa import figures, toys, views
from gameai_book.nrpa.printed.cases import FAULT_CASES
from gameai_book.nrpa.results import tables
from gameai_lib.nrpa import NRPA, Instance, morpion, root_trace
from gameai_lib.nrpa.game.instances import bundled_places, bundled_tsptw
from gameai_lib.nrpa.game.toys import nine_games
from gameai_lib.nrpa.search.steps import nmcs_steps, nrpa_steps

DATA = os.environ.get("GAMEAI_DATA")


def all_figures():
    games = {"one": tables.best_morpion_game()[0], "two": tables.best_morpion_game("4D")[0]}
    yield figures.morpion_game("5D", games["one"]), {"moves": 4}
    pair = {"5D": games["one"], "4D": games["two"]}
    gallery = figures.gallery(pair, {"5D": games["one"].codes})
    yield gallery, {"variant": "4D", "part": 50}
    yield gallery, {"variant": "5D", "part": 100}
    yield figures.roulette([0.0, 0.0, 0.0]), {"u": 0.0}
    yield figures.adapt_steps(), {"step": 2, "alpha": 0.5}
    trace = root_trace(NRPA(morpion("5D"), np.random.default_rng(0), level=1, n_iterations=9), 3)
    yield figures.root({"a": trace}, "a"), {"policy": "a"}
    yield figures.playout_counts(), {"level": 5, "n": 100}
    known = {"rc_201.1": 444.5}
    methods = figures.methods(tables.read_table("methods"), known)
    yield methods, {"problem": "rc_201.1", "shown": "all"}
    yield figures.faults(tables.read_table("faults")), {"fault": "strict comparison", "level": 3}
    yield figures.step_sizes(tables.read_table("alpha")), {"alpha": 0.25}
    grid = tables.read_table("grid")
    for compare in figures.comparisons(grid):
        yield figures.levels(grid), {"compare": compare}
    players = {"one": "flat, all moves", "two": "published"}
    yield figures.boards(tables.read_table("samegame")), players
    medium = bundled_tsptw("medium")
    tours = {1: np.arange(1, 21)}
    yield figures.tours(medium, bundled_places("medium"), tours), {"tour": 1}


def toy_figures():
    nine = list(nrpa_steps(nine_games(), np.random.default_rng(2166), n_iterations=2))
    yield toys.nine_nrpa(nine), [{"step": step} for step in range(len(nine))]
    nine = {s: list(nmcs_steps(nine_games(), np.random.default_rng(s))) for s in (0, 1)}
    steps = range(len(nine[0]) + 1)
    yield toys.nine_nmcs(nine), [{"seed": seed, "step": step} for seed in nine for step in steps]
    pairs = itertools.product(FAULT_CASES, ("printed", "right"))
    yield toys.fault_cases(), [{"fault": fault, "version": version} for fault, version in pairs]


@pytest.mark.slow
def test_every_figure_draws_and_says_what_each_frame_shows():
    shown = [(figure, [values]) for figure, values in all_figures()]
    for figure, frames in [*shown, *toy_figures()]:
        assert len({figure["alt"](**values) for values in frames}) == len(frames)
        for values in frames[::5]:
            fig = Figure(figsize=(5, 3))
            figure["draw"](fig, **values)
            fig.draw_without_rendering()
            assert fig.axes
            assert len(figure["alt"](**values)) > 10


def test_alt_text_states_the_facts():
    alt = figures.adapt_steps()["alt"]
    adapted = alt(step=1, alpha=1.0)
    assert "weight 0.667 and probability 0.576; the sum of weights is 0.00" in adapted
    alt = figures.roulette([0.0, np.log(2), np.log(3)])["alt"]
    picks = [alt(u=u)[-7:-1] for u in (0, 0.16, 0.17, 0.49, 0.51)]
    assert picks == ["move a", "move a", "move b", "move b", "move c"]
    # Around a square with sides of 10: 1 at 10, 2 at 25 after waiting, 3 at 35, which is late.
    places = np.array([(0, 0), (10, 0), (10, 10), (0, 10)])
    distance = np.abs(places[:, None] - places).sum(axis=2).astype(float)
    windows = np.array([(0, 100), (0, 100), (25, 100), (0, 30)], float)
    square = figures.tours(Instance("square", distance, windows), places, {1: [1, 2, 3]})
    assert "cost 40, cities 3 late, home at 45; 1 late in all" in square["alt"](tour=1)
    fig = Figure()
    square["draw"](fig, tour=1)
    reds = fig.axes[0].collections[0].get_facecolors()[:, 0]
    assert reds[2] > 0.6 > reds[:2].max()


def test_places_that_hide_each_other_are_moved_apart_and_medians_take_short_runs():
    runs = {"long": [[1.0, 2.0], [3.0, 4.0]], "short": [[9.0]]}  # as far as they go
    np.testing.assert_array_equal(figures.medians(runs), [3.0, 3.0])
    places = np.array([[0.0, 0.0], [0.0, 0.0], [5.0, 5.0], [5.0, 6.0]])
    moved = views.apart(places, 2.0)
    assert pdist(moved).min() > 1.99
    np.testing.assert_array_equal(views.apart(places[1:3], 2.0), places[1:3])
