"""Boards of nrpa, played by touches."""

import itertools
import re
from pathlib import Path

import numpy as np
import pytest

from gameai_book.nrpa.boards import advice as advising
from gameai_book.nrpa.boards import morpion as board_of_morpion
from gameai_book.nrpa.boards import pace
from gameai_book.nrpa.boards import samegame as board_of_samegame
from gameai_book.nrpa.boards.morpion import MorpionBoard
from gameai_book.nrpa.boards.samegame import SameGameBoard, cell_name
from gameai_book.nrpa.boards.yardstick import LEVELS, RECORDS, best_known, strip_chart
from gameai_book.nrpa.results.tables import yardstick
from gameai_lib.base import jit
from gameai_lib.nrpa import (
    NRPA,
    Playout,
    choices_of,
    flat_monte_carlo,
    judge,
    morpion,
    move_probabilities,
    playout_of,
    replay,
    samegame,
    small_board,
)
from gameai_lib.nrpa.game.continued import continued
from gameai_lib.nrpa.game.instances import random_board
from gameai_lib.nrpa.game.morpion import COORDINATES, VARIANTS, line_of, start_points
from gameai_lib.nrpa.game.samegame_referee import judge_samegame
from tests.nrpa.games import choices_at
from tests.support.board_checks import check_session, play_on, targets, touch
from touchbook.boards import Session


@pytest.fixture(autouse=True)
def short_searches(monkeypatch):
    """Searches as long as without compiled kernels would do in a test."""
    monkeypatch.setattr(board_of_morpion, "N_ITERATIONS", 4)
    monkeypatch.setattr(board_of_morpion, "EVERY", 3)
    monkeypatch.setattr(board_of_samegame, "N_ITERATIONS", {"lesson": 3, "small": 3})
    monkeypatch.setattr(board_of_samegame, "EVERY", {"lesson": 2, "small": 2})
    monkeypatch.setattr(pace, "PACE", 0)


def look(session):
    return session.answer({"do": "look"})


def played(board):
    """The game that a board of Morpion has in its log, by the library's rules and referee."""
    problem = morpion(board.variant)
    choices = choices_of(problem, board.codes)
    game = playout_of(problem, choices)
    judge(problem, game)
    return game


def random_points(rng):
    """Touches some point that has a line, and one of the lines; now and then a wrong place."""

    def choose(session, names):
        board = session.board
        lines = [name for name in names if name.startswith("line")]
        if lines:
            assert {*lines} == {
                board_of_morpion.line_name(code) for code in board.legal[board.chosen]
            }
            return rng.choice(lines)
        if board.over:
            return None
        if rng.random() < 0.1:
            return rng.choice([name for name in names if name.startswith("point")])
        x, y = list(board.legal)[rng.integers(len(board.legal))]
        name = f"point:{x},{y}"
        assert name in names
        return name

    return choose


@pytest.mark.parametrize(("variant", "seed"), [*itertools.product(VARIANTS, [0]), ("5D", 1)])
def test_morpion_to_its_end(variant, seed):
    session = play_on(MorpionBoard(variant=variant), random_points(np.random.default_rng(seed)))
    board, end = session.board, look(session)
    game = played(board)
    assert game.score == len(board.log) == len(board.codes) == max(board.points.values())
    assert f"No line is left: {len(board.codes)} lines." in end["say"]
    assert f"{RECORDS[variant]}." in end["say"]
    assert not end["thinks"]
    assert not session.answer({"do": "think"})["thinking"]
    assert all(name.startswith("line-") for name in board.log)
    assert touch(session, "point:5,5")["wrong"]
    shown = np.array([name[6:].split(",") for name in targets(end["svg"])], int)
    start, points = np.array(start_points(variant)), np.array([*board.points])
    assert (shown.min(axis=0) == np.minimum(start.min(axis=0) - 2, points.min(axis=0) - 1)).all()
    assert (shown.max(axis=0) == np.maximum(start.max(axis=0) + 2, points.max(axis=0) + 1)).all()
    if seed == 0:
        again = Session(MorpionBoard())
        assert not again.answer({"do": "load", "text": end["text"]})["wrong"]
        assert look(again)["svg"] == end["svg"]
        assert len(check_session(again)) == len(board.codes) + 1


