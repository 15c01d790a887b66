"""Belief slot by slot: V0, the steps of V1 or BB, and exact, with hints that come and go."""

from itertools import islice, permutations

import numpy as np

from gameai_book.hanabi.boards.words import counted, listed
from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import short
from gameai_lib.hanabi.belief.exact import exact_belief
from gameai_lib.hanabi.belief.v1 import V1Frame, V1Settings, v1_iterations
from gameai_lib.hanabi.game import cases
from touchbook.board import svg
from touchbook.boards import Board, WrongTouch

CASES = {case.name: case for case in (cases.S4, cases.S5, cases.S2, cases.S3, cases.S6, cases.S7)}
STEPS = {"1": 1.0, "0.5": 0.5, "0.2": 0.2, "adapted": None}
MOST_SLOTS, MOST_CARDS, MOST_COPIES = 5, 5, 9
_MOST_STEPS = 200
_LEFT, _TOP, _WIDE, _HIGH = 52, 52, 340, 50  # of the cells: all in width, each in height
_CHART = 62
_SEEN = 0.005  # what moved less is not marked


class SlotsBoard(Board):
    """A small hand whose cards nobody sees: one step of V1 (BB, with a likelihood) at a time.

    Parameters
    ----------
    case : str
        One of `CASES`; left out if the next three are given.
    candidates : (n_cards,) sequence of int, optional
        Copies of each card that no one sees, 0 to 9; at most five cards.
    hint_mask : (n_slots, n_cards) sequence of bool, optional
        Which cards the hints leave to each slot; at most five slots.
    likelihood : (n_slots, n_cards) sequence of float, optional
        Of a partner's action, for BB; none without.
    w : {"1", "0.5", "0.2", "adapted"}
        The part of a step that is made.
    clip : bool
        Whether an expected number of copies below zero counts as zero.
    choices : bool
        Whether the reader can choose position, step size, clip and what a touch does.
    seed : int
        Of nothing: the bench has no chance in it.
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
        self, *, case: str = "S4", candidates=None, hint_mask=None, likelihood=None,
        w: str = "1", clip: bool = True, choices: bool = True, seed: int = 0,
    ):  # fmt: skip
        super().__init__(seed=seed)
        checks.one_of("case", case, CASES)
        self.w = checks.one_of("w", w, STEPS)
        self.clip = checks.flag("clip", clip)
        self.choices = checks.flag("choices", choices)
        self.start = {"w": w, "clip": clip, "choices": choices}
        if candidates is None and hint_mask is None:
            self.positions = CASES
            self.start["case"] = case
        else:
            case, own = "own", _own(candidates, hint_mask, likelihood)
            self.positions = {case: own, **CASES}
            given = {name: getattr(own, name) for name in ("candidates", "hint_mask", "likelihood")}
            self.start |= {name: v.tolist() for name, v in given.items() if v is not None}
        self.shown = frozenset({"exact"})
        self.fixes = False
        self._take(case)
        self.exact()

    def _take(self, case):
        self.case, self.position = case, self.positions[case]
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

    def _cells(self):
        return [f"cell-{i}-{f}" for i, f in np.ndindex(self.mask.shape)]

    def move(self, name):
        kind, _, value = name.partition("-")
        if name in ("step", "ten"):
            n = self.n_steps + (1 if name == "step" else 10)
            if n > _MOST_STEPS:
                raise WrongTouch(f"{_MOST_STEPS} steps are enough.")
            self.n_steps = n
        elif kind == "case" and value in self.positions:
            self._take(value)
        elif kind == "w" and value in STEPS:
            self.w, self.n_steps = value, 0
        elif name in ("clip-on", "clip-off"):
            self.clip, self.n_steps = name == "clip-on", 0
        elif name in ("touch-crosses", "touch-fixes"):
            self.fixes = name == "touch-fixes"
        elif name in self._cells():
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
        _exact(self.position.candidates, mask, self.position.likelihood)
        self.mask, self.n_steps = mask, 0

    def buttons(self):
        return [("step", "Step"), ("ten", "Ten steps")]

    def selects(self):
        if not self.choices:
            return []
        listed = [(f"case-{name}", "yours" if name == "own" else name) for name in self.positions]
        steps = [(f"w-{w}", "1, the plain step" if w == "1" else w) for w in STEPS]
        return [
            ("Position", listed, f"case-{self.case}"),
            ("Step size w", steps, f"w-{self.w}"),
            ("Below zero", [("clip-on", "count as 0"), ("clip-off", "leave it")],
             "clip-on" if self.clip else "clip-off"),
            ("A touch", [("touch-crosses", "crosses it out"), ("touch-fixes", "fixes the card")],
             "touch-fixes" if self.fixes else "touch-crosses"),
        ]  # fmt: skip

    def frames(self) -> list[V1Frame]:
        """From V0 (or BB0) to the step at which the bench stands."""
        settings = V1Settings(damping=STEPS[self.w], clip=self.clip)
        given = self.position.candidates, self.mask, self.position.likelihood
        return list(islice(v1_iterations(*given, settings=settings), self.n_steps + 1))

    def exact(self):
        """(n_slots, n_cards) float: the exact belief."""
        return _exact(self.position.candidates, self.mask, self.position.likelihood)

    def svg(self):
        frames, exact = self.frames(), self.exact()
        n_slots, n_cards = self.mask.shape
        wide = _WIDE / n_cards
        shapes = []
        for f, copies in enumerate(self.position.candidates):
            x = _LEFT + wide * (f + 0.5)
            shapes.append(
                svg.text(x - 4, 16, self.position.card_names[f], 16, "ink bold", anchor="end")
            )
            shapes.append(svg.text(x + 2, 16, f"×{copies}", 14, anchor="start"))
        before = frames[-2].belief if len(frames) > 1 else None
        for i, f in np.ndindex(self.mask.shape):
            x, y = _LEFT + wide * f, _TOP - 22 + (_HIGH + 6) * i
            now = frames[-1].belief[i, f]
            old = None if before is None else before[i, f]
            shapes += self._draw_cell(i, f, x + 2, y, wide - 4, now, old, exact[i, f])
        foot = _TOP - 22 + (_HIGH + 6) * n_slots
        shapes += [svg.text(_LEFT - 6, _TOP - 22 + (_HIGH + 6) * i + _HIGH / 2, f"slot {i}", 13,
                            anchor="end") for i in range(n_slots)]  # fmt: skip
        shapes.append(svg.text(_LEFT - 6, foot + 12, "in all", 13, anchor="end"))
        for f, (sum_, copies) in enumerate(self._promised(frames[-1].belief)):
            over = sum_ > copies + 5e-4
            words = f"{sum_:.2f} of {copies}"
            kind = "bad bold" if over else "ink"
            shapes.append(svg.text(_LEFT + wide * (f + 0.5), foot + 12, words, 13, kind))
        shapes += self._chart(foot + 46, frames, exact)
        return svg.picture(400, foot + 46 + _CHART + 24, *shapes, label=self.title)

    def _draw_cell(self, i, f, x, y, wide, now, old, exact):
        here, name = self.mask[i, f], self.position.card_names[f]
        words = f"slot {i}, {name}: {now:.3f}" if here else f"slot {i} has no {name}"
        if here and "exact" in self.shown:
            words += f", exact {exact:.3f}"
        back = svg.rect(x, y, wide, _HIGH, "paper edge" if here else "soft edge")
        shapes = [svg.target(f"cell-{i}-{f}", words, back, pressed=not here)]
        if not here:
            return [*shapes, svg.line(x + 8, y + 8, x + wide - 8, y + _HIGH - 8, "line"),
                    svg.line(x + 8, y + _HIGH - 8, x + wide - 8, y + 8, "line")]  # fmt: skip

        def level(p):
            return y + _HIGH - 1 - (_HIGH - 2) * min(max(p, 0.0), 1.0)

        bar = wide * 0.42
        shapes.append(svg.rect(x + 1, level(now), bar, y + _HIGH - 1 - level(now), "c5"))
        if old is not None:
            shapes.append(svg.line(x + 1, level(old), x + 1 + bar, level(old), "stroke-muted",
                                   stroke_width=1.5, stroke_dasharray="3 2"))  # fmt: skip
        if "exact" in self.shown:
            shapes.append(svg.line(x + 1, level(exact), x + 1 + bar + 5, level(exact), "stroke",
                                   stroke_width=3))  # fmt: skip
        u = x + bar + (wide - bar) / 2 + 3
        shapes.append(svg.text(u, y + 16, f"{now:.2f}".replace("-", "−").lstrip("0") or "0", 15))
        change = 0.0 if old is None else now - old
        if abs(change) > _SEEN:
            word, kind = ("▲", "good") if change > 0 else ("▼", "bad")
            shapes.append(
                svg.text(u, y + 36, f"{word}{abs(change):.2f}".replace("0.", "."), 13, kind)
            )
        elif self.position.likelihood is not None:
            L = self.position.likelihood[i, f]
            shapes.append(svg.text(u, y + 36, f"L {L:g}", 13, "muted"))
        return shapes

    def _promised(self, belief):
        return list(zip(belief.sum(axis=0), self.position.candidates.tolist(), strict=True))

    def _chart(self, top, frames, exact):
        """Distance to exact over the steps."""
        distance = [_distance(frame.belief, exact) for frame in frames]
        high = max(0.02, *distance) * 1.05
        n = max(8, len(frames) - 1)

        def spot(k):
            return _LEFT + 8 + (_WIDE - 16) * k / n, top + _CHART * (
                1 - min(distance[k], high) / high
            )

        spots = [spot(k) for k in range(len(frames))]
        shapes = [
            svg.text(8, top - 10, "distance to exact", 13, "muted", anchor="start"),
            svg.line(_LEFT, top, _LEFT, top + _CHART, "line"),
            svg.line(_LEFT, top + _CHART, _LEFT + _WIDE, top + _CHART, "line"),
            svg.text(_LEFT - 5, top + 6, f"{high:.2f}".lstrip("0"), 13, anchor="end"),
            svg.text(_LEFT - 5, top + _CHART - 2, "0", 13, anchor="end"),
            svg.text(_LEFT + _WIDE, top + _CHART + 13, f"step {n}", 13, anchor="end"),
            svg.text(_LEFT + 8, top + _CHART + 13, "step 0", 13),
        ]
        if len(spots) > 1:
            shapes.append(svg.path(spots, "s0", stroke_width=2))
        if len(spots) <= 31:
            shapes += [svg.circle(*one, 3, "c0") for one in spots[:-1]]
        return [*shapes, svg.circle(*spots[-1], 5, "c0")]

    def say(self):
        frame, exact = self.frames()[-1], self.exact()
        kind = "V1" if self.position.likelihood is None else "BB"
        name = "V0" if kind == "V1" else "BB before its first step"
        if self.n_steps:
            name = f"{kind} after {counted(self.n_steps, 'step')}"
        said = (
            f"{name}. Its distance from the exact belief is {_distance(frame.belief, exact):.4f}."
        )
        over = [
            f"{sum_:.2f} copies of {self.position.card_names[f]}, but there "
            f"{'is' if copies == 1 else 'are'} {copies}"
            for f, (sum_, copies) in enumerate(self._promised(frame.belief))
            if sum_ > copies + 5e-4
        ]
        return f"{said} Together the slots promise {listed(over)}." if over else said


def _own(candidates, hint_mask, likelihood):
    """A position that the reader gives."""
    candidates = arrays.whole("candidates", candidates, 0, MOST_COPIES)
    mask = np.asarray(hint_mask)
    if mask.ndim != 2 or mask.dtype != bool or mask.shape[1] != candidates.size:
        raise ValueError(f"hint_mask must be bool (n_slots, {candidates.size}), got {short(mask)}")
    checks.whole("number of cards", candidates.size, 1, MOST_CARDS)
    checks.whole("number of slots", mask.shape[0], 1, MOST_SLOTS)
    if likelihood is not None:
        likelihood = arrays.finite("likelihood", likelihood, 2)
    return cases.Case("own", "Your own.", "abcde", candidates, mask, likelihood, ())


def _exact(candidates, mask, likelihood):
    try:
        return exact_belief(candidates, mask, likelihood)
    except ValueError as error:
        raise WrongTouch(f"No hand fits these hints: {error}") from None


def _distance(belief, exact):
    return float(np.abs(belief - exact).sum(axis=1).mean() / 2)
