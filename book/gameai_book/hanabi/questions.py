"""The questions of the chapter, each a function of a generator.

Without a generator a question has the lesson's own numbers, with one it has others. Every number
in an answer is computed by the library, and so is which answer is right::

    ask(questions.one_step, covers="promises")
"""

from fractions import Fraction
from itertools import combinations

import numpy as np

from gameai_book.hanabi import cases
from gameai_book.hanabi.boards.silence import SilenceBoard
from gameai_book.hanabi.boards.words import in_slots, join, percent
from gameai_book.hanabi.results.scores import stored_player_scores
from gameai_lib.hanabi.belief.bad import bad_belief
from gameai_lib.hanabi.belief.exact import exact_belief
from gameai_lib.hanabi.belief.v0 import v0_belief
from gameai_lib.hanabi.belief.v1 import V1Settings, v1_iterations, v1_result
from gameai_lib.hanabi.game.box import COLOUR_NAMES, COLOURS, card_name, parse_card

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
LETTERS = ("*a*", "*b*", "*c*")
SIDES = ("impossible", "less likely", "just as likely", "more likely")
# What hints leave to three slots, in any order of the cards.
MASKS = np.array(
    [[[1, 1, 0], [1, 1, 1], [0, 1, 1]], [[1, 1, 0]] * 3, [[1, 1, 0], [1, 1, 0], [1, 1, 1]]],
    dtype=bool,
)
TWO_KNOWN = np.array([[1, 0, 1], [1, 0, 1], [1, 1, 1]], dtype=bool)  # what earlier hints left them


def seat(rng=None):
    """Which of three hinted slots holds the card that fits, and whether anybody can be sure."""
    slots, colours, rank, known = (0, 3, 4), ("yellow", "green", "blue"), 4, (0, 3)
    if rng is not None:
        slots = tuple(sorted(rng.choice(5, 3, replace=False).tolist()))
        colours = tuple(rng.choice(COLOUR_NAMES, 3, replace=False).tolist())
        rank = int(rng.integers(2, 5))
        pairs = list(combinations(slots, 2))
        known = _any([*pairs, *pairs, *((slot,) for slot in slots)], rng)
    first, asked, last = colours
    mask = np.ones((3, 3), dtype=bool)
    mask[np.isin(slots, known), 1] = False
    chance = exact_belief(np.ones(3, int), mask)[:, 1].max()
    free = [slot for slot in slots if slot not in known]
    nobody, are = "nobody can be certain", "are"
    sure = f"slot {free[0]}, for certain"
    because = (
        f"Slots {join(known)} are not {asked}, so they hold the {first} and the {last} {rank}, "
        f"in some order. Only the {asked} {rank} is left for slot {free[0]}."
    )
    if chance < 1:
        sure, are = nobody, "is"
        because = (
            f"Only one slot is known not to be {asked}. The {asked} {rank} lies in slot {free[0]} "
            f"or in slot {free[1]}, with a probability of {chance:.2g} each."
        )
    return {
        "question": f"A hint has shown that your slots {join(slots)} are {rank}s. You know from "
        f"earlier hints that {in_slots(known)} {are} not {asked}. You have seen all {rank}s but "
        f"three: the {first}, the {asked} and the {last} one. Where is the {asked} {rank}?",
        "choices": [*(f"slot {slot}, for certain" for slot in slots), nobody],
        "answer": sure,
        "because": because,
        "name": "seat",
    }


def promised(rng=None):
    """Which cards V0 promises more often than they exist."""
    names, copies, mask = ("Y4", "G4", "B4"), np.array([1, 1, 1]), TWO_KNOWN
    if rng is not None:
        names, (copies, mask) = _three_of_a_rank(rng), _overbooked_hand(rng)
    promises = v0_belief(copies, mask).sum(axis=0)
    over = [name for name, p, c in zip(names, promises, copies, strict=True) if p > c + 1e-9]
    groups = {(): "none of them"} | {(name,): f"only the {name}" for name in names}
    groups |= {pair: f"the {pair[0]} and the {pair[1]}" for pair in combinations(names, 2)}
    answer = groups[tuple(over)]
    others = [group for group in groups.values() if group != answer]
    wrong = [others[i] for i in ((0, 2, 4) if rng is None else rng.choice(6, 3, replace=False))]
    said = join(f"{p:.2f} {n} of {c}" for p, n, c in zip(promises, names, copies, strict=True))
    why = "Several slots claim the same copy, and V0 does not notice."
    return {
        "question": f"Of the cards that three slots may hold, {_left(names, copies)} left. By the "
        f"hints, {_hints((0, 3, 4), names, mask)}. V0 looks at each slot alone. Add up what it "
        "says of the three slots: which cards does it promise more often than they exist?",
        "choices": [group for group in groups.values() if group in (answer, *wrong)],
        "answer": answer,
        "because": f"Together the slots promise {said}. "
        + (why if over else "No copy is promised twice."),
        "name": "promised",
    }