def test_numbers_stand_in_the_order_of_the_moves():
    session = play_on(MorpionBoard(), random_points(np.random.default_rng(3)), most=12)
    board = session.board
    points = {point for point, n in board.points.items() if not n}
    for number, code in enumerate(board.codes, 1):
        (new,) = set(line_of(code, "5D")) - points
        assert board.points[new] == number
        points.add(new)
        assert f">{number}</text>" in look(session)["svg"]


def test_what_is_shown_as_legal_is_what_the_rules_find():
    session = Session(MorpionBoard())
    assert "ring" not in look(session)["svg"]
    assert "ring" in touch(session, "show-legal")["svg"]
    rng = np.random.default_rng(0)
    for _ in range(100):
        board = session.board
        svg = look(session)["svg"]
        # By the referee's own brute force, which knows nothing of the lists of the rules.
        shown = {
            (int(x), int(y)): int(n)
            for x, y, n in re.findall(
                r'point:(-?\d+),(-?\d+)"[^>]*aria-label="empty point [a-z]+\d+, (\d+) lines?', svg
            )
        }
        assert shown == legal_by_brute_force(board)
        if board.over:
            break
        point = list(board.legal)[rng.integers(len(board.legal))]
        touch(session, f"point:{point[0]},{point[1]}")
        if session.board.chosen:
            codes = session.board.legal[point]
            touch(session, board_of_morpion.line_name(codes[rng.integers(len(codes))]))
    assert session.board.over


def legal_by_brute_force(board):
    """Number of lines by the point that they add; disjoint lines of five."""
    drawn = [(code // 1600, set(line_of(code, "5D"))) for code in board.codes]
    found = {}
    for direction, (dx, dy) in enumerate([(1, 0), (0, 1), (1, 1), (1, -1)]):
        for x, y in itertools.product(range(-11, 21), repeat=2):
            line = {(x + i * dx, y + i * dy) for i in range(5)}
            new = line - board.points.keys()
            free = not any(way == direction and line & other for way, other in drawn)
            if len(new) == 1 and free:
                found[next(iter(new))] = found.get(next(iter(new)), 0) + 1
    return found


def test_every_point_of_the_grid_can_be_reached():
    session = Session(MorpionBoard())
    names = targets(look(session)["svg"])
    assert names == [f"point:{x},{y}" for y in range(-2, 12) for x in range(-2, 12)]
    touch(session, "line-V:3,-1")
    assert targets(look(session)["svg"]) == names  # no new scale: there is room
    assert 'aria-label="point o11, line 1"' in look(session)["svg"]
    assert 'aria-label="point o12, of the cross"' in look(session)["svg"]


def test_one_of_several_lines_is_chosen():
    # Wherever several lines add a point: letters, all of them lines that can be drawn.
    rng, n_chosen = np.random.default_rng(5), 0
    session = Session(MorpionBoard(variant="5T"))
    while not session.board.over and n_chosen < 6:
        board = session.board
        several = [point for point, codes in board.legal.items() if len(codes) > 1]
        if not several:
            codes = board.legal[list(board.legal)[rng.integers(len(board.legal))]]
            touch(session, board_of_morpion.line_name(codes[0]))
            continue
        name = "point:{},{}".format(*several[0])
        answer = touch(session, name)
        assert answer["text"] == look(Session(board))["text"]
        assert not answer["wrong"]
        lines = [n for n in targets(answer["svg"]) if n.startswith("line")]
        assert len(lines) == len(board.legal[several[0]])
        assert "there are several: touch a, b" in answer["say"]
        assert f'data-touch="{name}"' in answer["svg"]
        assert 'aria-pressed="true"' in answer["svg"]
        assert touch(session, name)["svg"] == look(Session(board))["svg"]  # none, again
        touch(session, name)
        drawn = touch(session, lines[-1])
        assert drawn["text"].rstrip().endswith(lines[-1])
        n_chosen += 1
    assert n_chosen == 6


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("point:3,0", "there is a point already"),
        ("point:0,0", "No line of five can be completed at l12."),
        ("point:99,99", "No line of five"),
        ("line-H:0,0", "The line across from l12 cannot be drawn"),
        ("line-DP:21,0", "The line diagonal, rising from ag12 cannot be drawn"),
        ("line-X:0,0", "cannot be touched here"),
        ("follow", "There is no game to follow"),
    ],
)
def test_wrong_touches_say_why(name, words):
    session = Session(MorpionBoard())
    before = look(session)
    answer = touch(session, name)
    assert words in answer["wrong"]
    assert {**answer, "wrong": ""} == before


