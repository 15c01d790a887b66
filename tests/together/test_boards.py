"""What each board of the chapter owes its page: a small record, a game to keep, a clear refusal."""

import pytest

from gameai_book.together.boards.dials import DialsBoard
from gameai_book.together.boards.open_deals import OpenDealsBoard
from gameai_book.together.boards.partners import PartnersBoard
from gameai_book.together.boards.rungs import RungsBoard
from gameai_book.together.boards.teams import TEAMS
from gameai_book.together.boards.thinking import ThinkingBoard
from tests.support.board_checks import check_drawing, check_kept, check_record, check_refused
from touchbook import BOOK_BUILD

FOUR, SEARCHING = "think think think think", [name for name, team in TEAMS.items() if team.belief]
# Boards, and of some touches that their pages have recorded what is then shown or said.
RECORDED = [
    (DialsBoard(), {"show-tuned tuned": "A tuner chose: "}),
    (OpenDealsBoard(seed=1), {FOUR: "Mean of 4 deals: "}),
    (PartnersBoard(seed=1), {FOUR: "40 decks", "second-tuned think": "100 decks"}),
    (RungsBoard(), {"think think": "1,000 games", "rung-tuned think think": "1,000 games",
                    **{f"rung-{name} {FOUR}": "20 games so far" for name in SEARCHING}}),
    (ThinkingBoard(seed=24), {"show-seat": "In your place a search"}),
    (ThinkingBoard(seed=18, moves=30), {f"show-seat {FOUR}": "on 800 deals"}),
]  # fmt: skip
# Touches that leave something to keep.
PLAYED = [
    (DialsBoard, "dial-2-1 fresh dial-7-2 players-4 plain best"),
    (OpenDealsBoard, "players-4 players-5"),
    (PartnersBoard, "second-van-den-bergh first-van-den-bergh first-iggi"),
    (RungsBoard, "rung-ignores scored-U scored-P rung-tuned played-100"),
    (ThinkingBoard, "hint-red belief-hints"),
]
REFUSED = [
    (DialsBoard, "dial-0-0 dial-12-0 dial-0-2 dial- plain best players-6"),
    (OpenDealsBoard, "players-6 players- players-٣ split-26-25-9"),
    (PartnersBoard, "first-nobody third-iggi deal-1"),
    (RungsBoard, "rung-rules rung-x scored-A played-200 played-"),
    (ThinkingBoard, "belief-V0 belief-"),
]
WRONG = [
    (PartnersBoard, {"first": "Mirror"}, "different agents, got Mirror twice"),
    (PartnersBoard, {"second": "nobody"}, "second must be .* got 'nobody'"),
    (ThinkingBoard, {"belief": "V0"}, "belief must be .*got 'V0'"),
    (ThinkingBoard, {"n_deals": 1}, "n_deals must be .*got 1"),
]


@pytest.fixture(autouse=True)
def build(monkeypatch):
    """A book is built: nobody watches, so nothing pauses, and stored games are not played again."""
    monkeypatch.setenv(BOOK_BUILD, "1")


@pytest.mark.slow
@pytest.mark.parametrize(("board", "shown"), RECORDED)
def test_a_page_carries_a_small_record(board, shown):
    states = check_record(board, shown)
    for state in states.values():
        if isinstance(board, ThinkingBoard):
            check_drawing(state["svg"])


@pytest.mark.parametrize(("board", "touches"), PLAYED)
def test_what_was_played_is_kept_and_taken_back(board, touches):
    check_kept(board, touches)


@pytest.mark.parametrize(("board", "touches"), REFUSED)
def test_a_touch_that_means_nothing_is_refused(board, touches):
    check_refused(board, touches)


@pytest.mark.parametrize(("board", "options", "words"), WRONG)
def test_boards_that_cannot_be_made(board, options, words):
    with pytest.raises((ValueError, TypeError), match=words):
        board(**options)
