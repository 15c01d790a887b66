"""Hanabi for two: the reader, own hand face down, and a partner with the hint convention."""

from functools import lru_cache
from itertools import islice

import numpy as np

from gameai_book.hanabi.boards import knowledge, picture, words
from gameai_book.hanabi.boards.knowledge import PARTNER, READER
from gameai_lib.base.checks import whole
from gameai_lib.hanabi import Discard, Frame, IllegalMove, Play, RuleAgent, State, play_game
from gameai_lib.hanabi.game.cards import HAND_SIZE
from touchbook.boards import Board, WrongTouch

RIVALS = ("Convention", "Van den Bergh")  # pairs that play the reader's deck
SLOTS = range(HAND_SIZE[2])
MOST_MOVES = 60  # that two programs may have made before the reader sits down
MOVES = {
    **{name: hint for name, hint, *_ in picture.HINTS},
    **{f"play-{slot}": Play(slot) for slot in SLOTS},
    **{f"discard-{slot}": Discard(slot) for slot in SLOTS},
}


class HanabiBoard(Board):
    """Hanabi with a partner that follows the convention, on the deck of a seed.

    Seed s deals as ``play_game(agents, np.random.default_rng(s))``. Two Convention agents make
    the first `moves`, even, 0 to 60, and fewer than the game has, before the reader sits down as
    player 0. A reader who has just sat down is not told what the last hint asks for: the cards
    alone are the puzzle.
    """

    name = "hanabi"
    title = "Hanabi with a partner"
    rules = (
        "You and your partner build five fireworks: red, yellow, green, white and blue. Each "
        "firework grows from 1 to 5, one card at a time. You win or lose together, and each card "
        "that is built is a point.",
        "You see your partner's cards, but not your own. Each colour has three 1s, two 2s, two "
        "3s, two 4s and one 5.",
        "In your turn you do one of three things. You may give a hint: it shows your partner all "
        "their cards of one colour, or all of one rank. A hint costs one of eight tokens.",
        "You may discard one of your cards. That brings a token back, and so does a complete "
        "firework.",
        "Or you may play one of your cards. If it is the next card of its colour, it is built. If "
        "not, you lose a life. With the third life you lose all points.",
        "After a play or a discard you draw a new card. It comes in on the right, as the newest. "
        "When the deck is empty, each of you has one more turn.",
        "Your partner follows a convention. A hint asks for the newest card that it touches to be "
        "played, unless everybody can see that this card does not fit. Your partner reads your "
        "hints in this way, and means its own hints in this way.",
        "The letters and digits below a card are the colours and ranks that the hints still allow. "
        "A dot in the corner marks a card that the last hint touched.",
        "If there are too many hands to list, “What your partner's choices tell” draws some of "
        "them at random. What it calls <1\N{NO-BREAK SPACE}% may then be impossible.",
    )
    views = {
        "beliefs": "Beliefs about your hand",
        "reasons": "What your partner's choices tell",
    }

    def __init__(self, *, seed=0, moves=0):
        super().__init__(seed=seed)
        self.start = State.new(2, self.rng())
        self.moves = whole("moves", moves, 0, MOST_MOVES)
        self.frames = _opening(self.seed)[:moves] if moves else ()  # all turns so far
        if moves % 2 or len(self.frames) < moves or self.state.is_over:
            raise ValueError(f"moves must leave player 0 of seed {seed} a turn, got {moves}")
        # The own slot and the partner's that were touched last; after the game the own move that
        # is looked at, from 0.
        self.chosen = self.pointed = self.looked = None

    def options(self):
        return super().options() | {"moves": self.moves}

    def anew(self, **changed):
        # Another deal begins at its beginning.
        return super().anew(**({"moves": 0} if "seed" in changed else {}) | changed)

    def runs_to_record(self):
        """Beliefs of each slot, and each card played that the last hint touched, with and without.

        What the partner's choices tell waits for Python, and for the part of a chapter about it.
        """
        if not self.moves:
            return []
        show, seat = "show-beliefs", self.anew(**self.options())
        runs = [(show, touch) for touch in (show, *map("slot-{}".format, SLOTS))]
        for slot in words.hinted_slots(seat.frames, READER):
            play = f"play-{slot}"
            runs += [(play, show), (show, play, show)]
        return runs

    @property
    def has_just_sat_down(self):
        """Whether the reader has made no move yet in a game that others began."""
        return 0 < self.moves == len(self.frames)

    @property
    def state(self):
        """`State` of the game now."""
        return self._state_after(len(self.frames))

    @property
    def moment(self):
        """How many frames have led to the position that is shown."""
        return len(self.frames) if self.looked is None else self.moves + 2 * self.looked

    @property
    def position(self):
        """`State` that is shown: of the game now, or of a move that is looked at after it."""
        return self._state_after(self.moment)

    def _state_after(self, n_frames):
        return self.frames[n_frames - 1].next_state if n_frames else self.start

    @property
    def slot(self):
        """The own slot whose beliefs are shown in full: the one touched last, or the newest."""
        last = len(self.position.hands[READER]) - 1
        return last if self.chosen is None else min(self.chosen, last)

    @property
    def beliefs(self):
        """`knowledge.Beliefs` of the reader in the position that is shown."""
        return knowledge.beliefs(self.position, self.frames[: self.moment], self.seed)

    def move(self, name):
        if name in MOVES:
            self._turn(name)
            return True
        kind, _, number = name.partition("-")
        number = int(number) if number.isdecimal() and len(number) < 4 else -1
        over = self.state.is_over
        if kind == "turn" and over and 1 <= number <= len(self.decisions()):
            self.looked = None if self.looked == number - 1 else number - 1
        elif kind == "slot" and 0 <= number < len(self.position.hands[READER]):
            self.chosen = number
        elif kind == "partner" and not over and 0 <= number < len(self.state.hands[PARTNER]):
            self.pointed = None if self.pointed == number else number
        else:
            return super().move(name)
        return False

    def _turn(self, name):
        state, move = self.state, MOVES[name]
        try:
            after = state.apply(move)
        except IllegalMove as refusal:
            reason = str(refusal).rpartition(": ")[2]
            raise WrongTouch(f"You cannot {words.order(move)}: {reason}.") from None
        self.frames = *self.frames, Frame(state, move, after)
        if not after.is_over:
            move, _ = knowledge.advice(after)
            self.frames = *self.frames, Frame(after, move, after.apply(move))
        self.chosen, self.pointed = words.asked_slot_of(self.state), None

    def decisions(self):
        """List of pairs: each move of the reader, and what the Convention agent does there."""
        own = self.frames[self.moves :: 2]
        return [(frame.move, knowledge.advice(frame.state)[0]) for frame in own]

    def rivals(self):
        """Scores by name of pairs of programs on the same deck."""
        return {name: _self_play(name, self.seed) for name in RIVALS}

    def svg(self):
        # What may be asked for later is found bit by bit, so that no touch takes long; the
        # first picture loads the compiled code of beliefs. After a seat it can wait.
        knowledge.beliefs(self.start, (), self.seed)
        if not self.moves:
            knowledge.likelihood_after(self.frames, self.seed)
        for name in RIVALS[: len(self.log)]:
            _self_play(name, self.seed)
        return picture.draw(self)

    def say(self):
        return words.say(self)


@lru_cache(maxsize=50)
def _opening(seed):
    """The first moves of two Convention agents on the deck of a seed."""
    game = play_game([knowledge.AGENT] * 2, np.random.default_rng(seed))
    return tuple(islice(game, MOST_MOVES))


@lru_cache(maxsize=50)
def _self_play(name, seed):
    agent = RuleAgent(name)
    for frame in play_game([agent, agent], HanabiBoard(seed=seed).rng()):
        last = frame.next_state
    return last.score
