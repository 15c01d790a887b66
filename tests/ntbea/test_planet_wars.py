"""The actions, plans and games of Planet Wars, by hand and against the stored table."""

from types import SimpleNamespace

import numpy as np
import pytest

from gameai_book.ntbea.results.tables import DATA, load_table
from gameai_lib.ntbea.game import planet_wars
from gameai_lib.ntbea.game.planet_wars import AGENT_SPACE, OPPONENT, Agent, play, result

acted = getattr(planet_wars._act, "py_func", planet_wars._act)


def act(ships, buffers, focus, player, action):
    here, sign = focus[player], 1 - 2 * player
    focus[player], ships[here], buffers[player] = acted(
        action, here, ships[here], buffers[player], sign
    )


def state():
    ships = np.zeros(10)
    ships[:4] = 8.0, -6.0, 0.0, 2.0
    return ships, np.array([3.0, 5.0]), np.array([0, 1])


@pytest.mark.parametrize(
    ("player", "focus", "action", "ships", "buffer", "looks_at"),
    [
        (0, 0, 0, 8.0, 3.0, 0),
        (0, 0, 1, 8.0, 3.0, 1),
        (0, 0, 2, 8.0, 3.0, 9),
        (0, 0, 3, 4.0, 7.0, 0),  # half its own planet into the buffer
        (1, 1, 3, -3.0, 8.0, 1),
        (0, 1, 3, -6.0, 3.0, 1),  # not from a planet of the other
        (0, 2, 3, 0.0, 3.0, 2),
        (0, 1, 4, -3.0, 0.0, 1),  # three ships attack six
        (1, 3, 4, -3.0, 0.0, 3),  # five ships take a planet held by two
        (1, 2, 4, -5.0, 0.0, 2),
    ],
)
def test_every_action_by_hand(player, focus, action, ships, buffer, looks_at):
    all_ships, buffers, focuses = state()
    focuses[player], expected = focus, all_ships.copy()
    act(all_ships, buffers, focuses, player, action)
    expected[focus] = ships
    assert all_ships.tolist() == expected.tolist()
    assert (buffers[player], focuses[player]) == (buffer, looks_at)


def test_a_recorded_game_replays_from_its_actions():
    game = play(Agent(3, True, True, 1, 15), OPPONENT, np.random.default_rng(7))
    ships, buffers, focus = (a[0].copy() for a in (game.ships, game.buffers, game.focus))
    assert np.sign(ships).tolist() == [1, -1] * 5
    assert ((game.growth >= 0.05) & (game.growth <= 0.15)).all()
    for t, actions in enumerate(game.actions):
        for player in range(2):
            act(ships, buffers, focus, player, actions[player])
        ships += np.sign(ships) * game.growth
        np.testing.assert_allclose(ships, game.ships[t + 1])
        np.testing.assert_allclose(buffers, game.buffers[t + 1])
    assert game.score == pytest.approx(ships.sum())
    won = (ships >= 0).all() or (ships <= 0).all()
    assert won or len(game.ships) == planet_wars.N_TICKS + 1


def test_value_of_a_plan_is_that_of_playing_it_alone():
    ships, buffers, focus = state()
    growth = np.full(10, 0.1)
    plan = np.array([3, 1, 4, 0])
    scratch = np.zeros(10), np.zeros(10)
    value = planet_wars._value_of_plan(plan, ships, buffers, focus, growth, 0, scratch)
    for action in plan:
        act(ships, buffers, focus, 0, action)
        ships += np.sign(ships) * growth
    assert value == pytest.approx(ships.sum())


@pytest.mark.parametrize("flip_one", [True, False])
def test_mutation_of_a_plan(flip_one):
    rng = np.random.default_rng(5)
    plan, child, changed = np.full(10, 2), np.zeros(10, np.int64), []
    for _ in range(2000):
        planet_wars._mutate_plan(child, plan, 2, flip_one, rng)
        changed.append((child != plan).sum())
        assert child.min() >= 0
        assert child.max() < 5
    expected = 2 + (1 - 0.2 if flip_one else 0)
    assert np.mean(changed) == pytest.approx(expected, abs=0.15)
    assert (min(changed) == 0) != flip_one


def test_an_agent_takes_a_plan_of_equal_value():
    """On an empty map every plan is worth 0, so the last one tried is played."""
    empty, setting = (np.zeros(10), np.zeros(2), np.zeros(2, np.int64), np.zeros(10)), (2, True)
    scratch = np.zeros(10), np.zeros(10)
    for seed in range(5):
        plan, child = np.zeros((2, 5), np.int64)
        rng = np.random.default_rng(seed)
        planet_wars._next_plan(
            (plan, child), (*setting, True, 1, 5), True, empty, 0, 20, scratch, rng
        )
        rng = np.random.default_rng(seed)
        expected = np.array([rng.integers(0, 5) for _ in range(5)])
        for _ in range(3):  # 20 model calls pay for four plans of five actions
            child = np.zeros(5, np.int64)
            planet_wars._mutate_plan(child, expected, *setting, rng)
            expected = child
        np.testing.assert_array_equal(plan, expected)


def test_the_agent_plays_both_sides_and_wins_on_either(monkeypatch):
    agent, first = Agent(3, True, True, 1, 15), []

    def won_by_the_agent(one, other, rng):
        assert {one, other} == {agent, OPPONENT}
        first.append(one == agent)
        return SimpleNamespace(score=7.5 if one == agent else -7.5)

    monkeypatch.setattr(planet_wars, "play", won_by_the_agent)
    rng = np.random.default_rng(1)
    assert [result(agent, rng) for _ in range(100)] == [1.0] * 100
    assert 30 <= sum(first) <= 70


def test_the_table_agrees_with_new_games():
    table, points = load_table(DATA / "planet_wars.csv", AGENT_SPACE), AGENT_SPACE.all_points()
    assert np.sum(table, axis=0).min() >= 400
    rng, order = np.random.default_rng(99), np.argsort(table.mean)
    for index in (order[0], order[150], order[-1]):
        fresh = np.mean([planet_wars.evaluate(points[index], rng) for _ in range(60)])
        error = np.sqrt(max(1 - table.mean[index] ** 2, 0.05) * (1 / 60 + 1 / 400))
        assert abs(fresh - table.mean[index]) < 4 * error
