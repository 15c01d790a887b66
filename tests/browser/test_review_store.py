"""What a reader has done, in Chromium: kept, damaged, taken along, and refused."""

import json

import pytest

from tests.support.built_pages import SITE
from tests.support.serving import served
from tests.support.visitor import OPEN, give, question_of, sit

pytestmark = pytest.mark.usefixtures("built_site")

STORE = "() => JSON.stringify(Object.entries(localStorage).sort())"
KIND = "what a reader has done in a book made with touchbook"


def test_two_tabs_keep_what_is_answered_in_each_and_the_later_answer(visitor):
    here = visitor()
    one, two = here.open("ntbea"), here.open("ntbea")
    give(question_of(one, "star"), "right")
    give(question_of(two, "few-or-many"), "wrong")
    give(question_of(one, "unseen"), "right")
    give(question_of(two, "unseen"), "wrong")
    for page in (one, two):
        page.reload()
        asked = [question_of(page, name) for name in ("star", "few-or-many", "unseen")]
        assert [one.get_attribute("data-state") for one in asked] == ["right", "wrong", "wrong"]
    here.wait(1)
    one, two = here.open("review"), here.open("review")
    assert len(sit(one)) == len(sit(two)) == 3
    assert here.due() == 0


FORBIDDEN = """Object.defineProperty(window, "localStorage",
    { get() { throw new DOMException("not here", "SecurityError"); } });"""


def test_where_nothing_can_be_kept_all_works_and_the_page_says_so(visitor):
    here = visitor()
    here.context.add_init_script(FORBIDDEN)
    give(question_of(here.open("ntbea"), "star"), "right")
    page = here.open("review")
    assert "keeps nothing for this page" in page.locator(".review-warning").inner_text()
    assert len(sit(page)) == 6
    page.locator("[data-action=take]").click()
    assert page.get_by_text("There is nothing to take along").is_visible()
    said = bring(page, file_of({"asked:ntbea.html:star": "{}"}))
    assert "full or switched off. Nothing was changed." in said
    # The theme complains of a store that is forbidden.
    here.faults = [one for one in here.faults if "touch.js" in one]


def file_of(kept, book="gameai"):
    """The text of a file that was taken along."""
    return json.dumps({"kind": KIND, "book": book, "kept": kept})


def bring(page, text):
    """Bring a file back; gives what the page says of it."""
    said = page.locator(".review-luggage [role=status]")
    said.evaluate("one => { one.textContent = ''; }")
    file = {"name": "mine.json", "mimeType": "application/json", "buffer": text.encode()}
    page.locator(".review-luggage input").set_input_files(file)
    page.wait_for_function("() => document.querySelector('.review-luggage > p + p').textContent")
    return said.inner_text()


DAMAGED = ["{", '{"key": {}, "said": [], "step": "x", "at": "y", "id": 3}']
ALL_KINDS = """text => { for (const name of ["asked:/book/ntbea.html:star", "all:due:ntbea:star",
    "here:/book/ntbea.html:place", "passed:/book/ntbea_workshop.html:ntbea-exercise-games",
    "touched:/book/ntbea.html:arms", "played:/book/ntbea.html:arms", "all:questions", "all:code",
    ...[...document.querySelectorAll("div.try")].map((one) =>
        `typed:${location.pathname}:${one.dataset.cell ?? one.dataset.exercise}`)])
    localStorage.setItem(`gameai:${name}`, text); }"""


def test_what_is_damaged_harms_nothing_else(visitor):
    here = visitor()
    page, workshop = here.open("ntbea"), here.open("ntbea_workshop")
    give(question_of(page, "unseen"), "right")
    for text in DAMAGED:
        for one in (page, workshop):
            one.evaluate(ALL_KINDS, text)
        for one in (page, workshop):
            one.reload()
            one.locator("div.try .cm-content").first.wait_for()
        assert question_of(page, "star").get_attribute("data-state") == "open"
        assert question_of(page, "unseen").get_attribute("data-state") == "right"
        assert here.due() <= 1
        review = here.open("review")
        review.locator("[data-action=begin]").click()
        review.locator(OPEN).wait_for()
        review.close()


def test_what_was_done_goes_along_to_another_address(visitor, tmp_path):
    here = visitor()
    page = here.open("ntbea")
    give(question_of(page, "star"), "right")
    give(question_of(page, "few-or-many"), "passed")
    question_of(page, "pairs-pay").scroll_into_view_if_needed()
    page.wait_for_function(
        "() => Object.keys(localStorage).some((key) => key.startsWith('gameai:here'))"
    )
    page = here.open("review")
    with page.expect_download() as kept:
        page.locator("[data-action=take]").click()
    text = kept.value.path().read_text(encoding="utf-8")
    (tmp_path / "touch").symlink_to(SITE)  # at another address, in another folder
    with served(tmp_path) as address:
        there = visitor(f"{address}/touch")
        assert bring(there.open("review"), text).startswith("The file brought 5 things")
        asked = there.open("ntbea").locator(".ask:not([data-state=open])").all()
        assert [one.get_attribute("data-state") for one in asked] == ["right", "passed"]
        assert "Go on with" in there.open("index").locator(".progress-on").inner_text()
        there.wait(1)
        assert len(sit(there.open("review"))) == 2


EVIL = "<img src=x onerror='window.isHacked = true'>"
PLACE = json.dumps({"id": EVIL, "title": EVIL, "at": 1})


def test_hostile_files_change_nothing_and_no_html_runs(visitor):
    here = visitor()
    page = here.open("review")
    before = page.evaluate(STORE)
    assert bring(page, file_of({}, EVIL)).endswith("Nothing was changed.")
    assert page.evaluate(STORE) == before
    names = ["all:due:ntbea:star", "asked:ntbea.html:star", "typed:ntbea.html:x", "all:questions"]
    bring(page, file_of(dict.fromkeys(names, EVIL) | {"here:ntbea.html:place": PLACE}))
    for name in ("index", "ntbea", "review"):
        page = here.open(name)
        page.wait_for_load_state("networkidle")
        assert page.evaluate("window.isHacked ?? document.querySelector('[onerror]')") is None
