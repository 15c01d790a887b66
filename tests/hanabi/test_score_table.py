"""What agents score, as a table: each cell is that of games played one by one."""

import numpy as np
import pytest

from gameai_lib.hanabi import RuleAgent, score_table, self_play

IGGI, CONVENTION = RuleAgent("IGGI"), RuleAgent("Convention")


def test_each_cell_is_that_of_self_play():
    agents = {"IGGI": IGGI, "team": (IGGI, CONVENTION)}
    found = score_table(agents, (3, 2), n_games=6, seed=9)
    assert list(found.results) == [(name, n) for n in (3, 2) for name in agents]
    header, *rows, caption = str(found).splitlines()
    for row, (name, n) in zip(rows, found.results, strict=True):
        alone = self_play(agents[name], n, [np.random.default_rng([9, game]) for game in range(6)])
        assert found.results[name, n].scores.tolist() == alone.scores.tolist()
        said = f"{alone.mean:.2f} ± {alone.standard_error:.2f}".split()
        assert row.split() == [name, str(n), "6", *said, str(alone.n_lost), str(alone.n_perfect)]
    assert header.split() == ["agent", "players", "games", "mean", "score", "lost", "perfect"]
    assert "seed 9" in caption


def test_an_interrupt_keeps_the_games_that_were_played():
    moves_left = iter(range(90))

    def tires(state, rng):
        if next(moves_left, None) is None:
            raise KeyboardInterrupt
        return CONVENTION(state, rng)

    with pytest.raises(KeyboardInterrupt) as caught:
        score_table({"fresh": CONVENTION, "tires": tires}, [2], n_games=4, seed=3)
    kept = caught.value.result.results
    whole = score_table({"fresh": CONVENTION}, [2], n_games=4, seed=3).results["fresh", 2]
    assert kept["fresh", 2].scores.tolist() == whole.scores.tolist()
    assert kept["tires", 2].scores.tolist() == whole.scores[:1].tolist()
    assert np.isnan(kept["tires", 2].standard_error)
