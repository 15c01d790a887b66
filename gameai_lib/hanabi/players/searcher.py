"""One-ply search on a belief (SPARTA, Lerer et al. 2020), as a player among the others.

The searcher draws hands from what it believes, plays each of its legal moves on each of them to the
end of the game by its partners' rules, and makes the move that these rules would have made unless
another gains more points, by a margin and beyond chance.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.base.jit import assign, njit
from gameai_lib.base.types import Floats, Ints, Seed
from gameai_lib.hanabi.belief.bethe import bp_belief
from gameai_lib.hanabi.belief.exact import InconsistentState
from gameai_lib.hanabi.belief.v0 import v0_belief
from gameai_lib.hanabi.belief.v1 import v1_belief
from gameai_lib.hanabi.game import table as at
from gameai_lib.hanabi.game.box import N_CARDS
from gameai_lib.hanabi.game.moves import Move
from gameai_lib.hanabi.game.rules import State
from gameai_lib.hanabi.game.table import HINT, MOST, SIZE, act, move_of, number_of, points
from gameai_lib.hanabi.players import reading
from gameai_lib.hanabi.players.agents import RuleAgent, no_proposal
from gameai_lib.hanabi.players.playout import MOST_MOVES, decide, play_out, seat_rows
from gameai_lib.hanabi.players.rules import NONE, is_honest, play_asked

FIRST_LOOK = 10  # deals before the first look at which moves are clearly worse; then twice as many
N_ERRORS = 2.0  # standard errors that a gain must exceed, and by which a move is clearly worse
EXACT, PROMISED, READING, FORGIVING = "exact", "promised", "exact with L", "soft L"
SINGLE = {"V0": v0_belief, "V1": v1_belief, "BP": bp_belief}  # of each slot by itself
BELIEFS = (*SINGLE, EXACT, PROMISED, READING, FORGIVING)


class Thought(NamedTuple):
    """What a searcher thinks of its moves, after some deals."""

    moves: tuple[Move, ...]  #: legal moves, that of the rules first
    gains: Floats  #: (n_moves,) points more than by the first move, a mean over deals
    errors: Floats  #: (n_moves,) standard errors of these means
    n_deals: Ints  #: (n_moves,) deals played; fewer where a move was given up
    hands: Ints  #: (n_drawn, n_slots) own hands that the searcher has drawn

    @property
    def belief(self) -> Floats:
        """(n_slots, 25) float array: how often each card is in each slot of these hands."""
        return (self.hands[:, :, None] == np.arange(N_CARDS)).mean(axis=0)

    def choose(self, margin: float) -> Move:
        """The move of most gain, above `margin` and `N_ERRORS` of its errors; else the first.

        A move that was given up is not chosen: the few deals that it was played on may flatter it.
        """
        is_better = (self.gains > margin) & (self.gains > N_ERRORS * self.errors)
        is_better &= self.n_deals == self.n_deals[0]
        return self.moves[int(np.where(is_better, self.gains, 0).argmax())]


@dataclass(frozen=True)
class Searcher:
    """An agent that searches one move ahead, on hands drawn from a belief.

    It decides from what the player to move may know of a state, and from the moves so far. It
    draws its own hand from a belief: "V0", "V1" or "BP", each slot by itself; "exact", all that
    the hints allow; "promised", where a hint for a card was kept to; "exact with L", where the
    partners' moves are read as well; "soft L", where partners may search themselves.

    Examples
    --------
    >>> searcher = Searcher(RuleAgent("Convention"), n_deals=50)
    >>> state = State.new(2, 7)
    >>> print(searcher(state, np.random.default_rng(1)))
    hints 1 1s
    """

    #: By which it takes its partners to play, and plays on itself; rules of the library with V0.
    blueprint: RuleAgent = field(default_factory=lambda: RuleAgent("Convention"))
    belief: str = READING
    n_deals: int = 100  #: hands and decks that each move is played on
    margin: float = 0.1  #: points that another move must gain over that of the rules

    def __post_init__(self) -> None:
        if checks.kind("blueprint", self.blueprint, RuleAgent).row is None:
            names = short(self.blueprint.name)
            raise ValueError(f"a searcher plays on by rules of the library with V0, got {names}")
        checks.one_of("belief", self.belief, BELIEFS)
        checks.whole("n_deals", self.n_deals, 2)
        checks.number("margin", self.margin, 0)

    def __call__(self, state: State, rng: Seed | None) -> Move:
        """The move of the player to move in `state`."""
        *_, thought = self.think(state, rng)
        return thought.choose(self.margin)

    def think(self, state: State, rng: Seed | None) -> Iterator[Thought]:
        """Yield a `Thought` after 10, 20, 40, ... deals, the last one after all of them.

        It stops when all moves but that of the rules are clearly worse. A state in which the game
        is over is a ValueError.
        """
        if checks.kind("state", state, State).is_over:
            raise ValueError("the game is over: there is nothing to think about")
        rng = checks.generator(0 if rng is None else rng)
        rows = seat_rows(*[self.blueprint.row] * state.n_players)
        chances, table = np.empty((2, MOST)), state.table.copy()
        numbers = self._moves(state, rows, table, chances, rng)
        moves = tuple(move_of(int(number), state.player, state.n_players) for number in numbers)
        hands, copies = self._hands(state, rows, rng)
        scores = np.zeros((self.n_deals, len(moves)))
        n_deals = np.zeros(len(moves), np.int64)
        scratch, played = np.empty(SIZE, np.int64), np.empty(MOST_MOVES, np.int64)
        is_open = np.ones(len(moves), bool)
        start, stop = 0, min(FIRST_LOOK, self.n_deals)
        while start < stop and (is_open[1:].any() or not start):
            batch, work = slice(start, stop), (scratch, played, chances, rng)
            play_deals(rows, table, hands[batch], copies, numbers, is_open, scores[batch], *work)
            n_deals[is_open] = stop
            yield _thought(moves, scores, n_deals, hands)
            is_open[1:] &= ~_is_clearly_worse(scores[:stop], is_open)[1:]
            start, stop = stop, min(2 * stop, self.n_deals)

    def _moves(self, state, rows, table, chances, rng):
        """Legal moves as numbers, that of the rules first, without those that break a promise."""
        first, _ = decide(rows, table, chances, rng)
        if first == NONE:
            raise no_proposal(self.blueprint.rules)
        numbers = [number_of(move, state.player, state.n_players) for move in state.legal_moves()]
        others = [n for n in numbers if n != first and self._keeps_promise(table, n)]
        return np.array([first, *others], np.int64)

    def _keeps_promise(self, table, number):
        """Whether this is no hint that asks for a card that cannot be played."""
        is_asked = HINT <= number < 2 * HINT and play_asked in self.blueprint.rules
        return not is_asked or is_honest(table, at.seat_after(table, 1), number % 10)

    def _hands(self, state, rows, rng):
        """(n_deals, n_slots) own hands, and the (25,) copies that are out of sight."""
        me, n_slots, memory = state.player, len(state.hands[state.player]), reading.remember(state)
        candidates, mask = state.view(me)
        copies = candidates[:N_CARDS].astype(np.int64)
        by_hints = copies * mask[:n_slots, :N_CARDS].astype(float)
        weights = self._weights(state, by_hints, memory)
        if self.belief not in (READING, FORGIVING):
            memory = memory._replace(before=memory.before[:0], moves=memory.moves[:0])
        known = rows, memory, me
        if self.belief != FORGIVING:
            wanted = weights, copies, self.n_deals, 0, rng
            hands, _ = reading.draw_own_hands(*known, *wanted, is_joint=self.belief not in SINGLE)
            if len(hands):
                return np.resize(hands, (self.n_deals, n_slots)), copies
        # Of partners who promise nothing, no hand may keep all that hints seem to promise.
        for allowed in (weights, by_hints):
            wanted = allowed, copies, max(reading.N_WEIGHED, self.n_deals), len(memory.moves), rng
            hands, n_off = reading.draw_own_hands(*known, *wanted)
            if len(hands):
                weight = reading.FORGIVENESS ** (n_off - n_off.min())
                return rng.choice(hands, self.n_deals, p=weight / weight.sum()), copies
        raise InconsistentState("no hand agrees with the hints and the cards in sight")

    def _weights(self, state, by_hints, memory):
        """(n_slots, 25) weights by which the cards of each slot are drawn."""
        if self.belief in SINGLE:
            return SINGLE[self.belief](*state.view(state.player))[: len(by_hints), :N_CARDS]
        if self.belief == EXACT or play_asked not in self.blueprint.rules:
            return by_hints
        kept = by_hints * (memory.promised[: len(by_hints), None] >> np.arange(N_CARDS) & 1)
        # A promise that no card can keep was none.
        return np.where(kept.any(axis=1, keepdims=True), kept, by_hints)


def _thought(moves, scores, n_deals, hands):
    is_played = np.arange(len(scores))[:, None] < n_deals
    gains = np.where(is_played, scores - scores[:, :1], 0).sum(axis=0) / n_deals
    squares = np.where(is_played, (scores - scores[:, :1] - gains) ** 2, 0).sum(axis=0)
    errors = np.sqrt(squares / (n_deals * (n_deals - 1)))
    return Thought(moves, gains, errors, n_deals.copy(), hands)


def _is_clearly_worse(scores, is_open):
    best = np.where(is_open, scores.mean(axis=0), -1).argmax()
    less = scores[:, [best]] - scores
    return less.mean(axis=0) > N_ERRORS * less.std(axis=0, ddof=1) / np.sqrt(len(less))


@njit(cache=True)
def play_deals(rows, table, hands, copies, moves, is_open, scores, scratch, played, chances, rng):
    """Play each open move on each hand, with a shuffled deck, to the end, and write down scores."""
    for deal in range(len(hands)):
        hand, first = hands[deal], at.HANDS + MOST * table[at.PLAYER]
        for slot in range(hand.size):
            table[first + slot] = hand[slot]
        reading.fill_deck(copies, hand, table[at.DECK + table[at.DRAWN] :], rng)
        for k in range(moves.size):
            if is_open[k]:
                assign(scratch, table)
                act(scratch, moves[k])
                play_out(rows, scratch, played, chances, rng)
                scores[deal, k] = points(scratch) if scratch[at.LIVES] > 0 else 0
