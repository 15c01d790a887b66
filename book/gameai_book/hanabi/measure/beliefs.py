"""All beliefs in one table, two to five players: how near, how calibrated, what for, how fast.

``python -m gameai_book.hanabi.measure.beliefs positions|points|cells|times [--players 2 3 4 5]
[--write]``

- positions: distance to the exact belief, calibration, and microseconds a state, over all
  positions of games between Convention agents whose moves L is found from. V0, V1, BP are
  compared with exact, what uses L with exact with L (12 minutes, most of them for L of five);
- points: the Listener with each belief and its partners, over the same deals (3 minutes);
- cells: how often a belief gives nothing to a card that a deal allows, or something to one that
  none allows, late in the game; V1 and BP, games of Convention and of Outer agents (a minute);
- times: `exact_belief` in games of all agents, in a batch and state by state (half a minute).

No choice was made on these games. Standard errors are over games; a gain is that on V0 over the
same deals. Times are CPU time of one core. ``--write`` stores the part with the package.
"""

import argparse
import json
import time
from collections import deque
from functools import partial

import numpy as np

from gameai_book.hanabi.results.scores import BELIEF_TABLE
from gameai_lib.base.files import write_whole
from gameai_lib.hanabi.belief.accuracy import belief_errors, game_likelihoods, public_states
from gameai_lib.hanabi.belief.bad import bad_belief, v2_belief
from gameai_lib.hanabi.belief.bethe import bp_belief
from gameai_lib.hanabi.belief.exact import exact_belief
from gameai_lib.hanabi.belief.v0 import v0_belief
from gameai_lib.hanabi.belief.v1 import v1_belief
from gameai_lib.hanabi.game.play import play_game
from gameai_lib.hanabi.players.agents import RULES, RuleAgent
from gameai_lib.hanabi.players.convention import convention_would_act
from gameai_lib.hanabi.players.listener import listening_game

SEED = 2027
COUNTING = {"V0": v0_belief, "V1": v1_belief, "BP": bp_belief, "exact": exact_belief}
LISTENING = {
    "BB": bad_belief,
    "V2": v2_belief,
    "BP with L": bp_belief,
    "exact with L": exact_belief,
}
POSITION_GAMES = {2: 40, 3: 40, 4: 40, 5: 10}
POINT_GAMES = 100
CELL_GAMES = 200
TIME_GAMES = 40
LATE = 12  # cards in the deck at most
N_BINS = 20
N_FIRST = 2  # games whose numbers are stored, for a test to find again
N_ROUNDS = 3


def games(agent, n_players, n_games):
    """Games between copies of an agent, each from its own seed."""
    seats = [RuleAgent(agent)] * n_players
    return [list(play_game(seats, np.random.default_rng([SEED, i]))) for i in range(n_games)]


def measured_positions(n_players, n_games):
    """`PublicStates`, the likelihood of each, and by belief its rows and microseconds a state."""
    played = games("Convention", n_players, n_games)
    states = public_states(played)
    rows = [
        game_likelihoods([game], convention_would_act, np.random.default_rng([SEED, i, 1]))
        for i, game in enumerate(played)
    ]
    public = states.candidates, states.hint_mask
    known = dict.fromkeys(COUNTING, public)
    known |= dict.fromkeys(LISTENING, (*public, np.concatenate(rows)))
    found, micros = {}, {}
    for _ in range(N_ROUNDS):
        for name, belief in (COUNTING | LISTENING).items():
            if micros.get(name, 0) * len(states.game) > 2e6:
                continue  # seconds are known well enough
            belief(*(part[:1] for part in known[name]))  # compiled
            start = time.process_time()
            found[name] = belief(*known[name])
            taken = (time.process_time() - start) / len(states.game) * 1e6
            micros[name] = min(micros.get(name, np.inf), taken)
    return states, found, micros


def per_game(values, game):
    """Mean of the values of each game's states."""
    return np.bincount(game, weights=values) / np.bincount(game)


def mean_and_error(values):
    """Of one value a game, rounded."""
    error = values.std(ddof=1) / len(values) ** 0.5
    return [round(float(values.mean()), 5), round(float(error), 5)]


def calibration(belief, states, game_weights=None):
    """Expected calibration error: over bins of probability, chances promised less cards held.

    Summed over the cards and averaged over slots, so that 2 is the most; absent slots are out.
    """
    held = np.arange(belief.shape[2]) == states.truth[..., None]
    present = states.truth != belief.shape[2] - 1
    bins = np.minimum((belief * N_BINS).astype(int), N_BINS - 1)
    n_games = states.game.max() + 1
    index = (states.game[:, None, None] * N_BINS + bins)[present]
    gaps = np.bincount(index.ravel(), (belief - held)[present].ravel(), n_games * N_BINS)
    gaps = gaps.reshape(n_games, N_BINS)
    slots = np.bincount(states.game, present.sum(axis=1))
    weights = np.ones((1, n_games)) if game_weights is None else game_weights
    return np.abs(weights @ gaps).sum(axis=1) / (weights @ slots)


