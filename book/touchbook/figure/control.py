"""The controls of an explorable: which values each can take, and how a reader sees them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from touchbook.checks import short

MAX_FRAMES = 60  # of a figure in the built book
MAX_LIVE = 1000  # values of one control in a kernel


class ExplorableError(ValueError):
    """A figure that cannot be shown: bad controls, a view that fails, no alt text."""


@dataclass(frozen=True)
class Control:
    """The values that one control of an explorable can take.

    Parameters
    ----------
    values : sequence
        Two to 60 different words, booleans or finite numbers. Words give a choice,
        ``[False, True]`` gives a check box, everything else a slider.
    label : str
        What the reader sees beside the control; the argument's name if left empty.
    default : value, optional
        Where the control stands at first; the first value if left out.
    play : bool
        Whether a button steps through the values of a slider or a choice.
    live : sequence, optional
        The values in a kernel, where frames need not be drawn beforehand: up to 1000 numbers,
        with all of `values` among them.

    Raises
    ------
    ExplorableError
        If the values are too few, too many, alike or of other types, the default is not among
        them, the label is not a word, a check box shall play, or the live values lack one.
    """

    values: Sequence
    label: str = ""
    default: object = None
    play: bool = False
    live: Sequence | None = None

    def __post_init__(self):
        if not isinstance(self.label, str):
            raise ExplorableError(f"the label of a control is a word, got {short(self.label)}")
        object.__setattr__(self, "values", _checked_values(self.values, self.label, MAX_FRAMES))
        at = 0 if self.default is None else self.place(self.default)
        object.__setattr__(self, "default", self.values[at])
        if not isinstance(self.play, bool):
            raise ExplorableError(f"play is True or False, got {short(self.play)}")
        if self.play and self.kind == "checkbox":
            raise ExplorableError(
                f"control {short(self.label)} is a check box: only a slider or a choice can play"
            )
        if self.live is not None:
            live = _checked_values(self.live, self.label, MAX_LIVE)
            missing = [v for v in self.values if not any(_alike(v, other) for other in live)]
            if self.kind != "slider" or missing:
                raise ExplorableError(
                    f"control {short(self.label)}: the live values of a slider have all others "
                    f"among them, got {short(live)} without {short(missing)}"
                )
            object.__setattr__(self, "live", live)

    @property
    def texts(self) -> list[str]:
        """The values as the reader sees them."""
        return texts(self.values)

    @property
    def live_values(self) -> Sequence:
        """The values in a kernel."""
        return self.values if self.live is None else self.live

    @property
    def kind(self) -> str:
        """``"checkbox"``, ``"choice"`` or ``"slider"``."""
        if self.values == [False, True] and all(isinstance(v, bool) for v in self.values):
            return "checkbox"
        return "choice" if any(isinstance(v, str) for v in self.values) else "slider"

    def place(self, value: object, *, live: bool = False) -> int:
        """The position of `value` among the values, or among the live ones.

        Raises
        ------
        ExplorableError
            If it is none of them.
        """
        values, plain = self.live_values if live else self.values, _plain(value)
        for at, own in enumerate(values):
            if _alike(own, plain):
                return at
        raise ExplorableError(
            f"control {short(self.label)}: {short(value)} is not one of {short(values)}"
        )


def as_control(name, values):
    """The control of the argument `name`: its values, or a `Control` that may lack a label."""
    if not name.isidentifier():
        raise ExplorableError(f"{short(name)} names no argument, so no control either")
    if not isinstance(values, Control):
        return Control(values, label=name)
    return values if values.label else replace(values, label=name)


def texts(values):
    """Values as the reader sees them."""
    return [f"{v:.10g}" if isinstance(v, float) else str(v) for v in values]


def _checked_values(values, label, most):
    is_list = isinstance(values, Sequence) and not isinstance(values, str | bytes)
    if isinstance(values, np.ndarray):
        is_list = values.ndim == 1
    if not is_list:
        raise ExplorableError(f"control {short(label)} needs a list of values, got {short(values)}")
    # A range of a billion values is not written out only to be refused.
    values = [_plain(value) for value in islice(values, most + 1)]
    if len(values) > most:
        raise ExplorableError(f"control {short(label)} has more than {most} values")
    for value in values:
        if not _is_value(value):
            raise ExplorableError(
                f"control {short(label)}: {short(value)} is not a word, boolean or finite number"
            )
    if min(len(set(texts(values))), len(set(values))) < max(len(values), 2):
        raise ExplorableError(
            f"control {short(label)} needs two or more different values, got {short(values)}"
        )
    return values


def _plain(value):
    """A number of numpy as one of Python."""
    return value.item() if isinstance(value, np.generic) else value


def _alike(a, b):
    """Whether two values are the same and of one kind; True is not 1 here."""
    return (
        isinstance(b, bool | int | float | str)
        and isinstance(a, bool) == isinstance(b, bool)
        and a == b
    )


def _is_value(value):
    if isinstance(value, float):
        return math.isfinite(value)
    # A browser cannot hold longer numbers.
    return isinstance(value, str) or (isinstance(value, int) and value.bit_length() <= 64)
