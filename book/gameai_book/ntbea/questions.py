"""The questions of the lesson on NTBEA, each made by a function of a generator.

Without a generator a question has the lesson's own numbers, with one it has others. Every function
returns what `touchbook.widgets.ask` takes; the lesson adds what a question covers::

    ask(questions.star, covers="fooled")
"""

from math import comb

import numpy as np

from gameai_book.ntbea.results.contest import load_contest
from gameai_book.ntbea.results.tables import ship_games
from gameai_lib.ntbea import LandscapeModel, best_by_model, best_sampled
from gameai_lib.ntbea.game.problems import corner_trap, grid

_WORDS = {0.0: "lost", 0.5: "drawn", 1.0: "won"}
_COUNTS = "no", "one", "two", "three", "four", "five"


def star(rng=None):
    """What the set of rules that looks best after a few games is worth in the long run."""
    games = ship_games()
    means, n = games.mean(axis=1), 5 if rng is None else int(rng.choice([3, 5, 8, 10]))
    while True:  # until the luckiest is lucky indeed, as it nearly always is
        order = np.arange(games.shape[1]) if rng is None else rng.permutation(games.shape[1])
        seen = games[:, order[:n]].mean(axis=1)
        best = int(seen.argmax())
        if seen[best] > means[best] + 0.05:
            break
    better = int((means > means[best]).sum())
    verb = "is" if better == 1 else "are"
    rank = f"{better or 'none'} of the other {len(means) - 1} {verb} truly better"
    return {
        "question": "A script has played 400 games of two ships under each of 32 sets of rules. "
        "A win counts 1, a draw ½ and a loss 0, and the mean of all games is "
        f"{means.mean():.2f}. You look at {n} games of each set, and the best mean "
        f"is {seen[best]:.2f}. What is the mean of this set over 400 games?",
        "answer": round(float(means[best]), 2),
        "tolerance": 0.1,
        "because": f"The set is good: {rank}. But it would not look best if it had not been "
        "lucky as well. In the long run the luck is gone, and only what is good stays. The mean "
        f"falls by {seen[best] - means[best]:.2f}.",
        "name": "star",
    }


def no_bonus(rng=None):
    """Where a bandit without a bonus ends."""
    rates = [0.3, 0.5, 0.6]
    if rng is not None:
        rates = sorted((rng.choice(np.arange(1, 9), 3, replace=False) / 10).tolist())
    a, b, c = rates
    share = 100 * c / sum(rates)
    return {
        "question": f"Three arms A, B and C win with the chances {a:g}, {b:g} and {c:g}. A rule "
        "without a bonus always pulls the arm with the best mean so far. Where several arms have "
        "the best mean, it picks one of them at random. An arm without a pull has the mean 0. In "
        "how many of 100 runs does the rule end up pulling arm C for ever?",
        "answer": round(share),
        "tolerance": 10,
        "unit": "of 100 runs",
        "because": "Until the first win all means are 0, and the three arms are pulled equally "
        "often. The arm that wins first is then the only arm with a mean above 0, and the rule "
        "pulls it for ever. The first win belongs to arm C with a chance of "
        f"{c:g} / ({a:g} + {b:g} + {c:g}) = {c / sum(rates):.2f}.",
        "name": "no-bonus",
    }


# After how many games the board `mend` was asked, by its seed: estimate, mean of the fresh games.
_TRIED = {
    0: {10: (0.98, 0.15), 100: (0.79, 0.94), 200: (0.83, 0.95)},
    1: {10: (0.47, 0.42), 100: (0.80, 0.95), 200: (0.82, 0.94)},
    2: {10: (0.87, 0.30), 100: (0.75, 0.95), 200: (0.82, 0.94)},
    3: {10: (0.87, 0.16), 100: (0.67, 0.90), 200: (0.71, 0.82)},
    5: {10: (0.94, 0.57), 100: (0.80, 0.97), 200: (0.83, 0.97)},
}


def few_or_many(rng=None):
    """Whether few games or many have found the better rules."""
    seed, late, more = 0, 200, True
    if rng is not None:
        seed, late = int(rng.choice(list(_TRIED))), int(rng.choice([100, 200]))
        more = bool(rng.integers(2))
    (first, lucky), (last, worth) = (_TRIED[seed][n] for n in (10, late))
    choices = [f"the rules with the estimate of {estimate:.2f}" for estimate in (first, last)]
    return {
        "question": "NTBEA looks for rules under which one of two pilots wins. After 10 games it "
        f"recommends rules with an estimate of {first:.2f}. After {late} games it recommends other "
        f"rules, with an estimate of {last:.2f}. Each of the two is tested in forty fresh games. "
        f"Under which rules does this pilot win {'more' if more else 'fewer'} of them?",
        "choices": (*choices, "about the same under both"),
        "answer": choices[int((worth > lucky) == more)],
        "because": "After 10 games no set of rules had been played twice, so the first estimate "
        f"was mostly luck. The fresh games under these rules have a mean of {lucky:.2f}. Behind "
        "the second estimate stand many games, in which the luck averages out. There the fresh "
        f"games have a mean of {worth:.2f}.",
        "name": "few-or-many",
    }


