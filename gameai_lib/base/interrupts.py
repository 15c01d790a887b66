"""Interrupts (control-C) that wait while compiled code runs.

Compiled code that is handed a Generator asks Python for its parts; an interrupt that arrives
just then ends the process. Half a step of a search would also leave counts that do not add up.
"""

import threading
from typing import Any

from gameai_lib.base.private import c_signal

_SIGINT = int(c_signal.SIGINT)


class Interrupted(KeyboardInterrupt):
    """Control-C ended a computation; its `result` is what the call would have returned so far.

    In a notebook it is ``sys.last_value.result``.
    """

    def __init__(self, message: str, result: Any) -> None:
        super().__init__(f"{message} (`result` of this error, sys.last_value.result)")
        self.message, self.result = message, result

    def __reduce__(self):
        return type(self), (self.message, self.result)


class held:
    """Hold an interrupt until the end of a ``with`` block, then let it come.

    Costs a microsecond. In a thread where no interrupt can arrive, and where none is handled
    in Python, it does nothing. Blocks may be nested.

    Examples
    --------
    >>> with held():  # doctest: +SKIP
    ...     _kernel(arrays, rng)
    """

    __slots__ = ("_arrived", "_previous")

    def __enter__(self):
        self._arrived = False
        self._previous = None
        if threading.get_ident() == threading.main_thread().ident:
            handler = c_signal.getsignal(_SIGINT)
            if callable(handler):
                # An interrupt before this line is raised by it; one after it is held.
                c_signal.signal(_SIGINT, self._hold)
                self._previous = handler
        return self

    def _hold(self, _signum, _frame):
        self._arrived = True

    def __exit__(self, *_error):
        if self._previous is not None:
            c_signal.signal(_SIGINT, self._previous)
            if self._arrived:
                c_signal.raise_signal(_SIGINT)
