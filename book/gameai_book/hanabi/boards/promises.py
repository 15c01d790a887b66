"""Promises: how many copies of each card your slots promise together, before and after a step."""

from itertools import islice

import numpy as np

from gameai_book.hanabi.boards.knowledge import READER
from gameai_book.hanabi.boards.marks import SEEN, amount, arrow, brief, left
from gameai_book.hanabi.boards.table import HanabiBoard
from gameai_book.hanabi.boards.words import count, join
from gameai_lib.hanabi.belief.v1 import V1Settings, v1_iterations
from gameai_lib.hanabi.game.box import N_CARDS, N_RANKS, card_name
from touchbook.board import svg
from touchbook.boards import Board, WrongTouch

SEAT = {"seed": 11, "moves": 46}  # of the lesson's first board
SLOTS = [f"slot-{i}" for i in range(5)]
MOST_STEPS = 9
NAMED = 3  # cards of a slot that are written on it
_PLAIN = V1Settings(damping=1)
_FILLS = ("c0", "c1", "c2", "c3", "c4")  # a colour for each slot, and what is read on it
_INKS = ("on bold", *["black bold"] * 4)
_LEFT, _WIDE, _COPY, _TOP = 8, 384, 62, 52  # of the bars; a copy is 62 high
_STEP, _CARD, _HIGH = 79, 76, 84  # of the slots


class PromisesBoard(Board):
    """The copies that a face-down hand promises, slot by slot, and what a step of V1 makes of them.

    The hand is that of the lesson's first board. Nothing depends on the seed.
    """

    name, title = "promises", "What your five slots promise"
    rules = (
        "Each column is a card that you have not seen. Its outline is as high as the number of "
        "copies that are left.",
        "The coloured blocks are the beliefs of your five slots, one on top of the other. Together "
        "they are the copies that your slots promise. What stands out above the outline is "
        "promised, but it does not exist.",
        "The cards below are your slots. Each shows the cards that it finds likeliest.",
        "“Step” is one step of V1. Each slot takes the copies that are left, subtracts what the "
        "other four slots promise, and scales the rest to a sum of 1.",
        "Touch a slot to read how its step was made.",
    )
    begins = "From the start"

    def __init__(self, *, seed=0):
        super().__init__(seed=seed)
        copies, mask = HanabiBoard(**SEAT).position.view(READER)
        (self.kinds,) = np.nonzero(copies[:N_CARDS])  # the numbers of the cards that are columns
        self.candidates, self.hint_mask = copies[self.kinds], mask[:, self.kinds]
        self.n_steps, self.chosen = 0, len(SLOTS) - 1

    def runs_to_record(self):
        runs = (), ("step",), ("step", "step")
        return [runs[-1], *((*run, slot) for run in runs for slot in SLOTS)]

    def move(self, name):
        if name in SLOTS:
            self.chosen = SLOTS.index(name)
            return False
        if name != "step":
            return super().move(name)
        if self.n_steps == MOST_STEPS:
            raise WrongTouch(f"{MOST_STEPS} steps are enough: V1 has long been at rest.")
        self.n_steps += 1
        return True

    def buttons(self):
        return [("step", "Step")]

    def beliefs(self):
        """List of (n_slots, n_kinds) float arrays: V0, and V1 after each step so far."""
        steps = v1_iterations(self.candidates, self.hint_mask, settings=_PLAIN)
        return [step.belief for step in islice(steps, self.n_steps + 1)]

    def _stage(self):
        return f"V1 after {count(self.n_steps, 'step')}" if self.n_steps else "V0"

    def shown_cards(self, i, row):
        """The cards of a slot if they are few, else the likeliest and first of them."""
        (allowed,) = np.nonzero(self.hint_mask[i])
        likeliest = np.argsort(-row[allowed].round(9), kind="stable")[:NAMED]
        return allowed[np.sort(likeliest)]

    def amounts(self, i, row, amounts):
        """An amount of each card that is named for a slot, such as "0.5 Y4 and 0.5 B4"."""
        shown = self.shown_cards(i, row)
        said = join(f"{amount(amounts[f])} {card_name(self.kinds[f])}" for f in shown)
        return said if len(shown) == self.hint_mask[i].sum() else f"{said}, and so on"

    def svg(self):
        *before, now = self.beliefs()
        changes = now - (before or [now])[-1]
        most = int(max(self.candidates.max(), np.ceil(now.sum(axis=0).max() - SEEN)))
        foot = _TOP + _COPY * most
        shapes = [svg.text(_LEFT, 14, self._stage(), 15, "ink bold", anchor="start"), *_key()]
        for f in range(self.kinds.size):
            shapes += _column(self, f, foot, now[:, f])
        words = "Your slots, and what each of them believes"
        shapes.append(left(_LEFT, foot + 44, words, "ink bold"))
        shapes += [_slot(self, i, foot + 58, now[i], changes[i]) for i in range(len(SLOTS))]
        return svg.picture(400, foot + 66 + _HIGH, *shapes, label=self.title)

    def say(self):
        *before, now = self.beliefs()
        i = self.chosen
        promises = self.amounts(i, now[i], now[i])
        said = f"V0. Slot {i} promises {promises}."
        if before:
            others = before[-1].sum(axis=0) - before[-1][i]
            rest = (self.candidates - others).clip(0)
            said = (
                f"{self._stage()}. The other slots had promised {self.amounts(i, now[i], others)}. "
                f"They left {self.amounts(i, now[i], rest)} for slot {i}. "
                f"Scaled to a sum of 1, slot {i} now promises {promises}."
            )
            if np.abs(now - before[-1]).max() < SEEN:
                said += " This step has changed nothing: V1 is at rest."
        sums = now.sum(axis=0)
        over = [
            f"{sums[f]:.2f} {card_name(self.kinds[f])} of {self.candidates[f]}"
            for f in np.flatnonzero(sums > self.candidates + SEEN)
        ]
        if over:
            return f"{said}\nMore is promised than is left: {join(over)}."
        return f"{said}\nNo card is promised more often than there are copies left."


