"""Doors of the frame: figures, boards and tables."""

import functools
import re
import xml.etree.ElementTree as ET

from hypothesis import strategies as st

from benchmarks.boards import ADDRESSES
from gameai_lib.tables import Column, table
from tests.support.doors import damaged_text, door, spoiled
from touchbook.boards import Session, board_class
from touchbook.widgets import explore


def bar(fig, **values):
    """A picture with some words."""
    fig.text(0.5, 0.5, str(values)[:20].replace("$", ""))


PICTURE = {"draw": bar, "alt": str, "name": "bar", "title": "Bar", "size": (1, 0.5)}
COLUMN = {
    "values": [1.5, None, 3], "format": ".1f", "unit": "s", "errors": [0.1, None, 0], "best": "low"
}  # fmt: skip


@door(spoiled(PICTURE | {"k": [1, 2, 3], "flip": [False, True]}), share=2)
def test_an_explorable_has_a_default_of_each_control(options):
    explorable = explore(**options)
    assert set(explorable.defaults) == set(explorable.controls)


@door(spoiled(COLUMN))
def test_a_table_has_a_row_for_each_value(options):
    column = Column(**options)
    made = table({"name": [f"row {k}" for k in range(len(column.values))], "x": column})
    assert made._repr_html_().count("<tr>") == len(column.values) + 1
    assert "row 0" in str(made)


@functools.cache
def touches_of(name):
    """What can be touched on a board at its start, views, and a touch that it does not know."""
    begun = Session(board_class(ADDRESSES[name])()).answer({"do": "look"})
    shown = re.findall(r'data-touch="([^"]*)"', begun["svg"])
    chosen = [touch for _, choices, _ in begun["selects"] for touch, _ in choices]
    return shown + chosen + [touch for touch, *_ in begun["buttons"] + begun["views"]] + ["x"]


@st.composite
def asked(draw, name):
    """What is asked of a board: touches, texts to load, and other things."""
    touches = st.sampled_from(touches_of(name))
    played = " ".join(draw(st.lists(touches, max_size=3)))
    text = f"board: {name}\nseed: {draw(st.integers(0, 9))}\ntouches: {played}\n"
    do = draw(st.sampled_from(("touch", "touch", "touch", "undo", "load", "think", "new")))
    values = {"name": draw(touches), "text": draw(damaged_text(text)), "seed": 3}
    return {"do": do} | draw(spoiled(values))


GAMES = st.sampled_from(sorted(ADDRESSES)).flatmap(
    lambda name: st.tuples(st.just(name), st.lists(asked(name), min_size=1, max_size=5))
)


@door(GAMES)
def test_what_a_board_refuses_leaves_it_as_it_was(game):
    name, requests = game
    session = Session(board_class(ADDRESSES[name])())
    for request in requests:
        before = session.answer({"do": "look"})
        after = session.answer(request)
        assert not after["wrong"] or after | {"wrong": ""} == before
        ET.fromstring(after["svg"])
