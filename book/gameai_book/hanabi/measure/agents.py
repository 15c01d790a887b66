"""What a better belief is worth: self-play scores of each agent with V0, V1 and exact beliefs.

``python -m gameai_book.hanabi.measure.agents [--agent IGGI] [--games 1000] [--write]`` prints mean
score, standard error, gain on V0 over the same decks, and games per second of CPU time; ``--write``
stores the table with the package. With ``--agent`` all but this agent's rows stay as they are.
"""

import argparse
import json
import time

import numpy as np

from gameai_book.hanabi.results.scores import AGENT_SCORES
from gameai_lib.base.files import write_whole
from gameai_lib.hanabi.belief.exact import exact_belief
from gameai_lib.hanabi.belief.v0 import v0_belief
from gameai_lib.hanabi.belief.v1 import v1_belief
from gameai_lib.hanabi.game.play import self_play
from gameai_lib.hanabi.players.agents import RULES, RuleAgent

SEED = 1
N_PLAYERS = 2
N_FIRST_SCORES = 40
BELIEFS = {"V0": v0_belief, "V1": v1_belief, "exact": exact_belief}
# The Listener plays with a partner: ``gameai_book.hanabi.measure.players``.
AGENTS = tuple(name for name in RULES if name != "Listener")


def cells(agents=AGENTS):
    """Yield agent name, belief name and agent for every cell of the table."""
    for name in agents:
        if name == "random":
            yield name, "none", RuleAgent(name)
        else:
            for belief_name, belief in BELIEFS.items():
                yield name, belief_name, RuleAgent(name, belief)


def measure(n_games, agents=AGENTS):
    """Play, print a line for each cell, and return the cells as dictionaries."""
    print(
        f"{'agent':14} {'belief':6} {'score':>7} ± {'s.e.':5} {'points':>7} "
        f"{'gain on V0':>10} ± {'s.e.':5} {'games/s':>8}"
    )
    measured = []
    for name, belief_name, agent in cells(agents):
        start = time.process_time()
        rngs = (np.random.default_rng([SEED, i]) for i in range(n_games))
        result = self_play(agent, N_PLAYERS, rngs)
        seconds = time.process_time() - start
        if belief_name in ("V0", "none"):
            plain_scores = result.scores
        gain = result.scores - plain_scores  # game by game: the same deck with another belief
        gain_error = gain.std(ddof=1) / np.sqrt(n_games)
        print(
            f"{name:14} {belief_name:6} {result.mean:7.3f} ± {result.standard_error:5.3f} "
            f"{result.points.mean():7.3f} {gain.mean():10.3f} ± {gain_error:5.3f} "
            f"{n_games / seconds:8.0f}",
            flush=True,
        )
        measured.append(
            {
                "agent": name,
                "belief": belief_name,
                "n_games": n_games,
                "mean": round(result.mean, 4),
                "standard_error": round(result.standard_error, 4),
                "mean_points": round(float(result.points.mean()), 4),
                "gain": round(float(gain.mean()), 4),
                "gain_standard_error": round(float(gain_error), 4),
                "first_scores": result.scores[:N_FIRST_SCORES].tolist(),
            }
        )
    return measured


def write(measured):
    """Store these rows in the place of the table's own, whole or not at all."""
    stored = json.loads(AGENT_SCORES.read_text("utf-8"))["cells"]
    cells = {(cell["agent"], cell["belief"]): cell for cell in [*stored, *measured]}
    table = {"seed": SEED, "n_players": N_PLAYERS, "cells": list(cells.values())}
    write_whole(AGENT_SCORES, json.dumps(table, indent=1) + "\n")


def main():
    """Read the command line and run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--agent", choices=AGENTS, help="measure this agent alone")
    parser.add_argument("--games", type=int, default=1000, help="games per cell")
    parser.add_argument("--write", action="store_true", help="store the scores with the package")
    arguments = parser.parse_args()
    measured = measure(arguments.games, [arguments.agent] if arguments.agent else AGENTS)
    if arguments.write:
        write(measured)


if __name__ == "__main__":
    main()
