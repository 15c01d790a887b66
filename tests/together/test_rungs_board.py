"""The ladder: its games are those of the library, and those that were stored."""

import numpy as np
import pytest

from gameai_book.together.boards import rungs
from gameai_book.together.boards.rungs import RungsBoard
from gameai_book.together.boards.teams import TEAMS, play_rules, stored
from gameai_lib.hanabi import RuleAgent, self_play
from tests.support.board_checks import targets, touch
from touchbook import BOOK_BUILD
from touchbook.boards import Session, WrongTouch

SEARCHING = [name for name, team in TEAMS.items() if team.belief]


def play(name, n_moves, **options):
    """A session in which a team has played so many games, or blocks of games; what it said."""
    session, n_before = Session(RungsBoard(**options)), name != "rules"
    state = touch(session, f"rung-{name}") if n_before else None
    while len(session.board.log) < n_before + n_moves:
        state = session.answer({"do": "think"})
    return session, state


@pytest.mark.slow
@pytest.mark.parametrize("name", SEARCHING)
def test_the_first_games_are_the_stored_ones(name):
    session, state = play(name, 2)
    own, plain = session.board.pairs(name)
    assert own.tolist() == stored(TEAMS[name]).first_scores[:2]
    rngs = [np.random.default_rng([1, i]) for i in range(2)]
    assert plain.tolist() == self_play(RuleAgent(TEAMS[name].rules), 2, rngs).scores.tolist()
    gain = f"{(own - plain).mean():+.2f} ± {np.ptp(own - plain) / 2:.2f}".replace("-", "−")
    assert f"the gain over the same rules without search is {gain}:" in state["say"]


@pytest.mark.parametrize("rules", ["Convention", "Tuned"])
def test_rules_alone_play_blocks_of_games(rules):
    rngs = [np.random.default_rng([3, i]) for i in range(250)]
    played = self_play(RuleAgent(rules), 2, rngs).scores
    assert play_rules(rules, 3, 250).tolist() == played.tolist()


def test_rules_alone_make_what_was_stored_and_tuned_ones_gain_over_the_convention():
    session, state = play("tuned", 10)
    own, plain = session.board.pairs("tuned")
    many, error = stored(TEAMS["tuned"]), own.std() / len(own) ** 0.5
    assert own.mean() == pytest.approx(many.mean, abs=4 * np.hypot(error, many.standard_error))
    assert f"1,000 games so far: {own.mean():.2f} ±" in state["say"]
    better, same, worse = ((np.sign(own - plain) == sign).sum() for sign in (1, 0, -1))
    assert f"{better} decks better, {same} the same, {worse} worse" in state["say"]
    said = touch(session, "rung-rules")["say"]
    assert f"tuned rules alone, 1,000 games: {own.mean():.2f} ±" in said


def test_a_stored_mean_appears_only_when_its_team_has_played():
    session = Session(RungsBoard())
    before = session.answer({"do": "look"})
    assert before["svg"].count("stroke-muted") == 1  # the key
    assert [name[5:] for name in targets(before["svg"])] == [*TEAMS]
    assert all(f"{stored(team).mean:.2f}" not in before["say"] for team in TEAMS.values())
    after = session.answer({"do": "think"})
    assert after["svg"].count("stroke-muted") == 2
    assert "In 20,000 games played for this book it made 20.78 ± 0.02" in after["say"]


def test_a_team_that_searches_takes_single_scores_until_it_has_played_enough(monkeypatch):
    board = RungsBoard()
    board.touch("rung-both")
    for name in ("rung-both", "played-100", "scored-", "scored-AB", "scored-a", "scored-["):
        with pytest.raises(WrongTouch):
            board.touch(name)
    monkeypatch.setattr(rungs, "MOST_PRESSES", 1)
    for _ in range(20):
        board.touch("scored-Z")
    assert (board.thinks, [*board.think()]) == ("", [])
    with pytest.raises(WrongTouch):
        board.touch("scored-Z")


@pytest.mark.slow
def test_it_is_recorded_as_it_is_played(monkeypatch):
    """While a book is built, stored games are not played again: five of them are, here."""
    with monkeypatch.context() as patched:
        patched.setenv(BOOK_BUILD, "1")
        states = Session(RungsBoard()).record()
    _, state = play("ignores", 5)
    recorded = states["rung-ignores think"]
    assert {**recorded, "recorded": 0, "views": 0} == {**state, "recorded": 0, "views": 0}
