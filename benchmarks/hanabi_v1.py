"""Where V1 comes to rest, and how near the exact belief: games of two to five players.

``python -m benchmarks.hanabi_v1 [--games 30]`` prints, for the positions of games between
Convention agents, the share that came to rest, the iterations, and the distance to the exact
belief (total variation, mean over slots and in the worst slot) with a fixed and with an
adapted damping, for all positions and for the late ones. At rest no cell changes by more than
5e-6 in a whole, undamped step, in each line but the last, which is the library's default.
"""

import argparse
import time

import numpy as np

from gameai_book.hanabi.accuracy import belief_errors, public_states
from gameai_lib.hanabi.belief.exact import exact_belief
from gameai_lib.hanabi.belief.v1 import CONVERGED, V1Settings, v1_result
from gameai_lib.hanabi.game.play import play_game
from gameai_lib.hanabi.players.agents import RuleAgent

LATE = 12  # cards in the deck at most
SEED = 1


def settings():
    """What is compared: names and `V1Settings`."""
    at_rest = {"tolerance": 5e-6}
    return {
        "w 0.2, 50": V1Settings(damping=0.2, n_iterations=50, **at_rest),
        "w 0.2, 3000": V1Settings(damping=0.2, n_iterations=3000, **at_rest),
        "w 0.1, 3000": V1Settings(damping=0.1, n_iterations=3000, **at_rest),
        "adapted": V1Settings(**at_rest),
        "default": CONVERGED,
    }


def positions(n_players, n_games):
    """`PublicStates` of games between copies of the Convention agent."""
    agents = [RuleAgent("Convention")] * n_players
    games = [list(play_game(agents, np.random.default_rng([SEED, i]))) for i in range(n_games)]
    return public_states(games)


def show(name, result, errors, chosen, micros):
    """Print a line of the table."""
    n_done = result.n_iterations[chosen]
    print(
        f"  {name:12} {result.converged[chosen].mean():8.2%} {np.median(n_done):7.0f} "
        f"{n_done.max():7} {errors.tv_mean[chosen].mean():9.5f} "
        f"{errors.tv_worst[chosen].mean():9.5f} {errors.n_zero[chosen].sum():6} {micros:7.0f}"
    )


def main():
    """Measure and print everything."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=30, help="games for each number of players")
    n_games = parser.parse_args().games
    v1_result([1, 1], [[True, True]])  # compiled
    for n_players in (2, 3, 4, 5):
        states = positions(n_players, n_games)
        exact = exact_belief(states.candidates, states.hint_mask)
        late = states.n_deck <= LATE
        results = {}
        for name, how in settings().items():
            start = time.process_time()
            result = v1_result(states.candidates, states.hint_mask, settings=how)
            micros = (time.process_time() - start) / len(late) * 1e6
            results[name] = result, belief_errors(result.belief, exact, states.truth), micros
        for label, chosen in (("all", late | ~late), (f"deck up to {LATE}", late)):
            print(
                f"{n_players} players, {chosen.sum()} positions, {label}\n"
                f"  {'':12} {'at rest':>8} {'median':>7} {'most':>7} {'distance':>9} "
                f"{'worst':>9} {'ruled':>6} {'µs':>7}"
            )
            for name, (result, errors, micros) in results.items():
                show(name, result, errors, chosen, micros)


if __name__ == "__main__":
    main()
