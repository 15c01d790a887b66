"""A point and its tuples: what the model says of it, what a game teaches it, and what is true.

The games are those of the ships, drawn from stored ones; the model, its bounds and the choice among
neighbours are those of `gameai_lib.ntbea.search`.
"""

from functools import cache
from itertools import islice

import numpy as np

from gameai_book.ntbea.boards.parts import KS, RULE_NAMES, choices, number_chosen
from gameai_book.ntbea.boards.tuples_picture import LETTERS, POINTS, picture, spell, touch_of
from gameai_book.ntbea.results.tables import ship_games
from gameai_lib.ntbea import LandscapeModel, Settings, best_sampled, search_steps
from gameai_lib.ntbea.game.space_battle import FEW_RULES as SPACE
from gameai_lib.ntbea.search.steps import complete_settings, first_choice
from touchbook.boards import Board, WrongTouch

N_FIRST, AT_ONCE, MOST_GAMES = 20, 10, 300  # games before the first touch, at a touch, in all
_N_BEST = 5  # neighbours that are shown


def evaluate(point, rng):
    """One of the stored games under some rules: 1 if it is won, 0 if lost, ½ if drawn."""
    games = ship_games()[POINTS.index(tuple(point))]
    return float(games[rng.integers(games.size)])


@cache
def truths():
    """Mean of the stored games under each set of rules, in the order of all points."""
    return ship_games().mean(axis=1)


@cache
def _opening(seed):
    """The first games, by NTBEA: ((point, fitness), …)."""
    steps = search_steps(evaluate, LandscapeModel(SPACE), np.random.default_rng([seed, 0]))
    return tuple((tuple(s.point.tolist()), s.fitness) for s in islice(steps, N_FIRST))


