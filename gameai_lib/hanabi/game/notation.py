"""Positions and logs of games as text, written by hand in an editor or by the library.

A position is what ``print(state)`` shows. A log is a position, and a line for each move after it::

    # player 0 begins; the oldest card stands on the left and is in slot 0
    player 0: R1 Y1 G1 B4 B5
    player 1: R1 R2 R3 W4 W5
    deck: G2 Y2                  # as far as it is known
    hints 1 red
    plays 0 R1                   # the card may be left out
    discards 3
"""

import os
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.hanabi.game import box
from gameai_lib.hanabi.game.play import Frame, turns
from gameai_lib.hanabi.game.rules import State, describe
from gameai_lib.hanabi.game.text import (
    NotationError,
    lines_of,
    parse_move,
    parse_slot,
    read_text,
    within,
    words_of,
)

_PLAYERS = tuple(f"player {player}" for player in range(5))


def parse_state(text: str) -> State:
    """Read a position as ``print(state)`` shows it, or as it is written by hand.

    Each line is a name and a value, and ``#`` begins a comment. Only the hands are needed,
    ``player 0: …`` to ``player 4: …``, with slots as `gameai_lib.hanabi.game.text` says. The
    rest is that of a new game if it is left out: ``to move: player 0``, ``hints: 8``, ``lives: 3``,
    ``fireworks: R2 B1``, ``discards: Y4 Y4``, ``deck: R1 B2 …``, ``turns left: 2`` and
    ``last move: hints 0 red``. A deck that is left out is all other cards, in the order of their
    numbers, or lies face down if a hand does. What is no position is a `NotationError`.

    Examples
    --------
    >>> state = parse_state('''
    ... player 0: R1(R) Y1 G1 B4 B5
    ... player 1: R2 R2 R3 W4 W5
    ... fireworks: B1
    ... hints: 6
    ... ''')
    >>> print(state)  # doctest: +ELLIPSIS
    to move: player 0
    hints: 6
    lives: 3
    fireworks: R0 Y0 G0 W0 B1
    discards: none
    player 0: R1(R) Y1 G1 B4 B5
    player 1: R2 R2 R3 W4 W5
    deck: 39 cards: R1 R1 R3 R4 ...
    """
    state, n_unknown = _read_position("", lines_of(checks.kind("text", text, str)))
    if 0 < n_unknown < state.n_deck:
        n_named = state.n_deck - n_unknown
        raise NotationError(f"the deck has {state.n_deck} cards, all named or none, got {n_named}")
    return state


def _read_position(where, lines):
    """A `State`, and how many cards of its deck the lines do not name."""
    found = {}
    for place, line in lines:
        name, colon, value = (part.strip() for part in line.partition(":"))
        with within(where, place):
            if not colon:
                raise ValueError(f"a line is a name, a colon and a value, got {short(line)}")
            if name not in _READ:
                raise ValueError(f"there is no {short(name)}; lines are {', '.join(_READ)}")
            if name in found:
                raise ValueError(f"{name} is there already")
            found[name] = _READ[name](value)
    with within(where):
        state = _state(found)
    return state, state.n_deck - len(found.get("deck", ((), None))[0])


def _state(found):
    """A `State` from what the lines say, by their names."""
    hands = [found[name] for name in _PLAYERS if name in found]
    n_players = len(hands)
    if n_players not in box.HAND_SIZE or not found.keys() >= {*_PLAYERS[:n_players]}:
        got = ", ".join(name for name in _PLAYERS if name in found) or "none"
        raise ValueError(f"there are players 0 to 1, 2, 3 or 4, got {got}")
    mask = np.tile(~box.IS_CARD, (n_players, box.HAND_SIZE[n_players], 1))
    for player, slots in enumerate(hands):
        for slot, (_, allowed) in enumerate(slots[: mask.shape[1]]):  # `State` refuses more
            mask[player, slot] = allowed
    hands = tuple(_hand([card for card, _ in slots]) for slots in hands)
    piles = {name: found.get(name, _READ[name]("")) for name in ("fireworks", "discards")}
    deck = _rest_of_deck(*found.get("deck", ((), None)), hands, **piles)
    fields = {_FIELDS[name]: value for name, value in found.items() if name in _FIELDS}
    state = State(n_players, deck, hands, mask, **piles, **fields)
    # With all tokens and no card drawn, nobody has moved yet.
    is_new = state.n_hints == box.MAX_HINTS and len(deck) + mask[..., 0].size == box.DECK_SIZE
    return replace(state, past=()) if is_new and state.player == 0 else state


