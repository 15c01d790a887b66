"""Predictions on a page, in Chromium: committed, passed, remembered, and what they cover."""

from pathlib import Path

import pytest

import touchbook.page
from tests.support.axe import faults_in_both_themes
from tests.support.chromium import heard
from tests.support.js_fixtures import FIGURES, QUESTIONS, STILL
from tests.support.reader import PHONE
from tests.support.serving import served
from touchbook.script import page_script, styles

SCRIPT = Path(touchbook.page.__file__).with_name("page.js")
LIKELY, CARDS, _, WHERE, *_ = QUESTIONS
PARTS = (LIKELY, CARDS, FIGURES["turn"], STILL, WHERE)
SCORE = '<div class="ask-score-box"><p class="ask-score">No score.</p></div>'


PAGE = """<!doctype html><html lang="en" data-theme="light"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Asks</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="touch.css">
<script defer src="touch.js"></script>
<style>html[data-theme=dark] { background: #121212; color: #eee; --pst-color-text-base: #eee;
--pst-color-surface: #222; --pst-color-border: #888; }
html[data-theme=dark] a { color: #9cc2ff; }</style></head>
<body><main><h1>Asks</h1><p><a id="jump" href="#fig-turn?k=3">to 3</a></p>"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The address of a page as the book's theme has it, reduced to what matters here."""
    folder = tmp_path_factory.mktemp("asks")
    (folder / "touch.js").write_text(page_script(SCRIPT), encoding="utf-8")
    (folder / "touch.css").write_text(styles(), encoding="utf-8")
    asks = "\n".join([*(part.html() for part in PARTS), SCORE])
    (folder / "page.html").write_text(f"{PAGE}{asks}</main></body></html>", encoding="utf-8")
    with served(folder) as address:
        yield f"{address}/page.html"


@pytest.fixture
def page(request, browser, site):
    """The page in a browser that has never seen it, with the options of a mark; it stays quiet."""
    context = browser.new_context(**getattr(request, "param", {}))
    faults, page = heard(context), context.new_page()
    page.goto(site)
    yield page
    context.close()
    assert faults == []


def form(page, name):
    """One prediction."""
    return page.locator(f"form.ask[data-ask={name}]")


def press(asked, action):
    """Press a button of a prediction."""
    asked.locator(f"button[data-action={action}]").click()


def test_with_the_keyboard_alone(page):
    for _ in range(3):  # the switch, the link, the question
        page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert form(page, "likely").get_attribute("data-state") == "right"
    assert page.evaluate("document.activeElement.className") == "ask-answer"
    page.keyboard.press("Tab")  # to take it again
    page.keyboard.press("Tab")
    page.keyboard.type("5")
    page.keyboard.press("Enter")
    assert form(page, "cards").get_attribute("data-state") == "wrong"
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.name") == "k"  # the figure's slider
    page.reload()
    states = page.locator("form.ask").evaluate_all("all => all.map((f) => f.dataset.state)")
    assert states == ["right", "wrong", "open"]


def is_covered(page, name):
    """Whether a panel lies over the figure, and all else is out of reach."""
    figure = page.locator(f"#fig-{name}")
    covered = figure.locator(".explorable-cover").count() == 1
    for part in ("img", "figcaption", "input"):
        for i in range(figure.locator(part).count()):
            assert figure.locator(part).nth(i).is_visible() != covered
    return covered


def test_a_cover_is_whole_leads_to_its_question_and_is_lifted_by_a_look(page):
    assert is_covered(page, "turn")
    page.locator("#fig-still .explorable-cover a").focus()
    page.keyboard.press("Enter")
    assert page.url.endswith("#ask-likely")
    page.locator("#jump").click()  # to a setting of a figure that is covered
    assert is_covered(page, "turn")
    assert page.evaluate("scrollY") > 0
    page.locator("#fig-turn [data-action=look]").focus()
    page.keyboard.press("Enter")
    assert not is_covered(page, "turn")
    assert not is_covered(page, "still")
    assert page.evaluate("document.activeElement.id") == "fig-turn"
    assert "Up to 3." in page.locator("#fig-turn figcaption").inner_text()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowLeft")
    assert "Up to 2." in page.locator("#fig-turn figcaption").inner_text()


def place_of(page, x, y):
    """Where a point of the axes lies on the screen."""
    return page.evaluate(
        """([x, y]) => {
          const form = document.querySelector("form[data-ask=where]");
          const { axes } = JSON.parse(form.dataset.truth);
          const picture = form.querySelector(".ask-picture");
          picture.scrollIntoView({ block: "center" });
          const box = picture.getBoundingClientRect();
          const share = ({ limits: [a, b], at: [c, d] }, v) => c + (v - a) / (b - a) * (d - c);
          return [box.x + share(axes[0], x) * box.width, box.y + share(axes[1], y) * box.height];
        }""",
        [x, y],
    )


def test_accessibility_before_the_answers_and_after(page):
    for is_done in (False, True):
        if is_done:
            form(page, "likely").get_by_label("less", exact=True).check()
            press(form(page, "likely"), "commit")
            press(form(page, "cards"), "commit")
            press(form(page, "where"), "skip")
        assert faults_in_both_themes(page, "main") == [], is_done


IS_BUTTON = "one => one.matches('button')"


@pytest.mark.parametrize("page", [{"viewport": PHONE, "has_touch": True}], indirect=True)
def test_a_phone_needs_no_scrolling_has_large_targets_and_sets_a_point_where_it_is_tapped(page):
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    for button in page.locator("button:visible, form.ask label:visible").all():
        assert button.bounding_box()["height"] >= (40 if button.evaluate(IS_BUTTON) else 24)
    asked = form(page, "where")
    page.touchscreen.tap(*place_of(page, 3.5, 7.4))
    for mark, point in (("cross", (3.5, 7.4)), ("ring", (0, 6))):  # the ring is 2 and 1 wide
        left, top = place_of(page, *point)  # it scrolls there
        box = asked.locator(f".ask-{mark}").bounding_box()
        assert (box["x"], box["y"]) == (pytest.approx(left, abs=2), pytest.approx(top, abs=2))
        press(asked, "commit") if mark == "cross" else None
    assert asked.get_attribute("data-state") == "right"
