"""NRPA in plain Python, as one writes it after reading Rosin (2011): the yardstick.

Nothing here is shared with `gameai_lib.nrpa`. A game is an object with `legal()`, a list of
hashable codes, `play(code)` and `score()`; the policy is a dictionary. Given the same random
numbers and the same order of moves, the library must find the same game.
"""

import math


def playout(new_game, policy, rng):
    """One game played with the policy; returns (score, [(legal codes, choice), ...])."""
    game, sequence = new_game(), []
    while codes := game.legal():
        weights = [math.exp(policy.get(code, 0.0)) for code in codes]
        target = rng.random() * sum(weights)
        cumulative, choice = 0.0, len(codes) - 1
        for k, weight in enumerate(weights):
            cumulative += weight
            if cumulative > target:
                choice = k
                break
        sequence.append((codes, choice))
        game.play(codes[choice])
    return game.score(), sequence


def adapt(policy, sequence, alpha):
    """Return a policy moved towards a sequence, all gradients taken at the old one."""
    adapted = dict(policy)
    for codes, choice in sequence:
        total = sum(math.exp(policy.get(code, 0.0)) for code in codes)
        for code in codes:
            probability = math.exp(policy.get(code, 0.0)) / total
            adapted[code] = adapted.get(code, 0.0) - alpha * probability
        adapted[codes[choice]] += alpha
    return adapted


def nrpa(new_game, level, n, rng, policy=None, *, alpha=1.0, p=1, repeats=0, clip=math.inf):
    """Best (score, sequence) of one nested search; each level works on its own copy.

    Its variants are from the papers that name them: `p` playouts for an adapt, an end after so
    many `repeats` of the best game, and weights within ±`clip`.
    """
    policy = dict(policy or {})
    if level == 0:
        return playout(new_game, policy, rng)
    below = {"alpha": alpha, "p": p, "repeats": repeats, "clip": clip}
    best, n_repeats = (-math.inf, []), 0
    for _ in range(n):
        for _ in range(p if level == 1 else 1):
            found = nrpa(new_game, level - 1, n, rng, policy, **below)
            if repeats and found == best:
                n_repeats += 1
            elif found[0] >= best[0]:
                best, n_repeats = found, 0
        policy = adapt(policy, best[1], alpha)
        if clip < math.inf:
            policy = {code: min(max(w, -clip), clip) for code, w in policy.items()}
        if repeats and n_repeats >= repeats:
            break
    return best


class Morpion5D:
    """Morpion 5D on a set of points; legal lines are kept up to date around each new point."""

    DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))

    def __init__(self):
        arms = [(x, y) for x in (3, 6) for y in (0, 1, 2, 3, 6, 7, 8, 9)]
        self.points = {*arms, *((y, x) for x, y in arms)}
        self.points |= {(x, y) for x in (4, 5) for y in (0, 9)}
        self.points |= {(y, x) for x in (4, 5) for y in (0, 9)}
        self.used = set()  # (point, direction) of the lines drawn
        self.n_moves = 0
        self.lines = set()
        for point in list(self.points):
            self._add_lines_near(point)

    def _cells(self, line):
        x, y, direction = line
        dx, dy = self.DIRECTIONS[direction]
        return [(x + i * dx, y + i * dy) for i in range(5)]

    def _is_legal(self, line):
        cells = self._cells(line)
        return sum(cell in self.points for cell in cells) == 4 and not any(
            (cell, line[2]) in self.used for cell in cells
        )

    def _add_lines_near(self, point):
        for direction, (dx, dy) in enumerate(self.DIRECTIONS):
            for i in range(5):
                line = (point[0] - i * dx, point[1] - i * dy, direction)
                if self._is_legal(line):
                    self.lines.add(line)

    def legal(self):
        """Lines that can be drawn, sorted, so that equal games list equal moves."""
        return sorted(self.lines)

    def play(self, line):
        """Draw a line."""
        cells = self._cells(line)
        (point,) = set(cells) - self.points
        self.points.add(point)
        self.used |= {(cell, line[2]) for cell in cells}
        self.n_moves += 1
        self.lines = {other for other in self.lines if self._is_legal(other)}
        self._add_lines_near(point)

    def score(self):
        """Number of lines drawn."""
        return self.n_moves
