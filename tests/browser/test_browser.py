"""Every page of the built book in headless Chromium, as its readers meet it.

Pages come from the table of contents, so a new chapter is covered without a new test.
"""

import contextlib
import json
import re

import pytest

from book.tools.assignments import cells_of
from book.tools.chapters import CHAPTERS, named_pages
from book.tools.weight import LESSON_PIXELS
from tests.support.axe import NO_FADING, NONE_IN_DARK, faults_in_both_themes
from tests.support.built_pages import ROOT
from tests.support.chromium import heard
from tests.support.reader import LOW, PHONE, TYPESET
from touchbook.cell.needs import tries

PAGES = [*named_pages(), "genindex"]
NOTEBOOKS = [path for path in named_pages() if (ROOT / f"{path}.ipynb").exists()]
PYTHONS = re.compile(r"pyodide|\.whl$|worker\.js")  # what is asked for after a click only

pytestmark = pytest.mark.usefixtures("built_site")


# Other numbers of questions come once such a page is there, for none stands at its top.
LATER = {"book/nrpa", "book/review"}
LATE = """() => {
    const { loadEventStart } = performance.getEntriesByType("navigation")[0];
    return [...document.querySelectorAll("script.ask-variants")].map((script) => performance
        .getEntriesByName(new URL(script.dataset.beside, location).href)[0]?.startTime)
        .filter((start) => start < loadEventStart); }"""


@contextlib.contextmanager
def opened(browser, address, path, has_dark=False, **options):
    """A page in a context of its own, with a list of everything that went wrong on it."""
    context = browser.new_context(**options)
    faults, page = heard(context), context.new_page()
    ours = (address, "data:", f"blob:{address}")  # a page makes its dark pictures itself
    page.on("request", lambda r: r.url.startswith(ours) or faults.append(f"outside: {r.url}"))
    page.on("request", lambda r: PYTHONS.search(r.url) and faults.append(f"Python's: {r.url}"))
    page.on("response", lambda r: r.status >= 400 and faults.append(f"{r.status}: {r.url}"))
    if not has_dark:
        page.add_init_script(NONE_IN_DARK)
    runs = options.get("java_script_enabled", True)
    # To wait for "networkidle" after the load is for ever, about once in fifty times.
    page.goto(f"{address}/{path}", wait_until="networkidle" if runs else "load")
    page.wait_for_function(TYPESET)
    yield page, faults
    context.close()


@pytest.fixture(scope="module")
def visited(browser, address, path):
    """One page, read by the tests below in their order, and what went wrong on it so far."""
    with opened(browser, address, f"{path}.html", color_scheme="light") as (page, faults):
        yield page, faults


def turn(page, theme):
    """Turn a page to the light or the dark."""
    page.emulate_media(color_scheme=theme)
    page.wait_for_function("t => document.documentElement.dataset.theme === t", arg=theme)


def explorables(page):
    """The figures of `page` that have controls."""
    return page.locator("figure.explorable:has(script)").all()


def pass_all(page):
    """Pass every prediction that is open, so that no figure is covered."""
    # From the last, or those that are left would have other numbers.
    skips = page.locator("form.ask[data-state=open] [data-action=skip]")
    skips.evaluate_all("all => all.reverse().forEach((one) => one.click())")


@pytest.mark.parametrize("path", PAGES, scope="module")
def test_page_is_quiet_self_contained_and_complete(visited, path):
    page, faults = visited
    assert page.locator("img:not([alt])").count() == 0
    assert page.locator("article img[alt='']").count() == 0
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
    figures = [i for i in ids if i.startswith("fig-")]
    assert len(figures) == len(set(figures))
    assert page.locator(".math:not(:has(> math))").count() == 0, "a formula is not there"
    if path in LATER:
        assert page.evaluate(LATE) == []
    if path.removeprefix("book/") in CHAPTERS:
        height = page.evaluate("document.querySelector('article').scrollHeight")
        assert 1000 < height <= LESSON_PIXELS
    if path in NOTEBOOKS:
        sleeps(page, path)
    assert faults == []


