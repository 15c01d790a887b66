"""What a search thinks of its moves in words, and how its partner's game ended."""

from gameai_book.hanabi.boards import words
from gameai_book.hanabi.boards.knowledge import READER
from gameai_book.hanabi.boards.words import count, describe_known, likeliest, order, would
from gameai_book.together.boards.thoughts import BELIEFS, rank_moves


def tell_last(board):
    """What the reader and the partner did last, and whether it left the Convention."""
    last, said = board.frames[-1], words.tell_moves(board)
    if last.state.player == READER or board.has_just_sat_down:
        return said
    search = board.answers[-1]
    if search.choice:
        before, usual = board.frames[-2], search.thought.moves[0]
        said = (
            f"You {words.say_past(before)}. Your partner {words.say_past(last)}. It left the "
            f"Convention, which {would(usual)} here."
        )
    slot = words.asked_slot_of(board.state)
    return said if slot is None else f"{said} {words.tell_asked(slot)}"


def tell_more(board):
    """Yield lines about the open charts, or about the slot that is chosen."""
    for player, search in board.panels():
        if player == READER:
            yield " ".join(_tell_seat(board, search))
        elif search:
            yield " ".join(_tell_partner(board, search))
        elif board.moves:
            yield (
                "Two programs that follow the Convention made the moves so far. Your partner "
                "thinks from its next move on."
            )
    if board.chosen is not None:
        hints = describe_known(board.position.hint_mask[READER, board.chosen], "hints say ")
        yield f"Your slot {board.chosen}: {hints}."


def _tell_partner(board, search):
    moves, choice = search.thought.moves, search.choice
    _, knew = BELIEFS[search.belief].of("your")
    tried = f"tried {count(len(moves), 'move')} on {search.n_deals} deals"
    if search.thought is board.answers[-1].thought or board.looked is not None:
        yield f"Your partner {tried} and {knew}. It chose to {_choice(search)}."
    else:
        yield f"Thinking on, your partner {tried} and {knew}. Now it would {_choice(search)}."
    if not choice and len(moves) > 1:
        second = next(int(k) for k in rank_moves(search.thought) if k)
        yield f"The best of its other moves is to {order(moves[second])}. {_gains(search, second)}"
    yield from _tell_why_so_few(board, search)


def _tell_seat(board, search):
    knows, _ = BELIEFS[search.belief].of("your partner's")
    yield (
        f"In your place a search that {knows} would {_choice(search)}. It tried "
        f"{count(len(search.thought.moves), 'move')} on {search.n_deals} deals."
    )
    yield from _tell_why_so_few(board, search)
    slot = board.chosen
    if slot is not None and slot < search.thought.hands.shape[1]:
        cards = likeliest(search.thought.belief[slot])
        yield f"In the hands that it imagined, your slot {slot} was most often {cards}."


def _tell_why_so_few(board, search):
    """Why a search that nobody watches ended before its last deal, if it did."""
    is_watched, n_others = search.turn in board.aloud, len(search.thought.moves) - 1
    if search.n_deals < board.n_deals and n_others and not is_watched:
        yield f"After {search.n_deals} deals all other moves were clearly worse already."


def _choice(search):
    """The move that a search chooses, and why."""
    chosen, usual = order(search.thought.moves[search.choice]), order(search.thought.moves[0])
    if not search.choice:
        return f"{usual}, as the Convention does"
    return f"{chosen}, where the Convention would {usual}. {_gains(search, search.choice)[:-1]}"


def _gains(search, k):
    """How much a move gains on the Convention's."""
    gain, error = float(search.thought.gains[k]), float(search.thought.errors[k])
    verb = "gains" if gain >= 0 else "loses"
    return (
        f"Compared with the Convention's move it {verb} {abs(gain):.2f} points on average, with a "
        f"standard error of {error:.2f}."
    )


def tell_end(board):
    """What two searchers made of the same deck, and how often the partner left the Convention."""
    said = ""
    if board.duel is not None:
        where = "Two searchers who sit down where you did" if board.moves else "Two searchers"
        verb = "score" if board.duel.is_over else "have built"
        points = board.duel.score if board.duel.is_over else int(board.duel.fireworks.sum())
        said += f" {where} {verb} {points}{'' if board.duel.is_over else ' so far'}."
    left = [search for search in board.answers if search.choice]
    said += f" Your partner left the Convention in {len(left)} of its "
    said += count(len(board.answers), "move")
    if left:
        gained = sum(float(search.thought.gains[search.choice]) for search in left)
        said += f", and expected to gain {gained:.1f} points by that in all"
    return f"{said}."