def one_step(rng=None):
    """What a step of V1 makes of a slot whose neighbours have taken two cards."""
    names, copies = ("Y4", "G4", "B4"), np.array([1, 1, 1])
    if rng is not None:
        names, copies = _three_of_a_rank(rng), rng.integers(1, 3, 3)
    V0, after = _steps(copies, TWO_KNOWN)
    result = _fraction(after[2, 1])
    usual = (Fraction(1, 3), Fraction(1, 2), Fraction(2, 3), Fraction(1))
    share = " and ".join(f"{_fraction(V0[0, f])} to the {names[f]}" for f in (0, 2))
    left = copies - V0[:2].sum(axis=0)
    took = join(f"{n:.2g} {name}" for n, name in zip(left, names, strict=True))
    return {
        "question": f"Of the cards that three slots may hold, {_left(names, copies)} left. Slots 0 "
        f"and 3 may be {names[0]} or {names[2]}, and in each of them V0 gives {share}. Slot 4 may "
        "be any of the three cards. For its step it takes the copies that are left, subtracts what "
        "the other two slots promise, and scales the rest to a sum of 1. What does it then say of "
        f"the {names[1]}?",
        "choices": [str(choice) for choice in sorted({*usual, result})],
        "answer": str(result),
        "because": f"The other two slots leave {took} for slot 4. Scaled to 1, the {names[1]} "
        f"gets {result}. V0 alone gave it {_fraction(V0[2, 1])}.",
        "name": "one-step",
    }


def seen(rng=None):
    """What V0 says to somebody who sees more than a spectator."""
    colours, rank, all_ = ("red", "yellow", "white"), 2, np.array([2, 2, 1])
    partners = np.array([0, 1, 1])
    if rng is not None:
        n = int(rng.integers(3, 5))
        colours = tuple(rng.choice(COLOUR_NAMES, n, replace=False).tolist())
        rank, all_ = int(rng.integers(2, 5)), rng.integers(1, 3, n)
        while partners.shape != (n,) or all_[0] * partners.sum() == partners[0] * all_.sum():
            partners = rng.integers(0, all_ + 1)
            partners[:2] = rng.integers(0, all_[0]), max(1, partners[1])
    left, slot = all_ - partners, np.ones((1, len(all_)), dtype=bool)
    public, yours = (_fraction(v0_belief(copies, slot)[0, 0]) for copies in (all_, left))
    wrong = {public, Fraction(int(left[0]), int(all_.sum())), Fraction(1, 3), Fraction(1, 2)}
    names = [f"{colour} {rank}" for colour in colours]

    def several(numbers):
        pairs = zip(numbers, names, strict=True)
        return join(f"{NUMBERS[n]} {name}{'s' if n > 1 else ''}" for n, name in pairs if n)

    return {
        "question": f"One of your slots is a {rank}. A spectator, who sees neither hand, counts "
        f"{several(all_)} that may lie there. You see {several(partners)} in your partner's hand. "
        f"What does V0 give the {names[0]} in this slot, if it counts with your eyes?",
        "choices": [str(choice) for choice in sorted(wrong | {yours})],
        "answer": str(yours),
        "because": f"A card that you see cannot lie in your hand. That leaves {several(left)}, so "
        f"the {names[0]} has {yours}. For the spectator it has {public}.",
        "name": "seen",
    }


