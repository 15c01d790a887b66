"""A hidden landscape: buy noisy games of Planet Wars, name an agent, be compared with NTBEA.

The games are those of the table of all 288 agents, won with the chance that it tells.
"""

from functools import cache
from itertools import islice

import numpy as np

from gameai_lib import _checks as checks
from gameai_lib import _svg as svg
from gameai_lib.boards import SEEDS, Board, WrongTouch
from gameai_lib.ntbea.contest.rivals import random_marginals
from gameai_lib.ntbea.game.problems import planet_wars_table
from gameai_lib.ntbea.search.landscape import LandscapeModel
from gameai_lib.ntbea.search.recommend import best_sampled
from gameai_lib.ntbea.search.steps import search_steps

DIALS = "ABCDE"
N_RUNS = 20  # of each rival
_AT_ONCE = 5  # games of NTBEA between two steps of thinking
_SHORT_LIST = 8  # settings shown unless all are asked for
_WIDE, _ROW = 46, 32  # boxes of the dials
_BOXES = 116  # where they begin
_TILE = 30  # settings that were bought


@cache
def _problem():
    return planet_wars_table()


@cache
def _chances():
    """Chance of every setting to win, one axis for each dial; read only."""
    problem = _problem()
    lost, won = problem.outcomes
    values = problem.true_values(problem.space.all_points())
    chances = ((values - lost) / (won - lost)).reshape(problem.space.n_values)
    chances.setflags(write=False)
    return chances


@cache
def _best():
    """The point of the largest chance."""
    return tuple(int(v) for v in np.unravel_index(_chances().argmax(), _chances().shape))


