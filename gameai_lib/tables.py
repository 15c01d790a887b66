"""Tables of results: real ones in a page or notebook, aligned text where there is only text."""

import html
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from numbers import Integral, Real
from typing import Any

from gameai_lib.base import checks
from gameai_lib.base.checks import short

__all__ = ["Column", "Table", "table"]

MOST_ROWS = 10_000  # nobody reads on
MARK = "*"  # after the best value of a column
PICK = {"high": max, "low": min}


@dataclass(frozen=True)
class Column:
    """Values of one column and how they are written; what cannot be written is refused."""

    values: Any  #: words, numbers, flags; None where there is nothing to say
    format: str = ""  #: of numbers, as in an f-string, such as ".2f"; empty for three figures
    unit: str = ""  #: written behind the column's name
    errors: Any = None  #: standard errors, written as ``± 0.03``; None where there is none
    best: str | None = None  #: marks the best value if "high" or "low"

    def __post_init__(self):
        object.__setattr__(self, "values", _as_list("values", self.values))
        checks.kind("format", self.format, str)
        checks.kind("unit", self.unit, str)
        if self.best is not None:
            checks.one_of("best", self.best, PICK)
        if self.errors is None:
            return
        object.__setattr__(self, "errors", _as_list("errors", self.errors))
        if len(self.errors) != len(self.values):
            raise ValueError(f"{len(self.values)} values have {len(self.errors)} standard errors")
        for error in self.errors:
            if not _is_missing(error):
                checks.number("a standard error", error, 0)

    @property
    def numeric(self) -> bool:
        """Whether all there is are numbers, which stand to the right."""
        return all(value is None or _is_number(value) for value in self.values)

    def text(self, row: int) -> str:
        """What stands in row number `row`."""
        value, error = self.values[row], self.errors[row] if self.errors else None
        if _is_missing(value):
            return ""
        if isinstance(value, str):
            return value
        if not _is_number(value):  # True and False, numpy's too
            return "yes" if checks.flag("a value", value) else "no"
        usual = "," if isinstance(value, Integral) else ".3g"
        written = _write(value, self.format or usual)
        if _is_missing(error):
            return written
        return f"{written} ± {_write(error, (self.format or usual).lstrip('+'))}"


class Table:
    """A table that a notebook shows; `table` makes it."""

    def __init__(self, columns: dict[str, Column], caption: str) -> None:
        self.title = caption or "A table of results"
        self.names = [f"{n} ({c.unit})" if c.unit else n for n, c in columns.items()]
        self.numeric = [c.numeric for c in columns.values()]
        listed = list(columns.values())
        self.rows = [[c.text(row) for c in listed] for row in range(len(listed[0].values))]
        self.best = {  # (row, column) of what is marked
            (row, k) for k, c in enumerate(listed) if c.best for row in _best(c.values, c.best)
        }
        words = [caption.rstrip("."), f"{MARK} best" if self.best else ""]
        self.caption = "".join(f"{part}. " for part in words if part).rstrip()

    def __str__(self):
        texts = [list(cells) for cells in (self.names, *self.rows)]
        for row, k in self.best:
            texts[row + 1][k] += MARK
        # A marked number keeps its place below the others.
        for k in {k for _, k in self.best if self.numeric[k]}:
            for cells in texts:
                cells[k] += " " * (not cells[k].endswith(MARK))
        widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
        lines = [
            "  ".join(
                cell.rjust(width) if right else cell.ljust(width)
                for cell, width, right in zip(cells, widths, self.numeric, strict=True)
            ).rstrip()
            for cells in texts
        ]
        return "\n".join(lines + [self.caption] * bool(self.caption))

    __repr__ = __str__

    def _repr_html_(self):
        """The table in HTML: header cells, numbers to the right, the best in bold."""
        head = "".join(
            f'<th scope="col"{_side(right)}>{html.escape(name)}</th>'
            for name, right in zip(self.names, self.numeric, strict=True)
        )
        body = "".join(f"<tr>{self._cells(row)}</tr>" for row in range(len(self.rows)))
        caption = f"<caption>{html.escape(self.caption)}</caption>" if self.caption else ""
        # It scrolls sideways where it is wider than a phone; then the keyboard must reach it.
        return (
            '<div class="results" role="region" tabindex="0" '
            f'aria-label="{html.escape(self.title, quote=True)}">'
            f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
        )

    def _cells(self, row):
        cells = ""
        for k, text in enumerate(self.rows[row]):
            shown, error = html.escape(text), ""
            if self.numeric[k]:
                shown, _, error = shown.replace("-", "−").partition(" ± ")
            mark = MARK if (row, k) in self.best else ""
            shown = f"<strong>{shown}</strong>" if mark else shown
            # On a phone the error gets a line of its own.
            shown += f" <span>± {error}{mark}</span>" if error else mark
            start, end = ('<th scope="row"', "th") if k == 0 else ("<td", "td")
            cells += f"{start}{_side(self.numeric[k])}>{shown}</{end}>"
        return cells


def table(columns: Mapping[str, Column | Iterable[Any]], *, caption: str = "") -> Table:
    """Show results as a table: HTML in a notebook, aligned where there is only text.

    `columns` are names and values from left to right, of which the first name the rows; the
    caption says what the table shows. What cannot be written is named by an error.

    Examples
    --------
    >>> table({"agent": ["V0", "V1"], "score": Column([17.7, 17.75], ".2f", best="high")})
    agent   score
    V0     17.70
    V1     17.75*
    * best.
    """
    checks.kind("columns", columns, dict)
    if not columns:
        raise ValueError("a table needs a column, got none")
    made = {}
    for name, values in columns.items():
        checks.kind("a column's name", name, str)
        if not isinstance(values, Column):
            values = Column(_as_list(f"column {name!r}", values))
        made[name] = values
    lengths = {name: len(column.values) for name, column in made.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"columns must have the same length, got {lengths}")
    return Table(made, checks.kind("caption", caption, str))


def _as_list(name, values):
    """A sequence as a list of its own."""
    if isinstance(values, str | bytes):
        raise TypeError(f"{name} must be a sequence, got {short(values)}")
    try:
        listed = list(islice(values, MOST_ROWS + 1))
    except TypeError:
        raise TypeError(f"{name} must be a sequence, got {short(values)}") from None
    if len(listed) > MOST_ROWS:
        raise ValueError(f"{name}: a table has at most {MOST_ROWS:,} rows, got more")
    return listed


def _is_missing(value):
    return value is None or (_is_number(value) and value != value)  # as NaN alone does


def _is_number(value):
    return isinstance(value, Real) and not isinstance(value, bool)


def _write(value, form):
    try:
        return format(value, form)
    except (ValueError, OverflowError, MemoryError) as error:
        what = f"{short(value)} cannot be written with the format {short(form)}"
        raise ValueError(what) from error


def _best(values, direction):
    """Numbers of the values that are best; none where there is nothing to compare."""
    known = [v for v in values if _is_number(v) and not _is_missing(v)]
    if len(known) < 2:
        return []
    best = PICK[direction](known)
    return [k for k, v in enumerate(values) if _is_number(v) and v == best]


def _side(right):
    # Said in each cell, for every place that shows tables has a mind of its own.
    return f' style="text-align: {"right" if right else "left"}"'
