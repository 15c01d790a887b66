"""What NRPA would do from a position, in steps that can be shown and stopped."""

from collections.abc import Iterator
from typing import NamedTuple

from gameai_lib.nrpa.search.flat import FlatMonteCarlo
from gameai_lib.nrpa.search.nrpa import NRPA
from gameai_lib.nrpa.search.policy import move_probabilities
from gameai_lib.nrpa.search.trace import root_codes
from touchbook.board import svg


class Advice(NamedTuple):
    """What a search has found so far; scores are those of whole games."""

    n_playouts: int  #: of the search, and as many of random games
    score: float  #: of the best game found
    random: float  #: of the best random one
    choices: tuple  #: how the best game goes on from here
    codes: tuple
    probabilities: tuple  #: of the legal moves, under the policy of the top level

    def after(self, choice: int) -> "Advice | None":
        """What is left of it after a move: the rest of the game found, if that began with it."""
        if self.choices[:1] != (choice,):
            return None
        return self._replace(choices=self.choices[1:], codes=self.codes[1:], probabilities=())

    def in_words(self, unit: str) -> str:
        """What was found, beside the random games."""
        return (
            f"In {self.n_playouts:,} playouts from here NRPA's best game ends with "
            f"{self.score:,.0f} {unit}. The best of as many random games ends with "
            f"{self.random:,.0f}."
        )


def percent(chance: float) -> str:
    """A chance in whole percent; what is possible is never 0%."""
    words = f"{chance:.0%}"
    return "<1%" if words == "0%" and chance > 0 else words


def chance_box(x, y, chance, words, width, size):
    """Shapes of a chance in words around a point; the likelier, the darker."""
    # No circle, as a line's number of Morpion has.
    box = x - width / 2, y - 10, width, 20
    return [
        svg.rect(*box, "paper", rx=3),
        svg.rect(*box, "mark", rx=3, opacity=0.1 + 0.5 * chance),
        svg.text(x, y, words, size, "ink"),
    ]


def advise(problem, rng, random_rng, n_iterations, every) -> Iterator[tuple[float, Advice]]:
    """Search a problem at level 2, and play as many random games; the part done and the advice.

    The search plays `n_iterations`² games, `every` so many between two advices; the random games
    have the second generator.
    """
    search = NRPA(problem, rng, level=2, n_iterations=n_iterations)
    flat = FlatMonteCarlo(problem, random_rng)
    legal = root_codes(problem)
    for frame in search.frames(every):
        flat.advance(frame.n_playouts - flat.n_playouts)
        chances = move_probabilities(frame.policy[-1][legal])
        game = frame.best
        lists = (tuple(part.tolist()) for part in (game.choices, game.codes, chances))
        advice = Advice(frame.n_playouts, game.score, flat.best.score, *lists)
        yield frame.n_playouts / search.n_playouts_planned, advice
