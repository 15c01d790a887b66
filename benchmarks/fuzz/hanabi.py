"""Hanabi: beliefs, likelihoods, rules and games, and what is read of positions and logs.

Small states are damaged or given with junk; what is accepted is checked by laws: rows sum to 1,
nothing impossible is likely, a deal of the exact belief is a deal, V1 is at rest.
"""

import copy
import time
from itertools import islice, pairwise

import numpy as np

from benchmarks.fuzz import Fault, Target
from benchmarks.fuzz.harness import interrupted
from benchmarks.fuzz.mutants import damaged, junk, near, spoiled
from gameai_lib import hanabi as b
from gameai_lib.hanabi.belief.accuracy import (
    action_beliefs,
    belief_errors,
    counting_beliefs,
    mean_by_deck,
    plain_converges,
    public_states,
)
from gameai_lib.hanabi.belief.after import belief_after
from gameai_lib.hanabi.belief.bad import FIFTY_STEPS
from gameai_lib.hanabi.belief.bethe import bp_belief
from gameai_lib.hanabi.belief.deals import sample_deals
from gameai_lib.hanabi.belief.exact import exact_belief, n_deals
from gameai_lib.hanabi.belief.hands import enumerate_hands
from gameai_lib.hanabi.belief.likelihood import (
    exact_likelihood,
    public_likelihood,
    sampled_likelihood,
)
from gameai_lib.hanabi.game.cards import (
    Discard,
    HintColour,
    HintRank,
    Play,
    card_name,
    hint_cards,
    parse_card,
)
from gameai_lib.hanabi.game.cases import CASES, star
from gameai_lib.hanabi.game.logs import log_text, read_log
from gameai_lib.hanabi.game.memory import MAX_SPAN, forgetful_game
from gameai_lib.hanabi.game.play import play_game, self_play
from gameai_lib.hanabi.game.positions import parse_state
from gameai_lib.hanabi.game.rules import State, describe
from gameai_lib.hanabi.game.text import parse_move
from gameai_lib.hanabi.players.agents import RULES, RuleAgent
from gameai_lib.hanabi.players.contest import score_table
from gameai_lib.hanabi.players.convention import asked_slot, convention_would_act
from gameai_lib.hanabi.players.listener import listening_game
from gameai_lib.hanabi.players.policy import agent_would_act, allow_errors


def targets():
    """What the room is tried with."""
    return [
        Target("settings", lambda rng: _spoilt(_SETTINGS, rng), _settings, weight=3),
        Target("beliefs", _state, _beliefs, weight=6),
        Target("settled", _consistent, _settled, weight=4),
        Target("exact", _state, _exact, weight=6),
        Target("huge", _huge, _exact, weight=0.5),
        Target("samples", _sampling, _samples, weight=3),
        Target("enumerate", _listing, _enumerate, weight=3),
        Target("policies", _policy, _likelihood, weight=3),
        Target("deal", _dealing, _deal, weight=2),
        Target("moves", _moves, _apply, weight=6),
        Target("names", lambda rng: near("G2", rng) if rng.random() < 0.5 else junk(rng), _names),
        Target("position", _a_position, _position, weight=3),
        Target("log", _a_log, _log, weight=1),
        Target("would_act", _asked, _would_act, weight=2),
        Target("games", _players, _games, weight=0.4),
        Target("kept", _kept, _keep, weight=0.6),
        Target("errors", _compared, _errors, weight=0.5),
        Target("junk", _a_call, _call, weight=4),
        Target("interrupts", _moment, _interrupts, weight=0.02),
    ]


def _spoilt(good, rng):
    try:
        with np.errstate(all="ignore"):
            return spoiled(good, rng)
    except (TypeError, ValueError):  # junk that cannot be spoiled once more
        return good | {list(good)[rng.integers(len(good))]: junk(rng)}


_SETTINGS = {
    "damping": 0.5, "clip": True, "n_iterations": 20, "tolerance": 0.1,
}  # fmt: skip


def _settings(options):
    settings = b.V1Settings(**options)
    quick = b.V1Settings(settings.damping, settings.clip, n_iterations=3, tolerance=0)
    for case in CASES[:3]:
        result = b.v1_result(case.candidates, case.hint_mask, settings=quick)
        if settings.clip:
            _check_belief(result.belief, case.hint_mask)


