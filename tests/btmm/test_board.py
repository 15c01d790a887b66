"""Boards of btmm, played by touches."""

import copy
import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from gameai_book.btmm import selfplay
from gameai_book.btmm.boards.connect6 import END, LESSON, LOOKED_AT, TRAP, Connect6Board
from gameai_book.btmm.boards.grid import figure, look, percent
from gameai_book.btmm.boards.guess import GuessBoard
from gameai_book.btmm.boards.line import LineBoard, after_touch, kind, mirrored
from gameai_book.btmm.boards.reversi import ReversiBoard
from gameai_book.btmm.results import models
from gameai_lib.btmm import from_positions, predict_proba
from gameai_lib.btmm.game import connect6, patterns, reversi
from gameai_lib.btmm.game.positions import BLACK, WHITE, records
from gameai_lib.btmm.records import sgf
from tests.support.board_checks import check_session, play_on, targets, touch
from touchbook.boards import Session, WrongTouch, board_class

SQUARE = re.compile(r"[a-s][0-9]{1,2}")


WON = "j10 a1 b1 a3 b3 c1 d1 c3 d3 e1 f1"  # White has six on row 1


def legal_cells(board):
    """Cells that the rules allow, asked of them and not of the board."""
    if not board.turn:
        return []
    if isinstance(board, ReversiBoard):
        return reversi.legal_moves(board.stones, board.turn).tolist()
    return connect6.legal_moves(board.stones).tolist()


def at_random(rng):
    """Touch legal places at random, to the end."""

    def choose(session, names):
        cells = legal_cells(session.board)
        if not cells:
            return None
        square = session.board.grid.square_of(int(rng.choice(cells)))
        assert {square, f"aim-{square}"} & set(names)
        return square

    return choose


# Against the weights


@pytest.mark.parametrize("colour", ["black", "white"])
def test_whole_reversi_games(colour):
    for seed in range(3):
        rng = np.random.default_rng(seed)
        board = ReversiBoard(colour=colour, seed=seed)
        board.shown = frozenset(board.views) if seed == 0 else frozenset()
        session = play_on(board, at_random(rng))
        session.board.shown = frozenset()
        board, record = session.board, records([session.board.moves])
        assert board.turn == 0
        assert reversi.first_illegal(record)[0] == -1
        discs = int(reversi.verdicts(record)[1][0])
        black, white = (int((board.stones == c).sum()) for c in (BLACK, WHITE))
        assert discs in (black, 64 - white, 32)
        assert f"Black has {black} discs, White {white}" in board.say()
        winner = 0 if discs == 32 else BLACK if discs > 32 else WHITE
        mine = {"black": BLACK, "white": WHITE}[colour]
        end = "a draw" if winner == 0 else "you win" if winner == mine else "the program wins"
        assert f": {end}." in board.say()
        # The reader made the moves of his colour, and no others.
        to_move = reversi.replay(record).to_move
        squares = [
            reversi.square_of(c) for c, m in zip(board.moves, to_move, strict=True) if m == mine
        ]
        assert squares == list(board.log)
        check_session(session)


def test_who_cannot_move_passes_and_it_is_said():
    passed = set()
    for seed in range(12):
        rng, board = np.random.default_rng(seed), ReversiBoard(seed=seed, temperature=2.0)
        turns = []
        while board.turn:
            before = len(board.moves)
            cells, chance, _ = board.look()  # half of the readers play well, and half badly
            cell = cells[np.argmax(chance)] if seed % 2 else rng.choice(legal_cells(board))
            board.touch(reversi.square_of(int(cell)))
            turns.append((before, len(board.moves), board.turn, board.say()))
        movers = reversi.replay(records([board.moves])).to_move.tolist()
        for first, end, turn, words in turns:
            # Who moved since, and who is to move: the same twice is a pass of the other.
            in_order = [*movers[first:end], turn]
            passes = {3 - a for a, b in pairwise(in_order) if a == b}
            said = {
                colour
                for colour, who in ((BLACK, "You have"), (WHITE, "White has"))
                if f"{who} no legal square and pass" in words
            }
            assert said == passes
            passed |= said
    assert passed == {BLACK, WHITE}