def sleeps(page, path):
    """Python sleeps until a click, and the page says once what it costs."""
    cells = tries(cells_of(path.removeprefix("book/")))
    page.wait_for_function(
        "n => document.querySelectorAll('div.try .cm-content').length >= n", arg=len(cells)
    )
    assert page.locator("div.try").count() == len(cells)
    if not cells and page.locator("figure.board").count() == 0:  # such as questions that come back
        assert page.locator("html[data-python], .page-cost").count() == 0
        return
    assert page.evaluate("document.documentElement.dataset.python") == "asleep"
    assert re.search(r": 1\d MB, once", page.locator(".page-cost").inner_text())  # once


@pytest.mark.parametrize("path", PAGES, scope="module")
def test_accessibility(visited):
    page, faults = visited
    n_faults = len(faults)
    assert faults_in_both_themes(page) == []
    del faults[n_faults:]  # axe asks for style sheets, some where there are none


@pytest.mark.parametrize("path", named_pages(), scope="module")
def test_predictions_cover_figures_of_their_page_until_they_are_passed(visited, path):
    page, faults = visited
    asked = page.locator("form.ask:not(.review form)")
    wanted = {
        name
        for data in asked.evaluate_all("forms => forms.map((form) => form.dataset.truth)")
        for name in json.loads(data)["covers"]
    }
    covered = page.locator("[data-covered]")  # figures and boards
    ids = covered.evaluate_all("things => things.map((thing) => thing.id)")
    assert {re.sub("^(fig|board)-", "", name) for name in ids} == wanted
    assert page.locator("[data-covered] > :not(.explorable-cover):visible").count() == 0
    fit = "all => all.every((panel) => panel.scrollHeight <= panel.clientHeight)"
    assert page.locator(".explorable-cover").evaluate_all(fit), "the words do not fit"
    is_scored = asked.count() > 0 and not path.endswith("_workshop")
    assert page.locator(".ask-score").count() == is_scored
    assert page.locator("[inert]").count() == 0  # text is never covered
    assert page.get_by_label("Questions first").is_visible() == (asked.count() > 0)
    assert page.locator(".tag_hide-input details.hide:visible").count() == 0
    pass_all(page)
    assert covered.count() == 0
    if is_scored:
        words = page.locator(".ask-score").inner_text()
        assert words.endswith(f"({asked.count()} passed, 0 still open).")
    assert faults == []


# Frames come when a control is moved; then each goes to its first, second and last place.
CONTROLS = "document.querySelectorAll('figure.explorable:has(script) [data-name]')"
FETCH = f"{CONTROLS}.forEach((one) => one.dispatchEvent(new Event('input')))"
FETCHED = "() => !document.querySelector('figure.explorable:has(script) img[src*=\"/beside/\"]')"
MOVE_ALL = f"""() => [...{CONTROLS}].flatMap((control) => {{
    const own = control.closest("figure").querySelector("img");
    const others = () => [...document.querySelectorAll("figure.explorable:has(script) img")]
        .filter((img) => img !== own).map((img) => img.dataset.drawn + img.alt).join();
    const place = control.matches("select") ? "selectedIndex"
        : control.type === "checkbox" ? "checked" : "value";
    const [begun, before] = [control[place], others()];
    const go = (to) => {{
        control[place] = to;
        control.dispatchEvent(new Event("input"));
        return [own.dataset.drawn, own.alt];
    }};
    const last = JSON.parse(control.dataset.texts).length - 1;
    const [first, second, end] = [0, 1, last].map(go);
    const isSilent = first[1] === second[1] || first[1] === end[1];
    const isStill = first[0] === second[0] && first[0] === end[0] && place !== "checked";
    go(begun);
    const isWrong = isSilent || isStill || before !== others();
    return isWrong ? [`${{own.alt}}: ${{control.dataset.name}}`] : [];
}})"""


@pytest.mark.parametrize("path", named_pages(), scope="module")
def test_every_control_changes_picture_and_words_and_disturbs_no_other(visited):
    page, faults = visited
    page.evaluate(FETCH)
    page.wait_for_function(FETCHED)
    assert page.evaluate(MOVE_ALL) == []
    assert faults == []


