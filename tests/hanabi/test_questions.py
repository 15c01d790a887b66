"""The questions of the chapter, answered in another way."""

import re
from collections import Counter
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from gameai_book.hanabi import cases, questions
from gameai_lib.hanabi.belief.v1 import v1_belief
from tests.support.asked import asked_by, variants

NUMBER = "|".join(questions.NUMBERS[1:])


def test_the_lessons_own_answers():
    own = {name: ask()["answer"] for name, ask in asked_by("hanabi").items()}
    assert own == {
        "seat": "slot 4, for certain",
        "promised": "the Y4 and the B4",
        "one_step": "1",
        "seen": "2/3",
        "direction": "less likely",
        "count": 1 / 3,
        "swings": "it swings for ever",
        "silence": "the two newest",
        "echo": "more than 0.99",
        "listener": "more than 6",
    }


def test_reasons_have_the_librarys_numbers():
    assert "1.33 Y4 of 1, 0.33 G4 of 1 and 1.33 B4 of 1" in questions.promised()["because"]
    assert "from 13.1 to 20.9" in questions.listener()["because"]
    found = [asked for asked in variants(questions.swings) if "at another value" in asked["answer"]]
    for asked in found:
        n_slots = questions.NUMBERS.index(re.search(r"hand of (\w+) slots", asked["question"])[1])
        star = cases.star(n_slots)
        rests = v1_belief(star.candidates, star.hint_mask)[0, 0]
        assert f"rests at {rests:.3g}." in asked["because"]
    assert found


def read(asked):
    """What a question says in small letters: copies that are left, and cards of each slot."""
    text = asked["question"].lower().replace("*", "")
    of = re.search(rf"((?:(?:{NUMBER}) \S+(?:, | and )?)+) (?:are|is) left", text)
    left = {card: questions.NUMBERS.index(n) for n, card in re.findall(rf"({NUMBER}) (\w+)", of[1])}
    parts = [part.split(" may be ") for part in re.split(r"slot |\. ", text)]
    names = "|".join(left)
    return left, [re.findall(rf"\b(?:{names})\b", part[1]) for part in parts if part[1:]]


def test_what_v0_promises_and_a_step_of_v1_leaves_is_added_by_hand():
    for asked in variants(questions.promised) + variants(questions.direction):
        left, slots = read(asked)
        promised, last = Counter(), {}
        for cards in slots:
            last = {card: left[card] / sum(left[c] for c in cards) for card in cards}
            promised.update(last)
        if asked["name"] == "promised":
            over = [card for card in left if promised[card] > left[card] + 1e-9]
            assert re.findall(r"\w\d", asked["answer"].lower()) == over
            continue
        free = {card: max(0, left[card] - promised[card] + last[card]) for card in last}
        card = re.search(r"V0 gives \*(\w)\*", asked["question"])[1]
        change = round(free[card] / sum(free.values()) - last[card], 9)
        sides = ["less likely", "just as likely", "more likely"]
        expected = "impossible" if free[card] < 1e-9 else sides[1 + int(np.sign(change))]
        assert asked["answer"] == expected


def test_a_step_of_v1_is_a_subtraction():
    for asked in variants(questions.one_step):
        share, question = read(asked)[0], asked["question"].lower()
        for parts, card in re.findall(r"(\d/\d) to the (\w\d)", question):
            share[card] -= 2 * Fraction(parts)
        card = re.search(r"say of the (\w\d)\?", question)[1]
        assert Fraction(asked["answer"]) == Fraction(share[card]) / sum(share.values())


def test_what_you_see_cannot_be_yours():
    for asked in variants(questions.seen):
        counts, sees = asked["question"].split("You see ")
        left = Counter()
        for sign, text in ((1, counts), (-1, sees)):
            for n, colour in re.findall(rf"({NUMBER}) (\w+) \d", text):
                left[colour] += sign * questions.NUMBERS.index(n)
        colour = re.search(r"V0 give the (\w+)", asked["question"])[1]
        assert Fraction(asked["answer"]) == Fraction(left[colour], sum(left.values()))


def test_an_exact_count_is_the_share_of_the_deals():
    for asked in variants(questions.count):
        cards = list(Counter(read(asked)[0]).elements())
        deals = [second for first, second in permutations(cards, 2) if first == "a"]
        assert asked["answer"] == pytest.approx(deals.count("b") / len(deals))


def test_a_seat_is_certain_if_every_deal_agrees():
    for asked in variants(questions.seat):
        slots = re.findall(r"\d", asked["question"].split(" are ")[0])
        barred = re.findall(r"\d", asked["question"].split("hints that")[1].split("not")[0])
        deals = [deal for deal in permutations("fxl") if slots[deal.index("x")] not in barred]
        places = {slots[deal.index("x")] for deal in deals}
        certain = f"slot {min(places)}, for certain"
        assert asked["answer"] == (certain if len(places) == 1 else "nobody can be certain")
