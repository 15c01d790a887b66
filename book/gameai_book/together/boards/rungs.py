"""The ladder: teams of the Convention, of searchers and of tuned rules on the same decks."""

import os
from collections.abc import Iterator
from itertools import islice

import numpy as np

from gameai_book.together.boards.points import Axis, mean_and_error, say
from gameai_book.together.boards.teams import BLOCK, SEED, TEAMS, play_rules, stored
from gameai_book.together.results.league import read_scores, write_scores
from gameai_lib.hanabi.game.cards import N_CARDS
from gameai_lib.hanabi.game.play import play_game
from touchbook import BOOK_BUILD
from touchbook.board import svg
from touchbook.board.chart import number
from touchbook.boards import Board, WrongTouch

N_AT_ONCE = {True: 20, False: 1000}  # games of a press, with search and without
MOST_PRESSES = 25
MOST_TURNS = 72  # of most games
_ROW, _TOP = 40, 22
_FOOT = _TOP + _ROW * len(TEAMS)
_AXIS = Axis(40, 362, 16, 25)
_TICKS = range(16, 26)
_HIGH = 62  # of the bars


class RungsBoard(Board):
    """Teams that play the same decks one after the other, and what each gains over its rules.

    The decks of the default seed are those of the stored games.
    """

    name, title = "rungs", "The ladder"
    rules = (
        "Two players sit at Hanabi’s table and make up to 25 points together. Each row is a team. "
        "Touch a row, guess where its dot will lie, and let the team play.",
        "A player who searches deals itself hands that its belief allows, and tries each of its "
        "moves on them.",
        "The dot is the mean of a team’s games. The whisker reaches two standard errors to each "
        "side, and most of the time the true mean lies within it.",
        "All teams play the same decks. The number on the right is the gain: how many points a "
        "game the team makes more than the same rules without search, with a standard error. "
        "Tuned rules alone are compared with the Convention.",
        "The bars below show the gain deck by deck. Even a good team loses points on some decks.",
        "Once a team has played, a grey line shows its mean in many more games.",
        "Which team is worse than the rules without search?",
    )
    begins = "Other decks"

    def __init__(self, *, seed: int = SEED):
        super().__init__(seed=seed)
        self.rung = "rules"
        self.scores = {}  # by team, (n_games,) ints: scores of games 0, 1, ...

    def runs_to_record(self):
        """The whole ladder, and each team by itself for who begins there."""
        climb, runs = [], []
        for name, team in TEAMS.items():
            n_steps = _n_steps(team)
            play = ["think-5"] * 2 if team.belief is None else [f"think-{5 * n_steps}"] * 4
            choose = [f"rung-{name}"] if name != self.rung else []
            climb += [*choose, *play]
            runs += [(*choose, *play)] if choose else []
        return [tuple(climb), *runs]

    def move(self, name):
        kind, _, which = name.partition("-")
        if kind == "rung" and which in TEAMS:
            if which == self.rung:
                raise WrongTouch("This team is chosen already. Let it play.")
            self.rung = which
        elif kind == "scored" and self._searches and self._may_be(which):
            self._add(read_scores(which))
        elif name == f"played-{BLOCK}" and not self._searches and self.thinks:
            self._add(play_rules(self._team.rules, self.seed, self._n + BLOCK)[self._n :])
        else:
            return super().move(name)
        return True

    def _may_be(self, letter):
        """Whether a letter is a score, and there is room for one more."""
        return letter in list(write_scores(np.arange(N_CARDS + 1))) and bool(self.thinks)

    def _add(self, scores):
        self.scores = self.scores | {self.rung: np.append(self.pairs(self.rung)[0], scores)}

    @property
    def _team(self):
        return TEAMS[self.rung]

    @property
    def _searches(self):
        return self._team.belief is not None

    @property
    def _n(self):
        return len(self.scores.get(self.rung, ()))

    def pairs(self, name):
        """(2, n_games) ints: scores of a team, and of the rules it is compared with."""
        scores = self.scores.get(name, np.zeros(0, np.int64))
        return np.array([scores, play_rules(TEAMS[name].against, self.seed, len(scores))])

    @property
    def thinks(self):
        """How many games the team in hand plays, until it has played enough."""
        n = N_AT_ONCE[self._searches]
        return f"Play {n:,} games" if self._n < MOST_PRESSES * n else ""

    def think(self) -> Iterator[float]:
        """Play games; each is a move, which the text of the game keeps as a letter.

        So nobody need play it again who takes another one back, or loads the text.
        """
        n, first = N_AT_ONCE[self._searches], self._n
        while self.thinks and self._n < first + n:
            if self._searches:
                score = yield from self._play(self._n, (self._n - first) / n)
                self.touch(f"scored-{write_scores([score])}")
            else:
                self.touch(f"played-{BLOCK}")
            yield (self._n - first) / n

    def _play(self, game, done):
        """Play a game in as many steps as any other, of which each yields `done`; its score.

        While a book is built nobody watches, and games that were stored are not played again.
        """
        known = stored(self._team).first_scores[game : game + 1]
        if known and self.seed == SEED and os.environ.get(BOOK_BUILD):
            yield from [done] * (_n_steps(self._team) - 1)
            return known[0]
        frames = play_game(self._team.agents(), np.random.default_rng([self.seed, game]))
        for _ in range(_n_steps(self._team) - 2):
            for frame in islice(frames, self._team.n_turns):
                score = frame.next_state.score
            yield done
        for frame in frames:
            score = frame.next_state.score
        yield done
        return score

    # The picture.

    def svg(self):
        shapes = [
            svg.text(10, 11, "mean points", 13, "muted", anchor="start"),
            svg.text(390, 11, "games: gain over the rules alone", 13, "muted", anchor="end"),
        ]
        for k, name in enumerate(TEAMS):
            shapes += self._row(name, _FOOT - _ROW * (k + 1))
        shapes += _AXIS.numbers(_TICKS, _FOOT + 11)
        shapes += self._decks(_FOOT + 40)
        return svg.picture(400, _FOOT + 40 + _HIGH + 66, *shapes, label=self.title)

    def _row(self, name, top):
        """A team: its name, its mean, and its gain."""
        team, is_chosen = TEAMS[name], name == self.rung
        own, plain = self.pairs(name)
        label = f"{team.title}: {_count(own)}"
        label += f", {say(*mean_and_error(own), 1)} points" if own.size else ""
        box = svg.rect(3, top + 1, 394, _ROW - 3, "soft edge" if is_chosen else "paper edge", rx=3)
        shapes = [svg.target(f"rung-{name}", label, box, pressed=is_chosen)]
        if is_chosen:
            shapes.append(svg.rect(3, top + 1, 394, _ROW - 3, "ring", rx=3))
        style = "ink bold" if is_chosen else "ink"
        shapes.append(svg.text(10, top + 11, team.title, 13, style, anchor="start"))
        words = _count(own)
        if own.size and not _is_plain(team):
            words += f": {say(*mean_and_error(own - plain), 1, '+')}"
        shapes.append(svg.text(390, top + 11, words, 13, "ink" if own.size else "muted",
                               anchor="end"))  # fmt: skip
        y = top + 28
        shapes += _AXIS.grid(_TICKS, y + 5, y + 9)
        return [*shapes, *_mean(team, own, y)] if own.size else shapes

    def _decks(self, top):
        """Of the team in hand: how many decks have gained or lost how many points."""
        own, plain = self.pairs(self.rung)
        title = f"{self._team.title}, deck by deck"
        shapes = [svg.text(8, top, title, 13, "ink bold", anchor="start")]
        foot = top + 26 + _HIGH
        gains = own - plain
        most = max(8, int(np.abs(gains).max(initial=0)))
        axis = Axis(24, 376, -most, most)
        shapes.append(svg.line(16, foot, 384, foot, "line"))
        if _is_plain(self._team):
            words = "The other teams are compared with this one."
        elif not gains.size:
            words = "No games yet."
        else:
            words = _say_decks(gains)
            shapes += _bars(axis, gains, foot)
        shapes.append(svg.text(8, top + 17, words, 13, anchor="start"))
        ticks = [t for t in range(-most, most + 1) if t % (2 if most < 10 else 5) == 0]
        shapes += axis.numbers(ticks, foot + 12, number)
        return [*shapes, svg.text(200, foot + 28, "points gained on a deck", 13, "muted")]

    # The words.

    def say(self):
        own, plain = self.pairs(self.rung)
        said = self._team.words
        if own.size:
            said += f" {self._say_games(own, own - plain)}"
        elif self._searches:
            said += " This team has not played yet. Where will its dot lie?"
        else:
            said += " They have not played yet."
        others = [
            f"{TEAMS[name].title}, {_count(scores)}: {say(*mean_and_error(scores))}"
            for name in TEAMS
            if name != self.rung and (scores := self.pairs(name)[0]).size
        ]
        return f"{said}\nOther rows: {'; '.join(others)}." if others else said

    def _say_games(self, own, gains):
        """What came of the games of the team in hand."""
        said = f"{_count(own)} so far: {say(*mean_and_error(own))} points a game."
        if not _is_plain(self._team):
            than = "the same rules without search" if self._searches else "the Convention"
            gain = say(*mean_and_error(gains), sign="+")
            said += f" On the same decks the gain over {than} is {gain}: {_say_decks(gains)}."
        many = stored(self._team)
        mean = say(many.mean, many.standard_error)
        return f"{said} In {many.n_games:,} games played for this book it made {mean}."


