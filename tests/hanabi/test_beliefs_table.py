"""The table of all beliefs: a part of it measured again, and what stands in it."""

import numpy as np
import pytest

from gameai_book.hanabi.measure import beliefs as hanabi_beliefs
from gameai_book.hanabi.results import tables
from gameai_book.hanabi.results.scores import stored_beliefs
from gameai_lib.hanabi.belief.exact import exact_belief

SEED, STORED = stored_beliefs()
NAMES = [*hanabi_beliefs.COUNTING, *hanabi_beliefs.LISTENING]
ROWS = [(n, name) for n in (2, 3, 4, 5) for name in NAMES]


def test_the_table_is_whole():
    assert SEED == hanabi_beliefs.SEED
    for part in ("positions", "points"):
        assert [(c["players"], c["belief"]) for c in STORED[part]] == ROWS
    for c in STORED["positions"]:
        assert c["n_games"] == hanabi_beliefs.POSITION_GAMES[c["players"]]
    assert {c["n_games"] for c in STORED["points"]} == {hanabi_beliefs.POINT_GAMES}
    assert [c["players"] for c in STORED["times"]] == [2, 3, 4, 5]
    text = str(tables.ruled_out())
    assert text.count("\n") == len(STORED["cells"]) + 1, "a heading, a line each, a caption"


@pytest.mark.parametrize("n_players", [2, 3])
def test_distances_are_measured_again(n_players):
    again = list(hanabi_beliefs.positions(n_players, hanabi_beliefs.N_FIRST))
    stored = [c for c in STORED["positions"] if c["players"] == n_players]
    for cell, kept in zip(again, stored, strict=True):
        assert cell["first"] == pytest.approx(kept["first"], abs=2e-6), kept["belief"]


@pytest.mark.parametrize("n_players", [2, 5])
def test_games_are_played_again(n_players):
    for kept in STORED["points"]:
        if kept["players"] == n_players:
            scores = hanabi_beliefs.final_scores(kept["belief"], n_players, 2)
            assert scores.tolist() == kept["first"], kept["belief"]


def test_what_the_text_says_of_bp_and_of_times():
    cells = {(c["players"], c["agent"], c["belief"]): c for c in STORED["cells"]}
    for (players, agent, belief), bp in cells.items():
        if belief == "BP":
            assert bp["possible_at_0"] == bp["impossible_at_most"] == 0
            V1 = cells[players, agent, "V1"]
            assert (bp["distance"][0] < V1["distance"][0]) == (players > 2)
            assert bp["least_share"] > 0.5 > V1["least_share"]
            assert bp["micros"] < 2 * V1["micros"]
    assert all(c["worst"] < 5 for c in STORED["times"])


def test_calibration_is_the_gap_of_each_bin():
    states, found, _ = hanabi_beliefs.measured_positions(2, 1)
    belief = found["V0"]
    slots = [(s, i) for s in range(len(belief)) for i in range(10) if states.truth[s, i] < 25]
    gaps = np.zeros(hanabi_beliefs.N_BINS)
    for s, i in slots:
        for f, p in enumerate(belief[s, i]):
            gaps[min(int(p * 20), 19)] += p - (states.truth[s, i] == f)
    expected = np.abs(gaps).sum() / len(slots)
    assert hanabi_beliefs.calibration(belief, states)[0] == pytest.approx(expected)
    certain = (np.arange(26) == states.truth[..., None]).astype(float)
    assert hanabi_beliefs.calibration(certain, states)[0] == 0
    assert np.array_equal(found["exact"], exact_belief(states.candidates, states.hint_mask))
