"""Boards of stones: two games against the weights, guesses and a line, played by touches."""

import copy
import re
from itertools import pairwise, product

import numpy as np
import pytest

from gameai_book.btmm.boards.bench import format_strength
from gameai_book.btmm.boards.connect6 import Connect6Board
from gameai_book.btmm.boards.grid import percent
from gameai_book.btmm.boards.guess import GuessBoard
from gameai_book.btmm.boards.line import LineBoard, after_touch
from gameai_book.btmm.boards.reversi import ReversiBoard
from gameai_book.btmm.results import models
from gameai_lib.btmm import from_positions, predict_proba
from gameai_lib.btmm.game import connect6, patterns, reversi
from gameai_lib.btmm.game.positions import BLACK, WHITE, records
from gameai_lib.btmm.records import sgf
from tests.support.board_checks import check_session, play_on, targets, touch
from touchbook.boards import Session, WrongTouch

WON = "j10 a1 b1 a3 b3 c1 d1 c3 d3 e1 f1"  # White has six on row 1
COLOURS = {"black": BLACK, "white": WHITE}


def legal_cells(board):
    """Cells that the rules allow, asked of them and not of the board."""
    if not board.turn:
        return []
    if isinstance(board, ReversiBoard):
        return reversi.legal_moves(board.stones, board.turn).tolist()
    return connect6.legal_moves(board.stones).tolist()


def movers(board):
    """Who made each move, by the rules, which also find all moves legal."""
    if isinstance(board, ReversiBoard):
        return reversi.replay(records([board.moves])).to_move.tolist()
    connect6.replay(records([board.moves]))
    return [connect6.mover(ply) for ply in range(len(board.moves))]


def winner_of(board):
    """The winner by the rules, 0 for a draw."""
    if isinstance(board, ReversiBoard):
        [discs] = reversi.verdicts(records([board.moves]))[1].tolist()
        return 0 if discs == 32 else BLACK if discs > 32 else WHITE
    return int(connect6.winner_of(records([board.moves]))[0])


def probabilities(name, position):
    """The model's chances of the moves of one position, by the library."""
    model = models.load_model(name)
    return predict_proba(model.gamma, from_positions(position, model.features))[0]


# Against the weights


def play_at_random(board):
    """A session of a game in which the reader touches legal places at random, to the end."""
    rng = np.random.default_rng(1)

    def choose(session, names):
        cells = legal_cells(session.board)
        if not cells:
            return None
        square = session.board.grid.square_of(int(rng.choice(cells)))
        assert {square, f"aim-{square}"} & set(names)
        return square

    return play_on(board, choose)


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("make", [ReversiBoard, Connect6Board])
def test_whole_games(make, colour):
    board, mine = make(colour=colour, seed=1, temperature=0.25), COLOURS[colour]
    board.shown = frozenset(["chances"])
    session = play_at_random(board)
    board, square_of = copy.copy(session.board), board.grid.square_of
    end = {0: "a draw", mine: "you win", 3 - mine: "the program wins"}[winner_of(board)]
    assert f"{end}." in board.say()
    # The reader made the moves of his colour, and no others.
    own = [
        square_of(cell) for cell, who in zip(board.moves, movers(board), strict=True) if who == mine
    ]
    assert own == list(board.log)
    with pytest.raises(WrongTouch, match="The game is over"):
        board.touch("a1")
    session.board.shown = frozenset()
    check_session(session)


def test_passes_forced_moves_and_corners_are_called_so():
    """And the workshop: the program seldom gives a corner to who takes each at once."""
    corners, told, passed, taken = [0, 7, 56, 63], [], set(), np.zeros(2)
    for temperature, seed in product((0.25, 2.0), range(8)):
        rng, turns = np.random.default_rng(seed), []
        board = ReversiBoard(temperature=temperature, seed=seed)
        while board.turn:
            before, cells = len(board.moves), legal_cells(board)
            cell = next((c for c in cells if c in corners), int(rng.choice(cells)))
            board.touch(reversi.square_of(cell))
            turns.append((before, len(board.moves), board.turn, board.say()))
            told += board.told
        by_rules = movers(board)
        for first, end, turn, words in turns:
            # Who moved since, and who is to move: the same twice is a pass of the other.
            passes = {3 - a for a, b in pairwise([*by_rules[first:end], turn]) if a == b}
            who = {BLACK: "You have", WHITE: "White has"}
            assert passes == {c for c in who if f"{who[c]} no legal square and pass" in words}
            passed |= passes
        discs = [int((board.stones == c).sum()) for c in (BLACK, WHITE)]
        black, white = (int((board.stones[corners] == c).sum()) for c in (BLACK, WHITE))
        assert f"Black has {discs[0]} discs, White {discs[1]}: " in board.say()
        words = f"You have {black or 'no'} corner{'s' * (black != 1)}, White {white or 'none'}."
        assert words in board.say()
        if temperature < 1:
            taken += black, white
    assert passed == {BLACK, WHITE}
    assert any(words.endswith("its only move.") for words in told)
    assert taken[0] < taken[1] / 3


