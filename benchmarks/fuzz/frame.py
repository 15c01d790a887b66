"""The frame: controls, explorables and files that are written whole."""

import functools
import html
import re
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path

from benchmarks.boards import ADDRESSES
from benchmarks.fuzz import Fault, Target
from benchmarks.fuzz.mutants import damaged, junk, near, spoiled
from gameai_lib.base.files import write_whole
from gameai_lib.tables import Column, table
from touchbook.boards import Session, WrongTouch, board_class
from touchbook.widgets import Control, explore, picture

GOOD = {"values": [1, 2, 3], "label": "k", "default": 2, "play": True}


def targets():
    """What the frame is tried with."""
    return [
        Target("control", lambda rng: spoiled(GOOD, rng), _control, weight=4),
        Target("explore", _options, _explore, weight=3),
        Target("picture", lambda rng: spoiled(_PICTURE, rng), _picture),
        Target("set", _moves, _set, weight=0.05),
        Target("draw", junk, _draw, weight=0.02),
        Target("write_whole", _content, _write, weight=0.5),
        Target("board", _requests, _answer, weight=0.1),
        Target("table", lambda rng: spoiled(_COLUMN, rng), _table),
    ]


def _control(options):
    control = Control(**options)
    if len(control.texts) != len(control.values) or control.default not in control.values:
        raise Fault(f"{control}")


def _bar(fig, **values):
    fig.text(0.5, 0.5, str(values)[:20].replace("$", ""))


_PICTURE = {"draw": _bar, "alt": "A bar.", "name": "bar", "title": "Bar", "size": (1, 0.5)}


def _options(rng):
    good = _PICTURE | {"alt": str, "k": [1, 2, 3], "flip": [False, True]}
    return spoiled(good, rng)


def _explore(options):
    explorable = explore(**options)
    if set(explorable.defaults) != set(explorable.controls):
        raise Fault(f"{explorable.defaults}")


def _picture(options):
    if not repr(picture(**options)):
        raise Fault("no words")


_COLUMN = {
    "values": [1.5, None, 3], "format": ".1f", "unit": "s", "errors": [0.1, None, 0], "best": "low"
}  # fmt: skip


def _table(options):
    column = Column(**options)
    made = table({"name": [f"row {k}" for k in range(len(column.values))], "x": column})
    if made._repr_html_().count("<tr>") != len(column.values) + 1 or "row 0" not in str(made):
        raise Fault(f"rows are missing: {made}")


def _moves(rng):
    moves = {"k": near(2, rng) if rng.random() < 0.5 else junk(rng)}
    return moves if rng.random() < 0.8 else moves | {"b": 1}


def _set(moves):
    shown = explore(_bar, alt=lambda k: f"Bar at {k}.", name="bar", size=(1, 0.5), k=[1, 2, 3])
    picture_html = shown.set(**moves)
    if html.escape(f"Bar at {int(moves['k'])}.") not in picture_html:
        raise Fault(f"another frame is shown at {moves}")


def _draw(returned):
    def faulty(fig, k):
        if callable(returned):
            return returned()
        return 1 / (k - 1)

    explore(faulty, alt=lambda k: returned, name="faulty", size=(1, 0.5), k=[1, 2]).frames()
    raise Fault("something else than text was accepted as alt text")


def _content(rng):
    return junk(rng)


def _write(content):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_text("before")
        try:
            write_whole(path, content)
        except Exception:
            if not callable(content):  # a function's own error passes through
                raise
        finally:
            left = [p.name for p in Path(folder).iterdir()]
            if left != ["file"]:
                raise Fault(f"left behind: {left}")


def _requests(rng):
    """A board, and what is asked of it: touches, some of them damaged, and texts to load."""
    name = rng.choice(list(ADDRESSES))
    touches = _touches(name)
    requests = []
    for _ in range(rng.integers(1, 6)):
        touch = str(rng.choice(touches))
        if rng.random() < 0.3:
            touch = damaged(touch.encode(), rng).decode(errors="replace")
        do = rng.choice(["touch", "touch", "touch", "undo", "load", "think", "new"])
        text = (
            f"board: {name}\nseed: {rng.integers(9)}\ntouches: {' '.join(rng.choice(touches, 3))}\n"
        )
        if rng.random() < 0.7:
            text = damaged(text.encode(), rng).decode(errors="replace")
        values = {"name": touch, "text": text, "seed": near(3, rng)}
        if rng.random() < 0.2:
            values = {key: junk(rng) for key in values}
        requests.append({"do": str(do), **values})
    return name, requests


@functools.cache
def _touches(name):
    """What can be touched on a board at its start, and views."""
    board = board_class(ADDRESSES[name])()
    shown = re.findall(r'data-touch="([^"]*)"', board.svg())
    buttons = [touch for touch, _ in board.buttons()]
    chosen = [touch for _, choices, _ in board.selects() for touch, _ in choices]
    return shown + buttons + chosen + [f"show-{view}" for view in board.views]


def _answer(case):
    name, requests = case
    session = Session(board_class(ADDRESSES[name])())
    for request in requests:
        before = session.answer({"do": "look"})
        try:
            session._do(request)
        except WrongTouch:
            if session.answer({"do": "look"}) != before:
                raise Fault(f"{request} was refused and changed the board") from None
            raise
        ET.fromstring(session.answer({"do": "look"})["svg"])
