"""Players who listen, tables of three to five, players who forget: mean scores, stored.

``python -m gameai_book.hanabi.measure.players listeners|tables|memory [--games 1000] [--write]``

- listeners: a `listening_game` with each belief, and so what L is worth to a player who knows
  no convention (the stored ones are of 2,000 games, 20 minutes);
- tables: the agents of ``gameai_book.hanabi.measure.agents`` with V0 and exact beliefs, among
three, four
  and five copies of themselves (of 2,000 games, 10 minutes);
- memory: agents with V0 who remember a hint for so many moves (of 2,000 games, 10 minutes).

Game i is dealt by ``numpy.random.default_rng([1, i])``, as there; a gain is over the same deals.
``--write`` stores the part with the package.
"""

import argparse
import json
import time
from collections import deque
from functools import partial

import numpy as np

from gameai_book.hanabi.results.scores import PLAYER_SCORES
from gameai_lib.base.files import write_whole
from gameai_lib.hanabi.belief.bad import bad_belief, v2_belief
from gameai_lib.hanabi.belief.exact import exact_belief
from gameai_lib.hanabi.belief.v0 import v0_belief
from gameai_lib.hanabi.belief.v1 import V1Settings, v1_belief
from gameai_lib.hanabi.game.memory import forgetful_game
from gameai_lib.hanabi.game.play import play_game
from gameai_lib.hanabi.players.agents import RuleAgent
from gameai_lib.hanabi.players.listener import listening_game

SEED = 1
N_FIRST_SCORES = 20
COUNTING = {"V0": v0_belief, "V1": v1_belief, "exact": exact_belief}
LONG = V1Settings(damping=0.2, n_iterations=1000, tolerance=0)
LISTENING = {
    "BB, first row": v0_belief,  # with L: C HM L, no iteration
    "BB": bad_belief,
    "BB, 1000 steps": partial(bad_belief, settings=LONG),
    "V2, α 0.01": v2_belief,
    "V2, α 0.1": partial(v2_belief, alpha=0.1),
    "exact with L": exact_belief,
}
AGENTS = ("IGGI", "Piers", "Van den Bergh", "Outer", "Convention")
FORGETFUL = ("IGGI", "Van den Bergh", "Outer", "Convention")
SPANS = (None, 20, 10, 5, 1)  # moves; None is for ever


def without_likelihood(belief, candidates, hint_mask, likelihood):
    """A belief that counts, asked as one that listens."""
    return belief(candidates, hint_mask)


def listeners():
    """Yield the names of each listener's cell, and how to play its game."""
    deaf = {"max_hands": 0, "n_samples": 0}
    for name, belief in COUNTING.items():
        playing = partial(listening_game, partial(without_likelihood, belief), **deaf)
        yield {"agent": "Listener", "belief": name}, playing
    for name, belief in LISTENING.items():
        yield {"agent": "Listener", "belief": name}, partial(listening_game, belief)


def tables():
    """Yield the same of agents among two to five copies of themselves."""
    for n_players in (3, 4, 5):
        for agent in AGENTS:
            for name in ("V0", "exact"):
                seats = [RuleAgent(agent, COUNTING[name])] * n_players
                names = {"agent": agent, "belief": name, "n_players": n_players}
                yield names, partial(play_game, seats)


def memory():
    """Yield the same of agents who forget, those who forget nothing first."""
    for agent in FORGETFUL:
        for span in SPANS:
            names = {"agent": agent, "belief": "V0", "span": span}
            yield names, partial(_remembering, RuleAgent(agent), span)


def _remembering(agent, span, rng):
    return play_game([agent] * 2, rng) if span is None else forgetful_game(agent, 2, span, rng)


PARTS = {"listeners": listeners, "tables": tables, "memory": memory}


def final_scores(playing, n_games):
    """Scores of games 0, 1, ... and how many of them lost all lives."""
    ends = []
    for i in range(n_games):
        (last,) = deque(playing(np.random.default_rng([SEED, i])), maxlen=1)
        ends.append(last.next_state)
    return np.array([end.score for end in ends]), sum(end.n_lives == 0 for end in ends)


def measure(part, n_games):
    """Play, print a line for each cell, and return the cells as dictionaries."""
    measured, base = [], None
    for names, playing in PARTS[part]():
        start = time.process_time()
        scores, n_lost = final_scores(playing, n_games)
        seconds = time.process_time() - start
        is_first = names["belief"] == "V0" and names.get("span") is None
        base = scores if is_first else base
        gain = scores - base
        cell = names | {
            "n_games": n_games,
            "mean": round(float(scores.mean()), 4),
            "standard_error": round(float(scores.std(ddof=1) / n_games**0.5), 4),
            "gain": round(float(gain.mean()), 4),
            "gain_standard_error": round(float(gain.std(ddof=1) / n_games**0.5), 4),
            "n_lost": n_lost,
            "first_scores": scores[:N_FIRST_SCORES].tolist(),
        }
        print(
            f"{', '.join(map(str, names.values())):28} {cell['mean']:6.2f} ± "
            f"{cell['standard_error']:.2f}  gain {cell['gain']:+.3f} ± "
            f"{cell['gain_standard_error']:.3f}  lost {n_lost:3}  {n_games / seconds:5.0f} games/s",
            flush=True,
        )
        measured.append(cell)
    return measured


def write(part, measured):
    """Put the part into the stored tables, whole or not at all."""
    path = PLAYER_SCORES
    stored = json.loads(path.read_text("utf-8")) if path.exists() else {"seed": SEED}
    write_whole(path, json.dumps(stored | {part: measured}, indent=0) + "\n")


def main():
    """Read the command line and run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--games", type=int, default=1000, help="games a cell")
    parser.add_argument("--write", action="store_true", help="store the scores with the package")
    arguments = parser.parse_args()
    measured = measure(arguments.part, arguments.games)
    if arguments.write:
        write(arguments.part, measured)


if __name__ == "__main__":
    main()
