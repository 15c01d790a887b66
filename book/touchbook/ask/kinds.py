"""What a prediction can ask for: a choice, a number or a point on a picture.

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
        text = f"{value:.{_decimals(tolerance)}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
    else:
        text = f"{value:.6g}"
    return "0" if text == "-0" else text.replace("-", "−")


def _decimals(tolerance):
    return min(max(0, 1 - math.floor(math.log10(tolerance))), 12)


class Choice:
    """One of some words."""

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
    """A number with a tolerance."""

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


def nearest(value, names):
    """The place that is nearest to `value`, and its text."""
    return min(names, key=lambda name: abs(name[0] - value))


def _names_of(axis):
    """Places and texts of an axis whose ticks have been given words; else nothing."""
    texts = getattr(axis.get_major_formatter(), "seq", None)
    if not texts:
        return []
    places = (float(place) for place in axis.get_major_locator()())
    return [[place, str(text)] for place, text in zip(places, texts, strict=False)]


class Point:
    """A point on a picture, which draws one axes with linear scales, in its units."""

    def __init__(self, answer, tolerance, picture):
        self.answer = tuple(checks.number("answer", v) for v in _pair("answer", answer))
        self.tolerance = tuple(
            checks.number("tolerance", v, 0, above=True) for v in _pair("tolerance", tolerance)
        )
        self.picture = picture
        self._names = [], []  # of the places of both axes, once the picture is drawn
        self.allowed = ""  # the ring shows it
        self.setting = [f"{v:g}" for v in self.tolerance]

    @property
    def truth(self):
        """The answer, for people: as the axes name their places, if they do."""
        parts = zip(self.answer, self.tolerance, self._names, strict=True)
        texts = [nearest(v, names)[1] if names else format_number(v, t) for v, t, names in parts]
        if not all(self._names):
            return f"({', '.join(texts)})"
        return ("" if max(map(len, texts)) < 3 else ", ").join(texts)  # l12, as on a board

    def field(self):
        """The field of a form, and its data."""
        frame, places = self._draw()
        width, image = round(100 * self.picture.size[0]), frame.img(self.picture.size)
        field = f'<div class="ask-picture" style="max-width: {width}px">{image}</div>'
        data = {
            "kind": "point", "answer": self.answer, "tolerance": self.tolerance, "axes": places,
            "decimals": [_decimals(t) for t in self.tolerance],
        }  # fmt: skip
        return field, data

    def _draw(self):
        """The picture, and where its axes lie on it."""
        figures, draw = [], self.picture.draw

        def noted(fig):
            draw(fig)
            figures.append(fig)

        self.picture.draw = noted
        try:
            frame = self.picture.render()
        finally:
            self.picture.draw = draw
        return frame, self._places(figures[0])  # the one that was laid out, with its ticks

    def _places(self, figure):
        """What the script is told of both axes, see ``Axis`` in ``judge.js``."""
        if len(figure.axes) != 1 or {figure.axes[0].get_xscale(), figure.axes[0].get_yscale()} != {
            "linear"
        }:
            raise ExplorableError(
                f"{self.picture.name}: a point is asked for on one axes with linear scales, "
                f"got {short(figure.axes)}"
            )
        ax = figure.axes[0]
        limits = ax.get_xlim(), ax.get_ylim()
        for v, ends in zip(self.answer, limits, strict=True):
            if not min(ends) <= v <= max(ends):
                raise ExplorableError(f"{self.picture.name}: {self.answer} is not on the picture")
        self._names = tuple(_names_of(axis) for axis in (ax.xaxis, ax.yaxis))
        labels = _label(ax.get_xlabel(), "x"), _label(ax.get_ylabel(), "y")
        (left, low), (right, high) = (
            (ax.transData.transform(corner) / figure.bbox.size).tolist()
            for corner in zip(*limits, strict=True)
        )
        shares = (left, right), (1 - low, 1 - high)  # from the left and from the top
        return [
            {"label": label, "limits": [float(v) for v in ends],
             "at": [round(share, 5) for share in at], "names": names}
            for label, ends, at, names in zip(labels, limits, shares, self._names, strict=True)
        ]  # fmt: skip


def _label(text, otherwise):
    return text if text and "$" not in text else otherwise


def _pair(what, values):
    try:
        x, y = values
    except (TypeError, ValueError) as error:
        raise ExplorableError(f"{what}: a point has two numbers, got {short(values)}") from error
    return x, y
