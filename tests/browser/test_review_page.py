"""Questions that come back, in Chromium: what is due when, and how a sitting goes."""

import pytest

from tests.support.axe import faults_in_both_themes
from tests.support.reader import LOW, PHONE, WIDE
from tests.support.visitor import OPEN, give, question_of, sit, words

pytestmark = pytest.mark.usefixtures("built_site")

N_QUESTIONS = 48  # of all lessons


def test_what_is_due_after_days_in_a_tab_that_stays_open(visitor):
    """`review.test.js` has the rule: after a day, a week, a month and three months."""
    here = visitor()
    page, lesson = here.open("review"), here.open("ntbea")
    names = lesson.locator(".ask").evaluate_all("all => all.map((a) => a.dataset.ask)")[:7]
    for name in names:
        give(question_of(lesson, name), "right")
    addresses = {f"ntbea.html#ask-{name}" for name in names}
    here.wait(0.5)
    assert "Nothing is due. More come back" in words(page)
    here.wait(1)
    assert here.due() == 7
    assert "7 questions are due." in words(page)
    answers = iter(["wrong", "passed", *["right"] * 4])
    first = [name for name, _ in sit(page, lambda: next(answers))]
    assert first[6:] == first[:2]  # once more, at the end
    assert words(page).startswith("You had 4 of 6 right at once. 1 question is due.")
    assert {*first, *(name for name, _ in sit(page))} == addresses
    for days, n in ((2, 2), (9, 7), (-200, 0)):  # a clock that jumps back loses nothing
        here.wait(days)
        assert here.due() == n
    here.wait(-100)
    assert here.due() == 7


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
