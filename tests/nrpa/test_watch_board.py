"""The game that NRPA plays before one's eyes, beside the library's own search and replay."""

import re

import numpy as np
import pytest

from gameai_book.nrpa.boards import watch
from gameai_book.nrpa.boards.blocks import lesson_problem
from gameai_book.nrpa.boards.watch import WatchBoard, found_game
from gameai_lib.nrpa import NRPA, flat_monte_carlo, move_probabilities, replay, small_board
from gameai_lib.nrpa.game.samegame_referee import judge_samegame
from tests.support.board_checks import check_drawing, check_record, check_session, targets, touch
from touchbook.board import pace
from touchbook.boards import Session


@pytest.fixture(autouse=True)
def no_pause(monkeypatch):
    monkeypatch.setattr(pace, "PACE", 0)


def test_the_game_is_the_searchs_and_the_referee_counts_its_points():
    found = found_game(3)
    search = NRPA(lesson_problem(), np.random.default_rng(3), level=2, n_iterations=30)
    assert found.score == search.run().score
    np.testing.assert_array_equal(found.weights, search.policy[1])
    cells = [
        position.groups[k][0]
        for position, k in zip(found.positions[:-1], found.choices, strict=True)
    ]
    verdict = judge_samegame(small_board(), cells)
    assert verdict == (found.score, 0)


def test_the_other_position_is_of_a_random_game_and_has_the_same_cells_and_colour():
    found, rng, seen = found_game(3), np.random.default_rng([3, 1]), set()
    problem = lesson_problem()
    for _ in range(watch.N_OTHERS):
        game, _ = flat_monte_carlo(problem, rng, 1)
        seen |= {(k, tuple(ply.legal)) for k, ply in enumerate(replay(problem, game.choices))}
    n_other = 0
    for position, k, other in zip(found.positions[:-1], found.choices, found.others, strict=True):
        code, group = position.codes[k], position.groups[k]
        if other is None:
            assert not any(code in legal for _, legal in seen)
            continue
        n_other += 1
        assert (other.n_moves, other.codes) in seen
        assert other.n_moves == max(k for k, legal in seen if code in legal)  # the latest
        there = other.groups[other.codes.index(code)]
        assert {*there} == {*group}
        assert {other.kinds[cell] for cell in there} == {position.kinds[group[0]]}
        chance = move_probabilities(found.weights[list(other.codes)])[other.codes.index(code)]
        assert found.chance(other, code) == pytest.approx(chance)
    assert n_other > 10


def test_all_weights_stand_on_their_groups_and_one_code_lights_up_in_both():
    session = Session(WatchBoard(seed=3))
    state = session.answer({"do": "look"})
    found = session.board.found
    weight = f"{found.weights[found.positions[0].codes[found.choices[0]]]:.1f}"
    assert len(re.findall(f'"ink bold"[^>]*>{weight}</text>', state["svg"])) == 2
    assert f"one code, one weight: {weight}" in state["svg"]
    check_drawing(state["svg"])
    assert f"The weight of this code is {weight}, which" in state["say"]
    touch(session, "think")
    state = touch(session, "think")
    numbers = re.findall(r">(−?\d+\.\d)</text>", state["svg"])
    codes = [*found.positions[2].codes, *found.others[2].codes]
    wished = [f"{found.weights[code] + 0.0:.1f}".replace("-", "−") for code in codes]
    assert sorted(numbers) == sorted(w.replace("−0.0", "0.0") for w in wished)


def test_it_plays_by_steps_or_by_itself_and_again_and_is_recorded():
    one, other = Session(WatchBoard(seed=3)), Session(WatchBoard(seed=3))
    for _ in one.board.found.choices:
        stepped, played = touch(one, "think"), other.answer({"do": "think"})
        assert stepped["svg"] == played["svg"]
        targets(stepped["svg"])
    assert not played["thinking"]
    assert f"with {one.board.found.score:,} points" in stepped["say"]
    assert (stepped["thinks"], stepped["buttons"]) == ("Watch again", [])
    assert "in one of 25 random games after" in other.answer({"do": "think"})["say"]
    check_session(Session(WatchBoard(seed=3)))
    states = check_record(WatchBoard(), {})
    assert len(states) == len(found_game(0).choices) + 1
    assert "The game is over" in [*states.values()][-1]["say"]
