"""The boards of Morpion Solitaire and SameGame, played by touches."""

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
from gameai_lib import nrpa
from gameai_lib.base import jit
from gameai_lib.nrpa import NRPA, flat_monte_carlo, move_probabilities, replay
from gameai_lib.nrpa.game import morpion, samegame
from gameai_lib.nrpa.game.continued import continued
from gameai_lib.nrpa.game.morpion import COORDINATES, VARIANTS, line_of
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


def problem_and_choices(board):
    """What the library calls the game that a board has in its log."""
    problem = type(board)(**board.options()).here
    if isinstance(board, MorpionBoard):
        return problem, nrpa.choices_of(problem, board.codes)
    cells = [("abcdefghi".index(x), int(y) - 1) for *_, x, y in board.log]  # such as take-a9
    return problem, choices_at(problem, cells)


def played(board):
    """The whole game in the log of a board, by the library's rules and referee."""
    problem, choices = problem_and_choices(board)
    game = nrpa.playout_of(problem, choices)
    assert nrpa.judge(problem, game).score == game.score
    return game


def random_points(rng):
    """Touches some point that has a line, and one of the lines."""

    def choose(session, names):
        board = session.board
        if board.over:
            return None
        if "legal" in board.shown:
            check_rings(board)
        if board.chosen:
            check_letters(board, look(session), names)
            return rng.choice([name for name in names if name.startswith("line")])
        x, y = list(board.legal)[rng.integers(len(board.legal))]
        return f"point:{x},{y}"

    return choose


def check_rings(board):
    """What is shown as legal is what the rules find, as many as the referee by brute force."""
    label = r'point:(-?\d+),(-?\d+)"[^>]*aria-label="empty point [a-z]+\d+, (\d+) lines?'
    shown = {(int(x), int(y)): int(n) for x, y, n in re.findall(label, board.svg())}
    assert shown == {point: len(codes) for point, codes in board.legal.items()}
    lines = [line_of(code, board.variant) for code in board.codes]
    assert sum(shown.values()) == morpion.judge_morpion(board.variant, lines).n_moves_left


def check_letters(board, state, names):
    """Of several lines that add a point each has a letter; touched again, it has none."""
    lines = {name for name in names if name.startswith("line")}
    assert lines == {line_name(code) for code in board.legal[board.chosen]}
    again = Session(board)
    assert touch(again, "point:{},{}".format(*board.chosen))["text"] == state["text"]
    assert again.board.chosen is None


@pytest.mark.parametrize("variant", VARIANTS)
def test_morpion_to_its_end(variant):
    board = MorpionBoard(variant=variant)
    assert "ring" not in board.svg()
    if variant == "5D":
        board.touch("show-legal")
    session = play_on(board, random_points(np.random.default_rng(0)))
    board, end = session.board, look(session)
    n_lines = len(board.codes)
    assert played(board).score == len(board.log) == n_lines
    points = dict.fromkeys(morpion.start_points(variant), 0)
    for number, code in enumerate(board.codes, 1):
        (new,) = set(line_of(code, variant)) - points.keys()
        points[new] = number
    numbers = re.findall(r'point:(\S+),(\S+)"[^>]*aria-label="point \w+, line (\d+)"', end["svg"])
    shown = {(int(x), int(y)): int(n) for x, y, n in numbers}
    assert shown == {point: number for point, number in points.items() if number}
    assert f"No line is left: {n_lines} lines." in end["say"]
    below = sum(score < n_lines for score in yardstick(variant)["random"])
    assert f"This beats {below} of 1,000 random games" in end["say"]
    assert f"{RECORDS[variant]}." in end["say"]
    assert not session.answer({"do": "think"})["thinking"]
    check_end(session, n_lines)


def check_end(session, n_moves):
    """The text of a game that was played brings it back, and each of its moves is taken back."""
    end, again = look(session), Session(type(session.board)())
    assert not again.answer({"do": "load", "text": end["text"]})["wrong"]
    assert look(again)["svg"] == end["svg"]
    assert len(check_session(again)) == n_moves + 1


