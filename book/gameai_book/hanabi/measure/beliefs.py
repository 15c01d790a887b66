"""All beliefs in one table: how near to the truth, and how fast.

- positions: distance to the exact belief, surprise about the true cards, and microseconds a
  state, over all positions of games between two and five Convention agents, whose moves L is found
  from. V0, V1, BP are compared with exact, what uses L with exact with L (2 minutes);
- cells: how often a belief gives nothing to a card that a deal allows, or something to one that
  none allows, late in the game; V1 and BP, games of Convention and of Outer agents (a minute).

No choice was made on these games. Standard errors are over games. Times are CPU time of one core.
"""

import time
from functools import cache, partial
from itertools import product

import numpy as np

from gameai_book.hanabi.accuracy import belief_errors, game_likelihoods, public_states
from gameai_book.hanabi.measure import mean_and_error, run
from gameai_book.hanabi.measure.games import copies
from gameai_book.hanabi.results.scores import BELIEF_TABLE
from gameai_lib.hanabi.belief.bad import bad_belief, v2_belief
from gameai_lib.hanabi.belief.bethe import bp_belief
from gameai_lib.hanabi.belief.exact import exact_belief
from gameai_lib.hanabi.belief.v0 import v0_belief
from gameai_lib.hanabi.belief.v1 import v1_belief
from gameai_lib.hanabi.players.policy import convention_would_act

SEED = 2027
PLAYERS = (2, 3, 4, 5)
COUNTING = {"V0": v0_belief, "V1": v1_belief, "BP": bp_belief, "exact": exact_belief}
LISTENING = {"BB": bad_belief, "V2": v2_belief}
LISTENING |= {"BP with L": bp_belief, "exact with L": exact_belief}
POSITION_GAMES = {2: 40, 5: 10}
LATE = 12  # cards in the deck at most
N_FIRST = 2  # games whose numbers are stored, for a test to find again
N_ROUNDS = 3


@cache
def games_of(agent, n_players, n_games):
    """Games between copies of an agent, each from its own seed, and their `PublicStates`."""
    play = copies(agent, v0_belief, n_players)
    played = [list(play(np.random.default_rng([SEED, i]))) for i in range(n_games)]
    return played, public_states(played)


@cache
def convention_likelihoods(n_players, n_games):
    """L of each state of the Convention's games."""
    rows = []
    for i, game in enumerate(games_of("Convention", n_players, n_games)[0]):
        rng = np.random.default_rng([SEED, i, 1])
        rows += list(game_likelihoods([game], convention_would_act, rng))
    return np.array(rows)


@cache
def position_beliefs(n_players, n_games, name):
    """The belief of this name in each state of the Convention's games, and microseconds each."""
    known = games_of("Convention", n_players, n_games)[1][:2]
    if name in LISTENING:
        known = *known, convention_likelihoods(n_players, n_games)
    return _time_belief((COUNTING | LISTENING)[name], known)


def _time_belief(belief, known):
    """A belief, and the microseconds that it took a state, in the fastest round."""
    belief(*(part[:1] for part in known))  # compiled
    micros = []
    # Seconds are known well enough after one round.
    while len(micros) < N_ROUNDS and sum(micros) * len(known[0]) < 2e6:
        start = time.process_time()
        found = belief(*known)
        micros.append((time.process_time() - start) / len(known[0]) * 1e6)
    return found, round(min(micros), 1)


def measure_positions(n_players, name, n_games):
    """What is stored of a belief in all positions."""
    _, states = games_of("Convention", n_players, n_games)
    belief, micros = position_beliefs(n_players, n_games, name)
    reference = "exact with L" if name in LISTENING else "exact"
    exact, _ = position_beliefs(n_players, n_games, reference)
    errors, best = (belief_errors(b, exact, states.truth) for b in (belief, exact))
    distance = per_game(errors.tv_mean, states.game)
    return {
        "n_games": n_games,
        "n_states": len(states.game),
        "distance": mean_and_error(distance),
        "nll": mean_and_error(per_game(errors.nll, states.game)),
        "nll_lost": mean_and_error(per_game(errors.nll - best.nll, states.game)),
        "micros": micros,
        "first": distance[:N_FIRST].round(7).tolist(),
    }


def per_game(values, game):
    """Mean of the values of each game's states."""
    return np.bincount(game, weights=values) / np.bincount(game)


def measure_cells(n_players, agent, name, n_games):
    """What is stored of a belief in late positions."""
    _, states = games_of(agent, n_players, n_games)
    late = states.n_deck <= LATE
    public = states.candidates[late], states.hint_mask[late]
    exact, (belief, micros) = exact_belief(*public), _time_belief(COUNTING[name], public)
    errors, possible = belief_errors(belief, exact, states.truth[late]), exact > 0
    return {
        "n_states": int(late.sum()),
        "distance": mean_and_error(per_game(errors.tv_mean, states.game[late])),
        "possible_at_0": int((possible & (belief < 1e-12)).any(axis=(1, 2)).sum()),
        "least_share": float(f"{(belief[possible] / exact[possible]).min():.3g}"),
        "impossible_at_most": float(f"{belief[~possible].max():.3g}"),
        "micros": micros,
    }


def positions(n_games=POSITION_GAMES):
    """Yield the names of each row and the function that measures it."""
    for n, name in product(n_games, COUNTING | LISTENING):
        yield {"players": n, "belief": name}, partial(measure_positions, n, name, n_games[n])


def cells(n_games=200):
    """Yield the same of late positions."""
    for n, agent, name in product(PLAYERS, ("Convention", "Outer"), ("V1", "BP")):
        row = {"players": n, "agent": agent, "belief": name}
        yield row, partial(measure_cells, n, agent, name, n_games)


PARTS = {"positions": positions, "cells": cells}

if __name__ == "__main__":
    run(PARTS, BELIEF_TABLE)
