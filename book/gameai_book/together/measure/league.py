"""A league of partners: what every pair of thirteen agents scores on the same decks.

- pairs: each pair, and each agent with a copy of itself; ten minutes on one core, most of them
  for the two who search;
- strengths: of each agent, by the stored scores of all pairs (half a minute).

Game i is dealt by ``numpy.random.default_rng([1, i])``, and decks are those of `N_GAMES`: fewer for
an agent that thinks longer, the first of the others'. Scores are stored as letters, A for 0 points
and Z for 25.
"""

from functools import cache, partial
from itertools import combinations_with_replacement

from gameai_book.hanabi.measure import mean_and_error, run
from gameai_book.together.agents import AGENTS
from gameai_book.together.results.league import stored_league, write_scores
from gameai_book.together.results.stored import path_of
from gameai_lib.together.league import play_pair

SEED = 1
N_GAMES = {"Mirror": 200, "Searcher": 40, "Soft searcher": 40}  # of the others, 1,000
# The agents and their decks, in the order of the table.
PARTNERS = {name: (agent, N_GAMES.get(name, 1000)) for name, agent in AGENTS.items()}


def pairs():
    """Yield the names of each row and the function that measures it."""
    for names in combinations_with_replacement(PARTNERS, 2):
        row = dict(zip(("agent", "partner"), names, strict=True))
        yield row, partial(measure_pair, *names)


def measure_pair(first, second, most=None):
    """Mean, standard error and letters of the scores of a pair; of `most` decks, if given."""
    (one, n), (other, m) = PARTNERS[first], PARTNERS[second]
    scores = play_pair(one, other, most or min(n, m), SEED)
    mean, error = mean_and_error(scores, 4)
    return {"mean": mean, "standard_error": error, "scores": write_scores(scores)}


def strengths():
    """Yield the names of each row and the function that measures it."""
    rate = cache(stored_league().rate)

    def measure(k):
        found = rate()
        values = {"strength": found.strength, "error": found.error}
        return {name: round(float(of[k]), 4) for name, of in values.items()}

    for k, name in enumerate(PARTNERS):
        yield {"agent": name}, partial(measure, k)


PARTS = {"pairs": pairs, "strengths": strengths}

if __name__ == "__main__":
    run(PARTS, path_of("league"))
