"""Planet Wars in small: the game whose rolling-horizon agent NTBEA tunes.

Rules after the Planet Wars of Lucas, Liu and Perez-Liebana (2018); the agent's five
parameters after Lucas, Liu, Bravi, Gaina, Woodward, Volz and Perez-Liebana (2019, table 1).

Ten planets hold ships, positive numbers for the first player and negative ones for the
second. Each player has one focus (a planet) and one buffer (ships in flight). A tick
lets both players act, the first one first, and then every owned planet grows.
"""

from typing import NamedTuple

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.base.interrupts import held
from gameai_lib.base.jit import assign, draw, njit
from gameai_lib.ntbea.game.space import SearchSpace

N_PLANETS = 10
N_TICKS = 200
N_ACTIONS = 5
_MAX_MODEL_CALLS = 100_000  # a game with that many takes a second
ACTIONS = ("nothing", "focus next", "focus previous", "load half", "unload all")

AGENT_SPACE = SearchSpace(
    {
        "n_mutated": (0, 1, 2, 3),
        "flip_one": (False, True),
        "shift_buffer": (False, True),
        "n_resamples": (1, 2, 3),
        "length": (5, 10, 15, 20, 25, 30),
    }
)


class Agent(NamedTuple):
    """A rolling-horizon agent: a (1+1) evolution of its next `length` actions."""

    n_mutated: int  #: expected mutations; every action changes with n_mutated / length
    flip_one: bool  #: change at least one action
    shift_buffer: bool  #: keep the last plan, moved on by one tick
    n_resamples: int  #: forward-model plays charged for one plan
    length: int  #: actions in a plan


OPPONENT = Agent(1, True, True, 1, 5)


class Game(NamedTuple):
    """One played game, frame by frame; frame 0 is the start."""

    ships: np.ndarray  #: (n_frames, N_PLANETS) float, > 0 first player, < 0 second
    buffers: np.ndarray  #: (n_frames, 2) float, ships in flight
    focus: np.ndarray  #: (n_frames, 2) int, the planet each player looks at
    actions: np.ndarray  #: (n_frames - 1, 2) int, index into ACTIONS
    growth: np.ndarray  #: (N_PLANETS,) float, ships per tick

    @property
    def score(self):
        """Ships on planets at the end, first player's minus second's; buffers do not count."""
        return float(self.ships[-1].sum())


def play(first, second, rng, *, n_model_calls=200):
    """Play one `Game` between two agents on a random map; an interrupt waits for its end.

    `rng` draws the map and the agents' mutations. On one move each agent may spend `n_model_calls`
    ticks of the forward model, from those of one plan to 100,000.
    """
    n_model_calls = checks.whole("n_model_calls", n_model_calls, 1, _MAX_MODEL_CALLS)
    for agent in (first, second):
        _check_agent(agent, n_model_calls)
    rng = checks.generator(rng)
    ships, buffers = np.zeros((N_TICKS + 1, N_PLANETS)), np.zeros((N_TICKS + 1, 2))
    focus, actions = np.zeros((N_TICKS + 1, 2), np.int64), np.zeros((N_TICKS, 2), np.int64)
    growth, frames = np.zeros(N_PLANETS), (ships, buffers, focus)
    settings = np.array([first, second], dtype=np.int64)
    plans = np.zeros((3, max(first.length, second.length)), np.int64)
    with held():
        n = _play(frames, actions, growth, settings, n_model_calls, plans, rng)
    return Game(*(array[:n] for array in frames), actions[: n - 1], growth)


def _check_agent(agent, n_model_calls):
    checks.kind("an agent", agent, Agent)
    checks.flag("flip_one", agent.flip_one)
    checks.flag("shift_buffer", agent.shift_buffer)
    checks.whole("n_mutated", agent.n_mutated, 0, _MAX_MODEL_CALLS)
    cost = checks.whole("length", agent.length) * checks.whole("n_resamples", agent.n_resamples)
    if cost > n_model_calls:
        raise ValueError(f"{n_model_calls} model calls do not pay for one plan of {short(agent)}")


def result(agent, rng):
    """Result of one game of `agent` against `OPPONENT`: 1 win, 0 draw, -1 loss.

    The agent plays first or second with equal chances; errors are those of `play`.
    """
    rng = checks.generator(rng)
    if rng.random() < 0.5:
        return float(np.sign(play(agent, OPPONENT, rng).score))
    return -float(np.sign(play(OPPONENT, agent, rng).score))


def evaluate(point, rng):
    """Noisy fitness of a point of `AGENT_SPACE`: the result of one game."""
    return result(agent_at(point), rng)


def agent_at(point):
    """Return the `Agent` that a point of `AGENT_SPACE` stands for."""
    return Agent(**AGENT_SPACE.values_of(point))


