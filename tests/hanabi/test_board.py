"""Boards of hanabi, played by touches."""

import copy
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from gameai_book.hanabi.boards import knowledge, words
from gameai_book.hanabi.boards.seat import MOVES
from gameai_book.hanabi.boards.table import HanabiBoard
from gameai_lib.hanabi.belief.exact import exact_belief
from gameai_lib.hanabi.belief.likelihood import own_likelihood
from gameai_lib.hanabi.belief.v0 import v0_belief
from gameai_lib.hanabi.game.cards import HintColour, Play, card_name, parse_card
from gameai_lib.hanabi.game.play import play_game
from gameai_lib.hanabi.players.agents import RuleAgent
from gameai_lib.hanabi.players.convention import asked_slot, convention_would_act
from tests.hanabi.brute import deal, imagine
from tests.support.board_checks import check_drawing, check_session, play_on, touch
from touchbook.boards import Session

CONVENTION = RuleAgent("Convention")
NAMES = {move: name for name, move in MOVES.items()}


def dealt(yours, partners, then=""):
    """A board with these hands; the deck begins with `then`, and what remains is in order."""
    board = HanabiBoard()
    board.start = deal(yours, partners, then=then)
    return board


def as_convention(session, names=None):
    """The touch of the Convention agent in the reader's place, or None at the end."""
    state = session.board.state
    return None if state.is_over else NAMES[CONVENTION(state, None)]


def played(seed, n_moves=1000, *views):
    """Session in which the reader has made the Convention's moves."""
    session = Session(HanabiBoard(seed=seed))
    for view in views:
        touch(session, f"show-{view}")
    for _ in range(n_moves):
        if (name := as_convention(session)) is None:
            break
        assert touch(session, name)["wrong"] == ""
    return session


def texts(svg):
    """All words of a picture, in order."""
    return ["".join(e.itertext()) for e in ET.fromstring(svg).iter() if e.tag.endswith("text")]


def labels(svg):
    """Accessible names by touch."""
    root = ET.fromstring(svg)
    return {e.get("data-touch"): e.get("aria-label") for e in root.iter() if e.get("data-touch")}


