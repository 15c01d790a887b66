"""Positions and logs of games as text, written by hand in an editor or by the library.

A position is what ``print(state)`` shows. A log is the hands that were dealt, the cards drawn after
them, and a move a line::

    # Ann begins; the oldest card stands on the left and is in slot 0
    Ann: R1 Y1 G1 B4 B5
    Ben: R1 R2 R3 W4 W5
    deck: G2 Y2                  # as far as it is known
    Ann hints Ben red
    Ben plays 0 R1               # the card may be left out
    Ann discards 3
"""

import os
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import short
from gameai_lib.hanabi.game.cards import (
    BUILT,
    COLOURS,
    FULL_COUNTS,
    HAND_SIZE,
    IS_CARD,
    MAX_HINTS,
    MAX_LIVES,
    N_CARDS,
    FaceDown,
    card_name,
    parse_card,
)
from gameai_lib.hanabi.game.play import Frame, turns
from gameai_lib.hanabi.game.rules import State
from gameai_lib.hanabi.game.text import at, lines_of, names_of, parse_move, parse_slot, words_of

_PLAYERS = tuple(f"player {player}" for player in range(5))
_A_LINE = 20  # cards of the deck


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
    found = {}
    for number, line in lines_of(checks.kind("text", text, str).splitlines()):
        name, colon, value = (part.strip() for part in line.partition(":"))
        with at("", number):
            if not colon:
                raise ValueError(f"a line is a name, a colon and a value, got {short(line)}")
            if name not in _READ:
                raise ValueError(f"there is no {short(name)}; lines are {', '.join(_READ)}")
            if name in found:
                raise ValueError(f"{name} is there already")
            found[name] = _READ[name](value)
    with at(""):
        return _state(found)


def _state(found):
    """A `State` from what the lines say, by their names."""
    hands = [found[name] for name in _PLAYERS if name in found]
    n_players = len(hands)
    if n_players not in HAND_SIZE or not found.keys() >= {*_PLAYERS[:n_players]}:
        got = ", ".join(name for name in _PLAYERS if name in found) or "none"
        raise ValueError(f"there are players 0 to 1, 2, 3 or 4, got {got}")
    mask = np.tile(~IS_CARD, (n_players, HAND_SIZE[n_players], 1))
    for player, slots in enumerate(hands):
        for slot, (_, allowed) in enumerate(slots[: mask.shape[1]]):  # `State` refuses more
            mask[player, slot] = allowed
    hands = tuple(_hand([card for card, _ in slots]) for slots in hands)
    fireworks, discards = (found.get(name, _READ[name]("")) for name in ("fireworks", "discards"))
    n_deck, deck = found.get("deck", (None, ()))
    if not deck:
        known = [card for hand in hands if isinstance(hand, tuple) for card in hand]
        out = np.bincount(known, minlength=N_CARDS) + discards + BUILT[fireworks].ravel()
        deck = rest_of_box(out)
        if n_hidden := sum(map(len, hands)) - len(known):
            deck = FaceDown(max(len(deck) - n_hidden, 0)) or ()
    if n_deck not in (None, len(deck)):
        raise ValueError(f"{n_deck} cards cannot be in the deck: there are {len(deck)}")
    return State(
        n_players, deck, hands, mask, fireworks, discards,
        n_hints=found.get("hints", MAX_HINTS), n_lives=found.get("lives", MAX_LIVES),
        player=found.get("to move", 0), turns_left=found.get("turns left"),
        last_move=found.get("last move"),
    )  # fmt: skip


def _hand(cards):
    if None not in cards:
        return tuple(cards)
    if {*cards} != {None}:
        raise ValueError("a hand is known, or each of its cards is ? or such as ?(R1)")
    return FaceDown(len(cards))


def rest_of_box(out):
    """All cards but those of which (25,) `out` are out, in the order of their numbers."""
    left = np.maximum(FULL_COUNTS[:N_CARDS] - out, 0)  # `State` finds what is there too often
    return tuple(np.repeat(np.arange(N_CARDS), left.astype(np.intp)).tolist())


def _fireworks(value):
    heights = dict.fromkeys(COLOURS, 0)
    for word in words_of(value):
        if not re.fullmatch("[RYGWB][0-5]", word):
            raise ValueError(f"a firework is a letter of {COLOURS} and a digit, got {short(word)}")
        heights[word[0]] = int(word[1])
    return np.array([*heights.values()])


def _discards(value):
    return np.bincount([parse_card(word) for word in words_of(value)], minlength=N_CARDS)


def _deck(value):
    counted = re.fullmatch(r"(\d\d?) cards?(?::(.*))?", value)
    cards = tuple(map(parse_card, words_of(counted[2] or "" if counted else value)))
    return int(counted[1]) if counted else None, cards


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