def test_a_full_board_is_a_draw():
    # Blocks of two by three in two colours hold no six; one point is left for Black.
    board, (rows, columns) = Connect6Board(), np.divmod(np.arange(361), 19)
    board.stones = np.where((rows // 2 + columns // 3) % 2 == 0, 1, 2).astype(np.int8)
    board.stones[360] = 0
    board.moves, board.turn = tuple(range(360)), BLACK
    board.touch("s19")
    assert "The game is over: the board is full, a draw" in board.say()


def test_an_opening_is_played_and_can_be_emptied():
    moves = sgf.parse_sgf(sgf.SOURCE_GAME, "connect6").records().moves.tolist()
    white = Connect6Board(colour="white", opening=21)
    assert (white.moves, white.log) == (tuple(moves[:21]), ())
    # One stone more is for the program to add, and then it is White's second.
    assert len(Connect6Board(colour="white", opening=20).moves) == 21
    white.touch("empty")
    assert white.moves == Connect6Board(colour="white").moves
    session = Session(Connect6Board(opening="j10 j8 k8", seed=1))
    assert touch(session, "k10")["buttons"] == [("empty", "Empty board")]
    touch(session, "empty")
    assert (session.board.moves, session.board.turn) == ((), BLACK)
    check_session(session)


def test_the_weights_neither_win_nor_stop_a_four():
    """What the workshop lets its reader try: White has a four, and so has Black after m10."""
    for seed in range(4):
        board = Connect6Board(opening="j10 j8 k8 k10 l10 l8 m8", temperature=0.25, seed=seed)
        board.touch("m10")
        board.touch("q16")
        assert board.turn == BLACK, "White has won"
        assert board.moves[-2:] == (connect6.cell_of("i10"), connect6.cell_of("i8"))
        # The lines that the two stones had when they were drawn.
        board.touch("show-lines")
        assert "or a stone just played" in board.say()
        assert {"aim-i10", "aim-i8", "aim-n10", "m10"} <= set(targets(board.svg()))
        for square, gamma in ("i10", "504"), ("i8", "246"):
            board.touch(f"aim-{square}")
            assert f"{square}, when White chose it: {gamma} × " in board.say()
            assert f"γ = {gamma}<" in board.svg()
        board.touch("n10")
        board.touch("o10")
        assert board.say().startswith("The game is over: Black has six in a row, you win.")
        assert 'class="s1"' in board.svg()  # a stroke through the six
        assert board.log == ("m10", "q16", "n10", "o10")


@pytest.mark.parametrize("make", [ReversiBoard, Connect6Board])
def test_chances_and_lines_shown_are_those_of_the_library(make):
    rng, board = np.random.default_rng(4), make(seed=4)
    grid, name = board.grid, board.model_name
    for _ in range(6):
        board.touch(grid.square_of(int(rng.choice(legal_cells(board)))))
    # Any next move makes the position one of a record.
    rules = reversi if make is ReversiBoard else connect6
    played = rules.replay(records([(*board.moves, legal_cells(board)[0])]))
    position = played.take([played.n_positions - 1])
    expected, log = probabilities(name, position), board.log
    board.touch("show-chances")
    cells, chance, teams = board.look()
    np.testing.assert_array_equal(cells, position.moves)
    np.testing.assert_allclose(chance, expected, atol=1e-12)
    best = grid.square_of(int(cells[np.argmax(expected)]))
    assert f"the program plays: {best} {percent(expected.max())} %" in board.say()
    if make is ReversiBoard:
        shown = percent(expected.max()).replace("<", "&lt;")
        assert f'"{best}, empty, chance {shown} %"' in board.svg()
    # Lines of a move multiply to its strength; to choose it is no move.
    board.touch("show-lines")
    assert f"Touch a {grid.place}" in board.say()
    gamma = models.load_model(name).gamma[teams]
    strength = gamma.prod(axis=1)
    for k in (0, cells.size // 2, cells.size - 1):
        square = grid.square_of(int(cells[k]))
        board.touch(f"aim-{square}")
        product = " × ".join(map(format_strength, gamma[k]))
        share = f"a chance of {percent(strength[k] / strength.sum())} %. Touch"
        assert f"{square}: {product} = {format_strength(strength[k])}, {share}" in board.say()
        assert all(f"γ = {format_strength(g)}<" in board.svg() for g in gamma[k])
        assert {square, f"aim-{square}"} & set(targets(board.svg())) == {square}
    # Colder and warmer: shares of the strengths to the power 1 / temperature.
    assert board.log == log
    board.touch("temperature-0.5")
    squares = expected**2 / (expected**2).sum()
    np.testing.assert_allclose(board.look()[1], squares, atol=1e-12)
    board.touch(f"aim-{best}")
    both = f"{percent(expected.max())} %, at ½: {percent(squares.max())} %"
    assert both in board.say()
    assert both in board.svg()
    board.touch(best)
    assert board.log == (*log, "temperature-0.5", best)


REFUSED = [
    (lambda: ReversiBoard().touch("aim-a1"), "a1 turns no disc"),
    (lambda: ReversiBoard().touch("d4"), "There is a disc on d4 already"),
    (lambda: ReversiBoard().touch("temperature-1"), "“1, as learned” is chosen already"),
    (lambda: Connect6Board(colour="white").touch("j10"), "There is a stone on j10 already"),
    (lambda: Connect6Board().touch("empty"), "no point 'empty'"),
    (lambda: GuessBoard().touch("next"), "First guess"),
    (lambda: LineBoard().touch("d"), "the move itself"),
    (lambda: ReversiBoard(colour="red"), "colour must be one of"),
    (lambda: ReversiBoard(temperature=0), "temperature must be at least 0.01"),
    (lambda: Connect6Board(opening="j10 j10"), "opening must be legal"),
    (lambda: Connect6Board(opening=WON), "leave a game to play"),
    (lambda: Connect6Board(lines=1), "lines must be True or False"),
]


@pytest.mark.parametrize(("do", "words"), REFUSED)
def test_wrong_touches_and_options_say_why(do, words):
    with pytest.raises((WrongTouch, ValueError, TypeError), match=words):
        do()


# Guess the move


def test_guesses_are_counted_as_they_should():
    """The hits of the reader and the model, by a sort of the chances of each question."""
    record = sgf.parse_sgf(sgf.SOURCE_GAME, "connect6").records()
    boards, ranks = connect6.replay(record).boards, []
    for seed in range(4):
        rng, n, expected, plies, blind = np.random.default_rng(seed), 8 * (seed % 2) + 1, [], [], []
        session = Session(GuessBoard(seed=seed))
        while len(plies) < 10:
            asked = session.board.question
            ply = int((asked.stones != 0).sum())
            plies.append(ply)
            position = connect6.position(asked.stones)
            assert int(position.to_move[0]) == asked.colour
            np.testing.assert_array_equal(asked.stones, boards[ply - 1])
            assert asked.truth == tuple(record.moves[ply : ply + 2].tolist())
            chance = probabilities("connect6 own state", position)
            order = position.moves[np.argsort(-chance, kind="stable")].tolist()
            ranks.append(min(order.index(cell) + 1 for cell in asked.truth))
            blind.append(2 / len(order))
            guess = int(rng.choice(order[:n]))  # two readers guess as the model
            expected.append([guess in asked.truth, *(ranks[-1] <= k for k in (1, 3, 5))])
            square = connect6.square_of(guess)
            for name in (f"aim-{square}", square, "next"):
                targets(touch(session, name)["svg"])
        board = session.board
        assert plies == sorted(set(plies))  # what is asked later is not shown before
        assert plies[0] >= 5
        assert 21 not in plies  # the chapter's first picture shows what was played
        hits = np.sum(expected, axis=0).tolist()
        assert [sum(row) for row in board.hits()] == hits
    assert {1, 2, 3, 4} <= set(ranks)  # or a border could be elsewhere
    [said] = re.findall(r"A blind guess hits one time in (\d+)\.", board.say())
    assert int(said) == pytest.approx(1 / np.mean(blind), rel=0.08)
    assert board.say().startswith("You found it: ") == board.hits()[0][-1]
    told = [int(n) for n in re.findall(r"\d+", board.say().split("Hits: ")[1])]
    assert told[:5] == [hits[0], 10, *hits[1:]]
    for name, words in ("next", "last position"), ("a1", "Your guess is made"):
        assert words in touch(session, name)["wrong"]
    assert "cannot be taken back" in session.answer({"do": "undo"})["wrong"]
    check_session(session)


# One line


def test_numbers_in_words():
    assert [*map(format_strength, (48.817, 1234.5, 0.00022))] == ["48.8", "1,230", "0.0002"]
    assert [*map(percent, (0.001, 0.005, 0.574, 0.9999, 1))] == ["<1", "<1", "57", "99", "100"]


@pytest.mark.parametrize(
    ("direction", "touches", "text"),
    [("row", "eefc", "..X*OX.."), ("falling", "ffgc", "..X.*OX.")],  # four cells on the left
)
def test_a_line_shows_its_strength(direction, touches, text):
    session = Session(LineBoard())
    for name in (f"way-{direction}",) * (direction != "row") + ("mover-white", *touches):
        touch(session, name)
    say, svg = session.board.say(), session.board.svg().replace("&#x27;", "")
    model = models.load_model("connect6 own state")
    shape = patterns.line(direction, 8, edge="own state")
    start = model.features.starts[list(patterns.DIRECTIONS).index(direction)]
    first = shape.size // 2  # of white's
    feature = next(f for f in range(first, shape.size) if shape.describe(f) == f"{text} white")
    gamma = model.gamma[start + feature]
    times = format_strength(gamma / model.gamma[start + first])
    assert f"γ = {format_strength(gamma)}<" in svg
    assert f"γ {format_strength(gamma)}, {times} times an empty line" in say
    # White moves: own stones are white.
    marks = text.replace("*", "×").replace("O", "●").replace("X", "○")
    assert say.startswith(f"{marks}, White moves at ×")
    for name in ("edge-left", "clear", "h"):
        touch(session, name)
    check_session(session)


def test_rank_and_answers_of_a_line():
    model = models.load_model("connect6 own state")
    shape = patterns.line("falling", 8, edge="own state")
    first = model.features.starts[3]
    known = [f for f in range(shape.size // 2) if model.wins[first + f] >= 20]  # of black
    known.sort(key=lambda f: -model.gamma[first + f])
    rank, best = next((k, f) for k, f in enumerate(known, 1) if 1 not in shape.decode(f)[0])
    board, gammas = LineBoard(), []
    for name in ("way-falling", *"ddccbb"):
        board.touch(name)
        if 1 not in board.states and board.kind.wins[board.code] >= 20:
            gammas.append(board.kind.gamma[board.code])
    mine = format_strength(max(gammas))
    assert f"So far: γ {mine}" in board.say()
    board.touch("reveal")
    assert list(board.states) == shape.decode(best)[0]
    assert f"number {rank:,} of the {len(known):,}" in board.say()
    assert f"chose it {int(model.wins[first + best]):,} times" in board.say()
    assert f"yours had {mine}" in board.say()
    board.touch("mover-white")
    assert board.best == 0
    states = Session(LineBoard()).record()
    assert "...×○○○○" in states["e e f f g g h h"]["say"]
    assert states["reveal"]["say"].startswith("##.×○○○○")


def test_a_line_has_no_hole_in_its_edge():
    """All lines that touches reach: off the board lies only what lies beyond all the rest."""
    off, start, board = patterns.OFF_BOARD, (0,) * 7, LineBoard()
    seen, new = {start}, [start]
    while new:
        states = new.pop()
        reached = [after_touch(states, i) for i in range(7)]
        for i, after in enumerate(reached):
            # A touch never lays what is off the board; after the other side's stone comes empty.
            assert after.count(off) <= states.count(off)
            assert after[i] == {0: 1, 1: 2, 2: 0, off: 0}[states[i]]
        for name, side in ("edge-left", states[:3]), ("edge-right", states[3:]):
            board.states = states
            if set(side) == {off}:
                with pytest.raises(WrongTouch, match="ends beside the move"):
                    board.touch(name)
            else:
                board.touch(name)
                assert board.states.count(off) == states.count(off) + 1
                reached.append(board.states)
        new += set(reached) - seen
        seen |= set(reached)
    assert not any(off in side[side.count(off) :] for s in seen for side in (s[:3], s[:2:-1]))
    sides = [sum(3 ** (n - k) for k in range(n + 1)) for n in (3, 4)]
    assert len(seen) == sides[0] * sides[1]  # all lines there are
