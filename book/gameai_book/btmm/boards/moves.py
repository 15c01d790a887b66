"""MM for moves by touch: two tiny positions, three patterns, and one update at a time."""

import numpy as np

from gameai_book.btmm.boards.bench import Bench, format_strength, triangle
from gameai_book.btmm.boards.grid import stone
from gameai_lib.btmm.game.positions import BLACK, WHITE
from touchbook.board import svg
from touchbook.boards import WrongTouch

PATTERNS = ("joins", "stops", "corner")
POSITIONS = ("...XXOXOO", "..X.OXOXO")  # three rows of three; Black, X, moves
PLAYED = (2, 1, 0, 1, 1, 1)  # times each free point was played, position by position
MOST = 9  # times that one move was played
_LEAST = 1e-12  # where the library stops a strength that has never won
_CELL = 54
_LEFT = (14, 224)  # of the two positions
_TOP = 28
_TABLE = _TOP + 3 * _CELL + 30


def team(position, cell):
    """Return which of the `PATTERNS` a move has, as (3,) bool."""
    row, column = divmod(cell, 3)
    beside = {
        what
        for other, what in enumerate(position)
        if abs(other // 3 - row) + abs(other % 3 - column) == 1
    }
    return np.array(["X" in beside, "O" in beside, row != 1 and column != 1])


MOVES = [(p, c) for p, cells in enumerate(POSITIONS) for c, what in enumerate(cells) if what == "."]
TEAMS = np.array([team(POSITIONS[p], c) for p, c in MOVES])
MET = np.array([[p == k for p, _ in MOVES] for k in range(2)])  # (position, move)
LABELS = [f"{'abc'[c % 3]}{3 - c // 3} of position {p + 1}" for p, c in MOVES]


class MovesBoard(Bench):
    """Strengths of three patterns, learned from moves that were played in two positions."""

    name, title = "moves", "Two positions, three patterns"
    rules = (
        "Black moves in both positions. A move joins if it stands beside a black stone, across or "
        "down. It stops if it stands beside a white stone. The third pattern is the corner.",
        "Each free point shows the signs of its patterns, in how many of the games it was "
        "played, and its chance: the product of its patterns, over the sum of all products in its "
        "position.",
        "Update multiplies the strength of one pattern by its wins over the wins expected. The "
        "arrow shows which pattern comes next.",
        "A touch on a free point adds one game in which that move was played. After nine games "
        "the count goes back to none. The strengths then begin again from 1.",
    )

    def __init__(self, *, seed=0):
        super().__init__(seed=seed)
        self.played = np.array(PLAYED)  # games in the order of `MOVES`
        self.gamma = np.ones(len(PATTERNS))
        self.n_updates = 0

    def runs_to_record(self):
        singles = [self._one_more(k) for k in range(len(MOVES))]
        return [("update",) * 9, *((name, *("update",) * 3) for name in singles)]

    def move(self, name):
        if name == "update":
            self.gamma, self.n_updates = self.updated, self.n_updates + 1
            return True
        digits = name.removeprefix("played-")
        if digits == name or len(digits) != len(MOVES) or not digits.isdecimal():
            return super().move(name)
        if not int(digits):
            raise WrongTouch("One game must stay: touch another move first.")
        self.played = np.array([int(d) for d in digits])
        self.gamma, self.n_updates = np.ones(len(PATTERNS)), 0
        return True

    def _one_more(self, k):
        """The touch on move `k`: it names the games that there are then."""
        played = self.played.copy()
        played[k] = (played[k] + 1) % (MOST + 1)
        return "played-" + "".join(map(str, played))

    def buttons(self):
        return [("update", f"Update “{PATTERNS[self.next]}”")]

    @property
    def next(self):
        """The pattern whose turn it is."""
        return self.n_updates % len(PATTERNS)

    @property
    def games(self):
        """(2,) int: games in which each position was met."""
        return MET @ self.played

    @property
    def chance(self):
        """(6,) float: the share of each move in its position."""
        strength = np.where(TEAMS, self.gamma, 1.0).prod(axis=1)
        return strength / (MET @ strength @ MET)

    @property
    def expected(self):
        """(2, 3) float: wins that the model expects of each pattern in each position."""
        return (MET * (self.games @ MET) * self.chance) @ TEAMS

    @property
    def wins(self):
        """(3,) int: games in which the move that was played has the pattern."""
        return self.played @ TEAMS

    @property
    def updated(self):
        """(3,) float: strengths after one update of the pattern whose turn it is."""
        gamma, k = self.gamma.copy(), self.next
        gamma[k] = max(gamma[k] * self.wins[k] / self.expected[:, k].sum(), _LEAST)
        return gamma

    @property
    def log_likelihood(self):
        """ln of the chance that all games went as they did."""
        seen = self.played > 0
        return float(self.played[seen] @ np.log(self.chance[seen]))

    def svg(self):
        shapes = []
        for p, left in enumerate(_LEFT):
            n = int(self.games[p])
            words = f"position {p + 1}, {n} game{'s' * (n != 1)}"
            shapes.append(svg.text(left, 12, words, 14, "ink bold", anchor="start"))
            shapes += self._position(p, left)
        return svg.picture(400, _TABLE + 96, *shapes, *self._table(), label=self.title)

    def _position(self, p, left):
        shapes = []
        for cell, what in enumerate(POSITIONS[p]):
            x, y = left + _CELL * (cell % 3), _TOP + _CELL * (cell // 3)
            if what == ".":
                shapes += self._place(MOVES.index((p, cell)), x, y)
            else:
                shapes.append(svg.rect(x + 1, y + 1, _CELL - 2, _CELL - 2, "wood"))
                colour = BLACK if what == "X" else WHITE
                shapes.append(stone(x + _CELL / 2, y + _CELL / 2, 0.36 * _CELL, colour))
        return shapes

    def _place(self, k, x, y):
        """The free point of move `k`: its patterns, games and chance."""
        n, which, middle = int(self.played[k]), np.flatnonzero(TEAMS[k]), x + _CELL / 2
        times = "once" if n == 1 else f"{n} times" if n else "never"
        signs = " and ".join(PATTERNS[pattern] for pattern in which)
        label = f"{LABELS[k]}, {signs}: played {times}; one game more"
        ground = svg.rect(x + 1, y + 1, _CELL - 2, _CELL - 2, "paper edge")
        return [
            svg.target(self._one_more(k), label, ground),
            *(
                _sign(pattern, middle + 16 * (i - (which.size - 1) / 2), y + 11)
                for i, pattern in enumerate(which)
            ),
            svg.text(middle, y + 27, f"{n} of {self.games[MOVES[k][0]]}", 14, "ink bold"),
            svg.text(middle, y + 43, f"{100 * self.chance[k]:.0f} %", 13),
        ]

    def _table(self):
        """For each pattern: old strength, wins, wins expected, and the new strength."""
        ends = {"old": 132, "wins": 174, "expected": 330, "new": 392}
        shapes = [svg.text(x, _TABLE, w, 13, "muted", anchor="end") for w, x in ends.items()]
        after = self.gamma * self.wins / self.expected.sum(axis=0)
        for k, name in enumerate(PATTERNS):
            y, now = _TABLE + 26 * (k + 1), k == self.next
            first, second = self.expected[:, k]
            row = {
                "old": format_strength(self.gamma[k]),
                "wins": self.wins[k],
                "expected": f"{first:.2f} + {second:.2f} = {first + second:.2f}",
                "new": format_strength(after[k]) if now else "",
            }
            if now:
                shapes.append(svg.rect(2, y - 12, 396, 24, "soft", rx=4))
                shapes.append(svg.path([(6, y - 5), (6, y + 5), (14, y)], "ink", closed=True))
            shapes.append(_sign(k, 26, y))
            shapes.append(svg.text(38, y, name, 14, "ink bold" if now else "ink", anchor="start"))
            shapes += [svg.text(ends[w], y, said, 14, anchor="end") for w, said in row.items()]
        return shapes

    def say(self):
        k, name = self.next, PATTERNS[self.next]
        n = int(self.played.sum())
        expected, new = self.expected[:, k].sum(), self.updated[k]
        games = "The one game has" if n == 1 else f"All {n} games together have"
        return (
            f"{games} a chance of 1 in {round(np.exp(-self.log_likelihood), 1):,.10g}.\n"
            f"“{name}” has {self.wins[k]} wins, and the model expects {expected:.2f}. Its new "
            f"strength is {format_strength(self.gamma[k])} × {self.wins[k]} / {expected:.2f} = "
            f"{format_strength(new)}."
        )


def _sign(pattern, x, y):
    """The sign of a pattern: a disc, a triangle or a square."""
    if pattern == 0:
        return svg.circle(x, y, 6, "c0")
    if pattern == 1:
        return triangle(x, y)
    return svg.rect(x - 5.5, y - 5.5, 11, 11, "c2")
