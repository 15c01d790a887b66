"""Guess the move that was played, and stand beside what the strengths have learned."""

import os
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from gameai_book.btmm.boards import grid as drawing
from gameai_book.btmm.boards.grid import SIDES
from gameai_book.btmm.results.games import load_games
from gameai_lib.base import checks
from gameai_lib.btmm.game import connect6, reversi
from gameai_lib.btmm.game.positions import split_games
from gameai_lib.btmm.records import archives, sgf
from touchbook.board import svg
from touchbook.boards import Board, WrongTouch

RULES = {"reversi": reversi, "connect6": connect6}
MODELS = {"reversi": "reversi", "connect6": "connect6 own state"}
TITLES = {"reversi": "Reversi", "connect6": "Connect-6"}
GAMES = {
    "reversi": "Reversi a disc must enclose discs of the other side in a straight run between "
    "itself and another of its colour; these are turned over",
    "connect6": "Connect-6 six in a row win, and a side places two stones a turn. Either of them "
    "is a hit",
}
SOURCES = ("source", "own", "records")
TOPS = (1, 3, 5)
SHORTEST = 12  # stones of a real game that is asked about
EARLIEST = 5  # stones of Connect-6 on the board; before them, anything can be played
KNOWN = 21  # stones of the source's game in the chapter's first picture, with what was played


class Question(NamedTuple):
    """A position and what was played; `truth` has both stones of a turn of Connect-6."""

    stones: np.ndarray  #: (n_cells,) int8
    colour: int
    truth: tuple
    fresh: tuple  #: the stones of the move before
    words: str  #: where it is from


class Answer(NamedTuple):
    """A guess, and how it and the model's choices fared."""

    guess: int
    hit: bool
    rank: int  #: of the best of the moves played, among the model's
    guess_rank: int
    blind: float  #: the chance to hit without a look


@lru_cache(maxsize=4)
def _games(game, games, folder):
    """The `Records` to choose from."""
    if games == "source":
        return sgf.parse_sgf(sgf.SOURCE_GAME, "connect6").records()
    if games == "own":
        return load_games(game)
    found = archives.read_folder(folder, "othello" if game == "reversi" else game)
    # The strengths were learned from the others; a game that was given up at once asks nothing.
    test = split_games(found.n_games, np.random.default_rng(0))[1]
    return found.take(test & (np.diff(found.offsets) >= SHORTEST))


def _candidates(positions, game):
    """Rows of the positions that are worth a question."""
    n_legal = np.diff(positions.offsets)
    if game == "connect6":  # at the beginning of a turn
        turn = positions.ply % 2 == 1
        return np.flatnonzero(turn & (positions.ply >= EARLIEST))
    found = np.flatnonzero((n_legal >= 4) & (positions.ply >= 6) & (positions.ply < 50))
    return found if found.size else np.arange(1, n_legal.size)


@lru_cache(maxsize=64)
def _question(game, games, folder, seed, n, k):
    """Question `k` of `n`."""
    chosen, rng = _games(game, games, folder), np.random.default_rng([seed, 1])
    if games == "source":
        number, positions = 0, connect6.replay(chosen)
        # In the order of the game: what comes later would tell.
        rows = _candidates(positions, game)
        row = np.sort(rng.permutation(rows[positions.ply[rows] != KNOWN])[:n])[k]
    else:
        number = int(rng.permutation(chosen.n_games)[k])
        positions = RULES[game].replay(chosen.take([number]))
        row = np.random.default_rng([seed, 2, k]).choice(_candidates(positions, game))
    moves, ply = chosen.game(number), int(positions.ply[row])
    last = ply + (2 if game == "connect6" else 1)
    before = slice(max(0, ply - 2), ply) if game == "connect6" else slice(ply - 1, ply)
    said = {"source": "the source's game", "own": "a game of the library's own players"}
    unit = "stone" if game == "connect6" else "move"
    return Question(
        positions.boards[row],
        int(positions.to_move[row]),
        tuple(moves[ply:last].tolist()),
        tuple(moves[before].tolist()),
        f"{said.get(games, 'a recorded game')}, after {ply} {unit}{'s' * (ply > 1)}",
    )