# The picture: a column a card, and the slots below.


def _column(board, f, foot, shares):
    """The blocks of all slots on one card, and the outline of its copies."""
    wide = _WIDE / board.kinds.size
    x, level = _LEFT + wide * f + 2, foot
    middle = x + wide / 2 - 2
    copies, reached = foot - _COPY * board.candidates[f], foot - _COPY * shares.sum()
    over = reached < copies - _COPY * SEEN
    if over:
        high = copies - reached + 2
        yield svg.rect(x - 1, reached - 2, wide - 2, high, "bad", fill_opacity="0.45")
    for i in np.flatnonzero(shares > SEEN):
        high = _COPY * shares[i]
        level -= high
        yield svg.rect(x + 2, level, wide - 8, high, f"{_FILLS[i]} edge")
        if high >= 15:
            yield svg.text(middle, level + high / 2, i, 13, _INKS[i])
    yield svg.rect(x, copies, wide - 4, foot - copies, "stroke", stroke_width=2)
    if shares.sum() >= 0.3:
        kind = "bad bold" if over else "ink"
        yield svg.text(middle, reached - 10, brief(shares.sum()), 13, kind)
    yield svg.rect(x, foot + 5, wide - 4, 20, f"card{board.kinds[f] // N_RANKS} edge", rx=3)
    yield svg.text(middle, foot + 15, card_name(board.kinds[f]), 13, "black bold")


def _slot(board, i, y, row, change):
    x, shown, is_chosen = 3 + _STEP * i, board.shown_cards(i, row), i == board.chosen
    shapes = [
        svg.rect(x, y, _CARD, _HIGH, "paper edge", rx=5),
        svg.rect(x, y, _CARD, 20, f"{_FILLS[i]} edge", rx=5),
        svg.text(x + _CARD / 2, y + 10, f"slot {i}", 13, _INKS[i]),
    ]
    for k, f in enumerate(shown):
        line, kind = f"{card_name(board.kinds[f])} {brief(row[f])}", "ink"
        if sign := arrow(change[f]):
            line, kind = f"{line} {sign[0]}", f"{sign[1]} bold"
        shapes.append(left(x + 7, y + 31 + 15 * k, line, kind))
    if more := int(board.hint_mask[i].sum()) - len(shown):
        shapes.append(left(x + 7, y + 76, f"{more} more", "muted"))
    if is_chosen:
        shapes.append(svg.rect(x + 1, y + 1, _CARD - 2, _HIGH - 2, "ring", rx=5))
    label = f"Slot {i}: {board.amounts(i, row, row)}"
    return svg.target(SLOTS[i], label, *shapes, pressed=is_chosen)


def _key():
    yield svg.rect(_LEFT, 26, 16, 14, "stroke", stroke_width=2)
    yield left(_LEFT + 22, 33, "copies that are left")
    yield svg.rect(160, 26, 16, 14, "c3 edge")
    yield svg.text(168, 33, "3", 13, _INKS[3])
    yield left(182, 33, "promised by slot 3")
    yield svg.rect(312, 26, 16, 14, "bad", fill_opacity="0.45")
    yield left(334, 33, "too many")
