"""Hanabi: the game, agents that play it, and beliefs about hidden cards.

A `State` is one moment of a game; `play_game` yields a `Frame` for each turn, and its agents
are functions ``agent(state, rng)`` that answer with a `Play`, `Discard`, `HintColour` or
`HintRank`, such as `RuleAgent`, and `Searcher`, which looks a move ahead. ``state.public()`` is
what everybody knows and ``state.view(player)`` what one player knows: how many copies of each
card are unseen, and which cards the hints allow in each slot. Every belief is a function of
these two arrays: `v0_belief`, `v1_belief` (iterated as `V1Settings` say; `v1_result` and
`v1_iterations` show how), `bp_belief` and `exact_belief`. What an action tells beyond its hint
is a likelihood, of one action from `exact_likelihood` or of a whole game from
`public_likelihood`; with it, `exact_belief`, `bp_belief`, `bad_belief` and `v2_belief` believe
what the actions say; `belief_after` does all of this for a log. The policy that a likelihood
asks for is `convention_would_act`, or that of any agent, `agent_would_act`, of players who may
err with `allow_errors`. Positions and logs are text (`parse_state`, `read_log`, `log_text`),
and those of others can be read (`read_game` of hanab.live, `parse_reference`); `score_table`
compares agents. An argument of a wrong kind is a TypeError, one out of its range a ValueError, and
both name it.

A game from the table, in a text file or here: what may the card in slot 2 of player 1 be after the
hint, by hints and counting, and for those who know that a hint asks for its newest card?

>>> from gameai_lib.hanabi import belief_after, card_name, convention_would_act, read_log
>>> game = read_log('''
... player 0: Y1 Y3 G1 B4 B5
... player 1: W5 R3 R1 W4 W2
... player 2: G2 B1 B1 G4 R4
... hints 1 red
... ''')
>>> for policy in (None, convention_would_act):
...     belief = belief_after(game, policy, player=1)
...     print([f"{card_name(card)} {belief[2, card]:.2f}" for card in range(3)])
['R1 0.33', 'R2 0.22', 'R3 0.22']
['R1 1.00', 'R2 0.00', 'R3 0.00']

More is in ``game`` (box, moves, rules, table, text, notation, others, play), ``belief`` (v0, v1,
bad, exact, bethe, hands, likelihood, after) and ``players`` (agents, policy, searcher: who acts on
beliefs; self_play, score_table).
"""

from gameai_lib.hanabi.belief.after import belief_after
from gameai_lib.hanabi.belief.bad import bad_belief, v2_belief
from gameai_lib.hanabi.belief.bethe import bp_belief
from gameai_lib.hanabi.belief.exact import InconsistentState, exact_belief
from gameai_lib.hanabi.belief.likelihood import exact_likelihood, public_likelihood
from gameai_lib.hanabi.belief.v0 import v0_belief
from gameai_lib.hanabi.belief.v1 import (
    NotConverged,
    V1Result,
    V1Settings,
    v1_belief,
    v1_iterations,
    v1_result,
)
from gameai_lib.hanabi.game.box import NO_CARD, card_name, parse_card
from gameai_lib.hanabi.game.moves import Discard, HintColour, HintRank, Play, hint_cards
from gameai_lib.hanabi.game.notation import log_text, parse_state, read_log
from gameai_lib.hanabi.game.others import game_json, parse_reference, read_game
from gameai_lib.hanabi.game.play import Frame, play_game
from gameai_lib.hanabi.game.rules import IllegalMove, State, describe
from gameai_lib.hanabi.game.text import NotationError, parse_move
from gameai_lib.hanabi.players.agents import RuleAgent
from gameai_lib.hanabi.players.policy import (
    agent_would_act,
    allow_errors,
    convention_would_act,
)
from gameai_lib.hanabi.players.score_table import ScoreTable, score_table
from gameai_lib.hanabi.players.searcher import Searcher
from gameai_lib.hanabi.players.self_play import SelfPlay, self_play

__all__ = [
    "NO_CARD",
    "Discard",
    "Frame",
    "HintColour",
    "HintRank",
    "IllegalMove",
    "InconsistentState",
    "NotConverged",
    "NotationError",
    "Play",
    "RuleAgent",
    "ScoreTable",
    "Searcher",
    "SelfPlay",
    "State",
    "V1Result",
    "V1Settings",
    "agent_would_act",
    "allow_errors",
    "bad_belief",
    "belief_after",
    "bp_belief",
    "card_name",
    "convention_would_act",
    "describe",
    "exact_belief",
    "exact_likelihood",
    "game_json",
    "hint_cards",
    "log_text",
    "parse_card",
    "parse_move",
    "parse_reference",
    "parse_state",
    "play_game",
    "public_likelihood",
    "read_game",
    "read_log",
    "score_table",
    "self_play",
    "v0_belief",
    "v1_belief",
    "v1_iterations",
    "v1_result",
    "v2_belief",
]
