"""Two agents of the league at one table: what each scores with itself, and both together."""

import numpy as np

from gameai_book.hanabi.boards.words import count, percent
from gameai_book.together.agents import AGENTS
from gameai_book.together.boards import partners_picture as picture
from gameai_book.together.boards.points import mean_and_error, say
from gameai_book.together.meeting import SEARCH, Meeting, meet, pace_of
from gameai_book.together.results.league import read_scores, write_scores
from gameai_lib.base import checks
from gameai_lib.hanabi.game.box import N_CARDS
from touchbook.boards import Board

SLUGS = {name: name.lower().replace(" ", "-") for name in AGENTS}
DECKS = (100, 40, 8)  # of one touch, from the fastest agents to the slowest
AT_ONCE = (10, 1, 1)  # decks between two pictures
MOST_DECKS = 1000
LABELS = "One partner", "The other partner"
N_PAIRS = 3  # the one with itself, the other with itself, both
RECORDED = ("Tuned", "Hearer", "IGGI", "Listener")  # whom a page can show before its Python wakes


class PartnersBoard(Board):
    """Points of two agents with themselves and with each other, on the same decks.

    `first` and `second` are names of `gameai_book.together.agents.AGENTS`. Deck i of seed s is
    dealt as in the stored league, whose seed is 1.
    """

    name, title = "partners", "Two partners at one table"
    rules = (
        "Choose two partners. Each of them plays Hanabi with a copy of itself, and then the two "
        "play together. All three pairs play the same decks.",
        "The columns show how many games ended with how many points. The dot below them is the "
        "mean, and the line through it reaches two standard errors to each side.",
        "A pair beats another pair on a deck if it scores more there. A tie is half a win. The "
        "bars show on how many decks the mixed pair beats each partner with itself.",
        "In the league every partner has one strength, and the strength of a pair is the product "
        "of two. The triangle shows how often the mixed pair should win by these strengths.",
        "If that were all, then what the mixed pair loses to the better of the two pairs, it "
        "would win from the other. Find partners for whom this is true, and partners for whom it "
        "is not.",
    )
    begins = "Other decks"

    def __init__(self, *, first="Convention", second="Mirror", seed=0):
        super().__init__(seed=seed)
        self.start = {"first": first, "second": second}
        self.names = tuple(checks.one_of(*pair, AGENTS) for pair in self.start.items())
        if first == second:
            raise ValueError(f"the two partners must be different agents, got {first} twice")
        self.scores = ()  # of the three pairs, deck by deck

    def options(self):
        return super().options() | self.start

    def runs_to_record(self):
        """These two in four pictures, then the first with some others, a picture each."""
        if self.pace == SEARCH:
            return []
        n = self._n_steps // 4
        runs = [(f"think-{n + 1}", *[f"think-{n}"] * 3)]  # the first step deals no deck
        for name in RECORDED:
            if name not in self.names:
                other = self.anew(second=name)
                runs.append((f"second-{SLUGS[name]}", f"think-{other._n_steps + 1}"))
        return runs

    @property
    def pace(self):
        """How long the slowest of the games takes: `PLAIN`, `FRAMES` or `SEARCH`."""
        return pace_of([AGENTS[name] for name in self.names])

    @property
    def meeting(self):
        """The `Meeting` so far, or None."""
        return Meeting(self.names, np.array(self.scores)) if self.scores else None

    def selects(self):
        lists = []
        for label, which, chosen in zip(LABELS, self.start, self.names, strict=True):
            touches = [(f"{which}-{slug}", name) for name, slug in SLUGS.items()]
            lists.append((label, touches, f"{which}-{SLUGS[chosen]}"))
        return lists

    def move(self, name):
        which, _, slug = name.partition("-")
        if which == "met" and self._may_be(slug):
            self.scores = (*self.scores, *read_scores(slug).reshape(-1, N_PAIRS).tolist())
            return True
        if which not in self.start or slug not in SLUGS.values():
            return super().move(name)
        chosen = next(agent for agent, of in SLUGS.items() if of == slug)
        old, other = self.names if which == "first" else self.names[::-1]
        # Who is chosen for both seats takes the one, and leaves the other to its partner.
        pair = (chosen, old if chosen == other else other)
        self.names = pair if which == "first" else pair[::-1]
        self.scores = ()
        return True

    def _may_be(self, letters):
        """Whether letters are scores of some decks, for which there is room."""
        n, rest = divmod(len(letters), N_PAIRS)
        known = set(write_scores(np.arange(N_CARDS + 1)))
        return 0 < n <= self._n_decks and not rest and known >= {*letters}

    @property
    def thinks(self):
        """Play so many decks; more of them as often as it is touched."""
        n = self._n_decks
        more = "more " if self.scores else ""
        return f"Play {n} {more}decks" if n else ""

    @property
    def _n_steps(self):
        """Pictures of one touch."""
        return self._n_decks // AT_ONCE[self.pace]

    @property
    def _n_decks(self):
        return min(DECKS[self.pace], MOST_DECKS - len(self.scores))

    def think(self):
        """Play decks; those of a picture are a move, which the text keeps as letters."""
        first, n, at_once = len(self.scores), self._n_decks, AT_ONCE[self.pace]
        yield 0.0  # seen before anything is compiled
        for k in range(0, n, at_once):
            scores = []
            for deck in range(k, k + at_once):
                scores += yield from meet(*self.names, self.seed, first + deck, deck / n)
            self.touch(f"met-{write_scores(scores)}")
            yield (k + at_once) / n

    def svg(self):
        return picture.draw(self)

    def say(self):
        one, other = self.names
        if not (found := self.meeting):
            return (
                f"{one} and {other} have played no deck yet. Guess: how many points will they "
                "make together?"
            )
        means, errors = mean_and_error(found.scores)
        pairs = [
            f"{pair} {say(mean, error, 1)}"
            for pair, mean, error in zip(picture.pairs_of(self.names), means, errors, strict=True)
        ]
        seen, expected = found.outcomes.mean(axis=0), found.expected
        return (
            f"Mean points on {count(len(self.scores), 'deck')}: {'; '.join(pairs)}. Each ± is a "
            f"standard error.\nThe mixed pair beats {one} with itself on {percent(seen[0])} of the "
            f"decks, and {other} with itself on {percent(seen[1])}. By their strengths it should "
            f"be {percent(expected[0])} and {percent(expected[1])}. Whatever the strengths are, "
            f"these two shares add up to {percent(1)}. The shares that were seen add up to "
            f"{percent(seen.sum())}: {_verdict(found)}"
        )


def _verdict(found):
    """What the two shares say of the pair, beyond three standard errors."""
    total, error = mean_and_error(found.outcomes.sum(axis=1))  # of one deck nothing is certain
    if total < 1 - 3 * error:
        return "the two lose by their partnership what no strength of theirs can say."
    if total > 1 + 3 * error:
        return "the two win by their partnership what no strength of theirs can say."
    shares, errors = mean_and_error(found.outcomes)
    if (np.abs(shares - found.expected) > 3 * errors).any():
        return "some strengths can say this, but not those of the league."
    return "that may be chance, and one strength for each partner may be enough."