def _small(rng):
    n_slots, n_cards = rng.integers(1, 5), rng.integers(1, 6)
    return {
        "candidates": rng.integers(0, 4, n_cards),
        "hint_mask": rng.random((n_slots, n_cards)) < 0.7,
    }


def _state(rng):
    state = _small(rng)
    if rng.random() < 0.5:
        state["likelihood"] = 10.0 ** rng.uniform(-3, 3, state["hint_mask"].shape)
    return _spoilt(state, rng) if rng.random() < 0.8 else state


def _consistent(rng):
    """A state that allows a deal, often with little or no deck."""
    n_slots, n_cards = int(rng.integers(1, 13)), int(rng.integers(1, 14))
    copies = rng.permutation(np.repeat(np.arange(n_cards), 3))
    n_slots = min(n_slots, len(copies))
    copies = copies[: n_slots + int(rng.integers(0, 4))]
    mask = rng.random((n_slots, n_cards)) < rng.choice([0.1, 0.3, 0.6])
    mask[np.arange(n_slots), copies[:n_slots]] = True
    return np.bincount(copies, minlength=n_cards), mask


def _huge(rng):
    state = _small(rng)
    counts = np.asarray(state["candidates"], dtype=object)
    huge = (2**31, 2**62, 2**63, 2**64, 10**30, 1_000_000, 999_983, 5000, 1e308, 2.0**53)
    for _ in range(rng.integers(1, 4)):
        counts[rng.integers(len(counts))] = huge[rng.integers(len(huge))]
    state["candidates"] = counts.tolist()
    return state


def _check_belief(belief, hint_mask):
    belief, mask = np.asarray(belief), np.asarray(hint_mask).astype(bool)
    if not np.isfinite(belief).all() or (belief < 0).any() or (belief > 1 + 1e-9).any():
        raise Fault(f"not probabilities: {belief}")
    if not np.allclose(belief.sum(axis=-1), 1):
        raise Fault(f"rows sum to {belief.sum(axis=-1)}")
    if belief[~mask].any():
        raise Fault("what the hints rule out is possible")


def _beliefs(state):
    likelihood = state.get("likelihood")
    _check_belief(b.v0_belief(**state), state["hint_mask"])
    ten = b.V1Settings(damping=0.3, n_iterations=10, tolerance=0)
    _check_belief(b.v1_result(**state, settings=ten).belief, state["hint_mask"])
    if likelihood is not None:
        _check_belief(b.v2_belief(**state, alpha=0.1), state["hint_mask"])


def _settled(public):
    candidates, hint_mask = public
    belief = b.v1_belief(candidates, hint_mask)
    _check_belief(belief, hint_mask)
    if (candidates - belief.sum(axis=0) < -1e-6).any():
        raise Fault("V1 at rest promises cards that do not exist")
    # It may rule out what is possible: that is an error of V1, not of the library.
    if ((belief > 1e-3) & (exact_belief(candidates, hint_mask) == 0)).any():
        raise Fault("V1 allows what is impossible")


def _exact(state):
    belief = exact_belief(**state)
    _check_belief(belief, state["hint_mask"])
    if (belief.sum(axis=-2) > np.asarray(state["candidates"], dtype=float) + 1e-6).any():
        raise Fault("more copies than exist")
    near = bp_belief(**state)
    _check_belief(near, state["hint_mask"])
    if "likelihood" in state:
        return
    if not (n_deals(**state) >= 1).all():
        raise Fault("no deals")
    if ((near > 0) != (belief > 0)).any():
        raise Fault("BP does not say what is possible")


def _sampling(rng):
    candidates, hint_mask = _consistent(rng)
    good = {
        "candidates": candidates, "hint_mask": hint_mask, "n_samples": 5,
        "rng": np.random.default_rng(1),
    }  # fmt: skip
    arguments = _spoilt(good, rng) if rng.random() < 0.8 else good
    if str(arguments["n_samples"]) == "5000000":  # would be given, but costs seconds
        arguments["n_samples"] = 5_000
    return arguments


