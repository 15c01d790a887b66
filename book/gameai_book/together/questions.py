"""The questions of the chapter, each a function of a generator.

Without a generator a question has the lesson's own numbers, with one it has others. Every answer
is computed, or is what games have shown.
"""

from itertools import combinations

import numpy as np

from gameai_book.hanabi.boards.words import join
from gameai_book.together.results.ladder import stored_rungs
from gameai_book.together.results.league import stored_league
from gameai_book.together.results.open_deals import stored_open_deals
from gameai_book.together.results.tuning import stored_tuning
from gameai_lib.hanabi.game.box import COLOURS
from gameai_lib.hanabi.players.reading import FORGIVENESS
from gameai_lib.hanabi.players.searcher import N_ERRORS
from gameai_lib.together.rule_list import CONVENTION, TUNED

MARGIN = 0.1
# What a searcher draws its own hand from, as a question says it.
DRAWS = {
    "V0": "each slot by itself from V0, which counts the copies that the hints allow",
    "V1": "each slot by itself from V1",
    "BP": "each slot by itself from belief propagation, which is nearly exact",
    "exact": "all hands that the hints allow, each as often as an exact count says",
    "promised": "all hands that the hints allow and in which every card that a hint asked for "
    "really fitted then",
    "exact with L": "only the hands with which its partner would have made each of its moves",
}
# What the tuned list does and the Convention does not.
DIALS = {
    "asking": "it asks at first only if it has two tokens",
    "last token asks": "it may spend its last token on asking, if it has no better move",
    "saving": "it saves a 2 or a last copy that the partner would throw away next",
    "any critical before": "it saves any last copy before it throws away a useless card",
    "gamble": "with an empty deck it plays the likeliest card, if it has a life to spare",
    "all marked": "if hints have told of all its cards, it throws away the likeliest useless one",
}


def worth(rng=None):
    """What a risky play is worth on the last turn."""
    score, n_lives, percent = 18, 1, 90
    if rng is not None:
        score, n_lives = int(rng.integers(12, 24)), int(rng.integers(1, 4))
        percent = int(rng.choice([40, 50, 60, 80, 90]))
    p, after = percent / 100, score if n_lives > 1 else 0
    value = p * (score + 1) + (1 - p) * after
    compared = "less" if value > score else "more"
    loses = "costs a life, and the points stay" if after else "costs the last life and all points"
    return {
        "question": f"It is the last turn of a game of Hanabi with {score} points and "
        f"{n_lives} {'life' if n_lives == 1 else 'lives'} left. By your belief your slot 0 fits "
        f"with {percent} %. How many points does the game end with on average if you play it?",
        "answer": value,
        "tolerance": 0.05,
        "because": f"With {percent} % the game ends with {score + 1} points. Otherwise the play "
        f"{loses}. That makes {p:g} × {score + 1} + {1 - p:g} × {after} = {value:g}. A discard "
        f"keeps {score}, which is {compared}.",
        "name": "worth",
    }


def blind(rng=None):
    """What search gains or loses on one of the beliefs."""
    rungs = stored_rungs()["beliefs"]
    rung = next(r for r in rungs if (r.belief, r.n_deals) == ("exact", 100))
    if rng is not None:
        rung = rungs[_any([0, 3, 4, 5, 6, 7], rng)]
    bounds = (-3, -0.5, 0.5, 1.5)  # none within two errors of what was measured
    choices = [
        "It loses more than three points.",
        "It loses between half a point and three points.",
        "It changes by less than half a point.",
        "It gains between half a point and one and a half points.",
        "It gains more than one and a half points.",
    ]
    why = {
        "promised": "It trusted that each card that was asked for had fitted.",
        "exact with L": "It asked of each hand whether its partner would have moved as it did.",
    }.get(
        rung.belief,
        "It did not ask why its partner gave the hints that it gave. So it left the convention for "
        "moves that only seemed to be better.",
    )
    return {
        "question": "Two Hanabi players follow a convention. Then one of them begins to search: it "
        f"draws {rung.n_deals} deals, and makes the move that ends with the most points on them "
        f"if both follow the convention afterwards. It draws its own hand from "
        f"{DRAWS[rung.belief]}. What becomes of the mean score of the two?",
        "choices": choices,
        "answer": choices[int(np.digitize(rung.gain, bounds))],
        "because": f"In {rung.n_games} games the mean score "
        f"{'rose' if rung.gain > 0 else 'fell'} by {abs(rung.gain):.1f} points. {why}",
        "name": "blind",
    }


