"""A hidden landscape: buy noisy games of Planet Wars, name an agent, be compared with NTBEA.

The games are those of the table of all 288 agents, won with the chance that it tells.
"""

from collections import defaultdict
from itertools import islice
from typing import NamedTuple

import numpy as np

from gameai_book.ntbea.boards.landscape_picture import picture
from gameai_book.ntbea.boards.parts import best_agent, games_words, true_chances, value_words
from gameai_book.ntbea.contest.rivals import best_marginals, random_games
from gameai_book.ntbea.results.tables import planet_wars_table
from gameai_lib.base.checks import short
from gameai_lib.ntbea.search.landscape import LandscapeModel
from gameai_lib.ntbea.search.recommend import best_sampled
from gameai_lib.ntbea.search.steps import search_steps
from touchbook.boards import SEEDS, Board, WrongTouch

_AT_ONCE = 5  # games of NTBEA between two steps of thinking
_RIVALS = {"NTBEA": "NTBEA", "random": "Random games, and of each parameter the best mean"}


class Rival(NamedTuple):
    """How a rival has spent the budget in one run."""

    point: tuple  #: recommended
    n_tried: int  #: different agents
    n_games: int  #: of the one recommended


class LandscapeBoard(Board):
    """Five parameters in disguise, a budget of noisy games, and one agent to name.

    Names of parameters are hidden and their values shuffled until the end, so that who knows
    the landscape can play again.
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
    views = {"marginals": "Wins of each value", "all": "All agents bought"}
    can_undo = False
    letters = "ABCDE"  # of the rows
    n_games = 50  # the budget of the reader, and of each rival in each run
    n_runs = 20  # of each rival

    def __init__(self, *, seed: int = 0):
        super().__init__(seed=seed)
        rng, n_values = self.rng(1), planet_wars_table().space.n_values
        # Which parameter each row is, and which value each of its columns.
        self.rows = tuple(rng.permutation(len(n_values)).tolist())
        columns = [tuple(rng.permutation(n).tolist()) for n in n_values]
        self.columns = tuple(columns[dim] for dim in self.rows)
        self.choice = (0,) * len(n_values)  # columns that are chosen, by row
        self.bought = ()  # ((point, fitness), …), in order
        self.latest = 0  # how many of them were bought at once at last
        self.named = None  # a point, which ends the game
        self.runs = {"NTBEA": (), "random": ()}  # of each rival, a `Rival` a run
        self._luck = int(self.rng().integers(SEEDS))

    # Touches: what is on show has rows and columns, what the library knows is a point.

    def point_of(self, choice):
        """The point of the space that a choice of columns means."""
        values = map(tuple.__getitem__, self.columns, choice)
        return tuple(value for _, value in sorted(zip(self.rows, values, strict=True)))

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
            return False
        if verb not in ("set", "buy", "buy5", "name"):
            return super().move(name)
        if len(digits) != len(numbers) or not all(map(str.__contains__, numbers, digits)):
            raise WrongTouch(f"{short(name)} does not tell a value of each parameter")
        if verb != "set" and self.named is not None:
            raise WrongTouch(f"{self.spell(self.choice_of(self.named))} is named: it is over.")
        self.choice = tuple(int(digit) - 1 for digit in digits)
        if verb == "name":
            self._name()
        elif verb != "set":
            self._buy(5 if verb == "buy5" else 1)
        return verb != "set"

    def _buy(self, n):
        left = self.n_games - len(self.bought)
        if not left:
            raise WrongTouch(f"All {self.n_games} games are bought. Name an agent.")
        point, self.latest = self.point_of(self.choice), min(n, left)
        for _ in range(self.latest):
            # The number of the game decides, not how the games are bought.
            rng = np.random.default_rng([self._luck, 0, len(self.bought)])
            self.bought = (*self.bought, (point, planet_wars_table().evaluate(point, rng)))

    def _name(self):
        if not self.bought:
            raise WrongTouch("Buy a game first: nothing is known of any agent yet.")
        self.named = self.point_of(self.choice)
        self.thinks = "Compare with NTBEA"

    # What is known, and what is true.

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

    def chances_of(self, rival):
        """True chances of what a rival has recommended, run by run."""
        return np.array([self.chance(run.point) for run in self.runs[rival]])

    def rank(self, point):
        """How many settings are better than this one, plus one."""
        return int((true_chances() > true_chances()[point]).sum()) + 1

    def think(self):
        """Let the rivals spend the budget, run by run."""
        if self.named is None:
            return
        problem = planet_wars_table()
        for run in range(len(self.runs["NTBEA"]), self.n_runs):
            model, rng = LandscapeModel(problem.space), np.random.default_rng([self._luck, 1, run])
            steps = search_steps(problem.evaluate, model, rng)
            for n in range(0, self.n_games, _AT_ONCE):
                yield (run + n / self.n_games) / self.n_runs
                for _ in islice(steps, min(_AT_ONCE, self.n_games - n)):
                    pass
            rng = np.random.default_rng([self._luck, 2, run])
            points, fitness = random_games(problem, self.n_games, rng)
            self._add_run("NTBEA", model.points, best_sampled(model))
            self._add_run("random", points, best_marginals(problem.space, points, fitness, rng))
        self.thinks = ""

    def _add_run(self, rival, points, found):
        """Keep what one run of a rival has played and recommends."""
        n_games = int((points == found).all(axis=1).sum())
        run = Rival(tuple(found.tolist()), len(np.unique(points, axis=0)), n_games)
        self.runs = self.runs | {rival: (*self.runs[rival], run)}

    # Names, which are hidden until the end.

    def value(self, row, column):
        """What stands in a box."""
        if self.named is None:
            return str(column + 1)
        values = planet_wars_table().space.values[self.rows[row]]
        return value_words(values[self.columns[row][column]])

    def before(self, choice):
        """The numbers that the values had in disguise, at the end."""
        return "" if self.named is None else " ".join(self.digits(choice))

    def parameter(self, row):
        """The name of a row's parameter."""
        if self.named is None:
            return f"parameter {self.letters[row]}"
        return planet_wars_table().space.names[self.rows[row]]

    def spell(self, choice):
        """The values of a choice of columns."""
        return " ".join(self.value(row, column) for row, column in enumerate(choice))

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

    def say(self):
        if self.named is not None:
            return self._result()
        tally = {point: (won, n) for point, won, n in self.settings()}
        here = tally.get(self.point_of(self.choice))
        said = f"The values are {self.spell(self.choice)}: "
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
        yours, best, n_agents = self.chance(self.named), best_agent(), true_chances().size
        before, rank = self.before(self.choice_of(self.named)), self.rank(self.named)
        said = f"The agent you named, {before}, wins {yours:.0%} of its games: "
        places = enumerate(self.choice_of(best))
        best_has = ", ".join(f"{self.parameter(row)} {self.value(row, c)}" for row, c in places)
        if rank == 1:
            said += f"it is the best of all {n_agents}, {best_has}."
        else:
            said += f"number {rank} of {n_agents}. The best has {best_has} "
            said += f"and wins {self.chance(best):.0%}."
        here = self.point_of(self.choice)
        if here != self.named:
            said += f"\nThe values are now {self.spell(self.choice)}: it wins "
            said += f"{self.chance(here):.0%}, number {self.rank(here)}."
        n_runs = len(self.runs["NTBEA"])
        if not n_runs:
            spent = f"{self.n_games} games here, {self.n_runs} times over"
            return f"{said}\nNow let NTBEA spend {spent}."
        if n_runs < self.n_runs:  # the same words for each, or a screen reader would read on and on
            return f"{said}\nWhat NTBEA and random games found so far is in the picture."
        return "\n".join([said, *(self._compare(yours, rival) for rival in self.runs)])

    def _compare(self, yours, rival):
        """How one rival has done beside the reader."""
        runs = self.chances_of(rival)
        beaten, level = int((runs < yours).sum()), int((runs == yours).sum())
        return (
            f"{_RIVALS[rival]}: {runs.mean():.0%} in the mean of {len(runs)} runs, from "
            f"{runs.min():.0%} to {runs.max():.0%}. You beat {beaten} of them"
            + (f" and are level with {level}." if level else ".")
        )
