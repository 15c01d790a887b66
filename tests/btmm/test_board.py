"""Boards of btmm, played by touches."""

import copy
import re
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest

from gameai_book.btmm import selfplay
from gameai_book.btmm.boards.bench import format_strength
from gameai_book.btmm.boards.connect6 import END, LESSON, LOOKED_AT, TRAP, Connect6Board
from gameai_book.btmm.boards.grid import look, percent
from gameai_book.btmm.boards.guess import GuessBoard
from gameai_book.btmm.boards.line import LineBoard, after_touch, kind
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


def probabilities(name, position):
    """The model's chances of the moves of one position, by the library."""
    model = models.load_model(name)
    return predict_proba(model.gamma, from_positions(position, model.features))[0]


# Against the weights


def played_at_random(board, *views):
    """A session of a game in which the reader touches legal places at random, to the end."""
    rng = np.random.default_rng(1)

    def choose(session, names):
        cells = legal_cells(session.board)
        if not cells:
            return None
        square = session.board.grid.square_of(int(rng.choice(cells)))
        assert {square, f"aim-{square}"} & set(names)
        return square

    board.shown = frozenset(views)
    session = play_on(board, choose)
    session.board.shown = frozenset()
    return session


@pytest.mark.parametrize("colour", COLOURS)
def test_whole_reversi_games(colour):
    session = played_at_random(ReversiBoard(colour=colour, seed=1), *ReversiBoard.views)
    board, mine = session.board, COLOURS[colour]
    record = records([board.moves])
    assert board.turn == 0
    illegal, (discs,) = reversi.verdicts(record)
    assert illegal[0] == -1
    black, white = (int((board.stones == c).sum()) for c in (BLACK, WHITE))
    assert discs in (black, 64 - white, 32)
    winner = 0 if discs == 32 else BLACK if discs > 32 else WHITE
    end = "a draw" if winner == 0 else "you win" if winner == mine else "the program wins"
    assert f"Black has {black} discs, White {white}: {end}." in board.say()
    # The reader made the moves of his colour, and no others.
    to_move = reversi.replay(record).to_move
    squares = [reversi.square_of(c) for c, m in zip(board.moves, to_move, strict=True) if m == mine]
    assert squares == list(board.log)
    check_session(session)


def test_passes_forced_moves_and_corners_are_called_so():
    """And the chapter: few corners at ¼ and twice as many at 2, for who takes each at once."""
    corners, mine, other = [0, 7, 56, 63], {0.25: 0, 2.0: 0}, {0.25: 0, 2.0: 0}
    passed, n_forced = set(), 0
    for temperature, seed in product(mine, range(8)):
        rng, board = np.random.default_rng(seed), ReversiBoard(temperature=temperature, seed=seed)
        turns = []
        while board.turn:
            before, cells = len(board.moves), legal_cells(board)
            cell = next((c for c in cells if c in corners), int(rng.choice(cells)))
            board.touch(reversi.square_of(cell))
            turns.append((before, len(board.moves), board.turn, board.say()))
            for reply, (stones, colour, _) in board.replies.items():
                only = reversi.legal_moves(np.frombuffer(stones, np.int8), colour).size == 1
                n_forced += only
                said = [t for t in board.told if f"plays {reversi.square_of(reply)}:" in t]
                assert [t.endswith("its only move.") for t in said] == [only]
                assert only or f" % at temperature {temperature:g}".replace("0.25", "¼") in said[0]
        movers = reversi.replay(records([board.moves])).to_move.tolist()
        for first, end, turn, words in turns:
            # Who moved since, and who is to move: the same twice is a pass of the other.
            passes = {3 - a for a, b in pairwise([*movers[first:end], turn]) if a == b}
            who = {BLACK: "You have", WHITE: "White has"}
            assert passes == {c for c in who if f"{who[c]} no legal square and pass" in words}
            passed |= passes
        black, white = (int((board.stones[corners] == c).sum()) for c in (BLACK, WHITE))
        words = f"You have {black or 'no'} corner{'s' * (black != 1)}, White {white or 'none'}."
        assert words in board.say()
        mine[temperature] += black
        other[temperature] += white
    assert passed == {BLACK, WHITE}
    assert n_forced
    assert mine[0.25] < other[0.25] / 3
    assert mine[2.0] > 2 * mine[0.25]


