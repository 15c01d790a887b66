"""The searches told step by step do what the compiled ones do, with the same random numbers."""

from itertools import pairwise

import numpy as np
import pytest

from gameai_book.nrpa.printed.program import NO_FAULTS, Faults, FaultyNRPA, faulty_steps
from gameai_lib.nrpa.game.leftmove import leftmove
from gameai_lib.nrpa.game.toys import nine_games
from gameai_lib.nrpa.search.nmcs import NMCS
from gameai_lib.nrpa.search.nrpa import NRPA
from gameai_lib.nrpa.search.steps import nmcs_steps, nrpa_steps

FAULTS = (NO_FAULTS, Faults(shared_policy=True), Faults(strict=True), Faults(last_normaliser=True))


@pytest.mark.parametrize("faults", [None, *FAULTS])
@pytest.mark.parametrize(("level", "n"), [(1, 7), (2, 3), (3, 3)])
def test_steps_of_nrpa_end_where_the_search_does(level, n, faults):
    told, make, given = nrpa_steps, NRPA, {"level": level, "n_iterations": n}
    if faults is not None:
        told, make, given = faulty_steps, FaultyNRPA, given | {"faults": faults}
    for problem, seed in ((nine_games(), 0), (nine_games(), 4), (leftmove(5), 1)):
        steps = list(told(problem, np.random.default_rng(seed), **given))
        search = make(problem, np.random.default_rng(seed), **given)
        game = search.run()
        assert steps[-1].bests[-1].choices.tolist() == game.choices.tolist()
        if faults is None or not faults.shared_policy:
            np.testing.assert_allclose(steps[-1].policies, search.policy, atol=1e-12)
        kinds = [step.kind for step in steps]
        assert kinds.count("playout") == search.n_playouts
        assert kinds.count("adapt") == search.n_adapts
        assert kinds.count("copy") == search.n_copies - 1  # the top's own is not shown


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


def test_a_move_played_by_nmcs_is_never_taken_back():
    steps = list(nmcs_steps(nine_games(), np.random.default_rng(0)))
    assert [s.tried for s in steps] == [0, 1, 2, -1, 0, 1, 2, -1]
    for before, after in pairwise(steps):
        assert after.played[: len(before.played)] == before.played
        assert after.best.score >= before.best.score
