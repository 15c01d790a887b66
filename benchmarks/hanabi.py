"""How fast beliefs and games are: ``python -m benchmarks.hanabi`` prints ratios of one run.

Each of our functions stands beside a plain NumPy version (the yardsticks below) or, for V0,
beside JaxMARL where it is installed; games stand beside OpenSpiel's. States are those of games
of two players with all ten slots filled. Times are CPU seconds of this process; the best of
several rounds counts.
"""

import random
import time

import numpy as np

from gameai_book.hanabi.measure import games as hanabi_games
from gameai_lib.hanabi.belief.bad import FIFTY_STEPS
from gameai_lib.hanabi.belief.exact import exact_belief
from gameai_lib.hanabi.belief.v0 import v0_belief
from gameai_lib.hanabi.belief.v1 import v1_belief
from gameai_lib.hanabi.game.box import ALL_CARDS, FULL_COUNTS, N_CARDS
from gameai_lib.hanabi.game.play import play_game
from gameai_lib.hanabi.game.table import deal
from gameai_lib.hanabi.players.agents import RuleAgent
from gameai_lib.hanabi.players.playout import MOST_MOVES, play_out, seat_rows
from gameai_lib.hanabi.players.searcher import Searcher

N_STATES = 200
N_ROUNDS = 5
N_GAMES = 20


def ten_slot_states(rng):
    """Candidates (n, 25) and hint masks (n, 10, 25) of states spread over many games."""
    states = []
    while len(states) < 5 * N_STATES:
        for frame in play_game([RuleAgent("Van den Bergh")] * 2, rng):
            if all(len(hand) == 5 for hand in frame.state.hands):
                states.append(frame.state.public())
    chosen = [states[i] for i in rng.choice(len(states), N_STATES, replace=False)]
    candidates, hint_mask = map(np.array, zip(*chosen, strict=True))
    return candidates[:, :N_CARDS], hint_mask[:, :, :N_CARDS]


def numpy_v0(candidates, hint_mask):
    """V0 of one state in three lines of NumPy."""
    weight = candidates * hint_mask
    return weight / weight.sum(axis=1, keepdims=True)


def numpy_v1(candidates, hint_mask, damping=0.2, n_iterations=50):
    """V1 of one state, vectorised over slots and cards."""
    belief = numpy_v0(candidates, hint_mask)
    for _ in range(n_iterations):
        copies = np.maximum(0, candidates - (belief.sum(axis=0) - belief)) * hint_mask
        mass = copies.sum(axis=1, keepdims=True)
        new = np.where(mass > 1e-12, copies / np.where(mass > 1e-12, mass, 1), belief)
        belief = (1 - damping) * belief + damping * new
    return belief


def numpy_exact(candidates, mask):
    """Exact marginals of one state by subsets of slots, vectorised over the subsets."""
    n_slots, n_cards = mask.shape
    n_subsets = 1 << n_slots
    subsets = np.arange(n_subsets)
    with_slot = [subsets[(subsets >> i) & 1 == 1] for i in range(n_slots)]

    def multiply(cells, card):
        product = cells.copy()
        for i in range(n_slots):
            if mask[i, card]:
                product[with_slot[i]] += mask[i, card] * cells[with_slot[i] ^ (1 << i)]
        return product

    one = np.zeros(n_subsets)
    one[0] = 1
    prefix = [one]
    for card in range(n_cards):
        cells = prefix[-1]
        for _ in range(int(candidates[card])):
            cells = multiply(cells, card)
        prefix.append(cells)
    belief, suffix = np.zeros((n_slots, n_cards)), one
    for card in range(n_cards - 1, -1, -1):
        if not candidates[card]:
            continue
        for _ in range(int(candidates[card]) - 1):
            suffix = multiply(suffix, card)
        for i in range(n_slots):
            if mask[i, card]:
                others = (n_subsets - 1) ^ (1 << i)
                filled = subsets[(subsets & ~others) == 0]
                ways = (prefix[card][filled] * suffix[others ^ filled]).sum()
                belief[i, card] = candidates[card] * mask[i, card] * ways
        suffix = multiply(suffix, card)
    return belief / prefix[-1][-1]


def one_by_one(function, states):
    """(n, 10, 25) array: `function` called for each state."""
    return np.array([function(*state) for state in zip(*states, strict=True)])


def seconds(function, *arguments):
    """CPU seconds of the fastest of `N_ROUNDS` calls, after one to warm up, and the result."""
    result = function(*arguments)
    times = []
    for _ in range(N_ROUNDS):
        start = time.process_time()
        function(*arguments)
        times.append(time.process_time() - start)
    return min(times), result


def compare(name, yardstick, ours, target=None):
    """Print a line for each of `ours`: the ratio of its time to the yardstick's."""
    (peer_name, peer), *others = [yardstick, *ours]
    peer_seconds, expected = peer
    print(f"{name:6} {peer_name:34} {peer_seconds / N_STATES * 1e6:9.1f} µs")
    for our_name, (our_seconds, result) in others:
        difference = np.abs(result - expected).max()
        goal = f"   target 1/{target}" if target else ""
        print(
            f"{'':6} {our_name:34} {our_seconds / N_STATES * 1e6:9.1f} µs  "
            f"1/{peer_seconds / our_seconds:<6.3g} differs by {difference:.0e}{goal}"
        )