GROUND = "getComputedStyle(document.body).backgroundColor"
CORNER = """async (img) => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [img.naturalWidth, img.naturalHeight];
    const context = canvas.getContext("2d");
    context.drawImage(img, 0, 0);
    const [red, green, blue] = context.getImageData(1, 1, 1, 1).data;
    return `rgb(${red}, ${green}, ${blue})`;
}"""


def test_pictures_are_as_dark_as_the_page_and_have_an_address(browser, address):
    with opened(browser, address, "book/index.html", True, color_scheme="dark") as (page, faults):
        figure = page.locator("figure.explorable").first
        dark, slider = figure.locator("img.in-dark"), figure.locator("input[type=range]")
        before = dark.get_attribute("src")
        assert dark.evaluate(CORNER) == page.evaluate(GROUND) == "rgb(18, 18, 18)"
        slider.press("ArrowRight")
        page.wait_for_function("old => document.querySelector('.in-dark').src !== old", arg=before)
        assert dark.evaluate(CORNER) == "rgb(18, 18, 18)"
        moved = dark.get_attribute("alt")
        page.reload()  # its address names the setting
        page.wait_for_function("alt => document.querySelector('.in-dark')?.alt === alt", arg=moved)
        page.emulate_media(color_scheme="light")
        light = figure.locator("img.as-drawn")
        assert light.get_attribute("src") == light.get_attribute("data-drawn")
        assert light.evaluate(CORNER) == page.evaluate(GROUND) == "rgb(255, 255, 255)"
        assert faults == []


# What a mistake of ours might let into a page; which directives of its policy stop it.
LET_IN = """async () => {
    const stopped = [];
    document.addEventListener("securitypolicyviolation", (e) => stopped.push(e.effectiveDirective));
    const script = Object.assign(document.createElement("script"), { textContent: "hacked = 1" });
    document.body.append(script);
    document.body.insertAdjacentHTML("beforeend", "<img src='data:,' onerror='hacked = 2'>");
    document.body.insertAdjacentHTML("beforeend", "<form action='/'><button>Send</button></form>");
    document.querySelector("form[action]").requestSubmit();
    await fetch("http://localhost:1/").catch(() => {});
    await new Promise((done) => setTimeout(done, 300));
    return [typeof hacked, ...stopped.sort()];
}"""


def test_what_gets_into_a_page_runs_nothing_and_sends_nothing(browser, address):
    with opened(browser, address, "book/index.html") as (page, _):
        stopped = ["connect-src", "form-action", "script-src-attr", "script-src-elem"]
        assert page.evaluate(LET_IN) == ["undefined", *stopped]
        assert page.url.endswith("/book/index.html")


# One of each kind of what takes the focus: of predictions that are open, and of all the rest.
IN_QUESTIONS = ["form.ask input[type=radio]", "form.ask input[type=text]", "form.ask button"]
ELSEWHERE = [
    ".explorable-control input[type=range]", ".explorable-control input[type=checkbox]",
    ".explorable-control select", ".explorable-control button",
    "div.try .cm-content", "div.try button",
    "figure.board svg [data-touch]", "figure.board button", "figure.board summary",
]  # fmt: skip
DRAWN = "() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 50)))"


def test_the_focus_of_the_keyboard_is_seen(browser, address):
    with opened(browser, address, "book/hanabi.html", color_scheme="light") as (page, _):
        page.add_style_tag(content=NO_FADING)
        page.locator("div.try .cm-content").first.wait_for()
        unseen = unseen_kinds(page, IN_QUESTIONS)
        pass_all(page)
        assert unseen + unseen_kinds(page, ELSEWHERE) == []


