"""What the lesson says in numbers, computed anew."""

from functools import cache

import numpy as np
import pytest

from gameai_book.together.boards.thinking import ThinkingBoard
from gameai_book.together.results.calibration import calibration
from gameai_book.together.results.ladder import stored_rungs
from gameai_book.together.results.league import stored_league
from gameai_book.together.results.open_deals import stored_open_deals
from gameai_book.together.results.tuning import stored_tuning
from gameai_lib.hanabi import Discard, HintColour, HintRank, RuleAgent, Searcher, play_game
from gameai_lib.hanabi.belief.exact import exact_belief
from gameai_lib.hanabi.game.box import N_CARDS, parse_card
from gameai_lib.hanabi.players.agents import asked_slot
from gameai_lib.together.league import rate_partners
from gameai_lib.together.rule_list import CONVENTION, SPACE, TUNED
from tests.support.built_pages import ROOT

PARTNER = RuleAgent("Convention")


@cache
def game(seed):
    return list(play_game([PARTNER, PARTNER], np.random.default_rng(seed)))


@cache
def lesson():
    return (ROOT / "book" / "together.ipynb").read_text(encoding="utf-8")


def say(*sentences):
    for words in sentences:
        assert words in lesson(), words


def test_the_first_screen_is_about_the_last_yellow_3():
    now = game(25)[12].state
    assert game(25)[-1].next_state.score == 17
    assert now.hands[1][3] == parse_card("Y3")
    assert now.discards[parse_card("Y3")] == 1
    discarded = now.apply(Discard(0))
    assert PARTNER(discarded.hide_hand(1), None) == Discard(3)
    hinted = now.apply(HintRank(1, 3))
    assert asked_slot(hinted) is None
    assert PARTNER(hinted.hide_hand(1), None) != Discard(3)
    assert Searcher(PARTNER)(now.hide_hand(0), np.random.default_rng(1)) == HintRank(1, 3)
    board = ThinkingBoard(seed=25, moves=12)
    board.touch("show-seat")
    search = dict(board.panels())[0]
    assert search.thought.moves[search.choice] == HintRank(1, 3)
    assert round(search.thought.gains[search.choice], 1) == 2.5
    say("end the game below with 17 points", "puts the same gain at 2.5")


def test_the_red_2_is_asked_for_and_counting_does_not_see_it():
    now = game(18)[30].state
    assert isinstance(now.last_move, HintColour)
    assert (asked_slot(now), now.hands[0][4]) == (4, parse_card("R2"))
    fits = exact_belief(*now.view(0))[4, :N_CARDS] @ now.playable()[:N_CARDS]
    assert fits == pytest.approx(0.25, abs=0.01)
    say("about one chance in four to fit")
    board = ThinkingBoard(seed=18, moves=30, belief="exact")
    board.touch("show-seat")
    assert "would hint 4s" in board.say()
    assert "gains 0.3" in board.say()
    board.touch("belief-strict")
    assert "would play slot 4, as the Convention does" in board.say()
    assert "on 10 deals" in board.say()
    say("would rather hint 4s, and believes that this gains 0.3 points")
    say("ten deals are enough to see it")


def test_what_search_gains():
    of = {(r.belief, r.n_deals): r for r in stored_rungs()["beliefs"]}
    counting = [of[belief, 100].gain for belief in ("V0", "V1", "BP", "exact")]
    assert [round(gain) for gain in counting] == [-2] * 4
    assert 1.7 < of["exact with L", 100].gain < 1.9
    assert round(of["exact", 400].mean, 1) == 17.6
    soft, far, hard, _ = stored_rungs()["both"]
    assert (round(soft.mean, 1), round(soft.gain, 1), round(hard.mean, 1)) == (23.2, 2.3, 23.1)
    assert 0 < far.gain - soft.gain < 0.2
    say("falls to 17.6 points", "reach 23.2 points, 2.3 more", "throws hands away reaches 23.1")
    say("gain less than 0.2 points more")
    _, both = stored_rungs()["tuned"]
    assert round(both.mean, 1) == 23.6
    say("on the tuned list reach 23.6 points")


def test_what_counting_overrates():
    found = {belief: row.pairs for belief, row in calibration().items()}
    for belief, share, error in (("exact", 1 / 6, 0.01), ("exact with L", 1 / 3, 0.03)):
        (fits,) = (seen for predicted, seen, _ in found[belief] if 0.3 < predicted < 0.4)
        assert fits == pytest.approx(share, abs=error)
    say("one chance in three, only one in six really fits")


def test_what_the_dials_are_worth():
    _, parts = stored_tuning()
    changed = [dial for dial in TUNED if TUNED[dial] != CONVENTION[dial]]
    undone = {(row["dial"], row["value"]): row["gain"] for row in parts["ablations"]}
    total = -sum(undone[dial, CONVENTION[dial]] for dial in changed)
    tuned = next(r for r in parts["tables"] if (r["agent"], r["n_players"]) == ("Tuned", 2))
    assert (len(changed), f"{total:.1f}", f"{tuned['gain']:.1f}") == (6, "0.6", "1.5")
    assert SPACE.size == 279_936
    say("279,936 lists", "in six places", "gains 1.5 points", "only 0.6 points")


def test_groups_of_the_league():
    league = stored_league()
    rated, index = rate_partners(league.scores, 1, n_refits=2), league.names.index
    assert rated.strength[index("IGGI")] > rated.strength[index("Convention")]
    own = dict(zip(league.names, league.means.diagonal(), strict=True))
    assert round(own["Convention"] - own["IGGI"]) == 3
    speakers = "Searcher", "Soft searcher", "Hints first", "Tuned", "Convention"
    for group in (speakers, ("IGGI", "Piers", "Van den Bergh", "Outer")):
        square = rated.residual[np.ix_(*[[*map(index, group)]] * 2)]
        assert square[np.triu_indices(len(group), 1)].mean() > 0
    mirror = np.delete(league.means[index("Mirror")], index("Mirror"))
    assert own["Mirror"] > 1.5 * mirror.max()


def test_what_open_cards_allow():
    _, deals, scores = stored_open_deals()
    assert deals[2].n_perfect == 491
    assert [deals[n].n_perfect for n in (3, 4, 5)] == [499] * 3
    rules = {s.n_players: s.mean for s in scores if s.agent == "Convention"}
    search = [stored_rungs()["both"][0], *stored_rungs()["tables"]]
    best = {n: np.mean(of.points) for n, of in deals.items()}
    ways = [
        (rung.mean - rules[n]) / (best[n] - rules[n]) for n, rung in zip(deals, search, strict=True)
    ]
    assert all(rung.gain > 2 for rung in search)
    assert min(ways[:2]) > 0.5
    assert ways[3] == pytest.approx(0.4, abs=0.02)
    say("In 491 of 500 deals")
