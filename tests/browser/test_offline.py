"""Without a line: the book unpacked in a folder."""

import io
import os
import subprocess
import sys
import urllib.request
import zipfile

import pytest

from book.tools.zipped import NAME, zip_site
from tests.support.board_player import Player
from tests.support.reader import moves

pytestmark = pytest.mark.usefixtures("built_site")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The book, unpacked."""
    where = tmp_path_factory.mktemp("unpacked")
    zipfile.ZipFile(io.BytesIO(zip_site())).extractall(where)
    return where / NAME


def test_the_book_opens_from_a_folder(folder, browser):
    context = browser.new_context()
    page, errors = context.new_page(), []
    context.on("weberror", lambda one: errors.append(one.error.stack))
    page.goto((folder / "index.html").as_uri())
    page.locator("a[href*='nrpa.html']").first.click()
    page.wait_for_url("**/nrpa.html*")
    assert moves(page, page.locator("#fig-adapt-steps"))
    form = page.locator("form.ask").first
    form.locator("[data-action=skip]").click()
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