def _samples(arguments):
    deals = sample_deals(**arguments)
    mask, counts = np.asarray(arguments["hint_mask"]), np.asarray(arguments["candidates"])
    if deals.shape != (arguments["n_samples"], len(mask)):
        raise Fault(f"shape {deals.shape}")
    for deal in deals[:20]:
        if not mask[np.arange(len(deal)), deal].all():
            raise Fault("a card that the hints rule out")
        if (np.bincount(deal, minlength=len(counts)) > counts).any():
            raise Fault("a card more often than it has copies")


def _listing(rng):
    good = _small(rng) | {"seen": [0], "max_hands": 500}
    return _spoilt(good, rng) if rng.random() < 0.8 else good


def _enumerate(arguments):
    hands = enumerate_hands(**arguments)
    if not np.isclose(hands.probability.sum(), 1) or (hands.probability < 0).any():
        raise Fault("not probabilities")
    exact = exact_belief(arguments["candidates"], arguments["hint_mask"])
    seen = arguments["seen"]
    seen = range(len(exact)) if seen is None else np.asarray(seen).astype(int)
    for slot, column in zip(seen, hands.cards.T, strict=True):
        row = np.bincount(column, hands.probability, exact.shape[1])
        if not np.allclose(row, exact[slot], atol=1e-9):
            raise Fault(f"slot {slot}: {row}, but exact is {exact[slot]}")


def _policy(rng):
    """A state, and a policy that misbehaves in one of many ways."""
    answer = junk(rng)
    if callable(answer):  # what it says to these arguments is not the library's affair
        answer = None
    policies = (
        lambda hands: answer,
        lambda hands: (hands[:, 0] == 0).astype(type(answer) if answer in (0, 0.5, "") else int),
        lambda hands: hands[:-1, 0] == 0,
        lambda hands: hands[:, 0] == 0,
        lambda hands: hands.sort() or hands[:, 0] == 0,
        lambda hands: (hands[:, 0] == 0).tolist(),
        answer,
    )
    try:
        policy = policies[rng.integers(len(policies))]
        policy_is_odd = policy is policies[1]
    except (TypeError, ValueError):
        policy, policy_is_odd = policies[0], False
    return _small(rng), policies[3] if policy_is_odd else policy, bool(rng.integers(2))


def _likelihood(arguments):
    state, policy, sampled = arguments
    if sampled:
        rng = np.random.default_rng(0)
        found = sampled_likelihood(**state, would_act=policy, rng=rng, n_samples=20)
    else:
        found = exact_likelihood(**state, would_act=policy)
    if not np.isfinite(found).all() or (found < 0).any() or (found > 1).any():
        raise Fault(f"not a likelihood: {found}")


def _dealing(rng):
    box = [card for card in range(25) for _ in range((3, 2, 2, 2, 1)[card % 5])]
    deck = rng.permutation(box).tolist()
    return _spoilt({"n_players": int(rng.integers(2, 6)), "deck": deck}, rng)


def _deal(arguments):
    state = State.from_deck(**arguments)
    if state.candidates().sum() != 50 or len(state.legal_moves()) < 5:
        raise Fault("not a new game")


def _a_state(rng):
    state = State.new(int(rng.integers(2, 6)), rng)
    for _ in range(rng.integers(0, 12)):
        moves = state.legal_moves()
        if moves:
            state = state.apply(moves[rng.integers(len(moves))])
    return state


def _moves(rng):
    kind = (Play, Discard, HintColour, HintRank)[rng.integers(4)]
    n_fields = 1 if kind in (Play, Discard) else 2
    fields = [int(rng.integers(0, 6)) for _ in range(n_fields)]
    if rng.random() < 0.7:
        at = rng.integers(n_fields)
        fields[at] = near(fields[at], rng) if rng.random() < 0.5 else junk(rng)
    move = kind(*fields) if rng.random() < 0.9 else junk(rng)
    return _a_state(rng), move, junk(rng)


def _apply(arguments):
    state, move, player = arguments
    if not state.is_over:
        try:
            counts, mask = state.view(player)
        except ValueError:
            pass
        else:
            if (counts < 0).any() or not (mask & (counts > 0)).any(axis=1).all():
                raise Fault(f"player {player} cannot hold a hand")
    after = state.apply(move)
    if not any(type(move) is type(m) and move == m for m in state.legal_moves()):
        raise Fault("an illegal move was made")
    describe(state, move)
    if isinstance(move, HintColour | HintRank) and not hint_cards(move).any():
        raise Fault("a hint without cards")
    if after.n_lives > 0 and not 0 <= after.score <= 25:
        raise Fault(f"score {after.score}")


