"""Positions as text: what `print` shows of a `State`, and a reader may write."""

import re

import numpy as np

from gameai_lib.base import checks
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
    parse_card,
)
from gameai_lib.hanabi.game.rules import State
from gameai_lib.hanabi.game.text import at, lines_of, parse_move, parse_slot, words_of

_FIELDS = ("to move", "hints", "lives", "fireworks", "discards", "deck", "turns left", "last move")


def parse_state(text: str) -> State:
    """Read a position as ``print(state)`` shows it, or as it is written by hand.

    Each line is a name and a value, and ``#`` begins a comment. Only the hands are needed,
    ``player 0: …`` to ``player 4: …``: each card by its name, with the colours and ranks that
    hints still allow in brackets behind it, ``R1``, ``R1(R)``, ``W4(YGWB)``, ``G2(G234)``. The
    rest is that of a new game if it is left out: ``to move: player 0``, ``hints: 8``,
    ``lives: 3``, ``fireworks: R2 B1``, ``discards: Y4 Y4``, ``deck: R1 B2 …``, ``turns left: 2``
    and ``last move: hints 0 red``. A deck that is left out is all other cards, in the order of
    their numbers: it matters to no belief what comes next. Nor do one's own cards: where they
    are not known, each is ``?`` or ``?(R)``, and the deck lies face down.

    Parameters
    ----------
    text : str

    Returns
    -------
    State

    Raises
    ------
    NotationError
        If a line cannot be read, or the parts are not those of one moment of a game.

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
    found: dict[str, tuple[int, str]] = {}  # by name: number of the line, value
    for number, line in lines_of(checks.kind("text", text, str).splitlines()):
        name, colon, value = (part.strip() for part in line.partition(":"))
        with at("", number):
            if not colon:
                raise ValueError(f"a line is a name, a colon and a value, got {short(line)}")
            if name not in _FIELDS and name not in _players(5):
                known = f"{', '.join(_FIELDS)}, player 0, player 1 …"
                raise ValueError(f"there is no {short(name)}; lines are {known}")
            if name in found:
                raise ValueError(f"{name} is there already, in line {found[name][0]}")
        found[name] = number, value
    hands = [name for name in found if name not in _FIELDS]
    n_players = len(hands)
    with at(""):
        if n_players not in HAND_SIZE or {*hands} != {*_players(n_players)}:
            got = ", ".join(sorted(hands)) or "none"
            raise ValueError(f"there are players 0 to 1, 2, 3 or 4, got {got}")
    fields = {"n_players": n_players}
    for name, (number, value) in found.items():
        with at("", number):
            fields[name] = _READ.get(name, _slots)(value)
    with at(""):
        return _state(fields)


def _players(n_players):
    return [f"player {player}" for player in range(n_players)]


def _state(fields):
    """A `State` from what the lines say."""
    n_players, size = fields["n_players"], HAND_SIZE[fields["n_players"]]
    mask = np.tile(~IS_CARD, (n_players, size, 1))
    hands = [fields[name] for name in _players(n_players)]
    for player, slots in enumerate(hands):
        if len(slots) > size:
            raise ValueError(f"player {player} holds at most {size} cards, got {len(slots)}")
        for slot, (_, allowed) in enumerate(slots):
            mask[player, slot] = allowed
    hands = tuple(map(_hand, _players(n_players), hands))
    known = [hand for hand in hands if not isinstance(hand, FaceDown)]
    fireworks, discards = (fields.get(name, _READ[name]("")) for name in ("fireworks", "discards"))
    n_deck, deck = fields.get("deck", (None, ()))
    if not deck:
        out = np.bincount([card for hand in known for card in hand], minlength=N_CARDS)
        deck = rest_of_box(out + discards + BUILT[fireworks].ravel())
        if len(known) < n_players:
            n_hidden = sum(map(len, hands)) - sum(map(len, known))
            deck = FaceDown(max(len(deck) - n_hidden, 0)) or ()
    if n_deck not in (None, len(deck)):
        raise ValueError(f"{n_deck} cards cannot be in the deck: there are {len(deck)}")
    return State(
        n_players, deck, hands, mask, fireworks, discards,
        n_hints=fields.get("hints", MAX_HINTS), n_lives=fields.get("lives", MAX_LIVES),
        player=fields.get("to move", 0), turns_left=fields.get("turns left"),
        last_move=fields.get("last move"),
    )  # fmt: skip


def _hand(player, slots):
    cards = tuple(card for card, _ in slots)
    if None not in cards:
        return cards
    if any(card is not None for card in cards):
        raise ValueError(
            f"{player}: a hand is known, or ? stands for each of its cards; what hints say of them "
            "stands in brackets, as in ?(R1)"
        )
    return FaceDown(len(cards))


def rest_of_box(out):
    """All cards but those of which (25,) `out` are out, in the order of their numbers."""
    left = np.maximum(FULL_COUNTS[:N_CARDS] - out, 0)  # `State` finds what is there too often
    return tuple(np.repeat(np.arange(N_CARDS), left.astype(np.intp)).tolist())


def _number(value):
    if not value.isdecimal() or len(value) > 2:
        raise ValueError(f"this must be a whole number, got {short(value)}")
    return int(value)


def _to_move(value):
    if value not in _players(5):
        raise ValueError(f"a player is written like 'player 1', got {short(value)}")
    return int(value[-1])


def _fireworks(value):
    heights = np.zeros(len(COLOURS), dtype=np.int64)
    for word in words_of(value):
        if len(word) != 2 or word[0] not in COLOURS or word[1] not in "012345":
            raise ValueError(
                f"a firework is one letter of {COLOURS} and one digit of 012345, got {short(word)}"
            )
        heights[COLOURS.index(word[0])] = int(word[1])
    if len({word[0] for word in words_of(value)}) < len(words_of(value)):
        raise ValueError(f"there is one firework of each colour, got {short(value)}")
    return heights


def _discards(value):
    return np.bincount([parse_card(word) for word in words_of(value)], minlength=N_CARDS)


def _deck(value):
    counted = re.fullmatch(r"(\d\d?) cards?(?::(.*))?", value)
    cards = tuple(map(parse_card, words_of(counted[2] or "" if counted else value)))
    return int(counted[1]) if counted else None, cards


def _slots(value):
    return [parse_slot(word) for word in words_of(value)]


_READ = {
    "to move": _to_move,
    "hints": _number,
    "lives": _number,
    "fireworks": _fireworks,
    "discards": _discards,
    "deck": _deck,
    "turns left": _number,
    "last move": parse_move,
}
