"""What holds for every test."""

import signal


def pytest_configure():
    """Let control-C arrive, also where a shell started the tests in the background."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
