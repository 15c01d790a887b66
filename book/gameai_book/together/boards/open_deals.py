"""Where do the lost points go? One deal after the other, played in three ways."""

import re

from gameai_book.hanabi.boards.marks import left, numbered
from gameai_book.together.boards.points import mean_and_error
from gameai_book.together.split import split_before, split_deal
from gameai_lib.hanabi.game.box import HAND_SIZE, N_CARDS
from touchbook.board import svg
from touchbook.board.chart import Chart
from touchbook.boards import Board

N_DEALS, MOST_DEALS = 8, 200  # of one touch, and of a board
# What was found of a deal: points of the readers and of the line, and its playouts.
SPLIT = re.compile(r"split-(\d{1,2})-(\d{1,2})-(\d{1,5})")
ROW, BAR = 28, 16  # of a deal, and of its bar
N_ROWS = 8
FILLS = ("c0", "c1", "c2", "soft")  # as in the figure of larger tables
HEADS = ("points", "read", "open", "deck")
KEYS = ("the Convention", "won by search", "won by open cards", "in no line found")
COLUMNS = (260, 302, 340, 378)  # middles of the numbers
_CHART = Chart(58, 230, 0, 1, N_CARDS, 0, 1)


class OpenDealsBoard(Board):
    """Deals of which 25 points are split into four parts.

    Deal i of seed s is dealt by ``numpy.random.default_rng([s, i])``: those of seed 1 are the
    deals of the stored tables.
    """

    name, title = "open-deals", "Where do the lost points go?"
    rules = (
        "Each deal of Hanabi is played in three ways. First two agents who follow the Convention "
        "play it, and their points are the first part of the bar.",
        "Then two partners play it who search, with a belief that reads the partner's choices. "
        "The second part is what they win more: the others had not read it. In some deals they "
        "win less. Then an arrow points back. Single deals differ much, so look at the mean.",
        "At last NRPA plays it with all cards open, and with the deck open, too. The third part is "
        "what it wins more: nobody at the table could know enough for it.",
        "What is then lacking to 25 points is the deck: NRPA has found no line that makes them. A "
        "question mark says that there may be a better line. Without it, none exists.",
        "With open cards nobody needs a hint. A hint only lets the next player move, and it costs "
        "a token.",
    )
    begins = "Other deals"

    def __init__(self, *, seed=0):
        super().__init__(seed=seed)
        self._begin(2)

    def _begin(self, n_players):
        self.n_players = n_players
        self.deals, self.current = (), None  # deals that are over; a deal half played

    def runs_to_record(self):
        """Eight deals, a picture each."""
        board, steps, n = self.anew(), [], 0
        for _ in board.think():
            n += 1
            if len(board.deals) > len(steps):
                steps.append(f"think-{n}")
                n = 0
        return [tuple(steps)]

    @property
    def thinks(self):
        """Play some deals more."""
        if len(self.deals) >= MOST_DEALS:
            return ""
        return f"Play {N_DEALS} {'more ' if self.deals else ''}deals"

    def think(self):
        """Play deals; each is a move, so that nobody need play it again who loads the text."""
        yield 0.0  # seen before anything is compiled
        for k in range(N_DEALS):
            for deal in split_deal(self.n_players, self.seed, len(self.deals)):
                self.current = deal
                if not deal.is_whole:
                    yield k / N_DEALS
            self.touch(f"split-{deal.readers}-{deal.line.points}-{deal.line.n_playouts}")
            yield (k + 1) / N_DEALS

    def selects(self):
        numbers = [(f"players-{n}", str(n)) for n in HAND_SIZE]
        return [("Players", numbers, f"players-{self.n_players}")]

    def move(self, name):
        kind, number = numbered(name)
        if kind == "players" and number in HAND_SIZE:
            self._begin(number)
        elif not ((split := SPLIT.fullmatch(name)) and self._add(*map(int, split.groups()))):
            return super().move(name)
        return True

    def _add(self, readers, points, n_playouts):
        """Add a deal that has been played; whether there is room, and such points exist."""
        if not self.thinks or max(readers, points) > N_CARDS:
            return False
        found = readers, points, n_playouts
        deal = split_before(self.n_players, self.seed, len(self.deals), *found)
        self.deals, self.current = (*self.deals, deal), None
        return True

    @property
    def means(self):
        """Mean of each part of the deals, and its standard error."""
        return mean_and_error([deal.parts for deal in self.deals])

    def svg(self):
        return _draw(self)

    def say(self):
        if not self.deals:
            return (
                "No deal has been played yet. Guess: of 25 points, how many are lost because "
                "nobody can know enough, and how many because of the deck?"
            )
        deal = self.deals[-1]
        proven = "" if deal.is_proven else " It is not proven that no line makes more."
        said = f"Deal {deal.number}: {say_parts(deal.parts)}.{proven}"
        if len(self.deals) > 1:
            means, errors = self.means
            numbers = [f"{mean:.1f} ± {e:.1f}" for mean, e in zip(means, errors, strict=True)]
            said += f"\nMean of {len(self.deals)} deals: {say_parts(numbers)}."
            said += " Each ± is a standard error."
        return said


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


def _draw(board):
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
