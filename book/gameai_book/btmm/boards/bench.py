"""What the boards of this room share: choices below the picture, tables, scales and marks."""

from touchbook.board import svg
from touchbook.boards import Board, WrongTouch


class Chooser(Board):
    """A board with lists to choose from below its picture."""

    #: First word of the touch: (label, attribute, {value: words}).
    choices: dict = {}

    def selects(self):
        return [
            (
                label,
                [(_touch(what, value), words) for value, words in values.items()],
                _touch(what, getattr(self, attribute)),
            )
            for what, (label, attribute, values) in self.choices.items()
        ]

    def move(self, name):
        for what, (_, attribute, values) in self.choices.items():
            for value, words in values.items():
                if name == _touch(what, value):
                    if value == getattr(self, attribute):
                        raise WrongTouch(f"“{words}” is chosen already.")
                    setattr(self, attribute, value)
                    return True
        return super().move(name)


def _touch(what, value):
    return f"{what}-{value}" if isinstance(value, str) else f"{what}-{value:g}"


class Bench(Chooser):
    """A board without chance, on which a reader tries numbers: a seed changes nothing."""

    begins = "From the start"


def format_strength(value):
    """A strength in three figures, without powers of ten where it can be."""
    if value >= 1000:
        return f"{float(f'{value:.3g}'):,.0f}"
    return f"{value:.3g}" if value >= 0.001 else f"{value:.1g}"


def with_minus(text):
    """A number in words with the sign that print has for minus."""
    return text.replace("-", "−")


def key(y, marks, gap):
    """What marks stand for, in a row around `y`; each of `marks` is (left, mark, words)."""
    return [
        part
        for left, mark, words in marks
        for part in (mark, svg.text(left + gap, y, words, 13, anchor="start"))
    ]


def cross_table(names, left, top, cell):
    """Rows and columns of `names`; ``cell(i, j)`` is touch, label and mark of one."""
    shapes = []
    for i, name in enumerate(names):
        shapes.append(svg.text(left + 31 * i + 14.5, top - 13, name[0], 14, "ink bold"))
        shapes.append(svg.text(left - 16, top + 31 * i + 14.5, name[0], 14, "ink bold"))
        for j in range(len(names)):
            x, y = left + 31 * j, top + 31 * i
            if i == j:
                shapes.append(svg.rect(x, y, 29, 29, "soft"))
                continue
            touch, label, mark = cell(i, j)
            shapes.append(svg.target(touch, label, svg.rect(x, y, 29, 29, "paper edge")))
            shapes.append(svg.text(x + 14.5, y + 14.5, mark, 15))
    return shapes


def triangle(x, y, class_="c1"):
    """A mark that points up."""
    return svg.path([(x - 7, y + 6), (x + 7, y + 6), (x, y - 7)], class_, closed=True)


def ring(x, y, r=6.5):
    """The mark of where a reader stands."""
    return svg.circle(x, y, r, "on") + svg.circle(x, y, r, "stroke", stroke_width=2.5)


def cross(x, y, r, **style):
    """Two strokes that cross in a point."""
    return [svg.line(x - r, y - u, x + r, y + u, "stroke", **style) for u in (r, -r)]
