"""What players believe of their own cards, beside what they hold: is each one playable?

- following: at every turn of games of two who follow the Convention (five minutes);
- searching: the same of two who search, and each knows that the other does (ten minutes);
- past: how many of the partner's moves the true hand cannot explain (one minute).

All beliefs of a part look at the same turns of the same games: game i is dealt by
``numpy.random.default_rng([1, i])``, and the hands of a belief are drawn by a generator of their
own, so that watching changes no game. A belief is 1,000 hands: with fewer, chance would sort cards
into the wrong bins.
"""

from functools import cache, partial

import numpy as np

from gameai_book.hanabi.measure import run
from gameai_book.together.results.calibration import N_BINS
from gameai_book.together.results.stored import path_of
from gameai_lib.hanabi.belief.v0 import v0_belief
from gameai_lib.hanabi.game.box import N_CARDS
from gameai_lib.hanabi.game.play import play_game
from gameai_lib.hanabi.game.table import MOST
from gameai_lib.hanabi.players.agents import RuleAgent
from gameai_lib.hanabi.players.playout import seat_rows
from gameai_lib.hanabi.players.reading import count_deviations, remember
from gameai_lib.hanabi.players.searcher import EXACT, FORGIVING, PROMISED, READING, Searcher

SEED, HANDS_SEED = 1, 2
N_GAMES, N_HANDS = {"following": 500, "searching": 100}, 1000
AGENTS = {"following": RuleAgent("Convention"), "searching": Searcher(belief=FORGIVING)}
BELIEFS = {"following": (EXACT, PROMISED, READING), "searching": (EXACT, READING, FORGIVING)}


@cache
def states(who, number):
    """Each turn of a game of two such agents."""
    return [f.state for f in play_game([AGENTS[who]] * 2, np.random.default_rng([SEED, number]))]


def believe(belief, state, rng):
    """(n_slots, 25) floats: how often each card is in each of 1,000 hands that are drawn."""
    searcher = Searcher(belief=belief, n_deals=N_HANDS)
    return next(searcher.think(state.hide_hand(state.player), rng)).belief


def look(belief, who, number):
    """Of each own card in a game: chance that it is playable, whether it is, and its surprise.

    The surprise is −ln of the chance that the belief gives to the very card, where what the hints
    allow counts as one hand more: no card is impossible for not having been drawn.
    """
    rng, rows = np.random.default_rng([HANDS_SEED, number]), []
    for state in states(who, number):
        hand = np.array(state.hands[state.player])
        chances = believe(belief, state, rng)
        allowed = v0_belief(*state.view(state.player))[: hand.size, :N_CARDS]
        drawn = (N_HANDS * chances + allowed) / (N_HANDS + 1)
        surprise = -np.log(drawn[np.arange(hand.size), hand])
        playable = state.playable()[:N_CARDS]
        rows.append(np.stack([chances @ playable, playable[hand], surprise], axis=1))
    return np.concatenate(rows)


def measure(belief, who, n_games):
    """What is stored of a belief."""
    games = [look(belief, who, number) for number in range(n_games)]
    predicted, seen, surprise = np.concatenate(games).T
    of_game = np.repeat(np.arange(n_games), [len(game) for game in games])
    bins = np.minimum(predicted * N_BINS, N_BINS - 1).astype(np.int64)
    rows = [_share(predicted, seen, of_game, bins == k) for k in range(N_BINS)]
    nats, _, error, n_cards = _share(surprise, surprise, of_game, bins >= 0)
    row = {"n_games": n_games, "n_cards": n_cards, "nats": nats, "nats_standard_error": error}
    names = "predicted", "seen", "standard_errors", "n"
    return row | dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


def _share(predicted, seen, of_game, which):
    """Means of both over the cards in question, the error of the second, and how many they are.

    Cards of a game belong together, and games are independent.
    """
    n = int(which.sum())
    if not n:
        return None, None, None, 0
    mean, share = predicted[which].mean(), seen[which].mean()
    of_each = np.bincount(of_game[which], seen[which] - share)
    return *(round(float(x), 4) for x in (mean, share, np.sqrt((of_each**2).sum()) / n)), n


def part(who):
    """Yield the names of each row and the function that measures it."""
    for belief in BELIEFS[who]:
        yield {"belief": belief}, partial(measure, belief, who, N_GAMES[who])


def past():
    """Yield how many moves of the partner the rules would not have made, given the true hand."""
    for who in AGENTS:
        yield {"who": who}, partial(count, who, N_GAMES[who])


def surprises_of_truth(blueprint, state, rng):
    """How many moves of the others are odd, given the very hand of the player to move."""
    me, rows = state.player, seat_rows(*[blueprint.row] * state.n_players)
    memory, hand = remember(state.hide_hand(me)), np.array(state.hands[me], np.int64)
    most = len(memory.moves)
    return int(count_deviations(rows, memory, me, hand, most, np.empty((2, MOST)), rng))


def count(who, n_games):
    """What is stored of it: the turns with 0, 1, ... such moves."""
    turns = [state for number in range(n_games) for state in states(who, number)]
    rng = np.random.default_rng(HANDS_SEED)  # these rules draw nothing
    n_odd = [surprises_of_truth(AGENTS["following"], state, rng) for state in turns]
    return {"n_games": n_games, "counts": np.bincount(n_odd).tolist()}


PARTS = {who: partial(part, who) for who in AGENTS} | {"past": past}

if __name__ == "__main__":
    run(PARTS, path_of("calibration"))