def kept(rng=None):
    """How many drawn hands agree with a partner who gave no hint."""
    fits, hands = ("R2", "W4"), ["R2 B3", "Y1 W4", "G5 B3", "Y1 Y1", "B3 G5"]
    if rng is not None:
        letters, ranks = rng.permutation([*COLOURS]).tolist(), rng.integers(1, 5, 5)
        cards = [f"{letter}{rank}" for letter, rank in zip(letters, ranks, strict=True)]
        fits = tuple(cards[:2])
        drawn = rng.choice(cards, (5, 2), p=[0.16, 0.16, 0.22, 0.23, 0.23])
        hands = [" ".join(hand) for hand in drawn.tolist()]
    stay = [hand for hand in hands if not {*hand.split()} & {*fits}]
    why = "Each of the five hands holds such a card, so it keeps none."
    if stay:
        why = f"{join(stay)} {'hold' if len(stay) > 1 else 'holds'} no such card."
    return {
        "question": "Your hand has two slots. Your partner had a token for a hint. It asks for a "
        "card that fits whenever you hold one, and a hint asks for the newest card that it "
        f"touches. Now it gave no hint. Only {fits[0]} and {fits[1]} fit. A searcher has drawn "
        f"five hands for you, the older card first: {join(hands)}. How many of the five does it "
        "keep if it reads your partner's choice?",
        "answer": len(stay),
        "tolerance": 0,
        "because": "If you held a card that fits, your partner would have hinted. " + why,
        "name": "kept",
    }


def chooses(rng=None):
    """Which move a searcher makes, by gains and their errors."""
    names = ["hint red", "play slot 2", "discard slot 0", "play slot 4"]
    gains, errors = np.array([0.05, 0.9, 0.4, -1.2]), np.array([0.01, 0.5, 0.1, 0.3])
    if rng is not None:
        pool = ["hint blue", "hint 3s", "play slot 0", "play slot 3", "discard slot 1", *names]
        names = rng.choice(pool, 4, replace=False).tolist()
        gains = rng.choice([0.06, 0.08, 0.3, 0.4, 0.6, 0.9, 1.5, -0.5], 4, replace=False)
        errors = rng.choice([0.02, 0.1, 0.2, 0.3, 0.5, 0.8], 4, replace=False)
    ways = (gains > MARGIN) & (gains > N_ERRORS * errors)
    stays = "the move of the rules"
    answer = names[int(np.where(ways, gains, 0).argmax())] if ways.any() else stays
    rows = zip(names, gains, errors, strict=True)
    said = "; ".join(f"{name} {g:+.2f} ± {e:.2f}".replace("-", "−") for name, g, e in rows)
    passing = [name for name, way in zip(names, ways, strict=True) if way]
    why = "No move passes the test. A large mean with a large error may be luck."
    if len(passing) > 1:
        why = f"{join(passing).capitalize()} pass the test, and it takes the one that gains most."
    elif passing:
        why = f"{passing[0].capitalize()} alone passes the test."
    return {
        "question": "A searcher has played four moves on a hundred deals. Each gain over the move "
        f"of its rules stands here with its standard error: {said}. It leaves its rules only for "
        f"a gain of more than {MARGIN} points that is also more than two standard errors. What "
        "does it do?",
        "choices": [*names, stays],
        "answer": answer,
        "because": why,
        "name": "chooses",
    }


def overrated(rng=None):
    """What plays bring that a belief overrates, or underrates."""
    believed, true, cost = 40, 20, 0.5
    if rng is not None:
        believed, true = rng.choice([10, 20, 30, 40, 50, 60, 70], 2, replace=False).tolist()
        cost = float(rng.choice([0.25, 0.5, 1]))
    expected, value = (percent / 100 * (1 + cost) - cost for percent in (believed, true))
    ends = {
        (True, True): "The play is right all the same.",
        (True, False): "It makes the play, and is worse off.",
        (False, True): "It does not make the play, and would have been better off.",
        (False, False): "It does not make the play, and rightly so.",
    }
    return {
        "question": f"A searcher believes of some cards that {believed} % of them fit. In truth "
        f"{true} % do. A card that fits brings a point, and a card that does not fit costs "
        f"{cost:.2f} points on average. How many points does it bring on average to play such a "
        "card?",
        "answer": round(value, 6),
        "tolerance": 0.02,
        "because": f"In truth {true / 100:g} × 1 − {1 - true / 100:g} × {cost:.2f} = {value:+.3f}. "
        f"The searcher expects {expected:+.3f}. {ends[expected > 0, value > 0]}".replace("-", "−"),
        "name": "overrated",
    }