@pytest.mark.parametrize("colour", COLOURS)
def test_whole_connect6_games(colour):
    mine = COLOURS[colour]
    session = played_at_random(Connect6Board(colour=colour, seed=1, temperature=0.25), "chances")
    board, record = copy.copy(session.board), records([session.board.moves])
    assert board.turn == 0
    assert connect6.first_illegal(record)[0] == -1
    [winner] = connect6.winner_of(record).tolist()
    assert winner == 3 - mine
    assert "the program wins" in board.say()
    assert 'class="s1"' in board.svg()  # a stroke through the six
    squares = [
        connect6.square_of(c) for k, c in enumerate(board.moves) if connect6.mover(k) == mine
    ]
    assert squares == list(board.log)
    # The lines of the program's last stone can be seen at the end.
    board.touch("show-lines")
    cell, stones = board.moves[-1], board.stones.copy()
    free = connect6.square_of(int(np.flatnonzero(stones == 0)[0]))
    stones[cell] = 0
    before, model = connect6.position(stones), models.load_model(board.model_name)
    [team] = model.features.teams(before)[before.moves == cell]
    product = " × ".join(format_strength(g) for g in model.gamma[team])
    square = connect6.square_of(cell)
    board.touch(f"aim-{square}")
    who = "White" if mine == BLACK else "Black"
    assert f"{square}, when {who} chose it: {product} = " in board.say()
    assert list(board.log) == squares
    with pytest.raises(WrongTouch, match="The game is over"):
        board.touch(f"aim-{free}")
    assert len(check_session(session)) == len(squares) + 1


