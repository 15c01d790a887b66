"""Beliefs about the reader's hand as SVG, below the table."""

from gameai_book.hanabi.boards import words
from gameai_book.hanabi.boards.knowledge import NAMES, READER, changes, fits, open_beliefs
from gameai_book.hanabi.boards.marks import left
from gameai_book.hanabi.boards.picture import CARD, heading, place_of
from gameai_lib.hanabi import card_name
from gameai_lib.hanabi.game.cards import COLOURS, N_CARDS, N_COLOURS, N_RANKS
from touchbook.board import svg

CELL = 22  # width of a cell in the table of a slot
TITLES = (
    "V0 counts cards, slot by slot (fits: can be played)",
    "Exact: no card can lie in two slots",
    "Exact with L: your partner had a reason, too",
)


def draw(board, y):
    """For each slot the likeliest card; for one slot all cards; what the last choice told.

    Returns the shapes, from `y` on, and where they end.
    """
    beliefs, playable, slot = board.beliefs, board.position.playable(), board.slot
    hand, review = board.position.hands[READER], board.looked is not None
    shapes = []
    for k in open_beliefs(board.shown):
        shapes.append(heading(y + 8, TITLES[k]))
        for i, note in enumerate(_notes(board, beliefs[k])):
            shapes += _likeliest(place_of(i), y + 18, beliefs[k][i], playable)
            if note:
                shapes.append(svg.text(place_of(i) + CARD / 2, y + 63, note, 13))
        y += 74 if review or beliefs[k] is beliefs.told else 58
    shapes.append(heading(y + 8, f"Slot {slot}, every card, in percent"))
    for at, k in enumerate(open_beliefs(board.shown)):
        card = hand[slot] if review else None
        shapes += _grid(3 + 134 * at, y + 18, NAMES[k], beliefs[k][slot], card)
    y += 54 + 18 * N_COLOURS
    if "reasons" in board.shown:
        news, height = _news(changes(beliefs), y)
        return shapes + news, y + height
    return shapes, y


def _notes(board, belief):
    """What stands below each slot's likeliest card: the true one, or the chance before; or ""."""
    hand = board.position.hands[READER]
    if board.looked is not None:  # the cards are open only now
        return [f"is {card_name(f)} {words.percent(belief[i, f])}" for i, f in enumerate(hand)]
    if belief is not board.beliefs.told:
        return [""] * len(hand)
    pairs = fits(board.beliefs, board.position.playable())
    return [f"was {words.percent(p)}" if abs(now - p) >= words.LEAST else "" for p, now in pairs]


def _likeliest(x, y, row, playable):
    best = int(row.argmax())
    yield svg.rect(x, y, CARD, 36, "paper edge", rx=3)
    yield svg.rect(x, y, max(1, CARD * float(row[best])), 18, "mark", fill_opacity="0.35")
    likeliest = f"{card_name(best)} {words.percent(row[best])}"
    yield svg.text(x + CARD / 2, y + 9.5, likeliest, 13, "ink bold")
    fits = f"fits {words.percent(float(row @ playable))}"
    yield svg.text(x + CARD / 2, y + 27, fits, 13)


def _grid(x, y, title, row, card):
    yield svg.text(x + 15 + 2.5 * CELL, y + 7, title, 13, "ink bold")
    for rank in range(N_RANKS):
        yield svg.text(x + 15 + CELL * (rank + 0.5), y + 23, rank + 1, 13, "muted")
    for f, p in enumerate(row[:N_CARDS].tolist()):
        column, line = x + 15 + CELL * (f % N_RANKS), y + 32 + 18 * (f // N_RANKS)
        if f % N_RANKS == 0:
            yield svg.text(x + 6, line + 9, COLOURS[f // N_RANKS], 13, "ink mono bold")
        yield svg.rect(column, line, CELL, 18, "paper edge")
        if p:
            yield svg.rect(column, line, CELL, 18, "mark", fill_opacity=f"{0.1 + 0.4 * p:.2f}")
        short = "<1" if 0 < p < 0.005 else f"{100 * p:.0f}" if p else "·"
        yield svg.text(column + CELL / 2, line + 9.5, short, 13, "ink" if p else "muted")
        if f == card:
            yield svg.rect(column + 1, line + 1, CELL - 2, 16, "ring")


def _news(news, y):
    shapes = [heading(y + 8, "Told by your partner's last choice alone")]
    if not news:
        shapes.append(left(4, y + 26, "nothing that you did not know before"))
        return shapes, 36
    rises = [c for c in news if c.after > c.before][:3]
    falls = [c for c in reversed(news) if c.after < c.before][:3]
    for x, sign, column in ((4, "▲", rises), (204, "▼", falls)):
        for i, c in enumerate(column):
            line = f"{sign} slot {c.slot}: {words.change(c)}"
            shapes.append(left(x, y + 26 + 16 * i, line))
    return shapes, 20 + 16 * max(len(rises), len(falls))
