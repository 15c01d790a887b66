"""Two more conjectures that trees refute, by the rules of `trees`: only the score is another.

Both are in the collections on which searches are compared: Graffiti's 137 in that of Roucairol and
Cazenave (2022), that of AutoGraphiX in that of Vito and Stefanus (2023). A tree that scores above 0
refutes the conjecture. Graffiti's "Written on the Wall" has 2 / (d_u + d_v) for an edge of the
harmonic index; the program of 2022 takes half of it, and the tree of seven vertices that lies
beside it refutes no more than that.
"""

import numpy as np

from gameai_book.nrpa.printed import trees
from gameai_lib.nrpa.problem.problem import Problem
from gameai_lib.nrpa.problem.rules import Rules

ENOUGH = 1e-6  # above 0 by more than the power method and rounding are wrong


def score_second(ints, floats):
    """By how much the second eigenvalue exceeds the harmonic index, the sum of 2 / (d_u + d_v)."""
    n = ints[0]
    near = np.zeros((n, n))
    for v in range(1, n):
        parent = ints[2 + v]
        near[v, parent] = near[parent, v] = 1
    degree = near.sum(axis=1)
    harmonic = 0.0
    for v in range(1, n):
        harmonic += 2 / (degree[v] + degree[ints[2 + v]])
    return np.linalg.eigvalsh(near)[n - 2] - harmonic


def score_randic(ints, floats):
    """By how much Randic's index and the independence number exceed n - 1 + sqrt(n - 1).

    The index is the sum of 1 / sqrt(d_u d_v) over the edges. In a tree, the independence number is
    n less the matching number.
    """
    n = ints[0]
    degree, free, matching, randic = np.ones(n), np.ones(n), 0, 0.0
    degree[0] = 0
    for v in range(n - 1, 0, -1):  # leaves come before their parents
        parent = ints[2 + v]
        degree[parent] += 1
        if free[v] and free[parent]:
            free[v] = free[parent] = 0
            matching += 1
    for v in range(1, n):
        randic += 1 / np.sqrt(degree[v] * degree[ints[2 + v]])
    return randic - matching + 1 - np.sqrt(n - 1)


SCORES = {"matching": trees.score, "second": score_second, "randic": score_randic}


def conjecture(name: str, n: int) -> Problem:
    """The problem of refuting the conjecture of this name by a tree of `n` vertices.

    The names are ``matching``, the lesson's, ``second`` and ``randic``. A move joins the next
    vertex to one that is there, and its code is this vertex.
    """
    rules = Rules(trees.reset, trees.legal, trees.play_move, SCORES[name])
    return Problem(f"{name}, {n}", rules, [n] + [0] * (n + 1), [], n, n - 1, n - 1)