def test_a_line_that_overlaps_is_said_to_share_a_point():
    session = Session(MorpionBoard())
    # The upper side of the cross is 3, 0 to 6, 0: one line of it, and the other end is blocked.
    assert not touch(session, "point:2,0")["wrong"]
    answer = touch(session, "point:7,0")
    assert "it would share a point with a line in the same direction" in answer["wrong"]


def test_options_are_checked():
    with pytest.raises(ValueError, match="variant must be one of"):
        MorpionBoard(variant="6D")
    with pytest.raises(TypeError, match="seed must be"):
        MorpionBoard(seed="one")
    assert MorpionBoard(variant="4T", seed=7).options() == {"variant": "4T", "seed": 7}


def thought(session, n_steps):
    """After some steps of thinking; before the first it says that it has begun."""
    before = look(session)
    answer = session.answer({"do": "think"})
    assert (answer["thinking"], answer["done"]) == (True, 0.0)
    assert answer["svg"] == before["svg"]
    for _ in range(n_steps):
        answer = session.answer({"do": "think"})
    return answer


def after_some_moves(n=8, seed=0):
    return play_on(MorpionBoard(seed=seed), random_points(np.random.default_rng(2)), most=n)


def test_the_search_from_here_is_the_librarys():
    session = after_some_moves()
    answer = thought(session, 4)
    assert answer["done"] == 12 / 16
    board = session.board
    here = continued(morpion("5D"), choices_of(morpion("5D"), board.codes))
    search = NRPA(here, board.rng(1), level=2, n_iterations=4)
    search.advance(12)
    flat, scores = flat_monte_carlo(here, board.rng(2), 12)
    found = board.advice
    assert found.n_playouts == 12
    assert found.codes == tuple(search.best.codes)
    assert found.choices == tuple(search.best.choices)
    assert found.score == search.best.score
    assert found.random == flat.score == scores.max()
    (end,) = replay(here, [])
    chances = move_probabilities(search.policy[1], end.legal)
    assert np.allclose(found.probabilities, chances)
    assert (
        f"In 12 playouts from here NRPA's best game ends with {search.best.score:.0f} lines. "
        f"The best of as many random games ends with {flat.score:.0f}." in answer["say"]
    )
    # On each legal point stands what its lines have together.
    shown = re.findall(r'point:(-?\d+),(-?\d+)"[^>]*, chance (\d+|&lt;1)%', answer["svg"])
    assert len(shown) == len(board.legal)
    for x, y, percent in shown:
        chance = sum(chances[[*end.legal].index(code)] for code in board.legal[int(x), int(y)])
        assert percent == (f"{100 * chance:.0f}" if round(100 * chance) else "&lt;1")
    # The same steps from the same seed find the same; another seed goes another way.
    again = after_some_moves()
    assert thought(again, 4)["svg"] == answer["svg"]
    other = after_some_moves(seed=1)
    thought(other, 4)
    assert other.board.advice != found


def test_thinking_that_is_stopped_keeps_what_it_found():
    session = after_some_moves()
    before = look(session)
    answer = thought(session, 2)
    assert answer["thinking"]
    stopped = session.answer({"do": "stop"})
    assert not stopped["thinking"]
    assert stopped["svg"] == answer["svg"] != before["svg"]
    assert stopped["buttons"]
    assert stopped["text"] == before["text"]
    # To its end, it is whole.
    whole = thought(session, 7)
    assert not whole["thinking"]
    assert session.board.advice.n_playouts == 16


