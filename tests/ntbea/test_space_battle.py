import numpy as np
import pytest

from gameai_lib.ntbea.game import space_battle
from gameai_lib.ntbea.game.space_battle import (
    FAR_SIGHTED,
    HIT,
    NEAR_SIGHTED,
    RULE_SPACE,
    WIDTH,
    Rules,
    evaluate,
    evaluate_reverse,
    play,
)

RULES = Rules(6, 2, 10, 5, 4, 20)
BOTH_WAYS = evaluate, evaluate_reverse


def tick(ships, missiles, status, *actions_and_rules):
    *actions, rules = actions_and_rules
    plans = tuple(np.array([action]) for action in actions)
    space_battle._advance((ships, missiles, status), plans, 1, rules)


def board():
    ships = np.zeros((2, 5))
    ships[:, :2] = (100.0, 100.0), (300.0, 100.0)
    return ships, np.zeros((2, space_battle.MAX_MISSILES, 5)), np.zeros((2, 2))


def test_ships_fly_straight_up_to_their_top_speed():
    ships, missiles, status = board()
    for _ in range(10):
        tick(ships, missiles, status, 1, 1, np.array(RULES, float))
    np.testing.assert_allclose(ships[:, 2:4], [[6, 0], [6, 0]])
    assert ships[0, 1] == 100
    # 2, 3.96, 5.8808, then 6 a tick.
    assert ships[0, 0] == pytest.approx(100 + 2 + 3.96 + 5.8808 + 7 * 6)


def test_a_missile_costs_hits_once_and_cools_down():
    ships, missiles, status = board()
    ships[1, :2] = 150.0, 100.0
    ships[1, 4] = np.pi  # towards the first ship
    rules = np.array(RULES, float)
    tick(ships, missiles, status, 4, 1, rules)
    assert status[0].tolist() == [-10, 4]
    assert (missiles[0, :, 4] > 0).sum() == 1
    for _ in range(3):
        tick(ships, missiles, status, 4, 1, rules)
    assert status[0, 0] == HIT - 10
    assert (missiles[0, :, 4] > 0).sum() == 0
    tick(ships, missiles, status, 4, 1, rules)
    assert status[0, 0] == 2 * (HIT - 10)  # cooled down, fires and hits again


@pytest.mark.parametrize("x", [0.0, -0.0, 1e-20, -1e-20, 399.5, 400.0, -400.0, 800.0, 1e9, -1e9])
def test_edges_join_and_coordinates_wrap_as_a_remainder_does(x):
    for near in (np.nextafter(x, -np.inf), x, np.nextafter(x, np.inf)):
        assert space_battle._wrap(near) == near % WIDTH
    ships, missiles, status = board()
    ships[:, :2] = [WIDTH - 1, 100], [100, WIDTH - 1]
    ships[1, 4] = np.pi / 2
    tick(ships, missiles, status, 1, 1, np.array(RULES, float))
    assert ships[:, :2] == pytest.approx(np.array([[1.0, 100], [100, 1.0]]))
    assert space_battle._across(WIDTH - 2.0) == pytest.approx(-2.0)


def test_a_battle_is_recorded_and_repeats_with_its_seed():
    first, second = (play(RULES, FAR_SIGHTED, NEAR_SIGHTED, np.random.default_rng(4)) for _ in "ab")
    np.testing.assert_array_equal(first.ships, second.ships)
    assert first.ships.shape == (space_battle.N_TICKS + 1, 2, 5)
    assert first.score == first.points[-1, 0] - first.points[-1, 1]
    assert ((first.ships[:, :, :2] >= 0) & (first.ships[:, :, :2] <= WIDTH)).all()
    gained = np.diff(first.points, axis=0)
    paid = gained % HIT  # every change is a number of hits less the cost of a missile
    assert set(np.unique(paid.round(6))) <= {0.0, HIT - RULES.missile_cost}
    assert (RULE_SPACE.size, RULE_SPACE.names) == (72_000, Rules._fields)  # as published
    point = np.zeros(6, np.int64)
    there, back = ([f(point, np.random.default_rng(s)) for s in range(5)] for f in BOTH_WAYS)
    assert there == [-b for b in back]
    assert set(there) <= {-1.0, 0.0, 1.0}


def test_equal_planners_win_equally_often():
    rng = np.random.default_rng(2)
    scores = [np.sign(play(RULES, NEAR_SIGHTED, NEAR_SIGHTED, rng).score) for _ in range(60)]
    assert abs(np.mean(scores)) < 4 / np.sqrt(60)
