"""The rules of rule agents, each a kernel: which move does it propose?

``rule(table, p_playable, p_useless, rng)`` returns a move, as a number of
`gameai_lib.hanabi.game.table`, or `NONE`. The probabilities, (hand_size,) float arrays, are those
of the player to move about each own card; without a card they are -1.
"""

import numpy as np

from gameai_lib.base.jit import draw, njit
from gameai_lib.hanabi.game import table as at
from gameai_lib.hanabi.game.box import IS_TOUCHED, MAX_HINTS, N_CARDS, N_RANKS, read_only
from gameai_lib.hanabi.game.table import DISCARD, HINT, MOST, ONE_COLOUR, TOUCHES, look, seat_after

NONE = -1
RANK_ONE = int(TOUCHES[0])
# (26,) the two hints that touch a card, as bits; and as a one in four bits for each.
HINTED = read_only(IS_TOUCHED.T @ (1 << np.arange(10)))
ONE_EACH = read_only(IS_TOUCHED.T @ (1 << 4 * np.arange(10, dtype=np.int64)))
# V1 stops near its limit, so "certain" needs a margin; V0 and exact beliefs are 1 or well below.
CERTAIN = 1 - 1e-6


def find_rules(names):
    """Return the rules of these names, in a text with spaces between."""
    return tuple(globals()[name] for name in names.split())


@njit(cache=True)
def random_move(table, p_playable, p_useless, rng):
    """Any legal move, all equally likely."""
    n_held = table[at.HELD + table[at.PLAYER]]
    n_spending = n_held * (1 + (table[at.HINTS] < MAX_HINTS))
    n_hints, _ = _last_hint(table, 10 * MOST) if table[at.HINTS] > 0 else (0, NONE)
    k = draw(n_spending + n_hints, rng)
    if k < n_held:
        return k
    if k < n_spending:
        return DISCARD + k - n_held
    return _last_hint(table, k - n_spending + 1)[1]


@njit(cache=True)
def play_certain(table, p_playable, p_useless, rng):
    """Play the oldest card that is certainly playable."""
    return _first(p_playable, CERTAIN)


@njit(cache=True)
def play_likely(table, p_playable, p_useless, rng):
    """With a life to spare, play the likeliest card if it is playable at 0.6 or more."""
    best = _likeliest(p_playable)
    return best if table[at.LIVES] > 1 and p_playable[best] >= 0.6 else NONE


@njit(cache=True)
def play_nearly_certain(table, p_playable, p_useless, rng):
    """Play the likeliest card if it is playable at 0.9 or more."""
    best = _likeliest(p_playable)
    return best if p_playable[best] >= 0.9 else NONE


@njit(cache=True)
def gamble_at_the_end(table, p_playable, p_useless, rng):
    """With a life to spare and no deck left, play the likeliest card whatever it is."""
    may = table[at.LIVES] > 1 and table[at.TURNS_LEFT] >= 0
    return _likeliest(p_playable) if may else NONE


@njit(cache=True)
def discard_useless(table, p_playable, p_useless, rng):
    """Discard the oldest card that is certainly useless (Osawa's discard)."""
    slot = _first(p_useless, CERTAIN) if table[at.HINTS] < MAX_HINTS else NONE
    return NONE if slot == NONE else DISCARD + slot


@njit(cache=True)
def discard_likeliest_useless(table, p_playable, p_useless, rng):
    """Discard the card most probably useless."""
    return DISCARD + _likeliest(p_useless) if table[at.HINTS] < MAX_HINTS else NONE


@njit(cache=True)
def discard_oldest(table, p_playable, p_useless, rng):
    """Discard the card held longest."""
    return DISCARD if table[at.HINTS] < MAX_HINTS else NONE


@njit(cache=True)
def discard_randomly(table, p_playable, p_useless, rng):
    """Discard any card."""
    if table[at.HINTS] == MAX_HINTS:
        return NONE
    return DISCARD + draw(table[at.HELD + table[at.PLAYER]], rng)


@njit(cache=True)
def hint_useful(table, p_playable, p_useless, rng):
    """Tell anyone what they do not know of a playable card, its rank first."""
    for k in range(1, table[at.N_PLAYERS]):
        hint = _hint_playable(table, k)
        if hint != NONE:
            return hint
    return NONE


@njit(cache=True)
def hint_useful_to_next(table, p_playable, p_useless, rng):
    """Tell the next player what they do not know of a playable card, its rank first."""
    return _hint_playable(table, 1)


@njit(cache=True)
def hint_dispensable(table, p_playable, p_useless, rng):
    """Short of tokens, tell anyone the fact that shows that a card has been played."""
    if not 0 < table[at.HINTS] < 4:
        return NONE
    lowest = N_RANKS
    for k in range(at.FIREWORKS, at.LEFT):
        lowest = min(lowest, table[k])
    for k in range(1, table[at.N_PLAYERS]):
        player = seat_after(table, k)
        for slot in range(table[at.HELD + player]):
            card, knows = look(table, player, slot)
            colour, rank = card // N_RANKS, card % N_RANKS
            height = table[at.FIREWORKS + colour]
            no_colour, no_rank = not _knows_colour(knows), not _knows_rank(knows)
            if no_colour and (height == N_RANKS or (height > rank and not no_rank)):
                return 10 * k + N_RANKS + colour
            if no_rank and (lowest > rank or (height > rank and not no_colour)):
                return 10 * k + rank
    return NONE


