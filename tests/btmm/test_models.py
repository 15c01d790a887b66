"""What the stored strengths say of lines on the board."""

import numpy as np
import pytest

from gameai_book.btmm.results import models
from gameai_lib.btmm.game import connect6, patterns
from gameai_lib.btmm.records import sgf


@pytest.fixture(scope="module")
def positions():
    return connect6.replay(sgf.parse_sgf(sgf.SOURCE_GAME, "connect6").records())


def test_an_unknown_model_is_named():
    with pytest.raises(ValueError, match="no model 'chess'"):
        models.load_model("chess")


@pytest.mark.slow
def test_the_edge_reads_as_a_four(positions):
    """Counted cell by cell on the board: an empty point with four cells off the board behind it."""
    weights = {edge: models.load_model(f"connect6 {edge}") for edge in patterns.EDGES}
    found = models.edge_pattern(weights, positions, "row 8: ...*OOOO black")
    assert [row.n_moves for row in found] == [0, 740, 0]
    count = 0
    for board in positions.boards.reshape(-1, 19, 19):
        for row in board:
            wide = np.concatenate([np.full(3, 9), row, np.full(4, 9)])
            for k in range(19):
                before, behind = wide[k : k + 3], wide[k + 4 : k + 8]
                off = (behind == 9).all() and not before[before < 9].any() and (before < 9).all()
                count += row[k] == 0 and off
    assert count == 740
    assert found[1].gamma < found[2].gamma / 100


def test_a_strength_means_something_in_its_team():
    """A four at the edge: its row is worth more, and the move is not."""
    model = models.load_model("connect6 own state")
    ends = ("...*OOOO", "...*....", "...*....", "....*..."), (
        "##.*OOOO", "...*....", "##.*....", "###.*...",
    )  # fmt: skip
    teams = [
        [f"{d} 8: {line} black" for d, line in zip(patterns.DIRECTIONS, team, strict=True)]
        for team in ends
    ]
    gammas = models.strengths_of(model, teams)
    assert gammas[1, 0] > 5 * gammas[0, 0]
    assert gammas[1].prod() == pytest.approx(gammas[0].prod(), rel=0.1)
