"""Threads of numpy's linear algebra: for small matrices they only wait for each other.

threadpoolctl tells the libraries; where it is not installed, as in the page, they do as they
like.
"""

import contextlib
from functools import cache

try:
    from threadpoolctl import ThreadpoolController
except ImportError:
    ThreadpoolController = None

LARGE = 1000  # rows from which on a second thread helps


@cache
def _controller():
    return ThreadpoolController()


def one_thread(n_rows):
    """Let the linear algebra use one thread inside, unless its matrices have `LARGE` rows."""
    if ThreadpoolController is None or n_rows >= LARGE:
        return contextlib.nullcontext()
    return _controller().limit(limits=1, user_api="blas")
