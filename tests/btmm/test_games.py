"""Rules and replay of Reversi and Connect-6 against plain Python and known counts."""

import numpy as np
import pytest

from gameai_lib.btmm.game import connect6, reversi, selfplay
from gameai_lib.btmm.game.patterns import square_classes
from gameai_lib.btmm.game.positions import RecordError, Records, records, split_games


def perft(board, colour, depth):
    if depth == 0:
        return 1
    moves = reversi.legal_moves(board, colour)
    if moves.size == 0:
        if reversi.legal_moves(board, 3 - colour).size == 0:
            return 1
        return perft(board, 3 - colour, depth - 1)
    return sum(perft(reversi.played(board, colour, m), 3 - colour, depth - 1) for m in moves)


@pytest.mark.parametrize(("depth", "leaves"), [(1, 4), (2, 12), (3, 56), (4, 244), (5, 1396)])
def test_reversi_tree_has_the_known_number_of_leaves(depth, leaves):
    assert perft(reversi.start_board(), 1, depth) == leaves


def test_reversi_first_moves_and_what_they_turn():
    names = [reversi.square_of(c) for c in reversi.legal_moves(reversi.start_board(), 1)]
    assert names == ["d3", "c4", "f5", "e6"]
    board = reversi.played(reversi.start_board(), 1, reversi.cell_of("f5"))
    assert (board == 1).sum() == 4
    assert board[reversi.cell_of("e5")] == 1
    with pytest.raises(ValueError, match="illegal move 0 for colour 2"):
        reversi.played(board, 2, 0)


