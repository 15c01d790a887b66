"""Exercises that check themselves, in a notebook and in the page: needs nothing but Python."""

import contextlib
import traceback
from collections.abc import Iterator

__all__ = ["checking"]

verdicts: dict[str, str] = {}  # what the last check of each exercise said; "" if it was passed


@contextlib.contextmanager
def checking(label: str) -> Iterator[None]:
    """Say whether the assertions of a ``with`` block hold: ``Right.`` or ``Not yet: …``.

    The words of the first assertion that fails are for the reader; an error of the reader's
    own code is named, too. Either way the notebook runs on.

    Parameters
    ----------
    label : str
        Of the exercise.

    Examples
    --------
    >>> rows = [[0.5, 0.8]]
    >>> with checking("rows"):
    ...     assert sum(rows[0]) == 1, f"row 0 sums to {sum(rows[0])}, not 1"
    Not yet: row 0 sums to 1.3, not 1
    """
    try:
        yield
    except AssertionError as error:
        verdict = str(error) or "an assertion without words does not hold"
    except Exception as error:
        line = _own_line(error)
        what = f"{type(error).__name__}: {error}"
        verdict = (
            f"your code raises {what} (line {line})"
            if line
            else f"the check cannot go on with what you gave: {what}"
        )
    else:
        verdict = ""
    verdicts[label] = verdict
    print(f"Not yet: {verdict}" if verdict else "Right.")


def _own_line(error):
    """The line of the reader's code that raised `error`; None if none of it had been called."""
    steps = traceback.walk_tb(error.__traceback__)
    lines = [(frame.f_code.co_filename, number) for frame, number in steps]
    check = lines[0][0]
    # Cells have names of their own, in the page and in a kernel.
    own = [n for name, n in lines if name != check and ("your code" in name or "ipykernel" in name)]
    return own[-1] if own else None
