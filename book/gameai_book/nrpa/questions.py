"""The questions of the NRPA lesson, each a function of a generator.

Without a generator a question has the lesson's own numbers, with one it has others. What it
returns are the arguments of `touchbook.widgets.ask`; every number in an answer is computed.
"""

import numpy as np

from gameai_book.nrpa import searches

PLAYERS = {
    "random games": "random play",
    "level 1": "NRPA of level 1",
    "level 2": "NRPA of level 2",
}


def _one_of(rng, cases):
    """A case: the first one without a generator."""
    return cases[0 if rng is None else int(rng.random() * len(cases))]


def race(rng=None):
    """In how many of a hundred races a player of the lesson's board beats another, or 1,200."""
    scores = searches.hundred_searches()
    names = list(scores)
    pairs = [(2, 0), (1, None), (0, 1), (2, None), (1, 0), (0, None), (2, 1)]
    one, other = _one_of(rng, pairs)
    rival = 1200 if other is None else scores[names[other]]
    wins = int((scores[names[one]] > rival).sum())
    against = "1,200 points" if other is None else PLAYERS[names[other]]
    means = "; ".join(f"{PLAYERS[name]}: {found.mean():,.0f}" for name, found in scores.items())
    return {
        "question": "On the board of 81 blocks each player plays 900 games, and the best one "
        f"counts. In how many of a hundred such races does {PLAYERS[names[one]]} beat {against}?",
        "answer": wins,
        "tolerance": 8,
        "because": f"It does so in {wins} of the hundred. These are the mean points of the best "
        f"games: {means}. Your hundred races draw other random numbers, so your results "
        "differ, most of all those of level 1.",
        "name": "race",
    }


def luck(rng=None):
    """How likely a whole sequence of moves is played."""
    n = 40 if rng is None else int(rng.integers(15, 60))
    p = 0.95 if rng is None else float(rng.choice([0.9, 0.93, 0.95, 0.97, 0.98]))
    line = p**n
    return {
        "question": f"{n} moves in a row have to be right. A policy finds each of them with the "
        f"probability {p:g}. How likely is it to play the whole sequence, in per cent?",
        "answer": 100 * line,
        "tolerance": max(1.0, 25 * line),
        "unit": "%",
        "because": f"The probabilities multiply: {p:g} to the power of {n} is {line:.1%}. A player "
        f"who finds each move half the time needs {2.0**n:,.0f} games on average to do the same.",
        "name": "luck",
    }


def step(rng=None):
    """By how much Adapt raises the weight of the move that was played."""
    p = 0.9 if rng is None else float(rng.integers(1, 20)) / 20
    alpha = 1.0 if rng is None else float(rng.choice([0.5, 1.0, 2.0]))
    gain = alpha * (1 - p)
    return {
        "question": f"In a position of the best game, the move that was played has the "
        f"probability {p:g}. The step α is {alpha:g}. By how much does Adapt raise its weight?",
        "answer": gain,
        "tolerance": 0.02,
        "because": f"The move gains {alpha:g}, and then loses {alpha:g} times its probability. "
        f"What remains is {alpha:g} · (1 − {p:g}) = {gain:.2f}. The less likely the move was, the "
        "more its weight grows.",
        "name": "step",
    }


def copies(rng=None):
    """How many steps of Adapt are in the policy that a search of level 1 begins with."""
    n = 30 if rng is None else int(rng.choice([10, 20, 30, 40]))
    ended = 7 if rng is None else int(rng.integers(2, n))
    return {
        "question": f"In a search of level 2 with N = {n}, {ended} searches of level 1 have ended, "
        f"each with {n} games. How many steps of Adapt made the policy with which the next one "
        "begins?",
        "answer": ended,
        "tolerance": 0.5,
        "because": f"It is a copy of level 2's policy. Level 2 made one step after each search, "
        f"which is {ended} in all. Each search of level 1 made its {n} steps in its own copy, and "
        "this copy is gone.",
        "name": "copies",
    }


