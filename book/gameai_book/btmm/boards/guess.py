"""Guess the move that was played, and stand beside what the strengths have learned."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from gameai_book.btmm.boards import grid as drawing
from gameai_book.btmm.boards.grid import SIDES
from gameai_lib.btmm.game import connect6
from gameai_lib.btmm.records import sgf
from touchbook.board import svg
from touchbook.boards import Board, WrongTouch

MODEL = "connect6 own state"
GRID = drawing.CONNECT6
N_QUESTIONS = 10
TOPS = (1, 3, 5)
EARLIEST = 5  # stones on the board; before them, anything can be played
KNOWN = 21  # stones in the chapter's first picture, with what was played
SIZE = GRID.cell  # of the marks, which go around the number of a cell
HIT = {True: ("good", "✓", "on"), False: ("soft", "–", "muted")}


class Question(NamedTuple):
    """A position and what was played."""

    stones: np.ndarray  #: (n_cells,) int8
    colour: int
    truth: tuple  #: the two stones of the turn
    fresh: tuple  #: those of the turn before

    @property
    def look(self):
        """The model's `Look` at the position."""
        return drawing.look(MODEL, self.stones.tobytes(), self.colour)

    @property
    def rank(self):
        """The rank of the better of the moves played, among the model's."""
        return min(map(self.look.rank, self.truth))


@lru_cache(maxsize=8)
def _questions(seed):
    """The questions in the order of the game: what comes later would tell."""
    record = sgf.parse_sgf(sgf.SOURCE_GAME, "connect6").records()
    positions, moves = connect6.replay(record), record.moves.tolist()
    ply = positions.ply
    rows = np.flatnonzero((ply % 2 == 1) & (ply >= EARLIEST) & (ply != KNOWN))
    rows = np.sort(np.random.default_rng([seed, 1]).permutation(rows)[:N_QUESTIONS])
    return [
        Question(
            positions.boards[row],
            int(positions.to_move[row]),
            tuple(moves[ply[row] : ply[row] + 2]),
            tuple(moves[ply[row] - 2 : ply[row]]),
        )
        for row in rows
    ]


