"""Belief slot by slot: V0, the steps of V1 or BB, and exact, with hints that come and go."""

from itertools import islice, permutations

import numpy as np

from gameai_book.hanabi.boards.marks import arrow, cross, left, right
from gameai_book.hanabi.boards.words import count, join
from gameai_lib.base import checks
from gameai_lib.hanabi.belief.exact import exact_belief
from gameai_lib.hanabi.belief.v1 import V1Frame, V1Settings, v1_iterations
from gameai_lib.hanabi.game import cases
from touchbook.board import svg
from touchbook.boards import Board, WrongTouch

CASES = {case.name: case for case in (cases.S4, cases.S5, cases.S2, cases.S3, cases.S6, cases.S7)}
STEPS = {"1": 1.0, "0.5": 0.5, "0.2": 0.2, "adapted": None}
_MOST_STEPS = 200
_LEFT, _TOP, _WIDE, _HIGH = 52, 52, 340, 50  # of the cells: all in width, each in height
_CHART = 62


class SlotsBoard(Board):
    """A small hand whose cards nobody sees: one step of V1 (BB, with a likelihood) at a time.

    `case` is one of `CASES`, `w` the part of a step that is made, one of `STEPS`; with `clip` a
    number of copies below zero counts as zero. With `choices` the reader chooses all of these and
    what a touch does. Nothing depends on the seed.
    """

    name, title = "slots", "Belief, slot by slot"
    views = {"exact": "Exact"}  # noqa: RUF012
    rules = (
        "Each row is a slot of the hand, and each column is a card. The mark ×3 says that three "
        "copies of the card are left. The bar and the number in a cell are the belief.",
        "“Step” is one step of V1, for all slots at once. In S6 and S7, where a partner has acted, "
        "it is a step of BB. The triangles show where the probability has moved, and the dashes "
        "show where it was. The thick line is the exact belief.",
        "The last row says how many copies the slots promise together. It is red if they promise "
        "more than there are.",
        "Touch a cell to cross a card out, as a hint would. Touch it again to take that back. If "
        "you choose “fixes the card”, a touch says that this card lies there.",
        "The step size w is the part of a step that is made. A number of copies below zero counts "
        "as zero, unless you choose to leave it.",
    )
    begins = "From the start"

    def __init__(
        self, *, case: str = "S4", w: str = "1", clip: bool = True, choices: bool = True,
        seed: int = 0,
    ):  # fmt: skip
        super().__init__(seed=seed)
        self.w = checks.one_of("w", w, STEPS)
        self.clip = checks.flag("clip", clip)
        self.choices = checks.flag("choices", choices)
        self.start = {"w": w, "clip": clip, "choices": choices, "case": case}
        self.shown = frozenset({"exact"})
        self.fixes = False
        self._take(checks.one_of("case", case, CASES))

    def _take(self, case):
        self.case, self.position = case, CASES[case]
        # The mask is the case's, with what the reader crosses out.
        self.mask, self.n_steps = self.position.hint_mask, 0

    def options(self):
        return super().options() | self.start

    def recorded(self):
        steps = [("step",) * 5, ("ten", "ten"), ("ten", "step")]
        if self.choices:
            small = [("w-0.2", *run) for run in (*steps, ("ten",) * 5)]
            return [*steps, *small, ("clip-off", "step", "step")]
        # Until all slots have the same hints, when no step moves anything.
        crossed = [f"cell-{i}-{f}" for i, f in np.argwhere(~self.mask)[:2]]
        return [*steps, *((*order, "step") for order in permutations(crossed))]

    def move(self, name):
        kind, _, value = name.partition("-")
        if name in ("step", "ten"):
            n = self.n_steps + (1 if name == "step" else 10)
            if n > _MOST_STEPS:
                raise WrongTouch(f"{_MOST_STEPS} steps are enough.")
            self.n_steps = n
        elif kind == "case" and value in CASES:
            self._take(value)
        elif kind == "w" and value in STEPS:
            self.w, self.n_steps = value, 0
        elif name in ("clip-on", "clip-off"):
            self.clip, self.n_steps = name == "clip-on", 0
        elif name in ("touch-crosses", "touch-fixes"):
            self.fixes = name == "touch-fixes"
        elif name in [f"cell-{i}-{f}" for i, f in np.ndindex(self.mask.shape)]:
            self._change(*map(int, value.split("-")))
        else:
            return super().move(name)
        return True

    def _change(self, slot, card):
        mask, own = self.mask.copy(), self.position.hint_mask[slot]
        if self.fixes:
            fixed = np.arange(own.size) == card
            mask[slot] = own if (mask[slot] == fixed).all() else fixed
        else:
            mask[slot, card] = not mask[slot, card]
        _exact(self.position, mask)
        self.mask, self.n_steps = mask, 0

    def buttons(self):
        return [("step", "Step"), ("ten", "Ten steps")]

    def selects(self):
        if not self.choices:
            return []
        cases = [(f"case-{name}", name) for name in CASES]
        steps = [(f"w-{w}", "1, the plain step" if w == "1" else w) for w in STEPS]
        clips = [("clip-on", "count as 0"), ("clip-off", "leave it")]
        touches = [("touch-crosses", "crosses it out"), ("touch-fixes", "fixes the card")]
        return [
            ("Position", cases, f"case-{self.case}"),
            ("Step size w", steps, f"w-{self.w}"),
            ("Below zero", clips, clips[not self.clip][0]),
            ("A touch", touches, touches[self.fixes][0]),
        ]

    def frames(self) -> list[V1Frame]:
        """From V0 (or BB0) to the step at which the bench stands."""
        settings = V1Settings(damping=STEPS[self.w], clip=self.clip)
        given = self.position.candidates, self.mask, self.position.likelihood
        return list(islice(v1_iterations(*given, settings=settings), self.n_steps + 1))

    def exact(self):
        """(n_slots, n_cards) float: the exact belief."""
        return _exact(self.position, self.mask)

    def svg(self):
        return svg.picture(400, _chart_top(self) + _CHART + 24, *_shapes(self), label=self.title)

    def say(self):
        belief, position = self.frames()[-1].belief, self.position
        kind, name = (
            ("V1", "V0") if position.likelihood is None else ("BB", "BB before its first step")
        )
        if self.n_steps:
            name = f"{kind} after {count(self.n_steps, 'step')}"
        distance = _distance(belief, self.exact())
        said = f"{name}. Its distance from the exact belief is {distance:.4f}."
        over = [
            f"{promised:.2f} copies of {name}, but there {'is' if copies == 1 else 'are'} {copies}"
            for name, promised, copies, is_over in _promises(position, belief)
            if is_over
        ]
        return f"{said} Together the slots promise {join(over)}." if over else said


