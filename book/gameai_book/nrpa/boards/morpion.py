"""Morpion Solitaire to play: touch the point to add, and the line through it is drawn."""

import re

import numpy as np

from gameai_book.nrpa.boards.advice import chance_box, percent
from gameai_book.nrpa.boards.tries import TriedBoard, count
from gameai_book.nrpa.boards.yardstick import standing
from gameai_lib.base import checks
from gameai_lib.base.jit import FAST
from gameai_lib.nrpa.game.morpion import (
    AREA,
    COORDINATES,
    DIRECTIONS,
    VARIANTS,
    code_of,
    line_of,
    start_points,
)
from gameai_lib.nrpa.game.morpion import morpion as problem_of
from gameai_lib.nrpa.search.trace import root_codes
from touchbook.board import svg
from touchbook.boards import WrongTouch

PITCH = 32  # from point to point, in units of the picture
LEAST_PITCH = 26  # in pixels; words of 13.5 units are then 11 pixels high
WIDEST = 400  # of a chart, so that a phone shows it whole
N_ITERATIONS, EVERY = (200, 2000) if FAST else (32, 12)  # of a search, and of its steps
POINT = re.compile(r"point:(-?\d{1,2}),(-?\d{1,2})")
LINE = re.compile(r"line-(H|V|DN|DP):(-?\d{1,2}),(-?\d{1,2})")
WAYS = {"H": "across", "V": "down", "DN": "diagonal, falling", "DP": "diagonal, rising"}
LETTERS = "abcdefghijklmnopqrstuvwxyz"
NAMES = 24  # width of the names of rows, height of those of columns
NUMBERS = {4: "four", 5: "five"}


