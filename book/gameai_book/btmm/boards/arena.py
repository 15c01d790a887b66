"""An arena of invented models: drop or turn a vote, and see who is first."""

from collections import Counter
from functools import lru_cache

import numpy as np

from gameai_book.btmm.boards.bench import Bench, with_minus
from gameai_lib.btmm.model.players.influence import influence, overturn
from gameai_lib.btmm.model.players.rate import rate
from touchbook.board import svg
from touchbook.boards import WrongTouch

MODELS = (
    "Alder", "Birch", "Cedar", "Damson", "Elder", "Fir",
    "Gorse", "Hazel", "Ivy", "Juniper", "Kapok", "Larch",
)  # fmt: skip
WINS = np.array([  # votes for the row, against the column; drawn by chance
    [0, 0, 5, 4, 6, 11, 7, 5, 6, 2, 5, 7],
    [2, 0, 3, 3, 8, 4, 3, 11, 3, 6, 2, 2],
    [4, 4, 0, 5, 5, 5, 4, 2, 2, 7, 4, 3],
    [1, 1, 3, 0, 7, 4, 4, 6, 4, 2, 9, 3],
    [1, 2, 2, 2, 0, 5, 7, 4, 5, 4, 3, 8],
    [2, 0, 3, 4, 6, 0, 6, 7, 3, 5, 9, 4],
    [1, 2, 3, 2, 3, 2, 0, 1, 7, 7, 4, 6],
    [0, 3, 3, 4, 1, 2, 1, 0, 6, 2, 5, 4],
    [2, 3, 3, 3, 3, 2, 1, 1, 0, 5, 3, 5],
    [0, 2, 1, 1, 2, 4, 3, 4, 2, 0, 1, 3],
    [3, 0, 0, 1, 0, 4, 0, 1, 3, 3, 0, 3],
    [2, 0, 0, 0, 1, 2, 3, 1, 2, 1, 5, 0],
])  # fmt: skip
PRIOR = 0.5  # virtual wins and defeats: every model has a strength, whatever is dropped
_TOP, _ROW = 46, 30
_FROM, _TO, _FURTHEST = 92, 258, 320  # of the strengths, in Elo
_TICKS = (-200, 0, 200)
_COLUMNS = {"won": 266, "lost": 332}  # of the chosen model's votes
_CELL = 62


@lru_cache(64)
def rating_of(votes):
    """Return the `Rating` of votes, a tuple of (for, against, how many)."""
    games = [(first, second, 1) for first, second, _ in votes]
    return rate(games, weight=[n for *_, n in votes], prior=PRIOR)


