"""What every board must do, tried by touches, without a browser."""

import gzip
import itertools
import json
import pickle
import re
import xml.etree.ElementTree as ET

import pytest

from touchbook.boards import Session, WrongTouch

PLACE = re.compile(r"[ML]([-\d.]+) ([-\d.]+)")
MOST_BYTES = 30_000  # of a record, packed

SHAPES = {"paper", "ink", "muted", "soft", "mark", "good", "bad", "on", "wood", "black", "white"}
WORDS = {"blank", "bold", "mono"}
STROKES = {"line", "thin", "stroke", "stroke-muted", "ring", "edge"}
CLASSES = SHAPES | WORDS | STROKES | {f"{kind}{i}" for kind in ("c", "s", "card") for i in range(6)}


def places(element):
    """Corners and ends of a shape, as (x, y)."""
    number = {key: float(element.get(key, 0)) for key in ("x", "y", "width", "height", "cx", "cy")}
    x, y, r = number["x"], number["y"], float(element.get("r", 0))
    yield from [(x, y), (x + number["width"], y + number["height"])]
    yield from [(number["cx"] + sign * r, number["cy"] + sign * r) for sign in (-1, 1) if r]
    yield from [tuple(float(element.get(f"{k}{i}", 0)) for k in "xy") for i in (1, 2)]
    yield from [tuple(map(float, place)) for place in PLACE.findall(element.get("d", ""))]


def targets(svg):
    """Names of what can be touched in the picture of a board, in order; checks the picture."""
    root = ET.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.get("aria-label", "").strip()
    width, height = map(float, root.get("viewBox").split()[2:])
    names, labels = [], []
    for element in root.iter():
        for x, y in places(element):
            assert 0 <= x <= width, ET.tostring(element)
            assert 0 <= y <= height, ET.tostring(element)
        assert not set(element.attrib) & {"fill", "stroke", "onclick", "id"}, element.attrib
        assert set(element.get("class", "").split()) <= CLASSES, element.get("class")
        if (name := element.get("data-touch")) is not None:
            assert not any(
                "data-touch" in child.attrib for child in element.iter() if child is not element
            )
            names.append(name)
            labels.append(element.get("aria-label", ""))
            assert labels[-1].strip(), name
    assert len(set(names)) == len(names)
    assert len(set(labels)) == len(labels), "two targets have the same name for a screen reader"
    return names


def touch(session, name):
    """Touch, and return what the board answered."""
    return session.answer({"do": "touch", "name": name})


def touch_all(board, *names):
    """A board after some touches."""
    for name in names:
        board.touch(name)
    return board


def check_record(board, shown):
    """A page carries a small record of a board, which shows or says some words after touches."""
    states = Session(board).record()
    assert len(gzip.compress(json.dumps(states).encode())) < MOST_BYTES
    for touches, words in shown.items():
        assert words in states[touches]["svg"] + states[touches]["say"]
    for state in states.values():
        targets(state["svg"])
    return states


def check_kept(board, touches):
    """What was played is kept as text, and taken back."""
    session, other = Session(board()), Session(board())
    for name in touches.split():
        assert touch(session, name)["wrong"] == ""
    other.answer({"do": "load", "text": session.text})
    assert other.board.log == session.board.log
    assert other.answer({"do": "look"})["svg"] == session.answer({"do": "look"})["svg"]
    check_session(session)


def check_refused(board, touches):
    """Touches that mean nothing at the start of a board are refused."""
    for name in touches.split():
        with pytest.raises(WrongTouch):
            board().touch(name)


def play_on(board, choose, most=2000):
    """Play by `choose(session, names)` until it returns None; checks every answer.

    Each touch is played on a copy: a board that changes something in place is found.
    """
    session = Session(board)
    for _ in itertools.repeat(None, most):
        state = session.answer({"do": "look"})
        names = targets(state["svg"]) + [name for name, _ in state["buttons"]]
        name = choose(session, names)
        if name is None:
            break
        before, old = pickle.dumps(session.board), session.board
        answer = touch(session, name)
        assert pickle.dumps(old) == before, f"{name} changed the board in place"
        assert answer["say"].strip()
        targets(answer["svg"])
    return session


def check_session(session):
    """A game that was played: nonsense is refused, undo and text bring every position back."""
    board = type(session.board)
    for name in ("nonsense", "", "x" * 200, None, 7, "show-nonsense"):
        before = session.answer({"do": "look"})
        answer = session.answer({"do": "touch", "name": name})
        assert answer["wrong"]
        assert {**answer, "wrong": ""} == before
    end = session.answer({"do": "look"})
    other = Session(board())
    loaded = other.answer({"do": "load", "text": end["text"]})
    assert loaded["wrong"] == ""
    assert {**loaded, "svg": "", "say": ""} == {**end, "svg": "", "say": ""}
    assert other.answer({"do": "load", "text": end["text"] + "x"})["wrong"]
    assert other.answer({"do": "look"})["text"] == end["text"]
    seen = [end["text"]]
    while end["can_undo"]:
        end = session.answer({"do": "undo"})
        assert end["wrong"] == ""
        seen.append(end["text"])
    if session.board.can_undo:
        assert session.board.log == ()
    assert len(set(seen)) == len(seen)
    fresh = Session(board(**session.board.options()))
    if session.board.can_undo:
        assert fresh.answer({"do": "look"})["svg"] == session.answer({"do": "look"})["svg"]
    new = session.answer({"do": "new"})
    assert new["seed"] == fresh.board.seed + 1
    assert session.answer({"do": "new", "seed": "many"})["wrong"]
    return seen


def check_drawing(svg):
    """Nothing is too small to read, and targets do not overlap."""
    root = ET.fromstring(svg)
    assert all(float(e.get("font-size", 12)) >= 12 for e in root.iter())
    boxes = []
    for e in root.iter():
        if e.get("data-touch"):
            rects = [r for r in e.iter() if r.tag.endswith("rect")]
            box = [[float(r.get(k)) for k in ("x", "y", "width", "height")] for r in rects]
            x, y, w, h = max(box, key=lambda b: b[2] * b[3])
            assert min(w, h) >= 28
            boxes.append((x, y, x + w, y + h))
    for i, a in enumerate(boxes):
        for b in boxes[:i]:
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