@njit(cache=True)
def _act(action, planet, n_ships, buffer, sign):
    """The planet a player looks at after an action, the ships there before, and the buffer."""
    if action == 1:
        planet = planet + 1 if planet + 1 < N_PLANETS else 0
    elif action == 2:
        planet = planet - 1 if planet > 0 else N_PLANETS - 1
    elif action == 3:
        if n_ships * sign > 0:  # an empty planet has nothing to load
            half = 0.5 * n_ships
            n_ships -= half
            buffer += half * sign
    elif action == 4:
        n_ships += sign * buffer
        buffer = 0.0
    return planet, n_ships, buffer


@njit(cache=True)
def _growth(n_ships, growth):
    """By how much a planet grows in one tick."""
    return growth if n_ships > 0 else -growth if n_ships < 0 else 0.0


@njit(cache=True)
def _value_of_plan(plan, ships, buffers, focus, growth, player, scratch):
    """Score after `plan`, seen from `player`, if the opponent does nothing."""
    sim_ships, grown = scratch
    planet, buffer, sign = focus[player], buffers[player], 1.0 - 2.0 * player
    for i in range(N_PLANETS):
        sim_ships[i] = ships[i]
        grown[i] = _growth(ships[i], growth[i])
    for k in range(plan.size):
        here = planet
        planet, sim_ships[here], buffer = _act(plan[k], here, sim_ships[here], buffer, sign)
        grown[here] = _growth(sim_ships[here], growth[here])
        for i in range(N_PLANETS):
            sim_ships[i] += grown[i]
    total = 0.0  # in this order: numpy's own sum rounds differently from compiled code
    for i in range(N_PLANETS):
        total += sim_ships[i]
    return total * sign


@njit(cache=True)
def _mutate_plan(child, plan, n_mutated, flip_one, rng):
    """Write a mutated copy of `plan` into `child`."""
    length = plan.size
    flipped = draw(length, rng) if flip_one else -1
    for i in range(length):
        child[i] = plan[i]
        if i == flipped or rng.random() * length < n_mutated:
            other = draw(N_ACTIONS - 1, rng)
            child[i] = other + 1 if other >= plan[i] else other


@njit(cache=True)
def _next_plan(plans, setting, fresh, state, player, n_model_calls, scratch, rng):
    """Evolve the first of the two `plans` in place for one move; the other has room for a child."""
    plan, child = plans
    ships, buffers, focus, growth = state
    n_mutated, flip_one, shift_buffer, n_resamples, length = setting
    if shift_buffer and not fresh:
        assign(plan[:-1], plan[1:])
        plan[-1] = draw(N_ACTIONS, rng)
    else:
        for i in range(length):
            plan[i] = draw(N_ACTIONS, rng)
    best = _value_of_plan(plan, ships, buffers, focus, growth, player, scratch)
    # The model is deterministic, so a resampled plan is charged for but played once.
    for _ in range(n_model_calls // (length * n_resamples) - 1):
        _mutate_plan(child, plan, n_mutated, flip_one, rng)
        value = _value_of_plan(child, ships, buffers, focus, growth, player, scratch)
        if value >= best:
            best = value
            assign(plan, child)


@njit(cache=True, allocates=True)
def _play(frames, actions, growth, settings, n_model_calls, plans, rng):
    """Play one game into the arrays; returns the number of frames filled."""
    ships, buffers, focus = frames
    for i in range(N_PLANETS):
        growth[i] = 0.05 + 0.1 * rng.random()
        ships[0, i] = 1.0 if i % 2 == 0 else -1.0
    focus[0, 1] = 1  # each player starts at its first planet
    scratch = (np.zeros(N_PLANETS), np.zeros(N_PLANETS))
    for t in range(actions.shape[0]):
        state = (ships[t], buffers[t], focus[t], growth)
        for player in range(2):
            row = settings[player]
            setting = (row[0], row[1] == 1, row[2] == 1, row[3], row[4])
            own = plans[player, : row[4]], plans[2, : row[4]]
            _next_plan(own, setting, t == 0, state, player, n_model_calls, scratch, rng)
            actions[t, player] = own[0][0]
        assign(ships[t + 1], ships[t])
        for player in range(2):
            here, sign = focus[t, player], 1.0 - 2.0 * player
            focus[t + 1, player], ships[t + 1, here], buffers[t + 1, player] = _act(
                actions[t, player], here, ships[t + 1, here], buffers[t, player], sign
            )
        n_first = n_second = 0
        for i in range(N_PLANETS):
            ships[t + 1, i] += _growth(ships[t + 1, i], growth[i])
            n_first += ships[t + 1, i] > 0
            n_second += ships[t + 1, i] < 0
        if n_first == 0 or n_second == 0:
            return t + 2
    return actions.shape[0] + 1