def test_follow_plays_the_game_found():
    session = after_some_moves()
    thought(session, 7)
    found = session.board.advice
    n = len(session.board.codes)
    while not session.board.over:
        assert look(session)["buttons"][0][0] == "follow"
        answer = touch(session, "follow")
        assert not answer["wrong"]
    game = played(session.board)
    assert game.score == found.score
    assert tuple(game.codes[n:]) == found.codes
    assert answer["buttons"] == [("restart", "From the start again")]
    assert "follow" not in answer["text"]
    n_all = len(session.board.codes)
    assert f"NRPA made {n_all - n} of these {n_all} lines." in answer["say"]
    assert ">this game: " in answer["svg"]
    # Watching does the same move by move, and each is taken back; a text does not know whose.
    other = after_some_moves()
    thought(other, 7)
    for _ in found.codes:
        assert look(other)["thinks"] == "Watch NRPA play on"
        whole = other.answer({"do": "think"})
    assert (whole["svg"], whole["say"], whole["text"]) == (
        answer["svg"], answer["say"], answer["text"]
    )  # fmt: skip
    for left in range(1, 3):
        other.answer({"do": "undo"})
        assert len(other.board.codes) == n_all - left
    loaded = other.answer({"do": "load", "text": answer["text"]})
    assert "NRPA made" not in loaded["say"]


def test_a_touch_that_is_not_text_is_refused_after_thinking_too():
    session = after_some_moves()
    thought(session, 7)
    answer = session.answer({"do": "touch", "name": np.zeros(0)})
    assert "a touch is a short text" in answer["wrong"]


def test_another_move_than_that_found_drops_it():
    session = after_some_moves()
    thought(session, 3)
    board = session.board
    other = next(
        code for codes in board.legal.values() for code in codes if code != board.advice.codes[0]
    )
    touch(session, board_of_morpion.line_name(other))
    assert session.board.advice is None
    assert "NRPA" not in look(session)["say"]
    session.answer({"do": "undo"})
    assert session.board.advice is not None
    touch(session, board_of_morpion.line_name(session.board.advice.codes[0]))
    assert session.board.advice.codes == board.advice.codes[1:]
    assert "like" not in look(session)["say"]


def test_advice_of_a_finished_game_is_none():
    problem = morpion("4D")
    game, _ = flat_monte_carlo(problem, np.random.default_rng(1), 1)
    assert isinstance(game, Playout)
    last = continued(problem, game.choices[:-1])
    *_, (done, advice) = advising.advise(
        last, np.random.default_rng(0), np.random.default_rng(1), 2, 1
    )
    assert done == 1
    assert advice.after(advice.choices[0]).choices == ()
    assert advice.after(-1) is None


@pytest.mark.parametrize("variant", VARIANTS)
def test_yardsticks_are_whole(variant):
    table = yardstick(variant)
    assert len(table["random"]) == 1000
    means = [np.mean(table[name]) for name in ("random", *LEVELS)]
    assert means == sorted(means)
    assert max(table["level 3"]) <= RECORDS[variant]
    _, scores = flat_monte_carlo(morpion(variant), np.random.default_rng(0), 20)
    assert not np.setdiff1d(scores, table["random"]).size
    first = NRPA(morpion(variant), np.random.default_rng(1), level=1).run(100).score
    assert first in table["level 1"]


def test_a_new_try_begins_at_the_start_and_keeps_the_results():
    boards = [MorpionBoard(variant="4D"), SameGameBoard(blocks="small")]
    for board, choose in zip(boards, (random_points, random_blocks), strict=True):
        session = Session(board)
        start = look(session)
        assert "the start already" in touch(session, "restart")["wrong"]
        session = play_on(board, choose(np.random.default_rng(0)))
        result, end = session.board.result, look(session)
        assert [name for name, _ in end["buttons"]] == ["restart"]
        again = touch(session, "restart")
        assert (again["svg"], again["thinks"]) == (start["svg"], start["thinks"])
        assert again["say"] == f"{start['say']}\nEarlier tries: {result}."
        assert not again["buttons"]
        # What did not come to its end has no result.
        x, y = next(iter(getattr(board, "legal", [(0, 0)])))
        take = f"take-{cell_name(board.groups[0][0])}" if choose is random_blocks else ""
        touch(session, take or f"point:{x},{y}")
        kept = touch(session, "restart")
        assert kept["say"] == again["say"]
        loaded = Session(type(board)())
        assert loaded.answer({"do": "load", "text": kept["text"]})["say"] == kept["say"]
        for _ in range(3):
            taken_back = session.answer({"do": "undo"})
        assert (taken_back["svg"], taken_back["say"]) == (end["svg"], end["say"])


