"""The best line of a Hanabi deal with open cards: short searches of NRPA until no more can be had.

Short searches follow each other, as in Rosin (IJCAI 2011). Most deals allow all points, and a
hundred playouts find a line; where they do not, two simple proofs may say that none exists.
"""

from collections.abc import Iterator
from typing import NamedTuple

from gameai_lib.base import checks
from gameai_lib.base.interrupts import Interrupted
from gameai_lib.base.progress import Bar
from gameai_lib.base.types import Seed
from gameai_lib.hanabi.game.box import N_CARDS, N_RANKS
from gameai_lib.hanabi.game.moves import Move
from gameai_lib.hanabi.game.rules import State
from gameai_lib.nrpa.search.nrpa import NRPA
from gameai_lib.together.open_deal import moves_of, open_deal

LEVEL, N_ITERATIONS = 2, 50


class Line(NamedTuple):
    """A line of play to the end of the game."""

    points: int  #: at its end
    most: int  #: that no line exceeds; if these are the points, the line is proven best
    moves: tuple[Move, ...]  #: for `State.apply`, one after another
    n_playouts: int  #: of the searches


def most_points(state: State) -> int:
    """Points that no line of play from `state` exceeds, by two simple proofs.

    Look at the moment of any draw, and at the cards that wait: those that cannot be played before,
    because of one of their colour, or of a lower one, no copy was there yet.

    - Time: each play draws a card, and with the deck empty everybody has one more turn. So of the
      cards that wait, no more can be played than cards are left, and players.
    - Room: a card that waits and does not come again must be in a hand, and who draws has a slot
      free. So no more are kept than there are slots but one.

    Each that cannot be played or kept costs a point.

    Examples
    --------
    >>> most_points(State.new(2, np.random.default_rng([1, 50])))
    24
    """
    state = checks.kind("state", state, State)
    n_deck, n_slots = len(state.deck), state.n_players * state.hand_size
    wanted = [card for card in range(N_CARDS) if not state.useless()[card]]
    n_turns = n_deck + state.n_players if state.turns_left is None else state.turns_left
    lost = max(0, len(wanted) - n_turns)
    early = {card for hand in state.hands for card in hand}
    for k, card in enumerate(state.deck):
        waiting, late = _waiting(wanted, early), {*state.deck[k:]}
        n_kept = sum(one not in late for one in waiting)
        n_turns = n_deck - k - 1 + state.n_players
        lost = max(lost, len(waiting) - n_turns, n_kept - (n_slots - 1))
        early.add(card)
    return state.score + len(wanted) - lost


def _waiting(wanted, early):
    """The wanted cards, in order, that are not here early, or whose colour lacks one before."""
    waiting = []
    for card in wanted:
        follows = waiting and waiting[-1] == card - 1 and card % N_RANKS > 0
        if follows or card not in early:
            waiting.append(card)
    return waiting


def lines(state: State, rng: Seed) -> Iterator[Line]:
    """Yield the best line so far after each short search, without end.

    A search ends before its time with a line that is proven best.
    """
    problem, most, rng = open_deal(state), most_points(state), checks.generator(rng)
    line = Line(-1, most, (), 0)
    while True:
        search = NRPA(problem, rng, level=LEVEL, n_iterations=N_ITERATIONS)
        found = search.run(target=most)
        if found.score > line.points:
            line = line._replace(points=int(found.score), moves=moves_of(problem, found.choices))
        line = line._replace(n_playouts=line.n_playouts + search.n_playouts)
        yield line


def best_line(state: State, rng: Seed, *, n_playouts: int) -> Line:
    """Best line of play from `state` on with open cards, found by so many playouts.

    The number is looked at every 2,500 playouts; a line that is proven best ends the search, too. A
    deal is ``State.new(n_players, rng)``, or `State.from_deck`. Whoever has other limits goes
    through `lines`. If Ctrl-C ends the call after its first search, the `result` of the
    KeyboardInterrupt is the best line so far. Errors are those of `open_deal`.

    Examples
    --------
    >>> line = best_line(State.new(2, 7), 1, n_playouts=10_000)
    >>> line.points, line.most, len(line.moves), line.n_playouts
    (25, 25, 67, 279)
    >>> print(*line.moves[:4], sep=", ")
    plays 0, plays 2, plays 3, plays 4
    """
    n_playouts, found = checks.whole("n_playouts", n_playouts), lines(state, rng)
    line = next(found)  # compiles
    try:
        with Bar("best_line", n_playouts, "playouts") as bar:
            while line.n_playouts < n_playouts and line.points < line.most:
                line = next(found)
                bar(line.n_playouts, f"best {line.points}")
    except KeyboardInterrupt as stop:
        done = f"stopped after {line.n_playouts:,} playouts; the best line is kept"
        raise Interrupted(done, line) from stop
    return line
