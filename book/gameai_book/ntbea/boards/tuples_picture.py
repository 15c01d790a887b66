"""A point and its tuples as SVG: dials, a map of arms, sums, and a chart of arms or of truths."""

from collections import defaultdict

import numpy as np

from gameai_book.ntbea.boards.parts import RULE_NAMES, games_words, left_text, right_text
from gameai_lib.ntbea.game.space_battle import FEW_RULES as SPACE
from touchbook.board import svg

LETTERS = "ABCDE"  # of the dials
POINTS = [tuple(point) for point in SPACE.all_points().tolist()]
_LEFT, _TOP = 40, 169  # of the map
_PANEL, _RIGHT = 242, 394  # what stands beside the map
_KEY_AT, _FOOT, _HIGH = 405, 495, 74  # of the chart below
_KEY = "share won", "games, none won", "no game yet", "arms of your point"


def picture(board):
    """Draw a `TuplesBoard`."""
    chart = _truths(board) if "truth" in board.shown else _arms(board)
    shapes = [*_dials(board.point), *_map(board), *_panel(board), *chart]
    return svg.picture(400, _FOOT + 42, *shapes, label=board.title)


def spell(point):
    """The values of a point in words."""
    return " ".join(map(str, SPACE.values_of(point).values()))


def touch_of(point):
    """The touch that goes to a point: it names all values, so that 32 pictures are enough."""
    return "at-" + "".join(str(value + 1) for value in point)


def _dials(point):
    """A row of boxes for each dial."""
    shapes = []
    for d, (name, values) in enumerate(zip(RULE_NAMES, SPACE.values, strict=True)):
        y, now = 6 + 31 * d, point[d]
        shapes.append(left_text(6, y + 13, f"{LETTERS[d]} {name}", 13))
        for v, value in enumerate(values):
            x, is_now = 124 + 48 * v, v == now
            box = svg.rect(x, y, 47, 29, "paper edge", rx=4)
            word = svg.text(x + 23.5, y + 14, value, 14, "ink bold" if is_now else "ink")
            if is_now:
                shapes += [box, svg.rect(x, y, 47, 29, "ring", rx=4), word]
            else:
                there = touch_of((*point[:d], v, *point[d + 1 :]))
                label = f"{name} {value}, now {values[now]}"
                shapes.append(svg.target(there, label, box, word))
    return shapes


def _map(board):
    """All arms of one and of two dials; those of the point are framed."""
    boxes = defaultdict(list)
    for dims in board.model.tuples[:-1]:
        arms, here = board.model.arms(dims), tuple(board.point[d] for d in dims)
        for at, n in np.ndenumerate(arms.n):
            x, y = _LEFT + _place(dims[0], at[0]), _TOP + _place(dims[-1], at[-1])
            _add_arm(boxes, x, y, n, arms.mean[at], at == here)
    for i, share in ((0, 10 / 17), (1, 0), (3, 0)):  # of the key
        _add_arm(boxes, 244, 12 + 22 * i, 1, share, is_framed=i == 3)
    boxes["line"].append(_box(244, 56, 17, 17))
    shapes = [_boxes(boxes[look], look) for look in ("soft", "c0", "line")]
    keys = [left_text(268, 21 + 22 * i, words, 13, "muted") for i, words in enumerate(_KEY)]
    frames = _boxes(boxes["stroke"], "stroke", stroke_width=2)
    return [*shapes, *keys, frames, *_words_of_map()]


def _add_arm(boxes, x, y, n, mean, is_framed):
    """Add the box of an arm, and its filling, to those of the same look."""
    inner = _box(x + 0.5, y + 0.5, 16, 16)
    boxes["soft" if n else "line"].append(_box(x, y, 17, 17) if n else inner)
    if n and mean:
        boxes["c0"].append(_box(x, y + 17 - 17 * mean, 17, 17 * mean))
    if is_framed:
        boxes["stroke"].append(inner)


def _place(d, v):
    """Where a value of a dial begins on the map, from its left and its top."""
    return 40 * d + 18 * v


