"""Predictions on a page, in Chromium: committed, passed, remembered, and what they cover."""

import contextlib
from pathlib import Path

import pytest

import touchbook.page
from tests.support.chromium import CHROMIUM
from tests.support.serving import served
from touchbook.script import page_script, styles
from touchbook.widgets import ask, explore, picture, score

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium installed"),
]

SCRIPT = Path(touchbook.page.__file__).with_name("page.js")


def turn(fig, k):
    """A figure with a slider."""
    fig.subplots().plot([0, k])


def axes(fig):
    """Ten units each way, y downwards as in a picture of pixels."""
    fig.subplots().set(xlim=(0, 10), ylim=(10, 0), xlabel="pull", ylabel="mean")


def likely(**options):
    """A choice that covers a figure."""
    return ask(**{
        "question": "Is an *a* more or less likely than ½?", "answer": "less",
        "choices": ["*much* more", "less", "neither"], "because": "It is 0.2.",
        "name": "likely", "covers": ["turn", "still"], **options,
    })  # fmt: skip


def body(**options):
    """Three predictions, the figures that they cover, and a score."""
    parts = [
        likely(**options),
        ask("How many cards?", answer=0.3, tolerance=0.1, unit="cards", because="Counted.",
            name="cards", covers="turn"),
        explore(turn, alt=lambda k: f"Up to {k}.", title="Turns.", size=(4, 3), k=[1, 2, 3]),
        picture(lambda fig: turn(fig, 1), name="still", alt="A line.", size=(4, 1)),
        ask("Where is the best?", answer=(2, 7), tolerance=(2, 1), because="There.", name="where",
            picture=axes, alt="Empty axes.", size=(4, 3)),
    ]  # fmt: skip
    return "\n".join(part.html() for part in parts) + SCORE


SCORE = '<div class="ask-score-box"><p class="ask-score">No score.</p></div>'


def test_the_score_of_this_page_is_that_of_the_book(monkeypatch, tmp_path):
    monkeypatch.setenv("TOUCHBOOK_PROGRESS", str(tmp_path / "log"))
    shape = score()._repr_mimebundle_()["text/html"].split(">")
    assert shape[:2] == SCORE.split(">")[:2]


