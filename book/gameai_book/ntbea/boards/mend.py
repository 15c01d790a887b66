"""NTBEA mends the game of the ships: it plays real games among all 14,400 sets of rules."""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np

from gameai_book.ntbea.boards.parts import RULE_NAMES, game_mark, left_text, right_text
from gameai_lib.ntbea import LandscapeModel, SearchSpace, best_sampled, search_steps
from gameai_lib.ntbea.game import space_battle
from gameai_lib.ntbea.game.space_battle import FEW_RULES, RULE_SPACE, Rules
from touchbook.board import svg
from touchbook.board.chart import LOOKS, Chart
from touchbook.boards import Board

_VALUES = dict(zip(RULE_SPACE.names, RULE_SPACE.values, strict=True))
ALL_RULES = SearchSpace({name: _VALUES[name] for name in FEW_RULES.names})
N_FRESH = 40
MOMENTS = 10, 25, 50, 75, 100, 150, 200  # when the recommendation is put to the test
N_GAMES = MOMENTS[-1]
_AT_ONCE = 5  # games of the search between two steps of thinking; fresh ones are ten
_LEFT, _PITCH, _BOX, _ROW = 122, 27.4, 24, 56  # the values: where they begin, boxes, rows
_TOP, _HIGH = 306, 84  # of the chart


class Look(NamedTuple):
    """What NTBEA would recommend at some moment."""

    n_games: int  #: played by the search so far
    point: tuple  #: recommended
    estimate: float  #: the model's mean of it
    fresh: tuple  #: results of `N_FRESH` games of it, of which the search learns nothing

    @property
    def worth(self):
        """Mean of the fresh games."""
        return float(np.mean(self.fresh))


def _evaluate(point, rng):
    """One real game for the far-sighted pilot: 1 if it wins, ½ if it draws, 0 if it loses."""
    return (space_battle.result(Rules(thrust=1, **ALL_RULES.values_of(point)), rng) + 1) / 2


