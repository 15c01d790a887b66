"""Beliefs about hidden cards: V0, V1, BB, V2, exact, from actions, and how good they are."""
