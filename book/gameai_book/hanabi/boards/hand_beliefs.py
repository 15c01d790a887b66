"""Beliefs about the reader's hand: in words, and as SVG below the table."""

from gameai_book.hanabi.boards.knowledge import NAMES, READER, fits, open_beliefs
from gameai_book.hanabi.boards.picture import CARD, heading, place_of
from gameai_book.hanabi.boards.words import describe_known, join, likeliest, percent
from gameai_lib.hanabi import card_name
from gameai_lib.hanabi.game.box import COLOURS, N_CARDS, N_COLOURS, N_RANKS
from touchbook.board import svg

LEAST = 0.05  # change of a chance to fit that is worth a word
CELL = 22  # width of a cell in the table of a slot
TITLES = (
    "V0 counts cards, slot by slot (fits: can be played)",
    "Exact: no card can lie in two slots",
    "Exact with L: your partner had a reason, too",
)


def tell(board):
    """Yield lines about the beliefs that are open, or how to open them."""
    where = board.views["beliefs"]
    if board.shown:
        slot, found = board.slot, board.beliefs
        said = [f"{NAMES[k]} {likeliest(found[k][slot])}" for k in open_beliefs(board.shown)]
        hints = describe_known(board.position.hint_mask[READER, slot], "hints: ")
        yield f"Your slot {slot} ({hints}): {'; '.join(said)}."
        if "reasons" in board.shown:
            yield from _tell_news(board)
    elif board.looked is not None:
        yield f"Open {where} to see what each belief knew then."
    elif board.chosen is not None:
        hints = describe_known(board.state.hint_mask[READER, board.chosen], "hints say ")
        yield f"Your slot {board.chosen}: {hints}. Open {where} to see its chances."


def _tell_news(board):
    moved = [
        f"slot\N{NO-BREAK SPACE}{i} {percent(before)}\N{NO-BREAK SPACE}→ {percent(after)}"
        for i, (before, after) in enumerate(fits(board.beliefs, board.position.playable()))
        if abs(after - before) >= LEAST
    ]
    if moved:
        yield (
            "Your partner's choice alone has told you something. "
            f"The chance to fit has changed: {join(moved)}."
        )


def draw(board, y):
    """For each slot the likeliest card, and for one slot all cards.

    Returns the shapes, from `y` on, and where they end.
    """
    beliefs, playable, slot = board.beliefs, board.position.playable(), board.slot
    review, shapes = board.looked is not None, []
    for k in open_beliefs(board.shown):
        shapes.append(heading(y + 8, TITLES[k]))
        for i, note in enumerate(_notes(board, beliefs[k])):
            shapes += _likeliest(place_of(i), y + 18, beliefs[k][i], playable)
            if note:
                shapes.append(svg.text(place_of(i) + CARD / 2, y + 63, note, 13))
        y += 74 if review or beliefs[k] is beliefs.told else 58
    shapes.append(heading(y + 8, f"Slot {slot}, every card, in percent"))
    for at, k in enumerate(open_beliefs(board.shown)):
        card = board.position.hands[READER][slot] if review else None
        shapes += _grid(3 + 134 * at, y + 18, NAMES[k], beliefs[k][slot], card)
    return shapes, y + 54 + 18 * N_COLOURS


def _notes(board, belief):
    """What stands below each slot's likeliest card: the true one, or the chance before; or ""."""
    hand = board.position.hands[READER]
    if board.looked is not None:  # the cards are open only now
        return [f"is {card_name(f)} {percent(belief[i, f])}" for i, f in enumerate(hand)]
    if belief is not board.beliefs.told:
        return [""] * len(hand)
    pairs = fits(board.beliefs, board.position.playable())
    return [f"was {percent(p)}" if abs(now - p) >= LEAST else "" for p, now in pairs]


def _likeliest(x, y, row, playable):
    best = int(row.argmax())
    yield svg.rect(x, y, CARD, 36, "paper edge", rx=3)
    yield svg.rect(x, y, max(1, CARD * float(row[best])), 18, "mark", fill_opacity="0.35")
    name = f"{card_name(best)} {percent(row[best])}"
    yield svg.text(x + CARD / 2, y + 9.5, name, 13, "ink bold")
    yield svg.text(x + CARD / 2, y + 27, f"fits {percent(float(row @ playable))}", 13)


def _grid(x, y, title, row, card):
    """The chance of each card in one slot, with a ring around the `card` that lies there."""
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
