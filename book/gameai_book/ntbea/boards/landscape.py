"""A hidden landscape: buy noisy games of Planet Wars, name an agent, be compared with NTBEA.

The games are those of the table of all 288 agents, won with the chance that it tells.
"""

from collections import defaultdict

import numpy as np

from gameai_book.ntbea.boards.landscape_picture import digits_of, picture, spell
from gameai_book.ntbea.boards.parts import games_words, true_chances
from gameai_book.ntbea.contest.rivals import best_marginals, random_games
from gameai_book.ntbea.contest.whys import search_once
from gameai_book.ntbea.results.tables import problem_of
from gameai_lib.base.checks import short
from gameai_lib.ntbea import SearchSpace, best_sampled
from touchbook.boards import SEEDS, Board, WrongTouch

_RIVALS = {"NTBEA": "NTBEA", "random": "Random games, and of each parameter the best mean"}


class LandscapeBoard(Board):
    """Five parameters in disguise, a budget of noisy games, and one agent to name.

    Parameters have letters for names, and their order and that of their values is drawn, so that
    who knows the landscape can play again.
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
    views = {"marginals": "Wins of each value"}
    can_undo = False
    letters = "ABCDE"  # of the parameters
    n_games = 50  # the budget of the reader, and of each rival in each run
    n_runs = 20  # of each rival

    def __init__(self, *, seed: int = 0):
        super().__init__(seed=seed)
        rng, chances = self.rng(1), true_chances()
        order = rng.permutation(chances.ndim)
        shuffled = np.ix_(*(rng.permutation(n) for n in chances.shape))
        self.chances = chances[shuffled].transpose(order)  # true chance of each agent to win
        self.choice = (0,) * chances.ndim  # the agent that is chosen, a value of each parameter
        self.bought = ()  # ((agent, won), …), in order
        self.latest = 0  # how many of them were bought at once at last
        self.named = None  # an agent, which ends the game
        self.runs = {"NTBEA": (), "random": ()}  # what each rival has recommended, an agent a run
        self._luck = int(self.rng().integers(SEEDS))

    # Touches.

    def move(self, name):
        places = [(d, at) for d, n in enumerate(self.chances.shape) for at in range(n)]
        values = {f"{self.letters[d]}{at + 1}": (d, at) for d, at in places}
        if name in values:
            d, at = values[name]
            self.choice = (*self.choice[:d], at, *self.choice[d + 1 :])
            return False
        verb, _, digits = name.partition("-")
        if verb not in ("set", "buy", "buy5", "name"):
            return super().move(name)
        agent = {digits_of(at): at for at in np.ndindex(self.chances.shape)}.get(digits)
        if agent is None:
            raise WrongTouch(f"{short(name)} does not tell a value of each parameter")
        if verb != "set" and self.named is not None:
            raise WrongTouch(f"{spell(self.named)} is named: it is over.")
        self.choice = agent
        if verb == "name":
            self._name()
        elif verb != "set":
            self._buy(5 if verb == "buy5" else 1)
        return verb != "set"

    def _buy(self, n):
        left = self.n_games - len(self.bought)
        if not left:
            raise WrongTouch(f"All {self.n_games} games are bought. Name an agent.")
        self.latest = min(n, left)
        for _ in range(self.latest):
            # The number of the game decides, not how the games are bought.
            rng = np.random.default_rng([self._luck, 0, len(self.bought)])
            won = bool(rng.random() < self.chances[self.choice])
            self.bought = (*self.bought, (self.choice, won))

    def _name(self):
        if not self.bought:
            raise WrongTouch("Buy a game first: nothing is known of any agent yet.")
        self.named, self.thinks = self.choice, "Compare with NTBEA"

    # What is known, and what is true.

    def agents(self):
        """Agents that were bought: (agent, games won, games), the best mean first.

        Of equal means the one that has won more is first, then the one that has lost less.
        """
        results = defaultdict(list)
        for agent, won in self.bought:
            results[agent].append(won)
        listed = [(agent, sum(won), len(won)) for agent, won in results.items()]
        return sorted(listed, key=lambda s: (-s[1] / s[2], -s[1], s[2]))

    def chances_of(self, rival):
        """True chances of what a rival has recommended, run by run."""
        return np.array([self.chances[agent] for agent in self.runs[rival]])

    def rank(self, agent):
        """How many agents are better than this one, plus one."""
        return int((self.chances > self.chances[agent]).sum()) + 1

    def think(self):
        """Let the rivals spend the budget, run by run."""
        if self.named is None:
            return
        space = SearchSpace(dict(zip(self.letters, map(range, self.chances.shape), strict=True)))
        problem = problem_of(self.title, space, 2 * self.chances.ravel() - 1)
        for run in range(len(self.runs["NTBEA"]), self.n_runs):
            model = search_once(problem, self.n_games, [self._luck, 1, run])
            rng = np.random.default_rng([self._luck, 2, run])
            games = random_games(problem, self.n_games, rng)
            found = best_sampled(model), best_marginals(space, *games, rng)
            pairs = zip(self.runs.items(), found, strict=True)
            self.runs = {name: (*runs, tuple(point.tolist())) for (name, runs), point in pairs}
            yield len(self.runs["NTBEA"]) / self.n_runs
        self.thinks = ""

    def svg(self):
        return picture(self)

    # Words.

    def buttons(self):
        if self.named is not None:
            return []
        digits, left = digits_of(self.choice), self.n_games - len(self.bought)
        buttons = [(f"buy-{digits}", "Buy a game")] if left else []
        if left > 1:
            buttons.append((f"buy5-{digits}", f"Buy {min(5, left)} games"))
        if self.bought:
            buttons.append((f"name-{digits}", "Name this agent: the end"))
        return buttons

    def say(self):
        if self.named is not None:
            return self._result()
        tally = {agent: (won, n) for agent, won, n in self.agents()}
        here, left = tally.get(self.choice), self.n_games - len(self.bought)
        said = f"The values are {spell(self.choice)}: "
        said += f"won {here[0]} of {games_words(here[1])}." if here else "no game bought yet."
        if not self.bought:
            return f"{said}\nTouch a value of each parameter, then buy a game. You have {left}."
        words, won = spell(self.bought[-1][0]), sum(won for _, won in self.bought[-self.latest :])
        said = f"{won} of {games_words(self.latest)} with {words} won. {said}"
        if left:
            return f"{said}\n{games_words(left)} {'is' if left == 1 else 'are'} left."
        return f"{said}\nAll games are spent: choose the agent that you trust most, and name it."

    def _result(self):
        yours, rank, n = self.chances[self.named], self.rank(self.named), self.chances.size
        best = np.unravel_index(self.chances.argmax(), self.chances.shape)
        said = (
            f"The agent you named, {spell(self.named)}, wins {yours:.0%} of its games: number "
            f"{rank} of {n}. The best, {spell(best)}, wins {self.chances[best]:.0%}."
        )
        if self.choice != self.named:
            here = f"{self.chances[self.choice]:.0%}, number {self.rank(self.choice)}"
            said += f"\nThe values are now {spell(self.choice)}: it wins {here}."
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
        return (
            f"{_RIVALS[rival]}: {runs.mean():.0%} in the mean of {len(runs)} runs, from "
            f"{runs.min():.0%} to {runs.max():.0%}. You beat {(runs < yours).sum()} of them."
        )
