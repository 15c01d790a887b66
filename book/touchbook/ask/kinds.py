"""What a prediction can ask for: a choice or a number.

Each kind knows its truth in words, and makes the field of the form with the data by which
``judge.js`` judges what a reader says: in a page and in a kernel, and nowhere else.
"""

import html
import math
import re
from collections.abc import Iterable
from numbers import Integral

from touchbook import checks
from touchbook.checks import short
from touchbook.figure.control import ExplorableError
from touchbook.figure.markup import typeset

ITALIC = re.compile(r"(?<![\w*])\*([^\s*](?:[^*]*[^\s*])?)\*(?![\w*])")
HAIR = 1e-9  # of a number: 0.4 is 0.1 away from 0.3, whatever binary fractions say


def to_html(text):
    """Text as HTML, ``*…*`` in italics, typeset as figures' words are."""
    return ITALIC.sub(r"<em>\1</em>", html.escape(typeset(text)))


def plain(text):
    """Text without the marks of italics."""
    return ITALIC.sub(r"\1", text)


def format_number(value, tolerance):
    """A number with the digits that matter beside its tolerance."""
    if abs(value) >= 1e15:
        text = f"{value:.4g}"
    elif value.is_integer():
        text = f"{value:.0f}"
    elif tolerance > 0:
        n_decimals = min(max(0, 1 - math.floor(math.log10(tolerance))), 12)
        text = f"{value:.{n_decimals}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
    else:
        text = f"{value:.6g}"
    return "0" if text == "-0" else text.replace("-", "−")


class Choice:
    """One of some words.

    Parameters
    ----------
    answer : str
        One of `choices`.
    choices : sequence
    """

    def __init__(self, answer, choices):
        if isinstance(choices, str) or not isinstance(choices, Iterable):
            raise ExplorableError(f"choices must be a list of texts, got {short(choices)}")
        self.choices = [str(choice) for choice in choices]
        if len({*self.choices}) < max(2, len(self.choices)) or not all(
            map(str.strip, self.choices)
        ):
            raise ExplorableError(f"two or more different choices, got {short(choices)}")
        self.truth = checks.one_of("answer", str(answer), self.choices)
        self.allowed = ""
        self.setting = self.choices

    def field(self):
        """The field of a form, and its data."""
        field = "".join(
            f'<label><input type="radio" name="said" value="{i}"> '
            f"<span>{to_html(choice)}</span></label>"
            for i, choice in enumerate(self.choices)
        )
        return field, {"kind": "choice", "answer": self.choices.index(self.truth)}


class Number:
    """A number with a tolerance.

    Parameters
    ----------
    answer, tolerance : float
    unit : str
    """

    def __init__(self, answer, tolerance, unit):
        self.answer = checks.number("answer", answer)
        self.tolerance = checks.number("tolerance", tolerance, 0)
        self.unit = unit.strip()
        self.truth = f"{format_number(self.answer, self.tolerance)} {self.unit}".strip()
        near = format_number(self.tolerance, self.tolerance)
        is_count = isinstance(answer, Integral) and self.tolerance < 1
        is_exact = is_count or not self.tolerance
        self.allowed = "" if is_exact else f" (within {near} is right)"
        self.setting = [f"{self.tolerance:g}"]
        # Without a tolerance the digits that are shown must be enough.
        hair = HAIR if self.tolerance or self.answer.is_integer() else 1e-5
        self.reach = self.tolerance + hair * max(abs(self.answer), self.tolerance)

    def field(self):
        """The field of a form, and its data."""
        # Keyboards of some phones have no minus beside their digits.
        mode = ' inputmode="decimal"' if self.answer >= 0 else ""
        unit = f" <span>{html.escape(self.unit)}</span>" if self.unit else ""
        field = f'<label>Your number <input type="text"{mode} name="said" size="9">{unit}</label>'
        data = {"kind": "number", "answer": self.answer, "reach": self.reach, "unit": self.unit}
        return field, data