class MendBoard(Board):
    """A search for rules under which the far-sighted pilot wins, and fresh games beside it."""

    name, title = "mend", "NTBEA mends the game"
    rules = (
        "The five dials of the first screen have all their values here, which makes 14,400 sets "
        "of rules. NTBEA plays one real game at a time.",
        "A box is a value of a dial. It is filled with blue as far as the far-sighted pilot won "
        "the games with this value. Below the value is the number of these games. An outlined "
        "box has no game yet.",
        "The frames are the rules that NTBEA would recommend now.",
        f"At each mark of the chart NTBEA is asked what it recommends. Then {N_FRESH} fresh games "
        "are played under these rules. NTBEA learns nothing from them.",
    )
    begins = "Other luck"

    def __init__(self, *, seed: int = 0):
        super().__init__(seed=seed)
        self.played = ()  # ((point, result), …)
        self.looks = ()  # so far

    @property
    def thinks(self):
        done = len(self.looks) == len(MOMENTS)
        return "" if done else f"Let NTBEA play {N_GAMES} games"

    def runs_to_record(self):
        more = np.diff([0, *MOMENTS]).tolist()
        parts = [n // _AT_ONCE + N_FRESH // 10 for n in more]
        parts[-1] += 1  # the step that ends it
        return [tuple(f"think-{n}" for n in parts)]

    def think(self) -> Iterator[float]:
        self.played, self.looks = (), ()
        model, rng = LandscapeModel(ALL_RULES), np.random.default_rng(self.seed)
        steps = search_steps(_evaluate, model, rng)
        for n in MOMENTS:
            while len(self.played) < n:
                some = islice(steps, _AT_ONCE)
                played = [(tuple(step.point.tolist()), step.fitness) for step in some]
                self.played = (*self.played, *played)
                yield len(self.played) / N_GAMES
            point, fresh = best_sampled(model), []
            for game in range(N_FRESH):
                if game and game % 10 == 0:
                    yield n / N_GAMES
                fresh.append(_evaluate(point, np.random.default_rng([5 + self.seed, game])))
            look = Look(n, tuple(point.tolist()), float(model.mean(point)), tuple(fresh))
            self.looks = (*self.looks, look)
            yield n / N_GAMES

    # The picture.

    def svg(self):
        shapes = [*self._dials(), *self._chart(), *self._fresh(_TOP + _HIGH + 44)]
        return svg.picture(400, _TOP + _HIGH + 92, *shapes, label=self.title)

    def tally(self):
        """Of each dial the games played and the sum of their results, by value."""
        points = np.array([point for point, _ in self.played], int).reshape(-1, len(RULE_NAMES))
        results = np.array([result for _, result in self.played])
        for d, n in enumerate(ALL_RULES.n_values):
            yield np.bincount(points[:, d], minlength=n), np.bincount(points[:, d], results, n)

    def _dials(self):
        """A box for each value of each dial."""
        shapes, now = [], self.looks[-1].point if self.looks else None
        for d, (games, sums) in enumerate(self.tally()):
            y = 6 + _ROW * d
            shapes.append(left_text(6, y + 12, RULE_NAMES[d], 13, "ink bold"))
            if d == 0:
                shapes.append(left_text(6, y + 33, "value", 13))
                shapes.append(left_text(6, y + 47, "games", 13, "muted"))
            for v, value in enumerate(ALL_RULES.values[d]):
                x = _LEFT + _PITCH * v
                shapes.append(svg.rect(x, y, _BOX, _BOX, "soft" if games[v] else "line"))
                if sums[v]:
                    high = _BOX * sums[v] / games[v]
                    shapes.append(svg.rect(x, y + _BOX - high, _BOX, high, "c0"))
                on = now is not None and now[d] == v
                if on:
                    shapes.append(svg.rect(x, y, _BOX, _BOX, "stroke", stroke_width=3))
                class_ = "ink bold" if on else "ink"
                shapes.append(svg.text(x + _BOX / 2, y + 33, value, 13, class_))
                shapes.append(svg.text(x + _BOX / 2, y + 47, games[v] or "", 13, "muted"))
        return shapes

    def _chart(self):
        """What NTBEA believes of its recommendation, and what fresh games say of it."""
        chart = Chart(26, 392, _TOP, _TOP + _HIGH, N_GAMES, 0, 1)
        shapes = chart.frame("games", lambda value: "" if value else "0")
        shapes.append(right_text(22, _TOP + 4, "1", 13))
        lines = ("NTBEA’s estimate", "estimate"), (f"{N_FRESH} fresh games", "worth")
        for look, x, (words, field) in zip(LOOKS, (26, 210), lines, strict=False):
            spots = [(chart.x(one.n_games), chart.y(getattr(one, field))) for one in self.looks]
            shapes += look.key(x, _TOP - 11, words)
            shapes += [look.line(spots)] if len(spots) > 1 else []
            shapes += [look.mark(*spot) for spot in spots]
        return shapes

    def _fresh(self, top):
        """Fresh games under the rules recommended now, one by one."""
        now = self.looks[-1].fresh if self.looks else ()
        words = f"{N_FRESH} fresh games: filled won, grey drawn, hollow lost"
        shapes = [left_text(6, top, words, 13, "muted")]
        for g in range(N_FRESH):
            x, y = 14 + 19.3 * (g % 20), top + 18 + 15 * (g // 20)
            shapes.append(game_mark(x, y, now[g] if g < len(now) else None, r=5.5))
        return shapes

    # The words.

    def say(self):
        if not self.looks:
            n = len(self.played)
            played = f"{n} games have been played." if n else "No game has been played yet."
            return f"14,400 sets of rules, and {N_GAMES} games to play. {played}"
        now = self.looks[-1]
        values = ALL_RULES.values_of(np.array(now.point)).values()
        said = ", ".join(f"{name} {value}" for name, value in zip(RULE_NAMES, values, strict=True))
        won, drawn, lost = (now.fresh.count(result) for result in (1, 0.5, 0))
        ends = f"won {won}, drew {drawn} and lost {lost}" if drawn else f"won {won} and lost {lost}"
        return (
            f"After {now.n_games} games NTBEA recommends {said}. Its estimate is "
            f"{now.estimate:.2f}. In {N_FRESH} fresh games the far-sighted pilot {ends}: "
            f"the mean is {now.worth:.2f}."
        )
