"""How close beliefs come to the exact one, and how well they predict the cards, over games.

A belief is scored per slot by its total variation distance to a reference belief and by the
negative log-likelihood of the true card, in nats, as Foerster et al. 2019 compare V0, V1 and BB.
"""

from typing import NamedTuple

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.progress import Bar
from gameai_lib.base.types import Bools, Floats, Ints
from gameai_lib.hanabi.belief.bad import bad_belief, v2_belief
from gameai_lib.hanabi.belief.exact import exact_belief
from gameai_lib.hanabi.belief.likelihood import public_likelihood
from gameai_lib.hanabi.belief.v0 import v0_belief
from gameai_lib.hanabi.belief.v1 import V1Settings, v1_belief, v1_result
from gameai_lib.hanabi.game.cards import NO_CARD
from gameai_lib.hanabi.game.play import Frame

# A true card given probability 0 costs infinitely many nats. It is charged -ln(1e-12), 27.6
# nats, and counted separately, because an average over such cases is mostly this number.
PROBABILITY_FLOOR = 1e-12

TEN_PLAIN_STEPS = V1Settings(damping=1, n_iterations=10, tolerance=0)

# First and last size of the deck, from the early game to the last round.
DECK_BANDS = ((21, 40), (6, 20), (1, 5), (0, 0))


class PublicStates(NamedTuple):
    """The states of one or more games as a batch, with the truth beside them."""

    candidates: Ints  #: (n_states, 26)
    hint_mask: Bools  #: (n_states, n_slots, 26)
    truth: Ints  #: (n_states, n_slots), `NO_CARD` where a slot is absent
    n_deck: Ints  #: (n_states,)
    game: Ints  #: (n_states,), index of the game
    turn: Ints  #: (n_states,), 0 before the first move


class BeliefErrors(NamedTuple):
    """How far a belief is off in each state; absent slots do not count."""

    tv_mean: Floats  #: (n_states,) total variation distance, mean over slots
    tv_worst: Floats  #: (n_states,) the same, in the worst slot
    nll: Floats  #: (n_states,) nats per card, floored; see `PROBABILITY_FLOOR`
    n_zero: Ints  #: (n_states,), slots whose true card has probability 0


def public_states(games):
    """Gather the states of lists of `Frame`, each before its move, as `PublicStates`.

    Without any frame, or with different numbers of players, it is a ValueError.
    """
    states = [
        (g, turn, checks.kind("each turn of a game", frame, Frame).state)
        for g, game in enumerate(checks.kind("games", games, list, tuple))
        for turn, frame in enumerate(checks.kind("each game", game, list, tuple))
    ]
    n_players = {state.n_players for *_, state in states}
    if len(n_players) != 1:
        raise ValueError(f"need games of one number of players, got {sorted(n_players) or 'none'}")
    rows = [(*state.public(), _truth(state), state.n_deck, *place) for *place, state in states]
    return PublicStates(*map(np.array, zip(*rows, strict=True)))


def _truth(state):
    absent = [NO_CARD] * state.hand_size
    return [card for hand in state.hands for card in [*hand, *absent][: state.hand_size]]


def game_likelihoods(games, would_act, rng, *, max_hands=2000, n_samples=1000):
    """`public_likelihood` of each of `public_states`: (n_states, n_slots, 26)."""
    options = {"max_hands": max_hands, "n_samples": n_samples}
    rows = []
    with Bar("likelihoods", len(games), "games") as bar:
        for n_done, game in enumerate(games):
            bar(n_done)
            followed = public_likelihood(game, would_act, rng, **options)
            # The state after the last move is not asked for: it would draw numbers, too.
            rows += [likelihood for _, likelihood in zip(game, followed, strict=False)]
    return np.array(rows)


def counting_beliefs(states):
    """Beliefs of `PublicStates` by counts and hints alone, each (n_states, n_slots, 26), by name.

    "plain V1" makes ten undamped iterations, clipped.
    """
    public = checks.kind("states", states, PublicStates)[:2]
    return {
        "V0": v0_belief(*public),
        "plain V1": v1_belief(*public, settings=TEN_PLAIN_STEPS),
        "V1": v1_belief(*public),
        "exact": exact_belief(*public),
    }


def action_beliefs(states, likelihood, *, alpha=0.01):
    """The same of beliefs that use a likelihood, too, as from `game_likelihoods`; alpha is V2's."""
    known = *checks.kind("states", states, PublicStates)[:2], likelihood
    return {
        "BB": bad_belief(*known),
        "V2": v2_belief(*known, alpha=alpha),
        "exact with L": exact_belief(*known),
    }


def belief_errors(belief, reference, truth):
    """`BeliefErrors` of a belief, beside a reference, both (n_states, n_slots, 26), and the truth.

    The truth is that of `PublicStates`. Shapes that do not fit are a ValueError.
    """
    belief = arrays.array("belief", belief, "f", 3)
    reference = arrays.array("reference", reference, "f", 3)
    truth = arrays.whole("truth", truth, 0, belief.shape[2] - 1, ndim=2)
    if belief.shape != reference.shape or belief.shape[:2] != truth.shape:
        raise ValueError(
            "belief and reference must have shape (n_states, n_slots, n_cards) and truth "
            f"(n_states, n_slots), got {belief.shape}, {reference.shape} and {truth.shape}"
        )
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


def plain_converges(states, *, n_iterations=1000, tolerance=1e-6):
    """Whether undamped, clipped V1 comes to rest in each of `PublicStates`: (n_states,) bool."""
    public = checks.kind("states", states, PublicStates)[:2]
    settings = V1Settings(damping=1, n_iterations=n_iterations, tolerance=tolerance)
    return v1_result(*public, settings=settings).converged


def mean_by_deck(values, n_deck):
    """Mean of `values` over the states of each of `DECK_BANDS`; nan for a band without states."""
    values = arrays.array("values", values, "biuf", 1)
    n_deck = arrays.whole("n_deck", n_deck)
    if values.shape != n_deck.shape:
        raise ValueError(f"values and n_deck must match, got {values.shape} and {n_deck.shape}")
    bands = [values[(first <= n_deck) & (n_deck <= last)] for first, last in DECK_BANDS]
    return np.array([band.mean() if band.size else np.nan for band in bands])
