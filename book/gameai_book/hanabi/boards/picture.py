"""The table as SVG: hands, tokens, fireworks, and what can be touched."""

from gameai_book.hanabi.boards import words
from gameai_book.hanabi.boards.knowledge import PARTNER, READER
from gameai_book.hanabi.boards.marks import left, right
from gameai_lib.hanabi import Discard, HintColour, HintRank, Play
from gameai_lib.hanabi.game.box import (
    COLOUR_NAMES,
    COLOURS,
    MAX_HINTS,
    MAX_LIVES,
    N_COLOURS,
    N_RANKS,
)
from touchbook.board import svg

WIDTH, HEIGHT = 400, 480  # while a game lasts and no beliefs are open
STEP, CARD = 79, 76  # of slots, and the width of a card
PER_ROW = 12  # numbers of moves to look at
FILLS = tuple(f"card{colour}" for colour in range(N_COLOURS))
HINTS = [  # name of the touch, hint, letter, fill and ink
    (f"hint-{name}", HintColour(PARTNER, c), COLOURS[c], FILLS[c], "black")
    for c, name in enumerate(COLOUR_NAMES)
] + [
    (f"hint-{rank}", HintRank(PARTNER, rank), rank, "soft", "ink") for rank in range(1, N_RANKS + 1)
]