def page_of(content):
    """A whole page as the book's theme has it, reduced to what matters here."""
    return (
        '<!doctype html><html lang="en" data-theme="light"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><title>Asks</title>'
        '<link rel="stylesheet" href="touch.css"><script defer src="touch.js"></script>'
        "<style>html[data-theme=dark] { background: #121212; color: #eee; "
        "--pst-color-text-base: #eee; --pst-color-surface: #222; --pst-color-border: #888; }"
        "html[data-theme=dark] a { color: #9cc2ff; }</style>"
        f'</head><body><main><h1>Asks</h1><p><a id="jump" href="#fig-turn?k=3">to 3</a></p>'
        f"{content}</main></body></html>"
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder with the page in two versions, and its address."""
    folder = tmp_path_factory.mktemp("asks")
    (folder / "touch.js").write_text(page_script(SCRIPT), encoding="utf-8")
    (folder / "touch.css").write_text(styles(), encoding="utf-8")
    (folder / "page.html").write_text(page_of(body()), encoding="utf-8")

    with served(folder) as address:
        yield folder, f"{address}/page.html"


@contextlib.contextmanager
def opened(browser, site, **options):
    """The page in a browser that has never seen it; it must stay quiet."""
    context = browser.new_context(**options)
    page = context.new_page()
    faults = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on(
        "console",
        lambda m: m.type in ("error", "warning") and "favicon" not in str(m.location)
        and faults.append(m.text),
    )  # fmt: skip
    page.goto(site[1])
    yield page
    context.close()
    assert faults == []


@pytest.fixture
def page(browser, site):
    """The page, never seen before."""
    with opened(browser, site) as page:
        yield page


def form(page, name):
    """One prediction."""
    return page.locator(f"form.ask[data-ask={name}]")


def press(asked, action):
    """Press a button of a prediction."""
    asked.locator(f"button[data-action={action}]").click()


def commit(page, name, choice):
    """Choose by label and commit."""
    asked = form(page, name)
    asked.get_by_label(choice, exact=True).check()
    press(asked, "commit")
    return asked


def words(asked):
    """What the answer says."""
    return asked.locator(".ask-answer").inner_text().split("\n")


def test_a_right_answer(page):
    asked = form(page, "likely")
    assert not asked.locator(".ask-truth").is_visible()
    commit(page, "likely", "less")
    assert [w for w in words(asked) if w] == [
        "✓ Right. You said: less.", "The answer: less. It is 0.2."
    ]  # fmt: skip
    assert asked.locator(".ask-answer").get_attribute("aria-live") == "polite"
    assert asked.locator("button:visible").all_inner_texts() == ["Ask me again"]
    assert asked.get_by_label("neither").is_disabled()


def test_a_wrong_answer_keeps_its_italics(page):
    asked = commit(page, "likely", "much more")
    assert words(asked)[0] == "✗ Wrong. You said: much more."
    assert asked.locator(".ask-verdict em").inner_text() == "much"


def test_show_me_instead(page):
    asked = form(page, "cards")
    press(asked, "skip")
    assert [w for w in words(asked) if w] == [
        "You passed.",
        "The answer: 0.3 cards, give or take 0.1. Counted.",
    ]


def test_a_commit_without_a_choice_says_so_and_changes_nothing(page):
    asked = form(page, "likely")
    press(asked, "commit")
    alert = asked.get_by_role("alert")
    assert alert.inner_text() == "Choose one of the answers first."
    assert asked.get_attribute("data-state") == "open"
    commit(page, "likely", "less")
    assert not alert.is_visible()


@pytest.mark.parametrize(
    ("said", "state"),
    [
        ("0.4", "right"), ("0.41", "wrong"), (" 30 % ", "right"), ("1/4", "right"),
        ("0,21", "right"), ("−0.3", "wrong"), ("0.2 cards", "right"), ("", "open"),
        ("x<b>y", "open"), ("1,500", "open"), ("1/0", "open"), ("1e999", "open"),
        ("Infinity", "open"), ("0x1", "open"),
    ],
)  # fmt: skip
def test_numbers_are_read(page, said, state):
    asked = form(page, "cards")
    asked.locator("input").fill(said)
    asked.locator("input").press("Enter")
    assert asked.get_attribute("data-state") == state
    if state == "open":
        alert = asked.get_by_role("alert").inner_text()
        assert (said in alert and "not a number" in alert) or alert == "Write a number first."
    else:
        assert words(asked)[0].startswith("✓ Right." if state == "right" else ("✗", "≈"))


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


def test_answers_survive_a_reload_and_cannot_be_changed(page):
    commit(page, "likely", "neither")
    press(form(page, "cards"), "skip")
    page.reload()
    asked = form(page, "likely")
    assert words(asked)[0] == "✗ Wrong. You said: neither."
    assert asked.get_by_label("neither").is_checked()
    assert asked.get_by_label("less").is_disabled()
    assert form(page, "cards").get_attribute("data-state") == "passed"
    assert form(page, "where").get_attribute("data-state") == "open"
    assert not is_covered(page, "turn")
    asked.evaluate("form => form.requestSubmit()")
    assert asked.get_attribute("data-state") == "wrong"


def test_another_question_under_the_same_name_is_open(browser, site):
    folder, _ = site
    with opened(browser, site) as page:
        commit(page, "likely", "neither")
        try:
            (folder / "page.html").write_text(page_of(body(question="Other?")), encoding="utf-8")
            page.reload()
            assert form(page, "likely").get_attribute("data-state") == "open"
            assert page.locator("form.ask :checked").count() == 0
        finally:
            (folder / "page.html").write_text(page_of(body()), encoding="utf-8")


def test_what_is_stored_may_be_anything(page):
    for stored in ("x", "5", "null", '{"key": "KEY", "said": 99}', '{"key": "KEY", "said": {}}'):
        page.evaluate(
            """stored => document.querySelectorAll("form.ask").forEach((form) => {
              const { key } = JSON.parse(form.dataset.truth);
              const name = `touchbook:asked:${location.pathname}:${form.dataset.ask}`;
              localStorage.setItem(name, stored.replace("KEY", key));
            })""",
            stored,
        )
        page.reload()
        states = page.locator("form.ask").evaluate_all("forms => forms.map(f => f.dataset.state)")
        assert states[0] == "open"
        assert len(states) == 3


def test_without_storage_answers_last_until_the_page_is_left(browser, site):
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } });"
    )
    page.goto(site[1])
    assert words(commit(page, "likely", "less"))[0].startswith("✓ Right.")
    assert "1 of 3 right" in page.locator(".ask-score").inner_text()
    context.close()


def is_covered(page, name):
    """Whether a panel lies over the figure, and all else is out of reach."""
    figure = page.locator(f"#fig-{name}")
    covered = figure.locator(".explorable-cover").count() == 1
    for part in ("img", "figcaption", "input"):
        for i in range(figure.locator(part).count()):
            assert figure.locator(part).nth(i).is_visible() != covered
    return covered


def test_a_figure_is_covered_until_all_its_predictions_are_done(page):
    assert is_covered(page, "turn")
    assert is_covered(page, "still")
    panel = page.locator("#fig-turn .explorable-cover")
    assert panel.locator("a").all_inner_texts() == [
        "Answer question 1 of 2", "Answer question 2 of 2"
    ]  # fmt: skip
    commit(page, "likely", "less")
    assert is_covered(page, "turn")
    assert not is_covered(page, "still")
    assert panel.locator("a").all_inner_texts() == ["Answer its question"]
    press(form(page, "cards"), "skip")
    assert not is_covered(page, "turn")


def test_one_switch_shows_everything_and_is_remembered(page):
    switch = page.get_by_label("Questions first")
    switch.focus()
    page.keyboard.press("Space")
    assert not is_covered(page, "turn")
    assert not is_covered(page, "still")
    assert page.locator(".ask-truth:visible").count() == 3
    page.reload()
    assert not switch.is_checked()
    assert not is_covered(page, "turn")
    switch.check()
    assert is_covered(page, "turn")
    assert page.locator(".ask-truth:visible").count() == 0
    page.locator("#fig-turn [data-action=everything]").click()
    assert not switch.is_checked()
    assert form(page, "likely").get_attribute("data-state") == "open"


def test_one_question_can_be_taken_again(page):
    asked = form(page, "cards")
    asked.locator("input").fill("0.45")
    press(asked, "commit")
    assert words(asked)[0].startswith("≈ Nearly, 0.15 cards away.")
    asked.get_by_role("button", name="Ask me again").click()
    assert asked.get_attribute("data-state") == "open"
    assert asked.locator("input").evaluate("one => one === document.activeElement")
    asked.locator("input").fill("0.3")
    press(asked, "commit")
    assert words(asked)[0].startswith("✓ Right.")


def test_the_panel_links_to_its_question(page):
    page.locator("#fig-still .explorable-cover a").focus()
    page.keyboard.press("Enter")
    assert page.url.endswith("#ask-likely")


def test_look_anyway_passes_and_moves_the_focus_to_the_figure(page):
    page.locator("#fig-turn [data-action=look]").focus()
    page.keyboard.press("Enter")
    assert not is_covered(page, "turn")
    assert page.evaluate("document.activeElement.id") == "fig-turn"
    assert form(page, "likely").get_attribute("data-state") == "passed"
    assert form(page, "cards").get_attribute("data-state") == "passed"
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    assert "Up to 2." in page.locator("#fig-turn figcaption").inner_text()


def test_a_link_to_a_setting_of_a_covered_figure(page):
    page.locator("#jump").click()
    assert is_covered(page, "turn")
    assert page.locator("#fig-turn .explorable-cover").is_visible()
    assert page.evaluate("scrollY") > 0
    page.locator("#fig-turn [data-action=look]").click()
    assert "Up to 3." in page.locator("#fig-turn figcaption").inner_text()


def test_the_score_counts_and_starts_over(page):
    box = page.locator(".ask-score-box")
    score = box.locator("p.ask-score")
    assert score.inner_text() == "You predicted 0 of 3 right (0 passed, 3 still open)."
    assert not box.locator("button").is_visible()
    commit(page, "likely", "less")
    press(form(page, "cards"), "skip")
    assert score.inner_text() == "You predicted 1 of 3 right (1 passed, 1 still open)."
    assert [a.get_attribute("href") for a in box.locator("a").all()] == ["#ask-where"]
    box.get_by_role("button", name="Start over").click()
    assert score.inner_text() == "You predicted 0 of 3 right (0 passed, 3 still open)."
    assert page.locator("form.ask :checked").count() == 0
    assert form(page, "likely").get_by_label("less").is_enabled()
    assert is_covered(page, "turn")
    page.reload()
    assert score.inner_text() == "You predicted 0 of 3 right (0 passed, 3 still open)."
    assert page.evaluate("localStorage.length") == 0


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


@pytest.mark.parametrize(("x", "y", "state"), [(3.5, 7.4, "right"), (2, 3, "wrong")])
def test_a_point_is_clicked(page, x, y, state):
    page.mouse.click(*place_of(page, x, y))
    asked = form(page, "where")
    left, top = place_of(page, x, y)
    cross = asked.locator(".ask-cross").bounding_box()
    assert (cross["x"], cross["y"]) == (pytest.approx(left, abs=2), pytest.approx(top, abs=2))
    assert not asked.locator(".ask-ring").is_visible()
    press(asked, "commit")
    assert asked.get_attribute("data-state") == state
    left, top = place_of(page, 0, 6)
    ring = asked.locator(".ask-ring").bounding_box()
    assert (ring["x"], ring["y"]) == (pytest.approx(left, abs=2), pytest.approx(top, abs=2))
    page.mouse.click(*place_of(page, 9, 9))
    assert asked.get_attribute("data-state") == state
    page.reload()
    assert words(asked)[0].startswith("✓" if state == "right" else "✗")
    assert asked.locator(".ask-cross").get_attribute("hidden") is None  # it has no size


def test_a_point_is_set_with_arrow_keys(page):
    asked = form(page, "where")
    press(asked, "commit")
    assert asked.get_by_role("alert").inner_text() == "Set your point on the picture first."
    target = asked.get_by_role("slider")
    assert page.evaluate("document.activeElement.className") == "ask-point"
    assert target.get_attribute("aria-valuetext") == "not set"
    target.press("ArrowLeft")  # sets it in the middle
    for key in ["Shift+ArrowLeft"] * 3 + ["Shift+ArrowDown"] * 2 + ["ArrowUp", "ArrowRight"]:
        target.press(key)
    assert target.get_attribute("aria-valuetext") == "pull: 2.1, mean: 6.9"
    press(asked, "commit")
    assert asked.get_attribute("data-state") == "right"


def test_without_script_answers_are_folded_and_nothing_is_covered(browser, site):
    with opened(browser, site, java_script_enabled=False) as page:
        assert page.locator("figure img").first.is_visible()
        assert page.locator("button:visible").count() == 0
        asked = form(page, "cards")
        assert not asked.locator(".ask-truth").is_visible()
        asked.locator("input").press("Enter")
        assert page.url == site[1]
        asked.locator("summary").click()
        assert asked.locator(".ask-truth").is_visible()
        assert page.locator(".ask-score").inner_text() == "No score."


def test_print_shows_everything(page):
    page.emulate_media(media="print")
    assert page.locator(".ask-truth:visible").count() == 3
    assert page.locator("figure img:visible").count() == 2
    assert page.locator("figure figcaption:visible").count() == 2
    assert page.locator("button:visible, .explorable-cover:visible").count() == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("is_done", [False, True])
def test_accessibility(page, theme, is_done):
    from axe_playwright_python.sync_playwright import Axe

    page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
    if is_done:
        commit(page, "likely", "less")
        press(form(page, "cards"), "commit")
        press(form(page, "where"), "skip")
    levels = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
    report = Axe().run(page, options={"runOnly": levels}).response
    assert [f"{v['id']}: {node['html']}" for v in report["violations"] for node in v["nodes"]] == []


IS_BUTTON = "one => one.matches('button')"


def test_a_phone_needs_no_scrolling_and_has_large_targets(browser, site):
    size = {"width": 390, "height": 844}
    with opened(browser, site, viewport=size, has_touch=True) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        for button in page.locator("button:visible, form.ask label:visible").all():
            assert button.bounding_box()["height"] >= (40 if button.evaluate(IS_BUTTON) else 24)
        x, y = place_of(page, 2, 7)
        page.touchscreen.tap(x, y)
        press(form(page, "where"), "commit")
        assert form(page, "where").get_attribute("data-state") == "right"
