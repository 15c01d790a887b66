"""The rules against the Hanabi Learning Environment, state by state.

``python -m benchmarks.hanabi_reference [--games 1000] [--write]`` plays games in the reference
environment, replays them here and compares every state; ``--write`` records a few complete
games, as the reference reported them, for the test suite. The environment needs a compiler
and ``CMAKE_POLICY_VERSION_MINIMUM=3.5`` to install (the extra ``reference`` of the package).

Half of the games are random moves. As these end early, the other half plays good cards, hints
and discards with an eye on the hands, so that fireworks are finished and the deck runs out.
"""

import argparse
import json
import time
from collections import Counter
from pathlib import Path

import numpy as np

from gameai_lib.base.files import write_whole
from gameai_lib.hanabi.game.box import (
    COLOURS,
    FULL_COUNTS,
    HAND_SIZE,
    N_CARDS,
    N_COLOURS,
    N_RANKS,
    card_name,
)
from gameai_lib.hanabi.game.moves import Discard, HintColour, HintRank, Play
from gameai_lib.hanabi.game.rules import State

SEED = 7
FIXTURE = Path(__file__).parents[1] / "tests" / "hanabi" / "reference.json"
FIXTURE_GAMES = (*range(8), 694)  # the last one ends with 25 points


def move_name(move):
    """Short name of a move: play ``P0``, discard ``D0``, hints to player 1 ``1G``, ``1R2``."""
    if isinstance(move, Play | Discard):
        return f"{type(move).__name__[0]}{move.slot}"
    what = COLOURS[move.colour] if isinstance(move, HintColour) else move.rank
    return f"{move.player}{what}"


def parse_move(name):
    """The move of a name given by `move_name`."""
    if name[0] in "PD":
        return (Play if name[0] == "P" else Discard)(int(name[1:]))
    if name[1] in COLOURS:
        return HintColour(int(name[0]), COLOURS.index(name[1]))
    return HintRank(int(name[0]), int(name[1]))


def digits(counts):
    """Counts below ten as one string."""
    return "".join(str(int(n)) for n in counts)


def mask_code(allowed):
    """Hexadecimal number whose bit f says whether card f is allowed."""
    return f"{sum(1 << card for card in range(N_CARDS) if allowed[card]):x}"


def snapshot(state):
    """All that is compared of one of our states, in plain values.

    Hands, masks and moves are left out once the game is over: the reference stops before
    it deals the last card.
    """
    candidates, hint_mask = state.public()
    result = {
        "over": bool(state.is_over),
        "candidates": digits(candidates[:N_CARDS]),
        "discards": digits(state.discards),
        "fireworks": digits(state.fireworks),
        "hints": state.n_hints,
        "lives": state.n_lives,
    }
    if state.is_over:
        return result | {"score": state.score}
    # A present slot must not allow "no card"; an absent one must allow nothing else.
    codes = [mask_code(row) + "." * bool(row[N_CARDS]) for row in hint_mask]
    return result | {
        "player": state.player,
        "deck": state.n_deck,
        "hands": ["".join(map(card_name, hand)) for hand in state.hands],
        "masks": " ".join(codes),
        "own": digits(state.view(state.player)[0][:N_CARDS]),
        "moves": " ".join(sorted(map(move_name, state.legal_moves()))),
    }


class Reference:
    """A game in the reference environment, with its state in the terms of `snapshot`."""

    def __init__(self, n_players, seed):
        from hanabi_learning_environment import pyhanabi

        self.lib = pyhanabi
        self.n_players = n_players
        # The state points into the game: without this name it is freed.
        self.game = pyhanabi.HanabiGame({"players": n_players, "seed": seed})
        self.state = self.game.new_initial_state()
        self._deal()

    def _deal(self):
        while not self.state.is_terminal() and self.state.cur_player() == self.lib.CHANCE_PLAYER_ID:
            self.state.deal_random_card()

    def _name(self, move):
        kind, types = move.type(), self.lib.HanabiMoveType
        if kind == types.PLAY or kind == types.DISCARD:
            return f"{kind.name[0]}{move.card_index()}"
        target = (self.state.cur_player() + move.target_offset()) % self.n_players
        by_colour = kind == types.REVEAL_COLOR
        return f"{target}{COLOURS[move.color()] if by_colour else move.rank() + 1}"

    def moves(self):
        """Legal moves by name."""
        return {self._name(move): move for move in self.state.legal_moves()}

    def apply(self, name):
        """Make a move and deal."""
        self.state.apply_move(self.moves()[name])
        self._deal()

    def deck(self):
        """All 50 cards: those dealt, in order, then the others in any order."""
        deals = [item.move() for item in self.state.move_history()]
        dealt = [
            N_RANKS * move.color() + move.rank()
            for move in deals
            if move.type() == self.lib.HanabiMoveType.DEAL
        ]
        rest = Counter(dict(enumerate(FULL_COUNTS[:N_CARDS].tolist()))) - Counter(dealt)
        return dealt + sorted(rest.elements())

    def playable_slots(self):
        """Slots of the player to move that hold a playable card."""
        hand = self.state.player_hands()[self.state.cur_player()]
        fits = self.state.card_playable_on_fireworks
        return [slot for slot, card in enumerate(hand) if fits(card.color(), card.rank())]

    def snapshot(self):
        """What the reference reports of its state, in the form of `snapshot`."""
        state = self.state
        discards = _counts(state.discard_pile())
        fireworks = state.fireworks()
        played = np.arange(N_RANKS) < np.array(fireworks)[:, None]
        candidates = FULL_COUNTS[:N_CARDS] - discards - played.ravel()
        result = {
            "over": state.is_terminal(),
            "candidates": digits(candidates),
            "discards": digits(discards),
            "fireworks": digits(fireworks),
            "hints": state.information_tokens(),
            "lives": state.life_tokens(),
        }
        if state.is_terminal():
            return result | {"score": state.score()}
        player = state.cur_player()
        # Knowledge objects point into the observation: without this name it is freed.
        observation = state.observation(player)
        others = [card for hand in observation.observed_hands()[1:] for card in hand]
        return result | {
            "player": player,
            "deck": state.deck_size(),
            "hands": ["".join(map(str, hand)) for hand in state.player_hands()],
            "masks": " ".join(self._masks(observation, player)),
            "own": digits(candidates - _counts(others)),
            "moves": " ".join(sorted(self.moves())),
        }

    def _masks(self, observation, player):
        size = HAND_SIZE[self.n_players]
        knowledge = observation.card_knowledge()  # the observer's hand comes first
        codes = []
        for seat in range(self.n_players):
            hand = knowledge[(seat - player) % self.n_players]
            for known in hand:
                colours = [known.color_plausible(colour) for colour in range(N_COLOURS)]
                ranks = [known.rank_plausible(rank) for rank in range(N_RANKS)]
                codes.append(mask_code(np.outer(colours, ranks).ravel()))
            codes += ["0."] * (size - len(hand))
        return codes