class ArenaBoard(Bench):
    """Votes on twelve models, of which some are dropped or turned; one model's are in sight."""

    name, title = "arena", "An arena of twelve models"
    rules = (
        "People saw two answers, and voted for the better one. Each row is a model, with its "
        "place, its strength in Elo and its standard error. In about two cases of three the true "
        "strength lies within the whisker.",
        "Touch a model to see its votes on the right: how often it won against each other model, "
        "and how often it lost.",
        "Touch one of these numbers to drop one vote, or to turn it into a vote for the other.",
        "Every model has half a virtual win and half a virtual defeat beside its votes.",
        "Try to put another model in the first place with as few votes as you can.",
    )
    views = {"influence": "What one vote does"}
    choices = {"vote": ("A touch", "how", {"drop": "drops a vote", "turn": "turns a vote"})}

    def __init__(self, *, seed=0):
        super().__init__(seed=seed)
        self.wins = WINS  # votes for the row, against the column
        self.at = 0  # the model whose votes are in sight
        self.how = "drop"
        self.advice = ()  # (for, against) of the votes that were found, until the next one goes

    def runs_to_record(self):
        last = ("model-1", "lost-8", "lost-8")
        return [*((f"model-{i}",) for i in range(1, 12)), last, ("vote-turn",), ("find",)]

    def buttons(self):
        return [("find", "Find the votes")]

    def move(self, name):
        if name == "find":
            found = overturn(self.rating(), turn=self.how == "turn")
            self.advice = tuple((game[0], game[1]) for game in found.games)
            self.at = MODELS.index(self.advice[0][1])
            return False
        kind, _, number = name.partition("-")
        if number not in map(str, range(len(MODELS))) or kind not in ("model", *_COLUMNS):
            return super().move(name)
        other = int(number)
        if kind == "model":
            self.at = other
            return True
        pair = (self.at, other) if kind == "won" else (other, self.at)
        if self.wins[pair] == 0:
            raise WrongTouch(f"No vote says that {_words(pair)}.")
        wins = self.wins.copy()
        wins[pair] -= 1
        wins[pair[::-1]] += self.how == "turn"
        self.wins, self.advice = wins, ()
        return True

    def rating(self):
        """Return the `Rating` of all votes."""
        pairs = np.argwhere(self.wins > 0).tolist()
        return rating_of(tuple((MODELS[i], MODELS[j], int(self.wins[i, j])) for i, j in pairs))

    def svg(self):
        rating = self.rating()
        first, second, *_ = order = [player.name for player in rating.players]
        effects = {}
        if "influence" in self.shown:
            turn = self.how == "turn"
            effects = {
                (a, b): elo for (a, b, _), elo in influence(rating, first, second, turn=turn)
            }
        shapes = [
            svg.text((_FROM + _TO) / 2, 12, "strength in Elo", 13, "muted"),
            svg.text(331, 12, f"{MODELS[self.at]}’s votes", 13, "ink bold"),
            *(svg.text(x + _CELL / 2, 32, words, 13, "muted") for words, x in _COLUMNS.items()),
        ]
        foot = _TOP + _ROW * len(MODELS)
        for elo in _TICKS:
            shapes.append(svg.text(_along(elo), 32, with_minus(f"{elo}"), 13, "muted"))
        for player in rating.players:
            i, place = MODELS.index(player.name), order.index(player.name) + 1
            shapes += self._row(i, place, player.elo, player.error)
            if i != self.at:
                shapes += [part for kind in _COLUMNS for part in self._votes(kind, i, effects)]
        shapes += [svg.line(_along(x), _TOP - 6, _along(x), foot, "thin") for x in _TICKS]
        return svg.picture(400, foot + 4, *shapes, label=self.title)

    def _row(self, i, place, elo, error):
        """A model's place, name and strength: what is touched to see its votes."""
        y = _TOP + _ROW * i
        label = f"{MODELS[i]}, place {place}, {with_minus(f'{elo:.0f}')} Elo: show its votes"
        ground = svg.rect(2, y + 1, _TO, _ROW - 2, "soft" if place == 1 else "paper")
        middle, ends = y + _ROW / 2, (_along(elo - error), _along(elo + error))
        return [
            svg.target(f"model-{i}", label, ground, pressed=i == self.at),
            svg.rect(2, y + 1, _TO, _ROW - 2, "ring") if i == self.at else "",
            svg.text(
                22, middle, f"{place}.", 13, "ink bold" if place == 1 else "muted", anchor="end"
            ),
            svg.text(
                27, middle, MODELS[i], 14, "ink bold" if place == 1 else "ink", anchor="start"
            ),
            svg.line(*(ends[0], middle), *(ends[1], middle), "s0", stroke_width=2.5),
            *(svg.line(x, middle - 4, x, middle + 4, "s0", stroke_width=2.5) for x in ends),
            svg.circle(_along(elo), middle, 5, "c0"),
        ]

    def _votes(self, kind, i, effects):
        """A number of votes between the chosen model and another, which a touch makes smaller."""
        pair = (self.at, i) if kind == "won" else (i, self.at)
        x, y, n = _COLUMNS[kind], _TOP + _ROW * i, int(self.wins[pair])
        names = tuple(MODELS[k] for k in pair)
        changed = n != WINS[pair]
        label = f"{_words(pair)}: {n}; {self.how} one"
        shapes = [
            svg.target(
                f"{kind}-{i}",
                label,
                svg.rect(x, y + 1, _CELL, _ROW - 2, "soft edge" if changed else "paper edge"),
            ),
            svg.rect(x + 2, y + 3, _CELL - 4, _ROW - 6, "ring") if names in self.advice else "",
        ]
        middle, words = y + _ROW / 2, "ink bold" if changed else "ink"
        if names not in effects:
            return [*shapes, svg.text(x + _CELL / 2, middle, n, 15, words)]
        effect = with_minus(f"{effects[names]:+.0f}")
        return [
            *shapes,
            svg.text(x + 16, middle, n, 15, words),
            svg.text(x + _CELL - 6, middle, effect, 13, "muted", anchor="end"),
        ]

    def say(self):
        rating = self.rating()
        first, second = (player.name for player in rating.players[:2])
        lead, error = rating.difference(first, second)
        gone = int(np.maximum(WINS - self.wins, 0).sum())
        whose, what = MODELS[self.at], f"Touch a number to {self.how} one of"
        said = [
            f"{first} is first, {lead:.0f} Elo points ahead of {second}. The standard error of "
            f"this difference is {error:.0f}.",
            f"You have changed {gone} of {WINS.sum()} votes."
            if gone
            else f"There are {WINS.sum()} votes. {what} {whose}’s.",
        ]
        if self.advice:
            votes = "; ".join(
                f"{n} of {self.wins[MODELS.index(a), MODELS.index(b)]} in which {a} beat {b}"
                for (a, b), n in Counter(self.advice).items()
            )
            after = "Without them" if self.how == "drop" else "If they are turned,"
            said.append(f"Few votes decide: {votes}. {after} another model is first.")
        if "influence" in self.shown:
            said.append(
                f"Beside each number stands how many Elo points the lead of {first} over {second} "
                f"gains if you {self.how} one of these votes, by one step of Newton’s method."
            )
        return "\n".join(said)


def _words(pair):
    return " beat ".join(MODELS[k] for k in pair)


def _along(elo):
    """Where so many Elo points lie; what is further away stands at the edge."""
    share = (np.clip(elo, -_FURTHEST, _FURTHEST) + _FURTHEST) / (2 * _FURTHEST)
    return _FROM + (_TO - _FROM) * float(share)