def unseen_kinds(page, kinds):
    """Those kinds whose first element looks the same with the focus and without it."""
    unseen = []
    for theme in ("light", "dark"):
        turn(page, theme)
        for kind in kinds:
            place = page.locator(kind).locator("visible=true").first
            page.keyboard.press("Tab")  # after the mouse, a focus by script would not be shown
            place.evaluate("e => { e.scrollIntoView({ block: 'center' }); e.focus(); e.blur(); }")
            page.evaluate(DRAWN)
            box = place.bounding_box()
            clip = {
                "x": box["x"] - 6, "y": box["y"] - 6,
                "width": box["width"] + 12, "height": min(box["height"] + 12, 300),
            }  # fmt: skip
            without = page.screenshot(clip=clip)
            place.focus()
            page.evaluate(DRAWN)
            if page.screenshot(clip=clip) == without:
                unseen.append(f"{kind}, {theme}")
    return unseen


PRESSED = "button, select, summary, input[type=range]"
# Tables, code and formulas whose right end a reader would have to find.
SLIDING = """() => [...document.querySelectorAll("article *")]
    .filter((one) => one.clientWidth > 100 && one.scrollWidth > one.clientWidth + 1
        && ["auto", "scroll"].includes(getComputedStyle(one).overflowX))
    .map((one) => one.textContent.trim().slice(0, 60))"""


@pytest.mark.parametrize("path", PAGES, scope="module")
def test_on_a_phone_nothing_scrolls_sideways_or_is_too_small_for_a_finger(visited, path):
    page, faults = visited
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    if path != "book/fifth_chapter":  # code to copy keeps its lines
        assert page.evaluate(SLIDING) == []
    widths = "all => all.map((figure) => figure.getBoundingClientRect().width)"
    assert max([0, *page.locator("figure.explorable").evaluate_all(widths)]) <= PHONE["width"]
    assert page.locator("article").locator(PRESSED).evaluate_all(LOW) == []
    assert faults == []


def test_without_script_frames_code_and_folded_answers_show_and_no_dead_controls(browser, address):
    path = "book/nrpa.html"
    with opened(browser, address, path, java_script_enabled=False) as (page, _):
        assert explorables(page)
        for figure in explorables(page):
            assert figure.locator("img").bounding_box()["height"] > 100
            assert not figure.locator(".explorable-controls").is_visible()
        assert page.locator("div.try").first.locator(".cell_input pre").inner_text().strip()
        assert page.locator("button[data-action]:visible, .explorable-cover").count() == 0
        asked = page.locator("form.ask:has(input[type=text])").first
        asked.locator("input").press("Enter")
        assert page.url == f"{address}/{path}"  # nothing is sent
        for is_open in (False, True):
            assert asked.locator(".ask-truth").is_visible() == is_open
            asked.locator("summary").click()


def test_print_shows_pictures_and_answers_without_controls_code_whole_and_folds_open(
    browser, address
):
    with opened(browser, address, "book/nrpa.html") as (page, _):
        page.locator("div.try .cm-content").first.wait_for()
        page.emulate_media(media="print")
        for figure in explorables(page):
            assert figure.locator("img").is_visible()
            assert not figure.locator(".explorable-controls").is_visible()
        n_asked = page.locator("form.ask").count()
        assert page.locator(".ask-truth:visible").count() == n_asked > 0
        assert page.locator("form.ask button:visible, .explorable-cover:visible").count() == 0
        assert page.locator("div.try .cell_input").first.is_visible()
        assert not page.locator("div.try .try-editor").first.is_visible()
        fold = page.locator("details.sd-dropdown", has_text="What happens").first
        assert fold.locator("p").last.bounding_box()["height"] > 10
        wide = "() => [...document.querySelectorAll('article *')].filter(e => e.offsetWidth > 0 &&"
        wide += " e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('div.math'))"
        assert page.evaluate(wide + ".map(e => e.className)") == []


def test_a_phone_opens_the_contents_of_a_page(browser, address):
    with opened(browser, address, "book/nrpa.html", viewport=PHONE) as (page, faults):
        page.locator(".secondary-toggle:visible").click()
        page.locator("dialog[open]").get_by_role("link", name="Nesting").click()
        assert page.url.endswith("nesting")  # it has two names
        assert faults == []
