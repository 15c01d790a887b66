"""The plans for teachers fill their time, and every number of a key is computed here.

That their links lead to what exists, `tests/browser/test_built_site.py` tries in the built pages.
"""

import re
from fractions import Fraction
from itertools import islice, permutations, product

import numpy as np
import pytest

from book.tools.chapters import CHAPTERS
from gameai_book.btmm import surrogate
from gameai_book.hanabi import cases
from gameai_book.ntbea.bandits import mean_and_bonus
from gameai_book.together.results.ladder import stored_rungs
from gameai_book.together.results.league import stored_league
from gameai_book.together.results.open_deals import stored_open_deals
from gameai_lib.btmm import from_choices
from gameai_lib.btmm.model import elo, mm, scores
from gameai_lib.hanabi import (
    V1Settings,
    bad_belief,
    exact_belief,
    exact_likelihood,
    v0_belief,
    v1_belief,
)
from gameai_lib.hanabi.belief.exact import n_deals
from gameai_lib.hanabi.players.reading import FORGIVENESS
from gameai_lib.nrpa import NRPA, adapt, leftmove, move_probabilities
from gameai_lib.ntbea import LandscapeModel
from gameai_lib.ntbea.game.problems import grid
from tests.support.built_pages import ROOT

BOOK = ROOT / "book"
NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?!\w)")


