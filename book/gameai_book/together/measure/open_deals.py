"""What Hanabi deals allow with open cards, and what searches and agents make of the same deals.

- deals: the best line of each deal that NRPA finds with up to 200,000 playouts;
- searches: the same with up to 2,500 playouts, beside NMCS and random moves with as many, and the
  score of Convention agents, who do not see their own cards;
- settings: NRPA with up to 2,500 playouts at each level, with each code; deals of two.

500 deals of two, three, four and five players; the parts take one, three and four minutes.
Deal i is that of ``numpy.random.default_rng([1, i])``, as in `gameai_book.hanabi.measure.games`,
and the search goes on with this generator.
"""

from functools import partial

import numpy as np

from gameai_book.hanabi.measure import mean_and_error, run
from gameai_book.together.measure.deal_codes import LEGAL, coded_deal
from gameai_book.together.results.stored import path_of
from gameai_lib.hanabi.game.box import HAND_SIZE, N_CARDS
from gameai_lib.hanabi.game.rules import State
from gameai_lib.hanabi.players.agents import RuleAgent
from gameai_lib.hanabi.players.self_play import self_play
from gameai_lib.nrpa.search.flat import FlatMonteCarlo
from gameai_lib.nrpa.search.nmcs import NMCS
from gameai_lib.nrpa.search.nrpa import NRPA
from gameai_lib.together.best_line import best_line, most_points
from gameai_lib.together.open_deal import open_deal

SEED = 1
N_DEALS = 500
MANY, FEW = 200_000, 2_500


def deals(n_deals=N_DEALS):
    """Yield the names of each row and the function that measures it."""
    for n_players in HAND_SIZE:
        yield {"n_players": n_players}, partial(measure_deals, n_players, range(n_deals))


def measure_deals(n_players, numbers):
    """Points, bound and playouts of the best line of deals with these numbers."""
    lines = []
    for i in numbers:
        rng = np.random.default_rng([SEED, i])
        lines.append(best_line(State.new(n_players, rng), rng, n_playouts=MANY))
    return {name: [getattr(line, name) for line in lines] for name in FIELDS}


FIELDS = ("points", "most", "n_playouts")


def searches(n_deals=N_DEALS):
    """Yield the same of each search and of Convention agents."""
    for n_players in HAND_SIZE:
        for name, play in PLAYERS.items():
            measure = partial(measure_scores, play, n_players, range(n_deals))
            yield {"agent": name, "n_players": n_players}, measure


def measure_scores(play, n_players, numbers):
    """Mean and standard error of the scores, how many are perfect, and the scores."""
    scores = np.array(play(n_players, [np.random.default_rng([SEED, i]) for i in numbers]))
    mean, error = mean_and_error(scores, 4)
    row = {"mean": mean, "standard_error": error, "n_perfect": int((scores == N_CARDS).sum())}
    return row | {"scores": scores.tolist()}


def _nrpa(n_players, rngs):
    return [best_line(State.new(n_players, rng), rng, n_playouts=FEW).points for rng in rngs]


def _search(make, n_players, rngs):
    states = [State.new(n_players, rng) for rng in rngs]
    pairs = zip(states, rngs, strict=True)
    return [_best_of(make, open_deal(state), most_points(state), rng) for state, rng in pairs]


def _best_of(make, problem, most, rng):
    """Points of the best line of searches that follow each other, as those of NRPA do."""
    used, best = 0, 0
    while used < FEW and best < most:
        search = make(problem, rng)
        best = max(best, int(search.run(FEW - used, target=most).score))
        used += search.n_playouts
    return best


def _convention(n_players, rngs):
    return self_play(RuleAgent("Convention"), n_players, rngs).scores


PLAYERS = {
    "NRPA": _nrpa,
    "NMCS": partial(_search, partial(NMCS, level=2)),
    "random moves": partial(_search, FlatMonteCarlo),
    "Convention": _convention,
}


def settings(n_deals=N_DEALS):
    """Yield the same of NRPA at each level and with each code; the searches of a row end alike."""
    for code in LEGAL:
        for level in (1, 2, 3):
            yield {"code": code, "level": level}, partial(measure_settings, code, level, n_deals)


def measure_settings(code, level, n_deals):
    """As `measure_scores`, of deals of two."""
    make = partial(NRPA, level=level, n_iterations=round(FEW ** (1 / level)))

    def play(n_players, rngs):
        states = [State.new(n_players, rng) for rng in rngs]
        return [
            _best_of(make, coded_deal(state, code), most_points(state), rng)
            for state, rng in zip(states, rngs, strict=True)
        ]

    return measure_scores(play, 2, range(n_deals))


PARTS = {"deals": deals, "searches": searches, "settings": settings}

if __name__ == "__main__":
    run(PARTS, path_of("open_deals"))
