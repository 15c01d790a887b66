"""Silence: which hands a partner's choice leaves, and what is left of that in L, slot by slot."""

from typing import NamedTuple

import numpy as np

from gameai_book.hanabi.boards.marks import amount, cross, left, numbered, right
from gameai_book.hanabi.boards.words import in_slots, name_hint
from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.hanabi import bad_belief, card_name, exact_belief, exact_likelihood, hint_cards
from gameai_lib.hanabi.belief.hands import enumerate_hands
from gameai_lib.hanabi.game.box import COLOURS, IS_TOUCHED, N_CARDS, N_RANKS, parse_card
from gameai_lib.hanabi.game.moves import HintColour, HintRank
from touchbook.board import svg
from touchbook.boards import Board, WrongTouch

SILENT, NOT = "gives no hint", "does not act"  # stand first where they are chosen
MOST_KINDS, MOST_HANDS, MOST_TIMES = 4, 36, 10
_LEFT, _WIDE, _HIGH = 48, 344, 48  # of the cells of L: all in width, each in height
_HANDS, _GRID, _HAND = 46, 384, 31  # of the hands: from there down, all in width, each in height
_BARS = ((48, "soft edge", "V1, no L"), (134, "c0", "BB with L"), (226, "c1", "exact with L"))


def _ask_newest(hands, fits):
    """Which hint asks each hand, (n_hands, n_slots) cards, for one of the (26,) cards that fit.

    Gives (n_hands,): 0 to 4 for the ranks from 1, 5 to 9 for the colours, -1 where none asks.
    """
    touched = IS_TOUCHED.T[hands]  # (n_hands, n_slots, 10)
    n_touched, newest = touched.sum(axis=1), hands.shape[1] - 1 - touched[:, ::-1].argmax(axis=1)
    card = np.take_along_axis(hands, newest, axis=1)
    asks = (n_touched > 0) & fits[card]
    # Order among the asking hints: rank of the card, cards touched, kind of hint, card.
    by_rank = np.arange(10) < N_RANKS
    key = ((card % N_RANKS * 8 - n_touched) * 2 + by_rank) * 32 + card
    best = np.where(asks, key, np.iinfo(key.dtype).max).argmin(axis=1)
    return np.where(asks.any(axis=1), best, -1)


def _tell_rank(hands, fits):
    """Of each hand the number of the hint at the rank of its oldest card that fits, or -1."""
    fit = fits[hands]
    oldest = hands[range(len(hands)), fit.argmax(axis=1)]
    return np.where(fit.any(axis=1), oldest % N_RANKS, -1)


# Of each partner what it does, in words and as a function of all hands and of which cards fit.
RULES = {
    "convention": ("asks for the newest it touches", _ask_newest),
    "tells": ("tells the rank of any that fits", _tell_rank),
    "without": ("has no token for a hint", lambda hands, fits: np.full(len(hands), -1)),
}


class Act(NamedTuple):
    """What a partner does who sees a certain hand."""

    words: str  #: "hints red, slots 0 and 2"
    mark: str  #: the same beside a hand, "R"
    hint: HintColour | HintRank | None = None
    touched: tuple[int, ...] = ()


class Beliefs(NamedTuple):
    """What is believed of each slot: (n_slots, n_kinds) float each."""

    likelihood: np.ndarray
    v1: np.ndarray  #: without L
    bb: np.ndarray
    exact: np.ndarray  #: with L
    left: np.ndarray  #: in the hands that are left, which is the truth