def forgiven(rng=None):
    """How many times as likely one hand is as another, by moves that the rules do not explain."""
    few, more = 1, 3
    if rng is not None:
        few, more = sorted(rng.choice(5, 2, replace=False).tolist())
    times = FORGIVENESS ** (few - more)
    explained = f"all of its partner's moves{f' but {few}' if few else ''}"
    return {
        "question": "A searcher weighs the hands that it may hold. If it holds hand A, the rules "
        f"explain {explained}. "
        f"If it holds hand B, they explain all but {more}. Each move that the rules do not explain "
        f"multiplies the weight of a hand by {FORGIVENESS}. What is A's weight divided by B's?",
        "answer": times,
        "tolerance": 0.06 * times,
        "because": f"The weights are {FORGIVENESS} to the power {few} and {FORGIVENESS} to the "
        f"power {more}. Their ratio is {FORGIVENESS} to the power {few - more}, which is "
        f"{times:.3g}. No hand is ruled out.".replace("-", "−"),
        "name": "forgiven",
    }


def dearest(rng=None):
    """Which part of the tuned list costs most if it is put back."""
    differ = [dial for dial, value in TUNED.items() if CONVENTION[dial] != value]
    rows = {(row["dial"], row["value"]): row for row in stored_tuning()[1]["ablations"]}
    lost = {dial: -rows[dial, CONVENTION[dial]]["gain"] for dial in differ}
    n_games = rows[differ[0], CONVENTION[differ[0]]]["n_games"]
    asked = ["saving", "any critical before", "gamble", "asking"]
    if rng is not None:
        asked = rng.choice(list(lost), 3, replace=False).tolist()
    most = max(asked, key=lost.get)
    said = "; ".join(f"{DIALS[dial]}: {lost[dial]:.2f}" for dial in asked)
    return {
        "question": "A tuner has changed a list of rules of Hanabi in six ways. Undo one of them, "
        "and keep the other five. Which of these costs most points?",
        "choices": [DIALS[dial] for dial in asked],
        "answer": DIALS[most],
        "because": f"Points that {n_games:,} games lost on average: {said}. A part costs little if "
        "another one still does most of its work.",
        "name": "dearest",
    }


def strangers(rng=None):
    """What two agents score together that are good by themselves."""
    found = stored_league()
    names, means = list(found.names), found.means
    pair = ("Convention", "Mirror")
    if rng is not None:
        listed = ["Convention", "Mirror", "IGGI", "Tuned", "Piers", "Outer"]
        pair = _any(list(combinations(listed, 2)), rng)
    i, j = (names.index(name) for name in pair)
    choices = ["fewer than 5", "5 to 12", "12 to 18", "18 or more"]
    why = "What the one means by a hint, the other does not hear."
    if means[i, j] > min(means[i, i], means[j, j]) - 2:
        why = "They understand each other."
    return {
        "question": f"In Hanabi two copies of the program {pair[0]} score {means[i, i]:.1f} points "
        f"together, and two copies of {pair[1]} score {means[j, j]:.1f}. {_who(pair)} How many "
        "points does one of each score?",
        "choices": choices,
        "answer": choices[int(np.digitize(means[i, j], [5, 12, 18]))],
        "because": f"Together they score {means[i, j]:.1f} points. {why}",
        "name": "strangers",
    }


def open_cards(rng=None):
    """In how many deals all points can be found with open cards."""
    _, deals, searches = stored_open_deals()
    who, n_players = "NRPA", 2
    n_perfect = deals[2].n_perfect
    if rng is not None:
        row = _any([row for row in searches if row.n_perfect], rng)
        n_players, n_perfect = row.n_players, row.n_perfect
        who = {
            "NRPA": "NRPA with a few thousand games a deal",
            "NMCS": "NMCS with a few thousand games a deal",
            "random moves": "the best of a few thousand games of sensible random moves",
            "Convention": "a team of Convention players, who do not see their own cards,",
        }[row.agent]
    bounds = (100, 300, 400, 475)
    choices = ["fewer than 100", "100 to 300", "300 to 400", "400 to 475", "more than 475"]
    return {
        "question": f"500 deals of Hanabi for {n_players} players lie on a table with all cards "
        f"open, the deck as well. In how many of them does {who} find all 25 points?",
        "choices": choices,
        "answer": choices[int(np.digitize(n_perfect, bounds))],
        "because": f"In {n_perfect} of 500. With open cards nearly every deal allows 25 points, so "
        "the deck is hardly ever to blame.",
        "name": "open-cards",
    }


def _who(pair):
    said = {
        "Mirror": "Mirror's hints ask for the oldest card that they touch.",
        "Convention": "Convention's hints ask for the newest card that they touch.",
        "Tuned": "Tuned's hints ask for the newest card that they touch.",
    }
    known = [said[name] for name in pair if name in said]
    return " ".join(known) or "Neither of the two has a convention."


def _any(items, rng):
    return items[int(rng.integers(len(items)))]
