"""Boards on which a reader tries numbers: each beside the paper's update and the library's."""

import re

import numpy as np
import pytest

from gameai_book.btmm import league
from gameai_book.btmm.boards import moves, step, triangle
from gameai_book.btmm.boards.arena import MODELS, WINS, ArenaBoard
from gameai_book.btmm.boards.league import CLUBS, RESULTS, LeagueBoard
from gameai_book.btmm.boards.moves import MovesBoard
from gameai_book.btmm.boards.step import StepBoard
from gameai_book.btmm.boards.triangle import TriangleBoard
from gameai_lib.btmm import fit, from_teams, influence, rate
from gameai_lib.btmm.model import mm
from gameai_lib.btmm.records.football import Match
from tests.support.board_checks import check_record, targets, touch
from touchbook.boards import Session, WrongTouch

RECORDED = [  # runs that a page without Python shows
    (LeagueBoard, ["", "home-0-4", "prior-0 home-2-0 home-2-0", "ties-half"]),
    (MovesBoard, ["", *(f"{name}{3 * ' update'}" for name in targets(MovesBoard().svg()))]),
    (StepBoard, ["", "step step", *(f"at-{place} step" for place in range(len(step.PLACES)))]),
    (TriangleBoard, ["", "step step step", "at-1-1 step step"]),
]


@pytest.mark.parametrize(("make", "runs"), RECORDED)
def test_a_bench_is_recorded(make, runs):
    states = check_record(make(), {})
    for run in runs:
        session = Session(make())
        for name in run.split():
            targets(touch(session, name)["svg"])
        assert states[run] == session.answer({"do": "look"}) | {"recorded": True}


def board_of(make, **results):
    """A bench with other results."""
    board = make()
    vars(board).update(results)
    return board


ONE, ONE_MATCH = np.array([1, 0, 0, 0, 0, 0]), np.full((5, 5), -1.0)
ONE_MATCH[0, 1] = 0
LAST = [
    (TriangleBoard, {"wins": [[0, 9, 0], [0, 0, 0], [0, 0, 0]]}, "A-beat-B"),
    (MovesBoard, {"played": ONE}, "played-000000"),
    (LeagueBoard, {"results": ONE_MATCH}, "home-0-1"),
]


@pytest.mark.parametrize(("make", "results", "touch"), LAST)
def test_the_last_result_must_stay(make, results, touch):
    board = board_of(make, **{name: np.array(value) for name, value in results.items()})
    with pytest.raises(WrongTouch, match=r"One (game|match) must stay"):
        board.touch(touch)


# One strength


def test_a_step_is_said():
    board = StepBoard()
    assert "expects 0.6667 wins of 4, and there were 3. " in board.say()
    assert "The new strength is 0.2 × 3 / 0.6667 = 0.9." in board.say()
    assert "ln L rises from −5.5576 to −2.8835." in board.say()
    board.touch("step")
    assert board.at == pytest.approx(0.9)
    even = board_of(StepBoard, result="2-of-4")
    even.touch("at-5")  # 1, the maximum
    assert "so a step stays here" in even.say()


# Three strengths


@pytest.mark.parametrize("place", ["at-1-1", "at-8-1", "at-1-8", "at-7-2"])
def test_from_every_place_the_updates_of_the_paper_climb_to_four_two_one(place):
    wins, board = np.array(triangle.RESULTS), TriangleBoard()
    board.touch(place)
    for _ in range(60):
        old, before = board.at, board.value(board.at)
        expected = ((wins + wins.T) * old[:, None] / (old[:, None] + old)).sum(axis=1)
        wished = old * wins.sum(axis=1) / expected
        board.touch("step")
        np.testing.assert_allclose(board.at, wished / wished.sum(), rtol=1e-12)
        assert board.value(board.at) >= before - 1e-12
    np.testing.assert_allclose(board.at, np.array([4, 2, 1]) / 7, atol=1e-4)
    np.testing.assert_allclose(board.best()[0], np.array([4, 2, 1]) / 7, rtol=1e-7)


