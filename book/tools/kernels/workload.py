"""What a page does with the library: its boards, its cells, and what its benches call."""

import doctest
from pathlib import Path

import numpy as np

BOOK = Path(__file__).parents[2]


def boards(n_touches=25, n_thoughts=4):
    """Play every board by touches drawn at random, and let it think."""
    from benchmarks.boards import ADDRESSES
    from tests.support.board_player import a_move
    from touchbook.boards import Session, board_class

    for address in ADDRESSES.values():
        session, rng = Session(board_class(address)()), np.random.default_rng(1)
        for view in session.board.views:
            session.answer({"do": "touch", "name": f"show-{view}"})
        for _ in range(n_touches):
            touch = a_move(session, rng)
            session.answer({"do": "new"} if touch is None else {"do": "touch", "name": touch})
        for _ in range(n_thoughts):
            session.answer({"do": "think"})


def cells():
    """Run every cell of the notebooks that a reader can change, exercises with their solutions."""
    from tests.support.run_tries import run_tries

    for path in sorted(BOOK.glob("*.ipynb")):
        run_tries(path)


def problems():
    """Each problem of NRPA's room that is written there, at a size that takes little time."""
    from gameai_book.nrpa import toy_games
    from gameai_lib import nrpa

    return (
        nrpa.morpion("5D"),
        nrpa.samegame(nrpa.bundled_board()),
        nrpa.tsptw(nrpa.bundled_tsptw("small")),
        nrpa.leftmove(),
        toy_games.zigzag(),
    )


def searches(n_playouts=40):
    """All three searches of every problem."""
    from gameai_lib import nrpa

    for problem in problems():
        rng = np.random.default_rng(1)
        nrpa.NRPA(problem, rng, level=3, n_iterations=10).advance(n_playouts)
        nrpa.NMCS(problem, rng, level=2).advance(n_playouts)
        flat = nrpa.FlatMonteCarlo(problem, rng)
        flat.advance(n_playouts)
        nrpa.replay(problem, flat.best.choices)


def examples():
    """The examples at the rooms' doors."""
    from gameai_lib import btmm, hanabi, nrpa, ntbea

    for room in (btmm, hanabi, nrpa, ntbea):
        doctest.testmod(room)


def beliefs():
    """Beliefs of a game between two programs, one state and all at once."""
    from gameai_lib import hanabi
    from gameai_lib.hanabi.belief.hands import enumerate_hands

    rng = np.random.default_rng(3)
    game = [*hanabi.play_game([hanabi.RuleAgent("Convention")] * 2, rng)]
    states = [f.state.public() for f in game if {len(hand) for hand in f.state.hands} == {5}]
    batch = [np.array(part) for part in zip(*states, strict=True)]
    enumerate_hands(*states[20], seen=(0, 1), max_hands=1000)
    for counts, mask in (batch, states[20]):
        for belief in (hanabi.exact_belief, hanabi.v0_belief, hanabi.v1_belief, hanabi.bp_belief):
            belief(counts, mask)
        likelihood = np.ones_like(mask, float)
        for belief in (hanabi.bad_belief, hanabi.v2_belief, hanabi.exact_belief, hanabi.bp_belief):
            belief(counts, mask, likelihood)
    hanabi.belief_after(game[:3], hanabi.convention_would_act, player=1)


def games():
    """Games of agents, games that a tuner plays, and models that it reads."""
    from gameai_lib import hanabi
    from gameai_lib.ntbea.game import planet_wars, space_battle

    hanabi.self_play(hanabi.RuleAgent("IGGI"), 2, range(30))
    rng = np.random.default_rng(5)
    planet_wars.evaluate(planet_wars.AGENT_SPACE.random_points(1, rng)[0], rng)
    space_battle.evaluate(space_battle.RULE_SPACE.random_points(1, rng)[0], rng)


def searchers(n_moves=6):
    """The first moves of players who search, on each belief, and a few of the last."""
    from itertools import islice

    from gameai_lib import hanabi
    from gameai_lib.hanabi.players.searcher import BELIEFS

    plain = hanabi.RuleAgent("Convention")
    for n_players in (2, 3):
        *_, late = [f.state for f in hanabi.play_game([plain] * n_players, 3) if f.state.n_deck > 3]
        for belief in BELIEFS:
            searcher, rng = hanabi.Searcher(plain, belief, n_deals=20), np.random.default_rng(5)
            game = hanabi.play_game([searcher] * n_players, rng)
            for _ in islice(game, n_moves):
                pass
            searcher(late.hide_hand(late.player), rng)


def fits():
    """Strengths of players, teams and patterns."""
    from gameai_lib import btmm
    from gameai_lib.btmm.model.fit import METHODS

    rng = np.random.default_rng(7)
    winners = rng.integers(0, 30, 400)
    losers = (winners + rng.integers(1, 30, 400)) % 30
    data = btmm.from_pairs(winners, losers)
    for method in METHODS:
        btmm.fit(data, method=method)
    got = btmm.fit(data)
    btmm.standard_errors(data, got)
    btmm.score(data, got)
    btmm.rate([*zip(winners.tolist(), losers.tolist(), [1, 0.5, 0] * 133 + [1], strict=True)])


def tables():
    """A deal played in three ways; partners who search, or play in a mirror."""
    from gameai_book.together.meeting import meet
    from gameai_book.together.split import split_deal

    list(split_deal(2, 4, 0))
    for names in (("Convention", "Mirror"), ("Searcher", "IGGI")):
        list(meet(*names, 1, 0, None))


#: Everything but the boards.
PARTS = (cells, examples, searches, beliefs, games, searchers, fits, tables)


def all_of_it():
    """Everything."""
    for part in (boards, *PARTS):
        part()
