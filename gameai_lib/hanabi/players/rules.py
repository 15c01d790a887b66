"""The rules of rule agents, each a kernel: which move does it propose?

``rule(table, p_playable, p_useless, rng)`` returns a move, as a number of
`gameai_lib.hanabi.game.table`, or `NONE`. The probabilities, (hand_size,) float arrays, are those
of the player to move about each own card; without a card they are -1.
"""

from gameai_lib.base.jit import draw, njit
from gameai_lib.hanabi.game.cards import DECK_SIZE, MAX_HINTS, N_CARDS, N_COLOURS, N_RANKS
from gameai_lib.hanabi.game.table import (
    DISCARD,
    DRAWN,
    HINT,
    HINTS,
    LAST,
    LIVES,
    PLAYER,
    TOUCHES,
    playable_set,
    possible_set,
)

NONE = -1
# V1 stops near its limit, so "certain" needs a margin; V0 and exact beliefs are 1 or well below.
CERTAIN = 1 - 1e-6


@njit(cache=True)
def random_move(table, p_playable, p_useless, rng):
    """Any legal move, all equally likely."""
    n_held = table.n_held[table.numbers[PLAYER]]
    n_spending = n_held * (1 + (table.numbers[HINTS] < MAX_HINTS))
    n_hints = _count_hints(table) if table.numbers[HINTS] > 0 else 0
    k = draw(n_spending + n_hints, rng)
    if k < n_held:
        return k
    if k < n_spending:
        return DISCARD + k - n_held
    return _find_hint(table, k - n_spending)


@njit(cache=True)
def play_certain(table, p_playable, p_useless, rng):
    """Play the oldest card that is certainly playable."""
    return _first(p_playable, CERTAIN)


@njit(cache=True)
def play_likely(table, p_playable, p_useless, rng):
    """With a life to spare, play the likeliest card if it is playable at 0.6 or more."""
    best = _likeliest(p_playable)
    return best if table.numbers[LIVES] > 1 and p_playable[best] >= 0.6 else NONE


@njit(cache=True)
def play_nearly_certain(table, p_playable, p_useless, rng):
    """Play the likeliest card if it is playable at 0.9 or more."""
    best = _likeliest(p_playable)
    return best if p_playable[best] >= 0.9 else NONE


@njit(cache=True)
def gamble_at_the_end(table, p_playable, p_useless, rng):
    """With a life to spare and no deck left, play the likeliest card whatever it is."""
    may = table.numbers[LIVES] > 1 and table.numbers[DRAWN] == DECK_SIZE
    return _likeliest(p_playable) if may else NONE


@njit(cache=True)
def discard_useless(table, p_playable, p_useless, rng):
    """Discard the oldest card that is certainly useless (Osawa's discard)."""
    slot = _first(p_useless, CERTAIN) if table.numbers[HINTS] < MAX_HINTS else NONE
    return NONE if slot == NONE else DISCARD + slot


@njit(cache=True)
def discard_likeliest_useless(table, p_playable, p_useless, rng):
    """Discard the card most probably useless."""
    return DISCARD + _likeliest(p_useless) if table.numbers[HINTS] < MAX_HINTS else NONE


@njit(cache=True)
def discard_oldest(table, p_playable, p_useless, rng):
    """Discard the card held longest."""
    return DISCARD if table.numbers[HINTS] < MAX_HINTS else NONE


@njit(cache=True)
def discard_randomly(table, p_playable, p_useless, rng):
    """Discard any card."""
    if table.numbers[HINTS] == MAX_HINTS:
        return NONE
    return DISCARD + draw(table.n_held[table.numbers[PLAYER]], rng)


@njit(cache=True)
def hint_useful(table, p_playable, p_useless, rng):
    """Tell anyone what they do not know of a playable card, its rank first."""
    for k in range(1, len(table.hands)):
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
    if not 0 < table.numbers[HINTS] < 4:
        return NONE
    lowest = N_RANKS
    for height in table.fireworks:
        lowest = min(lowest, height)
    for k in range(1, len(table.hands)):
        player = (table.numbers[PLAYER] + k) % len(table.hands)
        for slot in range(table.n_held[player]):
            card, knows = table.hands[player, slot], table.knows[player, slot]
            colour, rank = card // N_RANKS, card % N_RANKS
            height = table.fireworks[colour]
            no_colour, no_rank = not _knows_colour(knows), not _knows_rank(knows)
            if no_colour and (height == N_RANKS or (height > rank and not no_rank)):
                return 10 * k + N_RANKS + colour
            if no_rank and (lowest > rank or (height > rank and not no_colour)):
                return 10 * k + rank
    return NONE


@njit(cache=True)
def hint_unknown_to_next(table, p_playable, p_useless, rng):
    """Tell the next player something new about the oldest card, its colour first."""
    player = (table.numbers[PLAYER] + 1) % len(table.hands)
    for slot in range(table.n_held[player] if table.numbers[HINTS] > 0 else 0):
        card, knows = table.hands[player, slot], table.knows[player, slot]
        if not _knows_colour(knows):
            return HINT + N_RANKS + card // N_RANKS
        if not _knows_rank(knows):
            return HINT + card % N_RANKS
    return NONE


