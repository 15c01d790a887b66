"""A hidden landscape: buy noisy games of Planet Wars, name an agent, be compared with NTBEA.

The games are those of the table of all 288 agents, won with the chance that it tells.
"""

from collections import defaultdict
from itertools import islice

import numpy as np

from gameai_book.ntbea.boards.landscape_picture import picture
from gameai_book.ntbea.boards.landscape_truth import agents, best_point, true_chances
from gameai_book.ntbea.boards.parts import games_words, value_words
from gameai_book.ntbea.contest.rivals import best_marginals, random_games
from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.ntbea.search.landscape import LandscapeModel
from gameai_lib.ntbea.search.recommend import best_sampled
from gameai_lib.ntbea.search.steps import search_steps
from touchbook.boards import SEEDS, Board, WrongTouch

_AT_ONCE = 5  # games of NTBEA between two steps of thinking


class LandscapeBoard(Board):
    """Five parameters, a budget of noisy games, and one agent to name.

    Parameters
    ----------
    n_games : int
        The budget, from 10 to 200.
    disguised : bool
        Whether the parameters' names are hidden and their values shuffled until the end: who knows
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
    letters = "ABCDE"  # of the rows
    n_runs = 20  # of each rival

    def __init__(self, *, n_games: int = 50, disguised: bool = False, seed: int = 0):
        super().__init__(seed=seed)
        self.n_games = checks.whole("n_games", n_games, 10, 200)
        self._dress(checks.flag("disguised", disguised))
        self.bought = ()  # ((point, fitness), …), in order
        self.latest = 0  # how many of them were bought at once at last
        self.named = None  # a point
        self.recommended = {}  # of each rival its points, in the order of its runs
        self.spent = {}  # and of each run: settings tried, games with the one recommended
        self._luck = int(self.rng().integers(SEEDS))

    def _dress(self, disguised):
        """Which parameter each row is, and which value each of its columns."""
        self.disguised, space = disguised, agents().space
        rows, columns = range(space.n_dims), [range(n) for n in space.n_values]
        if disguised:
            rng = self.rng(1)
            rows, columns = rng.permutation(rows), [rng.permutation(c) for c in columns]
        self.rows = tuple(int(d) for d in rows)
        self.columns = tuple(tuple(int(v) for v in columns[d]) for d in self.rows)
        self.choice = (0,) * space.n_dims  # columns that are chosen, by row

    def options(self):
        return super().options() | {"n_games": self.n_games, "disguised": self.disguised}

    # Touches: what is on show has rows and columns, what the library knows is a point.

    def point_of(self, choice):
        """The point of the space that a choice of columns means."""
        point = [0] * len(self.rows)
        for dim, values, column in zip(self.rows, self.columns, choice, strict=True):
            point[dim] = values[column]
        return tuple(point)

    def choice_of(self, point):
        """The columns of a point, by row."""
        pairs = zip(self.rows, self.columns, strict=True)
        return tuple(values.index(point[dim]) for dim, values in pairs)

    def move(self, name):
        verb, _, digits = name.partition("-")
        numbers = ["123456789"[: len(values)] for values in self.columns]
        places = [
            f"{row}{n}" for row, some in zip(self.letters, numbers, strict=True) for n in some
        ]
        if name in places:
            row, column = self.letters.index(name[0]), int(name[1]) - 1
            self.choice = (*self.choice[:row], column, *self.choice[row + 1 :])
        elif name in ("named", "disguised"):
            if self.bought:
                raise WrongTouch("Names can be hidden or shown before the first game only.")
            self._dress(name == "disguised")
        elif verb in ("set", "buy", "buy5", "name"):
            if len(digits) != len(numbers) or not all(map(str.__contains__, numbers, digits)):
                raise WrongTouch(f"{short(name)} does not tell a value of each parameter")
            if verb != "set" and self.named is not None:
                named = self.spell(self.choice_of(self.named))
                raise WrongTouch(f"{named} is named: it is over.")
            self.choice = tuple(int(digit) - 1 for digit in digits)
            if verb == "name":
                self._name()
            elif verb != "set":
                self._buy(5 if verb == "buy5" else 1)
            return verb != "set"
        else:
            super().move(name)
        return False

    def _buy(self, n):
        left = self.n_games - len(self.bought)
        if not left:
            raise WrongTouch(f"All {self.n_games} games are bought. Name an agent.")
        point, self.latest = self.point_of(self.choice), min(n, left)
        for _ in range(self.latest):
            # The number of the game decides, not how the games are bought.
            rng = np.random.default_rng([self._luck, 0, len(self.bought)])
            fitness = agents().evaluate(np.array(point), rng)
            self.bought = (*self.bought, (point, fitness))

    def _name(self):
        if not self.bought:
            raise WrongTouch("Buy a game first: nothing is known of any agent yet.")
        self.named = self.point_of(self.choice)
        self.thinks = "Compare with NTBEA"

    # What is known, and what is true.

    def model(self):
        """What the bought games say of single values and of settings, as NTBEA keeps it."""
        model = LandscapeModel(agents().space, (1, "d"))
        for point, fitness in self.bought:
            model.add(np.array(point), fitness)
        return model

    def settings(self):
        """Settings that were bought: (point, games won, games), the best mean first.

        Of equal means the one that has won more is first, then the one that has lost less.
        """
        results = defaultdict(list)
        for point, fitness in self.bought:
            results[point].append(fitness > 0)
        listed = [(point, sum(won), len(won)) for point, won in results.items()]
        return sorted(listed, key=lambda s: (-s[1] / s[2], -s[1], s[2]))

    def chance(self, point):
        """True chance of a setting to win."""
        return float(true_chances()[point])

    def rank(self, point):
        """How many settings are better than this one, plus one."""
        return int((true_chances() > true_chances()[point]).sum()) + 1

    def think(self):
        """Let the rivals spend the budget, run by run."""
        if self.named is None:
            return
        problem, n_games = agents(), self.n_games
        for run in range(len(self.recommended.get("NTBEA", ())), self.n_runs):
            model, rng = LandscapeModel(problem.space), np.random.default_rng([self._luck, 1, run])
            steps = search_steps(problem.evaluate, model, rng)
            for n in range(0, n_games, _AT_ONCE):
                yield (run + n / n_games) / self.n_runs
                for _ in islice(steps, min(_AT_ONCE, n_games - n)):
                    pass
            rng = np.random.default_rng([self._luck, 2, run])
            points, fitness = random_games(problem.space, problem.evaluate, n_games, rng)
            self._add_run("NTBEA", model.points, best_sampled(model))
            self._add_run("random", points, best_marginals(problem.space, points, fitness, rng))
        self.thinks = ""

    def _add_run(self, name, points, found):
        """Keep what one run of a rival has played and recommends."""
        spent = len(np.unique(points, axis=0)), int((points == found).all(axis=1).sum())
        before = self.recommended.get(name, ()), self.spent.get(name, ())
        self.recommended = self.recommended | {name: (*before[0], tuple(found.tolist()))}
        self.spent = self.spent | {name: (*before[1], spent)}

    # Names, as the disguise allows.

    def value(self, row, column):
        """What stands in a box."""
        if self.disguised and self.named is None:
            return str(column + 1)
        return value_words(agents().space.values[self.rows[row]][self.columns[row][column]])

    def before(self, choice):
        """The numbers that the values had in disguise, at the end."""
        if not self.disguised or self.named is None:
            return ""
        return " ".join(str(column + 1) for column in choice)

    def parameter(self, row):
        """The name of a row's parameter."""
        if self.disguised and self.named is None:
            return f"parameter {self.letters[row]}"
        return agents().space.names[self.rows[row]]

    def spell(self, choice):
        """The values of a choice of columns."""
        return " ".join(self.value(row, column) for row, column in enumerate(choice))

    def _spoken(self, choice):
        return ", ".join(
            f"{self.parameter(row)} {self.value(row, c)}" for row, c in enumerate(choice)
        )

    def digits(self, choice):
        """A choice of columns as it stands in the names of touches."""
        return "".join(str(column + 1) for column in choice)

    def latest_won(self):
        """Games won of those that were bought at last."""
        return sum(fitness > 0 for _, fitness in self.bought[len(self.bought) - self.latest :])

    def svg(self):
        return picture(self)

    # Words.

    def buttons(self):
        if self.named is not None:
            return []
        digits, left = self.digits(self.choice), self.n_games - len(self.bought)
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
        setting = self.spell(self.choice)
        if self.named is not None:
            return self._result()
        tally = {point: (won, n) for point, won, n in self.settings()}
        here = tally.get(self.point_of(self.choice))
        said = f"The values are {setting}: "
        said += f"won {here[0]} of {games_words(here[1])}." if here else "no game bought yet."
        left = self.n_games - len(self.bought)
        if not self.bought:
            return f"{said}\nTouch a value of each parameter, then buy a game. You have {left}."
        words, won = self.spell(self.choice_of(self.bought[-1][0])), self.latest_won()
        if self.latest > 1:
            said = f"{won} of {self.latest} games with {words} were won. {said}"
        else:
            said = f"The game with {words} was {'won' if won else 'lost'}. {said}"
        if left:
            return f"{said}\n{games_words(left)} {'is' if left == 1 else 'are'} left."
        return f"{said}\nAll games are spent: choose the agent you trust most, name it."

    def _result(self):
        yours, best = self.chance(self.named), best_point()
        before = self.before(self.choice_of(self.named))
        said = f"The agent you named{before and f', {before},'} wins {yours:.0%} of its games: "
        best_has = self._spoken(self.choice_of(best))
        if self.rank(self.named) == 1:
            said += f"it is the best of all {true_chances().size}, {best_has}."
        else:
            said += (
                f"number {self.rank(self.named)} of {true_chances().size}. The best has {best_has} "
                f"and wins {self.chance(best):.0%}."
            )
        here = self.point_of(self.choice)
        if here != self.named:
            said += (
                f"\nThe values are now {self.spell(self.choice)}: it wins "
                f"{self.chance(here):.0%}, number {self.rank(here)}."
            )
        n_runs = len(self.recommended.get("NTBEA", ()))
        if not n_runs:
            return (
                f"{said}\nNow let NTBEA spend {self.n_games} games here, {self.n_runs} times over."
            )
        if n_runs < self.n_runs:  # the same words for each, or a screen reader would read on and on
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