def test_reversi_wipe_out_in_nine_moves():
    # The shortest game: black takes every stone, so the game ends with cells empty.
    cells = [reversi.cell_of(s) for s in ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"]]
    board, colour = reversi.start_board(), 1
    for cell in cells:
        board = reversi.played(board, colour, cell)
        colour = reversi.next_to_move(board, colour)
    assert colour == 0
    assert (board == 2).sum() == 0
    assert reversi.winner_of(board) == 1
    assert reversi.first_illegal(records([cells]))[0] == -1
    assert reversi.first_illegal(records([[*cells, 0]]))[0] == 9


def test_reversi_replay_agrees_with_playing_move_by_move():
    games = selfplay.play_reversi(6, np.random.default_rng(2), square_classes())
    positions = reversi.replay(games)
    passes = 0
    for g in range(games.n_games):
        board, colour = reversi.start_board(), 1
        for k, i in enumerate(np.flatnonzero(positions.game == g)):
            np.testing.assert_array_equal(positions.boards[i], board)
            assert positions.to_move[i] == colour
            assert positions.ply[i] == k
            legal = slice(positions.offsets[i], positions.offsets[i + 1])
            np.testing.assert_array_equal(
                positions.moves[legal], reversi.legal_moves(board, colour)
            )
            cell = positions.moves[legal][positions.chosen[i]]
            assert cell == games.game(g)[k]
            after = reversi.played(board, colour, cell)
            turned = (after == colour).sum() - (board == colour).sum() - 1
            assert positions.flips[legal][positions.chosen[i]] == turned
            following = reversi.next_to_move(after, colour)
            passes += following == colour
            board, colour = after, following
        assert colour == 0
    assert passes > 0


def test_reversi_illegal_games_are_named():
    with pytest.raises(RecordError, match="game 2, move 2: cell 0 is illegal"):
        reversi.replay(records([[37, 43], [37, 0]]))
    assert reversi.first_illegal(records([[64], [-1], [], [37, 37]])).tolist() == [0, 0, -1, 1]


@pytest.mark.parametrize(("rules", "last"), [(reversi, "h8"), (connect6, "s19")])
def test_notation(rules, last):
    assert rules.cell_of("a1") == 0
    assert rules.square_of(rules.N_CELLS - 1) == last
    assert [rules.cell_of(rules.square_of(c)) for c in range(rules.N_CELLS)] == list(
        range(rules.N_CELLS)
    )
    for wrong in ("", "a", "a0", "t1", "a20", "A1", "a01", "11", "a1 ", "a²"):
        with pytest.raises(ValueError, match=r"no (square|point)"):
            rules.cell_of(wrong)
    for wrong in (-1, rules.N_CELLS):
        with pytest.raises(ValueError, match=f"cell must be .* got {wrong}"):
            rules.square_of(wrong)


def test_connect6_turns():
    assert [connect6.mover(ply) for ply in range(9)] == [1, 2, 2, 1, 1, 2, 2, 1, 1]


def c6(text):
    return [connect6.cell_of(s) for s in text.split()]


@pytest.mark.parametrize(
    "row",
    [
        "j10 k10 l10 m10 n10 o10",
        "j10 j11 j12 j13 j14 j15",
        "j10 k11 l12 m13 n14 o15",
        "j10 i11 h12 g13 f14 e15",
        "n1 o1 p1 q1 r1 s1",
        "a14 b15 c16 d17 e18 f19",
    ],
)
def test_connect6_is_won_by_six_in_each_direction(row):
    board = np.zeros(361, np.int8)
    cells = c6(row)
    board[cells[:-1]] = 1
    assert not any(connect6.wins_at(board, cell) for cell in cells)
    board[cells[-1]] = 1
    assert all(connect6.wins_at(board, cell) for cell in cells)
    assert connect6.legal_moves(board).size == 355


def test_connect6_rows_do_not_run_over_the_edge():
    board = np.zeros(361, np.int8)
    board[c6("q1 r1 s1 a2 b2 c2")] = 1
    assert not connect6.wins_at(board, c6("s1")[0])


WON = "j10 a1 c1 k10 l10 e1 g1 m10 n10 a3 c3 o10"


def test_connect6_replay_by_hand():
    games = records([c6(WON), c6("j10 a1")])
    assert connect6.winner_of(games).tolist() == [1, 0]
    positions = connect6.replay(games)
    assert positions.n_positions == 12
    assert positions.to_move.tolist() == [2, 2, 1, 1, 2, 2, 1, 1, 2, 2, 1, 2]
    assert positions.ply.tolist() == [*range(1, 12), 1]
    np.testing.assert_array_equal(np.diff(positions.offsets), 361 - positions.ply)
    played = positions.moves[positions.offsets[:-1] + positions.chosen]
    assert played.tolist() == [*c6(WON)[1:], 0]
    assert positions.boards[10].sum() == 5 + 2 * 6
    np.testing.assert_array_equal(
        positions.moves[: positions.offsets[1]], connect6.legal_moves(positions.boards[0])
    )


@pytest.mark.parametrize("extra", ["p1", "j10"])
def test_connect6_illegal_games_are_named(extra):
    with pytest.raises(RecordError, match=r"game 1, stone 13: cell \d+ is illegal"):
        connect6.replay(records([c6(f"{WON} {extra}")]))
    assert connect6.first_illegal(records([[361], [180, 180], [180]])).tolist() == [0, 1, -1]


def test_positions_take_and_unforced():
    games = selfplay.play_reversi(2, np.random.default_rng(1), square_classes())
    positions = reversi.replay(games)
    free = positions.unforced()
    assert (np.diff(free.offsets) > 1).all()
    rows = np.flatnonzero(np.diff(positions.offsets) > 1)
    assert free.n_positions == rows.size < positions.n_positions
    i = int(rows[-1])
    last = slice(free.offsets[-2], free.offsets[-1])
    there = slice(positions.offsets[i], positions.offsets[i + 1])
    np.testing.assert_array_equal(free.moves[last], positions.moves[there])
    np.testing.assert_array_equal(free.flips[last], positions.flips[there])


def test_records_in_chunks_and_split():
    games = records([[1], [2, 3], [], [4], [5, 6]])
    parts = list(games.chunks(2))
    assert [part.n_games for part in parts] == [2, 2, 1]
    assert [part.game(0).tolist() for part in parts] == [[1], [], [5, 6]]
    assert games.take([4, 0]).moves.tolist() == [5, 6, 1]
    train, test = split_games(45, np.random.default_rng(1))
    assert test.sum() == 2
    assert (train ^ test).all()
    again, other = (split_games(45, np.random.default_rng(seed))[1] for seed in (1, 2))
    assert (again == test).all()
    assert (other != test).any()


def test_the_players_are_seeded_and_legal(tmp_path):
    games = selfplay.play_connect6(5, np.random.default_rng(7))
    again = selfplay.play_connect6(5, np.random.default_rng(7))
    np.testing.assert_array_equal(games.moves, again.moves)
    assert (connect6.first_illegal(games) == -1).all()
    assert (connect6.winner_of(games) > 0).sum() >= 3
    calls = []

    def play():
        calls.append(1)
        return games

    for _ in range(2):
        stored = selfplay.kept(tmp_path / "games.npz", play)
        np.testing.assert_array_equal(stored.moves, games.moves)
        np.testing.assert_array_equal(stored.offsets, games.offsets)
    assert len(calls) == 1


def test_the_connect6_player_completes_and_blocks_sixes():
    # White holds four of a row of six with two stones to place, then black does.
    rng = np.random.default_rng(0)
    games = selfplay.play_connect6(20, rng)
    won, missed = 0, 0
    for g in range(games.n_games):
        cells, board = games.game(g), np.zeros(361, np.int64)
        for ply, cell in enumerate(cells):
            mine = board[selfplay.WINDOWS] == connect6.mover(ply)
            clear = ((board[selfplay.WINDOWS] == 0) | mine).all(axis=1)
            if ply % 2 == 1 and (clear & (mine.sum(axis=1) >= 4)).any():
                won += ply + 2 == cells.size
                missed += ply + 2 < cells.size
                break
            board[cell] = connect6.mover(ply)
    assert won >= 15
    assert missed == 0


def test_the_reversi_player_beats_chance():
    rng = np.random.default_rng(3)
    worth = selfplay.SQUARE_WORTH[square_classes()]
    points = 0.0
    for game in range(20):
        me = 1 + game % 2
        board, colour = reversi.start_board(), 1
        while colour:
            cell = rng.choice(reversi.legal_moves(board, colour))
            if colour == me:
                cell = selfplay.best_reversi_move(board, colour, worth)
            board = reversi.played(board, colour, cell)
            colour = reversi.next_to_move(board, colour)
        points += {me: 1.0, 0: 0.5}.get(reversi.winner_of(board), 0.0)
    assert points >= 17


def test_arrays_that_do_not_fit_are_refused_before_compiled_code_reads_them():
    for rules, cell in ((reversi, 37), (connect6, 180)):
        for moves, offsets, message in (
            ([cell], [0, 10**9], "offsets must run from 0 to 1"),
            ([cell, cell], [0, 5, 2], "offsets must not fall"),
            ([cell], [], "offsets must run"),
            ([0.5], [0, 1], "moves must be whole numbers, got 0.5"),
            ([2**20], [0, 1], "moves must be from -32768 to 32767"),
        ):
            broken = Records(np.array(moves), np.array(offsets))
            for use in (rules.first_illegal, rules.replay):
                with pytest.raises(RecordError, match=message):
                    use(broken)
        with pytest.raises(RecordError, match="game records must be Records, got 5"):
            rules.first_illegal(5)
        with pytest.raises(ValueError, match=r"cells, got 3"):
            rules.legal_moves(np.zeros(3, np.int8), *([1] if rules is reversi else []))
    for moves in ([361], [-1]):
        with pytest.raises(RecordError, match="game 2, move 1: no cell"):
            connect6.winner_of(records([[180], moves]))
        with pytest.raises(RecordError, match="game 2, move 1: no cell"):
            reversi.final_discs(records([[37], moves]))
    for colour in (0, 3, 1.0):
        with pytest.raises((ValueError, TypeError), match="colour must be"):
            reversi.legal_moves(reversi.start_board(), colour)


def test_discs_at_the_end():
    # The wipe-out in nine moves: black has 13 stones, and the 51 empty squares are his.
    cells = [reversi.cell_of(s) for s in ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"]]
    assert reversi.final_discs(records([cells, cells[:-1], []])).tolist() == [64, -1, -1]
    games = selfplay.play_reversi(10, np.random.default_rng(2), square_classes())
    some = records([*(games.game(g) for g in range(10)), cells, cells[:-1], [0]])
    illegal, together = reversi.verdicts(some)
    assert illegal.tolist() == reversi.first_illegal(some).tolist() == [-1] * 12 + [0]
    assert together.tolist() == [*reversi.final_discs(some.take(slice(0, 12))), -1]
    for g, discs in enumerate(reversi.final_discs(games)):
        board, colour = reversi.start_board(), 1
        for cell in games.game(g):
            board = reversi.played(board, colour, int(cell))
            colour = reversi.next_to_move(board, colour)
        empty, winner = (board == 0).sum(), reversi.winner_of(board)
        assert discs == (board == 1).sum() + {0: empty // 2, 1: empty, 2: 0}[winner]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda rng: selfplay.play_connect6(1.5, rng), "n_games must be a whole number, got 1.5"),
        (lambda rng: selfplay.play_connect6(1, 7), "rng must be a numpy.random.Generator, got 7"),
        (lambda rng: selfplay.play_connect6(1, rng, 0), "temperature must be .*1e-09.*, got 0"),
        (
            lambda rng: selfplay.play_connect6(1, rng, max_stones=0),
            "max_stones must be from 1",
        ),
        (lambda rng: selfplay.play_reversi(1, rng, [0]), "square_class must be 64 numbers"),
        (lambda rng: split_games(-1, rng), "n_games must be from 0 to .*, got -1"),
        (lambda rng: records([["f5"]]), "game 1 must be numbers, got.*'f5'"),
        (lambda rng: records(7), "games must be a list, got 7"),
    ],
)
def test_wrong_arguments_are_named(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call(np.random.default_rng(0))
