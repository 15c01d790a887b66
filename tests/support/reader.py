"""A reader of a page of the built book: runs cells, plays boards, keeps what the page says."""

import pytest

from tests.support.board_player import PATIENCE, Player
from tests.support.built_pages import SITE

PYODIDE = SITE / "_static" / "pyodide"
needs_python = pytest.mark.skipif(
    not (PYODIDE / "pyodide.mjs").exists(), reason="the book was built without PYODIDE=folder"
)
WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
# What is too low or too narrow for a finger, which needs 24 pixels.
LOW = """all => all.map((one) => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
    .filter(([, { width, height }]) => width && Math.min(width, height) < 23.9)
    .map(([html]) => html)"""
TYPESET = "() => document.fonts.ready.then(() => true)"
SETTLED = """(figure) => new Promise((done) => {
    figure.scrollIntoView({ block: "center" });
    let [last, n_same] = [NaN, 0];
    const look = () => {
        const { top } = figure.getBoundingClientRect();
        [last, n_same] = [top, top === last ? n_same + 1 : 0];
        n_same > 15 ? done() : requestAnimationFrame(look);
    };
    look();
})"""
ALL_HERE = """() => [...document.images].every((image) => image.complete)
    && [...document.querySelectorAll("script[data-beside]")].every((script) =>
        performance.getEntriesByName(new URL(script.dataset.beside, location).href).length)"""


class Reader:
    """A reader of one page of `book/`; what the page asks for and complains of is kept."""

    def __init__(self, context, address, name, anchor="", viewport=None):
        self.page = context.new_page()
        if viewport:
            self.page.set_viewport_size(viewport)
        self.page.set_default_timeout(PATIENCE)
        self.asked, self.errors = [], []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.address = address
        self.page.goto(f"{address}/book/{name}.html{anchor}")

    @property
    def outside(self):
        """Addresses asked for that are not the site's own."""
        own = (self.address, "data:", "blob:")
        return [address for address in self.asked if not address.startswith(own)]

    @property
    def python(self):
        """The state of the page's Python."""
        return self.page.evaluate("document.documentElement.dataset.python")

    def board(self, name):
        """A board that is awake, at the start of a game."""
        # A formula that waits for its font, or an editor above, would move what is clicked.
        self.page.wait_for_function(TYPESET)
        player = Player(self.page, name)
        player.figure.evaluate(SETTLED)
        if player.state != "ready":
            player.uncover()
            player.button("play").wait_for()
            player.start()
        player.begin_anew()  # the browser may have kept a game
        return player

    def box(self, name):
        """A cell to change or an exercise, its editor ready."""
        box = self.page.locator(f'div.try[data-cell="{name}"], div.try[data-exercise="{name}"]')
        box.locator(".cm-content").wait_for()
        return box

    def box_of(self, one):
        """The same, as the book has it, whatever was typed into it before."""
        box = self.box(one.name)
        if box.locator("button[data-action=reset]").is_visible():
            self.press(box, "reset")
        return box

    def type(self, box, code):
        """Put code into an editor, as a reader would."""
        box.locator(".cm-content").click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(code)

    def press(self, box, action, wait=True):
        """Press a button; wait until nothing runs; returns the state."""
        button = box.locator(f"button[data-action={action}]")
        button.wait_for()
        # Without coordinates: on a busy machine an editor above may grow while a button is down.
        button.dispatch_event("click")
        return self.state(box) if wait else None

    def state(self, box):
        """The state of a cell that has ended."""
        box.locator("xpath=self::*[not(@data-state='running')]").wait_for()
        return box.get_attribute("data-state")

    def text(self, box):
        """What a cell shows below its buttons."""
        return box.locator(".try-output").inner_text()


def moves(page, figure):
    """Whether a slider of a figure changes picture and words."""
    figure.scroll_into_view_if_needed()
    image, words = figure.locator("img"), figure.locator(".explorable-live")
    before = image.get_attribute("src"), words.inner_text()
    figure.locator("input[type=range]").first.focus()
    page.keyboard.press("Home")
    page.wait_for_function(
        "([img, old]) => img.src !== old && img.complete && img.naturalWidth",
        arg=[image.element_handle(), before[0]],
    )
    return words.inner_text() != before[1]
