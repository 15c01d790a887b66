"""What a `State` may be made of: a deck, or fields that belong to one moment of a game."""

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import is_whole, short
from gameai_lib.hanabi.game import box
from gameai_lib.hanabi.game.moves import Discard, Play, hint_cards

_BOX = box.FULL_COUNTS[: box.N_CARDS]  # copies of each card


def checked_n_players(n_players):
    """Return the number of players as an int if it is one, 2 to 5."""
    if not is_whole(n_players) or n_players not in box.HAND_SIZE:
        raise ValueError(f"Hanabi has 2 to 5 players, got {short(n_players)}")
    return int(n_players)


def checked_deck(deck):
    """Return the cards of a deck as an array, if they are the cards of the game."""
    cards = arrays.whole("deck", deck, 0, box.N_CARDS - 1)
    _check_cards("cards of a deck", [cards], 0)
    return cards


def checked_fields(state):
    """Return the fields of a `State`, arrays read only, hands and deck as tuples of ints."""
    n_players = checked_n_players(state.n_players)
    hands = checks.kind("hands", state.hands, tuple, list)
    if len(hands) != n_players:
        raise ValueError(f"{n_players} players have {n_players} hands, got {len(hands)}")
    hands = tuple(_checked_cards(f"hand {player}", hand) for player, hand in enumerate(hands))
    deck, turns_left = _checked_cards("the deck", state.deck), state.turns_left
    hint_mask = arrays.array("hint_mask", state.hint_mask, "b")
    fireworks = arrays.whole("fireworks", state.fireworks, 0, box.N_RANKS)
    discards = arrays.whole("discards", state.discards, 0, box.DECK_SIZE)
    fields = {
        "n_players": n_players,
        "deck": deck,
        "hands": hands,
        "hint_mask": _of_shape("hint_mask", hint_mask, (n_players, box.HAND_SIZE[n_players], 26)),
        "fireworks": _of_shape("fireworks", fireworks, (5,)),
        "discards": _of_shape("discards", discards, (25,)),
        "n_hints": checks.whole("n_hints", state.n_hints, 0, box.MAX_HINTS),
        "n_lives": checks.whole("n_lives", state.n_lives, 0, box.MAX_LIVES),
        "player": checks.whole("player", state.player, 0, n_players - 1),
    }
    if turns_left is not None:
        fields["turns_left"] = checks.whole("turns_left", turns_left, 0, n_players)
    if (turns_left is None) != bool(deck):
        raise ValueError(
            f"turns_left is None as long as there is a deck, and a number after, got "
            f"{short(turns_left)} with {len(deck)} cards"
        )
    _check_last_move(state.last_move, fields["player"], hands, hint_mask)
    built = box.BUILT[fireworks].ravel()
    for player, hand in enumerate(hands):
        _check_hand(player, hand, hint_mask[player], bool(deck))
    _check_cards("deck, hands, fireworks and discards", (deck, *hands), discards + built)
    return fields


def _of_shape(name, array, shape):
    if array.shape != shape:
        raise ValueError(f"{name} must be an array of shape {shape}, got shape {array.shape}")
    return box.read_only(array.copy()) if array.flags.writeable else array


def _checked_cards(name, cards):
    if isinstance(cards, box.FaceDown):
        checks.whole(f"the number of cards of {name}", cards.n, 0, box.DECK_SIZE)
        return cards
    cards = checks.kind(name, cards, tuple, list)
    return tuple(arrays.whole(name, cards, 0, box.N_CARDS - 1).tolist()) if cards else ()


def _check_last_move(move, player, hands, hint_mask):
    n_players, size, _ = hint_mask.shape
    if isinstance(move, Play | Discard):
        checks.whole("the slot of last_move", move.slot, 0, size - 1)
    elif move is not None:
        cards, giver = hint_cards(move), (player - 1) % n_players
        other = checks.whole("the player of last_move", move.player, 0, n_players - 1)
        hand = hands[other]
        touched = hint_mask[other] & cards if isinstance(hand, box.FaceDown) else cards[list(hand)]
        if other == giver or not touched.any():
            what = "is to themselves" if other == giver else "touches no card"
            raise ValueError(f"last_move: player {giver} {move}, which {what}")


def _check_hand(player, hand, mask, has_deck):
    """Refuse a hand of another size, and hints that forbid a card that is held."""
    size, n_held = len(mask), len(hand)
    if n_held > size or (n_held < size and has_deck):
        raise ValueError(f"player {player} must hold {size} cards, got {n_held}")
    allows, is_empty = mask[:, : box.N_CARDS].any(axis=1), np.arange(size) >= n_held
    if (allows == is_empty).any() or (mask[:, box.NO_CARD] != is_empty).any():
        raise ValueError(
            f"hint_mask of player {player} must allow cards in {n_held} slots, and in those "
            "behind them nothing but no card"
        )
    for slot, card in enumerate([] if isinstance(hand, box.FaceDown) else hand):
        if not mask[slot, card]:
            name = box.card_name(card)
            raise ValueError(f"hint_mask of player {player} forbids {name} in slot {slot}")


def _check_cards(what, piles, n_gone):
    """Refuse cards that are not those of the game, with (25,) copies that lie open."""
    n_hidden = sum(len(pile) for pile in piles if isinstance(pile, box.FaceDown))
    known = [card for pile in piles if not isinstance(pile, box.FaceDown) for card in pile]
    counts = n_gone + np.bincount(known, minlength=box.N_CARDS)
    wrong = counts > _BOX if n_hidden else counts != _BOX
    n_cards = counts.sum() + n_hidden
    if wrong.any() or n_cards != box.DECK_SIZE:
        names = ", ".join(map(box.card_name, np.flatnonzero(wrong).tolist())) or "cards face down"
        raise ValueError(
            f"{what} must be the game's {box.DECK_SIZE} cards; they are {n_cards}, with a wrong "
            f"number of {names}"
        )