def check_words_and_labels(session):
    """What is said and shown before a move is what the rules say."""
    board, shown = session.board, labels(session.board.svg())
    state, said = board.state, board.say()
    n = len(state.hands[0])
    hints = {name for name in MOVES if name.startswith("hint")}
    moves = hints | {f"{verb}-{i}" for verb in ("play", "discard") for i in range(n)}
    possible = {name for name in moves if "not possible" not in shown.get(name, "not possible")}
    assert {name for name in shown if name in MOVES} == (set() if state.is_over else moves)
    assert possible == {NAMES[move] for move in state.legal_moves()}
    if state.is_over:
        return
    groups = ET.fromstring(board.svg()).iter("{http://www.w3.org/2000/svg}g")
    assert sum(g.get("opacity") is not None for g in groups) == len(moves) - len(possible)
    slot = asked_slot(state)
    assert ("asks you to play slot" in said) == (slot is not None)
    assert slot is None or f"asks you to play slot {slot}," in said
    assert ("This is your last turn." in said) == (state.turns_left is not None)
    if not board.frames:
        return
    before = board.frames[-1].state
    asked = asked_slot(before) is not None
    assert ("As your hint asked" in said) == asked
    if "It asked you for nothing" in said:
        assert not asked
        assert before.n_hints
        # So it is: no newest card of a colour or rank can be played.
        hand = before.hands[0]
        for same in ([c // 5 for c in hand], [c % 5 for c in hand]):
            newest = {key: card for key, card in zip(same, hand, strict=True)}
            assert not before.playable()[list(newest.values())].any()
        # The newest but one could hide only behind a card of its colour and of its rank.
        assert not before.playable()[list(hand[-2:])].any()


@pytest.mark.parametrize("seed", [0, 3])
def test_who_plays_as_the_convention_plays_the_game_of_two_programs(seed):
    game = list(play_game([CONVENTION] * 2, np.random.default_rng(seed)))
    told = []

    def choose(session, names):
        check_words_and_labels(session)
        told.append(session.board.say())
        return as_convention(session)

    session = play_on(HanabiBoard(seed=seed), choose)
    for words_of_a_move in ("asked you for nothing", "As your hint asked", "asks you to play"):
        assert words_of_a_move in "".join(told)
    board = session.board
    assert [frame.move for frame in board.frames] == [frame.move for frame in game]
    assert board.state.score == game[-1].next_state.score == board.rivals()["Convention"]
    *_, two = play_game([RuleAgent("Van den Bergh")] * 2, np.random.default_rng(seed))
    assert f"two Van den Bergh programs {two.next_state.score}" in board.say()
    n = sum(frame.state.player == 0 for frame in game)
    assert f"You did what the Convention does in {n} of {n} moves.\n" in board.say()
    # At the end the cards are open, and an empty slot is empty.
    shown = labels(board.svg())
    for slot, card in enumerate(board.state.hands[0]):
        name = f"{('red', 'yellow', 'green', 'white', 'blue')[card // 5]} {card % 5 + 1}"
        assert shown[f"slot-{slot}"].startswith(f"Your slot {slot}, {name}, hints say")
    assert touch(session, "slot-4")["wrong"] == "'slot-4' cannot be touched here"
    check_session(session)


def test_a_reader_sits_down_in_a_game_of_two_programs():
    game = list(play_game([CONVENTION] * 2, np.random.default_rng(11)))
    session = Session(HanabiBoard(seed=11, moves=46))
    board = session.board
    assert [f.move for f in board.frames] == [f.move for f in game[:46]]
    # The puzzle is not spoiled: the cards alone tell which of the 4s is green.
    assert "hinted 4s, slots 0, 3 and 4.\nYour turn" in board.say()
    assert "asked" not in board.svg()
    assert board.chosen is None
    moves = [NAMES[f.move] for f in game[46:] if f.state.player == 0]
    for move in moves:
        assert touch(session, move)["wrong"] == ""
    board, n = session.board, len(moves)
    assert board.state.score == game[-1].next_state.score
    # Only the reader's own moves are compared, and looked at.
    assert f"You did what the Convention does in {n} of {n} moves.\n" in board.say()
    assert "slot 4" in touch(session, "turn-1")["say"]
    assert session.board.position is board.frames[46].state
    assert touch(session, f"turn-{n + 1}")["wrong"] == f"'turn-{n + 1}' cannot be touched here"
    touch(session, "turn-1")
    check_session(session)
    new = session.answer({"do": "new", "seed": 12})
    assert new["text"] == "board: hanabi\nseed: 12\nmoves: 0\ntouches: \n"


def test_a_seat_is_recorded_with_its_beliefs_and_the_cards_that_were_hinted_at():
    states = Session(HanabiBoard(seed=11, moves=46)).record()
    plays = [f"play-{slot}" for slot in (0, 3, 4)]
    assert set(states) == {
        "", "show-beliefs", "show-beliefs show-beliefs",
        *(f"show-beliefs slot-{slot}" for slot in range(5)),
        *plays, *(f"{play} show-beliefs" for play in plays),
        *(f"show-beliefs {play}" for play in plays),
        *(f"show-beliefs {play} show-beliefs" for play in plays),
    }  # fmt: skip
    assert states["show-beliefs"]["views"] == [["show-beliefs", "Beliefs about your hand", True]]
    assert "played G4 from slot 4, which fitted" in states["play-4"]["say"]
    assert "played Y4 from slot 0, which did not fit" in states["play-0"]["say"]


def test_three_wrong_cards_lose_all():
    session = Session(dealt("G2 G3 G4 B2 B3", "Y2 Y3 Y4 W2 W3", "R1 R2"))
    for _ in range(3):
        assert touch(session, "play-0")["wrong"] == ""
    board = session.board
    assert board.state.n_lives == 0
    assert "The third life is lost, and with it all points. Your score is 0 of 25." in board.say()
    assert touch(session, "play-0")["wrong"] == "You cannot play slot 0: the game is over."


def test_a_hint_is_taken_as_the_convention_says():
    session = Session(dealt("B5 B4 B3 B2 W5", "R1 Y3 R2 Y1 G4"))
    pointed = touch(session, "partner-3")["say"]
    assert "Yellow would touch slots 1 and 3 and ask for slot 3, Y1." in pointed
    assert "1s would touch slots 0 and 3 and ask for slot 3, Y1." in pointed
    pointed = touch(session, "partner-2")["say"]
    assert "Red would touch slots 0 and 2 and ask for slot 2, R2, which does not fit." in pointed
    answer = touch(session, "hint-yellow")
    assert answer["say"].startswith(
        "You hinted yellow, slots 1 and 3. As your hint asked, your partner played Y1 from slot 3, "
        "which fitted. That tells nothing about your hand."
    )
    # Y3 has kept its place, and nothing is left of the slot that was played.
    assert words.hinted_slots(session.board.frames, 1) == [1]
    assert "just hinted" in labels(answer["svg"])["partner-1"]
    assert "just hinted" not in labels(answer["svg"])["partner-3"]


def test_the_partner_asks_for_a_card_or_says_that_it_does_not():
    # All can see that a 3 does not fit now: nothing is asked. The partner sees R1.
    session = Session(dealt("R1 B4 R5 B2 W5", "Y3 Y4 G3 G4 W3"))
    answer = touch(session, "hint-3")
    assert "Your partner hinted 1s, slot 0. That asks you to play slot 0" in answer["say"]
    assert session.board.chosen == 0
    assert "Your hand: asked to play slot 0" in texts(answer["svg"])
    assert "Your slot 0: hints say 1. Open Beliefs about your hand to see" in answer["say"]
    assert labels(answer["svg"])["slot-0"] == "Your slot 0, hints say: 1, just hinted"
    assert labels(answer["svg"])["slot-1"] == "Your slot 1, hints say: 2, 3, 4 or 5"
    session = Session(dealt("R2 B4 R5 B2 W5", "Y3 Y4 G3 G4 W3"))
    answer = touch(session, "hint-3")
    assert session.board.chosen is None
    # The 3s lay in slots 0, 2 and 4; the last two have moved up.
    assert words.hinted_slots(session.board.frames, 1) == [0, 1, 3]
    assert "Your partner discarded Y4 from slot 1. It was the oldest card of which" in answer["say"]
    assert "the newest card of each colour and of each rank in your hand did not" in answer["say"]


def test_chances_in_percents():
    chances = {0: "0", 0.004: "<1", 0.3: "30", 0.997: ">99", 1 - 1e-12: "100", 1: "100"}
    for p, said in chances.items():
        assert words.percent(p) == f"{said}\N{NO-BREAK SPACE}%"


def test_what_chapters_say_of_a_silence():
    session = Session(HanabiBoard(seed=8))
    moves = ["hint-yellow", "discard-0", "play-4", "play-3", "play-3", "hint-yellow", "discard-3"]
    fits = []
    for name in moves:
        assert touch(session, name)["wrong"] == ""
        board = session.board
        fits.append(knowledge.fits(board.beliefs, board.state.playable()))
    assert [round(100 * p) for p in fits[4][0]] == [24, 2]
    assert fits[4][3][1] < 0.005 > fits[4][4][1]
    assert fits[4][1][1] > 0.2
    # A card that newer ones cover in colour and rank: L has nearly lost what was there.
    assert board.state.hands[0] == tuple(map(parse_card, ["Y3", "R1", "B1", "Y1", "Y1"]))
    assert [round(100 * p) for p in fits[6][0]] == [97, 80]
    assert board.beliefs.told[0].argmax() == parse_card("Y4")


def test_nothing_shown_depends_on_the_own_cards():
    board, rng = played(5, 12, "beliefs", "reasons").board, np.random.default_rng(12)
    for _ in range(3):
        changed, other = imagine(board.state, 0, rng), copy.copy(board)
        assert changed.hands != board.state.hands
        other.frames = (*board.frames[:-1], board.frames[-1]._replace(next_state=changed))
        assert other.svg() == board.svg()
        assert other.say() == board.say()


def test_beliefs_are_those_of_the_library():
    session, likelihood, n_frames = played(5, 0, "beliefs", "reasons"), np.ones((5, 26)), 0
    while not session.board.state.is_over:
        board, state = session.board, session.board.state
        for turn, frame in enumerate(board.frames[n_frames:], n_frames):
            rng = np.random.default_rng([5, turn, 1])
            likelihood = own_likelihood(likelihood, frame, 0, convention_would_act, rng)
        n_frames, view, fits = len(board.frames), state.view(0), state.playable()
        expected = v0_belief(*view), exact_belief(*view), exact_belief(*view, likelihood)
        expected = [belief.round(12) for belief in expected]
        for found, right in zip(board.beliefs, expected, strict=False):
            assert np.array_equal(found, right)
        hand, shown = state.hands[0], texts(board.svg())
        assert (expected[2][range(len(hand)), hand] > 0).all()
        rows = np.concatenate([right[: len(hand)] for right in expected])
        best = [f"{card_name(int(r.argmax()))} {words.percent(r.max())}" for r in rows]
        assert [t for t in shown if t[0] in "RYGWBn" and t.endswith("%")] == best
        assert [t for t in shown if t.startswith("fits")] == [
            f"fits {words.percent(r @ fits)}" for r in rows
        ]
        # What the likelihood was before the partner's last choice shows where that changes it.
        pairs = zip(board.beliefs.before @ fits, board.beliefs.told @ fits, strict=True)
        was = [f"was {words.percent(a)}" for a, b in pairs if abs(a - b) >= 0.05]
        assert [t for t in shown if t.startswith("was")] == was
        # Every third time the reader does not play as the partner would.
        others = [NAMES[m] for m in state.legal_moves() if not isinstance(m, Play)]
        name = others[0] if others and len(board.log) % 3 == 2 else as_convention(session)
        assert touch(session, name)["wrong"] == ""


def test_the_table_of_a_slot_is_its_belief():
    session = played(11, 5, "beliefs", "reasons")
    for slot in range(5):
        answer = touch(session, f"slot-{slot}")
        shown = texts(answer["svg"])
        at = shown.index(f"Slot {slot}, every card, in percent")
        for name, belief in zip(knowledge.NAMES, session.board.beliefs, strict=False):
            start = shown.index(name, at) + 1 + 5
            for colour in range(5):
                letter, *cells = shown[start + 6 * colour : start + 6 * colour + 6]
                assert letter == "RYGWB"[colour]
                for cell, p in zip(cells, belief[slot, 5 * colour : 5 * colour + 5], strict=True):
                    right = "·" if p == 0 else "<1" if p < 0.005 else str(round(100 * p))
                    assert cell == right
        assert f"Your slot {slot} (" in answer["say"]


def test_a_choice_that_tells_makes_the_true_card_likelier():
    # Red touches slots 0 and 3. That the partner chose it tells that the newest, slot 3, fits.
    session = Session(dealt("R4 Y4 B4 R1 G5", "Y3 Y2 G3 G2 W3"))
    touch(session, "show-reasons")
    answer = touch(session, "hint-3")
    assert session.board.frames[1].move == HintColour(0, 0)
    found, R1, R4 = session.board.beliefs, parse_card("R1"), parse_card("R4")
    # Of ten red cards in slot 3 three are R1.
    assert found.before[3, R1] == pytest.approx(0.3)
    assert found.told[3, R1] > 0.99  # not 1, for 200,000 hands are too many to list
    assert found.told[0, R4] > found.before[0, R4]
    # A card and its chance, and a change, stay on one line wherever the words are broken.
    rise = "R1 30 % → >99 %".replace(" ", "\N{NO-BREAK SPACE}")
    assert f"▲ slot 3: {rise}" in texts(answer["svg"])
    *_, told = answer["say"].split("\n")
    assert told.startswith("Your partner's choice alone has told you something. The chance to fit")
    assert told.endswith(f". It tells most about slot 3: {rise}.")


def test_a_wrong_touch_says_why_and_changes_nothing():
    session = Session(dealt("R1 R1 R1 R2 R3", "Y1 Y1 W1 B2 B3"))
    before = touch(session, "slot-1")
    for name, why in {
        "discard-2": "You cannot discard slot 2: no discard with all 8 information tokens.",
        "hint-green": "You cannot hint green: the hint touches no card.",
        "hint-5": "You cannot hint 5s: the hint touches no card.",
    }.items():
        after = touch(session, name)
        assert after["wrong"] == why
        assert {**after, "wrong": ""} == before


def test_moves_are_looked_at_again():
    session = played(6, 4)
    state = session.board.state
    usual = CONVENTION(state, None)
    different = next(m for m in state.legal_moves() if m != usual and not isinstance(m, Play))
    touch(session, NAMES[different])
    while (name := as_convention(session)) is not None:
        touch(session, name)
    board, said = session.board, session.board.say()
    n = len(board.decisions())
    assert f"You did what the Convention does in {n - 1} of {n} moves." in said
    assert (
        f"Your move 5 was the first that differs: you chose to {words.order(different)}, " in said
    )
    looked = touch(session, "turn-5")
    assert session.board.log == board.log
    assert looked["say"].startswith("Before your move 5, with your cards open. Move 5: you ")
    assert session.board.position is board.frames[8].state
    said_of_it = f"you {words.order(different)}, the Convention {words.would(usual)}"
    assert f"{said_of_it}." in looked["say"]
    assert f"Move 5: {said_of_it}" in texts(looked["svg"])
    assert touch(session, "turn-5")["say"] == said
    touch(session, "show-beliefs")
    touch(session, "show-reasons")
    for i in range(1, n + 1):
        answer = touch(session, f"turn-{i}")
        board, shown = session.board, texts(answer["svg"])
        assert f"Your hand before your move {i}, open" in shown
        assert ("as the Convention does" in answer["say"]) == (i != 5)
        # The true cards, and what each belief gave them.
        right = [
            f"is {card_name(card)} {words.percent(belief[slot, card])}"
            for belief in board.beliefs[:3]
            for slot, card in enumerate(board.position.hands[0])
        ]
        assert [t for t in shown if t.startswith("is ")] == right
        rule = CONVENTION.decide(board.position, None)[1]
        assert f" Its reason: {words.ADVICE[rule]}." in answer["say"]


@pytest.mark.parametrize("n_moves", [3, 1000])
def test_nothing_is_drawn_outside_the_picture_and_targets_do_not_overlap(n_moves):
    board = played(1, n_moves, "beliefs", "reasons").board
    check_drawing(board.svg())
