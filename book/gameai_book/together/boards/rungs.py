"""The ladder: teams of the Convention, of searchers and of tuned rules on the same decks."""

import os
from itertools import islice

import numpy as np

from gameai_book.hanabi.boards.marks import left, right
from gameai_book.together.boards.points import Axis, mean_and_error, say
from gameai_book.together.boards.teams import BLOCK, SEED, TEAMS, play_rules, stored
from gameai_book.together.results.league import read_scores, write_scores
from gameai_lib.hanabi.game.box import N_CARDS
from gameai_lib.hanabi.game.play import play_game
from touchbook import BOOK_BUILD
from touchbook.board import svg
from touchbook.boards import Board, WrongTouch

N_AT_ONCE = {True: 20, False: 1000}  # games of a press, with search and without
MOST_PRESSES = 25
MOST_TURNS = 72  # of most games
_ROW, _TOP = 40, 22
_FOOT = _TOP + _ROW * len(TEAMS)
_AXIS = Axis(40, 362, 16, 25)
_TICKS = range(16, 26)


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
        "Below stands on how many decks the team gained. Even a good team loses on some.",
        "Which team is worse than the rules without search?",
    )
    begins = "Other decks"
    undoes_thought = True

    def __init__(self, *, seed=SEED):
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

    def think(self):
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
        heads = [left(10, 11, "mean points", "muted")]
        heads.append(right(390, 11, "games: gain over the rules alone", "muted"))
        rows = [shape for k, name in enumerate(TEAMS) for shape in self._row(name, k)]
        numbers = _AXIS.numbers(_TICKS, _FOOT + 11)
        key = (
            _stored_mean(12, _FOOT + 33),
            left(20, _FOOT + 33, "the team’s mean in many more games"),
        )
        return svg.picture(400, _FOOT + 46, *heads, *rows, *numbers, *key, label=self.title)

    def _row(self, name, k):
        """A team: its name, its mean, and its gain; the first stands at the foot."""
        team, is_chosen, top = TEAMS[name], name == self.rung, _FOOT - _ROW * (k + 1)
        own, plain = self.pairs(name)
        label = f"{team.title}: {_count(own)}"
        label += f", {say(*mean_and_error(own), 1)} points" if own.size else ""
        place = 3, top + 1, 394, _ROW - 3
        box = svg.rect(*place, "soft edge" if is_chosen else "paper edge", rx=3)
        yield svg.target(f"rung-{name}", label, box, pressed=is_chosen)
        if is_chosen:
            yield svg.rect(*place, "ring", rx=3)
        yield left(10, top + 11, team.title, "ink bold" if is_chosen else "ink")
        words = _count(own)
        if own.size and not _is_plain(team):
            words += f": {say(*mean_and_error(own - plain), 1, '+')}"
        yield right(390, top + 11, words, "ink" if own.size else "muted")
        yield from _AXIS.grid(_TICKS, top + 33, top + 37)
        if own.size:
            yield from _mean(team, own, top + 28)

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


def _stored_mean(x, y):
    """The mark of a mean in stored games."""
    return svg.line(x, y - 4, x, y + 4, "stroke-muted", stroke_width=3)


def _mean(team, scores, y):
    """The mean of a team's games above that of its stored games."""
    mean, error = mean_and_error(scores)
    many = stored(team).mean
    at = _AXIS.x(many)
    yield _stored_mean(at, y + 5)
    yield from _AXIS.whisker(mean, error, y - 4)
    room = 0 if np.isnan(error) else 2 * error
    # On the side where the grey line is not.
    if many < mean:
        yield left(max(_AXIS.x(mean + room), at) + 9, y, f"{mean:.1f}")
    else:
        yield right(max(min(_AXIS.x(mean - room), at) - 9, 36), y, f"{mean:.1f}")


def _say_decks(gains):
    """On how many decks points were gained and lost, in words."""
    more, same, less = (int((np.sign(gains) == sign).sum()) for sign in (1, 0, -1))
    return f"{more:,} decks better, {same:,} the same, {less:,} worse"
