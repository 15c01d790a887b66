"""Questions that come back, in Chromium: what is due when, and how a sitting goes."""

import datetime
import random

import pytest

from tests.support.axe import faults_in_both_themes
from tests.support.reader import PHONE, WIDE
from tests.support.visitor import NINE, OPEN, give, question_of, sit, words

pytestmark = pytest.mark.usefixtures("built_site")

N_QUESTIONS = 48  # of all lessons
DAYS = [1, 7, 30, 90]  # to the next time, six hours less, for whoever comes early


def is_due(entry, now):
    """The rule: a day after it was met, then a week, a month and three months."""
    step, last = entry
    return now >= last + datetime.timedelta(DAYS[step], hours=-6)


def test_a_fortnight_and_a_year_in_a_tab_that_stays_open(visitor):
    here, rng, known = visitor(), random.Random(5), {}

    def chosen():
        return rng.choice(["right", "right", "right", "wrong", "passed"])

    page, n_left, steps = here.open("review"), 0, set()
    read = {0: ("nrpa", 1), 1: ("ntbea", 7)}
    for day in (0, 1, 2, 3, 9, 40, 46, 140):
        hours = [0, 12, 0, 7][day % 4]
        now = NINE + datetime.timedelta(day, hours=hours)
        if day in read:
            chapter, n = read[day]
            lesson = here.open(chapter)
            here.wait(day, hours)
            names = lesson.locator(".ask").evaluate_all("all => all.map((a) => a.dataset.ask)")
            for name in names[:n]:
                give(question_of(lesson, name), chosen())
                known[f"{chapter}.html#ask-{name}"] = (0, now)
            lesson.close()
        here.wait(day, hours)
        due = [name for name in known if is_due(known[name], now)]
        assert day not in (1, 140) or here.due() == len(due)
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
                steps.add(step)
            due = [name for name in due if is_due(known[name], now)]
            assert words(page).startswith(f"You had {n - len(missed)} of {n} right at once.")
        assert day == 0 or "Nothing is due. More come back" in words(page)
    assert n_left
    assert steps == {0, 1, 2, 3}
    here.wait(-200)  # a clock that jumps back loses nothing
    assert here.due() == 0
    here.wait(-100)
    assert here.due() == len(known)


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


def test_a_sitting_is_accessible_and_fits(visitor):
    here = visitor()
    page = here.open("review")

    def look():
        for size in (WIDE, PHONE):
            page.set_viewport_size(size)
            assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
            pressed = page.locator(".review").locator("button, summary, a, .review-place label")
            assert pressed.evaluate_all(LOW) == []
        n_faults = len(here.faults)
        assert faults_in_both_themes(page, ".review") == []
        del here.faults[n_faults:]  # axe asks for style sheets, some where there are none

    look()
    page.locator("[data-action=begin]").click()
    page.locator(OPEN).wait_for()
    look()
    give(page.locator(OPEN), "wrong")
    look()
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((one) => one.id)")
    assert len(ids) == len({*ids})
    page.emulate_media(media="print")
    assert page.locator(".review button:visible, .review-words:visible").count() == 0
    assert page.locator(".review-one legend:visible").count() == N_QUESTIONS
    assert page.locator(".review-one .ask-truth:visible").count() == N_QUESTIONS


def test_without_scripts_it_is_a_list_with_folded_answers(visitor):
    page = visitor(java_script_enabled=False).open("review")
    assert page.locator("article button:visible").count() == 0
    n_asked = page.locator(".review-one legend:visible").count()
    assert n_asked == page.locator(".review-one summary:visible").count() == N_QUESTIONS
    assert page.locator(".ask-truth:visible").count() == 0
    page.locator(".ask summary").first.click()
    assert page.locator(".ask-truth:visible").count() == 1
