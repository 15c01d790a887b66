"""Belief slot by slot: V0, the steps of V1 or BB, and exact, with hints that come and go."""

from itertools import islice, permutations

import numpy as np

from gameai_book.hanabi import cases
from gameai_book.hanabi.boards.marks import arrow, cross, left, right
from gameai_book.hanabi.boards.words import count, join
from gameai_lib.base import checks
from gameai_lib.hanabi.belief.exact import exact_belief
from gameai_lib.hanabi.belief.v1 import V1Settings, v1_iterations
from gameai_lib.hanabi.game.box import N_CARDS
from touchbook.board import svg
from touchbook.boards import Board, WrongTouch

CASES = {case.name: case for case in cases.CASES if len(case.candidates) < N_CARDS}
SIZES = {"1": "1, the plain step", "0.5": "0.5", "0.2": "0.2", "adapted": "adapted"}
_STEPS, _MOST_STEPS = {"step": 1, "ten": 10}, 200
_LEFT, _TOP, _WIDE, _HIGH = 52, 30, 340, 50  # of the cells: all in width, each in height
_CHART = 62


class SlotsBoard(Board):
    """A small hand whose cards nobody sees: one step of V1 (BB, with a likelihood) at a time.

    `case` is one of `CASES`. With `choices` the reader chooses how large a step is. Nothing depends
    on the seed.
    """

    name, title = "slots", "Belief, slot by slot"
    rules = (
        "Each row is a slot of the hand, and each column is a card. The mark ×3 says that three "
        "copies of the card are left. The bar and the number in a cell are the belief.",
        "“Step” is one step of V1, for all slots at once. Where a partner has acted, it is a step "
        "of BB. The triangles show where the probability has moved, and the dashes show where it "
        "was. The thick line is the exact belief.",
        "The last row says how many copies the slots promise together. It is red if they promise "
        "more than there are.",
        "Touch a cell to cross a card out, as a hint would. Touch it again to take that back.",
        "The step size w is the part of a step that is made. A number of copies below zero counts "
        "as zero.",
    )
    begins = "From the start"

    def __init__(self, *, case="S4", choices=True, seed=0):
        super().__init__(seed=seed)
        self.choices = checks.flag("choices", choices)
        self.position = CASES[checks.one_of("case", case, CASES)]
        # The mask is the position's, with what the reader crosses out.
        self.mask, self.n_steps, self.size = self.position.hint_mask, 0, "1"

    def options(self):
        return super().options() | {"choices": self.choices, "case": self.position.name}

    def runs_to_record(self):
        steps = [("step",) * 5, ("ten", "ten"), ("ten", "step")]
        if self.choices:
            return [*steps, *(("w-0.2", *run) for run in (*steps, ("ten",) * 5))]
        # Until all slots have the same hints, when no step moves anything.
        crossed = [f"cell-{i}-{f}" for i, f in np.argwhere(~self.mask)[:2]]
        return [*steps, *((*order, "step") for order in permutations(crossed))]

    def move(self, name):
        kind, _, value = name.partition("-")
        if name in _STEPS:
            if self.n_steps + _STEPS[name] > _MOST_STEPS:
                raise WrongTouch(f"{_MOST_STEPS} steps are enough.")
            self.n_steps += _STEPS[name]
        elif kind == "w" and value in SIZES:
            self.size, self.n_steps = value, 0
        elif name in [f"cell-{i}-{f}" for i, f in np.ndindex(self.mask.shape)]:
            self._change(*map(int, value.split("-")))
        else:
            return super().move(name)
        return True

    def _change(self, slot, card):
        mask = self.mask.copy()
        mask[slot, card] = not mask[slot, card]
        try:
            exact_belief(self.position.candidates, mask)
        except ValueError as error:
            raise WrongTouch(f"No hand fits these hints: {error}") from None
        self.mask, self.n_steps = mask, 0

    def buttons(self):
        return [("step", "Step"), ("ten", "Ten steps")]

    def selects(self):
        sizes = [(f"w-{size}", words) for size, words in SIZES.items()]
        return [("Step size w", sizes, f"w-{self.size}")] if self.choices else []

    def frames(self):
        """From V0 (or BB0) to the step at which the bench stands."""
        settings = V1Settings(damping=None if self.size == "adapted" else float(self.size))
        given = self.position.candidates, self.mask, self.position.likelihood
        return list(islice(v1_iterations(*given, settings=settings), self.n_steps + 1))

    def exact(self):
        """(n_slots, n_cards) float: the exact belief."""
        return exact_belief(self.position.candidates, self.mask, self.position.likelihood)

    def svg(self):
        foot = _top(len(self.mask)) + 46 + _CHART
        return svg.picture(400, foot + 24, *_shapes(self, foot), label=self.title)

    def say(self):
        belief, has_acted = self.frames()[-1].belief, self.position.likelihood is not None
        name = "BB before its first step" if has_acted else "V0"
        if self.n_steps:
            name = f"{'BB' if has_acted else 'V1'} after {count(self.n_steps, 'step')}"
        distance = _distance(belief, self.exact())
        said = f"{name}. Its distance from the exact belief is {distance:.4f}."
        over = [
            f"{sum_:.2f} copies of {card}, but there {'is' if copies == 1 else 'are'} {copies}"
            for card, sum_, copies, is_over in _promises(self.position, belief)
            if is_over
        ]
        return f"{said} Together the slots promise {join(over)}." if over else said


