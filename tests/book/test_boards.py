"""What each board owes its page: a small record, a game to keep, a clear refusal."""

import pytest

from benchmarks.boards import ADDRESSES
from gameai_book.together.boards.teams import TEAMS
from tests.support.board_checks import check_drawing, check_kept, check_record, check_refused
from touchbook import BOOK_BUILD
from touchbook.boards import WrongTouch, board_class

KINDS = {name: board_class(address) for name, address in ADDRESSES.items()}


def asks(hand):
    """The partner of the chapter's example by hand."""
    if hand[1] == "R2":
        return "asks for slot 1"
    return "asks for slot 0" if hand[0] == "R2" else "discards"


BY_HAND = {"would_act": asks, "cards": "R2 W4 W4", "n_slots": 2}
FOUR, SEARCHING = "think think think think", [name for name, team in TEAMS.items() if team.belief]
# Boards, their options, and of some touches that their pages have recorded what is then shown.
RECORDED = [
    ("promises", {}, {"step slot-0": "V1 after 1 step. The other slots had promised"}),
    ("slots", {"choices": False}, {
        "cell-0-2 cell-2-0 step": "distance from the exact belief is 0.0000",
        "cell-2-0 cell-0-2 step": "distance from the exact belief is 0.0000",
    }),
    ("slots", {"case": "S6"}, {"ten": "BB after 10 steps.", "ten step": "BB after 11 steps."}),
    ("slots", {"case": "S2"}, {"w-0.2 ten": "V1 after 10 steps."}),
    ("silence", {}, {"again again": "done 3 times", "rule-without": "24 of 24", "did-2": "hints"}),
    ("silence", BY_HAND, {"did-1 again": "asks for slot 1", "rule-convention": "no hint"}),
    ("hanabi", {"seed": 8}, {}),
    ("dials", {}, {"show-tuned tuned": "A tuner chose: "}),
    ("open-deals", {"seed": 1}, {FOUR: "Mean of 4 deals: "}),
    ("partners", {"seed": 1}, {FOUR: "40 decks", "second-tuned think": "100 decks"}),
    ("rungs", {}, {"think think": "1,000 games", "rung-tuned think think": "1,000 games",
                   **{f"rung-{name} {FOUR}": "20 games so far" for name in SEARCHING}}),
    ("thinking", {"seed": 24}, {"show-seat": "In your place a search"}),
    ("thinking", {"seed": 18, "moves": 30}, {f"show-seat {FOUR}": "on 800 deals"}),
]  # fmt: skip
# Touches that are kept and taken back, and others that mean nothing at the start.
TOUCHES = [
    ("promises", "step step", "slot-5 slot- step-1"),  # the slot that is chosen is not kept
    ("slots", "cell-1-2 w-0.2 step", "cell-3-0 cell-0-5 cell-x w-2"),
    ("silence", "did-1 again rule-tells did-0", "did-11 did- did-x rule-yours again-2"),
    ("hanabi", "", "discard-2 hint-purple slot-9 turn-1 partner-0"),
    ("dials", "dial-2-1 fresh dial-7-2 players-4 plain best",
     "dial-0-0 dial-12-0 dial-0-2 dial- plain best players-6"),
    ("open-deals", "players-4 players-5", "players-6 players- players-٣ split-26-25-9"),
    ("partners", "second-van-den-bergh first-van-den-bergh first-iggi",
     "first-nobody third-iggi deal-1"),
    ("rungs", "rung-ignores scored-U scored-P rung-tuned played-100",
     "rung-rules rung-x scored-A played-200 played-"),
    ("thinking", "hint-red belief-hints", "belief-V0 belief-"),
    ("league", "home-0-1 prior-2 ties-half home-4-3",
     "home-0-0 home-0-5 prior-3 prior-x ties-none home"),
    ("moves", "update update played-211111 update",
     "played- played-12 played-1234567 played-²11111 played-x11111 at"),
    ("step", "step at-3 step won-30-of-40 step", "at-11 at- won-5-of-4 won-3-of-4 leap"),
    ("triangle", "at-3-3 step C-beat-A none-for-C step",
     "A-beat-A at-0-1 at-5-5 at-x-y at-5 D-beat-A"),
    ("landscape", "", "A9 E0 A² A11 buy-11117 set-1111x buy-١١١١١ set-1111 name-11111"),
    ("race", "on-samegame n-20 shared alpha-0.25", "on-chess n-7 alpha-9 again"),
    ("tree", "long", "short"),
    ("tuner", "a-k-1 b-neighbours-5 b-looks-10 games-50", "a-k-7 c-k-1 games-7 a-k"),
    ("tuples", "choose play at-21122 k-0 choose play play at-11222", "at-31111 at-1111 k-2"),
]  # fmt: skip
WRONG = [
    ("slots", {"case": "P1"}, "case must be .*'P1'"),
    ("slots", {"choices": "no"}, "choices must be .*'no'"),
    ("silence", {"would_act": lambda hand: 1 / 0}, r"\('R2', 'R4', 'W2'\): ZeroDivision"),
    ("silence", {"would_act": lambda hand: "x" * 29}, "28 characters"),
    ("silence", {"would_act": "hints"}, "'str' object is not callable"),
    ("silence", {"rule": "yours"}, "'yours'"),
    ("silence", {"cards": "R2 W2"}, "no hand"),
    ("silence", {"cards": "R2 Q2 W2"}, "'Q2'"),
    ("silence", {"cards": "R2 R2 R2 W2 W2 W2 B2 B2 B2 G2"}, "more than 36 hands"),
    ("silence", {"fits": 2}, "fits must be"),
    ("hanabi", {"seed": "x"}, "seed must be a whole number"),
    # A seat is taken at player 0's turn.
    *(("hanabi", {"seed": 11, "moves": n}, f"moves must .* got {n}") for n in (-2, 45, 62)),
    ("partners", {"first": "Mirror"}, "different agents, got Mirror twice"),
    ("partners", {"second": "nobody"}, "second must be .* got 'nobody'"),
    ("thinking", {"belief": "V0"}, "belief must be .*got 'V0'"),
    ("thinking", {"n_deals": 1}, "n_deals must be .*got 1"),
]


@pytest.fixture(autouse=True)
def build(monkeypatch):
    """A book is built: nobody watches, so nothing pauses, and stored games are not played again."""
    monkeypatch.setenv(BOOK_BUILD, "1")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options", "shown"), RECORDED)
def test_a_page_carries_a_small_record(name, options, shown):
    states = check_record(KINDS[name](**options), shown)
    for state in states.values():
        if name == "thinking":
            check_drawing(state["svg"])


@pytest.mark.parametrize(("name", "played", "refused"), TOUCHES)
def test_what_was_played_is_kept_and_taken_back_and_nonsense_is_refused(name, played, refused):
    check_kept(KINDS[name], played)
    check_refused(KINDS[name], refused)


@pytest.mark.parametrize(("name", "options", "words"), WRONG)
def test_boards_that_cannot_be_made(name, options, words):
    with pytest.raises((ValueError, TypeError), match=words):
        KINDS[name](**options)


@pytest.mark.parametrize(
    ("name", "touch", "n_times"),
    [("promises", "step", 9), ("slots", "ten", 20), ("silence", "again", 9)],
)
def test_there_are_enough_steps_some_time(name, touch, n_times):
    board = KINDS[name]()
    for _ in range(n_times):
        board.touch(touch)
    with pytest.raises(WrongTouch, match=r"\d (steps |times )?are enough"):
        board.touch(touch)
