"""Plays a board in a browser, beside a second one in this Python that must agree with it."""

import copy
import json

from tests.support.board_checks import targets
from touchbook.boards import Session, WrongTouch, board_class

PATIENCE = 120_000  # milliseconds: a busy machine may need long to start Python
# From the place that has the keyboard to another one.
WAY_TO = """goal => {
    const [to, from] = [goal, document.activeElement].map((e) => e.getBoundingClientRect());
    return [to.x - from.x + (to.width - from.width) / 2,
        to.y - from.y + (to.height - from.height) / 2];
}"""


class Player:
    """One board of a page, in either face."""

    def __init__(self, page, name):
        self.page = page
        self.figure = page.locator(f'figure.board[data-board="{name}"]').first
        self.figure.wait_for(timeout=PATIENCE)
        self.session = None

    def button(self, action):
        return self.figure.locator(f"button[data-action={action}]")

    def uncover(self):
        """Look at a board that a question covers."""
        if self.figure.get_attribute("data-covered") is not None:
            self.button("look").click()

    def start(self):
        """Wake the board, if it sleeps."""
        self.uncover()
        self.figure.evaluate("figure => figure.scrollIntoView()")
        if self.state == "asleep" and self.button("play").is_visible():
            self.button("play").click()
        self.figure.locator('xpath=self::*[@data-state="ready"]').wait_for(timeout=PATIENCE)
        self.wait()

    @property
    def state(self):
        """Of the figure: asleep, ready or thinking."""
        return self.figure.get_attribute("data-state")

    def wait(self):
        """Wait until every answer has come."""
        self.figure.locator("xpath=self::*[not(@data-busy)]").wait_for(timeout=PATIENCE)

    def press(self, action):
        """Press a button of the frame, and wait for its answer."""
        self.button(action).click()
        self.wait()

    @property
    def said(self):
        """The words below the board."""
        return self.figure.locator(".board-say").text_content()

    @property
    def wrong(self):
        """Why the last touch was refused."""
        return self.figure.locator(".board-wrong").text_content()

    @property
    def field(self):
        """The field with the game as text, unfolded."""
        if not self.figure.locator("details.board-keep[open]").count():
            self.figure.locator(".board-keep summary").click()
        return self.figure.locator("textarea")

    @property
    def text(self):
        """The game as text."""
        field = self.field
        self.press("save")
        return field.input_value()

    def load(self, text):
        self.field.fill(text)
        self.press("load")

    def target(self, name):
        """Where a touch goes."""
        return self.figure.locator(f'svg [data-touch="{name}"], button[data-touch="{name}"]')

    def click(self, name, how="click"):
        """Touch with the mouse, or choose in a list, and wait for the answer."""
        if self.target(name).count():
            getattr(self.target(name).first, how)()
        else:
            self.figure.locator(f'select:has(option[value="{name}"])').select_option(name)
        self.wait()

    def tap(self, name):
        """Touch with a finger, and wait for the answer."""
        self.click(name, "tap")

    def key(self, name):
        """Touch with the keyboard alone: Tab into the board, arrows, Enter."""
        if not self.target(name).count():
            self.click(name)  # in a list, by the browser's own keys
            return
        place = self.target(name).first
        if place.evaluate("e => e.tagName") == "BUTTON":
            place.focus()
        else:
            self.walk(place)
        self.page.keyboard.press("Enter")
        self.wait()

    @property
    def focused(self):
        """The touch of the place that has the keyboard."""
        return self.page.evaluate("document.activeElement.dataset.touch")

    def walk(self, place):
        """Go to a place of the picture by arrows."""
        self.figure.locator('svg [data-touch][tabindex="0"]').focus()
        for _ in range(200):
            x, y = place.evaluate(WAY_TO)
            if max(abs(x), abs(y)) < 1:
                return
            keys = [
                ("ArrowRight" if x > 0 else "ArrowLeft") if abs(x) >= 1 else None,
                ("ArrowDown" if y > 0 else "ArrowUp") if abs(y) >= 1 else None,
            ]
            before = self.focused
            for key in filter(None, keys if abs(x) > abs(y) else keys[::-1]):
                self.page.keyboard.press(key)
                if self.focused != before:
                    break  # where a row ends, the other arrow goes on
        raise AssertionError("the arrows do not lead there")

    def mirror(self, options=None):
        """Begin the same game in this Python."""
        data = json.loads(self.figure.locator("script.board-data").text_content())
        board = board_class(data["board"])(**data["options"] | (options or {}))
        self.session = Session(board)
        return self.session

    def begin_anew(self):
        """A new game, in this Python too, whatever was played before."""
        text = self.text
        self.mirror().answer({"do": "load", "text": text})
        self.press("new")
        self.session.answer({"do": "new"})
        views = self.figure.locator('.board-views [aria-pressed="true"]').all()
        names = (view.get_attribute("data-touch").removeprefix("show-") for view in views)
        self.session.board.shown = frozenset(names)
        self.agree()

    def agree(self):
        """The browser's board stands as that in this Python does."""
        here = self.session.answer({"do": "look"})
        assert self.said == here["say"], f"{self.said!r} != {here['say']!r}"
        return here

    def play(self, rng, most, how=None, choose=None):
        """Play at most `most` moves, at random or by `choose`, and return how many."""
        how, choose = how or self.click, choose or a_move
        for n in range(most):
            name = choose(self.session, rng)
            if name is None:
                return n
            self.session.answer({"do": "touch", "name": name})
            how(name)
            self.agree()
        return most


def a_move(session, rng):
    """A touch chosen at random that is a move here, or prepares one; None at the end."""
    names = rng.permutation(_touches(session.board)).tolist()
    touched = {}
    for name in names:
        board = touched[name] = _touched(session.board, name)
        if board and board.log != session.board.log:
            return name
    for name, board in touched.items():
        # The same place again, or what is now offered, may be the move.
        for other in [name, *sorted(set(_touches(board)) - set(names))] if board else ():
            after = _touched(board, other)
            if after and after.log != board.log:
                return name
    return None


def _touches(board):
    # Who begins again at random never comes to the end.
    buttons = [name for name, _ in board.buttons() if name != "restart"]
    places = targets(board.svg()) + buttons
    if places:
        return places
    # A bench that only thinks is touched where its settings are.
    lists = board.selects()
    return [name for _, choices, now in lists for name, _ in choices if name != now]


def _touched(board, name):
    board = copy.copy(board)
    try:
        board.touch(name)
    except WrongTouch:
        return None
    return board