@pytest.mark.parametrize("colour", ["black", "white"])
def test_whole_connect6_games(colour):
    for seed in range(2):
        rng = np.random.default_rng(seed)
        board = Connect6Board(colour=colour, seed=seed, temperature=0.25)
        board.shown = frozenset(["chances"] if seed else [])
        session = play_on(board, at_random(rng))
        session.board.shown = frozenset()
        board, record = session.board, records([session.board.moves])
        assert board.turn == 0
        assert connect6.first_illegal(record)[0] == -1
        winner = int(connect6.winner_of(record)[0])
        mine = {"black": BLACK, "white": WHITE}[colour]
        assert winner
        assert ("you win" if winner == mine else "the program wins") in board.say()
        assert 'class="s1"' in board.svg()  # a stroke through the six
        mine = [c for ply, c in enumerate(board.moves) if connect6.mover(ply) == mine]
        assert [connect6.square_of(c) for c in mine] == list(board.log)
        seen = check_session(session)
        assert len(seen) == len(mine) + 1


def test_connect6_is_won_by_the_reader_and_then_over():
    own = selfplay.play_connect6(5, np.random.default_rng(7))
    record = own.game(int(np.flatnonzero(connect6.winner_of(own) == BLACK)[0])).tolist()
    board = Connect6Board()
    for cell in record[:-1]:
        board._put(cell)
    assert board.turn == BLACK
    board.touch(connect6.square_of(record[-1]))
    assert board.say().startswith("The game is over: Black has six in a row, you win.")
    with pytest.raises(WrongTouch, match="The game is over"):
        board.touch("a1")