class GuessBoard(Board):
    """Ten positions of recorded games: which move was played?

    Parameters
    ----------
    game : {"connect6", "reversi"}
    games : {"source", "own", "records"}
        The source's own game (of Connect-6), games of the library's players, or real ones in
        the folder that the variable ``GAMEAI_DATA`` names. Without, the source's game for
        Connect-6 and own ones for Reversi.
    questions : int
        From 1 to 10.
    seed : int
    """

    name, title = "guess", "Guess the move"
    rules = (
        "You see a position of a game that was played. Touch the place where you think the next "
        "stone went, and touch it again to commit yourself.",
        "In {game}.",
        "Then you see what was played, and the chances that the learned strengths gave each move.",
        "After the last position your hits stand beside those of the model's first choice, its "
        "first three and its first five.",
        "A guess cannot be taken back, because you have seen the answer.",
    )
    can_undo = False

    def __init__(self, *, game="connect6", games=None, questions=10, seed=0):
        super().__init__(seed=seed)
        self.game = checks.one_of("game", game, tuple(RULES))
        games = ("source" if game == "connect6" else "own") if games is None else games
        self.games = checks.one_of("games", games, SOURCES)
        self.questions = checks.whole("questions", questions, 1, 10)
        if game == "reversi" and games == "source":
            raise ValueError("games='source' is a game of Connect-6; choose 'own' for Reversi")
        if games == "records" and not os.environ.get("GAMEAI_DATA"):
            raise ValueError(
                "games='records' are read from the folder that the variable GAMEAI_DATA names, "
                "and it names none; choose games='own'"
                + (" or 'source'" if game == "connect6" else "")
            )
        n_games = _games(game, games, self._folder()).n_games
        if games == "records" and n_games < self.questions:
            raise ValueError(f"the folder has {n_games} games to ask about, not {questions}")
        self.rules = tuple(rule.format(game=GAMES[game]) for rule in type(self).rules)
        self.grid, self.model_name = drawing.GRIDS[game], MODELS[game]
        self.at = 0  # the question
        self.aimed = ""
        self.answers = ()  # of `Answer`

    def options(self):
        own = {"game": self.game, "games": self.games, "questions": self.questions}
        return super().options() | own

    @property
    def question(self):
        """The `Question` that is asked, or was just answered."""
        chosen = self.game, self.games, self._folder()
        return _question(*chosen, self.seed, self.questions, self.at)

    def _folder(self):
        return os.environ.get("GAMEAI_DATA") if self.games == "records" else None

    def looked(self):
        """Return (cells, chance, teams) of the moves of the position."""
        asked = self.question
        return drawing.looked(self.model_name, asked.stones.tobytes(), asked.colour, 1.0)

    @property
    def answered(self):
        """Whether the true move of this position is shown."""
        return len(self.answers) > self.at

    def move(self, name):
        if name == "next":
            if not self.answered:
                raise WrongTouch("First guess: touch the place where you think the stone went.")
            if len(self.answers) == self.questions:
                raise WrongTouch("That was the last position. Begin a new game for others.")
            self.at += 1
            return True
        aims = name.startswith("aim-")
        square = name.removeprefix("aim-")
        cell = self.grid.named(square)
        if self.answered:
            raise WrongTouch("Your guess is made, and the move is shown.")
        cells, chance, _ = self.looked()
        if self.question.stones[cell]:
            raise WrongTouch(f"There is a stone on {square} already.")
        if cell not in cells:
            raise WrongTouch(f"{square} turns no disc, so it was not played.")
        if aims:
            self.aimed = square
            return False
        self.aimed, self.answers = "", (*self.answers, self._judged(cell, cells, chance))
        return True

    def _judged(self, cell, cells, chance):
        truth = self.question.truth
        rank = min(drawing.rank_of(played, cells, chance) for played in truth)
        blind = len(truth) / cells.size
        return Answer(cell, cell in truth, rank, drawing.rank_of(cell, cells, chance), blind)

    def hits(self):
        """Return the hits so far: the reader's, then the model's first one, three and five."""
        return [sum(row) for row in self._rows()]

    def _rows(self):
        yield [a.hit for a in self.answers]
        for n in TOPS:
            yield [a.rank <= n for a in self.answers]

    def buttons(self):
        if self.answered:
            return [("next", "Next position")] if len(self.answers) < self.questions else []
        return [(self.aimed, f"Commit {self.aimed}")] if self.aimed else []

    def svg(self):
        grid, size, top = self.grid, _size(self.grid), self.grid.bottom + 6
        shapes = [drawing.ground(grid)]
        if self.answered:
            truth, guess = self.question.truth, self.answers[-1].guess
            cells, chance, _ = self.looked()
            shapes += [*drawing.heat(grid, cells, chance, also=(*truth, guess)), self._places()]
            shapes += [_circle(*grid.at(cell), size) for cell in truth]
            shapes += [_diamond(*grid.at(guess), size), _legend(top, grid.crossings)]
            top += 26
        else:
            shapes.append(self._places())
        if self.aimed:
            shapes.append(_diamond(*grid.at(grid.cell_of(self.aimed)), size))
        if self.answers:
            shapes.append(self._table(top))
            top += 5 * 22 + 4
        label = "Guess the move: the board"
        return svg.picture(drawing.WIDTH, top, *shapes, label=label, least=grid.least)

    def _places(self):
        """Every cell to touch, with what a screen reader says of it."""
        asked, heard = self.question, {}
        aimed = self.grid.cell_of(self.aimed) if self.aimed else -1
        if self.answered:
            cells, chance, _ = self.looked()
            answer = self.answers[-1]
            heard = drawing.chances_heard(self.grid, cells, chance)
            heard |= dict.fromkeys(asked.truth, "played")
            heard[answer.guess] = "your guess, played" if answer.hit else "your guess"
        elif self.aimed:
            heard[aimed] = "chosen, touch again to commit"
        aim = {"aim": not self.answered, "aimed": aimed}
        return drawing.places(self.grid, asked.stones, fresh=asked.fresh, more=heard, **aim)

    def _table(self, top):
        # What is wider than a phone is cut there.
        left, step, right = (118, 15, drawing.SEEN) if self.grid.crossings else (148, 21, 390)
        drawn = [svg.text(10, top + 11, "Hits", 13, "muted", anchor="start")]
        for k in range(self.questions):
            drawn.append(svg.text(left + step * k, top + 11, k + 1, 13, "muted"))
        names = ("You", *(f"Model's first {n}" if n > 1 else "Model's first" for n in TOPS))
        for i, (name, row) in enumerate(zip(names, self._rows(), strict=True)):
            y = top + 22 * (i + 1) + 11
            bold = " bold" if i == 0 else ""
            drawn.append(svg.text(10, y, name, 13, f"ink{bold}", anchor="start"))
            for k, hit in enumerate(row):
                x, half = left + step * k, 3 * step / 7
                drawn.append(
                    svg.rect(x - half, y - 9, 2 * half, 18, "good" if hit else "soft", rx=3)
                )
                drawn.append(svg.text(x, y, "✓" if hit else "–", 13, "on" if hit else "muted"))
            drawn.append(svg.text(right, y, sum(row), 14, f"ink{bold}", anchor="end"))
        return "".join(drawn)

    def say(self):
        parts = [self._answer_said()] if self.answered else [self._asked_said()]
        if self.answered and len(self.answers) == self.questions:
            parts.append(self._result_said())
        elif self.answers:
            parts.append(f"Hits so far: {self._hits_said()}.")
        return "\n".join(parts)

    def _asked_said(self):
        asked, mover, placed = self.question, SIDES[self.question.colour], ""
        if self.game == "connect6":
            one, two = " One stone was placed.", " Two stones were placed. Either is a hit."
            placed = one if len(asked.truth) == 1 else two
        commit = (
            f"You have chosen {self.aimed}. Touch it again to commit yourself."
            if self.aimed
            else f"Touch the {self.grid.place} where you think {mover} played."
        )
        where = f"Position {self.at + 1} of {self.questions}, {asked.words}"
        return f"{where}: {mover} is to move.{placed}\n{commit}"

    def _answer_said(self):
        asked, answer = self.question, self.answers[-1]
        cells, chance, _ = self.looked()

        def said(cell):
            p = drawing.percent(chance[cells == cell][0])
            return f"{self.grid.square_of(cell)} ({p} %)"

        guess, number = said(answer.guess), f"the model's choice number {answer.guess_rank}"
        played = f"{SIDES[asked.colour]} played {' and '.join(map(said, asked.truth))}."
        if answer.hit and answer.guess_rank == 1:
            return f"You found it: {guess}, also the model's first choice. {played}"
        yours = f"A miss: your guess {guess} is {number}."
        if answer.hit:
            yours = f"You found it: {guess}, {number}."
        best = self.grid.square_of(int(cells[np.argmax(chance)]))
        better = "the better of the two" if len(asked.truth) == 2 else "the move played"
        model = (
            "was played."
            if answer.rank == 1
            else f"was a miss; {better} was its choice number {answer.rank}."
        )
        return f"{yours} {played} The model's first choice, {best}, {model}"

    def _hits_said(self):
        you, first, three, five = self.hits()
        return (
            f"you {you} of {len(self.answers)}, the model's first choice {first}, its first three "
            f"{three}, its first five {five}"
        )

    def _result_said(self):
        # Two figures are enough.
        one_in = float(f"{len(self.answers) / sum(a.blind for a in self.answers):.2g}")
        return (
            f"The round is over. Hits: {self._hits_said()}. A blind guess hits one time in "
            f"{one_in:.0f}. The model looked no move ahead; it has counted what players chose."
        )


def _size(grid):
    # On the small cells of Connect-6 the marks go around the number.
    return grid.cell if grid.crossings else 0.8 * grid.cell


def _circle(x, y, size):
    return svg.circle(x, y, 0.53 * size, "s1", stroke_width=3)


def _diamond(x, y, size):
    half = 0.62 * size
    points = [(x, y - half), (x + half, y), (x, y + half), (x - half, y)]
    return svg.path(points, "stroke", closed=True, stroke_width=2.2)


def _legend(top, narrow):
    y, x = top + 11, (102, 176) if narrow else (118, 208)
    frame = svg.rect(x[1], y - 8, 16, 16, "ring", rx=3)
    return "".join(
        [
            _circle(18, y, 15), svg.text(32, y, "played", 13, anchor="start"),
            _diamond(x[0], y, 15), svg.text(x[0] + 16, y, "yours", 13, anchor="start"),
            frame, svg.text(x[1] + 20, y, "model's first", 13, anchor="start"),
        ]
    )  # fmt: skip
