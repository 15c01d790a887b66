"""The questions of the chapter, answered in another way."""

import re

import numpy as np
import pytest

from gameai_book.together import questions
from gameai_book.together.results.ladder import stored_rungs
from gameai_book.together.results.league import stored_league
from gameai_book.together.results.open_deals import stored_open_deals
from tests.support.asked import asked_by, variants


def numbers(text):
    return [float(n) for n in re.findall(r"(?<![\w.])[+-]?\d+(?:\.\d+)?", text.replace("−", "-"))]


def test_the_lessons_own_answers():
    assert {name: ask()["answer"] for name, ask in asked_by("together").items()} == {
        "worth": pytest.approx(17.1),
        "blind": "It loses between half a point and three points.",
        "kept": 3,
        "chooses": "discard slot 0",
        "overrated": pytest.approx(-0.2),
        "forgiven": pytest.approx(1 / 0.09),
        "dearest": questions.DIALS["any critical before"],
        "strangers": "fewer than 5",
        "open_cards": "more than 475",
    }


def test_a_play_is_worth_what_both_its_ends_are():
    for asked in variants(questions.worth):
        score, n_lives, _, percent = numbers(asked["question"])
        ends = [score + 1] * int(percent) + [score * (n_lives > 1)] * int(100 - percent)
        assert asked["answer"] == pytest.approx(np.mean(ends))
        compared = "less" if np.mean(ends) > score else "more"
        assert asked["because"].endswith(f"keeps {score:g}, which is {compared}.")


def test_a_hand_stays_if_no_hint_could_ask_for_a_card():
    for asked in variants(questions.kept):
        fits = set(re.search(r"Only (\w\d) and (\w\d) fit", asked["question"]).groups())
        drawn = re.search(r"card first: (.*)\. How", asked["question"])[1]
        kept = 0
        for hand in re.findall(r"\w\d \w\d", drawn):
            cards = hand.split()
            hints = {mark for card in cards for mark in card}
            newest = [[card for card in cards if mark in card][-1] for mark in hints]
            kept += not fits & {*newest}
        assert asked["answer"] == kept


def test_a_searcher_takes_the_best_of_the_sure_gains():
    for asked in variants(questions.chooses):
        rows = re.findall(r"(?:: |; )?([a-z][\w ]+?) ([+−][\d.]+) ± ([\d.]+)", asked["question"])
        sure = [
            (gain, name.strip())
            for name, gain, error in ((n, *numbers(f"{g} {e}")) for n, g, e in rows)
            if gain > 0.1 and gain / error > 2
        ]
        assert len(rows) == 4
        assert asked["answer"] == (max(sure)[1] if sure else "the move of the rules")


def test_an_overrated_card_brings_its_mean():
    for asked in variants(questions.overrated):
        _, true, cost = numbers(asked["question"])
        ends = [1] * int(true) + [-cost] * int(100 - true)
        assert asked["answer"] == pytest.approx(np.mean(ends))


def test_weights_shrink_by_each_move_that_the_rules_do_not_explain():
    for asked in variants(questions.forgiven):
        off = re.findall(
            r"all (?:but (\d)|of its partner's moves(?: but (\d))?)", asked["question"]
        )
        few, more = (int(a or b or 0) for a, b in off)
        weights = [np.prod([0.3] * n) for n in (few, more)]
        assert asked["answer"] == pytest.approx(weights[0] / weights[1])


def in_range(asked, bounds):
    """The bounds of the choice that answers."""
    return bounds[asked["choices"].index(asked["answer"])]


def test_measured_gains_are_those_of_the_stored_games():
    for asked in variants(questions.blind):
        (said,) = re.findall(r"(rose|fell) by ([\d.]+)", asked["because"])
        gain = float(said[1]) * (1 if said[0] == "rose" else -1)
        assert any(abs(rung.gain - gain) < 0.051 for rung in stored_rungs()["beliefs"])
        low, high = in_range(asked, [(-9, -3), (-3, -0.5), (-0.5, 0.5), (0.5, 1.5), (1.5, 9)])
        assert low <= gain <= high


def test_strangers_score_what_they_scored_in_the_stored_league():
    league = stored_league()
    for asked in variants(questions.strangers):
        pair = re.search(r"program (.+?) score .*copies of (.+?) score", asked["question"]).groups()
        scores = league.scores[tuple(map(league.names.index, pair))]
        low, high = in_range(asked, [(0, 5), (5, 12), (12, 18), (18, 25)])
        assert low <= scores[scores >= 0].mean() <= high


def test_open_cards_are_those_of_the_stored_deals():
    _, deals, searches = stored_open_deals()
    perfect = [d.points.count(25) for d in deals.values()]
    perfect += [sum(score == 25 for score in row.scores) for row in searches]
    for asked in variants(questions.open_cards):
        (found,) = re.findall(r"In (\d+) of 500", asked["because"])
        low, high = in_range(asked, [(0, 100), (100, 300), (300, 400), (400, 475), (475, 501)])
        assert int(found) in perfect
        assert low <= int(found) < high


def test_the_dearest_part_is_the_one_that_its_list_of_losses_says():
    for asked in variants(questions.dearest):
        lost = dict(re.findall(r"(?:: |; )([^:;]+): ([\d.]+\d)", asked["because"]))
        assert {*lost} == {*asked["choices"]}
        assert asked["answer"] == max(lost, key=lambda part: float(lost[part]))
