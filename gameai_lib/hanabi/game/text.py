"""Moves and states as text that can be written by hand: how each is written, and its parts read.

A slot is its card, and in brackets the colours and ranks that hints still allow, a side of which
nothing is known left out: ``R1``, ``R1(R)``, ``W4(YGWB)``, ``G2(G234)``. Where they are not all
pairs of some colours and ranks, the brackets list the cards: ``R1(R1,Y2)``. A card that is not
known is a question mark: ``?``, ``?(R)``.
"""

import re
from contextlib import contextmanager

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.hanabi.game import box
from gameai_lib.hanabi.game.moves import Discard, HintColour, HintRank, Move, Play

_RANKS = "12345"
_SLOT = re.compile(r"([^()]*)(?:\(([^()]*)\))?")
_PAIRS = re.compile(r"([RYGWB]*)([1-5]*)")


class NotationError(ValueError):
    """A log or a position is not what it must be; the message says where, and what is wrong."""


@contextmanager
def within(*where):
    """Say where, if something is wrong: in which file, and which line or move of it."""
    try:
        yield
    except NotationError:
        raise
    except (ValueError, TypeError) as error:
        place = ", ".join(filter(None, where))
        raise NotationError(f"{place}: {error}" if place else str(error)) from error


def read_text(source):
    """The name of a file and its text; or no name and `source`, if that is a text and no path."""
    if isinstance(source, str) and ("\n" in source or source.lstrip()[:1] in ("{", "(")):
        return "", source
    path = checks.file_path(source)
    with within(str(path)):
        return str(path), path.read_text("utf-8-sig")


def lines_of(text):
    """Pairs of the lines in which something stands but a comment, with what each is called."""
    for number, line in enumerate(text.splitlines(), 1):
        if said := line.split("#")[0].strip():
            yield f"line {number}", said


def parse_move(text: str) -> Move:
    """Read a `Move` as ``str(move)`` writes it: ``plays 2``, ``discards 0``, ``hints 1 red``.

    Colours are words or letters, ``red`` or ``R``; ranks are ``3s`` or ``3``. Slots and players
    count from 0, slot 0 being the oldest.

    Examples
    --------
    >>> parse_move("hints 1 red"), str(HintRank(1, 3))
    (HintColour(player=1, colour=0), 'hints 1 3s')
    """
    verb, *rest = (text.split() if isinstance(text, str) else []) or [""]
    if (verb, len(rest)) not in (("plays", 1), ("discards", 1), ("hints", 2)):
        like = "'plays 2', 'discards 2' or 'hints 1 red'"
        raise ValueError(f"a move is written like {like}, got {short(text)}")
    if rest[0] not in tuple("01234"):
        raise ValueError(f"slots and players are numbers from 0 to 4, got {short(rest[0])}")
    if verb == "hints":
        return _parse_hint(int(rest[0]), rest[1])
    return (Play if verb == "plays" else Discard)(int(rest[0]))


def _parse_hint(player, what):
    if what.removesuffix("s") in tuple(_RANKS):
        return HintRank(player, int(what[0]))
    for colour, name in enumerate(box.COLOUR_NAMES):
        if what.lower() in (name, name[0]) or what == box.COLOURS[colour]:
            return HintColour(player, colour)
    raise ValueError(
        f"hints are about {', '.join(box.COLOUR_NAMES)} or a rank from 1 to 5, got {short(what)}"
    )


def parse_slot(text):
    """Card and (26,) hint mask of a slot such as ``W4(YGWB)``; of ``?`` the card is None."""
    card, allowed = _SLOT.fullmatch(text).groups() if _SLOT.fullmatch(text) else (text, None)
    mask = box.IS_CARD if allowed is None else _parse_allowed(allowed)
    return None if card == "?" else box.parse_card(card), mask


def _parse_allowed(allowed):
    if "," in allowed:
        cards = [box.parse_card(name) for name in allowed.split(",")]
        return np.isin(np.arange(box.N_CARDS + 1), cards)
    pairs = _PAIRS.fullmatch(allowed)
    if not pairs or not allowed:
        raise ValueError(
            f"brackets hold letters of {box.COLOURS} and digits of {_RANKS}, or cards with commas "
            f"between them, got {short(allowed)}"
        )
    colours, ranks = pairs[1] or box.COLOURS, pairs[2] or _RANKS
    of_colour = box.IS_COLOUR[[box.COLOURS.index(letter) for letter in colours]].any(axis=0)
    return of_colour & box.IS_RANK[[_RANKS.index(digit) for digit in ranks]].any(axis=0)


def slot_text(card, mask):
    """A slot as `parse_slot` reads it."""
    allowed = mask[: box.N_CARDS].reshape(box.N_COLOURS, box.N_RANKS)
    by_colour, by_rank = allowed.any(axis=1), allowed.any(axis=0)
    if (allowed != np.outer(by_colour, by_rank)).any():
        said = ",".join(map(box.card_name, np.flatnonzero(mask).tolist()))
    else:
        said = _name_symbols(box.COLOURS, by_colour) + _name_symbols(_RANKS, by_rank)
    return ("?" if card is None else box.card_name(card)) + (f"({said})" if said else "")


def _name_symbols(symbols, allowed):
    """The symbols that are allowed, or nothing if all are."""
    return "" if allowed.all() else "".join(symbols[i] for i in np.flatnonzero(allowed))


def state_text(state):
    """A `State` as `parse_state` reads it, one thing a line."""
    discards = np.repeat(np.arange(box.N_CARDS), state.discards.astype(np.intp))
    heights = zip(box.COLOURS, state.fireworks, strict=True)
    lines = {
        "to move": f"player {state.player}",
        "hints": state.n_hints,
        "lives": state.n_lives,
        "fireworks": " ".join(f"{colour}{height}" for colour, height in heights),
        "discards": names_of(discards.tolist()),
    }
    for player, hand in enumerate(state.hands):
        cards = [None] * len(hand) if isinstance(hand, box.FaceDown) else hand
        slots = zip(cards, state.hint_mask[player], strict=False)
        lines[f"player {player}"] = " ".join(slot_text(*slot) for slot in slots) or "none"
    n_deck = f"{state.n_deck} card{'' if state.n_deck == 1 else 's'}"
    is_known = state.deck and not isinstance(state.deck, box.FaceDown)
    lines["deck"] = f"{n_deck}: {names_of(state.deck)}" if is_known else n_deck
    if state.turns_left is not None:
        lines["turns left"] = state.turns_left
    if state.last_move is not None:
        lines["last move"] = state.last_move
    return "\n".join(f"{name}: {value}" for name, value in lines.items())


def words_of(value):
    """The words of a line that says ``none`` where there are none."""
    return [] if value == "none" else value.split()


def names_of(cards):
    """Names of cards with spaces between, or ``none``."""
    return " ".join(map(box.card_name, cards)) or "none"