def _distance(belief, exact):
    return float(np.abs(belief - exact).sum(axis=1).mean() / 2)


def _promises(position, belief):
    """Of each card the name, the copies promised and left, and whether too many are promised."""
    columns = position.card_names, belief.sum(axis=0), position.candidates.tolist()
    return [(name, sum_, n, sum_ > n + 5e-4) for name, sum_, n in zip(*columns, strict=True)]


# The picture: a column a card, a row a slot, and a chart below.


def _top(slot):
    return _TOP + (_HIGH + 6) * slot


def _shapes(board, foot):
    beliefs, exact = [frame.belief for frame in board.frames()], board.exact()
    n_slots, n_cards = board.mask.shape
    for i, f in np.ndindex(board.mask.shape):
        yield from _cell(board, i, f, beliefs, exact[i, f])
    for i in range(n_slots):
        yield right(_LEFT - 6, _top(i) + _HIGH / 2, f"slot {i}")
    below = _top(n_slots) + 12
    yield right(_LEFT - 6, below, "in all")
    promises = _promises(board.position, beliefs[-1])
    for f, (name, promised, copies, is_over) in enumerate(promises):
        x = _LEFT + _WIDE / n_cards * (f + 0.5)
        yield svg.text(x - 4, 16, name, 16, "ink bold", anchor="end")
        yield svg.text(x + 2, 16, f"×{copies}", 14, anchor="start")
        kind = "bad bold" if is_over else "ink"
        yield svg.text(x, below, f"{promised:.2f} of {copies}", 13, kind)
    yield from _chart(foot, [_distance(belief, exact) for belief in beliefs])


def _cell(board, i, f, beliefs, true):
    """What can be touched: the belief in one card, the step that led to it, and the exact one."""
    wide = _WIDE / board.mask.shape[1] - 4
    x, y, name = _LEFT + (wide + 4) * f + 2, _top(i), board.position.card_names[f]
    touch, place = f"cell-{i}-{f}", (x, y, wide, _HIGH)
    if not board.mask[i, f]:
        back = svg.rect(*place, "soft edge")
        yield svg.target(touch, f"slot {i} has no {name}", back, pressed=True)
        yield from cross(*place)
        return
    old, now = beliefs[max(0, board.n_steps - 1)][i, f], beliefs[-1][i, f]
    words, bar = f"slot {i}, {name}: {now:.3f}, exact {true:.3f}", wide * 0.42
    yield svg.target(touch, words, svg.rect(*place, "paper edge"), pressed=False)

    def level(p):
        return y + _HIGH - 1 - (_HIGH - 2) * p

    def line(p, beyond, kind, **look):
        return svg.line(x + 1, level(p), x + 1 + bar + beyond, level(p), kind, **look)

    yield svg.rect(x + 1, level(now), bar, y + _HIGH - 1 - level(now), "c5")
    if board.n_steps:
        yield line(old, 0, "stroke-muted", stroke_width=1.5, stroke_dasharray="3 2")
    yield line(true, 5, "stroke", stroke_width=3)
    middle, change = x + bar + (wide - bar) / 2 + 3, now - old
    yield svg.text(middle, y + 16, f"{now:.2f}".lstrip("0"), 15)
    if sign := arrow(change):
        words = f"{sign[0]}{abs(change):.2f}".replace("0.", ".")
        yield svg.text(middle, y + 36, words, 13, sign[1])
    elif board.position.likelihood is not None:
        yield svg.text(middle, y + 36, f"L {board.position.likelihood[i, f]:g}", 13, "muted")


def _chart(foot, distances):
    """Distance to exact over the steps."""
    top, end, high = foot - _CHART, _LEFT + _WIDE, max(0.02, *distances) * 1.05
    n = max(8, len(distances) - 1)
    spots = [
        (_LEFT + 8 + (_WIDE - 16) * k / n, top + _CHART * (1 - distance / high))
        for k, distance in enumerate(distances)
    ]
    yield left(8, top - 10, "distance to exact", "muted")
    yield svg.line(_LEFT, top, _LEFT, foot, "line")
    yield svg.line(_LEFT, foot, end, foot, "line")
    yield right(_LEFT - 5, top + 6, f"{high:.2f}".lstrip("0"))
    yield right(_LEFT - 5, foot - 2, "0")
    yield right(end, foot + 13, f"step {n}")
    yield svg.text(_LEFT + 8, foot + 13, "step 0", 13)
    if len(spots) > 1:
        yield svg.path(spots, "s0", stroke_width=2)
    if len(spots) <= 31:
        yield from (svg.circle(*spot, 3, "c0") for spot in spots[:-1])
    yield svg.circle(*spots[-1], 5, "c0")
