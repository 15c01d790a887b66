"""Weak Schur numbers as a game: 1, 2, 3, … go into k parts, as long as no part breaks its rule.

No number of a part may be the sum of two other, different numbers of it. WS(k) is how far that can
go with k parts. It is known to be 2, 8, 23 and 66 for k up to 4, at least 196 for k = 5, and at
least 582 for k = 6 (OEIS A072842).
"""

from itertools import combinations

from gameai_lib.nrpa.problem.problem import Problem
from gameai_lib.nrpa.problem.rules import Rules

K, MOST, NEXT, OPEN = range(4)  # of `ints`; then MOST + 1 marks for each part
MARKS = 4
TAKEN, BARRED = 1, 2  # a number is in the part, or is the sum of two that are


def reset(ints, floats):
    """Begin with empty parts; the next number is 1."""
    ints[NEXT:] = 0
    ints[NEXT] = 1


def legal(ints, floats, codes, start):
    """Put the next number into a part where it is no sum, or into the first that is empty."""
    if ints[NEXT] > ints[MOST]:
        return 0
    n = 0
    for part in range(min(ints[OPEN] + 1, ints[K])):
        if ints[MARKS + part * (ints[MOST] + 1) + ints[NEXT]] == 0:
            codes[start + n] = ints[NEXT] * ints[K] + part
            n += 1
    return n


def play_move(ints, floats, k, code):
    """Put the next number into a part, and bar the sums that it makes."""
    number, part = code // ints[K], code % ints[K]
    row = MARKS + part * (ints[MOST] + 1)
    for other in range(1, min(number, ints[MOST] - number + 1)):
        if ints[row + other] == TAKEN:
            ints[row + other + number] = BARRED
    ints[row + number] = TAKEN
    ints[OPEN] = max(ints[OPEN], part + 1)
    ints[NEXT] += 1


def score(ints, floats):
    """How many numbers have a part."""
    return float(ints[NEXT] - 1)


def weak_schur(k: int, most: int) -> Problem:
    """The game with `k` parts, which ends at the number `most` if no move ends it before."""
    rules = Rules(reset, legal, play_move, score)
    ints = [k, most] + [0] * (2 + k * (most + 1))
    return Problem(f"weak Schur {k}", rules, ints, [], k * (most + 1), most, k)


def parts_of(problem: Problem, codes) -> list[list[int]]:
    """The parts of a game, each a list of numbers."""
    k = int(problem.ints[K])
    return [[code // k for code in codes if code % k == part] for part in range(k)]


def is_weakly_sum_free(part) -> bool:
    """Whether no number of a part is the sum of two others, by trying all pairs."""
    return not {a + b for a, b in combinations(part, 2)} & {*part}


def furthest(k: int) -> int:
    """WS(k), by trying everything; from k = 4 on this takes too long."""

    def go_on(parts, number):
        best = number - 1
        for j, part in enumerate(parts):
            if is_weakly_sum_free([*part, number]):
                best = max(best, go_on([*parts[:j], [*part, number], *parts[j + 1 :]], number + 1))
            if not part:  # empty parts are alike
                break
        return best

    return go_on([[] for _ in range(k)], 1)
