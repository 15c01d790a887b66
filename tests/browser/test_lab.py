"""Notebooks in a real JupyterLab: three are opened; one runs whole, its figure moved by every hand.

What could fail in the code of one chapter alone, nbval finds in all (`live_notebooks`). JupyterLab
takes many seconds for each notebook, so those are opened that hold every mark of MyST there is.
"""

import re

import nbformat
import pytest

from tests.support.built_pages import ROOT
from tests.support.chromium import CHROMIUM
from tests.support.jupyter import OpenNotebook

NOTEBOOKS = sorted(path.stem for path in (ROOT / "book").glob("*.ipynb"))
RUN_WHOLE = "hanabi"
SHOWN = ["hanabi_workshop", "ntbea"]
MARKS = re.compile(r"\{[\w:-]+\}(?=`)|^(?::::+|```+)\{[\w:-]+\}|\$|^:\w+:", re.MULTILINE)

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium installed"),
]


ASKING = (
    "from touchbook.widgets import ask, explore, score\n"
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


@pytest.fixture
def page(browser):
    """A page in a context of its own."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    yield context.new_page()
    context.close()


def move(notebook, face, control, key):
    """Press a key on a control; a new picture and new words must come."""
    picture, words = notebook.shown(face)
    control.focus()
    notebook.page.keyboard.press(key)
    for _ in range(100):
        notebook.page.wait_for_timeout(50)
        new_picture, new_words = notebook.shown(face)
        if new_picture != picture and new_words != words:
            return
    raise AssertionError(f"{face.locator('figure').get_attribute('id')}: {key} changes nothing")


def shows_no_marks(notebook):
    """MyST has made something of everything; citations are filled in one frame later."""
    assert notebook.raw_marks == []
    notebook.page.wait_for_function("!document.querySelector('[title=\"Citation Not Found\"]')")


def leads_on(notebook):
    """Links to a term and to the workshop, of which MyST knows nothing, open what they name."""
    page = notebook.page
    page.locator(".myst a.hover-link", has_text="winner's curse").first.click()
    page.get_by_role("tab", name="glossary.md").wait_for()
    page.get_by_role("tab", name="ntbea.ipynb").click()
    page.locator(".myst a.hover-link", has_text="How many games").first.click()
    heading = page.locator(".jp-Notebook:visible h2", has_text="How many games until you know?")
    heading.wait_for(timeout=90_000)  # as long as any notebook may take to open
    assert 0 <= heading.bounding_box()["y"] < 900
    # A kernel that is left while it starts is "starting" to whoever opens the notebook next.
    notebook.wait_for_kernel("ntbea_workshop")


def folds(notebook):
    """Solutions are folded, and cells that the book folds."""
    cells = notebook.visible
    solution = cells.get_by_text("Solution to Exercise 3", exact=False).first
    code = cells.locator(".jp-CodeCell", has_text="rng5.choice")
    code.wait_for(state="hidden")
    solution.click()
    code.wait_for(state="visible")
    solution.click()
    code.wait_for(state="hidden")
    first = cells.locator(".jp-CodeCell").first
    assert first.locator(".jp-InputPlaceholder").is_visible()
    assert not first.locator(".cm-content").is_visible()
    assert notebook.raw_marks == []


def test_every_mark_of_any_notebook_is_in_one_that_is_opened():
    marks = {}
    for name in NOTEBOOKS:
        cells = nbformat.read(ROOT / "book" / f"{name}.ipynb", as_version=4).cells
        words = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
        marks[name] = {mark.lstrip(":`") for mark in MARKS.findall(words)}
    assert len(set().union(*marks.values())) > 10
    opened = set().union(*(marks[name] for name in [RUN_WHOLE, *SHOWN]))
    assert {name: found - opened for name, found in marks.items() if found - opened} == {}


@pytest.fixture(scope="module")
def lab(browser, server):
    """A JupyterLab in which one notebook after the other is looked at."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    yield OpenNotebook(context.new_page(), *server, SHOWN[0])
    context.close()


@pytest.mark.parametrize(
    ("name", "does"), [("hanabi_workshop", folds), ("ntbea", leads_on)], ids=SHOWN
)
def test_is_shown_as_it_is_meant(lab, name, does):
    lab.turn_to(name)
    shows_no_marks(lab)
    does(lab)
    assert lab.errors == []
    assert lab.asked == []


@pytest.fixture(scope="module")
def ran(browser, server):
    """A notebook that was run whole."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    notebook = OpenNotebook(context.new_page(), *server, RUN_WHOLE)
    shows_no_marks(notebook)
    notebook.run_all()
    yield notebook
    context.close()


def test_it_runs_whole_and_every_figure_obeys_the_keyboard(ran):
    notebook, page = ran, ran.page
    assert page.locator('[data-mime-type="application/vnd.jupyter.error"]').count() == 0
    assert page.locator('[data-mime-type="application/vnd.jupyter.stderr"]').all_inner_texts() == []
    assert notebook.faces.count() > 0
    # Each kind of thing has its own style, whichever was shown last.
    ink = "all => all.map((e) => getComputedStyle(e).getPropertyValue('--board-ink'))"
    assert all(page.locator("figure.board").evaluate_all(ink))
    paddings = "all => all.map((e) => getComputedStyle(e).paddingLeft)"
    assert "0px" not in page.locator("form.ask").evaluate_all(paddings)
    for i in range(notebook.faces.count()):
        face = notebook.faces.nth(i)
        figure, image = face.locator("figure.explorable"), face.locator("figure.explorable img")
        most = float(figure.evaluate("f => parseFloat(f.style.maxWidth)"))
        assert image.bounding_box()["width"] <= most
        controls = list(notebook.controls(face))
        assert controls
        for control, key in controls:
            move(notebook, face, control, key)
    assert notebook.errors == []
    assert notebook.asked == []


def test_the_picture_follows_a_dragged_slider_and_ends_where_it_ends(ran):
    notebook, page = ran, ran.page
    face = notebook.faces.filter(has=page.locator("#fig-failures"))
    # Running all cells ends at the last; a reader scrolls back.
    face.evaluate("face => face.scrollIntoView({ block: 'center' })")
    page.wait_for_timeout(500)
    box = face.locator(".noUi-target").bounding_box()
    handle = face.locator(".noUi-handle").bounding_box()
    y = handle["y"] + handle["height"] / 2
    page.mouse.move(handle["x"] + handle["width"] / 2, y)
    page.mouse.down()
    seen, shares = {notebook.shown(face)}, (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
    for share in 5 * shares:  # a busy machine may need to be dragged to and fro
        page.mouse.move(box["x"] + share * box["width"], y)
        page.wait_for_timeout(300)
        seen.add(notebook.shown(face))
        if len(seen) > 3 and share == shares[-1]:
            break
    assert len(seen) > 3  # the button is still down
    page.mouse.up()
    last = face.locator(".noUi-handle").get_attribute("aria-valuetext")
    page.wait_for_function(  # steps of a hundredth, from 0.05
        """step => {
            const words = document.querySelector("#fig-failures figcaption").innerText;
            return Math.round(100 * / w ([.\\d]+)/.exec(words)[1]) === 5 + Number(step);
        }""",
        arg=last,
    )


def test_a_link_moves_its_figure(ran):
    notebook, page = ran, ran.page
    face = notebook.faces.filter(has=page.locator("#fig-failures"))
    _, words = notebook.shown(face)
    page.locator('a[href*="#fig-failures?position=P2"]').first.click()
    page.wait_for_function(
        "old => document.querySelector('#fig-failures figcaption').innerText !== old", arg=words
    )
    assert "P2, slot 1" in notebook.shown(face)[1]


def test_predictions_are_held_against_the_reader(server, page):
    notebook = OpenNotebook(page, *server, "asking")
    notebook.run_all(uncover=False, shows="form.ask")
    likely, number, point = (page.locator("form.ask").nth(i) for i in range(3))
    assert page.locator("figure.explorable").count() == 0
    assert not likely.get_by_text("xyzzy").is_visible()
    likely.locator("[data-action=commit]").click()
    likely.get_by_text("Choose one of the answers first.").wait_for()
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
    notebook.uncover()
    page.get_by_text("You predicted 0 of 3 right (2 passed, 1 still open).").wait_for()
    page.evaluate("document.body.dataset.jpThemeLight = 'false'")  # as a dark theme does
    for picture in (page.locator("#fig-turn"), point):
        picture.locator("img.in-dark").wait_for()
    move(notebook, notebook.faces.first, *next(iter(notebook.controls(notebook.faces.first))))
    assert notebook.errors == []
    assert notebook.asked == []


def test_notebook_7_shows_the_same(server, page):
    notebook = OpenNotebook(page, *server, "seven", app="notebook")
    assert notebook.raw_marks == []
    notebook.run_all()
    face = notebook.faces.first
    move(notebook, face, *next(iter(notebook.controls(face))))
    assert notebook.errors == []
