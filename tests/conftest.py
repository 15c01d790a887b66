"""What holds for every test."""

import signal


def pytest_configure():
    """Let control-C arrive, also where a shell started the tests in the background."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items):
    """Begin with the file that takes longest, so that no worker waits for it at the end."""
    items.sort(key=lambda item: item.path.stem != "test_lab")
