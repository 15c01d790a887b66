"""The frame without this book: its wheel, the small book of its README, and a reader who moves it.

Importing the library or the exhibits is refused, in the kernels and while the pages are made.
"""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest

from tests.support.board_checks import targets
from tests.support.board_player import PATIENCE
from tests.support.packages import PACKAGES, build_wheel
from tests.support.serving import served

README = (PACKAGES["touchbook"][0] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+) ?([\w.]*)\n(.*?)```\n", README, re.DOTALL)
REFUSED = """
import sys


class Refused:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("gameai_lib", "gameai_book", "book", "tests"):
            raise ModuleNotFoundError(f"{name} is refused here", name=name)


sys.meta_path.insert(0, Refused())
"""
TOC = "format: jb-book\nroot: one\n"
PYODIDE = os.environ.get("PYODIDE")

pytestmark = pytest.mark.slow


def notebook():
    """The cells of the README, below a title."""
    new = nbformat.v4
    cells = [new.new_markdown_cell("# Sticks")]
    for language, said, code in BLOCKS:
        if language == "python" and not said.endswith(".py"):
            tags = {"tags": [said]} if said else {}
            cells.append(new.new_code_cell(code.rstrip(), metadata=tags))
    kernel = {"name": "python3", "display_name": "Python 3"}
    return new.new_notebook(cells=cells, metadata={"kernelspec": kernel})


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The other book, built by the frame's wheel in a folder elsewhere."""
    folder = tmp_path_factory.mktemp("other")
    wheel = build_wheel("touchbook", tmp_path_factory.mktemp("wheel"))
    installed = tmp_path_factory.mktemp("installed")
    zipfile.ZipFile(wheel).extractall(installed)
    (installed / "sitecustomize.py").write_text(REFUSED)
    (config,) = (code for language, _, code in BLOCKS if language == "yaml")
    (folder / "_config.yml").write_text(config, encoding="utf-8")
    (folder / "_toc.yml").write_text(TOC)
    nbformat.write(notebook(), folder / "one.ipynb")
    for _, name, code in BLOCKS:
        if name.endswith(".py"):
            (folder / name).write_text(code, encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": f"{installed}{os.pathsep}{folder}"}
    environment.pop("NUMBA_CACHE_LOCATOR_CLASSES", None)

    def run(*command):
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)

    done = run(
        sys.executable, "-c", "import touchbook; print(touchbook.__file__); import gameai_lib"
    )
    assert Path(done.stdout.strip()).is_relative_to(installed)
    assert "gameai_lib is refused" in done.stderr
    builder = Path(sys.executable).with_name("jupyter-book")
    done = run(builder, "build", ".", "-W", "-n", "--keep-going")
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return folder / "_build" / "html"


@pytest.fixture(scope="module")
def page(browser, site):
    """The page, opened; it complains of nothing."""
    with served(site) as address:
        opened, faults = browser.new_page(), []
        opened.set_default_timeout(PATIENCE)
        opened.on("pageerror", lambda error: faults.append(str(error)))
        opened.goto(f"{address}/one.html")
        yield opened
        assert [fault for fault in faults if "THEBE" not in fault] == []  # that is sphinx_thebe's
        opened.close()


def test_its_readme_is_one_screen_and_names_nothing_of_this_book():
    assert len(README.splitlines()) <= 90
    assert "gameai" not in README


def test_a_question_uncovers_the_figure_and_its_answer_is_kept_under_the_name_of_the_book(page):
    figure = page.locator("figure.explorable")
    assert figure.get_attribute("data-covered") is not None
    form = page.locator("form.ask")
    form.get_by_label("the first").check()
    form.locator('button[data-action="commit"]').click()
    form.locator('xpath=self::*[@data-state="right"]').wait_for()
    assert figure.get_attribute("data-covered") is None
    before = figure.locator("img").get_attribute("src")
    figure.locator("[data-name=slope]").press("ArrowRight")
    page.wait_for_function(
        "before => document.querySelector('figure.explorable img').getAttribute('src') !== before",
        arg=before,
    )
    assert "rises to 2" in figure.locator("img").get_attribute("alt")
    names = page.evaluate("Object.keys(localStorage)")
    assert [name for name in names if name.startswith("sticks:asked:/one.html")]
    assert not [name for name in names if name.startswith("touchbook")]


@pytest.mark.skipif(not PYODIDE, reason="PYODIDE names no folder")
def test_a_cell_runs_and_a_board_is_played_in_the_pages_python(page):
    cell = page.locator("div.try")
    cell.locator("button[data-action=run]").click()
    cell.locator('xpath=self::*[@data-state="idle"]').wait_for()
    page.locator("html[data-python=ready]").wait_for()
    output = cell.locator(".try-output")
    output.get_by_text("10").wait_for()
    board = page.locator('figure.board[data-board="sticks"]')
    board.locator("button[data-action=play]").click()
    board.locator('xpath=self::*[@data-state="ready"]').wait_for()
    assert targets(board.locator("svg").evaluate("svg => svg.outerHTML")) == ["1", "2"]
    board.locator('svg [data-touch="2"]').click()
    board.get_by_text("5 left.").wait_for()
    board.locator('button[data-action="undo"]').click()
    board.get_by_text("7 left.").wait_for()
