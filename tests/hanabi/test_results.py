"""Stored results of players and beliefs: a part of each measured again, and tables that say it."""

import json
import sys

import numpy as np
import pytest

from gameai_book.hanabi import measure
from gameai_book.hanabi.measure import beliefs, games
from gameai_book.hanabi.measure.listener import LISTENER, listening_game
from gameai_book.hanabi.measure.memory import forgetful_game
from gameai_book.hanabi.results import tables
from gameai_book.hanabi.results.scores import (
    PLAYER_SCORES,
    stored_beliefs,
    stored_other_programs,
    stored_player_scores,
)
from gameai_lib.hanabi import HintRank, Play, RuleAgent, exact_belief, self_play, v0_belief
from gameai_lib.hanabi.players.agents import asked_slot

TABLES, BELIEFS = stored_player_scores(), stored_beliefs()
AMONG_TWO = [row for row in BELIEFS["positions"] if row["players"] == 2]


def cell_name(row):
    """What a test of a row is called."""
    return f"{row['players']} {row['belief']}"


@pytest.mark.parametrize("cell", TABLES["agents"], ids=lambda c: f"{c.agent} {c.belief}")
def test_stored_scores_are_played_again(cell):
    agent = RuleAgent(cell.agent, games.COUNTING.get(cell.belief, v0_belief))
    result = self_play(agent, 2, (np.random.default_rng([games.SEED, i]) for i in range(10)))
    assert result.scores.tolist() == cell.first_scores[:10]


@pytest.mark.slow
@pytest.mark.parametrize("part", games.PARTS)
def test_stored_games_are_played_again(part):
    names = [names for names, _ in games.PARTS[part]()]
    assert [{key: getattr(cell, key) for key in names[0]} for cell in TABLES[part]] == names
    assert len({cell.n_games for cell in TABLES[part]}) == 1, "a caption says one number"
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


@pytest.mark.parametrize("part", beliefs.PARTS)
def test_the_table_of_beliefs_is_whole(part):
    names = [names for names, _ in beliefs.PARTS[part]()]
    assert [{key: row[key] for key in names[0]} for row in BELIEFS[part]] == names


@pytest.mark.slow
@pytest.mark.parametrize("row", AMONG_TWO, ids=cell_name)
def test_distances_are_measured_again(row):
    again = beliefs.measure_positions(row["players"], row["belief"], beliefs.N_FIRST)
    assert again["first"] == pytest.approx(row["first"], abs=2e-6)


def test_what_the_text_says_of_programs_of_the_same_names():
    here = {c.agent: c.mean for c in TABLES["agents"] if c.belief == "V0"}
    for (agent, by), row in stored_other_programs().items():
        assert by != "authors" or abs(here[agent] - float(row["mean"])) <= 1
    made_again = float(stored_other_programs()["IGGI", "others"]["mean"])
    assert round(here["IGGI"] - made_again, 1) == 1.9
    assert round(TABLES["variants"][-1].mean, 1) == 16.3


def test_what_the_text_says_of_bp():
    cells = {(c["players"], c["agent"], c["belief"]): c for c in BELIEFS["cells"]}
    for (players, agent, belief), bp in cells.items():
        if belief == "BP":
            assert bp["possible_at_0"] == bp["impossible_at_most"] == 0
            V1 = cells[players, agent, "V1"]
            assert (bp["distance"][0] < V1["distance"][0]) == (players > 2)
            assert bp["least_share"] > 0.5 > V1["least_share"]
            assert bp["micros"] < 2 * V1["micros"]


def test_what_the_text_says_of_beliefs_with_a_likelihood():
    nll, far, micros = (
        {(row["players"], row["belief"]): np.ravel(row[key])[0] for row in BELIEFS["positions"]}
        for key in ("nll", "distance", "micros")
    )
    lost = {}  # share of what L tells
    for (n, belief), value in nll.items():
        lost[n, belief] = (value - nll[n, "exact with L"]) / (
            nll[n, "exact"] - nll[n, "exact with L"]
        )
    assert lost[2, "BB"] < 0.1
    assert (lost[5, "BB"], lost[5, "V2"]) == pytest.approx((0.75, 0.5), abs=0.06)
    assert lost[5, "BP with L"] < 0.02
    assert far[2, "BB"] > 2 * far[2, "BP with L"]
    assert far[5, "V2"] > 10 * far[5, "BP with L"]
    assert micros[5, "exact with L"] > 1000 * micros[5, "exact"]
    assert micros[5, "BP with L"] < 1.2 * micros[5, "BP"]


def test_a_listener_finds_out_what_a_hint_asks_for():
    # Its rules know no convention, its partners' moves do.
    asked = heard = 0
    for seed in range(8):
        for state, move, _ in listening_game(exact_belief, np.random.default_rng(seed)):
            slot = asked_slot(state)
            if state.player == LISTENER and slot is not None and state.n_deck:
                asked += 1
                heard += isinstance(move, Play)
    assert heard > 0.9 * asked > 10


def test_a_hint_is_remembered_for_its_span():
    masks = []

    def agent(state, rng):
        masks.append(state.hint_mask)
        if len(masks) == 1:
            return HintRank(1, state.hands[1][0] % 5 + 1)
        return Play(len(state.hands[state.player]) - 1)  # the newest card: no other moves

    list(forgetful_game(agent, 2, 2, np.random.default_rng(0)))
    told = [bool((mask[1, 0] != mask[0, 0]).any()) for mask in masks[:4]]
    assert told == [False, True, True, False]


def test_slope_is_the_derivative_of_a_step():
    def step(p):
        return (1 - 7 * p) / (2 - 7 * p)

    p, slope = tables.star_slope(8)
    assert step(p) == pytest.approx(p)
    assert 0 < p < 1 / 7  # the other point that a step keeps promises more than one card
    assert slope == pytest.approx((step(p + 1e-6) - step(p - 1e-6)) / 2e-6, rel=1e-5)
