"""One line of cells to lay stones on, and the strength that was learned of it."""

from functools import lru_cache

import numpy as np

from gameai_book.btmm.boards import grid as drawing
from gameai_book.btmm.boards.bench import on_scale
from gameai_book.btmm.boards.grid import SIDES
from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.btmm.game import patterns
from gameai_lib.btmm.game.patterns import OFF_BOARD, OPPONENT, OWN
from gameai_lib.btmm.model.elo import elo_from_gamma
from touchbook.board import svg
from touchbook.boards import Board, WrongTouch

FREE = 0
MOVERS = {"black": 1, "white": 2}
NAMES = "abcdefgh"  # of the cells from the left
BEFORE = 3  # cells of the seven that lie before the move
WORDS = ("empty", "own stone", "other side's stone", "off the board")
MARKS = ".●○#"  # of what is empty, black, white and off the board
ENDS = (1e-4, 1e6)  # of the scale of strengths
KNOWN = 20  # times that a pattern must have been chosen to be ranked
QUESTIONS = {  # in a list to choose from, and in a sentence
    "free": ("nothing, just lay stones", ""),
    "strongest": ("the strongest line", "the strongest line"),
    "three": (
        "with three own stones",
        "the strongest line with three own stones and none of the other side",
    ),
    "stop": ("without an own stone", "the strongest line without an own stone"),
    "weakest": ("the weakest line", "the weakest line"),
}
CHOICES = {  # below the board: label, attribute, and values with their words
    "way": ("Line", "direction", {d: d for d in patterns.DIRECTIONS}),
    "mover": ("Moves", "mover", {m: m for m in MOVERS}),
    "find": ("Find", "question", {q: words for q, (words, _) in QUESTIONS.items()}),
}


class Kind:
    """All patterns of one direction and one mover; the edge is a state of its own."""

    def __init__(self, direction, mover):
        model = drawing.model("connect6 own state")
        k = list(patterns.DIRECTIONS).index(direction)
        self.shape = model.features.groups[k]
        first = model.features.starts[k] + self.shape.number([FREE] * 7, mover)
        n = self.shape.n_states**7
        self.gamma = model.gamma[first : first + n]
        self.error = model.error[first : first + n]
        self.wins = model.wins[first : first + n]
        self.known = np.flatnonzero(self.wins >= KNOWN)
        self.states = np.arange(n)[:, None] // self.shape.n_states ** np.arange(7)
        self.states %= self.shape.n_states

    def code(self, states):
        """The number of a pattern in this kind."""
        return self.shape.number(states)

    def rank(self, code):
        """Return how many of the known patterns are at least as strong, itself included."""
        return int((self.gamma[self.known] >= self.gamma[code]).sum())

    def merit(self, codes, question):
        """How well patterns answer a question; minus infinity where they do not."""
        own, other = ((self.states[codes] == s).sum(axis=-1) for s in (OWN, OPPONENT))
        fits = {"three": (own == 3) & (other == 0), "stop": own == 0}.get(question, True)
        gamma = self.gamma[codes] * (-1 if question == "weakest" else 1)
        return np.where(fits & (self.wins[codes] >= KNOWN), gamma, -np.inf)

    def answer(self, question):
        """The code of the pattern that a question asks for."""
        return int(self.known[np.argmax(self.merit(self.known, question))])


def in_print(line, mover):
    """A line as the library writes it, such as ``..X*OO..``, with the stones that it means."""
    signs = {"*": "×", "X": MARKS[mover], "O": MARKS[3 - mover]}
    return line.translate(str.maketrans(signs))


@lru_cache(maxsize=8)
def kind(direction, mover):
    """The `Kind`, made once."""
    return Kind(direction, mover)


