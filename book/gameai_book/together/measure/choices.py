"""How many deals a decision needs, and what a margin and a test are worth.

- choices: what single decisions gain (four minutes);
- bold: whole games of searchers who make the move of the largest mean, one of two and both, on the
  decks of ``measure.ladder``, which has those who are careful (ten minutes).

The choices are those of one who searches with L beside a partner who does not: at every third of
its turns, each move is played on 3,200 deals. A rule decides by the first n of them, then by the
next n, up to 1,600 deals; what its moves gain over the Convention's, the other 1,600 deals say, by
which nothing was chosen. Game i is dealt by ``numpy.random.default_rng([1, i])``; turn t draws from
``[2, i, t]``.
"""

from functools import cache, partial

import numpy as np

from gameai_book.hanabi.measure import run
from gameai_book.hanabi.measure.games import copies, measure_games
from gameai_book.together.deals import play_all
from gameai_book.together.results.stored import path_of
from gameai_lib.hanabi.belief.v0 import v0_belief
from gameai_lib.hanabi.game.play import play_game
from gameai_lib.hanabi.players.agents import RuleAgent
from gameai_lib.hanabi.players.searcher import FORGIVING, N_ERRORS, READING, Searcher

SEED, DEALS_SEED = 1, 2
N_GAMES, EVERY = 100, 6  # turns
N_BOLD_GAMES = 500
N_CHOOSING = N_JUDGING = 1600
N_DEALS = (10, 20, 50, 100, 200, 400, 800)
MARGIN = 0.1
AGENT = RuleAgent("Convention")
# Of mean gains and their errors: which moves may take the place of the Convention's.
RULES = {
    "largest mean": lambda gains, errors: gains > 0,
    "margin": lambda gains, errors: gains > MARGIN,
    "test": lambda gains, errors: gains > N_ERRORS * errors,
    "margin and test": lambda gains, errors: (gains > MARGIN) & (gains > N_ERRORS * errors),
}


@cache
def gains_of_game(number):
    """Of each turn that is looked at, the gains (n_deals, n_moves)."""
    searcher = Searcher(AGENT, READING, N_CHOOSING + N_JUDGING)
    game = play_game([Searcher(AGENT, READING), AGENT], np.random.default_rng([SEED, number]))
    return [
        play_all(searcher, frame.state, np.random.default_rng([DEALS_SEED, number, t])).gains
        for t, frame in enumerate(game)
        if t % EVERY == 0
    ]


def judge(rule, n_deals, gains):
    """Mean gain of the moves that a rule chooses, and how often it is not the Convention's."""
    truth = gains[N_CHOOSING:].mean(axis=0)
    looks = gains[:N_CHOOSING].reshape(-1, n_deals, gains.shape[1])
    means, errors = looks.mean(axis=1), looks.std(axis=1, ddof=1) / n_deals**0.5
    chosen = np.where(RULES[rule](means, errors), means, 0).argmax(axis=1)
    return truth[chosen].mean(), (chosen > 0).mean()


def measure(rule, n_deals, n_games=N_GAMES):
    """What is stored of a rule: points a move, with an error over games, and a share of moves."""
    of_game = [[judge(rule, n_deals, g) for g in gains_of_game(i)] for i in range(n_games)]
    turns = np.array([len(game) for game in of_game])
    gain, share = np.array([np.sum(game, axis=0) for game in of_game]).T
    mean = gain.sum() / turns.sum()
    error = np.sqrt(((gain - mean * turns) ** 2).sum()) / turns.sum()
    numbers = mean, error, share.sum() / turns.sum()
    names = "gain", "standard_error", "share"
    row = dict(zip(names, (round(float(x), 5) for x in numbers), strict=True))
    return {"n_turns": int(turns.sum())} | row


def choices():
    """Yield the names of each row and the function that measures it."""
    for rule in RULES:
        for n_deals in N_DEALS:
            yield {"rule": rule, "n_deals": n_deals}, partial(measure, rule, n_deals)


def make_bold(searcher):
    """The agent that makes the move of the largest mean on all deals, however small its gain."""

    def act(state, rng):
        *_, thought = searcher.think(state, rng)
        is_open = thought.n_deals == thought.n_deals[0]
        return thought.moves[int(np.where(is_open, thought.gains, 0).argmax())]

    return act


def bold():
    """Yield the same of whole games."""
    for who, belief in (("one", READING), ("both", FORGIVING)):
        agent = make_bold(Searcher(AGENT, belief, N_DEALS[3]))
        agents = [agent, AGENT if who == "one" else agent]
        play, plain = partial(play_game, agents), copies("Convention", v0_belief, 2)
        names = {"who": who, "belief": belief, "n_deals": N_DEALS[3]}
        yield names, partial(measure_games, play, plain, N_BOLD_GAMES)


PARTS = {"choices": choices, "bold": bold}

if __name__ == "__main__":
    run(PARTS, path_of("choices"))
