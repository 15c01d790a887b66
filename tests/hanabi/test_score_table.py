"""What agents score, as a table: each cell is that of games played one by one."""

import numpy as np
import pytest

from gameai_lib.hanabi import RuleAgent, play_game, score_table

IGGI, CONVENTION = RuleAgent("IGGI"), RuleAgent("Convention")


def last_states(seats, seed, n_games):
    for game in range(n_games):
        *_, end = play_game(seats, np.random.default_rng([seed, game]))
        yield end.next_state


def test_each_cell_is_that_of_games_played_one_by_one():
    agents = {"IGGI": IGGI, "team": (IGGI, CONVENTION)}
    found = score_table(agents, (3, 2), n_games=6, seed=9)
    assert list(found.results) == [(name, n) for n in (3, 2) for name in agents]
    seats = {"IGGI": [IGGI] * 3, "team": [IGGI, CONVENTION, IGGI]}
    header, *rows, caption = str(found).splitlines()
    for row, ((name, n), cell) in zip(rows, found.results.items(), strict=True):
        ends = [*last_states(seats[name][:n], 9, 6)]
        assert cell.scores.tolist() == [state.score for state in ends]
        lost, perfect = ([*map(what, ends)] for what in (lambda s: s.n_lives, lambda s: s.score))
        said = f"{cell.mean:.2f} ± {cell.standard_error:.2f}".split()
        assert row.split() == [name, str(n), "6", *said, str(lost.count(0)), str(perfect.count(25))]
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


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((["IGGI"],), "agents must be of type Mapping"),
        (({"three": [IGGI] * 3}, (3, 2)), "2 seats are for .*, got 3"),
        (({},), "a table needs an agent"),
        (({"it": IGGI}, (2, 6)), "n_players must be from 2 to 5, got 6"),
    ],
)
def test_what_is_refused(arguments, says):
    with pytest.raises((TypeError, ValueError), match=says):
        score_table(*arguments)
