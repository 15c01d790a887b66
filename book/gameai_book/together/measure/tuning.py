"""What tuners make of the Convention's list of rules, and what each dial of the best list is worth.

- tables: Convention and Tuned among two to five, and the gain on the same decks (a minute);
- ablations: Tuned with one dial set otherwise, what it loses on the same decks (a minute);
- methods: the lists that tuners return after the same number of games, runs 0 to 9; `scores` has
  what each list makes in fresh games (five minutes);
- dials: importance by the model of one search of NTBEA, 20,000 games.

A list is judged by 20,000 games on decks that nothing was chosen by. Run r of a method draws from
``numpy.random.default_rng([1, r])``. NTBEA and `tune` evaluate 500 times in 20,000 games and 400
times in 2,000: the mean of some games is one evaluation.
"""

from functools import cache, partial

import numpy as np

from gameai_book.hanabi.measure import mean_and_error, run
from gameai_book.ntbea.contest.rivals import best_marginals
from gameai_book.together.results.stored import path_of
from gameai_lib.base.jit import stop_plain
from gameai_lib.hanabi.game.box import ALL_CARDS
from gameai_lib.hanabi.players.self_play import score_decks
from gameai_lib.ntbea.search.effects import importance
from gameai_lib.ntbea.search.mutation import neighbours
from gameai_lib.ntbea.search.tuning import tune
from gameai_lib.together.rule_list import CONVENTION, SPACE, TUNED, agent_of, mean_score

SEED, JUDGES = 1, 2  # of the runs, and of the decks by which lists are judged
N_GAMES, N_RUNS = 20_000, 10
BUDGETS = {2_000: 400, 20_000: 500}  # games, and evaluations in them


@cache
def judge(items, n_players=2, n_games=N_GAMES):
    """(n_games,) scores of a list, given as pairs of a dial and its value."""
    rng = np.random.default_rng([JUDGES, n_players])
    decks = rng.permuted(np.tile(ALL_CARDS, (n_games, 1)), axis=1)
    return score_decks(agent_of(dict(items)), n_players, decks, rng)


def judge_values(values, n_players=2):
    """The same of a mapping from dial to value."""
    return judge(tuple(values.items()), n_players)


def measure_gain(values, other, n_players=2):
    """Mean and error of a list, and of its gain over another on the same decks."""
    scores = judge_values(values, n_players)
    gains = mean_and_error(scores - judge_values(other, n_players), 4)
    names = "mean", "standard_error", "gain", "gain_standard_error"
    row = dict(zip(names, [*mean_and_error(scores, 4), *gains], strict=True))
    return {"n_games": N_GAMES} | row | {"n_lost": int((scores == 0).sum())}


def tables():
    """Yield the names of each row and the function that measures it."""
    for n_players in (2, 3, 4, 5):
        for name, values in (("Convention", CONVENTION), ("Tuned", TUNED)):
            names = {"agent": name, "n_players": n_players}
            yield names, partial(measure_gain, values, CONVENTION, n_players)


def ablations():
    """Yield the same of Tuned with one dial set otherwise."""
    for dial, values in zip(SPACE.names, SPACE.values, strict=True):
        for value in values:
            if value != TUNED[dial]:
                names = {"dial": dial, "value": value}
                yield names, partial(measure_gain, TUNED | {dial: value}, TUNED)


def fitness(point, rng, n_games):
    """Mean score of the list at a point of the space."""
    return mean_score(SPACE.values_of(point), rng, 2, n_games)


def by_tuner(rule, budget, rng):
    """What `tune` recommends by one of its rules."""
    n = BUDGETS[budget]
    return tune(partial(fitness, n_games=budget // n), SPACE, n, rng, rule=rule).point


def at_random(budget, rng):
    """Of random lists, the one with the best mean of 20 games."""
    points = SPACE.random_points(budget // 20, rng)
    return points[np.argmax([fitness(point, rng, 20) for point in points])]


def by_marginals(budget, rng):
    """Random lists of a game each; of each dial the value with the best mean."""
    points = SPACE.random_points(budget, rng)
    return best_marginals(SPACE, points, np.array([fitness(p, rng, 1) for p in points]), rng)


def climb(budget, rng):
    """From the Convention's list: play it and a neighbour alike often, keep what was better."""
    n_games = 25 if budget < 20_000 else 100
    point = SPACE.point_of(CONVENTION)
    for _ in range(budget // (2 * n_games)):
        other = neighbours(SPACE, point, 1, rng, mutation=0.0)[0]
        if fitness(other, rng, n_games) > fitness(point, rng, n_games):
            point = other
    return point


METHODS = {
    "NTBEA": partial(by_tuner, "ntbea"),
    "tune": partial(by_tuner, "thompson"),
    "random": at_random,
    "random, marginals": by_marginals,
    "local search": climb,
}


def measure_method(method, budget, n_runs=N_RUNS):
    """What the lists score that runs of a method return."""
    points = [METHODS[method](budget, np.random.default_rng([SEED, r])) for r in range(n_runs)]
    scores = np.array([judge_values(SPACE.values_of(point)).mean() for point in points])
    mean, error = mean_and_error(scores, 4)
    row = {"n_runs": n_runs, "mean": mean, "standard_error": error}
    return row | {"scores": scores.round(4).tolist(), "points": [p.tolist() for p in points]}


def methods():
    """Yield the same of each method and number of games."""
    for budget in BUDGETS:
        for method in METHODS:
            yield {"agent": method, "budget": budget}, partial(measure_method, method, budget)


def dials():
    """Yield the importance of each dial: what share of the model's variance it moves alone."""

    @cache
    def effects():
        play = partial(fitness, n_games=N_GAMES // BUDGETS[N_GAMES])
        tuned = tune(play, SPACE, BUDGETS[N_GAMES], SEED, rule="ntbea")
        return {effect.names[0]: effect for effect in importance(tuned, pairs=False)}

    def measure(dial):
        effect = effects()[dial]
        points = effect.variance**0.5, effect.share
        return dict(zip(("deviation", "share"), (round(x, 4) for x in points), strict=True))

    for dial in SPACE.names:
        yield {"dial": dial}, partial(measure, dial)


PARTS = {"tables": tables, "ablations": ablations, "methods": methods, "dials": dials}

if __name__ == "__main__":
    stop_plain()
    run(PARTS, path_of("tuning"))
