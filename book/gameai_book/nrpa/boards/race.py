"""The race: random games, NRPA of level 1 and of level 2, playout by playout on one problem."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gameai_book.nrpa.boards.blocks import lesson_problem
from gameai_book.nrpa.printed.program import Faults, FaultyNRPA
from gameai_lib.base import checks
from gameai_lib.nrpa.game.instances import bundled_board
from gameai_lib.nrpa.game.leftmove import leftmove
from gameai_lib.nrpa.game.morpion import morpion
from gameai_lib.nrpa.game.samegame import samegame
from gameai_lib.nrpa.search.flat import FlatMonteCarlo
from gameai_lib.nrpa.search.nrpa import NRPA
from gameai_lib.nrpa.search.policy import move_probabilities
from gameai_lib.nrpa.search.trace import root_codes
from touchbook.board import svg
from touchbook.board.chart import LOOKS, ROW, Chart, blank, distributions, span
from touchbook.boards import Board

PROBLEMS = {
    "morpion-5D": ("Morpion 5D", lambda: morpion("5D")),
    "morpion-4D": ("Morpion 4D", lambda: morpion("4D")),
    "lesson": ("SameGame 9 × 9", lesson_problem),
    "samegame": ("SameGame 15 × 15", lambda: samegame(bundled_board(), "bundled")),
    "leftmove": ("LeftMove", lambda: leftmove(30)),
}
SIZES = (20, 30, 40)  # N: the race is over N² playouts
ALPHAS = ("0.25", "1", "4")
NAMES = ("random", "level 1", "level 2")
AGAIN = 100
_LEFT, _RIGHT, _TOP, _HIGH = 42, 392, 44, 170  # of the chart
_LOOKS = (LOOKS[2], *LOOKS[:2])  # the levels have the same colours in figures


class Race(NamedTuple):
    """How far a race is: what a picture needs."""

    n_playouts: tuple = ()  #: of each racer, at the moments that were looked at
    games: tuple = ()  #: by moment, what a game of each policy scores; none learns from it
    best: tuple = ()  #: by moment, each racer's best score so far
    policies: tuple = ()  #: how likely each racer now makes each first move


class RaceBoard(Board):
    """Random games, NRPA of level 1 and of level 2 with the same number of playouts.

    The `problem` is one of `PROBLEMS`; level 2 has `n_iterations`, and all play its square of
    games.
    """

    name, title = "race", "The race"
    views = {"slowly": "Slowly"}
    rules = (
        "Three players make the same number of games. One plays at random. Level 1 adapts to its "
        "best game after each game. Level 2 runs short searches of level 1 and adapts to the best.",
        "A mark is a game that the player's policy makes at that moment. The line is the best game "
        "so far. Below them, a bar shows how likely a policy makes a first move.",
        "“Race 100 times” runs that many races with other random numbers.",
        "Let all levels share one policy. Can you find a game on which random play wins?",
    )
    begins = "Another race"

    def __init__(self, *, problem: str = "morpion-5D", n_iterations: int = 40, seed: int = 0):
        super().__init__(seed=seed)
        self.chosen = checks.one_of("problem", problem, PROBLEMS)
        self.n = checks.whole("n_iterations", n_iterations, 2, 100)
        self.start = {"n_iterations": self.n, "problem": problem}
        self.alpha, self.shared = 1.0, False
        self._begin()

    def _begin(self):
        self.problem = PROBLEMS[self.chosen][1]()
        self.race, self.finals = Race(), ()

    def options(self):
        return super().options() | self.start

    def runs_to_record(self):
        if self.n not in SIZES[1:]:
            return []
        fifth = self.n // 5
        races = (*[f"think-{fifth}"] * 4, f"think-{fifth + 1}", *["think-50"] * 2)
        return [races, ("shared", *races)]

    def move(self, name):
        if not any(name == touch for _, touches, _ in self.selects() for touch, _ in touches):
            return super().move(name)
        kind, _, value = name.partition("-")
        if kind == "on":
            self.chosen = value
        elif kind == "n":
            self.n = int(value)
        elif kind == "alpha":
            self.alpha = float(value)
        else:
            self.shared = kind == "shared"
        self._begin()
        return True

    def selects(self):
        names = [(f"on-{key}", words) for key, (words, _) in PROBLEMS.items()]
        sizes = [(f"n-{n}", f"{n * n:,}") for n in sorted({*SIZES, self.n})]
        ways = [("copies", "a copy for each level"), ("shared", "one for all")]
        return [
            ("Game", names, f"on-{self.chosen}"),
            ("Playouts", sizes, f"n-{self.n}"),
            ("Policy", ways, "shared" if self.shared else "copies"),
            ("Step α", [(f"alpha-{a}", a) for a in ALPHAS], f"alpha-{self.alpha:g}"),
        ]

    @property
    def thinks(self):
        """A race; then the same again and again, which needs no touch between."""
        if not self._is_over:
            return "Race"
        return f"Race {AGAIN} times" if len(self.finals) < 10 * AGAIN else ""

    @property
    def _is_over(self):
        return bool(self.race.n_playouts) and self.race.n_playouts[-1] == self.n**2

    def racers(self, number: int = 0):
        """Return the three searches of a race; `number` 0 is the one that is shown."""
        rngs = [np.random.default_rng([self.seed, number, k]) for k in range(3)]
        kind, given = NRPA, {"alpha": self.alpha}
        if self.shared:  # the source's program
            kind, given = FaultyNRPA, given | {"faults": Faults(shared_policy=True)}
        return (
            FlatMonteCarlo(self.problem, rngs[0]),
            kind(self.problem, rngs[1], level=1, n_iterations=self.n**2, **given),
            kind(self.problem, rngs[2], level=2, n_iterations=self.n, **given),
        )

    def think(self):
        yield from self._again() if self._is_over else self._run()

    def _run(self) -> Iterator[float]:
        racers, codes = self.racers(), root_codes(self.problem)
        rng = np.random.default_rng([self.seed, 0, 3])
        self.race = Race()
        while not self._is_over:
            step = 1 if "slowly" in self.shown else self.n
            for search in racers:
                search.advance(min(step, self.n**2 - search.n_playouts))
            self.race = Race(
                (*self.race.n_playouts, racers[0].n_playouts),
                (*self.race.games, tuple(self._game(search, rng) for search in racers)),
                (*self.race.best, tuple(search.best.score for search in racers)),
                tuple(_chances(search, codes) for search in racers),
            )
            yield racers[0].n_playouts / self.n**2

    def _game(self, search, rng):
        """Score of a game under the policy that the next playout follows."""
        policy = None if search.policy is None else search.policy[0]
        return float(FlatMonteCarlo(self.problem, rng, policy).scores(1)[0])

    def _again(self) -> Iterator[float]:
        first = len(self.finals)
        for k in range(1, AGAIN + 1):
            scores = tuple(search.run(self.n**2).score for search in self.racers(first + k))
            self.finals = (*self.finals, scores)
            yield k / AGAIN

    def svg(self):
        race, foot = self.race, _TOP + _HIGH
        low, high = span([x for row in (*race.games, *race.best) for x in row])
        chart = Chart(_LEFT, _RIGHT, _TOP, foot, self.n**2, low, high)
        frame = chart.frame("playouts", None if race.n_playouts else blank)
        shapes = [svg.text(8, 32, "score", 13, "muted", anchor="start"), *frame]
        for k, look in enumerate(_LOOKS):
            shapes += look.key((70, 180, 290)[k], 16, NAMES[k])
        thin = max(1, len(race.n_playouts) // 100)  # no more dots than can be told apart
        for k, look in enumerate(_LOOKS):
            games = zip(race.n_playouts[::thin], race.games[::thin], strict=True)
            shapes += [look.mark(chart.x(m), chart.y(scores[k])) for m, scores in games]
        for k, look in enumerate(_LOOKS):
            shapes += chart.steps(look, race.n_playouts, [scores[k] for scores in race.best])
        below = foot + 40
        if self.finals:
            words = f"best scores of {len(self.finals)} races, and their means"
            shapes.append(svg.text(8, below - 8, words, 13, "muted", anchor="start"))
            shapes += distributions(_LEFT, _RIGHT, below, NAMES, self.finals, _LOOKS)
        else:
            shapes += self._first_moves(below)
        return svg.picture(400, below + 3 * ROW + 34, *shapes, label=self.title)

    def _first_moves(self, top):
        """How likely each first move is, a row of bars for each racer."""
        codes = root_codes(self.problem)
        rows = self.race.policies or (tuple(np.full(len(codes), 1 / len(codes))),) * 3
        wide = (_RIGHT - _LEFT - 26) / max(len(codes), 1)
        words = "chance of each first move"
        shapes = [svg.text(8, top - 8, words, 13, "muted", anchor="start")]
        for k, row in enumerate(rows):
            foot = top + ROW * (k + 1)
            shapes.append(svg.text(8, foot - 12, NAMES[k], 13, anchor="start"))
            shapes.append(svg.line(_LEFT + 26, foot, _RIGHT, foot, "line"))
            shapes += [
                svg.rect(_LEFT + 26 + wide * i + 0.5, foot - (ROW - 8) * p, max(wide - 1, 1),
                         (ROW - 8) * p, _LOOKS[k].fill)
                for i, p in enumerate(row)
            ]  # fmt: skip
        words = f"{len(codes)} first moves"
        shapes.append(svg.text(_RIGHT, top + 3 * ROW + 14, words, 13, "muted", anchor="end"))
        return shapes

    def say(self):
        race = self.race
        if not race.n_playouts:
            said = f"{self.problem.name}. Nothing has been played yet."
        else:
            best = [f"{who} {s:,.10g}" for who, s in zip(NAMES, race.best[-1], strict=True)]
            surest = [f"{NAMES[k]} {max(race.policies[k]):.0%}" for k in (1, 2)]
            said = (
                f"{self.problem.name}, the best of {race.n_playouts[-1]:,} playouts each: "
                f"{', '.join(best)}. Chance of the likeliest first move: {', '.join(surest)}."
            )
        return f"{said}\n{self._say_again()}" if self.finals else said

    def _say_again(self):
        """Means of the races so far, and their standard errors."""
        finals = np.array(self.finals)
        digits = 0 if finals.max() >= 100 else 1
        errors = finals.std(axis=0, ddof=min(1, len(finals) - 1)) / len(finals) ** 0.5
        each = "; ".join(
            f"{who} {mean:,.{digits}f} ± {error:,.{digits}f}"
            for who, mean, error in zip(NAMES, finals.mean(axis=0), errors, strict=True)
        )
        ahead = np.mean(finals[:, 2] > finals[:, 0])
        return (
            f"Mean best scores of {len(finals)} races: {each}. Each ± is a standard error, and "
            "another hundred races may differ by three times as much. Level 2 beat random games "
            f"in {ahead:.0%}."
        )


def _chances(search, codes):
    """Chances of the first moves under the policy of the top level; equal without one."""
    weights = np.zeros(len(codes)) if search.policy is None else search.policy[-1][codes]
    return tuple(move_probabilities(weights).tolist())