def test_connect6_ends_with_six_of_the_reader_or_a_full_board():
    own = selfplay.play_connect6(5, np.random.default_rng(7))
    record = own.game(int(np.flatnonzero(connect6.winner_of(own) == BLACK)[0])).tolist()
    board = Connect6Board()
    for cell in record[:-1]:
        board._put(cell)
    board.touch(connect6.square_of(record[-1]))
    assert board.say().startswith("The game is over: Black has six in a row, you win.")
    with pytest.raises(WrongTouch, match="The game is over"):
        board.touch("a1")
    # Blocks of two by three in two colours hold no six; one point is left for Black.
    board, (rows, columns) = Connect6Board(), np.divmod(np.arange(361), 19)
    board.stones = np.where((rows // 2 + columns // 3) % 2 == 0, 1, 2).astype(np.int8)
    board.stones[360] = 0
    board.moves, board.turn = tuple(range(360)), BLACK
    board.touch("s19")
    assert "the board is full, a draw" in board.say()


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
    assert Connect6Board().buttons() == []


def test_the_weights_neither_win_nor_stop_a_four():
    """What the chapter lets its reader try: White has a four, and so has Black after m10."""
    for seed in range(4):
        board = Connect6Board(opening="j10 j8 k8 k10 l10 l8 m8", temperature=0.25, seed=seed)
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
        board.touch("n10")
        assert board.replies == {}
        board.touch("o10")
        assert "Black has six in a row, you win" in board.say()
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
    assert np.allclose(chance, expected, atol=1e-12)
    for cell, p in zip(cells.tolist(), expected, strict=True) if rules is reversi else ():
        shown = percent(p).replace("<", "&lt;")
        assert f'"{reversi.square_of(cell)}, empty, chance {shown} %"' in board.svg()
    best = grid.square_of(int(cells[np.argmax(expected)]))
    assert f"the program plays: {best} {percent(expected.max())} %" in board.say()
    # Lines of a move multiply to its strength; to choose it is no move.
    board.touch("show-lines")
    assert f"Touch a {grid.place}" in board.say()
    gamma = models.load_model(name).gamma
    strength = gamma[teams].prod(axis=1)
    for k in (0, cells.size // 2, cells.size - 1):
        square = grid.square_of(int(cells[k]))
        board.touch(f"aim-{square}")
        said = re.search(rf"{square}: (.+) = ([^ ]+), a chance of ([^ ]+) %\. Touch", board.say())
        factors = [float(f.replace(",", "")) for f in said[1].split(" × ")]
        assert np.isclose(np.prod(factors), strength[k], rtol=0.02)
        assert said[2] == format_strength(strength[k])
        assert said[3] == percent(strength[k] / strength.sum())
        assert all(f"γ = {format_strength(g)}<" in board.svg() for g in gamma[teams[k]])
        assert {square, f"aim-{square}"} & set(targets(board.svg())) == {square}
    # Colder and warmer: shares of the strengths to the power 1 / temperature.
    assert board.log == log
    board.touch("temperature-0.5")
    squares = expected**2 / (expected**2).sum()
    assert np.allclose(board.look()[1], squares, atol=1e-12)
    board.touch(f"aim-{best}")
    both = f"{percent(expected.max())} %, at ½: {percent(squares.max())} %"
    assert both in board.say()
    assert both in board.svg()
    where = name, position.boards[0].tobytes(), int(position.to_move[0])
    cold, hot = look(*where, 0.01).chance, look(*where, 1e6).chance
    assert np.argmax(cold) == np.argmax(expected)
    assert np.allclose(hot, 1 / hot.size, rtol=1e-3)
    board.touch(best)
    assert board.log == (*log, "temperature-0.5", best)
    assert board.aimed == ""


def test_the_program_draws_by_its_chances():
    before = reversi.position(reversi.played(reversi.start_board(), BLACK, 19), WHITE)
    chance = look("reversi", before.boards[0].tobytes(), WHITE, 2.0).chance
    counts = dict.fromkeys(before.moves.tolist(), 0)
    for seed in range(300):
        board = ReversiBoard(seed=seed, temperature=2.0)
        board.touch("d3")
        counts[board.moves[1]] += 1
    off = np.abs([*counts.values()] - 300 * chance)
    assert (off < 4 * np.sqrt(300 * chance * (1 - chance))).all()


def test_the_chapter_s_seat_is_recorded_to_the_win():
    """White's two fours, of which Black stops one, and the six."""
    states = Session(Connect6Board(**LESSON)).record()
    assert len(states) == 1 + 2 + len(LOOKED_AT)
    assert "In your place the program plays: l12 53 %" in states["show-chances"]["say"]
    assert states["show-chances show-chances"]["svg"] == states[""]["svg"]
    assert "l12: 0.674 × 1.12 × 0.679 × 50.7 = 26, a chance of 53 %" in states["aim-l12"]["say"]
    # Row ..○×●●.., column ●○○×...., rising ○●●×...., falling ....×○○○, as the chapter prints them.
    for colour, n in ("white", 1 + 2 + 1 + 3), ("black", 2 + 1 + 2):
        shown = [states[log]["svg"].count(f'class="{colour}"') for log in ("", "aim-l12")]
        assert shown[1] - shown[0] == n
    assert len({re.search('viewBox="[^"]+"', state["svg"])[0] for state in states.values()}) == 1
    states = Session(Connect6Board(**END)).record()
    assert len(states) == 1 + 2 * len(TRAP)
    won = states[" ".join(f"aim-{point} {point}" for point in TRAP)]
    assert "White has six in a row, you win" in won["say"]
    assert Session(Connect6Board(lines=True)).record() == {}
    board = Connect6Board(**END)  # the program would have played the trap itself
    for point in TRAP:
        board.touch(point)
    assert board.ranks == (1, 1, 1, 1)


@pytest.mark.parametrize(
    ("board", "name", "words"),
    [
        (ReversiBoard(), "aim-a1", "a1 turns no disc"),
        (ReversiBoard(), "d4", "There is a disc on d4 already"),
        (ReversiBoard(), "i8", "no square 'i8'"),
        (ReversiBoard(), "a9", "no square 'a9'"),
        (ReversiBoard(), "temperature-1", "“1, as learned” is chosen already"),
        (ReversiBoard(), "temperature-7", "'temperature-7' cannot be touched here"),
        (Connect6Board(colour="white"), "j10", "There is a stone on j10 already"),
        (Connect6Board(), "empty", "no point 'empty'"),
        (GuessBoard(), "next", "First guess"),
        (GuessBoard(), "j10", "There is a stone on j10 already"),
        (LineBoard(), "d", "the move itself"),
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
        (Connect6Board, {"opening": "j10 j10"}, "opening must be legal"),
        (Connect6Board, {"opening": WON}, "leave a game to play"),
        (Connect6Board, {"lines": 1}, "lines must be True or False"),
    ],
)
def test_wrong_options_are_named(make, options, words):
    with pytest.raises((ValueError, TypeError), match=words):
        make(**options)


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
            plies.append(int((asked.stones != 0).sum()))
            position = connect6.position(asked.stones)
            assert int(position.to_move[0]) == asked.colour == connect6.mover(plies[-1])
            assert np.array_equal(asked.stones, boards[plies[-1] - 1])
            assert asked.truth == tuple(record.moves[plies[-1] : plies[-1] + 2].tolist())
            chance = probabilities("connect6 own state", position)
            order = position.moves[np.argsort(-chance, kind="stable")].tolist()
            ranks.append(min(order.index(cell) + 1 for cell in asked.truth))
            blind.append(2 / len(order))
            guess = int(rng.choice(order[:n]))  # two readers guess as the model
            expected.append([guess in asked.truth, *(ranks[-1] <= k for k in (1, 3, 5))])
            square = connect6.square_of(guess)
            chosen = touch(session, f"aim-{square}")
            assert chosen["buttons"] == [(square, f"Commit {square}")]
            assert f"You have chosen {square}." in chosen["say"]
            targets(touch(session, square)["svg"])
            if len(plies) < 10:
                targets(touch(session, "next")["svg"])
        board = session.board
        assert len(board.log) == 19
        assert plies == sorted(set(plies))  # what is asked later is not shown before
        assert plies[0] >= 5
        assert 21 not in plies  # the chapter's first picture shows what was played
        assert [sum(row) for row in board.hits()] == np.sum(expected, axis=0).tolist()
    assert {1, 2, 3, 4} <= set(ranks)  # or a border could be elsewhere
    [said] = re.findall(r"A blind guess hits one time in (\d+)\.", board.say())
    assert np.isclose(int(said), 1 / np.mean(blind), rtol=0.08)
    assert board.say().startswith("You found it: ") == board.answers[-1].hit
    you, first, three, five = map(sum, board.hits())
    assert f"you {you} of 10, the model's first choice {first}" in board.say()
    assert f"first three {three}, its first five {five}" in board.say()
    assert "cannot be taken back" in session.answer({"do": "undo"})["wrong"]
    assert "last position" in touch(session, "next")["wrong"]
    assert "Your guess is made" in touch(session, "a1")["wrong"]
    assert len({GuessBoard(seed=seed).question.truth for seed in range(6)}) > 1
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
    words = {"*": "the move", ".": "empty", "X": "own stone", "O": "other side"}
    for name, mark in zip("abcdefgh", text, strict=True):
        assert f'aria-label="{name}, {words[mark]}' in svg
    for name in ("edge-left", "clear", "h"):
        touch(session, name)
    check_session(session)


def test_rank_and_answers_of_a_line():
    model = models.load_model("connect6 own state")
    shape = patterns.line("falling", 8, edge="own state")
    first = model.features.starts[3]
    rows = [
        (model.gamma[first + f], shape.decode(f)[0], model.wins[first + f])
        for f in range(shape.size // 2)  # of black
        if model.wins[first + f] >= 20
    ]
    rows.sort(key=lambda row: -row[0])
    rank, (_, states, wins) = next((k, row) for k, row in enumerate(rows, 1) if 1 not in row[1])
    board, gammas = LineBoard(), []
    board.touch("way-falling")
    for name in "ddccbb":
        board.touch(name)
        if 1 not in board.states and board.kind.wins[board.code] >= 20:
            gammas.append(board.kind.gamma[board.code])
    assert len(gammas) > 1
    assert board.kind.gamma[board.kind.code(board.best)] == max(gammas)
    assert f"So far: γ {format_strength(max(gammas))}" in board.say()
    board.touch("reveal")
    assert list(board.states) == states
    assert f"number {rank:,} of {len(rows):,}" in board.svg()
    assert f"chose it {int(wins):,} times" in board.say()
    assert f"yours had {format_strength(max(gammas))}" in board.say()
    board.touch("mover-white")
    assert board.best == ()
    states = Session(LineBoard()).record()
    assert "...×○○○○" in states["e e f f g g h h"]["say"]
    assert states["reveal"]["say"].startswith("##.×○○○○")


def test_a_line_has_no_hole_in_its_edge():
    off, seen, board = patterns.OFF_BOARD, {(0,) * 7}, LineBoard()
    new = list(seen)

    def edged(states, side):
        board.states = states
        try:
            board.touch(f"edge-{side}")
        except WrongTouch:
            assert set(states[:3] if side == "left" else states[3:]) == {off}
            return states
        assert board.states.count(off) == states.count(off) + 1
        return board.states

    while new:
        states = new.pop()
        afters = [after_touch(states, i) for i in range(7)]
        for i, after in enumerate(afters):
            # A touch never lays what is off the board; after the other side's stone comes empty.
            assert after.count(off) <= states.count(off)
            assert after[i] == {0: 1, 1: 2, 2: 0, off: 0}[states[i]]
        for after in {*afters, edged(states, "left"), edged(states, "right")} - seen:
            for side in (after[:3], after[:2:-1]):
                # From the end inwards: off the board, then nothing of it any more.
                assert off not in side[side.count(off) :]
            seen.add(after)
            new.append(after)
    sides = [sum(3 ** (n - k) for k in range(n + 1)) for n in (3, 4)]
    assert len(seen) == sides[0] * sides[1]  # all lines there are
    board = LineBoard()
    board.touch("way-falling")  # whose four cells stand on the left
    board.touch("edge-left")
    assert board.states == (0, 0, 0, 0, 0, 0, off)
    assert board.say().startswith("#...×...,")


def test_the_strengths_that_the_chapter_names():
    book = Path(__file__).parents[2] / "book"
    names = "btmm.ipynb", "btmm_workshop.ipynb"
    text = "".join((book / name).read_text(encoding="utf-8") for name in names)

    def gamma(line, mover=BLACK):
        row = kind("row", mover)
        return row.gamma[row.code([".XO#".index(cell) for cell in line.replace("+", "")])]

    four, three, two, none = (gamma(f"...+{line}") for line in ("OOOO", "OOO.", "OO..", "...."))
    edge, five = round(gamma("##.+OOOO"), -1), round(gamma("..O+OOOO"), -1)
    theirs, own = gamma("...+OOOO", WHITE), gamma("...+XXXX", WHITE)
    for words in (
        f"Four white stones beside the cross have a strength of {four:.0f}. Three have "
        f"{three:.0f}, two have {two:.0f}, and an empty line has {none:.1f}.",
        f"`##.×○○○○`, four white stones near an edge, with a strength of {edge:,.0f}.",
        f"`..○×○○○○`, with {five:,.0f}.",
        f"`...×●●●●`, has a strength of {theirs:.0f}, and its own, `...×○○○○`, {own:.0f}",
    ):
        assert words in text
    row = kind("row", BLACK)
    without = row.known[(row.states[row.known] == 1).sum(axis=1) == 0]
    inside = without[(row.states[without] != 3).all(axis=1)]
    assert round(row.gamma[without].max(), -1) == edge
    assert round(row.gamma[inside].max(), -1) == five
