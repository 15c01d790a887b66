"""The explorables of the chapter on Hanabi beliefs: what each draws, and says in words.

Every function takes what it shows and returns the arguments ``draw``, ``alt`` and ``name``
of `touchbook.widgets.explore`; the chapter adds the controls::

    explore(**figures.eyes(game), turn=range(60), eyes=["everybody", "player 0"])

What both need of a setting of the controls is computed once, and kept.
"""

from functools import cache, partial
from itertools import islice

import numpy as np

from gameai_book.hanabi import views
from gameai_book.hanabi.accuracy import COUNTING, mean_by_deck
from gameai_book.hanabi.cases import star as star_case
from gameai_lib.hanabi.belief.bad import bad_belief, v2_belief
from gameai_lib.hanabi.belief.exact import exact_belief
from gameai_lib.hanabi.belief.likelihood import exact_likelihood, sampled_likelihood
from gameai_lib.hanabi.belief.v1 import V1Settings, v1_iterations
from gameai_lib.hanabi.game.rules import describe
from gameai_lib.hanabi.players.policy import convention_would_act


def _explorable(name, compute, draw, say):
    """What `explore` takes: ``draw(ax, value, **setting)`` and ``say(value, **setting)``.

    The value is ``compute(**setting)``.
    """
    compute = cache(compute)
    return {
        "draw": lambda fig, **setting: draw(fig.subplots(), compute(**setting), **setting),
        "alt": lambda **setting: say(compute(**setting), **setting),
        "name": name,
    }


def one_slot(case):
    """V0, V1 and exact belief about one slot; control ``slot``."""
    beliefs = {name: b(case.candidates, case.hint_mask) for name, b in COUNTING.items()}

    def draw(ax, rows, slot):
        views.draw_belief(ax, rows, row_names=list(beliefs))

    def say(rows, slot):
        pairs = zip(beliefs, rows, strict=True)
        said = "; ".join(f"{name} says {views.say_row(row)}" for name, row in pairs)
        return f"Slot {slot}: {views.say_hints(case.hint_mask[slot])}. {said}."

    return _explorable("one-slot", lambda slot: [b[slot] for b in beliefs.values()], draw, say)


def overbooking(cases):
    """Copies promised against copies that exist; controls ``belief`` and ``position``.

    `cases` maps the names of positions to `Case`.
    """

    def believe(belief, position):
        case = cases[position]
        return COUNTING[belief](case.candidates, case.hint_mask)

    def draw(ax, rows, belief, position):
        views.draw_overbooking(ax, rows, cases[position].candidates, name=belief)

    def say(rows, belief, position):
        excess = (rows.sum(axis=0) - cases[position].candidates).clip(0).sum()
        return f"{belief} in {position} promises {excess:.2f} cards that do not exist."

    return _explorable("overbooking", believe, draw, say)


def failures(cells):
    """One cell of V1 over the iterations; controls ``position``, ``damping`` and ``clip``.

    `cells` maps the names of positions to `Case`, slot and card.
    """
    exact = {
        name: exact_belief(case.candidates, case.hint_mask)[slot, card]
        for name, (case, slot, card) in cells.items()
    }

    def follow(position, damping, clip):
        settings = V1Settings(damping=damping, clip=clip)
        return _follow_cell(*cells[position], settings, 30)

    def draw(ax, values, position, **_):
        views.draw_cell(ax, values, exact[position])

    def say(values, position, damping, clip):
        return (
            f"{position}, w {damping:g}, {'with' if clip else 'without'} clip: the last two values "
            f"are {values[-2]:.3f} and {values[-1]:.3f}, the lowest {min(values):.3f}; "
            f"exact is {exact[position]:.3f}."
        )

    return _explorable("failures", follow, draw, say)


def star():
    """The card that all slots of a star share; controls ``slots`` and ``damping``.

    `damping` is a number, or "adapted". At most one slot holds the shared card, so that there is a
    deal for each slot and one for none: the exact probability is 1 / (slots + 1).
    """

    def follow(slots, damping):
        settings = V1Settings(damping=None if damping == "adapted" else damping)
        return _follow_cell(star_case(slots), 0, 0, settings, 60)

    def draw(ax, values, slots, damping):
        views.draw_cell(ax, values, 1 / (slots + 1))
        ax.set_ylim(-0.02, 0.3)  # V0's ½ is above the picture; the swings are small

    def say(values, slots, damping):
        swing = abs(values[-1] - values[-2])
        ends = f"swings by {swing:.3f}" if swing > 0.0005 else f"rests at {values[-1]:.3f}"
        return (
            f"{slots} slots, w {damping}: after 60 iterations the shared card {ends}; "
            f"exact is {1 / (slots + 1):.3f}."
        )

    return _explorable("star", follow, draw, say)


