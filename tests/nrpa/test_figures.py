"""What the pictures show, and what they say."""

import numpy as np
from matplotlib.figure import Figure
from scipy.spatial.distance import pdist

from gameai_book.nrpa import figures, views
from gameai_lib.nrpa import Instance


def test_alt_text_states_the_facts():
    alt = figures.adapt_steps()["alt"]
    adapted = alt(step=1, alpha=1.0)
    assert "weight 0.667 and probability 0.576; the sum of weights is 0.00" in adapted
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
