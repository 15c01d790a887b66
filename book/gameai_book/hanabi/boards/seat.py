"""A reader's seat at a table of Hanabi for two, own hand face down, whoever the partner is."""

from functools import lru_cache
from itertools import islice

import numpy as np

from gameai_book.hanabi.boards import knowledge, picture, words
from gameai_book.hanabi.boards.knowledge import READER
from gameai_book.hanabi.boards.marks import numbered
from gameai_lib.base.checks import whole
from gameai_lib.hanabi import Discard, Frame, Play, State, play_game
from gameai_lib.hanabi.game.box import HAND_SIZE
from touchbook.boards import Board, WrongTouch

SLOTS = range(HAND_SIZE[2])
MOST_MOVES = 60  # that two programs may have made before the reader sits down
MOVES = {
    **{name: hint for name, hint, *_ in picture.HINTS},
    **{f"play-{slot}": Play(slot) for slot in SLOTS},
    **{f"discard-{slot}": Discard(slot) for slot in SLOTS},
}
RULES = (
    "You and your partner build five fireworks: red, yellow, green, white and blue. Each "
    "firework grows from 1 to 5, one card at a time. You win or lose together, and each card "
    "that is built is a point.",
    "You see your partner's cards, but not your own. Each colour has three 1s, two 2s, two "
    "3s, two 4s and one 5.",
    "In your turn you do one of three things. You may give a hint: it shows your partner all "
    "their cards of one colour, or all of one rank. A hint costs one of eight tokens.",
    "You may discard one of your cards. That brings a token back, and so does a complete firework.",
    "Or you may play one of your cards. If it is the next card of its colour, it is built. If "
    "not, you lose a life. With the third life you lose all points.",
    "After a play or a discard you draw a new card. It comes in on the right, as the newest. "
    "When the deck is empty, each of you has one more turn.",
)
MARKS = (
    "The letters and digits below a card are the colours and ranks that the hints still allow. "
    "A dot in the corner marks a card that the last hint touched.",
)


class Seat(Board):
    """The reader's turns and the partner's answers, on the deck of a seed.

    Seed s deals as ``play_game(agents, np.random.default_rng(s))``. Two Convention agents make
    the first `moves`, even, 0 to 60, and fewer than the game has, before the reader sits down as
    player 0. A reader who has just sat down is not told what the last hint asks for: the cards
    alone are the puzzle.

    A subclass adds the partner's move, ``answer(state)``, and words: ``tell_last()`` for what both
    did last, ``tell_more()``, lines about what is open or chosen, and ``tell_end()``.
    """

    def __init__(self, *, seed=0, moves=0):
        super().__init__(seed=seed)
        self.start = State.new(2, self.rng())
        self.moves = whole("moves", moves, 0, MOST_MOVES)
        self.frames = _opening(self.seed)[:moves] if moves else ()  # all turns so far
        if moves % 2 or len(self.frames) < moves or self.state.is_over:
            raise ValueError(f"moves must leave player 0 of seed {seed} a turn, got {moves}")
        # The own slot that was touched last; after the game the own move that is looked at, from 0.
        self.chosen = self.looked = None

    def options(self):
        return super().options() | {"moves": self.moves}

    def anew(self, **changed):
        # Another deal begins at its beginning.
        return super().anew(**({"moves": 0} if "seed" in changed else {}) | changed)

    @property
    def has_just_sat_down(self):
        """Whether the reader has made no move yet in a game that others began."""
        return 0 < self.moves == len(self.frames)

    def state_after(self, n_frames):
        """`State` of the game after so many of its turns."""
        return self.frames[n_frames - 1].next_state if n_frames else self.start

    @property
    def state(self):
        """`State` of the game now."""
        return self.state_after(len(self.frames))

    @property
    def moment(self):
        """How many frames have led to the position that is shown."""
        return len(self.frames) if self.looked is None else self.moves + 2 * self.looked

    @property
    def position(self):
        """`State` that is shown: of the game now, or of a move that is looked at after it."""
        return self.state_after(self.moment)

    def move(self, name):
        if name in MOVES:
            self._turn(MOVES[name])
            return True
        kind, number = numbered(name)
        if kind == "turn" and self.state.is_over and 1 <= number <= len(self.decisions()):
            self.looked = None if self.looked == number - 1 else number - 1
        elif kind == "slot" and 0 <= number < len(self.position.hands[READER]):
            self.chosen = number
        else:
            return super().move(name)
        return False

    def _turn(self, move):
        if reason := self.state.why_illegal(move):
            raise WrongTouch(f"You cannot {words.order(move)}: {reason}.")
        self._make(move)
        if not self.state.is_over:
            self._make(self.answer(self.state))
        self.chosen = words.asked_slot_of(self.state)

    def _make(self, move):
        self.frames = *self.frames, Frame(self.state, move, self.state.apply(move))

    def decisions(self):
        """List of pairs: each move of the reader, and what the Convention agent does there."""
        own = self.frames[self.moves :: 2]
        return [(frame.move, knowledge.advice(frame.state)[0]) for frame in own]

    def tell_end(self):
        """What else there is to say at the end."""
        return ""

    def say(self):
        return words.say(self)


@lru_cache(maxsize=50)
def _opening(seed):
    """The first moves of two Convention agents on the deck of a seed."""
    game = play_game([knowledge.AGENT] * 2, np.random.default_rng(seed))
    return tuple(islice(game, MOST_MOVES))
