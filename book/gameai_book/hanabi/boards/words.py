"""The table in words: what happened, what it means under the convention, how it ended."""

from gameai_book.hanabi.boards.knowledge import READER, advice, score_of_two
from gameai_lib.hanabi import Discard, HintColour, HintRank, Play, card_name
from gameai_lib.hanabi.game.box import COLOUR_NAMES, N_CARDS, N_COLOURS, N_RANKS
from gameai_lib.hanabi.game.moves import touched_slots
from gameai_lib.hanabi.players import rules
from gameai_lib.hanabi.players.agents import asked_slot

# Why the partner did what it did, by the rule of its list that proposed it.
REASONS = {
    rules.play_certain: "It knew for certain that the card fits.",
    rules.discard_useless: "It knew for certain that nobody needs the card.",
    rules.discard_unmarked: "It was the oldest card of which it knew neither colour nor rank.",
    rules.discard_oldest: "Hints have told it something about every card. This was the oldest.",
    rules.hint_nothing: "With all tokens there it may not discard.",
    rules.play_newest: "It had nothing else to do.",
}

# Why the Convention would have moved as it would, in the reader's place.
ADVICE = {
    rules.play_asked: "your partner had asked for it",
    rules.hint_asking: "the newest card that this hint touches fits",
    rules.play_certain: "with what V0 knows, the card is certain to fit",
    rules.discard_useless: "with what V0 knows, nobody can need the card",
    rules.discard_unmarked: "no hint can ask for a card, and this is the oldest card of which "
    "neither colour nor rank is known",
    rules.discard_oldest: "no hint can ask for a card. Hints have told something about every "
    "card, and this is the oldest",
    rules.hint_nothing: "no hint can ask for a card. With all tokens there it may not discard, "
    "so it gives a hint that asks for nothing",
    rules.play_newest: "nothing else is left to do",
}


def join(items, last="and"):
    """Words such as "0, 2 and 3"."""
    *first, end = map(str, items)
    return f"{', '.join(first)} {last} {end}" if first else end


def count(n, thing, things=None):
    """Words such as "1 card" and "no cards"."""
    return f"{n or 'no'} {thing if n == 1 else things or f'{thing}s'}"


def percent(p):
    """A probability in whole percents; one that is not quite 0 or 1 is said not to be."""
    number = f"{100 * p:.0f}"
    if 0 < p < 0.005:
        number = "<1"
    elif 0.995 <= p < 1 - 1e-9:
        number = ">99"
    return f"{number}\N{NO-BREAK SPACE}%"


def name_hint(hint):
    """What a hint names: "red", "3s"."""
    return COLOUR_NAMES[hint.colour] if isinstance(hint, HintColour) else f"{hint.rank}s"


def in_slots(slots):
    """Words such as "slot 2" and "slots 0 and 3"."""
    return f"slot{'s' if len(slots) > 1 else ''} {join(slots)}"


def chance(card, p):
    """A card and its probability, such as "G2 7 %", which no line breaks apart."""
    return f"{card_name(card)}\N{NO-BREAK SPACE}{percent(p)}"


def likeliest(row):
    """The three likeliest cards of a belief about a slot, and their chances."""
    best = [int(card) for card in (-row).argsort(kind="stable")[:3] if row[card]]
    return join(chance(card, row[card]) for card in best)


def order(move):
    """A move as it is asked for: "hint red", "play slot 2"."""
    if isinstance(move, HintColour | HintRank):
        return f"hint {name_hint(move)}"
    return f"{'play' if isinstance(move, Play) else 'discard'} slot {move.slot}"


def would(move):
    """A move as the convention makes it: "hints red", "plays slot 2"."""
    verb, _, rest = order(move).partition(" ")
    return f"{verb}s {rest}"


def say_past(frame):
    """A move that was made: "hinted red, slots 0 and 3", "played R1 from slot 2"."""
    state, move, after = frame
    if isinstance(move, HintColour | HintRank):
        slots = touched_slots(move, state.hands[move.player])
        return f"hinted {name_hint(move)}, {in_slots(slots)}"
    card = card_name(state.hands[state.player][move.slot])
    if isinstance(move, Discard):
        return f"discarded {card} from slot {move.slot}"
    end = ", which fitted" if after.score > state.score else ", which did not fit: a life is lost"
    return f"played {card} from slot {move.slot}{end}"


def asked_slot_of(state):
    """Slot that the partner's last move asks the reader to play, or None."""
    return None if state.is_over or state.player != READER else asked_slot(state)


def hinted_slots(frames, player):
    """Slots of `player` that the last hint touched; cards that left or moved are followed."""
    slots = []
    for state, move, _ in frames[-2:]:
        if isinstance(move, HintColour | HintRank) and move.player == player:
            slots = touched_slots(move, state.hands[player])
        elif isinstance(move, Play | Discard) and state.player == player:
            slots = [s - (s > move.slot) for s in slots if s != move.slot]
    return slots


def possible(mask):
    """(colours, ranks) that hints still allow, as lists of numbers from 0."""
    cards = mask[:N_CARDS].reshape(N_COLOURS, N_RANKS)
    return [cards.any(axis=axis).nonzero()[0].tolist() for axis in (1, 0)]


