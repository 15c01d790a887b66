"""What a search thinks of its moves as SVG: means and errors on one axis, below the table."""

from gameai_book.hanabi.boards import words
from gameai_book.hanabi.boards.knowledge import PARTNER, READER
from gameai_book.hanabi.boards.marks import left, right
from gameai_book.hanabi.boards.picture import heading
from gameai_book.together.boards.thoughts import BELIEFS, choose_rows
from gameai_lib.hanabi.players.searcher import N_ERRORS
from touchbook.board import svg
from touchbook.board.chart import LOOKS

MOST_ROWS, HEIGHT = 8, 20  # and the height of one
REACH = 2  # points at both ends of the axis; what lies beyond has an arrow and its number
MIDDLE, WIDE = 210, 102  # of the axis: its zero, and from there to each end
TITLES = {PARTNER: "What your partner thought", READER: "What search would do in your place"}
LOOK = LOOKS[0]


def draw(board, y):
    """All open charts, from `y` on, and where they end."""
    shapes = []
    for player, search in board.panels():
        shapes.append(heading(y + 8, TITLES[player]))
        if search is None:
            why = "Two programs made the moves so far." if board.moves else "It has not moved yet."
            if board.position.is_over:
                why = "Touch the number of a move to see its chart."
            shapes.append(left(4, y + 28, why))
            y += 44
        else:
            drawn, y = _chart(search, y)
            shapes += drawn
    return shapes, y


def _chart(search, y):
    rows = choose_rows(search, MOST_ROWS)
    top, foot = y + 36, y + 36 + HEIGHT * len(rows)
    shapes = [right(396, y + 26, "deals", "muted")]
    n_moves = len(search.thought.moves)
    if n_moves > len(rows):
        shapes.append(right(396, y + 8, f"best {len(rows)} of {n_moves}", "muted"))
    words_above = "points more than the Convention's move"
    shapes.append(svg.text(MIDDLE, y + 26, words_above, 13, "muted"))
    for value in range(-REACH, REACH + 1):
        shapes.append(svg.line(_x(value), top, _x(value), foot, "thin" if value else "line"))
        shapes.append(svg.text(_x(value), foot + 10, _signed(value), 13, "muted"))
    for i, k in enumerate(rows):
        shapes += _row(search, k, top + HEIGHT * i)
    return [*shapes, *_key(search, foot + 28)], foot + 64


def _x(gain):
    return MIDDLE + WIDE * gain / REACH


def _signed(value, digits=0):
    """A number with its sign, but for zero."""
    return f"{value:+.{digits}f}".replace("-", "−") if value else "0"


def _row(search, k, y):
    """One move: its name, mean, error and deals, and a frame if it is chosen."""
    thought, is_chosen, middle = search.thought, search.choice == k, y + HEIGHT / 2
    yield left(6, middle, words.order(thought.moves[k]), "ink bold" if is_chosen else "ink")
    if is_chosen:
        yield svg.rect(1, y + 1, 398, HEIGHT - 2, "ring", rx=4)
    n, all_deals = int(thought.n_deals[k]), search.n_deals
    is_open = n == all_deals
    yield right(392, middle, n if is_open else f"{n} of {all_deals}", "ink" if is_open else "muted")
    if k == 0:
        yield _diamond(MIDDLE, middle)
    else:
        yield from _mark(float(thought.gains[k]), float(thought.errors[k]), middle)


def _mark(gain, error, y):
    """A mean with two standard errors to each side; an arrow where it lies beyond the axis."""
    ends = [min(max(gain + sign * N_ERRORS * error, -REACH), REACH) for sign in (-1, 1)]
    if ends[0] < ends[1]:
        yield LOOK.line([(_x(ends[0]), y), (_x(ends[1]), y)])
    if abs(gain) <= REACH:
        yield LOOK.mark(_x(gain), y, 2)
        return
    sign = 1 if gain > 0 else -1
    tip = _x(sign * REACH)
    arrow = [(tip, y), (tip - 8 * sign, y - 5), (tip - 8 * sign, y + 5)]
    yield svg.path(arrow, LOOK.fill, closed=True)
    write = right if sign > 0 else left
    yield write(tip - 12 * sign, y, _signed(gain, 1))


def _diamond(x, y):
    return svg.path([(x, y - 6), (x + 5, y), (x, y + 6), (x - 5, y)], "ink", closed=True)


def _key(search, y):
    """What stands for the search and what it believes, and the frame of what it chooses."""
    yield LOOK.line([(4, y), (28, y)])
    yield LOOK.mark(16, y, 2)
    yield left(34, y, BELIEFS[search.belief].words)
    yield svg.rect(292, y - 8, 24, 16, "ring", rx=4)
    yield left(322, y, "its choice")
    yield _diamond(16, y + 20)
    yield left(34, y + 20, "the Convention's move")
    yield right(396, y + 20, "bars: ± 2 standard errors")
