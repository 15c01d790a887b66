"""Notebooks in one JupyterLab: ours holds what is asked and played, two of the book are read.

What could fail in the code of one chapter, nbval finds in all (`live_notebooks`). JupyterLab takes
many seconds for each notebook. So ours shows every mark of MyST that the two lack.
"""

import re

import nbformat
import numpy as np
import pytest

from tests.hanabi.test_board import as_convention
from tests.support.board_player import PATIENCE, Player
from tests.support.built_pages import ROOT
from tests.support.jupyter import OpenNotebook, jupyter_server, notebook_of

LESSON, WORKSHOP = "hanabi", "hanabi_workshop"
LINK = "[to 3](#fig-turn?k=3)"
MARKS = re.compile(r"\{[\w:-]+\}(?=`)|^(?::::+|```+)\{[\w:-]+\}|\$|^:\w+:", re.MULTILINE)
# One board of each kind, for in a kernel the frame is the same for all: one with lists, one that
# thinks, a bench with runs that were recorded.
BOARDS = {
    "hanabi": "hanabi.boards.table:HanabiBoard",
    "morpion": "nrpa.boards.morpion:MorpionBoard",
    "step": "btmm.boards.step:StepBoard",
}
ASKING = (
    "from touchbook.widgets import ask, explore, play, score\n"
    "ask('Is an *a* likely?', choices=['*yes*', 'no'], answer='no',\n"
    "    because='It is xyzzy.', name='likely', covers=['turn', 'other'])",
    "ask('How many?', answer=0.25, tolerance=0.1, unit='cards', because='Counted.',\n"
    "    covers='turn')",
    "def axes(fig): fig.subplots().set(xlim=(0, 10), ylim=(0, 10), xlabel='pull')\n"
    "ask('Where?', answer=(2, 7), tolerance=(2, 1), because='There.', picture=axes,\n"
    "    alt='Empty axes.', size=(4, 3))",
    "def turn(fig, k): fig.subplots().plot([0, k])\n"
    "explore(turn, alt=lambda k: f'Up to {k}.', size=(4, 3), k=[1, 2, 3])",
    "explore(turn, name='other', alt=lambda k: f'Up to {k}.', size=(4, 3), k=[1, 2])",
    "score()",
)


def rare_cells():
    """Cells of the other notebooks whose marks stand in neither of the two, nor in each other."""
    others = sorted({path.stem for path in (ROOT / "book").glob("*.ipynb")} - {LESSON, WORKSHOP})
    seen, rare = set(), []
    for name in (LESSON, WORKSHOP, *others):
        for cell in nbformat.read(ROOT / "book" / f"{name}.ipynb", as_version=4).cells:
            marks = {*MARKS.findall(cell.source)} if cell.cell_type == "markdown" else set()
            if marks - seen and name in others:
                rare.append(cell.source)
            seen |= marks
    assert len(seen) > 10
    return rare


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Address and token of a JupyterLab with the book's notebooks, and two of ours."""
    folder = tmp_path_factory.mktemp("jupyter")
    boards = [f"play('gameai_book.{board}')" for board in BOARDS.values()]
    with jupyter_server(folder) as server:
        ours = notebook_of("ours", *ASKING, *boards)
        ours.cells[1:1] = [nbformat.v4.new_markdown_cell(words) for words in [LINK, *rare_cells()]]
        nbformat.write(ours, folder / "book" / "ours.ipynb")
        # One kernel for each notebook: two pages that run it would take it from each other.
        nbformat.write(notebook_of("seven", *ASKING), folder / "book" / "seven.ipynb")
        yield server


@pytest.fixture(scope="module")
def lab(browser, server):
    """A JupyterLab in which one notebook after the other is looked at, ours first."""
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    lab = OpenNotebook(context.new_page(), *server, "ours")
    lab.page.set_default_timeout(PATIENCE)
    shows_no_marks(lab)
    lab.run_all(uncover=False, shows="figure.board[data-state=ready]")
    yield lab
    context.close()


@pytest.fixture
def ours(lab):
    """Our notebook, run; nothing may go wrong in it."""
    lab.turn_to("ours")
    yield lab
    assert lab.errors == lab.asked == []


def shows_no_marks(notebook):
    """MyST has made something of everything; citations are filled in one frame later."""
    assert notebook.raw_marks == []
    notebook.page.wait_for_function("!document.querySelector('[title=\"Citation Not Found\"]')")


def move(notebook, face):
    """Press a key on a slider; a new picture and new words must come."""
    picture, words = notebook.shown(face)
    handle = face.locator(".noUi-handle").first
    at, end = (handle.get_attribute(f"aria-value{of}") for of in ("now", "max"))
    handle.press("ArrowLeft" if at == end else "ArrowRight")
    notebook.page.wait_for_function(
        """([face, picture, words]) => face.querySelector("img").getAttribute("src") !== picture
            && face.querySelector("figcaption").innerText !== words""",
        arg=[face.element_handle(), picture, words],
    )


@pytest.mark.parametrize("board", BOARDS)
def test_a_board_is_played_and_taken_back(ours, board):
    player = Player(ours.page, board)
    player.start()
    player.begin_anew()
    choose = {"hanabi": lambda session, _rng: as_convention(session)}.get(board)
    for how in (player.click, player.key):
        n_moves = player.play(np.random.default_rng(15), 4, how, choose)
        assert n_moves > 0
    assert player.text == player.session.text
    if player.agree()["can_undo"]:
        player.press("undo")
        player.session.answer({"do": "undo"})
        player.agree()