class MorpionBoard(TriedBoard):
    """Morpion Solitaire "5D", "5T", "4D" or "4T": lines on a growing cross, as many as can be."""

    name = "morpion"
    views = {"legal": "Legal points"}
    unit, step = "lines", "line"

    def __init__(self, *, variant: str = "5D", seed: int = 0):
        super().__init__(seed=seed)
        self.variant = checks.one_of("variant", variant, VARIANTS)
        self.title = f"Morpion Solitaire {variant}"
        self.rules = _rules(variant)
        self._begin()

    def _begin(self):
        # Occupied points, in the order of the moves that added them, whose numbers they have.
        self.points = dict.fromkeys(start_points(self.variant), 0)
        self.codes = ()  # of the lines drawn
        self.chosen = None  # an empty point of which several lines are to be chosen from
        self._stand_at(problem_of(self.variant))

    def options(self):
        """Seed and variant."""
        return super().options() | {"variant": self.variant}

    def _stand_at(self, problem):
        self.here = problem
        self.legal = {}  # codes of the legal lines by the point that they add
        for code in root_codes(problem).tolist():
            (new,) = set(line_of(code, self.variant)) - self.points.keys()
            self.legal[new] = (*self.legal.get(new, ()), code)

    @property
    def over(self):
        return not self.legal

    @property
    def result(self):
        return len(self.codes)

    def meant(self, name):
        codes = self.legal.get(_point(name), ())
        return line_name(codes[0]) if len(codes) == 1 else super().meant(name)

    def _next_touch(self):
        return line_name(self.advice.codes[0])

    def move(self, name):
        """Draw a line; a point of several lines is chosen, or no longer chosen."""
        if (point := _point(name)) is not None:
            self._choose(point)
            return False
        match = LINE.fullmatch(name)
        if match is None:
            return super().move(name)
        direction, (x, y) = match[1], map(int, match.groups()[1:])
        code = code_of(x, y, direction) if x in COORDINATES and y in COORDINATES else -1
        new = next((point for point, codes in self.legal.items() if code in codes), None)
        if new is None:
            line = f"The line {WAYS[direction]} from {point_name((x, y))}"
            raise WrongTouch(f"{line} cannot be drawn now.")
        self.points = self.points | {new: len(self.codes) + 1}
        self.codes = (*self.codes, code)
        self.chosen = None
        self._go_on(root_codes(self.here).tolist().index(code))
        return True

    def _choose(self, point):
        place, (length, touching) = point_name(point), VARIANTS[self.variant]
        if point in self.points:
            raise WrongTouch(f"At {place} there is a point already: touch an empty one.")
        if point not in self.legal:
            why = f"No line of {NUMBERS[length]} can be completed at {place}"
            if self._is_blocked(point):
                shared = "more than an end" if touching else "a point"
                why += f": it would share {shared} with a line in the same direction"
            raise WrongTouch(why + ".")
        self.chosen = None if self.chosen == point else point

    def _is_blocked(self, point):
        """Whether only lines already drawn forbid a line that adds this point."""
        occupied = self.points.keys() | {point}
        length = VARIANTS[self.variant][0]
        return any(
            all((point[0] + k * dx, point[1] + k * dy) in occupied for k in range(-i, length - i))
            for dx, dy in DIRECTIONS.values()
            for i in range(length)
        )

    def _next(self):
        return f"draw line {len(self.codes) + 1}"

    def _search_size(self):
        return N_ITERATIONS, EVERY

    # What is shown.

    def _now(self):
        n, n_legal = len(self.codes), sum(map(len, self.legal.values()))
        if self.over:
            best = f"The best game known in {self.variant}"
            return [f"No line is left: {n} lines.", *standing(self.variant, n, "lines", best)]
        said = ["No line is drawn yet."]
        if n:
            last, added = line_words(self.codes[-1], self.variant), point_name([*self.points][-1])
            said = [f"{count(n, 'line')} drawn. The last goes {last}, and adds the point {added}."]
        said.append(
            f"{count(n_legal, 'line')} can be drawn now, at {count(len(self.legal), 'point')}."
        )
        if self.chosen:
            letters = ", ".join(LETTERS[: len(self.legal[self.chosen])])
            said.append(
                f"At {point_name(self.chosen)} there are several: touch {letters}, "
                "or touch the point again to choose none."
            )
        elif n == 0:
            said.append("Touch the empty point that you want to add. “Legal points” rings them.")
        return [" ".join(said)]

    def _liked(self):
        point, chance = max(self._chances().items(), key=lambda item: item[1])
        return f"Its policy likes the point {point_name(point)} best: {percent(chance)}."

    def _chances(self):
        """Probability of each legal point under the policy: of all lines that add it."""
        codes = root_codes(self.here).tolist()
        chances = dict(zip(codes, self._likes, strict=True))
        return {point: sum(chances[c] for c in codes) for point, codes in self.legal.items()}

    def svg(self):
        columns, rows = self._frame()

        def at(point):
            x, y = point[0] - columns[0] + 0.5, point[1] - rows[0] + 0.5
            return NAMES + x * PITCH, NAMES + y * PITCH

        width, height = NAMES + len(columns) * PITCH, NAMES + len(rows) * PITCH
        shapes = []
        for column in columns:
            x, _ = at((column, rows[0]))
            shapes.append(svg.line(x, NAMES, x, height, "thin"))
            shapes.append(svg.text(x, NAMES / 2, column_name(column), 15, "muted"))
        for row in rows:
            _, y = at((columns[0], row))
            shapes.append(svg.line(NAMES, y, width, y, "thin"))
            shapes.append(svg.text(NAMES / 2, y, row_name(row), 15, "muted"))
        shapes += [*self._faint(at, columns, rows), *self._drawn(at)]
        shapes += [*self._grid(at, columns, rows), *self._candidates(at)]
        below, extra = self._below(height, width)
        least = width * LEAST_PITCH / PITCH
        label = f"{self.title}, {count(len(self.codes), 'line')} drawn"
        return svg.picture(width, height + extra, *shapes, *below, label=label, least=least)

    def _frame(self):
        """Columns and rows of the picture; they grow only when a point comes close to the edge."""
        start = np.array(start_points(self.variant))
        now = np.array([*self.points])
        low = np.minimum(start.min(axis=0) - 2, now.min(axis=0) - 1)
        high = np.maximum(start.max(axis=0) + 2, now.max(axis=0) + 1)
        return [
            range(first, last + 1) for first, last in zip(low.tolist(), high.tolist(), strict=True)
        ]

    def _line(self, at, code, class_="", **look):
        line = line_of(code, self.variant)
        return svg.line(*at(line[0]), *at(line[-1]), class_ or f"s{code // AREA}", **look)

    def _faint(self, at, columns, rows):
        """The game that NRPA has found, its next line a little stronger.

        What does not fit is left out: a picture that grows while NRPA thinks moves the points.
        """
        shapes = []
        for i, code in enumerate(self.advice.codes if self.advice else ()):
            line = line_of(code, self.variant)
            if not all(x in columns and y in rows for x, y in line):
                continue
            wide, opacity = (1.5, 0.5) if i else (4, 0.9)
            look = {"stroke_width": wide, "stroke_dasharray": "5 4", "opacity": opacity}
            shapes.append(self._line(at, code, "stroke-muted" if i else "", **look))
            shapes += [svg.circle(*at(p), 2.5, "muted") for p in line if p not in self.points]
        return shapes

    def _drawn(self, at):
        n, shapes = len(self.codes), []
        for i, code in enumerate(self.codes, 1):
            shapes.append(self._line(at, code, stroke_width=6 if i == n else 3))
        for point, number in self.points.items():
            if not number:
                shapes.append(svg.circle(*at(point), 5, "ink"))
                continue
            size, (ring, words) = 14 if number < 100 else 13.5, ("paper edge", "ink")
            if number == n:
                ring, words = "mark", "on bold"
            shapes.append(svg.circle(*at(point), 12, ring))
            shapes.append(svg.text(*at(point), number, size, words))
        return shapes

    def _grid(self, at, columns, rows):
        """All points of the grid as targets: arrows then lead from each to its neighbours."""
        chances = self._chances() if self._likes else {}
        lettered = {self._far_end(code) for code in self.legal.get(self.chosen, ())}
        return [
            self._target((x, y), at, chances.get((x, y)))
            for y in rows
            for x in columns
            if (x, y) not in lettered
        ]

    def _target(self, point, at, chance):
        x, y = at(point)
        name = f"point:{point[0]},{point[1]}"
        marks = [svg.rect(x - PITCH / 2, y - PITCH / 2, PITCH, PITCH, "blank")]
        if point in self.points:
            number = self.points[point]
            whose = f"line {number}" if number else "of the cross"
            return svg.target(name, f"point {point_name(point)}, {whose}", *marks)
        n_lines = len(self.legal.get(point, ()))
        is_marked = "legal" in self.shown and n_lines
        label = f"empty point {point_name(point)}"
        if is_marked:
            label += f", {count(n_lines, 'line')}"
        if chance is not None:
            label += f", chance {percent(chance)}"
            marks += _chance(x, y, chance)
        elif is_marked:
            marks.append(svg.circle(x, y, 12, "paper"))
            marks.append(svg.circle(x, y, 12, "ring"))
            if n_lines > 1:
                marks.append(svg.text(x, y, n_lines, 15, "ink bold"))
        if point == self.chosen:
            marks.append(svg.rect(x - 13, y - 13, 26, 26, "ring", rx=4))
        pressed = point == self.chosen if n_lines > 1 else None
        return svg.target(name, label, *marks, pressed=pressed)

    def _candidates(self, at):
        """The lines through the chosen point, each with a letter at its far end."""
        shapes, targets = [], []
        for letter, code in zip(LETTERS, self.legal.get(self.chosen, ())):  # noqa: B905
            end = at(self._far_end(code))
            shapes.append(self._line(at, code, stroke_width=5, stroke_dasharray="7 4"))
            targets.append(
                svg.target(
                    line_name(code), f"line {letter}: {line_words(code, self.variant)}",
                    svg.circle(*end, 15, "paper"), svg.circle(*end, 13, "ring"),
                    svg.text(*end, letter, 15, "ink bold"),
                )
            )  # fmt: skip
        return shapes + targets

    def _far_end(self, code):
        """The end farther from the chosen point: no two lines through it have that in common."""
        line = line_of(code, self.variant)
        return line[-1] if 2 * line.index(self.chosen) < len(line) else line[0]

    def _below(self, y, width):
        """Legend, and at the end a chart; and how high they are."""
        if self.over:
            return self._chart(self.variant, y, min(width, WIDEST))
        signs = {}
        if self._likes:
            signs["chance, by the policy"] = lambda y: _chance(24, y, 0.37)
        elif "legal" in self.shown:
            words = "a line can be drawn; a number says how many"
            signs[words] = lambda y: [svg.circle(24, y, 9, "ring")]
        if self._left:
            look = {"stroke_width": 2, "stroke_dasharray": "5 4"}
            words = "best game found, as far as it fits; the thick line is next"
            signs[words] = lambda y: [svg.line(8, y, 40, y, "stroke-muted", **look)]
        shapes = []
        for row, (words, sign) in enumerate(signs.items()):
            middle = y + 14 + 24 * row
            shapes += [*sign(middle), svg.text(46, middle, words, 15, anchor="start")]
        return shapes, 24 * len(signs) + 4 * bool(signs)