def positions(n_players, n_games=None):
    """Yield a cell for each belief."""
    n_games = n_games or POSITION_GAMES[n_players]
    states, found, micros = measured_positions(n_players, n_games)
    resampled = np.random.default_rng(SEED).multinomial(n_games, [1 / n_games] * n_games, 200)
    for name, belief in found.items():
        reference = "exact with L" if name in LISTENING else "exact"
        errors, best = (
            belief_errors(b, found[reference], states.truth) for b in (belief, found[reference])
        )
        distance, nll, lost = (
            per_game(values, states.game)
            for values in (errors.tv_mean, errors.nll, errors.nll - best.nll)
        )
        yield {
            "players": n_players,
            "belief": name,
            "n_games": n_games,
            "n_states": len(states.game),
            "distance": mean_and_error(distance),
            "nll": mean_and_error(nll),
            "nll_lost": mean_and_error(lost),
            "calibration": [
                round(float(calibration(belief, states)[0]), 5),
                round(float(calibration(belief, states, resampled).std(ddof=1)), 5),
            ],
            "micros": round(micros[name], 1),
            "first": [round(float(x), 7) for x in distance[:N_FIRST]],
        }


def deaf(belief, candidates, hint_mask, likelihood):
    """A belief that counts, asked as one that listens."""
    return belief(candidates, hint_mask)


def final_scores(name, n_players, n_games):
    """Scores of games 0, 1, ... of the Listener with the belief of this name."""
    if name in COUNTING:
        playing = partial(listening_game, partial(deaf, COUNTING[name]), max_hands=0, n_samples=0)
    else:
        playing = partial(listening_game, LISTENING[name])
    ends = (
        deque(playing(np.random.default_rng([SEED, i]), n_players=n_players), maxlen=1).pop()
        for i in range(n_games)
    )
    return np.array([end.next_state.score for end in ends])


def points(n_players, n_games=POINT_GAMES):
    """Yield a cell for each belief."""
    plain = None
    for name in COUNTING | LISTENING:
        scores = final_scores(name, n_players, n_games)
        plain = scores if plain is None else plain
        yield {
            "players": n_players,
            "belief": name,
            "n_games": n_games,
            "points": mean_and_error(scores),
            "gain": mean_and_error(scores - plain),
            "first": scores[:N_FIRST].tolist(),
        }


def cells(n_players, n_games=CELL_GAMES):
    """Yield a cell for each belief and kind of game."""
    for agent in ("Convention", "Outer"):
        states = public_states(games(agent, n_players, n_games))
        late = states.n_deck <= LATE
        public = states.candidates[late], states.hint_mask[late]
        exact, micros = exact_belief(*public), {}
        for _ in range(N_ROUNDS):
            for name in ("V1", "BP"):
                start = time.process_time()
                COUNTING[name](*public)
                taken = (time.process_time() - start) / late.sum() * 1e6
                micros[name] = min(micros.get(name, np.inf), taken)
        for name in ("V1", "BP"):
            belief = COUNTING[name](*public)
            errors = belief_errors(belief, exact, states.truth[late])
            possible = exact > 0
            yield {
                "players": n_players,
                "agent": agent,
                "belief": name,
                "n_states": int(late.sum()),
                "distance": mean_and_error(per_game(errors.tv_mean, states.game[late])),
                "worst_slot": mean_and_error(per_game(errors.tv_worst, states.game[late])),
                "possible_at_0": int((possible & (belief < 1e-12)).any(axis=(1, 2)).sum()),
                "least_share": float(f"{(belief[possible] / exact[possible]).min():.3g}"),
                "impossible_at_most": float(f"{belief[~possible].max():.3g}"),
                "impossible": int((~possible & (belief > 1e-6)).any(axis=(1, 2)).sum()),
                "micros": round(micros[name], 1),
            }


def times(n_players, n_games=TIME_GAMES):
    """Yield how long the exact belief takes: all agents together."""
    alone, batch, slowest = [], 0.0, None
    for agent in RULES:
        if agent == "Listener":
            continue
        states = public_states(games(agent, n_players, n_games))
        exact_belief(states.candidates[:1], states.hint_mask[:1])  # compiled
        start = time.process_time()
        exact_belief(states.candidates, states.hint_mask)
        batch += time.process_time() - start
        for state in zip(states.candidates, states.hint_mask, strict=True):
            start = time.process_time()
            exact_belief(*state)
            alone.append(time.process_time() - start)
            if alone[-1] == max(alone):
                slowest = state
    again = []  # the slowest of all, as the machine's own hiccups are in `alone`
    for _ in range(9):
        start = time.process_time()
        exact_belief(*slowest)
        again.append(time.process_time() - start)
    millis = np.array(alone) * 1e3
    yield {
        "players": n_players,
        "n_states": len(alone),
        "batch_mean": round(batch / len(alone) * 1e3, 4),
        "mean": round(float(millis.mean()), 4),
        "99": round(float(np.quantile(millis, 0.99)), 3),
        "worst": round(float(millis.max()), 3),
        "worst_again": round(float(np.median(again) * 1e3), 3),
    }


PARTS = {"positions": positions, "points": points, "cells": cells, "times": times}


def write(part, measured):
    """Put the part into the stored table, whole or not at all."""
    path = BELIEF_TABLE
    stored = json.loads(path.read_text("utf-8")) if path.exists() else {"seed": SEED}
    parts = [
        f'"{name}": ' + ("[\n" + ",\n".join(map(json.dumps, of)) + "\n]" if of != SEED else str(of))
        for name, of in (stored | {part: measured}).items()
    ]
    write_whole(path, "{\n" + ",\n".join(parts) + "\n}\n")


def main():
    """Read the command line and run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4, 5])
    parser.add_argument("--write", action="store_true", help="store the part with the package")
    arguments = parser.parse_args()
    measured = []
    for n_players in arguments.players:
        for cell in PARTS[arguments.part](n_players):
            print(json.dumps(cell), flush=True)
            measured.append(cell)
    if arguments.write:
        write(arguments.part, measured)


if __name__ == "__main__":
    main()
