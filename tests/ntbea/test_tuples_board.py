"""The bench of a point and its tuples: what it says, counted again from the games."""

from itertools import combinations, islice

import numpy as np
import pytest

from gameai_book.ntbea.boards.tuples import TuplesBoard, evaluate
from gameai_book.ntbea.measure.families import ships_table
from gameai_book.ntbea.results.tables import DATA, load_games
from gameai_lib.ntbea import LandscapeModel, Settings, search_steps
from gameai_lib.ntbea.game.space_battle import FEW_RULES as SPACE
from tests.support.board_checks import targets
from touchbook.boards import Session, WrongTouch

POINTS = [tuple(point) for point in SPACE.all_points().tolist()]
TUPLES = [dims for size in (1, 2, 5) for dims in combinations(range(5), size)]


def by_hand(played, point, k):
    """Mean and bound of a point, and the games of its arms, as the chapter's formula says."""
    means, widths, counts = [], [], []
    for dims in TUPLES:
        own = [f for at, f in played if all(at[d] == point[d] for d in dims)]
        counts.append(len(own))
        means += [sum(own) / len(own)] if own else []
        widths.append((np.log(1 + len(played)) / (len(own) + 0.5)) ** 0.5)
    mean = float(np.mean(means)) if means else 0.0
    return mean, mean + k * float(np.mean(widths)), counts


def test_it_says_what_the_games_say_and_a_game_teaches_the_arms_of_its_point_alone():
    board = TuplesBoard(seed=3)
    turns = "at-12111", "at-22212", "at-11122", "at-12121"
    for touch in (turns[0], "play", turns[1], "play", "k-1", turns[2], "choose", "play", turns[3]):
        before = [by_hand(board.played, point, 0)[2] for point in POINTS]
        board.touch(touch)
        mean, bound, counts = by_hand(board.played, board.point, board.k)
        assert f"the estimate, {mean:.2f}. " in board.say()
        assert f"the bound is {bound:.2f}." in board.say()
        assert [n for _, n, _ in board.arms()] == counts
        n_seen = len(counts) - counts.count(0)
        words = f"{n_seen} of its 16 arms that have a game" if n_seen < 16 else "its 16 arms is"
        assert words in board.say()
        if touch != "play":
            continue
        sharing = -1  # without the point itself
        for point, old in zip(POINTS, before, strict=True):
            same = [all(point[d] == board.point[d] for d in dims) for dims in TUPLES]
            new = by_hand(board.played, point, 0)[2]
            assert [a != b for a, b in zip(old, new, strict=True)] == same
            sharing += any(same)
        assert board.n_sharing() == sharing
        assert f"{sharing} other points share a value" in board.say()


def test_ntbea_chooses_what_the_search_would_play_next():
    board = TuplesBoard(seed=5)
    board.touch("k-1")
    model = LandscapeModel(SPACE)
    for point, fitness in board.played:
        model.add(np.array(point), fitness)
    rng = np.random.default_rng([5, 2, 20])
    steps = search_steps(lambda point, rng: 0.0, model, rng, Settings(k=1.0))
    step = next(iter(islice(steps, 1)))
    board.touch("choose")
    best = board.best_neighbours()
    assert board.point == tuple(step.point) == best[0][0]
    for point, mean, bound in best:
        assert (mean, bound) == pytest.approx(by_hand(board.played, point, 1.0)[:2])
    bounds = [bound for *_, bound in best]
    assert bounds[0] == pytest.approx(np.max(step.mean + step.explore))
    assert bounds[1:] == sorted(bounds[1:], reverse=True)
    assert f"{bounds[0]:.2f}. Next are" in board.say()


def test_the_games_are_drawn_from_the_stored_results():
    rng, point = np.random.default_rng(1), (1, 1, 0, 1, 0)
    won = [evaluate(point, rng) for _ in range(1000)]
    assert set(won) <= {0, 0.5, 1}
    assert 2 * np.mean(won) - 1 == pytest.approx(ships_table().true_value(point), abs=0.08)


def test_the_truth_stands_beside_every_estimate():
    board = TuplesBoard(seed=2)
    board.touch("show-truth")
    rows = load_games(DATA / "space_battle.csv", SPACE)
    truths = [(row == 1).mean() + (row == 0).mean() / 2 for row in rows]
    for touch in ("play", "ten", "best", "named"):
        board.touch(touch)
        estimates = [by_hand(board.played, point, 0)[0] for point in POINTS]
        here = POINTS.index(board.point)
        said = board.say()
        assert f"Truth: {truths[here]:.2f}. " in said
        n_better = sum(truth > truths[here] + 1e-9 for truth in truths)
        assert f"{n_better or 'None'} of the {len(POINTS)} points" in said
        n_above = sum(a > b for a, b in zip(estimates, truths, strict=True))
        assert f"{n_above} estimates lie above the truth." in said
        if touch == "best":
            assert n_better == 0
    assert board.point == max(dict(board.played), key=lambda point: estimates[POINTS.index(point)])
    board.touch("at-11111")
    rank = np.argsort(estimates, kind="stable").tolist().index(POINTS.index(board.named()))
    assert f'd="M{26.75 + 11.5 * rank:g} 507L' in board.svg()  # what marks the recommendation


def test_ten_games_are_ten_choices_and_ten_games():
    one, ten = TuplesBoard(), TuplesBoard()
    ten.touch("ten")
    for _ in range(10):
        one.touch("choose")
        one.touch("play")
    assert one.played == ten.played
    assert "named" not in dict(ten.buttons())  # it is there
    ten.played = ten.played * 10
    assert "ten" not in dict(ten.buttons())
    with pytest.raises(WrongTouch, match="300 games are enough"):
        ten.touch("play")


def test_it_is_recorded():
    recorded = Session(TuplesBoard()).record()
    assert "The game was" in recorded["choose play"]["svg"]
    for point in POINTS:  # each answers without Python, and goes on to any neighbour
        at = "at-" + "".join(str(value + 1) for value in point)
        for shown in (at, f"{at} show-truth", f"show-truth {at}"):
            assert set(targets(recorded[shown]["svg"])) <= recorded.keys()
            assert ("Truth: " in recorded[shown]["say"]) == ("show" in shown)
