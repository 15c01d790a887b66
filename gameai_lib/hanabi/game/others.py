"""Games and positions as others write them: hanab.live, and the Hanabi Learning Environment.

hanab.live's JSON (github.com/Hanabi-Live/hanabi-live, format 3.0.0) names a card by its place in
the deck. The environment (Bard et al. 2020) counts seats from the player to move.
"""

import json
import os
import re
from collections.abc import Iterable, Sequence

import numpy as np

from gameai_lib.base import checks
from gameai_lib.base.checks import short
from gameai_lib.hanabi.game import box
from gameai_lib.hanabi.game.moves import Discard, HintColour, HintRank, Move, Play
from gameai_lib.hanabi.game.notation import parse_state
from gameai_lib.hanabi.game.play import Frame, turns
from gameai_lib.hanabi.game.rules import State
from gameai_lib.hanabi.game.text import NotationError, parse_move, read_text, within

_SUITS = tuple(map(box.COLOURS.index, "RYGBW"))  # of hanab.live; its purple is white here
_OTHER_RULES = ("oneExtraCard", "oneLessCard", "allOrNothing", "cardCycle", "startingPlayer")
_DEALS = {10: 2, 15: 3, 16: 4, 20: 5}  # players by the number of cards that are dealt
_MOVE = re.compile(r"\((?:(Play|Discard) (\d)|Reveal player \+(\d) (?:color|rank) (\w))\)")
_SLOT = re.compile(r"(\w\d|XX) \|\| \w\w\|(\w+)")
_NAMES = {"Life tokens": "lives", "Info tokens": "hints", "Fireworks": "fireworks"}
_NAMES |= {"Deck size": "deck", "Discards": "discards"}


def read_game(source: str | os.PathLike[str]) -> list[Frame]:
    """Read a game of hanab.live, or one of the reference environment from its moves.

    `source` is the path of a file or its text: JSON, or of the environment ``str(item.move())`` of
    each item of ``state.move_history()``, a line each. The frames are as `play_game` yields them;
    the game need not be over. A variant or an option of hanab.live that is not played here, and
    what breaks our rules, are a `NotationError` that names them.

    Examples
    --------
    >>> deals = "\\n".join(f"(Deal {card})" for card in "R1 R1 Y3 G4 B5 W1 W1 R2 Y2 B2".split())
    >>> game = read_game(deals + "\\n(Reveal player +1 rank 2)\\n(Play 2)")
    >>> print(game[0].move, "/", describe(game[1].state, game[1].move))
    hints 1 2s / player 1: play R2 from slot 2, a life lost
    """
    where, text = read_text(source)
    with within(where):
        is_json = text.lstrip().startswith("{")
        state, moves = _of_live(json.loads(text)) if is_json else _of_reference(text)
    frames: list[Frame] = []
    while True:
        with within(where, f"move {len(frames) + 1}"):
            move = next(moves, None)
            if move is None:
                return frames
            frames.append(Frame(state, move, state.apply(move)))
        state = frames[-1].next_state


def _of_live(game):
    options = {"variant": game.get("variant", "No Variant")}  # where files of old have it
    options |= checks.kind("options", game.get("options", {}), dict)
    if options["variant"] != "No Variant":
        raise ValueError(f"this table has no variants, got {short(options['variant'])}")
    if other := [name for name in _OTHER_RULES if options.get(name)]:
        raise ValueError(f"this table plays by other rules than those of {', '.join(other)}")
    players, cards, actions = (
        checks.kind(name, game.get(name), list) for name in ("players", "deck", "actions")
    )
    suits = [_SUITS[_number(card, "suitIndex", 4)] for card in cards]
    ranks = [_number(card, "rank", 5) for card in cards]
    deck = [box.N_RANKS * suit + rank - 1 for suit, rank in zip(suits, ranks, strict=True)]
    state = State.from_deck(len(players), deck)
    return state, _live_moves(actions, _places(state), state.n_players)


def _live_moves(actions, held, n_players):
    n_drawn = sum(map(len, held))
    for turn, action in enumerate(actions):
        kind, target = _number(action, "type", 4), _number(action, "target", box.DECK_SIZE - 1)
        if kind == 4:  # a player or the clock ended the game
            return
        if kind > 1:
            value = _number(action, "value", kind + 2)
            yield HintColour(target, _SUITS[value]) if kind == 2 else HintRank(target, value)
            continue
        hand = held[turn % n_players]
        if target not in hand:
            raise ValueError(f"player {turn % n_players} does not hold card {target} of the deck")
        yield (Play, Discard)[kind](hand.index(target))
        hand.remove(target)
        hand.append(n_drawn)
        n_drawn += 1


def _number(record, name, most):
    return checks.whole(name, checks.kind("a card or an action", record, dict).get(name), 0, most)


def _places(state):
    """The places in the deck of the cards that each player is dealt."""
    return np.arange(state.n_players * state.hand_size).reshape(state.n_players, -1).tolist()


