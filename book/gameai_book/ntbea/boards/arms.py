"""Three arms to pull by hand, and UCB1 on the same rewards."""

from itertools import islice

import numpy as np

from gameai_book.ntbea.bandits import mean_and_bonus, pull_arms
from gameai_book.ntbea.boards.parts import game_mark, left_text, right_text
from gameai_lib.base import checks
from touchbook.board import svg
from touchbook.boards import Board, WrongTouch

ARMS = "ABC"
CHANCES = np.arange(2, 9) / 10
_LEFT, _WIDE = (8, 138, 268), 124  # where the arms stand
_GAUGE, _HIGH = 112, 104  # top of the gauges, and how high they are
_DOTS, _STEP, _PER_ROW = 260, 14, 8  # results, one by one
_IN_ORDER, _COLUMN = 30, 11  # pulls in a row of those in order, and how wide each is


class ArmsBoard(Board):
    """A bandit with three arms and a budget of `n_pulls`, from 5 to 60.

    The results that lie behind an arm are fixed by the seed: whoever pulls it for the fifth time
    gets its fifth result.
    """

    name, title = "arms", "Three arms"
    rules = (
        "Each of the three arms A, B and C wins with a chance of its own: 20, 30, 40, … or 80 %. "
        "No two have the same, and you are not told which has which.",
        "Pull an arm by touching it. The pull is won or lost; the chances stay as they are.",
        "Win as often as you can before your pulls are spent. A pull cannot be taken back.",
        "Then you see the chances, and how often a rule called UCB1 wins with as many pulls. The "
        "results of each arm are drawn beforehand: its n-th pull gives the same to you and to "
        "UCB1.",
    )
    views = {"bounds": "Bonus and bound"}
    can_undo = False
    # How curious UCB1 is: so it tries each arm in 30 pulls. With 0.3 it wins as much on average,
    # but hardly ever comes to an arm that it has not tried early.
    k = 0.5

    def __init__(self, *, n_pulls: int = 30, seed: int = 0):
        super().__init__(seed=seed)
        self.n_pulls = checks.whole("n_pulls", n_pulls, 5, 60)
        rng = self.rng()
        self.chances = rng.choice(CHANCES, len(ARMS), replace=False)
        self.rewards = rng.random((len(ARMS), self.n_pulls)) < self.chances[:, None]
        self.order = self._order_of_ucb1()  # the arms that it pulls: "CABA…"

    def options(self):
        return super().options() | {"n_pulls": self.n_pulls}

    @property
    def over(self):
        """Whether all pulls are spent."""
        return len(self.log) == self.n_pulls

    @property
    def n(self):
        """Pulls of each arm so far, (3,) int."""
        return np.array([self.log.count(f"pull-{arm}") for arm in ARMS])

    @property
    def won(self):
        """Wins of each arm so far, (3,) int."""
        return np.array([row[:n].sum() for row, n in zip(self.rewards, self.n, strict=True)])

    def move(self, name):
        if name not in [f"pull-{arm}" for arm in ARMS]:
            return super().move(name)
        if self.over:
            raise WrongTouch(f"All {self.n_pulls} pulls are spent. Start a new game for more.")
        return True

    def _order_of_ucb1(self):
        results = [iter(row) for row in self.rewards]
        rng = np.random.default_rng([self.seed, self.n_pulls - 1])
        pulls = pull_arms(lambda arm, _: next(results[arm]), len(ARMS), self.k, rng)
        return "".join(ARMS[pull.arm] for pull in islice(pulls, self.n_pulls))

    @property
    def n_of_ucb1(self):
        """How often UCB1 pulls each arm, (3,) int."""
        return np.array([self.order.count(arm) for arm in ARMS])

    def wins_of(self, n):
        """How often whoever pulls the arms `n` times wins, and would win on average."""
        won = sum(int(row[:times].sum()) for row, times in zip(self.rewards, n, strict=True))
        return won, float(n @ self.chances)

    def bounds(self):
        """Mean and bonus of each arm, and the arms that UCB1 may pull next, of equal bounds any."""
        mean, bonus = mean_and_bonus(self.n, self.won, self.k)
        bound = mean + bonus
        following = [ARMS[arm] for arm in np.flatnonzero(bound > bound.max() - 1e-6)]
        return mean, bonus, following

    def svg(self):
        height = _DOTS + _STEP * -(-self.n_pulls // _PER_ROW)
        left = f"pulls left: {self.n_pulls - len(self.log)} of {self.n_pulls}"
        shapes = [left_text(8, 16, left, 15, "ink bold")]
        shapes.append(right_text(392, 16, f"won: {self.won.sum()}", 15, "ink bold"))
        for arm in range(len(ARMS)):
            shapes += [self._lever(arm), *self._gauge(arm), *self._results(arm)]
        if self.over:
            more, high = self._in_order(height + 10)
            shapes += more
            height += high
        return svg.picture(400, height + 6, *shapes, label="Three arms")

    def _last(self):
        """The arm pulled last, and whether it won; None before the first pull."""
        if not self.log:
            return None
        arm = ARMS.index(self.log[-1][-1])
        return arm, bool(self.rewards[arm, self.n[arm] - 1])

    def _lever(self, arm):
        left, top, last = _LEFT[arm], 34, self._last()
        is_down = not self.over and last is not None and last[0] == arm
        shapes = [svg.rect(left, top, _WIDE, 64, "paper" if self.over else "soft edge", rx=8)]
        if is_down:
            shapes.append(svg.rect(left, top, _WIDE, 64, "ring", rx=8))
        shapes.append(svg.text(left + 30, top + 32, ARMS[arm], 30, "ink bold"))
        label = f"arm {ARMS[arm]}, won {self.won[arm]} of {self.n[arm]} pulls"
        if self.over:  # no lever any more, but the keyboard stays where it was
            return svg.target(f"pull-{ARMS[arm]}", f"{label}; no pulls are left", *shapes)
        x, y = left + 100, top + (30 if is_down else 18)
        words = ("won" if last[1] else "lost") if is_down else "pull"
        shapes += [
            svg.line(x, top + 50, x, y + 2 * (not is_down), "stroke", stroke_width=4),
            svg.circle(x, y, 8, f"c{arm}"),
            svg.text(left + 65, top + 32, words, 16, "ink bold" if is_down else "muted"),
        ]
        return svg.target(f"pull-{ARMS[arm]}", f"pull {label}", *shapes)

    @property
    def highest(self):
        """The largest bound that an arm can have while pulls are left; gauges end there."""
        log = np.log(self.n_pulls)
        return max(1 + self.k * np.sqrt(log / 1.5), self.k * np.sqrt(log / 0.5))

    def _gauge(self, arm):
        """The mean as a bar in a frame from 0 to 1, and what else is to be seen of an arm."""
        mean, bonus, following = self.bounds()
        shown = "bounds" in self.shown
        scale, foot, left = _HIGH / (self.highest if shown else 1), _GAUGE + _HIGH, _LEFT[arm]
        bar = scale * mean[arm]
        shapes = [svg.rect(left + 2, foot - bar, 34, bar, f"c{arm}")]
        words = [("mean " + (f"{mean[arm]:.2f}" if self.n[arm] else "–"), "ink")]
        if shown:
            more = scale * bonus[arm]
            shapes.append(svg.rect(left + 2, foot - bar - more, 34, more, "soft edge"))
            words += [(f"bonus {bonus[arm]:.2f}", "ink")]
            words += [(f"bound {mean[arm] + bonus[arm]:.2f}", "ink bold")]
            if ARMS[arm] in following and not self.over:
                words += [(f"UCB1{(' next', ': tie', ': any')[len(following) - 1]}", "mark bold")]
        shapes.append(svg.rect(left + 2, foot - scale, 34, scale, "line"))
        if self.over:
            y = foot - scale * self.chances[arm]
            shapes.append(svg.line(left - 3, y, left + 41, y, "stroke", stroke_width=3))
            words += [(f"truth {self.chances[arm]:.2f}", "good bold")]
        shapes += [
            left_text(left + 42, _GAUGE + 10 + 19 * i, text, 13, class_)
            for i, (text, class_) in enumerate(words)
        ]
        tally = f"won {self.won[arm]} of {self.n[arm]}"
        return [*shapes, left_text(left + 2, foot + 18, tally, 14)]

    def _results(self, arm):
        """Won and lost pulls of an arm, one by one."""
        shapes = []
        for j, won in enumerate(self.rewards[arm, : self.n[arm]]):
            row, column = divmod(j, _PER_ROW)
            x, y = _LEFT[arm] + 9 + _STEP * column, _DOTS - 8 + _STEP * row
            shapes.append(game_mark(x, y, won, class_=f"c{arm}"))
        return shapes

    def _in_order(self, top):
        """The pulls of both in the order of time, each with its result, and their height."""
        words = "pulls in order; filled: won"
        shapes, y = [left_text(8, top + 8, words, 13, "muted")], top + 34
        orders = {"you": "".join(name[-1] for name in self.log), "UCB1": self.order}
        for name, order in orders.items():
            shapes.append(left_text(8, y, name, 14, "ink bold"))
            for i, letter in enumerate(order):
                row, column = divmod(i, _IN_ORDER)
                arm, x, level = ARMS.index(letter), 64 + _COLUMN * column, y + 36 * row
                won = self.rewards[arm, order[:i].count(letter)]
                shapes.append(svg.text(x, level, letter, 13, "ink bold" if won else "ink"))
                shapes.append(game_mark(x, level + 15, won, class_=f"c{arm}"))
            y += 36 * -(-len(order) // _IN_ORDER) + 6
        return shapes, y - top

    def say(self):
        if self.over:
            return self._result()
        said = f"You have {self.n_pulls} pulls. Which arm do you try first?"
        if self.log:
            arm, won = self._last()
            each, left = zip(ARMS, self.won, self.n, strict=True), self.n_pulls - len(self.log)
            tallies = ", ".join(f"{name} {w} of {n}" for name, w, n in each)
            said = f"Arm {ARMS[arm]} {'won' if won else 'lost'}. Wins so far: {tallies}. "
            said += f"{left} pull{'s' * (left > 1)} left."
        if "bounds" in self.shown:
            mean, bonus, following = self.bounds()
            arms, top = " or ".join(following), (mean + bonus).max()
            why = f"the largest bound, {top:.2f}" if len(following) == 1 else "equal bounds"
            said += f"\nUCB1 (k = {self.k:g}) would pull {arms}: {why}. The outline of a bar is "
            said += "as tall as a mean of 1."
        return said

    def _result(self):
        chances = ", ".join(f"{a} {c:.0%}" for a, c in zip(ARMS, self.chances, strict=True))
        (won, worth), (ucb_won, ucb_worth) = self.wins_of(self.n), self.wins_of(self.n_of_ucb1)
        best = self.chances.max() * self.n_pulls
        return (
            f"You won {won} of {self.n_pulls} pulls, and UCB1 won {ucb_won}. The chances were "
            f"{chances}.\n"
            f"“Worth” is what such pulls win on average, without luck. The best arm alone is worth "
            f"{best:.1f} wins. Not knowing it cost you {best - worth:.1f} wins, and it cost UCB1 "
            f"{best - ucb_worth:.1f}."
        )