@njit(cache=True)
def hint_unknown_to_next(table, p_playable, p_useless, rng):
    """Tell the next player something new about the oldest card, its colour first."""
    player = seat_after(table, 1)
    for slot in range(table[at.HELD + player] if table[at.HINTS] > 0 else 0):
        card, knows = look(table, player, slot)
        if not _knows_colour(knows):
            return HINT + N_RANKS + card // N_RANKS
        if not _knows_rank(knows):
            return HINT + card % N_RANKS
    return NONE


@njit(cache=True)
def hint_most(table, p_playable, p_useless, rng):
    """Give the hint that tells its colour or rank to most cards that lack it."""
    best, most = NONE, 0
    if table[at.HINTS] > 0:
        for hint in range(HINT, 10 * table[at.N_PLAYERS]):
            player, touched, n_new = seat_after(table, hint // 10), TOUCHES[hint % 10], 0
            for slot in range(MOST * player, MOST * player + table[at.HELD + player]):
                knows = table[at.KNOWS + slot]
                is_known = _knows_rank(knows) if hint % 10 < N_RANKS else _knows_colour(knows)
                n_new += touched >> table[at.HANDS + slot] & 1 and not is_known
            if n_new > most:
                best, most = hint, n_new
    return best


@njit(cache=True)
def hint_randomly(table, p_playable, p_useless, rng):
    """Tell the next player the colour or the rank of any card."""
    if table[at.HINTS] == 0:
        return NONE
    player = seat_after(table, 1)
    card = table[at.HANDS + MOST * player + draw(table[at.HELD + player], rng)]
    by_rank = draw(2, rng)
    return HINT + card % N_RANKS if by_rank else HINT + N_RANKS + card // N_RANKS


@njit(cache=True)
def play_asked(table, p_playable, p_useless, rng):
    """Play the card that a hint has just asked for."""
    return find_asked(table)


@njit(cache=True)
def hint_asking(table, p_playable, p_useless, rng):
    """Ask the next player for a playable card.

    Of all hints whose newest touched card is playable: one that names the lowest rank; then
    one that touches most cards; then a colour before a rank; then the lowest card.
    """
    if table[at.HINTS] == 0:
        return NONE
    playable, player = table[at.PLAYABLE], seat_after(table, 1)
    first = at.HANDS + MOST * player
    end = first + table[at.HELD + player]
    n_touched = 0  # cards, in four bits for each hint
    for k in range(first, end):
        n_touched += ONE_EACH[table[k]]
    best, least, shown = NONE, 1 << 30, 0
    for k in range(end - 1, first - 1, -1):
        card = table[k]
        for by_rank in range(2 if playable >> card & 1 else 0):
            which = card % N_RANKS if by_rank else N_RANKS + card // N_RANKS
            if not shown >> which & 1:
                n = n_touched >> 4 * which & 15
                key = ((card % N_RANKS * 8 + 8 - n) * 2 + by_rank) * N_CARDS + card
                if key < least:
                    best, least = HINT + which, key
        shown |= HINTED[card]
    return best


@njit(cache=True)
def discard_unmarked(table, p_playable, p_useless, rng):
    """Discard the oldest card of which neither the colour nor the rank is known."""
    player = table[at.PLAYER]
    for slot in range(table[at.HELD + player] if table[at.HINTS] < MAX_HINTS else 0):
        knows = table[at.KNOWS + MOST * player + slot]
        if not _knows_colour(knows) and not _knows_rank(knows):
            return DISCARD + slot
    return NONE


@njit(cache=True)
def hint_nothing(table, p_playable, p_useless, rng):
    """Give the next player a hint that asks for nothing, as all can see."""
    player = seat_after(table, 1)
    for which in range(10 if table[at.HINTS] > 0 else 0):
        n_touched, _ = _touch(table, player, which)
        if n_touched and _would_ask(table, player, which) == NONE:
            return HINT + which
    return NONE


@njit(cache=True)
def play_newest(table, p_playable, p_useless, rng):
    """Play the newest card, unseen."""
    return table[at.HELD + table[at.PLAYER]] - 1


@njit(cache=True)
def gamble_if_possible(table, p_playable, p_useless, rng):
    """With a life to spare and no deck left, play the likeliest card, if it may be playable."""
    slot = gamble_at_the_end(table, p_playable, p_useless, rng)
    return slot if slot != NONE and p_playable[slot] > 0 else NONE


@njit(cache=True)
def hint_asking_with_two(table, p_playable, p_useless, rng):
    """With two tokens or more, ask the next player for a playable card."""
    return hint_asking(table, p_playable, p_useless, rng) if table[at.HINTS] > 1 else NONE


@njit(cache=True)
def hint_critical(table, p_playable, p_useless, rng):
    """Save the next player's oldest unmarked card, if it is needed and the last of its kind.

    That is the card which a player of the convention discards. The hint names its rank, or else
    its colour, and asks for no card that cannot be played.
    """
    return _hint_saving(table, _critical(table), 1)


@njit(cache=True)
def hint_critical_or_two(table, p_playable, p_useless, rng):
    """Save the next player's oldest unmarked card, if it is critical, or a 2 that is needed."""
    return _hint_saving(table, _critical(table) | TOUCHES[1] & ~table[at.USELESS], 1)


@njit(cache=True)
def hint_any_critical(table, p_playable, p_useless, rng):
    """Save the oldest critical one of all unmarked cards of the next player."""
    return _hint_saving(table, _critical(table), MOST)


@njit(cache=True)
def find_asked(table):
    """The slot that the last move asks the player to move to play, or `NONE`."""
    hint, player = table[at.LAST], table[at.PLAYER]
    if not HINT <= hint < 2 * HINT:
        return NONE
    # A hinted slot is one that the hint's cards are still possible in.
    for slot in range(table[at.HELD + player] - 1, -1, -1):
        knows = table[at.KNOWS + MOST * player + slot]
        if knows & TOUCHES[hint % 10]:
            return slot if knows & table[at.POSSIBLE] & table[at.PLAYABLE] else NONE
    return NONE


@njit(cache=True)
def _first(chances, least):
    for slot in range(chances.size):
        if chances[slot] >= least:
            return slot
    return NONE


@njit(cache=True)
def _likeliest(chances):
    # The oldest of the likeliest.
    best = 0
    for slot in range(1, chances.size):
        if chances[slot] > chances[best]:
            best = slot
    return best


@njit(cache=True)
def _touch(table, player, which):
    # How many cards of a player a hint touches, and the slot of the newest of them.
    n_touched, newest = 0, 0
    for slot in range(table[at.HELD + player]):
        if TOUCHES[which] >> table[at.HANDS + MOST * player + slot] & 1:
            n_touched, newest = n_touched + 1, slot
    return n_touched, newest


@njit(cache=True)
def _critical(table):
    # The set of cards that are needed and of which one copy is left.
    return table[at.POSSIBLE] & ~table[at.POSSIBLE + 1] & ~table[at.USELESS]


@njit(cache=True)
def _hint_saving(table, cards, n_unmarked):
    # Touch one of a set of cards among the oldest unmarked ones of the next player.
    player = seat_after(table, 1)
    for slot in range(table[at.HELD + player] if table[at.HINTS] > 0 else 0):
        card, knows = look(table, player, slot)
        if _knows_colour(knows) or _knows_rank(knows):
            continue
        if cards >> card & 1:
            for which in (card % N_RANKS, N_RANKS + card // N_RANKS):
                if is_honest(table, player, which):
                    return HINT + which
        n_unmarked -= 1
        if n_unmarked == 0:
            break
    return NONE


@njit(cache=True)
def _would_ask(table, player, which):
    # The slot that a hint would ask a player to play, or `NONE`.
    _, newest = _touch(table, player, which)
    knows = table[at.KNOWS + MOST * player + newest] & TOUCHES[which]
    return newest if knows & table[at.POSSIBLE] & table[at.PLAYABLE] else NONE


@njit(cache=True)
def is_honest(table, player, which):
    """Whether a hint asks a player for a card that can be played, or for nothing."""
    slot = _would_ask(table, player, which)
    return slot == NONE or table[at.PLAYABLE] >> table[at.HANDS + MOST * player + slot] & 1


@njit(cache=True)
def _knows_colour(knows):
    colours = (knows | knows >> 1 | knows >> 2 | knows >> 3 | knows >> 4) & RANK_ONE
    return not colours & (colours - 1)  # one at most


@njit(cache=True)
def _knows_rank(knows):
    ranks = (knows | knows >> 5 | knows >> 10 | knows >> 15 | knows >> 20) & ONE_COLOUR
    return not ranks & (ranks - 1)


@njit(cache=True)
def _hint_playable(table, k):
    # To the player k seats on: what they do not know of a playable card.
    playable, player = table[at.PLAYABLE], seat_after(table, k)
    for slot in range(table[at.HELD + player] if table[at.HINTS] > 0 else 0):
        card, knows = look(table, player, slot)
        if playable >> card & 1:
            if not _knows_rank(knows):
                return 10 * k + card % N_RANKS
            if not _knows_colour(knows):
                return 10 * k + N_RANKS + card // N_RANKS
    return NONE


@njit(cache=True)
def _last_hint(table, most):
    # Of the first legal hints, by player from the next one, ranks first: how many, and the last.
    n, last = 0, NONE
    for hint in range(HINT, 10 * table[at.N_PLAYERS]):
        n_touched, _ = _touch(table, seat_after(table, hint // 10), hint % 10)
        if n_touched and n < most:
            n, last = n + 1, hint
    return n, last