def test_every_point_of_the_grid_can_be_reached_and_has_a_name():
    session = Session(MorpionBoard())
    names = targets(look(session)["svg"])  # two more than the cross on each side
    assert names == [f"point:{x},{y}" for y in range(-2, 12) for x in range(-2, 12)]
    touch(session, "line-V:3,-1")
    assert targets(look(session)["svg"]) == names  # no new scale: there is room
    assert len({board_of_morpion.column_name(x) for x in COORDINATES}) == len(COORDINATES)


def random_blocks(rng):
    """Touches blocks, and mostly a second time those that it has marked."""

    def choose(session, names):
        board = session.board
        if board.over:
            return None
        marked = [name for name in names if name.startswith("take-")]
        if marked and rng.random() < 0.9:
            return rng.choice(marked)
        group = board.groups[rng.integers(len(board.groups))]
        return cell_name(group[rng.integers(len(group))])

    return choose


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
    assert not session.answer({"do": "think"})["thinking"]
    check_end(session, len(board.log))
    other = session.answer({"do": "new"})  # of other blocks
    assert f"Board {board.seed + 1}." in other["say"]
    assert session.board.kinds != SameGameBoard(**options).kinds


def test_the_picture_has_every_block_and_its_group():
    session = play_on(SameGameBoard(), random_blocks(np.random.default_rng(1)), most=12)
    *_, end = replay(nrpa.samegame(nrpa.small_board()), problem_and_choices(session.board)[1])
    colours, groups = samegame.board_of(end.ints)[::-1], samegame.groups_of(end.ints)
    sizes = {cell: len(group) for group in groups for cell in group}
    expected = {
        (cell_name((x, y)), KINDS[colours[y, x]],
         f"group of {sizes[x, y]}" if (x, y) in sizes else "alone")
        for y, x in np.argwhere(colours >= 0).tolist()
    }  # fmt: skip
    svg = touch(session, "show-groups")["svg"]
    assert {*re.findall(r'aria-label="(\w+), ([\w ]+), (alone|group of \d+)"', svg)} == expected
    numbers = [*map(len, groups), *range(1, 10)]  # those of rows stand beside them
    assert sorted(map(int, re.findall(r">(\d+)</text>", svg))) == sorted(numbers)


def test_a_first_touch_tells_and_a_second_removes():
    session = Session(SameGameBoard())
    group, elsewhere = sorted(session.board.groups, key=len)[-1:-3:-1]
    touch(session, cell_name(elsewhere[0]))
    answer = touch(session, cell_name(group[0]))  # that one is marked instead
    assert answer["svg"].count('aria-pressed="true"') == len(group)
    touch(session, f"take-{cell_name(group[0])}")
    assert f"worth {session.board.score} points" in answer["say"]
    assert len(session.board.kinds) == 81 - len(group)