class TuplesBoard(Board):
    """A point, the arms that it belongs to, and their average: estimate and bound."""

    name, title = "tuples", "A point and its tuples"
    rules = (
        "A point is one value for each of the five dials A to E. Touch the values to choose a "
        "point.",
        "Each cell of the map is an arm: a value, or a pair of values. The blue part of a cell is "
        "the share of its games that were won. A grey cell has games, but none was won. An "
        "outlined cell has no game yet. The cells of your point are framed.",
        "Each bar below is one of the framed arms. The number under it counts the games of the "
        "arm. The last bar, “all”, is the record of your point alone. The solid line is the "
        "estimate, which is the average of the bars. The dashed line is the bound, which is the "
        "estimate plus the bonus.",
        "“Play a game there” plays one game at your point. “Let NTBEA choose” draws neighbours of "
        "the point played last, and takes the neighbour with the largest bound.",
        "“The truth” shows what no search ever sees: for each point the mean of very many games, "
        "beside the estimate.",
    )
    views = {"truth": "The truth"}
    begins = "Other games"

    def __init__(self, *, seed: int = 0):
        super().__init__(seed=seed)
        self.k = 0.3
        self._learn(_opening(self.seed))
        self._go_to(self.named())

    def runs_to_record(self):
        points = [touch_of(point) for point in POINTS]
        return [
            ("choose", "play", "choose"),
            ("play", "play"),
            ("show-truth", "show-truth"),
            ("show-truth", *("ten",) * 4),
            ("show-truth", "best", "named"),
            *((point, "show-truth") for point in points),
            *(("show-truth", point) for point in points),
        ]

    # Touches.

    def move(self, name):
        places = {touch_of(point): point for point in POINTS}
        places |= {"best": POINTS[truths().argmax()], "named": self.named()}
        acts = {"play": self._play, "choose": self._choose, "ten": self._play_on}
        k = number_chosen(name, "k", KS)
        if name in acts:
            acts[name]()
        elif name in places:
            self._go_to(places[name])
        elif k is not None:
            self.k = k
            self._go_to(self.point)
        else:
            return super().move(name)
        return True

    def _go_to(self, point, choice=None, before=None):
        """Look at a point: the `Choice` of which it came, or its estimate before it was played."""
        self.point, self.choice, self.before = point, choice, before

    def _learn(self, played):
        self.played, self.model = played, LandscapeModel(SPACE)
        for point, fitness in played:
            self.model.add(np.array(point), fitness)

    def _play(self):
        n, before = len(self.played), self.estimate()[0]
        if n == MOST_GAMES:
            raise WrongTouch(f"{MOST_GAMES} games are enough. “{self.begins}” begins again.")
        fitness = evaluate(self.point, np.random.default_rng([self.seed, 1, n]))
        self._learn((*self.played, (self.point, fitness)))
        self._go_to(self.point, before=before)

    def _choose(self):
        rng = np.random.default_rng([self.seed, 2, len(self.played)])
        settings = complete_settings(Settings(k=self.k), SPACE)
        points, choice = first_choice(self.model, rng, settings)
        self._go_to(tuple(points[0].tolist()), choice)

    def _play_on(self):
        """Let NTBEA choose and play, again and again; then look at what it would recommend."""
        for _ in range(AT_ONCE):
            self._choose()
            self._play()
        self._go_to(self.named())

    def buttons(self):
        buttons = [("play", "Play a game there"), ("choose", "Let NTBEA choose")]
        if len(self.played) + AT_ONCE <= MOST_GAMES:
            buttons.append(("ten", f"Let NTBEA play {AT_ONCE} games"))
        if "truth" in self.shown:
            buttons.append(("best", "Go to the best point"))
        if self.named() != self.point:
            buttons.append(("named", "Go to what NTBEA would recommend"))
        return buttons

    def selects(self):
        return [("Exploration k", *choices("k", KS, self.k))]

    # What the model says, and what is true.

    def named(self):
        """The point that NTBEA would recommend now."""
        return tuple(best_sampled(self.model).tolist())

    def all_points(self):
        """Of every point the estimate, the truth and the games played: three arrays."""
        played = [point for point, _ in self.played]
        return self.model.mean(POINTS), truths(), np.array([*map(played.count, POINTS)])

    def truth(self):
        """What is true of the point, and how many points are truly better."""
        truth = truths()[POINTS.index(self.point)]
        return truth, int((truths() > truth).sum())

    def estimate(self):
        """Mean, explore term and bound of the point."""
        mean, explore = map(float, self.model.mean_and_explore(self.point))
        return mean, explore, mean + self.k * explore

    def arms(self):
        """Arms of the point: (dimensions, games, share won or nan), singles first."""
        for dims in self.model.tuples:
            arms, at = self.model.arms(dims), tuple(self.point[d] for d in dims)
            yield dims, int(arms.n[at]), float(arms.mean[at])

    def n_sharing(self):
        """Other points that have a value in common with this one."""
        return int((np.array(POINTS) == self.point).any(axis=1).sum()) - 1

    def best_neighbours(self):
        """Neighbours with the largest bounds, the chosen one first: (point, mean, bound)."""
        points, means, explores, k = self.choice
        bounds = means + k * explores
        chosen = (points == self.point).all(axis=1)
        order = np.lexsort((-bounds, ~chosen))[:_N_BEST]
        return [(tuple(points[i].tolist()), float(means[i]), float(bounds[i])) for i in order]

    def result(self):
        """How the last game ended, in a word."""
        return {1.0: "won", 0.0: "lost"}.get(self.played[-1][1], "drawn")

    def svg(self):
        return picture(self)

    # The words.

    def say(self):
        mean, _, bound = self.estimate()
        n_seen, n_arms = sum(n > 0 for _, n, _ in self.arms()), len(self.model.tuples)
        arms = f"the {n_seen} of its {n_arms} arms that have a game"
        named = zip(LETTERS, RULE_NAMES, spell(self.point).split(), strict=True)
        said = (
            f"{self._news(mean)}{', '.join(map(' '.join, named))}.\n"
            f"The mean of {arms if n_seen < n_arms else f'its {n_arms} arms'} is the estimate, "
            f"{mean:.2f}. With its bonus of {bound - mean:.2f} the bound is {bound:.2f}."
        )
        return f"{said}\n{self._true()}" if "truth" in self.shown else said

    def _true(self):
        """What is true of the point, and of all estimates together."""
        estimates, truths, _ = self.all_points()
        n_above, (truth, n_better) = int((estimates > truths).sum()), self.truth()
        return (
            f"Truth: {truth:.2f}. {n_better or 'None'} of the {len(truths)} points "
            f"{'is' if n_better < 2 else 'are'} better. {n_above} estimates lie above the truth."
        )

    def _news(self, mean):
        """What the last touch has brought."""
        if self.choice is not None:
            (_, _, bound), *others = self.best_neighbours()
            others = "; ".join(f"{spell(p)}: {b:.2f}" for p, _, b in others)
            chosen = f"NTBEA takes the largest bound of {len(self.choice[0])} neighbours, "
            return f"{chosen}{bound:.2f}. Next are {others}.\n"
        if self.before is None:
            return ""
        return (
            f"The game was {self.result()}: the estimate was {self.before:.2f}. "
            f"{self.n_sharing()} other points share a value with this one and have learned "
            "from it.\n"
        )
