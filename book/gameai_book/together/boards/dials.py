"""The dials of the rule list, turned by hand: each list plays the same thousand decks."""

import os
from functools import lru_cache

import numpy as np

from gameai_book.hanabi.boards.marks import left, right
from gameai_book.together.boards.points import Axis, mean_and_error, say
from gameai_lib.hanabi.game.box import ALL_CARDS
from gameai_lib.hanabi.players.self_play import score_decks
from gameai_lib.together.rule_list import CONVENTION, SPACE, TUNED, agent_of
from touchbook import BOOK_BUILD
from touchbook.board import svg
from touchbook.board.chart import number, ticks
from touchbook.boards import Board, WrongTouch

# Of each dial the name, what it says, and the values in the order of `SPACE`, whose points are
# lists of rules. The places before which a rule may stand are called playing (the card asked for),
# asking, clearing (useless cards) and discarding.
DIALS = {
    "asking": ("Asking needs", "to ask for a card to be played", ("one token", "two tokens")),
    "last token asks": (
        "Last token asks", "when it may be spent on asking", ("as above", "before discard"),
    ),
    "saving": (
        "Save a card", "hint at what is discarded next", ("never", "a last copy", "also a 2"),
    ),
    "saving before": (
        "Save before", "where that hint stands in the list",
        ("playing", "asking", "clearing", "discard"),
    ),
    "any critical before": (
        "Save any before", "hint at a last copy anywhere",
        ("never", "asking", "clearing", "discard"),
    ),
    "certain before": (
        "Sure play before", "play what fits for certain, unasked",
        ("playing", "asking", "clearing"),
    ),
    "likely": ("Likely play", "play what fits with this chance", ("never", "at 90 %", "at 60 %")),
    "gamble": (
        "Final gamble", "play unknown cards, the deck empty", ("never", "always", "if it may fit"),
    ),
    "gamble before": (
        "Gamble before", "where that gamble stands in the list", ("playing", "asking", "clearing"),
    ),
    "useless before": ("Clear before", "discard what is of no use", ("asking", "discarding")),
    "discard": (
        "Discard", "which card, if no other rule moves", ("unmarked", "oldest", "least useful"),
    ),
    "all marked": (
        "If all marked", "which, if hints touched every card",
        ("oldest", "least useful", "any card"),
    ),
}  # fmt: skip
NAMES, MEANINGS, LABELS = zip(*(DIALS[dial] for dial in SPACE.names), strict=True)
PLAIN = tuple(SPACE.point_of(CONVENTION).tolist())
CHOSEN = tuple(SPACE.point_of(TUNED).tolist())  # by a tuner
SAVING = SPACE.names.index("saving")  # the dial that a page turns before its Python is awake
N_GAMES = 1000
PLAYERS = {2: "two", 3: "three", 4: "four", 5: "five"}
_LEFT, _WIDE, _HIGH, _ROW, _TOP = 7, 387, 27, 47, 42  # of the values
_FOOT = _TOP + _ROW * len(NAMES) - 15
_LINE = 23  # height of a row with a whisker
_ENDS = 132, 300  # of the axis