def _exact(position, mask):
    try:
        return exact_belief(position.candidates, mask, position.likelihood)
    except ValueError as error:
        raise WrongTouch(f"No hand fits these hints: {error}") from None


def _distance(belief, exact):
    return float(np.abs(belief - exact).sum(axis=1).mean() / 2)


def _promises(position, belief):
    """Of each card the name, the copies promised and left, and whether too many are promised."""
    columns = position.card_names, belief.sum(axis=0), position.candidates.tolist()
    return [(name, sum_, n, sum_ > n + 5e-4) for name, sum_, n in zip(*columns, strict=True)]


# The picture: a column a card, a row a slot, and a chart below.


def _row_top(slot):
    return _TOP - 22 + (_HIGH + 6) * slot


def _chart_top(board):
    return _row_top(len(board.mask)) + 46


def _shapes(board):
    beliefs, exact = [frame.belief for frame in board.frames()], board.exact()
    n_slots, n_cards = board.mask.shape
    now, foot = beliefs[-1], _row_top(n_slots) + 12
    promises = _promises(board.position, now)
    middles = [_LEFT + _WIDE / n_cards * (f + 0.5) for f in range(n_cards)]
    for x, (name, _, copies, _) in zip(middles, promises, strict=True):
        yield svg.text(x - 4, 16, name, 16, "ink bold", anchor="end")
        yield svg.text(x + 2, 16, f"×{copies}", 14, anchor="start")
    for i, f in np.ndindex(board.mask.shape):
        yield from _cell(board, i, f, beliefs, exact[i, f])
    for i in range(n_slots):
        yield right(_LEFT - 6, _row_top(i) + _HIGH / 2, f"slot {i}")
    yield right(_LEFT - 6, foot, "in all")
    for x, (_, promised, copies, is_over) in zip(middles, promises, strict=True):
        kind = "bad bold" if is_over else "ink"
        yield svg.text(x, foot, f"{promised:.2f} of {copies}", 13, kind)
    yield from _chart(_chart_top(board), [_distance(belief, exact) for belief in beliefs])


def _cell(board, i, f, beliefs, true):
    """What can be touched: the belief in one card, the step that led to it, and the exact one."""
    wide = _WIDE / board.mask.shape[1] - 4
    x, y, name = _LEFT + (wide + 4) * f + 2, _row_top(i), board.position.card_names[f]
    touch, place = f"cell-{i}-{f}", (x, y, wide, _HIGH)
    if not board.mask[i, f]:
        back = svg.rect(*place, "soft edge")
        yield svg.target(touch, f"slot {i} has no {name}", back, pressed=True)
        yield from cross(*place)
        return
    now, old = beliefs[-1][i, f], beliefs[-2][i, f] if len(beliefs) > 1 else None
    words = f"slot {i}, {name}: {now:.3f}"
    if "exact" in board.shown:
        words += f", exact {true:.3f}"
    yield svg.target(touch, words, svg.rect(*place, "paper edge"), pressed=False)

    def level(p):
        return y + _HIGH - 1 - (_HIGH - 2) * min(max(p, 0.0), 1.0)

    def line(p, beyond, kind, **look):
        return svg.line(x + 1, level(p), x + 1 + bar + beyond, level(p), kind, **look)

    bar, change = wide * 0.42, 0.0
    yield svg.rect(x + 1, level(now), bar, y + _HIGH - 1 - level(now), "c5")
    if old is not None:
        change = now - old
        yield line(old, 0, "stroke-muted", stroke_width=1.5, stroke_dasharray="3 2")
    if "exact" in board.shown:
        yield line(true, 5, "stroke", stroke_width=3)
    middle = x + bar + (wide - bar) / 2 + 3
    yield svg.text(middle, y + 16, f"{now:.2f}".replace("-", "−").lstrip("0") or "0", 15)
    if sign := arrow(change):
        words = f"{sign[0]}{abs(change):.2f}".replace("0.", ".")
        yield svg.text(middle, y + 36, words, 13, sign[1])
    elif board.position.likelihood is not None:
        yield svg.text(middle, y + 36, f"L {board.position.likelihood[i, f]:g}", 13, "muted")


def _chart(top, distances):
    """Distance to exact over the steps."""
    high, foot, end = max(0.02, *distances) * 1.05, top + _CHART, _LEFT + _WIDE
    n = max(8, len(distances) - 1)
    spots = [
        (_LEFT + 8 + (_WIDE - 16) * k / n, top + _CHART * (1 - min(distance, high) / high))
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
