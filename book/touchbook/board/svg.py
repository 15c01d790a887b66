"""The few words of SVG that boards are drawn with.

Shapes carry classes of ``board.css``, never colours, so that one picture is legible in
the light and in the dark. What a reader can touch is a `target`.
"""

from functools import lru_cache
from html import escape


def element(name, *children, **attributes):
    """One element: `children` are SVG already, values of `attributes` are made safe.

    ``class_`` is ``class``; other underscores become hyphens; None leaves an attribute out.
    """
    written = "".join(
        [_attribute(key, value) for key, value in attributes.items() if value is not None]
    )
    if not children:
        return f"<{name}{written}/>"
    return f"<{name}{written}>{''.join(children)}</{name}>"


# Every touch draws a whole board anew, nearly all of it with the attributes of the last one.
@lru_cache(1 << 14)
def _attribute(key, value):
    return f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'


def _value(value):
    if isinstance(value, str):
        return escape(value)
    return f"{round(float(value), 2) + 0.0:g}"  # -0.0 and 0.0 are one key of the cache


def rect(x, y, width, height, class_, *, rx=None, **attributes):
    """A rectangle from its upper left corner."""
    return element("rect", x=x, y=y, width=width, height=height, rx=rx, class_=class_, **attributes)


def circle(x, y, r, class_, **attributes):
    """A disc around a point."""
    return element("circle", cx=x, cy=y, r=r, class_=class_, **attributes)


def line(x1, y1, x2, y2, class_, **attributes):
    """A stroke between two points."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_, **attributes)


def path(points, class_, *, closed=False, **attributes):
    """Strokes from point to point."""
    d = "M" + "L".join(f"{_value(x)} {_value(y)}" for x, y in points) + ("Z" if closed else "")
    return element("path", d=d, class_=class_, **attributes)


def text(x, y, words, size, class_="ink", *, anchor="middle", **attributes):
    """Words around a point; `size` in units of the picture, `anchor` start, middle or end."""
    return element(
        "text", escape(str(words), quote=False), x=x, y=y, font_size=size, class_=class_,
        text_anchor=anchor, dominant_baseline="central", **attributes,
    )  # fmt: skip


def target(name, label, *shapes, pressed=None):
    """What a reader can touch: `name` is the touch, `label` what a screen reader says."""
    state = None if pressed is None else str(bool(pressed)).lower()
    return element(
        "g", *shapes, data_touch=name, role="button", tabindex="-1", aria_label=label,
        aria_pressed=state,
    )  # fmt: skip


def picture(width, height, *shapes, label, least=None, style=""):
    """The whole picture; `least` is the width in pixels that fingers need, which want 24."""
    least = width * 24 / 28 if least is None else least  # the smallest targets are 28 units high
    return element(
        "svg", *shapes, xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width:g} {height:g}",
        role="group", aria_label=label, style=f"--least:{least:g}px;{style}",
    )  # fmt: skip