def _follow_cell(case, slot, card, settings, n_iterations):
    """One cell of V1 after 0, 1, ... iterations."""
    steps = v1_iterations(case.candidates, case.hint_mask, settings=settings)
    return [float(step.belief[slot, card]) for step in islice(steps, n_iterations + 1)]


def errors_by_deck(errors, n_deck, measures, groups, bands):
    """Errors of beliefs by cards left; controls ``measure`` and ``beliefs``.

    The `errors` are `BeliefErrors` by name. What the reader picks is mapped by `measures` to their
    fields, and by `groups` to their names; `bands` names those of `mean_by_deck`.
    """

    def average(measure, beliefs):
        field = measures[measure]
        return {b: mean_by_deck(getattr(errors[b], field), n_deck) for b in groups[beliefs]}

    def draw(ax, means, measure, beliefs):
        views.draw_bars(ax, bands, means, ylabel=measure)

    def say(means, measure, beliefs):
        said = ", ".join(f"{b} {mean[0]:.3f} to {mean[-1]:.3f}" for b, mean in means.items())
        return f"{measure}, from a full deck to an empty one: {said}."

    return _explorable("errors-by-deck", average, draw, say)


class Hint:
    """A hint to the next player in a Convention game, and the beliefs about the hinted hand.

    `truth` is that hand, and `beliefs` maps names to (hand_size, 26) float arrays.
    """

    def __init__(self, frame):
        after = frame.next_state
        self.frame, self.truth = frame, after.hands[after.player]
        # The rows of the hinted hand, which the hinting player saw.
        self.seen = np.arange(after.hand_size) + after.hand_size * after.player
        self.would_act = partial(convention_would_act, frame.state, frame.move)
        public = after.public()
        L = exact_likelihood(*public, self.would_act, seen=self.seen)
        beliefs = {name: belief(*public) for name, belief in COUNTING.items()} | {
            "BB": bad_belief(*public, L),
            "V2": v2_belief(*public, L, alpha=0.1),
            "exact with L": exact_belief(*public, L),
        }
        self.beliefs = {name: belief[self.seen] for name, belief in beliefs.items()}

    def sampled(self, n_samples, seed):
        """BB about the hinted hand with L from samples, (hand_size, 26)."""
        public, rng = self.frame.next_state.public(), np.random.default_rng(seed)
        L = sampled_likelihood(*public, self.would_act, rng, seen=self.seen, n_samples=n_samples)
        return bad_belief(*public, L)[self.seen]

    def sampling_error(self, n_samples, seed):
        """Largest error that sampling makes in any cell of BB."""
        return float(np.abs(self.sampled(n_samples, seed) - self.beliefs["BB"]).max())


def side_by_side(hints):
    """All beliefs about one slot of a hinted hand; controls ``turn`` and ``slot``."""

    def draw(ax, hint, turn, slot):
        rows, truth = [belief[slot] for belief in hint.beliefs.values()], hint.truth[slot]
        views.draw_belief(ax, rows, row_names=list(hint.beliefs), truth=[truth] * len(rows))

    def say(hint, turn, slot):
        chances = {name: belief[slot, hint.truth[slot]] for name, belief in hint.beliefs.items()}
        said = ", ".join(f"{name} {p:.3f}" for name, p in chances.items())
        move = describe(hint.frame.state, hint.frame.move)
        return f"Move {turn}, {move}. Slot {slot}, probability of the true card: {said}."

    return _explorable("side-by-side", lambda turn, slot: hints[turn], draw, say)


def noise(hint):
    """BB with exact and with sampled L; controls ``n_samples`` and ``seed``."""
    names = [f"{kind} {slot}" for kind in ("full", "sampled") for slot in range(len(hint.truth))]

    def draw(ax, sampled, n_samples, seed):
        rows = np.concatenate([hint.beliefs["BB"], sampled])
        views.draw_belief(ax, rows, row_names=names, truth=hint.truth * 2)

    def say(sampled, n_samples, seed):
        error = np.abs(sampled - hint.beliefs["BB"]).max()
        return f"{n_samples} samples, seed {seed}: the largest error of BB is {error:.3f}."

    return _explorable("noise", hint.sampled, draw, say)


def eyes(game):
    """Player 0's hand in public and in private; controls ``turn`` and ``eyes``."""

    def believe(turn, eyes):
        state = game[turn].state
        if eyes == "everybody":
            return exact_belief(*state.public())[: state.hand_size]
        return exact_belief(*state.view(0))

    def draw(ax, rows, turn, eyes):
        views.draw_belief(ax, rows, truth=game[turn].state.hands[0], title=f"eyes: {eyes}")

    def say(rows, turn, eyes):
        hand = game[turn].state.hands[0]
        said = ", ".join(f"{p:.2f}" for p in rows[range(len(hand)), hand])
        return f"Before move {turn}, {eyes}: the true cards have probability {said}."

    return _explorable("eyes", believe, draw, say)