class LineBoard(Board):
    """Seven cells around a move of Connect-6; a touch lays the next thing on one.

    Parameters
    ----------
    question : {"free", "strongest", "three", "stop", "weakest"}
    seed : int
        Not used: there is no chance here.
    """

    name, title = "line", "A line and its strength"
    rules = (
        "The cross is a move of Connect-6, and the seven cells are what lies on one line through "
        "it: three cells on one side and four on the other.",
        "Each touch on a cell changes it: first to a stone of the side that moves, then to a stone "
        "of the other side, then back to empty. The buttons with # let the board end on that side, "
        "and a touch on # takes this back.",
        "“Mirror it” exchanges the three cells on each side of the move. The fourth cell of the "
        "longer side has no partner and stays.",
        "The number γ is the strength of this line, learned from 7,082 games. A move is as strong "
        "as the product of its four lines.",
        "Six in a row win, and a side places two stones a turn.",
        "Choose a question and try to find the line that it asks for.",
    )

    def __init__(self, *, question="free", seed=0):
        super().__init__(seed=seed)
        self.first_question = self.question = checks.one_of("question", question, QUESTIONS)
        self.direction, self.mover = "row", "black"
        self.states = (FREE,) * 7
        self.best = ()  # states of the reader's best answer
        self.revealed = False

    def options(self):
        return super().options() | {"question": self.first_question}

    def recorded(self):
        """A four of the other side laid and taken away again, any one cell, and the answer."""
        runs = [tuple("eeffgghhhgf"), *((name,) for name in NAMES if name not in "ade")]
        return [*runs, ("reveal",)] if self.question != "free" else []

    @property
    def kind(self):
        """All patterns like this one."""
        return kind(self.direction, MOVERS[self.mover])

    @property
    def places(self):
        """Which of the seven states each cell from the left holds, None for the move.

        A falling line runs upwards in the records, and so from right to left.
        """
        places = [*range(BEFORE), None, *range(BEFORE, 7)]
        return places[::-1] if self.direction == "falling" else places

    @property
    def code(self):
        """The number of the pattern among its kind."""
        return self.kind.code(self.states)

    def move(self, name):
        if name == "clear":
            self._lay((FREE,) * 7)
        elif name == "mirror":
            image = mirror(self.states)
            if image is None:
                raise WrongTouch(
                    "With # within three cells of the move there is no mirror image: the eighth "
                    "cell has no partner."
                )
            self._lay(image)
        elif name in ("edge-left", "edge-right"):
            self._lay(self._with_edge(name))
        elif name == "reveal":
            if self.question == "free":
                raise WrongTouch("There is nothing to show: choose a question first.")
            self.states, self.revealed = self.states_of_answer(), True
        elif len(name) == 1 and name in NAMES:
            i = self.places[NAMES.index(name)]
            if i is None:
                raise WrongTouch(f"{name} is the move itself: before it the cell is empty.")
            self._lay(after_touch(self.states, i))
        else:
            what, _, value = name.partition("-")
            self._choose(what, value)
        return True

    def _with_edge(self, name):
        """States with one cell more off the board, on the left or on the right."""
        k = self.places.index(None)
        left, right = self.places[:k], self.places[:k:-1]
        for i in left if name == "edge-left" else right:
            if self.states[i] != OFF_BOARD:
                return (*self.states[:i], OFF_BOARD, *self.states[i + 1 :])
        raise WrongTouch("The board ends beside the move already. A touch on # takes it back.")

    def _lay(self, states):
        self.states = states
        if self.question == "free" or self.revealed:
            return
        best = self._merit(self.best) if self.best else -np.inf
        if self._merit(states) > best:
            self.best = states

    def _merit(self, states):
        return self.kind.merit(self.kind.code(states), self.question)

    def _choose(self, what, value):
        _, attribute, values = CHOICES.get(what, ("", "", {}))
        if value not in values:
            raise WrongTouch(f"There is no {short(f'{what}-{value}')} on this board.")
        if getattr(self, attribute) == value:
            raise WrongTouch(f"“{values[value]}” is chosen already.")
        setattr(self, attribute, value)
        self.best, self.revealed = (), False

    def buttons(self):
        more = [] if self.question == "free" or self.revealed else [("reveal", "Show the answer")]
        edges = [("edge-left", "# on the left"), ("edge-right", "# on the right")]
        return [("mirror", "Mirror it"), *edges, ("clear", "Clear"), *more]

    def selects(self):
        return [
            (
                label,
                [(f"{what}-{value}", words) for value, words in values.items()],
                f"{what}-{getattr(self, attribute)}",
            )
            for what, (label, attribute, values) in CHOICES.items()
        ]

    def svg(self):
        top = 30
        shapes = [self._cells(16, top, 46), self._strength(top + 74), self._scale(top + 108)]
        height = top + 202
        if self.question != "free":
            shapes.append(self._found(height))
            height += 62
        return svg.picture(drawing.WIDTH, height, *shapes, label="A line of seven cells")

    def _cells(self, left, top, size):
        """The move and the seven cells to touch, their names above."""
        drawn = []
        for k, (name, i) in enumerate(zip(NAMES, self.places, strict=True)):
            state = None if i is None else self.states[i]
            x = left + k * size
            words = "the move" if state is None else WORDS[state]
            shape = drawing.cell_of_line(x, top, size, state, MOVERS[self.mover])
            drawn.append(svg.target(name, f"{name}, {words}", shape))
            drawn.append(svg.text(x + size / 2, top - 12, name, 13, "muted"))
        return "".join(drawn)

    def _strength(self, y):
        """Strength, Elo and rank of this line, in words around `y`."""
        strength = f"γ = {self._gamma(self.states)}"
        elo = f"{float(elo_from_gamma(self.kind.gamma[self.code])):+.0f} Elo".replace("-", "−")
        return (
            svg.text(16, y, strength, 24, "ink bold", anchor="start")
            + svg.text(384, y - 10, elo, 14, anchor="end")
            + svg.text(384, y + 10, self._rank_words(), 13, "muted", anchor="end")
        )

    def _rank_words(self):
        kind, code = self.kind, self.code
        if kind.wins[code] < KNOWN:
            n = int(kind.wins[code])
            return "never chosen" if n == 0 else f"chosen {n} time{'s' * (n > 1)} only"
        return f"number {kind.rank(code):,} of {kind.known.size:,}"

    def _scale(self, top):
        """Where this line, its mirror image and the empty line stand among all known ones."""
        kind, base, image = self.kind, top + 50, mirror(self.states)
        drawn = [_histogram(kind.gamma[kind.known], base), _axis(base)]
        if image is not None:
            x = _across(kind.gamma[kind.code(image)])
            dashed = {"stroke_width": 2, "stroke_dasharray": "3 3"}
            drawn.append(svg.line(x, base - 40, x, base, "stroke-muted", **dashed))
        x = _across(kind.gamma[self.code])
        drawn.append(svg.line(x, base - 44, x, base, "s0", stroke_width=3))
        arrow = [(x - 6, base - 50), (x + 6, base - 50), (x, base - 42)]
        drawn.append(svg.path(arrow, "c0", closed=True))
        for x, words in (
            (24, "▼ this line"),
            (118, "┆ mirrored" if image is not None else ""),
            (236, "▮ lines of this kind"),
        ):
            drawn.append(svg.text(x, base + 34, words, 13, "muted", anchor="start"))
        return "".join(drawn)

    def _found(self, top):
        """The reader's best answer, and the true one where it was asked for."""
        rows = [("Your best", self.best)]
        if self.revealed:
            rows.append(("The answer", self.states_of_answer()))
        drawn = []
        for k, (words, states) in enumerate(rows):
            y = top + 30 * k
            drawn.append(svg.text(16, y + 11, words, 13, anchor="start"))
            if states:
                code, words = self.kind.code(states), f"γ = {self._gamma(states)}"
                line = drawing.states(112, y, 22, self.kind.shape, code, MOVERS[self.mover])
                drawn += [line, svg.text(384, y + 11, words, 14, anchor="end")]
            else:
                drawn.append(svg.text(112, y + 11, "none yet", 13, "muted", anchor="start"))
        return "".join(drawn)

    def states_of_answer(self):
        """States of the line that the question asks for."""
        return tuple(self.kind.states[self.kind.answer(self.question)].tolist())

    def say(self):
        kind, code = self.kind, self.code
        gamma, wins = kind.gamma[code], int(kind.wins[code])
        beside = (
            "" if code == 0 else f", {drawing.figure(gamma / kind.gamma[0])} times an empty line"
        )
        said = [
            f"{self._line_said()}, {SIDES[MOVERS[self.mover]]} moves at ×: "
            f"γ {drawing.figure(gamma)}{beside}.{self._image_said()}"
        ]
        if wins >= KNOWN:
            said.append(
                f"Players chose it {wins:,} times. It is number {kind.rank(code):,} of the "
                f"{kind.known.size:,} {self.direction} lines that were chosen {KNOWN} times or "
                f"more. Its γ is known up to a factor of about {np.exp(kind.error[code]):.3g}."
            )
        elif wins == 0 and abs(gamma - 1) < 1e-6:
            said.append(
                "In no game was it on offer, so it stands at 1, where the prior puts what is "
                "unknown."
            )
        else:
            times = "never" if wins == 0 else f"only {wins} time{'s' * (wins > 1)}"
            said.append(f"Players chose it {times}. Little is known of it, so it is not ranked.")
        if self.question != "free":
            said.append(self._question_said())
        return "\n".join(said)

    def _line_said(self):
        """The line from left to right, as the picture shows it."""
        mover = MOVERS[self.mover]
        marks = {OWN: MARKS[mover], OPPONENT: MARKS[3 - mover]}
        states = (None if i is None else self.states[i] for i in self.places)
        return "".join("×" if s is None else marks.get(s, MARKS[s]) for s in states)

    def _image_said(self):
        image = mirror(self.states)
        if image in (None, self.states):
            return ""
        is_known = self.kind.wins[self.kind.code(image)]
        return f" Mirrored: {f'γ {self._gamma(image)}' if is_known else 'never chosen'}."

    def _question_said(self):
        words = QUESTIONS[self.question][1]
        if not self.revealed:
            best = f" So far: γ {self._gamma(self.best)}." if self.best else ""
            return f"Find {words}, among the lines chosen {KNOWN} times or more.{best}"
        answer = self.states_of_answer()
        if self.best == answer:
            return f"You had found {words}: γ {self._gamma(answer)}."
        yours = f"; yours had {self._gamma(self.best)}" if self.best else ""
        return f"This is {words}: γ {self._gamma(answer)}{yours}."

    def _gamma(self, states):
        return drawing.figure(self.kind.gamma[self.kind.code(states)])


