"""Mean scores of whole games: what a belief, a larger table and a memory are worth.

- agents: each list of rules with V0, V1 and exact beliefs, two players (5,000 games a row);
- listeners: a `listening_game` with each belief, and so what L is worth to a player who knows
  no convention (2,000 games a row, 20 minutes);
- tables: the agents with V0 and exact beliefs among three, four and five copies of themselves
  (2,000 games a row, 10 minutes);
- memory: agents with V0 who remember a hint for so many moves (2,000 games a row, 10 minutes);
- variants: IGGI with what other programs of this name do otherwise (1,000 games a row).

Game i is dealt by ``numpy.random.default_rng([1, i])``; a gain is over the same deals.
"""

from functools import cache, partial
from itertools import product

import numpy as np

from gameai_book.hanabi.accuracy import COUNTING
from gameai_book.hanabi.measure import final_states, mean_and_error, run
from gameai_book.hanabi.measure.listener import listening_game
from gameai_book.hanabi.measure.memory import forgetful_game
from gameai_book.hanabi.results.scores import PLAYER_SCORES
from gameai_lib.hanabi.belief.bad import bad_belief, v2_belief
from gameai_lib.hanabi.belief.exact import exact_belief
from gameai_lib.hanabi.belief.v0 import v0_belief
from gameai_lib.hanabi.belief.v1 import V1Settings
from gameai_lib.hanabi.game.play import play_game
from gameai_lib.hanabi.players import rules
from gameai_lib.hanabi.players.agents import RULES, RuleAgent

SEED = 1
N_FIRST_SCORES = 20
LONG = V1Settings(damping=0.2, n_iterations=1000, tolerance=0)
LISTENING = {
    "BB, first row": v0_belief,  # with L: C HM L, no iteration
    "BB": bad_belief,
    "BB, 1000 steps": partial(bad_belief, settings=LONG),
    "V2, α 0.01": v2_belief,
    "V2, α 0.1": partial(v2_belief, alpha=0.1),
    "exact with L": exact_belief,
}
AGENTS = tuple(name for name in RULES if name not in ("random", "Tuned", "Listener"))
FORGETFUL = ("IGGI", "Van den Bergh", "Outer", "Convention")
IGGI = RULES["IGGI"]
VARIANTS = {  # rules that give way to others, and the belief
    "IGGI": ({}, "V0"),
    "IGGI, any move at last": ({rules.hint_randomly: rules.random_move}, "V0"),
    "IGGI, counts no cards": ({}, "hints alone"),
    "IGGI, any move, no count": ({rules.hint_randomly: rules.random_move}, "hints alone"),
}
SPANS = (None, 20, 10, 5, 1)  # moves; None is for ever


def measure_games(play, plain, n_games):
    """What is stored of a row; its gain is that on the games of `plain`."""
    scores, n_lost = _scores(play, n_games)
    gains = scores - _scores(plain, n_games)[0]
    names = "mean", "standard_error", "gain", "gain_standard_error"
    numbers = mean_and_error(scores, 4) + mean_and_error(gains, 4)
    row = {"n_games": n_games} | dict(zip(names, numbers, strict=True))
    return row | {"n_lost": n_lost, "first_scores": scores[:N_FIRST_SCORES].tolist()}


@cache
def _scores(play, n_games):
    last_states = final_states(play, n_games, SEED)
    scores = np.array([state.score for state in last_states])
    return scores, sum(state.n_lives == 0 for state in last_states)


def agents(n_games=5000):
    """Yield the names of each row and the function that measures it."""
    random = partial(play_game, [RuleAgent("random")] * 2)
    yield {"agent": "random", "belief": "none"}, partial(measure_games, random, random, n_games)
    for agent in AGENTS:
        plays = {name: copies(agent, belief, 2) for name, belief in COUNTING.items()}
        yield from _rows(plays, n_games, agent=agent)


def listeners(n_games=2000):
    """Yield the same of a listener and its partner."""
    plays = {name: counting_game(belief) for name, belief in COUNTING.items()}
    plays |= {name: partial(listening_game, belief) for name, belief in LISTENING.items()}
    yield from _rows(plays, n_games, agent="Listener")


def tables(n_games=2000):
    """Yield the same of agents among three to five copies of themselves."""
    for n_players, agent in product((3, 4, 5), AGENTS):
        plays = {name: copies(agent, COUNTING[name], n_players) for name in ("V0", "exact")}
        yield from _rows(plays, n_games, agent=agent, n_players=n_players)


def memory(n_games=2000):
    """Yield the same of agents who forget, those who forget nothing first."""
    plays = {agent: copies(agent, v0_belief, 2) for agent in FORGETFUL}
    for agent, span in product(FORGETFUL, SPANS):
        forgetful = partial(forgetful_game, RuleAgent(agent), 2, span)
        play = plays[agent] if span is None else forgetful
        names = {"agent": agent, "belief": "V0", "span": span}
        yield names, partial(measure_games, play, plays[agent], n_games)


def hints_alone(candidates, hint_mask):
    """Every card that the hints allow is equally likely, wherever its copies lie."""
    return hint_mask / hint_mask.sum(axis=-1, keepdims=True)


def variants(n_games=1000):
    """Yield the same of IGGI with another rule, another belief, or both."""
    beliefs = {"V0": v0_belief, "hints alone": hints_alone}
    plays = {
        name: copies(tuple(other.get(rule, rule) for rule in IGGI), beliefs[belief], 2)
        for name, (other, belief) in VARIANTS.items()
    }
    for name, play in plays.items():
        row = {"agent": name, "belief": VARIANTS[name][1]}
        yield row, partial(measure_games, play, plays["IGGI"], n_games)


def _rows(plays, n_games, *, agent, **names):
    for belief, play in plays.items():
        row = {"agent": agent, "belief": belief, **names}
        yield row, partial(measure_games, play, plays["V0"], n_games)


def copies(agent, belief, n_players):
    """A game of copies of an agent, as a function of its generator."""
    return partial(play_game, [RuleAgent(agent, belief)] * n_players)


def counting_game(belief):
    """The Listener's game with a belief that counts only, as a function of its generator."""

    def deaf(candidates, hint_mask, _likelihood):
        return belief(candidates, hint_mask)

    return partial(listening_game, deaf, listens=False)


PARTS = {"agents": agents, "listeners": listeners, "tables": tables, "memory": memory}
PARTS["variants"] = variants

if __name__ == "__main__":
    run(PARTS, PLAYER_SCORES)