def describe_known(mask, begins=""):
    """What hints have told of a slot, such as "red or white, 1 or 2", or "no hint yet"."""
    colours, ranks = possible(mask)
    said = []
    if len(colours) < N_COLOURS:
        said.append(join([COLOUR_NAMES[c] for c in colours], "or"))
    if len(ranks) < N_RANKS:
        said.append(join([r + 1 for r in ranks], "or"))
    return begins + ", ".join(said) if said else "no hint yet"


def event(board):
    """The last move in one line."""
    if not board.moment:
        return "You begin."
    last = board.frames[board.moment - 1]
    who = "You" if last.state.player == READER else "Your partner"
    return f"{who} {say_past(last).replace(', which did not fit: a life is lost', ', a life lost')}"


def your_title(board):
    """What stands above the reader's hand: what the partner asks for."""
    if board.looked is not None:
        return f"Your hand before your move {board.looked + 1}, open"
    if board.state.is_over:
        return "Your hand at the end, open"
    if not board.has_just_sat_down:
        slot = asked_slot_of(board.state)
        if slot is not None:
            return f"Your hand: asked to play slot {slot}"
        if isinstance(board.state.last_move, HintColour | HintRank):
            return "Your hand: the hint asks for nothing"
    return "Your hand, oldest card first"


def partners_title(board):
    """What stands above the partner's hand."""
    is_end = board.state.is_over and board.looked is None
    return f"Your partner's hand{' at the end' if is_end else ', oldest card first'}"


def moves_title(board):
    """What stands above the moves after the game: about them, or about the one looked at."""
    if board.looked is None:
        return "Your moves. White: not as the Convention"
    move, other = board.decisions()[board.looked]
    same = "as the Convention does" if move == other else f"the Convention {would(other)}"
    return f"Move {board.looked + 1}: you {order(move)}, {same}"


def say(board):
    """The position in words."""
    if board.looked is not None:
        return "\n".join(_look_back(board))
    if board.state.is_over:
        return "\n".join(_end(board))
    happened = [board.tell_last()] if board.frames else []
    return "\n".join([*happened, _turn(board), *board.tell_more()])


def tell_moves(board):
    """What you and your partner did last, and why it did this if it followed the Convention."""
    last = board.frames[-1]
    if last.state.player == READER:
        return f"You {say_past(last)}."
    _, rule = advice(last.state)
    said = f"You {say_past(board.frames[-2])}. "
    if rule is rules.play_asked:
        return f"{said}As your hint asked, your partner {say_past(last)}."
    return f"{said}Your partner {say_past(last)}. {REASONS.get(rule, '')}".rstrip()


def tell_asked(slot):
    """What a hint asks of the reader."""
    return f"That asks you to play slot {slot}, the newest card it touches."


def tell_convention(board):
    """What you and your partner did last, and what that tells you if it follows the Convention."""
    last, said = board.frames[-1], tell_moves(board)
    if last.state.player == READER or board.state.is_over or board.has_just_sat_down:
        return said
    slot = asked_slot_of(board.state)
    if slot is not None:
        news = tell_asked(slot)
    elif advice(last.state)[1] is rules.play_asked:
        news = "That tells nothing about your hand."
    elif last.state.n_hints:
        news = (
            "It asked you for nothing, so no hint could: the newest card of each colour and of "
            "each rank in your hand did not fit."
        )
    else:
        news = "It had no token for a hint, so this tells hardly anything about your hand."
    return f"{said} {news}"


def _turn(board):
    state = board.state
    said = (
        f"Your turn: {count(state.n_hints, 'token')}, {count(state.n_lives, 'life', 'lives')}, "
        f"{count(state.n_deck, 'card')} in the deck, score {state.score}."
    )
    if state.turns_left is not None:
        said += " This is your last turn."
    if not board.frames:
        said += " Touch a hint below your partner's cards, or Play or Discard below one of yours."
    return said


def _end(board):
    score, n_lives = board.state.score, board.state.n_lives
    over = "The deck is empty, and both have had their last turn."
    if n_lives == 0:
        over = "The third life is lost, and with it all points."
    elif score == N_CARDS:
        over = "All fireworks are complete!"
    yield board.tell_last()
    yield (
        f"{over} Your score is {score} of {N_CARDS}. On the same deck two Convention programs "
        f"score {score_of_two(board.seed)}.{board.tell_end()}"
    )
    yield _compare(board.decisions())
    yield "Touch a number below your hand to look at that move again, your cards open."


def _compare(made):
    """The reader's moves beside the Convention's, both in pairs."""
    others = [i for i, (move, other) in enumerate(made) if move != other]
    same = len(made) - len(others)
    said = f"You did what the Convention does in {same} of {count(len(made), 'move')}."
    if others:
        move, other = made[others[0]]
        said += (
            f" Your move {others[0] + 1} was the first that differs: you chose to {order(move)}, "
            f"where the Convention {would(other)}."
        )
    return said


def _look_back(board):
    yield (
        f"Before your move {board.looked + 1}, with your cards open. {moves_title(board)}. "
        f"Its reason: {ADVICE[advice(board.position)[1]]}."
    )
    yield from board.tell_more()