class DialsBoard(Board):
    """The twelve dials of the Convention's list of rules, and what each turn of one gains.

    All lists play the same decks, which come of the seed.
    """

    name, title = "dials", "Twelve dials"
    views = {"tuned": "What a tuner chose"}
    rules = (
        "The players follow a list of rules and make the first move that a rule proposes. The "
        "Convention’s list has four main places: playing the card that a hint asked for, asking "
        "for a card, clearing a card that is certainly useless, and discarding the oldest card of "
        "which nothing is known.",
        "Each row is a dial. It says what a rule does, or before which place of the list it "
        "stands. The filled value is the one that holds, and a square marks the Convention’s.",
        "To save a card is to give a hint so that the next player does not discard it. “Save a "
        "card” looks at the card that would be discarded next, “Save any before” at all cards of "
        "which nothing is known.",
        "If asking needs two tokens, the last token is kept for saving cards. “Last token asks” "
        "lets it ask after all, right before a player would discard.",
        "Touch a value, and the new list plays 1,000 games. All lists play the same decks. A "
        "whisker reaches two standard errors to each side of a mean. A ± is one standard error.",
        "“Other decks” deals 1,000 new games. What was best on the old decks may have been lucky.",
    )
    begins = "From the start"

    def __init__(self, *, seed=0):
        super().__init__(seed=seed)
        self.n_players = 2
        self.point = self.best = PLAIN
        self.before = None  # the list that was changed last
        self.turned = ""  # how, in words
        self.deal = 0  # number of the decks

    def runs_to_record(self):
        # Only of one dial: a page that has no Python yet would forget it for a turn of another.
        runs, seen = [()], set()
        for run in runs:  # grows until no turn leads to what has not been seen
            board = self.anew()
            for touch in run:
                board.touch(touch)
            if (place := (board.point, board.before, board.best)) not in seen:
                seen.add(place)
                values = {*range(len(LABELS[SAVING]))} - {board.point[SAVING]}
                runs += [(*run, f"dial-{SAVING}-{v}") for v in sorted(values)]
        return [*runs, ("show-tuned", "tuned")]

    def move(self, name):
        kind, _, which = name.partition("-")
        turns = {f"{d}-{v}": (d, v) for d, labels in enumerate(LABELS) for v in range(len(labels))}
        lists = {"plain": PLAIN, "tuned": CHOSEN, "best": self.best}
        if kind == "dial" and which in turns:
            d, v = turns[which]
            point = (*self.point[:d], v, *self.point[d + 1 :])
            self._change(point, f"{NAMES[d]}: {LABELS[d][self.point[d]]} → {LABELS[d][v]}")
        elif name in lists:
            words = {"plain": "The Convention’s", "tuned": "The tuner’s", "best": "Your best"}
            self._change(lists[name], f"{words[name]} list")
        elif name == "fresh":
            self.deal += 1
        elif name in [f"players-{n}" for n in PLAYERS]:
            self.n_players, self.before, self.best = int(which), None, PLAIN
        else:
            return super().move(name)
        self.best = max(self.best, self.point, key=lambda point: self.scores(point).mean())
        return True

    def _change(self, point, turned):
        if point == self.point:
            raise WrongTouch("The list is so already. Touch another value.")
        self.point, self.before, self.turned = point, self.point, turned

    def buttons(self):
        buttons = [("fresh", "Other decks")]
        if self.point != PLAIN:
            buttons.append(("plain", "The Convention’s list"))
        if self.point != self.best != PLAIN:
            buttons.append(("best", "Your best list"))
        if "tuned" in self.shown and self.point != CHOSEN:
            buttons.append(("tuned", "The tuner’s list"))
        return buttons

    def selects(self):
        numbers = [(f"players-{n}", words) for n, words in PLAYERS.items()]
        return [("Players", numbers, f"players-{self.n_players}")]

    def scores(self, point):
        """(N_GAMES,) ints: what a list scores on the decks that lie there; read only."""
        return _play(point, self.n_players, self.seed, self.deal)

    # The picture.

    def svg(self):
        shapes = [*self._key(), *(shape for d in range(len(NAMES)) for shape in self._dial(d))]
        foot = _FOOT + 48 + _LINE * 3 + (24 if self.before else 0)
        return svg.picture(400, foot, *shapes, *self._means(_FOOT + 14), label=self.title)

    def _key(self):
        yield _square(14, 12)
        yield left(24, 12, "the Convention", "muted")
        if "tuned" in self.shown:
            yield left(146, 12, "a tuner chose", "muted")
            yield _triangle(136, 12)

    def _dial(self, d):
        """A dial: its name, what it says, and a box for each value."""
        y, labels = _TOP + _ROW * d, LABELS[d]
        yield left(8, y - 9, NAMES[d], "ink bold")
        yield left(138, y - 9, MEANINGS[d], "muted")
        wide = _WIDE / len(labels)
        for v, label in enumerate(labels):
            x, holds = _LEFT + wide * v, self.point[d] == v
            box = svg.rect(x + 1, y, wide - 2, _HIGH, "c0" if holds else "paper edge", rx=3)
            yield svg.target(f"dial-{d}-{v}", f"{NAMES[d]}: {label}", box, pressed=holds)
            if holds:
                yield svg.rect(x + 1, y, wide - 2, _HIGH, "stroke", rx=3, stroke_width=2)
            style = "on" if holds else "ink"
            yield svg.text(x + wide / 2, y + _HIGH / 2 - 1.5, label, 13, style)
            if PLAIN[d] == v:
                yield _square(x + 7, y + _HIGH - 5, style)
            if CHOSEN[d] == v and "tuned" in self.shown:
                yield _triangle(x + wide - 7, y + _HIGH - 3, "on" if holds else "c1")

    def _means(self, top):
        """Means of the list in hand, of the Convention and of the reader's best, on an axis."""
        lists = {"This list": self.point, "The Convention": PLAIN, "Your best": self.best}
        found = {name: mean_and_error(self.scores(point)) for name, point in lists.items()}
        means = [mean for mean, _ in found.values()]
        axis = Axis(*_ENDS, np.floor(min(means) - 0.4), np.ceil(max(means) + 0.4))
        yield left(8, top, f"mean points of {N_GAMES:,} games, the same decks for all", "muted")
        foot, values = top + 12 + _LINE * len(found), ticks(axis.low, axis.high)
        values = values[:: -(-len(values) // 4)]  # no more than there is room for
        yield from axis.grid(values, top + 12, foot)
        for k, (name, (mean, error)) in enumerate(found.items()):
            y = top + 12 + _LINE * (k + 0.5)
            yield left(8, y, name)
            yield from axis.whisker(mean, error, y)
            yield right(394, y, say(mean, error))
        yield from axis.numbers(values, foot + 10, number)
        if self.before:
            gain = self._last_gain() or "no change"
            yield left(8, foot + 30, f"{self.turned}: {gain}")

    # The words.

    def _last_gain(self):
        """What the last change has brought, in words; nothing if no game ended otherwise."""
        gains = self.scores(self.point) - self.scores(self.before)
        return say(*mean_and_error(gains), sign="+") if gains.any() else ""

    def say(self):
        lists = {"This list": self.point, "The Convention": PLAIN, "Your best list": self.best}
        means = "; ".join(
            f"{name} {say(*mean_and_error(self.scores(point)))}" for name, point in lists.items()
        )
        said = f"Mean points of {N_GAMES:,} games of {PLAYERS[self.n_players]} players: {means}."
        if self.before is not None:
            gain = self._last_gain()
            brought = f"brought {gain} points a game" if gain else "changed the points of no game"
            said += f" The last change, “{self.turned}”, {brought}."
        elif os.environ.get(BOOK_BUILD):  # what a page shows while its Python sleeps
            said = (
                f"Touch a value of “{NAMES[SAVING]}”: it answers at once. For the other dials "
                f"press “Play here” first, which brings Python. {said}"
            )
        differs = _spell(self.point)
        said += f"\nThese dials differ from the Convention: {differs or 'none'}."
        if "tuned" in self.shown:
            said += f"\nA tuner chose: {_spell(CHOSEN)}; all others as in the Convention."
        return said


def _spell(point):
    """What differs from the Convention, in words."""
    differing = [d for d, value in enumerate(point) if value != PLAIN[d]]
    return "; ".join(f"{NAMES[d]}: {LABELS[d][point[d]]}" for d in differing)


def _square(x, y, style="ink"):
    """The mark of the Convention's value."""
    return svg.rect(x - 2.5, y - 2.5, 5, 5, style)


def _triangle(x, y, style="c1"):
    """The mark of a tuner's value."""
    return svg.path([(x - 4, y + 3), (x + 4, y + 3), (x, y - 4)], style, closed=True)


@lru_cache(32)
def _decks(seed, deal):
    decks = np.random.default_rng([seed, deal]).permuted(np.tile(ALL_CARDS, (N_GAMES, 1)), axis=1)
    decks.setflags(write=False)
    return decks


@lru_cache(512)
def _play(point, n_players, seed, deal):
    agent = agent_of(SPACE.values_of(np.array(point)))
    rng = np.random.default_rng([seed, deal, 1])  # for the rule that discards any card
    scores = score_decks(agent, n_players, _decks(seed, deal), rng)
    scores.setflags(write=False)
    return scores
