"""The partner that thinks: what it does and shows is what the library's searcher thinks."""

import copy

import numpy as np
import pytest

from gameai_book.hanabi.boards import words
from gameai_book.together.boards.thinking import DUEL, ThinkingBoard
from gameai_book.together.boards.thoughts import BELIEFS, Search, choose_rows
from gameai_lib.hanabi import Play, RuleAgent, Searcher, play_game
from gameai_lib.hanabi.players.searcher import Thought
from tests.hanabi.brute import imagine
from tests.hanabi.test_board import as_convention, texts
from tests.support.board_checks import targets, touch
from touchbook.board import pace
from touchbook.boards import Session

CONVENTION = RuleAgent("Convention")
SEAT = {"seed": 18, "moves": 30}


@pytest.fixture(autouse=True)
def nobody_looks(monkeypatch):
    monkeypatch.setattr(pace, "PACE", 0)


def searched(state, turn, belief, n_deals, seed):
    """The last thought of the library's searcher there, which cannot see its own hand."""
    rng, searcher = np.random.default_rng([seed, turn, 2]), Searcher(CONVENTION, belief, n_deals)
    *_, thought = searcher.think(state.hide_hand(state.player), rng)
    return thought


def played(board, most=1000):
    """Session in which the reader has made the Convention's moves."""
    session = Session(board)
    while most and (name := as_convention(session)) is not None:
        assert touch(session, name)["wrong"] == ""
        most -= 1
    return session


def think(session):
    """What the board answers after each step of thinking."""
    while (answer := session.answer({"do": "think"}))["thinking"]:
        yield answer


@pytest.mark.parametrize("belief", BELIEFS)
def test_the_partner_is_the_librarys_searcher(belief):
    session = played(ThinkingBoard(seed=5, belief=belief, n_deals=20))
    board, gains = session.board, []
    for turn, frame in enumerate(board.frames):
        if frame.state.player == 1:
            thought = searched(frame.state, turn, belief, 20, 5)
            assert frame.move == thought.choose(Searcher.margin)
            if frame.move != CONVENTION(frame.state, None):
                gains.append(float(thought.gains[thought.moves.index(frame.move)]))
    assert gains
    n = sum(frame.state.player for frame in board.frames)
    assert f"left the Convention in {len(gains)} of its {n} moves, and" in board.say()
    assert f"expected to gain {sum(gains):.1f} points by that in all." in board.say()
    assert "Touch the number of a move to see its chart." in texts(board.svg())


@pytest.mark.slow
def test_at_the_end_others_have_played_the_same_deck():
    session = played(ThinkingBoard(seed=6, moves=10, n_deals=20))
    game = list(play_game([CONVENTION] * 2, np.random.default_rng(6)))
    assert f"two Convention programs score {game[-1].next_state.score}." in session.board.say()
    assert session.board.thinks == DUEL
    assert "have built" in next(think(session))["say"]
    assert not [*think(session)][-1]["wrong"]
    state, rng = game[10].state, np.random.default_rng([6, 3])
    while not state.is_over:
        state = state.apply(Searcher(CONVENTION, "soft L", 20)(state.hide_hand(state.player), rng))
    said = f"Two searchers who sit down where you did score {state.score}."
    assert said in session.board.say()
    assert session.board.thinks == ""
    assert "as the Convention does" in touch(session, "turn-2")["say"]
    assert session.board.thinks


def test_a_belief_that_reads_choices_plays_what_the_hint_asked_for():
    session = Session(ThinkingBoard(**SEAT))
    state = session.board.state
    assert state.playable()[state.hands[0][4]]  # so it should be played
    found = []
    for name in ("show-seat", "belief-hints"):
        touch(session, name)
        *_, answer = think(session)
        found.append(dict(session.board.panels())[0])
    reads, counts = found
    assert [s.belief for s in (reads, counts)] == ["soft L", "exact"]
    wanted = counts.thought.moves.index(CONVENTION(state, None))
    assert wanted == reads.choice == 0 != counts.choice
    assert f"{counts.thought.gains[counts.choice]:.2f} points on average" in answer["say"]
    assert counts.thought.gains[counts.choice] > 0.4 > reads.thought.gains[counts.choice]
    # What it imagined: with the choices slot 4 is R2, without them any red card that is left.
    assert reads.thought.belief[4, 1] > 0.9 > 0.5 > counts.thought.belief[4, 1]
    touch(session, "belief-soft")
    assert "slot 4 was most often R2" in touch(session, "slot-4")["say"]


