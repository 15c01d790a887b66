"""A league of partners: what every pair of thirteen agents scores on the same decks.

- pairs: each pair, and each agent with a copy of itself; ten minutes on one core, most of them
  for the two who search.

Game i is dealt by ``numpy.random.default_rng([1, i])``, and decks are those of `N_GAMES`: fewer for
an agent that thinks longer, the first of the others'. Scores are stored as letters, A for 0 points
and Z for 25.
"""

from functools import partial
from itertools import combinations_with_replacement

from gameai_book.hanabi.measure import mean_and_error, run
from gameai_book.together.mirror import MIRROR
from gameai_book.together.results.league import LEAGUE, write_scores
from gameai_lib.hanabi.players.agents import RULES, RuleAgent
from gameai_lib.hanabi.players.rules import hint_asking, hint_useful
from gameai_lib.hanabi.players.searcher import FORGIVING, READING, Searcher
from gameai_lib.together.league import play_pair

SEED = 1
CONVENTION = RuleAgent("Convention")
HINTS_FIRST = (hint_asking, *(rule for rule in RULES["Convention"] if rule != hint_asking))
# Where the Listener speaks the convention and hears none, this one hears it and speaks none.
HEARER = [hint_useful if rule is hint_asking else rule for rule in RULES["Convention"]]
PARTNERS = {
    **{name: (RuleAgent(name), 1000) for name in RULES},
    "Hints first": (RuleAgent(HINTS_FIRST), 1000),
    "Hearer": (RuleAgent(HEARER), 1000),
    "Mirror": (MIRROR, 200),
    "Searcher": (Searcher(CONVENTION, READING), 40),
    "Soft searcher": (Searcher(CONVENTION, FORGIVING), 40),
}  # the agents and their decks, in the order of the table


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


PARTS = {"pairs": pairs}

if __name__ == "__main__":
    run(PARTS, LEAGUE)