def unseen(rng=None):
    """The estimate of a point that was never played, from its two values."""
    points, fresh = [(0, 0), (0, 1), (1, 1)], (1, 0)
    games = [((0, 0), 1.0), ((0, 1), 1.0), ((1, 1), 0.0), ((0, 0), 0.0)]
    if rng is not None:
        every = [(i, j) for i in range(2) for j in range(2)]
        fresh = every[rng.integers(4)]
        points = [point for point in every if point != fresh]
        played = [*points, points[rng.integers(3)]]
        games = [(point, float(rng.choice([0.0, 0.5, 1.0]))) for point in played]
    model = LandscapeModel(grid(2, 2), (1, 2))
    for point, result in games:
        model.add(point, result)
    arms = [[result for point, result in games if point[d] == fresh[d]] for d in range(2)]
    means = [sum(arm) / len(arm) for arm in arms]
    names = [f"{'AB'[d]}{fresh[d] + 1}" for d in range(2)]
    shown = ", ".join(f"{_name_of(point)} was {_WORDS[result]}" for point, result in games)
    return {
        "question": "Two dials A and B have the values 1 and 2. NTBEA has played four games: "
        f"{shown}. A won game counts 1, a drawn game ½ and a lost game 0. What is the estimate of "
        f"{_name_of(fresh)}, which was never played?",
        "answer": round(float(model.mean(fresh)), 3),
        "tolerance": 0.02,
        "because": f"The arm {names[0]} has a mean of {means[0]:.2f} and the arm {names[1]} a mean "
        f"of {means[1]:.2f}. The pair of the two has no game, so it has no mean and does not "
        f"count. The estimate is ({means[0]:.2f} + {means[1]:.2f}) / 2.",
        "name": "unseen",
    }


def _name_of(point):
    return f"A{point[0] + 1} B{point[1] + 1}"


def shared(rng=None):
    """How many arms of another point learn from a game."""
    n_dials, n_other = 5, 2
    if rng is not None:
        n_dials, n_other = 4 + int(6 * rng.random()), 1 + int(3 * rng.random())
    tuples, same = LandscapeModel(grid(n_dials, 2)).tuples, n_dials - n_other
    learn = [dims for dims in tuples if min(dims) >= n_other]  # the first dials differ
    dials = "one dial" if n_other == 1 else f"{_COUNTS[n_other]} dials"
    return {
        "question": f"A game has {n_dials} dials, and a model has tuples of one dial, of two "
        f"dials and of all {n_dials}. You play one game at a point. Another point has the same "
        f"values except in {dials}. How many arms of that other point learn from your game?",
        "answer": len(learn),
        "tolerance": 0.4,
        "unit": "arms",
        "because": f"The two points share {same} values, and so {same} arms of single dials. They "
        f"share the pairs of these values, which are {same} · {same - 1} / 2 = {comb(same, 2)} "
        "arms. The arm of all dials is the other point's own record, and it learns nothing.",
        "name": "shared",
    }


def next_point(rng=None):
    """Where NTBEA plays next, and what it would recommend if it had to stop."""
    means, bonuses = np.array([70, 72, 60]), np.array([5, 15, 20])  # in hundredths
    while True:
        if rng is not None:
            means, bonuses = 5 * rng.integers(8, 18, 3), 5 * rng.integers(1, 8, 3)
        fresh, stops = np.argsort(-means)[:2].tolist()  # nobody has played the best mean
        goes = int((means + bonuses).argmax())
        named = sorted({goes, stops, fresh})
        is_clear = np.unique(means).size == 3 == np.unique(means + bonuses).size
        if rng is None or (is_clear and len(named) == 2):
            break
    told = [
        f"{name} has the mean {mean / 100:.2f} and the bonus {bonus / 100:.2f}"
        for name, mean, bonus in zip("ABC", means, bonuses, strict=True)
    ]
    says = "It plays {} and would recommend {}."
    return {
        "question": f"NTBEA looks at three neighbours of its point. {told[0]}, {told[1]}, and "
        f"{told[2]}. Nobody has played {'ABC'[fresh]} yet. The other two were played. Where "
        "does NTBEA play next, and which of the three would it recommend if it had to stop now?",
        "choices": [says.format("ABC"[a], "ABC"[b]) for a in named for b in named],
        "answer": says.format("ABC"[goes], "ABC"[stops]),
        "because": "The next game goes to the largest sum of mean and bonus, which is "
        f"{(means + bonuses).max() / 100:.2f}. The recommendation has no bonus, since nothing is "
        f"left to learn from, and it leaves {'ABC'[fresh]} out, where nobody has seen a game.",
        "name": "next-point",
    }


