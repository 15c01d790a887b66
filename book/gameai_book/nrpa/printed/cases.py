"""Each error of the source on a case that fits on paper, printed and right."""

import numpy as np

from gameai_book.nrpa.printed.oracles import printed_choice
from gameai_book.nrpa.printed.program import NO_FAULTS, Faults, FaultyNRPA, faulty_adapt
from gameai_book.nrpa.toy_games import MOVES, nine_games
from gameai_lib.nrpa.problem.walk import playout_of, replay
from gameai_lib.nrpa.search.policy import adapt, move_probabilities
from gameai_lib.nrpa.search.steps import nrpa_steps

FAULT_CASES = {  # in the order of the source's text
    "list too short": "three equal moves: how often each is played",
    "codes by position": "one step to a b: second moves after c",
    "codes by place": "one step to a b: first moves",
    "no guard": "one step, α = 100, towards twenty times a",
    "greater or equal": "three equal moves: played where u = 0",
    "shared policy": "level 2's first move, after one search below",
    "one level off": "playouts of a search with N = 3",
    "strict comparison": "first a, then c scores 5: after both",
    "last normaliser": "b played: after two steps",
}


def worked_fault(fault: str, version: str) -> dict[str, float]:
    """The worked case of a fault, printed or right: a value, most often a probability, by name.

    A probability is nan where the printed program divides infinity by infinity.
    """
    printed = version == "printed"
    if fault == "one level off":
        return {f"level {n}": _n_playouts(n + printed) for n in (1, 2)}
    if fault == "greater or equal":
        picked = printed_choice(np.zeros(3), 0.0, lower=printed)
        return {name: float(picked == k) for k, name in enumerate(("no move", *MOVES), -1)}
    return dict(zip(MOVES, _worked_probabilities(fault, printed), strict=True))


def _n_playouts(level):
    steps = nrpa_steps(nine_games(), np.random.default_rng(0), level=level)
    return sum(step.kind == "playout" for step in steps)


def _worked_probabilities(fault, printed):
    if fault == "shared policy":
        rng, faults = np.random.default_rng(0), Faults(shared_policy=printed)
        search = FaultyNRPA(nine_games(), rng, level=2, n_iterations=3, faults=faults)
        search.advance(3)
        return move_probabilities(search.policy[1], [0, 1, 2])
    if fault == "no guard":
        if not printed:
            return move_probabilities(adapt(np.zeros(3), [[0, 1, 2]] * 20, [0] * 20, alpha=100.0))
        with np.errstate(over="ignore", invalid="ignore"):
            exps = np.exp(100.0 * 20 * (np.array([1, 0, 0]) - 1 / 3))
            return exps / exps.sum()
    if fault == "last normaliser":
        weights, faults = np.zeros(3), Faults(last_normaliser=True) if printed else NO_FAULTS
        for _ in range(2):
            weights = faulty_adapt(weights, [[0, 1, 2]], [1], faults=faults)
        return move_probabilities(weights)
    if fault == "list too short":
        u = (np.arange(600) + 0.5) / 600
        picks = [printed_choice(np.zeros(3), x, short=printed) for x in u]
        return np.bincount(picks, minlength=3) / u.size
    if fault == "strict comparison":
        weights = adapt(np.zeros(3), [[0, 1, 2]], [0])
        return move_probabilities(adapt(weights, [[0, 1, 2]], [0 if printed else 2]))
    codes = "ply" if not printed else "path" if fault == "codes by position" else "move"
    problem = nine_games(codes)
    game = playout_of(problem, [0, 1])
    legal = [ply.legal for ply in replay(problem, game.choices) if ply.choice >= 0]
    policy = adapt(np.zeros(problem.n_codes), legal, game.choices)
    plies = list(replay(problem, [2, 1]))
    return move_probabilities(policy, plies[1 if fault == "codes by position" else 0].legal)