def direction(rng=None):
    """Which way a step of V1 moves a card: the other slots may take more of it, or less."""
    copies, mask, card = cases.S4.candidates, cases.S4.hint_mask, 1
    if rng is not None:
        copies, mask, card = _moved_hand(rng)
    V0, after, left, side = _step_of_last(copies, mask, card)
    leave = join(f"{left[f]:.2f} {LETTERS[f]}" for f in np.flatnonzero(mask[2]))
    why = (
        f"Scaled to 1, that gives {LETTERS[card]} {after[card]:.2f}. The others claim "
        f"{'a larger' if side == 'less likely' else 'a smaller'} share of it than of the rest."
    )
    if side == "impossible":
        why = f"They claim every copy of {LETTERS[card]}."
    elif side == "just as likely":
        why = "They take the same share of each, so nothing changes after scaling."
    return {
        "question": f"Three slots are dealt, and {_left(LETTERS, copies)} left for them. By the "
        f"hints, {_hints(range(3), LETTERS, mask)}. V0 gives {LETTERS[card]} in slot 2 a "
        f"probability of {V0[card]:.2f}. What does one step of V1 make of it?",
        "choices": list(SIDES),
        "answer": side,
        "because": f"The other slots leave {leave} for slot 2. {why}",
        "name": "direction",
    }


def count(rng=None):
    """An exact count on a hand of two: a known slot takes a copy from the other."""
    n_a, n_b = 3, 1
    if rng is not None:
        n_a, n_b = int(rng.integers(2, 6)), int(rng.integers(1, 5))
    copies, mask = np.array([n_a, n_b]), np.array([[True, False], [True, True]])
    exact, V0 = (_fraction(believe(copies, mask)[1, 1]) for believe in (exact_belief, v0_belief))
    return {
        "question": f"{_left(LETTERS[:2], copies).capitalize()} left. Slot 0 is known to be "
        "*a*, and slot 1 has no hint. What is the exact probability of *b* in slot 1?",
        "answer": float(exact),
        "tolerance": 0.01,
        "because": f"One *a* lies in slot 0. That leaves {NUMBERS[n_a - 1]} *a* and {NUMBERS[n_b]} "
        f"*b* for slot 1, so the *b* has {exact}. V0 does not look at slot 0 and says {V0}.",
        "name": "count",
    }


def swings(rng=None):
    """What becomes of V1 when all slots want one card, and step again and again."""
    n_slots, w, alike = 4, 1.0, False
    if rng is not None:
        n_slots, kind = int(rng.integers(4, 8)), _any((0, 1, 2), rng)
        w, alike = (1.0, 0.2)[kind == 1], kind == 2
    case = cases.star(n_slots)
    copies, mask = case.candidates, case.hint_mask
    hold = "one copy of card *x* is left. Each slot holds *x*, or a card that is its own"
    if alike:
        copies, mask = np.array([n_slots, n_slots]), np.ones((n_slots, 2), dtype=bool)
        hold = (
            f"{NUMBERS[n_slots]} copies of card *x* and {NUMBERS[n_slots]} of card *y* are left, "
            "and each slot may hold either"
        )
    start, exact = v0_belief(copies, mask)[0, 0], exact_belief(copies, mask)[0, 0]
    long = [V1Settings(damping=w, n_iterations=n, tolerance=0) for n in (400, 401)]
    even, odd = (v1_result(copies, mask, settings=how).belief[0, 0] for how in long)
    why = {
        f"it rests at the exact value, {exact:.3g}": "All slots have the same hints. Each of them "
        "subtracts the same share of both cards, so no step changes anything, and V0 was right "
        "already.",
        "it rests, but at another value": f"It rests at {odd:.3g}. Small steps stop the swing, but "
        "V1 still averages before it scales.",
        "it swings for ever": "After four hundred steps it still jumps between "
        f"{min(odd, even):.2g} and {max(odd, even):.2g}. All slots give the card up at once, and "
        "then all of them claim it again at once.",
    }
    ends = list(why)
    answer = ends[2] if abs(odd - even) > 0.01 else ends[int(abs(odd - exact) > 1e-3)]
    step = "whole steps" if w == 1 else "a fifth of each step"
    return {
        "question": f"In a hand of {NUMBERS[n_slots]} slots, {hold}. V0 gives *x* {start:.2g} in "
        f"each slot. V1 makes {step}, and counts a negative number of copies as none. What becomes "
        "of the probability of *x* in the end?",
        "choices": ends,
        "answer": answer,
        "because": why[answer],
        "name": "swings",
    }