def _chance(x, y, chance):
    return chance_box(x, y, chance, percent(chance) if chance < 0.995 else "100", 30, 14)


def line_name(code: int) -> str:
    """The touch that draws a line: "line-H:3,4" goes across from 3, 4."""
    (x, y), *_ = line_of(code, "5D")
    return f"line-{list(DIRECTIONS)[code // AREA]}:{x},{y}"


def line_words(code: int, variant: str) -> str:
    """A line in words."""
    first, *_, last = map(point_name, line_of(code, variant))
    return f"{WAYS[list(DIRECTIONS)[code // AREA]]}, from {first} to {last}"


def column_name(x: int) -> str:
    """A column as a letter, or two: those of all points that a game can reach count from a."""
    pair, letter = divmod(x - COORDINATES[0], len(LETTERS))
    return (LETTERS[pair - 1] if 0 < pair <= len(LETTERS) else "") + LETTERS[letter]


def row_name(y: int) -> str:
    """A row as a number from 1."""
    return str(y - COORDINATES[0] + 1)


def point_name(point) -> str:
    """A point as the picture names it: "l12"."""
    return column_name(point[0]) + row_name(point[1])


def _point(name):
    match = POINT.fullmatch(name) if isinstance(name, str) else None
    return match and (int(match[1]), int(match[2]))


def _rules(variant):
    length, touching = VARIANTS[variant]
    number = NUMBERS[length]
    share = (
        "may touch end to end, but share no more"
        if touching
        else "may not share a point, not even an end"
    )
    return (
        f"Draw lines of {number} points, across, down or diagonal. One of the {number} is new: "
        "you add it; the others are there already.",
        f"Lines in the same direction {share}. Lines that cross may share a point.",
        "Each new point can help to complete further lines. Draw as many as you can: the game "
        "ends when no line is left.",
        "Touch the empty point that you want to add: its line is drawn. If it completes several, "
        "they are shown with letters: touch the one that you want.",
    )
