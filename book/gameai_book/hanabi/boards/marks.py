"""What the chapter's boards draw alike."""

from touchbook.board import svg

SEEN = 0.005  # what differs less is drawn as the same


def left(x, y, words, class_="ink"):
    """Words that begin at a point."""
    return svg.text(x, y, words, 13, class_, anchor="start")


def right(x, y, words, class_="ink"):
    """Words that end at a point."""
    return svg.text(x, y, words, 13, class_, anchor="end")


def amount(p):
    """A probability or a number of copies in a sentence: "1", "0.33"."""
    return f"{p:.2f}".replace(".00", "")


def brief(p):
    """The same, as short as it can be read in a picture: ".33"."""
    return amount(p).removeprefix("0") or "0"


def numbered(name):
    """Kind and number of a touch such as "slot-3"; the number is -1 if there is none."""
    kind, _, number = name.partition("-")
    is_number = number.isascii() and number.isdecimal() and len(number) < 4
    return kind, int(number) if is_number else -1


def cross(x, y, width, height):
    """The strokes through a cell that is crossed out."""
    ends = (y + 8, y + height - 8), (y + height - 8, y + 8)
    return [svg.line(x + 8, y1, x + width - 8, y2, "line") for y1, y2 in ends]


def arrow(change):
    """The sign of a change that can be seen, and its colour; None if there is none."""
    if abs(change) <= SEEN:
        return None
    return ("▲", "good") if change > 0 else ("▼", "bad")
