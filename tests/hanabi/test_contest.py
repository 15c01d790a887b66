"""The table of scores against games played one by one."""

import numpy as np
import pytest

from gameai_lib.hanabi import RuleAgent, play_game, score_table

ASKS = RuleAgent("Convention")
AGENTS = {"blind": RuleAgent("random"), "asks": ASKS, "IGGI": RuleAgent("IGGI")}


def test_each_cell_is_that_of_games_played_one_by_one():
    scores = score_table(AGENTS, (4, 2), n_games=6, seed=9)
    assert list(scores.results) == [(name, n) for n in (4, 2) for name in AGENTS]
    for (name, n_players), cell in scores.results.items():
        last = []
        for game in range(6):
            *_, end = play_game([AGENTS[name]] * n_players, np.random.default_rng([9, game]))
            last.append(end.next_state)
        assert cell.scores.tolist() == [state.score for state in last]
        assert cell.n_lost == [state.n_lives for state in last].count(0)
        assert cell.n_perfect == [state.score for state in last].count(25)
    assert scores.results["blind", 2].n_lost == 6
    assert scores.results["asks", 2].n_perfect > 0


def test_a_team_takes_the_seats_in_turn():
    team = AGENTS["IGGI"], ASKS
    cell = score_table({"team": team}, (3,), n_games=2).results["team", 3]
    *_, end = play_game([team[0], team[1], team[0]], np.random.default_rng([0, 1]))
    assert cell.scores[1] == end.next_state.score


def test_the_table_says_what_was_found():
    scores = score_table(AGENTS, [2], n_games=6, seed=3)
    cell = scores.results["IGGI", 2]
    header, *rows, caption = str(scores).splitlines()
    assert header.split() == ["agent", "players", "mean", "score", "lost", "perfect"]
    said = f"{cell.mean:.2f} ± {cell.standard_error:.2f}"
    assert rows[2].split() == ["IGGI", "2", *said.split(), str(cell.n_lost), str(cell.n_perfect)]
    assert rows[0].split()[-2:] == ["6", "0"]
    assert "6 games each, seed 3" in caption
    assert "<table>" in scores._repr_html_()
    assert repr(score_table(AGENTS, [2], n_games=6, seed=3)) == repr(scores)
    assert repr(score_table(AGENTS, [2], n_games=6, seed=4)) != repr(scores)


def test_an_interrupt_keeps_the_games_that_were_played(monkeypatch):
    n_moves = 0

    def tires(state, rng):
        nonlocal n_moves
        n_moves += 1
        if n_moves == n_most:
            raise KeyboardInterrupt
        return ASKS(state, rng)

    agents = {"blind": AGENTS["blind"], "tires": tires}
    n_most = 10**6
    whole = score_table(agents, (2, 3), n_games=4, seed=3)
    n_most, n_moves = n_moves // 2, 0
    with pytest.raises(KeyboardInterrupt, match=r"stopped after (\d+) of 16 games") as caught:
        score_table(agents, (2, 3), n_games=4, seed=3)
    kept = caught.value.result
    *before, last = kept.results
    assert [*kept.results] == [*whole.results][: len(kept.results)]
    for cell in before:
        assert kept.results[cell].scores.tolist() == whole.results[cell].scores.tolist()
    n_last = len(kept.results[last].scores)
    assert 0 < n_last < 4
    assert kept.results[last].scores.tolist() == whole.results[last].scores[:n_last].tolist()
    header, *rows, caption = str(kept).splitlines()
    assert header.split()[:3] == ["agent", "players", "games"]
    assert [row.split()[2] for row in rows] == ["4"] * len(before) + [str(n_last)]
    assert caption.startswith("Points of 25, seed 3; lost:")
    n_most, n_moves = 1, 0
    with pytest.raises(KeyboardInterrupt) as caught:
        score_table({"tires": tires}, (2,), n_games=4)
    assert not hasattr(caught.value, "result")