def test_the_names_of_columns_and_rows_stand_in_the_picture():
    svg = look(Session(MorpionBoard()))["svg"]
    for name in ["j", "w", "10", "23"]:  # two more than the cross on each side
        assert f">{name}</text>" in svg
    names = {board_of_morpion.column_name(x) for x in COORDINATES}
    assert len(names) == len(COORDINATES)


# SameGame.


def start_of(board):
    """Colours at the start, by the options."""
    if board.blocks == "lesson" and board.seed == 0:
        return small_board()
    side, seed = {"lesson": (9, board.seed + 1), "small": (8, board.seed)}[board.blocks]
    return random_board(np.random.default_rng(seed), side, 4)


def cells_in(log):
    """(column, row) of each group that was removed."""
    matches = [re.fullmatch("take-([a-i])(\\d)", name) for name in log]
    return [("abcdefghi".index(match[1]), int(match[2]) - 1) for match in matches]


def random_blocks(rng):
    """Touches blocks, single ones too, and a second time those that it has marked."""

    def choose(session, names):
        board = session.board
        if board.over:
            return None
        blocks = [name for name in names if name != "restart"]
        marked = [name for name in names if name.startswith("take-")]
        if marked and rng.random() < 0.9:
            return rng.choice(marked)
        if rng.random() < 0.1:
            return rng.choice(blocks)
        group = board.groups[rng.integers(len(board.groups))]
        assert {cell_name(group[0]), f"take-{cell_name(group[0])}"} & {*blocks}
        return cell_name(group[rng.integers(len(group))])

    return choose


@pytest.mark.parametrize("options", [{}, {"seed": 5}, {"blocks": "small"}])
def test_samegame_to_its_end(options):
    session = play_on(SameGameBoard(**options), random_blocks(np.random.default_rng(0)))
    board, end = session.board, look(session)
    verdict = judge_samegame(start_of(board), cells_in(board.log))
    assert verdict == (board.score, 0)
    assert (
        f"No group is left: {board.score:,} points, {len(board.kinds)} blocks left." in end["say"]
    )
    measured = not options
    assert ("The best game that we know" in end["say"]) == measured
    assert ("What is possible on this board?" in end["say"]) != measured
    assert (">random</text>" in end["svg"]) == measured
    assert not end["thinks"]
    assert not session.answer({"do": "think"})["thinking"]
    again = Session(SameGameBoard())
    assert not again.answer({"do": "load", "text": end["text"]})["wrong"]
    assert look(again)["svg"] == end["svg"]
    assert len(check_session(again)) == len(board.log) + 1


@pytest.mark.parametrize("options", [{"seed": 1}, {"blocks": "small", "seed": 3}])
def test_the_picture_has_every_block_and_its_group(options):
    session = play_on(SameGameBoard(**options), random_blocks(np.random.default_rng(1)), most=12)
    board = session.board
    # The referee's way: columns of colours, groups by a flood of its own.
    columns = start_of(board)[::-1].T.tolist()
    for x, y in cells_in(board.log):
        group, frontier = set(), [(x, y)]
        while frontier:
            a, b = frontier.pop()
            inside = 0 <= a < len(columns) and 0 <= b < len(columns[a])
            if inside and (a, b) not in group and columns[a][b] == columns[x][y]:
                group.add((a, b))
                frontier += [(a + 1, b), (a - 1, b), (a, b + 1), (a, b - 1)]
        columns = [
            [kind for v, kind in enumerate(column) if (u, v) not in group]
            for u, column in enumerate(columns)
        ]
        columns = [column for column in columns if column]
    expected = {
        cell_name((x, y)): board_of_samegame.KINDS[kind]
        for x, column in enumerate(columns)
        for y, kind in enumerate(column)
    }
    svg = touch(session, "show-groups")["svg"]
    labels = re.findall(r'aria-label="(\w+), ([\w ]+), (alone|group of \d+)"', svg)
    assert {name: kind for name, kind, _ in labels} == expected
    assert {*targets(svg)} == {*expected}
    sizes = sorted(len(group) for group in board.groups)
    tags = [int(n) for n in re.findall(r">(\d+)</text>", svg)]
    rows = range(1, board.grid.side + 1)  # their numbers stand beside them
    assert sorted(tags) == sorted([*sizes, *rows])
    alone = len(expected) - sum(sizes)
    assert [about for *_, about in labels].count("alone") == alone


