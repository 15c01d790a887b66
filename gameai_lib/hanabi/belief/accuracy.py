"""How close beliefs come to the exact one, and how well they predict the cards, over games.

The truth is known to this study alone: beliefs see public states. A belief is scored per slot
by its total variation distance to a reference belief and by the negative log-likelihood of the
true card, in nats; Foerster et al. 2019 compare V0, V1 and BB by the latter.
"""

from typing import NamedTuple

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.progress import Bar
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

    candidates: np.ndarray  #: (n_states, 26) int
    hint_mask: np.ndarray  #: (n_states, n_slots, 26) bool
    truth: np.ndarray  #: (n_states, n_slots) int, `NO_CARD` where a slot is absent
    n_deck: np.ndarray  #: (n_states,) int
    game: np.ndarray  #: (n_states,) int, index of the game
    turn: np.ndarray  #: (n_states,) int, 0 before the first move


class BeliefErrors(NamedTuple):
    """How far a belief is off in each state; absent slots do not count."""

    tv_mean: np.ndarray  #: (n_states,) total variation distance, mean over slots
    tv_worst: np.ndarray  #: (n_states,) the same, in the worst slot
    nll: np.ndarray  #: (n_states,) nats per card, floored; see `PROBABILITY_FLOOR`
    n_zero: np.ndarray  #: (n_states,) int, slots whose true card has probability 0


def public_states(games):
    """Gather the states of games, each before its move.

    Parameters
    ----------
    games : sequence of lists of Frame
        As `play_game` yields them; all with the same number of players.

    Returns
    -------
    PublicStates

    Raises
    ------
    ValueError
        If there is no frame at all, or the games differ in the number of players.
    """
    frames = [
        (g, turn, checks.kind("each turn of a game", frame, Frame).state)
        for g, game in enumerate(checks.kind("games", games, list, tuple))
        for turn, frame in enumerate(checks.kind("each game", game, list, tuple))
    ]
    n_players = {state.n_players for _, _, state in frames}
    if len(n_players) != 1:
        raise ValueError(f"need games of one number of players, got {sorted(n_players) or 'none'}")
    game, turn, states = zip(*frames, strict=True)
    candidates, hint_mask = zip(*(state.public() for state in states), strict=True)
    return PublicStates(
        candidates=np.array(candidates),
        hint_mask=np.array(hint_mask),
        truth=np.array([_truth(state) for state in states]),
        n_deck=np.array([state.n_deck for state in states]),
        game=np.array(game),
        turn=np.array(turn),
    )


def game_likelihoods(games, would_act, rng, *, max_hands=2000, n_samples=1000):
    """The likelihoods of `public_likelihood`, in the order of `public_states`: of no last state.

    Parameters and errors are those of `public_likelihood`, for several games.

    Returns
    -------
    (n_states, n_slots, 26) float array
    """
    options = {"max_hands": max_hands, "n_samples": n_samples}
    rows = []
    with Bar("likelihoods", len(games), "games") as bar:
        for n_done, game in enumerate(games):
            bar(n_done)
            followed = public_likelihood(game, would_act, rng, **options)
            rows += [likelihood for _, likelihood in zip(game, followed, strict=False)]
    return np.array(rows)


def counting_beliefs(states):
    """Beliefs that use counts and hints alone.

    Parameters
    ----------
    states : PublicStates

    Returns
    -------
    dict of (n_states, n_slots, 26) float arrays
        "V0"; "V1"; "plain V1", ten undamped iterations, clipped; and "exact".
    """
    checks.kind("states", states, PublicStates)
    public = states.candidates, states.hint_mask
    return {
        "V0": v0_belief(*public),
        "plain V1": v1_belief(*public, settings=TEN_PLAIN_STEPS),
        "V1": v1_belief(*public),
        "exact": exact_belief(*public),
    }


def action_beliefs(states, likelihood, *, alpha=0.01):
    """Beliefs that also use what the players' actions tell.

    Parameters
    ----------
    states : PublicStates
    likelihood : (n_states, n_slots, 26) float array
        As from `game_likelihoods`.
    alpha : float
        Share of V1 in V2.

    Returns
    -------
    dict of (n_states, n_slots, 26) float arrays
        "BB"; "V2"; and "exact with L", the marginals that BB approximates.
    """
    checks.kind("states", states, PublicStates)
    known = states.candidates, states.hint_mask, likelihood
    return {
        "BB": bad_belief(*known),
        "V2": v2_belief(*known, alpha=alpha),
        "exact with L": exact_belief(*known),
    }


def belief_errors(belief, reference, truth):
    """Compare a belief with a reference, and with the truth.

    Parameters
    ----------
    belief, reference : (n_states, n_slots, 26) float arrays
    truth : (n_states, n_slots) int array
        True cards; `NO_CARD` where a slot is absent.

    Returns
    -------
    BeliefErrors

    Raises
    ------
    ValueError, TypeError
        If the shapes do not fit, or an argument is not an array of floats or of cards.
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
    held = np.take_along_axis(belief, truth[..., None], axis=2)[..., 0]
    surprise = -np.log(np.maximum(held, PROBABILITY_FLOOR)) * present
    return BeliefErrors(
        tv_mean=tv.sum(axis=1) / n_present,
        tv_worst=tv.max(axis=1),
        nll=surprise.sum(axis=1) / n_present,
        n_zero=((held <= PROBABILITY_FLOOR) & present).sum(axis=1),
    )


def plain_converges(states, *, n_iterations=1000, tolerance=1e-6):
    """Whether undamped, clipped V1 comes to rest in each state.

    Parameters
    ----------
    states : PublicStates
    n_iterations, tolerance
        As in `V1Settings`.

    Returns
    -------
    (n_states,) bool array
    """
    checks.kind("states", states, PublicStates)
    settings = V1Settings(damping=1, n_iterations=n_iterations, tolerance=tolerance)
    return v1_result(states.candidates, states.hint_mask, settings=settings).converged


def mean_by_deck(values, n_deck):
    """Mean over the states of each of `DECK_BANDS`.

    Parameters
    ----------
    values, n_deck : (n_states,) arrays

    Returns
    -------
    (4,) float array, nan for a band without states
    """
    values = arrays.array("values", values, "biuf", 1)
    n_deck = arrays.whole("n_deck", n_deck)
    if values.shape != n_deck.shape:
        raise ValueError(f"values and n_deck must match, got {values.shape} and {n_deck.shape}")
    bands = [values[(first <= n_deck) & (n_deck <= last)] for first, last in DECK_BANDS]
    return np.array([band.mean() if band.size else np.nan for band in bands])


def _truth(state):
    absent = [NO_CARD] * state.hand_size
    return [card for hand in state.hands for card in (list(hand) + absent)[: state.hand_size]]
