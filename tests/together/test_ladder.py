"""The rungs of the ladder: games that were stored are played again."""

import numpy as np
import pytest

from gameai_book.together.measure.ladder import PARTS
from gameai_book.together.results.ladder import stored_rungs
from gameai_lib.hanabi import RuleAgent, Searcher, play_game

STORED = [rung for rungs in stored_rungs().values() for rung in rungs]
QUICK = [rung for rung in STORED if rung.n_deals == 100]


@pytest.mark.parametrize("rung", QUICK, ids=lambda r: f"{r.agent} {r.n_players} {r.who} {r.belief}")
def test_the_first_game_is_played_again(rung):
    blueprint = RuleAgent(rung.agent)
    searcher = Searcher(blueprint, rung.belief, rung.n_deals, rung.margin)
    partner = blueprint if rung.who == "one" else searcher
    agents = [searcher, *[partner] * (rung.n_players - 1)]
    *_, last = play_game(agents, np.random.default_rng([1, 0]))
    assert last.next_state.score == rung.first_scores[0]


def test_every_row_of_the_script_is_stored():
    measured = [names for part in PARTS.values() for names, _ in part()]
    stored = [rung._asdict() for rung in STORED]
    assert len(stored) == len(measured)
    for names in measured:
        assert any(names.items() <= row.items() for row in stored), names


def test_search_pays_only_with_a_belief_that_reads_choices():
    rungs = [rung for rung in STORED if (rung.agent, rung.who) == ("Convention", "one")]
    errors = {(r.belief, r.n_deals): r.gain / r.gain_standard_error for r in rungs}
    assert all(errors[belief, 100] < -10 for belief in ("V0", "V1", "BP", "exact"))
    assert all(errors["exact with L", n_deals] > 10 for n_deals in (100, 400))
