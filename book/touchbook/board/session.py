"""A board that is being played: undo, new game, text to keep and load, all as JSON."""

import copy
import importlib
import json
import re

from touchbook import checks
from touchbook.board.board import SEEDS, Board, WrongTouch
from touchbook.checks import short

LONGEST_TEXT = 100_000  # characters of a game that is loaded
MOST_TOUCHES = 5_000


class Session:
    """A board that is being played.

    Parameters
    ----------
    board : Board
        At its start.
    """

    def __init__(self, board: Board):
        self.board = checks.kind("board", board, Board)
        if reserved := {"board", "touches"} & board.options().keys():
            raise ValueError(f"an option of a board cannot be called {', '.join(reserved)}")
        self._rest = board  # as the last move left it, with nothing chosen for the next
        self._past = ()
        self._thoughts = None
        self._has_moved = False  # while it thinks
        self._done = None

    def answer(self, request: dict) -> dict:
        """Do what a front end asks for, and say how the board then stands.

        Parameters
        ----------
        request : dict
            ``do`` is ``"look"``, ``"touch"`` (with ``name``), ``"undo"``, ``"new"`` (with
            ``seed`` if a certain one is wished), ``"think"`` (one step), ``"stop"`` or
            ``"load"`` (with ``text``).

        Returns
        -------
        dict
            JSON: ``wrong`` says why nothing was done, or is empty.
        """
        wrong = ""
        try:
            self._do(request)
        except WrongTouch as refusal:
            wrong = str(refusal)
        return self._state() | {"wrong": wrong}

    def _do(self, request):
        do = request.get("do") if isinstance(request, dict) else request
        if do == "touch":
            self._touch(request.get("name"))
        elif do == "undo":
            self._undo()
        elif do == "new":
            seed, past = request.get("seed"), (*self._past, self._rest)
            self._begin({"seed": (self.board.seed + 1) % SEEDS if seed is None else seed})
            self._past = past  # a game that is left by a slip can be taken up again
        elif do == "think":
            self._think()
        elif do == "stop":
            self._thoughts = None
        elif do == "load":
            self._load(request.get("text"))
        elif do != "look":
            raise WrongTouch(f"a board cannot {short(do)}")

    def _touch(self, name):
        after = copy.copy(self.board)
        after.touch(name)
        if after.shown != self.board.shown:
            self.board.shown = after.shown  # and it thinks on
            return
        if after.log != self.board.log:
            self._past, self._rest = (*self._past, self._rest), after
        self.board, self._thoughts = after, None

    def _undo(self):
        if not self.board.can_undo:
            raise WrongTouch("What was done here cannot be taken back.")
        if not self._past:
            raise WrongTouch("There is nothing to take back.")
        *past, board = self._past
        board = copy.copy(board)
        board.shown = self.board.shown
        self.board = self._rest = board
        self._past, self._thoughts = tuple(past), None

    def _begin(self, changed):
        try:
            board = self.board.anew(**changed)
        except (TypeError, ValueError) as error:
            raise WrongTouch(f"no such game: {error}"[:500]) from None
        board.shown = self.board.shown
        self.board = self._rest = board
        self._past, self._thoughts = (), None

    def _think(self):
        if self._thoughts is None:
            at_rest = self.board is self._rest
            self.board = copy.copy(self.board)
            self._rest = self.board if at_rest else self._rest  # what is found stays with it
            self._thoughts, self._has_moved = self.board.think(), False
        thoughts, self._thoughts = self._thoughts, None  # none, if a reader's own code fails
        before = copy.copy(self.board)
        self._done = next(thoughts, StopIteration)
        if self._done is not StopIteration:
            self._thoughts = thoughts
        if self.board.log != before.log:  # it has made a move
            is_part = self._has_moved and self.board.undoes_thought
            self._past = self._past if is_part else (*self._past, before)
            self._rest, self._has_moved = self.board, True

    @property
    def text(self) -> str:
        """The game as text, which holds the board, its options, and the touches that made it."""
        options = "".join(f"{k}: {json.dumps(v)}\n" for k, v in self.board.options().items())
        return f"board: {self.board.name}\n{options}touches: {' '.join(self.board.log)}\n"

    def _load(self, text):
        options, touches = _parse(text, self.board)
        session = Session(self.board)
        session._begin(options)
        for i, touch in enumerate(touches, 1):
            log = session.board.log
            try:
                session._do({"do": "touch", "name": touch})
            except WrongTouch as refusal:
                raise WrongTouch(f"touch {i} of the text, {short(touch)}: {refusal}") from None
            if session.board.log == log:
                raise WrongTouch(f"touch {i} of the text, {short(touch)}, is not a move")
        self.board = self._rest = session.board
        self._past, self._thoughts = session._past, None

    def record(self) -> dict[str, dict]:
        """How the board stands after each touch of `Board.runs_to_record`, by the touches so far.

        What a page without Python flips through: as from `answer`, marked as ``recorded``, and
        with no views but those that a run opens.
        Thinking is a touch ``"think"`` here, of as many steps as one picture stands for.
        """
        states, runs = {}, self.board.runs_to_record()
        touched = {touch for touches in runs for touch in touches}
        for touches in runs:
            run, so_far = Session(self.board.anew()), []
            for touch in ("", *touches):
                name, _, n_steps = touch.partition("-") if touch[:6] == "think-" else (touch, "", 1)
                do = {"": "look", "think": "think"}.get(name, "touch")
                for _ in range(int(n_steps)):
                    state = run.answer({"do": do, "name": name})
                if state["wrong"]:
                    raise ValueError(f"a recorded touch is refused: {state['wrong']}")
                state["views"] = [view for view in state["views"] if view[0] in touched]
                so_far += [name] if name else []
                states[" ".join(so_far)] = state | {"recorded": True}
        return states

    def _state(self):
        board = self.board
        return {
            "title": board.title,
            "svg": board.svg(),
            "say": board.say(),
            "buttons": board.buttons(),
            "selects": board.selects(),
            "views": [[f"show-{k}", v, k in board.shown] for k, v in board.views.items()],
            "begins": board.begins,
            "thinks": board.thinks,
            "thinking": self._thoughts is not None,
            "done": self._done if self._thoughts is not None else None,
            "undoes": board.can_undo,
            "can_undo": bool(board.can_undo and self._past),
            "seed": board.seed,
            "text": self.text,
        }


