"""What decisions gain: rules by hand, stored rows, and games that are played again."""

import numpy as np
import pytest

from gameai_book.together.measure import choices as measure
from gameai_book.together.results.choices import stored_bold, stored_choices
from gameai_book.together.results.ladder import stored_rungs
from gameai_lib.base import jit
from gameai_lib.hanabi import RuleAgent, Searcher, play_game


def test_a_rule_is_judged_by_deals_that_it_has_not_seen():
    # Move 1 gains a point on every other deal where it is chosen, and loses one where it is judged.
    gains = np.zeros((measure.N_CHOOSING + measure.N_JUDGING, 2))
    gains[: measure.N_CHOOSING : 2, 1], gains[measure.N_CHOOSING :, 1] = 1, -1
    for rule in measure.RULES:
        assert measure.judge(rule, 100, gains) == (-1, 1)
    gains[: measure.N_CHOOSING, 1] = 0.05
    assert measure.judge("margin", 100, gains) == (0, 0)
    assert measure.judge("largest mean", 100, gains) == (-1, 1)


def test_the_rows_are_whole_and_a_test_pays_with_few_deals():
    found = stored_choices()
    assert tuple(found) == tuple(measure.RULES)
    for rows in found.values():
        assert [row.n_deals for row in rows] == list(measure.N_DEALS)
    tested, bold = found["margin and test"][0], found["largest mean"][0]
    assert tested.gain - bold.gain > 3 * bold.standard_error


@pytest.mark.skipif(not jit.COMPILED, reason="takes long without compiled kernels")
def test_bold_searchers_lose_points_and_their_first_games_are_played_again():
    careful = {rung.who: rung for rung in stored_rungs()["both"][:1]}
    bold = stored_bold()
    assert careful["both"].mean - bold["both"].mean > 10 * bold["both"].standard_error
    plain = RuleAgent("Convention")
    for row in bold.values():
        agent = measure.make_bold(Searcher(plain, row.belief, row.n_deals))
        agents = [agent, plain if row.who == "one" else agent]
        *_, last = play_game(agents, np.random.default_rng([1, 0]))
        assert last.next_state.score == row.first_scores[0]
