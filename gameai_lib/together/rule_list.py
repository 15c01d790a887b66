"""The Convention agent's list of rules as a search space: which rules, and in which order.

>>> from gameai_lib.ntbea import tune
>>> tuned = tune(mean_score, SPACE, 30, rng=1, named=True)
>>> agent = agent_of(tuned.values)
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.types import Seed
from gameai_lib.hanabi.game.box import ALL_CARDS
from gameai_lib.hanabi.players import rules
from gameai_lib.hanabi.players.agents import RuleAgent
from gameai_lib.hanabi.players.self_play import score_decks
from gameai_lib.ntbea.game.space import SearchSpace

# The rules before which others may stand, in their order; the last can be replaced.
PLACES = ("play_asked", "hint_asking", "discard_useless", "discard_unmarked")
# A value is the name of a rule, or of one of `PLACES` before which it stands. Where a rule is
# None, its place says nothing.
SPACE = SearchSpace(
    {
        "asking": ("hint_asking", "hint_asking_with_two"),
        "last token asks": (False, True),
        "saving": (None, "hint_critical", "hint_critical_or_two"),
        "saving before": PLACES,
        "any critical before": (None, *PLACES[1:]),
        "certain before": PLACES[:3],
        "likely": (None, "play_nearly_certain", "play_likely"),
        "gamble": (None, "gamble_at_the_end", "gamble_if_possible"),
        "gamble before": PLACES[:3],
        "useless before": (PLACES[1], PLACES[3]),
        "discard": ("discard_unmarked", "discard_oldest", "discard_likeliest_useless"),
        "all marked": ("discard_oldest", "discard_likeliest_useless", "discard_randomly"),
    }
)
ANY = "hint_any_critical"
CONVENTION = {
    "asking": "hint_asking",
    "last token asks": False,
    "saving": None,
    "saving before": "discard_useless",
    "any critical before": None,
    "certain before": "discard_useless",
    "likely": None,
    "gamble": None,
    "gamble before": "hint_asking",
    "useless before": "discard_unmarked",
    "discard": "discard_unmarked",
    "all marked": "discard_oldest",
}

TUNED = CONVENTION | {
    "asking": "hint_asking_with_two",
    "last token asks": True,
    "saving": "hint_critical_or_two",
    "any critical before": "discard_useless",
    "gamble": "gamble_if_possible",
    "all marked": "discard_likeliest_useless",
}


def agent_of(values: Mapping[str, Any]) -> RuleAgent:
    """The agent with the rules that `values`, a value for each parameter of `SPACE`, say.

    Errors are those of `SearchSpace.point_of`.

    Examples
    --------
    >>> agent_of(CONVENTION).rules == RuleAgent("Convention").rules
    True
    """
    named = SPACE.values_of(SPACE.point_of(values))
    placed = [  # rules before the same place stand in this order
        (named["gamble before"], named["gamble"]),
        (named["useless before"], "discard_useless"),
        (named["saving before"], named["saving"]),
        (named["any critical before"] or PLACES[0], named["any critical before"] and ANY),
        (named["certain before"], "play_certain"),
        (named["certain before"], named["likely"]),
        (PLACES[2], "hint_asking" if named["last token asks"] else None),
        (PLACES[0], "play_asked"),
        (PLACES[1], named["asking"]),
        (PLACES[3], named["discard"]),
    ]
    placed.sort(key=lambda pair: PLACES.index(pair[0]))
    order = [rule for _, rule in placed if rule]
    # Whoever has proposed nothing need not be asked again.
    listed = dict.fromkeys([*order, named["all marked"], "hint_nothing", "play_newest"])
    return RuleAgent(rules.find_rules(" ".join(listed)))


def mean_score(values: Mapping[str, Any], rng: Seed, n_players: int = 2, n_games: int = 1) -> float:
    """Mean score of so many games of copies of an agent, on fresh decks: a noisy evaluation.

    One game has a standard deviation of about two points. Errors are those of `agent_of`, and of
    `score_decks`.

    Examples
    --------
    >>> mean_score(CONVENTION, rng=1, n_games=4)
    20.0
    """
    rng, n_games = checks.generator(rng), checks.whole("n_games", n_games)
    decks = rng.permuted(np.tile(ALL_CARDS, (n_games, 1)), axis=1)
    return float(score_decks(agent_of(values), n_players, decks, rng).mean())
