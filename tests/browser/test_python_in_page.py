"""Python in the built pages, in headless Chromium: every exercise failed and passed, and more."""

import hashlib
import json
import re

import numpy as np
import pytest

from book.tools.assignments import cells_of
from tests.hanabi.test_board import as_convention
from tests.support.board_player import Player
from tests.support.built_pages import ROOT
from tests.support.reader import ALL_HERE, PYODIDE, moves, needs_python
from touchbook.cell.needs import tries
from touchbook.page.python import DIGESTS, PUBLIC, PUBLIC_PACKAGES

PAGES = {path.stem for path in (ROOT / "book").glob("*.ipynb")}
CHAPTERS = sorted(PAGES - {"index", "review"})

pytestmark = needs_python
WORKSHOP = "nrpa_workshop"
on_workshop = pytest.mark.parametrize("page", [WORKSHOP])


LIGHT = "hanabi"  # a lesson, which is there sooner than a workshop


def find_cells(name):
    """The cells to change of a chapter."""
    return tries(cells_of(name))


def exercise_of(name=WORKSHOP):
    """The first exercise of a chapter."""
    return next(one for one in find_cells(name) if one.is_exercise)


LOOK_AT_KERNELS = """from gameai_lib.base import jit
from touchbook.page import wasm
print(jit.FAST, dict(wasm.MISSED))"""


@pytest.mark.parametrize("page", CHAPTERS)
def test_every_exercise_is_failed_and_passed_and_every_cell_runs(here, page):
    for one in find_cells(page):
        box = here.box_of(one)
        if not one.is_exercise:
            built = box.locator(".cell_output")
            board = built.locator(".board-say").all_text_contents()
            before = built.inner_text() if built.count() and not board else ""
            assert here.press(box, "run") == "idle", here.text(box)
            # By words: where a kernel breaks what it prints into two outputs is chance.
            assert here.text(box).split() == before.split(), one.name
            if board:
                played = box.locator('.try-board figure[data-state="ready"]')
                played.wait_for()
                assert played.locator(".board-say").all_text_contents() == board
            continue
        assert here.press(box, "check") == "failed", f"{one.name}: {here.text(box)}"
        verdict = here.text(box).rpartition("Not yet: ")[2]
        assert len(verdict) >= 20, f"{one.name}: {verdict}"
        for raised in ("your code raises", "cannot go on"):
            assert raised not in verdict, f"{one.name}: {verdict}"
        here.type(box, one.solution)
        assert here.press(box, "check") == "passed", f"{one.name}: {here.text(box)}"
        kept = "name => localStorage.getItem(`gameai:passed:${location.pathname}:${name}`) !== null"
        assert here.page.evaluate(kept, one.name), one.name
    # What was played on the page's boards so far was compiled, too.
    here.type(box, LOOK_AT_KERNELS)
    assert here.press(box, "run") == "idle"
    assert here.text(box) == "True {}\n"
    assert here.outside == []
    assert here.errors == []


@on_workshop
def test_the_keyboard_alone_stops_a_board_and_a_cell_which_go_on_with_another_python(here):
    player = here.board("morpion")
    player.button("think").click()
    # At one moment: it may think for a second only.
    here.page.wait_for_function(
        "f => f.dataset.state === 'thinking' && f.querySelector('progress').checkVisibility()"
        " && document.activeElement.dataset.action === 'stop'",
        arg=player.figure.element_handle(),
    )
    here.page.keyboard.press("Enter")
    player.figure.locator('xpath=self::*[@data-state="ready"]').wait_for()
    assert here.page.evaluate("document.activeElement.dataset.action") == "think"
    player.wait()
    said = player.said
    player.begin_anew()
    assert player.said != said  # it has ended
    player.play(np.random.default_rng(10), 4)
    cells = [one for one in find_cells(WORKSHOP) if not one.is_exercise]
    box, waiting = here.box_of(exercise_of()), here.box_of(cells[0])
    here.type(box, "while True:\n    pass")
    here.page.keyboard.press("Control+Enter")
    box.locator("[data-action=stop]").wait_for()
    here.press(waiting, "run", wait=False)
    assert waiting.get_attribute("data-state") == "running"
    box.locator("[data-action=stop]").focus()
    here.page.keyboard.press("Enter")
    assert here.state(box) == "idle"
    assert here.python == "loading"
    assert here.state(waiting) == "idle"
    assert here.text(waiting)
    # By keys: the editor above may move the board under a pointer.
    assert player.play(np.random.default_rng(11), 3, how=player.key) == 3
    assert player.text == player.session.text
    assert here.errors == []


@on_workshop
def test_what_is_typed_or_printed_is_never_html_and_the_worker_reaches_no_page_and_no_host(here):
    box = here.box_of(exercise_of())
    mark = "<img src=x onerror=document.title='taken'>"
    here.type(box, f"print({mark!r})\nraise ValueError({mark!r})")
    assert here.press(box, "run") == "error"
    assert here.text(box).count(mark) >= 2
    assert box.locator("img").count() == 0
    assert here.page.title() != "taken"
    here.type(box, "import js\nprint(hasattr(js, 'document'), hasattr(js, 'window'), js.fetch)")
    here.press(box, "run")
    assert here.text(box) == "False False None\n" or "undefined" in here.text(box)
    here.type(box, "import urllib.request\nurllib.request.urlopen('https://example.org/')")
    assert here.press(box, "run") == "error"
    assert here.outside == []