def _words_of_map():
    """The letters of the dials and their values, beside the map and below it."""
    shapes = []
    for d, values in enumerate(SPACE.values):
        shapes.append(svg.text(9, _TOP + _place(d, 1), LETTERS[d], 13, "muted bold"))
        shapes.append(svg.text(_LEFT + _place(d, 1), 388, LETTERS[d], 13, "muted bold"))
        for v, value in enumerate(values):
            at = _place(d, v) + 9
            shapes.append(right_text(_LEFT - 4, _TOP + at, value, 13, "muted"))
            apart = 4 * v - 2.5  # or "10" and "40" would touch
            shapes.append(svg.text(_LEFT + at + apart, 373, value, 13, "muted"))
    return shapes


def _panel(board):
    """The sum, the truth if it is shown, and what happened at last."""
    mean, explore, bound = board.estimate()
    sums = [
        ("estimate", mean, "ink bold"),
        (f"+ {board.k:g} × {explore:.2f}", board.k * explore, "ink"),
        ("bound", bound, "ink bold"),
    ]
    if "truth" in board.shown:
        sums.append(("truth", board.truth()[0], "bad bold"))
    shapes = [svg.line(_PANEL, _TOP + 36.5, _RIGHT, _TOP + 36.5, "line")]
    for i, (words, number, look) in enumerate(sums):
        y = _TOP + 8 + 19 * i
        shapes.append(left_text(_PANEL, y, words, 14, look))
        shapes.append(right_text(_RIGHT, y, f"{number:.2f}", 14, look))
    below = _TOP + 18 + 19 * len(sums)
    if board.choice is not None:
        return shapes + _neighbours(board, below)
    for i, words in enumerate(_notes(board, mean)):
        look = "ink" if i else "ink bold"
        shapes.append(left_text(_PANEL, below + 3 + 17 * i, words, 13, look))
    return shapes


def _notes(board, mean):
    """What a game has taught, or what is known so far, line by line."""
    if board.before is not None:
        return [
            f"The game was {board.result()}.",
            "Each framed cell",
            "has learned from it:",
            f"estimate {board.before:.2f} → {mean:.2f}.",
            f"{board.n_sharing()} other points share",
            "a value with this one",
            "and learn, too.",
        ]
    *_, (_, n_own, _) = board.arms()
    notes = [f"{len(board.played)} games so far,", f"{games_words(n_own)} at this point"]
    if board.point == board.named():
        notes += ["NTBEA would", "recommend it."]
    if "truth" in board.shown:
        notes.append(f"Better: {board.truth()[1]} of {SPACE.size}.")
    return notes


def _neighbours(board, top):
    """Estimates and bounds of the best, as bars from 0 to the largest bound."""
    best, n = board.best_neighbours(), len(board.choice[0])
    words = f"of {n} neighbours:" if n == len(best) else f"best {len(best)} of {n} neighbours:"
    shapes = [left_text(_PANEL, top, words, 13, "muted")]
    longest = max(1e-9, *(bound for _, _, bound in best))
    for i, (point, mean, bound) in enumerate(best):
        y, look = top + 18 + 17 * i, "ink" if i else "ink bold"
        shapes.append(left_text(_PANEL, y, spell(point), 13, look))
        shapes.append(svg.rect(336, y - 6, 58 * mean / longest, 12, "c0"))
        shapes.append(svg.rect(336, y - 6, 58 * bound / longest, 12, "line"))
    y = top + 18 + 17 * len(best)
    shapes += [left_text(336, y, "0", 13), right_text(_RIGHT, y, f"{longest:.2f}", 13)]
    for x, words, look in ((_PANEL, "estimate", "c0"), (326, "bound", "line")):
        shapes.append(svg.rect(x, y + 11, 12, 12, look))
        shapes.append(left_text(x + 18, y + 17, words, 13, "muted"))
    return shapes


