"""The frame of all boards, on the smallest game: take one, two or three of seven sticks."""

import json
from functools import partial

import pytest

from tests.support.board_checks import check_session, play_on, targets
from tests.support.sticks import Sticks
from touchbook.board import session
from touchbook.board.chart import LOOKS, Chart
from touchbook.boards import Session, WrongTouch


def first(session, names):
    return names[0] if names != ["pass"] else None


def test_a_game_by_touches():
    session = play_on(Sticks(), first)
    assert session.board.log == ("1",) * 7
    check_session(session)


class Chosen(Sticks):
    """A number is chosen first, and taken by the second touch."""

    chosen = None

    def move(self, name):
        if name in ("1", "2") and name != self.chosen:
            self.chosen = name
            return False
        self.chosen = None
        return super().move(name)


def test_undo_brings_back_a_position_with_nothing_chosen_and_what_was_thought():
    session = Session(Chosen())
    for _ in range(2):
        session.answer({"do": "think"})
    for name in "11":
        session.answer({"do": "touch", "name": name})
    assert session.board.log == ("1",)
    session.answer({"do": "touch", "name": "2"})
    assert session.board.chosen == "2"
    session.answer({"do": "undo"})
    assert session.board.log == ()
    assert session.board.chosen is None
    assert "Thought 1." in session.board.say()


def test_a_view_is_no_move_and_stays_when_one_is_taken_back():
    session = Session(Sticks())
    shown = session.answer({"do": "touch", "name": "show-count"})
    assert "7 &lt;left&gt;, ['count']" in shown["svg"]
    assert shown["views"] == [["show-count", "Count", True], ["show-odd", "Odd", False]]
    assert not shown["can_undo"]
    for name in ("show-count", "2", "show-count"):  # opened anew, after a move
        session.answer({"do": "touch", "name": name})
    undone = session.answer({"do": "undo"})
    assert undone["views"] == session.answer({"do": "new"})["views"] == shown["views"]


def test_a_new_game_can_be_taken_back():
    session = Session(Sticks())
    played = session.answer({"do": "touch", "name": "2"})
    assert session.answer({"do": "new", "seed": 5})["seed"] == 5
    assert session.answer({"do": "undo"}) == played
    assert not session.answer({"do": "undo"})["can_undo"]


def test_thinking_goes_in_steps_and_ends_with_a_touch():
    session = Session(Sticks())
    said = [session.answer({"do": "think"}) for _ in range(4)]
    assert [s["thinking"] for s in said] == [True, True, True, False]
    assert [s["done"] for s in said] == [0, 1 / 3, None, None]
    assert "Thought 2." in said[-1]["say"]
    session.answer({"do": "think"})
    assert session.answer({"do": "touch", "name": "show-count"})["thinking"]
    assert not session.answer({"do": "stop"})["thinking"]
    session.answer({"do": "think"})
    touched = session.answer({"do": "touch", "name": "1"})
    assert not touched["thinking"]
    assert "Thought" not in touched["say"]


class Watched(Sticks):
    """Thinking takes a stick at each step."""

    def think(self):
        while self.left:
            self.touch("1")
            yield None


def test_moves_made_while_a_reader_watches_are_taken_back_one_by_one():
    session = Session(Watched(n=3))
    session.answer({"do": "touch", "name": "1"})
    texts = [session.text, *(session.answer({"do": "think"})["text"] for _ in range(3))]
    assert session.board.log == ("1",) * 3
    assert [session.answer({"do": "undo"})["text"] for _ in range(2)] == texts[1::-1]
    assert not session.answer({"do": "think"})["wrong"]
    assert session.board.log == ("1", "1")


def test_or_all_moves_of_one_thinking_together(monkeypatch):
    monkeypatch.setattr(Watched, "undoes_thought", True)
    session = Session(Watched(n=6))
    session.answer({"do": "touch", "name": "2"})
    for do in ("think", "think", "stop", "think", "think"):
        session.answer({"do": do})
    assert session.board.log == ("2", *"1111")
    lengths = [session.answer({"do": "undo"})["text"].count(" 1") for _ in range(3)]
    assert lengths == [2, 0, 0]
    assert session.board.log == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "text of at most"),
        ("x" * 200_000, "text of at most"),
        ("nothing", "name: value"),
        ("touches: 1 2", "no line of board"),
        ("board: sticks", "no line of touches"),
        ("board: sticks\ntouches: 1 9", "touch 2 of the text, '9': 9 cannot be taken"),
        ("board: sticks\ntouches: 1 show-count", "'show-count', is not a move"),
        ("board: sticks\nseed: x\ntouches:", "seed is not a JSON value: 'x'"),
        ("board: sticks\nseed: " + "[" * 900 + "\ntouches:", "seed is too long"),
        ("board: sticks\ntouches: " + "1 " * 6000, "6,000 touches are more than"),
    ],
)
def test_a_text_that_is_no_game_changes_nothing(text, words):
    session = Session(Sticks())
    session.answer({"do": "touch", "name": "1"})
    before = session.answer({"do": "look"})
    after = session.answer({"do": "load", "text": text})
    assert words in after["wrong"]
    assert {**after, "wrong": ""} == before


