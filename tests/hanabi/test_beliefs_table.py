"""The table of all beliefs: a part of it measured again, and what stands in it."""

import pytest

from gameai_book.hanabi.measure import beliefs
from gameai_book.hanabi.results import tables
from gameai_book.hanabi.results.scores import stored_beliefs

STORED = stored_beliefs()


def test_the_table_is_whole():
    for part, rows in beliefs.PARTS.items():
        names = [names for names, _ in rows()]
        assert [{key: row[key] for key in names[0]} for row in STORED[part]] == names
    text = str(tables.ruled_out())
    assert text.count("\n") == len(STORED["cells"]) + 1, "a heading, a line each, a caption"


@pytest.mark.parametrize("n_players", [2, 3])
def test_distances_are_measured_again(n_players):
    for row in STORED["positions"]:
        if row["players"] == n_players:
            again = beliefs.measure_positions(n_players, row["belief"], beliefs.N_FIRST)
            assert again["first"] == pytest.approx(row["first"], abs=2e-6), row["belief"]


@pytest.mark.parametrize("n_players", [2, 5])
def test_games_are_played_again(n_players):
    for row in STORED["points"]:
        if row["players"] == n_players:
            scores = beliefs.listener_scores(n_players, row["belief"], beliefs.N_FIRST)
            assert scores.tolist() == row["first"], row["belief"]


def test_what_the_text_says_of_bp():
    cells = {(c["players"], c["agent"], c["belief"]): c for c in STORED["cells"]}
    for (players, agent, belief), bp in cells.items():
        if belief == "BP":
            assert bp["possible_at_0"] == bp["impossible_at_most"] == 0
            V1 = cells[players, agent, "V1"]
            assert (bp["distance"][0] < V1["distance"][0]) == (players > 2)
            assert bp["least_share"] > 0.5 > V1["least_share"]
            assert bp["micros"] < 2 * V1["micros"]


def test_cells_are_measured():
    row = beliefs.measure_cells(2, "Convention", "V1", 3)
    assert set(row) < set(STORED["cells"][0])
    assert row["n_states"] > 30
