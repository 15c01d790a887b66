"""Views draw what they are given, where they should."""

import numpy as np
import pytest
from matplotlib.collections import PathCollection, PolyCollection, QuadMesh
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from gameai_book.hanabi import views

TRUTH = to_rgb(views.TRUTH)


@pytest.fixture
def ax():
    """Axes of a fresh figure."""
    return Figure().subplots()


def texts(ax):
    """All words on `ax`."""
    return [text.get_text() for text in ax.texts]


def cells(ax):
    """What the cells on `ax` show."""
    (mesh,) = [c for c in ax.collections if isinstance(c, QuadMesh)]
    return mesh.get_array()


def outlines(ax):
    """All shapes on `ax` with the outline of a true or changed card."""
    shapes = []
    for collection in ax.collections:
        edges = collection.get_edgecolor()
        if isinstance(collection, PathCollection | PolyCollection) and len(edges):
            paths = collection.get_paths()
            colours = np.resize(edges[:, :3], (len(paths), 3))
            shapes += [p for p, c in zip(paths, colours, strict=True) if tuple(c) == TRUTH]
    return shapes


def test_belief_outlines_the_true_card_and_greys_the_impossible(ax):
    belief = np.zeros((2, 25))
    belief[0, 7], belief[1, 3], belief[1, 4] = 1, 0.5, 0.5
    views.draw_belief(ax, belief, truth=[7])
    (outline,) = outlines(ax)
    assert outline.get_extents().bounds == (6.5, -0.5, 1, 1)
    shown = cells(ax)
    assert shown.mask[0, 0]
    assert not shown.mask[1, 4]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["slot 0", "slot 1"]


def test_overbooking_bars_end_at_the_copies_that_exist(ax):
    C = np.zeros(25, dtype=int)
    C[:2] = 1, 2
    belief = np.zeros((3, 25))
    belief[:, 0] = 0.5
    views.draw_overbooking(ax, belief, C)
    bars = {c.get_label(): [p.get_extents() for p in c.get_paths()] for c in ax.collections}
    assert [bar.y1 for bar in bars["exist"]] == [1, 2]
    assert [(bar.y0, bar.y1) for bar in bars["expected"]] == [(0, 1)]
    assert [(bar.y0, bar.y1) for bar in bars["too many"]] == [(1, 1.5)]
    assert [text.get_text() for text in ax.get_xticklabels()] == list("24" * 5)
    assert texts(ax) == list("RYGWB")


@pytest.mark.parametrize(
    ("mask", "said"),
    [
        (np.ones(25, dtype=bool), "any colour, any rank"),
        (np.arange(25) % 5 == 3, "any colour, rank 4"),
        (np.isin(np.arange(25), [0, 15, 4, 19]), "R or W, rank 1 or 5"),
    ],
)
def test_hints_and_rows_in_words(mask, said):
    assert views.say_hints(mask) == said
    # The likeliest stands first.
    assert views.say_row(np.array([0.2, 0, 0.5, 0.3])) == "R3 0.500, R4 0.300, R1 0.200"