def test_requests_that_are_none():
    session = Session(Sticks())
    for request in ({"do": "fly"}, {}, None, 3, {"do": "undo"}, {"do": "new", "seed": -1}):
        assert session.answer(request)["wrong"]


def test_chance_depends_on_the_game_alone():
    one, other = Sticks(seed=3), Sticks(seed=3)
    assert one.rng().random() == other.rng().random() != one.rng(1).random()
    one.touch("1")
    assert one.rng().random() != other.rng().random()


class Odd(Sticks):
    """An option has the name of a line of the game as text."""

    def options(self):
        return {"board": 3}


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Sticks(seed="x"), "seed must be a whole number, got 'x'"),
        (lambda: Session(Odd()), "cannot be called board"),
        *(
            (partial(session.board_class, address), "board")
            for address in ("os:path", "touchbook.boards:Session", "gameai_lib.x:Y", "")
        ),
    ],
)
def test_boards_that_cannot_be_made(make, words):
    with pytest.raises((TypeError, ValueError), match=words):
        make()


def test_a_page_goes_on_in_a_new_python_and_is_told_what_is_wrong(monkeypatch):
    monkeypatch.setattr(session, "board_class", {"sticks": Sticks}.__getitem__)
    request = {"board": "sticks", "options": {"n": 5}, "do": "touch", "name": "2"}
    first = json.loads(session.answer("a", json.dumps(request)))
    assert first["text"] == "board: sticks\nseed: 0\nn: 5\ntouches: 2\n"
    session._sessions.clear()
    request |= {"before": first["text"], "shown": ["count", "nonsense"]}
    second = json.loads(session.answer("a", json.dumps(request)))
    assert second["text"].endswith("touches: 2 2\n")
    assert second["can_undo"]
    assert second["views"][0][2]
    assert targets(second["svg"]) == ["1"]
    opened = {"board": "sticks", "options": {}, "do": "look", "shown": None, "opened": ["odd"]}
    woken = json.loads(session.answer("c", json.dumps(opened)))
    assert [is_open for *_, is_open in woken["views"]] == [False, True]
    request = {"board": "sticks", "options": {}, "do": "look", "before": "of old"}
    said = json.loads(session.answer("b", json.dumps(request)))
    assert said["wrong"].startswith("The game that was kept here cannot go on: 'of old' is not")
    assert said["say"] == "7 left."
    monkeypatch.setattr(Sticks, "svg", lambda self: 1 / 0)
    said = json.loads(session.answer("b", json.dumps(request)))
    assert said == {"fault": "ZeroDivisionError: division by zero"}


class Own(Sticks):
    """Takes what a function of the reader's own says."""

    def __init__(self, *, rule=len, **options):
        super().__init__(**options)
        self.own = {"rule": rule}

    def think(self):
        self.advice = f"{self.own['rule']('abc')}"
        yield 0.5
        raise WrongTouch("the rule is at its end")


def test_code_of_the_readers_own_stays_with_every_game_of_its_board_until_a_page_has_lost_it():
    board = Session(Own(rule=str.upper, n=4))
    for request in ({"do": "new"}, {"do": "load", "text": "board: sticks\ntouches: 1 2"}):
        assert not board.answer(request)["wrong"]
        assert board.answer({"do": "think"})["say"].endswith("ABC")
    assert "rule" not in board.text
    said = board.answer({"do": "think"})
    assert (said["wrong"], said["thinking"]) == ("the rule is at its end", False)
    session.adopt("mine", board)
    request = {"own": True, "board": "unknown", "options": {}, "do": "think"}
    assert json.loads(session.answer("mine", json.dumps(request)))["say"].endswith("ABC")
    session._sessions.clear()
    said = json.loads(session.answer("mine", json.dumps(request)))
    assert said["fault"].endswith("run the cell of this board again")


def test_recorded_thinking_has_a_picture_for_several_steps(monkeypatch):
    monkeypatch.setattr(Sticks, "runs_to_record", lambda self: [("2", "think-2", "think", "think")])
    states = Session(Sticks(n=5)).record()
    assert [*states] == ["", "2", "2 think", "2 think think", "2 think think think"]
    says = [state["say"] for state in states.values()]
    assert says == ["5 left.", "3 left.", *(f"3 left. Thought {i}." for i in (1, 2, 2))]
    assert [state["thinking"] for state in states.values()] == [False] * 2 + [True] * 2 + [False]
    assert all(state["recorded"] for state in states.values())


def test_a_line_of_steps_is_level_until_its_next_value():
    chart = Chart(0, 10, 0, 10, 10, 0, 10)
    (line,) = chart.steps(LOOKS[0], [0, 4, 6, 9], [0, 5, 5, 2])
    assert 'd="M0 10L4 10L4 5L9 5L9 8L9 8"' in line
