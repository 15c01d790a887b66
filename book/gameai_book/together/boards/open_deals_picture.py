"""The picture of open deals: a bar of 25 points for each, and means."""

from gameai_book.hanabi.boards.marks import left
from gameai_lib.hanabi.game.cards import N_CARDS
from touchbook.board import svg
from touchbook.board.chart import Chart

ROW, BAR = 28, 16  # of a deal, and of its bar
N_ROWS = 8
FILLS = ("c0", "c2", "c4", "soft")
HEADS = ("points", "read", "open", "deck")
KEYS = ("the Convention", "won by reading", "won by open cards", "in no line found")
COLUMNS = (260, 302, 340, 378)  # middles of the numbers
_CHART = Chart(58, 230, 0, 1, N_CARDS, 0, 1)


def say_parts(parts):
    """The four parts in words; `parts` are numbers or words."""
    first, read, opened, deck = parts
    return (
        f"the Convention makes {first} points, partners who read choices win {_more(read)}, open "
        f"cards win {_more(opened)}, and {deck} are in no line"
    )


def _more(part):
    """What is won more, or less: "2 more", "1 fewer"."""
    if isinstance(part, int):
        return f"{part} more" if part >= 0 else f"{-part} fewer"
    return f"{_signed(part)} more"


def draw(board):
    """The whole picture."""
    deals, top = board.deals + ((board.current,) if board.current else ()), 72
    first = N_ROWS * (max(0, len(deals) - 1) // N_ROWS)
    shapes = [*_key(), *_numbers(HEADS, 62 - ROW / 2, "muted")]
    for k in range(N_ROWS):
        y = top + ROW * k
        shapes += _row(deals[first + k], y) if first + k < len(deals) else [_track(y)]
    y = top + ROW * N_ROWS + 4
    shapes.append(svg.line(4, y, 396, y, "line"))
    y += 4
    means, errors = board.means if len(board.deals) > 1 else ((), ())
    shapes += [left(4, y + ROW / 2, "mean"), _track(y), *_bar(means, y)]
    shapes += _numbers([_signed(f"{mean:.1f}") for mean in means], y, "ink bold")
    shapes += _numbers([f"±{error:.1f}" for error in errors], y + 16, "muted")
    y += ROW + 24
    shapes += [svg.text(_CHART.x(value), y, value, 13, "muted") for value in range(0, 26, 5)]
    return svg.picture(400, y + 14, *shapes, label=board.title)


def _key():
    for k, (head, words, fill) in enumerate(zip(HEADS, KEYS, FILLS, strict=True)):
        x, y = (8, 204)[k % 2], (13, 32)[k // 2]
        yield svg.rect(x, y - 6, 12, 12, f"{fill} edge")
        yield left(x + 18, y, f"{head}: {words}")


def _row(deal, y):
    """A deal as far as it has been played."""
    words = [_signed(str(part)) for part in deal.parts]
    if deal.line and not deal.is_proven:
        words[-1] += "?"
    number = left(4, y + ROW / 2, f"deal {deal.number}")
    return [number, _track(y), *_bar(deal.parts, y), *_numbers(words, y)]


def _track(y):
    wide = _CHART.right - _CHART.left
    return svg.rect(_CHART.left, y + (ROW - BAR) / 2, wide, BAR, "paper edge")


def _numbers(words, y, look="ink"):
    """Words in the columns of a row, those that are known."""
    middle = y + ROW / 2
    return [svg.text(x, middle, word, 13, look) for x, word in zip(COLUMNS, words, strict=False)]


def _signed(words):
    return words.replace("-", "−")


def _bar(parts, y):
    """Parts beside each other; an arrow back is a part that is lost."""
    shapes, arrows, end = [], [], 0
    for part, fill in zip(parts, FILLS, strict=False):
        start, end = end, end + part
        if part > 0:
            x, wide = _CHART.x(start), _CHART.x(end) - _CHART.x(start)
            shapes.append(svg.rect(x, y + (ROW - BAR) / 2, wide, BAR, f"{fill} edge"))
        elif part < 0:
            arrows += _arrow(_CHART.x(start), _CHART.x(end), y + ROW / 2)
    return shapes + arrows


def _arrow(start, end, y):
    """What is lost again, from right to left."""
    yield svg.line(start, y - 7, start, y + 7, "stroke", stroke_width=2)
    yield svg.line(start, y, end + 4, y, "stroke", stroke_width=2)
    yield svg.path([(end - 1, y), (end + 6, y - 5), (end + 6, y + 5)], "ink", closed=True)