def silence(rng=None):
    """Which slots a silent partner rules out for the card that fits."""
    fit, other, rule, covered = "R2", "W", "convention", True
    if rng is not None:
        first, other = (COLOURS[c] for c in rng.choice(5, 2, replace=False))
        fit = f"{first}{rng.integers(2, 4)}"
        rule = _any(("convention", "tells", "without", "colours"), rng)
        covered = rule != "convention" or bool(rng.random() < 0.5)
    cards = [fit, f"{fit[0]}4", f"{other}{fit[1] if covered else 5}", f"{other}4"]
    how = {"rule": rule}
    if rule == "colours":
        how = {"would_act": lambda hand: [c for c in hand if c[0] == fit[0]][-1:] == [fit]}
    board = SilenceBoard(**how, cards=" ".join(cards), n_slots=3, fits=fit)
    left = board.beliefs.left[:, list(board.kinds).index(parse_card(fit))]
    slots = ["none of them", "only the newest", "the two newest", "all three"]
    asks = (
        "has a token. A hint asks for the newest card that it touches, and your partner hints "
        "whenever it can ask for a card that fits"
    )
    does, because = {
        ("convention", True): (
            asks,
            f"Some hint asks for the {fit} if no newer card has its colour, or if no newer card "
            f"has its rank. Only two newer cards together can hide the {fit}, so it can lie in "
            f"slot 0 alone. It does in {percent(left[0])} of the hands that are left.",
        ),
        ("convention", False): (
            asks,
            f"No other card is a {fit[1]}. So the hint of {fit[1]}s touches the {fit} alone, and "
            "the partner would have given it.",
        ),
        ("tells", True): (
            "has a token, and hints the rank of a card that fits whenever you hold one",
            f"With the {fit} in any slot the partner would have hinted {fit[1]}s.",
        ),
        ("without", True): (
            "would like to give a hint, but has no token",
            "The partner could not have given a hint, whatever you hold. So its silence tells "
            "nothing.",
        ),
        ("colours", True): (
            "has a token, but never hints a rank. It hints a colour whenever your newest card of "
            "that colour fits",
            f"The hint of its colour asks for the {fit}, unless the {cards[1]} is newer. So the "
            f"{fit} may lie in slot 0 or in slot 1, but not in slot 2.",
        ),
    }[rule, covered]
    return {
        "question": f"Four cards are left, {join(cards)}. Three of them are your hand, slot 0 "
        f"the oldest, and only the {fit} fits. Your partner {does}. Now it gives no hint. Which of "
        f"your slots can certainly not hold the {fit}?",
        "choices": slots,
        "answer": slots[int((left == 0).sum())],
        "because": because,
        "name": "silence",
    }


def echo(rng=None):
    """What BB makes of one piece of news, after some steps or at rest."""
    news, n_steps = 9, None
    if rng is not None:
        news, n_steps = _any((3, 4, 9), rng), _any((1, 2, None), rng)
    settings, when = V1Settings(), "when it has come to rest"
    if n_steps:
        settings = V1Settings(damping=1, n_iterations=n_steps, tolerance=0)
        when = f"after {NUMBERS[n_steps]} step{'s' * (n_steps > 1)}"
    known = cases.S6.candidates, cases.S6.hint_mask, np.array([[news, 1.0], [1.0, 1.0]])
    says, truth = bad_belief(*known, settings=settings)[0, 0], exact_belief(*known)[0, 0]
    true = f"{truth:.2g}"
    parts = [f"less than {true}", true, f"between {true} and 0.99", "more than 0.99"]
    at = int(np.digitize(says, [truth - 1e-6, truth + 1e-6, 0.99]))
    why = "Slot 0 has heard the news once, and nothing has come back from slot 1 yet."
    if at != 1:
        why = (
            "Slot 1 has heard that *a* is probably taken, and leans to *b*. That comes back to "
            f"slot 0 as if it were fresh news{'' if n_steps else ', and does so again and again'}."
        )
    return {
        "question": f"One *a* and one *b* lie in two slots. Your partner's action is "
        f"{NUMBERS[news]} times as likely if slot 0 holds the *a*, so the true probability of *a* "
        f"in slot 0 is {true}. BB begins with this news. In each step a slot subtracts what "
        "the other slot promises, and multiplies by its row of L. What does BB say of *a* in slot "
        f"0 {when}?",
        "choices": parts,
        "answer": parts[at],
        "because": f"BB comes to {says:.3g}, and the truth is {true}. {why}",
        "name": "echo",
    }