def with_config(here, **changes):
    """Load the page again as if the book had been built with another Python."""

    def change(route):
        begin, old, end = re.split(
            r'(?<=class="page-python">)(.*?)(?=</script>)', route.fetch().text()
        )
        new = json.dumps(json.loads(old) | changes)
        route.fulfill(body=begin + new + end, content_type="text/html")

    here.page.route("**/book/*.html", change)
    for _ in range(5):  # a busy browser may show the page as it was
        here.page.reload()
        if changes["cost"] in here.page.locator("script.page-python").text_content():
            return
    raise AssertionError(f"the page never had {changes}")


WITHOUT_A_FOLDER = {"index": PUBLIC, "numpy": "numpy", "cost": f"from {PUBLIC}"}


def test_python_comes_from_the_public_address_after_a_click_and_a_line_that_is_cut_is_named(reader):
    here, one = reader(LIGHT), find_cells(LIGHT)[0]
    lock = json.loads((PYODIDE / "pyodide-lock.json").read_text(encoding="utf-8"))
    wheel = (PYODIDE / lock["packages"]["numpy"]["file_name"]).read_bytes()  # built elsewhere
    lock["packages"]["numpy"]["sha256"] = hashlib.sha256(wheel).hexdigest()
    own = hashlib.sha256(json.dumps(lock).encode()).hexdigest()
    digests = DIGESTS | {"pyodide-lock.json": own, "python_stdlib.zip": "0" * 64}
    with_config(here, **WITHOUT_A_FOLDER, digests=digests)

    def answer(route):
        address, _, name = route.request.url.partition("?")[0].rpartition("/")
        assert f"{address}/" == (PUBLIC_PACKAGES if name.endswith(".whl") else PUBLIC)
        is_lock = name == "pyodide-lock.json"
        types = {"mjs": "text/javascript", "wasm": "application/wasm", "json": "application/json"}
        route.fulfill(
            body=json.dumps(lock) if is_lock else (PYODIDE / name).read_bytes(),
            content_type=types.get(name.rpartition(".")[2], "application/octet-stream"),
            headers={"access-control-allow-origin": "*"},
        )

    everything = "https://cdn.jsdelivr.net/**"
    here.page.context.route(everything, lambda route: route.abort())
    box = here.box(one.name)
    assert here.outside == []
    assert here.press(box, "run") == "error"
    assert here.python == "failed"
    assert "cdn.jsdelivr.net blocked here" in here.text(box)
    here.page.context.unroute(everything)
    here.page.context.route(everything, answer)
    assert here.press(box, "run") == "error"
    assert "python_stdlib.zip: these are other bytes" in here.text(box)
    here.errors.clear()
    right = digests | {"python_stdlib.zip": DIGESTS["python_stdlib.zip"]}
    with_config(here, **WITHOUT_A_FOLDER, digests=right)
    assert here.press(box, "run") == "idle", here.text(box)
    assert here.python == "ready"
    assert {a.split("/")[2] for a in here.outside} == {"cdn.jsdelivr.net"}
    here.page.wait_for_function(ALL_HERE)
    here.page.context.set_offline(True)
    here.page.context.unroute(everything)
    figure = here.page.locator("#fig-failures")
    figure.locator("[data-action=look]").click()
    assert moves(here.page, figure)
    broken = "all => all.filter((one) => !one.complete || !one.naturalWidth).map((one) => one.src)"
    assert here.page.locator("article img").evaluate_all(broken) == []
    assert here.press(box, "run") == "idle", here.text(box)
    assert here.errors == []


KEPT = """async () => {
    const asked = (request) =>
        new Promise((done) => { request.onsuccess = () => done(request.result); });
    const base = await asked(indexedDB.open("touchbook"));
    const images = await asked(base.transaction("images").objectStore("images").getAll());
    return images.map((image) => image.length);
}"""


def test_a_second_start_takes_what_the_first_has_kept_and_the_game(waking):
    here, one = waking(LIGHT), find_cells(LIGHT)[0]
    said, games = [], []
    for _ in range(2):
        box = here.box(one.name)
        here.type(box, "import random\nprint('said', hash('x'), random.random())")
        here.press(box, "run")
        said.append(re.search(r"said (\S+) (\S+)", here.text(box)).groups())
        assert len(here.page.evaluate(KEPT)) == 1
        player = Player(here.page, "hanabi")
        player.start()
        games.append(player.text)
        if not said[1:]:
            player.click(as_convention(player.mirror()))
            assert player.text != games.pop()
            games.append(player.text)
            here.page.reload()
    (seeds, first), (again, second) = said
    assert seeds == again, "texts are hashed anew in each start from nothing"
    assert first != second
    assert games[0] == games[1]
    assert here.errors == []
