"""What the stored tables and strengths say."""

import numpy as np
import pytest

from gameai_book.btmm.results import models, tables
from gameai_lib.btmm.game import connect6, patterns
from gameai_lib.btmm.records import sgf


def test_the_chances_of_real_games():
    """The table says how the weights fare in each bin; what is expected is what was played."""
    found = tables.calibrations(tables.read_table("calibration"))
    for name, n_positions in ("test", 16_406), ("training", 16_624):
        n_teams = found[name].n_teams
        assert n_teams @ found[name].predicted == pytest.approx(n_positions, rel=5e-3)
        assert n_teams @ found[name].observed == pytest.approx(n_positions, rel=5e-3)
    for name, k, given, played in (
        ("test", 5, 4.4, 7.5),
        ("test", 9, 71, 43),
        ("training", 9, 70, 47),
    ):
        assert f"{100 * found[name].predicted[k]:.2g}" == f"{given:g}"
        assert f"{100 * found[name].observed[k]:.2g}" == f"{played:g}"


def test_with_a_prior_ten_sweeps_predict_other_games_as_well_as_twenty():
    rows = tables.read_table("curves")
    shown = {"game": "connect6", "edge": "empty", "prior": 1.0}
    at = {10: {}, 20: {}}
    for row in rows:
        if shown.items() <= row.items() and row["sweep"] in at:
            at[row["sweep"]][row["features"], row["n_games"]] = row["test"]
    assert len(at[20]) == 12
    assert all(abs(at[10][which] - value) < 0.005 for which, value in at[20].items())


def test_with_lines_of_nine_both_fours_of_the_chapter_are_worth_the_same():
    rows = [row for row in tables.read_table("nine") if row["stones"] == 21]
    assert len(rows) == 340
    gammas = np.array([[row[way] for way in patterns.DIRECTIONS] for row in rows], float)
    of = {row["point"]: k for k, row in enumerate(rows)}
    assert gammas[of["l12"], 3] == pytest.approx(gammas[of["n9"], 3], rel=0.01)
    chance = gammas.prod(axis=1) / gammas.prod(axis=1).sum()
    assert 100 * chance[of["l12"]] == pytest.approx(35, abs=0.5)


def test_what_the_tables_do_not_have_is_named():
    rows = tables.read_table("results")
    assert tables.n_games([row for row in rows if row["n_games"] == 7082]) == 7082
    with pytest.raises(ValueError, match="too many values"):
        tables.n_games(rows)
    with pytest.raises(ValueError, match="the table has no part 'speed'"):
        tables.rows_of("speed")


@pytest.mark.slow
def test_the_edge_reads_as_a_four():
    """Counted cell by cell on the board: an empty point with four cells off the board behind it."""
    positions = connect6.replay(sgf.parse_sgf(sgf.SOURCE_GAME, "connect6").records())
    weights = {edge: models.load_model(f"connect6 {edge}") for edge in patterns.EDGES}
    found = models.edge_pattern(weights, positions, "row 8: ...*OOOO black")
    assert [row.n_moves for row in found] == [0, 740, 0]
    last_four = positions.boards.reshape(-1, 19, 19)[:, :, -4:]
    assert (last_four == 0).all(axis=2).sum() == 740
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