def test_a_first_touch_tells_and_a_second_removes():
    session = Session(SameGameBoard())
    group = max(session.board.groups, key=len)
    name, other = cell_name(group[0]), cell_name(group[-1])
    answer = touch(session, name)
    assert answer["text"].endswith("touches: \n")
    assert f"Marked: {len(group)} orange triangles in columns h to i" in answer["say"]
    assert f"worth {(len(group) - 2) ** 2} points" in answer["say"]
    assert answer["svg"].count('aria-pressed="true"') == len(group)
    # A block of another group marks that one instead.
    elsewhere = next(g for g in session.board.groups if g != group)
    touch(session, cell_name(elsewhere[0]))
    assert session.board.groups[session.board.chosen] == elsewhere
    touch(session, other)
    answer = touch(session, f"take-{name}")
    assert session.board.score == (len(group) - 2) ** 2
    assert answer["text"].split()[-1] == f"take-{name}"
    assert len(session.board.kinds) == 81 - len(group)


def test_a_cleared_board_has_the_bonus():
    board = SameGameBoard()
    colours = np.tile(np.arange(9) % 4, (9, 1))
    board._stand_at(samegame(colours))
    session = Session(board)
    while not session.board.over:
        group = session.board.groups[0]
        touch(session, f"take-{cell_name(group[0])}")
    assert session.board.kinds == {}
    verdict = judge_samegame(colours, cells_in(session.board.log))
    assert verdict == (session.board.score, 0)
    assert verdict.score > 1000
    assert "the board cleared" in look(session)["say"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("{}", "at {} is alone: a group has two or more"),
        ("take-{}", "at {} is alone"),
        ("j1", "cannot be touched here"),
        ("a10", "cannot be touched here"),
        ("a0", "cannot be touched here"),
        ("follow", "There is no game to follow"),
    ],
)
def test_wrong_blocks_say_why(name, words):
    session = Session(SameGameBoard())
    before = look(session)
    alone = re.search(r'aria-label="(\w+), [\w ]+, alone"', before["svg"])[1]
    answer = touch(session, name.format(alone))
    assert words.format(alone) in answer["wrong"]
    assert {**answer, "wrong": ""} == before


def test_an_empty_place_has_no_block():
    session = Session(SameGameBoard())
    top = next(group for group in session.board.groups if any(y == 8 for _, y in group))
    cell = next(cell for cell in top if cell[1] == 8)
    touch(session, f"take-{cell_name(cell)}")
    answer = touch(session, cell_name(cell))
    assert answer["wrong"] == f"There is no block at {cell_name(cell)}."


def test_samegame_options_are_checked():
    with pytest.raises(ValueError, match="blocks must be one of"):
        SameGameBoard(blocks="mine")
    assert SameGameBoard(blocks="small", seed=2).options() == {"blocks": "small", "seed": 2}