def _rest_of_deck(deck, n_deck, hands, fireworks, discards):
    """A deck with the cards that the text leaves out, if it may: where it does not count them."""
    known = [card for hand in hands if isinstance(hand, tuple) for card in hand]
    n_gone = discards + box.BUILT[fireworks].ravel()
    rest = box.rest_of_box(np.bincount([*known, *deck], minlength=box.N_CARDS) + n_gone)
    if n_hidden := sum(map(len, hands)) - len(known):
        deck = deck or box.FaceDown(max(len(rest) - n_hidden, 0)) or ()
    elif not deck or n_deck is None:
        deck += rest
    if n_deck not in (None, len(deck)):
        raise ValueError(f"{n_deck} cards cannot be in the deck: there are {len(deck)}")
    return deck


def _hand(cards):
    if None not in cards:
        return tuple(cards)
    if {*cards} != {None}:
        raise ValueError("a hand is known, or each of its cards is ? or such as ?(R1)")
    return box.FaceDown(len(cards))


def _fireworks(value):
    heights = dict.fromkeys(box.COLOURS, 0)
    for word in words_of(value):
        if not re.fullmatch("[RYGWB][0-5]", word):
            like = f"a letter of {box.COLOURS} and a digit"
            raise ValueError(f"a firework is {like}, got {short(word)}")
        heights[word[0]] = int(word[1])
    return np.array([*heights.values()])


def _discards(value):
    return np.bincount([box.parse_card(word) for word in words_of(value)], minlength=box.N_CARDS)


def _deck(value):
    counted = re.fullmatch(r"(\d\d?) cards?(?::(.*))?", value)
    cards = tuple(map(box.parse_card, words_of(counted[2] or "" if counted else value)))
    return cards, int(counted[1]) if counted else None


def _slots(value):
    return [parse_slot(word) for word in words_of(value)]


_READ: dict[str, Callable[[str], Any]] = {
    "to move": lambda value: int(value.removeprefix("player ")),
    "hints": int,
    "lives": int,
    "fireworks": _fireworks,
    "discards": _discards,
    "deck": _deck,
    "turns left": int,
    "last move": parse_move,
    **dict.fromkeys(_PLAYERS, _slots),
}
_FIELDS = {"to move": "player", "hints": "n_hints", "lives": "n_lives"}  # of a `State`
_FIELDS |= {"turns left": "turns_left", "last move": "last_move"}


def read_log(source: str | os.PathLike[str]) -> list[Frame]:
    """Read a game as `log_text` writes it, or as it is written by hand.

    First stands a position, as for `parse_state`: of a new game the hands that were dealt, that of
    the player who begins first, and the cards that were drawn, in this order; those that nobody
    drew may be left out. Then there is a line for each move, as for `parse_move`. The card played
    or discarded may follow (``plays 2 G1``): then it must be there. ``#`` begins a comment.

    `source` is the path of a file, or its text of several lines. The frames are as `play_game`
    yields them; the game need not be over. A line that cannot be read or breaks the rules is a
    `NotationError`, which names it.
    """
    where, text = read_text(source)
    lines = list(lines_of(text))
    n = next((n for n, (_, line) in enumerate(lines) if ":" not in line), len(lines))
    state, n_unknown = _read_position(where, lines[:n])
    frames = []
    for place, line in lines[n:]:
        with within(where, place):
            frames.append(_turn(state, line, n_unknown))
        state = frames[-1].next_state
    if not frames:
        with within(where):
            raise ValueError("there is no move")
    return frames


def _turn(state, line, n_unknown):
    """The `Frame` of a line such as ``plays 2 G1``."""
    *words, last = line.split()
    names_card = len(words) == 2 and words[0] in ("plays", "discards")
    card = box.parse_card(last) if names_card else None
    move = parse_move(" ".join(words) if names_card else line)
    after = state.apply(move)
    if card is not None and card != (held := state.hands[state.player][move.slot]):
        raise ValueError(f"slot {move.slot} holds {box.card_name(held)}, not {last}")
    if after.n_deck < state.n_deck <= n_unknown:
        raise ValueError("the deck does not name the card that is drawn here")
    return Frame(state, move, after)


def log_text(frames: Iterable[Frame]) -> str:
    """Write a game, or a part of it, as `read_log` reads it; what each move does is a comment."""
    frames = list(turns(frames))
    if not frames:
        raise ValueError("a log needs a move, got no frames")
    lines = [str(frames[0].state)]
    lines += [f"{move}  # {describe(state, move)}" for state, move, _ in frames]
    return "\n".join(lines) + "\n"
