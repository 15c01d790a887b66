"""What the pictures show, and what they say."""

import numpy as np
from matplotlib.figure import Figure
from scipy.spatial.distance import pdist

from gameai_book.nrpa import figures, views
from tests.nrpa.test_tsptw import LATE_AT_3, square


def test_alt_text_states_the_facts():
    alt = figures.adapt_steps()["alt"]
    adapted = alt(step=1, alpha=1.0)
    assert "weight 0.667 and probability 0.576; the sum of weights is 0.00" in adapted
    places = np.array([(0, 0), (10, 0), (10, 10), (0, 10)])
    tour = figures.tours(square(LATE_AT_3), places, {1: [1, 2, 3]})
    assert "cost 40, cities 3 late, home at 45; 1 late in all" in tour["alt"](tour=1)
    fig = Figure()
    tour["draw"](fig, tour=1)
    reds = fig.axes[0].collections[0].get_facecolors()[:, 0]
    assert reds[2] > 0.6 > reds[:2].max()


def test_places_that_hide_each_other_are_moved_apart_and_medians_take_short_runs():
    runs = {"long": [[1.0, 2.0], [3.0, 4.0]], "short": [[9.0]]}  # as far as they go
    np.testing.assert_array_equal(figures.medians(runs), [3.0, 3.0])
    places = np.array([[0.0, 0.0], [0.0, 0.0], [5.0, 5.0], [5.0, 6.0]])
    moved = views.apart(places, 2.0)
    assert pdist(moved).min() > 1.99
    np.testing.assert_array_equal(views.apart(places[1:3], 2.0), places[1:3])