def _arms(board):
    """The arms of the point, their average and the bound."""
    mean, _, bound = board.estimate()
    unit, bars = _HIGH / max(1.0, bound), []
    shapes = [left_text(6, _KEY_AT, "share won, and games, by arm", 13, "muted"), *_scale(unit)]
    for i, (dims, n, share) in enumerate(board.arms()):
        x, name = 27 + 23 * i, "".join(LETTERS[d] for d in dims)
        if n and share:
            bars.append(_box(x, _FOOT - unit * share, 20, unit * share))
        shapes.append(svg.text(x + 10, _FOOT + 11, "all" if name == LETTERS else name, 13))
        shapes.append(svg.text(x + 10, _FOOT + 27, n, 13, "muted"))
    shapes.append(_boxes(bars, "c0"))
    for x, words, value, dash in ((232, "estimate", mean, None), (322, "bound", bound, "5 4")):
        y, look = _FOOT - unit * value, {"stroke_width": 2, "stroke_dasharray": dash}
        shapes.append(svg.line(x, _KEY_AT, x + 22, _KEY_AT, "s1", **look))
        shapes.append(left_text(x + 26, _KEY_AT, words, 13, "muted"))
        shapes.append(svg.line(26, y, _RIGHT, y, "s1", **look))
    return shapes


def _truths(board):
    """All points in the order of their estimates, and what is true of them."""
    estimates, truths, games = board.all_points()
    order = np.argsort(estimates, kind="stable").tolist()
    unit = _HIGH / max(1.0, float(estimates.max()))
    places = {POINTS[at]: 31.75 + 11.5 * i for i, at in enumerate(order)}
    links, marks, dots = [], [], []
    for at in order:
        x = places[POINTS[at]]
        estimate, truth = _FOOT - unit * estimates[at], _FOOT - unit * truths[at]
        links.append(f"M{x:.1f} {estimate:.1f}V{truth:.1f}")
        marks.append(_box(round(x - 4.6, 1), truth - 1.5, 9.2, 3))
        dots += _dot(x, estimate, not games[at])
    keys = [svg.rect(240, _KEY_AT - 1.5, 12, 3, "c1")]
    for x, words in ((6, "estimates:"), (93, "played"), (155, "not played"), (258, "truth")):
        keys.append(left_text(x, _KEY_AT, words, 13, "muted"))
    keys += [*_dot(86, _KEY_AT, False), *_dot(148, _KEY_AT, True)]
    x = places[board.point] - 5.75
    frame = svg.rect(x, _FOOT - _HIGH - 4, 11.5, _HIGH + 8, "soft edge")
    lines = _boxes(links, "line"), _boxes(marks, "c1")
    return [*keys, frame, *_scale(unit), *lines, *dots, *_recommendation(places[board.named()])]


def _scale(unit):
    """Lines at 0, ½ and 1 of the chart; with a large bound there is no room for ½."""
    shapes = []
    for value, words in ((0, "0"), (0.5, "½" if unit > 40 else ""), (1, "1")):
        y = _FOOT - unit * value
        shapes += [svg.line(26, y, _RIGHT, y, "thin"), right_text(22, y, words, 13)]
    return shapes


def _recommendation(x):
    """A mark below a point of the line, and its words, which do not leave the picture."""
    peak = [(x - 5, _FOOT + 12), (x + 5, _FOOT + 12), (x, _FOOT + 4)]
    anchor, at = ("end", min(x + 5, _RIGHT)) if x > 200 else ("start", x - 5)
    words = svg.text(at, _FOOT + 23, "NTBEA would recommend this one", 13, "mark", anchor=anchor)
    return [svg.path(peak, "mark", closed=True), words]


def _dot(x, y, hollow):
    """The estimate of a point; hollow if nobody has played there."""
    disc = [svg.circle(x, y, 3.5, "c0")]
    return [*disc, svg.circle(x, y, 2.3, "paper")] if hollow else disc


def _box(x, y, width, height):
    return f"M{x:g} {round(y, 1):g}h{width:g}v{round(height, 1):g}h-{width:g}z"


def _boxes(boxes, look, **attributes):
    """Many boxes as one shape: a picture that is kept should be small."""
    return svg.element("path", d="".join(boxes) or "M0 0", class_=look, **attributes)
