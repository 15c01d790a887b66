"""A board in a notebook: played with the kernel, or in the built page with the page's Python.

Both faces are the same HTML, drawn on by the one module ``board.js``.
"""

import functools
import html
import os
from typing import Any

from touchbook import BOOK_BUILD, checks
from touchbook.board.board import Board
from touchbook.board.session import Session, board_class
from touchbook.checks import short
from touchbook.cover import coverable
from touchbook.face import face, mimebundle
from touchbook.figure.control import ExplorableError
from touchbook.script import data_element


class Play:
    """A board that stands in a notebook; see `touchbook.widgets.play`."""

    def __init__(
        self, board: type[Board] | str, *, name: str | None = None, **options: Any
    ) -> None:
        if isinstance(board, str):
            board = board_class(board)
        if not (isinstance(board, type) and issubclass(board, Board)):
            raise TypeError(f"play takes the class of a board or its address, got {short(board)}")
        self.session = Session(board(**options))
        self.name = board.name if name is None else checks.kind("name", name, str)
        if not self.name.replace("-", "").isalnum():
            raise ExplorableError(
                f"a board's name is letters, digits and hyphens, got {short(name)}"
            )

    @property
    def board(self) -> Board:
        """The board as it stands; what was played in a kernel can be read from it."""
        return self.session.board

    def html(self, recorded: bool = False) -> str:
        """The board as it stands, for a page; with its recorded runs, if wished."""
        board = self.board
        name, title = html.escape(self.name), html.escape(board.title)
        rules = "".join(f"<li>{html.escape(rule)}</li>" for rule in board.rules)
        data = {
            "name": self.name,
            "board": f"{type(board).__module__}:{type(board).__qualname__}",
            "options": board.options(),
        }
        if board.own:
            data["own"] = True  # only its cell can make it again
        states = self.session.record() if recorded else {}
        if states:  # what stands around the picture, before the others have come
            first = {key: value for key, value in states[""].items() if key != "svg"}
            data["first"] = first | {"thinks": first["thinks"] if "think" in states else ""}
        carried = data_element(data, "board-data")
        carried += data_element(states, "board-recorded") if states else ""
        return (
            f'<figure class="board" id="board-{name}" data-board="{name}" data-state="asleep" '
            f'aria-label="{title}"><p class="board-title">{title}</p>'
            f'<div class="board-picture">{board.svg()}</div>'
            f'<p class="board-say">{html.escape(board.say())}</p>'
            f'<details class="board-rules"><summary>The rules</summary><ul>{rules}</ul></details>'
            f"{carried}</figure>"
        )

    @property
    def widget(self) -> Any:
        """What shows the board in a kernel."""
        if not hasattr(self, "_widget"):
            setup = {"name": self.name, "html": self.html()}
            hear = functools.partial(_answer, self)
            self._widget = face("board/board.js", ("board/board.css",), setup=setup, hear=hear)
        return self._widget

    def __repr__(self):
        return f"Board {self.name}: {self.board.say()}"

    def _repr_mimebundle_(self, **kwargs):
        if os.environ.get(BOOK_BUILD):
            return {"text/plain": repr(self), "text/html": self.html(recorded=True)}
        return mimebundle(coverable(self.name, self.widget, 640), repr(self), **kwargs)


def _answer(play, face, message):
    # Whatever goes wrong has to reach the reader, who sees the front end only.
    try:
        said = {"answer": play.session.answer(message.get("request"))}
    except Exception as error:
        said = {"fault": f"{type(error).__name__}: {error}"[:500]}
    face.send({"id": message.get("id"), **said})
