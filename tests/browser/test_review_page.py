"""Questions that come back, in Chromium: what is due when, and how a sitting goes."""

import datetime
import json
import random

import pytest

from tests.support.axe import NO_FADING, faults_of
from tests.support.built_pages import SITE
from tests.support.chromium import CHROMIUM
from tests.support.reader import PHONE, WIDE
from tests.support.visitor import NINE, OPEN, give, question_of, sit, words

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium installed"),
    pytest.mark.skipif(not (SITE / "index.html").exists(), reason="build the book first"),
]

DAYS = [1, 7, 30, 90]  # to the next time, six hours less, for whoever comes early


def is_due(entry, now):
    """The rule: a day after it was met, then a week, a month and three months."""
    step, last = entry
    return now >= last + datetime.timedelta(DAYS[step], hours=-6)


def test_a_fortnight_and_a_year(visitor):
    here, rng, known = visitor(), random.Random(5), {}

    def chosen():
        return rng.choice(["right", "right", "right", "wrong", "passed"])

    read = {0: ("nrpa", 1), 1: ("ntbea", 8), 2: ("btmm", 1)}
    n_left = 0
    for day in [*range(16), 23, 30, 45, 46, 76, 170, 300]:
        hours = [0, 12, 0, 7][day % 4]
        now = NINE + datetime.timedelta(day, hours=hours)
        here.wait(day, hours)
        if day in read:
            chapter, n = read[day]
            page = here.open(chapter)
            for name in [one.get_attribute("data-ask") for one in page.locator(".ask").all()][:n]:
                give(question_of(page, name), chosen())
                known[f"{chapter}.html#ask-{name}"] = (0, now)
            page.close()
        due = [name for name in known if is_due(known[name], now)]
        assert here.due() == len(due), day
        page = here.open("review")
        while due:
            n_left += len(due) > 6
            assert f"{len(due)} question{'s are' if len(due) > 1 else ' is'} due." in words(page)
            given = sit(page, chosen)
            n = min(6, len(due))
            assert {name for name, _ in given[:n]} <= {*due}
            missed = [name for name, how in given[:n] if how != "right"]
            assert [name for name, _ in given[n:]] == missed  # once more, at the end
            for name, how in given[:n]:
                step = min(known[name][0] + 1, 3) if how == "right" else 0
                known[name] = (step, now)
            due = [name for name in due if is_due(known[name], now)]
            assert words(page).startswith(f"You had {n - len(missed)} of {n} right at once.")
        assert "Nothing is due. More come back" in words(page)
        page.close()
    assert n_left
    assert {step for step, _ in known.values()} >= {0, 3}


FOCUSED = """selector => document.activeElement !== document.body
    && document.activeElement.matches(selector)"""


def test_a_sitting_with_the_keyboard_alone(visitor):
    page = visitor().open("review")
    press = page.keyboard.press

    def tab_to(selector, most):
        for _ in range(most):
            press("Tab")
            assert page.evaluate("document.activeElement !== document.body")
            if page.evaluate(FOCUSED, selector):
                return
        raise AssertionError(selector)

    tab_to("[data-action=begin]", 80)
    for i in range(13):  # six questions, each twice at most, and the end
        press("Enter")
        page.wait_for_function(FOCUSED, arg=".review-place input, .review-words")
        if page.evaluate(FOCUSED, ".review-words"):
            break
        is_number = page.evaluate(FOCUSED, "[type=text]")
        page.keyboard.type("1") if is_number else press("ArrowDown" if i % 2 else "Space")
        press("Enter")
        assert page.evaluate(FOCUSED, ".ask-answer")
        tab_to("[data-action=next]", 1)
    assert "right at once" in words(page)
    tab_to("[data-action=begin]", 1)


LOW = """all => all.map((one) => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
    .filter(([, { width, height }]) => width && Math.min(width, height) < 23.9)"""


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_sitting_is_accessible_and_fits(visitor, size):
    here = visitor()
    page = here.open("review")
    page.set_viewport_size(size)
    page.add_style_tag(content=NO_FADING)

    def look():
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        pressed = page.locator(".review").locator("button, summary, a, .review-place label")
        assert pressed.evaluate_all(LOW) == []
        n_faults = len(here.faults)
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            page.wait_for_function("t => document.documentElement.dataset.theme === t", arg=theme)
            assert faults_of(page, ".review") == [], theme
        del here.faults[n_faults:]  # axe asks for style sheets, some where there are none

    look()
    page.locator("[data-action=begin]").click()
    page.locator(OPEN).wait_for()
    look()
    give(page.locator(".review-place form"), "wrong")
    look()
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((one) => one.id)")
    assert len(ids) == len({*ids})
    page.emulate_media(media="print")
    assert page.locator(".review button:visible, .review-words:visible").count() == 0
    assert page.locator(".review-one legend:visible").count() == 39
    assert page.locator(".review-one .ask-truth:visible").count() == 39


def test_without_scripts_it_is_a_list_with_folded_answers(visitor):
    page = visitor(java_script_enabled=False).open("review")
    assert page.locator("article button:visible").count() == 0
    n_asked = page.locator(".review-one legend:visible").count()
    assert n_asked == page.locator(".review-one summary:visible").count() == 39
    assert page.locator(".ask-truth:visible").count() == 0
    page.locator(".ask summary").first.click()
    assert page.locator(".ask-truth:visible").count() == 1


def test_an_answer_of_an_earlier_edition_stays_and_its_question_is_due(visitor):
    here = visitor()
    page = here.open("ntbea")
    key = json.loads(question_of(page, "unseen").get_attribute("data-truth"))["key"]
    kept = json.dumps({"key": key, "status": "right", "said": "0.25"})
    page.evaluate("t => localStorage.setItem('gameai:asked:/book/ntbea.html:unseen', t)", kept)
    assert here.due() == 1
    page.reload()
    assert question_of(page, "unseen").get_attribute("data-state") == "right"
    assert sit(here.open("review")) == [("ntbea.html#ask-unseen", "right")]


LATE = """() => {
    const { loadEventStart } = performance.getEntriesByType("navigation")[0];
    return [...document.querySelectorAll("script.ask-variants")].map((script) => performance
        .getEntriesByName(new URL(script.dataset.beside, location).href)[0].startTime)
        .filter((start) => start < loadEventStart); }"""


@pytest.mark.parametrize("name", ["nrpa", "review"])
def test_other_numbers_come_once_the_page_is_there(reader, name):
    page = reader(name).page
    page.wait_for_load_state("networkidle")
    assert page.evaluate(LATE) == []