@pytest.mark.parametrize(("options", "n"), [({}, 12), ({"blocks": "small"}, 8)])
def test_samegame_searches_from_here_and_follows(options, n):
    session = play_on(SameGameBoard(**options), random_blocks(np.random.default_rng(4)), most=n)
    before = session.board
    answer = thought(session, 2)
    assert answer["done"] == 4 / 9
    assert session.answer({"do": "stop"})["svg"] == answer["svg"]
    problem = samegame(start_of(before))
    choices = choices_at(problem, cells_in(before.log))
    here = continued(problem, choices)
    search = NRPA(here, before.rng(1), level=2, n_iterations=3)
    search.advance(4)
    flat, _ = flat_monte_carlo(here, before.rng(2), 4)
    found = session.board.advice
    assert (found.score, found.random) == (search.best.score, flat.score)
    assert found.choices == tuple(search.best.choices)
    (end,) = replay(here, [])
    chances = move_probabilities(search.policy[1], end.legal)
    assert np.allclose(found.probabilities, chances)
    shown = sorted(int(n) for n in re.findall(r">(\d+)%</text>", answer["svg"]))
    assert shown == sorted([round(100 * p) for p in chances if p >= 0.005])
    assert "In 4 playouts from here NRPA" in answer["say"]
    while session.board.advice is not None and session.board.advice.choices:
        assert not touch(session, "follow")["wrong"]
    assert session.board.over
    assert session.board.score == found.score
    assert "follow" not in session.board.log
    assert judge_samegame(start_of(before), cells_in(session.board.log)).score == found.score


@pytest.mark.skipif(not jit.COMPILED, reason="takes long without numba")
def test_the_landing_page_says_how_many_random_games_reach_200_points():
    board = SameGameBoard(blocks="small")
    _, scores = flat_monte_carlo(board.here, np.random.default_rng(0), 1000)
    page = (Path(__file__).parents[2] / "book" / "index.ipynb").read_text("utf-8")
    assert f"Of a thousand random games on this first board {(scores >= 200).sum()} do." in page


def test_the_lessons_board_has_its_own_yardstick():
    board = SameGameBoard(blocks="lesson")
    assert board.here.ints.tolist() == samegame(small_board()).ints.tolist()
    table = yardstick("lesson")
    game, scores = flat_monte_carlo(board.here, np.random.default_rng(0), 1000)
    assert sorted(scores) == table["random"]
    means = [np.mean(table[level]) for level in ("random", *LEVELS)]
    assert means == sorted(means)
    assert best_known("lesson") == max(table["level 3"]) > game.score
    for level, n in ((1, 30), (2, 30)):
        search = NRPA(board.here, np.random.default_rng(1), level=level, n_iterations=n)
        assert search.run().score in table[f"level {level}"]


def test_the_lessons_board_is_recorded(monkeypatch):
    monkeypatch.setattr(board_of_samegame, "N_ITERATIONS", {"lesson": 30})
    monkeypatch.setattr(board_of_samegame, "EVERY", {"lesson": 15})
    assert SameGameBoard(blocks="small").runs_to_record() == []
    session = Session(SameGameBoard(blocks="lesson"))
    states = session.record()
    assert "In 900 playouts from here" in states[" ".join(["think"] * 3)]["say"]
    n_moves = board_of_samegame.MOVES_RECORDED
    assert "No group is left" not in states[" ".join(["think"] * (2 + n_moves))]["say"]
    end = states[" ".join(["think"] * (3 + n_moves))]
    assert "No group is left" in end["say"]
    assert ">this game: " in end["svg"]
    # The question of the race comes later.
    assert "NRPA" not in end["say"].split("NRPA made")[0]
    assert "level" not in end["svg"]


def test_a_new_game_of_the_lesson_has_other_blocks():
    session = Session(SameGameBoard(blocks="lesson"))
    start = look(session)
    other = session.answer({"do": "new"})
    assert other["svg"] != start["svg"]
    assert "Board 1." in other["say"]
    assert session.board.kinds != SameGameBoard(blocks="lesson").kinds


def test_the_best_of_all_games_has_its_label_in_the_picture():
    shapes, _ = strip_chart("lesson", best_known("lesson"), 0, 420, "this game")
    label = next(shape for shape in shapes if "this game" in shape)
    assert float(re.search(r' x="([\d.]+)"', label)[1]) < 420 - 55


def test_a_small_chance_is_not_none():
    shown = [advising.percent(p) for p in (0, 1e-9, 0.0049, 0.0051, 0.37, 1)]
    assert shown == ["0%", "<1%", "<1%", "1%", "37%", "100%"]