def _names(name):
    for function, back in ((parse_card, card_name), (card_name, None)):
        try:
            result = function(name)
        except ValueError:
            continue
        if back and back(result) != name:
            raise Fault(f"{name!r} is read as {result}")


def _a_position(rng):
    state = _a_state(rng)
    return _damaged_text(str(state if rng.random() < 0.5 else state.hide_hand(0)), rng)


def _position(text):
    if str(parse_state(text)) != str(parse_state(str(parse_state(text)))):
        raise Fault("a position is not what it was, written and read again")


def _a_log(rng):
    return _damaged_text(_LOGS[rng.integers(2)], rng)


def _log(text):
    game = read_log(text.splitlines() if isinstance(text, str) else text)
    names = [line.split(":")[0].strip() for line in text.splitlines() if ":" in line.split("#")[0]]
    again = read_log(log_text(game, [name for name in names if name != "deck"]).splitlines())
    if [str(frame.next_state) for frame in game] != [str(frame.next_state) for frame in again]:
        raise Fault("a log is not what it was, written and read again")


def _damaged_text(text, rng):
    if rng.random() < 0.1:
        return junk(rng)
    return damaged(text.encode(), rng).decode(errors="replace")


def _asked(rng):
    state = _a_state(rng)
    move = (Play(0), HintRank(0, 1), HintColour(1, 2), Discard(1))[rng.integers(4)]
    hands = rng.integers(0, 26, (3, state.hand_size))
    good = {"state": state, "move": move, "hands": hands}
    part = "move" if rng.random() < 0.5 else "hands"
    return good | {part: near(good[part], rng) if rng.random() < 0.5 else junk(rng)}


def _would_act(arguments):
    if asked_slot(arguments["state"]) is None:
        acted = convention_would_act(**arguments)
        if acted.dtype != bool or acted.shape != (len(arguments["hands"]),):
            raise Fault(f"{acted}")


def _players(rng):
    """A game in which one agent, or its belief, does what it should not."""
    odd = junk(rng)
    odd = None if callable(odd) else odd
    good = RuleAgent(list(RULES)[rng.integers(len(RULES))])
    bad = (
        lambda state, rng: odd,
        lambda state, rng: near(state.legal_moves()[0], rng),
        lambda state, rng: Play(odd),
        lambda state, rng: HintRank(odd, 1),
        RuleAgent("IGGI", lambda candidates, hint_mask: odd),
        RuleAgent("Van den Bergh", lambda candidates, mask: mask[1:] * 0.5),
        odd,
        good,
    )[rng.integers(8)]
    n_players = int(rng.integers(2, 6)) if rng.random() < 0.8 else junk(rng)
    return good, bad, n_players, int(rng.integers(1000))


def _games(arguments):
    good, bad, n_players, seed = arguments
    if isinstance(n_players, int) and 2 <= n_players <= 5:
        agents = [good] * (n_players - 1) + [bad]
        *_, last = play_game(agents, np.random.default_rng(seed))
        if not last.next_state.is_over:
            raise Fault("the game is not over")
    else:
        self_play(good, n_players, [np.random.default_rng(seed + i) for i in range(2)])


def _kept(rng):
    """A game of a listener, or of players who forget, with one argument damaged."""
    beliefs = (exact_belief, b.bad_belief, lambda *state: near(b.bad_belief(*state), rng))
    listener = {"belief": beliefs[rng.integers(3)], "max_hands": 50, "n_samples": 20}
    forgetful = {"agent": RuleAgent(list(RULES)[rng.integers(len(RULES))]), "n_players": 2}
    forgetful["span"] = int(rng.choice([1, 4, MAX_SPAN]))
    good = (listener if rng.random() < 0.5 else forgetful) | {"rng": np.random.default_rng(1)}
    part = list(good)[rng.integers(len(good))]
    odd = junk(rng)
    if rng.random() < 0.4 or callable(odd):  # what it answers is not the library's affair
        return good
    return good | {part: odd}


