"""What a `State` may be made of: a deck, or fields that belong to one moment of a game."""

from collections import Counter

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import is_whole, short
from gameai_lib.hanabi.game.cards import (
    DECK_SIZE,
    FULL_COUNTS,
    HAND_SIZE,
    MAX_HINTS,
    MAX_LIVES,
    N_CARDS,
    N_RANKS,
    NO_CARD,
    FaceDown,
    HintColour,
    HintRank,
    Move,
    card_name,
    hint_cards,
    read_only,
    touched_slots,
)


def checked_n_players(n_players):
    """Return the number of players as an int if it is one, 2 to 5."""
    if not is_whole(n_players) or n_players not in HAND_SIZE:
        raise ValueError(f"Hanabi has 2 to 5 players, got {short(n_players)}")
    return int(n_players)


def checked_deck(deck):
    """Return the cards of a deck as a tuple of ints, if they are the cards of the game."""
    cards = arrays.whole("deck", deck, 0, N_CARDS - 1)
    wrong = _wrong_copies(Counter(cards.tolist()))
    if wrong:
        raise ValueError(
            f"a deck holds the game's {DECK_SIZE} cards; this one has {cards.size}, "
            f"with a wrong number of {', '.join(wrong)}"
        )
    return tuple(cards.tolist())


def _wrong_copies(counts):
    """Names of the cards of which there are more or fewer than in the box."""
    return [card_name(f) for f in range(N_CARDS) if counts[f] != FULL_COUNTS[f]]


def checked_fields(state):
    """Return the fields of a `State`, arrays read only, hands and deck as tuples of ints."""
    n_players = checked_n_players(state.n_players)
    size = HAND_SIZE[n_players]
    shapes = {"hint_mask": (n_players, size, N_CARDS + 1), "fireworks": (5,), "discards": (25,)}
    fields = {"n_players": n_players}
    for name, shape in shapes.items():
        array = getattr(state, name)
        if not isinstance(array, np.ndarray) or array.shape != shape:
            what = f"shape {array.shape}" if isinstance(array, np.ndarray) else short(array)
            raise ValueError(f"{name} must be an array of shape {shape}, got {what}")
        fields[name] = array if not array.flags.writeable else read_only(array.copy())
    if fields["hint_mask"].dtype != bool:
        raise TypeError(f"hint_mask must be boolean, got {fields['hint_mask'].dtype}")
    for name, most in {"fireworks": N_RANKS, "discards": DECK_SIZE}.items():
        fields[name] = read_only(arrays.whole(name, fields[name], 0, most))
    fields["n_hints"] = checks.whole("n_hints", state.n_hints, 0, MAX_HINTS)
    fields["n_lives"] = checks.whole("n_lives", state.n_lives, 0, MAX_LIVES)
    fields["player"] = checks.whole("player", state.player, 0, n_players - 1)
    fields["deck"] = _checked_cards("the deck", state.deck)
    hands = checks.kind("hands", state.hands, tuple, list)
    if len(hands) != n_players:
        raise ValueError(f"{n_players} players have {n_players} hands, got {len(hands)}")
    fields["hands"] = tuple(_checked_cards(f"hand {p}", hand) for p, hand in enumerate(hands))
    if state.turns_left is not None:
        fields["turns_left"] = checks.whole("turns_left", state.turns_left, 0, n_players)
    if (state.turns_left is None) != bool(fields["deck"]):
        raise ValueError(
            f"turns_left is None as long as there is a deck, and a number after, got "
            f"{short(state.turns_left)} with {len(fields['deck'])} cards"
        )
    _check_last_move(state.last_move, fields, size)
    _check_cards(fields, size)
    return fields


def _check_last_move(move, fields, size):
    if move is None:
        return
    if not isinstance(move, Move):
        raise TypeError(f"last_move must be a move or None, got {short(move)}")
    if isinstance(move, HintColour | HintRank):
        n_players = fields["n_players"]
        hint_cards(move)
        checks.whole("the player of last_move", move.player, 0, n_players - 1)
        giver = (fields["player"] - 1) % n_players
        hand = fields["hands"][move.player]
        if isinstance(hand, FaceDown):
            touched = (fields["hint_mask"][move.player] & hint_cards(move)).any()
        else:
            touched = touched_slots(move, hand)
        if move.player == giver or not touched:
            what = "is to themselves" if move.player == giver else "touches no card"
            raise ValueError(f"last_move: player {giver} {move}, which {what}")
    else:
        checks.whole("the slot of last_move", move.slot, 0, size - 1)


def _checked_cards(name, cards):
    if isinstance(cards, FaceDown):
        checks.whole(f"the number of cards of {name}", cards.n, 0, DECK_SIZE)
        return cards
    if not isinstance(cards, tuple | list):
        raise TypeError(f"{name} must be a tuple of cards, got {short(cards)}")
    return tuple(arrays.whole(name, cards, 0, N_CARDS - 1).tolist()) if cards else ()


def _check_cards(fields, size):
    """Refuse cards that are not those of the game, and hints that forbid what is held."""
    piles = fields["deck"], *fields["hands"]
    n_hidden = sum(len(cards) for cards in piles if isinstance(cards, FaceDown))
    counts = Counter(card for cards in piles if not isinstance(cards, FaceDown) for card in cards)
    for player, hand in enumerate(fields["hands"]):
        if len(hand) > size or (len(hand) < size and fields["deck"]):
            raise ValueError(f"player {player} must hold {size} cards, got {len(hand)}")
        mask = fields["hint_mask"][player]
        is_hidden = isinstance(hand, FaceDown)  # then any card will do that the hints allow
        cards = mask[: len(hand), :N_CARDS].argmax(axis=1) if is_hidden else hand
        held = np.array([*cards, *[NO_CARD] * (size - len(hand))])
        # An absent slot allows "no card" alone, and a present one never does.
        wrong = np.flatnonzero(
            ~mask[np.arange(size), held] | (mask[:, NO_CARD] & (mask.sum(axis=1) > 1))
        )
        if wrong.size:
            slot = int(wrong[0])
            what = "every card" if is_hidden else card_name(int(held[slot]))
            raise ValueError(
                f"hint_mask of player {player} forbids {what} in slot {slot}, or leaves open "
                "whether a card is there"
            )
    for card in range(N_CARDS):
        is_built = card % N_RANKS < fields["fireworks"][card // N_RANKS]
        counts[card] += int(fields["discards"][card]) + int(is_built)
    n_cards = counts.total() + n_hidden
    if n_hidden:  # which may be any of those that are missing
        counts.update({card: max(FULL_COUNTS[card] - counts[card], 0) for card in range(N_CARDS)})
    if (wrong := _wrong_copies(counts)) or n_cards != DECK_SIZE:
        raise ValueError(
            f"deck, hands, fireworks and discards must be the game's {DECK_SIZE} cards; they are "
            f"{n_cards}, with a wrong number of {', '.join(wrong) or 'cards face down'}"
        )
