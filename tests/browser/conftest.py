"""What the tests in a browser share: each start of a browser, a page, a Python takes seconds."""

import pytest

from tests.support.axe import NONE_IN_DARK
from tests.support.built_pages import SITE
from tests.support.chromium import CHROMIUM, OPTIONS, launched
from tests.support.reader import WIDE, Reader
from tests.support.serving import served
from tests.support.visitor import Visitor


@pytest.fixture(scope="package")
def built_site():
    """The folder of the built book."""
    if not (SITE / "index.html").exists():
        pytest.skip("build the book first (make book)")
    return SITE


@pytest.fixture(scope="package")
def address(built_site):
    """Address of a server for the built book."""
    with served(built_site) as address:
        yield address


@pytest.fixture(scope="package")
def browser():
    """A Chromium; of a package, for beside it nothing else may have an event loop."""
    if CHROMIUM is None:
        pytest.skip("no Chromium installed")
    with launched() as browser:
        yield browser


@pytest.fixture
def reader(browser, address):
    """Opens pages that nobody has seen, in one browser context for each test."""
    contexts = []

    def open_page(name, anchor="", address=address, **options):
        contexts.append(browser.new_context(**{"viewport": WIDE} | options))
        return Reader(contexts[-1], address, name, anchor)

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def visitor(browser, address):
    """Makes readers, none of whom has seen the book."""
    made = []

    def make(address=address, **options):
        made.append(Visitor(browser, address, options))
        return made[-1]

    yield make
    for one in made:
        one.context.close()
    assert [one.faults for one in made] == [[]] * len(made)


@pytest.fixture(scope="package")
def shared(browser, tmp_path_factory):
    """The context of all pages of `here`: each starts from what the first kept of its Python.

    It has a folder, as that of a reader has, for compiled Python is kept on disk alone.
    """
    context = browser.browser_type.launch_persistent_context(
        tmp_path_factory.mktemp("profile"), viewport=WIDE, has_touch=True, **OPTIONS
    )
    context.add_init_script(NONE_IN_DARK)
    yield context
    context.close()


@pytest.fixture
def waking(shared, address):
    """Opens pages that nobody has seen where Python was awake before, so that it wakes sooner."""
    pages = []

    def open_page(name, anchor="", viewport=WIDE):
        before = shared.new_page()
        before.goto(f"{address}/_static/touch.css")
        before.evaluate("localStorage.clear()")
        before.close()
        here = Reader(shared, address, name, anchor, viewport)
        pages.append(here.page)
        return here

    yield open_page
    for page in pages:
        page.close()


@pytest.fixture(scope="package")
def open_pages():
    """By name, the page that `here` shares: one at most, for each holds a Python."""
    return {}


@pytest.fixture
def here(request, page, open_pages, shared, address):
    """The chapter `page`, which a test is parametrized with, shared by all tests of it.

    Its Python is awake or not, its boards are in any game, its cells hold what was typed, it is
    wide or narrow: `board` and `box_of` begin anew. A page that nobody has seen has `reader`.
    """
    if page not in open_pages:
        while open_pages:
            open_pages.popitem()[1].page.close()
        open_pages[page] = Reader(shared, address, page)
    here, n_failed = open_pages[page], request.session.testsfailed
    yield here
    if request.session.testsfailed > n_failed:
        open_pages.pop(page).page.close()  # the next test shall not suffer