class LandscapeBoard(Board):
    """Five parameters, a budget of noisy games, and one agent to name.

    Parameters
    ----------
    n_games : int
        The budget, from 10 to 200.
    disguised : bool
        Whether the dials' names are hidden and their values shuffled until the end: who knows
        the landscape can then play again.
    seed : int
        Of disguise, games and rivals.
    """

    name, title = "landscape", "A hidden landscape"
    rules = (
        "An agent for the game Planet Wars has five parameters, which makes 288 agents. Find one "
        "that often wins against a fixed opponent. What the parameters mean you need not know.",
        "Touch a value of each parameter. Then buy a game: it is won or lost, by a chance that "
        "the agent has and that you do not see.",
        "Your games are few. Spend them on new agents, or on old ones to know them better: "
        "touch an agent in the list to go back to it.",
        "Choose the agent that you trust most and name it, when you like, at the "
        "latest when all games are spent. You get its true chance to win.",
        "Then let NTBEA spend the whole budget, however many games you bought, and compare.",
    )
    views = {"marginals": "Wins of each value", "all": "All agents bought"}  # noqa: RUF012
    can_undo = False

    def __init__(self, *, n_games: int = 50, disguised: bool = False, seed: int = 0):
        super().__init__(seed=seed)
        self.n_games = checks.whole("n_games", n_games, 10, 200)
        self._dress(checks.flag("disguised", disguised))
        self.dials = (0,) * len(DIALS)  # columns that are chosen, by row
        self.bought = ()  # ((point, fitness), …), in order
        self.latest = 0  # how many of them were bought at once at last
        self.named = None  # a point
        self.recommended = {}  # of each rival its points, in the order of its runs
        self.spent = {}  # and of each run: settings tried, games with the one recommended
        self._luck = int(self.rng().integers(SEEDS))

    def _dress(self, disguised):
        """Which dial each row is, and which value each of its columns."""
        self.disguised = disguised
        space = _problem().space
        rows, columns = range(space.n_dims), [range(n) for n in space.n_values]
        if disguised:
            rng = self.rng(1)
            rows, columns = rng.permutation(rows), [rng.permutation(c) for c in columns]
        self.rows = tuple(int(d) for d in rows)
        self.columns = tuple(tuple(int(v) for v in columns[d]) for d in self.rows)

    def options(self):
        return super().options() | {"n_games": self.n_games, "disguised": self.disguised}

    # Touches: what is on show has rows and columns, what the library knows is a point.

    def point_of(self, dials):
        """The point of the space at which the dials stand."""
        point = [0] * len(self.rows)
        for dim, values, column in zip(self.rows, self.columns, dials, strict=True):
            point[dim] = values[column]
        return tuple(point)

    def dials_of(self, point):
        """The columns of a point, by row."""
        pairs = zip(self.rows, self.columns, strict=True)
        return tuple(values.index(point[dim]) for dim, values in pairs)

    def move(self, name):
        verb, _, what = name.partition("-")
        if verb == "set":
            self.dials = self._dials_in(name, what)
        elif verb in ("named", "disguised") and not what:
            if self.bought:
                raise WrongTouch("Names can be hidden or shown before the first game only.")
            self._dress(verb == "disguised")
            self.dials = (0,) * len(DIALS)
        elif verb in ("buy", "buy5", "name"):
            dials = self._dials_in(name, what)
            if self.named is not None:
                raise WrongTouch(f"{self._words(self.dials_of(self.named))} is named: it is over.")
            self.dials = dials
            if verb == "name":
                self._name()
            else:
                self._buy(5 if verb == "buy5" else 1)
            return True
        else:
            self._turn(name)
        return False

    def _turn(self, name):
        row, column = DIALS.find(name[:1]), name[1:]
        if row < 0 or not column.isdecimal() or len(column) > 1:
            super().move(name)
        if not 1 <= int(column) <= len(self.columns[row]):
            raise WrongTouch(f"parameter {name[0]} has no value {column}")
        self.dials = (*self.dials[:row], int(column) - 1, *self.dials[row + 1 :])

    def _dials_in(self, name, digits):
        sizes = [len(values) for values in self.columns]
        if not (digits.isascii() and digits.isdecimal() and len(digits) == len(sizes)) or any(
            not 1 <= int(digit) <= n for digit, n in zip(digits, sizes, strict=True)
        ):
            raise WrongTouch(f"{checks.short(name)} does not tell a value of each parameter")
        return tuple(int(digit) - 1 for digit in digits)

    def _buy(self, n):
        left = self.n_games - len(self.bought)
        if not left:
            raise WrongTouch(f"All {self.n_games} games are bought. Name an agent.")
        point, self.latest = self.point_of(self.dials), min(n, left)
        for _ in range(self.latest):
            # The number of the game decides, not how the games are bought.
            rng = np.random.default_rng([self._luck, 0, len(self.bought)])
            fitness = _problem().evaluate(np.array(point), rng)
            self.bought = (*self.bought, (point, fitness))

    def _name(self):
        if not self.bought:
            raise WrongTouch("Buy a game first: nothing is known of any agent yet.")
        self.named = self.point_of(self.dials)
        self.thinks = "Compare with NTBEA"

    # What is known, and what is true.

    def model(self):
        """What the bought games say of single values and of settings, as NTBEA keeps it."""
        model = LandscapeModel(_problem().space, (1, "d"))
        for point, fitness in self.bought:
            model.add(np.array(point), fitness)
        return model

    def settings(self):
        """Settings that were bought: (point, games won, games), the best mean first.

        Of equal means the one that has won more is first, then the one that has lost less.
        """
        tally = {}
        for point, fitness in self.bought:
            won, n = tally.get(point, (0, 0))
            tally[point] = won + (fitness > 0), n + 1
        listed = [(point, int(won), n) for point, (won, n) in tally.items()]
        return sorted(listed, key=lambda s: (-s[1] / s[2], -s[1], s[2]))

    def chance(self, point):
        """True chance of a setting to win."""
        return float(_chances()[point])

    def rank(self, point):
        """How many settings are better than this one, plus one."""
        return int((_chances() > _chances()[point]).sum()) + 1

    def think(self):
        """Let the rivals spend the budget, run by run."""
        if self.named is None:
            return
        problem, n_games = _problem(), self.n_games
        for run in range(len(self.recommended.get("NTBEA", ())), N_RUNS):
            model, tried = LandscapeModel(problem.space), {"NTBEA": [], "random": []}
            rng = np.random.default_rng([self._luck, 1, run])
            steps = search_steps(_noted(problem.evaluate, tried["NTBEA"]), model, rng)
            for n in range(0, n_games, _AT_ONCE):
                yield (run + n / n_games) / N_RUNS
                for _ in islice(steps, min(_AT_ONCE, n_games - n)):
                    pass
            rng = np.random.default_rng([self._luck, 2, run])
            evaluate = _noted(problem.evaluate, tried["random"])
            found = {
                "NTBEA": best_sampled(model),
                "random": random_marginals(problem.space, evaluate, n_games, rng),
            }
            found = {name: tuple(point.tolist()) for name, point in found.items()}
            self.recommended = {
                name: (*self.recommended.get(name, ()), point) for name, point in found.items()
            }
            self.spent = {
                name: (*self.spent.get(name, ()), (len(set(points)), points.count(found[name])))
                for name, points in tried.items()
            }
        self.thinks = ""

    # Pictures.

    def _value(self, row, column):
        """What stands in a box."""
        if self.disguised and self.named is None:
            return str(column + 1)
        value = _problem().space.values[self.rows[row]][self.columns[row][column]]
        return ("no", "yes")[value] if isinstance(value, bool) else str(value)

    def _before(self, dials):
        """The numbers that the values had in disguise, at the end."""
        if not self.disguised or self.named is None:
            return ""
        return " ".join(str(column + 1) for column in dials)

    def _dial(self, row):
        if self.disguised and self.named is None:
            return f"parameter {DIALS[row]}"
        return _problem().space.names[self.rows[row]]

    def _words(self, dials):
        return " ".join(self._value(row, column) for row, column in enumerate(dials))

    def _spoken(self, dials):
        return ", ".join(f"{self._dial(row)} {self._value(row, c)}" for row, c in enumerate(dials))

    def svg(self):
        parts, top = [], 0
        for part in (self._games, self._dials, self._truth, self._table, self._list):
            shapes, height = part(top)
            parts += shapes
            top += height
        return svg.picture(400, top, *parts, label="Parameters and games")

    def _games(self, top):
        """Every game of the budget as a mark."""
        n, won = len(self.bought), self._latest_won()
        last = f"last game {_said(won)}" if self.latest == 1 else f"last {self.latest}: {won} won"
        left = f"games left: {self.n_games - n} of {self.n_games}"
        shapes = [
            svg.text(8, top + 16, left, 15, "ink bold", anchor="start"),
            svg.text(392, top + 16, last if n else "", 15, "ink bold", anchor="end"),
        ]
        for i in range(self.n_games):
            x, y = 14 + 15.5 * (i % 25), top + 38 + 14 * (i // 25)
            if i >= n:
                shapes.append(svg.circle(x, y, 1.5, "muted"))
            elif self.bought[i][1] > 0:
                shapes.append(svg.circle(x, y, 5, "c0"))
            else:
                shapes.append(svg.circle(x, y, 4, "stroke-muted line"))
        top += 42 + 14 * -(-self.n_games // 25)
        words = "a mark for each game of your budget; filled: won, hollow: lost"
        shapes.append(svg.text(8, top, words, 12, "muted", anchor="start"))
        return shapes, 60 + 14 * -(-self.n_games // 25)

    def _latest_won(self):
        """Games won of those that were bought at last."""
        return sum(fitness > 0 for _, fitness in self.bought[len(self.bought) - self.latest :])

    def _bars(self):
        """What stands below each value: words, a share and its class, a dict by (row, column)."""
        bars = {(r, c): [] for r, values in enumerate(self.columns) for c in range(len(values))}
        model = self.model() if "marginals" in self.shown else None
        for (row, column), below in bars.items():
            dim, value = self.rows[row], self.columns[row][column]
            if model is not None:
                arms = model.arms((dim,))
                n, mean = int(arms.n[value]), float(arms.mean[value])
                won = (mean + 1) / 2 if n else 0.0
                below.append((f"{round(won * n)}/{n}" if n else "–", won, "mark"))
            if self.named is not None:
                true = float(_chances().take(value, axis=dim).mean())
                below.append((f"{true:.0%}", true, "good"))
        return bars

    def _dials(self, top):
        shapes, bars = [], self._bars()
        longest = max((bar[1] for below in bars.values() for bar in below), default=0) or 1
        best = self.dials_of(_best()) if self.named is not None else None
        before = self.disguised and self.named is not None  # then the old numbers stay legible
        below = _ROW + 10 * before
        high = below + 22 * len(bars[0, 0])
        for row, values in enumerate(self.columns):
            y = top + (high + 5) * row
            name = f"{DIALS[row]} {self._dial(row)}" if before else self._dial(row)
            shapes.append(svg.text(8, y + _ROW / 2, name, 14, anchor="start"))
            for column in range(len(values)):
                x = _BOXES + _WIDE * column
                chosen, words = self.dials[row] == column, self._value(row, column)
                box = [svg.rect(x, y, _WIDE - 3, high, "paper edge", rx=4)]
                if chosen:
                    box = [svg.rect(x, y, _WIDE - 3, high, "soft", rx=4)]
                    box += [svg.rect(x, y, _WIDE - 3, high, "ring", rx=4)]
                middle = x + (_WIDE - 3) / 2
                class_ = "ink bold" if chosen else "ink"
                box.append(svg.text(middle, y + _ROW / 2 + 10 * before, words, 15, class_))
                if before:
                    box.append(svg.text(middle + 3, y + 10, f"{column + 1} =", 12))
                if best and best[row] == column:
                    box.append(svg.circle(x + 6, y + 6, 3.5, "good"))
                label = f"{self._dial(row)} {words}"
                label += f", in disguise {DIALS[row]} {column + 1}" if before else ""
                for i, (said, length, class_) in enumerate(bars[row, column]):
                    foot = y + below + 22 * i
                    box.append(svg.text(middle, foot + 4, said, 12))
                    box.append(
                        svg.rect(x + 4, foot + 13, (_WIDE - 11) * length / longest, 5, class_)
                    )
                    label += f", {said}"
                shapes.append(svg.target(f"{DIALS[row]}{column + 1}", label, *box, pressed=chosen))
        height = (high + 5) * len(self.rows) + 6
        if best:
            here = self.point_of(self.dials)
            words = f"{self.chance(here):.0%}, number {self.rank(here)} of {_chances().size}"
            y = top + height + 6
            shapes += [
                svg.text(8, y, f"the values above: {words}", 14, "ink bold", anchor="start"),
                svg.circle(12, y + 20, 4, "good"),
                svg.text(22, y + 20, "the best agent; %: true mean of all with a value", 13,
                         anchor="start"),
            ]  # fmt: skip
            height += 44
        return shapes, height

    def _truth(self, top):
        """All settings and all recommendations by their true chance; empty before the end."""
        if self.named is None:
            return [], 0
        yours, end = self.chance(self.named), np.ceil(10 * _chances().max()) / 10
        rows = [(f"the {_chances().size} agents, by their true chance", _chances().ravel())]
        for name, words in (("NTBEA", "NTBEA"), ("random", "random games, best means")):
            if name in self.recommended:
                runs = np.array([self.chance(point) for point in self.recommended[name]])
                some = f"{len(runs)} of " if len(runs) < N_RUNS else ""
                words = f"{words}, {some}{N_RUNS} runs: mean {runs.mean():.0%}"
                rows.append((words, runs))

        def x(chance):
            return 20 + 360 * chance / end

        shapes = [svg.text(x(yours), top + 8, f"you {yours:.0%}", 14, "ink bold")]
        for i, (words, chances) in enumerate(rows):
            foot = top + 72 + 62 * i
            shapes.append(svg.text(380, foot - 46, words, 13, anchor="end"))
            shapes.append(svg.line(20, foot, 380, foot, "line"))
            if i == 0:
                shapes += [svg.line(x(c), foot, x(c), foot - 20, "thin") for c in chances]
            else:
                shapes += _stacks(x, foot, chances, f"c{i} edge")
            shapes.append(svg.line(x(yours), foot, x(yours), foot - 37, "stroke", stroke_width=2))
        shapes += [
            svg.text(x(c), foot + 12, f"{c:.0%}", 12, "muted")
            for c in np.arange(0, end + 0.01, 0.1)
        ]
        return shapes, foot + 30 - top

    def _table(self, top):
        """How the reader and the rivals spent their games; empty before they have."""
        if not self.spent:
            return [], 0
        here = {point: n for point, _, n in self.settings()}
        rows = [
            ("", "games", "agents", "on the one named", "true"),
            ("you", len(self.bought), len(here), here.get(self.named, 0), self.chance(self.named)),
        ]
        for name, runs in self.spent.items():
            tried, repeated = np.mean(runs, axis=0)
            true = np.mean([self.chance(point) for point in self.recommended[name]])
            rows.append((f"{name}, mean", self.n_games, f"{tried:.1f}", f"{repeated:.1f}", true))
        shapes = [svg.line(8, top + 21, 392, top + 21, "line")]
        for i, row in enumerate(rows):
            y, class_ = top + 10 + 22 * i, ("muted", "ink bold", "ink", "ink")[i]
            row = (*row[:4], f"{row[4]:.0%}") if i else row
            shapes.append(svg.text(8, y, row[0], 13, class_, anchor="start"))
            for x, cell in zip((146, 214, 346, 392), row[1:], strict=True):
                shapes.append(svg.text(x, y, cell, 13, class_, anchor="end"))
        return shapes, 22 * len(rows) + 14

    def _list(self, top):
        """Settings that were bought, the best mean first, and the one on the dials in any case."""
        settings = self.settings()
        if not settings:
            return [], 0
        listed = settings if "all" in self.shown else settings[:_SHORT_LIST]
        ended = self.named is not None
        high = _TILE + 18 * ended * (1 + self.disguised)
        words = (
            "bought so far, best mean first" if self.named is None else "bought, best mean first"
        )
        if len(listed) < len(settings):
            words = f"best {len(listed)} means of {len(settings)} agents"
            here = [s for s in settings[_SHORT_LIST:] if s[0] == self.point_of(self.dials)]
            words += "; last: the values above" if here else ""
            listed = listed + here
        shapes = [svg.text(8, top + 12, words, 13, "muted", anchor="start")]
        for i, (point, won, n) in enumerate(listed):
            x, y = 8 + 193 * (i % 2), top + 24 + (high + 4) * (i // 2)
            dials, said = self.dials_of(point), f"{won}/{n}"
            before = self._before(dials)
            label = f"go back to {self._words(dials)}, won {won} of {n}"
            tile = [
                svg.rect(x, y, 190, high, "soft", rx=4),
                svg.text(x + 8, y + 15, before or self._words(dials), 13, anchor="start"),
                svg.text(x + 182, y + 15, said, 13, "ink bold", anchor="end"),
            ]
            if ended:
                said = f"{won / n:.0%} seen, {self.chance(point):.0%} true"
                tile.append(svg.text(x + 182, y + high - 15, said, 13, "good bold", anchor="end"))
                if before:
                    words = f"= {self._words(dials)}"
                    tile.append(svg.text(x + 8, y + 33, words, 13, anchor="start"))
                    label += f", in disguise {before}"
                label += f", {said}"
            if dials == self.dials:
                tile.append(svg.rect(x, y, 190, high, "ring", rx=4))
            shapes.append(svg.target("set-" + _digits(dials), label, *tile))
        return shapes, 28 + (high + 4) * -(-len(listed) // 2)

    # Words.

    def buttons(self):
        if self.named is not None:
            return []
        digits, left = _digits(self.dials), self.n_games - len(self.bought)
        buttons = [(f"buy-{digits}", "Buy a game")] if left else []
        if left > 1:
            buttons.append((f"buy5-{digits}", f"Buy {min(5, left)} games"))
        if self.bought:
            buttons.append((f"name-{digits}", "Name this agent: the end"))
        return buttons

    def selects(self):
        if self.bought:
            return []
        choices = [("named", "with their names"), ("disguised", "names hidden, values shuffled")]
        return [("Parameters", choices, "disguised" if self.disguised else "named")]

    def say(self):
        setting = self._words(self.dials)
        if self.named is not None:
            return self._result()
        tally = {point: (won, n) for point, won, n in self.settings()}
        here = tally.get(self.point_of(self.dials))
        said = f"The values are {setting}: "
        said += f"won {here[0]} of {_games(here[1])}." if here else "no game bought yet."
        left = self.n_games - len(self.bought)
        if not self.bought:
            return f"{said}\nTouch a value of each parameter, then buy a game. You have {left}."
        words, won = self._words(self.dials_of(self.bought[-1][0])), self._latest_won()
        if self.latest > 1:
            said = f"{won} of {self.latest} games with {words} were won. {said}"
        else:
            said = f"The game with {words} was {_said(won)}. {said}"
        if left:
            return f"{said}\n{_games(left)} {'is' if left == 1 else 'are'} left."
        return f"{said}\nAll games are spent: choose the agent you trust most, name it."

    def _result(self):
        yours, best = self.chance(self.named), _best()
        before = self._before(self.dials_of(self.named))
        said = f"The agent you named{before and f', {before},'} wins {yours:.0%} of its games: "
        best_has = f"{self._spoken(self.dials_of(best))}"
        if self.rank(self.named) == 1:
            said += f"it is the best of all {_chances().size}, {best_has}."
        else:
            said += (
                f"number {self.rank(self.named)} of {_chances().size}. The best has {best_has} "
                f"and wins {self.chance(best):.0%}."
            )
        here = self.point_of(self.dials)
        if here != self.named:
            said += (
                f"\nThe values are now {self._words(self.dials)}: it wins "
                f"{self.chance(here):.0%}, number {self.rank(here)}."
            )
        n_runs = len(self.recommended.get("NTBEA", ()))
        if not n_runs:
            return f"{said}\nNow let NTBEA spend {self.n_games} games here, {N_RUNS} times over."
        if n_runs < N_RUNS:  # the same words for each, or a screen reader would read on and on
            return f"{said}\nWhat NTBEA and random games found so far is in the picture."
        names = {"NTBEA": "NTBEA", "random": "Random games, and of each parameter the best mean"}
        for name, points in self.recommended.items():
            runs = np.array([self.chance(point) for point in points])
            beaten, level = int((runs < yours).sum()), int((runs == yours).sum())
            said += (
                f"\n{names[name]}: {runs.mean():.0%} in the mean of {n_runs} runs, from "
                f"{runs.min():.0%} to {runs.max():.0%}. You beat {beaten} of them"
            )
            said += f" and are level with {level}." if level else "."
        return said


def _noted(evaluate, points):
    """The same games, and their points put into a list."""

    def play(point, rng):
        points.append(tuple(point.tolist()))
        return evaluate(point, rng)

    return play


def _games(n):
    return f"{n} game{'s' * (n != 1)}"


def _said(won):
    return "won" if won else "lost"


def _digits(dials):
    """Dials as in names of touches."""
    return "".join(str(column + 1) for column in dials)


def _stacks(x, foot, values, class_):
    """A disc for every value, equal ones upon each other."""
    return [
        svg.circle(x(value), foot - 5 - min(8, 30 / n) * j, 4, class_)
        for value, n in zip(*np.unique(values, return_counts=True), strict=True)
        for j in range(n)
    ]
