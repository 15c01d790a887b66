"""The smallest board that has all parts: take one, two or three of some sticks."""

from touchbook.board import svg
from touchbook.board.board import Board, WrongTouch


class Sticks(Board):
    """A game for tests."""

    name, title = "sticks", "Sticks"
    rules = ("Take one, two or three sticks.",)
    views = {"count": "Count", "odd": "Odd"}
    begins, thinks = "New sticks", "What now?"

    def __init__(self, *, n=7, seed=0):
        super().__init__(seed=seed)
        self.n = self.left = n
        self.advice, self.mode = "", "calm"

    def options(self):
        """How many sticks there are at first, too."""
        return super().options() | {"n": self.n}

    def move(self, name):
        """Take some, pass, or change the mode."""
        if name in ("calm", "wild"):
            self.mode = name
        elif name != "pass":
            if name not in ("1", "2", "3") or int(name) > self.left:
                raise WrongTouch(f"{name} cannot be taken of {self.left}.")
            self.left -= int(name)
        self.advice = ""
        return True

    def svg(self):
        """Targets in a row, as many as can be taken."""
        sticks = [
            svg.target(str(k), f"Take {k}", svg.rect(40 * k, 10, 30, 30, "c0"))
            for k in (1, 2, 3)
            if k <= self.left
        ]
        words = svg.text(60, 60, f"{self.left} <left>, {sorted(self.shown)}", 14)
        return svg.picture(200, 80, *sticks, words, label="Sticks")

    def say(self):
        """How many are left."""
        return f"{self.left} left. {self.advice}".strip()

    def buttons(self):
        """Passing."""
        return [("pass", "Pass")]

    def selects(self):
        """How it plays."""
        return [("Mode", [("calm", "Calm"), ("wild", "Wild")], self.mode)]

    def think(self):
        """Three steps, the last of which knows no part."""
        for i in range(3):
            self.advice = f"Thought {i}."
            yield i / 3 if i < 2 else None