class GuessBoard(Board):
    """Ten positions of the source's game of Connect-6: which move was played?"""

    name, title = "guess", "Guess the move"
    rules = (
        "You see a position of a game that was played. Touch the place where you think the next "
        "stone went, and touch it again to commit yourself.",
        "In Connect-6 six in a row win, and a side places two stones a turn. Either of them is a "
        "hit.",
        "Then you see what was played, and the chances that the learned strengths gave each move.",
        "After the last position your hits stand beside those of the model's first choice, its "
        "first three and its first five.",
        "A guess cannot be taken back, because you have seen the answer.",
    )
    can_undo = False

    def __init__(self, *, seed=0):
        super().__init__(seed=seed)
        self.at = 0  # the question
        self.aimed = ""
        self.guesses = ()  # cells

    @property
    def question(self):
        """The `Question` that is asked, or was just answered."""
        return _questions(self.seed)[self.at]

    @property
    def answered(self):
        """Whether the true move of this position is shown."""
        return len(self.guesses) > self.at

    def move(self, name):
        if name == "next":
            if not self.answered:
                raise WrongTouch("First guess: touch the place where you think the stone went.")
            if len(self.guesses) == N_QUESTIONS:
                raise WrongTouch("That was the last position. Begin a new game for others.")
            self.at += 1
            return True
        square = name.removeprefix("aim-")
        cell = GRID.named(square)
        if self.answered:
            raise WrongTouch("Your guess is made, and the move is shown.")
        if self.question.stones[cell]:
            raise WrongTouch(f"There is a stone on {square} already.")
        if name != square:
            self.aimed = square
            return False
        self.aimed, self.guesses = "", (*self.guesses, cell)
        return True

    def hits(self):
        """Return what hit so far: the reader, then the model's first one, three and five."""
        asked = _questions(self.seed)[: len(self.guesses)]
        yours = [cell in one.truth for cell, one in zip(self.guesses, asked, strict=True)]
        return [yours, *([one.rank <= n for one in asked] for n in TOPS)]

    def buttons(self):
        if self.answered:
            return [("next", "Next position")] if len(self.guesses) < N_QUESTIONS else []
        return [(self.aimed, f"Commit {self.aimed}")] if self.aimed else []

    def svg(self):
        top, shapes = GRID.bottom + 6, [drawing.ground(GRID)]
        if self.answered:
            truth, guess = self.question.truth, self.guesses[-1]
            heat = drawing.heat(GRID, self.question.look, also=(*truth, guess))
            shapes += [*heat, self._places()]
            shapes += [_circle(*GRID.at(cell), SIZE) for cell in truth]
            shapes += [_diamond(*GRID.at(guess), SIZE), *_legend(top)]
            top += 26
        else:
            shapes.append(self._places())
        if self.aimed:
            shapes.append(_diamond(*GRID.at(GRID.cell_of(self.aimed)), SIZE))
        if self.guesses:
            shapes += self._table(top)
            top += 5 * 22 + 4
        label = "Guess the move: the board"
        return svg.picture(drawing.WIDTH, top, *shapes, label=label, least=GRID.least)

    def _places(self):
        """Every cell to touch, with what a screen reader says of it."""
        asked, heard = self.question, {}
        aimed = GRID.cell_of(self.aimed) if self.aimed else -1
        if self.answered:
            guess = self.guesses[-1]
            heard = dict.fromkeys(asked.truth, "played")
            heard[guess] = "your guess" + ", played" * (guess in asked.truth)
        elif self.aimed:
            heard[aimed] = "chosen, touch again to commit"
        aim = {"aim": not self.answered, "aimed": aimed}
        return drawing.places(GRID, asked.stones, fresh=asked.fresh, more=heard, **aim)

    def _table(self, top):
        left, step, right = 118, 15, drawing.SEEN
        drawn = [svg.text(10, top + 11, "Hits", 13, "muted", anchor="start")]
        for k in range(N_QUESTIONS):
            drawn.append(svg.text(left + step * k, top + 11, k + 1, 13, "muted"))
        names = ("You", "Model's first", *(f"Model's first {n}" for n in TOPS[1:]))
        for i, (name, row) in enumerate(zip(names, self.hits(), strict=True)):
            y, ink = top + 22 * (i + 1) + 11, "ink" if i else "ink bold"
            drawn.append(svg.text(10, y, name, 13, ink, anchor="start"))
            for k, hit in enumerate(row):
                x, colour, mark, on = left + step * k, *HIT[hit]
                half = 3 * step / 7
                drawn.append(svg.rect(x - half, y - 9, 2 * half, 18, colour, rx=3))
                drawn.append(svg.text(x, y, mark, 13, on))
            drawn.append(svg.text(right, y, sum(row), 14, ink, anchor="end"))
        return drawn

    def say(self):
        parts = [self._answer_said()] if self.answered else [self._asked_said()]
        if self.answered and len(self.guesses) == N_QUESTIONS:
            parts.append(self._result_said())
        elif self.guesses:
            parts.append(f"Hits so far: {self._hits_said()}.")
        return "\n".join(parts)

    def _asked_said(self):
        mover, n = SIDES[self.question.colour], int((self.question.stones > 0).sum())
        commit = f"Touch the point where you think {mover} played."
        if self.aimed:
            commit = f"You have chosen {self.aimed}. Touch it again to commit yourself."
        return (
            f"Position {self.at + 1} of {N_QUESTIONS}, the source's game, after {n} stones: "
            f"{mover} is to move. Two stones were placed. Either is a hit.\n{commit}"
        )

    def _answer_said(self):
        asked, guess, seen = self.question, self.guesses[-1], self.question.look

        def said(cell):
            return f"{connect6.square_of(cell)} ({seen.percent(cell)} %)"

        yours, rank, is_hit = said(guess), seen.rank(guess), guess in asked.truth
        played = f"{SIDES[asked.colour]} played {' and '.join(map(said, asked.truth))}."
        if is_hit and rank == 1:
            return f"You found it: {yours}, also the model's first choice. {played}"
        number = f"the model's choice number {rank}."
        judged = f"A miss: your guess {yours} is {number}"
        if is_hit:
            judged = f"You found it: {yours}, {number}"
        best = connect6.square_of(int(seen.cells[np.argmax(seen.chance)]))
        model = f"was a miss; the better of the two was its choice number {asked.rank}."
        if asked.rank == 1:
            model = "was played."
        return f"{judged} {played} The model's first choice, {best}, {model}"

    def _hits_said(self):
        you, first, three, five = map(sum, self.hits())
        return (
            f"you {you} of {len(self.guesses)}, the model's first choice {first}, its first three "
            f"{three}, its first five {five}"
        )

    def _result_said(self):
        # Two figures are enough.
        chances = [2 / asked.look.cells.size for asked in _questions(self.seed)]
        one_in = float(f"{1 / np.mean(chances):.2g}")
        return (
            f"The round is over. Hits: {self._hits_said()}. A blind guess hits one time in "
            f"{one_in:.0f}. The model looked no move ahead; it has counted what players chose."
        )


def _circle(x, y, size):
    return svg.circle(x, y, 0.53 * size, "s1", stroke_width=3)


def _diamond(x, y, size):
    half = 0.62 * size
    points = [(x, y - half), (x + half, y), (x, y + half), (x - half, y)]
    return svg.path(points, "stroke", closed=True, stroke_width=2.2)


def _legend(top):
    y = top + 11
    return [
        _circle(18, y, 15),
        svg.text(32, y, "played", 13, anchor="start"),
        _diamond(102, y, 15),
        svg.text(118, y, "yours", 13, anchor="start"),
        svg.rect(176, y - 8, 16, 16, "ring", rx=3),
        svg.text(196, y, "model's first", 13, anchor="start"),
    ]
