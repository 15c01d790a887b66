"""The table of Hanabi, played by touches."""

import copy
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from gameai_book.hanabi.boards import knowledge, words
from gameai_book.hanabi.boards.seat import MOVES
from gameai_book.hanabi.boards.table import HanabiBoard
from gameai_lib.hanabi.belief.exact import exact_belief
from gameai_lib.hanabi.belief.likelihood import likelihood_after
from gameai_lib.hanabi.belief.v0 import v0_belief
from gameai_lib.hanabi.game.box import COLOUR_NAMES, card_name, parse_card
from gameai_lib.hanabi.game.moves import Play
from gameai_lib.hanabi.game.play import play_game
from gameai_lib.hanabi.players.agents import RuleAgent, asked_slot
from gameai_lib.hanabi.players.policy import convention_would_act
from tests.hanabi.brute import deal, imagine
from tests.support.board_checks import check_drawing, check_session, play_on, touch
from touchbook.boards import Session

CONVENTION = RuleAgent("Convention")
NAMES = {move: name for name, move in MOVES.items()}


def as_convention(session, names=None):
    """The touch of the Convention agent in the reader's place, or None at the end."""
    state = session.board.state
    return None if state.is_over else NAMES[CONVENTION(state, None)]


def play(session, *names):
    """The answer to the last of some touches, none of which is wrong."""
    for name in names:
        answer = touch(session, name)
        assert answer["wrong"] == ""
    return answer


def play_moves(seed, n_moves, *views):
    """Session in which the reader has made the Convention's moves."""
    session = Session(HanabiBoard(seed=seed))
    for view in views:
        play(session, f"show-{view}")
    for _ in range(n_moves):
        play(session, as_convention(session))
    return session


def texts(svg):
    """All words of a picture, in order."""
    return ["".join(e.itertext()) for e in ET.fromstring(svg).iter() if e.tag.endswith("text")]


def labels(svg):
    """Accessible names by touch."""
    root = ET.fromstring(svg)
    return {e.get("data-touch"): e.get("aria-label") for e in root.iter() if e.get("data-touch")}


def check_moves(board):
    """All moves can be seen, and those that are not legal say so."""
    shown, state = labels(board.svg()), board.state
    moves = [name for name in shown if name in MOVES]
    assert len(moves) == (0 if state.is_over else 10 + 2 * len(state.hands[0]))
    possible = {name for name in moves if "not possible" not in shown[name]}
    assert possible == {NAMES[move] for move in state.legal_moves()}
    assert board.svg().count(' opacity="0.35"') == len(moves) - len(possible)


