"""The agents of the league, by name: lists of rules, a mirror, and two who search."""

from gameai_book.together.mirror import MIRROR
from gameai_lib.hanabi.game.play import Agent
from gameai_lib.hanabi.players.agents import RULES, RuleAgent
from gameai_lib.hanabi.players.rules import hint_asking, hint_useful
from gameai_lib.hanabi.players.searcher import FORGIVING, READING, Searcher

CONVENTION = RuleAgent("Convention")
HINTS_FIRST = (hint_asking, *(rule for rule in RULES["Convention"] if rule != hint_asking))
# Where the Listener speaks the convention and hears none, this one hears it and speaks none.
HEARER = [hint_useful if rule is hint_asking else rule for rule in RULES["Convention"]]
AGENTS: dict[str, Agent] = {
    **{name: RuleAgent(name) for name in RULES},
    "Hints first": RuleAgent(HINTS_FIRST),
    "Hearer": RuleAgent(HEARER),
    "Mirror": MIRROR,
    "Searcher": Searcher(CONVENTION, READING),
    "Soft searcher": Searcher(CONVENTION, FORGIVING),
}
