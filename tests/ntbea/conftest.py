import signal

import pytest


@pytest.fixture
def interruptible():
    """An interrupt is an error here as for a reader; workers of a test run ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
