"""How close beliefs come to the exact one, and how well they predict the cards, over games.

A belief is scored per slot by its total variation distance to a reference belief and by the
negative log-likelihood of the true card, in nats, as Foerster et al. 2019 compare V0, V1 and BB.
"""

from typing import NamedTuple

import numpy as np

from gameai_lib.base.progress import Bar
from gameai_lib.base.types import Bools, Floats, Ints
from gameai_lib.hanabi.belief.bad import bad_belief, v2_belief
from gameai_lib.hanabi.belief.exact import exact_belief
from gameai_lib.hanabi.belief.likelihood import public_likelihood
from gameai_lib.hanabi.belief.v0 import v0_belief
from gameai_lib.hanabi.belief.v1 import V1Settings, v1_belief
from gameai_lib.hanabi.game.box import NO_CARD

# A true card given probability 0 costs infinitely many nats. It is charged -ln(1e-12), 27.6
# nats, and counted separately, because an average over such cases is mostly this number.
PROBABILITY_FLOOR = 1e-12
TEN_PLAIN_STEPS = V1Settings(damping=1, n_iterations=10, tolerance=0)
COUNTING = {"V0": v0_belief, "V1": v1_belief, "exact": exact_belief}  # by counts and hints alone
# First and last size of the deck, from the early game to the last round.
DECK_BANDS = ((21, 40), (6, 20), (1, 5), (0, 0))


class PublicStates(NamedTuple):
    """The states of one or more games as a batch, with the truth beside them."""

    candidates: Ints  #: (n_states, 26)
    hint_mask: Bools  #: (n_states, n_slots, 26)
    truth: Ints  #: (n_states, n_slots), `NO_CARD` where a slot is absent
    n_deck: Ints  #: (n_states,)
    game: Ints  #: (n_states,), index of the game


class BeliefErrors(NamedTuple):
    """How far a belief is off in each state; absent slots do not count."""

    tv_mean: Floats  #: (n_states,) total variation distance, mean over slots
    tv_worst: Floats  #: (n_states,) the same, in the worst slot
    nll: Floats  #: (n_states,) nats per card, floored; see `PROBABILITY_FLOOR`
    n_zero: Ints  #: (n_states,), slots whose true card has probability 0


def public_states(games):
    """Gather the states of lists of `Frame`, each before its move, as `PublicStates`."""
    states = [(g, frame.state) for g, game in enumerate(games) for frame in game]
    rows = [(*state.public(), _truth(state), state.n_deck, g) for g, state in states]
    return PublicStates(*map(np.array, zip(*rows, strict=True)))


def _truth(state):
    absent = [NO_CARD] * state.hand_size
    return [card for hand in state.hands for card in [*hand, *absent][: state.hand_size]]


def game_likelihoods(games, would_act, rng, **options):
    """`public_likelihood` of each of `public_states`: (n_states, n_slots, 26)."""
    rows = []
    with Bar("likelihoods", len(games), "games") as bar:
        for n_done, game in enumerate(games):
            bar(n_done)
            followed = public_likelihood(game, would_act, rng, **options)
            # The state after the last move is not asked for: it would draw numbers, too.
            rows += [likelihood for _, likelihood in zip(game, followed, strict=False)]
    return np.array(rows)


def counting_beliefs(states):
    """`COUNTING` of `PublicStates`, each (n_states, n_slots, 26), and ten plain steps of V1."""
    public = states.candidates, states.hint_mask
    found = {name: belief(*public) for name, belief in COUNTING.items()}
    return found | {"plain V1": v1_belief(*public, settings=TEN_PLAIN_STEPS)}


def action_beliefs(states, likelihood):
    """The same of beliefs that use a likelihood, too, as from `game_likelihoods`."""
    known = states.candidates, states.hint_mask, likelihood
    return {
        "BB": bad_belief(*known),
        "V2": v2_belief(*known),
        "exact with L": exact_belief(*known),
    }


def belief_errors(belief, reference, truth):
    """`BeliefErrors` of a belief, beside a reference and the truth of `PublicStates`.

    Both beliefs are (n_states, n_slots, 26) float arrays.
    """
    present = truth != NO_CARD
    n_present = present.sum(axis=1)
    tv = np.abs(belief - reference).sum(axis=2) / 2 * present
    chance = np.take_along_axis(belief, truth[..., None], axis=2)[..., 0]
    surprise = -np.log(np.maximum(chance, PROBABILITY_FLOOR)) * present
    return BeliefErrors(
        tv_mean=tv.sum(axis=1) / n_present,
        tv_worst=tv.max(axis=1),
        nll=surprise.sum(axis=1) / n_present,
        n_zero=((chance <= PROBABILITY_FLOOR) & present).sum(axis=1),
    )


def mean_by_deck(values, n_deck):
    """Mean of `values` over the states of each of `DECK_BANDS`; nan for a band without states."""
    bands = [values[(first <= n_deck) & (n_deck <= last)] for first, last in DECK_BANDS]
    return np.array([band.mean() if band.size else np.nan for band in bands])
