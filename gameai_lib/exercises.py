"""Exercises that check themselves, in a notebook and in the page: needs nothing but Python."""

import contextlib

verdicts = {}  # what the last check of each exercise said; "" if it was passed


@contextlib.contextmanager
def checking(label, right="Right."):
    """Say whether the assertions of a ``with`` block hold: ``Right.`` or ``Not yet: …``.

    The words of the first assertion that fails are for the reader; an error of the reader's
    own code is named, too. Either way the notebook runs on.

    Parameters
    ----------
    label : str
        Of the exercise.
    right : str
        Said where all assertions hold.

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
        verdict = f"your code raises {type(error).__name__}: {error}{_where(error)}"
    else:
        verdict = ""
    verdicts[label] = verdict
    print(f"Not yet: {verdict}" if verdict else right)


def _where(error):
    """The line of the reader's code that raised `error`, if it was not the check's own."""
    lines, step = [], error.__traceback__
    while step is not None:
        lines.append((step.tb_frame.f_code.co_filename, step.tb_lineno))
        step = step.tb_next
    check, last = lines[0][0], [line for name, line in lines if name == "your code"]
    return f" (line {last[-1]})" if last and check != "your code" else ""
