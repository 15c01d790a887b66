"""Views draw what they are given, where they should."""

import numpy as np
import pytest
from matplotlib.collections import PathCollection, PolyCollection, QuadMesh
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from gameai_book.hanabi import views
from gameai_lib.hanabi import exact_belief
from gameai_lib.hanabi.game import cases
from gameai_lib.hanabi.game.cards import NO_CARD, HintColour
from gameai_lib.hanabi.game.play import play_game
from gameai_lib.hanabi.game.rules import State
from gameai_lib.hanabi.players.agents import RuleAgent

TRUTH = to_rgb(views.TRUTH)


@pytest.fixture
def ax():
    """Axes of a fresh figure."""
    return Figure().subplots()


@pytest.fixture(scope="module")
def game():
    """The chapter's game."""
    return list(play_game([RuleAgent("Convention")] * 2, np.random.default_rng(11)))


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
    views.draw_belief(ax, belief, truth=[7, NO_CARD])
    (outline,) = outlines(ax)
    assert outline.get_extents().bounds == (6.5, -0.5, 1, 1)
    shown = cells(ax)
    assert shown.mask[0, 0]
    assert not shown.mask[1, 4]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["slot 0", "slot 1"]


def test_small_belief_has_its_numbers_written(ax):
    S4 = cases.S4
    views.draw_belief(ax, exact_belief(S4.candidates, S4.hint_mask), card_names=S4.card_names)
    assert "0.692" in texts(ax)
    assert texts(ax).count("0") == 2


def test_state_shows_cards_hints_and_what_changed(ax):
    state = State.new(2, np.random.default_rng(0))
    hint = next(m for m in state.legal_moves() if isinstance(m, HintColour))
    after = state.apply(hint)
    views.draw_state(ax, after, previous=state)
    assert len(outlines(ax)) == 5  # a hint tells something about every slot of the hand
    assert any("tokens 7 " in text for text in texts(ax))
    assert sum(text in {"R1", "Y1", "G1", "W1", "B1"} for text in texts(ax)) == sum(
        card % 5 == 0 for hand in after.hands for card in hand
    )


def test_state_can_hide_hands(ax):
    state = State.new(2, np.random.default_rng(0))
    views.draw_state(ax, state, hide=0)
    assert texts(ax).count("?") == 5


def test_knowledge_marks_what_changed(ax):
    mask = np.ones((2, 26), dtype=bool)
    before = mask.copy()
    mask[0, 3] = False
    before[1, 4] = False
    counts = np.arange(26)
    views.draw_knowledge(ax, counts, mask, previous=(counts, before))
    colours = np.asarray(cells(ax))
    assert (colours[0, 3], colours[1, 4], colours[0, 0]) == (2, 3, 1)


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
    ("name", "colour"),
    [("V1", "#0072B2"), ("V1, step 0", "#0072B2"), ("exact with L", "#009E73"), ("mine", "C0")],
)
def test_a_belief_of_any_name_has_a_colour(ax, name, colour):
    views.draw_overbooking(ax, np.full((2, 25), 0.01), np.ones(25, dtype=int), name=name)
    (bars,) = [c for c in ax.collections if c.get_label() == "expected"]
    assert to_rgb(bars.get_facecolor()[0]) == to_rgb(colour)


def test_cell_shades_what_is_not_a_probability(ax):
    views.draw_cell(ax, [0.5, -1.0, 0.8], exact=0.2)
    assert ax.get_ylim()[0] < -1
    assert {t.get_text() for t in ax.get_legend().get_texts()} >= {"exact", "not a probability"}


def test_what_hints_allow_is_written_below_the_cards(ax):
    state = State.new(2, np.random.default_rng(0))
    mask = state.hint_mask.reshape(10, -1).copy()
    mask[3, 0] = False  # "RYGWB" and "12345" are still allowed without R1
    mask[4, :5] = False
    known = ["".join(line) for line in views._known(mask[3]) + views._known(mask[4])]
    assert known == ["RYGWB", "12345", "·YGWB", "12345"]
    assert max(len(c.get_paths()) for c in views.draw_state(ax, state).collections) == 100


def test_hints_stand_below_their_cards_when_a_hand_is_short(ax, game):
    state = game[-1].next_state
    assert [len(hand) for hand in state.hands] == [4, 4]
    views.draw_state(ax, state)
    letters = next(c for c in ax.collections if len(c.get_paths()) == 80)
    places = np.asarray(letters.get_offsets())[::10]
    for at, (x, y) in enumerate(places):
        player, slot = divmod(at, 4)
        assert np.allclose((x, y), (slot, -1.9 * player - 0.93))
        known = views._known(state.hint_mask[player, slot])
        outlines = [
            views._letter(c, i, n) for n, line in enumerate(known) for i, c in enumerate(line)
        ]
        drawn = letters.get_paths()[10 * at : 10 * at + 10]
        assert all(a is b for a, b in zip(outlines, drawn, strict=True))


def test_one_series_needs_no_legend(ax):
    views.draw_series(ax, [0, 1], {"V1": [0.5, 0.2]}, xlabel="k", ylabel="distance", at=1)
    assert ax.get_legend() is None
    views.draw_series(ax, [0, 1], {"V0": [1, 1], "V1": [0, 1]}, xlabel="k", ylabel="distance")
    assert len(ax.get_legend().get_texts()) == 3


def test_bars_with_errors(ax):
    views.draw_bars(ax, ["x", "y"], {"a": ([1, 2], [0.1, 0.2]), "b": [3, 4]}, ylabel="points")
    heights = [p.get_height() for p in ax.patches]
    assert heights == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("mask", "said"),
    [
        (np.ones(25, dtype=bool), "any colour, any rank"),
        (np.arange(25) % 5 == 3, "any colour, rank 4"),
        (np.isin(np.arange(25), [0, 15, 4, 19]), "R or W, rank 1 or 5"),
    ],
)
def test_say_hints(mask, said):
    assert views.say_hints(mask) == said


def test_say_row_names_the_likeliest_first():
    assert views.say_row([0.2, 0, 0.5, 0.3], 2, card_names="abcd") == "c 0.500, d 0.300"
