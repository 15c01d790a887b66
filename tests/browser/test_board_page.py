"""Boards in Chromium: in the built pages, played by their Python, and in JupyterLab."""

import numpy as np
import pytest

from gameai_book.btmm.boards.connect6 import Connect6Board
from gameai_book.btmm.boards.step import StepBoard
from tests.hanabi.test_board import as_convention
from tests.support.axe import faults_in_both_themes
from tests.support.board_player import Player, a_move
from tests.support.reader import PHONE, needs_python
from touchbook.boards import Session
from touchbook.script import styles

# Each board on one of the pages that show it.
SHOWN = {
    "hanabi": "hanabi promises silence slots",
    "ntbea": "arms mend tuner tuples",
    "btmm": "connect6 line moves step",
    "nrpa": "race samegame watch",
    "together": "dials open-deals partners rungs thinking",
    "ntbea_workshop": "landscape",
    "btmm_workshop": "arena guess league reversi triangle",
    "nrpa_workshop": "morpion",
}
ONCE = sorted((board, page) for page, boards in SHOWN.items() for board in boards.split())
# Hanabi played at random ends with the third wrong card.
CHOOSE = dict.fromkeys(["hanabi", "thinking"], lambda session, _rng: as_convention(session))
WATCHED = {"watch", "mend"}  # by a reader who makes no move

# What can be touched: its name, its upper left corner, its width and height.
BOXES = """figure => [...figure.querySelectorAll("svg [data-touch], button")].flatMap(e => {
    const { x, y, width, height } = e.getBoundingClientRect();
    return width ? [[e.getAttribute("aria-label") || e.textContent, x, y, width, height]] : [];
})"""


# Words of the picture, and how high they are in pixels.
SIZES = """figure => [...figure.querySelectorAll("svg text")].map(e => {
    const scale = e.ownerSVGElement.getScreenCTM().a;
    return [e.textContent, parseFloat(e.getAttribute("font-size")) * scale];
})"""


def test_what_is_drawn_over_a_place_lets_the_touch_through(browser):
    board = Connect6Board(opening="j10 j8 k8 k10 l10 l8 m8")
    for touch in ("m10", "a1", "show-lines", "aim-j9"):
        board.touch(touch)
    page = browser.new_page(viewport={"width": 900, "height": 1200})
    page.set_content(f"<style>{styles()}</style><figure class=board>{board.svg()}</figure>")
    names = page.evaluate("""() => [...document.querySelectorAll("[data-touch]")].map(place => {
        const { x, y, width, height } = place.getBoundingClientRect();
        const met = document.elementFromPoint(x + width / 2, y + height / 2);
        return [place.dataset.touch, met.closest("[data-touch]")?.dataset.touch];
    })""")
    assert len(names) == 361
    assert [pair for pair in names if pair[0] != pair[1]] == []


# The first test of its page: Python still sleeps there.
@needs_python
@pytest.mark.parametrize("page", ["btmm"])
def test_a_bench_moves_without_python_and_goes_on_from_there_with_it(here):
    player, by_hand = Player(here.page, "step"), Session(StepBoard())
    player.uncover()
    for touch in ("step", "step"):
        player.click(touch)
        assert player.said == by_hand.answer({"do": "touch", "name": touch})["say"]
    assert (here.python, player.state) == ("asleep", "asleep")
    assert not [address for address in here.asked if "pyodide" in address]
    player.click("won-9-of-10")
    assert "needs Python" in player.wrong
    player.start()  # and Python does what was asked for
    asked = {"do": "touch", "name": "won-9-of-10"}
    assert player.said == by_hand.answer(asked)["say"]
    assert here.errors == here.outside == []


@needs_python
def test_a_game_by_the_keyboard_is_ended_taken_back_kept_loaded_and_begun_anew(waking):
    here = waking("index", "#board-reversi?seed=12")
    player = Player(here.page, "reversi")
    player.button("play").wait_for()
    player.button("play").focus()
    here.page.keyboard.press("Enter")
    player.start()
    assert player.focused  # it is in the board
    session, rng = player.mirror({"seed": 12}), np.random.default_rng(6)
    assert player.play(rng, 5, player.key) == 5
    for _ in range(18):
        session.answer({"do": "touch", "name": a_move(session, rng)})
    player.load(session.answer({"do": "look"})["text"])
    assert 0 < player.play(rng, 30, player.key) < 30  # to its end
    text = player.text
    assert text == session.text
    player.button("undo").focus()
    here.page.keyboard.press("Enter")
    player.wait()
    session.answer({"do": "undo"})
    player.agree()
    player.load(text + "x")
    assert player.wrong
    player.agree()
    player.press("new")
    assert "seed: 13\n" in player.text
    assert here.errors == here.outside == []


UNFOLD = """figure => {
    for (const fold of figure.querySelectorAll("details")) fold.open = true;
}"""
IS_WHOLE = """figure => {
    const picture = figure.querySelector(".board-picture");
    return picture.scrollWidth <= picture.clientWidth;
}"""
# Whether a complaint is in sight while the top of the board is.
COMPLAINT_IS_IN_SIGHT = """figure => {
    const wrong = figure.querySelector(".board-wrong");
    [wrong.textContent, wrong.hidden] = ["No.", false];
    figure.scrollIntoView();
    const { bottom } = wrong.getBoundingClientRect();
    wrong.hidden = true;
    return bottom <= innerHeight;
}"""


@needs_python
@pytest.mark.parametrize(("board", "page"), ONCE)
def test_a_board_is_played_on_a_phone_and_is_whole_accessible_and_large_enough(here, board, page):
    here.page.set_viewport_size(PHONE)
    player = here.board(board)
    n_moves = player.play(np.random.default_rng(8), 2, player.tap, CHOOSE.get(board))
    assert n_moves > 1 or board in WATCHED
    for name, _, is_open in player.agree()["views"]:
        if not is_open:
            player.tap(name)
            player.session.answer({"do": "touch", "name": name})
    assert player.figure.evaluate(IS_WHOLE)
    assert player.figure.evaluate(COMPLAINT_IS_IN_SIGHT)
    larger = player.button("larger")
    if larger.is_visible():
        larger.tap()
        assert not player.figure.evaluate(IS_WHOLE)
    fits_a_finger(player.figure.evaluate(BOXES))
    assert not here.page.evaluate("document.documentElement.scrollWidth > innerWidth + 1")
    for words, size in player.figure.evaluate(SIZES):
        assert size >= 10.9, f"{words!r} is {size:.1f} pixels high"
    player.figure.evaluate(UNFOLD)
    place = f"#{player.figure.get_attribute('id')}"
    assert faults_in_both_themes(here.page, place) == []
    if player.agree()["can_undo"]:
        player.press("undo")
        player.session.answer({"do": "undo"})
        player.agree()
    assert here.errors == here.outside == []


def fits_a_finger(boxes):
    """Every place is at least 24 pixels each way, and none lies over another."""
    assert boxes
    for name, x, y, width, height in boxes:
        assert min(width, height) >= 23.9, (name, width, height)
        for other, left, top, wide, high in boxes:
            apart = x + 1 > left + wide or left + 1 > x + width
            assert other == name or apart or y + 1 > top + high or top + 1 > y + height, (
                f"{name} and {other} overlap"
            )
