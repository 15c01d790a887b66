"""What each board owes its page: a small record, a game to keep, a clear refusal."""

import pytest

from gameai_book.btmm.boards.league import LeagueBoard
from gameai_book.btmm.boards.moves import MovesBoard
from gameai_book.btmm.boards.step import StepBoard
from gameai_book.btmm.boards.triangle import TriangleBoard
from gameai_book.hanabi.boards.promises import PromisesBoard
from gameai_book.hanabi.boards.silence import SilenceBoard
from gameai_book.hanabi.boards.slots import SlotsBoard
from gameai_book.hanabi.boards.table import HanabiBoard
from gameai_book.nrpa.boards.race import RaceBoard
from gameai_book.nrpa.boards.tree import TreeBoard
from gameai_book.ntbea.boards.landscape import LandscapeBoard
from gameai_book.ntbea.boards.tuner import TunerBoard
from gameai_book.ntbea.boards.tuples import TuplesBoard
from gameai_book.together.boards.dials import DialsBoard
from gameai_book.together.boards.open_deals import OpenDealsBoard
from gameai_book.together.boards.partners import PartnersBoard
from gameai_book.together.boards.rungs import RungsBoard
from gameai_book.together.boards.teams import TEAMS
from gameai_book.together.boards.thinking import ThinkingBoard
from tests.support.board_checks import check_drawing, check_kept, check_record, check_refused
from touchbook import BOOK_BUILD
from touchbook.boards import WrongTouch


def asks(hand):
    """The partner of the chapter's example by hand."""
    if hand[1] == "R2":
        return "asks for slot 1"
    return "asks for slot 0" if hand[0] == "R2" else "discards"