def listener(rng=None):
    """What beliefs are worth in points, by the stored games of the Listener."""
    stored = stored_player_scores()
    scores = {c.belief: c.mean for c in stored["listeners"]}
    (iggi,) = (c.mean for c in stored["agents"] if (c.agent, c.belief) == ("IGGI", "V0"))
    pairs = [
        ("How many of 25 points does the exact belief *with L* add to its score with V0?",
         scores["V0"], scores["exact with L"],
         "In the partner's choices it reads what a hint asks for."),
        ("How many of 25 points does the exact belief *without L* add to its score with V0?",
         scores["V0"], scores["exact"], "Counting better adds little."),
        ("With BB it uses L. How many of 25 points does it lose if each slot uses only its own "
         "row of L, and no slot subtracts what the others promise?",
         scores["BB, first row"], scores["BB"],
         "Now that there is news to pass on, it pays to pass it on."),
        ("IGGI plays only what V0 is certain of, and hints at cards that fit. By how many of 25 "
         "points does the Listener with L beat it?",
         iggi, scores["exact with L"], "That is what L is worth beside a program with good rules."),
    ]  # fmt: skip
    asks, lower, upper, why = pairs[0] if rng is None else _any(pairs, rng)
    worths = ["less than 1", "1 to 3", "3 to 6", "more than 6"]
    return {
        "question": "In Hanabi for two, the Listener plays the card that is likeliest to fit. It "
        "knows what its partner, who has a convention, would do with each hand. " + asks,
        "choices": worths,
        "answer": worths[int(np.digitize(upper - lower, [1, 3, 6]))],
        "because": f"The difference is {upper - lower:.1f} points, from {lower:.1f} to "
        f"{upper:.1f}. {why}",
        "name": "listener",
    }


def _any(items, rng):
    return items[int(len(items) * rng.random())]


def _fraction(p):
    return Fraction(p).limit_denominator(100)


def _left(names, copies):
    """Words such as "one Y4 and two G4 are"."""
    said = join(f"{NUMBERS[c]} {name}" for name, c in zip(names, copies, strict=True))
    return f"{said} {'is' if sum(copies) == 1 else 'are'}"


def _hints(slots, names, mask):
    """Words such as "slot 0 may be Y4 or B4 and slot 1 may be G4"."""
    cards = ([name for name, can in zip(names, row, strict=True) if can] for row in mask)
    pairs = zip(slots, cards, strict=True)
    return join(f"slot {slot} may be {join(allowed, 'or')}" for slot, allowed in pairs)


def _steps(copies, mask):
    """V0 and the belief after a plain step of V1."""
    frames = v1_iterations(copies, mask, settings=V1Settings(damping=1))
    return next(frames).belief, next(frames).belief


def _three_of_a_rank(rng):
    """Names of three cards that differ in colour alone."""
    colours = np.sort(rng.choice(5, 3, replace=False))
    rank = int(rng.integers(1, 4))
    return tuple(card_name(5 * colour + rank) for colour in colours.tolist())


def _has_deal(copies, mask):
    try:
        exact_belief(copies, mask)
    except ValueError:
        return False
    return True


def _overbooked_hand(rng):
    """Copies and hints of three slots; each number of cards that V0 overbooks is as likely."""
    n_over = int(rng.integers(3))
    while True:
        copies = rng.integers(1, 3, 3)
        mask = rng.random((3, 3)) < 0.65
        if mask.any(axis=0).all() and _has_deal(copies, mask):
            excess = v0_belief(copies, mask).sum(axis=0) - copies
            if (excess > 0.05).sum() == n_over and (np.abs(excess) > 0.05).all():
                return copies, mask


def _step_of_last(copies, mask, card):
    """Of slot 2: V0, a step of V1, the copies that are left for it, and which way a card moves."""
    V0, after = _steps(copies, mask)
    left, change = (copies - V0[:2].sum(axis=0)).clip(0), (after - V0)[2, card].round(9)
    side = 0 if left[card] < 1e-9 else 2 + int(np.sign(change))
    return V0[2], after[2], left, SIDES[side]


def _moved_hand(rng):
    """A hand of three slots, and a card of slot 2 that moves; each direction is as likely."""
    wished = _any(SIDES, rng)
    while True:
        copies, mask = rng.integers(1, 4, 3), _any(MASKS, rng)[:, rng.permutation(3)]
        card = int(rng.choice(np.flatnonzero(mask[2])))
        if _has_deal(copies, mask):
            V0, after, left, side = _step_of_last(copies, mask, card)
            is_seen = side == "just as likely" or abs(after - V0)[card] > 0.02
            if side == wished and is_seen and left[mask[2]].any():
                return copies, mask, card