def test_the_likeliest_place_of_the_triangle_is_the_largest():
    picture = TriangleBoard().svg()
    discs = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)" class="c5"', picture)
    assert len(discs) == len([name for name in targets(picture) if name.startswith("at-")]) == 36
    x, y, r = max((tuple(map(float, disc)) for disc in discs), key=lambda disc: disc[2])
    near = np.array([6, 3, 1]) / 10 @ [[228, 34], [63, 319.8], [393, 319.8]]  # to 4 : 2 : 1
    assert (x, y) == pytest.approx(near, abs=0.01)
    assert r <= 12.5


@pytest.mark.parametrize(
    ("wins", "words"),
    [
        ([[0, 4, 4], [2, 0, 2], [0, 0, 0]], "'C'] never won"),
        ([[0, 1, 0], [2, 0, 0], [0, 0, 0]], "C has not played"),
        ([[0, 1, 1], [0, 0, 1], [0, 0, 0]], "never lost"),
    ],
)
def test_where_nothing_is_the_likeliest_it_says_who_and_why(wins, words):
    board = board_of(TriangleBoard, wins=np.array(wins))
    assert "No strengths are the likeliest" in board.say()
    assert words in board.say()
    board.svg()


def test_wins_are_counted():
    board = board_of(TriangleBoard, wins=np.array([[0, 9, 0], [0, 0, 0], [0, 0, 0]]))
    for name in ("C-beat-A", "A-beat-B"):  # after nine comes none
        board.touch(name)
    assert board.wins.tolist() == [[0, 0, 0], [0, 0, 0], [1, 0, 0]]
    board = TriangleBoard()
    for name in ("none-for-C", "step"):
        board.touch(name)
    assert board.wins.tolist() == [[0, 4, 4], [2, 0, 2], [0, 0, 0]]
    assert board.at[2] < 1e-9  # the opposite side, in a single update


# Moves


FIRST, SECOND = [[0, 2], [0], [1, 2]], [[2], [0, 1], [1]]  # teams, read off the picture by eye


def test_the_first_update_by_hand():
    """All moves have a third; joins is on two of three, then on one of three, and won four."""
    assert [np.flatnonzero(team).tolist() for team in moves.TEAMS] == FIRST + SECOND
    board = MovesBoard()
    assert board.expected.tolist() == [[2, 1, 2], [1, 2, 1]]
    assert board.wins.tolist() == [4, 2, 3]
    assert "All 6 games together have a chance of 1 in 729." in board.say()
    assert "the model expects 3.00. Its new strength is 1 × 4 / 3.00 = 1.33." in board.say()
    board.touch("update")
    np.testing.assert_allclose(board.gamma, [4 / 3, 1, 1], rtol=1e-12)
    one, two = np.array([4 / 3, 4 / 3, 1]), np.array([1, 4 / 3, 1])
    np.testing.assert_allclose(board.chance, [*one / one.sum(), *two / two.sum()], rtol=1e-12)


@pytest.mark.parametrize("played", [moves.PLAYED, (4, 1, 1, 1, 3, 1), (0, 2, 1, 3, 0, 1)])
def test_every_update_is_the_librarys(played):
    board = board_of(MovesBoard, played=np.array(played))
    data = from_teams([FIRST] * 3 + [SECOND] * 3, [0, 1, 2] * 2, played)
    for k in range(30):
        measured = mm.measure(data, data.wins(), board.gamma, mm.Prior(0.0))
        assert board.log_likelihood == pytest.approx(measured.step.log_likelihood, rel=1e-12)
        np.testing.assert_allclose(board.expected.sum(axis=0), measured.expected, rtol=1e-12)
        wished = board.gamma.copy()
        wished[k % 3] = mm.update(wished, measured)[k % 3]  # one pattern at a time
        board.touch("update")
        np.testing.assert_allclose(board.gamma, wished, rtol=1e-12)


def test_the_updates_end_where_the_lesson_says():
    board = MovesBoard()
    for _ in range(450):
        board.touch("update")
    assert board.gamma.round(1).tolist() == [2.6, 0.5, 1.2]
    assert "1 in 343.9." in board.say()
    board = board_of(MovesBoard, played=np.array([0, 3, 0, 0, 1, 2]))  # no corner
    for _ in range(3):
        board.touch("update")
    assert board.gamma[moves.PATTERNS.index("corner")] == 1e-12
    targets(board.svg())