def test_a_search_that_is_sure_early_says_so():
    session = Session(ThinkingBoard(**SEAT, belief="exact with L"))
    said = touch(session, "show-seat")["say"]
    assert "It tried 13 moves on 10 deals. After 10 deals all other moves were clearly" in said
    assert "After 10 deals" not in next(think(session))["say"]  # it thinks on


def test_thinking_aloud_grows_to_all_deals_and_changes_no_move():
    session = Session(ThinkingBoard(seed=24))
    assert session.board.thinks == ""
    touch(session, "hint-red")
    at_rest = session.board
    seen = []
    for answer in think(session):
        ((_, search),) = session.board.panels()
        thought = search.thought
        seen.append(int(thought.n_deals.max()))
        assert f"on {seen[-1]} deals" in answer["say"]
        assert answer["say"].count("Thinking on, ") == 1
        targets(answer["svg"])
    assert seen == [10, 20, 40, 80, 160, 320, 640, 800]
    alone = searched(at_rest.frames[1].state, 1, "soft L", 800, 24)
    assert (thought.gains == alone.gains).all()
    assert (thought.errors == alone.errors).all()
    assert session.board.frames is at_rest.frames
    assert session.board.log == ("hint-red",)
    unwatched = Session(ThinkingBoard(seed=24))
    touch(unwatched, "hint-red")
    assert touch(unwatched, "hint-blue") == touch(session, "hint-blue")


def test_a_belief_is_part_of_the_game():
    session = played(ThinkingBoard(seed=24, n_deals=20), 3)
    before = session.answer({"do": "look"})
    assert touch(session, "belief-soft")["text"] == before["text"]  # it has it already
    assert touch(session, "belief-hints")["text"].endswith(" belief-hints\n")
    touch(session, as_convention(session))
    frame = session.board.frames[-1]
    assert frame.move == searched(frame.state, 7, "exact", 20, 24).choose(Searcher.margin)


def test_nothing_shown_depends_on_the_own_cards():
    session = played(ThinkingBoard(seed=5, n_deals=20), 6)
    for name in ("show-seat", "slot-1"):
        touch(session, name)
    board, rng = session.board, np.random.default_rng(12)
    for _ in range(3):
        other, changed = copy.copy(board), imagine(board.state, 0, rng)
        assert changed.hands != board.state.hands
        other.frames = (*board.frames[:-1], board.frames[-1]._replace(next_state=changed))
        assert other.svg() == board.svg()
        assert other.say() == board.say()


def test_rows_are_the_choice_the_conventions_move_and_the_most_promising():
    gains = np.array([0, 0.9, -0.2, 0.3, -4.0, 0.1])
    n_deals = np.array([80, 20, 80, 80, 10, 40])
    thought = Thought(
        tuple(map(Play, range(6))), gains, gains / 10, n_deals, np.zeros((80, 5), int)
    )
    search = Search(None, 0, "exact", thought)
    assert search.choice == 3  # and not the move that was given up
    assert choose_rows(search, 6) == [3, 0, 2, 5, 1, 4]
    assert choose_rows(search, 3) == [3, 0, 2]
    other = search._replace(thought=thought._replace(gains=-gains))
    assert (other.choice, choose_rows(other, 2)) == (2, [2, 0])


def test_the_picture_is_the_thought():
    session = played(ThinkingBoard(seed=24), 2)
    board = session.board
    shown, ((_, search),) = texts(board.svg()), board.panels()
    thought, rows = search.thought, choose_rows(search, 8)
    assert f"best 8 of {len(thought.moves)}" in shown
    start = shown.index("+2") + 1
    assert shown[start : start + 16 : 2] == [words.order(thought.moves[k]) for k in rows]
    for told, k in zip(shown[start + 1 : start + 16 : 2], rows, strict=True):
        n, most = thought.n_deals[k], thought.n_deals.max()
        assert told == (f"{n}" if n == most else f"{n} of {most}")