def read_log(source: str | os.PathLike[str] | Iterable[str]) -> list[Frame]:
    """Read a game of two to five players, written by hand or by `log_text`.

    First come the hands that were dealt, a line each with the name of the player, who begins
    first, a colon and the cards, the oldest on the left. Then ``deck:`` has the cards that were
    drawn, in this order, in one line or more; those that nobody drew may be left out. Then there
    is a line for each move: ``Ann plays 2``, ``Ann discards 0``, ``Ann hints Ben red`` or
    ``Ann hints Ben 3s``. Slots count from 0, the oldest card; a new card comes in on the right.
    The card played or discarded may follow (``Ann plays 2 G1``): then it must be there. ``#``
    begins a comment.

    `source` is the path of a file, its text of several lines, or its lines. The frames are as
    `play_game` yields them; the game need not be over. A line that cannot be read or breaks the
    rules is a `NotationError`, which names it.
    """
    if isinstance(source, str) and "\n" in source:
        source = source.splitlines()
    if isinstance(source, str | os.PathLike):
        path = checks.file_path(source)
        with at(str(path)):
            lines = path.read_bytes().decode("utf-8-sig").splitlines()
        return _read(str(path), lines)
    lines = arrays.as_list("a log that is no file", source)
    return _read("", [checks.kind("a line", line, str) for line in lines])


def _read(source, lines):
    lines = list(lines_of(lines))
    n_dealt = next((n for n, (_, line) in enumerate(lines) if ":" not in line), len(lines))
    with at(source):
        state, names, n_unknown = _deal(source, lines[:n_dealt])
        if n_dealt == len(lines):
            raise ValueError("there is no move")
    frames = []
    for number, line in lines[n_dealt:]:
        with at(source, number):
            frames.append(_turn(state, line, names, n_unknown))
        state = frames[-1].next_state
    return frames


def _deal(source, lines):
    """The `State` of a new game, the players' names, and how many cards no line names."""
    hands, drawn = {}, []
    for number, line in lines:
        name, value = (part.strip() for part in line.split(":", 1))
        with at(source, number):
            cards = [parse_card(word) for word in value.split()]
            if name == "deck":
                drawn += cards
            elif name in hands:
                raise ValueError(f"{name} has a hand already")
            else:
                hands[_checked_name(name)] = cards
    n_players = len(hands)
    if n_players not in HAND_SIZE:
        raise ValueError(f"Hanabi has 2 to 5 players, got {n_players} hands")
    for name, cards in hands.items():
        if len(cards) != HAND_SIZE[n_players]:
            wanted = f"of {n_players} players each holds {HAND_SIZE[n_players]} cards"
            raise ValueError(f"{wanted}, {name} {len(cards)}")
    deck = [*chain(*hands.values()), *drawn]
    rest = rest_of_box(np.bincount(deck, minlength=N_CARDS))
    return State.from_deck(n_players, [*deck, *rest]), tuple(hands), len(rest)


def _turn(state, line, names, n_unknown):
    """The `Frame` of a line such as ``Ann plays 2 G1``."""
    if ":" in line:
        raise ValueError(f"hands and the deck stand before the moves, got {short(line)}")
    name, *words = line.split()
    names_card = len(words) == 3 and words[0] in ("plays", "discards")
    card = parse_card(words.pop()) if names_card else None
    if name not in names:
        raise ValueError(f"players are {', '.join(names)}; there is no {short(name)}")
    if name != names[state.player] and not state.is_over:
        raise ValueError(f"it is the turn of {names[state.player]}, not of {name}")
    move = parse_move(" ".join(words), names)
    after = state.apply(move)
    if card is not None and state.hands[state.player][move.slot] != card:
        held = card_name(state.hands[state.player][move.slot])
        raise ValueError(f"slot {move.slot} of {name} holds {held}, not {card_name(card)}")
    if after.n_deck < state.n_deck <= n_unknown:
        raise ValueError(f"the deck does not name the card that {name} draws here")
    return Frame(state, move, after)


def log_text(frames: Iterable[Frame], names: Sequence[str] = ("A", "B", "C", "D", "E")) -> str:
    """Write a game from its start as `read_log` reads it; each player's name is one word."""
    frames = list(turns(frames))
    if not frames:
        raise ValueError("a log needs a move, got no frames")
    first, past = frames[0].state, frames[-1].next_state.past or ()
    if first.past != () or [frame.move for frame in frames] != [move for move, _ in past]:
        raise ValueError("a log has all turns of a game from its start; these frames are not all")
    names = _checked_names(names, first.n_players)
    lines = [f"{name}: {names_of(hand)}" for name, hand in zip(names, first.hands, strict=True)]
    for start in range(0, first.n_deck, _A_LINE):
        lines.append(f"deck: {names_of(first.deck[start : start + _A_LINE])}")
    for turn, (move, card) in enumerate(past):
        lines.append(f"{names[turn % first.n_players]} {_say(move, card, names)}")
    return "\n".join(lines) + "\n"


def _checked_names(names, n_players):
    words = [_checked_name(name) for name in checks.kind("names", names, list, tuple)[:n_players]]
    if len({*words}) < n_players:
        raise ValueError(f"{n_players} players need {n_players} names, got {short(names)}")
    return words


def _checked_name(name):
    word = checks.kind("a name", name, str)
    if len(word.split()) != 1 or {*word} & {*":#"} or word == "deck":
        raise ValueError(f"a player's name is one word, got {short(name)}")
    return word


def _say(move, card, names):
    if card is not None:
        return f"{move} {card_name(card)}"
    verb, _, what = str(move).split()
    return f"{verb} {names[move.player]} {what}"
