"""A progress bar for whatever takes longer than two seconds, where tqdm is installed."""

import os
import sys
import time
import warnings

from gameai_lib.base import private

DELAY = 2.0  # seconds before a bar appears
# Where outputs are kept or compared (nbval), a bar would be one of them.
SILENT = ("TQDM_DISABLE", "PYTEST_VERSION")


class Bar:
    """Shows how far a computation is: a widget in a notebook, a line in a terminal.

    Nothing appears in the first `DELAY` seconds, without tqdm, where the standard error of a
    script is a file, or where the environment has one of `SILENT`. The bar goes at the end of
    the ``with`` block, also where an interrupt ends it. `total` is None if it is not known.
    """

    def __init__(self, what, total=None, unit="steps"):
        self._options = {"desc": what, "total": total, "unit": f" {unit}"}
        self._started = time.monotonic()
        self._bar = None
        self._is_silent = any(map(os.environ.get, SILENT))

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        if self._bar is not None:
            self._bar.close()

    def __call__(self, n_done, note=""):
        """Show that `n_done` units are done, and a note of how good it is."""
        if self._is_silent or time.monotonic() - self._started < DELAY:
            return
        if self._bar is None:
            self._bar = _bar(**self._options)
            self._is_silent = self._bar is None
        if self._bar is not None:
            self._bar.set_postfix_str(note, refresh=False)
            self._bar.update(n_done - self._bar.n)


def _bar(**options):
    try:
        with warnings.catch_warnings():
            # Without ipywidgets a notebook gets the bar of a terminal, and a warning.
            warnings.simplefilter("ignore")
            from tqdm.auto import tqdm
    except ImportError:
        return None
    # A kernel's standard error is not a terminal either, but somebody looks at it.
    is_off = False if "ipykernel" in sys.modules else None
    bar = tqdm(leave=False, mininterval=0.2, disable=is_off, **options)
    private.start_earlier(bar, DELAY)
    return bar
