"""What a way of a tour is a team of: how near its city is, and how much later its window.

Ranks, not distances or times, so that strengths fitted from some tours can be told to any other.
"""

import numpy as np

from gameai_lib.base.types import Ints
from gameai_lib.nrpa.game.tsptw import instance_of
from gameai_lib.nrpa.problem.problem import Problem

# The first rank of each feature but the first: a city is the nearest (0), the second (1), …
NEAR = (1, 2, 3, 4, 6, 9, 14)
# Places in the order of the windows' middles from the city that is left to the one driven to.
LATER = (-4, -2, -1, 0, 2, 3, 5, 8)
NAMES = (
    "nearest", "2nd nearest", "3rd", "4th", "5th or 6th", "7th to 9th", "10th to 14th",
    "farther", "5 or more places back", "3 or 4 back", "2 back", "1 back", "next window",
    "2 places on", "3 or 4 on", "5 to 7 on", "8 or more on",
)  # fmt: skip


def way_features(problem: Problem) -> Ints:
    """The two features of each way of a tour, (n * n, 2) ints; `NAMES` has their names.

    The depot is not among the neighbours whose distances are ranked.
    """
    instance = instance_of(problem)
    distance = instance.distance.copy()
    np.fill_diagonal(distance, np.inf)
    distance[:, 0] = np.inf
    near = distance.argsort(axis=1, kind="stable").argsort(axis=1)
    place = instance.windows.mean(axis=1).argsort(kind="stable").argsort()
    later = place - place[:, None]
    features = [
        np.searchsorted(NEAR, near, side="right"),
        len(NEAR) + 1 + np.searchsorted(LATER, later, side="right"),
    ]
    return np.stack([feature.ravel() for feature in features], axis=1)
