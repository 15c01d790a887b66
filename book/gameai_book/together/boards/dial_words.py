"""The dials of the rule list in plain words, short enough for a board.

A list is a point of `SPACE`: for each dial the index of its value.
"""

from gameai_lib.together.rule_list import CONVENTION, SPACE, TUNED

# Of each dial the name, and the values in the order of `SPACE`. The places before which a rule may
# stand are called playing (the card asked for), asking, clearing (useless cards) and discarding.
DIALS = {
    "asking": ("Asking needs", ("one token", "two tokens")),
    "last token asks": ("Last token asks", ("as set above", "before a discard")),
    "saving": ("Save a card", ("never", "a last copy", "also a 2")),
    "saving before": ("Save before", ("playing", "asking", "clearing", "discard")),
    "any critical before": ("Save any before", ("never", "asking", "clearing", "discard")),
    "certain before": ("Sure play before", ("playing", "asking", "clearing")),
    "likely": ("Likely play", ("never", "at 90 %", "at 60 %")),
    "gamble": ("Final gamble", ("never", "always", "if it may fit")),
    "gamble before": ("Gamble before", ("playing", "asking", "clearing")),
    "useless before": ("Clear before", ("asking", "discarding")),
    "discard": ("Discard", ("unmarked", "oldest", "least useful")),
    "all marked": ("If all marked", ("oldest", "least useful", "any card")),
}
NAMES = tuple(DIALS[dial][0] for dial in SPACE.names)
LABELS = tuple(DIALS[dial][1] for dial in SPACE.names)
PLAIN = tuple(SPACE.point_of(CONVENTION).tolist())
CHOSEN = tuple(SPACE.point_of(TUNED).tolist())  # by a tuner


def spell(point):
    """What differs from the Convention, in words."""
    differing = [d for d, value in enumerate(point) if value != PLAIN[d]]
    return "; ".join(f"{NAMES[d]}: {LABELS[d][point[d]]}" for d in differing)
