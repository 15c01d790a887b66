"""The searches told step by step do what the compiled ones do, with the same random numbers."""

import numpy as np
import pytest

from gameai_book.nrpa.printed.program import Faults, FaultyNRPA, faulty_adapt
from gameai_book.nrpa.toy_games import nine_games
from gameai_lib.nrpa import NMCS, NRPA, flat_monte_carlo, leftmove, replay
from gameai_lib.nrpa.search.steps import nmcs_steps, nrpa_steps


@pytest.mark.parametrize(("level", "n"), [(1, 7), (2, 3), (3, 3)])
def test_steps_of_nrpa_end_where_the_search_does(level, n):
    given = {"level": level, "n_iterations": n}
    for problem, seed in ((nine_games(), 0), (nine_games(), 4), (leftmove(5), 1)):
        steps = list(nrpa_steps(problem, np.random.default_rng(seed), **given))
        search = NRPA(problem, np.random.default_rng(seed), **given)
        game = search.run()
        assert steps[-1].bests[-1].choices.tolist() == game.choices.tolist()
        np.testing.assert_allclose(steps[-1].policies, search.policy, atol=1e-12)
        kinds = [step.kind for step in steps]
        assert kinds.count("playout") == search.n_playouts
        assert kinds.count("adapt") == search.n_adapts
        assert kinds.count("copy") == search.n_copies - 1  # the top's own is not shown


def plain_search(problem, rng, faults, level, n):
    """The best game of the source's NRPA, and its policies, in the words of the paper."""
    policies = np.zeros((level, problem.n_codes))

    def search(at):
        best = None
        for _ in range(n):
            if at == 1:
                game, _ = flat_monte_carlo(problem, rng, 1, policies[0])
            else:
                policies[at - 2] = policies[at - 1]
                game = search(at - 1)
            if best is None or (game.score, not faults.strict) > (best.score, False):
                best = game
            legal = [ply.legal for ply in replay(problem, best.choices)][:-1]
            learner = slice(None) if faults.shared_policy else at - 1
            policies[learner] = faulty_adapt(policies[at - 1], legal, best.choices, faults=faults)
        return best

    return search(level), policies


@pytest.mark.parametrize("fault", ["none", "shared_policy", "strict", "last_normaliser"])
@pytest.mark.parametrize(("level", "n"), [(1, 7), (2, 3), (3, 3)])
def test_the_source_s_program_does_what_its_faults_say(fault, level, n):
    faults = Faults() if fault == "none" else Faults(**{fault: True})
    for problem, seed in ((nine_games(), 0), (nine_games(), 4), (leftmove(5), 1)):
        best, policies = plain_search(problem, np.random.default_rng(seed), faults, level, n)
        rng = np.random.default_rng(seed)
        search = FaultyNRPA(problem, rng, level=level, n_iterations=n, faults=faults)
        assert search.run().choices.tolist() == best.choices.tolist()
        np.testing.assert_allclose(policies, search.policy, atol=1e-12)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_steps_of_nmcs_end_where_the_search_does(level):
    for problem, seed in ((nine_games(), 0), (nine_games(), 2), (leftmove(4), 3)):
        steps = list(nmcs_steps(problem, np.random.default_rng(seed), level=level))
        search = NMCS(problem, np.random.default_rng(seed), level=level)
        game = search.run()
        assert steps[-1].best.choices.tolist() == game.choices.tolist()
        assert list(steps[-1].played) == game.choices.tolist()
        ends = [s for s in steps if s.kind == "try"]  # a finished game needs no search below
        ends = [s for s in ends if s.level == 1 or len(s.played) + 1 == len(s.game.choices)]
        assert len(ends) == search.n_playouts
