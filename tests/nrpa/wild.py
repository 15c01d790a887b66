"""A game whose rules break their contract in every way, compiled once for all."""

import numpy as np

from gameai_lib.nrpa import Problem, Rules

# Dials in the floats say which rule does what, and from which ply and sum of codes on.
N_CODES, MAX_PLIES, MAX_LEGAL = 20, 6, 3
PLY, SUM, LEFT, TURNED, N_INTS = range(5)
DIALS = ("who", "deed", "where", "value", "since", "at_least", "written", "returned", "length")
WHO, DEED, WHERE, VALUE, SINCE, AT_LEAST, WRITTEN, RETURNED, LENGTH, COUNTED, N_FLOATS = range(11)
NOBODY, RESET, LEGAL, PLAY, SCORE = range(5)
PUT, ADD, TURN, PUT_FLOAT, ADD_FLOAT, DIVIDE, FORGET, OFFER, OFFER_AT, SAY, READ = range(11)


def goes_wrong(ints, floats, who):
    if floats[WHO] != who:
        return False
    return who == RESET or (ints[PLY] >= floats[SINCE] and ints[SUM] >= floats[AT_LEAST])


def do_wrong(ints, floats, who):
    if not goes_wrong(ints, floats, who):
        return
    deed, where = floats[DEED], int(floats[WHERE])
    if deed == PUT:
        ints[where] = int(floats[VALUE])
    if deed == ADD:
        ints[where] += 1
    if deed == TURN:
        ints[where] = 1 - ints[where]
    if deed == PUT_FLOAT:
        floats[where] = floats[VALUE]
    if deed == ADD_FLOAT:
        floats[where] += 1.0
    if deed == DIVIDE:
        ints[SUM] = 1 // (ints[PLY] - ints[PLY])


def wild_reset(ints, floats):
    ints[PLY] = 0
    ints[SUM] = 0
    ints[TURNED] = 0
    if floats[DEED] != FORGET:
        ints[LEFT] = 0
        floats[COUNTED] = 0.0
    do_wrong(ints, floats, RESET)


def write(codes, place, code):
    codes[place] = code


def wild_legal(ints, floats, codes, start):
    do_wrong(ints, floats, LEGAL)
    if ints[PLY] >= floats[LENGTH]:
        return 0
    deed = floats[DEED]
    offers = deed in (OFFER, OFFER_AT) and goes_wrong(ints, floats, LEGAL)
    for i in range(int(floats[WRITTEN]) if offers else MAX_LEGAL):
        write(codes, start + i, (MAX_LEGAL * ints[PLY] + i) % N_CODES)
    if not offers:
        return MAX_LEGAL
    write(codes, (start if deed == OFFER else 0) + int(floats[WHERE]), int(floats[VALUE]))
    return int(floats[RETURNED])


def wild_play(ints, floats, k, code):
    ints[SUM] += code + ints[TURNED]
    ints[PLY] += 1
    ints[LEFT] += 1
    do_wrong(ints, floats, PLAY)


def wild_score(ints, floats):
    score = 1.0 * ints[SUM] + ints[LEFT] + floats[COUNTED]
    if goes_wrong(ints, floats, SCORE):
        if floats[DEED] == SAY:
            return float(floats[VALUE])
        if floats[DEED] == READ:
            return 1.0 * ints[int(floats[WHERE])]
        do_wrong(ints, floats, SCORE)
    return score


def wild(name="wild", **dials):
    """A game of which the best scores 63 (codes that add up to 57, six plies), with dials set."""
    floats = np.zeros(N_FLOATS)
    dials = {"written": MAX_LEGAL, "returned": MAX_LEGAL, "length": MAX_PLIES} | dials
    for dial, value in dials.items():
        floats[DIALS.index(dial)] = value
    rules = Rules(wild_reset, wild_legal, wild_play, wild_score)
    return Problem(name, rules, np.zeros(N_INTS, int), floats, N_CODES, MAX_PLIES, MAX_LEGAL)


TWICE = "changes the position: where it is asked twice, the game goes differently"
MANY = "legal writes more legal moves than max_legal = 3"
# By name: what a rule is said to do, who does which deed, and the other dials.
FAULTS = {
    "code too large": ("legal writes code 25, outside 0 .. 19", LEGAL, OFFER, {"value": 25}),
    "code negative": ("legal writes code -1, outside 0 .. 19", LEGAL, OFFER, {"value": -1}),
    "code of more than 32 bits": ("legal writes code 42949", LEGAL, OFFER, {"value": 2**32 + 1}),
    "code not written": ("legal returns 3, but writes no", LEGAL, OFFER, {"written": 2}),
    "too many moves": (MANY, LEGAL, OFFER, {"written": 4, "returned": 4}),
    "far too many moves": (MANY, LEGAL, OFFER, {"written": 10**5, "returned": 10**5}),
    "one move more than said": (MANY, LEGAL, OFFER, {"written": 4}),
    "a negative number of moves": ("legal returns -1, outside 0", LEGAL, OFFER, {"returned": -1}),
    "endless": ("legal still has 3 moves: the game is longer", NOBODY, 0, {"length": 99}),
    "NaN": ("score returns nan, which is not finite", SCORE, SAY, {"value": np.nan}),
    "infinity": ("score returns inf, which is not finite", SCORE, SAY, {"value": np.inf}),
    "reset writes beyond": ("reset raises IndexError: index", RESET, PUT, {"where": 7}),
    "reset writes before": ("reset raises IndexError: index", RESET, PUT, {"where": -8}),
    "legal writes beyond": ("legal raises IndexError: index", LEGAL, PUT, {"where": 1005}),
    "play writes beyond": ("play raises IndexError: index", PLAY, PUT, {"where": 5000}),
    "score reads beyond": ("score raises IndexError: index 12", SCORE, READ, {"where": 12}),
    "division by zero": ("play raises ", PLAY, DIVIDE, {}),
    "reset forgets": ("reset leaves something of the game before", NOBODY, FORGET, {}),
    "legal counts": (f"legal {TWICE}", LEGAL, ADD, {"where": SUM}),
    "legal turns": (f"legal {TWICE}", LEGAL, TURN, {"where": TURNED}),
    "legal adds to a float": (f"legal {TWICE}", LEGAL, ADD_FLOAT, {"where": COUNTED}),
    "score counts": (f"score {TWICE}", SCORE, ADD, {"where": SUM}),
    "score moves": (f"score {TWICE}", SCORE, PUT, {"where": PLY}),
    "no first move": ("legal returns 0 for the first position", NOBODY, 0, {"length": 0}),
}  # fmt: skip
LATER = [name for name, (_, who, *_) in FAULTS.items() if who in (LEGAL, PLAY)]


def faulty(fault, **when):
    """A game with one of the faults, from a ply (`since`) or sum of codes (`at_least`) on."""
    _, who, deed, dials = FAULTS[fault]
    return wild(f"faulty: {fault}", who=who, deed=deed, **dials, **when)