def _parse(text, board):
    """Options and touches of a saved game."""
    if not isinstance(text, str) or len(text) > LONGEST_TEXT:
        raise WrongTouch(f"a game is text of at most {LONGEST_TEXT:,} characters")
    fields = {}
    for line in filter(str.strip, text.splitlines()):
        key, colon, value = line.partition(":")
        if not colon or not re.fullmatch(r"\w{1,40}", key.strip()):
            raise WrongTouch(f'{short(line)} is not "name: value", as lines of a game are')
        fields[key.strip()] = value.strip()
    for name in ("board", "touches"):
        if name not in fields:
            raise WrongTouch(f"the text has no line of {name}")
    if fields["board"] != board.name:
        raise WrongTouch(f"the text is a game of {short(fields['board'])}, not {board.name}")
    touches = fields.pop("touches").split()
    if len(touches) > MOST_TOUCHES:
        raise WrongTouch(f"{len(touches):,} touches are more than {MOST_TOUCHES:,}")
    del fields["board"]
    for name in fields.keys() - board.options().keys():
        raise WrongTouch(f"a game of {board.name} has no {short(name)}")
    return {name: _option(name, value) for name, value in fields.items()}, touches


def _option(name, value):
    # Nesting without bounds would end a page's Python.
    if len(value) > 1000 or value.count("[") + value.count("{") > 10:
        raise WrongTouch(f"{name} is too long: {short(value)}")
    try:
        return json.loads(value)
    except ValueError:
        raise WrongTouch(f"{name} is not a JSON value: {short(value)}") from None


def board_class(address: str) -> type[Board]:
    """The class at an address such as ``"my_book.boards.morpion:MorpionBoard"``.

    Raises
    ------
    ValueError
        If there is no board at the address.
    """
    module, _, name = address.partition(":")
    if not re.fullmatch(r"[^\W\d]\w*(\.\w+)*", module):
        raise ValueError(
            f"the address of a board is like package.module:Name, got {short(address)}"
        )
    try:
        found = getattr(importlib.import_module(module), name, None)
    except ImportError:
        found = None
    if not (isinstance(found, type) and issubclass(found, Board)):
        raise ValueError(f"there is no board at {short(address)}")
    return found


_sessions = {}


def adopt(name: str, session: Session) -> None:
    """Let a page play a session that a cell made, as the board of this name."""
    _sessions[name, True] = session


def answer(name: str, request: str) -> str:
    """Answer a page, which keeps the text of each game: Python may be a new one since.

    Parameters
    ----------
    name : str
        Of the board in the page.
    request : str
        JSON: what `Session.answer` takes, and ``board`` (an address), ``options``, ``text``
        (how the game stood, or empty), ``shown``, ``opened`` (views that the page has opened or
        closed before Python woke), and ``own`` if a cell made the board (`adopt`).

    Returns
    -------
    str
        JSON, as from `Session.answer`, or ``fault``: what went wrong in the board itself.
    """
    try:
        return json.dumps(_answer(name, json.loads(request)))
    except Exception as error:  # a page would show nothing at all
        return json.dumps({"fault": f"{type(error).__name__}: {error}"[:500]})


def _answer(name, request):
    key = name, bool(request.get("own"))
    session, text = _sessions.get(key), request.get("before") or ""
    wrong = ""
    if request.get("own"):
        if session is None:
            raise LookupError("Python has begun anew since: run the cell of this board again")
    elif session is None or (text and session.text != text):
        session = Session(board_class(request["board"])(**request["options"]))
        if text:
            try:
                session._load(text)
            except WrongTouch as refusal:
                wrong = f"The game that was kept here cannot go on: {refusal}"
        if request.get("shown") is not None:  # the page has shown views before
            session.board.shown = frozenset(request["shown"]) & set(session.board.views)
        for view in request.get("opened", ()):  # while the page slept
            session.board.touch(f"show-{view}")
        _sessions[key] = session
    said = session.answer(request)
    return said | {"wrong": said["wrong"] or wrong}