def draw(board, below=None):
    """The whole picture.

    What ``below(board, y)`` draws under the table it returns, and where that ends.
    """
    over, state = board.state.is_over, board.position
    parts = [*_tokens(state), left(4, 35, words.event(board)), *_hand(board, PARTNER, 60)]
    y = 166
    if not over:
        parts += _hints(state, y)
        y += 38
    parts += _fireworks(state, y)
    parts += _hand(board, READER, y + 98)
    y += 206
    if over:
        parts += _moves(board, y)
        y += 20 + 33 * -(-len(board.decisions()) // PER_ROW)
    else:
        parts += _actions(state, y)
        y += 66
    if below:
        shapes, y = below(board, y + 6)
        parts += shapes
    # The style sheet keeps a picture within the window. What opens below the table adds to that,
    # so that the table itself keeps its size and its place.
    within = f"max-height: calc(max(82vh, 34rem) * {(y + 4) / HEIGHT:.3f})"
    return svg.picture(WIDTH, y + 4, *parts, label="Hanabi table", style=within)


def place_of(slot):
    """Where a slot begins."""
    return 3 + STEP * slot


def heading(y, words):
    """What stands above a part of the picture."""
    return left(4, y, words, "ink bold")


def _tokens(state):
    y = 13
    yield left(4, y, "Tokens")
    for i in range(MAX_HINTS):
        yield svg.circle(58 + 13 * i, y, 5, "mark edge" if i < state.n_hints else "paper edge")
    yield left(164, y, "Lives")
    for i in range(MAX_LIVES):
        x = 206 + 15 * i
        diamond = [(x, y - 7), (x + 6, y), (x, y + 7), (x - 6, y)]
        yield svg.path(diamond, "bad edge" if i < state.n_lives else "paper edge", closed=True)
    yield left(258, y, f"Deck {state.n_deck}")
    yield right(396, y, f"Score {state.score}", "ink bold")


def _hand(board, player, y):
    """A hand; the reader's can be touched, and lies face down as long as the game lasts."""
    state, over, mine = board.position, board.state.is_over, player == READER
    yield heading(y, words.your_title(board) if mine else words.partners_title(board))
    touched = words.hinted_slots(board.frames[: board.moment], player)
    for slot, card in enumerate(state.hands[player]):
        x, top, mask = place_of(slot), y + 25, state.hint_mask[player, slot]
        face_up, pressed = over or not mine, mine and slot == board.chosen
        yield svg.text(x + CARD / 2, y + 17, f"slot {slot}", 13, "muted")
        shapes = [*_card(x, top, card if face_up else None, mask)]
        if slot in touched:
            shapes.append(svg.circle(x + 9, top + 9, 4.5, "mark edge"))
        if pressed:
            shapes.append(svg.rect(x + 1, top + 1, CARD - 2, 76, "ring", rx=5))
        told = words.describe_known(mask) + (", just hinted" if slot in touched else "")
        name = f", {COLOUR_NAMES[card // N_RANKS]} {card % N_RANKS + 1}" if face_up else ""
        if mine:
            label = f"Your slot {slot}{name}, hints say: {told}"
            yield svg.target(f"slot-{slot}", label, *shapes, pressed=pressed)
        else:
            label = f"Partner’s slot {slot}{name}, hints say: {told}"
            yield svg.element("g", *shapes, role="img", aria_label=label)


def _card(x, y, card, mask):
    """A card, None if it lies face down, and the colours and ranks that hints still allow."""
    colours, ranks = words.possible(mask)
    if card is None:
        colour = colours[0] if len(colours) == 1 else None
        rank = ranks[0] if len(ranks) == 1 else None
    else:
        colour, rank = divmod(card, N_RANKS)
    fill, ink = ("soft", "ink") if colour is None else (FILLS[colour], "black")
    name = ("?" if colour is None else COLOURS[colour]) + ("?" if rank is None else str(rank + 1))
    yield svg.rect(x, y, CARD, 78, "paper edge", rx=5)
    yield svg.rect(x, y, CARD, 42, f"{fill} edge", rx=5)
    yield svg.text(x + CARD / 2, y + 22, name.replace("??", "?"), 26, f"{ink} bold")
    for line, letters, allowed in ((51, COLOURS, colours), (67, "12345", ranks)):
        for i, letter in enumerate(letters):
            word, kind = (letter, "ink mono bold") if i in allowed else ("·", "muted mono")
            yield svg.text(x + 12 + 13 * i, y + line, word, 13, kind)


def _hints(state, y):
    legal = set(state.legal_moves())
    yield heading(y + 16, "Hint")
    for i, (name, hint, letter, fill, ink) in enumerate(HINTS):
        place = 37 + 36 * i + (3 if i >= N_COLOURS else 0), y, 32, 32
        tile = _tile(place, letter, 18, fill, f"{ink} bold")
        yield _button(name, f"Hint {words.name_hint(hint)}", tile, hint in legal)


def _tile(place, words, size, fill, ink, is_chosen=False):
    """What is touched: words in a box, with a ring if it is chosen."""
    x, y, wide, high = place
    yield svg.rect(*place, f"{fill} edge", rx=6)
    yield svg.text(x + wide / 2, y + high // 2 + 1, words, size, ink)
    if is_chosen:
        yield svg.rect(*place, "ring", rx=6)


def _button(name, label, shapes, is_legal):
    """What makes a move, pale if it is not legal."""
    label = label if is_legal else f"{label}, not possible"
    return svg.target(name, label, svg.element("g", *shapes, opacity=None if is_legal else "0.35"))


def _fireworks(state, y):
    yield heading(y + 8, "Fireworks")
    for colour, height in enumerate(state.fireworks.tolist()):
        x, top = 3 + 37 * colour, y + 18
        fill, ink = (FILLS[colour], "black") if height else ("paper", "muted")
        yield svg.rect(x, top, 34, 58, f"{fill} edge", rx=5)
        yield svg.text(x + 17, top + 17, COLOURS[colour], 15, f"{ink} bold")
        yield svg.text(x + 17, top + 40, height, 24, f"{ink} bold")
    yield left(200, y + 8, "Discarded", "ink bold")
    gone = state.discards.reshape(N_COLOURS, N_RANKS)
    for colour, row in enumerate(gone.tolist()):
        line = y + 24 + 13 * colour
        yield left(200, line, COLOURS[colour], "ink mono bold")
        cards = " ".join(str(r + 1) for r, n in enumerate(row) for _ in range(n))
        yield left(218, line, cards or "·", "ink mono")


def _actions(state, y):
    legal = set(state.legal_moves())
    for slot in range(len(state.hands[READER])):
        for k, (verb, move) in enumerate((("Play", Play(slot)), ("Discard", Discard(slot)))):
            tile = _tile((place_of(slot), y + 32 * k, CARD, 29), verb, 14, "soft", "ink")
            name, label = f"{verb.lower()}-{slot}", f"{verb} your slot {slot}"
            yield _button(name, label, tile, move in legal)


def _moves(board, y):
    """What can be looked at after the game."""
    title = words.moves_title(board)
    yield heading(y + 8, title) if board.looked is None else left(4, y + 8, title)
    for i, (move, other) in enumerate(board.decisions()):
        place = 3 + 33 * (i % PER_ROW), y + 20 + 33 * (i // PER_ROW), 30, 30
        same, looked = move == other, board.looked == i
        fill, ink = ("c5", "black bold") if same else ("paper", "ink bold")
        tile = _tile(place, i + 1, 13, fill, ink, looked)
        label = f"Move {i + 1}, {'as the Convention' if same else 'another than the Convention'}"
        yield svg.target(f"turn-{i + 1}", label, *tile, pressed=looked)