def equals(rng=None):
    """How good the luckiest of many equal settings looks."""
    n_settings, n_games = 30, 5
    if rng is not None:
        n_settings = int(rng.choice([10, 30, 100, 300]))
        n_games = int(rng.choice([4, 5, 10, 20]))
    chance = np.array([comb(n_games, won) for won in range(n_games + 1)]) / 2**n_games
    at_most = np.cumsum(chance) ** n_settings
    expected = float(1 - at_most[:-1].sum() / n_games)
    return {
        "question": f"You try {n_settings} settings of a game, with {n_games} games each. In truth "
        "all settings are equally good: each of them wins half of its games. Which share of its "
        "games has the setting won that looks best? Give the average.",
        "answer": round(expected, 2),
        "tolerance": 0.07,
        "because": f"One setting alone wins all {n_games} games with a chance of 1 in "
        f"{2**n_games:,}. But you look at the luckiest of {n_settings}. On average it has won "
        f"{expected:.2f} of its games, and every bit above 0.5 is luck.",
        "name": "equals",
    }


_CASES = {
    "Few dials": "Twenty dials have five values each. Sixteen of the dials do nothing. Two of the "
    "others interact.",
    "Triples": "Six dials have four values each. They form two groups of three, and what a value "
    "is worth depends on the other two dials of its group.",
    "Switches": "Ten switches each add their own part to the chance to win. They do not interact.",
}
_SAYS = "it clearly helps", "it clearly costs", "the runs show no clear difference"


def pairs_pay(rng=None):
    """Whether pairs help on one of three families, as measured."""
    family = "Few dials" if rng is None else list(_CASES)[int(len(_CASES) * rng.random())]
    cells = load_contest("parts")
    cell = cells[family, 100, "1 2"]
    gain, error = 100 * cell.mean, 100 * cell.standard_error
    answer = _SAYS[2 if abs(gain) <= 2 * error else int(gain < 0)]
    why = {
        "Few dials": "Twenty dials have 190 pairs, and 100 games are far too few to fill their "
        "arms. In the average over all tuples these arms drown what the single dials have learned.",
        "Triples": "Single dials say little here. Pairs are not the whole group, but they come "
        "nearer to it.",
        "Switches": "Single switches say all there is to know, and ten switches have few enough "
        "pairs not to do harm.",
    }[family]
    goes = "gets {:.0f} hundredths further" if gain > 0 else "stays {:.0f} hundredths behind"
    return {
        "question": f"{_CASES[family]} NTBEA plays 100 games, once with single dials alone and "
        "once with single dials and pairs. What does adding the pairs do?",
        "choices": _SAYS,
        "answer": answer,
        "because": f"{why} On the way from a random point to the best point, NTBEA with pairs "
        f"{goes.format(abs(gain))}. The standard error is {error:.0f}.",
        "name": "pairs-pay",
    }


def trap(rng=None):
    """What a recommendation is worth whose corner was never played."""
    n_dials, n_values, anywhere = 3, 4, True
    if rng is not None:
        n_dials, n_values = int(rng.integers(2, 5)), int(rng.integers(3, 7))
        anywhere = rng.random() < 0.3
    problem = corner_trap(n_dials, n_values)
    model = LandscapeModel(problem.space, (1, 2))
    for point in problem.space.all_points()[:-1]:
        model.add(point, problem.true_value(point))
    found = (best_by_model if anywhere else best_sampled)(model)
    whole = n_dials * (n_values - 1)
    where = "of all points" if anywhere else "of the points that it has played"
    why = (
        "Every large value and every pair of large values has a good mean, and the corner is made "
        "of nothing else. So the model expects the most of the one point that is worth nothing."
        if anywhere
        else "The corner was never played, so it cannot be recommended. The best points beside it "
        "have every dial but one at its largest value."
    )
    return {
        "question": f"Each of {n_dials} dials goes from 0 to {n_values - 1}. A point is worth the "
        f"sum of its values, but the corner, where all dials stand at {n_values - 1}, is worth 0. "
        "A model of single dials and pairs has seen every point except the corner, once each and "
        f"without noise. It recommends the point with the largest estimate {where}. What is this "
        "point truly worth?",
        "answer": float(problem.true_value(found)),
        "tolerance": 0.4,
        "because": f"{why} Without the trap the corner would be worth {whole}.",
        "name": "trap",
    }


def scaled(rng=None):
    """The k that makes the same choices when results are stretched and moved."""
    k, win, loss = 0.3, 50, 10
    if rng is not None:
        loss = int(rng.integers(-5, 6)) * 10
        win = loss + int(rng.choice([2, 5, 10, 20, 50, 100, 200]))
    return {
        "question": "A win counted 1 and a loss 0, and k = 0.3 served you well. Now a win counts "
        f"{win} and a loss {loss}".replace("-", "−")
        + ". Which k makes the same choices among "
        "points whose arms all have games?",
        "answer": round(k * (win - loss), 6),
        "tolerance": 0.05,
        "because": f"The distance of a win from a loss was 1 and is {win - loss} now. All "
        f"differences of means have grown by the factor {win - loss}, and the bonus must grow "
        "with them. Adding the same number to all results moves all means alike, and changes no "
        "choice.",
        "name": "scaled",
    }