def test_keys_in_a_field_are_no_commands_of_jupyterlab(ours):
    player = Player(ours.page, "morpion")
    player.start()
    n_cells = ours.page.locator(".jp-Cell").count()
    player.load("")
    player.figure.locator("textarea").click()
    ours.page.keyboard.type("ddabxx")
    assert player.figure.locator("textarea").input_value() == "ddabxx"
    assert ours.page.locator(".jp-Cell").count() == n_cells


def test_predictions_are_held_against_the_reader(ours):
    page = ours.page
    likely, number, point = (page.locator("form.ask").nth(i) for i in range(3))
    assert page.locator("figure.explorable").count() == 0
    assert not likely.get_by_text("xyzzy").is_visible()
    likely.get_by_label("yes", exact=True).check()
    likely.locator("[data-action=commit]").click()
    likely.get_by_text("Wrong.").wait_for()
    assert "The answer: no. It is xyzzy." in likely.inner_text()
    page.locator("#fig-other img").wait_for()  # the kernel knows
    assert page.locator("#fig-turn img").count() == 0
    number.locator("input").fill("1/4")
    number.locator("input").press("Enter")
    number.get_by_text("Right.").wait_for()
    page.locator("#fig-turn img").wait_for()
    point.locator(".ask-point").click(position={"x": 160, "y": 150})
    point.get_by_text("Your point: pull: ").wait_for()
    page.keyboard.press("ArrowLeft")
    point.locator("[data-action=skip]").click()
    point.locator(".ask-ring").wait_for()
    page.get_by_text("You predicted 1 of 3 right (1 passed, 0 still open).").wait_for()
    page.get_by_role("button", name="Start over").click()
    page.locator(".explorable-cover").first.wait_for()
    assert page.locator("#fig-turn img").count() == 0
    assert likely.get_by_label("yes", exact=True).is_enabled()
    ours.uncover()
    page.get_by_text("You predicted 0 of 3 right (2 passed, 1 still open).").wait_for()
    page.evaluate("document.body.dataset.jpThemeLight = 'false'")  # as a dark theme does
    for picture in (page.locator("#fig-turn"), point):
        picture.locator("img.in-dark").wait_for()
    page.evaluate("document.body.dataset.jpThemeLight = 'true'")


def test_each_kind_of_thing_has_its_own_style_whichever_was_shown_last(ours):
    output = ours.visible.locator
    ink = "all => all.map((e) => getComputedStyle(e).getPropertyValue('--board-ink'))"
    assert all(output("figure.board").evaluate_all(ink))
    paddings = "all => all.map((e) => getComputedStyle(e).paddingLeft)"
    assert "0px" not in output("form.ask").evaluate_all(paddings)


def test_the_picture_follows_the_keyboard_a_dragged_slider_and_a_link(ours):
    ours.uncover()
    page, face = ours.page, ours.faces.first
    image = face.locator("figure.explorable img")
    image.wait_for()
    most = float(face.locator("figure.explorable").evaluate("f => parseFloat(f.style.maxWidth)"))
    assert image.bounding_box()["width"] <= most
    move(ours, face)
    face.evaluate("face => face.scrollIntoView({ block: 'center' })")
    page.wait_for_timeout(500)
    box = face.locator(".noUi-target").bounding_box()
    face.locator(".noUi-handle").hover()
    page.mouse.down()
    seen = {ours.shown(face)}
    for share in 5 * (0.0, 0.5, 1.0):  # a busy machine may need to be dragged to and fro
        page.mouse.move(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
        page.wait_for_timeout(300)
        seen.add(ours.shown(face))
    assert len(seen) > 2  # the button is still down
    page.mouse.move(box["x"], box["y"] + box["height"] / 2)
    page.mouse.up()
    page.locator('a[href*="#fig-turn?k=3"]').first.click()
    face.get_by_text("Up to 3.").wait_for()


def test_links_of_which_myst_knows_nothing_lead_on_and_solutions_are_folded(lab):
    page = lab.page
    lab.turn_to(LESSON)
    shows_no_marks(lab)
    lab.visible.locator(".myst a.hover-link", has_text="damping").first.click()
    page.get_by_role("tab", name="glossary.md").wait_for()
    page.get_by_role("tab", name=f"{LESSON}.ipynb").click()
    lab.visible.locator(".myst a.hover-link", has_text="BAD").first.click()
    heading = page.locator(".jp-Notebook:visible h2", has_text="BAD, in short")
    heading.wait_for(timeout=90_000)  # as long as any notebook may take to open
    assert 0 <= heading.bounding_box()["y"] < 1000
    lab.turn_to(WORKSHOP)
    shows_no_marks(lab)
    cells = lab.visible
    solution = cells.get_by_text("Solution to Exercise 3", exact=False).first
    code = cells.locator(".jp-CodeCell", has_text="rng5.choice")
    code.wait_for(state="hidden")
    solution.click()
    code.wait_for(state="visible")
    first = cells.locator(".jp-CodeCell").first
    assert first.locator(".jp-InputPlaceholder").is_visible()
    assert not first.locator(".cm-content").is_visible()
    assert lab.errors == lab.asked == lab.raw_marks == []


def test_notebook_7_shows_the_same(browser, server):
    context = browser.new_context()
    notebook = OpenNotebook(context.new_page(), *server, "seven", app="notebook")
    assert notebook.raw_marks == []
    notebook.run_all()
    move(notebook, notebook.faces.first)
    assert notebook.errors == []
    context.close()
