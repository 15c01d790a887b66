"""A line of play with open cards, turn by turn: a small table, and words for each move."""

from gameai_book.hanabi.boards.marks import left
from gameai_book.hanabi.boards.picture import FILLS
from gameai_book.hanabi.boards.words import count
from gameai_lib.hanabi.game.cards import COLOURS, N_RANKS, Discard, Play, card_name
from touchbook.board import svg

ROW, STEP = 34, 38  # of a hand, and of a slot
WIDE, HIGH = 34, 28  # of a card
_FROM = 84  # the first slot


def say_move(state, move):
    """What is done and why that costs nothing, or what it costs: "plays R1"."""
    if not isinstance(move, Play | Discard):
        return "lets the next player move: the hint costs a token, and nobody needs what it says"
    card = state.hands[state.player][move.slot]
    if isinstance(move, Play):
        misses = (
            "" if state.playable()[card] else " to draw a card: it does not fit, and costs a life"
        )
        return f"plays {card_name(card)}{misses}"
    if state.useless()[card]:
        why = "which nobody needs any more"
    elif [*state.deck, *sum(state.hands, ())].count(card) > 1:
        why = "of which another copy is left"
    else:
        why = "the last copy: its colour cannot be finished any more"
    return f"discards {card_name(card)}, {why}"


def say_line(line):
    """The line and the turn that is shown; `line` is `OpenDealsBoard.line`, or None."""
    if line is None:
        return ""
    deal, states, turn = line
    moves = deal.line.moves
    n_plays, n_discards = (sum(isinstance(m, kind) for m in moves) for kind in (Play, Discard))
    n_hints = len(moves) - n_plays - n_discards
    return (
        f"NRPA's line of deal {deal.number} makes {deal.line.points} points with "
        f"{count(n_plays, 'play')}, {count(n_discards, 'discard')} and {count(n_hints, 'hint')}. "
        f"{_say_misses(n_plays - deal.line.points)}It was found after "
        f"{deal.line.n_playouts:,} games. {_say_turn(states, moves, turn)}"
    )


def _say_misses(n):
    if not n:
        return ""
    cards = "one card does" if n == 1 else f"{n} cards do"
    return f"Of those played, {cards} not fit: NRPA pays with a life where no discard is allowed. "


def _say_turn(states, moves, turn):
    if turn == len(moves):
        return f"After {turn} turns the game is over."
    state = states[turn]
    return f"Turn {turn + 1}: player {state.player} {say_move(state, moves[turn])}."


def draw_line(line, top):
    """Hands, fireworks and tokens at the turn that is shown; shapes, and where they end."""
    deal, states, turn = line
    state, moves = states[turn], deal.line.moves
    is_over = turn == len(moves)
    where = "the end" if is_over else f"turn {turn + 1} of {len(moves)}"
    shapes = [left(4, top + 8, f"Deal {deal.number} with open cards: {where}", "ink bold")]
    spent = None if is_over else getattr(moves[turn], "slot", None)
    if not is_over:
        shapes.append(left(4, top + 28, _short(state, moves[turn])))
    y = top + 42
    for player, hand in enumerate(state.hands):
        moves_now = player == state.player and not is_over
        words, look = (
            (f"player {player} ▶", "ink bold") if moves_now else (f"player {player}", "ink")
        )
        shapes.append(left(4, y + HIGH / 2, words, look))
        for slot, card in enumerate(hand):
            shapes += _card(_FROM + STEP * slot, y, card, moves_now and slot == spent)
        y += ROW
    shapes.append(left(4, y + HIGH / 2 + 4, "built"))
    for colour, height in enumerate(state.fireworks.tolist()):
        x = _FROM + STEP * colour
        if height:
            shapes += _card(x, y + 4, N_RANKS * colour + height - 1, is_spent=False)
        else:
            shapes.append(svg.rect(x, y + 4, WIDE, HIGH, "paper edge", rx=4))
            shapes.append(svg.text(x + WIDE / 2, y + 4 + HIGH / 2, COLOURS[colour], 15, "muted"))
    counts = ("tokens", state.n_hints), ("lives", state.n_lives), ("deck", len(state.deck)), (
        "score", state.score)  # fmt: skip
    for k, (words, n) in enumerate(counts):
        at = top + 42 + HIGH / 2 + 24 * k
        shapes += [left(300, at, words), svg.text(390, at, n, 13, "ink bold", anchor="end")]
    return shapes, y + 4 + HIGH + 10


def _short(state, move):
    """The move as it is said below the picture, up to its reason."""
    return f"player {state.player} {say_move(state, move).partition(':')[0]}"


def _card(x, y, card, is_spent):
    """A card, with a ring around it if it is spent in this turn."""
    yield svg.rect(x, y, WIDE, HIGH, f"{FILLS[card // N_RANKS]} edge", rx=4)
    yield svg.text(x + WIDE / 2, y + HIGH / 2, card_name(card), 15, "black bold")
    if is_spent:
        yield svg.rect(x - 1, y - 1, WIDE + 2, HIGH + 2, "ring", rx=5)
