"""Hanabi: rules, agents, and beliefs about hidden cards (V0, V1, BB, V2 and exact)."""

from gameai_lib.hanabi.belief.exact import exact_belief
from gameai_lib.hanabi.belief.public import (
    V1Settings,
    bad_belief,
    v0_belief,
    v1_belief,
    v1_iterations,
    v1_result,
    v2_belief,
)
from gameai_lib.hanabi.game.rules import State

__all__ = [
    "State",
    "V1Settings",
    "bad_belief",
    "exact_belief",
    "v0_belief",
    "v1_belief",
    "v1_iterations",
    "v1_result",
    "v2_belief",
]
