"""A board in a notebook: its HTML for a page, and the messages of its face in a kernel."""

import json
import re

import pytest

from tests.support.board_checks import targets
from tests.support.sticks import Sticks
from touchbook import BOOK_BUILD
from touchbook.figure.control import ExplorableError
from touchbook.widgets import play


class Marked(Sticks):
    title = "<b>Sticks</b> & more"
    rules = ("Take </script> one.",)


def data_of(html):
    """What a page is told of a board."""
    return json.loads(re.search(r'class="board-data">(.*?)</script>', html)[1])


def test_the_page_has_the_opening_position_and_how_to_make_it_again():
    text = play("tests.support.sticks:Sticks", n=2, seed=3).html()
    data = data_of(text)
    assert data["board"] == "tests.support.sticks:Sticks"
    again = Sticks(**data["options"])
    assert again.svg() in text
    assert again.options() == {"n": 2, "seed": 3}
    assert 'id="board-sticks" data-board="sticks" data-state="asleep"' in text


def test_words_of_a_board_are_text():
    text = play(Marked, name="marked-1").html()
    assert "&lt;b&gt;Sticks&lt;/b&gt; &amp; more" in text
    assert text.count("</script>") == 1


@pytest.mark.parametrize(("run", "thinks"), [(("think-1",) * 2, "What now?"), (("1",), "")])
def test_a_page_offers_at_once_what_is_recorded(monkeypatch, run, thinks):
    monkeypatch.setattr(Sticks, "runs_to_record", lambda self: [run])
    assert data_of(play(Sticks).html(recorded=True))["first"]["thinks"] == thinks


def test_in_a_kernel_messages_are_answered(monkeypatch):
    monkeypatch.delenv(BOOK_BUILD, raising=False)
    board = play(Sticks, n=5)
    bundle = board._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert bundle["text/plain"] == "Board sticks: 5 left."
    with monkeypatch.context() as patch:
        patch.setenv(BOOK_BUILD, "yes")  # while the book is built it is HTML
        assert board._repr_mimebundle_()["text/html"].startswith('<figure class="board"')
    said = []
    monkeypatch.setattr(board.widget, "send", said.append)
    receive = board.widget._handle_custom_msg
    receive({"id": "1", "request": {"do": "touch", "name": "2"}}, [])
    assert said[-1]["id"] == "1"
    assert targets(said[-1]["answer"]["svg"]) == ["1", "2", "3"]
    assert board.board.left == 3
    receive({"id": "2", "request": "nonsense"}, [])
    assert said[-1]["answer"]["wrong"]
    monkeypatch.setattr(Sticks, "say", lambda self: 1 / 0)
    receive({"id": "3", "request": {"do": "look"}}, [])
    assert said[-1] == {"id": "3", "fault": "ZeroDivisionError: division by zero"}


@pytest.mark.parametrize(
    ("board", "options", "error", "words"),
    [
        (int, {}, TypeError, "the class of a board or its address, got <class 'int'>"),
        ("gameai_lib.nrpa:NRPA", {}, ValueError, "no board at 'gameai_lib.nrpa:NRPA'"),
        (Sticks, {"name": "a b"}, ExplorableError, "letters, digits and hyphens, got 'a b'"),
        (Sticks, {"name": 3}, TypeError, "name must be of type str"),
        (Sticks, {"colour": 1}, TypeError, "colour"),
    ],
)
def test_what_cannot_be_played_is_named(board, options, error, words):
    with pytest.raises(error, match=re.escape(words)):
        play(board, **options)
