"""Stored results of open deals: whole, possible, and found again."""

import numpy as np
import pytest

from gameai_book.together.measure import open_deals as measure
from gameai_book.together.results.open_deals import stored_open_deals
from gameai_lib.base import jit
from gameai_lib.hanabi.game.cards import HAND_SIZE

SEED, DEALS, SCORES = stored_open_deals()


def test_the_tables_are_whole_and_no_line_exceeds_its_bound():
    assert SEED == measure.SEED
    assert list(DEALS) == list(HAND_SIZE)
    for row in DEALS.values():
        assert {*map(len, row[1:])} == {measure.N_DEALS}
        for points, most, n_playouts in zip(*row[1:], strict=True):
            assert points <= most <= 25
            assert points == most or n_playouts >= measure.MANY
    for row in SCORES:
        scores = np.array(row.scores)
        assert scores.mean() == pytest.approx(row.mean, abs=1e-4)
        assert (scores == 25).sum() == row.n_perfect
        # Whoever sees all finds no less than who does not, and no more than there is.
        assert (scores <= DEALS[row.n_players].most).all()


@pytest.mark.skipif(not jit.COMPILED, reason="takes long without compiled kernels")
def test_stored_rows_are_found_again():
    for (names, again), row in zip(measure.deals(n_deals=5), DEALS.values(), strict=True):
        assert names == {"n_players": row.n_players}
        assert again() == {name: getattr(row, name)[:5] for name in measure.FIELDS}
    for (names, again), row in zip(measure.searches(n_deals=3), SCORES, strict=True):
        assert names == {"agent": row.agent, "n_players": row.n_players}
        assert again()["scores"] == row.scores[:3]