def noise(rng=None):
    """What games are worth that a search with noisy scores returns."""
    level = 4 if rng is None else int(rng.integers(1, 9))
    said, truth = (np.mean(scores) for scores in searches.noisy_searches(level))
    clean = np.mean(searches.noisy_searches(0)[1])
    return {
        "question": "A game has thirty moves, left or right, and the score is the number of lefts. "
        f"But each score is seen with a random error of standard deviation {level}. Searches of "
        f"1,600 games report {said:.1f} lefts on average. How many lefts do the games that they "
        "return have?",
        "answer": truth,
        "tolerance": 2.5,
        "because": f"They have {truth:.1f} lefts on average, although searches without noise find "
        f"{clean:.0f}. The search keeps the game with the luckiest error, and learns from it.",
        "name": "noise",
    }


def codes(rng=None):
    """Which code of a move helps, and which one does harm."""
    rules = {
        "zigzag": "a move brings a point if it differs from the move before",
        "plies": "left brings a point in some moves of the game and right in the others, always "
        "the same",
    }
    rule, harm = _one_of(
        rng, [("zigzag", True), ("zigzag", False), ("plies", False), ("plies", True)]
    )
    means = searches.sixteen_moves(rule)
    kinds = list(searches.CODES.values())
    below = [words for words in kinds if means[words] < means["random games"]]
    answer = min(below, key=means.get) if harm else max(kinds, key=means.get)
    asked = "worse than random games, and worst of all" if harm else "best"
    return {
        "question": f"A game has sixteen moves, left or right, and {rules[rule]}. NRPA has 400 "
        f"games. With which code of a move does NRPA do {asked}?",
        "choices": kinds,
        "answer": answer,
        "because": "These are the mean best scores: "
        + "; ".join(f"{words} {mean:.1f}" for words, mean in means.items())
        + ". A code helps if it says what decides whether the move is good. It harms if it joins "
        "moves of which one is good and the other is bad.",
        "name": "codes",
    }


def bias(rng=None):
    """How strong a bias for a rule of thumb should be."""
    n = _one_of(rng, [1, 0, 15])
    means = searches.with_biases(n)
    wrong = {0: "It is never wrong.", 1: "At one of the moves right brings 5 points instead."}
    return {
        "question": "A game has forty moves, left or right. Your rule of thumb is that left brings "
        f"a point. {wrong.get(n, f'At {n} of the moves right brings 5 points instead.')} You can "
        "afford 100 games. Which bias do you give to left?",
        "choices": list(means),
        "answer": max(means, key=means.get),
        "because": "These are the mean points of forty searches: "
        + "; ".join(f"{words} {mean:.1f}" for words, mean in means.items())
        + ". What is learned can overrule a mild bias, but not a ban. The more often the rule is "
        "wrong, the less it helps.",
        "name": "bias",
    }


def again(rng=None):
    """How likely one of several short searches succeeds."""
    p = 0.04 if rng is None else float(rng.choice([0.01, 0.02, 0.04, 0.05, 0.1]))
    n = 80 if rng is None else int(rng.choice([10, 20, 30, 50, 100]))
    chance = 1 - (1 - p) ** n
    return {
        "question": f"A short search refutes a conjecture in {100 * p:g} % of its runs. You run "
        f"{n} such searches, each with other random numbers. How likely is it that at least one "
        "of them refutes it, in per cent?",
        "answer": 100 * chance,
        "tolerance": 4,
        "unit": "%",
        "because": f"All of them fail with the probability {1 - p:g} to the power of {n}, which is "
        f"{100 - 100 * chance:.1f} %. So the probability that at least one succeeds is "
        f"{100 * chance:.0f} %.",
        "name": "again",
    }


def budget(rng=None):
    """Which N a search of some level can afford."""
    level = 2 if rng is None else int(rng.integers(2, 4))
    n = 50 if rng is None else int(rng.choice([10, 20, 30, 40]))
    return {
        "question": f"You can afford {n**level:,} games, and want a search of level {level}. Which "
        "N do you choose?",
        "answer": n,
        "tolerance": 0.5,
        "because": f"Each level runs the level below it N times. So level {level} plays N to the "
        f"power of {level} games, and {n} to the power of {level} is {n**level:,}.",
        "name": "budget",
    }
