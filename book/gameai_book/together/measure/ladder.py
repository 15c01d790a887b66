"""What search is worth, by what the searcher believes.

- beliefs: one of two players searches on each belief, the other follows the Convention;
- both: both search, and each knows that the other does;
- tables: all search, among three to five players;
- tuned: the same rungs on the tuned list of rules.

500 games a row, and a gain is over the games of the row's rules on the same decks: game i is dealt
by ``numpy.random.default_rng([1, i])``. A row takes three to fifteen minutes.
"""

from functools import partial

from gameai_book.hanabi.measure import run
from gameai_book.hanabi.measure.games import copies, measure_games
from gameai_book.together.results.stored import path_of
from gameai_lib.hanabi.belief.v0 import v0_belief
from gameai_lib.hanabi.game.play import play_game
from gameai_lib.hanabi.players.agents import RuleAgent
from gameai_lib.hanabi.players.searcher import (
    BELIEFS,
    EXACT,
    FORGIVING,
    READING,
    Searcher,
)

N_GAMES = 500


def beliefs():
    """Yield the names of each row and the function that measures it."""
    for n_deals, names in ((100, BELIEFS[:-1]), (400, (EXACT, READING))):
        for name in names:
            yield _row("Convention", "one", 2, belief=name, n_deals=n_deals)


def both():
    """Yield the same of two who search; the last deviate at any gain that is beyond chance."""
    yield _row("Convention", "both", 2, belief=FORGIVING, n_deals=100)
    yield _row("Convention", "both", 2, belief=FORGIVING, n_deals=400)
    yield _row("Convention", "both", 2, belief=READING, n_deals=100)
    yield _row("Convention", "both", 2, belief=FORGIVING, n_deals=100, margin=0.0)


def tables():
    """Yield the same of three, four and five who all search."""
    for n_players in (3, 4, 5):
        yield _row("Convention", "both", n_players, belief=FORGIVING, n_deals=100)


def tuned_lists():
    """Yield the same of players with the tuned list."""
    yield _row("Tuned", "one", 2, belief=READING, n_deals=100)
    yield _row("Tuned", "both", 2, belief=FORGIVING, n_deals=100)


def _row(rules, who, n_players, **options):
    blueprint = RuleAgent(rules)
    searcher = Searcher(blueprint, **options)
    agents = [searcher, *[searcher if who == "both" else blueprint] * (n_players - 1)]
    names = {"agent": rules, "who": who, "n_players": n_players, **options}
    plain = copies(rules, v0_belief, n_players)
    return names, partial(measure_games, partial(play_game, agents), plain, N_GAMES)


PARTS = {"beliefs": beliefs, "both": both, "tables": tables, "tuned": tuned_lists}

if __name__ == "__main__":
    run(PARTS, path_of("ladder"))