def _counts(cards):
    counts = np.zeros(N_CARDS, dtype=np.int64)
    for card in cards:
        counts[N_RANKS * card.color() + card.rank()] += 1
    return counts


def choose(reference, rng, rich):
    """Name of a legal move: any, or one that keeps a game going and full of hints."""
    names = sorted(reference.moves())
    kinds = {kind: [name for name in names if name[0] == kind] for kind in "PD"}
    hints = [name for name in names if name[0] not in "PD"]
    chance = rng.random()
    if rich and chance < 0.97:
        playable = [f"P{slot}" for slot in reference.playable_slots()]
        if playable and chance < 0.55:
            names = playable
        elif hints and (chance < 0.8 or not kinds["D"]):
            names = hints
        elif kinds["D"]:
            names = kinds["D"]
    return names[rng.integers(len(names))]


def record(n_players, seed, rich):
    """Play a game in the reference; return it as a dictionary of plain values."""
    rng = np.random.default_rng([SEED, seed])
    reference = Reference(n_players, seed)
    moves, states = [], [reference.snapshot()]
    while not reference.state.is_terminal():
        moves.append(choose(reference, rng, rich))
        reference.apply(moves[-1])
        states.append(reference.snapshot())
    return {
        "n_players": n_players,
        "deck": "".join(map(card_name, reference.deck())),
        "moves": " ".join(moves),
        "states": states,
    }


def replay(game):
    """Yield our snapshot of each state of a recorded game."""
    names = [game["deck"][i : i + 2] for i in range(0, len(game["deck"]), 2)]
    deck = [N_RANKS * COLOURS.index(name[0]) + int(name[1]) - 1 for name in names]
    state = State.from_deck(game["n_players"], deck)
    yield snapshot(state)
    for name in game["moves"].split():
        state = state.apply(parse_move(name))
        yield snapshot(state)


def games(numbers):
    """Yield recorded games: 2 to 5 players in turn, four random games, then four rich ones."""
    for i in numbers:
        yield record(2 + i % 4, i, rich=i % 8 >= 4)


def compare(n_games):
    """Print how many states and fields differ, and how the games ended."""
    n_states = n_masks = n_mismatches = 0
    endings = Counter()
    start = time.process_time()
    for number, game in enumerate(games(range(n_games))):
        for expected, ours in zip(game["states"], replay(game), strict=True):
            n_states += 1
            n_masks += len(expected.get("masks", "").split())
            wrong = [key for key in expected | ours if expected.get(key) != ours.get(key)]
            n_mismatches += len(wrong)
            if wrong:
                print(f"game {number}: {wrong}\n  reference {expected}\n  ours      {ours}")
        endings[_ending(game["states"][-1])] += 1
    seconds = time.process_time() - start
    print(f"{n_games} games, {n_states} states, {n_masks} slot masks, {seconds:.0f} s CPU")
    print("ended by " + ", ".join(f"{how}: {n}" for how, n in sorted(endings.items())))
    print(f"{n_mismatches} mismatches")


def _ending(last):
    if last["lives"] == 0:
        return "lives lost"
    return "25 points" if last["score"] == N_CARDS else "deck empty"


def write():
    """Record the fixture, whole or not at all."""
    fixture = {
        "source": "hanabi-learning-environment 0.0.4",
        "games": list(games(FIXTURE_GAMES)),
    }
    FIXTURE.parent.mkdir(exist_ok=True)
    write_whole(FIXTURE, json.dumps(fixture, indent=0) + "\n")
    n_states = sum(len(game["states"]) for game in fixture["games"])
    print(f"{n_states} states written to {FIXTURE.name}")


def main():
    """Read the command line and run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--write", action="store_true", help="record the tests' fixture")
    arguments = parser.parse_args()
    if arguments.write:
        write()
    else:
        compare(arguments.games)


if __name__ == "__main__":
    main()