def test_a_full_board_is_a_draw():
    board = Connect6Board()
    # Blocks of two by three in two colours hold no six; one point is left for Black.
    rows, columns = np.divmod(np.arange(361), 19)
    board.stones = np.where((rows // 2 + columns // 3) % 2 == 0, 1, 2).astype(np.int8)
    board.stones[360] = 0
    board.moves, board.turn = tuple(range(360)), BLACK
    board.touch("s19")
    assert "the board is full, a draw" in board.say()


def test_connect6_from_the_game_of_the_source():
    record = sgf.parse_sgf(sgf.SOURCE_GAME, "connect6").records()
    board = Connect6Board(colour="white", opening=21)
    assert board.moves == tuple(record.moves[:21].tolist())
    assert np.array_equal(board.stones, connect6.replay(record).boards[20])
    assert board.log == ()
    # One stone more is for the program to add, and then it is White's second.
    assert len(Connect6Board(colour="white", opening=20).moves) == 21


def test_the_weights_neither_win_nor_stop_a_four():
    """What the chapter lets its reader try: White has a four, and so has Black after m10."""
    for seed in range(8):
        board = Connect6Board(opening="j10 j8 k8 k10 l10 l8 m8", temperature=0.25, seed=seed)
        assert board.turn == BLACK
        board.touch("m10")
        board.touch("q16")
        assert board.turn == BLACK, "White has won"
        assert board.moves[-2:] == (connect6.cell_of("i10"), connect6.cell_of("i8"))
        # The lines that the two stones had when they were drawn, as the chapter names them.
        board.touch("show-lines")
        assert "or a stone just played" in board.say()
        assert {"aim-i10", "aim-i8", "aim-n10", "m10"} <= set(targets(board.svg()))
        for square, gamma in ("i10", "504"), ("i8", "246"):
            board.touch(f"aim-{square}")
            assert f"{square}, when White chose it: {gamma} × " in board.say()
            assert f"γ = {gamma}<" in board.svg()
        assert board.log == ("m10", "q16")
        board.touch("n10")
        assert board.replies == {}
        board.touch("o10")
        assert "Black has six in a row, you win" in board.say()


def test_lines_of_the_programs_last_stone_can_be_seen_at_the_end():
    rng, board = np.random.default_rng(0), Connect6Board(temperature=0.25)
    while board.turn:
        board.touch(board.grid.square_of(int(rng.choice(legal_cells(board)))))
    assert "the program wins" in board.say()
    board.touch("show-lines")
    cell = board.moves[-1]
    square, log = board.grid.square_of(cell), board.log
    stones = board.stones.copy()
    stones[cell] = 0
    before = connect6.position(stones)
    model = models.load_model(board.model_name)
    [team] = model.features.teams(before)[before.moves == cell]
    board.touch(f"aim-{square}")
    product = " × ".join(figure(g) for g in model.gamma[team])
    assert f"{square}, when White chose it: {product} = " in board.say()
    assert board.log == log
    free = board.grid.square_of(legal_cells_of(stones, cell))
    with pytest.raises(WrongTouch, match="The game is over"):
        board.touch(f"aim-{free}")


def legal_cells_of(stones, cell):
    """A free point of Connect-6 that is not `cell`."""
    return next(int(c) for c in connect6.legal_moves(stones) if c != cell)


def test_the_board_of_an_opening_can_be_emptied():
    session = Session(Connect6Board(opening="j10 j8 k8", seed=1))
    assert touch(session, "k10")["buttons"] == [("empty", "Empty board")]
    touch(session, "empty")
    assert session.board.moves == ()
    assert session.board.turn == BLACK
    check_session(session)
    white = Connect6Board(colour="white", opening=21)
    white.touch("empty")
    assert white.moves == Connect6Board(colour="white").moves
    assert Connect6Board().buttons() == []
    with pytest.raises(WrongTouch, match="no point 'empty'"):
        Connect6Board().touch("empty")


def test_a_forced_move_is_called_so():
    board = ReversiBoard(temperature=0.25)
    rng, forced = np.random.default_rng(0), 0
    for seed in range(40):
        board = ReversiBoard(temperature=0.25, seed=seed)
        while board.turn and not forced:
            board.touch(reversi.square_of(int(rng.choice(legal_cells(board)))))
            assert board.told or not board.turn
            for cell, (stones, colour, _) in board.replies.items():
                only = reversi.legal_moves(np.frombuffer(stones, np.int8), colour).size == 1
                forced += only
                said = [t for t in board.told if f"plays {reversi.square_of(cell)}:" in t]
                assert [t.endswith("its only move.") for t in said] == [only]
                assert only or " % at temperature ¼." in said[0]
        if forced:
            break
    assert forced


def test_corners_against_the_table():
    """The chapter: few at ¼ and more than twice as many at 2, for who takes each at once."""
    corners = [0, 7, 56, 63]
    mine, other = {}, {}
    for temperature in (0.25, 2.0):
        mine[temperature] = other[temperature] = 0
        for seed in range(8):
            rng = np.random.default_rng(seed)
            board = ReversiBoard(temperature=temperature, seed=seed)
            while board.turn:
                cells = legal_cells(board)
                cell = next((c for c in cells if c in corners), int(rng.choice(cells)))
                board.touch(reversi.square_of(cell))
            black, white = (int((board.stones[corners] == c).sum()) for c in (BLACK, WHITE))
            words = f"You have {black or 'no'} corner{'s' * (black != 1)}, White {white or 'none'}."
            assert words in board.say()
            mine[temperature] += black
            other[temperature] += white
    assert mine[0.25] < other[0.25] / 3
    assert mine[2.0] > 2 * mine[0.25]


def test_the_table_on_all_turns_of_the_source():
    """The chapter's words about the game that its reader guesses."""
    moves = sgf.parse_sgf(sgf.SOURCE_GAME, "connect6").records().moves
    positions, ranks = connect6.replay(records([moves])), []
    for ply in range(1, 41, 2):
        one = positions.take([ply - 1])
        ranks.append(rank_of(models.load_model("connect6 own state"), one, moves[ply : ply + 2])[0])
    assert [sum(rank <= n for rank in ranks) for n in (1, 3, 5)] == [6, 13, 16]


@pytest.mark.parametrize(
    ("make", "name"),
    [(ReversiBoard, "reversi"), (Connect6Board, "connect6 own state")],
)
def test_chances_shown_are_those_of_the_library(make, name):
    model, rng = models.load_model(name), np.random.default_rng(4)
    board = make(seed=4)
    for _ in range(6):
        board.touch(board.grid.square_of(int(rng.choice(legal_cells(board)))))
    board.touch("show-chances")
    if name == "reversi":
        positions = reversi.replay(records([board.moves]))
        position = reversi.position(board.stones, board.turn)
    else:
        # Any next stone makes the position one of a record.
        more = (*board.moves, legal_cells(board)[0])
        positions, position = connect6.replay(records([more])), connect6.position(board.stones)
        last = positions.take([positions.n_positions - 1])
        assert all(np.array_equal(a, b) for a, b in zip(last[:5], position[:5], strict=True))
        assert position.ply == last.ply
    expected = predict_proba(model.gamma, from_positions(position, model.features))[0]
    cells, chance, _ = board.look()
    assert np.allclose(chance, expected, atol=1e-12)
    drawn = board.svg()
    for cell, p in zip(cells.tolist(), expected, strict=True):
        if name == "reversi":
            label = (
                f'"{board.grid.square_of(cell)}, empty, chance {percent(p).replace("<", "&lt;")} %"'
            )
            assert label in drawn
    best = board.grid.square_of(int(cells[np.argmax(expected)]))
    assert f"the program plays: {best} {percent(expected.max())} %" in board.say()
    # Colder and warmer: shares of the strengths to the power 1 / temperature.
    board.touch("temperature-0.5")
    squares = expected**2 / (expected**2).sum()
    assert np.allclose(board.look()[1], squares, atol=1e-12)
    assert f"plays at temperature ½: {best} {percent(squares.max())} %" in board.say()
    board.touch("show-lines")
    board.touch(f"aim-{best}")
    both = f"{percent(expected.max())} %, at ½: {percent(squares.max())} %"
    assert both in board.say()
    assert both in board.svg()


def test_temperature_has_its_limits():
    model = models.load_model("connect6 own state")
    one = connect6.replay(sgf.parse_sgf(sgf.SOURCE_GAME, "connect6").records()).take([20])
    where = "connect6 own state", one.boards[0].tobytes(), WHITE
    cold, hot, warm = (look(*where, at).chance for at in (0.01, 1e6, 1.0))
    plain = predict_proba(model.gamma, from_positions(one, model.features))[0]
    assert cold[np.argmax(plain)] > 1 - 1e-9
    assert np.allclose(hot, 1 / hot.size, rtol=1e-3)
    assert np.allclose(warm, plain, atol=1e-12)


def test_a_cold_player_plays_its_best_move():
    board = ReversiBoard(colour="white", temperature=0.01)
    for _ in range(12):
        for cell in legal_cells(board)[:1]:
            board.touch(reversi.square_of(cell))
    positions = reversi.replay(records([board.moves]))
    model = models.load_model("reversi")
    for i in np.flatnonzero(positions.to_move == BLACK):
        one = positions.take([i])
        strength = model.gamma[model.features.teams(one)].prod(axis=1)
        assert one.chosen[0] == np.argmax(strength)


def test_the_program_draws_by_its_chances():
    drawn = []
    for seed in range(300):
        board = ReversiBoard(seed=seed, temperature=2.0)
        board.touch("d3")
        drawn.append(board.moves[1])
    before = reversi.position(reversi.played(reversi.start_board(), BLACK, 19), WHITE)
    chance = look("reversi", before.boards[0].tobytes(), WHITE, 2.0).chance
    counts = [drawn.count(c) for c in before.moves.tolist()]
    assert sum(counts) == 300
    sigma = np.sqrt(300 * chance * (1 - chance))
    assert (np.abs(counts - 300 * chance) < 4 * sigma).all()
    again = ReversiBoard(seed=5, temperature=2.0)
    again.touch("d3")
    assert again.moves[1] == drawn[5]


@pytest.mark.parametrize("board", [ReversiBoard(), Connect6Board(colour="white", opening=21)])
def test_the_lines_of_a_move_multiply_to_its_strength(board):
    board = copy.copy(board)
    board.touch("show-lines")
    assert f"Touch a {board.grid.place}" in board.say()
    model = models.load_model(board.model_name)
    cells, _, teams = board.look()
    strength = model.gamma[teams].prod(axis=1)
    for k in (0, cells.size // 2, cells.size - 1):
        square = board.grid.square_of(int(cells[k]))
        board.touch(f"aim-{square}")
        assert board.log == ()
        said = re.search(rf"{square}: (.+) = ([^ ]+), a chance of ([^ ]+) %\. Touch", board.say())
        factors = [float(f.replace(",", "")) for f in said[1].split(" × ")]
        assert np.isclose(np.prod(factors), strength[k], rtol=0.02)
        assert said[2] == figure(strength[k])
        assert said[3] == percent(strength[k] / strength.sum())
        drawn = board.svg()
        for feature in teams[k].tolist():
            assert f"γ = {figure(model.gamma[feature])}<" in drawn
        names = targets(drawn)
        assert square in names
        assert f"aim-{square}" not in names
    board.touch(square)
    assert board.log == (square,)


def test_l12_is_the_move_of_the_chapter():
    board = Connect6Board(colour="white", opening=21)
    board.touch("show-lines")
    before = board.svg()
    board.touch("aim-l12")
    drawn = board.svg()
    # Row ..○×●●.., column ●○○×...., rising ○●●×...., falling ....×○○○, as the chapter prints them.
    for colour, n in ("white", 1 + 2 + 1 + 3), ("black", 2 + 1 + 2):
        assert drawn.count(f'class="{colour}"') == before.count(f'class="{colour}"') + n
    assert "l12: 0.674 × 1.12 × 0.679 × 50.7 = 26, a chance of 53 %" in board.say()


def test_the_board_keeps_its_size_whatever_is_shown_of_it():
    session, sizes = Session(Connect6Board(**LESSON)), set()
    for name in ("aim-l12", "show-chances", "show-lines", "show-lines", "aim-l12", "l12"):
        touch(session, name)
        sizes.add(re.search('viewBox="[^"]+"', session.board.svg())[0])
    assert len(sizes) == 1


def test_choosing_a_cell_is_not_a_move_and_does_not_stay():
    session = Session(ReversiBoard())
    touch(session, "show-lines")
    assert not touch(session, "aim-d3")["can_undo"]
    assert touch(session, "aim-c4")["text"].endswith("touches: \n")
    played = touch(session, "c4")
    assert played["text"].endswith("touches: c4\n")
    assert session.board.aimed == ""
    # The text plays the same game whether the view is open or not.
    other = Session(ReversiBoard())
    assert other.answer({"do": "load", "text": played["text"]})["say"].startswith("White plays")


def test_undo_takes_back_the_answer_too():
    session = Session(Connect6Board())
    start = touch(session, "j10")
    assert len(session.board.moves) == 3
    assert connect6.mover(3) == BLACK
    touch(session, "a1")
    assert len(session.board.moves) == 4
    touch(session, "a2")
    assert len(session.board.moves) == 7
    session.answer({"do": "undo"})
    session.answer({"do": "undo"})
    assert session.answer({"do": "look"})["svg"] == start["svg"]
    session.answer({"do": "undo"})
    assert session.board.moves == ()


@pytest.mark.parametrize(
    ("board", "name", "words"),
    [
        (ReversiBoard(), "a1", "a1 turns no disc"),
        (ReversiBoard(), "aim-a1", "a1 turns no disc"),
        (ReversiBoard(), "d4", "There is a disc on d4 already"),
        (ReversiBoard(), "i9", "no square 'i9'"),
        (ReversiBoard(), "temperature-1", "The temperature is 1 already"),
        (ReversiBoard(), "temperature-7", "not a temperature here"),
        (Connect6Board(colour="white"), "j10", "There is a stone on j10 already"),
        (Connect6Board(), "t1", "no point 't1'"),
        (GuessBoard(), "next", "First guess"),
        (GuessBoard(), "j10", "There is a stone on j10 already"),
        (GuessBoard(), "pass", "no point 'pass'"),
        (LineBoard(), "d", "the move itself"),
        (LineBoard(), "reveal", "choose a question first"),
        (LineBoard(), "way-row", "“row” is chosen already"),
        (LineBoard(question="stop"), "find-stop", "“without an own stone” is chosen already"),
        (LineBoard(), "way-up", "no 'way-up'"),
    ],
)
def test_wrong_touches_say_why(board, name, words):
    session = Session(copy.copy(board))
    before = session.answer({"do": "look"})
    answer = touch(session, name)
    assert words in answer["wrong"]
    assert {**answer, "wrong": ""} == before


@pytest.mark.parametrize(
    ("make", "options", "words"),
    [
        (ReversiBoard, {"colour": "red"}, "colour must be one of"),
        (ReversiBoard, {"temperature": 0}, "temperature must be at least 0.01"),
        (Connect6Board, {"opening": 41}, "opening must be from 0 to 40"),
        (Connect6Board, {"opening": "j10 t1"}, "no point 't1'"),
        (Connect6Board, {"opening": "j10 j10"}, "opening must be legal"),
        (Connect6Board, {"opening": WON}, "leave a game to play"),
        (Connect6Board, {"opening": None}, "opening must be a whole number"),
        (LineBoard, {"question": "why"}, "question must be one of"),
    ],
)
def test_wrong_options_are_named(make, options, words):
    with pytest.raises((ValueError, TypeError), match=re.escape(words)):
        make(**options)


def test_the_look_of_the_boards():
    for board, n in (ReversiBoard(), 64), (Connect6Board(), 361), (LineBoard(), 8):
        assert len(targets(board.svg())) == n
        for view in board.views:
            board.touch(f"show-{view}")
        assert len(targets(board.svg())) == n
    board = ReversiBoard()
    assert board.svg().count('class="mark"') == 4  # the four first moves
    board.touch("show-bare")
    assert 'class="mark"' not in board.svg()


def test_boards_are_found_by_the_page():
    room = "gameai_book.btmm.boards"
    for address in (
        "reversi:ReversiBoard",
        "connect6:Connect6Board",
        "guess:GuessBoard",
        "line:LineBoard",
        "step:StepBoard",
    ):
        assert board_class(f"{room}.{address}").name
        assert len(board_class(f"{room}.{address}").rules) >= 3


# Guess the move


def rank_of(model, position, truth):
    """The best rank of the moves played, counted with a sort."""
    chance = predict_proba(model.gamma, from_positions(position, model.features))[0]
    order = position.moves[np.argsort(-chance, kind="stable")].tolist()
    return min(order.index(cell) + 1 for cell in truth), order


@pytest.mark.parametrize("clever", [False, True])
def test_guesses_are_counted_as_they_should(clever):
    model = models.load_model("connect6 own state")
    rng, expected, truths = np.random.default_rng(1), [], []

    def choose(session, names):
        board = session.board
        if board.answered:
            return "next" if "next" in names else None
        asked = board.question
        position = connect6.position(asked.stones)
        assert int(position.to_move[0]) == asked.colour
        rank, order = rank_of(model, position, asked.truth)
        guess = int(order[0] if clever else rng.choice(order[:8]))
        expected.append([guess in asked.truth, rank <= 1, rank <= 3, rank <= 5])
        truths.append(asked.truth)
        return connect6.square_of(guess)

    session = play_on(GuessBoard(seed=3), choose)
    board = session.board
    assert len(board.answers) == 10 == len(set(truths))
    assert board.hits() == np.sum(expected, axis=0).tolist()
    if clever:
        assert board.hits()[0] == board.hits()[1]
    blind = sum(answer.blind for answer in board.answers) / 10
    [said] = re.findall(r"A blind guess hits one time in (\d+)\.", board.say())
    assert np.isclose(int(said), 1 / blind, rtol=0.08)
    found = board.say().startswith("You found it: ")
    assert found == board.answers[-1].hit
    you, first, three, five = board.hits()
    assert f"you {you} of 10, the model's first choice {first}" in board.say()
    assert f"first three {three}, its first five {five}" in board.say()
    assert targets(board.svg())
    end = session.answer({"do": "look"})
    assert not end["can_undo"]
    assert "cannot be taken back" in session.answer({"do": "undo"})["wrong"]
    assert "last position" in touch(session, "next")["wrong"]
    assert any("cannot be taken back" in rule for rule in board.rules)
    check_session(session)


def test_the_hits_of_the_model_over_many_rounds():
    model = models.load_model("connect6 own state")
    ranks = []
    for seed in range(8):
        board = GuessBoard(seed=seed)
        mine = []
        for k in range(10):
            asked = board.question
            rank, order = rank_of(model, connect6.position(asked.stones), asked.truth)
            mine.append(rank)
            board.touch(connect6.square_of(int(order[-1])))
            if k < 9:
                board.touch("next")
        assert board.hits()[1:] == [sum(rank <= n for rank in mine) for n in (1, 3, 5)]
        ranks += mine
    assert {1, 2, 3, 4} <= set(ranks)  # or a border could be elsewhere


def test_a_guess_is_chosen_before_it_is_made():
    session = Session(GuessBoard())
    first = session.answer({"do": "look"})
    chosen = touch(session, "aim-a1")
    assert chosen["buttons"] == [("a1", "Commit a1")]
    assert chosen["text"] == first["text"]
    assert "You have chosen a1." in chosen["say"]
    assert {"a1", "aim-a2"} <= set(targets(chosen["svg"]))
    made = touch(session, "a1")
    assert made["text"].endswith("touches: a1\n")
    assert made["buttons"] == [("next", "Next position")]
    assert touch(session, "a2")["wrong"]
    assert touch(session, "next")["wrong"] == ""
    assert session.board.aimed == ""


def test_questions_are_positions_of_the_record():
    record = sgf.parse_sgf(sgf.SOURCE_GAME, "connect6").records()
    positions, plies = connect6.replay(record), []
    board = GuessBoard(seed=2)
    for k in range(10):
        asked = board.question
        ply = int((asked.stones != 0).sum())
        plies.append(ply)
        assert np.array_equal(asked.stones, positions.boards[ply - 1])
        assert asked.truth == tuple(record.moves[ply : ply + 2].tolist())
        assert {connect6.mover(ply), connect6.mover(ply + 1)} == {asked.colour}
        assert ply >= 5
        assert ply != 21  # the chapter's first picture shows what was played
        square = connect6.square_of(int(np.flatnonzero(asked.stones == 0)[0]))
        board.touch(square)
        if k < 9:
            board.touch("next")
    assert plies == sorted(set(plies))  # what is asked later is not shown before
    first = {GuessBoard(seed=seed).question.truth for seed in range(6)}
    assert len(first) > 1


# One line


@pytest.mark.parametrize("direction", patterns.DIRECTIONS)
def test_a_line_shows_its_strength(direction):
    model = models.load_model("connect6 own state")
    k = list(patterns.DIRECTIONS).index(direction)
    board = LineBoard()
    board.direction, board.mover = direction, "white"
    # A falling line has its four cells on the left.
    touches, text = ("ffgc", "..X.*OX.") if direction == "falling" else ("eefc", "..X*OX..")
    for name in touches:
        board.touch(name)
    shape = patterns.line(direction, 8, edge="own state")
    [feature] = [f for f in range(shape.size) if shape.describe(f) == f"{text} white"]
    gamma = model.gamma[model.features.starts[k] + feature]
    empty = model.gamma[model.features.starts[k] + shape.size // 2]  # white's first
    assert f"γ = {figure(gamma)}<" in board.svg()
    assert f"γ {figure(gamma)}, {figure(gamma / empty)} times an empty line" in board.say()
    # White moves: own stones are white.
    marks = text.replace("*", "×").replace("O", "●").replace("X", "○")
    assert board.say().startswith(f"{marks}, White moves at ×")
    words = ("empty", "own stone", "other side")
    for name, mark in zip("abcdefgh", text, strict=True):
        said = "the move" if mark == "*" else words[".XO".index(mark)]
        assert f'aria-label="{name}, {said}' in board.svg().replace("&#x27;", "")
    with pytest.raises(WrongTouch, match="the move itself"):
        board.touch("abcdefgh"[text.index("*")])


def test_rank_and_answers_of_a_line():
    model = models.load_model("connect6 own state")
    shape = patterns.line("falling", 8, edge="own state")
    first = model.features.starts[3]
    rows = [
        (model.gamma[first + f], states, model.wins[first + f])
        for f in range(shape.size // 2)  # of black
        for states in [shape.decode(f)[0]]
        if model.wins[first + f] >= 20
    ]
    rows.sort(key=lambda row: -row[0])
    fits = {
        "strongest": rows[0],
        "weakest": rows[-1],
        "three": next(r for r in rows if r[1].count(1) == 3 and 2 not in r[1]),
        "stop": next(r for r in rows if 1 not in r[1]),
    }
    for question, (gamma, states, wins) in fits.items():
        board = LineBoard(question=question)
        board.touch("way-falling")
        board.touch("reveal")
        assert list(board.states) == states
        rank = [row[0] for row in rows].index(gamma) + 1
        assert f"number {rank:,} of {len(rows):,}" in board.svg()
        assert f"chose it {int(wins):,} times" in board.say()
    assert board.say().count("γ") >= 2


def test_the_best_answer_of_the_reader_is_kept():
    board = LineBoard(question="strongest")
    gammas = []
    for name in "eaefgcc":
        board.touch(name)
        if board.kind.merit(board.code, "strongest") > -np.inf:
            gammas.append(board.kind.gamma[board.code])
    assert gammas
    assert board.kind.gamma[board.kind.code(board.best)] == max(gammas)
    assert f"So far: γ {figure(max(gammas))}" in board.say()
    board.touch("reveal")
    assert f"yours had {figure(max(gammas))}" in board.say()
    board.touch("find-weakest")
    assert board.best == ()


def test_a_line_has_no_hole_in_its_edge():
    off, seen, board = patterns.OFF_BOARD, {(0,) * 7}, LineBoard()
    new = list(seen)

    def edged(states, name):
        board.states = states
        try:
            board.touch(name)
        except WrongTouch:
            assert set(states[:3] if name == "edge-left" else states[3:]) == {off}
            return None
        return board.states

    while new:
        states = new.pop()
        image = mirrored(states)
        assert (image is None) == (off in states[:6])
        if image:
            assert sorted(image) == sorted(states)
            assert mirrored(image) == states
        afters = [after_touch(states, i) for i in range(7)]
        for i, after in enumerate(afters):
            # A touch never lays what is off the board; after the other side's stone comes empty.
            assert after.count(off) == 0 or after.count(off) <= states.count(off)
            assert after[i] == {0: 1, 1: 2, 2: 0, off: 0}[states[i]]
        edges = [edged(states, f"edge-{side}") for side in ("left", "right")]
        for after in [*afters, *filter(None, edges)]:
            assert after != states
            left, right = list(after[:3]), list(after[:2:-1])
            for side in (left, right):
                # From the end inwards: off the board, then nothing of it any more.
                assert off not in side[side.count(off) :]
            if after not in seen:
                seen.add(after)
                new.append(after)
    sides = [sum(3 ** (n - k) for k in range(n + 1)) for n in (3, 4)]
    assert len(seen) == sides[0] * sides[1]  # all lines there are
    board = LineBoard()
    board.touch("way-falling")  # whose four cells stand on the left
    board.touch("edge-left")
    assert board.states == (0, 0, 0, 0, 0, 0, off)
    assert board.say().startswith("#...×...,")


def test_mirror_images():
    assert mirrored((1, 2, 0, 2, 1, 1, 0)) == (1, 1, 2, 0, 2, 1, 0)
    assert mirrored((0, 0, 0, 1, 2, 2, 3)) == (2, 2, 1, 0, 0, 0, 3)
    assert mirrored((0, 0, 0, 2, 2, 2, 2)) == (2, 2, 2, 0, 0, 0, 2)
    assert mirrored((0, 0, 0, 1, 0, 3, 3)) is None
    edge = LineBoard()
    edge.touch("edge-left")
    with pytest.raises(WrongTouch, match="the eighth cell has no partner"):
        edge.touch("mirror")
    assert "Mirrored" not in edge.say()
    assert "mirrored" not in edge.svg()
    board = LineBoard()
    board.touch("a")
    board.touch("mirror")
    assert board.states == (0, 0, 0, 0, 0, 1, 0)
    board.touch("clear")
    assert board.states == (0,) * 7


def test_lines_by_random_touches():
    rng = np.random.default_rng(0)
    left = iter(range(60))

    def choose(session, names):
        if next(left, None) is None:
            return None
        chosen = {held for *_, held in session.board.selects()}
        more = [
            t for _, choices, _ in session.board.selects() for t, _ in choices if t not in chosen
        ]
        move = "abcdefgh"[session.board.places.index(None)]
        return str(rng.choice([n for n in names if n != move] * 3 + more))

    check_session(play_on(LineBoard(), choose))


def test_numbers_in_words():
    assert [figure(g) for g in (48.817, 1234.5, 0.00022, 0.575)] == [
        "48.8",
        "1,230",
        "0.0002",
        "0.575",
    ]
    assert [percent(p) for p in (0.001, 0.005, 0.574, 0.9999, 1.0)] == [
        "<1",
        "<1",
        "57",
        "99",
        "100",
    ]


def test_the_strengths_that_the_chapter_names():
    book = Path(__file__).parents[2] / "book"
    names = "btmm.ipynb", "btmm_workshop.ipynb"
    text = "".join((book / name).read_text(encoding="utf-8") for name in names)

    def gamma(line, mover):
        states = [".XO#".index(cell) for cell in line.replace("+", "")]
        row = kind("row", mover)
        return row.gamma[row.code(states)]

    four, three, two, none, five = (
        gamma(line, BLACK) for line in ("...+OOOO", "...+OOO.", "...+OO..", "...+....", "..O+OOOO")
    )
    assert (
        f"Four white stones beside the cross have a strength of {four:.0f}. Three have "
        f"{three:.0f}, two have {two:.0f}, and an empty line has {none:.1f}."
    ) in text
    edge, five = round(gamma("##.+OOOO", BLACK), -1), round(five, -1)
    assert f"`##.×○○○○`, four white stones near an edge, with a strength of {edge:,.0f}." in text
    assert f"`..○×○○○○`, with {five:,.0f}." in text
    row = kind("row", BLACK)
    without = row.known[(row.states[row.known] == 1).sum(axis=1) == 0]
    inside = without[(row.states[without] != 3).all(axis=1)]
    assert round(row.gamma[without].max(), -1) == edge
    assert round(row.gamma[inside].max(), -1) == five
    theirs, own = gamma("...+OOOO", WHITE), gamma("...+XXXX", WHITE)
    of_both = f"`...×●●●●`, has a strength of {theirs:.0f}, and its own, `...×○○○○`, {own:.0f}"
    assert of_both in text


def test_the_chapter_s_seat_is_recorded_to_the_win():
    """White's two fours, of which Black stops one, and the six."""
    board = Connect6Board(**LESSON)
    assert board.shown == {"lines"}
    states = Session(board).recorded()
    assert len(states) == 1 + 2 + len(LOOKED_AT)
    assert "In your place the program plays: l12 53 %" in states["show-chances"]["say"]
    assert states["show-chances show-chances"]["svg"] == states[""]["svg"]
    assert "l12: 0.674 × 1.12 × 0.679 × 50.7 = 26" in states["aim-l12"]["say"]
    states = Session(Connect6Board(**END)).recorded()
    assert len(states) == 1 + 2 * len(TRAP)
    won = states[" ".join(f"aim-{point} {point}" for point in TRAP)]
    assert "White has six in a row, you win" in won["say"]
    assert Session(Connect6Board(lines=True)).recorded() == {}
    with pytest.raises(TypeError, match="lines"):
        Connect6Board(lines=1)


def test_lines_of_the_chapter_are_recorded():
    states = Session(LineBoard(question="stop")).recorded()
    assert "...×○○○○" in states["e e f f g g h h"]["say"]
    assert states["reveal"]["say"].startswith("##.×○○○○")
    assert Session(LineBoard()).recorded() == {}


def test_the_program_would_have_played_the_chapter_s_trap_itself():
    board = Connect6Board(**END)
    for point in TRAP:
        board.touch(point)
    assert board.ranks == (1, 1, 1, 1)
