"""A conjecture to refute: searches for a tree that scores above 0, which it says is impossible."""

from collections.abc import Iterator

import numpy as np

from gameai_book.nrpa.boards.tries import count
from gameai_book.nrpa.printed.trees import check_tree, parents_of
from gameai_book.nrpa.printed.trees import tree as tree_problem
from gameai_lib.nrpa.problem.problem import Problem
from gameai_lib.nrpa.search.nrpa import NRPA
from touchbook.board import svg
from touchbook.board.pace import pause, tell_errors
from touchbook.boards import Board

WAYS = {  # touch: words, games of a search, searches of a press
    "short": ("twenty short searches", 50, 20),
    "long": ("one long search", 1000, 1),
}
EVERY = 10  # games between pictures
NOTHING = 1e-6  # what a computer may add to 0
OUTCOMES = ("below 0", "at 0, a star", "above 0")
_WIDTH, _MIDDLE, _RADIUS = 400, 140, 112


class TreeBoard(Board):
    """NRPA grows trees, again and again or in one long search.

    `problem` has arrays that hold trees as those of `gameai_book.nrpa.printed.trees` do; a reader
    may change its codes.
    """

    name, title = "tree", "A tree to grow"
    rules = (
        "A game grows a tree of 19 vertices. Each move joins one new vertex to a vertex that is "
        "there already. The vertices are numbered in the order in which they came.",
        "The score is √18 + 1, minus the largest eigenvalue of the tree, minus the size of its "
        "largest matching. The thick edges are such a matching.",
        "The conjecture says that no tree scores above 0. One press plays 1,000 games at most: "
        "twenty searches of fifty games, or one search of a thousand. It ends with the first tree "
        "that scores above 0.",
    )
    begins, thinks = "Other random numbers", "Search"

    def __init__(self, *, problem: Problem | None = None, seed: int = 0):
        super().__init__(seed=seed)
        if problem is not None:
            self.own = {"problem": problem}
        self.problem = problem or tree_problem()
        self.way = "short"
        self.results = ()  # way and best score of each search that has ended
        # The tree that is drawn, and how many of its vertices; before the first search the star.
        self.score, self.parents = None, (0,) * (int(self.problem.ints[0]) - 1)
        self.n_shown = len(self.parents) + 1

    def runs_to_record(self):
        """A press in each way: a picture for each short search, and four of the long one."""
        runs = []
        for touches, chunk in (((), 6), (("long",), 25)):
            board = self.anew()
            for touch in touches:
                board.touch(touch)
            is_whole = [board.n_shown > len(board.parents) for _ in board.think()]
            n = sum(is_whole)
            thoughts = [f"think-{chunk}"] * (n // chunk) + ["think-1"] * (n % chunk)
            if board.score > NOTHING:  # then it is worth seeing how it grows
                thoughts += ["think-1"] * (is_whole.count(False) + 1)  # the last ends it
            runs.append((*touches, *thoughts))
        return runs

    def move(self, name):
        if name not in WAYS or name == self.way:
            return super().move(name)
        self.way = name
        return True

    def selects(self):
        return [("Press for", [(key, words) for key, (words, *_) in WAYS.items()], self.way)]

    def think(self):
        yield from tell_errors(self._search())
        for n in range(1, len(self.parents) + 1):
            self.n_shown = n
            yield 1.0
            pause()
        self.n_shown = len(self.parents) + 1

    def _search(self) -> Iterator[float]:
        """Searches, and the best tree of each as it gets better; at the end the best of all."""
        _, n_games, n_searches = WAYS[self.way]
        best = None
        for k in range(n_searches):
            rng = np.random.default_rng([self.seed, len(self.results)])
            search = NRPA(self.problem, rng, level=1, n_iterations=n_games)
            while search.n_playouts < n_games:
                search.advance(min(EVERY, n_games - search.n_playouts))
                self._draw(search.best)
                yield (k + search.n_playouts / n_games) / n_searches
            self.results = (*self.results, (self.way, float(search.best.score)))
            if best is None or search.best.score > best.score:
                best = search.best
            self._draw(best)
            yield (k + 1) / n_searches
            if best.score > NOTHING:
                break

    def _draw(self, game):
        self.score = float(game.score)
        self.parents = parents_of(self.problem, game.choices)
        self.n_shown = len(self.parents) + 1

    def say(self):
        if self.score is None:
            return "This is the star, in which one vertex is joined to all others. It scores 0."
        largest, matching = check_tree(self.parents)
        n = len(self.parents) + 1
        said = (
            f"The best tree scores {with_sign(self.score)}. Its largest eigenvalue is "
            f"{largest:.4f}, and a largest matching has {count(matching, 'edge')}."
        )
        if self.score > NOTHING:
            said += (
                f" Together that is {largest + matching:.4f}, which is less than "
                f"{np.sqrt(n - 1) + 1:.4f}. So the conjecture is false. The eigenvalue in this "
                "sentence is not the game's own: numpy has computed it anew."
            )
        tallies = [
            f"{words}: " + ", ".join(f"{n} {what}" for what, n in self._tally(way).items())
            for way, (words, *_) in WAYS.items()
            if any(self._tally(way).values())
        ]
        return "\n".join([said, *([f"Searches: {'; '.join(tallies)}."] if tallies else [])])

    def _tally(self, way):
        """How many searches ended below 0, at 0 and above."""
        scores = [score for one, score in self.results if one == way]
        above, below = sum(s > NOTHING for s in scores), sum(s < -NOTHING for s in scores)
        return dict(zip(OUTCOMES, (below, len(scores) - below - above, above), strict=True))

    def svg(self):
        shapes = [*self._tree(), *self._table(_MIDDLE + _RADIUS + 46)]
        return svg.picture(_WIDTH, _MIDDLE + _RADIUS + 110, *shapes, label=self.title)

    def _tree(self):
        at = {
            v: (_WIDTH / 2 + _RADIUS * x, _MIDDLE + _RADIUS * y)
            for v, (x, y) in places(self.parents).items()
        }
        edges = [e for e in enumerate(self.parents, 1) if e[0] < self.n_shown]
        chosen = largest_matching(self.parents[: self.n_shown - 1])
        shapes = [
            svg.text(8, 16, f"score {with_sign(self.score or 0.0)}", 15, "ink bold", anchor="start")
        ]
        for v, parent in edges:
            wide = v in chosen
            look = {"stroke_width": 5 if wide else 1.5}
            shapes.append(svg.line(*at[v], *at[parent], "s1" if wide else "stroke-muted", **look))
        for v in range(self.n_shown):
            shapes += [svg.circle(*at[v], 10, "paper edge"), svg.text(*at[v], v, 12.5, "ink")]
        return shapes

    def _table(self, top):
        shapes = [svg.text(8, top, "searches that ended", 13, "muted", anchor="start")]
        at = dict(zip(OUTCOMES, (205, 282, 360), strict=True))
        shapes += [svg.text(x, top, what, 13, "muted") for what, x in at.items()]
        for row, (way, (_, n_games, _)) in enumerate(WAYS.items(), 1):
            y = top + 22 * row
            words = f"of {n_games:,} games"
            shapes.append(svg.text(8, y, words, 14, anchor="start"))
            for what, n in self._tally(way).items():
                look = "good bold" if what == "above 0" and n else "ink"
                shapes.append(svg.text(at[what], y, n, 15, look))
        return shapes


def with_sign(score: float) -> str:
    """A score with its sign; what is 0 but for rounding is 0."""
    return "0" if abs(score) < NOTHING else f"{score:+.4f}".replace("-", "−")


def largest_matching(parents) -> set[int]:
    """Vertices whose edge to their parent is in a largest matching, found from the leaves on."""
    free, chosen = set(range(len(parents) + 1)), set()
    for v in range(len(parents), 0, -1):
        if {v, parents[v - 1]} <= free:
            free -= {v, parents[v - 1]}
            chosen.add(v)
    return chosen


def places(parents) -> dict[int, tuple[float, float]]:
    """Where the vertices of a tree are drawn, in the disc around 0: around its middle."""
    near = {v: set() for v in range(len(parents) + 1)}
    for v, parent in enumerate(parents, 1):
        near[v].add(parent)
        near[parent].add(v)
    found = {}

    def put(v, before, level, start, end):
        found[v] = level, (start + end) / 2
        after = sorted(near[v] - {before})
        wide = np.array([_n_leaves(near, u, v) for u in after], float)
        ends = start + (end - start) * np.concatenate([[0], np.cumsum(wide)]) / max(wide.sum(), 1)
        for u, low, high in zip(after, ends[:-1], ends[1:], strict=True):
            put(u, v, level + 1, low, high)

    put(_middle(near), None, 0, np.pi / 2, 5 * np.pi / 2)
    depth = max(1, *(level for level, _ in found.values()))
    return {
        v: (level / depth * float(np.cos(angle)), level / depth * float(np.sin(angle)))
        for v, (level, angle) in found.items()
    }


def _middle(near):
    left = dict(near)
    while len(left) > 2:
        leaves = {v for v, others in left.items() if len(others) < 2}
        left = {v: others - leaves for v, others in left.items() if v not in leaves}
    return min(left)


def _n_leaves(near, v, before):
    return sum(_n_leaves(near, u, v) for u in near[v] - {before}) or 1