def _is_plain(team):
    """Whether a team would be compared with itself."""
    return team.belief is None and team.rules == team.against


def _n_steps(team):
    """Steps of thinking that a game takes, or `BLOCK` games without search."""
    return 1 if team.belief is None else -(-MOST_TURNS // team.n_turns) + 1


def _count(scores):
    """How many games these are, in words."""
    n = len(scores)
    return f"{n:,} game{'' if n == 1 else 's'}" if n else "not played yet"


def _mean(team, scores, y):
    """The mean of a team's games beside that of its stored games."""
    mean, error = mean_and_error(scores)
    many = stored(team).mean
    at = _AXIS.x(many)
    shapes = [svg.line(at, y - 9, at, y + 9, "stroke-muted", stroke_width=3)]
    shapes += _AXIS.whisker(mean, error, y)
    room = 0 if np.isnan(error) else 2 * error
    # On the side where the grey line is not.
    if many < mean:
        x, anchor = max(_AXIS.x(mean + room), at) + 9, "start"
    else:
        x, anchor = max(min(_AXIS.x(mean - room), at) - 9, 36), "end"
    return [*shapes, svg.text(x, y, f"{mean:.1f}", 13, anchor=anchor)]


def _bars(axis, gains, foot):
    """A bar for each number of points, as high as the decks on which they were gained."""
    values, counts = np.unique(gains, return_counts=True)
    wide = (axis.right - axis.left) / (axis.high - axis.low) - 2
    shapes = []
    for value, n in zip(values.tolist(), counts.tolist(), strict=True):
        high, x = _HIGH * n / counts.max(), axis.x(value)
        fill = "soft edge" if value == 0 else "c0" if value > 0 else "c1"
        shapes.append(svg.rect(x - wide / 2, foot - high, wide, high, fill))
    return shapes


def _say_decks(gains):
    """On how many decks points were gained and lost, in words."""
    more, same, less = (int((np.sign(gains) == sign).sum()) for sign in (1, 0, -1))
    return f"{more:,} decks better, {same:,} the same, {less:,} worse"
