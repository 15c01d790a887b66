"""A small Space Battle: rules that NTBEA tunes to favour a far- or a near-sighted agent.

Six rules and their values after the public SpaceBattleGame of Jialin Liu; two
rolling-horizon agents that differ in nothing but how far ahead they plan. This is the
setting of "evolving games for different agents" (Perez-Liebana et al. 2019, section 7.3).

Two ships fly over a square whose edges join. A tick turns and thrusts both ships, may
fire one missile each, and moves everything. A missile scores when it is within the
radius of the other ship; firing costs points.
"""

import math
from typing import NamedTuple

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.base.interrupts import held
from gameai_lib.base.jit import assign, draw, njit
from gameai_lib.ntbea.game.space import SearchSpace

WIDTH = 400.0  # side of the square
N_TICKS = 120
N_ACTIONS = 6  # turn left, straight on or right; with or without fire; thrust is always on
MAX_MISSILES = 8  # in flight for each ship
MISSILE_TICKS = 30  # a missile's life
HIT = 100.0  # points for a hit
_TURN = np.pi / 9
_DRAG = 0.98
_MAX_MODEL_CALLS = 100_000  # ticks tried for one move; a battle with that many takes seconds

RULE_SPACE = SearchSpace(
    {
        "ship_max_speed": (4, 6, 8, 10),
        "thrust": (1, 2, 3, 4, 5),
        "missile_cost": (0, 1, 5, 10, 20, 50, 75, 100),
        "missile_speed": (1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
        "cooldown": (1, 2, 3, 4, 5, 6, 7, 8, 9),
        "ship_radius": (10, 20, 30, 40, 50),
    }
)


# The few rules of the chapter's opening, which a reader tries by hand: thrust is 1.
FEW_RULES = SearchSpace(
    {
        "ship_max_speed": (4, 10),
        "missile_cost": (0, 50),
        "missile_speed": (2, 8),
        "cooldown": (2, 9),
        "ship_radius": (10, 40),
    }
)


class Rules(NamedTuple):
    """The rules that are tuned; speeds in units of length per tick."""

    ship_max_speed: float
    thrust: float  #: added to the speed each tick
    missile_cost: float  #: points for each missile fired
    missile_speed: float  #: on top of the ship's own velocity
    cooldown: int  #: ticks from one missile to the next
    ship_radius: float


class Planner(NamedTuple):
    """A rolling-horizon agent: a (1+1) evolution of its plan, made anew every tick."""

    hold: int  #: ticks that each planned action lasts
    length: int = 6  #: actions in a plan
    n_plans: int = 12  #: plans tried on one move


NEAR_SIGHTED = Planner(hold=1)
FAR_SIGHTED = Planner(hold=4)


class Battle(NamedTuple):
    """One played battle, frame by frame; frame 0 is the start."""

    ships: np.ndarray  #: (n_frames, 2, 5) float, x, y, vx, vy, heading of each ship
    missiles: np.ndarray  #: (n_frames, 2, MAX_MISSILES, 5) float, x, y, vx, vy, ticks left
    points: np.ndarray  #: (n_frames, 2) float, score of each ship

    @property
    def score(self):
        """First ship's points minus the second's at the end."""
        return float(self.points[-1, 0] - self.points[-1, 1])


def play(rules, first, second, rng):
    """Play one `Battle` between two planners; an interrupt waits for its end.

    The `rules` are numbers from 0 to a million, those of the planners `first` and `second` are
    positive and let them try at most 100,000 ticks for a move. `rng` draws the start and the
    planners' mutations.
    """
    checks.kind("rules", rules, Rules)
    for name, value in rules._asdict().items():
        checks.number(name, value, 0.0, 1e6)
    for planner in (first, second):
        checks.kind("a planner", planner, Planner)
        hold, length, n_plans = (checks.whole(n, v) for n, v in planner._asdict().items())
        if hold * length * n_plans > _MAX_MODEL_CALLS:
            most = f"more than {_MAX_MODEL_CALLS} ticks for a move"
            raise ValueError(f"{short(planner)} would try {most}")
    rng = checks.generator(rng)
    ships = np.zeros((N_TICKS + 1, 2, 5))
    missiles = np.zeros((N_TICKS + 1, 2, MAX_MISSILES, 5))
    status = np.zeros((N_TICKS + 1, 2, 2))
    planners = np.array([first, second], dtype=np.int64)
    plans = np.ones((4, max(first.length, second.length)), np.int64)
    with held():
        _play(ships, missiles, status, np.array(rules, dtype=float), planners, plans, rng)
    return Battle(ships, missiles, status[:, :, 0])


def evaluate(point, rng):
    """`result` under the rules at `point` of `RULE_SPACE`."""
    return result(Rules(**RULE_SPACE.values_of(point)), rng)


def result(rules, rng):
    """Result for the far-sighted planner under `rules`: 1, 0 or -1.

    It flies the first or the second ship with equal chances.
    """
    rng = checks.generator(rng)
    if rng.random() < 0.5:
        return float(np.sign(play(rules, FAR_SIGHTED, NEAR_SIGHTED, rng).score))
    return -float(np.sign(play(rules, NEAR_SIGHTED, FAR_SIGHTED, rng).score))


def evaluate_reverse(point, rng):
    """Result for the near-sighted planner: minus `evaluate`."""
    return -evaluate(point, rng)


# These are written into what calls them: as calls they take a quarter of a battle.
@njit(cache=True, inline="always")
def _wrap(x):
    """``x % WIDTH``, to the last bit: remainders took a quarter of a battle."""
    if 0.0 <= x < WIDTH:
        return x
    if WIDTH <= x < 2 * WIDTH:
        return x - WIDTH
    if -WIDTH <= x < 0.0:
        return x + WIDTH
    return x % WIDTH


@njit(cache=True, inline="always")
def _across(difference):
    """Shortest way between two coordinates on the joined square."""
    return _wrap(difference + 0.5 * WIDTH) - 0.5 * WIDTH


# The loops below count missiles: a view of each would cost more than its arithmetic.
@njit(cache=True, inline="always")
def _steer(ships, missiles, status, player, action, rules):
    """Turn and thrust one ship and fire if it may; `status` is its points and cooldown."""
    ship, max_speed, thrust = ships[player], rules[0], rules[1]
    ship[4] += (action % 3 - 1) * _TURN
    across, up = math.cos(ship[4]), math.sin(ship[4])
    ship[2] = _DRAG * ship[2] + thrust * across
    ship[3] = _DRAG * ship[3] + thrust * up
    speed = math.sqrt(ship[2] * ship[2] + ship[3] * ship[3])
    if speed > max_speed:
        ship[2] *= max_speed / speed
        ship[3] *= max_speed / speed
    ship[0] = _wrap(ship[0] + ship[2])
    ship[1] = _wrap(ship[1] + ship[3])
    status[player, 1] = max(0.0, status[player, 1] - 1)
    if action < 3 or status[player, 1] > 0:
        return
    for i in range(MAX_MISSILES):
        if missiles[player, i, 4] <= 0:
            missiles[player, i, 0] = ship[0]
            missiles[player, i, 1] = ship[1]
            missiles[player, i, 2] = ship[2] + rules[3] * across
            missiles[player, i, 3] = ship[3] + rules[3] * up
            missiles[player, i, 4] = MISSILE_TICKS
            status[player, 0] -= rules[2]
            status[player, 1] = rules[4]
            return


@njit(cache=True, inline="always")
def _fly(ships, missiles, status, player, radius):
    """Move one ship's missiles; those that reach the other ship score and are gone."""
    target_x, target_y = ships[1 - player, 0], ships[1 - player, 1]
    for i in range(MAX_MISSILES):
        if missiles[player, i, 4] > 0:
            missiles[player, i, 4] -= 1
            missiles[player, i, 0] = _wrap(missiles[player, i, 0] + missiles[player, i, 2])
            missiles[player, i, 1] = _wrap(missiles[player, i, 1] + missiles[player, i, 3])
            x = _across(missiles[player, i, 0] - target_x)
            y = _across(missiles[player, i, 1] - target_y)
            if x * x + y * y < radius * radius:
                missiles[player, i, 4] = 0
                status[player, 0] += HIT


@njit(cache=True)
def _advance(state, plans, hold, rules):
    """Fly both ships by their plans, each action for `hold` ticks, in place."""
    ships, missiles, status = state
    for k in range(plans[0].size):
        for tick in range(hold):
            for player in range(2):
                action = plans[player][k]
                # Fire at most once an action, at its first tick.
                own = action if tick == 0 else action % 3
                _steer(ships, missiles, status, player, own, rules)
            for player in range(2):
                _fly(ships, missiles, status, player, rules[5])


@njit(cache=True)
def _value_of_plan(plan, hold, player, state, scratch, rules):
    """Lead in points after `plan` if the other ship flies straight on without firing."""
    still = scratch[3][: plan.size]
    ships, missiles, status = scratch[:3]
    assign(ships, state[0])
    assign(missiles, state[1])
    assign(status, state[2])
    plans = (plan, still) if player == 0 else (still, plan)
    _advance((ships, missiles, status), plans, hold, rules)
    x = _across(ships[0, 0] - ships[1, 0])
    y = _across(ships[0, 1] - ships[1, 1])
    lead = status[player, 0] - status[1 - player, 0]
    return lead - 1e-3 * math.sqrt(x * x + y * y)  # of plans with equal points, the nearest


@njit(cache=True)
def _next_plan(plans, setting, player, state, moved_on, scratch, rules, rng):
    """Evolve the first of the two `plans` in place for one move; the other has room for a child."""
    plan, child = plans
    hold, length, n_plans = setting
    if moved_on:
        assign(plan[:-1], plan[1:])
        plan[-1] = draw(N_ACTIONS, rng)
    best = _value_of_plan(plan, hold, player, state, scratch, rules)
    for _ in range(n_plans - 1):
        flipped = draw(length, rng)
        for i in range(length):
            child[i] = plan[i]
            if i == flipped or rng.random() * length < 1:
                child[i] = draw(N_ACTIONS, rng)
        value = _value_of_plan(child, hold, player, state, scratch, rules)
        if value >= best:
            best = value
            assign(plan, child)


@njit(cache=True, allocates=True)
def _play(ships, missiles, status, rules, planners, plans, rng):
    """Fill the frames of one battle; `plans` has room for both, for a child, and ones."""
    for player in range(2):
        ships[0, player, 0] = WIDTH * rng.random()
        ships[0, player, 1] = WIDTH * rng.random()
        ships[0, player, 4] = 2 * np.pi * rng.random()
    scratch = (np.zeros((2, 5)), np.zeros((2, MAX_MISSILES, 5)), np.zeros((2, 2)), plans[3])
    for t in range(ships.shape[0] - 1):
        state = (ships[t], missiles[t], status[t])
        for player in range(2):
            hold, length, n_plans = planners[player]
            own, setting = (plans[player, :length], plans[2, :length]), (hold, length, n_plans)
            _next_plan(own, setting, player, state, t % hold == 0, scratch, rules, rng)
        assign(ships[t + 1], ships[t])
        assign(missiles[t + 1], missiles[t])
        assign(status[t + 1], status[t])
        after = (ships[t + 1], missiles[t + 1], status[t + 1])
        _advance(after, (plans[0, :1], plans[1, :1]), 1, rules)
