"""The questions of the chapter, answered by another way of counting."""

import re
from itertools import pairwise

import numpy as np
import pytest

from gameai_book.btmm import questions
from gameai_lib.btmm import fit, from_pairs
from tests.support.asked import variants


def numbers(text):
    """Whole numbers of a text, in order."""
    return [int(n.replace(",", "")) for n in re.findall(r"\d[\d,]*", text)]


# The answer of each question in another way, out of its words.


def expected(one):
    """Move by move."""
    a, n, first, c, m, second, _ = numbers(one["question"])
    games = [(n, a)] * first + [(m, c)] * second
    return pytest.approx(sum(with_it / legal for legal, with_it in games))


def update(one):
    """One step of MM never passes the top, which is wins over losses."""
    old, won, games, _ = numbers(one["question"])
    best = won / (games - won) if won < games else np.inf
    return one["choices"][2 if best == pytest.approx(old) else int(best < old)]


def strength(won, lost):
    """How strong the fit finds somebody who plays against strength 1, and one virtual game."""
    # A rival that is held at 1 by very many even games.
    weights = [won + 1, lost + 1, 1e9, 1e9]
    gamma = fit(from_pairs([0, 1, 1, 2], [1, 0, 2, 1], weight=weights), prior=0.0, tol=1e-14).gamma
    return gamma[0] / gamma[1]


def virtual(one):
    """By fits."""
    won, b_won, b, *_ = numbers(one["question"])
    if "no virtual games" in one["question"].lower():
        return "A, without a limit"
    a, b = strength(won, 0), strength(b_won, b - b_won)
    return one["choices"][3 if a == pytest.approx(b, rel=0.02) else 1 + int(b > a)]


def chain(one):
    """A program has a mistake where it falls."""
    printed = re.search(r"each of three: ([−\d., ]+)\. What", one["question"])[1]
    values = [float(v.replace("−", "-")) for v in printed.split(", ")]
    falls = [n for n, (old, new) in enumerate(pairwise(values)) if new < old]
    [k] = falls or [3 if values[3] > values[2] else 4]
    return one["choices"][k]


def every(one):
    """A pattern more is a factor more."""
    *strengths, more = numbers(one["question"])
    who = re.search(r"Now (all three|the first|the other two) move", one["question"])[1]
    gets = {"all three": (1, 1, 1), "the first": (1, 0, 0), "the other two": (0, 1, 1)}[who]
    products = [s * more**got for s, got in zip(strengths, gets, strict=True)]
    return pytest.approx(100 * products[0] / sum(products))


def which_step(one):
    """By the strengths that are printed."""
    values = [float(v) for v in re.findall(r"\d+\.?\d*", one["because"])]
    steps = [new / old for old, new in pairwise(values[:5])]
    asked = re.search(r"more than (\d+) times", one["question"])
    if asked:
        return one["choices"][[v > int(asked[1]) * values[0] for v in values[1:5]].index(True)]
    return one["choices"][steps.index(max(steps))]


def all_at_once(one):
    """Near the top an update multiplies the error of ln of the team by 1 - n_members * p_lost."""
    n_members, n_won = re.search(r"team of (\w+) member.*wins (\d)", one["question"]).groups()
    swing = (1 if n_members == "one" else int(n_members)) * (10 - int(n_won)) / 10
    rises, falls_first, swings = one["choices"][1:]
    ends = swings if swing > 2 else falls_first if swing > 1 else rises
    return one["choices"][0] if n_won == "5" else ends


def shared(one):
    """Teams are multiplied."""
    *_, player, times = numbers(one["question"])
    strength = dict(zip(range(1, 8), range(1, 8), strict=True))
    chances = []
    for factor in (1, times):
        new = strength | {player: player * factor}
        a, b, c = new[1] * new[2] * new[3], new[2] * new[4], new[1] * new[5] * new[6] * new[7]
        chances.append(a / (a + b + c))
    assert f"from {100 * chances[0]:.2f} to {100 * chances[1]:.2f} %" in one["because"]
    ratio = chances[1] / chances[0]
    return one["choices"][next(n for n, top in enumerate((1, 1.1, 6, np.inf)) if ratio < top)]


ANSWERS = expected, update, virtual, chain, every, which_step, all_at_once, shared


@pytest.mark.parametrize("answer", ANSWERS)
def test_answers_are_found_in_another_way(answer):
    for one in variants(getattr(questions, answer.__name__)):
        assert one["answer"] == answer(one)


def test_the_lessons_own_numbers():
    """What the text beside a question says of it."""
    assert questions.shared()["answer"] == "It rises by less than a tenth."
    assert questions.which_step()["answer"] == "from three to four"
    assert "0.31, 0.77, 5.1, 32, 450" in questions.which_step()["because"]
    assert questions.all_at_once()["answer"].startswith("It goes up and down")
    assert questions.edge()["answer"] == "opponent"
    assert questions.length()["answer"] == "Those of six cells"
