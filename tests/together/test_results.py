"""Stored results of the chapter: whole, possible, and found again by their scripts."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from gameai_book.together import views
from gameai_book.together.measure import calibration as beliefs
from gameai_book.together.measure import choices as decisions
from gameai_book.together.measure import ladder, ordering, tuning
from gameai_book.together.measure import league as pairs
from gameai_book.together.measure import open_deals as lines
from gameai_book.together.results.calibration import calibration, deviations
from gameai_book.together.results.choices import stored_bold
from gameai_book.together.results.ladder import stored_rungs
from gameai_book.together.results.league import read_scores, stored_league, write_scores
from gameai_book.together.results.open_deals import stored_open_deals, stored_settings
from gameai_book.together.results.ordering import stored_ordering
from gameai_book.together.results.stored import read
from gameai_book.together.results.tuning import stored_tuning
from gameai_lib.base import jit
from gameai_lib.hanabi import RuleAgent, Searcher, play_game
from gameai_lib.hanabi.game.box import ALL_CARDS
from gameai_lib.hanabi.players.searcher import EXACT, READING
from gameai_lib.hanabi.players.self_play import score_decks
from gameai_lib.together.league import NOT_PLAYED

compiled_only = pytest.mark.skipif(not jit.COMPILED, reason="takes long without compiled kernels")
RUNGS = [rung for rungs in stored_rungs().values() for rung in rungs]
SEED, DEALS, SCORES = stored_open_deals()


def play_first_game(row, searcher, blueprint, n_players=2):
    """The score of game 0 of a row, in which one searches or all do."""
    partner = blueprint if row.who == "one" else searcher
    team = [searcher, *[partner] * (n_players - 1)]
    *_, last = play_game(team, np.random.default_rng([1, 0]))
    return last.next_state.score


SCRIPTS = {
    "calibration": beliefs, "choices": decisions, "ladder": ladder, "league": pairs,
    "open_deals": lines, "ordering": ordering, "tuning": tuning,
}  # fmt: skip


@pytest.mark.parametrize("table", SCRIPTS)
def test_every_row_of_a_script_is_stored_in_its_order(table):
    stored = read(table)
    for part, rows in SCRIPTS[table].PARTS.items():
        names = [of for of, _ in rows()]
        pairs_of = zip(names, stored[part], strict=True)
        assert [{key: row[key] for key in of} for of, row in pairs_of] == names


# The ladder


@pytest.mark.slow
@pytest.mark.parametrize(
    "rung", [rung for rung in RUNGS if rung.n_deals == 100],
    ids=lambda r: f"{r.agent} {r.n_players} {r.who} {r.belief}",
)  # fmt: skip
def test_the_first_game_is_played_again(rung):
    blueprint = RuleAgent(rung.agent)
    searcher = Searcher(blueprint, rung.belief, rung.n_deals, rung.margin)
    assert play_first_game(rung, searcher, blueprint, rung.n_players) == rung.first_scores[0]


# Decisions


def test_a_rule_is_judged_by_deals_that_it_has_not_seen():
    # Move 1 gains a point on every other deal where it is chosen, and loses one where it is judged.
    gains = np.zeros((decisions.N_CHOOSING + decisions.N_JUDGING, 2))
    gains[: decisions.N_CHOOSING : 2, 1], gains[decisions.N_CHOOSING :, 1] = 1, -1
    for rule in decisions.RULES:
        assert decisions.judge(rule, 100, gains) == (-1, 1)
    gains[: decisions.N_CHOOSING, 1] = 0.05
    assert decisions.judge("margin", 100, gains) == (0, 0)
    assert decisions.judge("largest mean", 100, gains) == (-1, 1)


@compiled_only
def test_the_first_games_of_bold_searchers_are_played_again():
    plain = RuleAgent("Convention")
    for row in stored_bold().values():
        searcher = decisions.make_bold(Searcher(plain, row.belief, row.n_deals))
        assert play_first_game(row, searcher, plain) == row.first_scores[0]


# Beliefs


@pytest.mark.parametrize("who", beliefs.AGENTS)
def test_all_beliefs_of_a_part_look_at_the_same_cards(who):
    found = calibration(who)
    assert len({(row.n_games, row.n_cards) for row in found.values()}) == 1
    for row in found.values():
        assert row.n_games == beliefs.N_GAMES[who]
        assert sum(row.n) == row.n_cards
        for k, (predicted, _, _) in enumerate(row.pairs):
            assert k / 10 <= predicted <= (k + 1) / 10
    assert np.ptp([row.means[1] for row in found.values()]) < 1e-4  # what is there is there


def test_only_a_belief_that_reads_choices_sees_what_it_predicts():
    reading, deaf = (calibration()[belief] for belief in (READING, EXACT))
    for predicted, seen, error in zip(*reading[5:8], strict=True):
        assert abs(predicted - seen) < max(4 * error, 0.01)
    assert deaf.means[0] > 1.2 * deaf.means[1]


def test_a_partner_who_follows_the_rules_makes_no_odd_move():
    assert len(deviations("following")) == 1
    searching = deviations("searching")
    assert searching[0] < sum(searching) / 2
    assert beliefs.count("searching", 1)["counts"][0] <= searching[0]


@compiled_only
def test_rows_of_cards_say_which_can_be_played():
    rows = beliefs.look(READING, "following", 0)
    states = beliefs.states("following", 0)
    assert rows[:, 1].tolist() == [s.playable()[c] for s in states for c in s.hands[s.player]]


def test_the_error_is_that_of_games_not_of_cards():
    # One card a game, half of them playable: the error of a coin that was thrown 100 times.
    seen, of_game = np.tile([0.0, 1.0], 50), np.arange(100)
    for n in (1, 4):  # the same coins, each counted four times: still 100 games
        coins = seen.repeat(n)
        share = beliefs._share(coins, coins, of_game.repeat(n), coins >= 0)
        assert share == (0.5, 0.5, 0.05, 100 * n)


# Lists of rules


@pytest.mark.parametrize("n_players", [2, 5])
def test_what_was_stored_of_both_lists_is_found_again(n_players):
    """By other decks: within four errors of both."""
    decks = np.random.default_rng(8).permuted(np.tile(ALL_CARDS, (3000, 1)), axis=1)
    for row in stored_tuning()[1]["tables"]:
        if row["n_players"] == n_players:
            scores = score_decks(RuleAgent(row["agent"]), n_players, decks, 0)
            error = np.hypot(scores.std() / len(scores) ** 0.5, row["standard_error"])
            assert scores.mean() == pytest.approx(row["mean"], abs=4 * error)


def test_noise_deceives_a_search_that_keeps_the_best():
    for row in stored_ordering():
        assert row.worth <= row.best
        if row.method != "NTBEA" and row.n_games == 1:
            assert row.seems - row.worth > 3


# The league


@pytest.mark.parametrize("pair", [("IGGI", "Convention"), ("Listener", "Hearer")])
def test_scores_of_a_pair_are_played_again(pair):
    stored = stored_league()
    i, j = (stored.names.index(name) for name in pair)
    again = pairs.measure_pair(*pair, 20)
    np.testing.assert_array_equal(read_scores(again["scores"]), stored.scores[i, j, :20])


def test_the_league_is_whole():
    stored = stored_league()
    assert stored.seed == pairs.SEED
    n_decks = np.array([n for _, n in pairs.PARTNERS.values()])
    n_played = (stored.scores != NOT_PLAYED).sum(axis=2)
    np.testing.assert_array_equal(n_played, np.minimum.outer(n_decks, n_decks))
    assert write_scores(np.arange(26)) == "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


# Open deals


def test_open_deals_are_whole_and_no_line_exceeds_its_bound():
    assert SEED == lines.SEED
    for row in DEALS.values():
        assert {*map(len, row[1:])} == {lines.N_DEALS}
        for points, most, n_playouts in zip(*row[1:], strict=True):
            assert points <= most <= 25
            assert points == most or n_playouts >= lines.MANY
    for row in SCORES:
        scores = np.array(row.scores)
        assert scores.mean() == pytest.approx(row.mean, abs=1e-4)
        assert (scores == 25).sum() == row.n_perfect
        # Whoever sees all finds no less than who does not, and no more than there is.
        assert (scores <= DEALS[row.n_players].most).all()


def test_settings_agree_with_the_other_tables():
    settings = stored_settings()
    for row in settings.values():
        assert (np.array(row.scores) <= DEALS[2].most).all()
    nrpa = next(row for row in SCORES if (row.agent, row.n_players) == ("NRPA", 2))
    assert settings["card", 2].n_perfect == nrpa.n_perfect


@compiled_only
def test_rows_of_open_deals_are_found_again():
    for (_, again), row in zip(lines.deals(n_deals=5), DEALS.values(), strict=True):
        assert again() == {name: getattr(row, name)[:5] for name in lines.FIELDS}
    for (_, again), row in zip(lines.searches(n_deals=3), SCORES, strict=True):
        assert again()["scores"] == row.scores[:3]


def test_whiskers_reach_two_standard_errors_to_either_side():
    ax = Figure().subplots()
    views.draw_points(ax, ["Ann", "Bob"], {"points": ([18.0, 20.0], [0.5, 1.0])}, "points")
    whiskers = [whisker[:, 0].tolist() for whisker in ax.collections[0].get_segments()]
    assert whiskers == [[17, 19], [18, 22]]
