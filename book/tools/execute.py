"""Execute the notebooks whose outputs are not in the cache, as many at a time as there are cores.

Sphinx, which would take one after the other, then finds all there: ``python -m
book.tools.execute``.
"""

import os
import sys

from jupyter_cache import get_cache
from jupyter_cache.cache.db import NbProjectRecord
from jupyter_cache.executors import load_executor

from book.tools.forget_stale import CACHE, ROOT, forget_stale
from touchbook import BOOK_BUILD

TIMEOUT = 600  # seconds of a cell, as in `_config.yml`


def execute(root=ROOT):
    """Fill the cache; return the notebooks that were executed.

    Raises
    ------
    SystemExit
        With the traceback, if a cell of a notebook fails.
    """
    # The kernels are told that a page is being made; a progress bar would be one of the outputs.
    os.environ |= {BOOK_BUILD: os.devnull, "TQDM_DISABLE": "1"}
    cache = get_cache(root / CACHE)
    # Those that take long come first: the others fill the cores beside them.
    for path in sorted((root / "book").glob("*.ipynb"), key=lambda path: -path.stat().st_size):
        cache.add_nb_to_project(str(path))
    done = load_executor("local-parallel", cache).run_and_cache(timeout=TIMEOUT)
    # Two kernels that start at once may ask for the same port, and one of them dies.
    again = load_executor("local-serial", cache).run_and_cache(
        filter_uris=done.errored, timeout=TIMEOUT
    )
    failed = [*done.excepted, *again.excepted, *again.errored]
    for uri in failed:
        print(NbProjectRecord.record_from_uri(uri, cache.db).traceback, file=sys.stderr)
    if failed:
        raise SystemExit(f"not executed: {', '.join(failed)}")
    return done.succeeded + again.succeeded


if __name__ == "__main__":
    for name in forget_stale():
        print(f"{name} will be executed again: what it depends on has changed")
    for uri in execute():
        print(f"{uri} was executed")
