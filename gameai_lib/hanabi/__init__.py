"""Hanabi: the game, agents that play it, and beliefs about hidden cards.

A `State` is one moment of a game; `play_game` yields a `Frame` for each turn, and its agents
are functions ``agent(state, rng)`` that answer with a `Play`, `Discard`, `HintColour` or
`HintRank`, such as `RuleAgent`. ``state.public()`` is what everybody knows and
``state.view(player)`` what one player knows: how many copies of each card are unseen, and which
cards the hints allow in each slot. Every belief is a function of these two arrays: `v0_belief`,
`v1_belief` (iterated as `V1Settings` say; `v1_result` and `v1_iterations` show how) and
`exact_belief`. What an action tells beyond its hint is a likelihood, of one action from
`exact_likelihood` or of a whole game from `public_likelihood`; with it, `exact_belief`,
`bad_belief` and `v2_belief` believe what the actions say.

More is in ``game`` (rules, play, memory, cases), ``belief`` (public, exact, likelihood,
accuracy), ``players`` (agents, convention, listener: who acts on beliefs), ``errors`` (what the
source prints wrongly), ``results`` (stored scores, tables), ``board`` (the game, to be played by
the reader) and ``show`` (views and figures, which need matplotlib).
"""

from gameai_lib.hanabi.belief.after import belief_after
from gameai_lib.hanabi.belief.exact import InconsistentState, exact_belief
from gameai_lib.hanabi.belief.likelihood import exact_likelihood, public_likelihood
from gameai_lib.hanabi.belief.public import (
    NotConverged,
    V1Result,
    V1Settings,
    bad_belief,
    v0_belief,
    v1_belief,
    v1_iterations,
    v1_result,
    v2_belief,
)
from gameai_lib.hanabi.game.cards import (
    NO_CARD,
    Discard,
    HintColour,
    HintRank,
    Play,
    card_name,
    hint_cards,
    parse_card,
)
from gameai_lib.hanabi.game.logs import log_text, read_log, write_log
from gameai_lib.hanabi.game.play import Frame, SelfPlay, play_game, self_play
from gameai_lib.hanabi.game.positions import parse_state
from gameai_lib.hanabi.game.rules import IllegalMove, State, describe
from gameai_lib.hanabi.game.text import RecordError, parse_move
from gameai_lib.hanabi.players.agents import RuleAgent
from gameai_lib.hanabi.players.convention import convention_would_act
from gameai_lib.hanabi.players.policy import agent_would_act
from gameai_lib.hanabi.results.contest import ScoreTable, score_table

__all__ = [
    "NO_CARD",
    "Discard",
    "Frame",
    "HintColour",
    "HintRank",
    "IllegalMove",
    "InconsistentState",
    "NotConverged",
    "Play",
    "RecordError",
    "RuleAgent",
    "ScoreTable",
    "SelfPlay",
    "State",
    "V1Result",
    "V1Settings",
    "agent_would_act",
    "bad_belief",
    "belief_after",
    "card_name",
    "convention_would_act",
    "describe",
    "exact_belief",
    "exact_likelihood",
    "hint_cards",
    "log_text",
    "parse_card",
    "parse_move",
    "parse_state",
    "play_game",
    "public_likelihood",
    "read_log",
    "score_table",
    "self_play",
    "v0_belief",
    "v1_belief",
    "v1_iterations",
    "v1_result",
    "v2_belief",
    "write_log",
]
