"""Stored scores of whole games and errors of beliefs: a part of each measured again."""

import json
import sys

import numpy as np
import pytest

from gameai_book.hanabi import measure
from gameai_book.hanabi.measure import beliefs, games
from gameai_book.hanabi.results import tables
from gameai_book.hanabi.results.scores import PLAYER_SCORES, stored_beliefs, stored_player_scores
from gameai_lib.hanabi import RuleAgent, self_play, v0_belief

TABLES, BELIEFS = stored_player_scores(), stored_beliefs()


@pytest.mark.parametrize("cell", TABLES["agents"], ids=lambda c: f"{c.agent} {c.belief}")
def test_stored_scores_are_played_again(cell):
    agent = RuleAgent(cell.agent, games.COUNTING.get(cell.belief, v0_belief))
    result = self_play(agent, 2, (np.random.default_rng([games.SEED, i]) for i in range(10)))
    assert result.scores.tolist() == cell.first_scores[:10]


@pytest.mark.parametrize("part", games.PARTS)
def test_stored_tables_are_whole(part):
    names = [names for names, _ in games.PARTS[part]()]
    assert [{key: getattr(cell, key) for key in names[0]} for cell in TABLES[part]] == names
    assert all(len(cell.first_scores) == 20 for cell in TABLES[part])
    assert len({cell.n_games for cell in TABLES[part]}) == 1, "a caption says one number"


@pytest.mark.parametrize("part", games.PARTS)
def test_stored_games_are_played_again(part):
    for (names, again), cell in zip(games.PARTS[part](n_games=2), TABLES[part], strict=True):
        assert again()["first_scores"] == cell.first_scores[:2], names
        spread = cell.standard_error * (cell.n_games / len(cell.first_scores)) ** 0.5
        assert abs(np.mean(cell.first_scores) - cell.mean) <= 4 * spread + 1e-9


def test_rows_measured_alone_leave_the_others_as_they_are(tmp_path, monkeypatch):
    before, path = PLAYER_SCORES.read_text("utf-8"), tmp_path / "scores.json"
    path.write_text(before, "utf-8")
    measure.store(path, "agents", [], [names for names, _ in games.agents()])
    assert path.read_text("utf-8") == before
    monkeypatch.setattr(sys, "argv", ["games", "agents", "--only", "Outer", "--write"])
    measure.run({"agents": lambda: games.agents(n_games=3)}, path)
    again = json.loads(path.read_text("utf-8"))["agents"]
    for old, new in zip(json.loads(before)["agents"], again, strict=True):
        if new["agent"] == "Outer":
            assert (new["belief"], new["n_games"]) == (old["belief"], 3)
            assert new["first_scores"] == old["first_scores"][:3]
        else:
            assert new == old


def test_the_table_of_beliefs_is_whole():
    for part, rows in beliefs.PARTS.items():
        names = [names for names, _ in rows()]
        assert [{key: row[key] for key in names[0]} for row in BELIEFS[part]] == names
    text = str(tables.ruled_out())
    assert text.count("\n") == len(BELIEFS["cells"]) + 1, "a heading, a line each, a caption"


@pytest.mark.parametrize("n_players", [2, 3])
def test_distances_are_measured_again(n_players):
    for row in BELIEFS["positions"]:
        if row["players"] == n_players:
            again = beliefs.measure_positions(n_players, row["belief"], beliefs.N_FIRST)
            assert again["first"] == pytest.approx(row["first"], abs=2e-6), row["belief"]


@pytest.mark.parametrize("n_players", [2, 5])
def test_games_of_each_belief_are_played_again(n_players):
    for row in BELIEFS["points"]:
        if row["players"] == n_players:
            scores = beliefs.listener_scores(n_players, row["belief"], beliefs.N_FIRST)
            assert scores.tolist() == row["first"], row["belief"]


def test_what_the_text_says_of_bp():
    cells = {(c["players"], c["agent"], c["belief"]): c for c in BELIEFS["cells"]}
    for (players, agent, belief), bp in cells.items():
        if belief == "BP":
            assert bp["possible_at_0"] == bp["impossible_at_most"] == 0
            V1 = cells[players, agent, "V1"]
            assert (bp["distance"][0] < V1["distance"][0]) == (players > 2)
            assert bp["least_share"] > 0.5 > V1["least_share"]
            assert bp["micros"] < 2 * V1["micros"]


def test_cells_are_measured():
    row = beliefs.measure_cells(2, "Convention", "V1", 3)
    assert set(row) < set(BELIEFS["cells"][0])
    assert row["n_states"] > 30
