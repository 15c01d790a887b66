"""Tests that tell a right NRPA from a wrong one, and the wrong programs they are tried on.

Each test asks a candidate one question that can be answered on paper. `verdicts` puts every
candidate to every test: a fault is found by the test made for it, and hardly by the score alone.
"""

from typing import NamedTuple

import numpy as np

from gameai_book.nrpa.printed.program import NO_FAULTS, Faults, FaultyNRPA, faulty_adapt
from gameai_book.nrpa.toy_games import nine_games, points_game
from gameai_lib.nrpa.problem.walk import replay
from gameai_lib.nrpa.search.policy import move_probabilities


class Candidate(NamedTuple):
    """A program that claims to be NRPA."""

    faults: Faults = NO_FAULTS
    codes: str = "ply"  #: of the toys' moves; the source has "path", its compiler "move"
    more_levels: int = 0  #: it calls level L + 1 what the paper calls level L
    short: bool = False  #: the cumulative weights lack the last
    lower: bool = False  #: the first that is greater or equal, not greater

    def search(self, problem, seed, level, n_iterations):
        """A search of what it calls this level."""
        level += self.more_levels
        rng, n = np.random.default_rng(seed), n_iterations
        return FaultyNRPA(problem, rng, level=level, n_iterations=n, faults=self.faults)


CANDIDATES = {
    "right": Candidate(),
    "list too short": Candidate(Faults(drop_last=True), short=True),
    "codes by position": Candidate(codes="path"),
    "codes by place": Candidate(codes="move"),
    "greater or equal": Candidate(lower=True),
    "shared policy": Candidate(Faults(shared_policy=True)),
    "one level off": Candidate(more_levels=1),
    "strict comparison": Candidate(Faults(strict=True)),
    "last normaliser": Candidate(Faults(last_normaliser=True)),
}


def printed_choice(
    weights: np.ndarray, u: float, *, short: bool = False, lower: bool = False
) -> int:
    """Index of the move that a list of cumulative weights picks, as the source's program does.

    The list begins with 0; the index is counted from its second entry, so that it can be -1. It is
    that of the first entry greater than `u` times the last; or equal to it, too, if `lower`. A
    `short` list ends before the last move.
    """
    ends = np.concatenate([[0.0], np.exp(weights).cumsum()])
    if short:
        ends = ends[:-1]
    return int(np.searchsorted(ends, u * ends[-1], side="left" if lower else "right")) - 1


def one_step(candidate):
    """One adapt of three equal moves towards b gives -1/3, 2/3, -1/3."""
    found = faulty_adapt(np.zeros(3), [[0, 1, 2]], [1], faults=candidate.faults)
    return np.allclose(found, [-1 / 3, 2 / 3, -1 / 3])


def every_move(candidate):
    """Three equal moves, sixty playouts: each is played first in some."""
    games = [candidate.search(nine_games(), seed, 1, 1).run() for seed in range(60)]
    return {game.choices[0] for game in games} == {0, 1, 2}


def first_number(candidate):
    """u = 0 picks the first of three moves, and of one."""
    how = {"short": candidate.short, "lower": candidate.lower}
    return [printed_choice(np.zeros(n), 0.0, **how) for n in (3, 1)] == [0, 0]


def careful_step(candidate):
    """After one search below, level 2 has gained 2/3 for the moves of one game, no more."""
    search = candidate.search(nine_games(), 0, 2, 3)
    search.advance(3)
    return np.isclose(search.policy[1].max(), 2 / 3)


def ties(candidate):
    """Where all games score the same, the best game is not always the first one."""
    flat = points_game(np.zeros((1, 3, 3)))
    pairs = [
        [candidate.search(flat, seed, 1, n).run().choices[0] for n in (1, 9)] for seed in range(20)
    ]
    return any(first != last for first, last in pairs)


def n_playouts(candidate):
    """Level 2 with N = 3 plays 9 games."""
    search = candidate.search(nine_games(), 0, 2, 3)
    search.run()
    return search.n_playouts == 9


def _after_one_game(candidate):
    """A game whose two moves differ, and the policy that has adapted to it once."""
    problem = nine_games(candidate.codes)
    for seed in range(100):
        search = candidate.search(problem, seed, 1, 1)
        game = search.run()
        first, second = game.choices
        if first != second:
            return problem, first, second, search.policy[-1]
    raise AssertionError("no game with two different moves")


def sharing(candidate):
    """A second move that was good after one first move is likelier after another one."""
    problem, first, second, policy = _after_one_game(candidate)
    *_, ply, _ = replay(problem, [(first + 1) % 3, second])
    return move_probabilities(policy, ply.legal)[second] > 1 / 3


def different_moves(candidate):
    """A move that was good second is not therefore likelier first."""
    problem, _, second, policy = _after_one_game(candidate)
    root = next(iter(replay(problem, []))).legal
    return move_probabilities(policy, root)[second] < 1 / 3


def mean_lefts(candidate: Candidate) -> float:
    """LeftMove of 12 plies, level 2, N = 10: the lefts of a program, on average of twenty runs."""
    problem = points_game(np.tile([1.0, 0.0], (12, 2, 1)), candidate.codes)
    return float(np.mean([candidate.search(problem, s, 2, 10).run().score for s in range(20)]))


def leftmove_score(candidate):
    """LeftMove: 11 lefts or more of 12."""
    return mean_lefts(candidate) >= 11


TESTS = {
    "each of three moves is played": every_move,
    "a second move is known after another first": sharing,
    "first and second moves are told apart": different_moves,
    "u = 0 picks the first move": first_number,
    "level 2 makes one step": careful_step,
    "level 2 plays N² games": n_playouts,
    "a tie replaces the best": ties,
    "one step is −1/3, 2/3, −1/3": one_step,
    "LeftMove": leftmove_score,
}


def verdicts() -> dict[str, dict[str, bool]]:
    """For every test and candidate whether it passes."""
    return {
        name: {whose: bool(test(c)) for whose, c in CANDIDATES.items()}
        for name, test in TESTS.items()
    }
