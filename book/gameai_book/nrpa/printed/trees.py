"""Trees that grow vertex by vertex, to refute a conjecture of spectral graph theory.

The rules are a reader's own, as the lesson prints them: plain functions over two arrays. A tree
scores above 0 if its largest eigenvalue and its matching number add up to less than
sqrt(n - 1) + 1, which the conjecture forbids.
"""

import numpy as np

from gameai_lib.nrpa.problem.problem import Problem
from gameai_lib.nrpa.problem.rules import Rules
from gameai_lib.nrpa.problem.walk import replay

N_VERTICES = 19


def reset(ints, floats):
    """Begin with one vertex; ``ints`` are n, the vertices so far, and the parent of each."""
    ints[1] = 1


def legal(ints, floats, codes, start):
    """Join the next vertex to any that is there; the code is this vertex alone."""
    if ints[1] == ints[0]:
        return 0
    for v in range(ints[1]):
        codes[start + v] = v
    return ints[1]


def play_move(ints, floats, k, code):
    """Join the next vertex to vertex k."""
    ints[2 + ints[1]] = k
    ints[1] += 1


def score(ints, floats):
    """By how much the tree falls below the conjecture's bound."""
    n = ints[0]
    near, free, matching = np.eye(n), np.ones(n), 0
    for v in range(n - 1, 0, -1):  # leaves come before their parents
        parent = ints[2 + v]
        near[v, parent] = near[parent, v] = 1
        if free[v] and free[parent]:
            free[v] = free[parent] = 0
            matching += 1
    x = np.ones(n)
    for _ in range(60):
        x = (near * x).sum(axis=1)
        x /= x.max()
    largest = (x * (near * x).sum(axis=1)).sum() / (x * x).sum() - 1
    return np.sqrt(n - 1) + 1 - largest - matching


def tree(legal=legal, n=N_VERTICES) -> Problem:
    """The problem of `n` vertices; `legal` decides about the codes."""
    rules = Rules(reset, legal, play_move, score)
    return Problem("tree", rules, [n] + [0] * (n + 1), [], n * n, n - 1, n - 1)


def parents_of(problem: Problem, choices) -> tuple[int, ...]:
    """Parent of each vertex but the first, in the order in which they came."""
    *_, end = replay(problem, choices)
    return tuple(end.ints[3 : 2 + end.ints[1]].tolist())


def check_tree(parents) -> tuple[float, int]:
    """Largest eigenvalue and matching number of a tree, found in another way than by its rules.

    numpy's eigenvalues; and twice the matching number of a tree is the rank of its adjacency
    matrix.
    """
    n = len(parents) + 1
    joined = np.zeros((n, n))
    for v, parent in enumerate(parents, 1):
        joined[v, parent] = joined[parent, v] = 1
    values = np.linalg.eigvalsh(joined)
    return float(values[-1]), int((np.abs(values) > 1e-6).sum()) // 2