def game_json(frames: Iterable[Frame], names: Sequence[str] = ("A", "B", "C", "D", "E")) -> str:
    """Write a game from its start as JSON of hanab.live, with the names of the players.

    Examples
    --------
    >>> text = game_json(play_game([RuleAgent("IGGI")] * 2, 1), ["Ann", "Ben"])
    >>> text[:30], read_game(text)[-1].next_state.score
    ('{"players": ["Ann", "Ben"], "d', 15)
    """
    frames = list(turns(frames))
    if not frames or frames[0].state.past != ():
        raise ValueError("hanab.live has all turns of a game from its start; these frames do not")
    first, actions = frames[0].state, []
    names = checks.kind("names", names, list, tuple)[: first.n_players]
    if len({checks.kind("a name", name, str) for name in names}) < first.n_players:
        raise ValueError(
            f"{first.n_players} players need {first.n_players} names, got {short(names)}"
        )
    held = _places(first)
    for state, move, _ in frames:
        if isinstance(move, Play | Discard):
            hand = held[state.player]
            action = int(isinstance(move, Discard)), hand.pop(move.slot), 0
            hand.append(box.DECK_SIZE - state.n_deck)
        elif isinstance(move, HintColour):
            action = 2, move.player, _SUITS.index(move.colour)
        else:
            action = 3, move.player, move.rank
        actions.append(dict(zip(("type", "target", "value"), action, strict=True)))
    cards = [divmod(card, box.N_RANKS) for pile in (*first.hands, first.deck) for card in pile]
    game = {
        "players": list(names),
        "deck": [{"suitIndex": _SUITS.index(suit), "rank": rank + 1} for suit, rank in cards],
        "actions": actions,
        "options": {"variant": "No Variant"},
    }
    return json.dumps(game)


def _of_reference(text):
    """The deal and the moves of a history; cards that were not drawn lie last in the deck."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    dealt = [line.startswith("(Deal ") for line in lines]
    n_dealt = (*dealt, False).index(False)
    if n_dealt not in _DEALS:
        raise ValueError(f"first 10, 15, 16 or 20 cards are dealt, as (Deal R1), got {n_dealt}")
    deck = [box.parse_card(line[6:-1]) for line in lines if line.startswith("(Deal ")]
    deck += box.rest_of_box(np.bincount(deck, minlength=box.N_CARDS))
    moves = enumerate(line for line in lines if not line.startswith("(Deal "))
    n_players = _DEALS[n_dealt]
    said = (parse_reference_move(line, turn % n_players, n_players) for turn, line in moves)
    return State.from_deck(n_players, deck), said


def parse_reference_move(text: str, player: int, n_players: int) -> Move:
    """Read the environment's text of a move of `player`, the inverse of `reference_move`."""
    said = _MOVE.fullmatch(checks.kind("a move", text, str).strip())
    if not said:
        raise ValueError(f"a move is like (Play 0) or (Reveal player +1 rank 2), got {short(text)}")
    verb, slot, seat, what = said.groups()
    if verb:
        return parse_move(f"{verb.lower()}s {slot}")
    return parse_move(f"hints {(player + int(seat)) % n_players} {what}")


def reference_move(move: Move, player: int, n_players: int) -> str:
    """Write a move of `player` as ``str`` of a move of the environment.

    Examples
    --------
    >>> reference_move(HintRank(0, 3), 1, 2), reference_move(Play(4), 1, 2)
    ('(Reveal player +1 rank 3)', '(Play 4)')
    """
    if isinstance(move, Play | Discard):
        return f"({type(move).__name__} {move.slot})"
    seat = (move.player - player) % n_players
    if isinstance(move, HintColour):
        return f"(Reveal player +{seat} color {box.COLOURS[move.colour]})"
    return f"(Reveal player +{seat} rank {move.rank})"


def parse_reference(text: str, turns_left: int | None = None) -> State:
    """Read ``str`` of a state of the environment, or of an observation, whose player is then 0.

    The text does not say how many turns are left when the deck is empty: give them. Nor has it the
    last move, for which `parse_reference_move` and `dataclasses.replace` are there.

    Examples
    --------
    >>> seen = "\\n".join(f"{card} || XX|RYGWB12345" for card in "R1 B1 Y2 R4 Y3".split())
    >>> text = "Info tokens: 7\\nCur player\\n" + 5 * "XX || X1|RYGWB1\\n" + "-----\\n" + seen
    >>> print(RuleAgent("IGGI")(parse_reference(text), None))
    plays 0
    """
    found, player = {}, 0
    hands: list[list[str]] = [[]]
    for line in checks.kind("a state", text, str).splitlines():
        name, _, value = line.partition(":")
        if slot := _SLOT.fullmatch(line.strip()):
            hands[-1].append(f"{slot[1].replace('XX', '?')}({slot[2]})")
        elif line.startswith("---"):
            hands.append([])
        elif line.strip() == "Cur player":
            player = len(hands) - 1
        elif name in _NAMES:
            found[_NAMES[name]] = value + " cards" * (name == "Deck size")
        elif name != "Hands":
            raise NotationError(f"the environment writes no line such as {short(line)}")
    found |= {f"player {seat}": " ".join(hand) or "none" for seat, hand in enumerate(hands)}
    found["to move"] = f"player {player}"
    if turns_left is not None:
        found["turns left"] = turns_left
    return parse_state("\n".join(f"{name}: {value}" for name, value in found.items()))
