"""A puzzle that is tried again and again, with a game that NRPA has found to follow."""

from gameai_book.nrpa.boards.advice import advise
from gameai_book.nrpa.boards.yardstick import strip_chart
from gameai_lib.nrpa.game.continued import continued
from touchbook.board.pace import pause
from touchbook.boards import Board, WrongTouch


class TriedBoard(Board):
    """A board that goes back to its start, and knows whose moves were made.

    A subclass has `over`, `result`, its `unit` and what a `step` is. It writes `_begin`, which puts
    the start position, `_stand_at`, which keeps a problem as `here`, `_search_size`, N of a search
    and the games between two advices, `_next_touch` and `_next`, the touch of NRPA's next move and
    words for it, and `_now` and `_liked`, sentences of the position and what the policy likes best.
    """

    @property
    def thinks(self):
        if self.over:
            return ""
        return "Watch NRPA play on" if self._has_game else "What would NRPA do from here?"

    @property
    def _has_game(self):
        """Whether a search was made to its end, and moves of its game are left."""
        return bool(self._left) and self.advice.n_playouts == self._search_size()[0] ** 2

    @property
    def _left(self):
        """Choices of NRPA's game that are left."""
        return self.advice.choices if self.advice else ()

    @property
    def _likes(self):
        """Probabilities of the legal moves under the policy, where it is known."""
        return self.advice.probabilities if self.advice else ()

    def __init__(self, *, seed: int = 0):
        super().__init__(seed=seed)
        self.advice = None  # what NRPA has found from here
        self.n_moves = self.n_followed = 0  # of this try; and those that NRPA's game had
        self.earlier = ()  # result and moves of NRPA's, of each try that came to its end

    def touch(self, name):
        n = len(self.log)
        super().touch(name)
        if len(self.log) > n and name != "restart":
            self.n_moves += 1
            self.n_followed += name == "follow"

    def meant(self, name):
        return self._next_touch() if name == "follow" and self._left else name

    def move(self, name):
        """Go back to the start; other touches are refused."""
        if name == "follow":
            raise WrongTouch("There is no game to follow: let NRPA think first.")
        if name != "restart":
            return super().move(name)
        if not self.n_moves:
            raise WrongTouch("This is the start already.")
        if self.over:
            self.earlier = (*self.earlier, (self.result, self.n_followed))
        self.advice = None
        self.n_moves = self.n_followed = 0
        self._begin()
        return True

    def _go_on(self, k):
        """Stand where the k-th legal move leads to."""
        self.advice = self.advice and self.advice.after(k)
        self._stand_at(continued(self.here, [k]))

    def think(self):
        """Search from here at level 2, and play as many random games; or play on what was found."""
        if self.over:
            return
        if self._has_game:
            yield from self._play_on()
            return
        yield 0.0  # seen before the kernels are compiled, once on a machine
        for part, advice in advise(self.here, self.rng(1), self.rng(2), *self._search_size()):
            self.advice = advice
            yield part

    def _play_on(self):
        """The game found, move by move, at a pace at which it can be watched."""
        n = len(self.advice.choices)
        for k in range(n):
            if k:
                pause()
            self.touch("follow")
            yield (k + 1) / n

    def buttons(self):
        buttons = [("follow", f"Follow NRPA: {self._next()}")] if self._left else []
        if self.n_moves:
            buttons.append(("restart", "From the start again"))
        return buttons

    def say(self):
        more = self._credit() if self.over else self._advised()
        return "\n".join([*self._now(), *more, *self._tries()])

    def _advised(self):
        if self.advice is None:
            return []
        liked = f" {self._liked()}" if self._likes else ""
        return [self.advice.in_words(self.unit) + liked]

    def _credit(self):
        """At the end: which moves were NRPA's, and what can be done now."""
        said = "Take some moves back and ask what NRPA would do there, or begin again."
        if self.n_followed:
            said = f"NRPA made {self.n_followed} of these {count(self.n_moves, self.step)}. {said}"
        return [said]

    def _chart(self, game, y, width):
        """The end beside random games and searches, as shapes from `y` on, and their height."""
        whose = "this game" if self.n_followed else "you"
        return strip_chart(game, self.result, y, width, whose)

    def _tries(self):
        if not self.earlier:
            return []
        results = [f"{n:,} with NRPA" if followed else f"{n:,}" for n, followed in self.earlier]
        return [f"Earlier tries: {', '.join(results)}."]


def count(n: int, what: str) -> str:
    """So many of something: "1 line", "2 lines"."""
    return f"{n:,} {what}{'s' * (n != 1)}"