def text_of(name):
    """A file of the book."""
    return (BOOK / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_plan_fills_ninety_minutes_offers_its_sheets_and_quotes_its_lesson(chapter):
    plan = text_of(f"teaching_{chapter}.md")
    times = [tuple(map(int, row)) for row in re.findall(r"^\| (\d+)–(\d+) \|", plan, re.MULTILINE)]
    assert 5 <= len(times) <= 9
    assert [begin for begin, _ in times] + [90] == [0] + [end for _, end in times]
    assert all(begin < end for begin, end in times)
    for kind in ("questions", "key"):
        assert f"<teaching/{kind}_{chapter}.md>" in text_of("teaching.md")
    words = re.sub(r"<[^>]+>|\{\w+\}`[^`]*`", "", plan)
    quoted = set(re.findall(r"(?<![\w.])\d[\d,]*\.\d+|(?<![\w.])\d[\d,]*(?= %)|\d[\d,]{2,}", words))
    lesson = text_of(f"{chapter}.ipynb")
    computed = " ".join(word for words in KEYS[chapter]().values() for word in words)
    assert [n for n in quoted if n not in lesson and n not in computed] == []


def parts(row):
    """A belief's row as fractions, without the zeros."""
    return [str(Fraction(x).limit_denominator(100)) for x in np.ravel(row) if x > 0]


def hanabi():
    """What the key of Hanabi says, question by question: results, and what they come from."""
    known = np.array([2, 1, 1]), np.array([[1, 1, 0], [0, 1, 1]], bool)

    def steps(n, position=known, w=1):
        settings = V1Settings(damping=w, n_iterations=n, tolerance=0)
        return v1_belief(*position, settings=settings)

    def told(n):
        settings = V1Settings(damping=1, n_iterations=n, tolerance=0)
        return bad_belief(S6.candidates, S6.hint_mask, S6.likelihood, settings=settings)[0, 0]

    S6, star = cases.S6, (np.ones(4, int), np.eye(4, dtype=bool)[1:] | (np.arange(4) == 0))
    V0, exact = v0_belief(*known), exact_belief(*known)
    assert np.allclose(steps(1), exact)
    free = np.array([3, 2, 1]), np.ones((3, 3), bool)
    assert np.allclose(steps(1, free), v0_belief(*free))
    assert np.allclose(v0_belief(*free), exact_belief(*free))
    assert [steps(n, star)[0, 0] for n in (1, 2)] == [0, 0.5]
    box = np.array([1, 3]), np.ones((2, 2), bool)
    L = exact_likelihood(*box, lambda hands: (hands != 0).all(axis=1))
    always = exact_likelihood(*box, lambda hands: np.ones(len(hands), bool))
    assert L[1, 0] == 0
    assert always[1].tolist() == [1, 1]
    assert exact_belief(*box, L)[:, 1].tolist() == [1, 1]
    truth = exact_belief(S6.candidates, S6.hint_mask, S6.likelihood)[0, 0]
    assert np.isclose(told(1), 0.9)
    two, four = told(2), told(4)
    odds = [round(x / (1 - x)) for x in (0.9, two, four)]
    alpha = (two - truth) / (two - 0.5)
    assert np.isclose(0.82 * two + 0.18 * 0.5, truth)
    return {
        1: [*parts(V0), str(Fraction(5, 6)) if np.isclose(V0[:, 1].sum(), 5 / 6) else "wrong"],
        2: [*parts(steps(1)), "1/3", "2/3"],
        3: [*parts(exact), f"{n_deals(*known):.0f} deals", "4 deals", "3 deals", "2/3"],
        4: [*parts(steps(2)[0, :1]), f"{steps(2)[0, 0]:.3f}", f"{exact[0, 0]:.1f}", "2/5", "3/5"],
        5: [],
        6: [f"{n_deals(*star):.0f} deals", *parts(exact_belief(*star)[0, :1]), "1/2",
            f"0.8 · 0.5 + 0.2 · 0 = {steps(1, star, 0.2)[0, 0]:.1f}"],
        7: [*parts(L[1]), "9 deals", f"6 of the {n_deals(*box):.0f} deals", "3 deals"],
        8: ["3 of 3", "9 of 9"],
        9: [*map(str, odds), f"{Fraction(two).limit_denominator(1000)} = {two:.3f}",
            f"{Fraction(four).limit_denominator(1000)} = {four:.3f}", f"truth is {truth:.1f}"],
        10: [f"α = {alpha:.2f}", parts(two)[0], "0.9"],
    }  # fmt: skip


def ntbea():
    """What the key of NTBEA says."""
    best = [max(one) for one in product([-1, 0, 0, 1], repeat=3)]
    mean, bonus = mean_and_bonus(np.array([8, 2]), np.array([6, 1]), 1.0)
    bounds = mean + 0.3 * bonus
    better = 0.6 / (0.4 + 0.6)
    single, pairs = LandscapeModel(grid(2, 2), (1,)), LandscapeModel(grid(2, 2), (1, 2))
    values = {(0, 0): 0.2, (0, 1): 0.8, (1, 0): 0.7, (1, 1): 0.5}
    for at, value in values.items():
        single.add(at, value)
        pairs.add(at, value)
    arms = [*single.arms((0,)).mean, *single.arms((1,)).mean]
    guesses = [{at: float(model.mean(at)) for at in values} for model in (single, pairs)]
    assert [max(g, key=g.get) for g in guesses] == [(1, 1), (0, 1)]
    eight = LandscapeModel(grid(8, 3))
    sizes = [sum(len(t) == n for t in eight.tuples) for n in (1, 2, 8)]
    four = LandscapeModel(grid(2, 2), (1, 2))
    for at, result in (((0, 0), 1), ((0, 0), 0), ((0, 1), 1), ((1, 0), 0)):
        four.add(at, result)
    (m, e), (m2, e2) = ((four.mean(at), four.explore(at)) for at in ((1, 1), (0, 1)))
    each = [np.sqrt(np.log(5) / (n + 0.5)) for n in (0, 1, 3)]
    on = np.array([sum(bits) for bits in product((0, 1), repeat=10)])
    assert (on.mean(), (on**2).mean()) == (5, 27.5)
    n_pairs = sizes[1] * 3**2
    return {
        1: ["1/4, 1/2, 1/4", f"{best.count(1)}/64", f"{best.count(-1)}/64", f"{sum(best)}/64",
            f"{np.mean(best):.4f}", "3/4"],
        2: [f"ln 11 = {np.log(11):.3f}", "8.5", "2.5", "0.5",
            *[f"{x:.3f}" for x in (*bonus, *bounds)], f"{mean[0]:.2f}", f"{mean[0] - mean[1]:.2f}",
            f"{(mean[0] - mean[1]) / (bonus[1] - bonus[0]):.3f}", "10"],
        3: [f"{100 * better:.0f} of 100", f"{better * 0.6 + (1 - better) * 0.4:.2f}"],
        4: [*[f"{x:g}" for x in np.round(arms, 3)], f"{guesses[0][1, 1]:.3f}",
            f"{guesses[1][0, 1]:.2f}", f"{guesses[1][1, 1]:.3f}", "3", "2"],
        5: [f"{sizes[0]} + {sizes[1]} + {sizes[2]} = {len(eight.tuples)}",
            f"{sizes[1]} · 9 = {n_pairs} arms", f"{3**8:,}"],
        6: [f"{m:.1f}", f"{e:.3f}", f"{m2:.3f}", f"{e2:.3f}", *[f"{x:.3f}" for x in each],
            f"{m2 - m:.3f} / {e - e2:.3f} = {(m2 - m) / (e - e2):.3f}", f"{2 / 3:.3f}",
            f"{1 / 3:.3f}", "2", "3"],
        7: [],
        8: [f"0.3 · {160 + 40} = {0.3 * 200:.0f}", f"{200 / 1000:.1f}", f"{0.3 * 0.2:.2f}"],
        9: [f"27.5 / 5 = {(on * on).sum() / on.sum():.1f}", "10"],
        10: ["0"],
    }  # fmt: skip


def btmm():
    """What the key of BTMM says."""
    race = np.array([6.0, 3.0, 1.0])
    team = elo.team_win_probability([[0, 1], [0, 2]], np.array([2.0, 3, 4]), winner=0)
    again = elo.team_win_probability([[0, 1], [0, 2]], np.array([20.0, 3, 4]), winner=0)
    assert np.isclose(team, again)
    ln = {g: surrogate.duel_log_likelihood(3, 1, float(g)) for g in (1, 3, 9)}
    updates = [1.0]
    for _ in range(2):
        updates.append(surrogate.duel_step(3, 1, updates[-1]).best)
    gamma, five = 1.0, []
    for _ in range(40):
        gamma *= 5 / (5 * elo.win_probability(gamma, 1))
        five.append(gamma)
    assert np.allclose(np.diff(five), 1)
    data = surrogate.one_team(2, 10, 2)
    runs = [[*islice(rule(data, mm.Prior(0.0), np.ones(2)), 3)] for rule in (mm.batch, mm.damped)]
    members = [[step.gamma[0] for step in run[1:]] for run in runs]
    moves = np.array([6.0, 4.0, 2.0]) / 12
    ten = from_choices([[0, 1, 2]], [0])
    assert np.isclose(scores.score(ten, np.array([6.0, 4, 2])).mean_log_evidence, np.log(0.5))
    played = np.array([0.5, 0.25, 0.1])
    evidence = np.log(played).mean()
    expected_16 = 10 * elo.win_probability(members[0][0] ** 2, 1)
    return {
        1: [f"6/9 = {elo.win_probability(6, 3):.3f}", *[f"{x:.1f}" for x in race / race.sum()],
            f"{elo.elo_from_gamma(6.0):.0f}", "400"],
        2: [f"6/14 = {team:.3f}", "8", "60/140"],
        3: [*[f"{x:.3f}" for x in ln.values()], "0.5", "0.75", "0.25", "0.9", "0.1", "4"],
        4: [f"{updates[1]:.1f}", f"{updates[2]:.3f}", f"{4 * elo.win_probability(1.5, 1):.1f}",
            "1/2", "3/2", "2.5", "4"],
        5: [f"{five[19]:.0f}", f"{five[39]:.0f}", f"(5 + 1) / (0 + 1) = {(5 + 1) / (0 + 1):.0f}",
            "40"],
        6: [f"{members[0][0]:.1f}", f"{members[0][0] ** 2:.2f}", f"{expected_16:.3f}",
            f"{members[0][1]:.2f}", f"{members[0][1] ** 2:.3f}", f"{members[1][0]:.3f}",
            f"{members[1][0] ** 2:.1f}", f"{members[1][1] ** 2:.2f}", f"2/8 = {2 / 8:.2f}", "5",
            "2/5"],
        7: [*[f"{x:.3f}".removesuffix("00") for x in moves], f"{moves[0] + moves[2]:.3f}",
            f"{2 / (moves[0] + moves[2]):.0f}", f"{2 / moves[0]:.0f}", "6, 4, 2 of 12"],
        8: [*[f"{-x:.3f}" for x in np.log(played)], f"/ 3 = {evidence:.3f}",
            f"{np.exp(evidence):.3f}", f"{-np.log(300):.3f}", f"{played.mean():.3f}"],
        9: [f"{-3.1 + 3.2:.1f}"],
        10: [],
    }  # fmt: skip


def nrpa():
    """What the key of NRPA says."""
    p = move_probabilities(np.array([0, 0, np.log(4)]))
    assert np.allclose(p, move_probabilities(np.array([7, 7, 7 + np.log(4)])))
    w, gains, chances = np.zeros(2), [], []
    for _ in range(2):
        new = adapt(w, [[0, 1]], [0])
        gains.append(new[0] - w[0])
        chances.append(move_probabilities(new)[0])
        w = new
    wrong = np.zeros(2)
    for i in range(2):
        wrong[i] += (i == 0) - move_probabilities(wrong)[i]
    counts = {}
    for level, n in ((3, 10), (2, 30)):
        search = NRPA(leftmove(3), np.random.default_rng(0), level=level, n_iterations=n)
        search.run()
        counts[level] = search.n_playouts, search.n_adapts
    best, kept = 0, []
    for number, score in enumerate((3, 5, 2, 5, 4)):
        if not kept or score >= best:
            best, at = score, number
        kept.append((best, at))
    assert kept == [(3, 0), (5, 1), (5, 1), (5, 3), (5, 3)]
    noisy = [max(20 + 5 * e for e in es[:3]) > 22 + 5 * es[3] for es in product((-1, 1), repeat=4)]
    ratio = 0.8**8 / 0.5**8
    return {
        1: [f"twice: {2 * (3 - 2) ** 2}", f"= {(6 - 2) ** 2}", "0"],
        2: [f"1/{2**8} = {0.5**8:.4f}", f"{0.8**8:.3f}", f"{ratio:.0f} times",
            f"0.8 / 0.5 = {0.8 / 0.5:.1f}"],
        3: [*parts(p[:1]), f"4/6 = {p[2]:.3f}"],
        4: [f"{gains[0]:.1f}", f"{gains[1]:.3f}", *[f"{c:.3f}" for c in chances], f"{w[0]:.3f}"],
        5: [f"{-wrong[1]:.3f}", f"{wrong.sum():.3f}", f"{wrong[0]:.1f}"],
        6: [*[f"{n:,}" for pair in counts.values() for n in pair], "100"],
        7: ["level 2"],
        8: [],
        9: ["7/8", "1/8", f"{sum(noisy)}/16 = {np.mean(noisy):.4f}", "25", "15", "27", "17", "1/2"],
        10: [f"{move_probabilities(np.array([2.0, 0]))[0]:.3f}"],
    }  # fmt: skip


def together():
    """What the key of the partner that thinks says."""
    belief, worth = np.array([0.5, 0.3, 0.2]), np.array([[22, 16, 15], [18, 18, 18]])
    risky, safe = worth @ belief
    seen = worth.max(axis=0) @ belief
    points = np.array([[17, 21, 19, 15], [18, 22, 19, 17]])
    gain = points[1] - points[0]
    deviation = gain.std(ddof=1)
    error, apart = deviation / 2, np.sqrt(points.var(axis=1, ddof=1).sum() / 4)
    assert gain.tolist() == [1, 1, 0, 2]
    assert 2 * error < gain.mean() < 2 * apart
    hands = [*permutations(["R2", "W4", "B3", "B3"], 2)]
    silent = [hand for hand in hands if "R2" not in hand]
    n_first = [sum(hand[0] == "B3" for hand in some) for some in (hands, silent)]
    rung = {(r.belief, r.n_deals): r for r in stored_rungs()["beliefs"]}
    few, many = rung["exact", 100], rung["exact", 400]
    read = [rung["exact with L", n] for n in (100, 400)]
    expected, true = (share - (1 - share) / 2 for share in (0.4, 0.2))
    weight = 3 * FORGIVENESS**2
    pairs = np.outer([3, 2], [3, 2])
    chances = pairs[0, 0] / pairs[0].sum(), pairs[0, 1] / pairs[1].sum()
    league = stored_league()
    pure, other, mixed = (
        league.means[league.names.index(a), league.names.index(b)]
        for a, b in (("Convention", "Convention"), ("Mirror", "Mirror"), ("Convention", "Mirror"))
    )
    assert [f"{mean:.1f}" for mean in (pure, other, mixed)] == ["20.8", "19.2", "1.1"]
    both, best = stored_rungs()["both"][0], np.mean(stored_open_deals()[1][2].points)
    rules, search, best = (round(x, 2) for x in (both.mean - both.gain, both.mean, best))
    assert (rules, search, best) == (20.86, 23.16, 24.98)  # as the question prints them
    return {
        1: [f"= {risky:.1f}", f"Q(b) = {safe:.0f}", f"= {seen:.0f}", f"{seen - risky:.1f} points"],
        2: [f"the mean is {gain.mean():.0f}", "0 and 2", f"{deviation:.3f}", f"{error:.3f}",
            f"Twice this is {2 * error:.3f}", f"{apart:.3f}"],
        3: [f"{len(hands)} ordered hands", f"In {n_first[0]} of", f"asked in {12 - len(silent)}",
            f"In {n_first[1]} of the other {len(silent)} hands", "1/2", "2/3"],
        4: [f"from {few.mean - few.gain:.1f} to {few.mean:.1f}"],
        5: [f"0.5 = {expected:.1f}", f"0.5 = {true:.1f}", "0.6", "0.8", "0.4", "0.2"],
        6: [f"from {few.mean:.1f} to {many.mean:.1f}", " to ".join(f"{r.mean:.1f}" for r in read)],
        7: [f"3 · 0.3² = {weight:.2f}", f"1 / 1.27 = {1 / (1 + weight):.3f}",
            f"{weight / (1 + weight):.3f}"],
        8: [],
        9: ["9, 6 and 4", f"9/15 = {chances[0]:.1f}", f"6/10 = {chances[1]:.1f}"],
        10: [f"{25 - rules:.2f}", f"23.16 - 20.86 = {search - rules:.2f}",
             f"24.98 - 23.16 = {best - search:.2f}", f"25 - 24.98 = {25 - best:.2f}"],
    }  # fmt: skip


KEYS = {"hanabi": hanabi, "ntbea": ntbea, "btmm": btmm, "nrpa": nrpa, "together": together}


def numbered(name):
    """The numbered paragraphs of a sheet."""
    found = re.findall(r"^(\d+)\. (.*)$", text_of(f"teaching/{name}.md"), re.MULTILINE)
    return {int(number): words for number, words in found}


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_number_of_a_key_is_computed_or_given(chapter):
    questions, answers = numbered(f"questions_{chapter}"), numbered(f"key_{chapter}")
    computed = KEYS[chapter]()
    assert [*questions] == [*answers] == [*computed] == [*range(1, 11)]
    for n, answer in answers.items():
        answer = answer.replace("−", "-")
        assert answer.count("*Half:*") == 1, n
        assert [words for words in computed[n] if words not in answer] == [], n
        known = {x.rstrip(",") for words in (questions[n], *computed[n])
                 for x in NUMBER.findall(words)}  # fmt: skip
        said = {x.rstrip(",") for x in NUMBER.findall(answer)}
        assert said - known - {"0", "1"} == set(), n
