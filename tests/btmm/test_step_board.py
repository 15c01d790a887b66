"""The bench of the MM step: what is said and drawn, beside Hunter's update and the maximum."""

import re
from functools import partial

import pytest

from gameai_book.btmm.boards.step import PLACES, RESULTS, StepBoard
from gameai_book.btmm.surrogate import duel_log_likelihood
from tests.support.board_checks import targets


def numbers_in(picture, shape):
    """Left, top, ... of the first shape with these words, as floats."""
    return [float(x) for x in re.search(shape, picture).groups()]


def test_it_draws_the_chain_and_says_what_it_computes():
    board = StepBoard()
    assert "expects 0.6667 wins of 4, and there were 3. " in board.say()
    assert "The new strength is 0.2 × 3 / 0.6667 = 0.9." in board.say()
    assert "ln L rises from −5.5576 to −2.8835." in board.say()
    for name in ("step", "at-9", "at-0", "step", "step"):
        board.touch(name)
        picture = board.svg()
        [old] = numbers_in(picture, r'cy="([\d.]+)" r="6.5" class="stroke"')
        [new] = numbers_in(picture, r'<rect x="[\d.]+" y="([\d.]+)" width="11"')
        [top] = numbers_in(picture, r'<path d="M[\d.]+ ([\d.]+)L[^"]*Z" class="c1"')
        assert new + 5.5 <= top - 6 + 0.02 <= old + 0.04  # down is up
        assert len(targets(picture)) == len(PLACES)
    even = board_of(2, 4)
    even.touch("at-5")  # 1, the maximum
    assert "so a step stays here" in even.say()


def board_of(n_won, n_games):
    board = StepBoard()
    board.result = f"{n_won}-of-{n_games}"
    return board


@pytest.mark.parametrize(("n_won", "n_games"), [*RESULTS, (1, 1000)])
def test_no_step_lowers_the_likelihood(n_won, n_games):
    value = partial(duel_log_likelihood, n_won, n_games - n_won)
    for place, at in enumerate(PLACES):
        board = board_of(n_won, n_games)
        board.touch(f"at-{place}")
        assert board.at == at
        for _ in range(8):
            before = value(board.at)
            expected = n_games * board.at / (board.at + 1)
            wished = board.at * n_won / expected  # Hunter (2004), by its words
            board.touch("step")
            assert board.at == pytest.approx(wished, rel=1e-12)
            assert value(board.at) >= before - 1e-9
