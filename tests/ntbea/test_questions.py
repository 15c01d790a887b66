"""The questions of the chapter, answered in another way."""

import re

import numpy as np
import pytest

from gameai_book.ntbea import questions
from gameai_book.ntbea.bandits import pull_arms
from gameai_book.ntbea.boards.mend import MendBoard
from gameai_book.ntbea.results.tables import DATA, load_games
from gameai_lib.ntbea.game.space_battle import FEW_RULES
from tests.support.asked import variants


def test_the_star_is_worth_its_long_run():
    means = ((load_games(DATA / "space_battle.csv", FEW_RULES) + 1) / 2).mean(axis=1)
    for one in variants(questions.star):
        assert np.abs(means - one["answer"]).min() < 0.006
        (lost,) = (float(w.strip(".")) for w in one["because"].split()[-1:])
        assert lost >= 0  # what looks best is never worth more than it looks


def test_without_a_bonus_the_first_win_decides():
    one, rates = questions.no_bonus(), (0.3, 0.5, 0.6)

    def win(arm, rng):
        return float(rng.random() < rates[arm])

    ends = []
    for seed in range(400):
        pulls = pull_arms(win, 3, 0.0, np.random.default_rng(seed))
        for _ in range(60):
            pull = next(pulls)
        ends.append(pull.arm)
    assert one["answer"] == pytest.approx(100 * ends.count(2) / 400, abs=7)


def test_the_unseen_point_has_the_mean_of_its_two_values():
    for one in variants(questions.unseen):
        told = one["question"].split("games: ")[1].split(". A won")[0].split(", ")
        worth = {"won": 1, "drawn": 0.5, "lost": 0}
        games = [(game.split()[:2], worth[game.split()[3]]) for game in told]
        wanted = one["question"].split("estimate of ")[1].split(",")[0].split()
        arms = [[r for at, r in games if at[d] == wanted[d]] for d in range(2)]
        assert one["answer"] == pytest.approx(np.mean([np.mean(arm) for arm in arms]), abs=1e-3)


def test_two_points_share_values_and_pairs_of_them():
    for one in variants(questions.shared):
        n = int(re.search(r"share (\d+) values", one["because"])[1])
        assert one["answer"] == n + n * (n - 1) / 2


@pytest.mark.slow
def test_few_games_have_found_worse_rules_than_many():
    for seed, by_games in questions._TRIED.items():
        board = MendBoard(seed=seed)  # the lesson's test plays 200 games
        next(_ for _ in board.think() if board.looks)
        looks = {look.n_games: (look.estimate, look.worth) for look in board.looks}
        for n_games in by_games.keys() & looks.keys():
            assert by_games[n_games] == pytest.approx(looks[n_games], abs=0.006)
        assert len({point for point, _ in board.played[:10]}) == 10
        (_, first), *later = by_games.values()
        assert all(worth > first + 0.25 for _, worth in later)


def test_a_bonus_leads_on_and_is_not_recommended():
    for one in variants(questions.next_point):
        said = re.findall(
            r"([ABC]) has the mean (0\.\d\d) and the bonus (0\.\d\d)", one["question"]
        )
        (fresh,) = re.findall("played ([ABC]) yet", one["question"])
        goes = max(said, key=lambda row: float(row[1]) + float(row[2]))
        stops = max((row for row in said if row[0] != fresh), key=lambda row: float(row[1]))
        assert one["answer"] == f"It plays {goes[0]} and would recommend {stops[0]}."
        assert fresh == max(said, key=lambda row: float(row[1]))[0]  # so the rule decides
        assert len(one["choices"]) == 4


def test_the_luckiest_of_equals():
    rng = np.random.default_rng(0)
    for one in variants(questions.equals):
        words = one["question"].split()
        n_settings, n_games = int(words[2]), int(words[8])
        best = rng.binomial(n_games, 0.5, (4000, n_settings)).max(axis=1) / n_games
        assert one["answer"] == pytest.approx(best.mean(), abs=0.012)


def test_the_trap_catches_who_has_not_been_there():
    for one in variants(questions.trap):
        words = one["question"].split()
        n, top = int(words[2]), int(words[8].strip("."))
        anywhere = "of all points" in one["question"]
        assert one["answer"] == (0 if anywhere else n * top - 1)


def test_k_is_stretched_and_not_moved():
    for one in variants(questions.scaled):
        text = one["question"].replace("−", "-")
        win = int(text.split("Now a win counts ")[1].split()[0])
        loss = int(text.split("and a loss ")[2 if "and a loss 0" in text.split("Now")[1] else -1]
                   .split(".")[0])  # fmt: skip
        assert one["answer"] == pytest.approx(0.3 * (win - loss))
