"""Is there a best set of strengths? Only a prior promises it; without one the results decide.

The likelihood of duels, and of choices of one out of n, has one maximum, but for the scale, if and
only if from everyone to everyone there is a chain of wins (Ford 1957; Hunter 2004, assumption 1).
In teams the winner's member of each group "beats" the other teams' members of that group, or
nobody, where there is none. If these wins do not connect a group, some of its members gain by
growing without end; but groups may also grow together.

For teams there is a maximum if and only if no direction in ln gamma favours every winner over all
its rivals (Albert and Anderson 1984). Newton's method finds that out: let g be the gradient, I the
information and s = I^-1 g. The numbers w P(t) (1 + s.x_t - s.mean x), one for each losing team,
balance all wins exactly; if all are positive no such direction exists (Stiemke's lemma). They tend
to w P(t) at a maximum, so they become positive if and only if there is one.
"""

from itertools import islice
from typing import NamedTuple

import numpy as np

from gameai_lib.base.checks import short
from gameai_lib.base.jit import njit, plain_at_first
from gameai_lib.btmm.model.accelerate import accelerated
from gameai_lib.btmm.model.competitions import CompetitionError
from gameai_lib.btmm.model.mm import Prior

MOST_FEATURES = 300  # up to here the condition for teams is decided, not only a necessary one
N_STEPS = 60
N_PASSES = 20  # of `accelerated` before them: one step takes as long
FEW = 20_000  # nodes and edges up to which Python is faster than compiling


class NoMaximumError(CompetitionError):
    """Without a prior no strengths are the likeliest; the message names the features."""


class Wins(NamedTuple):
    """Who is connected with whom by wins."""

    part: np.ndarray  #: (n_nodes,) int: nodes of one number have been compared
    above: np.ndarray  #: (n_nodes,) bool: no chain of wins from the first of the part gets there
    below: np.ndarray  #: (n_nodes,) bool: none from there gets to the first of the part


def connect(edges, n_nodes):
    """Return the `Wins` of `edges`, (n, 2) int: who beat whom."""
    winners, losers = np.ascontiguousarray(edges.T)
    nodes = np.arange(n_nodes, dtype=np.int64)
    with plain_at_first(len(edges) + n_nodes <= FEW):
        beat, lost = _lists(winners, losers, n_nodes), _lists(losers, winners, n_nodes)
        met = _lists(np.append(winners, losers), np.append(losers, winners), n_nodes)
        part = _sources(nodes, *met)  # the number of a part is its smallest node
        roots = nodes[part == nodes]
        return Wins(part, _sources(roots, *beat) < 0, _sources(roots, *lost) < 0)


def check_maximum(data):
    """Return the `Wins`, or raise `NoMaximumError` where the results do not bound the strengths.

    Decided for teams of one member, and for larger teams of up to `MOST_FEATURES` features; else
    a necessary condition. Behind the features there is a "nobody" for each group.
    """
    wins = connect(data.edges(), data.n_features + data.n_groups)
    for odd, text in ((wins.above, HIGH), (wins.below, LOW)):
        if odd.any():
            raise NoMaximumError(_name_unbounded(odd, wins.part, data.n_features, text))
    if data.n_groups == 1:
        numbers, sizes = np.unique(wins.part[: data.n_features], return_counts=True)
        if (sizes > 1).sum() > 1:
            first, second = (np.flatnonzero(wins.part == k) for k in numbers[sizes > 1][:2])
            raise NoMaximumError(
                f"the results never compare features {_some(first)} with {_some(second)}: "
                "nothing is known of their ratio without a prior"
            )
    elif data.n_features <= MOST_FEATURES and not _is_balanced(data):
        raise NoMaximumError(
            "some features can grow or shrink together without end, and no result speaks "
            "against it: without a prior no strengths are the likeliest"
        )
    return wins


def centre(gamma, wins):
    """Return `gamma` with geometric mean 1 over each part that "nobody" is not in."""
    part = wins.part[: gamma.size].astype(np.intp)  # of 32 bits in a page
    fixed = np.isin(part, wins.part[gamma.size :])
    theta = np.log(gamma)
    mean = np.bincount(part, theta) / np.maximum(np.bincount(part), 1)
    return np.exp(np.where(fixed, theta, theta - mean[part]))


HIGH = "never lost to the others they met: without a prior no strength is too great"
LOW = "never won against the others they met: without a prior no strength is too small"


def _name_unbounded(odd, part, n_features, text):
    here = part == part[np.argmax(odd)]
    if odd[n_features:][here[n_features:]].any():
        # "Nobody" is among them: name the others, of whom the opposite is true.
        odd, text = ~odd, LOW if text is HIGH else HIGH
    return f"features {_some(np.flatnonzero((odd & here)[:n_features]))} {text}"


def _some(features):
    return short(features.tolist())


def _is_balanced(data):
    """Does Newton's method find the certificate of a maximum, near it, if there is one?"""
    near = next(islice(accelerated(data, Prior(0.0), np.ones(data.n_features)), N_PASSES, None))
    theta, wins = np.log(near.gamma), data.wins()
    for _ in range(N_STEPS):
        gamma = np.exp(theta)
        try:
            gradient = wins - data.tally(gamma).expected
            matrix = data.information_matrix(gamma)
            step = np.linalg.pinv(matrix, rcond=1e-13, hermitian=True) @ gradient
            least = data.smallest_share(gamma, step)
        except (ValueError, np.linalg.LinAlgError):
            return False  # the strengths ran out of the range of floats
        rest = np.abs(gradient - matrix @ step).sum()
        # What rounding leaves of a 0 proves nothing.
        if least > max(1e3 * rest, 1e-14 * data.total_weight):
            return True
        # No team moves by more than two nats.
        longest = data.n_groups * float(np.abs(step).max())
        theta = theta + step * min(1.0, 2.0 / max(longest, 1e-300))
    return False


@njit(cache=True, allocates=True)
def _lists(sources, targets, n):
    """Return (first, neighbours): those of node i are ``neighbours[first[i]:first[i + 1]]``."""
    first = np.zeros(n + 1, np.int64)
    for i in range(sources.size):
        first[sources[i] + 1] += 1
    for i in range(n):
        first[i + 1] += first[i]
    at = first[:-1].copy()
    neighbours = np.empty(sources.size, np.int64)
    for i in range(sources.size):
        neighbours[at[sources[i]]] = targets[i]
        at[sources[i]] += 1
    return first, neighbours


@njit(cache=True, allocates=True)
def _sources(roots, first, neighbours):
    """Return (n,) int: the first of `roots` from which each node is reached, -1 if from none."""
    source = np.full(first.size - 1, -1)
    queue = np.empty(first.size - 1, np.int64)
    for root in roots:
        if source[root] >= 0:
            continue
        source[root] = root
        queue[0] = root
        n, i = 1, 0
        while i < n:
            for at in range(first[queue[i]], first[queue[i] + 1]):
                if source[neighbours[at]] < 0:
                    source[neighbours[at]] = root
                    queue[n] = neighbours[at]
                    n += 1
            i += 1
    return source
