"""Where do the lost points go? One deal after the other, played in three ways."""

import re

from gameai_book.hanabi.boards.marks import numbered
from gameai_book.together.boards import open_deals_picture as picture
from gameai_book.together.boards.points import mean_and_error
from gameai_book.together.split import split_before, split_deal
from gameai_lib.hanabi.game.cards import HAND_SIZE, N_CARDS
from touchbook.boards import Board

N_DEALS, MOST_DEALS = 8, 200  # of one touch, and of a board
# What was found of a deal: points of the readers and of the line, and its playouts.
SPLIT = re.compile(r"split-(\d{1,2})-(\d{1,2})-(\d{1,5})")


class OpenDealsBoard(Board):
    """Deals of which 25 points are split into four parts.

    Deal i of seed s is dealt by ``numpy.random.default_rng([s, i])``: those of seed 1 are the
    deals of the stored tables.
    """

    name, title = "open-deals", "Where do the lost points go?"
    rules = (
        "Each deal of Hanabi is played in three ways. First two agents who follow the Convention "
        "play it, and their points are the first part of the bar.",
        "Then two partners play it who search, with a belief that reads the partner's choices. "
        "The second part is what they win more: the others had not read it. In some deals they "
        "win less. Then an arrow points back. Single deals differ much, so look at the mean.",
        "At last NRPA plays it with all cards open, and with the deck open, too. The third part is "
        "what it wins more: nobody at the table could know enough for it.",
        "What is then lacking to 25 points is the deck: NRPA has found no line that makes them. A "
        "question mark says that there may be a better line. Without it, none exists.",
        "With open cards nobody needs a hint. A hint only lets the next player move, and it costs "
        "a token.",
    )
    begins = "Other deals"

    def __init__(self, *, seed=0):
        super().__init__(seed=seed)
        self._begin(2)

    def _begin(self, n_players):
        self.n_players = n_players
        self.deals, self.current = (), None  # deals that are over; a deal half played

    def runs_to_record(self):
        """Eight deals, a picture each."""
        board, steps, n = self.anew(), [], 0
        for _ in board.think():
            n += 1
            if len(board.deals) > len(steps):
                steps.append(f"think-{n}")
                n = 0
        return [tuple(steps)]

    @property
    def thinks(self):
        """Play some deals more."""
        if len(self.deals) >= MOST_DEALS:
            return ""
        return f"Play {N_DEALS} {'more ' if self.deals else ''}deals"

    def think(self):
        """Play deals; each is a move, so that nobody need play it again who loads the text."""
        yield 0.0  # seen before anything is compiled
        for k in range(N_DEALS):
            for deal in split_deal(self.n_players, self.seed, len(self.deals)):
                self.current = deal
                if not deal.is_whole:
                    yield k / N_DEALS
            self.touch(f"split-{deal.readers}-{deal.line.points}-{deal.line.n_playouts}")
            yield (k + 1) / N_DEALS

    def selects(self):
        numbers = [(f"players-{n}", str(n)) for n in HAND_SIZE]
        return [("Players", numbers, f"players-{self.n_players}")]

    def move(self, name):
        kind, number = numbered(name)
        if kind == "players" and number in HAND_SIZE:
            self._begin(number)
        elif not ((split := SPLIT.fullmatch(name)) and self._add(*map(int, split.groups()))):
            return super().move(name)
        return True

    def _add(self, readers, points, n_playouts):
        """Add a deal that has been played; whether there is room, and such points exist."""
        if not self.thinks or max(readers, points) > N_CARDS:
            return False
        found = readers, points, n_playouts
        deal = split_before(self.n_players, self.seed, len(self.deals), *found)
        self.deals, self.current = (*self.deals, deal), None
        return True

    @property
    def means(self):
        """Mean of each part of the deals, and its standard error."""
        return mean_and_error([deal.parts for deal in self.deals])

    def svg(self):
        return picture.draw(self)

    def say(self):
        if not self.deals:
            return (
                "No deal has been played yet. Guess: of 25 points, how many are lost because "
                "nobody can know enough, and how many because of the deck?"
            )
        deal = self.deals[-1]
        proven = "" if deal.is_proven else " It is not proven that no line makes more."
        said = f"Deal {deal.number}: {picture.say_parts(deal.parts)}.{proven}"
        if len(self.deals) > 1:
            means, errors = self.means
            numbers = [f"{mean:.1f} ± {e:.1f}" for mean, e in zip(means, errors, strict=True)]
            said += f"\nMean of {len(self.deals)} deals: {picture.say_parts(numbers)}."
            said += " Each ± is a standard error."
        return said