def _across(gamma):
    """Where a strength stands on the scale, from left to right."""
    return on_scale(gamma, ENDS, 24, 352)


def _histogram(gamma, base):
    drawn = []
    n, edges = np.histogram(np.log10(gamma), np.linspace(*np.log10(ENDS), 51))
    for count, edge in zip(n.tolist(), edges, strict=False):
        if count:
            tall = 38 * np.sqrt(count / n.max())
            box = _across(10.0**edge), base - tall, 6.4, tall
            drawn.append(svg.rect(*box, "muted", fill_opacity=0.4))
    return "".join(drawn)


def _axis(base):
    drawn = [svg.line(24, base, 376, base, "line")]
    for power, words in ((-4, ".0001"), (-2, ".01"), (0, "1"), (2, "100"), (4, "10,000")):
        x = _across(10.0**power)
        drawn.append(svg.line(x, base, x, base + 4, "line"))
        drawn.append(svg.text(x, base + 14, words, 13, "muted"))
    return "".join(drawn)


def after_touch(states, i):
    """States after a touch on cell `i` of the seven: the next in turn, and no hole in an edge.

    A touch on a cell off the board brings it back, and with it those between it and the move.
    """
    after = list(states)
    if states[i] == OFF_BOARD:
        inner = range(i, BEFORE) if i < BEFORE else range(BEFORE, i + 1)
        for k in inner:
            after[k] = FREE if states[k] == OFF_BOARD else states[k]
    else:
        after[i] = {FREE: OWN, OWN: OPPONENT, OPPONENT: FREE}[states[i]]
    return tuple(after)


def mirror(states):
    """The line with the three cells on each side of the move exchanged, or None.

    The fourth cell of the longer side has no partner and stays. Where the board ends within
    three cells, that cell would have to be off the board, or come from there: there is no image.
    """
    if OFF_BOARD in states[:6]:
        return None
    return (*states[5:2:-1], *states[2::-1], states[6])
