"""What holds for every bench: it is kept, taken back and recorded, and refuses what is none."""

import pytest

from gameai_book.btmm.boards.league import LeagueBoard
from gameai_book.btmm.boards.moves import MovesBoard
from gameai_book.btmm.boards.step import PLACES, StepBoard
from gameai_book.btmm.boards.triangle import TriangleBoard
from tests.support.board_checks import check_session, targets, touch
from touchbook.boards import Session, WrongTouch

BENCHES = [  # touches, what cannot be touched, and runs that a page without Python shows
    (
        LeagueBoard,
        "home-0-1 prior-2 ties-half home-4-3",
        "home-0-0 home-0-5 prior-3 prior-x ties-none home",
        ["", "home-0-4", "prior-0 home-2-0 home-2-0", "ties-half"],
    ),
    (
        MovesBoard,
        "update update played-211111 update",
        "played- played-12 played-1234567 played-²11111 played-x11111 at",
        ["", "update", *(f"{name}{3 * ' update'}" for name in targets(MovesBoard().svg()))],
    ),
    (
        StepBoard,
        "step at-3 step won-30-of-40 step",
        "at-11 at- won-5-of-4 won-3-of-4 leap",
        ["", "step step", *(f"at-{place} step" for place in range(len(PLACES)))],
    ),
    (
        TriangleBoard,
        "at-3-3 step C-beat-A none-for-C step",
        "A-beat-A at-0-1 at-5-5 at-x-y at-5 D-beat-A",
        ["", "step step step", "at-1-1 step step"],
    ),
]


@pytest.mark.parametrize(("make", "touches", "wrong", "recorded"), BENCHES)
def test_a_bench_is_kept_taken_back_refuses_and_is_recorded(make, touches, wrong, recorded):
    session, states = Session(make()), Session(make()).record()
    for name in touches.split():
        said = touch(session, name)
        assert said["wrong"] == ""
        targets(said["svg"])
    assert list(session.board.log) == touches.split()
    check_session(session)
    for name in wrong.split():
        with pytest.raises(WrongTouch):
            make().touch(name)
    for log in recorded:
        session = Session(make())
        for name in log.split():
            touch(session, name)
        assert states[log] == session.answer({"do": "look"}) | {"recorded": True}
