"""Ratings the long way: a likelihood term by term, a general optimiser, linear programming."""

import numpy as np

PLAYERS = ("ann", "bob", "cy", "dee", "eve")


def games_of(sizes, n=80, seed=0):
    """Games of random teams: one size for both sides, or one for each."""
    rng, games = np.random.default_rng(seed), []
    for _ in range(n):
        size = sizes[rng.integers(len(sizes))]
        first, second = size if isinstance(size, tuple) else (size, size)
        drawn = rng.permutation(len(PLAYERS))[: first + second]
        d = 0.3 * (drawn[:first].sum() - drawn[first:].sum()) + 0.4
        p = np.exp([d / 2, -0.3, -d / 2])
        result = (1, 0.5, 0)[rng.choice(3, p=p / p.sum())]
        names = [PLAYERS[i] for i in drawn]
        games.append((tuple(names[:first]), tuple(names[first:]), result))
    return games


def teams_of(n=150, n_features=9, seed=0):
    """Competitions of one to four teams of up to three members, and who won; one links the ends."""
    rng = np.random.default_rng(seed)
    rows = [
        [rng.permutation(n_features)[: rng.integers(0, 4)].tolist() for _ in range(n_teams)]
        for n_teams in rng.integers(1, 5, n)
    ]
    return [*rows, [[n_features - 1], [0]]], [*(rng.integers(len(row)) for row in rows), 0]


def chances(ties, first, second, tie):
    """P(win), P(draw), P(loss) as the papers print them."""
    if ties == "davidson":
        total = first + second + tie * np.sqrt(first * second)
        return first / total, tie * np.sqrt(first * second) / total, second / total
    win, loss = first / (first + tie * second), second / (second + tie * first)
    return win, (tie**2 - 1) * win * loss, loss


def minus_objective(x, names, games, weight, ties, columns, prior):
    """Minus the weighted ln L and the virtual games; of ln gamma, features and ln tie.

    `columns` is (n_games, n_features); home advantage is one of ones.
    """
    n, k = len(names), len(columns[0])
    gamma, factors = dict(zip(names, np.exp(x[:n]), strict=True)), np.exp(columns @ x[n : n + k])
    if ties == "rao-kupper" and x[-1] <= 0:
        return np.inf
    total = 0.0
    for (*sides, result), w, factor in zip(games, weight, factors, strict=True):
        sides = [side if isinstance(side, tuple) else (side,) for side in sides]
        one, other = (np.prod([gamma[name] for name in side]) for side in sides)
        p = chances(ties, factor * one, other, np.exp(x[-1]))
        total += w * np.log(p[{1: 0, 0.5: 1, 0: 2}[result]])
    size = np.sqrt(np.average(columns**2, axis=0, weights=weight))
    for y in [*x[:n], *size * x[n : n + k]]:
        total += prior * np.log(np.exp(y) / (1 + np.exp(y)) ** 2)
    return -total


def best(names, games, weight, ties, columns, prior):
    """The maximum by a general optimiser, from where nothing is known."""
    from scipy.optimize import minimize

    x = np.append(np.zeros(len(names) + len(columns[0])), 0.3)
    options = {"maxiter": 100_000, "maxfun": 10**6, "ftol": 1e-15, "gtol": 1e-9}
    limits = [(-9, 9)] * (x.size - 1) + [(1e-3 if ties == "rao-kupper" else -9, 9)]
    arguments = names, games, weight, ties, columns, prior
    return minimize(
        minus_objective, x, arguments, method="L-BFGS-B", bounds=limits, options=options
    ).x


def hessian(f, x, h=1e-4):
    """Second differences."""
    step = h * np.eye(x.size)
    rows = [[f(x + a + b) - f(x + a - b) - f(x - a + b) + f(x - a - b) for b in step] for a in step]
    return np.array(rows) / (4 * h * h)


def slopes(f, x, h=1e-5):
    """First differences."""
    return np.array([f(x + step) - f(x - step) for step in h * np.eye(x.size)]) / (2 * h)


def favours_all(rows):
    """Does a direction lose by no row, (n, n_parameters) winner less rival, and gain by one?"""
    from scipy.optimize import linprog

    found = linprog(-rows.sum(axis=0), A_ub=-rows, b_ub=np.zeros(len(rows)), bounds=(-1, 1))
    return -found.fun > 1e-7


def direction_exists(games, columns):
    """Does any direction favour all results, or none of them know it? By linear programming."""
    names = sorted({name for game in games for side in game[:2] for name in side})
    tied = any(result == 0.5 for _, _, result in games)
    n = len(names) + len(columns[0]) + tied
    rows, even = [], all(len(first) == len(second) for first, second, _ in games)
    for (first, second, result), numbers in zip(games, columns, strict=True):
        d, t = np.zeros(n), np.zeros(n)
        d[[names.index(name) for name in first]] = 0.5
        d[[names.index(name) for name in second]] = -0.5
        d[len(names) : len(names) + len(numbers)] = numbers / 2
        t[n - tied :] = 1
        kinds = {1: d, 0: -d} | ({0.5: t} if tied else {})
        rows += [kinds[result] - kinds[other] for other in kinds if other != result]
    return np.linalg.matrix_rank(rows) < n - even or favours_all(np.array(rows))
