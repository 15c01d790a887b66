"""The dials of the rule list, turned by hand: each list plays the same thousand decks."""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from gameai_book.together.boards.dial_words import (
    CHOSEN,
    LABELS,
    NAMES,
    PLAIN,
    differing,
    spell,
    turn,
)
from gameai_book.together.boards.points import Axis, mean_and_error, say
from gameai_lib.base import checks
from gameai_lib.hanabi.game.cards import BOX
from gameai_lib.hanabi.players.self_play import score_decks
from gameai_lib.together.rule_list import SPACE, agent_of
from touchbook.board import svg
from touchbook.board.chart import number, ticks
from touchbook.board.pace import pause
from touchbook.boards import Board, WrongTouch

N_GAMES = 1000
PLAYERS = {2: "two", 3: "three", 4: "four", 5: "five"}
_LEFT, _WIDE, _HIGH, _ROW, _TOP = 122, 274, 27, 30, 26  # of the values
_FOOT = _TOP + _ROW * len(NAMES)
_LINE = 23  # height of a row with a whisker
_ENDS = 132, 300  # of axes


class DialsBoard(Board):
    """The twelve dials of the Convention's list of rules, and what each turn of one gains.

    All lists play the same decks, which come of the seed. `n_players` is from two to five.
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
        "“Likely play” plays a card that fits with this chance. “Final gamble” plays an unknown "
        "card when the deck is empty. “If all marked” says what to discard when hints have told "
        "something about every card.",
        "Touch a value, and the new list plays 1,000 games. All lists play the same decks. A "
        "whisker reaches two standard errors to each side of a mean. A ± is one standard error.",
        "“Other decks” deals 1,000 new games. What was best on the old decks may have been lucky.",
        "“One by one” puts each dial back by itself and plays again. Do the losses add up to what "
        "the list gains in all?",
    )
    begins = "From the start"

    def __init__(self, *, n_players: int = 2, seed: int = 0):
        super().__init__(seed=seed)
        self.n_players = self._n_players = checks.whole("n_players", n_players, 2, 5)
        self.point = self.best = PLAIN
        self.before = None  # the list that was changed last
        self.turned = ""  # how, in words
        self.deal = 0  # number of the decks
        self.parts = ()  # dials that have been put back, one by one

    def options(self):
        return super().options() | {"n_players": self._n_players}

    def runs_to_record(self):
        # Only of one dial: a page that has no Python yet would forget it for a turn of another.
        d = SPACE.names.index("saving")
        turns = [(f"dial-{d}-{v}",) for v in range(len(LABELS[d])) if v != PLAIN[d]]
        return [*turns, ("show-tuned", "tuned", *["think-2"] * 3)]

    def move(self, name):
        kind, _, which = name.partition("-")
        turns = {f"{d}-{v}": (d, v) for d, labels in enumerate(LABELS) for v in range(len(labels))}
        lists = {"plain": PLAIN, "tuned": CHOSEN, "best": self.best}
        if kind == "dial" and which in turns:
            d, v = turns[which]
            self._change(turn(self.point, d, v), f"{NAMES[d]} → {LABELS[d][v]}")
        elif name in lists:
            words = {"plain": "The Convention’s", "tuned": "The tuner’s", "best": "Your best"}
            self._change(lists[name], f"{words[name]} list")
        elif name == "fresh":
            self.deal += 1
        elif name in [f"players-{n}" for n in PLAYERS]:
            self.n_players, self.before, self.best = int(which), None, PLAIN
        else:
            return super().move(name)
        self.parts = ()
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
        return [
            ("Players", [(f"players-{n}", w) for n, w in PLAYERS.items()],
             f"players-{self.n_players}")
        ]  # fmt: skip

    @property
    def thinks(self):
        """What each dial is worth can be asked where one is turned."""
        return "One by one" if len(self.parts) < len(differing(self.point)) else ""

    def think(self) -> Iterator[float]:
        self.parts, dials = (), differing(self.point)
        for k, dial in enumerate(dials, 1):
            self.worth(dial)
            self.parts = (*self.parts, dial)
            pause()
            yield k / len(dials)

    def scores(self, point):
        """(N_GAMES,) ints: what a list scores on the decks that lie there; read only."""
        return _play(point, self.n_players, self.seed, self.deal)

    def worth(self, *dials):
        """(N_GAMES,) ints: what the list in hand loses by putting some dials back."""
        put_back = self.point
        for dial in dials:
            put_back = turn(put_back, dial, PLAIN[dial])
        return self.scores(self.point) - self.scores(put_back)

    # The picture.

    def svg(self):
        shapes = [*self._key(), *(shape for d in range(len(NAMES)) for shape in self._dial(d))]
        more, foot = self._means(_FOOT + 14)
        shapes += more
        if self.parts:
            more, foot = self._parts(foot + 14)
            shapes += more
        return svg.picture(400, foot, *shapes, label=self.title)

    def _key(self):
        words = [svg.text(24, 12, "the Convention", 13, "muted", anchor="start")]
        if "tuned" in self.shown:
            words.append(svg.text(146, 12, "a tuner chose", 13, "muted", anchor="start"))
            words.append(_triangle(136, 12))
        return [_square(14, 12), *words]

    def _dial(self, d):
        """A dial: its name, and a box for each value."""
        y, labels = _TOP + _ROW * d, LABELS[d]
        shapes = [svg.text(8, y + _HIGH / 2, NAMES[d], 13, anchor="start")]
        wide = _WIDE / len(labels)
        for v, label in enumerate(labels):
            x, holds = _LEFT + wide * v, self.point[d] == v
            box = svg.rect(x + 1, y, wide - 2, _HIGH, "c0" if holds else "paper edge", rx=3)
            shapes.append(svg.target(f"dial-{d}-{v}", f"{NAMES[d]}: {label}", box, pressed=holds))
            if holds:
                shapes.append(svg.rect(x + 1, y, wide - 2, _HIGH, "stroke", rx=3, stroke_width=2))
            style = "on" if holds else "ink"
            shapes.append(svg.text(x + wide / 2, y + _HIGH / 2 - 1.5, label, 13, style))
            if PLAIN[d] == v:
                shapes.append(_square(x + 7, y + _HIGH - 5, style))
            if CHOSEN[d] == v and "tuned" in self.shown:
                shapes.append(_triangle(x + wide - 7, y + _HIGH - 3, "on" if holds else "c1"))
        return shapes

    def _means(self, top):
        """Means of the list in hand, of the Convention and of the reader's best; and its foot."""
        lists = {"This list": self.point, "The Convention": PLAIN, "Your best": self.best}
        found = {name: mean_and_error(self.scores(point)) for name, point in lists.items()}
        means = [mean for mean, _ in found.values()]
        axis = Axis(*_ENDS, np.floor(min(means) - 0.4), np.ceil(max(means) + 0.4))
        words = f"mean points of {N_GAMES:,} games, the same decks for all"
        head = svg.text(8, top, words, 13, "muted", anchor="start")
        last = ""
        if self.before is not None:
            last = f"{self.turned}: {self._last_gain() or 'no game has changed'}"
        return self._rows(axis, found, top, head, last)

    def _parts(self, top):
        """What each dial is worth, all added, and all together."""
        found = {NAMES[d]: mean_and_error(self.worth(d)) for d in self.parts}
        if not self.thinks:
            found |= {
                "All added up": mean_and_error(sum(self.worth(d) for d in self.parts)),
                "All at once": mean_and_error(self.worth(*self.parts)),
            }
        low = min(0, *(mean - 2 * error for mean, error in found.values()))
        high = max(0.1, *(mean + 2 * error for mean, error in found.values()))
        words = "points lost if put back to the Convention’s value"
        head = svg.text(8, top, words, 13, "muted", anchor="start")
        axis = Axis(*_ENDS, low, high)
        return self._rows(axis, found, top, head)

    def _rows(self, axis, found, top, head, last=""):
        """Rows of a name, a whisker and its number, with an axis below; and where they end."""
        shapes, foot = [head], top + 12 + _LINE * len(found)
        values = ticks(axis.low, axis.high)
        step = -(-len(values) // 4)  # no more than there is room for, and 0 among them
        values = values[values.index(0) % step if 0 in values else 0 :: step]
        shapes += axis.grid(values, top + 12, foot)
        for k, (name, (mean, error)) in enumerate(found.items()):
            y = top + 12 + _LINE * (k + 0.5)
            shapes.append(svg.text(8, y, name, 13, anchor="start"))
            shapes += axis.whisker(mean, error, y)
            shapes.append(svg.text(394, y, say(mean, error), 13, anchor="end"))
        shapes += axis.numbers(values, foot + 10, number)
        if last:
            foot += 24
            shapes.append(svg.text(8, foot + 6, last, 13, "ink bold", anchor="start"))
        return shapes, foot + 22

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
        differs = spell(self.point)
        said += f"\nThese dials differ from the Convention: {differs or 'none'}."
        if "tuned" in self.shown:
            said += f"\nA tuner chose: {spell(CHOSEN)}; all others as in the Convention."
        return said + self._say_parts()

    def _say_parts(self):
        if not self.parts:
            return ""
        each = [f"{NAMES[d]} {say(*mean_and_error(self.worth(d)))}" for d in self.parts]
        said = f"\nPoints lost if one dial is put back: {'; '.join(each)}."
        if self.thinks:
            return said
        together = say(*mean_and_error(self.worth(*self.parts)))
        added = say(*mean_and_error(sum(self.worth(d) for d in self.parts)))
        return f"{said} These losses add up to {added}. Putting all back at once loses {together}."


def _square(x, y, style="ink"):
    """The mark of the Convention's value."""
    return svg.rect(x - 2.5, y - 2.5, 5, 5, style)


def _triangle(x, y, style="c1"):
    """The mark of a tuner's value."""
    return svg.path([(x - 4, y + 3), (x + 4, y + 3), (x, y - 4)], style, closed=True)


@lru_cache(32)
def _decks(seed, deal):
    decks = np.random.default_rng([seed, deal]).permuted(np.tile(BOX, (N_GAMES, 1)), axis=1)
    decks.setflags(write=False)
    return decks


@lru_cache(512)
def _play(point, n_players, seed, deal):
    agent = agent_of(SPACE.values_of(np.array(point)))
    rng = np.random.default_rng([seed, deal, 1])  # for the rule that discards any card
    scores = score_decks(agent, n_players, _decks(seed, deal), rng)
    scores.setflags(write=False)
    return scores