def test_the_picture_of_moves_says_what_is_computed():
    board = MovesBoard()
    for name in ("update", "update", "played-211111", "update"):
        board.touch(name)
    assert board.n_updates == 1  # it began again from 1
    for first, second in board.expected.T:
        assert f">{first:.2f} + {second:.2f} = {first + second:.2f}<" in board.svg()
    board = board_of(MovesBoard, played=ONE)
    assert "The one game has" in board.say()
    for _ in range(10):  # after nine comes none
        board.touch(targets(board.svg())[1])
    assert board.played.tolist() == [1, 0, 0, 0, 0, 0]


# Leagues


GOALS = {1: (1, 0), 0.5: (1, 1), 0: (0, 1)}


def test_half_wins_are_those_of_the_chapter():
    played = np.argwhere(np.array(RESULTS) >= 0).tolist()
    matches = [Match(CLUBS[i], CLUBS[j], *GOALS[RESULTS[i][j]]) for i, j in played]
    model = league.league(matches)
    wished = fit(model.competitions, prior=0.5, tol=1e-14).elo
    rating, _ = board_of(LeagueBoard, ties="half").rating()
    assert rating.home_advantage.elo == pytest.approx(wished[-1], abs=1e-3)
    elo = {player.name: player.elo for player in rating.players}
    strengths = [elo[club] for club in model.clubs]
    np.testing.assert_allclose(np.diff(strengths), np.diff(wished[:-1]), atol=1e-3)


def test_a_league_says_what_it_shows():
    board = LeagueBoard()
    assert "Ashford at home to Eastvale: win 90 %, draw 8 %, defeat 3 %." in board.say()
    for name in ("prior-0", "home-2-0", "home-2-0"):  # in the end a club without a defeat
        board.touch(name)
    assert board.say().startswith("No strengths are the likeliest: Ashford never lost a point")
    for name in ("prior-0.1", "ties-half"):
        board.touch(name)
        assert board.say().startswith("Ashford +")
    assert "of the points" in board.say()


# Arenas


def test_two_votes_in_which_the_first_takes_no_part_change_the_top():
    board = ArenaBoard()
    assert board.say().startswith("Alder is first, 19 Elo points ahead of Birch.")
    board.touch("find")
    assert "2 of 3 in which Ivy beat Birch. Without them another model is first." in board.say()
    assert board.svg().count('class="ring"') == 2  # the model and its votes
    assert board.log == ()
    for _ in range(2):
        board.touch("lost-8")  # Birch's, who was chosen by what was found
    assert board.say().startswith("Birch is first, 5 Elo points ahead of Alder.")
    assert "You have changed 2 of 444 votes." in board.say()
    wins = WINS.copy()
    wins[8, 1] -= 2
    games = [(MODELS[i], MODELS[j], 1) for i, j in np.argwhere(wins > 0)]
    expected = rate(games, weight=wins[wins > 0], prior=0.5).difference("Birch", "Alder")
    assert board.rating().difference("Birch", "Alder") == pytest.approx(expected)


def test_a_vote_that_is_turned_counts_for_the_other_and_its_effect_is_shown():
    board = ArenaBoard()
    for name in ("vote-turn", "model-6", "show-influence"):
        board.touch(name)
    effects = influence(board.rating(), "Alder", "Birch", turn=True)
    assert effects[0][0] == ("Gorse", "Birch", 1)
    assert f">−{-effects[0][1]:.0f}<" in board.svg()
    board.touch("won-1")
    assert (board.wins[6, 1], board.wins[1, 6], WINS[6, 1]) == (1, 4, 2)
    assert "Touch" not in board.say()


def test_endless_seasons_are_the_mean_of_many():
    data, rng = league.endless_seasons().competitions, np.random.default_rng(3)
    assert data.total_weight == pytest.approx(56, abs=1e-9)
    drawn = [league.league(league.invented_season(rng)[0]).competitions.wins() for _ in range(100)]
    error = np.std(drawn, axis=0) / 10
    assert (np.abs(np.mean(drawn, axis=0) - data.wins()) < 4 * error).all()