BY_HAND = {"would_act": asks, "cards": "R2 W4 W4", "n_slots": 2}
FOUR, SEARCHING = "think think think think", [name for name, team in TEAMS.items() if team.belief]
# Boards, and of some touches that their pages have recorded what is then shown or said.
# Boards, and of some touches that their pages have recorded what is then shown or said.
RECORDED = [
    (PromisesBoard(), {"step slot-0": "V1 after 1 step. The other slots had promised"}),
    (SlotsBoard(choices=False), {
        "cell-0-2 cell-2-0 step": "distance from the exact belief is 0.0000",
        "cell-2-0 cell-0-2 step": "distance from the exact belief is 0.0000",
    }),
    (SlotsBoard(case="S6"), {"ten": "BB after 10 steps.", "ten step": "BB after 11 steps."}),
    (SlotsBoard(case="S2"), {"w-0.2 ten": "V1 after 10 steps."}),
    (SilenceBoard(), {"again again": "done 3 times", "rule-without": "24 of 24", "did-2": "hints"}),
    (SilenceBoard(**BY_HAND), {"did-1 again": "asks for slot 1", "rule-convention": "no hint"}),
    (HanabiBoard(seed=8), {}),
    (DialsBoard(), {"show-tuned tuned": "A tuner chose: "}),
    (OpenDealsBoard(seed=1), {FOUR: "Mean of 4 deals: "}),
    (PartnersBoard(seed=1), {FOUR: "40 decks", "second-tuned think": "100 decks"}),
    (RungsBoard(), {"think think": "1,000 games", "rung-tuned think think": "1,000 games",
                    **{f"rung-{name} {FOUR}": "20 games so far" for name in SEARCHING}}),
    (ThinkingBoard(seed=24), {"show-seat": "In your place a search"}),
    (ThinkingBoard(seed=18, moves=30), {f"show-seat {FOUR}": "on 800 deals"}),
]  # fmt: skip
# Touches that are kept and taken back, and others that mean nothing at the start.
TOUCHES = [
    (PromisesBoard, "step step", "slot-5 slot- step-1"),  # the slot that is chosen is not kept
    (SlotsBoard, "cell-1-2 w-0.2 step", "cell-3-0 cell-0-5 cell-x w-2"),
    (SilenceBoard, "did-1 again rule-tells did-0", "did-11 did- did-x rule-yours again-2"),
    (HanabiBoard, "", "discard-2 hint-purple slot-9 turn-1 partner-0"),
    (DialsBoard, "dial-2-1 fresh dial-7-2 players-4 plain best",
     "dial-0-0 dial-12-0 dial-0-2 dial- plain best players-6"),
    (OpenDealsBoard, "players-4 players-5", "players-6 players- players-٣ split-26-25-9"),
    (PartnersBoard, "second-van-den-bergh first-van-den-bergh first-iggi",
     "first-nobody third-iggi deal-1"),
    (RungsBoard, "rung-ignores scored-U scored-P rung-tuned played-100",
     "rung-rules rung-x scored-A played-200 played-"),
    (ThinkingBoard, "hint-red belief-hints", "belief-V0 belief-"),
    (LeagueBoard, "home-0-1 prior-2 ties-half home-4-3",
     "home-0-0 home-0-5 prior-3 prior-x ties-none home"),
    (MovesBoard, "update update played-211111 update",
     "played- played-12 played-1234567 played-²11111 played-x11111 at"),
    (StepBoard, "step at-3 step won-30-of-40 step", "at-11 at- won-5-of-4 won-3-of-4 leap"),
    (TriangleBoard, "at-3-3 step C-beat-A none-for-C step",
     "A-beat-A at-0-1 at-5-5 at-x-y at-5 D-beat-A"),
    (LandscapeBoard, "", "A9 E0 A² A11 buy-11117 set-1111x buy-١١١١١ set-1111 name-11111"),
    (RaceBoard, "on-samegame n-20 shared alpha-0.25", "on-chess n-7 alpha-9 again"),
    (TreeBoard, "long", "short"),
    (TunerBoard, "a-k-1 b-neighbours-5 b-looks-10 games-50", "a-k-7 c-k-1 games-7 a-k"),
    (TuplesBoard, "choose play at-21122 k-0 choose play play at-11222", "at-31111 at-1111 k-2"),
]  # fmt: skip
WRONG = [
    (SlotsBoard, {"case": "P1"}, "case must be .*'P1'"),
    (SlotsBoard, {"choices": "no"}, "choices must be .*'no'"),
    (SilenceBoard, {"would_act": lambda hand: 1 / 0}, r"\('R2', 'R4', 'W2'\): ZeroDivision"),
    (SilenceBoard, {"would_act": lambda hand: "x" * 29}, "28 characters"),
    (SilenceBoard, {"would_act": "hints"}, "'str' object is not callable"),
    (SilenceBoard, {"rule": "yours"}, "'yours'"),
    (SilenceBoard, {"cards": "R2 W2"}, "no hand"),
    (SilenceBoard, {"cards": "R2 Q2 W2"}, "'Q2'"),
    (SilenceBoard, {"cards": "R2 R2 R2 W2 W2 W2 B2 B2 B2 G2"}, "more than 36 hands"),
    (SilenceBoard, {"fits": 2}, "fits must be"),
    (HanabiBoard, {"seed": "x"}, "seed must be a whole number"),
    # A seat is taken at player 0's turn.
    *((HanabiBoard, {"seed": 11, "moves": n}, f"moves must .* got {n}") for n in (-2, 45, 62)),
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


@pytest.mark.parametrize(("board", "played", "refused"), TOUCHES)
def test_what_was_played_is_kept_and_taken_back_and_nonsense_is_refused(board, played, refused):
    check_kept(board, played)
    check_refused(board, refused)


@pytest.mark.parametrize(("board", "options", "words"), WRONG)
def test_boards_that_cannot_be_made(board, options, words):
    with pytest.raises((ValueError, TypeError), match=words):
        board(**options)


@pytest.mark.parametrize(
    ("board", "touch", "n_times"),
    [(PromisesBoard(), "step", 9), (SlotsBoard(), "ten", 20), (SilenceBoard(), "again", 9)],
)
def test_there_are_enough_steps_some_time(board, touch, n_times):
    for _ in range(n_times):
        board.touch(touch)
    with pytest.raises(WrongTouch, match=r"\d (steps |times )?are enough"):
        board.touch(touch)