@pytest.mark.parametrize(
    ("kind", "first", "name", "words"),
    [
        (MorpionBoard, [], "point:3,0", "there is a point already"),
        (MorpionBoard, [], "point:0,0", "No line of five can be completed at l12."),
        # The upper side of the cross is 3, 0 to 6, 0: one line of it blocks the other end.
        (MorpionBoard, ["point:2,0"], "point:7,0",
         "it would share a point with a line in the same direction"),
        (MorpionBoard, [], "follow", "There is no game to follow"),
        (MorpionBoard, [], "restart", "the start already"),
        (SameGameBoard, [], "a1", "at a1 is alone: a group has two or more"),
        (SameGameBoard, ["take-a9"], "a9", "There is no block at a9."),
        (SameGameBoard, [], "j1", "cannot be touched here"),
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
    answer = session.answer({"do": "think"})
    assert (answer["thinking"], answer["done"]) == (True, 0.0)
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
    "morpion": (MorpionBoard(), random_points, 20),
    "samegame": (SameGameBoard(), random_blocks, 8),
}
each_board = pytest.mark.parametrize("name", BOARDS)


def begun(name):
    """A session in the middle of a random game."""
    board, touches, n_moves = BOARDS[name]
    return play_on(board, touches(np.random.default_rng(2)), most=n_moves)


@each_board
def test_the_search_from_here_is_the_librarys(name):
    session = begun(name)
    board, before = session.board, look(session)
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
    is_other = int(np.argmax(chances)) != found.choices[0]
    goes_on_otherwise = "though the best game goes on otherwise" in answer["say"]
    assert goes_on_otherwise == (is_other and board.name == "samegame")
    stopped = session.answer({"do": "stop"})  # what was found is kept
    assert stopped["svg"] == answer["svg"] != before["svg"]
    assert stopped["text"] == before["text"]


@each_board
def test_the_game_found_is_followed_by_touches_and_watched_move_by_move(name):
    session, other = begun(name), begun(name)
    n = session.board.n_moves
    for one in (session, other):
        assert not thought(one, 7)["thinking"]
    found = session.board.advice
    while not session.board.over:
        assert look(session)["buttons"][0][0] == "follow"
        assert look(other)["thinks"] == "Watch NRPA play on"
        answer, watched = touch(session, "follow"), other.answer({"do": "think"})
        assert not answer["wrong"]
        assert [answer[k] for k in ("svg", "text")] == [watched[k] for k in ("svg", "text")]
    game = played(session.board)
    assert (found.n_playouts, found.score) == (16, game.score)
    assert tuple(game.choices[n:]) == found.choices
    assert "follow" not in answer["text"]
    assert f"NRPA made {len(game.choices) - n} of these {len(game.choices)} " in answer["say"]
    other.answer({"do": "undo"})  # each of its moves by itself
    assert other.board.n_moves == len(game.choices) - 1
    loaded = other.answer({"do": "load", "text": answer["text"]})
    assert "NRPA made" not in loaded["say"]  # a text does not know whose they are


def test_another_move_than_that_found_drops_it_until_it_is_taken_back():
    session = begun("morpion")
    thought(session, 3)
    first, *rest = session.board.advice.codes
    other = next(c for codes in session.board.legal.values() for c in codes if c != first)
    touch(session, line_name(other))
    assert session.board.advice is None
    session.answer({"do": "undo"})
    touch(session, line_name(first))
    assert [*session.board.advice.codes] == rest


@pytest.mark.parametrize(
    ("board", "touches"),
    [(MorpionBoard(variant="4D"), random_points), (SameGameBoard(blocks="small"), random_blocks)],
)
def test_a_new_try_begins_at_the_start_and_keeps_the_results(board, touches):
    start = look(Session(board))
    session = play_on(board, touches(np.random.default_rng(0)))
    result, first = session.board.result, session.board.log[0]
    again = touch(session, "restart")
    assert (again["svg"], again["thinks"], again["buttons"]) == (start["svg"], start["thinks"], [])
    assert again["say"] == f"{start['say']}\nEarlier tries: {result}."
    # What did not come to its end has no result.
    assert not touch(session, first)["wrong"]
    kept = touch(session, "restart")
    assert kept["say"] == again["say"]
    loaded = Session(type(board)())
    assert loaded.answer({"do": "load", "text": kept["text"]})["say"] == kept["say"]


YARDSTICKS = {name: nrpa.morpion(name) for name in VARIANTS}
YARDSTICKS["lesson"] = nrpa.samegame(nrpa.small_board())


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
    *_, followed, end = Session(SameGameBoard(blocks="lesson")).record().items()
    n_moves = board_of_samegame.MOVES_RECORDED
    assert [len(touches.split()) for touches, _ in (followed, end)] == [2 + n_moves, 3 + n_moves]
    assert "No group is left" not in followed[1]["say"]
    assert "No group is left" in end[1]["say"]
    # The question of the race comes later.
    assert "NRPA" not in end[1]["say"].split("NRPA made")[0]
    assert "level" not in end[1]["svg"]
