"""The questions of the chapter, each a function of a generator.

Without a generator a question has the lesson's own numbers, with one it has others. Every number
in an answer is computed by the library, and so is which answer is right::

    ask(**questions.one_step(), covers="promises")
"""

from fractions import Fraction
from itertools import combinations

import numpy as np

from gameai_book.hanabi.boards.silence import SilenceBoard
from gameai_book.hanabi.boards.words import in_slots, listed, percent
from gameai_book.hanabi.results.scores import stored_player_scores, stored_scores
from gameai_lib.hanabi.belief.bad import bad_belief
from gameai_lib.hanabi.belief.exact import exact_belief
from gameai_lib.hanabi.belief.v0 import v0_belief
from gameai_lib.hanabi.belief.v1 import V1Settings, v1_iterations, v1_result
from gameai_lib.hanabi.game import cases
from gameai_lib.hanabi.game.cards import COLOUR_NAMES, COLOURS, card_name, parse_card

PLAIN = V1Settings(damping=1)
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
LETTERS = "abc"
HINTED = (0, 3, 4)  # the slots that the hint of the first screen has touched
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
    asked, others = colours[1], [colours[0], colours[2]]
    mask = np.ones((3, 3), dtype=bool)
    mask[[slots.index(slot) for slot in known], 1] = False
    chances = exact_belief(np.ones(3, int), mask)[:, 1]
    free = [slot for slot in slots if slot not in known]
    sure = "nobody can be certain"
    if chances.max() > 1 - 1e-9:
        sure = f"slot {slots[int(chances.argmax())]}, for certain"
        because = (
            f"Slots {listed(known)} are not {asked}, so they hold the {others[0]} and the "
            f"{others[1]} {rank}, in some order. Only the {asked} {rank} is left for slot "
            f"{free[0]}."
        )
    else:
        because = (
            f"Only one slot is known not to be {asked}. The {asked} {rank} lies in slot {free[0]} "
            f"or in slot {free[1]}, with a probability of {chances.max():.2g} each."
        )
    are = "is" if len(known) == 1 else "are"
    return {
        "question": f"A hint has shown that your slots {listed(slots)} are {rank}s. You know from "
        f"earlier hints that {in_slots(known)} {are} not {asked}. You have seen all {rank}s but "
        f"three: the {colours[0]}, the {colours[1]} and the {colours[2]} one. Where is the {asked} "
        f"{rank}?",
        "choices": [*(f"slot {slot}, for certain" for slot in slots), "nobody can be certain"],
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
    groups = [
        "none of them",
        *(f"only the {name}" for name in names),
        *(f"the {a} and the {b}" for a, b in combinations(names, 2)),
    ]
    over = [name for name, p, c in zip(names, promises, copies, strict=True) if p > c + 1e-9]
    answer = "none of them" if not over else f"the {' and the '.join(over)}"
    answer = f"only {answer}" if len(over) == 1 else answer
    others = [group for group in groups if group != answer]
    kept = {answer, *([others[i] for i in (0, 2, 4)] if rng is None else _some(rng, others, 3))}
    hand = listed(
        f"slot {i} may be {listed([n for n, m in zip(names, row, strict=True) if m], 'or')}"
        for i, row in zip(HINTED, mask, strict=True)
    )
    said = listed(f"{p:.2f} {n} of {c}" for p, n, c in zip(promises, names, copies, strict=True))
    return {
        "question": f"Of the cards that three slots may hold, {_left(names, copies)} left. By the "
        f"hints, {hand}. V0 looks at each slot alone. Add up what it says of the three slots: "
        "which cards does it promise more often than they exist?",
        "choices": [group for group in groups if group in kept],
        "answer": answer,
        "because": f"Together the slots promise {said}. Several slots claim the same copy, and V0 "
        "does not notice."
        if over
        else f"Together the slots promise {said}. No copy is promised twice.",
        "name": "promised",
    }


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
        if not mask.any(axis=0).all() or not _has_deal(copies, mask):
            continue
        excess = v0_belief(copies, mask).sum(axis=0) - copies
        if (excess > 0.05).sum() == n_over and (np.abs(excess) > 0.05).all():
            return copies, mask


def _any(items, rng):
    """One of some items."""
    return items[int(len(items) * rng.random())]


def _some(rng, items, n):
    return [items[i] for i in rng.choice(len(items), n, replace=False)]


def _left(names, copies):
    """Words such as "one Y4 and two G4 are"."""
    said = [f"{NUMBERS[c]} {name}" for name, c in zip(names, np.asarray(copies), strict=True)]
    return f"{listed(said)} {'is' if sum(copies) == 1 else 'are'}"


def one_step(rng=None):
    """What a step of V1 makes of a slot whose neighbours have taken two cards."""
    names, copies = ("Y4", "G4", "B4"), np.array([1, 1, 1])
    if rng is not None:
        names, copies = _three_of_a_rank(rng), rng.integers(1, 3, 3)
    V0, after = _steps(copies, TWO_KNOWN)
    found = Fraction(after[2, 1]).limit_denominator(100)
    usual = (Fraction(1, 3), Fraction(1, 2), Fraction(2, 3), Fraction(1))
    choices = sorted({*usual, found})
    others = V0[:2].sum(axis=0)
    left = copies - others
    share = " and ".join(
        f"{Fraction(V0[0, f]).limit_denominator(9)} to the {names[f]}" for f in (0, 2)
    )
    took = listed(f"{left[f]:.2g} {names[f]}" for f in range(3))
    return {
        "question": f"Of the cards that three slots may hold, {_left(names, copies)} left. Slots 0 "
        f"and 3 may be {names[0]} or {names[2]}, and in each of them V0 gives {share}. Slot 4 may "
        "be any of the three cards. For its step it takes the copies that are left, subtracts what "
        "the other two slots promise, and scales the rest to a sum of 1. What does it then say of "
        f"the {names[1]}?",
        "choices": [str(choice) for choice in choices],
        "answer": str(found),
        "because": f"The other two slots leave {took} for slot 4. Scaled to 1, the {names[1]} "
        f"gets {found}. V0 alone gave it {Fraction(V0[2, 1]).limit_denominator(100)}.",
        "name": "one-step",
    }


def _steps(copies, mask):
    """V0 and the belief after a plain step of V1."""
    frames = v1_iterations(copies, mask, settings=PLAIN)
    return next(frames).belief, next(frames).belief


def seen(rng=None):
    """What V0 says to somebody who sees more than a spectator."""
    colours, rank, all_ = ("red", "yellow", "white"), 2, np.array([2, 2, 1])
    partners = np.array([0, 1, 1])
    if rng is not None:
        n = int(rng.integers(3, 5))
        colours = tuple(rng.choice(COLOUR_NAMES, n, replace=False).tolist())
        rank, all_ = int(rng.integers(2, 5)), rng.integers(1, 3, n)
        partners = rng.integers(0, all_ + 1)
        partners[:2] = rng.integers(0, all_[0]), max(1, partners[1])
    left, slot = all_ - partners, np.ones((1, len(all_)), dtype=bool)
    public, yours = (
        Fraction(v0_belief(copies, slot)[0, 0]).limit_denominator(100) for copies in (all_, left)
    )
    wrong = {public, Fraction(int(left[0]), int(all_.sum())), Fraction(1, 3), Fraction(1, 2)}
    names = [f"{colour} {rank}" for colour in colours]

    def several(numbers):
        pairs = zip(numbers, names, strict=True)
        return listed(f"{NUMBERS[n]} {name}{'s' if n > 1 else ''}" for n, name in pairs if n)

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
    V0, after = _steps(copies, mask)
    change = after[2, card] - V0[2, card]
    sides = ("less likely", "just as likely", "more likely")
    answer = sides[1 + int(np.sign(np.round(change, 9)))]
    left = (copies - V0[:2].sum(axis=0)).clip(0)
    own = [f for f in range(3) if mask[2, f]]
    leave = listed(f"{left[f]:.2f} *{LETTERS[f]}*" for f in own)
    named = [f"*{letter}*" for letter in LETTERS]
    hand = listed(f"slot {i} may be {_letters(row)}" for i, row in enumerate(mask))
    because = f"The other slots leave {leave} for slot 2. "
    if answer == sides[1]:
        because += "They take the same share of each, so nothing changes after scaling."
    else:
        because += (
            f"Scaled to 1, that gives *{LETTERS[card]}* {after[2, card]:.2f}. The others claim "
            f"{'a larger' if change < 0 else 'a smaller'} share of it than of the rest."
        )
    return {
        "question": f"Three slots are dealt, and {_left(named, copies)} left for them. By the "
        f"hints, {hand}. V0 gives *{LETTERS[card]}* in slot 2 a probability of "
        f"{V0[2, card]:.2f}. What does one step of V1 make of it?",
        "choices": list(sides),
        "answer": answer,
        "because": because,
        "name": "direction",
    }


def _letters(row):
    return listed([f"*{letter}*" for letter, can in zip(LETTERS, row, strict=True) if can], "or")


def _moved_hand(rng):
    """A hand of three slots, and a card of slot 2 that moves; each direction is as likely."""
    wished = _any((-1, 0, 1), rng)
    while True:
        copies = rng.integers(1, 4, 3)
        mask = np.array([[1, 1, 0], [1, 1, 1], [0, 1, 1]], dtype=bool)[:, rng.permutation(3)]
        if wished == 0:
            mask = np.repeat(mask[:1], 3, axis=0)
        card = int(rng.choice(np.flatnonzero(mask[2])))
        if not _has_deal(copies, mask):
            continue
        V0, after = _steps(copies, mask)
        change = after[2, card] - V0[2, card]
        own = mask[2] & (copies - V0[:2].sum(axis=0) > 0.1)
        moves = np.sign(np.round(change, 9)) == wished and abs(change) >= 0.02 * abs(wished)
        if moves and own.sum() == 2:
            return copies, mask, card


def count(rng=None):
    """An exact count on a hand of two: a known slot takes a copy from the other."""
    n_a, n_b = 3, 1
    if rng is not None:
        n_a, n_b = int(rng.integers(2, 6)), int(rng.integers(1, 5))
    copies, mask = np.array([n_a, n_b]), np.array([[True, False], [True, True]])
    exact, V0 = (Fraction(b(copies, mask)[1, 1]).limit_denominator(50)
                 for b in (exact_belief, v0_belief))  # fmt: skip
    return {
        "question": f"{_left(['*a*', '*b*'], copies).capitalize()} left. Slot 0 is known to be "
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
    if alike:
        copies, mask = np.array([n_slots, n_slots]), np.ones((n_slots, 2), dtype=bool)
    even, odd = (
        v1_result(copies, mask, settings=V1Settings(damping=w, n_iterations=n, tolerance=0))
        .belief[0, 0] for n in (400, 401)
    )  # fmt: skip
    start, exact = v0_belief(copies, mask)[0, 0], exact_belief(copies, mask)[0, 0]
    ends = [f"it rests at the exact value, {exact:.3g}", "it rests, but at another value",
            "it swings for ever"]  # fmt: skip
    answer = ends[2] if abs(odd - even) > 0.01 else ends[int(abs(odd - exact) > 1e-3)]
    why = {
        ends[0]: "All slots have the same hints. Each of them subtracts the same share of both "
        "cards, so no step changes anything, and V0 was right already.",
        ends[1]: f"It rests at {odd:.3g}. Small steps stop the swing, but V1 still averages "
        "before it scales.",
        ends[2]: f"After four hundred steps it still jumps between {min(odd, even):.2g} and "
        f"{max(odd, even):.2g}. All slots give the card up at once, and then all of them claim it "
        "again at once.",
    }
    hold = (
        f"{NUMBERS[n_slots]} copies of card *x* and {NUMBERS[n_slots]} of card *y* are left, and "
        "each slot may hold either"
        if alike
        else "one copy of card *x* is left. Each slot holds *x*, or a card that is its own"
    )
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
    fit, covered, rule = "R2", True, "convention"
    other = "W"
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
    left = board.beliefs().left[:, list(board.kinds).index(parse_card(fit))]
    slots = ["none of them", "only the newest", "the two newest", "all three"]
    n_out = int((left == 0).sum())
    hidden = (
        f"Some hint asks for the {fit} if no newer card has its colour, or if no newer card has "
        f"its rank. Only two newer cards together can hide the {fit}, so it can lie in slot 0 "
        f"alone. It does in {percent(left[0])} of the hands that are left."
    )
    alone = (
        f"No other card is a {fit[1]}. So the hint of {fit[1]}s touches the {fit} alone, and the "
        "partner would have given it."
    )
    does, because = {
        "convention": (
            "has a token. A hint asks for the newest card that it touches, and your partner hints "
            "whenever it can ask for a card that fits",
            hidden if covered else alone,
        ),
        "tells": (
            "has a token, and hints the rank of a card that fits whenever you hold one",
            f"With the {fit} in any slot the partner would have hinted {fit[1]}s.",
        ),
        "without": (
            "would like to give a hint, but has no token",
            "The partner could not have given a hint, whatever you hold. So its silence tells "
            "nothing.",
        ),
        "colours": (
            "has a token, but never hints a rank. It hints a colour whenever your newest card of "
            "that colour fits",
            f"The hint of its colour asks for the {fit}, unless the {cards[1]} is newer. So the "
            f"{fit} may lie in slot 0 or in slot 1, but not in slot 2.",
        ),
    }[rule]
    return {
        "question": f"Four cards are left, {listed(cards)}. Three of them are your hand, slot 0 "
        f"the oldest, and only the {fit} fits. Your partner {does}. Now it gives no hint. Which of "
        f"your slots can certainly not hold the {fit}?",
        "choices": slots,
        "answer": slots[n_out],
        "because": because,
        "name": "silence",
    }


def echo(rng=None):
    """What BB makes of one piece of news, after some steps or at rest."""
    news, n_steps = 9, None
    if rng is not None:
        news, n_steps = _any((3, 4, 9), rng), _any((1, 2, None), rng)
    known = cases.S6.candidates, cases.S6.hint_mask, np.array([[news, 1.0], [1.0, 1.0]])
    settings = V1Settings()
    if n_steps is not None:
        settings = V1Settings(damping=1, n_iterations=n_steps, tolerance=0)
    says, truth = (b[0, 0] for b in (bad_belief(*known, settings=settings), exact_belief(*known)))
    parts = [f"less than {truth:.2g}", f"{truth:.2g}", f"between {truth:.2g} and 0.99",
             "more than 0.99"]  # fmt: skip
    at = int(np.digitize(says, [truth - 1e-6, truth + 1e-6, 0.99]))
    because = f"BB comes to {says:.3g}, and the truth is {truth:.2g}. "
    if at == 1:
        because += "Slot 0 has heard the news once, and nothing has come back from slot 1 yet."
    else:
        because += (
            "Slot 1 has heard that *a* is probably taken, and leans to *b*. That comes back to "
            "slot 0 as if it were fresh news"
            + (", and does so again and again." if n_steps is None else ".")
        )
    when = {1: "after one step", 2: "after two steps", None: "when it has come to rest"}[n_steps]
    return {
        "question": f"One *a* and one *b* lie in two slots. Your partner's action is "
        f"{NUMBERS[news]} times as likely if slot 0 holds the *a*, so the true probability of *a* "
        f"in slot 0 is {truth:.2g}. BB begins with this news. In each step a slot subtracts what "
        "the other slot promises, and multiplies by its row of L. What does BB say of *a* in slot "
        f"0 {when}?",
        "choices": parts,
        "answer": parts[at],
        "because": because,
        "name": "echo",
    }


def listener(rng=None):
    """What beliefs are worth in points, by the stored games of the Listener."""
    heard = {c.belief: c for c in stored_player_scores()[1]["listeners"]}
    iggi = next(c for c in stored_scores()[2] if (c.agent, c.belief) == ("IGGI", "V0"))
    player = (
        "In Hanabi for two, the Listener plays the card that is likeliest to fit. It knows what "
        "its partner, who has a convention, would do with each hand. "
    )
    pairs = [
        ("How many of 25 points does the exact belief *with L* add to its score with V0?",
         heard["V0"], heard["exact with L"],
         "In the partner's choices it reads what a hint asks for."),
        ("How many of 25 points does the exact belief *without L* add to its score with V0?",
         heard["V0"], heard["exact"], "Counting better adds little."),
        ("With BB it uses L. How many of 25 points does it lose if each slot uses only its own "
         "row of L, and no slot subtracts what the others promise?",
         heard["BB, first row"], heard["BB"],
         "Now that there is news to pass on, it pays to pass it on."),
        ("IGGI plays only what V0 is certain of, and hints at cards that fit. By how many of 25 "
         "points does the Listener with L beat it?",
         iggi, heard["exact with L"], "That is what L is worth beside a program with good rules."),
    ]  # fmt: skip
    asks, lower, upper, why = pairs[0] if rng is None else _any(pairs, rng)
    gain = upper.mean - lower.mean
    worths = {"less than 1": 0, "1 to 3": 1, "3 to 6": 3, "more than 6": 6}
    return {
        "question": player + asks,
        "choices": list(worths),
        "answer": max((w for w in worths if worths[w] <= gain), key=worths.get),
        "because": f"The difference is {gain:.1f} points, from {lower.mean:.1f} to "
        f"{upper.mean:.1f}. {why}",
        "name": "listener",
    }
