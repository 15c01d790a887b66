"""A packaged page in a strict course: what it reports, what it restores, where it keeps still."""

import json
import re
from urllib.parse import quote

import pytest

from book.tools.scorm.packing import contents
from tests.support.board_player import PATIENCE
from tests.support.built_pages import ROOT
from tests.support.chromium import heard
from tests.support.reader import PYODIDE
from tests.support.serving import QuietHandler, served

pytestmark = pytest.mark.usefixtures("built_site")
EDITOR = re.compile(r"editor\.js|net::ERR_FAILED")


class Platform(QuietHandler):
    """Serves packages as a platform that knows no file of Python's."""

    def guess_type(self, path):
        kind = str(path).rpartition(".")[2]
        return "document/unknown" if kind in ("mjs", "wasm", "whl") else super().guess_type(path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two packages, unpacked, beside a course that plays them."""
    where = tmp_path_factory.mktemp("courses")
    for chapter in ("hanabi", "nrpa"):
        for name, content in contents(chapter).items():
            path = where / chapter / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    course = (ROOT / "tests" / "support" / "course.html").read_text(encoding="utf-8")
    (where / "course.html").write_text(course, encoding="utf-8")
    return where


class Course:
    """A student's browser, in which a course plays one page."""

    def __init__(self, context, address, page="hanabi/book/hanabi.html", refuse="", **known):
        self.errors, self.page = heard(context), context.new_page()
        known = quote(json.dumps({f"cmi.{one.replace('__', '.')}": known[one] for one in known}))
        self.page.goto(f"{address}/course.html?page={quote(page)}&refuse={refuse}&known={known}")
        self.frame = self.page.frame_locator("iframe")
        self.frame.locator("form.ask[data-state]").first.wait_for(state="attached")

    def values(self, name):
        return self.page.evaluate("name => course[name]", name)

    def form(self, n):
        return self.frame.locator("form.ask").nth(n)

    def truth(self, n):
        return json.loads(self.form(n).get_attribute("data-truth"))["answer"]

    def answer(self, n, said):
        """Answer the question `n`, as a reader would; None passes it over."""
        form = self.form(n)
        if said is None:
            form.locator("[data-action=skip]").click()
            return
        if isinstance(self.truth(n), int):
            form.locator("input").nth(said).check()
        else:
            form.locator("input").fill(str(said))
        form.locator("[data-action=commit]").click()

    def hears(self, element, value):
        self.page.wait_for_function(
            "([element, value]) => course.values[element] === value",
            arg=[f"cmi.{element}", value], timeout=20_000,
        )  # fmt: skip
        assert self.values("wrong") == []

    def states(self):
        return self.frame.locator("form.ask").evaluate_all("all => all.map(a => a.dataset.state)")

    def leave(self):
        """Leave the page; returns all that the course was told."""
        self.page.evaluate("frame.src = 'about:blank'")
        self.page.wait_for_function("course.state === 'finished'")
        return self.values("values")


@pytest.fixture
def course(browser, folder):
    """Opens pages in courses, each in a browser of its own unless one is named."""
    contexts = []

    def play(*args, context=None, **known):
        if context is None:
            contexts.append(browser.new_context(viewport={"width": 1280, "height": 900}))
        return Course(context or contexts[-1], address, *args, **known)

    with served(folder, Platform) as address:
        yield play
        for context in contexts:
            context.close()


def test_another_browser_goes_on_where_this_one_left_and_another_student_begins_anew(course):
    here = course()
    here.hears("core.lesson_status", "incomplete")
    truths = [here.truth(n) for n in range(3)]
    for n, said in enumerate([truths[0], truths[1], (truths[2] + 1) % 2, None]):
        here.answer(n, said)
    here.hears("core.score.raw", "20")
    told = here.leave()
    assert told["cmi.core.exit"] == "suspend"
    assert re.fullmatch(r"0000:00:\d\d", told["cmi.core.session_time"])
    calls = here.values("calls")
    assert (calls.count("LMSInitialize"), calls.count("LMSFinish")) == (1, 1)
    assert calls[-2:] == ["LMSCommit", "LMSFinish"]
    again = course(suspend_data=told["cmi.suspend_data"], core__lesson_status="incomplete")
    assert again.states()[:5] == ["right", "right", "wrong", "passed", "open"]
    again.hears("core.score.raw", "20")
    runs_python(again)
    assert again.leave()["cmi.suspend_data"] == told["cmi.suspend_data"]
    # Of a course that keeps nothing this browser knows the answers; not those of another student.
    context = here.page.context
    assert course(context=context).states()[0] == "right"
    other = course(context=context, core__student_id="grace")
    assert {*other.states()} == {"open"}
    other.hears("core.score.raw", "0")
    assert here.values("wrong") + again.values("wrong") + here.errors + again.errors == []


def runs_python(course):
    """Where the book has Python: it runs though a platform knows none of its files."""
    if not PYODIDE.exists():
        return
    cell = course.frame.locator("div.try").first
    cell.locator("button[data-action=run]").dispatch_event("click")
    course.frame.locator("div.try[data-state=idle]:has(.try-output:not(:empty))").first.wait_for(
        timeout=PATIENCE
    )
    assert "as v0_belief: True" in cell.locator(".try-output").inner_text()


def test_the_longest_answers_fit(course):
    here = course()
    kinds = ["choice" if isinstance(here.truth(n), int) else "number" for n in range(10)]
    for n, kind in enumerate(kinds):
        here.answer(n, 0 if kind == "choice" else f"−0.{'3' * 40}/7")
    here.hears("core.lesson_status", "completed")
    told = here.leave()
    again = course(suspend_data=told["cmi.suspend_data"], core__lesson_status="completed")
    assert "open" not in again.states()
    n = kinds.index("number")
    again.form(n).locator("[data-action=retake]").click()
    again.answer(n, f"0.{'3' * 5000}")  # which the course has no place for
    again.page.wait_for_timeout(3500)
    assert len(again.leave()["cmi.suspend_data"]) > 100
    assert again.values("statuses") == []  # a page that was completed stays so
    assert again.values("wrong") == []


def test_a_workshop_asks_for_one_exercise(course):
    here = course("nrpa/book/nrpa_workshop.html")
    n_asked, n_exercises = len(here.states()), here.frame.locator("[data-exercise]").count()
    for n in range(n_asked):
        here.answer(n, None)
    here.page.wait_for_timeout(3500)
    assert here.values("values")["cmi.core.lesson_status"] == "incomplete"
    here.frame.locator("body").evaluate("""() => {
        localStorage.setItem(`gameai:passed:${location.pathname}:nrpa-ex-1`, '{"at": 7}');
        document.dispatchEvent(new CustomEvent("touchbook:kept"));
    }""")
    here.hears("core.lesson_status", "completed")
    score = f"{100 / (n_asked + n_exercises):.0f}"  # one of all things
    here.hears("core.score.raw", score)
    again = course("nrpa/book/nrpa_workshop.html", suspend_data=here.leave()["cmi.suspend_data"])
    again.hears("core.score.raw", score)


@pytest.mark.parametrize("refuse", ["LMSInitialize", "LMSSetValue", "LMSCommit"])
def test_a_course_that_refuses_breaks_nothing(course, refuse):
    here = course(refuse=refuse)
    line = here.frame.locator(".scorm-wrong")
    line.wait_for()
    assert refuse in line.inner_text()
    here.answer(0, here.truth(0))
    assert here.states()[0] == "right"
    assert here.errors == []
    if refuse == "LMSInitialize":
        assert here.values("calls") == ["LMSInitialize"]


@pytest.mark.parametrize("is_framed", [True, False])
def test_without_a_course_nothing_happens(browser, folder, is_framed):
    context = browser.new_context()
    errors, page = heard(context), context.new_page()
    with served(folder) as address, served(folder) as elsewhere:
        alone = (folder / "hanabi" / "book" / "hanabi.html").as_uri()
        framed = f"{elsewhere}/course.html?page={quote(address)}/hanabi/book/hanabi.html"
        page.goto(framed if is_framed else alone)
        frame = page.frames[-1]
        frame.locator("form.ask [data-action=skip]").first.click()
        assert frame.locator(".scorm-wrong").count() == 0
        assert frame.evaluate("Object.keys(localStorage).join().includes('student')") is False
        if is_framed:
            assert page.evaluate("course.calls") == []
    # From a folder the editor cannot be loaded, in the book as well.
    assert [one for one in errors if not EDITOR.search(one)] == []
    context.close()
