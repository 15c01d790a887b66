"""Without a line: the book unpacked in a folder, and a page whose line is cut once it is there."""

import io
import json
import os
import subprocess
import sys
import urllib.request
import zipfile

import pytest

from book.tools.zipped import NAME, zip_site
from tests.support.board_player import Player
from tests.support.built_pages import ROOT, SITE
from tests.support.chromium import CHROMIUM
from tests.support.reader import ALL_HERE, Reader, needs_python
from touchbook.cell.needs import tries

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium installed"),
    pytest.mark.skipif(not (SITE / "index.html").exists(), reason="build the book first"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The book, unpacked."""
    where = tmp_path_factory.mktemp("unpacked")
    zipfile.ZipFile(io.BytesIO(zip_site())).extractall(where)
    return where / NAME


def moves(page, name):
    """A slider of a figure changes picture and words."""
    figure = page.locator(f"#fig-{name}")
    figure.scroll_into_view_if_needed()
    image, words = figure.locator("img"), figure.locator(".explorable-live")
    before = image.get_attribute("src"), words.inner_text()
    figure.locator("input[type=range]").first.focus()
    page.keyboard.press("Home")
    page.wait_for_function(
        "([figure, old]) => figure.querySelector('img').src !== old && "
        "figure.querySelector('img').complete && figure.querySelector('img').naturalWidth",
        arg=[figure.element_handle(), before[0]],
    )
    return words.inner_text() != before[1]


def test_the_book_opens_from_a_folder(folder, browser):
    context = browser.new_context()
    page, errors = context.new_page(), []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto((folder / "index.html").as_uri())
    page.locator("a[href*='nrpa.html']").first.click()
    page.wait_for_url("**/nrpa.html*")
    assert moves(page, "adapt-steps")
    form = page.locator("form.ask:has(input[type=radio])").first
    form.locator("input[type=radio]").first.check()
    form.locator("[data-action=commit]").click()
    form.locator(".ask-truth").wait_for()
    board = page.locator("figure.board").first
    board.locator("button[data-action=play]").click()
    board.locator(".board-wrong", has_text="read.py").wait_for()
    assert board.locator("svg").first.is_visible()
    cell = page.locator("div.try").first
    cell.locator("[data-action=run]").click()
    assert "make serve" in cell.locator(".try-output").inner_text()
    assert cell.locator(".cell_input").is_visible()  # there is no editor
    page.goto((folder / "book" / "btmm.html").as_uri())
    player = Player(page, "step")
    player.uncover()
    said = player.said
    player.figure.locator('[data-touch="step"]').click()  # flips through what was recorded
    player.wait()
    assert player.said != said
    assert errors == []
    context.close()


def test_read_py_serves_it(folder):
    command = [sys.executable, str(folder / "read.py")]
    environment = os.environ | {"BROWSER": "true"}  # which opens nothing
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
        address = server.stdout.readline().split()[4]
        with urllib.request.urlopen(address, timeout=20) as answer:
            assert b"book/index.html" in answer.read()
        server.terminate()


@needs_python
def test_a_page_goes_on_when_its_line_is_cut(browser, address):
    context = browser.new_context()
    here = Reader(context, address, "hanabi_workshop")
    cells = json.loads((ROOT / "book" / "hanabi_workshop.ipynb").read_text(encoding="utf-8"))
    one = next(one for one in tries(cells["cells"]) if one.is_exercise)
    box = here.box(one.name)
    assert here.press(box, "check") == "failed"  # Python is there
    here.page.wait_for_function(ALL_HERE)
    context.set_offline(True)
    name = here.page.locator("figure.explorable:has(input[type=range])").last.get_attribute("id")
    assert moves(here.page, name.removeprefix("fig-"))
    broken = "all => all.filter((one) => !one.complete || !one.naturalWidth).map((one) => one.src)"
    assert here.page.locator("article img").evaluate_all(broken) == []
    here.type(box, one.solution)
    assert here.press(box, "check") == "passed", here.text(box)
    here.type(box, "while True:\n    pass")
    here.press(box, "run", wait=False)
    here.page.wait_for_timeout(300)
    here.press(box, "stop")
    here.type(box, "print(6 * 7)")
    # A new Python needs the line: that is said, and it comes once the line is there again.
    assert here.press(box, "run") == "error"
    assert "are you offline? Press again" in here.text(box)
    context.set_offline(False)
    assert here.press(box, "run") == "idle", here.text(box)
    # Pyodide forgets a promise of what did not come.
    assert [error for error in here.errors if not error.startswith("could not load")] == []
    context.close()
