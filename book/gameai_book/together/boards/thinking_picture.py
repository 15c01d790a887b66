"""What a search thinks of its moves as SVG: means and errors on one axis, below the table."""

from gameai_book.hanabi.boards import words
from gameai_book.hanabi.boards.knowledge import PARTNER
from gameai_book.hanabi.boards.marks import left, right
from gameai_book.hanabi.boards.picture import heading
from gameai_book.together.boards.thoughts import BELIEFS, choose_rows
from gameai_lib.hanabi.players.searcher import N_ERRORS
from touchbook.board import svg
from touchbook.board.chart import LOOKS

MOST_ROWS = (8, 6)  # of one search, and of two beside each other
HEIGHTS = (20, 38)  # of a row of these
REACH = 2  # points at both ends of the axis; what lies beyond has an arrow and its number
MIDDLE, WIDE = 210, 102  # of the axis: its zero, and from there to each end
TITLES = {True: "What your partner thought", False: "What search would do in your place"}
RINGS = (None, "6 4")  # dashes of the frame around what each search chooses


def draw(board, y):
    """All open charts, from `y` on, and where they end."""
    shapes = []
    for panel in board.panels():
        drawn, y = (_chart if panel.searches else _nothing)(board, panel, y)
        shapes += drawn
    return shapes, y


def _nothing(board, panel, y):
    why = "It has not moved yet." if not board.moves else "Two programs made the moves so far."
    return [heading(y + 8, TITLES[panel.player == PARTNER]), left(4, y + 28, why)], y + 44


def _chart(board, panel, y):
    searches = panel.searches
    rows, high = choose_rows(searches, MOST_ROWS[len(searches) - 1]), HEIGHTS[len(searches) - 1]
    top, foot = y + 36, y + 36 + high * len(rows)
    shapes = [heading(y + 8, TITLES[panel.player == PARTNER]), right(396, y + 26, "deals", "muted")]
    words_above = "points more than the Convention's move"
    shapes.append(svg.text(MIDDLE, y + 26, words_above, 13, "muted"))
    for value in range(-REACH, REACH + 1):
        shapes.append(svg.line(_x(value), top, _x(value), foot, "thin" if value else "line"))
        shapes.append(svg.text(_x(value), foot + 10, _signed(value), 13, "muted"))
    for i, k in enumerate(rows):
        shapes += _row(searches, k, top + high * i, high)
    y = foot + 28
    for look, ring, search in zip(LOOKS, RINGS, searches, strict=False):
        shapes += _key(look, ring, search, y)
        y += 20
    shapes += [_diamond(16, y), left(34, y, "the Convention's move")]
    shapes.append(right(396, y, "bars: ± 2 standard errors"))
    return shapes, y + 16


def _x(gain):
    return MIDDLE + WIDE * gain / REACH


def _signed(value, digits=0):
    """A number with its sign, but for zero."""
    return f"{value:+.{digits}f}".replace("-", "−") if value else "0"


def _row(searches, k, y, high):
    """One move: its name, and for each search mean, error and deals."""
    chosen = [search.choice == k for search in searches]
    name = words.order(searches[0].thought.moves[k])
    yield left(6, y + high / 2, name, "ink bold" if any(chosen) else "ink")
    for i, (search, is_chosen) in enumerate(zip(searches, chosen, strict=True)):
        thought, middle = search.thought, y + high / 2 + 16 * (i - (len(searches) - 1) / 2)
        if is_chosen:
            box = 1 + 2 * i, y + 1 + 2 * i, 398 - 4 * i, high - 2 - 4 * i
            yield svg.rect(*box, "ring", rx=4, stroke_dasharray=RINGS[i])
        n, all_deals = int(thought.n_deals[k]), search.n_deals
        is_open = n == all_deals
        told = f"{n}" if is_open else f"{n} of {all_deals}"
        yield right(392, middle, told, "ink" if is_open else "muted")
        if k == 0:
            yield _diamond(MIDDLE, middle)
        else:
            yield from _mark(LOOKS[i], float(thought.gains[k]), float(thought.errors[k]), middle)


def _mark(look, gain, error, y):
    """A mean with two standard errors to each side; an arrow where it lies beyond the axis."""
    ends = [min(max(gain + sign * N_ERRORS * error, -REACH), REACH) for sign in (-1, 1)]
    if ends[0] < ends[1]:
        yield look.line([(_x(ends[0]), y), (_x(ends[1]), y)])
    if abs(gain) <= REACH:
        yield look.mark(_x(gain), y, 2)
        return
    sign = 1 if gain > 0 else -1
    tip = _x(sign * REACH)
    arrow = [(tip, y), (tip - 8 * sign, y - 5), (tip - 8 * sign, y + 5)]
    yield svg.path(arrow, look.fill, closed=True)
    write = right if sign > 0 else left
    yield write(tip - 12 * sign, y, _signed(gain, 1))


def _diamond(x, y):
    return svg.path([(x, y - 6), (x + 5, y), (x, y + 6), (x - 5, y)], "ink", closed=True)


def _key(look, ring, search, y):
    """What stands for a search, what it believes, and the frame of what it chooses."""
    yield look.line([(4, y), (28, y)])
    yield look.mark(16, y, 2)
    yield left(34, y, BELIEFS[search.belief].words)
    yield svg.rect(292, y - 8, 24, 16, "ring", rx=4, stroke_dasharray=ring)
    yield left(322, y, "its choice")
