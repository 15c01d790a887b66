"""A reader of the built book whose days pass at will, and who answers its questions."""

import datetime

from tests.support.chromium import heard
from tests.support.reader import WIDE

NINE = datetime.datetime(2026, 11, 28, 9)
OPEN = ".review-place form[data-state=open]"
ASKED_OR_OVER = f"() => document.querySelector('{OPEN}') ?? document.activeElement.matches('p')"
# Pages are told that they are seen again: a tab may stay open for days.
SEEN_AGAIN = "document.dispatchEvent(new Event('visibilitychange'))"
ANSWER = """(form, how) => {
    const { kind, answer } = JSON.parse(form.dataset.truth);
    const fields = form.querySelectorAll("input");
    if (kind === "choice") fields[(answer + (how === "wrong")) % fields.length].checked = true;
    else fields[0].value = how === "right" ? answer : "-98765";
    form.querySelector(`[data-action=${how === "passed" ? "skip" : "commit"}]`).click();
    return form.dataset.state;
}"""


class Visitor:
    """A reader with a browser of their own, whose pages must say nothing on the console."""

    def __init__(self, browser, address, options):
        self.context = browser.new_context(viewport=WIDE, **options)
        self.address, self.faults = address, heard(self.context)
        self.context.clock.set_fixed_time(NINE)

    def open(self, name):
        """A page of the book in a tab."""
        page = self.context.new_page()
        page.set_default_timeout(20_000)
        page.goto(f"{self.address}/book/{name}.html")
        return page

    def wait(self, days):
        """Come back so many days after nine in the morning of the first, to all open pages."""
        self.context.clock.set_fixed_time(NINE + datetime.timedelta(days))
        for page in self.context.pages:
            page.evaluate(SEEN_AGAIN)

    def due(self):
        """How many questions are due, as the first page says."""
        page = self.open("index")
        words = page.locator(".progress-box [href='review.html']").inner_text()
        page.close()
        return int(words.split()[-2].replace("none", "0"))


def give(form, how):
    """Answer a question right or wrong, or pass it."""
    assert form.evaluate(ANSWER, how) == how


def question_of(page, name):
    """A question of a lesson."""
    return page.locator(f"form.ask[data-ask={name}]")


def words(page):
    """What the page of questions says above them."""
    return page.locator(".review-words").inner_text()


def sit(page, choose=lambda: "right"):
    """Answer all of a sitting; gives its questions, and how each was answered, in order."""
    page.locator("[data-action=begin]").click()
    given = []
    while page.wait_for_function(ASKED_OR_OVER) and page.locator(OPEN).count():
        how = choose() if words(page).startswith("Question") else "right"
        give(page.locator(OPEN), how)
        given.append((page.locator(".review-buttons a").get_attribute("href"), how))
        page.locator("[data-action=next]").dispatch_event("click")
    return given
