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
    states = {"star": "right", "few-or-many": "wrong", "unseen": "wrong"}
    for page in (one, two):
        page.reload()
        assert {
            name: question_of(page, name).get_attribute("data-state") for name in states
        } == states
    here.wait(1)
    one, two = here.open("review"), here.open("review")
    assert len(sit(one)) == len(sit(two)) == 3
    assert here.due() == 0


FULL = """() => { for (let n = 1 << 22; n >= 1; n >>= 1) {
    try { for (let i = 0; ; i += 1) localStorage.setItem(`other:${n}:${i}`, "x".repeat(n)); }
    catch {} } }"""
FORBIDDEN = """Object.defineProperty(window, "localStorage",
    { get() { throw new DOMException("not here", "SecurityError"); } });"""


def test_where_nothing_can_be_kept_all_works_and_the_page_says_so(visitor):
    here = visitor()
    here.context.add_init_script(FORBIDDEN)
    give(question_of(here.open("ntbea"), "star"), "right")
    page = here.open("review")
    assert "keeps nothing for this page" in page.locator(".review-warning").inner_text()
    assert len(sit(page)) == 6
    said = page.locator(".review-luggage [role=status]")
    page.locator("[data-action=take]").click()
    assert "There is nothing to take along" in said.inner_text()
    bring(page, file_of({"asked:ntbea.html:star": "{}"}))
    assert "full or switched off. Nothing was changed." in said.inner_text()
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


@pytest.fixture
def elsewhere(tmp_path):
    """The book at another address, in another folder."""
    (tmp_path / "courses").mkdir()
    (tmp_path / "courses" / "touch").symlink_to(SITE)
    with served(tmp_path) as address:
        yield f"{address}/courses/touch"


def test_what_was_done_goes_along_to_another_address(visitor, elsewhere, tmp_path):
    here, there = visitor(), visitor(elsewhere)
    page = here.open("ntbea")
    give(question_of(page, "star"), "right")
    give(question_of(page, "few-or-many"), "passed")
    question_of(page, "pairs-pay").scroll_into_view_if_needed()
    page.wait_for_function("Object.keys(localStorage).some((key) => key.startsWith('gameai:here'))")
    with here.open("review").expect_download() as kept:
        here.context.pages[-1].locator("[data-action=take]").click()
    kept.value.save_as(tmp_path / "mine.json")
    text = (tmp_path / "mine.json").read_text(encoding="utf-8")
    page = there.open("review")
    assert bring(page, text).startswith("The file brought 5 things")
    assert "already" in bring(page, text)
    states = [one.get_attribute("data-state") for one in there.open("ntbea").locator(".ask").all()]
    assert [state for state in states if state != "open"] == ["right", "passed"]
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


ROOM = """() => { localStorage.setItem("other:room", "x".repeat(1000));
    const long = JSON.stringify({ at: 1, said: "x".repeat(3000) });
    localStorage.setItem("gameai:asked:/book/ntbea.html:a", long); }"""


def test_a_file_for_which_there_is_no_room_changes_nothing(visitor):
    page = visitor().open("review")
    page.evaluate(ROOM)
    page.evaluate(FULL)
    page.evaluate("localStorage.removeItem('other:room')")
    before = page.evaluate(STORE)
    # The second takes the room that the first has made: they can only go back the other way round.
    kept = {"asked:ntbea.html:a": '{"at": 2}'} | {f"typed:{n}": "x" * n for n in (3500, 9000)}
    assert bring(page, file_of(kept)) == "The storage of this browser is full. Nothing was changed."
    assert page.evaluate(STORE) == before
    page.evaluate(FULL)
    page.reload()
    assert "storage is full" in page.locator(".review-warning").inner_text()