def check_words(board):
    """What is said before a move is what the rules say."""
    state, said, slot = board.state, board.say(), asked_slot(board.state)
    assert ("asks you to play" in said) == (slot is not None)
    assert slot is None or f"asks you to play slot {slot}," in said
    assert ("This is your last turn." in said) == (state.turns_left is not None)
    if not board.frames:
        return
    before = board.frames[-1].state
    assert ("As your hint asked" in said) == (asked_slot(before) is not None)
    if "It asked you for nothing" in said:
        hand = before.hands[0]
        newest = {card // 5: card for card in hand}, {card % 5: card for card in hand}
        for cards in newest:
            assert not before.playable()[list(cards.values())].any()


@pytest.mark.parametrize("seed", [0, 3])
def test_who_plays_as_the_convention_plays_the_game_of_two_programs(seed):
    game = list(play_game([CONVENTION] * 2, np.random.default_rng(seed)))
    said = []

    def choose(session, names):
        check_moves(session.board)
        said.append(session.board.say())
        if not session.board.state.is_over:
            check_words(session.board)
        return as_convention(session)

    session = play_on(HanabiBoard(seed=seed), choose)
    for phrase in ("asked you for nothing", "As your hint asked", "asks you to play"):
        assert phrase in "".join(said)
    board, shown = session.board, labels(session.board.svg())
    assert [frame.move for frame in board.frames] == [frame.move for frame in game]
    assert f"two Convention programs score {board.state.score}." in board.say()
    n = sum(frame.state.player == 0 for frame in game)
    assert f"You did what the Convention does in {n} of {n} moves.\n" in board.say()
    # At the end the cards are open, and an empty slot is empty.
    for slot, card in enumerate(board.state.hands[0]):
        name = f"{COLOUR_NAMES[card // 5]} {card % 5 + 1}"
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
    recorded = session.record()
    assert "Exact: no card can lie in two slots" in recorded["show-beliefs slot-0"]["svg"]
    both = {
        "play-4": "played G4 from slot 4, which fitted",
        "play-0": "Y4 from slot 0, which did not",
    }
    for name, said in both.items():
        assert said in recorded[f"show-beliefs {name} show-beliefs"]["say"]
    moves = [NAMES[f.move] for f in game[46:] if f.state.player == 0]
    play(session, *moves)
    # Only the reader's own moves are compared, and looked at.
    n = len(moves)
    assert f"You did what the Convention does in {n} of {n} moves.\n" in session.board.say()
    assert touch(session, f"turn-{n + 1}")["wrong"] == f"'turn-{n + 1}' cannot be touched here"
    assert "slot 4" in play(session, "turn-1")["say"]
    assert session.board.position is session.board.frames[46].state
    check_session(session)
    new = session.answer({"do": "new", "seed": 12})
    assert new["text"] == "board: hanabi\nseed: 12\nmoves: 0\ntouches: \n"


OPEN = "B5 B4 B3 B2 W5", "R1 Y3 R2 Y1 G4"
NO_1 = "R2 B4 R5 B2 W5", "Y3 Y4 G3 G4 W3"
RED = "R4 Y4 B4 R1 G5", "Y3 Y2 G3 G2 W3"
ONE = "R1 B4 R5 B2 W5", "Y3 Y4 G3 G4 W3"
WRONG = "G2 G3 G4 B2 B3", "Y2 Y3 Y4 W2 W3"
SAID = [  # hands, touches, and some of what is then said or shown
    (WRONG, ["play-0"] * 3, "The third life is lost, and with it all points. Your score is 0 of"),
    (OPEN, ["hint-yellow"], "your partner played Y1 from slot 3, which fitted. That tells nothing"),
    # Y3 has kept its place, and nothing is left of the slot that was played.
    (OPEN, ["hint-yellow"], "slot 1, yellow 3, hints say: yellow, just hinted"),
    (OPEN, ["hint-yellow"], 'slot 3, green 4, hints say: red, green, white or blue"'),
    # All can see that a 3 does not fit now: nothing is asked.
    (ONE, ["hint-3"], "Your partner hinted 1s, slot 0. That asks you to play slot 0"),
    (ONE, ["hint-3"], "Your slot 0: hints say 1. Open Beliefs about your hand to see"),
    (ONE, ["hint-3"], "Your slot 0, hints say: 1, just hinted"),
    (NO_1, ["hint-3"], "discarded Y4 from slot 1. It was the oldest card of which it knew neither"),
    (NO_1, ["hint-3"], "the newest card of each colour and of each rank in your hand did not"),
    (NO_1, ["hint-3"], "slot 1, green 3, hints say: 3, just hinted"),  # it has moved up
    # Red touches slots 0 and 3. That the partner chose it tells that the newest, slot 3, fits: of
    # ten red cards three are R1, and 200,000 hands are too many to list.
    (RED, ["show-reasons", "hint-3"], "slot 3 30 % → >99 %"),
    (RED, ["discard-2"], "You cannot discard slot 2: no discard with all 8 information tokens."),
    (RED, ["hint-red"], "You cannot hint red: the hint touches no card."),
    (RED, ["hint-5"], "You cannot hint 5s: the hint touches no card."),
]


@pytest.mark.parametrize(("hands", "touches", "phrase"), SAID)
def test_what_happened_is_told_and_shown(hands, touches, phrase):
    board = HanabiBoard()
    board.start = deal(*hands)
    session = Session(board)
    for name in touches:
        answer = touch(session, name)
    shown = answer["say"] + answer["svg"] + answer["wrong"]
    # A card and its chance, and a change, stay on one line wherever the words are broken.
    assert phrase in shown.replace("\N{NO-BREAK SPACE}", " ")


def test_chances_in_percents():
    chances = {0: "0", 0.004: "<1", 0.3: "30", 0.997: ">99", 1 - 1e-12: "100", 1: "100"}
    for p, said in chances.items():
        assert words.percent(p) == f"{said}\N{NO-BREAK SPACE}%"


def test_what_the_workshop_says_of_a_silence():
    def fits(board):
        pairs = knowledge.fits(board.beliefs, board.state.playable())
        return [[round(100 * p) for p in pair] for pair in pairs]

    session = Session(HanabiBoard(seed=8))
    play(session, "hint-yellow", "discard-0", "play-4", "play-3", "play-3")
    assert fits(session.board)[0] == [24, 2]
    play(session, "hint-yellow", "discard-3")
    # It is a Y3 that newer cards cover in colour and rank: L has nearly lost that.
    assert fits(session.board)[0] == [97, 80]
    assert session.board.beliefs.told[0].argmax() == parse_card("Y4")
    assert session.board.state.hands[0] == tuple(map(parse_card, ["Y3", "R1", "B1", "Y1", "Y1"]))


def test_nothing_shown_depends_on_the_own_cards():
    board, rng = play_moves(5, 12, "beliefs", "reasons").board, np.random.default_rng(12)
    for _ in range(3):
        changed, other = imagine(board.state, 0, rng), copy.copy(board)
        assert changed.hands != board.state.hands
        other.frames = (*board.frames[:-1], board.frames[-1]._replace(next_state=changed))
        assert other.svg() == board.svg()
        assert other.say() == board.say()


def test_beliefs_are_those_of_the_library():
    session, likelihood, n_frames = play_moves(5, 0, "beliefs", "reasons"), np.ones((5, 26)), 0
    while not session.board.state.is_over:
        board, state = session.board, session.board.state
        for turn, frame in enumerate(board.frames[n_frames:], n_frames):
            rng = np.random.default_rng([5, turn, 1])
            known = frame, convention_would_act, rng, likelihood
            likelihood = likelihood_after(*known, player=0)
        n_frames, view, fits = len(board.frames), state.view(0), state.playable()
        expected = v0_belief(*view), exact_belief(*view), exact_belief(*view, likelihood)
        rows = np.concatenate([b[: len(state.hands[0])] for b in expected]).round(12)
        shown = texts(board.svg())
        best = [f"{card_name(int(r.argmax()))} {words.percent(r.max())}" for r in rows]
        assert [t for t in shown if t[0] in "RYGWBn" and t.endswith("%")] == best
        chances = [f"fits {words.percent(row @ fits)}" for row in rows]
        assert [t for t in shown if t.startswith("fits")] == chances
        # What the likelihood was before the partner's last choice shows where that changes it.
        pairs = zip(board.beliefs.before @ fits, board.beliefs.told @ fits, strict=True)
        was = [f"was {words.percent(a)}" for a, b in pairs if abs(a - b) >= 0.05]
        assert [t for t in shown if t.startswith("was")] == was
        # Every third time the reader does not play as the partner would.
        others = [NAMES[m] for m in state.legal_moves() if not isinstance(m, Play)]
        name = others[0] if others and len(board.log) % 3 == 2 else as_convention(session)
        play(session, name)


def test_the_table_of_a_slot_is_its_belief():
    session = play_moves(11, 5, "beliefs", "reasons")
    shown = texts(play(session, "slot-3")["svg"])
    at = shown.index("Slot 3, every card, in percent")
    for name, belief in zip(knowledge.NAMES, session.board.beliefs, strict=False):
        # Five ranks stand above, and a letter before each row of five.
        cells = shown[shown.index(name, at) + 6 :][:30]
        assert cells[::6] == list("RYGWB")
        del cells[::6]
        for cell, p in zip(cells, belief[3], strict=False):
            assert cell == ("·" if p == 0 else "<1" if p < 0.005 else str(round(100 * p)))


def test_moves_are_looked_at_again():
    session = play_moves(6, 4)
    state = session.board.state
    usual = CONVENTION(state, None)
    different = next(m for m in state.legal_moves() if m != usual and not isinstance(m, Play))
    play(session, NAMES[different])
    while (name := as_convention(session)) is not None:
        play(session, name)
    said, n = session.board.say(), len(session.board.decisions())
    assert f"You did what the Convention does in {n - 1} of {n} moves." in said
    first = f"Your move 5 was the first that differs: you chose to {words.order(different)}, "
    assert first in said
    looked = play(session, "turn-5")
    pair = f"you {words.order(different)}, the Convention {words.would(usual)}"
    assert looked["say"].startswith(f"Before your move 5, with your cards open. Move 5: {pair}.")
    assert f"Move 5: {pair}" in texts(looked["svg"])
    assert play(session, "turn-5")["say"] == said
    play(session, "show-beliefs", "show-reasons")
    for i in range(1, n + 1):
        answer = play(session, f"turn-{i}")
        board, shown = session.board, texts(answer["svg"])
        assert board.position is board.frames[2 * i - 2].state
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
    check_drawing(session.board.svg())


def test_nothing_is_drawn_outside_the_picture_and_targets_do_not_overlap():
    check_drawing(play_moves(1, 3, "beliefs", "reasons").board.svg())