def _keep(arguments):
    if "belief" in arguments:
        frames = list(islice(listening_game(**arguments), 12))
    else:
        same = copy.deepcopy(arguments["rng"])
        frames = list(forgetful_game(**arguments))
        if arguments["span"] == MAX_SPAN:
            players = [arguments["agent"]] * arguments["n_players"]
            with_all = list(play_game(players, same))
            if [frame.move for frame in frames] != [frame.move for frame in with_all]:
                raise Fault("who forgets nothing plays otherwise")
    for frame, later in pairwise(frames):
        if later.state is not frame.next_state or frame.move not in frame.state.legal_moves():
            raise Fault(f"{frame.move} does not lead to the next turn")


_FRAMES = [list(play_game([RuleAgent("random")] * 2, np.random.default_rng(3)))[:4]]
_LOGS = [log_text(_FRAMES[0]), log_text(play_game([RuleAgent("IGGI")] * 4, 3))]


def _compared(rng):
    states = public_states(_FRAMES)
    belief = exact_belief(states.candidates, states.hint_mask)
    good = {"belief": belief, "reference": belief, "truth": states.truth}
    shorter = {name: value[: int(rng.integers(1, 5))] for name, value in good.items()}
    part = list(good)[rng.integers(3)]
    return good | {part: shorter[part]}


def _errors(arguments):
    errors = belief_errors(**arguments)
    if errors.tv_worst.max() > 1e-9:
        raise Fault("a belief is off from itself")


_PUBLIC = (
    b.v0_belief, b.v1_belief, b.v1_result, b.bad_belief, b.v2_belief,
    lambda *arguments: next(b.v1_iterations(*arguments)), exact_belief, n_deals, sample_deals,
    enumerate_hands, exact_likelihood, sampled_likelihood,
    lambda *arguments: list(public_likelihood(*arguments)), star, State.new, State.from_deck,
    card_name, parse_card, hint_cards, describe, asked_slot, convention_would_act, RuleAgent,
    lambda *arguments: next(play_game(*arguments)), self_play, public_states, counting_beliefs,
    action_beliefs, plain_converges, mean_by_deck, belief_errors, b.V1Settings, parse_move,
    belief_after, agent_would_act, allow_errors, log_text, score_table, bp_belief,
)  # fmt: skip
_GOOD = (
    [1, 2, 1], np.ones((2, 3), dtype=bool), np.full((2, 3), 0.5), 2, "IGGI", "G2",
    np.random.default_rng(5), State.new(2, np.random.default_rng(4)), Play(0), _FRAMES, _FRAMES[0],
    public_states(_FRAMES), FIFTY_STEPS,
)  # fmt: skip


def _a_call(rng):
    """A public function, and arguments of which some would fit somewhere."""
    function = _PUBLIC[rng.integers(len(_PUBLIC))]
    arguments = []
    for _ in range(_n_needed(function, rng)):
        argument = _GOOD[rng.integers(len(_GOOD))] if rng.random() < 0.6 else junk(rng)
        arguments.append(None if callable(argument) else argument)
    return function, arguments


def _n_needed(function, rng):
    n_needed = {
        b.bad_belief: 3, b.v2_belief: 3, sample_deals: 4, exact_likelihood: 3,
        sampled_likelihood: 4, _PUBLIC[12]: 3, star: 1, card_name: 1,
        parse_card: 1, hint_cards: 1, asked_slot: 1, convention_would_act: 3, RuleAgent: 1,
        self_play: 3, public_states: 1, counting_beliefs: 1, plain_converges: 1, belief_errors: 3,
        b.V1Settings: int(rng.integers(5)), parse_move: 1, agent_would_act: 1, log_text: 1,
        belief_after: 1, score_table: 1,
    }  # fmt: skip
    return n_needed.get(function, 2)


def _call(call):
    function, arguments = call
    function(*arguments)


def _moment(rng):
    # Not while the helper is forked: Python calls hooks there, which swallow an interrupt.
    return float(rng.uniform(0.01, 0.03))


def _interrupts(seconds):
    case, rng = star(8), np.random.default_rng(0)

    def draw(for_seconds=3.0):
        end = time.monotonic() + for_seconds
        while time.monotonic() < end:
            sample_deals(case.candidates, case.hint_mask, 1, rng)

    draw(0.01)  # compiled
    if interrupted(draw, seconds) is None:
        raise Fault("no interrupt came")
