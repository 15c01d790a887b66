"""An open deal with other codes: what a move shares with the moves that are like it."""

from gameai_lib.base.jit import njit
from gameai_lib.hanabi.game.box import DECK_SIZE
from gameai_lib.hanabi.game.table import DRAWN, MOST, PLAYER
from gameai_lib.nrpa.problem.problem import seal
from gameai_lib.nrpa.problem.rules import Rules
from gameai_lib.together import open_deal as cards

SLOT_CODES = (2 * MOST + 1) * MOST  # play or discard a slot, or pass; and who does


@njit(cache=True)
def legal_by_slot(ints, floats, codes, start):
    """As `gameai_lib.together.open_deal.legal`; a code is a slot, whatever card lies there."""
    n = cards.legal(ints, floats, codes, start)
    for k in range(n):
        codes[start + k] = min(ints[cards.LISTED + k], 2 * MOST) * MOST + ints[PLAYER]
    return n


@njit(cache=True)
def legal_by_moment(ints, floats, codes, start):
    """The same; a code is that of the library, at one length of the deck alone."""
    n = cards.legal(ints, floats, codes, start)
    for k in range(n):
        codes[start + k] = codes[start + k] * (DECK_SIZE + 1) + ints[DRAWN]
    return n


LEGAL = {  # and how many codes there are
    "card": (cards.legal, cards.N_CODES),
    "card and moment": (legal_by_moment, cards.N_CODES * (DECK_SIZE + 1)),
    "slot": (legal_by_slot, SLOT_CODES),
}


def coded_deal(state, code):
    """The `open_deal` of a state, with the codes of this name in `LEGAL`."""
    problem = cards.open_deal(state)
    legal, n_codes = LEGAL[code]
    rules = Rules(cards.reset, legal, cards.play, cards.score)
    sizes = n_codes, problem.max_plies, problem.max_legal
    return seal(f"open deal by {code}", rules, problem.ints, [], *sizes)