@njit(cache=True)
def hint_most(table, p_playable, p_useless, rng):
    """Give the hint that tells its colour or rank to most cards that lack it."""
    best, most = NONE, 0
    if table.numbers[HINTS] > 0:
        for hint in range(HINT, 10 * len(table.hands)):
            player = (table.numbers[PLAYER] + hint // 10) % len(table.hands)
            n_new = 0
            for slot in range(table.n_held[player]):
                knows = table.knows[player, slot]
                is_known = _knows_rank(knows) if hint % 10 < N_RANKS else _knows_colour(knows)
                n_new += TOUCHES[hint % 10] >> table.hands[player, slot] & 1 and not is_known
            if n_new > most:
                best, most = hint, n_new
    return best


@njit(cache=True)
def hint_randomly(table, p_playable, p_useless, rng):
    """Tell the next player the colour or the rank of any card."""
    if table.numbers[HINTS] == 0:
        return NONE
    player = (table.numbers[PLAYER] + 1) % len(table.hands)
    card = table.hands[player, draw(table.n_held[player], rng)]
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
    best, least = NONE, 1 << 30
    if table.numbers[HINTS] > 0:
        playable, player = playable_set(table), (table.numbers[PLAYER] + 1) % len(table.hands)
        for which in range(10):
            n_touched, newest = _touch(table, player, which)
            card, by_rank = table.hands[player, newest], int(which < N_RANKS)
            if n_touched and playable >> card & 1:
                key = ((card % N_RANKS * 8 + 8 - n_touched) * 2 + by_rank) * N_CARDS + card
                if key < least:
                    best, least = HINT + which, key
    return best


@njit(cache=True)
def discard_unmarked(table, p_playable, p_useless, rng):
    """Discard the oldest card of which neither the colour nor the rank is known."""
    player = table.numbers[PLAYER]
    for slot in range(table.n_held[player] if table.numbers[HINTS] < MAX_HINTS else 0):
        knows = table.knows[player, slot]
        if not _knows_colour(knows) and not _knows_rank(knows):
            return DISCARD + slot
    return NONE


@njit(cache=True)
def hint_nothing(table, p_playable, p_useless, rng):
    """Give the next player a hint that asks for nothing, as all can see."""
    if table.numbers[HINTS] > 0:
        live = playable_set(table) & possible_set(table.left)
        player = (table.numbers[PLAYER] + 1) % len(table.hands)
        for which in range(10):
            n_touched, newest = _touch(table, player, which)
            if n_touched and not table.knows[player, newest] & TOUCHES[which] & live:
                return HINT + which
    return NONE


@njit(cache=True)
def play_newest(table, p_playable, p_useless, rng):
    """Play the newest card, unseen."""
    return table.n_held[table.numbers[PLAYER]] - 1


@njit(cache=True)
def find_asked(table):
    """The slot that the last move asks the player to move to play, or `NONE`."""
    hint, player = table.numbers[LAST], table.numbers[PLAYER]
    if not HINT <= hint < 2 * HINT:
        return NONE
    # A hinted slot is one that the hint's cards are still possible in.
    for slot in range(table.n_held[player] - 1, -1, -1):
        if table.knows[player, slot] & TOUCHES[hint % 10]:
            possible = table.knows[player, slot] & possible_set(table.left)
            return slot if possible & playable_set(table) else NONE
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
    for slot in range(table.n_held[player]):
        if TOUCHES[which] >> table.hands[player, slot] & 1:
            n_touched, newest = n_touched + 1, slot
    return n_touched, newest


@njit(cache=True)
def _knows_colour(knows):
    n = 0
    for which in range(N_RANKS, N_RANKS + N_COLOURS):
        n += (knows & TOUCHES[which]) != 0
    return n <= 1


@njit(cache=True)
def _knows_rank(knows):
    n = 0
    for which in range(N_RANKS):
        n += (knows & TOUCHES[which]) != 0
    return n <= 1


@njit(cache=True)
def _hint_playable(table, k):
    # To the player k seats on: what they do not know of a playable card.
    playable, player = playable_set(table), (table.numbers[PLAYER] + k) % len(table.hands)
    for slot in range(table.n_held[player] if table.numbers[HINTS] > 0 else 0):
        card, knows = table.hands[player, slot], table.knows[player, slot]
        if playable >> card & 1:
            if not _knows_rank(knows):
                return 10 * k + card % N_RANKS
            if not _knows_colour(knows):
                return 10 * k + N_RANKS + card // N_RANKS
    return NONE


@njit(cache=True)
def _count_hints(table):
    n = 0
    for hint in range(HINT, 10 * len(table.hands)):
        n += _is_hint(table, hint)
    return n


@njit(cache=True)
def _find_hint(table, k):
    # The legal hint number k, by player from the next one, ranks before colours.
    for hint in range(HINT, 10 * len(table.hands)):
        k -= _is_hint(table, hint)
        if k < 0:
            return hint
    return NONE


@njit(cache=True)
def _is_hint(table, hint):
    player = (table.numbers[PLAYER] + hint // 10) % len(table.hands)
    n_touched, _ = _touch(table, player, hint % 10)
    return n_touched > 0