class SilenceBoard(Board):
    """The hands that a partner's choice leaves, beside the beliefs that know it by L alone.

    ``would_act(("R2", "W4"))`` says what the partner does if it sees this hand, the oldest card
    first: a short text, or True or False. Without it the partner has one of `RULES`. `cards` are
    all that are left, such as ``"R2 W4 W4"``, at most four different ones; `n_slots` of them
    are the hand, and `fits` names those that can be played now. Nothing depends on the seed.
    """

    name, title = "silence", "What silence tells"
    rules = (
        "These are all hands that you may hold, with the oldest card first. Your partner sees your "
        "hand. Beside each hand stands what it would do: hint red (R), hint 2s, or no hint (–).",
        "A hand is struck out if your partner would have done something else with it. It is grey "
        "without a line if the hint itself rules it out.",
        "The thick lines say how probable a card is in the hands that are left. The bars are "
        "beliefs. V1 does not know what your partner did. BB and exact know it only through L, "
        "which has one row for each slot.",
        "“The same again” lets your partner do the same once more, and multiplies L once more.",
        "Try to find a choice after which BB is wrong, and a partner whose silence tells nothing.",
    )
    begins = "From the start"

    def __init__(
        self, *, would_act=None, rule=None, cards="R2 R4 W2 W4", n_slots=3, fits="R2", seed=0
    ):
        super().__init__(seed=seed)
        self.partners = {name: words for name, (words, _) in RULES.items()}
        if would_act is not None:
            self.own = {"would_act": would_act}
            self.partners = {"yours": "does what you wrote"} | self.partners
        self.rule = checks.one_of("rule", rule or next(iter(self.partners)), self.partners)
        self.start = {"rule": self.rule, "cards": cards, "n_slots": n_slots, "fits": fits}
        self.fits, self.n_slots = _cards("fits", fits), n_slots
        # The different cards, (n_kinds,), and copies of each; hands hold indices of these.
        self.kinds, self.counts = np.unique(_cards("cards", cards), return_counts=True)
        checks.whole("number of different cards", self.kinds.size, 1, MOST_KINDS)
        self.no_hint = np.ones((n_slots, self.kinds.size), dtype=bool)
        self.hands = enumerate_hands(self.counts, self.no_hint, max_hands=MOST_HANDS)
        self.did = None
        self._ask()

    def options(self):
        return super().options() | self.start

    def runs_to_record(self):
        acts = [(f"did-{i}",) for i in range(1, min(3, len(self.listed)))]
        if self.rule == "yours":
            return [("again",), *((*act, "again") for act in acts), ("rule-convention",)]
        return [("again", "again"), ("rule-tells",), ("rule-without",), *acts]

    def _ask(self):
        """Ask the partner about every hand, and keep to what was done, if it still can be."""
        hands = self.kinds[self.hands.cards]
        if self.rule == "yours":
            self.acts = [_answer(self.own["would_act"], hand) for hand in hands.tolist()]
        else:
            numbers = RULES[self.rule][1](hands, np.isin(np.arange(N_CARDS + 1), self.fits))
            self.acts = list(map(_act, numbers.tolist(), hands))
        different = dict.fromkeys(self.acts)
        self.listed = sorted(different, key=lambda act: act.words not in (SILENT, NOT))
        self._see(self.did if self.did in self.listed else self.listed[0])

    def _see(self, act, n_times=1):
        """The partner has done this so many times."""
        self.did, self.n_times = act, n_times
        self.is_left = np.array([each == act for each in self.acts])  # (n_hands,) bool
        self.hint_mask = self.no_hint  # with what the hint, if it was one, shows openly
        if act.hint is not None:
            touched = np.isin(np.arange(self.n_slots), act.touched)
            self.hint_mask = touched[:, None] == hint_cards(act.hint)[self.kinds]
        self.is_allowed = self.hint_mask[range(self.n_slots), self.hands.cards].all(axis=1)
        self.beliefs = self._believe()

    def _believe(self):
        """`Beliefs` after what the partner did, as often as it did it."""
        cards, probability = self.hands
        known, L = (self.counts, self.hint_mask), None

        def would_act(hands):
            return self.is_left[(hands[:, None] == cards).all(axis=2).argmax(axis=1)]

        for _ in range(self.n_times):
            L = exact_likelihood(*known, would_act, L)
        lies = cards[:, :, None] == np.arange(self.kinds.size)
        chance = probability * self.is_left
        return Beliefs(
            likelihood=L,
            v1=bad_belief(*known, np.ones(L.shape)),
            bb=bad_belief(*known, L),
            exact=exact_belief(*known, L),
            left=np.einsum("k,kif->if", chance, lies) / chance.sum(),
        )

    def move(self, name):
        kind, number = numbered(name)
        if name == "again":
            if self.n_times == MOST_TIMES:
                raise WrongTouch(f"{MOST_TIMES} times are enough.")
            self._see(self.did, self.n_times + 1)
        elif kind == "rule" and name[5:] in self.partners:
            self.rule = name[5:]
            self._ask()
        elif kind == "did" and 0 <= number < len(self.listed):
            self._see(self.listed[number])
        else:
            return super().move(name)
        return True

    def buttons(self):
        return [("again", "The same again")]

    def selects(self):
        rules = [(f"rule-{rule}", words) for rule, words in self.partners.items()]
        acts = [(f"did-{i}", act.words) for i, act in enumerate(self.listed)]
        return [
            ("Your partner", rules, f"rule-{self.rule}"),
            ("Now it", acts, f"did-{self.listed.index(self.did)}"),
        ]

    def count_left(self):
        """How many hands are left, in words."""
        n_left, chances = self.is_left.sum(), self.hands.probability
        said = f"{n_left} of {self.is_left.size} hands {'is' if n_left == 1 else 'are'} left"
        if np.ptp(chances) > 1e-12:
            said += f", {chances @ self.is_left:.0%} of the deals"
        return f"{said}; done {self.n_times} times" if self.n_times > 1 else said

    def hand_name(self, k):
        """Hand `k`, such as "R2 W4"."""
        return " ".join(map(card_name, self.kinds[self.hands.cards[k]]))

    def say(self):
        said = f"Your partner {self.did.words}: {self.count_left()}."
        if not self.is_allowed.all():
            said += f" The hint itself leaves {self.is_allowed.sum()}."
        fit = np.isin(self.kinds, self.fits)
        if fit.any():
            chances = [", ".join(map(amount, belief @ fit)) for belief in self.beliefs[1:]]
            v1, bb, exact, truth = chances
            said += (
                f"\nThe chance that slots 0 to {self.n_slots - 1} hold a card that fits: "
                f"V1 {v1}; BB {bb}; exact with L {exact}. In the hands that are left it is {truth}."
            )
        return said

    def svg(self):
        # What stands beside each hand, cut short if it is long or there are many hands.
        most = 16 if len(self.acts) <= 6 else 7
        marks = [a.mark if len(a.mark) <= most else f"{a.mark[: most - 1]}…" for a in self.acts]
        n_columns = _GRID // (20 * self.n_slots + 12 + 8 * max(map(len, marks)))
        top = _HANDS + _HAND * -(-len(marks) // n_columns) + 8
        foot = top + 32 + (_HIGH + 4) * self.n_slots
        shapes = [*_hands(self, marks, n_columns), *_names(self, top), *_cells(self, top + 32)]
        return svg.picture(400, foot + 46, *shapes, *_key(foot + 12), label=self.title)


def _cards(name, text):
    """Numbers of cards in a text such as "R2 W4"."""
    return [parse_card(card) for card in checks.kind(name, text, str).split()]


def _act(number, hand):
    """What a partner does who gives the hint of this number, -1 for none, to a hand."""
    if number < 0:
        return Act(SILENT, "–")
    is_rank, colour = number < N_RANKS, number - N_RANKS
    hint = HintRank(0, number + 1) if is_rank else HintColour(0, colour)
    touched = tuple(np.flatnonzero(hint_cards(hint)[hand]).tolist())
    mark = name_hint(hint) if is_rank else COLOURS[colour]
    return Act(f"hints {name_hint(hint)}, {in_slots(touched)}", mark, hint, touched)


def _answer(would_act, hand):
    """What a reader's function says of a hand."""
    names = tuple(map(card_name, hand))
    try:
        said = would_act(names)
    except Exception as error:
        raise WrongTouch(f"would_act fails on the hand {names}: {short(error)}") from error
    if isinstance(said, bool | np.bool_):
        return Act("acts", "acts") if said else Act(NOT, "–")
    words = " ".join(said.split()) if isinstance(said, str) else ""
    if not 0 < len(words) <= 28:
        raise WrongTouch(
            "would_act must say a text of 1 to 28 characters, True or False, "
            f"got {short(said)} for the hand {names}"
        )
    return Act(words, "–" if words == SILENT else words)


# The picture: the hands, the names of the cards, and L and the beliefs of each slot.


def _hands(board, marks, n_columns):
    """The hands that the reader may hold, and what the partner would do with each."""
    yield svg.text(8, 14, f"Your partner {board.did.words}", 14, "ink bold", anchor="start")
    yield left(8, 33, board.count_left())
    step = _GRID / n_columns
    wide, high = step - 2, _HAND - 2
    for k, mark in enumerate(marks):
        x, y = 9 + step * (k % n_columns), _HANDS + 1 + _HAND * (k // n_columns)
        name, middle, is_left = board.hand_name(k), y + _HAND / 2 - 1, board.is_left[k]
        yield svg.rect(x, y, wide, high, "paper edge" if is_left else "soft edge")
        if is_left:
            yield svg.rect(x, y, wide, high, "mark", fill_opacity="0.2")
        kind = "ink" if is_left else "muted"
        yield left(x + 4, middle, name.replace(" ", "\N{THIN SPACE}"), kind)
        yield right(x + wide - 4, middle, mark, kind)
        if board.is_allowed[k] and not is_left:
            end = x + 2 + 21 * board.n_slots
            yield svg.line(x + 3, middle, end, middle, "stroke-muted", stroke_width=1.5)


def _names(board, y):
    """The cards, and which of them fit."""
    wide = _WIDE / board.kinds.size
    for f, (card, copies) in enumerate(zip(board.kinds.tolist(), board.counts, strict=True)):
        x, fits = _LEFT + wide * f, card in board.fits
        yield svg.rect(x + 2, y, wide - 4, 29, "paper edge")
        words = f"{card_name(card)}{f' ×{copies}' if copies > 1 else ''}{' fits' * fits}"
        yield svg.text(x + wide / 2, y + 15, words, 14, "good bold" if fits else "ink")


def _cells(board, top):
    """L and the beliefs of each slot, a row each."""
    wide = _WIDE / board.kinds.size
    for i in range(board.n_slots):
        yield right(_LEFT - 5, top + (_HIGH + 4) * i + _HIGH / 2, f"slot {i}")
    for (i, f), is_possible in np.ndenumerate(board.hint_mask):
        x, y = _LEFT + wide * f + 2, top + (_HIGH + 4) * i
        yield svg.rect(x, y, wide - 4, _HIGH, "paper edge" if is_possible else "soft edge")
        if not is_possible:
            yield from cross(x, y, wide - 4, _HIGH)
            continue
        L, *beliefs, true = (each[i, f] for each in board.beliefs)
        foot = y + _HIGH - 1
        *tops, level = (foot - (_HIGH - 3) * min(max(p, 0.0), 1.0) for p in (*beliefs, true))
        for k, (end, (_, kind, _)) in enumerate(zip(tops, _BARS, strict=True)):
            yield svg.rect(x + 2 + 13 * k, end, 11, foot - end, kind)
        yield svg.line(x + 1, level, x + 41, level, "stroke", stroke_width=3)
        middle = x + 44 + (wide - 50) / 2
        yield svg.text(middle, y + 14, f"L {_number(L)}", 13)
        yield svg.text(middle, y + 34, _number(true), 13, "ink bold")


def _number(p):
    if p < 0.005:
        return "<.01" if p > 1e-9 else "0"
    return "1" if p == 1 else f"{p:.2f}".removeprefix("0")


def _key(y):
    for x, kind, words in _BARS:
        yield svg.rect(x, y - 6, 11, 12, kind)
        yield left(x + 16, y, words)
    yield svg.line(48, y + 22, 72, y + 22, "stroke", stroke_width=3)
    yield left(78, y + 22, "bold: in the hands that are left")
