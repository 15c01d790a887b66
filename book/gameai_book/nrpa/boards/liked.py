"""The lines of Morpion that policies like, drawn around the cross."""

import numpy as np

from gameai_lib.nrpa.game.morpion import line_of, start_points
from touchbook.board import svg

LIKED = 1.0  # weight of a line that is drawn: e times as likely as at first
STRONG = 6.0  # weight of the thickest
MOST = 80  # lines of a policy
SIDE = 126  # of a panel
_WIDTHS = (0.8, 1.6, 2.8)


def heaviest_codes(weights):
    """Codes of the lines that a policy likes, the heaviest last."""
    order = np.argsort(weights, kind="stable")[-MOST:]
    return order[weights[order] > LIKED]


def panel(variant, weights, left, top, stroke):
    """Shapes of one policy; a line that leaves the panel is not drawn."""
    start = np.array(start_points(variant))
    low, high = start.min() - 3.5, start.max() + 3.5
    pitch = SIDE / (high - low)

    def at(point):
        return left + (point[0] - low) * pitch, top + (point[1] - low) * pitch

    paths = [[] for _ in _WIDTHS]
    for code in heaviest_codes(weights).tolist():
        first, *_, last = line_of(code, variant)
        if low < min(*first, *last) and max(*first, *last) < high:
            (a, b), (c, d) = at(first), at(last)
            thick = min(2, int(3 * weights[code] / STRONG))
            paths[thick].append(f"M{a:.1f} {b:.1f}L{c:.1f} {d:.1f}")
    shapes = [svg.rect(left, top, SIDE, SIDE, "line")]
    for width, parts in zip(_WIDTHS, paths, strict=True):
        if parts:  # one path for many lines: they are drawn again and again
            look = {"stroke_width": width, "stroke_linecap": "round"}
            shapes.append(svg.element("path", d="".join(parts), class_=stroke, **look))
    corners = [at(point) for point in start.tolist()]
    dots = "".join(f"M{x - 1.2:.1f} {y - 1.2:.1f}h2.4v2.4h-2.4z" for x, y in corners)
    return [*shapes, svg.element("path", d=dots, class_="ink")]
