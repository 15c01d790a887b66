"""The conjecture's trees: rules beside numpy's eigenvalues and all matchings; the board."""

import itertools

import numpy as np
import pytest

from book.tools.assignments import cells_of, source_of
from gameai_book.nrpa.boards import tree as board_of_trees
from gameai_book.nrpa.boards.tree import TreeBoard, largest_matching
from gameai_book.nrpa.printed.trees import check_tree, parents_of, score, tree
from gameai_lib.base import jit
from gameai_lib.nrpa import NRPA, flat_monte_carlo, replay, try_out
from tests.nrpa.wild import faulty
from tests.support.board_checks import check_record, targets, touch
from touchbook.board import pace
from touchbook.boards import Session

CELLS = {cell["id"]: source_of(cell) for cell in cells_of("nrpa")}


@pytest.fixture(autouse=True)
def no_pause(monkeypatch):
    monkeypatch.setattr(pace, "PACE", 0)


def all_matchings(edges):
    """Size of a largest matching, by trying every set of edges."""
    for size in range(len(edges), 0, -1):
        for chosen in itertools.combinations(edges, size):
            ends = [v for edge in chosen for v in edge]
            if len(set(ends)) == len(ends):
                return size
    return 0


def score_of(parents):
    n = len(parents) + 1
    return float(score(np.array([n, n, 0, *parents]), np.zeros(0)))


STAR = (0,) * 18
TWO_HUBS = (0, 1, *[0] * 8, *[2] * 8)  # 0 and 2 are hubs, 1 is between them


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_every_small_tree_scores_as_counted_by_force(n):
    for parents in itertools.product(*[range(v) for v in range(1, n)]):
        edges = list(enumerate(parents, 1))
        largest, matching = check_tree(parents)
        wished = np.sqrt(n - 1) + 1 - largest - matching
        assert score_of(parents) == pytest.approx(wished, abs=2e-4)
        assert len(largest_matching(parents)) == matching == all_matchings(edges)
        assert score_of(parents) < 1e-6  # the conjecture holds for small trees


def test_trees_of_nineteen_vertices_score_by_their_eigenvalue_and_matching():
    rng = np.random.default_rng(0)
    for _ in range(100):
        parents = tuple(int(rng.integers(min(v, 4))) for v in range(1, 19))
        largest, matching = check_tree(parents)
        assert matching == len(largest_matching(parents))
        assert score_of(parents) == pytest.approx(np.sqrt(18) + 1 - largest - matching, abs=5e-3)
    assert score_of(STAR) == pytest.approx(0, abs=1e-9)
    assert score_of(TWO_HUBS) == pytest.approx(np.sqrt(18) + 1 - np.sqrt(10) - 2, abs=1e-6)
    assert check_tree(TWO_HUBS) == (pytest.approx(np.sqrt(10)), 2)
    # The star is a local optimum: whichever leaf is moved, there is one other tree.
    assert score_of((0, 1, *[0] * 16)) < -0.8


def lesson_rules():
    """What the lesson's cells define, the last one without the board."""
    names = {"np": np}
    for cell in ("tree-rules", "tree-score", "tree-problem", "own-tree"):
        exec(CELLS[cell].split("\nplay(")[0], names)
    return names


def test_the_lesson_prints_the_rules_that_are_tested_here():
    own = lesson_rules()
    problem = own["tree"](own["legal"])
    assert np.isfinite(try_out(problem, np.random.default_rng(0), 3))
    for seed in range(5):
        game, _ = flat_monte_carlo(tree(), np.random.default_rng(seed), 1)
        assert parents_of(tree(), game.choices) == tuple(game.choices.tolist())
        theirs = list(replay(problem, game.choices))
        ours = list(replay(tree(), game.choices))
        for one, other in zip(theirs, ours, strict=True):
            np.testing.assert_array_equal(one.ints, other.ints)
            np.testing.assert_array_equal(one.legal, other.legal)
        assert own["score"](theirs[-1].ints, None) == pytest.approx(game.score, abs=1e-12)


def best_scores(problem, n_games, seeds):
    searches = (NRPA(problem, s, level=1, n_iterations=n_games) for s in seeds)
    return np.array([search.run().score for search in searches])


@pytest.mark.slow
@pytest.mark.skipif(not jit.COMPILED, reason="takes long without compiled kernels")
def test_what_the_lesson_says_of_its_searches():
    said = CELLS["own-tree-what"]
    short = best_scores(tree(), 50, range(400))
    refuted = short > 1e-6
    assert f"400 short searches. Of these searches, {refuted.sum()} refuted" in said
    assert f"{(np.abs(short) < 1e-6).sum()} ended at the star" in said
    assert (
        f"Of 20 presses, {refuted.reshape(20, 20).any(axis=1).sum()} found a counterexample" in said
    )
    long = best_scores(tree(), 1000, range(40))
    assert f"Of 40 long searches with 1,000 games each, {(long > 1e-6).sum()} found one" in said
    cell = CELLS["own-tree"].split("\nplay(")[0]
    names = lesson_rules()
    exec(cell.replace("codes[start + v] = v", "codes[start + v] = m * n + v"), names)
    # One that says the number of the vertex, too.
    best = best_scores(names["tree"](names["legal"]), 1000, range(10)).max()
    assert f"no higher than {best:.2f}".replace("-", "−") in said


def test_the_board_searches_as_the_library_does_and_stops_at_the_first_counterexample():
    session, state = Session(TreeBoard(seed=5)), {"thinking": True}
    while state["thinking"]:
        assert state.get("done") == 1.0 or session.board.svg().count("<circle") == 19
        state = session.answer({"do": "think"})
        targets(state["svg"])
    board = session.board
    scores = [score for _, score in board.results]
    for k, found in enumerate(scores):
        rng = np.random.default_rng([5, k])
        assert found == NRPA(tree(), rng, level=1, n_iterations=50).run().score
    assert [found > 1e-6 for found in scores] == [False] * (len(scores) - 1) + [True]
    assert board.score == scores[-1]
    assert [*board._tally("short").values()] == [2, 2, 1]
    largest, matching = check_tree(board.parents)
    assert (
        f"Its largest eigenvalue is {largest:.4f}, and a largest matching has {matching} edge"
        in state["say"]
    )
    assert f"Together that is {largest + matching:.4f}" in state["say"]
    touch(session, "long")
    assert [*session.board._tally("long").values()] == [0, 0, 0]


def test_a_readers_own_codes_and_what_is_wrong_with_them(monkeypatch):
    own = lesson_rules()
    monkeypatch.setitem(board_of_trees.WAYS, "short", ("two searches", 10, 2))
    session = Session(TreeBoard(problem=own["tree"](own["legal"])))
    assert session.board.own
    assert not session.answer({"do": "think"})["wrong"]
    wrong = Session(TreeBoard(problem=faulty("code negative"))).answer({"do": "think"})["wrong"]
    assert "The search has ended: RulesError" in wrong


def test_it_is_recorded_in_both_ways():
    states = check_record(TreeBoard(seed=2), {})
    short = [state for touches, state in states.items() if "long" not in touches]
    assert "twenty short searches: 4 below 0, 11 at 0, a star, 1 above 0" in short[-1]["say"]
    assert [state["svg"].count("<circle") for state in short[-19:]] == [*range(1, 20)]  # it grows
    long = [*states.values()][-1]
    assert "one long search: 0 below 0, 1 at 0, a star, 0 above 0" in long["say"]
