"""The boards of Morpion Solitaire and SameGame, played by touches."""

import itertools
import re
from pathlib import Path

import numpy as np
import pytest

from gameai_book.nrpa.boards import morpion as board_of_morpion
from gameai_book.nrpa.boards import samegame as board_of_samegame
from gameai_book.nrpa.boards.morpion import MorpionBoard, line_name
from gameai_book.nrpa.boards.samegame import KINDS, SameGameBoard, cell_name
from gameai_book.nrpa.boards.yardstick import LEVELS, RECORDS, best_known
from gameai_book.nrpa.results.tables import yardstick
from gameai_lib.base import jit
from gameai_lib.nrpa import (
    NRPA,
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
from gameai_lib.nrpa.game.morpion import (
    COORDINATES,
    VARIANTS,
    judge_morpion,
    line_of,
    start_points,
)
from gameai_lib.nrpa.game.samegame_referee import _group, judge_samegame
from tests.nrpa.games import choices_at
from tests.support.board_checks import check_session, play_on, targets, touch
from touchbook.board import pace
from touchbook.boards import Session


@pytest.fixture(autouse=True)
def short_searches(monkeypatch):
    """Searches as long as without compiled kernels would do in a test."""
    monkeypatch.setattr(board_of_morpion, "N_ITERATIONS", 4)
    monkeypatch.setattr(board_of_morpion, "EVERY", 3)
    monkeypatch.setattr(board_of_samegame, "N_ITERATIONS", {"lesson": 4, "small": 4})
    monkeypatch.setattr(board_of_samegame, "EVERY", {"lesson": 3, "small": 3})
    monkeypatch.setattr(pace, "PACE", 0)


def look(session):
    return session.answer({"do": "look"})


def start_of(board):
    """Colours of a board of SameGame at its start, by the options."""
    if board.blocks == "lesson" and board.seed == 0:
        return small_board()
    side, seed = {"lesson": (9, board.seed + 1), "small": (8, board.seed)}[board.blocks]
    return random_board(np.random.default_rng(seed), side, 4)


def cells_in(log):
    """(column, row) of each group that was removed."""
    matches = [re.fullmatch("take-([a-i])(\\d)", name) for name in log]
    return [("abcdefghi".index(match[1]), int(match[2]) - 1) for match in matches]


def problem_and_choices(board):
    """What the library calls the game that a board has in its log."""
    if isinstance(board, MorpionBoard):
        problem = morpion(board.variant)
        return problem, choices_of(problem, board.codes)
    problem = samegame(start_of(board))
    return problem, choices_at(problem, cells_in(board.log))


def played(board):
    """The whole game in the log of a board, by the library's rules and referee."""
    problem, choices = problem_and_choices(board)
    game = playout_of(problem, choices)
    assert judge(problem, game).score == game.score
    return game


def random_points(rng):
    """Touches some point that has a line, and one of the lines; now and then a wrong place."""

    def choose(session, names):
        board = session.board
        if board.over:
            return None
        if "legal" in board.shown:
            check_rings(board)
        if board.chosen:
            check_letters(board, look(session), names)
            return rng.choice([name for name in names if name.startswith("line")])
        if rng.random() < 0.1:
            return rng.choice([name for name in names if name.startswith("point")])
        x, y = list(board.legal)[rng.integers(len(board.legal))]
        return f"point:{x},{y}"

    return choose


def check_rings(board):
    """What is shown as legal is what the rules find, as many as the referee by brute force."""
    label = r'point:(-?\d+),(-?\d+)"[^>]*aria-label="empty point [a-z]+\d+, (\d+) lines?'
    shown = {(int(x), int(y)): int(n) for x, y, n in re.findall(label, board.svg())}
    assert shown == {point: len(codes) for point, codes in board.legal.items()}
    lines = [line_of(code, board.variant) for code in board.codes]
    assert sum(shown.values()) == judge_morpion(board.variant, lines).n_moves_left


def check_letters(board, state, names):
    """Of several lines that add a point each has a letter; touched again, it has none."""
    lines = {name for name in names if name.startswith("line")}
    assert lines == {line_name(code) for code in board.legal[board.chosen]}
    assert "there are several: touch a, b" in state["say"]
    assert state["svg"].count('aria-pressed="true"') == 1
    again = Session(board)
    assert touch(again, "point:{},{}".format(*board.chosen))["text"] == state["text"]
    assert again.board.chosen is None


@pytest.mark.parametrize(("variant", "views"), [*itertools.product(VARIANTS, [()]), ("5D", "l")])
def test_morpion_to_its_end(variant, views):
    board = MorpionBoard(variant=variant)
    assert "ring" not in board.svg()
    if views:
        board.touch("show-legal")
    session = play_on(board, random_points(np.random.default_rng(len(views))))
    board, end = session.board, look(session)
    assert played(board).score == len(board.log) == len(board.codes)
    points = dict.fromkeys(start_points(variant), 0)
    for number, code in enumerate(board.codes, 1):
        (new,) = set(line_of(code, variant)) - points.keys()
        points[new] = number
    assert board.points == points
    numbers = re.findall(r'point:(\S+),(\S+)"[^>]*aria-label="point \w+, line (\d+)"', end["svg"])
    assert {(int(x), int(y)): int(n) for x, y, n in numbers}.items() <= points.items()
    assert len(numbers) == len(board.codes)
    assert f"No line is left: {len(board.codes)} lines." in end["say"]
    assert f"{RECORDS[variant]}." in end["say"]
    assert not end["thinks"]
    assert not session.answer({"do": "think"})["thinking"]
    shown = np.array([name[6:].split(",") for name in targets(end["svg"])], int)
    start, added = np.array(start_points(variant)), np.array([*points])
    assert (shown.min(axis=0) == np.minimum(start.min(axis=0) - 2, added.min(axis=0) - 1)).all()
    assert (shown.max(axis=0) == np.maximum(start.max(axis=0) + 2, added.max(axis=0) + 1)).all()
    if not views:
        again = Session(MorpionBoard())
        assert not again.answer({"do": "load", "text": end["text"]})["wrong"]
        assert look(again)["svg"] == end["svg"]
        assert len(check_session(again)) == len(board.codes) + 1


def test_every_point_of_the_grid_can_be_reached_and_has_a_name():
    session = Session(MorpionBoard())
    start = look(session)["svg"]
    names = targets(start)
    assert names == [f"point:{x},{y}" for y in range(-2, 12) for x in range(-2, 12)]
    for name in ["j", "w", "10", "23"]:  # two more than the cross on each side
        assert f">{name}</text>" in start
    touch(session, "line-V:3,-1")
    svg = look(session)["svg"]
    assert targets(svg) == names  # no new scale: there is room
    assert len({board_of_morpion.column_name(x) for x in COORDINATES}) == len(COORDINATES)


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
        return cell_name(group[rng.integers(len(group))])

    return choose


def moves_of(board, seed):
    """Random touches that suit a board."""
    choose = random_points if isinstance(board, MorpionBoard) else random_blocks
    return choose(np.random.default_rng(seed))


@pytest.mark.parametrize("options", [{}, {"seed": 5}, {"blocks": "small"}])
def test_samegame_to_its_end(options):
    session = play_on(SameGameBoard(**options), random_blocks(np.random.default_rng(0)))
    board, end = session.board, look(session)
    assert played(board).score == board.score
    words = f"No group is left: {board.score:,} points, {len(board.kinds)} blocks left."
    assert words in end["say"]
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
    # It has ended with a new game, of other blocks.
    assert f"Board {board.seed + 1}." in look(again)["say"]
    assert again.board.kinds != SameGameBoard(**options).kinds


@pytest.mark.parametrize("options", [{"seed": 1}, {"blocks": "small", "seed": 3}])
def test_the_picture_has_every_block_and_its_group(options):
    session = play_on(SameGameBoard(**options), random_blocks(np.random.default_rng(1)), most=12)
    board = session.board
    columns = start_of(board)[::-1].T.tolist()
    for x, y in cells_in(board.log):  # the referee's way
        group = _group(columns, x, y)
        columns = [
            [kind for v, kind in enumerate(column) if (u, v) not in group]
            for u, column in enumerate(columns)
        ]
        columns = [column for column in columns if column]
    cells = [(x, y) for x, column in enumerate(columns) for y in range(len(column))]
    groups = {cell: frozenset(_group(columns, *cell)) for cell in cells}
    expected = {
        (cell_name((x, y)), KINDS[columns[x][y]], f"group of {n}" if n > 1 else "alone")
        for (x, y), n in zip(cells, map(len, groups.values()), strict=True)
    }
    svg = touch(session, "show-groups")["svg"]
    assert {*re.findall(r'aria-label="(\w+), ([\w ]+), (alone|group of \d+)"', svg)} == expected
    assert {*targets(svg)} == {cell_name(cell) for cell in cells}
    sizes = [len(group) for group in {*groups.values()} if len(group) > 1]
    rows = range(1, board.grid.side + 1)  # their numbers stand beside them
    assert sorted(map(int, re.findall(r">(\d+)</text>", svg))) == sorted([*sizes, *rows])


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
        touch(session, f"take-{cell_name(session.board.groups[0][0])}")
    assert session.board.kinds == {}
    verdict = judge_samegame(colours, cells_in(session.board.log))
    assert verdict.score == session.board.score > 1000
    assert "the board cleared" in look(session)["say"]


@pytest.mark.parametrize(
    ("kind", "first", "name", "words"),
    [
        (MorpionBoard, [], "point:3,0", "there is a point already"),
        (MorpionBoard, [], "point:0,0", "No line of five can be completed at l12."),
        (MorpionBoard, [], "point:99,99", "No line of five"),
        # The upper side of the cross is 3, 0 to 6, 0: one line of it blocks the other end.
        (MorpionBoard, ["point:2,0"], "point:7,0",
         "it would share a point with a line in the same direction"),
        (MorpionBoard, [], "line-H:0,0", "The line across from l12 cannot be drawn"),
        (MorpionBoard, [], "line-DP:21,0", "The line diagonal, rising from ag12 cannot be drawn"),
        (MorpionBoard, [], "follow", "There is no game to follow"),
        (MorpionBoard, [], "restart", "the start already"),
        (SameGameBoard, [], "a1", "at a1 is alone: a group has two or more"),
        (SameGameBoard, [], "take-a1", "at a1 is alone"),
        (SameGameBoard, ["take-a9"], "a9", "There is no block at a9."),
        (SameGameBoard, [], "j1", "cannot be touched here"),
        (SameGameBoard, [], "a0", "cannot be touched here"),
    ],
)  # fmt: skip
def test_wrong_touches_say_why(kind, first, name, words):
    session = Session(kind())
    for one in first:
        assert not touch(session, one)["wrong"]
    before = look(session)
    answer = touch(session, name)
    assert words in answer["wrong"]
    assert {**answer, "wrong": ""} == before


def thought(session, n_steps):
    """After some steps of thinking; before the first it says that it has begun."""
    before = look(session)
    answer = session.answer({"do": "think"})
    assert (answer["thinking"], answer["done"]) == (True, 0.0)
    assert answer["svg"] == before["svg"]
    for _ in range(n_steps):
        answer = session.answer({"do": "think"})
    return answer


def check_chances(board, legal, chances, svg):
    """On each point or group stands what its lines have together, or what it has."""
    if isinstance(board, SameGameBoard):
        shown = sorted(int(n) for n in re.findall(r">(\d+)%</text>", svg))
        assert shown == sorted([round(100 * p) for p in chances if p >= 0.005])
        return
    shown = re.findall(r'point:(-?\d+),(-?\d+)"[^>]*, chance (\d+|&lt;1)%', svg)
    assert len(shown) == len(board.legal) < len(legal)  # some have several lines
    for x, y, percent in shown:
        chance = sum(chances[[*legal].index(code)] for code in board.legal[int(x), int(y)])
        assert percent == (f"{100 * chance:.0f}" if round(100 * chance) else "&lt;1")


BOARDS = {
    "morpion": MorpionBoard,
    "lesson": SameGameBoard,
    "small": lambda: SameGameBoard(blocks="small"),
}


@pytest.mark.parametrize("name", BOARDS)
def test_the_search_from_here_is_the_librarys_and_its_game_can_be_followed(name):
    board = BOARDS[name]()
    begun = play_on(board, moves_of(board, 2), most=20 if name == "morpion" else 8)
    session, other = (Session(type(board)()) for _ in range(2))
    for one in (session, other):
        one.answer({"do": "load", "text": begun.text})
    board, before, n = session.board, look(session), session.board.n_moves
    answer = thought(session, 3)
    assert answer["done"] == 9 / 16
    here = continued(*problem_and_choices(board))
    search = NRPA(here, board.rng(1), level=2, n_iterations=4)
    search.advance(9)
    flat, _ = flat_monte_carlo(here, board.rng(2), 9)
    found = session.board.advice
    assert (found.n_playouts, found.score, found.random) == (9, search.best.score, flat.score)
    assert found.codes == tuple(search.best.codes)
    assert found.choices == tuple(search.best.choices)
    assert (
        f"In 9 playouts from here NRPA's best game ends with {search.best.score:,.0f} "
        f"{board.unit}. The best of as many random games ends with {flat.score:,.0f}."
        in answer["say"]
    )
    (end,) = replay(here, [])
    chances = move_probabilities(search.policy[1], end.legal)
    assert np.allclose(found.probabilities, chances)
    check_chances(board, end.legal, chances, answer["svg"])
    # What was found is kept when it stops.
    stopped = session.answer({"do": "stop"})
    assert not stopped["thinking"]
    assert stopped["svg"] == answer["svg"] != before["svg"]
    assert stopped["text"] == before["text"]
    whole = thought(other, 7)
    assert not whole["thinking"]
    found = other.board.advice
    assert found.n_playouts == 16
    # The game found is followed by touches, and watched move by move.
    assert not thought(session, 7)["thinking"]
    assert look(session)["svg"] == whole["svg"]
    while not session.board.over:
        assert look(session)["buttons"][0][0] == "follow"
        assert look(other)["thinks"] == "Watch NRPA play on"
        answer, watched = touch(session, "follow"), other.answer({"do": "think"})
        assert not answer["wrong"]
        assert [answer[k] for k in ("svg", "text")] == [watched[k] for k in ("svg", "text")]
    game = played(session.board)
    assert game.score == found.score == session.board.result
    assert tuple(game.choices[n:]) == found.choices
    assert answer["buttons"] == [("restart", "From the start again")]
    assert "follow" not in answer["text"]
    assert f"NRPA made {len(game.choices) - n} of these {len(game.choices)} " in answer["say"]
    assert watched["say"] == answer["say"]
    # Each move is taken back; a text does not know whose they are.
    for left in range(1, 3):
        other.answer({"do": "undo"})
        assert other.board.n_moves == len(game.choices) - left
    loaded = other.answer({"do": "load", "text": answer["text"]})
    assert "NRPA made" not in loaded["say"]


def test_another_move_than_that_found_drops_it_until_it_is_taken_back():
    session = play_on(MorpionBoard(), random_points(np.random.default_rng(2)), most=8)
    thought(session, 3)
    board = session.board
    code = next(c for codes in board.legal.values() for c in codes if c != board.advice.codes[0])
    touch(session, line_name(code))
    assert session.board.advice is None
    assert "NRPA" not in look(session)["say"]
    session.answer({"do": "undo"})
    touch(session, line_name(session.board.advice.codes[0]))
    assert session.board.advice.codes == board.advice.codes[1:]


@pytest.mark.parametrize("board", [MorpionBoard(variant="4D"), SameGameBoard(blocks="small")])
def test_a_new_try_begins_at_the_start_and_keeps_the_results(board):
    start = look(Session(board))
    session = play_on(board, moves_of(board, 0))
    result, first, end = session.board.result, session.board.log[0], look(session)
    assert [name for name, _ in end["buttons"]] == ["restart"]
    again = touch(session, "restart")
    assert (again["svg"], again["thinks"]) == (start["svg"], start["thinks"])
    assert again["say"] == f"{start['say']}\nEarlier tries: {result}."
    assert not again["buttons"]
    # What did not come to its end has no result.
    assert not touch(session, first)["wrong"]
    kept = touch(session, "restart")
    assert kept["say"] == again["say"]
    loaded = Session(type(board)())
    assert loaded.answer({"do": "load", "text": kept["text"]})["say"] == kept["say"]
    for _ in range(3):
        taken_back = session.answer({"do": "undo"})
    assert (taken_back["svg"], taken_back["say"]) == (end["svg"], end["say"])


YARDSTICKS = {name: morpion(name) for name in VARIANTS} | {"lesson": samegame(small_board())}


@pytest.mark.parametrize("name", YARDSTICKS)
def test_yardsticks_are_whole(name):
    table, problem = yardstick(name), YARDSTICKS[name]
    assert len(table["random"]) == 1000
    means = [np.mean(table[level]) for level in ("random", *LEVELS)]
    assert means == sorted(means)
    assert table["random"][-1] < max(table["level 3"]) <= best_known(name)
    _, scores = flat_monte_carlo(problem, np.random.default_rng(0), 20)
    assert not np.setdiff1d(scores, table["random"]).size
    for level in (1, 2) if name == "lesson" else (1,):
        n = table["n_iterations"]
        search = NRPA(problem, np.random.default_rng(1), level=level, n_iterations=n)
        assert search.run().score in table[f"level {level}"]


@pytest.mark.skipif(not jit.COMPILED, reason="takes long without numba")
def test_the_landing_page_says_how_many_random_games_reach_200_points():
    board = SameGameBoard(blocks="small")
    _, scores = flat_monte_carlo(board.here, np.random.default_rng(0), 1000)
    page = (Path(__file__).parents[2] / "book" / "index.ipynb").read_text("utf-8")
    assert f"Of a thousand random games on this first board {(scores >= 200).sum()} do." in page


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
