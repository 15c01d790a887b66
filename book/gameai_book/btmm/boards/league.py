"""A league that one writes: strengths and errors follow each result."""

import re

import numpy as np

from gameai_book.btmm.boards.bench import Bench, cross_table, with_minus
from gameai_book.btmm.league import INVENTED
from gameai_lib.btmm.model.existence import NoMaximumError
from gameai_lib.btmm.model.players.rate import rate
from touchbook.board import svg
from touchbook.boards import WrongTouch

CLUBS = INVENTED[:5]
RESULTS = (  # of the row, at home: 1 won, 0.5 drawn, 0 lost, -1 not played
    (-1, 1, 1, 1, -1),
    (-1, -1, 1, 0.5, 1),
    (1, 0, -1, 1, -1),
    (0, -1, 0.5, -1, 1),
    (-1, 0, 1, -1, -1),
)
_MATCHES = [(i, j) for i in range(5) for j in range(5) if i != j]
TIES = {
    "half": "half a win for each",
    "davidson": "a result of their own (Davidson)",
    "rao-kupper": "a margin too small (Rao, Kupper)",
}
#: Points at home: those after a touch, their mark, and their words.
_POINTS = {
    -1.0: (1.0, "", "not played"),
    1.0: (0.5, "1", "home win"),
    0.5: (0.0, "½", "draw"),
    0.0: (-1.0, "0", "away win"),
}
_LEFT, _TOP, _CELL = 30, 44, 31  # of the table
_FROM, _TO = 205, 388  # of the strengths
_FURTHEST = 600  # Elo at the edges


class LeagueBoard(Bench):
    """Results of five clubs, home and away, and the ratings that follow from them."""

    name, title = "league", "A league that you write"
    rules = (
        "Each row is a club at home: 1 is a win, ½ a draw, 0 a defeat. Touch a match to change it; "
        "an empty one was not played.",
        "The dots are strengths in Elo, and the whiskers are standard errors: in about two cases "
        "of three the true strength lies within them. The last dot is the advantage of playing at "
        "home.",
        "“Virtual games” are wins and losses that every club is given beside its own.",
        "Try to move Eastvale by a match in which it does not play. Then set the virtual games "
        "to 0, and write a league that has no likeliest strengths.",
    )

    choices = {
        "prior": (
            "Virtual games",
            "prior",
            {v: f"{v:g} won, {v:g} lost" for v in (0.0, 0.1, 0.5, 1.0, 2.0, 5.0)},
        ),
        "ties": ("Draws", "ties", TIES),
    }

    def __init__(self, *, seed=0):
        super().__init__(seed=seed)
        self.results = np.array(RESULTS)
        self.prior, self.ties = 0.5, "davidson"

    def runs_to_record(self):
        settings = ("prior-1", "prior-2", "prior-5", "ties-half", "ties-rao-kupper")
        return [
            ("home-0-4",) * 3,
            ("home-2-3",) * 3,
            ("prior-0", "home-2-0", "home-2-0"),
            *((one,) for one in settings),
        ]

    def move(self, name):
        if name not in [f"home-{i}-{j}" for i, j in _MATCHES]:
            return super().move(name)
        cell, results = tuple(map(int, name[5:].split("-"))), self.results.copy()
        results[cell], *_ = _POINTS[results[cell].item()]
        if (results < 0).all():
            raise WrongTouch("One match must stay: add another one first.")
        self.results = results
        return True

    def rating(self):
        """Return the `Rating` of all clubs that have played, or None, and why there is none."""
        games, weight = [], []
        for i, j in _MATCHES:
            points = self.results[i, j].item()
            if points >= 0:
                # A draw may be a win and a defeat, each counted half.
                parts = [1, 0] if points == 0.5 and self.ties == "half" else [points]
                games += [(CLUBS[i], CLUBS[j], part) for part in parts]
                weight += [1 / len(parts)] * len(parts)
        ties = "davidson" if self.ties == "half" else self.ties
        try:
            rating = rate(games, weight=weight, ties=ties, home_advantage=True, prior=self.prior)
            return rating, ""
        except NoMaximumError as error:
            return None, str(error)

    def svg(self):
        rating, _ = self.rating()
        foot = _TOP + _CELL * len(CLUBS)
        shapes = [
            svg.text(_LEFT - 2, 14, "at home, against", 13, "muted", anchor="start"),
            svg.text((_FROM + _TO) / 2, 14, "strength in Elo", 13, "muted"),
        ]
        shapes += cross_table(CLUBS, _LEFT + 1, _TOP + 1, self._cell)
        for elo in (-400, -200, 0, 200, 400):
            x = _along(elo)
            shapes.append(svg.line(x, _TOP - 6, x, foot + _CELL, "thin"))
            if elo % 400 == 0:
                shapes.append(svg.text(x, foot + _CELL + 10, with_minus(f"{elo}"), 13))
        if rating is None:
            shapes.append(svg.rect(_FROM, _TOP + 50, _TO - _FROM, 54, "soft"))
            for k, words in enumerate(("No strengths", "are the likeliest.")):
                y = _TOP + 67 + 20 * k
                shapes.append(svg.text((_FROM + _TO) / 2, y, words, 15, "ink bold"))
        else:
            for club, elo, error, _ in rating.players:
                y = _TOP + _CELL * (CLUBS.index(club) + 0.5)
                shapes += _whisker(elo, error, y, "s0", "c0")
            y = foot + _CELL / 2
            shapes.append(svg.text(_FROM - 10, y, "playing at home", 13, anchor="end"))
            shapes += _whisker(*rating.home_advantage, y, "stroke", "ink")
        return svg.picture(400, foot + _CELL + 22, *shapes, label=self.title)

    def _cell(self, i, j):
        """Of the table of results: a touch changes one."""
        _, mark, words = _POINTS[self.results[i, j].item()]
        return f"home-{i}-{j}", f"{CLUBS[i]} at home to {CLUBS[j]}: {words}; change it", mark

    def say(self):
        rating, why = self.rating()
        if rating is None:
            why = re.sub(r"[\[\]']", "", why.partition(":")[0])
            return f"No strengths are the likeliest: {why}. With virtual games there are some."
        players = ", ".join(f"{p.name} {_sign(p.elo)} ± {p.error:.0f}" for p in rating.players)
        home, error = rating.home_advantage
        first, last = rating.players[0].name, rating.players[-1].name
        win, draw, loss = (100 * chance for chance in rating.probabilities(first, last))
        chances = f"win {win:.0f} %, draw {draw:.0f} %, defeat {loss:.0f} %"
        if self.ties == "half":
            chances = f"{win + draw / 2:.0f} % of the points"
        return (
            f"{players}; playing at home {_sign(home)} ± {error:.0f} Elo.\n"
            f"{first} at home to {last}: {chances}."
        )


def _along(elo):
    """Where so many Elo points lie; what is further away stands at the edge."""
    share = (np.clip(elo, -_FURTHEST, _FURTHEST) + _FURTHEST) / (2 * _FURTHEST)
    return _FROM + (_TO - _FROM) * float(share)


def _whisker(elo, error, y, stroke, fill):
    ends = _along(elo - error), _along(elo + error)
    return [
        svg.line(ends[0], y, ends[1], y, stroke, stroke_width=2.5),
        *(svg.line(x, y - 5, x, y + 5, stroke, stroke_width=2.5) for x in ends),
        svg.circle(_along(elo), y, 5.5, fill),
    ]


def _sign(value):
    return with_minus(f"{value:+.0f}")
