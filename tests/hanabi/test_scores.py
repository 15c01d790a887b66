"""Stored scores of whole games, played again."""

import json
from functools import partial

import numpy as np
import pytest

from gameai_book.hanabi.measure import agents as hanabi_agents
from gameai_book.hanabi.measure import players as hanabi_players
from gameai_book.hanabi.results.scores import (
    stored_player_scores,
    stored_scores,
)
from gameai_lib.hanabi.belief.exact import exact_belief
from gameai_lib.hanabi.belief.v0 import v0_belief
from gameai_lib.hanabi.belief.v1 import v1_belief
from gameai_lib.hanabi.game.play import self_play
from gameai_lib.hanabi.players.agents import RULES, RuleAgent

BELIEFS = {"none": v0_belief, "V0": v0_belief, "V1": v1_belief, "exact": exact_belief}
SEED, N_PLAYERS, CELLS = stored_scores()
PLAYERS_SEED, TABLES = stored_player_scores()
PARTS = {part: list(cells()) for part, cells in hanabi_players.PARTS.items()}


def test_table_has_every_agent_and_belief():
    agents = set(RULES) - {"Listener"}  # of whom TABLES tell
    names = {(cell.agent, cell.belief) for cell in CELLS}
    informed = {(name, belief) for name in agents for belief in ("V0", "V1", "exact")}
    random = {("random", belief) for belief in ("V0", "V1", "exact")}
    assert names == (informed - random) | {("random", "none")}
    assert all(cell.n_games >= 1000 for cell in CELLS)
    assert all(len(cell.first_scores) == 40 for cell in CELLS)


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: f"{cell.agent} {cell.belief}")
def test_stored_scores_are_played_again(cell):
    agent = RuleAgent(cell.agent, BELIEFS[cell.belief])
    result = self_play(agent, N_PLAYERS, (np.random.default_rng([SEED, i]) for i in range(10)))
    assert result.scores.tolist() == list(cell.first_scores[:10])
    first = np.array(cell.first_scores)
    spread = cell.standard_error * (cell.n_games / len(first)) ** 0.5
    assert abs(first.mean() - cell.mean) <= 4 * spread


def test_one_agent_measured_alone_leaves_the_others_as_they_are(tmp_path, monkeypatch):
    before = hanabi_agents.AGENT_SCORES.read_text("utf-8")
    path = tmp_path / "scores.json"
    path.write_text(before, "utf-8")
    monkeypatch.setattr(hanabi_agents, "AGENT_SCORES", path)
    hanabi_agents.write([])
    assert path.read_text("utf-8") == before
    hanabi_agents.write(hanabi_agents.measure(3, ["Outer"]))
    again = json.loads(path.read_text("utf-8"))["cells"]
    for old, new in zip(json.loads(before)["cells"], again, strict=True):
        if new["agent"] == "Outer":
            assert (new["belief"], new["n_games"]) == (old["belief"], 3)
            assert new["first_scores"] == old["first_scores"][:3]
        else:
            assert new == old


@pytest.mark.parametrize("part", PARTS)
def test_stored_tables_are_whole(part):
    assert PLAYERS_SEED == hanabi_players.SEED
    names = [names for names, _ in PARTS[part]]
    stored = [
        {key: value for key, value in cell._asdict().items() if key in names[0]}
        for cell in TABLES[part]
    ]
    assert stored == names
    assert all(cell.n_games >= 300 and len(cell.first_scores) == 20 for cell in TABLES[part])


@pytest.mark.parametrize("part", PARTS)
def test_stored_games_are_played_again(part):
    for (names, playing), cell in zip(PARTS[part], TABLES[part], strict=True):
        scores, _ = hanabi_players.final_scores(playing, 2)
        assert tuple(scores) == cell.first_scores[:2], names
        first = np.array(cell.first_scores)
        spread = cell.standard_error * (cell.n_games / len(first)) ** 0.5
        assert abs(first.mean() - cell.mean) <= 4 * spread + 1e-9


def test_partials_keep_their_beliefs():
    names = [names["belief"] for names, _ in PARTS["listeners"]]
    assert len(set(names)) == len(names)
    assert all(isinstance(playing, partial) for _, playing in PARTS["listeners"])