def jaxmarl_v0(states):
    """JaxMARL's V0 of all states as a jitted function and its arguments, or None."""
    try:
        import jax
        from jaxmarl import make
    except ImportError:
        print("V0     JaxMARL is not installed: plain NumPy alone")
        return None
    environment = make("hanabi")
    _, blank = environment.reset(jax.random.PRNGKey(0))
    candidates, hint_mask = states
    inputs = []
    for counts, mask in zip(candidates, hint_mask, strict=True):
        # All that is gone goes into the discard pile; only the sum matters there.
        pile = np.zeros(blank.discard_pile.shape)
        pile[0] = (FULL_COUNTS[:N_CARDS] - counts).reshape(pile.shape[1:])
        inputs.append(
            blank.replace(
                discard_pile=jax.numpy.array(pile),
                fireworks=jax.numpy.zeros_like(blank.fireworks),
                card_knowledge=jax.numpy.array(mask.reshape(2, 5, N_CARDS), dtype=float),
            )
        )

    def all_states():
        features = [environment.get_v0_belief_feats(0, state) for state in inputs]
        return np.array([np.asarray(f).reshape(10, -1)[:, :N_CARDS] for f in features])

    return all_states


def kernel_moves(name, n_games=2000):
    """Moves a second of copies of an agent, two players, in the kernel."""
    rows = seat_rows(*[RuleAgent(name).row] * 2)
    rngs = [np.random.default_rng(game) for game in range(n_games)]
    tables = [deal(2, rng.permutation(ALL_CARDS)) for rng in rngs]
    room = np.empty(MOST_MOVES, np.int64), np.empty((2, 5))
    play_out(rows, deal(2, ALL_CARDS), *room, rngs[0])
    start = time.process_time()
    n_moves = sum(
        play_out(rows, table, *room, rng) for table, rng in zip(tables, rngs, strict=True)
    )
    return n_moves / (time.process_time() - start)


def framed_moves(name):
    """Moves a second of copies of an agent, two players, frame by frame in Python."""
    start = time.process_time()
    games = (play_game([RuleAgent(name)] * 2, seed) for seed in range(N_GAMES))
    return sum(1 for game in games for _ in game) / (time.process_time() - start)


def print_thoughts():
    """Print how long a move of two who search takes, with a hundred deals, and all around it."""
    print("\nmilliseconds a move, with 100 deals, beside a move by the rules frame by frame")
    for who, agents in {
        "one searches, exact with L": [Searcher(), RuleAgent("Convention")],
        "both search, soft L": [Searcher(belief="soft L")] * 2,
    }.items():
        list(play_game(agents, 0))
        times, n_thought = [], len(agents) - agents.count(RuleAgent("Convention"))
        for seed in range(N_ROUNDS):
            start = time.process_time()
            n_moves = len(list(play_game(agents, seed)))
            times.append((time.process_time() - start) / n_moves * len(agents) / n_thought)
        rules = 1 / max(framed_moves("Convention") for _ in range(N_ROUNDS))
        print(f"{who:31} {min(times) * 1e3:8.1f} ms  {min(times) / rules:6.0f} times")


def openspiel_moves():
    """Random moves a second of OpenSpiel's Hanabi by its Python API, or None."""
    try:
        import pyspiel
    except ImportError:
        return None
    rng, n_moves, start = random.Random(1), 0, time.process_time()
    for _ in range(N_GAMES):
        state = pyspiel.load_game("hanabi").new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                cards, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(cards, weights)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                n_moves += 1
    return n_moves / (time.process_time() - start)


def print_moves():
    """Print how many moves a second are played, and the ratio to OpenSpiel."""
    peer = openspiel_moves()
    print("\nmoves a second on one core, two players")
    print(
        f"OpenSpiel, random, from Python  {peer:12,.0f}" if peer else "OpenSpiel is not installed"
    )
    for name in ("random", "Convention"):
        for how, measure in (("kernel", kernel_moves), ("frames", framed_moves)):
            found = max(measure(name) for _ in range(N_ROUNDS))
            times = f"{found / peer:8.3g} times" if peer else ""
            print(f"{name + ', ' + how:31} {found:12,.0f} {times}")


def main():
    """Measure and print everything."""
    states = ten_slot_states(np.random.default_rng(1))
    print(f"per state, mean over {N_STATES} states of ten slots")
    jaxmarl = jaxmarl_v0(states)
    v0 = [
        ("v0_belief, one call each", seconds(one_by_one, v0_belief, states)),
        ("v0_belief, one batch", seconds(v0_belief, *states)),
    ]
    if jaxmarl:
        compare("V0", ("JaxMARL, one call each", seconds(jaxmarl)), v0)
    compare("V0", ("NumPy, one call each", seconds(one_by_one, numpy_v0, states)), v0)

    def fifty(*state):
        return v1_belief(*state, settings=FIFTY_STEPS)  # as in the yardstick

    v1_rows = [
        ("fifty steps, one call each", seconds(one_by_one, fifty, states)),
        ("fifty steps, one batch", seconds(fifty, *states)),
        ("at rest, one call each", seconds(one_by_one, v1_belief, states)),
        ("at rest, one batch", seconds(v1_belief, *states)),
    ]
    yardstick = seconds(one_by_one, numpy_v1, states)
    compare("V1", ("NumPy, one call each, 50 iterations", yardstick), v1_rows, target=10)
    exact = [
        ("exact_belief, one call each", seconds(one_by_one, exact_belief, states)),
        ("exact_belief, one batch", seconds(exact_belief, *states)),
    ]
    yardstick = seconds(one_by_one, numpy_exact, states)
    compare("exact", ("NumPy, one call each", yardstick), exact, target=8)
    print_moves()
    print_thoughts()
    print(f"\nself-play, {N_GAMES} games each")
    for names, measure in hanabi_games.agents(N_GAMES):
        start = time.process_time()
        mean = measure()["mean"]
        per_second = N_GAMES / (time.process_time() - start)
        print(f"{names['agent']:14} {names['belief']:6} {mean:6.2f} {per_second:6.0f} games/s")


if __name__ == "__main__":
    main()
