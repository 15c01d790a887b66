"""Hanabi for two: the reader, own hand face down, and a partner with the hint convention."""

from gameai_book.hanabi.boards import hand_beliefs, knowledge, picture, words
from gameai_book.hanabi.boards.knowledge import READER
from gameai_book.hanabi.boards.seat import MARKS, RULES, SLOTS, Seat


class HanabiBoard(Seat):
    """Hanabi with a partner that follows the convention, and what beliefs make of it."""

    name = "hanabi"
    title = "Hanabi with a partner"
    rules = (
        *RULES,
        "Your partner follows a convention. A hint asks for the newest card that it touches to be "
        "played, unless everybody can see that this card does not fit. Your partner reads your "
        "hints in this way, and means its own hints in this way.",
        *MARKS,
        "If there are too many hands to list, “What your partner's choices tell” draws some of "
        "them at random. What it calls <1\N{NO-BREAK SPACE}% may then be impossible.",
    )
    views = {
        "beliefs": "Beliefs about your hand",
        "reasons": "What your partner's choices tell",
    }

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
    def slot(self):
        """The own slot whose beliefs are shown in full: the one touched last, or the newest."""
        last = len(self.position.hands[READER]) - 1
        return last if self.chosen is None else min(self.chosen, last)

    @property
    def beliefs(self):
        """`knowledge.Beliefs` of the reader in the position that is shown."""
        return knowledge.beliefs(self.position, self.frames[: self.moment], self.seed)

    def answer(self, state):
        return knowledge.advice(state)[0]

    tell_last = words.tell_convention
    tell_more = hand_beliefs.tell

    def svg(self):
        # What may be asked for later is found bit by bit, so that no touch takes long; the
        # first picture loads the compiled code of beliefs. After a seat it can wait.
        knowledge.beliefs(self.start, (), self.seed)
        if not self.moves:
            knowledge.likelihood_after(self.frames, self.seed)
        is_open = self.shown and not self.position.is_over
        return picture.draw(self, hand_beliefs.draw if is_open else None)
