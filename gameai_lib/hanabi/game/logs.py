"""Games as text: a log that is written by hand in an editor, or by the library.

It is the hands that were dealt, the cards drawn after them, and a move a line::

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
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from gameai_lib.base import arrays, checks
from gameai_lib.base.checks import short
from gameai_lib.base.files import write_whole
from gameai_lib.hanabi.game.cards import (
    FULL_COUNTS,
    HAND_SIZE,
    N_CARDS,
    HintColour,
    HintRank,
    card_name,
    parse_card,
)
from gameai_lib.hanabi.game.play import Frame, turns
from gameai_lib.hanabi.game.positions import rest_of_box
from gameai_lib.hanabi.game.rules import State
from gameai_lib.hanabi.game.text import NotationError, at, lines_of, names_of, parse_move

_A_LINE = 20  # cards of the deck
_LONGEST = 30  # name of a player
_TEXT = re.compile(r"\n|:\s*[RYGWB][1-5]\b|.{1000}")  # lines, a hand, or too long for a file's name


def read_log(source: str | os.PathLike[str] | Iterable[str]) -> list[Frame]:
    """Read a game of two to five players, written by hand or by `write_log`.

    First come the hands that were dealt, a line each with the name of the player, who begins
    first, a colon and the cards, the oldest on the left. Then ``deck:`` has the cards that were
    drawn, in this order, in one line or more; those that nobody drew may be left out. Then there
    is a line for each move: ``Ann plays 2``, ``Ann discards 0``, ``Ann hints Ben red`` or
    ``Ann hints Ben 3s``. Slots count from 0, the oldest card; a new card comes in on the right.
    The card played or discarded may follow (``Ann plays 2 G1``): then it must be there. ``#``
    begins a comment.

    Parameters
    ----------
    source : path-like, text of several lines, or iterable of str
        The file, its text or its lines.

    Returns
    -------
    list of Frame
        As `play_game` yields them; the game need not be over.

    Raises
    ------
    NotationError
        If a line cannot be read or breaks the rules; the message says which.
    OSError
        If there is no such file.

    Examples
    --------
    >>> game = read_log('''
    ... Ann: R1 Y1 G1 B4 B5
    ... Ben: R1 R2 R3 W4 W5
    ... deck: G2 Y2
    ... Ann hints Ben red
    ... Ben plays 0 R1
    ... '''.splitlines())
    >>> game[-1].next_state.score, game[-1].next_state.hands[1]
    (1, (1, 2, 18, 19, 11))
    """
    if isinstance(source, str) and _TEXT.search(source):
        source = source.splitlines()
    if isinstance(source, str | os.PathLike):
        path = checks.file_path(source)
        with at(str(path)):
            lines = path.read_bytes().decode("utf-8-sig").splitlines()
        return _read(str(path), lines)
    lines = arrays.as_list("a log that is no file", source)
    return _read("", [checks.kind("a line", line, str) for line in lines])


def _read(source, lines):
    table, moves = _Table(), []
    for number, line in lines_of(lines):
        with at(source, number):
            if ":" not in line:
                moves.append((number, line))
            elif moves:
                raise ValueError(f"hands and the deck stand before the moves, got {short(line)}")
            else:
                table.put(number, *(part.strip() for part in line.split(":", 1)))
    state, n_unknown = table.deal(source)
    if not moves:
        raise NotationError(source, 0, "there is no move")
    frames = []
    for number, line in moves:
        with at(source, number):
            frames.append(_turn(state, line, tuple(table.hands), n_unknown))
        state = frames[-1].next_state
    return frames


class _Table:
    """The cards that a log names before its moves."""

    def __init__(self):
        self.hands = {}  # by name: number of the line, cards
        self.drawn = []
        self._out = Counter()

    def put(self, number, name, value):
        cards = [parse_card(word) for word in value.split()]
        for card in cards:
            self._out[card] += 1
            if self._out[card] > FULL_COUNTS[card]:
                n = FULL_COUNTS[card]
                copies = "one copy" if n == 1 else f"{n} copies"
                raise ValueError(f"{card_name(card)} has {copies}, and this is one more")
        if name == "deck":
            self.drawn += cards
        elif name in self.hands:
            raise ValueError(f"{name} has a hand already")
        else:
            self.hands[_checked_name(name)] = number, cards

    def deal(self, source):
        """The `State` before the first move, and how many cards of its deck are not known."""
        n_players = len(self.hands)
        if n_players not in HAND_SIZE:
            raise NotationError(source, 0, f"Hanabi has 2 to 5 players, got {n_players} hands")
        for name, (number, cards) in self.hands.items():
            if len(cards) != HAND_SIZE[n_players]:
                size = f"of {n_players} players each holds {HAND_SIZE[n_players]} cards"
                raise NotationError(source, number, f"{size}, {name} {len(cards)}")
        rest = rest_of_box(np.array([self._out[card] for card in range(N_CARDS)]))
        deck = [card for _, cards in self.hands.values() for card in cards] + self.drawn
        # What is left of one kind is known without being named.
        return State.from_deck(n_players, [*deck, *rest]), len(rest) if len({*rest}) > 1 else 0


def _turn(state, line, names, n_unknown):
    """The `Frame` of a line such as ``Ann plays 2 G1``."""
    name, *words = line.split()
    names_card = len(words) == 3 and words[0] in ("plays", "discards")
    card = parse_card(words.pop()) if names_card else None
    if name not in names:
        raise ValueError(f"players are {', '.join(names)}; there is no {short(name)}")
    if name != names[state.player] and not state.is_over:
        raise ValueError(f"it is the turn of {names[state.player]}, not of {name}")
    move = parse_move(" ".join(words), names)
    if reason := state.why_illegal(move):
        raise ValueError(f"{line}: {reason}")
    after = state.apply(move)
    if card is not None and state.hands[state.player][move.slot] != card:
        held = card_name(state.hands[state.player][move.slot])
        raise ValueError(f"slot {move.slot} of {name} holds {held}, not {card_name(card)}")
    if after.n_deck < state.n_deck <= n_unknown:
        raise ValueError(f"the deck does not name the card that {name} draws here")
    return Frame(state, move, after)


def log_text(frames: Iterable[Frame], names: Sequence[str] = ("A", "B", "C", "D", "E")) -> str:
    """Write a game as `read_log` reads it.

    Parameters
    ----------
    frames : iterable of Frame
        A game from its start, as `play_game` yields it; it need not be over.
    names : sequence of str
        What the players are called: a word each, at least as many as there are players.

    Returns
    -------
    str
        With all cards of the deck.

    Raises
    ------
    TypeError, ValueError
        If `frames` are not the turns of one game from its start, or a name is not a word of its
        own.

    Examples
    --------
    >>> game = play_game([RuleAgent("Convention")] * 2, 7)
    >>> print(log_text(list(game)[:3], ["Ann", "Ben"]))  # doctest: +ELLIPSIS
    Ann: Y1 B3 G2 B3 G1
    Ben: Y1 W4 R1 G4 R3
    deck: G1 R2 W3 B4 B4 ...
    Ann hints Ben 1s
    Ben plays 2 R1
    Ann hints Ben green
    <BLANKLINE>
    """
    frames = list(turns(frames))
    if not frames:
        raise ValueError("a log needs a move, got no frames")
    first = frames[0].state
    names = _checked_names(names, first.n_players)
    deck = [card for hand in first.hands for card in hand] + list(first.deck)
    state = State.from_deck(first.n_players, deck)
    if str(state) != str(first):
        raise ValueError(f"a log begins with a new game, not with {first.n_deck} cards in the deck")
    lines = [f"{name}: {names_of(hand)}" for name, hand in zip(names, first.hands, strict=True)]
    for start in range(0, first.n_deck, _A_LINE):
        lines.append(f"deck: {names_of(first.deck[start : start + _A_LINE])}")
    for turn, frame in enumerate(frames):
        state = state.apply(frame.move)
        if str(state) != str(frame.next_state):
            raise ValueError(f"frame {turn}: {frame.move} leads to another state")
        lines.append(f"{names[frame.state.player]} {_say(frame, names)}")
    return "\n".join(lines) + "\n"


def _checked_names(names, n_players):
    found = [_checked_name(name) for name in checks.kind("names", names, list, tuple)[:n_players]]
    if len({*found}) < n_players:
        raise ValueError(f"{n_players} players need {n_players} names, got {short(names)}")
    return found


def _checked_name(name):
    word = checks.kind("a name", name, str)
    if len(word.split()) != 1 or len(word) > _LONGEST or {*word} & {*":#"} or word == "deck":
        raise ValueError(
            f"a player's name is one word of at most {_LONGEST} letters, got {short(name)}"
        )
    return word


def _say(frame, names):
    state, move, _ = frame
    if isinstance(move, HintColour | HintRank):
        verb, _, what = str(move).split()
        return f"{verb} {names[move.player]} {what}"
    return f"{move} {card_name(state.hands[state.player][move.slot])}"


def write_log(
    path: str | os.PathLike[str],
    frames: Iterable[Frame],
    names: Sequence[str] = ("A", "B", "C", "D", "E"),
) -> None:
    """Write a game to a text file that `read_log` reads, whole or not at all.

    Frames, names and errors are those of `log_text`. A file that cannot be written is an
    OSError.
    """
    write_whole(checks.file_path(path), log_text(frames, names))
