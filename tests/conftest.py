"""What holds for every test."""

import signal

import pytest


def pytest_configure():
    """Let control-C arrive, also where a shell started the tests in the background."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items):
    """Begin with the files that take longest, so that no worker waits for them at the end."""
    longest = ["test_lab", "test_pyodide_units", "test_python_in_page"]
    order = {name: i for i, name in enumerate(longest)}
    items.sort(key=lambda item: order.get(item.path.stem, len(order)))


# What is imported here is not there in every Python that runs tests.
@pytest.fixture(scope="module")
def address():
    """Address of a server for the built book."""
    from tests.support.built_pages import SITE
    from tests.support.serving import served

    with served(SITE) as address:
        yield address


@pytest.fixture(scope="module")
def browser():
    """A Chromium for the tests of one file."""
    from tests.support.chromium import launched

    with launched() as browser:
        yield browser
